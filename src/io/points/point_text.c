/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads points written as text, one a line: which lines hold points, and that all of them have
 * the form of the first one. Molecules in the XYZ form (a count, a comment, then lines with an
 * element and three numbers) are recognised by their first three lines. */

#include "io/base/reader.h"
#include "point_columns.h"
#include <errno.h>
#include <inttypes.h>
#include <rugose/context.h>
#include <stddef.h>
#include <string.h>

/* ---- Lines ---- */

/* Bytes of the longest line that is read. */
#define LINE_MAX_BYTES 65535

/* A text that is being read. */
typedef struct line_reader {
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
} line_reader;

/** Bytes of the buffer; several of the longest lines. */
#define BUFFER ((size_t)1 << 18)

/** Moves the rest to the front and reads on behind it. */
static rug_status fill(line_reader *lines)
{
    size_t rest = lines->end - lines->at;
    memmove(lines->buffer, lines->buffer + lines->at, rest);
    size_t n = fread(lines->buffer + rest, 1, BUFFER - rest, lines->in);
    lines->at = 0;
    lines->end = rest + n;
    lines->n_read += n;
    if (ferror(lines->in))
        return rug_context_fail(lines->ctx, RUG_E_IO, "%s: cannot be read: %s",
                                lines->path, strerror(errno));
    lines->at_end = lines->end < BUFFER;
    lines->buffer[lines->end] = '\0';
    return rug_context_step(lines->ctx,
                            lines->n_read < lines->n_bytes
                                ? (double)lines->n_read / (double)lines->n_bytes
                                : 1);
}

/* Takes the buffer and fills it; passes over a UTF-8 byte-order mark.
 *  @param lines  zeroed but for ctx, path, in (at its beginning) and n_bytes
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO, RUG_E_CANCELLED */
static rug_status lines_begin(line_reader *lines)
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
static rug_status end_line(line_reader *lines, char *line, size_t n)
{
    lines->n_lines++;
    if (n > LINE_MAX_BYTES)
        return rug_context_fail(
            lines->ctx, RUG_E_FORMAT,
            "%s: line %" PRIu64
            ": more than %d bytes; one point per line expected, lines "
            "that end in a line feed",
            lines->path, lines->n_lines, LINE_MAX_BYTES);
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

/* Gives the next line without its end (LF or CRLF), terminated by a 0.
 *  @param line  in the buffer until the next call, may be written to; NULL behind the
 *               last line
 *  @return RUG_OK, RUG_E_IO, RUG_E_FORMAT (a 0 within, too long), RUG_E_CANCELLED */
static rug_status lines_next(line_reader *lines, char **line)
{
    *line = NULL;
    for (;;) {
        char *begin = lines->buffer + lines->at;
        size_t rest = lines->end - lines->at;
        char *end = memchr(begin, '\n', rest);
        if (end == NULL && !lines->at_end && rest <= LINE_MAX_BYTES) {
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
        return end_line(lines, begin, n);
    }
}

/* Frees the buffer. */
static void lines_end(line_reader *lines)
{
    rug_context_release(lines->ctx, lines->buffer);
}

/* ---- Points in memory ----
 *
 * Gathered in a chain of blocks, which never move, so that growing copies nothing and the points
 * are in memory twice at most, at the end: whole numbers as long as all are whole, else
 * doubles. */

/* A stored coordinate. */
typedef union coordinate {
    int64_t whole;
    double real;
} coordinate;

typedef struct point_block point_block;

/* What was gathered. */
typedef struct point_store {
    rug_context *ctx;
    const char *path; /* for error texts */
    int ndim;         /* 1..RUG_POINTS_MAX_AXES, set before the first point */
    int is_real;      /* coordinates are doubles */
    uint64_t n;       /* points */
    point_block *first;
    point_block *last;
} point_store;

/** Coordinates of a block. */
#define BLOCK ((size_t)1 << 16)

struct point_block {
    point_block *next;
    size_t n; /* coordinates that are used */
    coordinate at[BLOCK];
};

static rug_status grow(point_store *store)
{
    point_block *block = rug_context_allocate(store->ctx, 1, sizeof *block, store->path);
    if (block == NULL)
        return RUG_E_NOMEM;
    block->next = NULL;
    block->n = 0;
    if (store->last != NULL)
        store->last->next = block;
    else
        store->first = block;
    store->last = block;
    return RUG_OK;
}

/* Frees the blocks. */
static void store_free(point_store *store)
{
    while (store->first != NULL) {
        point_block *next = store->first->next;
        rug_context_release(store->ctx, store->first);
        store->first = next;
    }
    store->last = NULL;
}

/** Whole numbers become the nearest doubles. */
static void make_real(point_store *store)
{
    for (point_block *b = store->first; b != NULL; b = b->next)
        for (size_t i = 0; i < b->n; i++)
            b->at[i].real = (double)b->at[i].whole;
    store->is_real = 1;
}

/* Adds a point.
 *  @param numbers  ndim of them
 *  @return RUG_OK, RUG_E_NOMEM */
static rug_status store_add(point_store *store, const rugi_number *numbers)
{
    size_t ndim = (size_t)store->ndim;
    if (store->last == NULL || store->last->n + ndim > BLOCK) {
        rug_status status = grow(store);
        if (status != RUG_OK)
            return status;
    }
    int all_whole = 1;
    for (size_t a = 0; a < ndim; a++)
        all_whole = all_whole && numbers[a].is_whole;
    if (!all_whole && !store->is_real)
        make_real(store);
    coordinate *row = store->last->at + store->last->n;
    for (size_t a = 0; a < ndim; a++)
        if (store->is_real)
            row[a].real = numbers[a].value;
        else
            row[a].whole = numbers[a].whole;
    store->last->n += ndim;
    store->n++;
    return RUG_OK;
}

/* Puts all points into one array, row after row, and empties the store. While it does,
 *  the points are in memory twice.
 *  @return the array, to be released with the context; NULL when out of memory */
static coordinate *store_join(point_store *store)
{
    coordinate *all = rug_context_allocate(
        store->ctx, (size_t)store->n, (size_t)store->ndim * sizeof *all, store->path);
    coordinate *to = all;
    for (point_block *b = store->first; all != NULL && b != NULL; b = b->next) {
        memcpy(to, b->at, b->n * sizeof *to);
        to += b->n;
    }
    store_free(store);
    return all;
}

/* ---- Points and molecules ---- */

/** Letters and digits of the longest element symbol with a number, such as "Uue12". */
#define ELEMENT_MAX 8

/** A text that is being read. */
typedef struct parse {
    rug_context *ctx;
    rug_point_file *file;
    line_reader lines;
    point_store store;
    const rug_point_file_options *opts;
    rugi_separator separator;
    char *header; /* the line of names, or the last comment before; NULL: none */
    rugi_columns columns;
    uint64_t n_promised; /* atoms of a molecule */
    uint64_t first;      /* the line of the first point; 0 = none yet */
} parse;

/** Begins an error text. */
#define FAIL(p, format, ...)                                                  \
    rug_context_fail((p)->ctx, RUG_E_FORMAT, "%s: line %" PRIu64 ": " format, \
                     (p)->file->path, (p)->lines.n_lines, __VA_ARGS__)

static int is_control(char c)
{
    return (c >= 0 && c < ' ') || c == '\x7f';
}

/** The first control character of a line that is no tab; 0 when there is none. */
static unsigned find_control(const char *line)
{
    while (*line != '\0' && (*line == '\t' || !is_control(*line)))
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
    if (n != p->columns.n)
        return FAIL(p,
                    "%zu field%s separated by %s; %zu expected, as in line %" PRIu64 "%s",
                    n, n == 1 ? "" : "s", name, p->columns.n, p->first,
                    p->lines.is_unended ? " (is the file cut off?)" : "");
    rugi_explain_field(line, p->separator, &p->columns, text, sizeof text);
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
    p->file->facts.separator = '\0';
    if (n > 1)
        p->file->facts.separator = p->separator.byte;
    const rugi_column_facts given = {n, p->header, !p->file->facts.has_header, p->first,
                                     p->separator};
    rug_status status =
        rugi_columns_find(p->ctx, &p->columns, p->file, &given, p->opts->columns);
    p->store.ndim = p->columns.ndim;
    return status;
}

static rug_status take_point(parse *p, const char *line)
{
    rugi_number numbers[RUG_POINTS_MAX_AXES];
    if (p->first == 0) {
        rug_status status = learn(p, line);
        if (status != RUG_OK)
            return status;
    }
    if (!rugi_take_columns(line, p->separator, &p->columns, numbers))
        return explain(p, line);
    return store_add(&p->store, numbers);
}

/** Keeps the names until the first point shows how many there have to be. */
static rug_status take_header(parse *p, const char *line)
{
    size_t n = strlen(line) + 1;
    rug_context_release(p->ctx, p->header);
    p->header = rug_context_allocate(p->ctx, n, 1, p->file->path);
    if (p->header == NULL)
        return RUG_E_NOMEM;
    memcpy(p->header, line, n);
    return RUG_OK;
}

/** Counts a comment. That before the first point may have the names of the columns. */
static rug_status take_comment(parse *p, const char *text)
{
    p->file->facts.n_comment_lines++;
    text += strspn(text, "# \t");
    return p->first == 0 && !p->file->facts.has_header && rugi_is_header(text)
               ? take_header(p, text)
               : RUG_OK;
}

/** Takes any line of a file that is no molecule. */
static rug_status take_line(parse *p, const char *line)
{
    const char *at = line + strspn(line, " \t");
    if (*at == '\0')
        return RUG_OK;
    if (*at == '#')
        return take_comment(p, at);
    if (p->first == 0 && !p->file->facts.has_header && rugi_is_header(line)) {
        p->file->facts.has_header = 1;
        return take_header(p, line);
    }
    return take_point(p, line);
}

static rug_status take_lines(parse *p)
{
    char *line;
    rug_status status;
    while ((status = lines_next(&p->lines, &line)) == RUG_OK && line != NULL &&
           (status = take_line(p, line)) == RUG_OK)
        continue;
    return status;
}

static int is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/** @return what stands behind an element symbol; NULL when there is none */
static const char *skip_element(const char *at)
{
    size_t n = 0;
    at += strspn(at, " ");
    while (is_letter(at[n]) || (at[n] >= '0' && at[n] <= '9'))
        n++;
    int is_symbol = is_letter(at[0]) && n <= ELEMENT_MAX;
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
                            "%s: line 1 announces %" PRIu64 " atoms, and %" PRIu64
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
                    "text after the %" PRIu64 " atoms that line 1 announces; one "
                    "molecule per file expected",
                    p->n_promised);
    if (!take_atom(line, p->separator, numbers))
        return FAIL(p,
                    "an element symbol and 3 finite numbers separated by %s "
                    "expected, as in line 3",
                    rugi_separator_name(p->separator));
    return store_add(&p->store, numbers);
}

static rug_status take_molecule(parse *p)
{
    char *line;
    rug_status status;
    p->file->facts.has_elements = 1;
    p->file->facts.n_comment_lines = 1;
    p->file->facts.separator = p->separator.byte;
    while ((status = lines_next(&p->lines, &line)) == RUG_OK && line != NULL)
        if (p->lines.n_lines > 2 && (status = take_atom_line(p, line)) != RUG_OK)
            break;
    return status == RUG_OK ? check_count(p) : status;
}

/** Passes over the first lines. */
static rug_status skip_rows(parse *p)
{
    uint64_t n = p->opts->skip_rows;
    char *line = NULL;
    rug_status status = RUG_OK;
    while (status == RUG_OK && p->lines.n_lines < n) {
        status = lines_next(&p->lines, &line);
        if (status == RUG_OK && line == NULL)
            return rug_context_fail(p->ctx, RUG_E_ARG,
                                    "%s: %" PRIu64 " rows to be skipped of %" PRIu64
                                    "; fewer expected",
                                    p->file->path, n, p->lines.n_lines);
    }
    return status;
}

/** Takes the points in the form that the text has. */
static rug_status take_all(parse *p)
{
    if (p->opts->skip_rows > 0) {
        rug_status status = skip_rows(p);
        return status == RUG_OK ? take_lines(p) : status;
    }
    if (!find_molecule(p))
        return take_lines(p);
    if (p->opts->columns != NULL)
        return rug_context_fail(p->ctx, RUG_E_ARG,
                                "%s: columns given for a molecule, whose coordinates are "
                                "the three numbers behind the element symbols; none "
                                "expected",
                                p->file->path);
    return take_molecule(p);
}

/** Makes the view of what was gathered. */
static rug_status finish(parse *p)
{
    rug_point_file *file = p->file;
    uint64_t n = p->store.n;
    ptrdiff_t size = (ptrdiff_t)sizeof(coordinate);
    file->facts.n_lines = p->lines.n_lines;
    if (n == 0)
        return rug_context_fail(
            p->ctx, RUG_E_FORMAT,
            "%s: no points in %" PRIu64 " line%s (%" PRIu64
            " of comments, %s header); one point per line expected",
            file->path, file->facts.n_lines, file->facts.n_lines == 1 ? "" : "s",
            file->facts.n_comment_lines, file->facts.has_header ? "a" : "no");
    file->coordinates = store_join(&p->store);
    if (file->coordinates == NULL)
        return RUG_E_NOMEM;
    file->points = (rug_points){file->coordinates,
                                p->store.is_real ? RUG_F64 : RUG_I64,
                                n,
                                p->store.ndim,
                                {size * p->store.ndim, size}};
    return RUG_OK;
}

rug_status rugi_read_point_text(rug_context *ctx, rug_point_file *file, FILE *in,
                                const rug_point_file_options *opts)
{
    parse p = {.ctx = ctx, .file = file, .opts = opts};
    p.lines =
        (line_reader){.ctx = ctx, .path = file->path, .in = in, .n_bytes = file->n_bytes};
    p.store = (point_store){.ctx = ctx, .path = file->path};
    file->facts.format = "text";
    rug_status status = lines_begin(&p.lines);
    if (status == RUG_OK)
        status = take_all(&p);
    if (status == RUG_OK)
        status = finish(&p);
    store_free(&p.store);
    lines_end(&p.lines);
    rug_context_release(ctx, p.header);
    return status;
}
