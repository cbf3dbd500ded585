/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns of a source, which is read once. */

#include "lbp_stream.h"
#include "core/image/source_internal.h"

static rug_status run_source(rug_context *ctx, rug_lbp_result **out,
                             const rug_source *source, const rug_source *mask,
                             const rug_lbp_options *opts)
{
    rugi_lbp_stream s;
    rug_status status = rugi_lbp_stream_begin(ctx, &s, source, mask, opts);
    if (status == RUG_OK)
        status = rugi_source_for_slabs(ctx, source, mask, rugi_lbp_stream_add, &s);
    if (status == RUG_OK) {
        rugi_lbp_result_close(s.run.result);
        *out = s.run.result;
    } else {
        rug_lbp_free(s.run.result);
    }
    rugi_lbp_stream_end(ctx, &s);
    return status;
}

static rug_status check(rug_context *ctx, const rug_source *source,
                        const rug_source *mask, const rug_lbp_options *opts)
{
    rug_status status = rugi_source_check(ctx, source, mask);
    if (status == RUG_OK)
        status = rug_lbp_check_options(ctx, opts);
    if (status != RUG_OK)
        return status;
    if (source->ndim != 2 || opts->planes != RUG_LBP_PLANES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "planes of a volume are coded when it is in memory: read "
                                "it whole, and its mask");
    if (opts->labels != NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "labels are counted when the image is in memory: read it "
                                "whole, and its mask");
    return RUG_OK;
}

rug_status rug_lbp_source(rug_context *ctx, rug_lbp_result **out,
                          const rug_source *source, const rug_source *mask,
                          const rug_lbp_options *opts)
{
    static const rug_lbp_options defaults = RUG_LBP_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || source == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_source: NULL given");
    if (opts == NULL)
        opts = &defaults;
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_lbp_options"))
        return RUG_E_ARG;
    rug_lbp_options o = *opts;
    o.mask = NULL;
    if (rugi_source_is_memory(source) && (mask == NULL || rugi_source_is_memory(mask))) {
        o.mask = mask != NULL ? mask->user : NULL;
        return rug_lbp(ctx, out, source->user, &o);
    }
    rug_status status = check(ctx, source, mask, &o);
    return status == RUG_OK ? run_source(ctx, out, source, mask, &o) : status;
}
