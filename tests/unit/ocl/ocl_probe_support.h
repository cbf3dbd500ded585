/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of ocl_probe.cl on the first device. Include it after support.h. */

#ifndef RUGOSE_OCL_PROBE_SUPPORT_H
#define RUGOSE_OCL_PROBE_SUPPORT_H

#include "ocl/ocl.h"
#include "ocl_support.h"

extern const rugi_ocl_source rugi_cl_ocl_probe;

static const rugi_ocl_source *const probe[] = {&rugi_cl_ocl_probe};

/* Pixels of the work below. */
#define N 1024

static inline rugi_ocl *open_device(rug_context *ctx)
{
    rugi_ocl *device;
    if (rugi_ocl_open(ctx, &device) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return device;
}

static inline rugi_ocl_kernel *get_kernel(rug_context *ctx, rugi_ocl *device,
                                          const char *options, const char *name)
{
    rugi_ocl_kernel *kernel;
    rugi_ocl_build build = {.sources = probe, .n_sources = 1, .options = options};
    if (rugi_ocl_kernel_get(ctx, device, &kernel, &build, name) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return kernel;
}

/* Runs `scale` over 0 .. N-1. */
static inline void run_scale(rug_context *ctx, rugi_ocl *device, const char *options,
                             uint32_t add, uint32_t out[N])
{
    rugi_ocl_kernel *kernel = get_kernel(ctx, device, options, "scale");
    rugi_ocl_buffer *from, *to;
    uint32_t in[N];
    const size_t global = N, local = 8;
    for (uint32_t i = 0; i < N; i++)
        in[i] = i;
    assert_int_equal(rugi_ocl_buffer_new(ctx, device, &from, N, 4, RUGI_OCL_READ, "in"),
                     RUG_OK);
    assert_int_equal(rugi_ocl_buffer_new(ctx, device, &to, N, 4, RUGI_OCL_WRITE, "out"),
                     RUG_OK);
    assert_int_equal(rugi_ocl_write(ctx, device, from, 0, in, sizeof in), RUG_OK);
    rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(from), rugi_ocl_arg_buffer(to),
                           RUGI_OCL_ARG(add), rugi_ocl_arg_local(4 * local)};
    assert_int_equal(rugi_ocl_run(ctx, device, kernel, args, 4, 1, &global, &local),
                     RUG_OK);
    assert_int_equal(rugi_ocl_read(ctx, device, to, 0, out, 4 * N), RUG_OK);
    rugi_ocl_buffer_free(device, from);
    rugi_ocl_buffer_free(device, to);
}

static inline void assert_scaled(const uint32_t out[N], uint32_t factor, uint32_t add)
{
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(out[i], i * factor + add);
}

#endif
