/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Quantising the coefficients of a block so that distortion and rate together are small. */

#ifndef RUGI_IFS_QUANTISE_H
#define RUGI_IFS_QUANTISE_H

#include "ifs_forward.h"
#include "ifs_prices.h"

/** Where coefficients lie. */
typedef struct rugi_ifs_scan {
    const uint16_t *zigzag[RUGI_IFS_LEVELS]; /* row by row */
    uint16_t bordered[RUGI_IFS_LEVELS]
                     [RUGI_IFS_PIXELS]; /* in rows of RUGI_IFS_BORDERED */
} rugi_ifs_scan;

/** Pixels a row of magnitudes: a block, and two of 0 behind each row. */
#define RUGI_IFS_BORDERED (RUGI_IFS_BLOCK + 2)

void rugi_ifs_scan_make(rugi_ifs_scan *scan);

/** One quantiser. */
typedef struct rugi_ifs_quantiser {
    float delta;
    double lambda; /* of a price unit: distortion that is worth 2^-16 bits */
    const rugi_ifs_scan *scan;
    uint8_t *magnitudes; /* [RUGI_IFS_BORDERED²], all 0 before and after, up to 255 */
    uint16_t *set;       /* [RUGI_IFS_PIXELS] scratch */
} rugi_ifs_quantiser;

/** Chooses n_coefs and coefs of a leaf whose coefs hold room for side² values; other fields
 *  stay.
 *  @param coded  of the blocks to the left and above, those with coefficients
 *  @param x  [side²] what is to be coded, in zigzag order; x[0] is not looked at
 *  @param n  behind the last value that does not surely become 0
 *  @return the squared error that remains of x[1 ..] */
double rugi_ifs_quantise(const rugi_ifs_quantiser *q, rugi_ifs_leaf *leaf,
                         const rugi_ifs_prices *prices, unsigned coded, const float *x,
                         size_t n);

#endif
