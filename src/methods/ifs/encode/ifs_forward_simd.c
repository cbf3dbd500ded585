/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of the encoder, the same text for each level: plain loops whose inner
 * ones run over independent sums, so that the compiler's vectors keep the order of
 * each. */

#include "ifs_forward.h"
#include <math.h>

/* out = a b of n x n. */
static inline void product(float *restrict out, const float *restrict a,
                           const float *restrict b, size_t n)
{
    for (size_t y = 0; y < n; y++) {
        float sum[RUGI_IFS_BLOCK];
        for (size_t x = 0; x < n; x++)
            sum[x] = 0;
        for (size_t k = 0; k < n; k++) {
            float factor = a[y * n + k];
            for (size_t x = 0; x < n; x++)
                sum[x] += factor * b[k * n + x];
        }
        for (size_t x = 0; x < n; x++)
            out[y * n + x] = sum[x];
    }
}

#define TWO_PRODUCTS(level)                                             \
    do {                                                                \
        product(half, c->basis[level], in, RUGI_IFS_SIDE(level));       \
        product(out, half, c->transposed[level], RUGI_IFS_SIDE(level)); \
    } while (0)

static void forward(float *out, const float *in, const rugi_ifs_cosines *c,
                    unsigned level)
{
    float half[RUGI_IFS_PIXELS];
    switch (level) {
    case 0: TWO_PRODUCTS(0); break;
    case 1: TWO_PRODUCTS(1); break;
    case 2: TWO_PRODUCTS(2); break;
    default: TWO_PRODUCTS(3); break;
    }
}

static void cross(int32_t out[RUGI_IFS_ISOMETRIES], const int16_t *ranges,
                  const int16_t *domain, size_t n)
{
    for (size_t g = 0; g < RUGI_IFS_ISOMETRIES; g++) {
        const int16_t *range = ranges + g * n;
        int32_t sum = 0;
        for (size_t i = 0; i < n / 16 * 16; i++)
            sum += range[i] * domain[i];
        out[g] = sum;
    }
}

static size_t residual(float *x, const float *r, const float *e, float s, float least,
                       size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = r[i] - s * e[i];
    while (n > 0 && fabsf(x[n - 1]) < least)
        n--;
    return n;
}

void RUGI_AT_LEVEL(rugi_ifs_set_forward_kernels)(rugi_ifs_forward_kernels *kernels)
{
    *kernels = (rugi_ifs_forward_kernels){forward, cross, residual};
}
