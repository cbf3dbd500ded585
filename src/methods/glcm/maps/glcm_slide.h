/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A window that slides along a row of an image. The pairs of one column enter, those of
 * another leave, and all sums that features need are updated in integers, so that nothing
 * is left of pairs that have come and gone. */

#ifndef RUGI_GLCM_SLIDE_H
#define RUGI_GLCM_SLIDE_H

#include "core/context/threads.h"
#include "glcm/region/glcm_region.h"

/** Weights of differences, 1 / (1 + k^2), in units of 2^-RUGI_GLCM_WEIGHT_BITS: so fine
 *  that the smallest, 2^-32, is known to 64 bits. */
#define RUGI_GLCM_WEIGHT_BITS 96

/** What is known of the pairs in a window in one direction; as rugi_glcm_sums, whose
 *  matrix is symmetric. Of 255 x 255 pixels all t fit 64 bits. */
typedef struct rugi_glcm_pile {
    uint64_t pairs;
    uint64_t equal;           /**< pairs of equal levels; with counts only */
    uint64_t d1, d2;          /**< of |gi - gj| */
    uint64_t x1, x2;          /**< of the levels of both pixels of each pair */
    rugi_glcm_u128 closeness; /**< of 1 / (1 + (gi - gj)^2), in units as above */
    uint64_t squares; /**< of counts of unordered pairs; those of equal levels twice */
    uint64_t t, t_x, t_difference, t_sum;
} rugi_glcm_pile;

/** Pairs of a direction: a pixel and that dy rows below it, dx columns to the right. */
typedef struct rugi_glcm_step {
    size_t dy, dx;
    int is_left; /**< dx columns to the left */
} rugi_glcm_step;

/** What all windows share. */
typedef struct rugi_glcm_windows {
    const rugi_glcm_plan *plan;
    const rugi_glcm_tile *tile; /**< the image */
    rugi_glcm_i128 base;        /**< its least level */
    size_t radius[2];           /**< the window has 2 radius + 1 rows and columns */
    rugi_glcm_step step[RUG_GLCM_DIRECTIONS_2D];
    uint32_t n_steps;
    rug_glcm_feature feature[RUG_GLCM_N_FEATURES];
    uint32_t n_features;
    uint32_t wanted;              /**< bit f: feature f is one of them */
    int with_counts;              /**< a feature needs more than moments */
    int with_mask;                /**< some pixels are in no pair */
    const rugi_glcm_u128 *weight; /**< [span] */
} rugi_glcm_windows;

/** What a thread slides with. Counters are 0 between rows. */
typedef struct rugi_glcm_slide {
    RUGI_OWN_LINES uint16_t *matrix; /**< [n_ranks (n_ranks + 1) / 2] */
    uint16_t *difference;            /**< [span] */
    uint16_t *sum;                   /**< [2 span] */
    uint32_t *marginal;              /**< [n_ranks] */
    uint8_t *n_means;                /**< [nx]: directions that have pairs */
    rugi_glcm_pile now;
} rugi_glcm_slide;

/** Makes row y of all maps.
 *  @param row  [n_features], each of nx values */
void rugi_glcm_slide_row(rugi_glcm_slide *s, const rugi_glcm_windows *w, size_t y,
                         double *const row[]);

#endif
