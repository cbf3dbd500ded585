/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The processor's engine of the exact search. Ranges go to threads, a thread takes some
 * against all domains. What the screen cannot rule out is measured exactly at once, and
 * raises what it takes to be of interest. Domains come with falling norms: once even a
 * perfect one of the next norm, scaled by s_max, would be worse than the best, a range is
 * done. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/search/ifs_search_engine.h"
#include "ifs_kernels.h"
#include "ifs_search.h"
#include <math.h>
#include <string.h>

#define LANES  RUGI_IFS_LANES
#define RANGES RUGI_IFS_RANGES

/* Bytes of domains that are made at once, about as many as the source has pixels, and of
 * those that stay in the first cache while ranges pass by. */
#define LEAST_BYTES ((size_t)1 << 20)
#define MOST_BYTES  ((size_t)16 << 20)
#define CHUNK_BYTES ((size_t)32 << 10)

/* Groups of ranges of a task: domains are to be worth their way from memory, threads
 * are to end at about the same time, and cancelling is not to wait. */
#define LEAST_GROUPS     16
#define MOST_GROUPS      64
#define TASKS_PER_THREAD 8

/* Shares: of the search, that ranges come into the basis; of a block, that domains do. */
#define BEGIN_SHARE 0.02
#define TILES_SHARE 0.1

/* RANGES of the plan's ranges. */
typedef struct group {
    float floor[RANGES]; /* scores below are of no interest */
    float need[RANGES];  /* domains with a lower cap are not */
} group;

typedef struct work {
    const rugi_ifs_search_plan *plan;
    rugi_ifs_best *best;
    rugi_ifs_kernels kernels;
    rugi_ifs_forms forms;
    group *groups;
    float *ranges;        /* [n_groups][n][RANGES] */
    float *shrunk_ranges; /* [n_groups][rows][RANGES] */
    size_t n_groups, groups_per_task;
    float *tiles;        /* of the block: [n_tiles][n][LANES] */
    float *shrunk_tiles; /* [n_tiles][rows][LANES] */
    size_t first_tile, n_tiles;
    rugi_ifs_lanes *lanes; /* of each thread */
} work;

static void set_floor(const work *w, size_t range)
{
    group *g = &w->groups[range / RANGES];
    rugi_ifs_floor(w->plan, &w->plan->ranges[range], &w->best[range], w->plan->margin,
                   &g->floor[range % RANGES], &g->need[range % RANGES]);
}

/* The lane with the largest score that reaches the floor, or -1. */
static int best_lane(const float *scores, float floor)
{
    int best = -1;
    for (int i = 0; i < LANES; i++)
        if (scores[i] >= floor && (best < 0 || scores[i] > scores[best]))
            best = i;
    return best;
}

/* Measures what the screen has found for one range in a tile of the plan. */
static void measure(const work *w, float *scores, size_t range, size_t tile)
{
    const float *floor = &w->groups[range / RANGES].floor[range % RANGES];
    for (int lane = best_lane(scores, *floor); lane >= 0;
         lane = best_lane(scores, *floor)) {
        const size_t domain = tile * LANES + (size_t)lane;
        scores[lane] = -INFINITY;
        if (domain < w->plan->n_domains &&
            rugi_ifs_try(w->plan, &w->plan->ranges[range], &w->best[range],
                         w->plan->domains[domain]))
            set_floor(w, range);
    }
}

static int is_done(const group *g, float cap)
{
    for (int i = 0; i < RANGES; i++)
        if (g->need[i] <= cap)
            return 0;
    return 1;
}

/* Where all forms of a group's ranges and of domains lie. */
static void add_forms(const work *w, rugi_ifs_screen *s, size_t index, size_t from)
{
    const size_t n = w->plan->basis.n, rows = w->forms.rows;
    const int whole = w->forms.n - 1;
    for (int i = 0; i < whole; i++) {
        const size_t at = w->forms.form[i].at;
        s->ranges[i] = w->shrunk_ranges + (index * rows + at) * RANGES;
        s->tiles[i] = w->shrunk_tiles + (from * rows + at) * LANES;
        s->pitch[i] = rows * LANES;
    }
    s->ranges[whole] = w->ranges + index * n * RANGES;
    s->tiles[whole] = w->tiles + from * n * LANES;
    s->pitch[whole] = n * LANES;
}

static void screen_group(const work *w, size_t index, size_t from, size_t to)
{
    const group *g = &w->groups[index];
    rugi_ifs_screen s = {.forms = w->forms,
                         .caps = w->plan->caps + (w->first_tile + from) * LANES,
                         .n_tiles = to - from};
    add_forms(w, &s, index, from);
    memcpy(s.floor, g->floor, sizeof s.floor);
    for (size_t t = w->kernels.screen(&s, 0); t < s.n_tiles;
         t = w->kernels.screen(&s, t + 1)) {
        for (size_t i = 0; i < RANGES && index * RANGES + i < w->plan->n_ranges; i++)
            measure(w, s.scores[i], index * RANGES + i, w->first_tile + from + t);
        memcpy(s.floor, g->floor, sizeof s.floor);
    }
}

static void screen_task(void *shared, size_t task, int thread)
{
    const work *w = shared;
    const size_t tile_bytes = w->forms.form[0].rows * LANES * sizeof(float);
    const size_t chunk = tile_bytes < CHUNK_BYTES ? CHUNK_BYTES / tile_bytes : 1;
    const size_t from = task * w->groups_per_task;
    const size_t to = rugi_smaller(w->n_groups, from + w->groups_per_task);
    (void)thread;
    for (size_t t = 0; t < w->n_tiles; t += chunk) {
        const float cap = w->plan->caps[(w->first_tile + t) * LANES];
        const size_t end = rugi_smaller(w->n_tiles, t + chunk);
        for (size_t g = from; g < to; g++)
            if (!is_done(&w->groups[g], cap))
                screen_group(w, g, t, end);
    }
}

static void make_tile(void *shared, size_t task, int thread)
{
    const work *w = shared;
    float *tile = w->tiles + task * w->plan->basis.n * LANES;
    rugi_ifs_make_tile(w->plan, tile, (w->first_tile + task) * LANES, &w->lanes[thread]);
    if (w->forms.rows > 0)
        w->kernels.shrink(&w->forms, w->shrunk_tiles + task * w->forms.rows * LANES, tile,
                          &w->lanes[thread]);
}

/* Some of LANES ranges to the places of their groups.
 * @param block  [rows][LANES]
 * @param to     [n_groups][rows][RANGES] */
static void place_ranges(const work *w, float *to, const float *block, size_t rows,
                         size_t first)
{
    for (size_t i = first; i < first + LANES && i < w->n_groups * RANGES; i++)
        for (size_t k = 0; k < rows; k++)
            to[(i / RANGES * rows + k) * RANGES + i % RANGES] =
                block[k * LANES + i - first];
}

/* LANES ranges are changed at once. */
static void make_ranges(void *shared, size_t task, int thread)
{
    const work *w = shared;
    rugi_ifs_lanes *lanes = &w->lanes[thread];
    rugi_ifs_make_ranges(w->plan, lanes->block, task * LANES, lanes);
    place_ranges(w, w->ranges, lanes->block, w->plan->basis.n, task * LANES);
    if (w->forms.rows == 0)
        return;
    w->kernels.shrink(&w->forms, lanes->shrunk, lanes->block, lanes);
    place_ranges(w, w->shrunk_ranges, lanes->shrunk, w->forms.rows, task * LANES);
}

/* Nothing reaches the floors of places behind the end. */
static void begin_groups(const work *w)
{
    for (size_t i = 0; i < w->n_groups * RANGES; i++) {
        const int is_there = i < w->plan->n_ranges;
        w->groups[i / RANGES].floor[i % RANGES] = is_there ? -INFINITY : INFINITY;
        w->groups[i / RANGES].need[i % RANGES] = is_there ? 0 : INFINITY;
    }
}

static rug_status screen_block(rug_context *ctx, work *w)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, TILES_SHARE, status,
               rugi_parallel_for(ctx, w->n_tiles, make_tile, w));
    RUGI_PHASE(ctx, TILES_SHARE, 1, status,
               rugi_parallel_for(ctx, (w->n_groups - 1) / w->groups_per_task + 1,
                                 screen_task, w));
    return status;
}

/* Whether no range has anything to hope for from a tile on. */
static int all_done(const work *w, size_t tile)
{
    const float cap = w->plan->caps[tile * LANES];
    for (size_t g = 0; g < w->n_groups; g++)
        if (!is_done(&w->groups[g], cap))
            return 0;
    return 1;
}

static rug_status screen_blocks(rug_context *ctx, work *w, size_t tiles_per_block)
{
    const size_t all = (w->plan->n_domains - 1) / LANES + 1;
    rug_status status = RUG_OK;
    for (size_t t = 0; t < all && !all_done(w, t) && status == RUG_OK;
         t += tiles_per_block) {
        w->first_tile = t;
        w->n_tiles = rugi_smaller(all - t, tiles_per_block);
        RUGI_PHASE(ctx, (double)t / (double)all, (double)(t + w->n_tiles) / (double)all,
                   status, screen_block(ctx, w));
    }
    return status;
}

static void choose_sizes(rug_context *ctx, work *w)
{
    const size_t threads = (size_t)rug_context_threads(ctx);
    w->n_groups = (w->plan->n_ranges - 1) / RANGES + 1;
    size_t even = (w->n_groups - 1) / threads + 1;
    size_t n = (w->n_groups - 1) / (threads * TASKS_PER_THREAD) + 1;
    n = rugi_larger(LEAST_GROUPS, rugi_smaller(n, MOST_GROUPS));
    w->groups_per_task = rugi_smaller(n, even);
}

static rug_status allocate(rug_context *ctx, work *w, size_t tiles_per_block)
{
    const size_t n = w->plan->basis.n, rows = w->forms.rows;
    const size_t of_group = RANGES * sizeof(float), of_tile = LANES * sizeof(float);
    w->groups =
        rug_context_allocate(ctx, w->n_groups, sizeof *w->groups, "groups of ranges");
    w->ranges = rug_context_allocate(ctx, w->n_groups, (n + rows) * of_group, "ranges");
    w->tiles =
        rug_context_allocate(ctx, tiles_per_block, (n + rows) * of_tile, "domains");
    w->lanes = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                                    sizeof *w->lanes, "lanes of threads");
    if (w->groups == NULL || w->ranges == NULL || w->tiles == NULL || w->lanes == NULL)
        return RUG_E_NOMEM;
    w->shrunk_ranges = w->ranges + w->n_groups * n * RANGES;
    w->shrunk_tiles = w->tiles + tiles_per_block * n * LANES;
    return RUG_OK;
}

static rug_status begin(rug_context *ctx, work *w)
{
    begin_groups(w);
    rug_status status = RUG_OK;
    RUGI_PHASE(
        ctx, 0, BEGIN_SHARE, status,
        rugi_parallel_for(ctx, (w->n_groups * RANGES - 1) / LANES + 1, make_ranges, w));
    return status;
}

/* The engine; task is a rugi_ifs_search_task, whose plan has domains and ranges. */
static rug_status search_on_cpu(rug_context *ctx, void *task)
{
    rugi_ifs_search_task *t = task;
    const rugi_ifs_plane *source = t->plan->job->source;
    const size_t bytes =
        rugi_larger(LEAST_BYTES, rugi_smaller(MOST_BYTES, source->nx * source->ny));
    work w = {
        .plan = t->plan, .best = t->best, .forms = rugi_ifs_forms_of(t->plan->job->size)};
    const size_t rows = t->plan->basis.n + w.forms.rows;
    const size_t most = bytes / (rows * LANES * sizeof(float));
    const size_t all = (t->plan->n_domains - 1) / LANES + 1;
    const size_t per_block = rugi_smaller(all, most);
    rugi_ifs_set_kernels(&w.kernels, rug_context_cpu_level(ctx));
    choose_sizes(ctx, &w);
    t->engine = w.kernels.name;
    rug_status status = allocate(ctx, &w, per_block);
    if (status == RUG_OK)
        status = begin(ctx, &w);
    RUGI_PHASE(ctx, BEGIN_SHARE, 1, status, screen_blocks(ctx, &w, per_block));
    rug_context_release(ctx, w.lanes);
    rug_context_release(ctx, w.tiles);
    rug_context_release(ctx, w.ranges);
    rug_context_release(ctx, w.groups);
    return status;
}

/* ---- The engines ---- */

static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_ifs_search_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, search_on_cpu, NULL},
};

/* The share of a search that its plan is. */
#define PLAN_SHARE 0.1

static rug_status run(rug_context *ctx, const rugi_ifs_search_plan *plan,
                      rugi_ifs_search_job *job)
{
    rugi_ifs_best *best =
        rug_context_allocate(ctx, plan->n_ranges, sizeof *best, "matches of ranges");
    if (best == NULL)
        return RUG_E_NOMEM;
    memset(best, 0, plan->n_ranges * sizeof *best);
    rugi_ifs_search_task task = {.plan = plan, .best = best};
    rug_status status =
        rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], &task);
    job->engine = task.engine;
    if (status == RUG_OK) {
        rugi_context_set_engine(ctx, task.engine);
        rugi_ifs_finish(plan, best);
    }
    rug_context_release(ctx, best);
    return status;
}

/* The ranges of the plan. */
static rug_status search_batch(rug_context *ctx, const rugi_ifs_search_plan *plan,
                               rugi_ifs_search_job *job)
{
    rug_status status = RUG_OK;
    rugi_ifs_finish(plan, NULL);
    if (plan->n_ranges > 0 && plan->n_domains > 0)
        status = run(ctx, plan, job);
    if (status == RUG_OK && job->take != NULL)
        job->take(job->user, job->matches, plan->first, plan->n_batch);
    return status;
}

static rug_status search_batches(rug_context *ctx, rugi_ifs_search_plan *plan,
                                 rugi_ifs_search_job *job)
{
    const double all = (double)job->n_ranges;
    rug_status status = RUG_OK;
    for (size_t first = 0; first < job->n_ranges && status == RUG_OK;
         first += plan->n_batch) {
        const double from = (double)first / all;
        if (first > 0)
            RUGI_PHASE(ctx, from, from, status,
                       rugi_ifs_search_plan_make(ctx, plan, job, first));
        RUGI_PHASE(ctx, from, (double)(first + plan->n_batch) / all, status,
                   search_batch(ctx, plan, job));
    }
    return status;
}

rug_status rugi_ifs_search(rug_context *ctx, rugi_ifs_search_job *job)
{
    rugi_ifs_search_plan plan;
    job->engine = "none";
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, PLAN_SHARE, status, rugi_ifs_search_plan_make(ctx, &plan, job, 0));
    RUGI_PHASE(ctx, PLAN_SHARE, 1, status, search_batches(ctx, &plan, job));
    rugi_ifs_search_plan_free(ctx, &plan);
    return status;
}
