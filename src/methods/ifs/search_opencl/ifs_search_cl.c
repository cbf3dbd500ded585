/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of the exact search. Domains go to the device block by block, ranges in
 * batches, of which two are under way: while the device works on one, the processor reads
 * what the other has found. */

#include "core/context/context_internal.h"
#include "ifs/search/ifs_search_found.h"
#include <math.h>
#include <string.h>

#define LANES RUGI_IFS_LANES
#define FOUR  RUGI_IFS_FOUR

/* Seconds of a batch. Twice as much is what a screen can do without (Pedersen 2011,
 * section 2.8). */
#define BATCH_SECONDS 0.1
/* The next batch is no larger than so many times the one that was measured. */
#define GROWTH 4
/* Products of the first batch. */
#define FIRST_PRODUCTS ((size_t)1 << 24)

typedef rugi_ifs_search_work work;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- Batches ---- */

static int is_done(const work *w, size_t group, float cap)
{
    for (size_t i = 0; i < FOUR; i++)
        if (w->need[group * FOUR + i] <= cap)
            return 0;
    return 1;
}

/* How many groups the next batch is to have, from what this one took; the rest of a block
 * may be too few to tell. */
static void adapt(work *w, const rugi_ifs_search_batch *b, size_t n_at_work)
{
    if (!(b->seconds > 0) ||
        (n_at_work < w->batch_groups / 2 && b->seconds < BATCH_SECONDS))
        return;
    const double wanted = (double)n_at_work * BATCH_SECONDS / b->seconds;
    const double most = (double)smaller(GROWTH * n_at_work, w->kit.most_groups);
    w->batch_groups = (size_t)fmax(1, fmin(wanted, most));
}

static void make_tile(void *shared, size_t task, int thread)
{
    const work *w = shared;
    const rugi_ifs_search_block *block = &w->kit.blocks[w->block % 2];
    (void)thread;
    rugi_ifs_make_tile(w->plan, block->host_tiles + task * w->kit.n * LANES,
                       block->first + task * LANES);
}

static rug_status open_block(rug_context *ctx, work *w)
{
    rugi_ifs_search_block *block = &w->kit.blocks[w->block % 2];
    block->first = w->block * w->kit.block_domains;
    block->n_domains = smaller(w->kit.block_domains, w->plan->n_domains - block->first);
    rug_status status =
        rugi_ifs_search_loop(ctx, w, (block->n_domains - 1) / LANES + 1, make_tile);
    return status == RUG_OK ? rugi_ifs_search_kit_upload(ctx, &w->kit, w->plan, block)
                            : status;
}

/* Takes groups from where the last batch has ended, without those at the beginning that are
 * done. @return how many of them have work to do; 0: none is left */
static size_t choose_groups(work *w, rugi_ifs_search_batch *b)
{
    for (; w->block < w->n_blocks; w->block++, w->group = 0) {
        const float cap = w->plan->caps[w->block * w->kit.block_domains];
        while (w->group < w->n_groups && is_done(w, w->group, cap))
            w->group++;
        size_t n = 0, end = w->group;
        for (; end < w->n_groups && end - w->group < w->kit.most_groups &&
               n < w->batch_groups;
             end++)
            n += !is_done(w, end, cap);
        b->first = w->group;
        b->n_groups = end - w->group;
        if (n > 0)
            return n;
    }
    return 0;
}

/* Begins a batch. @param b  n_groups 0: there is nothing left to do */
static rug_status begin_batch(rug_context *ctx, work *w, rugi_ifs_search_batch *b,
                              size_t *n_at_work)
{
    const size_t before = w->block;
    *b = (rugi_ifs_search_batch){.seconds = -1};
    *n_at_work = choose_groups(w, b);
    if (*n_at_work == 0) {
        b->n_groups = 0;
        return RUG_OK;
    }
    const rugi_ifs_search_slot *slot = &w->kit.slots[w->n_batches % 2];
    rug_status status =
        w->n_batches == 0 || w->block != before ? open_block(ctx, w) : RUG_OK;
    b->block = &w->kit.blocks[w->block % 2];
    b->n_chunks = (b->block->n_domains - 1) / w->kit.chunk + 1;
    memcpy(slot->host_needs, w->need + b->first * FOUR,
           b->n_groups * FOUR * sizeof(float));
    w->group += b->n_groups;
    if (status == RUG_OK)
        status = rugi_ifs_search_kit_begin(ctx, &w->kit, slot, b, w->ranges);
    w->n_batches++;
    return status;
}

/* How far the search has come with a batch. */
static double progress_of(const work *w, const rugi_ifs_search_batch *b)
{
    const double blocks = (double)b->block->first / (double)w->kit.block_domains;
    const double groups = (double)(b->first + b->n_groups) / (double)w->n_groups;
    return (blocks + groups) / (double)w->n_blocks;
}

static rug_status search(rug_context *ctx, work *w)
{
    rugi_ifs_search_batch batch, next = {.n_groups = 0};
    size_t n_at_work, n_next;
    rug_status status = begin_batch(ctx, w, &batch, &n_at_work);
    for (size_t i = 0; status == RUG_OK && batch.n_groups > 0; i++) {
        status = begin_batch(ctx, w, &next, &n_next);
        if (status == RUG_OK)
            status = rugi_ifs_search_finish(ctx, w, &batch, &w->kit.slots[i % 2], &next);
        if (status == RUG_OK)
            adapt(w, &batch, n_at_work);
        w->progress = progress_of(w, &batch);
        if (status == RUG_OK)
            status = rug_context_step(ctx, w->progress);
        batch = next;
        n_at_work = n_next;
    }
    return status == RUG_OK ? rug_context_step(ctx, 1) : status;
}

/* ---- The engine ---- */

/* LANES ranges are changed at once, and go to the places of their groups. */
static void make_ranges(void *shared, size_t task, int thread)
{
    const work *w = shared;
    const size_t n = w->kit.n, first = task * LANES;
    float block[RUGI_IFS_PIXELS_MAX * LANES];
    (void)thread;
    rugi_ifs_make_ranges(w->plan, block, first);
    for (size_t i = first; i < first + LANES && i < w->n_groups * FOUR; i++)
        for (size_t k = 0; k < n; k++)
            w->ranges[(i / FOUR * n + k) * FOUR + i % FOUR] =
                block[k * LANES + i - first];
}

static rug_status allocate(rug_context *ctx, work *w)
{
    const size_t four = FOUR * sizeof(float), n = w->n_groups;
    w->ranges = rug_context_allocate(ctx, n, w->kit.n * four, "ranges");
    w->floor = rug_context_allocate(ctx, n, four, "ranges");
    w->need = rug_context_allocate(ctx, n, four, "ranges");
    w->crowded = rug_context_allocate(ctx, n, FOUR * sizeof *w->crowded, "ranges");
    w->best = rug_context_allocate(ctx, n, FOUR * sizeof *w->best, "matches of ranges");
    w->look_ranges =
        rug_context_allocate(ctx, w->kit.looks.most, FOUR * sizeof(uint32_t), "ranges");
    if (w->ranges == NULL || w->floor == NULL || w->need == NULL || w->crowded == NULL ||
        w->best == NULL || w->look_ranges == NULL)
        return RUG_E_NOMEM;
    return RUG_OK;
}

static rug_status prepare(rug_context *ctx, work *w)
{
    const size_t products = w->kit.block_domains * w->kit.n * FOUR;
    w->n_blocks = (w->plan->n_domains - 1) / w->kit.block_domains + 1;
    w->batch_groups = smaller(FIRST_PRODUCTS / products + 1, w->kit.most_groups);
    rug_status status = allocate(ctx, w);
    if (status != RUG_OK)
        return status;
    memset(w->best, 0, w->n_groups * FOUR * sizeof *w->best);
    for (size_t i = 0; i < w->n_groups * FOUR; i++) {
        w->floor[i] = -INFINITY;
        w->need[i] = i < w->plan->n_ranges ? 0 : INFINITY;
    }
    return rugi_ifs_search_loop(ctx, w, (w->n_groups * FOUR - 1) / LANES + 1,
                                make_ranges);
}

static void end(rug_context *ctx, work *w)
{
    rug_context_release(ctx, w->look_ranges);
    rug_context_release(ctx, w->best);
    rug_context_release(ctx, w->crowded);
    rug_context_release(ctx, w->need);
    rug_context_release(ctx, w->floor);
    rug_context_release(ctx, w->ranges);
    rugi_ifs_search_kit_free(ctx, &w->kit);
}

rug_status rugi_ifs_search_opencl_by(rug_context *ctx, rugi_ifs_search_task *task,
                                     const rugi_ifs_search_cut *cut)
{
    const rugi_ifs_search_plan *plan = task->plan;
    work w = {.plan = plan, .n_groups = (plan->n_ranges - 1) / FOUR + 1};
    rug_status status = rugi_ifs_search_kit_new(ctx, &w.kit, plan, cut);
    if (status == RUG_OK)
        status = prepare(ctx, &w);
    if (status == RUG_OK) {
        status = search(ctx, &w);
        if (status != RUG_OK && status != RUG_E_DEVICE)
            rugi_ocl_wait(ctx, w.kit.device); /* it writes into memory of the processor */
    }
    if (status == RUG_OK) {
        memcpy(task->best, w.best, plan->n_ranges * sizeof *w.best);
        task->engine = rugi_ocl_engine_name(w.kit.device);
    }
    end(ctx, &w);
    return status;
}

rug_status rugi_ifs_search_opencl(rug_context *ctx, void *task)
{
    static const rugi_ifs_search_cut best = {0, 0, 0};
    return rugi_ifs_search_opencl_by(ctx, task, &best);
}
