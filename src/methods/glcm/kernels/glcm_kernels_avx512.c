/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels with AVX-512: 32 pixels at a time, those without a partner squeezed out. */

#include "glcm_bytes_tmpl.h"
#include "glcm_kernels.h"
#include <immintrin.h>

#define PIXELS 32 /* of a vector */

static inline __m512i load(const uint16_t *p)
{
    return _mm512_loadu_si512(p);
}

/* The 16 keys of the pixels in the lower half. */
static inline __m512i keys_of(rugi_glcm_keys keys, __m256i a16, __m256i b16,
                              uint32_t n_ranks)
{
    __m512i a = _mm512_cvtepu16_epi32(a16), b = _mm512_cvtepu16_epi32(b16);
    if (keys == RUGI_GLCM_SQUARE)
        return _mm512_add_epi32(
            _mm512_mullo_epi32(a, _mm512_set1_epi32((int32_t)n_ranks)), b);
    if (keys == RUGI_GLCM_TRIANGLE) {
        __m512i next = _mm512_add_epi32(a, _mm512_set1_epi32(1));
        return _mm512_add_epi32(_mm512_srli_epi32(_mm512_mullo_epi32(a, next), 1), b);
    }
    return _mm512_or_si512(_mm512_slli_epi32(a, 16), b);
}

static inline void store_keys(uint32_t *to, rugi_glcm_keys keys, __m512i a, __m512i b,
                              uint32_t n_ranks)
{
    if (keys == RUGI_GLCM_TRIANGLE || keys == RUGI_GLCM_SORTED) {
        __m512i lo = _mm512_min_epu16(a, b);
        a = _mm512_max_epu16(a, b);
        b = lo;
    }
    _mm512_storeu_si512(
        to, keys_of(keys, _mm512_castsi512_si256(a), _mm512_castsi512_si256(b), n_ranks));
    _mm512_storeu_si512(to + 16, keys_of(keys, _mm512_extracti64x4_epi64(a, 1),
                                         _mm512_extracti64x4_epi64(b, 1), n_ranks));
}

static inline void list_pairs(rugi_glcm_lists *out, const rugi_glcm_tile *tile,
                              const rugi_glcm_wanted *w, rugi_glcm_keys keys,
                              uint64_t bits, size_t at, ptrdiff_t step)
{
    for (; bits != 0; bits >>= PIXELS, at += PIXELS) {
        __mmask32 inside = (__mmask32)bits;
        size_t n = out->n_pairs;
        ptrdiff_t next = (ptrdiff_t)at + step; /* may lie before the first rank */
        __m512i a = _mm512_maskz_compress_epi16(inside, load(tile->rank + at));
        __m512i b = _mm512_maskz_compress_epi16(inside, load(tile->rank + next));
        out->n_pairs = n + (size_t)_mm_popcnt_u32(inside);
        store_keys(out->key + n, keys, a, b, tile->n_ranks);
        if (!w->with_levels)
            continue;
        if (tile->rank != tile->level) {
            a = _mm512_maskz_compress_epi16(inside, load(tile->level + at));
            b = _mm512_maskz_compress_epi16(inside, load(tile->level + next));
        }
        _mm512_storeu_si512(out->sum + n, _mm512_add_epi16(a, b));
        _mm512_storeu_si512(
            out->difference + n,
            _mm512_sub_epi16(_mm512_max_epu16(a, b), _mm512_min_epu16(a, b)));
    }
}

static inline size_t list_ranks(uint16_t *to, size_t n, const uint16_t *rank,
                                uint64_t bits)
{
    for (; bits != 0; bits >>= PIXELS, rank += PIXELS) {
        __mmask32 inside = (__mmask32)bits;
        _mm512_storeu_si512(to + n, _mm512_maskz_compress_epi16(inside, load(rank)));
        n += (size_t)_mm_popcnt_u32(inside);
    }
    return n;
}

#include "glcm_list_tmpl.h"

/* t of 8 counts: the table's first 32 entries lie in registers, since most counts are
 * small and a gather takes several times as long. */
typedef struct small_t {
    __m512i t[4];
} small_t;

static inline small_t load_small(const rugi_glcm_logs *logs)
{
    small_t s;
    for (int i = 0; i < 4; i++)
        s.t[i] = _mm512_loadu_si512(logs->t + 8 * i);
    return s;
}

static inline __m512i t_of(const small_t *s, const rugi_glcm_logs *logs, __m512i c)
{
    __mmask8 large = _mm512_cmpgt_epu64_mask(c, _mm512_set1_epi64(15));
    if (large == 0)
        return _mm512_permutex2var_epi64(s->t[0], c, s->t[1]);
    if (_mm512_cmpgt_epu64_mask(c, _mm512_set1_epi64(31)) != 0)
        return _mm512_i64gather_epi64(c, logs->t, 8);
    __m512i low = _mm512_permutex2var_epi64(s->t[0], c, s->t[1]);
    return _mm512_mask_mov_epi64(low, large,
                                 _mm512_permutex2var_epi64(s->t[2], c, s->t[3]));
}

static inline __m512i load_counts(const uint16_t *counts)
{
    return _mm512_cvtepu16_epi64(_mm_loadu_si128((const void *)counts));
}

static void differences(rugi_glcm_moments *out, const uint16_t *counts, size_t n,
                        const double *weight, const rugi_glcm_logs *logs)
{
    small_t small = load_small(logs);
    __m512i t = _mm512_setzero_si512(), first = t, second = t;
    __m512i k = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    __m512d closeness = _mm512_setzero_pd();
    for (size_t i = 0; i < n; i += 8) {
        __m512i c = load_counts(counts + i), kc = _mm512_mul_epu32(k, c);
        t = _mm512_add_epi64(t, t_of(&small, logs, c));
        first = _mm512_add_epi64(first, kc);
        second = _mm512_add_epi64(second, _mm512_mul_epu32(k, kc));
        closeness = _mm512_add_pd(
            closeness, _mm512_mul_pd(_mm512_cvtepu64_pd(c), _mm512_loadu_pd(weight + i)));
        k = _mm512_add_epi64(k, _mm512_set1_epi64(8));
    }
    double lane[RUGI_GLCM_LANES];
    _mm512_storeu_pd(lane, closeness);
    *out = (rugi_glcm_moments){.t = (uint64_t)_mm512_reduce_add_epi64(t),
                               .first = (uint64_t)_mm512_reduce_add_epi64(first),
                               .second = (uint64_t)_mm512_reduce_add_epi64(second),
                               .closeness = rugi_glcm_fold(lane)};
}

/* 32 counts of fewer than 16 at a time: each quarter in a sum of its own. */
static uint64_t sums(const uint16_t *counts, size_t n, const rugi_glcm_logs *logs)
{
    small_t small = load_small(logs);
    __m512i t[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(),
                    _mm512_setzero_si512(), _mm512_setzero_si512()};
    for (size_t i = 0; i < n; i += PIXELS) {
        __m512i all = load(counts + i);
        if (_mm512_test_epi16_mask(all, all) == 0)
            continue;
        int few = _mm512_cmpgt_epu16_mask(all, _mm512_set1_epi16(15)) == 0;
        for (int q = 0; q < 4; q++) {
            __m512i c = load_counts(counts + i + 8 * q);
            t[q] = _mm512_add_epi64(
                t[q], few ? _mm512_permutex2var_epi64(small.t[0], c, small.t[1])
                          : t_of(&small, logs, c));
        }
    }
    return (uint64_t)_mm512_reduce_add_epi64(
        _mm512_add_epi64(_mm512_add_epi64(t[0], t[1]), _mm512_add_epi64(t[2], t[3])));
}

/* k is below 2^16: each product has factors of 32 bits. */
static void marginal(rugi_glcm_moments *out, const uint32_t *counts,
                     const uint16_t *level_of, size_t n, const rugi_glcm_logs *logs)
{
    small_t small = load_small(logs);
    __m512i t = _mm512_setzero_si512(), first = t, second = t;
    for (size_t i = 0; i < n; i += 8) {
        __m512i c = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const void *)(counts + i)));
        __m512i k = load_counts(level_of + i);
        t = _mm512_add_epi64(t, t_of(&small, logs, c));
        first = _mm512_add_epi64(first, _mm512_mul_epu32(k, c));
        second = _mm512_add_epi64(second, _mm512_mul_epu32(_mm512_mul_epu32(k, k), c));
    }
    *out = (rugi_glcm_moments){.t = (uint64_t)_mm512_reduce_add_epi64(t),
                               .first = (uint64_t)_mm512_reduce_add_epi64(first),
                               .second = (uint64_t)_mm512_reduce_add_epi64(second)};
}

void rugi_glcm_set_kernels_avx512(rugi_glcm_kernels *kernels)
{
    kernels->name = "cpu-avx512";
    kernels->list = list;
    kernels->differences = differences;
    kernels->sums = sums;
    kernels->marginal = marginal;
    kernels->bytes = &bytes_kernels;
}
