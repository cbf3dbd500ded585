/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prices of coefficients, and quantising them by rate and distortion. */

#include "ifs_patch_quantise.h"
#include <math.h>
#include <string.h>

/* ---- Prices ---- */

static void price_last(float *last, const rugi_ifs_bit *bits, unsigned level,
                       float lambda)
{
    uint32_t unary[RUGI_IFS_LAST_UNARY], group[RUGI_IFS_GROUPS];
    uint32_t n = rugi_ifs_side(level) * rugi_ifs_side(level);
    rugi_ifs_price_numbers(unary, group, bits, RUGI_IFS_LAST_UNARY);
    for (uint32_t i = 1; i <= n; i++)
        last[i] =
            lambda * (float)(i <= RUGI_IFS_LAST_UNARY
                                 ? unary[i - 1]
                                 : group[rugi_ifs_group_of(i - RUGI_IFS_LAST_UNARY)]);
}

static void price_decisions(rugi_ifs_patch_prices *p, const rugi_ifs_patch_model *model,
                            unsigned level, int value, float lambda)
{
    for (unsigned i = 0; i < 12; i++)
        p->has_coefs[i / 6][i / 2 % 3][i % 2][value] = rugi_ifs_price_of_bit(
            &model->has_coefs[level][i / 6][i / 2 % 3][i % 2], value);
    for (unsigned q = 0; q < RUGI_IFS_QUANTISERS; q++)
        for (unsigned band = 0; band < RUGI_IFS_PATCH_BANDS; band++)
            for (unsigned sum = 0; sum < RUGI_IFS_SUMS; sum++)
                p->is_not_0[q][band][sum][value] =
                    lambda * (float)rugi_ifs_price_of_bit(
                                 &model->is_not_0[q][level / 2][band][sum], value);
}

static void price_sizes(rugi_ifs_size_prices *p, const rugi_ifs_patch_model *model,
                        unsigned band, float lambda)
{
    uint32_t unary[RUGI_IFS_SIZE_UNARY], group[RUGI_IFS_GROUPS];
    for (unsigned i = 0; i < 2 * RUGI_IFS_SUMS; i++)
        p->is_not_1[band][i / 2][i % 2] =
            lambda *
            (float)(rugi_ifs_price_of_bit(&model->is_not_1[band][i / 2], (int)(i % 2)) +
                    (1u << RUGI_IFS_PRICE_BITS));
    for (unsigned sum = 0; sum < RUGI_IFS_WIDE_SUMS; sum++) {
        rugi_ifs_price_numbers(unary, group, model->size[band][sum], RUGI_IFS_SIZE_UNARY);
        for (uint32_t i = 0; i < RUGI_IFS_PRICED; i++)
            p->size[band][sum][i] =
                lambda *
                (float)(i < RUGI_IFS_SIZE_UNARY
                            ? unary[i]
                            : group[rugi_ifs_group_of(i - RUGI_IFS_SIZE_UNARY + 1)]);
        for (uint32_t i = 0; i < RUGI_IFS_GROUPS; i++)
            p->group[band][sum][i] = lambda * (float)group[i];
    }
}

void rugi_ifs_patch_prices_make(rugi_ifs_patch_prices prices[RUGI_IFS_LEVELS],
                                rugi_ifs_size_prices *sizes,
                                const rugi_ifs_patch_model *model, float lambda)
{
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        prices[level].sizes = sizes;
        for (int i = 0; i < 2; i++) {
            price_last(prices[level].last[i], model->last[level][i], level, lambda);
            price_decisions(&prices[level], model, level, i, lambda);
        }
    }
    for (unsigned band = 0; band < RUGI_IFS_PATCH_WIDE_BANDS; band++)
        price_sizes(sizes, model, band, lambda);
}

/* Of a magnitude from 1 on and its sign, when it is known not to be 0. */
static inline float price_size(const rugi_ifs_size_prices *p, unsigned band,
                               rugi_ifs_sum_class class, uint32_t size)
{
    float price = p->is_not_1[band][class.of_1][size > 1];
    if (size < 2)
        return price;
    if (size - 2 < RUGI_IFS_PRICED)
        return price + p->size[band][class.of_size][size - 2];
    uint32_t rest = size - 1 - RUGI_IFS_SIZE_UNARY;
    unsigned log2 = 31u - (unsigned)__builtin_clz(rest);
    return price + p->group[band][class.of_size][2 * log2 + (rest >> (log2 - 1) & 1)];
}

/* ---- The scan ---- */

static void make_level(rugi_ifs_patch_scan *scan, unsigned level)
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

void rugi_ifs_patch_scan_make(rugi_ifs_patch_scan *scan)
{
    unsigned n[RUGI_IFS_STATES] = {0};
    for (unsigned i = 0; i < 2 * RUGI_IFS_STATES; i++) {
        unsigned to = rugi_ifs_next_state(i / 2, i % 2);
        scan->sources[to][n[to]][0] = (uint8_t)(i / 2);
        scan->sources[to][n[to]++][1] = (uint8_t)(i % 2);
    }
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++)
        make_level(scan, level);
}

/* ---- Quantising ---- */

/* Coefficients are coded from the last one down, and the context of each is made of those above it
 * in frequency; so they are decided in that order with exact prices. Of all ways that lead to a
 * state the best one survives (Viterbi), and in each step a way may begin: this one is the last of
 * the patch. */

/* What is being decided. */
typedef struct trial {
    const rugi_ifs_patch_quantiser *q;
    const rugi_ifs_patch_prices *prices;
    const float *last;
    unsigned level;
    rugi_ifs_patch_path *from, *to; /* [RUGI_IFS_STATES] */
    int has_begun;
} trial;

/* Magnitudes that are worth a try by one of the quantisers, of either parity, and their errors. */
typedef struct tries {
    int has_zero;
    uint32_t magnitudes[2]; /* even and odd; 0: none */
    float zero_error, errors[2];
} tries;

/* @param half  the quantiser's first value is that much below a whole step */
static inline void find_tries(tries *out, float size, float half)
{
    int32_t nearest = (int32_t)(size + half + 0.5f), is_odd = nearest & 1;
    int32_t other = nearest > 0 ? nearest - 1 : 0;
    int32_t odd = is_odd ? nearest : other, even = is_odd ? other : nearest;
    float odd_error = size + half - (float)odd, even_error = size + half - (float)even;
    out->has_zero = nearest <= 2;
    out->zero_error = size * size;
    out->magnitudes[0] = (uint32_t)even;
    out->magnitudes[1] = (uint32_t)odd;
    out->errors[0] = even_error * even_error;
    out->errors[1] = odd_error * odd_error;
}

/* The best of what leads from a state, by the parity of the magnitude. */
typedef struct way {
    float costs[2];
    uint32_t magnitudes[2];
} way;

static inline void go_on(way *out, const trial *t, const tries *tried, size_t i,
                         unsigned band, unsigned state)
{
    const rugi_ifs_patch_path *path = &t->from[state];
    const uint16_t *beyond = t->q->scan->beyond[t->level][i];
    const uint8_t *m = path->magnitudes;
    unsigned sum =
        2u * (m[beyond[0]] + m[beyond[1]]) + m[beyond[2]] + m[beyond[3]] + m[beyond[4]];
    rugi_ifs_sum_class class = rugi_ifs_sum_classes[sum];
    const float *set =
        t->prices->is_not_0[rugi_ifs_quantiser_of(state)][band][class.of_0];
    unsigned wide =
        band < RUGI_IFS_PATCH_WIDE_BANDS ? band : RUGI_IFS_PATCH_WIDE_BANDS - 1;
    for (unsigned parity = 0; parity < 2; parity++) {
        uint32_t k = tried->magnitudes[parity];
        out->magnitudes[parity] = k;
        out->costs[parity] = k == 0 ? HUGE_VALF
                                    : path->cost + tried->errors[parity] + set[1] +
                                          price_size(t->prices->sizes, wide, class, k);
    }
    float zero = path->cost + tried->zero_error + set[0];
    if (tried->has_zero && !(out->costs[0] < zero)) {
        out->costs[0] = zero;
        out->magnitudes[0] = 0;
    }
}

/* @param zeros  what leaving all above at 0 costs */
static void begin(trial *t, const tries *tried, size_t i, unsigned band, float zeros)
{
    unsigned wide =
        band < RUGI_IFS_PATCH_WIDE_BANDS ? band : RUGI_IFS_PATCH_WIDE_BANDS - 1;
    for (unsigned parity = 0; parity < 2; parity++) {
        uint32_t k = tried->magnitudes[parity];
        unsigned state = rugi_ifs_next_state(0, parity);
        if (k == 0)
            continue;
        float cost = zeros + tried->errors[parity] + t->last[i + 1] +
                     price_size(t->prices->sizes, wide, rugi_ifs_sum_classes[0], k);
        if (!(cost < t->to[state].cost))
            continue;
        t->to[state].cost = cost;
        t->q->steps[i][state] = (rugi_ifs_patch_step){k, RUGI_IFS_STATES};
    }
    t->has_begun = 1;
}

/* Magnitudes are copied some at once: those too many are those of a place that nobody looks at. */
#define AT_ONCE 16

/* Gives the ways of a step what they know of those before, and makes them the present ones. */
static void keep(trial *t, size_t i)
{
    size_t reach = t->q->scan->reach[t->level][i];
    for (unsigned state = 0; state < RUGI_IFS_STATES; state++) {
        rugi_ifs_patch_step step = t->q->steps[i][state];
        uint8_t *to = t->to[state].magnitudes + i;
        if (t->to[state].cost == HUGE_VALF)
            continue;
        *to++ = (uint8_t)(step.magnitude > RUGI_IFS_SIZE_SEEN ? RUGI_IFS_SIZE_SEEN
                                                              : step.magnitude);
        if (step.before == RUGI_IFS_STATES) {
            memset(to, 0, reach);
            continue;
        }
        const uint8_t *from = t->from[step.before].magnitudes + i + 1;
        for (size_t k = 0; k < reach; k += AT_ONCE)
            memcpy(to + k, from + k, AT_ONCE);
    }
    rugi_ifs_patch_path *from = t->from;
    t->from = t->to;
    t->to = from;
}

static void decide(trial *t, float x, size_t i, unsigned band, float zeros)
{
    float size = fabsf(x);
    tries tried[2];
    way ways[RUGI_IFS_STATES];
    if (!t->has_begun && size < 0.5f)
        return;
    find_tries(&tried[0], size, 0);
    find_tries(&tried[1], size, 0.5f);
    for (unsigned state = 0; state < RUGI_IFS_STATES && t->has_begun; state++)
        go_on(&ways[state], t, &tried[rugi_ifs_is_odd(state)], i, band, state);
    for (unsigned state = 0; state < RUGI_IFS_STATES; state++) {
        const uint8_t(*source)[2] = t->q->scan->sources[state];
        t->to[state].cost = HUGE_VALF;
        if (!t->has_begun)
            continue;
        const way *a = &ways[source[0][0]], *b = &ways[source[1][0]];
        float first = a->costs[source[0][1]], second = b->costs[source[1][1]];
        int is_second = second < first;
        t->to[state].cost = is_second ? second : first;
        t->q->steps[i][state] = (rugi_ifs_patch_step){
            is_second ? b->magnitudes[source[1][1]] : a->magnitudes[source[0][1]],
            source[is_second][0]};
    }
    if (size >= 0.5f)
        begin(t, &tried[0], i, band, zeros);
    keep(t, i);
}

/* The coefficients of the way to a state.
 * @param error  their squared error is added
 * @return how many there are */
static uint16_t trace(const trial *t, int32_t *coefs, const float *x, unsigned state,
                      float *error)
{
    const uint16_t *zigzag = t->q->scan->zigzag[t->level];
    for (size_t i = 0;; i++) {
        rugi_ifs_patch_step step = t->q->steps[i][state];
        int is_last = step.before == RUGI_IFS_STATES;
        unsigned before = is_last ? 0 : step.before;
        int32_t value = (int32_t)(2 * step.magnitude);
        if (value > 0)
            value -= (int32_t)rugi_ifs_is_odd(before);
        float rest = fabsf(x[i]) - 0.5f * (float)value;
        *error += rest * rest;
        coefs[zigzag[i]] = x[i] < 0 ? -value : value;
        if (is_last)
            return (uint16_t)(i + 1);
        state = before;
    }
}

float rugi_ifs_patch_quantise(const rugi_ifs_patch_quantiser *q, rugi_ifs_patch *patch,
                              const rugi_ifs_patch_prices *prices,
                              const uint32_t has_coefs[2], const float *x, float *price)
{
    size_t n = (size_t)rugi_ifs_side(patch->level) * rugi_ifs_side(patch->level), i = n;
    trial t = {.q = q,
               .prices = prices,
               .last = prices->last[rugi_ifs_is_copied(patch->kind)],
               .level = patch->level,
               .from = q->paths[0],
               .to = q->paths[1]};
    float zeros = 0, error = 0;
    patch->n_coefs = 0;
    for (unsigned band = rugi_ifs_patch_band((unsigned)n - 1) + 1; band-- > 0;)
        while (i > rugi_ifs_patch_bands[band]) {
            decide(&t, x[i - 1], i - 1, band, zeros);
            i--;
            zeros += x[i] * x[i];
        }
    float none = q->lambda * (float)has_coefs[0], some = q->lambda * (float)has_coefs[1];
    unsigned best = 0;
    for (unsigned state = 1; state < RUGI_IFS_STATES && t.has_begun; state++)
        best = t.from[state].cost < t.from[best].cost ? state : best;
    if (!t.has_begun || !(t.from[best].cost + some < zeros + none)) {
        *price = none;
        return zeros;
    }
    memset(patch->coefs, 0, n * sizeof *patch->coefs);
    patch->n_coefs = trace(&t, patch->coefs, x, best, &error);
    for (i = patch->n_coefs; i < n; i++)
        error += x[i] * x[i];
    *price = t.from[best].cost - error + some;
    return error;
}
