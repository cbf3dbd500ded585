/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The bodies of the leaves of one column offset, in terms of vectors. A leaf defines
 *
 *     doubles, floats           vectors
 *     N_doubles, N_floats       how many of them are a block of pixels, whose values stay in
 *                               registers while all samples of the column are compared
 *     uint64_t reached_doubles(const doubles *v, const double *centre)
 *     uint64_t reached_floats(const floats *v, const float *centre)
 *                               bit x: number x of a block is at least centre x
 *     spread(...)               see lbp_kernels.h
 *
 * and includes this. */

#ifndef RUGI_LBP_COLUMN_LEAF_H
#define RUGI_LBP_COLUMN_LEAF_H

#include "lbp_leaf.h"

#define INLINE static inline __attribute__((always_inline))

INLINE doubles load_doubles(const double *p)
{
    doubles v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE floats load_floats(const float *p)
{
    floats v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* The bits of a block go where the block lies in the plane: x86 is little-endian. */
INLINE void put_bits(uint64_t *plane, size_t x, uint64_t bits, size_t n)
{
    memcpy((char *)plane + x / 8, &bits, n / 8);
}

/* scikit-image's order of operations. */
INLINE doubles lerp_skimage(doubles from, doubles to, doubles w)
{
    return (1 - w) * from + w * to;
}

INLINE doubles lerp_decimal(doubles from, doubles to, doubles w)
{
    return RUGI_LBP_DECIMAL * from + w * (to - from);
}

INLINE floats lerp_float(floats from, floats to, floats w)
{
    return from + w * (to - from);
}

/* A value that needs no neighbour. */
INLINE doubles alone_skimage(doubles v)
{
    return v;
}

INLINE doubles alone_decimal(doubles v)
{
    return RUGI_LBP_DECIMAL * v;
}

INLINE floats alone_float(floats v)
{
    return v;
}

/* Compares all samples of a block at x, whose values are here, and those of the row before
 * kept. */
#define TEST_BLOCK(vec, real, rule)                                        \
    for (int i = 0; i < c->n_tests; i++) {                                 \
        const rugi_lbp_test *t = &c->test[i];                              \
        const vec weight = (real)t->weight - (vec){0};                     \
        vec v[N_##vec];                                                    \
        if (t->rows == RUGI_LBP_TWO_ROWS)                                  \
            for (int k = 0; k < N_##vec; k++)                              \
                v[k] = lerp_##rule(kept[k], here[k], weight);              \
        else if (t->rows == RUGI_LBP_ROW)                                  \
            for (int k = 0; k < N_##vec; k++)                              \
                v[k] = alone_##rule(here[k]);                              \
        else                                                               \
            for (int k = 0; k < N_##vec; k++)                              \
                v[k] = lerp_##rule(here[k], here[k], weight);              \
        uint64_t bits = reached_##vec(v, (const real *)t->centre + x);     \
        put_bits(t->plane, x, bits, N_##vec * sizeof(vec) / sizeof(real)); \
    }

/* One block of a column after the other. HERE is the value of a vector of it. */
#define WALK_COLUMN(vec, real, rule, HERE)                                               \
    for (size_t x = 0; x < 64 * c->n_words; x += N_##vec * sizeof(vec) / sizeof(real)) { \
        vec here[N_##vec], kept[N_##vec];                                                \
        for (int k = 0; k < N_##vec; k++) {                                              \
            const size_t at = x + (size_t)k * (sizeof(vec) / sizeof(real));              \
            kept[k] = load_##vec((const real *)c->kept + at);                            \
            here[k] = HERE;                                                              \
            memcpy((real *)c->kept + at, &here[k], sizeof(vec));                         \
        }                                                                                \
        TEST_BLOCK(vec, real, rule)                                                      \
    }

static void column_skimage(const rugi_lbp_column *c)
{
    const double *left = c->left, *right = c->right;
    const doubles w = c->weight - (doubles){0};
    if (c->is_whole)
        WALK_COLUMN(doubles, double, skimage, load_doubles(left + at))
    else if (c->weights == NULL)
        WALK_COLUMN(doubles, double, skimage,
                    lerp_skimage(load_doubles(left + at), load_doubles(right + at), w))
    else
        WALK_COLUMN(doubles, double, skimage,
                    lerp_skimage(load_doubles(left + at), load_doubles(right + at),
                                 load_doubles(c->weights + at)))
}

static void column_decimal(const rugi_lbp_column *c)
{
    const double *left = c->left, *right = c->right;
    const doubles w = c->weight - (doubles){0};
    if (c->is_whole)
        WALK_COLUMN(doubles, double, decimal, alone_decimal(load_doubles(left + at)))
    else
        WALK_COLUMN(doubles, double, decimal,
                    lerp_decimal(load_doubles(left + at), load_doubles(right + at), w))
}

static void column_float(const rugi_lbp_column *c)
{
    const float *left = c->left, *right = c->right;
    const floats w = (float)c->weight - (floats){0};
    if (c->is_whole)
        WALK_COLUMN(floats, float, float, load_floats(left + at))
    else
        WALK_COLUMN(floats, float, float,
                    lerp_float(load_floats(left + at), load_floats(right + at), w))
}

/* What a level has. */
#define RUGI_LBP_LEAF(level)                                                            \
    {                                                                                   \
        .name = "cpu-" level, .column = {column_skimage, column_decimal, column_float}, \
        .riu2 = riu2, .spread = spread, .to_double = to_double, .to_float = to_float,   \
        .variance = variance                                                            \
    }

#endif
