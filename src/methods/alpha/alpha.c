/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Options of alpha checked and turned into the numbers that engines need; the map of
 * alpha of an image or a volume, by an engine; and the slices of a map: the range, the
 * boxes of all slices, and a line through each. */

#include "alpha/map/alpha_log.h"
#include "alpha/opencl/alpha_opencl.h"
#include "alpha/slices/alpha_boxes.h"
#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/small.h"
#include "core/fit/scaling.h"
#include "core/image/image_internal.h"
#include <math.h>
#include <string.h>

/* ---- The plan ---- */

static rug_status check_range(rug_context *ctx, double min, double max)
{
    if (min == 0 && max == 0)
        return RUG_OK;
    if (isfinite(min) && isfinite(max) && min < max && isfinite(max - min))
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "alpha: range %g..%g given, two finite numbers expected, the lower "
        "one first; or 0 and 0 for the range of the map",
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

rug_image rugi_alpha_view(const rug_image *image)
{
    rug_image v = rugi_image_with_z(image);
    if (v.shape[0] > 1)
        return v;
    v.shape[0] = v.shape[1];
    v.stride[0] = v.stride[1];
    v.shape[1] = 1;
    return v;
}

/* ---- The map ---- */

/* `auto` takes no device: what one gains over many processors is not known. */
static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_alpha_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_alpha_cpu, NULL},
};

static rug_status check_map(rug_context *ctx, const rug_image *image,
                            const rug_alpha_options *opts)
{
    rug_status status = rugi_alpha_check(ctx, opts);
    if (status == RUG_OK)
        status = rugi_image_check(ctx, image);
    if (status == RUG_OK && opts->mask != NULL)
        status = rugi_image_check_twin(ctx, opts->mask, "mask", image);
    return status;
}

rug_status rug_alpha_map(rug_context *ctx, float *out, const rug_image *image,
                         const rug_alpha_options *opts)
{
    static const rug_alpha_options defaults = RUG_ALPHA_OPTIONS_INIT;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_map: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check_map(ctx, image, opts);
    if (status != RUG_OK)
        return status;
    rugi_alpha_plan plan;
    rugi_alpha_plan_make(&plan, opts);
    rugi_alpha_job job = {.plan = &plan, .volume = rugi_alpha_view(image), .out = out};
    if (opts->mask != NULL)
        job.mask = rugi_alpha_view(opts->mask);
    status = rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], &job);
    if (status == RUG_OK && opts->engine != NULL)
        *opts->engine = job.engine;
    return status;
}

/* ---- Slices ---- */

/* The part of a call that measuring the range is. */
#define RANGE_SHARE 0.4

/* What a thread knows of the extremes. */
typedef struct range_state {
    const rugi_alpha_slice_kernels *kernels;
    rugi_alpha_extremes extremes;
} range_state;

static void see_segment(void *state, const void *pixels, size_t n)
{
    range_state *s = state;
    s->kernels->extremes(&s->extremes, pixels, n);
}

/* The range of the finite alphas; NaN when there are none. */
static rug_status measure_range(rug_context *ctx, double range[2], const rug_image *map,
                                const rug_image *mask,
                                const rugi_alpha_slice_kernels *kernels)
{
    size_t n = (size_t)rug_context_threads(ctx);
    range_state *states = rug_context_allocate(ctx, n, sizeof *states, "range of alpha");
    if (states == NULL)
        return RUG_E_NOMEM;
    rugi_alpha_extremes all = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++)
        states[i] = (range_state){kernels, all};
    rug_status status =
        rugi_image_for_segments(ctx, map, mask, see_segment, states, sizeof *states);
    for (size_t i = 0; i < n; i++) {
        all.least = fminf(all.least, states[i].extremes.least);
        all.largest = fmaxf(all.largest, states[i].extremes.largest);
    }
    rug_context_release(ctx, states);
    int has_any = all.least <= all.largest;
    range[0] = has_any ? (double)all.least + 0.0 : (double)NAN; /* -0 becomes 0 */
    range[1] = has_any ? (double)all.largest + 0.0 : (double)NAN;
    return status;
}

static uint32_t number_of_sizes(const rug_image *map)
{
    size_t longest = 1;
    for (int a = 0; a < map->ndim; a++)
        longest = rugi_larger(map->shape[a], longest);
    return rugi_scaling_n_dyadic(longest);
}

/* As of rug_boxcount_fit() of the slice as a binary image. */
static void fit_slice(rug_alpha_slice *s, const rug_image *map, uint32_t n_sizes,
                      rug_fit_options range)
{
    uint64_t sizes[RUG_ALPHA_MAX_SIZES], shape[RUG_MAX_AXES];
    double values[RUG_ALPHA_MAX_SIZES];
    for (uint32_t i = 0; i < n_sizes; i++) {
        sizes[i] = (uint64_t)1 << i;
        values[i] = (double)s->boxes[i];
    }
    for (int a = 0; a < map->ndim; a++)
        shape[a] = map->shape[a];
    rugi_scaling_points p;
    rugi_scaling_collect_range(&p, &range, map->ndim, shape, n_sizes, sizes, values);
    rugi_scaling_fit fit = rugi_scaling_fit_line(&p, sizes, NULL);
    s->n_pixels = s->boxes[0];
    s->f = fit.line.slope;
    s->f_error = fit.line.std_error;
    s->r_squared = fit.line.r_squared;
    s->size_min = fit.size_min;
    s->size_max = fit.size_max;
    s->status = s->n_pixels == 0 ? "empty" : p.n < 2 ? "too few sizes" : "ok";
}

static rug_status check_slices(rug_context *ctx, const rug_image *map,
                               const rug_alpha_options *opts, rug_fit_options range)
{
    rug_status status = rugi_image_check(ctx, map);
    if (status == RUG_OK && map->dtype != RUG_F32)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "slices of a map of dtype %s given, f32 expected, as "
                                "rug_alpha_map() makes it",
                                rug_dtype_name(map->dtype));
    if (status == RUG_OK && opts->mask != NULL)
        status = rugi_image_check_twin(ctx, opts->mask, "mask", map);
    rug_fit_options own;
    return status == RUG_OK ? rugi_fit_options_take(ctx, &own, &range) : status;
}

static void fill(rug_alpha_result *out, const rugi_alpha_boxes *job, const rug_image *map,
                 const double range[2], rug_fit_options fit)
{
    const rugi_alpha_cut *cut = &job->cut;
    uint64_t n_inside = 0;
    for (uint32_t i = 0; i < cut->n; i++) {
        rug_alpha_slice *s = &job->slices[i];
        s->alpha_min = isnan(range[0]) ? range[0] : cut->edge[i];
        s->alpha_max = isnan(range[0]) ? range[0] : cut->edge[i + 1];
        fit_slice(s, map, job->n_sizes, fit);
        n_inside += s->n_pixels;
    }
    out->alpha_min = range[0];
    out->alpha_max = range[1];
    out->n_pixels = job->n_pixels;
    out->n_undefined = job->n_undefined;
    out->n_outside = job->n_pixels - job->n_undefined - n_inside;
    out->n_sizes = job->n_sizes;
    out->n_slices = cut->n;
    out->engine = job->kernels->name;
}

static rug_status count_slices(rug_context *ctx, rug_alpha_result *out,
                               rug_alpha_slice *slices, const rug_image *map,
                               const rug_alpha_options *opts, rug_fit_options fit)
{
    rugi_alpha_slice_kernels kernels;
    rugi_alpha_set_slice_kernels(&kernels, rug_context_cpu_level(ctx));
    double range[2] = {opts->alpha_min, opts->alpha_max};
    int is_measured = range[0] == 0 && range[1] == 0;
    rug_status status = RUG_OK;
    if (is_measured)
        RUGI_PHASE(ctx, 0, RANGE_SHARE, status,
                   measure_range(ctx, range, map, opts->mask, &kernels));
    if (status != RUG_OK)
        return status;
    int has_range = !isnan(range[0]);
    rugi_alpha_boxes job = {.box_axes = map->ndim,
                            .kernels = &kernels,
                            .n_sizes = number_of_sizes(map),
                            .slices = slices};
    job.map = opts->mask != NULL ? rugi_image_with_z(map) : rugi_image_volume(map);
    if (opts->mask != NULL)
        job.mask = rugi_image_with_z(opts->mask);
    RUGI_PHASE(ctx, is_measured ? RANGE_SHARE : 0, 1, status,
               rugi_alpha_count_boxes(ctx, &job, opts->n_slices, has_range ? range[0] : 0,
                                      has_range ? range[1] : 0));
    if (status == RUG_OK)
        fill(out, &job, map, range, fit);
    return status;
}

rug_status rug_alpha_slices(rug_context *ctx, rug_alpha_result *out,
                            rug_alpha_slice *slices, const rug_image *map,
                            const rug_alpha_options *opts, uint64_t size_min,
                            uint64_t size_max)
{
    static const rug_alpha_options defaults = RUG_ALPHA_OPTIONS_INIT;
    const rug_fit_options fit = {sizeof fit, 0, size_min, size_max};
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL || slices == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_slices: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = rugi_alpha_check(ctx, opts);
    if (status != RUG_OK)
        return status;
    memset(slices, 0, opts->n_slices * sizeof *slices);
    status = check_slices(ctx, map, opts, fit);
    if (status == RUG_OK)
        status = count_slices(ctx, out, slices, map, opts, fit);
    if (status != RUG_OK)
        memset(slices, 0, opts->n_slices * sizeof *slices);
    return status;
}
