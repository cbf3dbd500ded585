/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The walk over rows and words of a tile that makes lists, for a kernel that defines
 *
 *     list_pairs(out, tile, wanted, keys, bits, at, step)   pairs of the pixels whose bits are
 *                                                           set, the first of them at `at`
 *     list_ranks(list, n, rank, bits)                       their ranks; returns n + as many
 *
 * `keys` is a constant where list_pairs() is compiled: each kind has a walk of its own. */

#ifndef RUGI_GLCM_LIST_H
#define RUGI_GLCM_LIST_H

#include "glcm/region/glcm_masks.h"

static inline void list_row(rugi_glcm_lists *out, const rugi_glcm_tile *tile,
                            const rugi_glcm_wanted *w, rugi_glcm_keys keys, size_t row)
{
    const int *o = w->offset;
    size_t n_words = tile->n_words;
    ptrdiff_t z = (ptrdiff_t)(row / tile->ny), y = (ptrdiff_t)(row % tile->ny);
    const uint64_t *here = tile->mask + row * n_words;
    const uint64_t *next = rugi_glcm_mask_row(tile, z + o[0], y + o[1]);
    const uint64_t *last = rugi_glcm_mask_row(tile, z - o[0], y - o[1]);
    ptrdiff_t row_step = (ptrdiff_t)o[0] * (ptrdiff_t)tile->ny + o[1];
    ptrdiff_t step = row_step * 64 * (ptrdiff_t)n_words + o[2];
    for (size_t i = 0; i < n_words; i++) {
        uint64_t at_next = rugi_glcm_mask_at(next, n_words, i, o[2]);
        size_t at = (row * n_words + i) * 64;
        list_pairs(out, tile, w, keys, here[i] & at_next, at, step);
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

#define RUGI_GLCM_LIST_KEYS(keys)                                    \
    case keys:                                                       \
        for (size_t r = wanted->first_row; r < wanted->end_row; r++) \
            list_row(out, tile, wanted, keys, r);                    \
        break

static void list(rugi_glcm_lists *out, const rugi_glcm_tile *tile,
                 const rugi_glcm_wanted *wanted)
{
    switch (wanted->keys) {
        RUGI_GLCM_LIST_KEYS(RUGI_GLCM_TRIANGLE);
        RUGI_GLCM_LIST_KEYS(RUGI_GLCM_SQUARE);
        RUGI_GLCM_LIST_KEYS(RUGI_GLCM_SORTED);
        RUGI_GLCM_LIST_KEYS(RUGI_GLCM_ORDERED);
    }
}

#endif
