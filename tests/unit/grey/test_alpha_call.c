/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Calls of alpha: what is refused and how, failing memory, callbacks. */

#include "support.h"

#include "alpha_support.h"
#include "memory_support.h"
#include "watch_support.h"
#include <stdio.h>

static uint8_t pixels[64 * 80];
static float map_pixels[64 * 80];

static rug_image some_image(void)
{
    uint64_t rng = 1;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(1 + test_below(&rng, 20));
    return test_u8(pixels, 0, 64, 80);
}

static rug_image some_map(rug_context *ctx)
{
    static const size_t shape[2] = {64, 80};
    rug_image map;
    uint64_t rng = 2;
    for (size_t i = 0; i < 64 * 80; i++)
        map_pixels[i] = (float)test_below(&rng, 1000) / 500;
    assert_int_equal(rug_image_view(ctx, &map, map_pixels, RUG_F32, 2, shape), RUG_OK);
    return map;
}

static void assert_says(rug_context *ctx, const char *why)
{
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void refused_map(rug_context *ctx, const rug_image *img,
                        const rug_alpha_options *opts, const char *why)
{
    static float out[64 * 80];
    assert_int_equal(rug_alpha_map(ctx, out, img, opts), RUG_E_ARG);
    assert_says(ctx, why);
}

/* Nothing of what there was is left. */
static void refused_slices(rug_context *ctx, const rug_image *map,
                           const rug_alpha_options *opts, uint64_t size_min,
                           uint64_t size_max, const char *why)
{
    rug_alpha_slice slices[64];
    rug_alpha_result r;
    static const rug_alpha_result nothing;
    memset(slices, 1, sizeof slices);
    memset(&r, 1, sizeof r);
    assert_int_equal(rug_alpha_slices(ctx, &r, slices, map, opts, size_min, size_max),
                     RUG_E_ARG);
    assert_says(ctx, why);
    assert_memory_equal(&r, &nothing, sizeof r);
}

static void bad_images(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = some_image(), map = some_map(ctx), bad = img;
    rug_image volume = test_u8(pixels, 4, 5, 6);
    rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
    rug_alpha_result r;
    rug_alpha_slice slices[64];
    refused_map(ctx, NULL, NULL, "NULL");
    bad.dtype = (rug_dtype)99;
    refused_map(ctx, &bad, NULL, "dtype");
    bad = img;
    bad.shape[1] = 0;
    refused_map(ctx, &bad, NULL, "size 0");
    opts.mask = &volume;
    refused_map(ctx, &img, &opts, "mask");
    refused_slices(ctx, &map, &opts, 0, 0, "mask");
    refused_slices(ctx, NULL, NULL, 0, 0, "NULL");
    refused_slices(ctx, &img, NULL, 0, 0, "f32");
    refused_slices(ctx, &map, NULL, 8, 4, "empty");
    assert_int_equal(rug_alpha_map(ctx, NULL, &img, NULL), RUG_E_ARG);
    assert_int_equal(rug_alpha_map(NULL, map_pixels, &img, NULL), RUG_E_ARG);
    assert_int_equal(rug_alpha_slices(ctx, NULL, slices, &map, NULL, 0, 0), RUG_E_ARG);
    assert_int_equal(rug_alpha_slices(ctx, &r, NULL, &map, NULL, 0, 0), RUG_E_ARG);
    assert_int_equal(rug_alpha_slices(NULL, &r, slices, &map, NULL, 0, 0), RUG_E_ARG);
    rug_context_free(ctx);
}

/* Both calls refuse it. */
static void refused(rug_context *ctx, const rug_alpha_options *opts, const char *why)
{
    rug_image img = some_image(), map = some_map(ctx);
    refused_map(ctx, &img, opts, why);
    refused_slices(ctx, &map, opts, 0, 0, why);
}

static void bad_options(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const rug_alpha_options good = RUG_ALPHA_OPTIONS_INIT;
    rug_alpha_options bad = good;
    bad.struct_size = 8;
    refused(ctx, &bad, "rug_alpha_options");
    static const int measures[] = {-1, 4};
    static const uint32_t windows[] = {0, 1, 17, UINT32_MAX}, slices[] = {0, 1025};
    static const double tolerances[] = {-1, NAN, INFINITY};
    static const double ranges[][2] = {
        {NAN, 1},       {0, NAN},          {1, 1},    {2, 1}, {0, INFINITY},
        {-INFINITY, 0}, {-1e308, 1.7e308}, {NAN, NAN}};
    for (int i = 0; i < 2; i++) {
        bad = good;
        bad.measure = (rug_alpha_measure)measures[i];
        refused(ctx, &bad, "measure");
        bad = good;
        bad.n_slices = slices[i];
        refused(ctx, &bad, "slices");
    }
    for (int i = 0; i < 4; i++) {
        bad = good;
        bad.n_windows = windows[i];
        refused(ctx, &bad, "windows");
    }
    for (int i = 0; i < 3; i++) {
        bad = good;
        bad.iso_tolerance = tolerances[i];
        refused(ctx, &bad, "tolerance");
    }
    for (int i = 0; i < 8; i++) {
        bad = good;
        bad.alpha_min = ranges[i][0];
        bad.alpha_max = ranges[i][1];
        refused(ctx, &bad, "range");
    }
    rug_context_free(ctx);
}

/* A mask that holds nothing: no range, and nothing is undefined. */
static void empty_mask(void **state)
{
    (void)state;
    static uint8_t none[64 * 80];
    rug_context *ctx = test_context();
    rug_image map = some_map(ctx), mask = test_u8(none, 0, 64, 80);
    rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
    rug_alpha_slice slices[64];
    rug_alpha_result r;
    opts.mask = &mask;
    assert_int_equal(rug_alpha_slices(ctx, &r, slices, &map, &opts, 0, 0), RUG_OK);
    assert_true(isnan(r.alpha_min) && isnan(r.alpha_max) && isnan(slices[3].alpha_max));
    assert_int_equal(r.n_pixels + r.n_undefined + r.n_outside, 0);
    assert_string_equal(slices[63].status, "empty");
    rug_context_free(ctx);
}

/* A view may repeat a pixel more often than addresses can count boxes. */
static void more_than_memory(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image map = some_map(ctx);
    map.shape[0] = PTRDIFF_MAX;
    map.shape[1] = 1;
    map.stride[0] = 0;
    rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
    opts.alpha_max = 1;
    opts.n_slices = 1024;
    static rug_alpha_slice slices[1024];
    rug_alpha_result r;
    assert_int_equal(rug_alpha_slices(ctx, &r, slices, &map, &opts, 0, 0), RUG_E_NOMEM);
    assert_int_equal(r.n_slices, 0);
    rug_context_free(ctx);
}

/* Calls that need every kind of memory: maps by each measure, slices of a range that is
 * measured and of many words. */
static rug_status some_call(rug_context *ctx, int k)
{
    static float out[64 * 80];
    static rug_alpha_slice slices[200];
    rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
    rug_image img = some_image(), map = some_map(ctx);
    rug_alpha_result r;
    opts.measure = (rug_alpha_measure)(k % 4);
    opts.mask = k & 1 ? &img : NULL;
    opts.n_slices = 200;
    return k < 4 ? rug_alpha_map(ctx, out, &img, &opts)
                 : rug_alpha_slices(ctx, &r, slices, &map, &opts, 0, 0);
}

#define N_CALLS 6

/* The k-th allocation fails, for every k. */
static void failing_memory(void **state)
{
    (void)state;
    for (int k = 0; k < N_CALLS; k++) {
        rug_status status = RUG_E_NOMEM;
        size_t n_fails = 0;
        while (status != RUG_OK) {
            memory m = {.fail_at = n_fails + 1};
            rug_context *ctx = test_context();
            rug_context_set_threads(ctx, 3);
            memory_hook(ctx, &m);
            status = some_call(ctx, k);
            if (status != RUG_OK) {
                assert_int_equal(status, RUG_E_NOMEM);
                assert_string_not_equal(rug_context_error(ctx), "");
                n_fails++;
            }
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            rug_context_free(ctx);
        }
        assert_in_range(n_fails, k < 4 ? 1 : 6, 20);
    }
}

static void progress_and_cancelling(void **state)
{
    (void)state;
    for (int k = 0; k < N_CALLS; k++)
        for (int cancel_at = 0; cancel_at < 3; cancel_at++) {
            rug_context *ctx = test_context();
            watch w = {.cancel_at = cancel_at};
            rug_context_set_threads(ctx, 1);
            rug_context_set_progress(ctx, see_progress, &w);
            rug_context_set_cancel(ctx, see_cancel, &w);
            rug_status status = some_call(ctx, k);
            if (cancel_at < 2) /* a map of few tasks may be done by the second time */
                assert_int_equal(status, cancel_at ? RUG_E_CANCELLED : RUG_OK);
            assert_int_equal(w.n_backwards, 0);
            if (cancel_at == 0)
                assert_true(w.n_calls > 0 && w.last > 0.999);
            rug_context_free(ctx);
        }
}

/* What ran is reported. */
static void engines(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = some_image(), map = some_map(ctx);
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        char expected[32];
        const char *engine = NULL;
        static float out[64 * 80];
        static rug_alpha_slice slices[64];
        rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
        rug_alpha_result r;
        opts.engine = &engine;
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        snprintf(expected, sizeof expected, "cpu-%s",
                 rug_cpu_level_name(rug_context_cpu_level(ctx)));
        assert_int_equal(rug_alpha_map(ctx, out, &img, &opts), RUG_OK);
        assert_string_equal(engine, expected);
        assert_int_equal(rug_alpha_slices(ctx, &r, slices, &map, &opts, 0, 0), RUG_OK);
        assert_string_equal(r.engine, expected);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_images),     cmocka_unit_test(bad_options),
        cmocka_unit_test(empty_mask),     cmocka_unit_test(more_than_memory),
        cmocka_unit_test(failing_memory), cmocka_unit_test(progress_and_cancelling),
        cmocka_unit_test(engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
