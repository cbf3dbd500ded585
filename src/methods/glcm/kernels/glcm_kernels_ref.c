/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernels. */

#include "glcm_bytes_tmpl.h"
#include "glcm_kernels.h"
#include <string.h>

/* Keys of n pixels that follow one another, and of their partners. */
static inline void list_keys(uint32_t *restrict key, const uint16_t *a, const uint16_t *b,
                             size_t n, rugi_glcm_keys keys, uint32_t n_ranks)
{
#define KEYS(value)                                    \
    for (size_t i = 0; i < n; i++) {                   \
        uint32_t first = a[i], second = b[i];          \
        uint32_t lo = first < second ? first : second; \
        uint32_t hi = first < second ? second : first; \
        (void)lo, (void)hi;                            \
        key[i] = (value);                              \
    }                                                  \
    break
    switch (keys) {
    case RUGI_GLCM_TRIANGLE: KEYS(hi * (hi + 1) / 2 + lo);
    case RUGI_GLCM_SQUARE: KEYS(first * n_ranks + second);
    case RUGI_GLCM_SORTED: KEYS(hi << 16 | lo);
    default: KEYS(first << 16 | second);
    }
#undef KEYS
}

static inline void list_levels(uint16_t *restrict difference, uint16_t *restrict sum,
                               const uint16_t *a, const uint16_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t lo = a[i] < b[i] ? a[i] : b[i], hi = a[i] < b[i] ? b[i] : a[i];
        difference[i] = (uint16_t)(hi - lo);
        sum[i] = (uint16_t)(hi + lo);
    }
}

/* The pairs of the pixels whose bits are set, the first of them at `at`: stretches of set
 * bits, in which any compiler works on several pixels at once. */
static inline void list_pairs(rugi_glcm_lists *out, const rugi_glcm_tile *tile,
                              const rugi_glcm_wanted *w, rugi_glcm_keys keys,
                              uint64_t bits, size_t at, ptrdiff_t step)
{
    while (bits != 0) {
        unsigned first = (unsigned)__builtin_ctzll(bits);
        uint64_t rest = ~(bits >> first);
        unsigned n = rest != 0 ? (unsigned)__builtin_ctzll(rest) : 64;
        size_t p = at + first, q = p + (size_t)step, to = out->n_pairs;
        list_keys(out->key + to, tile->rank + p, tile->rank + q, n, keys, tile->n_ranks);
        if (w->with_levels)
            list_levels(out->difference + to, out->sum + to, tile->level + p,
                        tile->level + q, n);
        out->n_pairs += n;
        bits = n + first < 64 ? bits & ~(uint64_t)0 << (n + first) : 0;
    }
}

static inline size_t list_ranks(uint16_t *list, size_t n, const uint16_t *rank,
                                uint64_t bits)
{
    for (; bits != 0; bits &= bits - 1)
        list[n++] = rank[__builtin_ctzll(bits)];
    return n;
}

#include "glcm_list_tmpl.h"

/* The count of a key before this pair adds itself: sums of 2 c + 1 and of t(c + 1) - t(c)
 * over all pairs are those of c^2 and t(c). Where c is 0 there is nothing to add. That is
 * a branch, and right: most keys of regions with many levels are new, so that it is
 * foreseen, and what follows need not wait for a counter from the second-level cache
 * (without a branch 300 cells take 39 ms, not 35). */
#define COUNT(name, type)                                                     \
    static void name(rugi_glcm_counters *n, const rugi_glcm_lists *l)         \
    {                                                                         \
        type *counter = n->counter;                                           \
        uint16_t *difference = n->difference, *sum = n->sum;                  \
        const uint32_t tag = n->tag;                                          \
        uint64_t before = 0, t = 0, diagonal = 0;                             \
        for (size_t i = 0; i < l->n_pairs; i++) {                             \
            type *at = counter + l->key[i];                                   \
            uint32_t c = *at;                                                 \
            difference[l->difference[i]]++;                                   \
            sum[l->sum[i]]++;                                                 \
            if (c < tag) {                                                    \
                *at = (type)(tag + 1);                                        \
                continue;                                                     \
            }                                                                 \
            *at = (type)(c + 1);                                              \
            before += c - tag;                                                \
            t += n->step[c - tag];                                            \
        }                                                                     \
        for (size_t i = 0; difference[0] > 0 && i < l->n_pairs; i++)          \
            diagonal += l->difference[i] == 0 ? counter[l->key[i]] - tag : 0; \
        n->squares += 2 * before + l->n_pairs;                                \
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

void rugi_glcm_set_kernels_ref(rugi_glcm_kernels *kernels)
{
    *kernels = (rugi_glcm_kernels){"cpu-ref",   list, count8,   count16,
                                   differences, sums, marginal, &bytes_kernels};
}
