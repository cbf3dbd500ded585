/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_DBC_H
#define RUGOSE_DBC_H

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

#define RUG_DBC_MAX_SIZES 64

typedef struct rug_dbc_options {
    size_t struct_size;

    double levels;
} rug_dbc_options;

#define RUG_DBC_OPTIONS_INIT              {                                     sizeof(rug_dbc_options), 0 }

typedef struct rug_dbc_size {
    uint64_t size;

    double height;
    uint64_t blocks;
    uint64_t boxes;
} rug_dbc_size;

typedef struct rug_dbc_result {
    int ndim;
    uint64_t shape[RUG_MAX_AXES];
    uint64_t n_pixels;
    uint64_t n_left_out;
    double min, max;
    double levels, base;
    const char *engine;
    uint32_t n_sizes;
    rug_dbc_size sizes[RUG_DBC_MAX_SIZES];
} rug_dbc_result;

RUG_API rug_status rug_dbc(rug_context *ctx, rug_dbc_result *out, const rug_image *image,
                           const rug_dbc_options *opts);

RUG_API rug_status rug_dbc_source(rug_context *ctx, rug_dbc_result *out,
                                  const rug_source *source, const rug_source *mask,
                                  const rug_dbc_options *opts);

typedef struct rug_dbc_dimension {
    double dimension;
    double std_error, r_squared, intercept;
    uint64_t size_min, size_max;
    uint32_t n_sizes;

    const char *status;
    double local_slope[RUG_DBC_MAX_SIZES];
    uint8_t used[RUG_DBC_MAX_SIZES];
} rug_dbc_dimension;

RUG_API rug_status rug_dbc_fit(rug_context *ctx, rug_dbc_dimension *out,
                               const rug_dbc_result *counts, int auto_range,
                               uint64_t size_min, uint64_t size_max);

#ifdef __cplusplus
}
#endif

#endif
