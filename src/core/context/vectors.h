/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Vectors under one set of names for AVX2, AVX-512 and WebAssembly, for files `*_simd.c`, which are
 * compiled once for each level: a kernel that needs nothing else is written once. Lanes are
 * unsigned where that makes a difference. At level ref there are none. */

#ifndef RUGI_VECTORS_H
#define RUGI_VECTORS_H

#include "levels.h"
#include <stdint.h>

#if RUGI_VECTOR_BYTES > 16
#include <immintrin.h>
#elif RUGI_VECTOR_BYTES > 0
#include <wasm_simd128.h>
#endif

#if RUGI_VECTOR_BYTES == 32

#define V           __m256i
#define ZERO        _mm256_setzero_si256()
#define LOAD(p)     _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define SET16       _mm256_set1_epi16
#define SET32       _mm256_set1_epi32
#define SET64       _mm256_set1_epi64x
#define AND         _mm256_and_si256
#define MIN8        _mm256_min_epu8
#define MAX8        _mm256_max_epu8
#define MIN16       _mm256_min_epu16
#define MAX16       _mm256_max_epu16
#define ADD16       _mm256_add_epi16
#define ADD32       _mm256_add_epi32
#define ADD64       _mm256_add_epi64
#define SUB16       _mm256_sub_epi16
#define SUB32       _mm256_sub_epi32
#define SUB64       _mm256_sub_epi64
#define SHIFT16     _mm256_srli_epi16 /* to the right */
#define SHIFT32     _mm256_srli_epi32
#define SHIFT64     _mm256_srli_epi64
#define HIGH16      _mm256_mulhi_epu16 /* the upper halves of products */
#define MULTIPLY32  _mm256_mul_epu32   /* of the lower halves of lanes of 64 bits */
#define MADD16      _mm256_madd_epi16  /* sums of two products of signed numbers */

/** The sum of lanes of 64 bits. */
static inline uint64_t SUM64(__m256i v)
{
    return (uint64_t)_mm256_extract_epi64(v, 0) + (uint64_t)_mm256_extract_epi64(v, 1) +
           (uint64_t)_mm256_extract_epi64(v, 2) + (uint64_t)_mm256_extract_epi64(v, 3);
}

#elif RUGI_VECTOR_BYTES == 64

#define V           __m512i
#define ZERO        _mm512_setzero_si512()
#define LOAD        _mm512_loadu_si512
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define SET16       _mm512_set1_epi16
#define SET32       _mm512_set1_epi32
#define SET64       _mm512_set1_epi64
#define AND         _mm512_and_si512
#define MIN8        _mm512_min_epu8
#define MAX8        _mm512_max_epu8
#define MIN16       _mm512_min_epu16
#define MAX16       _mm512_max_epu16
#define ADD16       _mm512_add_epi16
#define ADD32       _mm512_add_epi32
#define ADD64       _mm512_add_epi64
#define SUB16       _mm512_sub_epi16
#define SUB32       _mm512_sub_epi32
#define SUB64       _mm512_sub_epi64
#define SHIFT16     _mm512_srli_epi16
#define SHIFT32     _mm512_srli_epi32
#define SHIFT64     _mm512_srli_epi64
#define HIGH16      _mm512_mulhi_epu16
#define MULTIPLY32  _mm512_mul_epu32
#define MADD16      _mm512_madd_epi16

static inline uint64_t SUM64(__m512i v)
{
    return (uint64_t)_mm512_reduce_add_epi64(v);
}

#elif RUGI_VECTOR_BYTES == 16

#define V       v128_t
#define ZERO    wasm_i64x2_const(0, 0)
#define LOAD    wasm_v128_load
#define STORE   wasm_v128_store
#define SET16   wasm_i16x8_splat
#define SET32   wasm_i32x4_splat
#define SET64   wasm_i64x2_splat
#define AND     wasm_v128_and
#define MIN8    wasm_u8x16_min
#define MAX8    wasm_u8x16_max
#define MIN16   wasm_u16x8_min
#define MAX16   wasm_u16x8_max
#define ADD16   wasm_i16x8_add
#define ADD32   wasm_i32x4_add
#define ADD64   wasm_i64x2_add
#define SUB16   wasm_i16x8_sub
#define SUB32   wasm_i32x4_sub
#define SUB64   wasm_i64x2_sub
#define SHIFT16 wasm_u16x8_shr
#define SHIFT32 wasm_u32x4_shr
#define SHIFT64 wasm_u64x2_shr
#define MADD16  wasm_i32x4_dot_i16x8

static inline v128_t HIGH16(v128_t a, v128_t b)
{
    v128_t low = wasm_u32x4_extmul_low_u16x8(a, b);
    v128_t high = wasm_u32x4_extmul_high_u16x8(a, b);
    return wasm_i16x8_shuffle(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}

static inline v128_t MULTIPLY32(v128_t a, v128_t b)
{
    return wasm_u64x2_extmul_low_u32x4(wasm_i32x4_shuffle(a, a, 0, 2, 0, 2),
                                       wasm_i32x4_shuffle(b, b, 0, 2, 0, 2));
}

static inline uint64_t SUM64(v128_t v)
{
    return (uint64_t)wasm_i64x2_extract_lane(v, 0) +
           (uint64_t)wasm_i64x2_extract_lane(v, 1);
}

#endif

#endif
