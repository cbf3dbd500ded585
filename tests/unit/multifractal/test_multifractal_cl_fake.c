/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses on a device that fails at each of its calls, by a library of OpenCL that is
 * made up (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "fake_support.h"

static const rug_dtype of_tables = RUG_U8, of_lists = RUG_F32;

static void make_device(const char *devices, const char *group)
{
    fake_devices(devices, "masses_join=3 masses_count=4 masses_count_local=7", group);
}

/* @param dtype  rug_dtype of the pixels */
static rug_status measure(rug_context *ctx, const void *dtype)
{
    static const float pixels[100 * 100];
    static const size_t shape[2] = {100, 100};
    rug_image img;
    rug_masses *out;
    assert_int_equal(
        rug_image_view(ctx, &img, pixels, *(const rug_dtype *)dtype, 2, shape), RUG_OK);
    rug_status status = rug_masses_measure(ctx, &out, &img, NULL);
    assert_int_equal(out == NULL, status != RUG_OK);
    rug_masses_free(out);
    return status;
}

static void fails_at_each_call(void **state)
{
    (void)state;
    make_device("gpu:8192", "64");
    fake_fail_each(FAKE_WRITE | FAKE_READ | FAKE_FILL, 1, measure, &of_tables);
    fake_fail_each(FAKE_WRITE | FAKE_READ, 1, measure, &of_lists);
}

/* Groups as small as a device has them. */
static void small_groups(void **state)
{
    (void)state;
    make_device("gpu:8192", "1");
    assert_int_equal(fake_run("opencl", measure, &of_tables, ""), RUG_OK);
    make_device("gpu:8192", "0");
    assert_int_equal(fake_run("opencl", measure, &of_tables, "one item"), RUG_E_DEVICE);
}

static void no_device(void **state)
{
    (void)state;
    make_device("", "64");
    assert_int_equal(fake_run("opencl", measure, &of_tables, "no OpenCL device"),
                     RUG_E_DEVICE);
    assert_int_equal(fake_run("auto", measure, &of_tables, ""), RUG_OK);
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
