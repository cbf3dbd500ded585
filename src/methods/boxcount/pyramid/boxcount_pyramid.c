/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pyramid: boxes of all powers of two, by the first engine that works, and the few
 * levels above 6 from one byte per block of 64 pixels. */

#include "boxcount_pyramid.h"
#include "boxcount/opencl/boxcount_opencl.h"
#include "boxcount_tile.h"
#include "core/context/engine.h"
#include "core/image/image_internal.h"
#include <string.h>

/* `auto` takes no device: to bring pixels there takes longer than to count them here, at the
 * speed of reading memory. */
static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_boxcount_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_boxcount_cpu, NULL},
};

/* One box of the next level from its 4 or 8 blocks; blocks outside of the grid are empty. */
static uint8_t merge_blocks(const uint8_t *blocks, const size_t n[3],
                            const size_t first[3], size_t deep)
{
    unsigned any = 0, all = RUGI_BLOCK_ALL;
    for (size_t k = 0; k < 4 * deep; k++) {
        size_t z = first[0] + k / 4, y = first[1] + k / 2 % 2, x = first[2] + k % 2;
        int inside = z < n[0] && y < n[1] && x < n[2];
        unsigned b = inside ? blocks[(z * n[1] + y) * n[2] + x] : 0;
        any |= b;
        all &= b;
    }
    return (uint8_t)((any & RUGI_BLOCK_ANY) | all);
}

/* Halves the grid of blocks along the box's axes, in place, counting the boxes of one level. */
static void halve_blocks(uint8_t *blocks, size_t n[3], int box_axes,
                         rugi_boxcount_levels *levels, uint32_t m)
{
    size_t deep = box_axes == 3 ? 2 : 1;
    size_t half[3] = {(n[0] + deep - 1) / deep, (n[1] + 1) / 2, (n[2] + 1) / 2};
    for (size_t z = 0; z < half[0]; z++)
        for (size_t y = 0; y < half[1]; y++)
            for (size_t x = 0; x < half[2]; x++) {
                uint8_t b =
                    merge_blocks(blocks, n, (size_t[3]){z * deep, 2 * y, 2 * x}, deep);
                blocks[(z * half[1] + y) * half[2] + x] = b;
                levels->nonempty[m] += b & RUGI_BLOCK_ANY;
                levels->black[m] += b / RUGI_BLOCK_ALL;
            }
    memcpy(n, half, sizeof half);
}

void rugi_boxcount_raise(rugi_boxcount_levels *levels, uint8_t *blocks,
                         const size_t n_blocks[3], int box_axes)
{
    size_t n[3];
    memcpy(n, n_blocks, sizeof n);
    for (uint32_t m = RUGI_BLOCK_LEVEL + 1; m < levels->n; m++)
        halve_blocks(blocks, n, box_axes, levels, m);
}

rug_status rugi_boxcount_blocks(rug_context *ctx, rugi_boxcount_levels *levels,
                                uint8_t *blocks, const rugi_boxcount_plan *plan)
{
    memset(levels, 0, sizeof *levels);
    levels->n = plan->n_levels;
    rugi_boxcount_job job = {plan, levels, blocks};
    return rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], &job);
}

rug_status rugi_boxcount_blocks_by_cpu(rug_context *ctx, rugi_boxcount_levels *levels,
                                       uint8_t *blocks, const rugi_boxcount_plan *plan)
{
    memset(levels, 0, sizeof *levels);
    levels->n = plan->n_levels;
    rugi_boxcount_job job = {plan, levels, blocks};
    return rugi_boxcount_cpu(ctx, &job);
}

rug_status rugi_boxcount_pyramid(rug_context *ctx, rugi_boxcount_levels *levels,
                                 const rug_image *img, const rugi_predicate *predicate)
{
    rugi_boxcount_plan plan;
    rug_image volume = rugi_image_volume(img);
    rugi_boxcount_make_plan(ctx, &plan, &volume, img->ndim, predicate,
                            rugi_boxcount_n_levels(img->ndim, img->shape));
    size_t n_blocks = plan.blocks[0] * plan.blocks[1] * plan.blocks[2];
    uint8_t *blocks = rug_context_allocate(ctx, n_blocks, 1, "blocks of 64 pixels");
    if (blocks == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_boxcount_blocks(ctx, levels, blocks, &plan);
    if (status == RUG_OK)
        rugi_boxcount_raise(levels, blocks, plan.blocks, plan.box_axes);
    rug_context_release(ctx, blocks);
    return status;
}
