/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The walk over a method's engine table. */

#include "engine.h"

/* Whether a row may do the job. */
static int is_asked_for(rug_context *ctx, const rugi_engine *row, const void *job)
{
    if (ctx->device != RUGI_DEVICE_AUTO)
        return row->device == ctx->device;
    return row->pays == NULL || row->pays(ctx, job);
}

/* Once: a batch of thousands would repeat it for each image. */
static void tell_fallback(rug_context *ctx, const rugi_engine *failed,
                          const rugi_engine *next)
{
    if (!ctx->fallback_told)
        rug_context_warn(ctx, "engine %s failed (%s); going on with %s", failed->name,
                         ctx->error, next->name);
    ctx->fallback_told = 1;
}

int rugi_engine_only_by_name(rug_context *ctx, const void *job)
{
    (void)ctx;
    (void)job;
    return 0;
}

rug_status rugi_engine_run(rug_context *ctx, const rugi_engine *table, size_t n_rows,
                           void *job)
{
    const rugi_engine *failed = NULL;
    rug_status status = RUG_E_DEVICE;
    for (size_t i = 0; i < n_rows; i++) {
        if (!is_asked_for(ctx, &table[i], job))
            continue;
        if (failed != NULL)
            tell_fallback(ctx, failed, &table[i]);
        status = table[i].run(ctx, job);
        if (status != RUG_E_DEVICE)
            return status;
        failed = &table[i];
    }
    return failed != NULL ? status : rugi_engine_cpu_only(ctx, "this work");
}

rug_status rugi_engine_cpu_only(rug_context *ctx, const char *what)
{
    if (ctx->device != RUGI_DEVICE_OPENCL)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_DEVICE,
        "device 'opencl': %s has no OpenCL engine; use 'cpu' or 'auto'", what);
}
