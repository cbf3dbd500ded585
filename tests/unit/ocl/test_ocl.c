/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* OpenCL below the public calls: devices opened, kernels built and run. */

#include "support.h"

#include "memory_support.h"
#include "ocl/list/device_list.h"
#include "ocl_probe_support.h"

extern const rugi_ocl_source rugi_cl_ocl_broken;

static const rugi_ocl_source *const broken[] = {&rugi_cl_ocl_probe, &rugi_cl_ocl_broken};

static void error_names(void **state)
{
    (void)state;
    static const struct {
        int code;
        const char *name;
    } known[] = {{0, "CL_SUCCESS"},
                 {-1, "CL_DEVICE_NOT_FOUND"},
                 {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
                 {-5, "CL_OUT_OF_RESOURCES"},
                 {-11, "CL_BUILD_PROGRAM_FAILURE"},
                 {-19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"},
                 {-30, "CL_INVALID_VALUE"},
                 {-52, "CL_INVALID_KERNEL_ARGS"},
                 {-68, "CL_INVALID_DEVICE_PARTITION_COUNT"},
                 {-1001, "CL_PLATFORM_NOT_FOUND_KHR"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_string_equal(rugi_ocl_error_name(known[i].code), known[i].name);
    for (int code = -72; code <= 0; code++) /* 1.2 leaves -20 .. -29 free */
        if (code < -29 || code > -20)
            assert_int_equal(strncmp(rugi_ocl_error_name(code), "CL_", 3), 0);
    assert_string_equal(rugi_ocl_error_name(-12345), "an unknown error");
    assert_string_equal(rugi_ocl_error_name(1), "an unknown error");
}

static void error_text(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    assert_int_equal(rugi_ocl_fail(ctx, -5, "running %s", "kernel a"), RUG_E_DEVICE);
    assert_string_equal(rug_context_error(ctx),
                        "running kernel a: CL_OUT_OF_RESOURCES (-5)");
    assert_int_equal(rugi_ocl_fail(ctx, -777, "x"), RUG_E_DEVICE);
    assert_string_equal(rug_context_error(ctx), "x: an unknown error (-777)");
    rug_context_free(ctx);
}

static void open_is_kept(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx), *other;
    assert_string_equal(rugi_ocl_engine_name(device), "opencl:0");
    assert_true(strlen(rugi_ocl_facts(device)->name) > 0);
    assert_true(rugi_ocl_facts(device)->memory > 0);
    assert_true(rugi_ocl_group_max(device) >= 1);
    assert_false(rugi_ocl_has_extension(device, "cl_khr_no_such_thing"));
    assert_false(rugi_ocl_has_extension(device, "cl_khr_"));
    assert_true(rugi_ocl_has_extension(device, "cl_khr_byte_addressable_store"));
    assert_ptr_equal(open_device(ctx), device);
    assert_int_equal(rug_context_set_device(ctx, "cpu"), RUG_OK);
    assert_int_equal(rugi_ocl_open(ctx, &other), RUG_E_DEVICE);
    assert_null(other);
    assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
    assert_ptr_equal(open_device(ctx), device);
    rug_context_free(ctx);
}

static void a_missing_device_lists_the_others(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device;
    assert_int_equal(rug_context_set_device(ctx, "opencl:4095"), RUG_OK);
    assert_int_equal(rugi_ocl_open(ctx, &device), RUG_E_DEVICE);
    assert_null(device);
    assert_error_part(ctx, "'opencl:4095' is not there");
    assert_error_part(ctx, "opencl:0 ");
    assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
    open_device(ctx);
    rug_context_free(ctx);
}

static void kernels_run(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    uint32_t out[N];
    run_scale(ctx, device, NULL, 5, out);
    assert_scaled(out, 1, 5);
    run_scale(ctx, device, "-DFACTOR=3", 7, out);
    assert_scaled(out, 3, 7);
    run_scale(ctx, device, NULL, 0, out);
    assert_scaled(out, 1, 0);
    rugi_ocl_kernel *kernel = get_kernel(ctx, device, NULL, "scale");
    assert_ptr_equal(get_kernel(ctx, device, NULL, "scale"), kernel);
    assert_ptr_not_equal(get_kernel(ctx, device, "-DFACTOR=3", "scale"), kernel);
    assert_true(rugi_ocl_kernel_group_max(kernel) >= 8);
    rug_context_free(ctx);
}

/* The compiler's messages name the file and the line, and are bounded. */
static void compiler_errors(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    rugi_ocl_kernel *kernel;
    uint32_t out[N];
    rugi_ocl_build build = {.sources = broken, .n_sources = 2};
    assert_int_equal(rugi_ocl_kernel_get(ctx, device, &kernel, &build, "broken"),
                     RUG_E_DEVICE);
    assert_null(kernel);
    assert_error_part(ctx, "CL_BUILD_PROGRAM_FAILURE (-11)");
    if (strcmp(rugi_ocl_facts(device)->platform, "Oclgrind") != 0) /* it counts on */
        assert_error_part(ctx, "ocl_broken.cl:8");
    assert_error_part(ctx, "no_such_thing");
    build = (rugi_ocl_build){.sources = probe, .n_sources = 1};
    assert_int_equal(rugi_ocl_kernel_get(ctx, device, &kernel, &build, "nobody"),
                     RUG_E_DEVICE);
    assert_error_part(ctx, "kernel nobody: CL_INVALID_KERNEL_NAME (-46)");
    run_scale(ctx, device, NULL, 0, out); /* goes on */
    assert_scaled(out, 1, 0);
    rug_context_free(ctx);
}

/* A command that fails costs the device; the next call opens it anew. */
static void a_failed_command(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    rugi_ocl_kernel *kernel = get_kernel(ctx, device, NULL, "scale");
    uint32_t out[N], add = 1;
    const size_t global = N;
    rugi_ocl_arg args[] = {RUGI_OCL_ARG(add)};
    assert_int_equal(rugi_ocl_run(ctx, device, kernel, args, 1, 1, &global, NULL),
                     RUG_E_DEVICE);
    assert_error_part(ctx, "running kernel scale on ");
    assert_error_part(ctx, "CL_INVALID_KERNEL_ARGS (-52)");
    device = open_device(ctx);
    run_scale(ctx, device, NULL, 4, out);
    assert_scaled(out, 1, 4);
    rug_context_free(ctx);
}

/* (1 + e)(1 - e) - 1 is 0 when the product is rounded, and -e^2 when it is not. */
static void contraction_can_be_forbidden(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = open_device(ctx);
    const float e = 1.0f / 8192, in[3] = {1 + e, 1 - e, -1};
    float out = 9;
    const size_t global = 1;
    rugi_ocl_kernel *kernel;
    rugi_ocl_buffer *from, *to;
    rugi_ocl_build build = {.sources = probe, .n_sources = 1, .no_contract = 1};
    assert_int_equal(rugi_ocl_kernel_get(ctx, device, &kernel, &build, "multiply_add"),
                     RUG_OK);
    assert_int_equal(rugi_ocl_buffer_new(ctx, device, &from, 3, 4, RUGI_OCL_READ, "in"),
                     RUG_OK);
    assert_int_equal(rugi_ocl_buffer_new(ctx, device, &to, 1, 4, RUGI_OCL_WRITE, "out"),
                     RUG_OK);
    assert_int_equal(rugi_ocl_write(ctx, device, from, 0, in, sizeof in), RUG_OK);
    rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(from), rugi_ocl_arg_buffer(to)};
    assert_int_equal(rugi_ocl_run(ctx, device, kernel, args, 2, 1, &global, NULL),
                     RUG_OK);
    assert_int_equal(rugi_ocl_read(ctx, device, to, 0, &out, sizeof out), RUG_OK);
    assert_true(out == 0);
    rugi_ocl_buffer_free(device, from);
    rugi_ocl_buffer_free(device, to);
    rug_context_free(ctx);
}

/* All that asks for memory, once. */
static rug_status use_all(rug_context *ctx)
{
    rugi_ocl *device;
    rugi_ocl_kernel *kernel;
    rugi_ocl_buffer *buffer = NULL;
    rugi_ocl_build build = {.sources = probe, .n_sources = 1};
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status == RUG_OK)
        status = rugi_ocl_kernel_get(ctx, device, &kernel, &build, "scale");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, device, &buffer, 4, 4, RUGI_OCL_READ, "buffer");
    if (status == RUG_OK)
        rugi_ocl_buffer_free(device, buffer);
    return status;
}

static void memory_is_out(void **state)
{
    (void)state;
    rug_context_free(ocl_context()); /* skips */
    size_t fail_at = 0;
    rug_status status;
    do {
        rug_context *ctx = test_context();
        memory m = {.fail_at = ++fail_at};
        memory_hook(ctx, &m);
        assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
        status = use_all(ctx);
        if (m.n_calls >= fail_at)
            assert_int_equal(status, RUG_E_NOMEM);
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
    } while (status != RUG_OK);
    assert_in_range(fail_at, 8, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_names),
        cmocka_unit_test(error_text),
        cmocka_unit_test(open_is_kept),
        cmocka_unit_test(a_missing_device_lists_the_others),
        cmocka_unit_test(kernels_run),
        cmocka_unit_test(compiler_errors),
        cmocka_unit_test(a_failed_command),
        cmocka_unit_test(contraction_can_be_forbidden),
        cmocka_unit_test(memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
