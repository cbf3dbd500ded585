/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose decompress` share. */

#ifndef CLI_CMD_DECOMPRESS_H
#define CLI_CMD_DECOMPRESS_H

#include "pictures.h"

#define CLI_ITERATIONS_MAX 64

/** Values of its own options. */
typedef struct cli_decompress_values {
    const char *output;
    double scale;
    const char *size, *crop;
    int partial;
    uint64_t max_pixels; /**< 0: not given */
    int iterations;      /**< 0: not given */
    const char *frames;
    const char *export_ascii;
    const char *original;
    int channel; /**< -1: not given */
} cli_decompress_values;

/** The command's state over its streams. */
typedef struct cli_decompress_job {
    cli_decompress_values values;
    rug_ifs_decode_options options;
    cli_outputs outputs; /**< names written so far, of all kinds */
} cli_decompress_job;

/** Writes the transforms of a stream, where they are asked for.
 *  @param digest  set to that of the original, where there is one */
rug_status cli_export_transforms(cli_run *run, cli_decompress_job *job,
                                 char digest[CLI_SHA256_TEXT_MAX],
                                 const cli_stream *stream);

#endif
