/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading numbers as text as an image: separators, types, headers, lines that are no rows, rows longer
 * than the buffer, and texts that are no matrix. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "../io/read_support.h"
#include <inttypes.h>
#include <math.h>

static rug_read_options matrix(void)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.matrix = 1;
    return opts;
}

static rug_file *read_text(scratch *here, const char *text)
{
    const rug_read_options opts = matrix();
    return must_read(put_bytes(here, "a.csv", text, strlen(text)), &opts);
}

static void refuse_bytes(scratch *here, const void *bytes, size_t n, const char *why)
{
    const rug_read_options opts = matrix();
    must_fail(put_bytes(here, "a.csv", bytes, n), &opts, RUG_E_FORMAT, why);
}

/* The same six numbers, however they are written. */
static void every_separator(void **state)
{
    static const char *const texts[] = {
        "1,2,-3\n4,5,6\n",
        "1,2,-3\n4,5,6",
        "1;2;-3\r\n4;5;6\r\n",
        "1\t2\t-3\n4\t5\t6\n",
        "1 2 -3\n4 5 6\n",
        "  1   2 -3  \n 4 5      6\n",
        " 1 , 2\t,\t-3 \n4,+5,06\n",
        "\357\273\2771,2,-3\n4,5,6\n",
        "# comment, of 2 lines\n#\n\n1,2,-3\n  \n# and 1\n4,5,6\n\n\n",
        "\"a\";b;\r\n1;2;-3\r\n4;5;6",
        "x y z\n1 2 -3\n4 5 6\n",
        "\n#\nx,,z\n1,2,-3\n4,5,6\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        rug_file *file = read_text(*state, texts[i]);
        int has_header = i > 8;
        assert_shape(file, RUG_I64, 0, 2, 3);
        assert_pixel(file, 0, 0, 0, 1);
        assert_pixel(file, 0, 0, 2, -3);
        assert_pixel(file, 0, 1, 1, 5);
        assert_pixel(file, 0, 1, 2, 6);
        assert_string_equal(rug_file_get_facts(file)->format, "matrix");
        assert_string_equal(rug_file_get_facts(file)->meaning,
                            has_header ? "text matrix, header skipped" : "text matrix");
        rug_file_free(file);
    }
}

static void shapes(void **state)
{
    rug_file *file = read_text(*state, "7");
    assert_shape(file, RUG_I64, 0, 1, 1);
    rug_file_free(file);
    file = read_text(*state, "1\n2\n3\n");
    assert_shape(file, RUG_I64, 0, 3, 1);
    assert_pixel(file, 0, 2, 0, 3);
    rug_file_free(file);
    file = read_text(*state, "1 2 3");
    assert_shape(file, RUG_I64, 0, 1, 3);
    rug_file_free(file);
}

/* Whole numbers stay exact; one number that is none makes floats of all. */
static void types(void **state)
{
    rug_file *file = read_text(
        *state, "9223372036854775807,-9223372036854775808\n-0,9007199254740993\n");
    const int64_t *whole = rug_file_image(file)->data;
    assert_shape(file, RUG_I64, 0, 2, 2);
    assert_true(whole[0] == INT64_MAX && whole[1] == INT64_MIN && whole[2] == 0);
    assert_true(whole[3] == 9007199254740993);
    rug_file_free(file);
    file = read_text(*state, "9223372036854775808,1\n2,3\n");
    assert_shape(file, RUG_F64, 0, 2, 2);
    assert_pixel(file, 0, 0, 0, 9223372036854775808.0);
    rug_file_free(file);
    file = read_text(*state, "1,2\n3,nan\n-NaN,+inf\n-Infinity,.5e1\n5.,0.1\n");
    assert_shape(file, RUG_F64, 0, 5, 2);
    assert_true(isnan(pixel(file, 0, 1, 1)) && isnan(pixel(file, 0, 2, 0)));
    assert_pixel(file, 0, 2, 1, (double)INFINITY);
    assert_pixel(file, 0, 3, 0, -(double)INFINITY);
    assert_pixel(file, 0, 3, 1, 5);
    assert_pixel(file, 0, 4, 1, 0.1);
    rug_file_free(file);
}

static void any_locale(void **state)
{
    scratch_speak_german(*state);
    rug_file *file = read_text(*state, "1.5;2.25\n1234567890.123456789012;0\n");
    assert_pixel(file, 0, 0, 1, 2.25);
    assert_pixel(file, 0, 1, 0, 1234567890.123456789012);
    rug_file_free(file);
    refuse_bytes(*state, "1,5;2\n", 6, "field 1 is '1,5'; a number with a decimal point");
}

/* Rows of more bytes than the buffer, and fields at each place of its end. */
static void long_rows(void **state)
{
    enum { N = 50001, ROWS = 4 };
    char *text = malloc(ROWS * (N * 12 + 4096));
    size_t n = 0;
    assert_non_null(text);
    n += (size_t)sprintf(text, "#");
    memset(text + n, 'c', 300000);
    n += 300000;
    text[n++] = '\n';
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < N; x++)
            n += (size_t)sprintf(text + n, "%s%d", x > 0 ? "," : "",
                                 (x * 7919 + y * 13) % 100003);
        text[n] = ' ';
        memset(text + n, ' ', (size_t)y * 100);
        n += (size_t)y * 100;
        text[n++] = '\n';
    }
    const rug_read_options opts = matrix();
    rug_file *file = must_read(put_bytes(*state, "a.csv", text, n), &opts);
    const int64_t *pixels = rug_file_image(file)->data;
    assert_shape(file, RUG_I64, 0, ROWS, N);
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < N; x++)
            if (pixels[y * N + x] != (x * 7919 + y * 13) % 100003)
                fail_msg("pixel %d %d is %" PRId64, y, x, pixels[y * N + x]);
    rug_file_free(file);
    text[n - 1] = '9'; /* the last row is not as long */
    refuse_bytes(*state, text, n - 3000, "(is the file cut off?)");
    free(text);
}

static void long_header(void **state)
{
    enum { N = 3000 };
    char text[N * 12];
    size_t n = 0;
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(text + n, "%sx%d", i > 0 ? "\t" : "", i);
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(text + n, "%s%d", i > 0 ? "\t" : "\n", i % 10);
    rug_file *file = read_text(*state, text);
    assert_shape(file, RUG_I64, 0, 1, N);
    assert_pixel(file, 0, 0, N - 1, (N - 1) % 10);
    rug_file_free(file);
}

static void faults(void **state)
{
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"1,2\n3\n", "line 2: 1 field separated by commas; 2 expected, as in line 1"},
        {"1,2\n3,4,5\n", "line 2: 3 fields separated by commas; 2 expected"},
        {"1 2\n3 4\n5",
         "line 3: 1 field separated by blanks; 2 expected, as in line 1 (is"},
        {"a,b\n1,2,3\n",
         "line 2: 3 fields separated by commas; 2 expected, as in line 1, the"},
        {"1,2\n\n#\n3,,\n", "line 4: field 2 is empty"},
        {"1,2\n3,\n", "line 2: field 2 is empty"},
        {",1,2\n",
         "line 1: field 1 is empty; a number, or nan for none, expected (a matrix"},
        {",a,b\n0,1,2\n", "line 1: the first of the names is empty"},
        {"\"\",\"a\"\n\"1\",2\n", "line 1: the first of the names is empty"},
        {"a,b\n\"1\",2\n", "line 2: field 1 is '\"1\"'"},
        {"1\t\t2\n", "line 1: field 2 is empty; "},
        {"1,NA\n", "field 2 is 'NA'; a number with a decimal point, or nan, expected"},
        {"1,nano\n", "field 2 is 'nano'"},
        {"1,0x10\n", "field 2 is '0x10'"},
        {"1,1e999\n", "field 2 is '1e999'"},
        {"1,2 3\n", "field 3 is '3'"},
        {"1,--2\n", "field 2 is '--2'"},
        {"1,abcdefghijklmnopqrstuvwxyz\n", "field 2 is 'abcdefghijklmnopqrstuvwx...'"},
        {"1,2\r3,4\r", "line 1: a carriage return within"},
        {"1,2\n3,\x01\n", "line 2: a byte 0x01"},
        {"1,2\n3,4\xb5\n", "line 2: a byte 0xb5"},
        {"#\n\n", "no numbers in 3 lines; "},
        {"a,b\n", "no numbers in 2 lines, but names"},
        {"a,b\nc,d\n", "line 2: field 1 is 'c'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        refuse_bytes(*state, wrong[i].text, strlen(wrong[i].text), wrong[i].why);
    refuse_bytes(*state, "1,2\n3,\0\n", 8, "line 2: a byte 0x00");
    refuse_bytes(*state,
                 "\xff\xfe"
                 "1\0,\0",
                 6, "UTF-16; a text as UTF-8");
    refuse_bytes(*state, "", 0, "is empty (0 bytes)");
}

/* Numbers of more digits than any field has. */
static void endless_fields(void **state)
{
    enum { N = 600000 };
    char *text = malloc(N);
    assert_non_null(text);
    memset(text, '1', N);
    refuse_bytes(*state, text, N, "field 1 is '111111111111111111111111...'");
    memset(text, ' ', N);
    text[N - 1] = '5';
    const rug_read_options opts = matrix();
    rug_file *file = must_read(put_bytes(*state, "a.csv", text, N), &opts);
    assert_shape(file, RUG_I64, 0, 1, 1);
    rug_file_free(file);
    memset(text, 'a', N);
    refuse_bytes(*state, text, N, "names of more than 262144 bytes");
    free(text);
}

static void what_does_not_fit(void **state)
{
    const char *path = put_bytes(*state, "a.csv", "1,2\n", 4);
    rug_read_options opts = matrix();
    opts.page = 1;
    must_fail(path, &opts, RUG_E_ARG, "page 1 requested");
    opts = matrix();
    opts.volume = 1;
    must_fail(path, &opts, RUG_E_ARG, "the matrix array has 2 axes; 3 expected");
    opts = matrix();
    opts.channel = 2;
    must_fail(path, &opts, RUG_E_ARG, "channel 2 requested");
}

/* Without the option texts are refused, and told of it only where they begin with numbers. */
static void only_if_asked(void **state)
{
    static const char hint[] = "--matrix reads a matrix";
    const char *path = put_bytes(*state, "a.csv", "# c\n\nx;y\n1;2\n", 13);
    int is_image;
    must_fail(path, NULL, RUG_E_FORMAT, hint);
    must_fail(path, NULL, RUG_E_FORMAT, "points");
    must_fail(put_bytes(*state, "a", "1 nan\n", 6), NULL, RUG_E_FORMAT, hint);
    assert_int_equal(rug_file_is_image(ctx, &is_image, path), RUG_OK);
    assert_int_equal(is_image, 0);
    static const char *const others[] = {"1. Results\n", "2026-01-01 begun\n", "a,b\n",
                                         "<html>\n"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        must_fail(put_bytes(*state, "a", others[i], strlen(others[i])), NULL,
                  RUG_E_FORMAT, "read");
}

/* Files that say what they are stay what they are. */
static void others_are_as_before(void **state)
{
    const rug_read_options opts = matrix();
    rug_file *file = must_read(put_bytes(*state, "a.csv", "P2 2 1 9 3 4\n", 13), &opts);
    assert_string_equal(rug_file_get_facts(file)->format, "pnm");
    rug_file_free(file);
}

/* A text that changes between two passes. */
static void changed_texts(void **state)
{
    static const char before[] = "x,y\n1,2\n3,4\n";
    static const char *const later[] = {"x,y\n1,2\n", "x,y,z\n1,2,3\n4,5,6\n",
                                        "1,2,3\n4,5,6\n", "x,y\n1,2\n3,4.5\n"};
    const rug_read_options opts = matrix();
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        rug_file *file = NULL;
        const char *path = put_bytes(*state, "a.csv", before, strlen(before));
        assert_int_equal(rug_file_open(ctx, &file, path, &opts), RUG_OK);
        put_bytes(*state, "a.csv", later[i], strlen(later[i]));
        for (int pass = 0; pass < 2; pass++)
            assert_failure(path, rug_file_load(ctx, file), RUG_E_FORMAT, "");
        put_bytes(*state, "a.csv", before, strlen(before));
        assert_int_equal(rug_file_load(ctx, file), RUG_OK);
        assert_pixel(file, 0, 1, 1, 4);
        rug_file_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_separator),
        SCRATCH_TEST(shapes),
        SCRATCH_TEST(types),
        SCRATCH_TEST(any_locale),
        SCRATCH_TEST(long_rows),
        SCRATCH_TEST(long_header),
        SCRATCH_TEST(faults),
        SCRATCH_TEST(endless_fields),
        SCRATCH_TEST(what_does_not_fit),
        SCRATCH_TEST(only_if_asked),
        SCRATCH_TEST(others_are_as_before),
        SCRATCH_TEST(changed_texts),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
