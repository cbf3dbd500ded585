/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Every kind of TIFF page against libvips, pixel for pixel: types, layouts, compressions, planes,
 * byte and bit orders, photometric interpretations. Then large pages on many threads. Planes that
 * libvips 8.14 refuses (tiles) or confuses (grey, strips of several rows) are compared with what
 * libtiff reads one row or tile after the other. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "../io/read_support.h"
#include "support.h"

#include <tiffio.h>
#include <vips/vips.h>

/* What a pixel is. */
typedef struct kind {
    int bits, format, samples, photometric;
    int extra; /* EXTRASAMPLE_* of the last sample; -1 = none */
    int map;   /* colour maps: 0 = colours, 1 = of 8 bits, 2 = greys */
} kind;

/* How a page is stored. */
typedef struct layout {
    uint32_t height, width; /* of a strip, which has no width, or a tile */
    int compression, predictor, planar, is_reversed;
    const char *mode; /* of TIFFOpen() */
} layout;

enum { WIDTH = 53, HEIGHT = 37 };

static uint32_t noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void set_map(TIFF *tiff, const kind *k)
{
    uint16_t maps[3][256];
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 256; i++) {
            int value = k->map == 2 ? 255 - i : (i * (37 + 20 * c) + 91 * c) % 256;
            maps[c][i] = (uint16_t)(k->map == 1 ? value : value * 257);
        }
    TIFFSetField(tiff, TIFFTAG_COLORMAP, maps[0], maps[1], maps[2]);
}

static void set_kind(TIFF *tiff, const kind *k, uint32_t width, uint32_t height)
{
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, k->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, k->format);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, k->samples);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, k->photometric);
    if (k->extra >= 0)
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &(uint16_t){(uint16_t)k->extra});
    if (k->photometric == PHOTOMETRIC_PALETTE)
        set_map(tiff, k);
}

static void set_layout(TIFF *tiff, const kind *k, const layout *l)
{
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
                 l->planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_FILLORDER,
                 l->is_reversed ? FILLORDER_LSB2MSB : FILLORDER_MSB2LSB);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, l->compression);
    if (l->compression == COMPRESSION_LZMA) /* others clear megabytes for each strip */
        TIFFSetField(tiff, TIFFTAG_LZMAPRESET, 0);
    if (l->predictor != 0)
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, l->predictor);
    if (k->photometric == PHOTOMETRIC_YCBCR)
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    if (l->width != 0) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, l->width);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, l->height);
    } else
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, l->height);
}

/* Fills every strip or tile with smooth noise. */
static void write_blocks(TIFF *tiff)
{
    int tiled = TIFFIsTiled(tiff);
    tmsize_t size = tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    uint32_t n = tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff), seed = 5;
    unsigned char *bytes = malloc((size_t)size);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < n; i++) {
        for (tmsize_t b = 0; b < size; b++)
            bytes[b] = (unsigned char)((unsigned)b / 2 + i * 9 + noise(&seed) % 60);
        if (tiled)
            assert_int_equal(TIFFWriteEncodedTile(tiff, i, bytes, size), size);
        else { /* the last strip of a plane is shorter */
            uint32_t height = 0, rows = 0;
            TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
            TIFFGetField(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
            uint32_t down = (height - 1) / rows + 1, row = i % down * rows;
            tmsize_t part =
                TIFFVStripSize(tiff, rows < height - row ? rows : height - row);
            assert_int_equal(TIFFWriteEncodedStrip(tiff, i, bytes, part), part);
        }
    }
    free(bytes);
}

static const char *put(scratch *here, const kind *k, const layout *l, uint32_t width,
                       uint32_t height)
{
    TIFF *tiff = TIFFOpen(scratch_path(here, "kind.tif"), l->mode);
    assert_non_null(tiff);
    set_kind(tiff, k, width, height);
    set_layout(tiff, k, l);
    write_blocks(tiff);
    TIFFClose(tiff);
    return here->path;
}

/* ---- Against libvips ---- */

/* The pixels as libvips sees them, bands beside each other; NULL = it cannot. */
static VipsImage *vips_sees(const char *path)
{
    VipsImage *file = NULL, *memory = NULL;
    if (vips_tiffload(path, &file, "fail_on", VIPS_FAIL_ON_ERROR, NULL) == 0)
        memory = vips_image_copy_memory(file);
    VIPS_UNREF(file);
    if (memory != NULL && vips_error_buffer()[0] != '\0')
        VIPS_UNREF(memory);
    return memory;
}

/* Reads a plane's row or tile. */
static void read_plane(TIFF *tiff, unsigned char *to, size_t row_bytes, uint32_t width,
                       uint32_t height, uint16_t plane)
{
    if (!TIFFIsTiled(tiff)) {
        for (uint32_t y = 0; y < height; y++)
            assert_int_equal(TIFFReadScanline(tiff, to + y * row_bytes, y, plane), 1);
        return;
    }
    uint32_t tw = 0, th = 0;
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &tw);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &th);
    size_t size = row_bytes / width;
    unsigned char *tile = malloc((size_t)TIFFTileSize(tiff));
    assert_non_null(tile);
    for (uint32_t y = 0; y < height; y += th)
        for (uint32_t x = 0; x < width; x += tw) {
            assert_true(TIFFReadTile(tiff, tile, x, y, 0, plane) > 0);
            size_t n = width - x < tw ? width - x : tw;
            for (uint32_t k = 0; k < th && y + k < height; k++)
                memcpy(to + (y + k) * row_bytes + x * size, tile + k * tw * size,
                       n * size);
        }
    free(tile);
}

/* The pixels of planes as libtiff sees them. */
static VipsImage *libtiff_sees(const char *path, const kind *k, uint32_t width,
                               uint32_t height)
{
    TIFF *tiff = TIFFOpen(path, "r");
    size_t size = (size_t)k->bits / 8, n = (size_t)width * height;
    size_t step = size * (size_t)k->samples;
    unsigned char *plane = malloc(n * size), *all = malloc(n * step);
    assert_true(tiff != NULL && plane != NULL && all != NULL);
    for (int c = 0; c < k->samples; c++) {
        read_plane(tiff, plane, width * size, width, height, (uint16_t)c);
        int inverted = c == 0 && k->photometric == PHOTOMETRIC_MINISWHITE;
        for (size_t i = 0; i < n * size; i++)
            all[i / size * step + (size_t)c * size + i % size] =
                (unsigned char)(inverted ? ~plane[i] : plane[i]);
    }
    TIFFClose(tiff);
    VipsBandFormat format = size == 1   ? VIPS_FORMAT_UCHAR
                            : size == 2 ? VIPS_FORMAT_USHORT
                                        : VIPS_FORMAT_UINT;
    VipsImage *image = vips_image_new_from_memory_copy(all, n * step, (int)width,
                                                       (int)height, k->samples, format);
    free(plane);
    free(all);
    return image;
}

/* The pixels of a file as they should be. */
static VipsImage *truth(const char *path, const kind *k, const layout *l, uint32_t width,
                        uint32_t height)
{
    int is_gray = k->photometric == PHOTOMETRIC_MINISBLACK ||
                  k->photometric == PHOTOMETRIC_MINISWHITE;
    vips_error_clear();
    VipsImage *image = l->planar && (l->width != 0 || is_gray)
                           ? libtiff_sees(path, k, width, height)
                           : vips_sees(path);
    if (image == NULL)
        fail_msg("libvips: %s", vips_error_buffer());
    return image;
}

/* Nonzero when a plane is a band. */
static int is_band(const rug_image *plane, VipsImage *image, int band)
{
    size_t size = rug_dtype_size(plane->dtype), n = rug_image_pixels(plane);
    size_t step = size * (size_t)vips_image_get_bands(image);
    const unsigned char *from = vips_image_get_data(image);
    const unsigned char *pixels = plane->data;
    if (VIPS_IMAGE_SIZEOF_ELEMENT(image) != size ||
        n != (size_t)vips_image_get_width(image) * (size_t)vips_image_get_height(image))
        return 0;
    if (step == size)
        return memcmp(pixels, from, n * size) == 0;
    from += (size_t)band * size;
    for (size_t i = 0; i < n * size; i++)
        if (pixels[i] != from[i / size * step + i % size])
            return 0;
    return 1;
}

/* Compares each channel of a file with the band of libvips, and colours as planes. */
static void compare(const char *path, VipsImage *image, const char *what)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    int n_channels = 1;
    for (int c = 0; c < n_channels; c++) {
        rug_file *file;
        opts.channel = c;
        if (rug_file_read(ctx, &file, path, &opts) != RUG_OK)
            fail_msg("%s: %s", what, rug_context_error(ctx));
        n_channels = rug_file_get_facts(file)->n_channels;
        if (!is_band(rug_file_image(file), image, c))
            fail_msg("%s: channel %d differs", what, c);
        rug_file_free(file);
    }
    opts.channel = -1;
    opts.planes = 1;
    rug_file *file;
    rug_status status = rug_file_read(ctx, &file, path, &opts);
    if (status == RUG_E_ARG) /* channels that are no colours */
        return;
    assert_int_equal(status, RUG_OK);
    for (int c = 0; c < rug_file_get_facts(file)->n_planes; c++) {
        rug_image plane = rug_file_plane(file, c);
        if (!is_band(&plane, image, c))
            fail_msg("%s: plane %d differs", what, c);
    }
    rug_file_free(file);
}

/* Slabs must be what the whole is, too; luma where there are colours. */
static void compare_slabs(const char *path)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    rug_file *file;
    if (rug_file_read(ctx, &file, path, &opts) == RUG_E_ARG) {
        opts.channel = 1;
        assert_int_equal(rug_file_read(ctx, &file, path, &opts), RUG_OK);
    }
    assert_slabs(ctx, path, &opts, file);
    rug_file_free(file);
}

static void check(scratch *here, const kind *k, const layout *l)
{
    static int n_checked;
    char what[200];
    snprintf(
        what, sizeof what,
        "%d bits, format %d, %d samples, photometric %d, extra %d, map %d, block %ux%u, "
        "compression %d, predictor %d, planar %d, reversed %d, mode %s",
        k->bits, k->format, k->samples, k->photometric, k->extra, k->map, l->height,
        l->width, l->compression, l->predictor, l->planar, l->is_reversed, l->mode);
    kind twin = *k; /* libvips divides colours by alpha where they were multiplied */
    if (k->extra == EXTRASAMPLE_ASSOCALPHA)
        twin.extra = EXTRASAMPLE_UNASSALPHA;
    const char *path = put(here, &twin, l, WIDTH, HEIGHT);
    VipsImage *image = truth(path, &twin, l, WIDTH, HEIGHT);
    put(here, k, l, WIDTH, HEIGHT);
    compare(path, image, what);
    if (n_checked++ % 8 == 0) /* they take as long as the rest */
        compare_slabs(path);
    g_object_unref(image);
}

static const kind kinds[] = {
#define GRAY(bits, format)                             \
    {bits, format, 1, PHOTOMETRIC_MINISBLACK, -1, 0},  \
    {                                                  \
        bits, format, 1, PHOTOMETRIC_MINISWHITE, -1, 0 \
    }
    GRAY(1, SAMPLEFORMAT_UINT),
    GRAY(2, SAMPLEFORMAT_UINT),
    GRAY(4, SAMPLEFORMAT_UINT),
    GRAY(8, SAMPLEFORMAT_UINT),
    GRAY(8, SAMPLEFORMAT_INT),
    GRAY(16, SAMPLEFORMAT_UINT),
    GRAY(16, SAMPLEFORMAT_INT),
    GRAY(32, SAMPLEFORMAT_UINT),
    GRAY(32, SAMPLEFORMAT_INT),
    GRAY(32, SAMPLEFORMAT_IEEEFP),
    {1, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_PALETTE, -1, 0},
    {2, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_PALETTE, -1, 0},
    {4, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_PALETTE, -1, 0},
    {8, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_PALETTE, -1, 0},
    {8, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_PALETTE, -1, 1},
    {8, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_PALETTE, -1, 2},
    {4, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_PALETTE, -1, 2},
    {8, SAMPLEFORMAT_UINT, 2, PHOTOMETRIC_MINISBLACK, EXTRASAMPLE_UNASSALPHA, 0},
    {8, SAMPLEFORMAT_UINT, 2, PHOTOMETRIC_PALETTE, EXTRASAMPLE_UNASSALPHA, 0},
    {16, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_MINISBLACK, -1, 0},
    {16, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_MINISWHITE, -1, 0},
    {8, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_RGB, -1, 0},
    {8, SAMPLEFORMAT_UINT, 2, PHOTOMETRIC_MINISBLACK, EXTRASAMPLE_ASSOCALPHA, 0},
    {8, SAMPLEFORMAT_UINT, 4, PHOTOMETRIC_RGB, EXTRASAMPLE_ASSOCALPHA, 0},
    {16, SAMPLEFORMAT_UINT, 4, PHOTOMETRIC_RGB, EXTRASAMPLE_ASSOCALPHA, 0},
    {8, SAMPLEFORMAT_UINT, 4, PHOTOMETRIC_RGB, EXTRASAMPLE_UNSPECIFIED, 0},
    {16, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_RGB, -1, 0},
    {16, SAMPLEFORMAT_UINT, 4, PHOTOMETRIC_RGB, EXTRASAMPLE_UNASSALPHA, 0},
    {32, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_RGB, -1, 0},
    {32, SAMPLEFORMAT_IEEEFP, 3, PHOTOMETRIC_RGB, -1, 0},
    {8, SAMPLEFORMAT_UINT, 4, PHOTOMETRIC_SEPARATED, -1, 0},
};

static const struct {
    uint32_t height, width;
} divisions[] = {{1, 0}, {5, 0}, {37, 0}, {16, 16}, {32, 48}};

static const char *const modes[] = {"wl", "wb", "w8l", "w8b"};

/* Those that go through libvips are left to it. */
static int is_known_in_planes(const kind *k)
{
    return k->samples > 1 && (k->photometric == PHOTOMETRIC_RGB ||
                              k->photometric == PHOTOMETRIC_MINISBLACK ||
                              k->photometric == PHOTOMETRIC_MINISWHITE);
}

/* Each kind in each division, with some compression and byte order: all pairs come in turn. */
static void every_kind(void **state)
{
    static const int compressions[] = {
        COMPRESSION_NONE,          COMPRESSION_PACKBITS,      COMPRESSION_LZW,
        COMPRESSION_ADOBE_DEFLATE, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_ZSTD,
        COMPRESSION_LZMA};
    size_t turn = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t d = 0; d < 5; d++)
            for (size_t c = 0; c < 7; c++, turn++) {
                if (turn % TEST_STEP(TEST_RACES(41, 23)) != 0)
                    continue;
                int compression = compressions[c];
                layout l = {.height = divisions[d].height,
                            .width = divisions[d].width,
                            .compression = compression,
                            .is_reversed = turn % 3 == 1,
                            .mode = modes[turn / 2 % 4]};
                int has_predictor = compression == COMPRESSION_LZW || c >= 3;
                if (has_predictor && turn % 2 == 0 && kinds[k].bits >= 8)
                    l.predictor = kinds[k].format == SAMPLEFORMAT_IEEEFP ? 3 : 2;
                if (!TIFFIsCODECConfigured((uint16_t)compression))
                    continue;
                check(*state, &kinds[k], &l);
                l.planar = 1;
                if (is_known_in_planes(&kinds[k]))
                    check(*state, &kinds[k], &l);
            }
}

/* Codecs that take some kinds only. */
static void every_codec(void **state)
{
    static const struct {
        int compression;
        kind kind;
    } codecs[] = {
        {COMPRESSION_CCITTRLE, {1, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISWHITE, -1, 0}},
        {COMPRESSION_CCITTFAX3, {1, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISWHITE, -1, 0}},
        {COMPRESSION_CCITTFAX4, {1, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISWHITE, -1, 0}},
        {COMPRESSION_CCITTFAX4, {1, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISBLACK, -1, 0}},
        {COMPRESSION_JPEG, {8, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISBLACK, -1, 0}},
        {COMPRESSION_JPEG, {8, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISWHITE, -1, 0}},
        {COMPRESSION_JPEG, {8, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_RGB, -1, 0}},
        {COMPRESSION_JPEG, {8, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_YCBCR, -1, 0}},
        {COMPRESSION_WEBP, {8, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_RGB, -1, 0}},
        {COMPRESSION_WEBP, {8, SAMPLEFORMAT_UINT, 4, PHOTOMETRIC_RGB, 2, 0}},
    };
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
        for (size_t d = 0; d < 5; d++)
            for (size_t order = d % TEST_STEP(2); order < 4; order += TEST_STEP(2)) {
                int is_jpeg = codecs[i].compression == COMPRESSION_JPEG;
                layout l = {.height = divisions[d].height,
                            .width = divisions[d].width,
                            .compression = codecs[i].compression,
                            .is_reversed = order == 1 && codecs[i].kind.bits == 1,
                            .mode = modes[order]};
                if (is_jpeg && l.width == 0) /* strips of whole JPEG blocks */
                    l.height = l.height < 16 ? 16 : 48;
                if (TIFFIsCODECConfigured((uint16_t)l.compression))
                    check(*state, &codecs[i].kind, &l);
            }
}

/* ---- Many threads ---- */

/* Pages with many pieces, on five threads, whole and in slabs. */
static void large_pages(void **state)
{
    static const kind large[] = {
        {8, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISBLACK, -1, 0},
        {16, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISWHITE, -1, 0},
        {32, SAMPLEFORMAT_IEEEFP, 1, PHOTOMETRIC_MINISBLACK, -1, 0},
        {8, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_RGB, -1, 0}};
    static const layout layouts[] = {
        {8, 0, COMPRESSION_NONE, 0, 0, 0, "wb"},
        {1501, 0, COMPRESSION_NONE, 0, 0, 0, "wl"},
        {64, 0, COMPRESSION_LZW, 0, 0, 0, "wl"},
        {256, 256, COMPRESSION_ADOBE_DEFLATE, 0, 0, 0, "wl"},
        {256, 256, COMPRESSION_ADOBE_DEFLATE, 0, 1, 0, "wl"},
        {1501, 0, COMPRESSION_ADOBE_DEFLATE, 0, 0, 0, "wl"}, /* row by row */
        {1501, 0, COMPRESSION_ADOBE_DEFLATE, 0, 1, 0, "wl"}};
    assert_int_equal(rug_context_set_threads(ctx, 5), RUG_OK);
    for (size_t k = 0; k < sizeof large / sizeof large[0]; k++)
        for (size_t i = k % TEST_STEP(TEST_RACES(4, 2));
             i < sizeof layouts / sizeof layouts[0]; i += TEST_STEP(TEST_RACES(4, 2))) {
            uint32_t height = 1501;
            if (layouts[i].planar && large[k].samples == 1)
                continue;
            const char *path = put(*state, &large[k], &layouts[i], 1999, height);
            VipsImage *image = truth(path, &large[k], &layouts[i], 1999, height);
            compare(path, image, "large");
            if ((k + i) % 2 == 0)
                compare_slabs(path);
            g_object_unref(image);
        }
    rug_context_set_threads(ctx, 0);
}

static void drop_message(const gchar *domain, GLogLevelFlags level, const gchar *text,
                         gpointer user)
{
    (void)domain;
    (void)level;
    (void)text;
    (void)user;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_kind),
        SCRATCH_TEST(every_codec),
        SCRATCH_TEST(large_pages),
    };
    if (VIPS_INIT("test_tiff_kinds") != 0)
        return 1;
    vips_cache_set_max(0); /* files change under the same name */
    g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, drop_message, NULL);
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
