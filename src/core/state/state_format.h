/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What writing and reading of states share. */

#ifndef RUGI_STATE_FORMAT_H
#define RUGI_STATE_FORMAT_H

#include "state.h"

/* The head: magic, format, method, length, version of the library. */
#define RUGI_STATE_MAGIC         "\x89RGS\r\n\x1a\n"
#define RUGI_STATE_MAGIC_BYTES   8
#define RUGI_STATE_FORMAT        1
#define RUGI_STATE_LENGTH_AT     16
#define RUGI_STATE_VERSION_BYTES 16
#define RUGI_STATE_HEAD_BYTES    40
#define RUGI_STATE_CRC_BYTES     4

/** Bits of a pixel as blocks keep it: 1, 8, 16, 32 or 64. */
static inline unsigned rugi_state_width(const rugi_partial_blocks *b)
{
    size_t n_pixels = (size_t)1 << (b->bits[0] + b->bits[1] + b->bits[2]);
    return (unsigned)(b->n_words * 64 / n_pixels);
}

/** Bits that are packed or unpacked at once, at most. */
#define RUGI_STATE_RUN 32

/** How many are, from pixel `at` of a packed block on: those of one word. */
static inline unsigned rugi_state_run(size_t at, size_t end)
{
    size_t n = 64 - at % 64 < end - at ? 64 - at % 64 : end - at;
    return n < RUGI_STATE_RUN ? (unsigned)n : RUGI_STATE_RUN;
}

/** Called with n pixels of a block that have come, side by side.
 *  @param first  the first one's place in the block, x fastest, where each axis has as many
 *                pixels as blocks have */
typedef void rugi_state_run_fn(void *user, size_t first, size_t n);

/** The walk over the pixels of a block. */
typedef struct rugi_state_walk {
    const rugi_partial_blocks *blocks;
    rugi_box block;
    rugi_state_run_fn *fn;
    void *user;
} rugi_state_walk;

static inline void rugi_state_walk_box(void *user, const rugi_box *box)
{
    const rugi_state_walk *w = user;
    const size_t *from = w->block.first;
    for (size_t z = box->first[0]; z < box->end[0]; z++)
        for (size_t y = box->first[1]; y < box->end[1]; y++) {
            size_t row = ((z - from[0]) << w->blocks->bits[1]) + y - from[1];
            w->fn(w->user, (row << w->blocks->bits[2]) + box->first[2] - from[2],
                  box->end[2] - box->first[2]);
        }
}

/** Calls a function with all pixels of a block that have come: box after box, row after row.
 *  @param cover  sorted */
static inline void rugi_state_each_run(const rugi_partial_blocks *b,
                                       const rugi_cover *cover, size_t block,
                                       rugi_state_run_fn *fn, void *user)
{
    rugi_state_walk w = {b, rugi_partial_blocks_block(b, block), fn, user};
    rugi_cover_each(cover, &w.block, rugi_state_walk_box, &w);
}

#endif
