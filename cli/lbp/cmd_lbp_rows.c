/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The rows of `rugose lbp`: one for each operator, of an image, a plane or a label. Tables
 * have a column for each bin of the largest operator, JSON has a list of bins. */

#include "cmd_lbp.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *cli_lbp_plane_name(int plane)
{
    static const char *const names[] = {"none", "xy", "xz", "yz"};
    return names[plane];
}

const char *const *cli_lbp_columns(cli_lbp_job *job)
{
    static const char *const behind[] = {"points", "radius", "method", "pixels"};
    size_t n = 0;
    job->columns = calloc(job->n_bins + 8, sizeof *job->columns);
    job->bin_names = calloc(job->n_bins + 1, CLI_LBP_BIN_NAME);
    if (job->columns == NULL || job->bin_names == NULL)
        return NULL;
    job->columns[n++] = "image";
    if (job->planes > 0)
        job->columns[n++] = "plane";
    if (job->values.labels != NULL)
        job->columns[n++] = "label";
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++)
        job->columns[n++] = behind[i];
    for (uint32_t b = 0; b < job->n_bins; b++) {
        char *name = job->bin_names + (size_t)b * CLI_LBP_BIN_NAME;
        snprintf(name, CLI_LBP_BIN_NAME, "bin_%u", b);
        job->columns[n++] = name;
    }
    return job->columns;
}

/* Bins as shares of all pixels; NaN without any. */
static double share_of(const rug_lbp_histogram *h, uint32_t b)
{
    return h->pixels > 0 ? (double)h->bins[b] / (double)h->pixels : (double)NAN;
}

static void set_list(rug_record *row, const rug_lbp_histogram *h, int normalize)
{
    rug_record_set_integer(row, "n_bins", h->n_bins);
    if (!normalize) {
        rug_record_set_integers(row, "bins", h->bins, h->n_bins);
        return;
    }
    double *shares = calloc(h->n_bins > 0 ? h->n_bins : 1, sizeof *shares);
    for (uint32_t b = 0; b < h->n_bins && shares != NULL; b++)
        shares[b] = share_of(h, b);
    if (shares != NULL)
        rug_record_set_reals(row, "bins", shares, h->n_bins);
    free(shares);
}

static void set_columns(rug_record *row, const cli_lbp_job *job,
                        const rug_lbp_histogram *h)
{
    for (uint32_t b = 0; b < h->n_bins; b++) {
        const char *name = job->bin_names + (size_t)b * CLI_LBP_BIN_NAME;
        if (job->values.normalize)
            rug_record_set_real(row, name, share_of(h, b));
        else
            rug_record_set_integer(row, name, h->bins[b]);
    }
}

void cli_lbp_add(cli_run *run, const cli_lbp_job *job, const cli_image *image, int plane,
                 const rug_lbp_result *result, const char *digest)
{
    int is_json = run->common.format == RUG_REPORT_JSON;
    for (size_t i = 0; i < rug_lbp_count(result); i++) {
        const rug_lbp_histogram *h = rug_lbp_at(result, i);
        const rug_lbp_operator *op = &job->plan.op[h->op];
        rug_record *row = rug_record_new();
        cli_describe_image(run, row, image);
        if (is_json && job->values.labels != NULL)
            cli_add_file(row, "labels", job->values.labels, digest);
        if (plane > 0)
            rug_record_set_text(row, "plane", cli_lbp_plane_name(plane));
        if (job->values.labels != NULL)
            rug_record_set_integer(row, "label", h->label);
        rug_record_set_integer(row, "points", op->points);
        rug_record_set_real(row, "radius", op->radius);
        rug_record_set_text(row, "method", rug_lbp_method_name(job->plan.options.method));
        if (h->n_bins > 0)
            rug_record_set_integer(row, "pixels", h->pixels);
        else /* nothing was counted */
            rug_record_set_real(row, "pixels", (double)NAN);
        rug_record_set_text(row, "engine", rug_lbp_engine(result));
        if (is_json)
            set_list(row, h, job->values.normalize);
        else
            set_columns(row, job, h);
        rug_report_add(run->report, row);
    }
}
