/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Bodies of leaves that are plain loops, which the compiler turns into the vectors of the
 * level whose file includes this. */

#ifndef RUGI_LBP_LEAF_H
#define RUGI_LBP_LEAF_H

#include "lbp_kernels.h"
#include <math.h>
#include <string.h>

#define WIDEN(real, type)                        \
    for (size_t i = 0; i < n; i++)               \
        out[i] = (real)((const type *)cells)[i]; \
    break

/* 64-bit integers are rounded to double first, so that all engines round alike. */
#define WIDEN_BY_DOUBLE(real, type)                      \
    for (size_t i = 0; i < n; i++)                       \
        out[i] = (real)(double)((const type *)cells)[i]; \
    break

#define WIDEN_BY_DTYPE(real)                       \
    switch (dtype) {                               \
    case RUG_U8: WIDEN(real, uint8_t);             \
    case RUG_I8: WIDEN(real, int8_t);              \
    case RUG_U16: WIDEN(real, uint16_t);           \
    case RUG_I16: WIDEN(real, int16_t);            \
    case RUG_U32: WIDEN(real, uint32_t);           \
    case RUG_I32: WIDEN(real, int32_t);            \
    case RUG_U64: WIDEN_BY_DOUBLE(real, uint64_t); \
    case RUG_I64: WIDEN_BY_DOUBLE(real, int64_t);  \
    case RUG_F32: WIDEN(real, float);              \
    default: WIDEN(real, double);                  \
    }

static void to_double(double *out, const void *cells, rug_dtype dtype, size_t n)
{
    WIDEN_BY_DTYPE(double)
}

static void to_float(float *out, const void *cells, rug_dtype dtype, size_t n)
{
    WIDEN_BY_DTYPE(float)
}

/* Sums of a bit-sliced number: three planes of one weight are one of it and one of the
 * next. */
static void add_three(uint64_t *restrict sum, uint64_t *restrict carry,
                      const uint64_t *restrict a, const uint64_t *restrict b)
{
    for (int w = 0; w < RUGI_LBP_WORDS; w++) {
        uint64_t x = sum[w] ^ a[w];
        carry[w] = (sum[w] & a[w]) | (x & b[w]);
        sum[w] = x ^ b[w];
    }
}

static void copy_plane(uint64_t *to, const uint64_t *from)
{
    memcpy(to, from, RUGI_LBP_WORDS * sizeof *to);
}

/* The number of ones of each pixel. */
static void count_ones(uint64_t (*number)[RUGI_LBP_WORDS],
                       const uint64_t (*planes)[RUGI_LBP_WORDS], uint32_t n)
{
    static const uint64_t zeros[RUGI_LBP_WORDS];
    uint64_t carries[RUG_LBP_MAX_POINTS / 2 + 1][RUGI_LBP_WORDS];
    for (int k = 0; k < RUGI_LBP_NUMBER_PLANES; k++) {
        uint32_t n_carries = 0;
        copy_plane(number[k], n > 0 ? planes[0] : zeros);
        for (uint32_t i = 1; i < n;
             i += 2) /* carries lie behind what is yet to be read */
            add_three(number[k], carries[n_carries++], planes[i],
                      i + 1 < n ? planes[i + 1] : zeros);
        planes = (const uint64_t(*)[RUGI_LBP_WORDS])carries;
        n = n_carries;
    }
}

/* Whether the pattern has at most one step from 0 to 1 round the circle, which is to say
 * at most two changes (Ojala et al. 2002, equation 10). */
static void find_uniform(uint64_t *uniform, const uint64_t (*planes)[RUGI_LBP_WORDS],
                         uint32_t n)
{
    uint64_t one[RUGI_LBP_WORDS] = {0}, two[RUGI_LBP_WORDS] = {0};
    const uint64_t *before = planes[n - 1];
    for (uint32_t i = 0; i < n; i++) {
        for (int w = 0; w < RUGI_LBP_WORDS; w++) {
            uint64_t step = planes[i][w] & ~before[w];
            two[w] |= one[w] & step;
            one[w] |= step;
        }
        before = planes[i];
    }
    for (int w = 0; w < RUGI_LBP_WORDS; w++)
        uniform[w] = ~two[w];
}

static uint64_t count_bits(const uint64_t *plane)
{
    uint64_t sum = 0;
    for (int w = 0; w < RUGI_LBP_WORDS; w++)
        sum += (uint64_t)__builtin_popcountll(plane[w]);
    return sum;
}

/* Pixels, among some, whose low three bits of a number are each of 0 .. 7. */
static void split_by_low_bits(uint64_t (*out)[RUGI_LBP_WORDS], const uint64_t *among,
                              const uint64_t (*number)[RUGI_LBP_WORDS])
{
    copy_plane(out[0], among);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 1 << k; i++)
            for (int w = 0; w < RUGI_LBP_WORDS; w++) {
                out[i + (1 << k)][w] = out[i][w] & number[k][w];
                out[i][w] &= ~number[k][w];
            }
}

static void select_high(uint64_t *out, const uint64_t (*number)[RUGI_LBP_WORDS],
                        uint32_t high)
{
    for (int w = 0; w < RUGI_LBP_WORDS; w++) {
        uint64_t s = UINT64_MAX;
        for (int k = 0; k < 3; k++)
            s &= high >> k & 1 ? number[3 + k][w] : ~number[3 + k][w];
        out[w] = s;
    }
}

static void count_riu2(uint64_t *counts, uint32_t points, const uint64_t *uniform,
                       const uint64_t *valid, const uint64_t (*number)[RUGI_LBP_WORDS])
{
    uint64_t low[8][RUGI_LBP_WORDS], high[RUGI_LBP_WORDS], among[RUGI_LBP_WORDS];
    for (int w = 0; w < RUGI_LBP_WORDS; w++) {
        among[w] = valid[w] & uniform[w];
        high[w] = valid[w] & ~uniform[w];
    }
    counts[points + 1] += count_bits(high);
    split_by_low_bits(low, among, number);
    for (uint32_t first = 0; first <= points; first += 8) {
        select_high(high, number, first / 8);
        for (uint32_t i = 0; i < 8 && first + i <= points; i++) {
            for (int w = 0; w < RUGI_LBP_WORDS; w++)
                among[w] = low[i][w] & high[w];
            counts[first + i] += count_bits(among);
        }
    }
}

/* Ojala et al. 2002, equation 9. */
static void riu2(const rugi_lbp_riu2 *r)
{
    uint64_t uniform[RUGI_LBP_WORDS];
    count_ones(r->codes, r->planes, r->points);
    find_uniform(uniform, r->planes, r->points);
    if (r->counts != NULL)
        count_riu2(r->counts, r->points, uniform, r->valid,
                   (const uint64_t(*)[RUGI_LBP_WORDS])r->codes);
    for (int k = 0; k < RUGI_LBP_NUMBER_PLANES; k++)
        for (int w = 0; w < RUGI_LBP_WORDS; w++)
            r->codes[k][w] = (r->codes[k][w] & uniform[w]) |
                             ((r->points + 1) >> k & 1 ? ~uniform[w] : 0);
}

/* The value of one sample in a run of pixels. */
static void interpolate(double *restrict out, const rugi_lbp_variance *v, uint32_t i)
{
    const double *a = v->cell[i][0], *b = v->cell[i][1], *c = v->cell[i][2],
                 *d = v->cell[i][3], *col = v->col_weights[i], row = v->row_weight[i];
    for (size_t x = 0; x < v->n; x++) {
        double top = (1 - col[x]) * a[x] + col[x] * b[x];
        double bottom = (1 - col[x]) * c[x] + col[x] * d[x];
        out[x] = (1 - row) * top + row * bottom;
    }
}

/* Ojala et al. 2002, equation 14, in scikit-image's order of operations. */
static void variance(double *restrict out, const rugi_lbp_variance *v)
{
    double sums[RUGI_LBP_TILE] = {0}, squares[RUGI_LBP_TILE] = {0}, made[RUGI_LBP_TILE];
    for (uint32_t i = 0; i < v->points; i++) {
        const double *values = v->cell[i][0];
        if (!v->is_whole[i]) {
            interpolate(made, v, i);
            values = made;
        }
        for (size_t x = 0; x < v->n; x++) {
            sums[x] += values[x];
            squares[x] += values[x] * values[x];
        }
    }
    double n = v->points;
    for (size_t x = 0; x < v->n; x++)
        out[x] = (squares[x] - sums[x] * sums[x] / n) / n;
}

#endif
