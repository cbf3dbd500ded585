/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sliding windows over lines, and what one thread needs to count the boxes of all
 * positions with them. */

#ifndef RUGI_BOXCOUNT_WINDOW_SLIDE_H
#define RUGI_BOXCOUNT_WINDOW_SLIDE_H

#include "boxcount_window_plan.h"

/** Lines one behind another: the rows of a slice, or the slices of a volume. Those before
 *  the first and behind the last are empty. */
typedef struct rugi_lines {
    const uint64_t *words;
    size_t n, stride; /**< lines; words from line to line */
    size_t n_words;   /**< of a line */
    /** Joins of the lines from every RUGI_BLOCK_LINES-th on, as many, `stride` words from
     *  one to the next; NULL: none. */
    const uint64_t *blocks[RUGI_N_JOINS];
} rugi_lines;

/** Lines of a block. */
#define RUGI_BLOCK_LINES 8

/** At most n words of each line, from word `at` on. */
rugi_lines rugi_lines_part(const rugi_lines *lines, size_t at, size_t n);

/** Sets what the blocks of lines point to. Of a last block that is cut off, the lines that
 *  there are.
 *  @param out  [ceil(lines->n / RUGI_BLOCK_LINES)][stride] any, then as much all
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_join_blocks(rug_context *ctx, uint64_t *out,
                            const rugi_window_kernels *kernels, const rugi_lines *lines);

/** Windows of `window` lines each, the first of which ends at line `last`. */
typedef struct rugi_slide {
    size_t last, window;
    size_t n;      /**< windows, at most `window` */
    size_t stride; /**< words from one to the next in dst */
} rugi_slide;

/** Joins the lines of every window.
 *  @param join    RUGI_ANY or RUGI_ALL
 *  @param dst     s.n lines
 *  @param core    a line, to work with
 *  @return 0 when no window has a bit; dst is not set then */
int rugi_slide_lines(const rugi_window_kernels *kernels, int join, uint64_t *dst,
                     uint64_t *core, const rugi_lines *lines, rugi_slide s);

#endif
