/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One image of `rugose compress`: coded once for each value that is aimed at, decoded again to say how
 * good that is, and written as streams. */

#include "cmd_compress.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The share of the work on a stream until it is coded. */
#define CODED_SHARE 0.95

/* What goes with one stream. */
typedef struct coding {
    const rug_image *planes;
    int n_planes;
    rug_ifs_options options;
    double until; /* the share of the image's work that ends with this stream */
    char path[CLI_PATH_MAX]; /* of the stream; "" where none is written */
    rugi_output *output;     /* to there; NULL once it is written */
    rug_ifs_stream stream;
    rug_quality_result quality;
    double seconds;      /* of coding */
    uint64_t raw_bytes;  /* of the pixels */
    uint64_t file_bytes; /* of the image's file */
} coding;

/* ---- How good it is ---- */

/* Pictures are compared by the processor, whatever device codes them. */
static rug_status compare_here(cli_run *run, coding *c, const rug_image *decoded)
{
    const char *device = run->common.device;
    c->quality = (rug_quality_result)RUG_QUALITY_RESULT_INIT;
    rug_status status = rug_context_set_device(run->ctx, "cpu");
    if (status == RUG_OK)
        status = rug_quality(run->ctx, &c->quality, c->planes, decoded,
                             cli_n_colours(c->n_planes), NULL);
    if (device != NULL) /* which was a valid one before */
        rug_context_set_device(run->ctx, device);
    return status;
}

static rug_status decode(cli_run *run, rug_ifs_picture *picture, const coding *c)
{
    rug_ifs_decode_options opts = RUG_IFS_DECODE_OPTIONS_INIT;
    rug_status status =
        rug_ifs_decompress(run->ctx, picture, c->stream.bytes, c->stream.size, &opts);
    if (status != RUG_E_ARG)
        return status;
    opts.pixels_max =
        (uint64_t)c->planes[0].shape[0] * c->planes[0].shape[1] * (uint64_t)c->n_planes;
    cli_warn(
        run,
        "the stream of %zu bytes is so small for its pixels that decompress and compare "
        "need --max-pixels %" PRIu64 " or more",
        c->stream.size, opts.pixels_max);
    return rug_ifs_decompress(run->ctx, picture, c->stream.bytes, c->stream.size, &opts);
}

/* How far the decoded picture is from the image. @param is_shown  on the page, too */
static rug_status measure_quality(cli_run *run, coding *c, int is_shown)
{
    rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
    rug_image decoded[RUG_IFS_PLANES_MAX];
    int n_colours = cli_n_colours(c->n_planes);
    rug_status status = decode(run, &picture, c);
    if (status != RUG_OK)
        return status;
    status = cli_picture_planes(run, decoded, &picture);
    if (status == RUG_OK)
        status = compare_here(run, c, decoded);
    if (status == RUG_OK && is_shown)
        status = cli_show_picture(run, run->image, c->planes, n_colours, "the image", 1);
    if (status == RUG_OK && is_shown)
        status = cli_show_pair(run, run->image, c->planes, decoded, n_colours);
    rug_ifs_picture_free(run->ctx, &picture);
    return status;
}

/* ---- What is said ---- */

/* "ok", or what the numbers need as an explanation. */
static void set_status(cli_record *row, const coding *c)
{
    char text[160] = "";
    if (!(c->quality.mse > 0))
        strcat(text, "; equal");
    if (c->stream.size > c->raw_bytes)
        strcat(text, "; larger than the pixels");
    if (c->file_bytes > 0 && c->stream.size > c->file_bytes)
        strcat(text, "; larger than the file");
    if (c->quality.status != RUG_QUALITY_OK)
        snprintf(text + strlen(text), sizeof text - strlen(text), "; %s",
                 rug_quality_status_name(c->quality.status));
    cli_record_set_text(row, "status", text[0] != '\0' ? text + 2 : "ok");
}

static void warn_size(cli_run *run, const coding *c)
{
    if (c->stream.size > c->raw_bytes)
        cli_warn(run,
                 "the stream of %zu bytes is larger than the pixels, %" PRIu64 " bytes",
                 c->stream.size, c->raw_bytes);
    else if (c->file_bytes > 0 && c->stream.size > c->file_bytes)
        cli_warn(run,
                 "the stream of %zu bytes is larger than the file, %" PRIu64 " bytes",
                 c->stream.size, c->file_bytes);
}

static void add_row(cli_run *run, const cli_compress_job *job, const cli_image *image,
                    const coding *c)
{
    uint64_t ny = c->planes[0].shape[0], nx = c->planes[0].shape[1], n = c->stream.size;
    cli_record *row = cli_image_row(run, image);
    cli_record_set_signed(row, "planes", c->n_planes);
    if (job->n_targets > 1)
        cli_record_set_real(row, cli_target_column(job), c->options.target_value);
    if (c->path[0] != '\0')
        cli_record_set_text(row, "output", c->path);
    cli_record_set_integer(row, "bytes", n);
    cli_record_set_real(row, "bpp", cli_bits_per_pixel(n, ny, nx));
    cli_record_set_real(row, "ratio", (double)c->raw_bytes / (double)n);
    cli_record_set_integer(row, "input_bytes", c->file_bytes);
    cli_record_set_real(row, "psnr", c->quality.psnr);
    cli_record_set_real(row, "ssim", c->quality.ssim);
    cli_record_set_real(row, "seconds", c->seconds);
    set_status(row, c);
    cli_report_add(run->report, row);
}

static void print_times(const cli_run *run, const cli_image *image, const coding *c,
                        double decode_seconds)
{
    if (!cli_begin_times(run, image))
        return;
    cli_print(run->err, ", code %.3f ms, decode and compare %.3f ms", c->seconds * 1e3,
              decode_seconds * 1e3);
    cli_end_times(run, NULL, "");
}

/* What was read, what goes with it, and how it is coded. */
static void print_read(cli_run *run, const cli_compress_job *job, const cli_image *image,
                       const rug_ifs_notes *notes)
{
    char how[CLI_CODING_TEXT_MAX], text[CLI_NOTES_TEXT_MAX + CLI_CODING_TEXT_MAX + 2];
    const rug_image plane = rug_file_plane(image->file, 0);
    cli_coding_text(how, job);
    cli_notes_text(text, notes, 1, !(plane.spacing[0] > 0));
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
             text[0] != '\0' ? ", " : "", how);
    cli_print_read(run, image, text);
}

/* ---- One stream ---- */

static rug_status code(cli_run *run, const cli_image *image, coding *c, int is_shown)
{
    double start = cli_now();
    rug_status status =
        rug_ifs_compress(run->ctx, &c->stream, c->planes, c->n_planes, &c->options);
    c->seconds = cli_now() - start;
    if (status != RUG_OK)
        return status;
    c->raw_bytes = rug_file_bytes(image->file);
    c->file_bytes = cli_file_bytes(image->path);
    start = cli_now();
    cli_phase(run, c->until);
    status = measure_quality(run, c, is_shown);
    if (status == RUG_OK)
        print_times(run, image, c, cli_now() - start);
    return status;
}

/* Opens the stream's file before the image is coded, so that a place where nothing can be written fails
 * at once. */
static rug_status open_output(cli_run *run, cli_compress_job *job, coding *c)
{
    char asked[CLI_PATH_MAX];
    if (job->values.output == NULL)
        return RUG_OK;
    cli_put_target(asked, job, c->options.target_value);
    rug_status status =
        cli_claim(run, &job->outputs, c->path, "output", asked, run->image, "");
    return status == RUG_OK ? rugi_output_open(run->ctx, &c->output, c->path) : status;
}

static rug_status write_stream(cli_run *run, coding *c)
{
    rugi_output *output = c->output;
    if (output == NULL)
        return RUG_OK;
    c->output = NULL;
    errno = 0;
    if (fwrite(c->stream.bytes, 1, c->stream.size, rugi_output_stream(output)) ==
        c->stream.size)
        return rugi_output_commit(run->ctx, output);
    rug_status status = rug_context_fail(run->ctx, RUG_E_IO, "cannot write %s: %s",
                                         c->path, strerror(errno));
    rugi_output_discard(output);
    return status;
}

/* Codes towards one value, and tells the row of it. @param is_first  of the image's values */
static rug_status do_stream(cli_run *run, cli_compress_job *job, const cli_image *image,
                            coding *c, int is_first)
{
    rug_status status = open_output(run, job, c);
    if (status == RUG_OK && is_first)
        print_read(run, job, image, c->options.notes);
    if (status == RUG_OK)
        status = code(run, image, c, job->n_targets == 1);
    if (status == RUG_OK)
        status = write_stream(run, c);
    if (status == RUG_OK) {
        warn_size(run, c);
        add_row(run, job, image, c);
    }
    rugi_output_discard(c->output);
    rug_ifs_stream_free(run->ctx, &c->stream);
    return status;
}

/* Among images in colour there may be grey ones, which have no planes of colour. */
static void leave_colours(cli_run *run, rug_ifs_options *o)
{
    if (o->chroma != RUG_IFS_CHROMA_444 || o->chroma_quality > 0)
        cli_warn(run, "the image is grey: --chroma and --chroma-quality have no effect");
    o->chroma = RUG_IFS_CHROMA_444;
    o->chroma_quality = 0;
}

/* Images are worked on side by side, so the job stays as it is. */
rug_status cli_compress_image(cli_run *run, const cli_image *image, void *user)
{
    cli_compress_job *job = user;
    rug_image planes[RUG_IFS_PLANES_MAX];
    int n_planes;
    double from = run->phase_at, share = (1 - from) / (double)job->n_targets;
    rug_ifs_options options = job->options;
    rug_ifs_notes notes;
    rug_status status = cli_image_planes(run, planes, &n_planes, image);
    if (status == RUG_OK)
        status = cli_take_notes(run, &notes, image, &options, &job->values.notes);
    options.notes = &notes;
    cli_warn_of_pages(run, image, "coded");
    if (status == RUG_OK && cli_n_colours(n_planes) == 1)
        leave_colours(run, &options);
    for (size_t i = 0; i < job->n_targets && status == RUG_OK; i++) {
        coding c = {.planes = planes, .n_planes = n_planes, .options = options};
        double begin = from + (double)i * share;
        c.options.target_value = job->targets[i];
        c.until = begin + share;
        if (i > 0)
            cli_phase(run, c.until);
        cli_shorten_phase(run, begin + CODED_SHARE * share);
        status = do_stream(run, job, image, &c, i == 0);
    }
    return status;
}
