/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_FOREGROUND_H
#define RUGOSE_FOREGROUND_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rug_foreground_kind {
    RUG_FOREGROUND_AUTO = 0,
    RUG_FOREGROUND_NONZERO = 1,
    RUG_FOREGROUND_OTSU = 2,
    RUG_FOREGROUND_ABOVE = 3,
    RUG_FOREGROUND_BELOW = 4,
    RUG_FOREGROUND_LABEL = 5,
    RUG_FOREGROUND_OTSU_DARK =
        6
} rug_foreground_kind;

RUG_API const char *rug_foreground_kind_name(rug_foreground_kind kind);

typedef struct rug_foreground {
    rug_foreground_kind kind;
    double value;
    int64_t rest;
} rug_foreground;

#define RUG_FOREGROUND_INIT         \
    {                               \
        RUG_FOREGROUND_AUTO, 0.0, 0 \
    }

RUG_API rug_status rug_foreground_resolve(rug_context *ctx, rug_foreground *out,
                                          const rug_image *image,
                                          const rug_image_range *range,
                                          rug_foreground asked);

RUG_API rug_status rug_foreground_parse(rug_context *ctx, rug_foreground *out,
                                        const char *text);

#define RUG_FOREGROUND_TEXT_MAX 40

RUG_API void rug_foreground_format(char text[RUG_FOREGROUND_TEXT_MAX],
                                   rug_foreground rule);

#ifdef __cplusplus
}
#endif

#endif
