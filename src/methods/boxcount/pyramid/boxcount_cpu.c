/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The CPU engine of the pyramid: tiles to threads. */

#include "boxcount_pyramid.h"
#include "boxcount_tile.h"
#include "core/context/threads.h"
#include <string.h>

static void count_tile(void *workers, size_t task, int thread)
{
    rugi_worker_count_tile((rugi_worker *)workers + thread, task);
}

static uint64_t sum_lanes(const uint64_t lanes[RUGI_TALLY_LANES])
{
    uint64_t sum = 0;
    for (int i = 0; i < RUGI_TALLY_LANES; i++)
        sum += lanes[i];
    return sum;
}

static void add_tallies(const rugi_boxcount_plan *plan, const rugi_worker *workers,
                        size_t n_workers, rugi_boxcount_levels *levels)
{
    for (uint32_t m = 0; m < plan->n_levels && m <= RUGI_BLOCK_LEVEL; m++)
        for (size_t t = 0; t < n_workers; t++) {
            levels->nonempty[m] += sum_lanes(workers[t].tally.nonempty[m]);
            levels->black[m] += sum_lanes(workers[t].tally.black[m]);
        }
    levels->black[0] = levels->nonempty[0];
}

static void choose_kernels(rug_context *ctx, rugi_boxcount_kernels *kernels)
{
    rugi_boxcount_kernels_ref(kernels);
#ifdef RUGI_HAVE_X86_KERNELS
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX2)
        rugi_boxcount_kernels_avx2(kernels);
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX512)
        rugi_boxcount_kernels_avx512(kernels);
#else
    (void)ctx;
#endif
}

rug_status rugi_boxcount_cpu(rug_context *ctx, void *job)
{
    const rugi_boxcount_job *j = job;
    const rugi_boxcount_plan *plan = j->plan;
    rugi_boxcount_kernels kernels;
    choose_kernels(ctx, &kernels);
    size_t n_workers = (size_t)rugi_loop_threads(ctx, plan->n_tiles);
    size_t n_bytes = rugi_worker_bytes(plan);
    rug_status status = RUG_E_NOMEM;
    rugi_worker *workers =
        rug_context_allocate(ctx, n_workers, sizeof *workers, "box counting workers");
    char *memory = rug_context_allocate(ctx, n_workers, n_bytes, "packed rows");
    if (workers == NULL || memory == NULL)
        goto done;
    for (size_t t = 0; t < n_workers; t++)
        rugi_worker_init(&workers[t], plan, &kernels, j->blocks, memory + t * n_bytes);
    status = rugi_parallel_for(ctx, plan->n_tiles, count_tile, workers);
    if (status == RUG_OK) {
        add_tallies(plan, workers, n_workers, j->levels);
        j->levels->engine = kernels.name;
    }
done:
    rug_context_release(ctx, memory);
    rug_context_release(ctx, workers);
    return status;
}
