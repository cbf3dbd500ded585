/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What box counts of sets and of grey values have in common: the columns of a fit, and the plot. */

#include "cmd_boxcount.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Rows ---- */

void cli_boxcount_set_fit(cli_record *row, const rug_fit *d,
                          const cli_boxcount_lengths *lengths)
{
    cli_record_set_real(row, "dimension", d->slope);
    cli_record_set_real(row, "std_error", d->std_error);
    cli_record_set_real(row, "r_squared", d->r_squared);
    if (lengths != NULL) {
        cli_record_set_real(row, "size_min", cli_boxcount_length(lengths, d->size_min));
        cli_record_set_real(row, "size_max", cli_boxcount_length(lengths, d->size_max));
    } else {
        cli_record_set_integer(row, "size_min", d->size_min);
        cli_record_set_integer(row, "size_max", d->size_max);
    }
    cli_record_set_integer(row, "n_sizes", d->n_sizes);
    if (lengths != NULL)
        cli_record_set_text(row, "size_unit", lengths->unit);
}

void cli_boxcount_append_size(cli_record *row, cli_record *size, const rug_fit *d,
                              uint32_t i)
{
    cli_record_set_real(size, "local_slope", d->local_slope[i]);
    cli_record_set_bool(size, "used", d->used[i]);
    cli_record_append(row, "counts", size);
}

/* ---- The plot ---- */

/* The points of a plot. */
typedef struct plotted {
    double used[RUG_BOXCOUNT_MAX_SIZES];   /* counts of the fit, else NaN */
    double unused[RUG_BOXCOUNT_MAX_SIZES]; /* the others */
    double slope_at[RUG_BOXCOUNT_MAX_SIZES];
} plotted;

static void collect(plotted *p, const cli_boxcount_curve *c)
{
    for (size_t i = 0; i < c->n; i++) {
        double count = c->count[i] > 0 ? c->count[i] : (double)NAN;
        /* A local slope stands between its size and the next. */
        p->slope_at[i] = i + 1 < c->n ? sqrt(c->size[i] * c->size[i + 1]) : (double)NAN;
        p->used[i] = c->fit->used[i] ? count : (double)NAN;
        p->unused[i] = c->fit->used[i] ? (double)NAN : count;
    }
}

static rug_status draw(cli_run *run, const char *path, const char *name,
                       const cli_boxcount_curve *c, const plotted *p)
{
    const rug_fit *d = c->fit;
    double y[2];
    char ends[2][RUGI_REAL_TEXT_MAX], fit[160], axis[64];
    for (int i = 0; i < 2; i++) {
        y[i] = exp(c->intercept - d->slope * log(c->ends[i]));
        rugi_format_real_short(ends[i], c->ends[i]);
    }
    snprintf(axis, sizeof axis, "box size (%s)", c->unit);
    snprintf(fit, sizeof fit, "D = %.4f +- %.4f, R2 = %.5f, sizes %s..%s", d->slope,
             d->std_error, d->r_squared, ends[0], ends[1]);
    const cli_plot_series counts[] = {
        {fit, CLI_PLOT_LINE, isnan(d->slope) ? 0 : 2, c->ends, y},
        {"used", CLI_PLOT_POINTS, c->n, c->size, p->used},
        {"not used", CLI_PLOT_OPEN_POINTS, c->n, c->size, p->unused},
    };
    const cli_plot_series slopes[] = {
        {NULL, CLI_PLOT_LINE_POINTS, c->n, p->slope_at, d->local_slope},
    };
    const cli_plot_panel panels[] = {
        {axis, c->label, 1, 1, 3, counts},
        {axis, "local slope", 1, 0, 1, slopes},
    };
    return cli_plot_write(run->ctx, path, name, 2, panels);
}

rug_status cli_boxcount_draw(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_curve *curve)
{
    char path[CLI_PATH_MAX];
    if (job->values.plot == NULL)
        return RUG_OK;
    rug_status status =
        cli_claim(run, &job->plots, path, "plot", job->values.plot, name, "");
    if (status != RUG_OK)
        return status;
    plotted *p = malloc(sizeof *p); /* the stack is deep here, where labels are counted */
    if (p == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--plot: out of memory");
    collect(p, curve);
    status = draw(run, path, name, curve, p);
    free(p);
    return status;
}
