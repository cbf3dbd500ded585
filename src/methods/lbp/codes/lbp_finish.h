/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From planes of bits to what a job asks for: codes, bins and counts. */

#ifndef RUGI_LBP_FINISH_H
#define RUGI_LBP_FINISH_H

#include "lbp_kernels.h"

/** One row of a tile of one operator. */
typedef struct rugi_lbp_finish {
    const rugi_lbp_kernels *kernels;
    rug_lbp_method method;
    const rugi_lbp_operator *op;
    const uint64_t (*planes)[RUGI_LBP_WORDS]; /* [points] */
    double *variances; /* [RUGI_LBP_TILE]; NULL: not requested. Changed */
    size_t n;          /* pixels */
    size_t first, end; /* those that have a code */
    void *codes;       /* [n] of the operator's code_dtype; NULL: not requested */
    uint32_t *bins;    /* [n], or NULL */
    uint64_t *counts;  /* or NULL: [n_bins][n_counters] */
    size_t n_counters; /* for each bin; see rugi_lbp_counters() */
} rugi_lbp_finish;

/** How many counters a bin has, which are to be added up: where pixels are counted as planes
 *  one for each word of a plane, else 1.
 *  @param has_bins  whether the bins of pixels are requested */
static inline size_t rugi_lbp_counters(rug_lbp_method method, const rugi_lbp_operator *op,
                                       int has_bins)
{
    return method == RUG_LBP_RIU2 && op->n_cuts == 0 && !has_bins ? RUGI_LBP_WORDS : 1;
}

/** Finishes a row: writes all that is requested. */
void rugi_lbp_finish_row(const rugi_lbp_finish *f);

#endif
