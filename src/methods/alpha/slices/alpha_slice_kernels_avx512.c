/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 kernel of slices of alpha: 16 alphas or 8 sets at a time. */

#include "alpha_slice_kernels.h"
#include <immintrin.h>

#define N_LANES 8
typedef __m512i words;

static inline words load_words(const uint64_t *from)
{
    return _mm512_loadu_si512(from);
}

static inline void store_words(uint64_t *to, words v)
{
    _mm512_storeu_si512(to, v);
}

static inline words no_words(void)
{
    return _mm512_setzero_si512();
}

static inline words or_words(words a, words b)
{
    return _mm512_or_si512(a, b);
}

/* Leaves the sum in *sum. @return the carry: of three bits the majority */
static inline words add_words(words *sum, words a, words b)
{
    words carry = _mm512_ternarylogic_epi64(*sum, a, b, 0xE8);
    *sum = _mm512_ternarylogic_epi64(*sum, a, b, 0x96);
    return carry;
}

static inline words pairs_of(words a, words b)
{
    words joined =
        _mm512_or_si512(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    return _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), joined);
}

/* A shift by 64 or more gives 0; a number below `first` is a large one. */
static inline words sets_of(const uint16_t *slice, uint32_t first)
{
    words bit = _mm512_cvtepu16_epi64(_mm_loadu_si128((const void *)slice));
    bit = _mm512_sub_epi64(bit, _mm512_set1_epi64(first));
    return _mm512_sllv_epi64(_mm512_set1_epi64(1), bit);
}

#include "alpha_slice_tmpl.h"

/* The slices of alphas that are in one: t is above or below an edge, and where rounding
 * could have put it on the wrong side, the edge itself is asked. */
static inline __m512i slices_of(__m512 x, __mmask16 is_in, const rugi_alpha_cut *cut)
{
    __m512 t = _mm512_mul_ps(_mm512_sub_ps(x, _mm512_set1_ps(cut->least[0])),
                             _mm512_set1_ps(cut->scale));
    __m512 slack = _mm512_set1_ps(cut->slack);
    __m512i low = _mm512_cvttps_epi32(_mm512_sub_ps(t, slack));
    __m512i high = _mm512_cvttps_epi32(_mm512_add_ps(t, slack));
    __mmask16 differ = _mm512_mask_cmpneq_epi32_mask(is_in, low, high);
    if (differ == 0)
        return low;
    __m512 edge =
        _mm512_mask_i32gather_ps(_mm512_set1_ps(INFINITY), differ, high, cut->least, 4);
    __mmask16 is_above = _mm512_mask_cmp_ps_mask(differ, x, edge, _CMP_GE_OQ);
    return _mm512_mask_mov_epi32(low, is_above, high);
}

/* Classes of floats: quiet NaN, plus and minus infinity, signalling NaN. */
#define NAN_OR_INFINITE 0x99

static size_t find(uint16_t *slice, const float *alpha, const float *next, size_t n,
                   const rugi_alpha_cut *cut)
{
    size_t i = 0, n_undefined = 0;
    const __m512 first = _mm512_set1_ps(cut->least[0]);
    const __m512 end = _mm512_set1_ps(cut->least[cut->n]);
    for (; cut->has_guess && i + 16 <= n; i += 16) {
        __builtin_prefetch(next + i);
        __m512 x = _mm512_loadu_ps(alpha + i);
        __mmask16 is_in = _mm512_mask_cmp_ps_mask(
            _mm512_cmp_ps_mask(x, first, _CMP_GE_OQ), x, end, _CMP_LT_OQ);
        __m512i s = slices_of(x, is_in, cut);
        s = _mm512_mask_mov_epi32(_mm512_set1_epi32(RUGI_ALPHA_NO_SLICE), is_in, s);
        _mm256_storeu_si256((void *)(slice + i), _mm512_cvtepi32_epi16(s));
        __mmask16 is_undefined = _mm512_fpclass_ps_mask(x, NAN_OR_INFINITE);
        if (is_undefined != 0)
            n_undefined += (unsigned)_mm_popcnt_u32(is_undefined);
    }
    return n_undefined + find_one_by_one(slice + i, alpha + i, next + i, n - i, cut);
}

void rugi_alpha_set_slice_kernels_avx512(rugi_alpha_slice_kernels *kernels)
{
    set_kernels(kernels, "cpu-avx512", find);
}
