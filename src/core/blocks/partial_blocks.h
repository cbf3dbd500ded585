/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An image that comes in parts: which pixels have come, and the blocks of a grid that
 * are counted as soon as they are whole. Any parts will do, in any order. What a part
 * holds of whole blocks is counted at once; the pixels of other blocks are kept until
 * their block is whole. Two states of the same image add up. */

#ifndef RUGI_PARTIAL_BLOCKS_H
#define RUGI_PARTIAL_BLOCKS_H

#include "sparse.h"
#include <rugose/context.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Checks the rule of an image in parts: no part could resolve AUTO or OTSU.
 *  @param what  begins the error text
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_parts_check_rule(rug_context *ctx, rug_foreground rule, const char *what);

/** What parts are of. */
typedef struct rugi_parts_whole {
    int n_axes;
    const size_t *shape; /* z y x; z = 1 for an image */
    int has_mask;
    rug_foreground rule; /* resolved */
} rugi_parts_whole;

/** Checks that two states are of the same image, by the same rule.
 *  @return RUG_OK, RUG_E_ARG with both values */
rug_status rugi_parts_check_same(rug_context *ctx, const rugi_parts_whole *given,
                                 const rugi_parts_whole *expected);

/** Says that two states cannot be merged.
 *  @return RUG_E_ARG */
rug_status rugi_parts_differ(rug_context *ctx, const char *what, const char *given,
                             const char *expected);

/** The same where numbers differ, else RUG_OK. */
rug_status rugi_parts_check_number(rug_context *ctx, const char *what, int64_t given,
                                   int64_t expected);

/** Likewise where reals differ. */
rug_status rugi_parts_check_real(rug_context *ctx, const char *what, double given,
                                 double expected);

/** Likewise where texts differ. */
static inline rug_status rugi_parts_check_text(rug_context *ctx, const char *what,
                                               const char *given, const char *expected)
{
    return strcmp(given, expected) == 0 ? RUG_OK
                                        : rugi_parts_differ(ctx, what, given, expected);
}

/** Checks a part of an image, and its place.
 *  @param place   filled: the pixels of the part in the whole image
 *  @param n_axes  2 or 3
 *  @param shape   of the whole image, z y x; z = 1 for an image
 *  @param mask    of the part; NULL: none
 *  @param first   the place of its first pixel, n_axes numbers
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_part_check(rug_context *ctx, rugi_box *place, int n_axes,
                           const size_t shape[3], const rug_image *part,
                           const rug_image *mask, int has_mask, const size_t *first);

/** Checks which pixels of a part are its own; the others are their surroundings.
 *  @param own        filled: its own pixels in the whole image
 *  @param place      of the part, of rugi_part_check()
 *  @param own_first  the place of the first of them in the whole image; NULL: that of the part
 *  @param own_shape  how many, along each axis; NULL: all from there on
 *  @param reach      z y x: so many pixels to each side must be there, or as many as the image has
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_part_own(rug_context *ctx, rugi_box *own, const rugi_box *place,
                         int n_axes, const size_t shape[3], const size_t *own_first,
                         const size_t *own_shape, const size_t reach[3]);

/** The grid of blocks, and those that are not whole. */
typedef struct rugi_partial_blocks {
    size_t shape[3];  /* pixels, z y x */
    unsigned bits[3]; /* a block has 2^bits pixels along each axis */
    size_t n_blocks[3];
    size_t n_words;          /* of a block */
    const rugi_cover *cover; /* the pixels that have come */
    int keeps_zeros;         /* blocks wait even if all their words are 0 */
    /* Blocks, as items: words as the counter fills them, 0 where no pixel has come.
     * Without an entry all words are 0. */
    rugi_sparse waiting;
} rugi_partial_blocks;

/** How blocks are counted. */
typedef struct rugi_block_counter {
    /** Counts the whole blocks of the part. NULL: blocks are kept, and none is counted.
     *  @param blocks  first and end of each axis, in blocks */
    rug_status (*count_whole)(rug_context *ctx, void *job, const rugi_box *blocks);
    /** Gets ready for fill() of a box of pixels of the part. */
    rug_status (*begin)(rug_context *ctx, void *job, const rugi_box *rest);
    /** Puts pixels into a block.
     *  @param first   the first pixel of the block
     *  @param pixels  those to put there; a part of the box of begin() */
    void (*fill)(void *job, uint64_t *words, const size_t first[3],
                 const rugi_box *pixels);
    /** Counts a block that waited for its last pixel. NULL: it stays until somebody closes it.
     *  @param at     its place, in blocks
     *  @param words  which may be changed: the block is closed then */
    rug_status (*count)(rug_context *ctx, void *job, const size_t at[3], uint64_t *words);
} rugi_block_counter;

/** Begins with an empty image. Nothing is allocated yet. Blocks of zeros are not kept.
 *  @param shape    z y x
 *  @param bits     log2 of the pixels of a block along each axis
 *  @param n_words  of 64 bits that a block is kept in
 *  @param cover    gets each part, and each cover that is merged, before the blocks do */
void rugi_partial_blocks_begin(rugi_partial_blocks *blocks, const size_t shape[3],
                               const unsigned bits[3], size_t n_words,
                               const rugi_cover *cover);

void rugi_partial_blocks_free(rug_context *ctx, rugi_partial_blocks *blocks);

/** The number of all blocks: no more than pixels, which an address can count. */
static inline size_t rugi_partial_blocks_n(const rugi_partial_blocks *blocks)
{
    return blocks->n_blocks[0] * blocks->n_blocks[1] * blocks->n_blocks[2];
}

/** The pixels of a block that the image has.
 *  @param block  its number, x fastest */
rugi_box rugi_partial_blocks_block(const rugi_partial_blocks *blocks, size_t block);

/** Whether all pixels of a block have come. */
static inline int rugi_partial_blocks_is_whole(const rugi_partial_blocks *blocks,
                                               const rugi_box *block)
{
    return rugi_cover_pixels(blocks->cover, block) == rugi_box_pixels(block);
}

/** The pixels of a box of blocks that the image has. */
static inline rugi_box rugi_partial_blocks_pixels(const rugi_partial_blocks *blocks,
                                                  const rugi_box *box)
{
    rugi_box out;
    for (int a = 0; a < 3; a++) {
        out.first[a] = box->first[a] << blocks->bits[a];
        out.end[a] = box->end[a] < blocks->n_blocks[a] ? box->end[a] << blocks->bits[a]
                                                       : blocks->shape[a];
    }
    return out;
}

/** Adds a part whose pixels had not come before; they are in the cover now.
 *  @param job  for the counter
 *  @return RUG_OK, RUG_E_NOMEM, what the counter answers */
rug_status rugi_partial_blocks_add(rug_context *ctx, rugi_partial_blocks *blocks,
                                   const rugi_box *part,
                                   const rugi_block_counter *counter, void *job);

/** Adds the blocks that wait in another state of the same image, which stays as it is. Its
 *  pixels are in the cover now. Only count() is called.
 *  @return RUG_OK, RUG_E_NOMEM, what the counter answers */
rug_status rugi_partial_blocks_merge(rug_context *ctx, rugi_partial_blocks *blocks,
                                     const rugi_partial_blocks *other,
                                     const rugi_block_counter *counter, void *job);

#endif
