/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which values occur. Vectors of 8 bits look their pixels up in the set of 32 bytes, by two
 * shuffles: few have a value that is not in it yet, and only these are looked at one by one.
 * Pixels of 16 bits are looked up one by one, but where a block has two values only. More bits are
 * looked up in a table of known values. */

#include "core/context/vectors.h"
#include "range_kernels.h"
#include <string.h>

/* ---- 8 bits ---- */

/* By a table of bytes: stores wait for nothing, unlike bits that are added to a byte. */
static void add_one_by_one(uint8_t seen[RUGI_SEEN_BYTES_8], const uint8_t *pixels,
                           size_t n)
{
    uint8_t found[256] = {0};
    for (size_t i = 0; i < n; i++)
        found[pixels[i]] = 1;
    for (size_t v = 0; v < 256; v++)
        seen[v / 8] = (uint8_t)(seen[v / 8] | found[v] << v % 8);
}

#if RUGI_VECTOR_BYTES == 0

static void add_8(uint8_t seen[RUGI_SEEN_BYTES_8], const uint8_t *pixels, size_t n)
{
    add_one_by_one(seen, pixels, n);
}

#else

#if RUGI_VECTOR_BYTES == 32
#define LANES128(p) \
    _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define SET8       _mm256_set1_epi8
#define ADD8       _mm256_add_epi8
#define SHUFFLE8   _mm256_shuffle_epi8
#define OR         _mm256_or_si256
#define ONLY(a, b) _mm256_andnot_si256(b, a) /* bits of a that b does not have */
#define IS_ZERO(v) _mm256_testz_si256(v, v)
#elif RUGI_VECTOR_BYTES == 64
#define LANES128(p) \
    _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define SET8       _mm512_set1_epi8
#define ADD8       _mm512_add_epi8
#define SHUFFLE8   _mm512_shuffle_epi8
#define OR         _mm512_or_si512
#define ONLY(a, b) _mm512_andnot_si512(b, a)
#define IS_ZERO(v) (_mm512_test_epi64_mask(v, v) == 0)
#else
#define LANES128   wasm_v128_load
#define SET8       wasm_i8x16_splat
#define ADD8       wasm_i8x16_add
#define SHUFFLE8   wasm_i8x16_swizzle
#define OR         wasm_v128_or
#define ONLY       wasm_v128_andnot
#define IS_ZERO(v) (!wasm_v128_any_true(v))
#endif

/* What is added to an index, so that a shuffle gives 0 from 16 on: on x86 it does where the top bit
 * is set, in WebAssembly by itself. */
#define BEYOND_16 (RUGI_VECTOR_BYTES == 16 ? 0 : 0x70)

/* Vectors of a block. */
#define BLOCK_8   8

static void add_8(uint8_t seen[RUGI_SEEN_BYTES_8], const uint8_t *pixels, size_t n)
{
    static const uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                     1, 2, 4, 8, 16, 32, 64, 128};
    const size_t step = BLOCK_8 * sizeof(V);
    const V bit_of = LANES128(bits), low = SET8(0x0f), byte = SET8(0x1f);
    V first = LANES128(seen), second = LANES128(seen + 16);
    size_t i = 0;
    for (; i + step <= n; i += step) {
        V missing = ZERO;
        for (size_t k = 0; k < BLOCK_8; k++) {
            V v = LOAD(pixels + i + k * sizeof(V));
            V at = AND(SHIFT16(v, 3), byte);
            V has = OR(SHUFFLE8(first, ADD8(at, SET8(BEYOND_16))),
                       SHUFFLE8(second, ADD8(at, SET8(-16))));
            missing = OR(missing, ONLY(SHUFFLE8(bit_of, AND(v, low)), has));
        }
        if (IS_ZERO(missing))
            continue;
        add_one_by_one(seen, pixels + i, step);
        first = LANES128(seen);
        second = LANES128(seen + 16);
    }
    if (i < n)
        add_one_by_one(seen, pixels + i, n - i);
}

#endif

/* ---- 16 bits ---- */

/* Pixels that are looked at at once. */
#define BLOCK_16 64

/* Whether a block is made of its first and its last value, like those of label images. */
static int has_two_values(const uint16_t *pixels)
{
    uint16_t first = pixels[0], last = pixels[BLOCK_16 - 1], others = 0;
    for (size_t i = 0; i < BLOCK_16; i++)
        others |= (uint16_t)((pixels[i] != first) & (pixels[i] != last));
    return others == 0;
}

static uint32_t add_one(uint8_t seen[RUGI_SEEN_BYTES_16], uint16_t v)
{
    if (seen[v / 8] >> v % 8 & 1)
        return 0;
    seen[v / 8] = (uint8_t)(seen[v / 8] | 1 << v % 8);
    return 1;
}

static uint32_t add_16(uint8_t seen[RUGI_SEEN_BYTES_16], const uint16_t *pixels, size_t n,
                       uint32_t most)
{
    uint32_t n_new = 0;
    for (size_t i = 0; i < n && n_new <= most; i += BLOCK_16) {
        size_t end = n - i < BLOCK_16 ? n : i + BLOCK_16;
        if (end - i == BLOCK_16 && has_two_values(pixels + i)) {
            n_new += add_one(seen, pixels[i]);
            n_new += add_one(seen, pixels[end - 1]);
            continue;
        }
        for (size_t k = i; k < end; k++)
            n_new += add_one(seen, pixels[k]);
    }
    return n_new;
}

static void extremes_16(uint16_t out[2], const uint16_t *pixels, size_t n, uint16_t flip)
{
    uint16_t lo = UINT16_MAX, hi = 0;
    for (size_t i = 0; i < n; i++) {
        uint16_t v = (uint16_t)(pixels[i] ^ flip);
        lo = v < lo ? v : lo;
        hi = v > hi ? v : hi;
    }
    out[0] = lo;
    out[1] = hi;
}

/* ---- 32 and 64 bits ---- */

static inline size_t unknown_32_from(uint16_t *at, size_t n_found, const uint32_t *table,
                                     const uint32_t *pixels, size_t i, size_t n)
{
    for (; i < n; i++) {
        at[n_found] = (uint16_t)i;
        n_found += table[rugi_slot_of(pixels[i])] != pixels[i];
    }
    return n_found;
}

static inline size_t unknown_64_from(uint16_t *at, size_t n_found, const uint64_t *table,
                                     const uint64_t *pixels, size_t i, size_t n)
{
    for (; i < n; i++) {
        uint32_t mixed = (uint32_t)(pixels[i] ^ pixels[i] >> 32);
        at[n_found] = (uint16_t)i;
        n_found += table[rugi_slot_of(mixed)] != pixels[i];
    }
    return n_found;
}

#if RUGI_VECTOR_BYTES == 32

#define HASH(v) SHIFT32(_mm256_mullo_epi32(v, factor), 32 - RUGI_KNOWN_BITS)
#define DIFFER_32(table, v)                                                \
    (~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32( \
         _mm256_i32gather_epi32((const int *)(table), HASH(v), 4), v))) &  \
     0xff)
/* Slots stand in the lower halves of lanes. */
#define DIFFER_64(table, v)                                                \
    (~(uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64( \
         _mm256_i64gather_epi64((const long long *)(table),                \
                                AND(HASH(MIX(v)), SET64(0xffffffff)), 8),  \
         v))) &                                                            \
     0xf)
#define MIX(v) _mm256_xor_si256(v, SHIFT64(v, 32))

#elif RUGI_VECTOR_BYTES == 64

#define HASH(v) SHIFT32(_mm512_mullo_epi32(v, factor), 32 - RUGI_KNOWN_BITS)
#define DIFFER_32(table, v) \
    (uint32_t) _mm512_cmpneq_epi32_mask(_mm512_i32gather_epi32(HASH(v), table, 4), v)
#define DIFFER_64(table, v)              \
    (uint32_t) _mm512_cmpneq_epi64_mask( \
        _mm512_i64gather_epi64(AND(HASH(MIX(v)), SET64(0xffffffff)), table, 8), v)
#define MIX(v) _mm512_xor_si512(v, SHIFT64(v, 32))

#endif

#if RUGI_VECTOR_BYTES <= 16

#define DEFINE_UNKNOWN(bits)                                                          \
    static size_t unknown_##bits(uint16_t *at, const void *table, const void *pixels, \
                                 size_t n)                                            \
    {                                                                                 \
        return unknown_##bits##_from(at, 0, table, pixels, 0, n);                     \
    }

#else

#define DEFINE_UNKNOWN(bits)                                                          \
    static size_t unknown_##bits(uint16_t *at, const void *table, const void *pixels, \
                                 size_t n)                                            \
    {                                                                                 \
        const V factor = SET32((int)0x9e3779b1u);                                     \
        const size_t step = RUGI_VECTOR_BYTES / (bits / 8);                           \
        size_t n_found = 0, i = 0;                                                    \
        for (; i + step <= n; i += step) {                                            \
            V v = LOAD((const char *)pixels + i * (bits / 8));                        \
            for (uint32_t differ = DIFFER_##bits(table, v); differ;                   \
                 differ &= differ - 1)                                                \
                at[n_found++] = (uint16_t)(i + (size_t)__builtin_ctz(differ));        \
        }                                                                             \
        return unknown_##bits##_from(at, n_found, table, pixels, i, n);               \
    }

#endif

DEFINE_UNKNOWN(32)
DEFINE_UNKNOWN(64)

/* Loops that compilers make vectors of where a level has them. */
#define FIND_EXTREMES(type, wide)        \
    do {                                 \
        const type *v = pixels;          \
        type lo = v[0], hi = lo;         \
        for (size_t i = 0; i < n; i++) { \
            lo = v[i] < lo ? v[i] : lo;  \
            hi = v[i] > hi ? v[i] : hi;  \
        }                                \
        out[0] = (uint64_t)(wide)lo;     \
        out[1] = (uint64_t)(wide)hi;     \
    } while (0)

static void extremes(uint64_t out[2], rug_dtype dtype, const void *pixels, size_t n)
{
    switch (dtype) {
    case RUG_U32: FIND_EXTREMES(uint32_t, uint32_t); break;
    case RUG_I32: FIND_EXTREMES(int32_t, int64_t); break;
    case RUG_U64: FIND_EXTREMES(uint64_t, uint64_t); break;
    default: FIND_EXTREMES(int64_t, int64_t); break;
    }
}

/* Independent extremes of floats, whose order compilers must keep otherwise. */
#define LANES 32

/* A sum of differences to itself is NaN where a value is NaN or infinite, else 0. */
#define DEFINE_REAL_EXTREMES(name, type)                         \
    static int name(double out[2], const void *pixels, size_t n) \
    {                                                            \
        const type *v = pixels;                                  \
        type lo[LANES], hi[LANES], zero[LANES] = {0};            \
        size_t i = 0;                                            \
        for (int k = 0; k < LANES; k++)                          \
            lo[k] = hi[k] = v[0];                                \
        for (; i + LANES <= n; i += LANES)                       \
            for (size_t k = 0; k < LANES; k++) {                 \
                lo[k] = v[i + k] < lo[k] ? v[i + k] : lo[k];     \
                hi[k] = v[i + k] > hi[k] ? v[i + k] : hi[k];     \
                zero[k] += v[i + k] - v[i + k];                  \
            }                                                    \
        for (; i < n; i++) {                                     \
            lo[0] = v[i] < lo[0] ? v[i] : lo[0];                 \
            hi[0] = v[i] > hi[0] ? v[i] : hi[0];                 \
            zero[0] += v[i] - v[i];                              \
        }                                                        \
        for (int k = 1; k < LANES; k++) {                        \
            lo[0] = lo[k] < lo[0] ? lo[k] : lo[0];               \
            hi[0] = hi[k] > hi[0] ? hi[k] : hi[0];               \
            zero[0] += zero[k];                                  \
        }                                                        \
        out[0] = (double)lo[0];                                  \
        out[1] = (double)hi[0];                                  \
        return zero[0] <= 0;                                     \
    }

DEFINE_REAL_EXTREMES(extremes_f32, float)
DEFINE_REAL_EXTREMES(extremes_f64, double)

/* ---- Bins ---- */

static void bins_of(uint32_t *out, const double *values, size_t n, const rugi_bins *bins)
{
    const rugi_bins own = *bins;
    for (size_t i = 0; i < n; i++)
        out[i] = rugi_bin_of(&own, values[i]);
}

void RUGI_AT_LEVEL(rugi_range_kernels_at)(rugi_range_kernels *kernels)
{
    kernels->add_8 = add_8;
    kernels->add_16 = add_16;
    kernels->extremes_16 = extremes_16;
    kernels->unknown_32 = unknown_32;
    kernels->unknown_64 = unknown_64;
    kernels->extremes = extremes;
    kernels->extremes_f32 = extremes_f32;
    kernels->extremes_f64 = extremes_f64;
    kernels->bins = bins_of;
}
