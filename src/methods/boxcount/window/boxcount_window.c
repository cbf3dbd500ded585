/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of any size from packed pixels: a plan per size, the two ways of counting, and
 * what follows from them. */

#include "boxcount_window.h"
#include "boxcount_window_plan.h"
#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include <string.h>

/* The part of the work that all positions are, beside one of them. */
#define ALL_SHARE 0.9

static void choose_kernels(rug_context *ctx, rugi_window_kernels *kernels)
{
    rugi_window_kernels_ref(kernels);
#ifdef RUGI_HAVE_X86_KERNELS
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX2)
        rugi_window_kernels_avx2(kernels);
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX512)
        rugi_window_kernels_avx512(kernels);
#else
    (void)ctx;
#endif
}

static void make_plan(rugi_window_plan *p, uint64_t size)
{
    const rugi_bits *pixels = p->pixels;
    p->size = size;
    p->can_be_black = 1;
    p->window[0] = 1;
    for (int a = 3 - pixels->box_axes; a < 3; a++) {
        p->window[a] = size < pixels->shape[a] ? (size_t)size : pixels->shape[a];
        p->can_be_black &= size <= pixels->shape[a];
    }
    p->n_words = (pixels->shape[2] - 1) / 64 + 1;
    p->pitch = (pixels->shape[2] + p->window[2] - 2) / 64 + 1;
    p->reach = rugi_window_reach(p->window[2]);
    p->slice_words = pixels->shape[1] * pixels->row_words;
}

/* A sum over all size^D positions, of which one at a time is `one` times on each axis and
 * position 0 is `more` times. */
typedef struct weights {
    int first_axis;
    uint64_t size;
    uint64_t more[3]; /* shifts that position 0 stands for */
} weights;

static weights weigh(const rugi_window_plan *p)
{
    weights w = {.first_axis = 3 - p->pixels->box_axes, .size = p->size};
    for (int a = w.first_axis; a < 3; a++)
        w.more[a] = p->size - p->window[a] + 1;
    return w;
}

/* Whether all sums of a mean are below 2^64: they are at most the windows that meet the
 * image, the product of pixels + size - 1 over the axes. */
static int is_exact(const rugi_window_plan *p)
{
    uint64_t product = 1;
    for (int a = 3 - p->pixels->box_axes; a < 3; a++) {
        uint64_t n = p->pixels->shape[a];
        if (n > UINT64_MAX - p->size || n + p->size > UINT64_MAX / product)
            return 0;
        product *= n + p->size;
    }
    return 1;
}

/* The mean over all shifts of what has these sums by class. In integers to the last
 * step, or, where they do not fit, a sum of products of shares. */
static double mean_of(const rugi_window_plan *p, const uint64_t sums[8])
{
    weights w = weigh(p);
    int exact = is_exact(p);
    uint64_t whole = 0, positions = 1;
    double sum = 0;
    for (int a = w.first_axis; a < 3; a++)
        positions *= exact ? w.size : 1;
    for (int c = 0; c < 8; c++) {
        uint64_t times = 1;
        double share = (double)sums[c];
        for (int a = w.first_axis; a < 3; a++) {
            uint64_t m = c >> a & 1 ? w.more[a] : 1;
            times *= sums[c] > 0 && exact ? m : 1;
            share *= (double)m / (double)w.size;
        }
        whole += sums[c] * times;
        sum += share;
    }
    return exact ? (double)whole / (double)positions : sum;
}

/* ceil((n + p) / s) summed over the s shifts p is n + s - 1, on every axis. */
static double mean_total(const rugi_window_plan *p)
{
    uint64_t boxes = 1, positions = 1;
    double mean = 1;
    int exact = is_exact(p);
    for (int a = 3 - p->pixels->box_axes; a < 3; a++) {
        uint64_t n = p->pixels->shape[a];
        boxes *= exact ? n + p->size - 1 : 1;
        positions *= exact ? p->size : 1;
        mean *= 1 + (double)(n - 1) / (double)p->size;
    }
    return exact ? (double)boxes / (double)positions : mean;
}

static void describe_positions(rug_box_positions *out, const rugi_window_plan *p,
                               const rugi_window_sums *sums)
{
    int first_axis = 3 - p->pixels->box_axes;
    for (int a = first_axis; a < 3; a++)
        out->shift[a - first_axis] =
            sums->best[a] > 0 ? sums->best[a] + (p->size - p->window[a]) : 0;
    out->least = sums->least;
    out->most = sums->most;
    out->mean_total = mean_total(p);
    out->mean_nonempty = mean_of(p, sums->nonempty);
    uint64_t black[8] = {sums->black}; /* where a box can be black, all weights are 1 */
    out->mean_black = mean_of(p, black);
}

/* One grid: sets nonempty and black of a size. */
static rug_status count_grid(rug_context *ctx, rug_box_count *out,
                             const rugi_window_plan *plan, const size_t position[3])
{
    rugi_window_boxes boxes;
    rug_status status = rugi_window_one(ctx, &boxes, plan, position);
    if (status == RUG_OK) {
        out->nonempty = boxes.nonempty;
        out->black = boxes.black;
    }
    return status;
}

/* Sets what a size has on the grid, or the grids, of the result. */
static rug_status count_size(rug_context *ctx, rug_boxcount_result *result, uint32_t i,
                             const rugi_window_plan *plan)
{
    size_t position[3] = {0};
    if (result->grid == RUG_BOXCOUNT_GRID_ORIGIN)
        return count_grid(ctx, &result->counts[i], plan, position);
    rugi_window_sums sums;
    rugi_phase outer = rugi_phase_enter(ctx, 0, ALL_SHARE);
    rug_status status = rugi_window_all(ctx, &sums, plan);
    rugi_phase_leave(ctx, outer);
    if (status != RUG_OK)
        return status;
    describe_positions(&result->positions[i], plan, &sums);
    if (result->grid == RUG_BOXCOUNT_GRID_MIN)
        memcpy(position, sums.best, sizeof position);
    outer = rugi_phase_enter(ctx, ALL_SHARE, 1);
    status = count_grid(ctx, &result->counts[i], plan, position);
    rugi_phase_leave(ctx, outer);
    return status;
}

/* The same on the grid that the result's shift says. */
static rug_status count_size_at(rug_context *ctx, rug_boxcount_result *result, uint32_t i,
                                const rugi_window_plan *plan)
{
    size_t position[3] = {0};
    int first_axis = 3 - plan->pixels->box_axes;
    for (int a = first_axis; a < 3; a++) {
        uint64_t shift = result->positions[i].shift[a - first_axis];
        position[a] = shift > 0 ? (size_t)(shift - (plan->size - plan->window[a])) : 0;
    }
    return count_grid(ctx, &result->counts[i], plan, position);
}

typedef rug_status (*size_fn)(rug_context *ctx, rug_boxcount_result *result, uint32_t i,
                              const rugi_window_plan *plan);

static rug_status for_each_size(rug_context *ctx, rug_boxcount_result *result,
                                const rugi_bits *pixels, size_fn count)
{
    rugi_window_plan plan = {.pixels = pixels};
    choose_kernels(ctx, &plan.kernels);
    result->engine = plan.kernels.name;
    for (uint32_t i = 0; i < result->n_sizes; i++) {
        make_plan(&plan, result->counts[i].size);
        rugi_phase outer = rugi_phase_enter(ctx, (double)i / result->n_sizes,
                                            (double)(i + 1) / result->n_sizes);
        rug_status status = count(ctx, result, i, &plan);
        rugi_phase_leave(ctx, outer);
        if (status != RUG_OK)
            return status;
    }
    return RUG_OK;
}

rug_status rugi_boxcount_window(rug_context *ctx, rug_boxcount_result *result,
                                const rugi_bits *pixels)
{
    return for_each_size(ctx, result, pixels, count_size);
}

rug_status rugi_boxcount_window_at(rug_context *ctx, rug_boxcount_result *result,
                                   const rugi_bits *pixels)
{
    return for_each_size(ctx, result, pixels, count_size_at);
}

/* Words of a task. */
#define TASK_WORDS ((size_t)1 << 15)

typedef struct counting {
    rugi_window_kernels kernels;
    const rugi_bits *pixels;
    size_t n_words;
    uint64_t *found; /* per thread */
} counting;

static void count_words(void *shared, size_t task, int thread)
{
    const counting *c = shared;
    const uint64_t *words = c->pixels->words + task * TASK_WORDS;
    size_t left = c->n_words - task * TASK_WORDS;
    c->found[thread] +=
        c->kernels.count(words, words, left < TASK_WORDS ? left : TASK_WORDS);
}

rug_status rugi_boxcount_window_set(rug_context *ctx, uint64_t *n_set,
                                    const rugi_bits *pixels)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    counting c = {.pixels = pixels};
    c.n_words = pixels->shape[0] * pixels->shape[1] * pixels->row_words;
    choose_kernels(ctx, &c.kernels);
    c.found = rug_context_allocate(ctx, n_threads, sizeof *c.found, "counters");
    if (c.found == NULL)
        return RUG_E_NOMEM;
    memset(c.found, 0, n_threads * sizeof *c.found);
    rug_status status =
        rugi_parallel_for(ctx, (c.n_words - 1) / TASK_WORDS + 1, count_words, &c);
    *n_set = 0;
    for (size_t t = 0; t < n_threads; t++)
        *n_set += c.found[t];
    rug_context_release(ctx, c.found);
    return status;
}
