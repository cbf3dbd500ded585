/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_DBC_H
#define RUGOSE_DBC_H

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

#define RUG_DBC_MAX_SIZES 64

typedef enum rug_dbc_anchor {

    RUG_DBC_ANCHOR_ZERO = 0,

    RUG_DBC_ANCHOR_MIN = 1
} rug_dbc_anchor;

RUG_API const char *rug_dbc_anchor_name(rug_dbc_anchor anchor);

typedef struct rug_dbc_options {
    size_t struct_size;

    double levels;

    const rug_source *mask;
} rug_dbc_options;

#define RUG_DBC_OPTIONS_INIT                                      {                                                             sizeof(rug_dbc_options), 0, NULL }

typedef struct rug_dbc_size {
    uint64_t size;

    double height;
    uint64_t blocks;
    uint64_t boxes;

    double boxes_by_area;
} rug_dbc_size;

typedef struct rug_dbc_facts {
    int ndim;
    uint64_t shape[RUG_MAX_AXES];
    uint64_t n_pixels;
    uint64_t n_left_out;
    double min, max;
    double levels, base;
    const char *engine;
    uint32_t n_sizes;
} rug_dbc_facts;

typedef struct rug_dbc_result rug_dbc_result;

RUG_API rug_status rug_dbc(rug_context *ctx, rug_dbc_result **out, const rug_image *image,
                           const rug_dbc_options *opts);

RUG_API rug_status rug_dbc_source(rug_context *ctx, rug_dbc_result **out,
                                  const rug_source *source, const rug_dbc_options *opts);

RUG_API void rug_dbc_free(rug_dbc_result *result);

RUG_API const rug_dbc_facts *rug_dbc_get_facts(const rug_dbc_result *result);

RUG_API const rug_dbc_size *rug_dbc_at(const rug_dbc_result *result, size_t i);

RUG_API rug_status rug_dbc_fit(rug_context *ctx, rug_fit *out,
                               const rug_dbc_result *counts, const rug_fit_options *opts);

#ifdef __cplusplus
}
#endif

#endif
