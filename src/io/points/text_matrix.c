/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images that are written as text, a row of numbers a line. Fields are read one by one from a buffer, so
 * that rows may be longer than any memory. A first pass over the text finds its shape and type; each
 * pass over the pixels reads the text again. */

#include "io/base/reader.h"
#include "io/base/text.h"
#include "point_fields.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/** Bytes of the buffer, and how many of them are there when a field is read, unless the text ends. */
#define BUFFER ((size_t)1 << 18)
#define AHEAD  ((size_t)1 << 12)

/** Characters of a field that an error text shows. */
#define SHOWN 24

/** A text that is being read. */
typedef struct matrix {
    rug_context *ctx; /* of the call in work */
    const char *path; /* borrowed from the file */
    FILE *in;         /* NULL: no pass is in work */
    uint64_t n_bytes, n_read;
    char *buffer; /* with a 0 behind its end; owned */
    size_t at, end;
    int at_end;        /* the file has no more than these */
    uint64_t line;     /* where `at` is, from 1 */
    double done, part; /* what is done of the call: this, and this share of the text */
    rugi_separator separator;
    int is_learnt;    /* the separator is known */
    size_t n_names;   /* of the header; 0: none */
    size_t n_columns; /* 0: not known yet */
    uint64_t first;   /* the line that says how many there are */
    uint64_t n_rows;  /* all of them, once they are known */
    int all_whole;    /* every number is a whole one of 64 bits */
    int is_unended;   /* the row that was read last has no end of line */
} matrix;

/** Begins an error text. */
#define FAIL(m, format, ...)                                                             \
    rug_context_fail((m)->ctx, RUG_E_FORMAT, "%s: line %" PRIu64 ": " format, (m)->path, \
                     (m)->line, __VA_ARGS__)

/* ---- The buffer ---- */

/** Moves the rest to the front and reads on behind it. */
static rug_status fill(matrix *m)
{
    size_t rest = m->end - m->at;
    memmove(m->buffer, m->buffer + m->at, rest);
    size_t n = fread(m->buffer + rest, 1, BUFFER - rest, m->in);
    m->at = 0;
    m->end = rest + n;
    m->n_read += n;
    m->at_end = m->end < BUFFER;
    m->buffer[m->end] = '\0';
    if (ferror(m->in))
        return rug_context_fail(m->ctx, RUG_E_IO, "%s: cannot be read: %s", m->path,
                                strerror(errno));
    double share = m->n_bytes > 0 ? (double)m->n_read / (double)m->n_bytes : 1;
    return rug_context_step(m->ctx, m->done + m->part * (share < 1 ? share : 1));
}

/** Sees to it that a field is there as a whole. */
static rug_status look_ahead(matrix *m)
{
    return m->end - m->at < AHEAD && !m->at_end ? fill(m) : RUG_OK;
}

static void end_pass(matrix *m)
{
    if (m->in != NULL)
        fclose(m->in);
    m->in = NULL;
}

/** Begins at the beginning; passes over a byte-order mark. */
static rug_status begin_pass(rug_context *ctx, matrix *m)
{
    end_pass(m);
    m->ctx = ctx;
    m->in = fopen(m->path, "rb");
    if (m->in == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", m->path,
                                strerror(errno));
    m->at = m->end = 0;
    m->n_read = 0;
    m->line = 1;
    m->separator = (rugi_separator){' ', 0};
    m->is_learnt = 0;
    m->n_names = 0;
    m->all_whole = 1;
    rug_status status = fill(m);
    if (status != RUG_OK)
        return status;
    if (memcmp(m->buffer, "\xef\xbb\xbf", 3) == 0)
        m->at = 3;
    if (memcmp(m->buffer, "\xff\xfe", 2) == 0 || memcmp(m->buffer, "\xfe\xff", 2) == 0)
        return FAIL(m, "%s", "UTF-16; a text as UTF-8 or ASCII expected");
    return RUG_OK;
}

/* ---- Lines ---- */

/** Whether the text is at its end. */
static int is_over(const matrix *m)
{
    return m->at == m->end && m->at_end;
}

/** Bytes of the end of line at a place, LF or CRLF; 0: there is none. */
static size_t line_end_at(const matrix *m, const char *at)
{
    if (*at == '\n')
        return 1;
    if (*at != '\r')
        return 0;
    return at[1] == '\n' ? 2 : (size_t)(at + 1 == m->buffer + m->end && m->at_end);
}

static void take_line_end(matrix *m)
{
    size_t n = line_end_at(m, m->buffer + m->at);
    m->at += n;
    m->line += n > 0;
}

/** Passes over blanks; before the separator is known, a tab is none. */
static rug_status skip_blanks(matrix *m)
{
    for (;;) {
        m->at = (size_t)(rugi_skip_blanks(m->buffer + m->at, m->separator) - m->buffer);
        if (m->at < m->end || m->at_end)
            return look_ahead(m);
        rug_status status = fill(m);
        if (status != RUG_OK)
            return status;
    }
}

/** Passes over the rest of a line, but for its end. */
static rug_status skip_line(matrix *m)
{
    for (;;) {
        const char *end = memchr(m->buffer + m->at, '\n', m->end - m->at);
        m->at = end != NULL ? (size_t)(end - m->buffer) : m->end;
        if (end != NULL || m->at_end)
            return RUG_OK;
        rug_status status = fill(m);
        if (status != RUG_OK)
            return status;
    }
}

/** Takes a line of names. Where one row has a number more than there are names, or the first name is
 *  empty, they begin with the number of the row. */
static rug_status take_header(matrix *m)
{
    char *line = m->buffer + m->at;
    char *end = memchr(line, '\n', m->end - m->at);
    if (end == NULL && !m->at_end)
        return FAIL(m, "names of more than %zu bytes; a line of numbers expected",
                    BUFFER);
    if (end != NULL)
        *end = '\0';
    rugi_field first;
    const char *at = line;
    const rugi_separator separator = rugi_find_separator(line);
    rugi_next_field(&at, separator, &first);
    m->n_names = m->n_columns = rugi_count_fields(line, separator);
    m->first = m->line;
    int is_empty = first.n == 0 || (first.n == 2 && memcmp(first.begin, "\"\"", 2) == 0);
    if (end != NULL)
        *end = '\n';
    return is_empty
               ? FAIL(m, "%s",
                      "the first of the names is empty, as that of row numbers is; a "
                      "matrix without them expected")
               : skip_line(m);
}

/** Learns from a first line what separates fields, and whether it is a header, which is passed
 *  over. */
static rug_status learn(matrix *m)
{
    char line[AHEAD];
    rug_status status = m->at_end ? RUG_OK : fill(m);
    if (status != RUG_OK)
        return status;
    size_t n = strcspn(m->buffer + m->at, "\r\n");
    n = n < sizeof line ? n : sizeof line - 1;
    memcpy(line, m->buffer + m->at, n);
    line[n] = '\0';
    if (m->n_names == 0 && rugi_is_header(line))
        return take_header(m);
    m->separator = rugi_find_separator(line);
    m->is_learnt = 1;
    return skip_blanks(m);
}

/** Goes to the next row: passes over empty lines, comments and a header.
 *  @param found  0: there is none */
static rug_status find_row(matrix *m, int *found)
{
    rug_status status = skip_blanks(m);
    *found = 0;
    while (status == RUG_OK && !is_over(m) && !*found) {
        if (m->buffer[m->at] == '#')
            status = skip_line(m);
        else if (line_end_at(m, m->buffer + m->at) > 0) {
            take_line_end(m);
            status = skip_blanks(m);
        } else if (m->is_learnt)
            *found = 1;
        else
            status = learn(m);
    }
    return status;
}

/* ---- Fields ---- */

/** Takes nan or inf, as programs write them. @return the place behind, or NULL */
static const char *take_word(const char *at, rugi_number *out)
{
    static const struct {
        const char *word;
        float value;
    } words[] = {{"nan", NAN}, {"infinity", INFINITY}, {"inf", INFINITY}};
    int negative = *at == '-';
    at += *at == '-' || *at == '+';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i].word);
        if (!rugi_same_letters(at, words[i].word, n))
            continue;
        out->value = negative ? -(double)words[i].value : (double)words[i].value;
        out->is_whole = 0;
        return at + n;
    }
    return NULL;
}

/** Whether a field ends at a place. */
static int is_field_end(const matrix *m, const char *at)
{
    return *at == m->separator.byte || *at == ' ' || *at == '\t' ||
           line_end_at(m, at) > 0 || (at == m->buffer + m->end && m->at_end);
}

/** Says why a field is no number. @param i  it, from 0 */
static rug_status refuse_field(const matrix *m, size_t i)
{
    const char *at = m->buffer + m->at;
    char shown[SHOWN + 4];
    size_t n = 0;
    for (; n < SHOWN && at[n] > ' ' && at[n] <= '~' && at[n] != m->separator.byte; n++)
        shown[n] = at[n];
    strcpy(shown + n, n == SHOWN ? "..." : "");
    if (n < SHOWN && at[n] == '\r' && line_end_at(m, at + n) == 0)
        return FAIL(m, "%s",
                    "a carriage return within; a line feed at the end of every line "
                    "expected");
    if (n < SHOWN && !is_field_end(m, at + n))
        return FAIL(m, "a byte 0x%02x; plain text of numbers expected",
                    (unsigned)(unsigned char)at[n]);
    if (n == 0)
        return FAIL(m, "field %zu is empty; a number, or nan for none, expected%s", i + 1,
                    i == 0 && m->n_columns == 0 ? " (a matrix without row numbers)" : "");
    return FAIL(m,
                "field %zu is '%s'; a number with a decimal point, or nan, expected, "
                "fields separated by %s",
                i + 1, shown, rugi_separator_name(m->separator));
}

/** Reads field i of a row, up to what separates it from the next. */
static rug_status read_field(matrix *m, rugi_number *out, size_t i)
{
    const char *begin = m->buffer + m->at;
    const char *end = rugi_take_number(begin, out);
    if (end == NULL)
        end = take_word(begin, out);
    if (end == NULL || (size_t)(end - begin) >= AHEAD)
        return refuse_field(m, i);
    if (!is_field_end(m, end))
        return refuse_field(m, i);
    m->at = (size_t)(end - m->buffer);
    return RUG_OK;
}

/** Passes over the separator behind a field. @param is_last  set where the row ends instead */
static rug_status take_separator(matrix *m, int *is_last, size_t i)
{
    size_t n = m->at;
    rug_status status = skip_blanks(m);
    if (status != RUG_OK)
        return status;
    const char *at = m->buffer + m->at;
    *is_last = is_over(m) || line_end_at(m, at) > 0;
    if (*is_last || m->separator.byte == ' ')
        return RUG_OK;
    if (*at != m->separator.byte)
        return refuse_field(m, i + (n < m->at));
    m->at++;
    return skip_blanks(m);
}

static rug_status check_columns(const matrix *m, size_t n)
{
    if (n == m->n_columns)
        return RUG_OK;
    return FAIL(m,
                "%zu field%s separated by %s; %zu expected, as in line %" PRIu64 "%s%s",
                n, n == 1 ? "" : "s", rugi_separator_name(m->separator), m->n_columns,
                m->first, m->n_names > 0 ? ", the names" : "",
                m->is_unended ? " (is the file cut off?)" : "");
}

/** Reads a row.
 *  @param whole, real  NULL, or where its n_columns numbers go */
static rug_status read_row(matrix *m, int64_t *whole, double *real)
{
    rugi_number number;
    size_t n = 0;
    rug_status status = RUG_OK;
    for (int is_last = 0; status == RUG_OK && !is_last; n++) {
        status = read_field(m, &number, n);
        if (status != RUG_OK)
            return status;
        m->all_whole = m->all_whole && number.is_whole;
        if (whole != NULL && n < m->n_columns)
            whole[n] = number.is_whole ? number.whole : 0;
        else if (real != NULL && n < m->n_columns)
            real[n] = number.value;
        status = take_separator(m, &is_last, n);
    }
    if (status != RUG_OK)
        return status;
    m->is_unended = is_over(m);
    if (m->n_columns == 0) {
        m->n_columns = n;
        m->first = m->line;
    }
    status = check_columns(m, n);
    take_line_end(m);
    return status;
}

/* ---- Pixels ---- */

static rug_status say_changed(const matrix *m)
{
    return rug_context_fail(m->ctx, RUG_E_FORMAT,
                            "%s: is another text than when it was opened", m->path);
}

static rug_status read_rows(rug_context *ctx, rug_file *file, void *to, size_t first,
                            size_t n)
{
    matrix *m = file->slabs.state;
    const int is_real = file->image.dtype == RUG_F64;
    const size_t nx = file->image.shape[1];
    rug_status status = RUG_OK;
    m->ctx = ctx;
    m->part = m->done = 0;
    m->n_columns = nx;
    if (first == 0)
        status = begin_pass(ctx, m);
    for (size_t i = 0; status == RUG_OK && i < n; i++) {
        int found;
        m->done = (double)i / (double)n;
        status = find_row(m, &found);
        if (status == RUG_OK && (!found || m->n_columns != nx))
            status = say_changed(m);
        if (status == RUG_OK)
            status = read_row(m, is_real ? NULL : (int64_t *)to + i * nx,
                              is_real ? (double *)to + i * nx : NULL);
        if (status == RUG_OK && !is_real && !m->all_whole)
            status = say_changed(m);
    }
    if (status != RUG_OK || first + n == m->n_rows)
        end_pass(m);
    return status == RUG_OK ? rug_context_step(ctx, 1) : status;
}

static void close_matrix(rug_context *ctx, void *state)
{
    matrix *m = state;
    end_pass(m);
    rug_context_release(ctx, m->buffer);
    rug_context_release(ctx, m);
}

/* ---- Opening ---- */

/** Reads all of the text to find out its shape and type. */
static rug_status measure(rug_context *ctx, matrix *m)
{
    int found = 1;
    m->part = 1;
    rug_status status = begin_pass(ctx, m);
    while (status == RUG_OK && found) {
        status = find_row(m, &found);
        if (status == RUG_OK && found)
            status = read_row(m, NULL, NULL);
        m->n_rows += (uint64_t)(status == RUG_OK && found);
    }
    end_pass(m);
    if (status == RUG_OK && m->n_rows == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: no numbers in %" PRIu64
                                " lines%s; a row of a matrix a line expected",
                                m->path, m->line, m->n_names > 0 ? ", but names" : "");
    return status;
}

static rug_status make_matrix(rug_context *ctx, rug_file *file)
{
    matrix *m = rug_context_allocate(ctx, 1, sizeof *m, file->path);
    if (m == NULL)
        return RUG_E_NOMEM;
    *m = (matrix){.path = file->path, .n_bytes = file->n_bytes};
    file->slabs = (rugi_slabs){.read = read_rows, .close = close_matrix, .state = m};
    m->buffer = rug_context_allocate(ctx, BUFFER + 1, 1, file->path);
    return m->buffer != NULL ? RUG_OK : RUG_E_NOMEM;
}

static rug_status open_matrix(rug_context *ctx, rug_file *file,
                              const rug_read_options *opts)
{
    file->facts.format = "matrix";
    if (!opts->matrix)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: is a text that begins with numbers, not an image "
            "file; --matrix reads a matrix, a row a line%s",
            file->path,
            rugi_path_is_points(file->path)
                ? "; its ending suggests points, which only commands that take points read"
                : "");
    rug_status status = rugi_check_array(ctx, file, opts, 2);
    if (status == RUG_OK)
        status = make_matrix(ctx, file);
    if (status == RUG_OK)
        status = measure(ctx, file->slabs.state);
    if (status != RUG_OK)
        return status;
    const matrix *m = file->slabs.state;
    const size_t shape[2] = {(size_t)m->n_rows, m->n_columns};
    file->facts.meaning = m->n_names > 0 ? "text matrix, header skipped" : "text matrix";
    return rugi_file_set_image(ctx, file, m->all_whole ? RUG_I64 : RUG_F64, 2, shape);
}

/* ---- What looks like a matrix ---- */

/** Whether a field is a number and nothing else. */
static int is_number(const rugi_field *f)
{
    rugi_number number;
    const char *end = rugi_take_number(f->begin, &number);
    if (end == NULL)
        end = take_word(f->begin, &number);
    return f->n > 0 && end == f->begin + f->n;
}

/** Whether the first two fields of a line, or its only one, are numbers. */
static int begins_with_numbers(const char *line)
{
    const rugi_separator separator = rugi_find_separator(line);
    rugi_field each;
    const char *at = line;
    for (int i = 0; i < 2 && rugi_next_field(&at, separator, &each); i++)
        if (!is_number(&each))
            return 0;
    return 1;
}

/** Whether a file begins with a line of numbers, behind empty lines, comments and a header. */
static int claims(const rug_file *file)
{
    char text[RUGI_HEAD_MAX + 1];
    int n_headers = 0;
    size_t n = file->n_head;
    memcpy(text, file->head, n);
    text[n] = '\0';
    if (memchr(text, '\0', n) != NULL)
        return 0;
    for (char *line = text + (memcmp(text, "\xef\xbb\xbf", n < 3 ? n : 3) == 0 ? 3 : 0);
         line < text + n;) {
        size_t length = strcspn(line, "\r\n");
        int is_ended = line[length] != '\0';
        line[length] = '\0';
        const char *at = line + strspn(line, " \t");
        if (*at != '\0' && *at != '#' && (n_headers++ > 0 || !rugi_is_header(line)))
            return begins_with_numbers(line);
        line += length + (size_t)is_ended;
    }
    return 0;
}

const rugi_reader rugi_matrix_reader = {claims, open_matrix};
