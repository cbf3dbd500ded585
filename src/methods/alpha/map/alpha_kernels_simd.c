/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of maps of alpha: plain loops that compilers vectorise. */

#include "alpha_kernels.h"
#include "alpha_log.h"

#define TO_DOUBLE(type)                             \
    for (size_t i = 0; i < n; i++)                  \
        out[i] = (double)((const type *)pixels)[i]; \
    break

/* 64-bit integers are rounded: the largest of rounded ones is the largest, rounded. */
static inline void to_double(double *restrict out, const void *restrict pixels,
                             rug_dtype dtype, size_t n)
{
    switch (dtype) {
    case RUG_U8: TO_DOUBLE(uint8_t);
    case RUG_I8: TO_DOUBLE(int8_t);
    case RUG_U16: TO_DOUBLE(uint16_t);
    case RUG_I16: TO_DOUBLE(int16_t);
    case RUG_U32: TO_DOUBLE(uint32_t);
    case RUG_I32: TO_DOUBLE(int32_t);
    case RUG_U64: TO_DOUBLE(uint64_t);
    case RUG_I64: TO_DOUBLE(int64_t);
    case RUG_F32: TO_DOUBLE(float);
    default: TO_DOUBLE(double);
    }
}

static void halves(double *restrict upper, double *restrict lower,
                   const void *restrict pixels, rug_dtype dtype, size_t n)
{
    const uint64_t *c = pixels;
    for (size_t i = 0; i < n; i++) {
        upper[i] = (double)(c[i] >> 32);
        lower[i] = (double)(uint32_t)c[i];
    }
    for (size_t i = 0; dtype == RUG_I64 && i < n; i++)
        upper[i] = c[i] >> 63 ? (double)NAN : upper[i];
}

/* Signed integers keep their order when the sign is turned. */
static void ordered(uint64_t *restrict out, const void *restrict pixels, rug_dtype dtype,
                    size_t n)
{
    uint64_t sign = dtype == RUG_I64 ? (uint64_t)1 << 63 : 0;
    for (size_t i = 0; i < n; i++)
        out[i] = ((const uint64_t *)pixels)[i] ^ sign;
}

static inline void logs_or(double *restrict v, double bad, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double x = v[i];
        v[i] = rugi_alpha_pick((x >= 0.0) & (x < INFINITY), rugi_alpha_log(x), bad);
    }
}

static void load(double *const out[RUGI_ALPHA_MAX_PARTS], const void *pixels,
                 rug_dtype dtype, size_t n, rug_alpha_measure measure, int wide)
{
    double *restrict v = out[0];
    if (wide && measure == RUG_ALPHA_SUM) {
        halves(v, out[1], pixels, dtype, n);
        return;
    }
    if (wide) {
        ordered((void *)v, pixels, dtype, n);
        return;
    }
    to_double(v, pixels, dtype, n);
    if (measure == RUG_ALPHA_MAX)
        logs_or(v, INFINITY, n);
    else if (measure == RUG_ALPHA_MIN)
        logs_or(v, -INFINITY, n);
    for (size_t i = 0; measure == RUG_ALPHA_SUM && i < n; i++)
        v[i] = rugi_alpha_pick((v[i] >= 0.0) & (v[i] < INFINITY), v[i], NAN);
    for (size_t i = 0; measure == RUG_ALPHA_ISO && i < n; i++)
        v[i] = rugi_alpha_pick(fabs(v[i]) < INFINITY, v[i], NAN);
}

static inline double larger_of(double a, double b)
{
    return a > b ? a : b;
}

static inline double lesser_of(double a, double b)
{
    return a < b ? a : b;
}

static inline double sum_of(double a, double b)
{
    return a + b;
}

#define FOLD(name, op)                                                                   \
    static void fold_##name(double *to, const double *from, const double *a,             \
                            const double *b, size_t n)                                   \
    {                                                                                    \
        for (size_t i = 0; i < n; i++)                                                   \
            to[i] = op(from[i], op(a[i], b[i]));                                         \
    }                                                                                    \
    static void fold_one_##name(double *restrict to, const double *restrict a, size_t n) \
    {                                                                                    \
        for (size_t i = 0; i < n; i++)                                                   \
            to[i] = op(to[i], a[i]);                                                     \
    }
FOLD(max, larger_of)
FOLD(min, lesser_of)
FOLD(sum, sum_of)

static void iso(double *restrict mu, const double *restrict pixels,
                const double *restrict centres, double tolerance, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double d = pixels[i] - centres[i];
        double one = fabs(d) <= tolerance ? 1.0 : 0.0;
        mu[i] += d == d ? one : d;
    }
}

static void iso_wide(double *restrict mu, const uint64_t *restrict pixels,
                     const uint64_t *restrict centres, uint64_t tolerance, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t a = pixels[i], b = centres[i];
        uint64_t d = a > b ? a - b : b - a;
        mu[i] += d <= tolerance ? 1.0 : 0.0;
    }
}

static void join(double *restrict upper, const double *restrict lower, size_t n)
{
    for (size_t i = 0; i < n; i++)
        upper[i] = upper[i] * 4294967296.0 + lower[i];
}

static void logs(double *restrict out, const double *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = rugi_alpha_log(x[i]);
}

static void add(double *restrict sum, const double *restrict ln_mu,
                const double *restrict ln_centre, double weight, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += weight * (ln_mu[i] - ln_centre[i]);
}

static void finish(float *restrict out, const double *restrict sum, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (float)rugi_alpha_pick(fabs(sum[i]) < INFINITY, sum[i], NAN);
}

void RUGI_AT_LEVEL(rugi_alpha_set_kernels)(rugi_alpha_kernels *kernels)
{
    *kernels = (rugi_alpha_kernels){
        .name = RUGI_LEVEL_ENGINE,
        .load = load,
        .fold = {fold_max, fold_min, fold_sum},
        .fold_one = {fold_one_max, fold_one_min, fold_one_sum},
        .iso = iso,
        .iso_wide = iso_wide,
        .join = join,
        .log = logs,
        .add = add,
        .finish = finish,
    };
}
