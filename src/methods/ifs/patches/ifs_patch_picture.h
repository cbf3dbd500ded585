/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Planes of patches of a whole picture or a region of tiles: their memory, tiles that are decoded
 * into it, and samples turned into grey levels and colours. */

#ifndef RUGI_IFS_PATCH_PICTURE_H
#define RUGI_IFS_PATCH_PICTURE_H

#include "ifs_patch_decode.h"
#include "ifs_tiles.h"

/** A plane of the region. */
typedef struct rugi_ifs_region_plane {
    int16_t *samples; /* [ny << octave][pitch] */
    size_t pitch;
    uint32_t nx, ny; /* at the coded size, whole roots */
    unsigned halved; /* of luma's samples a side */
    unsigned depth;
    rugi_ifs_patch_map map;
} rugi_ifs_region_plane;

/** Tiles side by side. */
typedef struct rugi_ifs_region {
    const rugi_ifs_tiled *tiled;
    uint32_t column, row, n_columns, n_rows; /* of tiles */
    uint32_t x, y, nx, ny;                   /* pixels of the image, without padding */
    unsigned octave;
    int n_planes;
    rugi_ifs_region_plane planes[RUGI_IFS_PATCH_PLANES];
} rugi_ifs_region;

/** Memory for the tiles that hold nx x ny pixels from (x, y) on, all 0.
 *  @return RUG_OK, RUG_E_NOMEM; either way rugi_ifs_region_end() */
rug_status rugi_ifs_region_begin(rug_context *ctx, rugi_ifs_region *region,
                                 const rugi_ifs_tiled *tiled, uint32_t x, uint32_t y,
                                 uint32_t nx, uint32_t ny, unsigned octave);
void rugi_ifs_region_end(rug_context *ctx, rugi_ifs_region *region);

/** A plane of a tile of the region, in its memory.
 *  @param column, row  of the tile, in the region
 *  @param map          is set: its part of the plane's map */
rugi_ifs_patch_plane rugi_ifs_tile_plane(const rugi_ifs_region *region, int plane,
                                         uint32_t column, uint32_t row,
                                         rugi_ifs_patch_map *map);

/** Lets luma go on as its last samples where halved planes reach beyond it. */
void rugi_ifs_continue_luma(const rugi_ifs_region *region, uint32_t column, uint32_t row);

/** The bytes of the planes of patches of a tile, and of what is exact.
 *  @param tile   one that is cut off has parts that are cut off
 *  @param parts  [n + 1] of n planes, the exact ones last; those that are not there have n = 0
 *  @return RUG_OK, RUG_E_FORMAT */
rug_status rugi_ifs_split_tile(rug_context *ctx, const rugi_ifs_tiled *t,
                               const rugi_ifs_part *tile, rugi_ifs_part *parts);

/** Decodes the planes of patches of a tile.
 *  @param coded    the region at octave 0, where this tile is decoded; NULL: that is this one
 *  @param parts    of those that are cut off, the roots before the end are decoded
 *  @param n_roots  [planes] is set: those that are whole
 *  @param watch    NULL: nobody */
rug_status rugi_ifs_decode_tile(rug_context *ctx, const rugi_ifs_region *region,
                                const rugi_ifs_region *coded,
                                const rugi_ifs_patch_tools *tools, uint32_t column,
                                uint32_t row, const rugi_ifs_part *parts,
                                uint32_t *n_roots, const rugi_ifs_patch_watch *watch);

/** What smooths the edges of a plane's patches. */
static inline rugi_ifs_patch_edges rugi_ifs_edges_of(const rugi_ifs_region *r, int plane)
{
    const rugi_ifs_region_plane *p = &r->planes[plane];
    return (rugi_ifs_patch_edges){&p->map,
                                  p->samples,
                                  p->pitch,
                                  r->octave,
                                  p->depth,
                                  r->tiled->planes[plane].delta,
                                  r->tiled->planes[plane].deblock};
}

/** A row of a plane of the region: Y, Co, Cg or grey, halved planes enlarged.
 *  @param y, x     of the first one, at the octave
 *  @param samples  [n] */
void rugi_ifs_region_row(const rugi_ifs_region *region, int plane, size_t y, size_t x,
                         size_t n, int32_t *samples);

/** Samples of all planes to grey levels or to red, green and blue, in place.
 *  @param samples  [planes][n] */
void rugi_ifs_samples_to_pixels(const rugi_ifs_patch_kernels *kernels,
                                const rugi_ifs_tiled *t, int32_t *samples, size_t n);

/** Roots that were decoded, of each plane of each tile of a region: what lies behind them is filled
 *  from a small picture of the image.
 *  @param preview   of the whole image, RUGI_IFS_PREVIEW times smaller; NULL: stays 0
 *  @param n_roots   [tiles of the region][planes of patches] */
void rugi_ifs_fill_missing(const rugi_ifs_region *region, const rugi_ifs_region *preview,
                           const uint32_t *n_roots);

#endif
