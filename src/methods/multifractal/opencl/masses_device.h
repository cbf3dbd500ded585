/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the OpenCL engine of box masses works with. */

#ifndef RUGI_MASSES_DEVICE_H
#define RUGI_MASSES_DEVICE_H

#include "multifractal/masses/masses_state.h"
#include "ocl/ocl.h"
#include "ocl/work/ocl_shape.h"

/** How masses of a size are worked on. */
typedef struct rugi_masses_device_kernels {
    size_t size; /* bytes of a mass that comes in */
    rugi_ocl_kernel *join, *count;
    rugi_ocl_grouped count_local; /* where local_entries > 0 */
} rugi_masses_device_kernels;

/** The device at work on a job. */
typedef struct rugi_masses_device {
    const rugi_masses_job *job;
    const rugi_masses_plan *plan;
    rugi_ocl *device;
    rugi_masses_device_kernels of_pixels, of_sums;
    size_t local_entries;              /* of a table in local memory, at most */
    size_t side[3];                    /* of the largest brick, in blocks */
    rugi_ocl_buffer *pixels, *sums[2]; /* sums of odd and of even levels */
    rugi_ocl_buffer *counts;           /* [plan->n_counts] */
    uint64_t n_counted;                /* pixels since counts were 0 */
    char *staging;                     /* pixels of a brick as rows of plan->kind */
    void *boxes;                       /* of a level that is read */
    char *scratch;                     /* of the threads */
    uint32_t *host_counts;             /* [plan->n_counts] */
    /* Results, until all bricks are done. */
    uint64_t *tables; /* [plan->n_counts] */
    uint64_t *blocks; /* of the job, x fastest */
    rugi_mass_list lists[RUGI_MASSES_FINE];
} rugi_masses_device;

/** Measures some blocks of a job, n pixels along each axis.
 *  @param first  of these blocks, in blocks of the image */
rug_status rugi_masses_device_brick(rug_context *ctx, rugi_masses_device *d,
                                    const size_t first[3], const size_t n_blocks[3]);

/** Adds to tables what counts hold, and empties them. */
rug_status rugi_masses_device_drain(rug_context *ctx, rugi_masses_device *d);

/** The first level whose boxes are read. Level 0 never is: the host has the pixels. */
unsigned rugi_masses_device_first_read(const rugi_masses_plan *plan);

#endif
