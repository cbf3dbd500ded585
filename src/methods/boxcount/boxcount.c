/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting of an image in memory: checks what is given and resolves the foreground,
 * once, into a job that everything below only reads. */

#include "boxcount/count/boxcount_count.h"
#include "boxcount/result/boxcount_result.h"
#include "core/context/context_internal.h"
#include "core/image/source_internal.h"

/* The part of the work of a rule that has yet to be found. */
#define PLAN_SHARE 0.8

/* Counts with a rule that is resolved, and the mask in memory. */
static rug_status count(rug_context *ctx, rug_boxcount_result **out,
                        const rug_image *image, const rug_image *mask,
                        const rug_boxcount_options *opts, rug_foreground rule)
{
    rug_boxcount_result *result;
    rug_status status =
        rugi_boxcount_begin(ctx, &result, image->ndim, image->shape, opts);
    if (status != RUG_OK)
        return status;
    result->facts.foreground = rule;
    rugi_boxcount_job job = {.image = image,
                             .mask = mask,
                             .is_set = rugi_predicate_make(image->dtype, rule),
                             .method = result->facts.method};
    status = rugi_boxcount_count(ctx, result, &job);
    return rugi_boxcount_hand_over(ctx, out, result, status);
}

static rug_status resolve_and_count(rug_context *ctx, rug_boxcount_result **out,
                                    const rug_image *image, const rug_image *mask,
                                    const rug_boxcount_options *opts)
{
    rug_foreground rule;
    rug_status status = RUG_OK;
    double plan_share = rugi_rule_is_open(opts->foreground) ? PLAN_SHARE : 0;
    RUGI_PHASE(ctx, 0, plan_share, status,
               rugi_image_resolve_foreground(ctx, &rule, image, mask, opts->foreground));
    RUGI_PHASE(ctx, plan_share, 1, status, count(ctx, out, image, mask, opts, rule));
    return status;
}

rug_status rug_boxcount(rug_context *ctx, rug_boxcount_result **out,
                        const rug_image *image, const rug_boxcount_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount: NULL given");
    rug_boxcount_options own;
    rugi_twin mask = {0};
    rug_status status = rugi_boxcount_take(ctx, &own, opts);
    if (status == RUG_OK)
        status = rugi_image_check(ctx, image);
    if (status == RUG_OK)
        status = rugi_twin_open(ctx, &mask, own.mask, "mask", image);
    if (status == RUG_OK)
        status = resolve_and_count(ctx, out, image, mask.image, &own);
    rugi_twin_close(ctx, &mask);
    return status;
}

rug_status rug_boxcount_check_options(rug_context *ctx, const rug_boxcount_options *opts)
{
    rug_boxcount_options own;
    return ctx != NULL ? rugi_boxcount_take(ctx, &own, opts) : RUG_E_ARG;
}
