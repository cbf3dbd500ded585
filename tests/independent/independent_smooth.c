/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Exact planes: SMOOTH prediction. */

#include "independent_exact.h"
#include <stdlib.h>

ind_smooth *ind_begin_smooth(int64_t ny, int64_t nx)
{
    ind_smooth *s = ind_alloc(1, sizeof *s);
    s->columns = ind_alloc((size_t)nx, sizeof *s->columns);
    for (int g = 0; g < IND_GUESSES; g++)
        s->guess_errors[g] = ind_new_plane(nx, ny);
    s->weights[0] = s->weights[1] = 32768;
    return s;
}

void ind_free_smooth(ind_smooth *s)
{
    if (!s)
        return;
    for (int g = 0; g < IND_GUESSES; g++)
        free(s->guess_errors[g].v);
    free(s->columns);
    free(s);
}

void ind_begin_row(ind_smooth *s)
{
    s->left = (ind_sums){0};
    s->group = -1;
}

static int64_t step(const ind_exact *e, int64_t a, int64_t b)
{
    return ind_limit(ind_floor(a - b, (int64_t)1 << e->noise), -511, 511);
}

/* The steps around a pixel. Returns how many there are. */
static int look_at_steps(int64_t d[IND_STEPS_MOST], const ind_exact *e,
                         const ind_around *a)
{
    int64_t pairs[IND_STEPS_MOST][2] = {{a->n, a->nw},  {a->w, a->nw}, {a->ne, a->n},
                                        {a->w, a->ww},  {a->n, a->nn}, {a->ne, a->nne},
                                        {a->nee, a->ne}};
    int k = 7;
    if (e->before) {
        const ind_plane *b = &e->before->pixels;
        int64_t here = ind_around_at(b, a->y, a->x);
        pairs[k][0] = here;
        pairs[k++][1] = ind_around_at(b, a->y, a->x - 1);
        pairs[k][0] = here;
        pairs[k++][1] = ind_around_at(b, a->y - 1, a->x);
        pairs[k][0] = a->x + 1 < b->nx ? *ind_at(b, a->y, a->x + 1) : here;
        pairs[k++][1] = here;
    }
    if (e->second) {
        const ind_plane *b = &e->second->pixels;
        int64_t here = ind_around_at(b, a->y, a->x);
        pairs[k][0] = here;
        pairs[k++][1] = ind_around_at(b, a->y, a->x - 1);
        pairs[k][0] = here;
        pairs[k++][1] = ind_around_at(b, a->y - 1, a->x);
    }
    for (int i = 0; i < k; i++)
        d[i] = step(e, pairs[i][0], pairs[i][1]);
    return k;
}

/* R(i) = R(i + 1) - (R(i + 1) >> 2) - (R(i + 1) >> 3) + column i. */
static int64_t nearer(int64_t r, int64_t column)
{
    return r - ind_floor(r, 4) - ind_floor(r, 8) + column;
}

static void look_right(ind_smooth *s, int64_t group, int64_t nx)
{
    int64_t end = 64 * group + 80 < nx ? 64 * group + 80 : nx;
    ind_sums r = {0};
    for (int64_t i = end - 1; i >= 64 * group; i--) {
        for (int j = 0; j < IND_STEPS_MOST; j++) {
            for (int k = 0; k < IND_STEPS_MOST; k++)
                r.products[j][k] = nearer(r.products[j][k], s->columns[i].products[j][k]);
            r.target[j] = nearer(r.target[j], s->columns[i].target[j]);
        }
        if (i < 64 * group + 64)
            s->right[i - 64 * group] = r;
    }
    s->group = group;
}

/* The first guess. */
static int64_t least_squares(ind_exact *e, const ind_around *a)
{
    ind_smooth *s = e->smooth;
    int k = look_at_steps(s->d, e, a);
    if (s->group != a->x / 64)
        look_right(s, a->x / 64, e->pixels.nx);
    const ind_sums *right = &s->right[a->x % 64];
    int64_t guess = 0;
    for (int i = 0; i < k; i++) {
        int64_t sum = 65536 * (s->left.target[i] + right->target[i]);
        for (int j = 0; j < k; j++)
            sum -= (s->left.products[i][j] + right->products[i][j]) * s->weights[j];
        int64_t own = s->left.products[i][i] + right->products[i][i];
        s->weights[i] = ind_limit(s->weights[i] + sum / (own + (own >> 10) + 1024),
                                  -(1 << 18), 1 << 18);
    }
    for (int i = 0; i < k; i++)
        guess += s->weights[i] * s->d[i];
    return 16 * a->w + ind_floor(guess * ((int64_t)1 << e->noise), 4096);
}

/* The guess by gradients. */
static int64_t by_gradients(const ind_exact *e, const ind_around *a)
{
    int64_t across = llabs(a->w - a->ww) + llabs(a->n - a->nw) + llabs(a->n - a->ne);
    int64_t down = llabs(a->w - a->nw) + llabs(a->n - a->nn) + llabs(a->ne - a->nne);
    int64_t g = ind_floor(down - across, (int64_t)1 << e->noise);
    int64_t m = 8 * (a->w + a->n) + 4 * (a->ne - a->nw);
    int64_t on = 16 * (g > 0 ? a->w : a->n);
    if (llabs(g) > 80)
        return on;
    if (llabs(g) > 32)
        return ind_floor(m + on, 2);
    return llabs(g) > 8 ? ind_floor(3 * m + on, 4) : m;
}

static int64_t blend(const ind_exact *e, const ind_around *a)
{
    const ind_smooth *s = e->smooth;
    int64_t sum = 0, weights = 0, y = a->y, x = a->x;
    for (int g = 0; g < IND_GUESSES; g++) {
        const ind_plane *o = &s->guess_errors[g];
        int64_t far = 2 * ind_around_at(o, y, x - 1) + ind_around_at(o, y, x - 2) +
                      2 * ind_around_at(o, y - 1, x) + ind_around_at(o, y - 1, x - 1) +
                      ind_around_at(o, y - 1, x + 1) + ind_around_at(o, y - 2, x);
        far >>= e->noise;
        int64_t weight = ((int64_t)1 << 40) / (far * far + 16) + 1;
        if (g == 0)
            weight *= 8;
        sum += weight * s->guesses[g];
        weights += weight;
    }
    return sum / weights;
}

/* The error of a plane at a pixel, in few classes. */
static int64_t error_class(const ind_exact *e, int64_t y, int64_t x)
{
    return ind_signed(ind_floor(ind_around_at(&e->errors, y, x), 16 << e->noise));
}

static void find_bias(ind_exact *e, ind_around *a)
{
    ind_smooth *s = e->smooth;
    int64_t unit = 16 << e->noise, level = ind_quarters(a->energy / unit) / 4;
    int64_t c[3];
    c[0] = 8 * a->pattern + (level < 7 ? level : 7);
    c[1] = 121 * (ind_signed(ind_floor(a->e_w, unit)) + 5) +
           11 * (ind_signed(ind_floor(a->e_n, unit)) + 5) +
           ind_signed(ind_floor(a->e_ne, unit)) + 5;
    if (e->before) {
        int64_t far = e->second ? error_class(e->second, a->y, a->x) : 0;
        c[2] = 11 * (error_class(e->before, a->y, a->x) + 5) + far + 5;
    } else {
        c[2] = 121 * (ind_signed(ind_floor(a->w - a->nw, unit / 16)) + 5) +
               11 * (ind_signed(ind_floor(a->n - a->nw, unit / 16)) + 5) +
               ind_signed(ind_floor(a->ne - a->n, unit / 16)) + 5;
    }
    s->beta = 0;
    for (int i = 0; i < 3; i++) {
        s->contexts[i] = &s->bias[i][c[i]];
        s->beta += s->contexts[i]->sum / (s->contexts[i]->count + 2);
    }
    s->beta /= 3;
}

void ind_predict_smooth(ind_exact *e, ind_around *a)
{
    ind_smooth *s = e->smooth;
    int64_t most = 16 * e->max;
    s->guesses[0] = least_squares(e, a);
    s->guesses[1] = 16 * (a->w + a->n - a->nw);
    s->guesses[2] = 16 * (a->n + a->ne - a->nne);
    s->guesses[3] = 16 * a->w;
    s->guesses[4] = by_gradients(e, a);
    for (int g = 0; g < IND_GUESSES; g++)
        s->guesses[g] = ind_limit(s->guesses[g], 0, most);
    int64_t p = blend(e, a);
    a->pattern = ind_pattern(a, p >> 4);
    find_bias(e, a);
    a->p = ind_limit(p + s->beta, 0, most);
}

void ind_learn_smooth(ind_exact *e, const ind_around *a, int64_t value)
{
    ind_smooth *s = e->smooth;
    for (int g = 0; g < IND_GUESSES; g++)
        *ind_at(&s->guess_errors[g], a->y, a->x) = llabs(16 * value - s->guesses[g]);
    for (int i = 0; i < 3; i++) {
        ind_bias *b = s->contexts[i];
        b->sum += 16 * value - a->p + s->beta;
        if (++b->count > 128) {
            b->sum /= 2;
            b->count /= 2;
        }
    }
    int64_t target = step(e, value, a->w);
    int64_t f = 512 / (a->energy / (128 << e->noise) + 8);
    ind_sums *column = &s->columns[a->x];
    for (int i = 0; i < IND_STEPS_MOST; i++)
        for (int j = 0; j <= IND_STEPS_MOST; j++) {
            bool is_target = j == IND_STEPS_MOST;
            int64_t product = f * s->d[i] * (is_target ? target : s->d[j]);
            int64_t *left = is_target ? &s->left.target[i] : &s->left.products[i][j];
            int64_t *own = is_target ? &column->target[i] : &column->products[i][j];
            *left += *own + product - ind_floor(*left, 4);
            *own += product - ind_floor(*own, 4);
        }
}

void ind_skip_smooth(ind_smooth *s, int64_t y, int64_t x)
{
    for (int g = 0; g < IND_GUESSES; g++)
        *ind_at(&s->guess_errors[g], y, x) = 0;
}
