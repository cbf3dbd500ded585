/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose info: what a file holds and how it is read. */

#include "cmd_info.h"
#include <stdio.h>
#include <stdlib.h>

static const char *const columns[] = {
    "image", "format",   "shape",    "dtype",   "min",      "max",
    "nan",   "infinite", "distinct", "spacing", "unit",     "page",
    "pages", "level",    "levels",   "channel", "channels", NULL};

typedef struct info_values {
    int points;
} info_values;

static const cli_option options[] = {
    {.name = "points",
     .kind = CLI_FLAG,
     .target = offsetof(info_values, points),
     .help = "the files are sets of points, as for boxcount"},
};

static const cli_example examples[] = {
    {"rugose info cell.tif brain.nii.gz", "shape, type, range and spacing of each"},
    {"rugose info -f json --page all stack.tif", "every page, with its checksum"},
    {"rugose info coded/*.rfi", "how streams were coded, and their bits per pixel"},
    {NULL, NULL},
};

/* "0.65x0.65", slowest axis first; NULL when unknown. */
static const char *format_spacing(char text[CLI_SHAPE_MAX], const rug_image *img)
{
    size_t n = 0;
    for (int a = 0; a < img->ndim; a++) {
        char number[RUG_REAL_TEXT_MAX];
        if (!(img->spacing[a] > 0))
            return NULL;
        rug_format_real_short(number, img->spacing[a]);
        n += (size_t)snprintf(text + n, CLI_SHAPE_MAX - n, a > 0 ? "x%s" : "%s", number);
    }
    return text;
}

static rug_status measure(cli_run *run, const cli_image *image, void *user)
{
    (void)user;
    const rug_file_facts *f = image->facts;
    const rug_image_range *r = &image->range;
    char spacing[CLI_SHAPE_MAX];
    rug_record *row = rug_record_new();
    cli_describe_image(run, row, image);
    rug_record_set_text(row, "format", f->format);
    rug_record_set_text(row, "dtype", rug_dtype_name(image->pixels->dtype));
    rug_record_set_real(row, "min", r->min);
    rug_record_set_real(row, "max", r->max);
    rug_record_set_integer(row, "nan", r->n_nan);
    rug_record_set_integer(row, "infinite", r->n_infinite);
    if (r->distinct_is_min)
        rug_record_set_text(row, "distinct", ">256");
    else
        rug_record_set_integer(row, "distinct", r->n_distinct);
    rug_record_set_text(row, "spacing", format_spacing(spacing, image->pixels));
    rug_record_set_text(row, "unit", image->pixels->spacing_unit);
    rug_record_set_signed(row, "page", f->page);
    rug_record_set_signed(row, "pages", f->n_pages);
    rug_record_set_signed(row, "level", f->level);
    rug_record_set_signed(row, "levels", f->n_levels);
    rug_record_set_signed(row, "channel", f->channel);
    rug_record_set_signed(row, "channels", f->n_channels);
    rug_report_add(run->report, row);
    char *line = run->common.quiet ? NULL : rug_file_read_line(image->file, r, NULL);
    cli_clear_progress(run);
    if (line != NULL)
        fprintf(stderr, "%s\n", line);
    free(line);
    if (run->common.verbose)
        fprintf(stderr, "time %s: read %.3f ms, range %.3f ms\n", image->name,
                image->read_seconds * 1e3, image->range_seconds * 1e3);
    return RUG_OK;
}

static rug_status measure_points(cli_run *run, const cli_points *points, void *user)
{
    (void)user;
    const rug_point_facts *f = points->facts;
    uint64_t shape[2] = {points->points->n, (uint64_t)points->points->ndim};
    char text[CLI_SHAPE_MAX];
    double min = f->min[0], max = f->max[0];
    for (int a = 1; a < points->points->ndim; a++) {
        min = f->min[a] < min ? f->min[a] : min;
        max = f->max[a] > max ? f->max[a] : max;
    }
    rug_record *row = rug_record_new();
    cli_describe_points(run, row, points);
    cli_format_shape(text, 2, shape);
    rug_record_set_text(row, "format", f->format);
    rug_record_set_text(row, "shape", text);
    rug_record_set_text(row, "dtype", rug_dtype_name(points->points->dtype));
    rug_record_set_real(row, "min", min);
    rug_record_set_real(row, "max", max);
    rug_record_set_integer(row, "nan", 0);
    rug_record_set_integer(row, "infinite", 0);
    rug_report_add(run->report, row);
    char *line = run->common.quiet ? NULL : rug_point_file_read_line(points->file, NULL);
    cli_clear_progress(run);
    if (line != NULL)
        fprintf(stderr, "%s\n", line);
    free(line);
    if (run->common.verbose)
        fprintf(stderr, "time %s: read %.3f ms\n", points->path,
                points->read_seconds * 1e3);
    return RUG_OK;
}

static int run_info(int argc, char **argv)
{
    info_values values = {0};
    cli_run run;
    int exit;
    if (!cli_start(&run, &cli_info, argc, argv, &values, &exit))
        return exit;
    int are_streams;
    const char *problem = cli_info_check_streams(&run, values.points, &are_streams);
    if (problem != NULL) {
        cli_usage_error(&cli_info, problem);
        cli_abandon(&run);
        return CLI_USAGE;
    }
    if (are_streams) {
        cli_info_streams(&run);
        return cli_finish(&run);
    }
    run.reads_points = values.points;
    cli_set_columns(&run, columns);
    rug_record_set_record(rug_report_head(run.report), "parameters",
                          cli_describe_run(&run));
    cli_for_each_input(&run, measure, measure_points, NULL);
    return cli_finish(&run);
}

const cli_command cli_info = {
    .name = "info",
    .operands = "FILE...",
    .summary = "shape, type, range and spacing of files",
    .text = "Reads each file and prints what it holds. A page of -1 is all of them, "
            "read as a volume; a channel of -1 is the luma of three. Of a text of points "
            "(.csv, .tsv, .txt, .xyz) the shape is points x coordinates. Of streams of "
            "'rugose compress' (.rfi) it prints what their headers say, in a table of "
            "other columns.",
    .takes_images = 1,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run_info,
};
