/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The values of `rugose decompress`'s options, checked before any stream is read. */

#include "cmd_decompress.h"
#include <rugose/picture.h>
#include <stdio.h>
#include <string.h>

static const char bad_scale[] = "--scale: a number from 0.25 to 16 expected";
static const char bad_size[] =
    "--size: width and height in pixels expected, such as 1024x768";
static const char bad_pixels[] = "--max-pixels: a whole number from 1 expected";

static const char *parse_size(rug_ifs_decode_options *o, const char *text)
{
    char width[16];
    int nx, ny;
    size_t n = strcspn(text, "x");
    if (text[n] != 'x' || n >= sizeof width)
        return bad_size;
    snprintf(width, sizeof width, "%.*s", (int)n, text);
    if (cli_parse_int(&nx, width, 1, 16 * RUG_IFS_SIDE_MAX) != 0 ||
        cli_parse_int(&ny, text + n + 1, 1, 16 * RUG_IFS_SIDE_MAX) != 0)
        return bad_size;
    o->nx = (uint32_t)nx;
    o->ny = (uint32_t)ny;
    return NULL;
}

static const char *parse_decoding(cli_decompress_job *job)
{
    const cli_decompress_values *v = &job->values;
    rug_ifs_decode_options *o = &job->options;
    double pixels = (double)RUG_IFS_PIXELS_DEFAULT;
    *o = (rug_ifs_decode_options)RUG_IFS_DECODE_OPTIONS_INIT;
    o->iterations = (uint32_t)v->iterations;
    if (v->scale != NULL && v->size != NULL)
        return "--scale and --size exclude each other";
    if (v->scale != NULL &&
        (!rug_parse_real(&o->scale, v->scale) || !(o->scale >= 0.25 && o->scale <= 16)))
        return bad_scale;
    if (v->max_pixels != NULL &&
        (!rug_parse_real(&pixels, v->max_pixels) || !(pixels >= 1 && pixels <= 1e15) ||
         (double)(uint64_t)pixels < pixels))
        return bad_pixels;
    o->pixels_max = (uint64_t)pixels;
    return v->size != NULL ? parse_size(o, v->size) : NULL;
}

/* What there is to be done, and that every option has a use. */
static const char *check_wishes(const cli_decompress_values *v)
{
    if (v->output == NULL && v->frames == NULL && v->export_ascii == NULL)
        return "--output FILE is missing";
    if (v->output == NULL && v->frames == NULL &&
        (v->scale != NULL || v->size != NULL || v->iterations > 0))
        return "--scale, --size and --iterations are of the picture; give --output FILE";
    return NULL;
}

static const char *check_names(cli_run *run, const cli_decompress_values *v)
{
    const char *problem = NULL;
    if (v->output != NULL)
        problem = cli_check_result_name(run, "output", v->output);
    if (problem == NULL && v->output != NULL &&
        rug_picture_check_name(run->ctx, v->output) != RUG_OK)
        problem = rug_context_error(run->ctx);
    if (problem == NULL && v->frames != NULL)
        problem = cli_check_result_name(run, "frames", v->frames);
    if (problem == NULL && v->export_ascii != NULL)
        problem = cli_check_result_name(run, "export-ascii", v->export_ascii);
    if (problem == NULL && v->output != NULL && v->export_ascii != NULL &&
        cli_same_path(v->output, v->export_ascii))
        problem = "--output and --export-ascii name the same file";
    return problem;
}

const char *cli_decompress_check(cli_run *run, cli_decompress_job *job)
{
    const char *problem = check_wishes(&job->values);
    if (problem == NULL)
        problem = parse_decoding(job);
    return problem != NULL ? problem : check_names(run, &job->values);
}
