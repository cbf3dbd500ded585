/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence features of every region. Small regions are measured in batches, one thread
 * each; the matrices of a large one are dealt out to all threads. The caller sees rows in
 * their order. */

#include "engine.h"
#include "glcm_aggregate.h"
#include "threads.h"
#include <string.h>

/* Rows of a batch at most, 20 MB, and regions of it per thread: so many that threads seldom
 * wait for each other. */
#define BATCH_ROWS    ((size_t)1 << 16)
#define BATCH_REGIONS 256

/* Cells from which on a region is worth all threads. */
#define LARGE ((uint64_t)1 << 17)

typedef struct worker {
    rug_context ctx; /* one thread, no callbacks, an error text of its own */
    rugi_glcm_region region;
    rugi_glcm_counting counting;
    rugi_glcm_block measured;
} worker;

/* How a region, or a matrix of a large one, went. */
typedef struct outcome {
    rug_status status;
    int thread; /* that did it, for the error text */
} outcome;

typedef struct work {
    rugi_glcm_plan plan;
    rug_regions *regions; /* NULL: the image is the only one */
    size_t n_regions;
    size_t n_workers;
    worker *workers;
    size_t n_kept; /* regions of a batch at most */
    rug_glcm_row *rows;
    outcome *outcomes;
    size_t n_outcomes;
    size_t first;      /* region of the batch */
    uint32_t distance; /* of the large region at hand */
    rugi_glcm_measured *measured;
} work;

static uint64_t area_of(const work *w, size_t i)
{
    return w->regions != NULL ? rug_regions_at(w->regions, i)->area
                              : rug_image_cells(&w->plan.image);
}

static uint64_t largest_area(const rug_image *img, const rug_regions *regions)
{
    uint64_t most = regions != NULL ? 0 : rug_image_cells(img);
    for (size_t i = 0; i < rug_regions_count(regions); i++) {
        uint64_t area = rug_regions_at(regions, i)->area;
        most = area > most ? area : most;
    }
    return most;
}

static rug_status make_workers(rug_context *ctx, work *w)
{
    w->n_workers = (size_t)rug_context_threads(ctx);
    w->n_kept = BATCH_ROWS / w->plan.n_rows;
    w->n_kept = w->n_kept < BATCH_REGIONS * w->n_workers ? w->n_kept
                                                         : BATCH_REGIONS * w->n_workers;
    w->n_kept = w->n_kept < w->n_regions ? w->n_kept : w->n_regions;
    w->n_kept = w->n_kept > 0 ? w->n_kept : 1;
    w->rows = rug_context_allocate(ctx, w->n_kept * w->plan.n_rows, sizeof *w->rows,
                                   "rows of regions");
    w->workers = rug_context_allocate(ctx, w->n_workers, sizeof *w->workers,
                                      "workers that measure regions");
    if (w->workers != NULL)
        memset(w->workers, 0, w->n_workers * sizeof *w->workers);
    if (w->rows == NULL || w->workers == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < w->n_workers; t++) {
        rug_context *own = &w->workers[t].ctx;
        *own = *ctx;
        own->n_threads = 1;
        own->device = RUGI_DEVICE_CPU;
        rug_context_set_progress(own, NULL, NULL);
        rug_context_set_cancel(own, NULL, NULL);
        rug_context_set_warn(own, NULL, NULL);
    }
    return RUG_OK;
}

static void free_work(rug_context *ctx, work *w)
{
    for (size_t t = 0; t < w->n_workers && w->workers != NULL; t++) {
        rugi_glcm_region_free(ctx, &w->workers[t].region);
        rugi_glcm_counting_free(ctx, &w->workers[t].counting);
        rugi_glcm_block_free(ctx, &w->workers[t].measured);
    }
    rug_context_release(ctx, w->workers);
    rug_context_release(ctx, w->outcomes);
    rug_context_release(ctx, w->rows);
    rugi_glcm_plan_free(ctx, &w->plan);
    rug_regions_free(w->regions);
}

/* Outcomes of n tasks, none of which has run. */
static rug_status make_outcomes(rug_context *ctx, work *w, size_t n)
{
    if (n > w->n_outcomes) {
        rug_context_release(ctx, w->outcomes);
        w->outcomes = rug_context_allocate(ctx, n, sizeof *w->outcomes, "outcomes");
        w->n_outcomes = w->outcomes != NULL ? n : 0;
        if (w->outcomes == NULL)
            return RUG_E_NOMEM;
    }
    memset(w->outcomes, 0, n * sizeof *w->outcomes);
    return RUG_OK;
}

/* Runs tasks; the first that failed, in their order, says why. */
static rug_status run(rug_context *ctx, work *w, size_t n, rugi_task_fn task)
{
    rug_status status = make_outcomes(ctx, w, n);
    if (status == RUG_OK)
        status = rugi_parallel_for(ctx, n, task, w);
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        if (w->outcomes[i].status != RUG_OK)
            return rug_context_fail(ctx, w->outcomes[i].status, "%s",
                                    w->workers[w->outcomes[i].thread].ctx.error);
    return status;
}

static rug_status measure_region(work *w, worker *own, size_t i, rug_glcm_row *rows)
{
    const rugi_glcm_plan *p = &w->plan;
    rug_status status = rugi_glcm_cut(&own->ctx, &own->region, p, w->regions, i);
    if (status != RUG_OK)
        return status;
    rugi_glcm_matrices all = rugi_glcm_matrices_of(p, &own->region);
    size_t n = all.n_slices * all.n_directions;
    rugi_glcm_measured *measured =
        rugi_glcm_room(&own->ctx, &own->measured, n, sizeof *measured, "features");
    if (measured == NULL)
        return RUG_E_NOMEM;
    for (uint32_t d = 0; d < p->n_distances; d++) {
        uint32_t distance = rugi_glcm_distance(p, d);
        for (size_t k = 0; k < n && status == RUG_OK; k++)
            status = rugi_glcm_measure(&own->ctx, &own->counting, &measured[k], p,
                                       &own->region, distance, k);
        if (status != RUG_OK)
            return status;
        rugi_glcm_rows(rows + d * (p->n_rows / p->n_distances), measured, p, &own->region,
                       distance);
    }
    return RUG_OK;
}

static void region_task(void *shared, size_t task, int thread)
{
    work *w = shared;
    w->outcomes[task].thread = thread;
    w->outcomes[task].status = measure_region(w, &w->workers[thread], w->first + task,
                                              w->rows + task * w->plan.n_rows);
}

static void matrix_task(void *shared, size_t task, int thread)
{
    work *w = shared;
    worker *own = &w->workers[thread];
    w->outcomes[task].thread = thread;
    w->outcomes[task].status =
        rugi_glcm_measure(&own->ctx, &own->counting, &w->measured[task], &w->plan,
                          &w->workers[0].region, w->distance, task);
}

/* A large region: its matrices are the tasks. */
static rug_status measure_large(rug_context *ctx, work *w)
{
    const rugi_glcm_plan *p = &w->plan;
    worker *first = &w->workers[0];
    rug_status status = rugi_glcm_cut(ctx, &first->region, p, w->regions, w->first);
    if (status != RUG_OK)
        return status;
    rugi_glcm_matrices all = rugi_glcm_matrices_of(p, &first->region);
    size_t n = all.n_slices * all.n_directions;
    w->measured =
        rugi_glcm_room(ctx, &first->measured, n, sizeof *w->measured, "features");
    if (w->measured == NULL)
        return RUG_E_NOMEM;
    for (uint32_t d = 0; d < p->n_distances && status == RUG_OK; d++) {
        double share = 1.0 / p->n_distances;
        rugi_phase outer = rugi_phase_enter(ctx, d * share, (d + 1) * share);
        w->distance = rugi_glcm_distance(p, d);
        status = run(ctx, w, n, matrix_task);
        rugi_phase_leave(ctx, outer);
        if (status == RUG_OK)
            rugi_glcm_rows(w->rows + d * (p->n_rows / p->n_distances), w->measured, p,
                           &first->region, w->distance);
    }
    return status;
}

/* Where the batch ends that begins with region i: a large region is alone. */
static size_t end_of_batch(const work *w, size_t i)
{
    size_t end = i;
    while (end < w->n_regions && end - i < w->n_kept && area_of(w, end) < LARGE)
        end++;
    return end > i ? end : i + 1;
}

static rug_status measure_all(rug_context *ctx, work *w, rug_glcm_row_fn fn, void *user)
{
    rug_status status = RUG_OK;
    double n = (double)w->n_regions;
    for (size_t end; w->first < w->n_regions && status == RUG_OK; w->first = end) {
        end = end_of_batch(w, w->first);
        size_t n_here = end - w->first;
        rugi_phase outer = rugi_phase_enter(ctx, (double)w->first / n, (double)end / n);
        status = n_here == 1 && area_of(w, w->first) >= LARGE
                     ? measure_large(ctx, w)
                     : run(ctx, w, n_here, region_task);
        rugi_phase_leave(ctx, outer);
        for (size_t i = 0; i < n_here * w->plan.n_rows && status == RUG_OK; i++)
            status = fn(user, &w->rows[i]);
    }
    return status;
}

static rug_status prepare(rug_context *ctx, work *w, const rug_image *img,
                          const rug_glcm_options *opts)
{
    rug_status status = RUG_OK;
    if (opts->labels != NULL)
        status = rug_regions_find(ctx, &w->regions, opts->labels);
    if (status != RUG_OK)
        return status;
    w->n_regions = opts->labels != NULL ? rug_regions_count(w->regions) : 1;
    status = rugi_glcm_plan_new(ctx, &w->plan, img, opts, largest_area(img, w->regions));
    return status == RUG_OK ? make_workers(ctx, w) : status;
}

rug_status rug_glcm_check_options(rug_context *ctx, const rug_glcm_options *opts)
{
    static const rug_glcm_options defaults = RUG_GLCM_OPTIONS_INIT;
    if (ctx == NULL)
        return RUG_E_ARG;
    rug_status status = rugi_glcm_check(ctx, opts != NULL ? opts : &defaults);
    return status == RUG_OK ? rugi_engine_cpu_only(ctx, "co-occurrence") : status;
}

rug_status rug_glcm(rug_context *ctx, const rug_image *img, const rug_glcm_options *opts,
                    rug_glcm_row_fn fn, void *user)
{
    static const rug_glcm_options defaults = RUG_GLCM_OPTIONS_INIT;
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm: NULL given");
    opts = opts != NULL ? opts : &defaults;
    rug_status status = rug_glcm_check_options(ctx, opts);
    if (status == RUG_OK)
        status = rugi_glcm_check_images(ctx, img, opts);
    if (status != RUG_OK)
        return status;
    work w = {.first = 0};
    rugi_phase outer = rugi_phase_enter(ctx, 0, 0.1);
    status = prepare(ctx, &w, img, opts);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, 0.1, 1);
    if (status == RUG_OK)
        status = measure_all(ctx, &w, fn, user);
    rugi_phase_leave(ctx, outer);
    free_work(ctx, &w);
    return status;
}
