/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_REGIONS_H
#define RUGOSE_REGIONS_H

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

#define RUG_LABEL_MAX UINT64_MAX

typedef struct rug_region {
    uint64_t label;
    size_t first[3];
    size_t shape[3];
    uint64_t area;
} rug_region;

typedef struct rug_region_run {
    uint32_t z, y, x;
    uint32_t n;
} rug_region_run;

typedef struct rug_regions rug_regions;

RUG_API rug_status rug_regions_find(rug_context *ctx, rug_regions **out,
                                    const rug_image *labels);

RUG_API rug_status rug_regions_find_source(rug_context *ctx, rug_regions **out,
                                           const rug_source *labels);

RUG_API void rug_regions_free(rug_regions *regions);

RUG_API size_t rug_regions_count(const rug_regions *regions);

RUG_API const rug_region *rug_regions_at(const rug_regions *regions, size_t i);

RUG_API const rug_region_run *rug_regions_runs(const rug_regions *regions, size_t i,
                                               size_t *n_runs);

#ifdef __cplusplus
}
#endif

#endif
