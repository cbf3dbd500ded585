/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writing pictures in the formats of other programs. Part of librugose-io.
 *
 *     char name[512];
 *     rug_file *file;
 *     snprintf(name, sizeof name, "%s.png", out_path);
 *     rug_status status = rug_picture_check_name(ctx, name);
 *     if (status == RUG_OK)
 *         status = rug_picture_write(ctx, name, &grey, 1);
 *     if (status == RUG_OK)
 *         status = rug_file_read(ctx, &file, name, NULL);
 *     if (status != RUG_OK)
 *         return status;
 *     printf("%s of %zu rows\n", rug_file_get_facts(file)->format,
 *            rug_file_image(file)->shape[0]);
 *     rug_file_free(file);
 *     // prints: png of 64 rows
 */

#ifndef RUGOSE_PICTURE_H
#define RUGOSE_PICTURE_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/file.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Checks that a name has the ending of a format that can be written: .png, .tif, .tiff,
 *  .pgm, .ppm, .pnm, .jpg, .jpeg, .webp in any case, if libvips was built with it.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_UNSUPPORTED (libvips was built without it), RUG_E_IO */
RUG_API rug_status rug_picture_check_name(rug_context *ctx, const char *path);

/** Writes a picture in the format of its name's ending; the file gets its name when it is
 *  complete. All but JPEG (quality 95, without subsampled colours) keep every pixel as it is;
 *  JPEG and WebP take 8 bits only, .pgm only grey and .ppm only colours.
 *  @param planes    1 (grey) or 3 (red, green, blue) views of one shape [ny][nx], U8 or
 *                   U16, any strides; with alpha behind them 2 or 4, for PNG and TIFF only
 *  @return RUG_OK, RUG_E_ARG, RUG_E_UNSUPPORTED, RUG_E_NOMEM, RUG_E_IO, RUG_E_CANCELLED */
RUG_API rug_status rug_picture_write(rug_context *ctx, const char *path,
                                     const rug_image *planes, int n_planes);

/** Likewise, with what goes with the picture. PNG, TIFF, JPEG and WebP say all of it, but for alpha that
 *  was multiplied into the colours, which only TIFF can say, and a spacing without a unit, which only
 *  PNG and TIFF can; PNM says nothing. A profile of grey is
 *  not written with colours, nor one of colours with grey. A warning tells what is left out, but for
 *  bytes that libvips, which writes JPEG and WebP, takes for no profile.
 *  @param notes  NULL: nothing is known; its alpha counts only with a plane of alpha
 *  @return as rug_picture_write() */
RUG_API rug_status rug_picture_write_notes(rug_context *ctx, const char *path,
                                           const rug_image *planes, int n_planes,
                                           const rug_file_notes *notes);

/** Encodes a picture as a PNG file in memory, for a page that it is a part of: sooner than a file, and
 *  with a palette where three planes of U8 have at most 256 colours. Every pixel stays as it is.
 *  @param out  the bytes, to be released with rug_context_release(); NULL on failure
 *  @param n    how many; 0 on failure
 *  @param planes    as of rug_picture_write()
 *  @param n_planes  likewise
 *  @return RUG_OK, RUG_E_ARG, RUG_E_UNSUPPORTED (libpng is not installed), RUG_E_NOMEM, RUG_E_IO,
 *          RUG_E_CANCELLED */
RUG_API rug_status rug_picture_encode_png(rug_context *ctx, uint8_t **out, size_t *n,
                                          const rug_image *planes, int n_planes);

#ifdef __cplusplus
}
#endif

#endif
