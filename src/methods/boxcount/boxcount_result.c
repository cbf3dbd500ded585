/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Checks options, chooses sizes and method, and completes results. */

#include "boxcount_result.h"
#include "boxcount/hou/boxcount_hou.h"
#include "boxcount/opencl/boxcount_opencl.h"
#include "boxcount/window/boxcount_window.h"
#include "core/context/engine.h"
#include "core/fit/scaling.h"
#include <inttypes.h>
#include <string.h>

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

void rugi_sizes_set(rug_boxcount_result *result, const uint64_t *sizes, uint32_t n_sizes,
                    uint64_t longest)
{
    if (sizes != NULL) {
        for (uint32_t i = 0; i < n_sizes; i++)
            result->counts[i].size = sizes[i];
        result->n_sizes = n_sizes;
        return;
    }
    result->n_sizes = rugi_scaling_n_dyadic(longest);
    for (uint32_t i = 0; i < result->n_sizes; i++)
        result->counts[i].size = (uint64_t)1 << i;
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

/* Whether the method runs on the device of the context's choice. */
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

rug_boxcount_method rugi_boxcount_begin(rug_boxcount_result *result, int ndim,
                                        const size_t *shape,
                                        const rug_boxcount_options *opts)
{
    uint64_t longest = 1;
    result->ndim = ndim;
    result->n_pixels = 1;
    for (int a = 0; a < ndim; a++) {
        result->shape[a] = shape[a];
        result->n_pixels *= shape[a];
        longest = shape[a] > longest ? shape[a] : longest;
    }
    result->grid = opts->grid;
    rugi_sizes_set(result, opts->sizes, opts->n_sizes, longest);
    rug_boxcount_method method = choose_method(opts);
    result->method = method_names[method];
    return method;
}

void rugi_boxcount_take_levels(rug_boxcount_result *result,
                               const rugi_boxcount_levels *levels)
{
    result->engine = levels->engine;
    result->n_set = levels->nonempty[0];
    for (uint32_t i = 0; i < result->n_sizes; i++) {
        rug_box_count *c = &result->counts[i];
        uint32_t m = 0;
        while (c->size >> m > 1)
            m++;
        /* Boxes above the last level hold the whole image and more. */
        c->nonempty = levels->nonempty[m < levels->n ? m : levels->n - 1];
        c->black = m < levels->n ? levels->black[m] : 0;
    }
}

/* The share of the work that counting the foreground is, beside all sizes. */
#define SET_SHARE 0.05

static rug_status count_by_window(rug_context *ctx, rug_boxcount_result *result,
                                  const rugi_bits *pixels)
{
    rugi_phase outer = rugi_phase_enter(ctx, 0, SET_SHARE);
    rug_status status = rugi_boxcount_window_set(ctx, &result->n_set, pixels);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, SET_SHARE, 1);
    if (status == RUG_OK)
        status = rugi_boxcount_window(ctx, result, pixels);
    rugi_phase_leave(ctx, outer);
    return status;
}

rug_status rugi_boxcount_of_bits(rug_context *ctx, rug_boxcount_result *result,
                                 rug_boxcount_method method, const rugi_bits *pixels)
{
    if (method == RUG_BOXCOUNT_WINDOW)
        return count_by_window(ctx, result, pixels);
    rug_image view = rugi_bits_view(pixels);
    rugi_predicate is_set =
        rugi_predicate_make(RUG_BIT, (rug_foreground){RUG_FOREGROUND_NONZERO, 0});
    return rugi_boxcount_of_cells(ctx, result, method, &view, &is_set);
}

rug_status rugi_boxcount_of_cells(rug_context *ctx, rug_boxcount_result *result,
                                  rug_boxcount_method method, const rug_image *img,
                                  const rugi_predicate *predicate)
{
    rugi_boxcount_levels levels;
    rug_status status;
    if (method == RUG_BOXCOUNT_HOU)
        return rugi_boxcount_hou_image(ctx, result, img, predicate);
#ifdef RUGI_HAVE_OPENCL
    if (rugi_boxcount_is_mukundan(method))
        status = rugi_boxcount_mukundan(ctx, &levels, img, predicate, method,
                                        RUGI_OPENCL_BYTES);
    else
#endif
        status = rugi_boxcount_pyramid(ctx, &levels, img, predicate);
    if (status == RUG_OK)
        rugi_boxcount_take_levels(result, &levels);
    return status;
}

/* Boxes of the grid in force that hold a pixel of the image. */
static uint64_t count_all(const rug_boxcount_result *r, uint32_t i)
{
    uint64_t total = 1, size = r->counts[i].size;
    int is_min = r->grid == RUG_BOXCOUNT_GRID_MIN;
    for (int a = 0; a < r->ndim; a++)
        total *= (r->shape[a] - 1 + (is_min ? r->positions[i].shift[a] : 0)) / size + 1;
    return total;
}

static void complete(rug_boxcount_result *result)
{
    for (uint32_t i = 0; i < result->n_sizes; i++) {
        rug_box_count *c = &result->counts[i];
        c->gray = c->nonempty - c->black;
        c->white = c->total - c->nonempty;
    }
}

/* The boxes that hold a pixel of the mask, from a count of the mask alone. */
static rug_status count_mask(rug_context *ctx, rug_boxcount_result *result,
                             rug_boxcount_method method, const rugi_bits *mask)
{
    rug_boxcount_result *m = rug_context_allocate(ctx, 1, sizeof *m, "counts of a mask");
    if (m == NULL)
        return RUG_E_NOMEM;
    memcpy(m, result, sizeof *m);
    rug_status status = rugi_boxcount_of_bits(ctx, m, method, mask);
    result->n_pixels = m->n_set;
    if (result->grid != RUG_BOXCOUNT_GRID_ORIGIN)
        for (uint32_t i = 0; i < result->n_sizes; i++)
            result->positions[i].mean_total = m->positions[i].mean_nonempty;
    if (status == RUG_OK && result->grid == RUG_BOXCOUNT_GRID_MIN) {
        memcpy(m->positions, result->positions, sizeof m->positions);
        status = rugi_boxcount_window_at(ctx, m, mask);
    }
    for (uint32_t i = 0; i < result->n_sizes; i++)
        result->counts[i].total = m->counts[i].nonempty;
    rug_context_release(ctx, m);
    return status;
}

rug_status rugi_boxcount_complete(rug_context *ctx, rug_boxcount_result *result,
                                  rug_boxcount_method method, const rugi_bits *mask)
{
    rug_status status = RUG_OK;
    if (mask != NULL)
        status = count_mask(ctx, result, method, mask);
    else
        for (uint32_t i = 0; i < result->n_sizes; i++)
            result->counts[i].total = count_all(result, i);
    if (status == RUG_OK)
        complete(result);
    return status;
}
