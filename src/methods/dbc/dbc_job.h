/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One slab's work, as engines get it. */

#ifndef RUGI_DBC_JOB_H
#define RUGI_DBC_JOB_H

#include "dbc_kernels.h"
#include "dbc_keys.h"

/** The extremes of a block. */
typedef struct rugi_dbc_block {
    uint64_t lo, hi; /* keys; lo > hi: it holds no pixel */
} rugi_dbc_block;

typedef struct rugi_dbc_job {
    const rugi_dbc_plan *plan;
    rug_image slab;  /* [layers][rows][columns] */
    rug_image mask;  /* data NULL: none */
    size_t first;    /* its first layer */
    void *processor; /* what the processor's engine keeps from slab to slab */
    /* Results: blocks of RUGI_DBC_BLOCK pixels a side, and what the smaller ones add up to. */
    rugi_dbc_block *blocks;                         /* [plan->n_blocks] */
    rugi_dbc_tally tally[RUGI_DBC_BLOCK_LEVEL + 1]; /* [level] */
    rugi_dbc_pixels pixels;                         /* of masks and floats */
    const char *engine;
} rugi_dbc_job;

/** The engine of the processor. Slabs come in their order. */
rug_status rugi_dbc_cpu(rug_context *ctx, void *job);

/** Frees what it keeps. */
void rugi_dbc_cpu_end(rug_context *ctx, rugi_dbc_job *job);

#endif
