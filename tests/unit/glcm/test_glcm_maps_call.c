/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Calls for maps of co-occurrence that must fail, and how: bad arguments, memory that
 * runs out, callbacks that end the call. */

#include "support.h"

#include "glcm_maps_support.h"
#include "memory_support.h"
#include <stdio.h>

static rug_status refuse(void *user, const rug_glcm_map_rows *rows)
{
    size_t *n = user;
    (void)rows;
    return --*n == 0 ? RUG_E_FORMAT : RUG_OK;
}

static rug_status accept(void *user, const rug_glcm_map_rows *rows)
{
    (void)user;
    (void)rows;
    return RUG_OK;
}

static uint8_t small_pixels[64];

static rug_image small_image(void)
{
    for (size_t i = 0; i < 64; i++)
        small_pixels[i] = (uint8_t)(i * i % 23);
    return test_u8(small_pixels, 0, 8, 8);
}

static void must_fail(rug_context *ctx, const rug_image *img, const rug_glcm_options *o,
                      const rug_glcm_maps_options *maps, rug_status status,
                      const char *text)
{
    assert_int_equal(rug_glcm_maps(ctx, img, o, maps, accept, NULL), status);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("'%s' does not hold '%s'", rug_context_error(ctx), text);
}

#define REFUSED(type, init, field, value, text)        \
    do {                                               \
        type bad = init;                               \
        bad.field = value;                             \
        refused(ctx,                                   \
                _Generic(bad, rug_glcm_options         \
                         : (const void *)&bad, default \
                         : NULL),                      \
                _Generic(bad, rug_glcm_options         \
                         : NULL, default               \
                         : (const void *)&bad),        \
                text);                                 \
    } while (0)
#define REFUSED_OPTION(field, value, text) \
    REFUSED(rug_glcm_options, RUG_GLCM_OPTIONS_INIT, field, value, text)
#define REFUSED_MAPS(field, value, text) \
    REFUSED(rug_glcm_maps_options, RUG_GLCM_MAPS_OPTIONS_INIT, field, value, text)

static void refused(rug_context *ctx, const void *opts, const void *maps,
                    const char *text)
{
    rug_image img = small_image();
    must_fail(ctx, &img, opts, maps, RUG_E_ARG, text);
    assert_int_equal(rug_glcm_maps_check_options(ctx, opts, maps), RUG_E_ARG);
}

static void bad_options(void **state)
{
    (void)state;
    static const uint32_t distances[] = {1, 2}, far[] = {7};
    static const rug_glcm_feature twice[] = {RUG_GLCM_CONTRAST, RUG_GLCM_CONTRAST};
    static const rug_glcm_feature none[] = {RUG_GLCM_MAX_CORRELATION_COEFFICIENT};
    static const rug_glcm_feature wild[] = {(rug_glcm_feature)99};
    rug_context *ctx = test_context();
    rug_image img = small_image();
    REFUSED_OPTION(struct_size, 8, "rug_glcm_options");
    REFUSED_OPTION(asymmetric, 1, "asymmetric");
    REFUSED_OPTION(pairs, RUG_GLCM_PAIRS_FRAME, "FRAME");
    REFUSED_OPTION(aggregate, RUG_GLCM_AGGREGATE_NONE, "MEAN");
    REFUSED_OPTION(slices, RUG_GLCM_SLICES_MEAN, "slices");
    REFUSED_OPTION(labels, glcm_source(&img), "labels");
    REFUSED_OPTION(features, RUG_GLCM_FEATURES_ALL, "features of regions");
    REFUSED_OPTION(directions, 16, "volumes");
    REFUSED_OPTION(n_levels, 8, "8 levels");
    REFUSED_MAPS(struct_size, 8, "rug_glcm_maps_options");
    REFUSED_MAPS(window, 0, "window of 0");
    REFUSED_MAPS(window, 1, "window of 1");
    REFUSED_MAPS(window, 8, "window of 8");
    REFUSED_MAPS(window, 257, "window of 257");
    REFUSED_MAPS(rows, 5, "window of 5x0");
    REFUSED_MAPS(columns, 5, "window of 0x5");
    REFUSED_MAPS(n_features, 1, "1 features");
    REFUSED_MAPS(features, twice, "0 features");
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.levels = RUG_GLCM_LEVELS_COUNT;
    o.n_levels = 8;
    o.range = RUG_GLCM_RANGE_ROI;
    refused(ctx, &o, NULL, "range of each region");
    o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    o.distances = distances;
    o.n_distances = 2;
    refused(ctx, &o, NULL, "more than one distance");
    o.distances = far;
    o.n_distances = 1;
    refused(ctx, &o, NULL, "distance 7 given for a window of 7");
    rug_glcm_maps_options maps = RUG_GLCM_MAPS_OPTIONS_INIT;
    maps.rows = 4;
    maps.columns = 7;
    refused(ctx, NULL, &maps, "window of 4x7");
    maps.rows = 3;
    maps.columns = 257;
    refused(ctx, NULL, &maps, "window of 3x257");
    maps.columns = 9;
    o.directions = 1 << 2; /* 90 degrees */
    refused(ctx, &o, &maps, "distance 7 given for a window of 3x9");
    o.directions = 1;
    assert_int_equal(rug_glcm_maps_check_options(ctx, &o, &maps), RUG_OK);
    maps = (rug_glcm_maps_options)RUG_GLCM_MAPS_OPTIONS_INIT;
    maps.features = twice;
    maps.n_features = 2;
    refused(ctx, NULL, &maps, "(contrast) given twice");
    maps.features = none;
    maps.n_features = 1;
    refused(ctx, NULL, &maps, "max_correlation_coefficient");
    maps.features = wild;
    refused(ctx, NULL, &maps, "feature 99");
    assert_int_equal(rug_glcm_maps_check_options(ctx, NULL, NULL), RUG_OK);
    assert_int_equal(rug_glcm_maps_check_options(NULL, NULL, NULL), RUG_E_ARG);
    rug_context_free(ctx);
}

static void bad_images(void **state)
{
    (void)state;
    static uint16_t many[64 * 65];
    for (size_t i = 0; i < 64 * 65; i++)
        many[i] = (uint16_t)i;
    rug_context *ctx = test_context();
    rug_image img = small_image(), other = test_u8(small_pixels, 0, 8, 7), deep;
    rug_image volume = test_u8(small_pixels, 4, 4, 4);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    must_fail(ctx, NULL, NULL, NULL, RUG_E_ARG, "NULL");
    must_fail(ctx, &volume, NULL, NULL, RUG_E_ARG, "volume");
    assert_int_equal(rug_glcm_maps(ctx, &img, NULL, NULL, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_glcm_maps(NULL, &img, NULL, NULL, accept, NULL), RUG_E_ARG);
    o.mask = glcm_source(&other);
    must_fail(ctx, &img, &o, NULL, RUG_E_ARG, "the mask has 8x7 pixels");
    assert_int_equal(rug_image_view(ctx, &deep, many, RUG_U16, 2, (size_t[]){64, 65}),
                     RUG_OK);
    must_fail(ctx, &deep, NULL, NULL, RUG_E_ARG, "4160 grey levels, at most 4096");
    o.mask = NULL;
    o.levels = RUG_GLCM_LEVELS_COUNT;
    o.n_levels = 64;
    assert_int_equal(rug_glcm_maps(ctx, &deep, &o, NULL, accept, NULL), RUG_OK);
    rug_context_free(ctx);
}

/* No pixel inside of the mask: all is NaN. */
static void nothing_inside(void **state)
{
    (void)state;
    static const uint8_t outside[64];
    rug_context *ctx = test_context();
    rug_image img = small_image(), mask = test_u8(outside, 0, 8, 8);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.mask = glcm_source(&mask);
    for (int levels = 0; levels < 2; levels++) {
        kept k = must_map(ctx, &img, &o, 5, all_features, N_ALL);
        for (size_t i = 0; i < N_ALL * 64; i++)
            assert_true(isnan(k.values[i]));
        free(k.values);
        o.levels = RUG_GLCM_LEVELS_COUNT;
        o.n_levels = 4;
    }
    rug_context_free(ctx);
}

static int always(void *user)
{
    (void)user;
    return 1;
}

static void remember(void *user, double share)
{
    double *last = user;
    assert_true(share >= *last && share <= 1);
    *last = share;
}

static void callbacks(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = small_image();
    double last = 0;
    rug_context_set_progress(ctx, remember, &last);
    assert_int_equal(rug_glcm_maps(ctx, &img, NULL, NULL, accept, NULL), RUG_OK);
    assert_true(last == 1);
    for (size_t stop_at = 1; stop_at <= 13; stop_at++) {
        size_t left = stop_at;
        last = 0;
        assert_int_equal(rug_glcm_maps(ctx, &img, NULL, NULL, refuse, &left),
                         RUG_E_FORMAT);
        assert_int_equal(left, 0);
    }
    last = 0;
    rug_context_set_cancel(ctx, always, NULL);
    must_fail(ctx, &img, NULL, NULL, RUG_E_CANCELLED, "cancel");
    rug_context_free(ctx);
}

static int at_a_look(void *user)
{
    size_t *left = user;
    return *left == 0 || --*left == 0;
}

/* Rows are wide, so that they look for cancellation in their midst. */
static void cancelled_anywhere(void **state)
{
    (void)state;
    static uint8_t pixels[9 * 700];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * i % 251);
    rug_image img = test_u8(pixels, 0, 9, 700);
    for (int threads = 1; threads <= 2; threads++)
        for (size_t at = 1; at < 400; at += 7) {
            rug_context *ctx = test_context();
            size_t left = at;
            rug_context_set_threads(ctx, threads);
            rug_context_set_cancel(ctx, at_a_look, &left);
            rug_status status = rug_glcm_maps(ctx, &img, NULL, NULL, accept, NULL);
            assert_true(status == RUG_E_CANCELLED || left > 0);
            assert_true(threads == 2 || status == RUG_E_CANCELLED);
            rug_context_free(ctx);
        }
}

/* Every allocation in turn fails: the call says so, and keeps nothing. */
static void failing_memory(void **state)
{
    (void)state;
    rug_image img = small_image();
    size_t n_calls = 1;
    for (size_t i = 0; i <= n_calls; i++) {
        memory m = {.fail_at = i};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        rug_context_set_threads(ctx, 3);
        rug_status status = rug_glcm_maps(ctx, &img, NULL, NULL, accept, NULL);
        if (i == 0)
            n_calls = m.n_calls;
        assert_int_equal(status, i == 0 ? RUG_OK : RUG_E_NOMEM);
        assert_true(i == 0 || strlen(rug_context_error(ctx)) > 0);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        rug_context_free(ctx);
    }
    assert_true(n_calls > 10);
}

static void which_have_maps(void **state)
{
    (void)state;
    uint32_t n = 0;
    for (int f = -1; f <= RUG_GLCM_N_FEATURES; f++)
        n += rug_glcm_has_map((rug_glcm_feature)f) != 0;
    assert_int_equal(n, N_ALL);
    for (size_t i = 0; i < N_ALL; i++)
        assert_true(rug_glcm_has_map(all_features[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_options),        cmocka_unit_test(bad_images),
        cmocka_unit_test(nothing_inside),     cmocka_unit_test(callbacks),
        cmocka_unit_test(failing_memory),     cmocka_unit_test(which_have_maps),
        cmocka_unit_test(cancelled_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
