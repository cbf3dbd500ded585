/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of differential box counting: every number that engines need, computed once. An
 * engine reads it and computes none of them again, so that all engines agree.
 *
 * Pixels become keys, unsigned numbers in the order of the values. Minima and maxima are
 * those of keys; only when a block is counted does its key become the number of a box in its
 * column. */

#ifndef RUGI_DBC_PLAN_H
#define RUGI_DBC_PLAN_H

#include "core/image/image_internal.h"
#include <rugose/dbc.h>

__extension__ typedef unsigned __int128 rugi_dbc_u128;

/** Blocks up to this side, in pixels, are joined by the engines, and those above by dbc.c;
 *  and the side's logarithm, the level of these blocks. */
#define RUGI_DBC_BLOCK       64
#define RUGI_DBC_BLOCK_LEVEL 6

/** The least and the largest value of the pixels that count. */
typedef struct rugi_dbc_range {
    uint64_t lo, hi;         /* integers: their keys; lo > hi: no pixels */
    double real_lo, real_hi; /* floats; NaN: no pixels */
} rugi_dbc_range;

/** The boxes of one size. */
typedef struct rugi_dbc_height {
    double height;   /* h, rounded; only results have it */
    int is_unit;     /* h = 1: the number of a box is the key above the base */
    uint64_t factor; /* keys of 1 or 2 bytes: floor(v / h) is v * factor >> 16 or 32 */
} rugi_dbc_height;

typedef struct rugi_dbc_plan {
    /* Keys. */
    rug_dtype dtype;    /* of the values */
    int is_whole;       /* floats that stand for integers of the dtype */
    int is_single;      /* of f32 */
    int is_real;        /* floats: a key is floor((v - base) / G * M) */
    unsigned key_bytes; /* 1, 2, 4 or 8 */
    int may_be_empty;   /* there may be blocks without a pixel: a mask, or floats */
    int has_range;      /* the image was read for `range` */
    rugi_dbc_range range;

    /* Grey levels: G, and the value that counts as 0. */
    uint64_t base;                 /* integers: the key of that value */
    rugi_dbc_u128 levels;          /* integers: up to 2^64 */
    int is_short;                  /* integers: (largest key - base) * M fits 64 bits */
    double real_base, real_levels; /* floats, times scale */
    double scale;                  /* 0.5 where the range leaves that of double, else 1 */
    double shown_levels, shown_base; /* of results */

    /* Sizes 2, 4 … 2^n_levels. */
    uint64_t longest; /* M, the longest axis */
    uint32_t n_levels;
    rugi_dbc_height height[RUG_DBC_MAX_SIZES + RUGI_DBC_BLOCK_LEVEL + 1]; /* [level] */

    /* Shapes. An image has layers of one row. */
    size_t shape[3]; /* layers, rows, columns */
    uint64_t
        edge[3]; /* where blocks are cut: shape, 0 for the rows of an image's layers */
    size_t blocks[3]; /* of RUGI_DBC_BLOCK layers, rows and columns */
    size_t n_blocks;
    size_t tile[2];  /* rows and columns of a tile */
    size_t tiles[2]; /* how many, in a layer */
} rugi_dbc_plan;

/** Whether G or the base are those of the image. Floats need the least value in any case.
 *  @param dtype  of its pixels */
int rugi_dbc_needs_range(rug_dtype dtype, const rug_dbc_options *opts);

/** Makes a plan. Reads the image for its range of values where that is needed and not known.
 *  @param source, mask  with a range they are not read: of a mask it only counts whether there
 *                       is one
 *  @param known  the range of the pixels that count; NULL: it is not known
 *  @return RUG_OK, RUG_E_ARG (levels that do not fit the values), or what reading returns */
rug_status rugi_dbc_plan_make(rug_context *ctx, rugi_dbc_plan *plan,
                              const rug_source *source, const rug_source *mask,
                              const rug_dbc_options *opts, const rug_image_range *known);

/** Checks that the pixels of a part lie in the range of the plan.
 *  @return RUG_OK, RUG_E_ARG, what reading returns */
rug_status rugi_dbc_check_range(rug_context *ctx, const rugi_dbc_plan *plan,
                                const rug_source *source, const rug_source *mask);

/** The plan of a box of whole blocks of RUGI_DBC_BLOCK pixels: what is counted of it up to these
 *  is what the whole has of it.
 *  @param shape  layers, rows, columns */
rugi_dbc_plan rugi_dbc_plan_of_blocks(const rugi_dbc_plan *whole, const size_t shape[3]);

/** The classes of blocks: which axes they are cut along, as bits (1: columns, 2: rows, 4:
 *  layers). All blocks of a level and a class have as many pixels inside the image. */
#define RUGI_DBC_CLASSES 8

/** How many pixels along an axis a block has that the edge cuts; 0: it cuts none. */
static inline uint64_t rugi_dbc_rest(const rugi_dbc_plan *plan, uint32_t level, int axis)
{
    return plan->edge[axis] & (((uint64_t)1 << level) - 1);
}

/** The bit of an axis in the class of its block i, or 0. */
static inline unsigned rugi_dbc_cut(const rugi_dbc_plan *plan, uint32_t level, int axis,
                                    size_t i)
{
    int is_cut = rugi_dbc_rest(plan, level, axis) > 0 && i == plan->edge[axis] >> level;
    return is_cut ? 4u >> axis : 0;
}

/** Which box of its column a key lies in at a level: floor(v / h). */
static inline uint64_t rugi_dbc_box(const rugi_dbc_plan *plan, uint32_t level,
                                    uint64_t key)
{
    const rugi_dbc_height *h = &plan->height[level];
    if (plan->is_real)
        return key >> level;
    uint64_t w = key - plan->base;
    if (h->is_unit)
        return w;
    if (plan->key_bytes <= 2)
        return w * h->factor >> 16 * plan->key_bytes;
    if (plan->is_short && plan->levels >> (64 - level) == 0)
        return w * plan->longest / ((uint64_t)plan->levels << level);
    return (uint64_t)((rugi_dbc_u128)w * plan->longest / (plan->levels << level));
}

#endif
