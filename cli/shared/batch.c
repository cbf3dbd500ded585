/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The batch: reads every input, page by page where asked, with its mask, and gives it to the
 * command. */

#include "twin.h"
#include "workers.h"
#include <stdio.h>
#include <string.h>

/* The share of an input's work that measuring its range is, for the progress line. */
#define RANGE_SHARE 0.1

/* The share of what is left then that measuring is, where a picture is made behind it. */
#define OVERLAY_AT 0.7

static rug_status read_part(cli_run *run, rug_file **out, const char *path, int page,
                            int channel)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.page = page;
    opts.volume = run->reading.volume ? 1 : run->is_flat ? 0 : 2;
    opts.channel = channel;
    opts.planes = run->keeps_colours && channel < 0;
    cli_set_reading(&opts, &run->reading);
    opts.nodata = run->nodata;
    opts.nodata_value = run->nodata_value.value;
    opts.nodata_rest = run->nodata_value.rest;
    if (!run->command->takes_nodata)
        opts.nodata_as = RUG_NODATA_AS_STORED;
    return cli_open_file(run, out, path, &opts);
}

rug_status cli_open_level(cli_run *run, rug_file **out, const cli_image *image, int level)
{
    const int own = run->reading.level;
    run->reading.level = level;
    rug_status status =
        read_part(run, out, image->path, image->facts->page, run->reading.channel);
    run->reading.level = own;
    return status;
}

/* Nonzero when the pixels are to be in memory. */
static int is_small(const cli_run *run, const rug_file *file)
{
    return !run->heads_only &&
           (run->needs_pixels || rug_file_bytes(file) <= CLI_MEMORY_BYTES);
}

/* What a mask should not be, told with numbers. With a rule it was meant so. */
static void warn_of_values_of(cli_run *run, const cli_twin *t, const char *path)
{
    static const char what[] =
        "say what is inside with --mask-value V, --mask-above T or --mask-below T";
    double share = 100 * (double)t->n_inside / (double)t->n_pixels;
    if (t->inside->kind != CLI_INSIDE_NONZERO) {
        if (t->n_inside == t->n_pixels)
            cli_warn(run, "every pixel is inside the mask %s (%s)", path, t->text);
    } else if (t->n_inside == t->n_pixels) {
        cli_warn(run, "the mask %s has no 0, so every pixel is inside (%s%s): %s", path,
                 t->text, t->has_fractions ? ", fractions" : "", what);
    } else if (t->n_distinct > 2 || t->has_fractions) {
        cli_warn(run,
                 "the mask %s has %s%s; all but 0 are inside, %.1f %% of the pixels: %s",
                 path, t->text, t->has_fractions ? ", fractions" : "", share, what);
    }
}

/* Prints what was read of a mask, and warns of one that seems to be none. */
void cli_say_mask(cli_run *run, const cli_image *image)
{
    const cli_twin *t = image->twin;
    cli_tell_twin(run, t);
    if (t->is_known)
        warn_of_values_of(run, t, cli_as_listed(run, image->mask_path));
}

static rug_status read_mask(cli_run *run, cli_image *image, int page, int in_memory)
{
    const char *own = run->inputs[run->input].mask;
    image->mask_path = own != NULL ? own : run->mask;
    if (image->mask_path == NULL)
        return RUG_OK;
    if (run->inside.kind == CLI_INSIDE_NONZERO &&
        cli_same_path(image->path, image->mask_path))
        cli_warn(run, "image and mask are the same file");
    image->twin->inside = &run->inside;
    rug_status status =
        cli_open_twin(run, image->twin, image->mask_path, image->file, page, in_memory);
    image->mask = image->twin->source;
    if (status == RUG_OK && in_memory)
        cli_say_mask(run, image);
    return status == RUG_OK ? cli_digest(run, image->mask_digest, image->mask_path)
                            : status;
}

/* Says that --matrix does nothing where neither the image nor what goes with it is a text. Labels are
 * opened later. */
static void warn_no_matrix(cli_run *run, const cli_image *image)
{
    const char *labels = run->inputs[run->input].labels;
    const rug_file *mask = image->twin->file;
    if (run->reading.matrix && strcmp(image->facts->format, "matrix") != 0 &&
        (mask == NULL || strcmp(rug_file_get_facts(mask)->format, "matrix") != 0) &&
        !rugi_path_is_points(labels))
        cli_warn(run, "is a %s file and no text, for which --matrix does nothing",
                 image->facts->format);
}

/* What is measured in parts is not in memory; of its mask it may be known already what all parts found. */
static rug_status open_in_parts(cli_run *run, cli_image *image)
{
    rug_status status = run->parts->open(run, image);
    if (status == RUG_OK && image->mask_path != NULL && image->twin->is_known)
        cli_say_mask(run, image);
    return status;
}

/* Opens one page of a file, and reads what is small. */
static rug_status read_image(cli_run *run, cli_image *image, int page)
{
    double t = cli_now();
    rug_status status =
        read_part(run, &image->file, image->path, page, run->reading.channel);
    if (status == RUG_OK && !run->heads_only &&
        cli_is_left(run, rug_file_bytes(image->file)))
        status = RUG_E_CANCELLED;
    if (status != RUG_OK)
        return status;
    int small = run->parts == NULL && is_small(run, image->file);
    if (small)
        status = rug_file_load(run->ctx, image->file);
    image->read_seconds = cli_now() - t;
    image->pixels = rug_file_image(image->file);
    image->facts = rug_file_get_facts(image->file);
    image->source = *rug_file_source(image->file);
    if (image->facts->n_planes % 2 == 0) { /* which are in memory */
        image->colours = *image->pixels;
        image->colours.shape[0]--;
        rug_source_of_image(&image->source, &image->colours);
    }
    if (status == RUG_OK)
        status = cli_digest(run, image->digest, image->path);
    if (status == RUG_OK)
        status = read_mask(run, image, page, small);
    return status == RUG_OK && run->parts != NULL ? open_in_parts(run, image) : status;
}

/* Measures the range of an image. Where nothing but a warning may need it, it is left until then; an image
 * that is not in memory is only watched while it is read, unless a report needs all of the range. */
static rug_status measure_range(cli_run *run, cli_image *image)
{
    const rug_source *mask = image->mask_path != NULL ? &image->mask : NULL;
    if (image->watch == NULL)
        return RUG_OK;
    if (run->parts != NULL) { /* then it is watched already */
        cli_phase(run, 1.0);
        return RUG_OK;
    }
    int is_here = image->pixels->data != NULL;
    image->source = cli_watch_begin(image->watch, run->ctx, &image->source, mask);
    if (is_here)
        image->source = image->watch->source; /* which methods know to be in memory */
    if (!run->has_details && (is_here ? run->common.quiet : mask == NULL)) {
        cli_phase(run, 1.0);
        return RUG_OK;
    }
    cli_phase(run, cli_read_share(run) + RANGE_SHARE);
    cli_image_range(image);
    if (mask != NULL && !is_here && image->watch->status == RUG_OK)
        cli_say_mask(run, image); /* which was read with the image */
    cli_phase(run, 1.0);
    return image->watch->status;
}

/* What a worker printed from a place on is printed again by the run that its page is left to. */
static void forget(cli_run *run, off_t begin)
{
    fseeko(run->err, begin, SEEK_SET);
    while (run->n_warned > 0 && run->warned[run->n_warned - 1].begin >= begin)
        run->n_warned--;
}

/* @param page  -1: the only one */
static void name_page(const cli_run *run, char name[CLI_NAME_MAX], const char *path,
                      int page)
{
    int n = snprintf(name, CLI_NAME_MAX, "%s", cli_as_listed(run, path));
    size_t at = n < CLI_NAME_MAX ? (size_t)n : CLI_NAME_MAX - 1;
    if (page >= 0)
        snprintf(name + at, CLI_NAME_MAX - at, "[page=%d]", page);
    else if (run->inputs[run->input].is_slices)
        snprintf(name + at, CLI_NAME_MAX - at, "[files=%zu]", run->n_slices);
}

/* Reads one page of a file and measures it. A failure to read is left to the whole run, as some
 * libraries mix what they say to several threads. */
static void do_page(cli_run *run, const char *path, int page, int every,
                    cli_image_fn measure, void *user)
{
    char name[CLI_NAME_MAX];
    name_page(run, name, path, every ? page : -1);
    cli_watch watch = {.status = RUG_OK};
    cli_twin mask = {.file = NULL};
    cli_image image = {.path = path,
                       .name = name,
                       .watch = run->heads_only ? NULL : &watch,
                       .twin = &mask};
    off_t begin = run->batch != NULL ? ftello(run->err) : 0;
    cli_begin_input(run, name);
    rug_status status = read_image(run, &image, page);
    if (status == RUG_OK) {
        run->n_pages = image.facts->n_pages;
        warn_no_matrix(run, &image);
        status = measure_range(run, &image);
    } else if (status != RUG_E_CANCELLED) {
        cli_leave(run);
    }
    if (run->common.overlay != NULL)
        cli_shorten_phase(run, run->phase_at + OVERLAY_AT * run->phase_share);
    if (status == RUG_OK)
        status = measure(run, &image, user);
    if (status == RUG_OK)
        status = watch.status;
    if (run->is_left)
        forget(run, begin);
    else if (status != RUG_OK && status != RUG_E_CANCELLED)
        cli_fail_input(run, path, name);
    if (run->parts != NULL)
        run->parts->close(run, &image, status);
    cli_free_twin(&mask);
    rug_file_free(image.file);
    cli_end_image(run);
}

static void do_pages(cli_run *run, const char *path, cli_image_fn measure, void *user)
{
    const char *asked = run->reading.page;
    int page = -1;
    if (!cli_is_every_page(run)) {
        if (asked != NULL)
            cli_parse_int(&page, asked, 0, 1 << 30);
        do_page(run, path, page, 0, measure, user);
        return;
    }
    for (; run->page < run->n_pages && !run->interrupted; run->page++) {
        do_page(run, path, run->page, 1, measure, user);
        if (run->is_left)
            return;
    }
}

/* Options that a set of points has no use for. @return RUG_E_ARG, RUG_OK */
static rug_status check_points_options(cli_run *run)
{
    const cli_reading *r = &run->reading;
    if (r->page != NULL || r->volume || r->channel >= 0 || r->level > 0)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no pages, channels or levels; leave out "
                                "--page, --volume, --channel and --level");
    if (r->solid)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no inside; leave out --solid");
    if (r->nodata != NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points are all data; leave out --nodata");
    if (run->mask != NULL || run->inputs[run->input].mask != NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG, "points take no mask");
    if (run->common.values != NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points need no values of the whole; leave out --values");
    return RUG_OK;
}

/* Points that are measured in parts. */
static rug_status open_rows(cli_run *run, cli_points *points, cli_image *rows,
                            const char *path)
{
    static const rug_file_facts none;
    rows->path = path;
    rows->name = points->path;
    rows->facts = &none;
    rows->source = (rug_source)RUG_SOURCE_INIT;
    rows->source.dtype = points->points->dtype;
    rows->source.ndim = 2;
    rows->source.shape[0] = (size_t)points->points->n;
    rows->source.shape[1] = (size_t)points->points->ndim;
    points->rows = rows;
    return run->parts->open(run, rows);
}

static void do_points(cli_run *run, const char *path, cli_points_fn measure, void *user)
{
    cli_points points = {.path = cli_as_listed(run, path)};
    cli_image rows = {.in_parts = NULL};
    rug_point_file_options opts = run->point_options;
    opts.struct_size = sizeof opts;
    if (cli_is_left(run, cli_file_bytes(path)))
        return;
    cli_begin_input(run, points.path);
    rug_status status = check_points_options(run);
    double t = cli_now();
    if (status == RUG_OK)
        status = rug_point_file_open(run->ctx, &points.file, path, &opts);
    points.read_seconds = cli_now() - t;
    cli_phase(run, 1.0);
    if (status == RUG_OK) {
        points.points = rug_point_file_points(points.file);
        points.facts = rug_point_file_get_facts(points.file);
        status = cli_digest(run, points.digest, path);
    }
    if (status == RUG_OK && run->parts != NULL)
        status = open_rows(run, &points, &rows, path);
    if (status == RUG_OK)
        status = measure(run, &points, user);
    if (status != RUG_OK && status != RUG_E_CANCELLED)
        cli_fail_input(run, path, points.path);
    if (run->parts != NULL)
        run->parts->close(run, &rows, status);
    rug_point_file_free(points.file);
    cli_end_image(run);
}

/* An image where columns or rows of points are asked for. */
static void refuse_image(cli_run *run, const char *path)
{
    const char *name = cli_as_listed(run, path);
    cli_begin_input(run, name);
    rug_context_fail(
        run->ctx, RUG_E_ARG,
        "--columns and --skip-rows can only be used with points; add --points "
        "for an array of them");
    cli_fail_input(run, path, name);
    run->image = NULL;
}

/* What is done with each input. */
typedef struct input_work {
    cli_image_fn measure;
    cli_points_fn measure_points;
    void *user;
} input_work;

/* One process of a team measures points. */
static void do_points_alone(cli_run *run, const char *path, const input_work *w)
{
    cli_parts *parts = run->parts;
    if (!parts->has_rows)
        return;
    run->parts = NULL;
    do_points(run, path, w->measure_points, w->user);
    run->parts = parts;
}

static void do_input(cli_run *run, void *user)
{
    const input_work *w = user;
    const char *path = run->inputs[run->input].path;
    int are_images = run->reading.raw != NULL || run->reading.matrix;
    int are_points = w->measure_points != NULL &&
                     (run->reads_points || (!are_images && rugi_path_is_points(path)));
    if (are_points && run->parts != NULL && run->parts->is_team)
        do_points_alone(run, path, w);
    else if (are_points)
        do_points(run, path, w->measure_points, w->user);
    else if (run->point_options.columns != NULL || run->point_options.skip_rows > 0)
        refuse_image(run, path);
    else
        do_pages(run, path, w->measure, w->user);
}

void cli_for_each_input(cli_run *run, cli_image_fn measure, cli_points_fn measure_points,
                        void *user)
{
    input_work work = {measure, measure_points, user};
    cli_do_inputs(run, do_input, &work);
}
