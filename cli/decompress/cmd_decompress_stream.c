/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose decompress` at work on one stream: the picture, its frames, and its row. */

#include "cmd_decompress.h"
#include <inttypes.h>
#include <math.h>
#include <rugose/picture.h>
#include <stdio.h>

/* The share of the work on a stream until it is decoded. */
#define DECODED_SHARE 0.7

/* What goes with one stream. */
typedef struct decoding {
    cli_run *run;
    cli_decompress_job *job;
    const cli_stream *stream;
    char path[CLI_PATH_MAX]; /* of the picture; "" without */
    rug_ifs_picture picture;
    double seconds;
} decoding;

static rug_status write_picture(cli_run *run, const char *path,
                                const rug_ifs_picture *picture)
{
    rug_image planes[RUG_IFS_PLANES_MAX];
    rug_status status = cli_picture_planes(run, planes, picture);
    return status == RUG_OK ? rug_picture_write(run->ctx, path, planes, picture->n_planes)
                            : status;
}

/* Writing a frame is no progress of the decoder. */
static rug_status write_frame(void *user, uint32_t iteration,
                              const rug_ifs_picture *picture)
{
    decoding *d = user;
    char prefix[CLI_PATH_MAX], path[CLI_PATH_MAX + 16];
    if (cli_expand_name(prefix, d->job->values.frames, d->stream->path, "") != 0)
        return rug_context_fail(d->run->ctx, RUG_E_ARG, "--frames: the name is too long");
    snprintf(path, sizeof path, "%s%02" PRIu32 ".png", prefix, iteration);
    rug_status status = cli_claim_output(d->run, &d->job->outputs, "frames", path);
    if (status != RUG_OK)
        return status;
    rug_context_set_progress(d->run->ctx, NULL, NULL);
    status = write_picture(d->run, path, picture);
    rug_context_set_progress(d->run->ctx, cli_progress, d->run);
    return status;
}

static rug_status decode(decoding *d)
{
    rug_ifs_decode_options opts = d->job->options;
    double start = cli_now();
    if (d->job->values.frames != NULL) {
        opts.frame = write_frame;
        opts.user = d;
    }
    cli_shorten_phase(d->run, DECODED_SHARE);
    rug_status status = rug_ifs_decompress(d->run->ctx, &d->picture, d->stream->bytes,
                                           d->stream->size, &opts);
    d->seconds = cli_now() - start;
    cli_phase(d->run, 1);
    if (status == RUG_OK && d->path[0] != '\0')
        status = write_picture(d->run, d->path, &d->picture);
    return status;
}

static void set_picture(rug_record *row, const decoding *d)
{
    const rug_ifs_info *info = &d->stream->info;
    uint32_t asked = d->job->options.iterations;
    cli_set_shape(row, "shape", d->picture.ny, d->picture.nx);
    rug_record_set_text(row, "dtype", rug_dtype_name(d->picture.dtype));
    rug_record_set_integer(row, "iterations", asked > 0 ? asked : info->iterations);
    if (d->path[0] != '\0') {
        rug_record_set_text(row, "output", d->path);
        rug_record_set_integer(row, "output_bytes", cli_file_bytes(d->path));
    }
    rug_record_set_real(row, "seconds", d->seconds);
}

static void add_row(cli_run *run, const decoding *d)
{
    const rug_ifs_info *info = &d->stream->info;
    rug_record *row = rug_record_new();
    rug_record_set_text(row, "image", d->stream->path);
    cli_set_shape(row, "coded_shape", info->ny, info->nx);
    rug_record_set_signed(row, "planes", info->n_planes);
    rug_record_set_integer(row, "bytes", info->bytes);
    if (d->picture.pixels != NULL)
        set_picture(row, d);
    if (run->common.format == RUG_REPORT_JSON) {
        rug_record_set_text(row, "sha256",
                            d->stream->digest[0] != '\0' ? d->stream->digest : NULL);
        rug_record_set_record(row, "stream", cli_describe_stream(info));
    }
    rug_report_add(run->report, row);
    if (run->common.verbose)
        fprintf(stderr, "time %s: read %.3f ms, decode %.3f ms (%d threads)\n",
                d->stream->path, d->stream->read_seconds * 1e3, d->seconds * 1e3,
                rug_context_threads(run->ctx));
}

rug_status cli_decompress_stream(cli_run *run, const cli_stream *stream, void *user)
{
    cli_decompress_job *job = user;
    const cli_decompress_values *v = &job->values;
    decoding d = {.run = run, .job = job, .stream = stream, .path = ""};
    rug_status status = RUG_OK;
    if (v->output != NULL)
        status = cli_claim_result(run, &job->outputs, d.path, "output", v->output,
                                  stream->path);
    if (status == RUG_OK)
        status = cli_decompress_export(run, job, stream);
    if (status == RUG_OK && (v->output != NULL || v->frames != NULL))
        status = decode(&d);
    if (status == RUG_OK)
        add_row(run, &d);
    rug_ifs_picture_free(run->ctx, &d.picture);
    return status;
}
