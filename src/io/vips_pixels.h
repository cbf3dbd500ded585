/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From bands of pixels, as libvips delivers them, to the cells of a file. */

#ifndef RUGI_VIPS_PIXELS_H
#define RUGI_VIPS_PIXELS_H

#include "reader.h"
#include <vips/vips.h>

/** Which bands become cells. */
typedef struct rugi_bands {
    rug_dtype dtype;
    int n;     /**< bands of a pixel, alpha included */
    int taken; /**< the band that becomes the cell; -1 = luma of the first three */
} rugi_bands;

/** Where the rows of an image go. */
typedef struct rugi_rows {
    size_t per_page;         /**< rows of one page; pages stand below each other */
    const ptrdiff_t *slices; /**< slice of each page, -1 = leave it out; NULL: the only
                                page is slice 0 */
    double share_begin;      /**< progress before and after these rows */
    double share_end;
} rugi_rows;

/** Chooses the bands of an image, and fills the facts about channels.
 *  @param n_alpha  bands at the end that are alpha; -1 = as libvips sees it
 *  @param channel  from 0; -1 = luma of a colour image
 *  @return RUG_OK, RUG_E_ARG (no such channel, or one must be chosen), RUG_E_UNSUPPORTED
 */
rug_status rugi_choose_bands(rug_context *ctx, rug_file *file, VipsImage *image,
                             int n_alpha, int channel, rugi_bands *bands);

/** Computes all pixels and puts them into the file's cells, which are there. Clears
 *  facts.equal_channels when it finds pixels whose colours differ.
 *  @return RUG_OK, RUG_E_FORMAT, RUG_E_CANCELLED */
rug_status rugi_pull_pixels(rug_context *ctx, rug_file *file, VipsImage *image,
                            const rugi_bands *bands, const rugi_rows *rows);

#endif
