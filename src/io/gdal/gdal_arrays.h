/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The arrays of a file or a folder: which there are, which one is the image, and handles of it. */

#ifndef RUGI_GDAL_ARRAYS_H
#define RUGI_GDAL_ARRAYS_H

#include "core/context/threads.h"
#include "gdal_axes.h"
#include "gdal_library.h"

/** Which array of a file, or which band of a raster. Its texts are owned. */
typedef struct rugi_gdal_where {
    const char *driver; /**< the only one that may open it; static text */
    char *path;         /**< as GDAL takes it */
    char *array;        /**< its full name; NULL: a band */
    int band;           /**< from 1 */
    int is_pyramid;
    rugi_pyramid pyramid;
} rugi_gdal_where;

/** A handle, for one thread at a time. All NULL: closed. */
typedef struct rugi_gdal_handle {
    RUGI_OWN_LINES GDALDatasetH dataset;
    GDALMDArrayH array;
} rugi_gdal_handle;

/** Opens a handle, in a stay. @return 0; -1: the stay says what is wrong */
int rugi_gdal_open_handle(rugi_gdal_handle *out, const rugi_gdal_where *where);
void rugi_gdal_close_handle(rugi_gdal_handle *handle);

/** Fails with what a stay says of a file that cannot be opened. @return RUG_E_FORMAT */
rug_status rugi_gdal_say_unreadable(rug_context *ctx, const rug_file *file,
                                    const rugi_gdal_stay *stay);

/** Makes a path that GDAL takes for nothing but a file or folder.
 *  @return RUG_OK, RUG_E_ARG (a name of GDAL's own file systems), RUG_E_NOMEM */
rug_status rugi_gdal_set_path(rug_context *ctx, rugi_gdal_where *where,
                              const rug_file *file);

/** Finds the array that is asked, or the only one that is an image; of a pyramid the level. In a stay.
 *  @param where  with driver and path
 *  @param asked  its name, with or without the slash that it begins with; NULL: the only one
 *  @return RUG_OK, RUG_E_ARG (one must be chosen, or there is no such), RUG_E_FORMAT,
 *          RUG_E_UNSUPPORTED, RUG_E_NOMEM */
rug_status rugi_gdal_find(rug_context *ctx, rug_file *file, rugi_gdal_where *where,
                          const char *asked, int level, const rugi_gdal_stay *stay);

void rugi_gdal_free_where(rug_context *ctx, rugi_gdal_where *where);

/** The type of an array's values. @return 0: not numbers that are read */
int rugi_gdal_dtype(rug_dtype *out, GDALMDArrayH array);

#endif
