/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Runs a program's kernels on the first OpenCL device. check_oclgrind.sh makes that device a
 * simulator that reports races and bad memory. With the argument "race", runs a kernel
 * that has a race instead, which must be reported. */

#include "kernels.h"

#include "ocl/ocl.h"
#include <string.h>

/* Items read what their neighbours write, without a barrier. */
static void race(rug_context *device)
{
    static const char text[] = "__kernel void race(__global uint *out) {"
                               "    __local uint shared[32];"
                               "    uint i = get_local_id(0);"
                               "    shared[i] = i;"
                               "    out[get_global_id(0)] = shared[i ^ 1];"
                               "}";
    const rugi_ocl_source source = {"race.cl", text, sizeof text - 1};
    const rugi_ocl_source *const sources[] = {&source};
    rugi_ocl_build build = {.sources = sources, .n_sources = 1};
    rugi_ocl *ocl;
    rugi_ocl_kernel *kernel;
    rugi_ocl_buffer *out;
    uint32_t values[64];
    const size_t items = 64, group = 32;
    assert_int_equal(rugi_ocl_open(device, &ocl), RUG_OK);
    assert_int_equal(rugi_ocl_kernel_get(device, ocl, &kernel, &build, "race"), RUG_OK);
    assert_int_equal(
        rugi_ocl_buffer_new(device, ocl, &out, 64, 4, RUGI_OCL_WRITE, "numbers"), RUG_OK);
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(out)};
    assert_int_equal(rugi_ocl_run(device, ocl, kernel, args, 1, 1, &items, &group),
                     RUG_OK);
    assert_int_equal(rugi_ocl_read(device, ocl, out, 0, values, sizeof values), RUG_OK);
    rugi_ocl_buffer_free(ocl, out);
}

static int wants_race;

static void on_first_device(void **state)
{
    (void)state;
    rug_context *device = test_context();
    rug_devices *devices;
    assert_int_equal(rug_devices_list(device, &devices), RUG_OK);
    assert_true(rug_devices_count(devices) > 0);
    print_message("on %s\n", rug_devices_at(devices, 0)->name);
    rug_devices_free(devices);
    assert_int_equal(rug_context_set_device(device, "opencl:0"), RUG_OK);
    if (wants_race)
        race(device);
    else
        run_kernels(device);
    rug_context_free(device);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(on_first_device)};
    wants_race = argc > 1 && strcmp(argv[1], "race") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
