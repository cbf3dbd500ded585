/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence on a device that fails at each of its calls, or has little memory, by a
 * library of OpenCL that is made up (support/fake_opencl.c, which CMake puts before the
 * machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "glcm_support.h"
#include "memory_support.h"
#include "ocl_support.h"

static void pretend(const char *devices, const char *failure)
{
    setenv("FAKE_OPENCL", devices, 1);
    setenv("FAKE_OPENCL_FAIL", failure, 1);
    setenv("FAKE_OPENCL_ARGS",
           "glcm_small=8 glcm_sums=11 glcm_runs=8 glcm_pixels=6 glcm_take=4", 1);
    setenv("FAKE_OPENCL_GROUP", "32", 1);
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
    opts.labels = what == LARGE ? NULL : &twin;
    opts.features = what == SUMS ? RUG_GLCM_FEATURES_13 : RUG_GLCM_FEATURES_14;
    *rows = (glcm_rows){0};
    return rug_glcm(ctx, &img, &opts, glcm_keep, rows);
}

/* Nothing is left behind, whatever happens. @return the status */
static rug_status measure_and_clean(load what, const char *failure, const char *text)
{
    glcm_rows rows;
    memory m = {.fail_at = 0};
    rug_context *ctx = test_context();
    memory_hook(ctx, &m);
    pretend("gpu:8192", failure);
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    rug_status status = measure(ctx, &rows, what);
    if (status != RUG_OK) {
        assert_int_equal(rows.n, 0);
        assert_error_part(ctx, text);
    } else {
        assert_string_equal(rows.row[0].engine, "opencl:0");
    }
    free(rows.row);
    rug_context_free(ctx);
    assert_int_equal(m.n_live, 0);
    assert_int_equal(m.n_wrong, 0);
    return status;
}

/* A device that is named fails honestly. */
static void fails_at_each_call(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "clCreateContext=-6",         "clCreateProgramWithSource=-6",
        "clBuildProgram=-11",         "clCreateKernel=-46",
        "clSetKernelArg=-51",         "clCreateBuffer=-4",
        "clEnqueueNDRangeKernel=-54", "clEnqueueReadBuffer=-5",
        "clEnqueueWriteBuffer=-4",    "event=-14",
        "clEnqueueFillBuffer=-6"};
    for (int what = 0; what < N_LOADS; what++) {
        assert_int_equal(measure_and_clean((load)what, "", ""), RUG_OK);
        for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
            rug_status status =
                measure_and_clean((load)what, calls[k], strchr(calls[k], '=') + 1);
            if (status != RUG_E_DEVICE)
                fail_msg("%s, load %d: status %d", calls[k], what, (int)status);
        }
    }
}

/* A region that the device has no room for is measured by the processor. */
static void little_memory(void **state)
{
    (void)state;
    glcm_rows expected, got;
    rug_context *ctx = test_context();
    assert_int_equal(measure(ctx, &expected, LARGE), RUG_OK);
    pretend("gpu:1", "");
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
    pretend("gpu:8192", "clEnqueueNDRangeKernel=-4");
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
