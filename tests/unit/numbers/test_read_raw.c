/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading files without a header: every type and byte order, offsets, sizes that do not fit, gzip,
 * slices, and texts that are no layout. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "../io/read_support.h"
#include <math.h>
#include <zlib.h>

static rug_read_options raw(const char *layout)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.raw = layout;
    return opts;
}

/* Two pixels of each type as bytes from the least significant on, and what they are. */
static const struct {
    const char *name;
    rug_dtype dtype;
    size_t size;
    unsigned char bytes[16];
    double first, second;
} types[] = {
    {"u8", RUG_U8, 1, {0, 255}, 0, 255},
    {"i8", RUG_I8, 1, {128, 127}, -128, 127},
    {"u16", RUG_U16, 2, {1, 2, 255, 255}, 513, 65535},
    {"i16", RUG_I16, 2, {0, 128, 255, 127}, -32768, 32767},
    {"u32", RUG_U32, 4, {1, 2, 3, 4, 255, 255, 255, 255}, 67305985, 4294967295.0},
    {"i32", RUG_I32, 4, {0, 0, 0, 128, 1, 0, 0, 0}, -2147483648.0, 1},
    {"u64", RUG_U64, 8, {0, 0, 0, 0, 0, 0, 0, 128, 7}, 9223372036854775808.0, 7},
    {"i64", RUG_I64, 8, {0, 0, 0, 0, 0, 0, 0, 128, 7}, -9223372036854775808.0, 7},
    {"f16", RUG_F32, 2, {0, 0x40, 0xff, 0xfb}, 2, -65504},
    {"f32", RUG_F32, 4, {0, 0, 32, 64, 0, 0, 0, 191}, 2.5, -0.5},
    {"f64", RUG_F64, 8, {0, 0, 0, 0, 0, 0, 4, 64, 0, 0, 0, 0, 0, 0, 224, 191}, 2.5, -0.5},
};

static void every_type(void **state)
{
    static const char *const orders[] = {"", ",little", ",big"};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (int o = 0; o < (types[t].size > 1 ? 3 : 1); o++) {
            size_t size = types[t].size;
            unsigned char bytes[3 + 16] = {9, 9, 9};
            char layout[64], meaning[64];
            snprintf(layout, sizeof layout, "%s,1x2%s,offset=3", types[t].name,
                     orders[o]);
            for (size_t i = 0; i < 2 * size; i++)
                bytes[3 + i] =
                    types[t].bytes[o == 2 ? i - i % size + size - 1 - i % size : i];
            const rug_read_options opts = raw(layout);
            rug_file *file =
                must_read(put_bytes(*state, "a.raw", bytes, 3 + 2 * size), &opts);
            assert_shape(file, types[t].dtype, 0, 1, 2);
            assert_pixel(file, 0, 0, 0, types[t].first);
            assert_pixel(file, 0, 0, 1, types[t].second);
            snprintf(meaning, sizeof meaning, "raw %s%s, offset 3", types[t].name,
                     size == 1 ? ""
                     : o == 2  ? " big-endian"
                               : " little-endian");
            assert_string_equal(rug_file_get_facts(file)->meaning, meaning);
            assert_string_equal(rug_file_get_facts(file)->format, "raw");
            assert_string_equal(warning, "");
            rug_file_free(file);
        }
}

static void a_volume(void **state)
{
    unsigned char bytes[24];
    for (int i = 0; i < 24; i++)
        bytes[i] = (unsigned char)i;
    const char *path = put_bytes(*state, "a.raw", bytes, 24);
    rug_read_options opts = raw("u8,2x3x4");
    rug_file *file = must_read(path, &opts);
    assert_shape(file, RUG_U8, 2, 3, 4);
    assert_pixel(file, 1, 2, 3, 23);
    assert_pixel(file, 1, 0, 1, 13);
    rug_file_free(file);
    opts.volume = 1;
    rug_file_free(must_read(path, &opts));
}

/* The texts that a file is compared with. */
static void sizes(void **state)
{
    static const unsigned char bytes[20] = {0};
    const char *path = put_bytes(*state, "a.raw", bytes, 20);
    rug_read_options opts = raw("u16,2x5,offset=1");
    must_fail(path, &opts, RUG_E_FORMAT,
              "has 20 bytes, but the layout u16,2x5,offset=1 needs 21");
    opts.raw = "u8,3x5";
    rug_file_free(must_read(path, &opts));
    assert_non_null(strstr(warning, "has 20 bytes, 5 more than the layout u8,3x5 needs"));
    assert_non_null(strstr(warning, "offset=5 makes it fit exactly"));
    opts.raw = "u8,3x5,offset=2";
    rug_file_free(must_read(path, &opts));
    assert_non_null(strstr(warning, "3 more than"));
    assert_non_null(strstr(warning, "offset=5 makes it fit exactly"));
    opts.raw = "u8,3x5,offset=5";
    rug_file_free(must_read(path, &opts));
    assert_string_equal(warning, "");
    opts.raw = "f64,3037000500x3037000500";
    must_fail(path, &opts, RUG_E_FORMAT, "needs 18446744073709551615");
    opts.raw = "u8,4x5,offset=18446744073709551615";
    must_fail(path, &opts, RUG_E_FORMAT, "needs 18446744073709551615");
    must_fail(put_bytes(*state, "none.raw", bytes, 0), &opts, RUG_E_FORMAT, "is empty");
}

static void gzip_is_unzipped_by_name(void **state)
{
    static const unsigned char bytes[14] = "headABCDEFGHIJ";
    const char *path = scratch_path(*state, "a.raw.gz");
    gzFile out = gzopen(path, "wb");
    assert_int_equal(gzwrite(out, bytes, 14), 14);
    assert_int_equal(gzclose(out), Z_OK);
    rug_read_options opts = raw("u8,2x5,offset=4");
    rug_file *file = must_read(path, &opts);
    assert_pixel(file, 0, 1, 4, 'J');
    assert_string_equal(warning, "");
    assert_string_equal(rug_file_get_facts(file)->meaning, "raw u8, unzipped, offset 4");
    rug_file_free(file);
    opts.raw = "u8,2x5";
    rug_file_free(must_read(path, &opts));
    assert_non_null(strstr(warning, "at least 14 bytes once unzipped, 4 more than"));
    opts.raw = "u8,3x5";
    must_fail(path, &opts, RUG_E_FORMAT, "cut off: 14 of 15 bytes");
    opts.raw = "u8,1000x1000";
    must_fail(path, &opts, RUG_E_FORMAT, "its gzip stream has at most");
    opts.raw = "u8,1x4";
    size_t n;
    unsigned char *zipped = get_bytes(path, &n);
    path = put_bytes(*state, "a.raw", zipped, 4);
    free(zipped);
    file = must_read(path, &opts);
    assert_pixel(file, 0, 0, 0, 0x1f);
    assert_non_null(strstr(warning, "begins as a gzip file does"));
    rug_file_free(file);
}

static void a_header_is_warned_of(void **state)
{
    const char *path = put_bytes(*state, "a.png", "\x89PNG\r\n\x1a\n", 8);
    rug_read_options opts = raw("u8,2x4");
    rug_file_free(must_read(path, &opts));
    assert_non_null(strstr(warning, "begins as an image file with a header does"));
    opts.raw = "u8,2x4,offset=0";
    rug_file_free(must_read(path, &opts));
    assert_string_equal(warning, "");
}

static void slices(void **state)
{
    char paths[3][SCRATCH_PATH_MAX];
    const char *list[3] = {paths[0], paths[1], paths[2]};
    for (unsigned char i = 0; i < 3; i++) {
        const unsigned char bytes[3] = {0, i, (unsigned char)(i + 1)};
        char name[8] = "0.raw";
        name[0] = (char)('0' + i);
        strcpy(paths[i], put_bytes(*state, name, bytes, 3));
    }
    rug_read_options opts = raw("u8,1x2,offset=1");
    rug_file *file = NULL;
    assert_int_equal(rug_file_open_slices(ctx, &file, list, 3, &opts), RUG_OK);
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    assert_shape(file, RUG_U8, 3, 1, 2);
    assert_pixel(file, 2, 0, 1, 3);
    assert_string_equal(rug_file_get_facts(file)->meaning, "raw u8, offset 1");
    rug_file_free(file);
}

static void what_does_not_fit(void **state)
{
    static const unsigned char bytes[8] = {0};
    const char *path = put_bytes(*state, "a.raw", bytes, 8);
    rug_read_options opts = raw("u8,2x4");
    opts.page = 1;
    must_fail(path, &opts, RUG_E_ARG, "page 1 requested, but the raw file has one page");
    opts = raw("u8,2x4");
    opts.channel = 1;
    must_fail(path, &opts, RUG_E_ARG, "channel 1 requested");
    opts = raw("u8,2x4");
    opts.level = 1;
    must_fail(path, &opts, RUG_E_ARG, "level 1 requested");
    opts = raw("u8,2x4");
    opts.volume = 1;
    must_fail(path, &opts, RUG_E_ARG, "the raw array has 2 axes; 3 expected");
    opts = raw("u8,2x4");
    opts.matrix = 1;
    must_fail(path, &opts, RUG_E_ARG, "one of them expected");
    opts = raw("u8,2x4,huge");
    must_fail(path, &opts, RUG_E_ARG, "'huge' given");
}

static void layouts(void **state)
{
    static const char *const wrong[][2] = {
        {"", "'' given, u8, i8"},
        {"u8", "no shape given"},
        {"uint8,2x2", "'uint8' given, u8, i8"},
        {"bit,2x2", "'bit' given"},
        {"U8,2x2", "'U8' given"},
        {"u8,", "'' given, a shape"},
        {"u8,4", "'4' given, a shape"},
        {"u8,4x", "'4x' given, a shape"},
        {"u8,x4", "'x4' given, a shape"},
        {"u8,0x4", "'0x4' given, a shape"},
        {"u8,-1x4", "'-1x4' given, a shape"},
        {"u8,1x2x3x4", "'1x2x3x4' given, a shape"},
        {"u8,2x2 ", "'2x2 ' given, a shape"},
        {"u8,4294967296x4294967296", "given, a shape"},
        {"u8,99999999999999999999x1", "given, a shape"},
        {"u8,2x2,big", "'big' given, no byte order"},
        {"u16,2x2,big,big", "one byte order"},
        {"u16,2x2,big,little", "one byte order"},
        {"u16,2x2,offset", "'offset' given, offset=N, big or little"},
        {"u16,2x2,offset=", "'offset=' given, offset=N with"},
        {"u16,2x2,offset=-1", "'offset=-1' given, offset=N with"},
        {"u16,2x2,offset=1x", "'offset=1x' given, offset=N with"},
        {"u16,2x2,offset=1,offset=1", "one offset"},
        {"u16,2x2,", "'' given, offset=N, big or little"},
        {"u16,2x2,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' given"},
    };
    rug_image image;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memset(&image, 1, sizeof image);
        assert_int_equal(rug_raw_parse(ctx, &image, wrong[i][0]), RUG_E_ARG);
        if (strstr(rug_context_error(ctx), wrong[i][1]) == NULL)
            fail_msg("%s: %s", wrong[i][0], rug_context_error(ctx));
        assert_int_equal(image.ndim, 0);
    }
    assert_int_equal(rug_raw_parse(ctx, &image, NULL), RUG_E_ARG);
    assert_int_equal(rug_raw_parse(ctx, NULL, "u8,1x1"), RUG_OK);
    assert_int_equal(rug_raw_parse(ctx, &image, "f16,5x6x7,big,offset=1"), RUG_OK);
    assert_int_equal(image.dtype, RUG_F32);
    assert_int_equal(image.ndim, 3);
    assert_int_equal(image.shape[0], 5);
    assert_int_equal(image.shape[2], 7);
    assert_null(image.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_type),
        SCRATCH_TEST(a_volume),
        SCRATCH_TEST(sizes),
        SCRATCH_TEST(gzip_is_unzipped_by_name),
        SCRATCH_TEST(a_header_is_warned_of),
        SCRATCH_TEST(slices),
        SCRATCH_TEST(what_does_not_fit),
        SCRATCH_TEST(layouts),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
