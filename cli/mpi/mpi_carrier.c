/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The carrier by MPI. One call at a time is made, by whichever thread, and none waits for long for
 * what another process does: who waits for a message looks for it now and then, and leaves the
 * processor to others. Errors end the job, as MPI does by itself.
 *
 * Counters are in a window of process 0. Not every network has such windows (Open MPI of Debian has none
 * over TCP); without one process 0 is asked, and answers whenever it looks for messages. */

#include "team/carrier.h"
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define PIECE  ((size_t)1 << 30) /* bytes of a message, which MPI counts by int */
#define NAP_NS 50000

__attribute__((visibility("default"))) cli_carrier_begin_fn rugose_carrier_begin;

static pthread_mutex_t calling = PTHREAD_MUTEX_INITIALIZER;
static MPI_Win window = MPI_WIN_NULL; /* the counters, of process 0 */
static uint64_t *counters;

/* Without a window. */
enum { QUESTION, ANSWER };
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm answers; /* questions and answers alone */
static uint64_t own_counters[CLI_N_COUNTERS];
static int rank;

static uint64_t add(int counter, uint64_t n)
{
    uint64_t before = own_counters[counter];
    own_counters[counter] += n;
    return before;
}

/* Answers all questions that have come. */
static void answer(void)
{
    int is_there = 1;
    uint64_t question[2];
    MPI_Status found;
    while (is_there) {
        MPI_Iprobe(MPI_ANY_SOURCE, QUESTION, answers, &is_there, &found);
        if (!is_there)
            return;
        MPI_Recv(question, 2, MPI_UINT64_T, found.MPI_SOURCE, QUESTION, answers,
                 MPI_STATUS_IGNORE);
        uint64_t before = add((int)question[0], question[1]);
        MPI_Send(&before, 1, MPI_UINT64_T, found.MPI_SOURCE, ANSWER, answers);
    }
}

/* Asks process 0, one thread at a time. */
static uint64_t ask(int counter, uint64_t n)
{
    const struct timespec nap = {.tv_nsec = NAP_NS};
    const uint64_t question[2] = {(uint64_t)counter, n};
    uint64_t before = 0;
    int is_there = 0;
    pthread_mutex_lock(&asking);
    pthread_mutex_lock(&calling);
    MPI_Send(question, 2, MPI_UINT64_T, 0, QUESTION, answers);
    for (;;) {
        MPI_Iprobe(0, ANSWER, answers, &is_there, MPI_STATUS_IGNORE);
        if (is_there)
            break;
        pthread_mutex_unlock(&calling);
        nanosleep(&nap, NULL);
        pthread_mutex_lock(&calling);
    }
    MPI_Recv(&before, 1, MPI_UINT64_T, 0, ANSWER, answers, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&calling);
    pthread_mutex_unlock(&asking);
    return before;
}

static uint64_t count(int counter, uint64_t n)
{
    uint64_t before = 0;
    if (window == MPI_WIN_NULL && rank > 0)
        return ask(counter, n);
    pthread_mutex_lock(&calling);
    if (window == MPI_WIN_NULL) {
        before = add(counter, n);
    } else {
        MPI_Fetch_and_op(&n, &before, MPI_UINT64_T, 0, counter, MPI_SUM, window);
        MPI_Win_flush(0, window);
    }
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
    if (window == MPI_WIN_NULL && rank == 0)
        answer();
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
    if (window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(window);
        MPI_Win_free(&window);
    }
    MPI_Finalize();
}

/* Makes the window, if all processes can. */
static void make_window(void)
{
    MPI_Aint n_bytes = rank == 0 ? CLI_N_COUNTERS * (MPI_Aint)sizeof *counters : 0;
    int are_all = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int is_made = MPI_Win_allocate(n_bytes, sizeof *counters, MPI_INFO_NULL,
                                   MPI_COMM_WORLD, &counters, &window) == MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Allreduce(&is_made, &are_all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!are_all) {
        window = MPI_WIN_NULL;
        return;
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    for (int i = 0; i < CLI_N_COUNTERS && rank == 0; i++)
        counters[i] = 0;
    MPI_Win_sync(window);
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
    rank = carrier.rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &answers);
    make_window();
    MPI_Barrier(MPI_COMM_WORLD);
    return &carrier;
}
