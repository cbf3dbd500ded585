/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a CPU level does for slices of alpha: pixels become numbers of slices, and sets of
 * slices become those of boxes twice as long and are counted.
 *
 * A set of 64 slices is a word; more slices need several sets. All bits of a word are
 * counted at once by adders of one bit: three words of the same weight become one of
 * that weight and one of twice that weight (Harley and Seal), so that a word costs one
 * adder whatever the number of slices. */

#ifndef RUGI_ALPHA_SLICE_KERNELS_H
#define RUGI_ALPHA_SLICE_KERNELS_H

#include "core/context/levels.h"
#include <rugose/multifractal_alpha.h>
#include <stddef.h>
#include <stdint.h>

/** Stands for no slice. */
#define RUGI_ALPHA_NO_SLICE UINT16_MAX

typedef struct rugi_alpha_cut {
    uint32_t n; /* slices */
    /* Ascending; slice i: edge[i] <= alpha < edge[i + 1], the last one with its upper
     * edge. */
    double edge[RUG_ALPHA_MAX_SLICES + 1];
    /* The same for single precision, without the exception: slice i is least[i] <= alpha
     * < least[i + 1]. */
    float least[RUG_ALPHA_MAX_SLICES + 1];
    /* Slices are of equal width: with t = (alpha - least[0]) * scale, rounded twice, the
     * slice is between the whole parts of t - slack and t + slack, which are the same
     * except near edges. */
    float scale, slack;
    int has_guess; /* 0: slices are too narrow for that */
} rugi_alpha_cut;

/** The slice of an alpha by halving, or RUGI_ALPHA_NO_SLICE. */
uint16_t rugi_alpha_cut_find(const rugi_alpha_cut *cut, float alpha);

/** Words of the widest vector; rows have a multiple of twice as many. */
#define RUGI_ALPHA_LANES 8

/** Vectors that are counted at once, and log2 of that. */
#define RUGI_ALPHA_GROUP      16
#define RUGI_ALPHA_GROUP_BITS 4

/** Bits of a counter before it must be emptied. */
#define RUGI_ALPHA_COUNTER_BITS 20

/** How often each of 64 bits was set in the words that were counted. */
typedef struct rugi_alpha_counter {
    /* Bit p of the counts, lane by lane; and a carry to bit p that waits for a second
     * one, where bit p - RUGI_ALPHA_GROUP_BITS of n_groups is set. */
    uint64_t plane[RUGI_ALPHA_COUNTER_BITS][RUGI_ALPHA_LANES];
    uint64_t carry[RUGI_ALPHA_COUNTER_BITS][RUGI_ALPHA_LANES];
    uint32_t n_groups;
    uint64_t total[64]; /* of what was emptied */
} rugi_alpha_counter;

/** Moves all that was counted to the totals. */
void rugi_alpha_counter_empty(rugi_alpha_counter *counter);

/** The least and the largest finite alpha; least > largest: none. */
typedef struct rugi_alpha_extremes {
    float least, largest;
} rugi_alpha_extremes;

/** What a CPU level has. */
typedef struct rugi_alpha_slice_kernels {
    const char *name; /* "cpu-avx512"; static text */
    /** Widens the extremes by n alphas. */
    void (*extremes)(rugi_alpha_extremes *e, const float *alpha, size_t n);
    /** The slices of n alphas, or RUGI_ALPHA_NO_SLICE.
     *  @param next  the n alphas of the next call, which are prefetched
     *  @return how many are NaN or infinite */
    size_t (*find)(uint16_t *slice, const float *alpha, const float *next, size_t n,
                   const rugi_alpha_cut *cut);
    /** Sets of boxes of side 2 of two rows of n pixels, of the slices first, first + 1 …
     *  first + 63; the sets of pixels are counted.
     *  @param sets  [n / 2]
     *  @param add   1: add to the sets that are there */
    void (*pixels)(uint64_t *sets, const uint16_t *a, const uint16_t *b, size_t n,
                   uint32_t first, int add, rugi_alpha_counter *counter);
    /** Sets of boxes twice as long of two rows of n boxes, which are counted. */
    void (*boxes)(uint64_t *sets, const uint64_t *a, const uint64_t *b, size_t n, int add,
                  rugi_alpha_counter *counter);
} rugi_alpha_slice_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_alpha_set_slice_kernels, rugi_alpha_slice_kernels)

#endif
