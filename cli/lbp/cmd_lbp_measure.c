/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring for `rugose lbp`: one image, or planes of one volume, with their labels. */

#include "cmd_lbp.h"
#include <stdio.h>
#include <string.h>

/* What goes with one image. */
typedef struct measure {
    rug_file *labels;
    char digest[RUG_SHA256_TEXT_MAX]; /* of the labels */
    double seconds;
    size_t n_labels;
    int is_told;
    const char *engine;
} measure;

static rug_status check_planes(cli_run *run, const cli_lbp_job *job,
                               const cli_image *image)
{
    if (image->pixels->ndim == 3 && job->planes == 0)
        return rug_context_fail(
            run->ctx, RUG_E_ARG,
            "a volume of %zux%zux%zu pixels: patterns are of planes; choose --planes xy "
            "(its slices), xz, yz, or all (three histograms: LBP-TOP)",
            image->pixels->shape[0], image->pixels->shape[1], image->pixels->shape[2]);
    if (image->pixels->ndim == 2 && job->planes > 0)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "an image has no planes; leave out --planes, or read "
                                "pages as a volume with --volume");
    return RUG_OK;
}

static rug_status read_labels(cli_run *run, const cli_lbp_job *job,
                              const cli_image *image, measure *m)
{
    if (job->values.labels == NULL)
        return RUG_OK;
    rug_status status =
        cli_read_labels(run, &m->labels, job->values.labels, image->facts->page);
    cli_digest(run, m->digest, job->values.labels);
    return status;
}

/* Tells what was read, once. */
static void tell(cli_run *run, const cli_lbp_job *job, const cli_image *image, measure *m)
{
    char labels[64] = "";
    if (m->is_told)
        return;
    m->is_told = 1;
    if (m->labels != NULL)
        snprintf(labels, sizeof labels, "%zu label%s", m->n_labels,
                 m->n_labels == 1 ? "" : "s");
    cli_lbp_tell(run, image, &job->plan.options, m->labels != NULL ? labels : NULL);
    cli_lbp_warn_values(run, image, &job->plan.options);
    if (m->labels != NULL && m->n_labels == 0)
        cli_warn(run, "the label image %s has no label but 0", job->values.labels);
}

static rug_status measure_plane(cli_run *run, cli_lbp_job *job, const cli_image *image,
                                int plane, measure *m)
{
    rug_lbp_options opts = job->plan.options;
    rug_lbp_result *result = NULL;
    cli_lbp_maps *maps;
    opts.planes = (rug_lbp_planes)plane;
    if (m->labels != NULL)
        opts.labels = rug_file_image(m->labels);
    rug_status status = cli_lbp_begin_maps(run, job, image, plane, &opts, &maps);
    if (status == RUG_OK) {
        status = cli_lbp_code(run, &result, image, &opts, &m->seconds);
        status = cli_lbp_end_maps(run, maps, status);
    }
    if (status == RUG_OK) {
        m->engine = rug_lbp_engine(result);
        m->n_labels = rug_lbp_count(result) / opts.n_operators;
        cli_lbp_add(run, job, image, plane, result, m->digest);
        tell(run, job, image, m);
        if (m->labels == NULL)
            cli_lbp_warn_empty(run, image, &opts, result);
    }
    rug_lbp_free(result);
    return status;
}

rug_status cli_lbp_image(cli_run *run, const cli_image *image, void *user)
{
    cli_lbp_job *job = user;
    measure m = {.engine = "none"};
    int all = job->planes == CLI_LBP_PLANES_ALL;
    int first = all ? 1 : job->planes, last = all ? 3 : job->planes;
    rug_status status = check_planes(run, job, image);
    if (status == RUG_OK)
        status = read_labels(run, job, image, &m);
    for (int plane = first; plane <= last && status == RUG_OK; plane++)
        status = measure_plane(run, job, image, plane, &m);
    if (status == RUG_OK)
        cli_lbp_tell_times(run, image, m.seconds, m.engine);
    rug_file_free(m.labels);
    return status;
}
