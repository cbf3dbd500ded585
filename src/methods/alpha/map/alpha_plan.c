/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Options of alpha checked and turned into the numbers that engines need, and what is outside
 * of a mask. */

#include "alpha_plan.h"
#include "alpha_log.h"
#include "core/context/context_internal.h"
#include "core/image/image_internal.h"
#include "core/image/predicate.h"
#include <math.h>
#include <string.h>

static rug_status check_range(rug_context *ctx, double min, double max)
{
    if (min == 0 && max == 0)
        return RUG_OK;
    if (isfinite(min) && isfinite(max) && min < max && isfinite(max - min))
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "alpha: range %g..%g given, two finite numbers expected, the lower "
        "one first; or 0 and 0 for the range of the image",
        min, max);
}

rug_status rugi_alpha_check(rug_context *ctx, const rug_alpha_options *opts)
{
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_alpha_options"))
        return RUG_E_ARG;
    if ((unsigned)opts->measure > RUG_ALPHA_ISO)
        return rug_context_fail(ctx, RUG_E_ARG, "alpha: measure %d given, 0..%d expected",
                                (int)opts->measure, RUG_ALPHA_ISO);
    if (opts->n_windows < 2 || opts->n_windows > RUG_ALPHA_MAX_WINDOWS)
        return rug_context_fail(ctx, RUG_E_ARG, "alpha: %u windows given, 2..%d expected",
                                opts->n_windows, RUG_ALPHA_MAX_WINDOWS);
    if (!(opts->iso_tolerance >= 0 && opts->iso_tolerance <= DBL_MAX))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "alpha: a tolerance of %g given, a finite number of at least 0 expected",
            opts->iso_tolerance);
    if (opts->n_slices < 1 || opts->n_slices > RUG_ALPHA_MAX_SLICES)
        return rug_context_fail(ctx, RUG_E_ARG, "alpha: %u slices given, 1..%d expected",
                                opts->n_slices, RUG_ALPHA_MAX_SLICES);
    return check_range(ctx, opts->alpha_min, opts->alpha_max);
}

/* With x_k = ln w_k, the slope is the sum of (x_k - mean) y_k over that of (x_k -
 * mean)^2. */
static void set_weights(rugi_alpha_plan *plan)
{
    double x[RUG_ALPHA_MAX_WINDOWS], mean = 0, squares = 0;
    for (int k = 0; k < plan->n_windows; k++) {
        x[k] = rugi_alpha_log(2.0 * k + 1.0);
        mean += x[k];
    }
    mean /= plan->n_windows;
    for (int k = 0; k < plan->n_windows; k++)
        squares += (x[k] - mean) * (x[k] - mean);
    for (int k = 0; k < plan->n_windows; k++)
        plan->weight[k] = (x[k] - mean) / squares;
}

void rugi_alpha_plan_make(rugi_alpha_plan *plan, const rug_alpha_options *opts)
{
    memset(plan, 0, sizeof *plan);
    plan->measure = opts->measure;
    plan->n_windows = (int)opts->n_windows;
    plan->reach = plan->n_windows - 1;
    plan->tolerance = opts->iso_tolerance;
    plan->whole_tolerance =
        plan->tolerance < 18446744073709551616.0 ? (uint64_t)plan->tolerance : UINT64_MAX;
    set_weights(plan);
}

int rugi_alpha_is_wide(const rugi_alpha_plan *plan, rug_dtype dtype)
{
    return (dtype == RUG_U64 || dtype == RUG_I64) &&
           (plan->measure == RUG_ALPHA_SUM || plan->measure == RUG_ALPHA_ISO);
}

rug_image rugi_alpha_view(const rug_image *img)
{
    rug_image v = rugi_image_with_z(img);
    if (v.shape[0] > 1)
        return v;
    v.shape[0] = v.shape[1];
    v.stride[0] = v.stride[1];
    v.shape[1] = 1;
    return v;
}

/* ---- Outside of a mask ---- */

/* Pixels of the mask that are looked at together. */
#define PIECE 1024

size_t rugi_alpha_drop_outside(float *alpha, const void *mask, rug_dtype dtype, size_t n)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0};
    const rugi_predicate is_inside = rugi_predicate_make(dtype, nonzero);
    const char *pixels = mask;
    uint8_t inside[PIECE];
    size_t n_outside = 0;
    for (size_t x = 0; x < n; x += PIECE) {
        size_t m = n - x < PIECE ? n - x : PIECE;
        rugi_predicate_flags(&is_inside, dtype, inside,
                             pixels + x * rug_dtype_size(dtype), m);
        for (size_t i = 0; i < m; i++) {
            alpha[x + i] = inside[i] ? alpha[x + i] : (float)NAN;
            n_outside += !inside[i];
        }
    }
    return n_outside;
}
