/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What an engine is given, slab by slab, and what it gives back. */

#ifndef RUGI_DBC_JOB_H
#define RUGI_DBC_JOB_H

#include "dbc_kernels.h"
#include "dbc_keys.h"

/** The least and the largest key of a block's pixels. */
typedef struct rugi_dbc_block {
    uint64_t lo, hi; /* keys; lo > hi: it has no pixels */
} rugi_dbc_block;

typedef struct rugi_dbc_job {
    const rugi_dbc_plan *plan;
    rug_image slab;  /* [layers][rows][columns] */
    rug_image mask;  /* of the same shape; data NULL: none */
    size_t first;    /* the slab's first layer in the image */
    void *processor; /* what rugi_dbc_cpu() keeps from slab to slab; NULL at first */
    /* Results, of all slabs so far. */
    rugi_dbc_block *blocks; /* of 64 pixels a side: [plan->n_blocks] */
    rugi_dbc_tallies tally; /* sums over blocks up to these */
    rugi_dbc_seen seen;     /* set with masks and for floats */
    const char *engine;     /* the one that did it; static text */
} rugi_dbc_job;

/** The engine of the processor; job is a rugi_dbc_job. Slabs come in their order. */
rug_status rugi_dbc_cpu(rug_context *ctx, void *job);

/** Frees job->processor. */
void rugi_dbc_cpu_end(rug_context *ctx, rugi_dbc_job *job);

#endif
