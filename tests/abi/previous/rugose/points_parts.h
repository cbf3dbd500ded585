/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_POINTS_PARTS_H
#define RUGOSE_POINTS_PARTS_H

#include <rugose/boxcount.h>
#include <rugose/multifractal.h>
#include <rugose/points.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rug_points_range {
    size_t struct_size;
    uint64_t n_points;
    uint32_t ndim;
    uint32_t is_broken;

    double least[RUG_POINTS_MAX_AXES], most[RUG_POINTS_MAX_AXES];
} rug_points_range;

#define RUG_POINTS_RANGE_INIT                   \
    {                                           \
        sizeof(rug_points_range), 0, 0, 0, {0}, \
        {                                       \
            0                                   \
        }                                       \
    }

RUG_API rug_status rug_points_measure_range(rug_context *ctx, rug_points_range *out,
                                            const rug_points *points);

RUG_API rug_status rug_points_join_ranges(rug_context *ctx, rug_points_range *range,
                                          const rug_points_range *other);

typedef struct rug_points_parts_options {
    size_t struct_size;
    double spacing;
    uint64_t resolution;

    const rug_points_range *range;

} rug_points_parts_options;

#define RUG_POINTS_PARTS_OPTIONS_INIT                   \
    {                                                   \
        sizeof(rug_points_parts_options), 0, 0, NULL \
    }

typedef struct rug_points_parts rug_points_parts;

RUG_API rug_status rug_points_parts_new(rug_context *ctx, rug_points_parts **out,
                                        rug_dtype dtype, int ndim,
                                        const rug_points_parts_options *opts);

RUG_API void rug_points_parts_free(rug_points_parts *parts);

RUG_API rug_status rug_points_parts_add(rug_context *ctx, rug_points_parts *parts,
                                        const rug_points *part, uint64_t first);

RUG_API rug_status rug_points_parts_merge(rug_context *ctx, rug_points_parts *parts,
                                          const rug_points_parts *other);

RUG_API rug_status rug_points_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                         const rug_points_parts *parts);

RUG_API rug_status rug_points_parts_load(rug_context *ctx, rug_points_parts **out,
                                         const uint8_t *bytes, size_t n);

RUG_API rug_status rug_points_parts_boxcount(rug_context *ctx, rug_boxcount_result **out,
                                             const rug_points_parts *parts,
                                             const rug_boxcount_points_options *opts);

RUG_API rug_status rug_points_parts_masses(rug_context *ctx, rug_masses **out,
                                           const rug_points_parts *parts);

#ifdef __cplusplus
}
#endif

#endif
