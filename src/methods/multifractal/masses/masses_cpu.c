/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Whole blocks of a part on the processor: rows of blocks, cut in pieces, to threads. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "multifractal/opencl/masses_opencl.h"
#include <string.h>

/* Pixels of a loop: as many as lists take at once, or as tables of 32 bits can count. */
#define LIST_PIXELS  ((uint64_t)1 << 22)
#define TABLE_PIXELS ((uint64_t)1 << 31)

/* Work of the threads. */
typedef struct cpu_job {
    rug_masses *masses;
    const rugi_masses_part *part;
    rugi_masses_kernels kernels;
    rugi_box blocks;
    size_t first_task;
    size_t n_whole;  /* pixels of a row in whole blocks */
    size_t n_ragged; /* pixels of a row behind them, in a block that the edge cuts */
    size_t n_pieces, widest; /* of a row, and the pixels of the widest, in whole blocks */
    char *memory;            /* of the threads */
    size_t thread_bytes, slots, zero, scratch; /* and what lies where in it */
} cpu_job;

/* The pixels along x of a task. @return its first */
static size_t piece_of(const cpu_job *j, size_t task, size_t *n)
{
    const rugi_masses_plan *p = &j->masses->plan;
    size_t first = j->blocks.first[2] << p->block_bits[2];
    size_t at = task % j->n_pieces * p->piece;
    if (at >= j->n_whole) {
        *n = j->n_ragged;
        return first + j->n_whole;
    }
    *n = j->n_whole - at < p->piece ? j->n_whole - at : p->piece;
    return first + at;
}

static size_t to_blocks(const rugi_masses_plan *p, size_t n)
{
    size_t block = (size_t)1 << p->block_level;
    return (n + block - 1) / block * block;
}

static void run_task(void *shared, size_t task, int thread)
{
    const cpu_job *j = shared;
    rug_masses *m = j->masses;
    const rugi_masses_plan *p = &m->plan;
    char *memory = j->memory + (size_t)thread * j->thread_bytes;
    size_t n, index = task + j->first_task, x = piece_of(j, index, &n);
    size_t n_row = to_blocks(p, n), n_y = j->blocks.end[1] - j->blocks.first[1];
    size_t block_y = j->blocks.first[1] + index / j->n_pieces % n_y;
    size_t block_z = j->blocks.first[0] + index / j->n_pieces / n_y;
    rugi_masses_sink sink = {m->tables + (size_t)thread * p->n_entries, m->lists};
    rugi_masses_tile tile;
    rugi_masses_tile_begin(&tile, p, &j->kernels, memory, n_row, sink,
                           m->blocks +
                               (block_z * p->n_blocks[1] + block_y) * p->n_blocks[2] +
                               (x >> p->block_bits[2]));
    for (size_t k = 0; k < rugi_masses_tile_rows(p); k++) {
        size_t z, y;
        rugi_masses_tile_row(p, k, &z, &y);
        size_t at[3] = {(block_z << p->block_bits[0]) + z,
                        (block_y << p->block_bits[1]) + y, x};
        char *slot =
            memory + j->slots + k % (size_t)p->group * p->piece * j->kernels.pixel_size;
        int is_inside = at[0] < p->shape[0] && at[1] < p->shape[1];
        rugi_masses_tile_add(&tile, is_inside ? rugi_masses_row(&m->mass, p->kind,
                                                                j->part, at, n, n_row,
                                                                slot, memory + j->scratch)
                                              : memory + j->zero);
    }
}

static rug_status make_memory(rug_context *ctx, cpu_job *j)
{
    const rugi_masses_plan *p = &j->masses->plan;
    size_t row = p->piece * j->kernels.pixel_size, n = (size_t)rug_context_threads(ctx);
    j->slots = rugi_masses_tile_bytes(p, &j->kernels, p->piece);
    j->zero = j->slots + (size_t)p->group * row;
    j->scratch = j->zero + row;
    j->thread_bytes = j->scratch + RUGI_MASSES_SCRATCH;
    j->memory = rug_context_allocate(ctx, n, j->thread_bytes, "rows of masses");
    if (j->memory == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < n; t++)
        memset(j->memory + t * j->thread_bytes + j->zero, 0, row);
    return RUG_OK;
}

/* Room for what n tasks put on lists. */
static rug_status reserve(rug_context *ctx, const cpu_job *j, size_t n_tasks)
{
    rug_masses *m = j->masses;
    const rugi_masses_plan *p = &m->plan;
    rug_status status = RUG_OK;
    for (unsigned level = 0; level < p->block_level && status == RUG_OK; level++) {
        size_t boxes =
            rugi_masses_tile_rows(p) * j->widest >> (unsigned)p->n_axes * level;
        if (rugi_masses_has_list(p, level))
            status = rugi_mass_list_reserve(ctx, &m->lists[level], n_tasks * boxes);
    }
    return status;
}

static int has_lists(const rugi_masses_plan *p)
{
    for (unsigned level = 0; level < p->block_level; level++)
        if (rugi_masses_has_list(p, level))
            return 1;
    return 0;
}

static rug_status run_tasks(rug_context *ctx, cpu_job *j, size_t n_tasks)
{
    rug_masses *m = j->masses;
    uint64_t task_pixels = rugi_masses_tile_rows(&m->plan) * j->widest;
    uint64_t most = (has_lists(&m->plan) ? LIST_PIXELS : TABLE_PIXELS) / task_pixels;
    size_t chunk = most > 0 ? (size_t)most : 1;
    rug_status status = RUG_OK;
    for (size_t first = 0; first < n_tasks && status == RUG_OK; first += chunk) {
        size_t n = n_tasks - first < chunk ? n_tasks - first : chunk;
        double all = (double)n_tasks;
        if (m->n_tabled + n * task_pixels > UINT32_MAX)
            rugi_masses_drain(m);
        m->n_tabled += n * task_pixels;
        status = reserve(ctx, j, n);
        j->first_task = first;
        rugi_phase outer =
            rugi_phase_enter(ctx, (double)first / all, (double)(first + n) / all);
        if (status == RUG_OK)
            status = rugi_parallel_for(ctx, n, run_task, j);
        rugi_phase_leave(ctx, outer);
    }
    return status;
}

static rug_status run_cpu(rug_context *ctx, void *job)
{
    static const char *const names[] = {"cpu-ref", "cpu-avx2", "cpu-avx512"};
    rugi_masses_job *given = job;
    rug_masses *m = given->masses;
    const rugi_masses_plan *p = &m->plan;
    rug_cpu_level level = rug_context_cpu_level(ctx);
    cpu_job j = {.masses = m, .part = given->part, .blocks = given->blocks};
    j.kernels = rugi_masses_kernels_choose(level, p->kind);
    size_t block = (size_t)1 << p->block_level, x_end = j.blocks.end[2] * block;
    size_t n_x = (x_end < p->shape[2] ? x_end : p->shape[2]) - j.blocks.first[2] * block;
    j.n_ragged = n_x % block;
    j.n_whole = n_x - j.n_ragged;
    j.n_pieces = (j.n_whole + p->piece - 1) / p->piece + (j.n_ragged > 0);
    j.widest = j.n_whole == 0 ? block : j.n_whole < p->piece ? j.n_whole : p->piece;
    m->engine = names[level];
    rug_status status = rugi_masses_tables(ctx, m);
    if (status == RUG_OK)
        status = make_memory(ctx, &j);
    if (status == RUG_OK)
        status = run_tasks(ctx, &j,
                           (j.blocks.end[0] - j.blocks.first[0]) *
                               (j.blocks.end[1] - j.blocks.first[1]) * j.n_pieces);
    rug_context_release(ctx, j.memory);
    return status;
}

rug_status rugi_masses_run(rug_context *ctx, rugi_masses_job *job)
{
    /* `auto` takes no device: the way there takes longer than the work here. */
    static const rugi_engine table[] = {
#ifdef RUGI_HAVE_OPENCL
        {"opencl", RUGI_DEVICE_OPENCL, rugi_masses_opencl, rugi_engine_only_by_name},
#endif
        {"cpu", RUGI_DEVICE_CPU, run_cpu, NULL},
    };
    return rugi_engine_run(ctx, table, sizeof table / sizeof *table, job);
}
