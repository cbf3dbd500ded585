/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The range of values against looking at every pixel: every dtype, extremes, numbers that
 * are none, distinct values up to the limit and beyond, any strides and threads. */

#include "support.h"

#include "boxcount_support.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int compare_reals(const void *a, const void *b)
{
    long double x = *(const long double *)a, y = *(const long double *)b;
    return (x > y) - (x < y);
}

/* By sorting all finite values. */
static rug_image_range naive_range(const rug_image *img)
{
    rug_image_range r = {.struct_size = sizeof r, .min = NAN, .max = NAN};
    size_t n = 0, nz = img->ndim == 3 ? img->shape[0] : 1;
    long double *values = malloc(rug_image_pixels(img) * sizeof *values);
    assert_non_null(values);
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < img->shape[img->ndim - 2]; y++)
            for (size_t x = 0; x < img->shape[img->ndim - 1]; x++) {
                long double v = test_pixel(img, z, y, x);
                r.n_nan += isnan(v) != 0;
                r.n_infinite += isinf(v) != 0;
                if (isfinite(v))
                    values[n++] = v;
            }
    qsort(values, n, sizeof *values, compare_reals);
    uint32_t distinct = 0;
    for (size_t i = 0; i < n; i++)
        distinct += i == 0 || values[i] != values[i - 1];
    if (n > 0) {
        r.min = (double)values[0];
        r.max = (double)values[n - 1];
        r.min_rest = (int64_t)(values[0] - (long double)r.min);
        r.max_rest = (int64_t)(values[n - 1] - (long double)r.max);
    }
    r.distinct_is_min = distinct > RUG_DISTINCT_MAX;
    r.n_distinct = r.distinct_is_min ? RUG_DISTINCT_MAX : distinct;
    free(values);
    return r;
}

static void assert_ranges_equal(rug_image_range a, rug_image_range b, const char *what)
{
    if (!(a.min == b.min || (isnan(a.min) && isnan(b.min))) ||
        !(a.max == b.max || (isnan(a.max) && isnan(b.max))))
        fail_msg("%s: %.17g..%.17g, %.17g..%.17g expected", what, a.min, a.max, b.min,
                 b.max);
    if (a.min_rest != b.min_rest || a.max_rest != b.max_rest)
        fail_msg("%s: rests %lld and %lld, %lld and %lld expected", what,
                 (long long)a.min_rest, (long long)a.max_rest, (long long)b.min_rest,
                 (long long)b.max_rest);
    if (a.n_nan != b.n_nan || a.n_infinite != b.n_infinite)
        fail_msg("%s: %llu NaN and %llu infinite, %llu and %llu expected", what,
                 (unsigned long long)a.n_nan, (unsigned long long)a.n_infinite,
                 (unsigned long long)b.n_nan, (unsigned long long)b.n_infinite);
    if (a.n_distinct != b.n_distinct || a.distinct_is_min != b.distinct_is_min)
        fail_msg("%s: %u distinct (or more: %u), %u (%u) expected", what, a.n_distinct,
                 a.distinct_is_min, b.n_distinct, b.distinct_is_min);
}

static rug_image_range measured_at(rug_context *ctx, const rug_image *img,
                                   rug_cpu_level level)
{
    rug_image_range r = RUG_IMAGE_RANGE_INIT;
    memset(&r, 0xff, sizeof r);
    r.struct_size = sizeof r;
    assert_int_equal(rug_context_set_cpu_level(ctx, level), RUG_OK);
    if (rug_image_measure_range(ctx, &r, img) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return r;
}

/* The range, the same at every level of processors. */
static rug_image_range measured(rug_context *ctx, const rug_image *img)
{
    rug_image_range r = measured_at(ctx, img, RUG_CPU_REF);
    for (int level = RUG_CPU_REF + 1; level <= RUG_CPU_MAX; level++)
        assert_ranges_equal(measured_at(ctx, img, (rug_cpu_level)level), r,
                            rug_cpu_level_name((rug_cpu_level)level));
    return r;
}

/* A value that comes once, anywhere, in pixels of 8 and of 16 bits. */
static void rare_values(void **state)
{
    (void)state;
    enum { NX = 1500 };
    static _Alignas(uint16_t) uint8_t bytes[2 * NX];
    rug_context *ctx = test_context();
    for (int is_wide = 0; is_wide < 2; is_wide++)
        for (size_t at = 0; at < NX; at += is_wide ? 7 : 3)
            for (int k = 0; k < 3; k++) {
                static const uint16_t rare[] = {3, 130, 255};
                const size_t shape[2] = {1, NX};
                rug_image img;
                memset(bytes, 0, sizeof bytes);
                for (size_t x = 0; x < NX; x++) {
                    uint16_t v = x == at ? rare[k] : (uint16_t)(x / 5 % 2 * 100 + 20);
                    if (is_wide)
                        ((uint16_t *)(void *)bytes)[x] = v;
                    else
                        bytes[x] = (uint8_t)v;
                }
                assert_int_equal(rug_image_view(ctx, &img, bytes,
                                                is_wide ? RUG_U16 : RUG_U8, 2, shape),
                                 RUG_OK);
                rug_image_range r = measured(ctx, &img);
                assert_int_equal(r.n_distinct, 3);
                assert_true(r.min == fmin(20, rare[k]) && r.max == fmax(120, rare[k]));
            }
    rug_context_free(ctx);
}

/* Against sorting, on one and on three threads. */
static void check_range(const rug_image *img, const char *what)
{
    rug_context *ctx = test_context();
    for (int n_threads = 1; n_threads <= 3; n_threads += 2) {
        assert_int_equal(rug_context_set_threads(ctx, n_threads), RUG_OK);
        assert_ranges_equal(measured(ctx, img), naive_range(img), what);
    }
    rug_context_free(ctx);
}

/* Writes a whole number as a pixel; for floats the number plus a quarter. */
static void put_pixel(void *at, rug_dtype dtype, int64_t v)
{
    float f = (float)v + 0.25f;
    double d = (double)v + 0.25;
    const void *from = dtype == RUG_F32   ? (const void *)&f
                       : dtype == RUG_F64 ? (const void *)&d
                                          : (const void *)&v; /* little endian */
    memcpy(at, from, rug_dtype_size(dtype));
}

static int64_t random_value(uint64_t *rng, rug_dtype dtype, uint64_t n_values)
{
    int64_t v = (int64_t)test_below(rng, n_values);
    int is_signed = dtype == RUG_I8 || dtype == RUG_I16 || dtype == RUG_I32 ||
                    dtype == RUG_I64 || dtype == RUG_F32 || dtype == RUG_F64;
    return is_signed ? v - (int64_t)(n_values / 2) : v;
}

static void every_dtype_and_number_of_values(void **state)
{
    (void)state;
    static const uint64_t n_values[] = {1, 2, 3, 100, 255, 256, 257, 300, 5000};
    uint64_t rng = 11;
    static uint64_t pixels[60 * 71];
    for (rug_dtype d = RUG_U8; d < RUG_N_DTYPES; d++)
        for (size_t k = 0; k < sizeof n_values / sizeof n_values[0]; k++) {
            uint64_t n = n_values[k] > 256 && d <= RUG_I8 ? 256 : n_values[k];
            char *at = (char *)pixels;
            size_t size = rug_dtype_size(d);
            for (size_t i = 0; i < 60 * 71; i++)
                put_pixel(at + i * size, d,
                          random_value(&rng, d, n)); /* nearly surely each value */
            rug_image img;
            char what[64];
            snprintf(what, sizeof what, "%s of %d values", rug_dtype_name(d), (int)n);
            assert_int_equal(rug_image_view(NULL, &img, pixels, d, 2, (size_t[]){60, 71}),
                             RUG_OK);
            check_range(&img, what);
        }
}

/* Exactly 255, 256 and 257 values, each once, in a scrambled order. */
static void limit_of_distinct_values(void **state)
{
    (void)state;
    static const rug_dtype dtypes[] = {RUG_U16, RUG_I64, RUG_F32, RUG_F64};
    static uint64_t pixels[257];
    rug_context *ctx = test_context();
    for (size_t k = 0; k < 4; k++)
        for (size_t n = 255; n <= 257; n++) {
            for (size_t i = 0; i < n; i++)
                put_pixel((char *)pixels + i * rug_dtype_size(dtypes[k]), dtypes[k],
                          (int64_t)(i * 101 % n) * 3);
            rug_image img;
            assert_int_equal(
                rug_image_view(NULL, &img, pixels, dtypes[k], 2, (size_t[]){1, n}),
                RUG_OK);
            rug_image_range r = measured(ctx, &img);
            assert_int_equal(r.n_distinct, n < 256 ? n : 256);
            assert_int_equal(r.distinct_is_min, n > 256);
        }
    rug_context_free(ctx);
}

#define EXTREMES(name, type, least, most)                                               \
    {                                                                                   \
        static const type pixels[] = {(least), (most), 1, (most), (least)};             \
        assert_int_equal(rug_image_view(NULL, &img, pixels, name, 2, (size_t[]){1, 5}), \
                         RUG_OK);                                                       \
        rug_image_range r = measured(ctx, &img);                                        \
        assert_true(r.min == (double)(least));                                          \
        assert_true(r.max == (double)(most));                                           \
        assert_int_equal(r.n_distinct, 3);                                              \
        assert_int_equal(r.distinct_is_min, 0);                                         \
        img.shape[1] = 2;                                                               \
        r = measured(ctx, &img);                                                        \
        assert_int_equal(r.n_distinct, 2);                                              \
        img.shape[1] = 1;                                                               \
        img.data = pixels + 1;                                                          \
        r = measured(ctx, &img);                                                        \
        assert_true(r.min == (double)(most));                                           \
        assert_true(r.max == (double)(most));                                           \
        assert_int_equal(r.n_distinct, 1);                                              \
    }

static void extremes_of_every_dtype(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img;
    EXTREMES(RUG_U8, uint8_t, 0, UINT8_MAX)
    EXTREMES(RUG_I8, int8_t, INT8_MIN, INT8_MAX)
    EXTREMES(RUG_U16, uint16_t, 0, UINT16_MAX)
    EXTREMES(RUG_I16, int16_t, INT16_MIN, INT16_MAX)
    EXTREMES(RUG_U32, uint32_t, 0, UINT32_MAX)
    EXTREMES(RUG_I32, int32_t, INT32_MIN, INT32_MAX)
    EXTREMES(RUG_U64, uint64_t, 0, UINT64_MAX)
    EXTREMES(RUG_I64, int64_t, INT64_MIN, INT64_MAX)
    EXTREMES(RUG_F32, float, -FLT_MAX, FLT_MAX)
    EXTREMES(RUG_F64, double, -DBL_MAX, DBL_MAX)
    rug_context_free(ctx);
}

/* Neighbours that have one nearest double, and what lies at the ends; also from a source that
 * is read once. */
static void whole_numbers_beyond_doubles(void **state)
{
    (void)state;
    const uint64_t two53 = (uint64_t)1 << 53, two63 = (uint64_t)1 << 63;
    const uint64_t rows[][4] = {{two53, two53 + 1, two53, two53 + 1},
                                {two53 + 1, two53 + 1, two53 + 1, two53 + 1},
                                {two53, two53 + 1, two53 + 2, 0},
                                {UINT64_MAX, UINT64_MAX - 1, 0, 0},
                                {two63, two63 - 1, two63 + 1, two63},
                                {two63 - 1, two63, two63, two63 - 1},
                                {0 - two53, 0 - two53 - 1, 5, two63},
                                {0 - two53 - 1, 0 - two53 - 1, 0 - two53, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (rug_dtype d = RUG_U64; d <= RUG_I64; d++) {
            rug_image img;
            assert_int_equal(rug_image_view(NULL, &img, rows[i], d, 2, (size_t[]){2, 2}),
                             RUG_OK);
            check_range(&img, rug_dtype_name(d));
            rug_context *ctx = test_context();
            rug_source source = streamed_source_of_image(&img);
            rug_image_range r = RUG_IMAGE_RANGE_INIT;
            assert_int_equal(rug_source_measure_range(ctx, &r, &source, NULL), RUG_OK);
            assert_ranges_equal(r, naive_range(&img), "read once");
            rug_context_free(ctx);
        }
}

static void check_reals(size_t n, const double *values, const char *what)
{
    float narrow[16];
    rug_image img;
    assert_true(n <= 16);
    for (size_t i = 0; i < n; i++)
        narrow[i] = (float)values[i];
    assert_int_equal(rug_image_view(NULL, &img, values, RUG_F64, 2, (size_t[]){1, n}),
                     RUG_OK);
    check_range(&img, what);
    assert_int_equal(rug_image_view(NULL, &img, narrow, RUG_F32, 2, (size_t[]){1, n}),
                     RUG_OK);
    check_range(&img, what);
}

#define CHECK_REALS(what, ...)                                          \
    check_reals(sizeof((const double[]){__VA_ARGS__}) / sizeof(double), \
                (const double[]){__VA_ARGS__}, what)

static void numbers_that_are_none(void **state)
{
    (void)state;
    CHECK_REALS("one NaN", NAN);
    CHECK_REALS("NaN only", NAN, NAN, -NAN);
    CHECK_REALS("infinities only", INFINITY, -INFINITY, INFINITY);
    CHECK_REALS("NaN and infinity", NAN, INFINITY);
    CHECK_REALS("one number among NaN", NAN, 3, NAN, NAN);
    CHECK_REALS("NaN first", NAN, 1, 2, 3);
    CHECK_REALS("two values and NaN", 5, NAN, -2, 5, NAN);
    CHECK_REALS("two values and infinity", 5, INFINITY, -2, 5, -INFINITY);
    CHECK_REALS("many", 1, NAN, 2, INFINITY, 3, -INFINITY, -4, 1e30, -1e30, 0, 1, 2, 3);
    CHECK_REALS("small", 1e-40, 2e-40, 0, -1e-40);
}

static void minus_zero(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const double pixels[] = {-0.0, -0.0, 0.0, -1.0, 1.0};
    static const struct {
        size_t first, n;
        double min, max;
        uint32_t n_distinct;
    } cases[] = {{0, 2, 0, 0, 1}, {1, 2, 0, 0, 1}, {1, 3, -1, 0, 2}, {0, 5, -1, 1, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_image img;
        assert_int_equal(rug_image_view(NULL, &img, pixels + cases[i].first, RUG_F64, 2,
                                        (size_t[]){1, cases[i].n}),
                         RUG_OK);
        rug_image_range r = measured(ctx, &img);
        assert_true(r.min == cases[i].min && r.max == cases[i].max);
        assert_true(r.min != 0 || !signbit(r.min));
        assert_true(r.max != 0 || !signbit(r.max));
        assert_int_equal(r.n_distinct, cases[i].n_distinct);
    }
    rug_context_free(ctx);
}

/* Every second column, rows backwards, slices far apart; what lies between the pixels is
 * extreme and must not show. */
static void strides(void **state)
{
    (void)state;
    enum { NZ = 3, NY = 5, NX = 40, ROW = 2 * NX + 3, SLICE = NY * ROW + 7 };
    for (rug_dtype d = RUG_U8; d < RUG_N_DTYPES; d++) {
        static uint64_t buffer[NZ * SLICE];
        size_t size = rug_dtype_size(d);
        memset(buffer, 0x7f, sizeof buffer);
        char *last = (char *)buffer + ((NZ - 1) * SLICE + (NY - 1) * ROW + NX * 2) * size;
        rug_image img = {.data = last,
                         .dtype = d,
                         .ndim = 3,
                         .shape = {NZ, NY, NX},
                         .stride = {-(ptrdiff_t)(SLICE * size), -(ptrdiff_t)(ROW * size),
                                    -(ptrdiff_t)(2 * size)}};
        for (size_t z = 0; z < NZ; z++)
            for (size_t y = 0; y < NY; y++)
                for (size_t x = 0; x < NX; x++)
                    put_pixel(last - (z * SLICE + y * ROW + 2 * x) * size, d,
                              (int64_t)(10 + z + y + x % 30));
        check_range(&img, rug_dtype_name(d));
        assert_int_equal(naive_range(&img).n_distinct, 2 + 4 + 29 + 1);
    }
}

/* Pixels at addresses that are no multiples of their size, as in a packed record: Otsu's
 * histograms read them as well. */
static void odd_addresses(void **state)
{
    (void)state;
    enum { NY = 4, NX = 33 };
    rug_context *ctx = test_context();
    for (rug_dtype d = RUG_U8; d < RUG_N_DTYPES; d++) {
        static uint64_t buffer[NY * (NX + 1) + 1];
        size_t size = rug_dtype_size(d), row = NX * size + 1;
        char *first = (char *)buffer + 1;
        rug_image img = {.data = first,
                         .dtype = d,
                         .ndim = 2,
                         .shape = {NY, NX},
                         .stride = {(ptrdiff_t)row, (ptrdiff_t)size}};
        for (size_t y = 0; y < NY; y++)
            for (size_t x = 0; x < NX; x++)
                put_pixel(first + y * row + x * size, d, (int64_t)(x < 20 ? y : 100 + y));
        check_range(&img, rug_dtype_name(d));
        rug_foreground rule;
        assert_int_equal(
            rug_foreground_resolve(ctx, &rule, &img, NULL,
                                   (rug_foreground){RUG_FOREGROUND_OTSU, 0, 0}),
            RUG_OK);
        assert_in_range((int)rule.value, 4, 100);
    }
    rug_context_free(ctx);
}

static void bits(void **state)
{
    (void)state;
    static const uint8_t rows[][2] = {{0x00, 0xfe}, {0x10, 0xfe}, {0xff, 0xff}};
    rug_image img;
    const size_t shape[2] = {1, 9}; /* seven bits of padding */
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(rug_image_view(NULL, &img, rows[i], RUG_BIT, 2, shape), RUG_OK);
        check_range(&img, "bits");
        assert_int_equal(naive_range(&img).n_distinct, i == 1 ? 2 : 1);
    }
}

/* Many tasks, of which each sees few values; the extremes lie in the last row's end. */
static void values_spread_over_threads(void **state)
{
    (void)state;
    enum { NY = 130, NX = 40000 };
    uint16_t *pixels = malloc(NY * NX * sizeof *pixels);
    assert_non_null(pixels);
    for (size_t n = 128; n <= 129; n++) {
        for (size_t y = 0; y < NY; y++)
            for (size_t x = 0; x < NX; x++)
                pixels[y * NX + x] = (uint16_t)(1000 + 2 * (y % n) + (x > 30000));
        pixels[NY * NX - 1] = n == 128 ? 1000 : 7;
        rug_image img;
        assert_int_equal(
            rug_image_view(NULL, &img, pixels, RUG_U16, 2, (size_t[]){NY, NX}), RUG_OK);
        check_range(&img, n == 128 ? "256 values" : "259 values");
    }
    free(pixels);
}

static void bad_arguments(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t pixel;
    rug_image img = test_u8(&pixel, 0, 1, 1);
    rug_image_range r = RUG_IMAGE_RANGE_INIT;
    assert_int_equal(rug_image_measure_range(ctx, NULL, &img), RUG_E_ARG);
    assert_string_not_equal(rug_context_error(ctx), "");
    for (int i = 0; i < 4; i++) {
        rug_image bad = img;
        if (i == 1)
            bad.dtype = (rug_dtype)RUG_N_DTYPES;
        if (i == 2)
            bad.shape[1] = 0;
        if (i == 3)
            bad.data = NULL;
        rug_context_fail(ctx, RUG_E_IO, "%s", "");
        memset(&r, 0xff, sizeof r);
        r.struct_size = sizeof r;
        assert_int_equal(rug_image_measure_range(ctx, &r, i == 0 ? NULL : &bad),
                         RUG_E_ARG);
        assert_cleared(&r, sizeof r, "range");
        assert_string_not_equal(rug_context_error(ctx), "");
    }
    rug_context_free(ctx);
}

/* A missing context is a wrong argument, not a lack of memory. */
static void missing_context(void **state)
{
    (void)state;
    static const uint8_t pixel;
    rug_image img = test_u8(&pixel, 0, 1, 1);
    rug_image_range r = RUG_IMAGE_RANGE_INIT;
    memset(&r, 0xff, sizeof r);
    r.struct_size = sizeof r;
    assert_int_equal(rug_image_measure_range(NULL, &r, &img), RUG_E_ARG);
    assert_cleared(&r, sizeof r, "range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_values),
        cmocka_unit_test(every_dtype_and_number_of_values),
        cmocka_unit_test(limit_of_distinct_values),
        cmocka_unit_test(extremes_of_every_dtype),
        cmocka_unit_test(whole_numbers_beyond_doubles),
        cmocka_unit_test(numbers_that_are_none),
        cmocka_unit_test(minus_zero),
        cmocka_unit_test(strides),
        cmocka_unit_test(odd_addresses),
        cmocka_unit_test(bits),
        cmocka_unit_test(values_spread_over_threads),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(missing_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
