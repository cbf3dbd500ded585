/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading .npy: every type, order and version, and headers that lie. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "npy_support.h"
#include "read_support.h"
#include <math.h>

static void every_type(void **state)
{
    /* two pixels each, in both byte orders: the least and the largest that the type has */
    static const struct {
        const char *little, *big;
        rug_dtype dtype;
        size_t size;
        unsigned char bytes[16]; /* little-endian */
        double first, second;
    } types[] = {
        {"'|u1'", "'>u1'", RUG_U8, 1, {0, 255}, 0, 255},
        {"'|i1'", "'>i1'", RUG_I8, 1, {128, 127}, -128, 127},
        {"'|b1'", "'?'", RUG_U8, 1, {0, 1}, 0, 1},
        {"'<u2'", "'>u2'", RUG_U16, 2, {1, 2, 255, 255}, 513, 65535},
        {"'<i2'", "'>i2'", RUG_I16, 2, {0, 128, 255, 127}, -32768, 32767},
        {"'<u4'",
         "'>u4'",
         RUG_U32,
         4,
         {1, 2, 3, 4, 255, 255, 255, 255},
         67305985,
         4294967295.0},
        {"'<i4'", "'>i4'", RUG_I32, 4, {0, 0, 0, 128, 1, 0, 0, 0}, -2147483648.0, 1},
        {"'<u8'",
         "'>u8'",
         RUG_U64,
         8,
         {0, 0, 0, 0, 0, 0, 0, 128, 7},
         9223372036854775808.0,
         7},
        {"'<i8'",
         "'>i8'",
         RUG_I64,
         8,
         {0, 0, 0, 0, 0, 0, 0, 128, 7},
         -9223372036854775808.0,
         7},
        {"'<f4'", "'>f4'", RUG_F32, 4, {0, 0, 32, 64, 0, 0, 0, 191}, 2.5, -0.5},
        {"'<f8'",
         "'>f8'",
         RUG_F64,
         8,
         {0, 0, 0, 0, 0, 0, 4, 64, 0, 0, 0, 0, 0, 0, 224, 191},
         2.5,
         -0.5},
    };
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (int big = 0; big < 2; big++) {
            unsigned char pixels[16];
            for (size_t i = 0; i < 2 * types[t].size; i++)
                pixels[i] = types[t].bytes[big ? i - i % types[t].size + types[t].size -
                                                     1 - i % types[t].size
                                               : i];
            const char *path = put_npy(
                *state, 1,
                dictionary(big ? types[t].big : types[t].little, "False", "(1, 2)"),
                pixels, 2 * types[t].size);
            rug_file *file = must_read(path, NULL);
            assert_shape(file, types[t].dtype, 0, 1, 2);
            assert_pixel(file, 0, 0, 0, types[t].first);
            assert_pixel(file, 0, 0, 1, types[t].second);
            assert_string_equal(rug_file_get_facts(file)->format, "npy");
            rug_file_free(file);
        }
}

static void halves_are_exact(void **state)
{
    static const uint16_t little[6] = {0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0x7e00};
    unsigned char pixels[12], swapped[12];
    for (size_t i = 0; i < 6; i++) {
        pixels[2 * i] = swapped[2 * i + 1] = (unsigned char)little[i];
        pixels[2 * i + 1] = swapped[2 * i] = (unsigned char)(little[i] >> 8);
    }
    for (int big = 0; big < 2; big++) {
        const char *path =
            put_npy(*state, 1, dictionary(big ? "'>f2'" : "'<f2'", "False", "(2, 3)"),
                    big ? swapped : pixels, 12);
        rug_file *file = must_read(path, NULL);
        assert_shape(file, RUG_F32, 0, 2, 3);
        assert_pixel(file, 0, 0, 0, 1);
        assert_pixel(file, 0, 0, 1, -2);
        assert_pixel(file, 0, 0, 2, 5.9604644775390625e-08);
        assert_pixel(file, 0, 1, 0, 65504);
        assert_pixel(file, 0, 1, 1, (double)INFINITY);
        assert_true(isnan(pixel(file, 0, 1, 2)));
        rug_file_free(file);
    }
}

static float half_value(unsigned bits)
{
    int exponent = (int)(bits >> 10) & 31, fraction = (int)bits & 1023;
    float value = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                  : exponent == 0 ? ldexpf((float)fraction, -24)
                                  : ldexpf((float)(fraction + 1024), exponent - 25);
    return bits & 0x8000 ? -value : value;
}

static void every_half(void **state)
{
    enum { N = 65536, HEADER = 128 };
    unsigned char *file = calloc(HEADER + 2 * N, 1);
    assert_non_null(file);
    for (int big = 0; big < 2; big++) {
        const char *text = dictionary(big ? "'>f2'" : "'<f2'", "False", "(256, 256)");
        memset(file, ' ', HEADER);
        memcpy(file, "\x93NUMPY\x01\0\x76\0", 10);
        memcpy(file + 10, text, strlen(text));
        for (unsigned i = 0; i < N; i++) {
            file[HEADER + 2 * i + (unsigned)!big] = (unsigned char)(i >> 8);
            file[HEADER + 2 * i + (unsigned)big] = (unsigned char)i;
        }
        rug_file *read =
            must_read(put_bytes(*state, "a.npy", file, HEADER + 2 * N), NULL);
        const float *pixels = rug_file_image(read)->data;
        for (unsigned i = 0; i < N; i++) {
            float expected = half_value(i);
            assert_memory_equal(&pixels[i], &expected, sizeof expected);
        }
        rug_file_free(read);
    }
    free(file);
}

static void both_orders(void **state)
{
    unsigned char pixels[24];
    for (int i = 0; i < 24; i++)
        pixels[i] = (unsigned char)i;
    rug_file *c = must_read(
        put_npy(*state, 1, dictionary("'|u1'", "False", "(2, 3, 4)"), pixels, 24), NULL);
    rug_file *f = must_read(
        put_npy(*state, 1, dictionary("'|u1'", "True", "(2, 3, 4)"), pixels, 24), NULL);
    assert_shape(c, RUG_U8, 2, 3, 4);
    assert_shape(f, RUG_U8, 2, 3, 4);
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < 3; y++)
            for (size_t x = 0; x < 4; x++) {
                assert_pixel(c, z, y, x, (double)((z * 3 + y) * 4 + x));
                assert_pixel(f, z, y, x, (double)(z + 2 * (y + 3 * x)));
            }
    assert_int_equal(rug_file_image(f)->stride[0], 1);
    assert_int_equal(rug_file_image(f)->stride[2], 6);
    rug_file_free(c);
    rug_file_free(f);
}

static void every_version(void **state)
{
    static const char *const headers[] = {
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }\n",
        "{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"|u1\"}",  /* another hand */
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1L, 2L)}"}; /* Python 2 */
    for (int version = 1; version <= 3; version++)
        for (size_t h = 0; h < 3; h++) {
            rug_file *file =
                must_read(put_npy(*state, version, headers[h], "\x05\x09", 2), NULL);
            assert_pixel(file, 0, 0, 0, 5);
            assert_pixel(file, 0, 0, 1, 9);
            rug_file_free(file);
        }
    must_fail(put_npy(*state, 4, headers[0], "ab", 2), NULL, RUG_E_UNSUPPORTED,
              "version 4.0");
}

/* Three planes are never colour. */
static void three_planes_are_a_volume(void **state)
{
    unsigned char pixels[3 * 16 * 16];
    memset(pixels, 1, sizeof pixels);
    rug_file *file =
        must_read(put_npy(*state, 1, dictionary("'|u1'", "False", "(3, 16, 16)"), pixels,
                          sizeof pixels),
                  NULL);
    assert_shape(file, RUG_U8, 3, 16, 16);
    assert_int_equal(rug_file_get_facts(file)->n_channels, 1);
    rug_file_free(file);
}

static void refused_types(void **state)
{
    static const struct {
        const char *descr, *why;
    } types[] = {
        {"'<c8'", "complex"},         {"'|O'", "objects"},
        {"'|S4'", "texts"},           {"'<U4'", "texts"},
        {"'|V8'", "raw bytes"},       {"'<M8[ns]'", "dates"},
        {"'<f16'", "floats of 2 to"}, {"'<i3'", "integers of"},
        {"''", "structured"},         {"[('a', '<f4'), ('b', '<i2')]", "structured"}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        must_fail(put_npy(*state, 1, dictionary(types[i].descr, "False", "(2, 2)"),
                          "0123456789", 10),
                  NULL, RUG_E_UNSUPPORTED, types[i].why);
}

static void shapes_that_cannot_be(void **state)
{
    static const struct {
        const char *shape;
        rug_status status;
        const char *text;
    } shapes[] = {
        {"()", RUG_E_UNSUPPORTED, "0 axes"},
        {"(4,)", RUG_E_UNSUPPORTED, "1 axes"},
        {"(1, 1, 2, 2)", RUG_E_UNSUPPORTED, "4 axes"},
        {"(0, 4)", RUG_E_FORMAT, "axis 0 of the npy array is 0"},
        {"(2, 0, 2)", RUG_E_FORMAT, "axis 1"},
        {"(1000000, 1000000)", RUG_E_FORMAT, "cut off: 4 of 1000000000000 bytes"},
        {"(4294967296, 4294967296, 4)", RUG_E_FORMAT, "more values than an address"},
        {"(18446744073709551615, 1)", RUG_E_FORMAT, "cut off"},
        {"(18446744073709551616, 1)", RUG_E_FORMAT, "shape holds"},
        {"(-2, -2)", RUG_E_FORMAT, "shape holds"},
        {"(4)", RUG_E_FORMAT, "not a tuple"},
        {"[2, 2]", RUG_E_FORMAT, "not a tuple"},
        {"(2, 2", RUG_E_FORMAT, "shape holds"},
        {"(2, 3)", RUG_E_FORMAT, "cut off: 4 of 6 bytes"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        must_fail(
            put_npy(*state, 1, dictionary("'|u1'", "False", shapes[i].shape), "abcd", 4),
            NULL, shapes[i].status, shapes[i].text);
}

static void garbage_headers(void **state)
{
    static const struct {
        const char *header, *text;
    } headers[] = {
        {"", "no dictionary"},
        {"garbage", "no dictionary"},
        {"{", "a key is expected"},
        {"{}", "is missing"},
        {"{'descr': '<f4'", "no end"},
        {"{'descr': '<f4', 'descr': '<f4'}", "occurs twice"},
        {"{'descr': '<f4', 'extra': 1}", "neither descr"},
        {"{'descr': 4}", "neither a text nor a list"},
        {"{'descr': [(", "a list without an end"},
        {"{'descr': '<f4\\'}", "neither a text nor a list"},
        {"{'descr': '0123456789012345678901234567890123456789'}",
         "neither a text nor a list"},
        {"{'fortran_order': 1}", "neither True nor False"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)} x",
         "after the dictionary"},
        {"{'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
         "more than 32 axes"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        must_fail(put_npy(*state, 1, headers[i].header, "abcd", 4), NULL, RUG_E_FORMAT,
                  headers[i].text);
    /* a length that lies */
    must_fail(put_bytes(*state, "a.npy", "\x93NUMPY\x02\0\xff\xff\xff\xff{}", 14), NULL,
              RUG_E_FORMAT, "4294967295 bytes");
}

static void options_without_effect(void **state)
{
    const char *path =
        put_npy(*state, 1, dictionary("'|u1'", "False", "(2, 2)"), "abcd", 4);
    rug_read_options page = RUG_READ_OPTIONS_INIT, level = page, channel = page,
                     volume = page;
    page.page = 1;
    level.level = 1;
    channel.channel = 1;
    volume.volume = 1;
    must_fail(path, &page, RUG_E_ARG, "page 1 requested");
    must_fail(path, &level, RUG_E_ARG, "level 1 requested");
    must_fail(path, &channel, RUG_E_ARG, "channel 1 requested");
    must_fail(path, &volume, RUG_E_ARG, "2 axes; 3 expected");
    path = put_npy(*state, 1, dictionary("'|u1'", "False", "(1, 2, 2)"), "abcd", 4);
    rug_file *file = must_read(path, &volume);
    assert_shape(file, RUG_U8, 1, 2, 2);
    rug_file_free(file);
}

static void cut_off(void **state)
{
    double pixels[30] = {0};
    put_npy(*state, 1, dictionary("'<f8'", "False", "(5, 6)"), pixels, sizeof pixels);
    scratch *here = *state;
    size_t n;
    free(get_bytes(here->path, &n));
    assert_int_equal(cut_everywhere(here, "a.npy", NULL, 1), n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_type),      SCRATCH_TEST(halves_are_exact),
        SCRATCH_TEST(every_half),      SCRATCH_TEST(both_orders),
        SCRATCH_TEST(every_version),   SCRATCH_TEST(three_planes_are_a_volume),
        SCRATCH_TEST(refused_types),   SCRATCH_TEST(shapes_that_cannot_be),
        SCRATCH_TEST(garbage_headers), SCRATCH_TEST(options_without_effect),
        SCRATCH_TEST(cut_off),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
