/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 leaves. Compiled alone with the flags of RUG_CPU_AVX512. */

#include "boxcount_row.h"
#include <immintrin.h>

static inline __m512i load(const void *p)
{
    return _mm512_loadu_si512(p);
}

static inline uint64_t leaf_order(uint64_t word)
{
    return word; /* as it is: x-neighbours are neighbouring bits */
}

static inline uint64_t block_8(const void *cells, const rugi_predicate *p)
{
    const uint8_t *v = cells;
    const __m512i lo = _mm512_set1_epi8((char)p->lo), span = _mm512_set1_epi8((char)p->span);
    uint64_t word = _mm512_cmple_epu8_mask(_mm512_sub_epi8(load(v), lo), span);
    return p->outside ? ~word : word;
}

static inline uint64_t block_16(const void *cells, const rugi_predicate *p)
{
    const uint16_t *v = cells;
    const __m512i lo = _mm512_set1_epi16((short)p->lo), span = _mm512_set1_epi16((short)p->span);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 32)
        word |= (uint64_t)_mm512_cmple_epu16_mask(_mm512_sub_epi16(load(v + i), lo), span) << i;
    return p->outside ? ~word : word;
}

static inline uint64_t block_32(const void *cells, const rugi_predicate *p)
{
    const uint32_t *v = cells;
    const __m512i lo = _mm512_set1_epi32((int)p->lo), span = _mm512_set1_epi32((int)p->span);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 16)
        word |= (uint64_t)_mm512_cmple_epu32_mask(_mm512_sub_epi32(load(v + i), lo), span) << i;
    return p->outside ? ~word : word;
}

static inline uint64_t block_64(const void *cells, const rugi_predicate *p)
{
    const uint64_t *v = cells;
    const __m512i lo = _mm512_set1_epi64((long long)p->lo);
    const __m512i span = _mm512_set1_epi64((long long)p->span);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 8)
        word |= (uint64_t)_mm512_cmple_epu64_mask(_mm512_sub_epi64(load(v + i), lo), span) << i;
    return p->outside ? ~word : word;
}

static inline uint64_t block_f32(const void *cells, const rugi_predicate *p)
{
    const float *v = cells;
    const __m512 lo = _mm512_set1_ps((float)p->real_lo), hi = _mm512_set1_ps((float)p->real_hi);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 16) {
        __m512 x = _mm512_loadu_ps(v + i);
        __mmask16 in = _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(x, lo, _CMP_GE_OQ), x, hi, _CMP_LE_OQ);
        unsigned out = (unsigned)_mm512_cmp_ps_mask(x, lo, _CMP_LT_OQ) |
                       (unsigned)_mm512_cmp_ps_mask(x, hi, _CMP_GT_OQ);
        word |= (uint64_t)(p->outside ? out : in) << i;
    }
    return word;
}

static inline uint64_t block_f64(const void *cells, const rugi_predicate *p)
{
    const double *v = cells;
    const __m512d lo = _mm512_set1_pd(p->real_lo), hi = _mm512_set1_pd(p->real_hi);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 8) {
        __m512d x = _mm512_loadu_pd(v + i);
        __mmask8 in = _mm512_mask_cmp_pd_mask(_mm512_cmp_pd_mask(x, lo, _CMP_GE_OQ), x, hi, _CMP_LE_OQ);
        unsigned out = (unsigned)_mm512_cmp_pd_mask(x, lo, _CMP_LT_OQ) |
                       (unsigned)_mm512_cmp_pd_mask(x, hi, _CMP_GT_OQ);
        word |= (uint64_t)(p->outside ? out : in) << i;
    }
    return word;
}

/* Where "any" is: in the even bits; "all" is in the odd ones. */
#define ANY 0x5555555555555555u

/* The bits that hold boxes of a level: two at every multiple of 2^level. */
static const uint64_t level_mask[RUGI_BLOCK_LEVEL + 1] = {
    0, ~(uint64_t)0, 0x3333333333333333u, 0x0303030303030303u, 0x0003000300030003u,
    0x0000000300000003u, 0x0000000000000003u};

/* Three-input logic. The majority of a, b and the mask ANY is a | b where "any" is and a & b where
 * "all" is. */
#define MAJORITY    0xe8
#define AND_ALL     0x80
#define OR_THEN_AND 0xa8 /* (a | b) & c */

static inline __m512i add_count(__m512i counter, __m512i v)
{
    return _mm512_add_epi64(counter, _mm512_popcnt_epi64(v));
}

static inline void add_to(uint64_t *lanes, __m512i v)
{
    _mm512_storeu_si512(lanes, _mm512_add_epi64(load(lanes), v));
}

static inline __m512i join_pair(__m512i a, __m512i b)
{
    return _mm512_ternarylogic_epi64(a, b, _mm512_set1_epi64((long long)ANY), MAJORITY);
}

typedef struct row_counter {
    __m512i cells, any, all;
} row_counter;

static inline void row_group(uint64_t *boxes, const uint64_t *words, rugi_row_mode mode,
                             row_counter *c)
{
    const __m512i any = _mm512_set1_epi64((long long)ANY), all = _mm512_set1_epi64((long long)~ANY);
    __m512i w = load(words);
    c->cells = add_count(c->cells, w);
    __m512i o = _mm512_ternarylogic_epi64(w, _mm512_srli_epi64(w, 1), any, OR_THEN_AND);
    __m512i a = _mm512_ternarylogic_epi64(w, _mm512_slli_epi64(w, 1), all, AND_ALL);
    __m512i v = _mm512_or_si512(o, a);
    if (mode != RUGI_ROW_FIRST)
        v = join_pair(v, load(boxes));
    if (mode == RUGI_ROW_LAST) {
        c->any = add_count(c->any, _mm512_and_si512(v, any));
        c->all = add_count(c->all, _mm512_and_si512(v, all));
    }
    _mm512_storeu_si512(boxes, v);
}

static inline void row_end(const row_counter *c, rugi_boxcount_tally *tally)
{
    add_to(tally->nonempty[0], c->cells);
    add_to(tally->nonempty[1], c->any);
    add_to(tally->black[1], c->all);
}

RUGI_DEFINE_ALL_ROWS

/* The lanes of the i-th vector that lie before word n. */
static inline __mmask8 lanes_at(size_t i, size_t n)
{
    return n - i >= 8 ? 0xff : (__mmask8)((1u << (n - i)) - 1);
}

static inline void join_rows(uint64_t *boxes, const uint64_t *near, const uint64_t *far,
                             size_t half, size_t n, int level, rugi_boxcount_tally *tally)
{
    const __m512i mask = _mm512_set1_epi64((long long)level_mask[level]);
    const __m512i any = _mm512_set1_epi64((long long)ANY);
    const __m128i shift = _mm_cvtsi32_si128(1 << (level - 1));
    __m512i n_any = _mm512_setzero_si512(), n_all = n_any;
    for (size_t i = 0; i < n; i += 8) {
        __mmask8 k = lanes_at(i, n);
        __m512i v = join_pair(_mm512_maskz_loadu_epi64(k, near + i),
                              _mm512_maskz_loadu_epi64(k, near + half + i));
        if (far != NULL)
            v = join_pair(v, join_pair(_mm512_maskz_loadu_epi64(k, far + i),
                                       _mm512_maskz_loadu_epi64(k, far + half + i)));
        v = _mm512_and_si512(join_pair(v, _mm512_srl_epi64(v, shift)), mask);
        _mm512_mask_storeu_epi64(boxes + i, k, v);
        n_any = add_count(n_any, _mm512_and_si512(v, any));
        n_all = add_count(n_all, _mm512_andnot_si512(any, v));
    }
    add_to(tally->nonempty[level], n_any);
    add_to(tally->black[level], n_all);
}

static void join(uint64_t *boxes, const uint64_t *near, const uint64_t *far, size_t half, size_t n,
                 int level, rugi_boxcount_tally *tally)
{
    if (far == NULL)
        join_rows(boxes, near, NULL, half, n, level, tally);
    else
        join_rows(boxes, near, far, half, n, level, tally);
}

void rugi_boxcount_leaf_avx512(rugi_boxcount_leaf *leaf)
{
    static const rugi_boxcount_leaf avx512 = {"cpu-avx512", RUGI_ALL_ROWS, join, 1};
    *leaf = avx512;
}
