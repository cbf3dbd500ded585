/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Patches are told as they are decoded, tile by tile. */

#include "core/context/context_internal.h"
#include "ifs_decompress_patches.h"
#include "ifs_patch_picture.h"
#include <math.h>

/* One call. */
typedef struct showing {
    rug_context *ctx;
    rugi_ifs_tiled tiled;
    rugi_ifs_region region;
    rugi_ifs_patch_tools tools;
    rug_ifs_transform_fn fn;
    void *user;
} showing;

/* The mean of a patch, in grey levels; 2^depth is added to those of Co and Cg. */
static double mean_of(const showing *s, int plane, const rugi_ifs_patch_plane *p,
                      const rugi_ifs_patch *patch)
{
    size_t side = rugi_ifs_side(patch->level);
    const int16_t *from = p->samples + patch->y * p->pitch + patch->x;
    int64_t sum = 0;
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++)
            sum += from[y * p->pitch + x];
    double mean = (double)sum / (double)(side * side);
    return ldexp(mean, (int)p->frame.depth - RUGI_IFS_SAMPLE_BITS) +
           ldexp(1, (int)p->frame.depth - 1) + (plane == 0 ? s->tiled.minimum : 0);
}

static rug_status show(void *user, int plane, const rugi_ifs_patch_plane *p,
                       const rugi_ifs_patch *patch)
{
    const showing *s = user;
    const rugi_ifs_region_plane *whole = &s->region.planes[plane];
    size_t at = (size_t)(p->samples - whole->samples);
    uint32_t x = (uint32_t)(at % whole->pitch), y = (uint32_t)(at / whole->pitch);
    int has_domain = patch->kind == RUGI_IFS_DOMAIN;
    const rug_ifs_transform t = {
        .range_x = x + patch->x,
        .range_y = y + patch->y,
        .size = rugi_ifs_side(patch->level),
        .domain_x = has_domain ? x + patch->domain_x : 0,
        .domain_y = has_domain ? y + patch->domain_y : 0,
        .plane = (uint8_t)plane,
        .symmetry = has_domain ? patch->symmetry : 0,
        .has_domain = (uint8_t)has_domain,
        .s = has_domain ? patch->k / 8.0 : 0,
        .mean = mean_of(s, plane, p, patch),
        .error = NAN,
    };
    return s->fn(s->user, &t);
}

static rug_status show_tiles(showing *s)
{
    rug_status status = RUG_OK;
    size_t n = (size_t)s->region.n_columns * s->region.n_rows;
    const rugi_ifs_patch_watch watch = {show, s};
    for (size_t i = 0; i < n && status == RUG_OK; i++) {
        rugi_ifs_part parts[RUGI_IFS_PATCH_PLANES + 1];
        uint32_t n_roots[RUGI_IFS_PATCH_PLANES];
        rugi_phase outer =
            rugi_phase_enter(s->ctx, (double)i / (double)n, (double)(i + 1) / (double)n);
        status = rugi_ifs_split_tile(s->ctx, &s->tiled, &s->tiled.tiles[i], parts);
        if (status == RUG_OK)
            status = rugi_ifs_decode_tile(
                s->ctx, &s->region, NULL, &s->tools, (uint32_t)(i % s->region.n_columns),
                (uint32_t)(i / s->region.n_columns), parts, n_roots, &watch);
        rugi_phase_leave(s->ctx, outer);
    }
    return status;
}

rug_status rugi_ifs_show_patches(rug_context *ctx, const uint8_t *bytes, size_t size,
                                 uint64_t pixels_max, rug_ifs_transform_fn fn, void *user)
{
    showing s = {.ctx = ctx, .fn = fn, .user = user};
    rug_status status = rugi_ifs_tiled_read(ctx, &s.tiled, bytes, size, 0);
    if (status == RUG_OK) {
        const rugi_ifs_size image = {s.tiled.nx, s.tiled.ny,
                                     rugi_ifs_picture_planes(&s.tiled),
                                     s.tiled.is_16 ? 16 : 8};
        status = rugi_ifs_check_pixels(ctx, &image, size, pixels_max);
    }
    if (status == RUG_OK)
        status = rugi_ifs_region_begin(ctx, &s.region, &s.tiled, 0, 0, s.tiled.nx,
                                       s.tiled.ny, 0);
    if (status == RUG_OK)
        status = rugi_ifs_patch_tools_new(ctx, &s.tools, 0);
    if (status == RUG_OK)
        status = show_tiles(&s);
    rugi_ifs_patch_tools_free(ctx, &s.tools);
    rugi_ifs_region_end(ctx, &s.region);
    rugi_ifs_tiled_free(ctx, &s.tiled);
    return status;
}
