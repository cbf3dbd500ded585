/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One region, cut out of the image by its runs alone, so that what it costs follows its
 * size and not the image's. */

#ifndef RUGI_GLCM_REGION_H
#define RUGI_GLCM_REGION_H

#include "glcm/glcm_levels.h"
#include <rugose/regions.h>

/** A block of memory that grows when more is asked for. */
typedef struct rugi_glcm_block {
    void *data;
    size_t n_bytes;
} rugi_glcm_block;

/** Room for n items; what was there is lost when the block has to grow.
 *  @return the memory, NULL with an error text when there is none */
void *rugi_glcm_room(rug_context *ctx, rugi_glcm_block *block, size_t n, size_t size,
                     const char *what);
void rugi_glcm_block_free(rug_context *ctx, rugi_glcm_block *block);

/** What cutting needs of memory; one per thread, used for one region after the other. All 0
 *  at first. */
typedef struct rugi_glcm_region {
    uint64_t label;
    size_t first[3]; /**< pixel of the image */
    rugi_glcm_tile tile;
    rugi_glcm_values values;
    rugi_glcm_binning binning;
    uint32_t n_levels;                   /**< distinct levels of its pixels */
    uint32_t background;                 /**< the rank of level 0; in a frame */
    uint32_t n_most;                     /**< pixels of the most frequent level */
    const struct rugi_glcm_whole *whole; /**< that stands for its pixels, or NULL */
    uint64_t *mask;                      /**< of the tile */
    uint16_t *level;                     /**< of the tile's first pixel */
    uint32_t *histogram;          /**< of levels, [65536]; when sparse, room only */
    int64_t *pixel_row, *pixel_x; /**< of scattered pixels, instead of a mask */
    uint8_t *is_inside;           /**< [area] of each, whether it is kept */
    rugi_glcm_block pixel_row_block, pixel_x_block;
    rugi_glcm_block mask_block, rank_block, level_block, rank_of_block, level_of_block,
        count_block, cutter_block;
} rugi_glcm_region;

/** Cuts out region i.
 *  @param regions  NULL: the whole image is the only region
 *  @return RUG_OK, RUG_E_ARG (its levels span too much), RUG_E_NOMEM */
rug_status rugi_glcm_cut(rug_context *ctx, rugi_glcm_region *r,
                         const rugi_glcm_plan *plan, const rug_regions *regions,
                         size_t i);
void rugi_glcm_region_free(rug_context *ctx, rugi_glcm_region *r);

/** Looks at all pixels of region i and fills its mask, which is all 0, and its levels: values,
 *  binning and histogram.
 *  @return as of rugi_glcm_cut(), and RUG_E_CANCELLED */
rug_status rugi_glcm_fill(rug_context *ctx, rugi_glcm_region *r,
                          const rugi_glcm_plan *plan, const rug_regions *regions,
                          size_t i);

/** Whether sorting the levels of the pixels is faster than a histogram of all that there can
 *  be. */
static inline int rugi_glcm_is_sparse(const rugi_glcm_region *r)
{
    return r->values.n * 16 < r->binning.span;
}

/** Slice z of a tile, as a tile that shares its memory.
 *  @param count  [n_ranks + SLACK] becomes the pixels of each rank in the slice */
rugi_glcm_tile rugi_glcm_slice(const rugi_glcm_tile *tile, size_t z, uint32_t *count);

#endif
