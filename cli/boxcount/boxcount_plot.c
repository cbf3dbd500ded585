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
    double count[RUG_BOXCOUNT_MAX_SIZES]; /* NaN where there is none */
    double slope_at[RUG_BOXCOUNT_MAX_SIZES];
    uint8_t is_unused[RUG_BOXCOUNT_MAX_SIZES];
} plotted;

static void collect(plotted *p, const cli_boxcount_curve *c)
{
    for (size_t i = 0; i < c->n; i++) {
        p->count[i] = c->count[i] > 0 ? c->count[i] : (double)NAN;
        /* A local slope stands between its size and the next. */
        p->slope_at[i] = i + 1 < c->n ? sqrt(c->size[i] * c->size[i + 1]) : (double)NAN;
        p->is_unused[i] = !c->fit->used[i];
    }
}

#define TEXT_MAX 200

/* The fit in numbers; the sizes are in the unit of the axis. */
static void format_fit(char text[TEXT_MAX], const cli_boxcount_curve *c, int with_sizes)
{
    const rug_fit *d = c->fit;
    char ends[2][RUGI_REAL_TEXT_MAX];
    int n = isnan(d->std_error)
                ? snprintf(text, TEXT_MAX, "D = %.4f", d->slope)
                : snprintf(text, TEXT_MAX, "D = %.4f \xC2\xB1 %.4f, R\xC2\xB2 = %.5f",
                           d->slope, d->std_error, d->r_squared);
    for (int i = 0; i < 2; i++)
        rugi_format_real_short(
            ends[i], c->ends[i] * (c->unit.per_pixel > 0 ? c->unit.per_pixel : 1));
    if (isnan(d->slope))
        n = snprintf(text, TEXT_MAX, "no dimension");
    else if (with_sizes)
        snprintf(text + n, TEXT_MAX - (size_t)n, ", sizes %s to %s", ends[0], ends[1]);
}

static rug_status draw(cli_run *run, cli_boxcount_job *job, const char *name,
                       const cli_boxcount_curve *c, const plotted *p)
{
    const rug_fit *d = c->fit;
    int has_line = !isnan(d->slope);
    double y[2];
    char fit[TEXT_MAX], summary[TEXT_MAX], note[TEXT_MAX];
    for (int i = 0; i < 2; i++)
        y[i] = exp(c->intercept - d->slope * log(c->ends[i]));
    format_fit(fit, c, 1);
    format_fit(summary, c, 0);
    snprintf(note, sizeof note, "%s: %s", has_line ? "D says little" : "no dimension",
             rug_fit_status_name(d->status));
    const cli_plot_series counts[] = {
        {.title = "used",
         .style = CLI_PLOT_POINTS,
         .n = c->n,
         .x = c->size,
         .y = p->count,
         .is_hollow = p->is_unused,
         .hollow_title = "not used",
         .colour = 1},
        {.title = fit,
         .style = CLI_PLOT_LINE,
         .n = has_line ? 2 : 0,
         .x = c->ends,
         .y = y,
         .colour = 2},
    };
    const cli_plot_series slopes[] = {
        {.style = CLI_PLOT_LINE_POINTS,
         .n = c->n,
         .x = p->slope_at,
         .y = d->local_slope,
         .colour = 1},
    };
    const cli_plot_panel panels[] = {
        {"box size", c->label, CLI_PLOT_SIZES, 1, 2, counts, .is_size = 1},
        {"box size", "local slope", CLI_PLOT_SIZES, 0, 1, slopes, .is_size = 1},
    };
    const cli_plot_sheet sheet = {.summary = summary,
                                  .note = d->status != RUG_FIT_OK ? note : NULL,
                                  .mark = has_line && d->status != RUG_FIT_OK
                                              ? rug_fit_status_name(d->status)
                                              : NULL,
                                  .n_panels = 2,
                                  .panels = panels,
                                  .unit = c->unit};
    return cli_draw(run, &job->plots, name, &sheet);
}

rug_status cli_boxcount_draw(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_curve *curve)
{
    if (job->plots.asked == NULL)
        return RUG_OK;
    plotted *p = malloc(sizeof *p); /* the stack is deep here, where labels are counted */
    if (p == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--plot: out of memory");
    collect(p, curve);
    rug_status status = draw(run, job, name, curve, p);
    free(p);
    return status;
}
