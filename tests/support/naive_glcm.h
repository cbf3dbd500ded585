/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence straight from the definitions: a dense matrix of doubles, features by the
 * sums of Haralick et al. (1973) and IBSI (2016). Slow, and independent of the library but for
 * its options and the order of features. Tests compare with it, and the benchmark times it. */

#ifndef TESTS_NAIVE_GLCM_H
#define TESTS_NAIVE_GLCM_H

#include <rugose/glcm.h>
#include <string.h>

/** A row of the library's result with its features. */
typedef struct glcm_row {
    uint64_t label;
    size_t first[3], shape[3];
    uint64_t area, n_nan, n_clamped;
    uint32_t distance;
    int direction;
    uint64_t pairs;
    uint32_t levels;
    double bin_origin, bin_width;
    rug_glcm_status status;
    const char *engine;
    double features[RUG_GLCM_N_FEATURES];
    uint64_t n_outside;
} glcm_row;

static inline void glcm_copy_row(glcm_row *out, const rug_glcm_row *row)
{
    *out = (glcm_row){.label = row->label,
                      .area = row->area,
                      .n_nan = row->n_nan,
                      .n_clamped = row->n_clamped,
                      .distance = row->distance,
                      .direction = row->direction,
                      .pairs = row->pairs,
                      .levels = row->levels,
                      .bin_origin = row->bin_origin,
                      .bin_width = row->bin_width,
                      .status = row->status,
                      .engine = row->engine,
                      .n_outside = row->n_outside};
    memcpy(out->first, row->first, sizeof out->first);
    memcpy(out->shape, row->shape, sizeof out->shape);
    memcpy(out->features, row->features, row->n_features * sizeof *row->features);
}

/** Pixels in C order as doubles, below 2^53. */
typedef struct naive_pixels {
    size_t nz, ny, nx; /**< nz = 1 and ndim = 2 for an image */
    int ndim;
    const double *value;
    const uint64_t *label; /**< NULL: one region with the label 0 */
    const uint8_t *inside; /**< of the mask; NULL: all */
    rug_dtype dtype;       /**< of the values, for AUTO and TYPE */
} naive_pixels;

/** A row of the library's result.
 *  @param direction  a direction; -1: what the options make of all of them
 *  @param with_mcc   0: f14 is left NaN, since it takes long with many levels
 *  @return 0 when there is not enough memory */
int naive_glcm(glcm_row *out, const naive_pixels *pixels, const rug_glcm_options *opts,
               uint64_t label, uint32_t distance, int direction, int with_mcc);

/** The features of a matrix.
 *  @param p      [n][n], sum 1
 *  @param least  the grey level of row and column 0
 *  @param ng     Ng */
void naive_glcm_features(double out[RUG_GLCM_N_FEATURES], const double *p, size_t n,
                         double least, double ng, double log_base, int with_mcc);

#endif
