/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Smoothing across the edges of patches. Edges of one direction never touch the same
 * samples, so their order is free. */

#include "core/context/threads.h"
#include "ifs_patch_decode.h"
#include <stdlib.h>

/* Weights of 64 by the distance from an edge, between patches from 16 samples on, and others. */
#define TAPS_MAX 3
static const int32_t weights[2][TAPS_MAX] = {{23, 8, 0}, {27, 16, 6}};

/* One line across an edge: p[-pitch] | p[0]. */
static inline void smooth(int16_t *p, ptrdiff_t pitch, unsigned octave, int32_t most,
                          int is_large)
{
    ptrdiff_t unit = pitch * ((ptrdiff_t)1 << octave);
    int32_t step = p[0] - p[-pitch];
    int32_t slopes = abs(p[unit] - p[0]) + abs(p[-pitch - unit] - p[-pitch]);
    if (step == 0 || abs(step) > most + most / 5 || slopes > most)
        return;
    int taps = (is_large ? 3 : 2) << octave;
    for (int t = 0; t < taps; t++) {
        int32_t change = (step * weights[is_large][t >> octave] + 32) >> 6;
        p[t * pitch] = rugi_ifs_clip(p[t * pitch] - change);
        p[-(t + 1) * pitch] = rugi_ifs_clip(p[-(t + 1) * pitch] + change);
    }
}

/* The most of a step and of the slopes beside it. */
static int32_t most_of(const rugi_ifs_patch_edges *e, int offset)
{
    int64_t most =
        rugi_ifs_shift((int64_t)rugi_ifs_root_delta(e->delta, offset) * e->strength,
                       RUGI_IFS_SAMPLE_BITS - (int)e->depth - 7);
    return (int32_t)(most < INT16_MAX ? most : INT16_MAX);
}

/* Whether a square begins its patch along x or y. */
static int begins(uint32_t at, const rugi_ifs_patch_square *square)
{
    return at % (8u >> square->level) == 0;
}

static void smooth_row(const rugi_ifs_patch_edges *e, uint32_t sy, int is_upper)
{
    const rugi_ifs_patch_map *map = e->map;
    const rugi_ifs_patch_square *squares = map->squares + sy * map->pitch;
    const int8_t *offsets = map->offsets + sy / 8 * (map->pitch / 8);
    ptrdiff_t other = is_upper ? -(ptrdiff_t)map->pitch : -1;
    size_t n = (size_t)RUGI_IFS_LEAST << e->octave;
    int16_t *samples = e->samples + sy * n * e->pitch;
    int32_t most = 0;
    for (uint32_t sx = 0; sx < map->nx; sx++) {
        const rugi_ifs_patch_square *square = squares + sx;
        if (sx % 8 == 0)
            most = most_of(e, offsets[sx / 8]);
        if (is_upper ? !begins(sy, square) : sx == 0 || !begins(sx, square))
            continue;
        int is_large = square->level <= 1 && square[other].level <= 1;
        for (size_t i = 0; i < n; i++)
            if (is_upper)
                smooth(samples + sx * n + i, (ptrdiff_t)e->pitch, e->octave, most,
                       is_large);
            else
                smooth(samples + i * e->pitch + sx * n, 1, e->octave, most, is_large);
    }
}

/* Rows of squares of one row of roots. */
static void smooth_left(void *shared, size_t root, int thread)
{
    (void)thread;
    for (uint32_t i = 0; i < 8; i++)
        smooth_row(shared, 8 * (uint32_t)root + i, 0);
}

static void smooth_upper(void *shared, size_t root, int thread)
{
    (void)thread;
    for (uint32_t i = root == 0; i < 8; i++)
        smooth_row(shared, 8 * (uint32_t)root + i, 1);
}

rug_status rugi_ifs_smooth_edges(rug_context *ctx, const rugi_ifs_patch_edges *e)
{
    rugi_ifs_patch_edges shared = *e;
    if (e->strength == 0)
        return RUG_OK;
    rug_status status = rugi_parallel_for(ctx, e->map->ny / 8, smooth_left, &shared);
    if (status == RUG_OK)
        status = rugi_parallel_for(ctx, e->map->ny / 8, smooth_upper, &shared);
    return status;
}
