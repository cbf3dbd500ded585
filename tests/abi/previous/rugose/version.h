/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_VERSION_H
#define RUGOSE_VERSION_H

#include <rugose/export.h>

#define RUG_VERSION_MAJOR 0
#define RUG_VERSION_MINOR 2
#define RUG_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

RUG_API const char *rug_version(void);

#ifdef __cplusplus
}
#endif

#endif
