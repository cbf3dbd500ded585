/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring for `rugose boxcount`: one image, the labels of one image, one set of points; and
 * what it prints on stderr. */

#include "cmd_boxcount.h"
#include <inttypes.h>
#include <stdio.h>

/* ---- Lines on stderr ---- */

static int is_short(const rug_fit *f)
{
    return f->status != RUG_FIT_EMPTY &&
           cli_is_short_fit(f->n_sizes, f->size_min, f->size_max);
}

static void warn_of_fit(cli_run *run, const rug_fit *f)
{
    int are_few = f->status == RUG_FIT_NO_SCALING_RANGE && f->n_sizes < 3;
    if (are_few)
        cli_warn(run, "fewer than three sizes are left after leaving out those at which "
                      "every box holds foreground or one box holds everything");
    cli_warn_of_fit(run, are_few ? RUG_FIT_OK : f->status, f->n_sizes, f->size_min,
                    f->size_max);
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
                        const cli_boxcount_found *found)
{
    if (!cli_begin_times(run, image))
        return;
    fprintf(run->err, ", threshold %.3f ms, count %.3f ms",
            found->threshold_seconds * 1e3, found->count_seconds * 1e3);
    end_times(run, found->facts);
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
    double share = cli_boxcount_share(found->facts);
    cli_format_foreground(foreground, image, job->values.foreground,
                          found->facts->foreground, share, found->facts->n_pixels);
    cli_print_read(run, image, foreground);
    cli_warn_of_share(run, share, found->facts->n_pixels);
    warn_of_image(run, job, image);
    warn_of_fit(run, &found->fit);
    print_times(run, image, found);
}

static void print_labels(cli_run *run, const cli_boxcount_job *job,
                         const cli_image *image, const cli_boxcount_found *whole,
                         rug_foreground foreground, size_t n_labels, size_t n_short)
{
    char text[RUG_FOREGROUND_TEXT_MAX], extra[RUG_FOREGROUND_TEXT_MAX + 64];
    rug_foreground_format(text, foreground);
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
    print_times(run, image, whole);
}

static void print_points(cli_run *run, const cli_points *points,
                         const cli_boxcount_found *found)
{
    const rug_boxcount_facts *c = found->facts;
    char shape[CLI_SHAPE_MAX], extra[CLI_SHAPE_MAX + 80];
    cli_format_shape(shape, c->ndim, c->shape);
    snprintf(extra, sizeof extra, "%" PRIu64 " of %s lattice cells set", c->n_set, shape);
    if (!run->common.quiet)
        cli_print_line(run, cli_point_file_read_line(points->file, extra));
    warn_of_fit(run, &found->fit);
    if (!run->common.verbose)
        return;
    fprintf(run->err, "time %s: read %.3f ms, count %.3f ms", points->path,
            points->read_seconds * 1e3, found->count_seconds * 1e3);
    end_times(run, c);
}

/* ---- Measuring ---- */

static rug_status fit(cli_run *run, const cli_boxcount_job *job,
                      cli_boxcount_found *found, const rug_boxcount_result *counts)
{
    const cli_boxcount_values *v = &job->values;
    found->counts = counts;
    found->facts = rug_boxcount_get_facts(counts);
    found->fit = (rug_fit)RUG_FIT_INIT;
    rug_fit_options range = cli_boxcount_range(v);
    return rug_boxcount_fit(run->ctx, &found->fit, counts, (rug_boxcount_of)v->of,
                            &range);
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
        opts->mask = &image->mask;
    rug_status status =
        rug_source_resolve_foreground(run->ctx, &opts->foreground, &image->source,
                                      image->mask_path != NULL ? &image->mask : NULL,
                                      &image->range, job->values.foreground);
    *seconds = cli_now() - start;
    return status;
}

/* Counts an image in memory, or slab by slab. */
static rug_status count(cli_run *run, const cli_image *image,
                        const rug_boxcount_options *opts, rug_boxcount_result **out,
                        double *seconds)
{
    double start = cli_now();
    rug_status status = image->pixels->data != NULL
                            ? rug_boxcount(run->ctx, out, image->pixels, opts)
                            : rug_boxcount_source(run->ctx, out, &image->source, opts);
    *seconds = cli_now() - start;
    return status;
}

/* What the rows of labels are made from. */
typedef struct labelling {
    cli_run *run;
    cli_boxcount_job *job;
    const cli_image *image;
    size_t n;
    size_t n_short; /* labels whose fit says little */
    char digest[CLI_SHA256_TEXT_MAX];
} labelling;

static rug_status add_label(void *user, const rug_region *region,
                            const rug_boxcount_result *counts)
{
    labelling *l = user;
    cli_boxcount_found found = {.label = region};
    rug_status status = fit(l->run, l->job, &found, counts);
    if (status != RUG_OK)
        return status;
    l->n++;
    l->n_short += is_short(&found.fit) ? 1u : 0u;
    cli_record *row = cli_image_row(l->run, l->image);
    if (l->digest[0] != '\0')
        cli_add_file(row, "labels", l->job->values.labels, l->digest);
    cli_boxcount_add(l->run, l->image->name, row, &found);
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
    rug_source source = RUG_SOURCE_INIT;
    rug_status status =
        cli_read_labels(run, &labels, &source, job->values.labels, image->facts->page);
    cli_digest(run, l.digest, job->values.labels);
    double start = cli_now();
    if (status == RUG_OK)
        status =
            rug_boxcount_labels(run->ctx, image->pixels, &source, opts, add_label, &l);
    whole->count_seconds = cli_now() - start;
    rug_file_free(labels);
    if (status == RUG_OK)
        print_labels(run, job, image, whole, opts->foreground, l.n, l.n_short);
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
    if (status == RUG_OK && job->values.labels != NULL)
        return count_labels(run, job, image, &opts, &found);
    rug_boxcount_result *counts = NULL;
    if (status == RUG_OK)
        status = count(run, image, &opts, &counts, &found.count_seconds);
    if (status == RUG_OK)
        status = fit(run, job, &found, counts);
    if (status == RUG_OK) {
        print_image(run, job, image, &found);
        cli_boxcount_add(run, image->name, cli_image_row(run, image), &found);
        status = cli_boxcount_plot(run, job, image->name, &found);
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
    rug_boxcount_result *counts;
    rug_status status = rug_boxcount_points(run->ctx, &counts, points->points, &opts);
    found.count_seconds = cli_now() - start;
    if (status == RUG_OK)
        status = fit(run, job, &found, counts);
    if (status == RUG_OK) {
        print_points(run, points, &found);
        cli_boxcount_add(run, points->path, cli_points_row(run, points), &found);
        status = cli_boxcount_plot(run, job, points->path, &found);
    }
    rug_boxcount_free(counts);
    return status;
}
