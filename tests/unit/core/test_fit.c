/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The dimension of given counts: the line with its errors, the default range, a given
 * range, which boxes, what is undefined, and what is refused. The automatic range has a
 * test of its own. */

#include "support.h"

#include "boxcount_support.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Counts of a square image of side 2^(n - 1) with these nonempty boxes; all of them
 * black. */
static test_counts counts_of(uint32_t n, const uint64_t *nonempty)
{
    test_counts r = {.ndim = 2, .n_sizes = n, .n_set = nonempty[0]};
    r.n_pixels = (uint64_t)1 << 2 * (n - 1);
    r.shape[0] = r.shape[1] = (size_t)1 << (n - 1);
    for (uint32_t i = 0; i < n; i++) {
        rug_box_count *c = &r.counts[i];
        c->size = (uint64_t)1 << i;
        c->total = (uint64_t)1 << 2 * (n - 1 - i);
        c->nonempty = c->black = nonempty[i];
        c->white = c->total > nonempty[i] ? c->total - nonempty[i] : 0;
    }
    return r;
}

#define COUNTS(...)                                                       \
    counts_of(sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), \
              (const uint64_t[]){__VA_ARGS__})

static rug_fit fitted(const test_counts *counts, rug_boxcount_of of, uint64_t lo,
                      uint64_t hi)
{
    rug_context *ctx = test_context();
    rug_fit d = must_fit(ctx, counts, of, lo, hi);
    rug_context_free(ctx);
    return d;
}

#define NONEMPTY RUG_BOXCOUNT_OF_NONEMPTY

static void exact_lines(void **state)
{
    (void)state;
    for (uint64_t n = 2; n <= 8; n++) { /* each box of one size holds n of the next */
        uint64_t counts[9] = {1};
        for (int i = 1; i < 9; i++)
            counts[i] = counts[i - 1] * n;
        for (int i = 0; i < 4; i++) {
            uint64_t t = counts[i];
            counts[i] = counts[8 - i];
            counts[8 - i] = t;
        }
        test_counts r = counts_of(9, counts);
        rug_fit d = fitted(&r, NONEMPTY, 1, 256);
        assert_within(d.slope, log((double)n) / log(2), 1e-13, "dimension");
        assert_within(d.std_error, 0, 1e-13, "standard error");
        assert_within(d.r_squared, 1, 1e-13, "R squared");
        assert_within(d.intercept, log((double)counts[0]), 1e-12, "intercept");
        assert_int_equal(d.n_sizes, 9);
        for (int i = 0; i < 8; i++)
            assert_within(d.local_slope[i], log((double)n) / log(2), 1e-13, "slope");
        assert_nan(d.local_slope[8], "slope of the last size");
        assert_string_equal(rug_fit_status_name(d.status), "ok");
    }
}

/* By hand, in units of ln 2: x = 0, -1, -2, -3 and y = 5, 3, 2, 0. Sxx = 5, Sxy = 8,
 * slope 8/5; residuals 0.1, -0.3, 0.3, -0.1, so the residual sum is 0.2 of 13. */
static void errors_by_hand(void **state)
{
    (void)state;
    test_counts r = COUNTS(32, 8, 4, 1);
    rug_fit d = fitted(&r, NONEMPTY, 1, 8);
    assert_within(d.slope, 1.6, 1e-14, "dimension");
    assert_within(d.std_error, sqrt(0.2 / 2 / 5), 1e-14, "standard error");
    assert_within(d.r_squared, 1 - 0.2 / 13, 1e-14, "R squared");
    assert_within(d.intercept, 4.9 * log(2), 1e-13, "intercept");
    static const double slopes[] = {2, 1, 2};
    for (int i = 0; i < 3; i++)
        assert_within(d.local_slope[i], slopes[i], 1e-14, "local slope");
    assert_nan(d.local_slope[3], "slope of the last size");
}

/* Three points: x = 0, -1, -2 and y = 4, 1, 0; slope 2, residuals 1/3, -2/3, 1/3. */
static void three_points_by_hand(void **state)
{
    (void)state;
    test_counts r = COUNTS(16, 2, 1);
    rug_fit d = fitted(&r, NONEMPTY, 1, 4);
    assert_within(d.slope, 2, 1e-14, "dimension");
    assert_within(d.std_error, sqrt(2.0 / 3 / 1 / 2), 1e-14, "standard error");
    assert_within(d.r_squared, 1 - (2.0 / 3) / (26.0 / 3), 1e-14, "R squared");
    assert_within(d.intercept, 11.0 / 3 * log(2), 1e-13, "intercept");
}

static void two_sizes(void **state)
{
    (void)state;
    test_counts r = COUNTS(12, 3, 2, 1);
    rug_fit d = fitted(&r, NONEMPTY, 1, 2);
    assert_within(d.slope, 2, 1e-14, "dimension");
    assert_nan(d.std_error, "standard error");
    assert_within(d.r_squared, 1, 1e-14, "R squared");
    assert_string_equal(rug_fit_status_name(d.status), "doubtful");
    assert_int_equal(d.n_sizes, 2);
    assert_int_equal(d.size_min, 1);
    assert_int_equal(d.size_max, 2);
}

static void one_size(void **state)
{
    (void)state;
    test_counts r = COUNTS(12, 3, 2, 1);
    rug_fit d = fitted(&r, NONEMPTY, 2, 2);
    assert_nan(d.slope, "dimension");
    assert_nan(d.std_error, "standard error");
    assert_nan(d.r_squared, "R squared");
    assert_nan(d.intercept, "intercept");
    assert_string_equal(rug_fit_status_name(d.status), "too few sizes");
    assert_int_equal(d.n_sizes, 1);
    assert_int_equal(d.size_min, 2);
    assert_int_equal(d.size_max, 2);
    assert_within(d.local_slope[0], 2, 1e-14, "local slope"); /* of all sizes */
    d = fitted(&r, NONEMPTY, 5, 7);
    assert_nan(d.slope, "dimension");
    assert_string_equal(rug_fit_status_name(d.status), "too few sizes");
    assert_int_equal(d.n_sizes, 0);
}

static void nothing_set(void **state)
{
    (void)state;
    test_counts r = COUNTS(0, 0, 0, 0, 0, 0);
    static const rug_boxcount_of of[] = {NONEMPTY, RUG_BOXCOUNT_OF_BLACK,
                                         RUG_BOXCOUNT_OF_GRAY};
    for (int k = 0; k < 3; k++) {
        rug_fit d = fitted(&r, of[k], 0, 0);
        assert_string_equal(rug_fit_status_name(d.status), "empty");
        assert_nan(d.slope, "dimension");
        assert_nan(d.std_error, "standard error");
        assert_nan(d.r_squared, "R squared");
        assert_int_equal(d.n_sizes, 0);
        for (int i = 0; i < RUG_BOXCOUNT_MAX_SIZES; i++) {
            assert_nan(d.local_slope[i], "local slope");
            assert_int_equal(d.used[i], 0);
        }
    }
    rug_fit d = fitted(&r, RUG_BOXCOUNT_OF_WHITE, 0, 0);
    assert_within(d.slope, 2, 1e-13, "the complement of nothing");
    assert_string_equal(rug_fit_status_name(d.status), "doubtful"); /* 1..8 */
}

/* Exactly 0, without a sign, and R squared is 0 / 0. */
static void equal_counts(void **state)
{
    (void)state;
    test_counts one = COUNTS(1, 1, 1, 1, 1), seven = COUNTS(7, 7, 7, 7, 7);
    for (int k = 0; k < 2; k++) {
        rug_fit d = fitted(k == 0 ? &one : &seven, NONEMPTY, 1, 16);
        assert_true(d.slope == 0 && !signbit(d.slope));
        assert_true(d.std_error == 0 && !signbit(d.std_error));
        assert_nan(d.r_squared, "R squared");
        assert_within(d.intercept, k == 0 ? 0 : log(7), 1e-15, "intercept");
        assert_string_equal(rug_fit_status_name(d.status), "ok");
        for (int i = 0; i < 4; i++)
            assert_true(d.local_slope[i] == 0 && !signbit(d.local_slope[i]));
    }
}

/* A full image of a shape, as counted. */
static test_counts full_counts(rug_context *ctx, size_t nz, size_t ny, size_t nx)
{
    rug_image img = draw_shape(nz, ny, nx, is_any);
    test_counts r = must_count(ctx, &img, (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0});
    free_shape(img);
    return r;
}

/* 1 to the largest power of two <= a quarter of the shortest axis longer than 1, never
 * fewer than three sizes: then up to half of the longest. */
static void default_range(void **state)
{
    (void)state;
    static const struct {
        size_t shape[3];
        uint64_t size_max;
    } cases[] = {
        {{0, 64, 64}, 16},   {{0, 100, 100}, 16}, {{0, 128, 64}, 16},
        {{0, 64, 4096}, 16}, {{0, 1, 64}, 16},    {{0, 64, 1}, 16},
        {{0, 16, 16}, 4},    {{0, 15, 15}, 4},    {{0, 8, 8}, 4},
        {{0, 7, 7}, 2},      {{0, 4, 4}, 2},      {{0, 1, 5}, 2},
        {{0, 3, 1000}, 256}, {{0, 2, 2}, 1},      {{0, 1, 2}, 1},
        {{0, 1, 1}, 0},      {{0, 63, 63}, 8},    {{0, 255, 300}, 32},
        {{0, 256, 256}, 64}, {{3, 16, 16}, 8},    {{1, 64, 64}, 16},
        {{32, 32, 32}, 8},   {{20, 64, 100}, 4},  {{1, 1, 64}, 16},
        {{15, 64, 64}, 32},  {{1, 1, 1}, 0}, /* one box holds all */
    };
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t *n = cases[i].shape;
        test_counts r = full_counts(ctx, n[0], n[1], n[2]);
        rug_fit d;
        assert_int_equal(fit_counts(ctx, &d, &r, NONEMPTY, NULL), RUG_OK);
        if (d.size_max != cases[i].size_max)
            fail_msg("%zux%zux%zu: up to size %llu, %llu expected", n[0], n[1], n[2],
                     (unsigned long long)d.size_max,
                     (unsigned long long)cases[i].size_max);
        assert_int_equal(d.size_min, d.size_max > 0);
        assert_int_equal(((uint64_t)1 << d.n_sizes) / 2, d.size_max);
        for (uint32_t k = 0; k < RUG_BOXCOUNT_MAX_SIZES; k++)
            assert_int_equal(d.used[k], k < d.n_sizes);
        assert_string_equal(rug_fit_status_name(d.status), d.size_max > 8 ? "ok"
                                                           : d.size_max > 1
                                                               ? "doubtful"
                                                               : "too few sizes");
    }
    rug_context_free(ctx);
}

static void given_range(void **state)
{
    (void)state;
    test_counts r = COUNTS(999, 200, 64, 16, 4, 1, 1);
    static const struct {
        uint64_t lo, hi, size_min, size_max;
        uint32_t n;
    } cases[] = {{4, 16, 4, 16, 3}, {3, 31, 4, 16, 3},   {0, 4, 1, 4, 3},
                 {4, 0, 4, 16, 3},  {1, 1000, 1, 64, 7}, {4, UINT64_MAX, 4, 64, 5},
                 {4, 32, 4, 32, 4}, {1, 2, 1, 2, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_fit d = fitted(&r, NONEMPTY, cases[i].lo, cases[i].hi);
        assert_int_equal(d.size_min, cases[i].size_min);
        assert_int_equal(d.size_max, cases[i].size_max);
        assert_int_equal(d.n_sizes, cases[i].n);
        for (uint32_t k = 0; k < 7; k++)
            assert_int_equal(d.used[k], (uint64_t)1 << k >= d.size_min &&
                                            (uint64_t)1 << k <= d.size_max);
        if (cases[i].size_min == 4 && cases[i].size_max <= 32)
            assert_within(d.slope, 2, 1e-13, "dimension"); /* 64, 16, 4, 1 */
    }
}

/* Zero counts are left out: a logarithm of 0 must not occur. */
static void zero_counts(void **state)
{
    (void)state;
    test_counts r = COUNTS(64, 16, 4, 1);
    static const uint64_t gray[] = {0, 8, 0, 1}, black[] = {64, 8, 4, 0};
    for (int i = 0; i < 4; i++) {
        r.counts[i].gray = gray[i];
        r.counts[i].black = black[i];
        r.counts[i].white = 0;
    }
    rug_fit d = fitted(&r, RUG_BOXCOUNT_OF_GRAY, 1, 8);
    assert_within(d.slope, 1.5, 1e-14, "gray: 8 of size 2, 1 of size 8");
    assert_int_equal(d.n_sizes, 2);
    assert_int_equal(d.size_min, 2);
    assert_int_equal(d.size_max, 8);
    static const uint8_t used[] = {0, 1, 0, 1};
    assert_memory_equal(d.used, used, 4);
    for (int i = 0; i < 4; i++)
        assert_nan(d.local_slope[i], "slope beside a count of 0");
    d = fitted(&r, RUG_BOXCOUNT_OF_BLACK, 1, 8);
    assert_int_equal(d.n_sizes, 3);
    assert_within(d.local_slope[0], 3, 1e-14, "black, 64 to 8");
    assert_within(d.local_slope[1], 1, 1e-14, "black, 8 to 4");
    assert_nan(d.local_slope[2], "black, 4 to 0");
    assert_within(d.slope, 2, 1e-14, "black");
    d = fitted(&r, RUG_BOXCOUNT_OF_WHITE, 1, 8);
    assert_string_equal(rug_fit_status_name(d.status), "too few sizes");
    assert_nan(d.slope, "white");
    assert_int_equal(d.n_sizes, 0);
}

static void refused(rug_context *ctx, const test_counts *counts, rug_boxcount_of of,
                    rug_fit_options opts, const char *text)
{
    rug_fit d;
    memset(&d, 0xff, sizeof d);
    d.struct_size = sizeof d;
    rug_context_fail(ctx, RUG_E_IO, "-");
    test_counts own = *counts;
    rug_boxcount_result view = result_view(&own);
    if (rug_boxcount_fit(ctx, &d, &view, of, &opts) != RUG_E_ARG)
        fail_msg("%s: not refused", text);
    assert_cleared(&d, sizeof d, text);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static void bad_options(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    test_counts r = COUNTS(16, 4, 1);
    const size_t size = sizeof(rug_fit_options);
    const rug_fit_options good = RUG_FIT_OPTIONS_INIT;
    refused(ctx, &r, NONEMPTY, (rug_fit_options){0, 0, 0, 0}, "struct_size");
    refused(ctx, &r, (rug_boxcount_of)4, good, "kind 4");
    refused(ctx, &r, (rug_boxcount_of)-1, good, "kind -1");
    refused(ctx, &r, NONEMPTY, (rug_fit_options){size, 1, 1, 0}, "automatic");
    refused(ctx, &r, NONEMPTY, (rug_fit_options){size, 1, 0, 4}, "automatic");
    refused(ctx, &r, NONEMPTY, (rug_fit_options){size, 0, 4, 2}, "4..2");
    rug_boxcount_result view = result_view(&r);
    assert_int_equal(rug_boxcount_fit(ctx, NULL, &view, NONEMPTY, NULL), RUG_E_ARG);
    rug_fit unsized = {.struct_size = 0};
    assert_int_equal(rug_boxcount_fit(ctx, &unsized, &view, NONEMPTY, NULL), RUG_E_ARG);
    rug_context_free(ctx);
}

/* Callers of other versions: a shorter struct has the defaults in its place, a longer one must
 * be 0 where the library does not know it. */
static void callers_of_other_versions(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    test_counts r = COUNTS(4096, 1024, 256, 64, 16, 4, 1);
    rug_fit d;
    rug_fit_options older = {offsetof(rug_fit_options, size_max), 0, 2, 1};
    assert_int_equal(fit_counts(ctx, &d, &r, NONEMPTY, &older), RUG_OK);
    assert_int_equal(d.size_min, 2);
    assert_int_equal(d.size_max, 16);
    struct {
        rug_fit_options known;
        uint64_t unknown;
    } newer = {RUG_FIT_OPTIONS_INIT, 0};
    newer.known.struct_size = sizeof newer;
    assert_int_equal(fit_counts(ctx, &d, &r, NONEMPTY, &newer.known), RUG_OK);
    newer.unknown = 1;
    assert_int_equal(fit_counts(ctx, &d, &r, NONEMPTY, &newer.known), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "rug_fit_options"));
    rug_context_free(ctx);
}

/* Like every other failure, missing counts leave the output zeroed. */
static void missing_counts_zero_the_output(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_fit d;
    memset(&d, 0xff, sizeof d);
    d.struct_size = sizeof d;
    assert_int_equal(rug_boxcount_fit(ctx, &d, NULL, NONEMPTY, NULL), RUG_E_ARG);
    assert_cleared(&d, sizeof d, "no counts");
    assert_non_null(strstr(rug_context_error(ctx), "NULL"));
    rug_context_free(ctx);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(rug_boxcount_of_name(NONEMPTY), "nonempty");
    assert_string_equal(rug_boxcount_of_name(RUG_BOXCOUNT_OF_WHITE), "white");
    assert_string_equal(rug_boxcount_of_name((rug_boxcount_of)4), "?");
    assert_string_equal(rug_boxcount_of_name((rug_boxcount_of)-1), "?");
    assert_string_equal(rug_boxcount_grid_name(RUG_BOXCOUNT_GRID_MEAN), "mean");
    assert_string_equal(rug_boxcount_grid_name((rug_boxcount_grid)3), "?");
    assert_string_equal(rug_boxcount_method_name(RUG_BOXCOUNT_LOCAL), "local");
    assert_string_equal(rug_boxcount_method_name((rug_boxcount_method)6), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_lines),
        cmocka_unit_test(errors_by_hand),
        cmocka_unit_test(three_points_by_hand),
        cmocka_unit_test(two_sizes),
        cmocka_unit_test(one_size),
        cmocka_unit_test(nothing_set),
        cmocka_unit_test(equal_counts),
        cmocka_unit_test(default_range),
        cmocka_unit_test(given_range),
        cmocka_unit_test(zero_counts),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(callers_of_other_versions),
        cmocka_unit_test(missing_counts_zero_the_output),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
