/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Planes of patches from their bytes to samples. */

#ifndef RUGI_IFS_PATCH_DECODE_H
#define RUGI_IFS_PATCH_DECODE_H

#include "ifs_patch_predict.h"

/** Who is told of each patch once it is decoded: RUG_OK; anything else ends the reading.
 *  @param plane  0: luma or grey, 1 and 2: colour */
typedef struct rugi_ifs_patch_watch {
    rug_status (*fn)(void *user, int plane, const rugi_ifs_patch_plane *samples,
                     const rugi_ifs_patch *patch);
    void *user;
} rugi_ifs_patch_watch;

/** The bytes of a plane of a tile, and what is made of them. */
typedef struct rugi_ifs_patch_reading {
    const rugi_ifs_patch_tools *tools;
    const rugi_ifs_patch_plane *plane;
    rugi_ifs_patch_map *map;          /* of the tile: filled */
    const rugi_ifs_patch_map *before; /* of the plane coded before; NULL: none */
    const rugi_ifs_patch_plane
        *coded; /* the plane at octave 0, whole; NULL: that is this one */
    const uint8_t *bytes;
    size_t n_bytes;
    int is_partial; /* the bytes may end anywhere */
    uint32_t
        n_roots; /* is set: how many there are, fewer than all only of a partial one */
    int index;   /* of the plane */
    const rugi_ifs_patch_watch *watch; /* NULL: nobody */
} rugi_ifs_patch_reading;

/** @return RUG_OK, RUG_E_FORMAT, RUG_E_NOMEM, RUG_E_CANCELLED, what fn returned */
rug_status rugi_ifs_read_patches(rug_context *ctx, rugi_ifs_patch_reading *reading);

/** Edges of the patches of a plane, which are smoothed. */
typedef struct rugi_ifs_patch_edges {
    const rugi_ifs_patch_map *map;
    int16_t *samples;
    size_t pitch;
    unsigned octave, depth;
    uint32_t delta;
    int strength; /* 0..15 */
} rugi_ifs_patch_edges;

/** Smooths across the edges of patches, where a small step lies in a smooth place: what the
 *  quantiser made, not the image. Left edges of all patches come first, then upper ones.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_smooth_edges(rug_context *ctx, const rugi_ifs_patch_edges *edges);

#endif
