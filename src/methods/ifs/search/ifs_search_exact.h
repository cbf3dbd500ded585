/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What decides between domains: whole numbers, so that the choice depends on no rounding. */

#ifndef RUGI_IFS_SEARCH_EXACT_H
#define RUGI_IFS_SEARCH_EXACT_H

#include "ifs_search_plan.h"

/** The best domain of a range so far. */
typedef struct rugi_ifs_best {
    uint32_t domain;  /* its number on the grid, row by row */
    uint8_t symmetry; /* of several with the same |cross|, the least */
    uint8_t found;
    int64_t cross; /* as of rugi_ifs_match */
    uint64_t norm2;
} rugi_ifs_best;

/** Measures a domain of the grid against a range and keeps it when it is better than the
 *  best: by how much it lessens the squared error, then by its number.
 *  @param norm2  not 0
 *  @return whether it was kept */
int rugi_ifs_try(const rugi_ifs_search_plan *plan, const rugi_ifs_range *range,
                 rugi_ifs_best *best, uint32_t domain);

/** By how much the best domain lessens the squared error of its range; rounded. */
double rugi_ifs_gain(const rugi_ifs_search_plan *plan, const rugi_ifs_best *best);

/** What it takes to be at least as good as the best, for a screen.
 *  @param margin  by how much its scores may be off, in squared norms of the range
 *  @param floor   domains with a lower score are worse
 *  @param need    those with a lower cap are; changed where that is known */
void rugi_ifs_floor(const rugi_ifs_search_plan *plan, const rugi_ifs_range *range,
                    const rugi_ifs_best *best, double margin, float *floor, float *need);

/** The match that a best domain makes. */
void rugi_ifs_finish(const rugi_ifs_search_plan *plan, const rugi_ifs_range *range,
                     const rugi_ifs_best *best);

/** The matches of ranges without variance, and of all where there is no domain. */
void rugi_ifs_finish_flat(const rugi_ifs_search_plan *plan);

#endif
