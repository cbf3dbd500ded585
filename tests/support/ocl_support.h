/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* For tests that need an OpenCL device. Include it after support.h. */

#ifndef RUGOSE_OCL_SUPPORT_H
#define RUGOSE_OCL_SUPPORT_H

#include <stdlib.h>
#include <string.h>

/* The number of OpenCL devices. */
static inline size_t ocl_count(rug_context *ctx)
{
    rug_devices *devices;
    assert_int_equal(rug_devices_list(ctx, &devices), RUG_OK);
    size_t n = rug_devices_count(devices);
    rug_devices_free(devices);
    return n;
}

/* Skips a test, loudly, on a machine without a device; where CI=true that is a failure,
 * because the tests would prove nothing. */
static inline void ocl_need_device(rug_context *ctx)
{
    if (ocl_count(ctx) > 0)
        return;
    const char *ci = getenv("CI");
    if (ci != NULL && strcmp(ci, "true") == 0)
        fail_msg("there is no OpenCL device: install pocl-opencl-icd");
    print_message("SKIPPED: there is no OpenCL device; pocl-opencl-icd would be one\n");
    rug_context_free(ctx);
    skip();
}

/* A context whose choice is the first device. */
static inline rug_context *ocl_context(void)
{
    rug_context *ctx = test_context();
    ocl_need_device(ctx);
    assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
    return ctx;
}

static inline void assert_error_part(const rug_context *ctx, const char *part)
{
    if (strstr(rug_context_error(ctx), part) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", part,
                 rug_context_error(ctx));
}

#endif
