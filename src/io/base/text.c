/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Compares words, and finds where a number ends. It knows no encoding: only ASCII has meaning. */

#include "text.h"
#include "core/image/number.h"
#include <string.h>

/* Bytes of a number that count, with its end: more digits are too large for a double, or too small to
 * matter. */
#define NUMBER_MAX 401

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

int rugi_same_letters(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (lower(a[i]) != lower(b[i]))
            return 0;
        if (a[i] == '\0')
            break;
    }
    return 1;
}

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Bytes of the number that a text begins with, such as "-1.5e3". */
static size_t number_length(const char *text)
{
    size_t n = *text == '+' || *text == '-';
    n += count_digits(text + n);
    if (text[n] == '.')
        n += 1 + count_digits(text + n + 1);
    if (text[n] == 'e' || text[n] == 'E') {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
        size_t n_digits = count_digits(text + n + 1 + sign);
        n += n_digits > 0 ? 1 + sign + n_digits : 0;
    }
    return n;
}

double rugi_leading_real(const char *text)
{
    char number[NUMBER_MAX];
    double value = 0;
    text += strspn(text, RUGI_BLANKS);
    size_t n = number_length(text);
    n = n < NUMBER_MAX ? n : NUMBER_MAX - 1;
    memcpy(number, text, n);
    number[n] = '\0';
    rugi_parse_real(&value, number);
    return value;
}
