/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pyramid of an image that comes in parts. */

#ifndef RUGI_BOXCOUNT_TILED_H
#define RUGI_BOXCOUNT_TILED_H

#include "boxcount/pyramid/boxcount_pyramid.h"
#include "core/blocks/partial_blocks.h"

/** What is known of the whole. */
typedef struct rugi_tiled {
    int box_axes;
    rugi_partial_blocks partial; /* blocks of 64 pixels a side */
    rugi_boxcount_levels levels; /* 0..6 of the whole blocks */
    uint8_t *blocks; /* of each whole block RUGI_BLOCK_ANY | RUGI_BLOCK_ALL; else 0 */
} rugi_tiled;

/** @param shape  z y x
 *  @return RUG_OK, RUG_E_NOMEM; rugi_tiled_free() is to be called in either case */
rug_status rugi_tiled_new(rug_context *ctx, rugi_tiled *tiled, int box_axes,
                          const size_t shape[3]);
void rugi_tiled_free(rug_context *ctx, rugi_tiled *tiled);

/** Adds a part whose pixels have not come before.
 *  @param place   in the whole
 *  @param pixels  [nz][ny][nx]
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_tiled_add(rug_context *ctx, rugi_tiled *tiled, const rugi_box *place,
                          const rug_image *pixels, const rugi_predicate *predicate);

/** Adds what another one of the same shape has seen.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_tiled_merge(rug_context *ctx, rugi_tiled *tiled, const rugi_tiled *other);

/** All levels, once all pixels have come.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_tiled_finish(rug_context *ctx, rugi_boxcount_levels *levels,
                             const rugi_tiled *tiled);

#endif
