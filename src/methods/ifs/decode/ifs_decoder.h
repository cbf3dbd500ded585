/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The decoder of a tree in steps, for those who look at each iteration. */

#ifndef RUGI_IFS_DECODER_H
#define RUGI_IFS_DECODER_H

#include "ifs_decode.h"
#include "ifs_decode_kernels.h"

/** A plane at one size. */
typedef struct rugi_ifs_field {
    int32_t *pixels; /* [ny][nx] */
    size_t nx, ny;
} rugi_ifs_field;

typedef struct rugi_ifs_decoder {
    const rugi_ifs_tree *tree;
    rugi_ifs_decode_kernels kernels;
    rugi_ifs_field base[3];     /* at the coded size, a half, a quarter */
    rugi_ifs_field state, next; /* at a quarter */
    int settled;                /* the last iteration changed nothing */
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
rug_status rugi_ifs_decoder_finish(rug_context *ctx, rugi_ifs_decoder *decoder,
                                   int32_t *out, unsigned octave, int deblock);

/** The base at 2^octave times the coded size: means and inverse transforms.
 *  @param out  of that size */
rug_status rugi_ifs_decoder_base(rug_context *ctx, const rugi_ifs_decoder *decoder,
                                 rugi_ifs_field *out, unsigned octave);

/** Smooths the edges of blocks, in place.
 *  @param pixels  [ny << octave][nx << octave] */
rug_status rugi_ifs_deblock(rug_context *ctx, int32_t *pixels, const rugi_ifs_tree *tree,
                            unsigned octave, int strength);

/** Leaves that are a task of a loop. */
#define RUGI_IFS_TASK 128

#endif
