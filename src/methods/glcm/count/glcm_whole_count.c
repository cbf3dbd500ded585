/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counting rows of bytes, and what becomes of the counters: pairs by their levels in each of
 * the four directions, and matrices of those that are asked for.
 *
 * Pixels a b above c e, d apart: 0 degrees are pairs a b, 45 c b, 90 c a (or e b), 135 e a. */

#include "glcm_whole.h"

enum { DIRECTION_0, DIRECTION_45, DIRECTION_90, DIRECTION_135 };

/* In turns: an addition to a counter that has just been stored has to wait for it, which flat
 * parts of images would do all the time. */
static void count_tuples(uint32_t *tuple, const uint16_t *key, size_t n)
{
    uint32_t *t1 = tuple + RUGI_GLCM_TUPLES, *t2 = t1 + RUGI_GLCM_TUPLES,
             *t3 = t2 + RUGI_GLCM_TUPLES;
    size_t x = 0;
    for (; x + 3 < n; x += 4) {
        tuple[key[x]]++;
        t1[key[x + 1]]++;
        t2[key[x + 2]]++;
        t3[key[x + 3]]++;
    }
    for (; x < n; x++)
        tuple[key[x]]++;
}

static void count_two(uint32_t *tuple, const uint16_t *key, uint32_t *pair,
                      const uint16_t *key_of_pair, size_t n)
{
    uint32_t *other = tuple + RUGI_GLCM_TUPLES;
    size_t x = 0;
    for (; x + 1 < n; x += 2) {
        tuple[key[x]]++;
        pair[key_of_pair[x]]++;
        other[key[x + 1]]++;
        pair[key_of_pair[x + 1]]++;
    }
    for (; x < n; x++) {
        tuple[key[x]]++;
        pair[key_of_pair[x]]++;
    }
}

/* A few pairs, of levels. */
static void count_pairs(const rugi_glcm_whole *w, uint32_t *pair, const uint8_t *from,
                        const uint8_t *to, size_t n)
{
    for (size_t x = 0; x < n; x++)
        pair[(from[x] - w->base) << 8 | (to[x] - w->base)]++;
}

static void tuples_row(const rugi_glcm_whole *w, rugi_glcm_whole_counts *c,
                       const uint8_t *top, const uint8_t *bottom, size_t nx)
{
    const rugi_glcm_bytes_kernels *kernels = w->plan->kernels.bytes;
    size_t d = w->distance, n = nx - d;
    uint16_t *key = c->keys, *other = key + nx + RUGI_GLCM_SLACK;
    if (bottom == NULL) {
        count_pairs(w, c->pair[DIRECTION_0], top, top + d, n);
    } else if (w->span <= 16) {
        kernels->corners(key, top, bottom, n, d, (uint8_t)w->base);
        count_tuples(c->tuple, key, n);
        count_pairs(w, c->pair[DIRECTION_90], bottom + n, top + n, d);
    } else {
        kernels->triples(key, other, top, bottom, n, d, (uint8_t)w->base);
        count_two(c->tuple, key, c->pair[DIRECTION_45], other, n);
        count_pairs(w, c->pair[DIRECTION_90], bottom, top, d);
    }
}

/* All directions in turns, so that four other counters lie between two of the same matrix. */
static void pairs_row(const rugi_glcm_whole *w, rugi_glcm_whole_counts *c,
                      const uint8_t *top, const uint8_t *bottom, size_t nx)
{
    const rugi_glcm_bytes_kernels *kernels = w->plan->kernels.bytes;
    size_t d = w->distance, n = nx - d, pitch = nx + RUGI_GLCM_SLACK;
    int sorted = w->plan->is_symmetric;
    uint16_t *key[RUGI_GLCM_CORNERS];
    for (size_t k = 0; k < RUGI_GLCM_CORNERS; k++)
        key[k] = c->keys + k * pitch;
    kernels->pairs(key[0], top, top + d, n, sorted);
    if (bottom == NULL) {
        for (size_t x = 0; x < n; x++)
            c->pair[0][key[0][x]]++;
        return;
    }
    kernels->pairs(key[1], bottom, top + d, n, sorted);
    kernels->pairs(key[2], bottom, top, nx, sorted);
    kernels->pairs(key[3], bottom + d, top, n, sorted);
    uint32_t *p0 = c->pair[0], *p1 = c->pair[1], *p2 = c->pair[2], *p3 = c->pair[3];
    const uint16_t *k0 = key[0], *k1 = key[1], *k2 = key[2], *k3 = key[3];
    for (size_t x = 0; x < n; x++) {
        p0[k0[x]]++;
        p1[k1[x]]++;
        p2[k2[x]]++;
        p3[k3[x]]++;
    }
    for (size_t x = n; x < nx; x++)
        p2[k2[x]]++;
}

void rugi_glcm_whole_row(const rugi_glcm_whole *w, rugi_glcm_whole_counts *c,
                         const uint8_t *top, const uint8_t *bottom)
{
    if (w->span <= 32)
        tuples_row(w, c, top, bottom, w->plan->image.shape[2]);
    else
        pairs_row(w, c, top, bottom, w->plan->image.shape[2]);
}

static inline void add(const rugi_glcm_whole *w, uint32_t direction, uint32_t from,
                       uint32_t to, uint32_t n)
{
    if (n > 0)
        w->square[(direction * (size_t)w->span + from) * w->span + to] += n;
}

static void add_pairs(const rugi_glcm_whole *w, const rugi_glcm_whole_counts *c)
{
    uint32_t base = w->span > 32 ? w->base : 0;
    for (uint32_t k = 0; k < RUGI_GLCM_CORNERS; k++)
        for (uint32_t i = 0; i < w->span; i++)
            for (uint32_t j = 0; j < w->span; j++)
                add(w, k, i, j, c->pair[k][(i + base) << 8 | (j + base)]);
}

static inline uint32_t sum_of_turns(const uint32_t *tuple, size_t key)
{
    uint32_t n = 0;
    for (size_t i = 0; i < RUGI_GLCM_TURNS; i++)
        n += tuple[i * RUGI_GLCM_TUPLES + key];
    return n;
}

static void add_corners(const rugi_glcm_whole *w, const uint32_t *tuple)
{
    for (uint32_t key = 0; key < 1 << 16; key++) {
        uint32_t n = sum_of_turns(tuple, key);
        uint32_t a = key >> 12, b = key >> 8 & 15, c = key >> 4 & 15, e = key & 15;
        if (n == 0)
            continue;
        add(w, DIRECTION_0, a, b, n);
        add(w, DIRECTION_45, c, b, n);
        add(w, DIRECTION_90, c, a, n);
        add(w, DIRECTION_135, e, a, n);
    }
}

static void add_triples(const rugi_glcm_whole *w, const uint32_t *tuple)
{
    for (uint32_t key = 0; key < 1 << 15; key++) {
        uint32_t n = sum_of_turns(tuple, key);
        uint32_t a = key >> 10, b = key >> 5 & 31, e = key & 31;
        if (n == 0)
            continue;
        add(w, DIRECTION_0, a, b, n);
        add(w, DIRECTION_90, e, b, n);
        add(w, DIRECTION_135, e, a, n);
    }
}

void rugi_glcm_whole_add(const rugi_glcm_whole *w, const rugi_glcm_whole_counts *c)
{
    add_pairs(w, c);
    if (w->span <= 16)
        add_corners(w, c->tuple);
    else if (w->span <= 32)
        add_triples(w, c->tuple);
}

/* The pairs of one direction to the counters and marginals. */
static void take_square(rugi_glcm_counting *c, rugi_glcm_sums *out,
                        const rugi_glcm_matrix *m, uint32_t direction)
{
    uint32_t *counter = c->dense_block.data, *x = c->x_block.data, *y = c->y_block.data;
    const uint16_t *level_of = m->tile->level_of;
    size_t span = m->whole->span, n = m->tile->n_ranks;
    const uint32_t *square = m->whole->square + direction * span * span;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            uint32_t count = square[level_of[i] * span + level_of[j]];
            size_t hi = i > j ? i : j, lo = i > j ? j : i;
            counter[out->is_symmetric ? hi * (hi + 1) / 2 + lo : i * n + j] += count;
            x[i] += count;
            y[j] += count;
            out->pairs += count;
        }
}

rug_status rugi_glcm_count_whole(rug_context *ctx, rugi_glcm_counting *c,
                                 rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    if (rugi_glcm_dense_room(ctx, c, m) == NULL)
        return RUG_E_NOMEM;
    for (uint32_t k = 0; k < m->n_offsets; k++)
        take_square(c, out, m, m->plan->direction[m->first + k]);
    return rugi_glcm_dense_sums(ctx, c, 1, out, m);
}
