/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Packed pixels: one bit each, set for foreground. */

#ifndef RUGI_BOXCOUNT_BITS_H
#define RUGI_BOXCOUNT_BITS_H

#include "core/image/image_internal.h"
#include "core/image/predicate.h"
#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** Rows are a multiple of this many words. */
#define RUGI_BITS_VECTOR 8

/** An image or a volume of packed pixels, in the axes of the image. Pixel x of a row is
 *  bit x % 64 (lowest first) of word x / 64; bits after the last pixel are 0. */
typedef struct rugi_bits {
    uint64_t *words;  /**< 64-byte aligned */
    int box_axes;     /**< D: 2 or 3 */
    size_t shape[3];  /**< pixels: z y x; z = 1 for an image */
    size_t row_words; /**< from row to row; a multiple of RUGI_BITS_VECTOR */
} rugi_bits;

/** Makes packed pixels that are all background, in the place of earlier ones, and in
 *  their memory if it is large enough.
 *  @param bits    from rugi_bits_new(), or all 0
 *  @param n_held  words of its memory, kept here; 0 at first
 *  @param shape   ndim sizes, slowest axis first
 *  @param what    for the error text
 *  @return RUG_OK, RUG_E_NOMEM; after a failure the bits still have to be freed */
rug_status rugi_bits_renew(rug_context *ctx, rugi_bits *bits, size_t *n_held, int ndim,
                           const size_t *shape, const char *what);

/** The same in memory of its own. */
static inline rug_status rugi_bits_new(rug_context *ctx, rugi_bits *out, int ndim,
                                       const size_t *shape, const char *what)
{
    size_t n_held = 0;
    *out = (rugi_bits){0};
    return rugi_bits_renew(ctx, out, &n_held, ndim, shape, what);
}

void rugi_bits_free(rug_context *ctx, rugi_bits *bits);

/** The words of row (z, y). */
static inline uint64_t *rugi_bits_row(const rugi_bits *bits, size_t z, size_t y)
{
    return bits->words + (z * bits->shape[1] + y) * bits->row_words;
}

/** Sets the bits of an image's foreground at a place; bits that are set stay set.
 *  @param image  lies within the bits as a whole
 *  @param first  the place of its first pixel, z y x; z = 0 for an image
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_bits_add(rug_context *ctx, rugi_bits *bits, const rug_image *image,
                         const rugi_predicate *predicate, const size_t first[3]);

/** Packs the foreground of an image.
 *  @param what  for the error text
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; after a failure the bits still have to
 *          be freed */
rug_status rugi_bits_of_image(rug_context *ctx, rugi_bits *out, const rug_image *image,
                              const rugi_predicate *predicate, const char *what);

/** The same of the pixels inside a mask. */
rug_status rugi_bits_of_mask(rug_context *ctx, rugi_bits *out, const rug_image *mask);

/** ORs a run of n pixels of a row into a row of other bits.
 *  @param to  where the first of the n pixels goes, z y x
 *  @param at  where it comes from */
void rugi_bits_add_run(rugi_bits *bits, const size_t to[3], const rugi_bits *from,
                       const size_t at[3], size_t n);

/** Clears the bits that are not set in other bits of the same shape. */
void rugi_bits_intersect(rugi_bits *bits, const rugi_bits *other);

/** The pixels as a view of RUG_BIT, borrowed. Until rugi_bits_end_view() the words are not to be
 *  used. */
rug_image rugi_bits_view(const rugi_bits *bits);

static inline void rugi_bits_end_view(const rugi_bits *bits)
{
    rugi_turn_words(bits->words, bits->shape[0] * bits->shape[1] * bits->row_words);
}

/** The foreground of such a view. */
static inline rugi_predicate rugi_bits_are_set(void)
{
    return rugi_predicate_of_mask(RUG_BIT);
}

#endif
