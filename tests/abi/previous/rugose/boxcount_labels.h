/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_BOXCOUNT_LABELS_H
#define RUGOSE_BOXCOUNT_LABELS_H

#include <rugose/boxcount.h>
#include <rugose/regions.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef rug_status (*rug_boxcount_label_fn)(void *user, const rug_region *region,
                                            const rug_boxcount_result *counts);

RUG_API rug_status rug_boxcount_labels(rug_context *ctx, const rug_image *image,
                                       const rug_source *labels,
                                       const rug_boxcount_options *opts,
                                       rug_boxcount_label_fn fn, void *user);

#ifdef __cplusplus
}
#endif

#endif
