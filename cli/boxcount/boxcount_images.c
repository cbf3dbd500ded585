/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring for `rugose boxcount`: one image, the labels of one image, one set of points; and
 * what it prints on stderr. */

#include "cmd_boxcount.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Lines on stderr ---- */

static int is_short(const rug_boxcount_dimension *d)
{
    return strcmp(d->status, "empty") != 0 &&
           cli_is_short_fit(d->n_sizes, d->size_min, d->size_max);
}

static void warn_of_fit(cli_run *run, const rug_boxcount_dimension *d)
{
    int are_few = strcmp(d->status, "no scaling range") == 0 && d->n_sizes < 3;
    if (are_few)
        cli_warn(run, "fewer than three sizes are left after leaving out those at which "
                      "every box holds foreground or one box holds everything");
    cli_warn_of_fit(run,
                    strcmp(d->status, "empty") == 0 ? RUG_FIT_EMPTY
                    : strcmp(d->status, "no scaling range") == 0 && !are_few
                        ? RUG_FIT_NO_SCALING_RANGE
                        : RUG_FIT_OK,
                    d->n_sizes, d->size_min, d->size_max);
}

/* How unevenly the threads were busy, where the method knows.
 * @param engine  NULL: many counts, each with its own */
static void end_times(const cli_run *run, const rug_boxcount_result *c,
                      const char *engine)
{
    char spread[120] = "";
    if (c->busy_most > 0)
        snprintf(spread, sizeof spread,
                 ", threads busy %.3f ms to %.3f ms (spread %.1f %%)",
                 c->busy_least * 1e3, c->busy_most * 1e3,
                 100 * (c->busy_most - c->busy_least) / c->busy_most);
    cli_end_times(run, engine, spread);
}

static void print_times(const cli_run *run, const cli_image *image,
                        const cli_boxcount_found *found, const char *engine)
{
    if (!cli_begin_times(run, image))
        return;
    fprintf(stderr, ", threshold %.3f ms, count %.3f ms", found->threshold_seconds * 1e3,
            found->count_seconds * 1e3);
    end_times(run, &found->counts, engine);
}

static void warn_of_image(cli_run *run, const cli_boxcount_job *job,
                          const cli_image *image)
{
    cli_warn_of_values(run, image, job->values.foreground);
    cli_warn_of_spacing(run, image->pixels);
}

static void print_image(cli_run *run, const cli_boxcount_job *job, const cli_image *image,
                        const cli_boxcount_found *found)
{
    char foreground[CLI_FOREGROUND_MAX];
    double share = cli_boxcount_share(&found->counts);
    cli_format_foreground(foreground, image, job->values.foreground,
                          found->counts.foreground, share, found->counts.n_pixels);
    cli_print_read(run, image, foreground);
    cli_warn_of_share(run, share, found->counts.n_pixels);
    warn_of_image(run, job, image);
    warn_of_fit(run, &found->dimension);
    print_times(run, image, found, found->counts.engine);
}

static void print_labels(cli_run *run, const cli_boxcount_job *job,
                         const cli_image *image, const cli_boxcount_found *whole,
                         size_t n_labels, size_t n_short)
{
    char text[RUG_FOREGROUND_TEXT_MAX], extra[RUG_FOREGROUND_TEXT_MAX + 64];
    rug_foreground_format(text, whole->counts.foreground);
    snprintf(extra, sizeof extra, "foreground %s, %zu label%s", text, n_labels,
             n_labels == 1 ? "" : "s");
    cli_print_read(run, image, extra);
    warn_of_image(run, job, image);
    cli_warn_of_labels(run, job->values.labels, n_labels);
    if (n_short > 0)
        cli_warn(run,
                 "the fits of %zu of %zu labels cover fewer than %d sizes or less than a "
                 "decade",
                 n_short, n_labels, CLI_FEW_SIZES);
    print_times(run, image, whole, NULL);
}

static void print_points(cli_run *run, const cli_points *points,
                         const cli_boxcount_found *found)
{
    const rug_boxcount_result *c = &found->counts;
    char shape[CLI_SHAPE_MAX], extra[CLI_SHAPE_MAX + 80];
    cli_format_shape(shape, c->ndim, c->shape);
    snprintf(extra, sizeof extra, "%" PRIu64 " of %s lattice cells set", c->n_set, shape);
    if (!run->common.quiet)
        cli_print_line(run, rug_point_file_read_line(points->file, extra));
    warn_of_fit(run, &found->dimension);
    if (!run->common.verbose)
        return;
    fprintf(stderr, "time %s: read %.3f ms, count %.3f ms", points->path,
            points->read_seconds * 1e3, found->count_seconds * 1e3);
    end_times(run, c, c->engine);
}

/* ---- Measuring ---- */

static rug_status fit(cli_run *run, const cli_boxcount_job *job,
                      cli_boxcount_found *found)
{
    const cli_boxcount_values *v = &job->values;
    rug_boxcount_fit_options opts = RUG_BOXCOUNT_FIT_OPTIONS_INIT;
    opts.of = (rug_boxcount_of)v->of;
    opts.auto_range = v->fit.is_auto;
    opts.size_min = v->fit.min;
    opts.size_max = v->fit.max;
    return rug_boxcount_fit(run->ctx, &found->dimension, &found->counts, &opts);
}

/* The options of a count, with the rule found in the range that is known already. */
static rug_status choose(cli_run *run, const cli_boxcount_job *job,
                         const cli_image *image, rug_boxcount_options *opts,
                         double *seconds)
{
    double start = cli_now();
    *opts = (rug_boxcount_options)RUG_BOXCOUNT_OPTIONS_INIT;
    opts->method = (rug_boxcount_method)job->values.method;
    opts->grid = (rug_boxcount_grid)job->values.grid;
    opts->sizes = job->values.sizes.n > 0 ? job->values.sizes.size : NULL;
    opts->n_sizes = job->values.sizes.n;
    if (image->mask_path != NULL)
        opts->mask = rug_file_image(image->mask_file);
    rug_status status =
        rug_source_resolve_foreground(run->ctx, &opts->foreground, &image->source,
                                      image->mask_path != NULL ? &image->mask : NULL,
                                      &image->range, job->values.foreground);
    *seconds = cli_now() - start;
    return status;
}

/* Counts an image in memory, or slab by slab. */
static rug_status count(cli_run *run, const cli_image *image,
                        const rug_boxcount_options *opts, cli_boxcount_found *found)
{
    double start = cli_now();
    rug_status status =
        image->pixels->data != NULL
            ? rug_boxcount(run->ctx, &found->counts, image->pixels, opts)
            : rug_boxcount_source(run->ctx, &found->counts, &image->source,
                                  image->mask_path != NULL ? &image->mask : NULL, opts);
    found->count_seconds = cli_now() - start;
    return status;
}

/* What the rows of labels are made from. */
typedef struct labelling {
    cli_run *run;
    cli_boxcount_job *job;
    const cli_image *image;
    size_t n;
    size_t n_short; /* labels whose fit says little */
    char digest[RUG_SHA256_TEXT_MAX];
} labelling;

static rug_status add_label(void *user, const rug_region *region,
                            const rug_boxcount_result *counts)
{
    labelling *l = user;
    cli_boxcount_found found = {.counts = *counts, .label = region};
    rug_status status = fit(l->run, l->job, &found);
    if (status != RUG_OK)
        return status;
    l->n++;
    l->n_short += is_short(&found.dimension) ? 1u : 0u;
    rug_record *row = cli_image_row(l->run, l->image);
    if (l->digest[0] != '\0')
        cli_add_file(row, "labels", l->job->values.labels, l->digest);
    cli_boxcount_add(l->run, l->job, l->image->name, row, &found);
    char name[CLI_LABEL_NAME_MAX];
    snprintf(name, sizeof name, "%s[label=%llu]", l->image->name,
             (unsigned long long)region->label);
    return cli_boxcount_plot(l->run, l->job, name, &found);
}

static rug_status count_labels(cli_run *run, cli_boxcount_job *job,
                               const cli_image *image, const rug_boxcount_options *opts,
                               cli_boxcount_found *whole)
{
    labelling l = {.run = run, .job = job, .image = image};
    rug_file *labels = NULL;
    rug_status status =
        cli_read_labels(run, &labels, job->values.labels, image->facts->page);
    cli_digest(run, l.digest, job->values.labels);
    double start = cli_now();
    if (status == RUG_OK)
        status = rug_boxcount_labels(run->ctx, image->pixels, rug_file_image(labels),
                                     opts, add_label, &l);
    whole->count_seconds = cli_now() - start;
    rug_file_free(labels);
    if (status == RUG_OK)
        print_labels(run, job, image, whole, l.n, l.n_short);
    return status;
}

rug_status cli_boxcount_image(cli_run *run, const cli_image *image, void *user)
{
    cli_boxcount_job *job = user;
    cli_boxcount_found found = {.count_seconds = 0};
    rug_boxcount_options opts;
    if (job->values.resolution > 0 || job->values.spacing > 0)
        return rug_context_fail(
            run->ctx, RUG_E_ARG,
            "--resolution and --spacing can only be used with points");
    if (job->values.gray)
        return cli_boxcount_gray(run, job, image);
    rug_status status = choose(run, job, image, &opts, &found.threshold_seconds);
    found.counts.foreground = opts.foreground;
    if (status == RUG_OK && job->values.labels != NULL)
        return count_labels(run, job, image, &opts, &found);
    if (status == RUG_OK)
        status = count(run, image, &opts, &found);
    if (status == RUG_OK)
        status = fit(run, job, &found);
    if (status != RUG_OK)
        return status;
    print_image(run, job, image, &found);
    cli_boxcount_add(run, job, image->name, cli_image_row(run, image), &found);
    return cli_boxcount_plot(run, job, image->name, &found);
}

rug_status cli_boxcount_points(cli_run *run, const cli_points *points, void *user)
{
    cli_boxcount_job *job = user;
    const cli_boxcount_values *v = &job->values;
    if (v->gray)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no grey values; leave out --gray");
    if (cli_is_given(&run->words, "foreground") || v->labels != NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no foreground and no labels; leave out "
                                "--foreground and --labels");
    cli_boxcount_found found = {.is_points = 1};
    rug_boxcount_points_options opts = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    opts.spacing = job->values.spacing;
    opts.resolution = job->values.resolution;
    opts.method = (rug_boxcount_method)v->method;
    opts.grid = (rug_boxcount_grid)v->grid;
    opts.sizes = job->values.sizes.n > 0 ? job->values.sizes.size : NULL;
    opts.n_sizes = job->values.sizes.n;
    double start = cli_now();
    rug_status status =
        rug_boxcount_points(run->ctx, &found.counts, points->points, &opts);
    found.count_seconds = cli_now() - start;
    if (status == RUG_OK)
        status = fit(run, job, &found);
    if (status != RUG_OK)
        return status;
    print_points(run, points, &found);
    cli_boxcount_add(run, job, points->path, cli_points_row(run, points), &found);
    return cli_boxcount_plot(run, job, points->path, &found);
}
