/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The image view: how the library sees pixels and voxels that the caller owns, and the range of
 * their values.
 *
 * Shapes are written slowest axis first: [ny][nx] for an image, [nz][ny][nx] for a
 * volume.
 *
 *     static const uint16_t pixels[2][3] = {{7, 7, 9}, {300, 9, 7}};
 *     const size_t shape[2] = {2, 3};
 *     rug_image view;
 *     rug_image_range range = RUG_IMAGE_RANGE_INIT;
 *     rug_status status = rug_image_view(ctx, &view, pixels, RUG_U16, 2, shape);
 *     if (status == RUG_OK)
 *         status = rug_image_measure_range(ctx, &range, &view);
 *     if (status != RUG_OK)
 *         return status;
 *     printf("%g to %g, %u distinct\n", range.min, range.max, range.n_distinct);
 *     // prints: 7 to 300, 3 distinct
 */

#ifndef RUGOSE_IMAGE_H
#define RUGOSE_IMAGE_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of axes of an image view. */
#define RUG_MAX_AXES 3

/** Pixel types, all in the machine's own byte order. The numbers are never changed. */
typedef enum rug_dtype {
    RUG_BIT = 0, /**< packed, 0 or 1: pixel x of a row is bit x % 8 (lowest first) of byte
                    x / 8 */
    RUG_U8 = 1,
    RUG_I8 = 2,
    RUG_U16 = 3,
    RUG_I16 = 4,
    RUG_U32 = 5,
    RUG_I32 = 6,
    RUG_U64 = 7,
    RUG_I64 = 8,
    RUG_F32 = 9,
    RUG_F64 = 10
} rug_dtype;

/** The number of pixel types. */
#define RUG_N_DTYPES 11

/** Bytes of one pixel; 0 for RUG_BIT and for a number that is no dtype. */
RUG_API size_t rug_dtype_size(rug_dtype dtype);

/** "bit", "u8", "i8" … "f64". Static text; "?" for a number that is no dtype. */
RUG_API const char *rug_dtype_name(rug_dtype dtype);

/** A borrowed, read-only view of an image or a volume. */
typedef struct rug_image {
    const void *data;           /**< the pixel at index 0 of every axis; never written */
    rug_dtype dtype;            /**< pixel type */
    int ndim;                   /**< 2 or 3 */
    size_t shape[RUG_MAX_AXES]; /**< pixels per axis, slowest first, each at least 1 */
    /** Bytes from one pixel to the next along each axis; any sign, any padding. The last one
     *  of RUG_BIT is not read. */
    ptrdiff_t stride[RUG_MAX_AXES];
    double spacing[RUG_MAX_AXES]; /**< distance of pixels along each axis; 0 = unknown */
    const char *spacing_unit;     /**< such as "mm" or "um"; NULL = unknown */
} rug_image;

/** Makes a view of pixels without padding in C order (the last axis fastest; rows of
 *  RUG_BIT begin at a byte), with unknown spacing.
 *  @param out    the view, zeroed on failure
 *  @param data   borrowed; must outlive the view
 *  @param ndim   2 or 3
 *  @param shape  ndim sizes, slowest axis first
 *  @return RUG_OK, RUG_E_ARG (NULL, a size of 0, an unknown dtype, more bytes than an
 *          address can count) */
RUG_API rug_status rug_image_view(rug_context *ctx, rug_image *out, const void *data,
                                  rug_dtype dtype, int ndim, const size_t *shape);

/** The number of pixels of a valid view. */
RUG_API uint64_t rug_image_pixels(const rug_image *image);

/** What the values of an image are. min + min_rest and max + max_rest are exact: doubles hold
 *  all values but those of 64-bit integers beyond 2^53, of which they are the nearest. */
typedef struct rug_image_range {
    size_t struct_size;  /**< sizeof(rug_image_range); set by the INIT macro */
    double min;          /**< least finite value; NaN when there is none */
    double max;          /**< largest finite value; NaN when there is none */
    uint64_t n_nan;      /**< pixels that are not a number (float dtypes) */
    uint64_t n_infinite; /**< pixels that are plus or minus infinity (float dtypes) */
    uint32_t n_distinct; /**< distinct finite values, counted up to RUG_DISTINCT_MAX */
    uint32_t distinct_is_min; /**< 1: there are more than n_distinct distinct values */
    int64_t min_rest;         /**< what the least value has more than min; mostly 0 */
    int64_t max_rest;         /**< what the largest value has more than max; mostly 0 */
} rug_image_range;

/** A range to be measured. */
#define RUG_IMAGE_RANGE_INIT                            \
    {                                                   \
        sizeof(rug_image_range), 0, 0, 0, 0, 0, 0, 0, 0 \
    }

/** How many distinct values rug_image_measure_range() tells apart. */
#define RUG_DISTINCT_MAX 256

/** Measures the range of values. Reads the image once or twice.
 *  @param out    begun with RUG_IMAGE_RANGE_INIT; filled on RUG_OK, zeroed otherwise
 *  @param image  any dtype, shape and strides
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_image_measure_range(rug_context *ctx, rug_image_range *out,
                                           const rug_image *image);

#ifdef __cplusplus
}
#endif

#endif
