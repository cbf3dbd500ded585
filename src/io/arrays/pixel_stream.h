/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels as they lie in a file, one after the other, plain or gzipped: NIfTI and npy. */

#ifndef RUGI_PIXEL_STREAM_H
#define RUGI_PIXEL_STREAM_H

#include "io/base/reader.h"

/** How pixels are stored, and what they become. */
typedef struct rugi_pixel_coding {
    rug_dtype stored; /**< not RUG_BIT; not read when is_half */
    int is_half;      /**< 16-bit floats */
    int swap;         /**< the other byte order */
    int scaled;       /**< value = slope * stored + intercept */
    double slope;
    double intercept;
} rugi_pixel_coding;

/** Bytes of one stored pixel. */
size_t rugi_coding_size(const rugi_pixel_coding *coding);

/** What the pixels become: halves f32; scaled ones f32 when the stored type has at most 16
 *  bits or is f32, else f64; others as stored. */
rug_dtype rugi_coding_dtype(const rugi_pixel_coding *coding);

/** Fails when a file is too short for pixels, before memory is allocated for them.
 *  @param path     the file that holds the pixels
 *  @param n_bytes  its size on disk
 *  @param gzipped  nonzero: n_bytes are those of a gzip file
 *  @param offset   where the pixels begin, once unzipped
 *  @param needed   bytes of pixels
 *  @return RUG_OK, RUG_E_FORMAT */
rug_status rugi_check_length(rug_context *ctx, const char *path, uint64_t n_bytes,
                             int gzipped, uint64_t offset, uint64_t needed);

/** Makes the slabs of a file whose view is set come from a place in `path`, which is opened
 *  when a pass begins.
 *  @param path    copied
 *  @param offset  as above
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_stream_pixels(rug_context *ctx, rug_file *file,
                              const rugi_pixel_coding *coding, const char *path,
                              uint64_t offset);

/** Reads all pixels from a place in a file.
 *  @param pixels  n_pixels of the type rugi_coding_dtype()
 *  @param offset  as above
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT, RUG_E_CANCELLED */
rug_status rugi_read_pixels(rug_context *ctx, void *pixels, uint64_t n_pixels,
                            const rugi_pixel_coding *coding, const char *path,
                            uint64_t offset);

#endif
