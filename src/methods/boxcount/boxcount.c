/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting: checks the options, plans, picks an engine and fills the result. */

#include "boxcount_plan.h"
#include "context_internal.h"
#include "engine.h"
#include <string.h>

/* The part of the work of a rule that has yet to be found. */
#define PLAN_SHARE 0.8

static const rugi_engine engines[] = {
    {"cpu", RUGI_DEVICE_CPU, rugi_boxcount_cpu},
};

static rug_status check_options(rug_context *ctx, const rug_boxcount_options *opts)
{
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_boxcount_options"))
        return RUG_E_ARG;
    if (opts->method != RUG_BOXCOUNT_AUTO && opts->method != RUG_BOXCOUNT_PYRAMID)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "box counting method %d given, 0..%d expected",
                                (int)opts->method, RUG_BOXCOUNT_PYRAMID);
    return RUG_OK;
}

static void describe(rug_boxcount_result *result, const rug_image *img,
                     const rugi_boxcount_plan *plan)
{
    result->ndim = img->ndim;
    for (int a = 0; a < img->ndim; a++)
        result->shape[a] = img->shape[a];
    result->foreground = plan->foreground;
    result->method = "pyramid";
    result->n_sizes = plan->n_sizes;
}

/* The columns of the table that follow from nonempty and black. */
static void complete_counts(rug_boxcount_result *result)
{
    for (uint32_t i = 0; i < result->n_sizes; i++) {
        rug_box_count *c = &result->counts[i];
        c->size = (uint64_t)1 << i;
        c->total = 1;
        for (int a = 0; a < result->ndim; a++)
            c->total *= (result->shape[a] - 1) / c->size + 1;
        c->gray = c->nonempty - c->black;
        c->white = c->total - c->nonempty;
    }
}

rug_status rug_boxcount(rug_context *ctx, rug_boxcount_result *out, const rug_image *img,
                        const rug_boxcount_options *opts)
{
    static const rug_boxcount_options defaults = RUG_BOXCOUNT_OPTIONS_INIT;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check_options(ctx, opts);
    if (status != RUG_OK)
        return status;
    rugi_boxcount_plan plan;
    double plan_share = opts->foreground.kind <= RUG_FOREGROUND_OTSU ? PLAN_SHARE : 0;
    rugi_phase outer = rugi_phase_enter(ctx, 0, plan_share);
    status = rugi_boxcount_make_plan(ctx, &plan, img, opts);
    rugi_phase_leave(ctx, outer);
    if (status != RUG_OK)
        return status;
    describe(out, img, &plan);
    rugi_boxcount_job job = {&plan, out};
    outer = rugi_phase_enter(ctx, plan_share, 1);
    status = rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], &job);
    rugi_phase_leave(ctx, outer);
    if (status != RUG_OK)
        memset(out, 0, sizeof *out);
    else
        complete_counts(out);
    return status;
}
