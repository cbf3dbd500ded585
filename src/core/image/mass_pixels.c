/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels to masses. */

#include "image_internal.h"
#include "mass.h"
#include <math.h>
#include <string.h>

/* Pixels whose flags are made at once. */
#define BLOCK 1024

rugi_mass rugi_mass_make(rug_dtype dtype, int is_binary, rug_foreground rule,
                         int exponent)
{
    rugi_mass m = {.dtype = dtype, .is_binary = is_binary};
    if (is_binary)
        m.predicate = rugi_predicate_make(dtype, rule);
    else if (dtype == RUG_F32 || dtype == RUG_F64)
        m.exponent = exponent;
    return m;
}

/* 2^-exponent as two factors, since one alone may leave the range of double. What becomes
 * subnormal on the way is far below half a unit. */
typedef struct scale {
    double first, second;
} scale;

static scale scale_of(int exponent)
{
    int first = exponent < -1000 ? 1000 : -exponent;
    return (scale){ldexp(1.0, first), ldexp(1.0, -exponent - first)};
}

/* Rounds to the nearest number of units, halves to even. */
static uint64_t units_of(double v, scale s)
{
    double units = v * s.first * s.second;
    if (!(units > 0 && isfinite(v)))
        return 0;
    if (units >= 0x1p64)
        return UINT64_MAX;
    return (uint64_t)(units < 0x1p52 ? units + 0x1p52 - 0x1p52 : units);
}

static void masses_of_flags(const rugi_mass *mass, uint64_t *out, const char *pixels,
                            size_t n)
{
    uint8_t flags[BLOCK];
    size_t size = rug_dtype_size(rugi_segment_dtype(mass->dtype));
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t m = n - done < BLOCK ? n - done : BLOCK;
        rugi_predicate_flags(&mass->predicate, mass->dtype, flags, pixels + done * size,
                             m);
        for (size_t i = 0; i < m; i++)
            out[done + i] = flags[i];
    }
}

#define UNSIGNED_MASSES(type)      \
    for (size_t i = 0; i < n; i++) \
    out[i] = ((const type *)pixels)[i]

#define SIGNED_MASSES(type)                    \
    for (size_t i = 0; i < n; i++) {           \
        int64_t v = ((const type *)pixels)[i]; \
        out[i] = v < 0 ? 0 : (uint64_t)v;      \
    }

#define REAL_MASSES(type)          \
    for (size_t i = 0; i < n; i++) \
    out[i] = units_of((double)((const type *)pixels)[i], s)

static void masses_of_values(const rugi_mass *mass, uint64_t *out, const void *pixels,
                             size_t n)
{
    scale s = scale_of(mass->exponent);
    switch (rugi_segment_dtype(mass->dtype)) {
    case RUG_U8: UNSIGNED_MASSES(uint8_t); break;
    case RUG_U16: UNSIGNED_MASSES(uint16_t); break;
    case RUG_U32: UNSIGNED_MASSES(uint32_t); break;
    case RUG_U64: UNSIGNED_MASSES(uint64_t); break;
    case RUG_I8: SIGNED_MASSES(int8_t); break;
    case RUG_I16: SIGNED_MASSES(int16_t); break;
    case RUG_I32: SIGNED_MASSES(int32_t); break;
    case RUG_I64: SIGNED_MASSES(int64_t); break;
    case RUG_F32: REAL_MASSES(float); break;
    default: REAL_MASSES(double); break;
    }
}

void rugi_mass_of_pixels(const rugi_mass *mass, uint64_t *out, const void *pixels,
                         size_t n, const uint8_t *inside)
{
    if (mass->is_binary)
        masses_of_flags(mass, out, pixels, n);
    else
        masses_of_values(mass, out, pixels, n);
    for (size_t i = 0; inside != NULL && i < n; i++)
        out[i] = inside[i] ? out[i] : 0;
}

#define COUNT_LEFT_OUT(type)                                                           \
    for (size_t i = 0; i < n; i++) {                                                   \
        type v = ((const type *)pixels)[i];                                            \
        n_left_out +=                                                                  \
            !(mass->is_binary ? v == v : isfinite(v)) & (inside == NULL || inside[i]); \
    }

size_t rugi_mass_count_left_out(const rugi_mass *mass, const void *pixels, size_t n,
                                const uint8_t *inside)
{
    size_t n_left_out = 0;
    if (mass->dtype == RUG_F32) {
        COUNT_LEFT_OUT(float)
    } else if (mass->dtype == RUG_F64) {
        COUNT_LEFT_OUT(double)
    }
    return n_left_out;
}

#define FIND(type, is_bad)                             \
    for (size_t i = 0; i < n; i++) {                   \
        type v = ((const type *)pixels)[i];            \
        if ((is_bad) && (inside == NULL || inside[i])) \
            return i;                                  \
    }                                                  \
    return n

size_t rugi_mass_find_negative(const rugi_mass *mass, const void *pixels, size_t n,
                               const uint8_t *inside)
{
    if (mass->is_binary)
        return n;
    switch (mass->dtype) {
    case RUG_I8: FIND(int8_t, v < 0);
    case RUG_I16: FIND(int16_t, v < 0);
    case RUG_I32: FIND(int32_t, v < 0);
    case RUG_I64: FIND(int64_t, v < 0);
    case RUG_F32: FIND(float, v < 0 && isfinite(v));
    case RUG_F64: FIND(double, v < 0 && isfinite(v));
    default: return n;
    }
}
