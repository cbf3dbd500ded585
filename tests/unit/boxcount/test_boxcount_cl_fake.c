/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts on a device that fails at each of its calls, by a library of OpenCL that is
 * made up (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "boxcount_support.h"
#include "fake_support.h"

static void make_device(const char *group)
{
    fake_devices("gpu:8192", "boxes_pyramid=5 boxes_atomic=9 boxes_local=8", group);
}

static rug_status count_by(rug_context *ctx, test_counts *out, rug_boxcount_method method)
{
    rug_image img = draw_shape(0, 100, 100, is_sierpinski);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.method = method;
    rug_status status = test_boxcount(ctx, out, &img, &opts);
    free_shape(img);
    return status;
}

static rug_status count(rug_context *ctx, const void *method)
{
    static test_counts out;
    return count_by(ctx, &out, *(const rug_boxcount_method *)method);
}

static void fails_at_each_call(void **state)
{
    (void)state;
    static const rug_boxcount_method methods[] = {
        RUG_BOXCOUNT_PYRAMID, RUG_BOXCOUNT_ATOMIC, RUG_BOXCOUNT_LOCAL};
    make_device("256");
    for (int i = 0; i < 3; i++) {
        unsigned fill = methods[i] == RUG_BOXCOUNT_PYRAMID ? 0 : FAKE_FILL;
        fake_fail_each(FAKE_WRITE | FAKE_READ | fill, 0, count, &methods[i]);
    }
}

/* A device whose groups are too small says so. */
static void small_groups(void **state)
{
    (void)state;
    static test_counts out;
    rug_context *ctx = test_context();
    make_device("128");
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    assert_int_equal(count_by(ctx, &out, RUG_BOXCOUNT_PYRAMID), RUG_E_DEVICE);
    assert_error_part(ctx, "256 items, and this device has 128");
    rug_context_free(ctx);
}

/* In `auto` nobody notices. */
static void auto_is_right(void **state)
{
    (void)state;
    static test_counts out, expected;
    rug_context *ctx = test_context();
    assert_int_equal(count_by(ctx, &expected, RUG_BOXCOUNT_AUTO), RUG_OK);
    make_device("256");
    fake_failure("clEnqueueNDRangeKernel=-4");
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
