/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The filters of a plane, which come after deblocking. */

#include "independent.h"
#include <stdlib.h>

enum { N_CLASSES = 40, N_FILTERS = 32, N_TAPS = 14 };

struct ind_filters {
    bool is_filtered;
    int64_t limit;               /* L */
    int64_t n;                   /* how many there are */
    int64_t of_class[N_CLASSES]; /* 0: none, else 1..n */
    int64_t taps[N_FILTERS][N_TAPS];
    int64_t roots_nx, roots_ny;
    bool *on; /* [roots_ny][roots_nx]; owned */
};

typedef struct contexts {
    ind_context filtered[1], as_calmer[3], as_other[3];
    ind_context size[IND_NUMBER(1)];
    ind_context negative[N_TAPS];
    ind_context all_on[1], on[3];
} contexts;

static void read_classes(ind_filters *f, ind_coder *coder, contexts *c)
{
    int last = 0;
    for (int class = 0; class < N_CLASSES; class ++) {
        int64_t calmer = class < 5 ? 0 : f->of_class[class - 5];
        int64_t other = class % 5 == 0 ? calmer : f->of_class[class - 1];
        if (ind_bit(coder, &c->as_calmer[last])) {
            f->of_class[class] = calmer;
            last = 0;
        } else if (other != calmer && ind_bit(coder, &c->as_other[last])) {
            f->of_class[class] = other;
            last = 1;
        } else {
            f->of_class[class] = ind_uniform(coder, f->n + 1);
            last = 2;
        }
    }
}

static void read_taps(ind_filters *f, ind_coder *coder, contexts *c)
{
    for (int64_t i = 0; i < f->n; i++) {
        for (int tap = 0; tap < N_TAPS; tap++) {
            int64_t size = ind_number(coder, c->size, 1);
            if (size > 63) {
                coder->damaged = "a tap is too large";
                return;
            }
            bool is_negative = size > 0 && ind_bit(coder, &c->negative[tap]);
            f->taps[i][tap] = is_negative ? -size : size;
        }
    }
}

static bool is_on(const ind_filters *f, int64_t y, int64_t x)
{
    return y < 0 || x < 0 || f->on[y * f->roots_nx + x];
}

static void read_roots(ind_filters *f, ind_coder *coder, contexts *c)
{
    bool all = ind_bit(coder, &c->all_on[0]);
    for (int64_t y = 0; y < f->roots_ny; y++)
        for (int64_t x = 0; x < f->roots_nx; x++) {
            int roots = is_on(f, y, x - 1) + is_on(f, y - 1, x);
            f->on[y * f->roots_nx + x] = all || ind_bit(coder, &c->on[roots]);
        }
}

ind_filters *ind_read_filters(ind_coder *coder, int64_t roots_ny, int64_t roots_nx)
{
    ind_filters *f = ind_alloc(1, sizeof *f);
    contexts c;
    ind_begin_contexts(&c, sizeof c);
    f->roots_nx = roots_nx;
    f->roots_ny = roots_ny;
    f->on = ind_alloc((size_t)(roots_ny * roots_nx), sizeof *f->on);
    f->is_filtered = ind_bit(coder, &c.filtered[0]);
    if (!f->is_filtered)
        return f;
    f->n = 1 + ind_uniform(coder, 32);
    int64_t l = ind_uniform(coder, 32);
    f->limit = l % 2 ? 46340 >> ((31 - l) / 2) : 1 << (l / 2);
    read_classes(f, coder, &c);
    read_taps(f, coder, &c);
    read_roots(f, coder, &c);
    return f;
}

void ind_free_filters(ind_filters *f)
{
    if (f)
        free(f->on);
    free(f);
}

/* A pixel; beyond the plane the nearest one. */
static int64_t near_pixel(const ind_plane *p, int64_t y, int64_t x)
{
    return *ind_at(p, ind_limit(y, 0, p->ny - 1), ind_limit(x, 0, p->nx - 1));
}

/* |2 P - the pixels on both sides|, over the 8 x 8 pixels that begin at (y, x). */
static int64_t roughness(const ind_plane *p, int64_t y, int64_t x, int dy, int dx)
{
    int64_t sum = 0;
    for (int64_t i = y; i < y + 8; i++)
        for (int64_t j = x; j < x + 8; j++)
            sum += llabs(2 * near_pixel(p, i, j) - near_pixel(p, i - dy, j - dx) -
                         near_pixel(p, i + dy, j + dx));
    return sum;
}

/* What a square of 4 x 4 pixels is like. */
typedef struct square {
    int class;
    bool is_turned, is_mirrored;
} square;

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static square look_at(const ind_plane *p, int64_t limit, int64_t y, int64_t x)
{
    int64_t h = roughness(p, y - 2, x - 2, 0, 1), v = roughness(p, y - 2, x - 2, 1, 0);
    int64_t f = roughness(p, y - 2, x - 2, 1, 1), r = roughness(p, y - 2, x - 2, 1, -1);
    int64_t most = larger(h, v), least = h + v - most;
    int64_t most_2 = larger(f, r), least_2 = f + r - most_2;
    bool is_diagonal = most_2 * least > most * least_2;
    if (is_diagonal) {
        most = most_2;
        least = least_2;
    }
    int direction = 0, activity = 0;
    if (2 * most > 3 * least)
        direction = (is_diagonal ? 1 : 3) + (most > 4 * least);
    for (int i = 0; i < 7; i++)
        activity += h + v > 24 * limit * (1 << i);
    return (square){5 * activity + direction, v > h, r > f};
}

/* What a filter adds to a pixel, in 1/64. `u`: the distance of neighbours. */
static int64_t change_of(const ind_plane *p, const int64_t *taps, int64_t limit, square s,
                         int64_t y, int64_t x, int64_t u)
{
    static const int pairs[N_TAPS][2] = {{0, 1}, {1, 0},  {1, 1}, {1, -1}, {0, 2},
                                         {2, 0}, {0, 3},  {3, 0}, {0, 1},  {1, 0},
                                         {1, 1}, {1, -1}, {0, 2}, {2, 0}};
    int64_t sum = 0, centre = near_pixel(p, y, x);
    for (int tap = 0; tap < N_TAPS; tap++) {
        int64_t bound = tap < 8 ? INT32_MAX : tap < 12 ? limit : limit >> 1;
        int64_t dy = u * pairs[tap][s.is_turned], dx = u * pairs[tap][!s.is_turned];
        if (s.is_mirrored)
            dx = -dx;
        int64_t before = near_pixel(p, y - dy, x - dx) - centre;
        int64_t behind = near_pixel(p, y + dy, x + dx) - centre;
        sum += taps[tap] *
               (ind_limit(before, -bound, bound) + ind_limit(behind, -bound, bound));
    }
    return sum;
}

/* Means of u x u pixels. */
static ind_plane means_of(const ind_plane *p, int64_t u)
{
    ind_plane means = ind_new_plane(p->nx / u, p->ny / u);
    for (int64_t y = 0; y < p->ny; y++)
        for (int64_t x = 0; x < p->nx; x++)
            *ind_at(&means, y / u, x / u) += *ind_at(p, y, x);
    for (int64_t i = 0; i < means.nx * means.ny; i++)
        means.v[i] = ind_floor(means.v[i] + u * u / 2, u * u);
    return means;
}

static void filter_square(ind_plane *to, const ind_plane *p, const ind_filters *f,
                          square s, int64_t y, int64_t x, int64_t u, int64_t least,
                          int64_t most)
{
    int64_t filter = f->of_class[s.class];
    for (int64_t i = y; filter > 0 && i < y + 4 * u; i++)
        for (int64_t j = x; j < x + 4 * u; j++) {
            int64_t change = change_of(p, f->taps[filter - 1], f->limit, s, i, j, u);
            int64_t v = *ind_at(p, i, j) + ind_round(change, 6);
            *ind_at(to, i, j) = ind_limit(v, least, most);
        }
}

void ind_filter(ind_plane *plane, const ind_filters *f, int octave, int64_t least,
                int64_t most)
{
    if (!f->is_filtered)
        return;
    int64_t u = (int64_t)1 << octave;
    ind_plane means = means_of(plane, u), to = ind_new_plane(plane->nx, plane->ny);
    for (int64_t i = 0; i < to.nx * to.ny; i++)
        to.v[i] = plane->v[i];
    for (int64_t y = 0; y < means.ny; y += 4)
        for (int64_t x = 0; x < means.nx; x += 4)
            if (is_on(f, y / 32, x / 32))
                filter_square(&to, plane, f, look_at(&means, f->limit, y, x), y * u,
                              x * u, u, least, most);
    free(means.v);
    free(plane->v);
    *plane = to;
}
