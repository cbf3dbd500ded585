/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From an array or a band to the view of an image: its type, axes, spacing, place, scale, and the value that stands for no
 * data. Attributes are those of CF (https://cfconventions.org, 1.11, 2.5.1, 4 and 8.1), ilastik and
 * ImageJ's plugin for HDF5. */

#include "gdal_open.h"
#include "core/image/number.h"
#include "gdal_pixels.h"
#include "netcdf_length.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* How much steps between pixels may differ, as a share of them. */
#define SAME_STEP 1e-4

/* The longest axis whose places are read. */
#define PLACES_MAX ((uint64_t)1 << 20)

/* ---- Attributes ---- */

/** A number that an attribute holds. @return whether there is one */
static int number_of(GDALMDArrayH array, const char *name, double *out)
{
    size_t n = 0;
    GDALAttributeH found = rugi_gdal.GDALMDArrayGetAttribute(array, name);
    if (found == NULL)
        return 0;
    double *values = rugi_gdal.GDALAttributeReadAsDoubleArray(found, &n);
    int good = values != NULL && n == 1 && !isnan(values[0]);
    if (good)
        *out = values[0];
    rugi_gdal.VSIFree(values);
    rugi_gdal.GDALAttributeRelease(found);
    return good;
}

/** Scale and offset: of GDAL, or of CF where a driver leaves them alone. */
static void read_scaling(GDALMDArrayH array, rugi_pixel_coding *coding)
{
    int has_slope = 0, has_intercept = 0;
    double slope = rugi_gdal.GDALMDArrayGetScale(array, &has_slope);
    double intercept = rugi_gdal.GDALMDArrayGetOffset(array, &has_intercept);
    has_slope = has_slope || number_of(array, "scale_factor", &slope);
    has_intercept = has_intercept || number_of(array, "add_offset", &intercept);
    coding->slope = has_slope && isfinite(slope) && fabs(slope) > 0 ? slope : 1;
    coding->intercept = has_intercept && isfinite(intercept) ? intercept : 0;
    coding->scaled =
        coding->slope < 1 || coding->slope > 1 || fabs(coding->intercept) > 0;
}

/** The value that stands for no data, as it is among the pixels. The fill value of Zarr is what chunks hold
 * that are not stored, which says nothing about pixels. */
static void read_nodata(GDALMDArrayH array, const rugi_pixel_coding *coding,
                        const char *driver, char text[RUGI_NODATA_MAX])
{
    int has = 0, is_zarr = strcmp(driver, "Zarr") == 0;
    double value = 0;
    char number[RUGI_REAL_TEXT_MAX];
    if (!is_zarr && !coding->scaled && coding->stored == RUG_I64) {
        int64_t v = rugi_gdal.GDALMDArrayGetNoDataValueAsInt64(array, &has);
        if (has)
            snprintf(text, RUGI_NODATA_MAX, "%lld", (long long)v);
    } else if (!is_zarr && !coding->scaled && coding->stored == RUG_U64) {
        uint64_t v = rugi_gdal.GDALMDArrayGetNoDataValueAsUInt64(array, &has);
        if (has)
            snprintf(text, RUGI_NODATA_MAX, "%llu", (unsigned long long)v);
    }
    if (has)
        return;
    if (!is_zarr)
        value = rugi_gdal.GDALMDArrayGetNoDataValueAsDouble(array, &has);
    has = has || number_of(array, "_FillValue", &value) ||
          number_of(array, "missing_value", &value);
    if (!has)
        return;
    value = coding->scaled ? coding->slope * value + coding->intercept : value;
    double rounded = value;
    rugi_format_real_short(number, value);
    if (rugi_coding_dtype(coding) != RUG_F32 || !rugi_parse_real(&rounded, number) ||
        (float)rounded < (float)value || (float)rounded > (float)value)
        rugi_format_real(number, value);
    snprintf(text, RUGI_NODATA_MAX, "%s", number);
}

/* ---- Axes ---- */

/** Notes the places of an axis's pixels, where they are regular. */
static void read_places(rug_context *ctx, rugi_axis *axis, GDALMDArrayH places)
{
    GUInt64 start = 0;
    size_t count = (size_t)axis->size, n_axes = 0;
    GDALDimensionH *dims = rugi_gdal.GDALMDArrayGetDimensions(places, &n_axes);
    int fits = n_axes == 1 && rugi_gdal.GDALDimensionGetSize(dims[0]) == axis->size &&
               axis->size > 1 && axis->size <= PLACES_MAX;
    double *at = fits ? rug_context_allocate(ctx, count, sizeof *at, "places") : NULL;
    rugi_gdal.GDALReleaseDimensions(dims, n_axes);
    GDALExtendedDataTypeH type = rugi_gdal.GDALExtendedDataTypeCreate(GDT_Float64);
    if (at != NULL && rugi_gdal.GDALMDArrayRead(places, &start, &count, NULL, NULL, type,
                                                at, NULL, 0)) {
        double step = (at[count - 1] - at[0]) / (double)(count - 1);
        int good = isfinite(step) && fabs(step) > 0;
        for (size_t i = 1; i < count && good; i++)
            good = fabs(at[i] - at[0] - step * (double)i) <= SAME_STEP * fabs(step);
        if (good) {
            axis->is_placed = 1;
            axis->first = at[0];
            axis->step = step;
            axis->spacing = fabs(step);
        }
    }
    rugi_gdal.GDALExtendedDataTypeRelease(type);
    rug_context_release(ctx, at);
    const char *unit = rugi_gdal.GDALMDArrayGetUnit(places);
    if (unit != NULL && strncmp(unit, "degrees_", 8) == 0)
        unit = "degree";
    if (axis->is_placed && unit != NULL && strlen(unit) < sizeof axis->unit)
        snprintf(axis->unit, sizeof axis->unit, "%s", unit);
}

static rug_status read_axes(rug_context *ctx, const rug_file *file, rugi_axes *axes,
                            GDALMDArrayH array)
{
    size_t n = 0;
    GDALDimensionH *dims = rugi_gdal.GDALMDArrayGetDimensions(array, &n);
    rug_status status = RUG_OK;
    if (n > RUGI_AXES_MAX)
        status = rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                  "%s: the array has %zu axes, at most %d expected",
                                  file->path, n, RUGI_AXES_MAX);
    for (size_t i = 0; status == RUG_OK && i < n; i++) {
        rugi_axis *axis = &axes->axis[i];
        const char *name = rugi_gdal.GDALDimensionGetName(dims[i]);
        GDALMDArrayH places = rugi_gdal.GDALDimensionGetIndexingVariable(dims[i]);
        axis->size = rugi_gdal.GDALDimensionGetSize(dims[i]);
        snprintf(axis->name, sizeof axis->name, "%s", name != NULL ? name : "");
        axis->kind = rugi_axes_kind(axis->name);
        if (places != NULL) {
            read_places(ctx, axis, places);
            rugi_gdal.GDALMDArrayRelease(places);
        }
        axes->n++;
        if (axis->size == 0)
            status = rug_context_fail(ctx, RUG_E_FORMAT,
                                      "%s: axis %zu of the array has no pixels",
                                      file->path, i + 1);
    }
    rugi_gdal.GDALReleaseDimensions(dims, n);
    return status;
}

/** Axes as ilastik and ImageJ's plugin tell of them: names, and micrometres along z, y and x. */
static void read_notes(rugi_axes *axes, GDALMDArrayH array)
{
    size_t n = 0;
    GDALAttributeH tags = rugi_gdal.GDALMDArrayGetAttribute(array, "axistags");
    const char *text = tags != NULL ? rugi_gdal.GDALAttributeReadAsString(tags) : NULL;
    if (text != NULL)
        rugi_axes_read_tags(axes, text);
    if (tags != NULL)
        rugi_gdal.GDALAttributeRelease(tags);
    GDALAttributeH sizes = rugi_gdal.GDALMDArrayGetAttribute(array, "element_size_um");
    double *size =
        sizes != NULL ? rugi_gdal.GDALAttributeReadAsDoubleArray(sizes, &n) : NULL;
    if (size != NULL && n == 3 && axes->n == 3)
        for (int i = 0; i < 3; i++) {
            axes->axis[i].spacing = size[i];
            snprintf(axes->axis[i].unit, RUGI_UNIT_MAX, "um");
        }
    rugi_gdal.VSIFree(size);
    if (sizes != NULL)
        rugi_gdal.GDALAttributeRelease(sizes);
}

/** Axes as the multiscales of OME-Zarr tell of them. */
static rug_status take_pyramid(rug_context *ctx, const rug_file *file, rugi_axes *axes,
                               const rugi_pyramid *pyramid)
{
    if (pyramid->n_axes != axes->n)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: its multiscales have %d axes, but the array %d",
                                file->path, pyramid->n_axes, axes->n);
    for (int i = 0; i < axes->n; i++) {
        rugi_axis own = pyramid->axis[i];
        own.size = axes->axis[i].size;
        own.spacing = pyramid->scale[file->facts.level][i];
        axes->axis[i] = own;
    }
    return RUG_OK;
}

/* ---- The image ---- */

static rug_status choose_parts(rug_context *ctx, rug_file *file,
                               const rug_read_options *opts, const rugi_axes *axes,
                               uint64_t n_channels)
{
    uint64_t n_pages = axes->page >= 0 ? axes->axis[axes->page].size : 1;
    if (n_pages > INT_MAX || n_channels > INT_MAX)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "%s: has more pages or channels than can be numbered",
                                file->path);
    file->facts.n_pages = (int)n_pages;
    file->facts.page = opts->page > 0 ? opts->page : 0;
    file->facts.n_channels = (int)n_channels;
    file->facts.channel = opts->channel > 0 ? opts->channel : 0;
    rug_status status = rugi_check_page(ctx, file, opts->page);
    if (status == RUG_OK)
        status = rugi_check_channel(ctx, file, opts->channel);
    if (status == RUG_OK && opts->channel < 0 && n_channels > 1)
        status = rug_context_fail(ctx, RUG_E_ARG,
                                  "%s: has %d channels; choose one with --channel 0..%d",
                                  file->path, (int)n_channels, (int)n_channels - 1);
    if (status == RUG_OK && opts->volume && axes->n_space != 3)
        status =
            rug_context_fail(ctx, RUG_E_ARG,
                             "%s: a volume is requested, but the array has 2 axes in "
                             "space; 3 expected",
                             file->path);
    return status;
}

/** Sets the spacing where the axes of the image have one unit. */
static void set_spacing(rug_file *file, const rugi_axes *axes)
{
    double spacing[RUG_MAX_AXES];
    const char *unit = axes->axis[axes->space[0]].unit;
    for (int i = 0; i < axes->n_space; i++) {
        const rugi_axis *axis = &axes->axis[axes->space[i]];
        spacing[i] = axis->spacing;
        if (strcmp(axis->unit, unit) != 0)
            return;
    }
    rugi_file_set_spacing(file, spacing, unit[0] != '\0' ? unit : NULL);
}

static rug_status keep_georeference(rug_context *ctx, rug_file *file,
                                    const double transform[6], const char *crs)
{
    size_t n = strlen(crs) + 1;
    rugi_georeference *kept = rug_context_allocate(ctx, sizeof *kept + n, 1, file->path);
    if (kept == NULL)
        return RUG_E_NOMEM;
    memcpy(kept->transform, transform, sizeof kept->transform);
    memcpy(kept->crs, crs, n);
    rug_context_release(ctx, file->georeference);
    file->georeference = kept;
    file->step[0] = file->step[1] = 1;
    return RUG_OK;
}

/** Gives a file what the tags of its maps will be made of. Nothing happens where its affine was no place.
 *  @param transform  as in rugi_georeference
 *  @param array      which knows the system of x and y, or none */
static rug_status keep_place(rug_context *ctx, rug_file *file, const double transform[6],
                             GDALMDArrayH array)
{
    const char *const options[] = {"FORMAT=WKT2_2019", NULL};
    char *crs = NULL;
    if (file->facts.located_by == NULL) /* it is no place */
        return RUG_OK;
    OGRSpatialReferenceH system = rugi_gdal.GDALMDArrayGetSpatialRef(array);
    if (system != NULL)
        rugi_gdal.OSRExportToWktEx(system, &crs, options);
    rug_status status = keep_georeference(ctx, file, transform, crs != NULL ? crs : "");
    rugi_gdal.VSIFree(crs);
    if (system != NULL)
        rugi_gdal.OSRDestroySpatialReference(system);
    return status;
}

/** Sets the place that coordinates tell: along the fastest axis x, then y and z. */
static rug_status set_place(rug_context *ctx, rug_file *file, const rugi_axes *axes,
                            GDALMDArrayH array)
{
    double affine[3][4] = {{0}};
    for (int k = 0; k < axes->n_space; k++) {
        const rugi_axis *axis = &axes->axis[axes->space[axes->n_space - 1 - k]];
        if (!axis->is_placed)
            return RUG_OK;
        affine[k][k] = axis->step;
        affine[k][3] = axis->first;
    }
    rugi_file_set_affine(ctx, file, "coordinates", NULL, affine);
    const double transform[6] = {affine[0][3] - affine[0][0] / 2,
                                 affine[0][0],
                                 0,
                                 affine[1][3] - affine[1][1] / 2,
                                 0,
                                 affine[1][1]};
    return keep_place(ctx, file, transform, array);
}

static rug_status set_image(rug_context *ctx, rug_file *file, const rugi_axes *axes,
                            const rugi_pixel_coding *coding)
{
    size_t shape[RUG_MAX_AXES];
    uint64_t behind = 1; /* pixels of all that an index may reach */
    int fits = 1;
    for (int i = 0; i < axes->n; i++)
        fits = fits && rugi_multiply(&behind, behind, axes->axis[i].size);
    if (!fits || behind > INT64_MAX / sizeof(double))
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "%s: more pixels than an address can count", file->path);
    for (int i = 0; i < axes->n_space; i++)
        shape[i] = (size_t)axes->axis[axes->space[i]].size;
    return rugi_file_set_image(ctx, file, rugi_coding_dtype(coding), axes->n_space,
                               shape);
}

/** Makes the image of an open array whose axes are known.
 *  @param from  where it is; pixels are read from there */
static rug_status make_image(rug_context *ctx, rug_file *file, rugi_gdal_pixels *from,
                             GDALMDArrayH array)
{
    const rugi_axes *axes = from->axes;
    rug_status status = RUG_OK;
    if (!rugi_gdal_dtype(&from->coding.stored, array))
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: its values are not numbers that can be read; integers of 8 to 64 bits, "
            "f32 and f64 are",
            file->path);
    from->page = file->facts.page;
    from->channel = file->facts.channel;
    read_scaling(array, &from->coding);
    read_nodata(array, &from->coding, from->where.driver, file->nodata_text);
    status = set_image(ctx, file, axes, &from->coding);
    if (status != RUG_OK)
        return status;
    file->facts.slope = from->coding.slope;
    file->facts.intercept = from->coding.intercept;
    if (from->where.array != NULL) /* of rasters no unit is known */
        set_spacing(file, axes);
    return rugi_gdal_stream(ctx, file, from, array);
}

static rug_status open_array(rug_context *ctx, rug_file *file,
                             const rug_read_options *opts, rugi_gdal_pixels *from,
                             rugi_axes *axes, const rugi_gdal_stay *stay)
{
    rugi_gdal_handle handle;
    rug_status status =
        rugi_gdal_find(ctx, file, &from->where, opts->dataset, opts->level, stay);
    if (status != RUG_OK)
        return status;
    if (rugi_gdal_open_handle(&handle, &from->where) != 0)
        return rugi_gdal_say_unreadable(ctx, file, stay);
    status = read_axes(ctx, file, axes, handle.array);
    if (status == RUG_OK)
        read_notes(axes, handle.array);
    if (status == RUG_OK && from->where.is_pyramid)
        status = take_pyramid(ctx, file, axes, &from->where.pyramid);
    if (status == RUG_OK)
        status = rugi_axes_choose(ctx, file, axes, opts->volume);
    if (status == RUG_OK)
        status = choose_parts(ctx, file, opts, axes,
                              axes->channel >= 0 ? axes->axis[axes->channel].size : 1);
    if (status == RUG_OK)
        status = make_image(ctx, file, from, handle.array);
    if (status == RUG_OK)
        status = set_place(ctx, file, axes, handle.array);
    rugi_gdal_close_handle(&handle);
    return status;
}

/** Notes where a raster lies: its six numbers are about the corner of the first pixel. */
static rug_status set_transform(rug_context *ctx, rug_file *file,
                                const rugi_gdal_handle *from)
{
    double g[6], affine[3][4] = {{0}};
    if (rugi_gdal.GDALGetGeoTransform(from->dataset, g) != CE_None)
        return RUG_OK;
    for (int i = 0; i < 2; i++) {
        affine[i][0] = g[3 * i + 1];
        affine[i][1] = g[3 * i + 2];
        affine[i][3] = g[3 * i] + (affine[i][0] + affine[i][1]) / 2;
    }
    rugi_file_set_affine(ctx, file, "geotransform", NULL, affine);
    return keep_place(ctx, file, g, from->array);
}

/** Whether all pixels of ENVI are there, which stand in a file of their own; GDAL makes zeros of what is not. */
static rug_status check_envi(rug_context *ctx, const rug_file *file, GDALDatasetH dataset,
                             int n_bands, size_t size)
{
    static const char *const names[] = {"header_offset", "file_compression"};
    double value[2] = {0, 0};
    struct stat info;
    for (int i = 0; i < 2; i++) {
        const char *text = rugi_gdal.GDALGetMetadataItem(dataset, names[i], "ENVI");
        if (text != NULL && !rugi_parse_real(&value[i], text))
            value[i] = 0;
    }
    double n_bytes =
        value[0] + (double)rug_image_pixels(&file->image) * n_bands * (double)size;
    if (stat(rugi_file_disk_path(file), &info) == 0 && !(value[1] > 0) &&
        (double)info.st_size < n_bytes)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: cut off: %lld of %.0f bytes of its pixels are there",
                                file->path, (long long)info.st_size, n_bytes);
    return RUG_OK;
}

static rug_status open_raster(rug_context *ctx, rug_file *file,
                              const rug_read_options *opts, rugi_gdal_pixels *from,
                              rugi_axes *axes, const rugi_gdal_stay *stay)
{
    rugi_gdal_handle handle;
    from->where.band = 1;
    if (rugi_gdal_open_handle(&handle, &from->where) != 0)
        return rugi_gdal_say_unreadable(ctx, file, stay);
    int n_bands = rugi_gdal.GDALGetRasterCount(handle.dataset);
    axes->page = axes->channel = -1;
    axes->n_space = 2;
    axes->space[1] = 1;
    rug_status status =
        choose_parts(ctx, file, opts, axes, n_bands > 0 ? (uint64_t)n_bands : 1);
    if (status == RUG_OK && file->facts.channel > 0) {
        rugi_gdal_close_handle(&handle);
        from->where.band = file->facts.channel + 1;
        if (rugi_gdal_open_handle(&handle, &from->where) != 0)
            return rugi_gdal_say_unreadable(ctx, file, stay);
    }
    if (status == RUG_OK)
        status = rugi_check_level(ctx, file, opts->level);
    if (status == RUG_OK)
        status = read_axes(ctx, file, axes, handle.array);
    if (status == RUG_OK)
        status = make_image(ctx, file, from, handle.array);
    if (status == RUG_OK && strcmp(from->where.driver, "ENVI") == 0)
        status = check_envi(ctx, file, handle.dataset, n_bands,
                            rug_dtype_size(from->coding.stored));
    if (status == RUG_OK)
        status = set_transform(ctx, file, &handle);
    rugi_gdal_close_handle(&handle);
    return status;
}

typedef rug_status (*open_fn)(rug_context *ctx, rug_file *file,
                              const rug_read_options *opts, rugi_gdal_pixels *from,
                              rugi_axes *axes, const rugi_gdal_stay *stay);

static rug_status open_with(rug_context *ctx, rug_file *file,
                            const rug_read_options *opts, const char *driver,
                            open_fn open)
{
    rugi_axes axes = {.n = 0};
    rugi_gdal_stay stay;
    rugi_gdal_pixels *from;
    rug_status status = rugi_gdal_start(ctx, file->path);
    if (status != RUG_OK)
        return status;
    from = rug_context_allocate(ctx, 1, sizeof *from, file->path);
    if (from == NULL)
        return RUG_E_NOMEM;
    memset(from, 0, sizeof *from);
    from->where.driver = driver;
    from->axes = &axes;
    from->coding.slope = 1;
    status = rugi_gdal_set_path(ctx, &from->where, file);
    if (status == RUG_OK) {
        rugi_gdal_enter(&stay, driver);
        status = open(ctx, file, opts, from, &axes, &stay);
        rugi_gdal_leave(&stay);
    }
    rugi_gdal_free_where(ctx, &from->where);
    rug_context_release(ctx, from);
    return status;
}

/** Whether all of a classic NetCDF file is there. */
static rug_status check_length(rug_context *ctx, const rug_file *file)
{
    FILE *in = fopen(rugi_file_disk_path(file), "rb");
    if (in == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", file->path,
                                strerror(errno));
    uint64_t n_bytes = rugi_netcdf_length(in);
    fclose(in);
    if (n_bytes == UINT64_MAX)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: its head is damaged, or cut off",
                                file->path);
    if (n_bytes > file->n_bytes)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: cut off: %" PRIu64 " of %" PRIu64 " bytes are there",
                                file->path, file->n_bytes, n_bytes);
    return RUG_OK;
}

rug_status rugi_gdal_open_array(rug_context *ctx, rug_file *file,
                                const rug_read_options *opts, const char *driver)
{
    rug_status status = strcmp(driver, "netCDF") == 0 ? check_length(ctx, file) : RUG_OK;
    if (status != RUG_OK)
        return status;
    return open_with(ctx, file, opts, driver, open_array);
}

rug_status rugi_gdal_open_raster(rug_context *ctx, rug_file *file,
                                 const rug_read_options *opts, const char *driver)
{
    return open_with(ctx, file, opts, driver, open_raster);
}
