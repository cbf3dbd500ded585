/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading .npy arrays as points, and reading any points when memory runs out. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include "tables/read_line.h"
#include <rugose/io.h>

#include "memory_support.h"
#include "npy_support.h"
#include "points_support.h"
#include <math.h>

static void rows_are_points(void **state)
{
    const int16_t values[6] = {1, -2, 3, 4, 32767, -32768};
    const unsigned char swapped[4] = {1, 2, 255, 255};
    rug_point_file *file = must_read_points(
        put_npy(*state, 1, dictionary("'<i2'", "False", "(3, 2)"), values, 12));
    assert_points(file, RUG_I16, 3, 2, (const double[]){1, -2, 3, 4, 32767, -32768});
    assert_int_equal(rug_point_file_points(file)->stride[0], 4);
    const rug_point_facts *facts = rug_point_file_get_facts(file);
    assert_string_equal(facts->format, "npy");
    assert_int_equal(facts->all_whole, 1);
    assert_int_equal(facts->n_lines + (uint64_t)facts->separator, 0);
    char expected[1024], *line = cli_point_file_read_line(file, NULL, NULL);
    snprintf(expected, sizeof expected,
             "read %s: 3 points in 2D i16, x 1..32767, y -32768..4",
             ((scratch *)*state)->path);
    assert_string_equal(line, expected);
    free(line);
    rug_point_file_free(file);
    file = must_read_points(
        put_npy(*state, 1, dictionary("'<i2'", "True", "(3, 2)"), values, 12));
    assert_points(file, RUG_I16, 3, 2, (const double[]){1, 4, -2, 32767, 3, -32768});
    rug_point_file_free(file);
    file = must_read_points(
        put_npy(*state, 3, dictionary("'>i2'", "False", "(2, 1)"), swapped, 4));
    assert_points(file, RUG_I16, 2, 1, (const double[]){258, -1});
    rug_point_file_free(file);
}

static void numbers_are_points(void **state)
{
    const double reals[3] = {0.1, -1e300, 2};
    const uint16_t halves[2] = {0x3c00, 0x0001};
    const unsigned char bools[10] = {0, 1, 1, 0, 0, 0, 1, 1, 1, 0};
    double expected[10];
    for (int i = 0; i < 10; i++)
        expected[i] = bools[i];
    for (int order = 0; order < 2; order++) {
        const char *name = order ? "True" : "False";
        rug_point_file *file = must_read_points(
            put_npy(*state, 1, dictionary("'<f8'", name, "(3,)"), reals, 24));
        assert_points(file, RUG_F64, 3, 1, reals);
        assert_int_equal(rug_point_file_get_facts(file)->all_whole, 0);
        rug_point_file_free(file);
        file = must_read_points(
            put_npy(*state, 1, dictionary("'<f2'", name, "(1, 2)"), halves, 4));
        assert_points(file, RUG_F32, 1, 2, (const double[]){1, 5.9604644775390625e-08});
        rug_point_file_free(file);
        file = must_read_columns(
            put_npy(*state, 1, dictionary("'|b1'", name, "(1, 10)"), bools, 10),
            "1,2,3,4,5,6,7,8,9,10", 0);
        assert_points(file, RUG_U8, 1, 10, expected);
        rug_point_file_free(file);
    }
    const uint64_t large[1] = {UINT64_MAX};
    rug_point_file *file = must_read_points(
        put_npy(*state, 1, dictionary("'<u8'", "False", "(1, 1)"), large, 8));
    assert_points(file, RUG_U64, 1, 1, (const double[]){18446744073709551616.0});
    assert_int_equal(*(const uint64_t *)rug_point_file_points(file)->data, UINT64_MAX);
    rug_point_file_free(file);
}

/* Some columns of many, in both orders of memory. */
static void columns_of_arrays(void **state)
{
    const int16_t rows[8] = {0, 1, 2, 3, 10, 11, 12, 13};
    const int16_t fortran[8] = {0, 10, 1, 11, 2, 12, 3, 13};
    const double expected[4] = {3, 1, 13, 11};
    for (int order = 0; order < 2; order++) {
        const char *head = dictionary("'<i2'", order ? "True" : "False", "(2, 4)");
        const char *path = put_npy(*state, 1, head, order ? fortran : rows, 16);
        rug_point_file *file = must_read_columns(path, "4,2", 0);
        assert_points(file, RUG_I16, 2, 2, expected);
        assert_string_equal(rug_point_file_get_facts(file)->columns, "4, 2");
        assert_string_equal(rug_point_file_get_facts(file)->left_out, "1, 3");
        rug_point_file_free(file);
        must_refuse_points(path, RUG_E_FORMAT, "4 columns, and no header");
        must_refuse_columns(path, "5", 0, RUG_E_ARG, "5 given; numbers from 1 to 4");
        must_refuse_columns(path, "x", 0, RUG_E_ARG, "no header names the 4 columns");
        must_refuse_columns(path, "1", 1, RUG_E_ARG, "rows to be skipped");
    }
}

/* The name says nothing, for better or worse. */
static void content_decides(void **state)
{
    size_t n;
    scratch *here = *state;
    put_npy(here, 1, dictionary("'|u1'", "False", "(1, 2)"), "\x05\x06", 2);
    unsigned char *bytes = get_bytes(here->path, &n);
    rug_point_file *file = must_read_points(put_bytes(here, "a.csv", bytes, n));
    assert_points(file, RUG_U8, 1, 2, (const double[]){5, 6});
    rug_point_file_free(file);
    free(bytes);
    file = must_read_points(put_bytes(here, "a.npy", "5 6\n", 4));
    assert_points(file, RUG_I64, 1, 2, (const double[]){5, 6});
    rug_point_file_free(file);
    must_refuse_points(put_bytes(here, "a.csv", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16),
                       RUG_E_FORMAT, "line 2: a byte 0x1a");
}

static void what_is_refused(void **state)
{
    static const struct {
        const char *descr, *shape;
        rug_status status;
        const char *text;
    } arrays[] = {
        {"'|u1'", "()", RUG_E_UNSUPPORTED, "0 axes; 2 (a row for each point) or 1"},
        {"'|u1'", "(1, 2, 2)", RUG_E_UNSUPPORTED, "3 axes"},
        {"'|u1'", "(0, 2)", RUG_E_FORMAT, "no points"},
        {"'|u1'", "(0,)", RUG_E_FORMAT, "no points"},
        {"'|u1'", "(2, 0)", RUG_E_FORMAT, "axis 1 of the npy array is 0"},
        {"'|u1'", "(2, 11)", RUG_E_UNSUPPORTED, "2x11: its rows are points of 11"},
        {"'|u1'", "(5, 1)", RUG_E_FORMAT, "cut off: 4 of 5 bytes"},
        {"'<f8'", "(1000000000000, 3)", RUG_E_FORMAT, "cut off: 4 of 24000000000000"},
        {"'<f8'", "(18446744073709551615, 2)", RUG_E_FORMAT, "more values"},
        {"'<f8'", "(18446744073709551615,)", RUG_E_FORMAT, "cut off"},
        {"'<c8'", "(1, 2)", RUG_E_UNSUPPORTED, "complex"},
        {"'|O'", "(1, 2)", RUG_E_UNSUPPORTED, "objects"},
        {"[('x', '<f4')]", "(1,)", RUG_E_UNSUPPORTED, "structured"},
        {"'|u1'", "(4", RUG_E_FORMAT, "invalid"},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        must_refuse_points(put_npy(*state, 1,
                                   dictionary(arrays[i].descr, "False", arrays[i].shape),
                                   "abcd", 4),
                           arrays[i].status, arrays[i].text);
}

static void not_finite(void **state)
{
    static const char *const texts[] = {"point 1 (from 0): y is nan", "y is inf",
                                        "y is -inf"};
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < 3; i++) {
        const double values[4] = {1, 2, 3, bad[i]};
        const float floats[4] = {1, 2, 3, (float)bad[i]};
        must_refuse_points(
            put_npy(*state, 1, dictionary("'<f8'", "False", "(2, 2)"), values, 32),
            RUG_E_FORMAT, texts[i]);
        must_refuse_points(
            put_npy(*state, 1, dictionary("'<f4'", "True", "(2, 2)"), floats, 16),
            RUG_E_FORMAT, texts[i]);
    }
    const float far[4] = {0, 0, 0, (float)NAN};
    must_refuse_columns(
        put_npy(*state, 1, dictionary("'<f4'", "False", "(1, 4)"), far, 16), "1,2,3,4", 0,
        RUG_E_FORMAT, "point 0 (from 0): axis 4 is nan");
}

static void cut_anywhere(void **state)
{
    const double values[6] = {1, 2, 3, 4, 5, 6};
    scratch *here = *state;
    size_t n;
    put_npy(here, 1, dictionary("'<f8'", "False", "(3, 2)"), values, sizeof values);
    unsigned char *bytes = get_bytes(here->path, &n);
    for (size_t length = 6; length < n; length++)
        must_refuse_points(put_bytes(here, "cut.npy", bytes, length), RUG_E_FORMAT,
                           "cut off");
    free(bytes);
}

/* An image reader says what else could be meant. */
static void a_row_of_numbers_is_no_image(void **state)
{
    must_fail(put_npy(*state, 1, dictionary("'|u1'", "False", "(4,)"), "abcd", 4), NULL,
              RUG_E_UNSUPPORTED, "--points reads");
}

static void memory_runs_out(void **state)
{
    static const char *const names[] = {"a.txt", "a.npy"};
    const uint16_t halves[2] = {0x3c00, 0x0001};
    scratch *here = *state;
    FILE *out = fopen(scratch_path(here, "a.txt"), "wb");
    assert_non_null(out);
    for (int i = 0; i < 70000; i++) /* more than one block of points */
        fprintf(out, "%d %d\n", i, i);
    assert_int_equal(fclose(out), 0);
    put_npy(here, 1, dictionary("'<f2'", "False", "(1, 2)"), halves, 4);
    for (int k = 0; k < 2; k++) {
        const char *path = scratch_path(here, names[k]);
        size_t n_failures = 0;
        for (rug_status status = RUG_E_NOMEM; status != RUG_OK; n_failures++) {
            rug_context *poor;
            rug_point_file *file;
            memory m = {.fail_at = n_failures + 1};
            assert_int_equal(rug_context_new(&poor), RUG_OK);
            memory_hook(poor, &m);
            status = rug_point_file_read(poor, &file, path);
            assert_true(status == RUG_OK || status == RUG_E_NOMEM);
            if (status != RUG_OK) {
                assert_null(file);
                assert_non_null(strstr(rug_context_error(poor), path));
            }
            rug_point_file_free(file);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            rug_context_free(poor);
        }
        assert_true(n_failures > 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(rows_are_points),   SCRATCH_TEST(numbers_are_points),
        SCRATCH_TEST(columns_of_arrays), SCRATCH_TEST(content_decides),
        SCRATCH_TEST(what_is_refused),   SCRATCH_TEST(not_finite),
        SCRATCH_TEST(cut_anywhere),      SCRATCH_TEST(a_row_of_numbers_is_no_image),
        SCRATCH_TEST(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
