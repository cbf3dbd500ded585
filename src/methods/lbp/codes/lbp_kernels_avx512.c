/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 kernel of local binary patterns: comparisons give masks, 64 pixels at a time. */

#include "lbp_kernels.h"
#include <immintrin.h>

#define RUGI_LBP_LANES 8

#define N_doubles 1
#define N_floats  1
typedef double doubles __attribute__((vector_size(64)));
typedef float floats __attribute__((vector_size(64)));

/* Loads that cross lines of the cache cost twice: lines are loaded whole, and both pixels are
 * picked from two of them. */
typedef struct doubles_pair {
    const double *lines;
    __m512d line; /* the first of the two */
    __m512i left, right;
} doubles_pair;

typedef struct floats_pair {
    const float *lines;
    __m512 line;
    __m512i left, right;
} floats_pair;

static inline doubles_pair begin_doubles(const double *left, const double *right)
{
    const size_t first = (uintptr_t)left % 64 / sizeof *left;
    const __m512i from = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    doubles_pair p = {.lines = left - first};
    p.line = _mm512_load_pd(p.lines);
    p.left = _mm512_add_epi64(from, _mm512_set1_epi64((long long)first));
    p.right = _mm512_add_epi64(p.left, _mm512_set1_epi64(right - left));
    return p;
}

static inline void next_doubles(doubles_pair *p, size_t at, doubles *l, doubles *r)
{
    __m512d next = _mm512_load_pd(p->lines + at + 8);
    *l = (doubles)_mm512_permutex2var_pd(p->line, p->left, next);
    *r = (doubles)_mm512_permutex2var_pd(p->line, p->right, next);
    p->line = next;
}

static inline floats_pair begin_floats(const float *left, const float *right)
{
    const size_t first = (uintptr_t)left % 64 / sizeof *left;
    const __m512i from =
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    floats_pair p = {.lines = left - first};
    p.line = _mm512_load_ps(p.lines);
    p.left = _mm512_add_epi32(from, _mm512_set1_epi32((int)first));
    p.right = _mm512_add_epi32(p.left, _mm512_set1_epi32((int)(right - left)));
    return p;
}

static inline void next_floats(floats_pair *p, size_t at, floats *l, floats *r)
{
    __m512 next = _mm512_load_ps(p->lines + at + 16);
    *l = (floats)_mm512_permutex2var_ps(p->line, p->left, next);
    *r = (floats)_mm512_permutex2var_ps(p->line, p->right, next);
    p->line = next;
}

/* Masks are stored byte by byte: joined in registers they would be moved to general ones
 * first, which is slower. They are not read soon. */
static inline void put_doubles(uint8_t *bits, const doubles *v, const double *centre)
{
    for (int k = 0; k < N_doubles; k++) {
        __m512d c = _mm512_loadu_pd(centre + 8 * k);
        _store_mask8((__mmask8 *)(bits + k),
                     _mm512_cmp_pd_mask((__m512d)v[k], c, _CMP_GE_OQ));
    }
}

static inline void put_floats(uint8_t *bits, const floats *v, const float *centre)
{
    for (int k = 0; k < N_floats; k++) {
        __m512 c = _mm512_loadu_ps(centre + 16 * k);
        _store_mask16((__mmask16 *)(void *)(bits + 2 * k),
                      _mm512_cmp_ps_mask((__m512)v[k], c, _CMP_GE_OQ));
    }
}

static void spread(uint8_t *bytes, const uint64_t (*planes)[RUGI_LBP_WORDS],
                   uint32_t n_planes)
{
    for (int w = 0; w < RUGI_LBP_WORDS; w++) {
        __m512i sum = _mm512_setzero_si512();
        for (uint32_t k = 0; k < n_planes; k++)
            sum = _mm512_mask_add_epi8(sum, planes[k][w], sum,
                                       _mm512_set1_epi8((char)(1 << k)));
        _mm512_storeu_si512(bytes + 64 * w, sum);
    }
}

#include "lbp_column_tmpl.h"

static inline void count_bits(uint64_t *counts, const uint64_t *bits)
{
    __m512i n = _mm512_popcnt_epi64(_mm512_loadu_si512(bits));
    _mm512_storeu_si512(counts, _mm512_add_epi64(_mm512_loadu_si512(counts), n));
}

void rugi_lbp_set_kernels_avx512(rugi_lbp_kernels *kernels)
{
    *kernels = (rugi_lbp_kernels)RUGI_LBP_KERNELS("avx512");
}
