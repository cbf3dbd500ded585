/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Dimensions of models, and the work of threads; see bench_hou_load.h. */

#include "bench_hou_load.h"
#include "bench.h"
#include "boxcount/hou/boxcount_scan.h"
#include <math.h>
#include <stdio.h>
#include <time.h>

#define MOST_THREADS 16

/* How the volume is shared out. */
enum { OF_SPACE, OF_CELLS, N_SPLITS };
static const char *const split_names[N_SPLITS] = {"of the space", "of the cells"};

void bench_print_dimensions(const bench_model *m, rug_context *ctx)
{
    static const rug_boxcount_of kinds[] = {RUG_BOXCOUNT_OF_NONEMPTY,
                                            RUG_BOXCOUNT_OF_BLACK, RUG_BOXCOUNT_OF_GRAY,
                                            RUG_BOXCOUNT_OF_WHITE};
    static const char *const names[] = {"nonempty", "black", "gray", "white"};
    printf("# %s, dimensions:", m->name);
    for (int i = 0; i < 4; i++) {
        rug_fit fit = RUG_FIT_INIT;
        if (rug_boxcount_fit(ctx, &fit, m->expected, kinds[i], NULL) != RUG_OK)
            bench_fail(rug_context_error(ctx));
        printf(" %s %.4f (R2 %.4f, %u sizes)%s", names[i], fit.slope, fit.r_squared,
               (unsigned)fit.n_sizes, i < 3 ? "," : "\n");
    }
}

/* The block at which a share begins: a block is the same part of the space as any other. */
static size_t share_begin(const rugi_cells *cells, int split, int n, int i)
{
    size_t low = 0, high = cells->n_blocks;
    if (split == OF_SPACE)
        return cells->n_blocks * (size_t)i / (size_t)n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rugi_cells_before(cells, middle) < cells->n * (uint64_t)i / (uint64_t)n)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Seconds that the processor has worked for this thread, whatever else it does. */
static double worked(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds for keys, sort and scan of the cells of some blocks. */
static double time_share(bench_model *m, rug_context *ctx, size_t begin, size_t end)
{
    uint64_t places[3 * RUGI_CELLS_BLOCK], asked = 0;
    const rugi_cells *cells = &m->packed.cells;
    rugi_key_counts counts;
    double began = worked();
    size_t n = 0;
    for (size_t b = begin; b < end; b++) {
        size_t n_block =
            (size_t)(rugi_cells_before(cells, b + 1) - rugi_cells_before(cells, b));
        if (n_block > 0) {
            cells->load(cells->user, b, places);
            m->kernels.encode_u64(&m->layout, places, n_block, m->keys + n);
            n += n_block;
        }
    }
    for (uint32_t i = 0; i < m->expected->facts.n_sizes; i++)
        asked |= (uint64_t)1 << m->layout.box_bits[i];
    if (n > 0 &&
        (rugi_sort_u64(ctx, m->keys, m->scratch, n, m->layout.bits, NULL) != RUG_OK ||
         rugi_scan_u64(ctx, &counts, m->keys, n, m->layout.bits, 3, asked, NULL) !=
             RUG_OK))
        bench_fail(rug_context_error(ctx));
    return worked() - began;
}

/* Returns the largest time over the mean. */
static double print_split(bench_model *m, rug_context *ctx, int split, int n_threads,
                          int n_runs)
{
    double best[MOST_THREADS], sum = 0, largest = 0;
    char name[BENCH_NAME + 80];
    for (int i = 0; i < n_threads; i++)
        best[i] = 1e30;
    for (int r = 0; r < n_runs; r++)
        for (int i = 0; i < n_threads; i++) {
            size_t begin = share_begin(&m->packed.cells, split, n_threads, i);
            size_t end = share_begin(&m->packed.cells, split, n_threads, i + 1);
            best[i] = fmin(best[i], time_share(m, ctx, begin, end));
        }
    for (int i = 0; i < n_threads; i++) {
        sum += best[i];
        largest = fmax(largest, best[i]);
    }
    for (int i = 0; i < n_threads; i++) {
        snprintf(name, sizeof name, "%s, equal parts %s, thread %d of %d", m->name,
                 split_names[split], i + 1, n_threads);
        bench_row(name, best[i], "mean of the threads", sum / n_threads, 0);
    }
    return largest / (sum / n_threads);
}

void bench_print_load(bench_model *m, rug_context *ctx, int n_runs)
{
    for (int n_threads = 2; n_threads <= MOST_THREADS; n_threads *= 2) {
        double uneven[N_SPLITS];
        char name[BENCH_NAME + 80];
        for (int split = 0; split < N_SPLITS; split++)
            uneven[split] = print_split(m, ctx, split, n_threads, n_runs);
        for (int split = 0; split < N_SPLITS; split++) {
            snprintf(name, sizeof name, "%s, equal parts %s, %d threads, imbalance",
                     m->name, split_names[split], n_threads);
            bench_rate_row(name, uneven[split], "largest/mean",
                           "equal parts of the space", uneven[OF_SPACE], 0);
        }
    }
}
