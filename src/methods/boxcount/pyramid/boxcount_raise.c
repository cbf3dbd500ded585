/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The few levels of the pyramid above those of blocks, from one byte for each block of 64
 * pixels, and what a result takes of all levels. */

#include "boxcount_pyramid.h"
#include <string.h>

/* One box of the next level from its 4 or 8 blocks; blocks outside of the grid are
 * empty. */
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

/* Halves the grid of blocks along the box's axes, in place, counting the boxes of one
 * level. */
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

void rugi_boxcount_take_levels(rug_boxcount_result *result,
                               const rugi_boxcount_levels *levels)
{
    result->facts.engine = levels->engine;
    result->facts.n_set = levels->nonempty[0];
    for (uint32_t i = 0; i < result->facts.n_sizes; i++) {
        rug_box_count *c = &result->counts[i];
        uint32_t m = 0;
        while (c->size >> m > 1)
            m++;
        /* Boxes above the last level hold the whole image and more. */
        c->nonempty = levels->nonempty[m < levels->n ? m : levels->n - 1];
        c->black = m < levels->n ? levels->black[m] : 0;
    }
}
