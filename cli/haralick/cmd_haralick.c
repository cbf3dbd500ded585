/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose haralick: features of grey-level co-occurrence. Its options, their check, and its
 * run. */

#include "cmd_haralick.h"
#include "parts/parts.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define E 2.718281828459045

static const cli_option options[] = {
    {CLI_OPTION("distances", CLI_TEXT, "LIST", cli_haralick_values, distances),
     .unset = "1",
     .help = "distances of the pairs in pixels, such as 1,2,5: the largest coordinate of "
             "the offset, so that 45 degrees at 2 is (-2, 2) (default 1)"},
    {CLI_OPTION("angles", CLI_TEXT, "all|LIST", cli_haralick_values, angles),
     .unset = "all",
     .help =
         "directions, as offsets (row, column) at distance d: 0 = (0, d), 45 = (-d, d), "
         "90 = (-d, 0), 135 = (-d, -d); volumes have nine more, one slice down: "
         "z+1,y-1,x-1 ... z+1,y+1,x+1 (default all)"},
    {CLI_OPTION("asymmetric", CLI_FLAG, NULL, cli_haralick_values, asymmetric),
     .help = "count each pair one way only, from a pixel to the one at the offset"},
    {CLI_OPTION("pairs", CLI_CHOICE, NULL, cli_haralick_values, pairs),
     .choices = CLI_HARALICK_PAIRS,
     .help =
         "which pairs count: those with both pixels in the region (inside, default), or "
         "all in its bounding box widened by the distance, where pixels outside the "
         "region have level 0 (frame: Gipp et al. 2009)"},
    {CLI_OPTION("frame", CLI_INT, "N", cli_haralick_values, frame), .min = 1,
     .max = RUG_GLCM_MAX_DISTANCE, .unset = "distance", .modes = CLI_HARALICK_FRAME,
     .help =
         "with --pairs frame: widen the box by N pixels at all distances, of which none may "
         "be larger, so that the background weighs the same; Gipp et al. take the largest "
         "distance (default: by each distance itself)"},
    {CLI_OPTION("levels", CLI_TEXT, "exact|N", cli_haralick_values, levels),
     .also = "bins|n-bins|bin-count", .unset = "default",
     .help = "grey levels: the values themselves (exact, default for integers), or N "
             "equal bins of a range, 2..65536, numbered from 1 (default for floats: 64)"},
    {CLI_OPTION("range", CLI_TEXT, "RANGE", cli_haralick_values, range),
     .unset = "default",
     .help =
         "the range that is divided into bins: the whole range of the type (type), the "
         "values of the image (image, default with --levels N), the values of each "
         "region (roi, default with --bin-width), or LO..HI, ends included; values "
         "outside count as the nearest end"},
    {CLI_OPTION("bin-width", CLI_TEXT, "W", cli_haralick_values, bin_width),
     .help =
         "bins of this width instead of a number of bins; the first begins at LO if "
         "--range LO..HI is given, else at the multiple of W at or below the least value; there "
         "is no last bin: with W = 25, 50 of 0..50 is in bin 3"},
    {CLI_OPTION("bin-origin", CLI_TEXT, "min|zero|V", cli_haralick_values, bin_origin),
     .help =
         "with --bin-width, where the bins begin: at the least value of each region, or of "
         "the range (min), at the multiple of W at or below it (zero, default), or at V; "
         "values below V count in the first bin. Default with --range LO..HI or --resegment "
         "LO..HI: LO"},
    {CLI_OPTION("resegment", CLI_TEXT, "LO..HI", cli_haralick_values, resegment),
     .also = "resegmentation|re-segment|resegment-range",
     .help =
         "leave out pixels with values outside LO..HI, ends included, as if a mask did; LO.. "
         "and ..HI leave one side open; --range keeps such pixels and clamps their values"},
    {CLI_OPTION("aggregate", CLI_CHOICE, NULL, cli_haralick_values, aggregate),
     .choices = CLI_HARALICK_AGGREGATE, .also = "weighting-norm",
     .help =
         "how to combine directions: the mean of each feature over those that have pairs "
         "(mean, default), a row for each direction (none), the largest value minus the "
         "least (range), or the features of the summed matrices (merged)"},
    {CLI_OPTION("slices", CLI_CHOICE, NULL, cli_haralick_values, slices),
     .choices = CLI_HARALICK_SLICES, .also = "force-2d",
     .help =
         "volumes: 13 directions in space (none, default), or the 4 directions within "
         "each slice: the mean of the features over slices (mean), or the matrices "
         "summed over slices (merged)"},
    {CLI_OPTION("log", CLI_CHOICE, NULL, cli_haralick_values, log),
     .choices = CLI_HARALICK_LOG,
     .help = "base of the logarithms in entropies: 2 (default, bits) or e"},
    {CLI_OPTION("features", CLI_TEXT, "14|13|all|LIST", cli_haralick_values, features),
     .help =
         "14: f1 to f14 of Haralick et al. (default); 13: without the maximal "
         "correlation coefficient, which takes the most time (default with --window); "
         "all: also the other features of IBSI; or names of columns, such as "
         "contrast,entropy"},
    {CLI_OPTION("names", CLI_CHOICE, NULL, cli_haralick_values, names),
     .choices = CLI_HARALICK_NAMES,
     .help = "naming of the feature columns (default haralick); features that a scheme "
             "does not name keep their own name"},
    {CLI_OPTION("mask", CLI_TEXT, "FILE", cli_haralick_values, mask),
     .help =
         "image of the same shape; pairs with a pixel where it is 0 are not counted; a "
         "list may name one for each image"},
    {CLI_OPTION("labels", CLI_TEXT, "FILE", cli_haralick_values, labels),
     .help =
         "label image of the same shape: a row for each label except 0, of the pairs "
         "within it (default: the whole image is one region, label 0)"
         "; with several images '{}' in FILE stands for the image's name, or a list names one for each"},
    {CLI_OPTION("window", CLI_TEXT, "W|HxW", cli_haralick_values, window),
     .modes = CLI_HARALICK_MAPS,
     .help =
         "images: also map the features of the W x W pixels around each pixel, or of H rows "
         "of W pixels, both odd, from 3 to 255; windows are cut off at the edges of the "
         "image; the levels are those of the whole image"},
    {CLI_OPTION("map", CLI_TEXT, "FILE.tif", cli_haralick_values, map),
     .modes = CLI_HARALICK_MAPS,
     .help =
         "write the maps there, a file of 32-bit floats for each feature; '{}' in FILE "
         "stands for the image's name, '{dir}' for its folder; the name is followed by "
         "-FEATURE if there are several features"},
    {CLI_OPTION("plot", CLI_TEXT, "FILE", cli_haralick_values, plot), .is_unlisted = 1,
     .help = CLI_PLOT_HELP(
         "draw how the values of each feature are spread, over the labels, directions and "
         "distances of an image, or over the images of a class where a list has a column "
         "'class'; five and more have the box of their quartiles")},
};

static const cli_example examples[] = {
    {"rugose haralick cell.tif", "one image: 14 features, mean over 4 directions"},
    {"rugose haralick --labels cells_labels.png -o texture.csv cells.tif",
     "a row for each cell, to a CSV file"},
    {"rugose haralick --levels 32 --range 0..4095 -o texture.csv plates/*.tif",
     "12-bit images, with the same bins for all"},
    {"rugose haralick --distances 1,2,4 --aggregate none cell.tif",
     "a row for each distance and direction"},
    {"rugose haralick --bin-width 25 --features all --names pyradiomics --mask roi.nii "
     "ct.nii",
     "a volume in 13 directions, all features"},
    {"rugose haralick --slices merged --mask roi.nii ct.nii",
     "the same slice by slice: 4 directions, matrices summed"},
    {"rugose haralick --window 7 --levels 32 --features contrast,entropy --map "
     "'maps-{}.tif' sky.tif",
     "also maps of two features: maps-sky-contrast.tif, maps-sky-entropy.tif"},
    {"rugose haralick --resegment -1000..400 --bin-width 25 --features all --names ibsi "
     "--mask roi.nii ct.nii",
     "without the pixels outside of soft tissue, in bins that begin at -1000"},
    {"rugose haralick --features contrast,entropy --labels cells_labels.png --plot "
     "cells.svg cells.tif",
     "how two features are spread over cells"},
    {"rugose haralick --list images.csv -f json",
     "the images and masks of a list, with all details"},
    {NULL, NULL},
};

/* ---- The command line ---- */

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

/* Puts a distance in its place, once. @return 0: there are too many */
static int add_distance(cli_haralick_job *job, uint32_t d)
{
    uint32_t n = job->opts.n_distances, at = n;
    while (at > 0 && job->distances[at - 1] >= d)
        at--;
    if (at < n && job->distances[at] == d)
        return 1;
    if (n == RUG_GLCM_MAX_DISTANCES)
        return 0;
    memmove(&job->distances[at + 1], &job->distances[at],
            (n - at) * sizeof job->distances[0]);
    job->distances[at] = d;
    job->opts.n_distances++;
    return 1;
}

static const char *parse_distances(cli_run *run, cli_haralick_job *job, const char *text)
{
    rug_glcm_options *o = &job->opts;
    o->distances = job->distances;
    for (const char *at = text;; at++) {
        uint32_t d;
        const char *word = at;
        at = parse_count(&d, at, RUG_GLCM_MAX_DISTANCE);
        if (at == NULL || (*at != ',' && *at != '\0'))
            return cli_refuse_word(run, "distances", word,
                                   "whole numbers from 1 to 32767, such as 1,2,5,");
        if (!add_distance(job, d))
            return "--distances: more than 64 distances";
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

/* What was given instead of what was expected. */
static const char *refuse(cli_haralick_job *job, const char *option, const char *given,
                          const char *expected)
{
    snprintf(job->problem, sizeof job->problem, "--%s: '%.64s' given, %s expected",
             option, given, expected);
    return job->problem;
}

/* Names of volumes hold commas themselves. */
static const char *refuse_angle(cli_haralick_job *job, const char *text)
{
    char word[64];
    size_t n = strcspn(text, ",");
    for (int i = 0; i < 2 && *text == 'z' && text[n] == ','; i++)
        n += 1 + strcspn(text + n + 1, ",");
    snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : 63, text);
    return refuse(job, "angles", word,
                  "'all' or some of 0,45,90,135, in volumes also of z+1,y-1,x-1 ... "
                  "z+1,y+1,x+1,");
}

static const char *parse_angles(cli_haralick_job *job, const char *text)
{
    rug_glcm_options *o = &job->opts;
    if (strcmp(text, "all") == 0)
        return NULL;
    for (const char *at = text;; at++) {
        uint32_t k;
        const char *word = at;
        at = parse_angle(&k, at);
        if (at == NULL)
            return refuse_angle(job, word);
        o->directions |= (uint32_t)1 << k;
        if (*at == '\0')
            return NULL;
    }
}

/* Whether a frame has a use, and room for all distances. */
static const char *parse_frame(cli_haralick_job *job)
{
    rug_glcm_options *o = &job->opts;
    uint32_t most = o->n_distances > 0 ? job->distances[o->n_distances - 1] : 1;
    o->frame = (uint32_t)job->values.frame;
    if (o->frame > 0 && o->pairs != RUG_GLCM_PAIRS_FRAME)
        return "--frame can only be used with --pairs frame";
    if (o->frame == 0 || o->frame >= most)
        return NULL;
    snprintf(job->problem, sizeof job->problem,
             "--frame: %d given, at least the distance %" PRIu32 " expected",
             job->values.frame, most);
    return job->problem;
}

static const char *parse_levels(rug_glcm_options *o, const cli_haralick_values *v)
{
    const char *end;
    if (v->bin_width != NULL) {
        o->levels = RUG_GLCM_LEVELS_WIDTH;
        return rugi_parse_real(&o->bin_width, v->bin_width) && o->bin_width > 0
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
    if (text == NULL)
        return NULL;
    if (o->levels == RUG_GLCM_LEVELS_EXACT)
        return "--range: exact levels have no bins; give --levels N or --bin-width W "
               "with it";
    if (o->levels == RUG_GLCM_LEVELS_AUTO)
        return "--range: give --levels N or --bin-width W with it";
    for (int i = RUG_GLCM_RANGE_TYPE; i <= RUG_GLCM_RANGE_ROI; i++)
        if (strcmp(text, rug_glcm_range_name((rug_glcm_range)i)) == 0) {
            o->range = (rug_glcm_range)i;
            return NULL;
        }
    o->range = RUG_GLCM_RANGE_GIVEN;
    return cli_parse_real_range(&o->range_lo, &o->range_hi, text)
               ? NULL
               : "--range: type, image, roi or LO..HI with LO < HI expected";
}

static const char *parse_origin(cli_haralick_job *job, const char *text)
{
    rug_glcm_options *o = &job->opts;
    if (text == NULL)
        return NULL;
    if (o->levels != RUG_GLCM_LEVELS_WIDTH)
        return "--bin-origin can only be used with --bin-width";
    o->origin = RUG_GLCM_ORIGIN_GIVEN;
    if (strcmp(text, "min") == 0)
        o->origin = RUG_GLCM_ORIGIN_MIN;
    else if (strcmp(text, "zero") == 0)
        o->origin = RUG_GLCM_ORIGIN_ZERO;
    else if (!rugi_parse_real(&o->bin_origin, text))
        return refuse(job, "bin-origin", text, "min, zero or a number");
    return NULL;
}

/* "LO..HI", "LO.." or "..HI" */
static const char *parse_resegment(cli_haralick_job *job, const char *text)
{
    rug_glcm_options *o = &job->opts;
    char lo[64] = "";
    if (text == NULL)
        return NULL;
    const char *dots = strstr(text, ".."), *hi = dots != NULL ? dots + 2 : "";
    if (dots != NULL && dots - text < (ptrdiff_t)sizeof lo)
        snprintf(lo, sizeof lo, "%.*s", (int)(dots - text), text);
    o->resegment = 1;
    o->resegment_lo = -HUGE_VAL;
    o->resegment_hi = HUGE_VAL;
    int is_good = dots != NULL && (dots == text) == (*lo == '\0') &&
                  (*lo == '\0' || rugi_parse_real(&o->resegment_lo, lo)) &&
                  (*hi == '\0' || rugi_parse_real(&o->resegment_hi, hi)) &&
                  (*lo != '\0' || *hi != '\0') && o->resegment_lo < o->resegment_hi;
    return is_good ? NULL
                   : refuse(job, "resegment", text,
                            "LO..HI with LO < HI, LO.. or ..HI, such as -1000..400,");
}

/* "7", or "3x7": rows and columns. */
static const char *parse_window(cli_haralick_job *job, const char *text)
{
    uint32_t side[2];
    if (text == NULL)
        return NULL;
    const char *at = parse_count(&side[0], text, RUG_GLCM_MAX_WINDOW);
    side[1] = side[0];
    if (at != NULL && *at == 'x')
        at = parse_count(&side[1], at + 1, RUG_GLCM_MAX_WINDOW);
    int is_window = at != NULL && *at == '\0';
    for (int a = 0; a < 2 && is_window; a++) {
        job->window[a] = side[a];
        is_window = side[a] >= RUG_GLCM_MIN_WINDOW && side[a] % 2 == 1;
    }
    return is_window ? NULL
                     : refuse(job, "window", text,
                              "an odd number from 3 to 255, or rows and columns such as "
                              "3x7,");
}

static void take_first(cli_haralick_job *job, uint32_t n)
{
    for (job->n_features = 0; job->n_features < n; job->n_features++)
        job->feature[job->n_features] = (rug_glcm_feature)job->n_features;
}

/* What a feature is called, as asked. Names that others do not have stay ours. */
static const char *name_of(const cli_haralick_job *job, rug_glcm_feature feature)
{
    const char *name = "";
    if (job->values.names == 1)
        name = rug_glcm_feature_ibsi(feature);
    else if (job->values.names == 2)
        name = rug_glcm_feature_pyradiomics(feature);
    return *name != '\0' ? name : rug_glcm_feature_name(feature);
}

/* The feature that a text begins with, by our name or as asked for. @return where it
 * ends, or NULL */
static const char *parse_feature(rug_glcm_feature *feature, const cli_haralick_job *job,
                                 const char *text)
{
    size_t n = strcspn(text, ",");
    for (int f = 0; f < RUG_GLCM_N_FEATURES; f++) {
        *feature = (rug_glcm_feature)f;
        const char *names[] = {rug_glcm_feature_name(*feature), job->names[*feature]};
        for (int i = 0; i < 2; i++)
            if (strlen(names[i]) == n && strncmp(text, names[i], n) == 0)
                return text + n;
    }
    return NULL;
}

/* Names the word that a text begins with, and the feature that may be meant. */
static const char *refuse_feature(cli_haralick_job *job, const char *text)
{
    size_t n = strcspn(text, ",");
    cli_guess guess = {text, n, NULL, 0};
    for (int f = 0; f < RUG_GLCM_N_FEATURES; f++) {
        cli_guess_try(&guess, job->names[f]);
        cli_guess_try(&guess, rug_glcm_feature_name((rug_glcm_feature)f));
    }
    snprintf(
        job->problem, sizeof job->problem,
        "--features: '%.*s' given%s%s%s, 13, 14, 'all' or names of columns expected, such "
        "as contrast,entropy",
        n < 64 ? (int)n : 64, text, guess.best != NULL ? " (did you mean " : "",
        guess.best != NULL ? guess.best : "", guess.best != NULL ? "?)" : "");
    return job->problem;
}

static const char *parse_list(cli_haralick_job *job, const char *text)
{
    job->n_features = 0;
    for (const char *at = text;; at++) {
        rug_glcm_feature feature;
        const char *end = parse_feature(&feature, job, at);
        if (end == NULL)
            return refuse_feature(job, at);
        uint32_t i = 0;
        while (i < job->n_features && job->feature[i] != feature)
            i++;
        if (i == job->n_features)
            job->feature[job->n_features++] = feature;
        at = end;
        if (*at == '\0')
            return NULL;
    }
}

/* The fewest that the library can be asked for. */
static rug_glcm_features least_features(const cli_haralick_job *job)
{
    rug_glcm_features least = RUG_GLCM_FEATURES_13;
    for (uint32_t i = 0; i < job->n_features; i++) {
        if (job->feature[i] > RUG_GLCM_MAX_CORRELATION_COEFFICIENT)
            return RUG_GLCM_FEATURES_ALL;
        if (job->feature[i] == RUG_GLCM_MAX_CORRELATION_COEFFICIENT)
            least = RUG_GLCM_FEATURES_14;
    }
    return least;
}

static const char *parse_features(cli_haralick_job *job)
{
    const char *text = job->values.features, *problem = NULL;
    for (int f = 0; f < RUG_GLCM_N_FEATURES; f++)
        job->names[f] = name_of(job, (rug_glcm_feature)f);
    if (text == NULL)
        text = job->values.window != NULL ? "13" : "14";
    if (strcmp(text, "13") == 0)
        take_first(job, RUG_GLCM_MAX_CORRELATION_COEFFICIENT);
    else if (strcmp(text, "14") == 0)
        take_first(job, RUG_GLCM_MAX_CORRELATION_COEFFICIENT + 1);
    else if (strcmp(text, "all") == 0)
        take_first(job, RUG_GLCM_N_FEATURES);
    else
        problem = parse_list(job, text);
    job->opts.features = least_features(job);
    return problem;
}

static const char *const *make_columns(cli_haralick_job *job)
{
    static const char *const first[] = {"image", "label", "area",  "distance",
                                        "angle", "pairs", "levels"};
    const char **columns = job->columns;
    size_t n = 0;
    for (; n < sizeof first / sizeof first[0]; n++)
        columns[n] = first[n];
    for (uint32_t i = 0; i < job->n_features; i++)
        columns[n++] = job->names[job->feature[i]];
    columns[n++] = "status";
    columns[n] = NULL;
    return columns;
}

static const char *check(cli_run *run, void *user)
{
    cli_haralick_job *job = user;
    const cli_haralick_values *v = &job->values;
    rug_glcm_options *o = &job->opts;
    o->asymmetric = v->asymmetric;
    o->pairs = (rug_glcm_pairs)v->pairs;
    o->aggregate = (rug_glcm_aggregate)v->aggregate;
    o->slices = (rug_glcm_slices)v->slices;
    o->log_base = v->log == 0 ? 2 : E;
    run->mask = v->mask;
    run->labels = v->labels;
    run->mode = (v->window != NULL ? CLI_HARALICK_MAPS : 0) |
                (o->pairs == RUG_GLCM_PAIRS_FRAME ? CLI_HARALICK_FRAME : 0);
    const char *problem = cli_check_masks(run);
    if (problem == NULL && v->distances != NULL)
        problem = parse_distances(run, job, v->distances);
    if (problem == NULL)
        problem = parse_frame(job);
    if (problem == NULL && v->angles != NULL)
        problem = parse_angles(job, v->angles);
    if (problem == NULL)
        problem = cli_check_exclusive(run, "bin-width", "levels");
    if (problem == NULL)
        problem = parse_levels(o, v);
    if (problem == NULL)
        problem = parse_range(o, v->range);
    if (problem == NULL)
        problem = parse_origin(job, v->bin_origin);
    if (problem == NULL)
        problem = parse_resegment(job, v->resegment);
    if (problem == NULL)
        problem = parse_window(job, v->window);
    if (problem == NULL)
        problem = parse_features(job);
    if (problem == NULL && o->slices != RUG_GLCM_SLICES_NONE &&
        o->directions >> RUG_GLCM_DIRECTIONS_2D != 0)
        problem = "--slices: the directions within a slice are 0, 45, 90 and 135";
    if (problem == NULL && rug_glcm_check_options(run->ctx, o) != RUG_OK)
        problem = rug_context_error(run->ctx);
    run->columns = make_columns(job);
    if (problem == NULL && run->parts != NULL)
        problem = cli_haralick_check_parts(v);
    if (problem == NULL)
        problem = cli_haralick_check_map(run, job);
    return problem != NULL ? problem : cli_check_plots(run, &job->plots, v->plot, 0);
}

static void describe(const cli_run *run, cli_record *p, const void *user)
{
    const cli_haralick_job *job = user;
    cli_describe_own(run, p);
    if (job->values.features == NULL)
        cli_record_set_text(p, "features", job->values.window != NULL ? "13" : "14");
    if (job->values.window != NULL && strchr(job->values.window, 'x') == NULL)
        cli_record_set_integer(p, "window", job->window[0]);
}

/* ---- The run ---- */

static void end_plots(cli_run *run, void *user)
{
    cli_haralick_job *job = user;
    cli_end_plots(run, &job->plots);
}

static void free_job(void *user)
{
    cli_haralick_job *job = user;
    cli_free_outputs(&job->maps);
    cli_free_plots(&job->plots);
}

static int run_haralick(int argc, char **argv)
{
    static const cli_actions actions = {.check = check,
                                        .describe = describe,
                                        .image = cli_haralick_image,
                                        .end = end_plots,
                                        .free = free_job};
    cli_haralick_job job = {.opts = RUG_GLCM_OPTIONS_INIT};
    return cli_run_images(&cli_haralick, argc, argv, &job.values, &job, &actions);
}

const cli_command cli_haralick = {
    .name = "haralick",
    .operands = "FILE|DIR...",
    .summary = "texture of images, regions and volumes by grey-level co-occurrence",
    .also = "glcm|texture|cooccurrence|co-occurrence",
    .text =
        "Counts how often grey levels i and j occur at an offset from each other, and prints "
        "the features of Haralick, Shanmugam and Dinstein (1973) of these counts: of the "
        "whole image, inside a mask, or of each label of a label image. Pairs are counted "
        "both ways. Undefined features are nan, with the reason in the column status.",
    .takes_images = 1,
    .takes_nodata = 1,
    .takes_masks = 1,
    .takes_overlay = 1,
    .takes_labels = 1,
    .in_parts = cli_begin_parts,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_haralick,
};
