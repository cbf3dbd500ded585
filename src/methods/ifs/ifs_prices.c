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

/* Of numbers: unary[i] for i < n_unary, group[i] for number - n_unary + 1 in 2^i .. */
static void price_numbers(uint32_t *unary, uint32_t *group, const rugi_ifs_bit *bits,
                          unsigned n_unary)
{
    uint32_t before = 0;
    for (unsigned i = 0; i < n_unary; i++) {
        unary[i] = before + price_of_bit(&bits[i], 0);
        before += price_of_bit(&bits[i], 1);
    }
    for (unsigned i = 0; i <= RUGI_IFS_GOLOMB_BITS; i++) {
        const rugi_ifs_bit *bit =
            &bits[n_unary + (i < RUGI_IFS_GOLOMB ? i : RUGI_IFS_GOLOMB - 1)];
        group[i] = before + (i << RUGI_IFS_PRICE_BITS) + price_of_bit(bit, 0);
        before += price_of_bit(bit, 1);
    }
}

static unsigned log2_of(uint32_t value)
{
    return 31u - (unsigned)__builtin_clz(value);
}

static void price_last(rugi_ifs_prices *p, const rugi_ifs_bit *bits, unsigned level)
{
    uint32_t unary[RUGI_IFS_LAST_UNARY], group[RUGI_IFS_GOLOMB_BITS + 1];
    uint32_t n = rugi_ifs_side(level) * rugi_ifs_side(level);
    price_numbers(unary, group, bits, RUGI_IFS_LAST_UNARY);
    for (uint32_t i = 1; i < n; i++)
        p->last[i] = i <= RUGI_IFS_LAST_UNARY ? unary[i - 1]
                                              : group[log2_of(i - RUGI_IFS_LAST_UNARY)];
}

void rugi_ifs_prices_make(rugi_ifs_prices *p, const rugi_ifs_model *model, unsigned level)
{
    uint32_t unary[RUGI_IFS_SIZE_UNARY];
    price_last(p, model->last[level], level);
    for (int value = 0; value < 2; value++) {
        for (unsigned i = 0; i < 6; i++)
            p->has_coefs[i / 3][i % 3][value] =
                price_of_bit(&model->has_coefs[level][i / 3][i % 3], value);
        for (unsigned sum = 0; sum < RUGI_IFS_SUMS; sum++) {
            for (unsigned band = 0; band < RUGI_IFS_BANDS; band++)
                p->is_not_0[band][sum][value] = price_of_bit(
                    &model->is_not_0[rugi_ifs_kind(level)][band][sum], value);
            p->is_not_1[sum][value] =
                price_of_bit(&model->is_not_1[sum], value) + (1u << RUGI_IFS_PRICE_BITS);
        }
    }
    for (int c = 0; c < 2; c++) {
        price_numbers(unary, p->group[c], model->size[c], RUGI_IFS_SIZE_UNARY);
        for (uint32_t i = 0; i < RUGI_IFS_PRICED; i++)
            p->size[c][i] = i < RUGI_IFS_SIZE_UNARY
                                ? unary[i]
                                : p->group[c][log2_of(i - RUGI_IFS_SIZE_UNARY + 1)];
    }
}
