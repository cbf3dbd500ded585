/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of the exact search. Domains go to the device block by block, ranges in
 * batches, of which two are under way: while the device works on one, the processor reads
 * what the other has found.
 *
 * The device rounds, so it only finds domains that may be the best; each of these is measured
 * and compared in whole numbers, as the processor's engine does. Of every range and chunk of a
 * block the device gives the best score and the second best. Where even the second best is not
 * below the best exact gain less the margin, it scans the chunk again for all domains that are
 * not. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/search/ifs_search_engine.h"
#include "ifs_search_opencl.h"
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

/* Tasks of loops. */
#define GROUPS_OF_TASK 16
#define PARTS          64

/* The margin is for arithmetic that rounds to the nearest; that of some devices cuts off,
 * which is off by twice as much. What a device makes of numbers near 0, where it may have
 * none below 2^-126, is nothing beside it: squared norms of ranges are 1/2 at least. */
#define MARGIN 2

typedef struct work {
    const rugi_ifs_search_plan *plan;
    rugi_ifs_device_kernels kernels;
    rugi_ifs_best *best;
    float *ranges;       /* [n_groups][n][4] */
    float *floor, *need; /* [n_groups][4] */
    uint16_t *crowded;   /* [n_groups][4] bits: chunks of the batch with several domains
                            that may be the best */
    size_t n_groups, n_blocks;
    /* Where the next batch begins. */
    size_t block, group, n_batches;
    size_t batch_groups; /* groups that are worth a batch */
    double progress;
    /* The batch that is checked, and hits of its scans. */
    rugi_ifs_search_batch *batch;
    const rugi_ifs_search_slot *slot;
    uint32_t *scan_ranges; /* [scans.most][4] numbers of the plan's ranges */
    size_t n_scans, first_scan;
    uint32_t n_hits;
    rugi_ifs_lanes *lanes; /* of each thread */
} work;

static void set_floor(const work *w, size_t range)
{
    rugi_ifs_floor(w->plan, &w->plan->ranges[range], &w->best[range],
                   MARGIN * w->plan->margin, &w->floor[range], &w->need[range]);
}

static void try_domain(const work *w, size_t range, size_t domain)
{
    if (domain < w->plan->n_domains &&
        rugi_ifs_try(w->plan, &w->plan->ranges[range], &w->best[range],
                     w->plan->domains[domain]))
        set_floor(w, range);
}

/* ---- What a batch has found ---- */

/* Measures the best domains of one range. @param i  of the range in the batch */
static void check_range(const work *w, size_t i)
{
    const rugi_ifs_search_batch *b = w->batch;
    const size_t range = b->first * FOUR + i, row = b->n_groups * FOUR;
    float scores[RUGI_IFS_CHUNKS], seconds[RUGI_IFS_CHUNKS];
    for (size_t c = 0; c < b->n_chunks; c++) {
        const float *of_group =
            w->slot->host_scores + 2 * c * row + i / FOUR * 2 * FOUR + i % FOUR;
        scores[c] = of_group[0];
        seconds[c] = of_group[FOUR];
    }
    for (size_t k = 0; k < b->n_chunks; k++) {
        size_t best = 0;
        for (size_t c = 1; c < b->n_chunks; c++)
            best = scores[c] > scores[best] ? c : best;
        if (scores[best] < 0 || scores[best] < w->floor[range])
            break;
        scores[best] = -1;
        try_domain(w, range, b->block->first + w->slot->host_numbers[best * row + i]);
    }
    w->crowded[range] = 0;
    for (size_t c = 0; c < b->n_chunks; c++)
        if (seconds[c] >= 0 && seconds[c] >= w->floor[range])
            w->crowded[range] |= (uint16_t)(1u << c);
}

static void check_groups(void *shared, size_t task, int thread)
{
    const work *w = shared;
    const size_t from = task * GROUPS_OF_TASK * FOUR;
    const size_t all = rugi_smaller(w->batch->n_groups * FOUR,
                                    w->plan->n_ranges - w->batch->first * FOUR);
    (void)thread;
    for (size_t i = from; i < rugi_smaller(all, from + GROUPS_OF_TASK * FOUR); i++)
        check_range(w, i);
}

/* A loop that does not show in the progress. */
static rug_status run_loop(rug_context *ctx, work *w, size_t n_tasks, rugi_task_fn task)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, w->progress, w->progress, status,
               rugi_parallel_for(ctx, n_tasks, task, w));
    return status;
}

/* Waits for a batch, and notes how long it took. */
static rug_status await(rug_context *ctx, const work *w, rugi_ifs_search_batch *b)
{
    if (b->seconds >= 0)
        return RUG_OK;
    const double before = rugi_ocl_times(w->kernels.device)->kernel_seconds;
    rug_status status = rugi_ocl_wait_for(ctx, w->kernels.device, b->mark);
    if (status == RUG_OK)
        b->seconds = rugi_ocl_times(w->kernels.device)->kernel_seconds - before;
    return status;
}

/* ---- All domains that may be the best ---- */

/* The hits of some ranges: each task has ranges of its own. */
static void try_hits(void *shared, size_t task, int thread)
{
    const work *w = shared;
    (void)thread;
    for (uint32_t i = 0; i < w->n_hits; i++) {
        const uint32_t *hit = w->kernels.scans.host_hits[i];
        const size_t at = w->first_scan * FOUR + hit[0];
        if (at >= w->n_scans * FOUR || hit[1] >= w->batch->block->n_domains)
            continue;
        const uint32_t range = w->scan_ranges[at];
        if (range % PARTS == task)
            try_domain(w, range, w->batch->block->first + hit[1]);
    }
}

/* Runs the scans that were gathered, no more at once than are worth a batch, and fewer where
 * their hits do not fit; those of a single one do. */
static rug_status run_scans(rug_context *ctx, work *w)
{
    size_t n = rugi_smaller(w->n_scans, w->batch_groups * w->batch->n_chunks);
    rug_status status = RUG_OK;
    for (w->first_scan = 0; w->first_scan < w->n_scans && status == RUG_OK;) {
        n = rugi_smaller(n, w->n_scans - w->first_scan);
        status = rugi_ifs_device_scan(ctx, &w->kernels, w->batch->block, w->first_scan, n,
                                      &w->n_hits);
        if (status == RUG_OK && w->n_hits > w->kernels.scans.most_hits && n > 1) {
            n /= 2;
            continue;
        }
        w->n_hits = (uint32_t)rugi_smaller(w->n_hits, w->kernels.scans.most_hits);
        if (status == RUG_OK)
            status = run_loop(ctx, w, PARTS, try_hits);
        w->first_scan += n;
    }
    w->n_scans = 0;
    return status;
}

/* Adds a range to the last scan of its chunk, or begins one.
 * @param lane  0: a scan begins */
static void add_scan(work *w, size_t range, size_t chunk, size_t lane)
{
    rugi_ifs_search_scans *scans = &w->kernels.scans;
    if (lane == 0) {
        const size_t at = w->n_scans++;
        scans->host_chunks[at] = (uint32_t)chunk;
        memset(scans->host_ranges + at * w->kernels.n * FOUR, 0,
               w->kernels.n * FOUR * sizeof(float));
        for (size_t k = 0; k < FOUR; k++) {
            scans->host_floors[at * FOUR + k] = INFINITY;
            w->scan_ranges[at * FOUR + k] = 0;
        }
    }
    const size_t at = w->n_scans - 1, n = w->kernels.n;
    const float *from = w->ranges + range / FOUR * n * FOUR + range % FOUR;
    for (size_t k = 0; k < n; k++)
        scans->host_ranges[(at * n + k) * FOUR + lane] = from[k * FOUR];
    scans->host_floors[at * FOUR + lane] = w->floor[range];
    w->scan_ranges[at * FOUR + lane] = (uint32_t)range;
}

/* A range is scanned in one chunk after the other, and its floor rises in between. */
static rug_status scan_again(rug_context *ctx, work *w)
{
    const rugi_ifs_search_batch *b = w->batch;
    const size_t end = rugi_smaller((b->first + b->n_groups) * FOUR, w->plan->n_ranges);
    rug_status status = RUG_OK;
    for (size_t c = 0; c < b->n_chunks && status == RUG_OK; c++) {
        size_t lane = 0;
        for (size_t i = b->first * FOUR; i < end && status == RUG_OK; i++) {
            if ((w->crowded[i] >> c & 1) == 0)
                continue;
            if (lane == 0 && w->n_scans == w->kernels.scans.most)
                status = run_scans(ctx, w);
            add_scan(w, i, c, lane);
            lane = (lane + 1) % FOUR;
        }
    }
    if (status == RUG_OK && w->n_scans > 0)
        status = run_scans(ctx, w);
    return status;
}

static int is_crowded(const work *w)
{
    const rugi_ifs_search_batch *b = w->batch;
    const size_t end = rugi_smaller((b->first + b->n_groups) * FOUR, w->plan->n_ranges);
    for (size_t i = b->first * FOUR; i < end; i++)
        if (w->crowded[i] != 0)
            return 1;
    return 0;
}

/* Waits for a batch and measures what may be the best of its ranges.
 * @param next  the one behind, which is under way; its n_groups may be 0 */
static rug_status finish(rug_context *ctx, work *w, rugi_ifs_search_batch *b,
                         const rugi_ifs_search_slot *slot, rugi_ifs_search_batch *next)
{
    w->batch = b;
    w->slot = slot;
    rug_status status = await(ctx, w, b);
    if (status == RUG_OK)
        status = run_loop(ctx, w, (b->n_groups - 1) / GROUPS_OF_TASK + 1, check_groups);
    if (status != RUG_OK || !is_crowded(w))
        return status;
    if (next->n_groups > 0)
        status = await(ctx, w, next);
    return status == RUG_OK ? scan_again(ctx, w) : status;
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
 * may be too few to judge by. */
static void adapt(work *w, const rugi_ifs_search_batch *b, size_t n_at_work)
{
    if (!(b->seconds > 0) ||
        (n_at_work < w->batch_groups / 2 && b->seconds < BATCH_SECONDS))
        return;
    const double wanted = (double)n_at_work * BATCH_SECONDS / b->seconds;
    const double most = (double)rugi_smaller(GROWTH * n_at_work, w->kernels.most_groups);
    w->batch_groups = (size_t)fmax(1, fmin(wanted, most));
}

static void make_tile(void *shared, size_t task, int thread)
{
    const work *w = shared;
    const rugi_ifs_search_block *block = &w->kernels.blocks[w->block % 2];
    rugi_ifs_make_tile(w->plan, block->host_tiles + task * w->kernels.n * LANES,
                       block->first + task * LANES, &w->lanes[thread]);
}

static rug_status open_block(rug_context *ctx, work *w)
{
    rugi_ifs_search_block *block = &w->kernels.blocks[w->block % 2];
    block->first = w->block * w->kernels.block_domains;
    block->n_domains =
        rugi_smaller(w->kernels.block_domains, w->plan->n_domains - block->first);
    rug_status status = run_loop(ctx, w, (block->n_domains - 1) / LANES + 1, make_tile);
    return status == RUG_OK ? rugi_ifs_device_upload(ctx, &w->kernels, w->plan, block)
                            : status;
}

/* Takes groups from where the last batch has ended, without those at the beginning that are
 * done. @return how many of them have work to do; 0: none is left */
static size_t choose_groups(work *w, rugi_ifs_search_batch *b)
{
    for (; w->block < w->n_blocks; w->block++, w->group = 0) {
        const float cap = w->plan->caps[w->block * w->kernels.block_domains];
        while (w->group < w->n_groups && is_done(w, w->group, cap))
            w->group++;
        size_t n = 0, end = w->group;
        for (; end < w->n_groups && end - w->group < w->kernels.most_groups &&
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
    const rugi_ifs_search_slot *slot = &w->kernels.slots[w->n_batches % 2];
    rug_status status =
        w->n_batches == 0 || w->block != before ? open_block(ctx, w) : RUG_OK;
    b->block = &w->kernels.blocks[w->block % 2];
    b->n_chunks = (b->block->n_domains - 1) / w->kernels.chunk + 1;
    memcpy(slot->host_needs, w->need + b->first * FOUR,
           b->n_groups * FOUR * sizeof(float));
    w->group += b->n_groups;
    if (status == RUG_OK)
        status = rugi_ifs_device_begin(ctx, &w->kernels, slot, b, w->ranges);
    w->n_batches++;
    return status;
}

/* How far the search has come with a batch. */
static double progress_of(const work *w, const rugi_ifs_search_batch *b)
{
    const double blocks = (double)b->block->first / (double)w->kernels.block_domains;
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
            status = finish(ctx, w, &batch, &w->kernels.slots[i % 2], &next);
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
    const size_t n = w->kernels.n, first = task * LANES;
    const float *block = w->lanes[thread].block;
    rugi_ifs_make_ranges(w->plan, w->lanes[thread].block, first, &w->lanes[thread]);
    for (size_t i = first; i < first + LANES && i < w->n_groups * FOUR; i++)
        for (size_t k = 0; k < n; k++)
            w->ranges[(i / FOUR * n + k) * FOUR + i % FOUR] =
                block[k * LANES + i - first];
}

static rug_status allocate(rug_context *ctx, work *w)
{
    const size_t four = FOUR * sizeof(float), n = w->n_groups;
    w->ranges = rug_context_allocate(ctx, n, w->kernels.n * four, "ranges");
    w->floor = rug_context_allocate(ctx, n, four, "ranges");
    w->need = rug_context_allocate(ctx, n, four, "ranges");
    w->crowded = rug_context_allocate(ctx, n, FOUR * sizeof *w->crowded, "ranges");
    w->best = rug_context_allocate(ctx, n, FOUR * sizeof *w->best, "matches of ranges");
    w->scan_ranges = rug_context_allocate(ctx, w->kernels.scans.most,
                                          FOUR * sizeof(uint32_t), "ranges");
    w->lanes = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                                    sizeof *w->lanes, "lanes of threads");
    if (w->lanes == NULL || w->ranges == NULL || w->floor == NULL || w->need == NULL ||
        w->crowded == NULL || w->best == NULL || w->scan_ranges == NULL)
        return RUG_E_NOMEM;
    return RUG_OK;
}

static rug_status prepare(rug_context *ctx, work *w)
{
    const size_t products = w->kernels.block_domains * w->kernels.n * FOUR;
    w->n_blocks = (w->plan->n_domains - 1) / w->kernels.block_domains + 1;
    w->batch_groups = rugi_smaller(FIRST_PRODUCTS / products + 1, w->kernels.most_groups);
    rug_status status = allocate(ctx, w);
    if (status != RUG_OK)
        return status;
    memset(w->best, 0, w->n_groups * FOUR * sizeof *w->best);
    for (size_t i = 0; i < w->n_groups * FOUR; i++) {
        w->floor[i] = -INFINITY;
        w->need[i] = i < w->plan->n_ranges ? 0 : INFINITY;
    }
    return run_loop(ctx, w, (w->n_groups * FOUR - 1) / LANES + 1, make_ranges);
}

static void end(rug_context *ctx, work *w)
{
    rug_context_release(ctx, w->lanes);
    rug_context_release(ctx, w->scan_ranges);
    rug_context_release(ctx, w->best);
    rug_context_release(ctx, w->crowded);
    rug_context_release(ctx, w->need);
    rug_context_release(ctx, w->floor);
    rug_context_release(ctx, w->ranges);
    rugi_ifs_device_kernels_free(ctx, &w->kernels);
}

rug_status rugi_ifs_search_opencl_by(rug_context *ctx, rugi_ifs_search_task *task,
                                     const rugi_ifs_search_cut *cut)
{
    const rugi_ifs_search_plan *plan = task->plan;
    work w = {.plan = plan, .n_groups = (plan->n_ranges - 1) / FOUR + 1};
    rug_status status = rugi_ifs_device_kernels_new(ctx, &w.kernels, plan, cut);
    if (status == RUG_OK)
        status = prepare(ctx, &w);
    if (status == RUG_OK) {
        status = search(ctx, &w);
        if (status != RUG_OK && status != RUG_E_DEVICE)
            rugi_ocl_wait(ctx,
                          w.kernels.device); /* it writes into memory of the processor */
    }
    if (status == RUG_OK) {
        memcpy(task->best, w.best, plan->n_ranges * sizeof *w.best);
        task->engine = rugi_ocl_engine_name(w.kernels.device);
    }
    end(ctx, &w);
    return status;
}

rug_status rugi_ifs_search_opencl(rug_context *ctx, void *task)
{
    static const rugi_ifs_search_cut best = {0, 0, 0};
    return rugi_ifs_search_opencl_by(ctx, task, &best);
}
