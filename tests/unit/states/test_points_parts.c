/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points in parts: in whatever parts, order and tree of merging, saved or not, they give the bytes
 * of one state and the results of all points at once; what does not go together is told apart. */

#include "support.h"

#include "box_points_support.h"
#include "points_parts_support.h"
#include <math.h>

#define SEED     20261129
#define N_RANDOM TEST_CASES(300)
#define N_STATES 4

/* Random parts in random order, in some states, which are merged in any tree. */
static rug_points_parts *in_parts(rug_context *ctx, const set *s, uint64_t *rng)
{
    rug_points_parts *p[N_STATES];
    size_t cuts[MOST + 1], n_cuts = 0, n = (size_t)s->points.n;
    for (size_t i = 0; i < N_STATES; i++)
        p[i] = begin(ctx, s);
    for (size_t i = 0; i < n; i += 1 + test_below(rng, 1 + n / 3))
        cuts[n_cuts++] = i;
    for (size_t k = n_cuts; k > 0; k--) { /* any that is left */
        static uint8_t is_done[MOST + 1];
        if (k == n_cuts)
            memset(is_done, 0, sizeof is_done);
        size_t i = test_below(rng, n_cuts);
        while (is_done[i])
            i = (i + 1) % n_cuts;
        is_done[i] = 1;
        add(ctx, p[test_below(rng, N_STATES)], s, cuts[i],
            i + 1 < n_cuts ? cuts[i + 1] : n);
    }
    for (size_t left = N_STATES; left > 1; left--) {
        size_t i = test_below(rng, left - 1);
        if (test_below(rng, 2) == 0)
            save_and_load(ctx, &p[i]);
        if (test_below(rng, 2) == 0)
            save_and_load(ctx, &p[left - 1]);
        must(ctx, rug_points_parts_merge(ctx, p[i], p[left - 1]));
        rug_points_parts_free(p[left - 1]);
    }
    return p[0];
}

/* ---- Results ---- */

/* Box counts of parts are those of all points, with all facts but times. */
static void assert_boxcount(rug_context *ctx, const rug_points_parts *p, const set *s,
                            uint64_t *rng)
{
    static const uint64_t sizes[] = {1, 2, 3, 5, 12, 40};
    static test_counts got, expected;
    rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    rug_boxcount_result *counts, *theirs;
    o.spacing = s->opts.spacing;
    o.resolution = s->opts.resolution;
    if (test_below(rng, 2) == 0) {
        o.sizes = sizes;
        o.n_sizes = 6;
    }
    if (test_below(rng, 4) == 0 && s->points.ndim == 2 && s->opts.spacing >= 1)
        o.grid = (rug_boxcount_grid)test_below(rng, 3);
    rug_status status = rug_boxcount_points(ctx, &theirs, &s->points, &o);
    if (status != RUG_OK) { /* lattice cells without keys, or that are too many to pack */
        assert_int_equal(rug_points_parts_boxcount(ctx, &counts, p, &o), status);
        assert_null(counts);
        return;
    }
    must(ctx, rug_points_parts_boxcount(ctx, &counts, p, &o));
    test_copy_counts(&got, counts);
    test_copy_counts(&expected, theirs);
    test_assert_counts_equal(&got, &expected, "points in parts");
    assert_int_equal(got.n_points, expected.n_points);
    assert_int_equal(got.n_set, expected.n_set);
    assert_int_equal(got.n_pixels, expected.n_pixels);
    assert_int_equal(got.grid, expected.grid);
    assert_int_equal(got.foreground.kind, expected.foreground.kind);
    assert_string_equal(got.method, expected.method);
    assert_string_equal(got.engine, expected.engine);
    assert_memory_equal(got.positions, expected.positions,
                        got.n_sizes * sizeof got.positions[0]);
    if (s->points.dtype < RUG_F32 && s->opts.spacing == 1 && s->points.n > 0 &&
        o.grid == RUG_BOXCOUNT_GRID_ORIGIN) {
        static test_pixel_at cells[MOST];
        size_t n = whole_cells(cells, &s->points);
        assert_counts_of(&got, cells, n, "naive");
    }
    rug_boxcount_free(counts);
    rug_boxcount_free(theirs);
}

static void assert_masses(rug_context *ctx, const rug_points_parts *p, const set *s)
{
    static const double orders[3] = {-2, 1, 3};
    rug_masses_points_options o = RUG_MASSES_POINTS_OPTIONS_INIT;
    rug_masses *m, *theirs;
    rug_multifractal_result *fit, *their_fit;
    o.spacing = s->opts.spacing;
    o.resolution = s->opts.resolution;
    rug_status status = rug_masses_measure_points(ctx, &theirs, &s->points, &o);
    if (status != RUG_OK) {
        assert_int_equal(rug_points_parts_masses(ctx, &m, p), status);
        return;
    }
    must(ctx, rug_points_parts_masses(ctx, &m, p));
    rug_masses_facts f = *rug_masses_get_facts(m), g = *rug_masses_get_facts(theirs);
    assert_int_equal(f.n_sizes, g.n_sizes);
    assert_int_equal(f.n_set, g.n_set);
    assert_int_equal(f.n_pixels, g.n_pixels);
    assert_int_equal(f.total, s->points.n);
    assert_memory_equal(f.shape, g.shape, sizeof f.shape);
    for (uint32_t l = 0; l < f.n_sizes; l++) {
        size_t n, n_theirs;
        const rug_mass_boxes *a = rug_masses_boxes(ctx, m, l, &n);
        const rug_mass_boxes *b = rug_masses_boxes(ctx, theirs, l, &n_theirs);
        assert_int_equal(n, n_theirs);
        if (n > 0)
            assert_memory_equal(a, b, n * sizeof *a);
    }
    must(ctx, rug_multifractal_fit(ctx, &fit, m, orders, 3, NULL));
    must(ctx, rug_multifractal_fit(ctx, &their_fit, theirs, orders, 3, NULL));
    for (size_t i = 0; i < 3; i++)
        assert_memory_equal(rug_multifractal_at(fit, i),
                            rug_multifractal_at(their_fit, i),
                            sizeof(rug_multifractal_order));
    rug_multifractal_free(fit);
    rug_multifractal_free(their_fit);
    rug_masses_free(m);
    rug_masses_free(theirs);
}

static void random_parts(void **unused)
{
    (void)unused;
    static set s;
    rug_context *ctx = test_context();
    uint64_t rng = test_seed(ctx, SEED, N_RANDOM);
    rug_context_set_threads(ctx, 2);
    for (int i = 0; i < N_RANDOM; i++) {
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(i % 3));
        make(&s, ctx, &rng);
        rug_points_parts *whole = at_once(ctx, &s), *parts = in_parts(ctx, &s, &rng);
        assert_same_bytes(ctx, whole, parts);
        assert_boxcount(ctx, parts, &s, &rng);
        assert_masses(ctx, parts, &s);
        rug_points_parts_free(whole);
        rug_points_parts_free(parts);
    }
    rug_context_free(ctx);
}

/* More blocks than one, on several threads: most cells hold several points. */
static void many_points(void **unused)
{
    (void)unused;
    enum { N = 40000, SIDE = 120 };
    rug_context *ctx = test_context();
    uint16_t(*points)[2] = malloc(N * sizeof *points);
    uint64_t rng = 4, counts[2];
    rug_points_parts_options o = RUG_POINTS_PARTS_OPTIONS_INIT;
    rug_points_parts *p;
    rug_masses *m, *theirs;
    uint8_t *bytes;
    size_t n;
    assert_non_null(points);
    rug_context_set_threads(ctx, 4);
    for (size_t i = 0; i < N; i++)
        for (int a = 0; a < 2; a++)
            points[i][a] = (uint16_t)test_below(&rng, SIDE);
    must(ctx, rug_points_parts_new(ctx, &p, RUG_U16, 2, &o));
    for (size_t i = 0; i < N; i += N / 8) {
        rug_points part = points_view(points[i], RUG_U16, N / 8, 2);
        must(ctx, rug_points_parts_add(ctx, p, &part, 0));
    }
    must(ctx, rug_points_parts_save(ctx, &bytes, &n, p));
    assert_in_range(n, SIDE * SIDE, 2 * SIDE * SIDE + 4 * SIDE + 100);
    rug_points all = points_view(points, RUG_U16, N, 2);
    must(ctx, rug_points_parts_masses(ctx, &m, p));
    must(ctx, rug_masses_measure_points(ctx, &theirs, &all, NULL));
    for (uint32_t l = 0; l < 8; l++) {
        const rug_mass_boxes *a = rug_masses_boxes(ctx, m, l, &counts[0]);
        const rug_mass_boxes *b = rug_masses_boxes(ctx, theirs, l, &counts[1]);
        assert_int_equal(counts[0], counts[1]);
        assert_memory_equal(a, b, counts[0] * sizeof *a);
    }
    rug_masses_free(m);
    rug_masses_free(theirs);
    rug_points_parts_free(p);
    rug_context_release(ctx, bytes);
    rug_context_free(ctx);
    free(points);
}

/* Places at the ends of 64 bits. */
static void far_places(void **unused)
{
    (void)unused;
    static const uint64_t large[4] = {0, UINT64_MAX, 5, (uint64_t)1 << 63};
    static const int64_t signs[4] = {INT64_MIN, INT64_MAX, -1, 0};
    rug_context *ctx = test_context();
    for (int i = 0; i < 4; i++) {
        rug_points_parts_options o = RUG_POINTS_PARTS_OPTIONS_INIT;
        rug_points all = points_view(i % 2 == 0 ? (const void *)large : signs,
                                     i % 2 == 0 ? RUG_U64 : RUG_I64, 4, 1);
        rug_boxcount_points_options b = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
        static test_counts got, expected;
        rug_points_parts *p;
        rug_boxcount_result *counts;
        o.spacing = b.spacing = i < 2 ? 1 : 7;
        must(ctx, rug_points_parts_new(ctx, &p, all.dtype, 1, &o));
        for (size_t k = 4; k > 0; k--) {
            rug_points part = part_of(&all, k - 1, k);
            must(ctx, rug_points_parts_add(ctx, p, &part, 0));
        }
        save_and_load(ctx, &p);
        must(ctx, rug_points_parts_boxcount(ctx, &counts, p, NULL));
        test_copy_counts(&got, counts);
        expected = must_count_points(ctx, &all, &b);
        test_assert_counts_equal(&got, &expected, "far places");
        rug_boxcount_free(counts);
        rug_points_parts_free(p);
    }
    rug_context_free(ctx);
}

/* ---- Ranges ---- */

static void ranges(void **unused)
{
    (void)unused;
    static const double places[6] = {1, 2, -3, 4.5, 7, -0.0};
    rug_context *ctx = test_context();
    rug_points all = points_view(places, RUG_F64, 3, 2);
    rug_points_range whole = RUG_POINTS_RANGE_INIT, joined = RUG_POINTS_RANGE_INIT;
    must(ctx, rug_points_measure_range(ctx, &whole, &all));
    for (size_t i = 0; i < 3; i++) {
        rug_points part = part_of(&all, i, i + 1);
        rug_points_range one = RUG_POINTS_RANGE_INIT;
        must(ctx, rug_points_measure_range(ctx, &one, &part));
        must(ctx, rug_points_join_ranges(ctx, &joined, &one));
    }
    assert_memory_equal(&whole, &joined, sizeof whole);
    assert_int_equal(whole.n_points, 3);
    assert_int_equal(whole.is_broken, 1);
    assert_true(whole.least[0] == -3 && whole.most[0] == 7 && whole.least[1] == 0);
    rug_points none = part_of(&all, 0, 0);
    rug_points_range other = RUG_POINTS_RANGE_INIT;
    must(ctx, rug_points_measure_range(ctx, &other, &none));
    must(ctx, rug_points_join_ranges(ctx, &joined, &other));
    assert_memory_equal(&whole, &joined, sizeof whole);
    none = points_view(places, RUG_F64, 2, 3);
    must(ctx, rug_points_measure_range(ctx, &other, &none));
    refused(ctx, rug_points_join_ranges(ctx, &joined, &other), RUG_E_ARG,
            "range of points of 3 axes given, 2 expected");
    assert_memory_equal(&whole, &joined, sizeof whole);
    other = whole;
    other.most[1] = NAN;
    refused(ctx, rug_points_join_ranges(ctx, &joined, &other), RUG_E_ARG,
            "two finite numbers expected");
    refused(ctx, rug_points_join_ranges(ctx, &joined, NULL), RUG_E_ARG, "NULL given");
    rug_context_free(ctx);
}

/* ---- What is refused ---- */

static void refused_new(rug_context *ctx, rug_dtype dtype, int ndim,
                        const rug_points_parts_options *o, const char *text)
{
    rug_points_parts *p;
    refused(ctx, rug_points_parts_new(ctx, &p, dtype, ndim, o), RUG_E_ARG, text);
    assert_null(p);
}

static void refused_options(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    rug_points_parts_options o = RUG_POINTS_PARTS_OPTIONS_INIT;
    rug_points_range range = RUG_POINTS_RANGE_INIT;
    refused_new(ctx, RUG_F64, 2, NULL, "f64 given without spacing, resolution and range");
    refused_new(ctx, RUG_BIT, 2, NULL, "points of dtype 0 given");
    refused_new(ctx, RUG_U8, 11, NULL, "points of 11 axes given");
    o.resolution = 9;
    refused_new(ctx, RUG_U8, 2, &o, "resolution 9 given without the range of all points");
    o.range = &range;
    range.n_points = 1;
    range.ndim = 3;
    refused_new(ctx, RUG_U8, 2, &o, "range of points of 3 axes given, 2 expected");
    range.ndim = 2;
    range.least[1] = 1;
    refused_new(ctx, RUG_U8, 2, &o, "range of points 1..0 given on axis 1");
    range.most[1] = 1;
    o.spacing = 1;
    refused_new(ctx, RUG_U8, 2, &o, "both spacing 1 and resolution 9 given");
    o.resolution = 0;
    o.n_points = UINT64_MAX;
    refused_new(ctx, RUG_U8, 2, &o, "points given, at most 576460752303423488 expected");
    rug_context_free(ctx);
}

/* Of no points it says nothing else. */
static void range_of_none(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    rug_points_parts_options o = RUG_POINTS_PARTS_OPTIONS_INIT;
    const rug_points_range none = {sizeof none, 0, 77, 1, {NAN, 5}, {1, -INFINITY}};
    rug_points_parts *p, *q;
    uint8_t *bytes;
    size_t n;
    o.range = &none;
    o.resolution = 9;
    must(ctx, rug_points_parts_new(ctx, &p, RUG_F64, 2, &o));
    must(ctx, rug_points_parts_save(ctx, &bytes, &n, p));
    must(ctx, rug_points_parts_load(ctx, &q, bytes, n));
    must(ctx, rug_points_parts_merge(ctx, p, q));
    rug_context_release(ctx, bytes);
    rug_points_parts_free(q);
    rug_points_parts_free(p);
    rug_context_free(ctx);
}

static void refused_parts(void **unused)
{
    (void)unused;
    static const double places[6] = {1, 2, 3, 4, NAN, 5};
    rug_context *ctx = test_context();
    rug_points_parts_options o = RUG_POINTS_PARTS_OPTIONS_INIT;
    rug_points_range range = {sizeof range, 2, 2, 0, {1, 2}, {3, 4}};
    rug_points all = points_view(places, RUG_F64, 2, 2);
    rug_points_parts *p;
    rug_boxcount_result *counts;
    rug_masses *m;
    o.spacing = 1;
    must(ctx, rug_points_parts_new(ctx, &p, RUG_F64, 2, &o));
    refused(ctx, rug_points_parts_add(ctx, p, &all, 1), RUG_E_ARG, "0 expected where");
    rug_points part = points_view(places, RUG_F64, 3, 2);
    refused(ctx, rug_points_parts_add(ctx, p, &part, 0), RUG_E_ARG,
            "point 2 has nan as coordinate 0");
    part = points_view(places, RUG_F64, 2, 1);
    refused(ctx, rug_points_parts_add(ctx, p, &part, 0), RUG_E_ARG,
            "points of 1 axes and dtype f64 given, of 2 and f64 expected");
    part = points_view(places, RUG_I64, 2, 2);
    refused(ctx, rug_points_parts_add(ctx, p, &part, 0), RUG_E_ARG, "dtype i64 given");
    refused(ctx, rug_points_parts_add(ctx, p, NULL, 0), RUG_E_ARG, "NULL given");
    rug_points_parts_free(p);

    o.n_points = 4;
    must(ctx, rug_points_parts_new(ctx, &p, RUG_F64, 2, &o));
    refused(ctx, rug_points_parts_add(ctx, p, &all, 3), RUG_E_ARG,
            "part of 2 points from point 3 on given, but there are 4");
    rug_points_parts_free(p);
    must(ctx, rug_points_parts_new(ctx, &p, RUG_F64, 2, &o));
    must(ctx, rug_points_parts_add(ctx, p, &all, 1));
    refused(ctx, rug_points_parts_boxcount(ctx, &counts, p, NULL), RUG_E_ARG,
            "2 of 4 points were added; all are expected");
    refused(ctx, rug_points_parts_masses(ctx, &m, p), RUG_E_ARG, "2 of 4 points");
    refused(ctx, rug_points_parts_merge(ctx, p, p), RUG_E_ARG,
            "some of these points were added before");
    refused(ctx, rug_points_parts_add(ctx, p, &all, 2), RUG_E_ARG,
            "some of these points were added before");
    rug_points_parts_free(p);

    o = (rug_points_parts_options)RUG_POINTS_PARTS_OPTIONS_INIT;
    o.resolution = 10;
    o.range = &range;
    must(ctx, rug_points_parts_new(ctx, &p, RUG_F64, 2, &o));
    must(ctx, rug_points_parts_add(ctx, p, &all, 0));
    rug_boxcount_points_options b = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    b.resolution = 11;
    refused(ctx, rug_points_parts_boxcount(ctx, &counts, p, &b), RUG_E_ARG,
            "resolution 11 given, but the parts have 0 and 10");
    static const double outside[2] = {3, 5};
    part = points_view(outside, RUG_F64, 1, 2);
    refused(ctx, rug_points_parts_add(ctx, p, &part, 0), RUG_E_ARG,
            "points of a part lie in 5..5 on axis 1, 2..4 expected");
    rug_points_parts_free(p);
    rug_context_free(ctx);
}

/* Places of more than 128 bits have no keys, in a part and in all. */
static void too_far(void **unused)
{
    (void)unused;
    static const int64_t ends[6] = {INT64_MIN, INT64_MIN, INT64_MIN,
                                    INT64_MAX, INT64_MAX, INT64_MAX};
    rug_context *ctx = test_context();
    rug_points all = points_view(ends, RUG_I64, 2, 3);
    rug_points_parts *p;
    rug_boxcount_result *counts;
    rug_masses *m;
    must(ctx, rug_points_parts_new(ctx, &p, RUG_I64, 3, NULL));
    for (size_t i = 0; i < 2; i++) {
        rug_points part = part_of(&all, i, i + 1);
        must(ctx, rug_points_parts_add(ctx, p, &part, 0));
    }
    refused(ctx, rug_points_parts_boxcount(ctx, &counts, p, NULL), RUG_E_ARG, "192 bits");
    refused(ctx, rug_points_parts_masses(ctx, &m, p), RUG_E_ARG, "192 bits");
    refused(ctx, rug_points_parts_add(ctx, p, &all, 0), RUG_E_ARG, "192 bits");
    rug_points_parts_free(p);
    rug_context_free(ctx);
}

static void refused_merge(rug_context *ctx, const rug_points_parts *a, rug_dtype dtype,
                          int ndim, const rug_points_parts_options *o, const char *text)
{
    rug_points_parts *b;
    must(ctx, rug_points_parts_new(ctx, &b, dtype, ndim, o));
    refused(ctx, rug_points_parts_merge(ctx, b, a), RUG_E_ARG, text);
    rug_points_parts_free(b);
}

static void refused_merges(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    rug_points_range range = {sizeof range, 2, 2, 0, {1, 2}, {3, 4}}, other = range;
    rug_points_parts_options o = RUG_POINTS_PARTS_OPTIONS_INIT, x = o;
    rug_points_parts *a;
    o.resolution = 10;
    o.range = &range;
    o.n_points = 7;
    must(ctx, rug_points_parts_new(ctx, &a, RUG_F64, 2, &o));
    x.spacing = 2.5;
    refused_merge(ctx, a, RUG_F64, 2, &x, "spacing 0 given, 2.5 expected");
    x = o;
    x.resolution = 9;
    refused_merge(ctx, a, RUG_F64, 2, &x, "resolution 10 given, 9 expected");
    x = o;
    x.n_points = 0;
    refused_merge(ctx, a, RUG_F64, 2, &x, "number of points 7 given, 0 expected");
    refused_merge(ctx, a, RUG_F32, 2, &o, "dtype f64 given, f32 expected");
    x = o;
    x.range = &other;
    other.least[1] = 1.5;
    refused_merge(ctx, a, RUG_F64, 2, &x, "least coordinate 2 given, 1.5 expected");
    other = range;
    other.most[0] = 3.25;
    refused_merge(ctx, a, RUG_F64, 2, &x, "largest coordinate 3 given, 3.25 expected");
    other.ndim = 1;
    refused_merge(ctx, a, RUG_F64, 1, &x, "axes 2 given, 1 expected");
    refused(ctx, rug_points_parts_merge(ctx, a, NULL), RUG_E_ARG, "NULL given");
    rug_points_parts_free(a);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_parts),    cmocka_unit_test(many_points),
        cmocka_unit_test(far_places),      cmocka_unit_test(ranges),
        cmocka_unit_test(refused_options), cmocka_unit_test(range_of_none),
        cmocka_unit_test(refused_parts),   cmocka_unit_test(too_far),
        cmocka_unit_test(refused_merges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
