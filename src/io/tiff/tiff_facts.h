/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a TIFF file says about its directories. */

#ifndef RUGI_TIFF_FACTS_H
#define RUGI_TIFF_FACTS_H

#include "io/base/reader.h"
#include "tiff_library.h"
#include "tiff_text.h"
#include <string.h>

/** One directory. */
typedef struct rugi_tiff_page {
    int directory;   /**< place in the main chain, from 0 */
    uint64_t offset; /**< where that directory begins */
    uint64_t shift;  /**< bytes from the samples that it names to those of this page */
    int subifd;      /**< place among the sub-directories of `directory`; -1 = itself */
    uint32_t width;
    uint32_t height;
    int bits;             /**< per sample */
    int samples;          /**< per pixel, alpha included */
    int format;           /**< SAMPLEFORMAT_* */
    int photometric;      /**< PHOTOMETRIC_* */
    int compression;      /**< COMPRESSION_* */
    int n_alpha;          /**< samples at the end that are alpha */
    int is_premultiplied; /**< colours were multiplied by it */
    int is_reduced;       /**< a smaller copy of another page */
    int has_subs;         /**< sub-directories */
    int is_mask;          /**< a transparency mask: never read */
    uint32_t block[2];    /**< rows of a strip and 0, or height and width of a tile */
    int is_planar;        /**< samples stand in planes of their own */
    int is_reversed;      /**< the first pixel of a byte is its lowest bit */
    int subsampling
        [2]; /**< of YCbCr: pixels across and down that share their colour; else 0 */
    int orientation;
    int as_indices;     /**< the colour map is not looked at */
    double per_unit[2]; /**< YResolution, XResolution; 0 = not said */
    int unit;           /**< RESUNIT_* */
} rugi_tiff_page;

/** Whether a page stores logarithms of luminance that libtiff decodes. */
static inline int rugi_tiff_is_log(const rugi_tiff_page *page)
{
    return page->photometric == PHOTOMETRIC_LOGL &&
           page->compression == COMPRESSION_SGILOG;
}

/** How many bytes one byte of a compressed file can stand for; 0 = no bound is known. */
static inline uint64_t rugi_tiff_largest_ratio(int compression)
{
    switch (compression) {
    case COMPRESSION_NONE: return 1;
    case COMPRESSION_PACKBITS: return 64;
    case COMPRESSION_LZW: return 4096;
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE: return RUGI_DEFLATE_MAX;
    default: return 0;
    }
}

/** Whether two pages have the same size, type and orientation. */
static inline int rugi_tiff_same_pixels(const rugi_tiff_page *a, const rugi_tiff_page *b)
{
    return a->width == b->width && a->height == b->height && a->bits == b->bits &&
           a->samples == b->samples && a->format == b->format &&
           a->photometric == b->photometric && a->n_alpha == b->n_alpha &&
           a->is_reduced == b->is_reduced && a->orientation == b->orientation;
}

/** Whether two pages are stored alike. */
static inline int rugi_tiff_same_layout(const rugi_tiff_page *a, const rugi_tiff_page *b)
{
    return a->compression == b->compression && a->block[0] == b->block[0] &&
           a->block[1] == b->block[1] && a->is_planar == b->is_planar &&
           a->is_reversed == b->is_reversed &&
           memcmp(a->subsampling, b->subsampling, sizeof a->subsampling) == 0;
}

/** Whether rows can be read before others that stand above them, without those being decoded again and
 * again. */
static inline int rugi_tiff_goes_back(const rugi_tiff_page *page)
{
    int by_rows =
        page->compression == COMPRESSION_NONE && page->photometric != PHOTOMETRIC_YCBCR;
    return by_rows || page->block[0] < page->height;
}

/** The main chain. */
typedef struct rugi_tiff_facts {
    rugi_tiff_page *directories;
    size_t n_directories;
    size_t *pages; /**< which of them are neither reduced nor masks; never empty */
    size_t n_pages;
    size_t *series; /**< the pages of the largest set of one size and type, ascending */
    size_t n_series;
    char *description; /**< ImageDescription of the first directory; "" when there is none
                        */
    struct rugi_tiff_kept *kept; /**< who else has all this; NULL: nobody */
} rugi_tiff_facts;

/** The resolution levels of one page. */
typedef struct rugi_tiff_levels {
    rugi_tiff_page *levels; /**< level 0 = the page itself */
    size_t n_levels;
    int is_located; /**< GeoTIFF says where the page lies */
    /** From column, row, 0, 1 of the centres of the pixels of the asked level to x, y, z. */
    double affine[3][4];
    /** Of level 0 by GeoTIFF, rows first, in the unit of the place; 0 = not known. */
    double spacing[2];
    char unit[RUGI_UNIT_MAX]; /**< "" = not known */
} rugi_tiff_levels;

/** Notes the directory that libtiff stands at, all but its place. */
void rugi_tiff_read_page(TIFF *tiff, rugi_tiff_page *page);

/** Walks the main chain. libtiff must be loaded. Slices of an ImageJ stack that has one directory for
 *  all are pages, too.
 *  @param out   zeroed on failure; to be freed with rugi_tiff_facts_free()
 *  @param text  what the description says
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_FORMAT, RUG_E_UNSUPPORTED */
rug_status rugi_tiff_read_facts(rug_context *ctx, const rug_file *file,
                                rugi_tiff_facts *out, rugi_tiff_text *text);
void rugi_tiff_facts_free(rug_context *ctx, rugi_tiff_facts *facts);

/** Reads what a page, at which libtiff stands, says of its place and of the value that stands for no
 *  data. Both go to the file, and where the level lies that is asked to the levels.
 *  @param levels  all are known */
rug_status rugi_tiff_read_place(rug_context *ctx, rug_file *file, TIFF *tiff,
                                rugi_tiff_levels *levels);

/** Finds the levels of a page: its reduced sub-directories, then the reduced directories
 *  that follow it in the main chain. The file gets what the page says of its place and of the
 *  value that stands for no data; its facts say which level is asked.
 *  @param page  from 0, < n_pages
 *  @param out   zeroed on failure; levels is to be released with rug_context_release() */
rug_status rugi_tiff_read_levels(rug_context *ctx, rug_file *file,
                                 const rugi_tiff_facts *facts, size_t page,
                                 rugi_tiff_levels *out);

#endif
