/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of any size from packed pixels: a plan per size, the boxes of one grid, and what
 * follows from those of all grid positions. On one grid, the rows of a box are joined to
 * one, and of the windows along it those count that end where boxes do. */

#include "boxcount_window.h"
#include "boxcount_window_plan.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

/* Words of a stream: what a thread works on stays in its first two caches. */
#define STREAM_WORDS 1024

/* Words of pixels of a task, so many that handing it out costs nothing in comparison. */
#define TASK_WORDS ((size_t)1 << 15)

/* What one thread finds. */
typedef struct grid_boxes {
    RUGI_OWN_LINES uint64_t nonempty, black;
} grid_boxes;

typedef struct one_grid {
    const rugi_window_plan *plan;
    const size_t *position;
    size_t n_bands[2]; /* of boxes along z and y */
    size_t per_stream; /* bands along y that one stream holds */
    size_t per_task;   /* bands along y of a task */
    size_t tasks_y;    /* tasks of a band along z */
    size_t n_stream;   /* words */
    int n_widths;      /* of boxes along x: window, or one pixel less, too */
    uint64_t *ends;    /* for each of them a stream: the last pixels of its boxes */
    uint64_t *memory;  /* of all threads */
    size_t per_thread; /* words */
    grid_boxes *found; /* per thread */
} one_grid;

/* Where box b along an axis begins, if it does not begin before the first pixel. */
static uint64_t begin_of(const one_grid *g, int axis, size_t b)
{
    uint64_t at = b * g->plan->step[axis], per = g->plan->per[axis];
    return (per == 1 ? at : (at - 1) / per + 1) - g->position[axis];
}

/* The pixels of band b along an axis. @return whether its boxes are not cut by the edge */
static int band_of(const one_grid *g, int axis, size_t b, size_t *first, size_t *n)
{
    size_t n_pixels = g->plan->pixels->shape[axis];
    uint64_t end = begin_of(g, axis, b + 1);
    *first = b == 0 ? 0 : (size_t)begin_of(g, axis, b);
    *n = (end < n_pixels ? (size_t)end : n_pixels) - *first;
    return end <= n_pixels && (b > 0 || g->position[axis] == 0);
}

static void count_stream(const one_grid *g, uint64_t *any, size_t n, grid_boxes *found)
{
    const rugi_window_plan *p = g->plan;
    uint64_t *all = any + p->reach + RUGI_STREAM_VECTOR + g->n_stream;
    uint64_t *out = all + g->n_stream, *scratch = out + g->n_stream;
    int has_black = p->can_be_black && !p->kernels.is_zero(all, n);
    for (int i = 0; i < g->n_widths; i++) {
        const uint64_t *ends = g->ends + (size_t)i * g->n_stream;
        size_t width = p->window[2] - (size_t)i;
        p->kernels.windows[RUGI_ANY](out, scratch, any, n, width);
        found->nonempty += p->kernels.count(out, ends, n);
        if (!has_black)
            continue;
        p->kernels.windows[RUGI_ALL](out, scratch, all, n, width);
        found->black += p->kernels.count(out, ends, n);
    }
}

/* The bands along y from `first` on, in the band bz along z. */
static void count_bands(const one_grid *g, size_t bz, size_t first, size_t n_bands,
                        uint64_t *any, grid_boxes *found)
{
    const rugi_window_plan *p = g->plan;
    uint64_t *all = any + p->reach + RUGI_STREAM_VECTOR + g->n_stream;
    size_t z, n_z, y, n_y, n = rugi_round_words(n_bands * p->pitch);
    int is_deep = band_of(g, 0, bz, &z, &n_z);
    for (size_t b = 0; b < n_bands; b++) {
        int is_high = band_of(g, 1, first + b, &y, &n_y);
        rugi_box_rows rows = {rugi_bits_row(p->pixels, z, y), n_z, n_y, p->slice_words,
                              p->pixels->row_words};
        uint64_t *all_row = all + b * p->pitch;
        p->kernels.join_box(any + b * p->pitch, all_row, rows, p->n_words);
        if (!is_deep || !is_high)
            memset(all_row, 0, p->n_words * sizeof *all_row);
    }
    size_t n_used = n_bands * p->pitch; /* behind it, an earlier stream may have been */
    memset(any + n_used, 0, (n - n_used) * sizeof *any);
    memset(all + n_used, 0, (n - n_used) * sizeof *all);
    count_stream(g, any, n, found);
}

static void one_grid_task(void *shared, size_t task, int thread)
{
    const one_grid *g = shared;
    uint64_t *any =
        g->memory + (size_t)thread * g->per_thread + g->plan->reach + RUGI_STREAM_VECTOR;
    size_t bz = task / g->tasks_y, first = task % g->tasks_y * g->per_task;
    size_t end = rugi_smaller(first + g->per_task, g->n_bands[1]);
    for (; first < end; first += g->per_stream) {
        size_t n = rugi_smaller(end - first, g->per_stream);
        count_bands(g, bz, first, n, any, &g->found[thread]);
    }
}

static void lay_out(one_grid *g)
{
    const rugi_window_plan *p = g->plan;
    for (int a = 0; a < 2; a++)
        g->n_bands[a] = (size_t)((p->pixels->shape[a] + g->position[a] - 1) * p->per[a] /
                                 p->step[a]) +
                        1;
    size_t fit = p->pitch < STREAM_WORDS ? STREAM_WORDS / p->pitch : 1;
    g->per_stream = rugi_smaller(fit, g->n_bands[1]);
    size_t band = p->window[0] * p->window[1] * p->n_words * g->per_stream;
    g->per_task = g->per_stream * (band < TASK_WORDS ? TASK_WORDS / band : 1);
    g->tasks_y = (g->n_bands[1] - 1) / g->per_task + 1;
    g->n_stream = rugi_round_words(g->per_stream * p->pitch);
    g->n_widths = p->per[2] == 1 ? 1 : 2;
    size_t margin = p->reach + RUGI_STREAM_VECTOR;
    g->per_thread = 2 * margin + 4 * g->n_stream + 2 * p->reach;
}

/* The last pixels of boxes, up to the first that is not inside the image. */
static void draw_ends(const one_grid *g)
{
    const rugi_window_plan *p = g->plan;
    size_t n_pixels = p->pixels->shape[2], begin = 0;
    memset(g->ends, 0, (size_t)g->n_widths * g->n_stream * sizeof *g->ends);
    for (size_t b = 0; begin < n_pixels; b++) {
        size_t next = (size_t)begin_of(g, 2, b + 1);
        int is_narrow = g->n_widths > 1 && next - begin < p->window[2];
        uint64_t *ends = g->ends + (is_narrow ? g->n_stream : 0);
        ends[(next - 1) / 64] |= (uint64_t)1 << (next - 1) % 64;
        begin = next;
    }
    for (int i = 0; i < g->n_widths; i++) {
        uint64_t *ends = g->ends + (size_t)i * g->n_stream;
        for (size_t b = 1; b < g->per_stream; b++)
            memcpy(ends + b * p->pitch, ends, p->pitch * sizeof *ends);
    }
}

/* Sets nonempty and black of a size on one grid. */
static rug_status count_grid(rug_context *ctx, rug_box_count *out,
                             const rugi_window_plan *plan, const size_t position[3])
{
    one_grid g = {.plan = plan, .position = position};
    lay_out(&g);
    size_t n_tasks = g.n_bands[0] * g.tasks_y;
    size_t n_threads = (size_t)rugi_loop_threads(ctx, n_tasks);
    rug_status status = RUG_E_NOMEM;
    g.memory = rug_context_allocate(ctx, n_threads, g.per_thread * sizeof *g.memory,
                                    "rows of boxes");
    g.ends = rug_context_allocate(ctx, g.n_stream, (size_t)g.n_widths * sizeof *g.ends,
                                  "ends of boxes");
    g.found = rug_context_allocate(ctx, n_threads, sizeof *g.found, "box counts");
    if (g.memory == NULL || g.ends == NULL || g.found == NULL)
        goto done;
    memset(g.memory, 0, n_threads * g.per_thread * sizeof *g.memory);
    memset(g.found, 0, n_threads * sizeof *g.found);
    draw_ends(&g);
    status = rugi_parallel_for(ctx, n_tasks, one_grid_task, &g);
    out->nonempty = out->black = 0;
    for (size_t t = 0; t < n_threads; t++) {
        out->nonempty += g.found[t].nonempty;
        out->black += g.found[t].black;
    }
done:
    rug_context_release(ctx, g.found);
    rug_context_release(ctx, g.ends);
    rug_context_release(ctx, g.memory);
    return status;
}

/* ---- A plan per size, and its counts ---- */

/* The part of the work that all positions are, beside one of them. */
#define ALL_SHARE 0.9

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Boxes along an axis. One that is as long as the image is all there is. */
static void plan_axis(rugi_window_plan *p, int axis, uint64_t pixel)
{
    size_t n = p->pixels->shape[axis];
    p->step[axis] = p->window[axis] = n;
    p->per[axis] = 1;
    if (p->size / pixel >= n) {
        p->can_be_black &= p->size == n * pixel;
        return;
    }
    uint64_t divisor = common_divisor(p->size, pixel);
    p->step[axis] = p->size / divisor;
    p->per[axis] = pixel / divisor;
    p->window[axis] = (size_t)((p->size - 1) / pixel) + 1;
}

static void make_plan(rugi_window_plan *p, uint64_t size, const uint64_t *pixel_size)
{
    const rugi_bits *pixels = p->pixels;
    int first_axis = 3 - pixels->box_axes;
    p->size = size;
    p->can_be_black = 1;
    p->window[0] = p->step[0] = p->per[0] = 1;
    for (int a = first_axis; a < 3; a++)
        plan_axis(p, a, pixel_size[0] > 0 ? pixel_size[a - first_axis] : 1);
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

/* Sets what a size has on the grid, or the grids, of the result. */
static rug_status count_size(rug_context *ctx, rug_boxcount_result *result, uint32_t i,
                             const rugi_window_plan *plan)
{
    size_t position[3] = {0};
    if (result->facts.grid == RUG_BOXCOUNT_GRID_ORIGIN)
        return count_grid(ctx, &result->counts[i], plan, position);
    rugi_window_sums sums;
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, ALL_SHARE, status, rugi_window_all(ctx, &sums, plan));
    if (status != RUG_OK)
        return status;
    describe_positions(&result->positions[i], plan, &sums);
    if (result->facts.grid == RUG_BOXCOUNT_GRID_MIN)
        memcpy(position, sums.best, sizeof position);
    RUGI_PHASE(ctx, ALL_SHARE, 1, status,
               count_grid(ctx, &result->counts[i], plan, position));
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
    rugi_window_set_kernels(&plan.kernels, rug_context_cpu_level(ctx));
    result->facts.engine = plan.kernels.name;
    rug_status status = RUG_OK;
    double n_sizes = result->facts.n_sizes;
    for (uint32_t i = 0; i < result->facts.n_sizes && status == RUG_OK; i++) {
        make_plan(&plan, result->counts[i].size, result->facts.pixel_size);
        RUGI_PHASE(ctx, i / n_sizes, (i + 1) / n_sizes, status,
                   count(ctx, result, i, &plan));
    }
    return status;
}

/* Nanoseconds of work for each word of pixels: for one grid, and for all. */
#define GRID_WORK 1.0
#define ALL_WORK  3.0

static double n_words(const rugi_bits *pixels)
{
    return (double)pixels->shape[0] * (double)pixels->shape[1] *
           (double)pixels->row_words;
}

rug_status rugi_boxcount_window(rug_context *ctx, rug_boxcount_result *result,
                                const rugi_bits *pixels)
{
    double work = result->facts.grid == RUG_BOXCOUNT_GRID_ORIGIN ? GRID_WORK : ALL_WORK;
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, work * n_words(pixels), status,
              for_each_size(ctx, result, pixels, count_size));
    return status;
}

rug_status rugi_boxcount_window_at(rug_context *ctx, rug_boxcount_result *result,
                                   const rugi_bits *pixels)
{
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, GRID_WORK * n_words(pixels), status,
              for_each_size(ctx, result, pixels, count_size_at));
    return status;
}

/* ---- The foreground pixels ---- */

/* Nanoseconds of work for each word. */
#define COUNT_WORK 0.3

typedef struct counting {
    rugi_window_kernels kernels;
    const rugi_bits *pixels;
    size_t n_words;
    grid_boxes *found; /* per thread: pixels, as boxes of one */
} counting;

static void count_words(void *shared, size_t task, int thread)
{
    const counting *c = shared;
    const uint64_t *words = c->pixels->words + task * TASK_WORDS;
    c->found[thread].nonempty += c->kernels.count(
        words, words, rugi_smaller(c->n_words - task * TASK_WORDS, TASK_WORDS));
}

rug_status rugi_boxcount_window_set(rug_context *ctx, uint64_t *n_set,
                                    const rugi_bits *pixels)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    counting c = {.pixels = pixels};
    c.n_words = pixels->shape[0] * pixels->shape[1] * pixels->row_words;
    rugi_window_set_kernels(&c.kernels, rug_context_cpu_level(ctx));
    c.found = rug_context_allocate(ctx, n_threads, sizeof *c.found, "counters");
    if (c.found == NULL)
        return RUG_E_NOMEM;
    memset(c.found, 0, n_threads * sizeof *c.found);
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, COUNT_WORK * (double)c.n_words, status,
              rugi_parallel_for(ctx, (c.n_words - 1) / TASK_WORDS + 1, count_words, &c));
    *n_set = 0;
    for (size_t t = 0; t < n_threads; t++)
        *n_set += c.found[t].nonempty;
    rug_context_release(ctx, c.found);
    return status;
}
