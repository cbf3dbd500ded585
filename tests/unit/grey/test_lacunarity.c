/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity: known truths, and random images, volumes and masks against the definition at
 * every CPU level and number of threads. */

#include "support.h"

#include "lacunarity_support.h"
#include "sample_support.h"
#include <stdio.h>

#define N_CASES TEST_CASES(1500)

static lacunarity result; /* 50 KB */

static const lacunarity *must_measure(rug_context *ctx, const rug_image *img,
                                      const rug_lacunarity_options *opts)
{
    if (find_lacunarity(ctx, &result, img, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return &result;
}

/* Lacunarities, exactly: quotients of whole numbers. */
static void assert_lacunarities(const lacunarity *r, const double *expected, uint32_t n,
                                const char *what)
{
    assert_int_equal(r->facts.n_sizes, n);
    for (uint32_t i = 0; i < n; i++)
        if (r->sizes[i].lacunarity < expected[i] || r->sizes[i].lacunarity > expected[i])
            fail_msg("%s, size %llu: %.17g, %.17g expected", what,
                     (unsigned long long)r->sizes[i].size, r->sizes[i].lacunarity,
                     expected[i]);
}

/* Arrays with lacunarities that can be found by hand. */
static void known_arrays(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint8_t board[64], left[64];
    for (size_t i = 0; i < 64; i++) {
        board[i] = (uint8_t)((i / 8 + i) % 2);
        left[i] = i % 8 < 4;
    }
    static const uint64_t four[] = {1, 2, 3, 4}, eight[] = {1, 2, 4, 8};
    rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.sizes = four;
    opts.n_sizes = 4;
    rug_image img = test_u8(board, 0, 8, 8);
    const double of_board[] = {2, 1, 82.0 / 81.0, 1};
    assert_lacunarities(must_measure(ctx, &img, &opts), of_board, 4, "checkerboard");
    static const uint8_t scattered[16] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0};
    img = test_u8(scattered, 0, 4, 4);
    const double of_scattered[] = {4, 11.0 / 9.0, 28.0 / 27.0, 1};
    assert_lacunarities(must_measure(ctx, &img, &opts), of_scattered, 4, "scattered");
    img = test_u8(left, 0, 8, 8);
    opts.sizes = eight;
    const double of_left[] = {2, 13.0 / 7.0, 1.5, 1};
    assert_lacunarities(must_measure(ctx, &img, &opts), of_left, 4, "left half");
    opts.boxes = RUG_LACUNARITY_FIXED;
    const double of_left_fixed[] = {2, 2, 2, 1};
    assert_lacunarities(must_measure(ctx, &img, &opts), of_left_fixed, 4, "fixed");
    assert_int_equal(result.sizes[2].positions, 4);
    assert_true(result.sizes[2].mean == 8 && result.sizes[2].variance == 64);
    rug_context_free(ctx);
}

/* Nothing varies: 1, exactly, whatever the value. */
static void flat_images(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    float pixels[40 * 30];
    const size_t shape[3] = {4, 30, 10};
    rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
    opts.is_gray = 1;
    for (size_t i = 0; i < 40 * 30; i++)
        pixels[i] = 0.1f;
    for (int ndim = 2; ndim <= 3; ndim++) {
        rug_image img;
        assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_F32, ndim, shape), RUG_OK);
        must_measure(ctx, &img, &opts);
        assert_int_equal(result.facts.n_sizes, 3);
        for (uint32_t i = 0; i < result.facts.n_sizes; i++) {
            double s = (double)result.sizes[i].size, box = ndim == 3 ? s * s * s : s * s;
            assert_true(result.sizes[i].lacunarity == 1 && result.sizes[i].variance == 0);
            assert_true(fabs(result.sizes[i].mean - box * (double)0.1f) < 1e-12);
        }
    }
    rug_context_free(ctx);
}

/* No mass: not a number, and it says so. */
static void black_images(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t zeros[32 * 32];
    rug_image img = test_u8(zeros, 0, 32, 32);
    for (int is_gray = 0; is_gray < 2; is_gray++) {
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.is_gray = is_gray;
        must_measure(ctx, &img, &opts);
        assert_int_equal(result.facts.n_sizes, 6);
        for (uint32_t i = 0; i < 6; i++) {
            assert_true(isnan(result.sizes[i].lacunarity));
            assert_true(result.sizes[i].mean == 0 && result.sizes[i].variance == 0);
            assert_int_equal(result.sizes[i].status, RUG_LACUNARITY_EMPTY);
        }
        assert_true(result.facts.n_set == 0 && result.facts.n_pixels == 1024);
    }
    rug_context_free(ctx);
}

/* Boxes that do not fit, and axes of a single pixel, which are no sides. */
static void odd_shapes(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t pixels[9] = {1, 0, 1, 1, 0, 0, 1, 0, 1};
    static const uint64_t sizes[] = {1, 3, 9, 10};
    rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.sizes = sizes;
    opts.n_sizes = 4;
    static const size_t shapes[][3] = {
        {0, 1, 9}, {0, 9, 1}, {9, 1, 1}, {1, 9, 1}, {1, 1, 9}};
    for (size_t k = 0; k < 5; k++) {
        rug_image img = test_u8(pixels, shapes[k][0], shapes[k][1], shapes[k][2]);
        must_measure(ctx, &img, &opts);
        assert_int_equal(result.sizes[1].positions, 7);
        assert_true(result.sizes[1].mean == 11.0 / 7);
        assert_int_equal(result.sizes[2].positions, 1);
        assert_true(result.sizes[2].mean == 5 && result.sizes[2].lacunarity == 1);
        assert_int_equal(result.sizes[3].status, RUG_LACUNARITY_NO_BOXES);
        assert_true(isnan(result.sizes[3].lacunarity) && isnan(result.sizes[3].mean) &&
                    result.sizes[3].positions == 0);
    }
    rug_image one = test_u8(pixels, 0, 1, 1);
    must_measure(ctx, &one, NULL);
    assert_true(result.facts.n_sizes == 1 && result.sizes[0].lacunarity == 1);
    must_measure(ctx, &one, &opts);
    assert_true(result.sizes[0].positions == 1 && result.sizes[0].lacunarity == 1);
    for (uint32_t i = 1; i < 4; i++)
        assert_int_equal(result.sizes[i].status, RUG_LACUNARITY_NO_BOXES);
    rug_context_free(ctx);
}

static void check_levels(rug_context *ctx, uint64_t *rng, const rug_image *img,
                         const rug_lacunarity_options *opts, const naive_masses *masses,
                         const char *what)
{
    for (rug_cpu_level level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        assert_int_equal(rug_context_set_cpu_level(ctx, level), RUG_OK);
        if (rug_context_cpu_level(ctx) != level)
            continue; /* said once, by equal_to_naive() */
        assert_int_equal(rug_context_set_threads(ctx, 1 + (int)test_below(rng, 4)),
                         RUG_OK);
        must_measure(ctx, img, opts);
        assert_string_equal(result.facts.engine + 4, rug_cpu_level_name(level));
        char where[200];
        snprintf(where, sizeof where, "%s, level %s", what, rug_cpu_level_name(level));
        if (result.facts.n_pixels != masses->n_pixels ||
            result.facts.n_set != masses->n_set)
            fail_msg("%s: %llu pixels, %llu set; %llu, %llu expected", where,
                     (unsigned long long)result.facts.n_pixels,
                     (unsigned long long)result.facts.n_set,
                     (unsigned long long)masses->n_pixels,
                     (unsigned long long)masses->n_set);
        for (uint32_t i = 0; i < result.facts.n_sizes; i++) {
            rug_lacunarity_size expected = naive_size(
                masses, result.sizes[i].size, opts->boxes == RUG_LACUNARITY_FIXED);
            assert_size_equal(&result.sizes[i], &expected, where);
        }
    }
}

static rug_image random_mask(uint64_t *rng, const rug_image *img, float **buffer)
{
    size_t n = (size_t)rug_image_pixels(img);
    float *pixels = malloc(n * sizeof *pixels);
    assert_non_null(pixels);
    for (size_t i = 0; i < n; i++)
        pixels[i] = test_below(rng, 30) ? 1.0f : test_below(rng, 2) ? NAN : 0.0f;
    *buffer = pixels;
    rug_image mask;
    assert_int_equal(rug_image_view(NULL, &mask, pixels, RUG_F32, img->ndim, img->shape),
                     RUG_OK);
    return mask;
}

/* Ascending sizes, some of them too large; 0: the default ones. */
static uint32_t random_sizes(uint64_t *rng, uint64_t sizes[8])
{
    uint32_t n = (uint32_t)test_below(rng, 6);
    uint64_t s = 0;
    for (uint32_t i = 0; i < n; i++)
        sizes[i] = s += 1 + test_below(rng, i < 3 ? 4 : 40);
    return n;
}

static void equal_to_naive(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t seed = test_seed(ctx, 20261128, N_CASES);
    for (int i = 0; i < N_CASES; i++) {
        uint64_t rng = seed + (uint64_t)i, sizes[8];
        sample s = random_sample(&rng);
        rug_image mask, *masked = NULL;
        rug_source inside;
        float *buffer = NULL;
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.foreground = s.rule;
        opts.boxes = (rug_lacunarity_boxes)test_below(&rng, 2);
        opts.is_gray = (s.img.dtype == RUG_BIT || s.img.dtype == RUG_U8 ||
                        s.img.dtype == RUG_U16 || s.img.dtype == RUG_U32) &&
                       test_below(&rng, 2);
        opts.n_sizes = random_sizes(&rng, sizes);
        opts.sizes = opts.n_sizes > 0 ? sizes : NULL;
        if (test_below(&rng, 3) == 0) {
            mask = random_mask(&rng, &s.img, &buffer);
            masked = &mask;
            inside = source_of_image(masked);
            opts.mask = &inside;
        }
        char what[160];
        snprintf(what, sizeof what, "case %d: %s %zux%zux%zu rule %d %g%s%s%s", i,
                 rug_dtype_name(s.img.dtype), s.img.shape[0], s.img.shape[1],
                 s.img.ndim == 3 ? s.img.shape[2] : 0, (int)s.rule.kind, s.rule.value,
                 opts.is_gray ? " grey" : "", opts.mask != NULL ? " masked" : "",
                 opts.boxes ? " fixed" : "");
        naive_masses masses = read_masses(&s.img, masked, opts.is_gray, s.rule);
        check_levels(ctx, &rng, &s.img, &opts, &masses, what);
        assert_memory_equal(s.buffer, s.copy, s.n_bytes);
        free_masses(&masses);
        free(buffer);
        free_sample(&s);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_arrays),   cmocka_unit_test(flat_images),
        cmocka_unit_test(black_images),   cmocka_unit_test(odd_shapes),
        cmocka_unit_test(equal_to_naive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
