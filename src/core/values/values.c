/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The values of an image in parts. Values of 8 and 16 bits are counted by level, which says
 * everything. Of others the range and a few distinct values are kept, of floats also how many lie in
 * each quarter of an octave; with the range of an earlier round their levels are counted, too. */

#include "core/blocks/partial_blocks.h"
#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "core/image/number.h"
#include "core/image/predicate.h"
#include "core/image/source_internal.h"
#include "values_state.h"
#include <stdint.h>
#include <stdio.h>

/* ---- Begin and end ---- */

static rug_status take_range(rug_context *ctx, rug_values *v,
                             const rug_image_range *given)
{
    rug_image_range own = RUG_IMAGE_RANGE_INIT;
    rug_status status = RUGI_TAKE(ctx, &own, given, "rug_image_range");
    if (status != RUG_OK || given == NULL || rugi_values_is_narrow(v->dtype) ||
        (isnan(own.min) && isnan(own.max)))
        return status;
    const rugi_exact min = {own.min, own.min_rest}, max = {own.max, own.max_rest};
    if (!rugi_values_is_possible(v->dtype, min) ||
        !rugi_values_is_possible(v->dtype, max) || rugi_exact_is_less(max, min))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "values: range %.17g..%.17g given, that of pixels of %s "
                                "expected",
                                own.min, own.max, rug_dtype_name(v->dtype));
    v->has_range = rugi_exact_is_less(min, max);
    v->range = own;
    return RUG_OK;
}

/* The range of a type of 8 or 16 bits. */
static rug_image_range range_of_type(rug_dtype dtype)
{
    rug_image_range r = RUG_IMAGE_RANGE_INIT;
    int is_signed = dtype == RUG_I8 || dtype == RUG_I16;
    r.max = rug_dtype_size(dtype) == 1 ? UINT8_MAX : UINT16_MAX;
    if (is_signed) {
        r.min = -(r.max + 1) / 2;
        r.max = (r.max - 1) / 2;
    }
    return r;
}

static rug_status begin(rug_context *ctx, rug_values *v)
{
    rug_dtype dtype = rugi_segment_dtype(v->dtype);
    rug_image_range range =
        rugi_values_is_narrow(dtype) ? range_of_type(dtype) : v->range;
    rug_status status = RUG_OK;
    if (rugi_values_has_histogram(v)) {
        v->histogram = rugi_histogram_plan(dtype, &range, rugi_values_is_real(dtype));
        status = rugi_histogram_begin(ctx, &v->histogram, 1);
    }
    if (status == RUG_OK && rugi_values_is_real(dtype)) {
        v->octaves = rugi_allocate_zeros(ctx, 1, sizeof *v->octaves, "octaves");
        status = v->octaves != NULL ? RUG_OK : RUG_E_NOMEM;
    }
    return status;
}

rug_status rug_values_new(rug_context *ctx, rug_values **out, rug_dtype dtype, int ndim,
                          const size_t *shape, const rug_values_options *opts)
{
    static const rugi_range_facts no_facts = RUGI_RANGE_FACTS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_values_new: NULL given");
    rug_values_options o = RUG_VALUES_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, &o, opts, "rug_values_options");
    if (status == RUG_OK && o.unused != 0)
        status = rug_context_fail(ctx, RUG_E_ARG,
                                  "rug_values_options: %u given for `unused`, 0 expected",
                                  (unsigned)o.unused);
    if (status == RUG_OK && (unsigned)dtype >= RUG_N_DTYPES)
        status =
            rug_context_fail(ctx, RUG_E_ARG, "values of dtype %d given, 0..%d expected",
                             (int)dtype, RUG_N_DTYPES - 1);
    if (status == RUG_OK)
        status = rugi_shape_check(ctx, ndim, shape);
    if (status != RUG_OK)
        return status;
    rug_values *v = rugi_allocate_zeros(ctx, 1, sizeof *v, "values");
    if (v == NULL)
        return RUG_E_NOMEM;
    v->ctx = ctx;
    v->dtype = dtype;
    v->ndim = ndim;
    v->has_mask = o.has_mask != 0;
    v->facts = no_facts;
    for (int a = 0; a < 3; a++)
        v->shape[a] = a >= 3 - ndim ? shape[a - (3 - ndim)] : 1;
    status = take_range(ctx, v, o.range);
    if (status == RUG_OK)
        status = begin(ctx, v);
    if (status == RUG_OK)
        *out = v;
    else
        rug_values_free(v);
    return status;
}

void rug_values_free(rug_values *v)
{
    if (v == NULL)
        return;
    rugi_cover_free(v->ctx, &v->cover);
    rugi_histogram_free(v->ctx, &v->histogram);
    rug_context_release(v->ctx, v->octaves);
    rug_context_release(v->ctx, v);
}

/* ---- Parts ---- */

static rug_status add_pixels(rug_context *ctx, rug_values *v, const rug_source *part,
                             const rug_source *mask)
{
    rug_status status = RUG_OK;
    if (!rugi_values_is_narrow(v->dtype)) {
        rugi_range_facts facts;
        status = rugi_range_measure(ctx, &facts, part, mask);
        if (status == RUG_OK)
            rugi_range_merge(&v->facts, &facts);
    }
    if (status == RUG_OK && v->octaves != NULL)
        status = rugi_octaves_count(ctx, v->octaves, part, mask);
    if (status == RUG_OK && rugi_values_has_histogram(v))
        status = rugi_histogram_count(ctx, &v->histogram, part, mask);
    return status;
}

/* Nanoseconds of work for each pixel, at least. */
#define PIXEL_WORK 0.5

rug_status rug_values_add(rug_context *ctx, rug_values *v, const rug_image *part,
                          const rug_image *mask, const size_t *first)
{
    if (ctx == NULL || v == NULL || first == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_values_add: NULL given");
    rugi_box place;
    rug_status status =
        rugi_part_check(ctx, &place, v->ndim, v->shape, part, mask, v->has_mask, first);
    if (status == RUG_OK && part->dtype != v->dtype)
        status = rug_context_fail(ctx, RUG_E_ARG, "part of dtype %s given, %s expected",
                                  rug_dtype_name(part->dtype), rug_dtype_name(v->dtype));
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &v->cover, place);
    if (status != RUG_OK)
        return status;
    rug_source source = rugi_source_of_image(part), inside = {0};
    if (mask != NULL)
        inside = rugi_source_of_image(mask);
    RUGI_WORK(ctx, PIXEL_WORK * rugi_source_pixels(&source), status,
              add_pixels(ctx, v, &source, mask != NULL ? &inside : NULL));
    return status;
}

static void format_range(char text[96], const rug_values *v)
{
    char ends[2][RUGI_REAL_TEXT_MAX];
    rugi_format_exact(ends[0], v->range.min, v->range.min_rest);
    rugi_format_exact(ends[1], v->range.max, v->range.max_rest);
    snprintf(text, 96, v->has_range ? "%s..%s" : "none", ends[0], ends[1]);
}

/* Whether two values are equal. */
static int is_same(rugi_exact a, rugi_exact b)
{
    return !rugi_exact_is_less(a, b) && !rugi_exact_is_less(b, a);
}

/* Whether two ranges, which are not flat, are equal. */
static int is_same_range(const rug_image_range *a, const rug_image_range *b)
{
    return is_same((rugi_exact){a->min, a->min_rest},
                   (rugi_exact){b->min, b->min_rest}) &&
           is_same((rugi_exact){a->max, a->max_rest}, (rugi_exact){b->max, b->max_rest});
}

static rug_status check_match(rug_context *ctx, const rug_values *given,
                              const rug_values *expected)
{
    static const rug_foreground none = {RUG_FOREGROUND_NONZERO, 0, 0};
    const rugi_parts_whole a = {given->ndim, given->shape, given->has_mask, none},
                           b = {expected->ndim, expected->shape, expected->has_mask,
                                none};
    rug_status status = rugi_parts_check_same(ctx, &a, &b);
    if (status == RUG_OK && given->dtype != expected->dtype)
        status = rugi_parts_differ(ctx, "dtype", rug_dtype_name(given->dtype),
                                   rug_dtype_name(expected->dtype));
    if (status != RUG_OK ||
        (given->has_range == expected->has_range &&
         (!given->has_range || is_same_range(&given->range, &expected->range))))
        return status;
    char ranges[2][96];
    format_range(ranges[0], given);
    format_range(ranges[1], expected);
    return rugi_parts_differ(ctx, "range", ranges[0], ranges[1]);
}

/* Adds counts of the same bins. */
static void merge_histogram(rugi_histogram *h, const rugi_histogram *other)
{
    h->has_parts |= other->has_parts;
    for (size_t bin = 0; bin < h->n_bins; bin++)
        atomic_fetch_add_explicit(&h->counts[bin], rugi_histogram_at(other, bin),
                                  memory_order_relaxed);
    for (size_t bin = 0; h->lowest != NULL && bin < h->n_bins; bin++)
        if (rugi_exact_is_less(other->lowest[bin], h->lowest[bin]))
            h->lowest[bin] = other->lowest[bin];
}

rug_status rug_values_merge(rug_context *ctx, rug_values *v, const rug_values *other)
{
    if (ctx == NULL || v == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_values_merge: NULL given");
    rug_status status = check_match(ctx, other, v);
    if (status == RUG_OK)
        status = rugi_cover_merge(ctx, &v->cover, &other->cover);
    if (status != RUG_OK)
        return status;
    rugi_range_merge(&v->facts, &other->facts);
    if (rugi_values_has_histogram(v))
        merge_histogram(&v->histogram, &other->histogram);
    if (v->octaves != NULL)
        rugi_octaves_merge(v->octaves, other->octaves);
    return RUG_OK;
}

/* ---- What follows ---- */

/* The range of values that are counted by level. */
static rug_image_range range_of_levels(const rugi_histogram *h)
{
    rug_image_range r = RUG_IMAGE_RANGE_INIT;
    r.min = r.max = NAN;
    for (size_t bin = 0; bin < h->n_bins; bin++) {
        if (rugi_histogram_at(h, bin) == 0)
            continue;
        r.max = rugi_histogram_level(h, bin).value;
        r.min = r.n_distinct == 0 ? r.max : r.min;
        r.distinct_is_min |= r.n_distinct == RUG_DISTINCT_MAX;
        r.n_distinct += r.n_distinct < RUG_DISTINCT_MAX;
    }
    return r;
}

static rug_image_range range_of(const rug_values *v)
{
    return rugi_values_is_narrow(v->dtype) ? range_of_levels(&v->histogram)
                                           : rugi_range_of_facts(&v->facts);
}

rug_status rug_values_range(rug_context *ctx, rug_image_range *out, const rug_values *v)
{
    rug_status status = rugi_clear(ctx, out, "rug_image_range");
    if (ctx == NULL)
        return RUG_E_ARG;
    if (status == RUG_OK && v == NULL)
        status = rug_context_fail(ctx, RUG_E_ARG, "rug_values_range: NULL given");
    if (status == RUG_OK)
        status = rugi_cover_check_whole(ctx, &v->cover, v->shape, "values");
    if (status == RUG_OK) {
        rug_image_range range = range_of(v);
        RUGI_GIVE(out, &range);
    }
    return status;
}

rug_status rug_values_unit(rug_context *ctx, int *unit_exponent, const rug_values *v)
{
    if (unit_exponent != NULL)
        *unit_exponent = 0;
    if (ctx == NULL || unit_exponent == NULL || v == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_values_unit: NULL given");
    rug_status status = rugi_cover_check_whole(ctx, &v->cover, v->shape, "values");
    if (status == RUG_OK && v->octaves != NULL)
        *unit_exponent = rugi_octaves_exponent(v->octaves);
    return status;
}

int rug_values_must_count(const rug_values *v, rug_foreground asked)
{
    if (v == NULL || rugi_values_has_histogram(v) || !rugi_rule_is_open(asked))
        return 0;
    rug_image_range range = range_of(v);
    return !rugi_rule_of_range(&asked, &range, asked);
}

/* A level of whole floats, or of integers of 8 or 16 bits, that was counted. */
static void copy_count(rugi_histogram *exact, const rug_values *v, size_t bin)
{
    const rugi_histogram *h = &v->histogram;
    uint64_t count = rugi_histogram_at(h, bin);
    rugi_exact e = h->is_exact ? rugi_histogram_level(h, bin) : h->lowest[bin];
    rugi_whole level;
    if (count == 0 || !rugi_whole_of(&level, e.value, e.rest))
        return;
    uint64_t to = level.bits - exact->least.bits;
    if (to < exact->n_bins)
        atomic_store_explicit(&exact->counts[to], count, memory_order_relaxed);
}

/* Otsu's threshold of exact levels.
 *  @param exact  the plan for them */
static rug_status otsu_of_levels(rug_context *ctx, rugi_exact *out, const rug_values *v,
                                 rugi_histogram *exact)
{
    rug_status status = rugi_histogram_begin(ctx, exact, 0);
    for (size_t bin = 0; bin < v->histogram.n_bins && status == RUG_OK; bin++)
        copy_count(exact, v, bin);
    if (status == RUG_OK)
        *out = rugi_histogram_level(exact, rugi_histogram_otsu(exact) + 1);
    rugi_histogram_free(ctx, exact);
    return status;
}

/* The same of equal bins, where it is the least value of the upper class. */
static rugi_exact otsu_of_bins(const rugi_histogram *h)
{
    rugi_exact least = {INFINITY, 0};
    for (size_t bin = rugi_histogram_otsu(h) + 1; bin < h->n_bins; bin++)
        if (rugi_exact_is_less(h->lowest[bin], least))
            least = h->lowest[bin];
    return least;
}

static rug_status find_threshold(rug_context *ctx, rugi_exact *out, const rug_values *v,
                                 const rug_image_range *range)
{
    if (!rugi_values_has_histogram(v))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "values: levels of %s that were counted expected; begin "
                                "once more with the range of the whole image",
                                rug_dtype_name(v->dtype));
    if (v->has_range && !is_same_range(&v->range, range))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "values: range %.17g..%.17g given, but the pixels have "
                                "%.17g..%.17g",
                                v->range.min, v->range.max, range->min, range->max);
    rugi_histogram plan =
        rugi_histogram_plan(v->histogram.dtype, range, v->histogram.has_parts);
    if (plan.is_exact)
        return otsu_of_levels(ctx, out, v, &plan);
    *out = otsu_of_bins(&v->histogram);
    return RUG_OK;
}

static rug_status resolve(rug_context *ctx, rug_foreground *out, const rug_values *v,
                          rug_foreground asked)
{
    rug_image_range range = range_of(v);
    rugi_exact threshold = {0, 0};
    if (rugi_rule_of_range(out, &range, asked))
        return rugi_rule_take(ctx, out, *out);
    rug_status status = find_threshold(ctx, &threshold, v, &range);
    out->value = threshold.value;
    out->rest = threshold.rest;
    return status;
}

rug_status rug_values_resolve(rug_context *ctx, rug_foreground *out, const rug_values *v,
                              rug_foreground asked)
{
    rug_foreground resolved;
    if (ctx == NULL || out == NULL || v == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_values_resolve: NULL given");
    rug_status status = rugi_cover_check_whole(ctx, &v->cover, v->shape, "values");
    if (status == RUG_OK)
        status = rugi_rule_take(ctx, &resolved, asked);
    if (status == RUG_OK && rugi_rule_is_open(asked))
        status = resolve(ctx, &resolved, v, asked);
    if (status == RUG_OK)
        *out = resolved;
    return status;
}
