/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the parts of the OpenCL engine share. Regions are cut out by the processor. A device
 * counts their matrices, and gives entries back, keys and counts, or sums over them: integers
 * that are the same on every device. The processor makes features of them, as of its own.
 *
 * Small regions go many in a launch, a work group for each matrix. A large one goes alone,
 * its matrices one after the other in a table of global memory. */

#ifndef RUGI_GLCM_OPENCL_H
#define RUGI_GLCM_OPENCL_H

#include "core/context/threads.h"
#include "glcm/measure/glcm_measure.h"
#include "ocl/ocl.h"

/** A matrix for the kernels; as in glcm.cl. */
typedef struct rugi_glcm_cl_matrix {
    uint32_t first_word, n_words, ny, nz, first_offset, n_offsets;
    uint32_t rank_bits, n_slots, background, first_level;
} rugi_glcm_cl_matrix;

/** A kernel and the work items of its groups. */
typedef struct rugi_glcm_cl_kernel {
    rugi_ocl_kernel *kernel;
    size_t items;
} rugi_glcm_cl_kernel;

typedef struct rugi_glcm_cl_worker {
    RUGI_OWN_LINES rug_context ctx;
    rugi_glcm_region region;
    rugi_glcm_counting counting;
    rugi_glcm_scratch measured;
} rugi_glcm_cl_worker;

/** The engine at work. */
typedef struct rugi_glcm_cl {
    rugi_ocl *device;
    const rugi_glcm_job *job;
    int with_sums; /**< small regions come back as sums, not as entries */
    rugi_glcm_cl_kernel small, runs, pixels, take;
    size_t most_bytes;   /**< of pixels, or of entries */
    uint32_t most_slots; /**< in local memory */
    size_t n_workers;
    rugi_glcm_cl_worker *workers;
    rugi_glcm_scratch mask_scratch, rank_scratch; /**< of a region of scattered pixels */
} rugi_glcm_cl;

/** Words of the mask of a small region at most; one work group counts it. In a wider box
 *  scattered pixels are left to the processor. */
#define RUGI_GLCM_CL_SMALL_WORDS ((size_t)1 << 10)

/** Slots of the smallest table in local memory. */
#define RUGI_GLCM_CL_LEAST_SLOTS 64

/** The entries that a matrix can have at most. */
uint64_t rugi_glcm_cl_entries(const rugi_glcm_matrix *m);

/** Describes a matrix for the kernels, except where its offsets, levels and pixels are.
 *  @return 0 when it does not fit into local memory; all but n_slots is set */
int rugi_glcm_cl_describe(rugi_glcm_cl_matrix *out, const rugi_glcm_cl *cl,
                          const rugi_glcm_matrix *m);

/** Makes a tile's mask and ranks lie in other memory. Scattered pixels get a mask there. */
void rugi_glcm_cl_move(rugi_glcm_tile *tile, uint64_t *mask, uint16_t *rank);

/** Offsets as kernels take them: x y z 0. */
void rugi_glcm_cl_offsets(int32_t (*out)[4], const rugi_glcm_matrix *m);

/** Fails because a device gave an impossible answer. */
rug_status rugi_glcm_cl_fail_impossible(rug_context *ctx, const rugi_glcm_cl *cl);

/** The rows of a region have this engine. */
void rugi_glcm_cl_sign(const rugi_glcm_cl *cl, rugi_glcm_row *rows);

/** Measures a region by itself. rows: its own. */
rug_status rugi_glcm_cl_large(rug_context *ctx, rugi_glcm_cl *cl, size_t region,
                              rugi_glcm_row *rows);

/** Measures a run of small regions of the job, first .. first + n - 1 of it; those that
 *  prove too large for local memory one by one. */
rug_status rugi_glcm_cl_small(rug_context *ctx, rugi_glcm_cl *cl, size_t first, size_t n);

/** Words of the mask of a region, whatever its pixels. */
static inline size_t rugi_glcm_cl_words(const rugi_glcm_job *job, size_t region)
{
    const size_t *shape = rugi_glcm_shape(job->plan, region);
    return shape[0] * shape[1] * ((shape[2] - 1) / 64 + 1);
}

#endif
