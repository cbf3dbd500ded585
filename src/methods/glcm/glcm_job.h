/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What an engine of co-occurrence is given: a batch of regions, whose rows it fills. */

#ifndef RUGI_GLCM_JOB_H
#define RUGI_GLCM_JOB_H

#include "core/context/context_internal.h"
#include "glcm/region/glcm_region.h"

typedef struct rugi_glcm_job {
    const rugi_glcm_plan *plan;
    const rug_regions *regions; /* NULL: the image is the only one */
    size_t first, n;            /* regions of the batch; a large one is alone */
    rug_glcm_row *rows;         /* [n][plan->n_rows] */
    void *cpu;                  /* of the CPU engine */
} rugi_glcm_job;

/** The CPU engine; job is a rugi_glcm_job. */
rug_status rugi_glcm_cpu(rug_context *ctx, void *job);

/** The OpenCL engine. Regions that do not fit its memory are measured by the CPU, and their
 *  rows say so. */
rug_status rugi_glcm_opencl(rug_context *ctx, void *job);

/** The same with little memory, so that few regions go in a launch and few are counted in
 *  local memory.
 *  @param most_bytes  of pixels and entries of a launch
 *  @param most_slots  of counters in local memory
 *  @param with_sums   nonzero: where no entries are needed, the device sums them up */
rug_status rugi_glcm_opencl_pieces(rug_context *ctx, const rugi_glcm_job *job,
                                   size_t most_bytes, uint32_t most_slots, int with_sums);

/** A context for one thread: no callbacks, an error text of its own. */
void rugi_glcm_thread_context(rug_context *own, const rug_context *ctx);

#endif
