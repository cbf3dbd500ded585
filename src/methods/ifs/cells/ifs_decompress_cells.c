/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From a stream of version 3 to a picture: the tiles of the wanted region, each on its own, edges
 * smoothed, then colours and the wanted size. */

#include "ifs_decompress_cells.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/decode/ifs_picture.h"
#include "ifs_cell_picture.h"
#include <string.h>

typedef struct decompression {
    rug_context *ctx;
    rugi_ifs_tiled tiled;
    rugi_ifs_region region;
    rugi_ifs_cell_tools tools;
    const rug_ifs_decode_options *opts;
    rug_ifs_picture *picture;
} decompression;

static rug_status decode_tiles(decompression *d)
{
    rug_status status = RUG_OK;
    uint64_t n_roots = 0;
    uint32_t across = rugi_ifs_tiles_along(d->tiled.nx, d->tiled.tile);
    for (uint32_t row = 0; row < d->region.n_rows; row++)
        for (uint32_t column = 0; column < d->region.n_columns && status == RUG_OK;
             column++) {
            rugi_ifs_part parts[RUGI_IFS_CELL_PLANES + 1];
            const rugi_ifs_part *tile =
                &d->tiled
                     .tiles[(d->region.row + row) * across + d->region.column + column];
            status = rugi_ifs_split_tile(d->ctx, &d->tiled, tile, parts, 0);
            if (status == RUG_OK)
                status = rugi_ifs_decode_tile(d->ctx, &d->region, &d->tools, column, row,
                                              parts, 0, &n_roots);
        }
    return status;
}

static void smooth_task(void *shared, size_t task, int thread)
{
    const rugi_ifs_cell_edges *e = shared;
    (void)thread;
    rugi_ifs_smooth_left_edges(e, (uint32_t)task, (uint32_t)task + 1);
}

static void smooth_upper_task(void *shared, size_t task, int thread)
{
    const rugi_ifs_cell_edges *e = shared;
    (void)thread;
    rugi_ifs_smooth_upper_edges(e, (uint32_t)task, (uint32_t)task + 1);
}

static rug_status smooth(decompression *d)
{
    rug_status status = RUG_OK;
    for (int i = 0; i < d->region.n_planes && status == RUG_OK; i++) {
        rugi_ifs_cell_edges e = rugi_ifs_edges_of(&d->region, i);
        size_t n = d->region.planes[i].ny / RUGI_IFS_BLOCK;
        if (e.strength == 0)
            continue;
        status = rugi_parallel_for(d->ctx, n, smooth_task, &e);
        if (status == RUG_OK)
            status = rugi_parallel_for(d->ctx, n, smooth_upper_task, &e);
    }
    return status;
}

static rug_status fill(decompression *d)
{
    rug_ifs_picture *p = d->picture;
    size_t nx = d->region.nx, ny = d->region.ny, bytes = d->tiled.is_16 ? 2 : 1;
    int n_planes = rugi_ifs_picture_planes(&d->tiled);
    p->pixels =
        rug_context_allocate(d->ctx, nx * ny, bytes * (size_t)n_planes, "picture");
    int32_t *values = rug_context_allocate(d->ctx, 3 * nx, sizeof *values, "row");
    if (p->pixels == NULL || values == NULL) {
        rug_context_release(d->ctx, values);
        return RUG_E_NOMEM;
    }
    p->dtype = bytes == 2 ? RUG_U16 : RUG_U8;
    p->n_planes = n_planes;
    p->nx = (uint32_t)nx;
    p->ny = (uint32_t)ny;
    p->share = 1;
    for (size_t y = 0; y < ny; y++) {
        rugi_ifs_region_row(&d->region, y, values);
        rugi_ifs_values_to_pixels(&d->tiled, values, nx);
        for (size_t i = 0; i < (size_t)d->region.n_planes; i++)
            for (size_t x = 0; x < nx; x++) {
                if (bytes == 2)
                    ((uint16_t *)p->pixels)[(i * ny + y) * nx + x] =
                        (uint16_t)values[i * nx + x];
                else
                    ((uint8_t *)p->pixels)[(i * ny + y) * nx + x] =
                        (uint8_t)values[i * nx + x];
            }
    }
    rug_context_release(d->ctx, values);
    return RUG_OK;
}

rug_status rugi_ifs_decompress_cells(rug_context *ctx, rug_ifs_picture *out,
                                     const uint8_t *bytes, size_t size,
                                     const rug_ifs_decode_options *opts)
{
    decompression d = {.ctx = ctx, .opts = opts, .picture = out};
    rug_status status = rugi_ifs_tiled_read(ctx, &d.tiled, bytes, size, 0);
    if (status == RUG_OK)
        status = rugi_ifs_region_begin(ctx, &d.region, &d.tiled, 0, 0, d.tiled.nx,
                                       d.tiled.ny, 0);
    if (status == RUG_OK)
        status = rugi_ifs_cell_tools_new(ctx, &d.tools, 0);
    if (status == RUG_OK)
        status = decode_tiles(&d);
    if (status == RUG_OK)
        status = smooth(&d);
    if (status == RUG_OK)
        status = fill(&d);
    rugi_ifs_cell_tools_free(ctx, &d.tools);
    rugi_ifs_region_end(ctx, &d.region);
    rugi_ifs_tiled_free(ctx, &d.tiled);
    return status;
}
