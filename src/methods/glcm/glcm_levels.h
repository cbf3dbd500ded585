/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Grey levels: from values to bins, as the options want them, for one region. */

#ifndef RUGI_GLCM_LEVELS_H
#define RUGI_GLCM_LEVELS_H

#include "glcm_plan.h"

/** What is known of the values of a region after one look at each. Integers are kept as they
 *  are, those of 64 bits without a sign less 2^63. */
typedef struct rugi_glcm_values {
    int is_float;
    uint64_t n;         /**< finite values */
    uint64_t n_nan;     /**< others */
    uint64_t n_clamped; /**< outside of a range that is given */
    int64_t least, most;
    double lo, hi;
} rugi_glcm_values;

/** How values of a region become levels. */
typedef struct rugi_glcm_binning {
    rug_glcm_levels levels;
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

/** n contiguous cells as integers (exact levels) or doubles (bins), 8 bytes each. */
void rugi_glcm_load(void *out, const void *cells, size_t n, rug_dtype dtype, int exact);

/** Looks at the loaded cells whose bytes in `inside` are set; clears those of cells that are
 *  not finite. */
void rugi_glcm_look(rugi_glcm_values *values, const rugi_glcm_plan *plan,
                    const void *loaded, uint8_t *inside, size_t n);

/** Chooses the bins.
 *  @param label  of the region, for the error text
 *  @return RUG_OK, RUG_E_ARG (more than RUG_GLCM_MAX_SPAN levels) */
rug_status rugi_glcm_binning_new(rug_context *ctx, rugi_glcm_binning *out,
                                 const rugi_glcm_plan *plan,
                                 const rugi_glcm_values *values, uint64_t label);

/** Levels of loaded cells less the base; those that are not inside give some number. */
void rugi_glcm_bin(uint16_t *out, const rugi_glcm_binning *binning, const void *loaded,
                   size_t n);

#endif
