/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_MULTIFRACTAL_ALPHA_H
#define RUGOSE_MULTIFRACTAL_ALPHA_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/fit.h>
#include <rugose/image.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rug_alpha_measure {
    RUG_ALPHA_MAX = 0,
    RUG_ALPHA_MIN = 1,
    RUG_ALPHA_SUM = 2,

    RUG_ALPHA_ISO = 3
} rug_alpha_measure;

RUG_API const char *rug_alpha_measure_name(rug_alpha_measure measure);

#define RUG_ALPHA_MAX_WINDOWS 16

#define RUG_ALPHA_WINDOW_MAX 31

#define RUG_ALPHA_MAX_SLICES 1024

typedef struct rug_alpha_options {
    size_t struct_size;
    rug_alpha_measure measure;
    uint32_t n_windows;
    double iso_tolerance;
    uint32_t n_slices;
    double alpha_min, alpha_max;
} rug_alpha_options;

#define RUG_ALPHA_OPTIONS_INIT                                          {                                                                   sizeof(rug_alpha_options), RUG_ALPHA_SUM, 4, 0, 64, 0, 0 }

RUG_API rug_status rug_alpha_map(rug_context *ctx, float *out, const rug_image *image,
                                 const rug_alpha_options *opts);

typedef struct rug_alpha_map_rows {
    size_t slice;
    size_t first, n;
    size_t nx;
    const float *alpha;
} rug_alpha_map_rows;

typedef rug_status (*rug_alpha_map_fn)(void *user, const rug_alpha_map_rows *rows);

RUG_API rug_status rug_alpha_map_source(rug_context *ctx, const rug_source *source,
                                        const rug_alpha_options *opts,
                                        rug_alpha_map_fn fn, void *user);

typedef struct rug_alpha_slice {

    double alpha_min, alpha_max;
    uint64_t n_pixels;
} rug_alpha_slice;

typedef struct rug_alpha_facts {
    int ndim;
    uint64_t shape[RUG_MAX_AXES];

    double alpha_min, alpha_max;
    uint64_t n_pixels;
    uint64_t n_undefined;
    uint64_t n_outside;
    uint32_t n_sizes;
    uint32_t n_slices;
    const char *engine;
} rug_alpha_facts;

typedef struct rug_alpha_result rug_alpha_result;

RUG_API rug_status rug_alpha_slices(rug_context *ctx, rug_alpha_result **out,
                                    const rug_image *map, const rug_alpha_options *opts);

RUG_API void rug_alpha_free(rug_alpha_result *result);

RUG_API const rug_alpha_facts *rug_alpha_get_facts(const rug_alpha_result *result);

RUG_API const rug_alpha_slice *rug_alpha_at(const rug_alpha_result *result, size_t i);

RUG_API uint64_t rug_alpha_boxes(const rug_alpha_result *result, size_t slice, size_t k);

RUG_API rug_status rug_alpha_fit(rug_context *ctx, rug_fit *out,
                                 const rug_alpha_result *result, size_t slice,
                                 const rug_fit_options *opts);

#ifdef __cplusplus
}
#endif

#endif
