/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plot of `rugose boxcount`: counts against sizes with the fitted line, and the local
 * slopes below. */

#include "cmd_boxcount.h"
#include <math.h>
#include <stdio.h>

/* The points of a plot. */
typedef struct points {
    double used[RUG_BOXCOUNT_MAX_SIZES];   /* counts of the fit, else NaN */
    double unused[RUG_BOXCOUNT_MAX_SIZES]; /* the others */
    double slope_at[RUG_BOXCOUNT_MAX_SIZES];
} points;

static void collect(points *p, const cli_boxcount_curve *c)
{
    for (size_t i = 0; i < c->n; i++) {
        double count = c->count[i] > 0 ? c->count[i] : (double)NAN;
        /* A local slope stands between its size and the next. */
        p->slope_at[i] = i + 1 < c->n ? sqrt(c->size[i] * c->size[i + 1]) : (double)NAN;
        p->used[i] = c->used[i] ? count : (double)NAN;
        p->unused[i] = c->used[i] ? (double)NAN : count;
    }
}

/* The ends of the fitted line. */
static void line_ends(const cli_boxcount_curve *c, double x[2], double y[2])
{
    x[0] = (double)c->size_min;
    x[1] = (double)c->size_max;
    for (int i = 0; i < 2; i++)
        y[i] = exp(c->intercept - c->dimension * log(x[i]));
}

static rug_status draw(cli_run *run, const char *path, const char *name,
                       const cli_boxcount_curve *c)
{
    points p;
    double x[2], y[2];
    char fit[128];
    collect(&p, c);
    line_ends(c, x, y);
    snprintf(fit, sizeof fit, "D = %.4f +- %.4f, R2 = %.5f, sizes %llu..%llu",
             c->dimension, c->std_error, c->r_squared, (unsigned long long)c->size_min,
             (unsigned long long)c->size_max);
    const rug_plot_series counts[] = {
        {fit, RUG_PLOT_LINE, isnan(c->dimension) ? 0 : 2, x, y},
        {"used", RUG_PLOT_POINTS, c->n, c->size, p.used},
        {"not used", RUG_PLOT_OPEN_POINTS, c->n, c->size, p.unused},
    };
    const rug_plot_series slopes[] = {
        {NULL, RUG_PLOT_LINE_POINTS, c->n, p.slope_at, c->local_slope},
    };
    const rug_plot_panel panels[] = {
        {"box size (pixels)", c->label, 1, 1, 3, counts},
        {"box size (pixels)", "local slope", 1, 0, 1, slopes},
    };
    return rug_plot_write(run->ctx, path, name, 2, panels);
}

rug_status cli_boxcount_draw(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_curve *curve)
{
    char path[CLI_PATH_MAX];
    if (job->values.plot == NULL)
        return RUG_OK;
    rug_status status = cli_claim_plot(run, &job->plots, path, job->values.plot, name);
    return status != RUG_OK ? status : draw(run, path, name, curve);
}

rug_status cli_boxcount_plot(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_found *found)
{
    const rug_boxcount_result *c = &found->counts;
    const rug_boxcount_dimension *d = &found->dimension;
    int of = job->values.of;
    char kind[CLI_CHOICE_MAX], boxes[CLI_CHOICE_MAX + 8];
    cli_choice_name(kind, CLI_BOXCOUNT_OF, of);
    snprintf(boxes, sizeof boxes, "%s boxes", kind);
    cli_boxcount_curve curve = {.label = boxes,
                                .n = c->n_sizes,
                                .used = d->used,
                                .local_slope = d->local_slope,
                                .dimension = d->dimension,
                                .std_error = d->std_error,
                                .r_squared = d->r_squared,
                                .intercept = d->intercept,
                                .size_min = d->size_min,
                                .size_max = d->size_max};
    for (uint32_t i = 0; i < c->n_sizes; i++) {
        curve.size[i] = (double)c->counts[i].size;
        curve.count[i] = rug_boxcount_boxes(c, i, (rug_boxcount_of)of);
    }
    return cli_boxcount_draw(run, job, name, &curve);
}
