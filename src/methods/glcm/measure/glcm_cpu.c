/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The CPU engine. Small regions are measured by one thread each, a large one by all
 * threads. */

#include "core/context/threads.h"
#include "glcm/count/glcm_whole.h"
#include "glcm_measure.h"
#include <string.h>

typedef struct worker {
    RUGI_OWN_LINES rug_context
        ctx; /* one thread, no callbacks, an error text of its own */
    rugi_glcm_region region;
    rugi_glcm_scratch measured;
} worker;

/* How a region went. */
typedef struct outcome {
    rug_status status;
    int thread; /* that did it, for the error text */
} outcome;

typedef struct rugi_glcm_workers {
    size_t n;
    worker *worker;               /* [n] */
    rugi_glcm_counting *counting; /* [n] */
    rugi_glcm_whole whole;        /* if the only region is an image of few levels */
    outcome *outcome;             /* of each region of a batch */
} workers;

rug_status rugi_glcm_workers_new(rug_context *ctx, workers **out, size_t most)
{
    static const char what[] = "workers that measure regions";
    workers *w = *out = rugi_allocate_zeros(ctx, 1, sizeof *w, what);
    if (w == NULL)
        return RUG_E_NOMEM;
    w->n = (size_t)rug_context_threads(ctx);
    w->worker = rugi_allocate_zeros(ctx, w->n, sizeof *w->worker, what);
    w->counting = rugi_allocate_zeros(ctx, w->n, sizeof *w->counting, what);
    w->outcome = rugi_allocate_zeros(ctx, most, sizeof *w->outcome, "rows of regions");
    if (w->worker == NULL || w->counting == NULL || w->outcome == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < w->n; t++)
        w->worker[t].ctx = rugi_context_for_worker(ctx);
    return RUG_OK;
}

void rugi_glcm_workers_free(rug_context *ctx, workers *w)
{
    if (w == NULL)
        return;
    for (size_t t = 0; t < w->n && w->worker != NULL; t++) {
        rugi_glcm_region_free(ctx, &w->worker[t].region);
        rugi_glcm_scratch_free(ctx, &w->worker[t].measured);
    }
    for (size_t t = 0; t < w->n && w->counting != NULL; t++)
        rugi_glcm_counting_free(ctx, &w->counting[t]);
    rugi_glcm_whole_free(ctx, &w->whole);
    rug_context_release(ctx, w->worker);
    rug_context_release(ctx, w->counting);
    rug_context_release(ctx, w->outcome);
    rug_context_release(ctx, w);
}

/* Measures one matrix of a region. */
static rug_status measure_matrix(rug_context *ctx, const rugi_glcm_job *job,
                                 rugi_glcm_counting *c, rugi_glcm_measured *out,
                                 const rugi_glcm_counted *what)
{
    rugi_glcm_place place;
    rugi_glcm_sums sums = {0};
    rugi_glcm_counted counted = *what;
    uint32_t distance = job->plan->distance[what->d];
    rug_status status =
        rugi_glcm_matrix_of(ctx, c, &place, job->plan, what->r, distance, what->matrix);
    if (status == RUG_OK && place.matrix.n_offsets > 0)
        status = rugi_glcm_count(ctx, c, &sums, &place.matrix);
    counted.sums = &sums;
    counted.counting = c;
    if (status == RUG_OK && job->take != NULL)
        return job->take(ctx, job->user, &counted);
    if (status == RUG_OK)
        rugi_glcm_finish(out, &sums, job->plan, what->r);
    return status;
}

/* Measures region i of the plan with the threads of `own`. Progress goes to `whole`;
 * NULL: the context is a worker's. */
static rug_status measure_region(const rugi_glcm_job *job, rug_context *own,
                                 rug_context *whole, int thread, size_t i,
                                 rugi_glcm_row *rows)
{
    const rugi_glcm_plan *plan = job->plan;
    worker *to = &job->workers->worker[thread];
    rugi_glcm_region *r = &to->region;
    rug_status status = RUG_OK;
    if (whole != NULL)
        status = rugi_glcm_whole_new(own, &job->workers->whole, r, plan);
    if (status == RUG_OK && r->whole == NULL)
        status = rugi_glcm_cut(own, r, plan, i);
    if (status != RUG_OK)
        return status;
    rugi_glcm_matrices all = rugi_glcm_matrices_of(plan, r);
    size_t n = all.n_slices * all.n_directions, n_done = 0;
    double done =
        rugi_glcm_is_streamed(plan) && plan->regions == NULL ? RUGI_GLCM_SLABS_SHARE : 0;
    rugi_glcm_measured *measured =
        rugi_glcm_grow(own, &to->measured, n, sizeof *measured, "features");
    if (measured == NULL)
        return RUG_E_NOMEM;
    for (uint32_t d = 0; d < plan->n_distances; d++) {
        uint32_t distance = plan->distance[d];
        if (r->whole != NULL)
            status = rugi_glcm_whole_count(own, &job->workers->whole, r, distance);
        for (size_t k = 0; k < n && status == RUG_OK; k++, n_done++) {
            const rugi_glcm_counted what = {.region = i, .r = r, .d = d, .matrix = k};
            status = measure_matrix(own, job, &job->workers->counting[thread],
                                    &measured[k], &what);
            if (status == RUG_OK && whole != NULL)
                status =
                    rug_context_step(whole, done + (1 - done) * (double)(n_done + 1) /
                                                       ((double)n * plan->n_distances));
        }
        if (status != RUG_OK)
            return status;
        if (job->take == NULL)
            rugi_glcm_rows(rows + d * (plan->n_rows / plan->n_distances), measured, plan,
                           r, distance);
    }
    return RUG_OK;
}

static void region_task(void *shared, size_t task, int thread)
{
    const rugi_glcm_job *job = shared;
    rug_status status = measure_region(
        job, &job->workers->worker[thread].ctx, NULL, thread, job->first + task,
        job->rows != NULL ? job->rows + task * job->plan->n_rows : NULL);
    job->workers->outcome[task] = (outcome){status, thread};
}

/* Regions of a batch, a thread each; the first that failed, in their order, says why. */
static rug_status measure_small(rug_context *ctx, rugi_glcm_job *job)
{
    const workers *w = job->workers;
    memset(w->outcome, 0, job->n * sizeof *w->outcome);
    rug_status status = rugi_parallel_for(ctx, job->n, region_task, job);
    for (size_t i = 0; i < job->n && status == RUG_OK; i++)
        if (w->outcome[i].status != RUG_OK)
            return rug_context_fail(ctx, w->outcome[i].status, "%s",
                                    w->worker[w->outcome[i].thread].ctx.error);
    return status;
}

/* A large region, by all threads. Its many loops report no progress of their own. */
static rug_status measure_large(rug_context *ctx, const rugi_glcm_job *job)
{
    rug_context quiet = rugi_context_quiet(ctx);
    rug_status status = measure_region(job, &quiet, ctx, 0, job->first, job->rows);
    return quiet.error[0] != '\0' ? rug_context_fail(ctx, status, "%s", quiet.error)
                                  : status;
}

rug_status rugi_glcm_cpu(rug_context *ctx, void *job)
{
    const rugi_glcm_job *j = job;
    int is_slabs = rugi_glcm_is_streamed(j->plan) && j->plan->regions == NULL;
    return j->n == 1 && (is_slabs || rugi_glcm_area(j->plan, j->first) >= RUGI_GLCM_LARGE)
               ? measure_large(ctx, job)
               : measure_small(ctx, job);
}
