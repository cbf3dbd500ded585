/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pictures that are stored turned or mirrored come upright: all eight orientations of TIFF (strips, tiles,
 * volumes, planes of colour, and what libvips decodes), PNG, JPEG and WebP. must_read() reads them slab
 * by slab as well. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>
#include <zlib.h>

#include "io_scratch.h"

#include "../io/read_support.h"

#include "../io/picture_support.h"

#define NY 18
#define NX 21

/* A stored pixel: no two of a layer are equal. */
static int stored(size_t z, size_t r, size_t c)
{
    return (int)(z * 1000 + r * NX + c);
}

/* The sides that the first row and the first column are, as EXIF has it. */
static const struct {
    char row, column;
} sides[9] = {{0, 0},     {'t', 'l'}, {'t', 'r'}, {'b', 'r'}, {'b', 'l'},
              {'l', 't'}, {'r', 't'}, {'r', 'b'}, {'l', 'b'}};

/* Where a stored pixel is shown. */
static void find_place(int orientation, size_t r, size_t c, size_t *y, size_t *x)
{
    const char side[2] = {sides[orientation].row, sides[orientation].column};
    const size_t at[2] = {r, c}, n[2] = {NY, NX};
    for (int i = 0; i < 2; i++)
        switch (side[i]) {
        case 't': *y = at[i]; break;
        case 'b': *y = n[i] - 1 - at[i]; break;
        case 'l': *x = at[i]; break;
        default: *x = n[i] - 1 - at[i]; break;
        }
}

/* @param nz  0: an image */
static void assert_upright(const rug_file *file, int orientation, size_t nz)
{
    const rug_file_facts *facts = rug_file_get_facts(file);
    int swaps = orientation > 4;
    assert_int_equal(facts->orientation, orientation);
    assert_int_equal(facts->is_turned, orientation > 1);
    assert_shape(file, RUG_U16, nz, swaps ? NX : NY, swaps ? NY : NX);
    for (size_t z = 0; z < (nz > 0 ? nz : 1); z++)
        for (size_t r = 0; r < NY; r++)
            for (size_t c = 0; c < NX; c++) {
                size_t y = 0, x = 0;
                find_place(orientation, r, c, &y, &x);
                assert_pixel(file, z, y, x, stored(z, r, c));
            }
}

static void fill(uint16_t *pixels, size_t n_samples, size_t z)
{
    for (size_t i = 0; i < (size_t)NY * NX * n_samples; i++)
        pixels[i] = (uint16_t)stored(z, i / n_samples / NX, i / n_samples % NX);
}

/* A file of pages whose orientations are listed. */
static const char *put_pages(scratch *here, const page *p, int n, const int *orientations)
{
    uint16_t pixels[NY * NX * 4];
    TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), "w");
    for (int i = 0; i < n; i++) {
        fill(pixels, p->samples != 0 ? (size_t)p->samples : 1, (size_t)i);
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientations[i]);
        add_page(tiff, p, pixels);
    }
    TIFFClose(tiff);
    return here->path;
}

static page plain(void)
{
    return (page){
        .width = NX, .height = NY, .bits = 16, .photometric = PHOTOMETRIC_MINISBLACK};
}

static void pages_of_tiff(void **state)
{
    page kinds[4] = {plain(), plain(), plain(), plain()};
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    kinds[1].tile = 16;
    kinds[2].compression = COMPRESSION_ADOBE_DEFLATE;
    kinds[3].photometric = PHOTOMETRIC_SEPARATED; /* by libvips */
    kinds[3].samples = 4;
    for (int k = 0; k < 4; k++)
        for (int orientation = 1; orientation <= 8; orientation++) {
            opts.channel = k == 3 ? 0 : -1;
            rug_file *file =
                must_read(put_pages(*state, &kinds[k], 1, &orientation), &opts);
            assert_upright(file, orientation, 0);
            assert_int_equal(warning[0], 0);
            rug_file_free(file);
        }
}

static void slices_of_tiff(void **state)
{
    page kinds[2] = {plain(), plain()};
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.volume = 2;
    kinds[1].tile = 16;
    for (int k = 0; k < 2; k++)
        for (int o = 1; o <= 8; o++) {
            const int orientations[3] = {o, o, o};
            rug_file *file =
                must_read(put_pages(*state, &kinds[k], 3, orientations), &opts);
            assert_upright(file, o, 3);
            rug_file_free(file);
        }
}

/* Pages that are turned in different ways are no slices. */
static void mixed_pages(void **state)
{
    const page p = plain();
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.volume = 2;
    rug_file *file = must_read(put_pages(*state, &p, 2, (const int[]){1, 6}), &opts);
    assert_int_equal(rug_file_image(file)->ndim, 2);
    rug_file_free(file);
    opts.volume = 1;
    must_fail(((scratch *)*state)->path, &opts, RUG_E_FORMAT, "orientation 6");
}

static void planes_of_colour(void **state)
{
    page p = plain();
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.planes = 1;
    p.samples = 3;
    p.photometric = PHOTOMETRIC_RGB;
    for (int o = 1; o <= 8; o++) {
        rug_file *file = must_read(put_pages(*state, &p, 1, &o), &opts);
        const rug_image last = rug_file_plane(file, 2);
        assert_int_equal(last.shape[0], o > 4 ? NX : NY);
        for (size_t i = 0; i < (size_t)NY * NX; i++) {
            size_t y = 0, x = 0;
            find_place(o, i / NX, i % NX, &y, &x);
            assert_int_equal(((const uint16_t *)last.data)[y * last.shape[1] + x], i);
        }
        rug_file_free(file);
    }
}

static void pixels_as_stored(void **state)
{
    const page p = plain();
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.as_stored = 1;
    rug_file *file = must_read(put_pages(*state, &p, 1, (const int[]){6}), &opts);
    assert_shape(file, RUG_U16, 0, NY, NX);
    assert_pixel(file, 0, 1, 2, stored(0, 1, 2));
    assert_int_equal(rug_file_get_facts(file)->orientation, 6);
    assert_int_equal(rug_file_get_facts(file)->is_turned, 0);
    rug_file_free(file);
}

static void spacing_is_turned(void **state)
{
    page p = plain();
    p.unit = RESUNIT_CENTIMETER;
    p.x_per_unit = 10;
    p.y_per_unit = 40;
    rug_file *file = must_read(put_pages(*state, &p, 1, (const int[]){8}), NULL);
    assert_near(rug_file_image(file)->spacing[0], 1);
    assert_near(rug_file_image(file)->spacing[1], 0.25);
    rug_file_free(file);
}

/* A place in the directory that holds no orientation. */
static void no_orientation(void **state)
{
    const page p = plain();
    size_t n;
    unsigned char *bytes = get_bytes(put_pages(*state, &p, 1, (const int[]){6}), &n);
    int n_found = 0;
    for (size_t i = 0; i + 12 < n; i++) /* tag 274, one short, in the machine's order */
        if (memcmp(bytes + i, (const uint16_t[]){274, 3, 1, 0, 6, 0}, 12) == 0)
            bytes[i + 8] = 9, n_found++;
    assert_int_equal(n_found, 1);
    rug_file *file = must_read(put_bytes(*state, "nine.tif", bytes, n), NULL);
    assert_upright(file, 1, 0);
    rug_file_free(file);
    free(bytes);
}

/* ---- EXIF ---- */

static void put_number(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> 8 * (3 - i));
}

/* A directory of one entry. @return bytes */
static size_t make_exif(unsigned char *to, int is_little, int orientation)
{
    static const unsigned char big[] =
        "MM\0*\0\0\0\x8\0\1\1\x12\0\3\0\0\0\1\0\0\0\0\0\0\0\0";
    static const unsigned char little[] =
        "II*\0\x8\0\0\0\1\0\x12\1\3\0\1\0\0\0\0\0\0\0\0\0\0\0";
    memcpy(to, is_little ? little : big, 26);
    to[is_little ? 18 : 19] = (unsigned char)orientation;
    return 26;
}

/* Puts a chunk of EXIF into a PNG file, behind its header or at its end. */
static const char *with_exif(scratch *here, const char *path, const unsigned char *exif,
                             size_t n_exif, int is_last)
{
    size_t n, at;
    unsigned char *bytes = get_bytes(path, &n), chunk[64] = {0};
    at = is_last ? n - 12 : 33;
    put_number(chunk, (uint32_t)n_exif);
    memcpy(chunk + 4, "eXIf", 4);
    memcpy(chunk + 8, exif, n_exif);
    put_number(chunk + 8 + n_exif, (uint32_t)crc32(0, chunk + 4, (uInt)n_exif + 4));
    unsigned char *all = malloc(n + 12 + n_exif);
    assert_non_null(all);
    memcpy(all, bytes, at);
    memcpy(all + at, chunk, 12 + n_exif);
    memcpy(all + at + 12 + n_exif, bytes + at, n - at);
    const char *turned = put_bytes(here, "turned.png", all, n + 12 + n_exif);
    free(bytes);
    free(all);
    return turned;
}

static const char *put_png(scratch *here, const char *name)
{
    uint16_t pixels[NY * NX];
    fill(pixels, 1, 0);
    return put_image(here, name, pixels, NX, NY, 1, 16, VIPS_INTERPRETATION_GREY16);
}

static void orientation_of_png(void **state)
{
    unsigned char exif[26];
    for (int i = 1; i <= 16; i++) {
        int orientation = (i + 1) / 2;
        size_t n = make_exif(exif, i % 2, orientation);
        rug_file *file = must_read(
            with_exif(*state, put_png(*state, "a.png"), exif, n, i % 3 == 0), NULL);
        assert_upright(file, orientation, 0);
        rug_file_free(file);
    }
}

/* Damaged or empty EXIF is none. */
static void bad_exif_of_png(void **state)
{
    for (size_t n = 0; n < 26; n++) {
        unsigned char exif[26];
        make_exif(exif, 1, 6);
        rug_file *file =
            must_read(with_exif(*state, put_png(*state, "a.png"), exif, n, 0), NULL);
        if (n < 22)
            assert_upright(file, 1, 0);
        rug_file_free(file);
    }
    for (size_t at = 4; at < 18; at++) {
        unsigned char exif[26];
        make_exif(exif, 1, 6);
        exif[at] = 0xff;
        rug_file *file =
            must_read(with_exif(*state, put_png(*state, "a.png"), exif, 26, 0), NULL);
        if (at < 8)
            assert_upright(file, 1, 0);
        rug_file_free(file);
    }
}

/* Bright in the stored first row, darker in the first column; 8 bits, and lossy in JPEG. */
static void orientation_of_photos(void **state)
{
    static const char *const names[] = {"a.jpg[Q=100]", "a.webp[lossless]"};
    unsigned char pixels[NY * NX * 3];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = i < (size_t)NX * 3 ? 250 : i / 3 % NX == 0 ? 120 : 5;
    for (int i = 0; i < 2; i++)
        for (int orientation = 1; orientation <= 8; orientation++) {
            VipsImage *image = image_of(pixels, NX, NY, 3, 8, VIPS_INTERPRETATION_sRGB);
            vips_image_set_int(image, "orientation", orientation);
            const char *path = scratch_path(*state, names[i]);
            assert_int_equal(vips_image_write_to_file(image, path, NULL), 0);
            g_object_unref(image);
            rug_file *file =
                must_read(scratch_path(*state, i ? "a.webp" : "a.jpg"), NULL);
            assert_shape(file, RUG_U8, 0, orientation > 4 ? NX : NY,
                         orientation > 4 ? NY : NX);
            assert_int_equal(rug_file_get_facts(file)->orientation, orientation);
            for (size_t r = 0; r < 2; r++)
                for (size_t c = 0; c < 2; c++) {
                    size_t y = 0, x = 0;
                    find_place(orientation, r * (NY - 1), c * (NX - 1), &y, &x);
                    double got = pixel(file, 0, y, x);
                    double expected = r == 0 ? 250 : c == 0 ? 120 : 5;
                    assert_true(got > expected - 30 && got < expected + 30);
                }
            rug_file_free(file);
        }
}

int main(int argc, char **argv)
{
    (void)argc;
    if (VIPS_INIT(argv[0]))
        return 1;
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(pages_of_tiff),    SCRATCH_TEST(slices_of_tiff),
        SCRATCH_TEST(mixed_pages),      SCRATCH_TEST(planes_of_colour),
        SCRATCH_TEST(pixels_as_stored), SCRATCH_TEST(spacing_is_turned),
        SCRATCH_TEST(no_orientation),   SCRATCH_TEST(orientation_of_png),
        SCRATCH_TEST(bad_exif_of_png),  SCRATCH_TEST(orientation_of_photos),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
