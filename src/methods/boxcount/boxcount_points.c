/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of points: checks what is given, has the cells counted by their keys or as a
 * packed image of the bounding box, and fills the result. */

#include "boxcount/count/boxcount_count.h"
#include "boxcount/result/boxcount_result.h"
#include "core/context/engine.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "core/points/points_state.h"
#include "core/points/quantise.h"

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

static rug_status check_options(rug_context *ctx, int ndim, const points_options *o)
{
    rug_status status = check_method(ctx, o, ndim);
    return status == RUG_OK ? rugi_cell_size_check(ctx, o->spacing, o->resolution)
                            : status;
}

static void complete_counts(rug_boxcount_result *r, const rugi_cell_range *range)
{
    for (uint32_t i = 0; i < r->facts.n_sizes; i++)
        r->counts[i].total = r->facts.grid == RUG_BOXCOUNT_GRID_ORIGIN
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

/* Nanoseconds of work for each cell. */
#define CELL_WORK 3.0

static rug_status pack_cells(rug_context *ctx, packing *p)
{
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, CELL_WORK * (double)p->cells->n, status,
              rugi_parallel_for(ctx, p->cells->n_blocks, pack_task, p));
    return status;
}

static rug_status count_by_window(rug_context *ctx, rug_boxcount_result *r,
                                  const rugi_cells *cells)
{
    packing p = {.cells = cells};
    const rug_boxcount_facts *facts = &r->facts;
    size_t shape[3] = {0}, n_threads = (size_t)rug_context_threads(ctx);
    for (int a = 0; a < facts->ndim; a++)
        shape[a] = (size_t)facts->shape[a];
    if (facts->n_pixels > WINDOW_CELLS_MAX)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "a bounding box of %llux%llux%llu lattice cells given, at most %llu in all "
            "expected for grids min and mean; use larger ones or the grid at the origin",
            (unsigned long long)facts->shape[0], (unsigned long long)facts->shape[1],
            (unsigned long long)(facts->ndim == 3 ? facts->shape[2] : 1),
            (unsigned long long)WINDOW_CELLS_MAX);
    rug_status status = rugi_bits_new(ctx, &p.bits, facts->ndim, shape, "packed cells");
    if (status != RUG_OK)
        return status;
    p.places =
        rug_context_allocate(ctx, n_threads * (size_t)facts->ndim,
                             RUGI_CELLS_BLOCK * sizeof *p.places, "cells of a block");
    status = p.places == NULL ? RUG_E_NOMEM : RUG_OK;
    RUGI_PHASE(ctx, 0, 0.2, status, pack_cells(ctx, &p));
    rug_context_release(ctx, p.places);
    RUGI_PHASE(ctx, 0.2, 1, status,
               rugi_boxcount_of_bits(ctx, r, RUG_BOXCOUNT_WINDOW, &p.bits));
    rugi_bits_free(ctx, &p.bits);
    return status;
}

static rug_status count(rug_context *ctx, rug_boxcount_result *r, const rugi_cells *cells)
{
    rug_status status = RUG_OK;
    if (r->facts.grid == RUG_BOXCOUNT_GRID_ORIGIN)
        status = rugi_boxcount_hou_cells(ctx, r, cells);
    else if (cells->n > 0)
        status = count_by_window(ctx, r, cells);
    if (status == RUG_OK && cells->n > 0)
        complete_counts(r, &cells->range);
    return status;
}

/* How the lattice cells are counted. */
static rug_boxcount_options options_of_cells(const points_options *o)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.method =
        o->grid == RUG_BOXCOUNT_GRID_ORIGIN ? RUG_BOXCOUNT_HOU : RUG_BOXCOUNT_WINDOW;
    opts.grid = o->grid;
    opts.sizes = o->sizes;
    opts.n_sizes = o->n_sizes;
    return opts;
}

/* Counts cells with options that are checked but for the sizes.
 *  @param n_points  in all cells */
static rug_status count_cells(rug_context *ctx, rug_boxcount_result **out, int ndim,
                              uint64_t n_points, const rugi_cells *cells,
                              const points_options *o)
{
    rug_boxcount_result *r = NULL;
    uint64_t shape[RUG_POINTS_MAX_AXES] = {0};
    rug_boxcount_options opts = options_of_cells(o);
    for (int a = 0; a < ndim && cells->n > 0; a++)
        shape[a] = rugi_cells_extent(cells->range.least[a], cells->range.most[a]);
    rug_status status = rugi_boxcount_new(ctx, &r, ndim, shape, &opts);
    if (status != RUG_OK)
        return status;
    r->facts.foreground.kind = RUG_FOREGROUND_NONZERO;
    r->facts.engine = "cpu";
    r->n_points = n_points;
    RUGI_PHASE(ctx, MEASURE_SHARE, 1, status, count(ctx, r, cells));
    return rugi_boxcount_hand_over(ctx, out, r, status);
}

rug_status rug_boxcount_points(rug_context *ctx, rug_boxcount_result **out,
                               const rug_points *points,
                               const rug_boxcount_points_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_points: NULL given");
    points_options own = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    rugi_quantiser quantiser;
    rugi_cells cells = {.n = 0};
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_boxcount_points_options");
    if (status == RUG_OK)
        status = rugi_points_check(ctx, points);
    if (status == RUG_OK)
        status = check_options(ctx, points->ndim, &own);
    if (status == RUG_OK && points->n > 0)
        RUGI_PHASE(
            ctx, 0, MEASURE_SHARE, status,
            rugi_quantise(ctx, &quantiser, &cells, points, own.spacing, own.resolution));
    return status == RUG_OK ? count_cells(ctx, out, points->ndim, points->n, &cells, &own)
                            : status;
}

/* The lattice of parts is theirs. */
static rug_status check_lattice(rug_context *ctx, const rug_points_parts *parts,
                                const points_options *o)
{
    if ((o->spacing == 0 ||
         (o->spacing <= parts->spacing && o->spacing >= parts->spacing)) &&
        (o->resolution == 0 || o->resolution == parts->resolution))
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_ARG,
                            "spacing %g and resolution %llu given, but the parts have %g "
                            "and %llu; leave them out",
                            o->spacing, (unsigned long long)o->resolution, parts->spacing,
                            (unsigned long long)parts->resolution);
}

rug_status rug_points_parts_boxcount(rug_context *ctx, rug_boxcount_result **out,
                                     const rug_points_parts *parts,
                                     const rug_boxcount_points_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || parts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_points_parts_boxcount: NULL given");
    points_options own = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    rugi_counted_cells cells = {.counts = NULL};
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_boxcount_points_options");
    if (status == RUG_OK)
        status = check_options(ctx, parts->form.axes, &own);
    if (status == RUG_OK)
        status = check_lattice(ctx, parts, &own);
    RUGI_PHASE(ctx, 0, MEASURE_SHARE, status,
               rugi_points_parts_cells(ctx, &cells, parts));
    if (status == RUG_OK)
        status =
            count_cells(ctx, out, parts->form.axes, parts->n_points, &cells.cells, &own);
    rugi_counted_cells_free(ctx, &cells);
    return status;
}
