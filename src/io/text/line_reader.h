/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The lines of a text file, one after the other, in a buffer of fixed size. */

#ifndef RUGI_LINE_READER_H
#define RUGI_LINE_READER_H

#include "io/files/reader.h"

/** Bytes of the longest line that is read. */
#define RUGI_LINE_MAX 65535

/** A text that is being read. */
typedef struct rugi_lines {
    rug_context *ctx;
    const char *path;
    FILE *in;
    uint64_t n_bytes; /* of the file */
    uint64_t n_read;  /* bytes of it that were read */
    char *buffer;
    size_t at;        /* where in the buffer the next line begins */
    size_t end;       /* of the bytes in the buffer */
    int at_end;       /* the file has no more than these */
    uint64_t n_lines; /* lines given so far: the number of the last one, from 1 */
    int is_unended;   /* the last one had no line end */
} rugi_lines;

/** Takes the buffer and fills it; passes over a UTF-8 byte-order mark.
 *  @param lines  zeroed but for ctx, path, in (at its beginning) and n_bytes
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO, RUG_E_CANCELLED */
rug_status rugi_lines_begin(rugi_lines *lines);

/** Gives the next line without its end (LF or CRLF), terminated by a 0.
 *  @param line  in the buffer until the next call, may be written to; NULL behind the
 *               last line
 *  @return RUG_OK, RUG_E_IO, RUG_E_FORMAT (a 0 within, too long), RUG_E_CANCELLED */
rug_status rugi_lines_next(rugi_lines *lines, char **line);

/** Frees the buffer. */
void rugi_lines_end(rugi_lines *lines);

#endif
