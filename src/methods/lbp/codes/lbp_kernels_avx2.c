/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX2 kernel of local binary patterns: a block is 8 pixels. */

#include "lbp_kernels.h"
#include <immintrin.h>

#define RUGI_LBP_LANES 4

#define N_doubles 2
#define N_floats  1
typedef double doubles __attribute__((vector_size(32)));
typedef float floats __attribute__((vector_size(32)));

#include "lbp_pairs_tmpl.h"

/* Half of each result is enough: the halves of two are joined, put in order, and give their
 * bits at once. */
static inline void put_doubles(uint8_t *bits, const doubles *v, const double *centre)
{
    __m256d low = _mm256_cmp_pd((__m256d)v[0], _mm256_loadu_pd(centre), _CMP_GE_OQ);
    __m256d high = _mm256_cmp_pd((__m256d)v[1], _mm256_loadu_pd(centre + 4), _CMP_GE_OQ);
    __m256 both = _mm256_shuffle_ps(_mm256_castpd_ps(low), _mm256_castpd_ps(high), 0x88);
    __m256d sorted = _mm256_permute4x64_pd(_mm256_castps_pd(both), 0xD8);
    *bits = (uint8_t)_mm256_movemask_ps(_mm256_castpd_ps(sorted));
}

static inline void put_floats(uint8_t *bits, const floats *v, const float *centre)
{
    __m256 is_reached = _mm256_cmp_ps((__m256)v[0], _mm256_loadu_ps(centre), _CMP_GE_OQ);
    *bits = (uint8_t)_mm256_movemask_ps(is_reached);
}

/* Each byte of 32 gets the byte of the bits that holds its own. */
static inline __m256i repeat_bits(uint32_t bits)
{
    const __m256i which =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    return _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), which);
}

static void spread(uint8_t *bytes, const uint64_t (*planes)[RUGI_LBP_WORDS],
                   uint32_t n_planes)
{
    const __m256i own = _mm256_set1_epi64x((long long)0x8040201008040201);
    for (int at = 0; at < RUGI_LBP_TILE; at += 32) {
        __m256i sum = _mm256_setzero_si256();
        for (uint32_t k = 0; k < n_planes; k++) {
            __m256i bits = repeat_bits((uint32_t)(planes[k][at / 64] >> at % 64));
            __m256i is_set = _mm256_cmpeq_epi8(_mm256_and_si256(bits, own), own);
            __m256i bit = _mm256_set1_epi8((char)(1 << k));
            sum = _mm256_or_si256(sum, _mm256_and_si256(is_set, bit));
        }
        _mm256_storeu_si256((__m256i *)(void *)(bytes + at), sum);
    }
}

#include "lbp_column_tmpl.h"

static inline void count_bits(uint64_t *counts, const uint64_t *bits)
{
    plain_count_bits(counts, bits);
}

void rugi_lbp_set_kernels_avx2(rugi_lbp_kernels *kernels)
{
    *kernels = (rugi_lbp_kernels)RUGI_LBP_KERNELS("avx2");
}
