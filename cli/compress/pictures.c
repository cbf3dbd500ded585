/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the commands of fractal coding share: images as planes, and streams as inputs. */

#include "pictures.h"
#include "notes_text.h"
#include "shared/workers.h"
#include <inttypes.h>
#include <math.h>
#include <rugose/picture.h>
#include <stdio.h>
#include <string.h>

/* Coding takes seconds for each million pixels, so an input is large sooner than elsewhere; such
 * a picture has such a stream. */
#define PICTURE_LARGE_BYTES ((uint64_t)1 << 20)
#define STREAM_LARGE_BYTES  ((uint64_t)64 << 10)

rug_status cli_image_planes(cli_run *run, rug_image planes[RUG_IFS_PLANES_MAX],
                            int *n_planes, const cli_image *image)
{
    *n_planes = image->facts->n_planes;
    for (int i = 0; i < *n_planes; i++)
        planes[i] = rug_file_plane(image->file, i);
    if (planes[0].ndim == 2)
        return RUG_OK;
    return rug_context_fail(run->ctx, RUG_E_ARG,
                            "a volume of %zux%zux%zu pixels; an image expected: save its "
                            "slices as images",
                            planes[0].shape[0], planes[0].shape[1], planes[0].shape[2]);
}

rug_status cli_picture_planes(cli_run *run, rug_image planes[RUG_IFS_PLANES_MAX],
                              const rug_ifs_picture *picture)
{
    const size_t shape[2] = {picture->ny, picture->nx};
    size_t bytes = shape[0] * shape[1] * rug_dtype_size(picture->dtype);
    rug_status status = RUG_OK;
    for (int i = 0; i < picture->n_planes && status == RUG_OK; i++)
        status = rug_image_view(run->ctx, &planes[i],
                                (const char *)picture->pixels + (size_t)i * bytes,
                                picture->dtype, 2, shape);
    return status;
}

const char *cli_keep_colours(cli_run *run, int channel)
{
    run->reading.channel = channel;
    run->keeps_colours = channel < 0;
    run->is_flat = 1;
    run->needs_pixels = 1;
    run->read_share = 0.05;
    run->large_bytes = PICTURE_LARGE_BYTES;
    return run->reading.volume
               ? "--volume: pictures are done one by one; --page all takes every page"
               : NULL;
}

double cli_bits_per_pixel(uint64_t bytes, uint64_t ny, uint64_t nx)
{
    return 8 * (double)bytes / ((double)ny * (double)nx);
}

void cli_set_size(cli_record *row, const char *name, size_t ny, size_t nx)
{
    const size_t sizes[2] = {ny, nx};
    cli_set_shape(row, name, 2, sizes);
}

const char *cli_parse_size(uint32_t *nx, uint32_t *ny, const char *text, int max)
{
    char width[16];
    int columns, rows;
    size_t n = strcspn(text, "x");
    if (text[n] != 'x' || n >= sizeof width)
        return "--size: width and height in pixels expected, such as 1024x768";
    snprintf(width, sizeof width, "%.*s", (int)n, text);
    if (cli_parse_int(&columns, width, 1, max) != 0 ||
        cli_parse_int(&rows, text + n + 1, 1, max) != 0)
        return "--size: width and height in pixels expected, such as 1024x768";
    *nx = (uint32_t)columns;
    *ny = (uint32_t)rows;
    return NULL;
}

/* ---- Streams ---- */

int cli_is_stream(const char *path)
{
    return rugi_has_ending(path, ".rfi");
}

/* ", red, green, blue and alpha"; of grey alone nothing. */
static const char *planes_text(int n_planes)
{
    static const char *const texts[] = {"", "", ", grey and alpha",
                                        ", red, green and blue",
                                        ", red, green, blue and alpha"};
    return texts[n_planes];
}

/* What streams of version 3 have in common; others have domains and iterations. */
static void print_version_3(cli_run *run, const rug_ifs_info *i)
{
    if (i->is_lossless)
        cli_print(run->err, ", lossless");
    if (i->chroma != RUG_IFS_CHROMA_444)
        cli_print(run->err, ", chroma %s", rug_ifs_chroma_name(i->chroma));
    if (i->has_preview)
        cli_print(run->err, ", progressive");
    if (i->tile_nx < i->nx || i->tile_ny < i->ny)
        cli_print(run->err, ", tiles of %" PRIu32 "x%" PRIu32, i->tile_ny, i->tile_nx);
}

static void print_blocks(cli_run *run, const rug_ifs_info *i)
{
    cli_print(run->err, ", %s, ranges of %" PRIu32, rug_ifs_partition_name(i->partition),
              i->range_min);
    if (i->range_max != i->range_min)
        cli_print(run->err, "..%" PRIu32, i->range_max);
    if (cli_has_iterations(i))
        cli_print(run->err, ", domains every %" PRIu32 " pixels%s", i->domain_step,
                  i->domain_wrap ? ", wrapping around" : "");
}

/* "read a.rfi: 512x512 u8, quadtree, ranges of 4..32, ..." */
static void print_read(cli_run *run, const cli_stream *stream)
{
    const rug_ifs_info *i = &stream->info;
    char step[RUGI_REAL_TEXT_MAX], notes[CLI_NOTES_TEXT_MAX];
    if (run->common.quiet)
        return;
    cli_clear_progress(run);
    rugi_format_real_short(step, i->quantiser_step);
    cli_print(run->err, "read %s: %" PRIu32 "x%" PRIu32 " u%d%s", stream->path, i->ny,
              i->nx, i->depth, planes_text(i->n_planes));
    if (!i->is_lossless)
        print_blocks(run, i);
    if (i->has_residual && !i->is_lossless)
        cli_print(run->err, ", residual in steps of %s", step);
    if (cli_has_iterations(i))
        cli_print(run->err, ", %" PRIu32 " iterations%s", i->iterations,
                  i->is_deblocked ? ", deblocked" : "");
    else
        print_version_3(run, i);
    cli_notes_text(notes, &stream->notes, 0, 1);
    cli_print(run->err, "%s%s", notes[0] != '\0' ? ", " : "", notes);
    cli_print(run->err, ", %" PRIu64 " bytes, %.3f bpp\n", i->bytes,
              cli_bits_per_pixel(i->bytes, i->ny, i->nx));
}

/* Gives a failure of the library the file's name. */
static rug_status name_failure(cli_run *run, rug_status status, const char *path)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", rug_context_error(run->ctx));
    return rug_context_fail(run->ctx, status, "%s: %s", path, text);
}

rug_status cli_read_stream(cli_run *run, cli_stream *out, const char *path)
{
    double start = cli_now();
    *out = (cli_stream){
        .path = path, .info = RUG_IFS_INFO_INIT, .notes = RUG_IFS_NOTES_INIT};
    rug_status status =
        rug_bytes_read(run->ctx, &out->bytes, &out->size, path, CLI_STREAM_BYTES);
    if (status != RUG_OK)
        return status;
    status = rug_ifs_read_info(run->ctx, &out->info, out->bytes, out->size);
    if (status != RUG_OK)
        return name_failure(run, status, path);
    status = rug_ifs_read_notes(run->ctx, &out->notes, out->bytes, out->size);
    if (status == RUG_E_FORMAT) /* the pixels may be whole */
        cli_warn(run, "%s", rug_context_error(run->ctx));
    else if (status != RUG_OK)
        return name_failure(run, status, path);
    out->read_seconds = cli_now() - start;
    status = cli_digest(run, out->digest, path);
    print_read(run, out);
    return status;
}

/* What is done with each stream. */
typedef struct stream_work {
    cli_stream_fn measure;
    void *user;
} stream_work;

static void do_stream(cli_run *run, void *user)
{
    const stream_work *work = user;
    const char *path = run->inputs[run->input].path, *name = cli_as_listed(run, path);
    cli_stream stream;
    if (cli_is_left(run, cli_file_bytes(path)))
        return;
    cli_begin_input(run, name);
    rug_status status = cli_read_stream(run, &stream, path);
    stream.path = name;
    cli_phase(run, 1);
    if (status == RUG_OK)
        status = work->measure(run, &stream, work->user);
    if (status != RUG_OK && status != RUG_E_CANCELLED)
        cli_fail_input(run, path, name);
    cli_free_stream(run, &stream);
    cli_end_image(run);
}

void cli_for_each_stream(cli_run *run, cli_stream_fn measure, void *user)
{
    stream_work work = {measure, user};
    run->read_share = 0.05;
    run->large_bytes = STREAM_LARGE_BYTES;
    cli_do_inputs(run, do_stream, &work);
}

static void set_if(cli_record *r, const char *name, uint64_t value, int is_there)
{
    if (is_there)
        cli_record_set_integer(r, name, value);
    else
        cli_record_set_text(r, name, NULL);
}

/* A lossless stream has pixels, and one that is decoded in a pass no grid of domains. */
static void set_blocks(cli_record *r, const rug_ifs_info *info)
{
    int has_blocks = !info->is_lossless, has_grid = cli_has_iterations(info);
    cli_record_set_text(r, "partition",
                        has_blocks ? rug_ifs_partition_name(info->partition) : NULL);
    set_if(r, "range_min", info->range_min, has_blocks);
    set_if(r, "range_max", info->range_max, has_blocks);
    set_if(r, "domain_step", info->domain_step, has_grid);
    cli_record_set_bool(r, "domain_wrap", info->domain_wrap);
    cli_record_set_bool(r, "residual", info->has_residual);
    cli_record_set_real(r, "quantiser_step",
                        has_blocks ? info->quantiser_step : (double)NAN);
}

void cli_set_stream(cli_record *r, const rug_ifs_info *info)
{
    set_blocks(r, info);
    cli_set_iterations(r, info, info->iterations);
    cli_record_set_bool(r, "deblocked", info->is_deblocked);
    cli_record_set_bool(r, "lossless", info->is_lossless);
    cli_record_set_bool(r, "alpha", info->has_alpha);
    cli_record_set_text(
        r, "chroma",
        cli_n_colours(info->n_planes) == 3 ? rug_ifs_chroma_name(info->chroma) : NULL);
    cli_record_set_bool(r, "progressive", info->has_preview);
    if (cli_has_iterations(info))
        cli_record_set_text(r, "tile", NULL);
    else
        cli_set_size(r, "tile", info->tile_ny, info->tile_nx);
}

void cli_set_iterations(cli_record *r, const rug_ifs_info *info, uint32_t n)
{
    set_if(r, "iterations", n, cli_has_iterations(info));
}
