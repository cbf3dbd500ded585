/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sorted keys, four at a time: how many begin a set of so many bits, and where runs of
 * consecutive keys break. */

#include "boxcount_scan_levels.h"
#include <immintrin.h>
#include <string.h>

static inline __m256i load(const uint64_t *keys)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)keys);
}

static inline uint64_t sum_of(__m256i v)
{
    uint64_t lanes[4];
    memcpy(lanes, &v, sizeof lanes);
    return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

/* n_levels is a constant in each call, so that the sums stay in registers. */
static inline void count_levels(uint64_t *begun, const uint64_t *largest, int n_levels,
                                const uint64_t *keys, size_t n)
{
    __m256i sums[RUGI_SCAN_LEVELS_MAX], limits[RUGI_SCAN_LEVELS_MAX];
    size_t i = 0;
    for (int j = 0; j < n_levels; j++) {
        sums[j] = _mm256_setzero_si256();
        limits[j] = _mm256_set1_epi64x((long long)largest[j]);
    }
    for (; i + 4 < n; i += 4) {
        __m256i differ = _mm256_xor_si256(load(keys + i), load(keys + i + 1));
        for (int j = 0; j < n_levels; j++)
            sums[j] = _mm256_sub_epi64(sums[j], _mm256_cmpgt_epi64(differ, limits[j]));
    }
    for (int j = 0; j < n_levels; j++) {
        begun[j] += sum_of(sums[j]);
        for (size_t k = i; k + 1 < n; k++)
            begun[j] += (keys[k] ^ keys[k + 1]) > largest[j];
    }
}

#define CASE(count) \
    case count: count_levels(begun, largest, count, keys, n); break

void rugi_scan_levels_avx2(uint64_t *begun, const uint64_t *largest, int n_levels,
                           const uint64_t *keys, size_t n)
{
    switch (n_levels) {
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(5);
        CASE(6);
        CASE(7);
        CASE(8);
        CASE(9);
    default: count_levels(begun, largest, RUGI_SCAN_LEVELS_MAX, keys, n);
    }
}

static inline uint64_t mask_of(__m256i v)
{
    return (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(v));
}

void rugi_scan_runs_avx2(uint64_t *breaks, uint64_t *ends, const uint64_t *keys,
                         uint64_t low)
{
    const __m256i one = _mm256_set1_epi64x(1), lows = _mm256_set1_epi64x((long long)low);
    uint64_t all_breaks = 0, all_ends = 0;
    for (int i = 0; i < 64; i += 4) {
        __m256i key = load(keys + i + 1), step = _mm256_sub_epi64(key, load(keys + i));
        __m256i is_end = _mm256_cmpeq_epi64(_mm256_and_si256(key, lows), lows);
        is_end = _mm256_and_si256(is_end, _mm256_cmpeq_epi64(step, one));
        all_breaks |= mask_of(_mm256_cmpgt_epi64(step, one)) << i;
        all_ends |= mask_of(is_end) << i;
    }
    *breaks = all_breaks;
    *ends = all_ends;
}
