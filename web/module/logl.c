/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The logarithm of a long double, which musl has only to the precision of a double: co-occurrence sums up
 * thousands of them. It is that of the processors on which rugose's results are made: the x87 multiplies log2
 * by ln 2 of 64 bits, and rounds to 64 bits. All but 3 % of whole numbers have the same 64 bits. */

#include <math.h>
#include <stdint.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

/* ln 2 of 128 bits behind the point, and the share of it that is missing from 64 bits: 1 / 0x3478164c4334ba0ce. */
#define LN_2    (((u128)0xB17217F7D1CF79AB << 64) | 0xC9E3B39803F2F6AF)
#define MISSING (((i128)3 << 64) | 0x478164c4334ba0ce)
#define N_TERMS 14
#define SCALE \
    119 /* bits behind the point of a logarithm: 8 are left for the sign and 45 */
#define ONE       ((uint64_t)1 << 63)
#define ROOT_HALF 0.70710678118654752440L

long double logl(long double x);

/* The upper 128 bits of a product, or one less. */
static u128 multiply(u128 a, u128 b)
{
    uint64_t a1 = (uint64_t)(a >> 64), a0 = (uint64_t)a;
    uint64_t b1 = (uint64_t)(b >> 64), b0 = (uint64_t)b;
    return (u128)a1 * b1 + ((u128)a1 * b0 >> 64) + ((u128)a0 * b1 >> 64);
}

/* a / b below 1, with 125 bits behind the point. @param b  below 2^65 */
static u128 divide(uint64_t a, u128 b)
{
    u128 n = (u128)a << 63, upper = n / b, lower = (n % b << 62) / b;
    return (upper << 65) + (lower << 3);
}

/* ln m = 2 artanh z, z = (m - 1) / (m + 1), for m of 1/sqrt(2) to sqrt(2), in units of 2^-63. */
static i128 log_of_mantissa(uint64_t m)
{
    u128 z = divide(m > ONE ? m - ONE : ONE - m, (u128)m + ONE);
    u128 square = multiply(z, z), sum = 0;
    for (unsigned k = N_TERMS + 1; k-- > 0;)
        sum = multiply(sum, square) + ((u128)1 << 127) / (2 * k + 1);
    i128 log = (i128)(multiply(z, sum) >> (126 - SCALE));
    return m > ONE ? log : -log;
}

/* To 64 bits, of two that are as near to the even one. */
static u128 round_to_64(u128 value)
{
    unsigned n = 0;
    while (value >> n >> 64 != 0)
        n++;
    if (n == 0)
        return value;
    u128 half = (u128)1 << (n - 1), rest = value & (2 * half - 1), upper = value >> n;
    upper += rest > half || (rest == half && (upper & 1));
    return upper << n;
}

long double logl(long double x)
{
    int exponent;
    if (!(x > 0) || isinf(x))
        return (long double)log((double)x);
    long double m = frexpl(x, &exponent);
    if (m < ROOT_HALF) {
        m *= 2;
        exponent--;
    }
    i128 value = log_of_mantissa((uint64_t)ldexpl(m, 63)) +
                 (i128)(LN_2 >> (128 - SCALE)) * exponent;
    value += value / MISSING;
    u128 size = round_to_64((u128)(value < 0 ? -value : value));
    long double rounded = ldexpl((long double)size, -SCALE);
    return value < 0 ? -rounded : rounded;
}
