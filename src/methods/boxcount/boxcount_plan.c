/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of a box count: foreground rule, sizes, blocks and tiles. */

#include "boxcount_plan.h"
#include <string.h>

/* Widest tiles in words, so that a thread's rows of all levels stay in its second-level cache. */
#define TILE_WORDS_2D 512
#define TILE_WORDS_3D 64

static size_t ceil_div(size_t n, size_t d)
{
    return (n - 1) / d + 1;
}

static uint32_t count_sizes(const rug_image *img)
{
    size_t longest = 1;
    for (int a = 0; a < img->ndim; a++)
        longest = img->shape[a] > longest ? img->shape[a] : longest;
    uint32_t n = 1;
    while (((size_t)1 << (n - 1)) < longest)
        n++;
    return n;
}

static void plan_tiles(rugi_boxcount_plan *plan)
{
    for (int a = 0; a < 3; a++)
        plan->blocks[a] = ceil_div(plan->volume.shape[a], RUGI_BLOCK);
    size_t widest = plan->box_axes == 2 ? TILE_WORDS_2D : TILE_WORDS_3D;
    plan->tile_words = plan->blocks[2] < widest ? plan->blocks[2] : widest;
    plan->tiles_x = ceil_div(plan->blocks[2], plan->tile_words);
    plan->n_tiles = plan->blocks[0] * plan->blocks[1] * plan->tiles_x;
}

rug_status rugi_boxcount_make_plan(rug_context *ctx, rugi_boxcount_plan *plan,
                                   const rug_image *img, const rug_boxcount_options *opts)
{
    memset(plan, 0, sizeof *plan);
    rug_status status = rugi_image_check(ctx, img);
    if (status != RUG_OK)
        return status;
    status = rug_foreground_resolve(ctx, &plan->foreground, img, NULL, opts->foreground);
    if (status != RUG_OK)
        return status;
    plan->volume = rugi_image_volume(img);
    plan->box_axes = img->ndim;
    plan->predicate = rugi_predicate_make(img->dtype, plan->foreground);
    plan->n_sizes = count_sizes(img);
    plan_tiles(plan);
    return RUG_OK;
}
