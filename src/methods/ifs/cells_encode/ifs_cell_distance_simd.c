/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Distances, the same text for each level. */

#include "ifs_cell_distance.h"
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* Sums and differences of the rows of a square, of side n. */
INLINE void add_rows(int32_t *restrict v, uint32_t n)
{
    for (uint32_t step = 1; step < n; step *= 2)
        for (uint32_t row = 0; row < n; row++) {
            if (row & step)
                continue;
            int32_t *a = v + row * n, *b = v + (row + step) * n;
            for (uint32_t x = 0; x < n; x++) {
                int32_t sum = a[x] + b[x], difference = a[x] - b[x];
                a[x] = sum;
                b[x] = difference;
            }
        }
}

INLINE void transpose(int32_t *restrict out, const int32_t *restrict in, uint32_t n)
{
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            out[y * n + x] = in[x * n + y];
}

/* Of one square of side n in rows of `pitch`. */
INLINE uint32_t hadamard_of(const int16_t *a, const int16_t *b, size_t pitch, uint32_t n)
{
    int32_t v[64], t[64];
    uint32_t sum = 0;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            v[y * n + x] = a[y * pitch + x] - b[y * pitch + x];
    add_rows(v, n);
    transpose(t, v, n);
    add_rows(t, n);
    for (uint32_t i = 0; i < n * n; i++)
        sum += (uint32_t)abs(t[i]);
    return sum / n;
}

static uint32_t hadamard(const int16_t *a, const int16_t *b, uint32_t n)
{
    uint32_t sum = 0;
    if (n == 4)
        return hadamard_of(a, b, 4, 4);
    for (uint32_t y = 0; y < n; y += 8)
        for (uint32_t x = 0; x < n; x += 8)
            sum += hadamard_of(a + y * n + x, b + y * n + x, n, 8);
    return sum;
}

static void subtract(float *out, const int16_t *a, const int16_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (float)(a[i] - b[i]);
}

/* Error of a coded value, and bits of one of the least magnitude. */
#define CODED_ERROR 0.06f
#define CODED_BITS  2.8f
#define LANES       16

static float estimate(const float *in, float scale, float bit, size_t n)
{
    float sums[LANES] = {0}, sum = 0;
    for (size_t i = 0; i < n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            float value = in[i + k] * scale, square = value * value, size = 1 + square;
            int32_t log2; /* of 1 + value²: exponent and mantissa as one number */
            memcpy(&log2, &size, sizeof log2);
            float bits = CODED_BITS + (float)(log2 - 0x3f800000) * (1.0f / (1 << 23));
            float coded = CODED_ERROR + bit * bits;
            sums[k] += square < coded ? square : coded;
        }
    for (size_t k = 0; k < LANES; k++)
        sum += sums[k];
    return sum;
}

void RUGI_AT_LEVEL(rugi_ifs_set_distance_kernels)(rugi_ifs_distance_kernels *kernels)
{
    *kernels = (rugi_ifs_distance_kernels){hadamard, subtract, estimate};
}
