/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_GLCM_H
#define RUGOSE_GLCM_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_GLCM_MAX_DISTANCES 64

#define RUG_GLCM_MAX_DISTANCE 32767

#define RUG_GLCM_DIRECTIONS_2D 4
#define RUG_GLCM_DIRECTIONS_3D 13

#define RUG_GLCM_MAX_SPAN 65536

typedef enum rug_glcm_feature {
    RUG_GLCM_ANGULAR_SECOND_MOMENT = 0,
    RUG_GLCM_CONTRAST = 1,
    RUG_GLCM_CORRELATION = 2,
    RUG_GLCM_VARIANCE = 3,
    RUG_GLCM_INVERSE_DIFFERENCE_MOMENT = 4,
    RUG_GLCM_SUM_AVERAGE = 5,
    RUG_GLCM_SUM_VARIANCE = 6,
    RUG_GLCM_SUM_ENTROPY = 7,
    RUG_GLCM_ENTROPY = 8,
    RUG_GLCM_DIFFERENCE_VARIANCE = 9,
    RUG_GLCM_DIFFERENCE_ENTROPY = 10,
    RUG_GLCM_INFO_CORRELATION_1 = 11,
    RUG_GLCM_INFO_CORRELATION_2 = 12,
    RUG_GLCM_MAX_CORRELATION_COEFFICIENT =
        13,
    RUG_GLCM_JOINT_MAXIMUM = 14,
    RUG_GLCM_JOINT_AVERAGE = 15,
    RUG_GLCM_DIFFERENCE_AVERAGE = 16,
    RUG_GLCM_DISSIMILARITY = 17,
    RUG_GLCM_INVERSE_DIFFERENCE = 18,
    RUG_GLCM_INVERSE_DIFFERENCE_NORMALISED = 19,
    RUG_GLCM_INVERSE_DIFFERENCE_MOMENT_NORMALISED =
        20,
    RUG_GLCM_INVERSE_VARIANCE = 21,
    RUG_GLCM_AUTOCORRELATION = 22,
    RUG_GLCM_CLUSTER_TENDENCY = 23,
    RUG_GLCM_CLUSTER_SHADE = 24,
    RUG_GLCM_CLUSTER_PROMINENCE = 25
} rug_glcm_feature;

#define RUG_GLCM_N_FEATURES 26

typedef enum rug_glcm_features {
    RUG_GLCM_FEATURES_14 = 0,
    RUG_GLCM_FEATURES_13 = 1,
    RUG_GLCM_FEATURES_ALL = 2
} rug_glcm_features;

typedef enum rug_glcm_levels {
    RUG_GLCM_LEVELS_AUTO = 0,
    RUG_GLCM_LEVELS_EXACT = 1,
    RUG_GLCM_LEVELS_COUNT = 2,
    RUG_GLCM_LEVELS_WIDTH = 3
} rug_glcm_levels;
typedef enum rug_glcm_origin {
    RUG_GLCM_ORIGIN_AUTO = 0,
    RUG_GLCM_ORIGIN_ZERO = 1,
    RUG_GLCM_ORIGIN_MIN = 2,
    RUG_GLCM_ORIGIN_GIVEN = 3
} rug_glcm_origin;

typedef enum rug_glcm_range {
    RUG_GLCM_RANGE_AUTO = 0,
    RUG_GLCM_RANGE_TYPE = 1,
    RUG_GLCM_RANGE_IMAGE = 2,
    RUG_GLCM_RANGE_ROI = 3,
    RUG_GLCM_RANGE_GIVEN = 4
} rug_glcm_range;

typedef enum rug_glcm_pairs {
    RUG_GLCM_PAIRS_INSIDE = 0,
    RUG_GLCM_PAIRS_FRAME = 1
} rug_glcm_pairs;

typedef enum rug_glcm_aggregate {
    RUG_GLCM_AGGREGATE_MEAN = 0,
    RUG_GLCM_AGGREGATE_NONE = 1,
    RUG_GLCM_AGGREGATE_RANGE = 2,
    RUG_GLCM_AGGREGATE_MERGED = 3
} rug_glcm_aggregate;

typedef enum rug_glcm_slices {
    RUG_GLCM_SLICES_NONE = 0,
    RUG_GLCM_SLICES_MEAN = 1,
    RUG_GLCM_SLICES_MERGED = 2
} rug_glcm_slices;

typedef struct rug_glcm_options {
    size_t struct_size;
    const uint32_t *distances;
    uint32_t n_distances;
    uint32_t directions;
    int asymmetric;
    rug_glcm_pairs pairs;
    rug_glcm_levels levels;
    uint32_t n_levels;
    double bin_width;
    rug_glcm_range range;
    double range_lo, range_hi;
    rug_glcm_aggregate aggregate;
    rug_glcm_slices slices;
    rug_glcm_features features;
    double log_base;
    const rug_source *mask;
} rug_glcm_options;

#define RUG_GLCM_OPTIONS_INIT                                                          {                                                                                  sizeof(rug_glcm_options), NULL, 0, 0, 0, RUG_GLCM_PAIRS_INSIDE,                RUG_GLCM_LEVELS_AUTO, 0, 0, RUG_GLCM_RANGE_AUTO, 0, 0,                     RUG_GLCM_AGGREGATE_MEAN, RUG_GLCM_SLICES_NONE, RUG_GLCM_FEATURES_14, 2.0,  NULL }

typedef enum rug_glcm_status {
    RUG_GLCM_OK = 0,
    RUG_GLCM_NO_PAIRS = 1,
    RUG_GLCM_FLAT = 2
} rug_glcm_status;

typedef struct rug_glcm_row {
    uint64_t label;
    size_t first[3];
    size_t shape[3];
    uint64_t area;
    uint64_t n_nan;
    uint64_t n_clamped;
    uint32_t distance;
    int direction;
    uint64_t pairs;
    uint32_t levels;
    double bin_origin;
    double bin_width;
    rug_glcm_status status;
    const char *engine;
    const double
        *features;
    uint32_t n_features;
} rug_glcm_row;

typedef rug_status (*rug_glcm_row_fn)(void *user, const rug_glcm_row *row);

RUG_API rug_status rug_glcm(rug_context *ctx, const rug_image *image,
                            const rug_glcm_options *opts, rug_glcm_row_fn fn, void *user);

RUG_API rug_status rug_glcm_source(rug_context *ctx, const rug_source *source,
                                   const rug_glcm_options *opts, rug_glcm_row_fn fn,
                                   void *user);

RUG_API rug_status rug_glcm_check_options(rug_context *ctx, const rug_glcm_options *opts);

RUG_API rug_status rug_glcm_direction(rug_context *ctx, int out[3], int ndim, uint32_t k);

RUG_API const char *rug_glcm_direction_name(uint32_t k);

RUG_API const char *rug_glcm_feature_name(rug_glcm_feature feature);
RUG_API const char *rug_glcm_feature_ibsi(rug_glcm_feature feature);
RUG_API const char *rug_glcm_feature_pyradiomics(rug_glcm_feature feature);

RUG_API const char *rug_glcm_status_name(rug_glcm_status status);

RUG_API const char *rug_glcm_features_name(rug_glcm_features features);
RUG_API const char *rug_glcm_levels_name(rug_glcm_levels levels);
RUG_API const char *rug_glcm_origin_name(rug_glcm_origin origin);
RUG_API const char *rug_glcm_range_name(rug_glcm_range range);
RUG_API const char *rug_glcm_pairs_name(rug_glcm_pairs pairs);
RUG_API const char *rug_glcm_aggregate_name(rug_glcm_aggregate aggregate);
RUG_API const char *rug_glcm_slices_name(rug_glcm_slices slices);

#ifdef __cplusplus
}
#endif

#endif
