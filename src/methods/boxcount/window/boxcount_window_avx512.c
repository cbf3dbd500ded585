/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of counting boxes of any size with AVX-512: eight words at a time. */

#define RUGI_LANES 8
#include "boxcount_window_tmpl.h"
#include <immintrin.h>

static inline lanes word_counts(lanes x)
{
    return (lanes)_mm512_popcnt_epi64((__m512i)x);
}

static inline lanes below_last(lanes x)
{
    __m512i n_before = _mm512_lzcnt_epi64((__m512i)x); /* 64 shift all bits out */
    return (lanes)_mm512_srlv_epi64(_mm512_set1_epi64(INT64_MAX), n_before);
}

static inline uint64_t sum_of_lanes(lanes x)
{
    return (uint64_t)_mm512_reduce_add_epi64((__m512i)x);
}

static inline int has_bits(lanes x)
{
    return _mm512_test_epi64_mask((__m512i)x, (__m512i)x) != 0;
}

/* Eight bits are the mask of an addition. */
static void columns(uint64_t *counts, rugi_planes p, size_t n)
{
    for (size_t i = 0; i < n; i++, counts += 64) {
        __m512i sum[8];
        for (int k = 0; k < 8; k++)
            sum[k] = _mm512_setzero_si512();
        for (int l = 0; l < p.n_planes; l++) {
            uint64_t word = p.words[(size_t)l * p.stride + i];
            __m512i worth = _mm512_set1_epi64((int64_t)((uint64_t)1 << l));
            for (int k = 0; k < 8; k++)
                sum[k] = _mm512_mask_add_epi64(sum[k], (__mmask8)(word >> 8 * k), sum[k],
                                               worth);
        }
        for (int k = 0; k < 8; k++)
            _mm512_storeu_si512(counts + 8 * k, sum[k]);
    }
}

void rugi_window_kernels_avx512(rugi_window_kernels *kernels)
{
    static const rugi_window_kernels avx512 = RUGI_WINDOW_KERNELS("cpu-avx512", columns);
    *kernels = avx512;
}
