/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels as they lie in a file, one after the other, plain or packed. */

#ifndef RUGI_PIXEL_STREAM_H
#define RUGI_PIXEL_STREAM_H

#include "io/base/reader.h"
#include "pixel_coding.h"
#include "unpack.h"

/** Where pixels lie. */
typedef struct rugi_pixel_place {
    const char *path; /**< of the file that holds them */
    uint64_t n_bytes; /**< its size on disk */
    rugi_packing packing;
    uint64_t offset; /**< of the first pixel, once unpacked */
    uint64_t begin;  /**< packed: where the stream begins in the file */
} rugi_pixel_place;

/** Fails when a file is too short for pixels, before memory is allocated for them.
 *  @param needed  bytes of pixels
 *  @return RUG_OK, RUG_E_FORMAT */
rug_status rugi_check_length(rug_context *ctx, const rugi_pixel_place *place,
                             uint64_t needed);

/** Makes the slabs of a file whose view is set come from a place, which is opened when a pass
 *  begins.
 *  @param place  copied with its path
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_stream_pixels(rug_context *ctx, rug_file *file,
                              const rugi_pixel_coding *coding,
                              const rugi_pixel_place *place);

/** Reads all pixels of a place.
 *  @param pixels  n_pixels of the type rugi_coding_dtype()
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT, RUG_E_CANCELLED */
rug_status rugi_read_pixels(rug_context *ctx, void *pixels, uint64_t n_pixels,
                            const rugi_pixel_coding *coding,
                            const rugi_pixel_place *place);

#endif
