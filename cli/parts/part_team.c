/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One image by all processes. States go up a binary tree to process 0: in round r process p sends to
 * p - 2^r, or merges what p + 2^r sends; what all need goes down the same way.
 *
 * A message says for which step of which image it is. A process that failed sends one for the last step, so
 * that whoever waits for an earlier one knows that it does not come. */

#include "part_team.h"
#include "part_words.h"
#include "part_work.h"
#include "team/team.h"
#include <stdlib.h>
#include <string.h>

#define WAIT_US 200

/* Which step a message belongs to, in this order. */
typedef struct place {
    uint64_t input, page, step;
} place;

typedef struct head {
    place place;
    int64_t status; /* of the process that sends, a rug_status */
    uint64_t n_text, n_bytes;
} head;

/* A message: a head, an error text, a state. */
typedef struct message {
    void *block; /* owned; NULL: none */
    head head;
    const char *text;
    const uint8_t *bytes;
} message;

typedef struct team_parts {
    cli_parts parts;
    place at;
    int is_begun;      /* others may wait for this process */
    message waiting[]; /* of each process, the next one */
} team_parts;

static team_parts *team_of(const cli_run *run)
{
    return run->parts->user;
}

static int compare(const place *a, const place *b)
{
    if (a->input != b->input)
        return a->input < b->input ? -1 : 1;
    if (a->page != b->page)
        return a->page < b->page ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

/* ---- Messages ---- */

static void send_message(int to, const place *at, rug_status status, const char *text,
                         const uint8_t *bytes, size_t n)
{
    const cli_carrier *carrier = cli_own_team.carrier;
    head h = {.place = *at, .status = status, .n_text = strlen(text) + 1, .n_bytes = n};
    char *block = malloc(sizeof h + h.n_text + n);
    if (block == NULL) {
        carrier->abort(CLI_FAILED);
        return;
    }
    memcpy(block, &h, sizeof h);
    memcpy(block + sizeof h, text, h.n_text);
    if (n > 0)
        memcpy(block + sizeof h + h.n_text, bytes, n);
    carrier->send(to, CLI_STATE, block, sizeof h + h.n_text + n);
    free(block);
}

/* Looks for the next message of a process. @return whether there is one */
static int look(message *m, int from)
{
    int kind = CLI_STATE;
    size_t n;
    if (m->block != NULL)
        return 1;
    if (cli_own_team.carrier->receive(from, &kind, &m->block, &n) < 0)
        return 0;
    memcpy(&m->head, m->block, sizeof m->head);
    m->text = (const char *)m->block + sizeof m->head;
    m->bytes = (const uint8_t *)m->text + m->head.n_text;
    return 1;
}

static void drop(message *m)
{
    free(m->block);
    m->block = NULL;
}

/* Whether to go on waiting: the run was stopped, by a signal or by process 0. */
static rug_status wait(cli_run *run)
{
    cli_order order;
    if (cli_is_helper() && cli_take_order(&order))
        return rug_context_fail(run->ctx, RUG_E_CANCELLED, "cancelled");
    cli_doze(WAIT_US);
    return rug_context_step(run->ctx, 0);
}

/* Waits for what a process sends for this step; what is of earlier ones comes too late.
 * @param out  to be dropped */
static rug_status receive(cli_run *run, message **out, int from)
{
    team_parts *team = team_of(run);
    message *m = &team->waiting[from];
    int order = -1;
    *out = m;
    while (order < 0) {
        if (look(m, from)) {
            order = compare(&m->head.place, &team->at);
            if (order < 0)
                drop(m);
            continue;
        }
        rug_status status = wait(run);
        if (status != RUG_OK)
            return status;
    }
    rug_status status = (rug_status)m->head.status;
    if (order > 0)
        return rug_context_fail(run->ctx, RUG_E_IO, "process %d did not measure it: %s",
                                from, m->text);
    return status == RUG_OK ? RUG_OK : rug_context_fail(run->ctx, status, "%s", m->text);
}

/* ---- Up and down the tree ---- */

/* Merges what a process sends. */
static rug_status merge_from(cli_run *run, const cli_state_kind *kind, void *state,
                             int from)
{
    message *m;
    void *other = NULL;
    rug_status status = receive(run, &m, from);
    if (status == RUG_OK && state != NULL) {
        status = kind->load(run->ctx, &other, m->bytes, m->head.n_bytes);
        if (status == RUG_OK)
            status = kind->merge(run->ctx, state, other);
        if (other != NULL)
            kind->free(other);
    }
    if (m->block != NULL && compare(&m->head.place, &team_of(run)->at) == 0)
        drop(m);
    return status;
}

/* Sends a state, or why there is none. */
static rug_status send_to(cli_run *run, const cli_state_kind *kind, rug_status status,
                          const void *state, int to)
{
    uint8_t *bytes = NULL;
    size_t n = 0;
    if (status == RUG_OK)
        status = kind->save(run->ctx, &bytes, &n, state);
    send_message(to, &team_of(run)->at, status,
                 status != RUG_OK ? rug_context_error(run->ctx) : "", bytes, n);
    rug_context_release(run->ctx, bytes);
    return status;
}

/* The first failure counts. */
static void note(rug_status *status, rug_status other)
{
    if (*status == RUG_OK)
        *status = other;
}

/* @return the round in which this process sends; that of process 0 is behind the last */
static int go_up(cli_run *run, const cli_state_kind *kind, rug_status *status,
                 void *state)
{
    const int own = cli_own_team.carrier->rank, n = cli_own_team.carrier->size;
    int step = 1;
    for (; step < n && (own & step) == 0; step *= 2)
        if (own + step < n)
            note(status,
                 merge_from(run, kind, *status == RUG_OK ? state : NULL, own + step));
    if (own > 0)
        note(status, send_to(run, kind, *status, state, own - step));
    return step;
}

/* Replaces a state by that of process 0, and passes it on. */
static void go_down(cli_run *run, const cli_state_kind *kind, rug_status *status,
                    void **state, int step)
{
    const int own = cli_own_team.carrier->rank, n = cli_own_team.carrier->size;
    if (own > 0) {
        message *m;
        if (*state != NULL)
            kind->free(*state);
        *state = NULL;
        *status = receive(run, &m, own - step);
        if (*status == RUG_OK)
            *status = kind->load(run->ctx, state, m->bytes, m->head.n_bytes);
        if (m->block != NULL && compare(&m->head.place, &team_of(run)->at) == 0)
            drop(m);
    }
    for (step /= 2; step > 0; step /= 2)
        if (own + step < n)
            note(status, send_to(run, kind, *status, *state, own + step));
}

/* ---- What cli_parts does ---- */

static rug_status open_image(cli_run *run, cli_image *image)
{
    team_of(run)->is_begun = 1;
    return cli_open_in_parts(run, image);
}

static rug_status join(cli_run *run, const cli_image *image, const cli_state_kind *kind,
                       rug_status status, int for_all, void **state)
{
    team_parts *team = team_of(run);
    (void)image;
    if (team->at.input != run->input || team->at.page != (uint64_t)run->page)
        team->at = (place){run->input, (uint64_t)run->page, 0};
    team->at.step++;
    int step = go_up(run, kind, &status, *state);
    if (for_all)
        go_down(run, kind, &status, state, step);
    else if (cli_is_helper() && *state != NULL) {
        kind->free(*state);
        *state = NULL;
    }
    return status;
}

static void close_image(cli_run *run, cli_image *image, rug_status status)
{
    (void)run;
    (void)status;
    cli_close_in_parts(image);
}

/* Tells all that may wait for this process, which is behind a place then. */
static void tell(const place *at, rug_status status, const char *text)
{
    const int own = cli_own_team.carrier->rank, n = cli_own_team.carrier->size;
    int step = 1;
    for (; step < n && (own & step) == 0; step *= 2)
        if (own + step < n)
            send_message(own + step, at, status, text, NULL, 0);
    if (own > 0)
        send_message(own - step, at, status, text, NULL, 0);
}

static void fail(cli_run *run, const char *name, const char *text)
{
    const place at = {run->input, (uint64_t)run->page, UINT64_MAX};
    (void)name;
    team_of(run)->is_begun = 1;
    tell(&at, RUG_E_IO, text);
}

static void free_parts(cli_parts *parts)
{
    team_parts *team = parts->user;
    const place end = {UINT64_MAX, 0, 0};
    if (team->is_begun)
        tell(&end, RUG_E_IO, "it has ended");
    for (int i = 0; i < cli_own_team.carrier->size; i++)
        drop(&team->waiting[i]);
    free(team);
}

/* Whether an option needs the whole image. */
static int is_whole(const cli_run *run)
{
    for (size_t i = 0; i < run->words.n_given; i++) {
        const cli_option *o = run->words.given[i];
        if (strcmp(o->name, "resume") != 0 &&
            (cli_part_option_of(o) == CLI_OF_WHOLE ||
             (strcmp(o->name, "points") == 0 && o->kind == CLI_FLAG)))
            return 1;
    }
    return 0;
}

rug_status cli_begin_team_parts(cli_run *run)
{
    const cli_carrier *carrier = cli_own_team.carrier;
    if (carrier == NULL || run->n_inputs >= (size_t)carrier->size || is_whole(run) ||
        run->common.shard != NULL)
        return RUG_OK;
    team_parts *team =
        calloc(1, sizeof *team + (size_t)carrier->size * sizeof *team->waiting);
    if (team == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "out of memory");
    team->at.input = UINT64_MAX;
    team->parts = (cli_parts){.own = (uint32_t)carrier->rank,
                              .n = (uint32_t)carrier->size,
                              .is_team = 1,
                              .has_rows = carrier->rank == 0,
                              .open = open_image,
                              .join = join,
                              .close = close_image,
                              .fail = fail,
                              .free = free_parts,
                              .user = team};
    run->parts = &team->parts;
    return RUG_OK;
}
