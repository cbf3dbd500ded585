/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_SOURCE_H
#define RUGOSE_SOURCE_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef rug_status (*rug_source_read_fn)(rug_context *ctx, void *user, rug_image *out,
                                         size_t first, size_t n);

typedef struct rug_source {
    size_t struct_size;
    rug_dtype dtype;
    int ndim;
    size_t shape[RUG_MAX_AXES];
    double spacing[RUG_MAX_AXES];
    const char *spacing_unit;
    rug_source_read_fn read;
    void *user;
} rug_source;

#define RUG_SOURCE_INIT                                                              \
    {                                                                                \
        sizeof(rug_source), RUG_BIT, 0, {0, 0, 0}, {0.0, 0.0, 0.0}, NULL, NULL, NULL \
    }

RUG_API const rug_source *rug_source_of_image(rug_source *out, const rug_image *image);

RUG_API size_t rug_source_layers(const rug_source *source, size_t n_bytes);

RUG_API rug_status rug_source_measure_range(rug_context *ctx, rug_image_range *out,
                                            const rug_source *source,
                                            const rug_source *mask);

RUG_API rug_status rug_source_resolve_foreground(rug_context *ctx, rug_foreground *out,
                                                 const rug_source *source,
                                                 const rug_source *mask,
                                                 const rug_image_range *range,
                                                 rug_foreground asked);

#ifdef __cplusplus
}
#endif

#endif
