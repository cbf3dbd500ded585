/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counting pixel by pixel: those inside of a mask, and those of each label, by the runs of
 * its pixels. */

#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "core/image/predicate.h"
#include "lbp_run.h"
#include <string.h>

/* Tasks per thread from which on threads end at about the same time. */
#define TASKS_PER_THREAD 16

/* Rows, or labels, that tasks share among them. */
typedef struct share {
    const rugi_lbp_run *run;
    size_t from, to;  /* rows of the image that the bins are of */
    size_t n, n_each; /* rows or labels, of all tasks and of one */
    rug_image mask;   /* with an axis z */
    size_t first_row; /* of the mask */
    char *scratch;    /* [threads][RUGI_SEGMENT_PIXELS] pixels of any dtype */
    uint64_t *counts; /* [threads][n_counts] */
    size_t n_counts;
    size_t slice;
} share;

static size_t divide(rug_context *ctx, share *s, size_t n)
{
    size_t n_tasks = TASKS_PER_THREAD * (size_t)rug_context_threads(ctx);
    s->n = n;
    s->n_each = n > 0 ? (n - 1) / n_tasks + 1 : 1;
    return n > 0 ? (n - 1) / s->n_each + 1 : 0;
}

static size_t end_of_task(const share *s, size_t task)
{
    size_t begin = task * s->n_each;
    return s->n - begin < s->n_each ? s->n : begin + s->n_each;
}

/* Inside is what is neither 0 nor NaN. */
static void drop_outside(uint32_t *bins, const uint8_t *inside, size_t n)
{
    for (size_t x = 0; x < n; x++)
        bins[x] = inside[x] ? bins[x] : RUGI_LBP_NO_BIN;
}

static void mask_row(const share *s, size_t row, void *scratch)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0};
    const rugi_lbp_run *run = s->run;
    rug_dtype dtype = rugi_segment_dtype(s->mask.dtype);
    const rugi_predicate is_inside = rugi_predicate_make(dtype, nonzero);
    uint8_t inside[RUGI_SEGMENT_PIXELS];
    for (size_t x = 0; x < run->nx; x += RUGI_SEGMENT_PIXELS) {
        size_t n = run->nx - x < RUGI_SEGMENT_PIXELS ? run->nx - x : RUGI_SEGMENT_PIXELS;
        const size_t at[3] = {0, s->from + row - s->first_row, x};
        rugi_predicate_flags(&is_inside, dtype, inside,
                             rugi_image_segment(&s->mask, at, n, scratch), n);
        for (uint32_t i = 0; i < run->plan.n_operators; i++)
            if (run->bins[i] != NULL)
                drop_outside(run->bins[i] + row * run->nx + x, inside, n);
    }
}

static void mask_task(void *shared, size_t task, int thread)
{
    const share *s = shared;
    for (size_t row = task * s->n_each; row < end_of_task(s, task); row++)
        mask_row(s, row,
                 s->scratch + (size_t)thread * RUGI_SEGMENT_PIXELS * sizeof(uint64_t));
}

rug_status rugi_lbp_apply_mask(rug_context *ctx, const rugi_lbp_run *run,
                               const rugi_lbp_part *part, size_t from, size_t to)
{
    share s = {.run = run,
               .from = from,
               .to = to,
               .mask = rugi_image_with_z(&part->mask),
               .first_row = part->first_row};
    s.scratch = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                                     RUGI_SEGMENT_PIXELS * sizeof(uint64_t), "mask rows");
    if (s.scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_parallel_for(ctx, divide(ctx, &s, to - from), mask_task, &s);
    rug_context_release(ctx, s.scratch);
    return status;
}

static void count_pixels(uint64_t *counts, const uint32_t *bins, size_t n)
{
    for (size_t x = 0; x < n; x++)
        if (bins[x] != RUGI_LBP_NO_BIN)
            counts[bins[x]]++;
}

static void row_task(void *shared, size_t task, int thread)
{
    const share *s = shared;
    const rugi_lbp_run *run = s->run;
    uint64_t *counts = s->counts + (size_t)thread * s->n_counts;
    size_t row = task * s->n_each, n_rows = end_of_task(s, task) - row;
    for (uint32_t i = 0; i < run->plan.n_operators; i++) {
        if (run->bins[i] != NULL)
            count_pixels(counts, run->bins[i] + row * run->nx, n_rows * run->nx);
        counts += run->plan.op[i].n_bins;
    }
}

static rug_status count_all(rug_context *ctx, rugi_lbp_run *run, share *s)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    for (uint32_t i = 0; i < run->plan.n_operators; i++)
        s->n_counts += run->plan.op[i].n_bins;
    s->counts = rug_context_allocate(ctx, n_threads, s->n_counts * sizeof *s->counts,
                                     "bins of threads");
    if (s->counts == NULL)
        return RUG_E_NOMEM;
    memset(s->counts, 0, n_threads * s->n_counts * sizeof *s->counts);
    rug_status status =
        rugi_parallel_for(ctx, divide(ctx, s, s->to - s->from), row_task, s);
    for (size_t k = 0; k < n_threads * s->n_counts; k++)
        run->result->bins[k % s->n_counts] += s->counts[k];
    rug_context_release(ctx, s->counts);
    return status;
}

/* Whether a run lies before a row. */
static int is_before(const rug_region_run *r, size_t slice, size_t y)
{
    return r->z < slice || (r->z == slice && r->y < y);
}

static void count_region(const share *s, size_t region)
{
    const rugi_lbp_run *run = s->run;
    const uint32_t n_operators = run->plan.n_operators;
    size_t n_runs, k = run->cursors[region];
    const rug_region_run *runs = rug_regions_runs(run->regions, region, &n_runs);
    for (; k < n_runs && is_before(&runs[k], s->slice, s->to); k++)
        for (uint32_t i = 0; i < n_operators; i++) {
            const rug_lbp_histogram *h =
                &run->result->histograms[region * n_operators + i];
            if (run->bins[i] != NULL)
                count_pixels((uint64_t *)h->bins,
                             run->bins[i] + (runs[k].y - s->from) * run->nx + runs[k].x,
                             runs[k].n);
        }
    run->cursors[region] = k;
}

static void region_task(void *shared, size_t task, int thread)
{
    const share *s = shared;
    (void)thread;
    for (size_t i = task * s->n_each; i < end_of_task(s, task); i++)
        count_region(s, i);
}

rug_status rugi_lbp_count_bins(rug_context *ctx, rugi_lbp_run *run, size_t slice,
                               size_t from, size_t to)
{
    share s = {.run = run, .from = from, .to = to, .slice = slice};
    if (run->regions == NULL)
        return count_all(ctx, run, &s);
    size_t n_tasks = divide(ctx, &s, rug_regions_count(run->regions));
    return rugi_parallel_for(ctx, n_tasks, region_task, &s);
}
