/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Ranges, sources, devices and files. */

#include "caller.h"
#include <rugose/values.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void say_rule(rug_foreground rule)
{
    char text[RUG_FOREGROUND_TEXT_MAX];
    rug_foreground_format(text, rule);
    say("%s", text);
}

static rug_status run_range(void *given, int is_broken)
{
    return rug_image_measure_range(ctx, given, is_broken ? NULL : &image);
}

static rug_status run_source_range(void *given, int is_broken)
{
    return rug_source_measure_range(ctx, given, is_broken ? NULL : &image_source,
                                    &mask_source);
}

/* Otsu's threshold takes 0..100 of the values. */
static void set_range(void)
{
    PUT(min, double, 0);
    PUT(max, double, 100);
    PUT(n_distinct, uint32_t, 200);
}

static rug_status run_resolve(void *given, int is_broken)
{
    (void)is_broken;
    rug_foreground rule = RUG_FOREGROUND_INIT;
    rug_status status = rug_foreground_resolve(ctx, &rule, &image, given, rule);
    say_rule(rule);
    return status;
}

static rug_status run_source_resolve(void *given, int is_broken)
{
    (void)is_broken;
    rug_foreground rule = RUG_FOREGROUND_INIT;
    rug_status status =
        rug_source_resolve_foreground(ctx, &rule, &image_source, NULL, given, rule);
    say_rule(rule);
    return status;
}

/* Values in parts. */

static void set_values(void)
{
    static const rug_image_range range = RUG_IMAGE_RANGE_INIT;
    PUT(has_mask, uint32_t, 0);
    PUT(unused, uint32_t, 0);
    PUT(range, const rug_image_range *, &range);
}

/* @param out  NULL: the rule is said instead */
static rug_status measure_values(const rug_values_options *opts, rug_image_range *out)
{
    rug_values *values;
    rug_foreground rule = RUG_FOREGROUND_INIT;
    const size_t first[2] = {0, 0};
    rug_status status = rug_values_new(ctx, &values, image.dtype, 2, image.shape, opts);
    if (status == RUG_OK)
        status = rug_values_add(ctx, values, &image, NULL, first);
    if (status == RUG_OK && out != NULL)
        status = rug_values_range(ctx, out, values);
    else if (status == RUG_OK)
        status = rug_values_resolve(ctx, &rule, values, rule);
    if (status == RUG_OK && out == NULL)
        say_rule(rule);
    rug_values_free(values);
    return status;
}

static rug_status run_values(void *given, int is_broken)
{
    (void)is_broken;
    return measure_values(given, NULL);
}

static rug_status run_values_range(void *given, int is_broken)
{
    if (given == NULL || is_broken)
        return rug_values_range(ctx, given, NULL);
    return measure_values(NULL, given);
}

static rug_status read_rows(rug_context *context, const rug_image *whole, rug_image *out,
                            size_t first, size_t n)
{
    const size_t shape[] = {n, 64};
    return rug_image_view(context, out, (const char *)whole->data + 64 * first, RUG_U8, 2,
                          shape);
}

static rug_status read_image(rug_context *context, void *user, rug_image *out,
                             size_t first, size_t n)
{
    (void)user;
    return read_rows(context, &image, out, first, n);
}

static rug_status read_labels(rug_context *context, void *user, rug_image *out,
                              size_t first, size_t n)
{
    (void)user;
    return read_rows(context, &labels, out, first, n);
}

static void put_source(rug_source_read_fn read)
{
    static const size_t shape[3] = {64, 64};
    static const double spacing[3] = {0.5, 0.5};
    PUT(dtype, rug_dtype, RUG_U8);
    PUT(ndim, int, 2);
    put("shape", shape, sizeof shape);
    put("spacing", spacing, sizeof spacing);
    PUT(spacing_unit, const char *, "mm");
    PUT(read, rug_source_read_fn, read);
    PUT(user, void *, NULL);
    PUT(any_order, uint32_t, 1);
}

void set_source(void)
{
    put_source(read_image);
}

void set_labels(void)
{
    put_source(read_labels);
}

static rug_status run_range_of_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_status status = rug_source_measure_range(ctx, &range, given, &mask_source);
    say("%g..%g", range.min, range.max);
    return status;
}

static rug_status run_range_in_mask(void *given, int is_broken)
{
    (void)is_broken;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_status status = rug_source_measure_range(ctx, &range, &image_source, given);
    say("%g..%g", range.min, range.max);
    return status;
}

static rug_status run_rule_of_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_foreground rule = RUG_FOREGROUND_INIT;
    rug_status status =
        rug_source_resolve_foreground(ctx, &rule, given, &mask_source, NULL, rule);
    say_rule(rule);
    return status;
}

static rug_status run_rule_in_mask(void *given, int is_broken)
{
    (void)is_broken;
    rug_foreground rule = RUG_FOREGROUND_INIT;
    rug_status status =
        rug_source_resolve_foreground(ctx, &rule, &image_source, given, NULL, rule);
    say_rule(rule);
    return status;
}

static rug_status run_regions(void *given, int is_broken)
{
    (void)is_broken;
    rug_regions *regions;
    rug_status status = rug_regions_find_source(ctx, &regions, given);
    say("%d", (int)rug_regions_count(regions));
    rug_regions_free(regions);
    return status;
}

static rug_status run_times(void *given, int is_broken)
{
    if (is_broken)
        return rug_context_fail(ctx, RUG_E_ARG, "there is nothing to be wrong");
    return rug_devices_take_times(ctx, given);
}

static void set_read(void)
{
    PUT(page, int, 0);
    PUT(volume, int, 0);
    PUT(channel, int, 0);
    PUT(level, int, 0);
    PUT(planes, int, 0);
    PUT(as_stored, uint64_t, 1);
    PUT(nodata_value, double, 77);
    PUT(nodata_rest, int64_t, 0);
    PUT(nodata, int, 2);    /* RUG_NODATA_VALUE */
    PUT(nodata_as, int, 1); /* RUG_NODATA_AS_STORED */
    PUT(raw, const char *, NULL);
    PUT(dataset, const char *, NULL);
    PUT(series, const char *, NULL);
    PUT(resolution, uint64_t, 0);
    PUT(solid, int, 0);
    PUT(matrix, int, 0);
    PUT(alpha, int, 1);
    PUT(notes, int, 1);
}

static rug_status run_open(void *given, int is_broken)
{
    (void)is_broken;
    rug_file *file;
    rug_status status = rug_file_open(ctx, &file, file_path, given);
    if (status == RUG_OK)
        say("%d x %d", (int)rug_file_image(file)->shape[0],
            (int)rug_file_image(file)->shape[1]);
    rug_file_free(file);
    return status;
}

static rug_status run_read(void *given, int is_broken)
{
    (void)is_broken;
    rug_file *file;
    rug_status status = rug_file_read(ctx, &file, file_path, given);
    if (status == RUG_OK)
        say("%d", *(const unsigned char *)rug_file_image(file)->data);
    rug_file_free(file);
    return status;
}

static rug_status run_slices(void *given, int is_broken)
{
    (void)is_broken;
    rug_file *file;
    const char *paths[] = {file_path, file_path};
    rug_status status = rug_file_open_slices(ctx, &file, paths, 2, given);
    if (status == RUG_OK)
        say("%d x %d", (int)rug_file_image(file)->shape[0],
            (int)rug_file_image(file)->shape[1]);
    rug_file_free(file);
    return status;
}

static rug_status run_notes_of_file(void *given, int is_broken)
{
    rug_file *file;
    must(rug_file_open(ctx, &file, file_path, NULL), "rug_file_open");
    rug_status status = rug_file_read_notes(ctx, given, is_broken ? NULL : file);
    rug_file_free(file);
    return status;
}

static void set_notes(void)
{
    static const uint8_t profile[5] = {1, 2, 3, 4, 5};
    PUT(icc, const uint8_t *, profile);
    PUT(icc_size, size_t, sizeof profile);
    put("spacing", (const double[2]){0.5, 0.25}, 2 * sizeof(double));
    PUT(unit, const char *, "mm");
    PUT(orientation, int, 6);
    PUT(alpha, int, 1);
}

static rug_status run_picture_notes(void *given, int is_broken)
{
    (void)is_broken;
    char folder[] = "/tmp/rugose-caller-XXXXXX", path[64];
    uint8_t *bytes = NULL;
    size_t n = 0;
    must(mkdtemp(folder) != NULL ? RUG_OK : RUG_E_IO, "a temporary folder");
    snprintf(path, sizeof path, "%s/a.png", folder);
    rug_status status = rug_picture_write_notes(ctx, path, &image, 1, given);
    if (status == RUG_OK)
        must(rug_bytes_read(ctx, &bytes, &n, path, 1 << 20), "rug_bytes_read");
    say("%d bytes", (int)n);
    rug_context_release(ctx, bytes);
    unlink(path);
    rmdir(folder);
    return status;
}

static rug_status run_volume(void *given, int is_broken)
{
    char folder[] = "/tmp/rugose-caller-XXXXXX", path[64];
    must(mkdtemp(folder) != NULL ? RUG_OK : RUG_E_IO, "a temporary folder");
    snprintf(path, sizeof path, "%s/v.%s", folder, is_broken ? "txt" : "nii");
    rug_status status = rug_volume_write(ctx, path, given, NULL);
    rug_file *file = NULL;
    if (status == RUG_OK)
        status = rug_file_read(ctx, &file, path, NULL);
    if (status == RUG_OK) {
        const rug_image *read = rug_file_image(file);
        say("%d x %d, %g %s", (int)read->shape[0], (int)read->shape[1], read->spacing[0],
            read->spacing_unit);
    }
    rug_file_free(file);
    unlink(path);
    rmdir(folder);
    return status;
}

static void set_points(void)
{
    PUT(columns, const char *, "2,1");
    PUT(skip_rows, uint64_t, 1);
}

static rug_status run_points(void *given, int is_broken)
{
    (void)is_broken;
    static const uint8_t text[] = "1,2\n3,4\n";
    char path[] = "/tmp/rugose-caller-XXXXXX";
    int fd = mkstemp(path);
    must(fd >= 0 ? RUG_OK : RUG_E_IO, "a temporary file");
    close(fd);
    must(rug_bytes_write(ctx, path, text, sizeof text - 1), "rug_bytes_write");
    rug_point_file *file;
    rug_status status = rug_point_file_open(ctx, &file, path, given);
    if (status == RUG_OK)
        say("%d points, x from %g", (int)rug_point_file_points(file)->n,
            rug_point_file_get_facts(file)->min[0]);
    rug_point_file_free(file);
    unlink(path);
    return status;
}

const caller_use caller_core[] = {
    {CALLER_RESULT, "rug_image_measure_range", "rug_image_range", run_range, NULL, NULL},
    {CALLER_RESULT, "rug_source_measure_range", "rug_image_range", run_source_range, NULL,
     NULL},
    {CALLER_OPTIONS, "rug_values_new", "rug_values_options", run_values, set_values,
     NULL},
    {CALLER_RESULT, "rug_values_range", "rug_image_range", run_values_range, NULL, NULL},
    {CALLER_VALUE, "rug_foreground_resolve", "rug_image_range", run_resolve, set_range,
     NULL},
    {CALLER_VALUE, "rug_source_resolve_foreground", "rug_image_range", run_source_resolve,
     set_range, NULL},
    {CALLER_VALUE, "rug_source_measure_range", "rug_source", run_range_of_source,
     set_source, NULL},
    {CALLER_VALUE, "rug_source_measure_range (mask)", "rug_source", run_range_in_mask,
     set_source, NULL},
    {CALLER_VALUE, "rug_source_resolve_foreground", "rug_source", run_rule_of_source,
     set_source, NULL},
    {CALLER_VALUE, "rug_source_resolve_foreground (mask)", "rug_source", run_rule_in_mask,
     set_source, NULL},
    {CALLER_VALUE, "rug_regions_find_source", "rug_source", run_regions, set_labels,
     NULL},
    {CALLER_RESULT, "rug_devices_take_times", "rug_device_times", run_times, NULL, NULL},
    {CALLER_OPTIONS, "rug_file_open", "rug_read_options", run_open, set_read, NULL},
    {CALLER_OPTIONS, "rug_file_read", "rug_read_options", run_read, set_read, NULL},
    {CALLER_OPTIONS, "rug_file_open_slices", "rug_read_options", run_slices, set_read,
     NULL},
    {CALLER_RESULT, "rug_file_read_notes", "rug_file_notes", run_notes_of_file, NULL,
     NULL},
    {CALLER_OPTIONS, "rug_picture_write_notes", "rug_file_notes", run_picture_notes,
     set_notes, NULL},
    {CALLER_VALUE, "rug_volume_write", "rug_source", run_volume, set_source, NULL},
    {CALLER_OPTIONS, "rug_point_file_open", "rug_point_file_options", run_points,
     set_points, NULL},
    {CALLER_OPTIONS, NULL, NULL, NULL, NULL, NULL},
};
