/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* TIFF files written row by row through libtiff: rows fill a strip, strips fill a page,
 * and the file gets its name at the end. */

#include "core/image/number.h"
#include "io/base/disk.h"
#include "io/base/file_notes.h"
#include "io/base/reader.h"
#include "io/tiff/tiff_library.h"
#include "tiff_writer.h"
#ifdef RUGI_HAVE_GDAL
#include "io/gdal/gdal_place.h"
#endif
#include <errno.h>
#include <math.h>
#include <rugose/image_writer.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a strip before compression, about. */
#define STRIP_BYTES ((size_t)1 << 18)

/* Bytes of pixels above which offsets may not fit the 32 bits of classic TIFF; deflate makes what it
 * cannot compress a little larger, and there are tables. */
#define CLASSIC_BYTES 4.0e9

/* Codes have few values and little order: more effort gains next to nothing. */
#define DEFLATE_LEVEL 1

/* Level for pictures, zlib's usual one. */
#define PICTURE_LEVEL 6

struct rug_image_writer {
    rug_context *ctx;
    char *path;
    rugi_output *output;
    rugi_tiff_handle tiff;
    rug_dtype dtype;
    size_t nz, ny, nx;
    size_t row_bytes, strip_rows;
    size_t z, y;          /* the next row */
    size_t n_kept;        /* rows in the strip */
    unsigned char *strip; /* owned */
    int is_volume;
    int n_samples; /* of a pixel */
    int is_picture;
    char nodata[RUGI_REAL_TEXT_MAX]; /* "": not told */
    float per_unit[2];               /* pixels in a unit, x and y; 0: not told */
    char *description;               /* of the first page; NULL: none; owned */
    rugi_place *place;               /* as it is written; NULL: not told; owned */
    const rug_file_notes *notes;     /* of a picture; NULL: nothing is known */
};

static rug_status fail_io(rug_context *ctx, const char *path)
{
    return rug_context_fail(ctx, RUG_E_IO, "cannot write %s: %s", path,
                            errno != 0 ? strerror(errno) : "libtiff failed");
}

static rug_status check(rug_context *ctx, const char *path, rug_dtype dtype, int ndim,
                        const size_t *shape)
{
    if (path == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_image_writer_open: NULL given");
    if (dtype != RUG_U8 && dtype != RUG_U16 && dtype != RUG_U32 && dtype != RUG_F32 &&
        dtype != RUG_F64)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "cannot write %s: pixels of dtype %s given, one of u8, "
                                "u16, u32, f32, f64 expected",
                                path, rug_dtype_name(dtype));
    if (ndim != 2 && ndim != 3)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "cannot write %s: %d axes given, 2 or 3 expected", path,
                                ndim);
    for (int a = 0; a < ndim; a++)
        if (shape[a] < 1 || shape[a] > INT32_MAX)
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "cannot write %s: an axis of %zu pixels given, 1 to 2^31 - 1 expected",
                path, shape[a]);
    return RUG_OK;
}

/* Sets tags one after the other until one fails. */
#define SET(tag, ...) \
    (is_set = is_set && rugi_tiff.TIFFSetField(w->tiff.tiff, tag, __VA_ARGS__) != 0)

/* Tags of GeoTIFF and GDAL are none of libtiff's own. A program that has libtiff know them may have
 * said that their count has 16 bits, or that they come without one. */
static int set_foreign_tag(rug_image_writer *w, uint32_t tag, TIFFDataType type,
                           const void *data, uint32_t count)
{
    static char name[] = "GeoTIFF";
    const TIFFFieldInfo info = {
        tag, TIFF_VARIABLE2, TIFF_VARIABLE2, type, FIELD_CUSTOM, 1, 1, name};
    int is_set = rugi_tiff.TIFFMergeFieldInfo(w->tiff.tiff, &info, 1) == 0;
    const TIFFField *field = rugi_tiff.TIFFFindField(w->tiff.tiff, tag, TIFF_ANY);
    if (field == NULL)
        return 0;
    if (!rugi_tiff.TIFFFieldPassCount(field))
        return type == TIFF_ASCII && SET(tag, data);
    if (rugi_tiff.TIFFFieldWriteCount(field) == TIFF_VARIABLE2)
        return SET(tag, count, data);
    return count <= UINT16_MAX && SET(tag, (int)count, data);
}

static int set_place_tags(rug_image_writer *w)
{
    static const struct {
        uint32_t tag;
        TIFFDataType type;
    } tags[RUGI_PLACE_TAGS] = {RUGI_PLACE_TAG_LIST};
    int is_set = 1;
    for (int i = 0; w->place != NULL && i < RUGI_PLACE_TAGS && is_set; i++)
        if (w->place->tag[i].count > 0)
            is_set = set_foreign_tag(w, tags[i].tag, tags[i].type, w->place->tag[i].data,
                                     w->place->tag[i].count);
    if (is_set && w->nodata[0] != '\0')
        is_set = set_foreign_tag(w, RUGI_TAG_NODATA, TIFF_ASCII, w->nodata,
                                 (uint32_t)strlen(w->nodata) + 1);
    return is_set;
}

static int set_spacing_tags(rug_image_writer *w)
{
    int is_set = 1;
    if (w->per_unit[0] > 0 && w->per_unit[1] > 0) {
        SET(TIFFTAG_XRESOLUTION, (double)w->per_unit[0]);
        SET(TIFFTAG_YRESOLUTION, (double)w->per_unit[1]);
        SET(TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
    }
    if (w->description != NULL && w->z == 0)
        SET(TIFFTAG_IMAGEDESCRIPTION, w->description);
    return is_set;
}

/* The resolution of a picture, in pixels of a centimetre or an inch; without a unit only the ratio of
 * both is known. */
static int set_resolution_tags(rug_image_writer *w)
{
    const rug_file_notes *notes = w->notes;
    int is_inch = notes->unit != NULL && strcmp(notes->unit, "in") == 0, is_set = 1;
    double of_unit = notes->unit == NULL || is_inch ? 1 : 10 / rugi_mm_of(notes->unit);
    double y = of_unit / notes->spacing[0], x = of_unit / notes->spacing[1];
    if (!(isfinite(x) && x > 0 && isfinite(y) && y > 0))
        return 1;
    SET(TIFFTAG_XRESOLUTION, x);
    SET(TIFFTAG_YRESOLUTION, y);
    SET(TIFFTAG_RESOLUTIONUNIT, notes->unit == NULL ? RESUNIT_NONE
                                : is_inch           ? RESUNIT_INCH
                                                    : RESUNIT_CENTIMETER);
    return is_set;
}

/* What goes with the pixels of a picture. */
static int set_picture_tags(rug_image_writer *w)
{
    int is_set = 1,
        is_multiplied = w->notes != NULL && w->notes->alpha == RUG_ALPHA_PREMULTIPLIED;
    uint16_t alpha = is_multiplied ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
    if (w->n_samples % 2 == 0)
        SET(TIFFTAG_EXTRASAMPLES, 1, &alpha);
    if (w->notes == NULL)
        return is_set;
    if (w->notes->orientation > 1)
        SET(TIFFTAG_ORIENTATION, w->notes->orientation);
    if (w->notes->icc_size > 0)
        SET(TIFFTAG_ICCPROFILE, (uint32_t)w->notes->icc_size, w->notes->icc);
    return is_set && set_resolution_tags(w);
}

/* All tags of the page that begins.
 *  @return RUG_OK, RUG_E_IO: libtiff sets them unless memory runs out */
static rug_status set_page(rug_context *ctx, rug_image_writer *w)
{
    int is_float = w->dtype == RUG_F32 || w->dtype == RUG_F64, is_set = 1;
    SET(TIFFTAG_SUBFILETYPE, w->is_volume ? FILETYPE_PAGE : 0);
    SET(TIFFTAG_IMAGEWIDTH, (uint32_t)w->nx);
    SET(TIFFTAG_IMAGELENGTH, (uint32_t)w->ny);
    SET(TIFFTAG_BITSPERSAMPLE, (int)rug_dtype_size(w->dtype) * 8);
    SET(TIFFTAG_SAMPLESPERPIXEL, w->n_samples);
    SET(TIFFTAG_SAMPLEFORMAT, is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    SET(TIFFTAG_PHOTOMETRIC,
        w->n_samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    SET(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    SET(TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    SET(TIFFTAG_ZIPQUALITY, w->is_picture ? PICTURE_LEVEL : DEFLATE_LEVEL);
    if (w->is_picture)
        SET(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    SET(TIFFTAG_ROWSPERSTRIP, (uint32_t)w->strip_rows);
    if (is_set && w->is_picture)
        is_set = set_picture_tags(w);
    if (is_set && set_spacing_tags(w) && set_place_tags(w))
        return RUG_OK;
    rug_status status = fail_io(ctx, w->path);
    close(rugi_tiff.TIFFFileno(w->tiff.tiff));
    w->tiff.tiff = NULL; /* libtiff crashes when it closes what it has half a codec for */
    return status;
}

/* libtiff closes the descriptor that it is given, so it gets one of its own. It seeks, and
 * reads back the table of the page before. */
static rug_status open_tiff(rug_context *ctx, rug_image_writer *w)
{
    double n_bytes = (double)w->row_bytes * (double)w->ny * (double)w->nz;
    int file = dup(fileno(rugi_output_stream(w->output)));
    if (file < 0)
        return fail_io(ctx, w->path);
    if (lseek(file, 0, SEEK_SET) != 0) {
        close(file);
        return rug_context_fail(ctx, RUG_E_IO,
                                "cannot write %s: TIFF needs a regular file", w->path);
    }
    errno = 0;
    if (!rugi_tiff_open(&w->tiff, file, w->path, n_bytes > CLASSIC_BYTES ? "w8" : "w")) {
        close(file);
        return fail_io(ctx, w->path);
    }
    return set_page(ctx, w);
}

static rug_status set_shape(rug_context *ctx, rug_image_writer *w, rug_dtype dtype,
                            int ndim, const size_t *shape)
{
    w->dtype = dtype;
    w->is_volume = ndim == 3;
    w->nz = ndim == 3 ? shape[0] : 1;
    w->ny = shape[ndim - 2];
    w->nx = shape[ndim - 1];
    w->row_bytes = w->nx * (size_t)w->n_samples * rug_dtype_size(dtype);
    w->strip_rows = STRIP_BYTES / w->row_bytes;
    if (w->strip_rows > w->ny)
        w->strip_rows = w->ny;
    if (w->strip_rows == 0)
        w->strip_rows = 1;
    w->strip = rug_context_allocate(ctx, w->strip_rows, w->row_bytes, w->path);
    return w->strip != NULL ? RUG_OK : RUG_E_NOMEM;
}

/* @param like  n_samples, is_picture and notes are taken from it */
static rug_status open_writer(rug_context *ctx, rug_image_writer **out, const char *path,
                              rug_dtype dtype, int ndim, const size_t *shape,
                              const rug_image_writer *like)
{
    rug_status status = rugi_tiff_load(ctx, path);
    if (status != RUG_OK)
        return status;
    rug_image_writer *w = calloc(1, sizeof *w);
    if (w != NULL)
        w->path = strdup(path);
    if (w == NULL || w->path == NULL) {
        free(w);
        return rug_context_fail(ctx, RUG_E_NOMEM, "cannot write %s: out of memory", path);
    }
    w->ctx = ctx;
    w->n_samples = like->n_samples;
    w->is_picture = like->is_picture;
    w->notes = like->notes;
    status = set_shape(ctx, w, dtype, ndim, shape);
    if (status == RUG_OK)
        status = rugi_output_open(ctx, &w->output, path);
    if (status == RUG_OK)
        status = open_tiff(ctx, w);
    if (status == RUG_OK)
        *out = w;
    else
        rug_image_writer_discard(w);
    return status;
}

rug_status rug_image_writer_open(rug_context *ctx, rug_image_writer **out,
                                 const char *path, rug_dtype dtype, int ndim,
                                 const size_t *shape)
{
    const rug_image_writer like = {.n_samples = 1};
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_image_writer_open: NULL given");
    rug_status status = check(ctx, path, dtype, ndim, shape);
    return status == RUG_OK ? open_writer(ctx, out, path, dtype, ndim, shape, &like)
                            : status;
}

rug_status rugi_tiff_writer_open(rug_context *ctx, rug_image_writer **out,
                                 const char *path, rug_dtype dtype, const size_t *shape,
                                 int n_samples, const rug_file_notes *notes)
{
    const rug_image_writer like = {
        .n_samples = n_samples, .is_picture = 1, .notes = notes};
    *out = NULL;
    return open_writer(ctx, out, path, dtype, 2, shape, &like);
}

/* ---- What is told of an image ---- */

/* @param what  the public function that is called */
static rug_status check_told(rug_context *ctx, const rug_image_writer *w,
                             const void *given, const char *what)
{
    if (ctx == NULL || w == NULL || given == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_image_writer_%s: NULL given", what);
    if (w->z > 0 || w->y > 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "cannot write %s: rug_image_writer_%s must be called "
                                "before rows are added",
                                w->path, what);
    return RUG_OK;
}

/* ImageJ tells the unit and the distance of slices in the description, that of pixels as a
 * resolution. */
static rug_status describe(rug_context *ctx, rug_image_writer *w, const char *unit,
                           double between)
{
    enum { MOST = 160 };
    char number[RUGI_REAL_TEXT_MAX];
    free(w->description);
    w->description = malloc(MOST);
    if (w->description == NULL)
        return rug_context_fail(ctx, RUG_E_NOMEM, "cannot write %s: out of memory",
                                w->path);
    int n = snprintf(w->description, MOST, "ImageJ=1.54f\n");
    if (w->nz > 1)
        n += snprintf(w->description + n, (size_t)(MOST - n), "images=%zu\nslices=%zu\n",
                      w->nz, w->nz);
    n += snprintf(w->description + n, (size_t)(MOST - n), "unit=%s\n", unit);
    if (w->is_volume && between > 0) {
        rugi_format_real(number, between);
        snprintf(w->description + n, (size_t)(MOST - n), "spacing=%s\n", number);
    }
    return RUG_OK;
}

static double known_length(double v)
{
    return isfinite(v) && v > 0 ? v : 0;
}

rug_status rug_image_writer_set_spacing(rug_context *ctx, rug_image_writer *w,
                                        const double *spacing, const char *unit)
{
    static const char *const units[] = {"nm", "um", "mm", "m"};
    rug_status status = check_told(ctx, w, spacing, "set_spacing");
    int is_known = 0;
    for (size_t i = 0; i < sizeof units / sizeof units[0] && unit != NULL; i++)
        is_known |= strcmp(unit, units[i]) == 0;
    if (status != RUG_OK || !is_known)
        return status;
    const double *in_slice = spacing + (w->is_volume ? 1 : 0);
    double y = known_length(in_slice[0]), x = known_length(in_slice[1]);
    double between = w->is_volume ? known_length(spacing[0]) : 0;
    if (!(x > 0 && y > 0) && !(between > 0))
        return RUG_OK;
    w->per_unit[0] = x > 0 && y > 0 ? (float)(1 / x) : 0;
    w->per_unit[1] = x > 0 && y > 0 ? (float)(1 / y) : 0;
    status = describe(ctx, w, unit, between);
    return status == RUG_OK ? set_page(ctx, w) : status;
}

rug_status rug_image_writer_set_nodata(rug_context *ctx, rug_image_writer *w,
                                       double value)
{
    rug_status status = check_told(ctx, w, w, "set_nodata");
    if (status != RUG_OK)
        return status;
    int is_float = w->dtype == RUG_F32 || w->dtype == RUG_F64;
    double most = ldexp(1.0, (int)(8 * rug_dtype_size(w->dtype))) - 1;
    if (!is_float && !(value >= 0 && value <= most && value <= floor(value)))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "cannot write %s: %g given for pixels without data, a "
                                "value of %s expected",
                                w->path, value, rug_dtype_name(w->dtype));
    rugi_format_real(w->nodata, value);
    return set_page(ctx, w);
}

/* ---- The place ----
 *
 * GeoTIFF ties raster coordinates to the Earth. They count from the corner of the first pixel, or,
 * where key 1025 says that pixels are points, from its centre. */

#define KEY_RASTER_TYPE   1025
#define PIXELS_ARE_POINTS 2
#define TIEPOINT_DOUBLES  6
#define MATRIX_DOUBLES    16

static int are_points(const rugi_place *place)
{
    const uint16_t *keys = place->tag[RUGI_KEYS].data;
    for (uint32_t i = 4; i + 3 < place->tag[RUGI_KEYS].count; i += 4)
        if (keys[i] == KEY_RASTER_TYPE)
            return keys[i + 3] == PIXELS_ARE_POINTS;
    return 0;
}

/* Of raster coordinates that begin at `begin` and are `step` apart in the old ones; x and y. */
static void move_place(rugi_place *place, const double begin[2], const double step[2])
{
    double *scale = place->tag[RUGI_SCALE].data, *tie = place->tag[RUGI_TIEPOINTS].data;
    double *m = place->tag[RUGI_MATRIX].data;
    for (uint32_t a = 0; a < 2; a++) {
        if (a < place->tag[RUGI_SCALE].count)
            scale[a] *= step[a];
        for (uint32_t i = a; i < place->tag[RUGI_TIEPOINTS].count; i += TIEPOINT_DOUBLES)
            tie[i] = (tie[i] - begin[a]) / step[a];
        for (uint32_t row = 0; row < 3 && place->tag[RUGI_MATRIX].count >= MATRIX_DOUBLES;
             row++) {
            m[4 * row + 3] += m[4 * row + a] * begin[a];
            m[4 * row + a] *= step[a];
        }
    }
}

static size_t place_bytes(const rugi_place *place)
{
    size_t n = sizeof *place;
    for (int i = 0; i < RUGI_PLACE_TAGS; i++)
        n += rugi_place_bytes(i, place->tag[i].count);
    return n;
}

static rugi_place *copy_place(const rugi_place *place)
{
    rugi_place *copy = malloc(place_bytes(place));
    if (copy == NULL)
        return NULL;
    memcpy(copy, place, place_bytes(place));
    for (int i = 0; i < RUGI_PLACE_TAGS; i++)
        if (place->tag[i].data != NULL)
            copy->tag[i].data =
                (char *)copy + ((const char *)place->tag[i].data - (const char *)place);
    return copy;
}

/* Gives the writer the tags of a file, if there are any. */
static rug_status take_place(rug_context *ctx, rug_image_writer *w, const rug_file *file)
{
    rugi_place *made = NULL;
    rug_status status = RUG_OK;
#ifdef RUGI_HAVE_GDAL
    if (file->place == NULL && file->georeference != NULL)
        status = rugi_gdal_make_place(ctx, &made, file);
#endif
    const rugi_place *place = made != NULL ? made : file->place;
    free(w->place);
    w->place = place != NULL ? copy_place(place) : NULL;
    if (place != NULL && w->place == NULL)
        status =
            rug_context_fail(ctx, RUG_E_NOMEM, "cannot write %s: out of memory", w->path);
    rug_context_release(ctx, made);
    return status;
}

rug_status rug_image_writer_set_place(rug_context *ctx, rug_image_writer *w,
                                      const rug_file *file, const double *first,
                                      const double *step)
{
    rug_status status = check_told(ctx, w, file, "set_place");
    if (status != RUG_OK)
        return status;
    double begin[2], apart[2];
    for (int a = 0; a < 2; a++) { /* x, y from rows, columns */
        double s = step != NULL ? step[1 - a] : 1, c = first != NULL ? first[1 - a] : 0;
        if (!(s > 0 && isfinite(s) && isfinite(c)))
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "cannot write %s: a place at %g in steps of %g "
                                    "given, steps above 0 expected",
                                    w->path, c, s);
        apart[a] = s * file->step[1 - a];
        begin[a] = (c + 0.5 - s / 2) * file->step[1 - a];
    }
    status = take_place(ctx, w, file);
    if (status != RUG_OK || w->place == NULL)
        return status;
    for (int a = 0; a < 2 && are_points(w->place); a++)
        begin[a] += apart[a] / 2 - 0.5;
    move_place(w->place, begin, apart);
    return set_page(ctx, w);
}

/* ---- Rows ---- */

/* Writes the strip that ends before row y. */
static rug_status write_strip(rug_context *ctx, rug_image_writer *w)
{
    uint32_t strip = (uint32_t)((w->y - w->n_kept) / w->strip_rows);
    tmsize_t n_bytes = (tmsize_t)(w->n_kept * w->row_bytes);
    errno = 0;
    w->n_kept = 0;
    return rugi_tiff.TIFFWriteEncodedStrip(w->tiff.tiff, strip, w->strip, n_bytes) ==
                   n_bytes
               ? RUG_OK
               : fail_io(ctx, w->path);
}

/* After the last row of a slice: the next page, unless it was the last. */
static rug_status end_page(rug_context *ctx, rug_image_writer *w)
{
    w->y = 0;
    w->z++;
    errno = 0;
    if (w->z == w->nz)
        return RUG_OK;
    if (!rugi_tiff.TIFFWriteDirectory(w->tiff.tiff))
        return fail_io(ctx, w->path);
    return set_page(ctx, w);
}

rug_status rug_image_writer_add(rug_context *ctx, rug_image_writer *w, const void *rows,
                                size_t n)
{
    const unsigned char *from = rows;
    rug_status status = RUG_OK;
    if (ctx == NULL || w == NULL || (rows == NULL && n > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_image_writer_add: NULL given");
    for (size_t i = 0; i < n && status == RUG_OK; i++, from += w->row_bytes) {
        if (w->z == w->nz)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "cannot write %s: more rows than %zux%zu given",
                                    w->path, w->nz, w->ny);
        memcpy(w->strip + w->n_kept * w->row_bytes, from, w->row_bytes);
        w->n_kept++;
        w->y++;
        if (w->n_kept == w->strip_rows || w->y == w->ny)
            status = write_strip(ctx, w);
        if (status == RUG_OK && w->y == w->ny)
            status = end_page(ctx, w);
    }
    return status;
}

rug_status rug_image_writer_commit(rug_context *ctx, rug_image_writer *w)
{
    if (ctx == NULL || w == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_image_writer_commit: NULL given");
    rug_status status = RUG_OK;
    errno = 0;
    if (w->z < w->nz)
        status = rug_context_fail(
            ctx, RUG_E_ARG, "cannot write %s: only %zu rows of slice %zu were given",
            w->path, w->y, w->z);
    else if (!rugi_tiff.TIFFWriteDirectory(w->tiff.tiff))
        status = fail_io(ctx, w->path);
    rugi_tiff_close(&w->tiff);
    if (status == RUG_OK) {
        rugi_output *output = w->output;
        w->output = NULL;
        status = rugi_output_commit(ctx, output);
    }
    rug_image_writer_discard(w);
    return status;
}

void rug_image_writer_discard(rug_image_writer *w)
{
    if (w == NULL)
        return;
    rugi_tiff_close(&w->tiff);
    rugi_output_discard(w->output);
    rug_context_release(w->ctx, w->strip);
    free(w->description);
    free(w->place);
    free(w->path);
    free(w);
}
