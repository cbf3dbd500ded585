/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_IFS_FILE_H
#define RUGOSE_IFS_FILE_H

#include <rugose/ifs_draw.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_IFS_MAPS_MAX_BYTES ((size_t)1 << 20)

RUG_API rug_status rug_ifs_maps_read(rug_context *ctx, rug_ifs_map **out, size_t *n,
                                     const char *path);

#ifdef __cplusplus
}
#endif

#endif
