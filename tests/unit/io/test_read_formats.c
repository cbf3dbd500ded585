/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading formats other than TIFF, NIfTI and npy: PNG, PNM, JPEG, WebP, GIF, JPEG 2000. And the same
 * pixels in every kind of file give the same counts: PNG, 16-bit TIFF, NIfTI and npy; a volume as
 * NIfTI, npy and the pages of a TIFF file. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "boxcount_support.h"

#include "io_scratch.h"

#include "read_support.h"

#include "picture_support.h"

#include <math.h>

/* ---- Formats ---- */

static void png_of_every_kind(void **state)
{
    const uint16_t deep[4] = {0, 4095, 300, 65535};
    rug_file *file = must_read(
        put_image(*state, "a.png", deep, 2, 2, 1, 16, VIPS_INTERPRETATION_GREY16), NULL);
    assert_shape(file, RUG_U16, 0, 2, 2);
    assert_pixel(file, 0, 0, 1, 4095);
    assert_pixel(file, 0, 1, 0, 300);
    rug_file_free(file);
    file = must_read(put_image(*state, "a.png", "\xff\0\0\x80\x05\x05\x05\0", 2, 1, 4, 8,
                               VIPS_INTERPRETATION_sRGB),
                     NULL);
    assert_pixel(file, 0, 0, 0, 76);
    assert_pixel(file, 0, 0, 1, 5);
    assert_int_equal(rug_file_get_facts(file)->n_channels, 3);
    assert_int_equal(rug_file_get_facts(file)->dropped_alpha, 1);
    assert_int_equal(rug_file_get_facts(file)->channel, -1);
    rug_file_free(file);
    file = must_read(put_image(*state, "a.png", "\x05\x80\x06\x81", 2, 1, 2, 8,
                               VIPS_INTERPRETATION_B_W),
                     NULL);
    assert_pixel(file, 0, 0, 1, 6);
    assert_int_equal(rug_file_get_facts(file)->n_channels, 1);
    assert_int_equal(rug_file_get_facts(file)->dropped_alpha, 1);
    rug_file_free(file);
}

/* A palette of grey steps reads as equal channels, 1 bit as 0 and 255. */
static void png_with_few_bits(void **state)
{
    VipsImage *image = image_of("\0\xff\xff\0", 2, 2, 1, 8, VIPS_INTERPRETATION_B_W);
    scratch *here = *state;
    assert_int_equal(
        vips_pngsave(image, scratch_path(here, "bit.png"), "bitdepth", 1, NULL), 0);
    rug_file *file = must_read(here->path, NULL);
    assert_shape(file, RUG_U8, 0, 2, 2);
    assert_pixel(file, 0, 0, 0, 0);
    assert_pixel(file, 0, 0, 1, 255);
    rug_file_free(file);
    g_object_unref(image);
    static const unsigned char palette[] = /* 2x1, colours (9 9 9) and (200 200 200) */
        "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\2\0\0\0\1\x01\x03\0\0\0\xce\xec\xed\xc9"
        "\0\0\0\6PLTE\x09\x09\x09\xc8\xc8\xc8\xfb\x50\x15\xc0"
        "\0\0\0\nIDATx\x9c\x63\x70\0\0\0\x42\0\x41\x29\x37\xf4\xef\0\0\0\0IEND\xae\x42"
        "\x60\x82";
    file = must_read(put_bytes(here, "palette.png", palette, sizeof palette - 1), NULL);
    assert_pixel(file, 0, 0, 0, 9);
    assert_pixel(file, 0, 0, 1, 200);
    assert_int_equal(rug_file_get_facts(file)->equal_channels, 1);
    rug_file_free(file);
}

static void pnm_of_every_kind(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        size_t cut; /* bytes that make it too short */
        rug_dtype dtype;
        double first, last;
    } files[] = {{"P5 2 1 255\n\x07\xfa", 13, 1, RUG_U8, 7, 250},
                 {"P5 2 1 4095\n\x0f\xff\x01\x2c", 16, 1, RUG_U16, 4095, 300},
                 {"P2\n# a comment\n2 1\n255\n7 250\n", 28, 5, RUG_U8, 7, 250},
                 {"P4 2 1\n\x40", 8, 1, RUG_U8, 255, 0},
                 {"P6 2 1 255\n\xff\0\0\x05\x05\x05", 17, 1, RUG_U8, 76, 5},
                 {"Pf\n2 1\n-1.0\n\0\0\x20\x40\0\0\0\xbf", 20, 1, RUG_F32, 2.5, -0.5}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        rug_file *file =
            must_read(put_bytes(*state, "a.pnm", files[i].bytes, files[i].n), NULL);
        assert_string_equal(rug_file_get_facts(file)->format, "pnm");
        assert_shape(file, files[i].dtype, 0, 1, 2);
        assert_pixel(file, 0, 0, 0, files[i].first);
        assert_pixel(file, 0, 0, 1, files[i].last);
        rug_file_free(file);
        must_fail(put_bytes(*state, "cut.pnm", files[i].bytes, files[i].n - files[i].cut),
                  NULL, RUG_E_FORMAT, "cut off");
    }
    must_fail(put_bytes(*state, "a.pnm", "P5 0 1 255\n\1", 12), NULL, RUG_E_FORMAT,
              "header");
    must_fail(put_bytes(*state, "a.pnm", "P5 -1 1 255\n\1", 13), NULL, RUG_E_FORMAT,
              "header");
    must_fail(put_bytes(*state, "a.pnm", "P2 2 2 # 255\n", 13), NULL, RUG_E_FORMAT,
              "header");
}

static void other_formats(void **state)
{
    static const char *const names[] = {"a.jpg", "a.webp"};
    unsigned char pixels[64 * 48];
    memset(pixels, 90, sizeof pixels);
    for (size_t i = 0; i < 2; i++) {
        rug_file *file = must_read(
            put_image(*state, names[i], pixels, 64, 48, 1, 8, VIPS_INTERPRETATION_B_W),
            NULL);
        assert_shape(file, RUG_U8, 0, 48, 64);
        assert_pixel(file, 0, 47, 63, 90);
        assert_string_equal(rug_file_get_facts(file)->format, i == 0 ? "jpeg" : "webp");
        const char *lossy = rug_file_get_facts(file)->lossy;
        assert_true(i == 0 ? lossy != NULL && strcmp(lossy, "JPEG") == 0 : lossy == NULL);
        rug_file_free(file);
    }
    rug_file *webp = must_read(
        put_image(*state, "b.WEBP", pixels, 64, 48, 1, 8, VIPS_INTERPRETATION_B_W), NULL);
    assert_string_equal(rug_file_get_facts(webp)->lossy, "WebP");
    rug_file_free(webp);
    size_t n; /* the small picture of a slide whose folder is missing */
    unsigned char *bytes = get_bytes(scratch_path(*state, "a.jpg"), &n);
    must_fail(put_bytes(*state, "a.mrxs", bytes, n), NULL, RUG_E_FORMAT,
              "is not an image");
    free(bytes);
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    const char *path =
        put_image(*state, "cmyk.jpg", pixels, 8, 8, 4, 8, VIPS_INTERPRETATION_CMYK);
    must_fail(path, NULL, RUG_E_ARG, "4 channels that are not red, green and blue");
    opts.channel = 3;
    rug_file *file = must_read(path, &opts);
    assert_int_equal(rug_file_get_facts(file)->channel, 3);
    rug_file_free(file);
}

/* Puts bytes into a copy of a JPEG file, before the last marker of a kind. */
static const char *put_into_jpeg(scratch *here, const unsigned char *bytes, size_t n,
                                 unsigned marker, const char *more, size_t n_more)
{
    unsigned char *copy = malloc(n + n_more);
    size_t at = n - 2;
    assert_non_null(copy);
    while (at > 0 && (bytes[at] != 0xff || bytes[at + 1] != marker))
        at--;
    assert_true(at > 0);
    memcpy(copy, bytes, at);
    memcpy(copy + at, more, n_more);
    memcpy(copy + at + n_more, bytes + at, n - at);
    const char *path = put_bytes(here, "more.jpg", copy, n + n_more);
    free(copy);
    return path;
}

/* What libjpeg says about anything but pixels is no damage; pixels that are missing are. */
static void words_about_jpeg(void **state)
{
    static const unsigned markers[] = {0xdb, 0xc0, 0xc4, 0xda, 0xd9};
    unsigned char pixels[64 * 48];
    size_t n;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i * i / 7);
    put_image(*state, "a.jpg", pixels, 64, 48, 1, 8, VIPS_INTERPRETATION_B_W);
    unsigned char *bytes = get_bytes(scratch_path(*state, "a.jpg"), &n);
    rug_file *plain = must_read(scratch_path(*state, "a.jpg"), NULL);
    for (size_t i = 0; i < sizeof markers / sizeof markers[0]; i++) {
        rug_file *file =
            must_read(put_into_jpeg(*state, bytes, n, markers[i], "\1\2\3", 3), NULL);
        assert_true(same_pixels(plain, file));
        rug_file_free(file);
    }
    rug_file *exif = must_read(put_into_jpeg(*state, bytes, n, 0xdb,
                                             "\xff\xe1\0\x10"
                                             "Exif\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
                                             18),
                               NULL);
    assert_true(same_pixels(plain, exif));
    rug_file_free(exif);
    rug_file_free(plain);
    must_fail(put_bytes(*state, "cut.jpg", bytes, n - n / 4), NULL, RUG_E_FORMAT,
              "cannot be read");
    free(bytes);
}

/* Two frames of one pixel, black and white. */
static const char *put_gif(scratch *here)
{
    static const unsigned char gif[] = "GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff"
                                       ",\0\0\0\0\1\0\1\0\0\2\2\x44\1\0"
                                       ",\0\0\0\0\1\0\1\0\0\2\2\x4c\1\0;";
    return put_bytes(here, "a.gif", gif, sizeof gif - 1);
}

static void frames_and_options(void **state)
{
    const char *path = put_gif(*state);
    rug_read_options opts = RUG_READ_OPTIONS_INIT, level = opts, volume = opts;
    for (opts.page = -1; opts.page < 2; opts.page++) {
        rug_file *file = must_read(path, &opts);
        assert_pixel(file, 0, 0, 0, opts.page == 1 ? 255 : 0);
        assert_int_equal(rug_file_get_facts(file)->n_pages, 2);
        assert_int_equal(rug_file_get_facts(file)->page, opts.page == 1);
        rug_file_free(file);
    }
    must_fail(path, &opts, RUG_E_ARG, "page 2 requested, but the gif file has 2 (0..1)");
    level.level = 1;
    must_fail(path, &level, RUG_E_ARG, "the gif file has one level (0)");
    volume.volume = 1;
    must_fail(path, &volume, RUG_E_ARG, "a gif file holds no volume; TIFF");
}

/* The resolutions of JPEG 2000 are levels, no pages. */
static void resolutions(void **state)
{
    unsigned char *pixels = calloc(512 * 512, 1);
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    if (vips_type_find("VipsOperation", "jp2ksave") == 0) {
        print_message("SKIPPED: this libvips writes no JPEG 2000\n");
        free(pixels);
        skip();
    }
    const char *path =
        put_image(*state, "a.jp2", pixels, 512, 512, 1, 8, VIPS_INTERPRETATION_B_W);
    free(pixels);
    for (opts.level = 0; opts.level < 3; opts.level++) {
        rug_file *file = must_read(path, &opts);
        assert_shape(file, RUG_U8, 0, 512u >> opts.level, 512u >> opts.level);
        assert_true(rug_file_get_facts(file)->n_levels >= 3);
        assert_int_equal(rug_file_get_facts(file)->n_pages, 1);
        rug_file_free(file);
    }
    opts.level = 100;
    must_fail(path, &opts, RUG_E_ARG, "level 100 requested");
}

static void sizes_that_lie(void **state)
{
    static unsigned char png[] = /* 1000000 x 1000000 of one bit */
        "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\x0f\x42\x40\0\x0f\x42\x40\x01\0\0\0\0\x74\x16"
        "\x05\xd0"
        "\0\0\0\nIDATx\x9c\x63\x70\0\0\0\x42\0\x41\x29\x37\xf4\xef\0\0\0\0IEND\xae\x42"
        "\x60\x82";
    must_fail(put_bytes(*state, "a.png", png, sizeof png - 1), NULL, RUG_E_FORMAT, "");
    must_fail(put_bytes(*state, "a.pgm", "P5 1000000 1000000 255\n\1\2\3\4", 27), NULL,
              RUG_E_FORMAT, "4 of 1000000000000 bytes");
}

static void cut_off(void **state)
{
    static const char *const names[] = {"a.png", "a.jpg", "a.webp", "a.ppm"};
    scratch *here = *state;
    unsigned char pixels[24 * 20 * 3];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i * i / 7);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t n;
        free(get_bytes(
            put_image(here, names[i], pixels, 24, 20, 3, 8, VIPS_INTERPRETATION_sRGB),
            &n));
        int kept = begin_silence(here);
        size_t n_errors = cut_everywhere(here, names[i], NULL, i == 0 ? 1 : 3);
        end_silence(here, kept);
        assert_true(n_errors >
                    (i == 0 ? n - 40 : n / 3 - 20)); /* the end of PNG is no pixels */
    }
    put_gif(here);
    assert_true(cut_everywhere(here, "a.gif", NULL, 1) > 30);
}

/* ---- The same image in every format ---- */

/* Pixels in C order as 16-bit numbers. */
typedef struct pixels16 {
    int ndim;
    size_t shape[3]; /* slowest first */
    size_t n;
    uint16_t *values;
} pixels16;

static pixels16 pixels_of(const char *path)
{
    rug_file *file = must_read(path, NULL);
    const rug_image *img = rug_file_image(file);
    pixels16 c = {.ndim = img->ndim, .n = rug_image_pixels(img)};
    memcpy(c.shape, img->shape, sizeof c.shape);
    c.values = malloc(c.n * sizeof *c.values);
    assert_non_null(c.values);
    size_t nx = c.shape[c.ndim - 1], ny = c.shape[c.ndim - 2];
    for (size_t i = 0; i < c.n; i++)
        c.values[i] = (uint16_t)test_pixel(img, i / nx / ny, i / nx % ny, i % nx);
    rug_file_free(file);
    return c;
}

/* Joins a head and the pixels in a file of the folder. */
static void put_file(scratch *here, const char *name, const void *head, size_t n_head,
                     const pixels16 *c)
{
    FILE *out = fopen(scratch_path(here, name), "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(head, 1, n_head, out), n_head);
    assert_int_equal(fwrite(c->values, sizeof *c->values, c->n, out), c->n);
    assert_int_equal(fclose(out), 0);
}

static void put_nifti(scratch *here, const pixels16 *c)
{
    unsigned char head[352] = {0};
    const int32_t size = 348;
    const float offset = 352, one = 1;
    const int16_t type = 512, bits = 16; /* unsigned */
    int16_t dim[8] = {(int16_t)c->ndim, 1, 1, 1, 1, 1, 1, 1};
    for (int a = 0; a < c->ndim; a++)
        dim[1 + a] = (int16_t)c->shape[c->ndim - 1 - a]; /* fastest first */
    memcpy(head, &size, 4);
    memcpy(head + 40, dim, sizeof dim);
    memcpy(head + 70, &type, 2);
    memcpy(head + 72, &bits, 2);
    for (int a = 0; a < 8; a++)
        memcpy(head + 76 + 4 * a, &one, 4);
    memcpy(head + 108, &offset, 4);
    memcpy(head + 344, "n+1", 4);
    put_file(here, "a.nii", head, sizeof head, c);
}

static void put_npy(scratch *here, const pixels16 *c)
{
    char head[256];
    unsigned n[3] = {1, 1, 1};
    for (int a = 0; a < c->ndim; a++)
        n[3 - c->ndim + a] = (unsigned)c->shape[a];
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10); /* 118 bytes of text follow */
    memset(head + 10, ' ', 118);
    int end = 10;
    end +=
        snprintf(head + 10, 118, "{'descr': '<u2', 'fortran_order': False, 'shape': (");
    end += c->ndim == 3 ? snprintf(head + end, 40, "%u, %u, %u), }", n[0], n[1], n[2])
                        : snprintf(head + end, 40, "%u, %u), }", n[1], n[2]);
    head[end] = ' ';
    head[127] = '\n';
    put_file(here, "a.npy", head, 128, c);
}

static void put_pages(scratch *here, const pixels16 *c)
{
    size_t nz = c->ndim == 3 ? c->shape[0] : 1, ny = c->shape[c->ndim - 2];
    size_t nx = c->shape[c->ndim - 1];
    page p = {.width = (uint32_t)nx,
              .height = (uint32_t)ny,
              .bits = 16,
              .photometric = PHOTOMETRIC_MINISBLACK};
    TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), "w");
    for (size_t z = 0; z < nz; z++)
        add_page(tiff, &p, c->values + z * ny * nx);
    TIFFClose(tiff);
}

static test_counts count_file(const char *path, int volume, rug_foreground rule)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.volume = volume;
    rug_file *file = must_read(path, &opts);
    test_counts r = must_count(ctx, rug_file_image(file), rule);
    rug_file_free(file);
    return r;
}

/* Counts a file of tests/data, and copies of it in three formats. */
static void check_copies(scratch *here, const char *name, rug_foreground rule)
{
    pixels16 c = pixels_of(test_data(name));
    put_nifti(here, &c);
    put_npy(here, &c);
    put_pages(here, &c);
    test_counts first = count_file(test_data(name), 0, rule);
    assert_true(first.counts[0].nonempty > 0);
    static const char *const copies[] = {"a.nii", "a.npy", "a.tif"};
    for (int i = 0; i < 3; i++) {
        int volume = c.ndim == 3 && i == 2;
        test_counts r = count_file(scratch_path(here, copies[i]), volume, rule);
        test_assert_counts_equal(&r, &first, copies[i]);
        assert_int_equal(r.foreground.kind, first.foreground.kind);
        assert_true(r.foreground.value == first.foreground.value);
    }
    free(c.values);
}

static void photograph(void **state)
{
    check_copies(*state, "camera.png", (rug_foreground){RUG_FOREGROUND_AUTO, 0, 0});
    check_copies(*state, "camera.png", (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0});
    check_copies(*state, "camera.png", (rug_foreground){RUG_FOREGROUND_BELOW, 30.5, 0});
    check_copies(*state, "camera.png", (rug_foreground){RUG_FOREGROUND_LABEL, 200, 0});
}

static void silhouette(void **state)
{
    check_copies(*state, "bin_horse.png", (rug_foreground){RUG_FOREGROUND_AUTO, 0, 0});
}

static void volume(void **state)
{
    check_copies(*state, "menger_81.nii.gz", (rug_foreground){RUG_FOREGROUND_AUTO, 0, 0});
}

int main(int argc, char **argv)
{
    (void)argc;
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(png_of_every_kind), SCRATCH_TEST(png_with_few_bits),
        SCRATCH_TEST(pnm_of_every_kind), SCRATCH_TEST(other_formats),
        SCRATCH_TEST(words_about_jpeg),  SCRATCH_TEST(frames_and_options),
        SCRATCH_TEST(resolutions),       SCRATCH_TEST(sizes_that_lie),
        SCRATCH_TEST(cut_off),           SCRATCH_TEST(photograph),
        SCRATCH_TEST(silhouette),        SCRATCH_TEST(volume),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
