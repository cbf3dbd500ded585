/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose compress` aims at: one value of --quality, --bpp or --psnr, or several, of which each is
 * a stream with a name and a row of its own. */

#include "cmd_compress.h"
#include <stdio.h>
#include <string.h>

/* In the order of rug_ifs_target. */
static const struct kind {
    double min, max;
    int is_above; /* min does not count */
    const char *placeholder, *column, *expected;
} kinds[CLI_COMPRESS_TARGETS] = {
    {1, 100, 0, "{quality}", "quality", "a number from 1 to 100"},
    {0, 1000, 1, "{bpp}", "asked_bpp",
     "a number of bits per pixel above 0, at most 1000"},
    {1, 200, 0, "{psnr}", "asked_psnr", "a number of dB from 1 to 200"},
};

static const char *refuse(cli_run *run, const char *format, const char *a, const char *b)
{
    rug_context_fail(run->ctx, RUG_E_ARG, format, a, b);
    return rug_context_error(run->ctx);
}

/* ---- Values ---- */

/* Reads one value, up to a comma. @return whether it is one */
static int parse_value(double *value, const struct kind *kind, const char *at)
{
    char word[64];
    size_t n = strcspn(at, ",");
    if (n >= sizeof word)
        return 0;
    snprintf(word, sizeof word, "%.*s", (int)n, at);
    return rugi_parse_real(value, word) && *value <= kind->max &&
           (kind->is_above ? *value > kind->min : *value >= kind->min);
}

static int is_known(const cli_compress_job *job, double value)
{
    for (size_t i = 0; i < job->n_targets; i++)
        if (job->targets[i] == value)
            return 1;
    return 0;
}

static const char *refuse_twice(cli_run *run, const char *option, double value)
{
    char text[RUGI_REAL_TEXT_MAX];
    rugi_format_real(text, value);
    return refuse(run, "--%s: %s is given twice", option, text);
}

static const char *parse_values(cli_run *run, cli_compress_job *job, const char *text)
{
    const struct kind *kind = &kinds[job->options.target];
    const char *option = rug_ifs_target_name(job->options.target);
    job->n_targets = 0;
    for (const char *at = text;; at++) {
        double value;
        if (!parse_value(&value, kind, at))
            return cli_refuse_word(run, option, at, kind->expected);
        if (is_known(job, value))
            return refuse_twice(run, option, value);
        if (job->n_targets == CLI_COMPRESS_VALUES_MAX)
            return refuse(run, "--%s: more than 64 values%s", option, "");
        job->targets[job->n_targets++] = value;
        at += strcspn(at, ",");
        if (*at == '\0')
            break;
    }
    job->options.target_value = job->targets[0];
    return NULL;
}

const char *cli_take_targets(cli_run *run, cli_compress_job *job)
{
    const char *given = NULL;
    int n = 0;
    job->n_targets = 1;
    job->targets[0] = job->options.target_value;
    for (int i = 0; i < CLI_COMPRESS_TARGETS; i++)
        if (job->values.targets[i] != NULL) {
            given = job->values.targets[i];
            job->options.target = (rug_ifs_target)i;
            n++;
        }
    if (n > 1)
        return "only one of --quality, --bpp and --psnr can be used";
    return given != NULL ? parse_values(run, job, given) : NULL;
}

const char *cli_target_column(const cli_compress_job *job)
{
    return kinds[job->options.target].column;
}

/* ---- Names ---- */

/* A name holds no value that is not asked for. */
static const char *check_placeholders(cli_run *run, const cli_compress_job *job)
{
    const char *name = job->values.output;
    for (int i = 0; i < CLI_COMPRESS_TARGETS; i++) {
        const char *placeholder = kinds[i].placeholder;
        if (strstr(name, placeholder) == NULL)
            continue;
        if (!cli_has_target(job))
            return refuse(run, "--output: '%s' stands for a value that is aimed at; %s",
                          placeholder,
                          job->options.lossless
                              ? "with --lossless there is none"
                              : "with --partition fixed or overlap there is none");
        if (i != (int)job->options.target)
            return refuse(run,
                          "--output: '%s' stands for a value that is aimed at; here "
                          "'%s' does",
                          placeholder, kinds[job->options.target].placeholder);
    }
    return NULL;
}

/* Names of two images that are the same are so for every value. */
static const char *check_name(cli_run *run, const char *name, int is_first)
{
    if (!cli_is_stream(name))
        return "--output: a name that ends in .rfi expected";
    if (is_first)
        return cli_check_result_name(run, "output", name);
    return cli_is_input(run, name) ? "--output: the file is an input" : NULL;
}

const char *cli_check_stream_name(cli_run *run, const cli_compress_job *job)
{
    const char *output = job->values.output;
    char name[CLI_PATH_MAX];
    if (output == NULL)
        return job->n_targets > 1 ? NULL : "--output FILE.rfi is missing";
    const char *problem = check_placeholders(run, job);
    const char *placeholder = kinds[job->options.target].placeholder;
    if (problem == NULL && job->n_targets > 1 && strstr(output, placeholder) == NULL)
        problem = refuse(run,
                         "--output: a stream is written for each value, so the name must "
                         "contain '%s', such as '{}-%s.rfi'",
                         placeholder, placeholder);
    for (size_t i = 0; i < job->n_targets && problem == NULL; i++)
        problem = cli_put_target(name, job, job->targets[i])
                      ? check_name(run, name, i == 0)
                      : "--output: the name is too long";
    return problem;
}

int cli_put_target(char name[CLI_PATH_MAX], const cli_compress_job *job, double value)
{
    const char *placeholder = kinds[job->options.target].placeholder, *found;
    char text[RUGI_REAL_TEXT_MAX];
    int n = 0, is_whole = 1;
    rugi_format_real(text, value);
    const char *at = job->values.output;
    for (name[0] = '\0'; is_whole && (found = strstr(at, placeholder)) != NULL;
         at = found + strlen(placeholder)) {
        n += snprintf(name + n, (size_t)(CLI_PATH_MAX - n), "%.*s%s", (int)(found - at),
                      at, text);
        is_whole = n < CLI_PATH_MAX;
    }
    return is_whole &&
           snprintf(name + n, (size_t)(CLI_PATH_MAX - n), "%s", at) < CLI_PATH_MAX - n;
}
