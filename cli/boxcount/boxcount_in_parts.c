/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of an image that is measured in parts. */

#include "cmd_boxcount.h"
#include "parts/parts.h"

static rug_status begin_parts(rug_context *ctx, void **state, const cli_image *image,
                              const void *opts)
{
    rug_boxcount_parts *parts;
    rug_status status = rug_boxcount_parts_new(ctx, &parts, image->source.ndim,
                                               image->source.shape, opts);
    *state = parts;
    return status;
}

static rug_status add_part(rug_context *ctx, void *state, const rug_image *slab,
                           const rug_image *mask, const rug_image *labels,
                           const cli_where *where)
{
    (void)labels;
    return rug_boxcount_parts_add(ctx, state, slab, mask, where->first);
}

CLI_STATE_CALLS(rug_boxcount_parts, rug_boxcount_merge, rug_boxcount_parts_save,
                rug_boxcount_parts_load, rug_boxcount_parts_free)

rug_status cli_boxcount_in_parts(cli_run *run, const cli_image *image,
                                 const rug_boxcount_options *opts,
                                 rug_boxcount_result **out)
{
    static const cli_state_kind kind = {
        .name = "boxcount", .begin = begin_parts, .add = add_part, CLI_STATE_MEMBERS};
    void *state;
    *out = NULL;
    rug_status status = cli_measure_state(run, image, &kind, opts, 0, &state);
    if (state != NULL)
        status = rug_boxcount_parts_finish(run->ctx, out, state);
    free_state(state);
    return status;
}
