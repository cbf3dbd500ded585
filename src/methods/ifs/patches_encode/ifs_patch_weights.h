/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What squared errors weigh where structure counts. */

#ifndef RUGI_IFS_PATCH_WEIGHTS_H
#define RUGI_IFS_PATCH_WEIGHTS_H

#include "ifs/patches/ifs_patch_picture.h"

/** Weights of the roots of luma or a grey plane, 1 on average: smooth ones, where errors are seen,
 *  more, and busy ones fewer.
 *  @param out      [rows of roots][roots a row] of the plane
 *  @param samples  of the original, of the plane's shape and pitch
 *  @return RUG_OK, RUG_E_CANCELLED */
rug_status rugi_ifs_find_weights(rug_context *ctx, float *out,
                                 const rugi_ifs_region_plane *plane,
                                 const int16_t *samples);

/** The offsets of the quantiser steps of roots: steps as 1 / sqrt(weight), in thirds of an octave.
 *  @param map      its offsets are filled
 *  @param weights  of its roots
 *  @param pitch    of weights, from a row of roots to the next */
void rugi_ifs_find_offsets(rugi_ifs_patch_map *map, const float *weights, size_t pitch);

#endif
