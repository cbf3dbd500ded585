/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_IMAGE_H
#define RUGOSE_IMAGE_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_MAX_AXES 3

typedef enum rug_dtype {
    RUG_BIT = 0,
    RUG_U8 = 1,
    RUG_I8 = 2,
    RUG_U16 = 3,
    RUG_I16 = 4,
    RUG_U32 = 5,
    RUG_I32 = 6,
    RUG_U64 = 7,
    RUG_I64 = 8,
    RUG_F32 = 9,
    RUG_F64 = 10
} rug_dtype;

#define RUG_N_DTYPES 11

RUG_API size_t rug_dtype_size(rug_dtype dtype);

RUG_API const char *rug_dtype_name(rug_dtype dtype);

typedef struct rug_image {
    const void *data;
    rug_dtype dtype;
    int ndim;
    size_t shape[RUG_MAX_AXES];

    ptrdiff_t stride[RUG_MAX_AXES];
    double spacing[RUG_MAX_AXES];
    const char *spacing_unit;
} rug_image;

RUG_API rug_status rug_image_view(rug_context *ctx, rug_image *out, const void *data,
                                  rug_dtype dtype, int ndim, const size_t *shape);

RUG_API uint64_t rug_image_pixels(const rug_image *image);

typedef struct rug_image_range {
    size_t struct_size;
    double min;
    double max;
    uint64_t n_nan;
    uint64_t n_infinite;
    uint32_t n_distinct;
    uint32_t distinct_is_min;
    int64_t min_rest;
} rug_image_range;

#define RUG_IMAGE_RANGE_INIT                             {                                                    sizeof(rug_image_range), 0, 0, 0, 0, 0, 0, 0 }

#define RUG_DISTINCT_MAX 256

RUG_API rug_status rug_image_measure_range(rug_context *ctx, rug_image_range *out,
                                           const rug_image *image);

#ifdef __cplusplus
}
#endif

#endif
