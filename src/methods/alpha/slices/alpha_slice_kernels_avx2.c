/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX2 kernel of slices of alpha: 8 alphas or 4 sets at a time. */

#include "alpha_slice_kernels.h"
#include <immintrin.h>

#define N_LANES 4
typedef __m256i words;

static inline words load_words(const uint64_t *from)
{
    return _mm256_loadu_si256((const void *)from);
}

static inline void store_words(uint64_t *to, words v)
{
    _mm256_storeu_si256((void *)to, v);
}

static inline words no_words(void)
{
    return _mm256_setzero_si256();
}

static inline words or_words(words a, words b)
{
    return _mm256_or_si256(a, b);
}

/* Leaves the sum in *sum. @return the carry */
static inline words add_words(words *sum, words a, words b)
{
    words odd = _mm256_xor_si256(a, b);
    words carry = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(odd, *sum));
    *sum = _mm256_xor_si256(*sum, odd);
    return carry;
}

static inline words pairs_of(words a, words b)
{
    words joined =
        _mm256_or_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    return _mm256_permute4x64_epi64(joined, 0xD8);
}

/* A shift by 64 or more gives 0; a number below `first` is a large one. */
static inline words sets_of(const uint16_t *slice, uint32_t first)
{
    words bit = _mm256_cvtepu16_epi64(_mm_loadl_epi64((const void *)slice));
    bit = _mm256_sub_epi64(bit, _mm256_set1_epi64x(first));
    return _mm256_sllv_epi64(_mm256_set1_epi64x(1), bit);
}

#include "alpha_slice_tmpl.h"

/* The slices of alphas that are in one: t is above or below an edge, and where rounding
 * could have put it on the wrong side, the edge itself is asked. */
static inline __m256i slices_of(__m256 x, __m256 is_in, const rugi_alpha_cut *cut)
{
    __m256 t = _mm256_mul_ps(_mm256_sub_ps(x, _mm256_set1_ps(cut->least[0])),
                             _mm256_set1_ps(cut->scale));
    __m256 slack = _mm256_set1_ps(cut->slack);
    __m256i low = _mm256_cvttps_epi32(_mm256_sub_ps(t, slack));
    __m256i high = _mm256_cvttps_epi32(_mm256_add_ps(t, slack));
    __m256 differ =
        _mm256_andnot_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(low, high)), is_in);
    if (_mm256_movemask_ps(differ) == 0)
        return low;
    __m256 edge =
        _mm256_mask_i32gather_ps(_mm256_set1_ps(INFINITY), cut->least, high, differ, 4);
    __m256i is_above = _mm256_castps_si256(_mm256_cmp_ps(x, edge, _CMP_GE_OQ));
    return _mm256_sub_epi32(low, is_above);
}

static size_t find(uint16_t *slice, const float *alpha, const float *next, size_t n,
                   const rugi_alpha_cut *cut)
{
    size_t i = 0, n_undefined = 0;
    const __m256 first = _mm256_set1_ps(cut->least[0]);
    const __m256 end = _mm256_set1_ps(cut->least[cut->n]);
    const __m256 sign = _mm256_set1_ps(-0.0F), infinite = _mm256_set1_ps(INFINITY);
    for (; cut->has_guess && i + 8 <= n; i += 8) {
        __builtin_prefetch(next + i);
        __m256 x = _mm256_loadu_ps(alpha + i);
        __m256 is_in = _mm256_and_ps(_mm256_cmp_ps(x, first, _CMP_GE_OQ),
                                     _mm256_cmp_ps(x, end, _CMP_LT_OQ));
        __m256i s = slices_of(x, is_in, cut);
        /* all ones stay all ones when packed as signed numbers */
        s = _mm256_or_si256(
            s, _mm256_andnot_si256(_mm256_castps_si256(is_in), _mm256_set1_epi32(-1)));
        __m128i packed =
            _mm_packs_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
        _mm_storeu_si128((void *)(slice + i), packed);
        __m256 is_finite = _mm256_cmp_ps(_mm256_andnot_ps(sign, x), infinite, _CMP_LT_OQ);
        n_undefined +=
            8 - (unsigned)_mm_popcnt_u32((unsigned)_mm256_movemask_ps(is_finite));
    }
    return n_undefined + find_one_by_one(slice + i, alpha + i, next + i, n - i, cut);
}

void rugi_alpha_set_slice_kernels_avx2(rugi_alpha_slice_kernels *kernels)
{
    set_kernels(kernels, "cpu-avx2", find);
}
