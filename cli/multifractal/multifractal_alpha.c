/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose multifractal --method alpha`: the map of alpha of one image, its file, the slices,
 * and what is shown of them. */

#include "cmd_multifractal.h"
#include "draw/map_file.h"
#include "overlay/overlay.h"
#include "parts/parts.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXTRA_MAX 120

/* What the slices of one image are. */
typedef struct sliced {
    rug_alpha_result *result;
    const rug_alpha_facts *facts;
    rug_fit *fits;      /* [facts->n_slices] */
    const char *engine; /* that made the map; static text */
    int is_written;     /* the map too */
    double map_seconds, write_seconds, slice_seconds;
} sliced;

/* ---- Measuring ---- */

/* Allocates the map. */
static rug_status allocate(cli_run *run, const rug_image *img, float **map)
{
    uint64_t n = rug_image_pixels(img);
    *map = n <= SIZE_MAX / sizeof **map ? malloc((size_t)n * sizeof **map) : NULL;
    if (*map == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM,
                                "no memory for the alpha of %" PRIu64 " pixels", n);
    return RUG_OK;
}

/* Puts rows of a map behind those that are there. */
static rug_status keep_rows(void *user, const rug_alpha_map_rows *rows)
{
    float **to = user;
    memcpy(*to, rows->alpha, rows->n * rows->nx * sizeof **to);
    *to += rows->n * rows->nx;
    return RUG_OK;
}

/* The map of an image in memory, or of one that is read slab by slab. */
static rug_status make_map(cli_run *run, const cli_image *image,
                           const rug_alpha_options *opts, float *map, sliced *found)
{
    float *to = map;
    rug_status status =
        image->pixels->data == NULL
            ? rug_alpha_map_source(run->ctx, &image->source, opts, keep_rows, &to)
            : rug_alpha_map(run->ctx, map, image->pixels, opts);
    found->engine = rug_context_engine(run->ctx);
    return status;
}

static rug_status write_map(cli_run *run, cli_multifractal_job *job,
                            const cli_image *image, const float *map)
{
    const rug_image *img = image->pixels;
    const cli_map file = {.name = job->values.map, .suffix = "", .dtype = RUG_F32};
    rug_image_writer *writer = NULL;
    if (job->values.map == NULL)
        return RUG_OK;
    rug_status status = cli_open_map(run, &writer, &job->maps, image, &file);
    if (status == RUG_OK)
        status = rug_image_writer_add(run->ctx, writer, map,
                                      (size_t)rug_image_pixels(img) /
                                          img->shape[img->ndim - 1]);
    if (status == RUG_OK)
        return rug_image_writer_commit(run->ctx, writer);
    rug_image_writer_discard(writer);
    return status;
}

/* A line through each slice. */
static rug_status fit(cli_run *run, const cli_multifractal_job *job, sliced *found)
{
    rug_fit_options opts = RUG_FIT_OPTIONS_INIT;
    opts.size_min = job->values.fit.min;
    opts.size_max = job->values.fit.max;
    found->facts = rug_alpha_get_facts(found->result);
    found->fits = malloc(found->facts->n_slices * sizeof *found->fits);
    if (found->fits == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "no memory for %" PRIu32 " slices",
                                found->facts->n_slices);
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < found->facts->n_slices && status == RUG_OK; i++) {
        found->fits[i] = (rug_fit)RUG_FIT_INIT;
        status = rug_alpha_fit(run->ctx, &found->fits[i], found->result, i, &opts);
    }
    return status;
}

static rug_status slice(cli_run *run, const cli_multifractal_job *job,
                        const rug_image *img, const float *map,
                        const rug_alpha_options *opts, sliced *found)
{
    rug_image view;
    rug_status status =
        rug_image_view(run->ctx, &view, map, RUG_F32, img->ndim, img->shape);
    if (status == RUG_OK)
        status = rug_alpha_slices(run->ctx, &found->result, &view, opts);
    return status == RUG_OK ? fit(run, job, found) : status;
}

/* ---- Measuring in parts ---- */

static rug_status begin_parts(rug_context *ctx, void **state, const cli_image *image,
                              const void *opts)
{
    rug_alpha_parts *parts;
    rug_status status = rug_alpha_parts_new(
        ctx, &parts, image->source.dtype, image->source.ndim, image->source.shape, opts);
    *state = parts;
    return status;
}

static rug_status add_part(rug_context *ctx, void *state, const rug_image *slab,
                           const rug_image *mask, const rug_image *labels,
                           const cli_where *where)
{
    const size_t first[RUG_MAX_AXES] = {where->own_first, 0, 0};
    const size_t shape[RUG_MAX_AXES] = {where->own_end - where->own_first, slab->shape[1],
                                        slab->shape[2]};
    (void)labels;
    return rug_alpha_parts_add(ctx, state, slab, mask, where->first, first, shape);
}

CLI_STATE_CALLS(rug_alpha_parts, rug_alpha_merge, rug_alpha_parts_save,
                rug_alpha_parts_load, rug_alpha_parts_free)

/* @param found  its result is NULL where another run or process goes on */
static rug_status measure_parts(cli_run *run, const cli_multifractal_job *job,
                                const cli_image *image, sliced *found)
{
    static const cli_state_kind kind = {
        .name = "alpha", .begin = begin_parts, .add = add_part, CLI_STATE_MEMBERS};
    rug_alpha_options opts = job->alpha;
    void *state;
    double start = cli_now();
    opts.mask = image->mask_path != NULL ? &image->mask : NULL;
    rug_status status =
        cli_measure_state(run, image, &kind, &opts, rug_alpha_reach(&opts), &state);
    found->engine = cli_engine_of(run, "cpu");
    double mapped = cli_now();
    found->map_seconds = mapped - start;
    if (state != NULL)
        status = rug_alpha_parts_finish(run->ctx, &found->result, state);
    free_state(state);
    if (found->result != NULL)
        status = fit(run, job, found);
    found->slice_seconds = cli_now() - mapped;
    return status;
}

/* ---- Measuring the whole ---- */

static rug_status measure_map(cli_run *run, cli_multifractal_job *job,
                              const cli_image *image, float *map, sliced *found)
{
    rug_alpha_options opts = job->alpha;
    double start = cli_now();
    opts.mask = image->mask_path != NULL ? &image->mask : NULL;
    rug_status status = make_map(run, image, &opts, map, found);
    double mapped = cli_now();
    found->map_seconds = mapped - start;
    if (status == RUG_OK)
        status = write_map(run, job, image, map);
    double written = cli_now();
    found->write_seconds = written - mapped;
    if (status == RUG_OK)
        status = slice(run, job, image->pixels, map, &opts, found);
    found->slice_seconds = cli_now() - written;
    return status;
}

/* ---- Rows ---- */

static void add_slice_details(cli_record *row, const sliced *found, uint32_t i)
{
    const rug_alpha_facts *a = found->facts;
    cli_record_set_text(row, "engine", found->engine);
    cli_record_set_text(row, "slices_engine", a->engine);
    cli_record_set_real(row, "range_min", a->alpha_min);
    cli_record_set_real(row, "range_max", a->alpha_max);
    cli_record_set_integer(row, "pixels_of_image", a->n_pixels);
    cli_record_set_integer(row, "undefined", a->n_undefined);
    cli_record_set_integer(row, "outside", a->n_outside);
    for (uint32_t l = 0; l < a->n_sizes; l++) {
        cli_record *size = cli_record_new();
        cli_record_set_integer(size, "size", (uint64_t)1 << l);
        cli_record_set_integer(size, "boxes", rug_alpha_boxes(found->result, i, l));
        cli_record_append(row, "counts", size);
    }
}

static void add_rows(cli_run *run, const cli_image *image, const sliced *found)
{
    for (uint32_t i = 0; i < found->facts->n_slices; i++) {
        const rug_alpha_slice *s = rug_alpha_at(found->result, i);
        const rug_fit *fit = &found->fits[i];
        cli_record *row = cli_image_row(run, image);
        cli_record_set_integer(row, "slice", i);
        cli_record_set_real(row, "alpha_min", s->alpha_min);
        cli_record_set_real(row, "alpha_max", s->alpha_max);
        cli_record_set_integer(row, "pixels", s->n_pixels);
        cli_record_set_real(row, "f", fit->slope);
        cli_record_set_real(row, "f_error", fit->std_error);
        cli_record_set_real(row, "r_squared", fit->r_squared);
        cli_record_set_integer(row, "size_min", fit->size_min);
        cli_record_set_integer(row, "size_max", fit->size_max);
        cli_record_set_text(row, "status", rug_fit_status_name(fit->status));
        if (run->has_details)
            add_slice_details(row, found, i);
        cli_report_add(run->report, row);
    }
}

/* ---- Lines on stderr ---- */

/* The fit of the slice with the largest f; NULL: none has one. */
static const rug_fit *largest_f(const sliced *found)
{
    const rug_fit *best = NULL;
    for (uint32_t i = 0; i < found->facts->n_slices; i++) {
        const rug_fit *fit = &found->fits[i];
        if (!isnan(fit->slope) && (best == NULL || fit->slope > best->slope))
            best = fit;
    }
    return best;
}

static void warn_of_slices(cli_run *run, const sliced *found, const rug_fit *best)
{
    const rug_alpha_facts *a = found->facts;
    if (a->n_undefined > 0)
        cli_warn(run,
                 "%" PRIu64 " of %" PRIu64 " pixels have no alpha: a window around them "
                 "holds nothing above 0, or a pixel that is negative (unless --measure "
                 "iso), NaN or infinite",
                 a->n_undefined, a->n_pixels);
    if (a->n_outside > 0)
        cli_warn(run,
                 "%" PRIu64 " of %" PRIu64
                 " pixels have an alpha outside %.6g..%.6g and are in no slice",
                 a->n_outside, a->n_pixels, a->alpha_min, a->alpha_max);
    if (best == NULL) {
        cli_warn(run, "no slice has a dimension");
        return;
    }
    cli_warn_of_fit(run, best->status, best->n_sizes, best->size_min, best->size_max,
                    NULL);
}

static void print(cli_run *run, const cli_image *image, const sliced *found)
{
    const rug_alpha_facts *a = found->facts;
    const rug_fit *best = largest_f(found);
    char extra[EXTRA_MAX];
    if (isnan(a->alpha_min))
        snprintf(extra, sizeof extra, "no pixel has an alpha");
    else
        snprintf(extra, sizeof extra, "alpha %.6g..%.6g in %" PRIu32 " slice%s",
                 a->alpha_min, a->alpha_max, a->n_slices, a->n_slices == 1 ? "" : "s");
    cli_print_read(run, image, extra);
    warn_of_slices(run, found, best);
    cli_warn_of_spacing(run, image->pixels, CLI_RESAMPLE);
    if (!run->common.quiet && best != NULL) {
        const rug_alpha_slice *s =
            rug_alpha_at(found->result, (uint32_t)(best - found->fits));
        cli_print(run->err,
                  "%s: largest f %.6g +- %.2g at alpha %.6g..%.6g, %" PRIu64 " pixels\n",
                  image->name, best->slope, best->std_error, s->alpha_min, s->alpha_max,
                  s->n_pixels);
    }
    if (!cli_begin_times(run, image))
        return;
    cli_print(run->err, ", alpha %.3f ms", found->map_seconds * 1e3);
    if (found->is_written)
        cli_print(run->err, ", map %.3f ms", found->write_seconds * 1e3);
    cli_print(run->err, ", slices %.3f ms", found->slice_seconds * 1e3);
    cli_end_times(run, found->engine, "");
}

/* ---- The plot ---- */

static rug_status plot_slices(cli_run *run, cli_multifractal_job *job, const char *name,
                              const sliced *found)
{
    double alpha[RUG_ALPHA_MAX_SLICES], f[RUG_ALPHA_MAX_SLICES];
    double low[RUG_ALPHA_MAX_SLICES], high[RUG_ALPHA_MAX_SLICES];
    double pixels[RUG_ALPHA_MAX_SLICES];
    uint8_t is_hollow[RUG_ALPHA_MAX_SLICES];
    size_t n = found->facts->n_slices;
    for (uint32_t i = 0; i < n; i++) {
        const rug_alpha_slice *s = rug_alpha_at(found->result, i);
        const rug_fit *fit = &found->fits[i];
        alpha[i] = (s->alpha_min + s->alpha_max) / 2;
        f[i] = fit->slope;
        low[i] = fit->slope - fit->std_error;
        high[i] = fit->slope + fit->std_error;
        is_hollow[i] = fit->status != RUG_FIT_OK;
        pixels[i] = (double)s->n_pixels;
    }
    const cli_plot_series dimensions = {.title = "dimension of a slice",
                                        .style = CLI_PLOT_LINE_POINTS,
                                        .n = n,
                                        .x = alpha,
                                        .y = f,
                                        .low = low,
                                        .high = high,
                                        .is_hollow = is_hollow,
                                        .hollow_title =
                                            "says little: its status is not ok"};
    const cli_plot_series counts = {
        .style = CLI_PLOT_LINE_POINTS, .n = n, .x = alpha, .y = pixels};
    const cli_plot_panel panels[] = {
        {.x_label = "\xCE\xB1",
         .y_label = "f(\xCE\xB1)",
         .n_series = 1,
         .series = &dimensions},
        {.x_label = "\xCE\xB1",
         .y_label = "pixels",
         .log_y = 1,
         .n_series = 1,
         .series = &counts},
    };
    const cli_plot_sheet sheet = {
        .note = largest_f(found) == NULL ? "no spectrum: no slice has a dimension" : NULL,
        .n_panels = 2,
        .panels = panels};
    return cli_draw(run, &job->plots, name, &sheet);
}

/* @param found  its result is NULL where another run or process goes on */
static rug_status measure(cli_run *run, cli_multifractal_job *job, const cli_image *image,
                          sliced *found)
{
    float *map = NULL;
    if (run->parts != NULL)
        return measure_parts(run, job, image, found);
    rug_status status = allocate(run, image->pixels, &map);
    if (status == RUG_OK)
        status = measure_map(run, job, image, map, found);
    free(map);
    return status;
}

rug_status cli_multifractal_alpha(cli_run *run, const cli_image *image, void *user)
{
    cli_multifractal_job *job = user;
    sliced found = {.is_written = job->values.map != NULL};
    rug_status status = measure(run, job, image, &found);
    if (status == RUG_OK && found.result != NULL) {
        print(run, image, &found);
        status = cli_show_image(run, image, &(cli_shown){NULL, NULL});
        if (status == RUG_OK) {
            add_rows(run, image, &found);
            status = plot_slices(run, job, image->name, &found);
        }
    }
    free(found.fits);
    rug_alpha_free(found.result);
    return status;
}
