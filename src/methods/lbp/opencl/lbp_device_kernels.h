/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of a job on an OpenCL device, each with the tables of its operator. */

#ifndef RUGI_LBP_DEVICE_KERNELS_H
#define RUGI_LBP_DEVICE_KERNELS_H

#include "lbp_opencl.h"
#include "ocl/work/ocl_pieces.h"

/** What an operator needs. */
typedef struct rugi_lbp_device_kernel {
    rugi_ocl_kernel *kernel; /* NULL: nothing is asked for of this operator */
    rugi_ocl_buffer *around, *weights, *cuts, *ranks;
    uint32_t outputs; /* bits, see lbp.cl */
    size_t first_bin; /* among the bins of all operators */
    size_t group[2];  /* items along x and y */
    uint32_t rows_each;
    size_t tally_bytes, tile_bytes; /* of local memory */
} rugi_lbp_device_kernel;

typedef struct rugi_lbp_device_kernels {
    rugi_ocl *device;
    rug_dtype dtype; /* of pixels on the device */
    int rule;        /* of the arithmetic, see lbp_pixels.cl */
    rugi_lbp_picture picture;
    int is_filtered;          /* image objects that hardware interpolates */
    size_t group[2];          /* of the way */
    size_t n_bins;            /* of all operators whose counts are asked for */
    rugi_ocl_buffer *nothing; /* in the place of tables that are not needed */
    rugi_lbp_device_kernel of[RUG_LBP_MAX_OPERATORS];
} rugi_lbp_device_kernels;

/** Builds the kernels and makes the tables.
 *  @return RUG_OK, RUG_E_DEVICE (also when the device does not compute in double, or does
 *          not interpolate, and the job needs it), RUG_E_UNSUPPORTED (pixels of a dtype that
 *          hardware does not interpolate), RUG_E_NOMEM; free it with
 *          rugi_lbp_device_kernels_free() after RUG_OK */
rug_status rugi_lbp_device_kernels_new(rug_context *ctx, rugi_lbp_device_kernels *kernels,
                                       rugi_ocl *device, const rugi_lbp_job *job,
                                       const rugi_lbp_way *way);
void rugi_lbp_device_kernels_free(rug_context *ctx, rugi_lbp_device_kernels *kernels);

/** What a kernel reads and writes: the pixels of the piece, codes and bins of its pixels,
 *  counts of all operators. */
typedef struct rugi_lbp_buffers {
    rugi_ocl_buffer *pixels, *codes, *bins, *counts;
} rugi_lbp_buffers;

/** Codes the pixels of a piece by one operator. */
rug_status rugi_lbp_device_kernels_run(rug_context *ctx,
                                       const rugi_lbp_device_kernels *kernels,
                                       const rugi_lbp_job *job,
                                       const rugi_ocl_piece *piece, uint32_t op,
                                       const rugi_lbp_buffers *buffers);

#endif
