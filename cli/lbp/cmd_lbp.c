/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose lbp: histograms and maps of local binary patterns. Its options, and its run. */

#include "cmd_lbp.h"
#include <stdio.h>
#include <stdlib.h>

static const cli_option options[] = {
    CLI_LBP_CODING_OPTIONS(cli_lbp_values),
    {.name = "cuts",
     .kind = CLI_TEXT,
     .value = "LIST",
     .target = offsetof(cli_lbp_values, cuts),
     .help = "ascending variances such as 10,50,200: with --method var its bins lie "
             "between them; with another method the histogram is joint, bin code * (cuts "
             "+ 1) + bin of the variance"},
    {.name = "normalize",
     .kind = CLI_FLAG,
     .target = offsetof(cli_lbp_values, normalize),
     .help = "bins as shares of the pixels that were counted"},
    {.name = "map",
     .kind = CLI_TEXT,
     .value = "FILE.tif",
     .target = offsetof(cli_lbp_values, map),
     .help =
         "write the code of each pixel there, of a volume its slices as pages; '{}' in "
         "FILE stands for the image's name, with -PLANE and, of several operators, "
         "-P-R behind it"},
    {.name = "mask",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_lbp_values, mask),
     .help = "image of the same shape: pixels where it is 0 are not counted, but may be "
             "samples of others; a list may name one for each image"},
    {.name = "labels",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_lbp_values, labels),
     .help = "label image of the same shape: a histogram for each label but 0, of its "
             "pixels"},
    {.name = "planes",
     .kind = CLI_CHOICE,
     .choices = CLI_LBP_PLANES,
     .target = offsetof(cli_lbp_values, planes),
     .help = "of a volume: its slices (xy), or planes across them; all: one histogram of "
             "each, together LBP-TOP"},
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
    {NULL, NULL},
};

static void free_job(cli_lbp_job *job)
{
    free(job->cuts);
    free(job->columns);
    free(job->bin_names);
    cli_free_outputs(&job->maps);
}

static int run_lbp(int argc, char **argv)
{
    cli_lbp_job job = {.values = {.planes = -1}};
    cli_run run;
    int exit;
    if (!cli_start(&run, &cli_lbp, argc, argv, &job.values, &exit))
        return exit;
    const char *problem = cli_lbp_check(&run, &job);
    if (problem == NULL) {
        const char *const *columns = cli_lbp_columns(&job);
        if (columns != NULL)
            cli_set_columns(&run, columns);
        problem = columns == NULL ? "memory is out" : NULL;
    }
    if (problem != NULL) {
        cli_usage_error(&cli_lbp, problem);
        cli_abandon(&run);
        free_job(&job);
        return CLI_USAGE;
    }
    cli_lbp_describe_run(&run, &job);
    cli_for_each_input(&run, cli_lbp_image, NULL, &job);
    free_job(&job);
    return cli_finish(&run);
}

const cli_command cli_lbp = {
    .name = "lbp",
    .operands = "FILE...",
    .summary = "texture: histograms and maps of local binary patterns",
    .text =
        "Compares each pixel with samples on a circle around it: sample i of P lies at row "
        "-R sin(2 pi i / P), column +R cos(2 pi i / P), and bit i of the pixel's pattern is "
        "1 where the sample is not below the pixel. Prints how often each pattern, or class "
        "of patterns, occurs: a row for each operator. Codes are those of scikit-image, bit "
        "for bit, on every processor and device.",
    .takes_images = 1,
    .takes_masks = 1,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run_lbp,
};
