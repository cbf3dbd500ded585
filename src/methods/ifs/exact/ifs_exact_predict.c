/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prediction by least squares over the pixels around, whose sums fade with the distance (Meyer
 * and Tischer, "Glicbawls: grey level image compression by adaptive weighted least squares",
 * 2001); the weights are not solved for but moved on by one sweep of Gauss and Seidel a pixel.
 * It is blended with four fixed predictors by how far each was off near by (Seemann and
 * Tischer, "Generalized locally adaptive DPCM", 1997). What is off on average in contexts
 * alike is added (Wu and Memon, "Context-based, adaptive, lossless image coding", 1997). */

#include "ifs_exact_predict.h"

/* A weight of least squares, in 1/65536, stays within +-4. */
#define WEIGHT_MAX (1 << 18)

/* Differences, after noise is shifted out, stay within that: with weights of samples up to 64
 * no sum of products reaches 2^30. */
#define STEP_MAX 511

/* The guess of least squares counts so often. */
#define FIRST_COUNTS 8

#define BIAS_MAX 128

static inline int32_t step(const rugi_ifs_exact_plane *p, int32_t to, int32_t from)
{
    const int32_t d = (to - from) >> p->noise;
    return d > STEP_MAX ? STEP_MAX : d < -STEP_MAX ? -STEP_MAX : d;
}

static inline void take_steps(const rugi_ifs_exact_plane *p, uint32_t x,
                              const rugi_ifs_near *near, int32_t *d)
{
    d[0] = step(p, near->n, near->nw);
    d[1] = step(p, near->w, near->nw);
    d[2] = step(p, near->ne, near->n);
    d[3] = step(p, near->w, near->ww);
    d[4] = step(p, near->n, near->nn);
    d[5] = step(p, near->ne, near->nne);
    d[6] = step(p, near->nee, near->ne);
    for (int i = 0; i < p->n_before; i++) {
        const int32_t *row = p->before[i]->row[0] + x, *above = p->before[i]->row[1] + x;
        d[7 + 3 * i] = step(p, row[0], row[-1]);
        d[8 + 3 * i] = step(p, row[0], above[0]);
        if (i == 0)
            d[9] = step(p, row[1], row[0]);
    }
}

/* ---- Least squares ---- */

/* The sums of columns from x on, which fade by 3/8 from one to the next, for all x of a chunk. */
static inline void add_right(rugi_ifs_exact_plane *p, uint32_t x, unsigned n_sums)
{
    const uint32_t chunk = x / RUGI_IFS_CHUNK, start = chunk * RUGI_IFS_CHUNK;
    uint32_t n = RUGI_IFS_CHUNK + RUGI_IFS_AHEAD;
    if (chunk == p->chunk)
        return;
    p->chunk = chunk;
    n = p->nx - start < n ? p->nx - start : n;
    for (unsigned i = 0; i < n_sums; i++)
        p->right[(size_t)n * n_sums + i] = 0;
    for (uint32_t k = n; k-- > x - start;) {
        const int32_t *restrict next = p->right + (size_t)(k + 1) * n_sums;
        const int32_t *restrict column = p->columns + (size_t)(start + k) * n_sums;
        int32_t *restrict sum = p->right + (size_t)k * n_sums;
        for (unsigned i = 0; i < n_sums; i++)
            sum[i] = next[i] - (next[i] >> 2) - (next[i] >> 3) + column[i];
    }
}

static inline int32_t by_least_squares(rugi_ifs_exact_plane *p, uint32_t x,
                                       const int32_t *steps, unsigned n_steps)
{
    const unsigned n_sums = RUGI_IFS_SUMS(n_steps);
    int32_t sums[RUGI_IFS_SUMS(RUGI_IFS_STEPS_MAX)];
    int64_t a[RUGI_IFS_STEPS_MAX][RUGI_IFS_STEPS_MAX], change = 0;
    add_right(p, x, n_sums);
    const int32_t *restrict right = p->right + (size_t)(x % RUGI_IFS_CHUNK) * n_sums;
    for (unsigned i = 0; i < n_sums; i++)
        sums[i] = p->left[i] + right[i];
    const int32_t *sum = sums;
    for (unsigned i = 0; i < n_steps; i++)
        for (unsigned k = 0; k <= i; k++)
            a[i][k] = a[k][i] = *sum++;
    for (unsigned i = 0; i < n_steps; i++) {
        int64_t rest = (int64_t)sum[i] * 65536;
        for (unsigned k = 0; k < n_steps; k++)
            rest -= a[i][k] * p->weights[k];
        const int64_t to = p->weights[i] + rest / (a[i][i] + (a[i][i] >> 10) + 1024);
        p->weights[i] = (int32_t)(to > WEIGHT_MAX    ? WEIGHT_MAX
                                  : to < -WEIGHT_MAX ? -WEIGHT_MAX
                                                     : to);
        change += (int64_t)p->weights[i] * steps[i];
    }
    return (int32_t)((change * (1 << p->noise)) >> 12);
}

static inline void learn_sums(rugi_ifs_exact_plane *p, uint32_t x, const int32_t *steps,
                              int32_t target, int32_t weight, unsigned n_steps)
{
    const unsigned n_sums = RUGI_IFS_SUMS(n_steps);
    int32_t products[RUGI_IFS_SUMS(RUGI_IFS_STEPS_MAX)], *at = products;
    int32_t *restrict left = p->left;
    int32_t *restrict column = p->columns + (size_t)x * n_sums;
    for (unsigned i = 0; i < n_steps; i++)
        for (unsigned k = 0; k <= i; k++)
            *at++ = steps[i] * steps[k] * weight;
    for (unsigned i = 0; i < n_steps; i++)
        *at++ = steps[i] * target * weight;
    for (unsigned i = 0; i < n_sums; i++) {
        left[i] = left[i] - (left[i] >> 2) + column[i] + products[i];
        column[i] = column[i] - (column[i] >> 2) + products[i];
    }
}

/* ---- Blending ---- */

/* CALIC's predictor: along the edge where there is one. */
static int32_t along_edges(const rugi_ifs_exact_plane *p, const rugi_ifs_near *s)
{
    const uint32_t across = rugi_ifs_size(s->w - s->ww) + rugi_ifs_size(s->n - s->nw) +
                            rugi_ifs_size(s->n - s->ne);
    const uint32_t down = rugi_ifs_size(s->w - s->nw) + rugi_ifs_size(s->n - s->nn) +
                          rugi_ifs_size(s->ne - s->nne);
    const int32_t edge = ((int32_t)down - (int32_t)across) >> p->noise;
    const int32_t mean = 8 * (s->w + s->n) + 4 * (s->ne - s->nw);
    const int32_t on = 16 * (edge > 0 ? s->w : s->n), size = edge < 0 ? -edge : edge;
    return size > 80   ? on
           : size > 32 ? (mean + on) >> 1
           : size > 8  ? (3 * mean + on) >> 2
                       : mean;
}

static int32_t blend(rugi_ifs_exact_plane *p, uint32_t x, const rugi_ifs_near *s,
                     rugi_ifs_guess *g)
{
    int64_t sum = 0, weights = 0;
    g->guesses[1] = 16 * (s->w + s->n - s->nw);
    g->guesses[2] = 16 * (s->n + s->ne - s->nne);
    g->guesses[3] = 16 * s->w;
    g->guesses[4] = along_edges(p, s);
    for (int k = 0; k < RUGI_IFS_GUESSES; k++) {
        const int32_t *off = p->off[0][k] + x, *above = p->off[1][k] + x;
        const int32_t v = g->guesses[k], most = 16 * p->max;
        const int64_t far = (2 * off[-1] + off[-2] + 2 * above[0] + above[-1] + above[1] +
                             p->off[2][k][x]) >>
                            p->noise;
        const int64_t weight = ((int64_t)1 << 40) / (far * far + 16) + 1;
        g->guesses[k] = v < 0 ? 0 : v > most ? most : v;
        sum += weight * (k == 0 ? FIRST_COUNTS : 1) * g->guesses[k];
        weights += weight * (k == 0 ? FIRST_COUNTS : 1);
    }
    return (int32_t)(sum / weights);
}

/* ---- Bias ---- */

static void find_bias(const rugi_ifs_exact_plane *p, uint32_t x, const rugi_ifs_near *s,
                      rugi_ifs_guess *g)
{
    const int32_t *error = p->error[0] + x, *above = p->error[1] + x;
    const unsigned energy = rugi_ifs_quarters(s->energy >> (4 + p->noise)) / 4,
                   noise = p->noise;
    const int e = rugi_ifs_signed_class(error[-1] >> (4 + noise)) + 5;
    const int n = rugi_ifs_signed_class(above[0] >> (4 + noise)) + 5;
    const int ne = rugi_ifs_signed_class(above[1] >> (4 + noise)) + 5;
    int c = 0;
    g->bias_context[0] = (uint32_t)g->pattern * 8 + (energy < 7 ? energy : 7);
    g->bias_context[1] = (uint32_t)((e * 11 + n) * 11 + ne);
    if (p->n_before == 0)
        c = ((rugi_ifs_signed_class((s->w - s->nw) >> noise) + 5) * 11 +
             rugi_ifs_signed_class((s->n - s->nw) >> noise) + 5) *
                11 +
            rugi_ifs_signed_class((s->ne - s->n) >> noise) + 5;
    for (int i = 0; i < p->n_before; i++)
        c = c * 11 +
            rugi_ifs_signed_class(p->before[i]->error[0][x] >>
                                  (4 + p->before[i]->noise)) +
            5;
    g->bias_context[2] = (uint32_t)c;
    int32_t sum = 0;
    for (int i = 0; i < RUGI_IFS_BIASES; i++) {
        const rugi_ifs_bias *b = &p->bias[i][g->bias_context[i]];
        sum += b->sum / (b->n + 2);
    }
    g->bias = sum / 3;
}

static int pattern_of(const rugi_ifs_near *s, int32_t v)
{
    return (s->n > v) | (s->w > v) << 1 | (s->nw > v) << 2 | (s->ne > v) << 3 |
           (s->ww > v) << 4 | (s->nn > v) << 5 | (2 * s->n - s->nn > v) << 6 |
           (2 * s->w - s->ww > v) << 7;
}

static int32_t median(const rugi_ifs_near *s)
{
    const int32_t low = s->w < s->n ? s->w : s->n, high = s->w < s->n ? s->n : s->w;
    const int32_t plane = s->w + s->n - s->nw;
    return plane < low ? low : plane > high ? high : plane;
}

void rugi_ifs_exact_predict(rugi_ifs_exact_plane *p, uint32_t x,
                            const rugi_ifs_near *near, rugi_ifs_guess *g)
{
    if (p->mode == RUGI_IFS_MATCH) {
        g->value = 16 * median(near);
        g->pattern = pattern_of(near, g->value >> 4);
        return;
    }
    take_steps(p, x, near, g->steps);
    const int32_t change = p->n_before == 0   ? by_least_squares(p, x, g->steps, 7)
                           : p->n_before == 1 ? by_least_squares(p, x, g->steps, 10)
                                              : by_least_squares(p, x, g->steps, 12);
    g->guesses[0] = 16 * near->w + change;
    g->value = blend(p, x, near, g);
    g->pattern = pattern_of(near, g->value >> 4);
    find_bias(p, x, near, g);
    const int32_t v = g->value + g->bias, most = 16 * p->max;
    g->value = v < 0 ? 0 : v > most ? most : v;
}

void rugi_ifs_predict_learn(rugi_ifs_exact_plane *p, uint32_t x,
                            const rugi_ifs_near *near, const rugi_ifs_guess *g)
{
    const int32_t value = p->row[0][x], error = 16 * value - g->value;
    p->error[0][x] = error;
    if (p->mode == RUGI_IFS_MATCH)
        return;
    for (int i = 0; i < RUGI_IFS_BIASES; i++) {
        rugi_ifs_bias *b = &p->bias[i][g->bias_context[i]];
        b->sum += error + g->bias;
        if (++b->n > BIAS_MAX) {
            b->n >>= 1;
            b->sum /= 2;
        }
    }
    for (int k = 0; k < RUGI_IFS_GUESSES; k++)
        p->off[0][k][x] = (int32_t)rugi_ifs_size(16 * value - g->guesses[k]);
    const int32_t target = step(p, value, near->w);
    const int32_t weight = 512 / ((int32_t)(near->energy >> (7 + p->noise)) + 8);
    if (p->n_before == 0)
        learn_sums(p, x, g->steps, target, weight, 7);
    else if (p->n_before == 1)
        learn_sums(p, x, g->steps, target, weight, 10);
    else
        learn_sums(p, x, g->steps, target, weight, 12);
}
