/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pyramid: boxes of all powers of two, every pixel read once. Levels 0..6 are counted
 * inside blocks of 64 pixels a side, by an engine; the few above follow from one byte per
 * block. */

#ifndef RUGI_BOXCOUNT_PYRAMID_H
#define RUGI_BOXCOUNT_PYRAMID_H

#include "boxcount/result/boxcount_result.h"
#include "core/image/image_internal.h"
#include "core/image/predicate.h"

/** Side of a block in pixels: one 64-bit word of packed pixels. */
#define RUGI_BLOCK 64
/** log2(RUGI_BLOCK): levels 0..6 are counted inside blocks. */
#define RUGI_BLOCK_LEVEL 6
/** Levels at most: box sizes 1, 2, 4 … 2^63. */
#define RUGI_MAX_LEVELS 64

#define RUGI_BLOCK_ANY 1 /**< bit of a block's byte: some pixel is set */
#define RUGI_BLOCK_ALL 2 /**< all pixels are set */

/** Every number that the engines need, computed once. */
typedef struct rugi_boxcount_plan {
    rug_image volume; /* the pixels as [nz][ny][nx]; nz = 1 for an image */
    int box_axes;     /* D: 2 or 3 */
    rugi_predicate predicate;
    uint32_t n_levels;
    size_t blocks[3]; /* blocks per axis, z y x; z = 1 for an image */

    /* A tile is one block deep, tile_rows blocks high and tile_words blocks wide. The rows
     * of a band, n_parts blocks high, share groups of blocks (see rugi_layout). */
    size_t tile_words, tile_rows, n_parts;
    size_t tiles_x, tiles_y;
    size_t n_tiles;
} rugi_boxcount_plan;

/** Levels of a pyramid: the last is the first whose boxes are as long as the longest
 *  axis. */
uint32_t rugi_boxcount_n_levels(int ndim, const size_t *shape);

/** Fills a plan.
 *  @param volume    [nz][ny][nx], checked
 *  @param box_axes  D: 2 or 3
 *  @param n_levels  at least rugi_boxcount_n_levels() */
void rugi_boxcount_make_plan(rug_context *ctx, rugi_boxcount_plan *plan,
                             const rug_image *volume, int box_axes,
                             const rugi_predicate *predicate, uint32_t n_levels);

/** What a pyramid counts: [m] are boxes of size 2^m. */
typedef struct rugi_boxcount_levels {
    uint32_t n;
    uint64_t nonempty[RUGI_MAX_LEVELS];
    uint64_t black[RUGI_MAX_LEVELS];
    const char *engine; /* what ran; static text */
} rugi_boxcount_levels;

/** What an engine is given, and what it fills. */
typedef struct rugi_pyramid_job {
    const rugi_boxcount_plan *plan;
    rugi_boxcount_levels *levels; /* 0 except n; the engine sets levels 0..6 and engine */
    /* [z][y][x] of plan->blocks: RUGI_BLOCK_ANY | RUGI_BLOCK_ALL of each */
    uint8_t *blocks;
} rugi_pyramid_job;

/** The engine of the processor; job is a rugi_pyramid_job.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_boxcount_cpu(rug_context *ctx, void *job);

/** Counts levels 7 and above.
 *  @param blocks  of the whole image; destroyed */
void rugi_boxcount_raise(rugi_boxcount_levels *levels, uint8_t *blocks,
                         const size_t n_blocks[3], int box_axes);

/** Sets n_set, engine, and nonempty and black of sizes that are all powers of two. */
void rugi_boxcount_take_levels(rug_boxcount_result *result,
                               const rugi_boxcount_levels *levels);

#endif
