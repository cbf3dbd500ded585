/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_LBP_FILE_H
#define RUGOSE_LBP_FILE_H

#include <rugose/lbp_model.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_LBP_MODEL_FORMAT 1

#define RUG_LBP_MODEL_MAX_BYTES ((size_t)64 << 20)

#define RUG_LBP_MODEL_MAX_NODES ((size_t)1 << 21)

RUG_API rug_status rug_lbp_model_write(rug_context *ctx, const rug_lbp_model *model,
                                       const char *path);

RUG_API rug_status rug_lbp_model_read(rug_context *ctx, rug_lbp_model **out,
                                      const char *path);

#ifdef __cplusplus
}
#endif

#endif
