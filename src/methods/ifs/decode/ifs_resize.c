/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Area means in whole numbers: rows first, then columns, each rounded once. */

#include "core/context/threads.h"
#include "ifs_picture.h"
#include <string.h>

/* Rows of the result that are a task. */
#define TASK 32

typedef struct resizing {
    int32_t *out;
    size_t nx, ny;
    const rugi_ifs_view *view;
    int64_t *sums;  /* [threads][nx] */
    int32_t *means; /* [threads][nx] */
} resizing;

static int32_t divide(int64_t sum, int64_t by)
{
    sum += by / 2;
    return (int32_t)(sum >= 0 ? sum / by : -((-sum + by - 1) / by));
}

/* How much of pixel j of n lies in pixel i of the `to` pixels that these become: in units of
 * 1 / to of a pixel, i covers i n .. (i + 1) n, and j covers j to .. (j + 1) to. */
static int64_t share(size_t i, size_t n, size_t j, size_t to)
{
    size_t from = i * n > j * to ? i * n : j * to;
    size_t end = (i + 1) * n < (j + 1) * to ? (i + 1) * n : (j + 1) * to;
    return (int64_t)(end - from);
}

/* One row of the source. */
static void shrink_row(int32_t *out, size_t nx, const int32_t *row, size_t n)
{
    if (nx == n) {
        memcpy(out, row, n * sizeof *out);
        return;
    }
    for (size_t i = 0; i < nx; i++) {
        int64_t sum = 0;
        for (size_t j = i * n / nx; j * nx < (i + 1) * n; j++)
            sum += share(i, n, j, nx) * row[j];
        out[i] = divide(sum, (int64_t)n);
    }
}

static void resize_row(const resizing *r, size_t y, int thread)
{
    int64_t *sums = r->sums + (size_t)thread * r->nx;
    int32_t *means = r->means + (size_t)thread * r->nx, *out = r->out + y * r->nx;
    const rugi_ifs_view *v = r->view;
    if (v->ny == r->ny) {
        shrink_row(out, r->nx, v->pixels + y * v->pitch, v->nx);
        return;
    }
    memset(sums, 0, r->nx * sizeof *sums);
    for (size_t j = y * v->ny / r->ny; j * r->ny < (y + 1) * v->ny; j++) {
        int64_t weight = share(y, v->ny, j, r->ny);
        shrink_row(means, r->nx, v->pixels + j * v->pitch, v->nx);
        for (size_t x = 0; x < r->nx; x++)
            sums[x] += weight * means[x];
    }
    for (size_t x = 0; x < r->nx; x++)
        out[x] = divide(sums[x], (int64_t)v->ny);
}

static void resize_task(void *shared, size_t task, int thread)
{
    const resizing *r = shared;
    size_t y = task * TASK, to = r->ny - y < TASK ? r->ny : y + TASK;
    for (; y < to; y++)
        resize_row(r, y, thread);
}

rug_status rugi_ifs_resize(rug_context *ctx, int32_t *out, size_t nx, size_t ny,
                           const rugi_ifs_view *view)
{
    static const char what[] = "resized picture";
    size_t n_tasks = (ny + TASK - 1) / TASK;
    size_t n_threads = (size_t)rugi_loop_threads(ctx, n_tasks);
    resizing r = {.out = out, .nx = nx, .ny = ny, .view = view};
    rug_status status = RUG_E_NOMEM;
    r.sums = rug_context_allocate(ctx, n_threads * nx, sizeof *r.sums, what);
    if (r.sums != NULL)
        r.means = rug_context_allocate(ctx, n_threads * nx, sizeof *r.means, what);
    if (r.means != NULL)
        status = rugi_parallel_for(ctx, n_tasks, resize_task, &r);
    rug_context_release(ctx, r.sums);
    rug_context_release(ctx, r.means);
    return status;
}
