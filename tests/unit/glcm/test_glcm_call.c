/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Calls of co-occurrence that must fail, and how: bad arguments, memory that runs out,
 * callbacks that end the call; the order of rows, and where their regions lie; large regions and
 * many threads. */

#include "support.h"

#include "glcm_support.h"
#include "memory_support.h"
#include <stdio.h>

static uint8_t pixels[64];

static rug_image small_image(void)
{
    for (size_t i = 0; i < 64; i++)
        pixels[i] = (uint8_t)(i * i % 23);
    return test_u8(pixels, 0, 8, 8);
}

/* Fails unless the call does so, with a text that holds `text`. */
static void must_fail(rug_context *ctx, const rug_image *img, const rug_glcm_options *o,
                      rug_status status, const char *text)
{
    glcm_rows rows = {0};
    assert_int_equal(rug_glcm(ctx, img, o, glcm_keep, &rows), status);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("'%s' does not hold '%s'", rug_context_error(ctx), text);
    assert_int_equal(rows.n, 0);
    free(rows.row);
}

/* The options must fail by themselves too. */
static void refused(rug_context *ctx, const rug_glcm_options *o, const char *text)
{
    rug_image img = small_image();
    must_fail(ctx, &img, o, RUG_E_ARG, text);
    assert_int_equal(rug_glcm_check_options(ctx, o), RUG_E_ARG);
}

#define REFUSED(field, value, text)                   \
    do {                                              \
        rug_glcm_options bad = RUG_GLCM_OPTIONS_INIT; \
        bad.field = value;                            \
        refused(ctx, &bad, text);                     \
    } while (0)

static void bad_numbers(void **state)
{
    (void)state;
    static const uint32_t zero[] = {0}, falling[] = {2, 2}, far[] = {32768};
    rug_context *ctx = test_context();
    REFUSED(struct_size, 8, "rug_glcm_options");
    REFUSED(pairs, (rug_glcm_pairs)2, "pairs 2");
    REFUSED(levels, (rug_glcm_levels)4, "levels 4");
    REFUSED(range, (rug_glcm_range)-1, "range");
    REFUSED(aggregate, (rug_glcm_aggregate)4, "aggregate 4");
    REFUSED(slices, (rug_glcm_slices)3, "slices 3");
    REFUSED(features, (rug_glcm_features)3, "features 3");
    REFUSED(directions, 1U << 13, "0x2000");
    REFUSED(n_distances, 1, "1 distances");
    REFUSED(distances, zero, "0 distances");
    REFUSED(log_base, 10, "base 10");
    REFUSED(log_base, NAN, "base");
    REFUSED(n_levels, 8, "8 levels");
    REFUSED(bin_width, 3, "width 3");
    REFUSED(levels, RUG_GLCM_LEVELS_COUNT, "0 levels");
    REFUSED(levels, RUG_GLCM_LEVELS_WIDTH, "width 0");
    REFUSED(range, RUG_GLCM_RANGE_GIVEN, "0..0");
    REFUSED(range_hi, 2, "0..2");
    REFUSED(origin, (rug_glcm_origin)4, "origin 4");
    REFUSED(origin, RUG_GLCM_ORIGIN_MIN, "levels WIDTH");
    REFUSED(bin_origin, 2, "begin at 2");
    REFUSED(bin_origin, NAN, "begin at");
    REFUSED(resegment_hi, 2, "0..2 given, but it is not asked for");
    REFUSED(resegment, 1, "to 0..0");
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    const uint32_t *lists[] = {zero, falling, far};
    for (uint32_t i = 0; i < 3; i++) {
        o.distances = lists[i];
        o.n_distances = i == 1 ? 2 : 1;
        refused(ctx, &o, "ascending");
    }
    o.n_distances = 65;
    refused(ctx, &o, "65 distances");
    o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    o.levels = RUG_GLCM_LEVELS_EXACT;
    o.range = RUG_GLCM_RANGE_ROI;
    refused(ctx, &o, "no bins");
    o.levels = RUG_GLCM_LEVELS_WIDTH;
    o.bin_width = INFINITY;
    refused(ctx, &o, "inf");
    o.bin_width = 1;
    o.range = RUG_GLCM_RANGE_AUTO;
    o.origin = RUG_GLCM_ORIGIN_GIVEN;
    o.bin_origin = INFINITY;
    refused(ctx, &o, "begin at inf");
    o.bin_origin = 0;
    o.resegment = 1;
    o.resegment_lo = -INFINITY;
    o.resegment_hi = INFINITY;
    refused(ctx, &o, "at most one of them infinite");
    o.resegment_lo = NAN;
    refused(ctx, &o, "re-segmentation");
    o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    o.levels = RUG_GLCM_LEVELS_COUNT;
    o.n_levels = 65537;
    refused(ctx, &o, "65537");
    rug_context_free(ctx);
}

static void bad_images(void **state)
{
    (void)state;
    static const float floats[64] = {3, 0.5f};
    static const int32_t wide[4] = {0, 65536, 1, 2};
    static const double far[4] = {0, 1, 2, 1e12};
    rug_context *ctx = test_context();
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    rug_image img = small_image(), other = test_u8(pixels, 0, 8, 7), volume, f;
    volume = test_u8(pixels, 4, 4, 4);
    must_fail(ctx, NULL, NULL, RUG_E_ARG, "NULL");
    assert_int_equal(rug_glcm(ctx, &img, NULL, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_glcm(NULL, &img, NULL, glcm_keep, NULL), RUG_E_ARG);
    assert_int_equal(rug_glcm_check_options(NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_glcm_check_options(ctx, NULL), RUG_OK);
    o.mask = glcm_source(&other);
    must_fail(ctx, &img, &o, RUG_E_ARG, "the mask has 8x7 pixels, the image 8x8");
    o.mask = NULL;
    o.labels = glcm_source(&volume);
    must_fail(ctx, &img, &o, RUG_E_ARG, "the label image has 4x4x4 pixels");
    assert_int_equal(rug_image_view(ctx, &f, floats, RUG_F32, 2, (size_t[]){8, 8}),
                     RUG_OK);
    o.labels = NULL;
    o.levels = RUG_GLCM_LEVELS_EXACT;
    must_fail(ctx, &f, &o, RUG_E_ARG, "no whole numbers, such as 0.5");
    o.levels = RUG_GLCM_LEVELS_AUTO;
    o.range = RUG_GLCM_RANGE_TYPE;
    must_fail(ctx, &f, &o, RUG_E_ARG, "f32");
    must_fail(ctx, &img, &o, RUG_E_ARG, "exact");
    o.range = RUG_GLCM_RANGE_AUTO;
    o.slices = RUG_GLCM_SLICES_MEAN;
    must_fail(ctx, &img, &o, RUG_E_ARG, "slices");
    o.directions = 16;
    must_fail(ctx, &volume, &o, RUG_E_ARG, "0x10");
    o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    assert_int_equal(rug_image_view(ctx, &f, wide, RUG_I32, 2, (size_t[]){1, 4}), RUG_OK);
    must_fail(ctx, &f, &o, RUG_E_ARG, "label 0 go from 0 to 65536");
    assert_int_equal(rug_image_view(ctx, &f, far, RUG_F64, 2, (size_t[]){1, 4}), RUG_OK);
    o.levels = RUG_GLCM_LEVELS_WIDTH;
    o.bin_width = 1;
    must_fail(ctx, &f, &o, RUG_E_ARG, "1000000000001");
    rug_context_free(ctx);
}

/* A label image with a value that is no label fails with its own text. */
static void bad_labels(void **state)
{
    (void)state;
    static const int8_t names[64] = {1, 1, -3};
    rug_context *ctx = test_context();
    rug_image img = small_image(), labels;
    assert_int_equal(rug_image_view(ctx, &labels, names, RUG_I8, 2, (size_t[]){8, 8}),
                     RUG_OK);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = glcm_source(&labels);
    must_fail(ctx, &img, &o, RUG_E_ARG, "-3");
    static const uint8_t nothing[64];
    labels = test_u8(nothing, 0, 8, 8);
    o.labels = glcm_source(&labels);
    glcm_rows rows = must_measure(ctx, &img, &o);
    assert_int_equal(rows.n, 0);
    rug_context_free(ctx);
}

/* A job that takes each kind of memory: ways of counting, f14, slices. */
typedef struct hungry {
    rug_image img, labels;
    rug_glcm_options opts;
} hungry;

/* Every allocation in turn fails: the call says so, and keeps nothing. */
static void fail_each(const hungry *h, int n_threads)
{
    size_t n_calls = 1;
    for (size_t k = 0; k <= n_calls; k += k == 0 ? 1 : TEST_STEP(TEST_RACES(12, 5))) {
        memory m = {.fail_at = k};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        rug_context_set_threads(ctx, n_threads);
        glcm_rows rows = {0};
        rug_status status = rug_glcm(ctx, &h->img, &h->opts, glcm_keep, &rows);
        if (k == 0) {
            assert_int_equal(status, RUG_OK);
            n_calls = m.n_calls;
        } else if (status != RUG_OK) {
            assert_int_equal(status, RUG_E_NOMEM);
            assert_true(strlen(rug_context_error(ctx)) > 0);
        } else {
            assert_true(n_threads > 1); /* fewer were needed this time */
        }
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        free(rows.row);
        rug_context_free(ctx);
    }
}

static void failing_memory(void **state)
{
    (void)state;
    static uint16_t deep[64 * 64];
    static uint8_t names[64 * 64], twice[160 * 500];
    for (size_t i = 0; i < 64 * 64; i++) {
        deep[i] = (uint16_t)(i * 40503);
        names[i] = (uint8_t)(1 + i % 64 / 22);
    }
    for (size_t i = 0; i < sizeof twice; i++)
        twice[i] = (uint8_t)(i * 7 % 13);
    rug_context *ctx = test_context();
    hungry h = {.opts = RUG_GLCM_OPTIONS_INIT};
    assert_int_equal(rug_image_view(ctx, &h.img, deep, RUG_U16, 2, (size_t[]){64, 64}),
                     RUG_OK);
    h.labels = test_u8(names, 0, 64, 64);
    h.opts.features = RUG_GLCM_FEATURES_ALL;
    fail_each(&h, 1); /* many levels: rows */
    h.opts.labels = glcm_source(&h.labels);
    h.opts.asymmetric = 1;
    fail_each(&h, 2);
    h.opts.levels = RUG_GLCM_LEVELS_COUNT;
    h.opts.n_levels = 9;
    fail_each(&h, 1); /* few: tagged counters */
    h.opts.asymmetric = 0;
    h.opts.pairs = RUG_GLCM_PAIRS_FRAME;
    fail_each(&h, 3);
    h.opts.pairs = RUG_GLCM_PAIRS_INSIDE;
    for (size_t i = 0; i < 64 * 64; i++)
        names[i] = (uint8_t)(1 + i * i % 61 % 3);
    for (size_t i = 0; i < 64; i++)
        names[i * 65] = 9; /* few pixels in a large box */
    fail_each(&h, 1);
    h.opts = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    h.img = test_u8(twice, 0, 160, 500);
    fail_each(&h, 1); /* dense */
    h.img = test_u8(twice, 5, 10, 12);
    h.opts.slices = RUG_GLCM_SLICES_MEAN;
    fail_each(&h, 1);
    rug_context_free(ctx);
}

/* Stops at row `stop_at`. */
typedef struct stopping {
    size_t n, stop_at;
} stopping;

static rug_status stop(void *user, const rug_glcm_row *row)
{
    stopping *s = user;
    (void)row;
    return ++s->n == s->stop_at ? RUG_E_FORMAT : RUG_OK;
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
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = glcm_source(&img);
    double last = 0;
    rug_context_set_progress(ctx, remember, &last);
    glcm_rows rows = must_measure(ctx, &img, &o);
    assert_true(last == 1);
    assert_true(rows.n > 5);
    for (size_t stop_at = 1; stop_at <= rows.n; stop_at++) {
        stopping s = {0, stop_at};
        last = 0;
        assert_int_equal(rug_glcm(ctx, &img, &o, stop, &s), RUG_E_FORMAT);
        assert_int_equal(s.n, stop_at);
    }
    free(rows.row);
    last = 0;
    rug_context_set_cancel(ctx, always, NULL);
    must_fail(ctx, &img, &o, RUG_E_CANCELLED, "cancel");
    rug_context_free(ctx);
}

/* Rows come by label, distance and direction, however large regions are. */
static void order_of_rows(void **state)
{
    (void)state;
    static const uint32_t distances[] = {1, 3, 4};
    enum { NY = 420, NX = 700 };
    static uint8_t gray[NY * NX], names[NY * NX];
    uint64_t rng = 8;
    for (size_t i = 0; i < NY * NX; i++) {
        gray[i] = (uint8_t)(i / 97 + test_below(&rng, 20));
        size_t y = i / NX, x = i % NX;
        names[i] = y < 300 && x < 500 ? 7 : (uint8_t)(1 + (x / 50 + y / 50) % 12);
    }
    rug_context *ctx = test_context();
    rug_image img = test_u8(gray, 0, NY, NX), labels = test_u8(names, 0, NY, NX);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = glcm_source(&labels);
    o.distances = distances;
    o.n_distances = 3;
    o.directions = 13;
    o.aggregate = RUG_GLCM_AGGREGATE_NONE;
    glcm_rows first = {0};
    for (int threads = 1; threads <= 4; threads++) {
        rug_context_set_threads(ctx, threads);
        glcm_rows rows = must_measure(ctx, &img, &o);
        assert_int_equal(rows.n, 12 * 9);
        for (size_t i = 0; i < rows.n; i++) {
            static const int direction[3] = {0, 2, 3};
            assert_int_equal(rows.row[i].label, i / 9 + 1);
            assert_int_equal(rows.row[i].distance, distances[i / 3 % 3]);
            assert_int_equal(rows.row[i].direction, direction[i % 3]);
        }
        if (threads == 1) {
            first = rows;
            continue;
        }
        assert_same_rows(&first, &rows);
        free(rows.row);
    }
    free(first.row);
    rug_context_free(ctx);
}

/* One region of more pixels than a thread takes: whatever the way of counting, the numbers
 * are those of one thread. */
static void large_images(void **state)
{
    (void)state;
    enum { NY = 430, NX = 700 };
    static uint8_t coarse[NY * NX], mask[NY * NX];
    static uint16_t fine[NY * NX];
    static float reals[NY * NX];
    uint64_t rng = 9;
    for (size_t i = 0; i < NY * NX; i++) {
        coarse[i] = (uint8_t)(i % NX / 20 + test_below(&rng, 30));
        fine[i] = (uint16_t)(i % NX * 60 + test_below(&rng, 5000));
        reals[i] = test_below(&rng, 50) == 0 ? NAN : (float)fine[i];
        mask[i] = (uint8_t)(test_below(&rng, 9) != 0);
    }
    const size_t shape[2] = {NY, NX};
    rug_context *ctx = test_context();
    rug_image img[3], inside;
    assert_int_equal(rug_image_view(ctx, &img[0], coarse, RUG_U8, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &img[1], fine, RUG_U16, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &img[2], reals, RUG_F32, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &inside, mask, RUG_U8, 2, shape), RUG_OK);
    for (int k = 0; k < 9; k++) {
        rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
        o.directions = 5;
        o.mask = glcm_source(&inside);
        o.asymmetric = k / 3 == 1;
        o.pairs = k / 3 == 2 ? RUG_GLCM_PAIRS_FRAME : RUG_GLCM_PAIRS_INSIDE;
        o.aggregate = k % 2 ? RUG_GLCM_AGGREGATE_MERGED : RUG_GLCM_AGGREGATE_NONE;
        o.features = k % 3 == 1 ? RUG_GLCM_FEATURES_13 : RUG_GLCM_FEATURES_ALL;
        glcm_rows first = {0};
        for (int threads = 1; threads <= 4; threads++) {
            rug_context_set_threads(ctx, threads);
            glcm_rows rows = must_measure(ctx, &img[k % 3], &o);
            assert_int_equal(rows.row[0].status, RUG_GLCM_OK);
            if (threads == 1) {
                first = rows;
                continue;
            }
            assert_same_rows(&first, &rows);
            free(rows.row);
        }
        free(first.row);
    }
    rug_context_free(ctx);
}

/* A volume of 3 x 4 x 5 pixels: label 2 in a corner and far from it, label 9 in the middle. */
static void places_of_labels(void **state)
{
    (void)state;
    static uint8_t volume[3 * 4 * 5], labels[3 * 4 * 5];
    static const size_t first[][3] = {{0, 0, 0}, {1, 1, 1}};
    static const size_t shape[][3] = {{3, 1, 5}, {1, 2, 3}};
    labels[0] = labels[2 * 20 + 4] = 2;
    labels[20 + 5 + 1] = labels[20 + 5 + 2] = labels[20 + 10 + 3] = 9;
    rug_image img = test_u8(volume, 3, 4, 5), label_image = test_u8(labels, 3, 4, 5);
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    opts.labels = glcm_source(&label_image);
    opts.aggregate = RUG_GLCM_AGGREGATE_NONE;
    rug_context *ctx = test_context();
    glcm_rows rows = must_measure(ctx, &img, &opts);
    assert_int_equal(rows.n, 2 * RUG_GLCM_DIRECTIONS_3D);
    for (size_t i = 0; i < rows.n; i++) {
        size_t region = i / RUG_GLCM_DIRECTIONS_3D;
        assert_int_equal(rows.row[i].label, region == 0 ? 2 : 9);
        assert_memory_equal(rows.row[i].first, first[region], sizeof first[0]);
        assert_memory_equal(rows.row[i].shape, shape[region], sizeof shape[0]);
    }
    free(rows.row);
    rug_context_free(ctx);
}

/* Without labels it is the image, or what a mask leaves of it. */
static void place_of_an_image(void **state)
{
    (void)state;
    static const uint8_t values[2 * 3] = {1, 2, 3, 4, 5, 6},
                                    mask[2 * 3] = {0, 0, 1, 0, 0, 1};
    static const size_t first[2][3] = {{0, 0, 0}, {0, 0, 2}};
    static const size_t shape[2][3] = {{1, 2, 3}, {1, 2, 1}};
    rug_image img = test_u8(values, 0, 2, 3), mask_image = test_u8(mask, 0, 2, 3);
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    rug_context *ctx = test_context();
    for (int masked = 0; masked < 2; masked++) {
        opts.mask = masked ? glcm_source(&mask_image) : NULL;
        glcm_rows rows = must_measure(ctx, &img, &opts);
        assert_int_equal(rows.n, 1);
        assert_memory_equal(rows.row[0].first, first[masked], sizeof first[0]);
        assert_memory_equal(rows.row[0].shape, shape[masked], sizeof shape[0]);
        free(rows.row);
    }
    rug_context_free(ctx);
}

/* ---- Looks for cancellation ---- */

static int count_looks(void *user)
{
    ++*(size_t *)user;
    return 0;
}

static int from_a_look_on(void *user)
{
    size_t *left = user;
    return *left == 0 || --*left == 0;
}

/* On one thread, a look for at least so many pairs, and a call can be ended at any of them. */
#define PAIRS_OF_A_LOOK ((size_t)1 << 17)

static void looks_are_many(void **state)
{
    (void)state;
    enum { NY = 450, NX = 1100 };
    static uint16_t fine[NY * NX];
    static uint8_t labels[NY * NX];
    uint64_t seed = 3;
    for (size_t i = 0; i < NY * NX; i++)
        fine[i] = (uint16_t)test_random(&seed);
    memset(labels, 7, sizeof labels);
    rug_context *ctx = test_context();
    rug_image img, regions;
    assert_int_equal(rug_image_view(ctx, &img, fine, RUG_U16, 2, (size_t[]){NY, NX}),
                     RUG_OK);
    regions = test_u8(labels, 0, NY, NX);
    assert_int_equal(rug_context_set_threads(ctx, 1), RUG_OK);
    for (int k = TEST_RACES(4, 0); k < 4; k++) {
        rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
        glcm_rows rows = {0};
        size_t looks = 0;
        o.aggregate = RUG_GLCM_AGGREGATE_MERGED;
        o.features = k == 3 ? RUG_GLCM_FEATURES_14 : RUG_GLCM_FEATURES_13;
        o.directions = k == 3 ? 1 : 0;
        o.levels = k == 1 ? RUG_GLCM_LEVELS_COUNT : RUG_GLCM_LEVELS_EXACT;
        o.n_levels = k == 1 ? 300 : 0;
        o.labels = k == 2 ? glcm_source(&regions) : NULL;
        rug_context_set_cancel(ctx, count_looks, &looks);
        rows = must_measure(ctx, &img, &o);
        assert_true(looks > rows.row[0].pairs / PAIRS_OF_A_LOOK);
        free(rows.row);
        for (size_t at = 1; at < looks; at += looks / 9 + 1) {
            size_t left = at;
            rows = (glcm_rows){0};
            rug_context_set_cancel(ctx, from_a_look_on, &left);
            assert_int_equal(rug_glcm(ctx, &img, &o, glcm_keep, &rows), RUG_E_CANCELLED);
            assert_string_equal(rug_context_error(ctx), "cancelled");
            assert_int_equal(rows.n, 0);
        }
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_numbers),       cmocka_unit_test(bad_images),
        cmocka_unit_test(bad_labels),        cmocka_unit_test(failing_memory),
        cmocka_unit_test(callbacks),         cmocka_unit_test(order_of_rows),
        cmocka_unit_test(large_images),      cmocka_unit_test(places_of_labels),
        cmocka_unit_test(place_of_an_image), cmocka_unit_test(looks_are_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
