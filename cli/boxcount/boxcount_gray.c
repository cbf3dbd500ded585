/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose boxcount --gray`: differential box counting of grey values. Its measuring, its rows,
 * its lines on stderr and its plot. */

#include "cmd_boxcount.h"
#include <stdio.h>
#include <string.h>

/* What was measured of one image. */
typedef struct found {
    rug_dbc_result counts;
    rug_boxcount_dimension dimension; /* with the names of other box counts */
    double count_seconds;
} found;

static rug_status fit(cli_run *run, const cli_boxcount_values *v, found *f)
{
    rug_dbc_dimension d;
    rug_status status =
        rug_dbc_fit(run->ctx, &d, &f->counts, v->fit.is_auto, v->fit.min, v->fit.max);
    f->dimension = (rug_boxcount_dimension){.dimension = d.dimension,
                                            .std_error = d.std_error,
                                            .r_squared = d.r_squared,
                                            .intercept = d.intercept,
                                            .size_min = d.size_min,
                                            .size_max = d.size_max,
                                            .n_sizes = d.n_sizes,
                                            .status = d.status};
    memcpy(f->dimension.used, d.used, sizeof d.used);
    memcpy(f->dimension.local_slope, d.local_slope, sizeof d.local_slope);
    return status;
}

static rug_status measure(cli_run *run, const cli_boxcount_job *job,
                          const cli_image *image, found *f)
{
    rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    rug_status status;
    double start = cli_now();
    opts.levels = job->values.levels;
    if (image->pixels->data == NULL) {
        status = rug_dbc_source(run->ctx, &f->counts, &image->source,
                                image->mask_path != NULL ? &image->mask : NULL, &opts);
    } else {
        opts.mask = image->mask_path != NULL ? rug_file_image(image->mask_file) : NULL;
        status = rug_dbc(run->ctx, &f->counts, image->pixels, &opts);
    }
    f->count_seconds = cli_now() - start;
    return status != RUG_OK ? status : fit(run, &job->values, f);
}

static void warn(cli_run *run, const cli_image *image, const found *f)
{
    const rug_boxcount_dimension *d = &f->dimension;
    if (f->counts.n_pixels == 0)
        cli_warn(run, "the mask is empty");
    cli_warn_of_left_out(run, f->counts.n_left_out, "left out");
    cli_warn_of_spacing(run, image->pixels);
    cli_warn_of_fit(run,
                    strcmp(d->status, "empty") == 0 ? RUG_FIT_EMPTY
                    : strcmp(d->status, "no scaling range") == 0
                        ? RUG_FIT_NO_SCALING_RANGE
                        : RUG_FIT_OK,
                    d->n_sizes, d->size_min, d->size_max);
}

static void print(cli_run *run, const cli_image *image, const found *f)
{
    char levels[RUG_REAL_TEXT_MAX], base[RUG_REAL_TEXT_MAX];
    char extra[2 * RUG_REAL_TEXT_MAX + 32];
    rug_format_real_short(levels, f->counts.levels);
    rug_format_real_short(base, f->counts.base);
    snprintf(extra, sizeof extra, "%s grey levels from %s", levels, base);
    cli_print_read(run, image, extra);
    warn(run, image, f);
    if (!cli_begin_times(run, image))
        return;
    fprintf(stderr, ", count %.3f ms", f->count_seconds * 1e3);
    cli_end_times(run, f->counts.engine, "");
}

static rug_record *size_record(const rug_dbc_size *size)
{
    rug_record *r = rug_record_new();
    rug_record_set_integer(r, "size", size->size);
    rug_record_set_real(r, "height", size->height);
    rug_record_set_integer(r, "blocks", size->blocks);
    rug_record_set_integer(r, "boxes", size->boxes);
    return r;
}

static void add_json_details(rug_record *row, const found *f)
{
    const rug_dbc_result *c = &f->counts;
    rug_record_set_integer(row, "pixels", c->n_pixels);
    rug_record_set_integer(row, "left_out", c->n_left_out);
    rug_record_set_real(row, "base", c->base);
    rug_record_set_real(row, "intercept", f->dimension.intercept);
    for (uint32_t i = 0; i < c->n_sizes; i++)
        cli_boxcount_append_size(row, size_record(&c->sizes[i]), &f->dimension, i);
}

static void add(cli_run *run, cli_boxcount_job *job, const cli_image *image,
                const found *f)
{
    rug_record *row = cli_image_row(run, image);
    rug_record_set_real(row, "levels", f->counts.levels);
    cli_boxcount_set_fit(row, &f->dimension);
    rug_record_set_text(row, "method", "differential");
    rug_record_set_text(row, "engine", f->counts.engine);
    rug_record_set_text(row, "status", f->dimension.status);
    if (run->common.format == RUG_REPORT_JSON)
        add_json_details(row, f);
    rug_report_add(run->report, row);
    for (uint32_t i = 0; job->counts != NULL && i < f->counts.n_sizes; i++) {
        rug_record *size = size_record(&f->counts.sizes[i]);
        rug_record_set_text(size, "image", image->name);
        rug_report_add(job->counts, size);
    }
}

/* The same plot as that of other box counts. */
static rug_status draw(cli_run *run, cli_boxcount_job *job, const char *name,
                       const found *f)
{
    cli_boxcount_curve curve = {
        .label = "boxes of the surface", .n = f->counts.n_sizes, .fit = &f->dimension};
    for (size_t i = 0; i < curve.n; i++) {
        curve.size[i] = (double)f->counts.sizes[i].size;
        curve.count[i] = (double)f->counts.sizes[i].boxes;
    }
    return cli_boxcount_draw(run, job, name, &curve);
}

rug_status cli_boxcount_gray(cli_run *run, cli_boxcount_job *job, const cli_image *image)
{
    found f = {.count_seconds = 0};
    rug_status status = measure(run, job, image, &f);
    if (status != RUG_OK)
        return status;
    print(run, image, &f);
    add(run, job, image, &f);
    return draw(run, job, image->name, &f);
}
