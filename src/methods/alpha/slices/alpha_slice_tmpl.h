/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The body of the kernels of slices of alpha. The file that includes it has defined, for
 * its vectors `words` of N_LANES words: load_words, store_words, no_words, or_words,
 * add_words (an adder of one bit), pairs_of (words of two vectors joined with their
 * neighbours), sets_of (the sets of N_LANES pixels). */

#ifndef RUGI_ALPHA_SLICE_TMPL_H
#define RUGI_ALPHA_SLICE_TMPL_H

#include "alpha_slice_kernels.h"
#include <math.h>

/* The carries of two groups are one carry to the next bit, and so on. */
static inline void put_carry(rugi_alpha_counter *c, words carry)
{
    uint32_t n = c->n_groups++, p = RUGI_ALPHA_GROUP_BITS;
    for (; n & 1; n >>= 1, p++) {
        words here = load_words(c->plane[p]);
        carry = add_words(&here, load_words(c->carry[p]), carry);
        store_words(c->plane[p], here);
    }
    store_words(c->carry[p], carry);
    if (c->n_groups == (uint32_t)1
                           << (RUGI_ALPHA_COUNTER_BITS - RUGI_ALPHA_GROUP_BITS - 1))
        rugi_alpha_counter_empty(c);
}

/* Harley and Seal's tree. */
static inline void count_group(rugi_alpha_counter *c, const words *v)
{
    words ones = load_words(c->plane[0]), twos = load_words(c->plane[1]);
    words fours = load_words(c->plane[2]), eights = load_words(c->plane[3]);
    words eight[2];
    for (int i = 0; i < 2; i++, v += 8) {
        words two = add_words(&ones, v[0], v[1]);
        words other_two = add_words(&ones, v[2], v[3]);
        words four = add_words(&twos, two, other_two);
        two = add_words(&ones, v[4], v[5]);
        other_two = add_words(&ones, v[6], v[7]);
        words other_four = add_words(&twos, two, other_two);
        eight[i] = add_words(&fours, four, other_four);
    }
    words carry = add_words(&eights, eight[0], eight[1]);
    store_words(c->plane[0], ones);
    store_words(c->plane[1], twos);
    store_words(c->plane[2], fours);
    store_words(c->plane[3], eights);
    put_carry(c, carry);
}

static inline void put_sets(uint64_t *sets, words v, int add)
{
    store_words(sets, add ? or_words(v, load_words(sets)) : v);
}

/* Rows have a multiple of GROUP / 2 vectors of pixels. */
static void pixels(uint64_t *sets, const uint16_t *a, const uint16_t *b, size_t n,
                   uint32_t first, int add, rugi_alpha_counter *counter)
{
    enum { HALF = RUGI_ALPHA_GROUP / 2 };
    for (size_t x = 0; x < n; x += HALF * N_LANES) {
        words v[RUGI_ALPHA_GROUP];
        for (size_t i = 0; i < HALF; i++) {
            v[i] = sets_of(a + x + i * N_LANES, first);
            v[HALF + i] = sets_of(b + x + i * N_LANES, first);
        }
        count_group(counter, v);
        for (size_t i = 0; i < HALF; i += 2)
            put_sets(sets + x / 2 + i / 2 * N_LANES,
                     pairs_of(or_words(v[i], v[HALF + i]),
                              or_words(v[i + 1], v[HALF + i + 1])),
                     add);
    }
}

static void boxes(uint64_t *sets, const uint64_t *a, const uint64_t *b, size_t n, int add,
                  rugi_alpha_counter *counter)
{
    enum { HALF = RUGI_ALPHA_GROUP / 2 };
    for (size_t x = 0; x < n; x += HALF * N_LANES) {
        words v[RUGI_ALPHA_GROUP];
        size_t left = (n - x) / N_LANES, m = left < HALF ? left : HALF;
        for (size_t i = 0; i < HALF; i++) {
            v[i] = i < m ? load_words(a + x + i * N_LANES) : no_words();
            v[HALF + i] = i < m ? load_words(b + x + i * N_LANES) : no_words();
        }
        count_group(counter, v);
        for (size_t i = 0; i < m; i += 2)
            put_sets(sets + x / 2 + i / 2 * N_LANES,
                     pairs_of(or_words(v[i], v[HALF + i]),
                              or_words(v[i + 1], v[HALF + i + 1])),
                     add);
    }
}

/* Independent extremes, so that they stay in vectors. */
#define N_EXTREMES 64

static inline void widen(rugi_alpha_extremes *e, float alpha)
{
    float low = fabsf(alpha) < INFINITY ? alpha : INFINITY;
    float high = fabsf(alpha) < INFINITY ? alpha : -INFINITY;
    e->least = low < e->least ? low : e->least;
    e->largest = high > e->largest ? high : e->largest;
}

static void extremes(rugi_alpha_extremes *e, const float *restrict alpha, size_t n)
{
    float least[N_EXTREMES], largest[N_EXTREMES];
    size_t i = 0;
    for (size_t k = 0; k < N_EXTREMES; k++) {
        least[k] = INFINITY;
        largest[k] = -INFINITY;
    }
    for (; i + N_EXTREMES <= n; i += N_EXTREMES)
        for (size_t k = 0; k < N_EXTREMES; k++) {
            float x = alpha[i + k];
            float low = fabsf(x) < INFINITY ? x : INFINITY;
            float high = fabsf(x) < INFINITY ? x : -INFINITY;
            least[k] = low < least[k] ? low : least[k];
            largest[k] = high > largest[k] ? high : largest[k];
        }
    for (; i < n; i++)
        widen(e, alpha[i]);
    for (size_t k = 0; k < N_EXTREMES; k++) {
        e->least = least[k] < e->least ? least[k] : e->least;
        e->largest = largest[k] > e->largest ? largest[k] : e->largest;
    }
}

/* One by one: the rest of a row, and rows whose slices are too narrow for vectors. */
static size_t find_one_by_one(uint16_t *slice, const float *alpha, const float *next,
                              size_t n, const rugi_alpha_cut *cut)
{
    (void)next;
    size_t n_undefined = 0;
    for (size_t i = 0; i < n; i++) {
        slice[i] = rugi_alpha_cut_find(cut, alpha[i]);
        n_undefined += !(fabsf(alpha[i]) < INFINITY);
    }
    return n_undefined;
}

/* find: find_one_by_one() or what is faster. */
static inline void set_kernels(rugi_alpha_slice_kernels *kernels, const char *name,
                               size_t (*find)(uint16_t *slice, const float *alpha,
                                              const float *next, size_t n,
                                              const rugi_alpha_cut *cut))
{
    *kernels = (rugi_alpha_slice_kernels){.name = name,
                                          .extremes = extremes,
                                          .find = find,
                                          .pixels = pixels,
                                          .boxes = boxes};
}

#endif
