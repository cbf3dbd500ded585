/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of the encoder, the same text for each level: vectors are independent sums, so that
 * each keeps its order. */

#include "ifs_forward.h"
#include <math.h>
#include <string.h>

/* Vectors that the compiler keeps in registers: of loops of such lengths it makes worse. */
#define LANES   8
#define VECTORS (RUGI_IFS_BLOCK / LANES)
typedef float lanes __attribute__((vector_size(4 * LANES)));

/* out = a b of n x n, a row of `vectors`, each of `width` numbers, at once. */
static inline __attribute__((always_inline)) void product(float *restrict out,
                                                          const float *restrict a,
                                                          const float *restrict b,
                                                          size_t vectors, size_t width)
{
    const size_t n = vectors * width;
    for (size_t y = 0; y < n; y++) {
        lanes sum[VECTORS];
        for (size_t i = 0; i < vectors; i++)
            sum[i] = (lanes){0};
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0; i < vectors; i++) {
                lanes row = {0};
                memcpy(&row, b + k * n + i * width, width * sizeof *b);
                sum[i] += a[y * n + k] * row;
            }
        for (size_t i = 0; i < vectors; i++)
            memcpy(out + y * n + i * width, &sum[i], width * sizeof *out);
    }
}

#define TWO_PRODUCTS(level, vectors, width)                       \
    do {                                                          \
        product(half, c->basis[level], in, vectors, width);       \
        product(out, half, c->transposed[level], vectors, width); \
    } while (0)

static void forward(float *out, const float *in, const rugi_ifs_cosines *c,
                    unsigned level)
{
    float half[RUGI_IFS_PIXELS];
    switch (level) {
    case 0: TWO_PRODUCTS(0, VECTORS, LANES); break;
    case 1: TWO_PRODUCTS(1, 2, LANES); break;
    case 2: TWO_PRODUCTS(2, 1, LANES); break;
    default: TWO_PRODUCTS(3, 1, RUGI_IFS_LEAST); break;
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
