/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An image on its way to a device, in pieces that fit its memory. A method says which pixels
 * it wants, how large a piece may be and how far beyond a piece its kernels read; every piece
 * is then uploaded as it lies in memory where that is possible, and otherwise copied together
 * by all threads first.
 *
 *     rugi_ocl_pieces pieces = {.device = device, .source = &volume, .dtype = dtype,
 *                               .end = {nz, ny, nx}, .side = {nz, 64, nx}, .what = "pixels"};
 *     status = rugi_ocl_pieces_new(ctx, &pieces);
 *     if (status == RUG_OK) {
 *         status = rugi_ocl_pieces_each(ctx, &pieces, count_piece, &work);
 *         rugi_ocl_pieces_free(ctx, &pieces);
 *     }
 */

#ifndef RUGI_OCL_PIECES_H
#define RUGI_OCL_PIECES_H

#include "ocl/ocl.h"

/** Buffers of a piece at most. */
#define RUGI_OCL_PLANES 2

/** One piece. Arrays are z y x, in pixels of the image. */
typedef struct rugi_ocl_piece {
    size_t first[3], shape[3];           /**< its own pixels */
    size_t read_first[3], read_shape[3]; /**< those on the device: its own and the halo */
    size_t pitch;                        /**< bytes from row to row on the device */
} rugi_ocl_piece;

/** A row of a piece, for a method that makes the values itself. */
typedef struct rugi_ocl_row {
    size_t at[3];               /**< the first pixel, z y x */
    size_t n;                   /**< pixels */
    void *out[RUGI_OCL_PLANES]; /**< where the values go, one for each plane */
    void *scratch;              /**< of this thread */
} rugi_ocl_row;

/** Writes a row; called on many threads. */
typedef void (*rugi_ocl_row_fn)(const void *user, const rugi_ocl_row *row);

/** All pieces of an image. */
typedef struct rugi_ocl_pieces {
    /* Set by the method; what it leaves out is 0. */
    rugi_ocl *device;
    const rug_image *source; /**< 3D view; NULL: make_row() makes the values */
    rug_dtype dtype;         /**< of the source's pixels on the device: its own, RUG_U8 of
                                  RUG_BIT, or a wider one; 64-bit integers are rounded to
                                  double */
    rugi_ocl_row_fn make_row;
    const void *user;        /**< of make_row() */
    size_t pixel_bytes;      /**< of a value of make_row() */
    size_t n_planes;         /**< of make_row(): buffers; 0 = 1 */
    size_t scratch_bytes;    /**< of make_row(), for each thread; zeroed by new() */
    size_t first[3], end[3]; /**< the pixels to be cut into pieces, z y x */
    size_t side[3];          /**< of the largest piece, without its halo */
    size_t halo[3][2];       /**< pixels before and behind that kernels read too, as far
                                   as the source has them */
    size_t row_unit;         /**< rows are padded with 0 to whole units; 0 = 1 */
    size_t wrap_alignment;   /**< 0: pieces are always copied to the device. Else pixels
                                   that lie in the device's own memory, and at multiples of
                                   so many bytes, stay where they are */
    int is_image;     /**< the piece is an image object as large as it, of one slice */
    int is_filtered;  /**< of an image: see rugi_ocl_image_max() */
    const char *what; /**< what it is, in error texts; static text */
    /* Set by rugi_ocl_pieces_new(). */
    size_t n[3], n_pieces; /**< along each axis, and all */
    rugi_ocl_buffer *pixels[RUGI_OCL_PLANES];
    int is_wrapped, is_direct;
    char *staging; /* [plane][row] of a piece; NULL: rows go as they lie */
    char *scratch;
    size_t image_shape[2];
} rugi_ocl_pieces;

/** Bits of a pixel. */
static inline size_t rugi_ocl_pixel_bits(rug_dtype dtype)
{
    return dtype == RUG_BIT ? 1 : 8 * rug_dtype_size(dtype);
}

/** Bytes of a row of n pixels that is padded to whole units. */
static inline size_t rugi_ocl_row_bytes(rug_dtype dtype, size_t n, size_t unit)
{
    return ((n + unit - 1) / unit * unit * rugi_ocl_pixel_bits(dtype) + 7) / 8;
}

/** Nonzero when rows of a 3D view can go to a device as they lie. */
static inline int rugi_ocl_rows_are_direct(const rug_image *volume, rug_dtype dtype,
                                           size_t row_unit)
{
    ptrdiff_t row = (ptrdiff_t)rugi_ocl_row_bytes(dtype, volume->shape[2], 1);
    if (volume->dtype != dtype || volume->shape[2] % row_unit != 0)
        return 0;
    if (dtype != RUG_BIT && volume->stride[2] != (ptrdiff_t)rug_dtype_size(dtype))
        return 0;
    if (volume->shape[1] > 1)
        return volume->stride[1] >= row;
    return volume->shape[0] == 1 || volume->stride[0] >= row;
}

/** Halves the longest side until a piece has at most n_most pixels, or one unit along each
 *  axis. Sides stay whole units, unless they are whole axes.
 *  @param side  the shape of all pixels; becomes that of the largest piece */
void rugi_ocl_halve_sides(size_t side[3], const size_t unit[3], size_t n_most);

/** Cuts the pixels into pieces and makes the memory for the largest.
 *  @param p  as described; what it points to outlives it
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE; there is nothing to free after a failure */
rug_status rugi_ocl_pieces_new(rug_context *ctx, rugi_ocl_pieces *p);

/** Waits for the device, which may still read what is freed. All 0 is allowed. */
void rugi_ocl_pieces_free(rug_context *ctx, rugi_ocl_pieces *p);

/** The scratch of a thread, 0 .. rug_context_threads() - 1. */
static inline void *rugi_ocl_pieces_scratch(const rugi_ocl_pieces *p, int thread)
{
    return p->scratch + (size_t)thread * p->scratch_bytes;
}

/** Works on a piece whose pixels are on the device. */
typedef rug_status (*rugi_ocl_piece_fn)(rug_context *ctx, void *user,
                                        const rugi_ocl_piece *piece);

/** Uploads the pieces one by one, each in place of the one before, calls the function for
 *  each and reports progress.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED, or what the function gives */
rug_status rugi_ocl_pieces_each(rug_context *ctx, rugi_ocl_pieces *p,
                                rugi_ocl_piece_fn work, void *user);

#endif
