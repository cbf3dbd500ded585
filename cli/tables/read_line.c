/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The lines that tell people what was read: shape, type, range, spacing, and whatever was
 * decided on the way. Nothing is printed here. */

#include "read_line.h"
#include "io/base/disk.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends a line.
 * @param text  what the stream writes to
 * @return the text; NULL when memory ran out */
static char *finish(FILE *out, char **text, const char *extra)
{
    if (extra != NULL)
        fprintf(out, ", %s", extra);
    rugi_close_text(out, text);
    return *text;
}

/* ---- Images ---- */

static void put_shape(FILE *out, const rug_image *image, rug_dtype values)
{
    for (int i = 0; i < image->ndim; i++)
        fprintf(out, "%s%zu", i == 0 ? " " : "x", image->shape[i]);
    fprintf(out, " %s", rug_dtype_name(values));
}

static void put_range(FILE *out, const rug_image_range *range, const rug_file_facts *f)
{
    uint64_t n_nan = range->n_nan;
    if (f->is_counted && n_nan > f->n_nan) /* others hold no data */
        n_nan = f->n_nan;

    char min[RUGI_REAL_TEXT_MAX], max[RUGI_REAL_TEXT_MAX];
    rugi_format_exact(min, range->min, range->min_rest);
    rugi_format_exact(max, range->max, range->max_rest);
    if (isnan(range->min))
        fputs(", no finite value", out);
    else
        fprintf(out, ", range %s..%s", min, max);
    if (n_nan > 0)
        fprintf(out, ", %" PRIu64 " NaN", n_nan);
    if (range->n_infinite > 0)
        fprintf(out, ", %" PRIu64 " infinite", range->n_infinite);
}

/** Axes without a known spacing are shown as "?". */
static void put_spacing(FILE *out, const rug_image *image)
{
    int known = 0;
    for (int i = 0; i < image->ndim; i++)
        known = known || image->spacing[i] > 0;
    if (!known)
        return;
    fputs(", spacing", out);
    for (int i = 0; i < image->ndim; i++) {
        char text[RUGI_REAL_TEXT_MAX] = "?";
        if (image->spacing[i] > 0)
            rugi_format_real_short(text, image->spacing[i]);
        fprintf(out, "%s%s", i == 0 ? " " : "x", text);
    }
    if (image->spacing_unit != NULL)
        fprintf(out, " %s", image->spacing_unit);
}

static void put_channels(FILE *out, const rug_file_facts *facts)
{
    if (facts->n_channels > 1 && facts->channel >= 0)
        fprintf(out, ", channel %d of %d", facts->channel, facts->n_channels);
    else if (facts->n_channels > 1 && facts->equal_channels)
        fprintf(out, ", %d equal channels%s", facts->n_channels,
                facts->n_planes >= 3 ? ", all kept" : "");
    else if (facts->n_planes >= 3)
        fputs(", red, green and blue kept", out);
    else if (facts->n_channels > 1)
        fprintf(out, ", luma of %d channels", facts->n_channels);
    if (facts->n_planes % 2 == 0)
        fputs(", alpha kept", out);
    if (facts->dropped_alpha)
        fputs(", alpha dropped", out);
}

void cli_nodata_text(char text[CLI_NODATA_MAX], const rug_file_facts *f)
{
    rugi_format_exact(text, f->nodata, f->nodata_rest);
    if (!(f->nodata_limit < f->nodata || f->nodata_limit > f->nodata))
        return;
    strcat(text, "..");
    rugi_format_real(text + strlen(text), f->nodata_limit);
}

/* "nodata -9999: 31 % left out" */
static void put_nodata(FILE *out, const rug_file_facts *f, uint64_t n_pixels)
{
    char value[CLI_NODATA_MAX];
    double share = 100 * (double)f->n_nodata / (double)n_pixels;
    if (!f->has_nodata)
        return;
    cli_nodata_text(value, f);
    fprintf(out, ", nodata %s", value);
    if (f->is_counted) /* 100 % is all of them */
        fprintf(out, ": %.*f %% %s",
                share >= 99.5 && f->n_nodata < n_pixels ? 3
                : share > 0 && share < 9.5              ? 1
                                                        : 0,
                share,
                f->nodata_as == RUG_NODATA_AS_STORED ? "kept as stored" : "left out");
}

static void put_facts(FILE *out, const rug_file_facts *facts)
{
    if (facts->n_pages > 1 && facts->page >= 0)
        fprintf(out, ", page %d of %d", facts->page, facts->n_pages);
    else if (facts->n_pages > 1)
        fprintf(out, ", pages as slices (--page takes one of %d)", facts->n_pages);
    if (facts->n_levels > 1)
        fprintf(out, ", level %d of %d", facts->level, facts->n_levels);
    put_channels(out, facts);
    if (facts->is_turned)
        fprintf(out, ", turned as %s asks (%d)",
                strcmp(facts->format, "tiff") == 0 ? "TIFF" : "EXIF", facts->orientation);
    if (facts->meaning != NULL)
        fprintf(out, ", %s", facts->meaning);
    if (facts->white_is_zero)
        fputs(", white-is-zero inverted", out);
    if (facts->slope < 1 || facts->slope > 1 || facts->intercept < 0 ||
        facts->intercept > 0) {
        char slope[RUGI_REAL_TEXT_MAX], intercept[RUGI_REAL_TEXT_MAX];
        rugi_format_real(slope, facts->slope);
        rugi_format_real(intercept, facts->intercept);
        fprintf(out, ", scaled by %s + %s", slope, intercept);
    }
}

char *cli_file_read_line(const rug_file *file, const rug_file_facts *facts,
                         const char *name, const rug_image_range *range,
                         const char *extra)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (out == NULL)
        return NULL;
    const rug_image plane = rug_file_plane(file, 0);
    fprintf(out, "read %s:", name != NULL ? name : facts->path);
    if (facts->n_files > 1)
        fprintf(out, " %zu files,", facts->n_files);
    put_shape(out, &plane, facts->values);
    if (range != NULL)
        put_range(out, range, facts);
    put_nodata(out, facts, rug_image_pixels(rug_file_image(file)));
    put_spacing(out, &plane);
    put_facts(out, facts);
    return finish(out, &text, extra);
}

/* ---- Points ---- */

static void put_extent(FILE *out, const rug_point_facts *facts, int n_axes)
{
    for (int a = 0; a < n_axes; a++) {
        char name[16], min[RUGI_REAL_TEXT_MAX], max[RUGI_REAL_TEXT_MAX];
        rugi_axis_name(name, a);
        rugi_format_real_short(min, facts->min[a]);
        rugi_format_real_short(max, facts->max[a]);
        fprintf(out, ", %s %s..%s", name, min, max);
    }
}

static void put_point_facts(FILE *out, const rug_point_facts *facts)
{
    if (facts->columns != NULL)
        fprintf(out, ", from columns %s", facts->columns);
    if (facts->left_out != NULL)
        fprintf(out, " (left out: %s)", facts->left_out);
    if (facts->has_header)
        fputs(", header skipped", out);
    if (facts->has_elements)
        fputs(", element symbols skipped", out);
    if (facts->n_comment_lines > 0)
        fprintf(out, ", %" PRIu64 " comment line%s", facts->n_comment_lines,
                facts->n_comment_lines == 1 ? "" : "s");
}

char *cli_point_file_read_line(const rug_point_file *file, const char *name,
                               const char *extra)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (out == NULL)
        return NULL;
    const rug_points *points = rug_point_file_points(file);
    const rug_point_facts *facts = rug_point_file_get_facts(file);
    fprintf(out, "read %s: %" PRIu64 " point%s in %dD %s",
            name != NULL ? name : facts->path, points->n, points->n == 1 ? "" : "s",
            points->ndim, rug_dtype_name(points->dtype));
    put_extent(out, facts, points->ndim);
    put_point_facts(out, facts);
    return finish(out, &text, extra);
}
