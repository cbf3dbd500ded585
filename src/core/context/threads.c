/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parallel loops. Each thread that calls has a crew of threads, which it keeps until it ends;
 * they sleep between loops, so that they take nothing from others. Tasks are handed out few by few,
 * the last ones one by one, so uneven ones balance, and nobody waits for a thread that has not begun;
 * callbacks run on the calling thread only. */

#include "threads.h"
#include "context_internal.h"
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- Loops ---- */

int rugi_loop_threads(const rug_context *ctx, size_t n_tasks)
{
    int n = rug_context_threads(ctx);
    if (n_tasks < (size_t)n)
        n = n_tasks > 0 ? (int)n_tasks : 1;
    return n;
}

typedef struct loop {
    rug_context *ctx;
    rugi_task_fn task;
    void *shared;
    size_t n_tasks;
    size_t n_threads;
    atomic_int stop;                   /* a rug_status */
    RUGI_OWN_LINES atomic_size_t next; /* task that nobody has taken */
} loop;

/* What a thread is in: a loop, which may be in a task of another one. */
typedef struct place {
    loop *loop;
    int thread; /* 0: the one that called */
    const struct place *outer;
} place;

static _Thread_local const place *inside;

static rug_status stop_of(loop *l)
{
    return (rug_status)atomic_load_explicit(&l->stop, memory_order_relaxed);
}

static void stop_loop(loop *l, rug_status status)
{
    atomic_store_explicit(&l->stop, (int)status, memory_order_relaxed);
}

static rug_status ask(rug_context *ctx)
{
    if (ctx->cancel == NULL || ctx->cancel(ctx->cancel_user) == 0)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_CANCELLED, "cancelled");
}

int rugi_must_stop(void)
{
    for (const place *p = inside; p != NULL; p = p->outer) {
        if (stop_of(p->loop) == RUG_OK && p->thread == 0)
            stop_loop(p->loop, ask(p->loop->ctx));
        if (stop_of(p->loop) == RUG_OK)
            continue;
        for (const place *inner = inside; inner != p; inner = inner->outer)
            stop_loop(inner->loop, stop_of(p->loop));
        return 1;
    }
    return 0;
}

rug_status rugi_look(rug_context *ctx)
{
    rug_status status = ask(ctx);
    return status == RUG_OK && rugi_must_stop()
               ? rug_context_fail(ctx, RUG_E_CANCELLED, "cancelled")
               : status;
}

/* Small loops come by the thousand: a team of one thread would cost more than they do. */
static rug_status run_here(loop *l)
{
    place here = {l, 0, inside};
    inside = &here;
    for (size_t i = 0; i < l->n_tasks && stop_of(l) == RUG_OK; i++) {
        l->task(l->shared, i, 0);
        if (stop_of(l) == RUG_OK)
            stop_loop(l, rug_context_step(l->ctx, (double)(i + 1) / (double)l->n_tasks));
    }
    inside = here.outer;
    return stop_of(l) == RUG_OK ? rug_context_step(l->ctx, 1) : stop_of(l);
}

/* Tasks before the end that a thread takes one by one, so that all end at about the same time. */
#define LAST_TASKS 8

/* How many tasks a thread takes, as far as it knows how many are left: from the counter itself it
 * would take the cache line once more. */
static size_t n_to_take(const loop *l, size_t n_left)
{
    size_t n = n_left / (LAST_TASKS * l->n_threads);
    return n < 1 ? 1 : n > RUGI_TASKS_TAKEN ? RUGI_TASKS_TAKEN : n;
}

static void run_tasks(loop *l, int thread)
{
    place here = {l, thread, inside};
    inside = &here;
    for (size_t end = 0; end < l->n_tasks && stop_of(l) == RUG_OK;) {
        size_t n = n_to_take(l, l->n_tasks - end);
        size_t i = atomic_fetch_add_explicit(&l->next, n, memory_order_relaxed);
        for (end = i + n; i < end && i < l->n_tasks && stop_of(l) == RUG_OK; i++) {
            l->task(l->shared, i, thread);
            /* those before this one are done, or about to be */
            if (thread == 0 && stop_of(l) == RUG_OK)
                stop_loop(l, rug_context_step(l->ctx, (double)i / (double)l->n_tasks));
        }
    }
    inside = here.outer;
}

/* ---- Crews ---- */

typedef struct crew {
    pid_t process; /* a child of fork() has none of the threads */
    int n_members;
    pthread_t *members; /* [n_members] */
    int is_at_work;     /* seen by the calling thread only */
    pthread_mutex_t lock;
    pthread_cond_t begins, ends;
    /* under the lock: */
    loop *loop;
    int n_open; /* members that may still join the loop */
    int n_busy; /* that have joined and are not done */
    int is_over;
} crew;

static _Thread_local crew *own_crew;
static _Thread_local int is_member;

static pthread_key_t crew_key; /* for what is left to do when a calling thread ends */
static pthread_once_t crew_once = PTHREAD_ONCE_INIT;

static void *member_main(void *user)
{
    crew *c = user;
    is_member = 1;
    pthread_mutex_lock(&c->lock);
    while (!c->is_over) {
        if (c->n_open == 0) {
            pthread_cond_wait(&c->begins, &c->lock);
            continue;
        }
        loop *l = c->loop;
        int thread = c->n_open--;
        c->n_busy++;
        pthread_mutex_unlock(&c->lock);
        run_tasks(l, thread);
        pthread_mutex_lock(&c->lock);
        c->n_open = 0; /* no task is left */
        if (--c->n_busy == 0)
            pthread_cond_signal(&c->ends);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void end_crew(void *user)
{
    crew *c = user;
    if (c->process != getpid())
        return; /* the members, and perhaps the lock, are the parent's */
    pthread_mutex_lock(&c->lock);
    c->is_over = 1;
    pthread_cond_broadcast(&c->begins);
    pthread_mutex_unlock(&c->lock);
    for (int i = 0; i < c->n_members; i++)
        pthread_join(c->members[i], NULL);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->begins);
    pthread_cond_destroy(&c->ends);
    free(c->members);
    free(c);
    own_crew = NULL;
}

static void make_key(void)
{
    pthread_key_create(&crew_key, end_crew);
}

/* The crew of this thread. @return NULL: not enough memory */
static crew *take_crew(void)
{
    pthread_once(&crew_once, make_key);
    if (own_crew != NULL && own_crew->process == getpid())
        return own_crew;
    crew *c = calloc(1, sizeof *c);
    if (c == NULL || pthread_setspecific(crew_key, c) != 0) {
        free(c);
        return NULL;
    }
    c->process = getpid();
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->begins, NULL);
    pthread_cond_init(&c->ends, NULL);
    own_crew = c;
    return c;
}

/* Signals are for the program's own threads, but for those that a thread's own work raises. */
static void block_signals(sigset_t *before)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

/* Makes members up to n. @return how many there are of them, fewer where the system has no more */
static int grow_crew(crew *c, int n)
{
    if (n <= c->n_members)
        return n;
    pthread_t *members = realloc(c->members, (size_t)n * sizeof *members);
    if (members == NULL)
        return c->n_members;
    c->members = members;
    sigset_t before;
    block_signals(&before);
    while (c->n_members < n &&
           rugi_start_thread(&c->members[c->n_members], member_main, c) == 0)
        c->n_members++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return c->n_members;
}

static void run_with_crew(crew *c, loop *l, int n_members)
{
    c->is_at_work = 1;
    pthread_mutex_lock(&c->lock);
    c->loop = l;
    c->n_open = n_members;
    if (n_members == c->n_members)
        pthread_cond_broadcast(&c->begins);
    else
        for (int i = 0; i < n_members; i++)
            pthread_cond_signal(&c->begins);
    pthread_mutex_unlock(&c->lock);
    run_tasks(l, 0);
    pthread_mutex_lock(&c->lock);
    c->n_open = 0;
    while (c->n_busy > 0)
        pthread_cond_wait(&c->ends, &c->lock);
    pthread_mutex_unlock(&c->lock);
    c->is_at_work = 0;
}

rug_status rugi_parallel_for(rug_context *ctx, size_t n_tasks, rugi_task_fn task,
                             void *shared)
{
    int n = rugi_loop_threads(ctx, n_tasks);
    crew *c = n > 1 && !is_member ? take_crew() : NULL;
    int n_members = c != NULL && !c->is_at_work ? grow_crew(c, n - 1) : 0;
    loop l = {.ctx = ctx,
              .task = task,
              .shared = shared,
              .n_tasks = n_tasks,
              .n_threads = (size_t)n_members + 1};
    if (n_members == 0)
        return run_here(&l);
    run_with_crew(c, &l, n_members);
    return stop_of(&l) == RUG_OK ? rug_context_step(ctx, 1) : stop_of(&l);
}

typedef struct timed_loop {
    rugi_task_fn task;
    void *shared;
    double *seconds;
} timed_loop;

/* Processor time of this thread, which other programs do not change. */
static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void timed_task(void *shared, size_t task, int thread)
{
    const timed_loop *l = shared;
    double begin = seconds_now();
    l->task(l->shared, task, thread);
    l->seconds[thread] += seconds_now() - begin;
}

rug_status rugi_parallel_for_timed(rug_context *ctx, size_t n_tasks, rugi_task_fn task,
                                   void *shared, double *seconds)
{
    if (seconds == NULL)
        return rugi_parallel_for(ctx, n_tasks, task, shared);
    timed_loop l = {task, shared, seconds};
    return rugi_parallel_for(ctx, n_tasks, timed_task, &l);
}
