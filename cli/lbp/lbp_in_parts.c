/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns of an image that is measured in parts: of a volume, those of all its planes
 * are measured in one pass. */

#include "cmd_lbp.h"
#include "parts/parts.h"
#include "shared/twin.h"
#include <stdlib.h>
#include <string.h>

/* States of planes, one after the other. */
typedef struct patterns {
    size_t n;
    rug_lbp_parts *of[CLI_LBP_N_PLANES];
} patterns;

/* The planes of one, and its options. */
typedef struct parts_options {
    rug_lbp_options options; /* but for the planes */
    int first, n;            /* planes; see cli_lbp_job */
} parts_options;

void cli_lbp_free_parts(void *state)
{
    patterns *p = state;
    for (size_t i = 0; p != NULL && i < p->n; i++)
        rug_lbp_parts_free(p->of[i]);
    free(p);
}

static patterns *new_patterns(rug_context *ctx)
{
    patterns *p = calloc(1, sizeof *p);
    if (p == NULL)
        rug_context_fail(ctx, RUG_E_NOMEM, "no memory for an image in parts");
    return p;
}

static rug_status end_new(void **state, patterns *p, rug_status status)
{
    *state = status == RUG_OK ? p : NULL;
    if (status != RUG_OK)
        cli_lbp_free_parts(p);
    return status;
}

static rug_status begin_parts(rug_context *ctx, void **state, const cli_image *image,
                              const void *opts)
{
    const parts_options *o = opts;
    rug_lbp_options options = o->options;
    patterns *p = new_patterns(ctx);
    rug_status status = p != NULL ? RUG_OK : RUG_E_NOMEM;
    for (int i = 0; i < o->n && status == RUG_OK; i++) {
        options.planes = (rug_lbp_planes)(o->first + i);
        status = rug_lbp_parts_new(ctx, &p->of[p->n], image->source.dtype,
                                   image->source.ndim, image->source.shape, &options);
        p->n += status == RUG_OK ? 1 : 0;
    }
    return end_new(state, p, status);
}

static rug_status add_part(rug_context *ctx, void *state, const rug_image *slab,
                           const rug_image *mask, const rug_image *labels,
                           const cli_where *where)
{
    const size_t first[RUG_MAX_AXES] = {where->own_first, 0, 0};
    const size_t shape[RUG_MAX_AXES] = {where->own_end - where->own_first, slab->shape[1],
                                        slab->shape[2]};
    const patterns *p = state;
    rug_status status = RUG_OK;
    for (size_t i = 0; i < p->n && status == RUG_OK; i++)
        status = rug_lbp_parts_add(ctx, p->of[i], slab, mask, labels, where->first, first,
                                   shape);
    return status;
}

static rug_status merge_state(rug_context *ctx, void *state, const void *other)
{
    const patterns *p = state, *o = other;
    rug_status status = RUG_OK;
    if (p->n != o->n)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "merge: patterns of %zu planes given, of %zu expected",
                                o->n, p->n);
    for (size_t i = 0; i < p->n && status == RUG_OK; i++)
        status = rug_lbp_merge(ctx, p->of[i], o->of[i]);
    return status;
}

/* Bytes of the length of a state, before it. */
#define LENGTH_BYTES 8

static rug_status save_state(rug_context *ctx, uint8_t **bytes, size_t *n,
                             const void *state)
{
    const patterns *p = state;
    uint8_t *of[CLI_LBP_N_PLANES] = {NULL};
    size_t length[CLI_LBP_N_PLANES] = {0};
    rug_status status = RUG_OK;
    *n = 0;
    for (size_t i = 0; i < p->n && status == RUG_OK; i++) {
        status = rug_lbp_parts_save(ctx, &of[i], &length[i], p->of[i]);
        *n += LENGTH_BYTES + length[i];
    }
    *bytes = NULL;
    if (status == RUG_OK) {
        *bytes = rug_context_allocate(ctx, *n, 1, "states of planes");
        status = *bytes != NULL ? RUG_OK : RUG_E_NOMEM;
    }
    for (size_t i = 0, at = 0; i < p->n; i++) {
        for (unsigned k = 0; k < LENGTH_BYTES && status == RUG_OK; k++)
            (*bytes)[at++] = (uint8_t)((uint64_t)length[i] >> 8 * k);
        if (status == RUG_OK)
            memcpy(*bytes + at, of[i], length[i]);
        at += length[i];
        rug_context_release(ctx, of[i]);
    }
    return status;
}

static rug_status load_state(rug_context *ctx, void **state, const uint8_t *bytes,
                             size_t n)
{
    patterns *p = new_patterns(ctx);
    rug_status status = p != NULL ? RUG_OK : RUG_E_NOMEM;
    while (n > 0 && status == RUG_OK) {
        uint64_t length = 0;
        for (unsigned k = 0; k < LENGTH_BYTES && n >= LENGTH_BYTES; k++)
            length |= (uint64_t)bytes[k] << 8 * k;
        if (n < LENGTH_BYTES || length > n - LENGTH_BYTES || p->n == CLI_LBP_N_PLANES)
            return end_new(
                state, p,
                rug_context_fail(ctx, RUG_E_FORMAT,
                                 "states of planes: they end too early, or are "
                                 "more than %d; save them again",
                                 CLI_LBP_N_PLANES));
        status =
            rug_lbp_parts_load(ctx, &p->of[p->n], bytes + LENGTH_BYTES, (size_t)length);
        p->n += status == RUG_OK ? 1 : 0;
        bytes += LENGTH_BYTES + length;
        n -= LENGTH_BYTES + (size_t)length;
    }
    return end_new(state, p, status);
}

rug_status cli_lbp_measure_parts(cli_run *run, const cli_image *image,
                                 const cli_lbp_job *job, cli_labels *labels, void **state)
{
    static const cli_state_kind kind = {.name = "lbp",
                                        .begin = begin_parts,
                                        .add = add_part,
                                        .merge = merge_state,
                                        .save = save_state,
                                        .load = load_state,
                                        .free = cli_lbp_free_parts};
    parts_options o = {.options = job->plan.options,
                       .first = job->planes == CLI_LBP_PLANES_ALL ? 1 : job->planes,
                       .n = job->planes == CLI_LBP_PLANES_ALL ? CLI_LBP_N_PLANES : 1};
    cli_image with = *image;
    int across = image->source.ndim == 2 || job->planes != RUG_LBP_PLANES_XY;
    o.options.leave_out_nan = image->facts->has_nodata ? 1 : 0; /* no part knows of all */
    o.options.mask = image->mask_path != NULL ? &image->mask : NULL;
    if (labels->path != NULL) {
        with.labels = labels;
        o.options.labels = &labels->twin.source;
    }
    return cli_measure_state(run, &with, &kind, &o,
                             across ? rug_lbp_reach(&o.options) : 0, state);
}

rug_status cli_lbp_finish_parts(cli_run *run, const void *state, size_t i,
                                rug_lbp_result **out)
{
    const patterns *p = state;
    *out = NULL;
    return i < p->n ? rug_lbp_parts_finish(run->ctx, out, p->of[i])
                    : rug_context_fail(run->ctx, RUG_E_FORMAT,
                                       "states of %zu planes given, more expected", p->n);
}
