/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The map of alpha of an image or a volume, and the engines. */

#include "alpha/opencl/alpha_opencl.h"
#include "core/context/engine.h"
#include "core/image/image_internal.h"

/* `auto` takes no device: what one gains over many processors is not known. */
static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_alpha_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_alpha_cpu, NULL},
};

static rug_status check(rug_context *ctx, const rug_image *img,
                        const rug_alpha_options *opts)
{
    rug_status status = rugi_alpha_check(ctx, opts);
    if (status == RUG_OK)
        status = rugi_image_check(ctx, img);
    if (status == RUG_OK && opts->mask != NULL)
        status = rugi_image_check_twin(ctx, opts->mask, "mask", img);
    return status;
}

rug_status rug_alpha_map(rug_context *ctx, float *out, const rug_image *img,
                         const rug_alpha_options *opts)
{
    static const rug_alpha_options defaults = RUG_ALPHA_OPTIONS_INIT;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_map: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check(ctx, img, opts);
    if (status != RUG_OK)
        return status;
    rugi_alpha_plan plan;
    rugi_alpha_plan_make(&plan, opts);
    rugi_alpha_job job = {.plan = &plan, .volume = rugi_alpha_view(img), .out = out};
    if (opts->mask != NULL)
        job.mask = rugi_alpha_view(opts->mask);
    status = rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], &job);
    if (status == RUG_OK && opts->engine != NULL)
        *opts->engine = job.engine;
    return status;
}
