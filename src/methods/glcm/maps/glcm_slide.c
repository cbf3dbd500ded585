/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A window along a row: the pairs of a column enter, those of another leave, and features
 * follow from the sums. */

#include "glcm_slide.h"
#include "core/context/threads.h"
#include <math.h>
#include <string.h>

/* ---- Features ----
 *
 * They follow from the sums of a window by the formulas of glcm_features.c for a
 * symmetric matrix: N = 2n, N^2 variance = N X2 - X1^2, sum i j = X2 - D2. Entropies are
 * differences of whole numbers here, (t(n) - sum t) / n, and need no logarithm. */

#define T_UNIT (1.0 / (double)((uint64_t)1 << RUGI_GLCM_T_BITS))

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
    rugi_glcm_u128 diagonal = (rugi_glcm_u128)(2 * p->equal) * RUGI_GLCM_LN_2_BITS;
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
    f[RUG_GLCM_ENTROPY] = (entropy(t[p->pairs], p->t, per) +
                           small(p->pairs - p->equal) * per * RUGI_GLCM_LN_2) *
                          per_nat;
    double f12 = 0 - shared / hx; /* within -1..0, but for rounding */
    f[RUG_GLCM_INFO_CORRELATION_1] = hx > 0 ? (f12 < -1 ? -1 : f12) : (double)NAN;
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
    if (base < RUGI_GLCM_EXACT_BASE && base > -RUGI_GLCM_EXACT_BASE)
        return to_double(products + 2 * x1 * base + n * base * base) * (per / 2);
    long double least = (long double)base, inverse = (long double)per / 2;
    long double sum = ((long double)products + 2 * (long double)x1 * least) * inverse;
    return (double)(sum + least * least);
}

/* Features of a window that has pairs. Those that have no map are left as they are. */
static void find_features(double out[RUG_GLCM_N_FEATURES], const rugi_glcm_pile *p,
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

/* ---- Sliding along a row ----
 *
 * The counters of one direction after the other, so that they stay in the cache. A row
 * begins with an empty window, whatever the rows before: rows do not depend on who makes
 * them. */

/* A pair comes in (sign 1) or goes out (-1). The next of c equal pairs adds 2c + 1 to the
 * sum of squares and t(c + 1) - t(c) to that of t; the last of c + 1 takes that away. */
typedef struct pair {
    uint32_t low_rank, high_rank, low, high;
} pair;

static inline void move_moments(rugi_glcm_pile *p, const rugi_glcm_u128 *weight,
                                const pair *v, uint64_t sign)
{
    uint64_t d = v->high - v->low, low = v->low, high = v->high;
    p->pairs += sign;
    p->d1 += sign * d;
    p->d2 += sign * d * d;
    p->x1 += sign * (low + high);
    p->x2 += sign * (low * low + high * high);
    p->closeness += sign == 1 ? weight[d] : 0 - weight[d];
}

#define MOVE(counter, total, step, is_in)   \
    do {                                    \
        if (is_in)                          \
            (total) += (step)[(counter)++]; \
        else                                \
            (total) -= (step)[--(counter)]; \
    } while (0)

static inline void move_counts(rugi_glcm_pile *p, const rugi_glcm_slide *s,
                               const uint64_t *step, const pair *v, int is_in)
{
    size_t high = v->high_rank;
    uint16_t *entry = &s->matrix[high * (high + 1) / 2 + v->low_rank];
    uint64_t count = (uint64_t)*entry - !is_in;
    uint64_t square = (2 * count + 1) << (v->low == v->high);
    p->squares += is_in ? square : 0 - square;
    MOVE(*entry, p->t, step, is_in);
    MOVE(s->difference[v->high - v->low], p->t_difference, step, is_in);
    MOVE(s->sum[v->high + v->low], p->t_sum, step, is_in);
    MOVE(s->marginal[v->low_rank], p->t_x, step, is_in);
    MOVE(s->marginal[v->high_rank], p->t_x, step, is_in);
}

/* Where the pairs of a column are. */
typedef struct column {
    size_t upper, lower; /* pixels of the tile: of the first pair */
    size_t n;
} column;

static inline int is_inside(const rugi_glcm_tile *t, size_t pixel)
{
    return (int)(t->mask[pixel / 64] >> pixel % 64 & 1);
}

/* Ranks rise with levels. */
static inline pair pair_of(const rugi_glcm_tile *t, size_t a, size_t b)
{
    uint32_t la = t->level[a], lb = t->level[b], ra = t->rank[a], rb = t->rank[b];
    return (pair){ra < rb ? ra : rb, ra < rb ? rb : ra, la < lb ? la : lb,
                  la < lb ? lb : la};
}

/* One column. The flags are known where it is used. */
static inline void pass(rugi_glcm_pile *p, const rugi_glcm_slide *s,
                        const rugi_glcm_windows *w, column c, int is_in, int with_counts,
                        int with_mask)
{
    const rugi_glcm_tile *t = w->tile;
    const uint64_t *step = w->plan->logs.step;
    size_t width = 64 * t->n_words;
    for (size_t i = 0; i < c.n; i++) {
        size_t a = c.upper + i * width, b = c.lower + i * width;
        if (with_mask && !(is_inside(t, a) && is_inside(t, b)))
            continue;
        pair v = pair_of(t, a, b);
        move_moments(p, w->weight, &v, is_in ? 1 : UINT64_MAX);
        if (with_counts)
            move_counts(p, s, step, &v, is_in);
    }
}

/* What changes is summed up in registers first. */
static inline void move(rugi_glcm_slide *s, const rugi_glcm_windows *w, column in,
                        column out, int with_counts, int with_mask)
{
    rugi_glcm_pile change = {.pairs = 0}, *now = &s->now;
    pass(&change, s, w, in, 1, with_counts, with_mask);
    pass(&change, s, w, out, 0, with_counts, with_mask);
    now->pairs += change.pairs;
    now->d1 += change.d1;
    now->d2 += change.d2;
    now->x1 += change.x1;
    now->x2 += change.x2;
    now->closeness += change.closeness;
    if (!with_counts)
        return;
    now->equal = s->difference[0];
    now->squares += change.squares;
    now->t += change.t;
    now->t_x += change.t_x;
    now->t_difference += change.t_difference;
    now->t_sum += change.t_sum;
}

/* A column of pairs comes in, another goes out; either may have none. */
static void move_columns(rugi_glcm_slide *s, const rugi_glcm_windows *w, column in,
                         column out)
{
    if (w->with_mask)
        w->with_counts ? move(s, w, in, out, 1, 1) : move(s, w, in, out, 0, 1);
    else
        w->with_counts ? move(s, w, in, out, 1, 0) : move(s, w, in, out, 0, 0);
}

/* The pairs of a row of windows whose left pixels are in column x. */
typedef struct span {
    size_t first, n; /* rows of the upper pixels */
} span;

static column column_at(const rugi_glcm_windows *w, const rugi_glcm_step *o, span rows,
                        size_t x)
{
    size_t width = 64 * w->tile->n_words;
    size_t upper = o->is_left ? x + o->dx : x, lower = o->is_left ? x : x + o->dx;
    return (column){rows.first * width + upper, (rows.first + o->dy) * width + lower,
                    rows.n};
}

static void add_features(rugi_glcm_slide *s, const rugi_glcm_windows *w, size_t x,
                         double *const row[])
{
    double f[RUG_GLCM_N_FEATURES];
    if (s->now.pairs == 0)
        return;
    find_features(f, &s->now, w);
    s->n_means[x]++;
    for (uint32_t k = 0; k < w->n_features; k++)
        row[k][x] += f[w->feature[k]];
}

/* Columns between two looks for cancellation. */
#define LOOK_COLUMNS 64

/* One direction. Pairs whose right pixel is in column `right` come in when the window
 * reaches it, and go out when it leaves the column of their left pixel. @return 0 when it was
 * stopped: then counters are not 0 again, and nothing may be counted in them any more */
static int slide(rugi_glcm_slide *s, const rugi_glcm_windows *w, const rugi_glcm_step *o,
                 span rows, double *const row[])
{
    static const column none = {0, 0, 0};
    size_t nx = w->tile->nx, r = w->radius[1], right = o->dx, left = 0;
    for (; right < nx && right < r; right++)
        move_columns(s, w, column_at(w, o, rows, right - o->dx), none);
    for (size_t x = 0; x < nx; x++) {
        if (x % LOOK_COLUMNS == 0 && rugi_must_stop())
            return 0;
        int comes = right < nx && right <= x + r,
            goes = left + r < x && left + o->dx < nx;
        move_columns(s, w, comes ? column_at(w, o, rows, right - o->dx) : none,
                     goes ? column_at(w, o, rows, left) : none);
        right += (size_t)comes;
        left += (size_t)goes;
        add_features(s, w, x, row);
    }
    for (; left + o->dx < nx; left++)
        move_columns(s, w, none, column_at(w, o, rows, left));
    return 1;
}

static void divide(const rugi_glcm_slide *s, const rugi_glcm_windows *w,
                   double *const row[])
{
    for (uint32_t k = 0; k < w->n_features; k++)
        for (size_t x = 0; x < w->tile->nx; x++)
            row[k][x] = s->n_means[x] > 0 ? row[k][x] / s->n_means[x] : (double)NAN;
}

void rugi_glcm_slide_row(rugi_glcm_slide *s, const rugi_glcm_windows *w, size_t y,
                         double *const row[])
{
    size_t nx = w->tile->nx, ny = w->tile->ny, r = w->radius[0];
    size_t first = y > r ? y - r : 0, end = r < ny - y ? y + r + 1 : ny;
    memset(s->n_means, 0, nx);
    for (uint32_t k = 0; k < w->n_features; k++)
        memset(row[k], 0, nx * sizeof *row[k]);
    for (uint32_t i = 0; i < w->n_steps; i++) {
        const rugi_glcm_step *o = &w->step[i];
        if (end - first > o->dy && nx > o->dx &&
            !slide(s, w, o, (span){first, end - first - o->dy}, row))
            return;
    }
    divide(s, w, row);
}
