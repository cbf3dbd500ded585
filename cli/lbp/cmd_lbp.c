/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose lbp: histograms and maps of local binary patterns. Its options, their check, and its
 * run. */

#include "cmd_lbp.h"
#include "parts/parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    CLI_LBP_CODING_OPTIONS(cli_lbp_values),
    {CLI_OPTION("cuts", CLI_TEXT, "LIST", cli_lbp_values, cuts), .is_unlisted = 1,
     .help = "ascending variances such as 10,50,200 that separate bins of the variance: "
             "with --method var the histogram has these bins; with another method it is "
             "joint, with bin number code * (cuts + 1) + bin of the variance"},
    {CLI_OPTION("normalize", CLI_FLAG, NULL, cli_lbp_values, normalize),
     .help = "print bins as shares of the pixels that were counted"},
    {CLI_OPTION("planes", CLI_CHOICE, NULL, cli_lbp_values, planes),
     .choices = CLI_LBP_PLANES, .unset = "",
     .help =
         "volumes: the planes on which patterns are measured, the slices (xy) or planes "
         "across them; all: one histogram for each, together LBP-TOP"},
    {CLI_OPTION("mask", CLI_TEXT, "FILE", cli_lbp_values, mask),
     .help = "image of the same shape: pixels where it is 0 are not counted, but may be "
             "samples of others; a list may name one for each image"},
    {CLI_OPTION("labels", CLI_TEXT, "FILE", cli_lbp_values, labels),
     .help =
         "label image of the same shape: a histogram for each label except 0, of its "
         "pixels"
         "; with several images '{}' in FILE stands for the image's name, or a list names one for each"},
    {CLI_OPTION("map", CLI_TEXT, "FILE.tif", cli_lbp_values, map),
     .help =
         "write the code of each pixel there; the slices of a volume become pages; "
         "'{}' in FILE stands for the image's name, '{dir}' for its folder; the name is "
         "followed by -PLANE for volumes and "
         "by -P-R if there are several operators"},
    {CLI_OPTION("plot", CLI_TEXT, "FILE", cli_lbp_values, plot), .is_unlisted = 1,
     .help =
         CLI_PLOT_HELP("draw the histogram of each operator, as shares of the pixels")},
};

static const cli_example examples[] = {
    {"rugose lbp brick.png", "10 bins: rotation-invariant uniform patterns of (8, 1)"},
    {"rugose lbp --lbp 8,1 --lbp 16,2 --lbp 24,3 -o textures.csv textures/*.png",
     "three scales, many images, to a CSV file"},
    {"rugose lbp --method default --map codes.tif brick.png",
     "256 bins, and the code of each pixel as an image"},
    {"rugose lbp --labels cells_labels.png --normalize cells.tif", "a row for each cell"},
    {"rugose lbp --cuts 10,50,200 brick.png", "codes and contrast together, 40 bins"},
    {"rugose lbp --planes all brain.nii.gz", "a volume, in three directions"},
    {"rugose lbp --plot textures.svg brick.png grass.png", "histograms side by side"},
    {NULL, NULL},
};

/* ---- The command line ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In ascending order, each once. */
static void sort_cuts(cli_lbp_job *job)
{
    uint32_t n = 0;
    qsort(job->cuts, job->n_cuts, sizeof *job->cuts, by_value);
    for (uint32_t i = 0; i < job->n_cuts; i++)
        if (n == 0 || job->cuts[i] > job->cuts[n - 1])
            job->cuts[n++] = job->cuts[i];
    job->n_cuts = n;
}

/* Reads "10,50,200" into the cuts of every operator; the library checks their order. */
static const char *parse_cuts(cli_run *run, cli_lbp_job *job, const char *text)
{
    char *copy = strdup(text), *end = NULL;
    job->cuts = calloc(strlen(text) + 1, sizeof *job->cuts);
    const char *problem = copy == NULL || job->cuts == NULL ? cli_no_memory : NULL;
    for (char *at = copy; problem == NULL && at != NULL; at = end) {
        end = strchr(at, ',');
        if (end != NULL)
            *end++ = '\0';
        double *cut = &job->cuts[job->n_cuts++];
        if (!rugi_parse_real(cut, at) || !(*cut > 0))
            problem =
                cli_refuse_word(run, "cuts", at, "numbers above 0, such as 10,50,200,");
    }
    free(copy);
    if (problem == NULL)
        sort_cuts(job);
    for (uint32_t i = 0; i < job->plan.options.n_operators; i++) {
        job->plan.op[i].cuts = job->cuts;
        job->plan.op[i].n_cuts = job->n_cuts;
    }
    return problem;
}

/* Without a map there must be a histogram. */
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
        return "--method var needs the cuts between its bins, such as --cuts 10,50,200; or "
               "write the variances with --map FILE.tif";
    const char *problem = cli_lbp_check_bins(run, opts);
    if (problem == NULL)
        return NULL;
    char text[512]; /* the problem lies where the next one is written */
    snprintf(text, sizeof text, "%s", problem);
    rug_context_fail(run->ctx, RUG_E_ARG, "%s; or write the codes with --map FILE.tif",
                     text);
    return rug_context_error(run->ctx);
}

/* @return NULL without memory */
static const char *const *make_columns(cli_lbp_job *job, int has_labels)
{
    static const char *const behind[] = {"points", "radius", "method", "pixels"};
    size_t n = 0;
    job->columns = calloc(job->n_bins + 8, sizeof *job->columns);
    job->bin_names = calloc(job->n_bins + 1, CLI_LBP_BIN_NAME);
    if (job->columns == NULL || job->bin_names == NULL)
        return NULL;
    job->columns[n++] = "image";
    if (job->planes > 0)
        job->columns[n++] = "plane";
    if (has_labels)
        job->columns[n++] = "label";
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++)
        job->columns[n++] = behind[i];
    for (uint32_t b = 0; b < job->n_bins; b++) {
        char *name = job->bin_names + (size_t)b * CLI_LBP_BIN_NAME;
        snprintf(name, CLI_LBP_BIN_NAME, "bin_%u", b);
        job->columns[n++] = name;
    }
    return job->columns;
}

static const char *check_map(cli_run *run, const cli_lbp_job *job)
{
    const char *name = job->values.map;
    const rug_lbp_options *opts = &job->plan.options;
    if (name == NULL)
        return NULL;
    int is_several = opts->n_operators > 1 || job->planes == CLI_LBP_PLANES_ALL;
    const char *problem = cli_check_map_name(run, name, is_several);
    if (problem != NULL)
        return problem;
    for (uint32_t i = 0; i < opts->n_operators; i++) {
        rug_dtype dtype;
        if (rug_lbp_map_dtype(run->ctx, &dtype, opts, i) != RUG_OK)
            return rug_context_error(run->ctx);
    }
    return NULL;
}

/* There is a plot of each label and plane. */
static const char *check_plot(cli_run *run, cli_lbp_job *job)
{
    const char *name = job->values.plot;
    int is_var = job->plan.options.method == RUG_LBP_VAR;
    if (name != NULL && is_var && job->n_cuts == 0)
        return "--plot: there are no bins to draw; give --cuts";
    if (name != NULL && cli_lbp_check_bins(run, &job->plan.options) != NULL)
        return "--plot: there are too many bins to draw";
    return cli_check_plots(run, &job->plots, name,
                           run->has_labels || job->planes == CLI_LBP_PLANES_ALL);
}

static const char *check(cli_run *run, void *user)
{
    cli_lbp_job *job = user;
    const cli_lbp_values *v = &job->values;
    run->mask = v->mask;
    run->labels = v->labels;
    job->planes = v->planes + 1;
    run->needs_pixels = job->planes > 0;
    const char *problem = cli_check_masks(run);
    if (problem == NULL)
        problem = cli_lbp_parse(run, &job->plan, &v->coding);
    if (problem == NULL && run->parts != NULL &&
        v->coding.interpolation == RUG_LBP_HARDWARE)
        problem = "--interpolation hardware and --part cannot be used together";
    if (problem == NULL && v->cuts != NULL)
        problem = parse_cuts(run, job, v->cuts);
    if (problem == NULL && rug_lbp_check_options(run->ctx, &job->plan.options) != RUG_OK)
        problem = rug_context_error(run->ctx);
    if (problem == NULL)
        problem = check_bins(run, job);
    if (problem == NULL)
        problem = check_map(run, job);
    if (problem == NULL)
        problem = check_plot(run, job);
    if (problem != NULL)
        return problem;
    run->columns = make_columns(job, run->has_labels);
    return run->columns != NULL ? NULL : cli_no_memory;
}

static void describe(const cli_run *run, cli_record *p, const void *user)
{
    const cli_lbp_job *job = user;
    cli_lbp_describe(p, &job->plan.options);
    cli_describe_own(run, p);
}

static void end_plots(cli_run *run, void *user)
{
    cli_lbp_job *job = user;
    cli_end_plots(run, &job->plots);
}

static void free_job(void *user)
{
    cli_lbp_job *job = user;
    free(job->cuts);
    free(job->columns);
    free(job->bin_names);
    cli_free_outputs(&job->maps);
    cli_free_plots(&job->plots);
}

static int run_lbp(int argc, char **argv)
{
    static const cli_actions actions = {.check = check,
                                        .describe = describe,
                                        .image = cli_lbp_image,
                                        .end = end_plots,
                                        .free = free_job};
    cli_lbp_job job = {.values = {.planes = -1, .coding = CLI_LBP_CODING_INIT}};
    return cli_run_images(&cli_lbp, argc, argv, &job.values, &job, &actions);
}

const cli_command cli_lbp = {
    .name = "lbp",
    .operands = "FILE|DIR...",
    .summary = "texture: histograms and maps of local binary patterns",
    .also = "histogram|local-binary-patterns",
    .text =
        "Compares each pixel with samples on a circle around it: sample i of P lies at row "
        "-R sin(2 pi i / P), column +R cos(2 pi i / P), and bit i of the pixel's pattern is "
        "1 if the sample is not below the pixel. Prints how often each pattern, or class "
        "of patterns, occurs: a row for each operator. By default the codes equal those of "
        "scikit-image bit for bit, on every processor and device.",
    .takes_images = 1,
    .takes_nodata = 1,
    .takes_masks = 1,
    .takes_overlay = 1,
    .takes_labels = 1,
    .in_parts = cli_begin_parts,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_lbp,
};
