/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_GLCM_MATRIX_H
#define RUGOSE_GLCM_MATRIX_H

#include <rugose/glcm.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_GLCM_MATRIX_MAX_LEVELS 8192

typedef struct rug_glcm_matrix {
    uint64_t label;
    uint32_t distance;
    int direction;
    int32_t offset[3];
    uint32_t n_levels;
    int64_t level_min;
    size_t slice;
    uint64_t n_gray;
    uint64_t pairs;
    const uint64_t *counts;
} rug_glcm_matrix;

typedef rug_status (*rug_glcm_matrix_fn)(void *user, const rug_glcm_matrix *matrix);

RUG_API rug_status rug_glcm_matrices(rug_context *ctx, const rug_image *image,
                                     const rug_glcm_options *opts, rug_glcm_matrix_fn fn,
                                     void *user);

RUG_API rug_status rug_glcm_matrices_at(rug_context *ctx, const rug_image *image,
                                        const int32_t (*offsets)[3], size_t n_offsets,
                                        const rug_glcm_options *opts,
                                        rug_glcm_matrix_fn fn, void *user);

typedef struct rug_glcm_matrix_options {
    size_t struct_size;
    int64_t level_min;
    uint64_t n_gray;
    int asymmetric;
    rug_glcm_features features;
} rug_glcm_matrix_options;

#define RUG_GLCM_MATRIX_OPTIONS_INIT                                   \
    {                                                                  \
        sizeof(rug_glcm_matrix_options), 1, 0, 0, RUG_GLCM_FEATURES_14 \
    }

RUG_API rug_status rug_glcm_matrix_features(rug_context *ctx, double *features,
                                            size_t n_features, rug_glcm_status *status,
                                            const uint64_t *counts, size_t n_levels,
                                            const rug_glcm_matrix_options *opts);

#ifdef __cplusplus
}
#endif

#endif
