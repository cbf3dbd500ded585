/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads points written as text, one a line: which lines hold points, and that all of them
 * have the form of the first one. Molecules in the XYZ form (a count, a comment, then
 * lines with an element and three numbers) are told by their first three lines. */

#include "io/text/line_reader.h"
#include "point_fields.h"
#include "point_file.h"
#include "point_store.h"
#include <glib.h>
#include <inttypes.h>
#include <string.h>

/** Letters and digits of the longest element symbol with a number, such as "Uue12". */
#define ELEMENT_MAX 8

/** A text that is being read. */
typedef struct parse {
    rug_context *ctx;
    rug_point_file *file;
    rugi_lines lines;
    rugi_point_store store;
    rugi_separator separator;
    uint64_t n_promised; /* atoms of a molecule */
    uint64_t first;      /* the line of the first point; 0 = none yet */
} parse;

/** Begins an error text. */
#define FAIL(p, format, ...)                                                  \
    rug_context_fail((p)->ctx, RUG_E_FORMAT, "%s: line %" PRIu64 ": " format, \
                     (p)->file->path, (p)->lines.n_lines, __VA_ARGS__)

/** The first control character of a line that is no tab; 0 when there is none. */
static unsigned find_control(const char *line)
{
    while (*line != '\0' && (*line == '\t' || !g_ascii_iscntrl(*line)))
        line++;
    return (unsigned char)*line;
}

/** Says why a line is none of ndim numbers. */
static rug_status explain(const parse *p, const char *line)
{
    size_t n = rugi_count_fields(line, p->separator);
    const char *name = rugi_separator_name(p->separator);
    char text[64];
    unsigned byte = find_control(line);
    if (byte == '\r')
        return FAIL(p, "%s",
                    "a carriage return within; a line feed at the end of every line "
                    "expected");
    if (byte != 0)
        return FAIL(p, "a byte 0x%02x; plain text of numbers expected", byte);
    if (n != (size_t)p->store.ndim)
        return FAIL(p,
                    "%zu field%s separated by %s; %d expected, as in line %" PRIu64 "%s",
                    n, n == 1 ? "" : "s", name, p->store.ndim, p->first,
                    p->lines.is_unended ? " (is the file cut off?)" : "");
    rugi_explain_field(line, p->separator, text, sizeof text);
    return FAIL(p,
                "%s; a finite number with a decimal point expected, fields separated by "
                "%s",
                text, name);
}

/** Learns from the first line of numbers how all others must be. */
static rug_status learn(parse *p, const char *line)
{
    p->separator = rugi_find_separator(line);
    size_t n = rugi_count_fields(line, p->separator);
    p->first = p->lines.n_lines;
    if (n > RUG_POINTS_MAX_AXES)
        return FAIL(p,
                    "%zu fields separated by %s; at most %d coordinates of a point "
                    "expected",
                    n, rugi_separator_name(p->separator), RUG_POINTS_MAX_AXES);
    p->store.ndim = (int)n;
    p->file->facts.separator = '\0';
    if (n > 1)
        p->file->facts.separator = p->separator.byte;
    return RUG_OK;
}

static rug_status take_point(parse *p, const char *line)
{
    rugi_number numbers[RUG_POINTS_MAX_AXES];
    if (p->first == 0) {
        rug_status status = learn(p, line);
        if (status != RUG_OK)
            return status;
    }
    if (!rugi_take_fields(line, p->separator, p->store.ndim, numbers))
        return explain(p, line);
    return rugi_store_add(&p->store, numbers);
}

/** Takes any line of a file that is no molecule. */
static rug_status take_line(parse *p, const char *line)
{
    const char *at = line + strspn(line, " \t");
    if (*at == '\0')
        return RUG_OK;
    if (*at == '#') {
        p->file->facts.n_comment_lines++;
        return RUG_OK;
    }
    if (p->first == 0 && !p->file->facts.has_header && rugi_is_header(line)) {
        p->file->facts.has_header = 1;
        return RUG_OK;
    }
    return take_point(p, line);
}

static rug_status take_lines(parse *p)
{
    char *line;
    rug_status status;
    while ((status = rugi_lines_next(&p->lines, &line)) == RUG_OK && line != NULL &&
           (status = take_line(p, line)) == RUG_OK)
        continue;
    return status;
}

/** @return what stands behind an element symbol; NULL when there is none */
static const char *skip_element(const char *at)
{
    size_t n = 0;
    at += strspn(at, " ");
    while (g_ascii_isalnum(at[n]))
        n++;
    int is_symbol = g_ascii_isalpha(at[0]) && n <= ELEMENT_MAX;
    return is_symbol && (at[n] == ' ' || at[n] == '\t') ? at + n : NULL;
}

/** Reads the coordinates of an atom. */
static int take_atom(const char *line, rugi_separator separator, rugi_number numbers[3])
{
    const char *at = skip_element(line);
    if (at == NULL)
        return 0;
    at = rugi_skip_blanks(at, separator);
    if (separator.byte == '\t' && *at++ != '\t')
        return 0;
    return rugi_take_fields(at, separator, 3, numbers);
}

/** Copies a line from the n bytes at *at, and goes on behind it.
 *  @return 0 when there is none, or a long one */
static int copy_line(const char **at, size_t *n, char *line, size_t size)
{
    const char *end = memchr(*at, '\n', *n);
    size_t length = end != NULL ? (size_t)(end - *at) : *n;
    if (*n == 0 || length >= size)
        return 0;
    memcpy(line, *at, length);
    line[length] = '\0';
    if (length > 0 && line[length - 1] == '\r')
        line[length - 1] = '\0';
    length += end != NULL;
    *at += length;
    *n -= length;
    return 1;
}

/** Whether the first three lines are those of a molecule; if so, learns its form. The
 *  second line may be of any length. */
static int find_molecule(parse *p)
{
    const char *at = p->lines.buffer + p->lines.at;
    size_t n = p->lines.end - p->lines.at;
    char line[256];
    rugi_number count, numbers[3];
    if (!copy_line(&at, &n, line, sizeof line) ||
        !rugi_take_fields(line, rugi_find_separator(line), 1, &count) ||
        !count.is_whole || count.whole < 0)
        return 0;
    const char *end = memchr(at, '\n', n);
    if (end == NULL)
        return 0;
    n -= (size_t)(end + 1 - at);
    at = end + 1;
    if (!copy_line(&at, &n, line, sizeof line))
        return 0;
    rugi_separator separator = {strchr(line, '\t') != NULL ? '\t' : ' ', 0};
    if (!take_atom(line, separator, numbers))
        return 0;
    p->separator = separator;
    p->n_promised = (uint64_t)count.whole;
    p->store.ndim = 3;
    return 1;
}

static rug_status check_count(parse *p)
{
    if (p->store.n == p->n_promised)
        return RUG_OK;
    return rug_context_fail(p->ctx, RUG_E_FORMAT,
                            "%s: line 1 promises %" PRIu64 " atoms, and %" PRIu64
                            " follow; the same number expected (is the file cut off?)",
                            p->file->path, p->n_promised, p->store.n);
}

/** Takes any line behind the comment of a molecule. */
static rug_status take_atom_line(parse *p, const char *line)
{
    rugi_number numbers[3];
    if (line[strspn(line, " \t")] == '\0')
        return RUG_OK;
    if (p->store.n == p->n_promised)
        return FAIL(p,
                    "text behind the %" PRIu64 " atoms that line 1 promises; one "
                    "molecule a file expected",
                    p->n_promised);
    if (!take_atom(line, p->separator, numbers))
        return FAIL(p,
                    "an element symbol and 3 finite numbers separated by %s "
                    "expected, as in line 3",
                    rugi_separator_name(p->separator));
    return rugi_store_add(&p->store, numbers);
}

static rug_status take_molecule(parse *p)
{
    char *line;
    rug_status status;
    p->file->facts.has_elements = 1;
    p->file->facts.n_comment_lines = 1;
    p->file->facts.separator = p->separator.byte;
    while ((status = rugi_lines_next(&p->lines, &line)) == RUG_OK && line != NULL)
        if (p->lines.n_lines > 2 && (status = take_atom_line(p, line)) != RUG_OK)
            break;
    return status == RUG_OK ? check_count(p) : status;
}

/** Makes the view of what was gathered. */
static rug_status finish(parse *p)
{
    rug_point_file *file = p->file;
    uint64_t n = p->store.n;
    ptrdiff_t size = (ptrdiff_t)sizeof(rugi_coordinate);
    file->facts.n_lines = p->lines.n_lines;
    if (n == 0)
        return rug_context_fail(
            p->ctx, RUG_E_FORMAT,
            "%s: no points in %" PRIu64 " line%s (%" PRIu64
            " of comments, %s header); one point a line expected",
            file->path, file->facts.n_lines, file->facts.n_lines == 1 ? "" : "s",
            file->facts.n_comment_lines, file->facts.has_header ? "a" : "no");
    file->coordinates = rugi_store_join(&p->store);
    if (file->coordinates == NULL)
        return RUG_E_NOMEM;
    file->points = (rug_points){file->coordinates,
                                p->store.is_real ? RUG_F64 : RUG_I64,
                                n,
                                p->store.ndim,
                                {size * p->store.ndim, size}};
    return RUG_OK;
}

rug_status rugi_read_point_text(rug_context *ctx, rug_point_file *file, FILE *in)
{
    parse p = {.ctx = ctx, .file = file};
    p.lines =
        (rugi_lines){.ctx = ctx, .path = file->path, .in = in, .n_bytes = file->n_bytes};
    p.store = (rugi_point_store){.ctx = ctx, .path = file->path};
    file->facts.format = "text";
    rug_status status = rugi_lines_begin(&p.lines);
    if (status == RUG_OK)
        status = find_molecule(&p) ? take_molecule(&p) : take_lines(&p);
    if (status == RUG_OK)
        status = finish(&p);
    rugi_store_free(&p.store);
    rugi_lines_end(&p.lines);
    return status;
}
