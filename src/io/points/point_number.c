/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads decimal numbers fast where that is exact, and hands all others to the library's
 * slow reader. Every result is the double nearest to what is written. */

#include "point_number.h"
#include <float.h>
#include <rugose/number.h>
#include <string.h>

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
    return rug_parse_real(out, text);
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
