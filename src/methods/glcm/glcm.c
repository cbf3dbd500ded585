/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence features of every region. Small regions are measured in batches, one thread
 * each, a large one alone by all threads. The caller sees rows in their order. */

#include "core/context/engine.h"
#include "core/context/threads.h"
#include "glcm/count/glcm_whole.h"
#include "glcm_aggregate.h"
#include "glcm_job.h"
#include <rugose/devices.h>
#include <string.h>

/* Rows of a batch at most, 20 MB, and regions of it per thread: so many that threads seldom
 * wait for each other. */
#define BATCH_ROWS    ((size_t)1 << 16)
#define BATCH_REGIONS 256

/* Pixels from which on a region is worth all threads. */
#define LARGE ((uint64_t)1 << 17)

/* Most counts of large regions are below. */
#define COMMON ((uint64_t)1 << 9)

typedef struct worker {
    rug_context ctx; /* one thread, no callbacks, an error text of its own */
    rugi_glcm_region region;
    rugi_glcm_block measured;
} worker;

/* How a region went. */
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
    rugi_glcm_counting *counting; /* [n_workers] */
    rugi_glcm_whole whole;        /* if the only region is an image of few levels */
    size_t n_kept;                /* regions of a batch at most */
    rug_glcm_row *rows;
    outcome *outcomes;
    size_t first; /* region of the batch */
} work;

static uint64_t area_of(const work *w, size_t i)
{
    return w->regions != NULL ? rug_regions_at(w->regions, i)->area
                              : rug_image_pixels(&w->plan.image);
}

/* Counts that have to be in tables: the pixels of the largest small region. Large ones have
 * few counts above COMMON, and a table for all of them would take longer than their pairs;
 * but what a mask or NaN leaves of one may be small. */
static uint64_t largest_small_area(const rug_image *img, const rug_regions *regions,
                                   const rug_glcm_options *opts)
{
    int may_lose = opts->mask != NULL || img->dtype == RUG_F32 || img->dtype == RUG_F64;
    uint64_t most = 1, of_large = may_lose ? RUGI_GLCM_SMALL : COMMON;
    size_t n = regions != NULL ? rug_regions_count(regions) : 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t area =
            regions != NULL ? rug_regions_at(regions, i)->area : rug_image_pixels(img);
        area = area <= RUGI_GLCM_SMALL ? area : of_large;
        most = area > most ? area : most;
    }
    return most;
}

void rugi_glcm_thread_context(rug_context *own, const rug_context *ctx)
{
    *own = *ctx;
    own->n_threads = 1;
    own->device = RUGI_DEVICE_CPU;
    rug_context_set_progress(own, NULL, NULL);
    rug_context_set_cancel(own, NULL, NULL);
    rug_context_set_warn(own, NULL, NULL);
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
    w->counting = rug_context_allocate(ctx, w->n_workers, sizeof *w->counting,
                                       "workers that measure regions");
    w->outcomes =
        rug_context_allocate(ctx, w->n_kept, sizeof *w->outcomes, "rows of regions");
    if (w->workers != NULL)
        memset(w->workers, 0, w->n_workers * sizeof *w->workers);
    if (w->counting != NULL)
        memset(w->counting, 0, w->n_workers * sizeof *w->counting);
    if (w->rows == NULL || w->workers == NULL || w->counting == NULL ||
        w->outcomes == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < w->n_workers; t++)
        rugi_glcm_thread_context(&w->workers[t].ctx, ctx);
    return RUG_OK;
}

static void free_work(rug_context *ctx, work *w)
{
    for (size_t t = 0; t < w->n_workers && w->workers != NULL; t++) {
        rugi_glcm_region_free(ctx, &w->workers[t].region);
        rugi_glcm_block_free(ctx, &w->workers[t].measured);
    }
    for (size_t t = 0; t < w->n_workers && w->counting != NULL; t++)
        rugi_glcm_counting_free(ctx, &w->counting[t]);
    rug_context_release(ctx, w->workers);
    rug_context_release(ctx, w->counting);
    rug_context_release(ctx, w->outcomes);
    rug_context_release(ctx, w->rows);
    rugi_glcm_whole_free(ctx, &w->whole);
    rugi_glcm_plan_free(ctx, &w->plan);
    rug_regions_free(w->regions);
}

/* Measures a region with as many threads as `own` has. `whole` hears of progress; NULL: it
 * is a worker's. */
static rug_status measure_region(work *w, rug_context *own, rug_context *whole,
                                 worker *to, rugi_glcm_counting *c, size_t i,
                                 rug_glcm_row *rows)
{
    const rugi_glcm_plan *p = &w->plan;
    rug_status status = RUG_OK;
    if (whole != NULL)
        status = rugi_glcm_whole_new(own, &w->whole, &to->region, p);
    if (status == RUG_OK && to->region.whole == NULL)
        status = rugi_glcm_cut(own, &to->region, p, w->regions, i);
    if (status != RUG_OK)
        return status;
    rugi_glcm_matrices all = rugi_glcm_matrices_of(p, &to->region);
    size_t n = all.n_slices * all.n_directions, n_done = 0;
    rugi_glcm_measured *measured =
        rugi_glcm_room(own, &to->measured, n, sizeof *measured, "features");
    if (measured == NULL)
        return RUG_E_NOMEM;
    for (uint32_t d = 0; d < p->n_distances; d++) {
        uint32_t distance = rugi_glcm_distance(p, d);
        if (to->region.whole != NULL)
            status = rugi_glcm_whole_count(own, &w->whole, &to->region, distance);
        for (size_t k = 0; k < n && status == RUG_OK; k++, n_done++) {
            status = rugi_glcm_measure(own, c, &measured[k], p, &to->region, distance, k);
            if (status == RUG_OK && whole != NULL)
                status = rug_context_step(whole, (double)(n_done + 1) /
                                                     ((double)n * p->n_distances));
        }
        if (status != RUG_OK)
            return status;
        rugi_glcm_rows(rows + d * (p->n_rows / p->n_distances), measured, p, &to->region,
                       distance);
    }
    return RUG_OK;
}

static void region_task(void *shared, size_t task, int thread)
{
    work *w = shared;
    worker *own = &w->workers[thread];
    w->outcomes[task].thread = thread;
    w->outcomes[task].status =
        measure_region(w, &own->ctx, NULL, own, &w->counting[thread], w->first + task,
                       w->rows + task * w->plan.n_rows);
}

/* Regions of a batch, a thread each; the first that failed, in their order, says why. */
static rug_status measure_small(rug_context *ctx, work *w, size_t n)
{
    memset(w->outcomes, 0, n * sizeof *w->outcomes);
    rug_status status = rugi_parallel_for(ctx, n, region_task, w);
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        if (w->outcomes[i].status != RUG_OK)
            return rug_context_fail(ctx, w->outcomes[i].status, "%s",
                                    w->workers[w->outcomes[i].thread].ctx.error);
    return status;
}

/* A large region, by all threads. Its many loops are no progress of their own. */
static rug_status measure_large(rug_context *ctx, work *w)
{
    rug_context quiet = *ctx;
    rug_context_set_progress(&quiet, NULL, NULL);
    quiet.error[0] = '\0';
    rug_status status =
        measure_region(w, &quiet, ctx, &w->workers[0], w->counting, w->first, w->rows);
    return quiet.error[0] != '\0' ? rug_context_fail(ctx, status, "%s", quiet.error)
                                  : status;
}

/* Where the batch ends that begins with region i: a large region is alone. */
static size_t end_of_batch(const work *w, size_t i)
{
    size_t end = i;
    while (end < w->n_regions && end - i < w->n_kept && area_of(w, end) < LARGE)
        end++;
    return end > i ? end : i + 1;
}

rug_status rugi_glcm_cpu(rug_context *ctx, void *job)
{
    const rugi_glcm_job *j = job;
    work *w = j->cpu;
    size_t first = w->first;
    rug_glcm_row *rows = w->rows;
    w->first = j->first;
    w->rows = j->rows;
    rug_status status = j->n == 1 && area_of(w, w->first) >= LARGE
                            ? measure_large(ctx, w)
                            : measure_small(ctx, w, j->n);
    w->first = first;
    w->rows = rows;
    return status;
}

/* `auto` takes no device: no measurement shows that one is faster than the processor, which
 * counts a pair in a few nanoseconds and has to cut regions out and to finish features in any
 * case. */
static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_glcm_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_glcm_cpu, NULL},
};

static rug_status measure_batch(rug_context *ctx, work *w, size_t n)
{
    rugi_glcm_job job = {&w->plan, w->regions, w->first, n, w->rows, w};
    return rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], &job);
}

static rug_status measure_all(rug_context *ctx, work *w, rug_glcm_row_fn fn, void *user)
{
    rug_status status = RUG_OK;
    double n = (double)w->n_regions;
    for (size_t end; w->first < w->n_regions && status == RUG_OK; w->first = end) {
        end = end_of_batch(w, w->first);
        size_t n_here = end - w->first;
        rugi_phase outer = rugi_phase_enter(ctx, (double)w->first / n, (double)end / n);
        status = measure_batch(ctx, w, n_here);
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
    status = rugi_glcm_plan_new(ctx, &w->plan, img, opts,
                                largest_small_area(img, w->regions, opts));
    return status == RUG_OK ? make_workers(ctx, w) : status;
}

rug_status rug_glcm_check_options(rug_context *ctx, const rug_glcm_options *opts)
{
    static const rug_glcm_options defaults = RUG_GLCM_OPTIONS_INIT;
    if (ctx == NULL)
        return RUG_E_ARG;
    rug_status status = rugi_glcm_check(ctx, opts != NULL ? opts : &defaults);
    return status == RUG_OK && !rug_devices_built_in()
               ? rugi_engine_cpu_only(ctx, "co-occurrence")
               : status;
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
