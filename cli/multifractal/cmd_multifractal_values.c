/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The values of `rugose multifractal`'s options: read, checked before any image is read,
 * and put down in the report. */

#include "cmd_multifractal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char default_q[] = "-10..10:0.5";
static const char bad_q[] =
    "--q: ascending orders from -1000 to 1000 expected, such as -2,0,1,2.5, or A..B:STEP "
    "with A < B";
static const char too_many_q[] = "--q: more than 1024 orders";

/* Orders are decimals of nine digits behind the point at most, so that -1 + 20 * 0.1 is 1,
 * the order that has a formula of its own. */
#define DIGITS 1e9

static const char *add_order(cli_multifractal_job *job, double q)
{
    q = nearbyint(q * DIGITS) / DIGITS;
    if (!(fabs(q) <= RUG_MULTIFRACTAL_Q_MAX) ||
        (job->n_q > 0 && !(q > job->q[job->n_q - 1])))
        return bad_q;
    if (job->n_q == CLI_MULTIFRACTAL_MAX_Q)
        return too_many_q;
    job->q[job->n_q++] = q + 0.0; /* never -0 */
    return NULL;
}

/* "A..B:STEP" */
static const char *parse_q_steps(cli_multifractal_job *job, const char *text)
{
    char range[128];
    double lo, hi, step;
    const char *colon = strchr(text, ':'), *problem = NULL;
    if (colon == NULL || (size_t)(colon - text) >= sizeof range)
        return bad_q;
    snprintf(range, sizeof range, "%.*s", (int)(colon - text), text);
    if (!cli_parse_real_range(&lo, &hi, range) || !rug_parse_real(&step, colon + 1) ||
        !(step > 0))
        return bad_q;
    /* The last may lie a little behind B by rounding alone. */
    double last = floor((hi - lo) / step * (1 + 1e-12));
    if (!(last < CLI_MULTIFRACTAL_MAX_Q))
        return too_many_q;
    for (int i = 0; i <= (int)last && problem == NULL; i++)
        problem = add_order(job, lo + i * step);
    return problem;
}

static const char *parse_q_list(cli_multifractal_job *job, const char *text)
{
    for (const char *at = text;; at++) {
        char word[64];
        double q;
        size_t n = strcspn(at, ",");
        if (n >= sizeof word)
            return bad_q;
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        const char *problem = rug_parse_real(&q, word) ? add_order(job, q) : bad_q;
        at += n;
        if (problem != NULL || *at == '\0')
            return problem;
    }
}

static const char *parse_q(cli_multifractal_job *job, const char *text)
{
    if (text == NULL)
        text = default_q;
    const char *problem =
        strstr(text, "..") != NULL ? parse_q_steps(job, text) : parse_q_list(job, text);
    for (int i = 0; i < CLI_MULTIFRACTAL_N_MAIN; i++)
        job->q[job->n_q + (size_t)i] = i;
    return problem;
}

static const char *parse_moments(cli_run *run, cli_multifractal_job *job)
{
    const cli_multifractal_values *v = &job->values;
    run->reads_points = v->points;
    if (v->foreground != NULL &&
        rug_foreground_parse(run->ctx, &job->foreground, v->foreground) != RUG_OK)
        return rug_context_error(run->ctx);
    const char *problem = parse_q(job, v->q);
    if (problem == NULL)
        problem =
            cli_parse_pixels(&job->resolution, &job->spacing, v->resolution, v->spacing);
    if (problem == NULL)
        problem = cli_check_second_report(run, "summary", v->summary);
    if (problem == NULL)
        problem = cli_check_second_report(run, "moments", v->moments);
    if (problem == NULL && v->summary != NULL && v->moments != NULL &&
        strcmp(v->summary, "-") != 0 && cli_same_path(v->summary, v->moments))
        problem = "--summary and --moments name the same file";
    return problem;
}

static const char *parse_alpha(cli_run *run, cli_multifractal_job *job)
{
    const cli_multifractal_values *v = &job->values;
    rug_alpha_options *o = &job->alpha;
    run->needs_pixels = 1;
    if (v->measure >= 0)
        o->measure = (rug_alpha_measure)v->measure;
    if (v->windows > 0)
        o->n_windows = (uint32_t)v->windows;
    if (v->slices > 0)
        o->n_slices = (uint32_t)v->slices;
    if (job->fit.is_auto)
        return "--fit: slices of alpha take two sizes A..B, not 'auto'";
    if (v->iso_tolerance != NULL && o->measure != RUG_ALPHA_ISO)
        return "--iso-tolerance goes with --measure iso";
    if (v->iso_tolerance != NULL &&
        (!rug_parse_real(&o->iso_tolerance, v->iso_tolerance) || o->iso_tolerance < 0))
        return "--iso-tolerance: a number from 0 expected";
    if (v->alpha_range != NULL &&
        !cli_parse_real_range(&o->alpha_min, &o->alpha_max, v->alpha_range))
        return "--alpha-range: two numbers A..B with A < B expected";
    return v->map != NULL ? cli_check_map_name(run, v->map, 0) : NULL;
}

/* An option that the method has no use for, or NULL. */
static const char *foreign_option(const cli_multifractal_values *v)
{
    const struct {
        const char *name;
        int method, is_given;
    } own[] = {
        {"q", CLI_MULTIFRACTAL_MOMENTS, v->q != NULL},
        {"foreground", CLI_MULTIFRACTAL_MOMENTS, v->foreground != NULL},
        {"points", CLI_MULTIFRACTAL_MOMENTS, v->points},
        {"resolution", CLI_MULTIFRACTAL_MOMENTS, v->resolution != NULL},
        {"spacing", CLI_MULTIFRACTAL_MOMENTS, v->spacing != NULL},
        {"summary", CLI_MULTIFRACTAL_MOMENTS, v->summary != NULL},
        {"moments", CLI_MULTIFRACTAL_MOMENTS, v->moments != NULL},
        {"measure", CLI_MULTIFRACTAL_ALPHA, v->measure >= 0},
        {"windows", CLI_MULTIFRACTAL_ALPHA, v->windows > 0},
        {"iso-tolerance", CLI_MULTIFRACTAL_ALPHA, v->iso_tolerance != NULL},
        {"slices", CLI_MULTIFRACTAL_ALPHA, v->slices > 0},
        {"alpha-range", CLI_MULTIFRACTAL_ALPHA, v->alpha_range != NULL},
        {"map", CLI_MULTIFRACTAL_ALPHA, v->map != NULL},
    };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i].is_given && own[i].method != v->method)
            return own[i].name;
    return NULL;
}

static const char *refuse_foreign(cli_run *run, const cli_multifractal_values *v)
{
    const char *name = foreign_option(v);
    if (name == NULL)
        return NULL;
    rug_context_fail(run->ctx, RUG_E_ARG, "--%s goes with --method %s", name,
                     v->method == CLI_MULTIFRACTAL_ALPHA ? "moments" : "alpha");
    return rug_context_error(run->ctx);
}

const char *cli_multifractal_check(cli_run *run, cli_multifractal_job *job)
{
    const cli_multifractal_values *v = &job->values;
    job->alpha = (rug_alpha_options)RUG_ALPHA_OPTIONS_INIT;
    run->mask = v->mask;
    const char *problem = refuse_foreign(run, v);
    if (problem == NULL)
        problem = cli_check_masks(run);
    if (problem == NULL && v->fit != NULL)
        problem = cli_parse_fit(&job->fit, v->fit);
    if (problem == NULL)
        problem = v->method == CLI_MULTIFRACTAL_ALPHA ? parse_alpha(run, job)
                                                      : parse_moments(run, job);
    return problem != NULL ? problem : cli_check_plot_name(run, v->plot, 0);
}

static void describe_moments(rug_record *p, const cli_multifractal_job *job)
{
    const cli_multifractal_values *v = &job->values;
    char rule[RUG_FOREGROUND_TEXT_MAX];
    rug_foreground_format(rule, job->foreground);
    rug_record_set_text(p, "q", v->q != NULL ? v->q : default_q);
    rug_record_set_text(p, "foreground", v->foreground != NULL ? rule : NULL);
    rug_record_set_bool(p, "points", v->points);
    cli_describe_pixels(p, job->resolution, job->spacing);
}

static void describe_alpha(rug_record *p, const cli_multifractal_job *job)
{
    const cli_multifractal_values *v = &job->values;
    const rug_alpha_options *o = &job->alpha;
    cli_set_choice(p, "measure", CLI_MULTIFRACTAL_MEASURE, (int)o->measure);
    rug_record_set_integer(p, "windows", o->n_windows);
    rug_record_set_real(p, "iso_tolerance", o->iso_tolerance);
    rug_record_set_integer(p, "slices", o->n_slices);
    rug_record_set_text(p, "alpha_range",
                        v->alpha_range != NULL ? v->alpha_range : "default");
    rug_record_set_text(p, "map", v->map);
}

void cli_multifractal_describe(cli_run *run, const cli_multifractal_job *job)
{
    const cli_multifractal_values *v = &job->values;
    rug_record *p = cli_describe_run(run);
    cli_set_choice(p, "method", CLI_MULTIFRACTAL_METHOD, v->method);
    rug_record_set_text(p, "fit", v->fit != NULL ? v->fit : "default");
    rug_record_set_text(p, "mask", v->mask);
    if (v->method == CLI_MULTIFRACTAL_ALPHA)
        describe_alpha(p, job);
    else
        describe_moments(p, job);
    rug_record_set_record(rug_report_head(run->report), "parameters", p);
}
