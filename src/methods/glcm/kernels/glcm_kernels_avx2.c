/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels with AVX2: pixels with a partner lie in runs, each of which is taken 16
 * pixels at a time; what a vector writes behind the run's end, the next one writes
 * over. */

#include "glcm_bytes_tmpl.h"
#include "glcm_kernels.h"
#include <immintrin.h>

#define PIXELS 16 /* of a vector */

static inline __m256i load(const uint16_t *p)
{
    return _mm256_loadu_si256((const void *)p);
}

static inline void store(void *to, __m256i v)
{
    _mm256_storeu_si256(to, v);
}

/* The keys of 8 pixels. */
static inline __m256i keys_of(rugi_glcm_keys keys, __m128i a16, __m128i b16,
                              uint32_t n_ranks)
{
    __m256i a = _mm256_cvtepu16_epi32(a16), b = _mm256_cvtepu16_epi32(b16);
    if (keys == RUGI_GLCM_SQUARE)
        return _mm256_add_epi32(
            _mm256_mullo_epi32(a, _mm256_set1_epi32((int32_t)n_ranks)), b);
    if (keys == RUGI_GLCM_TRIANGLE) {
        __m256i next = _mm256_add_epi32(a, _mm256_set1_epi32(1));
        return _mm256_add_epi32(_mm256_srli_epi32(_mm256_mullo_epi32(a, next), 1), b);
    }
    return _mm256_or_si256(_mm256_slli_epi32(a, 16), b);
}

static inline void list_16(const rugi_glcm_lists *out, size_t n,
                           const rugi_glcm_tile *tile, rugi_glcm_keys keys, size_t at,
                           size_t next)
{
    __m256i a = load(tile->rank + at), b = load(tile->rank + next);
    if (keys == RUGI_GLCM_TRIANGLE || keys == RUGI_GLCM_SORTED) {
        __m256i lo = _mm256_min_epu16(a, b);
        a = _mm256_max_epu16(a, b);
        b = lo;
    }
    store(out->key + n, keys_of(keys, _mm256_castsi256_si128(a),
                                _mm256_castsi256_si128(b), tile->n_ranks));
    store(out->key + n + 8, keys_of(keys, _mm256_extracti128_si256(a, 1),
                                    _mm256_extracti128_si256(b, 1), tile->n_ranks));
}

static inline void list_levels(const rugi_glcm_lists *out, size_t n,
                               const rugi_glcm_tile *tile, size_t at, size_t next)
{
    __m256i a = load(tile->level + at), b = load(tile->level + next);
    store(out->sum + n, _mm256_add_epi16(a, b));
    store(out->difference + n,
          _mm256_sub_epi16(_mm256_max_epu16(a, b), _mm256_min_epu16(a, b)));
}

/* The first run of bits: its length, and all bits but these. */
static inline size_t take_run(uint64_t *bits, size_t *first)
{
    uint64_t least = *bits & (0 - *bits), after = *bits + least; /* 0 at bit 64 */
    size_t end = after != 0 ? (size_t)__builtin_ctzll(after) : 64;
    *first = (size_t)__builtin_ctzll(*bits);
    *bits &= after;
    return end - *first;
}

static inline void list_pairs(rugi_glcm_lists *out, const rugi_glcm_tile *tile,
                              const rugi_glcm_wanted *w, rugi_glcm_keys keys,
                              uint64_t bits, size_t at, ptrdiff_t step)
{
    while (bits != 0) {
        size_t first, length = take_run(&bits, &first), n = out->n_pairs;
        size_t p = at + first, q = p + (size_t)step;
        for (size_t i = 0; i < length; i += PIXELS) {
            list_16(out, n + i, tile, keys, p + i, q + i);
            if (w->with_levels)
                list_levels(out, n + i, tile, p + i, q + i);
        }
        out->n_pairs = n + length;
    }
}

static inline size_t list_ranks(uint16_t *to, size_t n, const uint16_t *rank,
                                uint64_t bits)
{
    while (bits != 0) {
        size_t first, length = take_run(&bits, &first);
        for (size_t i = 0; i < length; i += PIXELS)
            store(to + n + i, load(rank + first + i));
        n += length;
    }
    return n;
}

#include "glcm_list_tmpl.h"

static inline uint64_t sum_of(__m256i v)
{
    uint64_t lane[4];
    store(lane, v);
    return lane[0] + lane[1] + (lane[2] + lane[3]);
}

/* t one by one: a gather is not faster. */
static inline uint64_t t_of(const uint16_t *counts, const uint64_t *t)
{
    uint64_t even = 0, odd = 0;
    for (size_t i = 0; i < PIXELS; i += 2) {
        even += t[counts[i]];
        odd += t[counts[i + 1]];
    }
    return even + odd;
}

static uint64_t sums(const uint16_t *counts, size_t n, const rugi_glcm_logs *logs)
{
    uint64_t t = 0;
    for (size_t i = 0; i < n; i += PIXELS) {
        __m256i all = load(counts + i);
        if (!_mm256_testz_si256(all, all))
            t += t_of(counts + i, logs->t);
    }
    return t;
}

/* Sums of 4 entries. */
typedef struct moments {
    __m256i first, second;
} moments;

static inline void add_moments(moments *m, __m256i k, __m256i c)
{
    m->first = _mm256_add_epi64(m->first, _mm256_mul_epu32(k, c));
    m->second = _mm256_add_epi64(m->second, _mm256_mul_epu32(_mm256_mul_epu32(k, k), c));
}

static inline __m256i load_4(const uint16_t *p)
{
    return _mm256_cvtepu16_epi64(_mm_loadl_epi64((const void *)p));
}

static inline __m256d closeness_of(const uint16_t *counts, const double *weight)
{
    __m128i c = _mm_cvtepu16_epi32(_mm_loadl_epi64((const void *)counts));
    return _mm256_mul_pd(_mm256_cvtepi32_pd(c), _mm256_loadu_pd(weight));
}

static void differences(rugi_glcm_moments *out, const uint16_t *counts, size_t n,
                        const double *weight, const rugi_glcm_logs *logs)
{
    moments m = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    __m256i k = _mm256_set_epi64x(3, 2, 1, 0), four = _mm256_set1_epi64x(4);
    __m256d low = _mm256_setzero_pd(), high = low;
    for (size_t i = 0; i < n; i += 8) {
        add_moments(&m, k, load_4(counts + i));
        k = _mm256_add_epi64(k, four);
        add_moments(&m, k, load_4(counts + i + 4));
        k = _mm256_add_epi64(k, four);
        low = _mm256_add_pd(low, closeness_of(counts + i, weight + i));
        high = _mm256_add_pd(high, closeness_of(counts + i + 4, weight + i + 4));
    }
    double lane[RUGI_GLCM_LANES];
    _mm256_storeu_pd(lane, low);
    _mm256_storeu_pd(lane + 4, high);
    *out = (rugi_glcm_moments){.t = sums(counts, n, logs),
                               .first = sum_of(m.first),
                               .second = sum_of(m.second),
                               .closeness = rugi_glcm_fold(lane)};
}

static void marginal(rugi_glcm_moments *out, const uint32_t *counts,
                     const uint16_t *level_of, size_t n, const rugi_glcm_logs *logs)
{
    moments m = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    uint64_t even = 0, odd = 0;
    for (size_t i = 0; i < n; i += 4) {
        __m256i c = _mm256_cvtepu32_epi64(_mm_loadu_si128((const void *)(counts + i)));
        add_moments(&m, load_4(level_of + i), c);
        even += logs->t[counts[i]] + logs->t[counts[i + 1]];
        odd += logs->t[counts[i + 2]] + logs->t[counts[i + 3]];
    }
    *out = (rugi_glcm_moments){
        .t = even + odd, .first = sum_of(m.first), .second = sum_of(m.second)};
}

void rugi_glcm_set_kernels_avx2(rugi_glcm_kernels *kernels)
{
    kernels->name = "cpu-avx2";
    kernels->list = list;
    kernels->differences = differences;
    kernels->sums = sums;
    kernels->marginal = marginal;
    kernels->bytes = &bytes_kernels;
}
