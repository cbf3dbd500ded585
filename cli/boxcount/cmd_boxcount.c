/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose boxcount: box counts and the fractal dimension. Its options, their check, and the
 * measuring of one image, the labels of one image, or one set of points. */

#include "cmd_boxcount.h"
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "foreground",
     .kind = CLI_FOREGROUND,
     .value = "RULE",
     .target = offsetof(cli_boxcount_values, foreground),
     .modes = CLI_BOXCOUNT_SET,
     .help = "which pixels are set: auto, nonzero, otsu, above=T (value >= T), below=T "
             "(value < T) or label=L (value = L); auto (default): of two values the "
             "larger one, else Otsu's threshold; NaN is never set"},
    {.name = "sizes",
     .kind = CLI_SIZES,
     .value = "LIST|A..B[:STEP]",
     .target = offsetof(cli_boxcount_values, sizes),
     .unset = "default",
     .modes = CLI_BOXCOUNT_SET,
     .help = "box sizes in pixels, such as 3,9,27 or 2..64:2 (default: 1, 2, 4 ... up to "
             "the longest axis)"},
    {.name = "grid",
     .kind = CLI_CHOICE,
     .choices = CLI_BOXCOUNT_GRID,
     .target = offsetof(cli_boxcount_values, grid),
     .modes = CLI_BOXCOUNT_SET,
     .help =
         "where the grid of boxes lies: at the first pixel (origin, default), at that "
         "of all size^D positions with the fewest nonempty boxes (min), or the mean "
         "over all of them (mean)"},
    {.name = "fit",
     .kind = CLI_RANGE,
     .value = "A..B|auto",
     .target = offsetof(cli_boxcount_values, fit),
     .unset = "default",
     .help = "box sizes of the fit; auto: the longest range with steady local slopes "
             "(default: 1 to a quarter of the shortest axis)"},
    {.name = "of",
     .kind = CLI_CHOICE,
     .choices = CLI_BOXCOUNT_OF,
     .target = offsetof(cli_boxcount_values, of),
     .modes = CLI_BOXCOUNT_SET,
     .help =
         "the boxes whose counts give the dimension (default nonempty = gray + black)"},
    {.name = "method",
     .kind = CLI_CHOICE,
     .choices = CLI_BOXCOUNT_METHOD,
     .target = offsetof(cli_boxcount_values, method),
     .modes = CLI_BOXCOUNT_SET,
     .help = "how to count; all methods give the same counts: pyramid (powers of two), "
             "window (any size and grid), hou (sparse sets and points), atomic and local "
             "(Mukundan's kernels, OpenCL devices only); default auto"},
    {.name = "mask",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_boxcount_values, mask),
     .help = "image of the same shape; pixels where it is 0 are neither foreground nor "
             "background, and boxes with no other pixel are not counted; a list may "
             "name one for each image"},
    {.name = "labels",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_boxcount_values, labels),
     .modes = CLI_BOXCOUNT_SET,
     .help = "label image of the same shape: a row for each label except 0, of the "
             "foreground in its bounding box"},
    {.name = "points",
     .kind = CLI_FLAG,
     .target = offsetof(cli_boxcount_values, points),
     .modes = CLI_BOXCOUNT_SET,
     .help =
         "the files are sets of points: text, or .npy with a row for each point; .csv, "
         ".tsv, .txt and .xyz are always read as points"},
    {.name = "resolution",
     .kind = CLI_COUNT,
     .value = "N",
     .min = 1,
     .unit = "of pixels",
     .target = offsetof(cli_boxcount_values, resolution),
     .unset = "default",
     .modes = CLI_BOXCOUNT_SET,
     .help = "points: pixels along the longest side of their bounding box (default 1024, "
             "unless all coordinates are whole)"},
    {.name = "spacing",
     .kind = CLI_REAL,
     .value = "S",
     .min = CLI_ABOVE_0,
     .target = offsetof(cli_boxcount_values, spacing),
     .unset = "default",
     .modes = CLI_BOXCOUNT_SET,
     .help = "points: side of a lattice cell, on a grid through 0 (default 1 if all "
             "coordinates are whole)"},
    {.name = "gray",
     .kind = CLI_FLAG,
     .target = offsetof(cli_boxcount_values, gray),
     .modes = CLI_BOXCOUNT_GRAY,
     .help = "the dimension of the grey values, as a surface over the image, by "
             "differential box counting at sizes 2, 4, 8 ...; can be used with --levels, "
             "--fit, --mask, --counts and --plot"},
    {.name = "levels",
     .kind = CLI_REAL,
     .value = "G",
     .min = CLI_ABOVE_0,
     .unit = "of grey levels",
     .target = offsetof(cli_boxcount_values, levels),
     .unset = "default",
     .modes = CLI_BOXCOUNT_GRAY,
     .help = "with --gray: number of grey levels, which sets the height of the boxes "
             "(default: 256 for 8 bits, else the range of the values)"},
    {.name = "counts",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_boxcount_values, counts),
     .is_unlisted = 1,
     .help = "write a table of the counts at every size there (.csv, .json, .txt; - for "
             "standard output)"},
    {.name = "plot",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_boxcount_values, plot),
     .is_unlisted = 1,
     .help = "draw the log-log plot (.svg, .png; .gp keeps the gnuplot script); with "
             "several images '{}' in FILE stands for the image's name"},
};

static const cli_example examples[] = {
    {"rugose boxcount cell.tif", "one image: its dimension, standard error and R2"},
    {"rugose boxcount --counts - --plot cell.svg cell.tif",
     "with the table of sizes and a plot"},
    {"rugose boxcount --foreground above=100 -o dims.csv slides/*.png",
     "many images, to a CSV file"},
    {"rugose boxcount --volume --fit 2..32 stack.tif",
     "the pages of a TIFF file as a volume"},
    {"rugose boxcount --sizes 3..27:3 --grid min carpet.png",
     "any sizes, each at its best position of the grid"},
    {"rugose boxcount --labels cells_labels.png cells.tif", "a row for each cell"},
    {"rugose boxcount --gray --counts - slice.tif", "the roughness of the grey values"},
    {"rugose boxcount --resolution 4096 coast.csv", "points from a text file"},
    {"rugose boxcount --list images.csv -f json",
     "the images of a list, with all details"},
    {NULL, NULL},
};

/* ---- The command line ---- */

/* Sizes, grid and method that do not go together, as the library says it. */
static const char *check_method(cli_run *run, const cli_boxcount_values *v)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.method = (rug_boxcount_method)v->method;
    opts.grid = (rug_boxcount_grid)v->grid;
    opts.sizes = v->sizes.n > 0 ? v->sizes.size : NULL;
    opts.n_sizes = v->sizes.n;
    return rug_boxcount_check_options(run->ctx, &opts) == RUG_OK
               ? NULL
               : rug_context_error(run->ctx);
}

static const char *check(cli_run *run, void *user)
{
    cli_boxcount_job *job = user;
    const cli_boxcount_values *v = &job->values;
    run->mask = v->mask;
    run->labels = v->labels;
    run->needs_pixels = v->labels != NULL || v->method >= RUG_BOXCOUNT_HOU;
    run->reads_points = v->points;
    run->columns = cli_boxcount_columns(v);
    const char *problem = cli_check_masks(run);
    if (problem == NULL)
        problem = cli_check_mode(run, v->gray ? CLI_BOXCOUNT_GRAY : CLI_BOXCOUNT_SET,
                                 v->gray ? "cannot be used with --gray"
                                         : "can only be used with --gray");
    if (problem == NULL)
        problem = cli_check_exclusive(run, "resolution", "spacing");
    if (problem == NULL)
        problem = check_method(run, v);
    if (problem == NULL)
        problem = cli_check_second_report(run, "counts", v->counts);
    return problem != NULL ? problem
                           : cli_check_plot_name(run, v->plot, v->labels != NULL);
}

/* ---- Measuring ---- */

static rug_status fit(cli_run *run, const cli_boxcount_job *job,
                      cli_boxcount_found *found)
{
    const cli_boxcount_values *v = &job->values;
    rug_boxcount_fit_options opts = RUG_BOXCOUNT_FIT_OPTIONS_INIT;
    opts.of = (rug_boxcount_of)v->of;
    opts.auto_range = v->fit.is_auto;
    opts.size_min = v->fit.min;
    opts.size_max = v->fit.max;
    return rug_boxcount_fit(run->ctx, &found->dimension, &found->counts, &opts);
}

/* The options of a count, with the rule found in the range that is known already. */
static rug_status choose(cli_run *run, const cli_boxcount_job *job,
                         const cli_image *image, rug_boxcount_options *opts,
                         double *seconds)
{
    double start = cli_now();
    *opts = (rug_boxcount_options)RUG_BOXCOUNT_OPTIONS_INIT;
    opts->method = (rug_boxcount_method)job->values.method;
    opts->grid = (rug_boxcount_grid)job->values.grid;
    opts->sizes = job->values.sizes.n > 0 ? job->values.sizes.size : NULL;
    opts->n_sizes = job->values.sizes.n;
    if (image->mask_path != NULL)
        opts->mask = rug_file_image(image->mask_file);
    rug_status status =
        rug_source_resolve_foreground(run->ctx, &opts->foreground, &image->source,
                                      image->mask_path != NULL ? &image->mask : NULL,
                                      &image->range, job->values.foreground);
    *seconds = cli_now() - start;
    return status;
}

/* Counts an image in memory, or slab by slab. */
static rug_status count(cli_run *run, const cli_image *image,
                        const rug_boxcount_options *opts, cli_boxcount_found *found)
{
    double start = cli_now();
    rug_status status =
        image->pixels->data != NULL
            ? rug_boxcount(run->ctx, &found->counts, image->pixels, opts)
            : rug_boxcount_source(run->ctx, &found->counts, &image->source,
                                  image->mask_path != NULL ? &image->mask : NULL, opts);
    found->count_seconds = cli_now() - start;
    return status;
}

/* What the rows of labels are made from. */
typedef struct labelling {
    cli_run *run;
    cli_boxcount_job *job;
    const cli_image *image;
    size_t n;
    size_t n_short; /* labels whose fit says little */
    char digest[RUG_SHA256_TEXT_MAX];
} labelling;

static rug_status add_label(void *user, const rug_region *region,
                            const rug_boxcount_result *counts)
{
    labelling *l = user;
    cli_boxcount_found found = {.counts = *counts, .label = region};
    rug_status status = fit(l->run, l->job, &found);
    if (status != RUG_OK)
        return status;
    l->n++;
    l->n_short += cli_boxcount_is_short(&found.dimension) ? 1u : 0u;
    rug_record *row = cli_image_row(l->run, l->image);
    if (l->digest[0] != '\0')
        cli_add_file(row, "labels", l->job->values.labels, l->digest);
    cli_boxcount_add(l->run, l->job, l->image->name, row, &found);
    char name[CLI_LABEL_NAME_MAX];
    snprintf(name, sizeof name, "%s[label=%llu]", l->image->name,
             (unsigned long long)region->label);
    return cli_boxcount_plot(l->run, l->job, name, &found);
}

static rug_status count_labels(cli_run *run, cli_boxcount_job *job,
                               const cli_image *image, const rug_boxcount_options *opts,
                               cli_boxcount_found *whole)
{
    labelling l = {.run = run, .job = job, .image = image};
    rug_file *labels = NULL;
    rug_status status =
        cli_read_labels(run, &labels, job->values.labels, image->facts->page);
    cli_digest(run, l.digest, job->values.labels);
    double start = cli_now();
    if (status == RUG_OK)
        status = rug_boxcount_labels(run->ctx, image->pixels, rug_file_image(labels),
                                     opts, add_label, &l);
    whole->count_seconds = cli_now() - start;
    rug_file_free(labels);
    if (status == RUG_OK)
        cli_boxcount_print_labels(run, job, image, whole, l.n, l.n_short);
    return status;
}

static rug_status measure_image(cli_run *run, const cli_image *image, void *user)
{
    cli_boxcount_job *job = user;
    cli_boxcount_found found = {.count_seconds = 0};
    rug_boxcount_options opts;
    if (job->values.resolution > 0 || job->values.spacing > 0)
        return rug_context_fail(
            run->ctx, RUG_E_ARG,
            "--resolution and --spacing can only be used with points");
    if (job->values.gray)
        return cli_boxcount_gray(run, job, image);
    rug_status status = choose(run, job, image, &opts, &found.threshold_seconds);
    found.counts.foreground = opts.foreground;
    if (status == RUG_OK && job->values.labels != NULL)
        return count_labels(run, job, image, &opts, &found);
    if (status == RUG_OK)
        status = count(run, image, &opts, &found);
    if (status == RUG_OK)
        status = fit(run, job, &found);
    if (status != RUG_OK)
        return status;
    cli_boxcount_print_image(run, job, image, &found);
    cli_boxcount_add(run, job, image->name, cli_image_row(run, image), &found);
    return cli_boxcount_plot(run, job, image->name, &found);
}

static rug_status measure_points(cli_run *run, const cli_points *points, void *user)
{
    cli_boxcount_job *job = user;
    const cli_boxcount_values *v = &job->values;
    if (v->gray)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no grey values; leave out --gray");
    if (cli_is_given(&run->words, "foreground") || v->labels != NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no foreground and no labels; leave out "
                                "--foreground and --labels");
    cli_boxcount_found found = {.is_points = 1};
    rug_boxcount_points_options opts = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    opts.spacing = job->values.spacing;
    opts.resolution = job->values.resolution;
    opts.method = (rug_boxcount_method)v->method;
    opts.grid = (rug_boxcount_grid)v->grid;
    opts.sizes = job->values.sizes.n > 0 ? job->values.sizes.size : NULL;
    opts.n_sizes = job->values.sizes.n;
    double start = cli_now();
    rug_status status =
        rug_boxcount_points(run->ctx, &found.counts, points->points, &opts);
    found.count_seconds = cli_now() - start;
    if (status == RUG_OK)
        status = fit(run, job, &found);
    if (status != RUG_OK)
        return status;
    cli_boxcount_print_points(run, points, &found);
    cli_boxcount_add(run, job, points->path, cli_points_row(run, points), &found);
    return cli_boxcount_plot(run, job, points->path, &found);
}

static cli_exit work(cli_run *run, void *user)
{
    cli_boxcount_job *job = user;
    if (job->values.counts != NULL)
        job->counts = rug_report_new(cli_boxcount_count_columns(&job->values));
    cli_for_each_input(run, measure_image, measure_points, job);
    cli_end_report(run, job->counts, job->values.counts);
    cli_free_outputs(&job->plots);
    return CLI_OK;
}

static int run_boxcount(int argc, char **argv)
{
    static const cli_actions actions = {.check = check, .work = work};
    cli_boxcount_job job = {.counts = NULL};
    return cli_run_images(&cli_boxcount, argc, argv, &job.values, &job, &actions);
}

const cli_command cli_boxcount = {
    .name = "boxcount",
    .operands = "FILE...",
    .summary = "fractal dimension by box counting: images, volumes, points",
    .text =
        "Counts the boxes of side 1, 2, 4 ... pixels, or of any sizes, that contain "
        "foreground, and fits the fractal dimension. A box is black if all its "
        "pixels are foreground, white if none is, and grey otherwise. The grid begins at "
        "the first pixel of every axis, or at the best of all positions; pixels outside "
        "the image are background.",
    .takes_images = 1,
    .takes_masks = 1,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_boxcount,
};
