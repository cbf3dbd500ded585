/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The values of `rugose compress`'s options: read, checked before any image is read, and
 * put down in the report. */

#include "cmd_compress.h"
#include <math.h>
#include <stddef.h>

const char *cli_compress_target_name(rug_ifs_target target)
{
    static const char *const names[] = {"quality", "bpp", "psnr"};
    return names[target];
}

/* A number of an option; NULL leaves the target alone. */
static const char *parse(double *out, const char *text, double least, double most,
                         const char *problem)
{
    double value;
    if (text == NULL)
        return NULL;
    if (!rug_parse_real(&value, text) || !(value >= least && value <= most))
        return problem;
    *out = value;
    return NULL;
}

static const char *parse_target(cli_compress_job *job)
{
    const cli_compress_values *v = &job->values;
    rug_ifs_options *o = &job->options;
    int n = (v->quality != NULL) + (v->bpp != NULL) + (v->psnr != NULL);
    if (n > 1)
        return "--quality, --bpp and --psnr exclude each other";
    if (n > 0 && o->partition != RUG_IFS_QUADTREE)
        return "--quality, --bpp and --psnr are aims of --partition quadtree; the size of "
               "others follows from --range-size and --domain-step";
    o->target = v->bpp != NULL    ? RUG_IFS_TARGET_RATE
                : v->psnr != NULL ? RUG_IFS_TARGET_PSNR
                                  : RUG_IFS_TARGET_QUALITY;
    const char *problem = parse(&o->target_value, v->quality, 1, 100,
                                "--quality: a number from 1 to 100 expected");
    if (problem == NULL)
        problem = parse(&o->target_value, v->bpp, 1e-6, 1000,
                        "--bpp: bits for each pixel of the image, a number above 0, "
                        "expected, such as 0.5");
    if (problem == NULL)
        problem = parse(&o->target_value, v->psnr, 1, 200,
                        "--psnr: a number of dB from 1 to 200 expected, such as 35");
    return problem;
}

/* Options that only one way of cutting has a use for. */
static const char *check_partition(const cli_compress_job *job)
{
    const cli_compress_values *v = &job->values;
    int is_quadtree = job->options.partition == RUG_IFS_QUADTREE;
    if (is_quadtree && v->range_size > 0)
        return "--range-size: a quadtree chooses the sizes of ranges itself; with "
               "--partition fixed or overlap only";
    if (is_quadtree && v->domain_step % 4 != 0)
        return "--domain-step: a multiple of 4 expected with --partition quadtree";
    if (job->options.partition == RUG_IFS_OVERLAP && v->range_size % 2 != 0)
        return "--range-size: an even number expected with --partition overlap";
    if (!is_quadtree && v->residual >= 0)
        return "--residual: only a quadtree has one; leave it out";
    if (!is_quadtree && v->search >= 0 && v->search + 1 == RUG_IFS_SEARCH_FAST)
        return "--search fast: with --partition quadtree only; the others look at every "
               "domain";
    return NULL;
}

static const char *check_output(cli_run *run, const char *output)
{
    if (output == NULL)
        return "--output FILE.rfi is missing";
    if (!cli_is_stream(output))
        return "--output: a name that ends in .rfi expected";
    return cli_check_result_name(run, "output", output);
}

const char *cli_compress_check(cli_run *run, cli_compress_job *job)
{
    const cli_compress_values *v = &job->values;
    rug_ifs_options *o = &job->options;
    *o = (rug_ifs_options)RUG_IFS_OPTIONS_INIT;
    o->partition = (rug_ifs_partition)v->partition;
    o->range_size = (uint32_t)v->range_size;
    o->domain_step = (uint32_t)v->domain_step;
    o->without_residual = v->residual == 1;
    o->search = (rug_ifs_search)(v->search + 1);
    const char *problem = parse_target(job);
    if (problem == NULL)
        problem = check_partition(job);
    if (problem == NULL)
        problem = parse(&o->scale_max, v->scale_max, 1e-6, 1,
                        "--scale-max: a number above 0, at most 1, expected");
    if (problem == NULL && rug_ifs_check_options(run->ctx, o) != RUG_OK)
        problem = rug_context_error(run->ctx);
    if (problem == NULL)
        problem = check_output(run, v->output);
    return problem != NULL ? problem : cli_keep_colours(run, v->channel);
}

void cli_compress_describe_run(cli_run *run, const cli_compress_job *job)
{
    const rug_ifs_options *o = &job->options;
    int is_quadtree = o->partition == RUG_IFS_QUADTREE;
    char search[CLI_CHOICE_MAX];
    rug_record *p = cli_describe_run(run);
    if (job->values.search >= 0)
        cli_choice_name(search, CLI_IFS_SEARCHES, job->values.search);
    rug_record_set_text(p, "output", job->values.output);
    rug_record_set_text(p, "partition", cli_partition_name(o->partition));
    rug_record_set_text(p, "target",
                        is_quadtree ? cli_compress_target_name(o->target) : NULL);
    rug_record_set_real(p, "target_value", is_quadtree ? o->target_value : (double)NAN);
    rug_record_set_integer(p, "range_size", o->range_size);
    rug_record_set_integer(p, "domain_step", o->domain_step);
    rug_record_set_bool(p, "residual", is_quadtree && !o->without_residual);
    rug_record_set_text(p, "search", job->values.search >= 0 ? search : "auto");
    rug_record_set_real(p, "scale_max", o->scale_max > 0 ? o->scale_max : 1);
    rug_record_set_record(rug_report_head(run->report), "parameters", p);
}
