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

static rug_status merge_parts(rug_context *ctx, void *state, const void *other)
{
    return rug_boxcount_merge(ctx, state, other);
}

static rug_status save_parts(rug_context *ctx, uint8_t **bytes, size_t *n,
                             const void *state)
{
    return rug_boxcount_parts_save(ctx, bytes, n, state);
}

static rug_status load_parts(rug_context *ctx, void **state, const uint8_t *bytes,
                             size_t n)
{
    rug_boxcount_parts *parts;
    rug_status status = rug_boxcount_parts_load(ctx, &parts, bytes, n);
    *state = parts;
    return status;
}

static void free_parts(void *state)
{
    rug_boxcount_parts_free(state);
}

rug_status cli_boxcount_in_parts(cli_run *run, const cli_image *image,
                                 const rug_boxcount_options *opts,
                                 rug_boxcount_result **out)
{
    static const cli_state_kind kind = {.name = "boxcount",
                                        .begin = begin_parts,
                                        .add = add_part,
                                        .merge = merge_parts,
                                        .save = save_parts,
                                        .load = load_parts,
                                        .free = free_parts};
    void *state;
    *out = NULL;
    rug_status status = cli_measure_state(run, image, &kind, opts, 0, &state);
    if (state != NULL)
        status = rug_boxcount_parts_finish(run->ctx, out, state);
    free_parts(state);
    return status;
}
