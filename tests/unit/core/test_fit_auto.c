/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The automatic range of a fit, and the kernels of src/core/fit that choose it. */

#include "support.h"

#include "boxcount_support.h"
#include "core/fit/scaling.h" /* src/core */
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A square of one value in the corner (y, x) of a zero canvas. */
static test_counts count_square(size_t canvas, size_t side, size_t y, size_t x)
{
    rug_context *ctx = test_context();
    uint8_t *pixels = calloc(canvas, canvas);
    assert_non_null(pixels);
    for (size_t i = 0; i < side; i++)
        memset(pixels + (y + i) * canvas + x, 1, side);
    rug_image img = test_u8(pixels, 0, canvas, canvas);
    test_counts r = must_count(ctx, &img, (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0});
    free(pixels);
    rug_context_free(ctx);
    return r;
}

static test_counts count_sierpinski(size_t canvas, size_t side)
{
    rug_context *ctx = test_context();
    uint8_t *pixels = calloc(canvas, canvas);
    assert_non_null(pixels);
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++)
            pixels[y * canvas + x] = (y & x) == 0;
    rug_image img = test_u8(pixels, 0, canvas, canvas);
    test_counts r = must_count(ctx, &img, (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0});
    free(pixels);
    rug_context_free(ctx);
    return r;
}

static rug_fit fit_auto(const test_counts *counts, rug_boxcount_of of)
{
    rug_context *ctx = test_context();
    rug_fit d;
    rug_fit_options opts = RUG_FIT_OPTIONS_INIT;
    opts.auto_range = 1;
    assert_int_equal(fit_counts(ctx, &d, counts, of, &opts), RUG_OK);
    rug_context_free(ctx);
    return d;
}

#define NONEMPTY RUG_BOXCOUNT_OF_NONEMPTY

static void assert_range(const rug_fit *d, uint64_t lo, uint64_t hi, double dimension,
                         const char *what)
{
    if (d->size_min != lo || d->size_max != hi)
        fail_msg("%s: sizes %llu..%llu, %llu..%llu expected", what,
                 (unsigned long long)d->size_min, (unsigned long long)d->size_max,
                 (unsigned long long)lo, (unsigned long long)hi);
    assert_within(d->slope, dimension, 1e-12, what);
    int is_short = hi - lo < 2 || hi < 10 * lo;
    assert_string_equal(rug_fit_status_name(d->status), is_short ? "doubtful" : "ok");
    uint32_t n = 0;
    for (int i = 0; i < RUG_BOXCOUNT_MAX_SIZES; i++)
        n += d->used[i];
    assert_int_equal(n, d->n_sizes);
}

/* The triangle of 64 in a canvas of 128: all sizes give 1.4529, the automatic range finds
 * ln 3 / ln 2. */
static void triangle_in_a_canvas(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    test_counts r = count_sierpinski(128, 64);
    static const uint64_t expected[] = {729, 243, 81, 27, 9, 3, 1, 1, 0};
    assert_nonempty(&r, expected, "triangle");
    assert_within(must_fit(ctx, &r, NONEMPTY, 1, 128).slope, 1.4529, 5e-5, "all sizes");
    rug_fit d = fit_auto(&r, NONEMPTY);
    assert_range(&d, 1, 32, log(3) / log(2), "triangle");
    assert_int_equal(d.n_sizes, 6);
    r = count_sierpinski(4096, 64);
    d = fit_auto(&r, NONEMPTY);
    assert_range(&d, 1, 32, log(3) / log(2), "triangle in a huge canvas");
    rug_context_free(ctx);
}

/* The many sizes that hold a small object in one box must not win. */
static void small_squares_in_a_huge_canvas(void **state)
{
    (void)state;
    for (size_t side = 8; side <= 64; side *= 2) {
        test_counts r = count_square(4096, side, 1024, 2048);
        rug_fit d = fit_auto(&r, NONEMPTY);
        assert_range(&d, 1, side / 2, 2, "square");
    }
}

/* Two sizes are all that speak; that must not come out as a sure dimension of 0. */
static void tiny_square_in_a_huge_canvas(void **state)
{
    (void)state;
    test_counts r = count_square(4096, 2, 1024, 2048);
    rug_fit d = fit_auto(&r, NONEMPTY);
    if (strcmp(rug_fit_status_name(d.status), "ok") == 0 && d.slope < 1)
        fail_msg("a filled square of 2 has dimension %g over sizes %llu..%llu, status ok",
                 d.slope, (unsigned long long)d.size_min, (unsigned long long)d.size_max);
}

/* Boxes smaller than the gaps between scattered pixels hold one each, and say nothing; all
 * larger ones are filled, which is all that is left. */
static void scattered_pixels(void **state)
{
    (void)state;
    enum { SIDE = 256, GAP = 8 };
    uint8_t *pixels = calloc(SIDE, SIDE);
    assert_non_null(pixels);
    for (size_t y = 0; y < SIDE; y += GAP)
        for (size_t x = 0; x < SIDE; x += GAP)
            pixels[y * SIDE + x] = 1;
    rug_image img = test_u8(pixels, 0, SIDE, SIDE);
    rug_context *ctx = test_context();
    test_counts r;
    assert_int_equal(test_boxcount(ctx, &r, &img, NULL), RUG_OK);
    rug_fit d = fit_auto(&r, NONEMPTY);
    assert_range(&d, 2 * GAP, SIDE / 2, 2, "scattered pixels");
    d = must_fit(ctx, &r, NONEMPTY, 0, 0);
    assert_int_equal(d.size_min, 2 * GAP);
    assert_int_equal(d.size_max, SIDE / 4);
    d = must_fit(ctx, &r, NONEMPTY, 1, GAP);
    assert_within(d.slope, 0, 1e-12, "scattered pixels at sizes that were asked for");
    rug_context_free(ctx);
    free(pixels);
}

static void one_pixel_and_nothing(void **state)
{
    (void)state;
    test_counts r = count_square(256, 1, 99, 7);
    rug_fit d = fit_auto(&r, NONEMPTY);
    assert_nan(d.slope, "dimension of one pixel");
    assert_string_equal(rug_fit_status_name(d.status), "too few sizes");
    r = count_square(256, 0, 0, 0);
    d = fit_auto(&r, NONEMPTY);
    assert_nan(d.slope, "dimension of nothing");
    assert_string_equal(rug_fit_status_name(d.status), "empty");
    r = count_square(256, 256, 0, 0);
    d = fit_auto(&r, NONEMPTY);
    assert_range(&d, 1, 128, 2, "full");
    d = fit_auto(&r, RUG_BOXCOUNT_OF_GRAY);
    assert_nan(d.slope, "border of a full image");
    assert_string_equal(rug_fit_status_name(d.status), "too few sizes");
    r = count_square(2, 2, 0, 0);
    d = fit_auto(&r, NONEMPTY);
    assert_int_equal(d.n_sizes, 1);
    assert_string_equal(rug_fit_status_name(d.status), "too few sizes");
    r = count_square(1, 1, 0, 0);
    d = fit_auto(&r, NONEMPTY);
    assert_string_equal(rug_fit_status_name(d.status), "too few sizes");
}

/* Counts of an image that is full, so that no size is left out for that. */
static test_counts steps_of(uint32_t n, const int *log2_counts)
{
    test_counts r = {
        .ndim = 2, .n_sizes = n, .shape = {1024, 1024}, .n_pixels = 1, .n_set = 1};
    for (uint32_t i = 0; i < n; i++) {
        r.counts[i].size = (uint64_t)1 << i;
        r.counts[i].nonempty = (uint64_t)1 << log2_counts[i];
    }
    return r;
}

/* The longest stretch of equal slopes wins; of two equally long ones the first. */
static void longest_stretch(void **state)
{
    (void)state;
    test_counts r = steps_of(9, (const int[]){20, 18, 16, 15, 14, 13, 12, 11, 8});
    rug_fit d = fit_auto(&r, NONEMPTY);
    assert_range(&d, 4, 128, 1, "slopes 2 2 1 1 1 1 1 3");
    r = steps_of(7, (const int[]){20, 18, 16, 13, 12, 11, 7});
    d = fit_auto(&r, NONEMPTY);
    assert_range(&d, 1, 4, 2, "slopes 2 2 3 1 1 4");
}

/* No three sizes agree: the steadiest three, and the status says so. */
static void no_scaling_range(void **state)
{
    (void)state;
    test_counts r = steps_of(5, (const int[]){20, 15, 13, 12, 6}); /* 5 2 1 6 */
    rug_fit d = fit_auto(&r, NONEMPTY);
    assert_string_equal(rug_fit_status_name(d.status), "no scaling range");
    assert_int_equal(d.size_min, 2);
    assert_int_equal(d.size_max, 8);
    assert_int_equal(d.n_sizes, 3);
    assert_within(d.slope, 1.5, 1e-14, "dimension");
}

/* Slopes that lie just within, or just beyond, the spread that is allowed. */
static void spread_of_slopes(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double slope[] = {5, 1.0, 1.05, 1.0 + (k == 0 ? 0.0999 : 0.1001), 5};
        rugi_run run = rugi_longest_run(6, slope, RUG_FIT_SLOPE_SPREAD);
        assert_int_equal(run.agrees, 1);
        assert_int_equal(run.first, 1);
        assert_int_equal(run.last, k == 0 ? 4 : 3);
    }
    static const double wild[] = {1, 3, 4, 9};
    rugi_run run = rugi_longest_run(5, wild, 0.1);
    assert_int_equal(run.agrees, 0);
    assert_int_equal(run.first, 1);
    assert_int_equal(run.last, 3);
    static const double tie[] = {1, 1.05, 7, 2, 2.02, 9, 3, 3.02}; /* smallest spread */
    run = rugi_longest_run(9, tie, 0.1);
    assert_int_equal(run.first, 3);
    assert_int_equal(run.last, 5);
}

static void lines(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4}, same[] = {2, 2, 2, 2}, y[] = {1, 3, 2, 4};
    for (size_t n = 0; n < 2; n++)
        assert_nan(rugi_fit_line(n, x, y).slope, "slope of too few points");
    rugi_line upright = rugi_fit_line(4, same, y);
    assert_nan(upright.slope, "slope of an upright line");
    assert_nan(upright.intercept, "intercept of an upright line");
    rugi_line line = rugi_fit_line(4, x, y); /* Sxx 5, Sxy 4, Syy 5, residual sum 1.8 */
    assert_within(line.slope, 0.8, 1e-15, "slope");
    assert_within(line.intercept, 0.5, 1e-14, "intercept");
    assert_within(line.std_error, sqrt(1.8 / 2 / 5), 1e-15, "standard error");
    assert_within(line.r_squared, 0.64, 1e-15, "R squared");
    const double far[] = {1e8 + 1, 1e8 + 2, 1e8 + 3, 1e8 + 4};
    line = rugi_fit_line(4, far, y); /* the same line, far away */
    assert_within(line.slope, 0.8, 1e-7, "slope far away");
    assert_within(line.r_squared, 0.64, 1e-7, "R squared far away");
    double slope[3];
    rugi_local_slopes(4, x, y, slope);
    assert_true(slope[0] == 2 && slope[1] == -1 && slope[2] == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangle_in_a_canvas),
        cmocka_unit_test(small_squares_in_a_huge_canvas),
        cmocka_unit_test(tiny_square_in_a_huge_canvas),
        cmocka_unit_test(scattered_pixels),
        cmocka_unit_test(one_pixel_and_nothing),
        cmocka_unit_test(longest_stretch),
        cmocka_unit_test(no_scaling_range),
        cmocka_unit_test(spread_of_slopes),
        cmocka_unit_test(lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
