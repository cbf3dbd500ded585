/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose info: what a file holds and how it is read, from its head unless the range of its pixels is asked
 * for; of streams what their headers say, in a table of its own. */

#include "compress/notes.h"
#include "overlay/overlay.h"
#include "parts/parts.h"
#include "shared/nodata.h"
#include <stdio.h>

static const char *const head_columns[] = {
    "image", "format", "shape",  "dtype",   "spacing",  "unit",   "page",
    "pages", "level",  "levels", "channel", "channels", "nodata", NULL};

static const char *const range_columns[] = {
    "image",    "format",   "shape",    "dtype",  "min",  "max",   "nan",
    "infinite", "distinct", "spacing",  "unit",   "page", "pages", "level",
    "levels",   "channel",  "channels", "nodata", NULL};

typedef struct info_values {
    int range;
    int points;
    int notes;
    const char *columns; /* NULL: not given */
    uint64_t skip_rows;
} info_values;

static const cli_option options[] = {
    {CLI_OPTION("range", CLI_FLAG, NULL, info_values, range),
     .help =
         "read the pixels too: their range, the numbers of NaN and infinite ones, and how many "
         "values there are"},
    {CLI_OPTION("notes", CLI_FLAG, NULL, info_values, notes), .also = "metadata|exif",
     .help =
         "a table of what goes with pictures and streams besides pixels: orientation, alpha, "
         "the size of pixels or resolution in print, and colour profile, all as stored"},
    {CLI_OPTION("points", CLI_FLAG, NULL, info_values, points), .is_unlisted = 1,
     .help = "the files are sets of points, as for boxcount"},
    {CLI_COLUMNS_OPTION(info_values), .is_unlisted = 1},
    {CLI_SKIP_ROWS_OPTION(info_values), .is_unlisted = 1},
};

static const cli_example examples[] = {
    {"rugose info cell.tif brain.nii.gz", "shape, type and spacing of each"},
    {"rugose info --range cell.tif", "the range of its pixels too"},
    {"rugose info -f json --page all stack.tif", "every page, with its checksum"},
    {"rugose info --notes photo.jpg", "orientation, alpha, resolution, colour profile"},
    {"rugose info coded/*.rfi", "how streams were coded, and their bits per pixel"},
    {NULL, NULL},
};

/* "0.65x0.65", slowest axis first; NULL when unknown. */
static const char *format_spacing(char text[CLI_SHAPE_MAX], const rug_image *img)
{
    size_t n = 0;
    for (int a = 0; a < img->ndim; a++) {
        char number[RUGI_REAL_TEXT_MAX];
        if (!(img->spacing[a] > 0))
            return NULL;
        rugi_format_real_short(number, img->spacing[a]);
        n += (size_t)snprintf(text + n, CLI_SHAPE_MAX - n, a > 0 ? "x%s" : "%s", number);
    }
    return text;
}

static void set_range(cli_record *row, const rug_image_range *r,
                      const rug_file_facts *facts)
{
    cli_set_range(row, r);
    cli_record_set_integer(row, "nan", cli_nan_of_file(facts, r->n_nan));
    cli_record_set_integer(row, "infinite", r->n_infinite);
    if (r->distinct_is_min)
        cli_record_set_text(row, "distinct", ">256");
    else
        cli_record_set_integer(row, "distinct", r->n_distinct);
}

/* All digits of a number, two of them, "nan" or "none". */
static void set_nodata(cli_record *row, const rug_file_facts *f)
{
    char text[CLI_NODATA_MAX];
    if (f->has_nodata)
        cli_nodata_text(text, f);
    cli_record_set_text(row, "nodata", f->has_nodata ? text : "none");
}

static void set_head(cli_record *row, const cli_image *image)
{
    const rug_file_facts *f = image->facts;
    char spacing[CLI_SHAPE_MAX];
    cli_record_set_text(row, "dtype", rug_dtype_name(f->values));
    if (image->watch != NULL)
        set_range(row, cli_image_range(image), f);
    cli_record_set_text(row, "spacing", format_spacing(spacing, image->pixels));
    cli_record_set_text(row, "unit", image->pixels->spacing_unit);
    cli_record_set_signed(row, "page", f->page);
    cli_record_set_signed(row, "pages", f->n_pages);
    cli_record_set_signed(row, "level", f->level);
    cli_record_set_signed(row, "levels", f->n_levels);
    cli_record_set_signed(row, "channel", f->channel);
    cli_record_set_signed(row, "channels", f->n_channels);
    set_nodata(row, f);
}

static rug_status add_image(cli_run *run, const cli_image *image, void *user)
{
    const info_values *v = user;
    const rug_file_facts *f = image->facts;
    char text[CLI_NOTES_TEXT_MAX];
    rug_alpha alpha;
    rug_ifs_notes notes;
    void *state = NULL;
    rug_status status = cli_file_notes(run, &notes, &alpha, image);
    if (status == RUG_OK && run->parts != NULL)
        status = cli_measure_state(run, image, NULL, NULL, 0, &state);
    if (run->parts != NULL && state == NULL)
        return status;
    cli_record *row = cli_image_row(run, image);
    cli_record_set_text(row, "format", f->format);
    cli_notes_text(text, &notes, 0, !(rug_file_plane(image->file, 0).spacing[0] > 0));
    notes.orientation = f->orientation; /* as it is stated */
    if (v->notes)
        cli_set_notes(row, &notes, alpha);
    else
        set_head(row, image);
    if (status == RUG_OK && image->pixels->data != NULL)
        status = cli_show_image(run, image, &(cli_shown){NULL, NULL});
    if (status != RUG_OK) {
        cli_record_free(row);
        return status;
    }
    cli_report_add(run->report, row);
    cli_print_read(run, image, text[0] != '\0' ? text : NULL);
    if (cli_begin_times(run, image))
        cli_print(run->err, "\n");
    return RUG_OK;
}

/* The range of all coordinates. */
static void set_points_range(cli_record *row, const rug_point_facts *f, int ndim)
{
    double min = f->min[0], max = f->max[0];
    for (int a = 1; a < ndim; a++) {
        min = f->min[a] < min ? f->min[a] : min;
        max = f->max[a] > max ? f->max[a] : max;
    }
    cli_record_set_real(row, "min", min);
    cli_record_set_real(row, "max", max);
    cli_record_set_integer(row, "nan", 0);
    cli_record_set_integer(row, "infinite", 0);
}

static rug_status add_points(cli_run *run, const cli_points *points, void *user)
{
    const info_values *v = user;
    const rug_point_facts *f = points->facts;
    uint64_t shape[2] = {points->points->n, (uint64_t)points->points->ndim};
    char text[CLI_SHAPE_MAX];
    if (run->parts != NULL)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points need no values of the whole; leave out "
                                "--part");
    cli_record *row = cli_points_row(run, points);
    cli_format_shape(text, 2, shape);
    cli_record_set_text(row, "format", f->format);
    cli_record_set_text(row, "shape", text);
    cli_record_set_text(row, "dtype", rug_dtype_name(points->points->dtype));
    if (v->range)
        set_points_range(row, f, points->points->ndim);
    cli_report_add(run->report, row);
    if (!run->common.quiet)
        cli_print_line(run, cli_point_file_read_line(points->file, points->path, NULL));
    if (run->common.verbose)
        cli_print(run->err, "time %s: read %.3f ms\n", points->path,
                  points->read_seconds * 1e3);
    return RUG_OK;
}

/* ---- Streams ---- */

static const char *const stream_columns[] = {"image",     "shape",          "planes",
                                             "dtype",     "partition",      "range_min",
                                             "range_max", "domain_step",    "domain_wrap",
                                             "residual",  "quantiser_step", "iterations",
                                             "deblocked", "format_version", "bytes",
                                             "bpp",       "lossless",       "alpha",
                                             "chroma",    "progressive",    "tile",
                                             NULL};

static rug_status add_stream(cli_run *run, const cli_stream *stream, void *user)
{
    const info_values *v = user;
    const rug_ifs_info *i = &stream->info;
    cli_record *row = cli_record_new();
    cli_set_image(run, row, stream->path);
    cli_set_size(row, "shape", i->ny, i->nx);
    if (v->notes) {
        cli_record_set_text(row, "format", "rfi");
        cli_set_notes(row, &stream->notes, cli_stream_alpha(stream));
        cli_report_add(run->report, row);
        return RUG_OK;
    }
    cli_record_set_signed(row, "planes", i->n_planes);
    cli_record_set_text(row, "dtype", i->depth == 16 ? "u16" : "u8");
    cli_set_stream(row, i);
    cli_record_set_integer(row, "format_version", i->version);
    cli_record_set_integer(row, "bytes", i->bytes);
    cli_record_set_real(row, "bpp", cli_bits_per_pixel(i->bytes, i->ny, i->nx));
    if (run->has_details)
        cli_set_digest(row, stream->digest);
    cli_report_add(run->report, row);
    return RUG_OK;
}

/* ---- The run ---- */

static int has_streams(const cli_run *run)
{
    return run->n_inputs > 0 && cli_is_stream(run->inputs[0].path);
}

static const char *check(cli_run *run, void *user)
{
    const info_values *v = user;
    const cli_reading *r = &run->reading;
    int are_streams = has_streams(run);
    for (size_t i = 1; i < run->n_inputs; i++)
        if (cli_is_stream(run->inputs[i].path) != are_streams)
            return "streams (.rfi) have a table of their own; list them separately";
    if (are_streams &&
        (v->points || r->page != NULL || r->volume || r->channel >= 0 || r->level > 0))
        return "streams have no pages, channels or levels; leave out --page, --volume, "
               "--channel, --level and --points";
    if (are_streams && (r->raw != NULL || r->matrix))
        return "streams say themselves what they hold; leave out --raw and --matrix";
    if (are_streams && r->nodata != NULL)
        return "streams hold data only; leave out --nodata";
    const char *why = are_streams ? "streams are not decoded; leave out --part" : NULL;
    if (run->parts != NULL && cli_refuse_parts(run, why) != NULL)
        return why;
    if (run->parts != NULL && run->parts->is_team && !v->range)
        cli_refuse_parts(run, "heads have no parts");
    if (are_streams && v->range)
        return "streams are not decoded, so that their pixels have no range; leave out --range";
    run->reads_points = v->points;
    run->point_options.columns = v->columns;
    run->point_options.skip_rows = v->skip_rows;
    if (v->notes && (v->range || v->points || run->parts != NULL))
        return "--notes has a table of its own; leave out --range, --points and --part";
    run->reading.notes = 1;
    run->reading.as_stored = v->notes;
    int has_range = v->range || run->parts != NULL;
    run->heads_only = !has_range;
    run->columns = v->notes      ? cli_notes_columns
                   : are_streams ? stream_columns
                   : has_range   ? range_columns
                                 : head_columns;
    return NULL;
}

static int work(cli_run *run, void *user)
{
    if (has_streams(run))
        cli_for_each_stream(run, add_stream, user);
    else
        cli_for_each_input(run, add_image, add_points, user);
    return CLI_OK;
}

static int run_info(int argc, char **argv)
{
    static const cli_actions actions = {.check = check, .work = work};
    info_values values = {0};
    return cli_run_images(&cli_info, argc, argv, &values, &values, &actions);
}

const cli_command cli_info = {
    .name = "info",
    .operands = "FILE|DIR...",
    .summary = "shape, type and spacing of files; range of their pixels",
    .also = "inspect|show",
    .text =
        "Prints what the head of each file says; damage behind it does not show. With --range "
        "the pixels are read too. Page -1 means all pages, read as a "
        "volume; channel -1 means the luma of red, green and blue. The shape of a text "
        "file of points (.csv, .tsv, .txt, .xyz) is points x coordinates. Streams of "
        "'rugose compress' (.rfi) have a table of their own with what their headers "
        "say. --notes lists what goes with pictures and streams besides pixels. --part "
        "measures the values of a part, for the --range of the whole image and for "
        "--values of other commands.",
    .takes_images = 1,
    .takes_nodata = 1,
    .in_parts = cli_begin_parts,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_info,
};
