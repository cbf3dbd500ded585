/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting, differential box counting, fits, lacunarity. */

#include "caller.h"
#include <rugose/dbc_parts.h>
#include <rugose/lacunarity_parts.h>

static const rug_foreground nonzero = {.kind = RUG_FOREGROUND_NONZERO};

/* Box counting. */

static void set_boxcount(void)
{
    static const uint64_t no_size[RUG_MAX_AXES]; /* a size goes with no other grid */
    put("foreground", &nonzero, sizeof nonzero);
    PUT(method, rug_boxcount_method, RUG_BOXCOUNT_WINDOW);
    PUT(grid, rug_boxcount_grid, RUG_BOXCOUNT_GRID_MEAN);
    PUT(sizes, const uint64_t *, three_sizes);
    PUT(n_sizes, uint32_t, 3);
    PUT(mask, const rug_source *, &mask_source);
    put("pixel_size", no_size, sizeof no_size);
}

/* What a method that streams can do. */
static void set_streamed(void)
{
    static const uint64_t pixel_size[RUG_MAX_AXES] = {1, 1, 0};
    set_boxcount();
    PUT(grid, rug_boxcount_grid, RUG_BOXCOUNT_GRID_ORIGIN);
    put("pixel_size", pixel_size, sizeof pixel_size);
}

/* Parts bring their masks with them. */
static void set_parts(void)
{
    set_streamed();
    PUT(mask, const rug_source *, NULL);
}

static void say_counts(const rug_boxcount_result *counts)
{
    const rug_boxcount_facts *facts = rug_boxcount_get_facts(counts);
    say(" %llu of %llu set;", (unsigned long long)facts->n_set,
        (unsigned long long)facts->n_pixels);
    for (uint32_t i = 0; i < facts->n_sizes; i++)
        say(" %g", rug_boxcount_boxes(counts, i, RUG_BOXCOUNT_OF_NONEMPTY));
}

static rug_status finish_counts(rug_status status, rug_boxcount_result *counts)
{
    if (status == RUG_OK)
        say_counts(counts);
    rug_boxcount_free(counts);
    return status;
}

static rug_status run_boxcount(void *given, int is_broken)
{
    (void)is_broken;
    rug_boxcount_result *counts;
    rug_status status = rug_boxcount(ctx, &counts, &image, given);
    return finish_counts(status, counts);
}

static rug_status run_boxcount_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_boxcount_result *counts;
    rug_status status = rug_boxcount_source(ctx, &counts, &image_source, given);
    return finish_counts(status, counts);
}

static rug_status run_boxcount_of_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_boxcount_result *counts;
    rug_status status = rug_boxcount_source(ctx, &counts, given, NULL);
    return finish_counts(status, counts);
}

static rug_status run_boxcount_check(void *given, int is_broken)
{
    (void)is_broken;
    return rug_boxcount_check_options(ctx, given);
}

static rug_status run_boxcount_parts(void *given, int is_broken)
{
    (void)is_broken;
    rug_boxcount_parts *parts;
    rug_boxcount_result *counts = NULL;
    const size_t first[2] = {0, 0};
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    rug_status status = rug_boxcount_parts_new(ctx, &parts, 2, image.shape,
                                               given != NULL ? given : &opts);
    if (status == RUG_OK)
        status = rug_boxcount_parts_add(ctx, parts, &image, NULL, first);
    if (status == RUG_OK)
        status = rug_boxcount_parts_finish(ctx, &counts, parts);
    status = finish_counts(status, counts);
    rug_boxcount_parts_free(parts);
    return status;
}

static rug_status take_label(void *user, const rug_region *region,
                             const rug_boxcount_result *counts)
{
    (void)user;
    say(" label %d:", (int)region->label);
    say_counts(counts);
    return RUG_OK;
}

static rug_status run_boxcount_labels(void *given, int is_broken)
{
    (void)is_broken;
    return rug_boxcount_labels(ctx, &image, &labels_source, given, take_label, NULL);
}

static rug_status run_boxcount_in_labels(void *given, int is_broken)
{
    (void)is_broken;
    return rug_boxcount_labels(ctx, &image, given, NULL, take_label, NULL);
}

static void set_points(void)
{
    PUT(spacing, double, 2);
    PUT(resolution, uint64_t, 0);
    PUT(method, rug_boxcount_method, RUG_BOXCOUNT_WINDOW);
    PUT(grid, rug_boxcount_grid, RUG_BOXCOUNT_GRID_MIN);
    PUT(sizes, const uint64_t *, three_sizes);
    PUT(n_sizes, uint32_t, 3);
}

static rug_status run_points(void *given, int is_broken)
{
    (void)is_broken;
    rug_boxcount_result *counts;
    rug_status status = rug_boxcount_points(ctx, &counts, &points, given);
    return finish_counts(status, counts);
}

/* Points in parts. */

static void say_range(const rug_points_range *range)
{
    say("%d points, x %g..%g", (int)range->n_points, range->least[0], range->most[0]);
}

static rug_status run_points_range(void *given, int is_broken)
{
    return rug_points_measure_range(ctx, given, is_broken ? NULL : &points);
}

static void set_points_range(void)
{
    static const double most[RUG_POINTS_MAX_AXES] = {100, 100};
    static const double least[RUG_POINTS_MAX_AXES] = {-1, -2};
    PUT(n_points, uint64_t, 64);
    PUT(ndim, uint32_t, 2);
    PUT(is_broken, uint32_t, 0);
    put("least", least, sizeof least);
    put("most", most, sizeof most);
}

static rug_status run_joined_range(void *given, int is_broken)
{
    (void)is_broken;
    rug_points_range range = RUG_POINTS_RANGE_INIT;
    rug_status status = rug_points_join_ranges(ctx, &range, given);
    if (status == RUG_OK)
        say_range(&range);
    return status;
}

static rug_status run_joining_range(void *given, int is_broken)
{
    (void)is_broken;
    rug_points_range range = RUG_POINTS_RANGE_INIT, copy = RUG_POINTS_RANGE_INIT;
    must(rug_points_measure_range(ctx, &range, &points), "rug_points_measure_range");
    rug_status status = rug_points_join_ranges(ctx, given, &range);
    if (status == RUG_OK)
        status = rug_points_join_ranges(ctx, &copy, given);
    if (status == RUG_OK)
        say_range(&copy);
    return status;
}

/* Adds the points and counts them. */
static rug_status finish_points(rug_status status, rug_points_parts *parts,
                                const rug_boxcount_points_options *opts)
{
    rug_boxcount_result *counts = NULL;
    if (status == RUG_OK)
        status = rug_points_parts_add(ctx, parts, &points, 0);
    if (status == RUG_OK)
        status = rug_points_parts_boxcount(ctx, &counts, parts, opts);
    rug_points_parts_free(parts);
    return finish_counts(status, counts);
}

static void set_points_parts(void)
{
    static const rug_points_range range = RUG_POINTS_RANGE_INIT;
    PUT(spacing, double, 2);
    PUT(resolution, uint64_t, 0);
    PUT(range, const rug_points_range *, &range);
    PUT(n_points, uint64_t, 64);
}

static rug_status run_points_parts(void *given, int is_broken)
{
    (void)is_broken;
    rug_points_parts *parts;
    rug_status status = rug_points_parts_new(ctx, &parts, RUG_I32, 2, given);
    return finish_points(status, parts, NULL);
}

static rug_status run_points_in_range(void *given, int is_broken)
{
    (void)is_broken;
    rug_points_parts *parts;
    rug_points_parts_options opts = RUG_POINTS_PARTS_OPTIONS_INIT;
    opts.resolution = 16;
    opts.range = given;
    rug_status status = rug_points_parts_new(ctx, &parts, RUG_I32, 2, &opts);
    return finish_points(status, parts, NULL);
}

static rug_status run_points_boxcount(void *given, int is_broken)
{
    (void)is_broken;
    rug_points_parts *parts;
    rug_points_parts_options opts = RUG_POINTS_PARTS_OPTIONS_INIT;
    opts.spacing = 2;
    rug_status status = rug_points_parts_new(ctx, &parts, RUG_I32, 2, &opts);
    return finish_points(status, parts, given);
}

/* Differential box counting. */

static void set_dbc(void)
{
    PUT(levels, double, 64);
    PUT(mask, const rug_source *, &mask_source);
    PUT(anchor, rug_dbc_anchor, RUG_DBC_ANCHOR_MIN);
    PUT(unused, uint32_t, 0);
    PUT(values, rug_dtype, RUG_U8);
    PUT(unused_too, uint32_t, 0);
}

static rug_status finish_dbc(rug_status status, rug_dbc_result *result)
{
    for (uint32_t i = 0; status == RUG_OK && i < rug_dbc_get_facts(result)->n_sizes; i++)
        say(" %llu", (unsigned long long)rug_dbc_at(result, i)->boxes);
    rug_dbc_free(result);
    return status;
}

static rug_status run_dbc(void *given, int is_broken)
{
    (void)is_broken;
    rug_dbc_result *result;
    rug_status status = rug_dbc(ctx, &result, &image, given);
    return finish_dbc(status, result);
}

static rug_status run_dbc_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_dbc_result *result;
    rug_status status = rug_dbc_source(ctx, &result, &image_source, given);
    return finish_dbc(status, result);
}

static rug_status run_dbc_of_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_dbc_result *result;
    rug_status status = rug_dbc_source(ctx, &result, given, NULL);
    return finish_dbc(status, result);
}

static void set_grey_range(void)
{
    PUT(min, double, 0);
    PUT(max, double, 255);
}

static void set_dbc_parts(void)
{
    set_dbc();
    PUT(mask, const rug_source *, NULL);
}

static rug_status count_parts(const rug_dbc_options *opts, const rug_image_range *range)
{
    rug_dbc_parts *parts;
    rug_dbc_result *result = NULL;
    const size_t first[2] = {0, 0};
    say("%d", rug_dbc_must_know_range(image.dtype, opts) != 0);
    rug_status status =
        rug_dbc_parts_new(ctx, &parts, image.dtype, 2, image.shape, opts, range);
    if (status == RUG_OK)
        status = rug_dbc_parts_add(ctx, parts, &image, NULL, first);
    if (status == RUG_OK)
        status = rug_dbc_parts_finish(ctx, &result, parts);
    rug_dbc_parts_free(parts);
    return finish_dbc(status, result);
}

static rug_status run_dbc_parts(void *given, int is_broken)
{
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    (void)is_broken;
    range.max = 255;
    return count_parts(given, &range);
}

static rug_status run_dbc_range(void *given, int is_broken)
{
    rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    (void)is_broken;
    opts.levels = 64;
    return count_parts(&opts, given);
}

/* Fits. */

static void set_fit(void)
{
    PUT(auto_range, int, 0);
    PUT(size_min, uint64_t, 2);
    PUT(size_max, uint64_t, 32);
}

static void say_fit(const rug_fit *fit)
{
    say("%.12g %s %d..%d", fit->slope, rug_fit_status_name(fit->status),
        (int)fit->size_min, (int)fit->size_max);
}

static rug_status fit_counts(rug_fit *fit, const rug_fit_options *opts, int is_broken)
{
    rug_boxcount_result *counts;
    must(rug_boxcount(ctx, &counts, &image, NULL), "rug_boxcount");
    rug_status status = rug_boxcount_fit(ctx, fit, is_broken ? NULL : counts,
                                         RUG_BOXCOUNT_OF_NONEMPTY, opts);
    rug_boxcount_free(counts);
    return status;
}

static rug_status run_boxcount_fit(void *given, int is_broken)
{
    rug_fit fit = RUG_FIT_INIT;
    rug_status status = fit_counts(&fit, given, is_broken);
    say_fit(&fit);
    return status;
}

static rug_status run_boxcount_fit_out(void *given, int is_broken)
{
    return fit_counts(given, NULL, is_broken);
}

static rug_status fit_dbc(rug_fit *fit, const rug_fit_options *opts, int is_broken)
{
    rug_dbc_result *counts;
    must(rug_dbc(ctx, &counts, &image, NULL), "rug_dbc");
    rug_status status = rug_dbc_fit(ctx, fit, is_broken ? NULL : counts, opts);
    rug_dbc_free(counts);
    return status;
}

static rug_status run_dbc_fit(void *given, int is_broken)
{
    rug_fit fit = RUG_FIT_INIT;
    rug_status status = fit_dbc(&fit, given, is_broken);
    say_fit(&fit);
    return status;
}

static rug_status run_dbc_fit_out(void *given, int is_broken)
{
    return fit_dbc(given, NULL, is_broken);
}

/* Lacunarity. */

static void set_lacunarity(void)
{
    PUT(boxes, rug_lacunarity_boxes, RUG_LACUNARITY_FIXED);
    PUT(is_gray, int, 1);
    put("foreground", &nonzero, sizeof nonzero);
    PUT(sizes, const uint64_t *, three_sizes);
    PUT(n_sizes, uint32_t, 3);
    PUT(mask, const rug_source *, &mask_source);
}

static void say_lacunarity(const rug_lacunarity_result *result)
{
    for (uint32_t i = 0; i < rug_lacunarity_get_facts(result)->n_sizes; i++)
        say(" %.12g", rug_lacunarity_at(result, i)->lacunarity);
}

static rug_status finish_lacunarity(rug_status status, rug_lacunarity_result *result)
{
    if (status == RUG_OK)
        say_lacunarity(result);
    rug_lacunarity_free(result);
    return status;
}

static rug_status run_lacunarity(void *given, int is_broken)
{
    (void)is_broken;
    rug_lacunarity_result *result;
    rug_status status = rug_lacunarity(ctx, &result, &image, given);
    return finish_lacunarity(status, result);
}

static rug_status run_lacunarity_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_lacunarity_result *result;
    rug_status status = rug_lacunarity_source(ctx, &result, &image_source, given);
    return finish_lacunarity(status, result);
}

static rug_status run_lacunarity_of_source(void *given, int is_broken)
{
    (void)is_broken;
    rug_lacunarity_result *result;
    rug_status status = rug_lacunarity_source(ctx, &result, given, NULL);
    return finish_lacunarity(status, result);
}

static void set_lacunarity_parts(void)
{
    set_lacunarity();
    PUT(mask, const rug_source *, NULL);
}

static rug_status run_lacunarity_parts(void *given, int is_broken)
{
    (void)is_broken;
    rug_lacunarity_parts *parts;
    rug_lacunarity_result *result = NULL;
    const size_t first[2] = {0, 0};
    rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    rug_status status = rug_lacunarity_parts_new(ctx, &parts, image.dtype, 2, image.shape,
                                                 given != NULL ? given : &opts);
    if (status == RUG_OK)
        status = rug_lacunarity_parts_add(ctx, parts, &image, NULL, first);
    if (status == RUG_OK)
        status = rug_lacunarity_parts_finish(ctx, &result, parts);
    status = finish_lacunarity(status, result);
    rug_lacunarity_parts_free(parts);
    return status;
}

static rug_status take_lacunarity(void *user, const rug_region *region,
                                  const rug_lacunarity_result *result)
{
    (void)user;
    say(" label %d:", (int)region->label);
    say_lacunarity(result);
    return RUG_OK;
}

static rug_status run_lacunarity_labels(void *given, int is_broken)
{
    (void)is_broken;
    return rug_lacunarity_labels(ctx, &image, &labels_source, given, take_lacunarity,
                                 NULL);
}

static rug_status run_lacunarity_in_labels(void *given, int is_broken)
{
    (void)is_broken;
    return rug_lacunarity_labels(ctx, &image, given, NULL, take_lacunarity, NULL);
}

const caller_use caller_boxes[] = {
    {CALLER_OPTIONS, "rug_boxcount", "rug_boxcount_options", run_boxcount, set_boxcount,
     NULL},
    {CALLER_OPTIONS, "rug_boxcount_source", "rug_boxcount_options", run_boxcount_source,
     set_streamed, NULL},
    {CALLER_VALUE, "rug_boxcount_source", "rug_source", run_boxcount_of_source,
     set_source, NULL},
    {CALLER_OPTIONS, "rug_boxcount_check_options", "rug_boxcount_options",
     run_boxcount_check, set_boxcount, NULL},
    {CALLER_VALUE, "rug_boxcount_parts_new", "rug_boxcount_options", run_boxcount_parts,
     set_parts, NULL},
    {CALLER_OPTIONS, "rug_boxcount_labels", "rug_boxcount_options", run_boxcount_labels,
     set_boxcount, NULL},
    {CALLER_VALUE, "rug_boxcount_labels", "rug_source", run_boxcount_in_labels,
     set_labels, NULL},
    {CALLER_OPTIONS, "rug_boxcount_points", "rug_boxcount_points_options", run_points,
     set_points, NULL},
    {CALLER_RESULT, "rug_points_measure_range", "rug_points_range", run_points_range,
     NULL, NULL},
    {CALLER_VALUE, "rug_points_join_ranges", "rug_points_range", run_joining_range,
     set_points_range, NULL},
    {CALLER_VALUE, "rug_points_join_ranges (other)", "rug_points_range", run_joined_range,
     set_points_range, NULL},
    {CALLER_OPTIONS, "rug_points_parts_new", "rug_points_parts_options", run_points_parts,
     set_points_parts, NULL},
    {CALLER_VALUE, "rug_points_parts_new (range)", "rug_points_range",
     run_points_in_range, set_points_range, NULL},
    {CALLER_OPTIONS, "rug_points_parts_boxcount", "rug_boxcount_points_options",
     run_points_boxcount, set_points, NULL},
    {CALLER_OPTIONS, "rug_dbc", "rug_dbc_options", run_dbc, set_dbc, NULL},
    {CALLER_OPTIONS, "rug_dbc_source", "rug_dbc_options", run_dbc_source, set_dbc, NULL},
    {CALLER_VALUE, "rug_dbc_source", "rug_source", run_dbc_of_source, set_source, NULL},
    {CALLER_OPTIONS, "rug_dbc_parts_new", "rug_dbc_options", run_dbc_parts, set_dbc_parts,
     NULL},
    {CALLER_VALUE, "rug_dbc_parts_new", "rug_image_range", run_dbc_range, set_grey_range,
     NULL},
    {CALLER_OPTIONS, "rug_boxcount_fit", "rug_fit_options", run_boxcount_fit, set_fit,
     NULL},
    {CALLER_RESULT, "rug_boxcount_fit", "rug_fit", run_boxcount_fit_out, NULL, NULL},
    {CALLER_OPTIONS, "rug_dbc_fit", "rug_fit_options", run_dbc_fit, set_fit, NULL},
    {CALLER_RESULT, "rug_dbc_fit", "rug_fit", run_dbc_fit_out, NULL, NULL},
    {CALLER_OPTIONS, "rug_lacunarity", "rug_lacunarity_options", run_lacunarity,
     set_lacunarity, NULL},
    {CALLER_OPTIONS, "rug_lacunarity_source", "rug_lacunarity_options",
     run_lacunarity_source, set_lacunarity, NULL},
    {CALLER_VALUE, "rug_lacunarity_source", "rug_source", run_lacunarity_of_source,
     set_source, NULL},
    {CALLER_VALUE, "rug_lacunarity_parts_new", "rug_lacunarity_options",
     run_lacunarity_parts, set_lacunarity_parts, NULL},
    {CALLER_OPTIONS, "rug_lacunarity_labels", "rug_lacunarity_options",
     run_lacunarity_labels, set_lacunarity, NULL},
    {CALLER_VALUE, "rug_lacunarity_labels", "rug_source", run_lacunarity_in_labels,
     set_labels, NULL},
    {CALLER_OPTIONS, NULL, NULL, NULL, NULL, NULL},
};
