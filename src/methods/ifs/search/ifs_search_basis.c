/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Blocks in the basis of the square's symmetry group. Pixels that symmetries exchange make an
 * orbit: of 8 pixels, of 4 on a diagonal or (odd sides) on the middle row and column, of 1 in
 * the middle. Sums are made in double precision and rounded once. */

#include "ifs_search_basis.h"

#define LANES     RUGI_IFS_LANES
#define HALF_ROOT 0.70710678118654752440

rugi_ifs_basis rugi_ifs_basis_make(uint32_t size)
{
    const uint32_t h = size / 2, odd = size % 2;
    return (rugi_ifs_basis){.size = size,
                            .n = size * size,
                            .n_a1 = h * (h + 1) / 2 + odd * (h + 1),
                            .n_b1 = h * (h - 1) / 2 + odd * h,
                            .n_b2 = h * (h + 1) / 2,
                            .n_a2 = h * (h - 1) / 2,
                            .n_pairs = h * h + odd * h};
}

/* Where the next coefficients go. */
typedef struct places {
    float *a1, *b1, *b2, *a2, *pairs;
    const double *scale;
} places;

/* A pixel and its three mirror images: sums that are even or odd along x and y, halved. */
typedef struct mirrored {
    double even[LANES], odd[LANES], x_odd[LANES], y_odd[LANES];
} mirrored;

static void mirror(mirrored *out, const double *in, size_t size, size_t y, size_t x)
{
    const size_t down = size - 1 - y, right = size - 1 - x;
    const double *a = in + (y * size + x) * LANES, *b = in + (y * size + right) * LANES,
                 *c = in + (down * size + x) * LANES,
                 *d = in + (down * size + right) * LANES;
    for (int i = 0; i < LANES; i++) {
        const double top = a[i] + b[i], bottom = c[i] + d[i];
        const double top_odd = a[i] - b[i], bottom_odd = c[i] - d[i];
        out->even[i] = 0.5 * (top + bottom);
        out->y_odd[i] = 0.5 * (top - bottom);
        out->x_odd[i] = 0.5 * (top_odd + bottom_odd);
        out->odd[i] = 0.5 * (top_odd - bottom_odd);
    }
}

static void put(float **to, const double *values, const double *scale)
{
    for (int i = 0; i < LANES; i++)
        (*to)[i] = (float)(values[i] * scale[i]);
    *to += LANES;
}

static void put_sum(float **to, const double *a, const double *b, double sign,
                    const double *scale)
{
    for (int i = 0; i < LANES; i++)
        (*to)[i] = (float)((a[i] + sign * b[i]) * HALF_ROOT * scale[i]);
    *to += LANES;
}

static void put_diagonal(places *to, const mirrored *m)
{
    put(&to->a1, m->even, to->scale);
    put(&to->b2, m->odd, to->scale);
    put(&to->pairs, m->x_odd, to->scale);
    put(&to->pairs, m->y_odd, to->scale);
}

/* m at (y, x) and t at (x, y). */
static void put_eight(places *to, const mirrored *m, const mirrored *t)
{
    put_sum(&to->a1, m->even, t->even, 1, to->scale);
    put_sum(&to->b1, m->even, t->even, -1, to->scale);
    put_sum(&to->b2, m->odd, t->odd, 1, to->scale);
    put_sum(&to->a2, m->odd, t->odd, -1, to->scale);
    put(&to->pairs, m->x_odd, to->scale);
    put(&to->pairs, t->y_odd, to->scale);
    put(&to->pairs, t->x_odd, to->scale);
    put(&to->pairs, m->y_odd, to->scale);
}

/* Two pixels of the middle row and two of the middle column, x pixels from the edge. */
static void put_axes(places *to, const double *in, size_t size, size_t x)
{
    const size_t h = size / 2, far = size - 1 - x;
    const double *left = in + (h * size + x) * LANES,
                 *right = in + (h * size + far) * LANES,
                 *top = in + (x * size + h) * LANES,
                 *bottom = in + (far * size + h) * LANES;
    double row[LANES], column[LANES];
    for (int i = 0; i < LANES; i++) {
        row[i] = (left[i] + right[i]) * HALF_ROOT;
        column[i] = (top[i] + bottom[i]) * HALF_ROOT;
    }
    put_sum(&to->a1, row, column, 1, to->scale);
    put_sum(&to->b1, row, column, -1, to->scale);
    put_sum(&to->pairs, left, right, -1, to->scale);
    put_sum(&to->pairs, top, bottom, -1, to->scale);
}

void rugi_ifs_basis_change(const rugi_ifs_basis *basis, float *out, const double *in,
                           const double scale[RUGI_IFS_LANES])
{
    const size_t size = basis->size, h = size / 2;
    places to = {.scale = scale, .a1 = out};
    to.b1 = to.a1 + (size_t)basis->n_a1 * LANES;
    to.b2 = to.b1 + (size_t)basis->n_b1 * LANES;
    to.a2 = to.b2 + (size_t)basis->n_b2 * LANES;
    to.pairs = to.a2 + (size_t)basis->n_a2 * LANES;
    for (size_t y = 0; y < h; y++)
        for (size_t x = y; x < h; x++) {
            mirrored m, t;
            mirror(&m, in, size, y, x);
            if (x == y) {
                put_diagonal(&to, &m);
            } else {
                mirror(&t, in, size, x, y);
                put_eight(&to, &m, &t);
            }
        }
    if (size % 2 == 0)
        return;
    for (size_t x = 0; x < h; x++)
        put_axes(&to, in, size, x);
    put(&to.a1, in + (h * size + h) * LANES, scale);
}
