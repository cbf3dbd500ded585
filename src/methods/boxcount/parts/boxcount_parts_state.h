/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a count in parts keeps. */

#ifndef RUGI_BOXCOUNT_PARTS_STATE_H
#define RUGI_BOXCOUNT_PARTS_STATE_H

#include "boxcount/pyramid/boxcount_pyramid.h"
#include "boxcount/result/boxcount_result.h"
#include "core/blocks/partial_blocks.h"
#include <rugose/boxcount_parts.h>

/** The pyramid of an image of which parts have come. */
typedef struct rugi_boxcount_tiled {
    int box_axes;
    rugi_partial_blocks partial; /* blocks of 64 pixels a side */
    rugi_boxcount_levels levels; /* 0..6 of the whole blocks */
    rugi_sparse blocks; /* of each whole block the byte RUGI_BLOCK_ANY | RUGI_BLOCK_ALL */
} rugi_boxcount_tiled;

struct rug_boxcount_parts {
    rug_context *ctx;
    rug_boxcount_result *begun; /* all but the counts */
    int has_mask;
    size_t shape[3]; /* z y x; z = 1 for an image */
    rugi_cover cover;
    rugi_boxcount_tiled tiled;  /* method PYRAMID without a mask */
    rugi_partial_blocks pixels; /* else, packed: a row of a block is a word */
    rugi_partial_blocks inside; /* the mask */
};

/** Whether blocks are counted when they are whole; else all pixels are kept. */
static inline int rugi_boxcount_is_tiled(const rug_boxcount_parts *p)
{
    return p->begun->facts.method == RUG_BOXCOUNT_PYRAMID && !p->has_mask;
}

#endif
