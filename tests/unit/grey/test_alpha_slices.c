/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Slices of maps of alpha: each must have the boxes and the dimension that box counting
 * finds of the binary image of its pixels, at every CPU level and on 1 to 4 threads. */

#include "support.h"

#include "alpha_support.h"
#include "boxcount_support.h"
#include <stdio.h>

#define SEED   20150902
#define N_MAPS TEST_CASES(60)

/* A map with padding between its rows, and a mask. */
typedef struct map_case {
    rug_image map, mask;
    rug_source inside; /* of the mask */
    float *pixels;
    uint8_t *mask_pixels;
    size_t shape[3]; /* slowest first; 1 slice for an image */
    rug_alpha_options opts;
    rug_fit_options fit;
} map_case;

static float value_of(uint64_t *rng, int style)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, -0.0F, 1e30F, -3.4e38F};
    if (style != 0 && test_below(rng, 50) == 0)
        return odd[test_below(rng, style == 4 ? 6 : 4)];
    switch (style) {
    case 1: return (float)test_below(rng, 9) / 4; /* on edges */
    case 2: return 1.9F + (float)test_below(rng, 3000) * 1e-7F;
    case 3: return 2;
    default: return (float)test_below(rng, 1 << 20) / 400000.0F;
    }
}

static void draw(map_case *c, uint64_t *rng, size_t n, int style)
{
    float last = value_of(rng, style);
    int has_runs = (int)test_below(rng, 2);
    for (size_t i = 0; i < n; i++) {
        if (!has_runs || test_below(rng, 20) == 0)
            last = value_of(rng, style);
        c->pixels[i] = last;
    }
}

static void random_range(map_case *c, uint64_t *rng)
{
    static const double ranges[][2] = {
        {0, 0},        {0, 0},          {0.25, 1.5}, {-1, 0}, {1.9, 1.9 + 1e-4},
        {2, 2 + 1e-9}, {-1e300, 1e300}, {5, 6}};
    const double *r = ranges[test_below(rng, 8)];
    c->opts.alpha_min = r[0];
    c->opts.alpha_max = r[1];
}

static void random_case(map_case *c, uint64_t *rng)
{
    static const uint32_t numbers[] = {1, 2, 7, 63, 64, 65, 129, 1024};
    memset(c, 0, sizeof *c);
    int ndim = 2 + (int)test_below(rng, 2);
    c->shape[0] = ndim == 2 ? 1 : 1 + test_below(rng, 40);
    c->shape[1] = 1 + test_below(rng, ndim == 2 ? 150 : 20);
    c->shape[2] = 1 + test_below(rng, ndim == 2 ? 1200 : 40);
    size_t row = c->shape[2] + test_below(rng, 3), step = 1 + test_below(rng, 5) / 4;
    size_t n_rows = c->shape[0] * c->shape[1];
    c->pixels = malloc(n_rows * row * step * sizeof *c->pixels);
    c->mask_pixels = malloc(n_rows * c->shape[2]);
    assert_true(c->pixels != NULL && c->mask_pixels != NULL);
    draw(c, rng, n_rows * row * step, (int)test_below(rng, 5));
    for (size_t i = 0; i < n_rows * c->shape[2]; i++)
        c->mask_pixels[i] = test_below(rng, 3) > 0;
    const ptrdiff_t x = (ptrdiff_t)(step * sizeof(float)), y = (ptrdiff_t)row * x;
    c->map = (rug_image){.data = c->pixels, .dtype = RUG_F32, .ndim = ndim};
    const ptrdiff_t stride[3] = {y * (ptrdiff_t)c->shape[1], y, x};
    for (int a = 0; a < ndim; a++) {
        c->map.shape[a] = c->shape[a + 3 - ndim];
        c->map.stride[a] = stride[a + 3 - ndim];
    }
    c->mask =
        test_u8(c->mask_pixels, ndim == 2 ? 0 : c->shape[0], c->shape[1], c->shape[2]);
    c->opts = (rug_alpha_options)RUG_ALPHA_OPTIONS_INIT;
    c->opts.n_slices = numbers[test_below(rng, 8)];
    c->inside = source_of_image(&c->mask);
    c->opts.mask = test_below(rng, 3) == 0 ? &c->inside : NULL;
    random_range(c, rng);
    c->fit = (rug_fit_options)RUG_FIT_OPTIONS_INIT;
    if (test_below(rng, 4) == 0) {
        c->fit.auto_range = 1;
        return;
    }
    if (test_below(rng, 4) == 0)
        c->fit.size_max = 4 + test_below(rng, 100);
    if (test_below(rng, 4) == 0)
        c->fit.size_min = 1 + test_below(rng, 4);
}

static double alpha_at(const map_case *c, size_t i)
{
    size_t x = i % c->shape[2], y = i / c->shape[2] % c->shape[1];
    if (c->opts.mask != NULL && c->mask_pixels[i] == 0)
        return (double)NAN;
    return (double)test_pixel(&c->map, i / c->shape[2] / c->shape[1], y, x);
}

/* Straight from the header. */
static int is_in_slice(const rug_alpha_slice *s, int is_last, double alpha)
{
    return s->alpha_min <= alpha &&
           (alpha < s->alpha_max || (is_last && alpha == s->alpha_max));
}

static void assert_same_number(double a, double b)
{
    if (memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b)))
        fail_msg("%.17g, not %.17g", a, b);
}

/* Slice i as a binary image. */
static void assert_boxes(rug_context *ctx, const map_case *c, const rug_alpha_result *r,
                         uint32_t i, const rug_image *binary)
{
    static test_counts counts;
    static rug_fit dim;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    rug_fit f = RUG_FIT_INIT;
    assert_int_equal(test_boxcount(ctx, &counts, binary, &opts), RUG_OK);
    assert_int_equal(fit_counts(ctx, &dim, &counts, RUG_BOXCOUNT_OF_NONEMPTY, &c->fit),
                     RUG_OK);
    for (uint32_t k = 0; k < counts.n_sizes; k++)
        if (rug_alpha_boxes(r, i, k) != counts.counts[k].nonempty)
            fail_msg("%llu boxes of size %llu, not %llu",
                     (unsigned long long)rug_alpha_boxes(r, i, k),
                     (unsigned long long)counts.counts[k].size,
                     (unsigned long long)counts.counts[k].nonempty);
    for (uint32_t k = counts.n_sizes; k < 65; k++)
        assert_int_equal(rug_alpha_boxes(r, i, k), 0);
    assert_int_equal(rug_alpha_at(r, i)->n_pixels, counts.counts[0].nonempty);
    assert_int_equal(rug_alpha_fit(ctx, &f, r, i, &c->fit), RUG_OK);
    assert_same_number(f.slope, dim.slope);
    assert_same_number(f.std_error, dim.std_error);
    assert_same_number(f.r_squared, dim.r_squared);
    assert_int_equal(f.size_min, dim.size_min);
    assert_int_equal(f.size_max, dim.size_max);
    assert_string_equal(rug_fit_status_name(f.status), rug_fit_status_name(dim.status));
}

/* All slices that have pixels, and some that have none. */
static void assert_slices(rug_context *ctx, const map_case *c, const rug_alpha_result *r)
{
    const rug_alpha_facts *f = rug_alpha_get_facts(r);
    size_t n = c->shape[0] * c->shape[1] * c->shape[2];
    uint64_t inside = 0, undefined = 0, in_slices = 0;
    uint8_t *set = malloc(n);
    assert_non_null(set);
    rug_image binary = c->map;
    assert_int_equal(rug_image_view(ctx, &binary, set, RUG_U8, c->map.ndim, c->map.shape),
                     RUG_OK);
    for (size_t k = 0; k < n; k++) {
        int is_inside = c->opts.mask == NULL || c->mask_pixels[k] != 0;
        inside += (uint64_t)is_inside;
        undefined += is_inside && !isfinite(alpha_at(c, k));
    }
    for (uint32_t i = 0; i < f->n_slices; i++) {
        const rug_alpha_slice *s = rug_alpha_at(r, i);
        in_slices += s->n_pixels;
        if (s->n_pixels == 0 && i % 16 != 0)
            continue;
        for (size_t k = 0; k < n; k++)
            set[k] = (uint8_t)is_in_slice(s, i + 1 == f->n_slices, alpha_at(c, k));
        assert_boxes(ctx, c, r, i, &binary);
    }
    assert_int_equal(f->n_pixels, inside);
    assert_int_equal(f->n_undefined, undefined);
    assert_int_equal(f->n_outside, inside - undefined - in_slices);
    assert_int_equal(f->ndim, c->map.ndim);
    for (int a = 0; a < f->ndim; a++)
        assert_int_equal(f->shape[a], c->map.shape[a]);
    free(set);
}

static void assert_edges(const map_case *c, const rug_alpha_result *result)
{
    const rug_alpha_facts *r = rug_alpha_get_facts(result);
    double least = INFINITY, largest = -INFINITY;
    for (size_t i = 0; i < c->shape[0] * c->shape[1] * c->shape[2]; i++) {
        double a = alpha_at(c, i);
        least = isfinite(a) && a < least ? a : least;
        largest = isfinite(a) && a > largest ? a : largest;
    }
    int is_given = c->opts.alpha_min != 0 || c->opts.alpha_max != 0;
    if (!is_given && least > largest) {
        assert_true(isnan(r->alpha_min) && isnan(rug_alpha_at(result, 0)->alpha_min));
        return;
    }
    assert_true(r->alpha_min == (is_given ? c->opts.alpha_min : least));
    assert_true(r->alpha_max == (is_given ? c->opts.alpha_max : largest));
    assert_true(rug_alpha_at(result, 0)->alpha_min == r->alpha_min);
    assert_true(rug_alpha_at(result, r->n_slices - 1)->alpha_max == r->alpha_max);
    for (uint32_t i = 1; i < r->n_slices; i++) {
        double width = r->alpha_max - r->alpha_min;
        assert_true(rug_alpha_at(result, i)->alpha_min ==
                    rug_alpha_at(result, i - 1)->alpha_max);
        assert_true(rug_alpha_at(result, i)->alpha_min ==
                    r->alpha_min + width * i / r->n_slices);
    }
}

/* The first slice of which two results have other boxes; -1: none. */
static int other_slice(const rug_alpha_result *a, const rug_alpha_result *b)
{
    const rug_alpha_facts *f = rug_alpha_get_facts(a);
    for (uint32_t i = 0; i < f->n_slices; i++)
        for (uint32_t k = 0; k < f->n_sizes; k++)
            if (rug_alpha_boxes(a, i, k) != rug_alpha_boxes(b, i, k))
                return (int)i;
    return -1;
}

static void run_all(const map_case *c, int number)
{
    rug_context *ctx = test_context();
    rug_alpha_result *first = NULL;
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++)
        for (int threads = 1; threads <= 4; threads++) {
            rug_alpha_result *r;
            assert_int_equal(rug_context_set_cpu_level(ctx, (rug_cpu_level)level),
                             RUG_OK);
            assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
            if (rug_alpha_slices(ctx, &r, &c->map, &c->opts) != RUG_OK)
                fail_msg("%s", rug_context_error(ctx));
            if (first == NULL) {
                first = r;
                assert_edges(c, r);
                assert_slices(ctx, c, r);
                continue;
            }
            int number_of_slice = other_slice(first, r);
            if (number_of_slice >= 0)
                fail_msg("map %d: other boxes of slice %d at level %s on %d threads",
                         number, number_of_slice,
                         rug_cpu_level_name((rug_cpu_level)level), threads);
            rug_alpha_free(r);
        }
    rug_alpha_free(first);
    rug_context_free(ctx);
}

static void random_maps(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    for (int i = 0; i < N_MAPS; i++) {
        map_case c;
        random_case(&c, &rng);
        run_all(&c, i);
        free(c.pixels);
        free(c.mask_pixels);
    }
}

/* Several tiles along each axis, and so many words that counters are emptied on the
 * way. */
static void large_map(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {{1, 1300, 5000}, {70, 70, 700}};
    uint64_t rng = SEED;
    for (int i = 0; i < 2; i++) {
        const size_t *shape = shapes[i];
        map_case c = {.shape = {shape[0], shape[1], shape[2]},
                      .opts = RUG_ALPHA_OPTIONS_INIT,
                      .fit = RUG_FIT_OPTIONS_INIT};
        c.pixels = malloc(shape[0] * shape[1] * shape[2] * sizeof *c.pixels);
        assert_non_null(c.pixels);
        draw(&c, &rng, shape[0] * shape[1] * shape[2], 4);
        rug_context *ctx = test_context();
        assert_int_equal(rug_image_view(ctx, &c.map, c.pixels, RUG_F32, i == 0 ? 2 : 3,
                                        shape + (i == 0)),
                         RUG_OK);
        c.opts.n_slices = 2;
        c.opts.alpha_max = 2.5;
        rug_alpha_result *r, *again;
        assert_int_equal(rug_alpha_slices(ctx, &r, &c.map, &c.opts), RUG_OK);
        assert_slices(ctx, &c, r);
        rug_context_set_cpu_level(ctx, RUG_CPU_REF);
        rug_context_set_threads(ctx, 1);
        assert_int_equal(rug_alpha_slices(ctx, &again, &c.map, &c.opts), RUG_OK);
        assert_int_equal(other_slice(r, again), -1);
        rug_alpha_free(r);
        rug_alpha_free(again);
        rug_context_free(ctx);
        free(c.pixels);
    }
}

/* Four alphas in a square, by hand: 0 and 1 are edges of the four slices of 0..1, and 1
 * belongs to the last one. */
static void four_pixels(void **state)
{
    (void)state;
    static const float pixels[4] = {0, 0.25F, 1, NAN};
    static const uint64_t expected[4] = {1, 1, 0, 1};
    const size_t shape[2] = {2, 2};
    rug_context *ctx = test_context();
    rug_alpha_options o = RUG_ALPHA_OPTIONS_INIT;
    rug_alpha_result *r;
    rug_image map;
    o.n_slices = 4;
    assert_int_equal(rug_image_view(ctx, &map, pixels, RUG_F32, 2, shape), RUG_OK);
    assert_int_equal(rug_alpha_slices(ctx, &r, &map, &o), RUG_OK);
    for (uint32_t i = 0; i < 4; i++) {
        rug_fit fit = RUG_FIT_INIT;
        assert_int_equal(rug_alpha_boxes(r, i, 0), expected[i]);
        assert_int_equal(rug_alpha_boxes(r, i, 1), expected[i]);
        assert_int_equal(rug_alpha_fit(ctx, &fit, r, i, NULL), RUG_OK);
        assert_int_equal(fit.status, expected[i] ? RUG_FIT_TOO_FEW_SIZES : RUG_FIT_EMPTY);
        assert_true(isnan(fit.slope));
    }
    assert_int_equal(rug_alpha_get_facts(r)->n_sizes, 2);
    assert_int_equal(rug_alpha_get_facts(r)->n_undefined, 1);
    assert_int_equal(rug_alpha_get_facts(r)->n_outside, 0);
    rug_alpha_free(r);
    rug_context_free(ctx);
}

/* All edges of a flat map are equal: the last slice has all pixels, and dimension 2. */
static void flat_map(void **state)
{
    (void)state;
    static float pixels[64 * 64];
    for (int i = 0; i < 64 * 64; i++)
        pixels[i] = 2;
    const size_t shape[2] = {64, 64};
    rug_context *ctx = test_context();
    rug_alpha_result *r;
    rug_fit fit = RUG_FIT_INIT;
    rug_image map;
    assert_int_equal(rug_image_view(ctx, &map, pixels, RUG_F32, 2, shape), RUG_OK);
    assert_int_equal(rug_alpha_slices(ctx, &r, &map, NULL), RUG_OK);
    assert_true(rug_alpha_get_facts(r)->alpha_min == 2);
    assert_true(rug_alpha_get_facts(r)->alpha_max == 2);
    for (uint32_t i = 0; i < 63; i++) {
        assert_int_equal(rug_alpha_fit(ctx, &fit, r, i, NULL), RUG_OK);
        assert_int_equal(fit.status, RUG_FIT_EMPTY);
    }
    assert_int_equal(rug_alpha_at(r, 63)->n_pixels, 64 * 64);
    assert_int_equal(rug_alpha_fit(ctx, &fit, r, 63, NULL), RUG_OK);
    assert_true(fabs(fit.slope - 2) < 1e-12);
    assert_int_equal(fit.status, RUG_FIT_OK);
    rug_alpha_free(r);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_maps),
        cmocka_unit_test(large_map),
        cmocka_unit_test(four_pixels),
        cmocka_unit_test(flat_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
