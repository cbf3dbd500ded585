/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From a stream of version 3 to a picture: the tiles of the wanted region, each on its own, edges
 * smoothed, then the wanted size and colours. */

#include "ifs_decompress_patches.h"
#include "core/context/context_internal.h"
#include "core/context/crc.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/decode/ifs_picture.h"
#include "ifs/decode/ifs_size.h"
#include "ifs_exact_region.h"
#include "ifs_patch_filter.h"
#include <string.h>

static const char what[] = "decoded picture";

/* Pixels about a region whose values depend on what lies beyond it. */
#define MARGIN 32

/* One call. */
typedef struct decompression {
    rug_context *ctx;
    const rug_ifs_decode_options *opts;
    rugi_ifs_tiled tiled;
    uint32_t crop_x, crop_y, crop_nx, crop_ny; /* the region, in pixels of the image */
    uint32_t nx, ny;                           /* wanted */
    unsigned octave;
    rugi_ifs_region region; /* tiles with what lies about it */
    rugi_ifs_region coded;  /* the same at octave 0, where the octave is another one */
    rugi_ifs_patch_tools coded_tools;
    rugi_ifs_exact_region exact;
    rugi_ifs_patch_tools tools;
    rug_status *statuses; /* [tiles] */
    uint32_t *n_roots;    /* [tiles][planes] */
    rug_ifs_picture *picture;
} decompression;

/* ---- What is wanted ---- */

static rug_status check_options(const decompression *d)
{
    const rug_ifs_decode_options *o = d->opts;
    if (o->frame != NULL || o->iterations != 0)
        return rug_context_fail(
            d->ctx, RUG_E_ARG,
            "%s asked for of a stream of version 3, which is decoded in one pass: leave "
            "them out, or code the image as version 1, by FIXED or OVERLAP",
            o->frame != NULL ? "frames of iterations are" : "iterations are");
    return RUG_OK;
}

static rug_status check_exact(const decompression *d)
{
    if (!d->tiled.is_lossless || d->octave == 0)
        return RUG_OK;
    return rug_context_fail(
        d->ctx, RUG_E_ARG,
        "a lossless stream of %u x %u pixels cannot be decoded to %u x %u; decode it at "
        "its own size and enlarge that with rug_ifs_upscale() (rugose upscale)",
        d->crop_nx, d->crop_ny, d->nx, d->ny);
}

/* Along one side: what a region depends on, from `from` on, and the pixels of its tiles. */
typedef struct reach {
    uint32_t from, n, n_tiled;
} reach;

static reach reach_of(uint32_t crop, uint32_t crop_n, uint32_t n, uint32_t tile)
{
    uint32_t from = crop > MARGIN ? crop - MARGIN : 0;
    uint32_t to = n - crop - crop_n > MARGIN ? crop + crop_n + MARGIN : n;
    uint64_t end = ((uint64_t)(to - 1) / tile + 1) * tile;
    return (reach){from, to - from, (uint32_t)(end < n ? end : n) - from / tile * tile};
}

static reach reach_x(const decompression *d)
{
    return reach_of(d->crop_x, d->crop_nx, d->tiled.nx, d->tiled.tile);
}

static reach reach_y(const decompression *d)
{
    return reach_of(d->crop_y, d->crop_ny, d->tiled.ny, d->tiled.tile);
}

/* The region and its size in the picture. */
static rug_status choose_what(decompression *d, size_t size)
{
    const rugi_ifs_tiled *t = &d->tiled;
    const int n_planes = rugi_ifs_picture_planes(t);
    const rugi_ifs_size image = {t->nx, t->ny, n_planes, t->is_16 ? 16 : 8};
    uint32_t crop[4];
    rug_status status = rugi_ifs_check_pixels(d->ctx, &image, size, d->opts->pixels_max);
    if (status == RUG_OK)
        status = rugi_ifs_choose_crop(d->ctx, d->opts, t->nx, t->ny, crop);
    if (status != RUG_OK)
        return status;
    d->crop_x = crop[0];
    d->crop_y = crop[1];
    d->crop_nx = crop[2];
    d->crop_ny = crop[3];
    const rugi_ifs_wanted wanted = {
        crop[2],        crop[3], reach_x(d).n_tiled, reach_y(d).n_tiled,
        RUGI_IFS_BLOCK, n_planes};
    status = rugi_ifs_choose_size(d->ctx, &wanted, d->opts, &d->nx, &d->ny, &d->octave);
    return status == RUG_OK ? check_exact(d) : status;
}

/* The tiles that hold the region and what it depends on. */
static rug_status begin_region(decompression *d)
{
    const rugi_ifs_tiled *t = &d->tiled;
    reach x = reach_x(d), y = reach_y(d);
    rug_status status =
        rugi_ifs_region_begin(d->ctx, &d->region, t, x.from, y.from, x.n, y.n, d->octave);
    if (status == RUG_OK && d->octave > 0)
        status = rugi_ifs_region_begin(d->ctx, &d->coded, t, x.from, y.from, x.n, y.n, 0);
    if (status == RUG_OK)
        status = rugi_ifs_exact_region_begin(d->ctx, &d->exact, t, d->crop_x, d->crop_y,
                                             d->crop_nx, d->crop_ny);
    return status;
}

/* ---- Tiles ---- */

static size_t n_tiles(const decompression *d)
{
    return (size_t)d->region.n_columns * d->region.n_rows;
}

static const rugi_ifs_part *tile_of(const decompression *d, size_t i)
{
    uint32_t column = d->region.column + (uint32_t)(i % d->region.n_columns),
             row = d->region.row + (uint32_t)(i / d->region.n_columns);
    return &d->tiled
                .tiles[(size_t)row * rugi_ifs_tiles_along(d->tiled.nx, d->tiled.tile) +
                       column];
}

static rug_status decode_tile(rug_context *ctx, const decompression *d, size_t i)
{
    rugi_ifs_part parts[RUGI_IFS_PATCH_PLANES + 1];
    const rugi_ifs_part *tile = tile_of(d, i);
    int n_patches = rugi_ifs_patch_planes(&d->tiled);
    uint32_t column = (uint32_t)(i % d->region.n_columns),
             row = (uint32_t)(i / d->region.n_columns);
    rug_status status = rugi_ifs_split_tile(ctx, &d->tiled, tile, parts);
    if (status == RUG_OK && n_patches > 0 && d->octave > 0)
        status = rugi_ifs_decode_tile(ctx, &d->coded, NULL, &d->coded_tools, column, row,
                                      parts, d->n_roots + i * (size_t)n_patches, NULL);
    if (status == RUG_OK && n_patches > 0)
        status = rugi_ifs_decode_tile(ctx, &d->region, d->octave > 0 ? &d->coded : NULL,
                                      &d->tools, column, row, parts,
                                      d->n_roots + i * (size_t)n_patches, NULL);
    if (status == RUG_OK && d->exact.n_planes > 0 && !parts[n_patches].is_cut)
        status = rugi_ifs_decode_exact_tile(ctx, &d->exact, d->region.column + column,
                                            d->region.row + row, &parts[n_patches]);
    return status;
}

/* A context of its own, since threads would write their errors over each other. */
static void decode_task(void *shared, size_t i, int thread)
{
    const decompression *d = shared;
    rug_context own = rugi_context_quiet(d->ctx);
    (void)thread;
    d->statuses[i] = decode_tile(&own, d, i);
}

/* The first tile that fails is decoded again, for its message. */
static rug_status tell_first(const decompression *d)
{
    for (size_t i = 0; i < n_tiles(d); i++)
        if (d->statuses[i] == RUG_E_CANCELLED)
            return rug_context_fail(d->ctx, RUG_E_CANCELLED, "cancelled");
        else if (d->statuses[i] != RUG_OK)
            return decode_tile(d->ctx, d, i);
    return RUG_OK;
}

/* Samples of a tile, of all its planes.
 * @param done  is set: those that were decoded */
static uint64_t samples_of(const decompression *d, size_t i, uint64_t *done)
{
    const size_t root = (size_t)RUGI_IFS_BLOCK * RUGI_IFS_BLOCK;
    uint32_t column = (uint32_t)(i % d->region.n_columns),
             row = (uint32_t)(i / d->region.n_columns);
    int n_planes = d->region.n_planes;
    uint64_t n = 0;
    rugi_ifs_exact_frame exact;
    rugi_ifs_exact_tile(&d->tiled, d->region.column + column, d->region.row + row,
                        &exact);
    *done = 0;
    for (int p = 0; p < n_planes; p++) {
        rugi_ifs_patch_map map;
        rugi_ifs_patch_plane plane =
            rugi_ifs_tile_plane(&d->region, p, column, row, &map);
        n += (uint64_t)plane.frame.nx * plane.frame.ny;
        *done += d->n_roots[i * (size_t)n_planes + (size_t)p] * root;
    }
    uint64_t n_exact = (uint64_t)exact.nx * exact.ny * (uint64_t)d->exact.n_planes;
    *done += tile_of(d, i)->is_cut ? 0 : n_exact;
    return n + n_exact;
}

/* What was decoded of what was asked for. */
static double share_of(const decompression *d)
{
    uint64_t n = 0, all = 0, done;
    for (size_t i = 0; i < n_tiles(d); i++, n += done)
        all += samples_of(d, i, &done);
    return (double)n / (double)all;
}

static rug_status decode_tiles(decompression *d)
{
    size_t n = n_tiles(d), n_planes = (size_t)d->region.n_planes;
    d->statuses = rugi_allocate_zeros(d->ctx, n, sizeof *d->statuses, what);
    d->n_roots =
        rugi_allocate_zeros(d->ctx, n * (n_planes + 1), sizeof *d->n_roots, what);
    if (d->statuses == NULL || d->n_roots == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_parallel_for(d->ctx, n, decode_task, d);
    if (status == RUG_OK)
        status = tell_first(d);
    if (status == RUG_OK)
        d->picture->share = share_of(d);
    return status;
}

/* ---- A stream that is cut off ---- */

/* The small picture, as far as there is one. */
static rug_status fill_from_preview(decompression *d, rugi_ifs_tiled *small)
{
    rugi_ifs_part parts[RUGI_IFS_PATCH_PLANES + 1];
    rugi_ifs_patch_tools tools = {.octave = 0};
    uint32_t n_roots[RUGI_IFS_PATCH_PLANES];
    rugi_ifs_region region;
    rug_status status =
        rugi_ifs_region_begin(d->ctx, &region, small, 0, 0, small->nx, small->ny, 0);
    if (status == RUG_OK)
        status = rugi_ifs_patch_tools_new(d->ctx, &tools, 0);
    if (status == RUG_OK)
        status = rugi_ifs_split_tile(d->ctx, small, &small->tiles[0], parts);
    if (status == RUG_OK)
        status = rugi_ifs_decode_tile(d->ctx, &region, NULL, &tools, 0, 0, parts, n_roots,
                                      NULL);
    if (status == RUG_OK)
        rugi_ifs_fill_missing(&d->region, &region, d->n_roots);
    rugi_ifs_patch_tools_free(d->ctx, &tools);
    rugi_ifs_region_end(d->ctx, &region);
    return status;
}

static int fits(const rugi_ifs_tiled *t, const rugi_ifs_tiled *small)
{
    return small->nx == (t->nx + RUGI_IFS_PREVIEW - 1) / RUGI_IFS_PREVIEW &&
           small->ny == (t->ny + RUGI_IFS_PREVIEW - 1) / RUGI_IFS_PREVIEW &&
           small->tile >= small->nx && small->tile >= small->ny &&
           small->depth == t->depth && small->minimum == t->minimum &&
           small->is_colour == t->is_colour && small->halved == t->halved &&
           !small->has_alpha && !small->is_lossless;
}

static rug_status fill_missing(decompression *d)
{
    const rugi_ifs_tiled *t = &d->tiled;
    rugi_ifs_tiled small = {0};
    if (!(d->picture->share < 1) || d->region.n_planes == 0)
        return RUG_OK;
    if (!t->has_preview || t->preview.is_cut) {
        rugi_ifs_fill_missing(&d->region, NULL, d->n_roots);
        return RUG_OK;
    }
    rug_status status =
        rugi_ifs_is_tiled(t->preview.bytes, t->preview.n)
            ? rugi_ifs_tiled_read(d->ctx, &small, t->preview.bytes, t->preview.n, 0)
            : RUG_E_FORMAT;
    if (status != RUG_OK || !fits(t, &small))
        status =
            rug_context_fail(d->ctx, RUG_E_FORMAT,
                             "the small picture of the stream is none of this image: "
                             "it is damaged");
    else
        status = fill_from_preview(d, &small);
    rugi_ifs_tiled_free(d->ctx, &small);
    return status;
}

/* ---- Edges ---- */

static rug_status smooth(decompression *d)
{
    rug_status status = RUG_OK;
    for (int i = 0; i < d->region.n_planes && status == RUG_OK; i++) {
        rugi_ifs_patch_edges e = rugi_ifs_edges_of(&d->region, i);
        status = rugi_ifs_smooth_edges(d->ctx, &e);
    }
    return status;
}

/* ---- Filters ---- */

static rug_status read_filters(decompression *d, rugi_ifs_plane_filters *filters)
{
    const rugi_ifs_part *part = &d->tiled.filters;
    rugi_ifs_coder coder;
    if (rugi_crc(part->bytes, part->n) != part->crc)
        return rug_context_fail(d->ctx, RUG_E_FORMAT,
                                "the checksum of the stream's filters is wrong: it is "
                                "damaged, fetch it again");
    rugi_ifs_read_begin(&coder, part->bytes, part->n);
    rugi_ifs_code_plane_filters(&coder, filters, &d->tiled);
    if (coder.failed)
        return rug_context_fail(d->ctx, RUG_E_FORMAT,
                                "the stream has filters that cannot be: it is damaged");
    return RUG_OK;
}

static rug_status filter(decompression *d)
{
    rugi_ifs_plane_filters filters;
    if (!d->tiled.has_filters || d->tiled.filters.is_cut)
        return RUG_OK;
    rug_status status = rugi_ifs_plane_filters_begin(d->ctx, &filters, &d->tiled);
    if (status == RUG_OK)
        status = read_filters(d, &filters);
    for (int i = 0; i < d->region.n_planes && status == RUG_OK; i++)
        status = rugi_ifs_filter_plane(d->ctx, &d->region, i, &filters);
    rugi_ifs_plane_filters_end(d->ctx, &filters);
    return status;
}

/* ---- The picture ---- */

static void put_row(const decompression *d, int plane, size_t y, const int32_t *values)
{
    const rug_ifs_picture *p = d->picture;
    size_t at = ((size_t)plane * p->ny + y) * p->nx;
    if (p->dtype != RUG_U16) {
        d->tools.kernels.narrow((uint8_t *)p->pixels + at, values, p->nx);
        return;
    }
    uint16_t *to = (uint16_t *)p->pixels + at;
    for (size_t x = 0; x < p->nx; x++)
        to[x] = (uint16_t)values[x];
}

/* Rows of the picture, and what they are made of: samples at the picture's size, or the region as
 * it is. */
typedef struct filling {
    const decompression *d;
    const int32_t *resized; /* [planes][ny][nx]; NULL: the region has the size */
    int32_t *rows;          /* [threads][planes][nx] */
} filling;

static void fill_row(void *shared, size_t y, int thread)
{
    const filling *f = shared;
    const decompression *d = f->d;
    size_t nx = d->nx, n = (size_t)d->region.n_planes;
    int32_t *rows = f->rows + (size_t)thread * RUG_IFS_PLANES_MAX * nx;
    for (size_t i = 0; i < n; i++)
        if (f->resized == NULL)
            rugi_ifs_region_row(
                &d->region, (int)i, y + ((size_t)(d->crop_y - d->region.y) << d->octave),
                (size_t)(d->crop_x - d->region.x) << d->octave, nx, rows + i * nx);
        else
            memcpy(rows + i * nx, f->resized + (i * d->ny + y) * nx, nx * sizeof *rows);
    rugi_ifs_samples_to_pixels(&d->tools.kernels, &d->tiled, rows, nx);
    for (size_t i = 0; i < n; i++)
        put_row(d, (int)i, y, rows + i * nx);
}

static rug_status fill_rows(decompression *d, const int32_t *resized)
{
    filling f = {.d = d, .resized = resized};
    size_t n = (size_t)rugi_loop_threads(d->ctx, d->ny) * RUG_IFS_PLANES_MAX * d->nx;
    f.rows = rug_context_allocate(d->ctx, n, sizeof *f.rows, what);
    rug_status status =
        f.rows != NULL ? rugi_parallel_for(d->ctx, d->ny, fill_row, &f) : RUG_E_NOMEM;
    rug_context_release(d->ctx, f.rows);
    return status;
}

/* A plane of the region at the wanted size. */
static rug_status resize(decompression *d, int plane, int32_t *large, int32_t *out)
{
    size_t nx = (size_t)d->crop_nx << d->octave, ny = (size_t)d->crop_ny << d->octave;
    size_t x = (size_t)(d->crop_x - d->region.x) << d->octave,
           y = (size_t)(d->crop_y - d->region.y) << d->octave;
    const rugi_ifs_view view = {large, nx, nx, ny};
    for (size_t i = 0; i < ny; i++)
        rugi_ifs_region_row(&d->region, plane, y + i, x, nx, large + i * nx);
    return rugi_ifs_resize(d->ctx, out, d->nx, d->ny, &view);
}

static rug_status fill_patches(decompression *d)
{
    if (d->region.n_planes == 0)
        return RUG_OK;
    if (d->nx == d->crop_nx << d->octave && d->ny == d->crop_ny << d->octave)
        return fill_rows(d, NULL);
    size_t n = (size_t)d->nx * d->ny, n_planes = (size_t)d->region.n_planes;
    int32_t *resized = rug_context_allocate(d->ctx, n * n_planes, sizeof *resized, what);
    int32_t *large =
        rug_context_allocate(d->ctx, (size_t)d->crop_nx << d->octave,
                             ((size_t)d->crop_ny << d->octave) * sizeof *large, what);
    rug_status status = resized != NULL && large != NULL ? RUG_OK : RUG_E_NOMEM;
    for (size_t i = 0; i < n_planes && status == RUG_OK; i++)
        status = resize(d, (int)i, large, resized + i * n);
    rug_context_release(d->ctx, large);
    if (status == RUG_OK)
        status = fill_rows(d, resized);
    rug_context_release(d->ctx, resized);
    return status;
}

/* Exact planes of the wanted size. */
static void copy_exact(const decompression *d)
{
    for (int i = 0; i < d->exact.n_planes; i++)
        for (size_t y = 0; y < d->ny; y++)
            put_row(d, d->region.n_planes + i, y, d->exact.planes[i] + y * d->nx);
}

/* Exact planes, which are pixels already: enlarged by repeating them. */
static rug_status resize_exact(decompression *d)
{
    size_t nx = (size_t)d->crop_nx << d->octave, ny = (size_t)d->crop_ny << d->octave;
    rug_status status = RUG_OK;
    int32_t *large = rug_context_allocate(d->ctx, nx * ny, sizeof *large, what);
    int32_t *small =
        rug_context_allocate(d->ctx, (size_t)d->nx * d->ny, sizeof *small, what);
    if (large == NULL || small == NULL)
        status = RUG_E_NOMEM;
    for (int i = 0; i < d->exact.n_planes && status == RUG_OK; i++) {
        const int32_t *from = d->exact.planes[i];
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++)
                large[y * nx + x] =
                    from[(y >> d->octave) * d->crop_nx + (x >> d->octave)];
        const rugi_ifs_view view = {large, nx, nx, ny};
        status = rugi_ifs_resize(d->ctx, small, d->nx, d->ny, &view);
        for (size_t y = 0; y < d->ny && status == RUG_OK; y++)
            put_row(d, d->region.n_planes + i, y, small + y * d->nx);
    }
    rug_context_release(d->ctx, large);
    rug_context_release(d->ctx, small);
    return status;
}

static rug_status fill_exact(decompression *d)
{
    if (d->exact.n_planes > 0 && (d->nx != d->crop_nx || d->ny != d->crop_ny))
        return resize_exact(d);
    copy_exact(d);
    return RUG_OK;
}

static rug_status new_picture(decompression *d)
{
    rug_ifs_picture *p = d->picture;
    size_t bytes = d->tiled.is_16 ? 2 : 1;
    p->n_planes = rugi_ifs_picture_planes(&d->tiled);
    p->pixels = rug_context_allocate(d->ctx, (size_t)d->nx * d->ny,
                                     bytes * (size_t)p->n_planes, what);
    p->dtype = bytes == 2 ? RUG_U16 : RUG_U8;
    p->nx = d->nx;
    p->ny = d->ny;
    return p->pixels != NULL ? RUG_OK : RUG_E_NOMEM;
}

static rug_status decode(decompression *d)
{
    rug_status status = begin_region(d);
    if (status == RUG_OK)
        status = rugi_ifs_patch_tools_new(d->ctx, &d->tools, d->octave);
    if (status == RUG_OK && d->octave > 0)
        status = rugi_ifs_patch_tools_new(d->ctx, &d->coded_tools, 0);
    RUGI_PHASE(d->ctx, 0, 1, status, decode_tiles(d));
    rugi_phase outer = rugi_phase_enter(d->ctx, 1, 1);
    if (status == RUG_OK)
        status = fill_missing(d);
    if (status == RUG_OK)
        status = smooth(d);
    if (status == RUG_OK)
        status = filter(d);
    if (status == RUG_OK)
        status = new_picture(d);
    if (status == RUG_OK)
        status = fill_patches(d);
    if (status == RUG_OK)
        status = fill_exact(d);
    rugi_phase_leave(d->ctx, outer);
    return status;
}

rug_status rugi_ifs_decompress_patches(rug_context *ctx, rug_ifs_picture *out,
                                       const uint8_t *bytes, size_t size,
                                       const rug_ifs_decode_options *opts)
{
    decompression d = {.ctx = ctx, .opts = opts, .picture = out};
    rug_status status = rugi_ifs_tiled_read(ctx, &d.tiled, bytes, size, opts->partial);
    if (status == RUG_OK)
        status = check_options(&d);
    if (status == RUG_OK)
        status = choose_what(&d, size);
    if (status == RUG_OK)
        status = decode(&d);
    rug_context_release(ctx, d.statuses);
    rug_context_release(ctx, d.n_roots);
    rugi_ifs_patch_tools_free(ctx, &d.tools);
    rugi_ifs_patch_tools_free(ctx, &d.coded_tools);
    rugi_ifs_region_end(ctx, &d.coded);
    rugi_ifs_exact_region_end(ctx, &d.exact);
    rugi_ifs_region_end(ctx, &d.region);
    rugi_ifs_tiled_free(ctx, &d.tiled);
    return status;
}
