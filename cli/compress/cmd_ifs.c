/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose ifs: pictures of the attractors of iterated function systems. */

#include "pictures.h"
#include "shared/workers.h"
#include <rugose/picture.h>

/* What is asked for, and the names that were written so far. */
typedef struct ifs_job {
    const char *output, *size;
    uint32_t nx, ny;
    cli_outputs outputs;
} ifs_job;

static const cli_option options[] = {
    CLI_RESULT_OPTION(ifs_job, "FILE",
                      "write the picture there (required): .png, .tif, .pgm, .pnm, .jpg "
                      "or .webp"),
    {CLI_OPTION("size", CLI_TEXT, "WxH", ifs_job, size),
     .help = "draw W x H pixels, sides of 1..65535 (default 512x512)"},
};

static const cli_example examples[] = {
    {"rugose ifs fern.json -o fern.png", "512 x 512 pixels"},
    {"rugose ifs --size 300x600 -o '{}.tif' systems/*.json", "many systems"},
    {NULL, NULL},
};

static const char *const columns[] = {"image",  "maps",         "shape",   "set",
                                      "output", "output_bytes", "seconds", NULL};

static const char *check(cli_run *run, void *user)
{
    ifs_job *job = user;
    run->columns = columns;
    if (job->output == NULL)
        return "--output FILE is missing";
    const char *problem = cli_parse_size(&job->nx, &job->ny, job->size, RUG_IFS_SIDE_MAX);
    if (problem == NULL)
        problem = cli_check_result_name(run, "output", job->output);
    return problem != NULL
               ? problem
               : cli_problem(run->ctx, rug_picture_check_name(run->ctx, job->output));
}

/* What goes with one system. */
typedef struct system_of_maps {
    rug_ifs_map *maps; /* owned */
    size_t n_maps;
    rug_ifs_picture picture;
    char path[CLI_PATH_MAX]; /* of the picture */
    double read_seconds, seconds;
} system_of_maps;

static rug_status read_maps(cli_run *run, system_of_maps *s, const char *path)
{
    double start = cli_now();
    rug_status status = rug_ifs_maps_read(run->ctx, &s->maps, &s->n_maps, path);
    s->read_seconds = cli_now() - start;
    if (status != RUG_OK || run->common.quiet)
        return status;
    cli_clear_progress(run);
    cli_print(run->err, "read %s: %zu map%s\n", run->image, s->n_maps,
              s->n_maps == 1 ? "" : "s");
    return RUG_OK;
}

static rug_status draw(cli_run *run, const ifs_job *job, system_of_maps *s)
{
    rug_image planes[RUG_IFS_PLANES_MAX];
    double start = cli_now();
    cli_phase(run, 1);
    rug_status status =
        rug_ifs_draw(run->ctx, &s->picture, s->maps, s->n_maps, job->nx, job->ny);
    s->seconds = cli_now() - start;
    if (status == RUG_OK)
        status = cli_picture_planes(run, planes, &s->picture);
    if (status == RUG_OK)
        status = rug_picture_write(run->ctx, s->path, planes, 1);
    return status == RUG_OK
               ? cli_show_picture(run, run->image, planes, 1, "the attractor", 0)
               : status;
}

static rug_status add_row(cli_run *run, const system_of_maps *s, const char *path)
{
    char digest[CLI_SHA256_TEXT_MAX];
    rug_status status = cli_digest(run, digest, path);
    if (status != RUG_OK)
        return status;
    const uint8_t *pixels = s->picture.pixels;
    size_t n_set = 0, n = (size_t)s->picture.nx * s->picture.ny;
    for (size_t i = 0; i < n; i++)
        n_set += pixels[i] != 0;
    cli_record *row = cli_record_new();
    cli_set_image(run, row, run->image);
    cli_record_set_integer(row, "maps", s->n_maps);
    cli_set_size(row, "shape", s->picture.ny, s->picture.nx);
    cli_record_set_integer(row, "set", n_set);
    cli_record_set_text(row, "output", s->path);
    cli_record_set_integer(row, "output_bytes", cli_file_bytes(s->path));
    cli_record_set_real(row, "seconds", s->seconds);
    if (run->has_details)
        cli_set_digest(row, digest);
    cli_report_add(run->report, row);
    if (run->common.verbose)
        cli_print(run->err, "time %s: read %.3f ms, draw %.3f ms\n", run->image,
                  s->read_seconds * 1e3, s->seconds * 1e3);
    return RUG_OK;
}

/* Drawing takes memory by its pixels: many of them come one picture at a time. */
#define BYTES_OF_PIXEL 16

static void do_system(cli_run *run, void *user)
{
    ifs_job *job = user;
    system_of_maps s = {.picture = RUG_IFS_PICTURE_INIT};
    const char *path = run->inputs[run->input].path, *name = cli_as_listed(run, path);
    if (cli_is_left(run, BYTES_OF_PIXEL * (uint64_t)job->nx * job->ny))
        return;
    cli_begin_input(run, name);
    rug_status status = read_maps(run, &s, path);
    if (status == RUG_OK)
        status = cli_claim(run, &job->outputs, s.path, "output", job->output, name, "");
    if (status == RUG_OK)
        status = draw(run, job, &s);
    if (status == RUG_OK)
        status = add_row(run, &s, path);
    if (status != RUG_OK && status != RUG_E_CANCELLED)
        cli_fail_input(run, path, name);
    rug_context_release(run->ctx, s.maps);
    rug_ifs_picture_free(run->ctx, &s.picture);
    cli_end_image(run);
}

static int work(cli_run *run, void *user)
{
    ifs_job *job = user;
    run->read_share = 0.05;
    cli_do_inputs(run, do_system, job);
    cli_free_outputs(&job->outputs);
    return CLI_OK;
}

static int run_ifs(int argc, char **argv)
{
    static const cli_actions actions = {.check = check, .work = work};
    ifs_job job = {.size = "512x512"};
    return cli_run_images(&cli_ifs, argc, argv, &job, &job, &actions);
}

const cli_command cli_ifs = {
    .name = "ifs",
    .operands = "FILE.json...",
    .summary = "pictures of iterated function systems, such as the fern",
    .also = "attractor|fern|draw",
    .text =
        "Draws the attractor of a system of maps x' = a x + b y + e, y' = c x + d y + f, "
        "given as {\"maps\": [[a, b, c, d, e, f], ...]} with y upwards: 1 to 100 maps that "
        "contract. Its bounding box fills the picture as far as its shape allows. Pixels "
        "are 255 where the attractor is, to half a pixel, else 0; nothing is drawn by "
        "chance.",
    .takes_files = "system of maps",
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_ifs,
};
