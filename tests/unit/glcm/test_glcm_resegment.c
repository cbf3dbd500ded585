/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which pixels re-segmentation leaves out, to the last integer, and where bins of a width
 * begin. */

#include "support.h"

#include "glcm_support.h"

static rug_image view(rug_context *ctx, const void *pixels, rug_dtype dtype, size_t ny,
                      size_t nx)
{
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, dtype, 2, (size_t[]){ny, nx}),
                     RUG_OK);
    return img;
}

/* The only row of a call, along 0 degrees. */
static glcm_row measure(rug_context *ctx, const rug_image *img, rug_glcm_options opts)
{
    opts.directions = 1;
    opts.features = RUG_GLCM_FEATURES_ALL;
    glcm_rows rows = must_measure(ctx, img, &opts);
    assert_int_equal(rows.n, 1);
    glcm_row row = rows.row[0];
    free(rows.row);
    return row;
}

static rug_glcm_options keep(double lo, double hi)
{
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.resegment = 1;
    o.resegment_lo = lo;
    o.resegment_hi = hi;
    return o;
}

/* Both bounds stay; what is outside is in no pair, and not in the box of the region. */
static void bounds(void **state)
{
    (void)state;
    static const int16_t values[2][6] = {{-5, 0, 10, 400, 401, 7},
                                         {-9, -8, 0, 5, 500, 999}};
    rug_context *ctx = test_context();
    rug_image img = view(ctx, values, RUG_I16, 2, 6);
    glcm_row row = measure(ctx, &img, keep(0, 400)); /* 0 10 400 . 7 over . 0 5 . . */
    assert_int_equal(row.area, 6);
    assert_int_equal(row.n_outside, 6);
    assert_int_equal(row.n_clamped, 0);
    assert_int_equal(row.pairs, 3);
    assert_int_equal(row.levels, 5);
    assert_memory_equal(row.first, ((size_t[]){0, 0, 1}), sizeof row.first);
    assert_memory_equal(row.shape, ((size_t[]){1, 2, 5}), sizeof row.shape);
    assert_feature(&row, RUG_GLCM_CONTRAST, (100 + 390 * 390 + 25) / 3.0, 1e-15);
    row = measure(ctx, &img, keep(-INFINITY, -7.5)); /* -9 -8 */
    assert_int_equal(row.area, 2);
    assert_feature(&row, RUG_GLCM_CONTRAST, 1, 0);
    row = measure(ctx, &img, keep(499.5, INFINITY)); /* 500 999 */
    assert_feature(&row, RUG_GLCM_CONTRAST, 499 * 499, 0);
    rug_context_free(ctx);
}

/* NaN and infinities are left out as such. */
static void not_finite(void **state)
{
    (void)state;
    const float values[6] = {1, NAN, 2, 3, INFINITY, 90};
    rug_context *ctx = test_context();
    rug_image img = view(ctx, values, RUG_F32, 1, 6);
    glcm_row row = measure(ctx, &img, keep(0, 50));
    assert_int_equal(row.area, 3);
    assert_int_equal(row.n_nan, 2);
    assert_int_equal(row.n_outside, 1);
    assert_int_equal(row.pairs, 1);
    assert_true(row.bin_origin == 1 && row.bin_width == 2.0 / 64);
    rug_context_free(ctx);
}

/* In four bins. */
static rug_glcm_options binned(double lo, double hi)
{
    rug_glcm_options o = keep(lo, hi);
    o.levels = RUG_GLCM_LEVELS_COUNT;
    o.n_levels = 4;
    return o;
}

/* 2^53 + 1 and its like are no doubles, and are told apart. */
static void large_integers(void **state)
{
    (void)state;
    static const uint64_t u[4] = {UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1,
                                  (UINT64_C(1) << 63) - 1, UINT64_MAX};
    static const int64_t s[4] = {INT64_MIN, -(INT64_C(1) << 60) - 1, -(INT64_C(1) << 60),
                                 3};
    rug_context *ctx = test_context();
    rug_image img = view(ctx, u, RUG_U64, 1, 4);
    assert_int_equal(measure(ctx, &img, keep(0x1p63, 0x1p63 + 2048)).area, 2);
    assert_int_equal(measure(ctx, &img, keep(0x1p62, 0x1p63)).area, 2);
    assert_int_equal(measure(ctx, &img, keep(0x1p64, INFINITY)).area, 0);
    assert_int_equal(measure(ctx, &img, keep(-INFINITY, -0.5)).area, 0);
    assert_int_equal(measure(ctx, &img, binned(1, 0x1p64)).area, 4);
    img = view(ctx, s, RUG_I64, 1, 4);
    assert_int_equal(measure(ctx, &img, binned(-0x1p60, 5)).n_outside, 2);
    assert_int_equal(measure(ctx, &img, keep(-INFINITY, -0x1p62)).area, 1);
    assert_int_equal(measure(ctx, &img, keep(-0x1p70, -0x1p63 - 0x1p20)).area, 0);
    rug_context_free(ctx);
}

/* No pixel is left: a reason, and no numbers. */
static void nothing_left(void **state)
{
    (void)state;
    static const uint8_t values[4] = {1, 2, 3, 4};
    rug_context *ctx = test_context();
    rug_image img = view(ctx, values, RUG_U8, 2, 2);
    rug_glcm_options o = keep(100, 200);
    for (int kind = 0; kind < 3; kind++) {
        glcm_row row = measure(ctx, &img, o);
        assert_int_equal(row.status, RUG_GLCM_NO_PAIRS);
        assert_int_equal(row.area, 0);
        assert_int_equal(row.n_outside, 4);
        assert_int_equal(row.levels, 0);
        assert_true(isnan(row.features[RUG_GLCM_CONTRAST]));
        o.levels = kind == 0 ? RUG_GLCM_LEVELS_COUNT : RUG_GLCM_LEVELS_WIDTH;
        o.n_levels = kind == 0 ? 8 : 0;
        o.bin_width = kind == 0 ? 0 : 2;
    }
    rug_context_free(ctx);
}

/* Where nothing is outside, nothing changes. */
static void all_inside(void **state)
{
    (void)state;
    static uint8_t pixels[64 * 64];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(10 + i * i / 7 % 90);
    rug_context *ctx = test_context();
    rug_image img = view(ctx, pixels, RUG_U8, 64, 64);
    rug_glcm_options plain = RUG_GLCM_OPTIONS_INIT, o = keep(10, 99);
    glcm_rows a = must_measure(ctx, &img, &plain), b = must_measure(ctx, &img, &o);
    assert_same_rows(&a, &b);
    free(b.row);
    o = keep(10, 98); /* one level less */
    b = must_measure(ctx, &img, &o);
    assert_true(b.row[0].n_outside > 0 && b.row[0].levels < a.row[0].levels);
    free(a.row);
    free(b.row);
    rug_context_free(ctx);
}

/* The range of the image is that of all that stays, also outside of labels. */
static void range_of_image(void **state)
{
    (void)state;
    static const uint8_t values[8] = {10, 20, 30, 250, 5, 90, 40, 1};
    static const uint8_t labels[8] = {1, 1, 1, 1, 0, 0, 2, 2};
    rug_context *ctx = test_context();
    rug_image img = view(ctx, values, RUG_U8, 1, 8),
              regions = view(ctx, labels, RUG_U8, 1, 8);
    rug_glcm_options o = keep(2, 100);
    o.labels = glcm_source(&regions);
    o.levels = RUG_GLCM_LEVELS_COUNT;
    o.n_levels = 17; /* of 5..90, 5 each */
    o.directions = 1;
    glcm_rows rows = must_measure(ctx, &img, &o);
    assert_int_equal(rows.n, 2);
    assert_true(rows.row[0].bin_origin == 5 && fabs(rows.row[0].bin_width - 5) < 1e-12);
    assert_int_equal(rows.row[0].n_outside, 1);
    assert_int_equal(rows.row[1].n_outside, 1);
    assert_feature(&rows.row[0], RUG_GLCM_CONTRAST, 4, 0); /* bins 2 4 6 */
    free(rows.row);
    rug_context_free(ctx);
}

/* -30 -26 -1 24 in bins of 25 that begin where they are told to. */
static void origins(void **state)
{
    (void)state;
    static const int16_t values[4] = {-30, -26, -1, 24};
    const struct {
        rug_glcm_origin origin;
        double given, lo, at; /* lo: of re-segmentation, up to 100; 0: none */
        double bins[4];
    } all[] = {
        {RUG_GLCM_ORIGIN_AUTO, 0, 0, -50, {1, 1, 2, 3}},
        {RUG_GLCM_ORIGIN_ZERO, 0, 0, -50, {1, 1, 2, 3}},
        {RUG_GLCM_ORIGIN_MIN, 0, 0, -30, {1, 1, 2, 3}},
        {RUG_GLCM_ORIGIN_GIVEN, -26, 0, -26, {1, 1, 2, 3}},
        {RUG_GLCM_ORIGIN_GIVEN, -1000, 0, -1000, {39, 39, 40, 41}},
        {RUG_GLCM_ORIGIN_AUTO, 0, -1000, -1000, {39, 39, 40, 41}},
        {RUG_GLCM_ORIGIN_ZERO, 0, -1000, -50, {1, 1, 2, 3}},
        {RUG_GLCM_ORIGIN_MIN, 0, -1000, -30, {1, 1, 2, 3}},
    };
    rug_context *ctx = test_context();
    rug_image img = view(ctx, values, RUG_I16, 1, 4);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
        if (all[i].lo < 0)
            o = keep(all[i].lo, 100);
        o.levels = RUG_GLCM_LEVELS_WIDTH;
        o.bin_width = 25;
        o.origin = all[i].origin;
        o.bin_origin = all[i].given;
        glcm_row row = measure(ctx, &img, o);
        const double *b = all[i].bins;
        double average = (b[0] + 2 * b[1] + 2 * b[2] + b[3]) / 6;
        double products = (b[0] * b[1] + b[1] * b[2] + b[2] * b[3]) / 3;
        assert_true(row.bin_origin == all[i].at && row.bin_width == 25);
        assert_int_equal(row.n_clamped, all[i].given == -26 ? 1 : 0);
        assert_feature(&row, RUG_GLCM_JOINT_AVERAGE, average, 1e-14);
        assert_feature(&row, RUG_GLCM_AUTOCORRELATION, products, 1e-14);
    }
    rug_context_free(ctx);
}

/* Each region has its own least value. */
static void origin_of_regions(void **state)
{
    (void)state;
    static const uint8_t values[6] = {7, 9, 12, 103, 104, 109};
    static const uint8_t labels[6] = {1, 1, 1, 2, 2, 2};
    rug_context *ctx = test_context();
    rug_image img = view(ctx, values, RUG_U8, 1, 6),
              regions = view(ctx, labels, RUG_U8, 1, 6);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = glcm_source(&regions);
    o.levels = RUG_GLCM_LEVELS_WIDTH;
    o.bin_width = 5;
    o.origin = RUG_GLCM_ORIGIN_MIN;
    o.features = RUG_GLCM_FEATURES_ALL;
    o.directions = 1;
    glcm_rows rows = must_measure(ctx, &img, &o);
    assert_true(rows.row[0].bin_origin == 7 && rows.row[1].bin_origin == 103);
    for (int i = 0; i < 2; i++) /* bins 1 1 2 */
        assert_feature(&rows.row[i], RUG_GLCM_JOINT_AVERAGE, 1.25, 1e-15);
    free(rows.row);
    o.range = RUG_GLCM_RANGE_IMAGE; /* bins 1 1 2 and 20 20 21 */
    rows = must_measure(ctx, &img, &o);
    assert_true(rows.row[0].bin_origin == 7 && rows.row[1].bin_origin == 7);
    assert_feature(&rows.row[1], RUG_GLCM_JOINT_AVERAGE, 20.25, 1e-14);
    free(rows.row);
    o.range = RUG_GLCM_RANGE_GIVEN;
    o.range_lo = 8;
    o.range_hi = 105; /* 8 9 12 and 103 104 105 */
    rows = must_measure(ctx, &img, &o);
    assert_true(rows.row[0].bin_origin == 8 && rows.row[1].bin_origin == 103);
    assert_int_equal(rows.row[0].levels, 1);
    free(rows.row);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds),         cmocka_unit_test(not_finite),
        cmocka_unit_test(large_integers), cmocka_unit_test(nothing_left),
        cmocka_unit_test(all_inside),     cmocka_unit_test(range_of_image),
        cmocka_unit_test(origins),        cmocka_unit_test(origin_of_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
