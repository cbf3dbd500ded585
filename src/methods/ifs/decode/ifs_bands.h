/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A tree decoded at the coded size, row of roots by row of roots, so that a plane that is
 * looked at once takes no memory as a whole. */

#ifndef RUGI_IFS_BANDS_H
#define RUGI_IFS_BANDS_H

#include "ifs_decode.h"

/** A tree whose iterations are done. */
typedef struct rugi_ifs_bands {
    const rugi_ifs_tree *tree;
    rugi_ifs_decode_kernels kernels;
    rugi_ifs_bases bases;
    rugi_ifs_field half;
    size_t *first;   /* [rows of roots + 1] the first leaf of each */
    uint8_t *levels; /* [ny / 4][nx / 4] of leaves */
} rugi_ifs_bands;

/** Runs the iterations.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; either way rugi_ifs_bands_end() */
rug_status rugi_ifs_bands_begin(rug_context *ctx, rugi_ifs_bands *bands,
                                const rugi_ifs_tree *tree, uint32_t iterations);
void rugi_ifs_bands_end(rug_context *ctx, rugi_ifs_bands *bands);

/** Decodes rows of roots from `from` to before `to`, on the calling thread.
 *  @param out     [(to - from) * RUGI_IFS_BLOCK][nx] in 1/64 of a grey level; with `around`
 *                 [(to - from + 2) * RUGI_IFS_BLOCK][nx], initialised: it begins a row of roots
 *                 above the band
 *  @param around  also the blocks above and below that edges of the band touch; what else lies
 *                 there stays as it is */
void rugi_ifs_decode_band(const rugi_ifs_bands *bands, int32_t *out, size_t from,
                          size_t to, int around);

/** Whether a block lies in a band or has an edge at its border. */
static inline int rugi_ifs_touches_band(const rugi_ifs_leaf *leaf, size_t from, size_t to)
{
    return leaf->y + rugi_ifs_side(leaf->level) >= from * RUGI_IFS_BLOCK &&
           leaf->y <= to * RUGI_IFS_BLOCK;
}

/** Smooths the edges of blocks, in place: the band becomes what rugi_ifs_deblock() makes of
 *  it within the plane.
 *  @param window  as rugi_ifs_decode_band() fills it with `around` */
void rugi_ifs_deblock_band(const rugi_ifs_bands *bands, int32_t *window, size_t from,
                           size_t to, int strength);

#endif
