/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels as numbers of 64 bits, whatever their dtype: integers as they are, those of 64 bits
 * without a sign less 2^63; others as doubles. */

#ifndef RUGI_GLCM_VALUES_H
#define RUGI_GLCM_VALUES_H

#include "glcm_plan.h"

/** An integer as it is, which is less 2^63 if it is shifted. */
static inline double rugi_glcm_to_double(int64_t v, int is_shifted)
{
    return is_shifted ? (double)((uint64_t)v ^ (uint64_t)1 << 63) : (double)v;
}

/** n contiguous pixels as integers or as doubles, 8 bytes each.
 *  @param dtype  of rugi_segment_dtype() */
void rugi_glcm_load(void *out, const void *pixels, size_t n, rug_dtype dtype,
                    int as_integers);

/** Pixel i of those that were loaded, of the plan's image. */
static inline double rugi_glcm_value(const rugi_glcm_plan *plan, const void *loaded,
                                     size_t i)
{
    return plan->is_float ? ((const double *)loaded)[i]
                          : rugi_glcm_to_double(((const int64_t *)loaded)[i],
                                                plan->image.dtype == RUG_U64);
}

/** Clears the bytes of pixels that re-segmentation leaves out. Those that are not finite
 *  stay. @return how many */
uint64_t rugi_glcm_leave_out(uint8_t *inside, const rugi_glcm_plan *plan,
                             const void *loaded, size_t n);

#endif
