/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Whole planes through the coder: the quadtree of QUADTREE, and the blocks of one size
 * of FIXED and OVERLAP. */

#ifndef RUGI_IFS_PLANES_H
#define RUGI_IFS_PLANES_H

#include "ifs_syntax.h"

/* ---- Trees ---- */

/** A plane as it is coded. Coefficients of its leaves are packed: those from 1 to n_coefs
 *  in zigzag order. */
typedef struct rugi_ifs_tree {
    rugi_ifs_frame frame;
    rugi_ifs_leaf *leaves; /* in the order of the stream */
    size_t n_leaves;
    int32_t *coefs; /* of all leaves, in their order */
} rugi_ifs_tree;

/** Packs the coefficients of a leaf, which lie row by row.
 *  @param out  [n_coefs] */
static inline void rugi_ifs_pack_coefs(int32_t *out, const rugi_ifs_leaf *leaf)
{
    const uint16_t *place = rugi_ifs_zigzag(leaf->level);
    for (unsigned i = 1; i <= leaf->n_coefs; i++)
        out[i - 1] = leaf->coefs[place[i]];
}

/** The coefficients of a leaf of a tree, row by row.
 *  @param out  [side²], unless n_coefs is 0: then nothing is written */
static inline void rugi_ifs_unpack_coefs(int32_t *out, const rugi_ifs_leaf *leaf)
{
    const uint16_t *place = rugi_ifs_zigzag(leaf->level);
    size_t side = rugi_ifs_side(leaf->level);
    if (leaf->n_coefs > 0)
        memset(out, 0, side * side * sizeof *out);
    for (unsigned i = 1; i <= leaf->n_coefs; i++)
        out[place[i]] = leaf->coefs[i - 1];
}

void rugi_ifs_tree_free(rug_context *ctx, rugi_ifs_tree *tree);

/** Writes a whole tree: all decisions of the plane, between rugi_ifs_write_begin() and
 *  rugi_ifs_write_end().
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_ifs_write_tree(rug_context *ctx, rugi_ifs_coder *coder,
                               const rugi_ifs_tree *tree);
/** Reads a plane. The domains and everything else of its leaves are within bounds, whatever
 *  the bytes are.
 *  @param tree  filled on RUG_OK, zeroed otherwise; rugi_ifs_tree_free()
 *  @param room  bytes of memory that its leaves and coefficients may take
 *  @return RUG_OK, RUG_E_FORMAT, RUG_E_ARG (they take more), RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_read_tree(rug_context *ctx, rugi_ifs_tree *tree,
                              const rugi_ifs_frame *frame, const uint8_t *bytes, size_t n,
                              size_t room);

/* ---- Blocks of one size ---- */

/** The scale s is k / 64; means are in 1/4 of a grey level. */
#define RUGI_IFS_BLOCK_SCALES 64
#define RUGI_IFS_BLOCK_MEANS  4

/** What is fixed for a plane. */
typedef struct rugi_ifs_block_frame {
    uint32_t nx, ny; /* multiples of size */
    uint32_t size;   /* of a block, 2..32 */
    uint32_t step;   /* domains begin at multiples of it */
    int overlaps;    /* four grids, not one; size is even */
    int wraps;       /* domains that cross an edge go on at the opposite one */
    unsigned depth;  /* bits of a pixel, 8..17 */
} rugi_ifs_block_frame;

/** One transform. */
typedef struct rugi_ifs_block {
    uint32_t x, y; /* first pixel; blocks wrap around the plane */
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

/** The places of domains along a side of n pixels, at least twice as many as a block has. */
static inline uint32_t rugi_ifs_domain_places(const rugi_ifs_block_frame *frame,
                                              uint32_t n)
{
    return (frame->wraps ? n - 1 : n - 2 * frame->size) / frame->step + 1;
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

#endif
