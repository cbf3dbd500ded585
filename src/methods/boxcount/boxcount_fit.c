/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The fractal dimension: a line through ln(count) against ln(1 / size), and which sizes
 * it takes. */

#include "context_internal.h"
#include "fit.h"
#include <math.h>
#include <rugose/boxcount.h>
#include <string.h>

/* The sizes of a fit, in the order of the counts. */
typedef struct points {
    size_t n;
    uint32_t index[RUG_BOXCOUNT_MAX_SIZES]; /* into counts */
    double x[RUG_BOXCOUNT_MAX_SIZES];       /* ln(1 / size) */
    double y[RUG_BOXCOUNT_MAX_SIZES];       /* ln(count) */
} points;

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

/* Sizes within [lo, hi] that have boxes; a logarithm of 0 must not occur. */
static points collect_points(const rug_boxcount_result *counts, rug_boxcount_of of,
                             uint64_t lo, uint64_t hi)
{
    points p = {.n = 0};
    for (uint32_t i = 0; i < counts->n_sizes; i++) {
        double count = rug_boxcount_boxes(counts, i, of);
        uint64_t size = counts->counts[i].size;
        if (size < lo || size > hi || !(count > 0))
            continue;
        p.index[p.n] = i;
        p.x[p.n] = -log((double)size);
        p.y[p.n] = log(count);
        p.n++;
    }
    return p;
}

static uint32_t sizes_up_to(const rug_boxcount_result *counts, uint64_t size_max)
{
    uint32_t n = 0;
    while (n < counts->n_sizes && counts->counts[n].size <= size_max)
        n++;
    return n;
}

/* A quarter of the shortest axis longer than 1; where that gives fewer than three sizes,
 * half of the longest. */
static uint64_t default_size_max(const rug_boxcount_result *counts)
{
    uint64_t shortest = UINT64_MAX, longest = 1;
    for (int a = 0; a < counts->ndim; a++) {
        uint64_t n = counts->shape[a];
        if (n > 1 && n < shortest)
            shortest = n;
        longest = n > longest ? n : longest;
    }
    if (shortest == UINT64_MAX)
        return 1;
    return sizes_up_to(counts, shortest / 4) >= 3 ? shortest / 4 : longest / 2;
}

static rug_status check_options(rug_context *ctx, const rug_boxcount_fit_options *o)
{
    if (!rugi_options_fit(ctx, o->struct_size, sizeof *o, "rug_boxcount_fit_options"))
        return RUG_E_ARG;
    if ((unsigned)o->of > RUG_BOXCOUNT_OF_WHITE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "fit: boxes of kind %d given, 0..%d expected", (int)o->of,
                                RUG_BOXCOUNT_OF_WHITE);
    if (o->auto_range && (o->size_min != 0 || o->size_max != 0))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "fit: both an automatic and a given range of sizes");
    if (o->size_max != 0 && o->size_max < o->size_min)
        return rug_context_fail(ctx, RUG_E_ARG, "fit: range %llu..%llu is empty",
                                (unsigned long long)o->size_min,
                                (unsigned long long)o->size_max);
    return RUG_OK;
}

/* Keeps the points of a run. */
static void keep_run(points *p, rugi_run run)
{
    p->n = run.last - run.first + 1;
    memmove(p->index, p->index + run.first, p->n * sizeof p->index[0]);
    memmove(p->x, p->x + run.first, p->n * sizeof p->x[0]);
    memmove(p->y, p->y + run.first, p->n * sizeof p->y[0]);
}

/* Sizes behind the first that holds everything in one box say nothing more. */
static size_t without_single_boxes(const points *p)
{
    size_t n = p->n;
    while (n > 1 && p->y[n - 1] == 0.0 && p->y[n - 2] == 0.0)
        n--;
    return n;
}

/* Whether all cells are of the kind: then all boxes are, at every size. Counts without
 * cells, put together by hand, are judged by their first size. */
static int is_full(const rug_boxcount_result *counts, rug_boxcount_of of, uint32_t first)
{
    if (counts->n_cells == 0)
        return rug_boxcount_boxes(counts, first, of) >= total_of(counts, first);
    return counts->n_set == (of == RUG_BOXCOUNT_OF_WHITE ? 0 : counts->n_cells);
}

/* Large boxes that all hold foreground follow the frame of the image and not what is in
 * it, unless all of it is foreground. */
static size_t without_filled_sizes(const points *p, const rug_boxcount_result *counts,
                                   rug_boxcount_of of)
{
    size_t n = p->n;
    if (is_full(counts, of, p->index[0]))
        return n;
    while (n > 1 && rug_boxcount_boxes(counts, p->index[n - 1], of) >=
                        total_of(counts, p->index[n - 1]))
        n--;
    return n;
}

static const char *choose_range(points *p, const rug_boxcount_result *counts,
                                rug_boxcount_of of)
{
    if (p->n == 0 || p->y[0] == 0.0)
        return "ok"; /* no boxes, or a single one at every size: nothing to choose from */
    p->n = without_filled_sizes(p, counts, of);
    p->n = without_single_boxes(p);
    if (p->n < 3)
        return "no scaling range";
    double slope[RUG_BOXCOUNT_MAX_SIZES];
    rugi_local_slopes(p->n, p->x, p->y, slope);
    rugi_run run = rugi_longest_run(p->n, slope, RUG_BOXCOUNT_SLOPE_SPREAD);
    keep_run(p, run);
    return run.agrees ? "ok" : "no scaling range";
}

static void fill_local_slopes(rug_boxcount_dimension *out,
                              const rug_boxcount_result *counts, rug_boxcount_of of)
{
    points all = collect_points(counts, of, 1, UINT64_MAX);
    double slope[RUG_BOXCOUNT_MAX_SIZES];
    rugi_local_slopes(all.n, all.x, all.y, slope);
    for (uint32_t i = 0; i < RUG_BOXCOUNT_MAX_SIZES; i++)
        out->local_slope[i] = NAN;
    for (size_t k = 0; k + 1 < all.n; k++)
        if (all.index[k + 1] == all.index[k] + 1)
            out->local_slope[all.index[k]] = slope[k] + 0.0; /* + 0.0 turns -0 into 0 */
}

static void fill_fit(rug_boxcount_dimension *out, const rug_boxcount_result *counts,
                     const points *p)
{
    rugi_line line = rugi_fit_line(p->n, p->x, p->y);
    out->dimension = line.slope;
    out->std_error = line.std_error;
    out->r_squared = line.r_squared;
    out->intercept = line.intercept;
    out->n_sizes = (uint32_t)p->n;
    for (size_t k = 0; k < p->n; k++)
        out->used[p->index[k]] = 1;
    if (p->n > 0) {
        out->size_min = counts->counts[p->index[0]].size;
        out->size_max = counts->counts[p->index[p->n - 1]].size;
    }
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
    uint64_t size_min = opts->size_min, size_max = opts->size_max;
    if (size_max == 0)
        size_max = opts->auto_range ? UINT64_MAX : default_size_max(counts);
    points p = collect_points(counts, opts->of, size_min, size_max);
    out->status = opts->auto_range ? choose_range(&p, counts, opts->of) : "ok";
    fill_local_slopes(out, counts, opts->of);
    fill_fit(out, counts, &p);
    if (counts->counts[0].nonempty == 0 && opts->of != RUG_BOXCOUNT_OF_WHITE)
        out->status = "empty";
    else if (p.n < 2)
        out->status = "too few sizes";
    return RUG_OK;
}
