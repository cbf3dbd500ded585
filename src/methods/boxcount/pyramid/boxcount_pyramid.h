/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pyramid: boxes of all powers of two, every pixel read once. */

#ifndef RUGI_BOXCOUNT_PYRAMID_H
#define RUGI_BOXCOUNT_PYRAMID_H

#include "boxcount_plan.h"

/** What a pyramid counts: [m] are boxes of size 2^m. */
typedef struct rugi_boxcount_levels {
    uint32_t n;
    uint64_t nonempty[RUGI_MAX_LEVELS];
    uint64_t black[RUGI_MAX_LEVELS];
    const char *engine; /* what ran; static text */
} rugi_boxcount_levels;

/** What an engine is given, and what it fills. */
typedef struct rugi_boxcount_job {
    const rugi_boxcount_plan *plan;
    rugi_boxcount_levels *levels; /* zeroed; levels 0..6 are filled, and engine */
    uint8_t
        *blocks; /* [z][y][x] of plan->blocks: RUGI_BLOCK_ANY | RUGI_BLOCK_ALL of each */
} rugi_boxcount_job;

/** The CPU engine; job is a rugi_boxcount_job. */
rug_status rugi_boxcount_cpu(rug_context *ctx, void *job);

/** Counts levels 0..6 of a plan, and tells of each block whether it is empty or full.
 *  @param levels  zeroed first
 *  @param blocks  as in rugi_boxcount_job
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_blocks(rug_context *ctx, rugi_boxcount_levels *levels,
                                uint8_t *blocks, const rugi_boxcount_plan *plan);

/** The same by the CPU, whatever the device: for a few blocks, which take less time than
 *  the launch of a kernel. */
rug_status rugi_boxcount_blocks_by_cpu(rug_context *ctx, rugi_boxcount_levels *levels,
                                       uint8_t *blocks, const rugi_boxcount_plan *plan);

/** Counts levels 7 and above.
 *  @param blocks  of the whole image; destroyed */
void rugi_boxcount_raise(rugi_boxcount_levels *levels, uint8_t *blocks,
                         const size_t n_blocks[3], int box_axes);

/** Counts all levels of an image.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_pyramid(rug_context *ctx, rugi_boxcount_levels *levels,
                                 const rug_image *img, const rugi_predicate *predicate);

#endif
