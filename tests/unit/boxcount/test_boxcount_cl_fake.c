/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts on a device that fails at each of its calls, by a library of OpenCL that is
 * made up (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "boxcount_support.h"
#include "memory_support.h"
#include "ocl_support.h"

static void pretend(const char *failure)
{
    setenv("FAKE_OPENCL", "gpu:8192", 1);
    setenv("FAKE_OPENCL_FAIL", failure, 1);
    setenv("FAKE_OPENCL_ARGS", "boxes_pyramid=5 boxes_atomic=9 boxes_local=8", 1);
    setenv("FAKE_OPENCL_GROUP", "256", 1);
}

static rug_status count_by(rug_context *ctx, rug_boxcount_result *out,
                           rug_boxcount_method method)
{
    rug_image img = draw_shape(0, 100, 100, is_sierpinski);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.method = method;
    memset(out, 1, sizeof *out);
    rug_status status = rug_boxcount(ctx, out, &img, &opts);
    free_shape(img);
    return status;
}

/* Nothing is left behind, whatever happens. @return the status */
static rug_status count_and_clean(rug_boxcount_method method, const char *failure,
                                  const char *text)
{
    static rug_boxcount_result out;
    memory m = {.fail_at = 0};
    rug_context *ctx = test_context();
    memory_hook(ctx, &m);
    pretend(failure);
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    rug_status status = count_by(ctx, &out, method);
    if (status != RUG_OK) {
        assert_zeroed(&out, sizeof out, failure);
        assert_error_part(ctx, text);
    }
    rug_context_free(ctx);
    assert_int_equal(m.n_live, 0);
    assert_int_equal(m.n_wrong, 0);
    return status;
}

/* A device that is named fails honestly. */
static void fails_at_each_call(void **state)
{
    (void)state;
    static const rug_boxcount_method methods[] = {
        RUG_BOXCOUNT_PYRAMID, RUG_BOXCOUNT_ATOMIC, RUG_BOXCOUNT_LOCAL};
    static const char *const calls[] = {
        "clCreateContext=-6",         "clCreateProgramWithSource=-6",
        "clBuildProgram=-11",         "clCreateKernel=-46",
        "clSetKernelArg=-51",         "clCreateBuffer=-4",
        "clEnqueueNDRangeKernel=-54", "clEnqueueReadBuffer=-5",
        "clEnqueueWriteBuffer=-4",    "event=-14",
        "clEnqueueFillBuffer=-6"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(count_and_clean(methods[i], "", ""), RUG_OK);
        for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
            int is_spared = methods[i] == RUG_BOXCOUNT_PYRAMID &&
                            strncmp(calls[k], "clEnqueueFill", 13) == 0;
            rug_status status =
                count_and_clean(methods[i], calls[k], strchr(calls[k], '=') + 1);
            if (status != (is_spared ? RUG_OK : RUG_E_DEVICE))
                fail_msg("%s, method %d: status %d", calls[k], (int)methods[i], status);
        }
    }
}

/* A device whose groups are too small says so. */
static void small_groups(void **state)
{
    (void)state;
    static rug_boxcount_result out;
    rug_context *ctx = test_context();
    pretend("");
    setenv("FAKE_OPENCL_GROUP", "128", 1);
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    assert_int_equal(count_by(ctx, &out, RUG_BOXCOUNT_PYRAMID), RUG_E_DEVICE);
    assert_error_part(ctx, "256 items, and this device has 128");
    rug_context_free(ctx);
}

/* In `auto` nobody notices. */
static void auto_is_right(void **state)
{
    (void)state;
    static rug_boxcount_result out, expected;
    rug_context *ctx = test_context();
    assert_int_equal(count_by(ctx, &expected, RUG_BOXCOUNT_AUTO), RUG_OK);
    pretend("clEnqueueNDRangeKernel=-4");
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    assert_int_equal(count_by(ctx, &out, RUG_BOXCOUNT_AUTO), RUG_OK);
    test_assert_counts_equal(&out, &expected, "auto on a failing device");
    assert_true(strncmp(out.engine, "cpu-", 4) == 0);
    rug_context_free(ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_each_call),
        cmocka_unit_test(small_groups),
        cmocka_unit_test(auto_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
