/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Devices and failures that no test machine has, by a library of OpenCL that is made up
 * (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "core/context/engine.h"
#include "memory_support.h"
#include "ocl/ocl.h"
#include "ocl_support.h"
#include <math.h>
#include <stdio.h>

extern const rugi_ocl_source rugi_cl_ocl_probe;

static const rugi_ocl_source *const probe[] = {&rugi_cl_ocl_probe};

static void pretend(const char *devices, const char *failure)
{
    setenv("FAKE_OPENCL", devices, 1);
    setenv("FAKE_OPENCL_FAIL", failure, 1);
}

static rug_context *choose(const char *device)
{
    rug_context *ctx = test_context();
    assert_int_equal(rug_context_set_device(ctx, device), RUG_OK);
    return ctx;
}

/* The name that a choice leads to, "" for the CPU engine, or "!" when it fails. */
static void assert_choice(const char *devices, const char *device, const char *name)
{
    rug_context *ctx = choose(device);
    rug_devices *list;
    const rug_device *d;
    pretend(devices, "");
    assert_int_equal(rug_devices_list(ctx, &list), RUG_OK);
    rug_status status = rug_devices_choose(ctx, &d, list);
    const char *is = status == RUG_E_DEVICE ? "!" : d == NULL ? "" : d->name;
    if (strcmp(is, name) != 0)
        fail_msg("%s of %s is '%s', not '%s'", device, devices, is, name);
    rug_devices_free(list);
    rug_context_free(ctx);
}

static void choices(void **state)
{
    (void)state;
    assert_choice("cpu:4096;gpu:512,gpu:81920", "auto", "Model 12");
    assert_choice("cpu:4096;gpu:512,gpu:81920", "opencl", "Model 12");
    assert_choice("cpu:4096;gpu:512,gpu:81920", "opencl:1", "Model 11");
    assert_choice("cpu:4096;gpu:512,gpu:81920", "opencl:3", "!");
    assert_choice("gpu:1024,gpu:2048", "auto", "Model 1"); /* the first, at the limit */
    assert_choice("gpu:1023,cpu:9000,acc:9000", "auto", "");
    assert_choice("gpu:1023,cpu:9000", "opencl", "Model 1");
    assert_choice("gpu:8000:old,gpu:8000:off,gpu:4000", "auto", "Model 3");
    assert_choice("gpu:8000:old,gpu:8000:off,cpu:10", "opencl", "Model 3");
    assert_choice("gpu:8000:old,cpu:10", "opencl:0", "!");
    assert_choice("gpu:8000:off,cpu:10", "opencl:0", "!");
    assert_choice("gpu:8000:off", "opencl", "!");
    assert_choice("gpu:8000:off", "auto", "");
    assert_choice(";;gpu:4000", "auto", "Model 21");
}

static void facts(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_devices *list;
    pretend("acc:100;gpu:2048", "");
    assert_int_equal(rug_devices_list(ctx, &list), RUG_OK);
    assert_int_equal(rug_devices_count(list), 2);
    assert_int_equal(rug_devices_at(list, 0)->type, RUG_DEVICE_ACCELERATOR);
    assert_false(rug_devices_at(list, 0)->is_auto);
    const rug_device *d = rug_devices_at(list, 1);
    assert_string_equal(d->name, "Model 11"); /* no spaces at the ends, no tab */
    assert_string_equal(d->platform, "Fake 1");
    assert_string_equal(d->driver, "1.0");
    assert_string_equal(d->version, "OpenCL 1.2 x");
    assert_int_equal(d->type, RUG_DEVICE_GPU);
    assert_true(d->is_auto && d->is_usable && d->has_fp64);
    assert_int_equal(d->memory, (uint64_t)2048 << 20);
    assert_int_equal(d->max_allocation, (uint64_t)512 << 20);
    assert_int_equal(d->local_memory, 32768);
    assert_int_equal(d->compute_units, 8);
    assert_int_equal(d->clock_mhz, 1500);
    rug_devices_free(list);
    rug_context_free(ctx);
}

static void assert_reason(const char *devices, const char *failure, const char *reason)
{
    rug_context *ctx = test_context();
    rug_devices *list;
    pretend(devices, failure);
    assert_int_equal(rug_devices_list(ctx, &list), RUG_OK);
    assert_string_equal(rug_devices_reason(list), reason);
    assert_int_equal(rug_devices_count(list), reason[0] == '\0');
    rug_devices_free(list);
    rug_context_free(ctx);
}

static void reasons(void **state)
{
    (void)state;
    const char *none = "no OpenCL device: no OpenCL driver is installed";
    assert_reason("gpu:1", "clGetPlatformIDs=-1001", none);
    assert_reason("gpu:1", "clGetPlatformIDs=-6",
                  "no OpenCL device: asking for drivers: CL_OUT_OF_HOST_MEMORY (-6)");
    assert_reason(";", "",
                  "no OpenCL device: asking for devices: CL_DEVICE_NOT_FOUND (-1)");
    assert_reason("gpu:1", "clGetDeviceIDs=-5",
                  "no OpenCL device: asking for devices: CL_OUT_OF_RESOURCES (-5)");
    assert_reason("gpu:1;cpu:1", "clGetDeviceIDs=-5", ""); /* the other platform */
    unsetenv("FAKE_OPENCL");
    rug_context *ctx = choose("opencl");
    rugi_ocl *device;
    assert_int_equal(rugi_ocl_open(ctx, &device), RUG_E_DEVICE);
    assert_error_part(ctx, "device 'opencl' is not there; no OpenCL device: no OpenCL "
                           "driver is installed");
    rug_context_free(ctx);
}

/* Opens, builds, writes, runs, reads. */
static rug_status work(rug_context *ctx, void *user)
{
    rugi_ocl *device;
    rugi_ocl_kernel *kernel;
    rugi_ocl_buffer *buffer = NULL;
    rugi_ocl_build build = {.sources = probe, .n_sources = 1};
    uint32_t pixel = 7;
    const size_t one = 1;
    ++*(int *)user;
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status == RUG_OK)
        status = rugi_ocl_kernel_get(ctx, device, &kernel, &build, "scale");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, device, &buffer, 4, 4, RUGI_OCL_READ_WRITE,
                                     "pixels");
    if (status == RUG_OK)
        status = rugi_ocl_zero(ctx, device, buffer, 0, 16);
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, device, buffer, 0, &pixel, 4);
    if (status == RUG_OK) {
        rugi_ocl_arg arg = rugi_ocl_arg_buffer(buffer);
        status = rugi_ocl_run(ctx, device, kernel, &arg, 1, 1, &one, NULL);
    }
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, device, buffer, 0, &pixel, 4);
    rugi_ocl_buffer_free(device, buffer);
    return status;
}

/* Each function that fails is named with its error, frees all, and may work next time. */
static void every_failure(void **state)
{
    (void)state;
    static const struct {
        const char *failure, *text;
    } cases[] = {
        {"clCreateContext=-2", "opening Model 1: CL_DEVICE_NOT_AVAILABLE (-2)"},
        {"clCreateCommandQueue=-6",
         "making a queue of Model 1: CL_OUT_OF_HOST_MEMORY (-6)"},
        {"clCreateProgramWithSource=-30", "loading ocl_probe.cl: CL_INVALID_VALUE (-30)"},
        {"clBuildProgram=-11",
         "compiling ocl_probe.cl for Model 1: CL_BUILD_PROGRAM_FAILURE (-11): xxx"},
        {"clCreateKernel=-46", "looking for kernel scale: CL_INVALID_KERNEL_NAME (-46)"},
        {"clCreateBuffer=-4", "making a buffer of 16 bytes for pixels on Model 1: "
                              "CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)"},
        {"clEnqueueFillBuffer=-5",
         "clearing a buffer on Model 1: CL_OUT_OF_RESOURCES (-5)"},
        {"clEnqueueWriteBuffer=-5",
         "writing to a buffer on Model 1: CL_OUT_OF_RESOURCES (-5)"},
        {"clSetKernelArg=-51",
         "running kernel scale on Model 1: CL_INVALID_ARG_SIZE (-51)"},
        {"clEnqueueNDRangeKernel=-54",
         "running kernel scale on Model 1: CL_INVALID_WORK_GROUP_SIZE (-54)"},
        {"clEnqueueReadBuffer=-5",
         "reading a buffer on Model 1: CL_OUT_OF_RESOURCES (-5)"},
        {"clFinish=-36",
         "waiting for the work on Model 1: CL_INVALID_COMMAND_QUEUE (-36)"},
        {"event=-14", "writing to a buffer on Model 1: "
                      "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST (-14)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_context *ctx = choose("opencl:0");
        memory m = {0};
        int n = 0;
        memory_hook(ctx, &m);
        pretend("gpu:4096", cases[i].failure);
        assert_int_equal(work(ctx, &n), RUG_E_DEVICE);
        assert_int_equal(
            strncmp(rug_context_error(ctx), cases[i].text, strlen(cases[i].text)), 0);
        assert_in_range(strlen(rug_context_error(ctx)), 10, 1000);
        pretend("gpu:4096", "");
        assert_int_equal(work(ctx, &n), RUG_OK);
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
    }
}

static void times(void **state)
{
    (void)state;
    rug_context *ctx = choose("opencl:0");
    rug_device_times t = RUG_DEVICE_TIMES_INIT;
    int n = 0;
    pretend("gpu:4096", "");
    assert_int_equal(work(ctx, &n), RUG_OK);
    rug_devices_take_times(ctx, &t);
    assert_int_equal(lround(t.upload_seconds * 1e9), 1000);
    assert_int_equal(lround(t.kernel_seconds * 1e9), 1000);
    assert_int_equal(lround(t.download_seconds * 1e9), 1000);
    assert_int_equal(t.n_kernels, 1);
    assert_int_equal(t.upload_bytes + t.download_bytes, 8);
    pretend("gpu:4096", "clGetEventProfilingInfo=-7"); /* no clock: no time, no failure */
    assert_int_equal(work(ctx, &n), RUG_OK);
    rug_devices_take_times(ctx, &t);
    assert_true(t.upload_seconds == 0 && t.kernel_seconds == 0);
    assert_int_equal(t.n_kernels, 1);
    rug_context_free(ctx);
}

static void extensions(void **state)
{
    (void)state;
    rug_context *ctx = choose("opencl:0");
    rugi_ocl *device;
    pretend("gpu:4096", "");
    assert_int_equal(rugi_ocl_open(ctx, &device), RUG_OK);
    assert_true(rugi_ocl_has_extension(device, "cl_a"));
    assert_true(rugi_ocl_has_extension(device, "cl_b"));
    assert_true(rugi_ocl_has_extension(device, "cl_b_long"));
    assert_false(rugi_ocl_has_extension(device, "cl_b_"));
    assert_false(rugi_ocl_has_extension(device, "l_a"));
    assert_int_equal(rugi_ocl_group_max(device), 256);
    assert_false(rugi_ocl_is_unified(device));
    rug_context_free(ctx);
}

/* Buffers count against the memory of the device, those in use too. */
static void memory_of_the_device(void **state)
{
    (void)state;
    enum { MIB = 1 << 20 };
    rug_context *ctx = choose("opencl:0");
    rugi_ocl *device;
    rugi_ocl_buffer *buffers[5];
    pretend("gpu:64", "");
    assert_int_equal(rugi_ocl_open(ctx, &device), RUG_OK);
    assert_int_equal(rugi_ocl_piece_max(device, 1, 0), 16 * MIB);
    assert_int_equal(rugi_ocl_piece_max(device, 4, 0), 12 * MIB);
    assert_int_equal(rugi_ocl_piece_max(device, 4, 8 * MIB), 10 * MIB);
    assert_int_equal(rugi_ocl_piece_max(device, 3, 48 * MIB - 3 * 4096 - 1), 4096);
    assert_int_equal(rugi_ocl_piece_max(device, 3, 48 * MIB - 3 * 4096 + 1), 0);
    assert_int_equal(rugi_ocl_buffer_new(ctx, device, &buffers[0], 16 * MIB + 1, 1,
                                         RUGI_OCL_READ, "pixels"),
                     RUG_E_DEVICE);
    assert_error_part(ctx, "pixels: 16777217 bytes; Model 1 takes buffers of at most "
                           "16777216 bytes");
    for (int i = 0; i < 4; i++)
        assert_int_equal(rugi_ocl_buffer_new(ctx, device, &buffers[i], 4 * MIB, 4,
                                             RUGI_OCL_READ, "pixels"),
                         RUG_OK);
    assert_int_equal(
        rugi_ocl_buffer_new(ctx, device, &buffers[4], 1, 1, RUGI_OCL_READ, "a byte"),
        RUG_E_DEVICE);
    assert_error_part(ctx,
                      "a byte: 1 bytes; Model 1 has 67108864 bytes, 67108864 of them "
                      "in use");
    assert_int_equal(rugi_ocl_piece_max(device, 1, 0), 0);
    for (int i = 0; i < 4; i++)
        rugi_ocl_buffer_free(device, buffers[i]);
    assert_int_equal(rugi_ocl_piece_max(device, 1, 0), 16 * MIB);
    rug_context_free(ctx);
}

typedef struct told {
    int n;
    char text[512];
} told;

static void keep(void *user, const char *text)
{
    told *t = user;
    t->n++;
    snprintf(t->text, sizeof t->text, "%s", text);
}

static rug_status work_of_cpu(rug_context *ctx, void *user)
{
    (void)ctx;
    *(int *)user += 100;
    return RUG_OK;
}

static const rugi_engine table[] = {
    {"opencl", RUGI_DEVICE_OPENCL, work, NULL},
    {"cpu", RUGI_DEVICE_CPU, work_of_cpu, NULL},
};

/* `auto` tells once why there is no device, and does not look for it again. */
static void auto_falls_back(void **state)
{
    (void)state;
    static const struct {
        const char *devices, *failure, *text;
    } cases[] = {
        {"gpu:4096", "clEnqueueReadBuffer=-5", "reading a buffer on Model 1: "},
        {"gpu:4096", "clCreateContext=-6", "opening Model 1: "},
        {"cpu:4096,gpu:10", "", "no usable GPU is there"},
        {"gpu:4096", "clGetPlatformIDs=-1001", "no OpenCL driver is installed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_context *ctx = choose("auto");
        told t = {0};
        int n = 0;
        rug_context_set_warn(ctx, keep, &t);
        pretend(cases[i].devices, cases[i].failure);
        assert_int_equal(rugi_engine_run(ctx, table, 2, &n), RUG_OK);
        assert_int_equal(n, 101);
        assert_non_null(strstr(t.text, cases[i].text));
        pretend("gpu:4096", ""); /* would work now, but is not asked */
        assert_int_equal(rugi_engine_run(ctx, table, 2, &n), RUG_OK);
        assert_int_equal(n, 202);
        assert_int_equal(t.n, 1);
        assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
        assert_int_equal(rugi_engine_run(ctx, table, 2, &n), RUG_OK);
        assert_int_equal(n, 203);
        rug_context_free(ctx);
    }
}

static void auto_takes_the_gpu(void **state)
{
    (void)state;
    rug_context *ctx = choose("auto");
    rugi_ocl *device;
    int n = 0;
    pretend("cpu:4096;cpu:1,gpu:4096", "");
    assert_int_equal(rugi_engine_run(ctx, table, 2, &n), RUG_OK);
    assert_int_equal(n, 1);
    assert_int_equal(rugi_ocl_open(ctx, &device), RUG_OK);
    assert_string_equal(rugi_ocl_engine_name(device), "opencl:2");
    rug_context_free(ctx);
}

int main(void)
{
    const char *path = getenv("LD_LIBRARY_PATH");
    if (path == NULL || strstr(path, "fake_opencl") == NULL) {
        print_error("LD_LIBRARY_PATH must lead to fake_opencl, as ctest sets it\n");
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices),
        cmocka_unit_test(facts),
        cmocka_unit_test(reasons),
        cmocka_unit_test(every_failure),
        cmocka_unit_test(times),
        cmocka_unit_test(extensions),
        cmocka_unit_test(memory_of_the_device),
        cmocka_unit_test(auto_falls_back),
        cmocka_unit_test(auto_takes_the_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
