/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The coefficients of a leaf through the coder: how many, then from the last to the first
 * whether each is 0, 1 or more, in the context of those after it. */

#include "ifs_model.h"
#include <string.h>

const rugi_ifs_sum_class rugi_ifs_sum_classes[RUGI_IFS_SUM_MAX + 1] = {
    {0, 0, 0}, {1, 1, 0}, {2, 1, 0}, {3, 2, 0}, {3, 2, 0}, {4, 3, 0}, {4, 3, 1},
    {5, 3, 1}, {5, 4, 1}, {5, 4, 1}, {6, 4, 1}, {6, 4, 2}, {6, 5, 2}, {6, 5, 2},
    {6, 5, 2}, {7, 5, 2}, {7, 5, 2}, {7, 5, 2}, {7, 6, 3}, {7, 6, 3}, {7, 6, 3},
    {7, 6, 3}, {7, 6, 3}, {7, 6, 3}, {7, 6, 3}, {7, 6, 3}, {7, 6, 3}, {7, 6, 3},
    {7, 6, 4}, {7, 6, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4},
    {7, 7, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4},
    {7, 7, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4}, {7, 7, 4},
    {7, 7, 4}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5},
    {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5},
    {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5},
    {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5},
    {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5},
    {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5},
    {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5},
    {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5}, {7, 7, 5},
    {7, 7, 5},
};

static unsigned seen(const int32_t *coefs, unsigned side, unsigned y, unsigned x)
{
    if (y >= side || x >= side)
        return 0;
    int32_t q = coefs[y * side + x];
    uint32_t size = q < 0 ? (uint32_t)-q : (uint32_t)q;
    return size < RUGI_IFS_SIZE_SEEN ? size : RUGI_IFS_SIZE_SEEN;
}

/* How large the coefficients of higher frequencies about one are. */
static unsigned sum_around(const int32_t *coefs, unsigned side, unsigned y, unsigned x)
{
    return 2 * (seen(coefs, side, y, x + 1) + seen(coefs, side, y + 1, x)) +
           seen(coefs, side, y + 1, x + 1) + seen(coefs, side, y, x + 2) +
           seen(coefs, side, y + 2, x);
}

static int32_t code_coef(rugi_ifs_coder *coder, rugi_ifs_model *model, unsigned i,
                         unsigned sum, int32_t q)
{
    unsigned band = rugi_ifs_wide_band(i);
    rugi_ifs_sum_class class = rugi_ifs_sum_classes[sum];
    uint32_t size = q < 0 ? (uint32_t)-q : (uint32_t)q;
    if (rugi_ifs_code_bit(coder, &model->is_not_1[band][class.of_1], size > 1))
        size = 2 + rugi_ifs_code_number(coder, model->size[band][class.of_size],
                                        RUGI_IFS_SIZE_UNARY, size - 2);
    else
        size = 1;
    return rugi_ifs_code_raw(coder, 1, q < 0) ? -(int32_t)size : (int32_t)size;
}

static unsigned code_last(rugi_ifs_coder *coder, rugi_ifs_model *model, unsigned level,
                          int has_domain, unsigned n_coefs)
{
    unsigned side = rugi_ifs_side(level), most = side * side - 1;
    n_coefs = 1 + rugi_ifs_code_number(coder, model->last[level][has_domain],
                                       RUGI_IFS_LAST_UNARY, n_coefs - 1);
    if (n_coefs > most) {
        coder->failed = 1;
        n_coefs = most;
    }
    return n_coefs;
}

void rugi_ifs_code_coefs(rugi_ifs_coder *coder, rugi_ifs_model *model,
                         const rugi_ifs_around *around, rugi_ifs_leaf *leaf)
{
    unsigned level = leaf->level, side = rugi_ifs_side(level);
    int has_domain = leaf->zone != RUGI_IFS_FLAT, reads = coder->coding == RUGI_IFS_READ;
    rugi_ifs_bit *has_coefs = &model->has_coefs[level][has_domain][around->coded];
    if (!rugi_ifs_code_bit(coder, has_coefs, leaf->n_coefs > 0)) {
        leaf->n_coefs = 0;
        return;
    }
    leaf->n_coefs = (uint16_t)code_last(coder, model, level, has_domain, leaf->n_coefs);
    if (reads)
        memset(leaf->coefs, 0, sizeof *leaf->coefs * side * side);
    const uint16_t *place = rugi_ifs_zigzag(level);
    for (unsigned i = leaf->n_coefs; i >= 1; i--) {
        int32_t *q = &leaf->coefs[place[i]];
        unsigned sum = sum_around(leaf->coefs, side, place[i] / side, place[i] % side);
        rugi_ifs_bit *is_not_0 =
            &model->is_not_0[level / 2][rugi_ifs_band(i)][rugi_ifs_sum_classes[sum].of_0];
        if (i < leaf->n_coefs && !rugi_ifs_code_bit(coder, is_not_0, *q != 0))
            continue;
        int32_t value = code_coef(coder, model, i, sum, *q);
        if (reads)
            *q = value;
    }
}
