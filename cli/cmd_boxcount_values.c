/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The values of `rugose boxcount`'s options: read, checked before any image is read, and
 * put down in the report. */

#include "cmd_boxcount.h"
#include <string.h>

/* Digits only, up to 2^63. @return where the number ends, or NULL */
static const char *parse_size(uint64_t *size, const char *text)
{
    *size = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (*size > (RUG_BOXCOUNT_SIZE_MAX - digit) / 10)
            return NULL;
        *size = *size * 10 + digit;
    }
    return at > text && *size > 0 ? at : NULL;
}

/* "A..B", the first not above the second. @return where it ends, or NULL */
static const char *parse_range(uint64_t *lo, uint64_t *hi, const char *text)
{
    const char *at = parse_size(lo, text);
    if (at == NULL || strncmp(at, "..", 2) != 0)
        return NULL;
    at = parse_size(hi, at + 2);
    return at != NULL && *lo <= *hi ? at : NULL;
}

static const char *parse_fit(rug_boxcount_fit_options *fit, const char *text)
{
    fit->auto_range = strcmp(text, "auto") == 0;
    if (fit->auto_range)
        return NULL;
    const char *end = parse_range(&fit->size_min, &fit->size_max, text);
    return end != NULL && *end == '\0'
               ? NULL
               : "--fit: 'auto' or two sizes A..B with 1 <= A <= B <= 2^63 expected";
}

static const char too_many_sizes[] = "--sizes: more than 1024 sizes";

/* "A..B" or "A..B:STEP". @return an error text, or NULL; *taken says whether it is one */
static const char *parse_steps(cli_boxcount_job *job, const char *text, int *taken)
{
    uint64_t lo, hi, step = 1;
    const char *end = parse_range(&lo, &hi, text);
    if (end != NULL && *end == ':')
        end = parse_size(&step, end + 1);
    *taken = end != NULL && *end == '\0';
    if (!*taken)
        return NULL;
    if ((hi - lo) / step >= RUG_BOXCOUNT_MAX_SIZES)
        return too_many_sizes;
    for (uint64_t i = 0; i <= (hi - lo) / step; i++)
        job->sizes[job->n_sizes++] = lo + i * step;
    return NULL;
}

static const char *parse_sizes(cli_boxcount_job *job, const char *text)
{
    int taken;
    const char *problem = parse_steps(job, text, &taken), *at = text;
    while (problem == NULL && !taken) {
        uint64_t size;
        at = parse_size(&size, at);
        if (at == NULL || (*at != ',' && *at != '\0') ||
            (job->n_sizes > 0 && size <= job->sizes[job->n_sizes - 1]))
            return "--sizes: ascending sizes such as 3,9,27, or A..B or A..B:STEP with "
                   "1 <= A <= B <= 2^63 expected";
        if (job->n_sizes == RUG_BOXCOUNT_MAX_SIZES)
            return too_many_sizes;
        job->sizes[job->n_sizes++] = size;
        taken = *at++ == '\0';
    }
    return problem;
}

static const char *parse_points_values(cli_run *run, cli_boxcount_job *job)
{
    const cli_boxcount_values *v = &job->values;
    if (v->resolution != NULL && v->spacing != NULL)
        return "--resolution and --spacing exclude each other";
    if (v->resolution != NULL) {
        const char *end = parse_size(&job->resolution, v->resolution);
        if (end == NULL || *end != '\0')
            return "--resolution: a whole number of cells from 1 to 2^63 expected";
    }
    if (v->spacing != NULL &&
        (!rug_parse_real(&job->spacing, v->spacing) || !(job->spacing > 0)))
        return "--spacing: a number above 0 expected";
    run->reads_points = v->points;
    return NULL;
}

/* Sizes, grid and method that do not go together, as the library says it. */
static const char *check_method(cli_run *run, const cli_boxcount_job *job)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.method = (rug_boxcount_method)job->values.method;
    opts.grid = (rug_boxcount_grid)job->values.grid;
    opts.sizes = job->n_sizes > 0 ? job->sizes : NULL;
    opts.n_sizes = job->n_sizes;
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
    run->needs_cells = v->labels != NULL || v->method >= RUG_BOXCOUNT_HOU;
    if (cli_is_input(run, run->common.output))
        return "--output: the file is an input";
    for (size_t i = 0; run->mask != NULL && i < run->n_inputs; i++)
        if (run->inputs[i].mask != NULL)
            return "--mask and the column 'mask' of the list exclude each other";
    if (v->foreground != NULL &&
        rug_foreground_parse(run->ctx, &job->foreground, v->foreground) != RUG_OK)
        return rug_context_error(run->ctx);
    if (v->fit != NULL)
        problem = parse_fit(&job->fit, v->fit);
    if (problem == NULL && v->sizes != NULL)
        problem = parse_sizes(job, v->sizes);
    if (problem == NULL)
        problem = parse_points_values(run, job);
    if (problem == NULL)
        problem = check_method(run, job);
    if (problem == NULL)
        problem = cli_check_second_report(run, "counts", v->counts);
    return problem != NULL ? problem : cli_boxcount_check_plot(run, job);
}

static void set_choice(rug_record *p, const char *name, const char *choices, int value)
{
    char text[CLI_CHOICE_MAX];
    cli_choice_name(text, choices, value);
    rug_record_set_text(p, name, text);
}

/* Points have parameters of their own; "default" where the data decides. */
static void describe_cells(rug_record *p, const cli_boxcount_job *job)
{
    if (job->resolution > 0)
        rug_record_set_integer(p, "resolution", job->resolution);
    else
        rug_record_set_text(p, "resolution", "default");
    if (job->spacing > 0)
        rug_record_set_real(p, "spacing", job->spacing);
    else
        rug_record_set_text(p, "spacing", "default");
}

void cli_boxcount_describe(cli_run *run, const cli_boxcount_job *job)
{
    const cli_boxcount_values *v = &job->values;
    char rule[RUG_FOREGROUND_TEXT_MAX];
    rug_record *p = cli_describe_run(run);
    rug_foreground_format(rule, job->foreground);
    rug_record_set_text(p, "foreground", rule);
    rug_record_set_text(p, "sizes", v->sizes != NULL ? v->sizes : "default");
    set_choice(p, "grid", CLI_BOXCOUNT_GRID, v->grid);
    rug_record_set_text(p, "fit", v->fit != NULL ? v->fit : "default");
    set_choice(p, "of", CLI_BOXCOUNT_OF, v->of);
    set_choice(p, "method", CLI_BOXCOUNT_METHOD, v->method);
    rug_record_set_text(p, "mask", v->mask);
    rug_record_set_text(p, "labels", v->labels);
    rug_record_set_bool(p, "points", v->points);
    describe_cells(p, job);
    rug_record_set_record(rug_report_head(run->report), "parameters", p);
}
