/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What engines of co-occurrence are given, a batch of regions whose rows they fill, and
 * the CPU engine. All engines make rows by the same steps: the matrices of a region,
 * their sums, their features. */

#ifndef RUGI_GLCM_MEASURE_H
#define RUGI_GLCM_MEASURE_H

#include "core/context/context_internal.h"
#include "glcm/count/glcm_count.h"

/** Pixels from which on a region is worth all threads. */
#define RUGI_GLCM_LARGE ((uint64_t)1 << 17)

/** A row with its features, which it points to when it is handed out. */
typedef struct rugi_glcm_row {
    rug_glcm_row row;
    double features[RUG_GLCM_N_FEATURES];
} rugi_glcm_row;

/** A matrix that was counted, before features are made of it. */
typedef struct rugi_glcm_counted {
    size_t region;                      /**< its number in the plan */
    const rugi_glcm_region *r;          /**< cut out */
    uint32_t d;                         /**< the number of the distance */
    size_t matrix;                      /**< of those at this distance */
    const rugi_glcm_sums *sums;         /**< all 0 where no offset fits */
    const rugi_glcm_counting *counting; /**< with its entries, if there are pairs */
} rugi_glcm_counted;

typedef struct rugi_glcm_job {
    const rugi_glcm_plan *plan;
    size_t first, n;                   /**< regions of the batch; a large one is alone */
    rugi_glcm_row *rows;               /**< [n][plan->n_rows] */
    struct rugi_glcm_workers *workers; /**< of the CPU engine */
    /** Of the CPU engine, NULL for features: receives all matrices of a region one after the
     *  other instead, on the thread that counts them. Then there are no rows. */
    rug_status (*take)(rug_context *own, void *user, const rugi_glcm_counted *counted);
    void *user;
} rugi_glcm_job;

/** The CPU engine; job is a rugi_glcm_job. */
rug_status rugi_glcm_cpu(rug_context *ctx, void *job);

/** Its memory, per thread.
 *  @param most  regions of a batch at most
 *  @param out   to be freed, also after a failure */
rug_status rugi_glcm_workers_new(rug_context *ctx, struct rugi_glcm_workers **out,
                                 size_t most);
void rugi_glcm_workers_free(rug_context *ctx, struct rugi_glcm_workers *workers);

/** The OpenCL engine. Regions that do not fit its memory are measured by the CPU, and
 *  their rows say so. */
rug_status rugi_glcm_opencl(rug_context *ctx, void *job);

/** The same with little memory, so that few regions go in a launch and few are counted in
 *  local memory.
 *  @param most_bytes  of pixels and entries of a launch
 *  @param most_slots  of counters in local memory
 *  @param with_sums   nonzero: where no entries are needed, the device sums them up */
rug_status rugi_glcm_opencl_pieces(rug_context *ctx, const rugi_glcm_job *job,
                                   size_t most_bytes, uint32_t most_slots, int with_sums);

/** rug_glcm_source() in slabs of a given thickness.
 *  @param most_layers  of a slab; 0: as many as fit */
rug_status rugi_glcm_in_slabs(rug_context *ctx, const rug_source *source,
                              const rug_glcm_options *opts, size_t most_layers,
                              rug_glcm_row_fn fn, void *user);

/** Features of one matrix, or of several together. */
typedef struct rugi_glcm_measured {
    double features[RUG_GLCM_N_FEATURES];
    uint64_t pairs;
    int is_flat;
} rugi_glcm_measured;

/** What a row says of them. */
static inline rug_glcm_status rugi_glcm_status_of(const rugi_glcm_measured *measured)
{
    return measured->pairs == 0 ? RUG_GLCM_NO_PAIRS
           : measured->is_flat  ? RUG_GLCM_FLAT
                                : RUG_GLCM_OK;
}

/** Matrices of a distance, slice by slice and in each direction by direction: the number
 *  of one is slice * n_directions + direction. With MERGED there is one direction. */
typedef struct rugi_glcm_matrices {
    uint32_t n_directions;
    size_t n_slices; /**< 1, or with slices MEAN those of the region */
} rugi_glcm_matrices;

rugi_glcm_matrices rugi_glcm_matrices_of(const rugi_glcm_plan *plan,
                                         const rugi_glcm_region *r);

/** A matrix to count, with what it points to. */
typedef struct rugi_glcm_place {
    rugi_glcm_matrix matrix;
    rugi_glcm_tile tile; /**< of the region, or one of its slices */
    int offset[RUG_GLCM_DIRECTIONS_3D][3];
} rugi_glcm_place;

/** Describes a matrix of a region; it has no offsets if none fits into the region.
 *  @param c  holds the levels of the slice until its next use */
rug_status rugi_glcm_matrix_of(rug_context *ctx, rugi_glcm_counting *c,
                               rugi_glcm_place *place, const rugi_glcm_plan *plan,
                               const rugi_glcm_region *r, uint32_t distance,
                               size_t matrix);

/** From the sums of a matrix to its features. */
void rugi_glcm_finish(rugi_glcm_measured *out, const rugi_glcm_sums *sums,
                      const rugi_glcm_plan *plan, const rugi_glcm_region *r);

/** Makes the rows of one distance of all of its matrices.
 *  @param rows      1, or a row for each direction
 *  @param measured  [n_slices * n_directions]; overwritten */
void rugi_glcm_rows(rugi_glcm_row *rows, rugi_glcm_measured *measured,
                    const rugi_glcm_plan *plan, const rugi_glcm_region *r,
                    uint32_t distance);

#endif
