/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose boxcount --gray`: differential box counting of grey values. Its measuring, its rows,
 * its lines on stderr and its plot. */

#include "cmd_boxcount.h"
#include "overlay/overlay.h"
#include "parts/parts.h"
#include <stdio.h>

/* What was measured of one image. */
typedef struct found {
    const rug_dbc_result *counts;
    const rug_dbc_facts *facts; /* of the counts */
    rug_fit fit;
    double count_seconds;
} found;

/* What a count in parts begins with. */
typedef struct parts_options {
    rug_dbc_options dbc;
    const rug_image_range *range; /* NULL: it is not needed */
} parts_options;

static rug_status begin_parts(rug_context *ctx, void **state, const cli_image *image,
                              const void *opts)
{
    const parts_options *o = opts;
    rug_dbc_parts *parts;
    rug_status status =
        rug_dbc_parts_new(ctx, &parts, image->source.dtype, image->source.ndim,
                          image->source.shape, &o->dbc, o->range);
    *state = parts;
    return status;
}

static rug_status add_part(rug_context *ctx, void *state, const rug_image *slab,
                           const rug_image *mask, const rug_image *labels,
                           const cli_where *where)
{
    (void)labels;
    return rug_dbc_parts_add(ctx, state, slab, mask, where->first);
}

CLI_STATE_CALLS(rug_dbc_parts, rug_dbc_merge, rug_dbc_parts_save, rug_dbc_parts_load,
                rug_dbc_parts_free)

/* @param out  NULL: another run or process goes on */
static rug_status count_parts(cli_run *run, const cli_image *image,
                              const rug_dbc_options *opts, rug_dbc_result **out)
{
    static const cli_state_kind kind = {
        .name = "dbc", .begin = begin_parts, .add = add_part, CLI_STATE_MEMBERS};
    parts_options o = {.dbc = *opts};
    rug_status status = RUG_OK;
    void *state = NULL;
    *out = NULL;
    if (rug_dbc_must_know_range(image->source.dtype, opts)) {
        o.range = cli_image_range(image);
        status = image->watch->status;
    }
    if (status == RUG_OK)
        status = cli_measure_state(run, image, &kind, &o, 0, &state);
    if (state != NULL)
        status = rug_dbc_parts_finish(run->ctx, out, state);
    free_state(state);
    return status;
}

static rug_status count(cli_run *run, const cli_boxcount_job *job, const cli_image *image,
                        rug_dbc_result **out, double *seconds)
{
    rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    double start = cli_now();
    opts.levels = job->values.levels;
    opts.anchor = (rug_dbc_anchor)job->values.anchor;
    opts.values = image->facts->values <= RUG_I64 ? image->facts->values : RUG_BIT;
    opts.mask = image->mask_path != NULL ? &image->mask : NULL;
    rug_status status = run->parts != NULL ? count_parts(run, image, &opts, out)
                        : image->pixels->data != NULL
                            ? rug_dbc(run->ctx, out, image->pixels, &opts)
                            : rug_dbc_source(run->ctx, out, &image->source, &opts);
    *seconds = cli_now() - start;
    return status;
}

static rug_status fit(cli_run *run, const cli_boxcount_values *v, found *f,
                      const rug_dbc_result *counts)
{
    f->counts = counts;
    f->facts = rug_dbc_get_facts(counts);
    f->fit = (rug_fit)RUG_FIT_INIT;
    rug_fit_options range = cli_fit_options(&v->fit);
    return rug_dbc_fit(run->ctx, &f->fit, counts, &range);
}

/* A surface has a dimension of 2 to 3, one over a volume of 3 to 4. */
static void warn_of_dimension(cli_run *run, const found *f)
{
    const int least = f->facts->ndim;
    char slope[RUGI_REAL_TEXT_MAX];
    if (!(f->fit.slope < least || f->fit.slope > least + 1))
        return;
    rugi_format_real_short(slope, f->fit.slope);
    cli_warn(
        run,
        "the dimension %s lies outside of %d..%d, the bounds of grey values over %s; "
        "look at the sizes (--counts, --plot) and fit others (--fit A..B)",
        slope, least, least + 1, least == 2 ? "an image" : "a volume");
}

static void warn(cli_run *run, const cli_boxcount_job *job, const cli_image *image,
                 const found *f)
{
    const rug_fit *d = &f->fit;
    if (f->facts->n_pixels == 0)
        cli_warn(run, "the mask is empty");
    cli_warn_of_left_out(run, image, f->facts->n_left_out, "left out");
    cli_warn_of_spacing(run, image->pixels, CLI_RESAMPLE);
    cli_warn_of_thin_axis(run, image, &job->values.fit, NULL, d->size_max);
    cli_warn_of_fit(run, d->status, d->n_sizes, d->size_min, d->size_max, NULL);
    warn_of_dimension(run, f);
}

static void print(cli_run *run, const cli_boxcount_job *job, const cli_image *image,
                  const found *f)
{
    char levels[RUGI_REAL_TEXT_MAX], base[RUGI_REAL_TEXT_MAX];
    char extra[2 * RUGI_REAL_TEXT_MAX + 32];
    rugi_format_real_short(levels, f->facts->levels);
    rugi_format_real_short(base, f->facts->base);
    snprintf(extra, sizeof extra, "%s grey levels from %s", levels, base);
    cli_print_read(run, image, extra);
    warn(run, job, image, f);
    if (!cli_begin_times(run, image))
        return;
    cli_print(run->err, ", count %.3f ms", f->count_seconds * 1e3);
    cli_end_times(run, f->facts->engine, "");
}

static cli_record *size_record(const rug_dbc_size *size)
{
    cli_record *r = cli_record_new();
    cli_record_set_integer(r, "size", size->size);
    cli_record_set_real(r, "height", size->height);
    cli_record_set_integer(r, "blocks", size->blocks);
    cli_record_set_integer(r, "boxes", size->boxes);
    cli_record_set_real(r, "boxes_by_area", size->boxes_by_area);
    return r;
}

static void add_json_details(cli_record *row, const found *f)
{
    const rug_dbc_facts *c = f->facts;
    cli_record_set_integer(row, "pixels", c->n_pixels);
    cli_record_set_integer(row, "left_out", c->n_left_out);
    cli_record_set_real(row, "base", c->base);
    cli_record_set_real(row, "intercept", f->fit.intercept);
    for (uint32_t i = 0; i < c->n_sizes; i++)
        cli_boxcount_append_size(row, size_record(rug_dbc_at(f->counts, i)), &f->fit, i);
}

static void add(cli_run *run, const cli_image *image, const found *f)
{
    cli_record *row = cli_image_row(run, image);
    cli_record_set_real(row, "levels", f->facts->levels);
    cli_boxcount_set_fit(row, &f->fit, NULL);
    cli_record_set_text(row, "method", "differential");
    cli_record_set_text(row, "engine", f->facts->engine);
    cli_record_set_text(row, "status", rug_fit_status_name(f->fit.status));
    if (run->has_details)
        add_json_details(row, f);
    cli_report_add(run->report, row);
    for (uint32_t i = 0; run->second != NULL && i < f->facts->n_sizes; i++) {
        cli_record *size = size_record(rug_dbc_at(f->counts, i));
        cli_set_image(run, size, image->name);
        cli_report_add(run->second, size);
    }
}

/* The same plot as that of other box counts. */
static rug_status draw(cli_run *run, cli_boxcount_job *job, const cli_image *image,
                       const found *f)
{
    cli_boxcount_curve curve = {
        .label = "boxes of the surface",
        .unit = cli_unit_of(image->pixels),
        .n = f->facts->n_sizes,
        .fit = &f->fit,
        .intercept = f->fit.intercept,
        .ends = {(double)f->fit.size_min, (double)f->fit.size_max}};
    for (uint32_t i = 0; i < f->facts->n_sizes; i++) {
        curve.size[i] = (double)rug_dbc_at(f->counts, i)->size;
        curve.count[i] = rug_dbc_at(f->counts, i)->boxes_by_area;
    }
    return cli_boxcount_draw(run, job, image->name, &curve);
}

rug_status cli_boxcount_gray(cli_run *run, cli_boxcount_job *job, const cli_image *image)
{
    found f = {.count_seconds = 0};
    rug_dbc_result *counts;
    rug_status status = count(run, job, image, &counts, &f.count_seconds);
    if (counts == NULL)
        return status;
    if (status == RUG_OK)
        status = fit(run, &job->values, &f, counts);
    if (status == RUG_OK) {
        print(run, job, image, &f);
        status = cli_show_image(run, image, &(cli_shown){NULL, NULL});
    }
    if (status == RUG_OK) {
        add(run, image, &f);
        status = draw(run, job, image, &f);
    }
    rug_dbc_free(counts);
    return status;
}
