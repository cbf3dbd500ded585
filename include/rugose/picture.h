/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writing pictures in the formats of other programs; reading and writing whole files of bytes,
 * such as the streams of fractal coding. Part of librugose-io.
 *
 *     char name[512];
 *     uint8_t *bytes = NULL;
 *     size_t n = 0;
 *     snprintf(name, sizeof name, "%s.pgm", out_path);
 *     rug_status status = rug_picture_check_name(ctx, name);
 *     if (status == RUG_OK)
 *         status = rug_picture_write(ctx, name, &grey, 1);
 *     if (status == RUG_OK)
 *         status = rug_bytes_read(ctx, &bytes, &n, name, 1 << 20);
 *     if (status == RUG_OK)
 *         printf("a file that begins with %.2s\n", (const char *)bytes);
 *     rug_context_release(ctx, bytes);
 *     // prints: a file that begins with P5
 */

#ifndef RUGOSE_PICTURE_H
#define RUGOSE_PICTURE_H

#include <rugose/context.h>
#include <rugose/export.h>
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
 *                   U16, any strides
 *  @return RUG_OK, RUG_E_ARG, RUG_E_UNSUPPORTED, RUG_E_NOMEM, RUG_E_IO, RUG_E_CANCELLED */
RUG_API rug_status rug_picture_write(rug_context *ctx, const char *path,
                                     const rug_image *planes, int n_planes);

/** Reads all bytes of a file.
 *  @param out    to be released with rug_context_release(); NULL on failure
 *  @param n_max  a file with more bytes is refused before anything is read
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT (empty, too long, or it
 *          changed while it was read); the text begins with the path */
RUG_API rug_status rug_bytes_read(rug_context *ctx, uint8_t **out, size_t *n,
                                  const char *path, uint64_t n_max);

/** Writes bytes to a file, which gets its name when it is complete.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO */
RUG_API rug_status rug_bytes_write(rug_context *ctx, const char *path,
                                   const uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif

#endif
