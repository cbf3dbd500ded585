/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From grey values to levels: what the rules for bins and ranges make of them, and that
 * shifts, scales and types that should not matter do not. */

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

static rug_glcm_options bins(uint32_t n, rug_glcm_range range)
{
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.levels = RUG_GLCM_LEVELS_COUNT;
    o.n_levels = n;
    o.range = range;
    o.features = RUG_GLCM_FEATURES_ALL;
    return o;
}

/* The only row of a call. */
static glcm_row measure(rug_context *ctx, const rug_image *img,
                        const rug_glcm_options *opts)
{
    glcm_rows rows = must_measure(ctx, img, opts);
    assert_int_equal(rows.n, 1);
    glcm_row row = rows.row[0];
    free(rows.row);
    return row;
}

static void assert_same_features(const glcm_row *a, const glcm_row *b)
{
    for (int f = 0; f < RUG_GLCM_N_FEATURES; f++)
        if (!same_number(a->features[f], b->features[f]))
            fail_msg("%s is %.17g and %.17g", rug_glcm_feature_name((rug_glcm_feature)f),
                     a->features[f], b->features[f]);
}

/* Values 1 .. 254 once each, sorted, in 8 bins: neighbours of the same bin are pairs of
 * difference 0, and the joint averages tell how many pixels each bin has. */
static void equal_bins(void **state)
{
    (void)state;
    static const int expected[8] = {32, 32, 31, 32, 32, 31, 32, 32};
    rug_context *ctx = test_context();
    uint8_t values[254];
    for (int least = 1, bin = 0; bin < 8; least += expected[bin++]) {
        /* the pixels of this bin and one of each neighbour: 3 levels, or 2 at the ends */
        int first = bin > 0 ? least - 1 : least, last = least + expected[bin];
        last = bin < 7 ? last : last - 1;
        size_t n = (size_t)(last - first + 1);
        for (size_t i = 0; i < n; i++)
            values[i] = (uint8_t)(first + (int)i);
        rug_image img = view(ctx, values, RUG_U8, 1, n);
        rug_glcm_options o = bins(8, RUG_GLCM_RANGE_GIVEN);
        o.range_lo = 1;
        o.range_hi = 254;
        o.directions = 1;
        glcm_row row = measure(ctx, &img, &o);
        assert_int_equal(row.levels, 1 + (bin > 0) + (bin < 7));
        assert_int_equal(row.n_clamped, 0);
        double equal = (double)(expected[bin] - 1) / (double)(n - 1);
        assert_feature(&row, RUG_GLCM_CONTRAST, 1 - equal, 1e-14);
    }
    static const uint8_t five[5] = {1, 2, 3, 4, 5};
    rug_image img = view(ctx, five, RUG_U8, 1, 5);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.levels = RUG_GLCM_LEVELS_WIDTH;
    o.bin_width = 1;
    glcm_row row = measure(ctx, &img, &o);
    assert_int_equal(row.levels, 5);
    assert_true(row.bin_origin == 1 && row.bin_width == 1);
    assert_feature(&row, RUG_GLCM_SUM_AVERAGE, 6, 0);
    rug_context_free(ctx);
}

/* Bins of a width begin at a multiple of it, or where the range that is given does. */
static void origins(void **state)
{
    (void)state;
    static const int16_t values[4] = {-30, -26, -1, 24};
    rug_context *ctx = test_context();
    rug_image img = view(ctx, values, RUG_I16, 1, 4);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.levels = RUG_GLCM_LEVELS_WIDTH;
    o.bin_width = 25;
    o.directions = 1;
    glcm_row row = measure(ctx, &img, &o); /* bins 1 1 2 3 */
    assert_true(row.bin_origin == -50 && row.bin_width == 25);
    assert_int_equal(row.levels, 3);
    assert_feature(&row, RUG_GLCM_SUM_AVERAGE, (2 + 3 + 5) / 3.0, 1e-15);
    o.range = RUG_GLCM_RANGE_GIVEN;
    o.range_lo = -28;
    o.range_hi = 20;
    row = measure(ctx, &img, &o); /* bins 1 1 2 2 */
    assert_true(row.bin_origin == -28);
    assert_int_equal(row.n_clamped, 2);
    assert_feature(&row, RUG_GLCM_SUM_AVERAGE, (2 + 3 + 4) / 3.0, 1e-15);
    rug_context_free(ctx);
}

/* Bins are numbered from 1 also where rounding puts the multiple of the width above the
 * least value. */
static void lowest_bin(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    double values[4] = {1.7, 1.7, 1.9, 1.7}; /* 17 widths are 1.7000000000000002 */
    rug_image img = view(ctx, values, RUG_F64, 1, 4);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.levels = RUG_GLCM_LEVELS_WIDTH;
    o.bin_width = 0.1;
    o.features = RUG_GLCM_FEATURES_ALL;
    o.directions = 1;
    glcm_row row = measure(ctx, &img, &o);
    assert_int_equal(row.levels, 2);
    assert_feature(&row, RUG_GLCM_JOINT_AVERAGE, 4.0 / 3, 1e-15);
    /* the least value is no background */
    o.pairs = RUG_GLCM_PAIRS_FRAME;
    row = measure(ctx, &img, &o);
    assert_feature(&row, RUG_GLCM_CONTRAST, 4.0 / 15, 1e-15);
    rug_context_free(ctx);
}

/* Twelve bits in sixteen use a sixteenth of the type's range; a range of 0..4095 all. */
static void range_of_the_type(void **state)
{
    (void)state;
    static uint16_t ramp[4096];
    for (uint16_t i = 0; i < 4096; i++)
        ramp[i] = i;
    rug_context *ctx = test_context();
    rug_image img = view(ctx, ramp, RUG_U16, 64, 64);
    rug_glcm_options o = bins(256, RUG_GLCM_RANGE_TYPE);
    glcm_row row = measure(ctx, &img, &o);
    assert_int_equal(row.levels, 16);
    assert_true(row.bin_origin == 0 && fabs(row.bin_width - 65535.0 / 256) < 1e-12);
    o.range = RUG_GLCM_RANGE_GIVEN;
    o.range_hi = 4095;
    row = measure(ctx, &img, &o);
    assert_int_equal(row.levels, 256);
    o.range = RUG_GLCM_RANGE_IMAGE;
    o.range_hi = 0;
    glcm_row image = measure(ctx, &img, &o);
    assert_same_features(&row, &image);
    rug_context_free(ctx);
}

/* Twice the values: the same under the range of the image, another thing under a fixed
 * one. */
static void scales(void **state)
{
    (void)state;
    uint8_t once[64], twice[64];
    uint64_t rng = 14;
    for (size_t i = 0; i < 64; i++) {
        once[i] = (uint8_t)test_below(&rng, 100);
        twice[i] = (uint8_t)(2 * once[i]);
    }
    rug_context *ctx = test_context();
    rug_image a = view(ctx, once, RUG_U8, 8, 8), b = view(ctx, twice, RUG_U8, 8, 8);
    rug_glcm_options o = bins(16, RUG_GLCM_RANGE_IMAGE);
    glcm_row x = measure(ctx, &a, &o), y = measure(ctx, &b, &o);
    assert_same_features(&x, &y);
    assert_true(y.bin_width == 2 * x.bin_width);
    o.range = RUG_GLCM_RANGE_GIVEN;
    o.range_hi = 255;
    x = measure(ctx, &a, &o);
    y = measure(ctx, &b, &o);
    assert_true(fabs(x.features[RUG_GLCM_CONTRAST] - y.features[RUG_GLCM_CONTRAST]) > 1);
    rug_context_free(ctx);
}

/* Dim pixels in a dark image, their multiples, and floats in 0..1 keep their texture. */
static void small_values(void **state)
{
    (void)state;
    uint16_t dim[64], bright[64];
    uint8_t names[64] = {0}, ramp[64];
    float fraction[64];
    uint64_t rng = 13;
    for (size_t i = 0; i < 64; i++) {
        int in = i / 8 >= 2 && i / 8 < 7 && i % 8 > 1;
        names[i] = (uint8_t)in;
        dim[i] = (uint16_t)(in ? 10 + test_below(&rng, 64) : 0);
        bright[i] = (uint16_t)(100 * dim[i]);
        ramp[i] = (uint8_t)i;
        fraction[i] = (float)i / 63;
    }
    rug_context *ctx = test_context();
    rug_image a = view(ctx, dim, RUG_U16, 8, 8), b = view(ctx, bright, RUG_U16, 8, 8);
    rug_image labels = view(ctx, names, RUG_U8, 8, 8);
    rug_glcm_options o = bins(16, RUG_GLCM_RANGE_ROI);
    o.labels = glcm_source(&labels);
    glcm_row x = measure(ctx, &a, &o), y = measure(ctx, &b, &o);
    assert_same_features(&x, &y);
    assert_true(x.levels > 8);
    assert_true(isfinite(x.features[RUG_GLCM_CORRELATION]));
    a = view(ctx, ramp, RUG_U8, 8, 8);
    b = view(ctx, fraction, RUG_F32, 8, 8);
    o = bins(7, RUG_GLCM_RANGE_IMAGE);
    x = measure(ctx, &a, &o);
    y = measure(ctx, &b, &o);
    assert_same_features(&x, &y);
    assert_int_equal(x.levels, 7);
    o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    assert_int_equal(measure(ctx, &b, &o).levels, 64);
    rug_context_free(ctx);
}

/* Whatever the type and the distance from 0, exact levels differ in their averages only. */
static void far_from_zero(void **state)
{
    (void)state;
    static const uint8_t h4[16] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 2, 2, 2, 2, 2, 3, 3};
    int16_t low[16];
    uint64_t high[16];
    int64_t least[16];
    for (size_t i = 0; i < 16; i++) {
        low[i] = (int16_t)(h4[i] - 1000);
        high[i] = UINT64_MAX - 3 + h4[i];
        least[i] = INT64_MIN + h4[i];
    }
    rug_context *ctx = test_context();
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.features = RUG_GLCM_FEATURES_ALL;
    rug_image img = view(ctx, h4, RUG_U8, 4, 4);
    glcm_row first = measure(ctx, &img, &o);
    const struct {
        const void *pixels;
        rug_dtype dtype;
        double base;
    } others[] = {{low, RUG_I16, -1000},
                  {high, RUG_U64, 18446744073709551612.0},
                  {least, RUG_I64, -9223372036854775808.0}};
    for (size_t i = 0; i < 3; i++) {
        img = view(ctx, others[i].pixels, others[i].dtype, 4, 4);
        glcm_row row = measure(ctx, &img, &o);
        double base = others[i].base;
        assert_feature(&row, RUG_GLCM_SUM_AVERAGE,
                       first.features[RUG_GLCM_SUM_AVERAGE] + 2 * base, 1e-15);
        assert_feature(&row, RUG_GLCM_JOINT_AVERAGE,
                       first.features[RUG_GLCM_JOINT_AVERAGE] + base, 1e-15);
        assert_feature(&row, RUG_GLCM_AUTOCORRELATION,
                       first.features[RUG_GLCM_AUTOCORRELATION] +
                           first.features[RUG_GLCM_SUM_AVERAGE] * base + base * base,
                       1e-15);
        static const rug_glcm_feature averages[] = {
            RUG_GLCM_SUM_AVERAGE, RUG_GLCM_JOINT_AVERAGE, RUG_GLCM_AUTOCORRELATION};
        for (size_t k = 0; k < 3; k++)
            row.features[averages[k]] = first.features[averages[k]];
        assert_same_features(&first, &row);
    }
    o = bins(4, RUG_GLCM_RANGE_ROI);
    img = view(ctx, h4, RUG_U8, 4, 4);
    first = measure(ctx, &img, &o);
    img = view(ctx, low, RUG_I16, 4, 4);
    glcm_row row = measure(ctx, &img, &o);
    assert_same_features(&first, &row);
    rug_context_free(ctx);
}

/* Doubles whose range no double holds. */
static void huge_range(void **state)
{
    (void)state;
    static const double pixels[4] = {-1.7e308, -0.8e308, 0.8e308, 1.7e308};
    rug_context *ctx = test_context();
    rug_image img = view(ctx, pixels, RUG_F64, 1, 4);
    rug_glcm_options o = bins(4, RUG_GLCM_RANGE_IMAGE);
    glcm_row row = measure(ctx, &img, &o); /* bins 1 2 3 4 */
    assert_int_equal(row.levels, 4);
    assert_feature(&row, RUG_GLCM_CONTRAST, 1, 0);
    assert_true(isfinite(row.bin_width));
    rug_context_free(ctx);
}

/* Bytes that are held, and the most that were. */
static size_t held, most_held;

static void *count_allocate(void *user, size_t n_bytes, size_t alignment)
{
    (void)user;
    size_t whole = (n_bytes + alignment - 1) / alignment * alignment + alignment;
    unsigned char *block = aligned_alloc(alignment, whole + alignment);
    if (block == NULL)
        return NULL;
    memcpy(block, &whole, sizeof whole);
    held += whole;
    most_held = held > most_held ? held : most_held;
    return block + alignment;
}

/* All blocks of the library are aligned to 64 bytes. */
static void count_release(void *user, void *block)
{
    (void)user;
    size_t whole;
    unsigned char *first = (unsigned char *)block - 64;
    memcpy(&whole, first, sizeof whole);
    held -= whole;
    free(first);
}

/* Two levels as far apart as 16 bits allow, and all of them: no matrix of all levels. */
static void sixteen_bits_take_little_memory(void **state)
{
    (void)state;
    static uint16_t pixels[256 * 256];
    rug_context *ctx = test_context();
    rug_allocator allocator = {count_allocate, count_release, NULL};
    rug_context_set_allocator(ctx, &allocator);
    rug_context_set_threads(ctx, 1);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    for (size_t i = 0; i < 64 * 64; i++)
        pixels[i] = i * 2654435761u >> 13 & 1 ? 65535 : 0;
    rug_image img = view(ctx, pixels, RUG_U16, 64, 64);
    most_held = held;
    glcm_row row = measure(ctx, &img, &o);
    assert_int_equal(row.levels, 2);
    assert_true(most_held < (size_t)20 << 20);
    const uint16_t width = TEST_STEP(8);
    for (size_t i = 0; i < 65536; i++)
        pixels[i] = (uint16_t)((uint16_t)(i * 40503) / width * width);
    img = view(ctx, pixels, RUG_U16, 256, 256);
    row = measure(ctx, &img, &o);
    assert_int_equal(row.levels, 65536 / width);
    assert_true(most_held < (size_t)60 << 20);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_bins),
        cmocka_unit_test(origins),
        cmocka_unit_test(lowest_bin),
        cmocka_unit_test(range_of_the_type),
        cmocka_unit_test(scales),
        cmocka_unit_test(small_values),
        cmocka_unit_test(far_from_zero),
        cmocka_unit_test(huge_range),
        cmocka_unit_test(sixteen_bits_take_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
