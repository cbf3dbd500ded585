/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Plain loops of the kernels, which compilers make vectors of where a level has them. */

#ifndef RUGI_LACUNARITY_LOOPS_TMPL_H
#define RUGI_LACUNARITY_LOOPS_TMPL_H

#include "lacunarity_kernels.h"

#define RUGI_LACUNARITY_DEFINE_ACCUMULATE(name, pixel, number)                       \
    static void name(void *sums, const void *base, const void *add, const void *sub, \
                     size_t n)                                                       \
    {                                                                                \
        const pixel *a = add, *s = sub;                                              \
        number run = 0;                                                              \
        for (size_t i = 0; i < n; i++) {                                             \
            run = (number)(run + a[i] - (s != NULL ? s[i] : 0));                     \
            ((number *)sums)[i] = (number)(((const number *)base)[i] + run);         \
        }                                                                            \
    }

#define RUGI_LACUNARITY_DEFINE_SLIDE(name, pixel, number)                      \
    static void name(void *column, const void *add, const void *sub, size_t n) \
    {                                                                          \
        number *c = column;                                                    \
        const pixel *a = add, *s = sub;                                        \
        if (s == NULL)                                                         \
            for (size_t i = 0; i < n; i++)                                     \
                c[i] = (number)(c[i] + a[i]);                                  \
        else                                                                   \
            for (size_t i = 0; i < n; i++)                                     \
                c[i] = (number)(c[i] + ((number)a[i] - (number)s[i]));         \
    }

/* The mass of the box that ends at x. */
#define RUGI_LACUNARITY_MASS(number, row, x)                      \
    (number)(((const number *)(row)->now)[x] -                    \
             *((const number *)(row)->now + (x) - (row)->e) -     \
             ((row)->before == NULL                               \
                  ? 0                                             \
                  : (number)(((const number *)(row)->before)[x] - \
                             *((const number *)(row)->before + (x) - (row)->e))))

/* Of up to 32 bits: sums of squares in 64 bits where those of a whole row fit. */
#define RUGI_LACUNARITY_DEFINE_SUM(name, number)                                 \
    static void name(const rugi_lacunarity_row *row, rugi_lacunarity_sums *out,  \
                     size_t first)                                               \
    {                                                                            \
        uint64_t mass = 0, square = 0;                                           \
        rugi_lacunarity_u128 most = (rugi_lacunarity_u128)row->most * row->most; \
        if (most * row->n >> 64 > 0) {                                           \
            for (size_t x = first; x < row->n; x++) {                            \
                uint64_t m = RUGI_LACUNARITY_MASS(number, row, x);               \
                mass += m;                                                       \
                rugi_lacunarity_add_square(out, (rugi_lacunarity_u128)m *m);     \
            }                                                                    \
        } else if (row->before != NULL) {                                        \
            const number *a = row->now, *b = row->before, *c = a - row->e,       \
                         *d = b - row->e;                                        \
            for (size_t x = first; x < row->n; x++) {                            \
                number m = (number)(a[x] - b[x] - c[x] + d[x]);                  \
                mass += m;                                                       \
                square += (uint64_t)m * m;                                       \
            }                                                                    \
        } else {                                                                 \
            const number *a = row->now, *c = a - row->e;                         \
            for (size_t x = first; x < row->n; x++) {                            \
                number m = (number)(a[x] - c[x]);                                \
                mass += m;                                                       \
                square += (uint64_t)m * m;                                       \
            }                                                                    \
        }                                                                        \
        out->mass += mass;                                                       \
        rugi_lacunarity_add_square(out, square);                                 \
        out->positions += row->n - first;                                        \
    }

#endif
