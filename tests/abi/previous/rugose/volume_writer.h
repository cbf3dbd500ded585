/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_VOLUME_WRITER_H
#define RUGOSE_VOLUME_WRITER_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/file.h>
#include <rugose/source.h>
#include <rugose/status.h>

#ifdef __cplusplus
extern "C" {
#endif

RUG_API rug_status rug_volume_write(rug_context *ctx, const char *path,
                                    const rug_source *source, const rug_file *file);

#ifdef __cplusplus
}
#endif

#endif
