/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Attractors of function systems: sets that are known pixel by pixel, the distance from points
 * that long words of maps make, and calls that are refused. */

#include "support.h"

#include "memory_support.h"
#include <math.h>
#include <rugose/ifs_draw.h>

#define SIDE_MAX 300

static const rug_ifs_map triangle[3] = {
    {0.5, 0, 0, 0.5, 0, 0}, {0.5, 0, 0, 0.5, 0.5, 0}, {0.5, 0, 0, 0.5, 0, 0.5}};

static void must_draw(rug_context *ctx, rug_ifs_picture *p, const rug_ifs_map *maps,
                      size_t n, uint32_t nx, uint32_t ny)
{
    *p = (rug_ifs_picture)RUG_IFS_PICTURE_INIT;
    if (rug_ifs_draw(ctx, p, maps, n, nx, ny) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_true(p->nx == nx && p->ny == ny && p->n_planes == 1 && p->dtype == RUG_U8);
}

static size_t count_set(const rug_ifs_picture *p)
{
    size_t n_set = 0;
    for (size_t i = 0; i < (size_t)p->nx * p->ny; i++) {
        unsigned value = ((const uint8_t *)p->pixels)[i];
        assert_true(value == 0 || value == 255);
        n_set += value == 255;
    }
    return n_set;
}

static int is_set(const rug_ifs_picture *p, size_t y, size_t x)
{
    return ((const uint8_t *)p->pixels)[y * p->nx + x] == 255;
}

/* Pixel (x, y) from below left is set where x and y have no bit in common; beside the square is
 * nothing, whatever the shape of the picture. */
static void exact_triangle(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{256, 256}, {1, 1}, {2, 2}, {201, 128}, {64, 75}};
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        rug_ifs_picture p;
        uint32_t nx = sizes[i][0], ny = sizes[i][1], n = nx < ny ? nx : ny;
        must_draw(ctx, &p, triangle, 3, nx, ny);
        for (uint32_t y = 0; y < ny; y++)
            for (uint32_t x = 0; x < nx; x++) {
                uint32_t column = x - (nx - n) / 2, row = ny - 1 - y - (ny - n + 1) / 2;
                int expected = column < n && row < n && (column & row) == 0;
                if (is_set(&p, y, x) != expected)
                    fail_msg("%u x %u: pixel (%u, %u)", nx, ny, y, x);
            }
        rug_ifs_picture_free(ctx, &p);
    }
    rug_context_free(ctx);
}

/* Rows, columns and diagonals are as thin as they are long; a point is one pixel. */
static void lines_and_points(void **state)
{
    (void)state;
    static const struct {
        rug_ifs_map maps[2];
        size_t n_maps, n_set[2];
        size_t y, x; /* a pixel that is set, in the last picture */
    } cases[] = {
        {{{0.5, 0, 0, 0, 0, 0}, {0.5, 0, 0, -0.3, 0.5, 0}}, 2, {8, 12}, 4, 0},
        {{{0, 0, 0, 0.5, 0, 7}, {0, 0, 0, -0.5, 0, 3}}, 2, {8, 9}, 0, 6},
        {{{0.5, 0, 0, 0.5, 0, 0}, {0.5, 0, 0, 0.5, 4, 4}}, 2, {8, 9}, 8, 1},
        {{{0.5, 0, 0, -0.5, 3, 12}}, 1, {1, 1}, 4, 6},
        {{{0, 0, 0, 0, -1e300, 1e-300}}, 1, {1, 1}, 4, 6},
        {{{-0.9, 0, 0, -0.9, 0, 0}}, 1, {1, 1}, 4, 6},
        {{{0.5, 0, 0, 0.5, 3, 4}, {0, 0.7, -0.7, 0, 0.4, 12.2}}, 2, {1, 1}, 4, 6},
    };
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < 2; k++) {
            rug_ifs_picture p;
            must_draw(ctx, &p, cases[i].maps, cases[i].n_maps, k == 0 ? 8 : 12,
                      k == 0 ? 8 : 9);
            if (count_set(&p) != cases[i].n_set[k] ||
                (k == 1 && !is_set(&p, cases[i].y, cases[i].x)))
                fail_msg("case %zu, picture %d: %zu pixels", i, k, count_set(&p));
            rug_ifs_picture_free(ctx, &p);
        }
    rug_context_free(ctx);
}

/* ---- Points of words ---- */

/* Points of an attractor, in pixels of a picture in which it is as wide or as high as that. */
typedef struct points {
    double (*at)[2];
    size_t n;
} points;

/* Images of the first map's fixed point under all words of a length. */
static points points_of(const rug_ifs_map *maps, size_t n_maps, int length)
{
    points p = {NULL, 1};
    for (int i = 0; i < length; i++)
        p.n *= n_maps;
    p.at = calloc(p.n, sizeof *p.at);
    assert_non_null(p.at);
    for (int i = 0; i < 2000; i++) {
        double x = p.at[0][0], y = p.at[0][1];
        p.at[0][0] = maps[0].a * x + maps[0].b * y + maps[0].e;
        p.at[0][1] = maps[0].c * x + maps[0].d * y + maps[0].f;
    }
    size_t n = 1;
    for (int i = 0; i < length; i++, n *= n_maps)
        for (size_t k = n; k-- > 0;) {
            double x = p.at[k][0], y = p.at[k][1];
            for (size_t m = n_maps; m-- > 0;) {
                p.at[k + m * n][0] = maps[m].a * x + maps[m].b * y + maps[m].e;
                p.at[k + m * n][1] = maps[m].c * x + maps[m].d * y + maps[m].f;
            }
        }
    return p;
}

static void to_pixels(points *p, double nx, double ny)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < p->n; i++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], p->at[i][k]);
            high[k] = fmax(high[k], p->at[i][k]);
        }
    double scale = fmin(nx / (high[0] - low[0]), ny / (high[1] - low[1]));
    double left = floor((nx - scale * (high[0] - low[0]) + 1e-6) / 2);
    double top = floor((ny - scale * (high[1] - low[1]) + 1e-6) / 2);
    for (size_t i = 0; i < p->n; i++) {
        p->at[i][0] = left + scale * (p->at[i][0] - low[0]);
        p->at[i][1] = top + scale * (high[1] - p->at[i][1]);
    }
}

static double distance_to_pixel(const double *at, double x, double y)
{
    return hypot(fmax(fabs(at[0] - x - 0.5) - 0.5, 0),
                 fmax(fabs(at[1] - y - 0.5) - 0.5, 0));
}

/* Every point is near a set pixel, and every set pixel near a point. */
static void assert_near(const rug_ifs_picture *p, const points *all, double most)
{
    static double nearest[SIDE_MAX * SIDE_MAX];
    double farthest = 0;
    for (size_t i = 0; i < (size_t)p->nx * p->ny; i++)
        nearest[i] = INFINITY;
    for (size_t i = 0; i < all->n; i++) {
        const double *at = all->at[i];
        double least = INFINITY;
        for (double y = floor(at[1]) - 1; y <= floor(at[1]) + 1; y++)
            for (double x = floor(at[0]) - 1; x <= floor(at[0]) + 1; x++) {
                if (x < 0 || y < 0 || x >= p->nx || y >= p->ny)
                    continue;
                size_t pixel = (size_t)y * p->nx + (size_t)x;
                double distance = distance_to_pixel(at, x, y);
                nearest[pixel] = fmin(nearest[pixel], distance);
                if (is_set(p, (size_t)y, (size_t)x))
                    least = fmin(least, distance);
            }
        farthest = fmax(farthest, least);
    }
    if (farthest > most)
        fail_msg("a point is %g pixels away from what is set", farthest);
    for (size_t i = 0; i < (size_t)p->nx * p->ny; i++)
        if (((const uint8_t *)p->pixels)[i] == 255 && nearest[i] > most)
            fail_msg("pixel %zu is %g pixels away from the points", i, nearest[i]);
}

/* Maps that turn, mirror, shear, overlap and flatten. */
static void close_to_the_points(void **state)
{
    (void)state;
    static const struct {
        rug_ifs_map maps[4];
        size_t n_maps;
        int length;
    } cases[] = {
        {{{0.5, -0.5, 0.5, 0.5, 0, 0}, {-0.5, -0.5, 0.5, -0.5, 1, 0}}, 2, 18},
        {{{0.4, -0.3, 0.3, 0.4, 1, 0},
          {-0.5, 0.1, 0.2, 0.45, -3, 2},
          {0, 0, 0.1, 0.5, 0, 9}},
         3,
         11},
        {{{0.5, 0, 0, 0.5, 0, 0},
          {0.5, 0.05, 0, 0.5, 0.2, 0},
          {0.5, 0, 0, 0.5, 0.4, 0.1},
          {0.1, 0.4, 0.4, 0.1, 0.5, 0.6}},
         4,
         9},
    };
    static const uint32_t sizes[][2] = {{64, 64}, {SIDE_MAX, 40}, {31, 90}};
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 3; k++) {
            rug_ifs_picture p;
            points all = points_of(cases[i].maps, cases[i].n_maps, cases[i].length);
            to_pixels(&all, sizes[k][0], sizes[k][1]);
            must_draw(ctx, &p, cases[i].maps, cases[i].n_maps, sizes[k][0], sizes[k][1]);
            assert_near(&p, &all, 0.6);
            rug_ifs_picture_free(ctx, &p);
            free(all.at);
        }
    rug_context_free(ctx);
}

/* The unit of the plane does not matter, however small or large, nor do maps that come twice. */
static void units_and_copies(void **state)
{
    (void)state;
    static const int exponents[] = {-1000, -40, 900};
    const rug_ifs_map maps[2] = {{0.5, -0.5, 0.5, 0.5, 0.3, 0},
                                 {-0.5, -0.5, 0.5, -0.5, 1, 0}};
    rug_context *ctx = test_context();
    rug_ifs_picture first, p;
    must_draw(ctx, &first, maps, 2, 50, 60);
    for (size_t i = 0; i < 3; i++) {
        rug_ifs_map other[9];
        for (size_t k = 0; k < 9; k++) {
            other[k] = maps[k % 2];
            other[k].e = ldexp(other[k].e, exponents[i]);
        }
        must_draw(ctx, &p, other, i == 0 ? 9 : 2, 50, 60);
        assert_memory_equal(first.pixels, p.pixels, 50 * 60);
        rug_ifs_picture_free(ctx, &p);
    }
    rug_ifs_picture_free(ctx, &first);
    rug_context_free(ctx);
}

/* ---- Calls ---- */

static void refused(rug_context *ctx, const rug_ifs_map *maps, size_t n, uint32_t nx,
                    uint32_t ny, const char *why)
{
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    p.nx = 7;
    assert_int_equal(rug_ifs_draw(ctx, &p, maps, n, nx, ny), RUG_E_ARG);
    assert_true(p.pixels == NULL && p.nx == 0);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void bad_calls(void **state)
{
    (void)state;
    static const struct {
        rug_ifs_map map;
        const char *why;
    } bad[] = {
        {{0.8, -0.6, 0.6, 0.8, 0, 0}, "maps[1] does not contract: its largest singular"},
        {{0.7, 0.7, 0, 0.7, 0, 0}, "value is 1.132"},
        {{1e308, 1e308, 0, 0, 0, 0}, "value is inf"},
        {{(double)INFINITY, 0, 0, 0, 0, 0}, "value is inf"},
        {{0, 0, (double)NAN, 0, 0, 0}, "maps[1] has a number that is not finite"},
        {{0, 0, 0, 0, (double)NAN, 0}, "maps[1] has a number that is not finite"},
        {{0, 0, 0, 0, 0, -INFINITY}, "maps[1] has a number that is not finite"},
    };
    rug_context *ctx = test_context();
    rug_ifs_map maps[3] = {{0.6, 0.6, 0, 0.6, 1, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        maps[1] = bad[i].map;
        refused(ctx, maps, 2, 10, 10, bad[i].why);
    }
    refused(ctx, maps, 0, 10, 10, "0 maps");
    refused(ctx, maps, RUG_IFS_MAPS_MAX + 1, 10, 10, "101 maps");
    refused(ctx, NULL, 1, 10, 10, "NULL");
    refused(ctx, maps, 1, 0, 10, "0 x 10 pixels");
    refused(ctx, maps, 1, 10, 65536, "10 x 65536 pixels");
    refused(ctx, triangle, 3, 65535, 65535, "238609294 pixels in all");
    maps[0] = (rug_ifs_map){nextafter(1, 0), 0, 0, 0, 0, 0};
    refused(ctx, maps, 1, 1, 1, "of 1, at most 0.99997 can be drawn");
    assert_int_equal(rug_ifs_draw(ctx, NULL, triangle, 3, 9, 9), RUG_E_ARG);
    assert_int_equal(rug_ifs_draw(NULL, NULL, triangle, 3, 9, 9), RUG_E_ARG);
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    assert_int_equal(rug_ifs_draw(ctx, &p, triangle, 3, 9, 9), RUG_E_DEVICE);
    assert_null(p.pixels);
    rug_context_free(ctx);
}

static int stop(void *user)
{
    return --*(int *)user < 0;
}

/* Cancelled at any step, and without memory for any block, nothing stays. */
static void broken_off(void **state)
{
    (void)state;
    rug_status status = RUG_E_NOMEM;
    for (size_t n = 1; status != RUG_OK; n++) {
        memory m = {.fail_at = n};
        rug_context *ctx = test_context();
        rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
        memory_hook(ctx, &m);
        status = rug_ifs_draw(ctx, &p, triangle, 3, 16, 16);
        assert_true(status == (n < 6 ? RUG_E_NOMEM : RUG_OK));
        assert_true((p.pixels == NULL) == (status != RUG_OK));
        rug_ifs_picture_free(ctx, &p);
        assert_true(m.n_live == 0 && m.n_wrong == 0);
        rug_context_free(ctx);
    }
    for (int n = 0; n < 4; n++) {
        rug_context *ctx = test_context();
        rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
        int left = n;
        rug_context_set_cancel(ctx, stop, &left);
        assert_int_equal(rug_ifs_draw(ctx, &p, triangle, 3, 16, 16), RUG_E_CANCELLED);
        assert_null(p.pixels);
        rug_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_triangle),      cmocka_unit_test(lines_and_points),
        cmocka_unit_test(close_to_the_points), cmocka_unit_test(units_and_copies),
        cmocka_unit_test(bad_calls),           cmocka_unit_test(broken_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
