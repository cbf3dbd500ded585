/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX2 kernels of differential box counting. */

#include <immintrin.h>
#include <stdint.h>

#define VECTOR             32
#define V                  __m256i
#define LOAD(p)            _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define SET16(v)           _mm256_set1_epi16(v)
#define SET32(v)           _mm256_set1_epi32(v)
#define SET64(v)           _mm256_set1_epi64x(v)
#define MIN8               _mm256_min_epu8
#define MAX8               _mm256_max_epu8
#define MIN16              _mm256_min_epu16
#define MAX16              _mm256_max_epu16
#define AND                _mm256_and_si256
#define SHIFT16            _mm256_srli_epi16
#define SHIFT32            _mm256_srli_epi32
#define SHIFT64            _mm256_srli_epi64
#define ADD16              _mm256_add_epi16
#define SUB16              _mm256_sub_epi16
#define SUB32              _mm256_sub_epi32
#define ADD64              _mm256_add_epi64
#define SUB64              _mm256_sub_epi64
#define HIGH16             _mm256_mulhi_epu16
#define MULTIPLY32         _mm256_mul_epu32
#define STORE_LOW_8(p, v)  store_low(p, _mm256_packus_epi16(v, v))
#define STORE_LOW_16(p, v) store_low(p, _mm256_packus_epi32(v, v))
#define SUM64              sum_64
#define SUM16(v)           sum_16(v)

/* Packing works in halves of a vector. */
static inline void store_low(void *p, __m256i v)
{
    _mm_storeu_si128(p, _mm256_castsi256_si128(_mm256_permute4x64_epi64(v, 0x08)));
}

static inline uint64_t sum_64(__m256i v)
{
    return (uint64_t)_mm256_extract_epi64(v, 0) + (uint64_t)_mm256_extract_epi64(v, 1) +
           (uint64_t)_mm256_extract_epi64(v, 2) + (uint64_t)_mm256_extract_epi64(v, 3);
}

/* Of unsigned lanes. */
static inline uint64_t sum_16(__m256i v)
{
    const __m256i low = _mm256_set1_epi64x(0xffff);
    __m256i sum = _mm256_and_si256(v, low);
    for (int k = 0; k < 3; k++) {
        v = _mm256_srli_epi64(v, 16);
        sum = _mm256_add_epi64(sum, _mm256_and_si256(v, low));
    }
    return sum_64(sum);
}

#include "dbc_tmpl.h"

void rugi_dbc_set_kernels_avx2(rugi_dbc_kernels *kernels)
{
    kernels->name = "cpu-avx2";
    kernels->join[1] = join_1;
    kernels->join[2] = join_2;
    kernels->join[4] = join_4;
    kernels->widen_range = widen_range;
}
