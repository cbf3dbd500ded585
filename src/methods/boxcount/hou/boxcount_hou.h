/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of sparse sets: the foreground of an image, or points, as sorted Morton keys. */

#ifndef RUGI_BOXCOUNT_HOU_H
#define RUGI_BOXCOUNT_HOU_H

#include "boxcount/opencl/boxcount_pixels.h"
#include "core/image/image_internal.h"
#include "core/image/predicate.h"
#include <rugose/boxcount.h>

/** The foreground of an image as cells. */
typedef struct rugi_packed_cells {
    rugi_cells cells; /* borrows the rest, so that it must not move */
    rugi_bits bits;
    size_t n_words;
    uint64_t *first; /* [n_blocks + 1]: cells before each block */
} rugi_packed_cells;

/** @param img  any dtype, shape and strides
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_packed_cells_new(rug_context *ctx, rugi_packed_cells *out,
                                 const rug_image *img, const rugi_predicate *predicate);
void rugi_packed_cells_free(rug_context *ctx, rugi_packed_cells *cells);

/** Counts the boxes of result->counts[i].size for every i < result->n_sizes on the grid at
 *  the first cell, and sets nonempty, black, n_set, engine, busy_least and busy_most.
 *  @param img  any dtype, shape and strides
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_hou_image(rug_context *ctx, rug_boxcount_result *result,
                                   const rug_image *img, const rugi_predicate *predicate);

#endif
