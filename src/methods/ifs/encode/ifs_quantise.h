/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The coefficients of a block: what they cost in the present state of a model, in
 * tables, so that trying a value costs a look-up; and quantising them so that
 * distortion and rate together are small. */

#ifndef RUGI_IFS_QUANTISE_H
#define RUGI_IFS_QUANTISE_H

#include "ifs/stream/ifs_model.h"
#include "ifs_forward.h"

/** Magnitudes up to here have a price of their own; above, powers of two have. */
#define RUGI_IFS_PRICED 32

/** Of numbers in exponential Golomb: by their length and highest bit. */
#define RUGI_IFS_GROUPS (2 * RUGI_IFS_GOLOMB_BITS + 2)

/** Prices of numbers: unary[i] for i < n_unary, and for number - n_unary + 1 in 2^i .. by its
 *  highest bit but the first, group[2 i + bit].
 *  @param unary  [n_unary]
 *  @param group  [RUGI_IFS_GROUPS] */
void rugi_ifs_price_numbers(uint32_t *unary, uint32_t *group, const rugi_ifs_bit *bits,
                            unsigned n_unary);
/** The place of a number from 1 on in group. */
unsigned rugi_ifs_group_of(uint32_t value);

/** Of one level. In units of 2^-16 bits. */
typedef struct rugi_ifs_prices {
    uint32_t has_coefs[2][3][2]; /* without or with a domain; how many neighbours have */
    uint32_t last[2][RUGI_IFS_BLOCK * RUGI_IFS_BLOCK]; /* of n_coefs, from 1 on */
    uint32_t is_not_0[RUGI_IFS_BANDS][RUGI_IFS_SUMS][2];
    uint32_t is_not_1[RUGI_IFS_WIDE_BANDS][RUGI_IFS_SUMS][2]; /* and the sign */
    uint32_t size[RUGI_IFS_WIDE_BANDS][RUGI_IFS_WIDE_SUMS][RUGI_IFS_PRICED];
    /* magnitude - 2, and above, magnitude - 1 - unary by its group */
    uint32_t group[RUGI_IFS_WIDE_BANDS][RUGI_IFS_WIDE_SUMS][RUGI_IFS_GROUPS];
} rugi_ifs_prices;

void rugi_ifs_prices_make(rugi_ifs_prices *prices, const rugi_ifs_model *model,
                          unsigned level);

/** Of a magnitude from 1 on and its sign, when it is known not to be 0.
 *  @param i    the coefficient's place in the zigzag
 *  @param sum  of magnitudes around it */
static inline uint32_t rugi_ifs_price_size(const rugi_ifs_prices *p, unsigned i,
                                           unsigned sum, uint32_t size)
{
    unsigned band = rugi_ifs_wide_band(i);
    rugi_ifs_sum_class class = rugi_ifs_sum_classes[sum];
    uint32_t price = p->is_not_1[band][class.of_1][size > 1];
    if (size < 2)
        return price;
    if (size - 2 < RUGI_IFS_PRICED)
        return price + p->size[band][class.of_size][size - 2];
    uint32_t rest = size - 1 - RUGI_IFS_SIZE_UNARY;
    unsigned log2 = 31u - (unsigned)__builtin_clz(rest);
    return price + p->group[band][class.of_size][2 * log2 + (rest >> (log2 - 1) & 1)];
}

/** Pixels a row of magnitudes: a block, and two of 0 behind each row. */
#define RUGI_IFS_BORDERED (RUGI_IFS_BLOCK + 2)

/** Where coefficients lie. */
typedef struct rugi_ifs_scan {
    const uint16_t *zigzag[RUGI_IFS_LEVELS]; /* row by row */
    uint16_t bordered[RUGI_IFS_LEVELS]
                     [RUGI_IFS_PIXELS]; /* in rows of RUGI_IFS_BORDERED */
} rugi_ifs_scan;

/** Tables that all planes share. */
typedef struct rugi_ifs_tables {
    rugi_ifs_cosines cosines;
    rugi_ifs_scan scan;
    /** place[level][g][i]: where pixel i of the block that isometry g makes lies in the
     *  block */
    uint16_t place[RUGI_IFS_LEVELS][RUGI_IFS_ISOMETRIES][RUGI_IFS_PIXELS];
    rugi_ifs_forward_kernels kernels;
} rugi_ifs_tables;

/** Fills tables; the CPU level is the context's. */
void rugi_ifs_tables_make(rug_context *ctx, rugi_ifs_tables *tables);

/** One quantiser. */
typedef struct rugi_ifs_quantiser {
    float delta;
    double lambda; /* of a price unit: distortion that is worth 2^-16 bits */
    const rugi_ifs_scan *scan;
    uint8_t *magnitudes; /* [RUGI_IFS_BORDERED²], all 0 before and after, up to 255 */
    uint16_t *set;       /* [RUGI_IFS_PIXELS] scratch */
} rugi_ifs_quantiser;

/** Chooses n_coefs and coefs of a leaf whose coefs have space for side² values; other fields
 *  stay.
 *  @param coded  of the blocks to the left and above, those with coefficients
 *  @param x  [side²] what is to be coded, in zigzag order; x[0] is ignored
 *  @param n  behind the last value that does not surely become 0
 *  @return the squared error that remains of x[1 ..] */
double rugi_ifs_quantise(const rugi_ifs_quantiser *q, rugi_ifs_leaf *leaf,
                         const rugi_ifs_prices *prices, unsigned coded, const float *x,
                         size_t n);

#endif
