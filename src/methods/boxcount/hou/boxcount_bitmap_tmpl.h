/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The loop over the words of a bitmap that all kernels share: compilers turn it into
 * vectors of the kernel's level. */

#ifndef RUGI_BOXCOUNT_BITMAP_TMPL_H
#define RUGI_BOXCOUNT_BITMAP_TMPL_H

#include <stddef.h>
#include <stdint.h>

/** Words that are folded at once, into one bit each. */
#define RUGI_BITMAP_GROUP 64

/** Words of a bitmap: bit k of `any` is set when there is a key in set k, of `all` when
 *  all its keys are there. They may be the same. */
typedef struct rugi_bitmap_words {
    const uint64_t *any, *all;
    size_t n;                      /* a multiple of RUGI_BITMAP_GROUP */
    uint64_t *next_any, *next_all; /* a bit for each word */
    unsigned asked;                /* bit b, 1..6: sets of 2^b bits are counted */
    uint64_t nonempty[7];          /* [b]: sets of 2^b bits are added */
    uint64_t full[7];
} rugi_bitmap_words;

typedef void (*rugi_bitmap_fn)(rugi_bitmap_words *words);

void rugi_bitmap_count_ref(rugi_bitmap_words *words);
void rugi_bitmap_count_avx2(rugi_bitmap_words *words);
void rugi_bitmap_count_avx512(rugi_bitmap_words *words);

/* Bits at the multiples of 2^b. */
static const uint64_t rugi_bitmap_mask[7] = {UINT64_MAX,
                                             0x5555555555555555,
                                             0x1111111111111111,
                                             0x0101010101010101,
                                             0x0001000100010001,
                                             0x0000000100000001,
                                             1};

/* Adds neighbours up, and again those sums. The instruction where the level has it. */
static inline uint64_t rugi_bitmap_ones(uint64_t v)
{
#ifdef __POPCNT__
    return (uint64_t)__builtin_popcountll(v);
#else
    v -= v >> 1 & 0x5555555555555555;
    v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return v * 0x0101010101010101 >> 56;
#endif
}

static inline uint64_t rugi_bitmap_sum(const uint64_t *words, uint64_t mask)
{
    uint64_t sum = 0;
    for (int i = 0; i < RUGI_BITMAP_GROUP; i++)
        sum += rugi_bitmap_ones(words[i] & mask);
    return sum;
}

/* Joins neighbours of 2^(b-1) bits: the bit at each multiple of 2^b is of both. */
static inline void rugi_bitmap_fold(rugi_bitmap_words *w, uint64_t *any, uint64_t *all,
                                    unsigned b)
{
    unsigned step = 1u << (b - 1);
    for (int i = 0; i < RUGI_BITMAP_GROUP; i++) {
        any[i] |= any[i] >> step;
        all[i] &= all[i] >> step;
    }
    if ((w->asked >> b & 1) == 0)
        return;
    w->nonempty[b] += rugi_bitmap_sum(any, rugi_bitmap_mask[b]);
    w->full[b] += rugi_bitmap_sum(all, rugi_bitmap_mask[b]);
}

static inline uint64_t rugi_bitmap_lowest_bits(const uint64_t *words)
{
    uint64_t bits = 0;
    for (int i = 0; i < RUGI_BITMAP_GROUP; i++)
        bits |= (words[i] & 1) << i;
    return bits;
}

/* One group; any and all are its own copies. */
static inline void rugi_bitmap_count_group(rugi_bitmap_words *w, size_t group,
                                           uint64_t *any, uint64_t *all)
{
    uint64_t there = 0;
    for (int i = 0; i < RUGI_BITMAP_GROUP; i++) {
        any[i] = w->any[group * RUGI_BITMAP_GROUP + (size_t)i];
        all[i] = w->all[group * RUGI_BITMAP_GROUP + (size_t)i];
        there |= any[i];
    }
    if (there == 0) {
        w->next_any[group] = w->next_all[group] = 0;
        return;
    }
    w->nonempty[0] += rugi_bitmap_sum(any, UINT64_MAX);
    rugi_bitmap_fold(w, any, all, 1);
    rugi_bitmap_fold(w, any, all, 2);
    rugi_bitmap_fold(w, any, all, 3);
    rugi_bitmap_fold(w, any, all, 4);
    rugi_bitmap_fold(w, any, all, 5);
    rugi_bitmap_fold(w, any, all, 6);
    w->next_any[group] = rugi_bitmap_lowest_bits(any);
    w->next_all[group] = rugi_bitmap_lowest_bits(all);
}

static inline void rugi_bitmap_count(rugi_bitmap_words *w)
{
    for (size_t group = 0; group < w->n / RUGI_BITMAP_GROUP; group++) {
        uint64_t any[RUGI_BITMAP_GROUP], all[RUGI_BITMAP_GROUP];
        rugi_bitmap_count_group(w, group, any, all);
    }
}

#endif
