/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a count starts from and what follows from it: options to an empty result, nonempty
 * and black boxes to all of them, and these to a fractal dimension. */

#include "boxcount_result.h"
#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/fit/scaling.h"
#include "core/points/point_cells.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Options ---- */

rug_status rugi_sizes_check(rug_context *ctx, const uint64_t *sizes, uint32_t n_sizes)
{
    if ((sizes == NULL) != (n_sizes == 0))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "box sizes: %u given at %s, both or none expected",
                                n_sizes, sizes == NULL ? "NULL" : "an address");
    if (n_sizes > RUG_BOXCOUNT_MAX_SIZES)
        return rug_context_fail(ctx, RUG_E_ARG, "%u box sizes given, at most %d expected",
                                n_sizes, RUG_BOXCOUNT_MAX_SIZES);
    for (uint32_t i = 0; i < n_sizes; i++) {
        uint64_t last = i > 0 ? sizes[i - 1] : 0;
        if (sizes[i] <= last || sizes[i] > RUG_BOXCOUNT_SIZE_MAX)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "box size %" PRIu64 " after %" PRIu64
                                    " given, ascending sizes 1..%" PRIu64 " expected",
                                    sizes[i], last, RUG_BOXCOUNT_SIZE_MAX);
    }
    return RUG_OK;
}

void rugi_sizes_set(rug_boxcount_result *result, const uint64_t *sizes, uint32_t n_sizes)
{
    uint64_t longest = 1;
    for (int a = 0; a < result->ndim; a++)
        longest = result->shape[a] > longest ? result->shape[a] : longest;
    result->n_sizes = sizes != NULL ? n_sizes : rugi_scaling_n_dyadic(longest);
    for (uint32_t i = 0; i < result->n_sizes; i++)
        result->counts[i].size = sizes != NULL ? sizes[i] : (uint64_t)1 << i;
}

static int are_powers_of_two(const uint64_t *sizes, uint32_t n_sizes)
{
    for (uint32_t i = 0; sizes != NULL && i < n_sizes; i++)
        if ((sizes[i] & (sizes[i] - 1)) != 0)
            return 0;
    return 1;
}

static const char *const method_names[] = {"auto", "pyramid", "window",
                                           "hou",  "atomic",  "local"};

static rug_boxcount_method choose_method(const rug_boxcount_options *opts)
{
    if (opts->method != RUG_BOXCOUNT_AUTO)
        return opts->method;
    return opts->grid == RUG_BOXCOUNT_GRID_ORIGIN &&
                   are_powers_of_two(opts->sizes, opts->n_sizes)
               ? RUG_BOXCOUNT_PYRAMID
               : RUG_BOXCOUNT_WINDOW;
}

/* Whether the method runs on the device chosen in the context. */
static rug_status check_device(rug_context *ctx, rug_boxcount_method method)
{
    if (method == RUG_BOXCOUNT_WINDOW)
        return rugi_engine_cpu_only(ctx, "method window");
#ifndef RUGI_HAVE_OPENCL
    if (method == RUG_BOXCOUNT_HOU)
        return rugi_engine_cpu_only(ctx, "method hou");
#endif
    if (!rugi_boxcount_is_mukundan(method))
        return RUG_OK;
#ifdef RUGI_HAVE_OPENCL
    if (ctx->device != RUGI_DEVICE_CPU)
        return RUG_OK;
    static const char why[] = "the device is 'cpu'; choose device 'opencl', or method";
#else
    static const char why[] = "this library is built without OpenCL; use method";
#endif
    return rug_context_fail(
        ctx, RUG_E_DEVICE,
        "method %s runs on OpenCL devices only, and %s pyramid, which "
        "gives the same counts",
        method_names[method], why);
}

rug_status rugi_boxcount_check(rug_context *ctx, const rug_boxcount_options *opts)
{
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_boxcount_options"))
        return RUG_E_ARG;
    if ((unsigned)opts->method > RUG_BOXCOUNT_LOCAL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "box counting method %d given, 0..%d expected",
                                (int)opts->method, RUG_BOXCOUNT_LOCAL);
    if ((unsigned)opts->grid > RUG_BOXCOUNT_GRID_MEAN)
        return rug_context_fail(ctx, RUG_E_ARG, "grid %d given, 0..%d expected",
                                (int)opts->grid, RUG_BOXCOUNT_GRID_MEAN);
    rug_status status = rugi_sizes_check(ctx, opts->sizes, opts->n_sizes);
    if (status != RUG_OK)
        return status;
    int all_positions = opts->grid != RUG_BOXCOUNT_GRID_ORIGIN;
    if ((opts->method == RUG_BOXCOUNT_PYRAMID ||
         rugi_boxcount_is_mukundan(opts->method)) &&
        (all_positions || !are_powers_of_two(opts->sizes, opts->n_sizes)))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "method %s counts powers of two on the grid at the "
                                "origin; use auto or window for other sizes and grids",
                                method_names[opts->method]);
    if (opts->method == RUG_BOXCOUNT_HOU && all_positions)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "method hou counts on the grid at the origin; use auto "
                                "or window for other grids");
    return check_device(ctx, choose_method(opts));
}

/* ---- Results ---- */

rug_boxcount_method rugi_boxcount_begin(rug_boxcount_result *result, int ndim,
                                        const size_t *shape,
                                        const rug_boxcount_options *opts)
{
    rug_boxcount_method method = choose_method(opts);
    result->ndim = ndim;
    result->n_pixels = 1;
    for (int a = 0; a < ndim; a++) {
        result->shape[a] = shape[a];
        result->n_pixels *= shape[a];
    }
    result->grid = opts->grid;
    result->method = method_names[method];
    rugi_sizes_set(result, opts->sizes, opts->n_sizes);
    return method;
}

uint64_t rugi_boxcount_total(const rug_boxcount_result *result, uint32_t i)
{
    uint64_t total = 1, size = result->counts[i].size;
    int is_min = result->grid == RUG_BOXCOUNT_GRID_MIN;
    for (int a = 0; a < result->ndim; a++) {
        uint64_t shift = is_min ? result->positions[i].shift[a] : 0;
        total = rugi_saturating_product(total, (result->shape[a] - 1 + shift) / size + 1);
    }
    return total;
}

void rugi_boxcount_set_gray_white(rug_boxcount_result *result)
{
    for (uint32_t i = 0; i < result->n_sizes; i++) {
        rug_box_count *c = &result->counts[i];
        c->gray = c->nonempty - c->black;
        c->white = c->total == RUG_BOXCOUNT_TOO_MANY ? RUG_BOXCOUNT_TOO_MANY
                                                     : c->total - c->nonempty;
    }
}

/* ---- The fractal dimension ----
 *
 * A line through ln(count) against ln(1 / size); which sizes it takes, core/fit/scaling.h
 * says. */

double rug_boxcount_boxes(const rug_boxcount_result *counts, uint32_t i,
                          rug_boxcount_of of)
{
    const rug_box_count *c = &counts->counts[i];
    const rug_box_positions *p = &counts->positions[i];
    int is_mean = counts->grid == RUG_BOXCOUNT_GRID_MEAN;
    switch (of) {
    case RUG_BOXCOUNT_OF_BLACK: return is_mean ? p->mean_black : (double)c->black;
    case RUG_BOXCOUNT_OF_GRAY:
        return is_mean ? p->mean_nonempty - p->mean_black : (double)c->gray;
    case RUG_BOXCOUNT_OF_WHITE:
        if (c->white == RUG_BOXCOUNT_TOO_MANY)
            return NAN;
        return is_mean ? p->mean_total - p->mean_nonempty : (double)c->white;
    default: return is_mean ? p->mean_nonempty : (double)c->nonempty;
    }
}

static double total_of(const rug_boxcount_result *counts, uint32_t i)
{
    return counts->grid == RUG_BOXCOUNT_GRID_MEAN ? counts->positions[i].mean_total
                                                  : (double)counts->counts[i].total;
}

/* The counts of a kind, side by side. */
typedef struct columns {
    uint64_t size[RUG_BOXCOUNT_MAX_SIZES];
    double boxes[RUG_BOXCOUNT_MAX_SIZES], total[RUG_BOXCOUNT_MAX_SIZES];
} columns;

static void fill_columns(columns *c, const rug_boxcount_result *counts,
                         rug_boxcount_of of)
{
    for (uint32_t i = 0; i < counts->n_sizes; i++) {
        c->size[i] = counts->counts[i].size;
        c->boxes[i] = rug_boxcount_boxes(counts, i, of);
        c->total[i] = total_of(counts, i);
    }
}

static rug_fit_options range_of(const rug_boxcount_fit_options *o)
{
    return (rug_fit_options){sizeof(rug_fit_options), o->auto_range, o->size_min,
                             o->size_max};
}

static rug_status check_options(rug_context *ctx, const rug_boxcount_fit_options *o)
{
    if (!rugi_options_fit(ctx, o->struct_size, sizeof *o, "rug_boxcount_fit_options"))
        return RUG_E_ARG;
    if ((unsigned)o->of > RUG_BOXCOUNT_OF_WHITE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "fit: boxes of kind %d given, 0..%d expected", (int)o->of,
                                RUG_BOXCOUNT_OF_WHITE);
    rug_fit_options asked = range_of(o), range;
    return rugi_fit_options_take(ctx, &range, &asked);
}

/* Whether all pixels are of the kind, so that all boxes are, at every size. Counts that
 * were put together by hand have no pixels and are judged by their first size. */
static int is_full(const rug_boxcount_result *counts, rug_boxcount_of of,
                   const columns *c, uint32_t first)
{
    if (counts->n_pixels == 0)
        return c->boxes[first] >= c->total[first];
    return counts->n_set == (of == RUG_BOXCOUNT_OF_WHITE ? 0 : counts->n_pixels);
}

static const char *choose_range(rugi_scaling_points *p, const rug_boxcount_result *counts,
                                rug_boxcount_of of, const columns *c)
{
    int full = p->n == 0 || is_full(counts, of, c, p->index[0]);
    return rug_fit_status_name(rugi_scaling_choose(p, c->boxes, full ? NULL : c->total));
}

static void fill_local_slopes(rug_boxcount_dimension *out, size_t n_sizes,
                              const columns *c)
{
    rugi_scaling_local_slopes(out->local_slope, n_sizes, c->size, c->boxes);
    for (size_t i = n_sizes; i < RUG_BOXCOUNT_MAX_SIZES; i++)
        out->local_slope[i] = NAN;
}

static void fill_line(rug_boxcount_dimension *out, const columns *c,
                      const rugi_scaling_points *p)
{
    rugi_scaling_fit fit = rugi_scaling_fit_line(p, c->size, out->used);
    out->dimension = fit.line.slope;
    out->std_error = fit.line.std_error;
    out->r_squared = fit.line.r_squared;
    out->intercept = fit.line.intercept;
    out->size_min = fit.size_min;
    out->size_max = fit.size_max;
    out->n_sizes = (uint32_t)p->n;
}

rug_status rug_boxcount_fit(rug_context *ctx, rug_boxcount_dimension *out,
                            const rug_boxcount_result *counts,
                            const rug_boxcount_fit_options *opts)
{
    static const rug_boxcount_fit_options defaults = RUG_BOXCOUNT_FIT_OPTIONS_INIT;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (out == NULL || counts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_fit: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check_options(ctx, opts);
    if (status != RUG_OK)
        return status;
    if (counts->n_sizes == 0 || counts->n_sizes > RUG_BOXCOUNT_MAX_SIZES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "fit: counts of %u sizes given, 1..%d expected",
                                counts->n_sizes, RUG_BOXCOUNT_MAX_SIZES);
    columns c;
    rugi_scaling_points p;
    rug_fit_options range = range_of(opts);
    fill_columns(&c, counts, opts->of);
    rugi_scaling_collect_range(&p, &range, counts->ndim, counts->shape, counts->n_sizes,
                               c.size, c.boxes);
    out->status = opts->auto_range ? choose_range(&p, counts, opts->of, &c) : "ok";
    fill_local_slopes(out, counts->n_sizes, &c);
    fill_line(out, &c, &p);
    if (counts->counts[0].nonempty == 0 && opts->of != RUG_BOXCOUNT_OF_WHITE)
        out->status = "empty";
    else if (p.n < 2)
        out->status = "too few sizes";
    return RUG_OK;
}
