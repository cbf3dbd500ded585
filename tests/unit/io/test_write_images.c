/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images and pictures written and read again. Image by row as TIFF: pixel by pixel through libtiff,
 * pages, strips that end within a block of rows, BigTIFF. Pictures: every format, depth and number of
 * planes, odd strides, what a format cannot hold. Files that never come to be; whole files of bytes. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "io_scratch.h"

#include "memory_support.h"

#include "read_support.h"

#include <rugose/image_writer.h>
#include <rugose/picture.h>
#include <tiffio.h>
#include <vips/vips.h>

/* ---- Images row by row ---- */

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

/* ---- Pictures ---- */

#define NY 37
#define NX 53

/* Smooth enough for JPEG, with all 16 bits in use. */
static uint16_t pixels[3][NY][2 * NX];

static void fill(void)
{
    for (size_t p = 0; p < 3; p++)
        for (size_t y = 0; y < NY; y++)
            for (size_t x = 0; x < NX; x++)
                pixels[p][y][2 * x] =
                    (uint16_t)(1000 * (p + 1) + 300 * y + 517 * x + (x * y) % 7);
}

/* Views that go upwards, with every other pixel left out; u8 is the high byte. */
static void set_planes(rug_image planes[3], rug_dtype dtype)
{
    fill();
    for (size_t p = 0; p < 3; p++) {
        const char *first = (const char *)pixels[p][NY - 1];
        planes[p] = (rug_image){.data = first + (dtype == RUG_U8 ? 1 : 0),
                                .dtype = dtype,
                                .ndim = 2,
                                .shape = {NY, NX},
                                .stride = {-(ptrdiff_t)sizeof pixels[p][0], 4}};
    }
}

static double most_different(const rug_file *file, const rug_image *planes, int n_planes)
{
    double most = 0;
    assert_int_equal(rug_file_get_facts(file)->n_planes, n_planes);
    for (int p = 0; p < n_planes; p++) {
        rug_image got = rug_file_plane(file, p);
        assert_int_equal(got.ndim, 2);
        assert_true(got.dtype == planes[p].dtype);
        assert_true(got.shape[0] == planes[p].shape[0]);
        assert_true(got.shape[1] == planes[p].shape[1]);
        for (size_t y = 0; y < got.shape[0]; y++)
            for (size_t x = 0; x < got.shape[1]; x++) {
                long double d =
                    test_pixel(&got, 0, y, x) - test_pixel(&planes[p], 0, y, x);
                d = d < 0 ? -d : d;
                most = (double)d > most ? (double)d : most;
            }
    }
    return most;
}

static void write_and_read(scratch *here, const char *name, rug_dtype dtype, int n_planes,
                           double bound)
{
    rug_image planes[3];
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.planes = 1;
    set_planes(planes, dtype);
    const char *path = scratch_path(here, name);
    if (rug_picture_write(ctx, path, planes, n_planes) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_int_equal(scratch_count(here), 1);
    rug_file *file = must_read(path, &opts);
    double most = most_different(file, planes, n_planes);
    if (most > bound)
        fail_msg("%s, %d planes of %s: pixels differ by up to %g", name, n_planes,
                 rug_dtype_name(dtype), most);
    rug_file_free(file);
    remove(path);
}

static void every_format(void **state)
{
    static const char *const any[] = {"a.png", "a.TIF", "a.tiff", "a.pnm"};
    scratch *here = *state;
    for (size_t i = 0; i < sizeof any / sizeof any[0]; i++)
        for (int planes = 1; planes <= 3; planes += 2) {
            write_and_read(here, any[i], RUG_U8, planes, 0);
            write_and_read(here, any[i], RUG_U16, planes, 0);
        }
    write_and_read(here, "a.pgm", RUG_U8, 1, 0);
    write_and_read(here, "a.pgm", RUG_U16, 1, 0);
    write_and_read(here, "a.ppm", RUG_U8, 3, 0);
    write_and_read(here, "a.ppm", RUG_U16, 3, 0);
    if (vips_type_find("VipsOperation", "jpegsave") != 0) {
        write_and_read(here, "a.jpg", RUG_U8, 1, 12);
        write_and_read(here, "a.jpeg", RUG_U8, 3, 24);
    }
    if (vips_type_find("VipsOperation", "webpsave") != 0)
        write_and_read(here, "a.webp", RUG_U8, 3, 0);
}

static void refused(rug_status expected, const char *path, const rug_image *planes,
                    int n_planes, const char *why)
{
    assert_int_equal(rug_picture_write(ctx, path, planes, n_planes), expected);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void what_cannot_be_written(void **state)
{
    scratch *here = *state;
    rug_image planes[3], wide[3], bad[3];
    char png[SCRATCH_PATH_MAX], other[SCRATCH_PATH_MAX + 8];
    set_planes(planes, RUG_U8);
    set_planes(wide, RUG_U16);
    memcpy(bad, planes, sizeof bad);
    snprintf(png, sizeof png, "%s", scratch_path(here, "a.png"));
    refused(RUG_E_ARG, scratch_path(here, "a.gif"), planes, 1, ".png");
    refused(RUG_E_ARG, scratch_path(here, "png"), planes, 1, ".png");
    refused(RUG_E_ARG, scratch_path(here, "a.jpg"), wide, 1, "16 bits");
    refused(RUG_E_ARG, scratch_path(here, "a.webp"), wide, 1, "16 bits");
    refused(RUG_E_ARG, scratch_path(here, "a.pgm"), planes, 3, "colours");
    refused(RUG_E_ARG, scratch_path(here, "a.ppm"), planes, 1, "grey");
    refused(RUG_E_ARG, png, planes, 5, "5 planes");
    refused(RUG_E_ARG, png, NULL, 1, "planes");
    refused(RUG_E_ARG, NULL, planes, 1, "NULL");
    bad[2].shape[1]--;
    refused(RUG_E_ARG, png, bad, 3, "one shape");
    bad[0].dtype = RUG_F32;
    refused(RUG_E_ARG, png, bad, 1, "u8 or u16");
    bad[0] = planes[0];
    bad[0].shape[0] = 0;
    refused(RUG_E_ARG, png, bad, 1, "side of 0");
    refused(RUG_E_IO, "/nowhere/a.png", planes, 1, "/nowhere/a.png");
    assert_int_equal(rug_picture_check_name(ctx, png), RUG_OK);
    assert_int_equal(rug_picture_check_name(ctx, "a.b"), RUG_E_ARG);
    assert_int_equal(rug_picture_check_name(ctx, NULL), RUG_E_ARG);
    assert_int_equal(scratch_count(here), 0);
    snprintf(other, sizeof other, "%s/b.png", png); /* below a file */
    scratch_write(here, "a.png", "old");
    refused(RUG_E_IO, other, planes, 1, "b.png");
    assert_file_holds(here, "a.png", "old");
}

static int cancel_at(void *user)
{
    return --*(int *)user <= 0;
}

/* A cancelled or failed call leaves the old file and nothing else. */
static void the_old_file_stays_writer(void **state)
{
    scratch *here = *state;
    rug_image planes[3];
    set_planes(planes, RUG_U16);
    scratch_write(here, "a.png", "old");
    const char *path = scratch_path(here, "a.png");
    int left = 1;
    rug_context_set_cancel(ctx, cancel_at, &left);
    rug_status status = rug_picture_write(ctx, path, planes, 3);
    rug_context_set_cancel(ctx, NULL, NULL);
    assert_int_equal(status, RUG_E_CANCELLED);
    assert_file_holds(here, "a.png", "old");
    for (size_t k = 1;; k++) {
        memory m = {.fail_at = k};
        rug_context *poor = test_context();
        memory_hook(poor, &m);
        scratch_write(here, "b.png", "old");
        status = rug_picture_write(poor, scratch_path(here, "b.png"), planes, 3);
        rug_context_free(poor);
        assert_int_equal(m.n_live, 0);
        if (status == RUG_OK) {
            assert_true(k > 1);
            break;
        }
        assert_int_equal(status, RUG_E_NOMEM);
        assert_file_holds(here, "b.png", "old");
    }
    assert_int_equal(scratch_count(here), 2);
}

/* The byte of a PNG file that says what its pixels are. */
enum { AT_COLOUR_TYPE = 25, GREY = 0, RGB = 2, PALETTE = 3 };

/* Encodes planes, and reads them again. */
static void encode_and_read(scratch *here, const rug_image *planes, int n_planes,
                            int colour_type)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    const char *path = scratch_path(here, "a.png");
    uint8_t *bytes;
    size_t n;
    opts.planes = 1;
    assert_int_equal(rug_picture_encode_png(ctx, &bytes, &n, planes, n_planes), RUG_OK);
    assert_int_equal(bytes[AT_COLOUR_TYPE], colour_type);
    assert_int_equal(rug_bytes_write(ctx, path, bytes, n), RUG_OK);
    rug_context_release(ctx, bytes);
    rug_file *file = must_read(path, &opts);
    assert_true(most_different(file, planes, n_planes) == 0);
    rug_file_free(file);
    remove(path);
}

/* Few colours become a palette, whatever the shape and the strides; more, and more bits, do not. */
static void palettes_in_memory(void **state)
{
    static const size_t shapes[][2] = {{1, 600}, {600, 1}, {24, 25}};
    static const int n_colours[] = {1, 2, 3, 255, 256, 257, 600};
    static uint8_t colours[600][3];
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (size_t i = 0; i < sizeof n_colours / sizeof n_colours[0]; i++) {
            rug_image planes[3];
            for (int k = 0; k < 600; k++) {
                int c = k % n_colours[i];
                colours[k][0] = (uint8_t)(c * 7);
                colours[k][1] = (uint8_t)(c / 256 + 254);
                colours[k][2] = (uint8_t)(255 - c * 7);
            }
            for (size_t p = 0; p < 3; p++)
                planes[p] = (rug_image){.data = &colours[0][p],
                                        .dtype = RUG_U8,
                                        .ndim = 2,
                                        .shape = {shapes[s][0], shapes[s][1]},
                                        .stride = {3 * (ptrdiff_t)shapes[s][1], 3}};
            encode_and_read(*state, planes, 3, n_colours[i] <= 256 ? PALETTE : RGB);
            encode_and_read(*state, planes, 1, GREY);
        }
}

/* A picture in memory has the pixels of the file; nothing is left of one that fails. */
static void a_picture_in_memory(void **state)
{
    scratch *here = *state;
    rug_image planes[3];
    uint8_t *bytes;
    size_t n;
    set_planes(planes, RUG_U16);
    encode_and_read(here, planes, 1, GREY);
    encode_and_read(here, planes, 3, RGB);
    set_planes(planes, RUG_U8);
    encode_and_read(here, planes, 1, GREY);
    encode_and_read(here, planes, 3, RGB);
    assert_int_equal(rug_picture_encode_png(ctx, &bytes, &n, planes, 5), RUG_E_ARG);
    assert_null(bytes);
    assert_int_equal(n, 0);
    assert_int_equal(rug_picture_encode_png(ctx, NULL, &n, planes, 1), RUG_E_ARG);
    assert_int_equal(rug_picture_encode_png(ctx, &bytes, NULL, planes, 1), RUG_E_ARG);
    for (size_t k = 1;; k++) {
        memory m = {.fail_at = k};
        rug_context *poor = test_context();
        memory_hook(poor, &m);
        rug_status status = rug_picture_encode_png(poor, &bytes, &n, planes, 3);
        if (status == RUG_OK)
            rug_context_release(poor, bytes);
        rug_context_free(poor);
        assert_int_equal(m.n_live, 0);
        if (status == RUG_OK) {
            assert_true(k > 2);
            break;
        }
        assert_int_equal(status, RUG_E_NOMEM);
        assert_null(bytes);
    }
}

static void bytes_in_and_out(void **state)
{
    scratch *here = *state;
    static uint8_t many[100000];
    uint64_t rng = 3;
    uint8_t *got;
    size_t n;
    for (size_t i = 0; i < sizeof many; i++)
        many[i] = (uint8_t)test_random(&rng);
    const char *path = scratch_path(here, "a.bin");
    assert_int_equal(rug_bytes_write(ctx, path, many, sizeof many), RUG_OK);
    assert_int_equal(rug_bytes_read(ctx, &got, &n, path, sizeof many), RUG_OK);
    assert_int_equal(n, sizeof many);
    assert_memory_equal(got, many, n);
    rug_context_release(ctx, got);
    assert_int_equal(scratch_count(here), 1);
    assert_failure(path, rug_bytes_read(ctx, &got, &n, path, sizeof many - 1),
                   RUG_E_FORMAT, "at most 99999");
    assert_null(got);
    assert_int_equal(n, 0);
    assert_int_equal(rug_bytes_write(ctx, path, NULL, 0), RUG_OK);
    assert_failure(path, rug_bytes_read(ctx, &got, &n, path, 9), RUG_E_FORMAT, "empty");
    remove(path);
    assert_failure(path, rug_bytes_read(ctx, &got, &n, path, 9), RUG_E_IO, "opened");
    assert_failure(here->folder, rug_bytes_read(ctx, &got, &n, here->folder, 9), RUG_E_IO,
                   "directory");
    assert_int_equal(rug_bytes_write(ctx, "/dev/full", many, 9), RUG_E_IO);
    assert_int_equal(rug_bytes_write(ctx, NULL, many, 9), RUG_E_ARG);
    assert_int_equal(rug_bytes_write(ctx, path, NULL, 9), RUG_E_ARG);
    assert_int_equal(rug_bytes_read(ctx, NULL, &n, path, 9), RUG_E_ARG);
    assert_int_equal(rug_bytes_read(ctx, &got, NULL, path, 9), RUG_E_ARG);
    assert_int_equal(rug_bytes_read(ctx, &got, &n, NULL, 9), RUG_E_ARG);
    assert_int_equal(scratch_count(here), 0);
}

int main(int argc, char **argv)
{
    (void)argc;
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_dtype),
        SCRATCH_TEST(rugose_reads_it),
        SCRATCH_TEST(above_four_gigabytes),
        SCRATCH_TEST(files_that_never_come),
        SCRATCH_TEST(the_old_file_stays),
        SCRATCH_TEST(every_format),
        SCRATCH_TEST(what_cannot_be_written),
        SCRATCH_TEST(the_old_file_stays_writer),
        SCRATCH_TEST(palettes_in_memory),
        SCRATCH_TEST(a_picture_in_memory),
        SCRATCH_TEST(bytes_in_and_out),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
