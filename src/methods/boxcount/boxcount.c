/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting of an image in memory: checks what is given and resolves the foreground,
 * once, into a job that everything below only reads. */

#include "boxcount/count/boxcount_count.h"
#include "boxcount/result/boxcount_result.h"
#include "core/context/context_internal.h"
#include <string.h>

/* The part of the work of a rule that has yet to be found. */
#define PLAN_SHARE 0.8

static rug_status check(rug_context *ctx, const rug_image *image,
                        const rug_boxcount_options *opts)
{
    rug_status status = rugi_boxcount_check(ctx, opts);
    if (status == RUG_OK)
        status = rugi_image_check(ctx, image);
    return status == RUG_OK && opts->mask != NULL
               ? rugi_image_check_twin(ctx, opts->mask, "mask", image)
               : status;
}

/* Makes a job of what is checked, and begins its result. */
static rugi_boxcount_job make_job(rug_boxcount_result *out, const rug_image *image,
                                  const rug_boxcount_options *opts, rug_foreground rule)
{
    out->foreground = rule;
    return (rugi_boxcount_job){
        .image = image,
        .mask = opts->mask,
        .is_set = rugi_predicate_make(image->dtype, rule),
        .method = rugi_boxcount_begin(out, image->ndim, image->shape, opts)};
}

rug_status rug_boxcount(rug_context *ctx, rug_boxcount_result *out,
                        const rug_image *image, const rug_boxcount_options *opts)
{
    static const rug_boxcount_options defaults = RUG_BOXCOUNT_OPTIONS_INIT;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check(ctx, image, opts);
    if (status != RUG_OK)
        return status;
    rug_foreground rule;
    double plan_share = rugi_rule_is_open(opts->foreground) ? PLAN_SHARE : 0;
    RUGI_PHASE(
        ctx, 0, plan_share, status,
        rugi_image_resolve_foreground(ctx, &rule, image, opts->mask, opts->foreground));
    if (status != RUG_OK)
        return status;
    rugi_boxcount_job job = make_job(out, image, opts, rule);
    RUGI_PHASE(ctx, plan_share, 1, status, rugi_boxcount_count(ctx, out, &job));
    if (status != RUG_OK)
        memset(out, 0, sizeof *out);
    return status;
}

rug_status rug_boxcount_check_options(rug_context *ctx, const rug_boxcount_options *opts)
{
    static const rug_boxcount_options defaults = RUG_BOXCOUNT_OPTIONS_INIT;
    if (ctx == NULL)
        return RUG_E_ARG;
    return rugi_boxcount_check(ctx, opts != NULL ? opts : &defaults);
}
