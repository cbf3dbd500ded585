/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Coding an image: what is asked for is checked, planned, coded and put into a stream. */

#include "ifs/encode/ifs_coded.h"
#include <string.h>

rug_status rug_ifs_check_options(rug_context *ctx, const rug_ifs_options *opts)
{
    rugi_ifs_plan plan;
    return ctx == NULL ? RUG_E_ARG : rugi_ifs_plan_make(ctx, &plan, opts);
}

static rug_status write_stream(rug_context *ctx, rug_ifs_stream *out,
                               const rugi_ifs_coded *coded)
{
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    memset(parts, 0, sizeof parts);
    for (int i = 0; i < coded->header.n_planes; i++) {
        parts[i].bytes = coded->planes[i].bytes;
        parts[i].n = coded->planes[i].n_bytes;
    }
    return rugi_ifs_container_write(ctx, out, &coded->header, parts);
}

static rug_status code_tree(rug_context *ctx, rugi_ifs_coded *coded,
                            const rugi_ifs_plan *plan, const rugi_ifs_image *image)
{
    rugi_ifs_tables *tables =
        rug_context_allocate(ctx, 1, sizeof *tables, "tables of fractal coding");
    if (tables == NULL)
        return RUG_E_NOMEM;
    rugi_ifs_tables_make(ctx, tables);
    rug_status status = rugi_ifs_code_to_target(ctx, coded, plan, tables, image);
    rug_context_release(ctx, tables);
    return status;
}

static rug_status code(rug_context *ctx, rugi_ifs_coded *coded, const rug_image *planes,
                       int n_planes, const rug_ifs_options *opts)
{
    rugi_ifs_plan plan;
    rugi_ifs_image image;
    rug_status status = rugi_ifs_plan_make(ctx, &plan, opts);
    if (status == RUG_OK)
        status = rugi_ifs_check_views(ctx, planes, n_planes);
    if (status != RUG_OK)
        return status;
    if (plan.partition != RUG_IFS_QUADTREE)
        return rugi_ifs_code_blocks(ctx, coded, &plan, opts, planes, n_planes);
    rugi_phase outer = rugi_ifs_quiet(ctx, 0);
    status = rugi_ifs_image_read(ctx, &image, planes, n_planes);
    rugi_phase_leave(ctx, outer);
    if (status == RUG_OK)
        status = code_tree(ctx, coded, &plan, &image);
    rugi_ifs_image_free(ctx, &image);
    return status;
}

rug_status rug_ifs_compress(rug_context *ctx, rug_ifs_stream *out,
                            const rug_image *planes, int n_planes,
                            const rug_ifs_options *opts)
{
    rugi_ifs_coded coded;
    memset(&coded, 0, sizeof coded);
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "NULL is given, expected %s",
                                ctx == NULL ? "a context" : "a stream to fill");
    rug_status status = code(ctx, &coded, planes, n_planes, opts);
    if (status == RUG_OK)
        status = write_stream(ctx, out, &coded);
    rugi_ifs_coded_free(ctx, &coded);
    return status;
}
