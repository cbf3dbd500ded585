/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX2 kernels of lacunarity. */

#include <immintrin.h>
#include <stdint.h>

#define VECTOR      32
#define V           __m256i
#define ZERO        _mm256_setzero_si256()
#define LOAD(p)     _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define SET16(v)    _mm256_set1_epi16(v)
#define SET64(v)    _mm256_set1_epi64x(v)
#define ADD16       _mm256_add_epi16
#define SUB16       _mm256_sub_epi16
#define ADD32       _mm256_add_epi32
#define SUB32       _mm256_sub_epi32
#define ADD64       _mm256_add_epi64
#define MADD16      _mm256_madd_epi16
#define AND         _mm256_and_si256
#define SHIFT64     _mm256_srli_epi64
#define WIDEN_8_16(p) \
    _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define WIDEN_8_32(p) \
    _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(p)))
#define RUN16  run_16
#define RUN32  run_32
#define LAST16 last_16
#define LAST32 last_32
#define SUM64  sum_64

static inline __m256i run_16(__m256i v)
{
    v = _mm256_add_epi16(v, _mm256_slli_si256(v, 2));
    v = _mm256_add_epi16(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi16(v, _mm256_slli_si256(v, 8));
    __m256i low = _mm256_permute2x128_si256(v, v, 0x08); /* 0, the lower half */
    return _mm256_add_epi16(v, _mm256_shuffle_epi8(low, _mm256_set1_epi16(0x0f0e)));
}

static inline __m256i run_32(__m256i v)
{
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    __m256i low = _mm256_permute2x128_si256(v, v, 0x08);
    return _mm256_add_epi32(v, _mm256_shuffle_epi32(low, 0xff));
}

static inline __m256i last_16(__m256i v)
{
    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(v, 0xff),
                               _mm256_set1_epi16(0x0f0e));
}

static inline __m256i last_32(__m256i v)
{
    return _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(7));
}

static inline uint64_t sum_64(__m256i v)
{
    return (uint64_t)_mm256_extract_epi64(v, 0) + (uint64_t)_mm256_extract_epi64(v, 1) +
           (uint64_t)_mm256_extract_epi64(v, 2) + (uint64_t)_mm256_extract_epi64(v, 3);
}

/* A vector of 0, one of ones, one of 0. */
#define FOUR_0  0, 0, 0, 0
#define FOUR_1  0xffff, 0xffff, 0xffff, 0xffff
#define ONES_16 FOUR_0, FOUR_0, FOUR_0, FOUR_0, FOUR_1, FOUR_1, FOUR_1, FOUR_1

#include "lacunarity_tmpl.h"

void rugi_lacunarity_kernels_avx2(rugi_lacunarity_kernels *kernels)
{
    set_kernels(kernels, "cpu-avx2");
}
