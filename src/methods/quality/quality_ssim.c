/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Structural similarity (Wang, Bovik, Sheikh and Simoncelli 2004) over all windows that
 * lie inside of the image: moments under a Gaussian window, separably, tile by tile. */

#include "core/context/threads.h"
#include "quality_job.h"
#include <math.h>

/* Windows of a tile. */
#define TILE_NY ((size_t)64)
#define TILE_NX ((size_t)128)

/* Pixels that they reach. */
#define REACH   ((size_t)RUGI_QUALITY_WINDOW - 1)
#define ROWS    (TILE_NY + REACH)
#define COLUMNS (TILE_NX + REACH)

/* Standard deviation of the window in pixels. */
#define SIGMA 1.5

/* a, b, a², b², ab. */
#define N_MOMENTS 5

/* What a thread works with. */
typedef struct tile_scratch {
    double products[N_MOMENTS][COLUMNS];       /* of one row */
    double filtered[ROWS][N_MOMENTS][TILE_NX]; /* along x */
    double moments[N_MOMENTS][TILE_NX];        /* of one row of windows */
    uint64_t pixels[2][COLUMNS];               /* as they are stored, if gathered */
} tile_scratch;

typedef struct ssim_pass {
    const rugi_quality_job *job;
    double weights[RUGI_QUALITY_WINDOW];
    double *sums;          /* one for each tile */
    tile_scratch *scratch; /* one for each thread */
    size_t ny, nx;         /* windows */
    size_t tiles_y, tiles_x;
} ssim_pass;

#define TO_REAL(type)                                     \
    for (size_t i = 0; i < n; i++)                        \
        to[i] = (double)((const type *)from)[i] - offset; \
    break

static void to_real(double *to, const void *from, size_t n, rug_dtype dtype,
                    double offset)
{
    switch (dtype) {
    case RUG_U8: TO_REAL(uint8_t);
    case RUG_I8: TO_REAL(int8_t);
    case RUG_U16: TO_REAL(uint16_t);
    case RUG_I16: TO_REAL(int16_t);
    case RUG_U32: TO_REAL(uint32_t);
    case RUG_I32: TO_REAL(int32_t);
    case RUG_U64: TO_REAL(uint64_t);
    case RUG_I64: TO_REAL(int64_t);
    case RUG_F32: TO_REAL(float);
    default: TO_REAL(double);
    }
}

/* One row of both images, its products, and their sums along x. */
static void filter_row(const ssim_pass *p, tile_scratch *scratch, size_t plane,
                       const size_t at[3], size_t n, double (*out)[TILE_NX])
{
    const rugi_quality_job *job = p->job;
    double *a = scratch->products[0], *b = scratch->products[1];
    const void *from =
        rugi_image_segment(&job->a[plane], at, n + REACH, scratch->pixels[0]);
    to_real(a, from, n + REACH, job->dtype, job->offset);
    from = rugi_image_segment(&job->b[plane], at, n + REACH, scratch->pixels[1]);
    to_real(b, from, n + REACH, job->dtype, job->offset);
    for (size_t x = 0; x < n + REACH; x++) {
        scratch->products[2][x] = a[x] * a[x];
        scratch->products[3][x] = b[x] * b[x];
        scratch->products[4][x] = a[x] * b[x];
    }
    for (size_t m = 0; m < N_MOMENTS; m++) {
        const double *pixels = scratch->products[m];
        for (size_t x = 0; x < n; x++)
            out[m][x] = 0;
        for (size_t k = 0; k < RUGI_QUALITY_WINDOW; k++)
            for (size_t x = 0; x < n; x++)
                out[m][x] += p->weights[k] * pixels[x + k];
    }
}

static void filter_column(const ssim_pass *p, tile_scratch *scratch, size_t y, size_t n)
{
    for (size_t m = 0; m < N_MOMENTS; m++) {
        double *to = scratch->moments[m];
        for (size_t x = 0; x < n; x++)
            to[x] = 0;
        for (size_t k = 0; k < RUGI_QUALITY_WINDOW; k++) {
            const double *from = scratch->filtered[y + k][m];
            for (size_t x = 0; x < n; x++)
                to[x] += p->weights[k] * from[x];
        }
    }
}

/* What holds of moments, also where rounding is all that is left of them: no variance is
 * below 0, and no covariance larger than the mean of the variances. */
static double at_least_0(double variance)
{
    return variance < 0 ? 0 : variance;
}

static double within(double covariance, double most)
{
    return covariance > most ? most : covariance < -most ? -most : covariance;
}

/* Equation 13 of the paper, summed over a row of windows. */
static double sum_row(const rugi_quality_job *job, const tile_scratch *scratch, size_t n)
{
    double sum = 0, c1 = job->c1, c2 = job->c2;
    for (size_t x = 0; x < n; x++) {
        double ua = scratch->moments[0][x], ub = scratch->moments[1][x];
        double va = at_least_0(scratch->moments[2][x] - ua * ua);
        double vb = at_least_0(scratch->moments[3][x] - ub * ub);
        double vab = within(scratch->moments[4][x] - ua * ub, (va + vb) / 2);
        double mean_a = ua + job->offset, mean_b = ub + job->offset;
        double above = (2 * mean_a * mean_b + c1) * (2 * vab + c2);
        double below = (mean_a * mean_a + mean_b * mean_b + c1) * (va + vb + c2);
        sum += above / below;
    }
    return sum;
}

static void ssim_task(void *shared, size_t task, int thread)
{
    const ssim_pass *p = shared;
    tile_scratch *scratch = &p->scratch[thread];
    size_t tile_x = task % p->tiles_x, tile_y = task / p->tiles_x % p->tiles_y;
    size_t slice = task / p->tiles_x / p->tiles_y;
    size_t y0 = tile_y * TILE_NY, x0 = tile_x * TILE_NX;
    size_t ny = p->ny - y0 < TILE_NY ? p->ny - y0 : TILE_NY;
    size_t nx = p->nx - x0 < TILE_NX ? p->nx - x0 : TILE_NX;
    double sum = 0;
    for (size_t y = 0; y < ny + REACH; y++) {
        const size_t at[3] = {slice % p->job->nz, y0 + y, x0};
        filter_row(p, scratch, slice / p->job->nz, at, nx, scratch->filtered[y]);
    }
    for (size_t y = 0; y < ny; y++) {
        filter_column(p, scratch, y, nx);
        sum += sum_row(p->job, scratch, nx);
    }
    p->sums[task] = sum;
}

static void set_weights(double weights[RUGI_QUALITY_WINDOW])
{
    double sum = 0;
    for (int k = 0; k < RUGI_QUALITY_WINDOW; k++) {
        double d = k - (RUGI_QUALITY_WINDOW - 1) / 2;
        weights[k] = exp(-d * d / (2 * SIGMA * SIGMA));
        sum += weights[k];
    }
    for (int k = 0; k < RUGI_QUALITY_WINDOW; k++)
        weights[k] /= sum;
}

static double mean_of(const ssim_pass *p, size_t n_tasks)
{
    double sum = 0;
    for (size_t i = 0; i < n_tasks; i++)
        sum += p->sums[i];
    return sum / ((double)p->ny * (double)p->nx) /
           ((double)p->job->nz * (double)p->job->n_planes);
}

rug_status rugi_quality_measure_ssim(rug_context *ctx, double *out,
                                     const rugi_quality_job *job)
{
    ssim_pass p = {.job = job, .ny = job->ny - REACH, .nx = job->nx - REACH};
    p.tiles_y = (p.ny - 1) / TILE_NY + 1;
    p.tiles_x = (p.nx - 1) / TILE_NX + 1;
    size_t n_tasks = p.tiles_y * p.tiles_x * job->nz * job->n_planes;
    size_t n_threads = (size_t)rugi_loop_threads(ctx, n_tasks);
    rug_status status = RUG_E_NOMEM;
    set_weights(p.weights);
    p.sums = rug_context_allocate(ctx, n_tasks, sizeof *p.sums, "SSIM");
    p.scratch = rug_context_allocate(ctx, n_threads, sizeof *p.scratch, "SSIM");
    if (p.sums != NULL && p.scratch != NULL)
        status = rugi_parallel_for(ctx, n_tasks, ssim_task, &p);
    if (status == RUG_OK)
        *out = mean_of(&p, n_tasks);
    rug_context_release(ctx, p.scratch);
    rug_context_release(ctx, p.sums);
    return status;
}
