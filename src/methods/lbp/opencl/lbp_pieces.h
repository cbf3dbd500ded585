/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An image in pieces for an OpenCL device: pixels, and the pixels that circles reach from
 * there as far as the image has them. */

#ifndef RUGI_LBP_PIECES_H
#define RUGI_LBP_PIECES_H

#include "lbp/plan/lbp_plan.h"
#include "ocl/ocl.h"

/** One piece. Rows and columns are those of the whole image. */
typedef struct rugi_lbp_piece {
    size_t first[2], end[2];               /* of the pixels: row, column */
    size_t pixels_first[2], pixels_end[2]; /* of the pixels */
} rugi_lbp_piece;

/** All pieces of a job. */
typedef struct rugi_lbp_pieces {
    rugi_ocl *device;
    const rugi_lbp_job *job;
    rug_dtype dtype;    /* of pixels on the device: U8, U16, I16, F32 or F64 */
    int is_image;       /* pixels are an image object */
    size_t reach[2][2]; /* rows above and below, columns before and behind */
    size_t side[2]; /* rows and columns of the pixels of a piece, the last ones fewer */
    size_t n[2];
    rugi_ocl_buffer *pixels;
    size_t pixels_shape[2]; /* of the image object that is there */
    void *staging;          /* NULL: rows go to the device as they lie */
} rugi_lbp_pieces;

/** The dtype that pixels have on a device: that of the image, or a wider one that holds all
 *  its values. 64-bit integers are rounded to double.
 *  @param is_single  nonzero: F32 does for what is wider than 16 bits */
rug_dtype rugi_lbp_device_dtype(rug_dtype dtype, int is_single);

/** Cuts a job into pieces and makes the memory for them.
 *  @param most_bytes  of the pixels of a piece
 *  @param is_image    nonzero: as image objects, which the device must have
 *  @return RUG_OK, RUG_E_DEVICE, RUG_E_NOMEM; free it with rugi_lbp_pieces_free() after
 *          RUG_OK */
rug_status rugi_lbp_pieces_new(rug_context *ctx, rugi_lbp_pieces *p, rugi_ocl *device,
                               const rugi_lbp_job *job, rug_dtype dtype, int is_image,
                               size_t most_bytes);
void rugi_lbp_pieces_free(rug_context *ctx, rugi_lbp_pieces *p);

/** Brings piece i to the device; the one before must have been worked on.
 *  @param piece  filled */
rug_status rugi_lbp_pieces_upload(rug_context *ctx, rugi_lbp_pieces *p,
                                  rugi_lbp_piece *piece, size_t i);

#endif
