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

#include "../io/read_support.h"

#include "../io/picture_support.h"
#include "pages_support.h"

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
        SCRATCH_TEST(ome_orders),
        SCRATCH_TEST(ome_planes),
        SCRATCH_TEST(pyramids),
        SCRATCH_TEST(spacing_of_a_level),
        SCRATCH_TEST(whole_slide),
        SCRATCH_TEST(cut_stack),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
