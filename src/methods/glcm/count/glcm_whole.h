/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A whole image of few levels: no region is cut out and no list is made. Its rows as bytes
 * are read once for each distance, and all four directions are counted on the way: up to 16
 * levels, the four pixels at the corners of a square of side d are one number of 16 bits, and
 * one increment counts a pair in each direction; up to 32 levels it takes two, else four. */

#ifndef RUGI_GLCM_WHOLE_H
#define RUGI_GLCM_WHOLE_H

#include "glcm_count.h"

#define RUGI_GLCM_WHOLE_SPAN 256
#define RUGI_GLCM_CORNERS    4 /* directions of an image */

/** Counters from one table to the next: 65536, and some more so that counters of the same key
 *  are not a multiple of 4096 bytes apart, when they would share a few lines of the
 *  first-level cache (5.1 against 10.3 ms for the pairs of 2048x2048 pixels). */
#define RUGI_GLCM_TUPLES ((size_t)65536 + 1088)

/** Tables of tuples. */
#define RUGI_GLCM_TURNS 4

/** What a distance is counted in, one per thread. */
typedef struct rugi_glcm_whole_counts {
    uint32_t *tuple; /**< [TURNS][TUPLES] by the corners */
    uint32_t
        *pair[RUGI_GLCM_CORNERS]; /**< pairs by themselves, first level 256 + second */
    uint16_t *keys;               /**< [4][nx + SLACK] of a row */
    uint8_t *ring;                /**< [distance + 1][nx + SLACK] rows as bytes */
    size_t *row_of;               /**< [distance + 1] that lies there, + 1 */
    rugi_glcm_block tuple_block, keys_block, ring_block, row_block;
} rugi_glcm_whole_counts;

/** A whole image. All 0 at first. */
typedef struct rugi_glcm_whole {
    const rugi_glcm_plan *plan;
    int is_plain;  /**< rows of the image are its levels */
    uint32_t base; /**< the byte of level 0 */
    uint32_t span;
    uint32_t distance;
    size_t n_counts;
    rugi_glcm_whole_counts *counts; /**< one for each thread */
    uint32_t
        *square; /**< [4][span][span] pairs by their levels, of the distance at hand */
    uint8_t *byte_of; /**< [65536] from values */
    rugi_glcm_block square_block, byte_block;
} rugi_glcm_whole;

/** Looks at the image; if it can be counted so, fills `r` but for its pixels and sets r->whole.
 *  @return RUG_OK, RUG_E_ARG (as of binning), RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_glcm_whole_new(rug_context *ctx, rugi_glcm_whole *w, rugi_glcm_region *r,
                               const rugi_glcm_plan *plan);

/** Counts all pairs at a distance, by all threads. */
rug_status rugi_glcm_whole_count(rug_context *ctx, rugi_glcm_whole *w,
                                 rugi_glcm_region *r, uint32_t distance);

/** Pairs of a row of pixels as keys, or of two. */
void rugi_glcm_whole_row(const rugi_glcm_whole *w, rugi_glcm_whole_counts *c,
                         const uint8_t *top, const uint8_t *bottom);

/** From what one thread has counted to `square`. */
void rugi_glcm_whole_add(const rugi_glcm_whole *w, const rugi_glcm_whole_counts *c);

void rugi_glcm_whole_free(rug_context *ctx, rugi_glcm_whole *w);

#endif
