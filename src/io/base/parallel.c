/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parallel loops over pieces that may fail. After a failure only pieces behind it are left out: which
 * failure is the first does not depend on the threads. */

#include "parallel.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

/* What the threads of one loop share. */
typedef struct loop {
    rugi_piece_fn fn;
    void *shared;
    atomic_size_t end;    /* no piece from here on is begun */
    pthread_mutex_t lock; /* of what follows */
    size_t failed;        /* the first piece that failed */
    rug_status status;    /* of that piece */
    char text[RUGI_PIECE_TEXT];
} loop;

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

static void do_piece(void *user, size_t piece, int thread)
{
    loop *l = user;
    char text[RUGI_PIECE_TEXT] = "";
    if (piece >= atomic_load(&l->end))
        return;
    rug_status status = l->fn(l->shared, piece, thread, text);
    if (status != RUG_OK)
        stop_at(l, piece, status, text);
}

rug_status rugi_for_pieces(rug_context *ctx, size_t n_pieces, rugi_piece_fn fn,
                           void *shared)
{
    loop l = {.fn = fn,
              .shared = shared,
              .lock = PTHREAD_MUTEX_INITIALIZER,
              .failed = SIZE_MAX,
              .status = RUG_OK};
    atomic_store(&l.end, n_pieces);
    rug_status status = rugi_parallel_for(ctx, n_pieces, do_piece, &l);
    if (status == RUG_OK && l.status != RUG_OK)
        status = rug_context_fail(ctx, l.status, "%s", l.text);
    return status;
}
