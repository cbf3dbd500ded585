/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What goes with pictures: profile, orientation, distance of pixels and alpha are read from every
 * format, and come back from every one that is written. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <png.h>
#include <unistd.h>
#include <zlib.h>

#include "io_scratch.h"

#include "../io/read_support.h"

#include "../io/picture_support.h"

#define NY 11
#define NX 14

/* Bytes of the profile: several blocks of deflate in a PNG file. */
#define N_PROFILE 70000

/* Those before its content, which libvips looks at: the length, colours, and that there is no tag. */
#define HEAD_PROFILE 132

static uint8_t profile[N_PROFILE];

/* @param colours  what it says that its colours are */
static rug_file_notes notes_of(const char *colours)
{
    rug_file_notes notes = RUG_FILE_NOTES_INIT;
    for (size_t i = HEAD_PROFILE; i < N_PROFILE; i++)
        profile[i] = (uint8_t)(i * i >> 3);
    for (int i = 0; i < 4; i++)
        profile[i] = (uint8_t)(N_PROFILE >> 8 * (3 - i));
    memcpy(profile + 16, colours, 4);
    memcpy(profile + 36, "acsp", 4);
    notes.icc = profile;
    notes.icc_size = N_PROFILE;
    return notes;
}

static rug_read_options all_of_it(void)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.planes = opts.alpha = opts.notes = 1;
    opts.as_stored = 1;
    return opts;
}

static int value(int plane, size_t y, size_t x, int bits)
{
    int v = (int)(plane * 37 + (int)y * NX + (int)x) % 251;
    return bits == 8 ? v : v * 257 + plane;
}

/* @param pixels  room for all planes */
static void fill_planes(rug_image planes[4], uint16_t *pixels, int n, int bits)
{
    const size_t shape[2] = {NY, NX};
    for (int p = 0; p < n; p++) {
        uint16_t *plane = pixels + p * NY * NX;
        for (size_t i = 0; i < NY * NX; i++)
            if (bits == 16)
                plane[i] = (uint16_t)value(p, i / NX, i % NX, bits);
            else
                ((uint8_t *)plane)[i] = (uint8_t)value(p, i / NX, i % NX, bits);
        assert_int_equal(rug_image_view(ctx, &planes[p], plane,
                                        bits == 16 ? RUG_U16 : RUG_U8, 2, shape),
                         RUG_OK);
    }
}

/* Every plane is what fill_planes() made. */
static void assert_planes(const rug_file *file, int n, int bits)
{
    rug_image planes[4];
    uint16_t pixels[4 * NY * NX];
    assert_int_equal(rug_file_get_facts(file)->n_planes, n);
    fill_planes(planes, pixels, n, bits);
    for (int p = 0; p < n; p++) {
        const rug_image plane = rug_file_plane(file, p);
        assert_true(same_views(&plane, &planes[p]));
    }
}

/* Within what tags of four digits can say. */
static void assert_about(double a, double b)
{
    assert_true(a >= b * (1 - 1e-4) && a <= b * (1 + 1e-4));
}

static void assert_notes(const rug_file *file, const rug_file_notes *expected)
{
    rug_file_notes found = RUG_FILE_NOTES_INIT;
    assert_int_equal(rug_file_read_notes(ctx, &found, file), RUG_OK);
    assert_int_equal(found.icc_size, expected->icc_size);
    if (found.icc_size > 0)
        assert_memory_equal(found.icc, expected->icc, found.icc_size);
    assert_int_equal(found.orientation, expected->orientation);
    assert_int_equal(found.alpha, expected->alpha);
    double scale = 1;
    assert_int_equal(found.unit != NULL, expected->unit != NULL);
    if (expected->unit != NULL && strcmp(found.unit, expected->unit) != 0) {
        assert_string_equal(found.unit, "mm"); /* PNG has no other */
        assert_string_equal(expected->unit, "in");
        scale = 25.4;
    }
    for (int a = 0; a < 2; a++)
        if (expected->spacing[a] > 0)
            assert_about(found.spacing[a], expected->spacing[a] * scale);
        else
            assert_true(found.spacing[a] == 0);
}

/* ---- There and back ---- */

static void round_trip(scratch *here, const char *name, int n, int bits,
                       const rug_file_notes *notes)
{
    rug_image planes[4];
    uint16_t pixels[4 * NY * NX];
    const rug_read_options opts = all_of_it();
    fill_planes(planes, pixels, n, bits);
    scratch_path(here, name);
    warning[0] = '\0';
    if (rug_picture_write_notes(ctx, here->path, planes, n, notes) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_string_equal(warning, "");
    rug_file *file = must_read(here->path, &opts);
    assert_string_equal(warning, "");
    assert_notes(file, notes);
    if (strstr(name, ".jpg") == NULL) /* which is not exact */
        assert_planes(file, n, bits);
    assert_int_equal(rug_file_get_facts(file)->dropped_alpha, 0);
    rug_file_free(file);
}

static void notes_come_back(void **state)
{
    static const char *const names[] = {"a.png", "a.tif", "a.jpg", "a.webp"};
    for (int k = 0; k < 4; k++)
        for (int orientation = 1; orientation <= 8; orientation++) {
            int exact = k < 2, n = exact ? 1 + orientation % 4 : k == 3 ? 3 : 1;
            rug_file_notes notes = notes_of(n >= 3 ? "RGB " : "GRAY");
            notes.orientation = orientation;
            notes.spacing[0] = 1 / 300.0;
            notes.spacing[1] = 1 / 150.0;
            notes.unit = "in";
            notes.alpha = n % 2 == 0 ? RUG_ALPHA_STRAIGHT : RUG_ALPHA_NONE;
            round_trip(*state, names[k], n, exact && orientation % 2 == 0 ? 16 : 8,
                       &notes);
        }
}

static void units_come_back(void **state)
{
    rug_file_notes notes = RUG_FILE_NOTES_INIT;
    notes.orientation = 1;
    round_trip(*state, "nothing.png", 3, 8, &notes);
    round_trip(*state, "nothing.tif", 3, 8, &notes);
    notes.spacing[0] = 0.25;
    notes.spacing[1] = 0.5;
    notes.unit = "mm";
    round_trip(*state, "mm.png", 1, 8, &notes);
    round_trip(*state, "mm.tif", 1, 8, &notes);
    round_trip(*state, "mm.jpg", 1, 8, &notes);
    notes.unit = NULL; /* the ratio of both */
    notes.spacing[0] = 1 / 3.0;
    round_trip(*state, "ratio.png", 1, 8, &notes);
    round_trip(*state, "ratio.tif", 1, 8, &notes);
    notes.alpha = RUG_ALPHA_PREMULTIPLIED;
    round_trip(*state, "multiplied.tif", 4, 16, &notes);
}

/* Micrometres as millimetres, since TIFF's own tags have no others. */
static void small_units_become_large(void **state)
{
    rug_image planes[4];
    uint16_t pixels[4 * NY * NX];
    rug_file_notes notes = RUG_FILE_NOTES_INIT, found = RUG_FILE_NOTES_INIT;
    const rug_read_options opts = all_of_it();
    fill_planes(planes, pixels, 1, 8);
    notes.spacing[0] = notes.spacing[1] = 0.65;
    notes.unit = "um";
    for (int k = 0; k < 2; k++) {
        const char *path = scratch_path(*state, k == 0 ? "um.png" : "um.tif");
        assert_int_equal(rug_picture_write_notes(ctx, path, planes, 1, &notes), RUG_OK);
        rug_file *file = must_read(path, &opts);
        assert_int_equal(rug_file_read_notes(ctx, &found, file), RUG_OK);
        assert_string_equal(found.unit, "mm");
        assert_about(found.spacing[0], 0.65e-3);
        rug_file_free(file);
    }
}

/* ---- What was turned ---- */

static void what_is_turned_is_upright(void **state)
{
    rug_image planes[4];
    uint16_t pixels[4 * NY * NX];
    rug_file_notes notes = RUG_FILE_NOTES_INIT, found = RUG_FILE_NOTES_INIT;
    rug_read_options opts = all_of_it();
    opts.as_stored = 0;
    fill_planes(planes, pixels, 4, 8);
    notes.orientation = 6;
    notes.spacing[0] = 0.5 / 25;
    notes.spacing[1] = 0.25 / 25;
    notes.unit = "mm";
    for (int k = 0; k < 2; k++) {
        const char *path = scratch_path(*state, k == 0 ? "a.png" : "a.tif");
        assert_int_equal(rug_picture_write_notes(ctx, path, planes, 4, &notes), RUG_OK);
        rug_file *file = must_read(path, &opts);
        assert_int_equal(rug_file_get_facts(file)->is_turned, 1);
        assert_int_equal(rug_file_read_notes(ctx, &found, file), RUG_OK);
        assert_int_equal(found.orientation, 1);
        assert_about(found.spacing[0] * 2, found.spacing[1]);
        const rug_image alpha = rug_file_plane(file, 3);
        assert_int_equal(alpha.shape[0], NX);
        for (size_t y = 0; y < NY; y++) /* the first row is the right side */
            for (size_t x = 0; x < NX; x++)
                assert_int_equal(row_of(&alpha, 0, x)[NY - 1 - y], value(3, y, x, 8));
        rug_file_free(file);
    }
}

/* ---- Alpha of every kind ---- */

static void alpha_of_tiff(void **state)
{
    uint16_t planes[4 * NY * NX], mixed[4 * NY * NX];
    const rug_read_options opts = all_of_it();
    rug_image views[4];
    for (int kind = 0; kind < 32; kind++) {
        int bits = kind & 1 ? 16 : 8, n = kind & 2 ? 4 : 2, is_planar = kind & 4;
        page p = {.width = NX,
                  .height = NY,
                  .bits = bits,
                  .samples = n,
                  .photometric = n == 4 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK,
                  .planar = is_planar,
                  .tile = kind & 8 && !is_planar ? 16 : 0,
                  .extra =
                      1 + (kind & 16 ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA),
                  .compression = kind & 8 ? COMPRESSION_LZW : COMPRESSION_NONE};
        rug_file_notes expected = RUG_FILE_NOTES_INIT;
        fill_planes(views, planes, n, bits);
        size_t size = (size_t)bits / 8;
        for (size_t i = 0; i < (size_t)n * NY * NX; i++) {
            size_t plane = is_planar ? i / (NY * NX) : i % (size_t)n;
            size_t at = is_planar ? i % (NY * NX) : i / (size_t)n;
            memcpy((char *)mixed + i * size,
                   (const char *)(planes + plane * NY * NX) + at * size, size);
        }
        rug_file *file = must_read(put_tiff(*state, "w", &p, mixed), &opts);
        assert_planes(file, n, bits);
        expected.orientation = 1;
        expected.alpha = kind & 16 ? RUG_ALPHA_PREMULTIPLIED : RUG_ALPHA_STRAIGHT;
        assert_notes(file, &expected);
        rug_file_free(file);
    }
}

/* Writes 2 pixels as they are stored. @param type  PNG_COLOR_TYPE_... */
static const char *put_png(scratch *here, int type, const png_color_16 *clear,
                           const png_color *palette, const png_byte *alphas)
{
    FILE *out = fopen(scratch_path(here, "clear.png"), "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_byte row[6] = {0, 1, 9, 7, 8, 9};
    assert_non_null(out);
    png_init_io(png, out);
    png_set_IHDR(png, info, 2, 1, 8, type, PNG_INTERLACE_NONE, 0, 0);
    if (palette != NULL)
        png_set_PLTE(png, info, palette, 2);
    png_set_tRNS(png, info, alphas, alphas != NULL ? 2 : 0, clear);
    png_write_info(png, info);
    png_write_row(png, row);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(out);
    return here->path;
}

static void alpha_of_palettes_and_clear_values(void **state)
{
    static const png_color palette[2] = {{10, 20, 30}, {40, 50, 60}};
    static const png_byte alphas[2] = {99, 255};
    const png_color_16 grey = {.gray = 1}, colour = {.red = 7, .green = 8, .blue = 9};
    rug_read_options opts = all_of_it();
    rug_file *file =
        must_read(put_png(*state, PNG_COLOR_TYPE_PALETTE, NULL, palette, alphas), &opts);
    assert_int_equal(rug_file_get_facts(file)->n_planes, 4);
    assert_true(pixel(file, 0, 0, 0) == 10 && pixel(file, 2, 0, 1) == 60);
    assert_true(pixel(file, 3, 0, 0) == 99 && pixel(file, 3, 0, 1) == 255);
    rug_file_free(file);
    file = must_read(put_png(*state, PNG_COLOR_TYPE_GRAY, &grey, NULL, NULL), &opts);
    assert_int_equal(rug_file_get_facts(file)->n_planes, 2);
    assert_true(pixel(file, 1, 0, 0) == 255 && pixel(file, 1, 0, 1) == 0);
    rug_file_free(file);
    file = must_read(put_png(*state, PNG_COLOR_TYPE_RGB, &colour, NULL, NULL), &opts);
    assert_true(pixel(file, 3, 0, 0) == 255 && pixel(file, 3, 0, 1) == 0);
    rug_file_free(file);
    opts.alpha = 0;
    file = must_read(((scratch *)*state)->path, &opts);
    assert_int_equal(rug_file_get_facts(file)->n_planes, 3);
    assert_int_equal(rug_file_get_facts(file)->dropped_alpha, 1);
    rug_file_free(file);
}

/* ---- What is damaged or too large ---- */

/* Puts a chunk iCCP behind the head of a PNG file. */
static const char *put_iccp(scratch *here, const void *bytes, size_t n)
{
    enum { HEAD = 33 };
    size_t n_file;
    put_gray_png(here, "plain.png");
    char *file = scratch_read(here, "plain.png", &n_file);
    uint8_t *all = malloc(n_file + n + 12);
    assert_non_null(all);
    memcpy(all, file, HEAD);
    const uint8_t length[4] = {(uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8),
                               (uint8_t)n};
    memcpy(all + HEAD, length, 4);
    memcpy(all + HEAD + 4, "iCCP", 4);
    memcpy(all + HEAD + 8, bytes, n);
    uint32_t crc = (uint32_t)crc32(0, all + HEAD + 4, (uInt)(n + 4));
    const uint8_t sum[4] = {(uint8_t)(crc >> 24), (uint8_t)(crc >> 16),
                            (uint8_t)(crc >> 8), (uint8_t)crc};
    memcpy(all + HEAD + 8 + n, sum, 4);
    memcpy(all + HEAD + 12 + n, file + HEAD, n_file - HEAD);
    put_bytes(here, "iccp.png", all, n_file + n + 12);
    free(all);
    free(file);
    return here->path;
}

/* Reads the pixels all the same, and warns. */
static void assert_left_out(const char *path, const char *why)
{
    const rug_read_options opts = all_of_it();
    rug_file_notes found = RUG_FILE_NOTES_INIT;
    rug_file *file = must_read(path, &opts);
    assert_int_equal(rug_file_read_notes(ctx, &found, file), RUG_OK);
    assert_null(found.icc);
    assert_int_equal(found.icc_size, 0);
    if (strstr(warning, why) == NULL || strstr(warning, "profile is left out") == NULL)
        fail_msg("\"%s\" expected: %s", why, warning);
    rug_file_free(file);
}

static void damaged_profiles_are_left_out(void **state)
{
    char no_end[90];
    memset(no_end, 'x', sizeof no_end);
    assert_left_out(put_iccp(*state, no_end, sizeof no_end), "damaged");
    assert_left_out(put_iccp(*state, "a\0\0", 3), "damaged");
    assert_left_out(put_iccp(*state, "a\0\1\x78\x9c\1\2\3", 8),
                    "damaged"); /* no method */
    assert_left_out(put_iccp(*state, "a\0\0\x78\x9c\1\2\3\4\5\6", 11), "damaged");
    assert_left_out(put_iccp(*state,
                             "a\0\0\x78\x01\0\5\0\xfa\xff"
                             "abc",
                             13),
                    "damaged");
    assert_left_out(put_iccp(*state, "", 0), "damaged");
}

static void large_profiles_are_left_out(void **state)
{
    size_t n = RUG_FILE_PROFILE_MAX + 1;
    uLongf n_packed = compressBound((uLong)n);
    uint8_t *large = calloc(n, 1), *packed = malloc(n_packed + 3);
    assert_true(large != NULL && packed != NULL);
    memcpy(packed, "a\0", 3);
    assert_int_equal(compress(packed + 3, &n_packed, large, (uLong)n), Z_OK);
    assert_left_out(put_iccp(*state, packed, n_packed + 3), "4194304 are kept");
    TIFF *tiff = TIFFOpen(scratch_path(*state, "large.tif"), "w");
    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)n, large);
    add_page(tiff, &(page){.width = 2, .height = 2, .photometric = 1}, "1234");
    TIFFClose(tiff);
    assert_left_out(((scratch *)*state)->path, "4194304 are kept");
    free(large);
    free(packed);
}

/* ---- What is refused, or said ---- */

static rug_status write_one(scratch *here, const char *name, int n,
                            const rug_file_notes *notes)
{
    rug_image planes[4];
    uint16_t pixels[4 * NY * NX];
    fill_planes(planes, pixels, n, 8);
    warning[0] = '\0';
    return rug_picture_write_notes(ctx, scratch_path(here, name), planes, n, notes);
}

static void notes_must_be_asked_for(void **state)
{
    rug_file_notes notes = notes_of("GRAY"), found = RUG_FILE_NOTES_INIT;
    notes.spacing[0] = notes.spacing[1] = 1;
    notes.unit = "mm";
    notes.orientation = 3;
    assert_int_equal(write_one(*state, "a.png", 1, &notes), RUG_OK);
    rug_file *file = must_read(((scratch *)*state)->path, NULL);
    assert_int_equal(rug_file_read_notes(ctx, &found, file), RUG_OK);
    assert_true(found.icc == NULL && found.spacing[0] == 0 && found.orientation == 1);
    assert_int_equal(rug_file_read_notes(ctx, &found, NULL), RUG_E_ARG);
    assert_int_equal(rug_file_read_notes(ctx, NULL, file), RUG_E_ARG);
    rug_file_free(file);
}

static void what_is_not_written_is_said(void **state)
{
    rug_file_notes notes = notes_of("RGB ");
    assert_int_equal(write_one(*state, "a.png", 1, &notes), RUG_OK);
    assert_non_null(strstr(warning, "one of colours"));
    notes = notes_of("GRAY");
    assert_int_equal(write_one(*state, "a.tif", 3, &notes), RUG_OK);
    assert_non_null(strstr(warning, "one of grey"));
    assert_int_equal(write_one(*state, "a.pgm", 1, &notes), RUG_OK);
    assert_non_null(strstr(warning, ".pgm files hold no colour profile"));
    notes = (rug_file_notes)RUG_FILE_NOTES_INIT;
    assert_int_equal(write_one(*state, "a.pgm", 1, &notes), RUG_OK);
    assert_string_equal(warning, "");
    notes.spacing[0] = notes.spacing[1] = 1;
    notes.unit = "deg";
    assert_int_equal(write_one(*state, "a.png", 1, &notes), RUG_OK);
    assert_non_null(strstr(warning, "its unit is deg"));
    notes.unit = "nm"; /* 10^10 pixels in a metre */
    notes.spacing[0] = notes.spacing[1] = 0.1;
    assert_int_equal(write_one(*state, "a.png", 1, &notes), RUG_OK);
    assert_non_null(strstr(warning, "more than PNG can say"));
    notes = (rug_file_notes)RUG_FILE_NOTES_INIT;
    notes.spacing[0] = 2;
    notes.spacing[1] = 1; /* a ratio */
    assert_int_equal(write_one(*state, "a.jpg", 1, &notes), RUG_OK);
    assert_non_null(
        strstr(warning, "the shape of pixels, 2 x 1 without a unit, is left out"));
    notes = (rug_file_notes)RUG_FILE_NOTES_INIT;
    notes.alpha = RUG_ALPHA_PREMULTIPLIED;
    assert_int_equal(write_one(*state, "a.png", 4, &notes), RUG_OK);
    assert_non_null(strstr(warning, "multiplied by alpha"));
}

static void wrong_notes_are_refused(void **state)
{
    static const char *const without[] = {"a.jpg", "a.webp", "a.pnm"};
    rug_file_notes notes = RUG_FILE_NOTES_INIT;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(write_one(*state, without[k], 4, &notes), RUG_E_ARG);
        assert_non_null(strstr(rug_context_error(ctx), "has alpha"));
    }
    notes.icc_size = 5;
    assert_int_equal(write_one(*state, "a.png", 1, &notes), RUG_E_ARG);
    notes = notes_of("RGB ");
    notes.icc_size = RUG_FILE_PROFILE_MAX + 1;
    assert_int_equal(write_one(*state, "a.png", 3, &notes), RUG_E_ARG);
    notes = (rug_file_notes)RUG_FILE_NOTES_INIT;
    notes.orientation = 9;
    assert_int_equal(write_one(*state, "a.png", 3, &notes), RUG_E_ARG);
    notes.orientation = 0;
    notes.spacing[1] = -1;
    assert_int_equal(write_one(*state, "a.png", 3, &notes), RUG_E_ARG);
    notes.struct_size = 0;
    assert_int_equal(write_one(*state, "a.png", 3, &notes), RUG_E_ARG);
}

int main(int argc, char **argv)
{
    (void)argc;
    const struct CMUnitTest tests[] = {SCRATCH_TEST(notes_come_back),
                                       SCRATCH_TEST(units_come_back),
                                       SCRATCH_TEST(small_units_become_large),
                                       SCRATCH_TEST(what_is_turned_is_upright),
                                       SCRATCH_TEST(alpha_of_tiff),
                                       SCRATCH_TEST(alpha_of_palettes_and_clear_values),
                                       SCRATCH_TEST(damaged_profiles_are_left_out),
                                       SCRATCH_TEST(large_profiles_are_left_out),
                                       SCRATCH_TEST(notes_must_be_asked_for),
                                       SCRATCH_TEST(what_is_not_written_is_said),
                                       SCRATCH_TEST(wrong_notes_are_refused)};
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
