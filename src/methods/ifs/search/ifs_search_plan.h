/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What every engine of the exact search needs to know: domains and ranges that have
 * variance, each domain once, those of large norms first, and the bounds of rounding. */

#ifndef RUGI_IFS_SEARCH_PLAN_H
#define RUGI_IFS_SEARCH_PLAN_H

#include "ifs_search.h"
#include "ifs_search_basis.h"

/** Pixels of the largest range. */
#define RUGI_IFS_PIXELS_MAX 1024

/** s_max is taken down to a multiple of 2^-28, so that clamped gains are compared exactly. */
#define RUGI_IFS_S_BITS 28

/** One range with variance. */
typedef struct rugi_ifs_range {
    uint32_t number; /* in the job */
    uint64_t sum;
    uint64_t norm2; /* n sum r² - (sum r)² */
} rugi_ifs_range;

/** A search. All memory is the plan's. */
typedef struct rugi_ifs_search_plan {
    const rugi_ifs_search_job *job;
    rugi_ifs_basis basis;
    uint64_t s_top;                          /* s_max in 2^-RUGI_IFS_S_BITS */
    uint16_t (*turned)[RUGI_IFS_PIXELS_MAX]; /* [8] rugi_ifs_turned() of every pixel */
    uint32_t *sums; /* [source ny - 1][source nx - 1] of 2 x 2 pixels */
    size_t row;     /* of sums: source nx - 1 */
    size_t grid_nx; /* domains of a row of the grid */
    size_t grid_ny;
    uint32_t
        *domains; /* [n_domains] numbers on the grid; norms fall. Of domains that differ
                          by a constant the first one alone */
    float *caps;  /* [n_domains, up to whole tiles] s_max times the norm, in grey; 0
                          behind the end */
    size_t n_domains;
    rugi_ifs_range *ranges; /* [n_ranges] norms rise */
    size_t n_ranges;
    double margin; /* a score of the screen is off by at most so much, times the squared
                      norm of the range */
} rugi_ifs_search_plan;

/** @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; free it in all cases */
rug_status rugi_ifs_search_plan_make(rug_context *ctx, rugi_ifs_search_plan *out,
                                     const rugi_ifs_search_job *job);
void rugi_ifs_search_plan_free(rug_context *ctx, rugi_ifs_search_plan *plan);

/** The sums of 2 x 2 pixels that a domain of the grid consists of, as it lies. */
void rugi_ifs_domain_pixels(const rugi_ifs_search_plan *plan, uint32_t domain,
                            uint32_t *out);

/** The pixels of a range of the job, row by row. */
void rugi_ifs_range_pixels(const rugi_ifs_search_job *job, uint32_t number,
                           uint32_t *out);

/** RUGI_IFS_LANES domains of the list from `first` on, in the basis, of norm 1; 0 behind the
 *  end of the list.
 *  @param out  [n][RUGI_IFS_LANES] */
void rugi_ifs_make_tile(const rugi_ifs_search_plan *plan, float *out, size_t first);

/** RUGI_IFS_LANES ranges of the list from `first` on, in the basis; 0 behind the end.
 *  @param out  [n][RUGI_IFS_LANES] */
void rugi_ifs_make_ranges(const rugi_ifs_search_plan *plan, float *out, size_t first);

#endif
