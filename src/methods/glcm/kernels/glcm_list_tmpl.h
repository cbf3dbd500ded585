/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The walk over rows and words of a tile that makes lists, for a kernel that defines
 *
 *     list_pairs(out, tile, wanted, keys, bits, at, step)   pairs of the pixels whose bits are
 *                                                           set, the first of them at `at`
 *     list_ranks(list, n, rank, bits)                       their ranks; returns n + as many
 *
 * `keys` is a constant where list_pairs() is compiled: each kind has a walk of its
 * own. */

#ifndef RUGI_GLCM_LIST_TMPL_H
#define RUGI_GLCM_LIST_TMPL_H

#include "glcm_kernels.h"

/* The mask of row (z, y); NULL outside of the tile. */
static inline const uint64_t *mask_row(const rugi_glcm_tile *t, ptrdiff_t z, ptrdiff_t y)
{
    if (z < 0 || y < 0 || z >= (ptrdiff_t)t->nz || y >= (ptrdiff_t)t->ny)
        return NULL;
    return t->mask + ((size_t)z * t->ny + (size_t)y) * t->n_words;
}

/* Word w of a row, 0 outside. */
static inline uint64_t mask_word(const uint64_t *row, size_t n_words, ptrdiff_t w)
{
    return row != NULL && w >= 0 && w < (ptrdiff_t)n_words ? row[w] : 0;
}

/* 64 pixels of a row from pixel 64 w + shift on. */
static inline uint64_t mask_at(const uint64_t *row, size_t n_words, size_t w,
                               ptrdiff_t shift)
{
    ptrdiff_t words = shift >> 6; /* towards minus infinity */
    unsigned bits = (unsigned)(shift & 63);
    uint64_t low = mask_word(row, n_words, (ptrdiff_t)w + words);
    if (bits == 0)
        return low;
    uint64_t high = mask_word(row, n_words, (ptrdiff_t)w + words + 1);
    return low >> bits | high << (64 - bits);
}

static inline void list_row(rugi_glcm_lists *out, const rugi_glcm_tile *tile,
                            const rugi_glcm_wanted *w, rugi_glcm_keys keys, size_t row)
{
    const int *o = w->offset;
    size_t n_words = tile->n_words;
    ptrdiff_t z = (ptrdiff_t)(row / tile->ny), y = (ptrdiff_t)(row % tile->ny);
    const uint64_t *here = tile->mask + row * n_words;
    const uint64_t *next = mask_row(tile, z + o[0], y + o[1]);
    const uint64_t *last = mask_row(tile, z - o[0], y - o[1]);
    ptrdiff_t row_step = (ptrdiff_t)o[0] * (ptrdiff_t)tile->ny + o[1];
    ptrdiff_t step = row_step * 64 * (ptrdiff_t)n_words + o[2];
    for (size_t i = 0; i < n_words; i++) {
        uint64_t at_next = mask_at(next, n_words, i, o[2]);
        size_t at = (row * n_words + i) * 64;
        list_pairs(out, tile, w, keys, here[i] & at_next, at, step);
        if (!w->with_borders)
            continue;
        uint64_t at_last = mask_at(last, n_words, i, -(ptrdiff_t)o[2]);
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
