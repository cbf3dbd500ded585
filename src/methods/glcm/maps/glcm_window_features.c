/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The features of a window from its sums, by the formulas of glcm_features.c for a
 * symmetric matrix: N = 2n, N^2 variance = N X2 - X1^2, sum i j = X2 - D2. Entropies are
 * differences of whole numbers here, (t(n) - sum t) / n, and need no logarithm. */

#include "glcm_slide.h"
#include <math.h>

#define LN_2      0.69314718055994530942
#define LN_2_BITS UINT64_C(0xb17217f7d1cf79ac) /* ln 2, times 2^64 */

/* Levels that far from 0 leave no exact sums of their products. */
#define EXACT_BASE ((rugi_glcm_i128)1 << 38)
#define T_UNIT     (1.0 / (double)((uint64_t)1 << RUGI_GLCM_T_BITS))

/* Of features that take long. */
static inline int wants(const rugi_glcm_windows *w, rug_glcm_feature feature)
{
    return (int)(w->wanted >> feature & 1);
}

/* Most numbers fit 63 bits, which are faster to convert. */
static inline double to_double(rugi_glcm_i128 v)
{
    int64_t low = (int64_t)v;
    return low == v ? (double)low : (double)v;
}

/* Of a number that is known to fit 63 bits. */
static inline double small(uint64_t v)
{
    return (double)(int64_t)v;
}

static inline double weight_to_double(rugi_glcm_u128 v)
{
    return small((uint64_t)(v >> 64)) * 0x1p-32 + small((uint64_t)v >> 1) * 0x1p-95;
}

/* In nats, of counts that are 1 / per in sum; exactly 0 where one of them is all. */
static inline double entropy(uint64_t t_all, uint64_t t, double per)
{
    return t < t_all ? small(t_all - t) * T_UNIT * per : 0;
}

/* HX + HY - HXY, as shared_entropy() of glcm_features.c has it. Only the sum of all terms
 * is known to fit 64 bits. */
static inline double shared_entropy(const rugi_glcm_pile *p, uint64_t t_all, double per)
{
    rugi_glcm_u128 diagonal = (rugi_glcm_u128)(2 * p->equal) * LN_2_BITS;
    uint64_t t =
        2 * p->t + (uint64_t)(diagonal >> (64 - RUGI_GLCM_T_BITS)) + t_all - 2 * p->t_x;
    int64_t excess = (int64_t)t;
    return excess > (int64_t)p->pairs ? (double)excess * T_UNIT * per : 0;
}

static inline void entropies(double *f, const rugi_glcm_pile *p,
                             const rugi_glcm_windows *w, double per)
{
    const uint64_t *t = w->plan->logs.t;
    double per_nat = w->plan->per_nat;
    double hx = entropy(t[2 * p->pairs], p->t_x, per / 2) * per_nat;
    double shared = shared_entropy(p, t[2 * p->pairs], per / 2) * per_nat;
    f[RUG_GLCM_ANGULAR_SECOND_MOMENT] =
        small(p->squares) / small(2 * p->pairs * p->pairs);
    f[RUG_GLCM_SUM_ENTROPY] = entropy(t[p->pairs], p->t_sum, per) * per_nat;
    f[RUG_GLCM_DIFFERENCE_ENTROPY] = entropy(t[p->pairs], p->t_difference, per) * per_nat;
    f[RUG_GLCM_ENTROPY] =
        (entropy(t[p->pairs], p->t, per) + small(p->pairs - p->equal) * per * LN_2) *
        per_nat;
    f[RUG_GLCM_INFO_CORRELATION_1] = hx > 0 ? 0 - shared / hx : (double)NAN;
    if (wants(w, RUG_GLCM_INFO_CORRELATION_2))
        f[RUG_GLCM_INFO_CORRELATION_2] = shared > 0 ? sqrt(0 - expm1(-2 * shared)) : 0;
}

static inline void averages(double *f, const rugi_glcm_pile *p, rugi_glcm_i128 base)
{
    rugi_glcm_i128 n = 2 * (rugi_glcm_i128)p->pairs, x1 = (rugi_glcm_i128)p->x1;
    double both = to_double(x1 + n * base) / small(p->pairs);
    f[RUG_GLCM_SUM_AVERAGE] = both;
    f[RUG_GLCM_JOINT_AVERAGE] = both / 2;
}

static double autocorrelation(const rugi_glcm_pile *p, rugi_glcm_i128 base, double per)
{
    rugi_glcm_i128 n = 2 * (rugi_glcm_i128)p->pairs, x1 = (rugi_glcm_i128)p->x1;
    rugi_glcm_i128 products = (rugi_glcm_i128)(p->x2 - p->d2);
    if (base < EXACT_BASE && base > -EXACT_BASE)
        return to_double(products + 2 * x1 * base + n * base * base) * (per / 2);
    long double least = (long double)base, inverse = (long double)per / 2;
    long double sum = ((long double)products + 2 * (long double)x1 * least) * inverse;
    return (double)(sum + least * least);
}

void rugi_glcm_window_features(double out[RUG_GLCM_N_FEATURES], const rugi_glcm_pile *p,
                               const rugi_glcm_windows *w)
{
    rugi_glcm_i128 n = 2 * (rugi_glcm_i128)p->pairs, x1 = (rugi_glcm_i128)p->x1;
    rugi_glcm_i128 v = n * (rugi_glcm_i128)p->x2 - x1 * x1;
    rugi_glcm_i128 both = n * (rugi_glcm_i128)(p->x2 - p->d2) - x1 * x1;
    rugi_glcm_i128 d = (rugi_glcm_i128)p->pairs * (rugi_glcm_i128)p->d2 -
                       (rugi_glcm_i128)p->d1 * (rugi_glcm_i128)p->d1;
    double pairs = small(p->pairs), per = 1 / pairs, per_square = per * per;
    out[RUG_GLCM_CONTRAST] = small(p->d2) / pairs;
    out[RUG_GLCM_CORRELATION] = v != 0 ? to_double(both) / to_double(v) : (double)NAN;
    out[RUG_GLCM_VARIANCE] = to_double(v) * per_square / 4;
    out[RUG_GLCM_INVERSE_DIFFERENCE_MOMENT] = weight_to_double(p->closeness) / pairs;
    out[RUG_GLCM_SUM_VARIANCE] = to_double(v + both) * per_square / 2;
    out[RUG_GLCM_DIFFERENCE_VARIANCE] = to_double(d) * per_square;
    out[RUG_GLCM_DIFFERENCE_AVERAGE] = small(p->d1) / pairs;
    out[RUG_GLCM_DISSIMILARITY] = out[RUG_GLCM_DIFFERENCE_AVERAGE];
    out[RUG_GLCM_CLUSTER_TENDENCY] = out[RUG_GLCM_SUM_VARIANCE];
    averages(out, p, w->base);
    if (wants(w, RUG_GLCM_AUTOCORRELATION))
        out[RUG_GLCM_AUTOCORRELATION] = autocorrelation(p, w->base, per);
    if (w->with_counts)
        entropies(out, p, w, per);
    if (v == 0)
        out[RUG_GLCM_INFO_CORRELATION_1] = (double)NAN;
}
