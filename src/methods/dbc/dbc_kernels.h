/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of differential box counting: rows of keys joined two by two along each axis,
 * and counted. */

#ifndef RUGI_DBC_KERNELS_H
#define RUGI_DBC_KERNELS_H

#include "core/context/levels.h"
#include "dbc_plan.h"

/** The count of a size, in a class of blocks. Each block that holds a pixel has one box that meets the surface,
 *  and so many beyond it. */
typedef struct rugi_dbc_tally {
    uint64_t blocks;
    rugi_dbc_u128 beyond;
} rugi_dbc_tally;

/** Those of all levels and classes. */
typedef struct rugi_dbc_tallies {
    rugi_dbc_tally at[RUGI_DBC_BLOCK_LEVEL + 1][RUGI_DBC_CLASSES];
} rugi_dbc_tallies;

static inline void rugi_dbc_add_tallies(rugi_dbc_tallies *to,
                                        const rugi_dbc_tallies *from)
{
    for (int m = 1; m <= RUGI_DBC_BLOCK_LEVEL; m++)
        for (int c = 0; c < RUGI_DBC_CLASSES; c++) {
            to->at[m][c].blocks += from->at[m][c].blocks;
            to->at[m][c].beyond += from->at[m][c].beyond;
        }
}

/** A row of blocks: the least and the largest key of each. Of pixels both may be the same
 *  memory. */
typedef struct rugi_dbc_row {
    const void *lo, *hi;
} rugi_dbc_row;

/** One level's step up to the next. */
typedef struct rugi_dbc_step {
    const rugi_dbc_plan *plan;
    uint32_t level; /* of the blocks that are made */
    /* bytes from a row to the one that is joined next, for prefetching */
    ptrdiff_t ahead;
    rugi_dbc_tally *tally; /* of that level and the row's class; added to */
} rugi_dbc_step;

/** Joins rows, and neighbours in each row, to one row of blocks of the next level, and counts
 *  these.
 *  @param n_rows  2 (the two rows of a block) or 4 (with those of the next slice)
 *  @param n       blocks of each row; (n + 1) / 2 are made
 *  @param lo, hi  the row that is made */
typedef void (*rugi_dbc_join_fn)(const rugi_dbc_row *rows, int n_rows, size_t n, void *lo,
                                 void *hi, const rugi_dbc_step *step);

/** Widens a range by n pixels, at least 1.
 *  @param range  with infinite ends where there are no floats yet
 *  @param dtype  of rugi_segment_dtype() */
typedef void (*rugi_dbc_range_fn)(rugi_dbc_range *range, rug_dtype dtype,
                                  const void *pixels, size_t n);

/** One set of kernels. */
typedef struct rugi_dbc_kernels {
    const char *name;         /* of the engine in results */
    rugi_dbc_join_fn join[9]; /* [bytes of a key] */
    rugi_dbc_range_fn widen_range;
} rugi_dbc_kernels;

RUGI_KERNEL_LEVELS(rugi_dbc_set_kernels, rugi_dbc_kernels)

#endif
