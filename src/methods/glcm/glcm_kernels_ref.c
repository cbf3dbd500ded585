/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable leaves. */

#include "glcm_kernels.h"
#include "glcm_masks.h"
#include <string.h>

static inline uint32_t make_key(rugi_glcm_keys keys, uint32_t a, uint32_t b,
                                uint32_t n_ranks)
{
    uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
    switch (keys) {
    case RUGI_GLCM_TRIANGLE: return hi * (hi + 1) / 2 + lo;
    case RUGI_GLCM_SQUARE: return a * n_ranks + b;
    case RUGI_GLCM_SORTED: return hi << 16 | lo;
    default: return a << 16 | b;
    }
}

/* The pairs of the cells whose bits are set, the first of them at `at`. */
static inline void list_pairs(rugi_glcm_lists *out, const rugi_glcm_tile *tile,
                              const rugi_glcm_wanted *w, uint64_t bits, size_t at,
                              ptrdiff_t step)
{
    size_t n = out->n_pairs;
    for (; bits != 0; bits &= bits - 1, n++) {
        size_t p = at + (size_t)__builtin_ctzll(bits), q = p + (size_t)step;
        out->key[n] = make_key(w->keys, tile->rank[p], tile->rank[q], tile->n_ranks);
        if (!w->with_levels)
            continue;
        int a = tile->level[p], b = tile->level[q];
        out->difference[n] = (uint16_t)(a > b ? a - b : b - a);
        out->sum[n] = (uint16_t)(a + b);
    }
    out->n_pairs = n;
}

static inline size_t list_ranks(uint16_t *list, size_t n, const uint16_t *rank,
                                uint64_t bits)
{
    for (; bits != 0; bits &= bits - 1)
        list[n++] = rank[__builtin_ctzll(bits)];
    return n;
}

static void list_row(rugi_glcm_lists *out, const rugi_glcm_tile *tile,
                     const rugi_glcm_wanted *w, ptrdiff_t z, ptrdiff_t y)
{
    const int *o = w->offset;
    size_t n_words = tile->n_words, row = (size_t)z * tile->ny + (size_t)y;
    const uint64_t *here = tile->mask + row * n_words;
    const uint64_t *next = rugi_glcm_mask_row(tile, z + o[0], y + o[1]);
    const uint64_t *last = rugi_glcm_mask_row(tile, z - o[0], y - o[1]);
    ptrdiff_t row_step = (ptrdiff_t)o[0] * (ptrdiff_t)tile->ny + o[1];
    ptrdiff_t step = row_step * 64 * (ptrdiff_t)n_words + o[2];
    for (size_t i = 0; i < n_words; i++) {
        uint64_t at_next = rugi_glcm_mask_at(next, n_words, i, o[2]);
        size_t at = (row * n_words + i) * 64;
        list_pairs(out, tile, w, here[i] & at_next, at, step);
        if (!w->with_borders)
            continue;
        uint64_t at_last = rugi_glcm_mask_at(last, n_words, i, -(ptrdiff_t)o[2]);
        const uint16_t *rank = tile->rank + at;
        out->n_no_next =
            list_ranks(out->no_next, out->n_no_next, rank, here[i] & ~at_next);
        out->n_no_last =
            list_ranks(out->no_last, out->n_no_last, rank, here[i] & ~at_last);
    }
}

static void list(rugi_glcm_lists *out, const rugi_glcm_tile *tile,
                 const rugi_glcm_wanted *wanted)
{
    for (size_t r = wanted->first_row; r < wanted->end_row; r++)
        list_row(out, tile, wanted, (ptrdiff_t)(r / tile->ny), (ptrdiff_t)(r % tile->ny));
}

/* The count of a key before this pair adds itself: sums of 2 c + 1 and of t(c + 1) - t(c)
 * over all pairs are those of c^2 and t(c). */
#define COUNT(name, type)                                                     \
    static void name(rugi_glcm_counters *n, const rugi_glcm_lists *l)         \
    {                                                                         \
        type *counter = n->counter;                                           \
        uint32_t tag = n->tag;                                                \
        uint64_t squares = 0, t = 0, diagonal = 0;                            \
        for (size_t i = 0; i < l->n_pairs; i++) {                             \
            uint32_t c = counter[l->key[i]];                                  \
            c = c < tag ? tag : c;                                            \
            counter[l->key[i]] = (type)(c + 1);                               \
            c -= tag;                                                         \
            squares += 2 * (uint64_t)c + 1;                                   \
            t += n->step[c];                                                  \
            n->difference[l->difference[i]]++;                                \
            n->sum[l->sum[i]]++;                                              \
        }                                                                     \
        for (size_t i = 0; n->difference[0] > 0 && i < l->n_pairs; i++)       \
            diagonal += l->difference[i] == 0 ? counter[l->key[i]] - tag : 0; \
        n->squares += squares;                                                \
        n->diagonal += diagonal;                                              \
        n->t += t;                                                            \
    }

COUNT(count8, uint16_t)
COUNT(count16, uint32_t)

static void differences(rugi_glcm_moments *out, const uint16_t *counts, size_t n,
                        const double *weight, const rugi_glcm_logs *logs)
{
    double lane[RUGI_GLCM_LANES] = {0};
    *out = (rugi_glcm_moments){0};
    for (size_t k = 0; k < n; k++) {
        uint64_t c = counts[k];
        out->t += logs->t[c];
        out->first += k * c;
        out->second += k * k * c;
        lane[k % RUGI_GLCM_LANES] += (double)c * weight[k];
    }
    out->closeness = rugi_glcm_fold(lane);
}

static uint64_t sums(const uint16_t *counts, size_t n, const rugi_glcm_logs *logs)
{
    uint64_t t = 0;
    for (size_t k = 0; k < n; k++)
        t += logs->t[counts[k]];
    return t;
}

static void marginal(rugi_glcm_moments *out, const uint32_t *counts,
                     const uint16_t *level_of, size_t n, const rugi_glcm_logs *logs)
{
    *out = (rugi_glcm_moments){0};
    for (size_t i = 0; i < n; i++) {
        uint64_t c = counts[i], k = level_of[i];
        out->t += logs->t[c];
        out->first += k * c;
        out->second += k * k * c;
    }
}

void rugi_glcm_leaf_ref(rugi_glcm_leaf *leaf)
{
    *leaf =
        (rugi_glcm_leaf){"cpu-ref", list, count8, count16, differences, sums, marginal};
}
