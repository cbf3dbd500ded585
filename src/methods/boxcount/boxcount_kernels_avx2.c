/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX2 leaves. Compiled alone with -mavx2 -mbmi2 -mpopcnt. */

#include "boxcount_row.h"
#include <immintrin.h>

static inline uint64_t leaf_order(uint64_t word)
{
    return word; /* as it is: x-neighbours are neighbouring bits */
}

static inline __m256i load(const void *p)
{
    return _mm256_loadu_si256(p);
}

static inline void store(void *p, __m256i v)
{
    _mm256_storeu_si256(p, v);
}

/* Unsigned v - lo <= span, as all-ones lanes. */
static inline __m256i inside_8(__m256i v, __m256i lo, __m256i span)
{
    v = _mm256_sub_epi8(v, lo);
    return _mm256_cmpeq_epi8(_mm256_min_epu8(v, span), v);
}

static inline __m256i inside_16(__m256i v, __m256i lo, __m256i span)
{
    v = _mm256_sub_epi16(v, lo);
    return _mm256_cmpeq_epi16(_mm256_min_epu16(v, span), v);
}

static inline __m256i inside_32(__m256i v, __m256i lo, __m256i span)
{
    v = _mm256_sub_epi32(v, lo);
    return _mm256_cmpeq_epi32(_mm256_min_epu32(v, span), v);
}

/* There is no unsigned 64-bit comparison: both sides lose their top bit's meaning. Answers with
 * the lanes that are outside. */
static inline __m256i outside_64(__m256i v, __m256i lo, __m256i span)
{
    const __m256i top = _mm256_set1_epi64x(INT64_MIN);
    v = _mm256_xor_si256(_mm256_sub_epi64(v, lo), top);
    return _mm256_cmpgt_epi64(v, _mm256_xor_si256(span, top));
}

static inline uint64_t block_8(const void *cells, const rugi_predicate *p)
{
    const uint8_t *v = cells;
    const __m256i lo = _mm256_set1_epi8((char)p->lo), span = _mm256_set1_epi8((char)p->span);
    uint32_t near = (uint32_t)_mm256_movemask_epi8(inside_8(load(v), lo, span));
    uint32_t far = (uint32_t)_mm256_movemask_epi8(inside_8(load(v + 32), lo, span));
    uint64_t word = near | (uint64_t)far << 32;
    return p->outside ? ~word : word;
}

static inline uint64_t block_16(const void *cells, const rugi_predicate *p)
{
    const uint16_t *v = cells;
    const __m256i lo = _mm256_set1_epi16((short)p->lo), span = _mm256_set1_epi16((short)p->span);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 32) {
        __m256i both = _mm256_packs_epi16(inside_16(load(v + i), lo, span),
                                          inside_16(load(v + i + 16), lo, span));
        both = _mm256_permute4x64_epi64(both, 0xd8);
        word |= (uint64_t)(uint32_t)_mm256_movemask_epi8(both) << i;
    }
    return p->outside ? ~word : word;
}

static inline uint64_t block_32(const void *cells, const rugi_predicate *p)
{
    const uint32_t *v = cells;
    const __m256i lo = _mm256_set1_epi32((int)p->lo), span = _mm256_set1_epi32((int)p->span);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 8) {
        __m256 in = _mm256_castsi256_ps(inside_32(load(v + i), lo, span));
        word |= (uint64_t)(uint32_t)_mm256_movemask_ps(in) << i;
    }
    return p->outside ? ~word : word;
}

static inline uint64_t block_64(const void *cells, const rugi_predicate *p)
{
    const uint64_t *v = cells;
    const __m256i lo = _mm256_set1_epi64x((long long)p->lo);
    const __m256i span = _mm256_set1_epi64x((long long)p->span);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 4) {
        __m256d out = _mm256_castsi256_pd(outside_64(load(v + i), lo, span));
        word |= (uint64_t)(uint32_t)_mm256_movemask_pd(out) << i;
    }
    return p->outside ? word : ~word;
}

static inline uint64_t block_f32(const void *cells, const rugi_predicate *p)
{
    const float *v = cells;
    const __m256 lo = _mm256_set1_ps((float)p->real_lo), hi = _mm256_set1_ps((float)p->real_hi);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 8) {
        __m256 x = _mm256_loadu_ps(v + i);
        __m256 out = _mm256_or_ps(_mm256_cmp_ps(x, lo, _CMP_LT_OQ), _mm256_cmp_ps(x, hi, _CMP_GT_OQ));
        __m256 in = _mm256_and_ps(_mm256_cmp_ps(x, lo, _CMP_GE_OQ), _mm256_cmp_ps(x, hi, _CMP_LE_OQ));
        word |= (uint64_t)(uint32_t)_mm256_movemask_ps(p->outside ? out : in) << i;
    }
    return word;
}

static inline uint64_t block_f64(const void *cells, const rugi_predicate *p)
{
    const double *v = cells;
    const __m256d lo = _mm256_set1_pd(p->real_lo), hi = _mm256_set1_pd(p->real_hi);
    uint64_t word = 0;
    for (int i = 0; i < RUGI_BLOCK; i += 4) {
        __m256d x = _mm256_loadu_pd(v + i);
        __m256d out = _mm256_or_pd(_mm256_cmp_pd(x, lo, _CMP_LT_OQ), _mm256_cmp_pd(x, hi, _CMP_GT_OQ));
        __m256d in = _mm256_and_pd(_mm256_cmp_pd(x, lo, _CMP_GE_OQ), _mm256_cmp_pd(x, hi, _CMP_LE_OQ));
        word |= (uint64_t)(uint32_t)_mm256_movemask_pd(p->outside ? out : in) << i;
    }
    return word;
}

/* Where "any" is: in the even bits; "all" is in the odd ones. */
#define ANY 0x5555555555555555u

/* The bits that hold boxes of a level: two at every multiple of 2^level. */
static const uint64_t level_mask[RUGI_BLOCK_LEVEL + 1] = {
    0, ~(uint64_t)0, 0x3333333333333333u, 0x0303030303030303u, 0x0003000300030003u,
    0x0000000300000003u, 0x0000000000000003u};

/* Set bits of each 64-bit lane, by a table of nibbles. */
static inline __m256i count_bits(__m256i v)
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2,
                                           1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i lo = _mm256_shuffle_epi8(table, _mm256_and_si256(v, nibble));
    __m256i hi = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
    return _mm256_sad_epu8(_mm256_add_epi8(lo, hi), _mm256_setzero_si256());
}

/* Four lanes of a counter. */
static inline void add_to(uint64_t *lanes, __m256i v)
{
    store(lanes, _mm256_add_epi64(load(lanes), v));
}

static inline __m256i all_ones_at(uint64_t bits)
{
    return _mm256_set1_epi64x((long long)bits);
}

/* a | b where "any" is, a & b where "all" is. */
static inline __m256i join_pair(__m256i a, __m256i b)
{
    __m256i either = _mm256_and_si256(_mm256_or_si256(a, b), all_ones_at(ANY));
    return _mm256_or_si256(_mm256_and_si256(a, b), either);
}

typedef struct row_counter {
    __m256i cells, any, all;
} row_counter;

static inline void row_half_group(uint64_t *boxes, const uint64_t *words, rugi_row_mode mode,
                                  row_counter *c)
{
    const __m256i any = all_ones_at(ANY);
    __m256i w = load(words);
    c->cells = _mm256_add_epi64(c->cells, count_bits(w));
    __m256i o = _mm256_and_si256(_mm256_or_si256(w, _mm256_srli_epi64(w, 1)), any);
    __m256i a = _mm256_andnot_si256(any, _mm256_and_si256(w, _mm256_slli_epi64(w, 1)));
    __m256i v = _mm256_or_si256(o, a);
    if (mode != RUGI_ROW_FIRST)
        v = join_pair(v, load(boxes));
    if (mode == RUGI_ROW_LAST) {
        c->any = _mm256_add_epi64(c->any, count_bits(_mm256_and_si256(v, any)));
        c->all = _mm256_add_epi64(c->all, count_bits(_mm256_andnot_si256(any, v)));
    }
    store(boxes, v);
}

static inline void row_group(uint64_t *boxes, const uint64_t *words, rugi_row_mode mode,
                             row_counter *c)
{
    row_half_group(boxes, words, mode, c);
    row_half_group(boxes + 4, words + 4, mode, c);
}

static inline void row_end(const row_counter *c, rugi_boxcount_tally *tally)
{
    add_to(tally->nonempty[0], c->cells);
    add_to(tally->nonempty[1], c->any);
    add_to(tally->black[1], c->all);
}

RUGI_DEFINE_ALL_ROWS

static inline uint64_t join_words_pair(uint64_t a, uint64_t b)
{
    return (a & b) | ((a | b) & ANY);
}

/* The words that do not fill a vector. */
static void join_words(uint64_t *boxes, const uint64_t *near, const uint64_t *far, size_t half,
                       size_t i, size_t n, int level, rugi_boxcount_tally *tally)
{
    for (; i < n; i++) {
        uint64_t v = join_words_pair(near[i], near[half + i]);
        if (far != NULL)
            v = join_words_pair(v, join_words_pair(far[i], far[half + i]));
        v = join_words_pair(v, v >> (1 << (level - 1))) & level_mask[level];
        tally->nonempty[level][0] += (uint64_t)_mm_popcnt_u64(v & ANY);
        tally->black[level][0] += (uint64_t)_mm_popcnt_u64(v & ~ANY);
        boxes[i] = v;
    }
}

static inline void join_rows(uint64_t *boxes, const uint64_t *near, const uint64_t *far,
                             size_t half, size_t n, int level, rugi_boxcount_tally *tally)
{
    const __m256i mask = all_ones_at(level_mask[level]), any = all_ones_at(ANY);
    const __m128i shift = _mm_cvtsi32_si128(1 << (level - 1));
    __m256i n_any = _mm256_setzero_si256(), n_all = n_any;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        __m256i v = join_pair(load(near + i), load(near + half + i));
        if (far != NULL)
            v = join_pair(v, join_pair(load(far + i), load(far + half + i)));
        v = _mm256_and_si256(join_pair(v, _mm256_srl_epi64(v, shift)), mask);
        n_any = _mm256_add_epi64(n_any, count_bits(_mm256_and_si256(v, any)));
        n_all = _mm256_add_epi64(n_all, count_bits(_mm256_andnot_si256(any, v)));
        store(boxes + i, v);
    }
    add_to(tally->nonempty[level], n_any);
    add_to(tally->black[level], n_all);
    join_words(boxes, near, far, half, i, n, level, tally);
}

static void join(uint64_t *boxes, const uint64_t *near, const uint64_t *far, size_t half, size_t n,
                 int level, rugi_boxcount_tally *tally)
{
    if (far == NULL)
        join_rows(boxes, near, NULL, half, n, level, tally);
    else
        join_rows(boxes, near, far, half, n, level, tally);
}

void rugi_boxcount_leaf_avx2(rugi_boxcount_leaf *leaf)
{
    static const rugi_boxcount_leaf avx2 = {"cpu-avx2", RUGI_ALL_ROWS, join, 1};
    *leaf = avx2;
}
