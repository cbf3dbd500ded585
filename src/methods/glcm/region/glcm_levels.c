/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From values to levels: exact ones, or bins of a range. */

#include "glcm_region.h"
#include <math.h>

/* Bins of a width begin at or below the least value, but for rounding: 17 * 0.1 is above
 * 1.7. */
double rugi_glcm_bin_of(const rugi_glcm_binning *b, double v)
{
    double n = b->n_or_width;
    v = v < b->lo ? b->lo : v > b->hi ? b->hi : v;
    if (b->levels == RUG_GLCM_LEVELS_WIDTH) {
        double below = floor((v - b->bin_origin) / n);
        return below < 0 && isfinite(below) ? 1 : 1 + below;
    }
    double range = b->hi - b->lo;
    if (!(range > 0))
        return 1;
    double bin = range < 1e300 ? n * (v - b->lo) / range
                               : n * ((v / 2 - b->lo / 2) / (b->hi / 2 - b->lo / 2));
    bin = floor(bin);
    return bin < n ? bin + 1 : n;
}

/* Where bins of a width begin. */
static double origin_of(const rugi_glcm_binning *b, const rugi_glcm_plan *plan,
                        const rugi_glcm_values *values)
{
    if (plan->origin == RUG_GLCM_ORIGIN_GIVEN)
        return plan->bin_origin;
    if (plan->origin == RUG_GLCM_ORIGIN_ZERO)
        return floor(b->lo / plan->bin_width) * plan->bin_width;
    if (plan->range != RUG_GLCM_RANGE_GIVEN)
        return b->lo;
    return values->n > 0 ? fmin(fmax(values->lo, b->lo), b->hi) : (double)NAN;
}

static void set_range(rugi_glcm_binning *b, const rugi_glcm_plan *plan,
                      const rugi_glcm_values *values)
{
    int roi = plan->range == RUG_GLCM_RANGE_ROI;
    b->lo = roi ? values->lo : plan->range_lo;
    b->hi = roi ? values->hi : plan->range_hi;
    if (roi && values->n == 0)
        b->lo = b->hi = NAN;
    if (b->levels == RUG_GLCM_LEVELS_WIDTH) {
        b->n_or_width = b->bin_width = plan->bin_width;
        b->bin_origin = origin_of(b, plan, values);
        if (plan->origin == RUG_GLCM_ORIGIN_GIVEN) {
            b->lo = fmax(b->lo, b->bin_origin);
            b->hi = fmax(b->hi, b->bin_origin);
        }
        return;
    }
    b->n_or_width = plan->n_levels;
    b->bin_origin = b->lo;
    b->bin_width = b->hi / b->n_or_width - b->lo / b->n_or_width;
}

static rug_status fail_span(rug_context *ctx, uint64_t label, double least, double most)
{
    return rug_context_fail(ctx, RUG_E_ARG,
                            "co-occurrence: the levels of label %llu go from %.17g to "
                            "%.17g, a span of at most %d expected; give a number of "
                            "levels, or wider bins",
                            (unsigned long long)label, least, most, RUG_GLCM_MAX_SPAN);
}

/* Floats are exact levels where all are whole numbers, whose ends integers can be. */
static rug_status whole_floats(rug_context *ctx, rugi_glcm_values *values, uint64_t label)
{
    if (values->n_parts > 0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "co-occurrence: exact levels requested, but label %llu has %llu pixels that are "
            "no whole numbers, such as %.17g; use levels COUNT or WIDTH",
            (unsigned long long)label, (unsigned long long)values->n_parts, values->part);
    if (values->n > 0 && !(fabs(values->lo) < 9e15 && fabs(values->hi) < 9e15))
        return fail_span(ctx, label, values->lo, values->hi);
    values->least = values->n > 0 ? (int64_t)values->lo : 0;
    values->most = values->n > 0 ? (int64_t)values->hi : 0;
    return RUG_OK;
}

/* In a frame, level 0 is a level too. */
static rug_status exact_binning(rug_context *ctx, rugi_glcm_binning *b,
                                const rugi_glcm_plan *plan, const rugi_glcm_values *given,
                                uint64_t label)
{
    rugi_glcm_values values = *given;
    rugi_glcm_i128 shift =
        plan->image.dtype == RUG_U64 ? (rugi_glcm_i128)1 << 63 : (rugi_glcm_i128)0;
    rug_status status = plan->is_float ? whole_floats(ctx, &values, label) : RUG_OK;
    if (status != RUG_OK)
        return status;
    rugi_glcm_i128 least = values.least + shift, most = values.most + shift;
    b->bin_origin = b->bin_width = NAN;
    if (values.n == 0)
        least = most = 0;
    if (plan->is_frame) {
        least = least < 0 ? least : 0;
        most = most > 0 ? most : 0;
    }
    if (most - least >= RUG_GLCM_MAX_SPAN)
        return fail_span(ctx, label, (double)least, (double)most);
    b->span = (uint32_t)(most - least) + 1;
    b->true_base = least;
    b->base = (int64_t)(least - shift);
    b->largest = (double)b->span;
    return RUG_OK;
}

/* Values that are in no region may be in bins far away. */
static uint16_t level_of(const rugi_glcm_binning *b, double v)
{
    double level = rugi_glcm_bin_of(b, v) - (double)b->base;
    return level >= 0 && level < RUG_GLCM_MAX_SPAN ? (uint16_t)level : 0;
}

/* Where there are more integers than values in their range, levels come from a table. */
static void make_table(rugi_glcm_binning *b, const rugi_glcm_values *values,
                       uint16_t table[RUG_GLCM_MAX_SPAN])
{
    uint64_t last = (uint64_t)values->most - (uint64_t)values->least;
    if (b->is_float || last >= RUG_GLCM_MAX_SPAN || last >= values->n)
        return;
    for (uint64_t k = 0; k <= last; k++)
        table[k] =
            level_of(b, rugi_glcm_to_double(values->least + (int64_t)k, b->is_shifted));
    b->table = table;
    b->table_first = values->least;
    b->n_table = (size_t)last + 1;
}

rug_status rugi_glcm_binning_new(rug_context *ctx, rugi_glcm_binning *out,
                                 const rugi_glcm_plan *plan,
                                 const rugi_glcm_values *values, uint64_t label,
                                 uint16_t *table)
{
    *out = (rugi_glcm_binning){.levels = plan->levels,
                               .is_float = plan->is_float,
                               .is_shifted = plan->image.dtype == RUG_U64,
                               .span = 1};
    if (rugi_glcm_is_exact(plan))
        return exact_binning(ctx, out, plan, values, label);
    set_range(out, plan, values);
    double least = values->n > 0 ? rugi_glcm_bin_of(out, values->lo) : 1;
    double most = values->n > 0 ? rugi_glcm_bin_of(out, values->hi) : 1;
    least = plan->is_frame && least > 0 ? 0 : least;
    if (!(most - least < RUG_GLCM_MAX_SPAN) || !(fabs(least) < 9e15))
        return fail_span(ctx, label, least, most);
    out->span = (uint32_t)(most - least) + 1;
    out->base = (int64_t)least;
    out->true_base = out->base;
    out->largest = out->levels == RUG_GLCM_LEVELS_COUNT ? out->n_or_width : most;
    if (table != NULL)
        make_table(out, values, table);
    return RUG_OK;
}

void rugi_glcm_bin(uint16_t *out, const rugi_glcm_binning *b, const void *loaded,
                   size_t n)
{
    const int64_t *integers = loaded;
    const double *doubles = loaded;
    if (b->levels == RUG_GLCM_LEVELS_EXACT && b->is_float) {
        for (size_t i = 0; i < n; i++) {
            double v = isfinite(doubles[i]) ? doubles[i] - (double)b->base : 0;
            out[i] = (uint16_t)(v >= 0 && v < RUG_GLCM_MAX_SPAN ? (uint32_t)v : 0);
        }
        return;
    }
    if (b->levels == RUG_GLCM_LEVELS_EXACT) {
        for (size_t i = 0; i < n; i++)
            out[i] = (uint16_t)((uint64_t)integers[i] - (uint64_t)b->base);
        return;
    }
    for (size_t i = 0; i < n && b->is_float; i++) {
        double v = isfinite(doubles[i]) ? doubles[i] : b->lo;
        out[i] = level_of(b, v);
    }
    for (size_t i = 0; i < n && !b->is_float; i++) {
        uint64_t k = (uint64_t)integers[i] - (uint64_t)b->table_first;
        out[i] = k < b->n_table
                     ? b->table[k]
                     : level_of(b, rugi_glcm_to_double(integers[i], b->is_shifted));
    }
}
