/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The single-thread leaves of box counting on the CPU: `ref` in portable C, the others with the
 * instructions of their level. All give the same counts. */

#ifndef RUGI_BOXCOUNT_KERNELS_H
#define RUGI_BOXCOUNT_KERNELS_H

#include "boxcount_plan.h"
#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** Lanes of a tally, so that a vector of counters can be added without folding it. */
#define RUGI_TALLY_LANES 8

/** Counters of one thread for levels 0..6; each is the sum of its lanes. Level 0 has no `black`:
 *  a nonempty cell is black. */
typedef struct rugi_boxcount_tally {
    uint64_t nonempty[RUGI_BLOCK_LEVEL + 1][RUGI_TALLY_LANES];
    uint64_t black[RUGI_BLOCK_LEVEL + 1][RUGI_TALLY_LANES];
} rugi_boxcount_tally;

/** Which of the rows of one row of boxes a call brings: two in 2D, two of two slices in 3D. */
typedef enum rugi_row_mode { RUGI_ROW_FIRST, RUGI_ROW_MIDDLE, RUGI_ROW_LAST } rugi_row_mode;

/** Counts a row of n contiguous cells and joins it to level 1. In `boxes` each box of 2^level cells
 *  has two bits: "any" of its cells is set, and "all" are; a word holds the boxes of 64 cells along
 *  x. Cells behind the n-th are background.
 *  @param boxes  ceil(n / 64) words: written by the first row, joined by the others; complete, and
 *                counted, with the last */
typedef void (*rugi_row_fn)(uint64_t *boxes, const void *cells, size_t n,
                            const rugi_predicate *predicate, rugi_row_mode mode,
                            rugi_boxcount_tally *tally);

/** Joins boxes of level - 1 to n words of boxes of `level`, and counts these: boxes[i] of near[i],
 *  near[i + half] and, in 3D, far[i], far[i + half].
 *  @param far  NULL in 2D */
typedef void (*rugi_join_fn)(uint64_t *boxes, const uint64_t *near, const uint64_t *far,
                             size_t half, size_t n, int level, rugi_boxcount_tally *tally);

/** One set of leaves. A set may order the bits of a word as it likes, as long as the "any" of a
 *  block's one box of the last level is bit 0. */
typedef struct rugi_boxcount_leaf {
    const char *name; /**< of the engine in results */
    rugi_row_fn row[RUG_N_DTYPES];
    rugi_join_fn join;
    int all_bit; /**< where the "all" of the last level is */
} rugi_boxcount_leaf;

void rugi_boxcount_leaf_ref(rugi_boxcount_leaf *leaf);
void rugi_boxcount_leaf_avx2(rugi_boxcount_leaf *leaf);
void rugi_boxcount_leaf_avx512(rugi_boxcount_leaf *leaf);

#endif
