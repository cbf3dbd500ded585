/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From decoded planes to a picture: smooth edges, the wanted size, colours, whole grey
 * levels. */

#ifndef RUGI_IFS_PICTURE_H
#define RUGI_IFS_PICTURE_H

#include "ifs/stream/ifs_container.h"
#include "ifs/stream/ifs_pixel.h"

/** A part of a plane, in 1/64 of a grey level. */
typedef struct rugi_ifs_view {
    const int32_t *pixels;
    size_t pitch; /* from one row to the next */
    size_t nx, ny;
} rugi_ifs_view;

/** Resamples by area means: each pixel of the result is the mean of what it covers. A view
 *  of the same size is copied.
 *  @param out  [ny][nx], at most as large as the view in both directions
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_resize(rug_context *ctx, int32_t *out, size_t nx, size_t ny,
                           const rugi_ifs_view *view);

/** Fills rows of a picture from `from` to before `to`.
 *  @param planes  [n_planes] that begin with row `from` */
void rugi_ifs_picture_rows(rug_ifs_picture *picture, const rugi_ifs_header *header,
                           const rugi_ifs_view *planes, size_t from, size_t to);

/** The level of the leaf of each square of 4 x 4 pixels.
 *  @param levels  [ny / 4][nx / 4] */
static inline void rugi_ifs_fill_levels(uint8_t *levels, const rugi_ifs_tree *tree)
{
    size_t nx = tree->frame.nx / RUGI_IFS_LEAST;
    for (size_t i = 0; i < tree->n_leaves; i++) {
        const rugi_ifs_leaf *leaf = &tree->leaves[i];
        size_t n = rugi_ifs_side(leaf->level) / RUGI_IFS_LEAST;
        uint8_t *at = levels + leaf->y / RUGI_IFS_LEAST * nx + leaf->x / RUGI_IFS_LEAST;
        for (size_t y = 0; y < n; y++)
            memset(at + y * nx, leaf->level, n);
    }
}

/** Smooths the edges of blocks, in place.
 *  @param pixels  [ny << octave][nx << octave] */
rug_status rugi_ifs_deblock(rug_context *ctx, int32_t *pixels, const rugi_ifs_tree *tree,
                            unsigned octave, int strength);

#endif
