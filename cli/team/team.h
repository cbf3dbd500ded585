/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The processes of one job, started together by mpirun or srun: process 0, which prints and writes all
 * tables, and its helpers. A process that is alone has no team.
 *
 * All of them read the same command line and go the same way to the inputs. Process 0 gives orders;
 * a helper does nothing without one, and what it prints leads nowhere. */

#ifndef CLI_TEAM_H
#define CLI_TEAM_H

#include "carrier.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/** Kinds of messages. */
enum {
    CLI_ORDER,  /**< to a helper: a cli_order */
    CLI_RESULT, /**< to process 0: what came of an input */
    CLI_STATE,  /**< what was found of a part of an image */
    CLI_DONE    /**< to process 0: the helper is done with the order; no bytes */
};

/** What helpers are to do. */
typedef struct cli_order {
    uint64_t is_work; /**< 0: it was the last order */
    uint64_t first, n_inputs, n_slots, hash;
} cli_order;

typedef struct cli_team {
    const cli_carrier *carrier; /**< NULL: this process is alone */
    FILE
        *err; /**< standard error, for a helper what it was before; NULL: there is none */
    int n_working; /**< helpers that are not done with their order; of process 0 */
    int is_over;   /**< the last order was given */
} cli_team;

/** That of this process. */
extern cli_team cli_own_team;

/** Whether another process prints and writes. */
static inline int cli_is_helper(void)
{
    return cli_own_team.carrier != NULL && cli_own_team.carrier->rank > 0;
}

/** Sleeps for so many microseconds, below a second. */
static inline void cli_doze(long microseconds)
{
    struct timespec t = {.tv_nsec = 1000 * microseconds};
    nanosleep(&t, NULL);
}

/** Joins the other processes, if there are any.
 *  @return NULL, or why it cannot be done, as a static text */
const char *cli_join_team(void);

/** Takes an order, if there is one. @return whether there is */
static inline int cli_take_order(cli_order *order)
{
    cli_team *team = &cli_own_team;
    int kind = CLI_ORDER;
    void *bytes;
    size_t n;
    if (team->carrier->receive(0, &kind, &bytes, &n) < 0)
        return 0;
    *order = *(const cli_order *)bytes;
    free(bytes);
    team->is_over = !order->is_work;
    return 1;
}

/** Gives an order to all helpers. */
static inline void cli_give_order(const cli_order *order)
{
    cli_team *team = &cli_own_team;
    for (int i = 1; i < team->carrier->size; i++)
        team->carrier->send(i, CLI_ORDER, order, sizeof *order);
    team->n_working += order->is_work ? team->carrier->size - 1 : 0;
}

/** Takes what came of an input, if anything came.
 *  @param bytes  to free. @return whether there is something */
static inline int cli_take_result(void **bytes, size_t *n)
{
    int kind = -1;
    if (cli_own_team.carrier->receive(-1, &kind, bytes, n) < 0)
        return 0;
    cli_own_team.n_working -= kind == CLI_DONE;
    if (kind == CLI_RESULT)
        return 1;
    free(*bytes);
    return 0;
}

/** Ends the work of the team. A helper waits for the last order.
 *  @return 0; -1: it was another one, and the team is not left */
int cli_leave_team(void);

#endif
