/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The first pass: differences pixel by pixel, and the range of all values. */

#include "core/context/threads.h"
#include "quality_job.h"
#include <math.h>

/* Pixels of a task, about. */
#define TASK_PIXELS ((size_t)1 << 18)

typedef struct errors_pass {
    const rugi_quality_job *job;
    rugi_quality_errors *tasks; /* one each */
    char *scratch;              /* two segments for each thread */
    size_t rows_per_task, tasks_per_plane;
} errors_pass;

#define SCRATCH_BYTES (RUGI_SEGMENT_PIXELS * sizeof(double))

static int is_finite(double v)
{
    return isfinite(v) != 0;
}

static uint64_t distance_u64(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Of two's complements the difference modulo 2^64 is the distance. */
static uint64_t distance_i64(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static double distance_real(double a, double b)
{
    return fabs(a - b);
}

#define ADD(type, distance)                                              \
    for (size_t i = 0; i < n; i++) {                                     \
        type p = ((const type *)a)[i], q = ((const type *)b)[i];         \
        double d = (double)distance(p, q), lo = (double)(p < q ? p : q), \
               hi = (double)(p < q ? q : p);                             \
        e->squares += d * d;                                             \
        e->most = d > e->most ? d : e->most;                             \
        e->min = lo < e->min ? lo : e->min;                              \
        e->max = hi > e->max ? hi : e->max;                              \
    }                                                                    \
    break

#define COUNT_NOT_FINITE(type)                                    \
    for (size_t i = 0; i < n; i++)                                \
    e->n_not_finite += !is_finite((double)((const type *)a)[i]) + \
                       (uint64_t)!is_finite((double)((const type *)b)[i])

static void add_pixels(rugi_quality_errors *e, rug_dtype dtype, const void *a,
                       const void *b, size_t n)
{
    if (dtype == RUG_F32)
        COUNT_NOT_FINITE(float);
    if (dtype == RUG_F64)
        COUNT_NOT_FINITE(double);
    switch (dtype) {
    case RUG_U8: ADD(uint8_t, distance_u64);
    case RUG_I8: ADD(int8_t, distance_i64);
    case RUG_U16: ADD(uint16_t, distance_u64);
    case RUG_I16: ADD(int16_t, distance_i64);
    case RUG_U32: ADD(uint32_t, distance_u64);
    case RUG_I32: ADD(int32_t, distance_i64);
    case RUG_U64: ADD(uint64_t, distance_u64);
    case RUG_I64: ADD(int64_t, distance_i64);
    case RUG_F32: ADD(float, distance_real);
    default: ADD(double, distance_real);
    }
}

static void add_row(const errors_pass *p, size_t plane, size_t row, char *scratch,
                    rugi_quality_errors *e)
{
    const rugi_quality_job *job = p->job;
    size_t at[3] = {row / job->ny, row % job->ny, 0};
    for (; at[2] < job->nx; at[2] += RUGI_SEGMENT_PIXELS) {
        size_t left = job->nx - at[2];
        size_t n = left < RUGI_SEGMENT_PIXELS ? left : RUGI_SEGMENT_PIXELS;
        const void *a = rugi_image_segment(&job->a[plane], at, n, scratch);
        const void *b =
            rugi_image_segment(&job->b[plane], at, n, scratch + SCRATCH_BYTES);
        add_pixels(e, job->dtype, a, b, n);
    }
}

static void errors_task(void *shared, size_t task, int thread)
{
    const errors_pass *p = shared;
    size_t plane = task / p->tasks_per_plane, n_rows = p->job->nz * p->job->ny;
    size_t begin = task % p->tasks_per_plane * p->rows_per_task;
    size_t left = n_rows - begin;
    size_t end = begin + (left < p->rows_per_task ? left : p->rows_per_task);
    rugi_quality_errors e = {.min = INFINITY, .max = -INFINITY};
    for (size_t row = begin; row < end; row++)
        add_row(p, plane, row, p->scratch + (size_t)thread * 2 * SCRATCH_BYTES, &e);
    p->tasks[task] = e;
}

static void sum_up(rugi_quality_errors *out, const rugi_quality_errors *tasks, size_t n)
{
    *out = (rugi_quality_errors){.min = INFINITY, .max = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        out->squares += tasks[i].squares;
        out->n_not_finite += tasks[i].n_not_finite;
        out->most = tasks[i].most > out->most ? tasks[i].most : out->most;
        out->min = tasks[i].min < out->min ? tasks[i].min : out->min;
        out->max = tasks[i].max > out->max ? tasks[i].max : out->max;
    }
}

rug_status rugi_quality_measure_errors(rug_context *ctx, rugi_quality_errors *out,
                                       const rugi_quality_job *job)
{
    size_t n_rows = job->nz * job->ny;
    errors_pass p = {.job = job, .rows_per_task = 1 + TASK_PIXELS / job->nx};
    p.tasks_per_plane = (n_rows - 1) / p.rows_per_task + 1;
    size_t n_tasks = p.tasks_per_plane * job->n_planes;
    rug_status status = RUG_E_NOMEM;
    p.tasks = rug_context_allocate(ctx, n_tasks, sizeof *p.tasks, "comparison");
    p.scratch = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                                     2 * SCRATCH_BYTES, "row buffers");
    if (p.tasks != NULL && p.scratch != NULL)
        status = rugi_parallel_for(ctx, n_tasks, errors_task, &p);
    if (status == RUG_OK)
        sum_up(out, p.tasks, n_tasks);
    rug_context_release(ctx, p.scratch);
    rug_context_release(ctx, p.tasks);
    return status;
}
