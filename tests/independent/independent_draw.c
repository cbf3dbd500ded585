/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* FORMAT.md, section 4: from leaves to a plane. */

#include "independent.h"
#include <math.h>
#include <stdlib.h>

/* C[j] = 2^14 cos(pi j / 1024), rounded in the first quarter and continued as a cosine. */
static int64_t cosine(int64_t j)
{
    j %= 2048;
    if (j > 1024)
        j = 2048 - j;
    if (j > 512)
        return -cosine(1024 - j);
    return llround(16384 * cos(3.14159265358979323846 * (double)j / 1024));
}

/* M[k][i] of a block that is drawn with n samples a side. */
static int64_t wave(int64_t k, int64_t i, int64_t n)
{
    return k == 0 ? cosine(256) : cosine((2 * i + 1) * k * 512 / n);
}

static int64_t log2_of(int64_t n)
{
    return n < 2 ? 0 : 1 + log2_of(n / 2);
}

/* t[y][i]: the rows of coefficients as waves along x. */
static int64_t *draw_rows(const ind_leaf *leaf, int64_t delta, int depth, int64_t n,
                          int h)
{
    int64_t side = leaf->square.side, limit = (int64_t)1 << (depth + 10);
    int64_t *t = ind_alloc((size_t)(side * n), sizeof *t);
    for (int64_t y = 0; y < side; y++) {
        for (int64_t i = 0; i < n; i++) {
            int64_t sum = 0;
            for (int64_t x = 0; x < side; x++) {
                int64_t q = leaf->coefficients[y * side + x];
                if (q != 0)
                    sum += ind_limit(q * delta, -limit, limit) * wave(x, i, n);
            }
            t[y * n + i] = ind_round(sum, h);
        }
    }
    return t;
}

/* The base of a leaf at 2^octave times its size. */
static void draw_leaf(ind_plane *to, const ind_leaf *leaf, int64_t delta, int depth,
                      int octave)
{
    int64_t side = leaf->square.side, n = side << octave;
    int h = depth - 1 > 8 ? depth - 1 : 8;
    int64_t *t = leaf->coefficients ? draw_rows(leaf, delta, depth, n, h) : NULL;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++) {
            int64_t sum = 0;
            for (int64_t y = 0; t && y < side; y++)
                if (t[y * n + i] != 0)
                    sum += t[y * n + i] * wave(y, j, n);
            int64_t r = ind_round(sum, (int)(25 + log2_of(side) - h));
            *ind_at(to, (leaf->square.y << octave) + j, (leaf->square.x << octave) + i) =
                ind_clamp(leaf->mean + r, depth);
        }
    }
    free(t);
}

typedef struct drawing {
    const ind_leaf *leaves;
    int64_t nx, ny; /* padded, at the coded size */
    int64_t delta;
    int depth, deblocking, iterations;
} drawing;

static ind_plane draw_base(const drawing *d, int octave)
{
    ind_plane base = ind_new_plane(d->nx << octave, d->ny << octave);
    for (const ind_leaf *leaf = d->leaves; leaf; leaf = leaf->next)
        draw_leaf(&base, leaf, d->delta, d->depth, octave);
    return base;
}

/* Half the size: each pixel from the four above it. */
static ind_plane halve(const ind_plane *p)
{
    ind_plane half = ind_new_plane(p->nx / 2, p->ny / 2);
    for (int64_t y = 0; y < half.ny; y++) {
        for (int64_t x = 0; x < half.nx; x++) {
            int64_t sum = *ind_at(p, 2 * y, 2 * x) + *ind_at(p, 2 * y, 2 * x + 1) +
                          *ind_at(p, 2 * y + 1, 2 * x) + *ind_at(p, 2 * y + 1, 2 * x + 1);
            *ind_at(&half, y, x) = ind_round(sum, 2);
        }
    }
    return half;
}

/* The base with what all leaves take from `from`. A leaf's side at this size is side * up / down, and
 * the same for its place; domains are given in pixels of `from`, which is as large (an iteration)
 * or half as large (an octave). */
static ind_plane transform(const drawing *d, const ind_plane *base, const ind_plane *from)
{
    bool is_octave = from->nx < base->nx;
    ind_plane to = ind_new_plane(base->nx, base->ny);
    for (const ind_leaf *leaf = d->leaves; leaf; leaf = leaf->next) {
        ind_square s = leaf->square;
        s.x = s.x * base->nx / d->nx;
        s.y = s.y * base->nx / d->nx;
        s.side = s.side * base->nx / d->nx;
        s.domain_x = s.domain_x * from->nx / d->nx;
        s.domain_y = s.domain_y * from->nx / d->nx;
        s.has_domain = s.has_domain && s.side > 1;
        int64_t *change = ind_alloc((size_t)(s.side * s.side), sizeof *change);
        ind_changes(change, from, &s, !is_octave, is_octave ? 3 : 5);
        for (int64_t y = 0; y < s.side; y++) {
            for (int64_t x = 0; x < s.side; x++) {
                int64_t v = *ind_at(base, s.y + y, s.x + x) + change[y * s.side + x];
                *ind_at(&to, s.y + y, s.x + x) = ind_clamp(v, d->depth);
            }
        }
        free(change);
    }
    return to;
}

/* Takes `from`; gives the next octave. */
static ind_plane grow(const drawing *d, const ind_plane *base, ind_plane from)
{
    ind_plane to = transform(d, base, &from);
    free(from.v);
    return to;
}

/* The sides of leaves, by squares of 4 x 4 pixels. */
static ind_plane sides_of_leaves(const drawing *d)
{
    ind_plane sides = ind_new_plane(d->nx / 4, d->ny / 4);
    for (const ind_leaf *leaf = d->leaves; leaf; leaf = leaf->next)
        for (int64_t y = 0; y < leaf->square.side; y += 4)
            for (int64_t x = 0; x < leaf->square.side; x += 4)
                *ind_at(&sides, (leaf->square.y + y) / 4, (leaf->square.x + x) / 4) =
                    leaf->square.side;
    return sides;
}

/* Smooths the pixels that stand before and behind an edge. line[i * stride] is pixel i behind it,
 * i = -1 the first one before it. */
static void smooth(int64_t *line, int64_t stride, int64_t limit, bool both_large,
                   int64_t u)
{
    static const int64_t large[] = {27, 16, 6}, small[] = {23, 8};
    const int64_t *w = both_large ? large : small;
    int64_t taps = both_large ? 3 : 2;
    int64_t step = line[0] - line[-stride];
    if (llabs(step) > limit + limit / 5)
        return;
    if (llabs(line[u * stride] - line[0]) +
            llabs(line[(-1 - u) * stride] - line[-stride]) >
        limit)
        return;
    for (int64_t t = 0; t < taps * u; t++) {
        int64_t v = ind_round(step * w[t / u], 6);
        line[t * stride] -= v;
        line[(-1 - t) * stride] += v;
    }
}

/* The left edges of all leaves, or their upper ones. */
static void deblock_edges(const drawing *d, ind_plane *plane, const ind_plane *sides,
                          int octave, bool upper)
{
    int64_t limit = d->delta * d->deblocking / 2, u = (int64_t)1 << octave;
    for (const ind_leaf *leaf = d->leaves; leaf; leaf = leaf->next) {
        const ind_square *s = &leaf->square;
        if ((upper ? s->y : s->x) == 0)
            continue;
        for (int64_t i = 0; i < s->side * u; i++) {
            int64_t y = s->y * u + (upper ? 0 : i), x = s->x * u + (upper ? i : 0);
            int64_t before = *ind_at(sides, (y / u - upper) / 4, (x / u - !upper) / 4);
            smooth(ind_at(plane, y, x), upper ? plane->nx : 1, limit,
                   s->side >= 16 && before >= 16, u);
        }
    }
}

static void deblock(const drawing *d, ind_plane *plane, int octave)
{
    if (d->deblocking == 0)
        return;
    ind_plane sides = sides_of_leaves(d);
    deblock_edges(d, plane, &sides, octave, false);
    deblock_edges(d, plane, &sides, octave, true);
    free(sides.v);
}

const char *ind_decode_trees(ind_plane *out, const ind_head *head, int plane, int octave)
{
    ind_leaf *leaves;
    const char *damaged = ind_read_leaves(&leaves, head, plane);
    if (damaged)
        return damaged;
    drawing d = {leaves,
                 head->padded_nx,
                 head->padded_ny,
                 head->planes[plane].delta,
                 head->planes[plane].depth,
                 head->deblocking,
                 head->iterations};
    ind_plane base = draw_base(&d, 0), half = halve(&base), quarter = halve(&half);
    ind_plane v = halve(&half);
    for (int i = 0; i < d.iterations; i++)
        v = grow(&d, &quarter, v);
    v = grow(&d, &half, v);
    v = grow(&d, &base, v);
    for (int o = 1; o <= octave; o++) {
        ind_plane larger = draw_base(&d, o);
        v = grow(&d, &larger, v);
        free(larger.v);
    }
    deblock(&d, &v, octave);
    free(base.v);
    free(half.v);
    free(quarter.v);
    ind_free_leaves(leaves);
    *out = v;
    return NULL;
}
