/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose compress` at work on one image: coding it, decoding it again to say how good it
 * is, and writing the stream. */

#include "cmd_compress.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The share of the work on an image until it is coded. */
#define CODED_SHARE 0.95

/* What goes with one image. */
typedef struct coding {
    rug_image planes[RUG_IFS_PLANES_MAX];
    int n_planes;
    char path[CLI_PATH_MAX]; /* of the stream */
    rug_output *output;      /* to there; NULL once it is written */
    rug_ifs_stream stream;
    rug_quality_result quality;
    double seconds;      /* of coding */
    uint64_t raw_bytes;  /* of the pixels */
    uint64_t file_bytes; /* of the image's file */
} coding;

static void tell(cli_run *run, const cli_compress_job *job, const cli_image *image)
{
    const rug_ifs_options *o = &job->options;
    char text[160], value[RUG_REAL_TEXT_MAX];
    if (run->common.quiet)
        return;
    rug_format_real_short(value, o->target_value);
    if (o->partition == RUG_IFS_QUADTREE)
        snprintf(text, sizeof text, "quadtree%s, %s %s",
                 o->without_residual ? " without residual" : "",
                 cli_compress_target_name(o->target), value);
    else
        snprintf(text, sizeof text, "%s", cli_partition_name(o->partition));
    cli_print_line(run, rug_file_read_line(image->file, &image->range, text));
}

/* Pictures are compared by the processor, whatever device codes them. */
static rug_status compare_here(cli_run *run, coding *c, const rug_image *decoded)
{
    const char *device = run->common.device;
    rug_status status = rug_context_set_device(run->ctx, "cpu");
    if (status == RUG_OK)
        status =
            rug_quality(run->ctx, &c->quality, c->planes, decoded, c->n_planes, NULL);
    if (device != NULL) /* which was a valid one before */
        rug_context_set_device(run->ctx, device);
    return status;
}

/* How far the decoded picture is from the image. */
static rug_status measure_quality(cli_run *run, coding *c)
{
    rug_ifs_picture picture;
    rug_image decoded[RUG_IFS_PLANES_MAX];
    rug_ifs_decode_options opts = RUG_IFS_DECODE_OPTIONS_INIT;
    opts.pixels_max = UINT64_MAX; /* as many as the image has */
    rug_status status =
        rug_ifs_decompress(run->ctx, &picture, c->stream.bytes, c->stream.size, &opts);
    if (status != RUG_OK)
        return status;
    status = cli_picture_planes(run, decoded, &picture);
    if (status == RUG_OK)
        status = compare_here(run, c, decoded);
    rug_ifs_picture_free(run->ctx, &picture);
    return status;
}

/* "ok", or what the numbers need as an explanation. */
static void set_status(rug_record *row, const coding *c)
{
    char text[160] = "";
    if (!(c->quality.mse > 0))
        strcat(text, "; equal");
    if (c->stream.size > c->raw_bytes)
        strcat(text, "; larger than the pixels");
    if (c->stream.size > c->file_bytes)
        strcat(text, "; larger than the file");
    if (strcmp(c->quality.status, "ok") != 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), "; %s",
                 c->quality.status);
    rug_record_set_text(row, "status", text[0] != '\0' ? text + 2 : "ok");
}

static void warn_size(cli_run *run, const coding *c)
{
    if (c->stream.size > c->raw_bytes)
        cli_warn(run,
                 "the stream of %zu bytes is larger than the pixels, %" PRIu64 " bytes",
                 c->stream.size, c->raw_bytes);
    else if (c->stream.size > c->file_bytes)
        cli_warn(run,
                 "the stream of %zu bytes is larger than the file, %" PRIu64 " bytes",
                 c->stream.size, c->file_bytes);
}

static void add_row(cli_run *run, const cli_image *image, const coding *c)
{
    uint64_t ny = c->planes[0].shape[0], nx = c->planes[0].shape[1], n = c->stream.size;
    rug_record *row = rug_record_new();
    cli_describe_image(run, row, image);
    rug_record_set_signed(row, "planes", c->n_planes);
    rug_record_set_text(row, "output", c->path);
    rug_record_set_integer(row, "bytes", n);
    rug_record_set_real(row, "bpp", cli_bits_per_pixel(n, ny, nx));
    rug_record_set_real(row, "ratio", (double)c->raw_bytes / (double)n);
    rug_record_set_integer(row, "input_bytes", c->file_bytes);
    rug_record_set_real(row, "psnr", c->quality.psnr);
    rug_record_set_real(row, "ssim", c->quality.ssim);
    rug_record_set_real(row, "seconds", c->seconds);
    set_status(row, c);
    rug_report_add(run->report, row);
}

static void tell_times(const cli_run *run, const cli_image *image, const coding *c,
                       double decode_seconds)
{
    if (!run->common.verbose)
        return;
    fprintf(stderr,
            "time %s: read %.3f ms, range %.3f ms, code %.3f ms, decode and compare %.3f "
            "ms (%d threads)",
            image->name, image->read_seconds * 1e3, image->range_seconds * 1e3,
            c->seconds * 1e3, decode_seconds * 1e3, rug_context_threads(run->ctx));
    cli_print_device_times(run);
    fputc('\n', stderr);
}

static rug_status code(cli_run *run, const cli_compress_job *job, const cli_image *image,
                       coding *c)
{
    double start = cli_now();
    cli_shorten_phase(run, CODED_SHARE);
    rug_status status =
        rug_ifs_compress(run->ctx, &c->stream, c->planes, c->n_planes, &job->options);
    c->seconds = cli_now() - start;
    if (status != RUG_OK)
        return status;
    c->raw_bytes = rug_file_bytes(image->file);
    c->file_bytes = cli_file_bytes(image->path);
    start = cli_now();
    cli_phase(run, 1);
    status = measure_quality(run, c);
    if (status == RUG_OK)
        tell_times(run, image, c, cli_now() - start);
    return status;
}

/* The file is opened before the image is coded, so that a place where nothing can be written
 * is told at once. */
static rug_status write_stream(cli_run *run, coding *c)
{
    rug_output *output = c->output;
    c->output = NULL;
    errno = 0;
    if (fwrite(c->stream.bytes, 1, c->stream.size, rug_output_stream(output)) ==
        c->stream.size)
        return rug_output_commit(run->ctx, output);
    rug_status status = rug_context_fail(run->ctx, RUG_E_IO, "cannot write %s: %s",
                                         c->path, strerror(errno));
    rug_output_discard(output);
    return status;
}

rug_status cli_compress_image(cli_run *run, const cli_image *image, void *user)
{
    cli_compress_job *job = user;
    coding c = {.n_planes = 0};
    rug_status status = cli_image_planes(run, c.planes, &c.n_planes, image);
    if (status == RUG_OK)
        status = cli_claim_result(run, &job->outputs, c.path, "output",
                                  job->values.output, image->name);
    if (status == RUG_OK)
        status = rug_output_open(run->ctx, &c.output, c.path);
    if (status != RUG_OK)
        return status;
    tell(run, job, image);
    status = code(run, job, image, &c);
    if (status == RUG_OK)
        status = write_stream(run, &c);
    if (status == RUG_OK) {
        warn_size(run, &c);
        add_row(run, image, &c);
    }
    rug_output_discard(c.output);
    rug_ifs_stream_free(run->ctx, &c.stream);
    return status;
}
