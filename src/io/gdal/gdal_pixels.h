/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pixels of an array, chunk by chunk. */

#ifndef RUGI_GDAL_PIXELS_H
#define RUGI_GDAL_PIXELS_H

#include "gdal_arrays.h"
#include "io/arrays/pixel_coding.h"

/** What pixels are read from. */
typedef struct rugi_gdal_pixels {
    rugi_gdal_where where; /**< owned from the call on */
    const rugi_axes *axes; /**< with the axes of the image */
    int page, channel;     /**< from 0, of the axes that count them */
    rugi_pixel_coding coding;
} rugi_gdal_pixels;

/** Makes the slabs of a file, whose image is set, come from an array. In a stay.
 *  @param array  open, for the size of its chunks
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_UNSUPPORTED (a chunk that is too large) */
rug_status rugi_gdal_stream(rug_context *ctx, rug_file *file, rugi_gdal_pixels *from,
                            GDALMDArrayH array);

#endif
