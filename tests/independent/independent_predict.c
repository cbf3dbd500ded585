/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* FORMAT.md, section 10: from patches to samples. */

#include "independent_v3.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512 }; /* samples along the side of a patch */

/* What a patch is drawn from, and where. */
typedef struct drawing {
    const ind_patches *patches;
    const ind_plane *luma, *coded;
    bool halved;
    int octave;
    int64_t u;
    ind_plane to;
} drawing;

/* The samples around a patch: edge[EDGE_MIDDLE + i] is E(i). */
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

/* Whether the patch at a sample, at the coded size, was drawn before another. */
static bool is_before(const drawing *d, const ind_patch *patch, int64_t y, int64_t x)
{
    const ind_patch *other = ind_patch_at(d->patches, y, x);
    return other && other->order < patch->order;
}

static void look_at_edges(edges *e, const drawing *d, const ind_patch *patch)
{
    int64_t n = patch->side * d->u, y = patch->y * d->u, x = patch->x * d->u;
    bool above = y > 0, left = x > 0;
    int64_t *top = e->plain + EDGE_MIDDLE + 1, *side = e->plain + EDGE_MIDDLE - 1;
    int64_t n_top = is_before(d, patch, patch->y - 1, patch->x + patch->side) ? 2 * n : n;
    int64_t n_left =
        is_before(d, patch, patch->y + patch->side, patch->x - 1) ? 2 * n : n;
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

/* Whether a patch of an angle looks at smoothed edges. */
static bool is_smooth(const ind_patch *patch)
{
    int across = abs(patch->angle - 7), down = abs(patch->angle - 23);
    int distance = across < down ? across : down;
    return patch->side == 32   ? distance > 0
           : patch->side == 16 ? distance > 1
                               : patch->side == 8 && distance > 7;
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

/* What the edges of a patch say of colour by luma. */
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

static void by_luma(int64_t *p, const drawing *d, const ind_patch *patch, const edges *e)
{
    int64_t n = e->n, y0 = patch->y * d->u, x0 = patch->x * d->u, sum = 0;
    int z = d->halved ? 2 : 0;
    line l = {0};
    for (int64_t i = 0; i < n && x0 > 0; i++)
        add_to_line(&l, e->plain[EDGE_MIDDLE - 1 - i], luma_at(d, y0 + i, x0 - 1));
    for (int64_t i = 0; i < n && y0 > 0; i++)
        add_to_line(&l, e->plain[EDGE_MIDDLE + 1 + i], luma_at(d, y0 - 1, x0 + i));
    for (int64_t i = 0; i < n * n; i++)
        sum += luma_at(d, y0 + i / n, x0 + i % n);
    int64_t slope = 32 * patch->k, mean = e->mean, middle = near_quotient(sum, n * n);
    if (l.n > 0) {
        mean = near_quotient(l.c, l.n);
        middle = near_quotient(l.a, l.n);
    }
    if (patch->k == 0 && l.n > 0) {
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
static int64_t domain_at(const drawing *d, const ind_patch *patch, int64_t y, int64_t x)
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += *ind_at(&d->to, patch->domain_y * d->u + 2 * y + i / 2,
                       patch->domain_x * d->u + 2 * x + i % 2);
    return sum;
}

static void by_domain(int64_t *p, const drawing *d, const ind_patch *patch, int64_t mean)
{
    int64_t n = patch->side * d->u, sum = 0;
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++)
            sum += domain_at(d, patch, y, x);
    int64_t middle = ind_floor(sum + n * n / 2, n * n);
    for (int64_t y = 0; y < n; y++) {
        for (int64_t x = 0; x < n; x++) {
            int64_t b = y, a = x;
            ind_isometry(patch->symmetry, n, &b, &a);
            int64_t g = domain_at(d, patch, b, a);
            p[y * n + x] = ind_clip(mean + ind_round(patch->k * (g - middle), 5));
        }
    }
}

/* W(j): how much a sample is drawn to an edge that is j samples away. */
static int64_t pull(const drawing *d, const ind_patch *patch, int64_t j)
{
    int64_t g = patch->side == 32 ? 4 : patch->side == 4 ? 1 : 2;
    int64_t h = 2 * (j / d->u) / g;
    return h >= 6 ? 0 : 32 >> h;
}

/* A sample of FLAT, PLANAR or an angle along an axis, drawn to the edges. */
static int64_t near_edges(const drawing *d, const ind_patch *patch, const int64_t *e,
                          int64_t p, int64_t y, int64_t x)
{
    int64_t to_left = pull(d, patch, x), to_top = pull(d, patch, y);
    int64_t left = e[-y - 1], top = e[x + 1], corner = e[0], sum;
    if (patch->kind != IND_ANGLE)
        sum = to_left * (left - p) + to_top * (top - p);
    else if (patch->angle == 7)
        sum = to_top * (top - corner);
    else if (patch->angle == 23)
        sum = to_left * (left - corner);
    else
        return p;
    return ind_clip(p + ind_round(sum, 6));
}

static void by_edges(int64_t *p, const drawing *d, const ind_patch *patch, const edges *e)
{
    const int64_t *plain = e->plain + EDGE_MIDDLE, *smooth = e->smooth + EDGE_MIDDLE;
    bool is_soft = is_smooth(patch);
    for (int64_t y = 0; y < e->n; y++)
        for (int64_t x = 0; x < e->n; x++) {
            int64_t v = e->mean, left = plain[-y - 1], top = plain[x + 1];
            if (patch->kind == IND_PLANAR)
                v = planar(patch->side == 4 ? plain : smooth, e->n, y, x);
            if (patch->kind == IND_ANGLE)
                v = angle(is_soft ? smooth : plain, is_soft, e->n, patch->angle, y, x);
            p[y * e->n + x] = patch->kind == IND_MEDIAN
                                  ? median(left, top, left + top - plain[0])
                                  : near_edges(d, patch, plain, v, y, x);
        }
}

static void predict(int64_t *p, const drawing *d, const ind_patch *patch)
{
    edges e;
    look_at_edges(&e, d, patch);
    smooth_edges(&e, d->u);
    if (patch->kind == IND_DOMAIN)
        by_domain(p, d, patch, e.mean);
    else if (patch->kind == IND_LUMA)
        by_luma(p, d, patch, &e);
    else
        by_edges(p, d, patch, &e);
}

/* M[k][i] of a patch. */
static int64_t wave(const ind_patch *patch, int64_t k, int64_t i, int64_t u)
{
    const double pi = 3.14159265358979323846;
    double p = ((double)i + 0.5) / (double)u, b = (double)patch->side, kk = (double)k;
    bool is_near = patch->kind == IND_PLANAR || patch->kind == IND_MEDIAN ||
                   patch->kind == IND_ANGLE;
    if (is_near && patch->side <= 16)
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

static void add_residual(int64_t *p, const drawing *d, const ind_patch *patch)
{
    int64_t side = patch->side, n = side * d->u, limit = 1 << 18;
    int shift = (int)(15 - d->patches->depth - 3 - log2_of(side));
    int64_t *t = ind_alloc((size_t)(side * n), sizeof *t);
    int64_t *waves = ind_alloc((size_t)(side * n), sizeof *waves);
    for (int64_t k = 0; k < side; k++)
        for (int64_t i = 0; i < n; i++)
            waves[k * n + i] = wave(patch, k, i, d->u);
    for (int64_t y = 0; y < side; y++)
        for (int64_t i = 0; i < n; i++) {
            int64_t sum = 0;
            for (int64_t x = 0; x < side; x++) {
                int64_t q = patch->coefficients[y * side + x];
                if (q != 0)
                    sum += ind_limit(ind_shift(q * patch->step, shift), -limit, limit) *
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

/* Brings the means of a patch near to those at the coded size. */
static void correct(int64_t *p, const drawing *d, const ind_patch *patch)
{
    int64_t side = patch->side, u = d->u, n = side * u;
    int64_t *h = ind_alloc((size_t)(side * side), sizeof *h);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            h[j / u * side + i / u] += p[j * n + i];
    for (int64_t y = 0; y < side; y++)
        for (int64_t x = 0; x < side; x++)
            h[y * side + x] = *ind_at(d->coded, patch->y + y, patch->x + x) -
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

static void draw_patch(drawing *d, const ind_patch *patch)
{
    int64_t n = patch->side * d->u;
    int64_t *p = ind_alloc((size_t)(n * n), sizeof *p);
    predict(p, d, patch);
    if (patch->coefficients)
        add_residual(p, d, patch);
    for (int i = 0; d->octave > 0 && i < 2; i++)
        correct(p, d, patch);
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++)
            *ind_at(&d->to, patch->y * d->u + y, patch->x * d->u + x) = p[y * n + x];
    free(p);
}

ind_plane ind_draw_patches(const ind_patches *patches, const ind_plane *luma, bool halved,
                           int octave, const ind_plane *coded)
{
    drawing d = {patches, luma, coded, halved, octave, (int64_t)1 << octave, {0}};
    d.to = ind_new_plane(patches->nx << octave, patches->ny << octave);
    for (const ind_patch *patch = patches->first; patch; patch = patch->next)
        draw_patch(&d, patch);
    return d.to;
}
