/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* GDAL as the readers use it: loaded and started when a file needs it, silenced, kept from the network and
 * from drivers that are not asked for. Nothing calls it but through the table here, between
 * rugi_gdal_enter() and rugi_gdal_leave(). */

#ifndef RUGI_GDAL_LIBRARY_H
#define RUGI_GDAL_LIBRARY_H

#include "io/base/library.h"
#include "io/base/reader.h"
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <gdal.h>
#include <ogr_srs_api.h>

/** Every function of GDAL that is used. */
#define RUGI_GDAL_FUNCTIONS(X)                \
    X(GDALAllRegister)                        \
    X(GDALVersionInfo)                        \
    X(CPLPushErrorHandlerEx)                  \
    X(CPLPopErrorHandler)                     \
    X(CPLGetErrorHandlerUserData)             \
    X(CPLSetThreadLocalConfigOption)          \
    X(VSIFree)                                \
    X(CSLDestroy)                             \
    X(GDALOpenEx)                             \
    X(GDALClose)                              \
    X(GDALGetRasterBand)                      \
    X(GDALGetRasterCount)                     \
    X(GDALGetMetadataItem)                    \
    X(GDALGetGeoTransform)                    \
    X(GDALSetGeoTransform)                    \
    X(GDALSetProjection)                      \
    X(GDALGetDriverByName)                    \
    X(GDALCreate)                             \
    X(OSRExportToWktEx)                       \
    X(OSRDestroySpatialReference)             \
    X(VSIGetMemFileBuffer)                    \
    X(GDALRasterBandAsMDArray)                \
    X(GDALDatasetGetRootGroup)                \
    X(GDALGroupRelease)                       \
    X(GDALGroupGetMDArrayNames)               \
    X(GDALGroupGetGroupNames)                 \
    X(GDALGroupGetAttribute)                  \
    X(GDALGroupOpenGroup)                     \
    X(GDALGroupOpenMDArray)                   \
    X(GDALGroupOpenMDArrayFromFullname)       \
    X(GDALMDArrayRelease)                     \
    X(GDALMDArrayGetAttribute)                \
    X(GDALMDArrayGetBlockSize)                \
    X(GDALMDArrayGetDataType)                 \
    X(GDALMDArrayGetDimensions)               \
    X(GDALMDArrayGetNoDataValueAsDouble)      \
    X(GDALMDArrayGetNoDataValueAsInt64)       \
    X(GDALMDArrayGetNoDataValueAsUInt64)      \
    X(GDALMDArrayGetOffset)                   \
    X(GDALMDArrayGetScale)                    \
    X(GDALMDArrayGetSpatialRef)               \
    X(GDALMDArrayGetUnit)                     \
    X(GDALMDArrayRead)                        \
    X(GDALAttributeReadAsDouble)              \
    X(GDALAttributeReadAsDoubleArray)         \
    X(GDALAttributeReadAsString)              \
    X(GDALAttributeRelease)                   \
    X(GDALDimensionGetIndexingVariable)       \
    X(GDALDimensionGetName)                   \
    X(GDALDimensionGetSize)                   \
    X(GDALReleaseDimensions)                  \
    X(GDALExtendedDataTypeCreate)             \
    X(GDALExtendedDataTypeGetClass)           \
    X(GDALExtendedDataTypeGetNumericDataType) \
    X(GDALExtendedDataTypeRelease)

/** The functions, under their own names. */
typedef struct rugi_gdal_library {
    RUGI_GDAL_FUNCTIONS(RUGI_LIBRARY_MEMBER)
} rugi_gdal_library;

/** NULL until rugi_gdal_start() has succeeded. */
extern rugi_gdal_library rugi_gdal;

/** Bytes of an error text of GDAL with its end. */
#define RUGI_GDAL_TEXT_MAX 400

/** One stay in GDAL, of one thread. */
typedef struct rugi_gdal_stay {
    int is_alone;                  /**< no other thread stays with such a driver */
    int is_hushed;                 /**< HDF5 prints nothing */
    void *printer[2];              /**< what it printed with, and its data */
    char text[RUGI_GDAL_TEXT_MAX]; /**< what GDAL says was wrong first; "" = nothing */
} rugi_gdal_stay;

/** Loads and starts GDAL once.
 *  @param path  the file that needs it, for the error text
 *  @return RUG_OK, RUG_E_UNSUPPORTED (not installed) */
rug_status rugi_gdal_start(rug_context *ctx, const char *path);

/** What the calling thread does in GDAL stands between these two; they do not nest.
 *  @param driver  "HDF5" and "netCDF" let in one thread at a time, for so does the library below them */
void rugi_gdal_enter(rugi_gdal_stay *stay, const char *driver);
void rugi_gdal_leave(const rugi_gdal_stay *stay);

#endif
