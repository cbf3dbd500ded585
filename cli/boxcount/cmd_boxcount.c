/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose boxcount: box counts and the fractal dimension. Its options, their check, and its
 * run. */

#include "cmd_boxcount.h"
#include "parts/parts.h"

static const cli_option options[] = {
    {CLI_OPTION("foreground", CLI_FOREGROUND, "RULE", cli_boxcount_values, foreground),
     .also = "threshold|thresh|cutoff", .modes = CLI_BOXCOUNT_SET,
     .help =
         "which pixels are set: auto, nonzero, otsu, otsu-dark (the pixels below Otsu's "
         "threshold), above=T (value >= T), below=T (value < T) or label=L (value = L); auto (default): the larger value of a "
         "two-valued image, otherwise Otsu's threshold; NaN is never set"},
    {CLI_OPTION("sizes", CLI_SIZES, "LIST|A..B[:STEP]", cli_boxcount_values, sizes),
     .unset = "default", .modes = CLI_BOXCOUNT_SET, .takes_fractions = 1,
     .help = "box sizes in pixels, such as 3,9,27 or 2..64:2 (default: 1, 2, 4 ... up to "
             "the longest axis)"},
    {CLI_OPTION("box-unit", CLI_TEXT, "UNIT", cli_boxcount_values, box_unit),
     .unset = "pixel", .modes = CLI_BOXCOUNT_SET,
     .help =
         "boxes are cubes in space, and --sizes and --fit in this unit, with fractions: um, "
         "mm or another metric unit, or the file's own (file), by the spacing that the "
         "file states; sizes are by default 1, 2, 4 ... times the largest side of a pixel; "
         "pixel (default): cubes of pixels"},
    {CLI_OPTION("grid", CLI_CHOICE, NULL, cli_boxcount_values, grid),
     .choices = CLI_BOXCOUNT_GRID, .modes = CLI_BOXCOUNT_SET,
     .help =
         "where the grid of boxes lies: at the first pixel (origin, default), or wherever "
         "it has the fewest nonempty boxes of all size^D positions (min); mean: the mean "
         "over all positions"},
    {CLI_OPTION("fit", CLI_RANGE, "A..B|auto", cli_boxcount_values, fit),
     .unset = "default", .takes_fractions = 1,
     .help = "box sizes of the fit; auto: the longest range with steady local slopes "
             "(default: 1 to a quarter of the shortest axis)"},
    {CLI_OPTION("of", CLI_CHOICE, NULL, cli_boxcount_values, of),
     .choices = CLI_BOXCOUNT_OF, .modes = CLI_BOXCOUNT_SET,
     .help =
         "the boxes that the dimension is fitted to (default nonempty = gray + black)"},
    {CLI_OPTION("method", CLI_CHOICE, NULL, cli_boxcount_values, method),
     .choices = CLI_BOXCOUNT_METHOD, .modes = CLI_BOXCOUNT_SET,
     .help = "how to count; all methods give the same counts: pyramid (powers of two), "
             "window (any size and grid), hou (sparse sets and points), atomic and local "
             "(Mukundan's kernels, OpenCL devices only); default auto"},
    {CLI_OPTION("mask", CLI_TEXT, "FILE", cli_boxcount_values, mask),
     .help = "image of the same shape; pixels where it is 0 are neither foreground nor "
             "background, and boxes with no other pixel are not counted; a list may "
             "name one for each image"},
    {CLI_OPTION("labels", CLI_TEXT, "FILE", cli_boxcount_values, labels),
     .modes = CLI_BOXCOUNT_SET,
     .help =
         "label image of the same shape: a row for each label except 0, of the "
         "foreground in its bounding box"
         "; with several images '{}' in FILE stands for the image's name, or a list names one for each"},
    {CLI_OPTION("points", CLI_FLAG, NULL, cli_boxcount_values, points),
     .modes = CLI_BOXCOUNT_SET,
     .help =
         "the files are sets of points: text, or .npy with a row for each point; .csv, "
         ".tsv, .txt and .xyz are always read as points"},
    {CLI_COLUMNS_OPTION(cli_boxcount_values), .modes = CLI_BOXCOUNT_SET},
    {CLI_SKIP_ROWS_OPTION(cli_boxcount_values), .modes = CLI_BOXCOUNT_SET},
    {CLI_OPTION("resolution", CLI_COUNT, "N", cli_boxcount_values, resolution), .min = 1,
     .unit = "of cells or voxels", .unset = "default",
     .help =
         "points: lattice cells along the longest side of their bounding box (default "
         "1024, unless all coordinates are whole); meshes (PLY, STL, OBJ): voxels a side "
         "of the cube that they lie in, of which their longest side spans all but two"},
    {CLI_OPTION("spacing", CLI_REAL, "S", cli_boxcount_values, spacing),
     .min = CLI_ABOVE_0, .unset = "default", .modes = CLI_BOXCOUNT_SET,
     .help = "points: side of a lattice cell, on a grid through 0 (default 1 if all "
             "coordinates are whole)"},
    {CLI_OPTION("gray", CLI_FLAG, NULL, cli_boxcount_values, gray),
     .modes = CLI_BOXCOUNT_GRAY,
     .help = "the dimension of the grey values, as a surface over the image, by "
             "differential box counting at sizes 2, 4, 8 ...; can be used with --levels, "
             "--anchor, --fit, --mask, --counts and --plot"},
    {CLI_OPTION("levels", CLI_REAL, "G", cli_boxcount_values, levels), .min = CLI_ABOVE_0,
     .unit = "of grey levels", .unset = "default", .modes = CLI_BOXCOUNT_GRAY,
     .help = "with --gray: number of grey levels, which sets the height of the boxes "
             "(default: 256 for 8 bits, else the range of the values)"},
    {CLI_OPTION("anchor", CLI_CHOICE, NULL, cli_boxcount_values, anchor),
     .choices = CLI_BOXCOUNT_ANCHOR, .modes = CLI_BOXCOUNT_GRAY,
     .help =
         "with --gray: heights are measured from the least value of the type where "
         "the levels are given or 256 (zero, default), or always from the least value "
         "of the image (min), so that a constant added to it changes nothing"},
    {CLI_OPTION("counts", CLI_TEXT, "FILE", cli_boxcount_values, counts),
     .is_unlisted = 1,
     .help = "write a table of the counts at every size there (.csv, .json, .txt; - for "
             "standard output)"},
    {CLI_OPTION("plot", CLI_TEXT, "FILE", cli_boxcount_values, plot), .is_unlisted = 1,
     .help = CLI_PLOT_HELP("draw the log-log plot, with local slopes below")},
    {CLI_OPTION("save-volume", CLI_TEXT, "FILE", cli_boxcount_values, save_volume),
     .is_unlisted = 1, .modes = CLI_BOXCOUNT_SET,
     .help =
         "write what was counted, the pixels or voxels that are set, as a NIfTI volume "
         "of 0 and 1 (.nii, .nii.gz) that lies where the image does; '{}' and '{dir}' as in "
         "--plot; not of points, nor with --labels"},
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
    {"rugose boxcount --box-unit um --sizes 0.5,1,2,4 stack.ome.tif",
     "boxes that are cubes in space, of slices that lie further apart than pixels"},
    {"rugose boxcount --labels cells_labels.png cells.tif", "a row for each cell"},
    {"rugose boxcount --gray --counts - slice.tif", "the roughness of the grey values"},
    {"rugose boxcount --resolution 4096 coast.csv", "points from a text file"},
    {"rugose boxcount --resolution 512 --solid --save-volume part.nii.gz part.stl",
     "a mesh, and the voxels that were counted as a volume"},
    {"rugose boxcount --list images.csv -f json",
     "the images of a list, with all details"},
    {NULL, NULL},
};

/* ---- Columns ---- */

static const char *const gray_columns[] = {
    "image",    "shape",   "levels", "dimension", "std_error", "r_squared", "size_min",
    "size_max", "n_sizes", "method", "engine",    "status",    NULL};
static const char *const gray_count_columns[] = {
    "image", "size", "height", "blocks", "boxes", "boxes_by_area", NULL};

#define IMAGE_COLUMN "image"
#define LABEL_COLUMN "label"
#define COLUMNS                                                                       \
    "shape", "foreground", "foreground_share", "dimension", "std_error", "r_squared", \
        "size_min", "size_max", "n_sizes"
#define WAY_COLUMNS         "grid", "method", "engine", "status"
#define UNIT_COLUMN         "size_unit"
#define COUNT_COLUMNS       "total", "nonempty", "black", "gray", "white"
#define PLAIN_COUNT_COLUMNS "size", COUNT_COLUMNS
#define UNIT_COUNT_COLUMNS  "size", UNIT_COLUMN, COUNT_COLUMNS
#define POSITION_COLUMNS    "shift", "least", "mean", "most"

static const char *const *columns_of(const cli_boxcount_job *job, int has_labels)
{
    static const char *const columns[2][2][17] = {
        {{IMAGE_COLUMN, COLUMNS, WAY_COLUMNS},
         {IMAGE_COLUMN, COLUMNS, UNIT_COLUMN, WAY_COLUMNS}},
        {{IMAGE_COLUMN, LABEL_COLUMN, COLUMNS, WAY_COLUMNS},
         {IMAGE_COLUMN, LABEL_COLUMN, COLUMNS, UNIT_COLUMN, WAY_COLUMNS}}};
    if (job->values.gray)
        return gray_columns;
    return columns[has_labels][job->has_lengths];
}

static const char *const *count_columns_of(const cli_boxcount_job *job, int has_labels)
{
    static const char *const columns[2][3][13] = {
        {{IMAGE_COLUMN, PLAIN_COUNT_COLUMNS},
         {IMAGE_COLUMN, UNIT_COUNT_COLUMNS},
         {IMAGE_COLUMN, PLAIN_COUNT_COLUMNS, POSITION_COLUMNS}},
        {{IMAGE_COLUMN, LABEL_COLUMN, PLAIN_COUNT_COLUMNS},
         {IMAGE_COLUMN, LABEL_COLUMN, UNIT_COUNT_COLUMNS},
         {IMAGE_COLUMN, LABEL_COLUMN, PLAIN_COUNT_COLUMNS, POSITION_COLUMNS}}};
    if (job->values.gray)
        return gray_count_columns;
    int all_positions = job->values.grid != RUG_BOXCOUNT_GRID_ORIGIN;
    return columns[has_labels][job->has_lengths ? 1 : 2 * all_positions];
}

/* ---- The command line ---- */

static const char *check_volume(cli_run *run, const char *name)
{
    if (name == NULL)
        return NULL;
    if (run->has_labels)
        return "--save-volume cannot be used with labels: each is counted by itself";
    size_t n = strlen(name);
    if (!rugi_has_ending(name, ".nii") &&
        (n < 7 || strcasecmp(name + n - 7, ".nii.gz") != 0))
        return "--save-volume: a name that ends in .nii or .nii.gz expected";
    const char *problem = cli_check_exclusive(run, "save-volume", "points");
    return problem != NULL ? problem : cli_check_result_name(run, "save-volume", name);
}

/* Sizes, grid and method that do not go together, as the library says it. */
static const char *check_method(cli_run *run, const cli_boxcount_job *job)
{
    const cli_boxcount_values *v = &job->values;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.method = (rug_boxcount_method)v->method;
    opts.grid = (rug_boxcount_grid)v->grid;
    if (job->has_lengths) {
        opts.pixel_size[0] = opts.pixel_size[1] = 1;
    } else {
        opts.sizes = v->sizes.n > 0 ? v->sizes.size : NULL;
        opts.n_sizes = v->sizes.n;
    }
    return rug_boxcount_check_options(run->ctx, &opts) == RUG_OK
               ? NULL
               : rug_context_error(run->ctx);
}

/* What is not measured in parts. */
static const char *check_parts(const cli_run *run, const cli_boxcount_values *v)
{
    if (run->has_labels)
        return "--part cannot be used with labels";
    if (v->gray)
        return "--gray and --part cannot be used together";
    return v->method >= RUG_BOXCOUNT_HOU
               ? "--part can only be used with --method auto, pyramid or window"
               : NULL;
}

static const char *check(cli_run *run, void *user)
{
    cli_boxcount_job *job = user;
    const cli_boxcount_values *v = &job->values;
    run->mask = v->mask;
    run->labels = v->labels;
    run->reads_points = v->points;
    run->point_options.columns = v->columns;
    run->point_options.skip_rows = v->skip_rows;
    run->reading.resolution = v->resolution;
    run->writing.second_path = v->counts;
    const char *problem = cli_check_masks(run);
    run->needs_pixels = run->has_labels || v->method >= RUG_BOXCOUNT_HOU;
    if (problem == NULL)
        problem = cli_boxcount_check_lengths(run, job);
    run->columns = columns_of(job, run->has_labels);
    if (problem == NULL)
        problem = cli_check_mode(run, v->gray ? CLI_BOXCOUNT_GRAY : CLI_BOXCOUNT_SET,
                                 v->gray ? "cannot be used with --gray"
                                         : "can only be used with --gray");
    if (problem == NULL && run->parts != NULL)
        problem = check_parts(run, v);
    if (problem == NULL && v->gray && run->has_labels)
        problem = "column 'labels': labels cannot be used with --gray";
    if (problem == NULL)
        problem = cli_check_exclusive(run, "resolution", "spacing");
    if (problem == NULL)
        problem = check_method(run, job);
    if (problem == NULL)
        problem = cli_check_second_report(run, "counts", v->counts);
    if (problem == NULL)
        problem = check_volume(run, v->save_volume);
    return problem != NULL ? problem
                           : cli_check_plots(run, &job->plots, v->plot, run->has_labels);
}

/* ---- The run ---- */

static rug_status measure(cli_run *run, const cli_image *image, void *user)
{
    cli_boxcount_job *job = user;
    if (job->values.spacing > 0)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--spacing can only be used with points");
    return job->values.gray ? cli_boxcount_gray(run, job, image)
                            : cli_boxcount_image(run, job, image);
}

static int work(cli_run *run, void *user)
{
    cli_boxcount_job *job = user;
    int exit =
        job->values.counts != NULL
            ? cli_begin_table(run, &run->second, count_columns_of(job, run->has_labels))
            : CLI_OK;
    if (exit != CLI_OK)
        return exit;
    cli_for_each_input(run, measure, cli_boxcount_points, job);
    return CLI_OK;
}

static void end_plots(cli_run *run, void *user)
{
    cli_boxcount_job *job = user;
    cli_end_plots(run, &job->plots);
}

static void free_job(void *user)
{
    cli_boxcount_job *job = user;
    cli_free_plots(&job->plots);
    cli_free_outputs(&job->volumes);
}

static int run_boxcount(int argc, char **argv)
{
    static const cli_actions actions = {
        .check = check, .work = work, .end = end_plots, .free = free_job};
    cli_boxcount_job job = {.has_lengths = 0};
    return cli_run_images(&cli_boxcount, argc, argv, &job.values, &job, &actions);
}

const cli_command cli_boxcount = {
    .name = "boxcount",
    .operands = "FILE|DIR...",
    .summary = "fractal dimension by box counting: images, volumes, points",
    .also = "fractal|dimension|box-counting|dbc",
    .text =
        "Counts the boxes of side 1, 2, 4 ... pixels, or of any sizes, that contain "
        "foreground, and fits the fractal dimension. A box is black if all its "
        "pixels are foreground, white if none is, and grey otherwise. The grid begins at "
        "the first pixel of every axis, or at the best of all positions; pixels outside "
        "the image are background.",
    .takes_images = 1,
    .takes_nodata = 1,
    .takes_masks = 1,
    .takes_overlay = 1,
    .takes_labels = 1,
    .in_parts = cli_begin_parts,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_boxcount,
};
