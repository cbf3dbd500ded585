/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of a pyramid: levels, blocks and tiles. */

#include "boxcount_kernels.h"
#include "core/fit/scaling.h"
#include <string.h>

/* Widest tiles in words, so that a thread's rows of all levels stay in its second-level
 * cache. */
#define TILE_WORDS_2D 512
#define TILE_WORDS_3D 64

/* Groups of blocks in a tile of a volume, for the same reason: 3.5 KB each. */
#define TILE_GROUPS_3D 32

/* Tiles for each thread, so that none waits long for the last one. */
#define TILES_PER_THREAD 4

static size_t ceil_div(size_t n, size_t d)
{
    return (n - 1) / d + 1;
}

uint32_t rugi_boxcount_n_levels(int ndim, const size_t *shape)
{
    size_t longest = 1;
    for (int a = 0; a < ndim; a++)
        longest = shape[a] > longest ? shape[a] : longest;
    return rugi_scaling_n_dyadic(longest);
}

static void set_tile_rows(rugi_boxcount_plan *plan, size_t n)
{
    plan->tile_rows = n;
    plan->tiles_y = ceil_div(plan->blocks[1], n);
    plan->n_tiles = plan->blocks[0] * plan->tiles_y * plan->tiles_x;
}

/* A tile reads its part of slice after slice: the higher it is, the fewer the gaps
 * between what it reads, each of which stops the processor's prefetching. */
static void plan_tiles(rug_context *ctx, rugi_boxcount_plan *plan)
{
    int is_image = plan->box_axes == 2;
    for (int a = 0; a < 3; a++)
        plan->blocks[a] = ceil_div(plan->volume.shape[a], RUGI_BLOCK);
    size_t widest = is_image ? TILE_WORDS_2D : TILE_WORDS_3D;
    plan->tile_words = plan->blocks[2] < widest ? plan->blocks[2] : widest;
    plan->tiles_x = ceil_div(plan->blocks[2], plan->tile_words);
    size_t highest =
        is_image ? 1 : ceil_div(TILE_GROUPS_3D, ceil_div(plan->tile_words, RUGI_GROUP));
    set_tile_rows(plan, plan->blocks[1] < highest ? plan->blocks[1] : highest);
    size_t wanted = TILES_PER_THREAD * (size_t)rug_context_threads(ctx);
    while (plan->tile_rows > 1 && plan->n_tiles < wanted)
        set_tile_rows(plan, ceil_div(plan->tile_rows, 2));
}

void rugi_boxcount_make_plan(rug_context *ctx, rugi_boxcount_plan *plan,
                             const rug_image *volume, int box_axes,
                             const rugi_predicate *predicate, uint32_t n_levels)
{
    memset(plan, 0, sizeof *plan);
    plan->volume = *volume;
    plan->box_axes = box_axes;
    plan->predicate = *predicate;
    plan->n_levels = n_levels;
    plan_tiles(ctx, plan);
}
