/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose multifractal: generalised dimensions and spectra. Its options, their check, and its
 * run. */

#include "cmd_multifractal.h"
#include "parts/parts.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_Q "-10..10:0.5"

static const cli_option options[] = {
    {CLI_OPTION("method", CLI_CHOICE, NULL, cli_multifractal_values, method),
     .choices = CLI_MULTIFRACTAL_METHOD,
     .help = "moments (default): moments of the masses of boxes, a row for each order q; "
             "alpha: the box-counting dimension of the pixels with about the same "
             "exponent alpha, a row for each slice of alpha; an option marked moments or "
             "alpha belongs to that method alone"},
    {CLI_OPTION("fit", CLI_RANGE, "A..B|auto", cli_multifractal_values, fit),
     .unset = "default",
     .help = "box sizes of the fits; auto (moments): the longest range in which the "
             "number of boxes with mass has steady local slopes (default: 1 to a quarter "
             "of the shortest axis)"},
    {CLI_OPTION("mask", CLI_TEXT, "FILE", cli_multifractal_values, mask),
     .help = "image of the same shape; pixels where it is 0 have neither mass nor alpha; "
             "a list may name one for each image"},
    {CLI_OPTION("plot", CLI_TEXT, "FILE", cli_multifractal_values, plot),
     .is_unlisted = 1,
     .help = CLI_PLOT_HELP(
         "draw the spectrum f(alpha), with D of each order or the pixels of each "
         "slice below, and standard errors")},
    {CLI_OPTION("q", CLI_TEXT, "LIST|A..B:STEP", cli_multifractal_values, q),
     .unset = DEFAULT_Q, .modes = CLI_MULTIFRACTAL_MOMENTS,
     .help = "moments: ascending orders, such as -2,0,1,2.5 (default " DEFAULT_Q ")"},
    {CLI_OPTION("foreground", CLI_FOREGROUND, "RULE", cli_multifractal_values,
                foreground),
     .also = "threshold|thresh|cutoff", .unset = "", .modes = CLI_MULTIFRACTAL_MOMENTS,
     .help =
         "moments: the mass of a box is its number of set pixels: auto, nonzero, otsu, otsu-dark, "
         "above=T, below=T or label=L, as in boxcount (default: no rule, and the mass "
         "is the sum of the grey values, none of which may be negative)"},
    {CLI_OPTION("points", CLI_FLAG, NULL, cli_multifractal_values, points),
     .modes = CLI_MULTIFRACTAL_MOMENTS,
     .help = "moments: the files are sets of points, and the mass of a box is the number "
             "of points in it; .csv, .tsv, .txt and .xyz are always read as points"},
    {CLI_COLUMNS_OPTION(cli_multifractal_values), .modes = CLI_MULTIFRACTAL_MOMENTS},
    {CLI_SKIP_ROWS_OPTION(cli_multifractal_values), .modes = CLI_MULTIFRACTAL_MOMENTS},
    {CLI_OPTION("resolution", CLI_COUNT, "N", cli_multifractal_values, resolution),
     .min = 1, .unit = "of cells or voxels", .unset = "default",
     .help =
         "points: lattice cells along the longest side of their bounding box (default "
         "1024, unless all coordinates are whole); meshes (PLY, STL, OBJ): voxels a side "
         "of the cube that they lie in, of which their longest side spans all but two"},
    {CLI_OPTION("spacing", CLI_REAL, "S", cli_multifractal_values, spacing),
     .min = CLI_ABOVE_0, .unset = "default", .modes = CLI_MULTIFRACTAL_MOMENTS,
     .help = "points: side of a lattice cell, on a grid through 0 (default 1 if all "
             "coordinates are whole)"},
    {CLI_OPTION("summary", CLI_TEXT, "FILE", cli_multifractal_values, summary),
     .modes = CLI_MULTIFRACTAL_MOMENTS, .is_unlisted = 1,
     .help = "moments: write a table there with a row for each image: D0, D1, D2 and the "
             "span of alpha (.csv, .json, .txt; - for standard output)"},
    {CLI_OPTION("moments", CLI_TEXT, "FILE", cli_multifractal_values, moments),
     .modes = CLI_MULTIFRACTAL_MOMENTS, .is_unlisted = 1,
     .help =
         "moments: write a table there of all sums behind the fits, by order and size"},
    {CLI_OPTION("measure", CLI_CHOICE, NULL, cli_multifractal_values, measure),
     .choices = CLI_MULTIFRACTAL_MEASURE, .modes = CLI_MULTIFRACTAL_ALPHA,
     .help =
         "alpha: what is measured in the windows around a pixel: the largest or the "
         "least value, the sum of the values (default), or the number of values equal "
         "to the pixel's (iso)"},
    {CLI_OPTION("windows", CLI_INT, "N", cli_multifractal_values, windows), .min = 2,
     .max = RUG_ALPHA_MAX_WINDOWS, .modes = CLI_MULTIFRACTAL_ALPHA,
     .help = "alpha: number of windows around a pixel, with sides of 1, 3, 5 ... pixels "
             "(default 4: 1 to 7)"},
    {CLI_OPTION("iso-tolerance", CLI_REAL, "T", cli_multifractal_values, iso_tolerance),
     .modes = CLI_MULTIFRACTAL_ALPHA,
     .help = "alpha: with --measure iso, the largest difference that counts as equal "
             "(default 0)"},
    {CLI_OPTION("slices", CLI_INT, "N", cli_multifractal_values, slices), .min = 1,
     .max = RUG_ALPHA_MAX_SLICES, .modes = CLI_MULTIFRACTAL_ALPHA,
     .help =
         "alpha: number of slices of equal width into which the range of alpha is cut "
         "(default 64)"},
    {CLI_OPTION("alpha-range", CLI_TEXT, "A..B", cli_multifractal_values, alpha_range),
     .unset = "default", .modes = CLI_MULTIFRACTAL_ALPHA,
     .help =
         "alpha: the range that is cut, the same for all images (default: the range of "
         "each image)"},
    {CLI_OPTION("map", CLI_TEXT, "FILE.tif", cli_multifractal_values, map),
     .modes = CLI_MULTIFRACTAL_ALPHA,
     .help =
         "alpha: write the alpha of each pixel there as 32-bit floats; the slices of a "
         "volume become pages; '{}' in FILE stands for the image's name, '{dir}' "
         "for its folder"},
};

static const cli_example examples[] = {
    {"rugose multifractal cell.tif",
     "one image: its grey values are the mass; 41 orders"},
    {"rugose multifractal --foreground auto --q 0,1,2 vessels.png",
     "the set of its foreground pixels; three dimensions"},
    {"rugose multifractal --summary dims.csv -o orders.csv slides/*.png",
     "many images: D0, D1 and D2 of each, and all orders"},
    {"rugose multifractal --plot spectrum.svg --moments sums.csv --fit 2..64 cell.tif",
     "with the spectrum as a plot, and the sums behind it"},
    {"rugose multifractal --resolution 4096 coast.csv", "points from a text file"},
    {"rugose multifractal --method alpha --map alpha.tif --plot f.svg cell.tif",
     "alpha of each pixel as an image, and the dimension of each slice"},
    {"rugose multifractal --list images.csv -f json",
     "the images and masks of a list, with all details"},
    {NULL, NULL},
};

/* ---- Columns ---- */

static const char *const order_columns[] = {
    "image", "q",         "tau",      "tau_error", "D",          "D_error", "alpha",
    "f",     "r_squared", "size_min", "size_max",  "near_empty", "status",  NULL};
static const char *const moment_columns[] = {
    "image", "q", "size", "boxes", "Z", "ln_Z", "p_ln_p", "mu_ln_p", "mu_ln_mu", NULL};
static const char *const summary_columns[] = {
    "image",    "shape",    "mass",     "D0",        "D0_error",  "D1",
    "D1_error", "D2",       "D2_error", "alpha_min", "alpha_max", "width",
    "size_min", "size_max", "engine",   "status",    NULL};
static const char *const slice_columns[] = {
    "image",   "slice",     "alpha_min", "alpha_max", "pixels", "f",
    "f_error", "r_squared", "size_min",  "size_max",  "status", NULL};

/* ---- The command line ---- */

static const char *refuse_q(cli_run *run, const char *word)
{
    return cli_refuse_word(run, "q", word,
                           "orders from -1000 to 1000, such as -2,0,1,2.5, or A..B:STEP "
                           "with A < B,");
}

static const char too_many_q[] = "--q: more than 1024 orders";

/* Orders are decimals of nine digits behind the point at most, so that -1 + 20 * 0.1 is 1,
 * the order that has a formula of its own. */
#define DIGITS 1e9

/* Puts an order in its place, once.
 * @param word  that it comes from */
static const char *add_order(cli_run *run, cli_multifractal_job *job, double q,
                             const char *word)
{
    q = nearbyint(q * DIGITS) / DIGITS;
    if (!(fabs(q) <= RUG_MULTIFRACTAL_Q_MAX))
        return refuse_q(run, word);
    size_t at = job->n_q;
    while (at > 0 && job->q[at - 1] >= q)
        at--;
    if (at < job->n_q && job->q[at] <= q)
        return NULL;
    if (job->n_q == CLI_MULTIFRACTAL_MAX_Q)
        return too_many_q;
    memmove(&job->q[at + 1], &job->q[at], (job->n_q - at) * sizeof job->q[0]);
    job->q[at] = q + 0.0; /* never -0 */
    job->n_q++;
    return NULL;
}

/* "A..B:STEP" */
static const char *parse_q_steps(cli_run *run, cli_multifractal_job *job,
                                 const char *text)
{
    char range[128];
    double lo, hi, step;
    const char *colon = strchr(text, ':'), *problem = NULL;
    if (colon == NULL || (size_t)(colon - text) >= sizeof range)
        return refuse_q(run, text);
    snprintf(range, sizeof range, "%.*s", (int)(colon - text), text);
    if (!cli_parse_real_range(&lo, &hi, range) || !rugi_parse_real(&step, colon + 1) ||
        !(step > 0))
        return refuse_q(run, text);
    /* The last may lie a little behind B by rounding alone. */
    double last = floor((hi - lo) / step * (1 + 1e-12));
    if (!(last < CLI_MULTIFRACTAL_MAX_Q))
        return too_many_q;
    for (int i = 0; i <= (int)last && problem == NULL; i++)
        problem = add_order(run, job, lo + i * step, text);
    return problem;
}

static const char *parse_q_list(cli_run *run, cli_multifractal_job *job, const char *text)
{
    for (const char *at = text;; at++) {
        char word[64];
        double q;
        size_t n = strcspn(at, ",");
        if (n >= sizeof word)
            return refuse_q(run, at);
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        const char *problem =
            rugi_parse_real(&q, word) ? add_order(run, job, q, at) : refuse_q(run, at);
        at += n;
        if (problem != NULL || *at == '\0')
            return problem;
    }
}

static const char *parse_q(cli_run *run, cli_multifractal_job *job, const char *text)
{
    if (text == NULL)
        text = DEFAULT_Q;
    const char *problem = strstr(text, "..") != NULL ? parse_q_steps(run, job, text)
                                                     : parse_q_list(run, job, text);
    for (int i = 0; i < CLI_MULTIFRACTAL_N_MAIN; i++)
        job->q[job->n_q + (size_t)i] = i;
    return problem;
}

static const char *check_moments(cli_run *run, cli_multifractal_job *job)
{
    const cli_multifractal_values *v = &job->values;
    run->reads_points = v->points;
    run->point_options.columns = v->columns;
    run->point_options.skip_rows = v->skip_rows;
    run->columns = order_columns;
    run->writing.second_path = v->moments;
    run->writing.third_path = v->summary;
    const char *problem = parse_q(run, job, v->q);
    if (problem == NULL)
        problem = cli_check_exclusive(run, "resolution", "spacing");
    if (problem == NULL)
        problem = cli_check_second_report(run, "summary", v->summary);
    if (problem == NULL)
        problem = cli_check_second_report(run, "moments", v->moments);
    if (problem == NULL && v->summary != NULL && v->moments != NULL &&
        strcmp(v->summary, "-") != 0 && cli_same_path(v->summary, v->moments))
        problem = "--summary and --moments name the same file";
    return problem;
}

static const char *check_alpha(cli_run *run, cli_multifractal_job *job)
{
    const cli_multifractal_values *v = &job->values;
    rug_alpha_options *o = &job->alpha;
    run->columns = slice_columns;
    o->measure = (rug_alpha_measure)v->measure;
    o->n_windows = (uint32_t)v->windows;
    o->n_slices = (uint32_t)v->slices;
    o->iso_tolerance = v->iso_tolerance;
    if (v->fit.is_auto)
        return "--fit auto cannot be used with --method alpha; give two sizes A..B";
    if (cli_is_given(&run->words, "iso-tolerance") && o->measure != RUG_ALPHA_ISO)
        return "--iso-tolerance can only be used with --measure iso";
    if (v->alpha_range != NULL &&
        !cli_parse_real_range(&o->alpha_min, &o->alpha_max, v->alpha_range))
        return "--alpha-range: two numbers A..B with A < B expected";
    return v->map != NULL ? cli_check_map_name(run, v->map, 0) : NULL;
}

static const char *check(cli_run *run, void *user)
{
    cli_multifractal_job *job = user;
    const cli_multifractal_values *v = &job->values;
    unsigned mode = 1u << v->method;
    int is_alpha = mode == CLI_MULTIFRACTAL_ALPHA;
    run->mask = v->mask;
    run->reading.resolution = v->resolution;
    const char *problem =
        cli_check_mode(run, mode,
                       is_alpha ? "can only be used with --method moments"
                                : "can only be used with --method alpha");
    if (problem == NULL)
        problem = cli_check_masks(run);
    if (problem == NULL && is_alpha && run->parts != NULL)
        problem = "--method alpha and --part cannot be used together";
    if (problem == NULL)
        problem = is_alpha ? check_alpha(run, job) : check_moments(run, job);
    return problem != NULL ? problem : cli_check_plots(run, &job->plots, v->plot, 0);
}

/* ---- The run ---- */

static int work(cli_run *run, void *user)
{
    cli_multifractal_job *job = user;
    const cli_multifractal_values *v = &job->values;
    int exit =
        v->moments != NULL ? cli_begin_table(run, &run->second, moment_columns) : CLI_OK;
    if (exit == CLI_OK && v->summary != NULL)
        exit = cli_begin_table(run, &run->third, summary_columns);
    if (exit != CLI_OK) {
        cli_report_free(run->second);
        return exit;
    }
    if (run->mode == CLI_MULTIFRACTAL_ALPHA)
        cli_for_each_input(run, cli_multifractal_alpha, NULL, job);
    else
        cli_for_each_input(run, cli_multifractal_image, cli_multifractal_points, job);
    return CLI_OK;
}

static void end_plots(cli_run *run, void *user)
{
    cli_multifractal_job *job = user;
    cli_end_plots(run, &job->plots);
}

static void free_job(void *user)
{
    cli_multifractal_job *job = user;
    cli_free_plots(&job->plots);
    cli_free_outputs(&job->maps);
}

static int run_multifractal(int argc, char **argv)
{
    static const cli_actions actions = {
        .check = check, .work = work, .end = end_plots, .free = free_job};
    cli_multifractal_job job = {.alpha = RUG_ALPHA_OPTIONS_INIT};
    job.values.measure = (int)job.alpha.measure;
    job.values.windows = (int)job.alpha.n_windows;
    job.values.slices = (int)job.alpha.n_slices;
    return cli_run_images(&cli_multifractal, argc, argv, &job.values, &job, &actions);
}

const cli_command cli_multifractal = {
    .name = "multifractal",
    .operands = "FILE|DIR...",
    .summary = "generalised dimensions and f(alpha): images, volumes, points",
    .also = "spectrum|renyi|f-alpha",
    .text =
        "Adds up the mass in the boxes of side 1, 2, 4 ... pixels and fits how the moments "
        "of every order q scale with the size: tau(q), the generalised dimensions D_q, and "
        "alpha and f(alpha) after Chhabra and Jensen (1989). The grid begins at the first "
        "pixel of every axis; boxes without mass are left out. With --method alpha it finds "
        "instead the exponent of every pixel from the windows around it, and the dimension "
        "of the pixels with about the same exponent.",
    .takes_images = 1,
    .takes_nodata = 1,
    .takes_masks = 1,
    .takes_overlay = 1,
    .in_parts = cli_begin_parts,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_multifractal,
};
