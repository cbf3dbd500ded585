/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From samples, as a TIFF file stores them, to pixels. */

#ifndef RUGI_TIFF_SAMPLES_H
#define RUGI_TIFF_SAMPLES_H

#include "io/base/bands.h"
#include "tiff_facts.h"

/** What samples that are indices stand for: grey in the first row, or red, green and blue. */
typedef uint8_t rugi_tiff_table[3][256];

/** How the samples of a page become pixels. */
typedef struct rugi_tiff_samples {
    rugi_bands bands; /**< those of a pixel, and which of them is wanted */
    int bits;         /**< of a sample */
    int is_indexed; /**< samples are looked up in a table: colour maps, and less than 8 bits */
    int is_inverted; /**< the first band's */
    int n_parts; /**< what a pixel is made of: 1, or 3 where samples stand in planes */
    int part;    /**< the first part: a plane's number */
    int n_mixed; /**< samples that lie side by side in a part */
} rugi_tiff_samples;

/** Whether a page is made pixels of here. What is rarer goes through libvips: CMYK, CIELAB, LogLuv,
 *  YCbCr that is no JPEG, colours multiplied by alpha, codecs that libtiff lacks, odd numbers of bits. */
int rugi_tiff_is_known(const rugi_tiff_page *page);

/** Reads what indices stand for, from the directory that libtiff stands at.
 *  @param is_gray  set when the three colours of each are equal: pixels have one band
 *  @return nonzero, or 0 when the colour map is missing */
int rugi_tiff_read_table(TIFF *tiff, const rugi_tiff_page *page, rugi_tiff_table table,
                         int *is_gray);

/** Chooses the bands of a page that is known. @return as rugi_bands_choose() */
rug_status rugi_tiff_choose(rug_context *ctx, rug_file *file, rugi_tiff_samples *out,
                            const rugi_tiff_page *page, int is_gray, int channel);

/** Makes pixels of a row. Any thread may call it.
 *  @param table  of indices
 *  @param to     n pixels; RUGI_COLOURS: of the first plane
 *  @param from   the row in the first part, aligned as its type
 *  @param step   bytes from one part to the next
 *  @param plane  bytes from one plane of `to` to the next
 *  @param room   for three bands of n pixels
 *  @return 1 when colours of a pixel differ, as rugi_bands_take() */
int rugi_tiff_take(const rugi_tiff_samples *samples, rugi_tiff_table table, void *to,
                   const unsigned char *from, size_t step, size_t n, size_t plane,
                   void *room);

/** Inverts n values of what has been stored as it is, where white is 0. */
static inline void rugi_tiff_invert(const rugi_tiff_samples *samples, void *pixels,
                                    size_t n)
{
    unsigned char *bytes = pixels;
    n *= rug_dtype_size(samples->bands.dtype);
    for (size_t i = 0; samples->is_inverted && i < n; i++)
        bytes[i] = (unsigned char)~bytes[i];
}

#endif
