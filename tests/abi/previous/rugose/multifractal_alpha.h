/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_MULTIFRACTAL_ALPHA_H
#define RUGOSE_MULTIFRACTAL_ALPHA_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rug_alpha_measure {
    RUG_ALPHA_MAX = 0,
    RUG_ALPHA_MIN = 1,
    RUG_ALPHA_SUM = 2,

    RUG_ALPHA_ISO = 3
} rug_alpha_measure;

#define RUG_ALPHA_MAX_WINDOWS 16

#define RUG_ALPHA_WINDOW_MAX 31

#define RUG_ALPHA_MAX_SLICES 1024

#define RUG_ALPHA_MAX_SIZES 64

typedef struct rug_alpha_options {
    size_t struct_size;
    rug_alpha_measure measure;
    uint32_t n_windows;
    double iso_tolerance;
    uint32_t n_slices;
    double alpha_min, alpha_max;

    const rug_image *mask;
} rug_alpha_options;

#define RUG_ALPHA_OPTIONS_INIT                                                {                                                                         sizeof(rug_alpha_options), RUG_ALPHA_SUM, 4, 0, 64, 0, 0, NULL }

RUG_API rug_status rug_alpha_map(rug_context *ctx, float *out, const rug_image *image,
                                 const rug_alpha_options *opts);

typedef struct rug_alpha_slice {
    double alpha_min, alpha_max;
    uint64_t n_pixels;

    uint64_t boxes[RUG_ALPHA_MAX_SIZES];
    double f, f_error, r_squared;
    uint64_t size_min, size_max;
    const char *status;
} rug_alpha_slice;

typedef struct rug_alpha_result {

    double alpha_min, alpha_max;
    uint64_t n_pixels;
    uint64_t n_undefined;
    uint64_t n_outside;
    uint32_t n_sizes;
    uint32_t n_slices;
    const char *engine;
} rug_alpha_result;

RUG_API rug_status rug_alpha_slices(rug_context *ctx, rug_alpha_result *out,
                                    rug_alpha_slice *slices, const rug_image *map,
                                    const rug_alpha_options *opts, uint64_t size_min,
                                    uint64_t size_max);

#ifdef __cplusplus
}
#endif

#endif
