/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of alpha on a device that fails at each of its calls, is too small, or does not
 * compute in double precision, by a library of OpenCL that is made up
 * (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "fake_support.h"

static void make_device(const char *devices)
{
    fake_devices(devices, "alpha_load=3 alpha_slope=4", "256");
}

static rug_status map(rug_context *ctx, const void *none)
{
    static const uint8_t pixels[30 * 30] = {3, 1, 4, 1, 5};
    static float out[30 * 30];
    rug_image img = test_u8(pixels, 0, 30, 30);
    (void)none;
    return rug_alpha_map(ctx, out, &img, NULL);
}

static void fails_at_each_call(void **state)
{
    (void)state;
    make_device("gpu:8192");
    fake_fail_each(FAKE_WRITE | FAKE_READ, 0, map, NULL);
}

static void without_double(void **state)
{
    (void)state;
    make_device("cpu:4096");
    assert_int_equal(fake_run("opencl", map, NULL, "double precision"), RUG_E_DEVICE);
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
    make_device("gpu:8192");
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
