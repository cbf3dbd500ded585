/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 kernels. Compiled alone with the flags of RUG_CPU_AVX512. */

#include "boxcount_row_tmpl.h"
#include <immintrin.h>

typedef __m512i group;

static inline __m512i load(const void *p)
{
    return _mm512_loadu_si512(p);
}

/* Packed pixels are a mask already. */
static inline __mmask64 block_bit(const char *v, const rugi_predicate *p)
{
    uint64_t word, set = p->set_bit[1] ? UINT64_MAX : 0,
                   clear = p->set_bit[0] ? UINT64_MAX : 0;
    memcpy(&word, v, sizeof word);
    return (word & set) | (~word & clear);
}

/* Plus -lo, so that the load can be the operand of the addition. */
static inline __mmask64 block_8(const uint8_t *v, const rugi_predicate *p)
{
    const __m512i lo = _mm512_set1_epi8((char)-p->lo),
                  span = _mm512_set1_epi8((char)p->span);
    return _mm512_cmple_epu8_mask(_mm512_add_epi8(load(v), lo), span);
}

static inline __mmask64 block_16(const uint16_t *v, const rugi_predicate *p)
{
    const __m512i lo = _mm512_set1_epi16((short)p->lo),
                  span = _mm512_set1_epi16((short)p->span);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 32)
        word |= (uint64_t)_mm512_cmple_epu16_mask(_mm512_sub_epi16(load(v + i), lo), span)
                << i;
    return word;
}

static inline __mmask64 block_32(const uint32_t *v, const rugi_predicate *p)
{
    const __m512i lo = _mm512_set1_epi32((int)p->lo),
                  span = _mm512_set1_epi32((int)p->span);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 16)
        word |= (uint64_t)_mm512_cmple_epu32_mask(_mm512_sub_epi32(load(v + i), lo), span)
                << i;
    return word;
}

static inline __mmask64 block_64(const uint64_t *v, const rugi_predicate *p)
{
    const __m512i lo = _mm512_set1_epi64((long long)p->lo);
    const __m512i span = _mm512_set1_epi64((long long)p->span);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 8)
        word |= (uint64_t)_mm512_cmple_epu64_mask(_mm512_sub_epi64(load(v + i), lo), span)
                << i;
    return word;
}

static inline __mmask64 block_f32(const float *v, const rugi_predicate *p)
{
    const __m512 lo = _mm512_set1_ps((float)p->real_lo),
                 hi = _mm512_set1_ps((float)p->real_hi);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 16) {
        __m512 x = _mm512_loadu_ps(v + i);
        __mmask16 in = _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(x, lo, _CMP_GE_OQ), x,
                                               hi, _CMP_LE_OQ);
        unsigned out = (unsigned)_mm512_cmp_ps_mask(x, lo, _CMP_LT_OQ) |
                       (unsigned)_mm512_cmp_ps_mask(x, hi, _CMP_GT_OQ);
        word |= (uint64_t)(p->outside ? out : in) << i;
    }
    return word;
}

static inline __mmask64 block_f64(const double *v, const rugi_predicate *p)
{
    const __m512d lo = _mm512_set1_pd(p->real_lo), hi = _mm512_set1_pd(p->real_hi);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 8) {
        __m512d x = _mm512_loadu_pd(v + i);
        __mmask8 in = _mm512_mask_cmp_pd_mask(_mm512_cmp_pd_mask(x, lo, _CMP_GE_OQ), x,
                                              hi, _CMP_LE_OQ);
        unsigned out = (unsigned)_mm512_cmp_pd_mask(x, lo, _CMP_LT_OQ) |
                       (unsigned)_mm512_cmp_pd_mask(x, hi, _CMP_GT_OQ);
        word |= (uint64_t)(p->outside ? out : in) << i;
    }
    return word;
}

/* g with `pixels` as its block k, which is 0 before. */
static inline group with_pixels(group g, __mmask64 pixels, size_t k)
{
    return _mm512_mask_add_epi8(g, pixels, g, _mm512_set1_epi8((char)RUGI_BLOCK_BIT(k)));
}

/* pack_NAME(). The comparisons give masks, which are used as such: no way through memory
 * or general registers. */
#define DEFINE_PACK(name, type, step, may_flip)                                  \
    static inline group pack_##name(const void *pixels, const char *const *at,   \
                                    const rugi_predicate *p)                     \
    {                                                                            \
        group g = _mm512_setzero_si512();                                        \
        for (size_t k = 0; k < RUGI_GROUP; k++) {                                \
            const type *v = rugi_block_at(pixels, at, k, (step) * sizeof(type)); \
            g = with_pixels(g, block_##name(v, p), k);                           \
        }                                                                        \
        int flip = (may_flip) && p->outside ? 0xff : 0;                          \
        return _mm512_xor_si512(g, _mm512_set1_epi8((char)flip));                \
    }

DEFINE_PACK(bit, char, 8, 0)
DEFINE_PACK(8, uint8_t, 64, 1)
DEFINE_PACK(16, uint16_t, 64, 1)
DEFINE_PACK(32, uint32_t, 64, 1)
DEFINE_PACK(64, uint64_t, 64, 1)
DEFINE_PACK(f32, float, 64, 0)
DEFINE_PACK(f64, double, 64, 0)

static inline group keep(group a, const uint64_t inside[RUGI_GROUP])
{
    return _mm512_and_si512(a, load(inside));
}

/* Where "any" is. */
#define ANY 0x00ff00ff00ff00ffu

/* Three-input logic. The majority of a, b and the mask ANY is a | b where "any" is and a
 * & b where "all" is. */
#define MAJORITY    0xe8
#define AND_ALL     0x80
#define OR_THEN_AND 0xa8 /* (a | b) & c */

static inline __m512i add_count(__m512i counter, __m512i v)
{
    return _mm512_add_epi64(counter, _mm512_popcnt_epi64(v));
}

static inline __m512i join(__m512i a, __m512i b)
{
    return _mm512_ternarylogic_epi64(a, b, _mm512_set1_epi64((long long)ANY), MAJORITY);
}

/* Joins x-neighbours: every other field, in half as many words. */
static inline __m256i halve(__m512i v)
{
    return _mm512_cvtepi32_epi16(join(v, _mm512_srli_epi32(v, 16)));
}

static inline void count_boxes(__m256i v, int level, rugi_boxcount_tally *tally)
{
    const __m256i any = _mm256_set1_epi64x(ANY);
    __m256i *nonempty = (__m256i *)(void *)tally->nonempty[level];
    __m256i *black = (__m256i *)(void *)tally->black[level];
    __m256i n_any = _mm256_popcnt_epi64(_mm256_and_si256(v, any));
    __m256i n_all = _mm256_popcnt_epi64(_mm256_andnot_si256(any, v));
    _mm256_storeu_si256(nonempty, _mm256_add_epi64(_mm256_loadu_si256(nonempty), n_any));
    _mm256_storeu_si256(black, _mm256_add_epi64(_mm256_loadu_si256(black), n_all));
}

/* Joins v, boxes of `level` > 1, to all boxes that it completes. */
static inline void raise(const rugi_rise *to, size_t g, __m256i v, int level,
                         rugi_boxcount_tally *tally)
{
    const __m256i any = _mm256_set1_epi64x(ANY);
    __m256i *waiting = (__m256i *)(void *)rugi_waiting(to, level + 1, g);
    while (rugi_is_last(to, level)) {
        v = _mm256_ternarylogic_epi64(v, _mm256_loadu_si256(waiting), any, MAJORITY);
        v = halve(_mm512_zextsi256_si512(v));
        level++;
        count_boxes(v, level, tally);
        waiting = (__m256i *)(void *)rugi_waiting(to, level + 1, g);
    }
    if (rugi_joins(to, level))
        v = _mm256_ternarylogic_epi64(v, _mm256_loadu_si256(waiting), any, MAJORITY);
    _mm256_storeu_si256(waiting, v);
}

/* The same of level 1. */
static inline void raise_first(const rugi_rise *to, size_t g, __m512i v,
                               rugi_boxcount_tally *tally)
{
    uint64_t *waiting = rugi_waiting(to, 2, g);
    if (rugi_is_last(to, 1)) {
        __m256i next = halve(join(v, load(waiting)));
        count_boxes(next, 2, tally);
        raise(to, g, next, 2, tally);
    } else {
        if (rugi_joins(to, 1))
            v = join(v, load(waiting));
        _mm512_storeu_si512(waiting, v);
    }
}

static inline void raise_empty(const rugi_rise *to, size_t g, int level,
                               rugi_boxcount_tally *tally)
{
    if (level == 1)
        raise_first(to, g, _mm512_setzero_si512(), tally);
    else
        raise(to, g, _mm256_setzero_si256(), level, tally);
}

typedef struct row_counter {
    __m512i pixels, any, all;
} row_counter;

static inline void add_group(const rugi_rise *to, size_t g, group pixels, row_counter *c,
                             rugi_boxcount_tally *tally)
{
    const __m512i any = _mm512_set1_epi64((long long)ANY),
                  all = _mm512_set1_epi64((long long)~ANY);
    uint64_t *waiting = rugi_waiting(to, 1, g);
    c->pixels = add_count(c->pixels, pixels);
    __m512i o =
        _mm512_ternarylogic_epi64(pixels, _mm512_srli_epi64(pixels, 8), any, OR_THEN_AND);
    __m512i a =
        _mm512_ternarylogic_epi64(pixels, _mm512_slli_epi64(pixels, 8), all, AND_ALL);
    __m512i v = _mm512_or_si512(o, a);
    if (!rugi_is_last(to, 0)) {
        if (rugi_joins(to, 0))
            v = join(v, load(waiting));
        _mm512_storeu_si512(waiting, v);
        return;
    }
    v = join(v, load(waiting));
    c->any = add_count(c->any, _mm512_and_si512(v, any));
    c->all = add_count(c->all, _mm512_and_si512(v, all));
    raise_first(to, g, v, tally);
}

static inline void add_counter(const row_counter *c, rugi_boxcount_tally *tally)
{
    _mm512_storeu_si512(tally->nonempty[0],
                        _mm512_add_epi64(load(tally->nonempty[0]), c->pixels));
    _mm512_storeu_si512(tally->nonempty[1],
                        _mm512_add_epi64(load(tally->nonempty[1]), c->any));
    _mm512_storeu_si512(tally->black[1], _mm512_add_epi64(load(tally->black[1]), c->all));
}

RUGI_DEFINE_ALL_LINES

void rugi_boxcount_set_kernels_avx512(rugi_boxcount_kernels *kernels)
{
    static const rugi_boxcount_kernels avx512 = {"cpu-avx512", RUGI_ALL_LINES, empty_row};
    *kernels = avx512;
}
