/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* TIFF files written row by row through libtiff: rows fill a strip, strips fill a page,
 * and the file gets its name at the end. */

#include "io/base/disk.h"
#include "io/tiff/tiff_library.h"
#include "tiff_writer.h"
#include <errno.h>
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

/* @return RUG_OK, RUG_E_IO: libtiff sets them unless memory runs out */
static rug_status set_page(rug_context *ctx, rug_image_writer *w)
{
    TIFF *t = w->tiff.tiff;
    int is_float = w->dtype == RUG_F32 || w->dtype == RUG_F64;
    int is_set =
        rugi_tiff.TIFFSetField(t, TIFFTAG_SUBFILETYPE,
                               w->is_volume ? FILETYPE_PAGE : 0) &&
        rugi_tiff.TIFFSetField(t, TIFFTAG_IMAGEWIDTH, (uint32_t)w->nx) &&
        rugi_tiff.TIFFSetField(t, TIFFTAG_IMAGELENGTH, (uint32_t)w->ny) &&
        rugi_tiff.TIFFSetField(t, TIFFTAG_BITSPERSAMPLE,
                               (int)rug_dtype_size(w->dtype) * 8) &&
        rugi_tiff.TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, w->n_samples) &&
        rugi_tiff.TIFFSetField(t, TIFFTAG_SAMPLEFORMAT,
                               is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) &&
        rugi_tiff.TIFFSetField(t, TIFFTAG_PHOTOMETRIC,
                               w->n_samples == 3 ? PHOTOMETRIC_RGB
                                                 : PHOTOMETRIC_MINISBLACK) &&
        rugi_tiff.TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
        rugi_tiff.TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
        rugi_tiff.TIFFSetField(t, TIFFTAG_ZIPQUALITY,
                               w->is_picture ? PICTURE_LEVEL : DEFLATE_LEVEL) &&
        (!w->is_picture ||
         rugi_tiff.TIFFSetField(t, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL)) &&
        rugi_tiff.TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, (uint32_t)w->strip_rows);
    if (is_set)
        return RUG_OK;
    rug_status status = fail_io(ctx, w->path);
    close(rugi_tiff.TIFFFileno(t));
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

/* @param like  n_samples and is_picture are taken from it */
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
                                 int n_samples)
{
    const rug_image_writer like = {.n_samples = n_samples, .is_picture = 1};
    *out = NULL;
    return open_writer(ctx, out, path, dtype, 2, shape, &like);
}

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
    free(w->path);
    free(w);
}
