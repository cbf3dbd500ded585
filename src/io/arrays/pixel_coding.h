/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How pixels are stored in NIfTI and npy files, and what they become. */

#ifndef RUGI_PIXEL_CODING_H
#define RUGI_PIXEL_CODING_H

#include <rugose/image.h>
#include <stddef.h>

typedef struct rugi_pixel_coding {
    rug_dtype stored; /**< not RUG_BIT; not read when is_half */
    int is_half;      /**< 16-bit floats */
    int swap;         /**< the other byte order */
    int scaled;       /**< value = slope * stored + intercept */
    double slope;
    double intercept;
} rugi_pixel_coding;

/** Bytes of one stored pixel. */
size_t rugi_coding_size(const rugi_pixel_coding *coding);

/** What the pixels become: halves f32; scaled ones f32 when the stored type has at most 16
 *  bits or is f32, else f64; others as stored. */
rug_dtype rugi_coding_dtype(const rugi_pixel_coding *coding);

/** Whether the values change, so that stored pixels and pixels are two blocks. */
static inline int rugi_coding_converts(const rugi_pixel_coding *coding)
{
    return coding->scaled || coding->is_half;
}

/** Swaps and converts stored pixels.
 *  @param to    n pixels of the type rugi_coding_dtype()
 *  @param from  n stored pixels, aligned for their type, which are changed; the block `to`
 *               itself when values do not change */
void rugi_decode_pixels(void *to, void *from, size_t n, const rugi_pixel_coding *coding);

#endif
