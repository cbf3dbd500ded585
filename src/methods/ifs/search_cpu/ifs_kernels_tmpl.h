/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The screen, written once for vectors of any width. A level defines before it is
 * included: `vec`, a vector of VEC_LANES floats, and vec_load, vec_splat, vec_add,
 * vec_sub, vec_mul, vec_madd(a, b, c) = a b + c, vec_abs, vec_max, vec_min, vec_store
 * and vec_any_reaches(a, b), nonzero where an a >= b. */

#ifndef RUGI_IFS_KERNELS_TMPL_H
#define RUGI_IFS_KERNELS_TMPL_H

#include "ifs_kernels.h"

#define INLINE static inline __attribute__((always_inline))

/* The sums of products of one pair of blocks. */
enum sums { A1, B1, B2, A2, PP, QQ, PQ, QP, N_SUMS };

/* Adds the products of n coefficients of one kind with `count` ranges. */
INLINE void add_products(vec sums[RUGI_IFS_RANGES][N_SUMS], enum sums kind, int count,
                         const float **ranges, const float **domains, uint32_t n)
{
    const float *r = *ranges, *d = *domains;
#pragma GCC unroll 4
    for (uint32_t k = 0; k < n; k++, r += RUGI_IFS_RANGES, d += RUGI_IFS_LANES) {
        const vec v = vec_load(d);
#pragma GCC unroll 3
        for (int i = 0; i < count; i++)
            sums[i][kind] = vec_madd(vec_splat(r[i]), v, sums[i][kind]);
    }
    *ranges = r;
    *domains = d;
}

INLINE void add_pairs(vec sums[RUGI_IFS_RANGES][N_SUMS], int count, const float **ranges,
                      const float **domains, uint32_t n)
{
    const float *r = *ranges, *d = *domains;
#pragma GCC unroll 4
    for (uint32_t k = 0; k < n; k++, r += 2 * RUGI_IFS_RANGES, d += 2 * RUGI_IFS_LANES) {
        const vec p = vec_load(d), q = vec_load(d + RUGI_IFS_LANES);
#pragma GCC unroll 3
        for (int i = 0; i < count; i++) {
            const vec rp = vec_splat(r[i]), rq = vec_splat(r[RUGI_IFS_RANGES + i]);
            sums[i][PP] = vec_madd(rp, p, sums[i][PP]);
            sums[i][PQ] = vec_madd(rp, q, sums[i][PQ]);
            sums[i][QP] = vec_madd(rq, p, sums[i][QP]);
            sums[i][QQ] = vec_madd(rq, q, sums[i][QQ]);
        }
    }
    *ranges = r;
    *domains = d;
}

INLINE vec largest_product(const vec *s)
{
    const vec x1 = vec_add(s[A1], s[B1]), y1 = vec_sub(s[A1], s[B1]);
    const vec x2 = vec_add(s[B2], s[A2]), y2 = vec_sub(s[B2], s[A2]);
    const vec a = vec_add(vec_abs(vec_add(x1, x2)), vec_abs(vec_add(s[PP], s[QQ])));
    const vec b = vec_add(vec_abs(vec_sub(x1, x2)), vec_abs(vec_sub(s[PP], s[QQ])));
    const vec c = vec_add(vec_abs(vec_add(y1, y2)), vec_abs(vec_add(s[PQ], s[QP])));
    const vec d = vec_add(vec_abs(vec_sub(y1, y2)), vec_abs(vec_sub(s[PQ], s[QP])));
    return vec_max(vec_max(a, b), vec_max(c, d));
}

/* The score of what the largest product is, or can be at most. */
INLINE vec score_of(vec m, vec cap)
{
    const vec t = vec_min(m, cap);
    return vec_mul(t, vec_sub(vec_add(m, m), t));
}

/* The largest products of `count` ranges with VEC_LANES domains, or what they can be. */
INLINE void multiply(vec products[RUGI_IFS_RANGES], int count, const float *ranges,
                     const float *domains, const rugi_ifs_basis b, uint32_t n_rests)
{
    vec sums[RUGI_IFS_RANGES][N_SUMS], rests[RUGI_IFS_RANGES][N_SUMS];
#pragma GCC unroll 3
    for (int i = 0; i < count; i++) {
        rests[i][0] = vec_splat(0);
#pragma GCC unroll 8
        for (int k = 0; k < N_SUMS; k++)
            sums[i][k] = vec_splat(0);
    }
    add_products(sums, A1, count, &ranges, &domains, b.n_a1);
    add_products(sums, B1, count, &ranges, &domains, b.n_b1);
    add_products(sums, B2, count, &ranges, &domains, b.n_b2);
    add_products(sums, A2, count, &ranges, &domains, b.n_a2);
    add_pairs(sums, count, &ranges, &domains, b.n_pairs);
    add_products(rests, 0, count, &ranges, &domains, n_rests);
#pragma GCC unroll 3
    for (int i = 0; i < count; i++)
        products[i] = vec_add(largest_product(sums[i]), rests[i][0]);
}

/* Stores the scores of `count` ranges from `first` on with a tile.
 * @return those of which one reaches its floor, a bit each */
INLINE unsigned score_some(rugi_ifs_screen *s, int first, int count,
                           const rugi_ifs_basis b, uint32_t n_rests, int form,
                           size_t tile)
{
    const float *domains = s->tiles[form] + tile * s->pitch[form];
    const float *caps = s->caps + tile * RUGI_IFS_LANES;
    unsigned found = 0;
    for (int lane = 0; lane < RUGI_IFS_LANES; lane += VEC_LANES) {
        vec products[RUGI_IFS_RANGES];
        multiply(products, count, s->ranges[form] + first, domains + lane, b, n_rests);
#pragma GCC unroll 3
        for (int i = 0; i < count; i++) {
            const vec score = score_of(products[i], vec_load(caps + lane));
            vec_store(s->scores[first + i] + lane, score);
            if (vec_any_reaches(score, vec_splat(s->floor[first + i])))
                found |= 1u << (first + i);
        }
    }
    return found;
}

/* @param asked  the ranges that are of interest */
INLINE unsigned score_form(rugi_ifs_screen *s, unsigned asked, const rugi_ifs_basis b,
                           uint32_t n_rests, int form, size_t tile)
{
    if ((asked & (asked - 1)) != 0)
        return score_some(s, 0, RUGI_IFS_RANGES, b, n_rests, form, tile);
    return score_some(s, __builtin_ctz(asked), 1, b, n_rests, form, tile);
}

/* With the bases of all forms. */
INLINE size_t screen_tiles(rugi_ifs_screen *s, const rugi_ifs_basis *b, int n,
                           size_t tile)
{
    for (; tile < s->n_tiles; tile++) {
        unsigned found = score_some(s, 0, RUGI_IFS_RANGES, b[0],
                                    (uint32_t)(n - 1) * RUGI_IFS_KINDS, 0, tile);
#pragma GCC unroll 3
        for (int i = 1; i < n && found != 0; i++)
            found = score_form(s, found, b[i], (uint32_t)(n - 1 - i) * RUGI_IFS_KINDS, i,
                               tile);
        if (found != 0)
            break;
    }
    return tile;
}

/* The counts of even sizes, as constants that the compiler unrolls loops by. */
#define BASIS_OF(h)                                                                   \
    ((rugi_ifs_basis){2 * (h), 4 * (h) * (h), (h) * ((h) + 1) / 2, (h) * ((h)-1) / 2, \
                      (h) * ((h) + 1) / 2, (h) * ((h)-1) / 2, (h) * (h)})

#define SCREEN(...)                                                           \
    do {                                                                      \
        const rugi_ifs_basis bases[] = {__VA_ARGS__};                         \
        return screen_tiles(s, bases, sizeof bases / sizeof bases[0], first); \
    } while (0)

static size_t screen(rugi_ifs_screen *s, size_t first)
{
    const rugi_ifs_form *f = s->forms.form;
    const uint32_t size = f[s->forms.n - 1].basis.size;
    switch (s->forms.n) {
    case 1:
        if (size == 2)
            SCREEN(BASIS_OF(1));
        if (size == 4)
            SCREEN(BASIS_OF(2));
        if (size == 8)
            SCREEN(BASIS_OF(4));
        SCREEN(f[0].basis);
    case 2:
        if (size == 16)
            SCREEN(BASIS_OF(4), BASIS_OF(8));
        SCREEN(f[0].basis, f[1].basis);
    default:
        if (size == 32)
            SCREEN(BASIS_OF(4), BASIS_OF(8), f[2].basis);
        SCREEN(f[0].basis, f[1].basis, f[2].basis);
    }
}

#endif
