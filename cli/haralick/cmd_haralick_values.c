/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The values of `rugose haralick`'s options: read, checked before any image is read, and
 * put down in the report. */

#include "cmd_haralick.h"
#include <string.h>

#define E 2.718281828459045

/* A whole number from 1 to `most` where a text begins. @return where it ends, or NULL */
static const char *parse_count(uint32_t *value, const char *text, uint32_t most)
{
    uint32_t v = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        v = v * 10 + (uint32_t)(*at - '0');
        if (v > most)
            return NULL;
    }
    *value = v;
    return at > text && v > 0 ? at : NULL;
}

static const char *parse_distances(cli_haralick_job *job, const char *text)
{
    rug_glcm_options *o = &job->opts;
    o->distances = job->distances;
    for (const char *at = text;; at++) {
        uint32_t d;
        at = parse_count(&d, at, RUG_GLCM_MAX_DISTANCE);
        if (at == NULL || (*at != ',' && *at != '\0') ||
            (o->n_distances > 0 && d <= job->distances[o->n_distances - 1]))
            return "--distances: ascending whole numbers from 1 to 32767 expected, such "
                   "as 1,2,5";
        if (o->n_distances == RUG_GLCM_MAX_DISTANCES)
            return "--distances: more than 64 distances";
        job->distances[o->n_distances++] = d;
        if (*at == '\0')
            return NULL;
    }
}

/* The direction whose name a text begins with; names of volumes hold commas themselves.
 * @return where it ends, or NULL */
static const char *parse_angle(uint32_t *direction, const char *text)
{
    for (uint32_t k = 0; k < RUG_GLCM_DIRECTIONS_3D; k++) {
        const char *name = rug_glcm_direction_name(k);
        size_t n = strlen(name);
        if (strncmp(text, name, n) == 0 && (text[n] == ',' || text[n] == '\0')) {
            *direction = k;
            return text + n;
        }
    }
    return NULL;
}

static const char *parse_angles(rug_glcm_options *o, const char *text)
{
    if (strcmp(text, "all") == 0)
        return NULL;
    for (const char *at = text;; at++) {
        uint32_t k;
        at = parse_angle(&k, at);
        if (at == NULL)
            return "--angles: 'all', or some of 0,45,90,135 expected, in volumes also of "
                   "z+1,y-1,x-1 ... z+1,y+1,x+1";
        if (o->directions >> k & 1)
            return "--angles: a direction is given twice";
        o->directions |= (uint32_t)1 << k;
        if (*at == '\0')
            return NULL;
    }
}

static const char *parse_levels(rug_glcm_options *o, const cli_haralick_values *v)
{
    const char *end;
    if (v->bin_width != NULL) {
        o->levels = RUG_GLCM_LEVELS_WIDTH;
        if (v->levels != NULL)
            return "--bin-width and --levels exclude each other";
        return rug_parse_real(&o->bin_width, v->bin_width) && o->bin_width > 0
                   ? NULL
                   : "--bin-width: a number above 0 expected";
    }
    if (v->levels == NULL)
        return NULL;
    if (strcmp(v->levels, "exact") == 0) {
        o->levels = RUG_GLCM_LEVELS_EXACT;
        return NULL;
    }
    o->levels = RUG_GLCM_LEVELS_COUNT;
    end = parse_count(&o->n_levels, v->levels, RUG_GLCM_MAX_SPAN);
    return end != NULL && *end == '\0' && o->n_levels > 1
               ? NULL
               : "--levels: 'exact' or a number of bins from 2 to 65536 expected";
}

static const char *parse_range(rug_glcm_options *o, const char *text)
{
    static const char *const rules[] = {"type", "image", "roi"};
    if (text == NULL)
        return NULL;
    if (o->levels == RUG_GLCM_LEVELS_EXACT)
        return "--range: exact levels have no bins; give --levels N or --bin-width W "
               "with it";
    if (o->levels == RUG_GLCM_LEVELS_AUTO)
        return "--range: give --levels N or --bin-width W with it";
    for (int i = 0; i < 3; i++)
        if (strcmp(text, rules[i]) == 0) {
            o->range = (rug_glcm_range)(RUG_GLCM_RANGE_TYPE + i);
            return NULL;
        }
    o->range = RUG_GLCM_RANGE_GIVEN;
    return cli_parse_real_range(&o->range_lo, &o->range_hi, text)
               ? NULL
               : "--range: type, image, roi or LO..HI with LO < HI expected";
}

const char *cli_haralick_check(cli_run *run, cli_haralick_job *job)
{
    const cli_haralick_values *v = &job->values;
    rug_glcm_options *o = &job->opts;
    *o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    o->asymmetric = v->asymmetric;
    o->pairs = (rug_glcm_pairs)v->pairs;
    o->aggregate = (rug_glcm_aggregate)v->aggregate;
    o->slices = (rug_glcm_slices)v->slices;
    o->log_base = v->log == 0 ? 2 : E;
    run->mask = v->mask;
    run->labels = v->labels;
    run->needs_pixels = 1;
    const char *problem = cli_check_masks(run);
    if (problem == NULL && v->distances != NULL)
        problem = parse_distances(job, v->distances);
    if (problem == NULL && v->angles != NULL)
        problem = parse_angles(o, v->angles);
    if (problem == NULL)
        problem = parse_levels(o, v);
    if (problem == NULL)
        problem = parse_range(o, v->range);
    if (problem == NULL)
        problem = cli_haralick_parse_features(job);
    if (problem == NULL && o->slices != RUG_GLCM_SLICES_NONE &&
        o->directions >> RUG_GLCM_DIRECTIONS_2D != 0)
        problem = "--slices: the directions of a slice are 0, 45, 90 and 135";
    if (problem == NULL && rug_glcm_check_options(run->ctx, o) != RUG_OK)
        problem = rug_context_error(run->ctx);
    return problem != NULL ? problem : cli_haralick_check_map(run, job);
}

static void set_given(rug_record *p, const char *name, const char *value,
                      const char *otherwise)
{
    rug_record_set_text(p, name, value != NULL ? value : otherwise);
}

void cli_haralick_describe(cli_run *run, const cli_haralick_job *job)
{
    const cli_haralick_values *v = &job->values;
    rug_record *p = cli_describe_run(run);
    set_given(p, "distances", v->distances, "1");
    set_given(p, "angles", v->angles, "all");
    rug_record_set_bool(p, "asymmetric", v->asymmetric);
    cli_set_choice(p, "pairs", CLI_HARALICK_PAIRS, v->pairs);
    set_given(p, "levels", v->levels, "default");
    set_given(p, "range", v->range, "default");
    rug_record_set_text(p, "bin_width", v->bin_width);
    cli_set_choice(p, "aggregate", CLI_HARALICK_AGGREGATE, v->aggregate);
    cli_set_choice(p, "slices", CLI_HARALICK_SLICES, v->slices);
    cli_set_choice(p, "log", CLI_HARALICK_LOG, v->log);
    set_given(p, "features", v->features, v->window > 0 ? "13" : "14");
    cli_set_choice(p, "names", CLI_HARALICK_NAMES, v->names);
    rug_record_set_text(p, "mask", v->mask);
    rug_record_set_text(p, "labels", v->labels);
    if (v->window > 0) {
        rug_record_set_integer(p, "window", (uint64_t)v->window);
        rug_record_set_text(p, "map", v->map);
    }
    rug_record_set_record(rug_report_head(run->report), "parameters", p);
}
