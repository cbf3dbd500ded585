/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which pixels each foreground rule sets, seen through the boxes of one pixel: every dtype,
 * thresholds that the dtype cannot represent, NaN and infinities. */

#include "support.h"

#include "boxcount_support.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static rug_image row_of(const void *pixels, rug_dtype dtype, size_t n)
{
    rug_image img;
    assert_int_equal(rug_image_view(NULL, &img, pixels, dtype, 2, (size_t[]){1, n}),
                     RUG_OK);
    return img;
}

/* Pixels set by a rule; the same at every CPU level. */
static uint64_t n_set_by(const rug_image *img, rug_foreground rule)
{
    rug_context *ctx = test_context();
    uint64_t n = 0;
    for (rug_cpu_level level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        assert_int_equal(rug_context_set_cpu_level(ctx, level), RUG_OK);
        test_counts r = must_count(ctx, img, rule);
        if (level == RUG_CPU_REF)
            n = r.counts[0].nonempty;
        assert_int_equal(r.counts[0].nonempty, n);
    }
    rug_context_free(ctx);
    return n;
}

static uint64_t n_set(const rug_image *img, rug_foreground_kind kind, double value)
{
    return n_set_by(img, (rug_foreground){kind, value, 0});
}

static uint64_t naive_n_set(const rug_image *img, rug_foreground rule)
{
    uint64_t n = 0;
    for (size_t x = 0; x < img->shape[1]; x++)
        n += (uint64_t)test_is_set(rule, test_pixel(img, 0, 0, x));
    return n;
}

#define ABOVE RUG_FOREGROUND_ABOVE
#define BELOW RUG_FOREGROUND_BELOW
#define LABEL RUG_FOREGROUND_LABEL

/* 300 pixels of few random bit patterns. */
static void random_row(uint64_t *rng, rug_dtype dtype, uint64_t pixels[300])
{
    size_t size = dtype == RUG_BIT ? 1 : rug_dtype_size(dtype);
    uint64_t palette[7];
    for (int i = 0; i < 7; i++)
        palette[i] = test_random(rng) >> test_below(rng, 64);
    palette[5] = 0;
    palette[6] = UINT64_MAX; /* also a NaN */
    for (size_t i = 0; i < 300; i++)
        memcpy((char *)pixels + i * size, &palette[test_below(rng, 7)], size);
}

/* Below is the complement of above, but for NaN; both as the definition says. */
static void below_is_the_complement_of_above(void **state)
{
    (void)state;
    uint64_t rng = 5;
    static uint64_t pixels[300];
    for (rug_dtype d = RUG_BIT; d < RUG_N_DTYPES; d++)
        for (int i = 0; i < 50; i++) {
            random_row(&rng, d, pixels);
            rug_image img = row_of(pixels, d, 300);
            long double at = test_pixel(&img, 0, 0, test_below(&rng, 300));
            double t = isnan(at) ? 0.5 : (double)at + (double)test_below(&rng, 3) / 2;
            uint64_t n_nan = 0;
            for (size_t x = 0; x < 300; x++)
                n_nan += isnan(test_pixel(&img, 0, 0, x)) != 0;
            uint64_t above = n_set(&img, ABOVE, t);
            assert_int_equal(above, naive_n_set(&img, (rug_foreground){ABOVE, t, 0}));
            assert_int_equal(above + n_set(&img, BELOW, t), 300 - n_nan);
            assert_int_equal(n_set(&img, LABEL, t),
                             naive_n_set(&img, (rug_foreground){LABEL, t, 0}));
        }
}

static void assert_n_set(const rug_image *img, rug_foreground rule)
{
    uint64_t n = n_set_by(img, rule), expected = naive_n_set(img, rule);
    if (n != expected)
        fail_msg("%s, rule %d with %.17g + %lld: %llu pixels set, %llu expected",
                 rug_dtype_name(img->dtype), (int)rule.kind, rule.value,
                 (long long)rule.rest, (unsigned long long)n,
                 (unsigned long long)expected);
}

/* 64-bit integers that doubles do not tell apart, with all of them as thresholds, whichever
 * double the rest is added to. */
static void whole_numbers_beyond_doubles(void **state)
{
    (void)state;
    const uint64_t two53 = (uint64_t)1 << 53, two63 = (uint64_t)1 << 63;
    static uint64_t pixels[6 * 5];
    size_t n = 0;
    for (uint64_t i = 0; i < 5;
         i++) { /* about 0, both 2^53 and 2^63, and other numbers */
        pixels[n++] = i - 2;
        pixels[n++] = two53 - 2 + i;
        pixels[n++] = 0 - two53 - 2 + i;
        pixels[n++] = two63 - 2 + i;
        pixels[n++] = two63 + two53 - 2 + i;
        pixels[n++] = (two53 << 4) + 1022 + i;
    }
    for (rug_dtype d = RUG_U64; d <= RUG_I64; d++) {
        rug_image img = row_of(pixels, d, n);
        for (size_t i = 0; i < n; i++)
            for (int k = ABOVE; k <= LABEL; k++) {
                rug_foreground rule = {(rug_foreground_kind)k, 0, (int64_t)pixels[i]};
                assert_n_set(&img, rule);
                if (pixels[i] < two63 - 1024) {
                    rule.value = (double)pixels[i];
                    rule.rest = (int64_t)(pixels[i] - (uint64_t)rule.value);
                    assert_n_set(&img, rule);
                }
                rule.value = 18446744073709551616.0;
                rule.rest = -1 - (int64_t)i;
                assert_n_set(&img, rule);
            }
        assert_int_equal(n_set_by(&img, (rug_foreground){LABEL, 9007199254740992.0, 1}),
                         1);
        assert_int_equal(n_set_by(&img, (rug_foreground){LABEL, 0.0, 9007199254740993}),
                         1);
    }
}

/* Real dtypes compare with the double nearest to the sum; small integers never reach it. */
static void rests_and_other_dtypes(void **state)
{
    (void)state;
    static const double f64[] = {9007199254740990.0, 9007199254740992.0,
                                 9007199254740994.0, 9007199254740996.0, NAN};
    static const float f32[] = {9007199254740992.0f, 9007200328482816.0f, 0, -1e17f};
    static const int32_t i32[] = {INT32_MIN, -1, 0, INT32_MAX};
    const rug_image images[] = {row_of(f64, RUG_F64, 5), row_of(f32, RUG_F32, 4),
                                row_of(i32, RUG_I32, 4), row_of(i32, RUG_BIT, 40)};
    for (size_t i = 0; i < 4; i++)
        for (int k = ABOVE; k <= LABEL; k++) {
            rug_foreground rule = {(rug_foreground_kind)k, 9007199254740992.0, 0};
            const uint64_t low = n_set_by(&images[i], rule);
            rule.rest = 1;
            assert_int_equal(n_set_by(&images[i], rule), low);
            rule = (rug_foreground){rule.kind, 0, 9007199254740993};
            assert_int_equal(n_set_by(&images[i], rule), low);
            rule = (rug_foreground){rule.kind, -9007199254740992.0, -1};
            assert_n_set(&images[i], rule);
        }
    assert_int_equal(n_set_by(&images[0], (rug_foreground){ABOVE, 0, 9007199254740993}),
                     3);
    assert_int_equal(n_set_by(&images[0], (rug_foreground){ABOVE, 0, 9007199254740995}),
                     1);
    assert_int_equal(n_set_by(&images[2], (rug_foreground){LABEL, 2147483648.0, -1}), 1);
}

static void labels_that_no_pixel_can_hold(void **state)
{
    (void)state;
    static const uint8_t u8[] = {0, 1, 255};
    static const int8_t i8[] = {-128, 0, 127};
    static const uint16_t u16[] = {0, 65535};
    static const int32_t i32[] = {INT32_MIN, 0, INT32_MAX};
    static const uint64_t u64[] = {0, UINT64_MAX};
    static const float f32[] = {0.1f, 0.0f, FLT_MAX, INFINITY, NAN};
    const struct {
        rug_image img;
        double label;
        uint64_t expected;
    } cases[] = {
        {row_of(u8, RUG_U8, 3), 0.5, 0},
        {row_of(u8, RUG_U8, 3), 256, 0},
        {row_of(u8, RUG_U8, 3), -1, 0},
        {row_of(u8, RUG_U8, 3), 1e300, 0},
        {row_of(u8, RUG_U8, 3), -INFINITY, 0},
        {row_of(u8, RUG_U8, 3), 255, 1},
        {row_of(u8, RUG_BIT, 8), 2, 0},
        {row_of(u8, RUG_BIT, 8), 0.5, 0},
        {row_of(u8, RUG_BIT, 8), 0, 8},
        {row_of(i8, RUG_I8, 3), 128, 0},
        {row_of(i8, RUG_I8, 3), -128.5, 0},
        {row_of(i8, RUG_I8, 3), -128, 1},
        {row_of(u16, RUG_U16, 2), 65536, 0},
        {row_of(u16, RUG_U16, 2), -0.0, 1},
        {row_of(i32, RUG_I32, 3), 2147483648.0, 0},
        {row_of(i32, RUG_I32, 3), -2147483648.0, 1},
        {row_of(u64, RUG_U64, 2), 18446744073709551616.0, 0},
        {row_of(f32, RUG_F32, 5), 0.1, 0}, /* 0.1f is another number */
        {row_of(f32, RUG_F32, 5), (double)0.1f, 1},
        {row_of(f32, RUG_F32, 5), 1e300, 0},
        {row_of(f32, RUG_F32, 5), INFINITY, 1},
        {row_of(f32, RUG_F32, 5), (double)FLT_MAX, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t n = n_set(&cases[i].img, LABEL, cases[i].label);
        if (n != cases[i].expected)
            fail_msg("%s, label %.17g: %llu pixels set, %llu expected",
                     rug_dtype_name(cases[i].img.dtype), cases[i].label,
                     (unsigned long long)n, (unsigned long long)cases[i].expected);
    }
}

static void thresholds_beyond_the_dtype(void **state)
{
    (void)state;
    static const uint8_t u8[] = {0, 1, 254, 255};
    static const uint64_t u64[] = {0, 1, UINT64_MAX, (uint64_t)1 << 63};
    static const int64_t i64[] = {INT64_MIN, -1, 0, INT64_MAX};
    const struct {
        const void *pixels;
        rug_dtype dtype;
        double threshold;
        uint64_t above;
    } cases[] = {
        {u8, RUG_U8, -1, 4},
        {u8, RUG_U8, 0, 4},
        {u8, RUG_U8, 0.001, 3},
        {u8, RUG_U8, 254.5, 1},
        {u8, RUG_U8, 255, 1},
        {u8, RUG_U8, 255.5, 0},
        {u8, RUG_U8, 1e30, 0},
        {u8, RUG_U8, -INFINITY, 4},
        {u8, RUG_U8, INFINITY, 0},
        {u64, RUG_U64, 9223372036854775808.0, 2},
        {u64, RUG_U64, 9223372036854777856.0, 1},
        {u64, RUG_U64, 18446744073709551616.0, 0},
        {u64, RUG_U64, -1e300, 4},
        {i64, RUG_I64, -9223372036854775808.0, 4},
        {i64, RUG_I64, -9223372036854774784.0, 3},
        {i64, RUG_I64, 9223372036854775808.0, 0},
        {i64, RUG_I64, -0.5, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_image img = row_of(cases[i].pixels, cases[i].dtype, 4);
        uint64_t above = n_set(&img, ABOVE, cases[i].threshold);
        if (above != cases[i].above)
            fail_msg("%s >= %.17g: %llu pixels, %llu expected",
                     rug_dtype_name(cases[i].dtype), cases[i].threshold,
                     (unsigned long long)above, (unsigned long long)cases[i].above);
        assert_int_equal(n_set(&img, BELOW, cases[i].threshold), 4 - above);
    }
}

/* NaN is background under every rule; infinities compare as numbers. */
static void numbers_that_are_none(void **state)
{
    (void)state;
    static const double f64[] = {NAN, -NAN, INFINITY, -INFINITY, 0, -0.0, 2, -2};
    float f32[8];
    for (int i = 0; i < 8; i++)
        f32[i] = (float)f64[i];
    for (int k = 0; k < 2; k++) {
        rug_image img = k == 0 ? row_of(f64, RUG_F64, 8) : row_of(f32, RUG_F32, 8);
        assert_int_equal(n_set(&img, RUG_FOREGROUND_NONZERO, 0), 4);
        assert_int_equal(n_set(&img, ABOVE, 0), 4);
        assert_int_equal(n_set(&img, ABOVE, INFINITY), 1);
        assert_int_equal(n_set(&img, ABOVE, -INFINITY), 6);
        assert_int_equal(n_set(&img, BELOW, 0), 2);
        assert_int_equal(n_set(&img, BELOW, INFINITY), 5);
        assert_int_equal(n_set(&img, BELOW, -INFINITY), 0);
        assert_int_equal(n_set(&img, LABEL, -INFINITY), 1);
        assert_int_equal(n_set(&img, LABEL, -0.0), 2);
    }
}

/* What the automatic rule sets: the larger of two values, all of a flat image unless it
 * is 0, the upper class of many. */
static void automatic_rule(void **state)
{
    (void)state;
    static const uint8_t two[] = {3, 9, 3, 9, 9}, flat[] = {7, 7, 7, 7, 7};
    static const uint8_t zero[] = {0, 0, 0, 0, 0}, many[] = {0, 1, 200, 201, 1};
    static const struct {
        const uint8_t *pixels;
        uint64_t expected;
    } cases[] = {{two, 3}, {flat, 5}, {zero, 0}, {many, 2}};
    for (size_t i = 0; i < 4; i++) {
        rug_image img = row_of(cases[i].pixels, RUG_U8, 5);
        assert_int_equal(n_set(&img, RUG_FOREGROUND_AUTO, 0), cases[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(below_is_the_complement_of_above),
        cmocka_unit_test(whole_numbers_beyond_doubles),
        cmocka_unit_test(rests_and_other_dtypes),
        cmocka_unit_test(labels_that_no_pixel_can_hold),
        cmocka_unit_test(thresholds_beyond_the_dtype),
        cmocka_unit_test(numbers_that_are_none),
        cmocka_unit_test(automatic_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
