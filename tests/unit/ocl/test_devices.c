/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The public list of devices: whatever machine this is, the list and the choices agree. */

#include "support.h"

#include "memory_support.h"
#include "ocl_support.h"
#include <stdio.h>

static void type_names(void **state)
{
    (void)state;
    assert_string_equal(rug_device_type_name(RUG_DEVICE_CPU), "cpu");
    assert_string_equal(rug_device_type_name(RUG_DEVICE_GPU), "gpu");
    assert_string_equal(rug_device_type_name(RUG_DEVICE_ACCELERATOR), "accelerator");
    assert_string_equal(rug_device_type_name(RUG_DEVICE_OTHER), "other");
    assert_string_equal(rug_device_type_name((rug_device_type)4), "?");
    assert_string_equal(rug_device_type_name((rug_device_type)-1), "?");
}

static void null_arguments(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_devices *devices = (rug_devices *)ctx;
    const rug_device *d = NULL;
    rug_device_times times = RUG_DEVICE_TIMES_INIT;
    times.n_kernels = 3;
    assert_int_equal(rug_devices_list(NULL, &devices), RUG_E_ARG);
    assert_null(devices);
    assert_int_equal(rug_devices_list(ctx, NULL), RUG_E_ARG);
    assert_error_part(ctx, "NULL");
    rug_devices_free(NULL);
    assert_int_equal(rug_devices_list(ctx, &devices), RUG_OK);
    assert_int_equal(rug_devices_choose(NULL, &d, devices), RUG_E_ARG);
    assert_int_equal(rug_devices_choose(ctx, NULL, devices), RUG_E_ARG);
    assert_int_equal(rug_devices_choose(ctx, &d, NULL), RUG_E_ARG);
    assert_int_equal(rug_devices_take_times(NULL, &times), RUG_E_ARG);
    assert_int_equal(times.n_kernels, 0);
    assert_int_equal(rug_devices_take_times(ctx, &times), RUG_OK);
    assert_int_equal(rug_devices_take_times(ctx, NULL), RUG_E_ARG);
    times.struct_size = 0;
    assert_int_equal(rug_devices_take_times(ctx, &times), RUG_E_ARG);
    assert_error_part(ctx, "rug_device_times");
    rug_devices_free(devices);
    rug_context_free(ctx);
}

static void a_list_or_a_reason(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_devices *devices;
    int n_auto = 0;
    assert_int_equal(rug_devices_list(ctx, &devices), RUG_OK);
    size_t n = rug_devices_count(devices);
    assert_null(rug_devices_at(devices, n));
    assert_null(rug_devices_at(devices, SIZE_MAX));
    assert_int_equal(strlen(rug_devices_reason(devices)) == 0, n > 0);
    if (!rug_devices_built_in())
        assert_int_equal(n, 0);
    for (size_t i = 0; i < n; i++) {
        const rug_device *d = rug_devices_at(devices, i);
        assert_true(strlen(d->name) > 0 && strlen(d->platform) > 0);
        assert_int_equal(strncmp(d->version, "OpenCL ", 7), 0);
        assert_true(d->max_allocation > 0 && d->max_allocation <= d->memory);
        assert_true(d->compute_units > 0);
        n_auto += d->is_auto;
        if (d->is_auto)
            assert_true(d->type == RUG_DEVICE_GPU && d->is_usable &&
                        d->memory >= RUG_DEVICE_AUTO_MEMORY);
    }
    assert_in_range(n_auto, 0, 1);
    rug_devices_free(devices);
    rug_context_free(ctx);
}

static void choices(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_devices *devices;
    const rug_device *d = (const rug_device *)ctx;
    assert_int_equal(rug_devices_list(ctx, &devices), RUG_OK);
    assert_int_equal(rug_devices_choose(ctx, &d, devices), RUG_OK); /* cpu, the default */
    assert_null(d);
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    assert_int_equal(rug_devices_choose(ctx, &d, devices), RUG_OK);
    assert_true(d == NULL || d->is_auto);
    assert_int_equal(rug_context_set_device(ctx, "opencl:4095"), RUG_OK);
    assert_int_equal(rug_devices_choose(ctx, &d, devices), RUG_E_DEVICE);
    assert_null(d);
    assert_error_part(ctx, "'opencl:4095' is not there");
    assert_error_part(ctx, rug_devices_count(devices) > 0
                               ? rug_devices_at(devices, 0)->name
                               : rug_devices_reason(devices));
    for (size_t i = 0; i < rug_devices_count(devices); i++) {
        char name[32];
        snprintf(name, sizeof name, "opencl:%zu", i);
        assert_int_equal(rug_context_set_device(ctx, name), RUG_OK);
        if (!rug_devices_at(devices, i)->is_usable)
            continue;
        assert_int_equal(rug_devices_choose(ctx, &d, devices), RUG_OK);
        assert_ptr_equal(d, rug_devices_at(devices, i));
    }
    rug_devices_free(devices);
    rug_context_free(ctx);
}

static void memory_is_out(void **state)
{
    (void)state;
    rug_status status = RUG_E_NOMEM;
    for (size_t fail_at = 1; status != RUG_OK; fail_at++) {
        rug_context *ctx = test_context();
        memory m = {.fail_at = fail_at};
        rug_devices *devices;
        memory_hook(ctx, &m);
        status = rug_devices_list(ctx, &devices);
        if (m.n_calls >= fail_at) {
            assert_int_equal(status, RUG_E_NOMEM);
            assert_null(devices);
        }
        rug_devices_free(devices);
        assert_int_equal(m.n_live, 0);
        rug_context_free(ctx);
        assert_in_range(fail_at, 1, 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(type_names),         cmocka_unit_test(null_arguments),
        cmocka_unit_test(a_list_or_a_reason), cmocka_unit_test(choices),
        cmocka_unit_test(memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
