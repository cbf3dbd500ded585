/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prints a double in the fewest decimal digits that read back to it, or in six for
 * people, and reads numbers. Numbers of a usual size are rounded here, as tables hold
 * millions of them; where that is not exact beyond doubt the C library does it. Only digits
 * and exponents pass between it and this file, so the locale's decimal separator never
 * shows. */

#include "number.h"
#include "whole.h"
#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 17 significant digits tell any two doubles apart (IEEE 754-2019, table in 5.12.2). */
#define MAX_DIGITS 17

/* Most measured numbers need more than these; then fewer need not be tried. */
#define SURE_DIGITS 15

/* Exponents that are written as plain decimals: 0.00001 to 9999999999999999. Up to there
 * an integer prints with all its digits. */
#define PLAIN_MIN (-5)
#define PLAIN_MAX 15

#define SHORT_DIGITS 6

/* d.ddd * 10^exponent */
typedef struct decimal {
    char digits[MAX_DIGITS + 1];
    int n_digits;
    int exponent;
} decimal;

/* ---- Numbers of a usual size ---- */

/* The most that a power of ten, and a whole number, may be to be a double. */
#define EXACT_POWER 22
#define EXACT_WHOLE ((uint64_t)1 << 53)

static const double power[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Rounds a positive value. Scaled to a whole number of at most 17 digits it is below 2^57, so
 * with 64 bits it is off by at most 2^-8: what is not that close to a half is rounded
 * rightly. @return 0: it is left to the C library */
static int round_scaled(decimal *out, double value, int n_digits)
{
#if LDBL_MANT_DIG >= 64
    if (!(value > 1e-8 && value < 1e17))
        return 0;
    out->exponent = (int)floor(log10(value));
    int scale = n_digits - 1 - out->exponent;
    if (scale < 0 || scale > EXACT_POWER)
        return 0;
    long double scaled = (long double)value * power[scale];
    uint64_t whole = (uint64_t)(scaled + 0.5L);
    if (scaled < power[n_digits - 1] || fabsl(scaled - (long double)whole) > 0.48L)
        return 0;
    for (int i = n_digits; i-- > 0; whole /= 10)
        out->digits[i] = (char)('0' + whole % 10);
    out->digits[n_digits] = '\0';
    out->n_digits = n_digits;
    return whole == 0; /* else the exponent is another */
#else
    (void)out, (void)value, (void)n_digits;
    return 0;
#endif
}

/* Reads digits back where both parts of a fraction are doubles, so that its quotient is rounded
 * once. @return 0: it is left to the C library */
static int read_scaled(double *value, const decimal *number)
{
    int scale = number->n_digits - 1 - number->exponent;
    uint64_t whole = 0;

    for (int i = 0; i < number->n_digits; i++)
        whole = 10 * whole + (uint64_t)(number->digits[i] - '0');
    if (FLT_EVAL_METHOD != 0 || scale < 0 || scale > EXACT_POWER || whole > EXACT_WHOLE)
        return 0;
    *value = (double)whole / power[scale];
    return 1;
}

/* ---- Digits ---- */

/* Rounds a positive value. "%e" writes a digit, the locale's separator, digits, 'e',
 * exponent. */
static void round_to(decimal *out, double value, int n_digits)
{
    char text[64];
    const char *mark;
    int n = 0;

    if (round_scaled(out, value, n_digits))
        return;
    snprintf(text, sizeof text, "%.*e", n_digits - 1, value);
    mark = strchr(text, 'e');
    for (const char *at = text; at < mark; at++)
        if (*at >= '0' && *at <= '9')
            out->digits[n++] = *at;
    out->digits[n] = '\0';
    out->n_digits = n;
    out->exponent = (int)strtol(mark + 1, NULL, 10);
}

static int reads_back(const decimal *number, double value)
{
    char text[64];
    double read;

    if (number->n_digits == MAX_DIGITS)
        return 1;
    if (read_scaled(&read, number))
        return read == value;
    snprintf(text, sizeof text, "%se%d", number->digits,
             number->exponent - number->n_digits + 1);
    return strtod(text, NULL) == value;
}

/* Counts the last digit up. Leaves 9…9 alone. */
static void count_up(decimal *number)
{
    int i = number->n_digits - 1;

    if (strspn(number->digits, "9") == strlen(number->digits))
        return;
    while (number->digits[i] == '9')
        number->digits[i--] = '0';
    number->digits[i]++;
}

/* Tries n_digits. Below a power of two the doubles lie twice as close as above it, so
 * there the nearest decimal may fail and the one above it may do (2^-140
 * is 7.174648137343064e-43). */
static int find_decimal(decimal *out, double value, int n_digits)
{
    round_to(out, value, n_digits);
    if (reads_back(out, value))
        return 1;
    count_up(out);
    return reads_back(out, value);
}

static void drop_trailing_zeros(decimal *number)
{
    while (number->n_digits > 1 && number->digits[number->n_digits - 1] == '0')
        number->n_digits--;
}

static char *put_digits(char *at, const char *digits, int n)
{
    memcpy(at, digits, (size_t)n);
    return at + n;
}

static char *put_zeros(char *at, int n)
{
    memset(at, '0', (size_t)n);
    return at + n;
}

static char *put_plain(char *at, const decimal *number)
{
    int n_whole = number->exponent + 1;

    if (n_whole <= 0) {
        *at++ = '0';
        *at++ = '.';
        at = put_zeros(at, -n_whole);
        return put_digits(at, number->digits, number->n_digits);
    }
    if (n_whole >= number->n_digits) {
        at = put_digits(at, number->digits, number->n_digits);
        return put_zeros(at, n_whole - number->n_digits);
    }
    at = put_digits(at, number->digits, n_whole);
    *at++ = '.';
    return put_digits(at, number->digits + n_whole, number->n_digits - n_whole);
}

static char *put_scientific(char *at, const decimal *number)
{
    *at++ = number->digits[0];
    if (number->n_digits > 1) {
        *at++ = '.';
        at = put_digits(at, number->digits + 1, number->n_digits - 1);
    }
    return at + snprintf(at, sizeof "e-308", "e%+d", number->exponent);
}

/* @param negative  minus zero is not less than zero and gets no sign */
static void write_decimal(char *text, const decimal *number, int negative)
{
    char *at = text;

    if (negative)
        *at++ = '-';
    if (number->exponent >= PLAIN_MIN && number->exponent <= PLAIN_MAX)
        at = put_plain(at, number);
    else
        at = put_scientific(at, number);
    *at = '\0';
}

/* Writes what has no digits. Returns whether it did. */
static int write_special(char *text, double value)
{
    if (isnan(value))
        strcpy(text, "nan");
    else if (isinf(value))
        strcpy(text, value > 0 ? "inf" : "-inf");
    else
        return 0;
    return 1;
}

void rugi_format_real(char text[RUGI_REAL_TEXT_MAX], double value)
{
    double size = fabs(value);
    decimal number;
    int n_digits;

    if (write_special(text, value))
        return;
    int is_sure = find_decimal(&number, size, SURE_DIGITS);
    if (is_sure && size >= DBL_MIN) { /* no other decimal of so many digits reads back */
        drop_trailing_zeros(&number);
    } else {
        n_digits = is_sure ? 1 : SURE_DIGITS + 1;
        while (!find_decimal(&number, size, n_digits))
            n_digits++;
    }
    write_decimal(text, &number, value < 0);
}

void rugi_format_exact(char text[RUGI_REAL_TEXT_MAX], double value, int64_t rest)
{
    rugi_whole whole;

    if (rest == 0 || !rugi_whole_of(&whole, value, rest))
        rugi_format_real(text, value);
    else if (whole.is_negative)
        snprintf(text, RUGI_REAL_TEXT_MAX, "%" PRId64, (int64_t)whole.bits);
    else
        snprintf(text, RUGI_REAL_TEXT_MAX, "%" PRIu64, whole.bits);
}

void rugi_format_real_short(char text[RUGI_REAL_TEXT_MAX], double value)
{
    decimal number;

    if (write_special(text, value))
        return;
    round_to(&number, fabs(value), SHORT_DIGITS);
    if (number.exponent >= SHORT_DIGITS && number.exponent <= PLAIN_MAX)
        round_to(&number, fabs(value), number.exponent + 1);
    drop_trailing_zeros(&number);
    write_decimal(text, &number, value < 0);
}

/* Longest text that is read as a number. */
#define PARSE_MAX 400

/* Copies a run of digits. Returns how many. */
static int take_digits(const char **at, char *out)
{
    int n = 0;

    for (; isdigit((unsigned char)**at); (*at)++)
        out[n++] = **at;
    return n;
}

/* Reads "e-5"; leaves a text alone that has no exponent. Returns 0 when it has a bad
 * one. */
static int take_exponent(const char **at, long *exponent)
{
    char *end;

    *exponent = 0;
    if (**at != 'e' && **at != 'E')
        return 1;
    (*at)++;
    if (!isdigit((unsigned char)(*at)[(*at)[0] == '+' || (*at)[0] == '-']))
        return 0;
    *exponent = strtol(*at, &end, 10);
    *at = end;
    return *exponent > -100000 && *exponent < 100000;
}

int rugi_parse_real(double *value, const char *text)
{
    char whole[PARSE_MAX + 16];
    const char *at = text;
    int n = 0, n_decimals = 0;
    long exponent;
    double parsed;

    if (strlen(text) > PARSE_MAX)
        return 0;
    if (*at == '-' || *at == '+')
        whole[n++] = *at++;
    int n_digits = take_digits(&at, whole + n);
    if (*at == '.') {
        at++;
        n_decimals = take_digits(&at, whole + n + n_digits);
    }
    n_digits += n_decimals;
    if (n_digits == 0 || !take_exponent(&at, &exponent) || *at != '\0')
        return 0;
    snprintf(whole + n + n_digits, 16, "e%ld", exponent - n_decimals);
    parsed = strtod(whole, NULL);
    if (!isfinite(parsed))
        return 0;
    *value = parsed;
    return 1;
}
