/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose haralick: features of grey-level co-occurrence. Its options, and its run. */

#include "cmd_haralick.h"

static const cli_option options[] = {
    {.name = "distances",
     .kind = CLI_TEXT,
     .value = "LIST",
     .target = offsetof(cli_haralick_values, distances),
     .help = "distances of the pairs in pixels, such as 1,2,5: the largest coordinate of "
             "the offset, so that 45 degrees at 2 is (-2, 2) (default 1)"},
    {.name = "angles",
     .kind = CLI_TEXT,
     .value = "all|LIST",
     .target = offsetof(cli_haralick_values, angles),
     .help =
         "directions, as offsets (row, column) at distance d: 0 = (0, d), 45 = (-d, d), "
         "90 = (-d, 0), 135 = (-d, -d); volumes have nine more, one slice down: "
         "z+1,y-1,x-1 ... z+1,y+1,x+1 (default all)"},
    {.name = "aggregate",
     .kind = CLI_CHOICE,
     .choices = CLI_HARALICK_AGGREGATE,
     .target = offsetof(cli_haralick_values, aggregate),
     .help = "of the directions: the mean of each feature over those that have pairs "
             "(mean, default), a row for each (none), the largest minus the least "
             "(range), or the features of the sum of the matrices (merged)"},
    {.name = "asymmetric",
     .kind = CLI_FLAG,
     .target = offsetof(cli_haralick_values, asymmetric),
     .help =
         "count a pair one way, from a pixel to the one at the offset, not both ways"},
    {.name = "pairs",
     .kind = CLI_CHOICE,
     .choices = CLI_HARALICK_PAIRS,
     .target = offsetof(cli_haralick_values, pairs),
     .help = "which pairs count: both pixels in the region (inside, default), or all in "
             "its bounding box widened by the distance, where pixels outside of the "
             "region have level 0 (frame: Gipp et al. 2009)"},
    {.name = "levels",
     .kind = CLI_TEXT,
     .value = "exact|N",
     .target = offsetof(cli_haralick_values, levels),
     .help = "grey levels: the values themselves (exact, default for integers) or N "
             "equal bins of a range, 2..65536, numbered from 1 (default for floats: 64)"},
    {.name = "range",
     .kind = CLI_TEXT,
     .value = "RANGE",
     .target = offsetof(cli_haralick_values, range),
     .help =
         "what is cut into bins: all that the type holds (type), the values of the "
         "image (image, default with --levels N), those of each region (roi, default "
         "with --bin-width), or LO..HI, both included; values outside count as its ends"},
    {.name = "bin-width",
     .kind = CLI_TEXT,
     .value = "W",
     .target = offsetof(cli_haralick_values, bin_width),
     .help = "bins of this width instead of a number of them; they begin at the range's "
             "low end where LO..HI is given, else at the multiple of W below it"},
    {.name = "features",
     .kind = CLI_TEXT,
     .value = "14|13|all|LIST",
     .target = offsetof(cli_haralick_values, features),
     .help =
         "f1 to f14 of Haralick et al. (default), 13: without the maximal correlation "
         "coefficient, which takes the most time (default with --window), all: with the "
         "rest of IBSI's, or names of columns, such as contrast,entropy"},
    {.name = "names",
     .kind = CLI_CHOICE,
     .choices = CLI_HARALICK_NAMES,
     .target = offsetof(cli_haralick_values, names),
     .help = "how the columns of features are called (default haralick); what the others "
             "do not have keeps its name"},
    {.name = "log",
     .kind = CLI_CHOICE,
     .choices = CLI_HARALICK_LOG,
     .target = offsetof(cli_haralick_values, log),
     .help = "base of the logarithms in entropies: 2 (default, bits) or e"},
    {.name = "slices",
     .kind = CLI_CHOICE,
     .choices = CLI_HARALICK_SLICES,
     .target = offsetof(cli_haralick_values, slices),
     .help = "volumes: 13 directions in space (none, default), or the 4 within each "
             "slice: the mean of features over slices (mean), or matrices summed over "
             "slices (merged)"},
    {.name = "mask",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_haralick_values, mask),
     .help = "image of the same shape; pixels where it is 0 are in no pair; a list may "
             "name one for each image"},
    {.name = "labels",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_haralick_values, labels),
     .help = "label image of the same shape: a row for each label but 0, of the pairs "
             "within it (default: the whole image is one region, label 0)"},
    {.name = "window",
     .kind = CLI_INT,
     .value = "W",
     .min = RUG_GLCM_MIN_WINDOW,
     .max = RUG_GLCM_MAX_WINDOW,
     .target = offsetof(cli_haralick_values, window),
     .help =
         "images: also map the features of the W x W pixels around each pixel, W odd, "
         "cut where the image ends; the levels are those of the whole image"},
    {.name = "map",
     .kind = CLI_TEXT,
     .value = "FILE.tif",
     .target = offsetof(cli_haralick_values, map),
     .help =
         "write the maps there, a file of 32-bit floats for each feature; '{}' in FILE "
         "stands for the image's name, of several features with -FEATURE behind it"},
};

static const cli_example examples[] = {
    {"rugose haralick cell.tif", "one image: 14 features, mean over 4 directions"},
    {"rugose haralick --labels cells_labels.png -o texture.csv cells.tif",
     "a row for each pixel, to a CSV file"},
    {"rugose haralick --levels 32 --range 0..4095 -o texture.csv plates/*.tif",
     "a folder of 12-bit images, in bins that are the same for all"},
    {"rugose haralick --distances 1,2,4 --aggregate none cell.tif",
     "a row for each distance and direction"},
    {"rugose haralick --bin-width 25 --features all --names pyradiomics --mask roi.nii "
     "ct.nii",
     "a volume in 13 directions, all features"},
    {"rugose haralick --slices merged --mask roi.nii ct.nii",
     "its slices together, 4 directions"},
    {"rugose haralick --window 7 --levels 32 --features contrast,entropy --map "
     "'maps-{}.tif' sky.tif",
     "also maps of two features: maps-sky-contrast.tif, maps-sky-entropy.tif"},
    {"rugose haralick --list images.csv -f json",
     "a list with masks, with everything that is known"},
    {NULL, NULL},
};

static int run_haralick(int argc, char **argv)
{
    cli_haralick_job job = {.values.distances = NULL};
    const char *columns[CLI_HARALICK_MAX_COLUMNS];
    cli_run run;
    int exit;
    if (!cli_start(&run, &cli_haralick, argc, argv, &job.values, &exit))
        return exit;
    const char *problem = cli_haralick_check(&run, &job);
    if (problem != NULL) {
        cli_usage_error(&cli_haralick, problem);
        cli_abandon(&run);
        return CLI_USAGE;
    }
    cli_haralick_columns(columns, &job);
    cli_set_columns(&run, columns);
    cli_haralick_describe(&run, &job);
    cli_for_each_input(&run, cli_haralick_image, NULL, &job);
    cli_free_outputs(&job.maps);
    return cli_finish(&run);
}

const cli_command cli_haralick = {
    .name = "haralick",
    .operands = "FILE...",
    .summary = "texture of images, pixels and volumes by grey-level co-occurrence",
    .text =
        "Counts how often grey levels i and j lie at an offset from each other, and gives "
        "the features of Haralick, Shanmugam and Dinstein (1973) of these counts: of the "
        "whole image, inside a mask, or of each label of a label image. Pairs count both "
        "ways. What is undefined is nan, with the reason in the column status.",
    .takes_images = 1,
    .takes_masks = 1,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run_haralick,
};
