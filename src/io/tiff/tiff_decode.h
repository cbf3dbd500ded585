/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From the samples of strips and tiles, as a TIFF file stores them, to pixels. */

#ifndef RUGI_TIFF_DECODE_H
#define RUGI_TIFF_DECODE_H

#include "io/base/bands.h"
#include "tiff_facts.h"
#include "tiff_unpack.h"
#include "tiff_ycbcr.h"

/* ---- Samples ---- */

/** What samples that are indices stand for: grey in the first row, or red, green and blue. */
typedef uint8_t rugi_tiff_table[3][256];

/** Planes of samples that a pixel may be made of: colours and alpha. */
#define RUGI_TIFF_PARTS_MAX 4

/** How the samples of a page become pixels. */
typedef struct rugi_tiff_samples {
    rugi_bands bands; /**< those of a pixel, and which of them is wanted */
    int bits;         /**< of a sample */
    int is_indexed; /**< samples are looked up in a table: colour maps, and less than 8 bits */
    rugi_tiff_packed
        packed;      /**< how samples are unpacked that are no values of their type */
    int is_inverted; /**< the first band's */
    int n_parts; /**< what a pixel is made of: 1, or where samples stand in planes up to
                      RUGI_TIFF_PARTS_MAX */
    int part;    /**< the first part: a plane's number */
    int n_mixed; /**< samples that lie side by side in a part */
} rugi_tiff_samples;

/** Whether a page is made pixels of here. What is rarer goes through libvips: CIELAB, LogLuv,
 *  codecs that libtiff lacks. Colours stay as they are stored, multiplied by alpha or not. */
int rugi_tiff_is_known(const rugi_tiff_page *page);

/** Chooses the bands of a page that is known. @return as rugi_bands_choose() */
rug_status rugi_tiff_choose(rug_context *ctx, rug_file *file, rugi_tiff_samples *out,
                            const rugi_tiff_page *page, int is_gray, int channel);

/** Makes pixels of a row. Any thread may call it.
 *  @param table  of indices
 *  @param to     n pixels; RUGI_COLOURS: of the first plane
 *  @param from   the row in the first part, aligned as its type; changed
 *  @param step   bytes from one part to the next
 *  @param plane  bytes from one plane of `to` to the next
 *  @param room   rugi_tiff_room() bytes, aligned for any type
 *  @return 1 when colours of a pixel differ, as rugi_bands_take() */
int rugi_tiff_take(const rugi_tiff_samples *samples, rugi_tiff_table table, void *to,
                   unsigned char *from, size_t step, size_t n, size_t plane, void *room);

/** Bytes of room that rugi_tiff_take() needs for n pixels: the parts, and what is unpacked. */
static inline size_t rugi_tiff_room(const rugi_tiff_samples *samples, size_t n)
{
    size_t mixed = samples->packed.bits != 0 ? (size_t)samples->n_mixed : 0;
    return (RUGI_TIFF_PARTS_MAX + mixed) * n * rug_dtype_size(samples->bands.dtype);
}

/** Inverts n values of what has been stored as it is, where white is 0. */
static inline void rugi_tiff_invert(const rugi_tiff_samples *samples, void *pixels,
                                    size_t n)
{
    unsigned char *bytes = pixels;
    n *= rug_dtype_size(samples->bands.dtype);
    for (size_t i = 0; samples->is_inverted && i < n; i++)
        bytes[i] = (unsigned char)~bytes[i];
}

/* ---- Strips and tiles ---- */

/** How a page is divided. */
typedef struct rugi_tiff_blocks {
    size_t height, width; /**< of a strip or tile */
    size_t down, across;  /**< how many there are of them, in each plane */
    size_t row_bytes;     /**< of a row of it, in one part of the pixels */
    size_t
        bytes; /**< of all its rows in all parts, and of what they are converted from */
    int is_tiled;
    int is_fax; /**< libtiff leaves out rows that are missing at a block's end */
    int is_plain; /**< rows stand in the file as they are, one after the other in each strip */
    int is_converted; /**< red, green and blue are made of luminance and chrominance, of
                         all rows at once */
} rugi_tiff_blocks;

/** What one thread decodes with. Zeroed, it is closed. */
typedef struct rugi_tiff_worker {
    rugi_tiff_handle handle;
    uint64_t offset; /**< of the directory it stands at; 0 = none */
    int subifd;
    rugi_tiff_table table; /**< that of the directory */
    int is_gray;           /**< the table */
    uint64_t strip;        /**< 1 + the one that is read row by row; 0 = none */
    size_t next;           /**< the row of it that comes next */
    size_t row, column;    /**< what is being decoded, for error texts */
    unsigned char *room;   /**< for what it decodes; its owner's */
    int differ;            /**< colours of a pixel did */
} rugi_tiff_worker;

/** Divides a page. @return nonzero, or 0 when a block has more bytes than an address can count */
int rugi_tiff_divide(rugi_tiff_blocks *out, const rugi_tiff_page *page,
                     const rugi_tiff_samples *samples);

/* What follows works on any thread, and answers 0 on failure, with an error in the handle. */

/** Opens the file unless it is open, and goes to a page, which must be what it was. */
int rugi_tiff_enter(rugi_tiff_worker *worker, const char *path,
                    const rugi_tiff_page *page);

/** Decodes n rows of a strip, or all rows of a tile. Rows that are neither plain nor all of their
 *  strip cost those above them in the strip, too, unless they follow those that were last.
 *  @param part         of the pixels, from 0
 *  @param row, column  where the rows or the tile begin
 *  @param to           blocks->row_bytes for each row */
int rugi_tiff_decode(rugi_tiff_worker *worker, const rugi_tiff_page *page,
                     const rugi_tiff_samples *samples, const rugi_tiff_blocks *blocks,
                     int part, size_t row, size_t column, size_t n, unsigned char *to);

#endif
