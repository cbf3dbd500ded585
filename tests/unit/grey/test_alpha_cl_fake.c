/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of alpha on a device that fails at each of its calls, is too small, or does not
 * compute in double precision, by a library of OpenCL that is made up
 * (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "memory_support.h"
#include "ocl_support.h"

static void pretend(const char *devices, const char *failure)
{
    setenv("FAKE_OPENCL", devices, 1);
    setenv("FAKE_OPENCL_FAIL", failure, 1);
    setenv("FAKE_OPENCL_ARGS", "alpha_load=3,alpha_slope=4", 1);
    setenv("FAKE_OPENCL_GROUP", "256", 1);
    setenv("FAKE_OPENCL_IMAGE", "0", 1);
}

/* Nothing is left behind, whatever happens. @return the status */
static rug_status map_and_clean(const char *devices, const char *failure,
                                const char *text)
{
    static const uint8_t pixels[30 * 30] = {3, 1, 4, 1, 5};
    static float out[30 * 30];
    memory m = {.fail_at = 0};
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 30, 30);
    memory_hook(ctx, &m);
    pretend(devices, failure);
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    rug_status status = rug_alpha_map(ctx, out, &img, NULL);
    if (status != RUG_OK)
        assert_error_part(ctx, text);
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
        "clEnqueueWriteBuffer=-4",    "event=-14"};
    assert_int_equal(map_and_clean("gpu:8192", "", ""), RUG_OK);
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        rug_status status =
            map_and_clean("gpu:8192", calls[k], strchr(calls[k], '=') + 1);
        if (status != RUG_E_DEVICE)
            fail_msg("%s: status %d", calls[k], status);
    }
}

static void without_double(void **state)
{
    (void)state;
    assert_int_equal(map_and_clean("cpu:4096", "", "double precision"), RUG_E_DEVICE);
}

/* Slices that windows reach are too many for the memory of the device, and are never
 * touched. */
static void too_large(void **state)
{
    (void)state;
    static const uint8_t pixel[1];
    static float out[1];
    rug_context *ctx = test_context();
    rug_image img = {
        .data = pixel, .dtype = RUG_U8, .ndim = 3, .shape = {100, 1 << 20, 1 << 20}};
    pretend("gpu:8192", "");
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    assert_int_equal(rug_alpha_map(ctx, out, &img, NULL), RUG_E_DEVICE);
    assert_error_part(ctx, "7 slices");
    rug_context_free(ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_each_call),
        cmocka_unit_test(without_double),
        cmocka_unit_test(too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
