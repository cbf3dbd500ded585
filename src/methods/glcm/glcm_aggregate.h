/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* All matrices of a region, and its rows: what becomes of directions and slices. */

#ifndef RUGI_GLCM_AGGREGATE_H
#define RUGI_GLCM_AGGREGATE_H

#include "glcm/features/glcm_features.h"

/** Features of one matrix, or of several together. */
typedef struct rugi_glcm_measured {
    double features[RUG_GLCM_N_FEATURES];
    uint64_t pairs;
    int is_flat;
} rugi_glcm_measured;

/** Matrices of a distance, slice by slice and in each direction by direction: the number of
 *  one is slice * n_directions + direction. With MERGED there is one direction. */
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

/** Says what a matrix of a region is; without offsets where none fits into it.
 *  @param c  holds the levels of the slice until its next use */
rug_status rugi_glcm_matrix_of(rug_context *ctx, rugi_glcm_counting *c,
                               rugi_glcm_place *place, const rugi_glcm_plan *plan,
                               const rugi_glcm_region *r, uint32_t distance,
                               size_t matrix);

/** From the sums of a matrix to its features. */
void rugi_glcm_finish(rugi_glcm_measured *out, const rugi_glcm_sums *sums,
                      const rugi_glcm_plan *plan, const rugi_glcm_region *r);

/** Measures one matrix of a region: all of the above. */
rug_status rugi_glcm_measure(rug_context *ctx, rugi_glcm_counting *c,
                             rugi_glcm_measured *out, const rugi_glcm_plan *plan,
                             const rugi_glcm_region *r, uint32_t distance, size_t matrix);

/** Makes the rows of one distance of all of its matrices.
 *  @param rows      1, or a row for each direction
 *  @param measured  [n_slices * n_directions]; holds rubbish afterwards */
void rugi_glcm_rows(rug_glcm_row *rows, rugi_glcm_measured *measured,
                    const rugi_glcm_plan *plan, const rugi_glcm_region *r,
                    uint32_t distance);

#endif
