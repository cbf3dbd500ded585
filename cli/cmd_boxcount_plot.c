/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plot of `rugose boxcount`: counts against sizes with the fitted line, and the local
 * slopes below. */

#include "cmd_boxcount.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The points of a plot. */
typedef struct points {
    size_t n;
    double size[RUG_BOXCOUNT_MAX_SIZES];
    double used[RUG_BOXCOUNT_MAX_SIZES];   /* counts of the fit, else NaN */
    double unused[RUG_BOXCOUNT_MAX_SIZES]; /* the others */
    double slope_at[RUG_BOXCOUNT_MAX_SIZES];
} points;

static void collect(points *p, const cli_boxcount_found *found, int of)
{
    const rug_boxcount_result *c = &found->counts;
    p->n = c->n_sizes;
    for (uint32_t i = 0; i < p->n; i++) {
        double count = rug_boxcount_boxes(c, i, (rug_boxcount_of)of);
        double size = (double)c->counts[i].size;
        if (!(count > 0))
            count = (double)NAN;
        /* A local slope stands between its size and the next. */
        p->size[i] = size;
        p->slope_at[i] =
            i + 1 < p->n ? sqrt(size * (double)c->counts[i + 1].size) : (double)NAN;
        p->used[i] = found->dimension.used[i] ? count : (double)NAN;
        p->unused[i] = found->dimension.used[i] ? (double)NAN : count;
    }
}

/* The ends of the fitted line. */
static void line_ends(const rug_boxcount_dimension *d, double x[2], double y[2])
{
    x[0] = (double)d->size_min;
    x[1] = (double)d->size_max;
    for (int i = 0; i < 2; i++)
        y[i] = exp(d->intercept - d->dimension * log(x[i]));
}

static rug_status draw(cli_run *run, const char *path, const char *name,
                       const cli_boxcount_found *found, int of)
{
    const rug_boxcount_dimension *d = &found->dimension;
    points p;
    double x[2], y[2];
    char fit[128], kind[CLI_CHOICE_MAX], boxes[CLI_CHOICE_MAX + 8];
    cli_choice_name(kind, CLI_BOXCOUNT_OF, of);
    snprintf(boxes, sizeof boxes, "%s boxes", kind);
    collect(&p, found, of);
    line_ends(d, x, y);
    snprintf(fit, sizeof fit, "D = %.4f +- %.4f, R2 = %.5f, sizes %llu..%llu",
             d->dimension, d->std_error, d->r_squared, (unsigned long long)d->size_min,
             (unsigned long long)d->size_max);
    const rug_plot_series counts[] = {
        {fit, RUG_PLOT_LINE, isnan(d->dimension) ? 0 : 2, x, y},
        {"used", RUG_PLOT_POINTS, p.n, p.size, p.used},
        {"not used", RUG_PLOT_OPEN_POINTS, p.n, p.size, p.unused},
    };
    const rug_plot_series slopes[] = {
        {NULL, RUG_PLOT_LINE_POINTS, p.n, p.slope_at, d->local_slope},
    };
    const rug_plot_panel panels[] = {
        {"box size (cells)", boxes, 1, 1, 3, counts},
        {"box size (cells)", "local slope", 1, 0, 1, slopes},
    };
    return rug_plot_write(run->ctx, path, name, 2, panels);
}

const char *cli_boxcount_check_plot(const cli_run *run, const cli_boxcount_job *job)
{
    const char *name = job->values.plot, *page = run->reading.page;
    if (name == NULL)
        return NULL;
    if (rug_plot_check_name(run->ctx, name) != RUG_OK)
        return rug_context_error(run->ctx);
    if (strstr(name, "{}") == NULL && (run->n_inputs > 1 || run->labels != NULL ||
                                       (page != NULL && strcmp(page, "all") == 0)))
        return "--plot: several images or labels need '{}' in the name, such as "
               "'plot-{}.svg'";
    return cli_is_input(run, name) ? "--plot: the file is an input" : NULL;
}

rug_status cli_boxcount_plot(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_found *found)
{
    char path[CLI_PATH_MAX];
    if (job->values.plot == NULL)
        return RUG_OK;
    if (cli_expand_name(path, job->values.plot, name, "") != 0)
        return rug_context_fail(run->ctx, RUG_E_ARG, "--plot: the name is too long");
    rug_status status = cli_claim_output(run, &job->plots, "plot", path);
    return status != RUG_OK ? status : draw(run, path, name, found, job->values.of);
}
