/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting of an image in memory: checks the options, finds the foreground, and
 * counts by the method. */

#include "boxcount/labels/boxcount_crop.h"
#include "boxcount_result.h"
#include "core/context/context_internal.h"
#include <rugose/source.h>
#include <string.h>

/* The part of the work of a rule that has yet to be found. */
#define PLAN_SHARE 0.8

/* Packs the pixels, without those outside of the mask, and counts them. */
static rug_status count_packed(rug_context *ctx, rug_boxcount_result *out,
                               const rug_image *img, const rug_image *mask,
                               const rugi_predicate *predicate,
                               rug_boxcount_method method)
{
    static const size_t origin[3] = {0, 0, 0};
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0};
    rugi_bits pixels = {0}, inside = {0};
    rug_status status =
        rugi_bits_new(ctx, &pixels, img->ndim, img->shape, "packed pixels");
    if (status == RUG_OK)
        status = rugi_bits_add(ctx, &pixels, img, predicate, origin);
    if (status == RUG_OK && mask != NULL) {
        rugi_predicate is_inside = rugi_predicate_make(mask->dtype, nonzero);
        status = rugi_bits_new(ctx, &inside, img->ndim, img->shape, "packed mask");
        if (status == RUG_OK)
            status = rugi_bits_add(ctx, &inside, mask, &is_inside, origin);
        if (status == RUG_OK)
            rugi_bits_intersect(&pixels, &inside);
    }
    if (status == RUG_OK)
        status = rugi_boxcount_of_bits(ctx, out, method, &pixels);
    if (status == RUG_OK)
        status = rugi_boxcount_complete(ctx, out, method, mask != NULL ? &inside : NULL);
    rugi_bits_free(ctx, &inside);
    rugi_bits_free(ctx, &pixels);
    return status;
}

/* Counts the pixels as they lie in memory. */
static rug_status count_pixels(rug_context *ctx, rug_boxcount_result *out,
                               const rug_image *img, const rugi_predicate *predicate,
                               rug_boxcount_method method)
{
    rug_status status = rugi_boxcount_of_cells(ctx, out, method, img, predicate);
    return status == RUG_OK ? rugi_boxcount_complete(ctx, out, method, NULL) : status;
}

static rug_status count(rug_context *ctx, rug_boxcount_result *out, const rug_image *img,
                        const rug_boxcount_options *opts, rug_foreground rule)
{
    rug_boxcount_method method = rugi_boxcount_begin(out, img->ndim, img->shape, opts);
    rugi_predicate predicate = rugi_predicate_make(img->dtype, rule);
    out->foreground = rule;
    if (method == RUG_BOXCOUNT_WINDOW || opts->mask != NULL)
        return count_packed(ctx, out, img, opts->mask, &predicate, method);
    return count_pixels(ctx, out, img, &predicate, method);
}

rug_status rugi_boxcount_resolve(rug_context *ctx, rug_foreground *rule,
                                 const rug_image *img, const rug_boxcount_options *opts)
{
    rug_source source = rug_source_of_image(img), mask;
    if (opts->mask != NULL)
        mask = rug_source_of_image(opts->mask);
    return rug_source_resolve_foreground(
        ctx, rule, &source, opts->mask != NULL ? &mask : NULL, NULL, opts->foreground);
}

rug_status rug_boxcount_check_options(rug_context *ctx, const rug_boxcount_options *opts)
{
    static const rug_boxcount_options defaults = RUG_BOXCOUNT_OPTIONS_INIT;
    if (ctx == NULL)
        return RUG_E_ARG;
    return rugi_boxcount_check(ctx, opts != NULL ? opts : &defaults);
}

rug_status rug_boxcount(rug_context *ctx, rug_boxcount_result *out, const rug_image *img,
                        const rug_boxcount_options *opts)
{
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount: NULL given");
    return rugi_boxcount_zeroed(ctx, out, img, opts);
}

rug_status rugi_boxcount_zeroed(rug_context *ctx, rug_boxcount_result *out,
                                const rug_image *img, const rug_boxcount_options *opts)
{
    static const rug_boxcount_options defaults = RUG_BOXCOUNT_OPTIONS_INIT;
    if (opts == NULL)
        opts = &defaults;
    rug_status status = rugi_boxcount_check(ctx, opts);
    if (status == RUG_OK)
        status = rugi_image_check(ctx, img);
    if (status == RUG_OK && opts->mask != NULL)
        status = rugi_image_check_twin(ctx, opts->mask, "mask", img);
    if (status != RUG_OK)
        return status;
    rug_foreground rule;
    double plan_share = rugi_rule_is_open(opts->foreground) ? PLAN_SHARE : 0;
    rugi_phase outer = rugi_phase_enter(ctx, 0, plan_share);
    status = rugi_boxcount_resolve(ctx, &rule, img, opts);
    rugi_phase_leave(ctx, outer);
    if (status != RUG_OK)
        return status;
    outer = rugi_phase_enter(ctx, plan_share, 1);
    status = count(ctx, out, img, opts, rule);
    rugi_phase_leave(ctx, outer);
    if (status != RUG_OK)
        memset(out, 0, sizeof *out);
    return status;
}
