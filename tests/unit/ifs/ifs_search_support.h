/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The exact search for tests: pictures, and the search written straight from the
 * definition. Include it after support.h. */

#ifndef RUGOSE_IFS_SEARCH_SUPPORT_H
#define RUGOSE_IFS_SEARCH_SUPPORT_H

#include "ifs/search_cpu/ifs_search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 test_wide;

/* Where a pixel of a block under an isometry comes from: by walking, not by formula. */
static inline void naive_isometry(uint32_t *out, const uint32_t *in, size_t n,
                                  unsigned symmetry)
{
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++) {
            size_t to_y = y, to_x = x, up = n - 1 - y, left = n - 1 - x;
            switch (symmetry) { /* to the left: the right column becomes the top row */
            case 1: to_y = left, to_x = y; break;
            case 2: to_y = up, to_x = left; break;
            case 3: to_y = x, to_x = up; break;
            case 4: to_x = left; break;
            case 5: to_y = up; break;
            case 6: to_y = x, to_x = y; break;
            case 7: to_y = left, to_x = up; break;
            default: break;
            }
            out[to_y * n + to_x] = in[y * n + x];
        }
}

static inline void naive_domain(uint32_t *out, const rugi_ifs_plane *p, size_t size,
                                size_t y0, size_t x0)
{
    for (size_t y = 0; y < size; y++)
        for (size_t x = 0; x < size; x++) {
            const uint16_t *c = p->pixels + (y0 + 2 * y) * p->nx + x0 + 2 * x;
            out[y * size + x] = (uint32_t)c[0] + c[1] + c[p->nx] + c[p->nx + 1];
        }
}

static inline void naive_range(uint32_t *out, const rugi_ifs_search_job *job, size_t i)
{
    const rugi_ifs_plane *p = job->image;
    for (size_t y = 0; y < job->size; y++)
        for (size_t x = 0; x < job->size; x++)
            out[y * job->size + x] = p->pixels[(job->ranges[i].y + y) % p->ny * p->nx +
                                               (job->ranges[i].x + x) % p->nx];
}

static inline int64_t naive_sum(const uint32_t *a, const uint32_t *b, size_t n)
{
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (int64_t)a[i] * (b != NULL ? b[i] : 1);
    return sum;
}

/* A gain as a fraction, with s_max = top / 4: s' (2 c - s' N) times 256 n. */
static inline void naive_gain(test_wide *above, test_wide *below, int64_t cross,
                              int64_t norm2, int top)
{
    test_wide c = cross < 0 ? -cross : cross;
    int clamped = 16 * c > (test_wide)top * norm2;
    *above = clamped ? top * (32 * c - (test_wide)top * norm2) : 256 * c * c;
    *below = clamped ? 1 : norm2;
}

/* Keeps a domain under a symmetry when it is better. */
static inline void naive_keep(rugi_ifs_match *best, const rugi_ifs_match *given, int top)
{
    test_wide above, below, best_above, best_below;
    if (!best->found) {
        *best = *given;
        return;
    }
    naive_gain(&above, &below, given->cross, (int64_t)given->norm2, top);
    naive_gain(&best_above, &best_below, best->cross, (int64_t)best->norm2, top);
    if (above * best_below > best_above * below)
        *best = *given;
}

/* The search as it is defined: domain after domain, symmetry after symmetry.
 * @param top  4 s_max */
static inline rugi_ifs_match naive_search(const rugi_ifs_search_job *job, size_t range,
                                          int top)
{
    const size_t size = job->size;
    const int64_t n = (int64_t)(size * size);
    uint32_t r[1024], d[1024], mapped[1024];
    rugi_ifs_match best = {.found = 0};
    naive_range(r, job, range);
    int64_t sum_r = naive_sum(r, NULL, size * size);
    int64_t norm2_r = n * naive_sum(r, r, size * size) - sum_r * sum_r;
    for (size_t y = 0; norm2_r > 0 && y + 2 * size <= job->source->ny; y += job->step)
        for (size_t x = 0; x + 2 * size <= job->source->nx; x += job->step) {
            naive_domain(d, job->source, size, y, x);
            int64_t sum_d = naive_sum(d, NULL, size * size);
            int64_t norm2 = n * naive_sum(d, d, size * size) - sum_d * sum_d;
            for (uint8_t k = 0; k < 8 && norm2 > 0; k++) {
                naive_isometry(mapped, d, size, k);
                rugi_ifs_match given = {(uint32_t)x, (uint32_t)y, k, 1, 0, 0, 0, 0};
                given.cross = n * naive_sum(r, mapped, size * size) - sum_r * sum_d;
                given.norm2 = (uint64_t)norm2;
                naive_keep(&best, &given, top);
            }
        }
    best.error = (double)norm2_r / (double)n;
    if (!best.found)
        return best;
    double s_max = top / 4.0;
    best.s = fmax(-s_max, fmin(s_max, 4 * (double)best.cross / (double)best.norm2));
    best.error -= (best.s / 4) *
                  (2 * (double)best.cross - best.s / 4 * (double)best.norm2) / (double)n;
    return best;
}

/* The kinds of pictures. */
enum { NOISE, FLAT, RAMP, ONE_LEVEL, BLOCKS, WAVES, TWO_VALUES, N_KINDS };

static inline uint16_t *new_picture(uint64_t *rng, size_t ny, size_t nx, int kind,
                                    unsigned bits)
{
    uint16_t *pixels = malloc(ny * nx * sizeof *pixels);
    assert_non_null(pixels);
    const uint64_t top = (UINT64_C(1) << bits) - 1;
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++) {
            uint64_t v = test_below(rng, top + 1);
            switch (kind) {
            case FLAT: v = top / 3; break;
            case RAMP: v = (3 * x + y) % (top + 1); break;
            case ONE_LEVEL: v = top / 2 + test_below(rng, 2); break;
            case BLOCKS: v = (x / 8 + y / 8) % 3 == 0 ? top : 10; break;
            case WAVES: v = top / 2 + (x * x / 7 + 5 * y) % (top / 4 + 1); break;
            case TWO_VALUES: v = test_below(rng, 9) == 0 ? top : 0; break;
            default: break;
            }
            pixels[y * nx + x] = (uint16_t)v;
        }
    return pixels;
}

/* Whole ranges of a plane, row by row. The caller frees them. */
static inline rugi_ifs_place *new_places(const rugi_ifs_plane *p, uint32_t size,
                                         uint32_t shift, size_t *n)
{
    size_t n_x = p->nx / size, n_y = p->ny / size;
    rugi_ifs_place *places = malloc((n_x * n_y + 1) * sizeof *places);
    assert_non_null(places);
    *n = n_x * n_y;
    for (size_t i = 0; i < *n; i++)
        places[i] = (rugi_ifs_place){(uint32_t)(i % n_x) * size + shift,
                                     (uint32_t)(i / n_x) * size + shift};
    return places;
}

#endif
