/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Calls of alpha: what is refused and how, failing memory, callbacks. */

#include "support.h"

#include "alpha/map/alpha_plan.h"
#include "alpha_support.h"
#include "boxcount_support.h"
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

static void refused_slices(rug_context *ctx, const rug_image *map,
                           const rug_alpha_options *opts, const char *why)
{
    rug_alpha_result *r = (void *)&map_pixels;
    assert_int_equal(rug_alpha_slices(ctx, &r, map, opts), RUG_E_ARG);
    assert_says(ctx, why);
    assert_null(r);
}

static rug_status no_rows(void *user, const rug_alpha_map_rows *rows)
{
    (void)user;
    (void)rows;
    fail();
    return RUG_OK;
}

static void refused_source(rug_context *ctx, const rug_source *source,
                           const rug_alpha_options *opts, const char *why)
{
    assert_int_equal(rug_alpha_map_source(ctx, source, opts, no_rows, NULL), RUG_E_ARG);
    assert_says(ctx, why);
}

static void bad_images(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = some_image(), map = some_map(ctx), bad = img;
    rug_image volume = test_u8(pixels, 4, 5, 6);
    rug_source source = source_of_image(&img), mask = source_of_image(&volume);
    rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
    rug_alpha_result *r;
    refused_map(ctx, NULL, NULL, "NULL");
    refused_source(ctx, NULL, NULL, "NULL");
    bad.dtype = (rug_dtype)99;
    refused_map(ctx, &bad, NULL, "dtype");
    bad = img;
    bad.shape[1] = 0;
    refused_map(ctx, &bad, NULL, "size 0");
    opts.mask = &mask;
    refused_map(ctx, &img, &opts, "mask");
    refused_source(ctx, &source, &opts, "mask");
    refused_slices(ctx, &map, &opts, "mask");
    refused_slices(ctx, NULL, NULL, "NULL");
    refused_slices(ctx, &img, NULL, "f32");
    assert_int_equal(rug_alpha_map(ctx, NULL, &img, NULL), RUG_E_ARG);
    assert_int_equal(rug_alpha_map(NULL, map_pixels, &img, NULL), RUG_E_ARG);
    assert_int_equal(rug_alpha_map_source(ctx, &source, NULL, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_alpha_map_source(NULL, &source, NULL, no_rows, NULL), RUG_E_ARG);
    assert_int_equal(rug_alpha_slices(ctx, NULL, &map, NULL), RUG_E_ARG);
    assert_int_equal(rug_alpha_slices(NULL, &r, &map, NULL), RUG_E_ARG);
    rug_context_free(ctx);
}

/* A fit that is refused is cleared but for its size. */
static void bad_fits(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image map = some_map(ctx);
    rug_alpha_result *r;
    rug_fit fit = RUG_FIT_INIT;
    rug_fit_options opts = RUG_FIT_OPTIONS_INIT;
    assert_int_equal(rug_alpha_slices(ctx, &r, &map, NULL), RUG_OK);
    assert_int_equal(rug_alpha_fit(ctx, &fit, r, 63, NULL), RUG_OK);
    assert_true(fit.n_sizes > 0);
    assert_int_equal(rug_alpha_fit(ctx, &fit, r, 64, NULL), RUG_E_ARG);
    assert_says(ctx, "no slice 64");
    assert_cleared(&fit, sizeof fit, "fit");
    assert_int_equal(rug_alpha_fit(ctx, &fit, NULL, 0, NULL), RUG_E_ARG);
    assert_int_equal(rug_alpha_fit(ctx, NULL, r, 0, NULL), RUG_E_ARG);
    opts.size_min = 8;
    opts.size_max = 4;
    assert_int_equal(rug_alpha_fit(ctx, &fit, r, 0, &opts), RUG_E_ARG);
    assert_says(ctx, "empty");
    assert_null(rug_alpha_at(r, 64));
    assert_int_equal(rug_alpha_boxes(r, 64, 0), 0);
    assert_int_equal(rug_alpha_boxes(r, 0, 64), 0);
    assert_int_equal(rug_alpha_boxes(r, 0, 63), 0);
    rug_alpha_free(r);
    rug_alpha_free(NULL);
    assert_null(rug_alpha_at(NULL, 0));
    assert_null(rug_alpha_get_facts(NULL));
    assert_int_equal(rug_alpha_boxes(NULL, 0, 0), 0);
    rug_context_free(ctx);
}

static void names(void **state)
{
    (void)state;
    static const char *const expected[] = {"max", "min", "sum", "iso", "?"};
    for (int m = 0; m < 5; m++)
        assert_string_equal(rug_alpha_measure_name((rug_alpha_measure)m), expected[m]);
    assert_string_equal(rug_alpha_measure_name((rug_alpha_measure)-1), "?");
}

/* All calls refuse it. */
static void refused(rug_context *ctx, const rug_alpha_options *opts, const char *why)
{
    rug_image img = some_image(), map = some_map(ctx);
    rug_source source = source_of_image(&img);
    refused_map(ctx, &img, opts, why);
    refused_source(ctx, &source, opts, why);
    refused_slices(ctx, &map, opts, why);
}

static void bad_options(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const rug_alpha_options good = RUG_ALPHA_OPTIONS_INIT;
    rug_alpha_options bad = good;
    bad.struct_size = 0;
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
    rug_source inside = source_of_image(&mask);
    rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
    rug_alpha_result *r;
    rug_fit fit = RUG_FIT_INIT;
    opts.mask = &inside;
    assert_int_equal(rug_alpha_slices(ctx, &r, &map, &opts), RUG_OK);
    const rug_alpha_facts *f = rug_alpha_get_facts(r);
    assert_true(isnan(f->alpha_min) && isnan(f->alpha_max));
    assert_true(isnan(rug_alpha_at(r, 3)->alpha_max));
    assert_int_equal(f->n_pixels + f->n_undefined + f->n_outside, 0);
    assert_int_equal(rug_alpha_fit(ctx, &fit, r, 63, NULL), RUG_OK);
    assert_int_equal(fit.status, RUG_FIT_EMPTY);
    rug_alpha_free(r);
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
    rug_alpha_result *r;
    assert_int_equal(rug_alpha_slices(ctx, &r, &map, &opts), RUG_E_NOMEM);
    assert_null(r);
    rug_context_free(ctx);
}

static rug_status count_rows(void *user, const rug_alpha_map_rows *rows)
{
    *(size_t *)user += rows->n;
    return RUG_OK;
}

/* Calls that need every kind of memory: maps by each measure, of sources in memory and not,
 * slices of a range that is measured and of many words, masks that must be read. */
static rug_status some_call(rug_context *ctx, int k)
{
    static float out[64 * 80];
    rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
    rug_image img = some_image(), map = some_map(ctx);
    layers_source thin, thin_mask;
    rug_source source = k & 2 ? source_of_layers(&thin, &img) : source_of_image(&img);
    rug_source inside = source_of_layers(&thin_mask, &img);
    rug_alpha_result *r = NULL;
    size_t n_rows = 0;
    opts.measure = (rug_alpha_measure)(k % 4);
    opts.mask = k & 1 ? &inside : NULL;
    opts.n_slices = 200;
    if (k < 4)
        return rug_alpha_map(ctx, out, &img, &opts);
    if (k < 8)
        return rugi_alpha_map_source_by(ctx, &source, &opts, count_rows, &n_rows, 20);
    rug_status status = rug_alpha_slices(ctx, &r, &map, &opts);
    rug_alpha_free(r);
    return status;
}

#define N_CALLS 10

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
        assert_in_range(n_fails, k < 8 ? 1 : 6, 20);
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
        static float out[64 * 80];
        rug_alpha_result *r;
        size_t n_rows = 0;
        rug_source source = source_of_image(&img);
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        snprintf(expected, sizeof expected, "cpu-%s",
                 rug_cpu_level_name(rug_context_cpu_level(ctx)));
        assert_int_equal(rug_alpha_map(ctx, out, &img, NULL), RUG_OK);
        assert_string_equal(rug_context_engine(ctx), expected);
        assert_int_equal(rug_alpha_slices(ctx, &r, &map, NULL), RUG_OK);
        assert_string_equal(rug_alpha_get_facts(r)->engine, expected);
        assert_string_equal(rug_context_engine(ctx), expected);
        rug_alpha_free(r);
        assert_int_equal(rug_alpha_map_source(ctx, &source, NULL, count_rows, &n_rows),
                         RUG_OK);
        assert_string_equal(rug_context_engine(ctx), expected);
        assert_int_equal(n_rows, 64);
    }
    rug_context_free(ctx);
}

/* Tiles are the shorter the more they have to do: a call that is cancelled waits for one. */
static void tiles_are_short(void **state)
{
    (void)state;
    enum { NZ = 40, NY = 16, NX = 32 };
    uint8_t *voxels = calloc(NZ * NY, NX);
    float *out = malloc(NZ * NY * NX * sizeof *out);
    assert_true(voxels != NULL && out != NULL);
    rug_context *ctx = test_context();
    rug_image volume = test_u8(voxels, NZ, NY, NX);
    rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
    opts.measure = RUG_ALPHA_ISO;
    rug_context_set_threads(ctx, 1);
    int n_looks[2];
    for (int i = 0; i < 2; i++) {
        countdown c = {.left = 1 << 30};
        rug_context_set_cancel(ctx, stop_at, &c);
        opts.n_windows = i == 0 ? 2 : 16;
        assert_int_equal(rug_alpha_map(ctx, out, &volume, &opts), RUG_OK);
        n_looks[i] = c.n_calls;
    }
    assert_in_range(n_looks[0], 2, 4);
    assert_in_range(n_looks[1], 5, 10);
    free(out);
    free(voxels);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_images),     cmocka_unit_test(bad_options),
        cmocka_unit_test(bad_fits),       cmocka_unit_test(names),
        cmocka_unit_test(empty_mask),     cmocka_unit_test(more_than_memory),
        cmocka_unit_test(failing_memory), cmocka_unit_test(progress_and_cancelling),
        cmocka_unit_test(engines),        cmocka_unit_test(tiles_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
