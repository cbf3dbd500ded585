/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of points: checks what is given, has the cells counted by their keys or as a
 * packed image of the bounding box, and fills the result. */

#include "boxcount/count/boxcount_count.h"
#include "boxcount/result/boxcount_result.h"
#include "core/context/engine.h"
#include "core/context/threads.h"
#include "core/points/quantise.h"
#include <math.h>
#include <string.h>

/* The most cells of a bounding box that is packed: eight gigabytes. */
#define WINDOW_CELLS_MAX ((uint64_t)1 << 36)

/* The share of the work that looks at the coordinates. */
#define MEASURE_SHARE 0.15

typedef rug_boxcount_points_options points_options;

static rug_status check_method(rug_context *ctx, const points_options *o, int ndim)
{
    if ((unsigned)o->grid > RUG_BOXCOUNT_GRID_MEAN)
        return rug_context_fail(ctx, RUG_E_ARG, "grid %d given, 0..%d expected",
                                (int)o->grid, RUG_BOXCOUNT_GRID_MEAN);
    if ((unsigned)o->method > RUG_BOXCOUNT_HOU)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "box counting method %d given, 0..%d expected",
                                (int)o->method, RUG_BOXCOUNT_HOU);
    int is_origin = o->grid == RUG_BOXCOUNT_GRID_ORIGIN;
    rug_boxcount_method only = is_origin ? RUG_BOXCOUNT_HOU : RUG_BOXCOUNT_WINDOW;
    if (o->method != RUG_BOXCOUNT_AUTO && o->method != only)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "points are counted by method hou on the grid at the "
                                "origin and by window on grids min and mean; use auto");
    if (!is_origin && (ndim < 2 || ndim > RUG_MAX_AXES))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "points of %d axes given, 2 or 3 expected for grids min "
                                "and mean; take the grid at the origin",
                                ndim);
    return is_origin ? RUG_OK
                     : rugi_engine_cpu_only(ctx, "counting points on grids min and mean");
}

static rug_status check_all(rug_context *ctx, const rug_points *points,
                            const points_options *o)
{
    if (!rugi_options_fit(ctx, o->struct_size, sizeof *o, "rug_boxcount_points_options"))
        return RUG_E_ARG;
    rug_status status = rugi_points_check(ctx, points);
    if (status == RUG_OK)
        status = check_method(ctx, o, points->ndim);
    if (status == RUG_OK)
        status = rugi_cell_size_check(ctx, o->spacing, o->resolution);
    if (status == RUG_OK)
        status = rugi_sizes_check(ctx, o->sizes, o->n_sizes);
    return status;
}

static void complete_counts(rug_boxcount_result *r, const rugi_cell_range *range)
{
    for (uint32_t i = 0; i < r->n_sizes; i++)
        r->counts[i].total = r->grid == RUG_BOXCOUNT_GRID_ORIGIN
                                 ? rugi_cells_boxes(range, r->counts[i].size)
                                 : rugi_boxcount_total(r, i);
    rugi_boxcount_set_gray_white(r);
}

typedef struct packing {
    const rugi_cells *cells;
    rugi_bits bits;
    uint64_t *places; /* of a block, per thread */
} packing;

/* Points of many tasks share words: bits are set one at a time. */
static void pack_task(void *shared, size_t block, int thread)
{
    const packing *p = shared;
    const rugi_cell_range *r = &p->cells->range;
    uint64_t *places = p->places + (size_t)thread * (size_t)r->axes * RUGI_CELLS_BLOCK;
    size_t n = (size_t)(rugi_cells_before(p->cells, block + 1) -
                        rugi_cells_before(p->cells, block));
    p->cells->load(p->cells->user, block, places);
    for (size_t i = 0; i < n; i++) {
        size_t at[3] = {0, 0, 0};
        for (int a = 0; a < r->axes; a++)
            at[3 - r->axes + a] =
                (size_t)(places[(size_t)a * RUGI_CELLS_BLOCK + i] - r->least[a]);
        uint64_t *word = rugi_bits_row(&p->bits, at[0], at[1]) + at[2] / 64;
        uint64_t bit = (uint64_t)1 << at[2] % 64;
        if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bit) == 0)
            __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
    }
}

static rug_status count_by_window(rug_context *ctx, rug_boxcount_result *r,
                                  const rugi_cells *cells)
{
    packing p = {.cells = cells};
    size_t shape[3] = {0}, n_threads = (size_t)rug_context_threads(ctx);
    uint64_t n_cells = 1;
    for (int a = 0; a < r->ndim; a++) {
        n_cells = rugi_saturating_product(n_cells, r->shape[a]);
        shape[a] = (size_t)r->shape[a];
    }
    if (n_cells > WINDOW_CELLS_MAX)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "a bounding box of %llux%llux%llu lattice cells given, at most %llu in all "
            "expected for grids min and mean; use larger ones or the grid at the origin",
            (unsigned long long)r->shape[0], (unsigned long long)r->shape[1],
            (unsigned long long)(r->ndim == 3 ? r->shape[2] : 1),
            (unsigned long long)WINDOW_CELLS_MAX);
    rug_status status = rugi_bits_new(ctx, &p.bits, r->ndim, shape, "packed cells");
    if (status != RUG_OK)
        return status;
    p.places =
        rug_context_allocate(ctx, n_threads * (size_t)r->ndim,
                             RUGI_CELLS_BLOCK * sizeof *p.places, "cells of a block");
    status = p.places == NULL ? RUG_E_NOMEM : RUG_OK;
    RUGI_PHASE(ctx, 0, 0.2, status,
               rugi_parallel_for(ctx, cells->n_blocks, pack_task, &p));
    rug_context_release(ctx, p.places);
    RUGI_PHASE(ctx, 0.2, 1, status,
               rugi_boxcount_of_bits(ctx, r, RUG_BOXCOUNT_WINDOW, &p.bits));
    rugi_bits_free(ctx, &p.bits);
    return status;
}

static void describe(rug_boxcount_result *r, const rugi_cell_range *range)
{
    r->n_pixels = 1;
    for (int a = 0; a < r->ndim; a++) {
        r->shape[a] = rugi_cells_extent(range->least[a], range->most[a]);
        r->n_pixels = rugi_saturating_product(r->n_pixels, r->shape[a]);
    }
}

static rug_status count(rug_context *ctx, rug_boxcount_result *r,
                        const rug_points *points, const points_options *o)
{
    rugi_quantiser quantiser;
    rugi_cells cells = {.n = 0};
    rug_status status = RUG_OK;
    r->engine = "cpu";
    if (points->n == 0) {
        rugi_sizes_set(r, o->sizes, o->n_sizes);
        return o->grid == RUG_BOXCOUNT_GRID_ORIGIN
                   ? rugi_boxcount_hou_cells(ctx, r, &cells)
                   : RUG_OK;
    }
    RUGI_PHASE(ctx, 0, MEASURE_SHARE, status,
               rugi_quantise(ctx, &quantiser, &cells, points, o->spacing, o->resolution));
    if (status != RUG_OK)
        return status;
    describe(r, &cells.range);
    rugi_sizes_set(r, o->sizes, o->n_sizes);
    RUGI_PHASE(ctx, MEASURE_SHARE, 1, status,
               o->grid == RUG_BOXCOUNT_GRID_ORIGIN
                   ? rugi_boxcount_hou_cells(ctx, r, &cells)
                   : count_by_window(ctx, r, &cells));
    if (status == RUG_OK)
        complete_counts(r, &cells.range);
    return status;
}

rug_status rug_boxcount_points(rug_context *ctx, rug_boxcount_result *out,
                               const rug_points *points,
                               const rug_boxcount_points_options *opts)
{
    static const rug_boxcount_points_options defaults = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_points: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check_all(ctx, points, opts);
    if (status != RUG_OK)
        return status;
    out->ndim = points->ndim;
    out->foreground.kind = RUG_FOREGROUND_NONZERO;
    out->method = opts->grid == RUG_BOXCOUNT_GRID_ORIGIN ? "hou" : "window";
    out->grid = opts->grid;
    status = count(ctx, out, points, opts);
    if (status != RUG_OK)
        memset(out, 0, sizeof *out);
    return status;
}
