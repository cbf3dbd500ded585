/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The model of a plane, and the map of the blocks that were coded. */

#include "ifs_model.h"
#include <string.h>

static const char what[] = "model of fractal coding";

rugi_ifs_model *rugi_ifs_model_new(rug_context *ctx)
{
    rugi_ifs_model *model = rug_context_allocate(ctx, 1, sizeof *model, what);
    if (model != NULL)
        rugi_ifs_model_begin(model);
    return model;
}

void rugi_ifs_model_begin(rugi_ifs_model *model)
{
    rugi_ifs_bits_begin((rugi_ifs_bit *)(void *)model,
                        sizeof *model / sizeof(rugi_ifs_bit));
}

void rugi_ifs_model_copy(rugi_ifs_model *to, const rugi_ifs_model *from)
{
    memcpy(to, from, sizeof *to);
}

void rugi_ifs_model_free(rug_context *ctx, rugi_ifs_model *model)
{
    rug_context_release(ctx, model);
}

rug_status rugi_ifs_map_new(rug_context *ctx, rugi_ifs_map *map,
                            const rugi_ifs_frame *frame)
{
    memset(map, 0, sizeof *map);
    map->nx = frame->nx / RUGI_IFS_LEAST;
    map->ny = frame->ny / RUGI_IFS_LEAST;
    size_t n = (size_t)map->nx * map->ny;
    map->mean = rug_context_allocate(ctx, n, sizeof *map->mean, what);
    map->level = map->mean != NULL ? rug_context_allocate(ctx, 3, n, what) : NULL;
    if (map->level == NULL) {
        rugi_ifs_map_free(ctx, map);
        return RUG_E_NOMEM;
    }
    map->fractal = map->level + n;
    map->coded = map->fractal + n;
    rugi_ifs_map_begin(map, frame);
    return RUG_OK;
}

void rugi_ifs_map_begin(rugi_ifs_map *map, const rugi_ifs_frame *frame)
{
    memset(map->level, 0, 3 * (size_t)map->nx * map->ny);
    map->middle = 64 * frame->middle;
}

void rugi_ifs_map_free(rug_context *ctx, rugi_ifs_map *map)
{
    rug_context_release(ctx, map->level);
    rug_context_release(ctx, map->mean);
    memset(map, 0, sizeof *map);
}

void rugi_ifs_map_enter(rugi_ifs_map *map, const rugi_ifs_frame *frame,
                        const rugi_ifs_leaf *leaf)
{
    uint32_t n = rugi_ifs_side(leaf->level) / RUGI_IFS_LEAST;
    int32_t mean = leaf->mean * rugi_ifs_mean_step(frame, leaf->level);
    size_t at = (size_t)(leaf->y / RUGI_IFS_LEAST) * map->nx + leaf->x / RUGI_IFS_LEAST;
    for (uint32_t y = 0; y < n; y++, at += map->nx) {
        memset(map->level + at, leaf->level, n);
        memset(map->fractal + at, leaf->zone != RUGI_IFS_FLAT, n);
        memset(map->coded + at, leaf->n_coefs > 0, n);
        for (uint32_t x = 0; x < n; x++)
            map->mean[at + x] = mean;
    }
}

/* One neighbour. */
static void look_at(rugi_ifs_around *out, const rugi_ifs_map *map, size_t at,
                    unsigned level)
{
    unsigned finer = map->level[at] > level ? map->level[at] - level : 0;
    out->finer += finer < 2 ? finer : 2;
    out->fractal += map->fractal[at];
    out->coded += map->coded[at];
}

/* The mean of n pixels of the map, one every `pitch`. */
static int32_t mean_of(const int32_t *mean, uint32_t n, size_t pitch)
{
    int64_t sum = n / 2;
    for (uint32_t i = 0; i < n; i++)
        sum += mean[i * pitch];
    return (int32_t)(sum >= 0 ? sum / n : -((-sum + n - 1) / n));
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* The plane through what lies to the left, above, and at the corner, but within the first
 * two. */
static void predict(rugi_ifs_around *out, int32_t left, int32_t above, int32_t corner)
{
    int32_t low = least(left, above), high = most(left, above);
    out->mean = most(low, least(high, left + above - corner));
    out->contrast = most(high, corner) - least(low, corner);
}

void rugi_ifs_look_around(rugi_ifs_around *out, const rugi_ifs_map *map, uint32_t x,
                          uint32_t y, unsigned level)
{
    uint32_t n = rugi_ifs_side(level) / RUGI_IFS_LEAST;
    size_t at = (size_t)(y / RUGI_IFS_LEAST) * map->nx + x / RUGI_IFS_LEAST;
    int32_t left = 0, above = 0;
    memset(out, 0, sizeof *out);
    if (x > 0) {
        look_at(out, map, at - 1, level);
        left = mean_of(map->mean + at - 1, n, map->nx);
    }
    if (y > 0) {
        look_at(out, map, at - map->nx, level);
        above = mean_of(map->mean + at - map->nx, n, 1);
    }
    if (x > 0 && y > 0)
        predict(out, left, above, map->mean[at - map->nx - 1]);
    else
        out->mean = x > 0 || y > 0 ? left + above : map->middle;
}
