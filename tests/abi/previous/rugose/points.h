/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_POINTS_H
#define RUGOSE_POINTS_H

#include <rugose/image.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_POINTS_MAX_AXES 10

typedef struct rug_points {
    const void *data;
    rug_dtype dtype;
    uint64_t n;
    int ndim;

    ptrdiff_t stride[2];
} rug_points;

#ifdef __cplusplus
}
#endif

#endif
