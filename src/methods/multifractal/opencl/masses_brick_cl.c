/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A brick of whole blocks on an OpenCL device: the host makes its pixels rows of masses, the
 * device joins and counts them level by level. */

#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "masses_device.h"
#include <string.h>

/* Items of a group without local memory, at most. */
#define GROUP_ITEMS 64

/* The most copies of a table in local memory: one for each bank. */
#define COPIES_MAX 32

/* Whole blocks of the image, as pixels. */
typedef struct brick {
    const rugi_masses_device *device;
    size_t first[3], n[3];
} brick;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t boxes_of(const rugi_masses_plan *p, const brick *b, unsigned level)
{
    return b->n[0] * b->n[1] * b->n[2] >> (unsigned)p->n_axes * level;
}

/* A row of pixels at its place among the others; 0 where the image has none. */
static void stage_row(const brick *b, size_t z, size_t y, void *scratch)
{
    const rugi_masses_device *d = b->device;
    const rugi_masses_plan *p = d->plan;
    size_t size = d->of_pixels.size, at[3] = {b->first[0] + z, b->first[1] + y, 0};
    char *to = d->staging + (z * b->n[1] + y) * b->n[2] * size;
    if (at[0] >= p->shape[0] || at[1] >= p->shape[1]) {
        memset(to, 0, b->n[2] * size);
        return;
    }
    for (size_t x = 0, n_row; x < b->n[2]; x += n_row, to += n_row * size) {
        n_row = smaller(b->n[2] - x, RUGI_MASSES_ROW);
        at[2] = b->first[2] + x;
        size_t n = smaller(p->shape[2] - at[2], n_row);
        const void *row = rugi_masses_row(&d->job->masses->mass, p->kind, d->job->part,
                                          at, n, n_row, to, scratch);
        if (row != to)
            memcpy(to, row, n_row * size);
    }
}

static void stage_task(void *shared, size_t task, int thread)
{
    const brick *b = shared;
    const rugi_masses_device *d = b->device;
    const unsigned *bits = d->plan->block_bits;
    size_t n_y = b->n[1] >> bits[1], z0 = task / n_y << bits[0];
    size_t y0 = task % n_y << bits[1];
    for (size_t z = z0; z < z0 + ((size_t)1 << bits[0]); z++)
        for (size_t y = y0; y < y0 + ((size_t)1 << bits[1]); y++)
            stage_row(b, z, y, d->scratch + (size_t)thread * RUGI_MASSES_SCRATCH);
}

static rug_status upload(rug_context *ctx, rugi_masses_device *d, brick *b)
{
    const unsigned *bits = d->plan->block_bits;
    size_t n_rows = (b->n[0] >> bits[0]) * (b->n[1] >> bits[1]);
    rug_status status = rugi_parallel_for(ctx, n_rows, stage_task, b);
    return status == RUG_OK ? rugi_ocl_write(ctx, d->device, d->pixels, 0, d->staging,
                                             boxes_of(d->plan, b, 0) * d->of_pixels.size)
                            : status;
}

/* One item for each of n boxes. */
static rug_status run(rug_context *ctx, rugi_masses_device *d, rugi_ocl_kernel *kernel,
                      const rugi_ocl_arg *args, size_t n_args, size_t n)
{
    size_t group = smaller(rugi_ocl_kernel_group_max(kernel), GROUP_ITEMS);
    size_t items = (n + group - 1) / group * group;
    return rugi_ocl_run(ctx, d->device, kernel, args, n_args, 1, &items, &group);
}

static rug_status count_in_table(rug_context *ctx, rugi_masses_device *d,
                                 const rugi_masses_device_kernels *k,
                                 const rugi_masses_table *table,
                                 const rugi_ocl_buffer *boxes, size_t n_boxes)
{
    uint32_t n = (uint32_t)n_boxes, at = (uint32_t)table->counts_at, copies = 1;
    uint32_t size = (uint32_t)table->size;
    if (size > d->local_entries) {
        const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(boxes), RUGI_OCL_ARG(n),
                                     rugi_ocl_arg_buffer(d->counts), RUGI_OCL_ARG(at)};
        return run(ctx, d, k->count, args, 4, n_boxes);
    }
    while (copies < COPIES_MAX && (size_t)size * copies * 2 <= d->local_entries)
        copies *= 2;
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(boxes),
        RUGI_OCL_ARG(n),
        rugi_ocl_arg_buffer(d->counts),
        RUGI_OCL_ARG(at),
        RUGI_OCL_ARG(size),
        RUGI_OCL_ARG(copies),
        rugi_ocl_arg_local((size_t)size * copies * sizeof(uint32_t))};
    return rugi_ocl_grouped_run(ctx, d->device, &k->count_local, args, 7,
                                rugi_ocl_n_chunks(d->device, n_boxes));
}

static void widen(uint64_t *out, const void *masses, size_t size, size_t n)
{
    if (size == 8)
        memcpy(out, masses, n * sizeof *out);
    else
        for (size_t i = 0; i < n; i++)
            out[i] = size == 1   ? ((const uint8_t *)masses)[i]
                     : size == 2 ? ((const uint16_t *)masses)[i]
                                 : ((const uint32_t *)masses)[i];
}

/* Puts boxes on the list of their level. */
static rug_status take_list(rug_context *ctx, rugi_masses_device *d, unsigned level,
                            rugi_ocl_buffer *boxes, size_t n)
{
    size_t size = level > 0 ? d->of_sums.size : d->of_pixels.size;
    rug_status status = rugi_mass_list_reserve(ctx, &d->lists[level], n);
    if (status == RUG_OK && level > 0)
        status = rugi_ocl_read(ctx, d->device, boxes, 0, d->boxes, n * size);
    if (status == RUG_OK)
        widen(rugi_mass_list_take(&d->lists[level], n), level > 0 ? d->boxes : d->staging,
              size, n);
    return status;
}

/* Counts the boxes of a level, and joins them to those of the next one. */
static rug_status do_level(rug_context *ctx, rugi_masses_device *d, const brick *b,
                           unsigned level)
{
    const rugi_masses_plan *p = d->plan;
    const rugi_masses_device_kernels *k = level > 0 ? &d->of_sums : &d->of_pixels;
    rugi_ocl_buffer *boxes = level > 0 ? d->sums[level % 2] : d->pixels;
    size_t n = boxes_of(p, b, level), n_made = boxes_of(p, b, level + 1);
    rug_status status = RUG_OK;
    if (p->tables[level].size > 0)
        status = count_in_table(ctx, d, k, &p->tables[level], boxes, n);
    else if (rugi_masses_has_list(p, level))
        status = take_list(ctx, d, level, boxes, n);
    uint32_t made[4] = {(uint32_t)(b->n[2] >> (level + 1)),
                        (uint32_t)(b->n[1] >> (level + 1)), p->n_axes == 3 ? 2 : 1,
                        (uint32_t)n_made};
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(boxes), RUGI_OCL_ARG(made),
                                 rugi_ocl_arg_buffer(d->sums[(level + 1) % 2])};
    return status == RUG_OK ? run(ctx, d, k->join, args, 3, n_made) : status;
}

/* Reads the masses of blocks to their places in those of the job. */
static rug_status take_blocks(rug_context *ctx, rugi_masses_device *d,
                              const size_t first[3], const size_t n[3])
{
    const rugi_box *all = &d->job->blocks;
    size_t size = d->of_sums.size, n_rows = n[0] * n[1];
    size_t n_y = all->end[1] - all->first[1], n_x = all->end[2] - all->first[2];
    rug_status status = rugi_ocl_read(ctx, d->device, d->sums[d->plan->block_level % 2],
                                      0, d->boxes, n_rows * n[2] * size);
    for (size_t i = 0; i < n_rows && status == RUG_OK; i++) {
        size_t z = first[0] - all->first[0] + i / n[1];
        size_t y = first[1] - all->first[1] + i % n[1];
        widen(d->blocks + (z * n_y + y) * n_x + first[2] - all->first[2],
              (const char *)d->boxes + i * n[2] * size, size, n[2]);
    }
    return status;
}

unsigned rugi_masses_device_first_read(const rugi_masses_plan *plan)
{
    unsigned level = 1;
    while (level < plan->block_level && !rugi_masses_has_list(plan, level))
        level++;
    return level;
}

rug_status rugi_masses_device_drain(rug_context *ctx, rugi_masses_device *d)
{
    size_t n = d->plan->n_counts, n_bytes = n * sizeof *d->host_counts;
    if (n == 0)
        return RUG_OK;
    rug_status status =
        rugi_ocl_read(ctx, d->device, d->counts, 0, d->host_counts, n_bytes);
    if (status == RUG_OK)
        status = rugi_ocl_zero(ctx, d->device, d->counts, 0, n_bytes);
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        d->tables[i] += d->host_counts[i];
    d->n_counted = 0;
    return status;
}

rug_status rugi_masses_device_brick(rug_context *ctx, rugi_masses_device *d,
                                    const size_t first[3], const size_t n_blocks[3])
{
    const rugi_masses_plan *p = d->plan;
    rug_status status = RUG_OK;
    brick b = {.device = d};
    for (int a = 0; a < 3; a++) {
        b.first[a] = first[a] << p->block_bits[a];
        b.n[a] = n_blocks[a] << p->block_bits[a];
    }
    if (d->n_counted + boxes_of(p, &b, 0) > UINT32_MAX)
        status = rugi_masses_device_drain(ctx, d);
    d->n_counted += boxes_of(p, &b, 0);
    if (status == RUG_OK)
        status = upload(ctx, d, &b);
    for (unsigned level = 0; level < p->block_level && status == RUG_OK; level++)
        status = do_level(ctx, d, &b, level);
    return status == RUG_OK ? take_blocks(ctx, d, first, n_blocks) : status;
}
