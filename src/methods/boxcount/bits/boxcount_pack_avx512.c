/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Packing pixels to bits with AVX-512, whose comparisons give bits. */

#include "boxcount_pack.h"
#include <immintrin.h>

/* Whether (v - lo) <= span, for a vector at a time.
 *  @param n  vectors of 64 pixels; each gives 64 / n bits */
#define DEFINE_INTEGER_WORD(name, n, set1, sub, compare, type)                      \
    static inline uint64_t word_##name(const void *pixels, const rugi_predicate *p) \
    {                                                                               \
        const __m512i lo = set1((type)p->lo), span = set1((type)p->span);           \
        uint64_t word = 0;                                                          \
        for (int k = 0; k < (n); k++) {                                             \
            __m512i v = _mm512_loadu_si512((const char *)pixels + 64 * k);          \
            word |= (uint64_t)compare(sub(v, lo), span) << (64 / (n)*k);            \
        }                                                                           \
        return p->outside ? ~word : word;                                           \
    }

#define DEFINE_REAL_WORD(name, n, type, load, set1, compare)                        \
    static inline uint64_t word_##name(const void *pixels, const rugi_predicate *p) \
    {                                                                               \
        const type lo = set1(p->real_lo), hi = set1(p->real_hi);                    \
        uint64_t word = 0;                                                          \
        for (int k = 0; k < (n); k++) {                                             \
            type v = load((const void *)((const char *)pixels + 64 * k));           \
            uint64_t bits = p->outside ? (uint64_t)(compare(v, lo, _CMP_LT_OQ) |    \
                                                    compare(v, hi, _CMP_GT_OQ))     \
                                       : (uint64_t)(compare(v, lo, _CMP_GE_OQ) &    \
                                                    compare(v, hi, _CMP_LE_OQ));    \
            word |= bits << (64 / (n)*k);                                           \
        }                                                                           \
        return word;                                                                \
    }

#define SET1_F32(x) _mm512_set1_ps((float)(x))

DEFINE_INTEGER_WORD(8, 1, _mm512_set1_epi8, _mm512_sub_epi8, _mm512_cmple_epu8_mask, char)
DEFINE_INTEGER_WORD(16, 2, _mm512_set1_epi16, _mm512_sub_epi16, _mm512_cmple_epu16_mask,
                    short)
DEFINE_INTEGER_WORD(32, 4, _mm512_set1_epi32, _mm512_sub_epi32, _mm512_cmple_epu32_mask,
                    int)
DEFINE_INTEGER_WORD(64, 8, _mm512_set1_epi64, _mm512_sub_epi64, _mm512_cmple_epu64_mask,
                    long long)
DEFINE_REAL_WORD(f32, 4, __m512, _mm512_loadu_ps, SET1_F32, _mm512_cmp_ps_mask)
DEFINE_REAL_WORD(f64, 8, __m512d, _mm512_loadu_pd, _mm512_set1_pd, _mm512_cmp_pd_mask)

RUGI_DEFINE_ALL_PACKS

void rugi_pack_set_kernels_avx512(rugi_pack_kernels *kernels)
{
    static const rugi_pack_fn integer[4] = {pack_8, pack_16, pack_32, pack_64};
    rugi_pack_fill(kernels, integer, pack_f32, pack_f64);
}
