/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Inputs side by side. Workers take one input after the other and keep what comes of it; the
 * calling thread puts that where it belongs, in the order of the inputs, and does those that
 * workers left to it, while they rest. Nobody waits for what a later input does. */

#include "workers.h"
#include "core/context/threads.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* So many inputs for each worker may be done or in work before those ahead of them are. */
#define AHEAD 4

/* Seconds between looks at the progress of workers. */
#define LOOK_NS 100000000

/* One input of a worker. */
typedef struct kept {
    cli_run run;
    char *text; /* that it printed; owned */
    size_t n_text;
    int is_cut;          /* there was no memory for all of it */
    atomic_int permille; /* of its work */
    int is_done;
} kept;

struct cli_batch {
    cli_run *whole;
    cli_run model; /* what the run of an input begins as */
    cli_input_fn do_input;
    void *work;
    int n_workers, n_threads;
    pthread_mutex_t lock;    /* of all below, but for what is in a slot that is in work */
    pthread_cond_t has_room; /* for workers: they may take inputs, or it is their turn */
    pthread_cond_t has_news; /* for the caller: an input is done, or nobody is busy */
    size_t n_slots;
    kept *slot;        /* input i is in slot i % n_slots */
    size_t next, turn; /* the input to be taken, and the first that is not done with */
    int n_busy;
    int is_alone; /* the caller does an input by all threads */
    int is_stopped;
};

typedef struct worker {
    cli_batch *batch;
    rug_context *ctx;
    pthread_t thread;
} worker;

static kept *slot_of(cli_batch *b, size_t input)
{
    return &b->slot[input % b->n_slots];
}

/* ---- Workers ---- */

/* Takes the next input, when there is room for it. @return NULL: there are no more */
static kept *take(cli_batch *b)
{
    pthread_mutex_lock(&b->lock);
    while (!b->is_stopped && b->next < b->whole->n_inputs &&
           (b->is_alone || b->next - b->turn >= b->n_slots))
        pthread_cond_wait(&b->has_room, &b->lock);
    kept *k = NULL;
    if (!b->is_stopped && b->next < b->whole->n_inputs) {
        k = slot_of(b, b->next);
        k->run = b->model;
        k->run.input = b->next++;
        b->n_busy++;
    }
    pthread_mutex_unlock(&b->lock);
    return k;
}

static void finish(cli_batch *b, kept *k)
{
    pthread_mutex_lock(&b->lock);
    k->is_done = 1;
    b->n_busy--;
    pthread_cond_signal(&b->has_news);
    pthread_mutex_unlock(&b->lock);
}

/* A report for rows that will be moved to another. */
static cli_report *new_rows(const cli_report *report)
{
    static const char *const none[] = {NULL};
    return report != NULL ? cli_report_new(none) : NULL;
}

/* Without memory for what has to be kept the input is left. */
static void do_kept(const worker *w, kept *k)
{
    const cli_batch *b = w->batch;
    cli_run *run = &k->run;
    run->ctx = w->ctx;
    run->permille = &k->permille;
    run->err = open_memstream(&k->text, &k->n_text);
    run->report = new_rows(b->model.report);
    run->second = new_rows(b->model.second);
    run->third = new_rows(b->model.third);
    run->html = new_rows(b->model.html);
    if (run->report != NULL)
        cli_report_share(run->report, run->html);
    cli_listen(run);
    if (run->err == NULL || (run->report == NULL) != (b->model.report == NULL) ||
        (run->second == NULL) != (b->model.second == NULL) ||
        (run->third == NULL) != (b->model.third == NULL) ||
        (run->html == NULL) != (b->model.html == NULL))
        run->is_left = 1;
    else
        b->do_input(run, b->work);
    if (run->err != NULL && !rugi_close_text(run->err, &k->text)) {
        k->is_cut = 1;
        k->n_text = 0;
    }
}

static void *work(void *user)
{
    const worker *w = user;
    kept *k;
    while ((k = take(w->batch)) != NULL) {
        do_kept(w, k);
        finish(w->batch, k);
    }
    return NULL;
}

static int must_wait(const cli_run *run, int (*concerns)(const cli_run *, size_t))
{
    const cli_batch *b = run->batch;
    for (size_t i = b->turn; i < run->input; i++)
        if (concerns == NULL || concerns(run, i))
            return 1;
    return 0;
}

/* Who waits is not busy, so that an earlier input may be done alone. */
rug_status cli_await_turn(cli_run *run,
                          int (*concerns)(const cli_run *run, size_t earlier))
{
    cli_batch *b = run->batch;
    if (b == NULL)
        return RUG_OK;
    pthread_mutex_lock(&b->lock);
    b->n_busy--;
    pthread_cond_signal(&b->has_news);
    while (!b->is_stopped && (must_wait(run, concerns) || b->is_alone))
        pthread_cond_wait(&b->has_room, &b->lock);
    b->n_busy++;
    int is_stopped = b->is_stopped;
    pthread_mutex_unlock(&b->lock);
    if (is_stopped)
        run->interrupted = SIGINT;
    return is_stopped ? rug_context_fail(run->ctx, RUG_E_CANCELLED, "cancelled") : RUG_OK;
}

/* ---- The caller ---- */

static double share_of(kept *k)
{
    return k->is_done ? 1
                      : 1e-3 * atomic_load_explicit(&k->permille, memory_order_relaxed);
}

/* Waits for news for a while, and shows the progress. */
static void look(cli_batch *b)
{
    cli_run *whole = b->whole;
    struct timespec until;
    double share = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&b->has_news, &b->lock, &until);
    for (size_t i = b->turn; i < b->next; i++)
        share += share_of(slot_of(b, i));
    whole->phase_at = share;
    whole->phase_share = 0;
    b->is_stopped = rug_context_step(whole->ctx, 0) != RUG_OK;
}

static void take_rows(cli_report *report, cli_report *from)
{
    if (report != NULL && from != NULL)
        cli_report_take(report, from);
}

static void take_failures(cli_run *whole, cli_run *run)
{
    size_t n = whole->n_told + run->n_told;
    whole->n_failures += run->n_failures;
    char **more = run->n_told > 0 ? realloc(whole->failures, n * sizeof *more) : NULL;
    if (more == NULL)
        return;
    whole->failures = more;
    memcpy(more + whole->n_told, run->failures, run->n_told * sizeof *run->failures);
    whole->n_told = n;
    run->n_told = 0;
}

/* Puts what was kept where it belongs. */
static void put(cli_run *whole, kept *k)
{
    if (k->n_text > 0) {
        cli_clear_progress(whole);
        cli_print_kept(whole, &k->run, k->text, k->n_text);
    }
    take_rows(whole->report, k->run.report);
    take_rows(whole->second, k->run.second);
    take_rows(whole->third, k->run.third);
    take_rows(whole->html, k->run.html);
    take_failures(whole, &k->run);
    if (k->is_cut) {
        const char *path = whole->inputs[whole->input].path;
        rug_context_fail(whole->ctx, RUG_E_NOMEM, "%s: no memory for messages", path);
        cli_fail(whole, rug_context_error(whole->ctx));
    }
}

static void free_kept(kept *k)
{
    for (size_t i = 0; i < k->run.n_told; i++)
        free(k->run.failures[i]);
    free(k->run.failures);
    free(k->run.warned);
    cli_report_free(k->run.report);
    cli_report_free(k->run.second);
    cli_report_free(k->run.third);
    cli_report_free(k->run.html);
    free(k->text);
    memset(k, 0, sizeof *k);
}

/* Does what was left of an input, when nobody is busy. The lock is held. */
static void do_left(cli_batch *b, const kept *k)
{
    cli_run *whole = b->whole;
    b->is_alone = 1;
    while (b->n_busy > 0 && !b->is_stopped)
        look(b);
    pthread_mutex_unlock(&b->lock);
    whole->page = k->run.page;
    whole->n_pages = k->run.n_pages;
    if (!b->is_stopped)
        b->do_input(whole, b->work);
    pthread_mutex_lock(&b->lock);
    b->is_alone = 0;
}

static int is_ended(const cli_run *run)
{
    return run->interrupted || run->writing.is_stopped;
}

/* Waits for the input whose turn it is, and is done with it. The lock is held. */
static void end_input(cli_batch *b)
{
    kept *k = slot_of(b, b->turn);
    b->whole->input = b->turn;
    while (!k->is_done && !b->is_stopped)
        look(b);
    if (b->is_stopped)
        return;
    if (!b->whole->interrupted)
        b->whole->interrupted = k->run.interrupted;
    if (b->whole->interrupted)
        return;
    pthread_mutex_unlock(&b->lock);
    put(b->whole, k);
    pthread_mutex_lock(&b->lock);
    if (k->run.is_left)
        do_left(b, k);
    pthread_mutex_unlock(&b->lock);
    cli_write_rows(b->whole);
    pthread_mutex_lock(&b->lock);
    free_kept(k);
    b->turn++;
    pthread_cond_broadcast(&b->has_room);
}

static void end_inputs(cli_batch *b)
{
    pthread_mutex_lock(&b->lock);
    while (b->turn < b->whole->n_inputs && !is_ended(b->whole) && !b->is_stopped)
        end_input(b);
    b->is_stopped = 1;
    pthread_cond_broadcast(&b->has_room);
    pthread_mutex_unlock(&b->lock);
}

/* Starts worker i, with its share of the threads. @return 0, or -1 */
static int start(cli_batch *b, worker *w, int i)
{
    int n_threads = b->n_threads / b->n_workers + (i < b->n_threads % b->n_workers);
    w->batch = b;
    if (rug_context_new(&w->ctx) == RUG_OK &&
        rug_context_set_threads(w->ctx, n_threads) == RUG_OK &&
        rugi_start_thread(&w->thread, work, w) == 0)
        return 0;
    rug_context_free(w->ctx);
    return -1;
}

/* @return 0: no worker could be started, and nothing was done */
static int run_workers(cli_batch *b, worker *workers)
{
    int n = 0;
    while (n < b->n_workers && start(b, &workers[n], n) == 0)
        n++;
    if (n > 0)
        end_inputs(b);
    for (int i = 0; i < n; i++) {
        pthread_join(workers[i].thread, NULL);
        rug_context_free(workers[i].ctx);
    }
    return n > 0;
}

static int do_side_by_side(cli_batch *b)
{
    worker *workers = calloc((size_t)b->n_workers, sizeof *workers);
    int is_done = 0;
    b->slot = calloc(b->n_slots, sizeof *b->slot);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->has_room, NULL);
    pthread_cond_init(&b->has_news, NULL);
    if (workers != NULL && b->slot != NULL)
        is_done = run_workers(b, workers);
    for (size_t i = 0; b->slot != NULL && i < b->n_slots; i++)
        free_kept(&b->slot[i]);
    pthread_cond_destroy(&b->has_news);
    pthread_cond_destroy(&b->has_room);
    pthread_mutex_destroy(&b->lock);
    free(b->slot);
    free(workers);
    return is_done;
}

static void do_one_by_one(cli_run *run, cli_input_fn do_input, void *work)
{
    for (run->input = run->writing.n_finished;
         run->input < run->n_inputs && !is_ended(run); run->input++) {
        run->page = 0;
        run->n_pages = 1;
        do_input(run, work);
        cli_write_rows(run);
    }
}

/* A device does one thing at a time. */
static int is_on_device(const cli_run *run)
{
    return run->common.device != NULL && strcmp(run->common.device, "cpu") != 0;
}

void cli_do_inputs(cli_run *run, cli_input_fn do_input, void *work)
{
    int n_threads = rug_context_threads(run->ctx);
    cli_write_rows(run);
    if (is_ended(run))
        return;
    size_t n_left = run->n_inputs - run->writing.n_finished;
    size_t n_workers = n_left < (size_t)n_threads ? n_left : (size_t)n_threads;
    cli_batch batch = {.whole = run,
                       .model = *run,
                       .do_input = do_input,
                       .work = work,
                       .n_workers = (int)n_workers,
                       .n_threads = n_threads,
                       .next = run->writing.n_finished,
                       .turn = run->writing.n_finished,
                       .n_slots = AHEAD * n_workers};
    batch.model.batch = &batch;
    batch.model.failures = NULL;
    batch.model.n_failures = batch.model.n_told = 0;
    batch.model.warnings = NULL;
    batch.model.n_warnings = 0;
    batch.model.page = 0;
    batch.model.n_pages = 1;
    int is_one_by_one = run->one_by_one || is_on_device(run) || n_workers < 2;
    if (is_one_by_one || !do_side_by_side(&batch))
        do_one_by_one(run, do_input, work);
}
