/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Jobs of local binary patterns for a device, and what they must give: one pixel at a time,
 * slowly, in the order of operations of each rule. Include it after support.h. */

#ifndef RUGOSE_LBP_CL_SUPPORT_H
#define RUGOSE_LBP_CL_SUPPORT_H

#include "lbp/opencl/lbp_opencl.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOB_ROOM       (256 * 256) /* pixels */
#define MOST_OPERATORS 3

/* What an engine fills. */
typedef struct filled {
    uint64_t codes[JOB_ROOM]; /* of any dtype */
    uint32_t bins[JOB_ROOM];
    uint64_t counts[RUG_LBP_MAX_BINS];
} filled;

/* A pixel of the whole image; outside of it 0. */
static inline double slow_pixel(const rug_image *img, double y, double x)
{
    if (y < 0 || x < 0 || y >= (double)img->shape[0] || x >= (double)img->shape[1])
        return 0;
    return (double)test_pixel(img, 0, (size_t)y, (size_t)x);
}

/* The four pixels around a sample. */
typedef struct slow_pixels {
    double a, b, c, d; /* above left, above right, below left, below right */
} slow_pixels;

static inline slow_pixels slow_around(const rug_image *img, double y, double x)
{
    return (slow_pixels){
        slow_pixel(img, floor(y), floor(x)), slow_pixel(img, floor(y), ceil(x)),
        slow_pixel(img, ceil(y), floor(x)), slow_pixel(img, ceil(y), ceil(x))};
}

/* scikit-image's bilinear_interpolation(). */
static inline double slow_skimage(const rug_image *img, double y, double x)
{
    slow_pixels s = slow_around(img, y, x);
    double dy = y - floor(y), dx = x - floor(x);
    double top = (1 - dx) * s.a + dx * s.b;
    double bottom = (1 - dx) * s.c + dx * s.d;
    return (1 - dy) * top + dy * bottom;
}

static inline double slow_decimal(slow_pixels s, int32_t row, int32_t column)
{
    double top = 1e5 * s.a + column * (s.b - s.a);
    double bottom = 1e5 * s.c + column * (s.d - s.c);
    return 1e5 * top + row * (bottom - top);
}

static inline float slow_float(slow_pixels s, int32_t row, int32_t column)
{
    float a = (float)s.a, b = (float)s.b, c = (float)s.c, d = (float)s.d;
    float w_row = (float)row / 100000.0f, w_column = (float)column / 100000.0f;
    float top = a + w_column * (b - a);
    float bottom = c + w_column * (d - c);
    return top + w_row * (bottom - top);
}

/* The value of sample p around a centre, and whether it reaches it. */
static inline double slow_sample(const rugi_lbp_plan *plan, const rugi_lbp_point *p,
                                 const rug_image *img, double y, double x, int *is_set)
{
    double centre = slow_pixel(img, y, x), sample;
    slow_pixels s = slow_around(img, y + p->row, x + p->col);
    if (plan->is_nearest) {
        *is_set = s.a >= centre;
        return s.a;
    }
    switch (plan->exact) {
    case RUG_LBP_EXACT_DECIMAL:
        sample = slow_decimal(s, p->row_weight, p->col_weight);
        *is_set = sample >= 1e5 * (1e5 * centre);
        return sample;
    case RUG_LBP_EXACT_FLOAT:
        sample = (double)slow_float(s, p->row_weight, p->col_weight);
        *is_set = sample >= (double)(float)centre;
        return sample;
    case RUG_LBP_EXACT_SKIMAGE: break;
    }
    sample = slow_skimage(img, y + p->row, x + p->col);
    *is_set = sample - centre >= 0;
    return sample;
}

/* The pattern of a pixel. @param variance  set too */
static inline uint32_t slow_pattern(const rugi_lbp_plan *plan, uint32_t op,
                                    const rug_image *img, size_t y, size_t x,
                                    double *variance)
{
    const rugi_lbp_operator *o = &plan->op[op];
    uint32_t pattern = 0;
    double sum = 0, squares = 0, n = o->points;
    for (uint32_t i = 0; i < o->points; i++) {
        int is_set;
        double v = slow_sample(plan, &o->point[i], img, (double)y, (double)x, &is_set);
        pattern |= (uint32_t)is_set << i;
        sum += v;
        squares += v * v;
    }
    *variance = (squares - sum * sum / n) / n;
    return pattern;
}

static inline uint32_t slow_bin(const rugi_lbp_plan *plan, uint32_t op, uint32_t code,
                                double variance, const uint32_t *ranks)
{
    const rugi_lbp_operator *o = &plan->op[op];
    uint32_t bin = plan->method == RUG_LBP_ROR ? ranks[code] : code, of_cuts = 0;
    if (o->n_cuts == 0 && plan->method != RUG_LBP_VAR)
        return bin;
    if (isnan(variance))
        return RUGI_LBP_NO_BIN;
    while (of_cuts < o->n_cuts && o->cuts[of_cuts] <= variance)
        of_cuts++;
    return plan->method == RUG_LBP_VAR ? of_cuts : bin * (o->n_cuts + 1) + of_cuts;
}

static inline int slow_is_coded(const rugi_lbp_plan *plan, const rugi_lbp_operator *op,
                                const rug_image *img, size_t y, size_t x)
{
    if (plan->border == RUG_LBP_BORDER_ZERO)
        return 1;
    return y >= op->above && y + op->below < img->shape[0] && x >= op->before &&
           x + op->behind < img->shape[1];
}

static inline void put_slow_code(const rugi_lbp_operator *op, filled *out, size_t i,
                                 uint64_t code, double variance)
{
    switch (op->code_dtype) {
    case RUG_U8: ((uint8_t *)out->codes)[i] = (uint8_t)code; break;
    case RUG_U16: ((uint16_t *)out->codes)[i] = (uint16_t)code; break;
    case RUG_U32: ((uint32_t *)out->codes)[i] = (uint32_t)code; break;
    default: ((double *)out->codes)[i] = variance != 0 ? variance : NAN; break;
    }
}

/* Rows from .. to - 1 of an image. */
static inline void slow_lbp(filled *out, const rugi_lbp_plan *plan, uint32_t op,
                            const rug_image *img, size_t from, size_t to)
{
    const rugi_lbp_operator *o = &plan->op[op];
    uint32_t *ranks = NULL;
    memset(out, 0, sizeof *out);
    if (plan->method == RUG_LBP_ROR && o->n_bins > 0) {
        ranks = malloc(sizeof *ranks << o->points);
        assert_non_null(ranks);
        rugi_lbp_rank_rotations(o->points, ranks);
    }
    for (size_t y = from; y < to; y++)
        for (size_t x = 0; x < img->shape[1]; x++) {
            size_t i = (y - from) * img->shape[1] + x;
            double variance;
            uint32_t pattern = slow_pattern(plan, op, img, y, x, &variance);
            uint32_t code = rugi_lbp_code_of(plan->method, o->points, pattern);
            int is_coded = slow_is_coded(plan, o, img, y, x);
            put_slow_code(o, out, i, is_coded ? code : o->no_code,
                          is_coded ? variance : 0);
            out->bins[i] = RUGI_LBP_NO_BIN;
            if (is_coded && o->n_bins > 0)
                out->bins[i] = slow_bin(plan, op, code, variance, ranks);
            if (out->bins[i] != RUGI_LBP_NO_BIN)
                out->counts[out->bins[i]]++;
        }
    free(ranks);
}

/* Codes are equal; of variances any NaN is as good as another. */
static inline int is_same_code(const filled *a, const filled *b, rug_dtype dtype,
                               size_t i)
{
    size_t size = rug_dtype_size(dtype);
    const char *x = (const char *)a->codes, *y = (const char *)b->codes;
    if (dtype == RUG_F64 && isnan(((const double *)(const void *)x)[i]))
        return isnan(((const double *)(const void *)y)[i]);
    return memcmp(x + i * size, y + i * size, size) == 0;
}

static inline void assert_filled(const filled *got, const filled *expected,
                                 const rugi_lbp_operator *op, size_t n, const char *what)
{
    for (size_t i = 0; i < n && op->has_code_dtype; i++)
        if (!is_same_code(got, expected, op->code_dtype, i))
            fail_msg("%s: the code of pixel %zu differs", what, i);
    for (size_t i = 0; i < n && op->n_bins > 0; i++)
        if (got->bins[i] != expected->bins[i])
            fail_msg("%s: pixel %zu in bin %u, %u expected", what, i, got->bins[i],
                     expected->bins[i]);
    for (uint32_t b = 0; b < op->n_bins; b++)
        if (got->counts[b] != expected->counts[b])
            fail_msg("%s: %llu in bin %u, %llu expected", what,
                     (unsigned long long)got->counts[b], b,
                     (unsigned long long)expected->counts[b]);
}

/* Rows from .. to - 1 of an image as a job that asks for all that there is; of the image it
 * has what circles reach.
 * @param out  of each operator, zeroed */
static inline rugi_lbp_job make_job(const rugi_lbp_plan *plan, const rug_image *img,
                                    size_t from, size_t to, filled *const *out)
{
    size_t ny = img->shape[0];
    size_t first = from - (from < plan->above ? from : plan->above);
    size_t end = to + (ny - to < plan->below ? ny - to : plan->below);
    rugi_lbp_job job = {
        .plan = plan, .rows = *img, .first_row = first, .ny = ny, .from = from, .to = to};
    job.rows.data = (const char *)img->data + (ptrdiff_t)first * img->stride[0];
    job.rows.shape[0] = end - first;
    for (uint32_t i = 0; i < plan->n_operators; i++) {
        memset(out[i], 0, sizeof *out[i]);
        if (plan->op[i].has_code_dtype)
            job.codes[i] = out[i]->codes;
        if (plan->op[i].n_bins == 0)
            continue;
        job.bins[i] = out[i]->bins;
        job.counts[i] = out[i]->counts;
    }
    return job;
}

/* What the device fills, and the processor. */
static inline filled *const *results(void)
{
    static filled out[MOST_OPERATORS];
    static filled *const all[MOST_OPERATORS] = {&out[0], &out[1], &out[2]};
    return all;
}

static inline filled *const *expectations(void)
{
    static filled out[MOST_OPERATORS];
    static filled *const all[MOST_OPERATORS] = {&out[0], &out[1], &out[2]};
    return all;
}

static inline void run_cpu(const rugi_lbp_plan *plan, const rug_image *img, size_t from,
                           size_t to, const char *what)
{
    rug_context *cpu = test_context();
    rugi_lbp_job job = make_job(plan, img, from, to, expectations());
    if (rugi_lbp_cpu(cpu, &job) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(cpu));
    rug_context_free(cpu);
}

static inline void must_run(rug_context *device, rugi_lbp_job *job,
                            rugi_lbp_picture picture, size_t most_bytes, const char *what)
{
    const rugi_lbp_way way = {.picture = picture, .most_bytes = most_bytes};
    if (rugi_lbp_opencl_by(device, job, &way) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(device));
    assert_string_equal(job->engine, "opencl:0");
}

static inline void must_plan(rug_context *ctx, rugi_lbp_plan *plan,
                             const rug_lbp_options *opts)
{
    if (rugi_lbp_plan_make(ctx, plan, opts) != RUG_OK ||
        rugi_lbp_plan_make_tables(ctx, plan) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

#endif
