/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Decoders of trees and of blocks written straight from FORMAT.md. */

#ifndef RUGOSE_IFS_NAIVE_SUPPORT_H
#define RUGOSE_IFS_NAIVE_SUPPORT_H

#include "ifs/stream/ifs_planes.h"
#include <math.h>
#include <stdlib.h>

/* A plane with its least and greatest value. */
typedef struct naive_plane {
    int32_t *at;
    int nx, ny;
} naive_plane;

static inline naive_plane naive_new(int nx, int ny)
{
    naive_plane p = {malloc(sizeof(int32_t) * (size_t)nx * (size_t)ny), nx, ny};
    assert_non_null(p.at);
    return p;
}

static inline int64_t naive_floor(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static inline int32_t naive_clamp(int64_t v, unsigned depth)
{
    int64_t least = -(int64_t)(16 << depth), most = (int64_t)(80 << depth);
    return (int32_t)(v < least ? least : v > most ? most : v);
}

/* M[k][i] of a block that has n samples. */
static inline int64_t naive_basis(int k, int i, int n)
{
    double at = k == 0 ? 256 : (2.0 * i + 1) * k * (512.0 / n);
    return (int64_t)floor(16384 * cos(3.14159265358979323846 * at / 1024) + 0.5);
}

static inline int64_t naive_round(int64_t v, int shift)
{
    return naive_floor(v + ((int64_t)1 << (shift - 1)), (int64_t)1 << shift);
}

/* Pixel (j, i) of the base of a leaf, whose coefficients lie row by row, with n pixels a side. */
static inline int32_t naive_base(const rugi_ifs_frame *f, const rugi_ifs_leaf *leaf,
                                 int j, int i, int n)
{
    int side = RUGI_IFS_SIDE(leaf->level), log2 = 5 - leaf->level, d = (int)f->depth;
    int64_t mean = (int64_t)leaf->mean * rugi_ifs_mean_step(f, leaf->level), sum = 0;
    int first = d - 1 > 8 ? d - 1 : 8;
    int64_t limit = (int64_t)1 << (d + 10);
    if (leaf->n_coefs == 0)
        return (int32_t)mean;
    for (int y = 0; y < side; y++) {
        int64_t t = 0;
        for (int x = 0; x < side; x++) {
            int64_t c = (int64_t)leaf->coefs[y * side + x] * f->delta;
            c = c < -limit ? -limit : c > limit ? limit : c;
            t += c == 0 ? 0 : c * naive_basis(x, i, n);
        }
        sum += t == 0 ? 0 : naive_round(t, first) * naive_basis(y, j, n);
    }
    return naive_clamp(mean + naive_round(sum, 25 + log2 - first), f->depth);
}

static inline naive_plane naive_bases(const rugi_ifs_tree *tree, int up)
{
    naive_plane p = naive_new((int)tree->frame.nx << up, (int)tree->frame.ny << up);
    for (size_t k = 0; k < tree->n_leaves; k++) {
        int32_t coefs[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
        rugi_ifs_leaf plain = tree->leaves[k], *leaf = &plain;
        rugi_ifs_unpack_coefs(coefs, leaf);
        leaf->coefs = coefs;
        int n = RUGI_IFS_SIDE(leaf->level) << up;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                p.at[(((int)leaf->y << up) + j) * p.nx + ((int)leaf->x << up) + i] =
                    naive_base(&tree->frame, leaf, j, i, n);
    }
    return p;
}

static inline naive_plane naive_halve(const naive_plane *p)
{
    naive_plane h = naive_new(p->nx / 2, p->ny / 2);
    for (int y = 0; y < h.ny; y++)
        for (int x = 0; x < h.nx; x++) {
            const int32_t *q = p->at + 2 * y * p->nx + 2 * x;
            h.at[y * h.nx + x] = (int32_t)naive_floor(
                (int64_t)q[0] + q[1] + q[p->nx] + q[p->nx + 1] + 2, 4);
        }
    return h;
}

/* Where pixel (y, x) of a block under an isometry of side n comes from. */
static inline void naive_isometry(unsigned symmetry, int n, int *y, int *x)
{
    int last = n - 1, j = *y, i = *x;
    const int from[8][2] = {{j, i},        {i, last - j},       {last - j, last - i},
                            {last - i, j}, {j, last - i},       {last - j, i},
                            {i, j},        {last - i, last - j}};
    *y = from[symmetry][0];
    *x = from[symmetry][1];
}

/* All leaves at numerator / denominator of the coded size. The domain comes from
 * `from`, as it lies, or shrunk by sums of `pixels` = 4 pixels. */
static inline void naive_pass(naive_plane *out, const rugi_ifs_tree *tree,
                              const naive_plane *base, const naive_plane *from, int up,
                              int down, int pixels)
{
    for (size_t k = 0; k < tree->n_leaves; k++) {
        const rugi_ifs_leaf *leaf = &tree->leaves[k];
        int n = RUGI_IFS_SIDE(leaf->level) * up / down, w = pixels == 4 ? 2 : 1;
        int y0 = (int)leaf->y * up / down, x0 = (int)leaf->x * up / down;
        int dy = (int)leaf->domain_y * up * w / (2 * down);
        int dx = (int)leaf->domain_x * up * w / (2 * down);
        int32_t *d = malloc(sizeof *d * (size_t)n * (size_t)n);
        int64_t sum = 0;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                d[j * n + i] = 0;
                for (int c = 0; leaf->zone != RUGI_IFS_FLAT && c < pixels; c++)
                    d[j * n + i] +=
                        from->at[(dy + w * j + c / 2) * from->nx + dx + w * i + c % 2];
                sum += d[j * n + i];
            }
        int64_t mean = naive_floor(sum + n * n / 2, (int64_t)n * n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int y = j, x = i, at = (y0 + j) * out->nx + x0 + i;
                naive_isometry(leaf->symmetry, n, &y, &x);
                int64_t rest =
                    naive_floor(leaf->k * (d[y * n + x] - mean) + 4 * pixels, 8 * pixels);
                out->at[at] = leaf->zone == RUGI_IFS_FLAT || n == 1
                                  ? base->at[at]
                                  : naive_clamp(base->at[at] + rest, tree->frame.depth);
            }
        free(d);
    }
}

/* One direction of deblocking; upper edges on the plane's transpose would be the same. */
static inline void naive_deblock(naive_plane *p, const rugi_ifs_tree *tree, int up,
                                 int strength, int upper)
{
    static const int weights[2][3] = {{23, 8, 0}, {27, 16, 6}};
    int32_t most = (int32_t)(tree->frame.delta * (uint32_t)strength / 2);
    for (size_t k = 0; k < tree->n_leaves; k++) {
        const rugi_ifs_leaf *leaf = &tree->leaves[k], *other = NULL;
        int n = RUGI_IFS_SIDE(leaf->level) << up, unit = 1 << up;
        int pitch = upper ? p->nx : 1;
        if ((upper ? leaf->y : leaf->x) == 0)
            continue;
        for (int i = 0; i < n; i++) {
            uint32_t y = leaf->y + (upper ? 0u : (uint32_t)(i >> up));
            uint32_t x = leaf->x + (upper ? (uint32_t)(i >> up) : 0u);
            y -= upper ? 1 : 0;
            x -= upper ? 0 : 1;
            for (size_t m = 0; m < tree->n_leaves; m++) {
                const rugi_ifs_leaf *l = &tree->leaves[m];
                uint32_t side = (uint32_t)RUGI_IFS_SIDE(l->level);
                if (x - l->x < side && y - l->y < side)
                    other = l;
            }
            int32_t *q = p->at + (((int)leaf->y << up) + (upper ? 0 : i)) * p->nx +
                         ((int)leaf->x << up) + (upper ? i : 0);
            int32_t step = q[0] - q[-pitch];
            int32_t slopes =
                abs(q[unit * pitch] - q[0]) + abs(q[-pitch - unit * pitch] - q[-pitch]);
            int large = leaf->level <= 1 && other->level <= 1;
            if (abs(step) > most + most / 5 || slopes > most)
                continue;
            for (int t = 0; t < (large ? 3 : 2) * unit; t++) {
                int32_t c = (int32_t)naive_floor(
                    (int64_t)step * weights[large][t / unit] + 32, 64);
                q[t * pitch] -= c;
                q[-(t + 1) * pitch] += c;
            }
        }
    }
}

/* Free `at` afterwards. */
static inline naive_plane naive_decode(const rugi_ifs_tree *tree, int iterations,
                                       int octave, int deblock)
{
    naive_plane base0 = naive_bases(tree, 0), base1 = naive_halve(&base0);
    naive_plane base2 = naive_halve(&base1), state = naive_new(base2.nx, base2.ny);
    naive_plane next = naive_new(base2.nx, base2.ny),
                half = naive_new(base1.nx, base1.ny);
    memcpy(state.at, base2.at, sizeof(int32_t) * (size_t)(base2.nx * base2.ny));
    for (int i = 0; i < iterations; i++) {
        naive_pass(&next, tree, &base2, &state, 1, 4, 4);
        naive_plane other = state;
        state = next;
        next = other;
    }
    naive_pass(&half, tree, &base1, &state, 1, 2, 1);
    naive_plane out = naive_new(base0.nx, base0.ny);
    naive_pass(&out, tree, &base0, &half, 1, 1, 1);
    for (int i = 1; i <= octave; i++) {
        naive_plane from = out, base = naive_bases(tree, i);
        out = naive_new(base.nx, base.ny);
        naive_pass(&out, tree, &base, &from, 1 << i, 1, 1);
        free(from.at);
        free(base.at);
    }
    for (int upper = 0; upper < 2 && deblock > 0; upper++)
        naive_deblock(&out, tree, octave, deblock, upper);
    free(base0.at);
    free(base1.at);
    free(base2.at);
    free(state.at);
    free(next.at);
    free(half.at);
    return out;
}

/* ---- Blocks, and resampling ---- */

/* One iteration of blocks at the coded size (octave 0), or one pass to an octave; from
 * NULL: the means. Straight from FORMAT.md. */
static inline naive_plane naive_blocks(const rugi_ifs_blocks *b, const naive_plane *from,
                                       int octave)
{
    const rugi_ifs_block_frame *f = &b->frame;
    naive_plane out = naive_new((int)f->nx << octave, (int)f->ny << octave);
    int n = (int)f->size << octave, grids = f->overlaps ? 4 : 1;
    int w = octave > 0 ? 1 : 2, scale = octave > 0 ? 1 << (octave - 1) : 1;
    memset(out.at, 0, sizeof(int32_t) * (size_t)out.nx * (size_t)out.ny);
    int64_t *d = malloc(sizeof *d * (size_t)n * (size_t)n);
    for (size_t k = 0; k < b->n; k++) {
        const rugi_ifs_block *block = &b->blocks[k];
        int64_t sum = 0, mean;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                d[j * n + i] = 0;
                for (int c = 0; from != NULL && block->k != 0 && c < w * w; c++)
                    d[j * n + i] +=
                        from->at[((int)block->domain_y * scale + w * j + c / 2) %
                                     from->ny * from->nx +
                                 ((int)block->domain_x * scale + w * i + c % 2) %
                                     from->nx];
                sum += d[j * n + i];
            }
        mean = naive_floor(sum + n * n / 2, (int64_t)n * n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int y = j, x = i, by = 64 * w * w;
                naive_isometry(block->symmetry, n, &y, &x);
                int64_t v = 16 * (int64_t)block->mean +
                            naive_floor(block->k * (d[y * n + x] - mean) + by / 2, by);
                out.at[(((int)block->y << octave) + j) % out.ny * out.nx +
                       (((int)block->x << octave) + i) % out.nx] +=
                    naive_clamp(v, f->depth);
            }
    }
    for (int i = 0; i < out.nx * out.ny && grids == 4; i++)
        out.at[i] = (int32_t)naive_floor(out.at[i] + 2, 4);
    free(d);
    return out;
}

static inline naive_plane naive_blocks_decode(const rugi_ifs_blocks *b, int iterations,
                                              int octave)
{
    naive_plane state = naive_blocks(b, NULL, 0);
    for (int i = 0; i < iterations + octave; i++) {
        naive_plane next =
            naive_blocks(b, &state, i < iterations ? 0 : i - iterations + 1);
        free(state.at);
        state = next;
    }
    return state;
}

static inline int32_t naive_mean(const int64_t *pixels, const int64_t *weights, int n,
                                 int64_t all)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += pixels[i] * weights[i];
    return (int32_t)naive_floor(sum + all / 2, all);
}

/* Pixel i of n_out covers part of pixel j of n. */
static inline int64_t naive_overlap(int64_t i, int64_t n_out, int64_t j, int64_t n)
{
    int64_t from = i * n > j * n_out ? i * n : j * n_out;
    int64_t to = (i + 1) * n < (j + 1) * n_out ? (i + 1) * n : (j + 1) * n_out;
    return to > from ? to - from : 0;
}

static inline void naive_resize(int32_t *out, int nx, int ny, const int32_t *in,
                                int pitch, int from_x, int from_y)
{
    int most = from_x > from_y ? from_x : from_y;
    int64_t *pixels = malloc(sizeof *pixels * (size_t)most);
    int64_t *weights = malloc(sizeof *weights * (size_t)most);
    int32_t *rows = malloc(sizeof *rows * (size_t)(nx * from_y));
    for (int y = 0; y < from_y; y++)
        for (int x = 0; x < nx; x++) {
            for (int j = 0; j < from_x; j++) {
                pixels[j] = in[y * pitch + j];
                weights[j] = naive_overlap(x, nx, j, from_x);
            }
            rows[y * nx + x] = naive_mean(pixels, weights, from_x, from_x);
        }
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            for (int j = 0; j < from_y; j++) {
                pixels[j] = rows[j * nx + x];
                weights[j] = naive_overlap(y, ny, j, from_y);
            }
            out[y * nx + x] = naive_mean(pixels, weights, from_y, from_y);
        }
    free(pixels);
    free(weights);
    free(rows);
}

#endif
