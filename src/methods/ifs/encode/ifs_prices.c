/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prices of coefficients from a model. */

#include "ifs_prices.h"

static uint32_t price_of_bit(const rugi_ifs_bit *bit, int value)
{
    rugi_ifs_coder coder;
    rugi_ifs_bit copy = *bit;
    rugi_ifs_price_begin(&coder);
    rugi_ifs_code_bit(&coder, &copy, value);
    return (uint32_t)coder.price;
}

/* Of numbers: unary[i] for i < n_unary, and for number - n_unary + 1 in 2^i .. by its
 * highest bit but the first, group[2 i + bit]. */
static void price_numbers(uint32_t *unary, uint32_t *group, const rugi_ifs_bit *bits,
                          unsigned n_unary)
{
    uint32_t before = 0;
    for (unsigned i = 0; i < n_unary; i++) {
        unary[i] = before + price_of_bit(&bits[i], 0);
        before += price_of_bit(&bits[i], 1);
    }
    bits += n_unary;
    for (unsigned i = 0; i <= RUGI_IFS_GOLOMB_BITS; i++) {
        unsigned length = i < RUGI_IFS_GOLOMB_LENGTHS ? i : RUGI_IFS_GOLOMB_LENGTHS - 1;
        unsigned top = i < RUGI_IFS_GOLOMB_TOPS ? i : RUGI_IFS_GOLOMB_TOPS;
        for (unsigned bit = 0; bit < 2; bit++) {
            group[2 * i + bit] = before + price_of_bit(&bits[length], 0);
            if (i > 0)
                group[2 * i + bit] +=
                    ((i - 1) << RUGI_IFS_PRICE_BITS) +
                    price_of_bit(&bits[RUGI_IFS_GOLOMB_LENGTHS + top - 1], (int)bit);
        }
        before += price_of_bit(&bits[length], 1);
    }
}

/* The place of a number from 1 on in group. */
static unsigned group_of(uint32_t value)
{
    unsigned log2 = 31u - (unsigned)__builtin_clz(value);
    return 2 * log2 + (log2 > 0 && (value >> (log2 - 1) & 1) != 0);
}

static void price_last(uint32_t *last, const rugi_ifs_bit *bits, unsigned level)
{
    uint32_t unary[RUGI_IFS_LAST_UNARY], group[RUGI_IFS_GROUPS];
    uint32_t n = rugi_ifs_side(level) * rugi_ifs_side(level);
    price_numbers(unary, group, bits, RUGI_IFS_LAST_UNARY);
    for (uint32_t i = 1; i < n; i++)
        last[i] = i <= RUGI_IFS_LAST_UNARY ? unary[i - 1]
                                           : group[group_of(i - RUGI_IFS_LAST_UNARY)];
}

static void price_decisions(rugi_ifs_prices *p, const rugi_ifs_model *model,
                            unsigned level, int value)
{
    for (unsigned i = 0; i < 6; i++)
        p->has_coefs[i / 3][i % 3][value] =
            price_of_bit(&model->has_coefs[level][i / 3][i % 3], value);
    for (unsigned sum = 0; sum < RUGI_IFS_SUMS; sum++) {
        for (unsigned band = 0; band < RUGI_IFS_BANDS; band++)
            p->is_not_0[band][sum][value] =
                price_of_bit(&model->is_not_0[level / 2][band][sum], value);
        for (unsigned band = 0; band < RUGI_IFS_WIDE_BANDS; band++)
            p->is_not_1[band][sum][value] =
                price_of_bit(&model->is_not_1[band][sum], value) +
                (1u << RUGI_IFS_PRICE_BITS);
    }
}

static void price_sizes(uint32_t *size, uint32_t *group, const rugi_ifs_bit *bits)
{
    uint32_t unary[RUGI_IFS_SIZE_UNARY];
    price_numbers(unary, group, bits, RUGI_IFS_SIZE_UNARY);
    for (uint32_t i = 0; i < RUGI_IFS_PRICED; i++)
        size[i] = i < RUGI_IFS_SIZE_UNARY ? unary[i]
                                          : group[group_of(i - RUGI_IFS_SIZE_UNARY + 1)];
}

void rugi_ifs_prices_make(rugi_ifs_prices *p, const rugi_ifs_model *model, unsigned level)
{
    for (int i = 0; i < 2; i++) {
        price_last(p->last[i], model->last[level][i], level);
        price_decisions(p, model, level, i);
    }
    for (int band = 0; band < RUGI_IFS_WIDE_BANDS; band++)
        for (int sum = 0; sum < RUGI_IFS_WIDE_SUMS; sum++)
            price_sizes(p->size[band][sum], p->group[band][sum], model->size[band][sum]);
}
