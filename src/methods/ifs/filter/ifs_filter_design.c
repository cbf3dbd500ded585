/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Filters by least squares. Classes begin as groups of their own, and the two groups that
 * lose least become one until one is left; of all these divisions the cheapest is taken.
 * Double precision in a fixed order with square roots alone, so the same on every machine. */

#include "ifs_filter_design.h"
#include <math.h>

#define CLASSES RUGI_IFS_FILTER_CLASSES
#define TAPS    RUGI_IFS_FILTER_TAPS
#define ONE     (1 << RUGI_IFS_FILTER_SHIFT)

/* About what a tap costs, in bits: 0; another one, and with every doubling. */
#define BITS_OF_0       1.0
#define BITS_OF_1       3.0
#define BITS_OF_TWOFOLD 1.7

/* About what the filter of a class costs: that of a neighbour, another one besides its
 * number; and what stands before all classes. */
#define BITS_OF_SAME  0.7
#define BITS_OF_OTHER 2.5
#define BITS_OF_START 12

/* What is added to the squares, as a share of their mean, so that taps stay small where they
 * do not matter. */
#define RIDGE       1e-4
#define RIDGE_LEAST 1e-9

/* Rounds in which taps are rounded. */
#define ROUNDS 4

/* Classes with one filter. */
typedef struct group {
    rugi_ifs_filter_moments moments;
    int8_t taps[TAPS];
    double gain; /* of the best taps, not rounded: error, at most 0 */
    double cost; /* of those rounded: error and bits; not below 0: they are of no use */
    double bits;
} group;

typedef struct design {
    double lambda;
    group groups[CLASSES];
    double losses[CLASSES]
                 [CLASSES]; /* [a][b], b < a: what is lost when they become one */
    int is_alive[CLASSES];
    uint8_t group_of[CLASSES]; /* of a class; CLASSES: the class has no pixels */
    group both;
} design;

static double moment(const double *moments, int k, int l)
{
    return k >= l ? moments[k * (k + 1) / 2 + l] : moments[l * (l + 1) / 2 + k];
}

/* ---- Taps ---- */

/* The taps that leave the least squared error (Cholesky). @return the change of the error */
static double solve(double taps[TAPS], const double *moments)
{
    double low[TAPS][TAPS], ridge = 0, change = 0;
    for (int k = 0; k < TAPS; k++)
        ridge += moment(moments, k, k);
    ridge = ridge * (RIDGE / TAPS) + RIDGE_LEAST;
    for (int k = 0; k < TAPS; k++)
        for (int l = 0; l <= k; l++) {
            double sum = moment(moments, k, l) + (k == l ? ridge : 0);
            for (int m = 0; m < l; m++)
                sum -= low[k][m] * low[l][m];
            low[k][l] =
                k > l ? sum / low[l][l] : sqrt(sum > RIDGE_LEAST ? sum : RIDGE_LEAST);
        }
    for (int k = 0; k < TAPS; k++) {
        double sum = moment(moments, TAPS, k);
        for (int m = 0; m < k; m++)
            sum -= low[k][m] * taps[m];
        taps[k] = sum / low[k][k];
        change -= taps[k] * taps[k];
    }
    for (int k = TAPS; k-- > 0;) {
        double sum = taps[k];
        for (int m = k + 1; m < TAPS; m++)
            sum -= low[m][k] * taps[m];
        taps[k] = sum / low[k][k];
    }
    return change;
}

static double bits_of_tap(int tap)
{
    int size = tap < 0 ? -tap : tap;
    double bits = BITS_OF_1;
    if (size == 0)
        return BITS_OF_0;
    for (; size > 1; size >>= 1)
        bits += BITS_OF_TWOFOLD;
    return bits;
}

/* Taps that are being rounded: the error is that without a filter, and change. */
typedef struct rounding {
    const double *moments;
    double lambda;
    int8_t *taps;
    double slopes[TAPS]; /* half the derivatives of the error */
} rounding;

static void move_tap(rounding *r, int k, int to)
{
    double by = (double)(to - r->taps[k]) / ONE;
    for (int l = 0; l < TAPS; l++)
        r->slopes[l] += by * moment(r->moments, k, l);
    r->taps[k] = (int8_t)to;
}

/* Moves one tap to the best place nearby, or to 0. @return whether it was elsewhere */
static int improve_tap(rounding *r, int k)
{
    int best = r->taps[k];
    double least = r->lambda * bits_of_tap(best);
    for (int i = 0; i < 5; i++) {
        int to = i < 4 ? r->taps[k] - 2 + i + (i > 1) : 0;
        double by = (double)(to - r->taps[k]) / ONE;
        double cost = by * (2 * r->slopes[k] + by * moment(r->moments, k, k)) +
                      r->lambda * bits_of_tap(to);
        if (to >= -RUGI_IFS_FILTER_TAP_MAX && to <= RUGI_IFS_FILTER_TAP_MAX &&
            cost < least) {
            least = cost;
            best = to;
        }
    }
    if (best == r->taps[k])
        return 0;
    move_tap(r, k, best);
    return 1;
}

static void round_taps(group *g, const double taps[TAPS], double lambda)
{
    rounding r = {.moments = g->moments, .lambda = lambda, .taps = g->taps};
    const double most = RUGI_IFS_FILTER_TAP_MAX;
    memset(g->taps, 0, sizeof g->taps);
    for (int k = 0; k < TAPS; k++)
        r.slopes[k] = -moment(g->moments, TAPS, k);
    for (int k = 0; k < TAPS; k++) {
        double tap = taps[k] * ONE;
        tap = tap < -most ? -most : tap > most ? most : tap;
        move_tap(&r, k, (int)(tap < 0 ? tap - 0.5 : tap + 0.5));
    }
    for (int i = 0, moves = 1; i < ROUNDS && moves > 0; i++)
        for (int k = moves = 0; k < TAPS; k++)
            moves += improve_tap(&r, k);
    g->bits = g->cost = 0;
    for (int k = 0; k < TAPS; k++) {
        g->bits += bits_of_tap(g->taps[k]);
        g->cost += (double)g->taps[k] / ONE * (r.slopes[k] - moment(g->moments, TAPS, k));
    }
    g->cost += lambda * g->bits;
}

static void make_filter(design *d, group *g)
{
    double taps[TAPS];
    g->gain = solve(taps, g->moments);
    round_taps(g, taps, d->lambda);
}

/* ---- Groups ---- */

static void add_moments(double *out, const double *moments)
{
    for (int i = 0; i < RUGI_IFS_FILTER_MOMENTS; i++)
        out[i] += moments[i];
}

/* What is lost when group a and one of the others become one. */
static void find_losses(design *d, int a)
{
    double taps[TAPS];
    for (int b = 0; b < CLASSES; b++)
        if (b != a && d->is_alive[b]) {
            memcpy(d->both.moments, d->groups[a].moments, sizeof d->both.moments);
            add_moments(d->both.moments, d->groups[b].moments);
            double loss =
                solve(taps, d->both.moments) - d->groups[a].gain - d->groups[b].gain;
            d->losses[a > b ? a : b][a > b ? b : a] = loss;
        }
}

/* @return how many groups there are: all classes that have pixels */
static int begin(design *d, rugi_ifs_filter_moments *of_classes)
{
    int n = 0;
    for (int c = 0; c < CLASSES; c++) {
        double sum = 0;
        for (int k = 0; k <= TAPS; k++)
            sum += moment(of_classes[c], k, k);
        d->is_alive[c] = sum > 0;
        d->group_of[c] = (uint8_t)(sum > 0 ? c : CLASSES);
        memcpy(d->groups[c].moments, of_classes[c], sizeof of_classes[c]);
        n += sum > 0;
        if (sum > 0)
            make_filter(d, &d->groups[c]);
    }
    for (int c = 0; c < CLASSES; c++)
        if (d->is_alive[c])
            find_losses(d, c);
    return n;
}

/* Makes the two groups one that lose least. */
static void merge(design *d)
{
    int a = 0, b = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < CLASSES; i++)
        for (int j = 0; j < i && d->is_alive[i]; j++)
            if (d->is_alive[j] && d->losses[i][j] < least) {
                least = d->losses[i][j];
                a = i;
                b = j;
            }
    add_moments(d->groups[a].moments, d->groups[b].moments);
    d->is_alive[b] = 0;
    for (int c = 0; c < CLASSES; c++)
        if (d->group_of[c] == b)
            d->group_of[c] = (uint8_t)a;
    make_filter(d, &d->groups[a]);
    find_losses(d, a);
}

/* ---- Divisions ---- */

/* What the filters of the classes cost. */
static double bits_of_classes(const rugi_ifs_filters *f)
{
    const int n_directions = RUGI_IFS_FILTER_DIRECTIONS;
    double bits = BITS_OF_START, other = BITS_OF_OTHER;
    other += rugi_ifs_filter_log2(f->n_filters + 1u);
    for (int c = 0; c < CLASSES; c++) {
        int calmer = c >= n_directions ? f->of_class[c - n_directions] : 0;
        bits += f->of_class[c] == calmer ? BITS_OF_SAME : other;
    }
    return bits;
}

/* The filters of the groups as they are; a class without pixels has that of the calmer one.
 * @return what they gain and cost; HUGE_VAL: there are too many */
static double take(const design *d, rugi_ifs_filters *f, double *bits)
{
    uint8_t filter_of[CLASSES + 1] = {0};
    double cost = 0;
    *bits = 0;
    memset(f, 0, sizeof *f);
    for (int g = 0; g < CLASSES; g++)
        if (d->is_alive[g] && d->groups[g].cost < 0) {
            if (f->n_filters == RUGI_IFS_FILTERS_MAX)
                return HUGE_VAL;
            memcpy(f->taps[f->n_filters], d->groups[g].taps, sizeof f->taps[0]);
            filter_of[g] = ++f->n_filters;
            cost += d->groups[g].cost;
            *bits += d->groups[g].bits;
        }
    for (int c = 0; c < CLASSES; c++)
        f->of_class[c] = d->group_of[c] < CLASSES ? filter_of[d->group_of[c]]
                         : c >= RUGI_IFS_FILTER_DIRECTIONS
                             ? f->of_class[c - RUGI_IFS_FILTER_DIRECTIONS]
                             : 0;
    double of_classes = bits_of_classes(f);
    *bits += of_classes;
    return cost + d->lambda * of_classes;
}

rug_status rugi_ifs_design_filters(rug_context *ctx, rugi_ifs_filters *filters,
                                   double *bits, rugi_ifs_filter_moments *of_classes,
                                   double lambda)
{
    memset(filters, 0, sizeof *filters);
    *bits = 0;
    design *d = rug_context_allocate(ctx, 1, sizeof *d, "filters of a plane");
    if (d == NULL)
        return RUG_E_NOMEM;
    d->lambda = lambda;
    double least = 0;
    for (int n = begin(d, of_classes); n > 0; n--) {
        rugi_ifs_filters some;
        double some_bits, cost = take(d, &some, &some_bits);
        if (cost < least) {
            least = cost;
            *filters = some;
            *bits = some_bits;
        }
        if (n > 1)
            merge(d);
    }
    rug_context_release(ctx, d);
    return RUG_OK;
}
