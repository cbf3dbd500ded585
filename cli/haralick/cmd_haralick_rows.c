/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The rows of `rugose haralick`: one of each region, distance and direction. The columns
 * depend on the options alone. */

#include "cmd_haralick.h"
#include <stdio.h>

void cli_haralick_columns(const char *columns[CLI_HARALICK_MAX_COLUMNS],
                          const cli_haralick_job *job)
{
    static const char *const first[] = {"image", "label", "area",  "distance",
                                        "angle", "pairs", "levels"};
    size_t n = 0;
    for (; n < sizeof first / sizeof first[0]; n++)
        columns[n] = first[n];
    for (uint32_t i = 0; i < job->n_features; i++)
        columns[n++] = cli_haralick_name(job, job->feature[i]);
    columns[n++] = "status";
    columns[n] = NULL;
}

static void set_angle(rug_record *r, const cli_haralick_job *job, const rug_glcm_row *row)
{
    char text[CLI_CHOICE_MAX];
    if (row->direction >= 0) {
        rug_record_set_text(r, "angle",
                            rug_glcm_direction_name((uint32_t)row->direction));
        return;
    }
    cli_choice_name(text, CLI_HARALICK_AGGREGATE, job->values.aggregate);
    rug_record_set_text(r, "angle", text);
}

/* The offset of a direction, in pixels. */
static rug_record *offset_record(cli_run *run, int ndim, const rug_glcm_row *row)
{
    static const char *const axes[] = {"z", "y", "x"};
    rug_record *r = rug_record_new();
    int step[3];
    rug_glcm_direction(run->ctx, step, ndim, (uint32_t)row->direction);
    for (int a = 3 - ndim; a < 3; a++)
        rug_record_set_signed(r, axes[a], (int64_t)step[a] * row->distance);
    return r;
}

static void set_shape(rug_record *r, const char *name, int ndim, const size_t sizes[3])
{
    uint64_t last[3];
    char text[CLI_SHAPE_MAX];
    for (int a = 0; a < ndim; a++)
        last[a] = sizes[3 - ndim + a];
    cli_format_shape(text, ndim, last);
    rug_record_set_text(r, name, text);
}

static void add_json_details(cli_run *run, rug_record *r, const cli_image *image,
                             const cli_haralick_job *job, const cli_haralick_found *found,
                             const rug_glcm_row *row)
{
    int ndim = image->pixels->ndim;
    rug_record *region = rug_record_new();
    if (job->values.labels != NULL)
        cli_add_file(r, "labels", job->values.labels, found->labels_digest);
    set_shape(region, "first", ndim, row->first);
    set_shape(region, "shape", ndim, row->shape);
    rug_record_set_integer(region, "not_finite", row->n_nan);
    rug_record_set_integer(region, "clamped", row->n_clamped);
    rug_record_set_real(region, "bin_origin", row->bin_origin);
    rug_record_set_real(region, "bin_width", row->bin_width);
    rug_record_set_record(r, "region", region);
    if (row->direction >= 0)
        rug_record_set_record(r, "offset", offset_record(run, ndim, row));
    rug_record_set_text(r, "engine", row->engine);
}

rug_record *cli_haralick_row(cli_run *run, const cli_haralick_job *job,
                             const cli_image *image, const cli_haralick_found *found,
                             const rug_glcm_row *row)
{
    rug_record *r = rug_record_new();
    cli_describe_image(run, r, image);
    rug_record_set_integer(r, "label", row->label);
    rug_record_set_integer(r, "area", row->area);
    rug_record_set_integer(r, "distance", row->distance);
    set_angle(r, job, row);
    rug_record_set_integer(r, "pairs", row->pairs);
    rug_record_set_integer(r, "levels", row->levels);
    for (uint32_t i = 0; i < job->n_features; i++)
        rug_record_set_real(r, cli_haralick_name(job, job->feature[i]),
                            row->features[job->feature[i]]);
    rug_record_set_text(r, "status", row->status);
    if (run->common.format == RUG_REPORT_JSON)
        add_json_details(run, r, image, job, found, row);
    return r;
}
