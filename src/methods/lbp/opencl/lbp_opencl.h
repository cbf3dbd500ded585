/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns on an OpenCL device: the kernels of Bianda (2018), and the pieces in
 * which an image is brought there. Built only where there are headers of OpenCL. */

#ifndef RUGI_LBP_OPENCL_H
#define RUGI_LBP_OPENCL_H

#include "lbp/plan/lbp_plan.h"

/** Where a kernel takes samples from. */
typedef enum rugi_lbp_picture {
    RUGI_LBP_PICTURE_AUTO = 0,
    RUGI_LBP_PICTURE_TILE = 1, /**< local memory, which a group fills with its pixels and
                                     what circles reach; RUGI_LBP_PICTURE_PIXELS where that
                                     does not fit */
    RUGI_LBP_PICTURE_PIXELS = 2, /**< the device's memory */
    RUGI_LBP_PICTURE_IMAGE =
        3 /**< an image object; RUGI_LBP_PICTURE_TILE where the device
                                     has none of the dtype */
} rugi_lbp_picture;

/** Bytes of a piece where nothing else is asked for: the pixels, and about as much of all
 *  else that a piece has. */
#define RUGI_LBP_OPENCL_BYTES ((size_t)1 << 28)

/** A way to run a job. */
typedef struct rugi_lbp_way {
    rugi_lbp_picture picture;
    /** Of the pixels of a piece; one has 64 x 4 pixels at least, and what circles reach from
     *  there. */
    size_t most_bytes;
    /** Items of a work group along x and y, halved until the device takes so many; 0 and 0:
     *  chosen. Each item has up to 4 pixels along y. */
    size_t group[2];
} rugi_lbp_way;

/** rugi_lbp_opencl() by one kind of kernel, in pieces. */
rug_status rugi_lbp_opencl_by(rug_context *ctx, rugi_lbp_job *job,
                              const rugi_lbp_way *way);

#endif
