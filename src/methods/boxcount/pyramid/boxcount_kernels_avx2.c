/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX2 kernels. Compiled alone with -mavx2 -mbmi2 -mpopcnt. */

#include "boxcount_row_tmpl.h"
#include <immintrin.h>

/* Blocks' pixels 0..31 and 32..63. */
typedef struct group {
    __m256i half[2];
} group;

static inline __m256i load(const void *p)
{
    return _mm256_loadu_si256(p);
}

static inline void store(void *p, __m256i v)
{
    _mm256_storeu_si256(p, v);
}

/* Integers: the pixels that are outside, v - lo > span. There is no unsigned comparison,
 * so both sides are taken half the range lower, for which v needs no instruction more. */
static inline __m256i outside_8(const uint8_t *v, const rugi_predicate *p)
{
    const uint64_t top = 0x80;
    const __m256i shift = _mm256_set1_epi8((char)(top - p->lo));
    return _mm256_cmpgt_epi8(_mm256_add_epi8(load(v), shift),
                             _mm256_set1_epi8((char)(p->span - top)));
}

static inline __m256i outside_16(const uint16_t *v, const rugi_predicate *p)
{
    const uint64_t top = 0x8000;
    const __m256i shift = _mm256_set1_epi16((short)(top - p->lo));
    return _mm256_cmpgt_epi16(_mm256_add_epi16(load(v), shift),
                              _mm256_set1_epi16((short)(p->span - top)));
}

static inline __m256i outside_32(const uint32_t *v, const rugi_predicate *p)
{
    const uint64_t top = 0x80000000;
    const __m256i shift = _mm256_set1_epi32((int)(top - p->lo));
    return _mm256_cmpgt_epi32(_mm256_add_epi32(load(v), shift),
                              _mm256_set1_epi32((int)(p->span - top)));
}

static inline __m256i outside_64(const uint64_t *v, const rugi_predicate *p)
{
    const uint64_t top = 0x8000000000000000;
    const __m256i shift = _mm256_set1_epi64x((long long)(top - p->lo));
    return _mm256_cmpgt_epi64(_mm256_add_epi64(load(v), shift),
                              _mm256_set1_epi64x((long long)(p->span - top)));
}

/* 32 pixels to bytes of 0 or 255; of integers, 255 for those outside. */
static inline __m256i flags_8(const uint8_t *v, const rugi_predicate *p)
{
    return outside_8(v, p);
}

static inline __m256i flags_16(const uint16_t *v, const rugi_predicate *p)
{
    __m256i both = _mm256_packs_epi16(outside_16(v, p), outside_16(v + 16, p));
    return _mm256_permute4x64_epi64(both, 0xd8);
}

/* 32 bits to bytes of 0 or 255. */
static inline __m256i flags_of_bits(uint32_t bits)
{
    const __m256i byte =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201u);
    __m256i v = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), byte);
    return _mm256_cmpeq_epi8(_mm256_and_si256(v, bit), bit);
}

static inline __m256i flags_32(const uint32_t *v, const rugi_predicate *p)
{
    uint32_t bits = 0;
    for (int i = 0; i < 32; i += 8) {
        __m256 out = _mm256_castsi256_ps(outside_32(v + i, p));
        bits |= (uint32_t)_mm256_movemask_ps(out) << i;
    }
    return flags_of_bits(bits);
}

static inline __m256i flags_64(const uint64_t *v, const rugi_predicate *p)
{
    uint32_t bits = 0;
    for (int i = 0; i < 32; i += 4) {
        __m256d out = _mm256_castsi256_pd(outside_64(v + i, p));
        bits |= (uint32_t)_mm256_movemask_pd(out) << i;
    }
    return flags_of_bits(bits);
}

static inline __m256i flags_f32(const float *v, const rugi_predicate *p)
{
    const __m256 lo = _mm256_set1_ps((float)p->real_lo),
                 hi = _mm256_set1_ps((float)p->real_hi);
    uint32_t bits = 0;
    for (int i = 0; i < 32; i += 8) {
        __m256 x = _mm256_loadu_ps(v + i);
        __m256 out = _mm256_or_ps(_mm256_cmp_ps(x, lo, _CMP_LT_OQ),
                                  _mm256_cmp_ps(x, hi, _CMP_GT_OQ));
        __m256 in = _mm256_and_ps(_mm256_cmp_ps(x, lo, _CMP_GE_OQ),
                                  _mm256_cmp_ps(x, hi, _CMP_LE_OQ));
        bits |= (uint32_t)_mm256_movemask_ps(p->outside ? out : in) << i;
    }
    return flags_of_bits(bits);
}

static inline __m256i flags_f64(const double *v, const rugi_predicate *p)
{
    const __m256d lo = _mm256_set1_pd(p->real_lo), hi = _mm256_set1_pd(p->real_hi);
    uint32_t bits = 0;
    for (int i = 0; i < 32; i += 4) {
        __m256d x = _mm256_loadu_pd(v + i);
        __m256d out = _mm256_or_pd(_mm256_cmp_pd(x, lo, _CMP_LT_OQ),
                                   _mm256_cmp_pd(x, hi, _CMP_GT_OQ));
        __m256d in = _mm256_and_pd(_mm256_cmp_pd(x, lo, _CMP_GE_OQ),
                                   _mm256_cmp_pd(x, hi, _CMP_LE_OQ));
        bits |= (uint32_t)_mm256_movemask_pd(p->outside ? out : in) << i;
    }
    return flags_of_bits(bits);
}

/* Packed pixels come as they are, 32 of them to a call. */
static inline __m256i flags_bit(const uint32_t *v, const rugi_predicate *p)
{
    uint32_t bits;
    memcpy(&bits, v, sizeof bits);
    bits = (p->set_bit[1] ? bits : 0) | (p->set_bit[0] ? ~bits : 0);
    return flags_of_bits(bits);
}

/* Moves the blocks of a group one bit up, and flags in behind them. Needs no constants,
 * of which there are not registers enough. */
static inline __m256i push(__m256i g, __m256i flags)
{
    return _mm256_sub_epi8(_mm256_add_epi8(g, g), flags);
}

/* pack_NAME() from flags_NAME(). Both halves go along together: in the order of memory,
 * which is the order that prefetchers know.
 *  @param half_block  32 pixels in `type` */
#define DEFINE_PACK(name, type, half_block, is_integer)                        \
    static inline group pack_##name(const void *pixels, const char *const *at, \
                                    const rugi_predicate *p)                   \
    {                                                                          \
        __m256i near = _mm256_setzero_si256(), far = near;                     \
        for (size_t k = 0; k < RUGI_GROUP; k++) {                              \
            const type *v =                                                    \
                rugi_block_at(pixels, at, k, 2 * (half_block) * sizeof(type)); \
            near = push(near, flags_##name(v, p));                             \
            far = push(far, flags_##name(v + (half_block), p));                \
        }                                                                      \
        int flip = (is_integer) && !p->outside ? 0xff : 0;                     \
        near = _mm256_xor_si256(near, _mm256_set1_epi8((char)flip));           \
        far = _mm256_xor_si256(far, _mm256_set1_epi8((char)flip));             \
        return (group){{near, far}};                                           \
    }

DEFINE_PACK(bit, uint32_t, 1, 0)
DEFINE_PACK(8, uint8_t, 32, 1)
DEFINE_PACK(16, uint16_t, 32, 1)
DEFINE_PACK(32, uint32_t, 32, 1)
DEFINE_PACK(64, uint64_t, 32, 1)
DEFINE_PACK(f32, float, 32, 0)
DEFINE_PACK(f64, double, 32, 0)

static inline group keep(group a, const uint64_t inside[RUGI_GROUP])
{
    a.half[0] = _mm256_and_si256(a.half[0], load(inside));
    a.half[1] = _mm256_and_si256(a.half[1], load(inside + 4));
    return a;
}

/* Where "any" is. */
#define ANY 0x00ff00ff00ff00ffu

/* Set bits of each byte, by a table of nibbles. */
static inline __m256i byte_counts(__m256i v)
{
    const __m256i table =
        _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2,
                         2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i lo = _mm256_shuffle_epi8(table, _mm256_and_si256(v, nibble));
    __m256i hi =
        _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
    return _mm256_add_epi8(lo, hi);
}

/* Adds bytes to the four lanes of a counter. */
static inline void add_bytes(uint64_t *lanes, __m256i bytes)
{
    __m256i sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    store(lanes, _mm256_add_epi64(load(lanes), sums));
}

static inline void add_boxes(__m256i counts, int level, rugi_boxcount_tally *tally)
{
    const __m256i any = _mm256_set1_epi64x(ANY);
    add_bytes(tally->nonempty[level], _mm256_and_si256(counts, any));
    add_bytes(tally->black[level], _mm256_andnot_si256(any, counts));
}

/* a | b where "any" is, a & b where "all" is. */
static inline __m256i join(__m256i a, __m256i b)
{
    __m256i either = _mm256_and_si256(_mm256_or_si256(a, b), _mm256_set1_epi64x(ANY));
    return _mm256_or_si256(_mm256_and_si256(a, b), either);
}

/* Pixels to boxes of two x-neighbours. */
static inline __m256i join_pixels(__m256i w)
{
    const __m256i any = _mm256_set1_epi64x(ANY);
    __m256i o = _mm256_and_si256(_mm256_or_si256(w, _mm256_srli_epi64(w, 8)), any);
    __m256i a = _mm256_andnot_si256(any, _mm256_and_si256(w, _mm256_slli_epi64(w, 8)));
    return _mm256_or_si256(o, a);
}

/* Joins x-neighbours of two vectors of boxes: every other field, in half as many
 * words. */
static inline __m256i halve(__m256i a, __m256i b)
{
    const __m256i kept = _mm256_set1_epi32(0xffff);
    a = _mm256_and_si256(join(a, _mm256_srli_epi32(a, 16)), kept);
    b = _mm256_and_si256(join(b, _mm256_srli_epi32(b, 16)), kept);
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xd8);
}

/* Joins v, boxes of `level` > 1, to all boxes that it completes. */
static inline void raise(const rugi_rise *to, size_t g, __m256i v, int level,
                         rugi_boxcount_tally *tally)
{
    uint64_t *waiting = rugi_waiting(to, level + 1, g);
    while (rugi_is_last(to, level)) {
        v = halve(join(v, load(waiting)), _mm256_setzero_si256());
        level++;
        add_boxes(byte_counts(v), level, tally);
        waiting = rugi_waiting(to, level + 1, g);
    }
    store(waiting, rugi_joins(to, level) ? join(v, load(waiting)) : v);
}

/* The same of level 1. */
static inline void raise_first(const rugi_rise *to, size_t g, group v,
                               rugi_boxcount_tally *tally)
{
    uint64_t *near = rugi_waiting(to, 2, g), *far = near + 4;
    int is_last = rugi_is_last(to, 1);
    if (is_last || rugi_joins(to, 1)) {
        v.half[0] = join(v.half[0], load(near));
        v.half[1] = join(v.half[1], load(far));
    }
    if (is_last) {
        __m256i next = halve(v.half[0], v.half[1]);
        add_boxes(byte_counts(next), 2, tally);
        raise(to, g, next, 2, tally);
    } else {
        store(near, v.half[0]);
        store(far, v.half[1]);
    }
}

static inline void raise_empty(const rugi_rise *to, size_t g, int level,
                               rugi_boxcount_tally *tally)
{
    const __m256i none = _mm256_setzero_si256();
    if (level == 1)
        raise_first(to, g, (group){{none, none}}, tally);
    else
        raise(to, g, none, level, tally);
}

typedef struct row_counter {
    __m256i pixels, any, all;
} row_counter;

static inline void add_group(const rugi_rise *to, size_t g, group pixels, row_counter *c,
                             rugi_boxcount_tally *tally)
{
    uint64_t *waiting = rugi_waiting(to, 1, g);
    __m256i counts =
        _mm256_add_epi8(byte_counts(pixels.half[0]), byte_counts(pixels.half[1]));
    c->pixels =
        _mm256_add_epi64(c->pixels, _mm256_sad_epu8(counts, _mm256_setzero_si256()));
    group v = {{join_pixels(pixels.half[0]), join_pixels(pixels.half[1])}};
    int is_last = rugi_is_last(to, 0);
    if (is_last || rugi_joins(to, 0)) {
        v.half[0] = join(v.half[0], load(waiting));
        v.half[1] = join(v.half[1], load(waiting + 4));
    }
    if (is_last) {
        counts = _mm256_add_epi8(byte_counts(v.half[0]), byte_counts(v.half[1]));
        const __m256i any = _mm256_set1_epi64x(ANY), zero = _mm256_setzero_si256();
        __m256i n_any = _mm256_sad_epu8(_mm256_and_si256(counts, any), zero);
        __m256i n_all = _mm256_sad_epu8(_mm256_andnot_si256(any, counts), zero);
        c->any = _mm256_add_epi64(c->any, n_any);
        c->all = _mm256_add_epi64(c->all, n_all);
        raise_first(to, g, v, tally);
    } else {
        store(waiting, v.half[0]);
        store(waiting + 4, v.half[1]);
    }
}

static inline void add_counter(const row_counter *c, rugi_boxcount_tally *tally)
{
    uint64_t *pixels = tally->nonempty[0], *any = tally->nonempty[1],
             *all = tally->black[1];
    store(pixels, _mm256_add_epi64(load(pixels), c->pixels));
    store(any, _mm256_add_epi64(load(any), c->any));
    store(all, _mm256_add_epi64(load(all), c->all));
}

RUGI_DEFINE_ALL_LINES

void rugi_boxcount_set_kernels_avx2(rugi_boxcount_kernels *kernels)
{
    static const rugi_boxcount_kernels avx2 = {"cpu-avx2", RUGI_ALL_LINES, empty_row};
    *kernels = avx2;
}
