/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The fields of one line of a text of points or of a matrix: where numbers stand, and what is wrong
 * when they do not. */

#ifndef RUGI_POINT_FIELDS_H
#define RUGI_POINT_FIELDS_H

#include <rugose/context.h>
#include <rugose/points.h>
#include <stddef.h>
#include <stdint.h>

/** A number as double, and exactly when it is written as an integer. */
typedef struct rugi_number {
    double value; /**< the nearest double */
    int64_t whole;
    int is_whole; /**< written in digits alone (with a sign) and within int64: `whole` is
                     set */
} rugi_number;

/** Takes a finite decimal number from the front of a text, with a decimal point in any
 *  locale: [+-]digits[.digits][e[+-]digits].
 *  @param at  terminated
 *  @return the place behind the number; NULL when no finite number stands there, or one
 *          of more than 400 characters */
const char *rugi_take_number(const char *at, rugi_number *out);

/** How the fields of all lines are separated. */
typedef struct rugi_separator {
    char byte;        /* ',', ';', a tab, or a blank: any number of blanks */
    int tab_is_blank; /* tabs around fields are passed over as blanks are */
} rugi_separator;

/** "semicolons", "commas", "tabs" or "blanks". */
static inline const char *rugi_separator_name(rugi_separator separator)
{
    switch (separator.byte) {
    case ';': return "semicolons";
    case ',': return "commas";
    case '\t': return "tabs";
    default: return "blanks";
    }
}

/** What a first line with several fields is separated by: semicolons where there are any,
 *  else commas, else tabs, else blanks. */
rugi_separator rugi_find_separator(const char *line);

/** Passes over blanks. */
static inline const char *rugi_skip_blanks(const char *at, rugi_separator separator)
{
    while (*at == ' ' || (*at == '\t' && separator.tab_is_blank))
        at++;
    return at;
}

/** One field, without the blanks around it. */
typedef struct rugi_field {
    const char *begin;
    size_t n;
} rugi_field;

/** Takes the next field. One that begins with a quote may hold separators up to the next.
 *  @param at  where to look, NULL behind the last field
 *  @return 0 behind the last field */
int rugi_next_field(const char **at, rugi_separator separator, rugi_field *out);

/** The number of fields of a line; empty ones count. */
static inline size_t rugi_count_fields(const char *line, rugi_separator separator)
{
    size_t n = 0;
    rugi_field each;
    for (const char *at = line; rugi_next_field(&at, separator, &each);)
        n++;
    return n;
}

/** Whether a line is a header: it has no number, nothing that begins as one, no nan or
 *  inf, and a field that is not empty. */
int rugi_is_header(const char *line);

/** Which columns are coordinates. */
typedef struct rugi_columns {
    size_t n; /* columns in all */
    int ndim;
    size_t index[RUG_POINTS_MAX_AXES]; /* [axis]: its column, from 0 */
    int are_all;                       /* axis a is column a, and there are no others */
    int is_guess; /* neither a header nor who asked says that they are coordinates */
} rugi_columns;

/** Reads the coordinates of a line of columns->n fields.
 *  @return nonzero when it is one */
int rugi_take_columns(const char *line, rugi_separator separator,
                      const rugi_columns *columns, rugi_number *numbers);

/** Reads a line of exactly n numbers.
 *  @return nonzero when it is one */
int rugi_take_fields(const char *line, rugi_separator separator, int n,
                     rugi_number *numbers);

/** Says which field of a line, that rugi_take_columns() refused, is not a number.
 *  @param text  the fault, such as "field 2 is 'abc'"
 *  @param size  of text, at least 64 */
void rugi_explain_field(const char *line, rugi_separator separator,
                        const rugi_columns *columns, char *text, size_t size);

#endif
