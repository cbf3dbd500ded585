/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files of iterated function systems, part of librugose-io. They are JSON, for people to write;
 * docs/formats.md describes them.
 *
 *     static const char text[] = "{\"maps\": [[0.5, 0, 0, 0.5, 0, 0], [0, 0, 0, 0.5, 1, 0]]}";
 *     rug_ifs_map *maps = NULL;
 *     size_t n = 0;
 *     rug_status status =
 *         rug_bytes_write(ctx, out_path, (const uint8_t *)text, sizeof text - 1);
 *     if (status == RUG_OK)
 *         status = rug_ifs_maps_read(ctx, &maps, &n, out_path);
 *     if (status == RUG_OK)
 *         printf("%d maps; the last one moves by %g\n", (int)n, maps[n - 1].e);
 *     rug_context_release(ctx, maps);
 *     // prints: 2 maps; the last one moves by 1
 */

#ifndef RUGOSE_IFS_FILE_H
#define RUGOSE_IFS_FILE_H

#include <rugose/ifs_draw.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The largest file of a system, in bytes. */
#define RUG_IFS_MAPS_MAX_BYTES ((size_t)1 << 20)

/** Reads the maps of a system. What they must be to be drawn, rug_ifs_draw() checks.
 *  @param out  [n] at most RUG_IFS_MAPS_MAX, each of six numbers; to be released with
 *              rug_context_release(); NULL on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT (no JSON, anything but maps of
 *          six numbers, or too many of them); the text names the file and the place in it */
RUG_API rug_status rug_ifs_maps_read(rug_context *ctx, rug_ifs_map **out, size_t *n,
                                     const char *path);

#ifdef __cplusplus
}
#endif

#endif
