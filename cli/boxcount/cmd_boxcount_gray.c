/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose boxcount --gray`: differential box counting of grey values. Its check, its rows,
 * its lines on stderr and its plot. */

#include "cmd_boxcount.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What was measured of one image. */
typedef struct found {
    rug_dbc_result counts;
    rug_dbc_dimension dimension;
    double count_seconds;
} found;

const char *const cli_boxcount_gray_columns[] = {
    "image",    "shape",   "levels", "dimension", "std_error", "r_squared", "size_min",
    "size_max", "n_sizes", "method", "engine",    "status",    NULL};
const char *const cli_boxcount_gray_count_columns[] = {"image",  "size",  "height",
                                                       "blocks", "boxes", NULL};

/* An option that grey values have no use for, or NULL. */
static const char *foreign_option(const cli_boxcount_values *v)
{
    const struct {
        const char *name;
        int is_given;
    } others[] = {
        {"foreground", v->foreground != NULL},
        {"sizes", v->sizes != NULL},
        {"grid", v->grid != 0},
        {"of", v->of != 0},
        {"method", v->method != 0},
        {"labels", v->labels != NULL},
        {"points", v->points},
        {"resolution", v->resolution != NULL},
        {"spacing", v->spacing != NULL},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].is_given)
            return others[i].name;
    return NULL;
}

const char *cli_boxcount_check_gray(cli_run *run, cli_boxcount_job *job)
{
    const cli_boxcount_values *v = &job->values;
    if (!v->gray)
        return v->levels != NULL ? "--levels goes with --gray" : NULL;
    const char *name = foreign_option(v);
    if (name != NULL) {
        rug_context_fail(run->ctx, RUG_E_ARG, "--gray and --%s exclude each other", name);
        return rug_context_error(run->ctx);
    }
    return v->levels == NULL ||
                   (rug_parse_real(&job->levels, v->levels) && job->levels > 0)
               ? NULL
               : "--levels: a number of grey levels above 0 expected";
}

void cli_boxcount_describe_gray(rug_record *p, const cli_boxcount_job *job)
{
    rug_record_set_bool(p, "gray", 1);
    if (job->levels > 0)
        rug_record_set_real(p, "levels", job->levels);
    else
        rug_record_set_text(p, "levels", "default");
}

static rug_status measure(cli_run *run, const cli_boxcount_job *job,
                          const cli_image *image, found *f)
{
    rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    rug_status status;
    double start = cli_now();
    opts.levels = job->levels;
    if (image->pixels->data == NULL) {
        status = rug_dbc_source(run->ctx, &f->counts, &image->source,
                                image->mask_path != NULL ? &image->mask : NULL, &opts);
    } else {
        opts.mask = image->mask_path != NULL ? rug_file_image(image->mask_file) : NULL;
        status = rug_dbc(run->ctx, &f->counts, image->pixels, &opts);
    }
    f->count_seconds = cli_now() - start;
    return status != RUG_OK
               ? status
               : rug_dbc_fit(run->ctx, &f->dimension, &f->counts, job->fit.auto_range,
                             job->fit.size_min, job->fit.size_max);
}

static void warn(cli_run *run, const cli_image *image, const found *f)
{
    const rug_dbc_dimension *d = &f->dimension;
    if (f->counts.n_pixels == 0)
        cli_warn(run, "the mask holds no pixel");
    if (f->counts.n_left_out > 0)
        cli_warn(run, "pixels that are NaN or infinite, and left out: %" PRIu64,
                 f->counts.n_left_out);
    cli_warn_of_spacing(run, image->pixels);
    if (strcmp(d->status, "empty") == 0)
        return;
    if (strcmp(d->status, "no scaling range") == 0)
        cli_warn(run,
                 "no three sizes have local slopes within %g; the steadiest three were "
                 "used",
                 RUG_BOXCOUNT_SLOPE_SPREAD);
    if (d->n_sizes == 0)
        cli_warn(run, "no size lies in the range of the fit; give --fit A..B");
    else
        cli_warn_of_short_fit(run, d->n_sizes, d->size_min, d->size_max);
}

static void tell(cli_run *run, const cli_image *image, const found *f)
{
    char levels[RUG_REAL_TEXT_MAX], base[RUG_REAL_TEXT_MAX];
    char extra[2 * RUG_REAL_TEXT_MAX + 32];
    rug_format_real_short(levels, f->counts.levels);
    rug_format_real_short(base, f->counts.base);
    snprintf(extra, sizeof extra, "%s grey levels from %s", levels, base);
    if (!run->common.quiet)
        cli_print_line(run, rug_file_read_line(image->file, &image->range, extra));
    warn(run, image, f);
    if (!run->common.verbose)
        return;
    fprintf(stderr,
            "time %s: read %.3f ms, range %.3f ms, count %.3f ms (%s, %d threads)",
            image->name, image->read_seconds * 1e3, image->range_seconds * 1e3,
            f->count_seconds * 1e3, f->counts.engine, rug_context_threads(run->ctx));
    cli_print_device_times(run);
    fputc('\n', stderr);
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
    const rug_dbc_dimension *d = &f->dimension;
    const rug_dbc_result *c = &f->counts;
    rug_record_set_integer(row, "pixels", c->n_pixels);
    rug_record_set_integer(row, "left_out", c->n_left_out);
    rug_record_set_real(row, "base", c->base);
    rug_record_set_real(row, "intercept", d->intercept);
    for (uint32_t i = 0; i < c->n_sizes; i++) {
        rug_record *size = size_record(&c->sizes[i]);
        rug_record_set_real(size, "local_slope", d->local_slope[i]);
        rug_record_set_bool(size, "used", d->used[i]);
        rug_record_append(row, "counts", size);
    }
}

static void add(cli_run *run, cli_boxcount_job *job, const cli_image *image,
                const found *f)
{
    const rug_dbc_dimension *d = &f->dimension;
    rug_record *row = rug_record_new();
    cli_describe_image(run, row, image);
    rug_record_set_real(row, "levels", f->counts.levels);
    rug_record_set_real(row, "dimension", d->dimension);
    rug_record_set_real(row, "std_error", d->std_error);
    rug_record_set_real(row, "r_squared", d->r_squared);
    rug_record_set_integer(row, "size_min", d->size_min);
    rug_record_set_integer(row, "size_max", d->size_max);
    rug_record_set_integer(row, "n_sizes", d->n_sizes);
    rug_record_set_text(row, "method", "differential");
    rug_record_set_text(row, "engine", f->counts.engine);
    rug_record_set_text(row, "status", d->status);
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
    const rug_dbc_dimension *d = &f->dimension;
    cli_boxcount_curve curve = {.label = "boxes of the surface",
                                .n = f->counts.n_sizes,
                                .used = d->used,
                                .local_slope = d->local_slope,
                                .dimension = d->dimension,
                                .std_error = d->std_error,
                                .r_squared = d->r_squared,
                                .intercept = d->intercept,
                                .size_min = d->size_min,
                                .size_max = d->size_max};
    for (size_t i = 0; i < curve.n; i++) {
        curve.size[i] = (double)f->counts.sizes[i].size;
        curve.count[i] = (double)f->counts.sizes[i].boxes;
    }
    return cli_boxcount_draw(run, job, name, &curve);
}

rug_status cli_boxcount_gray(cli_run *run, const cli_image *image, void *user)
{
    cli_boxcount_job *job = user;
    found f = {.count_seconds = 0};
    rug_status status = measure(run, job, image, &f);
    if (status != RUG_OK)
        return status;
    tell(run, image, &f);
    add(run, job, image, &f);
    return draw(run, job, image->name, &f);
}
