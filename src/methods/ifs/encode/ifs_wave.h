/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Roots in an order that threads can share: each needs those to the left and above, and rows of
 * roots follow each other RUGI_IFS_WAVE_LAG apart, so that threads work on as many rows as there
 * are. */

#ifndef RUGI_IFS_WAVE_H
#define RUGI_IFS_WAVE_H

#include "core/context/threads.h"
#include <stdatomic.h>
#include <stdint.h>

/** Roots by which a row follows the one above. */
#define RUGI_IFS_WAVE_LAG 2

/** How far a row is, on a cache line of its own. */
typedef struct rugi_ifs_wave_row {
    RUGI_OWN_LINES atomic_uint
        state; /* 2 * roots that are done, 1 while one is at work */
} rugi_ifs_wave_row;

typedef struct rugi_ifs_wave {
    uint32_t n_columns, n_rows; /* of roots */
    rugi_ifs_wave_row *rows;    /* [n_rows] */
} rugi_ifs_wave;

/** @param wave  n_columns and n_rows are given
 *  @return RUG_OK, RUG_E_NOMEM; either way rugi_ifs_wave_end() */
rug_status rugi_ifs_wave_begin(rug_context *ctx, rugi_ifs_wave *wave);
void rugi_ifs_wave_end(rug_context *ctx, rugi_ifs_wave *wave);

/** Waits for a root that may be decided, and takes it: the next one of the first row where that can
 *  be. There are as many takes as roots; roots that are not taken by now become free when others are
 *  done, so waiting ends. */
void rugi_ifs_wave_take(rugi_ifs_wave *wave, uint32_t *column, uint32_t *row);

/** Says that a root is done. */
static inline void rugi_ifs_wave_done(rugi_ifs_wave *wave, uint32_t column, uint32_t row)
{
    atomic_store_explicit(&wave->rows[row].state, 2 * (column + 1), memory_order_release);
}

/** Whether all roots of a row are done; then what was made of them is there for this thread. */
static inline int rugi_ifs_wave_is_done(const rugi_ifs_wave *wave, uint32_t row)
{
    unsigned state = atomic_load_explicit(&wave->rows[row].state, memory_order_acquire);
    return state == 2 * wave->n_columns;
}

/** Whether a root is the last one that the row below waits for before its first. */
static inline int rugi_ifs_wave_begins_row(const rugi_ifs_wave *wave, uint32_t column,
                                           uint32_t row)
{
    uint32_t n =
        RUGI_IFS_WAVE_LAG < wave->n_columns ? RUGI_IFS_WAVE_LAG : wave->n_columns;
    return column + 1 == n && row + 1 < wave->n_rows;
}

/** Memory for `more` items behind n of a list that grows, at least `least` at once. Threads call it,
 *  so a failure leaves no message.
 *  @return the items, perhaps elsewhere; NULL where there is no memory, and the list is as it was */
void *rugi_ifs_reserve(rug_context *ctx, void *items, size_t n, size_t more, size_t least,
                       size_t *capacity, size_t size);

#endif
