/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The state of a search on a device, and what its batches have found. */

#ifndef RUGI_IFS_SEARCH_FOUND_H
#define RUGI_IFS_SEARCH_FOUND_H

#include "core/context/threads.h"
#include "ifs/search_opencl/ifs_search_opencl.h"
#include "ifs_search_engine.h"

typedef struct rugi_ifs_search_work {
    const rugi_ifs_search_plan *plan;
    rugi_ifs_search_kit kit;
    rugi_ifs_best *best;
    float *ranges;       /* [n_groups][n][4] */
    float *floor, *need; /* [n_groups][4] */
    uint16_t *crowded;   /* [n_groups][4] bits: chunks of the batch with several domains
                            that may be the best */
    size_t n_groups, n_blocks;
    /* Where the next batch begins. */
    size_t block, group, n_batches;
    size_t batch_groups; /* groups that are worth a batch */
    double progress;
    /* The batch that is looked at, and hits of its looks. */
    rugi_ifs_search_batch *batch;
    const rugi_ifs_search_slot *slot;
    uint32_t *look_ranges; /* [looks.most][4] numbers of the plan's ranges */
    size_t n_looks, first_look;
    uint32_t n_hits;
} rugi_ifs_search_work;

/** A loop that does not show in the progress. */
rug_status rugi_ifs_search_loop(rug_context *ctx, rugi_ifs_search_work *work,
                                size_t n_tasks, rugi_task_fn task);

/** Waits for a batch and measures what may be the best of its ranges.
 *  @param next  the one behind, which is under way; its n_groups may be 0
 *  @return RUG_OK, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_ifs_search_finish(rug_context *ctx, rugi_ifs_search_work *work,
                                  rugi_ifs_search_batch *batch,
                                  const rugi_ifs_search_slot *slot,
                                  rugi_ifs_search_batch *next);

#endif
