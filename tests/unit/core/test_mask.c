/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts inside a mask: known truths, and every box by hand. */

#include "support.h"

#include "boxcount_support.h"
#include <stdlib.h>

static void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

/* A full 8 x 8 image under a mask of its left 5 columns: boxes that the mask cuts are
 * grey, those behind it are not there at all. */
static void left_columns(void **state)
{
    (void)state;
    static test_counts out;
    rug_context *ctx = test_context();
    uint8_t pixels[64], inside[64];
    for (int i = 0; i < 64; i++) {
        pixels[i] = 1;
        inside[i] = i % 8 < 5;
    }
    rug_image img = test_u8(pixels, 0, 8, 8), mask = test_u8(inside, 0, 8, 8);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    rug_source mask_source = source_of_image(&mask);
    opts.mask = &mask_source;
    must(ctx, test_boxcount(ctx, &out, &img, &opts));
    static const rug_box_count expected[4] = {{1, 40, 40, 40, 0, 0},
                                              {2, 12, 12, 8, 4, 0},
                                              {4, 4, 4, 2, 2, 0},
                                              {8, 1, 1, 0, 1, 0}};
    assert_int_equal(out.n_sizes, 4);
    assert_memory_equal(out.counts, expected, sizeof expected);
    rug_context_free(ctx);
}

/* Otsu's threshold is that of the pixels inside: the bright rest does not count. */
static void threshold_inside(void **state)
{
    (void)state;
    static test_counts out;
    rug_context *ctx = test_context();
    uint8_t pixels[64], inside[64];
    for (int i = 0; i < 64; i++) {
        inside[i] = i < 32;
        pixels[i] = (uint8_t)(i >= 32 ? 200 + i % 4 : i % 2 ? 60 + i % 3 : 10 + i % 5);
    }
    rug_image img = test_u8(pixels, 0, 8, 8), mask = test_u8(inside, 0, 8, 8);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    must(ctx, test_boxcount(ctx, &out, &img, &opts));
    assert_true(out.foreground.value > 62);
    rug_source mask_source = source_of_image(&mask);
    opts.mask = &mask_source;
    must(ctx, test_boxcount(ctx, &out, &img, &opts));
    assert_true(out.foreground.value > 14 && out.foreground.value <= 60);
    assert_int_equal(out.counts[0].total, 32);
    assert_int_equal(out.counts[0].nonempty, 16);
    rug_context_free(ctx);
}

/* Boxes of one size by looking at every pixel. */
static void count_by_hand(rug_box_count *c, const rug_image *img, const rug_image *mask)
{
    size_t nz = img->ndim == 3 ? img->shape[0] : 1, s = (size_t)c->size;
    size_t ny = img->shape[img->ndim - 2], nx = img->shape[img->ndim - 1];
    size_t volume = img->ndim == 3 ? s * s * s : s * s;
    c->total = c->nonempty = c->black = 0;
    for (size_t bz = 0; bz < nz; bz += s)
        for (size_t by = 0; by < ny; by += s)
            for (size_t bx = 0; bx < nx; bx += s) {
                size_t n_inside = 0, n_set = 0;
                for (size_t z = bz; z < bz + s && z < nz; z++)
                    for (size_t y = by; y < by + s && y < ny; y++)
                        for (size_t x = bx; x < bx + s && x < nx; x++) {
                            long double m = test_pixel(mask, z, y, x);
                            int in = m < 0 || m > 0;
                            n_inside += (size_t)in;
                            n_set += (size_t)(in && test_pixel(img, z, y, x) != 0);
                        }
                c->total += n_inside > 0;
                c->nonempty += n_set > 0;
                c->black += n_set == volume;
            }
    c->gray = c->nonempty - c->black;
    c->white = c->total - c->nonempty;
}

static void random_masks(void **state)
{
    (void)state;
    static test_counts out;
    static const float values[6] = {0.0f, -0.0f, NAN, 1.0f, -2.0f, INFINITY};
    static const uint64_t any_sizes[] = {1, 2, 3, 5, 8, 11, 40, 1000};
    rug_context *ctx = test_context();
    uint64_t rng = 9;
    for (int k = 0; k < 400; k++) {
        size_t nz = test_below(&rng, 2) ? 0 : 1 + test_below(&rng, 9);
        size_t ny = 1 + test_below(&rng, 20), nx = 1 + test_below(&rng, 90);
        size_t n = (nz > 0 ? nz : 1) * ny * nx;
        uint8_t *pixels = malloc(n);
        float *inside = malloc(n * sizeof *inside);
        assert_non_null(pixels);
        assert_non_null(inside);
        uint64_t density = 1 + test_below(&rng, 8), share = 1 + test_below(&rng, 8);
        for (size_t i = 0; i < n; i++) {
            pixels[i] = test_below(&rng, 9) < density;
            inside[i] = values[test_below(&rng, 9) < share ? 3 + test_below(&rng, 3)
                                                           : test_below(&rng, 3)];
        }
        rug_image img = test_u8(pixels, nz, ny, nx), mask;
        must(ctx, rug_image_view(ctx, &mask, inside, RUG_F32, img.ndim, img.shape));
        rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
        opts.foreground.kind = RUG_FOREGROUND_NONZERO;
        rug_source mask_source = source_of_image(&mask);
        opts.mask = &mask_source;
        opts.method = (rug_boxcount_method)(k % 4);
        if (opts.method != RUG_BOXCOUNT_PYRAMID && test_below(&rng, 2)) {
            opts.sizes = any_sizes;
            opts.n_sizes = sizeof any_sizes / sizeof any_sizes[0];
        }
        must(ctx, test_boxcount(ctx, &out, &img, &opts));
        for (uint32_t i = 0; i < out.n_sizes; i++) {
            rug_box_count c = {.size = out.counts[i].size};
            count_by_hand(&c, &img, &mask);
            assert_memory_equal(&c, &out.counts[i], sizeof c);
        }
        free(inside);
        free(pixels);
    }
    rug_context_free(ctx);
}

static void bad_masks(void **state)
{
    (void)state;
    static test_counts out;
    rug_context *ctx = test_context();
    static const uint8_t pixels[6] = {0, 1, 1, 0, 0, 1};
    rug_image img = test_u8(pixels, 0, 2, 3), turned = test_u8(pixels, 0, 3, 2),
              none = {0};
    rug_image volume = test_u8(pixels, 1, 2, 3);
    const rug_image *const bad[] = {&turned, &volume, &none};
    static const char *const text[] = {"mask has 3x2 pixels, the image 2x3",
                                       "mask has 1x2x3 pixels", "NULL"};
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    for (int i = 0; i < 3; i++) {
        rug_source mask = source_of_image(bad[i]);
        opts.mask = &mask;
        assert_int_equal(test_boxcount(ctx, &out, &img, &opts), RUG_E_ARG);
        if (strstr(rug_context_error(ctx), text[i]) == NULL)
            fail_msg("\"%s\" is not part of: %s", text[i], rug_context_error(ctx));
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(left_columns),
        cmocka_unit_test(threshold_inside),
        cmocka_unit_test(random_masks),
        cmocka_unit_test(bad_masks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
