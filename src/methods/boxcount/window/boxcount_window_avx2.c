/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of counting boxes of any size with AVX2: four words at a time. */

#define RUGI_LANES 4
#include "boxcount_window_tmpl.h"
#include <immintrin.h>

/* Four bits at a time by table (Muła, Kurz and Lemire 2018). */
static inline lanes word_counts(lanes x)
{
    const __m256i table =
        _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2,
                         2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    __m256i v = (__m256i)x;
    __m256i a = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
    __m256i b =
        _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
    return (lanes)_mm256_sad_epu8(_mm256_add_epi8(a, b), _mm256_setzero_si256());
}

static inline lanes below_last(lanes x)
{
    return plain_below_last(x);
}

static inline uint64_t sum_of_lanes(lanes x)
{
    return plain_sum_of_lanes(x);
}

static inline int has_bits(lanes x)
{
    return !_mm256_testz_si256((__m256i)x, (__m256i)x);
}

static void columns(uint64_t *counts, rugi_planes p, size_t n)
{
    plain_columns(counts, p, n);
}

void rugi_window_kernels_avx2(rugi_window_kernels *kernels)
{
    static const rugi_window_kernels avx2 = RUGI_WINDOW_KERNELS("cpu-avx2", columns);
    *kernels = avx2;
}
