/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Version 3 of the stream: a quadtree of patches, each predicted from what was decoded
 * before it (its neighbours, a larger block of the same plane, the plane of luma), and a
 * residual. What a patch is, and how it goes through the coder. FORMAT.md is the
 * specification. */

#ifndef RUGI_IFS_PATCHES_H
#define RUGI_IFS_PATCHES_H

#include "ifs/stream/ifs_coder.h"
#include "ifs/stream/ifs_sample.h"
#include "ifs/stream/ifs_syntax.h"

/** How a patch is predicted. */
typedef enum rugi_ifs_kind {
    RUGI_IFS_FLAT_KIND = 0, /* the mean of what lies along its upper and left edge */
    RUGI_IFS_PLANAR = 1,    /* between its edges */
    RUGI_IFS_MEDIAN = 2,    /* the median of left, above and left + above - corner */
    RUGI_IFS_ANGLE = 3,     /* edges continued in one of 32 directions */
    RUGI_IFS_DOMAIN = 4,    /* a block of twice its side, decoded before it */
    RUGI_IFS_LUMA = 5       /* the plane of luma; chroma only */
} rugi_ifs_kind;
#define RUGI_IFS_KINDS 6

/** Directions: 0..14 from the left, 15..31 from above; 7 is straight from the left, 23
 *  straight from above. */
#define RUGI_IFS_ANGLES     32
#define RUGI_IFS_HORIZONTAL 7
#define RUGI_IFS_VERTICAL   23
#define RUGI_IFS_TURN       15 /* the first one from above */

/** Domains begin at multiples of this. */
#define RUGI_IFS_DOMAIN_UNIT 2

/** The most that the quantiser step of a root may differ, in 1/6 octaves. */
#define RUGI_IFS_OFFSET_MAX 18

/** A block that is not split. */
typedef struct rugi_ifs_patch {
    uint32_t x, y; /* first sample in the padded plane */
    uint8_t level, kind;
    uint8_t angle;    /* ANGLE */
    uint8_t symmetry; /* DOMAIN, as in rug_ifs_transform */
    int8_t k;         /* DOMAIN, LUMA: the scale in 1/8, -8..8; only of LUMA 0: fitted */
    uint32_t domain_x, domain_y; /* DOMAIN: its first sample */
    uint16_t n_coefs; /* coefficients 0 .. n_coefs - 1 in zigzag order are coded, the
                                    last of them not 0; 0: none */
    int32_t *coefs;   /* [side²] row by row, in half steps. Valid when n_coefs > 0 */
    uint16_t
        *places; /* [side²] NULL, or reading sets it to where in coefs those are that are
                                    not 0 */
    uint16_t n_places;
} rugi_ifs_patch;

/** What is fixed for a plane. */
typedef struct rugi_ifs_patch_frame {
    uint32_t nx, ny; /* padded: multiples of RUGI_IFS_BLOCK */
    unsigned depth;  /* bits of a value, 1..17 */
    uint32_t delta;  /* quantiser step in 1/16 of a grey level, 1..RUGI_IFS_DELTA_MAX */
    int has_luma;    /* chroma: there is a plane of luma */
    unsigned halved; /* chroma: 1 when luma has twice as many samples a side, else 0 */
    unsigned before_halved; /* the same of the plane that is coded before this one */
    int has_offsets;        /* roots have quantiser steps of their own */
} rugi_ifs_patch_frame;

/** What coding a patch needs to know of those before it, in squares of 4 x 4 samples. */
typedef struct rugi_ifs_patch_square {
    uint8_t level, kind, angle, is_coded; /* angle of LUMA: 1 when its scale is coded */
} rugi_ifs_patch_square;

/** Of a plane, or of a tile in that of its plane. */
typedef struct rugi_ifs_patch_map {
    uint32_t nx, ny; /* squares a row, rows of them */
    size_t pitch;    /* from a row of squares to the next, a multiple of 8 */
    rugi_ifs_patch_square *squares; /* [ny][nx] */
    int8_t *offsets;                /* [ny / 8][nx / 8] of the quantiser steps of roots */
} rugi_ifs_patch_map;

/** @param nx, ny  in samples, multiples of RUGI_IFS_BLOCK */
rug_status rugi_ifs_patch_map_new(rug_context *ctx, rugi_ifs_patch_map *map, uint32_t nx,
                                  uint32_t ny);
void rugi_ifs_patch_map_free(rug_context *ctx, rugi_ifs_patch_map *map);
/** The part of a map that begins at sample (x, y), multiples of RUGI_IFS_BLOCK. */
rugi_ifs_patch_map rugi_ifs_patch_map_part(const rugi_ifs_patch_map *map, uint32_t x,
                                           uint32_t y, uint32_t nx, uint32_t ny);
/** Enters a patch, after it was coded or tried. */
void rugi_ifs_patch_enter(rugi_ifs_patch_map *map, const rugi_ifs_patch *patch);

/** Probabilities of a plane. */
typedef struct rugi_ifs_patch_model rugi_ifs_patch_model;
size_t rugi_ifs_patch_model_bytes(void);
/** As probabilities are before the first decision: those of other images. */
void rugi_ifs_patch_model_begin(rugi_ifs_patch_model *model, int has_luma);

/** What coding a plane is done with. `before` is the map of the plane coded before it, NULL for
 *  the first one. */
typedef struct rugi_ifs_patch_coding {
    rugi_ifs_coder *coder;
    rugi_ifs_patch_model *model;
    const rugi_ifs_patch_map *map, *before;
    const rugi_ifs_patch_frame *frame;
} rugi_ifs_patch_coding;

/** The offset of a root's quantiser step; only with has_offsets.
 *  @param column, row  of the root; the one before it in its row is in the map
 *  @return the offset, -RUGI_IFS_OFFSET_MAX .. RUGI_IFS_OFFSET_MAX */
int rugi_ifs_code_offset(const rugi_ifs_patch_coding *c, uint32_t column, uint32_t row,
                         int offset);
/** Whether a block is split; not coded on the last level. */
int rugi_ifs_code_patch_split(const rugi_ifs_patch_coding *c, uint32_t x, uint32_t y,
                              unsigned level, int split);
/** A patch. Reading: x, y, level and coefs (side² values, all 0) are given, the rest is
 *  filled. Does not enter it into the map. */
void rugi_ifs_code_patch(const rugi_ifs_patch_coding *c, rugi_ifs_patch *patch);

/** The order of decoding: roots row by row, in a root quarter by quarter.
 *  @param x, y  of a sample */
static inline uint64_t rugi_ifs_order(const rugi_ifs_patch_frame *frame, uint32_t x,
                                      uint32_t y)
{
    uint64_t root = (uint64_t)(y / RUGI_IFS_BLOCK) * (frame->nx / RUGI_IFS_BLOCK) +
                    x / RUGI_IFS_BLOCK;
    unsigned sx = x / RUGI_IFS_LEAST % 8, sy = y / RUGI_IFS_LEAST % 8, part = 0;
    for (unsigned bit = 0; bit < 3; bit++)
        part |= (sx >> bit & 1) << 2 * bit | (sy >> bit & 1) << (2 * bit + 1);
    return root * 64 + part;
}

/** Whether a domain of a patch lies in the plane, and was decoded before it: its last sample is the
 *  last one that was decoded. */
static inline int rugi_ifs_is_decoded(const rugi_ifs_patch_frame *frame,
                                      const rugi_ifs_patch *patch, int64_t domain_x,
                                      int64_t domain_y)
{
    int64_t side = 2 * (int64_t)rugi_ifs_side(patch->level);
    return domain_x >= 0 && domain_y >= 0 && domain_x + side <= frame->nx &&
           domain_y + side <= frame->ny &&
           rugi_ifs_order(frame, (uint32_t)(domain_x + side - 1),
                          (uint32_t)(domain_y + side - 1)) <
               rugi_ifs_order(frame, patch->x, patch->y);
}

#endif
