/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses on a device that fails at each of its calls, by a library of OpenCL that is
 * made up (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "memory_support.h"
#include "ocl_support.h"

static void pretend(const char *devices, const char *failure, const char *group)
{
    setenv("FAKE_OPENCL", devices, 1);
    setenv("FAKE_OPENCL_FAIL", failure, 1);
    setenv("FAKE_OPENCL_ARGS", "masses_join=3,masses_count=4,masses_count_local=7", 1);
    setenv("FAKE_OPENCL_GROUP", group, 1);
}

/* Nothing is left behind, whatever happens. @return the status */
static rug_status measure_and_clean(const char *device, rug_dtype dtype, const char *text)
{
    static const float pixels[100 * 100];
    static const size_t shape[2] = {100, 100};
    memory m = {.fail_at = 0};
    rug_context *ctx = test_context();
    rug_image img;
    rug_masses *out;
    memory_hook(ctx, &m);
    assert_int_equal(rug_image_view(ctx, &img, pixels, dtype, 2, shape), RUG_OK);
    assert_int_equal(rug_context_set_device(ctx, device), RUG_OK);
    rug_status status = rug_masses_measure(ctx, &out, &img, NULL);
    assert_int_equal(out == NULL, status != RUG_OK);
    if (status != RUG_OK)
        assert_error_part(ctx, text);
    rug_masses_free(out);
    rug_context_free(ctx);
    assert_int_equal(m.n_live, 0);
    assert_int_equal(m.n_wrong, 0);
    return status;
}

static void fails_at_each_call(void **state)
{
    (void)state;
    static const rug_dtype dtypes[] = {RUG_U8, RUG_F32}; /* tables, lists */
    static const char *const calls[] = {
        "clCreateContext=-6",         "clCreateProgramWithSource=-6",
        "clBuildProgram=-11",         "clCreateKernel=-46",
        "clSetKernelArg=-51",         "clCreateBuffer=-4",
        "clEnqueueNDRangeKernel=-54", "clEnqueueReadBuffer=-5",
        "clEnqueueWriteBuffer=-4",    "event=-14"};
    for (int d = 0; d < 2; d++) {
        pretend("gpu:8192", "", "64");
        assert_int_equal(measure_and_clean("opencl", dtypes[d], ""), RUG_OK);
        for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
            pretend("gpu:8192", calls[k], "64");
            if (measure_and_clean("opencl", dtypes[d], strchr(calls[k], '=') + 1) !=
                RUG_E_DEVICE)
                fail_msg("%s did not fail", calls[k]);
            /* takes no device */
            assert_int_equal(measure_and_clean("auto", dtypes[d], ""), RUG_OK);
        }
    }
}

/* Groups as small as a device has them. */
static void small_groups(void **state)
{
    (void)state;
    pretend("gpu:8192", "", "1");
    assert_int_equal(measure_and_clean("opencl", RUG_U8, ""), RUG_OK);
    pretend("gpu:8192", "", "0");
    assert_int_equal(measure_and_clean("opencl", RUG_U8, "one item"), RUG_E_DEVICE);
}

static void no_device(void **state)
{
    (void)state;
    pretend("", "", "64");
    assert_int_equal(measure_and_clean("opencl", RUG_U8, "no OpenCL device"),
                     RUG_E_DEVICE);
    assert_int_equal(measure_and_clean("auto", RUG_U8, ""), RUG_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_each_call),
        cmocka_unit_test(small_groups),
        cmocka_unit_test(no_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
