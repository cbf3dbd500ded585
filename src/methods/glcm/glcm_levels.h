/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Grey levels: from values to bins, as the options want them, for one region. */

#ifndef RUGI_GLCM_LEVELS_H
#define RUGI_GLCM_LEVELS_H

#include "glcm_plan.h"

/** What is known of the values of a region after one look at each. Integers are kept as they
 *  are, those of 64 bits without a sign less 2^63. */
typedef struct rugi_glcm_values {
    uint64_t n;          /**< finite values */
    uint64_t n_nan;      /**< others */
    uint64_t n_clamped;  /**< outside of a range that is given */
    int64_t least, most; /**< of integers */
    double lo, hi;       /**< of floats, and in the end of integers too */
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

/** Whether levels are the grey values of integers. */
static inline int rugi_glcm_is_exact(const rugi_glcm_plan *plan)
{
    return plan->levels == RUG_GLCM_LEVELS_EXACT;
}

/** n contiguous pixels as integers or as doubles, 8 bytes each. */
void rugi_glcm_load(void *out, const void *pixels, size_t n, rug_dtype dtype,
                    int as_integers);

/** Looks at the loaded pixels whose bytes in `inside` are set; clears those of pixels that are
 *  not finite. */
void rugi_glcm_look(rugi_glcm_values *values, const rugi_glcm_plan *plan,
                    const void *loaded, uint8_t *inside, size_t n);

/** Ends looking: the range of integers as doubles. */
void rugi_glcm_looked(rugi_glcm_values *values, const rugi_glcm_plan *plan);

/** Chooses the bins.
 *  @param label  of the region, for the error text
 *  @return RUG_OK, RUG_E_ARG (more than RUG_GLCM_MAX_SPAN levels) */
rug_status rugi_glcm_binning_new(rug_context *ctx, rugi_glcm_binning *out,
                                 const rugi_glcm_plan *plan,
                                 const rugi_glcm_values *values, uint64_t label);

/** Makes a table of levels by value, where it saves time.
 *  @param table  lent to the binning */
void rugi_glcm_binning_table(rugi_glcm_binning *binning, const rugi_glcm_values *values,
                             uint16_t table[RUG_GLCM_MAX_SPAN]);

/** Levels of loaded pixels less the base; those that are not inside give some number. */
void rugi_glcm_bin(uint16_t *out, const rugi_glcm_binning *binning, const void *loaded,
                   size_t n);

#endif
