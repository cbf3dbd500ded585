/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The method HOU on devices that fail at each of their calls, compute nonsense or are too
 * small, by a library of OpenCL that is made up (support/fake_opencl.c, which CMake puts
 * before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "box_points_support.h"
#include "boxcount_support.h"
#include "memory_support.h"
#include "ocl_support.h"

static const uint64_t sizes[] = {1, 2, 3};

static void pretend(const char *device, const char *failure)
{
    setenv("FAKE_OPENCL", device, 1);
    setenv("FAKE_OPENCL_FAIL", failure, 1);
    setenv("FAKE_OPENCL_GROUP", "256", 1);
    setenv(
        "FAKE_OPENCL_ARGS",
        "hou_keys=7 hou_count_cells=3 hou_cells=10 hou_scan=5 hou_flag_runs=4 hou_take_runs=5 hou_boxes=9 "
        "count_tiles=5 scatter_tiles=6 count_chunks=5 scatter_chunks=6 "
        "sum_blocks=5 scan_blocks=6 sum_chunks=3 scan_chunks=3",
        1);
}

/* Nothing is left behind, whatever happens.
 * @param n  points on a line; with one, nothing of what a device computes can be wrong */
static rug_status count_and_clean(size_t n, const char *text)
{
    static rug_boxcount_result out;
    uint32_t *at = malloc(n * sizeof *at);
    memory m = {.fail_at = 0};
    rug_context *ctx = test_context();
    rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    assert_non_null(at);
    for (size_t i = 0; i < n; i++)
        at[i] = (uint32_t)i;
    o.sizes = sizes;
    o.n_sizes = 3;
    rug_points p = points_view(at, RUG_U32, n, 1);
    memory_hook(ctx, &m);
    assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
    memset(&out, 1, sizeof out);
    rug_status status = rug_boxcount_points(ctx, &out, &p, &o);
    if (status != RUG_OK) {
        assert_zeroed(&out, sizeof out, text);
        assert_error_part(ctx, text);
    }
    rug_context_free(ctx);
    assert_int_equal(m.n_live, 0);
    assert_int_equal(m.n_wrong, 0);
    free(at);
    return status;
}

static void fails_at_each_call(void **state)
{
    (void)state;
    static const char *const devices[] = {"gpu:8192", "cpu:8192"};
    static const char *const calls[] = {
        "clCreateContext=-6",         "clCreateProgramWithSource=-6",
        "clBuildProgram=-11",         "clCreateKernel=-46",
        "clSetKernelArg=-51",         "clCreateBuffer=-4",
        "clEnqueueNDRangeKernel=-54", "clEnqueueReadBuffer=-5",
        "clEnqueueWriteBuffer=-4",    "event=-14"};
    for (int i = 0; i < 2; i++) {
        pretend(devices[i], "");
        assert_int_equal(count_and_clean(1, ""), RUG_OK);
        for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
            pretend(devices[i], calls[k]);
            if (count_and_clean(1, strchr(calls[k], '=') + 1) != RUG_E_DEVICE)
                fail_msg("%s on %s", calls[k], devices[i]);
        }
    }
}

/* An image with one cell. */
static rug_status count_image(rug_context *ctx)
{
    static uint8_t cells[8 * 8] = {[13] = 1};
    static rug_boxcount_result out;
    rug_image img = test_u8(cells, 0, 8, 8);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.method = RUG_BOXCOUNT_HOU;
    memset(&out, 1, sizeof out);
    rug_status status = rug_boxcount(ctx, &out, &img, &opts);
    if (status != RUG_OK)
        assert_zeroed(&out, sizeof out, "an image");
    return status;
}

static void images_fail_too(void **state)
{
    (void)state;
    static const char *const failures[] = {"", "clCreateBuffer=-4",
                                           "clEnqueueNDRangeKernel=-54",
                                           "clEnqueueWriteBuffer=-4", "event=-14"};
    for (size_t k = 0; k < sizeof failures / sizeof failures[0]; k++) {
        memory m = {.fail_at = 0};
        rug_context *ctx = test_context();
        pretend("gpu:8192", failures[k]);
        memory_hook(ctx, &m);
        assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
        assert_int_equal(count_image(ctx), k == 0 ? RUG_OK : RUG_E_DEVICE);
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
    }
}

/* Its kernels do nothing, so that there is one cell for 100, and then none. */
static void nonsense_is_told(void **state)
{
    (void)state;
    pretend("gpu:8192", "");
    assert_int_equal(count_and_clean(100, "does not compute as it should"), RUG_E_DEVICE);
}

/* A million points have keys of 3 times 4 MB; 12 of 16 MB are to be had, and what sorts
 * needs some. */
static void too_small(void **state)
{
    (void)state;
    pretend("gpu:16", "");
    assert_int_equal(count_and_clean(1 << 20, "1048576 cells given, whose keys take 3 "
                                              "times 4 bytes each"),
                     RUG_E_DEVICE);
}

/* A device that fails says nothing wrong in `auto`, which does not take one. */
static void auto_is_right(void **state)
{
    (void)state;
    static const uint32_t at[] = {1, 2, 3, 7};
    rug_context *ctx = test_context();
    rug_points p = points_view(at, RUG_U32, 4, 1);
    pretend("gpu:8192", "clEnqueueNDRangeKernel=-4");
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    rug_boxcount_result r = must_count_points(ctx, &p, NULL);
    assert_int_equal(r.n_set, 4);
    assert_string_equal(r.engine, "cpu");
    rug_context_free(ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_each_call), cmocka_unit_test(images_fail_too),
        cmocka_unit_test(nonsense_is_told),   cmocka_unit_test(too_small),
        cmocka_unit_test(auto_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
