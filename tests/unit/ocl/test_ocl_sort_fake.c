/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prefix sums and sorting on a device that fails at each of its calls, by a library of
 * OpenCL that is made up (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "memory_support.h"
#include "ocl_sort_support.h"

static void pretend(const char *device, const char *group, const char *failure)
{
    setenv("FAKE_OPENCL", device, 1);
    setenv("FAKE_OPENCL_GROUP", group, 1);
    setenv("FAKE_OPENCL_FAIL", failure, 1);
    setenv("FAKE_OPENCL_ARGS",
           "count_tiles=5 scatter_tiles=6 count_chunks=5 scatter_chunks=6 "
           "sum_blocks=5 scan_blocks=6 sum_chunks=3 scan_chunks=3",
           1);
}

/* Makes a sorter and sorts; more tiles than one block of sums has numbers. */
static rug_status sort_keys(rug_context *ctx, rugi_ocl *device, size_t n,
                            rugi_ocl_shape shape)
{
    rugi_ocl_sorter *sorter = NULL;
    rugi_ocl_buffer *keys = NULL, *other = NULL, *first;
    rug_status status = rugi_ocl_sorter_new(ctx, device, &sorter, n, 4, shape);
    if (status != RUG_OK)
        assert_null(sorter);
    if (status == RUG_OK)
        status =
            rugi_ocl_buffer_new(ctx, device, &keys, n, 4, RUGI_OCL_READ_WRITE, "keys");
    if (status == RUG_OK)
        status =
            rugi_ocl_buffer_new(ctx, device, &other, n, 4, RUGI_OCL_READ_WRITE, "other");
    first = keys;
    if (status == RUG_OK)
        status = rugi_ocl_sort(ctx, sorter, &keys, &other, n, 32);
    if (status == RUG_OK)
        assert_ptr_equal(keys, first); /* four passes */
    if (status == RUG_OK)
        status = rugi_ocl_wait(ctx, device);
    rugi_ocl_buffer_free(device, other);
    rugi_ocl_buffer_free(device, keys);
    rugi_ocl_sorter_free(sorter);
    return status;
}

/* Nothing is left behind, whatever happens. @return the status */
static rug_status sort_and_clean(size_t n, rugi_ocl_shape shape, const char *text)
{
    memory m = {.fail_at = 0};
    rug_context *ctx = test_context();
    rugi_ocl *device;
    memory_hook(ctx, &m);
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status == RUG_OK)
        status = sort_keys(ctx, device, n, shape);
    if (status != RUG_OK)
        assert_error_part(ctx, text);
    rug_context_free(ctx);
    assert_int_equal(m.n_live, 0);
    assert_int_equal(m.n_wrong, 0);
    return status;
}

static void fails_at_each_call(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "clCreateContext=-6", "clCreateProgramWithSource=-6", "clBuildProgram=-11",
        "clCreateKernel=-46", "clSetKernelArg=-51",           "clCreateBuffer=-4",
        "event=-14",          "clEnqueueNDRangeKernel=-54"};
    for (int s = 0; s < 2; s++) {
        pretend("gpu:8192", "256", "");
        assert_int_equal(sort_and_clean(200000, sort_shapes[s], ""), RUG_OK);
        for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
            pretend("gpu:8192", "256", calls[k]);
            rug_status status =
                sort_and_clean(200000, sort_shapes[s], strchr(calls[k], '=') + 1);
            if (status != RUG_E_DEVICE)
                fail_msg("%s, shape %d: status %d", calls[k], (int)sort_shapes[s],
                         status);
        }
    }
}

/* Work groups become smaller where a kernel does not allow more. */
static void small_groups(void **state)
{
    (void)state;
    pretend("gpu:8192", "32", "");
    assert_int_equal(sort_and_clean(5000, RUGI_OCL_SHAPE_DEVICE, ""), RUG_OK);
    pretend("gpu:8192", "0", "");
    assert_int_equal(
        sort_and_clean(5000, RUGI_OCL_SHAPE_DEVICE, "groups of one item at least"),
        RUG_E_DEVICE);
}

static void the_type_decides(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        rugi_ocl_shape shape;
    } known[] = {{"gpu:8192", RUGI_OCL_SHAPE_WIDE},
                 {"acc:8192", RUGI_OCL_SHAPE_WIDE},
                 {"cpu:8192", RUGI_OCL_SHAPE_CHUNKS}};
    for (int i = 0; i < 3; i++) {
        rug_context *ctx = test_context();
        pretend(known[i].device, "256", "");
        assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
        assert_int_equal(rugi_ocl_shape_resolve(sort_device(ctx), RUGI_OCL_SHAPE_DEVICE),
                         known[i].shape);
        rug_context_free(ctx);
    }
}

/* The counts of so many keys do not fit a quarter of 512 MiB. */
static void counts_do_not_fit(void **state)
{
    (void)state;
    pretend("gpu:512", "256", "");
    assert_int_equal(sort_and_clean(UINT32_MAX, RUGI_OCL_SHAPE_WIDE, "counts of digits"),
                     RUG_E_DEVICE);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_each_call),
        cmocka_unit_test(small_groups),
        cmocka_unit_test(the_type_decides),
        cmocka_unit_test(counts_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
