/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Runs: lattice cells in the order of their places, with the number of points in each, as bytes
 * (docs/states.md). */

#ifndef RUGI_POINT_RUNS_H
#define RUGI_POINT_RUNS_H

#include "core/context/threads.h"
#include "core/state/state.h"
#include <rugose/points.h>

/** Points of all cells, at most: their numbers have room for an axis beside them. */
#define RUGI_RUN_POINTS_MAX \
    (PTRDIFF_MAX > INT32_MAX ? (uint64_t)1 << 59 : (uint64_t)PTRDIFF_MAX)

/** Runs that are joined at once, at most. */
#define RUGI_RUNS_MAX 64

/** What all runs of a state have in common. */
typedef struct rugi_cell_run_form {
    int axes;
    uint64_t zero; /* the place of coordinate 0 */
} rugi_cell_run_form;

/** Sorted cells, each of them once. */
typedef struct rugi_cell_run {
    uint8_t *bytes;
    size_t n_bytes;
    uint64_t n_cells;
} rugi_cell_run;

/** Cells on their way to bytes. */
typedef struct rugi_cell_run_writer {
    rugi_state_writer *to;
    int axes;
    uint64_t n;
    uint64_t at[RUG_POINTS_MAX_AXES]; /* the last cell; zeros before the first */
} rugi_cell_run_writer;

static inline rugi_cell_run_writer rugi_cell_run_begin(rugi_state_writer *to,
                                                       rugi_cell_run_form form)
{
    rugi_cell_run_writer w = {.to = to, .axes = form.axes};
    for (int a = 0; a < form.axes; a++)
        w.at[a] = form.zero;
    return w;
}

/** Puts a cell behind all others. */
void rugi_cell_run_put(rugi_cell_run_writer *w, const uint64_t *place, uint64_t count);

/** Makes a run of what was written. @return the first failure; then there is none */
rug_status rugi_cell_run_end(rugi_cell_run *out, const rugi_cell_run_writer *w);

/** Cells that are read. */
typedef struct rugi_cell_run_reader {
    rugi_state_reader *from;
    int axes;
    uint64_t n, n_left;
    uint64_t at[RUG_POINTS_MAX_AXES], count; /* the cell, and its points, 1 or more */
} rugi_cell_run_reader;

static inline rugi_cell_run_reader rugi_cell_run_open(rugi_state_reader *from,
                                                      rugi_cell_run_form form, uint64_t n)
{
    rugi_cell_run_reader r = {.from = from, .axes = form.axes, .n_left = n};
    for (int a = 0; a < form.axes; a++)
        r.at[a] = form.zero;
    return r;
}

/** Takes in the next cell. @return 0 when there is none, or reading has failed */
int rugi_cell_run_get(rugi_cell_run_reader *r);

/** The cells of some runs, RUGI_RUNS_MAX at most, as one.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_cell_runs_join(rug_context *ctx, rugi_cell_run *out,
                               rugi_cell_run_form form, const rugi_cell_run *runs,
                               size_t n_runs);

/** The bytes of a run, to be read. */
static inline rugi_state_reader rugi_cell_run_bytes(rug_context *ctx,
                                                    const rugi_cell_run *run)
{
    rugi_state_reader r = {.ctx = ctx, .at = run->bytes, .end = run->bytes};
    if (run->n_bytes > 0)
        r.end += run->n_bytes;
    return r;
}

/** Looks for cancellation now and then, behind cell n. @return the status to go on with */
static inline rug_status rugi_cell_run_look(rug_context *ctx, rug_status status,
                                            uint64_t n)
{
    return status == RUG_OK && n % 65536 == 0 ? rugi_look(ctx) : status;
}

#endif
