/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels as masses, in the narrowest numbers that hold each of them: a band of rows that is at
 * work, and what boxes that end in it have to give back of the rows before. */

#ifndef RUGI_LACUNARITY_WINDOW_H
#define RUGI_LACUNARITY_WINDOW_H

#include "lacunarity_plan.h"
#include <string.h>

/** Rows of numbers, which a vector may read beyond their ends. Where all numbers are 0 or 1, past
 *  ones are kept as bits. */
typedef struct rugi_lacunarity_rows {
    char *data;    /* of the band; NULL: there are no rows */
    char *past;    /* NULL: none are needed */
    unsigned type; /* numbers of 2^type bytes */
    int is_bits;
    size_t row_bytes, past_row_bytes;
} rugi_lacunarity_rows;

/** An image or volume at work, as rows: row z * n[1] + y has the pixels (z, y, 0 ...). */
typedef struct rugi_lacunarity_window {
    size_t n[3];          /* of the whole, z y x */
    size_t layer_rows;    /* rows of a layer: 1 of an image, n[1] of a volume */
    size_t first, n_rows; /* of the band */
    size_t past_rows;     /* row r is kept at r % past_rows, with all of the band */
    rugi_lacunarity_rows masses;
    rugi_lacunarity_rows inside; /* 1 and 0: the mask; without data there is none */
    uint64_t n_pixels, n_set, n_left_out; /* of all bands so far */
} rugi_lacunarity_window;

/** Called with each band. */
typedef rug_status (*rugi_lacunarity_band_fn)(rug_context *ctx, void *user);

/** Reads the input once, from its first row to the last, and makes band after band.
 *  @param window  filled; its rows are there as long as the call, its numbers of pixels stay
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED, what the source or the function returns */
rug_status rugi_lacunarity_for_bands(rug_context *ctx, rugi_lacunarity_window *window,
                                     const rugi_lacunarity_plan *plan,
                                     const rugi_lacunarity_input *input,
                                     rugi_lacunarity_band_fn fn, void *user);

#endif
