/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Packed matrices of co-occurrence; see bench_glcm_packed.h. Features are those of Haralick et
 * al. (1973), f7 about f6 and f10 the variance of |i - j|, as in the library. */

#include "bench_glcm_packed.h"
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const packed_step_names[PACKED_N_STEPS] = {
    "co-occurrence matrix",
    "marginals, sums over i + j and |i - j|",
    "f1",
    "f2, f10, f11",
    "f3, f4",
    "f5",
    "f6, f7, f8",
    "f9",
    "f12, f13"};

static void *get(size_t n, size_t size)
{
    void *memory = calloc(n + 1, size);
    if (memory == NULL) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    return memory;
}

/* ---- The cell ---- */

typedef struct box {
    size_t y0, y1, x0, x1;
} box;

static box find_box(const uint16_t *labels, size_t ny, size_t nx, uint16_t label)
{
    box b = {ny, 0, nx, 0};
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++)
            if (labels[y * nx + x] == label) {
                b.y0 = y < b.y0 ? y : b.y0;
                b.y1 = y + 1;
                b.x0 = x < b.x0 ? x : b.x0;
                b.x1 = x + 1 > b.x1 ? x + 1 : b.x1;
            }
    return b;
}

/* Levels that occur get their places; of the others it is -1. */
static void rank_levels(packed_cell *cell, int32_t *rank_of)
{
    for (size_t v = 0; v < 65536; v++)
        if (rank_of[v] > 0) {
            cell->level[cell->n_levels] = (double)v;
            rank_of[v] = (int32_t)cell->n_levels++;
        } else
            rank_of[v] = -1;
}

void packed_cell_new(packed_cell *out, const uint16_t *pixels, const uint16_t *labels,
                     size_t ny, size_t nx, uint16_t label)
{
    box b = find_box(labels, ny, nx, label);
    int32_t *rank_of = get(65536, sizeof *rank_of);
    *out = (packed_cell){.ny = b.y1 - b.y0, .nx = b.x1 - b.x0};
    out->rank = get(out->ny * out->nx, sizeof *out->rank);
    out->level = get(65536, sizeof *out->level);
    for (size_t y = b.y0; y < b.y1; y++)
        for (size_t x = b.x0; x < b.x1; x++)
            if (labels[y * nx + x] == label)
                rank_of[pixels[y * nx + x]] = 1;
    rank_levels(out, rank_of);
    for (size_t y = b.y0; y < b.y1; y++)
        for (size_t x = b.x0; x < b.x1; x++) {
            int is_inside = labels[y * nx + x] == label;
            out->rank[(y - b.y0) * out->nx + x - b.x0] =
                is_inside ? rank_of[pixels[y * nx + x]] : -1;
            out->n_pixels += (size_t)is_inside;
        }
    free(rank_of);
    size_t n = out->n_levels;
    out->n_minus = (size_t)(out->level[n - 1] - out->level[0]) + 1;
    out->n_plus = 2 * out->n_minus - 1;
    out->p = get(n * n, sizeof *out->p);
    out->px = get(n, sizeof *out->px);
    out->plus = get(out->n_plus, sizeof *out->plus);
    out->minus = get(out->n_minus, sizeof *out->minus);
}

void packed_cell_free(packed_cell *cell)
{
    free(cell->rank);
    free(cell->level);
    free(cell->p);
    free(cell->px);
    free(cell->plus);
    free(cell->minus);
}

/* ---- The matrix ---- */

static void count(packed_cell *c, int dy, int dx)
{
    size_t n = c->n_levels;
    double total = 0;
    memset(c->p, 0, n * n * sizeof *c->p);
    for (size_t y = 0; y < c->ny; y++)
        for (size_t x = 0; x < c->nx; x++) {
            size_t to_y = y + (size_t)dy,
                   to_x = x + (size_t)dx; /* below 0: far outside */
            if (to_y >= c->ny || to_x >= c->nx)
                continue;
            int32_t i = c->rank[y * c->nx + x], j = c->rank[to_y * c->nx + to_x];
            if (i < 0 || j < 0)
                continue;
            c->p[(size_t)i * n + (size_t)j]++;
            c->p[(size_t)j * n + (size_t)i]++;
            total += 2;
        }
    for (size_t k = 0; k < n * n; k++)
        c->p[k] /= total;
}

static void sum_up(packed_cell *c)
{
    size_t n = c->n_levels, entries = 0;
    memset(c->px, 0, n * sizeof *c->px);
    memset(c->plus, 0, c->n_plus * sizeof *c->plus);
    memset(c->minus, 0, c->n_minus * sizeof *c->minus);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double p = c->p[i * n + j];
            size_t a = (size_t)(c->level[i] - c->level[0]);
            size_t b = (size_t)(c->level[j] - c->level[0]);
            c->px[i] += p;
            c->plus[a + b] += p;
            c->minus[a > b ? a - b : b - a] += p;
            entries += p > 0;
        }
    c->n_entries = entries;
}

/* ---- Features ---- */

static double bits(double p)
{
    return p > 0 ? 0 - p * log2(p) : 0;
}

static void second_moment(const packed_cell *c, double *f)
{
    double sum = 0;
    for (size_t k = 0; k < c->n_levels * c->n_levels; k++)
        sum += c->p[k] * c->p[k];
    f[RUG_GLCM_ANGULAR_SECOND_MOMENT] = sum;
}

static void differences(const packed_cell *c, double *f)
{
    double mean = 0, squares = 0, h = 0;
    for (size_t k = 0; k < c->n_minus; k++) {
        double p = c->minus[k], v = (double)k;
        mean += v * p;
        squares += v * v * p;
        h += bits(p);
    }
    f[RUG_GLCM_CONTRAST] = squares;
    f[RUG_GLCM_DIFFERENCE_VARIANCE] = squares - mean * mean;
    f[RUG_GLCM_DIFFERENCE_ENTROPY] = h;
}

static void correlation(const packed_cell *c, double *f)
{
    size_t n = c->n_levels;
    double mean = 0, variance = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        mean += c->level[i] * c->px[i];
    for (size_t i = 0; i < n; i++)
        variance += (c->level[i] - mean) * (c->level[i] - mean) * c->px[i];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            sum += (c->level[i] - mean) * (c->level[j] - mean) * c->p[i * n + j];
    f[RUG_GLCM_CORRELATION] = sum / variance;
    f[RUG_GLCM_VARIANCE] = variance;
}

static void inverse_moment(const packed_cell *c, double *f)
{
    size_t n = c->n_levels;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double k = c->level[i] - c->level[j];
            sum += c->p[i * n + j] / (1 + k * k);
        }
    f[RUG_GLCM_INVERSE_DIFFERENCE_MOMENT] = sum;
}

static void sums(const packed_cell *c, double *f)
{
    double mean = 0, variance = 0, h = 0, least = 2 * c->level[0];
    for (size_t k = 0; k < c->n_plus; k++)
        mean += ((double)k + least) * c->plus[k];
    for (size_t k = 0; k < c->n_plus; k++) {
        double v = (double)k + least - mean;
        variance += v * v * c->plus[k];
        h += bits(c->plus[k]);
    }
    f[RUG_GLCM_SUM_AVERAGE] = mean;
    f[RUG_GLCM_SUM_VARIANCE] = variance;
    f[RUG_GLCM_SUM_ENTROPY] = h;
}

static void entropy(const packed_cell *c, double *f)
{
    double h = 0;
    for (size_t k = 0; k < c->n_levels * c->n_levels; k++)
        h += bits(c->p[k]);
    f[RUG_GLCM_ENTROPY] = h;
}

static void information(const packed_cell *c, double *f)
{
    size_t n = c->n_levels;
    double hx = 0, hxy1 = 0, hxy2 = 0, h = f[RUG_GLCM_ENTROPY];
    for (size_t i = 0; i < n; i++)
        hx += bits(c->px[i]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double q = c->px[i] * c->px[j];
            double log = q > 0 ? log2(q) : 0;
            hxy1 -= c->p[i * n + j] * log;
            hxy2 -= q * log;
        }
    f[RUG_GLCM_INFO_CORRELATION_1] = (h - hxy1) / hx;
    f[RUG_GLCM_INFO_CORRELATION_2] = sqrt(1 - exp(-2 * (hxy2 - h)));
}

void packed_measure(packed_cell *cell, int dy, int dx,
                    double features[RUG_GLCM_N_FEATURES])
{
    void (*const steps[])(const packed_cell *, double *) = {
        second_moment, differences, correlation, inverse_moment,
        sums,          entropy,     information};
    double t = bench_now(), last;
    count(cell, dy, dx);
    last = t, t = bench_now();
    cell->seconds[PACKED_MATRIX] += t - last;
    sum_up(cell);
    last = t, t = bench_now();
    cell->seconds[PACKED_MARGINALS] += t - last;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        steps[i](cell, features);
        last = t, t = bench_now();
        cell->seconds[PACKED_F1 + i] += t - last;
    }
}
