/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Colours that are kept as planes: every format, alpha, equal channels, and what the
 * option does not fit. must_read() reads slab by slab as well. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "io_scratch.h"

#include "read_support.h"

#include "tiff_support.h"

#include "vips_support.h"

static rug_read_options with_planes(void)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.planes = 1;
    return opts;
}

/* Pixels of pixel i and band b: 10 i + b, or that times 256. */
static const char *put_colours(scratch *here, const char *name, int bands, int bits)
{
    uint8_t narrow[6 * 4];
    uint16_t wide[6 * 4];
    for (int i = 0; i < 6 * bands; i++) {
        narrow[i] = (uint8_t)(10 * (i / bands) + i % bands);
        wide[i] = (uint16_t)(256 * narrow[i]);
    }
    return put_image(here, name, bits == 8 ? (void *)narrow : (void *)wide, 3, 2, bands,
                     bits,
                     bits == 8 ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_RGB16);
}

static void assert_planes(const char *path, int bits, int has_alpha)
{
    const rug_read_options opts = with_planes();
    rug_file *file = must_read(path, &opts);
    const rug_file_facts *f = rug_file_get_facts(file);
    assert_int_equal(f->n_planes, 3);
    assert_int_equal(f->n_channels, 3);
    assert_int_equal(f->channel, -1);
    assert_int_equal(f->dropped_alpha, has_alpha);
    assert_int_equal(f->equal_channels, 0);
    assert_shape(file, bits == 8 ? RUG_U8 : RUG_U16, 3, 2, 3);
    for (int p = 0; p < 3; p++) {
        rug_image plane = rug_file_plane(file, p);
        assert_int_equal(plane.ndim, 2);
        assert_true(plane.shape[0] == 2 && plane.shape[1] == 3);
        for (size_t i = 0; i < 6; i++)
            assert_true(test_pixel(&plane, 0, i / 3, i % 3) ==
                        (10 * (int)i + p) * (bits == 8 ? 1 : 256));
    }
    rug_file_free(file);
}

static void every_format(void **state)
{
    for (int bands = 3; bands <= 4; bands++) {
        for (int bits = 8; bits <= 16; bits += 8) {
            assert_planes(put_colours(*state, "a.png", bands, bits), bits, bands == 4);
            assert_planes(put_colours(*state, "a.tif", bands, bits), bits, bands == 4);
        }
        if (bands == 3)
            assert_planes(put_colours(*state, "a.ppm", bands, 8), 8, 0);
    }
}

static void the_line(const char *path, const char *expected)
{
    const rug_read_options opts = with_planes();
    char whole[1024];
    rug_file *file = must_read(path, &opts);
    char *line = rug_file_read_line(file, NULL, NULL);
    snprintf(whole, sizeof whole, "read %s: %s", path, expected);
    assert_string_equal(line, whole);
    free(line);
    rug_file_free(file);
}

static void lines(void **state)
{
    scratch *here = *state;
    the_line(put_colours(here, "a.png", 3, 8), "2x3 u8, red, green and blue kept");
    the_line(put_colours(here, "a.png", 4, 16),
             "2x3 u16, red, green and blue kept, alpha dropped");
    the_line(
        put_image(here, "a.png", "\1\1\1\7\7\7", 2, 1, 3, 8, VIPS_INTERPRETATION_sRGB),
        "1x2 u8, 3 equal channels, all kept");
    the_line(put_gray_png(here, "a.png"), "2x3 u8");
}

/* Grey and what has no colours is read as without the option. */
static void without_colours(void **state)
{
    scratch *here = *state;
    const rug_read_options opts = with_planes();
    rug_file *file = must_read(put_gray_png(here, "a.png"), &opts);
    assert_shape(file, RUG_U8, 0, 2, 3);
    assert_int_equal(rug_file_get_facts(file)->n_planes, 1);
    rug_image plane = rug_file_plane(file, 0);
    assert_memory_equal(&plane, rug_file_image(file), sizeof plane);
    rug_file_free(file);
    const page two = {
        .width = 2, .height = 1, .samples = 2, .photometric = PHOTOMETRIC_MINISBLACK};
    must_fail(put_tiff(here, "w", &two, "abcd"), &opts, RUG_E_ARG, "--channel 0..1");
}

static void spacing_of_planes(void **state)
{
    const page p = {.width = 2,
                    .height = 1,
                    .samples = 3,
                    .photometric = PHOTOMETRIC_RGB,
                    .unit = RESUNIT_CENTIMETER,
                    .x_per_unit = 20,
                    .y_per_unit = 10};
    const rug_read_options opts = with_planes();
    rug_file *file = must_read(put_tiff(*state, "w", &p, "abcdef"), &opts);
    rug_image plane = rug_file_plane(file, 2);
    assert_near(plane.spacing[0], 1);
    assert_near(plane.spacing[1], 0.5);
    assert_true(test_pixel(&plane, 0, 0, 1) == 'f');
    rug_file_free(file);
}

static void what_does_not_fit(void **state)
{
    scratch *here = *state;
    rug_read_options opts = with_planes();
    const char *path = put_colours(here, "a.tif", 3, 8);
    opts.channel = 1;
    must_fail(path, &opts, RUG_E_ARG, "one of them");
    opts.channel = -1;
    opts.volume = 1;
    must_fail(path, &opts, RUG_E_ARG, "one of them");
}

int main(int argc, char **argv)
{
    (void)argc;
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_format),      SCRATCH_TEST(lines),
        SCRATCH_TEST(without_colours),   SCRATCH_TEST(spacing_of_planes),
        SCRATCH_TEST(what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
