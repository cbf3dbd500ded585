/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From a plane's tree to pixels, in whole numbers only: the decoder, which the encoder runs
 * too. */

#ifndef RUGI_IFS_DECODE_H
#define RUGI_IFS_DECODE_H

#include "ifs/stream/ifs_syntax.h"

/** How a plane is decoded. */
typedef struct rugi_ifs_decoding {
    uint32_t iterations; /* at a quarter of the size */
    uint32_t octave;     /* 0: at the coded size; n: 2^n times as large, up to 4 */
    int deblock;         /* strength; 0: none */
} rugi_ifs_decoding;

/** Decodes a tree.
 *  @param out  [ny << octave][nx << octave] of the padded plane, in 1/64 of a grey level
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_ifs_decode_tree(rug_context *ctx, int32_t *out, const rugi_ifs_tree *tree,
                                const rugi_ifs_decoding *decoding);

/** Grey from 1/64: rounded and clamped to 0 .. 2^depth - 1. */
static inline int32_t rugi_ifs_gray(int32_t value, unsigned depth)
{
    int32_t gray = (value + 32) >> 6, top = (int32_t)((1u << depth) - 1);
    return gray < 0 ? 0 : gray > top ? top : gray;
}

/** The inverse transform of a leaf at scale 2^octave, with its mean:
 *  [side << octave]² values in 1/64 of a grey level, exactly as the decoder computes them. */
void rugi_ifs_base_of_leaf(int32_t *out, const rugi_ifs_frame *frame,
                           const rugi_ifs_leaf *leaf, unsigned octave);

#endif
