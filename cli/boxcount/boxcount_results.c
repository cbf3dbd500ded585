/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose boxcount` writes of a count: rows of both tables, and the plot. */

#include "cmd_boxcount.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Rows ---- */

double cli_boxcount_share(const rug_boxcount_facts *facts)
{
    return facts->n_pixels == RUG_BOXCOUNT_TOO_MANY || facts->n_pixels == 0
               ? (double)NAN
               : (double)facts->n_set / (double)facts->n_pixels;
}

/* NaN where 64 bits do not hold the number. */
static void set_boxes(cli_record *r, const char *name, uint64_t n)
{
    if (n == RUG_BOXCOUNT_TOO_MANY)
        cli_record_set_real(r, name, (double)NAN);
    else
        cli_record_set_integer(r, name, n);
}

static void set_means(cli_record *r, const rug_box_positions *p)
{
    cli_record_set_real(r, "total", p->mean_total);
    cli_record_set_real(r, "nonempty", p->mean_nonempty);
    cli_record_set_real(r, "black", p->mean_black);
    cli_record_set_real(r, "gray", p->mean_nonempty - p->mean_black);
    cli_record_set_real(r, "white", p->mean_total - p->mean_nonempty);
}

static void set_positions(cli_record *r, const rug_box_positions *p, int ndim)
{
    char shift[CLI_SHAPE_MAX];
    cli_format_shape(shift, ndim, p->shift);
    cli_record_set_text(r, "shift", shift);
    cli_record_set_integer(r, "least", p->least);
    cli_record_set_real(r, "mean", p->mean_nonempty);
    cli_record_set_integer(r, "most", p->most);
}

static cli_record *size_record(const cli_boxcount_found *found, uint32_t i)
{
    const rug_box_count *c = rug_boxcount_at(found->counts, i);
    const rug_box_positions *p = rug_boxcount_positions_at(found->counts, i);
    cli_record *r = cli_record_new();
    cli_record_set_integer(r, "size", c->size);
    if (found->facts->grid == RUG_BOXCOUNT_GRID_MEAN) {
        set_means(r, p);
    } else {
        set_boxes(r, "total", c->total);
        cli_record_set_integer(r, "nonempty", c->nonempty);
        cli_record_set_integer(r, "black", c->black);
        cli_record_set_integer(r, "gray", c->gray);
        set_boxes(r, "white", c->white);
    }
    if (p != NULL)
        set_positions(r, p, found->facts->ndim);
    return r;
}

static void add_counts(cli_run *run, const char *name, const cli_boxcount_found *found)
{
    for (uint32_t i = 0; run->second != NULL && i < found->facts->n_sizes; i++) {
        cli_record *row = size_record(found, i);
        cli_record_set_text(row, "image", name);
        if (found->label != NULL)
            cli_record_set_integer(row, "label", found->label->label);
        cli_report_add(run->second, row);
    }
}

void cli_boxcount_append_size(cli_record *row, cli_record *size, const rug_fit *d,
                              uint32_t i)
{
    cli_record_set_real(size, "local_slope", d->local_slope[i]);
    cli_record_set_bool(size, "used", d->used[i]);
    cli_record_append(row, "counts", size);
}

static void add_json_details(cli_record *row, const cli_boxcount_found *found)
{
    const rug_fit *d = &found->fit;
    const rug_boxcount_facts *c = found->facts;
    if (found->label != NULL)
        cli_set_region(row, found->label, c->ndim);
    cli_record_set_real(row, "foreground_share", cli_boxcount_share(c));
    cli_record_set_integer(row, "foreground_pixels", c->n_set);
    set_boxes(row, "pixels", c->n_pixels);
    cli_record_set_real(row, "intercept", d->intercept);
    for (uint32_t i = 0; i < c->n_sizes; i++)
        cli_boxcount_append_size(row, size_record(found, i), d, i);
}

void cli_boxcount_set_fit(cli_record *row, const rug_fit *d)
{
    cli_record_set_real(row, "dimension", d->slope);
    cli_record_set_real(row, "std_error", d->std_error);
    cli_record_set_real(row, "r_squared", d->r_squared);
    cli_record_set_integer(row, "size_min", d->size_min);
    cli_record_set_integer(row, "size_max", d->size_max);
    cli_record_set_integer(row, "n_sizes", d->n_sizes);
}

/* The rule that chose the pixels. */
static void set_foreground(cli_record *row, const cli_boxcount_found *found)
{
    char rule[RUG_FOREGROUND_TEXT_MAX] = "points";
    if (!found->is_points)
        rug_foreground_format(rule, found->facts->foreground);
    cli_record_set_text(row, "foreground", rule);
}

void cli_boxcount_add(cli_run *run, const char *name, cli_record *row,
                      const cli_boxcount_found *found)
{
    const rug_boxcount_facts *facts = found->facts;
    char shape[CLI_SHAPE_MAX];
    cli_format_shape(shape, facts->ndim, facts->shape);
    cli_record_set_text(row, "shape", shape);
    if (found->label != NULL)
        cli_record_set_integer(row, "label", found->label->label);
    set_foreground(row, found);
    cli_boxcount_set_fit(row, &found->fit);
    cli_record_set_text(row, "grid", rug_boxcount_grid_name(facts->grid));
    cli_record_set_text(row, "method", rug_boxcount_method_name(facts->method));
    cli_record_set_text(row, "engine", facts->engine);
    cli_record_set_text(row, "status", rug_fit_status_name(found->fit.status));
    if (run->common.format == CLI_REPORT_JSON)
        add_json_details(row, found);
    cli_report_add(run->report, row);
    add_counts(run, name, found);
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
static void line_ends(const rug_fit *fit, double x[2], double y[2])
{
    x[0] = (double)fit->size_min;
    x[1] = (double)fit->size_max;
    for (int i = 0; i < 2; i++)
        y[i] = exp(fit->intercept - fit->slope * log(x[i]));
}

static rug_status draw(cli_run *run, const char *path, const char *name,
                       const cli_boxcount_curve *c)
{
    const rug_fit *d = c->fit;
    points p;
    double x[2], y[2];
    char fit[128];
    collect(&p, c);
    line_ends(d, x, y);
    snprintf(fit, sizeof fit, "D = %.4f +- %.4f, R2 = %.5f, sizes %llu..%llu", d->slope,
             d->std_error, d->r_squared, (unsigned long long)d->size_min,
             (unsigned long long)d->size_max);
    const cli_plot_series counts[] = {
        {fit, CLI_PLOT_LINE, isnan(d->slope) ? 0 : 2, x, y},
        {"used", CLI_PLOT_POINTS, c->n, c->size, p.used},
        {"not used", CLI_PLOT_OPEN_POINTS, c->n, c->size, p.unused},
    };
    const cli_plot_series slopes[] = {
        {NULL, CLI_PLOT_LINE_POINTS, c->n, p.slope_at, d->local_slope},
    };
    const cli_plot_panel panels[] = {
        {"box size (pixels)", c->label, 1, 1, 3, counts},
        {"box size (pixels)", "local slope", 1, 0, 1, slopes},
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
    return status != RUG_OK ? status : draw(run, path, name, curve);
}

rug_status cli_boxcount_plot(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_found *found)
{
    rug_boxcount_of of = (rug_boxcount_of)job->values.of;
    char boxes[32];
    snprintf(boxes, sizeof boxes, "%s boxes", rug_boxcount_of_name(of));
    cli_boxcount_curve curve = {
        .label = boxes, .n = found->facts->n_sizes, .fit = &found->fit};
    for (uint32_t i = 0; i < found->facts->n_sizes; i++) {
        curve.size[i] = (double)rug_boxcount_at(found->counts, i)->size;
        curve.count[i] = rug_boxcount_boxes(found->counts, i, of);
    }
    return cli_boxcount_draw(run, job, name, &curve);
}
