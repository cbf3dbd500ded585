/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Bricks: parts of an image that fit the memory of an OpenCL device, one after the other,
 * of whole blocks of 64 pixels, so that their counts add up. */

#ifndef RUGI_BOXCOUNT_BRICKS_H
#define RUGI_BOXCOUNT_BRICKS_H

#include "boxcount/pyramid/boxcount_pyramid.h"
#include "ocl/ocl.h"
#include <rugose/boxcount.h>

/** Bytes of a brick that has to be copied together first. */
#define RUGI_BRICK_STAGED_BYTES ((size_t)64 << 20)

/** All bricks of an image. */
typedef struct rugi_bricks {
    rugi_ocl *device;
    const rug_image *volume;
    size_t side[3]; /* pixels of the largest brick, z y x */
    size_t n[3];    /* bricks along each axis */
    size_t n_bricks;
    int is_plain; /* rows can be uploaded as they lie */
    rugi_ocl_buffer *pixels;
    int is_wrapped; /* pixels are the image's own memory */
    void *staging;  /* NULL: none is needed */
    uint64_t rule[4];
} rugi_bricks;

/** The brick at hand, on the device. */
typedef struct rugi_brick {
    size_t first[3], shape[3]; /* pixels, z y x */
    size_t blocks[3];          /* of 64 pixels, z y x */
    uint64_t extent[4];        /* what kernels know as shape */
} rugi_brick;

/** Plans the bricks.
 *  @param plan        outlives them
 *  @param most_bytes  of a brick; less is taken where the device or the copy asks for it.
 *                     A brick has 64 pixels along each axis at least
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE; there is nothing to free after a failure */
rug_status rugi_bricks_new(rug_context *ctx, rugi_bricks *bricks, rugi_ocl *device,
                           const rugi_boxcount_plan *plan, size_t most_bytes);

/** Waits for the device, since it may still read what is freed. */
void rugi_bricks_free(rug_context *ctx, rugi_bricks *bricks);

/** Brings brick i to the device, in place of the one before.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_bricks_upload(rug_context *ctx, rugi_bricks *bricks, rugi_brick *brick,
                              size_t i);

/** Work items of a group, of all kernels of box counting. */
#define RUGI_BRICK_ITEMS 256

/** A kernel for the pixels of a plan.
 *  @param source  what follows boxcount_pixels.cl
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE */
rug_status rugi_bricks_kernel(rug_context *ctx, rugi_ocl *device, rugi_ocl_kernel **out,
                              const rugi_boxcount_plan *plan,
                              const rugi_ocl_source *source, const char *name);

/** Bits of a pixel. */
size_t rugi_cell_bits(rug_dtype dtype);

#endif
