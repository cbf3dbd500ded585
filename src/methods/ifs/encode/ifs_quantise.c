/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Quantising by rate and distortion. Coefficients are coded from the last one down, and
 * the context of each is made of those above it in frequency; so they are decided in that
 * order with exact prices. Two ways are compared at each: to go on with what was chosen
 * above, or to let this one be the last of the block. The better survives. */

#include "ifs_quantise.h"
#include <math.h>

void rugi_ifs_scan_make(rugi_ifs_scan *scan)
{
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        unsigned side = rugi_ifs_side(level);
        scan->zigzag[level] = rugi_ifs_zigzag(level);
        for (unsigned i = 0; i < side * side; i++) {
            unsigned at = scan->zigzag[level][i];
            scan->bordered[level][i] =
                (uint16_t)(at / side * RUGI_IFS_BORDERED + at % side);
        }
    }
}

/* What is being decided. */
typedef struct trial {
    const rugi_ifs_quantiser *q;
    const rugi_ifs_prices *prices;
    const uint32_t *last; /* prices->last of the leaf's kind */
    const uint16_t *bordered, *zigzag;
    int32_t *coefs;
    size_t n_set; /* of q->set: which are not 0, from the last down */
    double cost;  /* of those from the present one up, when a last one was chosen */
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
    double cost;
} choice;

static double cost_of(const trial *t, double scaled, uint32_t magnitude, uint32_t price)
{
    double error = (scaled - magnitude) * (double)t->q->delta;
    return error * error + t->q->lambda * price;
}

/* The best magnitude from `least` on: rounded to the nearest, or one less, or 0. */
static choice choose(const trial *t, double scaled, size_t i, unsigned sum,
                     const uint32_t set[2], uint32_t least)
{
    uint32_t nearest = (uint32_t)(scaled + 0.5);
    choice best = {0, HUGE_VAL};
    if (least == 0)
        best.cost = cost_of(t, scaled, 0, set[0]);
    for (uint32_t m = nearest; m >= 1 && m + 1 >= nearest; m--) {
        uint32_t price = rugi_ifs_price_size(t->prices, (unsigned)i, sum, m) +
                         (least == 0 ? set[1] : 0);
        double cost = cost_of(t, scaled, m, price);
        if (cost < best.cost)
            best = (choice){m, cost};
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
static void decide(trial *t, const float *x, size_t i, double zeros)
{
    static const uint32_t nothing[2] = {0, 0};
    double scaled = fabs((double)x[i]) / (double)t->q->delta;
    choice first = {0, HUGE_VAL}, next = {0, HUGE_VAL};
    if (scaled >= 0.5) {
        first = choose(t, scaled, i, 0, nothing, 1);
        first.cost += zeros + t->q->lambda * t->last[i];
    }
    if (t->has_begun) {
        unsigned sum = sum_around(t->q->magnitudes + t->bordered[i]);
        unsigned class = rugi_ifs_sum_classes[sum].of_0;
        next = choose(t, scaled, i, sum,
                      t->prices->is_not_0[rugi_ifs_band((unsigned)i)][class], 0);
        next.cost += t->cost;
    }
    if (!(first.cost < HUGE_VAL) && !t->has_begun)
        return;
    if (first.cost < next.cost) {
        forget(t);
        t->has_begun = 1;
        next = first;
    }
    t->cost = next.cost;
    if (next.magnitude != 0)
        put(t, i, next.magnitude, x[i] < 0);
}

/* The squared error, once the choice is made, and clean magnitudes. */
static double finish(trial *t, const float *x, size_t n_pixels)
{
    double error = 0;
    for (size_t i = 1; i < n_pixels; i++) {
        double rest = (double)x[i];
        if (t->n_set > 0)
            rest -= (double)t->q->delta * t->coefs[t->zigzag[i]];
        error += rest * rest;
    }
    for (size_t k = 0; k < t->n_set; k++)
        t->q->magnitudes[t->bordered[t->q->set[k]]] = 0;
    return error;
}

static double energy(const float *x, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += (double)x[i] * (double)x[i];
    return sum;
}

double rugi_ifs_quantise(const rugi_ifs_quantiser *q, rugi_ifs_leaf *leaf,
                         const rugi_ifs_prices *prices, unsigned coded, const float *x,
                         size_t n)
{
    unsigned side = rugi_ifs_side(leaf->level), n_pixels = side * side;
    trial t = {.q = q,
               .prices = prices,
               .last = prices->last[leaf->zone != RUGI_IFS_FLAT],
               .bordered = q->scan->bordered[leaf->level],
               .zigzag = q->scan->zigzag[leaf->level],
               .coefs = leaf->coefs};
    leaf->n_coefs = 0;
    if (n <= 1)
        return energy(x, 1, n_pixels);
    for (size_t i = 0; i < n_pixels; i++)
        leaf->coefs[i] = 0;
    double zeros = energy(x, n, n_pixels);
    for (size_t i = n - 1; i >= 1; i--) {
        decide(&t, x, i, zeros);
        zeros += (double)x[i] * (double)x[i];
    }
    const uint32_t *has_coefs = prices->has_coefs[leaf->zone != RUGI_IFS_FLAT][coded];
    if (t.has_begun &&
        !(t.cost + q->lambda * has_coefs[1] < zeros + q->lambda * has_coefs[0]))
        forget(&t);
    if (t.n_set > 0)
        leaf->n_coefs = q->set[0];
    return finish(&t, x, n_pixels);
}
