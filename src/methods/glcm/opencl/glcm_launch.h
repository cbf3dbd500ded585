/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Small regions that go to an OpenCL device together. Their pixels are brought once; their
 * matrices are counted round by round, so that the entries fit. */

#ifndef RUGI_GLCM_LAUNCH_H
#define RUGI_GLCM_LAUNCH_H

#include "core/context/threads.h"
#include "glcm_opencl.h"

/* A region of the launch, whose pixels and levels lie in the launch's memory. */
typedef struct rugi_glcm_kept {
    rugi_glcm_region region;
    size_t first_word, first_level;
    int is_small; /* fits local memory */
    size_t n_matrices, n_offsets, n_entries;
    size_t first_matrix, first_offset; /* of the round */
} rugi_glcm_kept;

/* How a region went. */
typedef struct rugi_glcm_outcome {
    rug_status status;
    int thread;
} rugi_glcm_outcome;

/* What goes to the device, and comes back; a few regions are a round, whose entries fit. */
typedef struct rugi_glcm_launch {
    rugi_glcm_cl *cl;
    size_t first, n; /* regions of the job */
    rugi_glcm_kept *kept;
    rugi_glcm_outcome *outcome;
    size_t n_words, n_levels;
    uint64_t *mask;
    uint16_t *rank, *level_of;
    uint32_t *count_of;
    rugi_ocl_buffer *mask_buffer, *rank_buffer, *level_buffer, *t_buffer;
    size_t round, n_round; /* regions of the launch */
    size_t n_matrices, n_offsets, n_entries;
    rugi_glcm_cl_matrix *matrix;
    int32_t (*offset)[4];
    uint32_t n_taken;
    uint32_t (*found)[2];          /* of each matrix: where in `taken`, how many */
    rugi_glcm_device_count *taken; /* entries, or differences of levels */
    rugi_glcm_device_sums *summed;
    rugi_glcm_scratch matrix_scratch, offset_scratch, found_scratch, taken_scratch,
        summed_scratch;
} rugi_glcm_launch;

/** Runs a task for n regions; the first that failed, in their order, says why. */
rug_status rugi_glcm_launch_run(rug_context *ctx, rugi_glcm_launch *l, size_t n,
                                rugi_task_fn task);

/** Makes a buffer, and writes what goes into it. */
rug_status rugi_glcm_launch_bring(rug_context *ctx, const rugi_glcm_launch *l,
                                  rugi_ocl_buffer **out, const void *data, size_t n,
                                  size_t size);

/** The rows of region i of the launch. */
rug_glcm_row *rugi_glcm_launch_rows(const rugi_glcm_launch *l, size_t i);

/** Makes the next regions whose entries fit, at least one, the round, without those that are
 *  not small. @return 0 when there are no more */
int rugi_glcm_next_round(rugi_glcm_launch *l);

/** Counts the matrices of the round, and makes its rows. */
rug_status rugi_glcm_measure_round(rug_context *ctx, rugi_glcm_launch *l);

#endif
