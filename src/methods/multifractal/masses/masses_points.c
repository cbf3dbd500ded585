/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses of points: the Morton keys of their lattice cells, sorted (Hou, Gilmore,
 * Mindlin and Solari 1990), so that the points of a box lie side by side at every
 * size. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "core/fit/scaling.h"
#include "core/points/points_state.h"
#include "core/points/quantise.h"
#include "masses_state.h"
#include <string.h>

/* The shares of the work that measure the coordinates, and that sort as well. */
#define MEASURE_SHARE 0.2
#define SORT_SHARE    0.7

typedef struct point_job {
    rugi_quantiser quantiser;
    rugi_cells cells;
    const uint64_t
        *counts; /* [n]: points of each cell, which are all different; NULL: one
                               each */
    rugi_key_layout layout;
    rugi_key_kernels kernels;
    int is_wide;      /* keys of 128 bits */
    void *keys;       /* [n] */
    void *scratch;    /* [n] keys */
    uint64_t *masses; /* [n] */
    uint64_t *sorted; /* [n]: in the scratch */
    uint64_t *places; /* of a block, per thread */
} point_job;

#define KEY         uint64_t
#define KEYED(name) name##_u64
#include "masses_points_tmpl.h"
#undef KEY
#undef KEYED
#define KEY         rugi_u128
#define KEYED(name) name##_u128
#include "masses_points_tmpl.h"
#undef KEY
#undef KEYED

static rug_status check_keys(rug_context *ctx, const rugi_key_layout *layout)
{
    if (layout->bits <= RUGI_KEY_BITS)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "lattice cells on %d axes given, whose coordinates have %u bits together (the "
        "first axis %u), at most %d expected; use larger lattice cells or fewer axes",
        layout->axes, layout->bits, layout->n_bits[0], RUGI_KEY_BITS);
}

/* Shape, sizes, and how many boxes there are of each. */
static void describe(rug_masses *m, const rugi_cell_range *range)
{
    uint64_t longest = 1;
    for (int a = 0; a < range->axes; a++) {
        m->point_shape[a] = rugi_cells_extent(range->least[a], range->most[a]);
        longest = m->point_shape[a] > longest ? m->point_shape[a] : longest;
    }
    m->plan.n_levels = rugi_scaling_n_dyadic(longest);
    for (uint32_t level = 0; level < m->plan.n_levels; level++)
        m->point_boxes[level] = rugi_cells_boxes(range, (uint64_t)1 << level);
}

static rug_status make_memory(rug_context *ctx, point_job *j)
{
    size_t n = (size_t)j->cells.n, n_threads = (size_t)rug_context_threads(ctx);
    size_t size = j->is_wide ? sizeof(rugi_u128) : sizeof(uint64_t);
    j->keys = rug_context_allocate(ctx, n, size, "Morton keys");
    j->scratch = rug_context_allocate(ctx, n, size, "Morton keys");
    j->masses = rug_context_allocate(ctx, n, sizeof *j->masses, "masses of cells");
    j->places =
        rug_context_allocate(ctx, n_threads * (size_t)j->layout.axes,
                             RUGI_CELLS_BLOCK * sizeof *j->places, "cells of a block");
    j->sorted = j->scratch;
    return j->keys != NULL && j->scratch != NULL && j->masses != NULL && j->places != NULL
               ? RUG_OK
               : RUG_E_NOMEM;
}

static rug_status sort_keys(rug_context *ctx, point_job *j)
{
    size_t n = (size_t)j->cells.n;
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, MEASURE_SHARE, SORT_SHARE / 2, status,
               rugi_parallel_for(ctx, j->cells.n_blocks,
                                 j->is_wide ? encode_task_u128 : encode_task_u64, j));
    RUGI_PHASE(ctx, SORT_SHARE / 2, SORT_SHARE, status,
               j->is_wide
                   ? rugi_sort_u128(ctx, j->keys, j->scratch, n, j->layout.bits, NULL)
                   : rugi_sort_u64(ctx, j->keys, j->scratch, n, j->layout.bits, NULL));
    return status;
}

/* Sets the masses of sorted keys. */
static rug_status weigh(rug_context *ctx, point_job *j)
{
    if (j->counts != NULL)
        return rugi_parallel_for(ctx, j->cells.n_blocks,
                                 j->is_wide ? weigh_task_u128 : weigh_task_u64, j);
    for (size_t i = 0; i < (size_t)j->cells.n; i++)
        j->masses[i] = 1;
    return RUG_OK;
}

static rug_status measure_cells(rug_context *ctx, rug_masses *m, point_job *j)
{
    rugi_key_layout_make(&j->layout, &j->cells.range);
    rug_status status = check_keys(ctx, &j->layout);
    if (status != RUG_OK)
        return status;
    j->is_wide = j->layout.bits > 64;
    j->kernels = rugi_key_kernels_choose(ctx);
    describe(m, &j->cells.range);
    status = make_memory(ctx, j);
    if (status == RUG_OK)
        status = sort_keys(ctx, j);
    if (status == RUG_OK)
        status = weigh(ctx, j);
    if (status == RUG_OK)
        status = j->is_wide ? scan_u128(ctx, m, j) : scan_u64(ctx, m, j);
    rug_context_release(ctx, j->places);
    rug_context_release(ctx, j->masses);
    rug_context_release(ctx, j->scratch);
    rug_context_release(ctx, j->keys);
    return status;
}

/* Nanoseconds of work for each point. */
#define POINT_WORK 10.0

/* Measures the cells of a job, if there are any, and hands the masses over. */
static rug_status make_masses(rug_context *ctx, rug_masses **out, point_job *j, int ndim,
                              uint64_t n_points)
{
    rug_masses *m = rugi_allocate_zeros(ctx, 1, sizeof *m, "masses");
    rug_status status = RUG_OK;
    if (m == NULL)
        return RUG_E_NOMEM;
    m->ctx = ctx;
    m->engine = "cpu";
    m->is_points = m->is_finished = 1;
    m->foreground.kind = RUG_FOREGROUND_NONZERO;
    m->n_points = n_points;
    m->plan.n_axes = ndim;
    m->plan.n_levels = 1;
    if (j->cells.n > 0)
        RUGI_WORK(ctx, POINT_WORK * (double)j->cells.n, status, measure_cells(ctx, m, j));
    if (status == RUG_OK) {
        rugi_context_set_engine(ctx, m->engine);
        *out = m;
    } else {
        rug_masses_free(m);
    }
    return status;
}

static rug_status quantise(rug_context *ctx, point_job *j, const rug_points *points,
                           const rug_masses_points_options *o)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(
        ctx, 0, MEASURE_SHARE, status,
        rugi_quantise(ctx, &j->quantiser, &j->cells, points, o->spacing, o->resolution));
    return status;
}

static rug_status check(rug_context *ctx, const rug_points *points,
                        const rug_masses_points_options *o)
{
    rug_status status = rugi_points_check(ctx, points);
    if (status == RUG_OK)
        status = rugi_cell_size_check(ctx, o->spacing, o->resolution);
    return status == RUG_OK ? rugi_engine_cpu_only(ctx, "measuring masses of points")
                            : status;
}

rug_status rug_masses_measure_points(rug_context *ctx, rug_masses **out,
                                     const rug_points *points,
                                     const rug_masses_points_options *opts)
{
    rug_masses_points_options o = RUG_MASSES_POINTS_OPTIONS_INIT;
    point_job j = {.is_wide = 0};
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_measure_points: NULL given");
    rug_status status = RUGI_TAKE(ctx, &o, opts, "rug_masses_points_options");
    if (status == RUG_OK)
        status = check(ctx, points, &o);
    if (status == RUG_OK && points->n > 0)
        RUGI_WORK(ctx, POINT_WORK * (double)points->n, status,
                  quantise(ctx, &j, points, &o));
    return status == RUG_OK ? make_masses(ctx, out, &j, points->ndim, points->n) : status;
}

rug_status rug_points_parts_masses(rug_context *ctx, rug_masses **out,
                                   const rug_points_parts *parts)
{
    rugi_counted_cells cells = {.counts = NULL};
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || parts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_points_parts_masses: NULL given");
    rug_status status = rugi_engine_cpu_only(ctx, "measuring masses of points");
    RUGI_PHASE(ctx, 0, MEASURE_SHARE, status,
               rugi_points_parts_cells(ctx, &cells, parts));
    point_job j = {.cells = cells.cells, .counts = cells.counts};
    if (status == RUG_OK)
        status = make_masses(ctx, out, &j, parts->form.axes, parts->n_points);
    rugi_counted_cells_free(ctx, &cells);
    return status;
}
