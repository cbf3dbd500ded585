/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of differential box counting: rows of keys joined two by two along each axis,
 * and counted. */

#ifndef RUGI_DBC_KERNELS_H
#define RUGI_DBC_KERNELS_H

#include "core/context/levels.h"
#include "dbc_plan.h"

/** Blocks that were counted. */
typedef struct rugi_dbc_tally {
    uint64_t blocks; /* that hold a pixel */
    rugi_dbc_u128
        beyond; /* boxes that meet the surface, beyond the first of each block */
} rugi_dbc_tally;

/** A row of blocks: the least and the largest key of each. Of pixels they may be the same. */
typedef struct rugi_dbc_row {
    const void *lo, *hi;
} rugi_dbc_row;

/** What is counted. */
typedef struct rugi_dbc_step {
    const rugi_dbc_plan *plan;
    uint32_t level;  /* of the blocks that are made */
    ptrdiff_t ahead; /* bytes from a row to that which is joined next, for prefetching */
    rugi_dbc_tally *tally;
} rugi_dbc_step;

/** Joins rows, and neighbours in them, to a row of blocks of the next level.
 *  @param n_rows  2 or 4
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

/** The number of vectors whose differences of 8 bits a lane of 16 bits can add up. */
#define RUGI_DBC_FLUSH 256

/** Joins one by one from block `first` of the row that is made. */
#define RUGI_DBC_DEFINE_JOIN(name, type)                                              \
    static inline void name(const rugi_dbc_row *rows, int n_rows, size_t n, void *lo, \
                            void *hi, const rugi_dbc_step *step, size_t first)        \
    {                                                                                 \
        uint64_t blocks = 0;                                                          \
        rugi_dbc_u128 beyond = 0;                                                     \
        for (size_t i = first; 2 * i < n; i++) {                                      \
            size_t a = 2 * i, b = a + 1 < n ? a + 1 : a;                              \
            type least = (type)-1, largest = 0;                                       \
            for (int k = 0; k < n_rows; k++) {                                        \
                const type *l = rows[k].lo, *h = rows[k].hi;                          \
                type u = l[a] < l[b] ? l[a] : l[b], v = h[a] > h[b] ? h[a] : h[b];    \
                least = u < least ? u : least;                                        \
                largest = v > largest ? v : largest;                                  \
            }                                                                         \
            ((type *)lo)[i] = least;                                                  \
            ((type *)hi)[i] = largest;                                                \
            if (least > largest)                                                      \
                continue;                                                             \
            blocks++;                                                                 \
            beyond += rugi_dbc_box(step->plan, step->level, largest) -                \
                      rugi_dbc_box(step->plan, step->level, least);                   \
        }                                                                             \
        step->tally->blocks += blocks;                                                \
        step->tally->beyond += beyond;                                                \
    }

#endif
