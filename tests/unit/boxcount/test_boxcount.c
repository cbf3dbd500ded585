/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts whose truth is known by hand or by formula, and what a result says of
 * itself. */

#include "support.h"

#include "boxcount_support.h"
#include <math.h>
#include <string.h>

#define NONZERO  ((rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0})
#define NONEMPTY RUG_BOXCOUNT_OF_NONEMPTY

/* Counts a drawn shape, at every CPU level, and compares with counting every box. */
static test_counts count_shape(size_t nz, size_t ny, size_t nx, shape_fn is_set)
{
    rug_context *ctx = test_context();
    rug_image img = draw_shape(nz, ny, nx, is_set);
    test_counts expected, r = {0};
    test_naive_boxcount(&expected, &img, NONZERO);
    for (rug_cpu_level level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        assert_int_equal(rug_context_set_cpu_level(ctx, level), RUG_OK);
        r = must_count(ctx, &img, NONZERO);
        test_assert_counts_equal(&r, &expected, rug_cpu_level_name(level));
    }
    free_shape(img);
    rug_context_free(ctx);
    return r;
}

static double dimension(const test_counts *r, rug_boxcount_of of, uint64_t lo,
                        uint64_t hi)
{
    rug_context *ctx = test_context();
    double d = must_fit(ctx, r, of, lo, hi).slope;
    rug_context_free(ctx);
    return d;
}

#define EXPECT(r, what, ...) \
    assert_nonempty(&(r), (const uint64_t[]){__VA_ARGS__, 0}, what)

static void filled_square(void **state)
{
    (void)state;
    test_counts r = count_shape(0, 64, 64, is_any);
    EXPECT(r, "64x64", 4096, 1024, 256, 64, 16, 4, 1);
    assert_int_equal(r.n_sizes, 7);
    for (uint32_t i = 0; i < r.n_sizes; i++) {
        assert_int_equal(r.counts[i].black, r.counts[i].total);
        assert_int_equal(r.counts[i].gray, 0);
        assert_int_equal(r.counts[i].white, 0);
    }
    assert_within(dimension(&r, NONEMPTY, 0, 0), 2, 1e-14, "D");
    assert_within(dimension(&r, RUG_BOXCOUNT_OF_BLACK, 0, 0), 2, 1e-14,
                  "D of the inside");
}

static void sierpinski_triangle(void **state)
{
    (void)state;
    test_counts r = count_shape(0, 64, 64, is_sierpinski);
    EXPECT(r, "triangle", 729, 243, 81, 27, 9, 3, 1);
    assert_within(dimension(&r, NONEMPTY, 0, 0), log(3) / log(2), 1e-14, "D");
    assert_within(dimension(&r, NONEMPTY, 1, 64), log(3) / log(2), 1e-14, "D, all sizes");
    assert_int_equal(r.counts[0].black, 729);
    assert_int_equal(r.counts[1].black, 0);
    assert_int_equal(r.counts[1].gray, 243);
    assert_int_equal(r.counts[1].white, 1024 - 243);
}

static int is_shifted_sierpinski(size_t z, size_t y, size_t x)
{
    return y >= 31 && x >= 31 && y < 95 && x < 95 && is_sierpinski(z, y - 31, x - 31);
}

static void shifted_triangle(void **state)
{
    (void)state;
    test_counts r = count_shape(0, 128, 128, is_shifted_sierpinski);
    EXPECT(r, "shifted triangle", 729, 366, 151, 52, 19, 8);
    assert_within(dimension(&r, NONEMPTY, 1, 32), 1.340, 5e-4, "D");
}

static int is_diagonal(size_t z, size_t y, size_t x)
{
    return x == y && (z == 0 || z == x);
}

static int is_middle_row(size_t z, size_t y, size_t x)
{
    (void)z;
    (void)x;
    return y == 31;
}

static int is_first_column(size_t z, size_t y, size_t x)
{
    (void)z;
    (void)y;
    return x == 0;
}

static int is_single(size_t z, size_t y, size_t x)
{
    (void)z;
    return y == 37 && x == 53;
}

static void lines_and_points(void **state)
{
    (void)state;
    static const shape_fn lines[] = {is_diagonal, is_middle_row, is_first_column};
    for (int i = 0; i < 3; i++) {
        test_counts r = count_shape(0, 64, 64, lines[i]);
        EXPECT(r, "line", 64, 32, 16, 8, 4, 2, 1);
        assert_within(dimension(&r, NONEMPTY, 0, 0), 1, 1e-14, "D of a line");
    }
    test_counts r = count_shape(0, 64, 64, is_single);
    EXPECT(r, "one pixel", 1, 1, 1, 1, 1, 1, 1);
    assert_nan(dimension(&r, NONEMPTY, 0, 0), "D of one pixel");
    assert_true(dimension(&r, NONEMPTY, 1, 16) == 0);
}

static void filled_cube(void **state)
{
    (void)state;
    test_counts r = count_shape(32, 32, 32, is_any);
    EXPECT(r, "32^3", 32768, 4096, 512, 64, 8, 1);
    for (uint32_t i = 0; i < r.n_sizes; i++)
        assert_int_equal(r.counts[i].black, r.counts[i].total);
    assert_within(dimension(&r, NONEMPTY, 0, 0), 3, 1e-14, "D");
}

/* Sizes that do not divide the side: boxes that the edge cuts off count, but are never
 * black. */
static void filled_squares_of_other_sides(void **state)
{
    (void)state;
    test_counts r = count_shape(0, 60, 60, is_any);
    EXPECT(r, "60x60", 3600, 900, 225, 64, 16, 4, 1);
    static const uint64_t black[] = {3600, 900, 225, 49, 9, 1, 0};
    for (int i = 0; i < 7; i++)
        assert_int_equal(r.counts[i].black, black[i]);
    assert_within(dimension(&r, NONEMPTY, 1, 32), 1.9521, 5e-5, "D of 60x60");
    r = count_shape(0, 100, 100, is_any);
    EXPECT(r, "100x100", 10000, 2500, 625, 169, 49, 16, 4, 1);
    assert_int_equal(r.n_sizes, 8);
    assert_within(dimension(&r, NONEMPTY, 1, 32), 1.8670, 5e-5, "D of 100x100");
}

static int is_outline(size_t z, size_t y, size_t x)
{
    (void)z;
    return y == 0 || x == 0 || y == 63 || x == 63;
}

static int is_inner_square(size_t z, size_t y, size_t x)
{
    (void)z;
    return y >= 12 && x >= 12 && y < 52 && x < 52;
}

/* Area, outline and border are different things: the kind of box is explicit. */
static void area_outline_and_border(void **state)
{
    (void)state;
    test_counts r = count_shape(0, 64, 64, is_outline);
    EXPECT(r, "outline", 252, 124, 60, 28, 12, 4, 1);
    r = count_shape(0, 64, 64, is_inner_square);
    static const uint64_t gray[] = {0, 0, 0, 20, 12, 4, 1};
    for (int i = 0; i < 7; i++)
        assert_int_equal(r.counts[i].gray, gray[i]);
    assert_int_equal(r.counts[2].black, 100);
    double d = dimension(&r, RUG_BOXCOUNT_OF_GRAY, 1, 32);
    assert_within(d, log(5) / log(4), 1e-14, "D of the border, 20, 12, 4 boxes");
}

static void flat_volume(void **state)
{
    (void)state;
    test_counts r = count_shape(3, 16, 16, is_any);
    EXPECT(r, "3x16x16", 768, 128, 16, 4, 1);
    static const uint64_t black[] = {768, 64, 0, 0, 0};
    for (int i = 0; i < 5; i++)
        assert_int_equal(r.counts[i].black, black[i]);
}

static int is_menger(size_t z, size_t y, size_t x)
{
    for (; x > 0 || y > 0 || z > 0; x /= 3, y /= 3, z /= 3)
        if ((x % 3 == 1) + (y % 3 == 1) + (z % 3 == 1) >= 2)
            return 0;
    return 1;
}

/* Counted at powers of two, as every box is by hand in count_shape(). */
static void sponges(void **state)
{
    (void)state;
    test_counts r = count_shape(27, 27, 27, is_menger);
    EXPECT(r, "sponge", 8000);
    assert_int_equal(r.n_sizes, 6);
    assert_int_equal(r.counts[5].nonempty, 1);
    r = count_shape(0, 81, 81, is_menger); /* one face: the carpet */
    EXPECT(r, "carpet", 4096);
    assert_int_equal(r.n_sizes, 8);
    r = count_shape(81, 27, 100, is_menger);
    assert_int_equal(r.n_sizes, 8);
}

static void nothing_set(void **state)
{
    (void)state;
    for (size_t nz = 0; nz <= 32; nz += 32) {
        test_counts r = count_shape(nz, 32, 32, is_none);
        for (uint32_t i = 0; i < r.n_sizes; i++) {
            assert_int_equal(r.counts[i].nonempty, 0);
            assert_int_equal(r.counts[i].black, 0);
            assert_int_equal(r.counts[i].white, r.counts[i].total);
        }
        assert_nan(dimension(&r, NONEMPTY, 0, 0), "D of nothing");
        assert_within(dimension(&r, RUG_BOXCOUNT_OF_WHITE, 0, 0), nz == 0 ? 2 : 3, 1e-14,
                      "D of the complement");
    }
}

/* Rows and columns: boxes are squares, so that none but single pixels is black. */
static void thin_images(void **state)
{
    (void)state;
    static const size_t lengths[] = {1, 2, 3, 63, 64, 65, 127, 128, 129, 1000, 40000};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        size_t n = lengths[k];
        test_counts row = count_shape(0, 1, n, is_any);
        test_counts column = count_shape(0, n, 1, is_any);
        assert_memory_equal(row.counts, column.counts, sizeof row.counts);
        assert_int_equal(row.counts[row.n_sizes - 1].total, 1);
        assert_true(row.counts[row.n_sizes - 1].size >= n);
        assert_true(row.n_sizes == 1 || row.counts[row.n_sizes - 2].size < n);
        for (uint32_t i = 0; i < row.n_sizes; i++) {
            assert_int_equal(row.counts[i].nonempty, (n - 1) / row.counts[i].size + 1);
            assert_int_equal(row.counts[i].black, i == 0 ? n : 0);
        }
        test_counts line = count_shape(1, 1, n, is_any);
        assert_memory_equal(row.counts, line.counts, sizeof row.counts);
    }
}

/* A volume of one slice has the boxes of the image, but none of them is whole. */
static void volume_of_one_slice(void **state)
{
    (void)state;
    test_counts image = count_shape(0, 64, 100, is_any);
    test_counts volume = count_shape(1, 64, 100, is_any);
    assert_int_equal(image.ndim, 2);
    assert_int_equal(volume.ndim, 3);
    assert_int_equal(image.n_sizes, volume.n_sizes);
    for (uint32_t i = 0; i < image.n_sizes; i++) {
        assert_int_equal(image.counts[i].nonempty, volume.counts[i].nonempty);
        assert_int_equal(image.counts[i].total, volume.counts[i].total);
        assert_int_equal(volume.counts[i].black, i == 0 ? 6400 : 0);
    }
    assert_int_equal(image.counts[1].black, 1600);
}

/* Packed bits and bytes give the same counts; bits behind a row's end do not count. */
static void bits_and_bytes(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t rng = 17;
    for (size_t nx = 1; nx <= 200; nx += 1 + nx / 8) {
        enum { NY = 70 };
        static uint8_t bytes[NY * 200], bits[NY * 25];
        size_t row = (nx + 7) / 8;
        memset(bits, 0xff, sizeof bits);
        for (size_t y = 0; y < NY; y++)
            for (size_t x = 0; x < nx; x++) {
                uint8_t v = (uint8_t)(test_below(&rng, 40) != 0);
                bytes[y * nx + x] = v;
                if (!v)
                    bits[y * row + x / 8] &= (uint8_t) ~(1u << x % 8);
            }
        rug_image a = test_u8(bytes, 0, NY, nx), b;
        assert_int_equal(rug_image_view(ctx, &b, bits, RUG_BIT, 2, (size_t[]){NY, nx}),
                         RUG_OK);
        test_counts ra = must_count(ctx, &a, NONZERO);
        test_counts rb = must_count(ctx, &b, NONZERO);
        test_assert_counts_equal(&rb, &ra, "bits");
    }
    rug_context_free(ctx);
}

/* What the result says of itself. */
static void fields_of_the_result(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = draw_shape(3, 5, 9, is_sierpinski);
    test_counts r;
    memset(&r, 0xff, sizeof r);
    assert_int_equal(test_boxcount(ctx, &r, &img, NULL), RUG_OK);
    assert_int_equal(r.ndim, 3);
    static const size_t shape[] = {3, 5, 9};
    assert_memory_equal(r.shape, shape, sizeof shape);
    assert_int_equal(r.foreground.kind, RUG_FOREGROUND_ABOVE);
    assert_true(r.foreground.value == 1);
    assert_string_equal(r.method, "pyramid");
    assert_int_equal(r.n_sizes, 5);
    for (uint32_t i = 0; i < RUG_BOXCOUNT_MAX_SIZES; i++) {
        const rug_box_count *c = &r.counts[i];
        assert_int_equal(c->size, i < 5 ? (uint64_t)1 << i : 0);
        assert_int_equal(c->total, c->white + c->gray + c->black);
        assert_int_equal(c->nonempty, c->gray + c->black);
    }
    for (rug_cpu_level level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        char engine[32];
        assert_int_equal(rug_context_set_cpu_level(ctx, level), RUG_OK);
        assert_int_equal(test_boxcount(ctx, &r, &img, NULL), RUG_OK);
        snprintf(engine, sizeof engine, "cpu-%s",
                 rug_cpu_level_name(rug_context_cpu_level(ctx)));
        assert_string_equal(r.engine, engine);
    }
    free_shape(img);
    img = draw_shape(0, 5, 9, is_any);
    r = must_count(ctx, &img, (rug_foreground){RUG_FOREGROUND_OTSU, 0, 0});
    assert_int_equal(r.foreground.kind, RUG_FOREGROUND_NONZERO); /* flat */
    assert_int_equal(r.shape[0], 5);
    assert_int_equal(r.shape[1], 9);
    assert_int_equal(r.shape[2], 0);
    free_shape(img);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filled_square),
        cmocka_unit_test(sierpinski_triangle),
        cmocka_unit_test(shifted_triangle),
        cmocka_unit_test(lines_and_points),
        cmocka_unit_test(filled_cube),
        cmocka_unit_test(filled_squares_of_other_sides),
        cmocka_unit_test(area_outline_and_border),
        cmocka_unit_test(flat_volume),
        cmocka_unit_test(sponges),
        cmocka_unit_test(nothing_set),
        cmocka_unit_test(thin_images),
        cmocka_unit_test(volume_of_one_slice),
        cmocka_unit_test(bits_and_bytes),
        cmocka_unit_test(fields_of_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
