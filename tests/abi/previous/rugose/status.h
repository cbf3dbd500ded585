/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_STATUS_H
#define RUGOSE_STATUS_H

#include <rugose/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rug_status {
    RUG_OK = 0,
    RUG_E_ARG = 1,
    RUG_E_NOMEM = 2,
    RUG_E_DEVICE = 3,
    RUG_E_IO = 4,
    RUG_E_FORMAT = 5,
    RUG_E_UNSUPPORTED = 6,
    RUG_E_CANCELLED = 7
} rug_status;

RUG_API const char *rug_status_name(rug_status status);

#ifdef __cplusplus
}
#endif

#endif
