/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How many pixels have each grey level, or lie in each of many equal bins, and Otsu's threshold
 * of these counts. */

#ifndef RUGI_HISTOGRAM_H
#define RUGI_HISTOGRAM_H

#include "range.h"
#include "range_kernels.h"
#include "whole.h"
#include <stdatomic.h>

/** Bins at most, and as many as there are of equal width. */
#define RUGI_HISTOGRAM_MAX 65536

/** Counts of pixels, and what they are of. */
typedef struct rugi_histogram {
    rug_dtype dtype;  /* of segments */
    int is_exact;     /* a bin for each level, else equal bins */
    rugi_whole least; /* is_exact: the level of bin 0 */
    rugi_bins bins;   /* equal bins */
    size_t n_bins;
    int has_parts; /* some finite floats are no whole numbers, so that levels cannot be exact */
    _Atomic uint64_t *counts; /* [n_bins] */
    rugi_exact
        *lowest; /* [n_bins + 1]: the least value in each bin, equal bins only. NULL: not
                           wanted */
} rugi_histogram;

/** The pixels of a bin. */
static inline uint64_t rugi_histogram_at(const rugi_histogram *h, size_t bin)
{
    return atomic_load_explicit(&h->counts[bin], memory_order_relaxed);
}

/** Which bins a range has, without memory for them: exact levels wherever they are few enough.
 *  @param dtype      of segments
 *  @param range      of which the least value is not the largest
 *  @param has_parts  floats are known to be no whole numbers, or expected to be */
rugi_histogram rugi_histogram_plan(rug_dtype dtype, const rug_image_range *range,
                                   int has_parts);

/** Takes memory for a plan. @param with_lowest  of equal bins also for the least values
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_histogram_begin(rug_context *ctx, rugi_histogram *h, int with_lowest);
void rugi_histogram_free(rug_context *ctx, rugi_histogram *h);

/** Adds the pixels of a source; those beyond the range are left out. */
rug_status rugi_histogram_count(rug_context *ctx, rugi_histogram *h,
                                const rug_source *source, const rug_source *mask);

/** Otsu's threshold: the bin behind which the upper class begins. */
size_t rugi_histogram_otsu(const rugi_histogram *h);

/** The level of a bin; exact levels only. */
rugi_exact rugi_histogram_level(const rugi_histogram *h, size_t bin);

/** The least value of a source in a bin above `below`, which has infinity where there is none.
 *  Equal bins only. */
rug_status rugi_histogram_upper(rug_context *ctx, rugi_exact *out, rugi_histogram *h,
                                const rug_image_range *range, size_t below,
                                const rug_source *source, const rug_source *mask);

#endif
