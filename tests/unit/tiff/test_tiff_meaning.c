/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the samples of a TIFF page mean: alpha that colours were multiplied by, logarithms, samples that
 * are no brightness, tags that say nothing. */

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

/* Colours that were multiplied by alpha stay as they are stored, also where alpha is 0. */
static void multiplied_colours_stay(void **state)
{
    page p = {.width = 3,
              .height = 1,
              .samples = 2,
              .extra = 1 + EXTRASAMPLE_ASSOCALPHA,
              .photometric = PHOTOMETRIC_MINISBLACK};
    rug_file *file = must_read(put_tiff(*state, "w", &p, "\x32\x64\x3c\x64\x07\0"), NULL);
    assert_pixel(file, 0, 0, 0, 50);
    assert_pixel(file, 0, 0, 1, 60);
    assert_pixel(file, 0, 0, 2, 7);
    rug_file_free(file);
}

/* What other samples would be is raw codes. */
static void samples_that_are_no_brightness(void **state)
{
    static const struct {
        int samples, photometric, bits, planar;
        const char *text;
    } kinds[] = {{3, PHOTOMETRIC_YCBCR, 16, 0, "YCbCr other than of 8 bits"},
                 {3, PHOTOMETRIC_YCBCR, 8, 1, "YCbCr other than of 8 bits"},
                 {1, PHOTOMETRIC_CFA, 8, 0, "mosaic"},
                 {1, PHOTOMETRIC_LOGL, 8, 0, "LogL without"},
                 {1, PHOTOMETRIC_MASK, 8, 0, "transparency mask"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        page p = {.width = 2,
                  .height = 2,
                  .bits = kinds[i].bits,
                  .samples = kinds[i].samples,
                  .planar = kinds[i].planar,
                  .photometric = kinds[i].photometric};
        must_fail(put_tiff(*state, "w", &p, "abcdefghijklmnopqrstuvwx"), NULL,
                  RUG_E_UNSUPPORTED, kinds[i].text);
    }
}

static void logarithms_of_luminance(void **state)
{
    scratch *here = *state;
    TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), "w");
    page p = {.width = 3,
              .height = 2,
              .bits = 32,
              .format = SAMPLEFORMAT_IEEEFP,
              .photometric = PHOTOMETRIC_LOGL,
              .compression = COMPRESSION_SGILOG};
    add_page(tiff, &p, (float[]){1, 2, 4, 8, 16, 0.5f});
    TIFFClose(tiff);
    rug_file *file = must_read(here->path, NULL);
    assert_shape(file, RUG_F32, 0, 2, 3);
    double last = pixel(file, 0, 1, 1);
    assert_true(last > 15.9 && last < 16.1);
    rug_file_free(file);
}

/* Adds an entry to the only directory of a little-endian file, at its end. */
static const char *with_entry(scratch *here, unsigned tag, unsigned type, uint32_t count,
                              uint32_t value)
{
    size_t n, out = 0;
    unsigned char *bytes = get_bytes(scratch_path(here, "a.tif"), &n), entry[12];
    size_t at = bytes[4] | (size_t)bytes[5] << 8 | (size_t)bytes[6] << 16;
    size_t n_entries = bytes[at];
    unsigned char *more = calloc(n + 2 + 12 * (n_entries + 1) + 4, 1);
    assert_non_null(more);
    memcpy(more, bytes, n);
    for (int i = 0; i < 2; i++) {
        entry[i] = (unsigned char)(tag >> 8 * i);
        entry[2 + i] = (unsigned char)(type >> 8 * i);
    }
    for (int i = 0; i < 4; i++) {
        entry[4 + i] = (unsigned char)(count >> 8 * i);
        entry[8 + i] = (unsigned char)(value >> 8 * i);
        more[4 + i] = (unsigned char)(n >> 8 * i);
    }
    out = n;
    more[out] = (unsigned char)(n_entries + 1);
    memcpy(more + out + 2, bytes + at + 2, 12 * n_entries);
    memcpy(more + out + 2 + 12 * n_entries, entry, 12); /* its tag is the largest */
    free(bytes);
    const char *path =
        put_bytes(here, "more.tif", more, out + 2 + 12 * (n_entries + 1) + 4);
    free(more);
    return path;
}

/* What libtiff says of tags that no pixel needs is no damage; also where libvips decodes. */
static void empty_tags_are_no_damage(void **state)
{
    static const struct {
        unsigned tag, type;
        uint32_t count, value;
    } tags[] = {{32934, TIFF_LONG, 0, 0},          {65000, TIFF_LONG, 0, 0},
                {34665, TIFF_LONG, 1, 99999999},   {34675, TIFF_UNDEFINED, 9, 99999999},
                {65001, TIFF_LONG, 4000000000, 8}, {65002, 99, 1, 1}};
    static const page kinds[] = {
        {.width = 2, .height = 2, .photometric = PHOTOMETRIC_MINISBLACK},
        {.width = 2, .height = 2, .samples = 4, .photometric = PHOTOMETRIC_SEPARATED},
        {.width = 2, .height = 2, .samples = 3, .photometric = PHOTOMETRIC_CIELAB}};
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.channel = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
            rug_file *twin =
                must_read(put_tiff(*state, "wl", &kinds[k], "abcdefghijklmnop"), &opts);
            rug_file *file = must_read(with_entry(*state, tags[i].tag, tags[i].type,
                                                  tags[i].count, tags[i].value),
                                       &opts);
            assert_true(same_pixels(file, twin));
            rug_file_free(twin);
            rug_file_free(file);
        }
}

/* A palette is colours for an image, and indices for labels: of 1 to 8 bits, in TIFF and PNG. */
static void indices_of_palettes(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    uint16_t map[3][16] = {{0, 65535}, {0, 0, 65535}, {0, 9000, 0, 65535}};
    scratch *here = *state;
    TIFF *tiff = TIFFOpen(scratch_path(here, "palette.tif"), "w");
    assert_non_null(tiff);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 4);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 4);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_PALETTE);
    TIFFSetField(tiff, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
    assert_int_equal(TIFFWriteEncodedStrip(tiff, 0, "\x01\x23", 2), 2);
    TIFFClose(tiff);
    static const unsigned char png[] =
        "\211\120\116\107\015\012\032\012\000\000\000\015\111\110\104\122\000\000\000\004\000\000\000\001\002\003\000\000\000\204\122\347\136"
        "\000\000\000\014\120\114\124\105\000\000\000\377\000\000\000\377\000\000\000\377\233\300\023\334"
        "\000\000\000\012\111\104\101\124\170\234\143\220\006\000\000\035\000\034\216\364\365\041\000\000\000\000\111\105\116\104\256\102\140\202";
    put_bytes(here, "palette.png", png, sizeof png - 1);
    for (int i = 0; i < 2; i++) {
        const char *path = scratch_path(here, i == 0 ? "palette.tif" : "palette.png");
        rug_file *file = must_read(path, NULL);
        assert_int_equal(rug_file_get_facts(file)->n_channels, 3);
        assert_null(rug_file_get_facts(file)->meaning);
        rug_file_free(file);
        opts.channel = RUG_CHANNEL_INDICES;
        file = must_read(path, &opts);
        assert_string_equal(rug_file_get_facts(file)->meaning, "palette indices");
        for (size_t x = 0; x < 4; x++)
            assert_pixel(file, 0, 0, x, (double)x);
        rug_file_free(file);
    }
}

static void lossy_pages(void **state)
{
    static const unsigned char grey[16 * 16];
    page p = {.width = 16,
              .height = 16,
              .photometric = PHOTOMETRIC_MINISBLACK,
              .tile = 16,
              .compression = COMPRESSION_JPEG};
    rug_file *file = must_read(put_tiff(*state, "w", &p, grey), NULL);
    assert_string_equal(rug_file_get_facts(file)->lossy, "JPEG-compressed TIFF");
    rug_file_free(file);
    p.compression = COMPRESSION_ADOBE_DEFLATE;
    file = must_read(put_tiff(*state, "w", &p, grey), NULL);
    assert_null(rug_file_get_facts(file)->lossy);
    rug_file_free(file);
}

/* ---- Chains of directories ---- */

static void put_short(unsigned char *at, unsigned value)
{
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
}

static void put_long(unsigned char *at, size_t value)
{
    put_short(at, (unsigned)(value & 0xffff));
    put_short(at + 2, (unsigned)(value >> 16));
}

/* Pages of 4 x 4 bytes, which share their pixels. @param back  what the last page leads to; -1: nothing */
static const char *put_chain(scratch *here, size_t n, int back, int is_lab)
{
    const unsigned tags[9][3] = {{256, 3, 4},
                                 {257, 3, 4},
                                 {258, 3, 8},
                                 {259, 3, 1},
                                 {262, 3, is_lab ? PHOTOMETRIC_CIELAB : 1},
                                 {273, 4, 8},
                                 {277, 3, is_lab ? 3 : 1},
                                 {278, 3, 4},
                                 {279, 4, is_lab ? 48 : 16}};
    enum { HEAD = 24, SIZE = 2 + 9 * 12 + 4 };
    unsigned char *bytes = calloc(HEAD + n * SIZE, 1);
    assert_non_null(bytes);
    memcpy(bytes, "II*\0", 4);
    put_long(bytes + 4, HEAD);
    for (size_t i = 0; i < n; i++) {
        unsigned char *at = bytes + HEAD + i * SIZE;
        put_short(at, 9);
        for (size_t k = 0; k < 9; k++) {
            put_short(at + 2 + 12 * k, tags[k][0]);
            put_short(at + 4 + 12 * k, tags[k][1]);
            put_long(at + 6 + 12 * k, 1);
            put_long(at + 10 + 12 * k, tags[k][2]);
        }
        size_t next = i + 1 < n ? i + 1 : (size_t)back;
        put_long(at + SIZE - 4, next != (size_t)-1 ? HEAD + next * SIZE : 0);
    }
    const char *path = put_bytes(here, "chain.tif", bytes, HEAD + n * SIZE);
    free(bytes);
    return path;
}

static void chains(void **state)
{
    scratch *here = *state;
    rug_read_options volume = RUG_READ_OPTIONS_INIT;
    rug_file *file;
    volume.volume = 1;
    assert_int_equal(rug_file_open(ctx, &file, put_chain(here, 65600, -1, 0), &volume),
                     RUG_OK);
    assert_shape(file, RUG_U8, 65600, 4, 4);
    rug_file_free(file);
    for (int back = 0; back < 10; back++)
        must_fail(put_chain(here, 10, back, 0), NULL, RUG_E_FORMAT,
                  "leads back to one before it");
    volume.channel = 0;
    must_fail(put_chain(here, 1001, -1, 1), &volume, RUG_E_UNSUPPORTED,
              "1001 slices of a kind that is read by libvips");
}

/* Indices of 16 bits are labels as they are. */
static void wide_indices(void **state)
{
    static uint16_t map[65536];
    scratch *here = *state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    TIFF *tiff = TIFFOpen(scratch_path(here, "wide.tif"), "wb");
    assert_non_null(tiff);
    page p = {.width = 2, .height = 1, .bits = 16, .photometric = PHOTOMETRIC_PALETTE};
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
    TIFFSetField(tiff, TIFFTAG_COLORMAP, map, map, map);
    add_page(tiff, &p, (uint16_t[]){300, 65535});
    TIFFClose(tiff);
    opts.channel = RUG_CHANNEL_INDICES;
    rug_file *file = must_read(here->path, &opts);
    assert_shape(file, RUG_U16, 0, 1, 2);
    assert_pixel(file, 0, 0, 0, 300);
    assert_pixel(file, 0, 0, 1, 65535);
    assert_string_equal(rug_file_get_facts(file)->meaning, "palette indices");
    rug_file_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(multiplied_colours_stay),
        SCRATCH_TEST(samples_that_are_no_brightness),
        SCRATCH_TEST(logarithms_of_luminance),
        SCRATCH_TEST(empty_tags_are_no_damage),
        SCRATCH_TEST(lossy_pages),
        SCRATCH_TEST(chains),
        SCRATCH_TEST(indices_of_palettes),
        SCRATCH_TEST(wide_indices),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
