/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels that hold no data: which they are, by a file's tag or by options, and what becomes of them
 * in every dtype, whole and slab by slab. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <unistd.h>

#include "io_scratch.h"

#include "../io/npy_support.h"

#include "../io/picture_support.h"

/* More rows than blocks, more pixels than are looked at together. */
#define NY 40
#define NX 53

static rug_read_options with_value(double value, int64_t rest)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.nodata = RUG_NODATA_VALUE;
    opts.nodata_value = value;
    opts.nodata_rest = rest;
    return opts;
}

static void assert_counted(const rug_file *file, uint64_t n, uint64_t n_nan)
{
    const rug_file_facts *f = rug_file_get_facts(file);
    assert_int_equal(f->has_nodata, 1);
    assert_int_equal(f->is_counted, 1);
    assert_int_equal(f->n_nodata, n);
    assert_int_equal(f->n_nan, n_nan);
}

/* Every fifth pixel is `none`, the others are their place modulo 97. */
#define FILL(type, none)                 \
    for (size_t i = 0; i < NY * NX; i++) \
    ((type *)pixels)[i] = i % 5 == 0 ? (type)(none) : (type)(i % 97 + 1)

static size_t fill(void *pixels, const char *descr, double none)
{
    if (strcmp(descr, "|u1") == 0)
        FILL(uint8_t, none);
    else if (strcmp(descr, "|i1") == 0)
        FILL(int8_t, none);
    else if (strcmp(descr, "<u2") == 0)
        FILL(uint16_t, none);
    else if (strcmp(descr, "<i2") == 0)
        FILL(int16_t, none);
    else if (strcmp(descr, "<u4") == 0)
        FILL(uint32_t, none);
    else if (strcmp(descr, "<i4") == 0)
        FILL(int32_t, none);
    else if (strcmp(descr, "<u8") == 0)
        FILL(uint64_t, none);
    else if (strcmp(descr, "<i8") == 0)
        FILL(int64_t, none);
    else if (strcmp(descr, "<f4") == 0)
        FILL(float, none);
    else
        FILL(double, none);
    return NY * NX * (size_t)(descr[2] - '0');
}

/* An array of a dtype in the machine's order, which is little-endian where tests run. */
static const char *put_array(scratch *here, const char *descr, double none)
{
    static uint64_t pixels[NY * NX];
    static char file[10 + 512 + sizeof pixels];
    char quoted[16], shape[32];
    size_t n = fill(pixels, descr, none);
    snprintf(quoted, sizeof quoted, "'%s'", descr);
    snprintf(shape, sizeof shape, "(%d, %d)", NY, NX);
    const char *head = dictionary(quoted, "False", shape);
    memcpy(file, "\x93NUMPY\1\0", 8);
    file[8] = (char)strlen(head);
    file[9] = 0;
    memcpy(file + 10, head, strlen(head));
    memcpy(file + 10 + strlen(head), pixels, n);
    return put_bytes(here, "a.npy", file, 10 + strlen(head) + n);
}

static void assert_array(const rug_file *file, double none)
{
    for (size_t i = 0; i < NY * NX; i++) {
        double got = pixel(file, 0, i / NX, i % NX);
        double expected = i % 5 == 0 ? none : (double)(i % 97 + 1);
        assert_true(isnan(expected) ? isnan(got) : got == expected);
    }
}

static const struct {
    const char *descr;
    rug_dtype stored, shown;
    double none;
} kinds[] = {{"|u1", RUG_U8, RUG_F32, 255},         {"|i1", RUG_I8, RUG_F32, -128},
             {"<u2", RUG_U16, RUG_F32, 65535},      {"<i2", RUG_I16, RUG_F32, -32768},
             {"<u4", RUG_U32, RUG_F64, 4294967295}, {"<i4", RUG_I32, RUG_F64, -9999},
             {"<u8", RUG_U64, RUG_F64, 1e15},       {"<i8", RUG_I64, RUG_F64, -1e15},
             {"<f4", RUG_F32, RUG_F32, -9999.5},    {"<f8", RUG_F64, RUG_F64, 1e300}};

static void every_dtype_becomes_nan(void **state)
{
    uint64_t n = (NY * NX + 4) / 5;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const char *path = put_array(*state, kinds[k].descr, kinds[k].none);
        rug_read_options opts = with_value(kinds[k].none, 0);
        rug_file *file = must_read(path, &opts);
        assert_int_equal(rug_file_image(file)->dtype, kinds[k].shown);
        assert_int_equal(rug_file_get_facts(file)->values, kinds[k].stored);
        assert_counted(file, n, 0);
        assert_array(file, (double)NAN);
        rug_file_free(file);
    }
}

static void every_dtype_stays_or_becomes_zero(void **state)
{
    uint64_t n = (NY * NX + 4) / 5;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (int as = RUG_NODATA_AS_STORED; as <= RUG_NODATA_AS_ZERO; as++) {
            const char *path = put_array(*state, kinds[k].descr, kinds[k].none);
            rug_read_options opts = with_value(kinds[k].none, 0);
            opts.nodata_as = (rug_nodata_as)as;
            rug_file *file = must_read(path, &opts);
            assert_int_equal(rug_file_image(file)->dtype, kinds[k].stored);
            assert_counted(file, n, 0);
            assert_array(file, as == RUG_NODATA_AS_ZERO ? 0 : kinds[k].none);
            rug_file_free(file);
        }
}

/* What a type cannot hold is no pixel's value, and integers stay integers. */
static void values_that_no_pixel_can_have(void **state)
{
    static const struct {
        const char *descr;
        double value;
    } cases[] = {{"|u1", -9999}, {"|u1", 256},     {"|i1", 128}, {"|u1", 7.5},
                 {"<u8", -1},    {"<i8", 0x1p63},  {"<u2", NAN}, {"<f4", 1e300},
                 {"<f4", -1e39}, {"<i4", INFINITY}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = put_array(*state, cases[i].descr, 3);
        rug_read_options opts = with_value(cases[i].value, 0);
        rug_file *file = must_read(path, &opts);
        assert_int_equal(rug_file_image(file)->dtype, rug_file_get_facts(file)->values);
        assert_counted(file, 0, 0);
        assert_array(file, 3);
        rug_file_free(file);
    }
}

/* A float that is NaN or infinite in the file, and values rounded to the type. */
static void floats(void **state)
{
    const float pixels[] = {NAN, 0.1f, -FLT_MAX, INFINITY, 2, -0.0f};
    const char *path =
        put_npy(*state, 1, dictionary("'<f4'", "False", "(2, 3)"), pixels, sizeof pixels);
    const struct {
        double value;
        uint64_t n, n_nan;
    } cases[] = {
        {0.1, 1, 1}, {-3.4028234663852886e+38, 1, 1}, {NAN, 1, 0},      {INFINITY, 1, 1},
        {0, 1, 1},   {-3.4028235e+38, 1, 1},          {-INFINITY, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_read_options opts = with_value(cases[i].value, 0);
        rug_file *file = must_read(path, &opts);
        assert_counted(file, cases[i].n, cases[i].n_nan);
        rug_file_free(file);
    }
}

/* Numbers that no double holds are told apart; where they would have to be doubles, they are refused. */
static void sixty_four_bits(void **state)
{
    const int64_t pixels[] = {INT64_C(9007199254740993), INT64_C(9007199254740992), -5,
                              0};
    const char *path =
        put_npy(*state, 1, dictionary("'<i8'", "False", "(2, 2)"), pixels, sizeof pixels);
    rug_read_options opts = with_value(9007199254740992.0, 1);
    rug_file *file = must_read(path, &opts);
    assert_counted(file, 1, 0);
    assert_true(isnan(pixel(file, 0, 0, 0)));
    assert_pixel(file, 0, 0, 1, 9007199254740992.0);
    rug_file_free(file);
    opts = with_value(-5, 0);
    must_fail(path, &opts, RUG_E_UNSUPPORTED, "no double holds");
    opts.nodata_as = RUG_NODATA_AS_ZERO;
    file = must_read(path, &opts);
    assert_int_equal(rug_file_image(file)->dtype, RUG_I64);
    assert_counted(file, 1, 0);
    rug_file_free(file);
}

/* Arrays whose slowest axis is their last come as a whole. */
static void another_order(void **state)
{
    const uint8_t pixels[] = {1, 9, 3, 4, 5, 6};
    const char *path =
        put_npy(*state, 1, dictionary("'|u1'", "True", "(2, 3)"), pixels, sizeof pixels);
    rug_read_options opts = with_value(9, 0);
    rug_file *file = must_read(path, &opts);
    assert_true(isnan(pixel(file, 0, 1, 0)));
    assert_pixel(file, 0, 0, 1, 3);
    assert_pixel(file, 0, 1, 2, 6);
    rug_file_free(file);
}

/* ---- GDAL's tag ---- */

static void texts_of_the_tag(void **state)
{
    static const struct {
        const char *text;
        uint64_t n;
    } texts[] = {{"255 ", 1}, {" 7", 2},  {"+7", 2},   {"7.0", 2},
                 {"7e0", 2},  {"nan", 0}, {"-9999", 0}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        page p = {.width = 3,
                  .height = 2,
                  .photometric = PHOTOMETRIC_MINISBLACK,
                  .nodata = texts[i].text};
        rug_file *file = must_read(put_tiff(*state, "w", &p, "\7\1\xff\2\3\7"), NULL);
        assert_counted(file, texts[i].n, 0);
        assert_int_equal(rug_file_image(file)->dtype, texts[i].n > 0 ? RUG_F32 : RUG_U8);
        rug_file_free(file);
        rug_read_options opts = RUG_READ_OPTIONS_INIT;
        opts.nodata = RUG_NODATA_NONE;
        file = must_read(scratch_path(*state, "a.tif"), &opts);
        assert_int_equal(rug_file_get_facts(file)->has_nodata, 0);
        assert_int_equal(rug_file_image(file)->dtype, RUG_U8);
        assert_pixel(file, 0, 0, 0, 7);
        rug_file_free(file);
    }
}

static void no_number(void **state)
{
    static const char longest[] = "77777777777777777777777777777777777777777"
                                  "77777777777777777777777777777777777777777x";
    static const char *const texts[] = {"none", "1.#QNAN", "7,0", "0x7", longest};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        page p = {.width = 3,
                  .height = 1,
                  .photometric = PHOTOMETRIC_MINISBLACK,
                  .nodata = texts[i]};
        rug_file *file = must_read(put_tiff(*state, "w", &p, "\7\1\2"), NULL);
        assert_int_equal(rug_file_get_facts(file)->has_nodata, 0);
        assert_pixel(file, 0, 0, 0, 7);
        assert_non_null(strstr(warning, "is no number"));
        rug_file_free(file);
    }
}

/* Values are those that are stored, not those that they become. */
static void inverted_and_spread(void **state)
{
    page white = {
        .width = 3, .height = 1, .photometric = PHOTOMETRIC_MINISWHITE, .nodata = "7"};
    rug_file *file = must_read(put_tiff(*state, "w", &white, "\7\1\2"), NULL);
    assert_counted(file, 1, 0);
    assert_true(rug_file_get_facts(file)->nodata == 248);
    assert_true(isnan(pixel(file, 0, 0, 0)));
    assert_pixel(file, 0, 0, 1, 254);
    rug_file_free(file);
    page four = {.width = 4,
                 .height = 1,
                 .bits = 4,
                 .photometric = PHOTOMETRIC_MINISBLACK,
                 .nodata = "2"};
    file = must_read(put_tiff(*state, "w", &four, "\x12\x3f"), NULL);
    assert_counted(file, 1, 0);
    assert_true(isnan(pixel(file, 0, 0, 1)));
    assert_pixel(file, 0, 0, 2, 51);
    rug_file_free(file);
}

static void slices_and_pages(void **state)
{
    page p = {
        .width = 2, .height = 2, .photometric = PHOTOMETRIC_MINISBLACK, .nodata = "3"};
    const char *path = put_stack(*state, &p, 4, 1);
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.volume = 1;
    rug_file *file = must_read(path, &opts);
    assert_counted(file, 4, 0);
    assert_true(isnan(pixel(file, 2, 1, 1)));
    assert_pixel(file, 3, 1, 1, 4);
    rug_file_free(file);
}

static void options_that_do_not_fit(void **state)
{
    const char *path = put_array(*state, "|u1", 1);
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.nodata = (rug_nodata)3;
    must_fail(path, &opts, RUG_E_ARG, "nodata");
    opts = (rug_read_options)RUG_READ_OPTIONS_INIT;
    opts.nodata_as = (rug_nodata_as)-1;
    must_fail(path, &opts, RUG_E_ARG, "nodata");
    assert_string_equal(rug_nodata_name(RUG_NODATA_NONE), "none");
    assert_string_equal(rug_nodata_as_name(RUG_NODATA_AS_ZERO), "zero");
    assert_string_equal(rug_nodata_as_name((rug_nodata_as)9), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_dtype_becomes_nan),
        SCRATCH_TEST(every_dtype_stays_or_becomes_zero),
        SCRATCH_TEST(values_that_no_pixel_can_have),
        SCRATCH_TEST(floats),
        SCRATCH_TEST(sixty_four_bits),
        SCRATCH_TEST(another_order),
        SCRATCH_TEST(texts_of_the_tag),
        SCRATCH_TEST(no_number),
        SCRATCH_TEST(inverted_and_spread),
        SCRATCH_TEST(slices_and_pages),
        SCRATCH_TEST(options_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
