/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring for `rugose boxcount`: one image, the labels of one image, one set of
 * points. */

#include "cmd_boxcount.h"
#include <stdio.h>
#include <string.h>

#define LABEL_NAME_MAX 4300

static rug_status fit(cli_run *run, const cli_boxcount_job *job,
                      cli_boxcount_found *found)
{
    return rug_boxcount_fit(run->ctx, &found->dimension, &found->counts, &job->fit);
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
    opts->sizes = job->sizes.n > 0 ? job->sizes.size : NULL;
    opts->n_sizes = job->sizes.n;
    if (image->mask_path != NULL)
        opts->mask = rug_file_image(image->mask_file);
    rug_status status = rug_source_resolve_foreground(
        run->ctx, &opts->foreground, &image->source,
        image->mask_path != NULL ? &image->mask : NULL, &image->range, job->foreground);
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
    l->n_short += cli_boxcount_is_short(&found.dimension) ? 1u : 0u;
    rug_record *row = rug_record_new();
    cli_describe_image(l->run, row, l->image);
    if (l->digest[0] != '\0')
        cli_add_file(row, "labels", l->job->values.labels, l->digest);
    cli_boxcount_add(l->run, l->job, l->image->name, row, &found);
    char name[LABEL_NAME_MAX];
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
        cli_boxcount_tell_labels(run, job, image, whole, l.n, l.n_short);
    return status;
}

rug_status cli_boxcount_image(cli_run *run, const cli_image *image, void *user)
{
    cli_boxcount_job *job = user;
    cli_boxcount_found found = {.count_seconds = 0};
    rug_boxcount_options opts;
    if (job->resolution > 0 || job->spacing > 0)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--resolution and --spacing are for points (--points)");
    if (job->values.gray)
        return cli_boxcount_gray(run, image, user);
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
    cli_boxcount_tell_image(run, job, image, &found);
    rug_record *row = rug_record_new();
    cli_describe_image(run, row, image);
    cli_boxcount_add(run, job, image->name, row, &found);
    return cli_boxcount_plot(run, job, image->name, &found);
}

rug_status cli_boxcount_points(cli_run *run, const cli_points *points, void *user)
{
    cli_boxcount_job *job = user;
    const cli_boxcount_values *v = &job->values;
    if (v->gray)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no grey values; leave out --gray");
    if (v->foreground != NULL || v->labels != NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no foreground and no labels; leave out "
                                "--foreground and --labels");
    cli_boxcount_found found = {.is_points = 1};
    rug_boxcount_points_options opts = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    opts.spacing = job->spacing;
    opts.resolution = job->resolution;
    opts.method = (rug_boxcount_method)v->method;
    opts.grid = (rug_boxcount_grid)v->grid;
    opts.sizes = job->sizes.n > 0 ? job->sizes.size : NULL;
    opts.n_sizes = job->sizes.n;
    double start = cli_now();
    rug_status status =
        rug_boxcount_points(run->ctx, &found.counts, points->points, &opts);
    found.count_seconds = cli_now() - start;
    if (status == RUG_OK)
        status = fit(run, job, &found);
    if (status != RUG_OK)
        return status;
    cli_boxcount_tell_points(run, points, &found);
    rug_record *row = rug_record_new();
    cli_describe_points(run, row, points);
    cli_boxcount_add(run, job, points->path, row, &found);
    return cli_boxcount_plot(run, job, points->path, &found);
}
