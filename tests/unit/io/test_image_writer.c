/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images written row by row as TIFF: read back by libtiff pixel by pixel, pages, strips that
 * end within a block of rows, BigTIFF, and files that never come to be. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "io_scratch.h"

#include "read_support.h"
#include <rugose/image_writer.h>
#include <tiffio.h>

static const rug_dtype dtypes[] = {RUG_U8, RUG_U16, RUG_U32, RUG_F32, RUG_F64};

/* Random bytes; floats may be anything, NaN too. */
static unsigned char *random_pixels(size_t n_bytes, uint64_t seed)
{
    unsigned char *pixels = malloc(n_bytes);
    assert_non_null(pixels);
    for (size_t i = 0; i < n_bytes; i++)
        pixels[i] = (unsigned char)test_random(&seed);
    return pixels;
}

/* Writes all rows in blocks of random heights. */
static void write_all(const char *path, rug_dtype dtype, int ndim, const size_t *shape,
                      const unsigned char *pixels)
{
    rug_image_writer *writer;
    size_t n_rows = shape[0] * (ndim == 3 ? shape[1] : 1);
    size_t row_bytes = shape[ndim - 1] * rug_dtype_size(dtype);
    uint64_t seed = 5;
    assert_int_equal(rug_image_writer_open(ctx, &writer, path, dtype, ndim, shape),
                     RUG_OK);
    for (size_t at = 0; at < n_rows;) {
        size_t n = 1 + test_below(&seed, 7);
        n = n > n_rows - at ? n_rows - at : n;
        if (rug_image_writer_add(ctx, writer, pixels + at * row_bytes, n) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        at += n;
    }
    if (rug_image_writer_commit(ctx, writer) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

/* Compares with what libtiff reads. */
static void assert_holds(const char *path, rug_dtype dtype, int ndim, const size_t *shape,
                         const unsigned char *pixels)
{
    size_t nz = ndim == 3 ? shape[0] : 1, ny = shape[ndim - 2], nx = shape[ndim - 1];
    size_t row_bytes = nx * rug_dtype_size(dtype);
    unsigned char *row = malloc(row_bytes);
    TIFF *tiff = TIFFOpen(path, "r");
    assert_non_null(row);
    assert_non_null(tiff);
    for (size_t z = 0; z < nz; z++) {
        uint32_t width = 0, height = 0;
        uint16_t bits = 0, format = 0, compression = 0;
        TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
        TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
        TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
        TIFFGetField(tiff, TIFFTAG_SAMPLEFORMAT, &format);
        TIFFGetField(tiff, TIFFTAG_COMPRESSION, &compression);
        assert_int_equal(width, nx);
        assert_int_equal(height, ny);
        assert_int_equal(bits, 8 * rug_dtype_size(dtype));
        assert_int_equal(format,
                         dtype >= RUG_F32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
        assert_int_equal(compression, COMPRESSION_ADOBE_DEFLATE);
        for (size_t y = 0; y < ny; y++, pixels += row_bytes) {
            assert_int_equal(TIFFReadScanline(tiff, row, (uint32_t)y, 0), 1);
            assert_memory_equal(row, pixels, row_bytes);
        }
        assert_int_equal(TIFFReadDirectory(tiff), z + 1 < nz);
    }
    TIFFClose(tiff);
    free(row);
}

static void every_dtype(void **state)
{
    static const size_t shapes[][3] = {
        {1, 1, 1}, {3, 1, 5}, {1, 7, 1}, {4, 33, 70}, {2, 300, 501}}; /* several strips */
    scratch *here = *state;
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (int ndim = 2; ndim <= 3; ndim++) {
                const size_t *shape = shapes[s] + 3 - ndim;
                size_t n_bytes = shapes[s][0] * shapes[s][1] * shapes[s][2] *
                                 rug_dtype_size(dtypes[d]);
                unsigned char *pixels = random_pixels(n_bytes, 17 * s + d);
                const char *path = scratch_path(here, "map.tif");
                write_all(path, dtypes[d], ndim, shape, pixels);
                assert_holds(path, dtypes[d], ndim, shape, pixels);
                free(pixels);
            }
    assert_int_equal(scratch_count(here), 1);
}

/* What the library writes it reads. */
static void rugose_reads_it(void **state)
{
    scratch *here = *state;
    const size_t shape[3] = {3, 20, 31};
    uint16_t pixels[3 * 20 * 31];
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++)
        pixels[i] = (uint16_t)(i * 31);
    const char *path = scratch_path(here, "map.tif");
    write_all(path, RUG_U16, 3, shape, (const unsigned char *)pixels);
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.volume = 1;
    rug_file *file = must_read(path, &opts);
    const rug_image *img = rug_file_image(file);
    assert_int_equal(img->ndim, 3);
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++)
        assert_true(test_pixel(img, i / 620, i / 31 % 20, i % 31) == pixels[i]);
    rug_file_free(file);
}

/* The number of the format in the header, 42 or of BigTIFF 43. */
static int magic_of(scratch *here, const char *name)
{
    char *bytes = scratch_read(here, name, NULL);
    uint16_t magic;
    memcpy(&magic, bytes + 2, 2);
    free(bytes);
    return magic;
}

/* The header is written at once, under the temporary name. */
static void above_four_gigabytes(void **state)
{
    scratch *here = *state;
    const size_t large[2] = {5, (size_t)1 << 27}, small[2] = {3, 4};
    const unsigned char pixels[12] = {0};
    char name[64];
    rug_image_writer *writer;
    assert_int_equal(rug_image_writer_open(ctx, &writer, scratch_path(here, "map.tif"),
                                           RUG_F64, 2, large),
                     RUG_OK);
    snprintf(name, sizeof name, ".rugose-%ld-0.tmp", (long)getpid());
    assert_int_equal(magic_of(here, name), 43);
    rug_image_writer_discard(writer);
    assert_int_equal(scratch_count(here), 0);
    write_all(scratch_path(here, "map.tif"), RUG_U8, 2, small, pixels);
    assert_int_equal(magic_of(here, "map.tif"), 42);
}

static void files_that_never_come(void **state)
{
    scratch *here = *state;
    const size_t shape[3] = {2, 2, 2}, none[2] = {0, 4}, wide[2] = {1, (size_t)1 << 31};
    const uint8_t pixels[8] = {0};
    const char *path = scratch_path(here, "map.tif");
    rug_image_writer *w = (rug_image_writer *)&w;
    assert_int_equal(rug_image_writer_open(ctx, &w, path, RUG_I16, 2, shape), RUG_E_ARG);
    assert_null(w);
    assert_int_equal(rug_image_writer_open(ctx, &w, path, RUG_U8, 1, shape), RUG_E_ARG);
    assert_int_equal(rug_image_writer_open(ctx, &w, path, RUG_U8, 2, none), RUG_E_ARG);
    assert_int_equal(rug_image_writer_open(ctx, &w, path, RUG_U8, 2, wide), RUG_E_ARG);
    assert_int_equal(rug_image_writer_open(ctx, &w, NULL, RUG_U8, 2, shape), RUG_E_ARG);
    assert_int_equal(rug_image_writer_open(ctx, &w, "/nowhere/a.tif", RUG_U8, 2, shape),
                     RUG_E_IO);
    assert_int_equal(rug_image_writer_open(ctx, &w, "/dev/full", RUG_U8, 2, shape),
                     RUG_E_IO);
    assert_int_equal(rug_image_writer_open(ctx, &w, path, RUG_U8, 3, shape), RUG_OK);
    assert_int_equal(rug_image_writer_add(ctx, w, pixels, 3), RUG_OK);
    assert_int_equal(rug_image_writer_commit(ctx, w), RUG_E_ARG); /* a row is missing */
    assert_int_equal(rug_image_writer_open(ctx, &w, path, RUG_U8, 3, shape), RUG_OK);
    assert_int_equal(rug_image_writer_add(ctx, w, pixels, 4), RUG_OK);
    assert_int_equal(rug_image_writer_add(ctx, w, pixels, 1), RUG_E_ARG); /* one more */
    rug_image_writer_discard(w);
    rug_image_writer_discard(NULL);
    assert_int_equal(scratch_count(here), 0);
}

/* A file that is there stays until the new one is whole. */
static void the_old_file_stays(void **state)
{
    scratch *here = *state;
    const size_t shape[2] = {2, 2};
    const uint8_t pixels[4] = {1, 2, 3, 4};
    rug_image_writer *w;
    scratch_write(here, "map.tif", "old");
    assert_int_equal(
        rug_image_writer_open(ctx, &w, scratch_path(here, "map.tif"), RUG_U8, 2, shape),
        RUG_OK);
    assert_int_equal(rug_image_writer_add(ctx, w, pixels, 1), RUG_OK);
    assert_file_holds(here, "map.tif", "old");
    rug_image_writer_discard(w);
    assert_file_holds(here, "map.tif", "old");
    write_all(scratch_path(here, "map.tif"), RUG_U8, 2, shape, pixels);
    assert_holds(scratch_path(here, "map.tif"), RUG_U8, 2, shape, pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_dtype),          SCRATCH_TEST(rugose_reads_it),
        SCRATCH_TEST(above_four_gigabytes), SCRATCH_TEST(files_that_never_come),
        SCRATCH_TEST(the_old_file_stays),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
