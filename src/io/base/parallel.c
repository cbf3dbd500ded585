/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parallel loops over OpenMP. Pieces are handed out in their order, so that all before one that
 * failed have begun: which failure is the first does not depend on the threads. */

#include "parallel.h"
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

/* What the threads of one loop share. */
typedef struct loop {
    rug_context *ctx; /* the calling thread's */
    size_t n_pieces;
    rugi_piece_fn fn;
    void *shared;
    atomic_size_t next;   /* the piece that is begun next */
    atomic_size_t n_done; /* pieces */
    atomic_size_t end;    /* no piece from here on is begun */
    pthread_mutex_t lock; /* of what follows */
    size_t failed;        /* the first piece that failed */
    rug_status status;    /* of that piece */
    char text[RUGI_PIECE_TEXT];
} loop;

int rugi_piece_threads(const rug_context *ctx, size_t n_pieces)
{
    int n = rug_context_threads(ctx);
    if (n_pieces < (size_t)n)
        n = n_pieces > 0 ? (int)n_pieces : 1;
    return n;
}

static void stop_at(loop *l, size_t piece, rug_status status, const char *text)
{
    pthread_mutex_lock(&l->lock);
    if (piece < l->failed) {
        l->failed = piece;
        l->status = status;
        snprintf(l->text, sizeof l->text, "%s", text);
        atomic_store(&l->end, piece);
    }
    pthread_mutex_unlock(&l->lock);
}

/* One thread's share of the loop. To be cancelled is to fail before the first piece. */
static void run(loop *l, int thread)
{
    char text[RUGI_PIECE_TEXT];
    for (;;) {
        size_t piece = atomic_fetch_add(&l->next, 1);
        if (piece >= atomic_load(&l->end))
            return;
        text[0] = '\0';
        rug_status status = l->fn(l->shared, piece, thread, text);
        if (status != RUG_OK)
            stop_at(l, piece, status, text);
        size_t n_done = atomic_fetch_add(&l->n_done, 1) + 1;
        if (thread != 0)
            continue;
        status = rug_context_step(l->ctx, (double)n_done / (double)l->n_pieces);
        if (status != RUG_OK)
            stop_at(l, 0, status, rug_context_error(l->ctx));
    }
}

rug_status rugi_for_pieces(rug_context *ctx, size_t n_pieces, rugi_piece_fn fn,
                           void *shared)
{
    loop l = {.ctx = ctx,
              .n_pieces = n_pieces,
              .fn = fn,
              .shared = shared,
              .lock = PTHREAD_MUTEX_INITIALIZER,
              .failed = SIZE_MAX,
              .status = RUG_OK};
    int n_threads = rugi_piece_threads(ctx, n_pieces);
    atomic_store(&l.end, n_pieces);
    if (n_threads == 1)
        run(&l, 0);
    else {
#pragma omp parallel num_threads(n_threads)
        run(&l, omp_get_thread_num());
    }
    if (l.status != RUG_OK)
        return rug_context_fail(ctx, l.status, "%s", l.text);
    return rug_context_step(ctx, 1);
}
