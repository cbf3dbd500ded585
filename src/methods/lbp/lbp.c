/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns: the public functions, for an image, for the planes of a volume and
 * for a source. They check what they are given; lbp_run.c does the work. */

#include "core/context/sized.h"
#include "core/image/image_internal.h"
#include "core/image/source_internal.h"
#include "lbp/run/lbp_stream.h"
#include <string.h>

static rug_status check_planes(rug_context *ctx, const rug_image *image,
                               const rug_lbp_options *opts)
{
    if (image->ndim == 3 && opts->planes == RUG_LBP_PLANES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a volume given: choose the planes to be coded, XY, XZ "
                                "or YZ");
    if (image->ndim == 2 && opts->planes != RUG_LBP_PLANES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "planes of a volume requested, but an image given");
    return RUG_OK;
}

/* What goes with an image in memory. */
typedef struct twins {
    rugi_twin mask, labels;
} twins;

static rug_status open_twins(rug_context *ctx, twins *t, const rug_image *image,
                             const rug_lbp_options *opts)
{
    rug_status status = rugi_twin_open(ctx, &t->mask, opts->mask, "mask", image);
    return status == RUG_OK
               ? rugi_twin_open(ctx, &t->labels, opts->labels, "label image", image)
               : status;
}

static void close_twins(rug_context *ctx, twins *t)
{
    rugi_twin_close(ctx, &t->mask);
    rugi_twin_close(ctx, &t->labels);
}

/* ---- Planes ---- */

/* An image as a volume whose slices are the planes. */
typedef struct planes {
    rug_image volume;
    void *unpacked; /* its pixels, where they had to be copied */
} planes;

/* Packed pixels are packed along x: planes of which x is no axis are made of bytes. */
static rug_status unpack(rug_context *ctx, planes *p)
{
    const rug_image packed = p->volume, *v = &packed;
    uint8_t *bytes = rug_context_allocate(ctx, (size_t)rug_image_pixels(v), 1, "planes");
    if (bytes == NULL)
        return RUG_E_NOMEM;
    p->unpacked = bytes;
    for (size_t z = 0; z < v->shape[0]; z++)
        for (size_t y = 0; y < v->shape[1]; y++) {
            const uint8_t *row = rugi_image_row(v, z, y);
            for (size_t x = 0; x < v->shape[2]; x++)
                *bytes++ = row[x / 8] >> x % 8 & 1;
        }
    return rug_image_view(ctx, &p->volume, p->unpacked, RUG_U8, 3, v->shape);
}

/* Gives a view the axes `order` of another. */
static rug_image with_axes(const rug_image *v, const int order[3])
{
    rug_image out = *v;
    for (int a = 0; a < 3; a++) {
        out.shape[a] = v->shape[order[a]];
        out.stride[a] = v->stride[order[a]];
        out.spacing[a] = v->spacing[order[a]];
    }
    return out;
}

static rug_status make_planes(rug_context *ctx, planes *out, const rug_image *image,
                              rug_lbp_planes which)
{
    static const int axes[][3] = {{0, 1, 2}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
    *out = (planes){.volume = rugi_image_with_z(image)};
    if (image->dtype == RUG_BIT && which == RUG_LBP_PLANES_YZ) {
        rug_status status = unpack(ctx, out);
        if (status != RUG_OK)
            return status;
    }
    out->volume = with_axes(&out->volume, axes[which]);
    return RUG_OK;
}

/* One plane. */
static rug_image plane_at(const rug_image *volume, size_t i)
{
    rug_image out = *volume;
    out.ndim = 2;
    out.data = (const char *)volume->data + (ptrdiff_t)i * volume->stride[0];
    for (int a = 0; a < 2; a++) {
        out.shape[a] = volume->shape[a + 1];
        out.stride[a] = volume->stride[a + 1];
        out.spacing[a] = volume->spacing[a + 1];
    }
    return out;
}

/* ---- An image or a volume ---- */

static rug_status run_planes(rug_context *ctx, rugi_lbp_run *run, const rug_image *image,
                             const rug_image *mask)
{
    rug_status status = RUG_OK;
    size_t n = image->shape[0];
    for (size_t i = 0; i < n && status == RUG_OK; i++) {
        rugi_lbp_part part = {.rows = plane_at(image, i), .slice = i, .to = run->ny};
        if (run->has_mask)
            part.mask = plane_at(mask, i);
        RUGI_PHASE(ctx, (double)i / (double)n, (double)(i + 1) / (double)n, status,
                   rugi_lbp_run_part(ctx, run, &part));
    }
    return status;
}

static rug_status run_image(rug_context *ctx, rug_lbp_result **out, const planes views[3],
                            const rug_lbp_options *opts, rug_regions *regions)
{
    const rug_image *image = &views[0].volume;
    rugi_lbp_run run = {.opts = opts,
                        .nx = image->shape[2],
                        .ny = image->shape[1],
                        .has_mask = opts->mask != NULL,
                        .regions = regions};
    rug_status status = rugi_lbp_run_begin(ctx, &run);
    if (status == RUG_OK)
        status = run_planes(ctx, &run, image, &views[1].volume);
    if (status == RUG_OK) {
        rugi_lbp_result_close(run.result);
        *out = run.result;
    } else {
        rug_lbp_free(run.result);
    }
    rugi_lbp_run_end(ctx, &run);
    return status;
}

/* A plane with the axes of the image that it comes of: places in it are named so. */
static rug_image as_given(const rug_image *volume, const rug_image *given)
{
    rug_image plane = *volume;
    if (given->ndim == 3)
        return plane;
    plane.ndim = 2;
    for (int a = 0; a < 2; a++) {
        plane.shape[a] = volume->shape[a + 1];
        plane.stride[a] = volume->stride[a + 1];
        plane.spacing[a] = volume->spacing[a + 1];
    }
    return plane;
}

/* The part of a call that finding the regions of labels is. */
#define LABELS_SHARE 0.2

static rug_status code(rug_context *ctx, rug_lbp_result **out, const rug_image *image,
                       const twins *t, const rug_lbp_options *opts)
{
    const rug_image *given[3] = {image, t->mask.image, t->labels.image};
    planes views[3] = {{.unpacked = NULL}};
    rug_regions *regions = NULL;
    rug_status status = RUG_OK;
    for (int i = 0; i < 3 && status == RUG_OK; i++)
        if (given[i] != NULL)
            status = make_planes(ctx, &views[i], given[i], opts->planes);
    double share = given[2] != NULL ? LABELS_SHARE : 0;
    if (given[2] != NULL && status == RUG_OK) {
        rug_image labels = as_given(&views[2].volume, given[2]);
        RUGI_PHASE(ctx, 0, share, status, rug_regions_find(ctx, &regions, &labels));
    }
    RUGI_PHASE(ctx, share, 1, status, run_image(ctx, out, views, opts, regions));
    rug_regions_free(regions);
    for (int i = 0; i < 3; i++)
        rug_context_release(ctx, views[i].unpacked);
    return status;
}

/* rug_lbp() with options of our own. */
static rug_status code_image(rug_context *ctx, rug_lbp_result **out,
                             const rug_image *image, const rug_lbp_options *opts)
{
    twins t = {.mask = {.image = NULL}};
    rug_status status = rugi_image_check(ctx, image);
    if (status == RUG_OK)
        status = check_planes(ctx, image, opts);
    if (status == RUG_OK)
        status = rug_lbp_check_options(ctx, opts);
    RUGI_PHASE(ctx, 0, 0, status, open_twins(ctx, &t, image, opts));
    if (status == RUG_OK)
        status = code(ctx, out, image, &t, opts);
    close_twins(ctx, &t);
    return status;
}

rug_status rug_lbp(rug_context *ctx, rug_lbp_result **out, const rug_image *image,
                   const rug_lbp_options *opts)
{
    rug_lbp_options own = RUG_LBP_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp: NULL given");
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_lbp_options");
    return status == RUG_OK ? code_image(ctx, out, image, &own) : status;
}

/* ---- A source ---- */

/* rug_lbp_source() of a source that is not in memory. */
static rug_status code_source(rug_context *ctx, rug_lbp_result **out,
                              const rug_source *source, const rug_lbp_options *opts)
{
    rug_source own_mask, own_labels;
    const rug_source *mask, *labels = NULL;
    rug_regions *regions = NULL;
    if (source->ndim != 2 || opts->planes != RUG_LBP_PLANES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "planes of a volume are coded only in memory: read the "
                                "whole volume");
    rug_status status = rug_lbp_check_options(ctx, opts);
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &own_mask, &mask, opts->mask, "mask", source);
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &own_labels, &labels, opts->labels,
                                       "label image", source);
    double share = labels != NULL ? LABELS_SHARE : 0;
    if (labels != NULL)
        RUGI_PHASE(ctx, 0, share, status, rug_regions_find_source(ctx, &regions, labels));
    RUGI_PHASE(ctx, share, 1, status,
               rugi_lbp_run_source(ctx, out, source, mask, regions, opts));
    rug_regions_free(regions);
    return status;
}

rug_status rug_lbp_source(rug_context *ctx, rug_lbp_result **out,
                          const rug_source *source, const rug_lbp_options *opts)
{
    rug_lbp_options own = RUG_LBP_OPTIONS_INIT;
    rug_source from;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_source: NULL given");
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_lbp_options");
    if (status == RUG_OK)
        status = rugi_source_take(ctx, &from, source, "source");
    if (status != RUG_OK)
        return status;
    return rugi_source_is_memory(&from) ? code_image(ctx, out, from.user, &own)
                                        : code_source(ctx, out, &from, &own);
}
