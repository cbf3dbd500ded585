/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The CPU engine of box counting: tiles to threads, and the few levels above 6 from one byte per
 * block of 64 cells. */

#include "boxcount_tile.h"
#include "threads.h"
#include <string.h>

static void count_tile(void *workers, size_t task, int thread)
{
    rugi_worker_count_tile((rugi_worker *)workers + thread, task);
}

/* One box of the next level from its 4 or 8 blocks; blocks outside of the grid are empty. */
static uint8_t merge_blocks(const uint8_t *blocks, const size_t n[3],
                            const size_t first[3], size_t deep)
{
    unsigned any = 0, all = RUGI_BLOCK_ALL;
    for (size_t k = 0; k < 4 * deep; k++) {
        size_t z = first[0] + k / 4, y = first[1] + k / 2 % 2, x = first[2] + k % 2;
        int inside = z < n[0] && y < n[1] && x < n[2];
        unsigned b = inside ? blocks[(z * n[1] + y) * n[2] + x] : 0;
        any |= b;
        all &= b;
    }
    return (uint8_t)((any & RUGI_BLOCK_ANY) | all);
}

/* Halves the grid of blocks along the box's axes, in place, counting the boxes of one level. */
static void halve_blocks(uint8_t *blocks, size_t n[3], int box_axes, rug_box_count *count)
{
    size_t deep = box_axes == 3 ? 2 : 1;
    size_t m[3] = {(n[0] + deep - 1) / deep, (n[1] + 1) / 2, (n[2] + 1) / 2};
    for (size_t z = 0; z < m[0]; z++)
        for (size_t y = 0; y < m[1]; y++)
            for (size_t x = 0; x < m[2]; x++) {
                uint8_t b =
                    merge_blocks(blocks, n, (size_t[3]){z * deep, 2 * y, 2 * x}, deep);
                blocks[(z * m[1] + y) * m[2] + x] = b;
                count->nonempty += b & RUGI_BLOCK_ANY;
                count->black += b / RUGI_BLOCK_ALL;
            }
    memcpy(n, m, sizeof m);
}

static uint64_t sum_lanes(const uint64_t lanes[RUGI_TALLY_LANES])
{
    uint64_t sum = 0;
    for (int i = 0; i < RUGI_TALLY_LANES; i++)
        sum += lanes[i];
    return sum;
}

static void collect(const rugi_boxcount_plan *plan, const rugi_worker *workers,
                    size_t n_workers, uint8_t *blocks, rug_boxcount_result *result)
{
    for (uint32_t m = 0; m < plan->n_sizes && m <= RUGI_BLOCK_LEVEL; m++)
        for (size_t t = 0; t < n_workers; t++) {
            result->counts[m].nonempty += sum_lanes(workers[t].tally.nonempty[m]);
            result->counts[m].black += sum_lanes(workers[t].tally.black[m]);
        }
    result->counts[0].black = result->counts[0].nonempty;
    size_t n[3];
    memcpy(n, plan->blocks, sizeof n);
    for (uint32_t m = RUGI_BLOCK_LEVEL + 1; m < plan->n_sizes; m++)
        halve_blocks(blocks, n, plan->box_axes, &result->counts[m]);
}

static void choose_leaf(rug_context *ctx, rugi_boxcount_leaf *leaf)
{
    rugi_boxcount_leaf_ref(leaf);
#ifdef RUGI_HAVE_X86_LEAVES
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX2)
        rugi_boxcount_leaf_avx2(leaf);
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX512)
        rugi_boxcount_leaf_avx512(leaf);
#else
    (void)ctx;
#endif
}

rug_status rugi_boxcount_cpu(rug_context *ctx, void *job)
{
    const rugi_boxcount_job *j = job;
    const rugi_boxcount_plan *plan = j->plan;
    rugi_boxcount_leaf leaf;
    choose_leaf(ctx, &leaf);
    size_t n_workers = (size_t)rugi_loop_threads(ctx, plan->n_tiles);
    size_t n_blocks = plan->blocks[0] * plan->blocks[1] * plan->blocks[2];
    size_t n_bytes = rugi_worker_bytes(plan);
    rug_status status = RUG_E_NOMEM;
    rugi_worker *workers =
        rug_context_allocate(ctx, n_workers, sizeof *workers, "box counting workers");
    char *memory = rug_context_allocate(ctx, n_workers, n_bytes, "packed rows");
    uint8_t *blocks = rug_context_allocate(ctx, n_blocks, 1, "blocks of 64 cells");
    if (workers == NULL || memory == NULL || blocks == NULL)
        goto done;
    for (size_t t = 0; t < n_workers; t++)
        rugi_worker_init(&workers[t], plan, &leaf, blocks, memory + t * n_bytes);
    status = rugi_parallel_for(ctx, plan->n_tiles, count_tile, workers);
    if (status == RUG_OK) {
        collect(plan, workers, n_workers, blocks, j->result);
        j->result->engine = leaf.name;
    }
done:
    rug_context_release(ctx, blocks);
    rug_context_release(ctx, memory);
    rug_context_release(ctx, workers);
    return status;
}
