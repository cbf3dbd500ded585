/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which options of `rugose compress` go with which, and what they are to the library. */

#include "cmd_compress.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Why an option of another way of coding is refused. */
static const char *reason_of(unsigned way)
{
    switch (way) {
    case CLI_COMPRESS_LOSSLESS:
        return "cannot be used with --lossless, which keeps every pixel as it is";
    case CLI_COMPRESS_VERSION_1:
        return "needs version 3 of the stream; leave out --stream-version 1";
    case CLI_COMPRESS_TRANSFORMS:
        return "cannot be used with --residual off, a code of transforms alone";
    case CLI_COMPRESS_GRIDS: return "can only be used with --partition quadtree";
    default:
        return "can only be used with --stream-version 1, --residual off, or --partition fixed "
               "or overlap; streams of version 3 have --effort";
    }
}

static unsigned way_of(const cli_compress_values *v)
{
    if (v->partition != RUG_IFS_QUADTREE)
        return CLI_COMPRESS_GRIDS;
    if (v->lossless)
        return CLI_COMPRESS_LOSSLESS;
    if (v->residual == 1)
        return CLI_COMPRESS_TRANSFORMS;
    return v->stream_version == 0 ? CLI_COMPRESS_VERSION_1 : CLI_COMPRESS_LOSSY;
}

static const char *check_way(cli_run *run, const cli_compress_values *v)
{
    unsigned way = way_of(v);
    return cli_check_mode(run, way, reason_of(way));
}

/* Options that go with one way of dividing only. */
static const char *check_partition(const cli_compress_values *v)
{
    int is_quadtree = v->partition == RUG_IFS_QUADTREE;
    if (is_quadtree && v->range_size > 0)
        return "--range-size can only be used with --partition fixed or overlap; a quadtree "
               "chooses the sizes of its ranges itself";
    if (is_quadtree && v->domain_step % 4 != 0)
        return "--domain-step: a multiple of 4 expected with --partition quadtree";
    if (v->partition == RUG_IFS_OVERLAP && v->range_size % 2 != 0)
        return "--range-size: an even number expected with --partition overlap";
    if (is_quadtree && v->shadow_limit >= 0)
        return "--shadow-limit can only be used with --partition fixed or overlap; a quadtree "
               "weighs what a domain costs itself";
    if (is_quadtree && v->domain_wrap)
        return "--domain-wrap can only be used with --partition fixed or overlap; the domains "
               "of a quadtree lie inside the image";
    if (!is_quadtree && v->search >= 0 && v->search + 1 == RUG_IFS_SEARCH_FAST)
        return "--search fast can only be used with --partition quadtree; the others try every "
               "domain";
    for (int i = 0; !is_quadtree && i < CLI_COMPRESS_TARGETS; i++)
        if (v->targets[i] != NULL)
            return "--quality, --bpp and --psnr can only be used with --partition quadtree; "
                   "the size of the others follows from --range-size and --domain-step";
    return NULL;
}

/* The version of a stream follows from how it is coded; one that cannot hold it is refused. */
static const char *check_version(const cli_compress_values *v)
{
    unsigned way = way_of(v);
    if (v->stream_version == 0 && v->lossless)
        return "--lossless needs version 3 of the stream; leave out --stream-version 1";
    if (v->stream_version == 0 && v->domain_wrap)
        return "--domain-wrap needs version 2 of the stream; leave out --stream-version 1";
    if (v->stream_version == 1 &&
        (way == CLI_COMPRESS_TRANSFORMS || way == CLI_COMPRESS_GRIDS))
        return "--stream-version 3 can only be used with a quadtree that has a residual; leave "
               "out --partition and --residual off";
    return NULL;
}

static const char *check_colours(const cli_compress_values *v, int is_chroma_given)
{
    if (v->channel >= 0 && (is_chroma_given || v->chroma_quality > 0))
        return "--chroma and --chroma-quality cannot be used with --channel, which takes a "
               "grey image";
    if (v->tile % 64 != 0)
        return "--tile: a multiple of 64 expected";
    return NULL;
}

static void take(rug_ifs_options *o, const cli_compress_values *v)
{
    o->partition = (rug_ifs_partition)v->partition;
    o->range_size = (uint32_t)v->range_size;
    o->domain_step = (uint32_t)v->domain_step;
    o->without_residual = v->residual == 1;
    o->search = (rug_ifs_search)(v->search + 1);
    if (v->shadow_limit > 0)
        o->shadow_limit = v->shadow_limit;
    o->domain_wrap = v->domain_wrap;
    if (v->scale_max > 0)
        o->scale_max = v->scale_max;
    o->version = way_of(v) == CLI_COMPRESS_VERSION_1;
    o->effort = (uint32_t)v->effort;
    o->tune = (rug_ifs_tune)v->tune;
    o->chroma = (rug_ifs_chroma)v->chroma;
    o->chroma_quality = v->chroma_quality;
    o->lossless = v->lossless;
    o->progressive = v->progressive;
    o->tile = (uint32_t)v->tile;
}

const char *cli_check_coding(cli_run *run, cli_compress_job *job)
{
    const cli_compress_values *v = &job->values;
    const char *problem = cli_take_targets(run, job);
    if (problem == NULL)
        problem = check_partition(v);
    if (problem == NULL)
        problem = check_version(v);
    if (problem == NULL)
        problem = check_way(run, v);
    if (problem == NULL)
        problem = check_colours(v, cli_is_given(&run->words, "chroma"));
    if (problem != NULL)
        return problem;
    take(&job->options, v);
    for (size_t i = 0; i < job->n_targets && problem == NULL; i++) {
        rug_ifs_options o = job->options;
        o.target_value = job->targets[i];
        problem = cli_problem(run->ctx, rug_ifs_check_options(run->ctx, &o));
    }
    return problem;
}

/* ---- What is said of them ---- */

static void describe_targets(cli_record *p, const cli_compress_job *job)
{
    const rug_ifs_options *o = &job->options;
    int has_target = cli_has_target(job);
    cli_record_set_text(p, "target", has_target ? rug_ifs_target_name(o->target) : NULL);
    if (job->n_targets > 1)
        cli_record_set_reals(p, "target_value", job->targets, job->n_targets);
    else
        cli_record_set_real(p, "target_value",
                            has_target ? o->target_value : (double)NAN);
}

static int is_version_3(unsigned way)
{
    return way == CLI_COMPRESS_LOSSY || way == CLI_COMPRESS_LOSSLESS;
}

/* What is looked for before version 3; null in that. */
static void describe_blocks(cli_record *p, const rug_ifs_options *o, int is_3)
{
    double scale_max = o->scale_max > 0 ? o->scale_max : 1;
    cli_record_set_integer(p, "range_size", o->range_size);
    cli_record_set_real(p, "domain_step", is_3 ? (double)NAN : o->domain_step);
    cli_record_set_bool(p, "residual",
                        o->partition == RUG_IFS_QUADTREE && !o->without_residual);
    cli_record_set_text(p, "search", is_3 ? NULL : rug_ifs_search_name(o->search));
    cli_record_set_real(p, "scale_max", is_3 ? (double)NAN : scale_max);
    cli_record_set_real(p, "shadow_limit", o->shadow_limit);
    cli_record_set_bool(p, "domain_wrap", o->domain_wrap);
}

/* What streams of version 3 have; null in others. */
static void describe_version_3(cli_record *p, const rug_ifs_options *o, unsigned way)
{
    int is_lossy = way == CLI_COMPRESS_LOSSY;
    int is_3 = is_version_3(way);
    double effort = o->effort > 0 ? o->effort : RUG_IFS_EFFORT_DEFAULT;
    cli_record_set_real(p, "effort", is_lossy ? effort : (double)NAN);
    cli_record_set_text(p, "tune", is_lossy ? rug_ifs_tune_name(o->tune) : NULL);
    cli_record_set_text(p, "chroma", is_lossy ? rug_ifs_chroma_name(o->chroma) : NULL);
    cli_record_set_real(p, "chroma_quality",
                        o->chroma_quality > 0 ? o->chroma_quality : (double)NAN);
    cli_record_set_bool(p, "lossless", o->lossless);
    cli_record_set_bool(p, "progressive", o->progressive);
    cli_record_set_real(p, "tile", is_3 && o->tile > 0 ? o->tile : (double)NAN);
    cli_record_set_integer(p, "stream_version", is_3 ? 3 : o->domain_wrap ? 2 : 1);
}

void cli_describe_coding(const cli_run *run, cli_record *p, const void *user)
{
    const cli_compress_job *job = user;
    const rug_ifs_options *o = &job->options;
    unsigned way = way_of(&job->values);
    (void)run;
    cli_record_set_text(p, "output", job->values.output);
    cli_record_set_text(p, "partition", rug_ifs_partition_name(o->partition));
    describe_targets(p, job);
    describe_blocks(p, o, is_version_3(way));
    describe_version_3(p, o, way);
    cli_describe_notes(p, &job->values.notes);
}

/* Adds to a text what there is room for. */
static void add(char text[CLI_CODING_TEXT_MAX], const char *more)
{
    size_t n = strlen(text);
    snprintf(text + n, CLI_CODING_TEXT_MAX - n, "%s", more);
}

static void add_targets(char text[CLI_CODING_TEXT_MAX], const cli_compress_job *job)
{
    char value[RUGI_REAL_TEXT_MAX];
    add(text, ", ");
    add(text, rug_ifs_target_name(job->options.target));
    for (size_t i = 0; i < job->n_targets; i++) {
        rugi_format_real_short(value, job->targets[i]);
        add(text, i == 0 ? " " : ",");
        add(text, value);
    }
}

static void add_number(char text[CLI_CODING_TEXT_MAX], const char *name, double value)
{
    char number[RUGI_REAL_TEXT_MAX];
    rugi_format_real_short(number, value);
    add(text, name);
    add(text, number);
}

void cli_coding_text(char text[CLI_CODING_TEXT_MAX], const cli_compress_job *job)
{
    const rug_ifs_options *o = &job->options;
    const char *how = o->lossless ? "lossless" : rug_ifs_partition_name(o->partition);
    snprintf(text, CLI_CODING_TEXT_MAX, "%s%s%s", how,
             o->without_residual ? " without residual" : "",
             o->domain_wrap ? ", domains wrap around" : "");
    if (cli_has_target(job))
        add_targets(text, job);
    if (o->effort > 0)
        add_number(text, ", effort ", o->effort);
    if (o->tune == RUG_IFS_TUNE_PSNR)
        add(text, ", tuned for psnr");
    if (o->chroma == RUG_IFS_CHROMA_420)
        add(text, ", chroma 420");
    if (o->chroma_quality > 0)
        add_number(text, ", chroma quality ", o->chroma_quality);
    if (o->progressive)
        add(text, ", progressive");
}
