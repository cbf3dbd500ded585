/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Strips and tiles, decoded by one thread. */

#ifndef RUGI_TIFF_DECODE_H
#define RUGI_TIFF_DECODE_H

#include "tiff_samples.h"

/** How a page is divided. */
typedef struct rugi_tiff_blocks {
    size_t height, width; /**< of a strip or tile */
    size_t down, across;  /**< how many there are of them, in each plane */
    size_t row_bytes;     /**< of a row of it, in one part of the pixels */
    size_t bytes;         /**< of all its rows in all parts */
    int is_tiled;
    int is_fax; /**< libtiff leaves out rows that are missing at a block's end */
    int is_plain; /**< rows stand in the file as they are, one after the other in each strip */
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
