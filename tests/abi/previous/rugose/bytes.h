/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_BYTES_H
#define RUGOSE_BYTES_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

RUG_API rug_status rug_bytes_read(rug_context *ctx, uint8_t **out, size_t *n,
                                  const char *path, uint64_t n_max);

RUG_API rug_status rug_bytes_write(rug_context *ctx, const char *path,
                                   const uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif

#endif
