/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Calls of local binary patterns: what is refused and how, failing memory, callbacks. */

#include "support.h"

#include "lbp_support.h"
#include "memory_support.h"
#include "watch_support.h"
#include <stdio.h>

static uint8_t pixels[64 * 80];

static rug_image some_image(void)
{
    uint64_t rng = 1;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)test_below(&rng, 20);
    return test_u8(pixels, 0, 64, 80);
}

/* The call fails, says why, and gives nothing. */
static void refused(rug_context *ctx, const rug_image *img, const rug_lbp_options *opts,
                    const char *why)
{
    rug_lbp_result *r = (rug_lbp_result *)(uintptr_t)pixels;
    assert_int_equal(rug_lbp(ctx, &r, img, opts), RUG_E_ARG);
    assert_null(r);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void bad_images(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = some_image(), bad = img, volume = test_u8(pixels, 4, 5, 6);
    refused(ctx, NULL, NULL, "NULL");
    bad.data = NULL;
    refused(ctx, &bad, NULL, "NULL");
    bad = img;
    bad.dtype = (rug_dtype)99;
    refused(ctx, &bad, NULL, "dtype");
    bad = img;
    bad.shape[1] = 0;
    refused(ctx, &bad, NULL, "size 0");
    refused(ctx, &volume, NULL, "volume");
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.planes = RUG_LBP_PLANES_XY;
    refused(ctx, &img, &opts, "planes");
    opts = (rug_lbp_options)RUG_LBP_OPTIONS_INIT;
    rug_source wrong = source_of_image(&volume);
    opts.mask = &wrong;
    refused(ctx, &img, &opts, "mask");
    opts.mask = NULL;
    opts.labels = &wrong;
    refused(ctx, &img, &opts, "label");
    rug_lbp_result *r;
    assert_int_equal(rug_lbp(NULL, &r, &img, NULL), RUG_E_ARG);
    assert_null(r);
    assert_int_equal(rug_lbp(ctx, NULL, &img, NULL), RUG_E_ARG);
    rug_context_free(ctx);
}

/* Refused by the check before there is an image, too. */
static void refused_options(rug_context *ctx, const rug_lbp_options *opts,
                            const char *why)
{
    rug_image img = some_image();
    refused(ctx, &img, opts, why);
    assert_int_equal(rug_lbp_check_options(ctx, opts), RUG_E_ARG);
    rug_dtype dtype;
    assert_int_equal(rug_lbp_map_dtype(ctx, &dtype, opts, 0), RUG_E_ARG);
}

static void bad_operators(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    const double falling[] = {3, 2}, zero[] = {0}, infinite[] = {INFINITY}, nan[] = {NAN};
    static const rug_lbp_operator many[RUG_LBP_MAX_OPERATORS + 1];
    const struct {
        rug_lbp_operator op;
        const char *why;
    } bad[] = {{{0, 1, NULL, 0}, "points"},        {{33, 1, NULL, 0}, "points"},
               {{8, 0, NULL, 0}, "radius"},        {{8, -1, NULL, 0}, "radius"},
               {{8, 1024.5, NULL, 0}, "radius"},   {{8, NAN, NULL, 0}, "radius"},
               {{8, INFINITY, NULL, 0}, "radius"}, {{8, 1, NULL, 3}, "cuts"},
               {{8, 1, falling, 2}, "cut 1"},      {{8, 1, zero, 1}, "cut 0"},
               {{8, 1, infinite, 1}, "cut 0"},     {{8, 1, nan, 1}, "cut 0"},
               {{8, 1, falling, 65536}, "cuts"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        opts.operators = &bad[i].op;
        opts.n_operators = 1;
        refused_options(ctx, &opts, bad[i].why);
    }
    opts.operators = many;
    opts.n_operators = 0;
    refused_options(ctx, &opts, "operators");
    opts.n_operators = RUG_LBP_MAX_OPERATORS + 1;
    refused_options(ctx, &opts, "operators");
    rug_context_free(ctx);
}

static void bad_options(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const rug_lbp_options good = RUG_LBP_OPTIONS_INIT;
    rug_lbp_options bad = good;
    bad.struct_size = 0;
    refused_options(ctx, &bad, "rug_lbp_options");
    for (int v = -1; v <= 9; v += 10) {
        bad = good;
        bad.method = (rug_lbp_method)v;
        refused_options(ctx, &bad, "method");
        bad = good;
        bad.exact = (rug_lbp_exact)v;
        refused_options(ctx, &bad, "exact");
        bad = good;
        bad.border = (rug_lbp_border)v;
        refused_options(ctx, &bad, "border");
        bad = good;
        bad.interpolation = (rug_lbp_interpolation)v;
        refused_options(ctx, &bad, "interpolation");
        bad = good;
        bad.planes = (rug_lbp_planes)v;
        assert_int_equal(rug_lbp_check_options(ctx, &bad), RUG_E_ARG);
    }
    bad = good;
    bad.method = RUG_LBP_VAR;
    bad.exact = RUG_LBP_EXACT_FLOAT;
    refused_options(ctx, &bad, "variance");
    bad = good;
    bad.interpolation = RUG_LBP_NEAREST;
    bad.exact = RUG_LBP_EXACT_DECIMAL;
    refused_options(ctx, &bad, "nearest");
    assert_int_equal(rug_lbp_check_options(ctx, NULL), RUG_OK);
    assert_int_equal(rug_lbp_check_options(NULL, NULL), RUG_E_ARG);
    struct newer { /* of a newer header */
        rug_lbp_options known;
        uint64_t more;
    } newer = {good, 0};
    newer.known.struct_size = sizeof newer;
    rug_image img = some_image();
    rug_lbp_free(must_lbp(ctx, &img, &newer.known));
    newer.more = 1;
    refused_options(ctx, &newer.known, "rug_lbp_options");
    rug_context_free(ctx);
}

/* Without a map there must be a histogram to make; with one there need not be. */
static void nothing_to_make(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = some_image();
    const rug_lbp_operator many = {17, 2, NULL, 0}, all = {32, 2, NULL, 0};
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.method = RUG_LBP_VAR;
    refused(ctx, &img, &opts, "cuts");
    opts.method = RUG_LBP_DEFAULT;
    opts.operators = &many;
    opts.n_operators = 1;
    refused(ctx, &img, &opts, "17 points");
    lbp_maps m = new_maps(1, 1, 64, 80);
    opts.map = keep_codes;
    opts.map_user = &m;
    rug_lbp_result *r = must_lbp(ctx, &img, &opts);
    assert_int_equal(n_histograms(r), 1);
    assert_int_equal(rug_lbp_at(r, 0)->n_bins, 0);
    assert_int_equal(rug_lbp_at(r, 0)->pixels, 0);
    rug_lbp_free(r);
    free_maps(&m);
    opts.operators = &all; /* all numbers are codes: none is left for "no code" */
    opts.border = RUG_LBP_BORDER_SKIP;
    refused(ctx, &img, &opts, "32 points");
    rug_context_free(ctx);
}

/* A view may repeat a pixel more often than there is memory for codes, or addresses. */
static void more_than_memory(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = {.data = pixels,
                     .dtype = RUG_U8,
                     .ndim = 2,
                     .shape = {1, ((size_t)PTRDIFF_MAX + 1) / 4}};
    lbp_maps m = new_maps(1, 1, 1, 1);
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.method = RUG_LBP_VAR; /* 8 bytes of each pixel */
    opts.map = keep_codes;
    opts.map_user = &m;
    rug_lbp_result *r;
    assert_int_equal(rug_lbp(ctx, &r, &img, &opts), RUG_E_NOMEM);
    assert_null(r);
    assert_int_equal(m.n_calls, 0);
    free_maps(&m);
    rug_context_free(ctx);
}

static rug_dtype dtype_of(rug_context *ctx, rug_lbp_method method, uint32_t points,
                          rug_lbp_border border)
{
    rug_lbp_operator op = {points, 1, NULL, 0};
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = &op;
    opts.n_operators = 1;
    opts.method = method;
    opts.border = border;
    rug_dtype dtype;
    assert_int_equal(rug_lbp_map_dtype(ctx, &dtype, &opts, 0), RUG_OK);
    assert_int_equal(rug_lbp_map_dtype(ctx, &dtype, &opts, 1), RUG_E_ARG);
    assert_int_equal(rug_lbp_map_dtype(ctx, &dtype, &opts, 0), RUG_OK);
    return dtype;
}

static void dtypes_of_maps(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const rug_lbp_border zero = RUG_LBP_BORDER_ZERO, skip = RUG_LBP_BORDER_SKIP;
    assert_int_equal(dtype_of(ctx, RUG_LBP_RIU2, 32, skip), RUG_U8);
    assert_int_equal(dtype_of(ctx, RUG_LBP_DEFAULT, 8, zero), RUG_U8);
    assert_int_equal(dtype_of(ctx, RUG_LBP_DEFAULT, 8, skip), RUG_U16);
    assert_int_equal(dtype_of(ctx, RUG_LBP_ROR, 16, zero), RUG_U16);
    assert_int_equal(dtype_of(ctx, RUG_LBP_ROR, 16, skip), RUG_U32);
    assert_int_equal(dtype_of(ctx, RUG_LBP_DEFAULT, 32, zero), RUG_U32);
    assert_int_equal(dtype_of(ctx, RUG_LBP_NRI_UNIFORM, 16, skip), RUG_U8);
    assert_int_equal(dtype_of(ctx, RUG_LBP_NRI_UNIFORM, 17, zero), RUG_U16);
    assert_int_equal(dtype_of(ctx, RUG_LBP_VAR, 8, zero), RUG_F64);
    rug_dtype dtype;
    assert_int_equal(rug_lbp_map_dtype(ctx, &dtype, NULL, 0), RUG_OK);
    assert_int_equal(dtype, RUG_U8);
    assert_int_equal(rug_lbp_map_dtype(ctx, NULL, NULL, 0), RUG_E_ARG);
    rug_context_free(ctx);
}

/* A call that needs every kind of memory. */
static rug_status large_call(rug_context *ctx, rug_lbp_result **r, int k)
{
    static const double cuts[] = {1, 10};
    static uint8_t labels[64 * 80], bits[64 * 80];
    const rug_lbp_operator ops[2] = {{8, 1, cuts, k & 1 ? 2 : 0}, {16, 2, NULL, 0}};
    rug_image img = some_image(), label_image = test_u8(labels, 0, 64, 80);
    rug_image volume = {.data = bits,
                        .dtype = RUG_BIT,
                        .ndim = 3,
                        .shape = {8, 8, 80},
                        .stride = {80, 10, 0}};
    for (size_t i = 0; i < sizeof labels; i++)
        labels[i] = (uint8_t)(i % 3);
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    lbp_maps m = new_maps(2, 1, 64, 80);
    opts.operators = ops;
    opts.n_operators = 2;
    opts.method = RUG_LBP_ROR;
    rug_source label_source = source_of_image(&label_image);
    opts.labels = k & 2 ? &label_source : NULL;
    opts.mask = k & 4 ? &label_source : NULL;
    opts.map = keep_codes;
    opts.map_user = &m;
    if (k == 8) { /* planes of bits are copied */
        opts = (rug_lbp_options)RUG_LBP_OPTIONS_INIT;
        opts.planes = RUG_LBP_PLANES_YZ;
    }
    rug_status status = rug_lbp(ctx, r, k == 8 ? &volume : &img, &opts);
    free_maps(&m);
    return status;
}

/* The k-th allocation fails, for every k. */
static void failing_memory(void **state)
{
    (void)state;
    for (int k = 0; k <= 8; k++) {
        rug_status status = RUG_E_NOMEM;
        size_t n_fails = 0;
        while (status != RUG_OK) {
            memory m = {.fail_at = n_fails + 1};
            rug_context *ctx = test_context();
            rug_context_set_threads(ctx, 3);
            memory_hook(ctx, &m);
            rug_lbp_result *r = NULL;
            status = large_call(ctx, &r, k);
            assert_true((r == NULL) == (status != RUG_OK));
            if (status != RUG_OK) {
                assert_int_equal(status, RUG_E_NOMEM);
                assert_string_not_equal(rug_context_error(ctx), "");
                n_fails++;
            }
            rug_lbp_free(r);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            rug_context_free(ctx);
        }
        assert_in_range(n_fails, 5, 400);
    }
}

/* What the map answers ends the call and is its status. */
static void map_ends_the_call(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = some_image();
    lbp_maps m = new_maps(1, 1, 64, 80);
    m.answer = RUG_E_IO;
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.map = keep_codes;
    opts.map_user = &m;
    rug_lbp_result *r;
    assert_int_equal(rug_lbp(ctx, &r, &img, &opts), RUG_E_IO);
    assert_null(r);
    assert_int_equal(m.n_calls, 1);
    free_maps(&m);
    rug_context_free(ctx);
}

static void progress_and_cancelling(void **state)
{
    (void)state;
    for (int k = 0; k <= 8; k++)
        for (int cancel_at = 0; cancel_at < 3; cancel_at++) {
            rug_context *ctx = test_context();
            watch w = {.cancel_at = cancel_at};
            rug_context_set_threads(ctx, 1);
            rug_context_set_progress(ctx, see_progress, &w);
            rug_context_set_cancel(ctx, see_cancel, &w);
            rug_lbp_result *r;
            rug_status status = large_call(ctx, &r, k);
            assert_int_equal(status, cancel_at ? RUG_E_CANCELLED : RUG_OK);
            assert_int_equal(w.n_backwards, 0);
            if (cancel_at == 0)
                assert_true(w.n_calls > 0 && w.last > 0.999);
            rug_lbp_free(r);
            rug_context_free(ctx);
        }
}

/* Names, numbers and nothing. */
static void small_calls(void **state)
{
    (void)state;
    assert_string_equal(rug_lbp_method_name(RUG_LBP_RIU2), "riu2");
    assert_string_equal(rug_lbp_method_name(RUG_LBP_VAR), "var");
    assert_string_equal(rug_lbp_method_name((rug_lbp_method)5), "?");
    assert_string_equal(rug_lbp_interpolation_name(RUG_LBP_NEAREST), "nearest");
    assert_string_equal(rug_lbp_interpolation_name(RUG_LBP_HARDWARE), "hardware");
    assert_string_equal(rug_lbp_interpolation_name((rug_lbp_interpolation)3), "?");
    assert_string_equal(rug_lbp_border_name(RUG_LBP_BORDER_SKIP), "skip");
    assert_string_equal(rug_lbp_border_name((rug_lbp_border)2), "?");
    assert_string_equal(rug_lbp_exact_name(RUG_LBP_EXACT_FLOAT), "float");
    assert_string_equal(rug_lbp_exact_name((rug_lbp_exact)3), "?");
    assert_string_equal(rug_lbp_planes_name(RUG_LBP_PLANES_YZ), "yz");
    assert_string_equal(rug_lbp_planes_name((rug_lbp_planes)4), "?");
    assert_string_equal(rug_lbp_score_name(RUG_LBP_G), "g");
    assert_string_equal(rug_lbp_score_name((rug_lbp_score)-1), "?");
    assert_true(rug_lbp_n_codes(RUG_LBP_DEFAULT, 32) == UINT64_C(1) << 32);
    assert_int_equal(rug_lbp_n_codes(RUG_LBP_NRI_UNIFORM, 8), 59);
    assert_int_equal(rug_lbp_n_codes(RUG_LBP_VAR, 8), 0);
    assert_null(rug_lbp_get_facts(NULL));
    assert_null(rug_lbp_at(NULL, 0));
    rug_lbp_free(NULL);
    rug_context *ctx = test_context();
    rug_image img = some_image();
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        char engine[32];
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        snprintf(engine, sizeof engine, "cpu-%s",
                 rug_cpu_level_name(rug_context_cpu_level(ctx)));
        rug_lbp_result *r = must_lbp(ctx, &img, NULL);
        assert_string_equal(rug_lbp_get_facts(r)->engine, engine);
        assert_string_equal(rug_context_engine(ctx), engine);
        rug_lbp_free(r);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_images),
        cmocka_unit_test(bad_operators),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(nothing_to_make),
        cmocka_unit_test(more_than_memory),
        cmocka_unit_test(dtypes_of_maps),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(map_ends_the_call),
        cmocka_unit_test(progress_and_cancelling),
        cmocka_unit_test(small_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
