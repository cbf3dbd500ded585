/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Every derived number of a call, computed once: offsets, matrices, bins, tables. */

#ifndef RUGI_GLCM_PLAN_H
#define RUGI_GLCM_PLAN_H

#include "glcm/count/glcm_kernels.h"
#include <rugose/glcm.h>

/** Bins of floats when none are asked for. */
#define RUGI_GLCM_AUTO_LEVELS 64

/** Pairs of a matrix up to which it is counted with 16 bits. */
#define RUGI_GLCM_SMALL 65535

typedef struct rugi_glcm_plan {
    const rug_glcm_options *opts;
    rug_image image;  /**< with z */
    rug_image mask;   /**< with z; data NULL: none */
    rug_image labels; /**< with z; data NULL: none */
    int is_float;     /**< the values of the image */
    int ndim;         /**< of the image as it was given */

    uint32_t n_distances;
    uint32_t n_directions; /**< that are taken */
    uint32_t direction[RUG_GLCM_DIRECTIONS_3D];
    uint32_t n_rows; /**< of each region */

    rug_glcm_levels levels;     /**< EXACT, COUNT or WIDTH */
    rug_glcm_range range;       /**< TYPE, IMAGE, ROI or GIVEN; of bins */
    double range_lo, range_hi;  /**< unless ROI; NaN: the image has no value */
    int is_symmetric, is_frame; /**< as asked for */
    int with_entries;           /**< f14 or the joint maximum */
    int with_mcc;               /**< f14 */
    int with_all;               /**< more than f1 .. f14 */
    double per_nat;             /**< from natural logarithms to the base */

    rugi_glcm_kernels kernels;
    rugi_glcm_logs logs;
    size_t n_weights;
    double *closeness; /**< [n_weights]: 1 / (1 + k^2), and zeros behind the last level */
} rugi_glcm_plan;

/** Whether options go together, whatever the image. */
rug_status rugi_glcm_check(rug_context *ctx, const rug_glcm_options *opts);

/** Whether they go with this image, its mask and its labels. */
rug_status rugi_glcm_check_images(rug_context *ctx, const rug_image *img,
                                  const rug_glcm_options *opts);

/** Makes the plan; checked before. Measures the range of the image if it is asked for.
 *  @param small_area  pixels of the largest region up to RUGI_GLCM_SMALL */
rug_status rugi_glcm_plan_new(rug_context *ctx, rugi_glcm_plan *out, const rug_image *img,
                              const rug_glcm_options *opts, uint64_t small_area);
void rugi_glcm_plan_free(rug_context *ctx, rugi_glcm_plan *plan);

/** The distances, also where none are given. */
static inline uint32_t rugi_glcm_distance(const rugi_glcm_plan *plan, uint32_t i)
{
    return plan->opts->distances != NULL ? plan->opts->distances[i] : 1;
}

/** The offset of the i-th direction that is taken. */
void rugi_glcm_offset(const rugi_glcm_plan *plan, int out[3], uint32_t i,
                      uint32_t distance);

#endif
