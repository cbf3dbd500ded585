/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Many small regions on an OpenCL device: all threads cut them out into the memory of a
 * launch, whose pixels are uploaded once; the matrices are counted round by round, so that the
 * entries fit. A work group counts each matrix in local memory, all threads make features of
 * the entries. */

#include "core/context/threads.h"
#include "glcm_opencl.h"
#include <string.h>

/* A region of the launch, whose pixels and levels lie in the launch's memory. */
typedef struct kept {
    rugi_glcm_region region;
    size_t first_word, first_level;
    int is_small; /* fits local memory */
    size_t n_matrices, n_offsets, n_entries;
    size_t first_matrix, first_offset; /* of the round */
} kept;

/* How a region went. */
typedef struct outcome {
    rug_status status;
    int thread;
} outcome;

/* What goes to the device, and comes back; a few regions are a round, whose entries fit. */
typedef struct launch {
    rugi_glcm_cl *cl;
    size_t first, n; /* regions of the job */
    kept *kept;
    outcome *outcome;
    size_t n_words, n_levels;
    uint64_t *mask;
    uint16_t *rank, *level_of;
    uint32_t *count_of;
    rugi_ocl_buffer *mask_buffer, *rank_buffer, *level_buffer, *t_buffer;
    size_t round, n_round; /* regions of the launch */
    size_t n_matrices, n_offsets, n_entries;
    rugi_glcm_cl_matrix *matrix;
    int32_t (*offset)[4];
    uint32_t n_device_counts;
    uint32_t (*found)[2]; /* of each matrix: where in `device_counts`, how many */
    rugi_glcm_device_count *device_counts; /* entries, or differences of levels */
    rugi_glcm_device_sums *summed;
    rugi_glcm_scratch matrix_scratch, offset_scratch, found_scratch,
        device_counts_scratch, summed_scratch;
} launch;

/* ---- The regions of a launch ---- */

/* Pixels of a region at most: those with its label. */
static uint64_t area_of(const launch *l, size_t i)
{
    const rugi_glcm_job *job = l->cl->job;
    return rugi_glcm_area(job->plan, job->first + l->first + i);
}

static rug_status make_launch(rug_context *ctx, launch *l)
{
    static const char what[] = "regions for the device";
    l->kept = rug_context_allocate(ctx, l->n, sizeof *l->kept, what);
    l->outcome = rug_context_allocate(ctx, l->n, sizeof *l->outcome, what);
    if (l->kept == NULL || l->outcome == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < l->n; i++) {
        l->kept[i] = (kept){.first_word = l->n_words, .first_level = l->n_levels};
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

static void free_launch(rug_context *ctx, launch *l)
{
    rugi_glcm_scratch *blocks[] = {&l->matrix_scratch, &l->offset_scratch,
                                   &l->found_scratch, &l->summed_scratch,
                                   &l->device_counts_scratch};
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
static void keep(launch *l, kept *k, const rugi_glcm_region *r)
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
    memcpy(k->region.first, r->first, sizeof r->first);
    memcpy(k->region.shape, r->shape, sizeof r->shape);
    rugi_glcm_tile *own = &k->region.tile;
    rugi_glcm_cl_move(own, l->mask + k->first_word, l->rank + 64 * k->first_word);
    own->level_of =
        memcpy(l->level_of + k->first_level, t->level_of, n * sizeof *t->level_of);
    own->count = memcpy(l->count_of + k->first_level, t->count, n * sizeof *t->count);
}

/* Finds what the matrices of a region take, and whether each fits local memory. */
static rug_status find_needs(rug_context *ctx, const launch *l, kept *k,
                             rugi_glcm_counting *c)
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
    k->is_small =
        k->is_small && n_entries <= l->cl->most_bytes / sizeof *l->device_counts;
    k->n_entries = (size_t)n_entries;
    return RUG_OK;
}

/* Runs a task for n regions; the first that failed, in their order, says why. */
static rug_status run_tasks(rug_context *ctx, launch *l, size_t n, rugi_task_fn task)
{
    memset(l->outcome, 0, n * sizeof *l->outcome);
    rug_status status = rugi_parallel_for(ctx, n, task, l);
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        if (l->outcome[i].status != RUG_OK)
            return rug_context_fail(ctx, l->outcome[i].status, "%s",
                                    l->cl->workers[l->outcome[i].thread].ctx.error);
    return status;
}

/* Makes a buffer, and writes what goes into it. */
static rug_status upload(rug_context *ctx, const launch *l, rugi_ocl_buffer **out,
                         const void *data, size_t n, size_t size)
{
    rug_status status = rugi_ocl_buffer_new(ctx, l->cl->device, out, n, size,
                                            RUGI_OCL_READ, "regions of co-occurrence");
    return status == RUG_OK ? rugi_ocl_write(ctx, l->cl->device, *out, 0, data, n * size)
                            : status;
}

/* The rows of region i of the launch. */
static rugi_glcm_row *rows_of(const launch *l, size_t i)
{
    return l->cl->job->rows + (l->first + i) * l->cl->job->plan->n_rows;
}

static void cut_task(void *shared, size_t task, int thread)
{
    launch *l = shared;
    rugi_glcm_cl_worker *own = &l->cl->workers[thread];
    const rugi_glcm_job *job = l->cl->job;
    rug_status status =
        rugi_glcm_cut(&own->ctx, &own->region, job->plan, job->first + l->first + task);
    if (status == RUG_OK) {
        keep(l, &l->kept[task], &own->region);
        status = find_needs(&own->ctx, l, &l->kept[task], &own->counting);
    }
    l->outcome[task] = (outcome){status, thread};
}

/* ---- A round ---- */

/* The next regions whose entries fit, at least one, without those that are not small.
 * @return 0 when there are no more */
static int next_round(launch *l)
{
    size_t most = l->cl->most_bytes / sizeof *l->device_counts;
    l->round += l->n_round;
    l->n_round = l->n_matrices = l->n_offsets = l->n_entries = 0;
    while (l->round < l->n && !l->kept[l->round].is_small)
        l->round++;
    for (size_t i = l->round; i < l->n && l->kept[i].is_small; i++, l->n_round++) {
        kept *k = &l->kept[i];
        if (l->n_round > 0 && l->n_entries + k->n_entries > most)
            break;
        k->first_matrix = l->n_matrices;
        k->first_offset = l->n_offsets;
        l->n_matrices += k->n_matrices;
        l->n_offsets += k->n_offsets;
        l->n_entries += k->n_entries;
    }
    return l->n_round > 0;
}

static rug_status make_round(rug_context *ctx, launch *l)
{
    static const char what[] = "matrices for the device";
    size_t n = l->n_matrices;
    l->matrix = rugi_glcm_grow(ctx, &l->matrix_scratch, n, sizeof *l->matrix, what);
    l->offset = rugi_glcm_grow(ctx, &l->offset_scratch, l->n_offsets + 1,
                               sizeof *l->offset, what);
    l->found = rugi_glcm_grow(ctx, &l->found_scratch, n, sizeof *l->found, what);
    l->device_counts = rugi_glcm_grow(ctx, &l->device_counts_scratch, l->n_entries + 1,
                                      sizeof *l->device_counts, what);
    if (l->cl->with_sums)
        l->summed = rugi_glcm_grow(ctx, &l->summed_scratch, n, sizeof *l->summed, what);
    int failed = l->matrix == NULL || l->offset == NULL || l->found == NULL ||
                 l->device_counts == NULL || (l->cl->with_sums && l->summed == NULL);
    return failed ? RUG_E_NOMEM : RUG_OK;
}

static rug_status describe(rug_context *ctx, launch *l, kept *k, rugi_glcm_counting *c)
{
    const rugi_glcm_plan *p = l->cl->job->plan;
    rugi_glcm_matrices all = rugi_glcm_matrices_of(p, &k->region);
    rugi_glcm_cl_matrix *out = l->matrix + k->first_matrix;
    size_t offset = k->first_offset;
    for (uint32_t d = 0; d < p->n_distances; d++)
        for (size_t i = 0; i < all.n_slices * all.n_directions; i++, out++) {
            rugi_glcm_place place;
            rug_status status =
                rugi_glcm_matrix_of(ctx, c, &place, p, &k->region, p->distance[d], i);
            if (status != RUG_OK)
                return status;
            rugi_glcm_cl_describe(out, l->cl, &place.matrix);
            rugi_glcm_cl_offsets(l->offset + offset, &place.matrix);
            out->first_word = (uint32_t)(place.tile.mask - l->mask);
            out->first_offset = (uint32_t)offset;
            out->first_level = (uint32_t)k->first_level;
            offset += place.matrix.n_offsets;
        }
    return RUG_OK;
}

static void describe_task(void *shared, size_t task, int thread)
{
    launch *l = shared;
    rugi_glcm_cl_worker *own = &l->cl->workers[thread];
    rug_status status = describe(&own->ctx, l, &l->kept[l->round + task], &own->counting);
    l->outcome[task] = (outcome){status, thread};
}

/* The sums of a matrix from what the device has found. */
static rug_status sum_found(const launch *l, rugi_glcm_cl_worker *own,
                            rugi_glcm_sums *out, const rugi_glcm_matrix *m, size_t at)
{
    uint32_t first = l->found[at][0], n = l->found[at][1];
    if (first > l->n_device_counts || n > l->n_device_counts - first ||
        n > rugi_glcm_cl_entries(m))
        return rugi_glcm_cl_fail_impossible(&own->ctx, l->cl);
    const rugi_glcm_device_count *device_counts = l->device_counts + first;
    if (l->cl->with_sums)
        return rugi_glcm_sum_device_sums(&own->ctx, &own->counting, out, m,
                                         &l->summed[at], device_counts, n);
    return rugi_glcm_sum_device_counts(&own->ctx, &own->counting, out, m, device_counts,
                                       n);
}

/* The rows of a region. */
static rug_status finish(const launch *l, const kept *k, rugi_glcm_cl_worker *own,
                         rugi_glcm_row *rows)
{
    const rugi_glcm_plan *p = l->cl->job->plan;
    rugi_glcm_matrices all = rugi_glcm_matrices_of(p, &k->region);
    size_t n = all.n_slices * all.n_directions, at = k->first_matrix;
    rugi_glcm_measured *measured =
        rugi_glcm_grow(&own->ctx, &own->measured, n, sizeof *measured, "features");
    rug_status status = measured != NULL ? RUG_OK : RUG_E_NOMEM;
    for (uint32_t d = 0; d < p->n_distances && status == RUG_OK; d++) {
        uint32_t distance = p->distance[d];
        for (size_t i = 0; i < n && status == RUG_OK; i++, at++) {
            rugi_glcm_place place;
            rugi_glcm_sums sums = {0};
            status = rugi_glcm_matrix_of(&own->ctx, &own->counting, &place, p, &k->region,
                                         distance, i);
            if (status == RUG_OK && place.matrix.n_offsets > 0)
                status = sum_found(l, own, &sums, &place.matrix, at);
            if (status == RUG_OK)
                rugi_glcm_finish(&measured[i], &sums, p, &k->region);
        }
        if (status == RUG_OK)
            rugi_glcm_rows(rows + d * (p->n_rows / p->n_distances), measured, p,
                           &k->region, distance);
    }
    if (status == RUG_OK)
        rugi_glcm_cl_sign(l->cl, rows);
    return status;
}

static void finish_task(void *shared, size_t task, int thread)
{
    launch *l = shared;
    size_t i = l->round + task;
    rug_status status = finish(l, &l->kept[i], &l->cl->workers[thread], rows_of(l, i));
    l->outcome[task] = (outcome){status, thread};
}

/* The buffers of a round. */
typedef struct round_buffers {
    rugi_ocl_buffer *matrix, *offset, *entry, *n_all, *found, *summed;
} round_buffers;

/* Local memory of a group: its slots, and then a sum of each item. */
static size_t local_bytes(const launch *l)
{
    size_t n_bytes = l->cl->with_sums ? l->cl->small.items * sizeof *l->summed : 0;
    for (size_t i = 0; i < l->n_matrices; i++) {
        size_t of_slots = l->matrix[i].n_slots * sizeof(uint32_t);
        n_bytes = of_slots > n_bytes ? of_slots : n_bytes;
    }
    return (n_bytes + 7) / 8 * 8;
}

static rug_status run_small(rug_context *ctx, const launch *l, const round_buffers *b)
{
    const rugi_glcm_cl_kernel *k = &l->cl->small;
    rugi_ocl_arg args[11] = {
        rugi_ocl_arg_buffer(l->mask_buffer), rugi_ocl_arg_buffer(l->rank_buffer),
        rugi_ocl_arg_buffer(b->matrix),      rugi_ocl_arg_buffer(b->offset),
        rugi_ocl_arg_buffer(b->entry),       rugi_ocl_arg_buffer(b->n_all),
        rugi_ocl_arg_buffer(b->found)};
    size_t n_args = 7, items = l->n_matrices * k->items;
    if (l->cl->with_sums) {
        args[n_args++] = rugi_ocl_arg_buffer(l->level_buffer);
        args[n_args++] = rugi_ocl_arg_buffer(l->t_buffer);
        args[n_args++] = rugi_ocl_arg_buffer(b->summed);
    }
    args[n_args++] = rugi_ocl_arg_local(local_bytes(l));
    return rugi_ocl_run(ctx, l->cl->device, k->kernel, args, n_args, 1, &items,
                        &k->items);
}

static rug_status make_buffers(rug_context *ctx, const launch *l, round_buffers *b)
{
    static const char what[] = "matrices of co-occurrence";
    rugi_ocl *device = l->cl->device;
    size_t n = l->n_matrices;
    rug_status status =
        upload(ctx, l, &b->matrix, l->matrix, l->n_matrices, sizeof *l->matrix);
    if (status == RUG_OK && l->n_offsets > 0)
        status = upload(ctx, l, &b->offset, l->offset, l->n_offsets, sizeof *l->offset);
    else if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, device, &b->offset, 1, 16, RUGI_OCL_READ, what);
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, device, &b->entry, l->n_entries + 1,
                                     sizeof *l->device_counts, RUGI_OCL_WRITE, what);
    if (status == RUG_OK)
        status =
            rugi_ocl_buffer_new(ctx, device, &b->n_all, 1, 4, RUGI_OCL_READ_WRITE, what);
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, device, &b->found, n, sizeof *l->found,
                                     RUGI_OCL_WRITE, what);
    if (status == RUG_OK && l->cl->with_sums)
        status = rugi_ocl_buffer_new(ctx, device, &b->summed, n, sizeof *l->summed,
                                     RUGI_OCL_WRITE, what);
    return status == RUG_OK ? rugi_ocl_zero(ctx, device, b->n_all, 0, 4) : status;
}

static rug_status read_found(rug_context *ctx, launch *l, const round_buffers *b)
{
    rugi_ocl *device = l->cl->device;
    size_t n = l->n_matrices;
    rug_status status = rugi_ocl_read(ctx, device, b->n_all, 0, &l->n_device_counts, 4);
    if (status == RUG_OK && l->n_device_counts > l->n_entries)
        return rugi_glcm_cl_fail_impossible(ctx, l->cl);
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, device, b->found, 0, l->found, n * sizeof *l->found);
    if (status == RUG_OK && l->cl->with_sums)
        status =
            rugi_ocl_read(ctx, device, b->summed, 0, l->summed, n * sizeof *l->summed);
    if (status == RUG_OK && l->n_device_counts > 0)
        status = rugi_ocl_read(ctx, device, b->entry, 0, l->device_counts,
                               l->n_device_counts * sizeof *l->device_counts);
    return status;
}

static rug_status count_matrices(rug_context *ctx, launch *l)
{
    round_buffers b = {0};
    rugi_ocl *device = l->cl->device;
    rug_status status = make_buffers(ctx, l, &b);
    if (status == RUG_OK)
        status = run_small(ctx, l, &b);
    if (status == RUG_OK)
        status = read_found(ctx, l, &b);
    rugi_ocl_wait(ctx, device); /* what it brings may be on the way after a failure */
    rugi_ocl_buffer *all[] = {b.matrix, b.offset, b.entry, b.n_all, b.found, b.summed};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        rugi_ocl_buffer_free(device, all[i]);
    return status;
}

static rug_status measure_round(rug_context *ctx, launch *l)
{
    rug_status status = make_round(ctx, l);
    RUGI_PHASE(ctx, 0, 0.1, status, run_tasks(ctx, l, l->n_round, describe_task));
    if (status == RUG_OK)
        status = count_matrices(ctx, l);
    RUGI_PHASE(ctx, 0.5, 1, status, run_tasks(ctx, l, l->n_round, finish_task));
    return status;
}

/* ---- All rounds ---- */

/* Pixels go to the device once, entries come back round by round. */
static rug_status measure_rounds(rug_context *ctx, launch *l)
{
    const rugi_glcm_logs *logs = &l->cl->job->plan->logs;
    double n = (double)l->n;
    rug_status status =
        upload(ctx, l, &l->mask_buffer, l->mask, l->n_words, sizeof *l->mask);
    if (status == RUG_OK)
        status =
            upload(ctx, l, &l->rank_buffer, l->rank, 64 * l->n_words, sizeof *l->rank);
    if (status == RUG_OK && l->cl->with_sums)
        status = upload(ctx, l, &l->level_buffer, l->level_of, l->n_levels,
                        sizeof *l->level_of);
    if (status == RUG_OK && l->cl->with_sums)
        status = upload(ctx, l, &l->t_buffer, logs->t, logs->n, sizeof *logs->t);
    while (status == RUG_OK && next_round(l)) {
        RUGI_PHASE(ctx, (double)l->round / n, (double)(l->round + l->n_round) / n, status,
                   measure_round(ctx, l));
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
    launch l = {.cl = cl, .first = first, .n = n};
    rug_status status = make_launch(ctx, &l);
    RUGI_PHASE(ctx, 0, 0.3, status, run_tasks(ctx, &l, n, cut_task));
    RUGI_PHASE(ctx, 0.3, 1, status, measure_rounds(ctx, &l));
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        if (!l.kept[i].is_small)
            status =
                rugi_glcm_cl_large(ctx, cl, cl->job->first + first + i, rows_of(&l, i));
    free_launch(ctx, &l);
    return status;
}
