/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prices of coefficients, and quantising them by rate and distortion. */

#include "ifs_cell_quantise.h"
#include <math.h>
#include <string.h>

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
        for (unsigned i = 0; i < RUGI_IFS_QUANTISERS * RUGI_IFS_CELL_BANDS; i++)
            p->is_not_0[i % RUGI_IFS_QUANTISERS][i / RUGI_IFS_QUANTISERS][sum][value] =
                rugi_ifs_price_of_bit(&model->is_not_0[i % RUGI_IFS_QUANTISERS][level / 2]
                                                      [i / RUGI_IFS_QUANTISERS][sum],
                                      value);
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

/* ---- The scan ---- */

static void make_level(rugi_ifs_cell_scan *scan, unsigned level)
{
    static const uint8_t places[RUGI_IFS_BEYOND][2] = {
        {0, 1}, {1, 0}, {1, 1}, {0, 2}, {2, 0}};
    unsigned side = rugi_ifs_side(level), most = 0;
    const uint16_t *zigzag = rugi_ifs_zigzag(level);
    uint16_t inverse[RUGI_IFS_PIXELS];
    scan->zigzag[level] = zigzag;
    for (unsigned i = 0; i < side * side; i++)
        inverse[zigzag[i]] = (uint16_t)i;
    for (unsigned i = 0; i < side * side; i++) {
        for (unsigned k = 0; k < RUGI_IFS_BEYOND; k++) {
            unsigned y = zigzag[i] / side + places[k][0],
                     x = zigzag[i] % side + places[k][1];
            int is_there = y < side && x < side;
            unsigned at = is_there ? inverse[y * side + x] : RUGI_IFS_PIXELS;
            scan->beyond[level][i][k] = (uint16_t)at;
            most = is_there && at > most ? at : most;
        }
        scan->reach[level][i] = (uint16_t)(most > i ? most - i : 0);
    }
}

void rugi_ifs_cell_scan_make(rugi_ifs_cell_scan *scan)
{
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++)
        make_level(scan, level);
}

/* ---- Quantising ---- */

/* Coefficients are coded from the last one down, and the context of each is made of those above it
 * in frequency; so they are decided in that order with exact prices. Of all ways that lead to a
 * state the best one survives (Viterbi), and in each step a way may begin: this one is the last of
 * the cell. */

/* What is being decided. */
typedef struct trial {
    const rugi_ifs_cell_quantiser *q;
    const rugi_ifs_cell_prices *prices;
    const uint32_t *last;
    unsigned level;
    rugi_ifs_cell_path *from, *to; /* [RUGI_IFS_STATES] */
    int has_begun;
} trial;

/* One value more, if it is the best way to its state. */
static inline void relax(trial *t, size_t i, unsigned before, uint32_t magnitude,
                         float cost, float price)
{
    unsigned state =
        rugi_ifs_next_state(before < RUGI_IFS_STATES ? before : 0, magnitude);
    if (!(cost < t->to[state].cost))
        return;
    t->to[state].cost = cost;
    t->to[state].price = price;
    t->q->steps[i][state] = (rugi_ifs_cell_step){magnitude, (uint8_t)before};
}

/* The magnitudes about `nearest` that are worth a try.
 * @param half  the quantiser's first value is that much below a whole step */
static void go_on(trial *t, float size, size_t i, unsigned state)
{
    const rugi_ifs_cell_path *path = &t->from[state];
    const uint16_t *beyond = t->q->scan->beyond[t->level][i];
    const uint8_t *m = path->magnitudes;
    unsigned sum =
        2u * (m[beyond[0]] + m[beyond[1]]) + m[beyond[2]] + m[beyond[3]] + m[beyond[4]];
    rugi_ifs_sum_class class = rugi_ifs_sum_classes[sum];
    const uint32_t *set =
        t->prices->is_not_0[rugi_ifs_quantiser_of(state)][rugi_ifs_cell_band((unsigned)i)]
                           [class.of_0];
    float half = rugi_ifs_is_odd(state) ? 0.5f : 0;
    uint32_t nearest = (uint32_t)(size + half + 0.5f);
    if (nearest <= 2) {
        float price = t->q->lambda * (float)set[0];
        relax(t, i, state, 0, path->cost + size * size + price, path->price + price);
    }
    for (uint32_t k = nearest; k >= 1 && k + 1 >= nearest; k--) {
        float error = size + half - (float)k;
        float price =
            t->q->lambda * (float)(set[1] + price_size(t->prices, (unsigned)i, class, k));
        relax(t, i, state, k, path->cost + error * error + price, path->price + price);
    }
}

/* @param zeros  what leaving all above at 0 costs */
static void begin(trial *t, float size, size_t i, float zeros)
{
    uint32_t nearest = (uint32_t)(size + 0.5f);
    for (uint32_t k = nearest; k >= 1 && k + 1 >= nearest; k--) {
        float error = size - (float)k;
        float price = t->q->lambda *
                      (float)(t->last[i + 1] + price_size(t->prices, (unsigned)i,
                                                          rugi_ifs_sum_classes[0], k));
        relax(t, i, RUGI_IFS_STATES, k, zeros + error * error + price, price);
    }
}

/* Gives the ways of a step what they know of those before, and makes them the present ones. */
static void keep(trial *t, size_t i)
{
    size_t reach = t->q->scan->reach[t->level][i];
    for (unsigned state = 0; state < RUGI_IFS_STATES; state++) {
        rugi_ifs_cell_path *path = &t->to[state];
        if (path->cost == HUGE_VALF)
            continue;
        rugi_ifs_cell_step step = t->q->steps[i][state];
        path->magnitudes[i] =
            (uint8_t)(step.magnitude > RUGI_IFS_SIZE_SEEN ? RUGI_IFS_SIZE_SEEN
                                                          : step.magnitude);
        if (step.before == RUGI_IFS_STATES)
            memset(path->magnitudes + i + 1, 0, reach);
        else
            memcpy(path->magnitudes + i + 1, t->from[step.before].magnitudes + i + 1,
                   reach);
        t->has_begun = 1;
    }
    rugi_ifs_cell_path *from = t->from;
    t->from = t->to;
    t->to = from;
}

static void decide(trial *t, float x, size_t i, float zeros)
{
    float size = fabsf(x);
    if (!t->has_begun && size < 0.5f)
        return;
    for (unsigned state = 0; state < RUGI_IFS_STATES; state++)
        t->to[state].cost = HUGE_VALF;
    for (unsigned state = 0; t->has_begun && state < RUGI_IFS_STATES; state++)
        if (t->from[state].cost < HUGE_VALF)
            go_on(t, size, i, state);
    if (size >= 0.5f)
        begin(t, size, i, zeros);
    keep(t, i);
}

/* The coefficients of the way to a state. @return how many there are */
static uint16_t trace(const trial *t, int32_t *coefs, const float *x, unsigned state)
{
    const uint16_t *zigzag = t->q->scan->zigzag[t->level];
    for (size_t i = 0;; i++) {
        rugi_ifs_cell_step step = t->q->steps[i][state];
        int is_last = step.before == RUGI_IFS_STATES;
        unsigned before = is_last ? 0 : step.before;
        int32_t value = (int32_t)(2 * step.magnitude);
        if (value > 0) {
            value -= (int32_t)rugi_ifs_is_odd(before);
            coefs[zigzag[i]] = x[i] < 0 ? -value : value;
        }
        if (is_last)
            return (uint16_t)(i + 1);
        state = before;
    }
}

float rugi_ifs_cell_quantise(const rugi_ifs_cell_quantiser *q, rugi_ifs_cell *cell,
                             const rugi_ifs_cell_prices *prices,
                             const uint32_t has_coefs[2], const float *x, float *price)
{
    size_t n = (size_t)rugi_ifs_side(cell->level) * rugi_ifs_side(cell->level);
    trial t = {.q = q,
               .prices = prices,
               .last = prices->last[rugi_ifs_is_copied(cell->kind)],
               .level = cell->level,
               .from = q->paths[0],
               .to = q->paths[1]};
    float zeros = 0;
    size_t i = n;
    cell->n_coefs = 0;
    for (; i > 0; i--) {
        decide(&t, x[i - 1], i - 1, zeros);
        zeros += x[i - 1] * x[i - 1];
    }
    float none = q->lambda * (float)has_coefs[0], some = q->lambda * (float)has_coefs[1];
    unsigned best = 0;
    for (unsigned state = 1; state < RUGI_IFS_STATES && t.has_begun; state++)
        best = t.from[state].cost < t.from[best].cost ? state : best;
    if (!t.has_begun || !(t.from[best].cost + some < zeros + none)) {
        *price = none;
        return zeros;
    }
    memset(cell->coefs, 0, n * sizeof *cell->coefs);
    cell->n_coefs = trace(&t, cell->coefs, x, best);
    *price = t.from[best].price + some;
    return t.from[best].cost - t.from[best].price;
}
