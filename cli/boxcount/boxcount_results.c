/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose boxcount` writes of a count: rows of both tables, and the plot. */

#include "cmd_boxcount.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Rows ---- */

double cli_boxcount_share(const rug_boxcount_result *counts)
{
    return counts->n_pixels == RUG_BOXCOUNT_TOO_MANY || counts->n_pixels == 0
               ? (double)NAN
               : (double)counts->n_set / (double)counts->n_pixels;
}
/* NaN where 64 bits do not hold the number. */
static void set_boxes(rug_record *r, const char *name, uint64_t n)
{
    if (n == RUG_BOXCOUNT_TOO_MANY)
        rug_record_set_real(r, name, (double)NAN);
    else
        rug_record_set_integer(r, name, n);
}

static void set_means(rug_record *r, const rug_box_positions *p)
{
    rug_record_set_real(r, "total", p->mean_total);
    rug_record_set_real(r, "nonempty", p->mean_nonempty);
    rug_record_set_real(r, "black", p->mean_black);
    rug_record_set_real(r, "gray", p->mean_nonempty - p->mean_black);
    rug_record_set_real(r, "white", p->mean_total - p->mean_nonempty);
}

static void set_positions(rug_record *r, const rug_boxcount_result *counts, uint32_t i)
{
    const rug_box_positions *p = &counts->positions[i];
    char shift[CLI_SHAPE_MAX];
    cli_format_shape(shift, counts->ndim, p->shift);
    rug_record_set_text(r, "shift", shift);
    rug_record_set_integer(r, "least", p->least);
    rug_record_set_real(r, "mean", p->mean_nonempty);
    rug_record_set_integer(r, "most", p->most);
}

static rug_record *size_record(const rug_boxcount_result *counts, uint32_t i)
{
    const rug_box_count *c = &counts->counts[i];
    rug_record *r = rug_record_new();
    rug_record_set_integer(r, "size", c->size);
    if (counts->grid == RUG_BOXCOUNT_GRID_MEAN) {
        set_means(r, &counts->positions[i]);
    } else {
        set_boxes(r, "total", c->total);
        rug_record_set_integer(r, "nonempty", c->nonempty);
        rug_record_set_integer(r, "black", c->black);
        rug_record_set_integer(r, "gray", c->gray);
        set_boxes(r, "white", c->white);
    }
    if (counts->grid != RUG_BOXCOUNT_GRID_ORIGIN)
        set_positions(r, counts, i);
    return r;
}

static void add_counts(cli_boxcount_job *job, const char *name,
                       const cli_boxcount_found *found)
{
    for (uint32_t i = 0; job->counts != NULL && i < found->counts.n_sizes; i++) {
        rug_record *row = size_record(&found->counts, i);
        rug_record_set_text(row, "image", name);
        if (found->label != NULL)
            rug_record_set_integer(row, "label", found->label->label);
        rug_report_add(job->counts, row);
    }
}

void cli_boxcount_append_size(rug_record *row, rug_record *size,
                              const rug_boxcount_dimension *d, uint32_t i)
{
    rug_record_set_real(size, "local_slope", d->local_slope[i]);
    rug_record_set_bool(size, "used", d->used[i]);
    rug_record_append(row, "counts", size);
}

static void add_json_details(rug_record *row, const cli_boxcount_found *found)
{
    const rug_boxcount_dimension *d = &found->dimension;
    const rug_boxcount_result *c = &found->counts;
    if (found->label != NULL)
        cli_set_region(row, found->label, c->ndim);
    rug_record_set_real(row, "foreground_share", cli_boxcount_share(c));
    rug_record_set_integer(row, "foreground_pixels", c->n_set);
    set_boxes(row, "pixels", c->n_pixels);
    rug_record_set_real(row, "intercept", d->intercept);
    for (uint32_t i = 0; i < c->n_sizes; i++)
        cli_boxcount_append_size(row, size_record(c, i), d, i);
}

void cli_boxcount_set_fit(rug_record *row, const rug_boxcount_dimension *d)
{
    rug_record_set_real(row, "dimension", d->dimension);
    rug_record_set_real(row, "std_error", d->std_error);
    rug_record_set_real(row, "r_squared", d->r_squared);
    rug_record_set_integer(row, "size_min", d->size_min);
    rug_record_set_integer(row, "size_max", d->size_max);
    rug_record_set_integer(row, "n_sizes", d->n_sizes);
}

/* The rule that chose the pixels. */
static void set_foreground(rug_record *row, const cli_boxcount_found *found)
{
    char rule[RUG_FOREGROUND_TEXT_MAX] = "points";
    if (!found->is_points)
        rug_foreground_format(rule, found->counts.foreground);
    rug_record_set_text(row, "foreground", rule);
}

void cli_boxcount_add(cli_run *run, cli_boxcount_job *job, const char *name,
                      rug_record *row, const cli_boxcount_found *found)
{
    char shape[CLI_SHAPE_MAX], grid[CLI_CHOICE_MAX];
    cli_format_shape(shape, found->counts.ndim, found->counts.shape);
    cli_choice_name(grid, CLI_BOXCOUNT_GRID, (int)found->counts.grid);
    rug_record_set_text(row, "shape", shape);
    if (found->label != NULL)
        rug_record_set_integer(row, "label", found->label->label);
    set_foreground(row, found);
    cli_boxcount_set_fit(row, &found->dimension);
    rug_record_set_text(row, "grid", grid);
    rug_record_set_text(row, "method", found->counts.method);
    rug_record_set_text(row, "engine", found->counts.engine);
    rug_record_set_text(row, "status", found->dimension.status);
    if (run->common.format == RUG_REPORT_JSON)
        add_json_details(row, found);
    rug_report_add(run->report, row);
    add_counts(job, name, found);
}

/* ---- The plot ---- */

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
        p->used[i] = c->fit->used[i] ? count : (double)NAN;
        p->unused[i] = c->fit->used[i] ? (double)NAN : count;
    }
}

/* The ends of the fitted line. */
static void line_ends(const rug_boxcount_dimension *fit, double x[2], double y[2])
{
    x[0] = (double)fit->size_min;
    x[1] = (double)fit->size_max;
    for (int i = 0; i < 2; i++)
        y[i] = exp(fit->intercept - fit->dimension * log(x[i]));
}

static rug_status draw(cli_run *run, const char *path, const char *name,
                       const cli_boxcount_curve *c)
{
    const rug_boxcount_dimension *d = c->fit;
    points p;
    double x[2], y[2];
    char fit[128];
    collect(&p, c);
    line_ends(d, x, y);
    snprintf(fit, sizeof fit, "D = %.4f +- %.4f, R2 = %.5f, sizes %llu..%llu",
             d->dimension, d->std_error, d->r_squared, (unsigned long long)d->size_min,
             (unsigned long long)d->size_max);
    const rug_plot_series counts[] = {
        {fit, RUG_PLOT_LINE, isnan(d->dimension) ? 0 : 2, x, y},
        {"used", RUG_PLOT_POINTS, c->n, c->size, p.used},
        {"not used", RUG_PLOT_OPEN_POINTS, c->n, c->size, p.unused},
    };
    const rug_plot_series slopes[] = {
        {NULL, RUG_PLOT_LINE_POINTS, c->n, p.slope_at, d->local_slope},
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
    rug_status status =
        cli_claim(run, &job->plots, path, "plot", job->values.plot, name, "");
    return status != RUG_OK ? status : draw(run, path, name, curve);
}

rug_status cli_boxcount_plot(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_found *found)
{
    const rug_boxcount_result *c = &found->counts;
    int of = job->values.of;
    char kind[CLI_CHOICE_MAX], boxes[CLI_CHOICE_MAX + 8];
    cli_choice_name(kind, CLI_BOXCOUNT_OF, of);
    snprintf(boxes, sizeof boxes, "%s boxes", kind);
    cli_boxcount_curve curve = {
        .label = boxes, .n = c->n_sizes, .fit = &found->dimension};
    for (uint32_t i = 0; i < c->n_sizes; i++) {
        curve.size[i] = (double)c->counts[i].size;
        curve.count[i] = rug_boxcount_boxes(c, i, (rug_boxcount_of)of);
    }
    return cli_boxcount_draw(run, job, name, &curve);
}
