/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What carries bytes between the processes of a job: the functions of the module rugose-mpi.so, which
 * alone knows MPI. */

#ifndef CLI_CARRIER_H
#define CLI_CARRIER_H

#include <stddef.h>
#include <stdint.h>

/** Counters that all processes share; all 0 at first. */
enum { CLI_COUNTER_NEXT, CLI_COUNTER_TURN, CLI_N_COUNTERS };

/** Any thread may call these functions. What fails ends the job, with a message. */
typedef struct cli_carrier {
    int rank,
        size; /**< of the processes the number of this one, from 0 on, and how many */

    /** Adds to a counter. @return its value before */
    uint64_t (*count)(int counter, uint64_t n);

    /** Sends bytes; comes back when they may be changed. */
    void (*send)(int to, int kind, const void *bytes, size_t n);

    /** Takes a message if there is one.
     *  @param from   its sender, or -1: any
     *  @param kind   of it, or -1: any; set to that of the message
     *  @param bytes  to free with free(); NULL where there are none
     *  @return its sender, or -1: there is none yet */
    int (*receive)(int from, int *kind, void **bytes, size_t *n);

    /** Ends all processes. */
    void (*abort)(int status);

    /** The last call, of all processes. */
    void (*end)(void);
} cli_carrier;

/** The function of the module, by its name.
 *  @return NULL: MPI cannot be started, which it has told */
#define CLI_CARRIER_BEGIN "rugose_carrier_begin"
typedef const cli_carrier *cli_carrier_begin_fn(void);

#endif
