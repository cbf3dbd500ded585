/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The fractal dimension: a line through ln(count) against ln(1 / size). Which sizes it
 * takes, src/core/scaling knows. */

#include "core/context/context_internal.h"
#include "core/fit/scaling.h"
#include <math.h>
#include <rugose/boxcount.h>
#include <string.h>

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

/* The counts of a kind, side by side. */
typedef struct columns {
    uint64_t size[RUG_BOXCOUNT_MAX_SIZES];
    double boxes[RUG_BOXCOUNT_MAX_SIZES], total[RUG_BOXCOUNT_MAX_SIZES];
} columns;

static void fill_columns(columns *c, const rug_boxcount_result *counts,
                         rug_boxcount_of of)
{
    for (uint32_t i = 0; i < counts->n_sizes; i++) {
        c->size[i] = counts->counts[i].size;
        c->boxes[i] = rug_boxcount_boxes(counts, i, of);
        c->total[i] = total_of(counts, i);
    }
}

static rugi_scaling_range range_of(const rug_boxcount_fit_options *o)
{
    return (rugi_scaling_range){o->auto_range, o->size_min, o->size_max};
}

static rug_status check_options(rug_context *ctx, const rug_boxcount_fit_options *o)
{
    if (!rugi_options_fit(ctx, o->struct_size, sizeof *o, "rug_boxcount_fit_options"))
        return RUG_E_ARG;
    if ((unsigned)o->of > RUG_BOXCOUNT_OF_WHITE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "fit: boxes of kind %d given, 0..%d expected", (int)o->of,
                                RUG_BOXCOUNT_OF_WHITE);
    return rugi_scaling_check(ctx, range_of(o));
}

/* Whether all pixels are of the kind: then all boxes are, at every size. Counts without
 * pixels, put together by hand, are judged by their first size. */
static int is_full(const rug_boxcount_result *counts, rug_boxcount_of of,
                   const columns *c, uint32_t first)
{
    if (counts->n_pixels == 0)
        return c->boxes[first] >= c->total[first];
    return counts->n_set == (of == RUG_BOXCOUNT_OF_WHITE ? 0 : counts->n_pixels);
}

static const char *choose_range(rugi_scaling_points *p, const rug_boxcount_result *counts,
                                rug_boxcount_of of, const columns *c)
{
    int full = p->n == 0 || is_full(counts, of, c, p->index[0]);
    return rugi_scaling_choose(p, c->boxes, full ? NULL : c->total);
}

static void fill_local_slopes(rug_boxcount_dimension *out, size_t n_sizes,
                              const columns *c)
{
    rugi_scaling_local_slopes(out->local_slope, n_sizes, c->size, c->boxes);
    for (size_t i = n_sizes; i < RUG_BOXCOUNT_MAX_SIZES; i++)
        out->local_slope[i] = NAN;
}

static void fill_line(rug_boxcount_dimension *out, const columns *c,
                      const rugi_scaling_points *p)
{
    rugi_scaling_fit fit = rugi_scaling_fit_line(p, c->size, out->used);
    out->dimension = fit.line.slope;
    out->std_error = fit.line.std_error;
    out->r_squared = fit.line.r_squared;
    out->intercept = fit.line.intercept;
    out->size_min = fit.size_min;
    out->size_max = fit.size_max;
    out->n_sizes = (uint32_t)p->n;
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
    columns c;
    rugi_scaling_points p;
    fill_columns(&c, counts, opts->of);
    rugi_scaling_collect_range(&p, range_of(opts), counts->ndim, counts->shape,
                               counts->n_sizes, c.size, c.boxes);
    out->status = opts->auto_range ? choose_range(&p, counts, opts->of, &c) : "ok";
    fill_local_slopes(out, counts->n_sizes, &c);
    fill_line(out, &c, &p);
    if (counts->counts[0].nonempty == 0 && opts->of != RUG_BOXCOUNT_OF_WHITE)
        out->status = "empty";
    else if (p.n < 2)
        out->status = "too few sizes";
    return RUG_OK;
}
