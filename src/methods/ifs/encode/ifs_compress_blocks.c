/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An image by FIXED or OVERLAP: the transforms of rug_ifs_find(), quantised. */

#include "core/context/context_internal.h"
#include "ifs/decode/ifs_decode.h"
#include "ifs/paper/ifs_paper_code.h"
#include "ifs/stream/ifs_pixel.h"
#include "ifs_encode.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Changes that are none, in 1/64 of a grey level of 8 bits. */
#define NOTHING 8

/* Rounds after which blocks that still move lose their domain. */
#define ROUNDS 6

static const char what[] = "blocks of fractal coding";

static int64_t nearest(double value)
{
    return (int64_t)floor(value + 0.5);
}

static void quantise(rugi_ifs_block *b, const rug_ifs_transform *t,
                     const rugi_ifs_block_frame *f)
{
    int64_t most = RUGI_IFS_BLOCK_MEANS * (((int64_t)1 << f->depth) - 1);
    int64_t mean = nearest(t->mean * RUGI_IFS_BLOCK_MEANS);
    b->mean = (int32_t)(mean < 0 ? 0 : mean > most ? most : mean);
    b->k = 0;
    if (!t->has_domain)
        return;
    b->k = (int8_t)nearest(t->s * RUGI_IFS_BLOCK_SCALES);
    b->domain_x = t->domain_x;
    b->domain_y = t->domain_y;
    b->symmetry = t->symmetry;
}

/* Where no domain fits into the plane: the mean of each block alone. */
static void take_means(rugi_ifs_blocks *blocks, const rug_image *plane)
{
    const rugi_ifs_block_frame *f = &blocks->frame;
    for (size_t i = 0; i < blocks->n; i++) {
        rugi_ifs_block *b = &blocks->blocks[i];
        double sum = 0;
        for (size_t y = 0; y < f->size; y++)
            for (size_t x = 0; x < f->size; x++)
                sum += rugi_ifs_continued_pixel(plane, (b->y + y) % f->ny,
                                                (b->x + x) % f->nx);
        b->mean = (int32_t)nearest(RUGI_IFS_BLOCK_MEANS * sum / (f->size * f->size));
    }
}

static rug_status find(rug_context *ctx, rugi_ifs_blocks *blocks, const rug_image *plane,
                       const rugi_ifs_job *job)
{
    const rugi_ifs_block_frame *f = &blocks->frame;
    const rugi_ifs_settings settings = {.size = f->size,
                                        .step = f->step,
                                        .n_grids = (int)rugi_ifs_block_grids(f),
                                        .s_max = job->scale_max,
                                        .shadow_limit = job->shadow_limit,
                                        .wraps = job->wraps};
    rug_ifs_code *code;
    if (2 * f->size > f->nx || 2 * f->size > f->ny) {
        take_means(blocks, plane);
        return RUG_OK;
    }
    rug_status status = rugi_ifs_find(ctx, &code, plane, &settings);
    if (status != RUG_OK)
        return status;
    for (size_t i = 0; i < code->n && i < blocks->n; i++)
        quantise(&blocks->blocks[i], &code->transforms[i], &blocks->frame);
    rug_ifs_code_free(code);
    return RUG_OK;
}

/* Two states of a plane that follow each other. */
typedef struct states {
    int32_t *now, *next;
    size_t nx, ny;
} states;

static int32_t largest_change(const states *s)
{
    return rugi_ifs_largest_change(s->now, s->next, s->nx * s->ny);
}

static int is_moving(const states *s, const rugi_ifs_block *b, uint32_t size,
                     int32_t nothing)
{
    for (uint32_t y = 0; y < size; y++)
        for (uint32_t x = 0; x < size; x++) {
            size_t at = (b->y + y) % s->ny * s->nx + (b->x + x) % s->nx;
            if (abs(s->now[at] - s->next[at]) > nothing)
                return 1;
        }
    return 0;
}

static void weaken(rugi_ifs_blocks *blocks, const states *s, int32_t nothing, int round)
{
    for (size_t i = 0; i < blocks->n; i++) {
        rugi_ifs_block *b = &blocks->blocks[i];
        if (b->k != 0 && is_moving(s, b, blocks->frame.size, nothing))
            b->k = (int8_t)(round < ROUNDS ? b->k * 3 / 4 : 0);
    }
}

/* Runs the decoder until nothing changes any more. */
static rug_status iterate(rug_context *ctx, states *s, const rugi_ifs_blocks *blocks,
                          int32_t nothing, uint32_t *iterations)
{
    rug_status status = rugi_ifs_blocks_pass(ctx, s->now, NULL, blocks, 0);
    for (*iterations = 1; status == RUG_OK; ++*iterations) {
        status = rugi_ifs_blocks_pass(ctx, s->next, s->now, blocks, 0);
        if (status != RUG_OK || largest_change(s) <= nothing ||
            *iterations == RUGI_IFS_ITERATIONS_MAX)
            return status;
        int32_t *swapped = s->now;
        s->now = s->next;
        s->next = swapped;
    }
    return status;
}

static rug_status converge(rug_context *ctx, states *s, rugi_ifs_blocks *blocks,
                           uint32_t *iterations)
{
    int32_t nothing = NOTHING << (blocks->frame.depth - 8);
    for (int round = 0;; round++) {
        rug_status status = iterate(ctx, s, blocks, nothing, iterations);
        if (status != RUG_OK || largest_change(s) <= nothing)
            return status;
        weaken(blocks, s, nothing, round);
    }
}

static rug_status code_plane(rug_context *ctx, rugi_ifs_coded *coded,
                             const rugi_ifs_job *job, int i)
{
    rugi_ifs_block_frame frame = rugi_ifs_block_frame_of(&coded->header, i);
    rugi_ifs_blocks blocks = {0};
    size_t n = (size_t)frame.nx * frame.ny;
    states s = {.nx = frame.nx, .ny = frame.ny};
    uint32_t iterations = 1;
    s.now = rug_context_allocate(ctx, n, sizeof *s.now, what);
    s.next = rug_context_allocate(ctx, n, sizeof *s.next, what);
    rug_status status = s.now != NULL && s.next != NULL
                            ? rugi_ifs_blocks_new(ctx, &blocks, &frame)
                            : RUG_E_NOMEM;
    RUGI_PHASE(ctx, 0, 0.95, status, find(ctx, &blocks, &job->planes[i], job));
    rugi_phase outer = rugi_ifs_quiet(ctx, 0.95);
    if (status == RUG_OK)
        status = converge(ctx, &s, &blocks, &iterations);
    rugi_phase_leave(ctx, outer);
    if (iterations > coded->header.iterations)
        coded->header.iterations = iterations;
    rugi_ifs_coder *coder = &coded->planes[i];
    if (status == RUG_OK) {
        rugi_ifs_write_begin(coder, ctx);
        rugi_ifs_write_blocks(coder, &blocks);
        rugi_ifs_write_end(coder);
        status = coder->failed ? RUG_E_NOMEM : RUG_OK;
    }
    rugi_ifs_blocks_free(ctx, &blocks);
    rug_context_release(ctx, s.now);
    rug_context_release(ctx, s.next);
    return status;
}

rug_status rugi_ifs_compress_blocks(rug_context *ctx, rugi_ifs_coded *coded,
                                    const rugi_ifs_job *job)
{
    const int n = job->n_planes;
    memset(coded, 0, sizeof *coded);
    coded->header = (rugi_ifs_header){
        .partition = job->partition,
        .n_planes = n,
        .depth = job->depth,
        .nx = job->nx,
        .ny = job->ny,
        .range_size = job->range_size,
        .step = job->domain_step,
        .iterations = 1,
        .wraps = job->wraps,
        .delta = {1, 1, 1},
    };
    rug_status status = RUG_OK;
    for (int i = 0; i < n && status == RUG_OK; i++) {
        RUGI_PHASE(ctx, (double)i / n, (double)(i + 1) / n, status,
                   code_plane(ctx, coded, job, i));
    }
    if (status != RUG_OK)
        rugi_ifs_coded_free(ctx, coded);
    return status;
}
