/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The ends of points that lie one behind the other, in three registers: those hold whole
 * points of one, two, three, four or six axes of most types, so that each of their values
 * belongs to the same axis all the time. */

#include "point_ends.h"
#include <immintrin.h>
#include <string.h>

#define STEP 96

typedef struct flat {
    const char *data;
    size_t n_bytes; /* STEP at least */
    int axes;
} flat;

/* The last step overlaps the one before, and begins with a point as they all do. */
static inline size_t step_at(const flat *f, size_t at)
{
    return at + STEP <= f->n_bytes ? at : f->n_bytes - STEP;
}

#define DEFINE_WHOLE(type, suffix)                                              \
    static void see_##suffix(rugi_ends *ends, const flat *f)                    \
    {                                                                           \
        __m256i low[3], high[3];                                                \
        type lows[STEP / sizeof(type)], highs[STEP / sizeof(type)];             \
        for (int k = 0; k < 3; k++)                                             \
            low[k] = high[k] =                                                  \
                _mm256_loadu_si256((const __m256i *)(const void *)f->data + k); \
        for (size_t at = STEP; at < f->n_bytes; at += STEP)                     \
            for (int k = 0; k < 3; k++) {                                       \
                const void *p = f->data + step_at(f, at) + 32 * k;              \
                __m256i v = _mm256_loadu_si256((const __m256i *)p);             \
                low[k] = _mm256_min_##suffix(low[k], v);                        \
                high[k] = _mm256_max_##suffix(high[k], v);                      \
            }                                                                   \
        memcpy(lows, low, sizeof lows);                                         \
        memcpy(highs, high, sizeof highs);                                      \
        for (size_t i = 0; i < STEP / sizeof(type); i++) {                      \
            size_t axis = i % (size_t)f->axes;                                  \
            uint64_t least = (uint64_t)lows[i] ^ (uint64_t)1 << 63;             \
            uint64_t most = (uint64_t)highs[i] ^ (uint64_t)1 << 63;             \
            if (least < ends->least_place[axis])                                \
                ends->least_place[axis] = least;                                \
            if (most > ends->most_place[axis])                                  \
                ends->most_place[axis] = most;                                  \
        }                                                                       \
    }

DEFINE_WHOLE(uint8_t, epu8)
DEFINE_WHOLE(int8_t, epi8)
DEFINE_WHOLE(uint16_t, epu16)
DEFINE_WHOLE(int16_t, epi16)
DEFINE_WHOLE(uint32_t, epu32)
DEFINE_WHOLE(int32_t, epi32)

/* Only what is not finite leaves something other than 0 when taken from itself. */
#define DEFINE_REAL(type, suffix, vector)                                                \
    static int see_##suffix(rugi_ends *ends, const flat *f)                              \
    {                                                                                    \
        vector low[3], high[3], zero = _mm256_setzero_##suffix();                        \
        vector bad = zero, broken = zero;                                                \
        type lows[STEP / sizeof(type)], highs[STEP / sizeof(type)];                      \
        for (int k = 0; k < 3; k++)                                                      \
            low[k] = high[k] =                                                           \
                _mm256_loadu_##suffix((const type *)(const void *)(f->data + 32 * k));   \
        for (size_t at = 0; at < f->n_bytes; at += STEP)                                 \
            for (int k = 0; k < 3; k++) {                                                \
                const void *p = f->data + step_at(f, at) + 32 * k;                       \
                vector v = _mm256_loadu_##suffix((const type *)p);                       \
                vector whole = _mm256_round_##suffix(v, 8 | _MM_FROUND_TO_ZERO);         \
                vector none = _mm256_sub_##suffix(v, v);                                 \
                low[k] = _mm256_min_##suffix(low[k], v);                                 \
                high[k] = _mm256_max_##suffix(high[k], v);                               \
                bad = _mm256_or_##suffix(bad,                                            \
                                         _mm256_cmp_##suffix(none, zero, _CMP_NEQ_UQ));  \
                broken = _mm256_or_##suffix(broken,                                      \
                                            _mm256_cmp_##suffix(whole, v, _CMP_NEQ_UQ)); \
            }                                                                            \
        if (_mm256_movemask_##suffix(bad) != 0)                                          \
            return 0;                                                                    \
        memcpy(lows, low, sizeof lows);                                                  \
        memcpy(highs, high, sizeof highs);                                               \
        for (size_t i = 0; i < STEP / sizeof(type); i++) {                               \
            size_t axis = i % (size_t)f->axes;                                           \
            if ((double)lows[i] < ends->least[axis])                                     \
                ends->least[axis] = (double)lows[i];                                     \
            if ((double)highs[i] > ends->most[axis])                                     \
                ends->most[axis] = (double)highs[i];                                     \
        }                                                                                \
        ends->is_broken |= _mm256_movemask_##suffix(broken) != 0;                        \
        return 1;                                                                        \
    }

DEFINE_REAL(float, ps, __m256)
DEFINE_REAL(double, pd, __m256d)

#define CASE(dtype, suffix) \
    case dtype: see_##suffix(ends, &f); return 1

int rugi_ends_see_avx2(rugi_ends *ends, const rug_points *points, uint64_t first,
                       uint64_t n)
{
    ptrdiff_t size = (ptrdiff_t)rug_dtype_size(points->dtype), axes = points->ndim;
    flat f = {(const char *)points->data + (ptrdiff_t)first * points->stride[0],
              (size_t)n * (size_t)(axes * size), points->ndim};
    if (points->stride[1] != size || points->stride[0] != axes * size ||
        STEP % (axes * size) != 0 || f.n_bytes < STEP)
        return 0;
    switch (points->dtype) {
        CASE(RUG_U8, epu8);
        CASE(RUG_I8, epi8);
        CASE(RUG_U16, epu16);
        CASE(RUG_I16, epi16);
        CASE(RUG_U32, epu32);
        CASE(RUG_I32, epi32);
    case RUG_F32: return see_ps(ends, &f);
    case RUG_F64: return see_pd(ends, &f);
    default: return 0;
    }
}
