/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The method HOU on devices that fail at each of their calls, compute nonsense or are too
 * small, by a library of OpenCL that is made up (support/fake_opencl.c, which CMake puts
 * before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "box_points_support.h"
#include "boxcount_support.h"
#include "fake_support.h"

static const uint64_t sizes[] = {1, 2, 3};

static void make_device(const char *device)
{
    fake_devices(
        device,
        "hou_keys=7 hou_count_cells=3 hou_cells=10 hou_scan=5 hou_flag_runs=4 "
        "hou_take_runs=5 hou_boxes=9 count_tiles=5 scatter_tiles=6 count_chunks=5 "
        "scatter_chunks=6 sum_blocks=5 scan_blocks=6 sum_chunks=3 scan_chunks=3",
        "256");
}

/* Counts points on a line; with one, nothing of what a device computes can be wrong.
 * @param n_points  size_t */
static rug_status count_points(rug_context *ctx, const void *n_points)
{
    static test_counts out;
    size_t n = *(const size_t *)n_points;
    uint32_t *at = malloc(n * sizeof *at);
    rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    assert_non_null(at);
    for (size_t i = 0; i < n; i++)
        at[i] = (uint32_t)i;
    o.sizes = sizes;
    o.n_sizes = 3;
    rug_points p = points_view(at, RUG_U32, n, 1);
    rug_status status = test_boxcount_points(ctx, &out, &p, &o);
    free(at);
    return status;
}

static void fails_at_each_call(void **state)
{
    (void)state;
    static const size_t one = 1;
    make_device("gpu:8192");
    fake_fail_each(FAKE_WRITE | FAKE_READ, 0, count_points, &one);
    make_device("cpu:8192");
    fake_fail_each(FAKE_WRITE | FAKE_READ, 0, count_points, &one);
}

/* An image with one pixel. */
static rug_status count_image(rug_context *ctx, const void *none)
{
    (void)none;
    static uint8_t pixels[8 * 8] = {[13] = 1};
    static test_counts out;
    rug_image img = test_u8(pixels, 0, 8, 8);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.method = RUG_BOXCOUNT_HOU;
    return test_boxcount(ctx, &out, &img, &opts);
}

static void images_fail_too(void **state)
{
    (void)state;
    make_device("gpu:8192");
    fake_fail_each(FAKE_WRITE | FAKE_READ, 0, count_image, NULL);
}

/* Its kernels do nothing, so that there is one box for 100 points, and then none. */
static void says_nonsense(void **state)
{
    (void)state;
    static const size_t n = 100;
    make_device("gpu:8192");
    assert_int_equal(
        fake_run("opencl", count_points, &n, "does not compute as it should"),
        RUG_E_DEVICE);
}

/* A million points have keys of 3 times 4 MB, of the 12 MB of 16 that are used; what sorts
 * needs some too. */
static void too_small(void **state)
{
    (void)state;
    static const size_t n = 1 << 20;
    make_device("gpu:16");
    assert_int_equal(
        fake_run("opencl", count_points, &n,
                 "1048576 pixels or lattice cells given, whose keys take 3 times 4 "
                 "bytes each"),
        RUG_E_DEVICE);
}

/* A device that fails says nothing wrong in `auto`, which does not take one. */
static void auto_is_right(void **state)
{
    (void)state;
    static const uint32_t at[] = {1, 2, 3, 7};
    rug_context *ctx = test_context();
    rug_points p = points_view(at, RUG_U32, 4, 1);
    make_device("gpu:8192");
    fake_failure("clEnqueueNDRangeKernel=-4");
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    test_counts r = must_count_points(ctx, &p, NULL);
    assert_int_equal(r.n_set, 4);
    assert_string_equal(r.engine, "cpu");
    rug_context_free(ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_each_call), cmocka_unit_test(images_fail_too),
        cmocka_unit_test(says_nonsense),      cmocka_unit_test(too_small),
        cmocka_unit_test(auto_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
