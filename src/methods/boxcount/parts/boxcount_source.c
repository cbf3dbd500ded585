/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting of a source: its slabs are the parts of a count. */

#include "boxcount/result/boxcount_result.h"
#include "core/image/predicate.h"
#include "core/context/context_internal.h"
#include "core/image/source_internal.h"
#include <rugose/boxcount_parts.h>
#include <string.h>

/* The part of the work of a rule that has yet to be found. */
#define PLAN_SHARE 0.6

static rug_status add_slab(rug_context *ctx, void *parts, const rug_image *slab,
                           const rug_image *mask, size_t first)
{
    const size_t place[RUG_MAX_AXES] = {first, 0, 0};
    return rug_boxcount_parts_add(ctx, parts, slab, mask, place);
}

/* Counts with a rule that is resolved. */
static rug_status count_slabs(rug_context *ctx, rug_boxcount_result *out,
                              const rug_source *source, const rug_source *mask,
                              const rug_boxcount_options *opts)
{
    static const rug_image some_mask;
    rug_boxcount_options o = *opts;
    o.mask = mask != NULL ? &some_mask : NULL;
    rug_boxcount_parts *parts;
    rug_status status =
        rug_boxcount_parts_new(ctx, &parts, source->ndim, source->shape, &o);
    if (status == RUG_OK)
        status = rugi_source_for_slabs(ctx, source, mask, add_slab, parts);
    if (status == RUG_OK)
        status = rug_boxcount_parts_finish(ctx, out, parts);
    rug_boxcount_parts_free(parts);
    return status;
}

rug_status rug_boxcount_source(rug_context *ctx, rug_boxcount_result *out,
                               const rug_source *source, const rug_source *mask,
                               const rug_boxcount_options *opts)
{
    static const rug_boxcount_options defaults = RUG_BOXCOUNT_OPTIONS_INIT;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_source: NULL given");
    rug_boxcount_options o = opts != NULL ? *opts : defaults;
    rug_status status = rugi_boxcount_check(ctx, &o);
    if (status == RUG_OK)
        status = rugi_source_check(ctx, source, mask);
    if (status != RUG_OK)
        return status;
    double plan_share = rugi_rule_is_open(o.foreground) ? PLAN_SHARE : 0;
    rugi_phase outer = rugi_phase_enter(ctx, 0, plan_share);
    status = rug_source_resolve_foreground(ctx, &o.foreground, source, mask, NULL,
                                           o.foreground);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, plan_share, 1);
    if (status == RUG_OK)
        status = count_slabs(ctx, out, source, mask, &o);
    rugi_phase_leave(ctx, outer);
    return status;
}
