/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Compares words, and finds where a number ends. It knows no encoding: only ASCII has meaning. */

#include "text.h"
#include "core/image/number.h"
#include <string.h>

/* Bytes of a number that count, with its end. */
#define NUMBER_MAX 256

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

double rugi_leading_real(const char *text)
{
    char number[NUMBER_MAX];
    double value = 0;
    text += strspn(text, RUGI_BLANKS);
    size_t n = strspn(text, "+-.0123456789eE");
    for (n = n < NUMBER_MAX ? n : NUMBER_MAX - 1; n > 0; n--) {
        memcpy(number, text, n);
        number[n] = '\0';
        if (rugi_parse_real(&value, number))
            break;
    }
    return value;
}
