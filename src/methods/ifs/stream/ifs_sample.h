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

/** A value of 0 .. 2^depth - 1 as a sample, and back from a sample or a sum of few.
 *  @param depth  1..17 */
static inline int16_t rugi_ifs_sample_of(int32_t value, unsigned depth)
{
    return (int16_t)rugi_ifs_clip((int32_t)rugi_ifs_shift(
        value - (1 << (depth - 1)), RUGI_IFS_SAMPLE_BITS - (int)depth));
}
static inline int32_t rugi_ifs_value_of(int32_t sample, unsigned depth)
{
    const int fewer = RUGI_IFS_SAMPLE_BITS - (int)depth;
    int32_t value =
        fewer > 0 ? (sample + (1 << fewer >> 1)) >> fewer : sample * (1 << -fewer);
    int32_t most = (int32_t)((1u << depth) - 1);
    value += 1 << (depth - 1);
    value = value < 0 ? 0 : value;
    return value > most ? most : value;
}

/** Red, green and blue of 0 .. 2^depth - 1 as samples of Y, Co and Cg, rounded once: Y is
 *  (red + 2 green + blue) / 4, Co (red - blue), Cg green - (red + blue) / 2, of which the last two
 *  have one bit more and are about 0. */
static inline void rugi_ifs_samples_of_colour(int16_t out[3], const int32_t rgb[3],
                                              unsigned depth)
{
    int shift = RUGI_IFS_SAMPLE_BITS - (int)depth;
    int64_t red = rgb[0], green = rgb[1], blue = rgb[2];
    out[0] = rugi_ifs_clip((int32_t)(rugi_ifs_shift(red + 2 * green + blue, shift - 2) +
                                     RUGI_IFS_SAMPLE_LEAST));
    out[1] = rugi_ifs_clip((int32_t)rugi_ifs_shift(red - blue, shift - 1));
    out[2] = rugi_ifs_clip((int32_t)rugi_ifs_shift(2 * green - red - blue, shift - 2));
}

/** Samples of Y, Co and Cg to red, green and blue, in place, within 0 .. 2^depth - 1. */
static inline void rugi_ifs_colour_of_samples(int32_t c[3], unsigned depth)
{
    int32_t y = c[0], co = c[1], cg = c[2];
    c[0] = y - cg + co;
    c[1] = y + cg;
    c[2] = y - cg - co;
    for (int i = 0; i < 3; i++)
        c[i] = rugi_ifs_value_of(c[i], depth);
}

#endif
