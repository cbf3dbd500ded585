/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_VALUES_H
#define RUGOSE_VALUES_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rug_values rug_values;

typedef struct rug_values_options {
    size_t struct_size;
    uint32_t has_mask;
    uint32_t unused;

} rug_values_options;

#define RUG_VALUES_OPTIONS_INIT                \
    {                                    \
        sizeof(rug_values_options), 0, 0 \
    }

RUG_API rug_status rug_values_new(rug_context *ctx, rug_values **out, rug_dtype dtype,
                                  int ndim, const size_t *shape,
                                  const rug_values_options *opts);

RUG_API void rug_values_free(rug_values *values);

RUG_API rug_status rug_values_add(rug_context *ctx, rug_values *values,
                                  const rug_image *part, const rug_image *mask,
                                  const size_t *first);

RUG_API rug_status rug_values_merge(rug_context *ctx, rug_values *values,
                                    const rug_values *other);

RUG_API rug_status rug_values_save(rug_context *ctx, uint8_t **out, size_t *n,
                                   const rug_values *values);

RUG_API rug_status rug_values_load(rug_context *ctx, rug_values **out,
                                   const uint8_t *bytes, size_t n);

RUG_API rug_status rug_values_range(rug_context *ctx, rug_image_range *out,
                                    const rug_values *values);

RUG_API rug_status rug_values_resolve(rug_context *ctx, rug_foreground *out,
                                      const rug_values *values, rug_foreground asked);

RUG_API int rug_values_must_count(const rug_values *values, rug_foreground asked);

RUG_API rug_status rug_values_unit(rug_context *ctx, int *unit_exponent,
                                   const rug_values *values);

#ifdef __cplusplus
}
#endif

#endif
