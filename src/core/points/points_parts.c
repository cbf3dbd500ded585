/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points in parts: from coordinates to sorted cells, merging, and cells for methods. */

#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "points_state.h"
#include "quantise.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIGN ((uint64_t)1 << 63)

/* Adds a run, which the state has from then on, also on failure; there is room for it. */
static rug_status push_run(rug_context *ctx, rug_points_parts *p, rugi_cell_run run)
{
    rug_status status = RUG_OK;
    p->runs[p->n_runs++] = run;
    while (status == RUG_OK && p->n_runs > 1) {
        rugi_cell_run *last = &p->runs[p->n_runs - 2], joined;
        if (last[0].n_cells / 2 > last[1].n_cells)
            break;
        status = rugi_cell_runs_join(ctx, &joined, p->form, last, 2);
        if (status != RUG_OK)
            break;
        rug_context_release(p->ctx, last[0].bytes);
        rug_context_release(p->ctx, last[1].bytes);
        last[0] = joined;
        p->n_runs--;
    }
    return status;
}

/* ---- Begin and end ---- */

/* Finds the spacing or the resolution, and what goes with it. */
static rug_status choose_lattice(rug_context *ctx, rug_points_parts *p,
                                 const rug_points_range *range)
{
    int is_real = p->dtype == RUG_F32 || p->dtype == RUG_F64;
    if (p->spacing == 0 && p->resolution == 0) {
        if (is_real && range == NULL)
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "points of %s given without spacing, resolution and range: whether all "
                "coordinates are whole numbers decides on the lattice; give a spacing, or "
                "the range of all points",
                rug_dtype_name(p->dtype));
        if (is_real && range->is_broken)
            p->resolution = RUGI_DEFAULT_RESOLUTION;
        else
            p->spacing = 1;
    }
    if (p->resolution == 0)
        return RUG_OK;
    if (range == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "points with resolution %llu given without the range of all "
            "points; give it, or a spacing",
            (unsigned long long)p->resolution);
    for (int a = 0; a < p->form.axes; a++) {
        p->least[a] = range->least[a] + 0.0; /* never -0 */
        p->most[a] = range->most[a] + 0.0;
    }
    return RUG_OK;
}

/* Whether the numbers are a range.
 *  @param ndim  0: of any axes */
static rug_status check_range(rug_context *ctx, const rug_points_range *range,
                              uint32_t ndim)
{
    if (range->n_points == 0)
        return RUG_OK;
    if (range->ndim < 1 || range->ndim > RUG_POINTS_MAX_AXES ||
        (ndim > 0 && range->ndim != ndim))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "range of points of %u axes given, %u expected",
                                range->ndim, ndim > 0 ? ndim : RUG_POINTS_MAX_AXES);
    for (uint32_t a = 0; a < range->ndim; a++)
        if (!(range->least[a] <= range->most[a]) || !isfinite(range->least[a]) ||
            !isfinite(range->most[a]))
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "range of points %g..%g given on axis %u, two finite "
                                    "numbers expected, the least first",
                                    range->least[a], range->most[a], a);
    return RUG_OK;
}

/* The place of coordinate 0, as rugi_quantise_part() has it. */
static uint64_t zero_of(const rug_points_parts *p)
{
    if (p->resolution > 0)
        return 0;
    return p->dtype == RUG_U64 && p->spacing >= 1 && p->spacing <= 1 ? 0 : SIGN;
}

/* Begins a state. */
static rug_status new_parts(rug_context *ctx, rug_points_parts **out, rug_dtype dtype,
                            int ndim, const rug_points_parts_options *o,
                            const rug_points_range *range)
{
    static const double some[RUG_POINTS_MAX_AXES];
    const rug_points none = {some, dtype, 0, ndim, {0, 0}};
    rug_status status = rugi_points_check(ctx, &none);
    if (status == RUG_OK)
        status = rugi_cell_size_check(ctx, o->spacing, o->resolution);
    if (status == RUG_OK && range != NULL)
        status = check_range(ctx, range, (uint32_t)ndim);
    if (status == RUG_OK && o->n_points > RUGI_RUN_POINTS_MAX)
        status = rug_context_fail(
            ctx, RUG_E_ARG, "%llu points given, at most %llu expected",
            (unsigned long long)o->n_points, (unsigned long long)RUGI_RUN_POINTS_MAX);
    if (status != RUG_OK)
        return status;
    rug_points_parts *p = rugi_allocate_zeros(ctx, 1, sizeof *p, "points in parts");
    if (p == NULL)
        return RUG_E_NOMEM;
    p->ctx = ctx;
    p->dtype = dtype;
    p->form.axes = ndim;
    p->spacing = o->spacing;
    p->resolution = o->resolution;
    p->n_all = o->n_points;
    status = choose_lattice(ctx, p, range);
    p->form.zero = zero_of(p);
    if (status == RUG_OK)
        *out = p;
    else
        rug_points_parts_free(p);
    return status;
}

rug_status rug_points_parts_new(rug_context *ctx, rug_points_parts **out, rug_dtype dtype,
                                int ndim, const rug_points_parts_options *opts)
{
    rug_points_parts_options o = RUG_POINTS_PARTS_OPTIONS_INIT;
    rug_points_range range = RUG_POINTS_RANGE_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_points_parts_new: NULL given");
    rug_status status = RUGI_TAKE(ctx, &o, opts, "rug_points_parts_options");
    if (status == RUG_OK && o.range != NULL)
        status = RUGI_TAKE(ctx, &range, o.range, "rug_points_range");
    if (range.n_points == 0) /* the rest says nothing */
        range = (rug_points_range)RUG_POINTS_RANGE_INIT;
    return status == RUG_OK
               ? new_parts(ctx, out, dtype, ndim, &o, o.range != NULL ? &range : NULL)
               : status;
}

void rug_points_parts_free(rug_points_parts *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->n_runs; i++)
        rug_context_release(p->ctx, p->runs[i].bytes);
    rugi_cover_free(p->ctx, &p->cover);
    rug_context_release(p->ctx, p);
}

/* ---- Adding ---- */

/* The cells of a part, as keys that sort in the order of places. */
typedef struct sorting {
    rugi_cells cells;
    unsigned bits[RUG_POINTS_MAX_AXES], shift[RUG_POINTS_MAX_AXES];
    unsigned all_bits;
    rugi_u128 *keys, *scratch; /* [cells.n] */
    uint64_t *places;          /* of a block, per thread */
} sorting;

static rug_status plan_keys(rug_context *ctx, sorting *s)
{
    const rugi_cell_range *range = &s->cells.range;
    for (int a = range->axes - 1; a >= 0; a--) {
        uint64_t span = range->most[a] - range->least[a];
        s->bits[a] = span > 0 ? 64 - (unsigned)__builtin_clzll(span) : 0;
        s->shift[a] = s->bits[a] > 0 ? s->all_bits : 0;
        s->all_bits += s->bits[a];
    }
    return s->all_bits <= RUGI_KEY_BITS
               ? RUG_OK
               : rug_context_fail(
                     ctx, RUG_E_ARG,
                     "lattice cells on %d axes given, whose coordinates have "
                     "%u bits together, at most %d expected; use larger "
                     "lattice cells or fewer axes",
                     range->axes, s->all_bits, RUGI_KEY_BITS);
}

static void key_task(void *shared, size_t block, int thread)
{
    const sorting *s = shared;
    const rugi_cell_range *range = &s->cells.range;
    uint64_t first = rugi_cells_before(&s->cells, block);
    size_t n = (size_t)(rugi_cells_before(&s->cells, block + 1) - first);
    uint64_t *places =
        s->places + (size_t)thread * (size_t)range->axes * RUGI_CELLS_BLOCK;
    rugi_u128 *keys = s->keys + first;
    s->cells.load(s->cells.user, block, places);
    memset(keys, 0, n * sizeof *keys);
    for (int a = 0; a < range->axes; a++, places += RUGI_CELLS_BLOCK)
        for (size_t i = 0; i < n; i++)
            keys[i] |= (rugi_u128)(places[i] - range->least[a]) << s->shift[a];
}

/* Makes a run of sorted keys. */
static rug_status run_of_keys(rug_context *ctx, rugi_cell_run *out,
                              const rug_points_parts *p, const sorting *s)
{
    rugi_state_writer to = {.ctx = ctx};
    rugi_cell_run_writer w = rugi_cell_run_begin(&to, p->form);
    uint64_t place[RUG_POINTS_MAX_AXES];
    size_t n = (size_t)s->cells.n;
    for (size_t i = 0, next; i < n && to.status == RUG_OK; i = next) {
        for (next = i + 1; next < n && s->keys[next] == s->keys[i];)
            next++;
        for (int a = 0; a < p->form.axes; a++) {
            uint64_t mask =
                s->bits[a] < 64 ? ((uint64_t)1 << s->bits[a]) - 1 : UINT64_MAX;
            place[a] =
                s->cells.range.least[a] + ((uint64_t)(s->keys[i] >> s->shift[a]) & mask);
        }
        rugi_cell_run_put(&w, place, next - i);
        to.status = rugi_cell_run_look(ctx, to.status, w.n);
    }
    return rugi_cell_run_end(out, &w);
}

static rug_status sort_cells(rug_context *ctx, rugi_cell_run *out,
                             const rug_points_parts *p, sorting *s)
{
    size_t n = (size_t)s->cells.n, n_threads = (size_t)rug_context_threads(ctx);
    s->keys = rug_context_allocate(ctx, n, sizeof *s->keys, "keys of lattice cells");
    s->scratch = rug_context_allocate(ctx, n, sizeof *s->keys, "keys of lattice cells");
    s->places =
        rug_context_allocate(ctx, n_threads * (size_t)p->form.axes,
                             RUGI_CELLS_BLOCK * sizeof *s->places, "cells of a block");
    rug_status status =
        s->keys != NULL && s->scratch != NULL && s->places != NULL ? RUG_OK : RUG_E_NOMEM;
    RUGI_PHASE(ctx, 0, 0.3, status,
               rugi_parallel_for(ctx, s->cells.n_blocks, key_task, s));
    RUGI_PHASE(ctx, 0.3, 0.9, status,
               rugi_sort_u128(ctx, s->keys, s->scratch, n, s->all_bits, NULL));
    RUGI_PHASE(ctx, 0.9, 1, status, run_of_keys(ctx, out, p, s));
    rug_context_release(ctx, s->places);
    rug_context_release(ctx, s->scratch);
    rug_context_release(ctx, s->keys);
    return status;
}

/* With a resolution cells mean the same only where all points lie in one range. */
static rug_status check_inside(rug_context *ctx, const rug_points_parts *p,
                               const rugi_ends *e)
{
    for (int a = 0; a < p->form.axes && p->resolution > 0; a++)
        if (e->least[a] < p->least[a] || e->most[a] > p->most[a])
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "points of a part lie in %g..%g on axis %d, %g..%g "
                                    "expected, the range of all points",
                                    e->least[a], e->most[a], a, p->least[a], p->most[a]);
    return RUG_OK;
}

/* Nanoseconds of work for each point. */
#define POINT_WORK 20.0

static rug_status add_points(rug_context *ctx, rug_points_parts *p,
                             const rug_points *part)
{
    rugi_ends ends;
    rugi_quantiser quantiser;
    sorting s = {.keys = NULL};
    rugi_cell_run run = {NULL, 0, 0};
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, 0.2, status, rugi_points_ends(ctx, &ends, part));
    if (status == RUG_OK)
        status = check_inside(ctx, p, &ends);
    if (status == RUG_OK)
        status = rugi_quantise_part(ctx, &quantiser, &s.cells, part, p->spacing,
                                    p->resolution, &ends, p->least, p->most);
    if (status == RUG_OK)
        status = plan_keys(ctx, &s);
    RUGI_PHASE(ctx, 0.2, 0.9, status, sort_cells(ctx, &run, p, &s));
    RUGI_PHASE(ctx, 0.9, 1, status, push_run(ctx, p, run));
    return status;
}

/* Says that points are counted once only, where a cover has told so of pixels. */
static rug_status once(rug_context *ctx, rug_status status)
{
    return status == RUG_E_ARG
               ? rug_context_fail(ctx, RUG_E_ARG,
                                  "some of these points were added before; "
                                  "every point is expected once")
               : status;
}

/* Notes which points come. */
static rug_status note_numbers(rug_context *ctx, rug_points_parts *p, uint64_t first,
                               uint64_t n)
{
    if (p->n_all == 0 && first > 0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "point %llu given as the first of a part, 0 expected where "
            "the number of all points is not given",
            (unsigned long long)first);
    if (p->n_all > 0 && (first > p->n_all || n > p->n_all - first))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "part of %llu points from point %llu on given, but there "
                                "are %llu",
                                (unsigned long long)n, (unsigned long long)first,
                                (unsigned long long)p->n_all);
    if (n > RUGI_RUN_POINTS_MAX - p->n_points)
        return rug_context_fail(ctx, RUG_E_ARG, "more than %llu points given",
                                (unsigned long long)RUGI_RUN_POINTS_MAX);
    p->n_points += n;
    if (p->n_all == 0 || n == 0)
        return RUG_OK;
    rugi_box numbers = {{0, 0, (size_t)first}, {1, 1, (size_t)(first + n)}};
    return once(ctx, rugi_cover_add(ctx, &p->cover, numbers));
}

rug_status rug_points_parts_add(rug_context *ctx, rug_points_parts *parts,
                                const rug_points *part, uint64_t first)
{
    if (ctx == NULL || parts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_points_parts_add: NULL given");
    rug_status status = rugi_points_check(ctx, part);
    if (status == RUG_OK &&
        (part->dtype != parts->dtype || part->ndim != parts->form.axes))
        status = rug_context_fail(
            ctx, RUG_E_ARG, "points of %d axes and dtype %s given, of %d and %s expected",
            part->ndim, rug_dtype_name(part->dtype), parts->form.axes,
            rug_dtype_name(parts->dtype));
    if (status == RUG_OK)
        status = note_numbers(ctx, parts, first, part->n);
    if (status == RUG_OK && part->n > 0)
        RUGI_WORK(ctx, POINT_WORK * (double)part->n, status,
                  add_points(ctx, parts, part));
    return status;
}

/* ---- Merging ---- */

static rug_status check_doubles(rug_context *ctx, const char *what, double given,
                                double expected)
{
    char a[32], b[32];
    if (given <= expected && given >= expected)
        return RUG_OK;
    snprintf(a, sizeof a, "%.17g", given);
    snprintf(b, sizeof b, "%.17g", expected);
    return rugi_parts_differ(ctx, what, a, b);
}

static rug_status check_match(rug_context *ctx, const rug_points_parts *p,
                              const rug_points_parts *other)
{
    rug_status status =
        rugi_parts_check_number(ctx, "axes", other->form.axes, p->form.axes);
    if (status == RUG_OK && other->dtype != p->dtype)
        status = rugi_parts_differ(ctx, "dtype", rug_dtype_name(other->dtype),
                                   rug_dtype_name(p->dtype));
    if (status == RUG_OK)
        status = check_doubles(ctx, "spacing", other->spacing, p->spacing);
    if (status == RUG_OK)
        status = rugi_parts_check_number(ctx, "resolution", (int64_t)other->resolution,
                                         (int64_t)p->resolution);
    if (status == RUG_OK)
        status = rugi_parts_check_number(ctx, "number of points", (int64_t)other->n_all,
                                         (int64_t)p->n_all);
    for (int a = 0; a < p->form.axes && status == RUG_OK; a++) {
        status = check_doubles(ctx, "least coordinate", other->least[a], p->least[a]);
        if (status == RUG_OK)
            status = check_doubles(ctx, "largest coordinate", other->most[a], p->most[a]);
    }
    if (status == RUG_OK && other->n_points > RUGI_RUN_POINTS_MAX - p->n_points)
        status = rug_context_fail(ctx, RUG_E_ARG, "merge: more than %llu points given",
                                  (unsigned long long)RUGI_RUN_POINTS_MAX);
    return status;
}

rug_status rug_points_parts_merge(rug_context *ctx, rug_points_parts *parts,
                                  const rug_points_parts *other)
{
    rugi_cell_run run;
    if (ctx == NULL || parts == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_points_parts_merge: NULL given");
    rug_status status = check_match(ctx, parts, other);
    if (status == RUG_OK && other->n_points > 0)
        status = once(ctx, rugi_cover_merge(ctx, &parts->cover, &other->cover));
    if (status != RUG_OK || other->n_points == 0)
        return status;
    parts->n_points += other->n_points;
    status = rugi_cell_runs_join(ctx, &run, other->form, other->runs, other->n_runs);
    return status == RUG_OK ? push_run(ctx, parts, run) : status;
}

/* ---- The cells ---- */

static void load_cells(const void *user, size_t block, uint64_t *places)
{
    const rugi_counted_cells *c = user;
    size_t n = (size_t)c->cells.range.axes * RUGI_CELLS_BLOCK;
    memcpy(places, c->places + block * n, n * sizeof *places);
}

/* Takes in all cells of a run. */
static rug_status spread(rug_context *ctx, rugi_counted_cells *out,
                         rugi_cell_run_form form, const rugi_cell_run *run)
{
    rugi_cell_range *range = &out->cells.range;
    rugi_state_reader bytes = rugi_cell_run_bytes(ctx, run);
    rugi_cell_run_reader r = rugi_cell_run_open(&bytes, form, run->n_cells);
    rug_status status = RUG_OK;
    for (size_t i = 0; status == RUG_OK && rugi_cell_run_get(&r); i++) {
        size_t block = i / RUGI_CELLS_BLOCK, at = i % RUGI_CELLS_BLOCK;
        uint64_t *place = out->places + block * (size_t)form.axes * RUGI_CELLS_BLOCK + at;
        out->counts[i] = r.count;
        for (int a = 0; a < form.axes; a++, place += RUGI_CELLS_BLOCK) {
            *place = r.at[a];
            range->least[a] =
                i == 0 || *place < range->least[a] ? *place : range->least[a];
            range->most[a] = i == 0 || *place > range->most[a] ? *place : range->most[a];
        }
        status = rugi_cell_run_look(ctx, status, r.n);
    }
    return status;
}

rug_status rugi_points_parts_cells(rug_context *ctx, rugi_counted_cells *out,
                                   const rug_points_parts *p)
{
    rugi_cell_run all = {NULL, 0, 0};
    memset(out, 0, sizeof *out);
    if (p->n_all > 0 && p->n_points != p->n_all)
        return rug_context_fail(
            ctx, RUG_E_ARG, "%llu of %llu points were added; all are expected",
            (unsigned long long)p->n_points, (unsigned long long)p->n_all);
    rug_status status = rugi_cell_runs_join(ctx, &all, p->form, p->runs, p->n_runs);
    if (status != RUG_OK || all.n_cells == 0)
        return status;
    size_t axes = (size_t)p->form.axes;
    out->cells =
        (rugi_cells){.range = {.axes = p->form.axes, .zero = p->form.zero},
                     .n = all.n_cells,
                     .n_blocks = (size_t)((all.n_cells - 1) / RUGI_CELLS_BLOCK) + 1,
                     .load = load_cells,
                     .user = out};
    out->counts = rug_context_allocate(ctx, (size_t)all.n_cells, sizeof *out->counts,
                                       "points of lattice cells");
    out->places =
        rugi_allocate_zeros(ctx, out->cells.n_blocks * axes,
                            RUGI_CELLS_BLOCK * sizeof *out->places, "lattice cells");
    status = out->counts != NULL && out->places != NULL ? spread(ctx, out, p->form, &all)
                                                        : RUG_E_NOMEM;
    rug_context_release(ctx, all.bytes);
    return status;
}

/* ---- Ranges ---- */

rug_status rug_points_measure_range(rug_context *ctx, rug_points_range *out,
                                    const rug_points *points)
{
    rug_points_range own = RUG_POINTS_RANGE_INIT;
    rugi_ends ends;
    rug_status status = rugi_clear(ctx, out, "rug_points_range");
    if (status == RUG_OK)
        status = rugi_points_check(ctx, points);
    if (status != RUG_OK || points->n == 0)
        return status;
    RUGI_WORK(ctx, POINT_WORK * (double)points->n, status,
              rugi_points_ends(ctx, &ends, points));
    if (status != RUG_OK)
        return status;
    own.n_points = points->n;
    own.ndim = (uint32_t)points->ndim;
    own.is_broken = ends.is_broken != 0;
    memcpy(own.least, ends.least, (size_t)points->ndim * sizeof *own.least);
    memcpy(own.most, ends.most, (size_t)points->ndim * sizeof *own.most);
    RUGI_GIVE(out, &own);
    return RUG_OK;
}

rug_status rug_points_join_ranges(rug_context *ctx, rug_points_range *range,
                                  const rug_points_range *other)
{
    rug_points_range own = RUG_POINTS_RANGE_INIT, more = RUG_POINTS_RANGE_INIT;
    if (ctx == NULL || range == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_points_join_ranges: NULL given");
    rug_status status = RUGI_TAKE(ctx, &own, range, "rug_points_range");
    if (status == RUG_OK)
        status = RUGI_TAKE(ctx, &more, other, "rug_points_range");
    if (status == RUG_OK)
        status = check_range(ctx, &own, 0);
    if (status == RUG_OK)
        status = check_range(ctx, &more, own.n_points > 0 ? own.ndim : 0);
    if (status != RUG_OK || more.n_points == 0)
        return status;
    if (own.n_points == 0)
        own = more;
    else
        own.n_points = more.n_points > UINT64_MAX - own.n_points
                           ? UINT64_MAX
                           : own.n_points + more.n_points;
    own.is_broken |= more.is_broken;
    for (uint32_t a = 0; a < own.ndim; a++) {
        own.least[a] = fmin(own.least[a], more.least[a]);
        own.most[a] = fmax(own.most[a], more.most[a]);
    }
    RUGI_GIVE(range, &own);
    return RUG_OK;
}
