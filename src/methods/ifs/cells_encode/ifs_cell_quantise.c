/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prices of coefficients, and quantising them by rate and distortion. */

#include "ifs_cell_quantise.h"
#include <math.h>

/* ---- Prices ---- */

static void price_last(uint32_t *last, const rugi_ifs_bit *bits, unsigned level)
{
    uint32_t unary[RUGI_IFS_LAST_UNARY], group[RUGI_IFS_GROUPS];
    uint32_t n = rugi_ifs_side(level) * rugi_ifs_side(level);
    rugi_ifs_price_numbers(unary, group, bits, RUGI_IFS_LAST_UNARY);
    for (uint32_t i = 1; i <= n; i++)
        last[i] = i <= RUGI_IFS_LAST_UNARY
                      ? unary[i - 1]
                      : group[rugi_ifs_group_of(i - RUGI_IFS_LAST_UNARY)];
}

static void price_decisions(rugi_ifs_cell_prices *p, const rugi_ifs_cell_model *model,
                            unsigned level, int value)
{
    for (unsigned i = 0; i < 12; i++)
        p->has_coefs[i / 6][i / 2 % 3][i % 2][value] = rugi_ifs_price_of_bit(
            &model->has_coefs[level][i / 6][i / 2 % 3][i % 2], value);
    for (unsigned sum = 0; sum < RUGI_IFS_SUMS; sum++) {
        for (unsigned band = 0; band < RUGI_IFS_CELL_BANDS; band++)
            p->is_not_0[band][sum][value] =
                rugi_ifs_price_of_bit(&model->is_not_0[level / 2][band][sum], value);
        for (unsigned band = 0; band < RUGI_IFS_CELL_WIDE_BANDS; band++)
            p->is_not_1[band][sum][value] =
                rugi_ifs_price_of_bit(&model->is_not_1[band][sum], value) +
                (1u << RUGI_IFS_PRICE_BITS);
    }
}

static void price_sizes(uint32_t *size, uint32_t *group, const rugi_ifs_bit *bits)
{
    uint32_t unary[RUGI_IFS_SIZE_UNARY];
    rugi_ifs_price_numbers(unary, group, bits, RUGI_IFS_SIZE_UNARY);
    for (uint32_t i = 0; i < RUGI_IFS_PRICED; i++)
        size[i] = i < RUGI_IFS_SIZE_UNARY
                      ? unary[i]
                      : group[rugi_ifs_group_of(i - RUGI_IFS_SIZE_UNARY + 1)];
}

void rugi_ifs_cell_prices_make(rugi_ifs_cell_prices *p, const rugi_ifs_cell_model *model,
                               unsigned level)
{
    for (int i = 0; i < 2; i++) {
        price_last(p->last[i], model->last[level][i], level);
        price_decisions(p, model, level, i);
    }
    for (int band = 0; band < RUGI_IFS_CELL_WIDE_BANDS; band++)
        for (int sum = 0; sum < RUGI_IFS_WIDE_SUMS; sum++)
            price_sizes(p->size[band][sum], p->group[band][sum], model->size[band][sum]);
}

/* Of a magnitude from 1 on and its sign, when it is known not to be 0. */
static uint32_t price_size(const rugi_ifs_cell_prices *p, unsigned i,
                           rugi_ifs_sum_class class, uint32_t size)
{
    unsigned band = rugi_ifs_cell_wide_band(i);
    uint32_t price = p->is_not_1[band][class.of_1][size > 1];
    if (size < 2)
        return price;
    if (size - 2 < RUGI_IFS_PRICED)
        return price + p->size[band][class.of_size][size - 2];
    uint32_t rest = size - 1 - RUGI_IFS_SIZE_UNARY;
    unsigned log2 = 31u - (unsigned)__builtin_clz(rest);
    return price + p->group[band][class.of_size][2 * log2 + (rest >> (log2 - 1) & 1)];
}

/* ---- Quantising ---- */

/* Coefficients are coded from the last one down, and the context of each is made of
 * those above it in frequency; so they are decided in that order with exact prices.
 * Two ways are compared at each: to go on with what was chosen above, or to let this
 * one be the last of the cell. The better survives. */

/* What is being decided. */
typedef struct trial {
    const rugi_ifs_cell_quantiser *q;
    const rugi_ifs_cell_prices *prices;
    const uint32_t *last;
    const uint16_t *bordered, *zigzag;
    int32_t *coefs;
    size_t n_set; /* of q->set: which are not 0, from the last down */
    float cost;   /* of those from the present one up, when a last one was chosen */
    float price;  /* of which are bits */
    int has_begun;
} trial;

static unsigned sum_around(const uint8_t *at)
{
    enum { DOWN = RUGI_IFS_BORDERED };
    return 2u * (at[1] + at[DOWN]) + at[DOWN + 1] + at[2] + at[2 * DOWN];
}

/* A value for one coefficient. */
typedef struct choice {
    uint32_t magnitude;
    float cost, price;
} choice;

/* The best magnitude from `least` on: rounded to the nearest, or one less, or 0. */
static choice choose(const trial *t, float size, size_t i, rugi_ifs_sum_class class,
                     const uint32_t set[2], uint32_t least)
{
    uint32_t nearest = (uint32_t)(size + 0.5f);
    choice best = {0, HUGE_VALF, 0};
    if (least == 0) {
        best.price = t->q->lambda * (float)set[0];
        best.cost = size * size + best.price;
    }
    for (uint32_t m = nearest; m >= 1 && m + 1 >= nearest; m--) {
        uint32_t bits =
            price_size(t->prices, (unsigned)i, class, m) + (least == 0 ? set[1] : 0);
        float error = size - (float)m, price = t->q->lambda * (float)bits;
        float cost = error * error + price;
        if (cost < best.cost)
            best = (choice){m, cost, price};
    }
    return best;
}

static void put(trial *t, size_t i, uint32_t magnitude, int is_negative)
{
    t->q->magnitudes[t->bordered[i]] =
        (uint8_t)(magnitude > RUGI_IFS_SIZE_SEEN ? RUGI_IFS_SIZE_SEEN : magnitude);
    t->coefs[t->zigzag[i]] = is_negative ? -(int32_t)magnitude : (int32_t)magnitude;
    t->q->set[t->n_set++] = (uint16_t)i;
}

static void forget(trial *t)
{
    while (t->n_set > 0) {
        size_t i = t->q->set[--t->n_set];
        t->q->magnitudes[t->bordered[i]] = 0;
        t->coefs[t->zigzag[i]] = 0;
    }
}

/* @param zeros  what leaving this one and all above at 0 costs, this one not counted */
static void decide(trial *t, float x, size_t i, float zeros)
{
    static const uint32_t nothing[2] = {0, 0};
    float size = fabsf(x);
    choice first = {0, HUGE_VALF, 0}, next = {0, HUGE_VALF, 0};
    if (size >= 0.5f) {
        first = choose(t, size, i, rugi_ifs_sum_classes[0], nothing, 1);
        float last = t->q->lambda * (float)t->last[i + 1];
        first.price += last;
        first.cost += zeros + last;
    } else if (!t->has_begun)
        return;
    if (t->has_begun) {
        unsigned sum = sum_around(t->q->magnitudes + t->bordered[i]);
        rugi_ifs_sum_class class = rugi_ifs_sum_classes[sum];
        next =
            choose(t, size, i, class,
                   t->prices->is_not_0[rugi_ifs_cell_band((unsigned)i)][class.of_0], 0);
        next.cost += t->cost;
        next.price += t->price;
    }
    if (first.cost < next.cost) {
        forget(t);
        t->has_begun = 1;
        next = first;
    }
    t->cost = next.cost;
    t->price = next.price;
    if (next.magnitude != 0)
        put(t, i, next.magnitude, x < 0);
}

float rugi_ifs_cell_quantise(const rugi_ifs_cell_quantiser *q, rugi_ifs_cell *cell,
                             const rugi_ifs_cell_prices *prices,
                             const uint32_t has_coefs[2], const float *x, float *price)
{
    size_t n = (size_t)rugi_ifs_side(cell->level) * rugi_ifs_side(cell->level);
    trial t = {.q = q,
               .prices = prices,
               .last = prices->last[rugi_ifs_is_copied(cell->kind)],
               .bordered = q->scan->bordered[cell->level],
               .zigzag = q->scan->zigzag[cell->level],
               .coefs = cell->coefs};
    float zeros = 0;
    size_t i = n;
    cell->n_coefs = 0;
    for (; i > 0 && fabsf(x[i - 1]) < 0.5f; i--)
        zeros += x[i - 1] * x[i - 1];
    memset(cell->coefs, 0, i > 0 ? n * sizeof *cell->coefs : 0);
    for (; i > 0; i--) {
        decide(&t, x[i - 1], i - 1, zeros);
        zeros += x[i - 1] * x[i - 1];
    }
    float none = q->lambda * (float)has_coefs[0], some = q->lambda * (float)has_coefs[1];
    if (!t.has_begun || !(t.cost + some < zeros + none)) {
        if (t.has_begun)
            forget(&t);
        *price = none;
        return zeros;
    }
    cell->n_coefs = (uint16_t)(q->set[0] + 1);
    for (size_t k = 0; k < t.n_set; k++)
        q->magnitudes[t.bordered[q->set[k]]] = 0;
    *price = t.price + some;
    return t.cost - t.price;
}
