/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files on disk, whatever they hold: for this library and for the program. */

#ifndef RUGI_DISK_H
#define RUGI_DISK_H

#include <rugose/context.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/** Opens a file for reading; refuses folders, pipes and devices.
 *  @param stream   to be closed with fclose(); NULL on failure
 *  @param n_bytes  its size
 *  @return RUG_OK, RUG_E_IO */
rug_status rugi_open_regular(rug_context *ctx, const char *path, FILE **stream,
                             uint64_t *n_bytes);

/** A file that appears under its name only when whole. Opaque. */
typedef struct rugi_output rugi_output;

/** Opens a temporary file beside `path`. Something that exists and is no regular file (a
 *  pipe, a device) is written directly.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO; *out is NULL on failure */
rug_status rugi_output_open(rug_context *ctx, rugi_output **out, const char *path);

/** Likewise, beside it under its name with ".part", which stays when the output is discarded or
 *  the process is killed, and which no other process writes meanwhile.
 *  @param at       bytes of what is there that are kept; the output goes on behind them
 *  @param is_part  whether it is such a file, and no pipe or device; NULL is allowed */
rug_status rugi_output_open_part(rug_context *ctx, rugi_output **out, const char *path,
                                 uint64_t at, int *is_part);

/** Where to write; owned by the output. */
FILE *rugi_output_stream(rugi_output *output);

/** Gives the file its name and frees the output. On failure the temporary file is
 *  removed, but for a ".part".
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO (also when an earlier write failed) */
rug_status rugi_output_commit(rug_context *ctx, rugi_output *output);

/** Removes the temporary file, unless it is a ".part", and frees the output. NULL is allowed. */
void rugi_output_discard(rugi_output *output);

/** Whether a name has an ending, such as ".csv", in any case. NULL has none. */
static inline int rugi_has_ending(const char *path, const char *ending)
{
    const char *dot = path != NULL ? strrchr(path, '.') : NULL;
    return dot != NULL && strcasecmp(dot, ending) == 0;
}

/** Whether a name's ending says that a file holds points: .csv, .tsv, .txt, .xyz, in any
 *  case. A .npy file may hold an image or points, and only its owner knows. Looks at no
 *  file; 0 for NULL. */
int rugi_path_is_points(const char *path);

#endif
