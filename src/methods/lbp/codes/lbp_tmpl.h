/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Bodies of kernels that are plain loops or planes of bits, which the compiler turns into the
 * vectors of the level whose file includes this. */

#ifndef RUGI_LBP_TMPL_H
#define RUGI_LBP_TMPL_H

#include "lbp_kernels.h"
#include <math.h>
#include <string.h>

#define WIDEN(real, type)                         \
    for (size_t i = 0; i < n; i++)                \
        out[i] = (real)((const type *)pixels)[i]; \
    break

/* 64-bit integers are rounded to double first, so that all engines round alike. */
#define WIDEN_BY_DOUBLE(real, type)                       \
    for (size_t i = 0; i < n; i++)                        \
        out[i] = (real)(double)((const type *)pixels)[i]; \
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

static void to_double(double *out, const void *pixels, rug_dtype dtype, size_t n)
{
    WIDEN_BY_DTYPE(double)
}

static void to_float(float *out, const void *pixels, rug_dtype dtype, size_t n)
{
    WIDEN_BY_DTYPE(float)
}

/* As many words of a plane of bits as fill a vector of the level: RUGI_LBP_LANES, which the
 * kernel defines. What takes an array of planes sees their words from `word` on. */
typedef uint64_t plane __attribute__((vector_size(8 * RUGI_LBP_LANES)));

static inline void load_plane(plane *out, const uint64_t *from)
{
    memcpy(out, from, sizeof *out);
}

/* Adds the number of set bits of each word to its counter; the kernel's own, or the plain one.
 * Words are added up at the very end: within a vector that costs more than to count. */
static inline void count_bits(uint64_t *counts, const uint64_t *bits);

static inline void plain_count_bits(uint64_t *counts, const uint64_t *bits)
{
    for (int w = 0; w < RUGI_LBP_LANES; w++)
        counts[w] += (uint64_t)__builtin_popcountll(bits[w]);
}

/* The number of ones of each pixel, by a carry-save tree: three planes of one weight are one
 * of it and one of the next. */
static void count_ones(plane *number, const rugi_lbp_riu2 *r, size_t word)
{
    plane bits[RUG_LBP_MAX_POINTS + 1];
    uint32_t n = r->points;
    for (uint32_t i = 0; i < n; i++)
        load_plane(&bits[i], r->planes[i] + word);
    for (int k = 0; k < RUGI_LBP_NUMBER_PLANES; k++) {
        plane sum = n > 0 ? bits[0] : (plane){0};
        uint32_t n_carries = 0;
        bits[n] = (plane){0};
        for (uint32_t i = 1; i < n; i += 2) { /* carries go where all has been read */
            plane a = bits[i], b = bits[i + 1], x = sum ^ a;
            bits[n_carries++] = (sum & a) | (x & b);
            sum = x ^ b;
        }
        number[k] = sum;
        n = n_carries;
    }
}

/* Whether the pattern has at most one step from 0 to 1 round the circle, which is to say
 * at most two changes (Ojala et al. 2002, equation 10). */
static void find_uniform(plane *uniform, const rugi_lbp_riu2 *r, size_t word)
{
    plane one = {0}, two = {0}, before, bits;
    load_plane(&before, r->planes[r->points - 1] + word);
    for (uint32_t i = 0; i < r->points; i++) {
        load_plane(&bits, r->planes[i] + word);
        plane step = bits & ~before;
        two |= one & step;
        one |= step;
        before = bits;
    }
    *uniform = ~two;
}

/* Pixels, among some, whose low three bits of a number are each of 0 .. 7. */
static void split_by_low_bits(plane *out, const plane *among, const plane *number)
{
    out[0] = *among;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 1 << k; i++) {
            out[i + (1 << k)] = out[i] & number[k];
            out[i] &= ~number[k];
        }
}

/* Pixels whose three bits above those are a number. */
static void select_high(plane *out, const plane *number, uint32_t high)
{
    plane s = ~(plane){0};
    for (int k = 0; k < 3; k++)
        s &= high >> k & 1 ? number[3 + k] : ~number[3 + k];
    *out = s;
}

static void count_riu2(const rugi_lbp_riu2 *r, const plane *uniform, const plane *number,
                       size_t word)
{
    plane low[8], high, among, valid;
    load_plane(&valid, r->valid + word);
    among = valid & ~*uniform;
    count_bits(r->counts[r->points + 1] + word, (const uint64_t *)&among);
    among = valid & *uniform;
    split_by_low_bits(low, &among, number);
    for (uint32_t first = 0; first <= r->points; first += 8) {
        select_high(&high, number, first / 8);
        for (uint32_t i = 0; i < 8 && first + i <= r->points; i++) {
            among = low[i] & high;
            count_bits(r->counts[first + i] + word, (const uint64_t *)&among);
        }
    }
}

static void riu2_words(const rugi_lbp_riu2 *r, size_t word)
{
    plane uniform, number[RUGI_LBP_NUMBER_PLANES];
    count_ones(number, r, word);
    find_uniform(&uniform, r, word);
    if (r->counts != NULL)
        count_riu2(r, &uniform, number, word);
    for (int k = 0; k < RUGI_LBP_NUMBER_PLANES && r->codes != NULL; k++) {
        plane others = (r->points + 1) >> k & 1 ? ~uniform : (plane){0};
        others |= number[k] & uniform;
        memcpy(r->codes[k] + word, &others, sizeof others);
    }
}

/* Ojala et al. 2002, equation 9. */
static void riu2(const rugi_lbp_riu2 *r)
{
    for (size_t word = 0; word < RUGI_LBP_WORDS; word += RUGI_LBP_LANES)
        riu2_words(r, word);
}

/* The value of one sample in a run of pixels. */
static void interpolate(double *restrict out, const rugi_lbp_variance *v, uint32_t i)
{
    const double *a = v->pixel[i][0], *b = v->pixel[i][1], *c = v->pixel[i][2],
                 *d = v->pixel[i][3], *col = v->col_weights[i], row = v->row_weight[i];
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
        const double *values = v->pixel[i][0];
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
