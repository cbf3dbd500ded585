/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Image views: names and sizes of pixel types, strides of plain views, and what is
 * refused. */

#include "support.h"

#include "boxcount_support.h"
#include <stdint.h>
#include <string.h>

static void names_and_sizes(void **state)
{
    (void)state;
    static const char *const names[RUG_N_DTYPES] = {
        "bit", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"};
    static const size_t sizes[RUG_N_DTYPES] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    for (int d = 0; d < RUG_N_DTYPES; d++) {
        assert_string_equal(rug_dtype_name((rug_dtype)d), names[d]);
        assert_int_equal(rug_dtype_size((rug_dtype)d), sizes[d]);
    }
    static const int bad[] = {-1, RUG_N_DTYPES, 1000, INT32_MIN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_string_equal(rug_dtype_name((rug_dtype)bad[i]), "?");
        assert_int_equal(rug_dtype_size((rug_dtype)bad[i]), 0);
    }
}

static void plain_views(void **state)
{
    (void)state;
    static const uint64_t data[64];
    const size_t shape[3] = {2, 3, 17};
    for (rug_dtype d = RUG_BIT; d < RUG_N_DTYPES; d++) {
        rug_image img;
        size_t row = d == RUG_BIT ? 3 : 17 * rug_dtype_size(d);
        memset(&img, 0xff, sizeof img);
        assert_int_equal(rug_image_view(NULL, &img, data, d, 3, shape), RUG_OK);
        assert_ptr_equal(img.data, data);
        assert_int_equal(img.dtype, d);
        assert_int_equal(img.ndim, 3);
        assert_memory_equal(img.shape, shape, sizeof shape);
        assert_int_equal(img.stride[0], 3 * row);
        assert_int_equal(img.stride[1], row);
        if (d != RUG_BIT)
            assert_int_equal(img.stride[2], rug_dtype_size(d));
        for (int a = 0; a < 3; a++)
            assert_true(img.spacing[a] == 0);
        assert_null(img.spacing_unit);
        assert_int_equal(rug_image_pixels(&img), 2 * 3 * 17);
        assert_int_equal(rug_image_view(NULL, &img, data, d, 2, shape + 1), RUG_OK);
        assert_int_equal(img.ndim, 2);
        assert_int_equal(img.shape[0], 3);
        assert_int_equal(img.shape[1], 17);
        assert_int_equal(img.stride[0], row);
        if (d != RUG_BIT)
            assert_int_equal(img.stride[1], rug_dtype_size(d));
        assert_int_equal(rug_image_pixels(&img), 3 * 17);
    }
}

/* Rows of bits fill whole bytes. */
static void rows_of_bits(void **state)
{
    (void)state;
    static const uint8_t data[64];
    for (size_t n = 1; n <= 17; n++) {
        rug_image img;
        assert_int_equal(rug_image_view(NULL, &img, data, RUG_BIT, 2, (size_t[]){2, n}),
                         RUG_OK);
        assert_int_equal(img.stride[0], n <= 8 ? 1 : n <= 16 ? 2 : 3);
    }
}

static const uint8_t one_pixel;

static void assert_refused(rug_context *ctx, const void *data, rug_dtype dtype, int ndim,
                           const size_t *shape, const char *text)
{
    rug_image img;
    memset(&img, 0xff, sizeof img);
    rug_context_fail(ctx, RUG_E_IO, "-");
    assert_int_equal(rug_image_view(ctx, &img, data, dtype, ndim, shape), RUG_E_ARG);
    assert_zeroed(&img, sizeof img, text);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static void bad_arguments(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const size_t ones[4] = {1, 1, 1, 1};
    assert_refused(ctx, NULL, RUG_U8, 2, ones, "NULL");
    assert_refused(ctx, &one_pixel, (rug_dtype)-1, 2, ones, "dtype -1");
    assert_refused(ctx, &one_pixel, (rug_dtype)11, 2, ones, "dtype 11");
    static const int axes[] = {INT32_MIN, -1, 0, 1, 4, INT32_MAX};
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
        static const size_t none[RUG_MAX_AXES] = {1, 1, 1}; /* never read beyond */
        char text[32];
        snprintf(text, sizeof text, "%d axes", axes[i]);
        assert_refused(ctx, &one_pixel, RUG_U8, axes[i], none, text);
    }
    for (int a = 0; a < 3; a++) {
        size_t shape[3] = {2, 2, 2};
        char text[32];
        shape[a] = 0;
        snprintf(text, sizeof text, "axis %d", a);
        assert_refused(ctx, &one_pixel, RUG_U8, 3, shape, text);
    }
    assert_int_equal(rug_image_view(ctx, NULL, &one_pixel, RUG_U8, 2, ones), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "NULL"));
    rug_context_free(ctx);
}

/* Like every other failure, a missing shape leaves the view zeroed. */
static void missing_shape_zeroes_the_view(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    assert_refused(ctx, &one_pixel, RUG_U8, 2, NULL, "NULL");
    rug_context_free(ctx);
}

static void sizes_that_overflow(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const size_t most = (size_t)PTRDIFF_MAX, half = (size_t)1 << 32;
    const struct {
        rug_dtype dtype;
        size_t shape[3];
    } bad[] = {
        {RUG_U8, {1, SIZE_MAX, 1}},      {RUG_U8, {1, 1, most + 1}},
        {RUG_U8, {1, half, half}},       {RUG_U8, {half, half, half}},
        {RUG_BIT, {half, half, 1}},      {RUG_BIT, {1, 1, SIZE_MAX}},
        {RUG_U16, {1, 1, most / 2 + 1}}, {RUG_F64, {1, most / 8 + 1, 1}},
        {RUG_F32, {most / 4 + 1, 1, 1}}, {RUG_F64, {1, half / 4, half / 4}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_refused(ctx, &one_pixel, bad[i].dtype, 3, bad[i].shape, "address");
    rug_image img;
    assert_int_equal(
        rug_image_view(ctx, &img, &one_pixel, RUG_U8, 2, (size_t[]){1, most}), RUG_OK);
    assert_int_equal(rug_image_pixels(&img), most);
    assert_int_equal(
        rug_image_view(ctx, &img, &one_pixel, RUG_F64, 2, (size_t[]){most / 8, 1}),
        RUG_OK);
    assert_int_equal(
        rug_image_view(ctx, &img, &one_pixel, RUG_BIT, 2, (size_t[]){1, most}), RUG_OK);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_sizes),
        cmocka_unit_test(plain_views),
        cmocka_unit_test(rows_of_bits),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(missing_shape_zeroes_the_view),
        cmocka_unit_test(sizes_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
