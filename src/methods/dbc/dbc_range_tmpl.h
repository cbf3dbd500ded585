/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The extremes of a segment: plain loops of the kernels, which compilers make vectors of where a
 * level has them. */

#ifndef RUGI_DBC_RANGE_TMPL_H
#define RUGI_DBC_RANGE_TMPL_H

#include "dbc_kernels.h"
#include <float.h>
#include <math.h>

/* Independent extremes of floats, whose order compilers must keep otherwise. */
#define LANES 32

#define DEFINE_INTEGER_RANGE(name, type, flip)                         \
    static void name(rugi_dbc_range *s, const type *pixels, size_t n)  \
    {                                                                  \
        type lo = pixels[0], hi = lo;                                  \
        for (size_t i = 0; i < n; i++) {                               \
            lo = pixels[i] < lo ? pixels[i] : lo;                      \
            hi = pixels[i] > hi ? pixels[i] : hi;                      \
        }                                                              \
        uint64_t a = (uint64_t)lo + (flip), b = (uint64_t)hi + (flip); \
        s->lo = a < s->lo ? a : s->lo;                                 \
        s->hi = b > s->hi ? b : s->hi;                                 \
    }

/* NaN is neither below nor above anything, and what is infinite is kept out. */
#define DEFINE_REAL_RANGE(name, type, largest)                                    \
    static void name(rugi_dbc_range *s, const type *pixels, size_t n)             \
    {                                                                             \
        type lo[LANES], hi[LANES];                                                \
        size_t i = 0;                                                             \
        for (int j = 0; j < LANES; j++) {                                         \
            lo[j] = (type)INFINITY;                                               \
            hi[j] = -(type)INFINITY;                                              \
        }                                                                         \
        for (; i + LANES <= n; i += LANES)                                        \
            for (int j = 0; j < LANES; j++) {                                     \
                type v = pixels[i + (size_t)j];                                   \
                lo[j] = ((v >= -(largest)) & (v < lo[j])) ? v : lo[j];            \
                hi[j] = ((v <= (largest)) & (v > hi[j])) ? v : hi[j];             \
            }                                                                     \
        for (; i < n; i++) {                                                      \
            type v = pixels[i];                                                   \
            lo[0] = ((v >= -(largest)) & (v < lo[0])) ? v : lo[0];                \
            hi[0] = ((v <= (largest)) & (v > hi[0])) ? v : hi[0];                 \
        }                                                                         \
        for (int j = 0; j < LANES; j++) {                                         \
            s->real_lo = (double)lo[j] < s->real_lo ? (double)lo[j] : s->real_lo; \
            s->real_hi = (double)hi[j] > s->real_hi ? (double)hi[j] : s->real_hi; \
        }                                                                         \
    }

DEFINE_INTEGER_RANGE(range_u8, uint8_t, 0)
DEFINE_INTEGER_RANGE(range_i8, int8_t, 0x80)
DEFINE_INTEGER_RANGE(range_u16, uint16_t, 0)
DEFINE_INTEGER_RANGE(range_i16, int16_t, 0x8000)
DEFINE_INTEGER_RANGE(range_u32, uint32_t, 0)
DEFINE_INTEGER_RANGE(range_i32, int32_t, (uint64_t)1 << 31)
DEFINE_INTEGER_RANGE(range_u64, uint64_t, 0)
DEFINE_INTEGER_RANGE(range_i64, int64_t, (uint64_t)1 << 63)
DEFINE_REAL_RANGE(range_f32, float, FLT_MAX)
DEFINE_REAL_RANGE(range_f64, double, DBL_MAX)

static void widen_range(rugi_dbc_range *s, rug_dtype dtype, const void *pixels, size_t n)
{
    switch (dtype) {
    case RUG_U8: range_u8(s, pixels, n); break;
    case RUG_I8: range_i8(s, pixels, n); break;
    case RUG_U16: range_u16(s, pixels, n); break;
    case RUG_I16: range_i16(s, pixels, n); break;
    case RUG_U32: range_u32(s, pixels, n); break;
    case RUG_I32: range_i32(s, pixels, n); break;
    case RUG_U64: range_u64(s, pixels, n); break;
    case RUG_I64: range_i64(s, pixels, n); break;
    case RUG_F32: range_f32(s, pixels, n); break;
    default: range_f64(s, pixels, n); break;
    }
}

#endif
