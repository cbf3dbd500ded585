/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_LBP_H
#define RUGOSE_LBP_H

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

#define RUG_LBP_MAX_POINTS 32

#define RUG_LBP_MAX_RADIUS 1024

#define RUG_LBP_MAX_OPERATORS 16

#define RUG_LBP_MAX_BINS 65536

typedef enum rug_lbp_method {
    RUG_LBP_RIU2 = 0,
    RUG_LBP_DEFAULT = 1,
    RUG_LBP_ROR = 2,
    RUG_LBP_NRI_UNIFORM = 3,
    RUG_LBP_VAR = 4
} rug_lbp_method;

typedef enum rug_lbp_interpolation {
    RUG_LBP_BILINEAR = 0,

    RUG_LBP_NEAREST = 1,
    RUG_LBP_HARDWARE = 2
} rug_lbp_interpolation;

typedef enum rug_lbp_border {
    RUG_LBP_BORDER_ZERO = 0,
    RUG_LBP_BORDER_SKIP = 1
} rug_lbp_border;

typedef enum rug_lbp_exact {
    RUG_LBP_EXACT_SKIMAGE = 0,
    RUG_LBP_EXACT_DECIMAL = 1,
    RUG_LBP_EXACT_FLOAT = 2
} rug_lbp_exact;

typedef enum rug_lbp_planes {
    RUG_LBP_PLANES_NONE = 0,
    RUG_LBP_PLANES_XY = 1,
    RUG_LBP_PLANES_XZ = 2,
    RUG_LBP_PLANES_YZ = 3
} rug_lbp_planes;

typedef struct rug_lbp_operator {
    uint32_t points;
    double radius;
    const double *cuts;
    uint32_t n_cuts;
} rug_lbp_operator;

typedef struct rug_lbp_rows {
    uint32_t op;
    size_t slice;
    size_t first, n;
    size_t nx;
    rug_dtype dtype;
    const void *codes;
} rug_lbp_rows;

typedef rug_status (*rug_lbp_map_fn)(void *user, const rug_lbp_rows *rows);

typedef struct rug_lbp_options {
    size_t struct_size;
    const rug_lbp_operator *operators;
    uint32_t n_operators;
    rug_lbp_method method;
    rug_lbp_interpolation interpolation;
    rug_lbp_border border;
    rug_lbp_exact exact;
    rug_lbp_planes planes;
    const rug_source *mask;
    const rug_source *labels;
    rug_lbp_map_fn map;
} rug_lbp_options;

#define RUG_LBP_OPTIONS_INIT                                                              {                                                                                     sizeof(rug_lbp_options), NULL, 0, RUG_LBP_RIU2, RUG_LBP_BILINEAR,                 RUG_LBP_BORDER_ZERO, RUG_LBP_EXACT_SKIMAGE, RUG_LBP_PLANES_NONE, NULL, NULL,  NULL }

typedef struct rug_lbp_histogram {
    uint64_t label;
    uint32_t op;
    uint64_t pixels;
    uint32_t n_bins;
    const uint64_t *bins;
} rug_lbp_histogram;

typedef struct rug_lbp_result rug_lbp_result;

typedef struct rug_lbp_facts {
    size_t n_histograms;
    size_t n_labels;
    uint32_t n_operators;
    const char *engine;
} rug_lbp_facts;

RUG_API rug_status rug_lbp(rug_context *ctx, rug_lbp_result **out, const rug_image *image,
                           const rug_lbp_options *opts);

RUG_API rug_status rug_lbp_source(rug_context *ctx, rug_lbp_result **out,
                                  const rug_source *source, const rug_lbp_options *opts);

RUG_API rug_status rug_lbp_check_options(rug_context *ctx, const rug_lbp_options *opts);

RUG_API void rug_lbp_free(rug_lbp_result *result);

RUG_API const rug_lbp_facts *rug_lbp_get_facts(const rug_lbp_result *result);

RUG_API const rug_lbp_histogram *rug_lbp_at(const rug_lbp_result *result, size_t i);

RUG_API uint64_t rug_lbp_n_codes(rug_lbp_method method, uint32_t points);

RUG_API uint32_t rug_lbp_n_bins(rug_lbp_method method, const rug_lbp_operator *op);

RUG_API rug_status rug_lbp_map_dtype(rug_context *ctx, rug_dtype *out,
                                     const rug_lbp_options *opts, uint32_t op);

RUG_API const char *rug_lbp_method_name(rug_lbp_method method);

RUG_API const char *rug_lbp_interpolation_name(rug_lbp_interpolation interpolation);

RUG_API const char *rug_lbp_border_name(rug_lbp_border border);

RUG_API const char *rug_lbp_exact_name(rug_lbp_exact exact);

RUG_API const char *rug_lbp_planes_name(rug_lbp_planes planes);

#ifdef __cplusplus
}
#endif

#endif
