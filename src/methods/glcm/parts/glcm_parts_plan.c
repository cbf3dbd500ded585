/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the levels of a state are, and the plans for parts and for finishing. */

#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "glcm_contents.h"
#include <math.h>

/* ---- Levels ---- */

static int is_float(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

/* The rules in force, whatever AUTO says. */
typedef struct rules {
    rug_glcm_levels levels;
    rug_glcm_range range;
    int follows_region; /* bins need the range of their region */
} rules;

static rules rules_of(const rug_glcm_options *o, rug_dtype dtype)
{
    rules r = {o->levels, o->range, 0};
    int is_given = o->range == RUG_GLCM_RANGE_GIVEN;
    if (r.levels == RUG_GLCM_LEVELS_AUTO)
        r.levels = is_float(dtype) ? RUG_GLCM_LEVELS_COUNT : RUG_GLCM_LEVELS_EXACT;
    int is_count = r.levels == RUG_GLCM_LEVELS_COUNT;
    if (r.range == RUG_GLCM_RANGE_AUTO)
        r.range = is_count ? RUG_GLCM_RANGE_IMAGE : RUG_GLCM_RANGE_ROI;
    if (r.range == RUG_GLCM_RANGE_IMAGE && o->labels == NULL)
        r.range = RUG_GLCM_RANGE_ROI; /* the image is the only region */
    int is_default = o->resegment && isfinite(o->resegment_lo); /* begins there */
    int is_free = o->origin == RUG_GLCM_ORIGIN_MIN || o->origin == RUG_GLCM_ORIGIN_ZERO ||
                  (o->origin == RUG_GLCM_ORIGIN_AUTO && !is_given && !is_default);
    if (r.levels == RUG_GLCM_LEVELS_EXACT)
        return r;
    r.follows_region = r.range == RUG_GLCM_RANGE_ROI
                           ? is_count || is_free
                           : is_given && o->origin == RUG_GLCM_ORIGIN_MIN;
    return r;
}

/* Whether a range that is given says what the bins are. */
static int is_range_used(const rug_glcm_options *o, const rules *r)
{
    if (r->levels == RUG_GLCM_LEVELS_EXACT)
        return 0;
    return r->range == RUG_GLCM_RANGE_IMAGE ||
           (r->range == RUG_GLCM_RANGE_ROI && o->labels == NULL && r->follows_region);
}

rug_status rugi_glcm_parts_take_range(rug_context *ctx, rug_glcm_parts *p,
                                      const rug_image_range *given)
{
    rules r = rules_of(&p->opts, p->dtype);
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_status status = RUGI_TAKE(ctx, &range, given, "rug_image_range");
    if (status != RUG_OK)
        return status;
    p->is_exact = r.levels == RUG_GLCM_LEVELS_EXACT;
    p->has_range = given != NULL && is_range_used(&p->opts, &r);
    p->is_binned = !p->is_exact && (p->has_range || !r.follows_region);
    if (p->has_range) {
        p->range_lo = range.min;
        p->range_hi = range.max;
        int is_none = isnan(range.min) && isnan(range.max);
        int is_some = isfinite(range.min) && isfinite(range.max);
        if (!is_none && !(is_some && range.min <= range.max))
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "co-occurrence: range %g..%g of the image given, two "
                                    "finite numbers expected, the lower first",
                                    range.min, range.max);
        return RUG_OK;
    }
    if (r.levels != RUG_GLCM_LEVELS_EXACT && r.range == RUG_GLCM_RANGE_IMAGE)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "co-occurrence in parts: bins of the range of the image, which no part shows; "
            "measure it first and give it (rug_source_measure_range()), or use range GIVEN");
    if (r.follows_region && is_float(p->dtype))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "co-occurrence in parts: bins of %s, which no part shows, and values of %s, "
            "which are too many to be kept; use bins of range GIVEN, or of origin GIVEN%s",
            p->opts.labels != NULL ? "the range of each region"
                                   : "the range of the image",
            rug_dtype_name(p->dtype),
            p->opts.labels != NULL ? "" : ", or give the range");
    return RUG_OK;
}

/* ---- Plans ---- */

static rug_status read_nothing(rug_context *ctx, void *user, rug_image *out, size_t first,
                               size_t n)
{
    (void)user;
    (void)out;
    (void)first;
    (void)n;
    return rug_context_fail(ctx, RUG_E_ARG, "co-occurrence in parts: no pixels are left");
}

/* The whole image, whose pixels are gone. */
static rug_source source_of(const rug_glcm_parts *p)
{
    rug_source source = RUG_SOURCE_INIT;
    source.dtype = p->dtype;
    source.ndim = p->ndim;
    for (int a = 0; a < p->ndim; a++)
        source.shape[a] = p->shape[3 - p->ndim + a];
    source.read = read_nothing;
    return source;
}

/* Values are exact levels until the end. */
static void make_exact(rug_glcm_options *o)
{
    o->levels = RUG_GLCM_LEVELS_EXACT;
    o->n_levels = 0;
    o->bin_width = 0;
    o->range = RUG_GLCM_RANGE_AUTO;
    o->range_lo = o->range_hi = 0;
    o->origin = RUG_GLCM_ORIGIN_AUTO;
    o->bin_origin = 0;
}

rug_status rugi_glcm_parts_plan(rug_context *ctx, rugi_glcm_plan *out,
                                const rug_glcm_parts *p, const rug_source *source,
                                const rug_source *mask, const rug_source *labels)
{
    rug_glcm_options o = p->opts;
    rug_source whole = source_of(p);
    int of_values = !p->is_binned && !p->is_exact && source != NULL;
    o.mask = mask;
    o.labels = labels;
    if (of_values)
        make_exact(&o);
    else if (!p->is_exact && o.range != RUG_GLCM_RANGE_GIVEN &&
             o.range != RUG_GLCM_RANGE_TYPE)
        o.range = RUG_GLCM_RANGE_ROI; /* nothing is measured here */
    rug_status status =
        rugi_glcm_plan_begin(ctx, out, source != NULL ? source : &whole, &o);
    if (status != RUG_OK)
        return status;
    if (p->has_range) {
        out->range = RUG_GLCM_RANGE_IMAGE;
        out->range_lo = p->range_lo;
        out->range_hi = p->range_hi;
    }
    if (of_values && p->opts.range == RUG_GLCM_RANGE_GIVEN) {
        out->clamp_lo = p->opts.range_lo;
        out->clamp_hi = p->opts.range_hi;
    }
    if (source != NULL) {
        out->with_entries = 1;
        out->with_mcc = out->with_all = 0;
    }
    return RUG_OK;
}
