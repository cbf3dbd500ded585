/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose lacunarity` shows: a row of each label and size, the lines on stderr, and
 * the plot. */

#include "cmd_lacunarity.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXTRA_MAX (CLI_FOREGROUND_MAX + 64)

const char *const cli_lacunarity_columns[] = {"image",      "label",  "size",
                                              "lacunarity", "mean",   "variance",
                                              "positions",  "status", NULL};

static void set_region(rug_record *row, const rug_region *region, int ndim)
{
    rug_record *r = rug_record_new();
    uint64_t first[RUG_MAX_AXES];
    char text[CLI_SHAPE_MAX];
    for (int a = 0; a < ndim; a++)
        first[a] = region->first[a];
    cli_format_shape(text, ndim, first);
    rug_record_set_text(r, "first", text);
    rug_record_set_integer(r, "area", region->area);
    rug_record_set_record(row, "region", r);
}

static void add_json_details(rug_record *row, const cli_lacunarity_job *job,
                             const cli_lacunarity_found *found, const rug_region *region,
                             const rug_lacunarity_result *result)
{
    char rule[RUG_FOREGROUND_TEXT_MAX];
    rug_foreground_format(rule, result->foreground);
    if (found->labels_digest[0] != '\0')
        cli_add_file(row, "labels", job->values.labels, found->labels_digest);
    if (region != NULL)
        set_region(row, region, result->ndim);
    rug_record_set_text(row, "mass", job->values.gray ? "grey values" : rule);
    rug_record_set_integer(row, "pixels", result->n_pixels);
    rug_record_set_integer(row, "pixels_with_mass", result->n_set);
    rug_record_set_integer(row, "left_out", result->n_left_out);
    rug_record_set_signed(row, "unit_exponent", result->unit_exponent);
    rug_record_set_text(row, "engine", result->engine);
}

static rug_record *size_row(cli_run *run, const cli_lacunarity_job *job,
                            const cli_image *image, const cli_lacunarity_found *found,
                            const rug_region *region, const rug_lacunarity_result *result,
                            const rug_lacunarity_size *size)
{
    rug_record *row = rug_record_new();
    cli_describe_image(run, row, image);
    rug_record_set_integer(row, "label", region != NULL ? region->label : 0);
    rug_record_set_integer(row, "size", size->size);
    rug_record_set_real(row, "lacunarity", size->lacunarity);
    rug_record_set_real(row, "mean", size->mean);
    rug_record_set_real(row, "variance", size->variance);
    rug_record_set_integer(row, "positions", size->positions);
    rug_record_set_text(row, "status", size->status);
    if (run->common.format == RUG_REPORT_JSON)
        add_json_details(row, job, found, region, result);
    return row;
}

rug_status cli_lacunarity_add(cli_run *run, const cli_lacunarity_job *job,
                              const cli_image *image, cli_lacunarity_found *found,
                              const rug_region *region,
                              const rug_lacunarity_result *result)
{
    if (found->n_rows + result->n_sizes > found->room) {
        size_t room = 2 * found->room + result->n_sizes;
        rug_record **more = realloc(found->rows, room * sizeof *more);
        if (more == NULL)
            return rug_context_fail(run->ctx, RUG_E_NOMEM, "no memory for %zu rows",
                                    room);
        found->rows = more;
        found->room = room;
    }
    for (uint32_t i = 0; i < result->n_sizes; i++)
        found->rows[found->n_rows++] =
            size_row(run, job, image, found, region, result, &result->sizes[i]);
    return RUG_OK;
}

static double share_of(const rug_lacunarity_result *r)
{
    return r->n_pixels > 0 ? (double)r->n_set / (double)r->n_pixels : (double)NAN;
}

static void format_mass(char text[EXTRA_MAX], const cli_lacunarity_job *job,
                        const cli_image *image, const cli_lacunarity_found *found)
{
    const rug_lacunarity_result *r = &found->whole;
    if (job->values.labels != NULL) {
        char rule[RUG_FOREGROUND_TEXT_MAX] = "grey values";
        if (!job->values.gray)
            rug_foreground_format(rule, found->opts.foreground);
        snprintf(text, EXTRA_MAX, "%s%s, %zu label%s",
                 job->values.gray ? "mass = " : "foreground ", rule, found->n_labels,
                 found->n_labels == 1 ? "" : "s");
    } else if (job->values.gray) {
        snprintf(text, EXTRA_MAX,
                 "mass = grey values, above 0 in %.1f %% of %" PRIu64 " pixels%s",
                 share_of(r) * 100, r->n_pixels,
                 image->mask_path != NULL ? " inside the mask" : "");
    } else {
        cli_format_foreground(text, image, job->foreground, r->foreground, share_of(r),
                              r->n_pixels);
    }
}

/* Sizes without a number. */
static void warn_of_sizes(cli_run *run, const rug_lacunarity_result *r)
{
    uint32_t n_without = 0;
    uint64_t first = 0;
    for (uint32_t i = 0; i < r->n_sizes; i++)
        if (strcmp(r->sizes[i].status, "no boxes") == 0 && n_without++ == 0)
            first = r->sizes[i].size;
    if (n_without > 0)
        cli_warn(run,
                 "at %" PRIu32 " of %" PRIu32 " sizes, from %" PRIu64
                 " on, no box lies wholly inside",
                 n_without, r->n_sizes, first);
}

static void warn_of_mass(cli_run *run, const cli_lacunarity_job *job,
                         const rug_lacunarity_result *r)
{
    if (!job->values.gray)
        cli_warn_of_share(run, share_of(r), r->n_pixels);
    else if (r->n_pixels == 0)
        cli_warn(run, "the mask holds no pixel");
    else if (r->n_set == 0)
        cli_warn(run, "no pixel has a mass");
}

static void warn(cli_run *run, const cli_lacunarity_job *job, const cli_image *image,
                 const cli_lacunarity_found *found)
{
    const rug_lacunarity_result *r = &found->whole;
    if (job->values.labels != NULL && found->n_labels == 0)
        cli_warn(run, "the label image %s has no label but 0", job->values.labels);
    if (job->values.gray && found->n_left_out > 0)
        cli_warn(run, "pixels that are NaN or infinite, and have no mass: %" PRIu64,
                 found->n_left_out);
    if (!job->values.gray)
        cli_warn_of_values(run, image, job->foreground);
    cli_warn_of_spacing(run, image->pixels);
    if (job->values.labels != NULL) /* which have theirs in the table */
        return;
    warn_of_mass(run, job, r);
    warn_of_sizes(run, r);
}

void cli_lacunarity_tell(cli_run *run, const cli_lacunarity_job *job,
                         const cli_image *image, const cli_lacunarity_found *found)
{
    char extra[EXTRA_MAX];
    format_mass(extra, job, image, found);
    if (!run->common.quiet)
        cli_print_line(run, rug_file_read_line(image->file, &image->range, extra));
    warn(run, job, image, found);
    if (!run->common.verbose)
        return;
    fprintf(stderr, "time %s: read %.3f ms, range %.3f ms, ", image->name,
            image->read_seconds * 1e3, image->range_seconds * 1e3);
    if (!job->values.gray)
        fprintf(stderr, "threshold %.3f ms, ", found->threshold_seconds * 1e3);
    fprintf(stderr, "lacunarity %.3f ms (%s, %d threads)", found->measure_seconds * 1e3,
            found->whole.engine != NULL ? found->whole.engine : "nothing to measure",
            rug_context_threads(run->ctx));
    cli_print_device_times(run);
    fputc('\n', stderr);
}

rug_status cli_lacunarity_plot(cli_run *run, cli_lacunarity_job *job, const char *name,
                               const rug_lacunarity_result *result)
{
    char path[CLI_PATH_MAX];
    double size[RUG_LACUNARITY_MAX_SIZES], lacunarity[RUG_LACUNARITY_MAX_SIZES];
    if (job->values.plot == NULL)
        return RUG_OK;
    rug_status status = cli_claim_plot(run, &job->plots, path, job->values.plot, name);
    if (status != RUG_OK)
        return status;
    for (uint32_t i = 0; i < result->n_sizes; i++) {
        size[i] = (double)result->sizes[i].size;
        lacunarity[i] = result->sizes[i].lacunarity;
    }
    const rug_plot_series series[] = {
        {NULL, RUG_PLOT_LINE_POINTS, result->n_sizes, size, lacunarity}};
    const rug_plot_panel panels[] = {
        {"box size (pixels)", "lacunarity", 1, 1, 1, series}};
    return rug_plot_write(run->ctx, path, name, 1, panels);
}
