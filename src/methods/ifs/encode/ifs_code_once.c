/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* All planes of an image with one Δ: trees, bytes, and what a decoder makes of them. */

#include "core/context/context_internal.h"
#include "ifs_coded.h"
#include "ifs/decode/ifs_decoder.h"
#include <string.h>

/* Strengths of deblocking that are tried. */
static const int strengths[] = {0, 2, 4, 6};

/* One coding at work. */
typedef struct coding {
    rug_context *ctx;
    const rugi_ifs_plan *plan;
    const rugi_ifs_tables *tables;
    const rugi_ifs_image *image;
    rugi_ifs_coded *coded;
    rugi_ifs_tree trees[RUG_IFS_PLANES_MAX];
    int32_t *decoded[RUG_IFS_PLANES_MAX], *smooth[RUG_IFS_PLANES_MAX];
} coding;

void rugi_ifs_coded_free(rug_context *ctx, rugi_ifs_coded *coded)
{
    for (int i = 0; i < RUG_IFS_PLANES_MAX; i++)
        rug_context_release(ctx, coded->planes[i].bytes);
    memset(coded, 0, sizeof *coded);
}

static void make_header(coding *c, uint32_t delta)
{
    const rugi_ifs_image *image = c->image;
    c->coded->header = (rugi_ifs_header){
        .partition = RUG_IFS_QUADTREE,
        .n_planes = image->n_planes,
        .depth = image->depth,
        .is_ycocg = image->n_planes == 3,
        .has_residual = c->plan->has_residual,
        .nx = image->nx,
        .ny = image->ny,
        .step = rugi_ifs_plan_step(c->plan, image->planes[0].nx, image->planes[0].ny),
        .iterations = 1,
    };
    for (int i = 0; i < image->n_planes; i++) {
        uint32_t of_plane = rugi_ifs_delta_of_plane(delta, image->n_planes, i);
        if (image->planes[i].min == image->planes[i].max)
            of_plane = 1; /* a flat plane costs nothing and is exact */
        c->coded->header.delta[i] =
            of_plane < RUGI_IFS_DELTA_MAX ? of_plane : RUGI_IFS_DELTA_MAX;
    }
}

static rug_status write_plane(coding *c, int plane)
{
    rugi_ifs_coder *coder = &c->coded->planes[plane];
    rugi_ifs_write_begin(coder, c->ctx);
    rugi_phase outer = rugi_ifs_quiet(c->ctx, 0.95 * (plane + 1) / c->image->n_planes);
    rug_status status = rugi_ifs_write_tree(c->ctx, coder, &c->trees[plane]);
    rugi_phase_leave(c->ctx, outer);
    if (status == RUG_OK)
        rugi_ifs_write_end(coder);
    return status == RUG_OK && coder->failed ? RUG_E_NOMEM : status;
}

static rug_status code_plane(coding *c, int plane)
{
    rugi_ifs_header *header = &c->coded->header;
    rugi_ifs_frame frame = rugi_ifs_frame_of(header, plane);
    uint32_t iterations;
    int n = c->image->n_planes;
    rugi_phase outer = rugi_phase_enter(c->ctx, 0.95 * plane / n, 0.95 * (plane + 1) / n);
    rug_status status =
        rugi_ifs_encode(c->ctx, &c->trees[plane], &iterations, c->tables,
                        &c->image->planes[plane], &frame, &c->plan->effort);
    rugi_phase_leave(c->ctx, outer);
    if (status != RUG_OK)
        return status;
    if (iterations > header->iterations)
        header->iterations = iterations;
    return write_plane(c, plane);
}

static rug_status decode_plane(coding *c, int plane)
{
    const rugi_ifs_frame *frame = &c->trees[plane].frame;
    size_t n = (size_t)frame->nx * frame->ny;
    rugi_ifs_decoding decoding = {.iterations = c->coded->header.iterations};
    c->decoded[plane] =
        rug_context_allocate(c->ctx, n, sizeof(int32_t), "decoded planes");
    c->smooth[plane] = rug_context_allocate(c->ctx, n, sizeof(int32_t), "decoded planes");
    if (c->decoded[plane] == NULL || c->smooth[plane] == NULL)
        return RUG_E_NOMEM;
    return rugi_ifs_decode_tree(c->ctx, c->decoded[plane], &c->trees[plane], &decoding);
}

static rug_status try_strength(coding *c, int strength, double *error)
{
    rug_status status = RUG_OK;
    for (int i = 0; i < c->image->n_planes && status == RUG_OK; i++) {
        const rugi_ifs_frame *frame = &c->trees[i].frame;
        memcpy(c->smooth[i], c->decoded[i],
               (size_t)frame->nx * frame->ny * sizeof(int32_t));
        if (strength > 0)
            status = rugi_ifs_deblock(c->ctx, c->smooth[i], &c->trees[i], 0, strength);
    }
    if (status == RUG_OK)
        status = rugi_ifs_squared_error(c->ctx, error, c->image, c->smooth);
    return status;
}

/* The strength that leaves the least error; 0 where smoothing hurts. */
static rug_status choose_strength(coding *c)
{
    for (size_t i = 0; i < sizeof strengths / sizeof strengths[0]; i++) {
        double error;
        rug_status status = try_strength(c, strengths[i], &error);
        if (status != RUG_OK)
            return status;
        if (i > 0 && !(error < c->coded->squared_error))
            break;
        c->coded->squared_error = error;
        c->coded->header.deblock = strengths[i];
    }
    return RUG_OK;
}

static rug_status run(coding *c)
{
    rug_status status = RUG_OK;
    size_t n[RUG_IFS_PLANES_MAX] = {0};
    for (int i = 0; i < c->image->n_planes && status == RUG_OK; i++) {
        status = code_plane(c, i);
        n[i] = c->coded->planes[i].n_bytes;
    }
    rugi_phase outer = rugi_ifs_quiet(c->ctx, 0.95);
    for (int i = 0; i < c->image->n_planes && status == RUG_OK; i++)
        status = decode_plane(c, i);
    if (status == RUG_OK)
        status = choose_strength(c);
    rugi_phase_leave(c->ctx, outer);
    c->coded->n_bytes = rugi_ifs_container_size(&c->coded->header, n);
    return status;
}

rug_status rugi_ifs_code_once(rug_context *ctx, rugi_ifs_coded *coded,
                              const rugi_ifs_plan *plan, const rugi_ifs_tables *tables,
                              const rugi_ifs_image *image, uint32_t delta)
{
    coding c = {
        .ctx = ctx, .plan = plan, .tables = tables, .image = image, .coded = coded};
    memset(coded, 0, sizeof *coded);
    make_header(&c, delta);
    rug_status status = run(&c);
    for (int i = 0; i < RUG_IFS_PLANES_MAX; i++) {
        rugi_ifs_tree_free(ctx, &c.trees[i]);
        rug_context_release(ctx, c.decoded[i]);
        rug_context_release(ctx, c.smooth[i]);
    }
    if (status != RUG_OK)
        rugi_ifs_coded_free(ctx, coded);
    return status;
}
