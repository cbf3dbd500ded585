/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Exact planes of tiles, and their colours. */

#include "ifs_exact_region.h"
#include "core/context/context_internal.h"
#include "ifs/stream/ifs_pixel.h"
#include <string.h>

static const char what[] = "exact planes";

rug_status rugi_ifs_exact_region_begin(rug_context *ctx, rugi_ifs_exact_region *r,
                                       const rugi_ifs_tiled *t, uint32_t x, uint32_t y,
                                       uint32_t nx, uint32_t ny)
{
    size_t n = (size_t)nx * ny;
    *r = (rugi_ifs_exact_region){.tiled = t,
                                 .x = x,
                                 .y = y,
                                 .nx = nx,
                                 .ny = ny,
                                 .n_planes = rugi_ifs_exact_planes(t)};
    for (int i = 0; i < r->n_planes; i++) {
        int32_t fill = t->has_alpha && i == r->n_planes - 1 ? t->is_16 ? 65535 : 255 : 0;
        r->planes[i] = rug_context_allocate(ctx, n, sizeof(int32_t), what);
        if (r->planes[i] == NULL)
            return RUG_E_NOMEM;
        for (size_t k = 0; k < n; k++)
            r->planes[i][k] = fill;
    }
    return RUG_OK;
}

void rugi_ifs_exact_region_end(rug_context *ctx, rugi_ifs_exact_region *r)
{
    for (int i = 0; i < RUG_IFS_PLANES_MAX; i++)
        rug_context_release(ctx, r->planes[i]);
    memset(r, 0, sizeof *r);
}

/* The pixel of a tile at `at`, in all planes. */
static void put_pixel(const rugi_ifs_exact_region *r, int32_t *const *planes, size_t at,
                      size_t to)
{
    const rugi_ifs_tiled *t = r->tiled;
    int32_t v[RUG_IFS_PLANES_MAX], most = t->is_16 ? 65535 : 255;
    int n_colours = r->n_planes - (t->has_alpha != 0);
    for (int i = 0; i < r->n_planes; i++)
        v[i] = planes[i][at];
    if (n_colours == 3)
        rugi_ifs_from_ycocg(v, t->depth);
    for (int i = 0; i < r->n_planes; i++) {
        int32_t value = i < n_colours ? v[i] + (int32_t)t->minimum : v[i];
        r->planes[i][to] = value < 0 ? 0 : value > most ? most : value;
    }
}

static void put_tile(const rugi_ifs_exact_region *r, const rugi_ifs_exact_frame *frame,
                     int32_t *const *planes, uint32_t x0, uint32_t y0)
{
    for (uint32_t y = 0; y < frame->ny; y++)
        for (uint32_t x = 0; x < frame->nx; x++) {
            uint32_t at_x = x0 + x, at_y = y0 + y;
            if (at_x < r->x || at_y < r->y || at_x - r->x >= r->nx ||
                at_y - r->y >= r->ny)
                continue;
            put_pixel(r, planes, (size_t)y * frame->nx + x,
                      (size_t)(at_y - r->y) * r->nx + (at_x - r->x));
        }
}

rug_status rugi_ifs_decode_exact_tile(rug_context *ctx, const rugi_ifs_exact_region *r,
                                      uint32_t column, uint32_t row,
                                      const rugi_ifs_part *part)
{
    rugi_ifs_exact_frame frame;
    int32_t *planes[RUG_IFS_PLANES_MAX];
    rugi_ifs_coder coder;
    rugi_ifs_exact_tile(r->tiled, column, row, &frame);
    size_t n = (size_t)frame.nx * frame.ny;
    int32_t *values =
        rug_context_allocate(ctx, n * (size_t)r->n_planes, sizeof *values, what);
    if (values == NULL)
        return RUG_E_NOMEM;
    for (int i = 0; i < r->n_planes; i++)
        planes[i] = values + (size_t)i * n;
    rugi_ifs_read_begin(&coder, part->bytes, part->n);
    rug_status status = rugi_ifs_code_exact(ctx, &coder, planes, r->n_planes, &frame);
    if (status == RUG_OK)
        put_tile(r, &frame, planes, column * r->tiled->tile, row * r->tiled->tile);
    rug_context_release(ctx, values);
    return status;
}
