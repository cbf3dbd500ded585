/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses of points: random integers on 1 to 10 axes and keys of 64 and 128 bits against
 * sorting the boxes of all points; real coordinates against the dimension of their boxes;
 * what is refused. */

#include "support.h"

#include "box_points_support.h"
#include "boxcount_support.h"
#include "memory_support.h"
#include "orders_support.h"
#include <math.h>
#include <stdio.h>

#define SEED 19900117
#define MOST 1500

static int compare_masses(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The masses of the boxes of a size, sorted. @return how many */
static size_t naive_masses(uint64_t *out, const test_pixel_at *cells, size_t n, int axes,
                           uint64_t size)
{
    static test_pixel_at boxes[MOST];
    size_t used = 0;
    memset(boxes, 0, sizeof boxes);
    for (size_t i = 0; i < n; i++)
        for (int a = 0; a < axes; a++)
            boxes[i].at[a] = floor_div(cells[i].at[a], size);
    qsort(boxes, n, sizeof *boxes, compare_cells);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_cells(&boxes[i], &boxes[i - 1]) != 0)
            out[used++] = 0;
        out[used - 1]++;
    }
    qsort(out, used, sizeof *out, compare_masses);
    return used;
}

static void assert_size(rug_context *ctx, rug_masses *m, const test_pixel_at *cells,
                        size_t n, int axes, uint32_t level, const char *what)
{
    static uint64_t expected[MOST];
    size_t used = naive_masses(expected, cells, n, axes, (uint64_t)1 << level), i = 0, k;
    const rug_mass_boxes *pairs = rug_masses_boxes(ctx, m, level, &k);
    for (size_t p = 0; p < k; p++)
        for (uint64_t b = 0; b < pairs[p].boxes; b++, i++)
            if (i >= used || expected[i] != pairs[p].mass)
                fail_msg("%s, level %u: mass %llu", what, level,
                         (unsigned long long)pairs[p].mass);
    assert_int_equal(i, used);
}

/* The dimension of order 0 and that of the boxes. */
static void assert_dimension(rug_context *ctx, rug_masses *m, const rug_points *p,
                             double spacing, uint64_t resolution)
{
    static const double zero = 0;
    for (int is_auto = 0; is_auto < 2; is_auto++) {
        static test_counts counts;
        rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
        rug_fit_options theirs = RUG_FIT_OPTIONS_INIT;
        rug_fit_options ours = RUG_FIT_OPTIONS_INIT;
        rug_fit d;
        rug_multifractal_order r;
        o.spacing = spacing;
        o.resolution = resolution;
        theirs.auto_range = ours.auto_range = is_auto;
        assert_int_equal(test_boxcount_points(ctx, &counts, p, &o), RUG_OK);
        assert_int_equal(fit_counts(ctx, &d, &counts, RUG_BOXCOUNT_OF_NONEMPTY, &theirs),
                         RUG_OK);
        rug_multifractal_facts f = fit_orders(ctx, &r, m, &zero, 1, &ours);
        if (memcmp(&d.slope, &r.dimension, sizeof d.slope) != 0 ||
            d.size_min != f.size_min || d.size_max != f.size_max ||
            strcmp(rug_fit_status_name(d.status), rug_fit_status_name(r.status)) != 0)
            fail_msg("%.17g over %llu..%llu (%s), %.17g over %llu..%llu (%s) expected",
                     r.dimension, (unsigned long long)f.size_min,
                     (unsigned long long)f.size_max, rug_fit_status_name(r.status),
                     d.slope, (unsigned long long)d.size_min,
                     (unsigned long long)d.size_max, rug_fit_status_name(d.status));
    }
}

static void random_integers(void **state)
{
    (void)state;
    static int32_t cells[MOST * RUG_POINTS_MAX_AXES];
    static test_pixel_at at[MOST];
    uint64_t rng = SEED;
    printf("seed %d\n", SEED);
    for (int i = 0; i < 60; i++) {
        rug_context *ctx = test_context();
        rug_context_set_threads(ctx, 1 + i % 4);
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(i % 3));
        int axes = 1 + (int)test_below(&rng, 10);
        unsigned bits = 1 + (unsigned)test_below(&rng, axes > 4 ? 10 : 28);
        size_t n = 1 + test_below(&rng, MOST);
        for (size_t k = 0; k < n * (size_t)axes; k++)
            cells[k] = (int32_t)test_below(&rng, (uint64_t)1 << bits) -
                       (int32_t)(test_below(&rng, 3) << (bits - 1));
        for (size_t k = n / 2; k < n && k > 0; k += 3) /* some come more than once */
            memcpy(cells + k * (size_t)axes, cells, (size_t)axes * sizeof *cells);
        rug_points p = {cells, RUG_I32, n, axes, {4 * axes, 4}};
        memset(at, 0, sizeof at);
        for (size_t k = 0; k < n * (size_t)axes; k++)
            at[k / (size_t)axes].at[k % (size_t)axes] = cells[k];
        rug_masses *m = NULL;
        if (rug_masses_measure_points(ctx, &m, &p, NULL) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        rug_masses_facts facts = *rug_masses_get_facts(m);
        assert_int_equal(facts.total, n);
        assert_int_equal(facts.ndim, axes);
        assert_int_equal(facts.is_whole, 1);
        for (uint32_t level = 0; level < facts.n_sizes; level++)
            assert_size(ctx, m, at, n, axes, level, "integers");
        assert_dimension(ctx, m, &p, 0, 0);
        rug_masses_free(m);
        rug_context_free(ctx);
    }
}

static void real_coordinates(void **state)
{
    (void)state;
    static double cells[2 * MOST];
    uint64_t rng = SEED + 1;
    rug_context *ctx = test_context();
    double x = 0, y = 0;
    for (size_t i = 0; i < MOST; i++) { /* the chaos game of a triangle */
        uint64_t corner = test_below(&rng, 3);
        x = (x + (double)corner) / 2;
        y = (y + (corner == 1 ? 1.7 : 0)) / 2;
        cells[2 * i] = x - 1;
        cells[2 * i + 1] = y;
    }
    rug_points p = {cells, RUG_F64, MOST, 2, {16, 8}};
    const struct {
        double spacing;
        uint64_t resolution;
    } cases[] = {{0, 0}, {0.01, 0}, {0, 77}, {1e-15, 0}};
    for (int i = 0; i < 4; i++) {
        rug_masses_points_options o = RUG_MASSES_POINTS_OPTIONS_INIT;
        o.spacing = cases[i].spacing;
        o.resolution = cases[i].resolution;
        rug_masses *m = NULL;
        if (rug_masses_measure_points(ctx, &m, &p, &o) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        assert_dimension(ctx, m, &p, o.spacing, o.resolution);
        rug_masses_free(m);
    }
    rug_context_free(ctx);
}

static void refusals(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    double cells[] = {1, NAN, 3, 4};
    rug_points p = {cells, RUG_F64, 2, 2, {16, 8}};
    rug_masses *m = NULL;
    rug_masses_points_options o = RUG_MASSES_POINTS_OPTIONS_INIT;
    assert_int_equal(rug_masses_measure_points(ctx, &m, &p, NULL), RUG_E_ARG);
    assert_null(m);
    cells[1] = 2;
    o.spacing = 1;
    o.resolution = 5;
    assert_int_equal(rug_masses_measure_points(ctx, &m, &p, &o), RUG_E_ARG);
    o.struct_size = 3;
    assert_int_equal(rug_masses_measure_points(ctx, &m, &p, &o), RUG_E_ARG);
    p.ndim = 11;
    assert_int_equal(rug_masses_measure_points(ctx, &m, &p, NULL), RUG_E_ARG);
    p.ndim = 2;
    assert_int_equal(rug_masses_measure_points(ctx, &m, &p, NULL), RUG_OK);
    rug_image img = {cells, RUG_F64, 2, {2, 2}, {16, 8}, {0}, NULL};
    const size_t zero[2] = {0, 0};
    assert_int_equal(rug_masses_add(ctx, m, &img, NULL, zero), RUG_E_ARG);
    assert_int_equal(rug_masses_merge(ctx, m, m), RUG_E_ARG);
    rug_masses_free(m);
    p.n = 0;
    assert_int_equal(rug_masses_measure_points(ctx, &m, &p, NULL), RUG_OK);
    rug_multifractal_order r;
    fit_orders(ctx, &r, m, &(double){2}, 1, NULL);
    assert_int_equal(r.status, RUG_FIT_EMPTY);
    rug_masses_free(m);
    int64_t far[20];
    for (int i = 0; i < 20; i++)
        far[i] = i < 10 ? INT64_MIN : INT64_MAX;
    rug_points wide = {far, RUG_I64, 2, 10, {80, 8}};
    assert_int_equal(rug_masses_measure_points(ctx, &m, &wide, NULL), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "at most 128 expected"));
    wide.ndim = 1;
    assert_int_equal(rug_masses_measure_points(ctx, &m, &wide, NULL), RUG_OK);
    rug_masses_free(m);
    rug_context_free(ctx);
}

static void failing_memory(void **state)
{
    (void)state;
    static const int16_t cells[] = {1, 2, 3, 4, 5, 6, 7, 8};
    rug_points p = {cells, RUG_I16, 4, 2, {4, 2}};
    rug_status status = RUG_E_NOMEM;
    size_t n_fails = 0;
    while (status != RUG_OK) {
        memory mem = {.fail_at = n_fails + 1};
        rug_context *ctx = test_context();
        rug_masses *m = NULL;
        memory_hook(ctx, &mem);
        status = rug_masses_measure_points(ctx, &m, &p, NULL);
        assert_true((m == NULL) == (status != RUG_OK));
        if (status != RUG_OK)
            assert_int_equal(status, RUG_E_NOMEM);
        n_fails += status != RUG_OK;
        rug_masses_free(m);
        assert_int_equal(mem.n_live, 0);
        assert_int_equal(mem.n_wrong, 0);
        rug_context_free(ctx);
    }
    assert_in_range(n_fails, 6, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_integers),
        cmocka_unit_test(real_coordinates),
        cmocka_unit_test(refusals),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
