/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Distances, the same text for each level. */

#include "ifs_patch_distance.h"
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* Squares of 8 x 8 samples: a row is a vector. */
typedef int32_t lanes __attribute__((vector_size(32)));
typedef int16_t short_lanes __attribute__((vector_size(16)));

#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (lanes){__VA_ARGS__})
#endif

/* Sums and differences of the rows of a square. */
INLINE void add_rows(lanes v[8])
{
    for (uint32_t step = 1; step < 8; step *= 2)
        for (uint32_t row = 0; row < 8; row++)
            if ((row & step) == 0) {
                lanes a = v[row], b = v[row + step];
                v[row] = a + b;
                v[row + step] = a - b;
            }
}

/* Rows 1, 2 and 4 apart exchange numbers, pairs of them and halves. */
INLINE void transpose(lanes v[8])
{
    for (uint32_t row = 0; row < 8; row += 2) {
        lanes a = v[row], b = v[row + 1];
        v[row] = SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
        v[row + 1] = SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (uint32_t row = 0; row < 8; row += row % 4 == 1 ? 3 : 1) {
        lanes a = v[row], b = v[row + 2];
        v[row] = SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        v[row + 2] = SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (uint32_t row = 0; row < 4; row++) {
        lanes a = v[row], b = v[row + 4];
        v[row] = SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
        v[row + 4] = SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

INLINE void load(lanes *out, const int16_t *a, const int16_t *b)
{
    short_lanes left, right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    *out = __builtin_convertvector(left, lanes) - __builtin_convertvector(right, lanes);
}

INLINE uint32_t sum_of_sizes(const lanes v[8])
{
    lanes sum = {0};
    for (uint32_t row = 0; row < 8; row++) {
        lanes sign = v[row] >> 31;
        sum += (v[row] ^ sign) - sign;
    }
    uint32_t total = 0;
    for (uint32_t i = 0; i < 8; i++)
        total += (uint32_t)sum[i];
    return total;
}

static uint32_t hadamard_8(const int16_t *a, const int16_t *b, size_t pitch)
{
    lanes v[8];
    for (size_t y = 0; y < 8; y++)
        load(&v[y], a + y * pitch, b + y * pitch);
    add_rows(v);
    transpose(v);
    add_rows(v);
    return sum_of_sizes(v) / 8;
}

/* A square of 4 x 4 samples is two vectors of two rows. */
static uint32_t hadamard_4(const int16_t *a, const int16_t *b)
{
    lanes v, w;
    load(&v, a, b);
    load(&w, a + 8, b + 8);
    lanes sum = v + w, difference = v - w;
    for (int i = 0; i < 3; i++) {
        /* pairs of rows, then of columns, of one step after the other */
        lanes even, odd;
        if (i == 0) {
            even = SHUFFLE(sum, difference, 0, 1, 2, 3, 8, 9, 10, 11);
            odd = SHUFFLE(sum, difference, 4, 5, 6, 7, 12, 13, 14, 15);
        } else if (i == 1) {
            even = SHUFFLE(sum, difference, 0, 1, 8, 9, 4, 5, 12, 13);
            odd = SHUFFLE(sum, difference, 2, 3, 10, 11, 6, 7, 14, 15);
        } else {
            even = SHUFFLE(sum, difference, 0, 8, 2, 10, 4, 12, 6, 14);
            odd = SHUFFLE(sum, difference, 1, 9, 3, 11, 5, 13, 7, 15);
        }
        sum = even + odd;
        difference = even - odd;
    }
    lanes total = {0}, signs = sum >> 31;
    total += (sum ^ signs) - signs;
    signs = difference >> 31;
    total += (difference ^ signs) - signs;
    uint32_t out = 0;
    for (uint32_t i = 0; i < 8; i++)
        out += (uint32_t)total[i];
    return out / 4;
}

static uint32_t hadamard(const int16_t *a, const int16_t *b, uint32_t n)
{
    uint32_t sum = 0;
    if (n == 4)
        return hadamard_4(a, b);
    for (uint32_t y = 0; y < n; y += 8)
        for (uint32_t x = 0; x < n; x += 8)
            sum += hadamard_8(a + y * n + x, b + y * n + x, n);
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
