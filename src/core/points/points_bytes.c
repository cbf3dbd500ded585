/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points in parts as bytes (docs/states.md). */

#include "core/context/threads.h"
#include "points_state.h"
#include "quantise.h"
#include <string.h>

#define SIGN ((uint64_t)1 << 63)

static void put_double(rugi_state_writer *w, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    rugi_state_put_bytes(w, bits, 8);
}

static double get_double(rugi_state_reader *r)
{
    uint64_t bits = rugi_state_get_bytes(r, 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static void put_options(rugi_state_writer *w, const rug_points_parts *p)
{
    rugi_state_put(w, (uint64_t)p->form.axes);
    rugi_state_put(w, p->dtype);
    put_double(w, p->spacing);
    rugi_state_put(w, p->resolution);
    for (int a = 0; a < p->form.axes && p->resolution > 0; a++) {
        put_double(w, p->least[a]);
        put_double(w, p->most[a]);
    }
    rugi_state_put(w, p->n_all);
    rugi_state_put(w, p->n_points);
}

static void put_cells(rugi_state_writer *w, rugi_cell_run_form form,
                      const rugi_cell_run *run)
{
    rugi_cell_run_writer to = rugi_cell_run_begin(w, form);
    rugi_state_reader bytes = rugi_cell_run_bytes(w->ctx, run);
    rugi_cell_run_reader from = rugi_cell_run_open(&bytes, form, run->n_cells);
    rugi_state_put(w, run->n_cells);
    while (w->status == RUG_OK && rugi_cell_run_get(&from)) {
        rugi_cell_run_put(&to, from.at, from.count);
        w->status = rugi_cell_run_look(w->ctx, w->status, to.n);
    }
}

rug_status rug_points_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                 const rug_points_parts *parts)
{
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || parts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_points_parts_save: NULL given");
    rugi_cover cover = {.n = 0};
    rugi_cell_run all = {NULL, 0, 0};
    rug_status status = rugi_cover_sorted(ctx, &cover, &parts->cover, SIZE_MAX);
    if (status == RUG_OK) /* their number comes before the cells */
        status = rugi_cell_runs_join(ctx, &all, parts->form, parts->runs, parts->n_runs);
    if (status == RUG_OK) {
        rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_POINTS);
        put_options(&w, parts);
        if (parts->n_all > 0)
            rugi_state_put_cover(&w, 1, &cover);
        put_cells(&w, parts->form, &all);
        status = rugi_state_end(&w, out, n);
    }
    rug_context_release(ctx, all.bytes);
    rugi_cover_free(ctx, &cover);
    return status;
}

/* Begins a state with the options of the bytes. */
static rug_points_parts *get_options(rugi_state_reader *r)
{
    rug_points_parts_options o = RUG_POINTS_PARTS_OPTIONS_INIT;
    rug_points_range range = RUG_POINTS_RANGE_INIT;
    rug_points_parts *p = NULL;
    range.n_points = 1;
    o.range = &range;
    range.ndim = (uint32_t)rugi_state_get_below(r, RUG_POINTS_MAX_AXES, "axes");
    rug_dtype dtype = (rug_dtype)rugi_state_get_below(r, RUG_N_DTYPES - 1, "dtype");
    o.spacing = get_double(r);
    o.resolution = rugi_state_get_below(r, RUG_BOXCOUNT_SIZE_MAX, "resolution");
    for (uint32_t a = 0; a < range.ndim && o.resolution > 0; a++) {
        range.least[a] = get_double(r);
        range.most[a] = get_double(r);
    }
    o.n_points = rugi_state_get_below(r, RUGI_RUN_POINTS_MAX, "number of points");
    uint64_t most = o.n_points > 0 ? o.n_points : RUGI_RUN_POINTS_MAX;
    uint64_t n_points = rugi_state_get_below(r, most, "points that have come");
    if (r->status == RUG_OK && !(o.spacing > 0) && o.resolution == 0)
        rugi_state_refuse(r, "it has no spacing and no resolution");
    if (r->status == RUG_OK)
        rugi_state_note(r, rug_points_parts_new(r->ctx, &p, dtype, (int)range.ndim, &o));
    if (p != NULL)
        p->n_points = n_points;
    return p;
}

/* The numbers of the points that have come. */
static void get_numbers(rugi_state_reader *r, rug_points_parts *p)
{
    const size_t shape[3] = {1, 1, (size_t)p->n_all};
    if (p->n_all == 0)
        return;
    rugi_state_get_cover(r, 1, shape, &p->cover);
    if (r->status == RUG_OK && p->cover.n_pixels != p->n_points)
        rugi_state_refuse(r, "the number of its points contradicts their numbers");
}

/* The least and the largest place that a coordinate can have. */
static void bound_places(const rug_points_parts *p, uint64_t *least, uint64_t *most)
{
    rugi_cell_rule rule = rugi_cell_rule_of(p->dtype, p->spacing, p->resolution);
    *least = 0;
    *most = rule == RUGI_CELL_RESOLUTION ? p->resolution - 1 : UINT64_MAX;
    if (rule != RUGI_CELL_WHOLE)
        return;
    int is_signed = p->dtype == RUG_I8 || p->dtype == RUG_I16 || p->dtype == RUG_I32 ||
                    p->dtype == RUG_I64;
    uint64_t zero = p->dtype == RUG_U64 ? 0 : SIGN;
    uint64_t all = UINT64_MAX >> (64 - 8 * rug_dtype_size(p->dtype));
    uint64_t below = is_signed ? all / 2 + 1 : 0, spacing = (uint64_t)p->spacing;
    *least = rugi_box_place(zero - below, zero, spacing);
    *most = rugi_box_place(zero - below + all, zero, spacing);
}

static void get_cells(rugi_state_reader *r, rug_points_parts *p)
{
    uint64_t least, most, n_left = p->n_points;
    uint64_t n = rugi_state_get_below(r, (uint64_t)(r->end - r->at) / 2,
                                      "number of lattice cells");
    rugi_state_writer to = {.ctx = r->ctx, .status = rugi_look(r->ctx)};
    rugi_cell_run_writer w = rugi_cell_run_begin(&to, p->form);
    rugi_cell_run_reader cells = rugi_cell_run_open(r, p->form, n);
    bound_places(p, &least, &most);
    while (to.status == RUG_OK && rugi_cell_run_get(&cells)) {
        int is_right = cells.count <= n_left;
        for (int a = 0; a < p->form.axes; a++)
            is_right &= cells.at[a] >= least && cells.at[a] <= most;
        if (!is_right) {
            rugi_state_refuse(r, "a lattice cell cannot be one of these points");
            break;
        }
        n_left -= cells.count;
        rugi_cell_run_put(&w, cells.at, cells.count);
        to.status = rugi_cell_run_look(r->ctx, to.status, w.n);
    }
    rugi_state_note(r, rugi_cell_run_end(&p->runs[0], &w));
    p->n_runs = p->runs[0].bytes != NULL;
    if (n_left > 0)
        rugi_state_refuse(r, "lattice cells and points contradict each other");
}

rug_status rug_points_parts_load(rug_context *ctx, rug_points_parts **out,
                                 const uint8_t *bytes, size_t n)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || bytes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_points_parts_load: NULL given");
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_POINTS);
    rug_points_parts *p = get_options(&r);
    if (p != NULL) {
        get_numbers(&r, p);
        get_cells(&r, p);
    }
    rug_status status = rugi_state_close(&r);
    if (status == RUG_OK)
        *out = p;
    else
        rug_points_parts_free(p);
    return status;
}
