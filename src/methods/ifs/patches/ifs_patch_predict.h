/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Predictions of patches and their residuals, for the decoder and the encoder. */

#ifndef RUGI_IFS_PATCH_PREDICT_H
#define RUGI_IFS_PATCH_PREDICT_H

#include "ifs_patch_kernels.h"

/** What all patches share: kernels, and the functions of the transforms, sampled for an octave. */
typedef struct rugi_ifs_patch_tools {
    rugi_ifs_patch_kernels kernels;
    unsigned octave;
    int16_t *cosines[RUGI_IFS_LEVELS]; /* [side][side << octave] in 1/4096 */
    int16_t *sines[RUGI_IFS_LEVELS];
} rugi_ifs_patch_tools;

rug_status rugi_ifs_patch_tools_new(rug_context *ctx, rugi_ifs_patch_tools *tools,
                                    unsigned octave);
void rugi_ifs_patch_tools_free(rug_context *ctx, rugi_ifs_patch_tools *tools);

/** Function k of a side's transform at a place 0..side, in samples, times sqrt(side): an orthonormal
 *  one of N values has it at i + 1/2. */
double rugi_ifs_cosine(unsigned side, unsigned k, double place);
double rugi_ifs_sine(unsigned side, unsigned k, double place);

/** Whether the residual of a patch is coded by sines: predicted edges leave little where they
 *  are near. */
static inline int rugi_ifs_has_sines(unsigned kind, unsigned level)
{
    return level >= 1 &&
           (kind == RUGI_IFS_PLANAR || kind == RUGI_IFS_MEDIAN || kind == RUGI_IFS_ANGLE);
}

/** A plane as far as it is decoded, at an octave: of a tile, in the memory of its plane. */
typedef struct rugi_ifs_patch_plane {
    rugi_ifs_patch_frame frame;
    int16_t *samples;
    size_t pitch;
    const int16_t *luma; /* of this tile; NULL: none */
    size_t luma_pitch;
} rugi_ifs_patch_plane;

/** The edges of a block. */
void rugi_ifs_read_edges(rugi_ifs_edges *edges, const rugi_ifs_patch_plane *plane,
                         unsigned octave, uint32_t x, uint32_t y, unsigned level);

/** The prediction of a patch.
 *  @param out      [n][n]
 *  @param scratch  [n][n] */
void rugi_ifs_predict(int16_t *out, int16_t *scratch, const rugi_ifs_patch_tools *tools,
                      const rugi_ifs_patch_plane *plane, const rugi_ifs_edges *edges,
                      const rugi_ifs_patch *patch);

/** Its prediction and residual into the plane.
 *  @param delta  quantiser step of its root, in 1/16 of a grey level */
void rugi_ifs_finish_patch(const rugi_ifs_patch_tools *tools,
                           const rugi_ifs_patch_plane *plane, const rugi_ifs_patch *patch,
                           const int16_t *prediction, uint32_t delta);

/** The quantiser step of a root: delta 2^(offset / 6), at least 1. */
uint32_t rugi_ifs_root_delta(uint32_t delta, int offset);

#endif
