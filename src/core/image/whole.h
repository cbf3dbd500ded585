/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Whole numbers of 64 bits, signed or unsigned, beside doubles: a pair of a double and a rest
 * is their exact sum. Of the pairs of a number one has the nearest double; doubles alone have
 * the rest 0. */

#ifndef RUGI_WHOLE_H
#define RUGI_WHOLE_H

#include <math.h>
#include <stdint.h>

/** -2^63 .. 2^64 - 1 */
typedef struct rugi_whole {
    int is_negative;
    uint64_t bits; /* two's complement */
} rugi_whole;

#define RUGI_TWO63 9223372036854775808.0
#define RUGI_TWO64 18446744073709551616.0

static inline rugi_whole rugi_whole_signed(int64_t v)
{
    return (rugi_whole){v < 0, (uint64_t)v};
}

static inline rugi_whole rugi_whole_unsigned(uint64_t v)
{
    return (rugi_whole){0, v};
}

/* A whole double of at most 2^64 in size, modulo 2^64. */
static inline uint64_t rugi_whole_wrap(double v)
{
    double size = fabs(v);
    uint64_t bits = size < RUGI_TWO64 ? (uint64_t)size : 0;
    return v < 0 ? 0 - bits : bits;
}

/** The sum of a pair. @return whether it is a whole number of 64 bits, of a whole double of at
 *  most 2^64 in size */
static inline int rugi_whole_of(rugi_whole *out, double value, int64_t rest)
{
    if (!(fabs(value) <= RUGI_TWO64) || value < floor(value) || value > floor(value))
        return 0;
    uint64_t bits = rugi_whole_wrap(value) + (uint64_t)rest;
    double about = value + (double)rest; /* which of those that are 2^64 apart */
    int is_unsigned = fabs(about - (double)bits) < RUGI_TWO63;
    *out = (rugi_whole){!is_unsigned, bits};
    return is_unsigned ||
           (bits >> 63 > 0 && fabs(about - (double)(int64_t)bits) < RUGI_TWO63);
}

/** The nearest double. @param rest  what it lacks */
static inline double rugi_whole_split(rugi_whole v, int64_t *rest)
{
    double value = v.is_negative ? (double)(int64_t)v.bits : (double)v.bits;
    *rest = (int64_t)(v.bits - rugi_whole_wrap(value));
    return value;
}

#endif
