/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_IFS_DRAW_H
#define RUGOSE_IFS_DRAW_H

#include <rugose/ifs.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_IFS_MAPS_MAX 100

typedef struct rug_ifs_map {
    double a, b, c, d, e, f;
} rug_ifs_map;

RUG_API rug_status rug_ifs_draw(rug_context *ctx, rug_ifs_picture *out,
                                const rug_ifs_map *maps, size_t n_maps, uint32_t nx,
                                uint32_t ny);

#ifdef __cplusplus
}
#endif

#endif
