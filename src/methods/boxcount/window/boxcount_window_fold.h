/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Columns `window` apart belong to the same position along x. They are added up while
 * they are still sliced, 64 columns a word, so that a position is looked at once, not once
 * for each of its boxes, and mostly not by itself: all positions of a row that are no news
 * need their sum only. */

#ifndef RUGI_BOXCOUNT_WINDOW_FOLD_H
#define RUGI_BOXCOUNT_WINDOW_FOLD_H

#include "boxcount_window_plan.h"

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
size_t rugi_folding_words(const rugi_fold *f);

/** @param memory  rugi_folding_words() words, all 0 */
rugi_folding rugi_folding_make(const rugi_fold *f, uint64_t *memory);

/** Folds the row of a counter that begins at word `at`. */
void rugi_folding_row(rugi_folding *f, const rugi_window_kernels *kernels,
                      const rugi_counter *c, size_t at);

/** Sets f->counts from the row that was folded. */
void rugi_folding_count(rugi_folding *f, const rugi_window_kernels *kernels);

/** Takes down the row that was folded, that of position z y. */
void rugi_folding_note(rugi_folding *f, const rugi_window_kernels *kernels,
                       rugi_window_sums *sums, size_t z, size_t y);

#endif
