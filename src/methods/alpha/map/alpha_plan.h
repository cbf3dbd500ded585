/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of a map of alpha: every number that the engines need, computed once; and the
 * job of an engine. */

#ifndef RUGI_ALPHA_PLAN_H
#define RUGI_ALPHA_PLAN_H

#include <rugose/image.h>
#include <rugose/multifractal_alpha.h>
#include <stdint.h>

/** The most numbers that the measure of a window is put together from. */
#define RUGI_ALPHA_MAX_PARTS 2

typedef struct rugi_alpha_plan {
    rug_alpha_measure measure;
    int n_windows; /* K: sides 1, 3 … 2 K - 1 */
    int reach;     /* K - 1: pixels that the largest window reaches from its centre */
    /* alpha = sum over k = 1 .. K - 1, in this order, of weight[k] (ln mu_k - ln mu_0):
     * the least-squares slope, which is exactly 0 where all measures are equal */
    double weight[RUG_ALPHA_MAX_WINDOWS];
    double tolerance;         /* ISO */
    uint64_t whole_tolerance; /* the same for 64-bit integers, rounded down */
} rugi_alpha_plan;

typedef struct rugi_alpha_job {
    const rugi_alpha_plan *plan;
    rug_image volume;   /* of rugi_alpha_view(): [nz][ny][nx] */
    size_t first, n;    /* slices that are wanted */
    rug_image mask;     /* of those, with the same axes; data NULL: no mask */
    float *out;         /* [n][ny][nx] */
    const char *engine; /* set by the engine */
} rugi_alpha_job;

/** Takes all options, including those of slices, which a caller gives, and checks them.
 *  @param given  NULL: the defaults
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_alpha_take(rug_context *ctx, rug_alpha_options *own,
                           const rug_alpha_options *given);

/** Makes the plan from checked options. */
void rugi_alpha_plan_make(rugi_alpha_plan *plan, const rug_alpha_options *opts);

/** An image or a volume as engines see it: slices along which they walk. The rows of an
 *  image become slices of one row each. */
rug_image rugi_alpha_view(const rug_image *image);

/** Runs a job on the first engine that works. */
rug_status rugi_alpha_run(rug_context *ctx, rugi_alpha_job *job);

/** rug_alpha_map_source() in slabs of so many layers; 0: by their bytes. */
rug_status rugi_alpha_map_source_by(rug_context *ctx, const rug_source *source,
                                    const rug_alpha_options *opts, rug_alpha_map_fn fn,
                                    void *user, size_t n_layers);

/** Whether a measure needs all bits of 64-bit integers: a SUM is the sum of the upper
 *  halves, times 2^32, plus that of the lower halves; ISO compares integers. */
static inline int rugi_alpha_is_wide(const rugi_alpha_plan *plan, rug_dtype dtype)
{
    return (dtype == RUG_U64 || dtype == RUG_I64) &&
           (plan->measure == RUG_ALPHA_SUM || plan->measure == RUG_ALPHA_ISO);
}

/** Makes alphas NaN where n pixels of a mask, of rugi_segment_dtype(), are 0 or NaN.
 *  @return how many those are */
size_t rugi_alpha_drop_outside(float *alpha, const void *mask, rug_dtype dtype, size_t n);

/** The engine of the processor; job is a rugi_alpha_job. */
rug_status rugi_alpha_cpu(rug_context *ctx, void *job);

#endif
