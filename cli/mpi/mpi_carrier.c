/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The carrier by MPI. One call at a time is made, by whichever thread, and none waits for long for
 * what another process does: who waits for a message looks for it now and then, and leaves the
 * processor to others. Errors end the job, as MPI does by itself. */

#include "team/carrier.h"
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#define PIECE ((size_t)1 << 30) /* bytes of a message, which MPI counts by int */

__attribute__((visibility("default"))) cli_carrier_begin_fn rugose_carrier_begin;

static pthread_mutex_t calling = PTHREAD_MUTEX_INITIALIZER;
static MPI_Win window; /* the counters, of process 0 */
static uint64_t *counters;

static uint64_t count(int counter, uint64_t n)
{
    uint64_t before = 0;
    pthread_mutex_lock(&calling);
    MPI_Fetch_and_op(&n, &before, MPI_UINT64_T, 0, counter, MPI_SUM, window);
    MPI_Win_flush(0, window);
    pthread_mutex_unlock(&calling);
    return before;
}

/* First the number of bytes, then these. */
static void send_bytes(int to, int kind, const void *bytes, size_t n)
{
    uint64_t size = n;
    pthread_mutex_lock(&calling);
    MPI_Send(&size, 1, MPI_UINT64_T, to, kind, MPI_COMM_WORLD);
    for (size_t at = 0; at < n; at += PIECE) {
        size_t piece = n - at < PIECE ? n - at : PIECE;
        MPI_Send((const char *)bytes + at, (int)piece, MPI_BYTE, to, kind,
                 MPI_COMM_WORLD);
    }
    pthread_mutex_unlock(&calling);
}

static int receive(int from, int *kind, void **bytes, size_t *n)
{
    int is_there = 0;
    uint64_t size = 0;
    MPI_Status found = {.MPI_SOURCE = -1};
    *bytes = NULL;
    *n = 0;
    pthread_mutex_lock(&calling);
    MPI_Iprobe(from < 0 ? MPI_ANY_SOURCE : from, *kind < 0 ? MPI_ANY_TAG : *kind,
               MPI_COMM_WORLD, &is_there, &found);
    if (is_there) {
        *kind = found.MPI_TAG;
        MPI_Recv(&size, 1, MPI_UINT64_T, found.MPI_SOURCE, found.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        *n = (size_t)size;
        *bytes = size > 0 ? malloc(*n) : NULL;
        if (size > 0 && *bytes == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (size_t at = 0; at < *n; at += PIECE) {
        size_t piece = *n - at < PIECE ? *n - at : PIECE;
        MPI_Recv((char *)*bytes + at, (int)piece, MPI_BYTE, found.MPI_SOURCE,
                 found.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    pthread_mutex_unlock(&calling);
    return is_there ? found.MPI_SOURCE : -1;
}

static void end_all(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

static void end(void)
{
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
}

const cli_carrier *rugose_carrier_begin(void)
{
    static cli_carrier carrier = {.count = count,
                                  .send = send_bytes,
                                  .receive = receive,
                                  .abort = end_all,
                                  .end = end};
    int level;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_SERIALIZED)
        return NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &carrier.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &carrier.size);
    MPI_Aint n_bytes =
        carrier.rank == 0 ? CLI_N_COUNTERS * (MPI_Aint)sizeof *counters : 0;
    MPI_Win_allocate(n_bytes, sizeof *counters, MPI_INFO_NULL, MPI_COMM_WORLD, &counters,
                     &window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    if (carrier.rank == 0)
        for (int i = 0; i < CLI_N_COUNTERS; i++)
            counters[i] = 0;
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    return &carrier;
}
