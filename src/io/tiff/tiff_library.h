/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* libtiff as this library uses it: loaded when a file needs it, and silent. */

#ifndef RUGI_TIFF_LIBRARY_H
#define RUGI_TIFF_LIBRARY_H

#include "io/base/library.h"
#include <tiffio.h>

/** Every function of libtiff that is used. */
#define RUGI_TIFF_FUNCTIONS(X)              \
    X(TIFFOpenOptionsAlloc)                 \
    X(TIFFOpenOptionsFree)                  \
    X(TIFFOpenOptionsSetErrorHandlerExtR)   \
    X(TIFFOpenOptionsSetWarningHandlerExtR) \
    X(TIFFOpenExt)                          \
    X(TIFFFdOpenExt)                        \
    X(TIFFClose)                            \
    X(TIFFFileno)                           \
    X(TIFFIsCODECConfigured)                \
    X(TIFFGetField)                         \
    X(TIFFGetFieldDefaulted)                \
    X(TIFFFindField)                        \
    X(TIFFFieldDataType)                    \
    X(TIFFFieldPassCount)                   \
    X(TIFFFieldReadCount)                   \
    X(TIFFSetField)                         \
    X(TIFFFieldWriteCount)                  \
    X(TIFFMergeFieldInfo)                   \
    X(TIFFIsTiled)                          \
    X(TIFFIsByteSwapped)                    \
    X(TIFFCurrentDirOffset)                 \
    X(TIFFSetSubDirectory)                  \
    X(TIFFWriteDirectory)                   \
    X(TIFFScanlineSize64)                   \
    X(TIFFTileRowSize64)                    \
    X(TIFFGetStrileOffset)                  \
    X(TIFFGetStrileByteCount)               \
    X(TIFFReadEncodedStrip)                 \
    X(TIFFReadEncodedTile)                  \
    X(TIFFReadScanline)                     \
    X(TIFFWriteEncodedStrip)                \
    X(TIFFSwabArrayOfShort)                 \
    X(TIFFSwabArrayOfTriples)               \
    X(TIFFSwabArrayOfLong)                  \
    X(TIFFSwabArrayOfLong8)

/** The functions, under their own names. */
typedef struct rugi_tiff_library {
    RUGI_TIFF_FUNCTIONS(RUGI_LIBRARY_MEMBER)
} rugi_tiff_library;

/** NULL until rugi_tiff_load() has succeeded. */
extern rugi_tiff_library rugi_tiff;

/** Bytes of a message of libtiff with its end. */
#define RUGI_TIFF_TEXT 256

/** An opened file and what libtiff says about it. It stays where it is while it is open. */
typedef struct rugi_tiff_handle {
    TIFF *tiff;                 /**< NULL = closed */
    char error[RUGI_TIFF_TEXT]; /**< the first error since it was emptied; "" = none */
} rugi_tiff_handle;

/** Loads libtiff. @param path  the file that needs it
 *  @return RUG_OK, RUG_E_UNSUPPORTED */
rug_status rugi_tiff_load(rug_context *ctx, const char *path);

/** Opens a file when libtiff is loaded. Any thread may call it.
 *  @param file  a descriptor, which is closed with the handle; -1 = opened by its path
 *  @param mode  as of TIFFOpen(); for reading "rm": a file that is not mapped into memory may shrink
 *  @return nonzero, or 0 with an error in the handle */
int rugi_tiff_open(rugi_tiff_handle *handle, int file, const char *path,
                   const char *mode);

/** Nothing happens when it is closed. */
void rugi_tiff_close(rugi_tiff_handle *handle);

#endif
