/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_BOXCOUNT_PARTS_H
#define RUGOSE_BOXCOUNT_PARTS_H

#include <rugose/boxcount.h>
#include <rugose/source.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rug_boxcount_parts rug_boxcount_parts;

RUG_API rug_status rug_boxcount_parts_new(rug_context *ctx, rug_boxcount_parts **out,
                                          int ndim, const size_t *shape,
                                          const rug_boxcount_options *opts);

RUG_API void rug_boxcount_parts_free(rug_boxcount_parts *parts);

RUG_API rug_status rug_boxcount_parts_add(rug_context *ctx, rug_boxcount_parts *parts,
                                          const rug_image *part, const rug_image *mask,
                                          const size_t *first);

RUG_API rug_status rug_boxcount_merge(rug_context *ctx, rug_boxcount_parts *parts,
                                      const rug_boxcount_parts *other);

RUG_API rug_status rug_boxcount_parts_finish(rug_context *ctx, rug_boxcount_result **out,
                                             const rug_boxcount_parts *parts);

RUG_API rug_status rug_boxcount_source(rug_context *ctx, rug_boxcount_result **out,
                                       const rug_source *source,
                                       const rug_boxcount_options *opts);

#ifdef __cplusplus
}
#endif

#endif
