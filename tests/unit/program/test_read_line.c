/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The line that tells people what was read. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "../io/read_support.h"

#include "../io/picture_support.h"
#include "tables/read_line.h"
#include <math.h>

/* Checks the line behind "read PATH: ", with the measured range. */
static void assert_line(const char *path, const rug_read_options *opts, const char *extra,
                        const char *expected)
{
    rug_file *file = must_read(path, opts);
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    char whole[1024];
    assert_int_equal(rug_image_measure_range(ctx, &range, rug_file_image(file)), RUG_OK);
    char *line = cli_file_read_line(file, rug_file_get_facts(file), NULL, &range, extra);
    snprintf(whole, sizeof whole, "read %s: %s", path, expected);
    assert_string_equal(line, whole);
    free(line);
    rug_file_free(file);
}

static const page gray = {.width = 3, .height = 2, .photometric = PHOTOMETRIC_MINISBLACK};

static void the_example_of_the_design(void **state)
{
    page p = gray;
    p.bits = 16;
    p.unit = RESUNIT_NONE;
    p.x_per_unit = p.y_per_unit = (float)(1 / 0.65);
    p.description = "ImageJ=1.53t\nunit=um\n";
    assert_line(
        put_tiff(*state, "w", &p, (uint16_t[]){12, 13, 4031, 50, 60, 70}), NULL,
        "foreground 12.4 % (otsu 803)",
        "2x3 u16, range 12..4031, spacing 0.65x0.65 um, foreground 12.4 % (otsu 803)");
}

/* The decimal point in any locale, read and written. */
static void decimal_comma(void **state)
{
    page p = gray;
    p.description =
        "<OME><Image><Pixels PhysicalSizeX=\"0.65\" PhysicalSizeY=\"1.5\"/></Image>"
        "</OME>";
    scratch_speak_german(*state);
    assert_line(put_tiff(*state, "w", &p, "abcdef"), NULL, NULL,
                "2x3 u8, range 97..102, spacing 1.5x0.65 um");
}

static void numbers(void **state)
{
    page p = {.width = 3,
              .height = 2,
              .bits = 32,
              .format = SAMPLEFORMAT_IEEEFP,
              .photometric = PHOTOMETRIC_MINISBLACK};
    assert_line(
        put_tiff(*state, "w", &p, (float[]){0.1f, NAN, INFINITY, NAN, -2, -INFINITY}),
        NULL, NULL, "2x3 f32, range -2..0.10000000149011612, 2 NaN, 2 infinite");
    rug_file *file = must_read(put_tiff(*state, "w", &gray, "abcdef"), NULL);
    char *line = cli_file_read_line(file, rug_file_get_facts(file), NULL, NULL, NULL);
    assert_non_null(strstr(line, "a.tif: 2x3 u8"));
    assert_null(strstr(line, "range"));
    free(line);
    rug_file_free(file);
}

static void decisions(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    assert_line(put_stack(*state, &gray, 5, 7), NULL, NULL,
                "2x3 u8, range 7..7, page 0 of 5");
    scratch *here = *state;
    opts.volume = 1;
    assert_line(here->path, &opts, NULL,
                "5x2x3 u8, range 7..11, pages as slices "
                "(--page takes one of 5)");
    opts.volume = 0;
    page rgb = {.width = 1, .height = 1, .samples = 3, .photometric = PHOTOMETRIC_RGB};
    assert_line(put_tiff(here, "w", &rgb, "\xff\0\0"), NULL, NULL,
                "1x1 u8, range 76..76, luma of 3 channels");
    assert_line(put_tiff(here, "w", &rgb, "\5\5\5"), NULL, NULL,
                "1x1 u8, range 5..5, 3 equal channels");
    opts.channel = 1;
    assert_line(here->path, &opts, NULL, "1x1 u8, range 5..5, channel 1 of 3");
    page alpha = {.width = 1,
                  .height = 1,
                  .samples = 2,
                  .extra = 1 + EXTRASAMPLE_UNASSALPHA,
                  .photometric = PHOTOMETRIC_MINISBLACK};
    assert_line(put_tiff(here, "w", &alpha, "\5\6"), NULL, NULL,
                "1x1 u8, range 5..5, alpha dropped");
    page white = gray;
    white.photometric = PHOTOMETRIC_MINISWHITE;
    assert_line(put_tiff(here, "w", &white, "\0\1\2\3\4\5"), NULL, NULL,
                "2x3 u8, range 250..255, white-is-zero inverted");
}

static void spacing_of_one_axis(void **state)
{
    page p = gray;
    p.unit = RESUNIT_CENTIMETER;
    p.x_per_unit = p.y_per_unit = 40;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.volume = 1;
    assert_line(put_stack(*state, &p, 2, 1), &opts, NULL,
                "2x2x3 u8, range 1..2, spacing ?x0.25x0.25 mm, "
                "pages as slices (--page takes one of 2)");
}

static void levels_and_scaling(void **state)
{
    scratch *here = *state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    page half = gray;
    half.reduced = FILETYPE_REDUCEDIMAGE;
    TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), "w");
    add_page(tiff, &gray, "abcdef");
    add_page(tiff, &half, "\1\2\3\4\5\6");
    TIFFClose(tiff);
    opts.level = 1;
    assert_line(here->path, &opts, NULL, "2x3 u8, range 1..6, level 1 of 2");
    unsigned char nifti[354] = {0}; /* one row of 2 u8 pixels, times 2 minus 1024 */
    const int32_t size = 348;
    const int16_t dim[3] = {2, 2, 1}, type = 2;
    const float real[3] = {352, 2, -1024};
    memcpy(nifti, &size, 4);
    memcpy(nifti + 40, dim, 6);
    memcpy(nifti + 70, &type, 2);
    memcpy(nifti + 108, real, 12);
    memcpy(nifti + 344, "n+1", 4);
    nifti[353] = 100;
    assert_line(put_bytes(here, "a.nii", nifti, sizeof nifti), NULL, NULL,
                "1x2 f32, range -1024..-824, scaled by 2 + -1024");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(the_example_of_the_design),
        SCRATCH_TEST(decimal_comma),
        SCRATCH_TEST(numbers),
        SCRATCH_TEST(decisions),
        SCRATCH_TEST(spacing_of_one_axis),
        SCRATCH_TEST(levels_and_scaling),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
