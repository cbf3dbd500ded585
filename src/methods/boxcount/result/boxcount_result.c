/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a count starts from and what follows from it: options to an empty result, nonempty
 * and black boxes to all of them, and these to a fractal dimension. */

#include "boxcount_result.h"
#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/fit/scaling.h"
#include "core/points/point_cells.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Options ---- */

static rug_status check_sizes(rug_context *ctx, const uint64_t *sizes, uint32_t n_sizes)
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

static int are_powers_of_two(const uint64_t *sizes, uint32_t n_sizes)
{
    for (uint32_t i = 0; sizes != NULL && i < n_sizes; i++)
        if ((sizes[i] & (sizes[i] - 1)) != 0)
            return 0;
    return 1;
}

/* 0: pixels have no size. */
static uint64_t largest_side(const uint64_t pixel_size[RUG_MAX_AXES])
{
    uint64_t most = 0;
    for (int a = 0; a < RUG_MAX_AXES; a++)
        most = pixel_size[a] > most ? pixel_size[a] : most;
    return most;
}

static rug_boxcount_method choose_method(const rug_boxcount_options *opts)
{
    if (opts->method != RUG_BOXCOUNT_AUTO)
        return opts->method;
    return opts->grid == RUG_BOXCOUNT_GRID_ORIGIN &&
                   largest_side(opts->pixel_size) == 0 &&
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
        rug_boxcount_method_name(method), why);
}

/* What goes with boxes that are cubes in space. */
static rug_status check_pixel_size(rug_context *ctx, const rug_boxcount_options *opts)
{
    uint64_t side = largest_side(opts->pixel_size);
    if (opts->grid != RUG_BOXCOUNT_GRID_ORIGIN)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "grid %s moves boxes by whole pixels; use grid origin for "
            "boxes in units of length",
            rug_boxcount_grid_name(opts->grid));
    if (opts->method != RUG_BOXCOUNT_AUTO && opts->method != RUG_BOXCOUNT_WINDOW)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "method %s counts boxes of whole pixels; use auto or "
                                "window for boxes in units of length",
                                rug_boxcount_method_name(opts->method));
    if (opts->sizes != NULL && opts->sizes[0] < side)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "box size %" PRIu64 " given, at least %" PRIu64
                                " expected, the largest side of a pixel: smaller boxes "
                                "would lie between pixels and hold none",
                                opts->sizes[0], side);
    return RUG_OK;
}

static rug_status check(rug_context *ctx, const rug_boxcount_options *opts)
{
    if ((unsigned)opts->method > RUG_BOXCOUNT_LOCAL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "box counting method %d given, 0..%d expected",
                                (int)opts->method, RUG_BOXCOUNT_LOCAL);
    if ((unsigned)opts->grid > RUG_BOXCOUNT_GRID_MEAN)
        return rug_context_fail(ctx, RUG_E_ARG, "grid %d given, 0..%d expected",
                                (int)opts->grid, RUG_BOXCOUNT_GRID_MEAN);
    rug_status status = check_sizes(ctx, opts->sizes, opts->n_sizes);
    if (status == RUG_OK && largest_side(opts->pixel_size) > 0)
        status = check_pixel_size(ctx, opts);
    if (status != RUG_OK)
        return status;
    int all_positions = opts->grid != RUG_BOXCOUNT_GRID_ORIGIN;
    if ((opts->method == RUG_BOXCOUNT_PYRAMID ||
         rugi_boxcount_is_mukundan(opts->method)) &&
        (all_positions || !are_powers_of_two(opts->sizes, opts->n_sizes)))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "method %s counts powers of two on the grid at the "
                                "origin; use auto or window for other sizes and grids",
                                rug_boxcount_method_name(opts->method));
    if (opts->method == RUG_BOXCOUNT_HOU && all_positions)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "method hou counts on the grid at the origin; use auto "
                                "or window for other grids");
    return check_device(ctx, choose_method(opts));
}

rug_status rugi_boxcount_take(rug_context *ctx, rug_boxcount_options *own,
                              const rug_boxcount_options *given)
{
    *own = (rug_boxcount_options)RUG_BOXCOUNT_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, own, given, "rug_boxcount_options");
    return status == RUG_OK ? check(ctx, own) : status;
}

/* ---- Results ---- */

/* The largest number of pixels times the side of one. */
#define EXTENT_MAX ((uint64_t)1 << 62)

/* Pixels must have a size on all axes of the image, and on no other. */
static rug_status check_extents(rug_context *ctx, int ndim, const uint64_t *shape,
                                const uint64_t *pixel_size)
{
    for (int a = 0; a < RUG_MAX_AXES; a++)
        if ((pixel_size[a] > 0) != (a < ndim))
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "pixels of sides %" PRIu64 ", %" PRIu64 ", %" PRIu64
                " given, those of %d axes expected, above 0, slowest first",
                pixel_size[0], pixel_size[1], pixel_size[2], ndim);
    for (int a = 0; a < ndim; a++)
        if (pixel_size[a] > EXTENT_MAX / shape[a])
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "%" PRIu64 " pixels of side %" PRIu64
                                    " given, at most 2^62 together expected; give sizes "
                                    "in a larger unit",
                                    shape[a], pixel_size[a]);
    return RUG_OK;
}

/* The sides of the image in the unit of box sizes; 1 where an axis has a single pixel.
 *  @return the longest */
static uint64_t measure_extents(uint64_t *extent, const rug_boxcount_facts *facts)
{
    uint64_t longest = 1;
    for (int a = 0; a < facts->ndim; a++) {
        extent[a] = facts->shape[a];
        if (facts->pixel_size[0] > 0 && facts->shape[a] > 1)
            extent[a] *= facts->pixel_size[a];
        longest = extent[a] > longest ? extent[a] : longest;
    }
    return longest;
}

/* The side of default boxes that is not doubled: 1, or that of a pixel. */
static uint64_t least_size(const uint64_t *pixel_size)
{
    uint64_t side = largest_side(pixel_size);
    return side > 0 ? side : 1;
}

static uint32_t n_default_sizes(const rug_boxcount_facts *facts)
{
    uint64_t extent[RUG_POINTS_MAX_AXES], least = least_size(facts->pixel_size);
    return rugi_scaling_n_dyadic((measure_extents(extent, facts) - 1) / least + 1);
}

/* The struct and its rows, in one block. */
static rug_boxcount_result *allocate(rug_context *ctx, uint32_t n_sizes,
                                     rug_boxcount_grid grid)
{
    size_t n_positions = grid == RUG_BOXCOUNT_GRID_ORIGIN ? 0 : n_sizes;
    rug_boxcount_result *r = rugi_allocate_zeros(ctx, 1,
                                                 sizeof *r + n_sizes * sizeof *r->counts +
                                                     n_positions * sizeof *r->positions,
                                                 "counts of boxes");
    if (r == NULL)
        return NULL;
    r->ctx = ctx;
    r->counts = (rug_box_count *)(r + 1);
    r->positions = n_positions > 0 ? (rug_box_positions *)(r->counts + n_sizes) : NULL;
    return r;
}

rug_status rugi_boxcount_new(rug_context *ctx, rug_boxcount_result **out, int ndim,
                             const uint64_t *shape, const rug_boxcount_options *opts)
{
    const uint64_t *sizes = opts->sizes;
    rug_boxcount_facts facts = {
        .ndim = ndim, .method = choose_method(opts), .grid = opts->grid, .n_pixels = 1};
    *out = NULL;
    rug_status status = check_sizes(ctx, sizes, opts->n_sizes);
    if (status == RUG_OK && largest_side(opts->pixel_size) > 0)
        status = check_extents(ctx, ndim, shape, opts->pixel_size);
    if (status != RUG_OK)
        return status;
    for (int a = 0; a < ndim; a++) {
        facts.shape[a] = shape[a];
        facts.n_pixels = rugi_saturating_product(facts.n_pixels, shape[a]);
    }
    memcpy(facts.pixel_size, opts->pixel_size, sizeof facts.pixel_size);
    facts.n_sizes = sizes != NULL ? opts->n_sizes : n_default_sizes(&facts);
    rug_boxcount_result *r = *out = allocate(ctx, facts.n_sizes, opts->grid);
    if (r == NULL)
        return RUG_E_NOMEM;
    r->facts = facts;
    for (uint32_t i = 0; i < facts.n_sizes; i++)
        r->counts[i].size = sizes != NULL ? sizes[i] : least_size(facts.pixel_size) << i;
    return RUG_OK;
}

rug_status rugi_boxcount_copy(rug_context *ctx, rug_boxcount_result **out,
                              const rug_boxcount_result *result)
{
    uint32_t n = result->facts.n_sizes;
    rug_boxcount_result *r = *out = allocate(ctx, n, result->facts.grid);
    if (r == NULL)
        return RUG_E_NOMEM;
    r->facts = result->facts;
    r->n_points = result->n_points;
    memcpy(r->counts, result->counts, n * sizeof *r->counts);
    if (r->positions != NULL)
        memcpy(r->positions, result->positions, n * sizeof *r->positions);
    return RUG_OK;
}

rug_status rugi_boxcount_hand_over(rug_context *ctx, rug_boxcount_result **out,
                                   rug_boxcount_result *result, rug_status status)
{
    if (status != RUG_OK) {
        rug_boxcount_free(result);
        return status;
    }
    rugi_context_set_engine(ctx, result->facts.engine);
    *out = result;
    return RUG_OK;
}

void rug_boxcount_free(rug_boxcount_result *result)
{
    if (result != NULL)
        rug_context_release(result->ctx, result);
}

const rug_boxcount_facts *rug_boxcount_get_facts(const rug_boxcount_result *result)
{
    return result != NULL ? &result->facts : NULL;
}

const rug_box_count *rug_boxcount_at(const rug_boxcount_result *result, size_t i)
{
    return result != NULL && i < result->facts.n_sizes ? &result->counts[i] : NULL;
}

const rug_box_positions *rug_boxcount_positions_at(const rug_boxcount_result *result,
                                                   size_t i)
{
    return result != NULL && i < result->facts.n_sizes && result->positions != NULL
               ? &result->positions[i]
               : NULL;
}

uint64_t rugi_boxcount_total(const rug_boxcount_result *result, uint32_t i)
{
    uint64_t total = 1, size = result->counts[i].size;
    int is_min = result->facts.grid == RUG_BOXCOUNT_GRID_MIN;
    for (int a = 0; a < result->facts.ndim; a++) {
        uint64_t shift = is_min ? result->positions[i].shift[a] : 0;
        uint64_t last = result->facts.shape[a] - 1 + shift;
        if (result->facts.pixel_size[0] > 0)
            last *= result->facts.pixel_size[a];
        total = rugi_saturating_product(total, last / size + 1);
    }
    return total;
}

void rugi_boxcount_set_gray_white(rug_boxcount_result *result)
{
    for (uint32_t i = 0; i < result->facts.n_sizes; i++) {
        rug_box_count *c = &result->counts[i];
        c->gray = c->nonempty - c->black;
        c->white = c->total == RUG_BOXCOUNT_TOO_MANY ? RUG_BOXCOUNT_TOO_MANY
                                                     : c->total - c->nonempty;
    }
}

/* ---- Names ---- */

const char *rug_boxcount_method_name(rug_boxcount_method method)
{
    static const char *const names[] = {"auto", "pyramid", "window",
                                        "hou",  "atomic",  "local"};
    return RUGI_NAME(names, method);
}

const char *rug_boxcount_grid_name(rug_boxcount_grid grid)
{
    static const char *const names[] = {"origin", "min", "mean"};
    return RUGI_NAME(names, grid);
}

const char *rug_boxcount_of_name(rug_boxcount_of of)
{
    static const char *const names[] = {"nonempty", "black", "gray", "white"};
    return RUGI_NAME(names, of);
}

/* ---- The fractal dimension ----
 *
 * A line through ln(count) against ln(1 / size); which sizes it takes, core/fit/scaling.h
 * says. */

double rug_boxcount_boxes(const rug_boxcount_result *counts, size_t i, rug_boxcount_of of)
{
    if (counts == NULL || i >= counts->facts.n_sizes)
        return NAN;
    const rug_box_count *c = &counts->counts[i];
    const rug_box_positions *mean =
        counts->facts.grid == RUG_BOXCOUNT_GRID_MEAN ? &counts->positions[i] : NULL;
    switch (of) {
    case RUG_BOXCOUNT_OF_BLACK: return mean != NULL ? mean->mean_black : (double)c->black;
    case RUG_BOXCOUNT_OF_GRAY:
        return mean != NULL ? mean->mean_nonempty - mean->mean_black : (double)c->gray;
    case RUG_BOXCOUNT_OF_WHITE:
        if (c->white == RUG_BOXCOUNT_TOO_MANY)
            return NAN;
        return mean != NULL ? mean->mean_total - mean->mean_nonempty : (double)c->white;
    default: return mean != NULL ? mean->mean_nonempty : (double)c->nonempty;
    }
}

static double total_of(const rug_boxcount_result *counts, uint32_t i)
{
    return counts->facts.grid == RUG_BOXCOUNT_GRID_MEAN ? counts->positions[i].mean_total
                                                        : (double)counts->counts[i].total;
}

/* The counts of a kind, side by side. */
typedef struct columns {
    uint64_t size[RUG_BOXCOUNT_MAX_SIZES];
    double boxes[RUG_BOXCOUNT_MAX_SIZES], total[RUG_BOXCOUNT_MAX_SIZES];
    double nonempty[RUG_BOXCOUNT_MAX_SIZES];
} columns;

static void fill_columns(columns *c, const rug_boxcount_result *counts,
                         rug_boxcount_of of)
{
    for (uint32_t i = 0; i < counts->facts.n_sizes; i++) {
        c->size[i] = counts->counts[i].size;
        c->boxes[i] = rug_boxcount_boxes(counts, i, of);
        c->total[i] = total_of(counts, i);
        c->nonempty[i] = rug_boxcount_boxes(counts, i, RUG_BOXCOUNT_OF_NONEMPTY);
    }
}

/* Whether all pixels are of the kind, so that all boxes are, at every size. */
static int is_full(const rug_boxcount_facts *facts, rug_boxcount_of of)
{
    return facts->n_set == (of == RUG_BOXCOUNT_OF_WHITE ? 0 : facts->n_pixels);
}

/* The points of a set, or the pixels of an image with pixel_size that are isolated: most have a
 * box of twice the largest side of their own. */
static double n_points_of(const rug_boxcount_result *counts)
{
    const rug_box_count *c = counts->counts;
    uint64_t side = largest_side(counts->facts.pixel_size);
    if (side == 0 || counts->facts.n_sizes < 2 || c[0].size != side ||
        c[1].size > 3 * side)
        return (double)counts->n_points;
    double n_set = (double)counts->facts.n_set;
    return (double)c[1].nonempty > RUGI_ISOLATED_SHARE * n_set ? n_set : 0;
}

rug_status rug_boxcount_fit(rug_context *ctx, rug_fit *out,
                            const rug_boxcount_result *counts, rug_boxcount_of of,
                            const rug_fit_options *opts)
{
    rug_status status = rugi_clear(ctx, out, "rug_fit");
    if (status != RUG_OK)
        return status;
    if (counts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_fit: NULL given");
    if ((unsigned)of > RUG_BOXCOUNT_OF_WHITE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "fit: boxes of kind %d given, 0..%d expected", (int)of,
                                RUG_BOXCOUNT_OF_WHITE);
    rug_fit_options range;
    status = rugi_fit_options_take(ctx, &range, opts);
    if (status != RUG_OK)
        return status;
    const rug_boxcount_facts *facts = &counts->facts;
    uint64_t extent[RUG_POINTS_MAX_AXES];
    measure_extents(extent, facts);
    rug_fit fit;
    columns *c = rug_context_allocate(ctx, 1, sizeof *c, "columns of a fit");
    if (c == NULL)
        return RUG_E_NOMEM;
    fill_columns(c, counts, of);
    rugi_fit(&fit, &range,
             &(rugi_fit_input){.n_axes = facts->ndim,
                               .shape = extent,
                               .n_sizes = facts->n_sizes,
                               .sizes = c->size,
                               .values = c->boxes,
                               .boxes = c->nonempty,
                               .n_points = n_points_of(counts),
                               .totals = is_full(facts, of) ? NULL : c->total});
    rug_context_release(ctx, c);
    if (counts->counts[0].nonempty == 0 && of != RUG_BOXCOUNT_OF_WHITE)
        fit.status = RUG_FIT_EMPTY;
    RUGI_GIVE(out, &fit);
    return RUG_OK;
}
