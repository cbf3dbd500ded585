/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Shapes to count, counting that must work, and what the counts must be. Include it after
 * support.h. */

#ifndef RUGOSE_BOXCOUNT_SUPPORT_H
#define RUGOSE_BOXCOUNT_SUPPORT_H

#include "boxcount/result/boxcount_result.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether pixel (z, y, x) of a shape is set. */
typedef int (*shape_fn)(size_t z, size_t y, size_t x);

/* A u8 image (nz = 0) or volume drawn by a function; free its data with free_shape(). */
static inline rug_image draw_shape(size_t nz, size_t ny, size_t nx, shape_fn is_set)
{
    uint8_t *pixels = malloc((nz == 0 ? 1 : nz) * ny * nx), *at = pixels;
    assert_non_null(pixels);
    for (size_t z = 0; z < (nz == 0 ? 1 : nz); z++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++)
                *at++ = (uint8_t)(is_set(z, y, x) != 0);
    return test_u8(pixels, nz, ny, nx);
}

static inline void free_shape(rug_image img)
{
    free((void *)(uintptr_t)img.data);
}

static inline int is_any(size_t z, size_t y, size_t x)
{
    (void)z;
    (void)y;
    (void)x;
    return 1;
}

static inline int is_none(size_t z, size_t y, size_t x)
{
    return !is_any(z, y, x);
}

/* The Sierpinski triangle: 3^k of 4^k pixels. */
static inline int is_sierpinski(size_t z, size_t y, size_t x)
{
    (void)z;
    return (y & x) == 0;
}

/* A square, or a cube, of 96 pixels. */
static inline int is_square_96(size_t z, size_t y, size_t x)
{
    return z < 96 && y < 96 && x < 96;
}

/* Counts with a rule; fails the test when that fails. */
static inline test_counts must_count(rug_context *ctx, const rug_image *img,
                                     rug_foreground rule)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = rule;
    test_counts out;
    if (test_boxcount(ctx, &out, img, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return out;
}

/* Counts as the library holds them: a view. */
static inline rug_boxcount_result result_view(test_counts *c)
{
    rug_boxcount_result r = {.counts = c->counts, .positions = c->positions};
    r.facts.ndim = c->ndim;
    memcpy(r.facts.shape, c->shape, sizeof c->shape);
    r.facts.n_pixels = c->n_pixels;
    r.facts.n_set = c->n_set;
    r.n_points = c->n_points;
    r.facts.grid = c->grid;
    r.facts.n_sizes = c->n_sizes;
    return r;
}

/* Copies what a count has set in a view beside its rows. */
static inline void keep_facts(test_counts *c, const rug_boxcount_result *view)
{
    c->n_set = view->facts.n_set;
    c->n_points = view->n_points;
    c->engine = view->facts.engine;
    c->busy_least = view->facts.busy_least;
    c->busy_most = view->facts.busy_most;
}

/* Fits counts, which may be put together by hand. */
static inline rug_status fit_counts(rug_context *ctx, rug_fit *out,
                                    const test_counts *counts, rug_boxcount_of of,
                                    const rug_fit_options *opts)
{
    static test_counts own;
    own = *counts;
    rug_boxcount_result view = result_view(&own);
    *out = (rug_fit)RUG_FIT_INIT;
    return rug_boxcount_fit(ctx, out, &view, of, opts);
}

/* Fits over sizes lo..hi; 0, 0 is the default range. */
static inline rug_fit must_fit(rug_context *ctx, const test_counts *counts,
                               rug_boxcount_of of, uint64_t lo, uint64_t hi)
{
    rug_fit_options opts = RUG_FIT_OPTIONS_INIT;
    opts.size_min = lo;
    opts.size_max = hi;
    rug_fit out;
    if (fit_counts(ctx, &out, counts, of, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return out;
}

/* Fails unless a is within `bound` of b. */
static inline void assert_within(double a, double b, double bound, const char *what)
{
    if (!(fabs(a - b) <= bound))
        fail_msg("%s: %.15g, %.15g expected", what, a, b);
}

static inline void assert_nan(double a, const char *what)
{
    if (!isnan(a))
        fail_msg("%s: %.15g, NaN expected", what, a);
}

/* Fails unless the nonempty counts begin with these; 0 ends the list. */
static inline void assert_nonempty(const test_counts *got, const uint64_t *expected,
                                   const char *what)
{
    for (uint32_t i = 0; expected[i] != 0; i++) {
        assert_true(i < got->n_sizes);
        assert_int_equal(got->counts[i].size, (uint64_t)1 << i);
        if (got->counts[i].nonempty != expected[i])
            fail_msg("%s, size %u: %llu nonempty, %llu expected", what, 1u << i,
                     (unsigned long long)got->counts[i].nonempty,
                     (unsigned long long)expected[i]);
    }
}

/* Fails unless all bytes of an output are 0. */
static inline void assert_zeroed(const void *out, size_t n, const char *what)
{
    const unsigned char *bytes = out;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != 0)
            fail_msg("%s: byte %zu of the output is %d after a failure", what, i,
                     bytes[i]);
}

/* The same of a struct that begins with its size, which stays. */
static inline void assert_cleared(const void *out, size_t n, const char *what)
{
    size_t size;
    memcpy(&size, out, sizeof size);
    assert_int_equal(size, n);
    assert_zeroed((const char *)out + sizeof size, n - sizeof size, what);
}

#endif
