/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Rivals of the exact search. */

#include "bench_ifs_rivals.h"
#include "bench.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define PIXELS_MAX 1024
#define LANES      16
#define VECTORS    3
#define TILE       (LANES * VECTORS)
#define RANGES     16

static volatile float found; /* so that nothing is left out */

/* Where a pixel of a turned block comes from. */
static size_t turned(unsigned symmetry, size_t n, size_t y, size_t x)
{
    if (symmetry & 1)
        x = n - 1 - x;
    if (symmetry & 2)
        y = n - 1 - y;
    return symmetry & 4 ? x * n + y : y * n + x;
}

static float shrunk(const bench_search *s, size_t y, size_t x)
{
    const uint8_t *c = s->pixels + y * s->side + x;
    return 0.25f * (float)(c[0] + c[1] + c[s->side] + c[s->side + 1]);
}

/* The least squared error that a domain leaves under a symmetry. */
static float error_of(const bench_search *s, const uint8_t *range, size_t y0, size_t x0,
                      unsigned symmetry)
{
    const size_t size = s->size, n = size * size;
    float sr = 0, srr = 0, sd = 0, sdd = 0, srd = 0;
    for (size_t y = 0; y < size; y++)
        for (size_t x = 0; x < size; x++) {
            const size_t k = turned(symmetry, size, y, x);
            const float d = shrunk(s, y0 + 2 * (k / size), x0 + 2 * (k % size));
            const float r = range[y * s->side + x];
            sr += r;
            srr += r * r;
            sd += d;
            sdd += d * d;
            srd += r * d;
        }
    const float det = (float)n * sdd - sd * sd;
    const float scale = det > 0 ? ((float)n * srd - sr * sd) / det : 0;
    const float o = (sr - scale * sd) / (float)n;
    return srr + scale * (scale * sdd - 2 * srd + 2 * o * sd) +
           o * ((float)n * o - 2 * sr);
}

double bench_search_pixels(const bench_search *s, size_t k)
{
    const size_t n_x = s->side / s->size, n = n_x * n_x, last = s->side - 2 * s->size;
    size_t done = 0;
    float keep = 0;
    double t = bench_now();
#pragma omp parallel for schedule(dynamic, 1) num_threads(2) reduction(+ : done, keep)
    for (size_t i = 0; i < n; i += k) {
        float best = INFINITY;
        const uint8_t *range =
            s->pixels + i / n_x * s->size * s->side + i % n_x * s->size;
        for (size_t y = 0; y <= last; y += s->step)
            for (size_t x = 0; x <= last; x += s->step)
                for (unsigned symmetry = 0; symmetry < 8; symmetry++)
                    best = fminf(best, error_of(s, range, y, x, symmetry));
        keep += best;
        done++;
    }
    t = bench_now() - t;
    found = keep;
    return t * (double)n / (double)done;
}

/* Domains as columns of a matrix, and what they need beside it. */
typedef struct matrix {
    size_t n, n_tiles;
    float *domains; /* [n_tiles][n][TILE] */
    float *caps;    /* [n_tiles][TILE] norms of means: s_max is 1 */
} matrix;

/* Subtracts the mean. @return the squared norm */
static float centre(float *v, size_t n)
{
    float sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    for (size_t i = 0; i < n; i++) {
        v[i] -= sum / (float)n;
        squares += v[i] * v[i];
    }
    return squares;
}

static void make_domain(const bench_search *s, matrix *m, size_t i, size_t y0, size_t x0)
{
    float d[PIXELS_MAX];
    for (size_t k = 0; k < m->n; k++)
        d[k] = shrunk(s, y0 + 2 * (k / s->size), x0 + 2 * (k % s->size));
    float norm = sqrtf(centre(d, m->n));
    for (size_t k = 0; k < m->n && norm > 0; k++)
        m->domains[(i / TILE * m->n + k) * TILE + i % TILE] = d[k] / norm;
    m->caps[i] = norm;
}

static matrix make_matrix(const bench_search *s)
{
    const size_t n_x = (s->side - 2 * s->size) / s->step + 1;
    matrix m = {.n = s->size * s->size, .n_tiles = (n_x * n_x - 1) / TILE + 1};
    m.domains = bench_allocate(m.n_tiles * m.n * TILE * sizeof(float));
    m.caps = bench_allocate(m.n_tiles * TILE * sizeof(float));
    memset(m.domains, 0, m.n_tiles * m.n * TILE * sizeof(float));
    memset(m.caps, 0, m.n_tiles * TILE * sizeof(float));
#pragma omp parallel for num_threads(2)
    for (size_t i = 0; i < n_x * n_x; i++)
        make_domain(s, &m, i, i / n_x * s->step, i % n_x * s->step);
    return m;
}

/* The eight turned copies of a range: [n][8]. @return its squared norm */
static float make_range(const bench_search *s, float *out, size_t i)
{
    const size_t n_x = s->side / s->size, n = s->size * s->size;
    const uint8_t *pixels = s->pixels + i / n_x * s->size * s->side + i % n_x * s->size;
    float r[PIXELS_MAX];
    for (size_t k = 0; k < n; k++)
        r[k] = pixels[k / s->size * s->side + k % s->size];
    float norm2 = centre(r, n);
    for (size_t k = 0; k < n; k++)
        for (unsigned symmetry = 0; symmetry < 8; symmetry++)
            out[k * 8 + symmetry] =
                r[turned(symmetry, s->size, k / s->size, k % s->size)];
    return norm2;
}

/* Keeps the best of every lane. */
typedef void (*multiply_fn)(const matrix *m, size_t tile, const float *range,
                            float *best);

static void multiply_plain(const matrix *m, size_t tile, const float *range, float *best)
{
    float sums[8][TILE] = {{0}};
    const float *d = m->domains + tile * m->n * TILE, *cap = m->caps + tile * TILE;
    for (size_t k = 0; k < m->n; k++)
        for (int g = 0; g < 8; g++)
            for (int i = 0; i < TILE; i++)
                sums[g][i] += range[8 * k + (size_t)g] * d[k * TILE + (size_t)i];
    for (int i = 0; i < TILE; i++) {
        float most = 0;
        for (int g = 0; g < 8; g++)
            most = fmaxf(most, fabsf(sums[g][i]));
        float t = fminf(most, cap[i]);
        best[i % LANES] = fmaxf(best[i % LANES], t * (2 * most - t));
    }
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void
multiply_avx512(const matrix *m, size_t tile, const float *range, float *best)
{
    const float *d = m->domains + tile * m->n * TILE, *cap = m->caps + tile * TILE;
    __m512 sums[8][VECTORS], b = _mm512_loadu_ps(best);
#pragma GCC unroll 8
    for (int g = 0; g < 8; g++)
#pragma GCC unroll 3
        for (int i = 0; i < VECTORS; i++)
            sums[g][i] = _mm512_setzero_ps();
    for (size_t k = 0; k < m->n; k++, d += TILE, range += 8) {
        const __m512 v[VECTORS] = {_mm512_loadu_ps(d), _mm512_loadu_ps(d + LANES),
                                   _mm512_loadu_ps(d + 2 * LANES)};
#pragma GCC unroll 8
        for (int g = 0; g < 8; g++)
#pragma GCC unroll 3
            for (int i = 0; i < VECTORS; i++)
                sums[g][i] = _mm512_fmadd_ps(_mm512_set1_ps(range[g]), v[i], sums[g][i]);
    }
#pragma GCC unroll 3
    for (int i = 0; i < VECTORS; i++) {
        __m512 most = _mm512_abs_ps(sums[0][i]);
#pragma GCC unroll 8
        for (int g = 1; g < 8; g++)
            most = _mm512_max_ps(most, _mm512_abs_ps(sums[g][i]));
        const __m512 t = _mm512_min_ps(most, _mm512_loadu_ps(cap + i * LANES));
        b = _mm512_max_ps(b,
                          _mm512_mul_ps(t, _mm512_sub_ps(_mm512_add_ps(most, most), t)));
    }
    _mm512_storeu_ps(best, b);
}
#endif

int bench_search_has_avx512(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f");
#else
    return 0;
#endif
}

static multiply_fn choose_product(void)
{
#if defined(__x86_64__)
    if (bench_search_has_avx512())
        return multiply_avx512;
#endif
    return multiply_plain;
}

/* Some ranges, which share a way through the matrix. */
static double search_some(const bench_search *s, const matrix *m, multiply_fn multiply,
                          size_t from, size_t to)
{
    float *ranges = bench_allocate(RANGES * m->n * 8 * sizeof(float));
    float best[RANGES][LANES] = {{0}};
    double error = 0;
    for (size_t i = from; i < to; i++)
        error += make_range(s, ranges + (i - from) * m->n * 8, i);
    for (size_t tile = 0; tile < m->n_tiles; tile++)
        for (size_t i = 0; i < to - from; i++)
            multiply(m, tile, ranges + i * m->n * 8, best[i]);
    for (size_t i = 0; i < to - from; i++) {
        float most = 0;
        for (int k = 0; k < LANES; k++)
            most = fmaxf(most, best[i][k]);
        error -= most;
    }
    free(ranges);
    return error;
}

double bench_search_product(const bench_search *s, double *error)
{
    const size_t n_x = s->side / s->size, n = n_x * n_x;
    const multiply_fn multiply = choose_product();
    double t = bench_now(), sum = 0;
    matrix m = make_matrix(s);
#pragma omp parallel for schedule(dynamic, 1) num_threads(2) reduction(+ : sum)
    for (size_t i = 0; i < n; i += RANGES)
        sum += search_some(s, &m, multiply, i, i + RANGES < n ? i + RANGES : n);
    t = bench_now() - t;
    *error = sum;
    free(m.domains);
    free(m.caps);
    return t;
}
