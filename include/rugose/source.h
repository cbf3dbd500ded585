/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The source: an image or volume that is handed out slab by slab along its slowest axis, so
 * that a method runs on data larger than memory without knowing about files.
 *
 *     static rug_status read_rows(rug_context *c, void *user, rug_image *out, size_t first,
 *                                 size_t n)
 *     {
 *         static uint8_t rows[1000][1000]; // here the image is what its rows are made of
 *         (void)user;
 *         for (size_t y = 0; y < n; y++)
 *             memset(rows[y], (int)(first + y) % 200, 1000);
 *         return rug_image_view(c, out, rows, RUG_U8, 2, (size_t[]){n, 1000});
 *     }
 *     ...
 *     rug_source source = RUG_SOURCE_INIT;
 *     rug_image_range range = RUG_IMAGE_RANGE_INIT;
 *     source.dtype = RUG_U8;
 *     source.ndim = 2;
 *     source.shape[0] = source.shape[1] = 1000;
 *     source.read = read_rows;
 *     rug_status status = rug_source_measure_range(ctx, &range, &source, NULL);
 *     if (status == RUG_OK)
 *         printf("%g to %g\n", range.min, range.max);
 *     // prints: 0 to 199
 */

#ifndef RUGOSE_SOURCE_H
#define RUGOSE_SOURCE_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Reads the layers first .. first + n - 1 of the slowest axis.
 *
 *  Layers are read in passes: each call begins where the last one ended, or at 0, which
 *  begins a new pass, so that a decoder that cannot go back begins again. Where any_order of
 *  the source is set, any layer may begin one.
 *  @param user  of the source
 *  @param out   [n][nx] or [n][ny][nx], of the source's dtype; its pixels stay until the
 *               next call
 *  @return RUG_OK, or a status with an error text */
typedef rug_status (*rug_source_read_fn)(rug_context *ctx, void *user, rug_image *out,
                                         size_t first, size_t n);

/** An image or volume that can be read slab by slab. Nothing to free. */
typedef struct rug_source {
    size_t struct_size;           /**< sizeof(rug_source); set by the INIT macro */
    rug_dtype dtype;              /**< of all pixels */
    int ndim;                     /**< 2 or 3 */
    size_t shape[RUG_MAX_AXES];   /**< pixels per axis, slowest first, each at least 1 */
    double spacing[RUG_MAX_AXES]; /**< as in rug_image */
    const char *spacing_unit;     /**< as in rug_image */
    rug_source_read_fn read;
    void *user; /**< handed to read */
    /** Nonzero: a pass may begin at any layer, and costs only its own layers and those that are
     *  stored together with its first and last one (a row of tiles or chunks). 0 (default): a pass
     *  begins at the first layer only. */
    uint32_t any_order;
    uint32_t unused; /**< 0 */
} rug_source;

/** A source to be filled. */
#define RUG_SOURCE_INIT                                                                  \
    {                                                                                    \
        sizeof(rug_source), RUG_BIT, 0, {0, 0, 0}, {0.0, 0.0, 0.0}, NULL, NULL, NULL, 0, \
            0                                                                            \
    }

/** Makes the source of an image in memory, which costs nothing and is read where it lies, in any order.
 *      rug_source inside = RUG_SOURCE_INIT;
 *      opts.mask = rug_source_of_image(&inside, &mask);
 *  @param out    begun with RUG_SOURCE_INIT
 *  @param image  the view, which must outlive the source
 *  @return out; NULL when out or image is NULL, or out has no struct_size */
RUG_API const rug_source *rug_source_of_image(rug_source *out, const rug_image *image);

/** How many layers take about n_bytes: a multiple of 64 where that many fit, at least 1, at
 *  most all. Methods read slabs of this thickness. */
RUG_API size_t rug_source_layers(const rug_source *source, size_t n_bytes);

/** rug_image_measure_range() of a source, or of the part of it inside a mask. Reads it
 *  once, an image in memory once or twice.
 *  @param mask  of the source's shape; pixels that are 0 or NaN are outside. NULL: all are
 *               inside */
RUG_API rug_status rug_source_measure_range(rug_context *ctx, rug_image_range *out,
                                            const rug_source *source,
                                            const rug_source *mask);

/** rug_foreground_resolve() of a source, or of the part of it inside a mask. Reads it once
 *  or twice for Otsu's threshold, and once more if the range is not given.
 *  @param mask   as above
 *  @param range  of the same pixels, or NULL */
RUG_API rug_status rug_source_resolve_foreground(rug_context *ctx, rug_foreground *out,
                                                 const rug_source *source,
                                                 const rug_source *mask,
                                                 const rug_image_range *range,
                                                 rug_foreground asked);

#ifdef __cplusplus
}
#endif

#endif
