/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The features of Haralick, Shanmugam and Dinstein (1973), appendix I, and of IBSI (2016),
 * section 3.6, from sums. With N the sum of the matrix, X1 and X2 sums of the levels of its
 * first marginal and their squares, Y1, Y2 those of the second, Q that of (i - j)^2:
 *
 *     N^2 variance of i = N X2 - X1^2,   N sum i j = (X2 + Y2 - Q') / 2
 *
 * with Q' over all entries. They are exact in 128 bits, so that differences of large numbers
 * lose nothing. The entropies of products of marginals, HXY1 and HXY2, are HX + HY. */

#include "glcm_features.h"
#include <math.h>

#define LN_2      0.69314718055994530942
#define LN_2_BITS UINT64_C(0xb17217f7d1cf79ac) /* ln 2, times 2^64 */

/* Levels that far from 0 leave no exact sums of their products. */
#define EXACT_BASE ((rugi_glcm_i128)1 << 38)

typedef struct variances {
    rugi_glcm_i128 x, y, both; /* N^2 times the variances and the covariance */
} variances;

/* The sum of i j over the matrix. */
static rugi_glcm_i128 products(const rugi_glcm_sums *s)
{
    rugi_glcm_i128 q = (rugi_glcm_i128)s->d2 * (s->is_symmetric ? 2 : 1);
    return ((rugi_glcm_i128)(s->x2 + s->y2) - q) / 2;
}

static variances find_variances(const rugi_glcm_sums *s)
{
    rugi_glcm_i128 n = (rugi_glcm_i128)s->total, x1 = (rugi_glcm_i128)s->x1;
    rugi_glcm_i128 y1 = (rugi_glcm_i128)s->y1;
    return (variances){n * (rugi_glcm_i128)s->x2 - x1 * x1,
                       n * (rugi_glcm_i128)s->y2 - y1 * y1, n * products(s) - x1 * y1};
}

int rugi_glcm_is_flat(const rugi_glcm_sums *s)
{
    variances v = find_variances(s);
    return s->pairs > 0 && (v.x == 0 || v.y == 0);
}

/* The entropy of the matrix in nats. When only the t of unordered pairs is known: entries
 * (i, j) and (j, i) are equal, and one on the diagonal is twice its pairs, so that the matrix
 * has ln 2 more for each pair off the diagonal. */
static double joint_entropy(const rugi_glcm_sums *s, const rugi_glcm_plan *plan)
{
    double h = rugi_glcm_entropy(&plan->logs, s->pairs, s->t);
    if (!s->is_symmetric)
        return h;
    return h + (double)(s->pairs - s->equal) / (double)s->pairs * LN_2;
}

/* HX + HY - HXY in nats, (t(N) + sum t(p) - sum t(px) - sum t(py)) / N with p, px, py in
 * counts. Every t may be wrong by half a unit, those of 0 and 1 are not, so less than N / 2
 * units are nothing: levels that are independent have exactly 0. */
static double shared_entropy(const rugi_glcm_sums *s, const rugi_glcm_plan *plan)
{
    rugi_glcm_i128 t = (rugi_glcm_i128)s->t;
    if (s->is_symmetric)
        t = 2 * t + (rugi_glcm_i128)((2 * (rugi_glcm_u128)s->equal * LN_2_BITS) >>
                                     (64 - RUGI_GLCM_T_BITS));
    t += (rugi_glcm_i128)rugi_glcm_t(&plan->logs, s->total);
    t -= (rugi_glcm_i128)(s->t_x + s->t_y);
    if (t <= (rugi_glcm_i128)(s->total / 2))
        return 0;
    return (double)(ldexpl((long double)t, -RUGI_GLCM_T_BITS) / (long double)s->total);
}

static void entropies(double *f, const rugi_glcm_sums *s, const rugi_glcm_plan *plan)
{
    const rugi_glcm_logs *logs = &plan->logs;
    double per_nat = plan->per_nat;
    double hx = rugi_glcm_entropy(logs, s->total, s->t_x) * per_nat;
    double hy = rugi_glcm_entropy(logs, s->total, s->t_y) * per_nat;
    double hxy = joint_entropy(s, plan) * per_nat;
    double shared = shared_entropy(s, plan) * per_nat, largest = hx > hy ? hx : hy;
    f[RUG_GLCM_SUM_ENTROPY] = rugi_glcm_entropy(logs, s->pairs, s->t_sum) * per_nat;
    f[RUG_GLCM_DIFFERENCE_ENTROPY] =
        rugi_glcm_entropy(logs, s->pairs, s->t_difference) * per_nat;
    f[RUG_GLCM_ENTROPY] = hxy;
    f[RUG_GLCM_INFO_CORRELATION_1] = largest > 0 ? 0 - shared / largest : NAN;
    f[RUG_GLCM_INFO_CORRELATION_2] = sqrt(0 - expm1(-2 * shared));
}

static void moments(double *f, const rugi_glcm_sums *s)
{
    variances v = find_variances(s);
    double n = (double)s->total, pairs = (double)s->pairs;
    rugi_glcm_i128 d1 = (rugi_glcm_i128)s->d1;
    f[RUG_GLCM_ANGULAR_SECOND_MOMENT] = (double)s->squares / n / n;
    f[RUG_GLCM_CONTRAST] = (double)s->d2 / pairs;
    f[RUG_GLCM_CORRELATION] =
        (double)v.both /
        (s->is_symmetric ? (double)v.x : sqrt((double)v.x) * sqrt((double)v.y));
    f[RUG_GLCM_VARIANCE] = (double)v.x / n / n;
    f[RUG_GLCM_INVERSE_DIFFERENCE_MOMENT] = s->closeness / pairs;
    f[RUG_GLCM_SUM_VARIANCE] = (double)(v.x + v.y + 2 * v.both) / n / n;
    f[RUG_GLCM_DIFFERENCE_VARIANCE] =
        (double)((rugi_glcm_i128)s->pairs * (rugi_glcm_i128)s->d2 - d1 * d1) / pairs /
        pairs;
}

/* Averages see the least level, which variances do not. */
static void averages(double *f, const rugi_glcm_sums *s, rugi_glcm_i128 base)
{
    rugi_glcm_i128 n = (rugi_glcm_i128)s->total, x1 = (rugi_glcm_i128)s->x1;
    rugi_glcm_i128 both = x1 + (rugi_glcm_i128)s->y1;
    f[RUG_GLCM_SUM_AVERAGE] = (double)(both + 2 * n * base) / (double)n;
    f[RUG_GLCM_JOINT_AVERAGE] = (double)(x1 + n * base) / (double)n;
    if (base < EXACT_BASE && base > -EXACT_BASE) {
        rugi_glcm_i128 sum = products(s) + both * base + n * base * base;
        f[RUG_GLCM_AUTOCORRELATION] = (double)sum / (double)n;
    } else {
        long double least = (long double)base, total = (long double)n;
        long double sum = ((long double)products(s) + (long double)both * least) / total;
        f[RUG_GLCM_AUTOCORRELATION] = (double)(sum + least * least);
    }
}

static void more(double *f, const rugi_glcm_sums *s)
{
    double n = (double)s->pairs;
    f[RUG_GLCM_JOINT_MAXIMUM] = (double)s->largest / (double)s->total;
    f[RUG_GLCM_DIFFERENCE_AVERAGE] = (double)s->d1 / n;
    f[RUG_GLCM_DISSIMILARITY] = f[RUG_GLCM_DIFFERENCE_AVERAGE];
    f[RUG_GLCM_INVERSE_DIFFERENCE] = s->inverse / n;
    f[RUG_GLCM_INVERSE_DIFFERENCE_NORMALISED] = s->inverse_scaled / n;
    f[RUG_GLCM_INVERSE_DIFFERENCE_MOMENT_NORMALISED] = s->closeness_scaled / n;
    f[RUG_GLCM_INVERSE_VARIANCE] = s->inverse_variance / n;
    f[RUG_GLCM_CLUSTER_TENDENCY] = f[RUG_GLCM_SUM_VARIANCE];
    f[RUG_GLCM_CLUSTER_SHADE] = s->shade / n;
    f[RUG_GLCM_CLUSTER_PROMINENCE] = s->prominence / n;
}

void rugi_glcm_features(double out[RUG_GLCM_N_FEATURES], const rugi_glcm_sums *s,
                        const rugi_glcm_plan *plan, rugi_glcm_i128 base)
{
    for (int i = 0; i < RUG_GLCM_N_FEATURES; i++)
        out[i] = NAN;
    if (s->pairs == 0)
        return;
    moments(out, s);
    averages(out, s, base);
    entropies(out, s, plan);
    if (plan->with_all)
        more(out, s);
    else
        out[RUG_GLCM_JOINT_AVERAGE] = out[RUG_GLCM_AUTOCORRELATION] = NAN;
    if (plan->with_mcc)
        out[RUG_GLCM_MAX_CORRELATION_COEFFICIENT] = s->mcc;
    if (rugi_glcm_is_flat(s))
        out[RUG_GLCM_CORRELATION] = out[RUG_GLCM_INFO_CORRELATION_1] =
            out[RUG_GLCM_MAX_CORRELATION_COEFFICIENT] = NAN;
}
