/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose upscale: images enlarged by their self-similarity. */

#include "notes.h"
#include <rugose/picture.h>
#include <stdio.h>

/* The share of the work on an image until it is enlarged. */
#define ENLARGED_SHARE 0.95

/* In the order of its factors, 2 and 4. */
#define SCALES "2|4"

typedef struct upscale_values {
    const char *output;
    int channel; /* -1: not given */
    int scale;   /* 0: 2, 1: 4 */
} upscale_values;

/* The command's state over its images. */
typedef struct job {
    upscale_values values;
    rug_ifs_upscale_options options;
    cli_outputs outputs;
} job;

static const cli_option options[] = {
    CLI_RESULT_OPTION(
        upscale_values, "FILE",
        "write the picture there (required): .png, .tif, .pgm, .ppm, .pnm, .jpg "
        "or .webp"),
    {CLI_OPTION("scale", CLI_CHOICE, NULL, upscale_values, scale), .choices = SCALES,
     .help = "enlarge this many times (default 2)"},
    CLI_CHANNEL_OPTION(upscale_values),
};

static const cli_example examples[] = {
    {"rugose upscale camera.png -o large.png", "twice as large"},
    {"rugose upscale --scale 4 -o 'large/{}.tif' cells/*.tif", "many images, four times"},
    {NULL, NULL},
};

static const char *const columns[] = {"image",        "shape",   "planes",
                                      "scale",        "output",  "output_shape",
                                      "output_bytes", "seconds", NULL};

static const char *check(cli_run *run, void *user)
{
    job *j = user;
    const upscale_values *v = &j->values;
    j->options.scale = v->scale == 1 ? 4 : 2;
    run->columns = columns;
    if (v->output == NULL)
        return "--output FILE is missing";
    const char *problem = cli_check_result_name(run, "output", v->output);
    if (problem == NULL)
        problem = cli_problem(run->ctx, rug_picture_check_name(run->ctx, v->output));
    run->reading.notes = 1;
    return problem != NULL ? problem : cli_keep_colours(run, v->channel);
}

static void add_row(cli_run *run, const cli_image *image, const job *j, const char *path,
                    const rug_ifs_picture *picture, double seconds)
{
    cli_record *row = cli_image_row(run, image);
    cli_record_set_signed(row, "planes", picture->n_planes);
    cli_record_set_integer(row, "scale", j->options.scale);
    cli_record_set_text(row, "output", path);
    cli_set_size(row, "output_shape", picture->ny, picture->nx);
    cli_record_set_integer(row, "output_bytes", cli_file_bytes(path));
    cli_record_set_real(row, "seconds", seconds);
    cli_report_add(run->report, row);
    if (!cli_begin_times(run, image))
        return;
    cli_print(run->err, ", enlarge %.3f ms", seconds * 1e3);
    cli_end_times(run, NULL, "");
}

/* Writes what the picture has become, with what goes along with it. */
static rug_status write_enlarged(cli_run *run, const char *path, const cli_image *image,
                                 const rug_image *planes, int n_planes, uint32_t scale)
{
    rug_file_notes notes = RUG_FILE_NOTES_INIT;
    rug_status status = rug_file_read_notes(run->ctx, &notes, image->file);
    for (int a = 0; a < 2; a++)
        notes.spacing[a] /= scale;
    return status == RUG_OK
               ? rug_picture_write_notes(run->ctx, path, planes, n_planes, &notes)
               : status;
}

static rug_status enlarge(cli_run *run, const job *j, const cli_image *image,
                          const char *path)
{
    rug_image planes[RUG_IFS_PLANES_MAX], enlarged[RUG_IFS_PLANES_MAX];
    int n_planes;
    rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
    rug_status status = cli_image_planes(run, planes, &n_planes, image);
    if (status != RUG_OK)
        return status;
    double start = cli_now();
    cli_shorten_phase(run, ENLARGED_SHARE);
    status = rug_ifs_upscale(run->ctx, &picture, planes, n_planes, &j->options);
    double seconds = cli_now() - start;
    if (status != RUG_OK)
        return status;
    cli_phase(run, 1);
    status = cli_picture_planes(run, enlarged, &picture);
    if (status == RUG_OK)
        status = write_enlarged(run, path, image, enlarged, n_planes, j->options.scale);
    if (status == RUG_OK)
        status = cli_show_picture(run, image->name, enlarged, n_planes,
                                  "the enlarged picture", 0);
    if (status == RUG_OK)
        add_row(run, image, j, path, &picture, seconds);
    rug_ifs_picture_free(run->ctx, &picture);
    return status;
}

static rug_status upscale_image(cli_run *run, const cli_image *image, void *user)
{
    job *j = user;
    char path[CLI_PATH_MAX], text[32];
    rug_status status =
        cli_claim(run, &j->outputs, path, "output", j->values.output, image->name, "");
    if (status != RUG_OK)
        return status;
    snprintf(text, sizeof text, "%u times as large", j->options.scale);
    cli_print_read(run, image, text);
    cli_warn_of_pages(run, image, "enlarged");
    if (image->facts->dropped_alpha)
        cli_warn(run, "alpha is left out");
    return enlarge(run, j, image, path);
}

static void describe(const cli_run *run, cli_record *p, const void *user)
{
    const job *j = user;
    (void)run;
    cli_record_set_text(p, "output", j->values.output);
    cli_record_set_integer(p, "scale", j->options.scale);
    cli_record_set_integer(p, "rounds", j->options.rounds);
}

static void free_job(void *user)
{
    job *j = user;
    cli_free_outputs(&j->outputs);
}

static int run_upscale(int argc, char **argv)
{
    static const cli_actions actions = {
        .check = check, .describe = describe, .image = upscale_image, .free = free_job};
    job j = {.values.channel = -1, .options = RUG_IFS_UPSCALE_OPTIONS_INIT};
    return cli_run_images(&cli_upscale, argc, argv, &j.values, &j, &actions);
}

const cli_command cli_upscale = {
    .name = "upscale",
    .operands = "FILE|DIR...",
    .summary = "images enlarged 2 or 4 times by self-similarity",
    .also = "enlarge|resize|zoom",
    .text =
        "Codes an image of 8 or 16 bits with overlapping blocks, decodes it at a larger size, "
        "and corrects the result three times so that it shrinks back to the given image. "
        "Straight edges stay sharp; detail that the image does not hold is not recovered. Flat "
        "images stay exactly flat.",
    .takes_images = 1,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_upscale,
};
