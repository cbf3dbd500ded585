/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring one image for `rugose haralick`: its rows, one of each region, distance and
 * direction, and its maps, the features of the window around each pixel as TIFF files of
 * floats. Rows go into the report when all of them are there, so that an image that fails
 * leaves none. */

#include "cmd_haralick.h"
#include "draw/map_file.h"
#include "overlay/overlay.h"
#include "shared/nodata.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows ---- */

static void set_angle(cli_record *r, const cli_haralick_job *job, const rug_glcm_row *row)
{
    cli_record_set_text(r, "angle",
                        row->direction >= 0
                            ? rug_glcm_direction_name((uint32_t)row->direction)
                            : rug_glcm_aggregate_name(job->opts.aggregate));
}

/* The offset of a direction, in pixels. */
static cli_record *offset_record(cli_run *run, int ndim, const rug_glcm_row *row)
{
    static const char *const axes[] = {"z", "y", "x"};
    cli_record *r = cli_record_new();
    int step[3];
    rug_glcm_direction(run->ctx, step, ndim, (uint32_t)row->direction);
    for (int a = 3 - ndim; a < 3; a++)
        cli_record_set_signed(r, axes[a], (int64_t)step[a] * row->distance);
    return r;
}

static void add_json_details(cli_run *run, cli_record *r, const cli_image *image,
                             const cli_haralick_found *found, const rug_glcm_row *row)
{
    int ndim = image->pixels->ndim;
    cli_record *region = cli_record_new();
    if (found->labels.path != NULL)
        cli_add_file(r, "labels", cli_as_listed(run, found->labels.path),
                     found->labels.digest);
    cli_set_shape(region, "first", ndim, row->first + 3 - ndim);
    cli_set_shape(region, "shape", ndim, row->shape + 3 - ndim);
    cli_record_set_integer(region, "not_finite", row->n_nan);
    cli_record_set_integer(region, "clamped", row->n_clamped);
    cli_record_set_integer(region, "outside", row->n_outside);
    cli_record_set_real(region, "bin_origin", row->bin_origin);
    cli_record_set_real(region, "bin_width", row->bin_width);
    cli_record_set_record(r, "region", region);
    if (row->direction >= 0)
        cli_record_set_record(r, "offset", offset_record(run, ndim, row));
    cli_record_set_text(r, "engine", row->engine);
}

static cli_record *make_row(cli_run *run, const cli_haralick_job *job,
                            const cli_image *image, const cli_haralick_found *found,
                            const rug_glcm_row *row)
{
    cli_record *r = cli_image_row(run, image);
    cli_record_set_integer(r, "label", row->label);
    cli_record_set_integer(r, "area", row->area);
    cli_record_set_integer(r, "distance", row->distance);
    set_angle(r, job, row);
    cli_record_set_integer(r, "pairs", row->pairs);
    cli_record_set_integer(r, "levels", row->levels);
    for (uint32_t i = 0; i < job->n_features; i++)
        cli_record_set_real(r, job->names[job->feature[i]],
                            row->features[job->feature[i]]);
    cli_record_set_text(r, "status", rug_glcm_status_name(row->status));
    if (run->has_details)
        add_json_details(run, r, image, found, row);
    return r;
}

/* ---- The summary ---- */

/* The rows of one region at one distance are complete. */
static void end_distance(cli_haralick_tally *t)
{
    if (t->now.n == 0)
        return;
    if (t->now.n_bare == t->now.n) {
        t->n_empty[t->now.place]++;
        t->n_small[t->now.place] += t->now.is_small ? 1u : 0u;
    } else if (t->now.n_bare > 0) {
        t->n_partly[t->now.place]++;
    }
    t->now.n = t->now.n_bare = 0;
    t->now.place++;
}

static void end_region(cli_haralick_tally *t)
{
    end_distance(t);
    t->n_flat += t->now.is_flat ? 1u : 0u;
}

static void begin_region(cli_haralick_tally *t, const rug_glcm_row *row)
{
    if (t->n_regions == 0 || row->levels < t->least_levels)
        t->least_levels = row->levels;
    if (row->levels > t->most_levels)
        t->most_levels = row->levels;
    t->n_few += row->area > 0 && row->levels < CLI_HARALICK_FEW ? 1u : 0u;
    t->n_left_out += row->area == 0 && row->n_outside > 0 ? 1u : 0u;
    t->n_pixels += row->area + row->n_nan + row->n_outside;
    t->n_outside += row->n_outside;
    t->n_nan += row->n_nan;
    t->n_clamped += row->n_clamped;
    t->n_regions++;
    if (row->area > 0) {
        t->bin_origin = row->bin_origin;
        t->bin_width = row->bin_width;
    }
    memset(&t->now, 0, sizeof t->now);
    t->now.label = row->label;
    t->now.distance = row->distance;
}

static int is_small(const rug_glcm_row *row)
{
    for (int a = 0; a < 3; a++)
        if (row->shape[a] > row->distance)
            return 0;
    return 1;
}

static void count(cli_haralick_tally *t, const rug_glcm_row *row)
{
    if (t->n_regions == 0 || row->label != t->now.label) {
        end_region(t);
        begin_region(t, row);
    } else if (row->distance != t->now.distance) {
        end_distance(t);
        t->now.distance = row->distance;
    }
    t->now.n++;
    t->now.n_bare += row->pairs == 0 ? 1u : 0u;
    t->now.is_flat |= row->status == RUG_GLCM_FLAT;
    t->now.is_small = is_small(row);
    t->engine = row->engine;
}

static void end_count(cli_haralick_tally *t)
{
    end_region(t);
}

/* ---- Maps ---- */

typedef struct image_maps {
    cli_run *run;
    uint32_t n;
    rug_image_writer *writer[RUG_GLCM_N_FEATURES]; /* NULL: not begun, or ended */
    float *row;
} image_maps;

/* The options as maps take them: which features is a list of its own. */
static rug_glcm_options map_options(const rug_glcm_options *opts)
{
    rug_glcm_options o = *opts;
    o.features = RUG_GLCM_FEATURES_14;
    return o;
}

static rug_glcm_maps_options maps_of(const cli_haralick_job *job)
{
    rug_glcm_maps_options maps = RUG_GLCM_MAPS_OPTIONS_INIT;
    maps.rows = job->window[0];
    maps.columns = job->window[1];
    maps.features = job->feature;
    maps.n_features = job->n_features;
    return maps;
}

const char *cli_haralick_check_map(cli_run *run, const cli_haralick_job *job)
{
    const char *name = job->values.map;
    if ((name != NULL) != (job->values.window != NULL))
        return "--window W and --map FILE.tif must be used together";
    if (name == NULL)
        return NULL;
    const char *problem = cli_check_map_name(run, name, job->n_features > 1);
    if (problem != NULL)
        return problem;
    if (run->has_labels)
        return "--labels cannot be used with --map; --mask leaves pixels out";
    rug_glcm_options opts = map_options(&job->opts);
    rug_glcm_maps_options maps = maps_of(job);
    if (rug_glcm_maps_check_options(run->ctx, &opts, &maps) != RUG_OK)
        return rug_context_error(run->ctx);
    return NULL;
}

static rug_status write_rows(void *user, const rug_glcm_map_rows *rows)
{
    image_maps *m = user;
    rug_status status = RUG_OK;
    for (size_t y = 0; y < rows->n && status == RUG_OK; y++) {
        for (size_t x = 0; x < rows->nx; x++)
            m->row[x] = (float)rows->values[y * rows->nx + x];
        status = rug_image_writer_add(m->run->ctx, m->writer[rows->map], m->row, 1);
    }
    return status;
}

/* If there are several features, their names follow the image's. */
static rug_status begin_map(cli_run *run, cli_haralick_job *job, const cli_image *image,
                            uint32_t i, image_maps *m)
{
    char suffix[80] = "";
    const cli_map map = {.name = job->values.map, .suffix = suffix, .dtype = RUG_F32};
    if (job->n_features > 1)
        snprintf(suffix, sizeof suffix, "-%s", job->names[job->feature[i]]);
    return cli_open_map(run, &m->writer[i], &job->maps, image, &map);
}

static rug_status make_maps(cli_run *run, const cli_haralick_job *job,
                            const cli_image *image, const rug_glcm_options *opts,
                            image_maps *m)
{
    rug_glcm_options o = map_options(opts);
    rug_glcm_maps_options maps = maps_of(job);
    maps.leave_out = cli_lacks_data(image) ? 1 : 0;
    return rug_glcm_maps_source(run->ctx, &image->source, &o, &maps, write_rows, m);
}

static rug_status begin_maps(cli_run *run, cli_haralick_job *job, const cli_image *image,
                             const rug_glcm_options *opts, image_maps **out)
{
    *out = NULL;
    if (job->values.map == NULL)
        return RUG_OK;
    image_maps *m = calloc(1, sizeof *m);
    float *row = malloc(image->pixels->shape[1] * sizeof *row);
    if (m == NULL || row == NULL) {
        free(m);
        free(row);
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--map: out of memory");
    }
    *m = (image_maps){.run = run, .n = job->n_features, .row = row};
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < m->n && status == RUG_OK; i++)
        status = begin_map(run, job, image, i, m);
    if (status == RUG_OK)
        status = make_maps(run, job, image, opts, m);
    *out = m;
    return status;
}

static rug_status end_maps(cli_run *run, image_maps *m, rug_status status)
{
    for (uint32_t i = 0; m != NULL && i < m->n; i++)
        if (status == RUG_OK)
            status = rug_image_writer_commit(run->ctx, m->writer[i]);
        else
            rug_image_writer_discard(m->writer[i]);
    if (m != NULL)
        free(m->row);
    free(m);
    return status;
}

/* ---- The plot ---- */

/* Keeps the features of a row. */
static rug_status keep_features(cli_run *run, const cli_haralick_job *job,
                                cli_haralick_values_kept *kept, const rug_glcm_row *row)
{
    if (job->plots.asked == NULL)
        return RUG_OK;
    if (kept->n == kept->capacity) {
        size_t capacity = 2 * kept->capacity + 16;
        double *features =
            realloc(kept->features, capacity * job->n_features * sizeof *features);
        kept->features = features != NULL ? features : kept->features;
        uint32_t *distances = realloc(kept->distances, capacity * sizeof *distances);
        kept->distances = distances != NULL ? distances : kept->distances;
        if (features == NULL || distances == NULL)
            return rug_context_fail(run->ctx, RUG_E_NOMEM, "--plot: out of memory");
        kept->capacity = capacity;
    }
    for (uint32_t i = 0; i < job->n_features; i++)
        kept->features[kept->n * job->n_features + i] = row->features[job->feature[i]];
    kept->distances[kept->n++] = row->distance;
    return RUG_OK;
}

/* What a plot is made from: a panel for each feature, in it a strip for each distance. */
typedef struct plotted {
    uint32_t n_distances;
    double *values; /* [feature][distance], each of as many as there are rows */
    cli_plot_series *series;
    char (*titles)[32];
    cli_plot_panel panels[RUG_GLCM_N_FEATURES];
} plotted;

static int take_memory(plotted *p, const cli_haralick_job *job, size_t n)
{
    p->n_distances = job->opts.n_distances > 0 ? job->opts.n_distances : 1;
    size_t n_series = (size_t)p->n_distances * job->n_features;
    p->values = malloc((n * n_series + 1) * sizeof *p->values);
    p->series = calloc(n_series, sizeof *p->series);
    p->titles = calloc(p->n_distances, sizeof *p->titles);
    return p->values != NULL && p->series != NULL && p->titles != NULL;
}

/* The strip of one feature at one distance. */
static void fill_series(plotted *p, const cli_haralick_job *job,
                        const cli_haralick_values_kept *kept, uint32_t feature,
                        uint32_t d)
{
    size_t place = (size_t)feature * p->n_distances + d;
    uint32_t distance = job->opts.n_distances > 0 ? job->distances[d] : 1;
    cli_plot_series *s = &p->series[place];
    double *values = p->values + place * kept->n;
    s->style = CLI_PLOT_STRIP;
    s->x = s->y = values;
    for (size_t i = 0; i < kept->n; i++)
        if (kept->distances[i] == distance)
            values[s->n++] = kept->features[i * job->n_features + feature];
    if (p->n_distances > 1) {
        snprintf(p->titles[d], sizeof p->titles[d], "distance %" PRIu32, distance);
        s->title = p->titles[d];
    }
}

/* The class of the image in work; NULL: no list says it. */
static const char *class_of(const cli_run *run)
{
    const cli_list_row *row = run->inputs[run->input].row;
    for (size_t i = 0; row != NULL && i < run->list->n_carried; i++)
        if (strcmp(run->list->carried[i], "class") == 0)
            return row->carried[i];
    return NULL;
}

/* The values of each feature; a list may say which class an image is of. */
static rug_status draw(cli_run *run, cli_haralick_job *job, const cli_image *image,
                       const cli_haralick_values_kept *kept)
{
    plotted p;
    if (job->plots.asked == NULL)
        return RUG_OK;
    memset(&p, 0, sizeof p);
    rug_status status = RUG_OK;
    if (!take_memory(&p, job, kept->n))
        status = rug_context_fail(run->ctx, RUG_E_NOMEM, "--plot: out of memory");
    for (uint32_t i = 0; status == RUG_OK && i < job->n_features; i++) {
        for (uint32_t d = 0; d < p.n_distances; d++)
            fill_series(&p, job, kept, i, d);
        p.panels[i] = (cli_plot_panel){.y_label = job->names[job->feature[i]],
                                       .n_series = p.n_distances,
                                       .series = &p.series[i * p.n_distances]};
    }
    const cli_plot_sheet sheet = {.group = class_of(run),
                                  .n_panels = job->n_features,
                                  .panels = p.panels,
                                  .n_columns = job->n_features == 4  ? 2
                                               : job->n_features < 3 ? job->n_features
                                                                     : 3};
    if (status == RUG_OK)
        status = cli_draw(run, &job->plots, image->name, &sheet);
    free(p.values);
    free(p.series);
    free(p.titles);
    return status;
}

/* ---- Measuring ---- */

/* What the rows are made from. */
typedef struct measuring {
    cli_run *run;
    const cli_haralick_job *job;
    const cli_image *image;
    cli_haralick_found *found;
} measuring;

static rug_status add_row(void *user, const rug_glcm_row *row)
{
    measuring *m = user;
    cli_haralick_found *found = m->found;
    count(&found->tally, row);
    rug_status status = keep_features(m->run, m->job, &found->kept, row);
    if (status != RUG_OK)
        return status;
    return cli_keep_row(m->run, &found->rows,
                        make_row(m->run, m->job, m->image, found, row));
}

/* What the command line asks for and this image cannot have. */
static rug_status check_image(cli_run *run, const cli_haralick_job *job,
                              const cli_image *image)
{
    const rug_glcm_options *o = &job->opts;
    const rug_image *img = image->pixels;
    rug_dtype dtype = image->facts->values;
    int is_float = cli_is_real(image);
    if (img->ndim != 2 && job->values.window != NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--window is for images, but this is a volume");
    if (img->ndim == 2 && o->slices != RUG_GLCM_SLICES_NONE)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--slices is for volumes, but this is an image");
    if (img->ndim == 2 && o->directions >> RUG_GLCM_DIRECTIONS_2D != 0)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--angles: an image has only the directions 0, 45, 90 "
                                "and 135");
    if (is_float && o->levels == RUG_GLCM_LEVELS_EXACT)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--levels exact is for integers, but the pixels are %s: "
                                "give --levels N or --bin-width W",
                                rug_dtype_name(dtype));
    if (o->range == RUG_GLCM_RANGE_TYPE && (is_float || dtype >= RUG_U32))
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--range type is for integers of up to 16 bits, but the "
                                "pixels are %s: give --range image, roi or LO..HI",
                                rug_dtype_name(dtype));
    return RUG_OK;
}

/* What is left to the image: its mask, and what the defaults are for its type. */
static void choose(cli_haralick_found *found, const cli_haralick_job *job,
                   const cli_image *image)
{
    rug_glcm_options *o = &found->opts;
    rug_dtype dtype = image->facts->values;
    *o = job->opts;
    if (image->mask_path != NULL)
        o->mask = &image->mask;
    if (o->levels == RUG_GLCM_LEVELS_AUTO && cli_is_real(image)) {
        o->levels = RUG_GLCM_LEVELS_COUNT;
        o->n_levels = CLI_HARALICK_FLOAT_LEVELS;
    } else if (o->levels == RUG_GLCM_LEVELS_AUTO) {
        o->levels = RUG_GLCM_LEVELS_EXACT;
    }
    if (o->levels == RUG_GLCM_LEVELS_COUNT && o->range == RUG_GLCM_RANGE_AUTO)
        o->range = RUG_GLCM_RANGE_IMAGE;
    if (o->range == RUG_GLCM_RANGE_TYPE && dtype != image->pixels->dtype) {
        double range[2]; /* of integers that are floats beside pixels without data */
        cli_haralick_type_range(range, dtype);
        o->range = RUG_GLCM_RANGE_GIVEN;
        o->range_lo = range[0];
        o->range_hi = range[1];
    }
}

static rug_status read_labels(cli_run *run, const cli_image *image,
                              cli_haralick_found *found)
{
    double start = cli_now();
    rug_status status = cli_read_labels(run, &found->labels, image);
    if (found->labels.path != NULL)
        found->opts.labels = &found->labels.twin.source;
    found->labels_seconds = cli_now() - start;
    return status;
}

static rug_status measure(measuring *m)
{
    cli_haralick_found *found = m->found;
    double start = cli_now();
    rug_status status =
        m->run->parts != NULL
            ? cli_haralick_in_parts(m->run, m->image, found, add_row, m)
            : rug_glcm_source(m->run->ctx, &m->image->source, &found->opts, add_row, m);
    found->measure_seconds = cli_now() - start;
    end_count(&found->tally);
    return status;
}

rug_status cli_haralick_image(cli_run *run, const cli_image *image, void *user)
{
    cli_haralick_job *job = user;
    image_maps *maps = NULL;
    cli_haralick_found found = {.labels.path = NULL};
    measuring m = {run, job, image, &found};
    choose(&found, job, image);
    rug_status status = check_image(run, job, image);
    if (status == RUG_OK)
        status = read_labels(run, image, &found);
    double start = cli_now();
    if (status == RUG_OK)
        status = begin_maps(run, job, image, &found.opts, &maps);
    found.map_seconds = maps != NULL ? cli_now() - start : 0;
    if (status == RUG_OK)
        status = measure(&m);
    status = end_maps(run, maps, status);
    if (status == RUG_OK && !found.is_left)
        status = draw(run, job, image, &found.kept);
    free(found.kept.features);
    free(found.kept.distances);
    if (status == RUG_OK && !found.is_left) {
        cli_haralick_print(run, job, image, &found);
        status = cli_show_image(run, image, &(cli_shown){NULL, found.opts.labels});
    }
    cli_end_rows(run, &found.rows, status == RUG_OK);
    return cli_end_labels(run, &found.labels, status);
}
