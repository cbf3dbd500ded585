/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Many small regions on an OpenCL device: all threads cut them out into the memory of a
 * launch, which is counted round by round. */

#include "glcm_launch.h"
#include <string.h>

/* Pixels of a region at most: those with its label. */
static uint64_t area_of(const rugi_glcm_launch *l, size_t i)
{
    const rugi_glcm_job *job = l->cl->job;
    return rugi_glcm_area(job->plan, job->first + l->first + i);
}

static rug_status make_room(rug_context *ctx, rugi_glcm_launch *l)
{
    static const char what[] = "regions for the device";
    l->kept = rug_context_allocate(ctx, l->n, sizeof *l->kept, what);
    l->outcome = rug_context_allocate(ctx, l->n, sizeof *l->outcome, what);
    if (l->kept == NULL || l->outcome == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < l->n; i++) {
        l->kept[i] =
            (rugi_glcm_kept){.first_word = l->n_words, .first_level = l->n_levels};
        l->n_words += rugi_glcm_cl_words(l->cl->job, l->cl->job->first + l->first + i);
        uint64_t most =
            area_of(l, i) < RUG_GLCM_MAX_SPAN ? area_of(l, i) : RUG_GLCM_MAX_SPAN;
        l->n_levels += (size_t)most + 1 + RUGI_GLCM_SLACK;
    }
    l->mask = rug_context_allocate(ctx, l->n_words, sizeof *l->mask, what);
    l->rank = rug_context_allocate(ctx, l->n_words, 64 * sizeof *l->rank, what);
    l->level_of = rug_context_allocate(ctx, l->n_levels, sizeof *l->level_of, what);
    l->count_of = rug_context_allocate(ctx, l->n_levels, sizeof *l->count_of, what);
    if (l->mask == NULL || l->rank == NULL || l->level_of == NULL || l->count_of == NULL)
        return RUG_E_NOMEM;
    memset(l->level_of, 0, l->n_levels * sizeof *l->level_of);
    return RUG_OK;
}

static void free_room(rug_context *ctx, rugi_glcm_launch *l)
{
    rugi_glcm_scratch *blocks[] = {&l->matrix_scratch, &l->offset_scratch,
                                   &l->found_scratch, &l->summed_scratch,
                                   &l->taken_scratch};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        rugi_glcm_scratch_free(ctx, blocks[i]);
    rug_context_release(ctx, l->count_of);
    rug_context_release(ctx, l->level_of);
    rug_context_release(ctx, l->rank);
    rug_context_release(ctx, l->mask);
    rug_context_release(ctx, l->outcome);
    rug_context_release(ctx, l->kept);
}

/* Copies a region that a worker has cut out into the memory of the launch. */
static void keep(rugi_glcm_launch *l, rugi_glcm_kept *k, const rugi_glcm_region *r)
{
    const rugi_glcm_tile *t = &r->tile;
    size_t n = t->n_ranks + (size_t)RUGI_GLCM_SLACK;
    k->region = (rugi_glcm_region){.label = r->label,
                                   .tile = *t,
                                   .values = r->values,
                                   .binning = r->binning,
                                   .n_levels = r->n_levels,
                                   .background = r->background,
                                   .n_most = r->n_most};
    rugi_glcm_tile *own = &k->region.tile;
    rugi_glcm_cl_move(own, l->mask + k->first_word, l->rank + 64 * k->first_word);
    own->level_of =
        memcpy(l->level_of + k->first_level, t->level_of, n * sizeof *t->level_of);
    own->count = memcpy(l->count_of + k->first_level, t->count, n * sizeof *t->count);
}

/* Finds what the matrices of a region take, and whether local memory has room for each. */
static rug_status find_needs(rug_context *ctx, const rugi_glcm_launch *l,
                             rugi_glcm_kept *k, rugi_glcm_counting *c)
{
    const rugi_glcm_plan *p = l->cl->job->plan;
    rugi_glcm_matrices all = rugi_glcm_matrices_of(p, &k->region);
    uint64_t n_entries = 0;
    k->is_small = 1;
    for (uint32_t d = 0; d < p->n_distances; d++)
        for (size_t i = 0; i < all.n_slices * all.n_directions; i++) {
            rugi_glcm_cl_matrix described;
            rugi_glcm_place place;
            rug_status status =
                rugi_glcm_matrix_of(ctx, c, &place, p, &k->region, p->distance[d], i);
            if (status != RUG_OK)
                return status;
            k->is_small =
                k->is_small && rugi_glcm_cl_describe(&described, l->cl, &place.matrix);
            k->n_matrices++;
            k->n_offsets += place.matrix.n_offsets;
            n_entries += rugi_glcm_cl_entries(&place.matrix);
        }
    k->is_small = k->is_small && n_entries <= l->cl->most_bytes / sizeof *l->taken;
    k->n_entries = (size_t)n_entries;
    return RUG_OK;
}

/* Runs a task for regions of the round, or of all; the first that failed says why. */
rug_status rugi_glcm_launch_run(rug_context *ctx, rugi_glcm_launch *l, size_t n,
                                rugi_task_fn task)
{
    memset(l->outcome, 0, n * sizeof *l->outcome);
    rug_status status = rugi_parallel_for(ctx, n, task, l);
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        if (l->outcome[i].status != RUG_OK)
            return rug_context_fail(ctx, l->outcome[i].status, "%s",
                                    l->cl->workers[l->outcome[i].thread].ctx.error);
    return status;
}

/* A buffer, and what goes into it. */
rug_status rugi_glcm_launch_bring(rug_context *ctx, const rugi_glcm_launch *l,
                                  rugi_ocl_buffer **out, const void *data, size_t n,
                                  size_t size)
{
    rug_status status = rugi_ocl_buffer_new(ctx, l->cl->device, out, n, size,
                                            RUGI_OCL_READ, "regions of co-occurrence");
    return status == RUG_OK ? rugi_ocl_write(ctx, l->cl->device, *out, 0, data, n * size)
                            : status;
}

rug_glcm_row *rugi_glcm_launch_rows(const rugi_glcm_launch *l, size_t i)
{
    return l->cl->job->rows + (l->first + i) * l->cl->job->plan->n_rows;
}

static void cut_task(void *shared, size_t task, int thread)
{
    rugi_glcm_launch *l = shared;
    rugi_glcm_cl_worker *own = &l->cl->workers[thread];
    const rugi_glcm_job *job = l->cl->job;
    rug_status status =
        rugi_glcm_cut(&own->ctx, &own->region, job->plan, job->first + l->first + task);
    if (status == RUG_OK) {
        keep(l, &l->kept[task], &own->region);
        status = find_needs(&own->ctx, l, &l->kept[task], &own->counting);
    }
    l->outcome[task] = (rugi_glcm_outcome){status, thread};
}

/* Pixels go to the device once, entries come back round by round. */
static rug_status measure_rounds(rug_context *ctx, rugi_glcm_launch *l)
{
    const rugi_glcm_logs *logs = &l->cl->job->plan->logs;
    double n = (double)l->n;
    rug_status status = rugi_glcm_launch_bring(ctx, l, &l->mask_buffer, l->mask,
                                               l->n_words, sizeof *l->mask);
    if (status == RUG_OK)
        status = rugi_glcm_launch_bring(ctx, l, &l->rank_buffer, l->rank, 64 * l->n_words,
                                        sizeof *l->rank);
    if (status == RUG_OK && l->cl->with_sums)
        status = rugi_glcm_launch_bring(ctx, l, &l->level_buffer, l->level_of,
                                        l->n_levels, sizeof *l->level_of);
    if (status == RUG_OK && l->cl->with_sums)
        status = rugi_glcm_launch_bring(ctx, l, &l->t_buffer, logs->t, logs->n,
                                        sizeof *logs->t);
    while (status == RUG_OK && rugi_glcm_next_round(l)) {
        rugi_phase outer = rugi_phase_enter(ctx, (double)l->round / n,
                                            (double)(l->round + l->n_round) / n);
        status = rugi_glcm_measure_round(ctx, l);
        rugi_phase_leave(ctx, outer);
    }
    rugi_ocl_wait(ctx, l->cl->device);
    rugi_ocl_buffer_free(l->cl->device, l->t_buffer);
    rugi_ocl_buffer_free(l->cl->device, l->level_buffer);
    rugi_ocl_buffer_free(l->cl->device, l->mask_buffer);
    rugi_ocl_buffer_free(l->cl->device, l->rank_buffer);
    return status;
}

rug_status rugi_glcm_cl_small(rug_context *ctx, rugi_glcm_cl *cl, size_t first, size_t n)
{
    rugi_glcm_launch l = {.cl = cl, .first = first, .n = n};
    rug_status status = make_room(ctx, &l);
    rugi_phase outer = rugi_phase_enter(ctx, 0, 0.3);
    if (status == RUG_OK)
        status = rugi_glcm_launch_run(ctx, &l, n, cut_task);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, 0.3, 1);
    if (status == RUG_OK)
        status = measure_rounds(ctx, &l);
    rugi_phase_leave(ctx, outer);
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        if (!l.kept[i].is_small)
            status = rugi_glcm_cl_large(ctx, cl, cl->job->first + first + i,
                                        rugi_glcm_launch_rows(&l, i));
    free_room(ctx, &l);
    return status;
}
