/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plot of `rugose boxcount`: counts against sizes with the fitted line, and the local
 * slopes below. */

#include "cmd_boxcount.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MAX_BYTES 4300

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

/* The image's name without folders and ending. */
static void short_name(char *out, size_t size, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(out, size, "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot != NULL && dot != out && strchr(dot, '[') == NULL)
        *dot = '\0';
}

/* Replaces "{}" by the image's name. @return 0, or -1: too long */
static int plot_path(char path[PATH_MAX_BYTES], const char *asked, const char *image)
{
    char name[PATH_MAX_BYTES];
    const char *braces = strstr(asked, "{}");
    short_name(name, sizeof name, image);
    int n = braces == NULL ? snprintf(path, PATH_MAX_BYTES, "%s", asked)
                           : snprintf(path, PATH_MAX_BYTES, "%.*s%s%s",
                                      (int)(braces - asked), asked, name, braces + 2);
    return n >= 0 && n < PATH_MAX_BYTES ? 0 : -1;
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

/* Two images must not draw over each other, and a plot never over an image. */
static rug_status claim_path(cli_run *run, cli_boxcount_job *job, const char *path)
{
    if (cli_is_input(run, path))
        return rug_context_fail(run->ctx, RUG_E_ARG, "--plot: %s is an input", path);
    for (size_t i = 0; i < job->n_plots; i++)
        if (strcmp(job->plots[i], path) == 0)
            return rug_context_fail(run->ctx, RUG_E_ARG,
                                    "--plot: %s is another image's plot already", path);
    char **more = realloc(job->plots, (job->n_plots + 1) * sizeof *more);
    if (more == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--plot: memory is out");
    job->plots = more;
    job->plots[job->n_plots] = strdup(path);
    job->n_plots += job->plots[job->n_plots] != NULL;
    return RUG_OK;
}

rug_status cli_boxcount_plot(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_found *found)
{
    char path[PATH_MAX_BYTES];
    if (job->values.plot == NULL)
        return RUG_OK;
    if (plot_path(path, job->values.plot, name) != 0)
        return rug_context_fail(run->ctx, RUG_E_ARG, "--plot: the name is too long");
    rug_status status = claim_path(run, job, path);
    return status != RUG_OK ? status : draw(run, path, name, found, job->values.of);
}
