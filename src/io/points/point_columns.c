/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chooses the columns of coordinates by the names of a header or as asked, and says in words
 * which were taken and which were left out. */

#include "point_columns.h"
#include "io/base/text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Columns that are all taken where nothing says which. */
#define ALL_MAX 3

/* Bytes of a name that are shown. */
#define NAME_SHOWN 40

/* The columns of a file while they are chosen. */
typedef struct choice {
    rug_context *ctx;
    const char *path;
    const rugi_column_facts *given;
    rugi_separator separator; /* of the header */
    int has_names;            /* the header has a name for every column */
    rugi_columns *out;
} choice;

/* ---- Names ---- */

/* A name without quotes and the blanks in them. */
static rugi_field without_quotes(rugi_field name)
{
    if (name.n >= 2 && name.begin[0] == '"' && name.begin[name.n - 1] == '"') {
        name.begin++;
        name.n -= 2;
    }
    while (name.n > 0 && name.begin[0] == ' ') {
        name.begin++;
        name.n--;
    }
    while (name.n > 0 && name.begin[name.n - 1] == ' ')
        name.n--;
    return name;
}

/* A name without the unit in brackets behind it. */
static rugi_field without_unit(rugi_field name)
{
    char last = name.n > 0 ? name.begin[name.n - 1] : '\0';
    char open = last == ']' ? '[' : '(';
    if (last != ']' && last != ')')
        return name;
    size_t n = 0;
    while (n < name.n && name.begin[n] != open)
        n++;
    if (n == 0 || n == name.n)
        return name;
    return without_quotes((rugi_field){name.begin, n});
}

/* The name of a column; an empty one where there are no names. */
static rugi_field name_of(const choice *c, size_t column)
{
    rugi_field each = {"", 0};
    const char *at = c->has_names ? c->given->header : NULL;
    for (size_t i = 0; rugi_next_field(&at, c->separator, &each); i++)
        if (i == column)
            return without_quotes(each);
    return (rugi_field){"", 0};
}

/* Adds a name to a list in words. */
static void add_name(char *text, size_t size, const choice *c, size_t column)
{
    char shown[NAME_SHOWN + 8];
    rugi_field name = name_of(c, column);
    size_t n = name.n < NAME_SHOWN ? name.n : NAME_SHOWN, used = strlen(text);
    while (n < name.n && n > 0 && ((unsigned char)name.begin[n] & 0xc0) == 0x80)
        n--;
    memcpy(shown, name.begin, n);
    strcpy(shown + n, n < name.n ? "..." : "");
    for (char *s = shown; *s != '\0'; s++)
        if ((unsigned char)*s < ' ' || *s == '\x7f')
            *s = '?';
    if (name.n == 0)
        snprintf(shown, sizeof shown, "%zu", column + 1);
    if (used + strlen(shown) + sizeof ", , ..." <= size)
        snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", shown);
    else if (used < 3 || strcmp(text + used - 3, "...") != 0)
        strcpy(text + used, ", ...");
}

static int is_taken(const rugi_columns *columns, size_t column)
{
    for (int a = 0; a < columns->ndim; a++)
        if (columns->index[a] == column)
            return 1;
    return 0;
}

static void name_all(const choice *c, rug_point_file *file)
{
    const rugi_columns *out = c->out;
    if (out->are_all)
        return;
    for (int a = 0; a < out->ndim; a++)
        add_name(file->columns, sizeof file->columns, c, out->index[a]);
    for (size_t i = 0; i < out->n; i++)
        if (!is_taken(out, i))
            add_name(file->left_out, sizeof file->left_out, c, i);
    file->facts.columns = file->columns;
    file->facts.left_out = file->left_out[0] != '\0' ? file->left_out : NULL;
}

/* ---- Headers ---- */

/* 0, 1, 2 for x, y, z; -1 for other words. */
static int axis_of_word(rugi_field word)
{
    const char letter[2] = {word.n == 1 ? word.begin[0] : '\0', '\0'};
    for (int a = 0; a < 3; a++)
        if (rugi_same_letters(letter, &"xyz"[a], 1))
            return a;
    return -1;
}

/* Takes the next word of a name: letters, also those beyond ASCII. */
static int next_word(rugi_field *rest, rugi_field *word)
{
    static const char between[] = " _-.[]()";
    while (rest->n > 0 && strchr(between, rest->begin[0]) != NULL)
        *rest = (rugi_field){rest->begin + 1, rest->n - 1};
    *word = (rugi_field){rest->begin, 0};
    while (rest->n > 0 && strchr(between, rest->begin[0]) == NULL) {
        *rest = (rugi_field){rest->begin + 1, rest->n - 1};
        word->n++;
    }
    return word->n > 0;
}

/* Whether a word beside x, y or z says no more than that it is a coordinate, or its unit. */
static int is_place(rugi_field word)
{
    static const char *const places[] = {
        "position", "pos", "coordinate", "coord",     "centroid", "center",  "centre",
        "nm",       "um",  "\xc2\xb5m",  "\xce\xbcm", "micron",   "microns", "mm",
        "cm",       "m",   "px",         "pixel",     "pixels"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strlen(places[i]) == word.n &&
            rugi_same_letters(word.begin, places[i], word.n))
            return 1;
    return 0;
}

/* The axis of a name such as `x`, `x [nm]`, or in full only `x_nm`, `Position X`; -1 for others. */
static int axis_of_name(rugi_field name, int in_full)
{
    rugi_field rest = without_quotes(name), word;
    if (!in_full)
        return axis_of_word(without_unit(rest));
    int axis = -1;
    while (next_word(&rest, &word)) {
        int a = axis_of_word(word);
        if (a < 0 ? !is_place(word) : axis >= 0)
            return -1;
        axis = a >= 0 ? a : axis;
    }
    return axis;
}

/* Finds x, y, z in the header.
 * @return how many were found, -1 when one of them is there twice; `column` is set for
 *         those that were found, the others are SIZE_MAX */
static int find_axes(const choice *c, int in_full, size_t column[3])
{
    int n = 0;
    rugi_field each;
    column[0] = column[1] = column[2] = SIZE_MAX;
    const char *at = c->given->header;
    for (size_t i = 0; rugi_next_field(&at, c->separator, &each); i++) {
        int a = axis_of_name(each, in_full);
        if (a < 0)
            continue;
        if (column[a] != SIZE_MAX)
            return -1;
        column[a] = i;
        n++;
    }
    return n;
}

/* Separates the names as the points are, or as a header alone would be. */
static void split_header(choice *c)
{
    const char *header = c->given->header;
    c->separator = c->given->separator;
    c->has_names = 0;
    if (header == NULL)
        return;
    if (rugi_count_fields(header, c->separator) != c->given->n)
        c->separator = rugi_find_separator(header);
    c->has_names = rugi_count_fields(header, c->separator) == c->given->n;
}

static rug_status refuse_number(const choice *c)
{
    const rugi_column_facts *given = c->given;
    char names[300] = "", line[40] = "";
    for (size_t i = 0; c->has_names && i < given->n; i++)
        add_name(names, sizeof names, c, i);
    if (given->line > 0)
        snprintf(line, sizeof line, "line %" PRIu64 ": ", given->line);
    return rug_context_fail(
        c->ctx, RUG_E_FORMAT,
        "%s: %s%zu columns%s%s, and no header that names x, y, z; say "
        "which are the coordinates (--columns %s)",
        c->path, line, given->n, names[0] != '\0' ? ": " : "", names,
        c->has_names ? "NAME,NAME" : "1,2,3");
}

static rug_status refuse_names(const choice *c)
{
    size_t n = rugi_count_fields(c->given->header, c->separator);
    return rug_context_fail(c->ctx, RUG_E_FORMAT,
                            "%s: the header names %zu column%s, and line %" PRIu64
                            " has %zu fields; as many names as fields expected, or the "
                            "coordinates by number (--columns 1,2)",
                            c->path, n, n == 1 ? "" : "s", c->given->line, c->given->n);
}

/* Takes what a header calls x, y, z; else all. */
static rug_status choose_by_header(choice *c)
{
    size_t column[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    const rugi_column_facts *given = c->given;
    rugi_columns *out = c->out;
    int n = given->header != NULL ? find_axes(c, 0, column) : 0;
    if (n == 0 && given->header != NULL)
        n = find_axes(c, 1, column);
    if (given->is_comment && (n < 0 || !c->has_names))
        column[0] = SIZE_MAX; /* it is no header */
    else if (n < 0)
        return rug_context_fail(c->ctx, RUG_E_FORMAT,
                                "%s: the header names x, y or z twice; say which columns "
                                "are the coordinates by number (--columns 1,2)",
                                c->path);
    if (column[0] != SIZE_MAX && !c->has_names)
        return refuse_names(c);
    if (column[0] != SIZE_MAX) {
        for (int a = 0; a < 3; a++)
            if (column[a] != SIZE_MAX)
                out->index[out->ndim++] = column[a];
        return RUG_OK;
    }
    if (given->n > ALL_MAX)
        return refuse_number(c);
    for (size_t i = 0; i < given->n; i++)
        out->index[out->ndim++] = i;
    out->is_guess = 1;
    return RUG_OK;
}

/* ---- What was asked for ---- */

static int is_same(rugi_field a, rugi_field b)
{
    return a.n == b.n && rugi_same_letters(a.begin, b.begin, a.n);
}

/* @return the column of a number, SIZE_MAX when it is none */
static size_t take_number(rugi_field word)
{
    size_t number = 0;
    for (size_t i = 0; i < word.n; i++) {
        if (word.begin[i] < '0' || word.begin[i] > '9' || i >= 9)
            return SIZE_MAX;
        number = 10 * number + (size_t)(word.begin[i] - '0');
    }
    return number - 1;
}

/* The columns of a name: first in full, then without units. @return how many */
static size_t find_name(const choice *c, rugi_field word, int in_full, size_t *column)
{
    size_t n = 0, i = 0;
    rugi_field each;
    const char *at = c->has_names ? c->given->header : NULL;
    for (; rugi_next_field(&at, c->separator, &each); i++) {
        rugi_field name = without_quotes(each);
        if (is_same(in_full ? name : without_unit(name), word)) {
            *column = i;
            n++;
        }
    }
    return n;
}

#define REFUSE(c, format, ...) \
    rug_context_fail((c)->ctx, RUG_E_ARG, "%s: columns: " format, (c)->path, __VA_ARGS__)

static rug_status find_column(const choice *c, rugi_field word, size_t *column)
{
    int n = word.n < NAME_SHOWN ? (int)word.n : NAME_SHOWN;
    size_t number = take_number(word);
    if (word.n == 0)
        return REFUSE(c,
                      "an empty name given; names or numbers from 1 expected, such as "
                      "%s",
                      "x,y or 2,3");
    if (number < c->given->n) {
        *column = number;
        return RUG_OK;
    }
    if (word.begin[0] >= '0' && word.begin[0] <= '9')
        return REFUSE(c, "%.*s given; numbers from 1 to %zu expected", n, word.begin,
                      c->given->n);
    if (!c->has_names)
        return REFUSE(c,
                      "'%.*s' given, and no header names the %zu columns; numbers from 1 "
                      "expected",
                      n, word.begin, c->given->n);
    size_t found = find_name(c, word, 1, column);
    if (found == 0)
        found = find_name(c, word, 0, column);
    if (found == 1)
        return RUG_OK;
    char names[300] = "";
    for (size_t i = 0; i < c->given->n; i++)
        add_name(names, sizeof names, c, i);
    return REFUSE(c, "%s '%.*s'; one of these or its number expected: %s",
                  found == 0 ? "there is no" : "more than one is called", n, word.begin,
                  names);
}

static rug_status choose_asked(choice *c, const char *asked)
{
    const rugi_separator comma = {',', 1};
    rugi_columns *out = c->out;
    rugi_field word;
    for (const char *at = asked; rugi_next_field(&at, comma, &word);) {
        size_t column = 0;
        rug_status status = find_column(c, without_quotes(word), &column);
        if (status != RUG_OK)
            return status;
        if (is_taken(out, column))
            return REFUSE(c, "column %zu given twice; each once expected", column + 1);
        if (out->ndim == RUG_POINTS_MAX_AXES)
            return REFUSE(c,
                          "more than %d given; at most as many coordinates of a point "
                          "expected",
                          RUG_POINTS_MAX_AXES);
        out->index[out->ndim++] = column;
    }
    return RUG_OK;
}

rug_status rugi_columns_find(rug_context *ctx, rugi_columns *out, rug_point_file *file,
                             const rugi_column_facts *given, const char *asked)
{
    choice c = {.ctx = ctx, .path = file->path, .given = given, .out = out};
    *out = (rugi_columns){.n = given->n};
    split_header(&c);
    rug_status status = asked != NULL ? choose_asked(&c, asked) : choose_by_header(&c);
    if (status != RUG_OK)
        return status;
    out->are_all = (size_t)out->ndim == out->n;
    for (int a = 0; a < out->ndim; a++)
        out->are_all = out->are_all && out->index[a] == (size_t)a;
    file->is_guess = out->is_guess;
    name_all(&c, file);
    return RUG_OK;
}
