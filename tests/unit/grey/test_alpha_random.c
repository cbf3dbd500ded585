/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of alpha of random images and volumes by random options: those of the definition,
 * and the same bits at every CPU level and on 1 to 4 threads. */

#include "support.h"

#include "alpha_support.h"
#include "sample_support.h"

#define SEED     20150901
#define N_IMAGES TEST_CASES(120)

/* Naive work that a test may take: pixels times pixels of the largest window. */
#define MOST_WORK 400000

typedef struct call {
    sample image;
    rug_alpha_options opts;
    rug_image mask;
    rug_source inside; /* of the mask */
    double *mask_pixels;
} call;

static void random_options(uint64_t *rng, rug_alpha_options *o)
{
    static const double tolerances[] = {0, 0.75, 3, 100, 1e6};
    *o = (rug_alpha_options)RUG_ALPHA_OPTIONS_INIT;
    o->measure = (rug_alpha_measure)test_below(rng, 4);
    o->n_windows =
        2 + (uint32_t)(test_below(rng, 3) ? test_below(rng, 4) : test_below(rng, 15));
    o->iso_tolerance = tolerances[test_below(rng, 5)];
}

static double work_of(const call *c)
{
    double side = 2.0 * c->opts.n_windows - 1, window = side * side;
    if (c->image.img.ndim == 3)
        window *= side;
    return window * (double)rug_image_pixels(&c->image.img);
}

static void random_call(uint64_t *rng, call *c)
{
    static const double values[] = {0, 1, -0.0, NAN, 7, -3, INFINITY};
    memset(c, 0, sizeof *c);
    for (;;) {
        c->image = random_sample(rng);
        random_options(rng, &c->opts);
        if (work_of(c) < MOST_WORK)
            break;
        free_sample(&c->image);
    }
    uint64_t n = rug_image_pixels(&c->image.img);
    c->mask_pixels = malloc(n * sizeof *c->mask_pixels);
    assert_non_null(c->mask_pixels);
    for (uint64_t i = 0; i < n; i++)
        c->mask_pixels[i] = values[test_below(rng, 7)];
    rug_context *ctx = test_context();
    assert_int_equal(rug_image_view(ctx, &c->mask, c->mask_pixels, RUG_F64,
                                    c->image.img.ndim, c->image.img.shape),
                     RUG_OK);
    rug_context_free(ctx);
    c->inside = source_of_image(&c->mask);
    c->opts.mask = test_below(rng, 3) == 0 ? &c->inside : NULL;
}

static void assert_naive(const call *c, const float *map, int number)
{
    const rug_image *img = &c->image.img;
    size_t ny = img->shape[img->ndim - 2], nx = img->shape[img->ndim - 1];
    for (size_t i = 0; i < rug_image_pixels(img); i++) {
        double m = c->mask_pixels[i], a = (double)map[i];
        double e = naive_alpha(img, i / nx / ny, i / nx % ny, i % nx, &c->opts);
        if (c->opts.mask != NULL && !(m < 0 || m > 0))
            e = (double)NAN;
        if (isnan(e) ? !isnan(a) : !(fabs(a - e) <= 1e-7 * fabs(e) + 1e-13))
            fail_msg("image %d, %s, measure %d, %u windows: pixel %zu has %.9g, not %.9g",
                     number, rug_dtype_name(img->dtype), (int)c->opts.measure,
                     c->opts.n_windows, i, a, e);
    }
}

static void run_all(const call *c, int number)
{
    rug_context *ctx = test_context();
    float *first = NULL;
    size_t n_bytes = rug_image_pixels(&c->image.img) * sizeof *first;
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++)
        for (int threads = 1; threads <= 4; threads++) {
            assert_int_equal(rug_context_set_cpu_level(ctx, (rug_cpu_level)level),
                             RUG_OK);
            assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
            float *map = must_map(ctx, &c->image.img, &c->opts);
            if (first != NULL && memcmp(map, first, n_bytes) != 0)
                fail_msg("image %d: another map at level %s on %d threads", number,
                         rug_cpu_level_name((rug_cpu_level)level), threads);
            if (first == NULL)
                first = map;
            else
                free(map);
        }
    assert_naive(c, first, number);
    free(first);
    rug_context_free(ctx);
}

static void random_images(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    for (int i = 0; i < N_IMAGES; i++) {
        call c;
        random_call(&rng, &c);
        run_all(&c, i);
        free(c.mask_pixels);
        free_sample(&c.image);
    }
}

/* Wider than a tile, longer than what a thread takes at once, and sums of floats whose
 * order tells. */
static void large_images(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {{0, 140, 1100}, {12, 37, 150}, {90, 1, 600}};
    uint64_t rng = SEED;
    float *pixels = malloc(340000 * sizeof *pixels);
    assert_non_null(pixels);
    for (size_t i = 0; i < 340000; i++)
        pixels[i] = (float)test_below(&rng, 1 << 20) / 1e3f + (float)(i % 7 == 0) * 1e6f;
    for (size_t i = 0; i < 3; i++) {
        call c = {.opts = RUG_ALPHA_OPTIONS_INIT};
        rug_context *ctx = test_context();
        int ndim = shapes[i][0] == 0 ? 2 : 3;
        assert_int_equal(rug_image_view(ctx, &c.image.img, pixels, RUG_F32, ndim,
                                        shapes[i] + 3 - ndim),
                         RUG_OK);
        rug_context_free(ctx);
        c.mask_pixels = calloc(340000, sizeof *c.mask_pixels);
        run_all(&c, -1);
        free(c.mask_pixels);
    }
    free(pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_images),
        cmocka_unit_test(large_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
