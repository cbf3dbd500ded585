/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of a pyramid: every number that the engines need, computed once. */

#ifndef RUGI_BOXCOUNT_PLAN_H
#define RUGI_BOXCOUNT_PLAN_H

#include "core/image/image_internal.h"
#include "core/image/predicate.h"

/** Side of a block in pixels: one 64-bit word of packed pixels. */
#define RUGI_BLOCK 64
/** log2(RUGI_BLOCK): levels 0..6 are counted inside blocks. */
#define RUGI_BLOCK_LEVEL 6
/** Levels at most: box sizes 1, 2, 4 … 2^63. */
#define RUGI_MAX_LEVELS 64

typedef struct rugi_boxcount_plan {
    rug_image volume; /* the pixels as [nz][ny][nx]; nz = 1 for an image */
    int box_axes;     /* D: 2 or 3 */
    rugi_predicate predicate;
    uint32_t n_levels;
    size_t blocks[3]; /* blocks per axis, z y x; z = 1 for an image */

    /* A tile is one block deep, tile_rows blocks high and tile_words blocks wide. */
    size_t tile_words, tile_rows;
    size_t tiles_x, tiles_y;
    size_t n_tiles;
} rugi_boxcount_plan;

/** Levels of a pyramid: the first whose boxes are as long as the longest axis is the
 *  last. */
uint32_t rugi_boxcount_n_levels(int ndim, const size_t *shape);

/** Fills a plan.
 *  @param volume    [nz][ny][nx], checked
 *  @param box_axes  D: 2 or 3
 *  @param n_levels  at least rugi_boxcount_n_levels() */
void rugi_boxcount_make_plan(rug_context *ctx, rugi_boxcount_plan *plan,
                             const rug_image *volume, int box_axes,
                             const rugi_predicate *predicate, uint32_t n_levels);

#endif
