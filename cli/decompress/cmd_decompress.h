/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose decompress` share. */

#ifndef CLI_CMD_DECOMPRESS_H
#define CLI_CMD_DECOMPRESS_H

#include "shared/pictures.h"

/** Values of its own options. */
typedef struct cli_decompress_values {
    const char *output;
    const char *scale, *size, *max_pixels;
    int iterations; /* 0: not given */
    const char *frames;
    const char *export_ascii;
} cli_decompress_values;

/** The command's state over its streams. */
typedef struct cli_decompress_job {
    cli_decompress_values values;
    rug_ifs_decode_options options;
    cli_outputs outputs; /* names written so far, of all kinds */
} cli_decompress_job;

/** Reads the values of the options, and checks them before any stream is read.
 *  @return an error text, or NULL */
const char *cli_decompress_check(cli_run *run, cli_decompress_job *job);

/** Writes the transforms of a stream, where they are asked for. */
rug_status cli_decompress_export(cli_run *run, cli_decompress_job *job,
                                 const cli_stream *stream);

/** Decodes one stream, writes what is asked for and adds its row; user is the job. */
rug_status cli_decompress_stream(cli_run *run, const cli_stream *stream, void *user);

#endif
