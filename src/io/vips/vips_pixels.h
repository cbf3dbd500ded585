/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From bands of pixels, as libvips delivers them, to pixels. */

#ifndef RUGI_VIPS_PIXELS_H
#define RUGI_VIPS_PIXELS_H

#include "io/base/bands.h"
#include "vips_library.h"

/** Part of a file whose rows are read once from top to bottom. Zeroed, it is closed. */
typedef struct rugi_pixels {
    rugi_vips_part part;
    int width;
    int height;
    rugi_bands bands;
    VipsImage *image; /**< NULL when it is to be opened again */
    int next;         /**< rows that have been read or left out */
} rugi_pixels;

/** Which rows are wanted, and where their pixels go. */
typedef struct rugi_rows {
    size_t top;         /**< not above those that have been read */
    size_t n;           /**< at least 1 */
    unsigned char *to;  /**< n rows without padding, of each plane */
    double share_begin; /**< progress before and after these rows */
    double share_end;
} rugi_rows;

/** Notes the size of a part whose image has been opened for the first time, chooses its
 *  bands, and fills the facts about channels.
 *  @param n_alpha  bands at the end that are alpha; -1 = as libvips sees it
 *  @param channel  from 0; RUGI_LUMA = luma of a colour image; RUGI_COLOURS = its colours
 *  @return RUG_OK, RUG_E_ARG (no such channel, or one must be chosen), RUG_E_UNSUPPORTED
 */
rug_status rugi_pixels_begin(rug_context *ctx, rug_file *file, rugi_pixels *pixels,
                             int n_alpha, int channel);

/** Opens the part, whose bands are chosen, so that its first row comes next.
 *  @return RUG_OK, RUG_E_FORMAT (also when it is no longer what it was) */
rug_status rugi_pixels_open(rug_context *ctx, const rug_file *file, rugi_pixels *pixels);

/** Reads rows. Notes when the three colours of a pixel differ. All rows at once are
 *  decoded by several threads, where libvips can.
 *  @return RUG_OK, RUG_E_FORMAT, RUG_E_CANCELLED */
rug_status rugi_pixels_read(rug_context *ctx, rug_file *file, rugi_pixels *pixels,
                            const rugi_rows *rows);

/** Reads the layers of an image, which are rows of one part; as rugi_slabs.read. */
rug_status rugi_pixels_read_layers(rug_context *ctx, rug_file *file, rugi_pixels *pixels,
                                   void *to, size_t first, size_t n);

void rugi_pixels_close(rugi_pixels *pixels);

#endif
