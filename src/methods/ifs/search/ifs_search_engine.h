/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What engines of the exact search share: how domains are compared, in whole numbers,
 * so that the choice depends on no rounding, and the task that they are given. */

#ifndef RUGI_IFS_SEARCH_ENGINE_H
#define RUGI_IFS_SEARCH_ENGINE_H

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

/** Fills the matches of the plan's batch.
 *  @param best  [plan n_ranges]; NULL: no range has a domain */
void rugi_ifs_finish(const rugi_ifs_search_plan *plan, const rugi_ifs_best *best);

/** A job with its plan, as engines are given it. Each fills best, and engine. */
typedef struct rugi_ifs_search_task {
    const rugi_ifs_search_plan *plan;
    rugi_ifs_best *best; /* [plan n_ranges], of found = 0 when an engine begins */
    const char *engine;  /* what ran */
} rugi_ifs_search_task;

/** The OpenCL engine, which is built where there are headers of OpenCL. The task's best stay
 *  as they are unless it succeeds.
 *  @return RUG_OK, RUG_E_DEVICE, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_search_opencl(rug_context *ctx, void *task);

#endif
