/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sliding along a row: the counters of one direction after the other, so that they stay
 * in the cache. A row begins with an empty window, whatever the rows before: rows do not
 * depend on who makes them. */

#include "glcm_slide.h"
#include <math.h>
#include <string.h>

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
    rugi_glcm_window_features(f, &s->now, w);
    s->n_means[x]++;
    for (uint32_t k = 0; k < w->n_features; k++)
        row[k][x] += f[w->feature[k]];
}

/* One direction. Pairs whose right pixel is in column `right` come in when the window
 * reaches it, and go out when it leaves the column of their left pixel. */
static void slide(rugi_glcm_slide *s, const rugi_glcm_windows *w, const rugi_glcm_step *o,
                  span rows, double *const row[])
{
    static const column none = {0, 0, 0};
    size_t nx = w->tile->nx, r = w->radius, right = o->dx, left = 0;
    for (; right < nx && right < r; right++)
        move_columns(s, w, column_at(w, o, rows, right - o->dx), none);
    for (size_t x = 0; x < nx; x++) {
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
    size_t nx = w->tile->nx, ny = w->tile->ny, r = w->radius;
    size_t first = y > r ? y - r : 0, end = r < ny - y ? y + r + 1 : ny;
    memset(s->n_means, 0, nx);
    for (uint32_t k = 0; k < w->n_features; k++)
        memset(row[k], 0, nx * sizeof *row[k]);
    for (uint32_t i = 0; i < w->n_steps; i++) {
        const rugi_glcm_step *o = &w->step[i];
        if (end - first > o->dy && nx > o->dx)
            slide(s, w, o, (span){first, end - first - o->dy}, row);
    }
    divide(s, w, row);
}
