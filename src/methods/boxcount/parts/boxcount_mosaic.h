/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A pyramid of an image that comes in pieces. */

#ifndef RUGI_BOXCOUNT_MOSAIC_H
#define RUGI_BOXCOUNT_MOSAIC_H

#include "boxcount/pyramid/boxcount_pyramid.h"
#include "core/fit/cover.h"

/** The packed pixels of a block that have come so far. */
typedef struct rugi_waiting_block rugi_waiting_block;

/** What is known of the whole. */
typedef struct rugi_mosaic {
    int box_axes;
    size_t shape[3];             /* pixels, z y x; z = 1 for an image */
    size_t n_blocks[3];          /* of 64 pixels a side */
    rugi_boxcount_levels levels; /* 0..6 of the whole blocks */
    uint8_t *blocks; /* of each whole block RUGI_BLOCK_ANY | RUGI_BLOCK_ALL; else 0 */
    rugi_waiting_block **waiting; /* of each block of which only a part has come */
} rugi_mosaic;

/** @param shape  z y x
 *  @return RUG_OK, RUG_E_NOMEM; rugi_mosaic_free() is to be called in either case */
rug_status rugi_mosaic_new(rug_context *ctx, rugi_mosaic *mosaic, int box_axes,
                           const size_t shape[3]);
void rugi_mosaic_free(rug_context *ctx, rugi_mosaic *mosaic);

/** Adds a piece whose pixels have not come before.
 *  @param piece  its place in the whole
 *  @param pixels  [nz][ny][nx]
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_mosaic_add(rug_context *ctx, rugi_mosaic *mosaic, const rugi_box *piece,
                           const rug_image *pixels, const rugi_predicate *predicate);

/** Adds what another mosaic of the same shape has seen.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_mosaic_merge(rug_context *ctx, rugi_mosaic *mosaic,
                             const rugi_mosaic *other);

/** All levels, once all pixels have come.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_mosaic_finish(rug_context *ctx, rugi_boxcount_levels *levels,
                              const rugi_mosaic *mosaic);

#endif
