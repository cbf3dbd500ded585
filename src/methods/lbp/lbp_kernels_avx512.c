/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 leaf of local binary patterns: comparisons give masks, 64 pixels at a time. */

#include "lbp_kernels.h"
#include <immintrin.h>

#define N_doubles 1
#define N_floats  1
typedef double doubles __attribute__((vector_size(64)));
typedef float floats __attribute__((vector_size(64)));

/* Masks are stored byte by byte: joined in registers they would be moved to general ones
 * first, which is slower. Nobody reads them soon. */
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

#include "lbp_column_leaf.h"

void rugi_lbp_leaf_avx512(rugi_lbp_leaf *leaf)
{
    *leaf = (rugi_lbp_leaf)RUGI_LBP_LEAF("avx512");
}
