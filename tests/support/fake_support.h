/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Work on a made-up device that fails at each of its calls (support/fake_opencl.c, which CMake
 * puts before the machine's library). Include it after support.h, in a file that asks for
 * setenv(). */

#ifndef RUGOSE_FAKE_SUPPORT_H
#define RUGOSE_FAKE_SUPPORT_H

#include "memory_support.h"
#include "ocl_support.h"

/* Which devices there are, and what the kernels of the program are.
 * @param devices  "gpu:8192": a GPU with 8192 MiB; ";" between several
 * @param kernels  "scale=2": the kernel `scale` has 2 arguments; a space between several
 * @param group    work items of a group at most */
static inline void fake_devices(const char *devices, const char *kernels,
                                const char *group)
{
    setenv("FAKE_OPENCL", devices, 1);
    setenv("FAKE_OPENCL_FAIL", "", 1);
    setenv("FAKE_OPENCL_ARGS", kernels, 1);
    setenv("FAKE_OPENCL_GROUP", group, 1);
    setenv("FAKE_OPENCL_IMAGE", "0", 1);
}

/* From now on a call fails: "clCreateBuffer=-4". "": none does. */
static inline void fake_failure(const char *failure)
{
    setenv("FAKE_OPENCL_FAIL", failure, 1);
}

/* Does something on the context's device. */
typedef rug_status (*fake_work)(rug_context *ctx, const void *what);

/* Does it on a device, "opencl" or "auto". Nothing is left behind, whatever happens.
 * @param text  part of the error text, if it fails
 * @return the status */
static inline rug_status fake_run(const char *device, fake_work work, const void *what,
                                  const char *text)
{
    memory m = {.fail_at = 0};
    rug_context *ctx = test_context();
    memory_hook(ctx, &m);
    assert_int_equal(rug_context_set_device(ctx, device), RUG_OK);
    rug_status status = work(ctx, what);
    if (status != RUG_OK)
        assert_error_part(ctx, text);
    rug_context_free(ctx);
    assert_int_equal(m.n_live, 0);
    assert_int_equal(m.n_wrong, 0);
    return status;
}

/* Calls that not all work makes. */
enum { FAKE_WRITE = 1, FAKE_READ = 2, FAKE_FILL = 4, FAKE_IMAGE = 8, FAKE_AWAIT = 16 };

/* Every call that may fail, with its error; and 0, or what kind of call it is. */
static const struct {
    const char *failure;
    unsigned kind;
} fake_calls[] = {{"clCreateContext=-6", 0},
                  {"clCreateProgramWithSource=-6", 0},
                  {"clBuildProgram=-11", 0},
                  {"clCreateKernel=-46", 0},
                  {"clSetKernelArg=-51", 0},
                  {"clCreateBuffer=-4", 0},
                  {"clEnqueueNDRangeKernel=-54", 0},
                  {"event=-14", 0},
                  {"clEnqueueWriteBuffer=-4", FAKE_WRITE},
                  {"clEnqueueReadBuffer=-5", FAKE_READ},
                  {"clEnqueueFillBuffer=-6", FAKE_FILL},
                  {"clCreateImage=-10", FAKE_IMAGE},
                  {"clEnqueueWriteImage=-5", FAKE_IMAGE},
                  {"clWaitForEvents=-14", FAKE_AWAIT}};
#define N_FAKE_CALLS (sizeof fake_calls / sizeof fake_calls[0])

/* A device that is named fails honestly at each call, and works where the work does not make
 * the call.
 * @param kinds    of calls that the work makes
 * @param is_auto  nonzero: with `auto` the work is done without a device */
static inline void fake_fail_each(unsigned kinds, int is_auto, fake_work work,
                                  const void *what)
{
    fake_failure("");
    assert_int_equal(fake_run("opencl", work, what, ""), RUG_OK);
    for (size_t k = 0; k < N_FAKE_CALLS; k++) {
        const char *failure = fake_calls[k].failure;
        int is_spared = fake_calls[k].kind != 0 && !(fake_calls[k].kind & kinds);
        fake_failure(failure);
        rug_status status = fake_run("opencl", work, what, strchr(failure, '=') + 1);
        if (status != (is_spared ? RUG_OK : RUG_E_DEVICE))
            fail_msg("%s: status %d", failure, (int)status);
        if (is_auto)
            assert_int_equal(fake_run("auto", work, what, ""), RUG_OK);
    }
    fake_failure("");
}

#endif
