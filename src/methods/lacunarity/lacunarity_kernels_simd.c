/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of lacunarity, compiled once for each level of processors. Level ref has plain
 * loops for all types: they are the truth. The others have the types that matter, by
 * one body of vectors and by some of the loops, which compilers make vectors of. */

#include "core/context/vectors.h"
#include "lacunarity_kernels.h"
#include <string.h>

/* ---- Loops of all levels ---- */

#define DEFINE_SLIDE(name, pixel, number)                                      \
    static void name(void *column, const void *add, const void *sub, size_t n) \
    {                                                                          \
        number *c = column;                                                    \
        const pixel *a = add, *s = sub;                                        \
        if (s == NULL)                                                         \
            for (size_t i = 0; i < n; i++)                                     \
                c[i] = (number)(c[i] + a[i]);                                  \
        else                                                                   \
            for (size_t i = 0; i < n; i++)                                     \
                c[i] = (number)(c[i] + ((number)a[i] - (number)s[i]));         \
    }

/* The mass of the box that ends at x. */
#define MASS(number, row, x)                                      \
    (number)(((const number *)(row)->now)[x] -                    \
             *((const number *)(row)->now + (x) - (row)->e) -     \
             ((row)->before == NULL                               \
                  ? 0                                             \
                  : (number)(((const number *)(row)->before)[x] - \
                             *((const number *)(row)->before + (x) - (row)->e))))

/* Boxes of up to 32 bits: sums of squares in 64 bits where those of a whole row fit. */
#define DEFINE_SUM(name, number)                                                 \
    static void name(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out)  \
    {                                                                            \
        uint64_t mass = 0, square = 0;                                           \
        size_t first = row->first;                                               \
        rugi_lacunarity_u128 most = (rugi_lacunarity_u128)row->most * row->most; \
        if (most * row->n >> 64 > 0) {                                           \
            for (size_t x = first; x < row->n; x++) {                            \
                uint64_t m = MASS(number, row, x);                               \
                mass += m;                                                       \
                rugi_lacunarity_add_square(out, (rugi_lacunarity_u128)m *m);     \
            }                                                                    \
        } else if (row->before != NULL) {                                        \
            const number *a = row->now, *b = row->before, *c = a - row->e,       \
                         *d = b - row->e;                                        \
            for (size_t x = first; x < row->n; x++) {                            \
                number m = (number)(a[x] - b[x] - c[x] + d[x]);                  \
                mass += m;                                                       \
                square += (uint64_t)m * m;                                       \
            }                                                                    \
        } else {                                                                 \
            const number *a = row->now, *c = a - row->e;                         \
            for (size_t x = first; x < row->n; x++) {                            \
                number m = (number)(a[x] - c[x]);                                \
                mass += m;                                                       \
                square += (uint64_t)m * m;                                       \
            }                                                                    \
        }                                                                        \
        out->mass += mass;                                                       \
        rugi_lacunarity_add_square(out, square);                                 \
        out->positions += row->n - first;                                        \
    }

DEFINE_SUM(sum_2, uint32_t)

static void unpack(void *flags, const void *bits, size_t n_bytes)
{
    const unsigned char *b = bits;
    for (size_t i = 0; i < n_bytes; i++) { /* a bit to each byte, which then becomes 1 */
        uint64_t v = b[i] * 0x0101010101010101u & 0x8040201008040201u;
        v = (v + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
        memcpy((char *)flags + 8 * i, &v, sizeof v);
    }
}

#if RUGI_VECTOR_BYTES == 0

/* ---- Level ref ---- */

#define DEFINE_ACCUMULATE(name, pixel, number)                                       \
    static void name(void *sums, const void *base, const void *add, const void *sub, \
                     size_t n)                                                       \
    {                                                                                \
        const pixel *a = add, *s = sub;                                              \
        number run = 0;                                                              \
        for (size_t i = 0; i < n; i++) {                                             \
            run = (number)(run + a[i] - (s != NULL ? s[i] : 0));                     \
            ((number *)sums)[i] = (number)(((const number *)base)[i] + run);         \
        }                                                                            \
    }

#define DEFINE_PAIR(pixels, sums, pixel, number)                   \
    DEFINE_ACCUMULATE(accumulate_##pixels##_##sums, pixel, number) \
    DEFINE_SLIDE(slide_##pixels##_##sums, pixel, number)

DEFINE_PAIR(0, 1, uint8_t, uint16_t)
DEFINE_PAIR(0, 2, uint8_t, uint32_t)
DEFINE_PAIR(0, 3, uint8_t, uint64_t)
DEFINE_PAIR(1, 1, uint16_t, uint16_t)
DEFINE_PAIR(1, 2, uint16_t, uint32_t)
DEFINE_PAIR(1, 3, uint16_t, uint64_t)
DEFINE_PAIR(2, 2, uint32_t, uint32_t)
DEFINE_PAIR(2, 3, uint32_t, uint64_t)
DEFINE_PAIR(3, 3, uint64_t, uint64_t)

DEFINE_SUM(sum_1, uint16_t)

static void add(rugi_lacunarity_sums *out, uint64_t mass)
{
    out->positions++;
    out->mass += mass;
    rugi_lacunarity_add_square(out, (rugi_lacunarity_u128)mass * mass);
}

static void sum_3(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out)
{
    for (size_t x = row->first; x < row->n; x++)
        add(out, MASS(uint64_t, row, x));
}

#define DEFINE_REST(type, number)                                                       \
    static void sum_full_##type(const rugi_lacunarity_row *row,                         \
                                const rugi_lacunarity_row *count, uint64_t full,        \
                                rugi_lacunarity_sums *out)                              \
    {                                                                                   \
        for (size_t x = row->first; x < row->n; x++)                                    \
            if (MASS(number, count, x) == full)                                         \
                add(out, MASS(number, row, x));                                         \
    }                                                                                   \
                                                                                        \
    static void fixed_##type(const void *column, const void *count, size_t n, size_t e, \
                             uint64_t full, rugi_lacunarity_sums *out)                  \
    {                                                                                   \
        const number *c = column, *k = count;                                           \
        rugi_lacunarity_sums sums = {0};                                                \
        for (size_t x = 0; n - x >= e && x < n; x += e) {                               \
            number mass = 0, pixels = 0;                                                \
            for (size_t i = x; i < x + e; i++)                                          \
                mass = (number)(mass + c[i]);                                           \
            for (size_t i = x; k != NULL && i < x + e; i++)                             \
                pixels = (number)(pixels + k[i]);                                       \
            if (k == NULL || pixels == full)                                            \
                add(&sums, mass);                                                       \
        }                                                                               \
        out->positions += sums.positions;                                               \
        out->mass += sums.mass;                                                         \
        rugi_lacunarity_add_square(out, sums.square);                                   \
        out->square_high += sums.square_high;                                           \
    }

DEFINE_REST(1, uint16_t)
DEFINE_REST(2, uint32_t)
DEFINE_REST(3, uint64_t)

#define SET_PAIR(pixels, sums)                                        \
    kernels->accumulate[pixels][sums] = accumulate_##pixels##_##sums; \
    kernels->slide[pixels][sums] = slide_##pixels##_##sums

#define SET_TYPE(type)                         \
    kernels->sum[type] = sum_##type;           \
    kernels->sum_full[type] = sum_full_##type; \
    kernels->fixed[type] = fixed_##type

void RUGI_AT_LEVEL(rugi_lacunarity_set_kernels)(rugi_lacunarity_kernels *kernels)
{
    *kernels = (rugi_lacunarity_kernels){.name = RUGI_LEVEL_ENGINE, .unpack = unpack};
    SET_PAIR(0, 1);
    SET_PAIR(0, 2);
    SET_PAIR(0, 3);
    SET_PAIR(1, 1);
    SET_PAIR(1, 2);
    SET_PAIR(1, 3);
    SET_PAIR(2, 2);
    SET_PAIR(2, 3);
    SET_PAIR(3, 3);
    SET_TYPE(1);
    SET_TYPE(2);
    SET_TYPE(3);
}

#else

/* ---- Vectors ---- */

#if RUGI_VECTOR_BYTES == 32

#define WIDEN_8_16(p) \
    _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define WIDEN_8_32(p) \
    _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(p)))
#define ONES EIGHT(0), EIGHT(0), EIGHT(0xffff), EIGHT(0xffff)

/* The running sum of the lanes of a vector, by shifts in its halves of 128 bits and then
 * from one to the other; and its last number in all lanes. */
static inline V run_16(V v)
{
    v = _mm256_add_epi16(v, _mm256_slli_si256(v, 2));
    v = _mm256_add_epi16(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi16(v, _mm256_slli_si256(v, 8));
    __m256i low = _mm256_permute2x128_si256(v, v, 0x08); /* 0, the lower half */
    return _mm256_add_epi16(v, _mm256_shuffle_epi8(low, _mm256_set1_epi16(0x0f0e)));
}

static inline V run_32(V v)
{
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    __m256i low = _mm256_permute2x128_si256(v, v, 0x08);
    return _mm256_add_epi32(v, _mm256_shuffle_epi32(low, 0xff));
}

static inline V last_16(V v)
{
    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(v, 0xff),
                               _mm256_set1_epi16(0x0f0e));
}

static inline V last_32(V v)
{
    return _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(7));
}

#elif RUGI_VECTOR_BYTES == 64

#define WIDEN_8_16(p) \
    _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define WIDEN_8_32(p) \
    _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define ONES                                                                             \
    EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0xffff), EIGHT(0xffff), EIGHT(0xffff), \
        EIGHT(0xffff)

/* Quarters 0, 1 and 2 of t, where a later one follows. */
#define QUARTER(mask, t, k) _mm512_maskz_shuffle_i64x2(mask, t, t, k)

static inline V run_16(V v)
{
    v = _mm512_add_epi16(v, _mm512_bslli_epi128(v, 2));
    v = _mm512_add_epi16(v, _mm512_bslli_epi128(v, 4));
    v = _mm512_add_epi16(v, _mm512_bslli_epi128(v, 8));
    __m512i t = _mm512_shuffle_epi8(v, _mm512_set1_epi16(0x0f0e));
    __m512i first = QUARTER(0xfc, t, 0x90), second = QUARTER(0xf0, t, 0x40);
    v = _mm512_add_epi16(v, _mm512_add_epi16(first, second));
    return _mm512_add_epi16(v, QUARTER(0xc0, t, 0x00));
}

static inline V run_32(V v)
{
    v = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 4));
    v = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 8));
    __m512i t = _mm512_shuffle_epi32(v, 0xff);
    __m512i first = QUARTER(0xfc, t, 0x90), second = QUARTER(0xf0, t, 0x40);
    v = _mm512_add_epi32(v, _mm512_add_epi32(first, second));
    return _mm512_add_epi32(v, QUARTER(0xc0, t, 0x00));
}

static inline V last_16(V v)
{
    return _mm512_permutexvar_epi16(_mm512_set1_epi16(31), v);
}

static inline V last_32(V v)
{
    return _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v);
}

#else

#define WIDEN_8_16 wasm_u16x8_load8x8
#define WIDEN_8_32(p) \
    wasm_u32x4_extend_low_u16x8(wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p)))
#define ONES EIGHT(0), EIGHT(0xffff)

static inline V run_16(V v)
{
    v = ADD16(v, wasm_i16x8_shuffle(v, ZERO, 8, 0, 1, 2, 3, 4, 5, 6));
    v = ADD16(v, wasm_i32x4_shuffle(v, ZERO, 4, 0, 1, 2));
    return ADD16(v, wasm_i64x2_shuffle(v, ZERO, 2, 0));
}

static inline V run_32(V v)
{
    v = ADD32(v, wasm_i32x4_shuffle(v, ZERO, 4, 0, 1, 2));
    return ADD32(v, wasm_i64x2_shuffle(v, ZERO, 2, 0));
}

static inline V last_16(V v)
{
    return wasm_i16x8_shuffle(v, v, 7, 7, 7, 7, 7, 7, 7, 7);
}

static inline V last_32(V v)
{
    return wasm_i32x4_shuffle(v, v, 3, 3, 3, 3);
}

#endif

DEFINE_SLIDE(slide_0_1, uint8_t, uint16_t)
DEFINE_SLIDE(slide_0_2, uint8_t, uint32_t)
DEFINE_SLIDE(slide_1_1, uint16_t, uint16_t)
DEFINE_SLIDE(slide_2_2, uint32_t, uint32_t)

/* The running sum of a vector is made by shifts inside lanes of 128 bits, then over lanes;
 * the last number of all is carried on. */
#define DEFINE_VECTOR_ACCUMULATE(name, pixel, number, WIDEN, ADD, SUB, RUN, LAST)    \
    static void name(void *sums, const void *base, const void *add, const void *sub, \
                     size_t n)                                                       \
    {                                                                                \
        const size_t lanes = RUGI_VECTOR_BYTES / sizeof(number);                     \
        V carry = ZERO;                                                              \
        for (size_t i = 0; i < n; i += lanes) {                                      \
            V v = WIDEN((const pixel *)add + i);                                     \
            if (sub != NULL)                                                         \
                v = SUB(v, WIDEN((const pixel *)sub + i));                           \
            v = RUN(v);                                                              \
            STORE((number *)sums + i,                                                \
                  ADD(ADD(v, carry), LOAD((const number *)base + i)));               \
            carry = ADD(carry, LAST(v));                                             \
        }                                                                            \
    }

DEFINE_VECTOR_ACCUMULATE(accumulate_0_1, uint8_t, uint16_t, WIDEN_8_16, ADD16, SUB16,
                         run_16, last_16)
DEFINE_VECTOR_ACCUMULATE(accumulate_1_1, uint16_t, uint16_t, LOAD, ADD16, SUB16, run_16,
                         last_16)
DEFINE_VECTOR_ACCUMULATE(accumulate_0_2, uint8_t, uint32_t, WIDEN_8_32, ADD32, SUB32,
                         run_32, last_32)
DEFINE_VECTOR_ACCUMULATE(accumulate_2_2, uint32_t, uint32_t, LOAD, ADD32, SUB32, run_32,
                         last_32)

/* Vectors whose sums of M fit lanes of 32 bits. */
#define MASSES_MAX 32768

/* How many vectors' sums of two squares fit a lane of 32 bits: at least 2. */
static size_t squares_max(uint64_t most)
{
    uint64_t two = 2 * most * most + 1;
    return two < UINT32_MAX / MASSES_MAX ? MASSES_MAX : UINT32_MAX / two;
}

/* Ones between zeros, a vector of each, from which masks of the first or the last lanes are
 * loaded. */
#define EIGHT(v)   v, v, v, v, v, v, v, v
static const uint16_t ones[3 * RUGI_VECTOR_BYTES / 2] = {ONES};

/* Lanes from .. to - 1. */
static inline V lanes_16(size_t from, size_t to)
{
    const size_t lanes = RUGI_VECTOR_BYTES / 2;
    return AND(LOAD(ones + lanes - from), LOAD(ones + 2 * lanes - to));
}

static inline V masses_16(const rugi_lacunarity_row *row, size_t x, const int has_before)
{
    const uint16_t *now = row->now, *before = row->before;
    V m = SUB16(LOAD(now + x), LOAD(now + x - row->e));
    if (has_before)
        m = SUB16(m, SUB16(LOAD(before + x), LOAD(before + x - row->e)));
    return m;
}

/* Sums in lanes of 64 bits. */
typedef struct vector_sums {
    V masses, squares;
} vector_sums;

static inline void empty_lanes(vector_sums *s, V m32, V s32)
{
    const V low = SET64(UINT32_MAX);
    s->masses = ADD64(s->masses, ADD64(AND(m32, low), SHIFT64(m32, 32)));
    s->squares = ADD64(s->squares, ADD64(AND(s32, low), SHIFT64(s32, 32)));
}

/* Of two of the four rows of numbers whole lines of the cache are loaded: the first vector
 * begins at the line in which the first box ends, at most a pad before the row. */
static inline void vectors_16(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out,
                              const int has_before)
{
    const V one = SET16(1);
    const size_t lanes = RUGI_VECTOR_BYTES / 2, most = squares_max(row->most),
                 begin = row->first;
    size_t x = begin / lanes * lanes, end = (row->n - 1) / lanes * lanes;
    size_t to = row->n - end;
    vector_sums sums = {ZERO, ZERO};
    V m = AND(masses_16(row, x, has_before), lanes_16(begin - x, x == end ? to : lanes));
    empty_lanes(&sums, MADD16(m, one), MADD16(m, m));
    for (x += lanes; x < end;) {
        size_t left = (end - x) / lanes, n = left < most ? left : most;
        V m32 = ZERO, s32 = ZERO;
        for (size_t i = 0; i < n; i++, x += lanes) {
            m = masses_16(row, x, has_before);
            m32 = ADD32(m32, MADD16(m, one));
            s32 = ADD32(s32, MADD16(m, m));
        }
        empty_lanes(&sums, m32, s32);
    }
    if (x == end) {
        m = AND(masses_16(row, x, has_before), lanes_16(0, to));
        empty_lanes(&sums, MADD16(m, one), MADD16(m, m));
    }
    out->positions += row->n - begin;
    out->mass += SUM64(sums.masses);
    rugi_lacunarity_add_square(out, SUM64(sums.squares));
}

static void sum_1(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out)
{
    if (row->before != NULL)
        vectors_16(row, out, 1);
    else
        vectors_16(row, out, 0);
}

void RUGI_AT_LEVEL(rugi_lacunarity_set_kernels)(rugi_lacunarity_kernels *kernels)
{
    kernels->name = RUGI_LEVEL_ENGINE;
    kernels->unpack = unpack;
    kernels->accumulate[0][1] = accumulate_0_1;
    kernels->accumulate[0][2] = accumulate_0_2;
    kernels->accumulate[1][1] = accumulate_1_1;
    kernels->accumulate[2][2] = accumulate_2_2;
    kernels->slide[0][1] = slide_0_1;
    kernels->slide[0][2] = slide_0_2;
    kernels->slide[1][1] = slide_1_1;
    kernels->slide[2][2] = slide_2_2;
    kernels->sum[1] = sum_1;
    kernels->sum[2] = sum_2;
}

#endif
