/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From sums over a matrix to its features. */

#ifndef RUGI_GLCM_FEATURES_H
#define RUGI_GLCM_FEATURES_H

#include "glcm/count/glcm_count.h"

/** Whether the variance of one of the levels is 0, so that f3, f12 and f14 are undefined. */
int rugi_glcm_is_flat(const rugi_glcm_sums *s);

/** All features that are asked for; the others, and all of a matrix without pairs, NaN.
 *  @param base  the least level, which the sums leave out */
void rugi_glcm_features(double out[RUG_GLCM_N_FEATURES], const rugi_glcm_sums *s,
                        const rugi_glcm_plan *plan, rugi_glcm_i128 base);

#endif
