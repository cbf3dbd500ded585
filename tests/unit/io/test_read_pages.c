/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pages, volumes and resolution levels of TIFF files and whole slides: what is a slice,
 * what a channel, what a level, and what is refused. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "read_support.h"

#include "picture_support.h"

static rug_read_options options(int at, int volume, int channel, int level)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.page = at;
    opts.volume = volume;
    opts.channel = channel;
    opts.level = level;
    return opts;
}

static rug_file *read_with(const char *path, int at, int volume, int channel, int level)
{
    rug_read_options opts = options(at, volume, channel, level);
    return must_read(path, &opts);
}

static void fail_with(const char *path, rug_read_options opts, rug_status status,
                      const char *text)
{
    must_fail(path, &opts, status, text);
}

static const page small = {
    .width = 16, .height = 16, .photometric = PHOTOMETRIC_MINISBLACK};

/* A stack is a volume when it is asked for, and page 0 of n when not. */
static void stack_of_five(void **state)
{
    const char *path = put_stack(*state, &small, 5, 10);
    for (int i = -1; i < 5; i++) {
        rug_file *file = read_with(path, i, 0, -1, 0);
        assert_shape(file, RUG_U8, 0, 16, 16);
        assert_pixel(file, 0, 7, 9, 10 + (i < 0 ? 0 : i));
        assert_int_equal(rug_file_get_facts(file)->n_pages, 5);
        assert_int_equal(rug_file_get_facts(file)->page, i < 0 ? 0 : i);
        rug_file_free(file);
    }
    fail_with(path, options(5, 0, -1, 0), RUG_E_ARG,
              "page 5 requested, but the tiff file has 5 (0..4)");
    rug_file *file = read_with(path, -1, 1, -1, 0);
    assert_shape(file, RUG_U8, 5, 16, 16);
    for (size_t z = 0; z < 5; z++)
        for (size_t i = 0; i < 256; i++)
            assert_pixel(file, z, i / 16, i % 16, 10 + (double)z);
    assert_int_equal(rug_file_get_facts(file)->page, -1);
    rug_file_free(file);
    fail_with(path, options(2, 1, -1, 0), RUG_E_ARG, "page 2 and a volume");
    fail_with(path, options(-1, 1, 1, 0), RUG_E_ARG, "channel 1 requested");
}

/* Pages are slices where nobody has asked, unless the file says that they are something else. */
static void slices_where_they_are(void **state)
{
    static const struct {
        const char *description;
        size_t nz; /* 0 = page 0 */
    } files[] = {{NULL, 6},
                 {"nothing of interest", 6},
                 {"ImageJ=1.54f\nimages=6\nslices=6\n", 6},
                 {"ImageJ=1.54f\nimages=6\nframes=6\n", 0},
                 {"ImageJ=1.54f\nimages=6\nchannels=2\nslices=3\n", 0},
                 {"<OME><broken", 0}};
    page p = small;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        p.description = files[i].description;
        rug_file *file = read_with(put_stack(*state, &p, 6, 0), -1, 2, -1, 0);
        assert_shape(file, RUG_U8, files[i].nz, 16, 16);
        assert_int_equal(rug_file_get_facts(file)->page, files[i].nz != 0 ? -1 : 0);
        rug_file_free(file);
    }
    p.description = NULL;
    rug_file *file = read_with(put_stack(*state, &p, 6, 0), 3, 2, -1, 0);
    assert_shape(file, RUG_U8, 0, 16, 16);
    assert_pixel(file, 0, 0, 0, 3);
    rug_file_free(file);
    file = read_with(put_stack(*state, &p, 1, 0), -1, 2, -1, 0);
    assert_shape(file, RUG_U8, 0, 16, 16);
    rug_file_free(file);
    fail_with(put_stack(*state, &p, 6, 0), options(-1, 3, -1, 0), RUG_E_ARG, "volume 3");
}

static void one_page_is_one_slice(void **state)
{
    rug_file *file = read_with(put_stack(*state, &small, 1, 3), -1, 1, -1, 0);
    assert_shape(file, RUG_U8, 1, 16, 16);
    assert_pixel(file, 0, 15, 15, 3);
    rug_file_free(file);
}

/* Three pages are three slices, and colour pages become slices of luma. */
static void colour_pages(void **state)
{
    page rgb = small;
    rgb.samples = 3;
    rgb.photometric = PHOTOMETRIC_RGB;
    rug_file *file = read_with(put_stack(*state, &rgb, 3, 7), -1, 1, -1, 0);
    assert_shape(file, RUG_U8, 3, 16, 16);
    assert_pixel(file, 2, 3, 4, 9);
    assert_int_equal(rug_file_get_facts(file)->equal_channels, 1);
    rug_file_free(file);
    TIFF *tiff = TIFFOpen(scratch_path(*state, "rgb.tif"), "w");
    rgb.width = rgb.height = 1;
    for (int i = 0; i < 2;
         i++) { /* of different layout, so that they are read one by one */
        rgb.compression = i == 0 ? COMPRESSION_LZW : COMPRESSION_NONE;
        add_page(tiff, &rgb, i == 0 ? "\x01\x02\x03" : "\x05\x05\x05");
    }
    TIFFClose(tiff);
    scratch *here = *state;
    file = read_with(here->path, -1, 1, -1, 0);
    assert_pixel(file, 0, 0, 0, 2);
    assert_pixel(file, 1, 0, 0, 5);
    assert_int_equal(rug_file_get_facts(file)->equal_channels, 0);
    rug_file_free(file);
    file = read_with(here->path, -1, 1, 2, 0);
    assert_pixel(file, 0, 0, 0, 3);
    assert_pixel(file, 1, 0, 0, 5);
    rug_file_free(file);
}

static void pages_that_differ(void **state)
{
    scratch *here = *state;
    for (int way = 0; way < 2; way++) {
        page other = small;
        other.bits = way == 0 ? 16 : 8;
        other.photometric = way == 1 ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK;
        unsigned char pixels[512] = {0};
        TIFF *tiff = TIFFOpen(scratch_path(here, "differ.tif"), "w");
        add_page(tiff, &small, pixels);
        add_page(tiff, &small, pixels);
        add_page(tiff, &other, pixels);
        TIFFClose(tiff);
        fail_with(here->path, options(-1, 1, -1, 0), RUG_E_FORMAT, "page 2 (");
        rug_file *file = read_with(here->path, 2, 0, -1, 0);
        assert_shape(file, way == 0 ? RUG_U16 : RUG_U8, 0, other.height, 16);
        rug_file_free(file);
    }
}

/* Pages of another size are no slices: the series with the most pixels is read, and that is said. */
static void previews(void **state)
{
    scratch *here = *state;
    unsigned char pixels[1024];
    page large = small;
    large.width = large.height = 32;
    for (int last = 0; last < 2; last++) {
        TIFF *tiff = TIFFOpen(scratch_path(here, "preview.tif"), "w");
        for (int i = 0; i < 5; i++) {
            memset(pixels, 10 + i, sizeof pixels);
            add_page(tiff, i == (last ? 4 : 0) ? &small : &large, pixels);
        }
        TIFFClose(tiff);
        rug_file *file = read_with(here->path, -1, 0, -1, 0);
        assert_shape(file, RUG_U8, 0, 32, 32);
        assert_pixel(file, 0, 0, 0, last ? 10 : 11);
        assert_int_equal(rug_file_get_facts(file)->page, !last);
        assert_int_equal(rug_file_get_facts(file)->n_pages, 5);
        assert_int_equal(warning[0] == '\0', last);
        rug_file_free(file);
        file = read_with(here->path, -1, 1, -1, 0);
        assert_shape(file, RUG_U8, 4, 32, 32);
        assert_pixel(file, 3, 31, 31, last ? 13 : 14);
        assert_non_null(strstr(warning, "4 of its 5 pages have 32x32 pixels"));
        rug_file_free(file);
        file = read_with(here->path, last ? 4 : 0, 0, -1, 0);
        assert_shape(file, RUG_U8, 0, 16, 16);
        assert_string_equal(warning, "");
        rug_file_free(file);
    }
}

/* The small picture in a camera's raw file is not taken for the image. */
static void preview_alone(void **state)
{
    scratch *here = *state;
    unsigned char pixels[256] = {0};
    page thumb = small, full = small;
    thumb.reduced = FILETYPE_REDUCEDIMAGE;
    thumb.n_sub = 1;
    TIFF *tiff = TIFFOpen(scratch_path(here, "raw.tif"), "w");
    add_page(tiff, &thumb, pixels);
    add_page(tiff, &full, pixels);
    TIFFClose(tiff);
    fail_with(here->path, options(-1, 0, -1, 0), RUG_E_UNSUPPORTED, "a preview of 16x16");
}

/* Pages in an order that libvips cannot read in one go: other layouts and masks in
 * between. */
static void runs_of_pages(void **state)
{
    scratch *here = *state;
    unsigned char pixels[256];
    TIFF *tiff = TIFFOpen(scratch_path(here, "runs.tif"), "w");
    for (int i = 0; i < 9; i++) {
        page p = small;
        p.compression = i / 3 == 1 ? COMPRESSION_LZW : COMPRESSION_NONE;
        p.reduced = i == 7 ? FILETYPE_MASK : 0;
        memset(pixels, i, sizeof pixels);
        add_page(tiff, &p, pixels);
    }
    TIFFClose(tiff);
    rug_file *file = read_with(here->path, -1, 1, -1, 0);
    static const double expected[8] = {0, 1, 2, 3, 4, 5, 6, 8};
    assert_shape(file, RUG_U8, 8, 16, 16);
    for (size_t z = 0; z < 8; z++)
        assert_pixel(file, z, 15, 15, expected[z]);
    assert_int_equal(rug_file_get_facts(file)->n_pages, 8);
    rug_file_free(file);
}

/* A hyperstack asks for a channel. */
static void imagej_hyperstack(void **state)
{
    page p = small;
    p.unit = RESUNIT_NONE;
    p.x_per_unit = p.y_per_unit = 4;
    p.description =
        "ImageJ=1.53t\nimages=6\nchannels=2\nslices=3\nhyperstack=true\nunit=micron\n"
        "spacing=1.5\n";
    const char *path = put_stack(*state, &p, 6, 20);
    fail_with(path, options(-1, 1, -1, 0), RUG_E_ARG,
              "2 channels x 3 slices: choose one with --channel 0..1");
    fail_with(path, options(-1, 1, 2, 0), RUG_E_ARG, "channel 2 requested");
    for (int c = 0; c < 2; c++) {
        rug_file *file = read_with(path, -1, 1, c, 0);
        assert_shape(file, RUG_U8, 3, 16, 16);
        for (size_t z = 0; z < 3; z++)
            assert_pixel(file, z, 3, 3, 20 + (double)(2 * z) + c);
        assert_int_equal(rug_file_get_facts(file)->n_channels, 2);
        assert_int_equal(rug_file_get_facts(file)->channel, c);
        assert_near(rug_file_image(file)->spacing[0], 1.5);
        assert_near(rug_file_image(file)->spacing[2], 0.25);
        assert_string_equal(rug_file_image(file)->spacing_unit, "um");
        rug_file_free(file);
    }
}

/* The order that the description states. */
static void imagej_orders(void **state)
{
    static const struct {
        const char *order;
        int c_step, z_step;
    } orders[] = {
        {"czt", 1, 2}, {"zct", 3, 1}, {"ZCT", 3, 1}, {"ztc", 3, 1}, {"tcz", 1, 2}};
    page p = small;
    char text[200];
    p.description = text;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        snprintf(
            text, sizeof text,
            "ImageJ=1.54f\nimages=6\nchannels=2\nslices=3\nhyperstack=true\norder=%s\n",
            orders[i].order);
        rug_file *file = read_with(put_stack(*state, &p, 6, 0), -1, 1, 1, 0);
        for (int z = 0; z < 3; z++)
            assert_pixel(file, (size_t)z, 1, 1, orders[i].c_step + z * orders[i].z_step);
        rug_file_free(file);
    }
    snprintf(text, sizeof text,
             "ImageJ=1.54f\nimages=6\nchannels=2\nslices=3\norder=zcc\n");
    fail_with(put_stack(*state, &p, 6, 0), options(-1, 1, 1, 0), RUG_E_UNSUPPORTED,
              "not understood");
}

/* Writes n bytes of a number, the highest first or last. */
static void put_number(unsigned char *to, size_t n, uint32_t value, int is_big)
{
    for (size_t i = 0; i < n; i++)
        to[is_big ? n - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

/* The head of a stack of which only the first slice has a directory, as ImageJ writes more than
 * 4 GiB: the samples of the others follow those of the first, at HEAD.
 *  @param bytes  HEAD of them */
enum { HEAD = 256 };

static void make_head(unsigned char *bytes, int is_big, uint32_t width, uint32_t height,
                      uint32_t bits, const char *text)
{
    enum { TEXT = 136 };
    const uint32_t n_text = (uint32_t)strlen(text) + 1;
    const uint32_t entries[10][3] = {
        {256, 1, width},  {257, 1, height},
        {258, 1, bits},   {259, 1, 1},
        {262, 1, 1},      {270, n_text, TEXT},
        {273, 1, HEAD},   {277, 1, 1},
        {278, 1, height}, {279, 1, width * height * bits / 8}};
    assert_true(TEXT + n_text <= HEAD);
    memset(bytes, 0, HEAD);
    memcpy(bytes, is_big ? "MM" : "II", 2);
    put_number(bytes + 2, 2, 42, is_big);
    put_number(bytes + 4, 4, 8, is_big);
    put_number(bytes + 8, 2, 10, is_big);
    for (size_t i = 0; i < 10; i++) {
        unsigned char *entry = bytes + 10 + 12 * i;
        put_number(entry, 2, entries[i][0], is_big);
        put_number(entry + 2, 2, entries[i][0] == 270 ? TIFF_ASCII : TIFF_LONG, is_big);
        put_number(entry + 4, 4, entries[i][1], is_big);
        put_number(entry + 8, 4, entries[i][2], is_big);
    }
    memcpy(bytes + TEXT, text, n_text);
}

/* A small one of six slices. Value i is 300 + i. */
static const char *put_one_directory(scratch *here, int is_big, size_t n_values)
{
    unsigned char bytes[HEAD + 180] = {0};
    make_head(bytes, is_big, 5, 3, 16, "ImageJ=1.54f\nimages=6\nchannels=2\nslices=3\n");
    for (size_t i = 0; i < 90; i++)
        put_number(bytes + HEAD + 2 * i, 2, (uint32_t)(300 + i), is_big);
    return put_bytes(here, "one.tif", bytes, HEAD + 2 * n_values);
}

static void imagej_one_directory(void **state)
{
    for (int is_big = 0; is_big < 2; is_big++) {
        const char *path = put_one_directory(*state, is_big, 90);
        rug_file *file = read_with(path, -1, 1, 1, 0);
        assert_shape(file, RUG_U16, 3, 3, 5);
        for (size_t z = 0; z < 3; z++)
            assert_pixel(file, z, 2, 4, 300 + 15 * (2 * (double)z + 1) + 14);
        rug_file_free(file);
        file = read_with(path, 5, 0, -1, 0);
        assert_pixel(file, 0, 0, 0, 375);
        assert_int_equal(rug_file_get_facts(file)->n_pages, 6);
        rug_file_free(file);
        path = put_one_directory(*state, is_big, 89);
        file = read_with(path, -1, 2, -1, 0);
        assert_shape(file, RUG_U16, 0, 3, 5);
        assert_non_null(strstr(warning, "but the file holds one page"));
        rug_file_free(file);
        fail_with(path, options(-1, 1, 1, 0), RUG_E_FORMAT,
                  "6 images, but the file holds one");
    }
}

/* Five slices of 1 GiB each, nearly all of it holes: the last lies behind what 32 bits count. */
static void imagej_above_4_gib(void **state)
{
    enum { SIDE = 32768 };
    const uint64_t slice = (uint64_t)SIDE * SIDE;
    unsigned char bytes[HEAD];
    make_head(bytes, 0, SIDE, SIDE, 8, "ImageJ=1.54f\nimages=5\nslices=5\n");
    const char *path = put_bytes(*state, "large.tif", bytes, HEAD);
    int fd = open(path, O_WRONLY);
    assert_true(fd >= 0);
    int is_made = ftruncate(fd, (off_t)(HEAD + 5 * slice)) == 0;
    for (int z = 0; z < 5 && is_made; z++)
        is_made = pwrite(fd, &(unsigned char){(unsigned char)(10 + z)}, 1,
                         (off_t)(HEAD + (uint64_t)z * slice + SIDE + 7)) == 1;
    close(fd);
    if (!is_made)
        skip();
    rug_file *file;
    rug_read_options opts = options(-1, 2, -1, 0);
    assert_int_equal(rug_file_open(ctx, &file, path, &opts), RUG_OK);
    assert_shape(file, RUG_U8, 5, SIDE, SIDE);
    rug_file_free(file);
    for (int z = 0; z < 5; z++) {
        rug_image slab;
        opts = options(z, 0, -1, 0);
        assert_int_equal(rug_file_open(ctx, &file, path, &opts), RUG_OK);
        const rug_source *source = rug_file_source(file);
        assert_int_equal(source->read(ctx, source->user, &slab, 0, 2), RUG_OK);
        const unsigned char *pixels = slab.data;
        assert_int_equal(pixels[SIDE + 6], 0);
        assert_int_equal(pixels[SIDE + 7], 10 + z);
        rug_file_free(file);
    }
}

static void imagej_times_and_lies(void **state)
{
    page p = small;
    p.description = "ImageJ=1.53t\nimages=6\nframes=6\n";
    fail_with(put_stack(*state, &p, 6, 0), options(-1, 1, -1, 0), RUG_E_ARG, "--page");
    p.description = "ImageJ=1.53t\nimages=5\nslices=5\n"; /* a page was taken away */
    rug_file *file = read_with(put_stack(*state, &p, 4, 0), -1, 1, -1, 0);
    assert_shape(file, RUG_U8, 4, 16, 16);
    assert_non_null(strstr(warning, "says 5 slices, but there are 4 pages"));
    rug_file_free(file);
    p.description = "ImageJ=1.53t\nimages=6\nchannels=2\nslices=3\n";
    fail_with(put_stack(*state, &p, 5, 0), options(-1, 1, 0, 0), RUG_E_UNSUPPORTED,
              "not understood");
    p.description = "ImageJ=1.53t\nimages=5000\nslices=5000\n";
    fail_with(put_stack(*state, &p, 1, 0), options(-1, 1, -1, 0), RUG_E_FORMAT,
              "5000 images, but the file holds one");
}

static const char *ome(const char *order, int z, int c, int t, const char *more)
{
    static char text[1024];
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- a comment --><OME "
             "xmlns=\"x\"><Image>"
             "<Pixels DimensionOrder=\"%s\" SizeZ=\"%d\" SizeC=\"%d\" SizeT=\"%d\" "
             "PhysicalSizeZ=\"2\" PhysicalSizeX=\"0.5\" "
             "PhysicalSizeY=\"0.5\">%s</Pixels></Image>"
             "</OME>",
             order, z, c, t, more);
    return text;
}

static void ome_orders(void **state)
{
    static const struct {
        const char *order;
        int c_step, z_step;
    } orders[] = {{"XYCZT", 1, 2}, {"XYZCT", 3, 1}, {"XYTZC", 3, 1}, {"XYTCZ", 1, 2}};
    page p = small;
    for (size_t i = 0; i < 4; i++) {
        p.description = ome(orders[i].order, 3, 2, 1, "<Channel/><Channel/>");
        const char *path = put_stack(*state, &p, 6, 0);
        fail_with(path, options(-1, 1, -1, 0), RUG_E_ARG, "2 channels x 3 slices");
        rug_file *file = read_with(path, -1, 1, 1, 0);
        for (int z = 0; z < 3; z++)
            assert_pixel(file, (size_t)z, 1, 1, orders[i].c_step + z * orders[i].z_step);
        assert_near(rug_file_image(file)->spacing[0], 2);
        rug_file_free(file);
    }
    p.description = ome("XYCZT", 3, 1, 2, "");
    fail_with(put_stack(*state, &p, 6, 0), options(-1, 1, -1, 0), RUG_E_ARG, "x 2 times");
}

static void ome_planes(void **state)
{
    page p = small;
    p.description =
        ome("XYCZT", 3, 1, 1, "<TiffData IFD=\"0\"/><TiffData IFD=\"2\" FirstZ=\"2\"/>");
    rug_file *file = read_with(put_stack(*state, &p, 3, 0), -1, 1, -1, 0);
    assert_pixel(file, 2, 0, 0, 2);
    rug_file_free(file);
    p.description = ome("XYCZT", 3, 1, 1, "<TiffData IFD=\"2\" FirstZ=\"0\"/>");
    fail_with(put_stack(*state, &p, 3, 0), options(-1, 1, -1, 0), RUG_E_UNSUPPORTED,
              "not understood");
    p.description = "<OME><broken";
    fail_with(put_stack(*state, &p, 3, 0), options(-1, 1, -1, 0), RUG_E_UNSUPPORTED,
              "not understood");
    page rgb = small; /* SizeC counts the colours of a page */
    rgb.samples = 3;
    rgb.photometric = PHOTOMETRIC_RGB;
    rgb.description = ome("XYCZT", 2, 3, 1, "<Channel SamplesPerPixel=\"3\"/>");
    file = read_with(put_stack(*state, &rgb, 2, 4), -1, 1, -1, 0);
    assert_shape(file, RUG_U8, 2, 16, 16);
    assert_int_equal(rug_file_get_facts(file)->equal_channels, 1);
    rug_file_free(file);
    rgb.description =
        ome("XYCZT", 1, 6, 1, /* two colour channels; FirstC counts colours too */
            "<Channel SamplesPerPixel=\"3\"/><Channel SamplesPerPixel=\"3\"/>"
            "<TiffData IFD=\"1\" FirstC=\"3\"/>");
    file = read_with(put_stack(*state, &rgb, 2, 4), -1, 1, 1, 0);
    assert_shape(file, RUG_U8, 1, 16, 16);
    assert_pixel(file, 0, 0, 0, 5);
    assert_int_equal(rug_file_get_facts(file)->n_channels, 2);
    rug_file_free(file);
}

/* Adds a page with n levels below it; level k is full of base + k. */
static void add_pyramid(TIFF *tiff, int base, int n, int as_subs)
{
    unsigned char pixels[256];
    page p = small;
    for (int k = 0; k <= n; k++) {
        p.width = p.height = 16u >> k;
        p.reduced = k == 0 ? 0 : FILETYPE_REDUCEDIMAGE;
        p.n_sub = k == 0 && as_subs ? n : 0;
        memset(pixels, base + k, sizeof pixels);
        add_page(tiff, &p, pixels);
    }
}

/* Levels in sub-directories and levels in the chain; never slices. */
static void pyramids(void **state)
{
    scratch *here = *state;
    for (int as_subs = 0; as_subs < 2; as_subs++) {
        TIFF *tiff = TIFFOpen(scratch_path(here, "pyramid.tif"), "w");
        for (int i = 0; i < 2; i++)
            add_pyramid(tiff, 10 * i, 3, as_subs);
        TIFFClose(tiff);
        for (int i = 0; i < 2; i++)
            for (int level = 0; level < 4; level++) {
                rug_file *file = read_with(here->path, i, 0, -1, level);
                assert_shape(file, RUG_U8, 0, 16u >> level, 16u >> level);
                assert_pixel(file, 0, 0, 0, 10 * i + level);
                assert_int_equal(rug_file_get_facts(file)->n_pages, 2);
                assert_int_equal(rug_file_get_facts(file)->n_levels, 4);
                assert_int_equal(rug_file_get_facts(file)->level, level);
                rug_file_free(file);
            }
        fail_with(here->path, options(0, 0, -1, 4), RUG_E_ARG, "level 4 requested");
        for (int level = 0; level < 4; level++) {
            rug_file *file = read_with(here->path, -1, 1, -1, level);
            assert_shape(file, RUG_U8, 2, 16u >> level, 16u >> level);
            assert_pixel(file, 0, 0, 0, level);
            assert_pixel(file, 1, 0, 0, 10 + level);
            rug_file_free(file);
        }
        fail_with(here->path, options(-1, 1, -1, 4), RUG_E_ARG, "level 4 requested");
    }
}

static void spacing_of_a_level(void **state)
{
    scratch *here = *state;
    unsigned char pixels[256] = {0};
    page p = small;
    p.unit = RESUNIT_CENTIMETER;
    p.x_per_unit = p.y_per_unit = 10;
    p.n_sub = 1;
    TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), "w");
    add_page(tiff, &p, pixels);
    p.width = p.height = 4;
    p.n_sub = 0;
    p.reduced = FILETYPE_REDUCEDIMAGE;
    add_page(tiff, &p, pixels);
    TIFFClose(tiff);
    rug_file *file = read_with(here->path, -1, 0, -1, 1);
    assert_near(rug_file_image(file)->spacing[1], 4);
    rug_file_free(file);
}

/* A slide as Aperio writes them: OpenSlide knows it by its description. */
static const char *put_slide(scratch *here)
{
    static unsigned char pixels[512 * 512 * 3];
    page p = {.width = 512,
              .height = 512,
              .samples = 3,
              .photometric = PHOTOMETRIC_RGB,
              .tile = 256,
              .description = "Aperio Image Library v1\r\n512x512 |AppMag = 20|MPP = 0.5"};
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i / 3 % 512 / 2);
    TIFF *tiff = TIFFOpen(scratch_path(here, "slide.svs"), "w");
    add_page(tiff, &p, pixels);
    p.width = p.height = 256;
    memset(pixels, 77, sizeof pixels);
    add_page(tiff, &p, pixels);
    TIFFClose(tiff);
    return here->path;
}

static void whole_slide(void **state)
{
    const char *path = put_slide(*state);
    rug_file *file = must_read(path, NULL);
    assert_string_equal(rug_file_get_facts(file)->format, "openslide");
    assert_int_equal(rug_file_get_facts(file)->n_levels, 2);
    assert_shape(file, RUG_U8, 0, 512, 512);
    assert_pixel(file, 0, 100, 300, 150);
    assert_near(rug_file_image(file)->spacing[0], 0.5);
    assert_string_equal(rug_file_image(file)->spacing_unit, "um");
    rug_file_free(file);
    file = read_with(path, -1, 0, -1, 1);
    assert_shape(file, RUG_U8, 0, 256, 256);
    assert_pixel(file, 0, 100, 200, 77);
    assert_int_equal(rug_file_get_facts(file)->dropped_alpha, 1);
    assert_near(rug_file_image(file)->spacing[1], 1);
    rug_file_free(file);
    fail_with(path, options(-1, 0, -1, 2), RUG_E_ARG,
              "level 2 requested, but the openslide file has 2");
    fail_with(path, options(-1, 1, -1, 0), RUG_E_ARG, "holds no volume");
}

static void cut_stack(void **state)
{
    scratch *here = *state;
    rug_read_options volume = options(-1, 1, -1, 0);
    page p = small;
    p.compression = COMPRESSION_ADOBE_DEFLATE;
    put_stack(here, &p, 4, 1);
    size_t n;
    unsigned char *bytes = get_bytes(here->path, &n);
    int kept = begin_silence(here);
    must_fail(put_bytes(here, "half.tif", bytes, n / 2), NULL, RUG_E_FORMAT,
              "a TIFF directory is damaged, or the file is cut off");
    free(bytes);
    assert_int_equal(cut_everywhere(here, "stack.tif", &volume, 1), n);
    assert_int_equal(cut_everywhere(here, "stack.tif", NULL, 1), n);
    end_silence(here, kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(stack_of_five),
        SCRATCH_TEST(slices_where_they_are),
        SCRATCH_TEST(one_page_is_one_slice),
        SCRATCH_TEST(colour_pages),
        SCRATCH_TEST(pages_that_differ),
        SCRATCH_TEST(previews),
        SCRATCH_TEST(preview_alone),
        SCRATCH_TEST(runs_of_pages),
        SCRATCH_TEST(imagej_hyperstack),
        SCRATCH_TEST(imagej_orders),
        SCRATCH_TEST(imagej_one_directory),
        SCRATCH_TEST(imagej_above_4_gib),
        SCRATCH_TEST(imagej_times_and_lies),
        SCRATCH_TEST(ome_orders),
        SCRATCH_TEST(ome_planes),
        SCRATCH_TEST(pyramids),
        SCRATCH_TEST(spacing_of_a_level),
        SCRATCH_TEST(whole_slide),
        SCRATCH_TEST(cut_stack),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
