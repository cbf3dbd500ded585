/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose boxcount: box counts and the fractal dimension. Its options, and its run. */

#include "cmd_boxcount.h"
#include <stdio.h>

static const cli_option options[] = {
    {.name = "foreground",
     .kind = CLI_TEXT,
     .value = "RULE",
     .target = offsetof(cli_boxcount_values, foreground),
     .help = "which pixels are set: auto, nonzero, otsu, above=T (value >= T), below=T "
             "(value < T) or label=L; auto (default) takes the larger of two values, "
             "else Otsu's threshold; NaN is never set"},
    {.name = "sizes",
     .kind = CLI_TEXT,
     .value = "LIST|A..B[:STEP]",
     .target = offsetof(cli_boxcount_values, sizes),
     .help = "box sizes in pixels, such as 3,9,27 or 2..64:2 (default: 1, 2, 4 ... up to "
             "the longest axis)"},
    {.name = "grid",
     .kind = CLI_CHOICE,
     .choices = CLI_BOXCOUNT_GRID,
     .target = offsetof(cli_boxcount_values, grid),
     .help =
         "where the grid of boxes lies: at the first pixel (origin, default), at that "
         "of all size^D positions with the least nonempty boxes (min), or the mean "
         "over all of them (mean)"},
    {.name = "fit",
     .kind = CLI_TEXT,
     .value = "A..B|auto",
     .target = offsetof(cli_boxcount_values, fit),
     .help = "box sizes of the fit; auto: the longest range with steady local slopes "
             "(default: 1 to a quarter of the shortest axis)"},
    {.name = "of",
     .kind = CLI_CHOICE,
     .choices = CLI_BOXCOUNT_OF,
     .target = offsetof(cli_boxcount_values, of),
     .help = "boxes that the dimension is taken of (default nonempty = gray + black)"},
    {.name = "method",
     .kind = CLI_CHOICE,
     .choices = CLI_BOXCOUNT_METHOD,
     .target = offsetof(cli_boxcount_values, method),
     .help =
         "how to count; all give the same counts: pyramid (powers of two), window "
         "(any size and grid), hou (sparse sets and points), atomic and local (Mukundan's "
         "kernels, OpenCL devices only); default auto"},
    {.name = "gray",
     .kind = CLI_FLAG,
     .target = offsetof(cli_boxcount_values, gray),
     .help = "the dimension of the grey values, as a surface over the image, by "
             "differential box counting at sizes 2, 4, 8 ...; goes with --levels, --fit, "
             "--mask, --counts and --plot"},
    {.name = "levels",
     .kind = CLI_TEXT,
     .value = "G",
     .target = offsetof(cli_boxcount_values, levels),
     .help = "gray: number of grey levels, which sets the height of the boxes (default: "
             "256 of 8 bits, else the range of the values)"},
    {.name = "mask",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_boxcount_values, mask),
     .help = "image of the same shape; pixels where it is 0 are neither foreground nor "
             "background, boxes without any other pixel are not counted; a list may "
             "name one for each image"},
    {.name = "labels",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_boxcount_values, labels),
     .help = "label image of the same shape: a row for each label but 0, of its "
             "foreground in its bounding box"},
    {.name = "points",
     .kind = CLI_FLAG,
     .target = offsetof(cli_boxcount_values, points),
     .help = "the files are sets of points: text, or .npy with a row for each; .csv, "
             ".tsv, .txt and .xyz are points without it"},
    {.name = "resolution",
     .kind = CLI_TEXT,
     .value = "N",
     .target = offsetof(cli_boxcount_values, resolution),
     .help = "points: pixels along the longest side of their bounding box (default 1024, "
             "unless all coordinates are whole)"},
    {.name = "spacing",
     .kind = CLI_TEXT,
     .value = "S",
     .target = offsetof(cli_boxcount_values, spacing),
     .help = "points: side of a lattice cell, on a grid through 0 (default 1 where all "
             "coordinates are whole)"},
    {.name = "counts",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_boxcount_values, counts),
     .help = "write the table of every size there (.csv, .json, .txt; - for standard "
             "output)"},
    {.name = "plot",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_boxcount_values, plot),
     .help = "draw the log-log plot (.svg, .png; .gp keeps the gnuplot script); with "
             "several images '{}' in FILE stands for the image's name"},
};

static const cli_example examples[] = {
    {"rugose boxcount cell.tif", "one image: its dimension, error and R2"},
    {"rugose boxcount --counts - --plot cell.svg cell.tif",
     "with the table of sizes and a plot"},
    {"rugose boxcount --foreground above=100 -o dims.csv slides/*.png",
     "a folder, to a CSV file"},
    {"rugose boxcount --volume --fit 2..32 stack.tif",
     "the pages of a TIFF file as a volume"},
    {"rugose boxcount --sizes 3..27:3 --grid min carpet.png",
     "any sizes, each at its best grid position"},
    {"rugose boxcount --labels cells_labels.png cells.tif", "a row for each cell"},
    {"rugose boxcount --gray --counts - slice.tif", "the roughness of grey values"},
    {"rugose boxcount --resolution 4096 coast.csv", "the points of a text"},
    {"rugose boxcount --list images.csv -f json",
     "a list, with everything that is known"},
    {NULL, NULL},
};

/* Writes the table of sizes; its failure is the run's failure. */
static void write_counts(cli_run *run, const cli_boxcount_job *job)
{
    if (job->counts == NULL || run->interrupted)
        return;
    cli_clear_progress(run);
    if (cli_write_report(run, job->counts, job->values.counts) != RUG_OK)
        cli_fail_image(run, rug_context_error(run->ctx));
}

static int run_boxcount(int argc, char **argv)
{
    cli_boxcount_job job = {.foreground = RUG_FOREGROUND_INIT};
    cli_run run;
    int exit;
    if (!cli_start(&run, &cli_boxcount, argc, argv, &job.values, &exit))
        return exit;
    const char *problem = cli_boxcount_check(&run, &job);
    if (problem != NULL) {
        cli_usage_error(&cli_boxcount, problem);
        cli_abandon(&run);
        return CLI_USAGE;
    }
    cli_set_columns(&run, cli_boxcount_columns(&job));
    cli_boxcount_describe(&run, &job);
    if (job.values.counts != NULL)
        job.counts = rug_report_new(cli_boxcount_count_columns(&job));
    cli_for_each_input(&run, cli_boxcount_image, cli_boxcount_points, &job);
    write_counts(&run, &job);
    rug_report_free(job.counts);
    cli_free_outputs(&job.plots);
    return cli_finish(&run);
}

const cli_command cli_boxcount = {
    .name = "boxcount",
    .operands = "FILE...",
    .summary = "fractal dimension by box counting: images, volumes, points",
    .text =
        "Counts the boxes of side 1, 2, 4 ... pixels, or of any sizes, that hold "
        "foreground, and fits the fractal dimension. A box is black when all its "
        "pixels are foreground, white when none is, grey otherwise. The grid begins at "
        "the first pixel of every axis, or at the best of all positions; pixels outside "
        "of the image are background.",
    .takes_images = 1,
    .takes_masks = 1,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run_boxcount,
};
