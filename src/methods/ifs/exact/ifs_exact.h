/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Planes of pixels, coded exactly. FORMAT.md says it in numbers. */

#ifndef RUGI_IFS_EXACT_H
#define RUGI_IFS_EXACT_H

#include "ifs/stream/ifs_coder.h"

#define RUGI_IFS_EXACT_PLANES    4
#define RUGI_IFS_EXACT_DEPTH_MAX 17

typedef struct rugi_ifs_exact_frame {
    uint32_t nx, ny;                       /* 1..65535 */
    unsigned depth[RUGI_IFS_EXACT_PLANES]; /* bits of each plane, 1..17 */
} rugi_ifs_exact_frame;

/** Writes or reads all planes, as coder->coding says; pricing costs as much time as writing.
 *  Memory is about 230 bytes a column of a plane (350 and 450 of the second and third of three) and
 *  2 to 3 megabytes for each. Streams are the same on every machine.
 *  @param planes    each [ny][nx], 0..2^depth - 1; filled when reading, else not written to
 *  @param n_planes  1: grey; 2: grey, alpha; 3: Y, Co, Cg; 4: with alpha behind them. Of three the
 *                   second and third are predicted with help of those before
 *  @return RUG_OK; RUG_E_ARG; RUG_E_NOMEM; RUG_E_FORMAT: what was read is damaged, and the
 *          planes hold values within their bounds, or what they held; each with an error
 *          text. When writing, memory that runs out may also be seen from coder->failed alone */
rug_status rugi_ifs_code_exact(rug_context *ctx, rugi_ifs_coder *coder,
                               int32_t *const *planes, int n_planes,
                               const rugi_ifs_exact_frame *frame);

#endif
