/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns: truths that are known by hand. */

#include "support.h"

#include "lbp_support.h"

static double centre_code(rug_context *ctx, const rug_image *img, rug_lbp_options opts)
{
    codes c = map_of(ctx, img, opts);
    double code = c.at[4];
    free(c.at);
    return code;
}

/* Counter-clockwise from the right: 1 2 5 6 7 9 8 7 about 6 is 00011111. */
static void nine_pixels(void **state)
{
    (void)state;
    static const uint8_t pixels[9] = {6, 5, 2, 7, 6, 1, 9, 8, 7};
    rug_image img = test_u8(pixels, 0, 3, 3);
    rug_context *ctx = test_context();
    const rug_lbp_operator eight = {8, 1, NULL, 0}, four = {4, 1, NULL, 0};
    static const double expected[] = {5, 248, 31, 38, 6.984375};
    for (int m = RUG_LBP_RIU2; m <= RUG_LBP_VAR; m++) {
        rug_lbp_options opts = options_of(&eight, (rug_lbp_method)m);
        opts.interpolation = RUG_LBP_NEAREST;
        assert_true(centre_code(ctx, &img, opts) == expected[m]);
    }
    /* Of whole offsets nothing is interpolated: 1 5 7 8 about 6. */
    for (int e = RUG_LBP_EXACT_SKIMAGE; e <= RUG_LBP_EXACT_FLOAT; e++) {
        rug_lbp_options opts = options_of(&four, RUG_LBP_DEFAULT);
        opts.exact = (rug_lbp_exact)e;
        assert_true(centre_code(ctx, &img, opts) == 12);
    }
    rug_context_free(ctx);
}

static uint32_t bins_of(rug_lbp_method method, uint32_t points)
{
    rug_lbp_operator op = {points, 1, NULL, 0};
    return rug_lbp_n_bins(method, &op);
}

static void numbers_of_bins(void **state)
{
    (void)state;
    assert_int_equal(bins_of(RUG_LBP_DEFAULT, 8), 256);
    assert_int_equal(bins_of(RUG_LBP_ROR, 8), 36);
    assert_int_equal(bins_of(RUG_LBP_RIU2, 8), 10);
    assert_int_equal(bins_of(RUG_LBP_NRI_UNIFORM, 8), 59);
    assert_int_equal(bins_of(RUG_LBP_RIU2, 16), 18);
    assert_int_equal(bins_of(RUG_LBP_NRI_UNIFORM, 16), 243);
    assert_int_equal(bins_of(RUG_LBP_DEFAULT, 16), 65536);
    assert_int_equal(bins_of(RUG_LBP_DEFAULT, 17), 0);
    assert_int_equal(bins_of(RUG_LBP_ROR, 20), 52488);
    assert_int_equal(bins_of(RUG_LBP_ROR, 21), 0);
    assert_int_equal(bins_of(RUG_LBP_VAR, 8), 0);
    const double cuts[] = {1, 2, 3};
    const rug_lbp_operator op = {8, 1, cuts, 3};
    assert_int_equal(rug_lbp_n_bins(RUG_LBP_VAR, &op), 4);
    assert_int_equal(rug_lbp_n_bins(RUG_LBP_RIU2, &op), 40);
}

/* Empty bins are kept, and all pixels are counted. */
static void flat_histogram(void **state)
{
    (void)state;
    static uint8_t pixels[256];
    memset(pixels, 77, sizeof pixels);
    rug_image img = test_u8(pixels, 0, 16, 16);
    rug_context *ctx = test_context();
    rug_lbp_result *r = must_lbp(ctx, &img, NULL);
    const rug_lbp_histogram *h = rug_lbp_at(r, 0);
    assert_int_equal(n_histograms(r), 1);
    assert_null(rug_lbp_at(r, 1));
    assert_int_equal(h->n_bins, 10);
    assert_int_equal(h->pixels, 256);
    /* Outside is 0, so a side sees 5 neighbours of its own value, a corner 3. */
    assert_int_equal(h->bins[8], 14 * 14);
    assert_int_equal(h->bins[5], 4 * 14);
    assert_int_equal(h->bins[3], 4);
    rug_lbp_free(r);
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.border = RUG_LBP_BORDER_SKIP;
    r = must_lbp(ctx, &img, &opts);
    assert_int_equal(rug_lbp_at(r, 0)->pixels, 14 * 14);
    assert_int_equal(rug_lbp_at(r, 0)->bins[8], 14 * 14);
    rug_lbp_free(r);
    rug_context_free(ctx);
}

/* Codes of 31 and 32 points are not negative and not cut off. */
static void many_points(void **state)
{
    (void)state;
    static uint8_t pixels[81];
    memset(pixels, 9, sizeof pixels);
    rug_image img = test_u8(pixels, 0, 9, 9);
    rug_context *ctx = test_context();
    for (uint32_t points = 31; points <= 32; points++)
        for (int m = RUG_LBP_DEFAULT; m <= RUG_LBP_ROR; m++) {
            const rug_lbp_operator op = {points, 3, NULL, 0};
            rug_lbp_options opts = options_of(&op, (rug_lbp_method)m);
            opts.exact = RUG_LBP_EXACT_DECIMAL;
            codes c = map_of(ctx, &img, opts);
            assert_true(c.at[40] == (double)((UINT64_C(1) << points) - 1));
            free(c.at);
        }
    rug_context_free(ctx);
}

/* A volume with texture along z only. */
static void planes_of_a_volume(void **state)
{
    (void)state;
    static uint8_t pixels[729];
    for (int i = 0; i < 729; i++)
        pixels[i] = (uint8_t)(i / 81 * 37 % 101);
    rug_image img = test_u8(pixels, 9, 9, 9);
    rug_context *ctx = test_context();
    for (int p = RUG_LBP_PLANES_XY; p <= RUG_LBP_PLANES_YZ; p++) {
        rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
        opts.planes = (rug_lbp_planes)p;
        opts.border = RUG_LBP_BORDER_SKIP;
        rug_lbp_result *r = must_lbp(ctx, &img, &opts);
        const rug_lbp_histogram *h = rug_lbp_at(r, 0);
        assert_int_equal(h->pixels, 9 * 7 * 7);
        assert_true((h->bins[8] == h->pixels) == (p == RUG_LBP_PLANES_XY));
        rug_lbp_free(r);
    }
    rug_context_free(ctx);
}

/* A checkerboard to the left, nothing to the right: each label has its own histogram. */
static void two_labels(void **state)
{
    (void)state;
    static uint8_t pixels[16 * 16], labels[16 * 16];
    for (int i = 0; i < 256; i++) {
        int y = i / 16, x = i % 16;
        pixels[i] = (uint8_t)(x < 8 ? (x + y) % 2 * 200 : 50);
        labels[i] = (uint8_t)(x < 8 ? 3 : 7);
    }
    rug_image img = test_u8(pixels, 0, 16, 16), label_image = test_u8(labels, 0, 16, 16);
    rug_context *ctx = test_context();
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    rug_source label_source = source_of_image(&label_image);
    opts.labels = &label_source;
    rug_lbp_result *r = must_lbp(ctx, &img, &opts);
    assert_int_equal(n_histograms(r), 2);
    const rug_lbp_histogram *a = rug_lbp_at(r, 0), *b = rug_lbp_at(r, 1);
    assert_int_equal(a->label, 3);
    assert_int_equal(b->label, 7);
    assert_int_equal(a->pixels, 128);
    assert_int_equal(b->pixels, 128);
    assert_true(b->bins[8] >= 6 * 14); /* those that see flat pixels only */
    assert_memory_not_equal(a->bins, b->bins, 10 * sizeof *a->bins);
    rug_lbp_free(r);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nine_pixels),        cmocka_unit_test(numbers_of_bins),
        cmocka_unit_test(flat_histogram),     cmocka_unit_test(many_points),
        cmocka_unit_test(planes_of_a_volume), cmocka_unit_test(two_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
