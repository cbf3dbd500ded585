/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What coefficients cost in the present state of a model, in tables, so that trying a value
 * costs a look-up. */

#ifndef RUGI_IFS_PRICES_H
#define RUGI_IFS_PRICES_H

#include "ifs/stream/ifs_model.h"

/** Magnitudes up to here have a price of their own; above, powers of two have. */
#define RUGI_IFS_PRICED 32

/** Of numbers in exponential Golomb: by their length and highest bit. */
#define RUGI_IFS_GROUPS (2 * RUGI_IFS_GOLOMB_BITS + 2)

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

#endif
