/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The values of `rugose lbp`'s options: read, checked before any image is read, and put
 * down in the report. */

#include "cmd_lbp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char bad_cuts[] =
    "--cuts: ascending numbers above 0 expected, such as 10,50,200";

/* Reads "10,50,200" into the cuts of every operator; the library checks their order. */
static const char *parse_cuts(cli_lbp_job *job, const char *text)
{
    char *copy = strdup(text), *end = NULL;
    job->cuts = calloc(strlen(text) + 1, sizeof *job->cuts);
    const char *problem = copy == NULL || job->cuts == NULL ? "memory is out" : NULL;
    for (char *at = copy; problem == NULL && at != NULL; at = end) {
        end = strchr(at, ',');
        if (end != NULL)
            *end++ = '\0';
        double *cut = &job->cuts[job->n_cuts++];
        if (!rug_parse_real(cut, at) || !(*cut > 0) ||
            (job->n_cuts > 1 && !(*cut > cut[-1])))
            problem = bad_cuts;
    }
    free(copy);
    for (uint32_t i = 0; i < job->plan.options.n_operators; i++) {
        job->plan.op[i].cuts = job->cuts;
        job->plan.op[i].n_cuts = job->n_cuts;
    }
    return problem;
}

/* A histogram is wanted, unless there is a map. */
static const char *check_bins(cli_run *run, cli_lbp_job *job)
{
    const rug_lbp_options *opts = &job->plan.options;
    for (uint32_t i = 0; i < opts->n_operators; i++) {
        uint32_t n = rug_lbp_n_bins(opts->method, &opts->operators[i]);
        job->n_bins = n > job->n_bins ? n : job->n_bins;
    }
    if (job->values.map != NULL)
        return NULL;
    if (opts->method == RUG_LBP_VAR && job->n_cuts == 0)
        return "--method var: variances have bins only between --cuts, such as --cuts "
               "10,50,200; or write them with --map FILE.tif";
    const char *problem = cli_lbp_check_bins(run, opts);
    if (problem == NULL)
        return NULL;
    char text[512]; /* the problem lies where the next one is written */
    snprintf(text, sizeof text, "%s", problem);
    rug_context_fail(run->ctx, RUG_E_ARG, "%s; or write the codes with --map FILE.tif",
                     text);
    return rug_context_error(run->ctx);
}

const char *cli_lbp_check(cli_run *run, cli_lbp_job *job)
{
    const cli_lbp_values *v = &job->values;
    run->mask = v->mask;
    run->labels = v->labels;
    job->planes = v->planes + 1;
    run->needs_pixels = v->labels != NULL || job->planes > 0;
    const char *problem = cli_check_masks(run);
    if (problem == NULL)
        problem = cli_lbp_parse(&job->plan, &v->coding);
    if (problem == NULL && v->cuts != NULL)
        problem = parse_cuts(job, v->cuts);
    if (problem == NULL && rug_lbp_check_options(run->ctx, &job->plan.options) != RUG_OK)
        problem = rug_context_error(run->ctx);
    if (problem == NULL)
        problem = check_bins(run, job);
    return problem != NULL ? problem : cli_lbp_check_map(run, job);
}

void cli_lbp_describe_run(cli_run *run, const cli_lbp_job *job)
{
    const cli_lbp_values *v = &job->values;
    char planes[CLI_CHOICE_MAX];
    rug_record *p = cli_describe_run(run);
    cli_lbp_describe(p, &job->plan.options);
    rug_record_set_bool(p, "normalize", v->normalize);
    if (job->planes > 0)
        cli_choice_name(planes, CLI_LBP_PLANES, v->planes);
    rug_record_set_text(p, "planes", job->planes > 0 ? planes : NULL);
    rug_record_set_text(p, "mask", v->mask);
    rug_record_set_text(p, "labels", v->labels);
    rug_record_set_text(p, "map", v->map);
    rug_record_set_record(rug_report_head(run->report), "parameters", p);
}
