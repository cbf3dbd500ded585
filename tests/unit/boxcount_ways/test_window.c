/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of any size: known truths, sizes far beyond the image, progress, cancelling, and
 * memory that runs out. */

#include "support.h"
/* support.h brings cmocka, which these use */
#include "boxcount_support.h"
#include "memory_support.h"
#include "window_support.h"

static const rug_boxcount_grid grids[] = {RUG_BOXCOUNT_GRID_ORIGIN, RUG_BOXCOUNT_GRID_MIN,
                                          RUG_BOXCOUNT_GRID_MEAN};

static int is_moved_sierpinski(size_t z, size_t y, size_t x)
{
    (void)z;
    return y >= 31 && x >= 31 && y < 95 && x < 95 && ((y - 31) & (x - 31)) == 0;
}

/* Counts depend on where the grid lies; over all positions they are those of the set. */
static void sierpinski_off_the_grid(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 4, 8, 16, 32};
    static const uint64_t origin[] = {729, 366, 151, 52, 19, 8};
    static const uint64_t best[] = {729, 243, 81, 27, 9, 3};
    rug_context *ctx = test_context();
    rug_image img = draw_shape(0, 128, 128, is_moved_sierpinski);
    for (size_t g = 0; g < 3; g++) {
        rug_boxcount_result *r = must_count_windows(ctx, &img, grids[g], 6, sizes);
        for (int i = 0; i < 6; i++) {
            int is_min = grids[g] == RUG_BOXCOUNT_GRID_MIN;
            assert_int_equal(r->counts[i].nonempty, is_min ? best[i] : origin[i]);
            assert_int_equal(r->positions[i].least, g == 0 ? 0 : best[i]);
            uint64_t shift = g == 0 || i == 0 ? 0 : (sizes[i] - 31 % sizes[i]) % sizes[i];
            assert_int_equal(r->positions[i].shift[0], shift);
            assert_int_equal(r->positions[i].shift[1], shift);
        }
        free(r);
    }
    free_shape(img);
    rug_context_free(ctx);
}

/* All pixels set: boxes fill the image whatever the size, and black are the whole ones. */
static void full_image(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 7, 64, 65, 100, 130, 131, 1000};
    rug_context *ctx = test_context();
    rug_image img = draw_shape(0, 100, 130, is_any);
    rug_boxcount_result *r =
        must_count_windows(ctx, &img, RUG_BOXCOUNT_GRID_MEAN, 10, sizes);
    for (int i = 0; i < 10; i++) {
        uint64_t s = sizes[i], ny = 99 / s + 1, nx = 129 / s + 1;
        double area = (double)s * (double)s;
        assert_int_equal(r->counts[i].nonempty, ny * nx);
        assert_int_equal(r->counts[i].black, (100 / s) * (130 / s));
        assert_int_equal(r->positions[i].least, ny * nx);
        double total = (double)((99 + s) * (129 + s)) / area;
        assert_true(r->positions[i].mean_total == total);
        assert_true(r->positions[i].mean_nonempty == total);
        double black = s > 100 ? 0 : (double)((101 - s) * (131 - s)) / area;
        assert_true(r->positions[i].mean_black == black);
    }
    free(r);
    free_shape(img);
    rug_context_free(ctx);
}

/* Windows that lie wholly inside, counted by their height: tasks that end anywhere. */
static void black_at_all_positions(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {65, 70};
    rug_context *ctx = test_context();
    for (size_t n = 70; n < 150; n++) {
        rug_image img = draw_shape(0, n, 130, is_any);
        rug_context_set_threads(ctx, (int)(n % 2) + 1);
        rug_boxcount_result *r =
            must_count_windows(ctx, &img, RUG_BOXCOUNT_GRID_MEAN, 2, sizes);
        for (int i = 0; i < 2; i++) {
            uint64_t s = sizes[i];
            double black = (double)((n + 1 - s) * (131 - s)) / (double)(s * s);
            assert_true(r->positions[i].mean_black == black);
        }
        free(r);
        free_shape(img);
    }
    rug_context_free(ctx);
}

/* A box of an image just as large is black at the origin only. */
static void box_of_the_image(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {70};
    rug_context *ctx = test_context();
    rug_image img = draw_shape(70, 70, 70, is_any);
    for (size_t g = 0; g < 3; g++) {
        rug_boxcount_result *r = must_count_windows(ctx, &img, grids[g], 1, sizes);
        assert_int_equal(r->counts[0].nonempty, 1);
        assert_int_equal(r->counts[0].black, 1);
        assert_int_equal(r->positions[0].most, g == 0 ? 0 : 8);
        assert_true(r->positions[0].mean_black == (g == 0 ? 0 : 1.0 / 343000));
        free(r);
    }
    free_shape(img);
    rug_context_free(ctx);
}

/* Of n pixels in a box of s, n - 1 positions cut between two of them. */
static double mean_boxes(uint64_t n, uint64_t s)
{
    return 1 + (double)(n - 1) / (double)s;
}

static void sizes_beyond_the_image(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {200,
                                     1000000000,
                                     4294967296,
                                     (uint64_t)1 << 62,
                                     RUG_BOXCOUNT_SIZE_MAX - 1,
                                     RUG_BOXCOUNT_SIZE_MAX};
    static const size_t shapes[][3] = {{0, 40, 130}, {5, 40, 130}, {0, 1, 1}, {1, 1, 90}};
    rug_context *ctx = test_context();
    for (size_t k = 0; k < 4; k++) {
        const size_t *n = shapes[k];
        rug_image img = draw_shape(n[0], n[1], n[2], is_any);
        for (size_t g = 0; g < 3; g++) {
            rug_boxcount_result *r = must_count_windows(ctx, &img, grids[g], 6, sizes);
            for (int i = 0; i < 6; i++) {
                const rug_box_positions *p = &r->positions[i];
                uint64_t s = sizes[i];
                double mean = mean_boxes(n[1], s) * mean_boxes(n[2], s);
                uint64_t most = (n[1] > 1 ? 2u : 1u) * (n[2] > 1 ? 2u : 1u);
                mean *= n[0] > 0 ? mean_boxes(n[0], s) : 1;
                most *= n[0] > 1 ? 2 : 1;
                assert_boxes(&r->counts[i], 1, 0, "beyond the image");
                if (g == 0)
                    continue;
                assert_int_equal(p->shift[0] + p->shift[1] + p->shift[2], 0);
                assert_int_equal(p->least, 1);
                assert_int_equal(p->most, most);
                assert_within(p->mean_total, mean, 4e-16 * mean, "mean_total");
                assert_within(p->mean_nonempty, mean, 4e-16 * mean, "mean_nonempty");
                assert_true(p->mean_black == 0);
            }
            free(r);
        }
        free_shape(img);
    }
    rug_context_free(ctx);
}

/* The middle of a long row is empty: two boxes where a size just larger than the row is
 * cut inside, one where it is not, and one axis longer than the box. */
static int is_at_ends(size_t z, size_t y, size_t x)
{
    (void)z;
    return y == 0 && (x == 0 || x == 99);
}

static void best_shift_of_long_boxes(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {99, 100, 101, 5000};
    rug_context *ctx = test_context();
    rug_image img = draw_shape(0, 3, 100, is_at_ends);
    rug_boxcount_result *r =
        must_count_windows(ctx, &img, RUG_BOXCOUNT_GRID_MIN, 4, sizes);
    for (int i = 0; i < 4; i++) {
        uint64_t s = sizes[i];
        assert_int_equal(r->positions[i].least, i == 0 ? 2 : 1);
        assert_int_equal(r->positions[i].most, 2);
        assert_int_equal(r->positions[i].shift[1], 0);
        double mean = i == 0 ? 2 : 1 + 99 / (double)s;
        assert_within(r->positions[i].mean_nonempty, mean, 1e-15, "mean_nonempty");
    }
    free(r);
    free_shape(img);
    rug_context_free(ctx);
}

/* The engine by its name, at each level that is there. */
static void engines(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {3};
    static const char *const names[] = {"cpu-ref", "cpu-avx2", "cpu-avx512"};
    rug_context *ctx = test_context();
    rug_image img = draw_shape(0, 20, 20, is_any);
    for (int level = 0; level <= RUG_CPU_MAX; level++) {
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        rug_boxcount_result *r =
            must_count_windows(ctx, &img, RUG_BOXCOUNT_GRID_ORIGIN, 1, sizes);
        assert_string_equal(r->facts.engine, names[rug_context_cpu_level(ctx)]);
        free(r);
    }
    free_shape(img);
    rug_context_free(ctx);
}

/* The k-th allocation fails, for every k. */
static void failing_memory(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {3, 40};
    static const size_t shapes[][3] = {{0, 90, 70}, {50, 9, 20}};
    for (size_t i = 0; i < 4; i++) {
        rug_image img = draw_shape(shapes[i / 2][0], shapes[i / 2][1], shapes[i / 2][2],
                                   is_sierpinski);
        rug_context *plain = test_context();
        rugi_bits bits = must_pack(plain, &img);
        rug_status status = RUG_E_NOMEM;
        size_t k = 0;
        while (status != RUG_OK) {
            memory m = {.fail_at = ++k};
            rug_context *ctx = test_context();
            assert_int_equal(rug_context_set_threads(ctx, 3), RUG_OK);
            memory_hook(ctx, &m);
            rug_boxcount_result *r = new_result(grids[i % 2 * 2], 2, sizes);
            status = rugi_boxcount_window(ctx, r, &bits);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            if (status != RUG_OK)
                assert_int_equal(status, RUG_E_NOMEM);
            free(r);
            rug_context_free(ctx);
        }
        assert_int_equal(k, i % 2 == 0 ? 7 : 15); /* of two sizes, each time all */
        rugi_bits_free(plain, &bits);
        rug_context_free(plain);
        free_shape(img);
    }
}

typedef struct watch {
    double last;
    int n_calls, n_wrong, stop_after;
} watch;

static void see_progress(void *user, double share)
{
    watch *w = user;
    w->n_wrong += share < w->last || share < 0 || share > 1;
    w->last = share;
    w->n_calls++;
}

static int is_enough(void *user)
{
    const watch *w = user;
    return w->stop_after > 0 && w->n_calls >= w->stop_after;
}

static void progress_and_cancel(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {2, 5, 90};
    rug_context *ctx = test_context();
    rug_image img = draw_shape(0, 300, 200, is_sierpinski);
    rugi_bits bits = must_pack(ctx, &img);
    int n_calls = 1;
    for (int stop_after = 0; stop_after < n_calls; stop_after++) {
        watch w = {.stop_after = stop_after};
        rug_context_set_threads(ctx, 2);
        rug_context_set_progress(ctx, see_progress, &w);
        rug_context_set_cancel(ctx, is_enough, &w);
        rug_boxcount_result *r = new_result(RUG_BOXCOUNT_GRID_MIN, 3, sizes);
        rug_status status = rugi_boxcount_window(ctx, r, &bits);
        assert_int_equal(status, stop_after == 0 ? RUG_OK : RUG_E_CANCELLED);
        assert_int_equal(w.n_wrong, 0);
        if (stop_after == 0) {
            assert_true(w.last == 1);
            assert_true(w.n_calls >= 6);
            n_calls = 6; /* at least: the end of two passes of each size */
        }
        free(r);
    }
    rug_context_set_progress(ctx, NULL, NULL);
    rug_context_set_cancel(ctx, NULL, NULL);
    rugi_bits_free(ctx, &bits);
    free_shape(img);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sierpinski_off_the_grid),
        cmocka_unit_test(full_image),
        cmocka_unit_test(black_at_all_positions),
        cmocka_unit_test(box_of_the_image),
        cmocka_unit_test(sizes_beyond_the_image),
        cmocka_unit_test(best_shift_of_long_boxes),
        cmocka_unit_test(engines),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(progress_and_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
