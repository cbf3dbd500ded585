/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One region, cut out of the image by its runs alone, so that what it costs follows its
 * size and not the image's. */

#ifndef RUGI_GLCM_REGION_H
#define RUGI_GLCM_REGION_H

#include "glcm/plan/glcm_values.h"

/** What is known of the values of a region after a scan. Integers are kept as they
 *  are, those of 64 bits without a sign less 2^63. */
typedef struct rugi_glcm_values {
    uint64_t n;          /**< finite values */
    uint64_t n_nan;      /**< others */
    uint64_t n_clamped;  /**< outside of a range that is given, or below its origin */
    uint64_t n_outside;  /**< left out by re-segmentation */
    uint64_t n_parts;    /**< floats that are no whole numbers */
    int64_t least, most; /**< of integers */
    double lo, hi;       /**< of floats, and in the end of integers too */
    double part;         /**< one that is no whole number */
} rugi_glcm_values;

/** How values of a region become levels. */
typedef struct rugi_glcm_binning {
    rug_glcm_levels levels;
    int is_float;
    int is_shifted;      /**< integers that are less 2^63 */
    int64_t table_first; /**< the value of the table's first entry */
    size_t n_table;      /**< entries; 0: no table */
    uint16_t *table;     /**< levels less the base by value; borrowed */
    double lo, hi, n_or_width;
    int64_t base;             /**< the least level, integers as above or a bin */
    rugi_glcm_i128 true_base; /**< the least level as features see it */
    uint32_t span;
    double largest; /**< the largest level, Ng of WIDTH */
    double bin_origin, bin_width;
} rugi_glcm_binning;

/** Chooses the bins.
 *  @param label  of the region, for the error text
 *  @param table  [RUG_GLCM_MAX_SPAN], lent to the binning: a table of levels by value,
 *                made where it saves time; NULL: none
 *  @return RUG_OK, RUG_E_ARG (more than RUG_GLCM_MAX_SPAN levels) */
rug_status rugi_glcm_binning_new(rug_context *ctx, rugi_glcm_binning *out,
                                 const rugi_glcm_plan *plan,
                                 const rugi_glcm_values *values, uint64_t label,
                                 uint16_t *table);

/** The bin of a value, numbered from 1 on. A double, as bins of a width may be far away. */
double rugi_glcm_bin_of(const rugi_glcm_binning *binning, double v);

/** Levels of loaded pixels less the base; those that are not inside give some number. */
void rugi_glcm_bin(uint16_t *out, const rugi_glcm_binning *binning, const void *loaded,
                   size_t n);

/** What cutting needs of memory; one per thread, used for one region after the other. All
 *  0 at first. */
typedef struct rugi_glcm_region {
    uint64_t label;
    size_t first[3]; /**< pixel of the image: of the box of what the mask leaves of it */
    size_t shape[3]; /**< of that box; of the tile where nothing is left */
    rugi_glcm_tile tile;
    rugi_glcm_values values;
    rugi_glcm_binning binning;
    uint32_t n_levels;                   /**< distinct levels of its pixels */
    uint32_t background;                 /**< the rank of level 0; in a frame */
    uint32_t n_most;                     /**< pixels of the most frequent level */
    const struct rugi_glcm_whole *whole; /**< that stands for its pixels, or NULL */
    uint64_t *mask;                      /**< of the tile */
    uint16_t *level;                     /**< of the tile's first pixel */
    uint32_t *histogram;          /**< of levels, [65536]; when sparse, memory only */
    int64_t *pixel_row, *pixel_x; /**< of scattered pixels, instead of a mask */
    uint8_t *is_inside;           /**< [area] of each, whether it is kept */
    rugi_glcm_scratch pixel_row_scratch, pixel_x_scratch;
    rugi_glcm_scratch mask_scratch, rank_scratch, level_scratch, rank_of_scratch,
        level_of_scratch, count_scratch, scanner_scratch;
} rugi_glcm_region;

/** Cuts out the region that is measured i-th.
 *  @return RUG_OK, RUG_E_ARG (its levels span too much), RUG_E_NOMEM, what the source of an
 *          image that is read slab by slab returns */
rug_status rugi_glcm_cut(rug_context *ctx, rugi_glcm_region *r,
                         const rugi_glcm_plan *plan, size_t i);
void rugi_glcm_region_free(rug_context *ctx, rugi_glcm_region *r);

/** Scans all pixels of region i and fills its mask, which is all 0, and its levels:
 *  values, binning and histogram.
 *  @param i  its number by label
 *  @return as of rugi_glcm_cut(), and RUG_E_CANCELLED */
rug_status rugi_glcm_scan(rug_context *ctx, rugi_glcm_region *r,
                          const rugi_glcm_plan *plan, size_t i);

/** Whether sorting the levels of the pixels is faster than a histogram of all that there
 *  can be. */
static inline int rugi_glcm_is_sparse(const rugi_glcm_region *r)
{
    return r->values.n * 16 < r->binning.span;
}

#endif
