/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Whole files as bytes, such as the streams of fractal coding. Part of librugose-io.
 *
 *     const uint8_t four[4] = {1, 2, 3, 4};
 *     uint8_t *bytes;
 *     size_t n;
 *     rug_status status = rug_bytes_write(ctx, out_path, four, sizeof four);
 *     if (status == RUG_OK)
 *         status = rug_bytes_read(ctx, &bytes, &n, out_path, 1000);
 *     if (status != RUG_OK)
 *         return status;
 *     printf("%zu bytes, the last is %d\n", n, bytes[n - 1]);
 *     rug_context_release(ctx, bytes);
 *     // prints: 4 bytes, the last is 4
 */

#ifndef RUGOSE_BYTES_H
#define RUGOSE_BYTES_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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
