/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading MRC: modes, byte orders, headers old and new, cells, orders of axes, stacks, and
 * headers that lie. The files are put together word by word. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "support.h"
#include "volume_support.h"

static unsigned char bytes[8192], packed[8192];
static const size_t volume[3] = {2, 3, 4};

/* A word of the header, numbered from 1. */
static void put_word(int word, const void *little, int is_big)
{
    for (int i = 0; i < 4; i++)
        bytes[4 * (word - 1) + (is_big ? 3 - i : i)] = ((const unsigned char *)little)[i];
}

static void put_integer(int word, int32_t value, int is_big)
{
    put_word(word, &value, is_big);
}

static void put_real(int word, double value, int is_big)
{
    float f = (float)value;
    put_word(word, &f, is_big);
}

/* The header of a volume of 2 x 3 x 4 in a cell of 4 x 6 x 10. */
static void put_header(int mode, int is_big)
{
    const int32_t words[] = {4, 3, 2, mode, 0, 0, 0, 4, 3, 2};
    memset(bytes, 0, sizeof bytes);
    for (int i = 0; i < 10; i++)
        put_integer(1 + i, words[i], is_big);
    for (int i = 0; i < 3; i++) {
        put_real(11 + i, (const double[]){4, 6, 10}[i], is_big);
        put_real(14 + i, 90, is_big);
        put_integer(17 + i, 1 + i, is_big);
    }
    put_integer(23, 1, is_big);
    memcpy(bytes + 208, "MAP ", 4);
    memset(bytes + 212, is_big ? 0x11 : 0x44, 2);
}

/* Writes the header and 24 values behind `at` bytes. */
static const char *put_file(scratch *here, rug_dtype dtype, int is_big, size_t at)
{
    size_t n = put_values(bytes + at, dtype, is_big, 0, N_VALUES);
    return put_bytes(here, "a.mrc", bytes, at + n);
}

static void modes(void **state)
{
    static const struct {
        int mode;
        rug_dtype dtype;
    } ways[] = {{0, RUG_I8}, {1, RUG_I16}, {2, RUG_F32}, {6, RUG_U16}};
    static const struct {
        int mode;
        const char *text;
    } refused[] = {{3, "mode 3 (complex values, which have no order)"},
                   {4, "mode 4 (complex"},
                   {5, "mode 5 is"},
                   {16, "mode 16 (colours)"},
                   {101, "mode 101 (4 bits)"}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (int is_big = 0; is_big < 2; is_big++) {
            put_header(ways[i].mode, is_big);
            assert_values(put_file(*state, ways[i].dtype, is_big, 1024), NULL,
                          ways[i].dtype, volume, 0, 1);
            put_integer(24, 100, is_big); /* an extended header */
            assert_values(put_file(*state, ways[i].dtype, is_big, 1124), NULL,
                          ways[i].dtype, volume, 0, 1);
            bytes[212] = bytes[213] = 0; /* no stamp */
            assert_values(put_file(*state, ways[i].dtype, is_big, 1124), NULL,
                          ways[i].dtype, volume, 0, 1);
        }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        put_header(refused[i].mode, 0);
        must_fail(put_file(*state, RUG_F64, 0, 1024), NULL, RUG_E_UNSUPPORTED,
                  refused[i].text);
    }
}

static void halves(void **state)
{
    static const uint16_t some[4] = {0x3c00, 0xc000, 0x7c00, 0x0001};
    for (int is_big = 0; is_big < 2; is_big++) {
        put_header(12, is_big);
        for (size_t i = 0; i < 48; i++)
            bytes[1024 + i] =
                (unsigned char)(some[i / 2 % 4] >> 8 * (i % 2 ^ (size_t)is_big));
        rug_file *file = must_read(put_bytes(*state, "a.mrc", bytes, 1024 + 48), NULL);
        assert_shape(file, RUG_F32, 2, 3, 4);
        assert_pixel(file, 0, 0, 0, 1);
        assert_pixel(file, 1, 2, 1, -2);
        assert_pixel(file, 0, 1, 2, (double)INFINITY);
        assert_pixel(file, 0, 0, 3, 0x1p-24);
        rug_file_free(file);
    }
}

/* Bytes are signed, unless IMOD has written them and does not say so. */
static void signs(void **state)
{
    static const struct {
        int32_t stamp, flags;
        rug_dtype dtype;
    } ways[] = {{0, 0, RUG_I8},
                {1146047817, 0, RUG_U8},
                {1146047817, 1, RUG_I8},
                {1146047817, 6, RUG_U8},
                {5, 0, RUG_I8}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        put_header(0, 0);
        put_integer(39, ways[i].stamp, 0);
        put_integer(40, ways[i].flags, 0);
        bytes[1024] = 200;
        memset(bytes + 1025, 1, 23);
        rug_file *file = must_read(put_bytes(*state, "a.mrc", bytes, 1048), NULL);
        assert_shape(file, ways[i].dtype, 2, 3, 4);
        assert_pixel(file, 0, 0, 0, ways[i].dtype == RUG_U8 ? 200 : -56);
        rug_file_free(file);
    }
}

static void zipped(void **state)
{
    put_header(1, 0);
    size_t n = 1024 + put_values(bytes + 1024, RUG_I16, 0, 0, N_VALUES);
    size_t n_packed = pack(packed, sizeof packed, bytes, n, 31);
    assert_values(put_bytes(*state, "a.map.gz", packed, n_packed), NULL, RUG_I16, volume,
                  0, 1);
    must_fail(put_bytes(*state, "a.map.gz", packed, n_packed - 2), NULL, RUG_E_FORMAT,
              "cut off");
}

static void cells(void **state)
{
    put_header(1, 0);
    const char *path = put_file(*state, RUG_I16, 0, 1024);
    assert_located(path, "MRC", "angstrom",
                   (const double[]){0, 0, 1, 0, 0, 2, 0, 0, 5, 0, 0, 0});
    rug_file *file = must_read(path, NULL);
    const rug_image *m = rug_file_image(file);
    assert_true(m->spacing[0] == 5 && m->spacing[1] == 2 && m->spacing[2] == 1);
    assert_string_equal(m->spacing_unit, "angstrom");
    rug_file_free(file);
    for (int k = 0; k < 3; k++)
        put_integer(5 + k, 10, 0); /* the first column, row and section, */
    assert_located(put_file(*state, RUG_I16, 0, 1024), "MRC", "angstrom",
                   (const double[]){0, 0, 1, 10, 0, 2, 0, 20, 5, 0, 0, 50});
    put_real(51, -3, 0); /* which an origin takes the place of */
    assert_located(put_file(*state, RUG_I16, 0, 1024), "MRC", "angstrom",
                   (const double[]){0, 0, 1, 0, 0, 2, 0, -3, 5, 0, 0, 0});
    put_real(16, 60, 0); /* gamma */
    assert_located(put_file(*state, RUG_I16, 0, 1024), "MRC", "angstrom",
                   (const double[]){0, 1, 1, 0, 0, sqrt(3), 0, -3, 5, 0, 0, 0});
    put_real(11, 0, 0);
    assert_located(put_file(*state, RUG_I16, 0, 1024), NULL, NULL, NULL);
}

/* Columns run along z, rows along x, sections along y: the order of the file stays. */
static void orders_of_axes(void **state)
{
    put_header(1, 0);
    for (int k = 0; k < 3; k++)
        put_integer(17 + k, (const int32_t[]){3, 1, 2}[k], 0);
    const char *path = put_file(*state, RUG_I16, 0, 1024);
    assert_values(path, NULL, RUG_I16, volume, 0, 1);
    assert_located(path, "MRC", "angstrom",
                   (const double[]){0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 5, 0});
}

static void stacks(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    put_header(1, 0);
    put_integer(23, 0, 0);
    put_integer(10, 1, 0); /* images that do not belong together */
    const char *path = put_file(*state, RUG_I16, 0, 1024);
    for (opts.page = 0; opts.page < 2; opts.page++)
        assert_values(path, &opts, RUG_I16, (const size_t[]){0, 3, 4},
                      12 * (size_t)opts.page, 1);
    opts.page = -1;
    opts.volume = 1;
    assert_values(path, &opts, RUG_I16, volume, 0, 1);
    put_integer(3, 4, 0); /* two volumes of two sections */
    put_integer(2, 3, 0);
    put_integer(1, 2, 0);
    put_integer(23, 401, 0);
    put_integer(10, 2, 0);
    path = put_file(*state, RUG_I16, 0, 1024);
    opts.volume = 0;
    for (opts.page = 0; opts.page < 2; opts.page++)
        assert_values(path, &opts, RUG_I16, (const size_t[]){2, 3, 2},
                      12 * (size_t)opts.page, 1);
}

/* Before 2000 there was no word that says what the file is. */
static void old_headers(void **state)
{
    for (int is_big = 0; is_big < 2; is_big++) {
        put_header(2, is_big);
        memset(bytes + 208, 0, 8);
        assert_values(put_file(*state, RUG_F32, is_big, 1024), NULL, RUG_F32, volume, 0,
                      1);
        put_integer(19, 2, is_big); /* rows twice, and no sections */
        must_fail(put_file(*state, RUG_F32, is_big, 1024), NULL, RUG_E_FORMAT, "read");
    }
}

static void headers_that_lie(void **state)
{
    static const struct {
        int word, value;
        const char *text;
    } lies[] = {{24, -1, "negative number of bytes"},
                {24, INT32_MAX, "cut off: 0 of 48"},
                {1, INT32_MAX, "bytes of pixels are there"},
                {3, 3, "cut off: 48 of 72"},
                {2, 0, "read"},
                {2, -3, "read"}};
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        put_header(1, 0);
        put_integer(lies[i].word, lies[i].value, 0);
        must_fail(put_file(*state, RUG_I16, 0, 1024), NULL, RUG_E_FORMAT, lies[i].text);
    }
    put_header(1, 0);
    for (int i = 1; i < 4; i++)
        put_integer(i, INT32_MAX, 0);
    must_fail(put_file(*state, RUG_I16, 0, 1024), NULL, RUG_E_FORMAT, "more pixels than");
}

static void cut_off(void **state)
{
    put_header(1, 0);
    put_file(*state, RUG_I16, 0, 1024);
    assert_int_equal(cut_everywhere(*state, "a.mrc", NULL, 13), (1072 + 12) / 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(modes),   SCRATCH_TEST(halves),      SCRATCH_TEST(signs),
        SCRATCH_TEST(zipped),  SCRATCH_TEST(cells),       SCRATCH_TEST(orders_of_axes),
        SCRATCH_TEST(stacks),  SCRATCH_TEST(old_headers), SCRATCH_TEST(headers_that_lie),
        SCRATCH_TEST(cut_off),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
