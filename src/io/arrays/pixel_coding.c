/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Stored pixels to pixels: byte order, 16-bit floats, slope and intercept. Loops are plain, so that
 * compilers make vectors of them. */

#include "pixel_coding.h"
#include <assert.h>
#include <stdint.h>
#include <string.h>

size_t rugi_coding_size(const rugi_pixel_coding *coding)
{
    return coding->is_half ? 2 : rug_dtype_size(coding->stored);
}

rug_dtype rugi_coding_dtype(const rugi_pixel_coding *coding)
{
    if (coding->is_half)
        return RUG_F32;
    if (!coding->scaled)
        return coding->stored;
    return rug_dtype_size(coding->stored) <= 2 || coding->stored == RUG_F32 ? RUG_F32
                                                                            : RUG_F64;
}

#define SWAPPER(name, type, swap)            \
    static void name(void *pixels, size_t n) \
    {                                        \
        type *at = pixels;                   \
        for (size_t i = 0; i < n; i++)       \
            at[i] = (type)(swap)(at[i]);     \
    }

SWAPPER(swap_2, uint16_t, __builtin_bswap16)
SWAPPER(swap_4, uint32_t, __builtin_bswap32)
SWAPPER(swap_8, uint64_t, __builtin_bswap64)

static void swap_pixels(void *pixels, size_t n, size_t size)
{
    switch (size) {
    case 2: swap_2(pixels, n); break;
    case 4: swap_4(pixels, n); break;
    case 8: swap_8(pixels, n); break;
    default: break;
    }
}

/** The value of a 16-bit float (IEEE 754-2008 binary16), exactly: its exponent and fraction, in the
 *  places of those of an f32, make a float that is 2^112 times too small. Every NaN becomes the
 *  same, with its sign. */
static float half_value(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    const uint32_t rest = (uint32_t)(half & 0x7fff) << 13;
    float value;
    uint32_t bits;
    memcpy(&value, &rest, sizeof value);
    value *= 0x1p112f;
    memcpy(&bits, &value, sizeof bits);
    /* All bits of a mask, or none: branches would keep compilers from vectors. */
    const uint32_t infinite = 0u - (uint32_t)(rest >= 0x0f800000);
    const uint32_t nan = 0u - (uint32_t)(rest > 0x0f800000);
    bits = (bits & ~infinite) | (infinite & 0x7f800000) | (nan & 0x00400000);
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void convert_halves(float *to, const uint16_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = half_value(from[i]);
}

#define SCALER(name, type)                                                           \
    static void name(void *to, int to_f32, const void *from, size_t n, double slope, \
                     double intercept)                                               \
    {                                                                                \
        const type *pixels = from;                                                   \
        float *f32 = to;                                                             \
        double *f64 = to;                                                            \
        for (size_t i = 0; i < n; i++) {                                             \
            double value = slope * (double)pixels[i] + intercept;                    \
            if (to_f32)                                                              \
                f32[i] = (float)value;                                               \
            else                                                                     \
                f64[i] = value;                                                      \
        }                                                                            \
    }

SCALER(scale_u8, uint8_t)
SCALER(scale_i8, int8_t)
SCALER(scale_u16, uint16_t)
SCALER(scale_i16, int16_t)
SCALER(scale_u32, uint32_t)
SCALER(scale_i32, int32_t)
SCALER(scale_u64, uint64_t)
SCALER(scale_i64, int64_t)
SCALER(scale_f32, float)
SCALER(scale_f64, double)

static void scale(void *to, const void *from, size_t n, const rugi_pixel_coding *coding)
{
    typedef void (*scaler)(void *, int, const void *, size_t, double, double);
    static const scaler scalers[RUG_N_DTYPES] = {
        NULL,      scale_u8,  scale_i8,  scale_u16, scale_i16, scale_u32,
        scale_i32, scale_u64, scale_i64, scale_f32, scale_f64};
    scalers[coding->stored](to, rugi_coding_dtype(coding) == RUG_F32, from, n,
                            coding->slope, coding->intercept);
}

void rugi_decode_pixels(void *to, void *from, size_t n, const rugi_pixel_coding *coding)
{
    assert(to == from || rugi_coding_converts(coding));
    if (coding->swap)
        swap_pixels(from, n, rugi_coding_size(coding));
    if (coding->is_half)
        convert_halves(to, from, n);
    else if (coding->scaled)
        scale(to, from, n, coding);
}
