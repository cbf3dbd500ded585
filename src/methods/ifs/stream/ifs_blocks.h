/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Planes of blocks of one size: the partitions FIXED and OVERLAP, their syntax and their
 * decoder. */

#ifndef RUGI_IFS_BLOCKS_H
#define RUGI_IFS_BLOCKS_H

#include "ifs_coder.h"

/** The scale s is k / 64; means are in 1/4 of a grey level. */
#define RUGI_IFS_BLOCK_SCALES 64
#define RUGI_IFS_BLOCK_MEANS  4

/** What is fixed for a plane. */
typedef struct rugi_ifs_block_frame {
    uint32_t nx, ny; /* multiples of size */
    uint32_t size;   /* of a block, 2..32 */
    uint32_t step;   /* domains begin at multiples of it */
    int overlaps;    /* four grids, not one; size is even */
    unsigned depth;  /* bits of a pixel, 8..17 */
} rugi_ifs_block_frame;

/** One transform. */
typedef struct rugi_ifs_block {
    uint32_t x, y; /* first pixel; blocks go round the plane */
    uint32_t domain_x, domain_y;
    int8_t k;         /* -64..64; 0: no domain */
    uint8_t symmetry; /* as in rug_ifs_transform */
    int32_t mean;     /* 0 .. 4 (2^depth - 1) */
} rugi_ifs_block;

typedef struct rugi_ifs_blocks {
    rugi_ifs_block_frame frame;
    rugi_ifs_block *blocks; /* grid by grid, row by row */
    size_t n;
} rugi_ifs_blocks;

/** Grids, and blocks of each. */
static inline uint32_t rugi_ifs_block_grids(const rugi_ifs_block_frame *frame)
{
    return frame->overlaps ? 4 : 1;
}
static inline size_t rugi_ifs_blocks_of_grid(const rugi_ifs_block_frame *frame)
{
    return (size_t)(frame->nx / frame->size) * (frame->ny / frame->size);
}

/** The places of all blocks: x and y, everything else 0.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_ifs_blocks_new(rug_context *ctx, rugi_ifs_blocks *blocks,
                               const rugi_ifs_block_frame *frame);
void rugi_ifs_blocks_free(rug_context *ctx, rugi_ifs_blocks *blocks);

/** Writes all blocks, between rugi_ifs_write_begin() and rugi_ifs_write_end(). */
void rugi_ifs_write_blocks(rugi_ifs_coder *coder, const rugi_ifs_blocks *blocks);
/** @param blocks  filled on RUG_OK, zeroed otherwise; rugi_ifs_blocks_free()
 *  @return RUG_OK, RUG_E_FORMAT, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_read_blocks(rug_context *ctx, rugi_ifs_blocks *blocks,
                                const rugi_ifs_block_frame *frame, const uint8_t *bytes,
                                size_t n);

/** The means alone, where iterations start.
 *  @param state  [ny][nx] in 1/64 of a grey level
 *  @return RUG_OK, RUG_E_CANCELLED */
rug_status rugi_ifs_blocks_begin(rug_context *ctx, int32_t *state,
                                 const rugi_ifs_blocks *blocks);
/** One iteration at the coded size: to must not be from. */
rug_status rugi_ifs_blocks_iterate(rug_context *ctx, int32_t *to, const int32_t *from,
                                   const rugi_ifs_blocks *blocks);
/** From 2^(octave - 1) times the coded size to 2^octave times it. */
rug_status rugi_ifs_blocks_double(rug_context *ctx, int32_t *to, const int32_t *from,
                                  const rugi_ifs_blocks *blocks, unsigned octave);

#endif
