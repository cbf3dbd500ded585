/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images and volumes as volumes whose slices are the planes that are coded. */

#ifndef RUGI_LBP_PLANES_H
#define RUGI_LBP_PLANES_H

#include "core/blocks/cover.h"
#include "lbp_run.h"

/** An image as a volume whose slices are the planes. */
typedef struct rugi_lbp_planes {
    rug_image volume;
    void *unpacked; /* its pixels, where they had to be copied; release it */
} rugi_lbp_planes;

/** The axes of a volume, z y x, that are slices, rows and columns of its planes. */
const int *rugi_lbp_axes(rug_lbp_planes which);

/** RUG_OK when planes are those of images of so many axes, else RUG_E_ARG. */
rug_status rugi_lbp_check_planes(rug_context *ctx, int ndim, rug_lbp_planes which);

/** Makes the planes of an image. Packed pixels are packed along x: planes of which x is no axis
 *  are made of bytes.
 *  @param in_bytes  others, too
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_lbp_planes_make(rug_context *ctx, rugi_lbp_planes *out,
                                const rug_image *image, rug_lbp_planes which,
                                int in_bytes);

/** Finds the regions of labels.
 *  @param labels  planes
 *  @param given   what they were made of: places in error texts are named so
 *  @return as rug_regions_find() */
rug_status rugi_lbp_find_regions(rug_context *ctx, rug_regions **out,
                                 const rug_image *labels, const rug_image *given);

/** Codes all planes in a box of slices, rows and columns, whose columns are those of the run.
 *  @param mask  planes, too; read only where the run has one */
rug_status rugi_lbp_run_planes(rug_context *ctx, rugi_lbp_run *run,
                               const rug_image *image, const rug_image *mask,
                               const rugi_box *box);

#endif
