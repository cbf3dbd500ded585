/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The bodies of the vector kernels. A kernel defines what a vector is (V, VECTOR bytes) and its
 * operations before it includes this. */

#ifndef RUGI_LACUNARITY_TMPL_H
#define RUGI_LACUNARITY_TMPL_H

#include "lacunarity_loops_tmpl.h"

RUGI_LACUNARITY_DEFINE_SLIDE(slide_0_1, uint8_t, uint16_t)
RUGI_LACUNARITY_DEFINE_SLIDE(slide_0_2, uint8_t, uint32_t)
RUGI_LACUNARITY_DEFINE_SLIDE(slide_1_1, uint16_t, uint16_t)
RUGI_LACUNARITY_DEFINE_SLIDE(slide_2_2, uint32_t, uint32_t)
RUGI_LACUNARITY_DEFINE_SUM(sum_from_2, uint32_t)

/* The running sum of a vector is made by shifts inside of lanes of 128 bits, then over lanes;
 * the last number of all is carried on. */
#define DEFINE_VECTOR_ACCUMULATE(name, pixel, number, WIDEN, ADD, SUB, RUN, LAST)    \
    static void name(void *sums, const void *base, const void *add, const void *sub, \
                     size_t n)                                                       \
    {                                                                                \
        const size_t lanes = VECTOR / sizeof(number);                                \
        V carry = ZERO;                                                              \
        for (size_t i = 0; i < n; i += lanes) {                                      \
            V v = WIDEN((const pixel *)add + i);                                     \
            if (sub != NULL)                                                         \
                v = SUB(v, WIDEN((const pixel *)sub + i));                           \
            v = RUN(v);                                                              \
            STORE((number *)sums + i,                                                \
                  ADD(ADD(v, carry), LOAD((const number *)base + i)));               \
            carry = ADD(carry, LAST(v));                                             \
        }                                                                            \
    }

DEFINE_VECTOR_ACCUMULATE(accumulate_0_1, uint8_t, uint16_t, WIDEN_8_16, ADD16, SUB16,
                         RUN16, LAST16)
DEFINE_VECTOR_ACCUMULATE(accumulate_1_1, uint16_t, uint16_t, LOAD, ADD16, SUB16, RUN16,
                         LAST16)
DEFINE_VECTOR_ACCUMULATE(accumulate_0_2, uint8_t, uint32_t, WIDEN_8_32, ADD32, SUB32,
                         RUN32, LAST32)
DEFINE_VECTOR_ACCUMULATE(accumulate_2_2, uint32_t, uint32_t, LOAD, ADD32, SUB32, RUN32,
                         LAST32)

/* Vectors whose sums of M fit lanes of 32 bits. */
#define MASSES_MAX 32768

/* How many vectors' sums of two squares fit a lane of 32 bits: at least 2. */
static size_t squares_max(uint64_t most)
{
    uint64_t two = 2 * most * most + 1;
    return two < UINT32_MAX / MASSES_MAX ? MASSES_MAX : UINT32_MAX / two;
}

/* Ones between zeros, from which masks of the first or the last lanes are loaded. */
static const uint16_t ones[3 * VECTOR / 2] = {ONES_16};

/* Lanes from .. to - 1. */
static inline V lanes_16(size_t from, size_t to)
{
    const size_t lanes = VECTOR / 2;
    return AND(LOAD(ones + lanes - from), LOAD(ones + 2 * lanes - to));
}

static inline V masses_16(const rugi_lacunarity_row *row, size_t x, const int has_before)
{
    const uint16_t *now = row->now, *before = row->before;
    V m = SUB16(LOAD(now + x), LOAD(now + x - row->e));
    if (has_before)
        m = SUB16(m, SUB16(LOAD(before + x), LOAD(before + x - row->e)));
    return m;
}

/* Sums in lanes of 64 bits. */
typedef struct vector_sums {
    V masses, squares;
} vector_sums;

static inline void empty_lanes(vector_sums *s, V m32, V s32)
{
    const V low = SET64(UINT32_MAX);
    s->masses = ADD64(s->masses, ADD64(AND(m32, low), SHIFT64(m32, 32)));
    s->squares = ADD64(s->squares, ADD64(AND(s32, low), SHIFT64(s32, 32)));
}

/* Of two of the four rows of numbers whole lines of the cache are loaded: the first vector begins
 * at the line in which the first box ends, at most a pad before the row. */
static inline void vectors_16(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out,
                              const int has_before)
{
    const V one = SET16(1);
    const size_t lanes = VECTOR / 2, most = squares_max(row->most), begin = row->e - 1;
    size_t x = begin / lanes * lanes, end = (row->n - 1) / lanes * lanes;
    size_t to = row->n - end;
    vector_sums sums = {ZERO, ZERO};
    V m = AND(masses_16(row, x, has_before), lanes_16(begin - x, x == end ? to : lanes));
    empty_lanes(&sums, MADD16(m, one), MADD16(m, m));
    for (x += lanes; x < end;) {
        size_t left = (end - x) / lanes, n = left < most ? left : most;
        V m32 = ZERO, s32 = ZERO;
        for (size_t i = 0; i < n; i++, x += lanes) {
            m = masses_16(row, x, has_before);
            m32 = ADD32(m32, MADD16(m, one));
            s32 = ADD32(s32, MADD16(m, m));
        }
        empty_lanes(&sums, m32, s32);
    }
    if (x == end) {
        m = AND(masses_16(row, x, has_before), lanes_16(0, to));
        empty_lanes(&sums, MADD16(m, one), MADD16(m, m));
    }
    out->positions += row->n - begin;
    out->mass += SUM64(sums.masses);
    rugi_lacunarity_add_square(out, SUM64(sums.squares));
}

static void sum_1(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out)
{
    if (row->before != NULL)
        vectors_16(row, out, 1);
    else
        vectors_16(row, out, 0);
}

static void sum_2(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out)
{
    sum_from_2(row, out, row->e - 1);
}

static void set_kernels(rugi_lacunarity_kernels *kernels, const char *name)
{
    kernels->name = name;
    kernels->accumulate[0][1] = accumulate_0_1;
    kernels->accumulate[0][2] = accumulate_0_2;
    kernels->accumulate[1][1] = accumulate_1_1;
    kernels->accumulate[2][2] = accumulate_2_2;
    kernels->slide[0][1] = slide_0_1;
    kernels->slide[0][2] = slide_0_2;
    kernels->slide[1][1] = slide_1_1;
    kernels->slide[2][2] = slide_2_2;
    kernels->sum[1] = sum_1;
    kernels->sum[2] = sum_2;
}

#endif
