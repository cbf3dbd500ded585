/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An image as a stream of version 3: tile by tile, plane by plane, with one quantiser step. */

#include "ifs_compress_cells.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/stream/ifs_notes.h"
#include "ifs_cell_encode.h"
#include "ifs_cell_image.h"
#include <math.h>
#include <string.h>

/* One coding at work. */
typedef struct coding {
    rug_context *ctx;
    const rugi_ifs_job *job;
    rugi_ifs_tiled tiled;
    rugi_ifs_region region; /* what a decoder makes */
    rugi_ifs_cell_image image;
    rugi_ifs_cell_tables *tables;
    rugi_ifs_coder *coders; /* [tiles] */
    rugi_ifs_cell_effort effort;
} coding;

static rugi_ifs_cell_effort effort_of(unsigned level)
{
    (void)level;
    return (rugi_ifs_cell_effort){.n_tried = 2, .n_tried_small = 2, .n_angles = 8};
}

static rug_status code_plane(coding *c, int plane, uint32_t column, uint32_t row,
                             rugi_ifs_cell_map *maps, rugi_ifs_coder *coder)
{
    rugi_ifs_cell_encoder e = {.ctx = c->ctx,
                               .tables = c->tables,
                               .effort = c->effort,
                               .before = plane > 0 ? &maps[plane - 1] : NULL,
                               .lambda_factor = 0.07};
    e.plane = rugi_ifs_tile_plane(&c->region, plane, column, row, &maps[plane]);
    e.map = maps[plane];
    e.original =
        c->image.samples[plane] + (e.plane.samples - c->region.planes[plane].samples);
    rugi_ifs_write_begin(coder, c->ctx);
    rug_status status = rugi_ifs_write_cells(&e, coder);
    if (status == RUG_OK)
        rugi_ifs_write_end(coder);
    if (plane == 0)
        rugi_ifs_continue_luma(&c->region, column, row);
    return status == RUG_OK && coder->failed ? RUG_E_NOMEM : status;
}

/* The bytes of a tile: those of its planes, all but the last with their length. */
static rug_status join_planes(coding *c, rugi_ifs_part *tile,
                              const rugi_ifs_coder *coders, int n, size_t least)
{
    size_t size = 0;
    for (int i = 0; i < n; i++)
        size += coders[i].n_bytes + (i + 1 < n ? 4 : 0);
    size_t whole = size < least ? least : size;
    uint8_t *bytes = rug_context_allocate(c->ctx, whole, 1, "tile of a stream");
    if (bytes == NULL)
        return RUG_E_NOMEM;
    *tile = (rugi_ifs_part){bytes, whole, 0};
    memset(bytes + size, 0, whole - size);
    for (int i = 0; i < n; i++) {
        size_t m = coders[i].n_bytes;
        for (int k = 0; i + 1 < n && k < 4; k++)
            *bytes++ = (uint8_t)(m >> 8 * k);
        if (m > 0)
            memcpy(bytes, coders[i].bytes, m);
        bytes += m;
    }
    return RUG_OK;
}

static rug_status code_tile(coding *c, uint32_t column, uint32_t row)
{
    rugi_ifs_cell_map maps[RUGI_IFS_CELL_PLANES];
    rugi_ifs_coder coders[RUGI_IFS_CELL_PLANES + 1];
    rug_status status = RUG_OK;
    int n = c->region.n_planes;
    memset(coders, 0, sizeof coders);
    for (int i = 0; i < n && status == RUG_OK; i++)
        status = code_plane(c, i, column, row, maps, &coders[i]);
    if (status == RUG_OK)
        status = join_planes(c, &c->tiled.tiles[row * c->region.n_columns + column],
                             coders, n, rugi_ifs_least_of_tile(&c->tiled, column, row));
    for (int i = 0; i < n; i++)
        rug_context_release(c->ctx, coders[i].bytes);
    return status;
}

static void make_header(coding *c, uint32_t delta)
{
    static const uint32_t sixteenths[RUGI_IFS_CELL_PLANES] = {16, 39, 32};
    const rugi_ifs_job *job = c->job;
    c->tiled = (rugi_ifs_tiled){.nx = job->nx,
                                .ny = job->ny,
                                .tile = job->tile,
                                .is_16 = job->depth == 16,
                                .is_colour = job->n_planes == 3,
                                .halved = job->halved};
    rugi_ifs_find_range(job, &c->tiled);
    for (int i = 0; i < rugi_ifs_cell_planes(&c->tiled); i++)
        c->tiled.planes[i].delta = (delta * sixteenths[i] + 8) / 16;
}

/* What goes with the image, a part of its own. */
static rug_status put_notes(coding *c)
{
    size_t n = rugi_ifs_notes_size(&c->job->notes);
    if (n == 0)
        return RUG_OK;
    uint8_t *bytes = rug_context_allocate(c->ctx, n, 1, "notes of a stream");
    if (bytes == NULL)
        return RUG_E_NOMEM;
    rugi_ifs_notes_write(bytes, &c->job->notes);
    c->tiled.has_notes = 1;
    c->tiled.notes = (rugi_ifs_part){bytes, n, 0};
    return RUG_OK;
}

static void free_tiles(coding *c)
{
    rug_context_release(c->ctx, (uint8_t *)(uintptr_t)c->tiled.notes.bytes);
    for (size_t i = 0;
         c->tiled.tiles != NULL && i < (size_t)c->region.n_columns * c->region.n_rows;
         i++)
        rug_context_release(c->ctx, (uint8_t *)(uintptr_t)c->tiled.tiles[i].bytes);
    rugi_ifs_tiled_free(c->ctx, &c->tiled);
}

rug_status rugi_ifs_compress_cells(rug_context *ctx, rug_ifs_stream *out,
                                   const rugi_ifs_job *job)
{
    coding c = {.ctx = ctx, .job = job, .effort = effort_of(job->level)};
    double delta =
        26 * 16 * exp2((50 - job->target_value) / (job->target_value > 50 ? 10 : 22));
    make_header(&c, (uint32_t)(delta + 0.5));
    rug_status status =
        rugi_ifs_region_begin(ctx, &c.region, &c.tiled, 0, 0, job->nx, job->ny, 0);
    if (status == RUG_OK)
        status = rugi_ifs_cell_image_read(ctx, &c.image, job, &c.region);
    if (status == RUG_OK)
        status = rugi_ifs_cell_tables_new(ctx, &c.tables);
    if (status == RUG_OK) {
        size_t n = (size_t)c.region.n_columns * c.region.n_rows;
        c.tiled.tiles = rug_context_allocate(ctx, n, sizeof *c.tiled.tiles, "tiles");
        if (c.tiled.tiles == NULL)
            status = RUG_E_NOMEM;
        else
            memset(c.tiled.tiles, 0, n * sizeof *c.tiled.tiles);
    }
    for (uint32_t row = 0; row < c.region.n_rows; row++)
        for (uint32_t column = 0; column < c.region.n_columns && status == RUG_OK;
             column++)
            status = code_tile(&c, column, row);
    if (status == RUG_OK)
        status = put_notes(&c);
    if (status == RUG_OK)
        status = rugi_ifs_tiled_write(ctx, out, &c.tiled);
    free_tiles(&c);
    rugi_ifs_cell_image_free(ctx, &c.image);
    rugi_ifs_cell_tables_free(ctx, c.tables);
    rugi_ifs_region_end(ctx, &c.region);
    return status;
}
