/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Samples: the values of a plane as version 3 keeps them, in 16 bits about the middle of
 * their range, with as many bits below a grey level as there is room for. */

#ifndef RUGI_IFS_SAMPLE_H
#define RUGI_IFS_SAMPLE_H

#include <stdint.h>

/** Bits of a sample's range: of 8 bits a grey level is 128, of 16 bits 1/2. */
#define RUGI_IFS_SAMPLE_BITS 15

/** The bounds of samples. */
#define RUGI_IFS_SAMPLE_LEAST (-(1 << (RUGI_IFS_SAMPLE_BITS - 1)))
#define RUGI_IFS_SAMPLE_MOST  ((1 << (RUGI_IFS_SAMPLE_BITS - 1)) - 1)

static inline int16_t rugi_ifs_clip(int32_t value)
{
    return (int16_t)(value < RUGI_IFS_SAMPLE_LEAST  ? RUGI_IFS_SAMPLE_LEAST
                     : value > RUGI_IFS_SAMPLE_MOST ? RUGI_IFS_SAMPLE_MOST
                                                    : value);
}

/** value 2^shift, rounded to the nearest, halves up. */
static inline int64_t rugi_ifs_shift(int64_t value, int shift)
{
    if (shift >= 0)
        return value * ((int64_t)1 << shift);
    return (value + ((int64_t)1 << (-shift - 1))) >> -shift;
}

/** A value of 0 .. 2^depth - 1 as a sample, and back.
 *  @param depth  1..17 */
static inline int16_t rugi_ifs_sample_of(int32_t value, unsigned depth)
{
    return (int16_t)rugi_ifs_clip((int32_t)rugi_ifs_shift(
        value - (1 << (depth - 1)), RUGI_IFS_SAMPLE_BITS - (int)depth));
}
static inline int32_t rugi_ifs_value_of(int16_t sample, unsigned depth)
{
    int32_t value = (int32_t)rugi_ifs_shift(sample, (int)depth - RUGI_IFS_SAMPLE_BITS) +
                    (1 << (depth - 1));
    int32_t most = (int32_t)((1u << depth) - 1);
    return value < 0 ? 0 : value > most ? most : value;
}

#endif
