/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose lacunarity: how unevenly mass is spread. Its options, and its run. */

#include "cmd_lacunarity.h"
#include <string.h>

static const cli_option options[] = {
    {.name = "sizes",
     .kind = CLI_TEXT,
     .value = "LIST|A..B[:STEP]",
     .target = offsetof(cli_lacunarity_values, sizes),
     .help = "box sizes in pixels, such as 3,9,27 or 2..64:2 (default: 1, 2, 4 ... up to "
             "the shortest axis)"},
    {.name = "boxes",
     .kind = CLI_CHOICE,
     .choices = CLI_LACUNARITY_BOXES,
     .target = offsetof(cli_lacunarity_values, boxes),
     .help = "where boxes lie, always wholly inside of the image: at every position "
             "(gliding, default), or side by side from the first pixel on (fixed)"},
    {.name = "foreground",
     .kind = CLI_TEXT,
     .value = "RULE",
     .target = offsetof(cli_lacunarity_values, foreground),
     .help = "the mass of a pixel is 1 where it is set: auto (default), nonzero, otsu, "
             "above=T, below=T or label=L, as in boxcount"},
    {.name = "gray",
     .kind = CLI_FLAG,
     .target = offsetof(cli_lacunarity_values, gray),
     .help = "the mass of a pixel is its grey value, which must not be negative"},
    {.name = "mask",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_lacunarity_values, mask),
     .help =
         "image of the same shape; boxes count where all their pixels are inside, that "
         "is where it is not 0; a list may name one for each image"},
    {.name = "labels",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_lacunarity_values, labels),
     .help =
         "label image of the same shape: rows for each label but 0, of its mass in its "
         "bounding box (default: the whole image is one region, label 0)"},
    {.name = "plot",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_lacunarity_values, plot),
     .help = "draw lacunarity against size, both logarithmic (.svg, .png; .gp keeps the "
             "gnuplot script); with several images '{}' in FILE stands for the image's "
             "name"},
};

static const cli_example examples[] = {
    {"rugose lacunarity vessels.png", "one image: its foreground, gliding boxes"},
    {"rugose lacunarity --gray --sizes 2..64:2 -o lacunarity.csv slides/*.tif",
     "a folder of grey images, to a CSV file"},
    {"rugose lacunarity --foreground above=100 --plot cell.svg cell.tif", "with a plot"},
    {"rugose lacunarity --labels cells_labels.png cells.tif", "rows for each cell"},
    {"rugose lacunarity --list images.csv -f json",
     "a list with masks, with everything that is known"},
    {NULL, NULL},
};

static int run_lacunarity(int argc, char **argv)
{
    cli_lacunarity_job job = {.foreground = RUG_FOREGROUND_INIT};
    cli_run run;
    int exit;
    if (!cli_start(&run, &cli_lacunarity, argc, argv, &job.values, &exit))
        return exit;
    const char *problem = cli_lacunarity_check(&run, &job);
    if (problem != NULL) {
        cli_usage_error(&cli_lacunarity, problem);
        cli_abandon(&run);
        return CLI_USAGE;
    }
    cli_set_columns(&run, cli_lacunarity_columns);
    cli_lacunarity_describe(&run, &job);
    cli_for_each_input(&run, cli_lacunarity_image, NULL, &job);
    cli_free_outputs(&job.plots);
    return cli_finish(&run);
}

const char *cli_lacunarity_check(cli_run *run, cli_lacunarity_job *job)
{
    const cli_lacunarity_values *v = &job->values;
    run->mask = v->mask;
    run->labels = v->labels;
    run->needs_pixels = 1;
    if (v->gray && v->foreground != NULL)
        return "--gray and --foreground exclude each other";
    const char *problem = cli_check_masks(run);
    if (problem == NULL && v->foreground != NULL &&
        rug_foreground_parse(run->ctx, &job->foreground, v->foreground) != RUG_OK)
        problem = rug_context_error(run->ctx);
    if (problem == NULL && v->sizes != NULL)
        problem = cli_parse_sizes(&job->sizes, v->sizes);
    return problem != NULL ? problem
                           : cli_check_plot_name(run, v->plot, v->labels != NULL);
}

void cli_lacunarity_describe(cli_run *run, const cli_lacunarity_job *job)
{
    const cli_lacunarity_values *v = &job->values;
    char rule[RUG_FOREGROUND_TEXT_MAX];
    rug_record *p = cli_describe_run(run);
    rug_foreground_format(rule, job->foreground);
    rug_record_set_text(p, "sizes", v->sizes != NULL ? v->sizes : "default");
    cli_set_choice(p, "boxes", CLI_LACUNARITY_BOXES, v->boxes);
    rug_record_set_text(p, "foreground", v->gray ? NULL : rule);
    rug_record_set_bool(p, "gray", v->gray);
    rug_record_set_text(p, "mask", v->mask);
    rug_record_set_text(p, "labels", v->labels);
    rug_record_set_record(rug_report_head(run->report), "parameters", p);
}

const cli_command cli_lacunarity = {
    .name = "lacunarity",
    .operands = "FILE...",
    .summary = "lacunarity by gliding boxes: images, volumes, pixels",
    .text =
        "Measures how unevenly mass is spread at each box size s: the mean square of the "
        "mass of all boxes divided by the square of their mean mass, E[M^2] / E[M]^2, with "
        "moments of the population (Allain and Cloitre 1991). 1 is even; holes as large as "
        "the box make it larger.",
    .takes_images = 1,
    .takes_masks = 1,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run_lacunarity,
};
