/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Keys of points on up to three axes straight from their coordinates, in one pass: places
 * of 64 bits on the way would cost more than the keys. */

#include "morton.h"
#include <immintrin.h>
#include <string.h>

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

void rugi_key_kernels_points_avx2(rugi_key_kernels *kernels)
{
    kernels->of_points_u32 = of_points_u32;
    kernels->of_points_u64 = of_points_u64;
}
