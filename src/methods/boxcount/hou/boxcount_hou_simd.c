/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of HOU: the fold of a bitmap, a loop over its words that compilers turn
 * into vectors of each level, and with AVX2 the scan of sorted keys, four at a time. */

#include "boxcount_hou_kernels.h"

/* ---- The fold of a bitmap ---- */

/* Bits at the multiples of 2^b. */
static const uint64_t set_mask[7] = {UINT64_MAX,
                                     0x5555555555555555,
                                     0x1111111111111111,
                                     0x0101010101010101,
                                     0x0001000100010001,
                                     0x0000000100000001,
                                     1};

static inline uint64_t ones_of(const uint64_t *words, uint64_t mask)
{
    uint64_t sum = 0;
    for (int i = 0; i < RUGI_BITMAP_STEP; i++)
        sum += rugi_bitmap_ones(words[i] & mask);
    return sum;
}

/* Joins neighbours of 2^(b-1) bits: the bit at each multiple of 2^b is of both. */
static inline void fold(rugi_bitmap_words *w, uint64_t *any, uint64_t *all, unsigned b)
{
    unsigned step = 1u << (b - 1);
    for (int i = 0; i < RUGI_BITMAP_STEP; i++) {
        any[i] |= any[i] >> step;
        all[i] &= all[i] >> step;
    }
    if ((w->asked >> b & 1) == 0)
        return;
    w->nonempty[b] += ones_of(any, set_mask[b]);
    w->full[b] += ones_of(all, set_mask[b]);
}

static inline uint64_t lowest_bits(const uint64_t *words)
{
    uint64_t bits = 0;
    for (int i = 0; i < RUGI_BITMAP_STEP; i++)
        bits |= (words[i] & 1) << i;
    return bits;
}

/* One group; any and all are its own copies. */
static inline void count_group(rugi_bitmap_words *w, size_t group, uint64_t *any,
                               uint64_t *all)
{
    uint64_t there = 0;
    for (int i = 0; i < RUGI_BITMAP_STEP; i++) {
        any[i] = w->any[group * RUGI_BITMAP_STEP + (size_t)i];
        all[i] = w->all[group * RUGI_BITMAP_STEP + (size_t)i];
        there |= any[i];
    }
    if (there == 0) {
        w->next_any[group] = w->next_all[group] = 0;
        return;
    }
    w->nonempty[0] += ones_of(any, UINT64_MAX);
    fold(w, any, all, 1);
    fold(w, any, all, 2);
    fold(w, any, all, 3);
    fold(w, any, all, 4);
    fold(w, any, all, 5);
    fold(w, any, all, 6);
    w->next_any[group] = lowest_bits(any);
    w->next_all[group] = lowest_bits(all);
}

static void fold_words(rugi_bitmap_words *w)
{
    for (size_t group = 0; group < w->n / RUGI_BITMAP_STEP; group++) {
        uint64_t any[RUGI_BITMAP_STEP], all[RUGI_BITMAP_STEP];
        count_group(w, group, any, all);
    }
}

/* ---- The scan of keys, which AVX-512 takes from AVX2 ----
 *
 * How many keys begin a set of so many bits, and where runs of consecutive keys break. */

#if RUGI_VECTOR_BYTES == 32
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
static inline void count_some(uint64_t *begun, const uint64_t *largest, int n_levels,
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
    case count: count_some(begun, largest, count, keys, n); break

static void count_levels(uint64_t *begun, const uint64_t *largest, int n_levels,
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
    default: count_some(begun, largest, RUGI_SCAN_LEVELS_MAX, keys, n);
    }
}

static inline uint64_t mask_of(__m256i v)
{
    return (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(v));
}

static void find_runs(uint64_t *breaks, uint64_t *ends, const uint64_t *keys,
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

#endif

void RUGI_AT_LEVEL(rugi_hou_set_kernels)(rugi_hou_kernels *kernels)
{
    kernels->fold = fold_words;
#if RUGI_VECTOR_BYTES == 0
    kernels->count_levels = NULL;
    kernels->find_runs = NULL;
#elif RUGI_VECTOR_BYTES == 32
    kernels->count_levels = count_levels;
    kernels->find_runs = find_runs;
#endif
}
