/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of points: sets with known counts, tables made with numpy, and the cells that
 * coordinates of every kind fall into. */

#include "support.h"

#include "box_points_support.h"
#include "boxcount_support.h"
#include "golden_support.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rug_boxcount_points_options defaults = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;

/* The table's column boxes_nonempty by k, sizes 2^(top - k). */
static void check_table(const test_counts *r, FILE *file, unsigned top)
{
    golden_row row;
    uint32_t n = 0;
    for (; golden_next(file, &row); n++) {
        uint64_t size = (uint64_t)1 << (top - n);
        uint32_t i = 0;
        while (i < r->n_sizes && r->counts[i].size != size)
            i++;
        assert_int_equal(atoi(row.field[0]), n);
        assert_true(i < r->n_sizes);
        assert_int_equal(r->counts[i].nonempty, strtoull(row.field[1], NULL, 10));
    }
    fclose(file);
    assert_in_range(n, 12, 13);
}

/* The chaos game on the corners of a triangle of 2^32 cells. */
static void chaos_triangle(void **state)
{
    (void)state;
    enum { N = 60000, SKIP = 32 };
    uint64_t *points = malloc(2 * N * sizeof *points), s = 42, x = 0, y = 0;
    assert_non_null(points);
    for (size_t i = 0; i < N + SKIP; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        uint64_t corner = (s >> 33) % 3, side = (uint64_t)1 << 32;
        x = (x + (corner == 1 ? side : 0)) >> 1;
        y = (y + (corner == 2 ? side : 0)) >> 1;
        if (i >= SKIP) {
            points[2 * (i - SKIP)] = x;
            points[2 * (i - SKIP) + 1] = y;
        }
    }
    assert_int_equal(points[0], 2189881874);
    assert_int_equal(points[2 * N - 2], 2168402944);
    assert_int_equal(points[2 * N - 1], 1015022374);
    rug_context *ctx = test_context();
    rug_points p = points_view(points, RUG_U64, N, 2);
    test_counts r = must_count_points(ctx, &p, NULL);
    check_table(&r, golden_open("points_chaos_sierpinski", "k", 2), 32);
    rug_fit d =
        must_fit(ctx, &r, RUG_BOXCOUNT_OF_NONEMPTY, (uint64_t)1 << 24, (uint64_t)1 << 32);
    assert_within(d.slope, log(3) / log(2), 1e-12, "D of the triangle");
    rug_context_free(ctx);
    free(points);
}

/* A coordinate from 0 to 1. */
static double coordinate_of(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(*s >> 11) / 9007199254740992.0;
}

/* Sizes at which nearly every point has a box of its own, or one box holds all, are in no
 * default and no automatic fit: what is left has the dimension of the set. */
static void saturated_sizes(void **state)
{
    (void)state;
    enum { N = 60000 };
    double *points = malloc(4 * N * sizeof *points);
    assert_non_null(points);
    rug_context *ctx = test_context();
    rug_fit_options range = RUG_FIT_OPTIONS_INIT;
    for (int is_auto = 0; is_auto < 2; is_auto++) {
        uint64_t s = 5;
        rug_fit d;
        range.auto_range = is_auto;
        for (size_t i = 0; i < 4 * N; i++)
            points[i] = coordinate_of(&s);
        rug_points p = {points, RUG_F64, N, 4, {32, 8}};
        test_counts r = must_count_points(ctx, &p, NULL);
        assert_int_equal(fit_counts(ctx, &d, &r, RUG_BOXCOUNT_OF_NONEMPTY, &range),
                         RUG_OK);
        assert_within(d.slope, 4, 1e-9, "D of a cube of four axes");
        assert_int_equal(d.size_min, 128);
        assert_int_equal(d.size_max, 512);
        assert_int_equal(d.status, RUG_FIT_DOUBTFUL);
        p.ndim = 2;
        p.n = 2; /* two points, and one */
        for (; p.n > 0; p.n--) {
            r = must_count_points(ctx, &p, NULL);
            assert_int_equal(fit_counts(ctx, &d, &r, RUG_BOXCOUNT_OF_NONEMPTY, &range),
                             RUG_OK);
            assert_nan(d.slope, "D of two points");
            assert_int_equal(d.status, RUG_FIT_TOO_FEW_SIZES);
        }
        for (size_t i = 0, n = 0; n < 20000;) { /* on a sphere */
            double x = 2 * coordinate_of(&s) - 1, y = 2 * coordinate_of(&s) - 1;
            double z = 2 * coordinate_of(&s) - 1, length = sqrt(x * x + y * y + z * z);
            if (length > 1 || length < 0.1)
                continue;
            points[i++] = x / length;
            points[i++] = y / length;
            points[i++] = z / length;
            n++;
        }
        p = (rug_points){points, RUG_F64, 20000, 3, {24, 8}};
        r = must_count_points(ctx, &p, NULL);
        assert_int_equal(fit_counts(ctx, &d, &r, RUG_BOXCOUNT_OF_NONEMPTY, &range),
                         RUG_OK);
        assert_int_equal(d.size_min, 32);
        assert_within(d.slope, 2, 0.2, "D of a sphere");
    }
    rug_context_free(ctx);
    free(points);
}

/* A coast in degrees: the resolution is 2^11 cells, and the table's boxes are so many
 * cells that 2^k of them lie along the longest side. */
static void coast(void **state)
{
    (void)state;
    enum { N = 3698 };
    double *xy = malloc(2 * N * sizeof *xy);
    FILE *file = fopen(test_data("gb_coast_xy.tsv"), "r");
    char line[256];
    assert_non_null(xy);
    assert_non_null(file);
    size_t n = 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (line[0] != '#') {
            assert_true(n < N);
            assert_int_equal(sscanf(line, "%lf %lf", &xy[2 * n], &xy[2 * n + 1]), 2);
            n++;
        }
    fclose(file);
    assert_int_equal(n, N);
    rug_context *ctx = test_context();
    rug_points p = points_view(xy, RUG_F64, N, 2);
    rug_boxcount_points_options opts = defaults;
    opts.resolution = 2048;
    test_counts r = must_count_points(ctx, &p, &opts);
    check_table(&r, golden_open("points_gb_coast_xy", "k", 3), 11);
    assert_int_equal(r.shape[1], 2048); /* y is the longer side */
    r = must_count_points(ctx, &p, NULL);
    assert_int_equal(r.shape[1], 1024); /* degrees are not whole */
    rug_context_free(ctx);
    free(xy);
}

static void bunny_vertices(void **state)
{
    (void)state;
    enum { N = 35947 };
    char path[512];
    if (test_shared_data() == NULL)
        skip();
    snprintf(path, sizeof path, "%s/points/bunny_vertices_f32le.bin", test_shared_data());
    float *xyz = malloc(3 * N * sizeof *xyz);
    FILE *file = fopen(path, "rb");
    assert_non_null(xyz);
    assert_non_null(file);
    assert_int_equal(fread(xyz, 3 * sizeof *xyz, N, file), N);
    fclose(file);
    rug_context *ctx = test_context();
    rug_points p = points_view(xyz, RUG_F32, N, 3);
    rug_boxcount_points_options opts = defaults;
    opts.resolution = 2048;
    test_counts r = must_count_points(ctx, &p, &opts);
    check_table(&r, golden_open("points_bunny_vertices_f32le", "k", 3), 11);
    rug_context_free(ctx);
    free(xyz);
}

/* What a result says of itself; an empty set. */
static void fields_of_the_result(void **state)
{
    (void)state;
    static const int16_t points[] = {-3, 10, 4, 10, -3, 13};
    rug_context *ctx = test_context();
    rug_points p = points_view(points, RUG_I16, 3, 2);
    test_counts r;
    memset(&r, 0xff, sizeof r);
    assert_int_equal(test_boxcount_points(ctx, &r, &p, NULL), RUG_OK);
    assert_int_equal(r.ndim, 2);
    assert_int_equal(r.shape[0], 8);
    assert_int_equal(r.shape[1], 4);
    assert_int_equal(r.foreground.kind, RUG_FOREGROUND_NONZERO);
    assert_string_equal(r.method, "hou");
    assert_string_equal(r.engine, "cpu");
    assert_int_equal(r.grid, RUG_BOXCOUNT_GRID_ORIGIN);
    assert_true(r.busy_least >= 0 && r.busy_least <= r.busy_most && r.busy_most > 0);
    static const rug_box_positions none;
    assert_memory_equal(&r.positions[0], &none, sizeof none);
    /* x -3..4, y 10..13: boxes of 8 are -1 and 0, and 1; of 4 -1..1 and 2..3 */
    static const rug_box_count expected[] = {{1, 32, 3, 3, 0, 29},
                                             {2, 10, 3, 0, 3, 7},
                                             {4, 6, 3, 0, 3, 3},
                                             {8, 2, 2, 0, 2, 0}};
    assert_int_equal(r.n_sizes, 4);
    for (int i = 0; i < 4; i++)
        assert_boxes(&r.counts[i], &expected[i], "three points");
    for (int i = 4; i < RUG_BOXCOUNT_MAX_SIZES; i++)
        assert_int_equal(r.counts[i].size, 0);
    rug_context_free(ctx);
}

static void no_points(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_points p = points_view(NULL, RUG_F32, 0, 3);
    test_counts r = must_count_points(ctx, &p, NULL);
    static const rug_box_count nothing = {.size = 1};
    assert_int_equal(r.ndim, 3);
    assert_int_equal(r.n_sizes, 1);
    assert_boxes(&r.counts[0], &nothing, "no points");
    assert_int_equal(r.shape[0] + r.shape[1] + r.shape[2], 0);
    for (int of = RUG_BOXCOUNT_OF_NONEMPTY; of <= RUG_BOXCOUNT_OF_WHITE; of++)
        for (int is_auto = 0; is_auto < 2; is_auto++) {
            rug_fit_options fit = RUG_FIT_OPTIONS_INIT;
            fit.auto_range = is_auto;
            rug_fit d;
            assert_int_equal(fit_counts(ctx, &d, &r, (rug_boxcount_of)of, &fit), RUG_OK);
            assert_string_equal(rug_fit_status_name(d.status),
                                of == RUG_BOXCOUNT_OF_WHITE ? "too few sizes" : "empty");
            assert_nan(d.slope, "dimension of nothing");
        }
    static const uint64_t sizes[] = {3, 5};
    rug_boxcount_points_options opts = defaults;
    opts.sizes = sizes;
    opts.n_sizes = 2;
    r = must_count_points(ctx, &p, &opts);
    assert_int_equal(r.n_sizes, 2);
    assert_int_equal(r.counts[1].size, 5);
    assert_int_equal(r.counts[1].total, 0);
    rug_context_free(ctx);
}

/* One point, and many at the same place. */
static void single_cells(void **state)
{
    (void)state;
    double points[3 * 5000];
    rug_context *ctx = test_context();
    for (int i = 0; i < 3 * 5000; i++)
        points[i] = -0.25 - i % 3;
    for (uint64_t n = 1; n <= 5000; n += 4999)
        for (uint64_t resolution = 0; resolution <= 7; resolution += 7) {
            rug_points p = points_view(points, RUG_F64, n, 3);
            rug_boxcount_points_options opts = defaults;
            opts.resolution = resolution;
            test_counts r = must_count_points(ctx, &p, &opts);
            static const rug_box_count one = {1, 1, 1, 1, 0, 0};
            assert_int_equal(r.n_sizes, 1);
            assert_boxes(&r.counts[0], &one, "one cell");
            assert_true(r.shape[0] == 1 && r.shape[1] == 1 && r.shape[2] == 1);
        }
    rug_context_free(ctx);
}

/* Every double is in the cell that floor() says, and the last edge of a resolution
 * belongs to the last cell. */
static void cells_of_reals(void **state)
{
    (void)state;
    enum { N = 2000 };
    static double points[2 * N];
    static test_pixel_at cells[N];
    uint64_t rng = 5;
    rug_context *ctx = test_context();
    for (int round = 0; round < 60; round++) {
        double scale = ldexp(1, (int)test_below(&rng, 30) - 10);
        double spacing = round % 3 == 0 ? 1 : scale * (0.01 + 1e-3 * (double)round);
        uint64_t resolution = 1 + test_below(&rng, (uint64_t)1 << test_below(&rng, 40));
        double least[2] = {INFINITY, INFINITY}, longest = 0;
        for (int i = 0; i < 2 * N; i++) {
            double v = (double)(int64_t)test_random(&rng) * 0x1p-63 * scale;
            points[i] = round % 4 == 1 ? floor(v * 8) / 8 : v; /* many on edges */
            least[i % 2] = fmin(least[i % 2], points[i]);
        }
        for (int i = 0; i < 2 * N; i++)
            longest = fmax(longest, points[i] - least[i % 2]);
        rug_points p = points_view(points, RUG_F64, N, 2);
        rug_boxcount_points_options opts = defaults;
        int by_spacing = round % 2;
        opts.spacing = by_spacing ? spacing : 0;
        opts.resolution = by_spacing ? 0 : resolution;
        memset(cells, 0, sizeof cells);
        for (int i = 0; i < 2 * N; i++) {
            double v =
                by_spacing
                    ? floor(points[i] / spacing)
                    : floor((points[i] - least[i % 2]) / longest * (double)resolution);
            v = by_spacing ? v : fmin(v, (double)(resolution - 1));
            cells[i / 2].at[i % 2] = (wide_int)v;
        }
        size_t n = distinct_cells(cells, N);
        test_counts r = must_count_points(ctx, &p, &opts);
        assert_counts_of(&r, cells, n, by_spacing ? "spacing" : "resolution");
    }
    rug_context_free(ctx);
}

/* Whole floats have cells of 1, others 1024 along the longest side. */
static void default_cells(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const double whole[] = {-5, 0, 1e6, 7}, broken[] = {-5, 0, 1e6, 7.5};
    static const float large[] = {0, 1e30f};
    rug_points p = points_view(whole, RUG_F64, 2, 2);
    test_counts r = must_count_points(ctx, &p, NULL);
    assert_int_equal(r.shape[0], 1000006);
    assert_int_equal(r.shape[1], 8);
    p.data = broken;
    r = must_count_points(ctx, &p, NULL);
    assert_int_equal(r.shape[0], 1024);
    assert_int_equal(r.shape[1], 1);
    p = points_view(large, RUG_F32, 2, 1); /* whole, but too many cells of 1 */
    assert_int_equal(test_boxcount_points(ctx, &r, &p, NULL), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "1e+30"));
    rug_context_free(ctx);
}

/* The ends of 64 bits, exactly; both borders that never move: 0, and that of the type. */
static void extreme_integers(void **state)
{
    (void)state;
    static const int64_t i64[] = {INT64_MIN, INT64_MIN + 1, -2,           -1, 0, 1, 2, 3,
                                  INT64_MAX, INT64_MAX - 1, INT64_MAX - 2};
    static const uint64_t u64[] = {
        0, 1, 2, INT64_MAX, (uint64_t)1 << 63, UINT64_MAX, UINT64_MAX - 1};
    rug_context *ctx = test_context();
    test_pixel_at cells[11];
    for (int is_signed = 0; is_signed < 2; is_signed++)
        for (uint64_t from = 0; from < 6; from++)
            for (uint64_t to = from + 1; to <= (is_signed ? 11 : 7); to++) {
                rug_points p = points_view(is_signed ? (const void *)&i64[from]
                                                     : (const void *)&u64[from],
                                           is_signed ? RUG_I64 : RUG_U64, to - from, 1);
                size_t n = whole_cells(cells, &p);
                test_counts r = must_count_points(ctx, &p, NULL);
                assert_counts_of(&r, cells, n, is_signed ? "i64" : "u64");
                static const uint64_t sizes[] = {
                    1, 2, 3, 7, 4096, 4099, 4294967291, RUG_BOXCOUNT_SIZE_MAX};
                rug_boxcount_points_options opts = defaults;
                opts.sizes = sizes;
                opts.n_sizes = 8;
                r = must_count_points(ctx, &p, &opts);
                assert_counts_of(&r, cells, n, is_signed ? "i64, any size" : "u64");
            }
    rug_points whole = points_view(i64, RUG_I64, 11, 1);
    test_counts r = must_count_points(ctx, &whole, NULL);
    assert_true(r.shape[0] == UINT64_MAX); /* one less than there are */
    assert_true(r.counts[0].total == RUG_BOXCOUNT_TOO_MANY);
    assert_int_equal(r.n_sizes, 64);
    assert_int_equal(r.counts[63].nonempty, 2);
    rug_context_free(ctx);
}

/* A spacing that is whole divides integers exactly. */
static void whole_spacing(void **state)
{
    (void)state;
    static const int64_t points[] = {-INT64_MAX, INT64_MAX, -7, -6, -1, 0, 6, 7};
    rug_context *ctx = test_context();
    rug_points p = points_view(points, RUG_I64, 8, 1);
    rug_boxcount_points_options opts = defaults;
    opts.spacing = 7;
    test_pixel_at cells[8];
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < 8; i++)
        cells[i].at[0] = floor_div(points[i], 7);
    size_t n = distinct_cells(cells, 8);
    test_counts r = must_count_points(ctx, &p, &opts);
    assert_counts_of(&r, cells, n, "spacing 7");
    rug_context_free(ctx);
}

/* Grids MIN and MEAN: two filled squares that one grid cuts and another does not. */
static void best_grid(void **state)
{
    (void)state;
    int32_t points[32];
    for (int i = 0; i < 16; i++) {
        points[2 * i] = -1 + i / 4 % 2 + i / 8 * 8;
        points[2 * i + 1] = 3 + i % 2 + i / 8 * 8;
    }
    rug_context *ctx = test_context();
    static const uint64_t sizes[] = {1, 2, 3};
    rug_boxcount_points_options opts = defaults;
    opts.sizes = sizes;
    opts.n_sizes = 3;
    for (int axes = 2; axes <= 3; axes++) {
        int32_t flat[48] = {0};
        for (int i = 0; i < 16; i++)
            for (int a = 0; a < 2; a++)
                flat[3 * i + a + 1] = points[2 * i + a];
        rug_points p = points_view(axes == 2 ? points : flat, RUG_I32, 16, axes);
        opts.grid = RUG_BOXCOUNT_GRID_ORIGIN;
        test_counts r = must_count_points(ctx, &p, &opts);
        assert_int_equal(r.counts[1].nonempty, 8);
        for (int threads = 1; threads <= 3; threads++) {
            assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
            opts.grid = RUG_BOXCOUNT_GRID_MIN;
            r = must_count_points(ctx, &p, &opts);
            assert_string_equal(r.method, "window");
            assert_int_equal(r.grid, RUG_BOXCOUNT_GRID_MIN);
            assert_int_equal(r.counts[0].nonempty, 8);
            assert_int_equal(r.counts[0].total, 100);
            assert_int_equal(r.counts[1].nonempty, 2);
            assert_int_equal(r.counts[1].total, 25);
            assert_int_equal(r.counts[1].black, axes == 2 ? 2 : 0);
            assert_int_equal(r.counts[1].white, 23);
            assert_int_equal(r.positions[1].least, 2);
            assert_int_equal(r.counts[2].nonempty, 2);
            opts.grid = RUG_BOXCOUNT_GRID_MEAN;
            r = must_count_points(ctx, &p, &opts);
            assert_within(r.positions[1].mean_nonempty, (2 + 4 + 4 + 8) / 4.0, 1e-12,
                          "mean");
        }
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chaos_triangle),       cmocka_unit_test(coast),
        cmocka_unit_test(saturated_sizes),      cmocka_unit_test(bunny_vertices),
        cmocka_unit_test(fields_of_the_result), cmocka_unit_test(no_points),
        cmocka_unit_test(single_cells),         cmocka_unit_test(cells_of_reals),
        cmocka_unit_test(default_cells),        cmocka_unit_test(extreme_integers),
        cmocka_unit_test(whole_spacing),        cmocka_unit_test(best_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
