/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Stacks that ImageJ wrote: channels and slices in its orders, one directory for all slices, and what
 * its description says that is not so. */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(imagej_hyperstack),     SCRATCH_TEST(imagej_orders),
        SCRATCH_TEST(imagej_one_directory),  SCRATCH_TEST(imagej_above_4_gib),
        SCRATCH_TEST(imagej_times_and_lies),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
