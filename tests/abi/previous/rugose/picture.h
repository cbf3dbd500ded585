/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_PICTURE_H
#define RUGOSE_PICTURE_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/file.h>
#include <rugose/image.h>
#include <rugose/status.h>

#ifdef __cplusplus
extern "C" {
#endif

RUG_API rug_status rug_picture_check_name(rug_context *ctx, const char *path);

RUG_API rug_status rug_picture_write_notes(rug_context *ctx, const char *path,
                                           const rug_image *planes, int n_planes,
                                           const rug_file_notes *notes);

RUG_API rug_status rug_picture_write(rug_context *ctx, const char *path,
                                     const rug_image *planes, int n_planes);

#ifdef __cplusplus
}
#endif

#endif
