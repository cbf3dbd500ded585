/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The rows of `rugose boxcount`: one of an image, a label or a set of points, and one of
 * each of its sizes. Labels, and grids that are not at the origin, have columns more. */

#include "cmd_boxcount.h"
#include <math.h>

#define IMAGE_COLUMN "image"
#define LABEL_COLUMN "label"
#define COLUMNS                                                               \
    "shape", "foreground", "dimension", "std_error", "r_squared", "size_min", \
        "size_max", "n_sizes", "grid", "method", "engine", "status"
#define COUNT_COLUMNS    "size", "total", "nonempty", "black", "gray", "white"
#define POSITION_COLUMNS "shift", "least", "mean", "most"

const char *const *cli_boxcount_columns(const cli_boxcount_job *job)
{
    static const char *const plain[] = {IMAGE_COLUMN, COLUMNS, NULL};
    static const char *const labelled[] = {IMAGE_COLUMN, LABEL_COLUMN, COLUMNS, NULL};
    if (job->values.gray)
        return cli_boxcount_gray_columns;
    return job->values.labels != NULL ? labelled : plain;
}

const char *const *cli_boxcount_count_columns(const cli_boxcount_job *job)
{
    static const char *const columns[2][2][13] = {
        {{IMAGE_COLUMN, COUNT_COLUMNS}, {IMAGE_COLUMN, COUNT_COLUMNS, POSITION_COLUMNS}},
        {{IMAGE_COLUMN, LABEL_COLUMN, COUNT_COLUMNS},
         {IMAGE_COLUMN, LABEL_COLUMN, COUNT_COLUMNS, POSITION_COLUMNS}}};
    if (job->values.gray)
        return cli_boxcount_gray_count_columns;
    return columns[job->values.labels != NULL]
                  [job->values.grid != RUG_BOXCOUNT_GRID_ORIGIN];
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

static rug_record *label_record(const rug_region *label, int ndim)
{
    rug_record *r = rug_record_new();
    uint64_t first[RUG_MAX_AXES];
    char text[CLI_SHAPE_MAX];
    for (int a = 0; a < ndim; a++)
        first[a] = label->first[a];
    cli_format_shape(text, ndim, first);
    rug_record_set_text(r, "first", text);
    rug_record_set_integer(r, "area", label->area);
    return r;
}

static void add_json_details(rug_record *row, const cli_boxcount_found *found)
{
    const rug_boxcount_dimension *d = &found->dimension;
    const rug_boxcount_result *c = &found->counts;
    if (found->label != NULL)
        rug_record_set_record(row, "region", label_record(found->label, c->ndim));
    rug_record_set_real(row, "foreground_share", cli_boxcount_share(c));
    rug_record_set_integer(row, "foreground_pixels", c->n_set);
    set_boxes(row, "pixels", c->n_pixels);
    rug_record_set_real(row, "intercept", d->intercept);
    for (uint32_t i = 0; i < c->n_sizes; i++) {
        rug_record *size = size_record(c, i);
        rug_record_set_real(size, "local_slope", d->local_slope[i]);
        rug_record_set_bool(size, "used", d->used[i]);
        rug_record_append(row, "counts", size);
    }
}

static void set_found(rug_record *row, const cli_boxcount_found *found)
{
    const rug_boxcount_dimension *d = &found->dimension;
    char grid[CLI_CHOICE_MAX];
    cli_choice_name(grid, CLI_BOXCOUNT_GRID, (int)found->counts.grid);
    rug_record_set_real(row, "dimension", d->dimension);
    rug_record_set_real(row, "std_error", d->std_error);
    rug_record_set_real(row, "r_squared", d->r_squared);
    rug_record_set_integer(row, "size_min", d->size_min);
    rug_record_set_integer(row, "size_max", d->size_max);
    rug_record_set_integer(row, "n_sizes", d->n_sizes);
    rug_record_set_text(row, "grid", grid);
    rug_record_set_text(row, "method", found->counts.method);
    rug_record_set_text(row, "engine", found->counts.engine);
    rug_record_set_text(row, "status", d->status);
}

void cli_boxcount_add(cli_run *run, cli_boxcount_job *job, const char *name,
                      rug_record *row, const cli_boxcount_found *found)
{
    char shape[CLI_SHAPE_MAX];
    cli_format_shape(shape, found->counts.ndim, found->counts.shape);
    rug_record_set_text(row, "shape", shape);
    if (found->label != NULL)
        rug_record_set_integer(row, LABEL_COLUMN, found->label->label);
    if (found->is_points) {
        rug_record_set_text(row, "foreground", "points");
    } else {
        char rule[RUG_FOREGROUND_TEXT_MAX];
        rug_foreground_format(rule, found->counts.foreground);
        rug_record_set_text(row, "foreground", rule);
    }
    set_found(row, found);
    if (run->common.format == RUG_REPORT_JSON)
        add_json_details(row, found);
    rug_report_add(run->report, row);
    add_counts(job, name, found);
}
