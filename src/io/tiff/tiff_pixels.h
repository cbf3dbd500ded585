/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels of TIFF pages that libtiff decodes, on all threads. */

#ifndef RUGI_TIFF_PIXELS_H
#define RUGI_TIFF_PIXELS_H

#include "tiff_decode.h"

/** What is kept from one read to the next. Opaque. */
typedef struct rugi_tiff_pixels rugi_tiff_pixels;

/** Which rows are wanted, and where their pixels go. */
typedef struct rugi_tiff_rows {
    const rugi_tiff_page *pages; /**< of the first one's size and type */
    size_t n_pages;              /**< more than one: all rows of them */
    size_t top, n;               /**< rows of a page, at least one */
    unsigned char
        *to; /**< n rows of each page without padding; RUGI_COLOURS: of each plane */
} rugi_tiff_rows;

/** Chooses the bands of a page that is known (rugi_tiff_is_known()), and of others like it.
 *  @param out      NULL on failure
 *  @param channel  as rugi_bands_choose() takes it
 *  @param bands    those that are chosen
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_FORMAT */
rug_status rugi_tiff_pixels_open(rug_context *ctx, rug_file *file, rugi_tiff_pixels **out,
                                 const rugi_tiff_page *page, int channel,
                                 rugi_bands *bands);

/** Reads rows. Notes when colours differ. Rows of a page in their order are decoded once: what
 *  tiles hold of the rows after the last one is kept.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_FORMAT, RUG_E_CANCELLED */
rug_status rugi_tiff_pixels_read(rug_context *ctx, rug_file *file,
                                 rugi_tiff_pixels *pixels, const rugi_tiff_rows *rows);

/** NULL is allowed. */
void rugi_tiff_pixels_close(rug_context *ctx, rugi_tiff_pixels *pixels);

#endif
