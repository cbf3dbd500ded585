/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Packing pixels to bits with AVX2: comparisons, and the sign bits of lanes. */

#include "boxcount_pack.h"
#include <immintrin.h>

static inline __m256i load(const void *pixels, int k)
{
    return _mm256_loadu_si256((const __m256i *)((const char *)pixels + 32 * k));
}

static inline uint64_t word_8(const void *pixels, const rugi_predicate *p)
{
    const __m256i lo = _mm256_set1_epi8((char)p->lo),
                  span = _mm256_set1_epi8((char)p->span);
    uint64_t word = 0;
    for (int k = 0; k < 2; k++) {
        __m256i v = _mm256_sub_epi8(load(pixels, k), lo);
        __m256i set = _mm256_cmpeq_epi8(_mm256_min_epu8(v, span), v);
        word |= (uint64_t)(uint32_t)_mm256_movemask_epi8(set) << 32 * k;
    }
    return p->outside ? ~word : word;
}

static inline uint64_t word_16(const void *pixels, const rugi_predicate *p)
{
    const __m256i lo = _mm256_set1_epi16((short)p->lo);
    const __m256i span = _mm256_set1_epi16((short)p->span);
    uint64_t word = 0;
    for (int k = 0; k < 2; k++) {
        __m256i a = _mm256_sub_epi16(load(pixels, 2 * k), lo);
        __m256i b = _mm256_sub_epi16(load(pixels, 2 * k + 1), lo);
        a = _mm256_cmpeq_epi16(_mm256_min_epu16(a, span), a);
        b = _mm256_cmpeq_epi16(_mm256_min_epu16(b, span), b);
        __m256i set = _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xd8);
        word |= (uint64_t)(uint32_t)_mm256_movemask_epi8(set) << 32 * k;
    }
    return p->outside ? ~word : word;
}

static inline uint64_t word_32(const void *pixels, const rugi_predicate *p)
{
    const __m256i lo = _mm256_set1_epi32((int)p->lo),
                  span = _mm256_set1_epi32((int)p->span);
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) {
        __m256i v = _mm256_sub_epi32(load(pixels, k), lo);
        __m256i set = _mm256_cmpeq_epi32(_mm256_min_epu32(v, span), v);
        word |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(set)) << 8 * k;
    }
    return p->outside ? ~word : word;
}

/* Compared half the range lower, because there are signed comparisons only. */
static inline uint64_t word_64(const void *pixels, const rugi_predicate *p)
{
    const uint64_t half = (uint64_t)1 << 63;
    const __m256i lo = _mm256_set1_epi64x((long long)(p->lo + half));
    const __m256i span = _mm256_set1_epi64x((long long)(p->span ^ half));
    uint64_t off = 0;
    for (int k = 0; k < 16; k++) {
        __m256i v = _mm256_sub_epi64(load(pixels, k), lo);
        __m256i is_off = _mm256_cmpgt_epi64(v, span);
        off |= (uint64_t)(uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(is_off))
               << 4 * k;
    }
    return p->outside ? off : ~off;
}

static inline uint64_t word_f32(const void *pixels, const rugi_predicate *p)
{
    const __m256 lo = _mm256_set1_ps((float)p->real_lo);
    const __m256 hi = _mm256_set1_ps((float)p->real_hi);
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) {
        __m256 v = _mm256_castsi256_ps(load(pixels, k));
        __m256 off = _mm256_or_ps(_mm256_cmp_ps(v, lo, _CMP_LT_OQ),
                                  _mm256_cmp_ps(v, hi, _CMP_GT_OQ));
        __m256 in = _mm256_and_ps(_mm256_cmp_ps(v, lo, _CMP_GE_OQ),
                                  _mm256_cmp_ps(v, hi, _CMP_LE_OQ));
        int bits = _mm256_movemask_ps(p->outside ? off : in);
        word |= (uint64_t)(uint32_t)bits << 8 * k;
    }
    return word;
}

static inline uint64_t word_f64(const void *pixels, const rugi_predicate *p)
{
    const __m256d lo = _mm256_set1_pd(p->real_lo), hi = _mm256_set1_pd(p->real_hi);
    uint64_t word = 0;
    for (int k = 0; k < 16; k++) {
        __m256d v = _mm256_castsi256_pd(load(pixels, k));
        __m256d off = _mm256_or_pd(_mm256_cmp_pd(v, lo, _CMP_LT_OQ),
                                   _mm256_cmp_pd(v, hi, _CMP_GT_OQ));
        __m256d in = _mm256_and_pd(_mm256_cmp_pd(v, lo, _CMP_GE_OQ),
                                   _mm256_cmp_pd(v, hi, _CMP_LE_OQ));
        int bits = _mm256_movemask_pd(p->outside ? off : in);
        word |= (uint64_t)(uint32_t)bits << 4 * k;
    }
    return word;
}

RUGI_DEFINE_ALL_PACKS

void rugi_pack_set_kernels_avx2(rugi_pack_kernels *kernels)
{
    static const rugi_pack_fn integer[4] = {pack_8, pack_16, pack_32, pack_64};
    rugi_pack_fill(kernels, integer, pack_f32, pack_f64);
}
