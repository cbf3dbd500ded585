/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose multifractal --method moments`: measuring one image or one set of points. */

#include "cmd_multifractal.h"
#include <stdlib.h>

/* The masses of an image, with the rule found in the range that is known already. */
static rug_status measure_image(cli_run *run, const cli_multifractal_job *job,
                                const cli_image *image, rug_masses **masses,
                                cli_multifractal_found *found)
{
    rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
    const rug_source *mask = image->mask_path != NULL ? &image->mask : NULL;
    rug_status status = RUG_OK;
    double start = cli_now();
    if (cli_is_given(&run->words, "foreground")) {
        opts.of = RUG_MASS_OF_FOREGROUND;
        status =
            rug_source_resolve_foreground(run->ctx, &opts.foreground, &image->source,
                                          mask, &image->range, job->values.foreground);
    }
    double counting = cli_now();
    found->threshold_seconds = counting - start;
    if (status == RUG_OK && image->pixels->data == NULL) {
        status = rug_masses_measure_source(run->ctx, masses, &image->source, mask, &opts);
    } else if (status == RUG_OK) {
        opts.mask = mask != NULL ? rug_file_image(image->mask_file) : NULL;
        status = rug_masses_measure(run->ctx, masses, image->pixels, &opts);
    }
    found->count_seconds = cli_now() - counting;
    return status;
}

/* What is shown of one image. */
typedef struct results {
    rug_multifractal_order *order; /* [n_q + 3] */
    rug_moments *moments;          /* [n_q][n_sizes]; NULL: not needed */
} results;

static void free_results(results *r)
{
    free(r->order);
    free(r->moments);
}

static rug_status allocate(cli_run *run, const cli_multifractal_job *job, results *r,
                           uint32_t n_sizes)
{
    int shows_sums = job->moments != NULL || run->common.format == RUG_REPORT_JSON;
    r->order = calloc(job->n_q + CLI_MULTIFRACTAL_N_MAIN, sizeof *r->order);
    r->moments = shows_sums ? calloc(job->n_q * n_sizes, sizeof *r->moments) : NULL;
    if (r->order == NULL || (shows_sums && r->moments == NULL))
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "no memory for %zu orders",
                                job->n_q);
    return RUG_OK;
}

static void count_boxes(cli_run *run, rug_masses *masses, cli_multifractal_found *found)
{
    for (uint32_t l = 0; l < found->facts.n_sizes; l++) {
        size_t n;
        const rug_mass_boxes *boxes = rug_masses_boxes(run->ctx, masses, l, &n);
        for (size_t i = 0; boxes != NULL && i < n; i++)
            found->boxes[l] += boxes[i].boxes;
    }
}

static void count_fit(cli_multifractal_found *found)
{
    const rug_multifractal_order *o = &found->main[0];
    for (uint32_t l = 0; l < found->facts.n_sizes; l++)
        found->n_fit +=
            (uint64_t)1 << l >= o->size_min && (uint64_t)1 << l <= o->size_max;
}

/* All orders with those of the summary behind them, over the same sizes. */
static rug_status fit(cli_run *run, const cli_multifractal_job *job, rug_masses *masses,
                      results *r, cli_multifractal_found *found)
{
    rug_multifractal_fit_options opts = RUG_MULTIFRACTAL_FIT_OPTIONS_INIT;
    opts.auto_range = job->values.fit.is_auto;
    opts.size_min = job->values.fit.min;
    opts.size_max = job->values.fit.max;
    rug_masses_get_facts(masses, &found->facts);
    double start = cli_now();
    rug_status status = allocate(run, job, r, found->facts.n_sizes);
    if (status == RUG_OK)
        status = rug_multifractal_fit(run->ctx, r->order, masses, job->q,
                                      job->n_q + CLI_MULTIFRACTAL_N_MAIN, &opts);
    if (status == RUG_OK && r->moments != NULL)
        status = rug_multifractal_moments(run->ctx, r->moments, masses, job->q, job->n_q);
    found->fit_seconds = cli_now() - start;
    if (status != RUG_OK)
        return status;
    found->order = r->order;
    found->main = r->order + job->n_q;
    found->moments = r->moments;
    count_boxes(run, masses, found);
    count_fit(found);
    return RUG_OK;
}

rug_status cli_multifractal_image(cli_run *run, const cli_image *image, void *user)
{
    cli_multifractal_job *job = user;
    cli_multifractal_found found = {.is_points = 0};
    results r = {NULL, NULL};
    rug_masses *masses = NULL;
    if (job->values.resolution > 0 || job->values.spacing > 0)
        return rug_context_fail(
            run->ctx, RUG_E_ARG,
            "--resolution and --spacing can only be used with points");
    rug_status status = measure_image(run, job, image, &masses, &found);
    if (status == RUG_OK)
        status = fit(run, job, masses, &r, &found);
    if (status == RUG_OK) {
        cli_multifractal_print_image(run, job, image, &found);
        cli_multifractal_add_orders(run, job, image, NULL, &found);
        status = cli_multifractal_plot_orders(run, job, image->name, &found);
    }
    free_results(&r);
    rug_masses_free(masses);
    return status;
}

rug_status cli_multifractal_points(cli_run *run, const cli_points *points, void *user)
{
    cli_multifractal_job *job = user;
    cli_multifractal_found found = {.is_points = 1};
    results r = {NULL, NULL};
    rug_masses *masses = NULL;
    rug_masses_points_options opts = RUG_MASSES_POINTS_OPTIONS_INIT;
    opts.spacing = job->values.spacing;
    opts.resolution = job->values.resolution;
    if (cli_is_given(&run->words, "foreground"))
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no foreground; leave out --foreground");
    double start = cli_now();
    rug_status status =
        rug_masses_measure_points(run->ctx, &masses, points->points, &opts);
    found.count_seconds = cli_now() - start;
    if (status == RUG_OK)
        status = fit(run, job, masses, &r, &found);
    if (status == RUG_OK) {
        cli_multifractal_print_points(run, job, points, &found);
        cli_multifractal_add_orders(run, job, NULL, points, &found);
        status = cli_multifractal_plot_orders(run, job, points->path, &found);
    }
    free_results(&r);
    rug_masses_free(masses);
    return status;
}
