/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The coefficients of a patch: what they cost in the present state of a model, in tables, and
 * quantising them so that distortion and rate together are small. */

#ifndef RUGI_IFS_PATCH_QUANTISE_H
#define RUGI_IFS_PATCH_QUANTISE_H

#include "ifs/encode/ifs_quantise.h"
#include "ifs/patches/ifs_patch_model.h"

/** What coefficients cost, in squared steps. */
typedef struct rugi_ifs_size_prices {
    float is_not_1[RUGI_IFS_PATCH_WIDE_BANDS][RUGI_IFS_SUMS][2]; /* and the sign */
    float size[RUGI_IFS_PATCH_WIDE_BANDS][RUGI_IFS_WIDE_SUMS][RUGI_IFS_PRICED];
    float group[RUGI_IFS_PATCH_WIDE_BANDS][RUGI_IFS_WIDE_SUMS][RUGI_IFS_GROUPS];
} rugi_ifs_size_prices;

/** Of one level. */
typedef struct rugi_ifs_patch_prices {
    uint32_t has_coefs[2][3][2][2];     /* in units of 2^-16 bits */
    float last[2][RUGI_IFS_PIXELS + 1]; /* of n_coefs, from 1 on */
    float is_not_0[RUGI_IFS_QUANTISERS][RUGI_IFS_PATCH_BANDS][RUGI_IFS_SUMS][2];
    const rugi_ifs_size_prices *sizes; /* of all levels */
} rugi_ifs_patch_prices;

/** @param lambda  of a price unit: squared steps that are worth 2^-16 bits */
void rugi_ifs_patch_prices_make(rugi_ifs_patch_prices prices[RUGI_IFS_LEVELS],
                                rugi_ifs_size_prices *sizes,
                                const rugi_ifs_patch_model *model, float lambda);

/** The coefficients that are the context of one. */
#define RUGI_IFS_BEYOND 5

/** Where coefficients lie. */
typedef struct rugi_ifs_patch_scan {
    const uint16_t *zigzag[RUGI_IFS_LEVELS]; /* row by row */
    /** Those beyond coefficient i by their places in the zigzag: to the right, below, diagonally
     *  below, two to the right, two below; RUGI_IFS_PIXELS: none. */
    uint16_t beyond[RUGI_IFS_LEVELS][RUGI_IFS_PIXELS][RUGI_IFS_BEYOND];
    uint16_t reach[RUGI_IFS_LEVELS]
                  [RUGI_IFS_PIXELS]; /* how many behind i are beyond i or one before it */
    /** The two ways to each state: the state before and the parity of the magnitude. */
    uint8_t sources[RUGI_IFS_STATES][2][2];
} rugi_ifs_patch_scan;

void rugi_ifs_patch_scan_make(rugi_ifs_patch_scan *scan);

/** A way to choose the coefficients from the last one to the present one. */
typedef struct rugi_ifs_patch_path {
    float cost;
    uint8_t magnitudes[RUGI_IFS_PIXELS + 32]; /* in zigzag order; behind them 0 */
} rugi_ifs_patch_path;

/** What a path did at a coefficient. */
typedef struct rugi_ifs_patch_step {
    uint32_t magnitude;
    uint8_t before; /* the state it came from; RUGI_IFS_STATES: it began here */
} rugi_ifs_patch_step;

/** One quantiser. Distortions are in squared steps. */
typedef struct rugi_ifs_patch_quantiser {
    float lambda; /* of a price unit */
    const rugi_ifs_patch_scan *scan;
    rugi_ifs_patch_path (*paths)[RUGI_IFS_STATES]; /* [2], zeroed once */
    rugi_ifs_patch_step (*steps)[RUGI_IFS_STATES]; /* [RUGI_IFS_PIXELS] scratch */
} rugi_ifs_patch_quantiser;

/** Chooses n_coefs and coefs of a patch whose coefs have space for side² values.
 *  @param has_coefs  prices of whether it has some
 *  @param x  [side²] what is to be coded, in steps, in zigzag order
 *  @param price  is set: of the coefficients
 *  @return the squared error that remains, in squared steps */
float rugi_ifs_patch_quantise(const rugi_ifs_patch_quantiser *q, rugi_ifs_patch *patch,
                              const rugi_ifs_patch_prices *prices,
                              const uint32_t has_coefs[2], const float *x, float *price);

#endif
