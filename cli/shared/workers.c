/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Inputs side by side. Workers take one input after the other and keep what comes of it; the
 * calling thread puts that where it belongs, in the order of the inputs, and does those that
 * workers left to it, while they rest. Nobody waits for what a later input does.
 *
 * The processes of a team take inputs from one counter. Workers of helpers send what they kept to
 * process 0, where one thread more receives it. There a worker, of whichever process, does itself what
 * it would leave, by all threads of the process while the others rest; it gives back an input whose
 * files may have the names of those of another, so that the calling thread of process 0 does all of these
 * in their order. */

#include "workers.h"
#include "core/context/threads.h"
#include "team/team.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* So many inputs for each worker may be done or in work before those ahead of them are. */
#define AHEAD 4

/* Seconds between looks at the progress of workers. */
#define LOOK_NS 100000000

/* Microseconds between looks for messages, of process 0 and of helpers. */
#define RECEIVE_US 1000
#define FOLLOW_US  2000

struct cli_batch {
    cli_run *whole;
    cli_run model; /* what the run of an input begins as */
    cli_input_fn do_input;
    void *work;
    int n_workers, n_threads;
    const cli_carrier *others; /* of the team that shares the inputs; NULL: none */
    pthread_mutex_t lock;    /* of all below, but for what is in a slot that is in work */
    pthread_cond_t has_room; /* for workers: they may take inputs, or it is their turn */
    pthread_cond_t has_news; /* an input is done, or nobody is busy */
    size_t n_slots;
    cli_kept *slot;    /* input i is in slot i % n_slots */
    size_t next, turn; /* the input to be taken, and the first that is not done with */
    int n_busy, n_running; /* workers */
    int is_alone;          /* one input is done by all threads */
    int is_stopped;
    int is_received; /* nothing more comes from others */
};

typedef struct worker {
    cli_batch *batch;
    rug_context *ctx;
    int n_threads;
    pthread_t thread;
} worker;

static cli_kept *slot_of(cli_batch *b, size_t input)
{
    return &b->slot[input % b->n_slots];
}

/* ---- Workers ---- */

/* Takes the next input, when there is room for it: of a team one that nobody else takes.
 * @return NULL: there are no more */
static cli_kept *take(cli_batch *b)
{
    size_t own = b->others != NULL ? b->others->count(CLI_COUNTER_NEXT, 1) : 0, next;
    cli_kept *k = NULL;
    pthread_mutex_lock(&b->lock);
    for (;;) {
        next = b->others != NULL ? own : b->next;
        if (b->is_stopped || next >= b->whole->n_inputs ||
            (!b->is_alone && next - b->turn < b->n_slots))
            break;
        pthread_cond_wait(&b->has_room, &b->lock);
    }
    if (!b->is_stopped && next < b->whole->n_inputs) {
        k = slot_of(b, next);
        k->run = b->model;
        k->run.input = next;
        b->next = next + 1;
        b->n_busy++;
    }
    pthread_mutex_unlock(&b->lock);
    return k;
}

/* The lock is held. */
static void rest(cli_batch *b)
{
    b->n_busy--;
    pthread_cond_broadcast(&b->has_news);
}

/* Does the rest of an input by all threads, while the other workers rest. */
static void do_alone(const worker *w, cli_run *run)
{
    cli_batch *b = w->batch;
    pthread_mutex_lock(&b->lock);
    rest(b);
    while (b->is_alone && !b->is_stopped)
        pthread_cond_wait(&b->has_room, &b->lock);
    b->is_alone = 1;
    while (b->n_busy > 0 && !b->is_stopped)
        pthread_cond_wait(&b->has_news, &b->lock);
    b->n_busy++;
    int is_stopped = b->is_stopped;
    pthread_mutex_unlock(&b->lock);
    run->is_left = 0;
    run->is_alone = 1;
    if (!is_stopped && rug_context_set_threads(w->ctx, b->n_threads) == RUG_OK)
        b->do_input(run, b->work);
    rug_context_set_threads(w->ctx, w->n_threads);
    pthread_mutex_lock(&b->lock);
    b->is_alone = 0;
    pthread_cond_broadcast(&b->has_room);
    pthread_mutex_unlock(&b->lock);
}

/* Nothing is kept of what is given back. The lock is held where others see it. */
static void give_back(cli_kept *k)
{
    cli_run run = k->run;
    cli_free_kept(k);
    k->run = (cli_run){.input = run.input, .is_left = 1, .n_pages = 1};
}

/* Without memory for what has to be kept the input is left. */
static void do_kept(const worker *w, cli_kept *k)
{
    cli_batch *b = w->batch;
    cli_run *run = &k->run;
    run->ctx = w->ctx;
    run->permille = &k->permille;
    run->is_returned = !cli_keep(k);
    cli_listen(run);
    if (!run->is_returned)
        b->do_input(run, b->work);
    if (run->is_left && !run->is_returned && b->others != NULL)
        do_alone(w, run);
    cli_end_kept(k);
    pthread_mutex_lock(&b->lock);
    if (run->is_returned)
        give_back(k);
    pthread_mutex_unlock(&b->lock);
}

/* Sends what a helper kept. As soon as process 0 has it the slot may be another input's. */
static void send_kept(cli_batch *b, cli_kept *k)
{
    size_t n;
    char *bytes = k->run.interrupted ? NULL : cli_save_kept(k, &n);
    if (bytes == NULL && !k->run.interrupted)
        b->others->abort(CLI_FAILED);
    cli_free_kept(k);
    if (bytes != NULL)
        b->others->send(0, CLI_RESULT, bytes, n);
    free(bytes);
}

static void *work(void *user)
{
    const worker *w = user;
    cli_batch *b = w->batch;
    cli_kept *k;
    while ((k = take(b)) != NULL) {
        do_kept(w, k);
        if (cli_is_helper())
            send_kept(b, k);
        pthread_mutex_lock(&b->lock);
        if (!cli_is_helper())
            k->is_done = 1;
        rest(b);
        pthread_mutex_unlock(&b->lock);
    }
    pthread_mutex_lock(&b->lock);
    b->n_running--;
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Whether earlier inputs concern an input; of a team, whether any do. */
static int must_wait(const cli_run *run, int (*concerns)(const cli_run *, size_t))
{
    const cli_batch *b = run->batch;
    size_t end = b->others != NULL ? run->n_inputs : run->input;
    for (size_t i = b->others != NULL ? 0 : b->turn; i < end; i++)
        if (i != run->input && (concerns == NULL || concerns(run, i)))
            return 1;
    return 0;
}

/* In a team nobody waits for others. */
static rug_status await_none(cli_run *run,
                             int (*concerns)(const cli_run *run, size_t earlier))
{
    if (!must_wait(run, concerns))
        return RUG_OK;
    run->is_left = run->is_returned = 1;
    return rug_context_fail(run->ctx, RUG_E_CANCELLED, "given back");
}

/* Who waits is not busy, so that an earlier input may be done alone. */
rug_status cli_await_turn(cli_run *run,
                          int (*concerns)(const cli_run *run, size_t earlier))
{
    cli_batch *b = run->batch;
    if (b == NULL)
        return RUG_OK;
    if (b->others != NULL)
        return await_none(run, concerns);
    pthread_mutex_lock(&b->lock);
    rest(b);
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

static double share_of(cli_kept *k)
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
    for (size_t i = b->turn; i < b->turn + b->n_slots && i < whole->n_inputs; i++)
        share += share_of(slot_of(b, i));
    whole->phase_at = share;
    whole->phase_share = 0;
    b->is_stopped = rug_context_step(whole->ctx, 0) != RUG_OK;
}

/* Does what was left of an input, when nobody is busy. The lock is held. */
static void do_left(cli_batch *b, const cli_kept *k)
{
    cli_run *whole = b->whole;
    while (b->is_alone && !b->is_stopped)
        look(b);
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
    cli_kept *k = slot_of(b, b->turn);
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
    cli_put_kept(b->whole, k);
    pthread_mutex_lock(&b->lock);
    if (k->run.is_left)
        do_left(b, k);
    pthread_mutex_unlock(&b->lock);
    cli_write_rows(b->whole);
    if (b->others != NULL)
        b->others->count(CLI_COUNTER_TURN, 1);
    pthread_mutex_lock(&b->lock);
    cli_free_kept(k);
    b->turn++;
    pthread_cond_broadcast(&b->has_room);
}

/* The lock is held. */
static void stop(cli_batch *b)
{
    b->is_stopped = 1;
    pthread_cond_broadcast(&b->has_room);
    pthread_cond_broadcast(&b->has_news);
}

static void end_inputs(cli_batch *b)
{
    pthread_mutex_lock(&b->lock);
    while (b->turn < b->whole->n_inputs && !is_ended(b->whole) && !b->is_stopped)
        end_input(b);
    stop(b);
    pthread_mutex_unlock(&b->lock);
}

/* Starts worker i, with its share of the threads. @return 0, or -1 */
static int start(cli_batch *b, worker *w, int i)
{
    w->n_threads = b->n_threads / b->n_workers + (i < b->n_threads % b->n_workers);
    w->batch = b;
    if (rug_context_new(&w->ctx) == RUG_OK &&
        rug_context_set_threads(w->ctx, w->n_threads) == RUG_OK &&
        rugi_start_thread(&w->thread, work, w) == 0)
        return 0;
    rug_context_free(w->ctx);
    return -1;
}

/* ---- The team ---- */

/* Puts what a helper sent into its slot. Without memory for it the input is left. */
static void receive_kept(cli_batch *b, const void *bytes, size_t n)
{
    cli_kept k = {.is_done = 1};
    if (!cli_load_kept(&k, &b->model, bytes, n))
        give_back(&k);
    k.is_done = 1;
    pthread_mutex_lock(&b->lock);
    *slot_of(b, k.run.input) = k;
    pthread_cond_broadcast(&b->has_news);
    pthread_mutex_unlock(&b->lock);
}

/* Receives what helpers send, until they are done or the run is stopped. To look for it is also what
 * lets them count. */
static void *receive(void *user)
{
    cli_batch *b = user;
    int is_over = 0;
    while (!is_over) {
        void *bytes;
        size_t n;
        if (cli_take_result(&bytes, &n)) {
            receive_kept(b, bytes, n);
            free(bytes);
            continue;
        }
        cli_doze(RECEIVE_US);
        pthread_mutex_lock(&b->lock);
        is_over = b->is_received || cli_own_team.n_working == 0;
        pthread_mutex_unlock(&b->lock);
    }
    return NULL;
}

/* What must be the same for all processes. */
static uint64_t hash_inputs(const cli_run *run)
{
    const char *version = rug_version();
    uint64_t hash = cli_mark_hash(sizeof(cli_run), version, strlen(version));
    for (size_t i = 0; i < run->n_inputs; i++)
        hash = cli_mark_hash(hash, run->inputs[i].path, strlen(run->inputs[i].path) + 1);
    for (const char **word = run->line; *word != NULL; word++)
        hash = cli_mark_hash(hash, *word, strlen(*word) + 1);
    return hash;
}

/* What process 0 orders, or what a helper expects. */
static cli_order make_order(const cli_run *run, size_t first, size_t n_slots)
{
    return (cli_order){.is_work = 1,
                       .first = first,
                       .n_inputs = run->n_inputs,
                       .n_slots = n_slots,
                       .hash = hash_inputs(run)};
}

/* Ends the inputs, of which helpers do some. The counters are set while no helper counts. */
static void lead(cli_batch *b)
{
    cli_order order = make_order(b->whole, b->turn, b->n_slots);
    pthread_t receiver;
    cli_give_order(&order);
    if (rugi_start_thread(&receiver, receive, b) != 0)
        b->others->abort(CLI_FAILED);
    end_inputs(b);
    pthread_mutex_lock(&b->lock);
    b->is_received = is_ended(b->whole);
    pthread_mutex_unlock(&b->lock);
    pthread_join(receiver, NULL);
}

/* Sees to it that workers of a helper know where process 0 is, and stops them when that wants no more. */
static void follow(cli_batch *b)
{
    cli_order order;
    pthread_mutex_lock(&b->lock);
    while (!b->is_stopped && b->n_running > 0) {
        pthread_mutex_unlock(&b->lock);
        cli_doze(FOLLOW_US);
        uint64_t turn = b->others->count(CLI_COUNTER_TURN, 0);
        int is_over = cli_take_order(&order);
        pthread_mutex_lock(&b->lock);
        if (turn != b->turn)
            pthread_cond_broadcast(&b->has_room);
        b->turn = (size_t)turn;
        if (is_over || rug_context_step(b->whole->ctx, 0) != RUG_OK) {
            raise(SIGTERM);
            stop(b);
        }
    }
    pthread_mutex_unlock(&b->lock);
}

static void set_counter(const cli_batch *b, int counter, uint64_t value)
{
    b->others->count(counter, value - b->others->count(counter, 0));
}

/* @return 0: no worker could be started, and nothing was done */
static int run_workers(cli_batch *b, worker *workers)
{
    int n = 0;
    b->n_running = b->n_workers;
    if (b->others != NULL && !cli_is_helper()) {
        set_counter(b, CLI_COUNTER_NEXT, b->turn);
        set_counter(b, CLI_COUNTER_TURN, b->turn);
    }
    while (n < b->n_workers && start(b, &workers[n], n) == 0)
        n++;
    pthread_mutex_lock(&b->lock);
    b->n_running -= b->n_workers - n;
    pthread_mutex_unlock(&b->lock);
    if (n > 0)
        (cli_is_helper() ? follow : b->others != NULL ? lead : end_inputs)(b);
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
        cli_free_kept(&b->slot[i]);
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

/* A device does one thing at a time, and so does a team that measures images together. */
static int is_one_by_one(const cli_run *run)
{
    return run->one_by_one || (run->parts != NULL && run->parts->is_team) ||
           (run->common.device != NULL && strcmp(run->common.device, "cpu") != 0);
}

/* The team, where it shares the inputs. */
static const cli_carrier *find_others(const cli_run *run)
{
    int stays = is_one_by_one(run) || run->stays_here || run->command->is_whole ||
                run->parts != NULL;
    return stays ? NULL : cli_own_team.carrier;
}

/* @return whether there is an order, to do what this process does, too */
static int await_order(const cli_run *run, cli_order *order)
{
    while (!cli_own_team.is_over && !cli_take_order(order))
        cli_doze(FOLLOW_US);
    if (cli_own_team.is_over || !order->is_work)
        return 0;
    if (order->n_inputs == run->n_inputs && order->hash == hash_inputs(run))
        return 1;
    cli_print(cli_own_team.err,
              "rugose: process %d has other inputs, options or another version than "
              "process 0: all must see the same files\n",
              cli_own_team.carrier->rank);
    cli_own_team.carrier->abort(CLI_USAGE);
    return 0;
}

/* Does what process 0 orders. The run ends for a helper then. */
static void help(cli_run *run, cli_batch *b)
{
    cli_order order = {.is_work = 0};
    if ((b->others != NULL || run->parts != NULL) && await_order(run, &order)) {
        run->writing.n_finished = (size_t)order.first;
        b->next = b->turn = (size_t)order.first;
        b->n_slots = (size_t)order.n_slots;
        if (run->parts != NULL)
            do_one_by_one(run, b->do_input, b->work);
        else
            do_side_by_side(b);
        cli_own_team.carrier->send(0, CLI_DONE, NULL, 0);
    }
    run->interrupted = SIGTERM;
}

void cli_do_inputs(cli_run *run, cli_input_fn do_input, void *work)
{
    if (!cli_is_helper())
        cli_write_rows(run);
    if (is_ended(run))
        return;
    size_t first = run->writing.n_finished, n_left = run->n_inputs - first;
    int n_threads = rug_context_threads(run->ctx);
    size_t n_workers = n_left < (size_t)n_threads ? n_left : (size_t)n_threads;
    cli_batch batch = {.whole = run,
                       .model = *run,
                       .do_input = do_input,
                       .work = work,
                       .n_workers = (int)n_workers,
                       .n_threads = n_threads,
                       .others = find_others(run),
                       .next = first,
                       .turn = first,
                       .n_slots = AHEAD * n_workers};
    batch.model.batch = &batch;
    batch.model.failures = NULL;
    batch.model.n_failures = batch.model.n_told = 0;
    batch.model.warnings = NULL;
    batch.model.n_warnings = 0;
    batch.model.page = 0;
    batch.model.n_pages = 1;
    if (cli_is_helper()) {
        help(run, &batch);
        return;
    }
    if (n_left < 2)
        batch.others = NULL;
    if (batch.others != NULL)
        batch.n_slots *= (size_t)batch.others->size;
    if (run->parts != NULL && run->parts->is_team) {
        cli_order order = make_order(run, first, 0);
        cli_give_order(&order);
    }
    int is_alone = is_one_by_one(run) || (n_workers < 2 && batch.others == NULL);
    if (is_alone || !do_side_by_side(&batch))
        do_one_by_one(run, do_input, work);
}
