/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Splits lines of numbers. One way is fast and only says yes or no; the other one walks
 * field by field, for headers and for error texts. */

#include "point_fields.h"
#include <glib.h>
#include <stdio.h>
#include <string.h>

/** Characters of a field that an error text shows. */
#define SHOWN 24

rugi_separator rugi_find_separator(const char *line)
{
    static const char bytes[] = ";,\t";
    rugi_separator found = {' ', 0};
    line += strspn(line, " ");
    for (const char *byte = bytes; *byte != '\0'; byte++)
        if (strchr(line, *byte) != NULL) {
            found.byte = *byte;
            break;
        }
    found.tab_is_blank = found.byte != '\t' && found.byte != ' ';
    return found;
}

const char *rugi_separator_name(rugi_separator separator)
{
    switch (separator.byte) {
    case ';': return "semicolons";
    case ',': return "commas";
    case '\t': return "tabs";
    default: return "blanks";
    }
}

/** One field, without the blanks around it. */
typedef struct field {
    const char *begin;
    size_t n;
} field;

/** Takes the next field.
 *  @param at  where to look, NULL behind the last field
 *  @return 0 behind the last field */
static int next_field(const char **at, rugi_separator separator, field *out)
{
    if (*at == NULL)
        return 0;
    const char *begin = rugi_skip_blanks(*at, separator);
    size_t n = strcspn(begin, (const char[]){separator.byte, '\0'});
    const char *end = begin + n;
    if (separator.byte == ' ') {
        const char *next = rugi_skip_blanks(end, separator);
        *at = *next != '\0' ? next : NULL;
    } else
        *at = *end != '\0' ? end + 1 : NULL;
    while (n > 0 &&
           (begin[n - 1] == ' ' || (begin[n - 1] == '\t' && separator.tab_is_blank)))
        n--;
    *out = (field){begin, n};
    return 1;
}

size_t rugi_count_fields(const char *line, rugi_separator separator)
{
    size_t n = 0;
    field each;
    for (const char *at = line; next_field(&at, separator, &each);)
        n++;
    return n;
}

/** Whether a field can be a name: neither a number, broken or not, nor what programs
 *  write for a missing one. */
static int is_name(const field *f)
{
    static const char *const missing[] = {"nan", "inf", "infinity", "na", "n/a", "null"};
    if (g_ascii_isdigit(f->begin[0]) || strchr("+-.", f->begin[0]) != NULL)
        return 0;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        if (f->n == strlen(missing[i]) &&
            g_ascii_strncasecmp(f->begin, missing[i], f->n) == 0)
            return 0;
    return 1;
}

int rugi_is_header(const char *line)
{
    rugi_separator separator = rugi_find_separator(line);
    int n_names = 0;
    field each;
    for (const char *at = line; next_field(&at, separator, &each);)
        if (each.n > 0) {
            if (!is_name(&each))
                return 0;
            n_names++;
        }
    return n_names > 0;
}

int rugi_take_fields(const char *line, rugi_separator separator, int n,
                     rugi_number *numbers)
{
    const char *at = rugi_skip_blanks(line, separator);
    for (int i = 0; i < n; i++) {
        const char *end = rugi_take_number(at, &numbers[i]);
        if (end == NULL)
            return 0;
        at = rugi_skip_blanks(end, separator);
        if (i + 1 == n)
            break;
        if (separator.byte == ' ' ? at == end : *at++ != separator.byte)
            return 0;
        at = rugi_skip_blanks(at, separator);
    }
    return *at == '\0';
}

/** Copies what a terminal can show of a field. */
static void show(char text[SHOWN + 4], const field *f)
{
    size_t n = f->n < SHOWN ? f->n : SHOWN;
    for (size_t i = 0; i < n; i++)
        text[i] = g_ascii_isprint(f->begin[i]) ? f->begin[i] : '?';
    strcpy(text + n, f->n > n ? "..." : "");
}

/** Whether a field is a number and nothing else. */
static int is_number(const field *f)
{
    rugi_number number;
    return f->n > 0 && rugi_take_number(f->begin, &number) == f->begin + f->n;
}

void rugi_explain_field(const char *line, rugi_separator separator, char *text,
                        size_t size)
{
    char shown[SHOWN + 4];
    int i = 0;
    field each = {line, strlen(line)};
    for (const char *at = line; next_field(&at, separator, &each); i++)
        if (!is_number(&each))
            break;
    show(shown, &each);
    if (each.n == 0)
        snprintf(text, size, "field %d is empty", i + 1);
    else
        snprintf(text, size, "field %d is '%s'", i + 1, shown);
}
