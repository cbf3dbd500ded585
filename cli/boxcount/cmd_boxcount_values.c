/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The values of `rugose boxcount`'s options: read, checked before any image is read, and
 * put down in the report. */

#include "cmd_boxcount.h"

static const char *parse_fit(rug_boxcount_fit_options *fit, const char *text)
{
    cli_fit range;
    const char *problem = cli_parse_fit(&range, text);
    fit->auto_range = range.is_auto;
    fit->size_min = range.size_min;
    fit->size_max = range.size_max;
    return problem;
}

/* Sizes, grid and method that do not go together, as the library says it. */
static const char *check_method(cli_run *run, const cli_boxcount_job *job)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.method = (rug_boxcount_method)job->values.method;
    opts.grid = (rug_boxcount_grid)job->values.grid;
    opts.sizes = job->sizes.n > 0 ? job->sizes.size : NULL;
    opts.n_sizes = job->sizes.n;
    return rug_boxcount_check_options(run->ctx, &opts) == RUG_OK
               ? NULL
               : rug_context_error(run->ctx);
}

const char *cli_boxcount_check(cli_run *run, cli_boxcount_job *job)
{
    const cli_boxcount_values *v = &job->values;
    const char *problem = NULL;
    job->fit = (rug_boxcount_fit_options)RUG_BOXCOUNT_FIT_OPTIONS_INIT;
    job->fit.of = (rug_boxcount_of)v->of;
    run->mask = v->mask;
    run->labels = v->labels;
    run->needs_pixels = v->labels != NULL || v->method >= RUG_BOXCOUNT_HOU;
    run->reads_points = v->points;
    problem = cli_check_masks(run);
    if (problem == NULL)
        problem = cli_boxcount_check_gray(run, job);
    if (problem != NULL)
        return problem;
    if (v->foreground != NULL &&
        rug_foreground_parse(run->ctx, &job->foreground, v->foreground) != RUG_OK)
        return rug_context_error(run->ctx);
    if (v->fit != NULL)
        problem = parse_fit(&job->fit, v->fit);
    if (problem == NULL && v->sizes != NULL)
        problem = cli_parse_sizes(&job->sizes, v->sizes);
    if (problem == NULL)
        problem =
            cli_parse_pixels(&job->resolution, &job->spacing, v->resolution, v->spacing);
    if (problem == NULL)
        problem = check_method(run, job);
    if (problem == NULL)
        problem = cli_check_second_report(run, "counts", v->counts);
    return problem != NULL ? problem
                           : cli_check_plot_name(run, v->plot, v->labels != NULL);
}

static void describe_set(rug_record *p, const cli_boxcount_job *job)
{
    const cli_boxcount_values *v = &job->values;
    char rule[RUG_FOREGROUND_TEXT_MAX];
    rug_foreground_format(rule, job->foreground);
    rug_record_set_text(p, "foreground", rule);
    rug_record_set_text(p, "sizes", v->sizes != NULL ? v->sizes : "default");
    cli_set_choice(p, "grid", CLI_BOXCOUNT_GRID, v->grid);
    rug_record_set_text(p, "fit", v->fit != NULL ? v->fit : "default");
    cli_set_choice(p, "of", CLI_BOXCOUNT_OF, v->of);
    cli_set_choice(p, "method", CLI_BOXCOUNT_METHOD, v->method);
    rug_record_set_text(p, "mask", v->mask);
    rug_record_set_text(p, "labels", v->labels);
    rug_record_set_bool(p, "points", v->points);
    cli_describe_pixels(p, job->resolution, job->spacing);
}

void cli_boxcount_describe(cli_run *run, const cli_boxcount_job *job)
{
    const cli_boxcount_values *v = &job->values;
    rug_record *p = cli_describe_run(run);
    if (!v->gray) {
        describe_set(p, job);
    } else {
        rug_record_set_text(p, "fit", v->fit != NULL ? v->fit : "default");
        rug_record_set_text(p, "mask", v->mask);
        cli_boxcount_describe_gray(p, job);
    }
    rug_record_set_record(rug_report_head(run->report), "parameters", p);
}
