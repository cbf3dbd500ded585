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

/* The sum of a whole number and a rest, which may need all 64 bits. */
static void set_exact(cli_record *record, const char *name, double value, int64_t rest)
{
    if (rest == 0)
        cli_record_set_real(record, name, value);
    else if (value < 0)
        cli_record_set_signed(record, name, (int64_t)value + rest);
    else
        cli_record_set_integer(record, name,
                               (value < 0x1p64 ? (uint64_t)value : 0) + (uint64_t)rest);
}

void cli_set_range(cli_record *record, const rug_image_range *range)
{
    set_exact(record, "min", range->min, range->min_rest);
    set_exact(record, "max", range->max, range->max_rest);
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
        set_exact(read, "nodata", f->nodata, f->nodata_rest);
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
    cli_record_set_signed(read, "level", f->level);
    cli_record_set_signed(read, "levels", f->n_levels);
    cli_record_set_signed(read, "channel", f->channel);
    cli_record_set_signed(read, "channels", f->n_channels);
    if (image->watch != NULL)
        cli_record_set_bool(read, "equal_channels", f->equal_channels);
    cli_record_set_bool(read, "dropped_alpha", f->dropped_alpha);
    cli_record_set_bool(read, "white_is_zero", f->white_is_zero);
    cli_record_set_real(read, "slope", f->slope);
    cli_record_set_real(read, "intercept", f->intercept);
    return read;
}

void cli_digest(cli_run *run, char digest[CLI_SHA256_TEXT_MAX], const char *path)
{
    digest[0] = '\0';
    if (run->common.format != CLI_REPORT_JSON)
        return;
    rug_status status = cli_file_sha256(run->ctx, digest, path);
    if (status != RUG_OK && status != RUG_E_CANCELLED)
        cli_warn(run, "there is no SHA-256: %s", rug_context_error(run->ctx));
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

cli_record *cli_image_row(cli_run *run, const cli_image *image)
{
    cli_record *row = cli_record_new();
    const rug_image plane = rug_file_plane(image->file, 0);
    cli_record_set_text(row, "image", image->name);
    cli_set_shape(row, "shape", plane.ndim, plane.shape);
    if (run->common.format != CLI_REPORT_JSON)
        return row;
    cli_set_digest(row, image->digest);
    cli_record_set_record(row, "read", describe_read(image));
    if (image->mask_path != NULL)
        cli_add_file(row, "mask", image->mask_path, image->mask_digest);
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
    cli_record_set_text(row, "image", points->path);
    if (run->common.format != CLI_REPORT_JSON)
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
    cli_set_shape(r, "first", ndim, region->first);
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

rug_status cli_write_report(cli_run *run, const cli_report *report, const char *path)
{
    cli_report_format format = (cli_report_format)run->common.format;
    if (path == NULL || strcmp(path, "-") == 0) {
        rug_status status = cli_report_write(run->ctx, report, NULL, format);
        run->is_unread |= status == RUG_E_IO && cli_is_reader_gone();
        return status;
    }
    if (path != run->common.output &&
        cli_report_format_of(run->ctx, &format, path) != RUG_OK)
        return RUG_E_ARG;
    return cli_report_write(run->ctx, report, path, format);
}

void cli_end_report(cli_run *run, cli_report **report, const char *path)
{
    if (*report != NULL && !run->interrupted) {
        cli_clear_progress(run);
        if (cli_write_report(run, *report, path) != RUG_OK && !run->is_unread)
            cli_fail(run, rug_context_error(run->ctx));
    }
    cli_report_free(*report);
    *report = NULL;
}

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
    if (r->nodata != NULL)
        cli_record_set_text(p, "nodata", r->nodata);
    if (r->mask_value != NULL)
        cli_record_set_text(p, "mask_value", r->mask_value);
    if (r->mask_above != NULL)
        cli_record_set_text(p, "mask_above", r->mask_above);
    if (r->mask_below != NULL)
        cli_record_set_text(p, "mask_below", r->mask_below);
}

void cli_describe_own(const cli_run *run, cli_record *p)
{
    cli_describe_options(p, run->command->options, run->command->n_options, run->values,
                         &run->words, run->mode);
}

void cli_begin_report(cli_run *run, const char *const *columns, cli_describe_fn describe,
                      const void *job)
{
    run->report = cli_report_new(columns);
    cli_record *head = cli_report_head(run->report), *p = cli_record_new();
    cli_record_set_text(head, "program", "rugose");
    cli_record_set_text(head, "version", rug_version());
    cli_record_set_text(head, "command", run->command->name);
    cli_record_set_text(p, "device",
                        run->common.device != NULL ? run->common.device : "cpu");
    if (run->device_name != NULL)
        cli_record_set_text(p, "device_name", run->device_name);
    if (!run->command->takes_streams)
        describe_reading(run, p);
    if (describe != NULL)
        describe(run, p, job);
    else
        cli_describe_own(run, p);
    cli_record_set_record(head, "parameters", p);
}
