/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Helpers on image views: checking them, reordering axes, and walking over their
 * pixels. */

#ifndef RUGI_IMAGE_INTERNAL_H
#define RUGI_IMAGE_INTERNAL_H

#include <rugose/image.h>

/** Pixels of a segment at most: small enough to stay in the cache. */
#define RUGI_SEGMENT_PIXELS 16384

/** RUG_OK when the view is one that the library can read, else RUG_E_ARG with an error
 *  text. */
rug_status rugi_image_check(rug_context *ctx, const rug_image *image);

/** Bytes of an image's pixels, for estimates of work. */
double rugi_image_bytes(const rug_image *image);

/** RUG_OK when a shape is that of an image that an address can count, else RUG_E_ARG. */
rug_status rugi_shape_check(rug_context *ctx, int ndim, const size_t *shape);

/** RUG_OK when a shape is that of the image, else RUG_E_ARG.
 *  @param what  has the shape: "mask", "label image" …, for the error text */
rug_status rugi_shapes_check(rug_context *ctx, const char *what, int ndim,
                             const size_t *shape, int image_ndim,
                             const size_t *image_shape);

/** Checks a view that goes with an image pixel by pixel, such as a mask.
 *  @return RUG_OK, RUG_E_ARG (no valid view, or another shape) */
rug_status rugi_image_check_twin(rug_context *ctx, const rug_image *twin,
                                 const char *what, const rug_image *image);

/** The same pixels as a 3D view with its axes in their order: [1][ny][nx] for an image. */
rug_image rugi_image_with_z(const rug_image *image);

/** The same pixels as a 3D view whose axes go from the largest step to the smallest:
 *  [1][ny][nx] for an image. For methods that do not care which axis is which, so that a
 *  Fortran-order array costs no more than a C-order one. RUG_BIT keeps its axes. */
rug_image rugi_image_volume(const rug_image *image);

/** The address of row (z, y) of a 3D view. */
const void *rugi_image_row(const rug_image *volume, size_t z, size_t y);

/** Makes words of bits, lowest first, pixels of RUG_BIT, whose bytes have the lowest bits first on
 *  every processor; or such pixels words again. */
static inline void rugi_turn_words(uint64_t *words, size_t n)
{
    static const uint16_t one = 1;
    if (*(const uint8_t *)&one == 1)
        return; /* they are the same */
    for (size_t i = 0; i < n; i++) {
        uint64_t word = words[i];
        for (int k = 0; k < 8; k++)
            ((uint8_t *)&words[i])[k] = (uint8_t)(word >> 8 * k);
    }
}

/** Copies n pixels of `size` bytes that lie `stride` bytes apart to contiguous ones. */
void rugi_gather(void *dst, const void *src, size_t n, ptrdiff_t stride, size_t size);

/** The dtype of the segments of an image: RUG_U8 for RUG_BIT, else its own. */
rug_dtype rugi_segment_dtype(rug_dtype dtype);

/** n pixels of a 3D view from (z, y, x) on along its last axis, contiguous and aligned, of
 *  rugi_segment_dtype(): where they lie, or copied to the scratch.
 *  @param n        at most RUGI_SEGMENT_PIXELS
 *  @param scratch  n pixels, aligned for each dtype */
const void *rugi_image_segment(const rug_image *volume, const size_t at[3], size_t n,
                               void *scratch);

/** Called with n contiguous pixels of rugi_segment_dtype().
 *  @param state  of this thread */
typedef void (*rugi_segment_fn)(void *state, const void *pixels, size_t n);

/** Calls a function with all pixels, or those inside a mask, in segments, in any order, on
 *  many threads.
 *  @param mask        of the image's shape; pixels that are neither 0 nor NaN are
 *                     inside. NULL: all are
 *  @param states      rug_context_threads() states of state_size bytes each
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_image_for_segments(rug_context *ctx, const rug_image *image,
                                   const rug_image *mask, rugi_segment_fn fn,
                                   void *states, size_t state_size);

#endif
