/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writing an image or volume as a TIFF file, row by row as it is made, such as a map of
 * codes. Part of librugose-io.
 *
 *     char name[512];
 *     uint8_t row[100] = {0};
 *     const size_t shape[2] = {3, 100};
 *     rug_image_writer *writer;
 *     snprintf(name, sizeof name, "%s.tif", out_path);
 *     rug_status status = rug_image_writer_open(ctx, &writer, name, RUG_U8, 2, shape);
 *     if (status != RUG_OK)
 *         return status;
 *     for (int y = 0; y < 3 && status == RUG_OK; y++)
 *         status = rug_image_writer_add(ctx, writer, row, 1);
 *     if (status == RUG_OK)
 *         status = rug_image_writer_commit(ctx, writer);
 *     else
 *         rug_image_writer_discard(writer);
 *     puts(status == RUG_OK ? "written" : rug_context_error(ctx));
 *     // prints: written
 */

#ifndef RUGOSE_IMAGE_WRITER_H
#define RUGOSE_IMAGE_WRITER_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/file.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An image that is being written. Opaque. */
typedef struct rug_image_writer rug_image_writer;

/** Begins a TIFF file, which is written beside `path` and gets its name when it is complete:
 *  strips compressed by deflate, in the machine's byte order; BigTIFF when classic TIFF might
 *  be too small. Each slice of a volume is a page.
 *  @param out    NULL on failure
 *  @param path   of any ending
 *  @param dtype  U8, U16, U32, F32 or F64
 *  @param ndim   2 or 3
 *  @param shape  slowest axis first, each of 1 .. 2^31 - 1
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO (also when `path` is no regular file:
 *          TIFF cannot be written to a pipe) */
RUG_API rug_status rug_image_writer_open(rug_context *ctx, rug_image_writer **out,
                                         const char *path, rug_dtype dtype, int ndim,
                                         const size_t *shape);

/** What is known of an image may be told before its first row. All three return RUG_OK, RUG_E_ARG
 *  (also when rows were added), RUG_E_NOMEM, RUG_E_IO (libtiff refuses it).
 *
 *  The distance of pixels, as ImageJ describes it; rug_file_read() reads it back, with six digits.
 *  @param spacing  along each axis, slowest first; what is not above 0 and finite is not known
 *  @param unit     "nm", "um", "mm", "m"; nothing is written with another one or NULL */
RUG_API rug_status rug_image_writer_set_spacing(rug_context *ctx,
                                                rug_image_writer *writer,
                                                const double *spacing, const char *unit);

/** The value of pixels that hold no data, as GDAL's tag.
 *  @param value  NaN for floats; for integers one that the dtype holds */
RUG_API rug_status rug_image_writer_set_nodata(rug_context *ctx, rug_image_writer *writer,
                                               double value);

/** Where the image lies on Earth, as a file that it is made from says by GeoTIFF's tags, or to GDAL;
 *  nothing happens where that says nothing.
 *      rug_image_writer_set_place(ctx, map, file, NULL, NULL);
 *  @param file   that was opened; needed for this call only
 *  @param first  row and column of the file's image, from 0, at whose centre the centre of the
 *                first pixel lies; NULL: both 0
 *  @param step   rows and columns of the file's image from one pixel to the next, above 0;
 *                NULL: both 1 */
RUG_API rug_status rug_image_writer_set_place(rug_context *ctx, rug_image_writer *writer,
                                              const rug_file *file, const double *first,
                                              const double *step);

/** Adds the next rows; those of a volume come slice by slice.
 *  Keeps at most one strip, about 256 KB or one row, in memory.
 *  @param rows  n rows without padding, of the writer's dtype
 *  @return RUG_OK, RUG_E_ARG (more rows than the shape has), RUG_E_IO */
RUG_API rug_status rug_image_writer_add(rug_context *ctx, rug_image_writer *writer,
                                        const void *rows, size_t n);

/** Gives the file its name and frees the writer, also on failure.
 *  @return RUG_OK, RUG_E_ARG (rows are missing), RUG_E_NOMEM, RUG_E_IO */
RUG_API rug_status rug_image_writer_commit(rug_context *ctx, rug_image_writer *writer);

/** Removes what was written and frees the writer. NULL is allowed. */
RUG_API void rug_image_writer_discard(rug_image_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
