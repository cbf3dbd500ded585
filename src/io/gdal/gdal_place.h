/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Where an image lies on Earth, from GDAL to the tags of GeoTIFF. */

#ifndef RUGI_GDAL_PLACE_H
#define RUGI_GDAL_PLACE_H

#include "gdal_library.h"

/** Makes the tags of a file that has a georeference, not in a stay. A warning says when GDAL makes none.
 *  @param out  to be released with rug_context_release(); NULL: none
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_gdal_make_place(rug_context *ctx, rugi_place **out, const rug_file *file);

#endif
