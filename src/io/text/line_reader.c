/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cuts a text file into lines. It knows nothing of what stands in them, but that a text
 * has no zero bytes and no endless lines. */

#include "line_reader.h"
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>

/** Bytes of the buffer; several of the longest lines. */
#define BUFFER ((size_t)1 << 18)

/** Moves the rest to the front and reads on behind it. */
static rug_status fill(rugi_lines *lines)
{
    size_t rest = lines->end - lines->at;
    memmove(lines->buffer, lines->buffer + lines->at, rest);
    size_t n = fread(lines->buffer + rest, 1, BUFFER - rest, lines->in);
    lines->at = 0;
    lines->end = rest + n;
    lines->n_read += n;
    if (ferror(lines->in))
        return rug_context_fail(lines->ctx, RUG_E_IO, "%s: cannot be read: %s",
                                lines->path, g_strerror(errno));
    lines->at_end = lines->end < BUFFER;
    lines->buffer[lines->end] = '\0';
    return rug_context_step(lines->ctx,
                            lines->n_read < lines->n_bytes
                                ? (double)lines->n_read / (double)lines->n_bytes
                                : 1);
}

rug_status rugi_lines_begin(rugi_lines *lines)
{
    lines->buffer = rug_context_allocate(lines->ctx, BUFFER + 1, 1, lines->path);
    if (lines->buffer == NULL)
        return RUG_E_NOMEM;
    rug_status status = fill(lines);
    if (status == RUG_OK && lines->end >= 3 &&
        memcmp(lines->buffer, "\xef\xbb\xbf", 3) == 0)
        lines->at = 3;
    return status;
}

/** Checks a line of n bytes and cuts its end off. */
static rug_status take_line(rugi_lines *lines, char *line, size_t n)
{
    lines->n_lines++;
    if (n > RUGI_LINE_MAX)
        return rug_context_fail(lines->ctx, RUG_E_FORMAT,
                                "%s: line %" PRIu64
                                ": more than %d bytes; a point a line expected, lines "
                                "that end in a line feed",
                                lines->path, lines->n_lines, RUGI_LINE_MAX);
    if (memchr(line, '\0', n) != NULL)
        return rug_context_fail(
            lines->ctx, RUG_E_FORMAT,
            "%s: line %" PRIu64
            ": a zero byte; points as plain text (ASCII or UTF-8) or an npy array "
            "expected",
            lines->path, lines->n_lines);
    line[n] = '\0';
    if (n > 0 && line[n - 1] == '\r')
        line[n - 1] = '\0';
    return RUG_OK;
}

rug_status rugi_lines_next(rugi_lines *lines, char **line)
{
    *line = NULL;
    for (;;) {
        char *begin = lines->buffer + lines->at;
        size_t rest = lines->end - lines->at;
        char *end = memchr(begin, '\n', rest);
        if (end == NULL && !lines->at_end && rest <= RUGI_LINE_MAX) {
            rug_status status = fill(lines);
            if (status != RUG_OK)
                return status;
            continue;
        }
        if (end == NULL && rest == 0)
            return RUG_OK;
        lines->is_unended = end == NULL;
        size_t n = end != NULL ? (size_t)(end - begin) : rest;
        lines->at += n + (end != NULL);
        *line = begin;
        return take_line(lines, begin, n);
    }
}

void rugi_lines_end(rugi_lines *lines)
{
    rug_context_release(lines->ctx, lines->buffer);
}
