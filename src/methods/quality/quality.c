/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Comparing two images: checks, the two passes, and what their sums mean. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "quality_job.h"
#include <math.h>
#include <string.h>

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
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_quality_options"))
        return RUG_E_ARG;
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

static rug_status measure_ssim(rug_context *ctx, rug_quality_result *r,
                               rugi_quality_job *job, const rugi_quality_errors *e)
{
    double k1 = 0.01 * r->peak, k2 = 0.03 * r->peak;
    job->offset = e->min + (e->max - e->min) / 2;
    job->c1 = k1 * k1;
    job->c2 = k2 * k2;
    rugi_phase outer = rugi_phase_enter(ctx, ERRORS_SHARE, 1);
    rug_status status = rugi_quality_measure_ssim(ctx, &r->ssim, job);
    rugi_phase_leave(ctx, outer);
    if (status == RUG_OK && !isfinite(r->ssim)) {
        r->ssim = NAN;
        r->status = "overflow";
    }
    return status;
}

/* What follows from the first pass. @return nonzero when there is to be an SSIM */
static int evaluate(rug_quality_result *r, const rugi_quality_job *job,
                    const rugi_quality_errors *e)
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
    r->status = "ok";
    if (!isfinite(r->mse) || !isfinite(r->peak)) {
        r->mse = r->psnr = NAN;
        r->status = "overflow";
    } else if (job->ny < RUGI_QUALITY_WINDOW || job->nx < RUGI_QUALITY_WINDOW)
        r->status = "smaller than the SSIM window";
    else if (!(r->peak > 0))
        r->status = "flat";
    else
        return 1;
    return 0;
}

static rug_status compare(rug_context *ctx, rug_quality_result *r, rugi_quality_job *job)
{
    rugi_quality_errors e = {0};
    rugi_phase outer = rugi_phase_enter(ctx, 0, ERRORS_SHARE);
    rug_status status = rugi_quality_measure_errors(ctx, &e, job);
    rugi_phase_leave(ctx, outer);
    if (status != RUG_OK)
        return status;
    if (e.n_not_finite > 0)
        return rug_context_fail(
            ctx, RUG_E_ARG, "NaN or infinity given (%llu times): they have no distance",
            (unsigned long long)e.n_not_finite);
    return evaluate(r, job, &e) ? measure_ssim(ctx, r, job, &e)
                                : rug_context_step(ctx, 1);
}

rug_status rug_quality(rug_context *ctx, rug_quality_result *out, const rug_image *a,
                       const rug_image *b, int n_planes, const rug_quality_options *opts)
{
    static const rug_quality_options defaults = RUG_QUALITY_OPTIONS_INIT;
    rug_image volumes[2][PLANES_MAX];
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_quality: NULL given for the context or the result");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check(ctx, a, b, n_planes, opts);
    if (status == RUG_OK)
        status = rugi_engine_cpu_only(ctx, "comparing images");
    if (status != RUG_OK)
        return status;
    for (int i = 0; i < n_planes; i++) {
        volumes[0][i] = rugi_image_with_z(&a[i]);
        volumes[1][i] = rugi_image_with_z(&b[i]);
    }
    const rug_image *first = volumes[0];
    rugi_quality_job job = {.a = volumes[0],
                            .b = volumes[1],
                            .n_planes = (size_t)n_planes,
                            .dtype = first->dtype,
                            .nz = first->shape[0],
                            .ny = first->shape[1],
                            .nx = first->shape[2]};
    rug_quality_result result = {.peak = opts->peak};
    status = compare(ctx, &result, &job);
    if (status == RUG_OK)
        *out = result;
    return status;
}
