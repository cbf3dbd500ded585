/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A comparison at work: the planes as volumes. Each task of a pass writes a place of its own, and
 * places are added in their order, so that sums do not depend on the number of threads. */

#ifndef RUGI_QUALITY_JOB_H
#define RUGI_QUALITY_JOB_H

#include "core/image/image_internal.h"
#include <rugose/quality.h>

/** Pixels of the Gaussian window along an axis, 7 standard deviations of 1.5. */
#define RUGI_QUALITY_WINDOW 11

typedef struct rugi_quality_job {
    const rug_image *a, *b; /**< [n_planes] of [nz][ny][nx] */
    size_t n_planes;
    rug_dtype dtype;
    size_t nz, ny, nx;
    double offset; /**< subtracted from all values, so that squares of large values do not
                        drown small differences */
    double c1, c2; /**< the constants of SSIM */
} rugi_quality_job;

/** The mean of SSIM over all windows that lie inside; both sides at least the window.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_quality_measure_ssim(rug_context *ctx, double *out,
                                     const rugi_quality_job *job);

#endif
