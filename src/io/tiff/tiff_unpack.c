/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Packed samples to values: bits one after the other, small floats. */

#include "tiff_unpack.h"
#include "io/arrays/pixel_coding.h"
#include <stdint.h>
#include <string.h>

/* What is done with the bits of an integer. */
typedef struct rule {
    uint32_t mask; /* all bits of a sample */
    uint32_t sign; /* the highest, of signed ones */
    uint32_t most; /* what white is where it is 0; else 0 */
    int is_spread;
} rule;

static rule rule_of(const rugi_tiff_packed *packed)
{
    int is_signed =
        packed->dtype == RUG_I8 || packed->dtype == RUG_I16 || packed->dtype == RUG_I32;
    rule r = {.mask = UINT32_MAX >> (32 - packed->bits), .is_spread = packed->is_spread};
    r.sign = is_signed ? r.mask ^ r.mask >> 1 : 0;
    r.most = packed->is_inverted ? (packed->is_spread ? 255 : r.mask) : 0;
    return r;
}

/* The value of a sample, as 32 bits of two's complement. */
static uint32_t value_of(const rule *r, uint32_t sample)
{
    sample = ((sample & r->mask) ^ r->sign) - r->sign;
    sample = r->is_spread ? sample * 255 / r->mask : sample;
    return r->most != 0 ? r->most - sample : sample;
}

static void put(void *to, size_t i, rug_dtype dtype, uint32_t value)
{
    switch (rug_dtype_size(dtype)) {
    case 1: ((uint8_t *)to)[i] = (uint8_t)value; break;
    case 2: ((uint16_t *)to)[i] = (uint16_t)value; break;
    default: ((uint32_t *)to)[i] = value; break;
    }
}

static void unpack_bits(const rugi_tiff_packed *packed, void *to,
                        const unsigned char *from, size_t n)
{
    const rule r = rule_of(packed);
    uint64_t bits = 0;
    int there = 0; /* of them */
    for (size_t i = 0; i < n; i++) {
        for (; there < packed->bits; there += 8)
            bits = bits << 8 | *from++;
        there -= packed->bits;
        put(to, i, packed->dtype, value_of(&r, (uint32_t)(bits >> there)));
    }
}

/* Three bytes in the processor's order. */
static uint32_t triple(const unsigned char *from)
{
    uint32_t low = from[0], middle = from[1], high = from[2];
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return low << 16 | middle << 8 | high;
#else
    return high << 16 | middle << 8 | low;
#endif
}

/* The value of a float of 24 bits (Adobe's TIFF Technical Note 3: a sign, 7 bits of exponent with
 * bias 63, 16 of fraction): where those of an f32 stand they make one that is 2^64 times too small. */
static float triple_value(uint32_t sample)
{
    const uint32_t sign = (sample & 0x800000) << 8, rest = (sample & 0x7fffff) << 7;
    float value;
    uint32_t bits;
    memcpy(&value, &rest, sizeof value);
    value *= 0x1p64f;
    memcpy(&bits, &value, sizeof bits);
    if (rest >= 0x3f800000)
        bits = rest > 0x3f800000 ? 0x7fc00000 : 0x7f800000;
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void rugi_tiff_unpack(const rugi_tiff_packed *packed, void *to, unsigned char *from,
                      size_t n)
{
    const rugi_pixel_coding halves = {.is_half = 1, .slope = 1};
    float *floats = to;
    if (packed->dtype != RUG_F32)
        unpack_bits(packed, to, from, n);
    else if (packed->bits == 16)
        rugi_decode_pixels(to, from, n, &halves);
    else
        for (size_t i = 0; i < n; i++)
            floats[i] = triple_value(triple(from + 3 * i));
}
