/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parallel loops over OpenMP. Tasks are handed out one by one, so uneven ones balance;
 * callbacks run on the calling thread only. */

#include "threads.h"
#include "context_internal.h"
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

int rugi_threads_enter(rug_context *ctx, double nanoseconds)
{
    int outer = ctx->n_threads;
    double paid = 1 + nanoseconds / ctx->thread_work;
    if (paid < outer)
        ctx->n_threads = (int)paid;
    return outer;
}

void rugi_threads_leave(rug_context *ctx, int outer)
{
    ctx->n_threads = outer;
}

int rugi_loop_threads(const rug_context *ctx, size_t n_tasks)
{
    int n = rug_context_threads(ctx);
    if (n_tasks < (size_t)n)
        n = n_tasks > 0 ? (int)n_tasks : 1;
    return n;
}

/* Small loops come by the thousand: a team of one thread would cost more than they do. */
static rug_status run_here(rug_context *ctx, size_t n_tasks, rugi_task_fn task,
                           void *shared)
{
    for (size_t i = 0; i < n_tasks; i++) {
        task(shared, i, 0);
        rug_status status = rug_context_step(ctx, (double)(i + 1) / (double)n_tasks);
        if (status != RUG_OK)
            return status;
    }
    return rug_context_step(ctx, 1);
}

rug_status rugi_parallel_for(rug_context *ctx, size_t n_tasks, rugi_task_fn task,
                             void *shared)
{
    if (rugi_loop_threads(ctx, n_tasks) == 1)
        return run_here(ctx, n_tasks, task, shared);
    atomic_int stop = RUG_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(rugi_loop_threads(ctx, n_tasks))
    for (size_t i = 0; i < n_tasks; i++) {
        if (atomic_load_explicit(&stop, memory_order_relaxed) != RUG_OK)
            continue;
        int thread = omp_get_thread_num();
        task(shared, i, thread);
        if (thread != 0)
            continue;
        /* tasks begin in their order: those before this one are done, or about to be */
        rug_status status = rug_context_step(ctx, (double)i / (double)n_tasks);
        if (status != RUG_OK)
            atomic_store_explicit(&stop, (int)status, memory_order_relaxed);
    }
    return stop == RUG_OK ? rug_context_step(ctx, 1) : (rug_status)atomic_load(&stop);
}

void rugi_yield(void)
{
    sched_yield();
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
    const timed_loop *loop = shared;
    double begin = seconds_now();
    loop->task(loop->shared, task, thread);
    loop->seconds[thread] += seconds_now() - begin;
}

rug_status rugi_parallel_for_timed(rug_context *ctx, size_t n_tasks, rugi_task_fn task,
                                   void *shared, double *seconds)
{
    if (seconds == NULL)
        return rugi_parallel_for(ctx, n_tasks, task, shared);
    timed_loop loop = {task, shared, seconds};
    return rugi_parallel_for(ctx, n_tasks, timed_task, &loop);
}
