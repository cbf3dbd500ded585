/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files on disk, whatever they hold: for this library and for the program. */

#ifndef RUGI_DISK_H
#define RUGI_DISK_H

#include <rugose/context.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/** Opens a file for reading; refuses folders, pipes and devices.
 *  @param stream   to be closed with fclose(); NULL on failure
 *  @param n_bytes  its size
 *  @return RUG_OK, RUG_E_IO */
rug_status rugi_open_regular(rug_context *ctx, const char *path, FILE **stream,
                             uint64_t *n_bytes);

/** The file of "FILE:NAME", which names an array in it; what is a file or folder by itself is none.
 *  @return its length, behind which the colon stands; 0: the text is no such name */
size_t rugi_array_file(const char *path);

/** Whether a folder is an array or a group of Zarr, which is one image. */
int rugi_is_zarr(const char *path);

/** A file that appears under its name only when whole. Opaque. */
typedef struct rugi_output rugi_output;

/** How a file is written that stays when the output is discarded or the process is killed, and that
 *  no other process writes meanwhile: beside it under its name with ".part". */
typedef struct rugi_part {
    uint64_t
        at; /**< bytes of what is there that are kept; the output goes on behind them */
    int is_part; /**< out: it is such a file, and no pipe or device */
} rugi_part;

/** Opens a temporary file beside `path`. Something that exists and is no regular file (a
 *  pipe, a device) is written directly.
 *  @param part  NULL: it goes away when the output is discarded
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO; *out is NULL on failure */
rug_status rugi_output_open_part(rug_context *ctx, rugi_output **out, const char *path,
                                 rugi_part *part);

/** Likewise, without a part. */
static inline rug_status rugi_output_open(rug_context *ctx, rugi_output **out,
                                          const char *path)
{
    return rugi_output_open_part(ctx, out, path, NULL);
}

/** Where to write; owned by the output. */
FILE *rugi_output_stream(rugi_output *output);

/** Gives the file its name and frees the output. On failure the temporary file is
 *  removed, but for a ".part".
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO (also when an earlier write failed) */
rug_status rugi_output_commit(rug_context *ctx, rugi_output *output);

/** Removes the temporary file, unless it is a ".part", and frees the output. NULL is allowed. */
void rugi_output_discard(rugi_output *output);

/** Closes a stream of open_memstream(). The C library may lose the text when memory runs out at the very
 *  end, and yet say that all went well.
 *  @param text  what the stream wrote to, owned by the caller; NULL after a failure
 *  @return nonzero when all of the text is there */
static inline int rugi_close_text(FILE *stream, char **text)
{
    if (fclose(stream) == 0 && *text != NULL)
        return 1;
    free(*text);
    *text = NULL;
    return 0;
}

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

/** Whether a path is a folder that is one image itself, as that of a DICOM series; no folder of images. */
int rugi_is_image_folder(const char *path);

#endif
