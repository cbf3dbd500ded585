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

/* D(i) of an angle; beyond its ends the outermost. */
static int64_t along(const int64_t *e, int64_t n, int64_t s, int64_t w, int64_t i)
{
    i = ind_limit(i, s < 0 ? -(-n * s >> 5) : 0, 2 * n);
    if (i >= 0)
        return e[w * i];
    int64_t v = (8192 + -s / 2) / -s;
    return e[-w * ((-i * v + 128) >> 8)];
}

/* Weights of four samples for each part f of 32 of the way from the second to the third. */
static const int four[32][4] = {
    {0, 64, 0, 0},    {-1, 64, 1, 0},   {-2, 64, 2, 0},   {-2, 62, 4, 0},
    {-3, 61, 6, 0},   {-4, 61, 8, -1},  {-4, 59, 10, -1}, {-4, 57, 12, -1},
    {-4, 56, 14, -2}, {-5, 54, 17, -2}, {-5, 51, 20, -2}, {-5, 49, 22, -2},
    {-5, 47, 25, -3}, {-5, 44, 28, -3}, {-4, 41, 30, -3}, {-4, 39, 33, -4},
    {-4, 36, 36, -4}, {-4, 33, 39, -4}, {-3, 30, 41, -4}, {-3, 28, 44, -5},
    {-3, 25, 47, -5}, {-2, 22, 49, -5}, {-2, 20, 51, -5}, {-2, 17, 54, -5},
    {-2, 14, 56, -4}, {-1, 12, 57, -4}, {-1, 10, 59, -4}, {-1, 8, 61, -4},
    {0, 6, 61, -3},   {0, 4, 62, -2},   {0, 2, 64, -2},   {0, 1, 64, -1}};

static int64_t angle(const int64_t *e, bool smooth, int64_t n, int angle, int64_t y,
                     int64_t x)
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
    int64_t j = (y + 1) * s, b = ind_floor(j, 32) + 1, f = j - 32 * (b - 1), sum = 0;
    if (f == 0)
        return along(e, n, s, w, b + x);
    if (smooth)
        return ind_round(
            (32 - f) * along(e, n, s, w, b + x) + f * along(e, n, s, w, b + x + 1), 5);
    for (int i = 0; i < 4; i++)
        sum += four[f][i] * along(e, n, s, w, b + x - 1 + i);
    return ind_clip(ind_round(sum, 6));
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

/* Y(y, x), by the place in the plane of colour; where that is halved 4 times as much. */
static int64_t luma_at(const drawing *d, int64_t y, int64_t x)
{
    const ind_plane *p = d->luma;
    int64_t sum = 0, by = d->halved ? 2 : 1;
    for (int64_t i = 0; i < by; i++)
        for (int64_t j = 0; j < by; j++)
            sum += *ind_at(p, ind_limit(by * y + i, 0, p->ny - 1),
                           ind_limit(by * x + j, 0, p->nx - 1));
    return sum;
}

static int64_t near_quotient(int64_t a, int64_t b)
{
    return ind_floor(2 * a + b, 2 * b);
}

/* What the edges of a cell say of colour by luma. */
typedef struct line {
    int64_t n, c, a, p, q;
} line;

static void add_to_line(line *l, int64_t sample, int64_t luma)
{
    l->n++;
    l->c += sample;
    l->a += luma;
    l->p += sample * luma;
    l->q += luma * luma;
}

static void by_luma(int64_t *p, const drawing *d, const ind_cell *cell, const edges *e)
{
    int64_t n = e->n, y0 = cell->y * d->u, x0 = cell->x * d->u, sum = 0;
    int z = d->halved ? 2 : 0;
    line l = {0};
    for (int64_t i = 0; i < n && x0 > 0; i++)
        add_to_line(&l, e->plain[EDGE_MIDDLE - 1 - i], luma_at(d, y0 + i, x0 - 1));
    for (int64_t i = 0; i < n && y0 > 0; i++)
        add_to_line(&l, e->plain[EDGE_MIDDLE + 1 + i], luma_at(d, y0 - 1, x0 + i));
    for (int64_t i = 0; i < n * n; i++)
        sum += luma_at(d, y0 + i / n, x0 + i % n);
    int64_t slope = 32 * cell->k, mean = e->mean, middle = near_quotient(sum, n * n);
    if (l.n > 0) {
        mean = near_quotient(l.c, l.n);
        middle = near_quotient(l.a, l.n);
    }
    if (cell->k == 0 && l.n > 0) {
        int64_t above = (l.n * l.p - l.c * l.a) * ((int64_t)1 << (8 + z));
        int64_t below = l.n * (l.q + 4096 * l.n * (1 << 2 * z)) - l.a * l.a;
        slope = ind_limit(near_quotient(above, below), -512, 512);
    }
    for (int64_t i = 0; i < n * n; i++) {
        int64_t luma = luma_at(d, y0 + i / n, x0 + i % n);
        p[i] = ind_clip(mean + ind_round(slope * (luma - middle), 8 + z));
    }
}

/* Sample (y, x) of a domain as it is, 4 times. */
static int64_t domain_at(const drawing *d, const ind_cell *cell, int64_t y, int64_t x)
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += *ind_at(&d->to, cell->domain_y * d->u + 2 * y + i / 2,
                       cell->domain_x * d->u + 2 * x + i % 2);
    return sum;
}

static void by_domain(int64_t *p, const drawing *d, const ind_cell *cell, int64_t mean)
{
    int64_t n = cell->side * d->u, sum = 0;
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++)
            sum += domain_at(d, cell, y, x);
    int64_t middle = ind_floor(sum + n * n / 2, n * n);
    for (int64_t y = 0; y < n; y++) {
        for (int64_t x = 0; x < n; x++) {
            int64_t b = y, a = x;
            ind_isometry(cell->symmetry, n, &b, &a);
            int64_t g = domain_at(d, cell, b, a);
            p[y * n + x] = ind_clip(mean + ind_round(cell->k * (g - middle), 5));
        }
    }
}

/* W(j): how much a sample is drawn to an edge that is j samples away. */
static int64_t pull(const drawing *d, const ind_cell *cell, int64_t j)
{
    int64_t g = cell->side == 32 ? 4 : cell->side == 4 ? 1 : 2;
    int64_t h = 2 * (j / d->u) / g;
    return h >= 6 ? 0 : 32 >> h;
}

/* A sample of FLAT, PLANAR or an angle along an axis, drawn to the edges. */
static int64_t near_edges(const drawing *d, const ind_cell *cell, const int64_t *e,
                          int64_t p, int64_t y, int64_t x)
{
    int64_t to_left = pull(d, cell, x), to_top = pull(d, cell, y);
    int64_t left = e[-y - 1], top = e[x + 1], corner = e[0], sum;
    if (cell->kind != IND_ANGLE)
        sum = to_left * (left - p) + to_top * (top - p);
    else if (cell->angle == 7)
        sum = to_top * (top - corner);
    else if (cell->angle == 23)
        sum = to_left * (left - corner);
    else
        return p;
    return ind_clip(p + ind_round(sum, 6));
}

static void by_edges(int64_t *p, const drawing *d, const ind_cell *cell, const edges *e)
{
    const int64_t *plain = e->plain + EDGE_MIDDLE, *smooth = e->smooth + EDGE_MIDDLE;
    bool is_soft = is_smooth(cell);
    for (int64_t y = 0; y < e->n; y++)
        for (int64_t x = 0; x < e->n; x++) {
            int64_t v = e->mean, left = plain[-y - 1], top = plain[x + 1];
            if (cell->kind == IND_PLANAR)
                v = planar(cell->side == 4 ? plain : smooth, e->n, y, x);
            if (cell->kind == IND_ANGLE)
                v = angle(is_soft ? smooth : plain, is_soft, e->n, cell->angle, y, x);
            p[y * e->n + x] = cell->kind == IND_MEDIAN
                                  ? median(left, top, left + top - plain[0])
                                  : near_edges(d, cell, plain, v, y, x);
        }
}

static void predict(int64_t *p, const drawing *d, const ind_cell *cell)
{
    edges e;
    look_at_edges(&e, d, cell);
    smooth_edges(&e, d->u);
    if (cell->kind == IND_DOMAIN)
        by_domain(p, d, cell, e.mean);
    else if (cell->kind == IND_LUMA)
        by_luma(p, d, cell, &e);
    else
        by_edges(p, d, cell, &e);
}

/* M[k][i] of a cell. */
static int64_t wave(const ind_cell *cell, int64_t k, int64_t i, int64_t u)
{
    const double pi = 3.14159265358979323846;
    double p = ((double)i + 0.5) / (double)u, b = (double)cell->side, kk = (double)k;
    bool is_near =
        cell->kind == IND_PLANAR || cell->kind == IND_MEDIAN || cell->kind == IND_ANGLE;
    if (is_near && cell->side <= 16)
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
