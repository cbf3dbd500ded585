/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which pixels of a row have a partner, by 64 pixels at once. Included by the kernels. */

#ifndef RUGI_GLCM_MASKS_H
#define RUGI_GLCM_MASKS_H

#include "glcm/count/glcm_kernels.h"

/** The mask of row (z, y); NULL outside of the tile. */
static inline const uint64_t *rugi_glcm_mask_row(const rugi_glcm_tile *t, ptrdiff_t z,
                                                 ptrdiff_t y)
{
    if (z < 0 || y < 0 || z >= (ptrdiff_t)t->nz || y >= (ptrdiff_t)t->ny)
        return NULL;
    return t->mask + ((size_t)z * t->ny + (size_t)y) * t->n_words;
}

/** Word w of a row, 0 outside. */
static inline uint64_t rugi_glcm_mask_word(const uint64_t *row, size_t n_words,
                                           ptrdiff_t w)
{
    return row != NULL && w >= 0 && w < (ptrdiff_t)n_words ? row[w] : 0;
}

/** 64 pixels of a row from pixel 64 w + shift on. */
static inline uint64_t rugi_glcm_mask_at(const uint64_t *row, size_t n_words, size_t w,
                                         ptrdiff_t shift)
{
    ptrdiff_t words = shift >> 6; /* towards minus infinity */
    unsigned bits = (unsigned)(shift & 63);
    uint64_t low = rugi_glcm_mask_word(row, n_words, (ptrdiff_t)w + words);
    if (bits == 0)
        return low;
    uint64_t high = rugi_glcm_mask_word(row, n_words, (ptrdiff_t)w + words + 1);
    return low >> bits | high << (64 - bits);
}

#endif
