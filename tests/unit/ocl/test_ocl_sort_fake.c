/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prefix sums and sorting on a device that fails at each of its calls, by a library of
 * OpenCL that is made up (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "fake_support.h"
#include "ocl_sort_support.h"

static void make_device(const char *device, const char *group)
{
    fake_devices(device,
                 "count_tiles=5 scatter_tiles=6 count_chunks=5 scatter_chunks=6 "
                 "sum_blocks=5 scan_blocks=6 sum_chunks=3 scan_chunks=3",
                 group);
}

typedef struct sort_case {
    size_t n;
    rugi_ocl_shape shape;
} sort_case;

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

/* @param what  sort_case */
static rug_status open_and_sort(rug_context *ctx, const void *what)
{
    const sort_case *c = what;
    rugi_ocl *device;
    rug_status status = rugi_ocl_open(ctx, &device);
    return status == RUG_OK ? sort_keys(ctx, device, c->n, c->shape) : status;
}

static void fails_at_each_call(void **state)
{
    (void)state;
    make_device("gpu:8192", "256");
    for (int s = 0; s < 2; s++) {
        const sort_case c = {200000, sort_shapes[s]};
        fake_fail_each(0, 0, open_and_sort, &c);
    }
}

/* Work groups become smaller where a kernel does not allow more. */
static void small_groups(void **state)
{
    (void)state;
    static const sort_case c = {5000, RUGI_OCL_SHAPE_DEVICE};
    make_device("gpu:8192", "32");
    assert_int_equal(fake_run("opencl", open_and_sort, &c, ""), RUG_OK);
    make_device("gpu:8192", "0");
    assert_int_equal(fake_run("opencl", open_and_sort, &c, "groups of one item at least"),
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
        make_device(known[i].device, "256");
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
    static const sort_case c = {UINT32_MAX, RUGI_OCL_SHAPE_WIDE};
    make_device("gpu:512", "256");
    assert_int_equal(fake_run("opencl", open_and_sort, &c, "counts of digits"),
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
