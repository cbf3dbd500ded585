/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The state of points in parts, and its lattice cells, for methods. */

#ifndef RUGI_POINTS_STATE_H
#define RUGI_POINTS_STATE_H

#include "point_cells.h"
#include "point_runs.h"
#include <rugose/points_parts.h>

/** Cells of parts are kept in runs, each of which is longer than half the one before, so that a
 *  cell is joined as many times as the number of parts has bits. */
struct rug_points_parts {
    rug_context *ctx;
    rug_dtype dtype;
    double spacing;                                               /* 0: a resolution */
    uint64_t resolution;                                          /* 0: a spacing */
    double least[RUG_POINTS_MAX_AXES], most[RUG_POINTS_MAX_AXES]; /* of all, with it */
    uint64_t n_all;    /* 0: points have no numbers */
    uint64_t n_points; /* that have come */
    rugi_cover cover;  /* the numbers of these, along x */
    rugi_cell_run_form form;
    rugi_cell_run runs[RUGI_RUNS_MAX];
    size_t n_runs;
};

/** The cells of all parts, each of them once. */
typedef struct rugi_counted_cells {
    rugi_cells cells; /* borrows the rest, so that it must not move; n = 0: no points */
    uint64_t *places; /* of a block, axis after axis, as cells.load() gives them */
    uint64_t *counts; /* [cells.n]: points of each cell */
} rugi_counted_cells;

/** @param out  for rugi_counted_cells_free(), also on failure
 *  @return RUG_OK, RUG_E_ARG (points are missing), RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_points_parts_cells(rug_context *ctx, rugi_counted_cells *out,
                                   const rug_points_parts *parts);

static inline void rugi_counted_cells_free(rug_context *ctx, rugi_counted_cells *cells)
{
    rug_context_release(ctx, cells->counts);
    rug_context_release(ctx, cells->places);
}

#endif
