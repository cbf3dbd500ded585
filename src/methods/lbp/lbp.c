/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns: the public functions, for an image, for the planes of a volume and
 * for a source. They check what they are given; lbp_run.c does the work. */

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

static rug_status check(rug_context *ctx, const rug_image *image,
                        const rug_lbp_options *opts)
{
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_lbp_options"))
        return RUG_E_ARG;
    rug_status status = rugi_image_check(ctx, image);
    if (status == RUG_OK)
        status = check_planes(ctx, image, opts);
    if (status == RUG_OK && opts->mask != NULL)
        status = rugi_image_check_twin(ctx, opts->mask, "mask", image);
    if (status == RUG_OK && opts->labels != NULL)
        status = rugi_image_check_twin(ctx, opts->labels, "label image", image);
    return status;
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

/* The part of a call that finding the regions of labels is. */
#define LABELS_SHARE 0.2

rug_status rug_lbp(rug_context *ctx, rug_lbp_result **out, const rug_image *image,
                   const rug_lbp_options *opts)
{
    static const rug_lbp_options defaults = RUG_LBP_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check(ctx, image, opts);
    if (status == RUG_OK)
        status = rug_lbp_check_options(ctx, opts);
    if (status != RUG_OK)
        return status;
    const rug_image *given[3] = {image, opts->mask, opts->labels};
    planes views[3] = {{.unpacked = NULL}};
    rug_regions *regions = NULL;
    for (int i = 0; i < 3 && status == RUG_OK; i++)
        if (given[i] != NULL)
            status = make_planes(ctx, &views[i], given[i], opts->planes);
    double share = opts->labels != NULL ? LABELS_SHARE : 0;
    if (opts->labels != NULL)
        RUGI_PHASE(ctx, 0, share, status,
                   rug_regions_find(ctx, &regions, &views[2].volume));
    RUGI_PHASE(ctx, share, 1, status, run_image(ctx, out, views, opts, regions));
    rug_regions_free(regions);
    for (int i = 0; i < 3; i++)
        rug_context_release(ctx, views[i].unpacked);
    return status;
}

/* ---- A source ---- */

static rug_status check_source(rug_context *ctx, const rug_source *source,
                               const rug_source *mask, const rug_lbp_options *opts)
{
    rug_status status = rugi_source_check(ctx, source, mask);
    if (status == RUG_OK)
        status = rug_lbp_check_options(ctx, opts);
    if (status != RUG_OK)
        return status;
    if (source->ndim != 2 || opts->planes != RUG_LBP_PLANES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "planes of a volume are coded only in memory: read the "
                                "whole volume, and its mask");
    if (opts->labels != NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "labels are counted only in memory: read the whole image, "
            "and its mask");
    return RUG_OK;
}

rug_status rug_lbp_source(rug_context *ctx, rug_lbp_result **out,
                          const rug_source *source, const rug_source *mask,
                          const rug_lbp_options *opts)
{
    static const rug_lbp_options defaults = RUG_LBP_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || source == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_source: NULL given");
    if (opts == NULL)
        opts = &defaults;
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_lbp_options"))
        return RUG_E_ARG;
    rug_lbp_options o = *opts;
    o.mask = NULL;
    if (rugi_source_is_memory(source) && (mask == NULL || rugi_source_is_memory(mask))) {
        o.mask = mask != NULL ? mask->user : NULL;
        return rug_lbp(ctx, out, source->user, &o);
    }
    rug_status status = check_source(ctx, source, mask, &o);
    return status == RUG_OK ? rugi_lbp_run_source(ctx, out, source, mask, &o) : status;
}
