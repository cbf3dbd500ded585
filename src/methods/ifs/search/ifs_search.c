/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The exact search and its engines. */

#include "ifs_search.h"
#include "core/context/engine.h"
#include "ifs_search_engine.h"
#include "ifs_search_exact.h"
#include <string.h>

static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_ifs_search_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_ifs_search_cpu, NULL},
};

/* The share of a search that its plan is. */
#define PLAN_SHARE 0.1

static rug_status run(rug_context *ctx, const rugi_ifs_search_plan *plan,
                      rugi_ifs_search_job *job)
{
    rugi_ifs_best *best =
        rug_context_allocate(ctx, plan->n_ranges, sizeof *best, "matches of ranges");
    if (best == NULL)
        return RUG_E_NOMEM;
    memset(best, 0, plan->n_ranges * sizeof *best);
    rugi_ifs_search_task task = {.plan = plan, .best = best};
    rug_status status =
        rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], &task);
    job->engine = task.engine;
    for (size_t i = 0; i < plan->n_ranges && status == RUG_OK; i++)
        rugi_ifs_finish(plan, &plan->ranges[i], &best[i]);
    rug_context_release(ctx, best);
    return status;
}

rug_status rugi_ifs_search(rug_context *ctx, rugi_ifs_search_job *job)
{
    rugi_ifs_search_plan plan;
    job->engine = "none";
    rugi_phase outer = rugi_phase_enter(ctx, 0, PLAN_SHARE);
    rug_status status = rugi_ifs_search_plan_make(ctx, &plan, job);
    rugi_phase_leave(ctx, outer);
    if (status == RUG_OK)
        rugi_ifs_finish_flat(&plan);
    outer = rugi_phase_enter(ctx, PLAN_SHARE, 1);
    if (status == RUG_OK && plan.n_ranges > 0 && plan.n_domains > 0)
        status = run(ctx, &plan, job);
    rugi_phase_leave(ctx, outer);
    rugi_ifs_search_plan_free(ctx, &plan);
    return status;
}
