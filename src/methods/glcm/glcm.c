/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence features of every region: the call is checked and resolved to a plan,
 * engines measure regions in batches, and the caller sees rows in their order. */

#include "core/context/engine.h"
#include "core/context/small.h"
#include "glcm/measure/glcm_measure.h"
#include <rugose/devices.h>

/* Rows of a batch at most, 20 MB, and regions of it per thread: so many that threads
 * seldom wait for each other. */
#define BATCH_ROWS    ((size_t)1 << 16)
#define BATCH_REGIONS 256

/* `auto` takes no device: no measurement shows that one is faster than the processor,
 * which counts a pair in a few nanoseconds and has to cut regions out and to finish
 * features in any case. */
static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_glcm_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_glcm_cpu, NULL},
};

/* Regions of a batch at most. */
static size_t batch_max(const rug_context *ctx, const rugi_glcm_plan *plan)
{
    size_t n = BATCH_ROWS / plan->n_rows;
    n = rugi_smaller(n, BATCH_REGIONS * (size_t)rug_context_threads(ctx));
    n = rugi_smaller(n, plan->n_regions);
    return rugi_larger(n, 1);
}

/* Regions of the batch that begins with region `first`: a large region is alone. */
static size_t batch_size(const rugi_glcm_plan *plan, size_t first, size_t most)
{
    size_t n = 0;
    while (first + n < plan->n_regions && n < most &&
           rugi_glcm_area(plan, first + n) < RUGI_GLCM_LARGE)
        n++;
    return rugi_larger(n, 1);
}

static rug_status measure(rug_context *ctx, rugi_glcm_job *job, size_t most,
                          rug_glcm_row_fn fn, void *user)
{
    const rugi_glcm_plan *plan = job->plan;
    rug_status status = RUG_OK;
    double n = (double)plan->n_regions;
    for (; job->first < plan->n_regions && status == RUG_OK; job->first += job->n) {
        job->n = batch_size(plan, job->first, most);
        RUGI_PHASE(
            ctx, (double)job->first / n, (double)(job->first + job->n) / n, status,
            rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], job));
        for (size_t i = 0; i < job->n * plan->n_rows && status == RUG_OK; i++)
            status = fn(user, &job->rows[i]);
    }
    return status;
}

static const rug_glcm_options defaults = RUG_GLCM_OPTIONS_INIT;

rug_status rug_glcm_check_options(rug_context *ctx, const rug_glcm_options *opts)
{
    if (ctx == NULL)
        return RUG_E_ARG;
    rug_status status = rugi_glcm_check_options(ctx, opts != NULL ? opts : &defaults);
    return status == RUG_OK && !rug_devices_built_in()
               ? rugi_engine_cpu_only(ctx, "co-occurrence")
               : status;
}

rug_status rug_glcm(rug_context *ctx, const rug_image *image,
                    const rug_glcm_options *opts, rug_glcm_row_fn fn, void *user)
{
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm: NULL given");
    opts = opts != NULL ? opts : &defaults;
    rug_status status = rug_glcm_check_options(ctx, opts);
    if (status != RUG_OK)
        return status;
    rugi_glcm_plan plan;
    rugi_glcm_job job = {.plan = &plan};
    size_t most = 0;
    RUGI_PHASE(ctx, 0, 0.1, status, rugi_glcm_plan_new(ctx, &plan, image, opts, 0));
    if (status == RUG_OK) {
        most = batch_max(ctx, &plan);
        job.rows = rug_context_allocate(ctx, most * plan.n_rows, sizeof *job.rows,
                                        "rows of regions");
        status = job.rows != NULL ? rugi_glcm_workers_new(ctx, &job.workers, most)
                                  : RUG_E_NOMEM;
    }
    RUGI_PHASE(ctx, 0.1, 1, status, measure(ctx, &job, most, fn, user));
    rugi_glcm_workers_free(ctx, job.workers);
    rug_context_release(ctx, job.rows);
    rugi_glcm_plan_free(ctx, &plan);
    return status;
}
