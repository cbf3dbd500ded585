/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading one page of a TIFF file: types, byte orders, layouts, white-is-zero, channels,
 * spacing, and files that lie. Pages, levels and volumes are in test_read_pages.c. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "io_scratch.h"

#include "../io/read_support.h"

#include "../io/picture_support.h"

#define PIXELS(type) ((const type[6]){1, 2, 3, 40, 50, 120})

static void every_type(void **state)
{
    const struct {
        int bits, format;
        rug_dtype dtype;
        const void *pixels;
    } types[] = {{8, SAMPLEFORMAT_UINT, RUG_U8, PIXELS(uint8_t)},
                 {8, SAMPLEFORMAT_INT, RUG_I8, PIXELS(int8_t)},
                 {16, SAMPLEFORMAT_UINT, RUG_U16, PIXELS(uint16_t)},
                 {16, SAMPLEFORMAT_INT, RUG_I16, PIXELS(int16_t)},
                 {32, SAMPLEFORMAT_UINT, RUG_U32, PIXELS(uint32_t)},
                 {32, SAMPLEFORMAT_INT, RUG_I32, PIXELS(int32_t)},
                 {32, SAMPLEFORMAT_IEEEFP, RUG_F32, PIXELS(float)}};
    static const char *const modes[] = {"wl", "wb", "wl8",
                                        "wb8"}; /* II and MM; BigTIFF */
    static const int compressions[] = {COMPRESSION_NONE, COMPRESSION_LZW,
                                       COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (int way = 0; way < 4; way++) {
            page p = {.width = 3,
                      .height = 2,
                      .bits = types[i].bits,
                      .format = types[i].format,
                      .photometric = PHOTOMETRIC_MINISBLACK,
                      .compression = compressions[way]};
            rug_file *file =
                must_read(put_tiff(*state, modes[way], &p, types[i].pixels), NULL);
            assert_shape(file, types[i].dtype, 0, 2, 3);
            assert_pixel(file, 0, 0, 2, 3);
            assert_pixel(file, 0, 1, 0, 40);
            assert_pixel(file, 0, 1, 2, 120);
            assert_string_equal(rug_file_get_facts(file)->format, "tiff");
            assert_int_equal(rug_file_get_facts(file)->white_is_zero, 0);
            rug_file_free(file);
        }
}

static void signed_and_fractions_stay(void **state)
{
    page p = {.width = 2,
              .height = 1,
              .bits = 16,
              .format = SAMPLEFORMAT_INT,
              .photometric = PHOTOMETRIC_MINISBLACK};
    rug_file *file = must_read(put_tiff(*state, "w", &p, (int16_t[]){-32768, -1}), NULL);
    assert_pixel(file, 0, 0, 0, -32768);
    assert_pixel(file, 0, 0, 1, -1);
    rug_file_free(file);
    p.bits = 32;
    p.format = SAMPLEFORMAT_IEEEFP;
    file = must_read(put_tiff(*state, "w", &p, (float[]){-0.25f, 1e30f}), NULL);
    assert_pixel(file, 0, 0, 0, -0.25);
    assert_pixel(file, 0, 0, 1, (double)1e30f);
    rug_file_free(file);
}

/* The same look, stored both ways, gives the same pixels. */
static void white_is_zero(void **state)
{
    static const int bits[] = {1, 8, 16, 32};
    for (size_t b = 0; b < 4; b++) {
        unsigned char black[64], white[64];
        for (size_t i = 0; i < sizeof black; i++) {
            black[i] = (unsigned char)(i * 37);
            white[i] = (unsigned char)~black[i];
        }
        page p = {.width = 8,
                  .height = 2,
                  .bits = bits[b],
                  .photometric = PHOTOMETRIC_MINISBLACK};
        rug_file *a = must_read(put_tiff(*state, "w", &p, black), NULL);
        p.photometric = PHOTOMETRIC_MINISWHITE;
        rug_file *z = must_read(put_tiff(*state, "w", &p, white), NULL);
        assert_true(same_pixels(a, z));
        assert_int_equal(rug_file_get_facts(a)->white_is_zero, 0);
        assert_int_equal(rug_file_get_facts(z)->white_is_zero, 1);
        if (bits[b] == 1) { /* 1 is white, 255 */
            assert_shape(a, RUG_U8, 0, 2, 8);
            assert_pixel(a, 0, 1, 1, 0); /* 37 = 00100101 */
            assert_pixel(a, 0, 1, 2, 255);
        }
        rug_file_free(a);
        rug_file_free(z);
    }
}

static void white_is_zero_has_no_meaning_for_signed(void **state)
{
    page p = {.width = 2,
              .height = 1,
              .bits = 16,
              .format = SAMPLEFORMAT_INT,
              .photometric = PHOTOMETRIC_MINISWHITE};
    rug_file *file = must_read(put_tiff(*state, "w", &p, (int16_t[]){-5, 7}), NULL);
    assert_pixel(file, 0, 0, 0, -5);
    assert_int_equal(rug_file_get_facts(file)->white_is_zero, 0);
    assert_non_null(strstr(warning, "signed; they are kept"));
    rug_file_free(file);
}

static void tiles_and_planes(void **state)
{
    uint16_t pixels[40 * 50];
    for (size_t i = 0; i < 2000; i++)
        pixels[i] = (uint16_t)(i * 31);
    page p = {
        .width = 50, .height = 40, .bits = 16, .photometric = PHOTOMETRIC_MINISBLACK};
    rug_file *strips = must_read(put_tiff(*state, "w", &p, pixels), NULL);
    p.tile = 16;
    rug_file *tiles = must_read(put_tiff(*state, "wb", &p, pixels), NULL);
    assert_pixel(strips, 0, 39, 49, 1999 * 31 % 65536);
    assert_true(same_pixels(strips, tiles));
    rug_file_free(strips);
    rug_file_free(tiles);
    page rgb = {.width = 2, .height = 1, .samples = 3, .photometric = PHOTOMETRIC_RGB};
    rug_file *mixed =
        must_read(put_tiff(*state, "w", &rgb, "\x0a\x14\x1e\x28\x32\x3c"), NULL);
    rgb.planar = 1;
    rug_file *planes =
        must_read(put_tiff(*state, "w", &rgb, "\x0a\x28\x14\x32\x1e\x3c"), NULL);
    assert_true(same_pixels(mixed, planes));
    rug_file_free(mixed);
    rug_file_free(planes);
}

/* Reads with a channel; -2 = with the defaults. */
static rug_file *read_channel(const char *path, int channel)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.channel = channel;
    return must_read(path, channel == -2 ? NULL : &opts);
}

static void luma_of_every_type(void **state)
{
    /* three pixels; (0, 0, 250) gives 28.5: halves go up, those of negative sums too */
    page p = {.width = 3, .height = 1, .samples = 3, .photometric = PHOTOMETRIC_RGB};
    rug_file *file =
        must_read(put_tiff(*state, "w", &p, "\xff\0\0\0\0\xfa\x07\x07\x07"), NULL);
    assert_shape(file, RUG_U8, 0, 1, 3);
    assert_pixel(file, 0, 0, 0, 76);
    assert_pixel(file, 0, 0, 1, 29);
    assert_pixel(file, 0, 0, 2, 7);
    assert_int_equal(rug_file_get_facts(file)->channel, -1);
    assert_int_equal(rug_file_get_facts(file)->n_channels, 3);
    assert_int_equal(rug_file_get_facts(file)->equal_channels, 0);
    rug_file_free(file);
    p.bits = 16;
    const uint16_t u16[9] = {65535, 0, 0, 0, 65535, 0, 60000, 60001, 60002};
    file = must_read(put_tiff(*state, "w", &p, u16), NULL);
    assert_pixel(file, 0, 0, 0, 19595);
    assert_pixel(file, 0, 0, 1, 38469);
    assert_pixel(file, 0, 0, 2, 60001);
    rug_file_free(file);
    p.format = SAMPLEFORMAT_INT;
    const int16_t i16[9] = {0, 0, -250, 0, 0, -251, -3, -3, -3};
    file = must_read(put_tiff(*state, "w", &p, i16), NULL);
    assert_pixel(file, 0, 0, 0, -28); /* -28.5 */
    assert_pixel(file, 0, 0, 1, -29); /* -28.614 */
    assert_pixel(file, 0, 0, 2, -3);
    rug_file_free(file);
    p.bits = 32;
    p.format = SAMPLEFORMAT_IEEEFP;
    const float f32[9] = {1, 0, 0, 0.1f, 0.1f, 0.1f, 0, 0, -1};
    file = must_read(put_tiff(*state, "w", &p, f32), NULL);
    assert_shape(file, RUG_F32, 0, 1, 3);
    assert_pixel(file, 0, 0, 0, (double)0.299f);
    assert_pixel(file, 0, 0, 1, (double)0.1f);
    assert_pixel(file, 0, 0, 2, (double)-0.114f);
    rug_file_free(file);
}

/* Equal channels are the grey image that they show. */
static void equal_channels_and_one_channel(void **state)
{
    page p = {.width = 2, .height = 1, .samples = 3, .photometric = PHOTOMETRIC_RGB};
    rug_file *file =
        must_read(put_tiff(*state, "w", &p, "\x05\x05\x05\xc8\xc8\xc8"), NULL);
    assert_pixel(file, 0, 0, 0, 5);
    assert_pixel(file, 0, 0, 1, 200);
    assert_int_equal(rug_file_get_facts(file)->equal_channels, 1);
    rug_file_free(file);
    const char *path = put_tiff(*state, "w", &p, "\x01\x02\x03\x04\x05\x06");
    for (int c = 0; c < 3; c++) {
        file = read_channel(path, c);
        assert_pixel(file, 0, 0, 0, c + 1);
        assert_pixel(file, 0, 0, 1, c + 4);
        assert_int_equal(rug_file_get_facts(file)->channel, c);
        assert_int_equal(rug_file_get_facts(file)->equal_channels, 0);
        rug_file_free(file);
    }
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.channel = 3;
    must_fail(path, &opts, RUG_E_ARG,
              "channel 3 requested, but the tiff file has 3 (0..2)");
}

static void alpha_is_never_data(void **state)
{
    static const int alphas[] = {EXTRASAMPLE_ASSOCALPHA, EXTRASAMPLE_UNASSALPHA};
    for (int i = 0; i < 2; i++) {
        page gray = {.width = 2,
                     .height = 1,
                     .samples = 2,
                     .extra = 1 + alphas[i],
                     .photometric = PHOTOMETRIC_MINISBLACK};
        rug_file *file =
            must_read(put_tiff(*state, "w", &gray, "\x0a\xff\x14\xff"), NULL);
        assert_pixel(file, 0, 0, 0, 10);
        assert_pixel(file, 0, 0, 1, 20);
        assert_int_equal(rug_file_get_facts(file)->n_channels, 1);
        assert_int_equal(rug_file_get_facts(file)->dropped_alpha, 1);
        rug_file_free(file);
        page rgba = {.width = 1,
                     .height = 1,
                     .samples = 4,
                     .extra = 1 + alphas[i],
                     .photometric = PHOTOMETRIC_RGB};
        file = must_read(put_tiff(*state, "w", &rgba, "\xff\0\0\xff"), NULL);
        assert_pixel(file, 0, 0, 0, 76);
        assert_int_equal(rug_file_get_facts(file)->n_channels, 3);
        assert_int_equal(rug_file_get_facts(file)->dropped_alpha, 1);
        rug_file_free(file);
    }
}

/* Channels of unknown meaning, CMYK and grey triples are asked for, never guessed. */
static void channels_that_are_no_colours(void **state)
{
    static const struct {
        page p;
        const char *text;
    } kinds[] = {
        {{.width = 1,
          .height = 1,
          .samples = 2,
          .extra = 1 + EXTRASAMPLE_UNSPECIFIED,
          .photometric = PHOTOMETRIC_MINISBLACK},
         "2 channels that are not red"},
        {{.width = 1, .height = 1, .samples = 3, .photometric = PHOTOMETRIC_MINISBLACK},
         "3 channels that are not red"},
        {{.width = 1,
          .height = 1,
          .samples = 4,
          .extra = 1 + EXTRASAMPLE_UNSPECIFIED,
          .photometric = PHOTOMETRIC_RGB},
         "4 channels that are not red"},
        {{.width = 1, .height = 1, .samples = 4, .photometric = PHOTOMETRIC_SEPARATED},
         "--channel 0..3"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *path = put_tiff(*state, "w", &kinds[i].p, "\x0b\x16\x21\x2c");
        must_fail(path, NULL, RUG_E_ARG, kinds[i].text);
        rug_file *file = read_channel(path, 1);
        assert_pixel(file, 0, 0, 0, 22);
        assert_int_equal(rug_file_get_facts(file)->n_channels, kinds[i].p.samples);
        assert_int_equal(rug_file_get_facts(file)->dropped_alpha, 0);
        rug_file_free(file);
    }
}

static void spacing(void **state)
{
    static const struct {
        int unit;
        float x, y;
        const char *description;
        double sx, sy;
        const char *name;
    } kinds[] = {{0, 0, 0, NULL, 0, 0, NULL},
                 {RESUNIT_INCH, 300, 300, NULL, 0, 0, NULL},
                 {RESUNIT_CENTIMETER, 20000, 10000, NULL, 0.0005, 0.001, "mm"},
                 {RESUNIT_CENTIMETER, 0, 10000, NULL, 0, 0.001, "mm"},
                 {RESUNIT_NONE, 2, 4, "ImageJ=1.53t\nunit=micron\n", 0.5, 0.25, "um"},
                 {RESUNIT_NONE, 2, 4, "ImageJ=1.53t\nunit=\\u00B5m\n", 0.5, 0.25, "um"},
                 {RESUNIT_NONE, 2, 4, "ImageJ=1.53t\nunit=nm\n", 0.5, 0.25, "nm"},
                 {RESUNIT_NONE, 2, 4, "ImageJ=1.53t\nunit=cm\n", 5, 2.5, "mm"},
                 {RESUNIT_NONE, 2, 4, "ImageJ=1.53t\nunit=pixel\n", 0, 0, NULL},
                 {RESUNIT_NONE, 2, 4, "ImageJ=1.53t\n", 0, 0, NULL},
                 {RESUNIT_INCH, 72, 72,
                  "<?xml version=\"1.0\"?><OME xmlns=\"x\"><Image ID=\"Image:0\"><Pixels "
                  "SizeX=\"3\" "
                  "PhysicalSizeX=\"0.65\" PhysicalSizeY=\"0.325\" "
                  "PhysicalSizeXUnit=\"\xc2\xb5m\"/></Image>"
                  "</OME>",
                  0.65, 0.325, "um"},
                 {0, 0, 0,
                  "<OME><Image><Pixels PhysicalSizeX=\"0.001\" PhysicalSizeXUnit=\"mm\" "
                  "PhysicalSizeY=\"2\" PhysicalSizeYUnit=\"&#181;m\"/></Image></OME>",
                  0.001, 0.002, "mm"},
                 {0, 0, 0,
                  "<OME><Image><Pixels PhysicalSizeX=\"nonsense\"/></Image></OME>", 0, 0,
                  NULL},
                 {0, 0, 0, "<OME><Image><Pixels PhysicalSizeX=", 0, 0, NULL}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        page p = {.width = 3,
                  .height = 2,
                  .photometric = PHOTOMETRIC_MINISBLACK,
                  .unit = kinds[i].unit,
                  .x_per_unit = kinds[i].x,
                  .y_per_unit = kinds[i].y,
                  .description = kinds[i].description};
        rug_file *file = must_read(put_tiff(*state, "w", &p, "abcdef"), NULL);
        const rug_image *m = rug_file_image(file);
        assert_true(kinds[i].sx == 0 ? m->spacing[1] == 0
                                     : (assert_near(m->spacing[1], kinds[i].sx), 1));
        assert_true(kinds[i].sy == 0 ? m->spacing[0] == 0
                                     : (assert_near(m->spacing[0], kinds[i].sy), 1));
        assert_true((m->spacing_unit == NULL) == (kinds[i].name == NULL));
        if (kinds[i].name != NULL)
            assert_string_equal(m->spacing_unit, kinds[i].name);
        rug_file_free(file);
    }
}

static void types_that_are_not_read(void **state)
{
    static const struct {
        int bits, format;
        const char *text;
    } types[] = {{24, SAMPLEFORMAT_UINT, "24 bits (unsigned)"},
                 {33, SAMPLEFORMAT_INT, "33 bits (signed)"},
                 {48, SAMPLEFORMAT_IEEEFP, "48 bits (float)"},
                 {64, SAMPLEFORMAT_COMPLEXIEEEFP, "64 bits (complex)"},
                 {32, SAMPLEFORMAT_COMPLEXINT, "32 bits (complex)"}};
    double pixels[2] = {0};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        page p = {.width = 2,
                  .height = 1,
                  .bits = types[i].bits,
                  .format = types[i].format,
                  .photometric = PHOTOMETRIC_MINISBLACK};
        must_fail(put_tiff(*state, "w", &p, pixels), NULL, RUG_E_UNSUPPORTED,
                  types[i].text);
    }
}

/* Replaces the value of a tag in the first directory of a little-endian file. */
static const char *lie(scratch *here, unsigned tag, uint32_t value)
{
    size_t n;
    unsigned char *bytes = get_bytes(scratch_path(here, "a.tif"), &n);
    size_t at = bytes[4] | (size_t)bytes[5] << 8 | (size_t)bytes[6] << 16;
    for (size_t i = 0, count = bytes[at]; i < count; i++) {
        unsigned char *entry = bytes + at + 2 + 12 * i;
        if ((entry[0] | (unsigned)entry[1] << 8) != tag)
            continue;
        entry[2] = TIFF_LONG;
        for (int b = 0; b < 4; b++)
            entry[8 + b] = (unsigned char)(value >> 8 * b);
    }
    const char *path = put_bytes(here, "lie.tif", bytes, n);
    free(bytes);
    return path;
}

/* Compressions that libtiff does not decode; colours as JPEG 2000 libvips would take for YCbCr. */
static void codecs_that_are_missing(void **state)
{
    static const struct {
        uint32_t compression;
        const char *text;
    } codecs[] = {{34712, "JPEG 2000 (34712)"},
                  {33005, "JPEG 2000 (33005)"},
                  {50002, "JPEG XL (50002)"},
                  {12345, "a method without a name here (12345)"}};
    page p = {.width = 2, .height = 1, .samples = 3, .photometric = PHOTOMETRIC_RGB};
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++) {
        put_tiff(*state, "wl", &p, "abcdef");
        must_fail(lie(*state, TIFFTAG_COMPRESSION, codecs[i].compression), NULL,
                  RUG_E_UNSUPPORTED, codecs[i].text);
    }
}

static void sizes_that_lie(void **state)
{
    page p = {.width = 3, .height = 2, .bits = 16, .photometric = PHOTOMETRIC_MINISBLACK};
    put_tiff(*state, "wl", &p, PIXELS(uint16_t));
    must_fail(lie(*state, TIFFTAG_IMAGEWIDTH, 9000000), NULL, RUG_E_FORMAT, "can hold");
    must_fail(lie(*state, TIFFTAG_IMAGELENGTH, 4000000000u), NULL, RUG_E_FORMAT, "");
    must_fail(lie(*state, TIFFTAG_IMAGELENGTH, 0), NULL, RUG_E_FORMAT, "");
    must_fail(lie(*state, TIFFTAG_IMAGEWIDTH, 0), NULL, RUG_E_FORMAT, "");
    for (int i = 0; i < 100;
         i++) /* each time: threads of libvips must not lose the failure */
        must_fail(lie(*state, TIFFTAG_STRIPOFFSETS, 4000000000u), NULL, RUG_E_FORMAT, "");
    p.compression = COMPRESSION_ADOBE_DEFLATE;
    put_tiff(*state, "wl", &p, PIXELS(uint16_t));
    must_fail(lie(*state, TIFFTAG_IMAGEWIDTH, 9000000), NULL, RUG_E_FORMAT, "can hold");
}

static void cut_off(void **state)
{
    scratch *here = *state;
    uint16_t pixels[12 * 10];
    for (size_t i = 0; i < 120; i++)
        pixels[i] = (uint16_t)(i * i * 5);
    for (int way = 0; way < 3; way++) {
        page p = {.width = 12,
                  .height = 10,
                  .bits = 16,
                  .photometric = PHOTOMETRIC_MINISBLACK,
                  .compression = way == 1 ? COMPRESSION_LZW : COMPRESSION_NONE,
                  .tile = way == 2 ? 16 : 0};
        size_t n;
        free(get_bytes(put_tiff(here, way == 2 ? "w8" : "w", &p, pixels), &n));
        int kept = begin_silence(here);
        size_t n_errors = cut_everywhere(here, "a.tif", NULL, way == 2 ? 7 : 1);
        end_silence(here, kept);
        assert_true(
            n_errors >
            (way == 2 ? n / 8 : n - 60)); /* the last tags may be missed by none */
    }
}

/* ---- Damage ---- */

enum { WIDE = 800, HIGH = 1024, STRIP = 16 };

/* Writes noise in strips that make many pieces of work. */
static const char *put_noise(scratch *here, int compression)
{
    TIFF *tiff = TIFFOpen(scratch_path(here, "noise.tif"), "wl");
    page p = {.width = WIDE,
              .height = HIGH,
              .photometric = PHOTOMETRIC_MINISBLACK,
              .compression = compression};
    unsigned char strip[STRIP * WIDE];
    uint32_t seed = 1;
    assert_non_null(tiff);
    set_tags(tiff, &p);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, STRIP);
    for (uint32_t i = 0; i < HIGH / STRIP; i++) {
        for (size_t k = 0; k < sizeof strip; k++)
            strip[k] = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 28);
        assert_true(TIFFWriteEncodedStrip(tiff, i, strip, sizeof strip) > 0);
    }
    TIFFClose(tiff);
    return here->path;
}

/* Puts zeros into the middle of a strip. */
static void spoil_strip(const char *path, uint32_t strip)
{
    static const unsigned char zeros[64] = {0};
    TIFF *tiff = TIFFOpen(path, "r");
    assert_non_null(tiff);
    long at = (long)(TIFFGetStrileOffset(tiff, strip) +
                     TIFFGetStrileByteCount(tiff, strip) / 2);
    TIFFClose(tiff);
    FILE *file = fopen(path, "r+b");
    assert_true(file != NULL && fseek(file, at, SEEK_SET) == 0);
    assert_int_equal(fwrite(zeros, 1, sizeof zeros, file), sizeof zeros);
    fclose(file);
}

/* The first damaged strip is reported, on any number of threads. */
static void damage_is_named(void **state)
{
    const char *path = put_noise(*state, COMPRESSION_ADOBE_DEFLATE);
    spoil_strip(path, 60);
    spoil_strip(path, 41);
    for (int n_threads = 1; n_threads <= 8; n_threads *= 2) {
        rug_context_set_threads(ctx, n_threads);
        must_fail(path, NULL, RUG_E_FORMAT, "row 656, column 0 of TIFF directory 0: ");
    }
    rug_context_set_threads(ctx, 0);
}

/* A file that is cut while it is open fails; it does not kill the process. */
static void shrinking(void **state)
{
    static const int compressions[] = {COMPRESSION_NONE, COMPRESSION_LZW};
    for (size_t i = 0; i < 2; i++)
        for (size_t first = 0; first <= 64; first += 64) {
            const char *path = put_noise(*state, compressions[i]);
            rug_file *file;
            rug_image slab;
            size_t n_bytes;
            free(get_bytes(path, &n_bytes));
            assert_int_equal(rug_file_open(ctx, &file, path, NULL), RUG_OK);
            const rug_source *source = rug_file_source(file);
            if (first > 0)
                assert_int_equal(source->read(ctx, source->user, &slab, 0, first),
                                 RUG_OK);
            assert_int_equal(truncate(path, (off_t)(n_bytes / 2)), 0);
            rug_status status =
                first > 0 ? source->read(ctx, source->user, &slab, first, HIGH - first)
                          : rug_file_load(ctx, file);
            assert_int_equal(status, RUG_E_FORMAT);
            assert_non_null(strstr(rug_context_error(ctx), "of TIFF directory 0"));
            rug_file_free(file);
        }
}

/* What names a scanner but is no slide is read all the same. */
static void no_slide(void **state)
{
    static const char *const texts[] = {
        "Aperio Image Library", "see http://www.leica-microsystems.com/scn/2010/10/01"};
    for (size_t i = 0; i < 2; i++) {
        page p = {.width = 3,
                  .height = 2,
                  .photometric = PHOTOMETRIC_MINISBLACK,
                  .description = texts[i]};
        rug_file *file = must_read(put_tiff(*state, "w", &p, "abcdef"), NULL);
        assert_string_equal(rug_file_get_facts(file)->format, "tiff");
        assert_pixel(file, 0, 1, 2, 'f');
        rug_file_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_type),
        SCRATCH_TEST(signed_and_fractions_stay),
        SCRATCH_TEST(white_is_zero),
        SCRATCH_TEST(white_is_zero_has_no_meaning_for_signed),
        SCRATCH_TEST(tiles_and_planes),
        SCRATCH_TEST(luma_of_every_type),
        SCRATCH_TEST(equal_channels_and_one_channel),
        SCRATCH_TEST(alpha_is_never_data),
        SCRATCH_TEST(channels_that_are_no_colours),
        SCRATCH_TEST(spacing),
        SCRATCH_TEST(types_that_are_not_read),
        SCRATCH_TEST(sizes_that_lie),
        SCRATCH_TEST(codecs_that_are_missing),
        SCRATCH_TEST(cut_off),
        SCRATCH_TEST(damage_is_named),
        SCRATCH_TEST(shrinking),
        SCRATCH_TEST(no_slide),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
