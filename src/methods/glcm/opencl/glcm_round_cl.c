/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A round of small regions on an OpenCL device: a work group counts each matrix in local
 * memory, all threads make features of the entries. */

#include "glcm_launch.h"

/* The next regions whose entries fit, at least one, without those that are not small.
 * @return 0 when there are no more */
int rugi_glcm_next_round(rugi_glcm_launch *l)
{
    size_t most = l->cl->most_bytes / sizeof *l->taken;
    l->round += l->n_round;
    l->n_round = l->n_matrices = l->n_offsets = l->n_entries = 0;
    while (l->round < l->n && !l->kept[l->round].is_small)
        l->round++;
    for (size_t i = l->round; i < l->n && l->kept[i].is_small; i++, l->n_round++) {
        rugi_glcm_kept *k = &l->kept[i];
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

static rug_status make_round_room(rug_context *ctx, rugi_glcm_launch *l)
{
    static const char what[] = "matrices for the device";
    size_t n = l->n_matrices;
    l->matrix = rugi_glcm_grow(ctx, &l->matrix_scratch, n, sizeof *l->matrix, what);
    l->offset = rugi_glcm_grow(ctx, &l->offset_scratch, l->n_offsets + 1,
                               sizeof *l->offset, what);
    l->found = rugi_glcm_grow(ctx, &l->found_scratch, n, sizeof *l->found, what);
    l->taken =
        rugi_glcm_grow(ctx, &l->taken_scratch, l->n_entries + 1, sizeof *l->taken, what);
    if (l->cl->with_sums)
        l->summed = rugi_glcm_grow(ctx, &l->summed_scratch, n, sizeof *l->summed, what);
    int failed = l->matrix == NULL || l->offset == NULL || l->found == NULL ||
                 l->taken == NULL || (l->cl->with_sums && l->summed == NULL);
    return failed ? RUG_E_NOMEM : RUG_OK;
}

static rug_status describe(rug_context *ctx, rugi_glcm_launch *l, rugi_glcm_kept *k,
                           rugi_glcm_counting *c)
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
    rugi_glcm_launch *l = shared;
    rugi_glcm_cl_worker *own = &l->cl->workers[thread];
    rug_status status = describe(&own->ctx, l, &l->kept[l->round + task], &own->counting);
    l->outcome[task] = (rugi_glcm_outcome){status, thread};
}

/* The sums of a matrix from what the device has found. */
static rug_status sum_found(const rugi_glcm_launch *l, rugi_glcm_cl_worker *own,
                            rugi_glcm_sums *out, const rugi_glcm_matrix *m, size_t at)
{
    uint32_t first = l->found[at][0], n = l->found[at][1];
    if (first > l->n_taken || n > l->n_taken - first || n > rugi_glcm_cl_entries(m))
        return rugi_glcm_cl_disbelieve(&own->ctx, l->cl);
    const rugi_glcm_device_count *taken = l->taken + first;
    if (l->cl->with_sums)
        return rugi_glcm_sum_device_sums(&own->ctx, &own->counting, out, m,
                                         &l->summed[at], taken, n);
    return rugi_glcm_sum_device_counts(&own->ctx, &own->counting, out, m, taken, n);
}

/* The rows of a region. */
static rug_status finish(const rugi_glcm_launch *l, const rugi_glcm_kept *k,
                         rugi_glcm_cl_worker *own, rug_glcm_row *rows)
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
    rugi_glcm_launch *l = shared;
    size_t i = l->round + task;
    rug_status status =
        finish(l, &l->kept[i], &l->cl->workers[thread], rugi_glcm_launch_rows(l, i));
    l->outcome[task] = (rugi_glcm_outcome){status, thread};
}

/* The buffers of a round. */
typedef struct round_buffers {
    rugi_ocl_buffer *matrix, *offset, *entry, *n_all, *found, *summed;
} round_buffers;

/* Local memory of a group: its slots, and then a sum of each item. */
static size_t local_bytes(const rugi_glcm_launch *l)
{
    size_t n_bytes = l->cl->with_sums ? l->cl->small.items * sizeof *l->summed : 0;
    for (size_t i = 0; i < l->n_matrices; i++) {
        size_t of_slots = l->matrix[i].n_slots * sizeof(uint32_t);
        n_bytes = of_slots > n_bytes ? of_slots : n_bytes;
    }
    return (n_bytes + 7) / 8 * 8;
}

static rug_status run_small(rug_context *ctx, const rugi_glcm_launch *l,
                            const round_buffers *b)
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

static rug_status make_buffers(rug_context *ctx, const rugi_glcm_launch *l,
                               round_buffers *b)
{
    static const char what[] = "matrices of co-occurrence";
    rugi_ocl *device = l->cl->device;
    size_t n = l->n_matrices;
    rug_status status = rugi_glcm_launch_bring(ctx, l, &b->matrix, l->matrix,
                                               l->n_matrices, sizeof *l->matrix);
    if (status == RUG_OK && l->n_offsets > 0)
        status = rugi_glcm_launch_bring(ctx, l, &b->offset, l->offset, l->n_offsets,
                                        sizeof *l->offset);
    else if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, device, &b->offset, 1, 16, RUGI_OCL_READ, what);
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, device, &b->entry, l->n_entries + 1,
                                     sizeof *l->taken, RUGI_OCL_WRITE, what);
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

static rug_status read_found(rug_context *ctx, rugi_glcm_launch *l,
                             const round_buffers *b)
{
    rugi_ocl *device = l->cl->device;
    size_t n = l->n_matrices;
    rug_status status = rugi_ocl_read(ctx, device, b->n_all, 0, &l->n_taken, 4);
    if (status == RUG_OK && l->n_taken > l->n_entries)
        return rugi_glcm_cl_disbelieve(ctx, l->cl);
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, device, b->found, 0, l->found, n * sizeof *l->found);
    if (status == RUG_OK && l->cl->with_sums)
        status =
            rugi_ocl_read(ctx, device, b->summed, 0, l->summed, n * sizeof *l->summed);
    if (status == RUG_OK && l->n_taken > 0)
        status = rugi_ocl_read(ctx, device, b->entry, 0, l->taken,
                               l->n_taken * sizeof *l->taken);
    return status;
}

static rug_status count_matrices(rug_context *ctx, rugi_glcm_launch *l)
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

rug_status rugi_glcm_measure_round(rug_context *ctx, rugi_glcm_launch *l)
{
    rug_status status = make_round_room(ctx, l);
    rugi_phase outer = rugi_phase_enter(ctx, 0, 0.1);
    if (status == RUG_OK)
        status = rugi_glcm_launch_run(ctx, l, l->n_round, describe_task);
    rugi_phase_leave(ctx, outer);
    if (status == RUG_OK)
        status = count_matrices(ctx, l);
    outer = rugi_phase_enter(ctx, 0.5, 1);
    if (status == RUG_OK)
        status = rugi_glcm_launch_run(ctx, l, l->n_round, finish_task);
    rugi_phase_leave(ctx, outer);
    return status;
}
