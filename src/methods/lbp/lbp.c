/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns: the public functions, for an image, for the planes of a volume and
 * for a source. They check what they are given; lbp_run.c does the work. */

#include "core/context/sized.h"
#include "core/image/image_internal.h"
#include "core/image/source_internal.h"
#include "lbp/run/lbp_planes.h"
#include "lbp/run/lbp_stream.h"
#include <string.h>

/* What goes with an image in memory. */
typedef struct twins {
    rugi_twin mask, labels;
} twins;

static rug_status open_twins(rug_context *ctx, twins *t, const rug_image *image,
                             const rug_lbp_options *opts)
{
    rug_status status = rugi_twin_open(ctx, &t->mask, opts->mask, "mask", image);
    return status == RUG_OK
               ? rugi_twin_open(ctx, &t->labels, opts->labels, "label image", image)
               : status;
}

static void close_twins(rug_context *ctx, twins *t)
{
    rugi_twin_close(ctx, &t->mask);
    rugi_twin_close(ctx, &t->labels);
}

/* ---- An image or a volume ---- */

static rug_status run_image(rug_context *ctx, rug_lbp_result **out,
                            const rugi_lbp_planes views[3], const rug_lbp_options *opts,
                            rug_regions *regions)
{
    const rug_image *image = &views[0].volume;
    rugi_lbp_run run = {.opts = opts,
                        .nx = image->shape[2],
                        .ny = image->shape[1],
                        .has_mask = opts->mask != NULL,
                        .regions = regions};
    rug_status status = rugi_lbp_run_begin(ctx, &run);
    const rugi_box all = {{0, 0, 0}, {image->shape[0], image->shape[1], image->shape[2]}};
    if (status == RUG_OK)
        status = rugi_lbp_run_planes(ctx, &run, image, &views[1].volume, &all);
    if (status == RUG_OK) {
        rugi_lbp_result_close(run.result);
        *out = run.result;
    } else {
        rug_lbp_free(run.result);
    }
    rugi_lbp_run_end(ctx, &run);
    return status;
}

/* The part of a call that finding the regions of labels is. */
#define LABELS_SHARE 0.2

static rug_status code(rug_context *ctx, rug_lbp_result **out, const rug_image *image,
                       const twins *t, const rug_lbp_options *opts)
{
    const rug_image *given[3] = {image, t->mask.image, t->labels.image};
    rugi_lbp_planes views[3] = {{.unpacked = NULL}};
    rug_regions *regions = NULL;
    rug_status status = RUG_OK;
    for (int i = 0; i < 3 && status == RUG_OK; i++)
        if (given[i] != NULL)
            status = rugi_lbp_planes_make(ctx, &views[i], given[i], opts->planes, 0);
    double share = given[2] != NULL ? LABELS_SHARE : 0;
    if (given[2] != NULL)
        RUGI_PHASE(ctx, 0, share, status,
                   rugi_lbp_find_regions(ctx, &regions, &views[2].volume, given[2]));
    RUGI_PHASE(ctx, share, 1, status, run_image(ctx, out, views, opts, regions));
    rug_regions_free(regions);
    for (int i = 0; i < 3; i++)
        rug_context_release(ctx, views[i].unpacked);
    return status;
}

/* rug_lbp() with options of our own. */
static rug_status code_image(rug_context *ctx, rug_lbp_result **out,
                             const rug_image *image, const rug_lbp_options *opts)
{
    twins t = {.mask = {.image = NULL}};
    rug_status status = rugi_image_check(ctx, image);
    if (status == RUG_OK)
        status = rugi_lbp_check_planes(ctx, image->ndim, opts->planes);
    if (status == RUG_OK)
        status = rug_lbp_check_options(ctx, opts);
    RUGI_PHASE(ctx, 0, 0, status, open_twins(ctx, &t, image, opts));
    if (status == RUG_OK)
        status = code(ctx, out, image, &t, opts);
    close_twins(ctx, &t);
    return status;
}

rug_status rug_lbp(rug_context *ctx, rug_lbp_result **out, const rug_image *image,
                   const rug_lbp_options *opts)
{
    rug_lbp_options own = RUG_LBP_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp: NULL given");
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_lbp_options");
    return status == RUG_OK ? code_image(ctx, out, image, &own) : status;
}

/* ---- A source ---- */

/* rug_lbp_source() of a source that is not in memory. */
static rug_status code_source(rug_context *ctx, rug_lbp_result **out,
                              const rug_source *source, const rug_lbp_options *opts)
{
    rug_source own_mask, own_labels;
    const rug_source *mask, *labels = NULL;
    rug_regions *regions = NULL;
    if (source->ndim != 2 || opts->planes != RUG_LBP_PLANES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "planes of a volume are coded only in memory: read the "
                                "whole volume");
    rug_status status = rug_lbp_check_options(ctx, opts);
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &own_mask, &mask, opts->mask, "mask", source);
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &own_labels, &labels, opts->labels,
                                       "label image", source);
    double share = labels != NULL ? LABELS_SHARE : 0;
    if (labels != NULL)
        RUGI_PHASE(ctx, 0, share, status, rug_regions_find_source(ctx, &regions, labels));
    RUGI_PHASE(ctx, share, 1, status,
               rugi_lbp_run_source(ctx, out, source, mask, regions, opts));
    rug_regions_free(regions);
    return status;
}

rug_status rug_lbp_source(rug_context *ctx, rug_lbp_result **out,
                          const rug_source *source, const rug_lbp_options *opts)
{
    rug_lbp_options own = RUG_LBP_OPTIONS_INIT;
    rug_source from;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_source: NULL given");
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_lbp_options");
    if (status == RUG_OK)
        status = rugi_source_take(ctx, &from, source, "source");
    if (status != RUG_OK)
        return status;
    return rugi_source_is_memory(&from) ? code_image(ctx, out, from.user, &own)
                                        : code_source(ctx, out, &from, &own);
}
