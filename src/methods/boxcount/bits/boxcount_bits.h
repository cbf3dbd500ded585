/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Packed pixels: a bit each, set where the foreground is. */

#ifndef RUGI_BOXCOUNT_BITS_H
#define RUGI_BOXCOUNT_BITS_H

#include "core/image/image_internal.h"
#include "core/image/predicate.h"
#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** Rows are whole vectors of this many words. */
#define RUGI_BITS_VECTOR 8

/** An image or a volume of packed pixels, in the axes of the image. Pixel x of a row is bit
 *  x % 64 (lowest first) of word x / 64; bits behind the last pixel are 0. */
typedef struct rugi_bits {
    uint64_t *words;  /**< 64-byte aligned */
    int box_axes;     /**< D: 2 or 3 */
    size_t shape[3];  /**< pixels: z y x; z = 1 for an image */
    size_t row_words; /**< from row to row; a multiple of RUGI_BITS_VECTOR */
} rugi_bits;

/** Makes all pixels background.
 *  @param shape  ndim sizes, slowest axis first
 *  @param what   for the error text
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_bits_new(rug_context *ctx, rugi_bits *out, int ndim, const size_t *shape,
                         const char *what);

/** The same for other pixels that take the place of those before, in their memory where
 *  that is enough.
 *  @param bits    of rugi_bits_new(), or all 0
 *  @param n_held  words of its memory, kept here; 0 at first
 *  @return as rugi_bits_new(); after a failure there is still something to free */
rug_status rugi_bits_renew(rug_context *ctx, rugi_bits *bits, size_t *n_held, int ndim,
                           const size_t *shape, const char *what);

void rugi_bits_free(rug_context *ctx, rugi_bits *bits);

/** The words of row (z, y). */
static inline uint64_t *rugi_bits_row(const rugi_bits *bits, size_t z, size_t y)
{
    return bits->words + (z * bits->shape[1] + y) * bits->row_words;
}

/** Sets the bits of the foreground of an image, at a place; those that are set stay.
 *  @param image  all of it lies within the bits
 *  @param first  the place of its first pixel, z y x; z = 0 for an image
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_bits_add(rug_context *ctx, rugi_bits *bits, const rug_image *image,
                         const rugi_predicate *predicate, const size_t first[3]);

/** Packs the foreground of an image.
 *  @param what  for the error text
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; after a failure there may still be something
 *          to free */
rug_status rugi_bits_of_image(rug_context *ctx, rugi_bits *out, const rug_image *image,
                              const rugi_predicate *predicate, const char *what);

/** The same of the pixels inside a mask. */
rug_status rugi_bits_of_mask(rug_context *ctx, rugi_bits *out, const rug_image *mask);

/** Sets those of n pixels of a row that are set in other bits, there from pixel `at` on.
 *  @param to  the first of the n pixels, z y x */
void rugi_bits_add_run(rugi_bits *bits, const size_t to[3], const rugi_bits *from,
                       const size_t at[3], size_t n);

/** Clears the bits that another image of the same shape does not have. */
void rugi_bits_intersect(rugi_bits *bits, const rugi_bits *other);

/** Sets the bits that another image of the same shape has. */
void rugi_bits_unite(rugi_bits *bits, const rugi_bits *other);

/** The pixels as a view of RUG_BIT, borrowed. */
rug_image rugi_bits_view(const rugi_bits *bits);

/** The foreground of such a view. */
static inline rugi_predicate rugi_bits_are_set(void)
{
    return rugi_predicate_make(RUG_BIT, (rug_foreground){RUG_FOREGROUND_NONZERO, 0});
}

#endif
