/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the batches of a search have found. The device rounds, so it only tells which domains
 * may be the best; each of these is measured and compared in whole numbers, as the processor's
 * engine does. Of every range and chunk of a block the device tells the best score and the
 * second best. Where the second best is not below the best exact gain less the margin
 * either, it is asked again, for all domains that are not. */

#include "core/context/context_internal.h"
#include "ifs/search/ifs_search_found.h"
#include <math.h>
#include <string.h>

#define FOUR RUGI_IFS_FOUR

/* Tasks of loops. */
#define GROUPS_OF_TASK 16
#define PARTS          64

/* The margin is for arithmetic that rounds to the nearest; that of some devices cuts off,
 * which is off by twice as much. What a device makes of numbers near 0, where it may have
 * none below 2^-126, is nothing beside it: squared norms of ranges are 1/2 at least. */
#define MARGIN 2

typedef rugi_ifs_search_work work;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

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
static void look_at_range(const work *w, size_t i)
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

static void look_at_groups(void *shared, size_t task, int thread)
{
    const work *w = shared;
    const size_t from = task * GROUPS_OF_TASK * FOUR;
    const size_t all =
        smaller(w->batch->n_groups * FOUR, w->plan->n_ranges - w->batch->first * FOUR);
    (void)thread;
    for (size_t i = from; i < smaller(all, from + GROUPS_OF_TASK * FOUR); i++)
        look_at_range(w, i);
}

rug_status rugi_ifs_search_loop(rug_context *ctx, work *w, size_t n_tasks,
                                rugi_task_fn task)
{
    rugi_phase outer = rugi_phase_enter(ctx, w->progress, w->progress);
    rug_status status = rugi_parallel_for(ctx, n_tasks, task, w);
    rugi_phase_leave(ctx, outer);
    return status;
}

/* Waits for a batch, and notes how long it took. */
static rug_status await(rug_context *ctx, const work *w, rugi_ifs_search_batch *b)
{
    if (b->seconds >= 0)
        return RUG_OK;
    const double before = rugi_ocl_times(w->kit.device)->kernel_seconds;
    rug_status status = rugi_ocl_wait_for(ctx, w->kit.device, b->mark);
    if (status == RUG_OK)
        b->seconds = rugi_ocl_times(w->kit.device)->kernel_seconds - before;
    return status;
}

/* ---- All domains that may be the best ---- */

/* The hits of some ranges: each task has ranges of its own. */
static void try_hits(void *shared, size_t task, int thread)
{
    const work *w = shared;
    (void)thread;
    for (uint32_t i = 0; i < w->n_hits; i++) {
        const uint32_t *hit = w->kit.looks.host_hits[i];
        const size_t at = w->first_look * FOUR + hit[0];
        if (at >= w->n_looks * FOUR || hit[1] >= w->batch->block->n_domains)
            continue;
        const uint32_t range = w->look_ranges[at];
        if (range % PARTS == task)
            try_domain(w, range, w->batch->block->first + hit[1]);
    }
}

/* Runs the looks that were gathered, no more at once than are worth a batch, and fewer where
 * there is no room for their hits; for those of a single one there is. */
static rug_status run_looks(rug_context *ctx, work *w)
{
    size_t n = smaller(w->n_looks, w->batch_groups * w->batch->n_chunks);
    rug_status status = RUG_OK;
    for (w->first_look = 0; w->first_look < w->n_looks && status == RUG_OK;) {
        n = smaller(n, w->n_looks - w->first_look);
        status = rugi_ifs_search_kit_look(ctx, &w->kit, w->batch->block, w->first_look, n,
                                          &w->n_hits);
        if (status == RUG_OK && w->n_hits > w->kit.looks.most_hits && n > 1) {
            n /= 2;
            continue;
        }
        w->n_hits = (uint32_t)smaller(w->n_hits, w->kit.looks.most_hits);
        if (status == RUG_OK)
            status = rugi_ifs_search_loop(ctx, w, PARTS, try_hits);
        w->first_look += n;
    }
    w->n_looks = 0;
    return status;
}

/* Adds a range to the last look of its chunk, or begins one.
 * @param lane  0: a look begins */
static void add_look(work *w, size_t range, size_t chunk, size_t lane)
{
    rugi_ifs_search_looks *looks = &w->kit.looks;
    if (lane == 0) {
        const size_t at = w->n_looks++;
        looks->host_chunks[at] = (uint32_t)chunk;
        memset(looks->host_ranges + at * w->kit.n * FOUR, 0,
               w->kit.n * FOUR * sizeof(float));
        for (size_t k = 0; k < FOUR; k++) {
            looks->host_floors[at * FOUR + k] = INFINITY;
            w->look_ranges[at * FOUR + k] = 0;
        }
    }
    const size_t at = w->n_looks - 1, n = w->kit.n;
    const float *from = w->ranges + range / FOUR * n * FOUR + range % FOUR;
    for (size_t k = 0; k < n; k++)
        looks->host_ranges[(at * n + k) * FOUR + lane] = from[k * FOUR];
    looks->host_floors[at * FOUR + lane] = w->floor[range];
    w->look_ranges[at * FOUR + lane] = (uint32_t)range;
}

/* A range is looked at in one chunk after the other, and its floor rises in between. */
static rug_status look_again(rug_context *ctx, work *w)
{
    const rugi_ifs_search_batch *b = w->batch;
    const size_t end = smaller((b->first + b->n_groups) * FOUR, w->plan->n_ranges);
    rug_status status = RUG_OK;
    for (size_t c = 0; c < b->n_chunks && status == RUG_OK; c++) {
        size_t lane = 0;
        for (size_t i = b->first * FOUR; i < end && status == RUG_OK; i++) {
            if ((w->crowded[i] >> c & 1) == 0)
                continue;
            if (lane == 0 && w->n_looks == w->kit.looks.most)
                status = run_looks(ctx, w);
            add_look(w, i, c, lane);
            lane = (lane + 1) % FOUR;
        }
    }
    if (status == RUG_OK && w->n_looks > 0)
        status = run_looks(ctx, w);
    return status;
}

static int is_crowded(const work *w)
{
    const rugi_ifs_search_batch *b = w->batch;
    const size_t end = smaller((b->first + b->n_groups) * FOUR, w->plan->n_ranges);
    for (size_t i = b->first * FOUR; i < end; i++)
        if (w->crowded[i] != 0)
            return 1;
    return 0;
}

rug_status rugi_ifs_search_finish(rug_context *ctx, work *w, rugi_ifs_search_batch *b,
                                  const rugi_ifs_search_slot *slot,
                                  rugi_ifs_search_batch *next)
{
    w->batch = b;
    w->slot = slot;
    rug_status status = await(ctx, w, b);
    if (status == RUG_OK)
        status = rugi_ifs_search_loop(ctx, w, (b->n_groups - 1) / GROUPS_OF_TASK + 1,
                                      look_at_groups);
    if (status != RUG_OK || !is_crowded(w))
        return status;
    if (next->n_groups > 0)
        status = await(ctx, w, next);
    return status == RUG_OK ? look_again(ctx, w) : status;
}
