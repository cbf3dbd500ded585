/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose boxcount` shows of a count: rows of both tables, lines on stderr, and the
 * plot. */

#include "cmd_boxcount.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Rows ---- */

static double share_of_set(const rug_boxcount_result *counts)
{
    return counts->n_pixels == RUG_BOXCOUNT_TOO_MANY || counts->n_pixels == 0
               ? (double)NAN
               : (double)counts->n_set / (double)counts->n_pixels;
}

#define IMAGE_COLUMN "image"
#define LABEL_COLUMN "label"
#define COLUMNS                                                               \
    "shape", "foreground", "dimension", "std_error", "r_squared", "size_min", \
        "size_max", "n_sizes", "grid", "method", "engine", "status"
#define COUNT_COLUMNS    "size", "total", "nonempty", "black", "gray", "white"
#define POSITION_COLUMNS "shift", "least", "mean", "most"

const char *const *cli_boxcount_columns(const cli_boxcount_values *values)
{
    static const char *const plain[] = {IMAGE_COLUMN, COLUMNS, NULL};
    static const char *const labelled[] = {IMAGE_COLUMN, LABEL_COLUMN, COLUMNS, NULL};
    if (values->gray)
        return cli_boxcount_gray_columns;
    return values->labels != NULL ? labelled : plain;
}

const char *const *cli_boxcount_count_columns(const cli_boxcount_values *values)
{
    static const char *const columns[2][2][13] = {
        {{IMAGE_COLUMN, COUNT_COLUMNS}, {IMAGE_COLUMN, COUNT_COLUMNS, POSITION_COLUMNS}},
        {{IMAGE_COLUMN, LABEL_COLUMN, COUNT_COLUMNS},
         {IMAGE_COLUMN, LABEL_COLUMN, COUNT_COLUMNS, POSITION_COLUMNS}}};
    if (values->gray)
        return cli_boxcount_gray_count_columns;
    return columns[values->labels != NULL][values->grid != RUG_BOXCOUNT_GRID_ORIGIN];
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
        rug_record_set_text(row, IMAGE_COLUMN, name);
        if (found->label != NULL)
            rug_record_set_integer(row, LABEL_COLUMN, found->label->label);
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
    rug_record_set_real(row, "foreground_share", share_of_set(c));
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
        rug_record_set_integer(row, LABEL_COLUMN, found->label->label);
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

/* ---- Lines on stderr ---- */

int cli_boxcount_is_short(const rug_boxcount_dimension *d)
{
    return strcmp(d->status, "empty") != 0 &&
           cli_is_short_fit(d->n_sizes, d->size_min, d->size_max);
}

static void warn_of_fit(cli_run *run, const rug_boxcount_dimension *d)
{
    int are_few = strcmp(d->status, "no scaling range") == 0 && d->n_sizes < 3;
    if (are_few)
        cli_warn(run, "fewer than three sizes are left after leaving out those at which "
                      "every box holds foreground or one box holds everything");
    cli_warn_of_fit(run, are_few ? "ok" : d->status, d->n_sizes, d->size_min,
                    d->size_max);
}

/* How unevenly the threads were busy, where the method knows.
 * @param engine  NULL: many counts, each with its own */
static void end_times(const cli_run *run, const rug_boxcount_result *c,
                      const char *engine)
{
    char spread[120] = "";
    if (c->busy_most > 0)
        snprintf(spread, sizeof spread,
                 ", threads busy %.3f ms to %.3f ms (spread %.1f %%)",
                 c->busy_least * 1e3, c->busy_most * 1e3,
                 100 * (c->busy_most - c->busy_least) / c->busy_most);
    cli_end_times(run, engine, spread);
}

static void print_times(const cli_run *run, const cli_image *image,
                        const cli_boxcount_found *found, const char *engine)
{
    if (!cli_begin_times(run, image))
        return;
    fprintf(stderr, ", threshold %.3f ms, count %.3f ms", found->threshold_seconds * 1e3,
            found->count_seconds * 1e3);
    end_times(run, &found->counts, engine);
}

static void warn_of_image(cli_run *run, const cli_boxcount_job *job,
                          const cli_image *image)
{
    cli_warn_of_values(run, image, job->values.foreground);
    cli_warn_of_spacing(run, image->pixels);
}

void cli_boxcount_print_image(cli_run *run, const cli_boxcount_job *job,
                              const cli_image *image, const cli_boxcount_found *found)
{
    char foreground[CLI_FOREGROUND_MAX];
    double share = share_of_set(&found->counts);
    cli_format_foreground(foreground, image, job->values.foreground,
                          found->counts.foreground, share, found->counts.n_pixels);
    cli_print_read(run, image, foreground);
    cli_warn_of_share(run, share, found->counts.n_pixels);
    warn_of_image(run, job, image);
    warn_of_fit(run, &found->dimension);
    print_times(run, image, found, found->counts.engine);
}

void cli_boxcount_print_labels(cli_run *run, const cli_boxcount_job *job,
                               const cli_image *image, const cli_boxcount_found *whole,
                               size_t n_labels, size_t n_short)
{
    char text[RUG_FOREGROUND_TEXT_MAX], extra[RUG_FOREGROUND_TEXT_MAX + 64];
    rug_foreground_format(text, whole->counts.foreground);
    snprintf(extra, sizeof extra, "foreground %s, %zu label%s", text, n_labels,
             n_labels == 1 ? "" : "s");
    cli_print_read(run, image, extra);
    warn_of_image(run, job, image);
    cli_warn_of_labels(run, job->values.labels, n_labels);
    if (n_short > 0)
        cli_warn(run,
                 "the fits of %zu of %zu labels cover fewer than %d sizes or less than a "
                 "decade",
                 n_short, n_labels, CLI_FEW_SIZES);
    print_times(run, image, whole, NULL);
}

void cli_boxcount_print_points(cli_run *run, const cli_points *points,
                               const cli_boxcount_found *found)
{
    const rug_boxcount_result *c = &found->counts;
    char shape[CLI_SHAPE_MAX], extra[CLI_SHAPE_MAX + 80];
    cli_format_shape(shape, c->ndim, c->shape);
    snprintf(extra, sizeof extra, "%" PRIu64 " pixels of %s are set", c->n_set, shape);
    if (!run->common.quiet)
        cli_print_line(run, rug_point_file_read_line(points->file, extra));
    warn_of_fit(run, &found->dimension);
    if (!run->common.verbose)
        return;
    fprintf(stderr, "time %s: read %.3f ms, count %.3f ms", points->path,
            points->read_seconds * 1e3, found->count_seconds * 1e3);
    end_times(run, c, c->engine);
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
