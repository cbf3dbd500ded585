/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of any size, on one grid or on all of them, from packed pixels. */

#ifndef RUGI_BOXCOUNT_WINDOW_H
#define RUGI_BOXCOUNT_WINDOW_H

#include "boxcount/bits/boxcount_bits.h"
#include "boxcount/result/boxcount_result.h"

/** Counts the boxes of result->counts[i].size for every i < result->facts.n_sizes, and sets
 *  the nonempty and black of counts and, unless the grid is ORIGIN, all of positions,
 *  and engine. result->facts.grid says which grid.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_boxcount_window(rug_context *ctx, rug_boxcount_result *result,
                                const rugi_bits *pixels);

/** Sets the nonempty and black of counts on the grids given by result->positions[].shift,
 *  which rugi_boxcount_window() found for pixels of the same shape.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_boxcount_window_at(rug_context *ctx, rug_boxcount_result *result,
                                   const rugi_bits *pixels);

/** The number of foreground pixels.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_boxcount_window_set(rug_context *ctx, uint64_t *n_set,
                                    const rugi_bits *pixels);

#endif
