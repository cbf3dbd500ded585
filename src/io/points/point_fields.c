/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The fields of one line of a text of points: numbers, the separators between them, and what is
 * wrong where none stands. */

#include "point_fields.h"
#include "core/image/number.h"
#include "io/base/text.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

/* ---- Numbers ----
 *
 * Read fast where that is exact, else by the library's slow reader. Every result is the double
 * nearest to what is written. */

/** So many digits always fit 64 bits. */
#define DIGITS_MAX 19

/** Longest text that the slow reader takes. */
#define TEXT_MAX 400

/** Exponents beyond are left to the slow reader, which says what they are worth. */
#define EXPONENT_MAX 99999

/** A number in parts: (-1)^negative * mantissa * 10^exponent. */
typedef struct decimal {
    uint64_t mantissa; /* right while n_digits <= DIGITS_MAX */
    long n_digits;     /* without the zeros in front */
    long exponent;
    int negative;
    int is_integer; /* no point, no exponent */
} decimal;

static const char *take_digits(const char *at, uint64_t *mantissa)
{
    for (unsigned digit; (digit = (unsigned)*at - '0') <= 9; at++)
        *mantissa = *mantissa * 10 + digit;
    return at;
}

/** Adds what stands behind an 'e'. @return NULL when that is no number */
static const char *take_exponent(const char *at, decimal *out)
{
    int negative = *at == '-';
    uint64_t size = 0;
    at += *at == '-' || *at == '+';
    const char *begin = at;
    while (*at == '0')
        at++;
    const char *digits = at;
    at = take_digits(at, &size);
    if (at == begin)
        return NULL;
    if (at - digits > 5)
        size = EXPONENT_MAX;
    out->exponent += negative ? -(long)size : (long)size;
    return at;
}

static const char *take_decimal(const char *at, decimal *out)
{
    memset(out, 0, sizeof *out);
    out->negative = *at == '-';
    at += *at == '-' || *at == '+';
    const char *begin = at;
    while (*at == '0')
        at++;
    const char *digits = at;
    at = take_digits(at, &out->mantissa);
    int is_empty = at == begin;
    out->n_digits = at - digits;
    out->is_integer = *at != '.' && *at != 'e' && *at != 'E';
    if (*at == '.') {
        digits = ++at;
        at = take_digits(at, &out->mantissa);
        out->exponent = -(at - digits);
        out->n_digits += at - digits;
        is_empty = is_empty && at == digits;
    }
    if (is_empty)
        return NULL;
    return *at == 'e' || *at == 'E' ? take_exponent(at + 1, out) : at;
}

/** One rounding of two exact doubles gives the nearest one: W. D. Clinger, "How to read
 *  floating point numbers accurately", PLDI 1990, section 3.
 *  @return 0 when one of them is not exact */
static int scale_double(double *out, const decimal *number)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (FLT_EVAL_METHOD != 0 || number->mantissa > UINT64_C(1) << 53 ||
        number->exponent < -22 || number->exponent > 22)
        return 0;
    double mantissa = (double)number->mantissa;
    *out = number->exponent < 0 ? mantissa / powers[-number->exponent]
                                : mantissa * powers[number->exponent];
    return 1;
}

#if LDBL_MANT_DIG == 64 && defined(__x86_64__)
/** The same with the 64 bits of x87, rounded once more to 53. The two roundings give the
 *  nearest double unless the first one ends in the middle between two of them.
 *  @return 0 when it does, or when a power is not exact */
static int scale_long(double *out, const decimal *number)
{
    static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                         1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                         1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                         1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    uint64_t bits; /* the 64 bits of the fraction come first in memory */
    if (number->exponent < -27 || number->exponent > 27)
        return 0;
    long double mantissa = (long double)number->mantissa;
    long double value = number->exponent < 0 ? mantissa / powers[-number->exponent]
                                             : mantissa * powers[number->exponent];
    memcpy(&bits, &value, sizeof bits);
    *out = (double)value;
    return (bits & 0x7ff) != 0x400;
}
#else
static int scale_long(double *out, const decimal *number)
{
    (void)out;
    (void)number;
    return 0;
}
#endif

static int read_slowly(double *out, const char *begin, const char *end)
{
    char text[TEXT_MAX + 1];
    size_t n = (size_t)(end - begin);
    if (n > TEXT_MAX)
        return 0;
    memcpy(text, begin, n);
    text[n] = '\0';
    return rugi_parse_real(out, text);
}

const char *rugi_take_number(const char *at, rugi_number *out)
{
    decimal number;
    double size;
    const char *end = take_decimal(at, &number);
    if (end == NULL)
        return NULL;
    int fits = number.n_digits <= DIGITS_MAX;
    out->is_whole = fits && number.is_integer &&
                    number.mantissa <= (uint64_t)INT64_MAX + (uint64_t)number.negative;
    if (out->is_whole) { /* conversion to double rounds to the nearest */
        out->whole = number.negative
                         ? -(int64_t)(number.mantissa / 2) -
                               (int64_t)(number.mantissa - number.mantissa / 2)
                         : (int64_t)number.mantissa;
        out->value = (double)out->whole;
        return end;
    }
    if (fits && (scale_double(&size, &number) || scale_long(&size, &number)))
        out->value = number.negative ? -size : size;
    else if (!read_slowly(&out->value, at, end))
        return NULL;
    return end;
}

/* ---- Fields ----
 *
 * One way through a line is fast and only says yes or no; the other one walks field by field,
 * for headers and for error texts. */

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

/** Bytes of a field in quotes, two quotes within standing for one; 0 when the quote at the
 *  beginning has no end. */
static size_t quoted_length(const char *begin)
{
    const char *end = begin;
    do {
        end = strchr(end + 1, '"');
        if (end == NULL)
            return 0;
        end++;
    } while (*end == '"');
    return (size_t)(end - begin);
}

int rugi_next_field(const char **at, rugi_separator separator, rugi_field *out)
{
    if (*at == NULL)
        return 0;
    const char *begin = rugi_skip_blanks(*at, separator);
    size_t n = *begin == '"' ? quoted_length(begin) : 0;
    n += strcspn(begin + n, (const char[]){separator.byte, '\0'});
    const char *end = begin + n;
    if (separator.byte == ' ') {
        const char *next = rugi_skip_blanks(end, separator);
        *at = *next != '\0' ? next : NULL;
    } else
        *at = *end != '\0' ? end + 1 : NULL;
    while (n > 0 &&
           (begin[n - 1] == ' ' || (begin[n - 1] == '\t' && separator.tab_is_blank)))
        n--;
    *out = (rugi_field){begin, n};
    return 1;
}

/** Whether a field can be a name: neither a number, broken or not, nor what programs
 *  write for a missing one. */
static int is_name(const rugi_field *f)
{
    static const char *const missing[] = {"nan", "inf", "infinity", "na", "n/a", "null"};
    if (strchr("+-.0123456789", f->begin[0]) != NULL)
        return 0;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        if (f->n == strlen(missing[i]) && rugi_same_letters(f->begin, missing[i], f->n))
            return 0;
    return 1;
}

int rugi_is_header(const char *line)
{
    rugi_separator separator = rugi_find_separator(line);
    int n_names = 0;
    rugi_field each;
    for (const char *at = line; rugi_next_field(&at, separator, &each);)
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
static void show(char text[SHOWN + 4], const rugi_field *f)
{
    size_t n = f->n < SHOWN ? f->n : SHOWN;
    for (size_t i = 0; i < n; i++)
        text[i] = f->begin[i] >= ' ' && f->begin[i] <= '~' ? f->begin[i] : '?';
    strcpy(text + n, f->n > n ? "..." : "");
}

/** Whether a field is a number and nothing else. */
static int is_number(const rugi_field *f)
{
    rugi_number number;
    return f->n > 0 && rugi_take_number(f->begin, &number) == f->begin + f->n;
}

/** The axis of a column; -1: none. */
static int axis_of(const rugi_columns *columns, size_t column)
{
    for (int a = 0; a < columns->ndim; a++)
        if (columns->index[a] == column)
            return a;
    return -1;
}

int rugi_take_columns(const char *line, rugi_separator separator,
                      const rugi_columns *columns, rugi_number *numbers)
{
    if (columns->are_all)
        return rugi_take_fields(line, separator, columns->ndim, numbers);
    size_t i = 0;
    rugi_field each;
    for (const char *at = line; rugi_next_field(&at, separator, &each); i++) {
        int a = axis_of(columns, i);
        if (a >= 0 && (each.n == 0 ||
                       rugi_take_number(each.begin, &numbers[a]) != each.begin + each.n))
            return 0;
    }
    return i == columns->n;
}

void rugi_explain_field(const char *line, rugi_separator separator,
                        const rugi_columns *columns, char *text, size_t size)
{
    char shown[SHOWN + 4];
    size_t i = 0;
    rugi_field each = {line, strlen(line)};
    for (const char *at = line; rugi_next_field(&at, separator, &each); i++)
        if (axis_of(columns, i) >= 0 && !is_number(&each))
            break;
    show(shown, &each);
    if (each.n == 0)
        snprintf(text, size, "field %zu is empty", i + 1);
    else
        snprintf(text, size, "field %zu is '%s'", i + 1, shown);
}
