/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Comparing two images in two passes: differences pixel by pixel, and structural
 * similarity. Each task of a pass writes a place of its own, and places are added in
 * their order, so that sums do not depend on the number of threads. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include <math.h>
#include <rugose/quality.h>

/* A comparison at work: the planes as volumes. */
typedef struct quality_job {
    const rug_image *a, *b; /* [n_planes] of [nz][ny][nx] */
    size_t n_planes;
    rug_dtype dtype;
    size_t nz, ny, nx;
    /* subtracted from all values, so that squares of large values do not drown small
     * differences */
    double offset;
    double c1, c2; /* the constants of SSIM */
} quality_job;

/* ---- Differences pixel by pixel, and the range of all values ---- */

/* What the first pass finds. */
typedef struct errors {
    double squares;        /* sum of squared differences */
    double most;           /* largest difference */
    double min, max;       /* of all values of both */
    uint64_t n_not_finite; /* values that are NaN or infinite */
} errors;

/* Pixels of a task, about. */
#define TASK_PIXELS ((size_t)1 << 18)

typedef struct errors_pass {
    const quality_job *job;
    errors *tasks; /* one each */
    char *scratch; /* two segments for each thread */
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

static void add_pixels(errors *e, rug_dtype dtype, const void *a, const void *b, size_t n)
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
                    errors *e)
{
    const quality_job *job = p->job;
    size_t at[3] = {row / job->ny, row % job->ny, 0};
    for (; at[2] < job->nx; at[2] += RUGI_SEGMENT_PIXELS) {
        size_t n = rugi_smaller(job->nx - at[2], RUGI_SEGMENT_PIXELS);
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
    size_t end = rugi_smaller(n_rows, begin + p->rows_per_task);
    errors e = {.min = INFINITY, .max = -INFINITY};
    for (size_t row = begin; row < end; row++)
        add_row(p, plane, row, p->scratch + (size_t)thread * 2 * SCRATCH_BYTES, &e);
    p->tasks[task] = e;
}

static void sum_up(errors *out, const errors *tasks, size_t n)
{
    *out = (errors){.min = INFINITY, .max = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        out->squares += tasks[i].squares;
        out->n_not_finite += tasks[i].n_not_finite;
        out->most = tasks[i].most > out->most ? tasks[i].most : out->most;
        out->min = tasks[i].min < out->min ? tasks[i].min : out->min;
        out->max = tasks[i].max > out->max ? tasks[i].max : out->max;
    }
}

/* @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
static rug_status measure_errors(rug_context *ctx, errors *out, const quality_job *job)
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

/* ---- Structural similarity ---- */

/* Wang, Bovik, Sheikh and Simoncelli 2004, over all windows that lie inside of the
 * image: moments under a Gaussian window, separably, tile by tile. */

/* Pixels of the window along an axis, 7 standard deviations of 1.5. */
#define WINDOW 11

/* Windows of a tile. */
#define TILE_NY ((size_t)64)
#define TILE_NX ((size_t)128)

/* Pixels that they reach. */
#define REACH   ((size_t)WINDOW - 1)
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
    const quality_job *job;
    double weights[WINDOW];
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
    const quality_job *job = p->job;
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
        for (size_t k = 0; k < WINDOW; k++)
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
        for (size_t k = 0; k < WINDOW; k++) {
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
static double sum_row(const quality_job *job, const tile_scratch *scratch, size_t n)
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
    size_t ny = rugi_smaller(p->ny - y0, TILE_NY);
    size_t nx = rugi_smaller(p->nx - x0, TILE_NX);
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

static void set_weights(double weights[WINDOW])
{
    double sum = 0;
    for (int k = 0; k < WINDOW; k++) {
        double d = k - (WINDOW - 1) / 2;
        weights[k] = exp(-d * d / (2 * SIGMA * SIGMA));
        sum += weights[k];
    }
    for (int k = 0; k < WINDOW; k++)
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

/* The mean of SSIM over all windows; both sides are at least a window. */
static rug_status measure_mean_ssim(rug_context *ctx, double *out, const quality_job *job)
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

/* ---- The call ---- */

/* Planes that are compared at once at most. */
#define PLANES_MAX 64

/* The share of the whole that the first pass takes, for progress. */
#define ERRORS_SHARE 0.2

static rug_status check_plane(rug_context *ctx, const rug_image *plane,
                              const rug_image *first)
{
    rug_status status = rugi_image_check_twin(ctx, plane, "image to compare with", first);
    if (status != RUG_OK)
        return status;
    if (plane->dtype == RUG_BIT)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "pixels of dtype bit given: compare them as u8");
    if (plane->dtype != first->dtype)
        return rug_context_fail(
            ctx, RUG_E_ARG, "pixels of dtype %s and %s given, the same type expected",
            rug_dtype_name(first->dtype), rug_dtype_name(plane->dtype));
    return RUG_OK;
}

static rug_status check_options(rug_context *ctx, const rug_quality_options *opts)
{
    if (isfinite(opts->peak) && opts->peak >= 0)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_ARG,
                            "peak %g given, a range of values above 0 expected, or 0 for "
                            "that of the type",
                            opts->peak);
}

static rug_status check(rug_context *ctx, const rug_image *a, const rug_image *b,
                        int n_planes, const rug_quality_options *opts)
{
    if (a == NULL || b == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_quality: NULL given for an image");
    if (n_planes < 1 || n_planes > PLANES_MAX)
        return rug_context_fail(ctx, RUG_E_ARG, "%d planes given, 1 to %d expected",
                                n_planes, PLANES_MAX);
    rug_status status = rugi_image_check(ctx, &a[0]);
    for (int i = 0; i < n_planes && status == RUG_OK; i++) {
        status = check_plane(ctx, &a[i], &a[0]);
        if (status == RUG_OK)
            status = check_plane(ctx, &b[i], &a[0]);
    }
    return status == RUG_OK ? check_options(ctx, opts) : status;
}

/* The range of values of an integer type; 0 for floats. */
static double peak_of(rug_dtype dtype)
{
    switch (rug_dtype_size(dtype)) {
    case 1: return UINT8_MAX;
    case 2: return UINT16_MAX;
    case 4: return dtype == RUG_F32 ? 0 : (double)UINT32_MAX;
    default: return dtype == RUG_F64 ? 0 : (double)UINT64_MAX;
    }
}

static rug_status add_ssim(rug_context *ctx, rug_quality_result *r, quality_job *job,
                           const errors *e)
{
    double k1 = 0.01 * r->peak, k2 = 0.03 * r->peak;
    job->offset = e->min + (e->max - e->min) / 2;
    job->c1 = k1 * k1;
    job->c2 = k2 * k2;
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, ERRORS_SHARE, 1, status, measure_mean_ssim(ctx, &r->ssim, job));
    if (status == RUG_OK && !isfinite(r->ssim)) {
        r->ssim = NAN;
        r->status = RUG_QUALITY_OVERFLOW;
    }
    return status;
}

/* What follows from the first pass. @return nonzero when there is to be an SSIM */
static int evaluate(rug_quality_result *r, const quality_job *job, const errors *e)
{
    double n =
        (double)job->nz * (double)job->ny * (double)job->nx * (double)job->n_planes;
    r->mse = e->squares / n;
    r->max_difference = e->most;
    if (r->peak <= 0)
        r->peak = peak_of(job->dtype);
    if (r->peak <= 0)
        r->peak = e->max - e->min;
    r->psnr = r->mse > 0 ? 20 * log10(r->peak) - 10 * log10(r->mse) : (double)INFINITY;
    r->ssim = NAN;
    r->status = RUG_QUALITY_OK;
    if (!isfinite(r->mse) || !isfinite(r->peak)) {
        r->mse = r->psnr = NAN;
        r->status = RUG_QUALITY_OVERFLOW;
    } else if (job->ny < WINDOW || job->nx < WINDOW)
        r->status = RUG_QUALITY_SMALLER_THAN_WINDOW;
    else if (!(r->peak > 0))
        r->status = RUG_QUALITY_FLAT;
    else
        return 1;
    return 0;
}

static rug_status run(rug_context *ctx, rug_quality_result *r, quality_job *job)
{
    errors e = {0};
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, ERRORS_SHARE, status, measure_errors(ctx, &e, job));
    if (status != RUG_OK)
        return status;
    if (e.n_not_finite > 0)
        return rug_context_fail(
            ctx, RUG_E_ARG, "NaN or infinite values given: %llu; finite ones expected",
            (unsigned long long)e.n_not_finite);
    return evaluate(r, job, &e) ? add_ssim(ctx, r, job, &e) : rug_context_step(ctx, 1);
}

/* Nanoseconds of work for each pixel. */
#define PIXEL_WORK 4.0

static rug_status compare(rug_context *ctx, rug_quality_result *r, quality_job *job)
{
    double n = (double)job->nz * (double)job->ny * (double)job->nx;
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, PIXEL_WORK * n * (double)job->n_planes, status, run(ctx, r, job));
    return status;
}

rug_status rug_quality(rug_context *ctx, rug_quality_result *out, const rug_image *a,
                       const rug_image *b, int n_planes, const rug_quality_options *opts)
{
    rug_quality_options o = RUG_QUALITY_OPTIONS_INIT;
    rug_image volumes[2][PLANES_MAX];
    rug_status status = rugi_clear(ctx, out, "rug_quality_result");
    if (status == RUG_OK && ctx == NULL)
        status = RUG_E_ARG;
    if (status == RUG_OK)
        status = RUGI_TAKE(ctx, &o, opts, "rug_quality_options");
    if (status == RUG_OK)
        status = check(ctx, a, b, n_planes, &o);
    if (status == RUG_OK)
        status = rugi_engine_cpu_only(ctx, "comparing images");
    if (status != RUG_OK)
        return status;
    for (int i = 0; i < n_planes; i++) {
        volumes[0][i] = rugi_image_with_z(&a[i]);
        volumes[1][i] = rugi_image_with_z(&b[i]);
    }
    const rug_image *first = volumes[0];
    quality_job job = {.a = volumes[0],
                       .b = volumes[1],
                       .n_planes = (size_t)n_planes,
                       .dtype = first->dtype,
                       .nz = first->shape[0],
                       .ny = first->shape[1],
                       .nx = first->shape[2]};
    rug_quality_result result = RUG_QUALITY_RESULT_INIT;
    result.peak = o.peak;
    status = compare(ctx, &result, &job);
    if (status != RUG_OK)
        return status;
    rugi_context_set_engine(ctx, "cpu");
    RUGI_GIVE(out, &result);
    return RUG_OK;
}

const char *rug_quality_status_name(rug_quality_status status)
{
    static const char *const names[] = {"ok", "smaller than the SSIM window", "flat",
                                        "overflow"};
    return RUGI_NAME(names, status);
}
