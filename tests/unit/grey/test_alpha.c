/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of alpha: truths that are known by hand, and the logarithm that they are made
 * of. */

#include "support.h"

#include "alpha/map/alpha_log.h"
#include "alpha_support.h"

static rug_alpha_options options_of(rug_alpha_measure measure, uint32_t n_windows)
{
    rug_alpha_options o = RUG_ALPHA_OPTIONS_INIT;
    o.measure = measure;
    o.n_windows = n_windows;
    return o;
}

static void assert_log(double x)
{
    long double truth = logl((long double)x);
    long double error = fabsl((long double)rugi_alpha_log(x) - truth);
    if (error > 1e-15L * fabsl(truth))
        fail_msg("ln %.17g is %.17g, not %.17Lg", x, rugi_alpha_log(x), truth);
}

/* All exponents, and mantissas near 1 and where the exponent changes. */
static void logarithm(void **state)
{
    (void)state;
    uint64_t rng = 3;
    for (int i = 0; i < 300000; i++) {
        uint64_t bits = test_random(&rng) >> 1;
        double x = rugi_alpha_double_of(bits), near = 1 + ((double)i - 150000) * 1e-7;
        if (x > 0 && x < INFINITY)
            assert_log(x);
        assert_log(near);
        assert_log(near * 1.4142135623730951);
        assert_log(i + 1.0);
    }
    assert_log(DBL_MIN);
    assert_log(DBL_MAX);
    assert_log(4.9406564584124654e-324);
    assert_log(2.2250738585072009e-308);
    assert_true(rugi_alpha_log(1) == 0);
    assert_true(rugi_alpha_log(0) == -INFINITY && rugi_alpha_log(-0.0) == -INFINITY);
    assert_true(rugi_alpha_log(-1) == -INFINITY);
    assert_true(rugi_alpha_log(INFINITY) == INFINITY && isnan(rugi_alpha_log(NAN)));
}

/* The sum of a flat image goes with the area, that of a flat volume with the volume,
 * where no window is cut; the extremes do not go at all, not even by a rounding. */
static void flat(void **state)
{
    (void)state;
    static uint8_t pixels[20 * 20 * 20];
    memset(pixels, 77, sizeof pixels);
    rug_context *ctx = test_context();
    for (int ndim = 2; ndim <= 3; ndim++) {
        rug_image img = test_u8(pixels, ndim == 3 ? 20 : 0, 20, 20);
        size_t inside = ndim == 3 ? (10 * 20 + 10) * 20 + 10 : 10 * 20 + 10;
        for (uint32_t k = 2; k <= 9; k++) {
            for (int m = RUG_ALPHA_MAX; m <= RUG_ALPHA_ISO; m++) {
                rug_alpha_options o = options_of((rug_alpha_measure)m, k);
                float *map = must_map(ctx, &img, &o);
                int is_size = m == RUG_ALPHA_SUM || m == RUG_ALPHA_ISO;
                assert_true(map[inside] == (float)(is_size ? ndim : 0));
                assert_true(is_size ? map[0] < map[inside] : map[0] == 0);
                free(map);
            }
        }
    }
    rug_context_free(ctx);
}

/* One bright pixel in the dark: it alone has a measure in each of its windows, always the
 * same. */
static void one_bright_pixel(void **state)
{
    (void)state;
    static uint8_t pixels[15 * 15];
    pixels[7 * 15 + 7] = 200;
    rug_image img = test_u8(pixels, 0, 15, 15);
    rug_context *ctx = test_context();
    for (int m = RUG_ALPHA_MAX; m <= RUG_ALPHA_SUM; m++) {
        rug_alpha_options o = options_of((rug_alpha_measure)m, 4);
        float *map = must_map(ctx, &img, &o);
        for (int i = 0; i < 15 * 15; i++)
            if (i == 7 * 15 + 7 && m != RUG_ALPHA_MIN)
                assert_true(map[i] == 0);
            else
                assert_true(isnan(map[i]));
        free(map);
    }
    rug_context_free(ctx);
}

/* By hand: 1, 2 … along a row of 3; windows 1 and 3 about the middle have the sums 2 and
 * 6, and so the slope ln 3 / ln 3; the largest are 2 and 3, the least 2 and 1. */
static void three_pixels(void **state)
{
    (void)state;
    static const uint8_t pixels[3] = {1, 2, 3};
    static const double middle[3] = {0.36907024642854258, -0.63092975357145742, 1};
    rug_image img = test_u8(pixels, 0, 1, 3);
    rug_context *ctx = test_context();
    for (int m = RUG_ALPHA_MAX; m <= RUG_ALPHA_SUM; m++) {
        rug_alpha_options o = options_of((rug_alpha_measure)m, 2);
        float *map = must_map(ctx, &img, &o);
        assert_true(map[1] == (float)middle[m]);
        free(map);
    }
    rug_context_free(ctx);
}

/* A ramp's sum is that of its centre times the area where no window is cut. */
static void ramp(void **state)
{
    (void)state;
    static uint16_t pixels[30 * 40];
    for (int i = 0; i < 30 * 40; i++)
        pixels[i] = (uint16_t)(1000 + 700 * (i % 40) + 300 * (i / 40));
    const size_t shape[2] = {30, 40};
    rug_context *ctx = test_context();
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_U16, 2, shape), RUG_OK);
    rug_alpha_options o = options_of(RUG_ALPHA_SUM, 5);
    float *map = must_map(ctx, &img, &o);
    for (int y = 4; y < 26; y++)
        for (int x = 4; x < 36; x++)
            assert_true(map[y * 40 + x] == 2);
    free(map);
    rug_context_free(ctx);
}

/* 64-bit integers whose sums no double holds: 2^63 - 1 and 1 are 2^63, not 2^63 + 1. */
static void wide_integers(void **state)
{
    (void)state;
    static const uint64_t sums[4] = {1, UINT64_MAX, UINT64_MAX, 1};
    static const int64_t like[4] = {INT64_MIN, INT64_MIN + 5, INT64_MAX, INT64_MAX - 6};
    const size_t shape[2] = {1, 4};
    rug_context *ctx = test_context();
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, sums, RUG_U64, 2, shape), RUG_OK);
    rug_alpha_options o = options_of(RUG_ALPHA_SUM, 2);
    float *map = must_map(ctx, &img, &o);
    /* ln (2^65 - 1) - ln (2^64 - 1) and ln (2^64) - ln 1, over ln 3 */
    assert_true(map[1] == (float)0.63092975357145742);
    assert_true(map[0] == (float)40.379504228573264);
    free(map);
    assert_int_equal(rug_image_view(ctx, &img, like, RUG_I64, 2, shape), RUG_OK);
    o = options_of(RUG_ALPHA_ISO, 2);
    o.iso_tolerance = 5.5;
    map = must_map(ctx, &img, &o);
    assert_true(map[0] == (float)0.63092975357145742); /* two pixels are like it */
    assert_true(map[2] == 0);
    free(map);
    rug_context_free(ctx);
}

/* A pixel without a measure spoils all windows that hold it, and no other. */
static void bad_pixels(void **state)
{
    (void)state;
    static float pixels[21 * 21];
    static const float bad[] = {NAN, INFINITY, -INFINITY, -1};
    const size_t shape[2] = {21, 21};
    rug_context *ctx = test_context();
    rug_image img;
    for (size_t i = 0; i < 4; i++)
        for (int m = RUG_ALPHA_MAX; m <= RUG_ALPHA_ISO; m++) {
            for (int k = 0; k < 21 * 21; k++)
                pixels[k] = 2;
            pixels[10 * 21 + 10] = bad[i];
            assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_F32, 2, shape),
                             RUG_OK);
            rug_alpha_options o = options_of((rug_alpha_measure)m, 4);
            float *map = must_map(ctx, &img, &o);
            for (int y = 0; y < 21; y++)
                for (int x = 0; x < 21; x++) {
                    int is_near = abs(y - 10) <= 3 && abs(x - 10) <= 3;
                    int is_spoilt = is_near && !(i == 3 && m == RUG_ALPHA_ISO);
                    assert_int_equal(isnan(map[y * 21 + x]) != 0, is_spoilt);
                }
            free(map);
        }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithm),
        cmocka_unit_test(flat),
        cmocka_unit_test(one_bright_pixel),
        cmocka_unit_test(three_pixels),
        cmocka_unit_test(ramp),
        cmocka_unit_test(wide_integers),
        cmocka_unit_test(bad_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
