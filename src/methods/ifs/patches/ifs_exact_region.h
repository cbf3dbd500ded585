/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Exact planes of a region of the image: pixels without loss, and alpha. */

#ifndef RUGI_IFS_EXACT_REGION_H
#define RUGI_IFS_EXACT_REGION_H

#include "ifs_tiles.h"

typedef struct rugi_ifs_exact_region {
    const rugi_ifs_tiled *tiled;
    uint32_t x, y, nx, ny; /* pixels of the image */
    int n_planes; /* grey or red, green and blue of a stream without loss; alpha */
    int32_t *planes[RUG_IFS_PLANES_MAX]; /* [ny][nx] */
} rugi_ifs_exact_region;

/** Memory: colours 0, alpha opaque.
 *  @return RUG_OK, RUG_E_NOMEM; either way rugi_ifs_exact_region_end() */
rug_status rugi_ifs_exact_region_begin(rug_context *ctx, rugi_ifs_exact_region *region,
                                       const rugi_ifs_tiled *t, uint32_t x, uint32_t y,
                                       uint32_t nx, uint32_t ny);
void rugi_ifs_exact_region_end(rug_context *ctx, rugi_ifs_exact_region *region);

/** Decodes what of a tile lies in the region.
 *  @param column, row  of the tile in the image
 *  @return RUG_OK, RUG_E_FORMAT, RUG_E_NOMEM */
rug_status rugi_ifs_decode_exact_tile(rug_context *ctx,
                                      const rugi_ifs_exact_region *region,
                                      uint32_t column, uint32_t row,
                                      const rugi_ifs_part *part);

#endif
