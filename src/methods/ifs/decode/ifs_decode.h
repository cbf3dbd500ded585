/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From a coded plane to pixels, in whole numbers only: the decoders of trees and of
 * blocks, which the encoder runs too. */

#ifndef RUGI_IFS_DECODE_H
#define RUGI_IFS_DECODE_H

#include "ifs/stream/ifs_planes.h"
#include "ifs_decode_kernels.h"

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

/** The inverse transform of a leaf at scale 2^octave, with its mean: [side << octave]²
 *  values in 1/64 of a grey level, exactly as the decoder computes them.
 *  @param basis  room for [side][side << octave] */
void rugi_ifs_base_of_leaf(int32_t *out, const rugi_ifs_frame *frame,
                           const rugi_ifs_leaf *leaf, unsigned octave, int32_t *basis);

/* ---- The decoder of a tree in steps ---- */

/** A plane at one size. */
typedef struct rugi_ifs_field {
    int32_t *pixels; /* [ny][nx] */
    size_t nx, ny;
} rugi_ifs_field;

/** Bases of the inverse transform of all levels at an octave, one behind the other. */
typedef struct rugi_ifs_bases {
    int32_t *all; /* owned */
    const int32_t *of[RUGI_IFS_LEVELS];
} rugi_ifs_bases;

typedef struct rugi_ifs_decoder {
    const rugi_ifs_tree *tree;
    rugi_ifs_decode_kernels kernels;
    rugi_ifs_field base, state, next; /* at a quarter */
    int converged;                    /* the last iteration changed nothing */
} rugi_ifs_decoder;

/** Computes the base, which is where iterations start.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; either way rugi_ifs_decoder_end() */
rug_status rugi_ifs_decoder_begin(rug_context *ctx, rugi_ifs_decoder *decoder,
                                  const rugi_ifs_tree *tree);
void rugi_ifs_decoder_end(rug_context *ctx, rugi_ifs_decoder *decoder);

/** One iteration at a quarter of the size. */
rug_status rugi_ifs_decoder_iterate(rug_context *ctx, rugi_ifs_decoder *decoder);

/** From the quarter to 2^octave times the coded size, octave by octave.
 *  @param out  [ny << octave][nx << octave] */
rug_status rugi_ifs_decoder_finish(rug_context *ctx, const rugi_ifs_decoder *decoder,
                                   int32_t *out, unsigned octave, int deblock);

/** The base at 2^octave times the coded size, halved `shrink` times: means and inverse
 *  transforms.
 *  @param shrink  0 to 2; above the coded size 0
 *  @param out     of that size */
rug_status rugi_ifs_decoder_base(rug_context *ctx, const rugi_ifs_decoder *decoder,
                                 rugi_ifs_field *out, unsigned octave, unsigned shrink);

/* ---- The decoder of blocks ---- */

/** One pass of the decoder of blocks.
 *  @param to      [ny << octave][nx << octave] in 1/64 of a grey level, not `from`
 *  @param from    NULL: the means alone, where iterations start; octave 0: the state before an
 *                 iteration, of the coded size; above: a plane of half the size of `to`
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_blocks_pass(rug_context *ctx, int32_t *to, const int32_t *from,
                                const rugi_ifs_blocks *blocks, unsigned octave);

#endif
