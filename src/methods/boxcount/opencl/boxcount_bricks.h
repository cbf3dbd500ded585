/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Bricks: parts of an image that fit the memory of an OpenCL device, one after the other,
 * of whole blocks of 64 pixels, so that their counts add up. */

#ifndef RUGI_BOXCOUNT_BRICKS_H
#define RUGI_BOXCOUNT_BRICKS_H

#include "boxcount/pyramid/boxcount_plan.h"
#include "ocl/work/ocl_pieces.h"
#include <rugose/boxcount.h>

/** Bytes of a brick that has to be staged. */
#define RUGI_BRICK_STAGED_BYTES ((size_t)64 << 20)

/** All bricks of an image, and the rule by which its pixels are set. */
typedef struct rugi_bricks {
    rugi_ocl_pieces pieces;
    uint64_t rule[4];
} rugi_bricks;

/** Plans the bricks, to be freed by rugi_ocl_pieces_free().
 *  @param plan        outlives them
 *  @param most_bytes  of a brick; less is taken where the device or the staging asks for
 *                     it. A brick has 64 pixels along each axis at least
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE; there is nothing to free after a failure */
rug_status rugi_bricks_new(rug_context *ctx, rugi_bricks *bricks, rugi_ocl *device,
                           const rugi_boxcount_plan *plan, size_t most_bytes);

/** What kernels know as shape: pixels along x, y and z, bytes from row to row. */
void rugi_brick_extent(uint64_t extent[4], const rugi_ocl_piece *brick);

/** Work items of a group, of all kernels of box counting. */
#define RUGI_BRICK_ITEMS 256

/** A kernel for the pixels of a plan.
 *  @param source  what follows boxcount_pixels.cl
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE */
rug_status rugi_bricks_kernel(rug_context *ctx, rugi_ocl *device, rugi_ocl_kernel **out,
                              const rugi_boxcount_plan *plan,
                              const rugi_ocl_source *source, const char *name);

#endif
