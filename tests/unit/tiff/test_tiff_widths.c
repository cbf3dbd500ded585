/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Samples of TIFF that no type has: integers of every width, floats of 16 and 24 bits, colours that
 * pixels share; and types of 64 bits. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "../io/read_support.h"
#include "support.h"

#include "../io/picture_support.h"
#include <inttypes.h>
#include <math.h>

enum { WIDTH = 21, HEIGHT = 19, MOST = 3 }; /* MOST: samples of a pixel */

/* How samples are stored. */
typedef struct way {
    int bits, format, samples, photometric;
    int planar, tile, compression, predictor, is_reversed;
    const char *mode; /* of TIFFOpen() */
} way;

/* The bits of sample c of a pixel. */
static uint64_t sample_at(const way *w, size_t y, size_t x, size_t c)
{
    uint64_t v = (y * 1000003 + x * 7919 + c * 31337 + 12345) * 0x9e3779b97f4a7c15u;
    return w->bits == 64 ? v : v >> (64 - w->bits);
}

/* Packs a row, the highest bit first; whole types as the processor has them. */
static void pack(const way *w, unsigned char *to, const uint64_t *samples, size_t n)
{
    if (w->bits == 64)
        memcpy(to, samples, n * 8);
    size_t size = w->bits == 32 ? 4 : w->bits == 16 ? 2 : w->bits == 8 ? 1 : 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t one = (uint8_t)samples[i];
        uint16_t two = (uint16_t)samples[i];
        uint32_t four = (uint32_t)samples[i];
        memcpy(to + i * size,
               size == 4   ? (void *)&four
               : size == 2 ? (void *)&two
                           : (void *)&one,
               size);
    }
    for (size_t i = 0; size == 0 && w->bits < 64 && i < n * (size_t)w->bits; i++) {
        uint64_t bit =
            samples[i / (size_t)w->bits] >> ((size_t)w->bits - 1 - i % (size_t)w->bits);
        to[i / 8] = (unsigned char)(to[i / 8] | (bit & 1) << (7 - i % 8));
    }
}

/* Packs rows of a block that begins at a pixel. */
static void fill(const way *w, unsigned char *to, size_t row_bytes, size_t top,
                 size_t left, size_t height, size_t width, size_t plane)
{
    uint64_t samples[MOST * 32];
    size_t n = w->planar ? 1 : (size_t)w->samples;
    memset(to, 0, row_bytes * height);
    for (size_t y = 0; y < height; y++) {
        for (size_t i = 0; i < width * n; i++)
            samples[i] = sample_at(w, top + y, left + i / n, w->planar ? plane : i % n);
        pack(w, to + y * row_bytes, samples, width * n);
    }
}

static void set_way(TIFF *tiff, const way *w)
{
    page p = {.width = WIDTH,
              .height = HEIGHT,
              .bits = w->bits,
              .format = w->format,
              .samples = w->samples,
              .photometric = w->photometric,
              .planar = w->planar,
              .compression = w->compression};
    assert_non_null(tiff);
    set_tags(tiff, &p);
    if (w->predictor != 0)
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, w->predictor);
    TIFFSetField(tiff, TIFFTAG_FILLORDER,
                 w->is_reversed ? FILLORDER_LSB2MSB : FILLORDER_MSB2LSB);
    if (w->tile != 0) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, w->tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, w->tile);
    } else
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 5);
}

static const char *put_way(scratch *here, const way *w)
{
    TIFF *tiff = TIFFOpen(scratch_path(here, "way.tif"), w->mode);
    unsigned char bytes[16 * 16 * MOST * 8 + WIDTH * 5 * MOST * 8];
    set_way(tiff, w);
    size_t side = w->tile != 0 ? (size_t)w->tile : 5;
    size_t width = w->tile != 0 ? side : WIDTH, across = (WIDTH - 1) / width + 1;
    size_t down = (HEIGHT - 1) / side + 1, planes = w->planar ? (size_t)w->samples : 1;
    size_t n = w->planar ? 1 : (size_t)w->samples;
    size_t row_bytes = ((size_t)w->bits * n * width + 7) / 8;
    assert_true(row_bytes * side <= sizeof bytes);
    for (size_t i = 0; i < planes * down * across; i++) {
        size_t k = i % (down * across), top = k / across * side;
        size_t rows = w->tile == 0 && HEIGHT - top < side ? HEIGHT - top : side;
        tmsize_t size = (tmsize_t)(rows * row_bytes);
        fill(w, bytes, row_bytes, top, k % across * width, rows, width,
             i / (down * across));
        assert_int_equal(w->tile != 0
                             ? TIFFWriteEncodedTile(tiff, (uint32_t)i, bytes, size)
                             : TIFFWriteEncodedStrip(tiff, (uint32_t)i, bytes, size),
                         size);
    }
    TIFFClose(tiff);
    return here->path;
}

/* What the bits of a sample stand for. */
static int64_t value_at(const way *w, size_t y, size_t x, size_t c)
{
    uint64_t v = sample_at(w, y, x, c), most = UINT64_MAX >> (64 - w->bits);
    int white = w->photometric == PHOTOMETRIC_MINISWHITE && c == 0;
    if (w->format == SAMPLEFORMAT_INT)
        return (int64_t)(v >> (w->bits - 1) != 0 ? v | ~most : v);
    if (w->bits < 8) {
        v = v * 255 / most;
        most = 255;
    }
    return (int64_t)(white ? most - v : v);
}

/* The bits of a pixel that was read, signed ones as 64 bits. */
static int64_t whole_pixel(const rug_file *file, size_t y, size_t x)
{
    const rug_image *m = rug_file_image(file);
    const unsigned char *p = (const unsigned char *)m->data +
                             (ptrdiff_t)y * m->stride[0] + (ptrdiff_t)x * m->stride[1];
    switch (m->dtype) {
    case RUG_U64: return (int64_t) * (const uint64_t *)(const void *)p;
    case RUG_I64: return *(const int64_t *)(const void *)p;
    default: return (int64_t)pixel(file, 0, y, x);
    }
}

static void check_way(scratch *here, const way *w)
{
    static const rug_dtype types[2][4] = {{RUG_U8, RUG_U16, RUG_U32, RUG_U64},
                                          {RUG_I8, RUG_I16, RUG_I32, RUG_I64}};
    const char *path = put_way(here, w);
    int size = w->bits <= 8 ? 0 : w->bits <= 16 ? 1 : w->bits <= 32 ? 2 : 3;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    for (int c = 0; c < w->samples; c++) {
        opts.channel = c;
        rug_file *file = must_read(path, &opts);
        assert_shape(file, types[w->format == SAMPLEFORMAT_INT][size], 0, HEIGHT, WIDTH);
        for (size_t y = 0; y < HEIGHT; y++)
            for (size_t x = 0; x < WIDTH; x++)
                if (whole_pixel(file, y, x) != value_at(w, y, x, (size_t)c))
                    fail_msg(
                        "%d bits, format %d, channel %d of %d, photometric %d, planar "
                        "%d, tile %d, compression %d, mode %s: [%zu][%zu] is %" PRId64
                        ", %" PRId64 " expected",
                        w->bits, w->format, c, w->samples, w->photometric, w->planar,
                        w->tile, w->compression, w->mode, y, x, whole_pixel(file, y, x),
                        value_at(w, y, x, (size_t)c));
        rug_file_free(file);
    }
}

/* Each width in every layout, in turn. */
static void every_width(void **state)
{
    static const char *const modes[] = {"wl", "wb", "w8b"};
    static const int compressions[] = {COMPRESSION_NONE, COMPRESSION_LZW,
                                       COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS};
    int turn = 0;
    for (int bits = 1; bits <= 64; bits += bits == 32 ? 32 : bits == 23 ? 2 : 1)
        for (int format = SAMPLEFORMAT_UINT; format <= SAMPLEFORMAT_INT; format++)
            for (int layout = 0; layout < 4; layout++, turn++) {
                way w = {.bits = bits,
                         .format = format,
                         .samples = layout > 1 ? 3 : 1,
                         .photometric = turn / 4 % 2 == 0 ? PHOTOMETRIC_MINISBLACK
                                                          : PHOTOMETRIC_MINISWHITE,
                         .planar = layout == 3,
                         .tile = turn % 3 == 0 ? 16 : 0,
                         .compression = compressions[turn / 3 % 4],
                         .is_reversed = turn % 5 == 4,
                         .mode = modes[turn % 7 % 3]};
                check_way(*state, &w);
            }
}

/* Luma of three colours, which fits into 64 bits only in parts. */
static void luma_of_wide_colours(void **state)
{
    static const struct {
        int bits, format;
        uint64_t colours[3], luma;
    } kinds[] = {
        {64, SAMPLEFORMAT_UINT, {UINT64_MAX, UINT64_MAX, UINT64_MAX}, UINT64_MAX},
        {64,
         SAMPLEFORMAT_UINT,
         {UINT64_MAX, UINT64_MAX, UINT64_MAX - 1000},
         UINT64_MAX - 114},
        {64, SAMPLEFORMAT_UINT, {1000, 2000, 3000}, 1815},
        {64, SAMPLEFORMAT_INT, {(uint64_t)-1000, 0, (uint64_t)-3000}, (uint64_t)-641},
        {64,
         SAMPLEFORMAT_INT,
         {(uint64_t)INT64_MIN, (uint64_t)INT64_MIN, (uint64_t)INT64_MIN + 1000},
         (uint64_t)INT64_MIN + 114}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        page p = {.width = 1,
                  .height = 1,
                  .bits = kinds[i].bits,
                  .format = kinds[i].format,
                  .samples = 3,
                  .photometric = PHOTOMETRIC_RGB};
        rug_file *file = must_read(put_tiff(*state, "wb", &p, kinds[i].colours), NULL);
        if (whole_pixel(file, 0, 0) != (int64_t)kinds[i].luma)
            fail_msg("kind %zu: %" PRId64, i, whole_pixel(file, 0, 0));
        rug_file_free(file);
    }
}

/* Writes a row of samples that are bytes in the processor's order. */
static const char *put_row(scratch *here, const way *w, const unsigned char *samples,
                           size_t n)
{
    unsigned char bytes[64];
    TIFF *tiff = TIFFOpen(scratch_path(here, "row.tif"), w->mode);
    set_way(tiff, w);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)n);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
    tmsize_t size = (tmsize_t)(n * (size_t)w->bits / 8);
    memcpy(bytes, samples, (size_t)size); /* libtiff swaps in place */
    assert_int_equal(TIFFWriteEncodedStrip(tiff, 0, bytes, size), size);
    TIFFClose(tiff);
    return here->path;
}

/* Floats, with the predictor that is theirs, and in both byte orders. */
static void small_and_large_floats(void **state)
{
    static const double values[] = {1, -2.5, 0, 0x1p-14, INFINITY, -INFINITY, NAN};
    static const uint16_t halves[] = {0x3c00, 0xc100, 0, 0x0400, 0x7c00, 0xfc00, 0x7e00};
    static const uint32_t triples[] = {0x3f0000, 0xc04000, 0,       0x310000,
                                       0x7f0000, 0xff0000, 0x7f8000};
    enum { N = sizeof values / sizeof values[0] };
    unsigned char bytes[3][8 * N];
    memcpy(bytes[0], halves, sizeof halves);
    memcpy(bytes[2], values, sizeof values);
    for (size_t i = 0; i < N; i++)
        for (size_t b = 0; b < 3; b++)
            bytes[1][3 * i + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 2 - b : b)] =
                (unsigned char)(triples[i] >> 8 * b);
    for (int k = 0; k < 3 * 2 * 3; k++) {
        static const int compressions[] = {COMPRESSION_NONE, COMPRESSION_LZW,
                                           COMPRESSION_ADOBE_DEFLATE};
        int is_swapped =
            k / 3 % 2; /* libtiff 4.5 writes no predictor's bytes in that order */
        way w = {.bits = k % 3 == 0   ? 16
                         : k % 3 == 1 ? 24
                                      : 64,
                 .format = SAMPLEFORMAT_IEEEFP,
                 .samples = 1,
                 .photometric = PHOTOMETRIC_MINISBLACK,
                 .compression = compressions[k / 6],
                 .predictor = k / 6 == 0 || is_swapped ? 0 : PREDICTOR_FLOATINGPOINT,
                 .mode = is_swapped ? "wb" : "wl"};
        rug_file *file = must_read(put_row(*state, &w, bytes[k % 3], N), NULL);
        assert_shape(file, w.bits == 64 ? RUG_F64 : RUG_F32, 0, 1, N);
        for (size_t i = 0; i + 1 < N; i++)
            assert_pixel(file, 0, 0, i, values[i]);
        assert_true(isnan(pixel(file, 0, 0, N - 1)));
        rug_file_free(file);
    }
}

/* The least and the largest floats of 24 bits. */
static void ends_of_triples(void **state)
{
    static const uint32_t triples[] = {1, 0x00ffff, 0x7effff, 0x800001};
    static const double values[] = {0x1p-78, 0xffff.0p-78, 0x1.ffffp63, -0x1p-78};
    unsigned char bytes[12];
    for (size_t i = 0; i < 12; i++)
        bytes[i] = (unsigned char)(triples[i / 3] >>
                                   8 * (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 2 - i % 3
                                                                               : i % 3));
    way w = {.bits = 24,
             .format = SAMPLEFORMAT_IEEEFP,
             .samples = 1,
             .photometric = PHOTOMETRIC_MINISBLACK,
             .mode = "wb"};
    rug_file *file = must_read(put_row(*state, &w, bytes, 4), NULL);
    for (size_t i = 0; i < 4; i++)
        assert_pixel(file, 0, 0, i, values[i]);
    rug_file_free(file);
    w.format = SAMPLEFORMAT_UINT;
    must_fail(put_row(*state, &w, bytes, 4), NULL, RUG_E_UNSUPPORTED,
              "gdal_translate -ot UInt32");
}

/* What other programs wrote (tests/data/README.md): pixel i is factor * i + offset, in plane c with c
 * added. */
static void written_by_others(void **state)
{
    static const struct {
        const char *name;
        rug_dtype dtype;
        int n_planes;
        double factor, offset;
    } files[] = {{"tiff/gdal_u12.tif", RUG_U16, 1, 21, 0},
                 {"tiff/gdal_f16.tif", RUG_F32, 1, 0.25, -10},
                 {"tiff/gdal_f24.tif", RUG_F32, 1, 0.25, -10},
                 {"tiff/tifffile_f16.tif", RUG_F32, 1, 0.25, -10},
                 {"tiff/tifffile_f64.tif", RUG_F64, 1, 0.25, -10},
                 {"tiff/tifffile_i64.tif", RUG_I64, 1, 0x1000000001p0, -0x1p40},
                 {"tiff/tifffile_u64_planes.tif", RUG_U64, 3, 0x1000000001p0, 0}};
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++)
        for (opts.channel = 0; opts.channel < files[k].n_planes; opts.channel++) {
            rug_file *file = must_read(test_data(files[k].name), &opts);
            assert_shape(file, files[k].dtype, 0, 12, 16);
            for (size_t i = 0; i < 12 * 16; i++)
                assert_pixel(file, 0, i / 16, i % 16,
                             files[k].factor * (double)i + files[k].offset +
                                 opts.channel);
            rug_file_free(file);
        }
    must_fail(test_data("tiff/tifffile_jpeg2000.tif"), NULL, RUG_E_UNSUPPORTED,
              "JPEG 2000 (34712), which the installed libtiff does not decode: write it "
              "with LZW or deflate, for example with Python's tifffile and imagecodecs");
}

/* Pages of odd widths are slices; where white is 0, the value without data is turned with them. */
static void slices_and_nodata(void **state)
{
    page p = {.width = 2,
              .height = 1,
              .bits = 12,
              .photometric = PHOTOMETRIC_MINISWHITE,
              .nodata = "291"};
    scratch *here = *state;
    TIFF *tiff = TIFFOpen(scratch_path(here, "slices.tif"), "wb");
    for (int z = 0; z < 3; z++)
        add_page(tiff, &p, "\x12\x34\x56");
    TIFFClose(tiff);
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.volume = 1;
    opts.nodata_as = RUG_NODATA_AS_STORED;
    rug_file *file = must_read(here->path, &opts);
    assert_shape(file, RUG_U16, 3, 1, 2);
    assert_pixel(file, 2, 0, 0, 0xfff - 0x123);
    assert_pixel(file, 2, 0, 1, 0xfff - 0x456);
    assert_true(rug_file_get_facts(file)->nodata == 0xfff - 291);
    assert_int_equal(rug_file_get_facts(file)->n_nodata, 3);
    rug_file_free(file);
}

/* ---- Colours that pixels share ---- */

typedef struct shared {
    int across, down, tile, compression;
} shared;

/* Codes of luminance and of chrominance at a pixel. */
static int light_at(size_t y, size_t x)
{
    return (int)(60 + (y * 5 + x * 3) % 120);
}

static int chroma_at(size_t y, size_t x, int which)
{
    return 128 + (int)((y * 7 + x * 11) % 5 * 10) * (which == 0 ? 1 : -1);
}

static size_t put_groups(unsigned char *to, const shared *s, size_t top, size_t left,
                         size_t height, size_t width)
{
    unsigned char *at = to;
    size_t a = (size_t)s->across, d = (size_t)s->down;
    for (size_t y = 0; y < height; y += d)
        for (size_t x = 0; x < width; x += a) {
            for (size_t i = 0; i < a * d; i++)
                *at++ = (unsigned char)light_at(top + y + i / a, left + x + i % a);
            for (int c = 0; c < 2; c++)
                *at++ = (unsigned char)chroma_at((top + y) / d, (left + x) / a, c);
        }
    return (size_t)(at - to);
}

static const char *put_shared(scratch *here, const shared *s, const char *mode)
{
    unsigned char bytes[3 * 32 * 32];
    TIFF *tiff = TIFFOpen(scratch_path(here, "shared.tif"), mode);
    way w = {.bits = 8,
             .format = SAMPLEFORMAT_UINT,
             .samples = 3,
             .photometric = PHOTOMETRIC_YCBCR,
             .tile = s->tile,
             .compression = s->compression};
    set_way(tiff, &w);
    TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, s->across, s->down);
    size_t side = s->tile != 0 ? (size_t)s->tile : 8, width = s->tile != 0 ? side : WIDTH;
    if (s->tile == 0)
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 8);
    size_t across = (WIDTH - 1) / width + 1, down = (HEIGHT - 1) / side + 1;
    for (size_t i = 0; i < down * across; i++) {
        size_t top = i / across * side;
        size_t rows = s->tile == 0 && HEIGHT - top < side ? HEIGHT - top : side;
        tmsize_t n = (tmsize_t)put_groups(bytes, s, top, i % across * width, rows, width);
        assert_int_equal(s->tile != 0
                             ? TIFFWriteEncodedTile(tiff, (uint32_t)i, bytes, n)
                             : TIFFWriteEncodedStrip(tiff, (uint32_t)i, bytes, n),
                         n);
    }
    TIFFClose(tiff);
    return here->path;
}

/* Red, green and blue by TIFF 6.0, section 21. */
static double colour_at(const shared *s, size_t y, size_t x, int c)
{
    size_t row = y / (size_t)s->down, column = x / (size_t)s->across;
    double cb = chroma_at(row, column, 0) - 128, cr = chroma_at(row, column, 1) - 128;
    double add = c == 0   ? 1.402 * cr
                 : c == 1 ? -0.344136 * cb - 0.714136 * cr
                          : 1.772 * cb;
    return fmin(fmax(light_at(y, x) + add, 0), 255);
}

static void colours_that_pixels_share(void **state)
{
    static const int sides[] = {1, 2, 4};
    for (int k = 0; k < 9 * 4; k++) {
        shared s = {.across = sides[k % 3],
                    .down = sides[k / 3 % 3],
                    .tile = k / 9 % 2 == 0 ? 0 : 16,
                    .compression = k / 18 == 0 ? COMPRESSION_NONE : COMPRESSION_LZW};
        const char *path = put_shared(*state, &s, k % 2 == 0 ? "wl" : "wb");
        rug_read_options opts = RUG_READ_OPTIONS_INIT;
        for (int c = 0; c < 3; c++) {
            opts.channel = c;
            rug_file *file = must_read(path, &opts);
            assert_shape(file, RUG_U8, 0, HEIGHT, WIDTH);
            for (size_t y = 0; y < HEIGHT; y++)
                for (size_t x = 0; x < WIDTH; x++) {
                    double got = pixel(file, 0, y, x), is = colour_at(&s, y, x, c);
                    if (fabs(got - is) > 0.5001)
                        fail_msg("%d by %d, tile %d, channel %d: [%zu][%zu] is %g, %g "
                                 "expected",
                                 s.across, s.down, s.tile, c, y, x, got, is);
                }
            rug_file_free(file);
        }
    }
}

/* Numbers of which no colour can be made. */
static void impossible_colours(void **state)
{
    static const float lumas[][3] = {{0.3f, 0, 0.1f}, {0.3f, NAN, 0.1f}, {9, 0.6f, 0.1f}};
    static const float ends[2][6] = {{0, 255, 128, 128, 128, 255},
                                     {0, 255, 128, 255, 9, 9}};
    for (int k = 0; k < 5; k++) {
        scratch *here = *state;
        TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), "w");
        page p = {
            .width = 2, .height = 1, .samples = 3, .photometric = PHOTOMETRIC_YCBCR};
        TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
        if (k < 3)
            TIFFSetField(tiff, TIFFTAG_YCBCRCOEFFICIENTS, lumas[k]);
        else
            TIFFSetField(tiff, TIFFTAG_REFERENCEBLACKWHITE, ends[k - 3]);
        add_page(tiff, &p, "abcdef");
        TIFFClose(tiff);
        must_fail(here->path, NULL, RUG_E_FORMAT, "make no colours");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_width),
        SCRATCH_TEST(luma_of_wide_colours),
        SCRATCH_TEST(small_and_large_floats),
        SCRATCH_TEST(ends_of_triples),
        SCRATCH_TEST(written_by_others),
        SCRATCH_TEST(slices_and_nodata),
        SCRATCH_TEST(colours_that_pixels_share),
        SCRATCH_TEST(impossible_colours),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
