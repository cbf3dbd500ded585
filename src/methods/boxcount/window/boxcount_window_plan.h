/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What counting the boxes of one size needs to know, and its two ways: one grid, and all
 * positions of the grid.
 *
 * A box longer than an axis of n pixels holds the whole axis at all but n - 1 of its s
 * positions, and these count alike. So an axis has
 * `window` = min(s, n) positions; position 0 stands for the s - window + 1 shifts
 * 0 … s - window, position p > 0 for shift p + s - window.
 *
 * Boxes that are cubes in space, of pixels that are not, have a number of pixels of their own on
 * each axis, and where a side of the pixels does not divide that of the box, not all have as
 * many. They are counted on one grid only. */

#ifndef RUGI_BOXCOUNT_WINDOW_PLAN_H
#define RUGI_BOXCOUNT_WINDOW_PLAN_H

#include "boxcount/bits/boxcount_bits.h"
#include "boxcount_window_kernels.h"
#include <rugose/context.h>
#include <string.h>

/** Counting of one size. Axes are z y x; z is 1 pixel in 2D. */
typedef struct rugi_window_plan {
    const rugi_bits *pixels;
    rugi_window_kernels kernels;
    uint64_t size;
    size_t window[3]; /**< min(size, pixels), and so the number of positions; where boxes
                             have one pixel more or less, the larger number */
    uint64_t step[3], per[3]; /**< box b of the grid at the origin begins at pixel
                                   ceil(b * step / per); per is 1 for equal boxes */
    int can_be_black;         /**< the image is as large as the box */
    size_t n_words;           /**< of a row that hold pixels */
    size_t pitch;       /**< words of a row that hold the ends of its boxes, which lie up
                            to window - 1 pixels after the last pixel */
    size_t reach;       /**< rugi_window_reach() along x */
    size_t slice_words; /**< from slice to slice */
} rugi_window_plan;

/** Counts of all positions. A sum of class c is over the positions whose axis a is at
 *  position 0 just where bit a of c is set. */
typedef struct rugi_window_sums {
    uint64_t least, most; /**< nonempty boxes */
    size_t best[3];       /**< the first position with the least */
    uint64_t nonempty[8];
    uint64_t black; /**< over all positions */
} rugi_window_sums;

/** Begins without a position. */
static inline void rugi_window_sums_start(rugi_window_sums *sums)
{
    *sums =
        (rugi_window_sums){.least = UINT64_MAX, .best = {SIZE_MAX, SIZE_MAX, SIZE_MAX}};
}

/** Notes the boxes of the n positions along x at position z y. fold[e] counts the boxes
 *  that end at pixel e of every window, which is position n - 1 - e. */
void rugi_window_sums_note(rugi_window_sums *sums, const uint64_t *fold, size_t n,
                           size_t z, size_t y);

/** A position at z y changes least or most if its boxes are below this or above
 *  sums->most. */
static inline uint64_t rugi_window_sums_limit(const rugi_window_sums *sums, size_t z,
                                              size_t y)
{
    int is_tie_news = sums->least < UINT64_MAX &&
                      (z < sums->best[0] || (z == sums->best[0] && y < sums->best[1]));
    return sums->least + (is_tie_news ? 1 : 0);
}

/** Whether a position comes before another one. */
static inline int rugi_is_before(const size_t a[3], const size_t b[3])
{
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i])
            return a[i] < b[i];
    return 0;
}

/** Notes a count that may be the least, and where. */
static inline void rugi_window_sums_least(rugi_window_sums *sums, uint64_t n,
                                          const size_t position[3])
{
    if (n > sums->least || (n == sums->least && !rugi_is_before(position, sums->best)))
        return;
    sums->least = n;
    memcpy(sums->best, position, sizeof sums->best);
}

/** Notes boxes of positions at z y that change neither least nor most.
 *  @param sum    of all positions along x
 *  @param first  of position 0 along x */
static inline void rugi_window_sums_add(rugi_window_sums *sums, uint64_t sum,
                                        uint64_t first, size_t z, size_t y)
{
    int class = (z == 0 ? 1 : 0) | (y == 0 ? 2 : 0);
    sums->nonempty[class] += sum - first;
    sums->nonempty[class | 4] += first;
}

/** Adds other positions. */
static inline void rugi_window_sums_merge(rugi_window_sums *all,
                                          const rugi_window_sums *one)
{
    all->most = one->most > all->most ? one->most : all->most;
    all->black += one->black;
    for (int c = 0; c < 8; c++)
        all->nonempty[c] += one->nonempty[c];
    rugi_window_sums_least(all, one->least, one->best);
}

/* Columns `window` apart belong to the same position along x. They are added up while
 * they are still sliced, 64 columns a word. So a position is examined once, not once for
 * each of its boxes, and mostly not by itself: of a row whose positions change neither
 * least nor most, only the sum is needed. */

#define RUGI_FOLD_STEPS 2

/** How a row of columns is folded. Step i makes stage i + 1 of stage i. */
typedef struct rugi_fold {
    size_t window;  /**< columns to which a row is folded in the end */
    size_t n_words; /**< of a row */
    int n_steps;
    size_t period[RUGI_FOLD_STEPS], n_pieces[RUGI_FOLD_STEPS];
    size_t stride[RUGI_FOLD_STEPS + 1]; /**< words of a plane */
    int n_planes[RUGI_FOLD_STEPS + 1];
} rugi_fold;

/** What one thread folds with. */
typedef struct rugi_folding {
    const rugi_fold *fold;
    rugi_planes stage[RUGI_FOLD_STEPS + 1];
    uint64_t *mask;   /* of the window's columns in the last stage */
    uint64_t *counts; /**< boxes that end at pixel e of every window */
} rugi_folding;

/** @param n_rows  added up in each column, at most */
rugi_fold rugi_fold_make(size_t n_words, size_t window, uint64_t n_rows);

/** Words of memory of a rugi_folding. */
static inline size_t rugi_folding_words(const rugi_fold *f)
{
    size_t n = f->stride[f->n_steps] * 65; /* the mask, and counts */
    for (int i = 0; i <= f->n_steps; i++)
        n += (size_t)f->n_planes[i] * f->stride[i];
    return n;
}

/** @param memory  rugi_folding_words() words, all 0 */
rugi_folding rugi_folding_make(const rugi_fold *f, uint64_t *memory);

/** Folds the row of a counter that begins at word `at`, and sets f->counts from it. */
void rugi_folding_count(rugi_folding *f, const rugi_window_kernels *kernels,
                        const rugi_counter *c, size_t at);

/** Folds the same row, that of position z y, and notes its boxes in the sums. */
void rugi_folding_note(rugi_folding *f, const rugi_window_kernels *kernels,
                       const rugi_counter *c, size_t at, rugi_window_sums *sums, size_t z,
                       size_t y);

/** Counts the boxes of all positions. Each thread works on b positions of the slowest
 *  axis at once, the larger of 64 (in a volume 8) and 1/32 of the window, or half of up
 *  to 256 where one or two threads share an image, and has memory of about 2 b (1 +
 *  log2(boxes along y)) rows of an image, or in a volume 2 b slices and 2 b window
 *  log2(boxes along z and y) rows; rows with the ends of boxes that are cut off, up to
 *  twice as long as those of the image. Where there are more than two such b, joined
 *  slices or rows take a quarter of the packed pixels once.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_window_all(rug_context *ctx, rugi_window_sums *out,
                           const rugi_window_plan *plan);

static inline size_t rugi_round_words(size_t n)
{
    return (n + RUGI_STREAM_VECTOR - 1) / RUGI_STREAM_VECTOR * RUGI_STREAM_VECTOR;
}

#endif
