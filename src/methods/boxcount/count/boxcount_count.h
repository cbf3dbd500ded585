/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counting by the method and the engine in force: where pyramid, window, HOU and the
 * devices come together. */

#ifndef RUGI_BOXCOUNT_COUNT_H
#define RUGI_BOXCOUNT_COUNT_H

#include "boxcount/bits/boxcount_bits.h"
#include "boxcount/pyramid/boxcount_pyramid.h"
#include "core/points/point_cells.h"

/** An image to count: checked and resolved once, from here on only read. Its sizes and
 *  its grid are those of the result, from rugi_boxcount_begin(). */
typedef struct rugi_boxcount_job {
    const rug_image *image;
    const rug_image *mask;      /**< of the image's shape; NULL: all pixels are inside */
    rugi_predicate is_set;      /**< which pixels of the image are foreground */
    rug_boxcount_method method; /**< in force, never AUTO */
} rugi_boxcount_job;

/** Counts an image, and completes the result.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_count(rug_context *ctx, rug_boxcount_result *result,
                               const rugi_boxcount_job *job);

/** Counts packed pixels: fills the result but for total, gray and white.
 *  @param result  from rugi_boxcount_begin()
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_of_bits(rug_context *ctx, rug_boxcount_result *result,
                                 rug_boxcount_method method, const rugi_bits *pixels);

/** Sets total, gray and white by the image's extent, or by the pixels of a mask, and then
 *  n_pixels too.
 *  @param mask  NULL: there is none
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_complete(rug_context *ctx, rug_boxcount_result *result,
                                  rug_boxcount_method method, const rugi_bits *mask);

/** Counts levels 0..6 of a plan, and whether each block is empty or full.
 *  @param levels  zeroed first
 *  @param blocks  as in rugi_pyramid_job
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_blocks(rug_context *ctx, rugi_boxcount_levels *levels,
                                uint8_t *blocks, const rugi_boxcount_plan *plan);

/** The same on the processor, whatever the device: for a few blocks, which take less time
 *  than the launch of a kernel. */
rug_status rugi_boxcount_blocks_by_cpu(rug_context *ctx, rugi_boxcount_levels *levels,
                                       uint8_t *blocks, const rugi_boxcount_plan *plan);

/** Counts lattice cells by HOU, on the grid through coordinate 0: sets nonempty, black,
 *  n_set, engine, busy_least and busy_most.
 *  @return RUG_OK, RUG_E_ARG (the cells have no keys), RUG_E_NOMEM, RUG_E_DEVICE,
 *          RUG_E_CANCELLED */
rug_status rugi_boxcount_hou_cells(rug_context *ctx, rug_boxcount_result *result,
                                   const rugi_cells *cells);

#endif
