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

/* Adds the products of n coefficients of one kind. */
INLINE void add_products(vec sums[RUGI_IFS_RANGES][N_SUMS], enum sums kind,
                         const float **ranges, const float **domains, uint32_t n)
{
    const float *r = *ranges, *d = *domains;
#pragma GCC unroll 4
    for (uint32_t k = 0; k < n; k++, r += RUGI_IFS_RANGES, d += RUGI_IFS_LANES) {
        const vec v = vec_load(d);
#pragma GCC unroll 3
        for (int i = 0; i < RUGI_IFS_RANGES; i++)
            sums[i][kind] = vec_madd(vec_splat(r[i]), v, sums[i][kind]);
    }
    *ranges = r;
    *domains = d;
}

INLINE void add_pairs(vec sums[RUGI_IFS_RANGES][N_SUMS], const float *r, const float *d,
                      uint32_t n)
{
#pragma GCC unroll 4
    for (uint32_t k = 0; k < n; k++, r += 2 * RUGI_IFS_RANGES, d += 2 * RUGI_IFS_LANES) {
        const vec p = vec_load(d), q = vec_load(d + RUGI_IFS_LANES);
#pragma GCC unroll 3
        for (int i = 0; i < RUGI_IFS_RANGES; i++) {
            const vec rp = vec_splat(r[i]), rq = vec_splat(r[RUGI_IFS_RANGES + i]);
            sums[i][PP] = vec_madd(rp, p, sums[i][PP]);
            sums[i][PQ] = vec_madd(rp, q, sums[i][PQ]);
            sums[i][QP] = vec_madd(rq, p, sums[i][QP]);
            sums[i][QQ] = vec_madd(rq, q, sums[i][QQ]);
        }
    }
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

INLINE vec score_of(const vec *sums, vec cap)
{
    const vec m = largest_product(sums), t = vec_min(m, cap);
    return vec_mul(t, vec_sub(vec_add(m, m), t));
}

/* The scores of VEC_LANES domains of a tile. */
INLINE void score_domains(vec scores[RUGI_IFS_RANGES], const rugi_ifs_screen *s,
                          const rugi_ifs_basis b, const float *domains, const float *caps)
{
    vec sums[RUGI_IFS_RANGES][N_SUMS];
    const float *ranges = s->ranges;
#pragma GCC unroll 3
    for (int i = 0; i < RUGI_IFS_RANGES; i++)
#pragma GCC unroll 8
        for (int k = 0; k < N_SUMS; k++)
            sums[i][k] = vec_splat(0);
    add_products(sums, A1, &ranges, &domains, b.n_a1);
    add_products(sums, B1, &ranges, &domains, b.n_b1);
    add_products(sums, B2, &ranges, &domains, b.n_b2);
    add_products(sums, A2, &ranges, &domains, b.n_a2);
    add_pairs(sums, ranges, domains, b.n_pairs);
#pragma GCC unroll 3
    for (int i = 0; i < RUGI_IFS_RANGES; i++)
        scores[i] = score_of(sums[i], vec_load(caps));
}

/* Stores the scores of a tile. @return whether one of them reaches a floor */
INLINE int score_tile(rugi_ifs_screen *s, const rugi_ifs_basis b, size_t tile)
{
    const float *domains = s->tiles + tile * b.n * RUGI_IFS_LANES;
    const float *caps = s->caps + tile * RUGI_IFS_LANES;
    int any = 0;
    for (int lane = 0; lane < RUGI_IFS_LANES; lane += VEC_LANES) {
        vec scores[RUGI_IFS_RANGES];
        score_domains(scores, s, b, domains + lane, caps + lane);
#pragma GCC unroll 3
        for (int i = 0; i < RUGI_IFS_RANGES; i++) {
            vec_store(s->scores[i] + lane, scores[i]);
            any |= vec_any_reaches(scores[i], vec_splat(s->floor[i]));
        }
    }
    return any;
}

INLINE size_t screen_tiles(rugi_ifs_screen *s, const rugi_ifs_basis b, size_t tile)
{
    while (tile < s->n_tiles && !score_tile(s, b, tile))
        tile++;
    return tile;
}

/* The counts of even sizes, as constants that the compiler unrolls loops by. */
#define BASIS_OF(h)                                                                   \
    ((rugi_ifs_basis){2 * (h), 4 * (h) * (h), (h) * ((h) + 1) / 2, (h) * ((h)-1) / 2, \
                      (h) * ((h) + 1) / 2, (h) * ((h)-1) / 2, (h) * (h)})

static size_t screen(rugi_ifs_screen *s, size_t first)
{
    switch (s->basis.size) {
    case 2: return screen_tiles(s, BASIS_OF(1), first);
    case 4: return screen_tiles(s, BASIS_OF(2), first);
    case 8: return screen_tiles(s, BASIS_OF(4), first);
    case 16: return screen_tiles(s, BASIS_OF(8), first);
    default: return screen_tiles(s, s->basis, first);
    }
}

#endif
