/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Luminance and chrominance of 8 bits, of which the latter is stored for several pixels at once. */

#ifndef RUGI_TIFF_YCBCR_H
#define RUGI_TIFF_YCBCR_H

#include "tiff_facts.h"

/** Bytes that n rows of a block of some width are stored in: groups of pixels, each with its
 *  luminances, Cb and Cr. */
static inline uint64_t rugi_tiff_ycbcr_bytes(const rugi_tiff_page *page, size_t width,
                                             size_t n)
{
    uint64_t across = (uint64_t)page->subsampling[0],
             down = (uint64_t)page->subsampling[1];
    return ((width - 1) / across + 1) * ((n - 1) / down + 1) * (across * down + 2);
}

/** Makes red, green and blue of a block, with what the directory says at which libtiff stands.
 *  @param to    n rows of `width` pixels
 *  @param from  rugi_tiff_ycbcr_bytes()
 *  @return nonzero, or 0 where the directory says what cannot be */
int rugi_tiff_ycbcr(TIFF *tiff, const rugi_tiff_page *page, unsigned char *to,
                    const unsigned char *from, size_t width, size_t n);

#endif
