/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 kernels of differential box counting. */

#include <immintrin.h>
#include <stdint.h>

#define VECTOR             64
#define V                  __m512i
#define LOAD(p)            _mm512_loadu_si512(p)
#define SET16(v)           _mm512_set1_epi16(v)
#define SET32(v)           _mm512_set1_epi32(v)
#define SET64(v)           _mm512_set1_epi64(v)
#define MIN8               _mm512_min_epu8
#define MAX8               _mm512_max_epu8
#define MIN16              _mm512_min_epu16
#define MAX16              _mm512_max_epu16
#define AND                _mm512_and_si512
#define SHIFT16            _mm512_srli_epi16
#define SHIFT32            _mm512_srli_epi32
#define SHIFT64            _mm512_srli_epi64
#define ADD16              _mm512_add_epi16
#define SUB16              _mm512_sub_epi16
#define SUB32              _mm512_sub_epi32
#define ADD64              _mm512_add_epi64
#define SUB64              _mm512_sub_epi64
#define HIGH16             _mm512_mulhi_epu16
#define MULTIPLY32         _mm512_mul_epu32
#define STORE_LOW_8(p, v)  store_low(p, _mm512_cvtepi16_epi8(v))
#define STORE_LOW_16(p, v) store_low(p, _mm512_cvtepi32_epi16(v))
#define SUM64(v)           (uint64_t) _mm512_reduce_add_epi64(v)
#define SUM16(v)           sum_16(v)

static inline void store_low(void *p, __m256i v)
{
    _mm256_storeu_si256(p, v);
}

/* Of unsigned lanes. */
static inline uint64_t sum_16(__m512i v)
{
    const __m512i low = _mm512_set1_epi64(0xffff);
    __m512i sum = _mm512_and_si512(v, low);
    for (int k = 0; k < 3; k++) {
        v = _mm512_srli_epi64(v, 16);
        sum = _mm512_add_epi64(sum, _mm512_and_si512(v, low));
    }
    return (uint64_t)_mm512_reduce_add_epi64(sum);
}

#include "dbc_tmpl.h"

void rugi_dbc_set_kernels_avx512(rugi_dbc_kernels *kernels)
{
    kernels->name = "cpu-avx512";
    kernels->join[1] = join_1;
    kernels->join[2] = join_2;
    kernels->join[4] = join_4;
    kernels->widen_range = widen_range;
}
