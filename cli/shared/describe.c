/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The columns and facts that every row has: what was read, and from which bytes. */

#include "cli.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void cli_format_shape(char text[CLI_SHAPE_MAX], int ndim, const uint64_t *shape)
{
    size_t n = 0;
    text[0] = '\0';
    for (int a = 0; a < ndim; a++)
        n += (size_t)snprintf(text + n, CLI_SHAPE_MAX - n,
                              a > 0 ? "x%" PRIu64 : "%" PRIu64, shape[a]);
}

static void describe_spacing(rug_record *read, const rug_image *img)
{
    static const char *const axes[] = {"z", "y", "x"};
    rug_record *spacing = rug_record_new();
    for (int a = 0; a < img->ndim; a++)
        rug_record_set_real(spacing, axes[3 - img->ndim + a],
                            img->spacing[a] > 0 ? img->spacing[a] : (double)NAN);
    rug_record_set_text(spacing, "unit", img->spacing_unit);
    rug_record_set_record(read, "spacing", spacing);
}

static rug_record *describe_read(const cli_image *image)
{
    const rug_file_facts *f = image->facts;
    const rug_image plane = rug_file_plane(image->file, 0);
    rug_record *read = rug_record_new();
    rug_record_set_text(read, "format", f->format);
    rug_record_set_text(read, "dtype", rug_dtype_name(image->pixels->dtype));
    rug_record_set_real(read, "min", image->range.min);
    rug_record_set_real(read, "max", image->range.max);
    rug_record_set_integer(read, "nan", image->range.n_nan);
    rug_record_set_integer(read, "infinite", image->range.n_infinite);
    rug_record_set_integer(read, "distinct", image->range.n_distinct);
    rug_record_set_bool(read, "distinct_is_min", (int)image->range.distinct_is_min);
    describe_spacing(read, &plane);
    rug_record_set_signed(read, "page", f->page);
    rug_record_set_signed(read, "pages", f->n_pages);
    rug_record_set_signed(read, "level", f->level);
    rug_record_set_signed(read, "levels", f->n_levels);
    rug_record_set_signed(read, "channel", f->channel);
    rug_record_set_signed(read, "channels", f->n_channels);
    rug_record_set_bool(read, "equal_channels", f->equal_channels);
    rug_record_set_bool(read, "dropped_alpha", f->dropped_alpha);
    rug_record_set_bool(read, "white_is_zero", f->white_is_zero);
    rug_record_set_real(read, "slope", f->slope);
    rug_record_set_real(read, "intercept", f->intercept);
    return read;
}

void cli_digest(cli_run *run, char digest[RUG_SHA256_TEXT_MAX], const char *path)
{
    digest[0] = '\0';
    if (run->common.format == RUG_REPORT_JSON &&
        rug_file_sha256(run->ctx, digest, path) != RUG_OK)
        digest[0] = '\0';
}

void cli_add_file(rug_record *row, const char *name, const char *path, const char *digest)
{
    rug_record *file = rug_record_new();
    rug_record_set_text(file, "image", path);
    rug_record_set_text(file, "sha256", digest[0] != '\0' ? digest : NULL);
    rug_record_set_record(row, name, file);
}

/* The checksum of the file, and what was read of it. */
static void add_read(rug_record *row, const char *digest, rug_record *read)
{
    rug_record_set_text(row, "sha256", digest[0] != '\0' ? digest : NULL);
    rug_record_set_record(row, "read", read);
}

void cli_describe_image(cli_run *run, rug_record *row, const cli_image *image)
{
    char text[CLI_SHAPE_MAX];
    uint64_t shape[RUG_MAX_AXES];
    const rug_image plane = rug_file_plane(image->file, 0);
    for (int a = 0; a < plane.ndim; a++)
        shape[a] = plane.shape[a];
    cli_format_shape(text, plane.ndim, shape);
    rug_record_set_text(row, "image", image->name);
    rug_record_set_text(row, "shape", text);
    if (run->common.format != RUG_REPORT_JSON)
        return;
    add_read(row, image->digest, describe_read(image));
    if (image->mask_path != NULL)
        cli_add_file(row, "mask", image->mask_path, image->mask_digest);
}

static rug_record *describe_axis(const rug_point_facts *facts, int axis)
{
    rug_record *r = rug_record_new();
    rug_record_set_real(r, "min", facts->min[axis]);
    rug_record_set_real(r, "max", facts->max[axis]);
    return r;
}

void cli_describe_points(cli_run *run, rug_record *row, const cli_points *points)
{
    const rug_point_facts *f = points->facts;
    rug_record_set_text(row, "image", points->path);
    if (run->common.format != RUG_REPORT_JSON)
        return;
    rug_record *read = rug_record_new();
    rug_record_set_text(read, "format", f->format);
    rug_record_set_text(read, "dtype", rug_dtype_name(points->points->dtype));
    rug_record_set_integer(read, "points", points->points->n);
    rug_record_set_integer(read, "comment_lines", f->n_comment_lines);
    rug_record_set_bool(read, "header", f->has_header);
    rug_record_set_bool(read, "whole", f->all_whole);
    for (int a = 0; a < points->points->ndim; a++)
        rug_record_append(read, "axes", describe_axis(f, a));
    add_read(row, points->digest, read);
}
