/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which sizes a line in a log-log plot takes: src/core/scaling. The same through the public
 * call is in test_fit and test_fit_auto. */

#include "support.h"

#include "core/fit/scaling.h" /* src/core */
#include <math.h>
#include <string.h>

static const uint64_t powers[] = {1, 2, 4, 8, 16, 32, 64};
#define N_POWERS 7

static rug_status take(rug_context *ctx, rug_fit_options *own, int auto_range,
                       uint64_t size_min, uint64_t size_max)
{
    rug_fit_options given = {sizeof given, auto_range, size_min, size_max};
    return rugi_fit_options_take(ctx, own, &given);
}

static void ranges_are_checked(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_fit_options own;
    assert_int_equal(rugi_fit_options_take(ctx, &own, NULL), RUG_OK);
    assert_int_equal(own.auto_range, 0);
    assert_int_equal(take(ctx, &own, 0, 0, 0), RUG_OK);
    assert_int_equal(take(ctx, &own, 0, 8, 8), RUG_OK);
    assert_int_equal(take(ctx, &own, 0, 8, 0), RUG_OK);
    assert_int_equal(take(ctx, &own, 1, 0, 0), RUG_OK);
    assert_int_equal(take(ctx, &own, 0, 9, 8), RUG_E_ARG);
    assert_string_equal(rug_context_error(ctx), "fit: range 9..8 is empty");
    assert_int_equal(take(ctx, &own, 1, 2, 0), RUG_E_ARG);
    assert_int_equal(take(ctx, &own, 1, 0, 8), RUG_E_ARG);
    assert_string_equal(
        rug_context_error(ctx),
        "fit: an automatic and an explicit range of sizes given, one expected");
    rug_context_free(ctx);
}

static void default_largest_size(void **state)
{
    (void)state;
    const struct {
        uint64_t shape[3], size_max;
    } cases[] = {
        {{1, 64, 100}, 16}, /* a quarter of the shortest axis longer than 1 */
        {{1, 15, 100}, 50}, /* sizes 1 and 2 only: half of the longest */
        {{1, 1, 64}, 16},   {{1, 1, 1}, 1}, {{1, 2, 1}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(rugi_scaling_size_max(3, cases[i].shape, N_POWERS, powers),
                         cases[i].size_max);
}

static void values_without_logarithm_are_left_out(void **state)
{
    (void)state;
    const double values[N_POWERS] = {64, 0, 16, NAN, -4, 2, 1};
    rugi_scaling_points p;
    rugi_scaling_collect(&p, N_POWERS, powers, values, 0, UINT64_MAX);
    assert_int_equal(p.n, 4);
    const uint32_t index[] = {0, 2, 5, 6};
    for (size_t k = 0; k < p.n; k++) {
        assert_int_equal(p.index[k], index[k]);
        assert_true(p.x[k] == -log((double)powers[index[k]]));
        assert_true(p.y[k] == log(values[index[k]]));
    }
    rugi_scaling_collect(&p, N_POWERS, powers, values, 2, 32);
    assert_int_equal(p.n, 2);
    assert_int_equal(p.index[0], 2);
    double slope[N_POWERS];
    rugi_scaling_local_slopes(slope, N_POWERS, powers, values);
    for (size_t i = 0; i < N_POWERS; i++)
        assert_true(i == 5 ? fabs(slope[i] - 1) < 1e-15 : isnan(slope[i]));
}

static void ranges_are_collected(void **state)
{
    (void)state;
    static const double values[N_POWERS] = {64, 32, 16, 8, 4, 2, 1};
    static const double dust[N_POWERS] = {60, 59, 21, 20, 10, 5, 1};
    static const double line[N_POWERS] = {60, 45, 21, 20, 10, 5, 1};
    static const double once[N_POWERS] = {9, 5, 1, 1, 1, 1, 1};
    static const uint64_t shape[] = {32, 64};
    static const struct {
        rug_fit_options range;
        const double *values;
        double n_points;
        size_t first, n;
    } cases[] = {
        {{0, 0, 0, 0}, values, 0, 0, 4}, /* up to 8 */
        {{0, 0, 2, 0}, values, 0, 1, 3},
        {{0, 0, 0, 32}, values, 0, 0, 6},
        {{0, 1, 0, 0}, values, 0, 0, 6}, /* without the single box */
        {{0, 0, 128, 256}, values, 0, 0, 0},
        {{0, 0, 0, 64}, values, 64, 0, 7}, /* all that was asked for */
        {{0, 1, 0, 0},
         values,
         64,
         2,
         4}, /* 16 of 64 points, and 32 are more than a third */
        {{0, 0, 0, 0}, values, 64, 2, 4}, /* 4, 8, then up to 32 */
        {{0, 0, 0, 0}, values, 96, 1, 3}, /* 32 is a third */
        {{0, 1, 0, 0}, values, 2, 0, 0},
        {{0, 1, 0, 0}, dust, 0, 3, 3}, /* isolated pixels are points */
        {{0, 1, 0, 0}, line, 0, 0, 6}, /* others are not */
        {{0, 0, 0, 0}, once, 0, 0, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rugi_scaling_points p;
        const rugi_fit_input input = {.n_axes = 2,
                                      .shape = shape,
                                      .n_sizes = N_POWERS,
                                      .sizes = powers,
                                      .values = cases[i].values,
                                      .boxes = cases[i].values,
                                      .n_points = cases[i].n_points};
        rugi_scaling_collect_range(&p, &cases[i].range, &input);
        if (p.n != cases[i].n || (p.n > 0 && p.index[0] != cases[i].first))
            fail_msg("case %zu: %zu sizes from %u", i, p.n, p.n > 0 ? p.index[0] : 0);
    }
}

/* Lines that say little exist, and are called so. */
static void doubtful_lines(void **state)
{
    (void)state;
    static const double straight[N_POWERS] = {4096, 1024, 256, 64, 16, 4, 1};
    static const double bent[N_POWERS] = {300, 290, 270, 80, 10, 3, 2};
    static const uint64_t shape[] = {64, 64};
    static const struct {
        const double *values;
        uint64_t size_min, size_max;
        rug_fit_status status;
    } cases[] = {
        {straight, 1, 16, RUG_FIT_OK},       {straight, 1, 8, RUG_FIT_DOUBTFUL},
        {straight, 2, 16, RUG_FIT_DOUBTFUL}, {straight, 2, 32, RUG_FIT_OK},
        {straight, 1, 2, RUG_FIT_DOUBTFUL},  {straight, 1, 1, RUG_FIT_TOO_FEW_SIZES},
        {bent, 1, 64, RUG_FIT_DOUBTFUL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rug_fit fit;
        const rug_fit_options range = {sizeof range, 0, cases[i].size_min,
                                       cases[i].size_max};
        rugi_fit(&fit, &range,
                 &(rugi_fit_input){.n_axes = 2,
                                   .shape = shape,
                                   .n_sizes = N_POWERS,
                                   .sizes = powers,
                                   .values = cases[i].values,
                                   .boxes = cases[i].values});
        if (fit.status != cases[i].status)
            fail_msg("case %zu: %s", i, rug_fit_status_name(fit.status));
    }
    assert_string_equal(rug_fit_status_name(RUG_FIT_DOUBTFUL), "doubtful");
}

/* What rugi_scaling_choose() keeps of values at the powers of two. */
static rug_fit_status chosen(rugi_scaling_points *p, const double *values,
                             const double *totals)
{
    rugi_scaling_collect(p, N_POWERS, powers, values, 0, UINT64_MAX);
    return rugi_scaling_choose(p, values, totals);
}

static void assert_kept(const rugi_scaling_points *p, uint32_t first, uint32_t last)
{
    assert_int_equal(p->n, last - first + 1);
    for (uint32_t k = 0; k < p->n; k++) {
        assert_int_equal(p->index[k], first + k);
        assert_true(p->x[k] == -log((double)powers[first + k]));
    }
}

static void automatic_ranges(void **state)
{
    (void)state;
    rugi_scaling_points p;
    /* A line up to 8, then the frame: boxes that all count. */
    const double framed[N_POWERS] = {3000, 1000, 333, 111, 16, 4, 1};
    const double totals[N_POWERS] = {4096, 1024, 256 * 2, 128, 16, 4, 1};
    assert_int_equal(chosen(&p, framed, totals), RUG_FIT_OK);
    assert_kept(&p, 0, 3);
    /* The same where nothing says how many there could be: the steady part. */
    assert_int_equal(chosen(&p, framed, NULL), RUG_FIT_OK);
    assert_kept(&p, 0, 3);
    /* Full: all of it, since nothing else is left. */
    const double full[N_POWERS] = {4096, 1024, 256, 64, 16, 4, 1};
    assert_int_equal(chosen(&p, full, NULL), RUG_FIT_OK);
    assert_kept(&p, 0, 6);
    assert_int_equal(chosen(&p, full, full), RUG_FIT_OK);
    assert_kept(&p, 0, 6);
    /* Two others are left. */
    const double nearly[N_POWERS] = {4095, 1023, 256, 64, 16, 4, 1};
    assert_int_equal(chosen(&p, nearly, full), RUG_FIT_NO_SCALING_RANGE);
    assert_kept(&p, 0, 1);
    /* No three agree: the steadiest three. */
    const double wild[N_POWERS] = {1e9, 1e8, 9e7, 1e7, 9e6, 1e5, 9e4};
    assert_int_equal(chosen(&p, wild, NULL), RUG_FIT_NO_SCALING_RANGE);
    assert_int_equal(p.n, 3);
    const double none[N_POWERS] = {0};
    assert_int_equal(chosen(&p, none, NULL), RUG_FIT_OK);
    assert_int_equal(p.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_checked),
        cmocka_unit_test(default_largest_size),
        cmocka_unit_test(values_without_logarithm_are_left_out),
        cmocka_unit_test(ranges_are_collected),
        cmocka_unit_test(automatic_ranges),
        cmocka_unit_test(doubtful_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
