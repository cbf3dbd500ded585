/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The bodies of the kernels of one column offset, in terms of vectors. A kernel defines
 *
 *     doubles, floats           vectors
 *     N_doubles, N_floats       how many of them are a block of pixels: 8 or 16 pixels
 *     void put_doubles(uint8_t *bits, const doubles *v, const double *centre)
 *     void put_floats(uint8_t *bits, const floats *v, const float *centre)
 *                               bit x: number x of a block is at least centre x
 *     doubles_pair begin_doubles(left, right), void next_doubles(&pair, at, &l, &r)
 *     floats_pair begin_floats(left, right), void next_floats(&pair, at, &l, &r)
 *                               the pixels to the left and to the right of one vector of
 *                               samples after the other
 *     spread(...)               see lbp_kernels.h
 *
 * and includes this. A pass over the row makes its values, and compares two samples with
 * their centres while these are in registers: most columns have two, one above and one
 * below. */

#ifndef RUGI_LBP_COLUMN_TMPL_H
#define RUGI_LBP_COLUMN_TMPL_H

#include "lbp_tmpl.h"

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

/* What a pass has to do; constants where it is called. */
typedef struct pass {
    int is_whole;    /* the left pixels are the values; else they are made and stored */
    int has_weights; /* a weight for each pixel */
    int n_tests;     /* between rows, 0 .. 2 */
} pass;

/* One pass over a row. */
#define DEFINE_PASS(vec, real, rule)                                                     \
    INLINE void pass_##rule(const rugi_lbp_column *c, pass p)                            \
    {                                                                                    \
        const size_t step = sizeof(vec) / sizeof(real);                                  \
        const real *left = c->left, *right = c->right, *kept = c->kept;                  \
        const real *centre0 = c->test[0].centre, *centre1 = c->test[1].centre;           \
        uint8_t *plane0 = (uint8_t *)c->test[0].plane;                                   \
        uint8_t *plane1 = (uint8_t *)c->test[1].plane;                                   \
        const vec weight0 = (real)c->test[0].weight - (vec){0};                          \
        const vec weight1 = (real)c->test[1].weight - (vec){0};                          \
        const vec weight = (real)c->weight - (vec){0};                                   \
        real *here = c->here;                                                            \
        vec##_pair pair = begin_##vec(left, right);                                      \
        for (size_t x = 0; x < 64 * c->n_words; x += N_##vec * step) {                   \
            vec v[N_##vec], above[N_##vec], sample[N_##vec];                             \
            for (size_t k = 0; k < N_##vec; k++) {                                       \
                size_t at = x + k * step;                                                \
                vec w = weight;                                                          \
                if (p.has_weights)                                                       \
                    w = load_##vec((const real *)c->weights + at);                       \
                above[k] = load_##vec(kept + at); /* before it is overwritten */         \
                if (p.is_whole) {                                                        \
                    v[k] = alone_##rule(load_##vec(left + at));                          \
                } else {                                                                 \
                    vec l, r;                                                            \
                    next_##vec(&pair, at, &l, &r);                                       \
                    v[k] = lerp_##rule(l, r, w);                                         \
                }                                                                        \
                memcpy(here + at, &v[k], sizeof v[k]);                                   \
                sample[k] = lerp_##rule(above[k], v[k], weight0);                        \
            }                                                                            \
            if (p.n_tests > 0)                                                           \
                put_##vec(plane0 + x / 8, sample, centre0 + x);                          \
            for (size_t k = 0; k < N_##vec; k++)                                         \
                sample[k] = lerp_##rule(above[k], v[k], weight1);                        \
            if (p.n_tests > 1)                                                           \
                put_##vec(plane1 + x / 8, sample, centre1 + x);                          \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    INLINE void choose_##rule(const rugi_lbp_column *c, int n, int is_whole, int w)      \
    {                                                                                    \
        switch (n) {                                                                     \
        case 0: pass_##rule(c, (pass){is_whole, w, 0}); break;                           \
        case 1: pass_##rule(c, (pass){is_whole, w, 1}); break;                           \
        default: pass_##rule(c, (pass){is_whole, w, 2}); break;                          \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    static void test_##rule(const rugi_lbp_column *c, const rugi_lbp_test *t)            \
    {                                                                                    \
        const size_t step = sizeof(vec) / sizeof(real);                                  \
        const real *here = c->here, *centre = t->centre, *kept = c->kept;                \
        const vec weight = (real)t->weight - (vec){0};                                   \
        kept = t->rows == RUGI_LBP_TWO_ROWS ? kept : here;                               \
        for (size_t x = 0; x < 64 * c->n_words; x += N_##vec * step) {                   \
            vec sample[N_##vec];                                                         \
            for (size_t k = 0; k < N_##vec; k++) {                                       \
                sample[k] = load_##vec(here + x + k * step);                             \
                sample[k] = t->rows == RUGI_LBP_ROW                                      \
                                ? alone_##rule(sample[k])                                \
                                : lerp_##rule(load_##vec(kept + x + k * step),           \
                                              sample[k], weight);                        \
            }                                                                            \
            put_##vec((uint8_t *)t->plane + x / 8, sample, centre + x);                  \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    static void compare_pixels_##rule(const rugi_lbp_column *c, const rugi_lbp_test *t)  \
    {                                                                                    \
        const size_t step = sizeof(vec) / sizeof(real);                                  \
        const real *left = c->left, *centre = t->centre;                                 \
        for (size_t x = 0; x < 64 * c->n_words; x += N_##vec * step) {                   \
            vec sample[N_##vec];                                                         \
            for (size_t k = 0; k < N_##vec; k++)                                         \
                sample[k] = alone_##rule(alone_##rule(load_##vec(left + x + k * step))); \
            put_##vec((uint8_t *)t->plane + x / 8, sample, centre + x);                  \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    static void column_##rule(const rugi_lbp_column *c)                                  \
    {                                                                                    \
        if (c->is_whole && !c->is_kept) {                                                \
            for (int i = 0; i < c->n_tests; i++)                                         \
                compare_pixels_##rule(c, &c->test[i]);                                   \
            return;                                                                      \
        }                                                                                \
        int n = c->n_two_rows < 2 ? c->n_two_rows : 2;                                   \
        if (c->is_whole)                                                                 \
            choose_##rule(c, n, 1, 0);                                                   \
        else if (c->weights == NULL)                                                     \
            choose_##rule(c, n, 0, 0);                                                   \
        else                                                                             \
            choose_##rule(c, n, 0, 1);                                                   \
        for (int i = n; i < c->n_tests; i++)                                             \
            test_##rule(c, &c->test[i]);                                                 \
    }

DEFINE_PASS(doubles, double, skimage)
DEFINE_PASS(doubles, double, decimal)
DEFINE_PASS(floats, float, float)

/* What a level has. */
#define RUGI_LBP_KERNELS(level)                                                         \
    {                                                                                   \
        .name = "cpu-" level, .column = {column_skimage, column_decimal, column_float}, \
        .riu2 = riu2, .spread = spread, .to_double = to_double, .to_float = to_float,   \
        .variance = variance                                                            \
    }

#endif
