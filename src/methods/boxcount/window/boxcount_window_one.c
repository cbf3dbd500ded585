/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The boxes of one grid of any size: the rows of a box joined to one, windows along it,
 * and of those the ones that end where boxes do. */

#include "boxcount_window_plan.h"
#include "core/context/threads.h"
#include <string.h>

/* Words of a stream: what a thread works on stays in its first two caches. */
#define STREAM_WORDS 1024

/* Words of pixels of a task, so that handing it out costs nothing beside it. */
#define TASK_WORDS 32768

typedef struct one_grid {
    const rugi_window_plan *plan;
    const size_t *position;
    size_t n_bands[2];        /* of boxes along z and y */
    size_t per_stream;        /* bands along y that one stream holds */
    size_t per_task;          /* bands along y of a task */
    size_t tasks_y;           /* tasks of a band along z */
    size_t n_stream;          /* words */
    uint64_t *ends;           /* a stream: the last pixels of boxes */
    uint64_t *memory;         /* of all threads */
    size_t per_thread;        /* words */
    rugi_window_boxes *found; /* per thread */
} one_grid;

/* The pixels of band b along an axis. */
static void band_of(const one_grid *g, int axis, size_t b, size_t *first, size_t *n)
{
    size_t w = g->plan->window[axis], cut = g->position[axis];
    size_t n_pixels = g->plan->pixels->shape[axis], end = (b + 1) * w - cut;
    *first = b == 0 ? 0 : b * w - cut;
    *n = (end < n_pixels ? end : n_pixels) - *first;
}

static void count_stream(const one_grid *g, uint64_t *any, size_t n,
                         rugi_window_boxes *found)
{
    const rugi_window_plan *p = g->plan;
    uint64_t *all = any + p->reach + RUGI_STREAM_VECTOR + g->n_stream;
    uint64_t *out = all + g->n_stream, *scratch = out + g->n_stream;
    p->kernels.windows[RUGI_ANY](out, scratch, any, n, p->window[2]);
    found->nonempty += p->kernels.count(out, g->ends, n);
    if (!p->can_be_black || p->kernels.is_zero(all, n))
        return;
    p->kernels.windows[RUGI_ALL](out, scratch, all, n, p->window[2]);
    found->black += p->kernels.count(out, g->ends, n);
}

/* The bands along y from `first` on, in the band bz along z. */
static void count_bands(const one_grid *g, size_t bz, size_t first, size_t n_bands,
                        uint64_t *any, rugi_window_boxes *found)
{
    const rugi_window_plan *p = g->plan;
    uint64_t *all = any + p->reach + RUGI_STREAM_VECTOR + g->n_stream;
    size_t z, n_z, y, n_y, n = rugi_round_words(n_bands * p->pitch);
    band_of(g, 0, bz, &z, &n_z);
    for (size_t b = 0; b < n_bands; b++) {
        band_of(g, 1, first + b, &y, &n_y);
        rugi_box_rows rows = {rugi_bits_row(p->pixels, z, y), n_z, n_y, p->slice_words,
                              p->pixels->row_words};
        uint64_t *all_row = all + b * p->pitch;
        p->kernels.join_box(any + b * p->pitch, all_row, rows, p->n_words);
        if (n_z < p->window[0] || n_y < p->window[1])
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
    size_t end =
        first + g->per_task < g->n_bands[1] ? first + g->per_task : g->n_bands[1];
    for (; first < end; first += g->per_stream) {
        size_t n = end - first < g->per_stream ? end - first : g->per_stream;
        count_bands(g, bz, first, n, any, &g->found[thread]);
    }
}

static void lay_out(one_grid *g)
{
    const rugi_window_plan *p = g->plan;
    for (int a = 0; a < 2; a++)
        g->n_bands[a] = (p->pixels->shape[a] + g->position[a] - 1) / p->window[a] + 1;
    size_t fit = p->pitch < STREAM_WORDS ? STREAM_WORDS / p->pitch : 1;
    g->per_stream = fit < g->n_bands[1] ? fit : g->n_bands[1];
    size_t band = p->window[0] * p->window[1] * p->n_words * g->per_stream;
    g->per_task = g->per_stream * (band < TASK_WORDS ? TASK_WORDS / band : 1);
    g->tasks_y = (g->n_bands[1] - 1) / g->per_task + 1;
    g->n_stream = rugi_round_words(g->per_stream * p->pitch);
    size_t margin = p->reach + RUGI_STREAM_VECTOR;
    g->per_thread = 2 * margin + 4 * g->n_stream + 2 * p->reach;
}

/* Boxes end at pixel window - 1 - position and every window from there, up to the first
 * end that is not inside the image. */
static void draw_ends(const one_grid *g)
{
    const rugi_window_plan *p = g->plan;
    size_t w = p->window[2], n_ends = p->pixels->shape[2] + w - 1;
    memset(g->ends, 0, g->n_stream * sizeof *g->ends);
    for (size_t e = w - 1 - g->position[2]; e < n_ends; e += w)
        g->ends[e / 64] |= (uint64_t)1 << e % 64;
    for (size_t b = 1; b < g->per_stream; b++)
        memcpy(g->ends + b * p->pitch, g->ends, p->pitch * sizeof *g->ends);
}

rug_status rugi_window_one(rug_context *ctx, rugi_window_boxes *out,
                           const rugi_window_plan *plan, const size_t position[3])
{
    one_grid g = {.plan = plan, .position = position};
    lay_out(&g);
    size_t n_tasks = g.n_bands[0] * g.tasks_y;
    size_t n_threads = (size_t)rugi_loop_threads(ctx, n_tasks);
    rug_status status = RUG_E_NOMEM;
    g.memory = rug_context_allocate(ctx, n_threads, g.per_thread * sizeof *g.memory,
                                    "rows of boxes");
    g.ends = rug_context_allocate(ctx, g.n_stream, sizeof *g.ends, "ends of boxes");
    g.found = rug_context_allocate(ctx, n_threads, sizeof *g.found, "box counts");
    if (g.memory == NULL || g.ends == NULL || g.found == NULL)
        goto done;
    memset(g.memory, 0, n_threads * g.per_thread * sizeof *g.memory);
    memset(g.found, 0, n_threads * sizeof *g.found);
    draw_ends(&g);
    status = rugi_parallel_for(ctx, n_tasks, one_grid_task, &g);
    memset(out, 0, sizeof *out);
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
