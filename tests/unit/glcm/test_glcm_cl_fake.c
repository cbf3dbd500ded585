/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence on a device that fails at each of its calls, or has little memory, by a
 * library of OpenCL that is made up (support/fake_opencl.c, which CMake puts before the
 * machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "fake_support.h"
#include "glcm_support.h"

static void make_device(const char *devices)
{
    fake_devices(devices,
                 "glcm_small=8 glcm_sums=11 glcm_runs=8 glcm_pixels=6 glcm_take=4", "32");
}

/* What is measured: small regions, by their entries or by sums, or one that is too large for
 * local memory. */
typedef enum load { ENTRIES, SUMS, LARGE, N_LOADS } load;

static rug_status measure(rug_context *ctx, glcm_rows *rows, load what)
{
    static uint8_t pixels[400 * 400], labels[400 * 400];
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    rug_image img = test_u8(pixels, 0, 400, 400), twin = test_u8(labels, 0, 400, 400);
    for (size_t i = 0; i < sizeof pixels; i++) {
        pixels[i] = (uint8_t)(i * i / 7);
        labels[i] = (uint8_t)(1 + i / 400 / 40 * 10 + i % 400 / 40);
    }
    opts.labels = what == LARGE ? NULL : glcm_source(&twin);
    opts.features = what == SUMS ? RUG_GLCM_FEATURES_13 : RUG_GLCM_FEATURES_14;
    *rows = (glcm_rows){0};
    return rug_glcm(ctx, &img, &opts, glcm_keep, rows);
}

static rug_status measure_load(rug_context *ctx, const void *what)
{
    glcm_rows rows;
    rug_status status = measure(ctx, &rows, *(const load *)what);
    if (status != RUG_OK)
        assert_int_equal(rows.n, 0);
    else
        assert_string_equal(rows.row[0].engine, "opencl:0");
    free(rows.row);
    return status;
}

static void fails_at_each_call(void **state)
{
    (void)state;
    static const load loads[N_LOADS] = {ENTRIES, SUMS, LARGE};
    make_device("gpu:8192");
    for (int i = 0; i < N_LOADS; i++)
        fake_fail_each(FAKE_WRITE | FAKE_READ | FAKE_FILL, 0, measure_load, &loads[i]);
}

/* A region that does not fit the device is measured by the processor. */
static void little_memory(void **state)
{
    (void)state;
    glcm_rows expected, got;
    rug_context *ctx = test_context();
    assert_int_equal(measure(ctx, &expected, LARGE), RUG_OK);
    make_device("gpu:1");
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    assert_int_equal(measure(ctx, &got, LARGE), RUG_OK);
    assert_same_rows(&got, &expected);
    assert_string_equal(got.row[0].engine, expected.row[0].engine);
    assert_true(strncmp(got.row[0].engine, "cpu-", 4) == 0);
    free(got.row);
    free(expected.row);
    rug_context_free(ctx);
}

/* In `auto` nobody notices. */
static void auto_is_right(void **state)
{
    (void)state;
    glcm_rows expected, got;
    rug_context *ctx = test_context();
    assert_int_equal(measure(ctx, &expected, ENTRIES), RUG_OK);
    make_device("gpu:8192");
    fake_failure("clEnqueueNDRangeKernel=-4");
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    assert_int_equal(measure(ctx, &got, ENTRIES), RUG_OK);
    assert_same_rows(&got, &expected);
    assert_true(strncmp(got.row[0].engine, "cpu-", 4) == 0);
    free(got.row);
    free(expected.row);
    rug_context_free(ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_each_call),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(auto_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
