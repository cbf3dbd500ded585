/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of a box count: every number that the engines need, computed once. */

#ifndef RUGI_BOXCOUNT_PLAN_H
#define RUGI_BOXCOUNT_PLAN_H

#include "image_internal.h"
#include "predicate.h"
#include <rugose/boxcount.h>

/** Side of a block in cells: one 64-bit word of packed cells. */
#define RUGI_BLOCK 64
/** log2(RUGI_BLOCK): levels 0..6 are counted inside blocks. */
#define RUGI_BLOCK_LEVEL 6

typedef struct rugi_boxcount_plan {
    rug_image volume;          /* the cells as [nz][ny][nx]; nz = 1 for an image */
    int box_axes;              /* D: 2 or 3 */
    rug_foreground foreground; /* resolved */
    rugi_predicate predicate;
    uint32_t n_sizes;
    size_t blocks[3]; /* blocks per axis, z y x; z = 1 for an image */

    /* A tile is one block deep, tile_rows blocks high and tile_words blocks wide. */
    size_t tile_words, tile_rows;
    size_t tiles_x, tiles_y;
    size_t n_tiles;
} rugi_boxcount_plan;

/** Fills a plan. @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_boxcount_make_plan(rug_context *ctx, rugi_boxcount_plan *plan,
                                   const rug_image *img,
                                   const rug_boxcount_options *opts);

/** What an engine is given, and what it fills. */
typedef struct rugi_boxcount_job {
    const rugi_boxcount_plan *plan;
    rug_boxcount_result *result; /* counts[].nonempty and .black, engine */
} rugi_boxcount_job;

/** The CPU engine; job is a rugi_boxcount_job. */
rug_status rugi_boxcount_cpu(rug_context *ctx, void *job);

#endif
