/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_GLCM_MAPS_H
#define RUGOSE_GLCM_MAPS_H

#include <rugose/glcm.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_GLCM_MIN_WINDOW 3
#define RUG_GLCM_MAX_WINDOW 255

#define RUG_GLCM_MAPS_MAX_LEVELS 4096

typedef struct rug_glcm_maps_options {
    size_t struct_size;
    uint32_t window;
    const rug_glcm_feature *features;
    uint32_t n_features;
} rug_glcm_maps_options;

#define RUG_GLCM_MAPS_OPTIONS_INIT                \
    {                                             \
        sizeof(rug_glcm_maps_options), 7, NULL, 0 \
    }

typedef struct rug_glcm_map_rows {
    uint32_t map;
    rug_glcm_feature feature;
    size_t first, n;
    size_t nx;
    const double *values;
} rug_glcm_map_rows;

typedef rug_status (*rug_glcm_map_fn)(void *user, const rug_glcm_map_rows *rows);

RUG_API rug_status rug_glcm_maps(rug_context *ctx, const rug_image *image,
                                 const rug_glcm_options *opts,
                                 const rug_glcm_maps_options *maps, rug_glcm_map_fn fn,
                                 void *user);

RUG_API rug_status rug_glcm_maps_source(rug_context *ctx, const rug_source *source,
                                        const rug_glcm_options *opts,
                                        const rug_glcm_maps_options *maps,
                                        rug_glcm_map_fn fn, void *user);

RUG_API rug_status rug_glcm_maps_check_options(rug_context *ctx,
                                               const rug_glcm_options *opts,
                                               const rug_glcm_maps_options *maps);

RUG_API int rug_glcm_has_map(rug_glcm_feature feature);

#ifdef __cplusplus
}
#endif

#endif
