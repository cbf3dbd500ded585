/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* FORMAT.md, section 10: from cells to samples. */

#include "independent_v3.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512 }; /* samples along the side of a cell */

/* What a cell is drawn from, and where. */
typedef struct drawing {
    const ind_cells *cells;
    const ind_plane *luma, *coded;
    bool halved;
    int octave;
    int64_t u;
    ind_plane to;
} drawing;

/* The samples around a cell: edge[EDGE_MIDDLE + i] is E(i). */
enum { EDGE_MIDDLE = 2 * MOST, EDGE_LENGTH = 4 * MOST + 1 };

typedef struct edges {
    int64_t n;
    int64_t plain[EDGE_LENGTH], smooth[EDGE_LENGTH];
    int64_t mean;
} edges;

static int64_t log2_of(int64_t n)
{
    return n < 2 ? 0 : 1 + log2_of(n / 2);
}

/* Whether the cell at a sample, at the coded size, was drawn before another. */
static bool is_before(const drawing *d, const ind_cell *cell, int64_t y, int64_t x)
{
    const ind_cell *other = ind_cell_at(d->cells, y, x);
    return other && other->order < cell->order;
}

static void look_at_edges(edges *e, const drawing *d, const ind_cell *cell)
{
    int64_t n = cell->side * d->u, y = cell->y * d->u, x = cell->x * d->u;
    bool above = y > 0, left = x > 0;
    int64_t *top = e->plain + EDGE_MIDDLE + 1, *side = e->plain + EDGE_MIDDLE - 1;
    int64_t n_top = is_before(d, cell, cell->y - 1, cell->x + cell->side) ? 2 * n : n;
    int64_t n_left = is_before(d, cell, cell->y + cell->side, cell->x - 1) ? 2 * n : n;
    int64_t sum = 0;
    for (int64_t i = 0; i < 2 * n; i++) {
        top[i] = above ? *ind_at(&d->to, y - 1, x + (i < n_top ? i : n - 1)) : 0;
        side[-i] = left ? *ind_at(&d->to, y + (i < n_left ? i : n - 1), x - 1) : 0;
    }
    for (int64_t i = 0; i < 2 * n; i++) {
        if (!above)
            top[i] = side[0];
        if (!left)
            side[-i] = top[0];
    }
    e->plain[EDGE_MIDDLE] = above && left ? *ind_at(&d->to, y - 1, x - 1)
                            : above       ? top[0]
                                          : side[0];
    e->n = n;
    for (int64_t i = 0; i < n; i++)
        sum += top[i] + side[-i];
    e->mean = ind_floor(sum + n, 2 * n);
}

static void smooth_edges(edges *e, int64_t u)
{
    for (int64_t i = -2 * e->n; i <= 2 * e->n; i++) {
        int64_t before = ind_limit(i - u, -2 * e->n, 2 * e->n);
        int64_t behind = ind_limit(i + u, -2 * e->n, 2 * e->n);
        const int64_t *at = e->plain + EDGE_MIDDLE;
        e->smooth[EDGE_MIDDLE + i] = ind_round(at[before] + 2 * at[i] + at[behind], 2);
    }
}

static int64_t planar(const int64_t *e, int64_t n, int64_t y, int64_t x)
{
    int64_t sum = (n - 1 - x) * e[-y - 1] + (x + 1) * e[n + 1] + (n - 1 - y) * e[x + 1] +
                  (y + 1) * e[-n - 1];
    return ind_floor(sum + n, 2 * n);
}

static int64_t median(int64_t a, int64_t b, int64_t c)
{
    return a > b ? median(b, a, c) : c < a ? a : c > b ? b : c;
}

/* D(i) of an angle. */
static int64_t along(const int64_t *e, int64_t w, int64_t s, int64_t i)
{
    if (i >= 0)
        return e[w * i];
    int64_t v = (8192 + -s / 2) / -s;
    return e[-w * ((-i * v + 128) >> 8)];
}

static int64_t angle(const int64_t *e, int angle, int64_t y, int64_t x)
{
    static const int slopes[] = {26,  21,  17,  13,  9,   5,   2,   0,   -2,  -5, -9,
                                 -13, -17, -21, -26, -32, -26, -21, -17, -13, -9, -5,
                                 -2,  0,   2,   5,   9,   13,  17,  21,  26,  32};
    int64_t s = slopes[angle], w = angle < 15 ? -1 : 1;
    if (angle < 15) {
        int64_t t = y;
        y = x;
        x = t;
    }
    int64_t j = (y + 1) * s, b = ind_floor(j, 32) + 1, f = j - 32 * (b - 1);
    if (f == 0)
        return along(e, w, s, b + x);
    return ind_round((32 - f) * along(e, w, s, b + x) + f * along(e, w, s, b + x + 1), 5);
}

/* Whether a cell of an angle looks at smoothed edges. */
static bool is_smooth(const ind_cell *cell)
{
    int across = abs(cell->angle - 7), down = abs(cell->angle - 23);
    int distance = across < down ? across : down;
    return cell->side == 32   ? distance > 0
           : cell->side == 16 ? distance > 1
                              : cell->side == 8 && distance > 7;
}

/* Luma at the place of a sample, 8 times it or 32 times. */
static int64_t luma_at(const drawing *d, int64_t y, int64_t x)
{
    const ind_plane *p = d->luma;
    if (!d->halved)
        return *ind_at(p, y, x);
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += *ind_at(p, ind_limit(2 * y + i / 2, 0, p->ny - 1),
                       ind_limit(2 * x + i % 2, 0, p->nx - 1));
    return sum;
}

/* Sample (y, x) of a domain as it is, or of luma. */
static int64_t source_at(const drawing *d, const ind_cell *cell, int64_t y, int64_t x)
{
    if (cell->kind == IND_LUMA)
        return luma_at(d, cell->y * d->u + y, cell->x * d->u + x);
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += *ind_at(&d->to, cell->domain_y * d->u + 2 * y + i / 2,
                       cell->domain_x * d->u + 2 * x + i % 2);
    return sum;
}

static void copy(int64_t *p, const drawing *d, const ind_cell *cell, int64_t mean)
{
    int64_t n = cell->side * d->u, sum = 0;
    int shift = cell->kind == IND_LUMA && !d->halved ? 3 : 5;
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++)
            sum += source_at(d, cell, y, x);
    int64_t middle = ind_floor(sum + n * n / 2, n * n);
    for (int64_t y = 0; y < n; y++) {
        for (int64_t x = 0; x < n; x++) {
            int64_t b = y, a = x;
            ind_isometry(cell->symmetry, n, &b, &a);
            int64_t g = source_at(d, cell, b, a);
            p[y * n + x] = ind_clip(mean + ind_round(cell->k * (g - middle), shift));
        }
    }
}

static void predict(int64_t *p, const drawing *d, const ind_cell *cell)
{
    edges e;
    look_at_edges(&e, d, cell);
    smooth_edges(&e, d->u);
    if (cell->kind == IND_DOMAIN || cell->kind == IND_LUMA) {
        copy(p, d, cell, e.mean);
        return;
    }
    const int64_t *plain = e.plain + EDGE_MIDDLE, *smooth = e.smooth + EDGE_MIDDLE;
    for (int64_t y = 0; y < e.n; y++)
        for (int64_t x = 0; x < e.n; x++) {
            int64_t *to = &p[y * e.n + x], left = plain[-y - 1], top = plain[x + 1];
            switch (cell->kind) {
            case IND_PLANAR:
                *to = planar(cell->side == 4 ? plain : smooth, e.n, y, x);
                break;
            case IND_MEDIAN: *to = median(left, top, left + top - plain[0]); break;
            case IND_ANGLE:
                *to = angle(is_smooth(cell) ? smooth : plain, cell->angle, y, x);
                break;
            default: *to = e.mean;
            }
        }
}

/* M[k][i] of a cell. */
static int64_t wave(const ind_cell *cell, int64_t k, int64_t i, int64_t u)
{
    const double pi = 3.14159265358979323846;
    double p = ((double)i + 0.5) / (double)u, b = (double)cell->side, kk = (double)k;
    bool is_near =
        cell->kind == IND_PLANAR || cell->kind == IND_MEDIAN || cell->kind == IND_ANGLE;
    if (is_near && cell->side <= 8)
        return llround(4096 * sqrt(4 * b / (2 * b + 1)) *
                       sin(pi * (2 * kk + 1) * (p + 0.5) / (2 * b + 1)));
    return k == 0 ? 4096 : llround(4096 * sqrt(2) * cos(pi * kk * p / b));
}

/* A number modulo 2^32, with a sign. */
static int64_t wrap(int64_t a)
{
    int64_t low = a & 0xffffffff;
    return low >= (int64_t)1 << 31 ? low - ((int64_t)1 << 32) : low;
}

static void add_residual(int64_t *p, const drawing *d, const ind_cell *cell)
{
    int64_t side = cell->side, n = side * d->u, limit = 1 << 18;
    int shift = (int)(15 - d->cells->depth - 3 - log2_of(side));
    int64_t *t = ind_alloc((size_t)(side * n), sizeof *t);
    int64_t *waves = ind_alloc((size_t)(side * n), sizeof *waves);
    for (int64_t k = 0; k < side; k++)
        for (int64_t i = 0; i < n; i++)
            waves[k * n + i] = wave(cell, k, i, d->u);
    for (int64_t y = 0; y < side; y++)
        for (int64_t i = 0; i < n; i++) {
            int64_t sum = 0;
            for (int64_t x = 0; x < side; x++) {
                int64_t q = cell->coefficients[y * side + x];
                if (q != 0)
                    sum += ind_limit(ind_shift(q * cell->step, shift), -limit, limit) *
                           waves[x * n + i];
            }
            t[y * n + i] = ind_floor(wrap(sum + (1 << 11)), 1 << 12);
        }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            int64_t sum = 0;
            for (int64_t y = 0; y < side; y++)
                sum += t[y * n + i] * waves[y * n + j];
            int64_t r = ind_floor(wrap(sum + (1 << 13)), 1 << 14);
            p[j * n + i] = ind_clip(p[j * n + i] + r);
        }
    free(t);
    free(waves);
}

/* Where sample j of a larger plane lies between two of a plane of n: the first, the second, and the
 * second one's share in 1 / 2u. */
static void between(int64_t *first, int64_t *second, int64_t *share, int64_t j, int64_t u,
                    int64_t n)
{
    int64_t place = 2 * j + 1 - u;
    if (place < 0)
        place = 0;
    *first = place / (2 * u);
    *second = *first + 1 < n ? *first + 1 : n - 1;
    *share = place % (2 * u);
}

/* Brings the means of a cell near to those at the coded size. */
static void correct(int64_t *p, const drawing *d, const ind_cell *cell)
{
    int64_t side = cell->side, u = d->u, n = side * u;
    int64_t *h = ind_alloc((size_t)(side * side), sizeof *h);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            h[j / u * side + i / u] += p[j * n + i];
    for (int64_t y = 0; y < side; y++)
        for (int64_t x = 0; x < side; x++)
            h[y * side + x] = *ind_at(d->coded, cell->y + y, cell->x + x) -
                              ind_floor(h[y * side + x] + u * u / 2, u * u);
    for (int64_t j = 0; j < n; j++) {
        int64_t y0, y1, v, x0, x1, w;
        between(&y0, &y1, &v, j, u, side);
        for (int64_t i = 0; i < n; i++) {
            between(&x0, &x1, &w, i, u, side);
            int64_t upper = h[y0 * side + x0] * (2 * u - w) + h[y0 * side + x1] * w;
            int64_t lower = h[y1 * side + x0] * (2 * u - w) + h[y1 * side + x1] * w;
            int64_t sum = upper * (2 * u - v) + lower * v;
            p[j * n + i] = ind_clip(p[j * n + i] + ind_round(sum, 2 * (d->octave + 1)));
        }
    }
    free(h);
}

static void draw_cell(drawing *d, const ind_cell *cell)
{
    int64_t n = cell->side * d->u;
    int64_t *p = ind_alloc((size_t)(n * n), sizeof *p);
    predict(p, d, cell);
    if (cell->coefficients)
        add_residual(p, d, cell);
    for (int i = 0; d->octave > 0 && i < 2; i++)
        correct(p, d, cell);
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++)
            *ind_at(&d->to, cell->y * d->u + y, cell->x * d->u + x) = p[y * n + x];
    free(p);
}

ind_plane ind_draw_cells(const ind_cells *cells, const ind_plane *luma, bool halved,
                         int octave, const ind_plane *coded)
{
    drawing d = {cells, luma, coded, halved, octave, (int64_t)1 << octave, {0}};
    d.to = ind_new_plane(cells->nx << octave, cells->ny << octave);
    for (const ind_cell *cell = cells->first; cell; cell = cell->next)
        draw_cell(&d, cell);
    return d.to;
}
