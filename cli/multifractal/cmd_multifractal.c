/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose multifractal: generalised dimensions and spectra. Its options, and its run. */

#include "cmd_multifractal.h"

static const cli_option options[] = {
    {.name = "method",
     .kind = CLI_CHOICE,
     .choices = CLI_MULTIFRACTAL_METHOD,
     .target = offsetof(cli_multifractal_values, method),
     .help =
         "moments of the masses of boxes, a row for each order q (default), or the "
         "box-counting dimension of the pixels with about the same exponent alpha, a row "
         "for each slice of alpha; options that only one of them has name it"},
    {.name = "fit",
     .kind = CLI_TEXT,
     .value = "A..B|auto",
     .target = offsetof(cli_multifractal_values, fit),
     .help =
         "box sizes of the fits; auto (moments): the longest range in which the "
         "number of boxes with mass has steady local slopes (default: 1 to a quarter of "
         "the shortest axis)"},
    {.name = "mask",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_multifractal_values, mask),
     .help =
         "image of the same shape; pixels where it is 0 have no mass, and no alpha; a "
         "list may name one for each image"},
    {.name = "plot",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_multifractal_values, plot),
     .help =
         "draw the spectrum f(alpha), and D of each order or the pixels of each slice (.svg, "
         ".png; .gp keeps the gnuplot script); with several images '{}' in FILE stands for "
         "the image's name"},
    {.name = "q",
     .kind = CLI_TEXT,
     .value = "LIST|A..B:STEP",
     .target = offsetof(cli_multifractal_values, q),
     .help = "moments: orders, ascending, such as -2,0,1,2.5 (default -10..10:0.5)"},
    {.name = "foreground",
     .kind = CLI_TEXT,
     .value = "RULE",
     .target = offsetof(cli_multifractal_values, foreground),
     .help =
         "moments: the mass of a box is its number of set pixels: auto, nonzero, otsu, "
         "above=T, below=T or label=L, as in boxcount (default: no rule, the mass is "
         "the sum of grey values, none of which may be negative)"},
    {.name = "points",
     .kind = CLI_FLAG,
     .target = offsetof(cli_multifractal_values, points),
     .help = "moments: the files are sets of points, and the mass of a box is the number "
             "of points in it; .csv, .tsv, .txt and .xyz are points without it"},
    {.name = "resolution",
     .kind = CLI_TEXT,
     .value = "N",
     .target = offsetof(cli_multifractal_values, resolution),
     .help = "points: pixels along the longest side of their bounding box (default 1024, "
             "unless all coordinates are whole)"},
    {.name = "spacing",
     .kind = CLI_TEXT,
     .value = "S",
     .target = offsetof(cli_multifractal_values, spacing),
     .help = "points: side of a lattice cell, on a grid through 0 (default 1 where all "
             "coordinates are whole)"},
    {.name = "summary",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_multifractal_values, summary),
     .help = "moments: write a table there with a row for each image: D0, D1, D2 and the "
             "span of alpha (.csv, .json, .txt; - for standard output)"},
    {.name = "moments",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_multifractal_values, moments),
     .help = "moments: write the table of all sums that are fitted there, by order and "
             "size"},
    {.name = "measure",
     .kind = CLI_CHOICE,
     .choices = CLI_MULTIFRACTAL_MEASURE,
     .target = offsetof(cli_multifractal_values, measure),
     .help = "alpha: what is measured in the windows about a pixel: the largest or the "
             "least value, their sum (default), or how many are like the pixel (iso)"},
    {.name = "windows",
     .kind = CLI_INT,
     .value = "N",
     .min = 2,
     .max = RUG_ALPHA_MAX_WINDOWS,
     .target = offsetof(cli_multifractal_values, windows),
     .help =
         "alpha: windows about a pixel, of 1, 3, 5 ... pixels a side (default 4: 1 to 7)"},
    {.name = "iso-tolerance",
     .kind = CLI_TEXT,
     .value = "T",
     .target = offsetof(cli_multifractal_values, iso_tolerance),
     .help = "alpha: the largest difference to the pixel with --measure iso (default 0)"},
    {.name = "slices",
     .kind = CLI_INT,
     .value = "N",
     .min = 1,
     .max = RUG_ALPHA_MAX_SLICES,
     .target = offsetof(cli_multifractal_values, slices),
     .help = "alpha: slices of equal width that the range of alpha is cut into (default "
             "64)"},
    {.name = "alpha-range",
     .kind = CLI_TEXT,
     .value = "A..B",
     .target = offsetof(cli_multifractal_values, alpha_range),
     .help = "alpha: the range that is cut, the same for all images (default: that of "
             "each)"},
    {.name = "map",
     .kind = CLI_TEXT,
     .value = "FILE.tif",
     .target = offsetof(cli_multifractal_values, map),
     .help =
         "alpha: write the alpha of each pixel there as 32-bit floats, of a volume its "
         "slices as pages; '{}' in FILE stands for the image's name"},
};

static const cli_example examples[] = {
    {"rugose multifractal cell.tif", "one image: its grey values are mass, 41 orders"},
    {"rugose multifractal --foreground auto --q 0,1,2 vessels.png",
     "the set of its foreground pixels; three dimensions"},
    {"rugose multifractal --summary dims.csv -o orders.csv slides/*.png",
     "a folder: D0, D1 and D2 of each image, and all orders"},
    {"rugose multifractal --plot spectrum.svg --moments sums.csv --fit 2..64 cell.tif",
     "with the spectrum as a plot, and the sums behind it"},
    {"rugose multifractal --resolution 4096 coast.csv", "the points of a text"},
    {"rugose multifractal --method alpha --map alpha.tif --plot f.svg cell.tif",
     "alpha of each pixel as an image, and the dimensions of its slices"},
    {"rugose multifractal --list images.csv -f json",
     "a list with masks, with everything that is known"},
    {NULL, NULL},
};

/* Writes a second table; its failure is the run's failure. */
static void write_table(cli_run *run, const rug_report *table, const char *path)
{
    if (table == NULL || run->interrupted)
        return;
    cli_clear_progress(run);
    if (cli_write_report(run, table, path) != RUG_OK)
        cli_fail_image(run, rug_context_error(run->ctx));
}

static void measure_all(cli_run *run, cli_multifractal_job *job)
{
    const cli_multifractal_values *v = &job->values;
    cli_set_columns(run, cli_multifractal_columns(job));
    cli_multifractal_describe(run, job);
    if (v->moments != NULL)
        job->moments = rug_report_new(cli_multifractal_moment_columns);
    if (v->summary != NULL)
        job->summary = rug_report_new(cli_multifractal_summary_columns);
    if (v->method == CLI_MULTIFRACTAL_ALPHA)
        cli_for_each_input(run, cli_multifractal_alpha, NULL, job);
    else
        cli_for_each_input(run, cli_multifractal_image, cli_multifractal_points, job);
    write_table(run, job->moments, v->moments);
    write_table(run, job->summary, v->summary);
    rug_report_free(job->moments);
    rug_report_free(job->summary);
    cli_free_outputs(&job->plots);
    cli_free_outputs(&job->maps);
}

static int run_multifractal(int argc, char **argv)
{
    cli_multifractal_job job = {.values.measure = -1, .foreground = RUG_FOREGROUND_INIT};
    cli_run run;
    int exit;
    if (!cli_start(&run, &cli_multifractal, argc, argv, &job.values, &exit))
        return exit;
    const char *problem = cli_multifractal_check(&run, &job);
    if (problem != NULL) {
        cli_usage_error(&cli_multifractal, problem);
        cli_abandon(&run);
        return CLI_USAGE;
    }
    measure_all(&run, &job);
    return cli_finish(&run);
}

const cli_command cli_multifractal = {
    .name = "multifractal",
    .operands = "FILE...",
    .summary = "generalised dimensions and f(alpha): images, volumes, points",
    .text =
        "Adds up the mass in the boxes of side 1, 2, 4 ... pixels and fits how its moments "
        "of every order q go with the size: tau(q), the generalised dimensions D_q, and "
        "alpha and f(alpha) after Chhabra and Jensen (1989). The grid begins at the first "
        "pixel of every axis; boxes without mass are left out. Or, with --method alpha, "
        "finds the exponent of every pixel from the windows about it, and the dimension of "
        "the pixels with about the same exponent.",
    .takes_images = 1,
    .takes_masks = 1,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run_multifractal,
};
