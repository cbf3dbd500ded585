/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_QUALITY_H
#define RUGOSE_QUALITY_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rug_quality_options {
    size_t struct_size;
    double peak;
} rug_quality_options;

#define RUG_QUALITY_OPTIONS_INIT       \
    {                                  \
        sizeof(rug_quality_options), 0 \
    }

typedef enum rug_quality_status {
    RUG_QUALITY_OK = 0,
    RUG_QUALITY_SMALLER_THAN_WINDOW =
        1,
    RUG_QUALITY_FLAT = 2,
    RUG_QUALITY_OVERFLOW = 3
} rug_quality_status;

RUG_API const char *rug_quality_status_name(rug_quality_status status);

typedef struct rug_quality_result {
    size_t struct_size;
    double mse;
    double psnr;

    double ssim;
    double max_difference;
    double peak;
    rug_quality_status status;
} rug_quality_result;

#define RUG_QUALITY_RESULT_INIT                                   \
    {                                                             \
        sizeof(rug_quality_result), 0, 0, 0, 0, 0, RUG_QUALITY_OK \
    }

RUG_API rug_status rug_quality(rug_context *ctx, rug_quality_result *out,
                               const rug_image *a, const rug_image *b, int n_planes,
                               const rug_quality_options *opts);

#ifdef __cplusplus
}
#endif

#endif
