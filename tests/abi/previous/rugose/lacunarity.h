/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_LACUNARITY_H
#define RUGOSE_LACUNARITY_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/regions.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_LACUNARITY_MAX_SIZES 1024

typedef enum rug_lacunarity_boxes {
    RUG_LACUNARITY_GLIDING = 0,
    RUG_LACUNARITY_FIXED = 1
} rug_lacunarity_boxes;

RUG_API const char *rug_lacunarity_boxes_name(rug_lacunarity_boxes boxes);

typedef struct rug_lacunarity_options {
    size_t struct_size;
    rug_lacunarity_boxes boxes;

    int is_gray;

    rug_foreground foreground;

    const uint64_t *sizes;
    uint32_t n_sizes;
} rug_lacunarity_options;

#define RUG_LACUNARITY_OPTIONS_INIT                                                      {                                                                                    sizeof(rug_lacunarity_options), RUG_LACUNARITY_GLIDING, 0, RUG_FOREGROUND_INIT,  NULL, 0 }

typedef enum rug_lacunarity_status {
    RUG_LACUNARITY_OK = 0,
    RUG_LACUNARITY_EMPTY = 1,
    RUG_LACUNARITY_NO_BOXES = 2
} rug_lacunarity_status;

RUG_API const char *rug_lacunarity_status_name(rug_lacunarity_status status);

typedef struct rug_lacunarity_size {

    uint64_t size;
    double lacunarity;
    double mean;

    double variance;
    uint64_t positions;
    rug_lacunarity_status status;
} rug_lacunarity_size;

typedef struct rug_lacunarity_facts {
    int ndim;
    uint64_t shape[RUG_MAX_AXES];
    uint64_t n_pixels, n_set;
    uint64_t n_left_out;
    int unit_exponent;
    rug_foreground foreground;
    const char *engine;
    uint32_t n_sizes;
} rug_lacunarity_facts;

typedef struct rug_lacunarity_result rug_lacunarity_result;

RUG_API rug_status rug_lacunarity(rug_context *ctx, rug_lacunarity_result **out,
                                  const rug_image *image,
                                  const rug_lacunarity_options *opts);

RUG_API rug_status rug_lacunarity_source(rug_context *ctx, rug_lacunarity_result **out,
                                         const rug_source *source,
                                         const rug_lacunarity_options *opts);

RUG_API void rug_lacunarity_free(rug_lacunarity_result *result);

RUG_API const rug_lacunarity_facts *
rug_lacunarity_get_facts(const rug_lacunarity_result *result);

RUG_API const rug_lacunarity_size *rug_lacunarity_at(const rug_lacunarity_result *result,
                                                     size_t i);

typedef rug_status (*rug_lacunarity_label_fn)(void *user, const rug_region *region,
                                              const rug_lacunarity_result *result);

RUG_API rug_status rug_lacunarity_labels(rug_context *ctx, const rug_image *image,
                                         const rug_source *labels,
                                         const rug_lacunarity_options *opts,
                                         rug_lacunarity_label_fn fn, void *user);

#ifdef __cplusplus
}
#endif

#endif
