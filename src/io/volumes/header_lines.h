/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Headers that are lines of text, and the words and numbers in them. */

#ifndef RUGI_HEADER_LINES_H
#define RUGI_HEADER_LINES_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Bytes of a line with its end; of a longer one the rest is dropped. */
#define RUGI_LINE_MAX ((size_t)64 << 10)

/** Lines that are read one after the other. */
typedef struct rugi_lines {
    FILE *in;
    const char *path;
    char *line; /**< RUGI_LINE_MAX bytes: the last one, without its end or blanks there */
    int is_cut; /**< it was longer */
    size_t number; /**< of it, from 1 */
    uint64_t at; /**< bytes of the file up to its end, which is LF, CR LF or the file's */
    uint64_t n_max; /**< where the lines must have ended */
} rugi_lines;

/** Opens a file at its beginning. Close the lines after a failure, too. */
rug_status rugi_lines_open(rug_context *ctx, rugi_lines *lines, const char *path);
void rugi_lines_close(rug_context *ctx, rugi_lines *lines);

/** Reads the next line.
 *  @param got  0 at the end of the file
 *  @return RUG_OK, RUG_E_IO, RUG_E_FORMAT (no header has as many bytes) */
rug_status rugi_lines_next(rug_context *ctx, rugi_lines *lines, int *got);

/** Takes one number, behind blanks, up to a blank, a comma, a bracket or the end.
 *  @param at  moved behind it
 *  @return 1, or 0 and nothing moved: there is no such number. A real may be nan or infinite */
int rugi_take_real(const char **at, double *value);
int rugi_take_integer(const char **at, int64_t *value);

/** Whether two words are the same but for their case. */
int rugi_same_word(const char *a, const char *b);

#endif
