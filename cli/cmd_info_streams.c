/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose info of streams: what their headers say, in a table of its own. */

#include "cmd_info.h"

static const char *const columns[] = {
    "image",          "shape",          "planes",     "dtype",
    "partition",      "range_min",      "range_max",  "domain_step",
    "residual",       "quantiser_step", "iterations", "deblocked",
    "format_version", "bytes",          "bpp",        NULL};

static rug_status add_row(cli_run *run, const cli_stream *stream, void *user)
{
    (void)user;
    const rug_ifs_info *i = &stream->info;
    rug_record *row = rug_record_new();
    rug_record_set_text(row, "image", stream->path);
    cli_set_shape(row, "shape", i->ny, i->nx);
    rug_record_set_signed(row, "planes", i->n_planes);
    rug_record_set_text(row, "dtype", i->depth == 16 ? "u16" : "u8");
    rug_record_set_text(row, "partition", cli_partition_name(i->partition));
    rug_record_set_integer(row, "range_min", i->range_min);
    rug_record_set_integer(row, "range_max", i->range_max);
    rug_record_set_integer(row, "domain_step", i->domain_step);
    rug_record_set_bool(row, "residual", i->has_residual);
    rug_record_set_real(row, "quantiser_step", i->quantiser_step);
    rug_record_set_integer(row, "iterations", i->iterations);
    rug_record_set_bool(row, "deblocked", i->is_deblocked);
    rug_record_set_integer(row, "format_version", i->version);
    rug_record_set_integer(row, "bytes", i->bytes);
    rug_record_set_real(row, "bpp", cli_bits_per_pixel(i->bytes, i->ny, i->nx));
    if (run->common.format == RUG_REPORT_JSON)
        rug_record_set_text(row, "sha256",
                            stream->digest[0] != '\0' ? stream->digest : NULL);
    rug_report_add(run->report, row);
    return RUG_OK;
}

const char *cli_info_check_streams(const cli_run *run, int are_points, int *are_streams)
{
    const cli_reading *r = &run->reading;
    size_t n = 0;
    for (size_t i = 0; i < run->n_inputs; i++)
        n += (size_t)cli_is_stream(run->inputs[i].path);
    *are_streams = n > 0;
    if (n > 0 && n < run->n_inputs)
        return "streams (.rfi) have a table of their own; ask for other files apart";
    if (n > 0 &&
        (are_points || r->page != NULL || r->volume || r->channel >= 0 || r->level > 0))
        return "streams have no pages, channels or levels; leave out --page, --volume, "
               "--channel, --level and --points";
    return NULL;
}

void cli_info_streams(cli_run *run)
{
    cli_set_columns(run, columns);
    rug_record_set_record(rug_report_head(run->report), "parameters",
                          cli_describe_run(run));
    cli_for_each_stream(run, add_row, NULL);
}
