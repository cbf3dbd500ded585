/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_BOXCOUNT_H
#define RUGOSE_BOXCOUNT_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/fit.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/points.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_BOXCOUNT_MAX_SIZES 1024

#define RUG_BOXCOUNT_SIZE_MAX ((uint64_t)1 << 63)

#define RUG_BOXCOUNT_TOO_MANY UINT64_MAX

typedef struct rug_box_count {
    uint64_t size;
    uint64_t total;
    uint64_t nonempty;
    uint64_t black;
    uint64_t gray;
    uint64_t white;
} rug_box_count;

typedef enum rug_boxcount_method {
    RUG_BOXCOUNT_AUTO = 0,
    RUG_BOXCOUNT_PYRAMID = 1,
    RUG_BOXCOUNT_WINDOW = 2,
    RUG_BOXCOUNT_HOU = 3,

    RUG_BOXCOUNT_ATOMIC = 4,
    RUG_BOXCOUNT_LOCAL = 5
} rug_boxcount_method;

RUG_API const char *rug_boxcount_method_name(rug_boxcount_method method);

typedef enum rug_boxcount_grid {
    RUG_BOXCOUNT_GRID_ORIGIN = 0,
    RUG_BOXCOUNT_GRID_MIN = 1,
    RUG_BOXCOUNT_GRID_MEAN = 2
} rug_boxcount_grid;

RUG_API const char *rug_boxcount_grid_name(rug_boxcount_grid grid);

typedef struct rug_boxcount_options {
    size_t struct_size;
    rug_foreground foreground;
    rug_boxcount_method method;
    rug_boxcount_grid grid;
    const uint64_t *sizes;
    uint32_t n_sizes;
} rug_boxcount_options;

#define RUG_BOXCOUNT_OPTIONS_INIT                                              {                                                                          sizeof(rug_boxcount_options), RUG_FOREGROUND_INIT, RUG_BOXCOUNT_AUTO,  RUG_BOXCOUNT_GRID_ORIGIN, NULL, 0 }

typedef struct rug_box_positions {
    uint64_t shift[RUG_MAX_AXES];
    uint64_t least, most;
    double mean_total, mean_nonempty, mean_black;
} rug_box_positions;

typedef struct rug_boxcount_facts {
    int ndim;

    uint64_t shape[RUG_POINTS_MAX_AXES];

    uint64_t n_pixels;
    uint64_t n_set;
    rug_foreground foreground;
    rug_boxcount_method method;
    rug_boxcount_grid grid;
    uint32_t n_sizes;
    const char *engine;

    double busy_least, busy_most;
} rug_boxcount_facts;

typedef struct rug_boxcount_result rug_boxcount_result;

RUG_API rug_status rug_boxcount(rug_context *ctx, rug_boxcount_result **out,
                                const rug_image *image, const rug_boxcount_options *opts);

RUG_API void rug_boxcount_free(rug_boxcount_result *result);

RUG_API const rug_boxcount_facts *
rug_boxcount_get_facts(const rug_boxcount_result *result);

RUG_API const rug_box_count *rug_boxcount_at(const rug_boxcount_result *result, size_t i);

RUG_API const rug_box_positions *
rug_boxcount_positions_at(const rug_boxcount_result *result, size_t i);

RUG_API rug_status rug_boxcount_check_options(rug_context *ctx,
                                              const rug_boxcount_options *opts);

typedef struct rug_boxcount_points_options {
    size_t struct_size;
    double spacing;
    uint64_t resolution;

    rug_boxcount_method method;
    rug_boxcount_grid grid;
    const uint64_t *sizes;
    uint32_t n_sizes;
} rug_boxcount_points_options;

#define RUG_BOXCOUNT_POINTS_OPTIONS_INIT                              \
    {                                                                 \
        sizeof(rug_boxcount_points_options), 0, 0, RUG_BOXCOUNT_AUTO, \
            RUG_BOXCOUNT_GRID_ORIGIN, NULL, 0                         \
    }

RUG_API rug_status rug_boxcount_points(rug_context *ctx, rug_boxcount_result **out,
                                       const rug_points *points,
                                       const rug_boxcount_points_options *opts);

typedef enum rug_boxcount_of {
    RUG_BOXCOUNT_OF_NONEMPTY = 0,
    RUG_BOXCOUNT_OF_BLACK = 1,
    RUG_BOXCOUNT_OF_GRAY = 2,
    RUG_BOXCOUNT_OF_WHITE = 3
} rug_boxcount_of;

RUG_API const char *rug_boxcount_of_name(rug_boxcount_of of);

RUG_API double rug_boxcount_boxes(const rug_boxcount_result *counts, size_t i,
                                  rug_boxcount_of of);

RUG_API rug_status rug_boxcount_fit(rug_context *ctx, rug_fit *out,
                                    const rug_boxcount_result *counts, rug_boxcount_of of,
                                    const rug_fit_options *opts);

#ifdef __cplusplus
}
#endif

#endif
