/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of co-occurrence features: each pixel is what rug_glcm() says of its window alone,
 * on random images of every kind, with one to four threads. */

#include "support.h"

#include "glcm_maps_support.h"
#include <stdio.h>

#define BOUND 1e-12

/* Part of an image: the window of a pixel, cut at its edges. */
static rug_image crop(const rug_image *img, const uint32_t window[2], size_t y, size_t x)
{
    const size_t at[2] = {y, x};
    rug_image part = *img;
    for (int a = 0; a < 2; a++) {
        size_t r = window[a] / 2;
        size_t first = at[a] > r ? at[a] - r : 0;
        size_t end = at[a] + r < img->shape[a] ? at[a] + r + 1 : img->shape[a];
        part.data = (const char *)part.data + (ptrdiff_t)first * img->stride[a];
        part.shape[a] = end - first;
    }
    return part;
}

/* Fails unless a pixel of all maps is what its window says by itself; `alone` are options
 * whose levels do not depend on the image. */
static void check_pixel(rug_context *ctx, const kept *k, const rug_image *img,
                        const rug_glcm_options *alone, const uint32_t window[2], size_t y,
                        size_t x)
{
    rug_image part = crop(img, window, y, x), mask;
    rug_glcm_options o = *alone;
    o.features = RUG_GLCM_FEATURES_ALL;
    if (o.mask != NULL) {
        mask = crop(o.mask->user, window, y, x);
        o.mask = glcm_source(&mask);
    }
    glcm_rows rows = must_measure(ctx, &part, &o);
    for (uint32_t i = 0; i < k->n_maps; i++) {
        double v = k->values[(i * k->ny + y) * k->nx + x];
        double expected = rows.row[0].features[k->features[i]];
        if (glcm_error(v, expected, 1e-3) > BOUND)
            fail_msg("%s of (%zu, %zu), window %ux%u: %.17g, %.17g expected",
                     rug_glcm_feature_name(k->features[i]), y, x, window[0], window[1], v,
                     expected);
    }
    free(rows.row);
}

/* Numbers small enough to be checked by hand: windows of 3 in Haralick's example. */
static void known_truth(void **state)
{
    (void)state;
    static const uint8_t h4[16] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 2, 2, 2, 2, 2, 3, 3};
    static const rug_glcm_feature f[] = {RUG_GLCM_CONTRAST, RUG_GLCM_CORRELATION,
                                         RUG_GLCM_ENTROPY};
    rug_context *ctx = test_context();
    rug_image img = test_u8(h4, 0, 4, 4);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.directions = 1; /* 0 degrees */
    kept k = must_map(ctx, &img, &o, 3, f, 3);
    /* The window of (0, 0) is 0 0 / 0 0: no variance. */
    assert_true(k.values[0] == 0);
    assert_true(isnan(k.values[16]));
    assert_true(k.values[32] == 0);
    /* That of (1, 1) is 0 0 1 / 0 0 1 / 0 2 2: differences 0 1 0 1 2 0. */
    assert_true(k.values[5] == 1);
    /* Pairs 00 01 00 01 02 22: entries 4/12, 2/12 twice, 1/12 twice, 2/12. */
    double entropy = 4 / 12.0 * log2(3) + 3 * (2 / 12.0) * log2(6) + 2 / 12.0 * log2(12);
    assert_true(fabs(k.values[32 + 5] - entropy) < 1e-13);
    /* Marginals: 0 in 7, 1 in 2, 2 in 3 of 12, and sum i j = 8 of 12. */
    double mean = 8 / 12.0, variance = 14 / 12.0 - mean * mean;
    assert_true(fabs(k.values[16 + 5] - (8 / 12.0 - mean * mean) / variance) < 1e-14);
    free(k.values);
    rug_context_free(ctx);
}

/* Numbers that are plain are plain: 1, 0 and twice the level. */
static void flat_windows(void **state)
{
    (void)state;
    static const rug_glcm_feature f[] = {RUG_GLCM_ANGULAR_SECOND_MOMENT,
                                         RUG_GLCM_INVERSE_DIFFERENCE_MOMENT,
                                         RUG_GLCM_SUM_AVERAGE,
                                         RUG_GLCM_CONTRAST,
                                         RUG_GLCM_ENTROPY,
                                         RUG_GLCM_INFO_CORRELATION_2};
    static const double expected[] = {1, 1, 14, 0, 0, 0};
    static uint8_t sevens[20 * 20];
    memset(sevens, 7, sizeof sevens);
    rug_context *ctx = test_context();
    rug_image img = test_u8(sevens, 0, 20, 20);
    kept k = must_map(ctx, &img, NULL, 9, f, 6);
    for (size_t i = 0; i < 6 * 400; i++)
        assert_true(k.values[i] == expected[i / 400]);
    free(k.values);
    rug_context_free(ctx);
}

/* Three rows of five, by hand; and a distance that only some directions have room for. */
static void sides(void **state)
{
    (void)state;
    static const uint8_t h4[16] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 2, 2, 2, 2, 2, 3, 3};
    static const rug_glcm_feature f[] = {RUG_GLCM_CONTRAST};
    static const uint32_t flat[2] = {3, 5}, high[2] = {5, 3};
    static const uint32_t far[] = {3};
    rug_context *ctx = test_context();
    rug_image img = test_u8(h4, 0, 4, 4);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.directions = 1; /* 0 degrees */
    kept k = must_map_sides(ctx, &img, &o, flat, f, 1);
    /* That of (1, 1) is 0 0 1 1 / 0 0 1 1 / 0 2 2 2. */
    assert_true(fabs(k.values[5] - 6 / 9.0) < 1e-15);
    free(k.values);
    k = must_map_sides(ctx, &img, &o, high, f, 1);
    /* That of (1, 1) is the first three columns: 0 0 1 twice, 0 2 2, 2 2 3. */
    assert_true(fabs(k.values[5] - 7 / 8.0) < 1e-15);
    free(k.values);
    o.directions = 0;
    o.distances = far;
    o.n_distances = 1;
    k = must_map_sides(ctx, &img, &o, high, f, 1);
    /* (1, 1) has pairs at 90 degrees alone: 0 2, 0 2, 1 3. */
    assert_true(fabs(k.values[5] - 4) < 1e-15);
    free(k.values);
    rug_context_free(ctx);
}

#define MAX_SIDE 40

/* A random image with its mask, in memory of its own. */
typedef struct job {
    uint64_t rng;
    rug_image image, mask;
    union {
        uint8_t u8[MAX_SIDE * MAX_SIDE];
        uint16_t u16[MAX_SIDE * MAX_SIDE];
        int64_t i64[MAX_SIDE * MAX_SIDE];
        float f32[MAX_SIDE * MAX_SIDE];
    } pixels;
    uint8_t inside[MAX_SIDE * MAX_SIDE];
    double lo, hi; /* of pixels inside that are finite */
    uint32_t window[2], distance;
    rug_glcm_options opts, alone;
} job;

static size_t random_side(job *j)
{
    uint64_t kind = test_below(&j->rng, 8);
    return kind == 0 ? 1 : kind == 1 ? MAX_SIDE : 2 + test_below(&j->rng, 22);
}

static double random_pixel(job *j, rug_dtype dtype, size_t i, uint64_t n_levels)
{
    uint64_t v = test_below(&j->rng, n_levels);
    switch (dtype) {
    case RUG_U8: return j->pixels.u8[i] = (uint8_t)v;
    case RUG_U16: return j->pixels.u16[i] = (uint16_t)(v * 65535 / (n_levels - 1));
    case RUG_I64: return (double)(j->pixels.i64[i] = (int64_t)v - 1000000);
    default:
        j->pixels.f32[i] = test_below(&j->rng, 30) == 0 ? NAN : (float)v / 8 - 3;
        return (double)j->pixels.f32[i];
    }
}

static void random_image(rug_context *ctx, job *j)
{
    static const rug_dtype dtypes[] = {RUG_U8, RUG_U16, RUG_I64, RUG_F32};
    static const uint64_t n_levels[] = {2, 3, 8, 32, 200, 256};
    rug_dtype dtype = dtypes[test_below(&j->rng, 4)];
    uint64_t n = n_levels[test_below(&j->rng, 6)];
    size_t shape[2] = {random_side(j), random_side(j)};
    int with_mask = test_below(&j->rng, 3) == 0;
    j->lo = INFINITY;
    j->hi = -INFINITY;
    for (size_t i = 0; i < shape[0] * shape[1]; i++) {
        double v = random_pixel(j, dtype, i, n);
        j->inside[i] = !with_mask || test_below(&j->rng, 4) > 0;
        if (isfinite(v) && j->inside[i]) {
            j->lo = fmin(j->lo, v);
            j->hi = fmax(j->hi, v);
        }
    }
    assert_int_equal(rug_image_view(ctx, &j->image, &j->pixels, dtype, 2, shape), RUG_OK);
    j->mask = test_u8(j->inside, 0, shape[0], shape[1]);
    j->opts = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    j->opts.mask = with_mask ? glcm_source(&j->mask) : NULL;
}

static double pixel_of(const job *j, size_t i)
{
    switch (j->image.dtype) {
    case RUG_U8: return j->pixels.u8[i];
    case RUG_U16: return j->pixels.u16[i];
    case RUG_I64: return (double)j->pixels.i64[i];
    default: return (double)j->pixels.f32[i];
    }
}

/* Leaves out the upper or the lower part of the values. */
static void random_resegment(job *j)
{
    rug_glcm_options *o = &j->opts;
    if (!(j->lo < j->hi) || test_below(&j->rng, 3) > 0)
        return;
    double part = (j->hi - j->lo) * (1 + (double)test_below(&j->rng, 6)) / 8;
    int is_upper = test_below(&j->rng, 2) == 0;
    o->resegment = 1;
    o->resegment_lo = is_upper ? j->lo + part : j->lo - 2;
    o->resegment_hi = is_upper ? j->hi + 2 : j->hi - part;
    j->lo = INFINITY;
    j->hi = -INFINITY;
    for (size_t i = 0; i < j->image.shape[0] * j->image.shape[1]; i++) {
        double v = pixel_of(j, i);
        if (j->inside[i] && v >= o->resegment_lo && v <= o->resegment_hi) {
            j->lo = fmin(j->lo, v);
            j->hi = fmax(j->hi, v);
        }
    }
}

/* What is asked for, and the same with a range that does not depend on the image. */
static void random_options(job *j)
{
    static const uint32_t windows[] = {3, 5, 7, 15, 81};
    rug_glcm_options *o = &j->opts;
    j->window[0] = windows[test_below(&j->rng, 5)];
    j->window[1] =
        test_below(&j->rng, 2) ? j->window[0] : windows[test_below(&j->rng, 5)];
    j->distance = 1 + (uint32_t)test_below(&j->rng, test_below(&j->rng, 3) > 0 ? 1 : 2);
    o->directions = (uint32_t)test_below(&j->rng, 16);
    o->distances = &j->distance;
    o->n_distances = 1;
    o->log_base = test_below(&j->rng, 2) ? 2 : 2.718281828459045;
    uint64_t rule = test_below(&j->rng, 4);
    if (rule == 0) {
        o->levels = RUG_GLCM_LEVELS_WIDTH;
        o->bin_width = 1 + (double)test_below(&j->rng, 300) / 8;
    } else if (rule == 1 || j->image.dtype == RUG_F32) {
        o->levels = RUG_GLCM_LEVELS_COUNT;
        o->n_levels = 2 + (uint32_t)test_below(&j->rng, 255);
    }
    if (rule == 0 && test_below(&j->rng, 2) == 0)
        o->origin = RUG_GLCM_ORIGIN_MIN;
    random_resegment(j);
    j->alone = *o;
    j->alone.origin = RUG_GLCM_ORIGIN_AUTO;
    if (o->levels != RUG_GLCM_LEVELS_AUTO && j->lo < j->hi) {
        j->alone.range = RUG_GLCM_RANGE_GIVEN;
        j->alone.range_lo = rule != 0 || o->origin == RUG_GLCM_ORIGIN_MIN ? j->lo
                            : o->resegment ? o->resegment_lo
                                           : floor(j->lo / o->bin_width) * o->bin_width;
        j->alone.range_hi = j->hi;
    }
}

/* Corners, and some pixels more. */
static void check_some(rug_context *ctx, job *j, const kept *k)
{
    for (size_t i = 0; i < 40; i++) {
        size_t y = i < 4 ? i / 2 * (k->ny - 1) : test_below(&j->rng, k->ny);
        size_t x = i < 4 ? i % 2 * (k->nx - 1) : test_below(&j->rng, k->nx);
        check_pixel(ctx, k, &j->image, &j->alone, j->window, y, x);
    }
}

static void random_windows(void **state)
{
    (void)state;
    static job j;
    rug_context *ctx = test_context();
    for (uint64_t seed = 1; seed <= 60; seed += TEST_STEP(TEST_RACES(12, 3))) {
        j.rng = seed;
        random_image(ctx, &j);
        random_options(&j);
        kept first = {0};
        for (int threads = 1; threads <= 4; threads++) {
            rug_context_set_threads(ctx, threads);
            kept k =
                must_map_sides(ctx, &j.image, &j.opts, j.window, all_features, N_ALL);
            if (threads == 1) {
                first = k;
                continue;
            }
            for (size_t i = 0; i < N_ALL * k.ny * k.nx; i++)
                if (!same_number(first.values[i], k.values[i]))
                    fail_msg("seed %d: %d threads differ", (int)seed, threads);
            free(k.values);
        }
        rug_context_set_threads(ctx, 1);
        print_message("seed %d: %zux%zu, window %ux%u\n", (int)seed, first.ny, first.nx,
                      j.window[0], j.window[1]);
        check_some(ctx, &j, &first);
        free(first.values);
    }
    rug_context_free(ctx);
}

/* A list of features changes what is counted, not what is found. */
static void few_features(void **state)
{
    (void)state;
    static job j;
    rug_context *ctx = test_context();
    for (uint64_t seed = 500; seed < 510; seed += TEST_STEP(3)) {
        j.rng = seed;
        random_image(ctx, &j);
        random_options(&j);
        kept all = must_map_sides(ctx, &j.image, &j.opts, j.window, all_features, N_ALL);
        for (size_t f = 0; f < N_ALL; f++) {
            kept k =
                must_map_sides(ctx, &j.image, &j.opts, j.window, &all_features[f], 1);
            for (size_t i = 0; i < k.ny * k.nx; i++)
                assert_true(same_number(k.values[i], all.values[f * k.ny * k.nx + i]));
            free(k.values);
        }
        free(all.values);
    }
    rug_context_free(ctx);
}

/* The largest sums that there can be, and the most levels, which take long and are all in
 * half the rows. */
static void largest_windows(void **state)
{
    (void)state;
    enum { NY = 257, NX = 259 };
    static const uint32_t both[2] = {255, 255};
    static uint16_t pixels[NY * NX];
    rug_context *ctx = test_context();
    rug_image img;
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    uint64_t rng = 77;
    for (int kind = 0; kind < 3; kind += TEST_STEP(3)) {
        size_t ny = kind == 1 ? 129 : NY;
        assert_int_equal(
            rug_image_view(ctx, &img, pixels, RUG_U16, 2, (size_t[]){ny, NX}), RUG_OK);
        for (size_t i = 0; i < NY * NX; i++)
            pixels[i] = kind == 0   ? (uint16_t)(65535 * test_below(&rng, 2))
                        : kind == 1 ? (uint16_t)(16 * test_below(&rng, 4096))
                                    : (uint16_t)(i == 0 ? 0 : 65535);
        kept k = must_map(ctx, &img, &o, 255, all_features, N_ALL);
        check_pixel(ctx, &k, &img, &o, both, 0, 0);
        check_pixel(ctx, &k, &img, &o, both, 127, 127);
        check_pixel(ctx, &k, &img, &o, both, 128, 131);
        check_pixel(ctx, &k, &img, &o, both, ny - 1, NX - 1);
        free(k.values);
    }
    rug_context_free(ctx);
}

/* More rows than a block holds come one block after the other. */
static void many_blocks(void **state)
{
    (void)state;
    enum { NY = 700, NX = 150 };
    static const uint32_t both[2] = {3, 3};
    static uint8_t pixels[NY * NX];
    for (size_t i = 0; i < NY * NX; i++)
        pixels[i] = (uint8_t)(i * i / 7 % 9);
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, NY, NX);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    kept k = must_map(ctx, &img, &o, 3, all_features, N_ALL);
    for (size_t y = 0; y < NY; y += 43)
        check_pixel(ctx, &k, &img, &o, both, y, y % NX);
    free(k.values);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_truth),  cmocka_unit_test(flat_windows),
        cmocka_unit_test(sides),        cmocka_unit_test(random_windows),
        cmocka_unit_test(few_features), cmocka_unit_test(largest_windows),
        cmocka_unit_test(many_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
