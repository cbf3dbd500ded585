/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_IFS_PAPER_H
#define RUGOSE_IFS_PAPER_H

#include <rugose/ifs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rug_ifs_code rug_ifs_code;

RUG_API rug_status rug_ifs_find(rug_context *ctx, rug_ifs_code **out,
                                const rug_image *plane, const rug_ifs_options *opts);

RUG_API void rug_ifs_code_free(rug_ifs_code *code);

RUG_API size_t rug_ifs_code_count(const rug_ifs_code *code);

RUG_API const rug_ifs_transform *rug_ifs_code_at(const rug_ifs_code *code, size_t i);

RUG_API rug_status rug_ifs_iterate(rug_context *ctx, const rug_ifs_code *code,
                                   rug_ifs_picture *out, uint32_t scale,
                                   uint32_t iterations, rug_ifs_frame_fn frame,
                                   void *user);

typedef struct rug_ifs_upscale_options {
    size_t struct_size;
    uint32_t scale;
    uint32_t domain_step;
    uint32_t rounds;
} rug_ifs_upscale_options;

#define RUG_IFS_UPSCALE_OPTIONS_INIT             \
    {                                            \
        sizeof(rug_ifs_upscale_options), 2, 0, 3 \
    }

RUG_API rug_status rug_ifs_upscale(rug_context *ctx, rug_ifs_picture *out,
                                   const rug_image *planes, int n_planes,
                                   const rug_ifs_upscale_options *opts);

#ifdef __cplusplus
}
#endif

#endif
