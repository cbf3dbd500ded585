/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Blocks in the basis of the isometries, halved without leaving it: orbits of the pixels of
 * four neighbouring orbits add up. Sums are made in double precision and rounded once. Written
 * once for all levels. */

#ifndef RUGI_IFS_SHRINK_TMPL_H
#define RUGI_IFS_SHRINK_TMPL_H

#include "ifs/search/ifs_search_plan.h"
#include "ifs_shrink.h"
#include <math.h>
#include <string.h>

#define LANES     RUGI_IFS_LANES
#define HALF_ROOT 0.70710678118654752440

/* Where the coefficients of each kind begin. */
typedef struct kinds {
    double *a1, *b1, *b2, *a2, *pairs;
} kinds;

static kinds kinds_of(const rugi_ifs_basis *b, double *block)
{
    kinds k = {.a1 = block};
    k.b1 = k.a1 + (size_t)b->n_a1 * LANES;
    k.b2 = k.b1 + (size_t)b->n_b1 * LANES;
    k.a2 = k.b2 + (size_t)b->n_b2 * LANES;
    k.pairs = k.a2 + (size_t)b->n_a2 * LANES;
    return k;
}

/* Adds the next coefficient to one of the halved block. */
static void add(double *to, size_t at, double **from, double scale)
{
    for (size_t i = 0; i < LANES; i++)
        to[at * LANES + i] += scale * (*from)[i];
    *from += LANES;
}

static void add_pair(double *pairs, size_t at, double **from)
{
    add(pairs, 2 * at, from, 0.5);
    add(pairs, 2 * at + 1, from, 0.5);
}

/* The orbit of the pixel (y, x) of a quarter of the block, y <= x, to that of (Y, X) =
 * (y / 2, x / 2), whose side is h. In the order of the basis (Y, X) is number `even` of
 * those with Y <= X. */
static void add_orbit(const kinds *to, kinds *from, size_t y, size_t x, size_t h)
{
    const size_t Y = y / 2, X = x / 2, before = Y * (Y + 1) / 2;
    const size_t even = Y * h + X - before;
    const size_t pair = 2 * even - Y - (X > Y);
    if (x == y) {
        add(to->a1, even, &from->a1, 0.5);
        add(to->b2, even, &from->b2, 0.5);
        add_pair(to->pairs, pair, &from->pairs);
        return;
    }
    const double scale = X == Y ? HALF_ROOT : 0.5;
    add(to->a1, even, &from->a1, scale);
    add(to->b2, even, &from->b2, scale);
    if (X > Y) { /* else these are left out: pixels of one pixel */
        add(to->b1, even - Y - 1, &from->b1, 0.5);
        add(to->a2, even - Y - 1, &from->a2, 0.5);
    } else {
        from->b1 += LANES;
        from->a2 += LANES;
    }
    add_pair(to->pairs, pair, &from->pairs);
    add_pair(to->pairs, pair + (X > Y), &from->pairs);
}

static void halve(const rugi_ifs_basis *to, double *out, const rugi_ifs_basis *from,
                  double *in)
{
    const kinds outs = kinds_of(to, out);
    kinds ins = kinds_of(from, in);
    memset(out, 0, (size_t)to->n * LANES * sizeof *out);
    for (size_t y = 0; y < from->size / 2; y++)
        for (size_t x = y; x < from->size / 2; x++)
            add_orbit(&outs, &ins, y, x, to->size / 2);
}

/* The squared norms of each kind. */
static void measure(double norms[RUGI_IFS_KINDS][LANES], const rugi_ifs_basis *b,
                    double *block)
{
    const uint32_t n[RUGI_IFS_KINDS] = {b->n_a1, b->n_b1, b->n_b2, b->n_a2,
                                        2 * b->n_pairs};
    memset(norms, 0, RUGI_IFS_KINDS * sizeof *norms);
    for (size_t kind = 0; kind < RUGI_IFS_KINDS; kind++)
        for (uint32_t k = 0; k < n[kind]; k++, block += LANES)
            for (size_t i = 0; i < LANES; i++)
                norms[kind][i] += block[i] * block[i];
}

/* Norms of what was left out. Differences are off by less than 1e-12 of the squares. */
static void put_rests(float *out, double whole[RUGI_IFS_KINDS][LANES],
                      double halved[RUGI_IFS_KINDS][LANES])
{
    for (size_t kind = 0; kind < RUGI_IFS_KINDS; kind++)
        for (size_t i = 0; i < LANES; i++) {
            const double rest = whole[kind][i] - halved[kind][i];
            *out++ = (float)sqrt((rest > 0 ? rest : 0) + 1e-12 * whole[kind][i]);
        }
}

/* The norms of what one halving left out go to every form that is at least as small. */
static void put_halving(const rugi_ifs_forms *forms, float *out, int smaller,
                        const float *rests)
{
    for (int i = 0; i <= smaller; i++) {
        const rugi_ifs_form *f = &forms->form[i];
        const size_t row = f->at + f->basis.n + (size_t)(smaller - i) * RUGI_IFS_KINDS;
        memcpy(out + row * LANES, rests, RUGI_IFS_KINDS * LANES * sizeof *rests);
    }
}

/* Shrinks RUGI_IFS_LANES blocks in the basis.
 * @param out    [rows][RUGI_IFS_LANES]
 * @param in     [n][RUGI_IFS_LANES]
 * @param lanes  whose pixels are used */
static void shrink(const rugi_ifs_forms *forms, float *out, const float *in,
                   rugi_ifs_lanes *lanes)
{
    double *const whole = lanes->pixels;
    double *const blocks[2] = {whole, lanes->halved}, norms[2][RUGI_IFS_KINDS][LANES];
    const rugi_ifs_basis *b = &forms->form[forms->n - 1].basis;
    int from = 0;
    for (size_t i = 0; i < (size_t)b->n * LANES; i++)
        whole[i] = (double)in[i];
    measure(norms[from], b, whole);
    for (int k = forms->n - 2; k >= 0; k--, from = !from) {
        const rugi_ifs_form *f = &forms->form[k];
        float rests[RUGI_IFS_KINDS * LANES];
        halve(&f->basis, blocks[!from], &f[1].basis, blocks[from]);
        measure(norms[!from], &f->basis, blocks[!from]);
        put_rests(rests, norms[from], norms[!from]);
        put_halving(forms, out, k, rests);
        for (size_t i = 0; i < (size_t)f->basis.n * LANES; i++)
            out[(size_t)f->at * LANES + i] = (float)blocks[!from][i];
    }
}

#endif
