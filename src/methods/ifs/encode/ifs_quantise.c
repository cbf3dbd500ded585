/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The coefficients of a block: tables that the encoder shares, what coefficients cost,
 * and quantising them by rate and distortion. */

#include "ifs_quantise.h"
#include <math.h>

/* ---- Tables ---- */

/* cos(k pi / 64), so that no library's rounding decides. */
static const double quarter_wave[33] = {1,
                                        0.99879545620517241,
                                        0.99518472667219693,
                                        0.98917650996478101,
                                        0.98078528040323043,
                                        0.97003125319454397,
                                        0.95694033573220882,
                                        0.94154406518302081,
                                        0.92387953251128674,
                                        0.90398929312344334,
                                        0.88192126434835505,
                                        0.85772861000027212,
                                        0.83146961230254524,
                                        0.80320753148064494,
                                        0.77301045336273699,
                                        0.74095112535495911,
                                        0.70710678118654757,
                                        0.67155895484701833,
                                        0.63439328416364549,
                                        0.59569930449243347,
                                        0.55557023301960229,
                                        0.51410274419322166,
                                        0.47139673682599781,
                                        0.4275550934302822,
                                        0.38268343236508984,
                                        0.33688985339222005,
                                        0.29028467725446233,
                                        0.24298017990326398,
                                        0.19509032201612833,
                                        0.14673047445536175,
                                        0.09801714032956077,
                                        0.049067674327418126,
                                        0};

static double cosine(unsigned k)
{
    k %= 128;
    if (k > 64)
        k = 128 - k;
    return k > 32 ? -quarter_wave[64 - k] : quarter_wave[k];
}

static void make_cosines(rugi_ifs_cosines *cosines)
{
    static const double scale[RUGI_IFS_LEVELS] = {0.25, 0.35355339059327379, 0.5,
                                                  0.70710678118654757};
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        unsigned n = RUGI_IFS_SIDE(level), step = RUGI_IFS_BLOCK / n;
        for (unsigned k = 0; k < n; k++)
            for (unsigned i = 0; i < n; i++) {
                double value = k == 0 ? scale[level] * 0.70710678118654757
                                      : scale[level] * cosine((2 * i + 1) * k * step);
                cosines->basis[level][k * n + i] = (float)value;
                cosines->transposed[level][i * n + k] = (float)value;
            }
    }
}

static void make_scan(rugi_ifs_scan *scan)
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

void rugi_ifs_tables_make(rug_context *ctx, rugi_ifs_tables *tables)
{
    make_cosines(&tables->cosines);
    make_scan(&tables->scan);
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        size_t side = rugi_ifs_side(level);
        for (unsigned g = 0; g < RUGI_IFS_ISOMETRIES; g++)
            for (size_t i = 0; i < side * side; i++)
                tables->place[level][g][i] =
                    (uint16_t)rugi_ifs_isometry_place(g, side, i / side, i % side);
    }
    rugi_ifs_set_forward_kernels(&tables->kernels, rug_context_cpu_level(ctx));
}

/* ---- Prices ---- */

void rugi_ifs_price_numbers(uint32_t *unary, uint32_t *group, const rugi_ifs_bit *bits,
                            unsigned n_unary)
{
    uint32_t before = 0, end = 0, more = 0, tops[2] = {0, 0};
    for (unsigned i = 0; i < n_unary; i++) {
        unary[i] = before + rugi_ifs_price_of_bit(&bits[i], 0);
        before += rugi_ifs_price_of_bit(&bits[i], 1);
    }
    bits += n_unary;
    for (unsigned i = 0; i <= RUGI_IFS_GOLOMB_BITS; i++) {
        unsigned length = i < RUGI_IFS_GOLOMB_LENGTHS ? i : RUGI_IFS_GOLOMB_LENGTHS - 1;
        unsigned top = i < RUGI_IFS_GOLOMB_TOPS ? i : RUGI_IFS_GOLOMB_TOPS;
        if (i < RUGI_IFS_GOLOMB_LENGTHS) {
            end = rugi_ifs_price_of_bit(&bits[length], 0);
            more = rugi_ifs_price_of_bit(&bits[length], 1);
        }
        for (int bit = 0; bit < 2; bit++) {
            if (i > 0 && i <= RUGI_IFS_GOLOMB_TOPS)
                tops[bit] =
                    rugi_ifs_price_of_bit(&bits[RUGI_IFS_GOLOMB_LENGTHS + top - 1], bit);
            group[2 * i + (unsigned)bit] =
                before + end + (i > 0 ? ((i - 1) << RUGI_IFS_PRICE_BITS) + tops[bit] : 0);
        }
        before += more;
    }
}

unsigned rugi_ifs_group_of(uint32_t value)
{
    unsigned log2 = 31u - (unsigned)__builtin_clz(value);
    return 2 * log2 + (log2 > 0 && (value >> (log2 - 1) & 1) != 0);
}

static void price_last(uint32_t *last, const rugi_ifs_bit *bits, unsigned level)
{
    uint32_t unary[RUGI_IFS_LAST_UNARY], group[RUGI_IFS_GROUPS];
    uint32_t n = rugi_ifs_side(level) * rugi_ifs_side(level);
    rugi_ifs_price_numbers(unary, group, bits, RUGI_IFS_LAST_UNARY);
    for (uint32_t i = 1; i < n; i++)
        last[i] = i <= RUGI_IFS_LAST_UNARY
                      ? unary[i - 1]
                      : group[rugi_ifs_group_of(i - RUGI_IFS_LAST_UNARY)];
}

static void price_decisions(rugi_ifs_prices *p, const rugi_ifs_model *model,
                            unsigned level, int value)
{
    for (unsigned i = 0; i < 6; i++)
        p->has_coefs[i / 3][i % 3][value] =
            rugi_ifs_price_of_bit(&model->has_coefs[level][i / 3][i % 3], value);
    for (unsigned sum = 0; sum < RUGI_IFS_SUMS; sum++) {
        for (unsigned band = 0; band < RUGI_IFS_BANDS; band++)
            p->is_not_0[band][sum][value] =
                rugi_ifs_price_of_bit(&model->is_not_0[level / 2][band][sum], value);
        for (unsigned band = 0; band < RUGI_IFS_WIDE_BANDS; band++)
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

/* ---- Quantising ---- */

/* Coefficients are coded from the last one down, and the context of each is made of
 * those above it in frequency; so they are decided in that order with exact prices.
 * Two ways are compared at each: to go on with what was chosen above, or to let this
 * one be the last of the block. The better survives. */

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
