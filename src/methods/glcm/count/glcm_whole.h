/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A whole image of few levels: no region is cut out and no list is made. Its rows as
 * bytes are read once for each distance, and all four directions are counted on the way:
 * up to 16 levels, the four pixels at the corners of a square of side d are one number of
 * 16 bits, and one increment counts a pair in each direction; up to 32 levels it takes
 * two, else four.
 *
 * Of an image that is read slab by slab, the levels of a slab and of as many rows before it
 * as the largest distance are kept, and pairs of all distances are counted as their rows
 * come. */

#ifndef RUGI_GLCM_WHOLE_H
#define RUGI_GLCM_WHOLE_H

#include "glcm_count.h"

/** A whole image. All 0 at first. */
typedef struct rugi_glcm_whole {
    const rugi_glcm_plan *plan;
    rug_image rows; /**< with z: the image, or what is kept of it as levels */
    int is_plain;   /**< these rows are levels */
    uint32_t base;  /**< the byte of level 0 */
    uint32_t span;
    uint32_t distance;
    size_t first_row, end_row; /**< the upper rows of pairs that are counted */
    size_t n_counts;
    struct rugi_glcm_whole_counts *counts; /**< [n_counts], one for each thread */
    /** [4][span][span] pairs by their levels, of the distance at hand; it lies in `squares`,
     *  which of an image that is read slab by slab are those of all distances */
    uint32_t *square;
    uint32_t *squares;
    uint8_t *kept; /**< rows of levels */
    size_t n_kept, n_new;
    const rug_image *slab; /**< with z: the new ones */
    uint8_t *byte_of;      /**< [65536] from values */
    rugi_glcm_scratch square_scratch, byte_scratch, kept_scratch;
} rugi_glcm_whole;

/** Scans the image; if it can be counted so, fills `r` but for its pixels and sets
 *  r->whole.
 *  @return RUG_OK, RUG_E_ARG (as of binning), RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_glcm_whole_new(rug_context *ctx, rugi_glcm_whole *w, rugi_glcm_region *r,
                               const rugi_glcm_plan *plan);

/** Counts all pairs at a distance, by all threads. */
rug_status rugi_glcm_whole_count(rug_context *ctx, rugi_glcm_whole *w,
                                 rugi_glcm_region *r, uint32_t distance);

void rugi_glcm_whole_free(rug_context *ctx, rugi_glcm_whole *w);

#endif
