/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opens files that GDAL reads. */

#ifndef RUGI_GDAL_OPEN_H
#define RUGI_GDAL_OPEN_H

#include "io/base/reader.h"

/** Opens an array of a file or folder: that of the options, or the only one that is an image.
 *  @param driver  of GDAL, which alone may open it; static text */
rug_status rugi_gdal_open_array(rug_context *ctx, rug_file *file,
                                const rug_read_options *opts, const char *driver);

/** Opens a raster, whose bands are channels. */
rug_status rugi_gdal_open_raster(rug_context *ctx, rug_file *file,
                                 const rug_read_options *opts, const char *driver);

#endif
