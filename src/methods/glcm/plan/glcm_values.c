/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels as numbers, and those that re-segmentation leaves out. */

#include "glcm_values.h"
#include <math.h>

#define LOAD(in, type, value)             \
    for (size_t i = 0; i < n; i++) {      \
        in v = ((const in *)pixels)[i];   \
        ((type *)out)[i] = (type)(value); \
    }                                     \
    break

static void load_integers(int64_t *out, const void *pixels, size_t n, rug_dtype dtype)
{
    switch (dtype) {
    case RUG_BIT:
    case RUG_U8: LOAD(uint8_t, int64_t, v);
    case RUG_I8: LOAD(int8_t, int64_t, v);
    case RUG_U16: LOAD(uint16_t, int64_t, v);
    case RUG_I16: LOAD(int16_t, int64_t, v);
    case RUG_U32: LOAD(uint32_t, int64_t, v);
    case RUG_I32: LOAD(int32_t, int64_t, v);
    case RUG_U64: LOAD(uint64_t, int64_t, v ^ (uint64_t)1 << 63);
    default: LOAD(int64_t, int64_t, v);
    }
}

static void load_doubles(double *out, const void *pixels, size_t n, rug_dtype dtype)
{
    switch (dtype) {
    case RUG_BIT:
    case RUG_U8: LOAD(uint8_t, double, v);
    case RUG_I8: LOAD(int8_t, double, v);
    case RUG_U16: LOAD(uint16_t, double, v);
    case RUG_I16: LOAD(int16_t, double, v);
    case RUG_U32: LOAD(uint32_t, double, v);
    case RUG_I32: LOAD(int32_t, double, v);
    case RUG_U64: LOAD(uint64_t, double, v);
    case RUG_I64: LOAD(int64_t, double, v);
    case RUG_F32: LOAD(float, double, v);
    default: LOAD(double, double, v);
    }
}

void rugi_glcm_load(void *out, const void *pixels, size_t n, rug_dtype dtype,
                    int as_integers)
{
    if (as_integers)
        load_integers(out, pixels, n, dtype);
    else
        load_doubles(out, pixels, n, dtype);
}

uint64_t rugi_glcm_leave_out(uint8_t *inside, const rugi_glcm_plan *plan,
                             const void *loaded, size_t n)
{
    const int64_t *integers = loaded;
    const double *reals = loaded;
    uint64_t n_left_out = 0;
    for (size_t i = 0; i < n; i++) {
        int is_out = plan->is_float ? isfinite(reals[i]) && (reals[i] < plan->keep_lo ||
                                                             reals[i] > plan->keep_hi)
                                    : integers[i] < plan->keep_least ||
                                          integers[i] > plan->keep_most;
        n_left_out += inside[i] && is_out;
        inside[i] = inside[i] && !is_out;
    }
    return n_left_out;
}
