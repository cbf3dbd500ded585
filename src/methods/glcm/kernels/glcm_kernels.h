/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The single-thread kernels of co-occurrence on the CPU: `ref` in portable C, the others
 * with the instructions of their level. All give the same lists in the same order and the
 * same sums, also of floats: a sum of doubles has RUGI_GLCM_LANES partial sums, entry k
 * goes to lane k % RUGI_GLCM_LANES, products are rounded before they are added, and lanes
 * are added by rugi_glcm_fold().
 *
 * A matrix is counted in three steps. A kernel makes *lists* of the pairs of rows of a
 * region: a key, |gi - gj| and gi + gj for each, and the pixels that have no partner. It
 * *counts* them, if the matrix is small. And it *finishes*: sums over histograms. */

#ifndef RUGI_GLCM_KERNELS_H
#define RUGI_GLCM_KERNELS_H

#include "core/context/levels.h"
#include <stddef.h>
#include <stdint.h>

/** Slack after the last entry of a list or histogram, in entries: kernels may read and
 *  write whole vectors there. */
#define RUGI_GLCM_SLACK 64

/** Pixels before the first and after the last row of a tile, for the same reason. */
#define RUGI_GLCM_MARGIN 64

#define RUGI_GLCM_LANES 8

/** Gap between the rows of two slices of scattered pixels: more than any offset. */
#define RUGI_GLCM_ROW_GAP 65536

__extension__ typedef unsigned __int128 rugi_glcm_u128;
__extension__ typedef __int128 rugi_glcm_i128;

/** Tables of t(c) = c ln c in whole numbers, made once a call: see glcm_plan.h. */
typedef struct rugi_glcm_logs {
    size_t n;       /**< entries; t(0) and t(1) are 0 */
    uint64_t *t;    /**< [n] */
    uint64_t *step; /**< [n]: t(c + 1) - t(c), what the next of c equal pairs adds */
} rugi_glcm_logs;

/** A region, cut out: row r = z ny + y of its bounding box begins at pixel 64 n_words r
 *  and at word n_words r. */
typedef struct rugi_glcm_tile {
    size_t nz, ny, nx;    /**< of the bounding box */
    size_t n_words;       /**< of a row of the mask */
    const uint64_t *mask; /**< bit x % 64 of word x / 64: the pixel is in the region. Bits
                                from nx on are 0 */
    const uint16_t *rank; /**< of the pixel's level among those that occur */
    const uint16_t *level; /**< the level, less the least one. May be `rank` */
    /** Of a region whose pixels are scattered, instead of a mask: its pixels in the order of z,
     *  y, x. Then ranks and levels are of these pixels. Kernels never see it. */
    size_t n_pixels;
    const int64_t *pixel_row; /**< z (ny + RUGI_GLCM_ROW_GAP) + y; NULL: it has a mask */
    const int64_t *pixel_x;
    uint32_t n_ranks;
    uint32_t span;            /**< levels from the least to the largest, at most 65536 */
    const uint16_t *level_of; /**< [n_ranks + SLACK] from rank to level */
    const uint32_t *count;    /**< [n_ranks + SLACK] pixels of each rank */
    uint64_t area;            /**< pixels of the region */
} rugi_glcm_tile;

/** What the key of a pair is: a and b the ranks of a pixel and of the one at the offset,
 *  lo and hi the smaller and the larger of them, G the number of ranks. */
typedef enum rugi_glcm_keys {
    RUGI_GLCM_TRIANGLE, /**< hi (hi + 1) / 2 + lo */
    RUGI_GLCM_SQUARE,   /**< a G + b */
    RUGI_GLCM_SORTED,   /**< hi 65536 + lo */
    RUGI_GLCM_ORDERED,  /**< a 65536 + b */
} rugi_glcm_keys;

/** Which pairs are listed: pixels of rows first_row..end_row - 1 with those at the
 *  offset. */
typedef struct rugi_glcm_wanted {
    int offset[3]; /**< z y x; each less than the tile is wide along this axis */
    size_t first_row, end_row;
    rugi_glcm_keys keys;
    int with_levels;  /**< nonzero: also differences and sums */
    int with_borders; /**< nonzero: also pixels without a partner */
} rugi_glcm_wanted;

/** Lists; kernels append to them. The caller provides space for one pair and two
 *  pixels without a partner per pixel of these rows. */
typedef struct rugi_glcm_lists {
    size_t n_pairs, n_no_next, n_no_last;
    uint32_t *key;
    uint16_t *difference; /**< |level - level| */
    uint16_t *sum;        /**< level + level; tiles of a span up to 32768 only */
    uint16_t *no_next;    /**< ranks of pixels without one at +offset */
    uint16_t *no_last;    /**< ranks of pixels without one at -offset */
} rugi_glcm_lists;

typedef void (*rugi_glcm_list_fn)(rugi_glcm_lists *out, const rugi_glcm_tile *tile,
                                  const rugi_glcm_wanted *wanted);

/** What a kernel counts in. Counters are tagged with the number of the matrix, so that
 *  they need not be cleared: one whose tag is below `tag` is 0. */
typedef struct rugi_glcm_counters {
    void *counter; /**< uint16_t (8 bits of tag, 8 of count) or uint32_t (16, 16) */
    uint32_t tag;  /**< in its place, the count's bits 0 */
    uint16_t *difference; /**< [span + SLACK] histogram, 0 */
    uint16_t *sum;        /**< [2 span + SLACK] histogram, 0 */
    const uint64_t *step; /**< rugi_glcm_logs.step */
    uint64_t squares;     /**< added to: sum of c^2 of keys that occur c times */
    uint64_t diagonal;    /**< the same of pairs with a difference of 0 */
    uint64_t t;           /**< sum of t(c) */
} rugi_glcm_counters;

/** Counts all listed pairs, fewer than 65536. */
typedef void (*rugi_glcm_count_fn)(rugi_glcm_counters *counters,
                                   const rugi_glcm_lists *lists);

/** Sums over a histogram. */
typedef struct rugi_glcm_moments {
    uint64_t t;       /**< of t(count) */
    uint64_t first;   /**< of k count */
    uint64_t second;  /**< of k^2 count */
    double closeness; /**< of count weight[k] */
} rugi_glcm_moments;

/** Of |gi - gj|, all that there is. Counts are below 65536, and below that in sum.
 *  @param n       entries; behind them are RUGI_GLCM_SLACK zeros
 *  @param weight  [n + SLACK] */
typedef void (*rugi_glcm_differences_fn)(rugi_glcm_moments *out, const uint16_t *counts,
                                         size_t n, const double *weight,
                                         const rugi_glcm_logs *logs);

/** Of gi + gj: the sum of t alone. */
typedef uint64_t (*rugi_glcm_sums_fn)(const uint16_t *counts, size_t n,
                                      const rugi_glcm_logs *logs);

/** Of a marginal: all but the closeness. k is level_of[rank].
 *  @param counts  [n + SLACK] by rank, below 131072 in sum */
typedef void (*rugi_glcm_marginal_fn)(rugi_glcm_moments *out, const uint32_t *counts,
                                      const uint16_t *level_of, size_t n,
                                      const rugi_glcm_logs *logs);

/** Keys of rows of bytes, for whole images of few levels. a and b are pixels of the upper
 *  row at x and x + d, c and e those of the lower one, less the base. */
typedef struct rugi_glcm_bytes_kernels {
    /** a 4096 + b 256 + c 16 + e of levels below 16 */
    void (*corners)(uint16_t *key, const uint8_t *top, const uint8_t *bottom, size_t n,
                    size_t d, uint8_t base);
    /** a 1024 + b 32 + e, and c 256 + b, of levels below 32 */
    void (*triples)(uint16_t *key, uint16_t *other, const uint8_t *top,
                    const uint8_t *bottom, size_t n, size_t d, uint8_t base);
    /** from 256 + to; sorted: the larger 256 + the smaller */
    void (*pairs)(uint16_t *key, const uint8_t *from, const uint8_t *to, size_t n,
                  int sorted);
    /** Widens the least and the largest value. */
    void (*extremes8)(uint32_t extremes[2], const uint8_t *pixels, size_t n);
    void (*extremes16)(uint32_t extremes[2], const uint16_t *pixels, size_t n);
} rugi_glcm_bytes_kernels;

/** One set of kernels. */
typedef struct rugi_glcm_kernels {
    const char *name; /**< of the engine in results */
    rugi_glcm_list_fn list;
    rugi_glcm_count_fn count8; /**< counters of 8 bits: no key occurs 255 times or more */
    rugi_glcm_count_fn count16; /**< of 16 bits */
    rugi_glcm_differences_fn differences;
    rugi_glcm_sums_fn sums;
    rugi_glcm_marginal_fn marginal;
    const rugi_glcm_bytes_kernels *bytes;
} rugi_glcm_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_glcm_set_kernels, rugi_glcm_kernels)

static inline double rugi_glcm_fold(const double lane[RUGI_GLCM_LANES])
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

#endif
