/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 kernels of lacunarity. */

#include <immintrin.h>
#include <stdint.h>

#define VECTOR      64
#define V           __m512i
#define ZERO        _mm512_setzero_si512()
#define LOAD(p)     _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define SET16(v)    _mm512_set1_epi16(v)
#define SET64(v)    _mm512_set1_epi64(v)
#define ADD16       _mm512_add_epi16
#define SUB16       _mm512_sub_epi16
#define ADD32       _mm512_add_epi32
#define SUB32       _mm512_sub_epi32
#define ADD64       _mm512_add_epi64
#define MADD16      _mm512_madd_epi16
#define AND         _mm512_and_si512
#define SHIFT64     _mm512_srli_epi64
#define WIDEN_8_16(p) \
    _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define WIDEN_8_32(p) \
    _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define RUN16    run_16
#define RUN32    run_32
#define LAST16   last_16
#define LAST32   last_32
#define SUM64(v) (uint64_t) _mm512_reduce_add_epi64(v)

/* Quarters 0, 1 and 2 of t, where a later one follows. */
#define QUARTER(mask, t, k) _mm512_maskz_shuffle_i64x2(mask, t, t, k)

static inline __m512i run_16(__m512i v)
{
    v = _mm512_add_epi16(v, _mm512_bslli_epi128(v, 2));
    v = _mm512_add_epi16(v, _mm512_bslli_epi128(v, 4));
    v = _mm512_add_epi16(v, _mm512_bslli_epi128(v, 8));
    __m512i t = _mm512_shuffle_epi8(v, _mm512_set1_epi16(0x0f0e));
    __m512i first = QUARTER(0xfc, t, 0x90), second = QUARTER(0xf0, t, 0x40);
    v = _mm512_add_epi16(v, _mm512_add_epi16(first, second));
    return _mm512_add_epi16(v, QUARTER(0xc0, t, 0x00));
}

static inline __m512i run_32(__m512i v)
{
    v = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 4));
    v = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 8));
    __m512i t = _mm512_shuffle_epi32(v, 0xff);
    __m512i first = QUARTER(0xfc, t, 0x90), second = QUARTER(0xf0, t, 0x40);
    v = _mm512_add_epi32(v, _mm512_add_epi32(first, second));
    return _mm512_add_epi32(v, QUARTER(0xc0, t, 0x00));
}

static inline __m512i last_16(__m512i v)
{
    return _mm512_permutexvar_epi16(_mm512_set1_epi16(31), v);
}

static inline __m512i last_32(__m512i v)
{
    return _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v);
}

/* A vector of 0, one of ones, one of 0. */
#define FOUR_0 0, 0, 0, 0
#define FOUR_1 0xffff, 0xffff, 0xffff, 0xffff
#define ONES_16                                                                     \
    FOUR_0, FOUR_0, FOUR_0, FOUR_0, FOUR_0, FOUR_0, FOUR_0, FOUR_0, FOUR_1, FOUR_1, \
        FOUR_1, FOUR_1, FOUR_1, FOUR_1, FOUR_1, FOUR_1

#include "lacunarity_tmpl.h"

void rugi_lacunarity_kernels_avx512(rugi_lacunarity_kernels *kernels)
{
    set_kernels(kernels, "cpu-avx512");
}
