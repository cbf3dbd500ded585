/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_FIT_H
#define RUGOSE_FIT_H

#include <rugose/export.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_FIT_MAX_SIZES 1024

#define RUG_FIT_SLOPE_SPREAD 0.1

#define RUG_FIT_R_SQUARED 0.98

typedef enum rug_fit_status {
    RUG_FIT_OK = 0,
    RUG_FIT_EMPTY = 1,
    RUG_FIT_TOO_FEW_SIZES = 2,
    RUG_FIT_NO_SCALING_RANGE =
        3,
    RUG_FIT_NEAR_EMPTY_BOXES =
        4,

    RUG_FIT_DOUBTFUL = 5
} rug_fit_status;

RUG_API const char *rug_fit_status_name(rug_fit_status status);

typedef struct rug_fit_options {
    size_t struct_size;

    int auto_range;
    uint64_t size_min;
} rug_fit_options;

#define RUG_FIT_OPTIONS_INIT              {                                     sizeof(rug_fit_options), 0, 0 }

typedef struct rug_fit {
    size_t struct_size;
    double slope;
    double std_error;
    double r_squared;
    double intercept;
    uint64_t size_min;
    uint64_t size_max;
    uint32_t n_sizes;
    rug_fit_status status;

    uint8_t used[RUG_FIT_MAX_SIZES];
} rug_fit;

#define RUG_FIT_INIT                                            {                                                           sizeof(rug_fit), 0, 0, 0, 0, 0, 0, 0, RUG_FIT_OK, {0} }

#ifdef __cplusplus
}
#endif

#endif
