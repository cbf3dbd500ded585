/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_IMAGE_WRITER_H
#define RUGOSE_IMAGE_WRITER_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rug_image_writer rug_image_writer;

RUG_API rug_status rug_image_writer_open(rug_context *ctx, rug_image_writer **out,
                                         const char *path, rug_dtype dtype, int ndim,
                                         const size_t *shape);

RUG_API rug_status rug_image_writer_add(rug_context *ctx, rug_image_writer *writer,
                                        const void *rows, size_t n);

RUG_API rug_status rug_image_writer_commit(rug_context *ctx, rug_image_writer *writer);

RUG_API void rug_image_writer_discard(rug_image_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
