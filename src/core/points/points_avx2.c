/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Keys of cells and of points, and the ends of points, with AVX2 and the instructions of BMI2
 * that deal out the bits of a number, and collect them. */

#include "morton.h"
#include <immintrin.h>
#include <string.h>

/* ---- Cells and keys ---- */

/* Where the bits of an axis go in the two words of a key; the lower ones come first. */
typedef struct axis_masks {
    uint64_t low, high;
    unsigned n_low;
} axis_masks;

static axis_masks masks_of(const rugi_key_layout *l, int axis)
{
    axis_masks m = {0, 0, 0};
    for (unsigned b = 0; b < l->n_bits[axis]; b++) {
        unsigned at = l->key_bit[axis][b];
        if (at < 64) {
            m.low |= (uint64_t)1 << at;
            m.n_low++;
        } else {
            m.high |= (uint64_t)1 << (at - 64);
        }
    }
    return m;
}

/* v without its n lowest bits; n may be 64. */
static inline uint64_t without_low(uint64_t v, unsigned n)
{
    return n < 64 ? v >> n : 0;
}

/* The common case, in one pass. */
static void encode_three(const rugi_key_layout *l, const uint64_t *places, size_t n,
                         uint64_t *keys)
{
    uint64_t m[3];
    for (int a = 0; a < 3; a++)
        m[a] = masks_of(l, a).low;
    const uint64_t *p[3] = {places, places + RUGI_CELLS_BLOCK,
                            places + 2 * RUGI_CELLS_BLOCK};
    for (size_t i = 0; i < n; i++)
        keys[i] = _pdep_u64(p[0][i] - l->base[0], m[0]) |
                  _pdep_u64(p[1][i] - l->base[1], m[1]) |
                  _pdep_u64(p[2][i] - l->base[2], m[2]);
}

static void encode_u64(const rugi_key_layout *l, const uint64_t *places, size_t n,
                       uint64_t *keys)
{
    if (l->axes == 3) {
        encode_three(l, places, n, keys);
        return;
    }
    memset(keys, 0, n * sizeof *keys);
    for (int a = 0; a < l->axes; a++, places += RUGI_CELLS_BLOCK) {
        axis_masks m = masks_of(l, a);
        for (size_t i = 0; i < n; i++)
            keys[i] |= _pdep_u64(places[i] - l->base[a], m.low);
    }
}

static void encode_u128(const rugi_key_layout *l, const uint64_t *places, size_t n,
                        rugi_u128 *keys)
{
    memset(keys, 0, n * sizeof *keys);
    for (int a = 0; a < l->axes; a++, places += RUGI_CELLS_BLOCK) {
        axis_masks m = masks_of(l, a);
        for (size_t i = 0; i < n; i++) {
            uint64_t v = places[i] - l->base[a];
            uint64_t high = _pdep_u64(without_low(v, m.n_low), m.high);
            keys[i] |= (rugi_u128)high << 64 | _pdep_u64(v, m.low);
        }
    }
}

static void decode_u64(const rugi_key_layout *l, const uint64_t *keys, size_t n,
                       uint64_t *places)
{
    for (int a = 0; a < l->axes; a++, places += RUGI_CELLS_BLOCK) {
        axis_masks m = masks_of(l, a);
        for (size_t i = 0; i < n; i++)
            places[i] = l->base[a] + _pext_u64(keys[i], m.low);
    }
}

static void decode_u128(const rugi_key_layout *l, const rugi_u128 *keys, size_t n,
                        uint64_t *places)
{
    for (int a = 0; a < l->axes; a++, places += RUGI_CELLS_BLOCK) {
        axis_masks m = masks_of(l, a);
        for (size_t i = 0; i < n; i++) {
            uint64_t high = _pext_u64((uint64_t)(keys[i] >> 64), m.high);
            uint64_t low = _pext_u64((uint64_t)keys[i], m.low);
            places[i] = l->base[a] + low + (m.n_low < 64 ? high << m.n_low : 0);
        }
    }
}

/* ---- Keys straight from the coordinates ----
 *
 * In one pass for points on up to three axes: places of 64 bits on the way would cost more
 * than the keys. */

/* Of an axis that is not there, the mask is 0: it reads the first one for nothing. */
typedef struct key_axis {
    ptrdiff_t at;
    uint64_t base; /* the coordinate that counts as 0 */
    uint64_t mask;
} key_axis;

static void make_axes(key_axis out[3], const rugi_key_layout *l, const rug_points *points,
                      uint64_t zero)
{
    memset(out, 0, 3 * sizeof *out);
    for (int a = 0; a < l->axes; a++) {
        out[a].at = a * points->stride[1];
        out[a].base = l->base[a] - zero;
        for (unsigned b = 0; b < l->n_bits[a]; b++)
            out[a].mask |= (uint64_t)1 << l->key_bit[a][b];
    }
}

/* floor(v), of which 64 bits hold the result. */
static inline uint64_t floor_of(double v)
{
    int64_t down = (int64_t)v;
    return (uint64_t)(down - ((double)down > v));
}

#define MAKE_KEYS(type, KEY, to_whole)                                           \
    for (size_t i = 0; i < n; i++, at += step) {                                 \
        type v[3];                                                               \
        for (int a = 0; a < 3; a++)                                              \
            memcpy(&v[a], at + axis[a].at, sizeof v[a]);                         \
        keys[i] = (KEY)(_pdep_u64(to_whole(v[0]) - axis[0].base, axis[0].mask) | \
                        _pdep_u64(to_whole(v[1]) - axis[1].base, axis[1].mask) | \
                        _pdep_u64(to_whole(v[2]) - axis[2].base, axis[2].mask)); \
    }                                                                            \
    break

#define DEFINE_OF_POINTS(name, KEY)                                                     \
    static void name(const rugi_key_layout *l, const rug_points *points, uint64_t zero, \
                     uint64_t first, size_t n, KEY *keys)                               \
    {                                                                                   \
        key_axis axis[3];                                                               \
        ptrdiff_t step = points->stride[0];                                             \
        const char *at = (const char *)points->data + (ptrdiff_t)first * step;          \
        make_axes(axis, l, points, zero);                                               \
        switch (points->dtype) {                                                        \
        case RUG_U8: MAKE_KEYS(uint8_t, KEY, (uint64_t));                               \
        case RUG_I8: MAKE_KEYS(int8_t, KEY, (uint64_t));                                \
        case RUG_U16: MAKE_KEYS(uint16_t, KEY, (uint64_t));                             \
        case RUG_I16: MAKE_KEYS(int16_t, KEY, (uint64_t));                              \
        case RUG_U32: MAKE_KEYS(uint32_t, KEY, (uint64_t));                             \
        case RUG_I32: MAKE_KEYS(int32_t, KEY, (uint64_t));                              \
        case RUG_F32: MAKE_KEYS(float, KEY, floor_of);                                  \
        case RUG_F64: MAKE_KEYS(double, KEY, floor_of);                                 \
        case RUG_U64: MAKE_KEYS(uint64_t, KEY, (uint64_t));                             \
        default: MAKE_KEYS(int64_t, KEY, (uint64_t));                                   \
        }                                                                               \
    }

DEFINE_OF_POINTS(of_points_u32, uint32_t)
DEFINE_OF_POINTS(of_points_u64, uint64_t)

/* ---- Ends ----
 *
 * Of points that lie one behind the other, in three registers: those hold whole points of one, two, three, four or six axes of most types, so that each of their values
 * belongs to the same axis all the time. */

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

static int see_ends(rugi_ends *ends, const rug_points *points, uint64_t first, uint64_t n)
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

void rugi_key_kernels_set_avx2(rugi_key_kernels *kernels)
{
    kernels->encode_u64 = encode_u64;
    kernels->encode_u128 = encode_u128;
    kernels->decode_u64 = decode_u64;
    kernels->decode_u128 = decode_u128;
    kernels->of_points_u32 = of_points_u32;
    kernels->of_points_u64 = of_points_u64;
    kernels->see_ends = see_ends;
}
