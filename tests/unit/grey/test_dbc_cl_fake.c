/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting on a device that fails at each of its calls, by a library of OpenCL
 * that is made up (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "memory_support.h"
#include "ocl_support.h"

static void pretend(const char *failure, const char *group)
{
    setenv("FAKE_OPENCL", "gpu:8192", 1);
    setenv("FAKE_OPENCL_FAIL", failure, 1);
    setenv("FAKE_OPENCL_ARGS", "dbc_join=7", 1);
    setenv("FAKE_OPENCL_GROUP", group, 1);
}

/* Nothing is left behind, whatever happens. @return the status */
static rug_status count_and_clean(const char *device, const char *text)
{
    static const uint8_t pixels[100 * 100];
    static const rug_dbc_result zero;
    memory m = {.fail_at = 0};
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 100, 100);
    rug_dbc_result out;
    memory_hook(ctx, &m);
    assert_int_equal(rug_context_set_device(ctx, device), RUG_OK);
    memset(&out, 1, sizeof out);
    rug_status status = rug_dbc(ctx, &out, &img, NULL);
    if (status != RUG_OK) {
        assert_memory_equal(&out, &zero, sizeof out);
        assert_error_part(ctx, text);
    }
    rug_context_free(ctx);
    assert_int_equal(m.n_live, 0);
    assert_int_equal(m.n_wrong, 0);
    return status;
}

static void fails_at_each_call(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "clCreateContext=-6",         "clCreateProgramWithSource=-6",
        "clBuildProgram=-11",         "clCreateKernel=-46",
        "clSetKernelArg=-51",         "clCreateBuffer=-4",
        "clEnqueueNDRangeKernel=-54", "clEnqueueReadBuffer=-5",
        "clEnqueueWriteBuffer=-4",    "event=-14"};
    pretend("", "64");
    assert_int_equal(count_and_clean("opencl", ""), RUG_OK);
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        pretend(calls[k], "64");
        if (count_and_clean("opencl", strchr(calls[k], '=') + 1) != RUG_E_DEVICE)
            fail_msg("%s did not fail", calls[k]);
        assert_int_equal(count_and_clean("auto", ""), RUG_OK); /* takes no device */
    }
}

static void small_groups(void **state)
{
    (void)state;
    pretend("", "32");
    assert_int_equal(count_and_clean("opencl", "64 items, and this device has 32"),
                     RUG_E_DEVICE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_each_call),
        cmocka_unit_test(small_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
