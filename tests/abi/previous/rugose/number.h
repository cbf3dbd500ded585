/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_NUMBER_H
#define RUGOSE_NUMBER_H

#include <rugose/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_REAL_TEXT_MAX 32

RUG_API void rug_format_real(char text[RUG_REAL_TEXT_MAX], double value);

RUG_API void rug_format_real_short(char text[RUG_REAL_TEXT_MAX], double value);

RUG_API int rug_parse_real(double *value, const char *text);

#ifdef __cplusplus
}
#endif

#endif
