/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Straight-line fits in two passes (means first), so that no digits are lost to
 * cancellation; and which sizes of boxes a line in a log-log plot takes. */

#include "scaling.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- Lines ---- */

rugi_line rugi_fit_line(size_t n, const double *x, const double *y)
{
    rugi_line line = {NAN, NAN, NAN, NAN};
    if (n < 2)
        return line;
    double mean_x = 0, mean_y = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    double xx = 0, xy = 0;
    int equal_y = 1;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        equal_y &= y[i] == y[0];
    }
    if (!(xx > 0))
        return line;
    line.slope = equal_y ? 0.0 : xy / xx;
    line.intercept = equal_y ? y[0] : mean_y - line.slope * mean_x;
    double residual = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        double r = y[i] - line.intercept - line.slope * x[i];
        residual += r * r;
        total += (y[i] - mean_y) * (y[i] - mean_y);
    }
    if (n > 2)
        line.std_error = sqrt(residual / (double)(n - 2) / xx);
    if (!equal_y)
        line.r_squared = 1.0 - residual / total;
    return line;
}

void rugi_local_slopes(size_t n, const double *x, const double *y, double *slope)
{
    for (size_t i = 0; i + 1 < n; i++)
        slope[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
}

static double spread_of(const double *slope, size_t first, size_t last)
{
    double lo = slope[first], hi = slope[first];
    for (size_t i = first + 1; i < last; i++) {
        lo = fmin(lo, slope[i]);
        hi = fmax(hi, slope[i]);
    }
    return hi - lo;
}

rugi_run rugi_longest_run(size_t n, const double *slope, double spread)
{
    rugi_run best = {0, 2, 0};
    for (size_t length = n; length >= 3; length--) {
        double best_spread = INFINITY;
        for (size_t first = 0; first + length <= n; first++) {
            double s = spread_of(slope, first, first + length - 1);
            if (s < best_spread) {
                best_spread = s;
                best.first = first;
                best.last = first + length - 1;
            }
        }
        if (best_spread <= spread) {
            best.agrees = 1;
            return best;
        }
    }
    return best;
}

/* ---- Sizes ---- */

rug_status rugi_fit_options_take(rug_context *ctx, rug_fit_options *own,
                                 const rug_fit_options *given)
{
    *own = (rug_fit_options)RUG_FIT_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, own, given, "rug_fit_options");
    if (status != RUG_OK)
        return status;
    if (own->auto_range && (own->size_min != 0 || own->size_max != 0))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "fit: an automatic and an explicit range of sizes given, one expected");
    if (own->size_max != 0 && own->size_max < own->size_min)
        return rug_context_fail(ctx, RUG_E_ARG, "fit: range %llu..%llu is empty",
                                (unsigned long long)own->size_min,
                                (unsigned long long)own->size_max);
    return RUG_OK;
}

static size_t sizes_up_to(size_t n_sizes, const uint64_t *sizes, uint64_t size_max)
{
    size_t n = 0;
    while (n < n_sizes && sizes[n] <= size_max)
        n++;
    return n;
}

uint32_t rugi_scaling_n_dyadic(uint64_t longest)
{
    uint32_t n = 1;
    while (n < 64 && (uint64_t)1 << (n - 1) < longest)
        n++;
    return n;
}

uint64_t rugi_scaling_size_max(int n_axes, const uint64_t *shape, size_t n_sizes,
                               const uint64_t *sizes)
{
    uint64_t shortest = UINT64_MAX, longest = 1;
    for (int a = 0; a < n_axes; a++) {
        if (shape[a] > 1 && shape[a] < shortest)
            shortest = shape[a];
        longest = shape[a] > longest ? shape[a] : longest;
    }
    if (shortest == UINT64_MAX)
        return 1;
    return sizes_up_to(n_sizes, sizes, shortest / 4) >= 3 ? shortest / 4 : longest / 2;
}

void rugi_scaling_collect(rugi_scaling_points *out, size_t n_sizes, const uint64_t *sizes,
                          const double *values, uint64_t size_min, uint64_t size_max)
{
    assert(n_sizes <= RUG_FIT_MAX_SIZES);
    out->n = 0;
    for (size_t i = 0; i < n_sizes; i++) {
        if (sizes[i] < size_min || sizes[i] > size_max || !(values[i] > 0))
            continue;
        out->index[out->n] = (uint32_t)i;
        out->x[out->n] = -log((double)sizes[i]);
        out->y[out->n] = log(values[i]);
        out->n++;
    }
}

/* The number of pixels of a set of isolated ones, most of which have a box of side 2 or 3 of
 * their own; 0: not such a set, or not known. */
static double isolated_pixels(const rugi_fit_input *input)
{
    const double *boxes = input->boxes;
    if (input->n_sizes < 2 || input->sizes[0] != 1 || input->sizes[1] > 3)
        return 0;
    return boxes[1] > RUGI_ISOLATED_SHARE * boxes[0] ? boxes[0] : 0;
}

/* Leaves out the sizes at which one box holds all, or nearly every point has its own.
 * @return how many there were */
static size_t leave_out_saturated(rugi_scaling_points *p, const rugi_fit_input *input)
{
    size_t n = 0;
    double n_points = input->n_points > 0 ? input->n_points : isolated_pixels(input);
    for (size_t k = 0; k < p->n; k++) {
        double boxes = input->boxes[p->index[k]];
        if (boxes == 1 || (n_points > 0 && 3 * boxes > n_points))
            continue;
        p->index[n] = p->index[k];
        p->x[n] = p->x[k];
        p->y[n++] = p->y[k];
    }
    size_t n_left_out = p->n - n;
    p->n = n;
    return n_left_out;
}

/* Where too few sizes are left up to a quarter of an axis, those up to half of it are taken. */
static void collect_default(rugi_scaling_points *out, const rugi_fit_input *in)
{
    uint64_t longest = 1;
    uint64_t size_max =
        rugi_scaling_size_max(in->n_axes, in->shape, in->n_sizes, in->sizes);
    for (int a = 0; a < in->n_axes; a++)
        longest = in->shape[a] > longest ? in->shape[a] : longest;
    rugi_scaling_collect(out, in->n_sizes, in->sizes, in->values, 0, size_max);
    if (leave_out_saturated(out, in) == 0 || out->n >= 3 || size_max >= longest / 2)
        return;
    rugi_scaling_collect(out, in->n_sizes, in->sizes, in->values, 0, longest / 2);
    leave_out_saturated(out, in);
}

void rugi_scaling_collect_range(rugi_scaling_points *out, const rug_fit_options *options,
                                const rugi_fit_input *in)
{
    uint64_t size_max = options->size_max;
    if (options->auto_range) {
        rugi_scaling_collect(out, in->n_sizes, in->sizes, in->values, 0, UINT64_MAX);
        leave_out_saturated(out, in);
    } else if (options->size_min == 0 && size_max == 0) {
        collect_default(out, in);
    } else {
        if (size_max == 0)
            size_max =
                rugi_scaling_size_max(in->n_axes, in->shape, in->n_sizes, in->sizes);
        rugi_scaling_collect(out, in->n_sizes, in->sizes, in->values, options->size_min,
                             size_max);
    }
}

static void keep_run(rugi_scaling_points *p, rugi_run run)
{
    p->n = run.last - run.first + 1;
    memmove(p->index, p->index + run.first, p->n * sizeof p->index[0]);
    memmove(p->x, p->x + run.first, p->n * sizeof p->x[0]);
    memmove(p->y, p->y + run.first, p->n * sizeof p->y[0]);
}

/* A value is compared as it was given: its logarithm could round to that of its total. */
static size_t without_filled_sizes(const rugi_scaling_points *p, const double *values,
                                   const double *totals)
{
    size_t n = p->n;
    while (n > 0 && values[p->index[n - 1]] >= totals[p->index[n - 1]])
        n--;
    return n;
}

rug_fit_status rugi_scaling_choose(rugi_scaling_points *p, const double *values,
                                   const double *totals)
{
    size_t n = totals != NULL ? without_filled_sizes(p, values, totals) : p->n;
    if (n < 2 && n < p->n)
        return RUG_FIT_OK; /* what fills its space at all sizes has the dimension of the space */
    p->n = n;
    if (n == 0)
        return RUG_FIT_OK; /* nothing to choose from */
    if (p->n < 3)
        return RUG_FIT_NO_SCALING_RANGE;
    double slope[RUG_FIT_MAX_SIZES];
    rugi_local_slopes(p->n, p->x, p->y, slope);
    rugi_run run = rugi_longest_run(p->n, slope, RUG_FIT_SLOPE_SPREAD);
    keep_run(p, run);
    return run.agrees ? RUG_FIT_OK : RUG_FIT_NO_SCALING_RANGE;
}

rugi_scaling_fit rugi_scaling_fit_line(const rugi_scaling_points *p,
                                       const uint64_t *sizes, uint8_t *used)
{
    rugi_scaling_fit fit = {.line = rugi_fit_line(p->n, p->x, p->y)};
    for (size_t k = 0; k < p->n && used != NULL; k++)
        used[p->index[k]] = 1;
    if (p->n > 0) {
        fit.size_min = sizes[p->index[0]];
        fit.size_max = sizes[p->index[p->n - 1]];
    }
    return fit;
}

static int has_logarithm(uint64_t size, double value)
{
    return size > 0 && value > 0;
}

void rugi_scaling_local_slopes(double *slope, size_t n_sizes, const uint64_t *sizes,
                               const double *values)
{
    for (size_t i = 0; i < n_sizes; i++) {
        slope[i] = NAN;
        if (i + 1 == n_sizes || !has_logarithm(sizes[i], values[i]) ||
            !has_logarithm(sizes[i + 1], values[i + 1]))
            continue;
        double x[2] = {-log((double)sizes[i]), -log((double)sizes[i + 1])};
        double y[2] = {log(values[i]), log(values[i + 1])};
        rugi_local_slopes(2, x, y, &slope[i]);
        slope[i] += 0.0; /* turns -0 into 0 */
    }
}

/* Whether a line exists that says little. */
static int is_doubtful(const rug_fit *fit)
{
    return fit->r_squared < RUG_FIT_R_SQUARED || fit->n_sizes < 3 ||
           fit->size_max / 10 < fit->size_min;
}

void rugi_fit(rug_fit *out, const rug_fit_options *options, const rugi_fit_input *input)
{
    *out = (rug_fit)RUG_FIT_INIT;
    rugi_scaling_points p;
    rugi_scaling_collect_range(&p, options, input);
    if (options->auto_range)
        out->status = rugi_scaling_choose(&p, input->values, input->totals);
    if (p.n < 2)
        out->status = RUG_FIT_TOO_FEW_SIZES;
    rugi_scaling_local_slopes(out->local_slope, input->n_sizes, input->sizes,
                              input->values);
    for (size_t i = input->n_sizes; i < RUG_FIT_MAX_SIZES; i++)
        out->local_slope[i] = NAN;
    rugi_scaling_fit fit = rugi_scaling_fit_line(&p, input->sizes, out->used);
    out->slope = fit.line.slope;
    out->std_error = fit.line.std_error;
    out->r_squared = fit.line.r_squared;
    out->intercept = fit.line.intercept;
    out->size_min = fit.size_min;
    out->size_max = fit.size_max;
    out->n_sizes = (uint32_t)p.n;
    if (out->status == RUG_FIT_OK && is_doubtful(out))
        out->status = RUG_FIT_DOUBTFUL;
}

const char *rug_fit_status_name(rug_fit_status status)
{
    static const char *const names[] = {
        "ok",      "empty", "too few sizes", "no scaling range", "near-empty boxes",
        "doubtful"};
    return RUGI_NAME(names, status);
}
