/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting on a device that fails at each of its calls, by a library of OpenCL
 * that is made up (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "dbc_support.h"
#include "fake_support.h"

static rug_status count(rug_context *ctx, const void *none)
{
    static const uint8_t pixels[100 * 100];
    rug_image img = test_u8(pixels, 0, 100, 100);
    dbc_counts out;
    (void)none;
    return dbc_count(ctx, &out, &img, NULL);
}

static void fails_at_each_call(void **state)
{
    (void)state;
    fake_devices("gpu:8192", "dbc_join=9", "64");
    fake_fail_each(FAKE_WRITE | FAKE_READ, 1, count, NULL);
}

static void small_groups(void **state)
{
    (void)state;
    fake_devices("gpu:8192", "dbc_join=9", "32");
    assert_int_equal(fake_run("opencl", count, NULL, "64 items, and this device has 32"),
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
