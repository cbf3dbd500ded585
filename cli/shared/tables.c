/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Tables: the report of a run with its parameters, the columns and facts that every row has,
 * and rows that wait until an image is done. */

#include "nodata.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows ---- */

void cli_format_shape(char text[CLI_SHAPE_MAX], int ndim, const uint64_t *shape)
{
    size_t n = 0;
    text[0] = '\0';
    for (int a = 0; a < ndim; a++)
        n += (size_t)snprintf(text + n, CLI_SHAPE_MAX - n,
                              a > 0 ? "x%" PRIu64 : "%" PRIu64, shape[a]);
}

void cli_set_shape(cli_record *row, const char *name, int ndim, const size_t *sizes)
{
    uint64_t shape[RUG_MAX_AXES];
    char text[CLI_SHAPE_MAX];
    for (int a = 0; a < ndim; a++)
        shape[a] = sizes[a];
    cli_format_shape(text, ndim, shape);
    cli_record_set_text(row, name, text);
}

static void describe_spacing(cli_record *read, const rug_image *img)
{
    static const char *const axes[] = {"z", "y", "x"};
    cli_record *spacing = cli_record_new();
    for (int a = 0; a < img->ndim; a++)
        cli_record_set_real(spacing, axes[3 - img->ndim + a],
                            img->spacing[a] > 0 ? img->spacing[a] : (double)NAN);
    cli_record_set_text(spacing, "unit", img->spacing_unit);
    cli_record_set_record(read, "spacing", spacing);
}

/* What only the pixels tell. */
static void describe_range(cli_record *read, const cli_image *image)
{
    const rug_image_range *r = cli_image_range(image);
    cli_set_range(read, r);
    cli_record_set_integer(read, "nan", cli_nan_of_file(image->facts, r->n_nan));
    cli_record_set_integer(read, "infinite", r->n_infinite);
    cli_record_set_integer(read, "distinct", r->n_distinct);
    cli_record_set_bool(read, "distinct_is_min", (int)r->distinct_is_min);
}

static void describe_nodata(cli_record *read, const rug_file_facts *f)
{
    if (f->has_nodata)
        cli_record_set_exact(read, "nodata", f->nodata, f->nodata_rest);
    if (f->nodata_limit < f->nodata || f->nodata_limit > f->nodata)
        cli_record_set_real(read, "nodata_limit", f->nodata_limit);
    if (f->is_counted)
        cli_record_set_integer(read, "nodata_pixels", f->n_nodata);
}

static cli_record *describe_read(const cli_image *image)
{
    const rug_file_facts *f = image->facts;
    const rug_image plane = rug_file_plane(image->file, 0);
    cli_record *read = cli_record_new();
    cli_record_set_text(read, "format", f->format);
    cli_record_set_text(read, "dtype", rug_dtype_name(f->values));
    if (image->watch != NULL)
        describe_range(read, image);
    describe_nodata(read, f);
    describe_spacing(read, &plane);
    cli_record_set_signed(read, "page", f->page);
    cli_record_set_signed(read, "pages", f->n_pages);
    if (f->n_files > 1)
        cli_record_set_integer(read, "files", f->n_files);
    cli_record_set_signed(read, "level", f->level);
    cli_record_set_signed(read, "levels", f->n_levels);
    cli_record_set_signed(read, "channel", f->channel);
    cli_record_set_signed(read, "channels", f->n_channels);
    if (image->watch != NULL)
        cli_record_set_bool(read, "equal_channels", f->equal_channels);
    cli_record_set_bool(read, "dropped_alpha", f->dropped_alpha);
    cli_record_set_bool(read, "white_is_zero", f->white_is_zero);
    if (f->is_turned)
        cli_record_set_signed(read, "orientation", f->orientation);
    cli_record_set_real(read, "slope", f->slope);
    cli_record_set_real(read, "intercept", f->intercept);
    return read;
}

void cli_set_digest(cli_record *row, const char *digest)
{
    cli_record_set_text(row, "sha256", digest[0] != '\0' ? digest : NULL);
}

void cli_add_file(cli_record *row, const char *name, const char *path, const char *digest)
{
    cli_record *file = cli_record_new();
    cli_record_set_text(file, "image", path);
    cli_set_digest(file, digest);
    cli_record_set_record(row, name, file);
}

void cli_set_image(const cli_run *run, cli_record *row, const char *name)
{
    const cli_list *list = run->list;
    const cli_list_row *own = run->inputs[run->input].row;
    cli_record_set_text(row, "image", name);
    if (list == NULL || list->n_carried == 0)
        return;
    cli_record *carried = cli_record_new();
    for (size_t i = 0; i < list->n_carried; i++)
        cli_record_set_text(carried, list->carried[i],
                            own != NULL ? own->carried[i] : "");
    cli_record_set_record(row, CLI_CARRIED, carried);
}

cli_record *cli_image_row(cli_run *run, const cli_image *image)
{
    cli_record *row = cli_record_new();
    const rug_image plane = rug_file_plane(image->file, 0);
    cli_set_image(run, row, image->name);
    cli_set_shape(row, "shape", plane.ndim, plane.shape);
    if (!run->has_details)
        return row;
    cli_set_digest(row, image->digest);
    cli_record_set_record(row, "read", describe_read(image));
    if (image->mask_path != NULL)
        cli_add_file(row, "mask", cli_as_listed(run, image->mask_path),
                     image->mask_digest);
    return row;
}

static cli_record *describe_axis(const rug_point_facts *facts, int axis)
{
    cli_record *r = cli_record_new();
    cli_record_set_real(r, "min", facts->min[axis]);
    cli_record_set_real(r, "max", facts->max[axis]);
    return r;
}

cli_record *cli_points_row(cli_run *run, const cli_points *points)
{
    const rug_point_facts *f = points->facts;
    cli_record *row = cli_record_new();
    cli_set_image(run, row, points->path);
    if (!run->has_details)
        return row;
    cli_record *read = cli_record_new();
    cli_record_set_text(read, "format", f->format);
    cli_record_set_text(read, "dtype", rug_dtype_name(points->points->dtype));
    cli_record_set_integer(read, "points", points->points->n);
    cli_record_set_integer(read, "comment_lines", f->n_comment_lines);
    cli_record_set_bool(read, "header", f->has_header);
    if (f->columns != NULL)
        cli_record_set_text(read, "columns", f->columns);
    if (f->left_out != NULL)
        cli_record_set_text(read, "left_out", f->left_out);
    cli_record_set_bool(read, "whole", f->all_whole);
    for (int a = 0; a < points->points->ndim; a++)
        cli_record_append(read, "axes", describe_axis(f, a));
    cli_set_digest(row, points->digest);
    cli_record_set_record(row, "read", read);
    return row;
}

void cli_set_region(cli_record *row, const rug_region *region, int ndim)
{
    cli_record *r = cli_record_new();
    cli_set_shape(r, "first", ndim, region->first + 3 - ndim);
    cli_record_set_integer(r, "area", region->area);
    cli_record_set_record(row, "region", r);
}

/* ---- Rows that wait ---- */

rug_status cli_keep_row(cli_run *run, cli_rows *rows, cli_record *row)
{
    if (rows->n == rows->capacity) {
        size_t capacity = rows->capacity > 0 ? 2 * rows->capacity : 64;
        cli_record **more = realloc(rows->items, capacity * sizeof *more);
        if (more == NULL) {
            cli_record_free(row);
            return rug_context_fail(run->ctx, RUG_E_NOMEM, "no memory for %zu rows",
                                    capacity);
        }
        rows->items = more;
        rows->capacity = capacity;
    }
    rows->items[rows->n++] = row;
    return RUG_OK;
}

void cli_end_rows(cli_run *run, cli_rows *rows, int keep)
{
    for (size_t i = 0; i < rows->n; i++)
        if (keep)
            cli_report_add(run->report, rows->items[i]);
        else
            cli_record_free(rows->items[i]);
    free(rows->items);
}

/* ---- Reports ---- */

static void describe_reading(const cli_run *run, cli_record *p)
{
    const cli_reading *r = &run->reading;
    cli_record_set_text(p, "page", r->page != NULL ? r->page : "0");
    cli_record_set_bool(p, "volume", r->volume);
    if (r->channel >= 0)
        cli_record_set_signed(p, "channel", r->channel);
    else
        cli_record_set_text(p, "channel", run->keeps_colours ? "colours" : "luma");
    cli_record_set_signed(p, "level", r->level);
    if (r->raw != NULL)
        cli_record_set_text(p, "raw", r->raw);
    if (r->matrix)
        cli_record_set_bool(p, "matrix", 1);
    if (r->dataset != NULL)
        cli_record_set_text(p, "dataset", r->dataset);
    if (r->series != NULL)
        cli_record_set_text(p, "series", r->series);
    if (r->resolution > 0)
        cli_record_set_integer(p, "resolution", r->resolution);
    if (r->solid)
        cli_record_set_bool(p, "solid", 1);
    if (r->nodata != NULL)
        cli_record_set_text(p, "nodata", r->nodata);
    if (r->mask_value != NULL)
        cli_record_set_text(p, "mask_value", r->mask_value);
    if (r->mask_above != NULL)
        cli_record_set_text(p, "mask_above", r->mask_above);
    if (r->mask_below != NULL)
        cli_record_set_text(p, "mask_below", r->mask_below);
    if (r->ignore_geometry)
        cli_record_set_bool(p, "ignore_geometry", 1);
}

void cli_describe_own(const cli_run *run, cli_record *p)
{
    cli_describe_options(p, run->command->options, run->command->n_options, run->values,
                         &run->words, run->mode);
}

/* Nothing that the list carries may take the place of a result. */
static int check_carried(const cli_run *run, const char *const *columns)
{
    const cli_list *list = run->list;
    char text[CLI_ERROR_MAX];
    for (size_t i = 0; i < list->n_carried; i++)
        for (size_t c = 0; columns[c] != NULL; c++)
            if (strcmp(list->carried[i], columns[c]) == 0) {
                snprintf(text, sizeof text,
                         "--list %.200s: its column '%.100s' has the name of the column "
                         "'%s' of %s's table; rename that of the list",
                         run->common.list, list->carried[i], columns[c],
                         run->command->name);
                return cli_usage_error(run->command, text);
            }
    return CLI_OK;
}

int cli_begin_table(cli_run *run, cli_report **out, const char *const *columns)
{
    size_t n = 0, n_carried = run->list != NULL ? run->list->n_carried : 0, at = 0;
    while (columns[n] != NULL)
        at = strcmp(columns[n++], "image") == 0 ? n : at;
    int exit = at > 0 && n_carried > 0 ? check_carried(run, columns) : CLI_OK;
    const char **all = calloc(n + n_carried + 1, sizeof *all);
    if (all == NULL || exit != CLI_OK) {
        free(all);
        return exit; /* a report that is not there fails when it is written */
    }
    memcpy(all, columns, at * sizeof *all);
    if (at > 0 && n_carried > 0)
        memcpy(all + at, run->list->carried, n_carried * sizeof *all);
    memcpy(all + at + (at > 0 ? n_carried : 0), columns + at, (n - at) * sizeof *all);
    *out = cli_report_new(all);
    free(all);
    return CLI_OK;
}

int cli_begin_report(cli_run *run, const char *const *columns, cli_describe_fn describe,
                     const void *job)
{
    int exit = cli_begin_table(run, &run->report, columns);
    if (exit != CLI_OK)
        return exit;
    if (run->report == NULL)
        cli_fail(run, "no memory for the results");
    cli_record *head = cli_report_head(run->report), *p = cli_record_new();
    cli_record_set_text(head, "program", "rugose");
    cli_record_set_text(head, "version", rug_version());
    cli_record_set_text(head, "command", run->command->name);
    cli_record_set_text(p, "device",
                        run->common.device != NULL ? run->common.device : "cpu");
    if (run->device_name != NULL)
        cli_record_set_text(p, "device_name", run->device_name);
    if (run->common.shard != NULL)
        cli_record_set_text(p, "shard", run->common.shard);
    if (run->command->takes_files == NULL)
        describe_reading(run, p);
    if (describe != NULL)
        describe(run, p, job);
    else
        cli_describe_own(run, p);
    cli_record_set_record(head, "parameters", p);
    if (run->common.report == NULL)
        return CLI_OK;
    exit = cli_begin_table(run, &run->html, columns);
    cli_begin_page(run);
    return exit;
}
