/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring for `rugose boxcount`: one image, the labels of one image, one set of points; and
 * what comes of it: rows of both tables, the plot, and lines on stderr. */

#include "cmd_boxcount.h"
#include "overlay/overlay.h"
#include "parts/parts.h"
#include "shared/twin.h"
#include <inttypes.h>
#include <math.h>
#include <rugose/volume_writer.h>
#include <stdio.h>
#include <string.h>

/* What was measured of one image, one label or one set of points. */
typedef struct boxcount_found {
    const rug_boxcount_result *counts;
    const rug_boxcount_facts *facts; /* of the counts */
    rug_fit fit;
    const cli_boxcount_lengths *lengths; /* NULL: sizes are in pixels */
    const rug_region *label;             /* NULL: not a label */
    int is_points;
    double count_seconds, threshold_seconds;
} boxcount_found;

/* ---- Rows ---- */

static double share_of(const rug_boxcount_facts *facts)
{
    return facts->n_pixels == RUG_BOXCOUNT_TOO_MANY || facts->n_pixels == 0
               ? (double)NAN
               : (double)facts->n_set / (double)facts->n_pixels;
}

/* NaN where 64 bits do not hold the number. */
static void set_boxes(cli_record *r, const char *name, uint64_t n)
{
    if (n == RUG_BOXCOUNT_TOO_MANY)
        cli_record_set_real(r, name, (double)NAN);
    else
        cli_record_set_integer(r, name, n);
}

static void set_means(cli_record *r, const rug_box_positions *p)
{
    cli_record_set_real(r, "total", p->mean_total);
    cli_record_set_real(r, "nonempty", p->mean_nonempty);
    cli_record_set_real(r, "black", p->mean_black);
    cli_record_set_real(r, "gray", p->mean_nonempty - p->mean_black);
    cli_record_set_real(r, "white", p->mean_total - p->mean_nonempty);
}

static void set_positions(cli_record *r, const rug_box_positions *p, int ndim)
{
    char shift[CLI_SHAPE_MAX];
    cli_format_shape(shift, ndim, p->shift);
    cli_record_set_text(r, "shift", shift);
    cli_record_set_integer(r, "least", p->least);
    cli_record_set_real(r, "mean", p->mean_nonempty);
    cli_record_set_integer(r, "most", p->most);
}

static cli_record *size_record(const boxcount_found *found, uint32_t i)
{
    const rug_box_count *c = rug_boxcount_at(found->counts, i);
    const rug_box_positions *p = rug_boxcount_positions_at(found->counts, i);
    cli_record *r = cli_record_new();
    if (found->lengths != NULL) {
        cli_record_set_real(r, "size", cli_boxcount_length(found->lengths, c->size));
        cli_record_set_text(r, "size_unit", found->lengths->unit);
    } else {
        cli_record_set_integer(r, "size", c->size);
    }
    if (found->facts->grid == RUG_BOXCOUNT_GRID_MEAN) {
        set_means(r, p);
    } else {
        set_boxes(r, "total", c->total);
        cli_record_set_integer(r, "nonempty", c->nonempty);
        cli_record_set_integer(r, "black", c->black);
        cli_record_set_integer(r, "gray", c->gray);
        set_boxes(r, "white", c->white);
    }
    if (p != NULL)
        set_positions(r, p, found->facts->ndim);
    return r;
}

static void add_counts(cli_run *run, const char *name, const boxcount_found *found)
{
    for (uint32_t i = 0; run->second != NULL && i < found->facts->n_sizes; i++) {
        cli_record *row = size_record(found, i);
        cli_set_image(run, row, name);
        if (found->label != NULL)
            cli_record_set_integer(row, "label", found->label->label);
        cli_report_add(run->second, row);
    }
}

/* ln(count) of the line at a size of 1. */
static double intercept_of(const boxcount_found *found)
{
    double parts = found->lengths != NULL ? found->lengths->parts : 1;
    return found->fit.intercept - found->fit.slope * log(parts);
}

static void add_json_details(cli_record *row, const boxcount_found *found)
{
    const rug_fit *d = &found->fit;
    const rug_boxcount_facts *c = found->facts;
    if (found->label != NULL)
        cli_set_region(row, found->label, c->ndim);
    cli_record_set_integer(row, "foreground_pixels", c->n_set);
    set_boxes(row, "pixels", c->n_pixels);
    cli_record_set_real(row, "intercept", intercept_of(found));
    for (uint32_t i = 0; i < c->n_sizes; i++)
        cli_boxcount_append_size(row, size_record(found, i), d, i);
}

/* The rule that chose the pixels. */
static void set_foreground(cli_record *row, const boxcount_found *found)
{
    char rule[RUG_FOREGROUND_TEXT_MAX] = "points";
    if (!found->is_points)
        rug_foreground_format(rule, found->facts->foreground);
    cli_record_set_text(row, "foreground", rule);
}

static void add(cli_run *run, const char *name, cli_record *row,
                const boxcount_found *found)
{
    const rug_boxcount_facts *facts = found->facts;
    char shape[CLI_SHAPE_MAX];
    cli_format_shape(shape, facts->ndim, facts->shape);
    cli_record_set_text(row, "shape", shape);
    if (found->label != NULL)
        cli_record_set_integer(row, "label", found->label->label);
    set_foreground(row, found);
    cli_record_set_real(row, "foreground_share", share_of(facts));
    cli_boxcount_set_fit(row, &found->fit, found->lengths);
    cli_record_set_text(row, "grid", rug_boxcount_grid_name(facts->grid));
    cli_record_set_text(row, "method", rug_boxcount_method_name(facts->method));
    cli_record_set_text(row, "engine",
                        found->is_points ? facts->engine
                                         : cli_engine_of(run, facts->engine));
    cli_record_set_text(row, "status", rug_fit_status_name(found->fit.status));
    if (run->has_details)
        add_json_details(row, found);
    cli_report_add(run->report, row);
    add_counts(run, name, found);
}

/* ---- The plot ---- */

/* For people. */
static const char *unit_of(const boxcount_found *found)
{
    if (found->lengths == NULL)
        return "pixels";
    return found->lengths->unit != NULL ? found->lengths->unit : "unit of the file";
}

static cli_plot_unit plot_unit_of(const cli_image *image, const boxcount_found *found)
{
    if (found->lengths != NULL)
        return (cli_plot_unit){unit_of(found), 0};
    return image != NULL ? cli_unit_of(image->pixels)
                         : (cli_plot_unit){"lattice cells", 0};
}

static double length_of(const boxcount_found *found, uint64_t size)
{
    return found->lengths != NULL ? cli_boxcount_length(found->lengths, size)
                                  : (double)size;
}

/* @param image  NULL: of points */
static rug_status plot(cli_run *run, cli_boxcount_job *job, const char *name,
                       const cli_image *image, const boxcount_found *found)
{
    rug_boxcount_of of = (rug_boxcount_of)job->values.of;
    char boxes[32];
    snprintf(boxes, sizeof boxes, "%s boxes", rug_boxcount_of_name(of));
    cli_boxcount_curve curve = {.label = boxes,
                                .unit = plot_unit_of(image, found),
                                .n = found->facts->n_sizes,
                                .fit = &found->fit,
                                .intercept = intercept_of(found),
                                .ends = {length_of(found, found->fit.size_min),
                                         length_of(found, found->fit.size_max)}};
    for (uint32_t i = 0; i < found->facts->n_sizes; i++) {
        curve.size[i] = length_of(found, rug_boxcount_at(found->counts, i)->size);
        curve.count[i] = rug_boxcount_boxes(found->counts, i, of);
    }
    return cli_boxcount_draw(run, job, name, &curve);
}

/* ---- Lines on stderr ---- */

#define RANGE_MAX 128

static int is_short(const rug_fit *f)
{
    return f->status != RUG_FIT_EMPTY &&
           cli_is_short_fit(f->n_sizes, f->size_min, f->size_max);
}

/* Warns of what the number of sizes does not show. @return nonzero when all is said */
static int warn_of_line(cli_run *run, const rug_fit *f, const cli_range *asked)
{
    int is_default = asked->is_auto || (asked->min == 0 && asked->max == 0);
    if (f->r_squared < RUG_FIT_R_SQUARED)
        cli_warn(run,
                 "the counts do not lie on a line (R2 %.3f); look at the local slopes "
                 "(--plot, or -f json)",
                 f->r_squared);
    if (!is_default || f->n_sizes > 0 || f->status != RUG_FIT_TOO_FEW_SIZES)
        return 0;
    cli_warn(run,
             "no size says anything: at each one box holds everything, or nearly every "
             "point or pixel has a box of its own");
    return 1;
}

/* The sizes of a fit, where they are lengths. @return NULL: they are not */
static const char *format_range(char text[RANGE_MAX], const boxcount_found *found)
{
    char ends[2][RUGI_REAL_TEXT_MAX];
    if (found->lengths == NULL)
        return NULL;
    rugi_format_real_short(ends[0], length_of(found, found->fit.size_min));
    rugi_format_real_short(ends[1], length_of(found, found->fit.size_max));
    snprintf(text, RANGE_MAX, "%s..%s %s", ends[0], ends[1], unit_of(found));
    return text;
}

static void warn_of_fit(cli_run *run, const boxcount_found *found, const cli_range *asked)
{
    const rug_fit *f = &found->fit;
    char range[RANGE_MAX];
    if (warn_of_line(run, f, asked))
        return;
    int are_few = f->status == RUG_FIT_NO_SCALING_RANGE && f->n_sizes < 3;
    if (are_few)
        cli_warn(run, "fewer than three sizes are left after leaving out those at which "
                      "every box holds foreground or one box holds everything");
    cli_warn_of_fit(run, are_few ? RUG_FIT_OK : f->status, f->n_sizes, f->size_min,
                    f->size_max, format_range(range, found));
}

/* How unevenly the threads were busy, where the method knows.
 * @param facts  NULL: many counts, each with its own engine */
static void end_times(const cli_run *run, const rug_boxcount_facts *facts)
{
    char spread[120] = "";
    if (facts != NULL && facts->busy_most > 0)
        snprintf(spread, sizeof spread,
                 ", threads busy %.3f ms to %.3f ms (spread %.1f %%)",
                 facts->busy_least * 1e3, facts->busy_most * 1e3,
                 100 * (facts->busy_most - facts->busy_least) / facts->busy_most);
    cli_end_times(run, facts != NULL ? facts->engine : NULL, spread);
}

static void print_times(const cli_run *run, const cli_image *image,
                        const boxcount_found *found)
{
    if (!cli_begin_times(run, image))
        return;
    cli_print(run->err, ", threshold %.3f ms, count %.3f ms",
              found->threshold_seconds * 1e3, found->count_seconds * 1e3);
    end_times(run, found->facts);
}

static void warn_of_image(cli_run *run, const cli_boxcount_job *job,
                          const cli_image *image)
{
    cli_warn_of_values(run, image, job->values.foreground);
    if (!job->has_lengths)
        cli_warn_of_spacing(run, image->pixels, "--box-unit file takes cubes in space");
}

static void print_image(cli_run *run, const cli_boxcount_job *job, const cli_image *image,
                        const boxcount_found *found)
{
    char foreground[CLI_FOREGROUND_MAX];
    double share = share_of(found->facts);
    cli_format_foreground(foreground, image, job->values.foreground,
                          found->facts->foreground, share, found->facts->n_pixels);
    cli_print_read(run, image, foreground);
    cli_warn_of_share(run, job->values.foreground, share, found->facts->n_pixels);
    warn_of_image(run, job, image);
    warn_of_fit(run, found, &job->values.fit);
    cli_warn_of_thin_axis(run, image, &job->values.fit,
                          found->lengths != NULL ? found->lengths->pixel_size : NULL,
                          found->fit.size_max);
    print_times(run, image, found);
}

static void print_labels(cli_run *run, const cli_boxcount_job *job,
                         const cli_image *image, const cli_labels *labels,
                         const boxcount_found *whole, rug_foreground foreground,
                         size_t n_labels, size_t n_short)
{
    char text[RUG_FOREGROUND_TEXT_MAX], extra[RUG_FOREGROUND_TEXT_MAX + 64];
    rug_foreground_format(text, foreground);
    snprintf(extra, sizeof extra, "foreground %s, %zu label%s", text, n_labels,
             n_labels == 1 ? "" : "s");
    cli_print_read(run, image, extra);
    warn_of_image(run, job, image);
    cli_warn_of_labels(run, labels, n_labels);
    if (n_short > 0)
        cli_warn(run,
                 "the fits of %zu of %zu labels cover fewer than %d sizes or less than a "
                 "decade",
                 n_short, n_labels, CLI_FEW_SIZES);
    print_times(run, image, whole);
}

static void print_points(cli_run *run, const cli_boxcount_job *job,
                         const cli_points *points, const boxcount_found *found)
{
    const rug_boxcount_facts *c = found->facts;
    char shape[CLI_SHAPE_MAX], extra[CLI_SHAPE_MAX + 80];
    cli_format_shape(shape, c->ndim, c->shape);
    snprintf(extra, sizeof extra, "%" PRIu64 " of %s lattice cells set", c->n_set, shape);
    if (!run->common.quiet)
        cli_print_line(run, cli_point_file_read_line(points->file, points->path, extra));
    warn_of_fit(run, found, &job->values.fit);
    if (!run->common.verbose)
        return;
    cli_print(run->err, "time %s: read %.3f ms, count %.3f ms", points->path,
              points->read_seconds * 1e3, found->count_seconds * 1e3);
    end_times(run, c);
}

/* ---- Measuring ---- */

static rug_status fit(cli_run *run, const cli_boxcount_job *job, boxcount_found *found,
                      const rug_boxcount_result *counts)
{
    const cli_boxcount_values *v = &job->values;
    found->counts = counts;
    found->facts = rug_boxcount_get_facts(counts);
    found->fit = (rug_fit)RUG_FIT_INIT;
    rug_fit_options range = cli_fit_options(&v->fit);
    if (found->lengths != NULL) {
        range.size_min = found->lengths->fit_min;
        range.size_max = found->lengths->fit_max;
    }
    return rug_boxcount_fit(run->ctx, &found->fit, counts, (rug_boxcount_of)v->of,
                            &range);
}

/* Sizes of boxes, and of pixels. */
static void choose_sizes(rug_boxcount_options *opts, const cli_boxcount_job *job,
                         const cli_boxcount_lengths *lengths)
{
    const uint64_t *sizes = job->values.sizes.size;
    opts->n_sizes = job->values.sizes.n;
    if (lengths != NULL) {
        sizes = lengths->size;
        opts->n_sizes = lengths->asked->n;
        memcpy(opts->pixel_size, lengths->pixel_size, sizeof opts->pixel_size);
    }
    opts->sizes = opts->n_sizes > 0 ? sizes : NULL;
}

/* The options of a count, with the rule found in the range that is known already.
 *  @param lengths  NULL: sizes are in pixels */
static rug_status choose(cli_run *run, const cli_boxcount_job *job,
                         const cli_boxcount_lengths *lengths, const cli_image *image,
                         rug_boxcount_options *opts, double *seconds)
{
    double start = cli_now();
    *opts = (rug_boxcount_options)RUG_BOXCOUNT_OPTIONS_INIT;
    opts->method = (rug_boxcount_method)job->values.method;
    opts->grid = (rug_boxcount_grid)job->values.grid;
    choose_sizes(opts, job, lengths);
    if (image->mask_path != NULL)
        opts->mask = &image->mask;
    rug_status status =
        cli_resolve_foreground(run, image, job->values.foreground, &opts->foreground);
    *seconds = cli_now() - start;
    return status;
}

/* Counts an image in memory, or slab by slab. */
static rug_status count(cli_run *run, const cli_image *image,
                        const rug_boxcount_options *opts, rug_boxcount_result **out,
                        double *seconds)
{
    double start = cli_now();
    rug_status status = run->parts != NULL ? cli_boxcount_in_parts(run, image, opts, out)
                        : image->pixels->data != NULL
                            ? rug_boxcount(run->ctx, out, image->pixels, opts)
                            : rug_boxcount_source(run->ctx, out, &image->source, opts);
    *seconds = cli_now() - start;
    return status;
}

/* ---- The volume ---- */

/* An image as 0 and 1, slab by slab. */
typedef struct set_pixels {
    const cli_image *image;
    rug_foreground rule;
    size_t n_layer; /* pixels */
    size_t n;       /* layers in flags */
    uint8_t *flags; /* owned */
} set_pixels;

static rug_status find_set(rug_context *ctx, void *user, rug_image *out, size_t first,
                           size_t n)
{
    set_pixels *set = user;
    const cli_image *image = set->image;
    const int has_mask = image->mask_path != NULL;
    rug_image slab, inside;
    if (n > set->n) {
        rug_context_release(ctx, set->flags);
        set->n = n;
        set->flags = rug_context_allocate(ctx, n, set->n_layer, image->path);
    }
    if (set->flags == NULL)
        return RUG_E_NOMEM;
    rug_status status = image->source.read(ctx, image->source.user, &slab, first, n);
    if (status == RUG_OK && has_mask)
        status = image->mask.read(ctx, image->mask.user, &inside, first, n);
    if (status == RUG_OK)
        status = rug_foreground_flags(ctx, set->flags, &slab, has_mask ? &inside : NULL,
                                      set->rule);
    return status == RUG_OK
               ? rug_image_view(ctx, out, set->flags, RUG_U8, slab.ndim, slab.shape)
               : status;
}

/* Writes the foreground, where a volume is asked. */
static rug_status save(cli_run *run, cli_boxcount_job *job, const cli_image *image,
                       rug_foreground rule)
{
    char path[CLI_PATH_MAX];
    set_pixels set = {.image = image, .rule = rule, .n_layer = 1};
    rug_source source = image->source;
    if (job->values.save_volume == NULL)
        return RUG_OK;
    cli_phase(run, 1);
    source.dtype = RUG_U8;
    source.read = find_set;
    source.user = &set;
    for (int a = 1; a < source.ndim; a++)
        set.n_layer *= source.shape[a];
    rug_status status = cli_claim(run, &job->volumes, path, "save-volume",
                                  job->values.save_volume, image->name, "");
    if (status == RUG_OK)
        status = rug_volume_write(run->ctx, path, &source, image->file);
    rug_context_release(run->ctx, set.flags);
    return status;
}

/* ---- Labels ---- */

/* What the rows of labels are made from. */
typedef struct labelling {
    cli_run *run;
    cli_boxcount_job *job;
    const cli_image *image;
    size_t n;
    size_t n_short; /* labels whose fit says little */
    cli_labels labels;
    const cli_boxcount_lengths *lengths;
} labelling;

static rug_status add_label(void *user, const rug_region *region,
                            const rug_boxcount_result *counts)
{
    labelling *l = user;
    boxcount_found found = {.label = region, .lengths = l->lengths};
    rug_status status = fit(l->run, l->job, &found, counts);
    if (status != RUG_OK)
        return status;
    l->n++;
    l->n_short += is_short(&found.fit) ? 1u : 0u;
    cli_record *row = cli_image_row(l->run, l->image);
    if (l->run->has_details)
        cli_add_file(row, "labels", cli_as_listed(l->run, l->labels.path),
                     l->labels.digest);
    add(l->run, l->image->name, row, &found);
    char name[CLI_LABEL_NAME_MAX];
    cli_name_label(name, l->image->name, region->label);
    return plot(l->run, l->job, name, l->image, &found);
}

static rug_status count_labels(cli_run *run, cli_boxcount_job *job,
                               const cli_image *image, const rug_boxcount_options *opts,
                               boxcount_found *whole)
{
    labelling l = {.run = run, .job = job, .image = image, .lengths = whole->lengths};
    rug_status status = cli_read_labels(run, &l.labels, image);
    double start = cli_now();
    if (status == RUG_OK)
        status = rug_boxcount_labels(run->ctx, image->pixels, &l.labels.twin.source, opts,
                                     add_label, &l);
    whole->count_seconds = cli_now() - start;
    if (status == RUG_OK)
        print_labels(run, job, image, &l.labels, whole, opts->foreground, l.n, l.n_short);
    if (status == RUG_OK)
        status = cli_show_image(run, image,
                                &(cli_shown){&opts->foreground, &l.labels.twin.source});
    status = cli_end_labels(run, &l.labels, status);
    return cli_end_sheets(run, &job->plots, status);
}

/* ---- Images and points ---- */

rug_status cli_boxcount_image(cli_run *run, cli_boxcount_job *job, const cli_image *image)
{
    boxcount_found found = {.count_seconds = 0};
    cli_boxcount_lengths lengths;
    rug_boxcount_options opts;
    rug_status status = RUG_OK;
    if (job->values.save_volume != NULL)
        cli_shorten_phase(run, run->phase_at + run->phase_share / 2);
    if (job->has_lengths) {
        status = cli_boxcount_find_lengths(run, &lengths, job, image->pixels);
        found.lengths = &lengths;
    }
    if (status == RUG_OK)
        status = choose(run, job, found.lengths, image, &opts, &found.threshold_seconds);
    if (status == RUG_OK && run->has_labels)
        return count_labels(run, job, image, &opts, &found);
    rug_boxcount_result *counts = NULL;
    if (status == RUG_OK)
        status = count(run, image, &opts, &counts, &found.count_seconds);
    if (counts == NULL)
        return status;
    if (status == RUG_OK)
        status = fit(run, job, &found, counts);
    if (status == RUG_OK) {
        print_image(run, job, image, &found);
        status = save(run, job, image, found.facts->foreground);
    }
    if (status == RUG_OK)
        status = cli_show_image(run, image, &(cli_shown){&found.facts->foreground, NULL});
    if (status == RUG_OK) {
        add(run, image->name, cli_image_row(run, image), &found);
        status = plot(run, job, image->name, image, &found);
    }
    rug_boxcount_free(counts);
    return status;
}

rug_status cli_boxcount_points(cli_run *run, const cli_points *points, void *user)
{
    cli_boxcount_job *job = user;
    const cli_boxcount_values *v = &job->values;
    if (v->gray)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no grey values; leave out --gray");
    if (cli_is_given(&run->words, "foreground") || run->has_labels)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no foreground and no labels; leave out "
                                "--foreground and --labels");
    if (job->has_lengths)
        return rug_context_fail(
            run->ctx, RUG_E_ARG,
            "points have no pixels; leave out --box-unit, and give the "
            "side of lattice cells with --spacing");
    if (v->save_volume != NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no voxels; leave out --save-volume");
    boxcount_found found = {.is_points = 1};
    rug_boxcount_points_options opts = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    opts.spacing = job->values.spacing;
    opts.resolution = job->values.resolution;
    opts.method = (rug_boxcount_method)v->method;
    opts.grid = (rug_boxcount_grid)v->grid;
    opts.sizes = job->values.sizes.n > 0 ? job->values.sizes.size : NULL;
    opts.n_sizes = job->values.sizes.n;
    double start = cli_now();
    rug_boxcount_result *counts;
    rug_status status =
        run->parts != NULL
            ? cli_boxcount_points_in_parts(run, points, &opts, &counts)
            : rug_boxcount_points(run->ctx, &counts, points->points, &opts);
    found.count_seconds = cli_now() - start;
    if (counts == NULL)
        return status;
    status = fit(run, job, &found, counts);
    if (status == RUG_OK) {
        print_points(run, job, points, &found);
        status = cli_show_points(run, points);
    }
    if (status == RUG_OK) {
        add(run, points->path, cli_points_row(run, points), &found);
        status = plot(run, job, points->path, NULL, &found);
    }
    rug_boxcount_free(counts);
    return status;
}
