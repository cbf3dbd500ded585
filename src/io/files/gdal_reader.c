/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which files are for GDAL: arrays in HDF5, NetCDF and Zarr, and rasters of maps in a few formats that nothing
 * else reads. Each is known by its first bytes, and only the driver of its format may open it. */

#include "io/base/reader.h"
#include "io/base/text.h"
#ifdef RUGI_HAVE_GDAL
#include "io/gdal/gdal_open.h"
#endif
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/** A format, by its first bytes. */
typedef struct gdal_format {
    const char *bytes;
    size_t n, at;
    const char *name, *driver;
} gdal_format;

static const gdal_format arrays[] = {
    {"\x89HDF\r\n\x1a\n", 8, 0, "hdf5", "HDF5"},
    {"\x89HDF\r\n\x1a\n", 8, 512, "hdf5", "HDF5"}, /* behind a block of the user's */
    {"\x89HDF\r\n\x1a\n", 8, 1024, "hdf5", "HDF5"},
    {"\x89HDF\r\n\x1a\n", 8, 2048, "hdf5", "HDF5"},
    {"CDF\1", 4, 0, "netcdf", "netCDF"},
    {"CDF\2", 4, 0, "netcdf", "netCDF"},
    {"CDF\5", 4, 0, "netcdf", "netCDF"}};

static const gdal_format zarr = {"", 0, 0, "zarr", "Zarr"};

static const gdal_format rasters[] = {
    {"EHFA_HEADER_TAG", 15, 0, "erdas", "HFA"},
    {"GRIB", 4, 0, "grib", "GRIB"},
    {"ncols", 5, 0, "ascii grid", "AAIGrid"}, /* in any case of letters */
};

static const gdal_format envi = {"ENVI", 4, 0, "envi", "ENVI"};

static int begins(const rug_file *file, const gdal_format *format)
{
    return file->n_head >= format->at + format->n &&
           rugi_same_letters((const char *)file->head + format->at, format->bytes,
                             format->n);
}

static const gdal_format *find(const rug_file *file, const gdal_format *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (begins(file, &rows[i]))
            return &rows[i];
    return NULL;
}

static const gdal_format *find_array(const rug_file *file)
{
    return file->is_folder && rugi_is_zarr(rugi_file_disk_path(file))
               ? &zarr
               : find(file, arrays, sizeof arrays / sizeof arrays[0]);
}

/* ---- ENVI ----
 *
 * Pixels without a head, and a text beside them that says how they lie. */

#define NAME_BYTES 4096

/** Whether a file is the text of ENVI. */
static int is_envi_text(const char *path)
{
    char head[4];
    FILE *in = fopen(path, "rb");
    int answer =
        in != NULL && fread(head, 1, 4, in) == 4 && memcmp(head, envi.bytes, 4) == 0;
    if (in != NULL)
        fclose(in);
    return answer;
}

/** Finds the text beside pixels. */
static int has_envi_text(const char *path)
{
    char name[NAME_BYTES];
    const char *dot = strrchr(path, '.');
    size_t n =
        dot != NULL && strchr(dot, '/') == NULL ? (size_t)(dot - path) : strlen(path);
    int length = snprintf(name, sizeof name, "%.*s.hdr", (int)n, path);
    if (length < 0 || (size_t)length >= sizeof name)
        return 0;
    if (is_envi_text(name))
        return 1;
    length = snprintf(name, sizeof name, "%s.hdr", path);
    return length > 0 && (size_t)length < sizeof name && is_envi_text(name);
}

/** Finds the pixels of a text, and makes them the file that is read.
 *  @return RUG_OK, RUG_E_IO: there are none, RUG_E_NOMEM */
static rug_status find_envi_pixels(rug_context *ctx, rug_file *file)
{
    static const char *const endings[] = {"", ".img", ".dat", ".bin", ".raw", ".bsq"};
    size_t n = strlen(file->path), room = n + 8;
    struct stat info;
    char *name = rug_context_allocate(ctx, room, 1, file->path);
    if (name == NULL)
        return RUG_E_NOMEM;
    rug_context_release(ctx, file->at_disk);
    file->at_disk = name;
    for (size_t i = 0; n > 4 && i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(name, room, "%.*s%s", (int)(n - 4), file->path, endings[i]);
        if (stat(name, &info) == 0 && S_ISREG(info.st_mode))
            return RUG_OK;
    }
    return rug_context_fail(
        ctx, RUG_E_IO,
        "%s: the text of an ENVI image, but no file with its pixels is "
        "beside it: of its name without .hdr, or with .img, .dat, .bin, "
        ".raw or .bsq",
        file->path);
}

static const gdal_format *find_raster(const rug_file *file)
{
    const gdal_format *found = find(file, rasters, sizeof rasters / sizeof rasters[0]);
    if (found == NULL && (begins(file, &envi) || has_envi_text(file->path)))
        found = &envi;
    return found;
}

/* ---- The readers ---- */

static int claims_array(const rug_file *file)
{
    return find_array(file) != NULL;
}

static int claims_raster(const rug_file *file)
{
    return find_raster(file) != NULL;
}

#ifndef RUGI_HAVE_GDAL
static rug_status refuse(rug_context *ctx, const rug_file *file)
{
    return rug_context_fail(
        ctx, RUG_E_UNSUPPORTED,
        "%s: is %s, which this build of rugose cannot read: it was built "
        "without GDAL; build it with libgdal-dev",
        file->path, file->facts.format);
}
#endif

static rug_status open_array(rug_context *ctx, rug_file *file,
                             const rug_read_options *opts)
{
    const gdal_format *format = find_array(file);
    file->facts.format = format->name;
#ifdef RUGI_HAVE_GDAL
    return rugi_gdal_open_array(ctx, file, opts, format->driver);
#else
    (void)opts;
    return refuse(ctx, file);
#endif
}

static rug_status open_raster(rug_context *ctx, rug_file *file,
                              const rug_read_options *opts)
{
    const gdal_format *format = find_raster(file);
    file->facts.format = format->name;
    rug_status status =
        format == &envi && begins(file, &envi) ? find_envi_pixels(ctx, file) : RUG_OK;
    if (status != RUG_OK)
        return status;
#ifdef RUGI_HAVE_GDAL
    return rugi_gdal_open_raster(ctx, file, opts, format->driver);
#else
    (void)opts;
    return refuse(ctx, file);
#endif
}

const rugi_reader rugi_array_reader = {claims_array, open_array};
const rugi_reader rugi_raster_reader = {claims_raster, open_raster};
