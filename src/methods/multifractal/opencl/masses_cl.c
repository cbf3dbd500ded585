/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of box masses: whole blocks of a part, in bricks. */

#include "core/context/context_internal.h"
#include "masses_device.h"
#include "masses_opencl.h"
#include <stdio.h>
#include <string.h>

extern const rugi_ocl_source rugi_cl_masses;

/* Bytes of the pixels of a brick where nothing else is asked for, and its most pixels. */
#define BRICK_BYTES  ((size_t)64 << 20)
#define BRICK_PIXELS ((size_t)1 << 30)

/* Bytes of a table in local memory: so few that a unit has room for several groups. */
#define TABLE_BYTES ((size_t)1 << 14)

static size_t product(const size_t n[3])
{
    return n[0] * n[1] * n[2];
}

/* Pixels of the largest brick. */
static size_t brick_pixels(const rugi_masses_device *d)
{
    const unsigned *bits = d->plan->block_bits;
    return product(d->side) << (bits[0] + bits[1] + bits[2]);
}

/* Halves the longest side until a brick is small enough. */
static void plan_bricks(rugi_masses_device *d, size_t most_bytes)
{
    const rugi_box *all = &d->job->blocks;
    for (int a = 0; a < 3; a++)
        d->side[a] = all->end[a] - all->first[a];
    while (brick_pixels(d) > BRICK_PIXELS ||
           brick_pixels(d) * d->of_pixels.size > most_bytes) {
        int longest = 0;
        for (int a = 1; a < 3; a++)
            longest = d->side[a] > d->side[longest] ? a : longest;
        if (d->side[longest] == 1)
            break;
        d->side[longest] = (d->side[longest] + 1) / 2;
    }
}

static rug_status get_kernels(rug_context *ctx, rugi_masses_device *d,
                              rugi_masses_device_kernels *k, size_t size)
{
    static const rugi_ocl_source *const sources[] = {&rugi_cl_masses};
    char options[64];
    k->size = size;
    snprintf(options, sizeof options, "-DIN_BYTES=%zu -DOUT_BYTES=%zu", size,
             d->of_sums.size);
    rugi_ocl_build build = {.sources = sources, .n_sources = 1, .options = options};
    rug_status status =
        rugi_ocl_kernel_get(ctx, d->device, &k->join, &build, "masses_join");
    if (status == RUG_OK)
        status = rugi_ocl_kernel_get(ctx, d->device, &k->count, &build, "masses_count");
    if (status == RUG_OK && d->local_entries > 0)
        status = rugi_ocl_grouped_get(ctx, d->device, &k->count_local, &rugi_cl_masses,
                                      options, "masses_count_local");
    return status;
}

static rug_status make_host_memory(rug_context *ctx, rugi_masses_device *d)
{
    const rugi_masses_plan *p = d->plan;
    const rugi_box *all = &d->job->blocks;
    size_t n = brick_pixels(d), n_threads = (size_t)rug_context_threads(ctx);
    size_t n_read = n >> (unsigned)p->n_axes * rugi_masses_device_first_read(p);
    size_t n_blocks[3];
    for (int a = 0; a < 3; a++)
        n_blocks[a] = all->end[a] - all->first[a];
    d->staging = rug_context_allocate(ctx, n, d->of_pixels.size, "masses of a brick");
    d->boxes = rug_context_allocate(ctx, n_read, d->of_sums.size, "boxes of a brick");
    d->scratch =
        rug_context_allocate(ctx, n_threads, RUGI_MASSES_SCRATCH, "rows of masses");
    d->host_counts =
        rug_context_allocate(ctx, p->n_counts, sizeof *d->host_counts, "tables");
    d->tables = rug_context_allocate(ctx, p->n_counts, sizeof *d->tables, "tables");
    d->blocks = rug_context_allocate(ctx, product(n_blocks), sizeof *d->blocks,
                                     "masses of blocks");
    if (d->staging == NULL || d->boxes == NULL || d->scratch == NULL ||
        d->host_counts == NULL || d->tables == NULL || d->blocks == NULL)
        return RUG_E_NOMEM;
    memset(d->tables, 0, p->n_counts * sizeof *d->tables);
    return RUG_OK;
}

static rug_status make_device_memory(rug_context *ctx, rugi_masses_device *d)
{
    const rugi_masses_plan *p = d->plan;
    size_t n = brick_pixels(d);
    rug_status status = rugi_ocl_buffer_new(ctx, d->device, &d->pixels, n,
                                            d->of_pixels.size, RUGI_OCL_READ, "masses");
    for (unsigned level = 1; level <= 2 && status == RUG_OK; level++)
        status = rugi_ocl_buffer_new(ctx, d->device, &d->sums[level % 2],
                                     n >> (unsigned)p->n_axes * level, d->of_sums.size,
                                     RUGI_OCL_READ_WRITE, "masses of boxes");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, d->device, &d->counts, p->n_counts,
                                     sizeof(uint32_t), RUGI_OCL_READ_WRITE, "tables");
    if (status == RUG_OK && p->n_counts > 0)
        status =
            rugi_ocl_zero(ctx, d->device, d->counts, 0, p->n_counts * sizeof(uint32_t));
    return status;
}

static void free_memory(rug_context *ctx, rugi_masses_device *d)
{
    rugi_ocl_buffer_free(d->device, d->pixels);
    rugi_ocl_buffer_free(d->device, d->sums[0]);
    rugi_ocl_buffer_free(d->device, d->sums[1]);
    rugi_ocl_buffer_free(d->device, d->counts);
    for (unsigned level = 0; level < RUGI_MASSES_FINE; level++)
        rugi_mass_list_free(ctx, &d->lists[level]);
    rug_context_release(ctx, d->staging);
    rug_context_release(ctx, d->boxes);
    rug_context_release(ctx, d->scratch);
    rug_context_release(ctx, d->host_counts);
    rug_context_release(ctx, d->tables);
    rug_context_release(ctx, d->blocks);
}

/* Bricks have side[a] blocks along each axis, those at the end what is left. */
static rug_status run_bricks(rug_context *ctx, rugi_masses_device *d)
{
    const rugi_box *all = &d->job->blocks;
    double n_all = (double)rugi_box_pixels(all), n_done = 0;
    size_t at[3], n[3];
    rug_status status = RUG_OK;
    for (at[0] = all->first[0]; at[0] < all->end[0]; at[0] += d->side[0])
        for (at[1] = all->first[1]; at[1] < all->end[1]; at[1] += d->side[1])
            for (at[2] = all->first[2]; at[2] < all->end[2]; at[2] += d->side[2]) {
                for (int a = 0; a < 3; a++)
                    n[a] = all->end[a] - at[a] < d->side[a] ? all->end[a] - at[a]
                                                            : d->side[a];
                double n_next = n_done + (double)product(n);
                rugi_phase outer = rugi_phase_enter(ctx, n_done / n_all, n_next / n_all);
                status = rugi_masses_device_brick(ctx, d, at, n);
                rugi_phase_leave(ctx, outer);
                if (status != RUG_OK)
                    return status;
                n_done = n_next;
            }
    return rugi_masses_device_drain(ctx, d);
}

/* An empty list becomes the other one, which is no copy. */
static rug_status take_list(rug_context *ctx, rugi_mass_list *to, rugi_mass_list *from)
{
    if (to->boxes != NULL || to->waiting != NULL)
        return rugi_mass_list_add(ctx, to, from);
    *to = *from;
    memset(from, 0, sizeof *from);
    return RUG_OK;
}

/* Hands the results over, when the device cannot fail any more. */
static rug_status take_results(rug_context *ctx, rugi_masses_device *d)
{
    rug_masses *m = d->job->masses;
    const rugi_masses_plan *p = d->plan;
    const rugi_box *all = &d->job->blocks;
    const uint64_t *row = d->blocks;
    size_t n_x = all->end[2] - all->first[2];
    for (unsigned level = 0; level < RUGI_MASSES_FINE; level++) {
        rug_status status = take_list(ctx, &m->lists[level], &d->lists[level]);
        if (status != RUG_OK)
            return status;
    }
    for (size_t i = 0; i < p->n_counts; i++)
        m->counts[i] += d->tables[i];
    for (size_t z = all->first[0]; z < all->end[0]; z++)
        for (size_t y = all->first[1]; y < all->end[1]; y++, row += n_x)
            memcpy(m->blocks + (z * p->n_blocks[1] + y) * p->n_blocks[2] + all->first[2],
                   row, n_x * sizeof *row);
    m->engine = rugi_ocl_engine_name(d->device);
    return RUG_OK;
}

/* What is known of a device when it is open. */
static rug_status prepare(rug_context *ctx, rugi_masses_device *d, size_t most_bytes,
                          size_t table_bytes)
{
    static const size_t sizes[RUGI_MASSES_KINDS] = {1, 1, 2, 8};
    uint64_t local = rugi_ocl_facts(d->device)->local_memory / 2;
    size_t size = sizes[d->plan->kind], n_bytes = d->plan->n_counts * sizeof(uint32_t);
    if (table_bytes == RUGI_MASSES_TABLE_AUTO)
        table_bytes = rugi_ocl_facts(d->device)->type == RUG_DEVICE_CPU ? 0 : TABLE_BYTES;
    d->local_entries =
        (size_t)(local < table_bytes ? local : table_bytes) / sizeof(uint32_t);
    d->of_sums.size = size == 8 ? 8 : 4;
    rug_status status = get_kernels(ctx, d, &d->of_pixels, size);
    if (status == RUG_OK)
        status = get_kernels(ctx, d, &d->of_sums, d->of_sums.size);
    size_t room = rugi_ocl_piece_max(d->device, 3, n_bytes);
    plan_bricks(d, most_bytes < room ? most_bytes : room);
    return status;
}

rug_status rugi_masses_opencl_bricks(rug_context *ctx, rugi_masses_job *job,
                                     size_t most_bytes, size_t table_bytes)
{
    rugi_masses_device d = {.job = job, .plan = &job->masses->plan};
    rug_status status = rugi_ocl_open(ctx, &d.device);
    if (status == RUG_OK)
        status = prepare(ctx, &d, most_bytes, table_bytes);
    if (status != RUG_OK)
        return status;
    status = make_host_memory(ctx, &d);
    if (status == RUG_OK)
        status = make_device_memory(ctx, &d);
    if (status == RUG_OK)
        status = run_bricks(ctx, &d);
    if (status == RUG_OK)
        status = take_results(ctx, &d);
    else if (status != RUG_E_DEVICE)
        (void)rugi_ocl_wait(ctx, d.device);
    free_memory(ctx, &d);
    return status;
}

rug_status rugi_masses_opencl(rug_context *ctx, void *job)
{
    return rugi_masses_opencl_bricks(ctx, job, BRICK_BYTES, RUGI_MASSES_TABLE_AUTO);
}
