/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The CPU engine of maps of alpha: tiles to threads. */

#include "alpha_tile.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include <string.h>

/* Columns and rows of a tile of a volume, so that all that its windows reach stays in the
 * second-level cache. */
#define COLUMNS_3D 128
#define BAND_3D    16

/* Slices of a tile, per slice that windows reach, at least: those are read once more. */
#define RUN_PER_REACH 16

/* Tasks per thread from which on threads end at about the same time. */
#define TASKS_PER_THREAD 4

static void choose_kernels(rug_context *ctx, rugi_alpha_kernels *kernels)
{
    rugi_alpha_kernels_ref(kernels);
#ifdef RUGI_HAVE_X86_KERNELS
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX2)
        rugi_alpha_kernels_avx2(kernels);
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX512)
        rugi_alpha_kernels_avx512(kernels);
#else
    (void)ctx;
#endif
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void choose_tiles(rug_context *ctx, rugi_alpha_work *work)
{
    const size_t *shape = work->job->volume.shape;
    int is_flat = shape[1] == 1;
    work->columns = smaller(shape[2], is_flat ? RUGI_ALPHA_TILE : COLUMNS_3D);
    work->band = smaller(shape[1], BAND_3D);
    work->n_columns = (shape[2] - 1) / work->columns + 1;
    work->n_bands = (shape[1] - 1) / work->band + 1;
    size_t wanted = TASKS_PER_THREAD * (size_t)rug_context_threads(ctx);
    size_t runs = (wanted - 1) / (work->n_columns * work->n_bands) + 1;
    work->run = larger((shape[0] - 1) / runs + 1, (size_t)work->reach * RUN_PER_REACH);
    work->n_runs = (shape[0] - 1) / work->run + 1;
}

static void prepare(rug_context *ctx, rugi_alpha_work *work, const rugi_alpha_job *job)
{
    memset(work, 0, sizeof *work);
    choose_kernels(ctx, &work->kernels);
    work->job = job;
    work->reach = job->plan->reach;
    work->n_windows = job->plan->n_windows;
    work->is_wide = rugi_alpha_is_wide(job->plan, job->volume.dtype);
    work->n_parts = work->is_wide && job->plan->measure == RUG_ALPHA_SUM ? 2 : 1;
    choose_tiles(ctx, work);
    size_t reach = (size_t)work->reach;
    work->depth = 2 * reach + 1;
    work->n_rows = smaller(work->band + 2 * reach, job->volume.shape[1]);
    work->row = (work->columns + 2 * reach + 7) / 8 * 8;
}

typedef struct loop {
    const rugi_alpha_work *work;
    double *memory;
    size_t n_doubles; /* of a thread */
} loop;

static void fill_tile(void *shared, size_t task, int thread)
{
    const loop *l = shared;
    rugi_alpha_tile(l->work, task, l->memory + (size_t)thread * l->n_doubles);
}

rug_status rugi_alpha_cpu(rug_context *ctx, void *job)
{
    rugi_alpha_job *j = job;
    rugi_alpha_work work;
    prepare(ctx, &work, j);
    size_t n_tasks = work.n_columns * work.n_bands * work.n_runs;
    loop l = {&work, NULL, rugi_alpha_tile_doubles(&work)};
    l.memory = rug_context_allocate(ctx, (size_t)rugi_loop_threads(ctx, n_tasks),
                                    l.n_doubles * sizeof(double), "rows of alpha");
    if (l.memory == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_parallel_for(ctx, n_tasks, fill_tile, &l);
    rug_context_release(ctx, l.memory);
    j->engine = work.kernels.name;
    return status;
}
