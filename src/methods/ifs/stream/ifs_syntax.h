/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the quadtree of a plane is made of, and how its parts go through the coder.
 * FORMAT.md is its specification. */

#ifndef RUGI_IFS_SYNTAX_H
#define RUGI_IFS_SYNTAX_H

#include "ifs_coder.h"
#include <string.h>

/** Levels: blocks of 32, 16, 8 and 4 pixels a side. */
#define RUGI_IFS_LEVELS   4
#define RUGI_IFS_BLOCK    32
#define RUGI_IFS_LEAST    4
#define RUGI_IFS_SIDE(lv) (RUGI_IFS_BLOCK >> (lv))

/** Where a leaf's domain comes from. */
typedef enum rugi_ifs_zone {
    RUGI_IFS_FLAT = 0, /* no domain */
    RUGI_IFS_OVER = 1, /* centred over the block */
    RUGI_IFS_NEAR = 2, /* one of 8 x 8 offsets about it */
    RUGI_IFS_GRID = 3  /* anywhere on the grid of the step */
} rugi_ifs_zone;

/** A block that is not split. The scale s is k / 8. */
typedef struct rugi_ifs_leaf {
    uint32_t x, y; /* first pixel in the padded plane */
    uint8_t level;
    uint8_t zone;
    uint8_t symmetry;            /* as in rug_ifs_transform */
    uint8_t near;                /* NEAR: 8 row + column of the offset */
    int8_t k;                    /* -8..8 without 0; FLAT: 0 */
    uint32_t domain_x, domain_y; /* multiples of 4; derived but for GRID */
    int32_t mean;                /* in steps of the mean of this level */
    uint16_t n_coefs; /* coefficients 1 .. n_coefs in zigzag order are coded, the last of
                            them not 0; 0: none */
    int32_t *coefs;   /* [side²] row by row, in steps of delta; [0] is 0. Valid when
                            n_coefs > 0 */
} rugi_ifs_leaf;

/** What is fixed for a plane. */
typedef struct rugi_ifs_frame {
    uint32_t nx, ny; /* padded: multiples of RUGI_IFS_BLOCK */
    uint32_t step;   /* of the grid, a multiple of 4 */
    uint32_t delta;  /* quantiser step in 1/16 of a grey level, at least 1 */
    int has_residual;
    unsigned depth; /* bits of a pixel, 8..17 (chroma planes have one more) */
    int32_t middle; /* grey of what lies before the first block, such as 128 */
} rugi_ifs_frame;

/** Side of a block in pixels. */
static inline uint32_t rugi_ifs_side(unsigned level)
{
    return (uint32_t)RUGI_IFS_SIDE(level);
}

/** Whether a plane is large enough for domains of a level. */
static inline int rugi_ifs_has_domains(const rugi_ifs_frame *frame, unsigned level)
{
    uint32_t side = 2 * rugi_ifs_side(level);
    return frame->nx >= side && frame->ny >= side;
}

/** The step of means of a level, in 1/64 of a grey level. */
int32_t rugi_ifs_mean_step(const rugi_ifs_frame *frame, unsigned level);

/** Probabilities of a plane. */
typedef struct rugi_ifs_model rugi_ifs_model;

/** What coding a block needs to know of the blocks before it, in squares of 4 x 4 pixels. */
typedef struct rugi_ifs_map {
    uint32_t nx, ny;                  /* squares a row, rows of them */
    uint8_t *level, *fractal, *coded; /* coded: has coefficients */
    int32_t *mean;                    /* in 1/64 of a grey level */
    int32_t middle; /* what stands for the mean where there is no block */
} rugi_ifs_map;

/** @return NULL when out of memory */
rugi_ifs_model *rugi_ifs_model_new(rug_context *ctx);
void rugi_ifs_model_free(rug_context *ctx, rugi_ifs_model *model);

rug_status rugi_ifs_map_new(rug_context *ctx, rugi_ifs_map *map,
                            const rugi_ifs_frame *frame);
/** Forgets all blocks. */
static inline void rugi_ifs_map_begin(rugi_ifs_map *map, const rugi_ifs_frame *frame)
{
    memset(map->level, 0, 3 * (size_t)map->nx * map->ny);
    map->middle = 64 * frame->middle;
}
void rugi_ifs_map_free(rug_context *ctx, rugi_ifs_map *map);
/** Enters a leaf, after it was coded or tried. */
void rugi_ifs_map_enter(rugi_ifs_map *map, const rugi_ifs_frame *frame,
                        const rugi_ifs_leaf *leaf);

/** Whether a block is split; not coded on the last level. */
int rugi_ifs_code_split(rugi_ifs_coder *coder, rugi_ifs_model *model,
                        const rugi_ifs_map *map, uint32_t x, uint32_t y, unsigned level,
                        int split);
/** A leaf. Reading: x, y, level and coefs (side² values, NULL without
 *  residual) are given, the rest is filled. Does not enter it into the map. */
void rugi_ifs_code_leaf(rugi_ifs_coder *coder, rugi_ifs_model *model,
                        const rugi_ifs_map *map, const rugi_ifs_frame *frame,
                        rugi_ifs_leaf *leaf);

/** Domains of a leaf: fills domain_x and domain_y of OVER and NEAR. */
void rugi_ifs_place_domain(const rugi_ifs_frame *frame, rugi_ifs_leaf *leaf);

/** Zigzag order of a level: place[i] is row by row. */
const uint16_t *rugi_ifs_zigzag(unsigned level);

#endif
