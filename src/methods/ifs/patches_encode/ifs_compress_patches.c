/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An image as a stream of version 3: tile by tile, plane by plane, with one quantiser step after
 * another until the target is met. */

#include "ifs_compress_patches.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/encode/ifs_aim.h"
#include "ifs/exact/ifs_exact.h"
#include "ifs/stream/ifs_notes.h"
#include "ifs/stream/ifs_pixel.h"
#include "ifs_patch_encode.h"
#include "ifs_patch_finish.h"
#include "ifs_patch_image.h"
#include "ifs_patch_weights.h"
#include <math.h>
#include <string.h>

static const char what[] = "stream of fractal coding";

/* lambda = this times delta². */
#define LAMBDA_FACTOR 0.07

/* One coding: a header with its parts, each in memory of its own, and what a decoder makes. */
typedef struct coding {
    rugi_ifs_tiled tiled;
    double squared_error; /* of all pixels; only for a PSNR */
} coding;

/* One image at work. */
typedef struct compression {
    rug_context *ctx;
    const rugi_ifs_job *job;
    rugi_ifs_tiled plan; /* the header but for steps and parts */
    rugi_ifs_region region;
    rugi_ifs_patch_image image;
    rugi_ifs_patch_tables *tables;
    rugi_ifs_part *exact; /* [tiles] bytes of exact planes; NULL: none */
    size_t n_tiles;
    coding next, best;
} compression;

/* ---- Parts ---- */

static void free_part(rug_context *ctx, rugi_ifs_part *part)
{
    rug_context_release(ctx, (uint8_t *)(uintptr_t)part->bytes);
    *part = (rugi_ifs_part){.n = 0};
}

static void free_parts(rug_context *ctx, rugi_ifs_part *parts, size_t n)
{
    for (size_t i = 0; parts != NULL && i < n; i++)
        free_part(ctx, &parts[i]);
    rug_context_release(ctx, parts);
}

static rugi_ifs_part *new_parts(const compression *c)
{
    return rugi_allocate_zeros(c->ctx, c->n_tiles, sizeof(rugi_ifs_part), what);
}

static void free_coding(compression *c, coding *coded)
{
    free_parts(c->ctx, coded->tiled.tiles, c->n_tiles);
    free_part(c->ctx, &coded->tiled.filters);
    memset(coded, 0, sizeof *coded);
}

/* ---- Tiles ---- */

/* The bytes of a tile: those of its parts, all but the last with their length. */
static rug_status join_parts(compression *c, rugi_ifs_part *tile,
                             const rugi_ifs_part *parts, int n, size_t least)
{
    size_t size = 0;
    for (int i = 0; i < n; i++)
        size += parts[i].n + (i + 1 < n ? RUGI_IFS_LENGTH_BYTES : 0);
    size_t whole = rugi_larger(size, least);
    uint8_t *bytes = rug_context_allocate(c->ctx, whole, 1, what);
    if (bytes == NULL)
        return RUG_E_NOMEM;
    *tile = (rugi_ifs_part){bytes, whole, 0, 0};
    memset(bytes + size, 0, whole - size);
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) {
            rugi_ifs_put_bytes(bytes, parts[i].n, RUGI_IFS_LENGTH_BYTES);
            bytes += RUGI_IFS_LENGTH_BYTES;
        }
        if (parts[i].n > 0)
            memcpy(bytes, parts[i].bytes, parts[i].n);
        bytes += parts[i].n;
    }
    return RUG_OK;
}

/* Of colours luma tells what is there: few of their other predictions are ever taken. */
static rugi_ifs_patch_effort effort_of_plane(unsigned level, int plane)
{
    rugi_ifs_patch_effort effort = rugi_ifs_patch_effort_of(level);
    if (plane > 0 && level <= RUG_IFS_EFFORT_DEFAULT) {
        effort.n_estimated = effort.n_estimated < 4 ? effort.n_estimated : 4;
        effort.n_tried = 1;
        effort.n_angles = 2;
    }
    return effort;
}

static rug_status code_plane(compression *c, int plane, uint32_t column, uint32_t row,
                             rugi_ifs_patch_map *maps, rugi_ifs_part *part)
{
    rugi_ifs_coder coder;
    rugi_ifs_patch_encoder e = {.ctx = c->ctx,
                                .tables = c->tables,
                                .effort = effort_of_plane(c->job->level, plane),
                                .before = plane > 0 ? &maps[plane - 1] : NULL,
                                .lambda_factor = LAMBDA_FACTOR};
    e.plane = rugi_ifs_tile_plane(&c->region, plane, column, row, &maps[plane]);
    e.map = maps[plane];
    if (c->image.weights != NULL && !c->region.planes[plane].halved) {
        e.weights_pitch = c->region.planes[0].nx / RUGI_IFS_BLOCK;
        e.weights = c->image.weights +
                    row * c->plan.tile / RUGI_IFS_BLOCK * e.weights_pitch +
                    column * c->plan.tile / RUGI_IFS_BLOCK;
        if (e.plane.frame.has_offsets)
            rugi_ifs_find_offsets(&e.map, e.weights, e.weights_pitch);
    }
    e.original =
        c->image.samples[plane] + (e.plane.samples - c->region.planes[plane].samples);
    rugi_ifs_write_begin(&coder, c->ctx);
    rug_status status = rugi_ifs_write_patches(&e, &coder);
    if (status == RUG_OK)
        rugi_ifs_write_end(&coder);
    *part = (rugi_ifs_part){coder.bytes, coder.n_bytes, 0, 0};
    return status == RUG_OK && coder.failed ? RUG_E_NOMEM : status;
}

static rug_status code_tile(compression *c, uint32_t column, uint32_t row)
{
    rugi_ifs_patch_map maps[RUGI_IFS_PATCH_PLANES];
    rugi_ifs_part parts[RUGI_IFS_PATCH_PLANES + 1] = {{0}};
    int n_planes = c->region.n_planes, n = n_planes;
    size_t at = (size_t)row * c->region.n_columns + column;
    rug_status status = RUG_OK;
    for (int i = 0; i < n_planes && status == RUG_OK; i++) {
        RUGI_PHASE(c->ctx, (double)i / n_planes, (i + 1.0) / n_planes, status,
                   code_plane(c, i, column, row, maps, &parts[i]));
        if (i == 0 && status == RUG_OK)
            rugi_ifs_continue_luma(&c->region, column, row);
    }
    if (c->exact != NULL)
        parts[n++] = c->exact[at];
    if (status == RUG_OK)
        status = join_parts(c, &c->next.tiled.tiles[at], parts, n,
                            rugi_ifs_least_of_tile(&c->plan, column, row));
    for (int i = 0; i < n_planes; i++)
        free_part(c->ctx, &parts[i]);
    return status;
}

static rug_status code_tiles(compression *c)
{
    rug_status status = RUG_OK;
    for (size_t i = 0; i < c->n_tiles && status == RUG_OK; i++)
        RUGI_PHASE(c->ctx, (double)i / (double)c->n_tiles,
                   (double)(i + 1) / (double)c->n_tiles, status,
                   code_tile(c, (uint32_t)(i % c->region.n_columns),
                             (uint32_t)(i / c->region.n_columns)));
    return status;
}

/* ---- Exact planes ---- */

/* The values of a tile's exact planes: colours without loss as Y, Co, Cg, alpha last. */
static void read_exact(const compression *c, uint32_t x0, uint32_t y0,
                       const rugi_ifs_exact_frame *frame, int32_t *const *planes)
{
    const rugi_ifs_job *job = c->job;
    int n_colours = c->plan.is_lossless ? job->n_planes : 0;
    for (size_t y = 0, at = 0; y < frame->ny; y++)
        for (size_t x = 0; x < frame->nx; x++, at++) {
            int32_t v[RUG_IFS_PLANES_MAX];
            for (int i = 0; i < n_colours; i++)
                v[i] = rugi_ifs_pixel_of(&job->planes[i], y0 + y, x0 + x) -
                       (int32_t)c->plan.minimum;
            if (n_colours == 3)
                rugi_ifs_to_ycocg(v, c->plan.depth);
            for (int i = 0; i < n_colours; i++)
                planes[i][at] = v[i];
            if (job->has_alpha)
                planes[n_colours][at] =
                    rugi_ifs_pixel_of(&job->planes[job->n_planes], y0 + y, x0 + x);
        }
}

static rug_status code_exact_tile(compression *c, uint32_t column, uint32_t row)
{
    rugi_ifs_exact_frame frame;
    int32_t *planes[RUG_IFS_PLANES_MAX];
    rugi_ifs_coder coder;
    rugi_ifs_exact_tile(&c->plan, column, row, &frame);
    size_t n = (size_t)frame.nx * frame.ny;
    int n_planes = rugi_ifs_exact_planes(&c->plan);
    int32_t *values =
        rug_context_allocate(c->ctx, n * (size_t)n_planes, sizeof *values, what);
    if (values == NULL)
        return RUG_E_NOMEM;
    for (int i = 0; i < n_planes; i++)
        planes[i] = values + (size_t)i * n;
    read_exact(c, column * c->plan.tile, row * c->plan.tile, &frame, planes);
    rugi_ifs_write_begin(&coder, c->ctx);
    rug_status status = rugi_ifs_code_exact(c->ctx, &coder, planes, n_planes, &frame);
    if (status == RUG_OK)
        rugi_ifs_write_end(&coder);
    c->exact[(size_t)row * rugi_ifs_tiles_along(c->plan.nx, c->plan.tile) + column] =
        (rugi_ifs_part){coder.bytes, coder.n_bytes, 0, 0};
    rug_context_release(c->ctx, values);
    return status == RUG_OK && coder.failed ? RUG_E_NOMEM : status;
}

static rug_status code_exact(compression *c)
{
    uint32_t columns = rugi_ifs_tiles_along(c->plan.nx, c->plan.tile);
    rug_status status = RUG_OK;
    if (rugi_ifs_exact_planes(&c->plan) == 0)
        return RUG_OK;
    c->exact = new_parts(c);
    if (c->exact == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < c->n_tiles && status == RUG_OK; i++)
        status = code_exact_tile(c, (uint32_t)(i % columns), (uint32_t)(i / columns));
    return status;
}

/* ---- One step ---- */

/* Δ of a quality. Quantisers that take turns make the error of a step that is a quarter smaller, so
 * that a quality looks as it did without them. */
static uint32_t delta_of(const compression *c, double quality)
{
    uint64_t delta = rugi_ifs_delta_of_quality(quality, c->plan.depth);
    return (uint32_t)((5 * delta + 2) / 4);
}

/* By what the steps of colour exceed those of the least squared error of red, green and blue. The
 * eye forgives more there: as much as makes them as exact as those of AVIF in files of the same
 * size, which is less where steps are large and blotches would be seen. */
static double chroma_factor(const compression *c, uint32_t delta)
{
    /* of a plane with half as many samples a side a pattern's coefficients are half as large */
    double share = c->plan.halved ? 0.5 : 1;
    if (c->job->tune == RUG_IFS_TUNE_PSNR)
        return 1.2 * share;
    double middle = 24 * 16 * (double)(1u << c->plan.depth) / 256;
    double factor = 2.1 * sqrt(sqrt(middle / delta));
    return (factor < 2.6 ? factor : 2.6) * share;
}

/* Errors of Co and Cg reach red, green and blue with a half: their squares are 1/2 and 3/4 of the
 * plane's, those of Y three times, so that steps of sqrt(6) and 2 weigh as
 * much as one of Y. */
static void set_deltas(const compression *c, rugi_ifs_tiled *t, uint32_t delta)
{
    static const double steps[RUGI_IFS_PATCH_PLANES] = {1, 2.44, 2};
    uint32_t chroma =
        c->job->chroma_quality > 0 ? delta_of(c, c->job->chroma_quality) : delta;
    double factor = chroma_factor(c, chroma);
    for (int i = 0; i < rugi_ifs_patch_planes(t); i++) {
        double of_plane = i > 0 ? factor * chroma * steps[i] : delta;
        if (c->image.is_flat[i])
            of_plane = 1; /* a flat plane costs nothing and is exact */
        t->planes[i].delta = of_plane < RUGI_IFS_DELTA_MAX ? (uint32_t)(of_plane + 0.5)
                                                           : RUGI_IFS_DELTA_MAX;
    }
}

static rug_status finish(compression *c)
{
    rugi_ifs_finishing f = {c->ctx, &c->region, &c->image, &c->next.tiled};
    if (c->job->is_preview)
        return RUG_OK;
    rug_status status = rugi_ifs_choose_edges(&f);
    if (status == RUG_OK)
        status = rugi_ifs_choose_filters(&f, LAMBDA_FACTOR);
    if (status == RUG_OK && c->job->target == RUG_IFS_TARGET_PSNR)
        status = rugi_ifs_measure_region(&f, &c->next.squared_error);
    return status;
}

/* Codes with one Δ, in 1/16 of a grey level. */
static rug_status code_once(compression *c, uint32_t delta)
{
    free_coding(c, &c->next);
    c->next.tiled = c->plan;
    c->next.tiled.tiles = new_parts(c);
    if (c->next.tiled.tiles == NULL)
        return RUG_E_NOMEM;
    set_deltas(c, &c->next.tiled, delta);
    c->next.tiled.planes[0].has_offsets = c->image.weights != NULL;
    c->region.tiled = &c->next.tiled;
    rug_status status = RUG_OK;
    RUGI_PHASE(c->ctx, 0, 0.95, status, code_tiles(c));
    rugi_phase outer = rugi_ifs_quiet(c->ctx, 0.95);
    if (status == RUG_OK)
        status = finish(c);
    rugi_phase_leave(c->ctx, outer);
    return status;
}

/* ---- The target ---- */

static uint64_t bytes_of(const compression *c, const rugi_ifs_tiled *t)
{
    uint64_t n =
        rugi_ifs_tiled_header_bytes(t) + t->notes.n + t->filters.n + t->preview.n;
    for (size_t i = 0; i < c->n_tiles; i++)
        n += t->tiles[i].n;
    return n;
}

static rug_status try_delta(void *user, uint32_t delta, rugi_ifs_measured *measured)
{
    compression *c = user;
    rug_status status = code_once(c, delta);
    if (status == RUG_OK)
        *measured =
            (rugi_ifs_measured){bytes_of(c, &c->next.tiled), c->next.squared_error};
    return status;
}

static void keep(void *user)
{
    compression *c = user;
    free_coding(c, &c->best);
    c->best = c->next;
    memset(&c->next, 0, sizeof c->next);
}

static rug_status code_to_target(compression *c)
{
    const rugi_ifs_job *job = c->job;
    rugi_ifs_measured measured;
    if (job->target == RUG_IFS_TARGET_QUALITY) {
        rug_status status = code_once(c, delta_of(c, job->target_value));
        if (status == RUG_OK)
            keep(c);
        return status;
    }
    const rugi_ifs_aim aim = {job, RUGI_IFS_DELTA_MAX >> (16 - c->plan.depth), try_delta,
                              keep, c};
    uint32_t delta = delta_of(c, 50);
    rug_status status = rugi_ifs_find_delta(c->ctx, &aim, &delta, &measured);
    return status == RUG_OK ? rugi_ifs_check_target(c->ctx, job, &measured) : status;
}

/* ---- The small picture that a progressive stream begins with ---- */

/* The mean of the pixels of a square, as far as they are in the image. */
static uint32_t mean_of(const rugi_ifs_job *job, int plane, size_t y0, size_t x0)
{
    uint64_t sum = 0, n = 0;
    for (size_t y = y0; y < y0 + RUGI_IFS_PREVIEW && y < job->ny; y++)
        for (size_t x = x0; x < x0 + RUGI_IFS_PREVIEW && x < job->nx; x++, n++)
            sum += rugi_ifs_pixel_of(&job->planes[plane], y, x);
    return (uint32_t)((sum + n / 2) / n);
}

static void fill_means(void *pixels, const rugi_ifs_job *small, const rugi_ifs_job *job,
                       int plane)
{
    for (size_t y = 0, at = 0; y < small->ny; y++)
        for (size_t x = 0; x < small->nx; x++, at++) {
            uint32_t value =
                mean_of(job, plane, y * RUGI_IFS_PREVIEW, x * RUGI_IFS_PREVIEW);
            if (job->depth == 16)
                ((uint16_t *)pixels)[at] = (uint16_t)value;
            else
                ((uint8_t *)pixels)[at] = (uint8_t)value;
        }
}

static rug_status code_means(rug_context *ctx, rugi_ifs_part *out, rugi_ifs_job *small,
                             const rugi_ifs_job *job, uint8_t *pixels)
{
    rug_image planes[RUG_IFS_PLANES_MAX];
    rug_ifs_stream stream = {NULL, 0};
    size_t bytes = job->depth / 8, n = (size_t)small->nx * small->ny * bytes;
    for (int i = 0; i < job->n_planes; i++) {
        planes[i] = job->planes[i];
        planes[i].data = pixels + (size_t)i * n;
        planes[i].shape[0] = small->ny;
        planes[i].shape[1] = small->nx;
        planes[i].stride[0] = (ptrdiff_t)(small->nx * bytes);
        planes[i].stride[1] = (ptrdiff_t)bytes;
        fill_means(pixels + (size_t)i * n, small, job, i);
    }
    small->planes = planes;
    rug_status status = rugi_ifs_compress_patches(ctx, &stream, small);
    *out = (rugi_ifs_part){stream.bytes, stream.size, 0, 0};
    return status;
}

static rug_status make_preview(rug_context *ctx, rugi_ifs_part *out,
                               const rugi_ifs_job *job, const rugi_ifs_tiled *t)
{
    rugi_ifs_job small = *job;
    small.nx = (job->nx + RUGI_IFS_PREVIEW - 1) / RUGI_IFS_PREVIEW;
    small.ny = (job->ny + RUGI_IFS_PREVIEW - 1) / RUGI_IFS_PREVIEW;
    small.has_alpha = small.is_progressive = 0;
    small.is_preview = 1;
    small.notes = (rug_ifs_notes)RUG_IFS_NOTES_INIT;
    small.bits = t->depth;
    small.minimum = t->minimum;
    small.tile = RUGI_IFS_TILE_UNIT * RUGI_IFS_TILE_MOST;
    if (job->target != RUG_IFS_TARGET_QUALITY) {
        small.target = RUG_IFS_TARGET_QUALITY;
        small.target_value = 50;
    }
    size_t n = (size_t)small.nx * small.ny * (size_t)job->n_planes;
    uint8_t *pixels = rug_context_allocate(ctx, n, job->depth / 8, what);
    rug_status status = RUG_E_NOMEM;
    if (pixels != NULL)
        status = code_means(ctx, out, &small, job, pixels);
    rug_context_release(ctx, pixels);
    return status;
}

/* ---- The image ---- */

static rug_status add_notes(compression *c)
{
    size_t n = rugi_ifs_notes_size(&c->job->notes);
    if (n == 0)
        return RUG_OK;
    uint8_t *bytes = rug_context_allocate(c->ctx, n, 1, what);
    if (bytes == NULL)
        return RUG_E_NOMEM;
    rugi_ifs_notes_write(bytes, &c->job->notes);
    c->plan.notes = (rugi_ifs_part){bytes, n, 0, 0};
    c->plan.has_notes = 1;
    return RUG_OK;
}

/* The header as far as it is known, and the parts that do not depend on the step. */
static rug_status make_plan(compression *c)
{
    const rugi_ifs_job *job = c->job;
    c->plan = (rugi_ifs_tiled){.nx = job->nx,
                               .ny = job->ny,
                               .tile = job->tile,
                               .is_16 = job->depth == 16,
                               .is_colour = job->n_planes == 3,
                               .has_alpha = job->has_alpha,
                               .is_lossless = job->is_lossless,
                               .halved = job->n_planes == 3 ? job->halved : 0};
    rugi_ifs_find_range(job, &c->plan);
    c->n_tiles = (size_t)rugi_ifs_tiles_along(job->nx, job->tile) *
                 rugi_ifs_tiles_along(job->ny, job->tile);
    rug_status status = add_notes(c);
    if (status == RUG_OK && job->is_progressive) {
        status = make_preview(c->ctx, &c->plan.preview, job, &c->plan);
        c->plan.has_preview = 1;
    }
    return status == RUG_OK ? code_exact(c) : status;
}

static rug_status code_lossless(compression *c)
{
    uint32_t columns = rugi_ifs_tiles_along(c->plan.nx, c->plan.tile);
    rug_status status = RUG_OK;
    c->best.tiled = c->plan;
    c->best.tiled.tiles = new_parts(c);
    if (c->best.tiled.tiles == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < c->n_tiles && status == RUG_OK; i++)
        status = join_parts(c, &c->best.tiled.tiles[i], &c->exact[i], 1,
                            rugi_ifs_least_of_tile(&c->plan, (uint32_t)(i % columns),
                                                   (uint32_t)(i / columns)));
    return status;
}

static rug_status weigh(compression *c)
{
    const rugi_ifs_region_plane *luma = &c->region.planes[0];
    size_t n = (size_t)luma->nx * luma->ny / RUGI_IFS_PIXELS;
    c->image.weights = rug_context_allocate(c->ctx, n, sizeof *c->image.weights, what);
    if (c->image.weights == NULL)
        return RUG_E_NOMEM;
    return rugi_ifs_find_weights(c->ctx, c->image.weights, luma, c->image.samples[0]);
}

static rug_status code_patches(compression *c)
{
    rug_status status = rugi_ifs_region_begin(c->ctx, &c->region, &c->plan, 0, 0,
                                              c->job->nx, c->job->ny, 0);
    rugi_phase outer = rugi_ifs_quiet(c->ctx, 0);
    if (status == RUG_OK)
        status = rugi_ifs_patch_image_read(c->ctx, &c->image, c->job, &c->region);
    if (status == RUG_OK)
        status = rugi_ifs_patch_tables_new(c->ctx, &c->tables);
    if (status == RUG_OK && c->job->tune == RUG_IFS_TUNE_SSIM)
        status = weigh(c);
    rugi_phase_leave(c->ctx, outer);
    return status == RUG_OK ? code_to_target(c) : status;
}

static void free_compression(compression *c)
{
    free_coding(c, &c->next);
    free_coding(c, &c->best);
    free_parts(c->ctx, c->exact, c->n_tiles);
    free_part(c->ctx, &c->plan.notes);
    free_part(c->ctx, &c->plan.preview);
    rugi_ifs_patch_image_free(c->ctx, &c->image);
    rugi_ifs_patch_tables_free(c->ctx, c->tables);
    rugi_ifs_region_end(c->ctx, &c->region);
}

rug_status rugi_ifs_compress_patches(rug_context *ctx, rug_ifs_stream *out,
                                     const rugi_ifs_job *job)
{
    compression c = {.ctx = ctx, .job = job};
    rugi_phase outer = rugi_ifs_quiet(ctx, 0);
    rug_status status = make_plan(&c);
    rugi_phase_leave(ctx, outer);
    if (status == RUG_OK)
        status = job->is_lossless ? code_lossless(&c) : code_patches(&c);
    if (status == RUG_OK)
        status = rugi_ifs_tiled_write(ctx, out, &c.best.tiled);
    free_compression(&c);
    return status;
}
