/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting: known truths, and random images, volumes and masks against the
 * definition at every CPU level and number of threads. */

#include "support.h"

#include "dbc/dbc_result.h"
#include "dbc_support.h"
#include "sample_support.h"
#include <stdio.h>

#define N_CASES TEST_CASES(2500)

static dbc_counts must_count(rug_context *ctx, const rug_image *img,
                             const rug_dbc_options *opts)
{
    dbc_counts out;
    if (dbc_count(ctx, &out, img, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return out;
}

/* Fits counts, which may be put together by hand. */
static rug_status fit_counts(rug_context *ctx, rug_fit *out, const dbc_counts *c,
                             int auto_range, uint64_t lo, uint64_t hi)
{
    rug_dbc_result r = {.facts = {.ndim = c->ndim,
                                  .n_pixels = c->n_pixels,
                                  .n_left_out = c->n_left_out,
                                  .n_sizes = c->n_sizes}};
    memcpy(r.facts.shape, c->shape, sizeof c->shape);
    memcpy(r.sizes, c->sizes, sizeof c->sizes);
    const rug_fit_options range = {sizeof range, auto_range, lo, hi};
    *out = (rug_fit)RUG_FIT_INIT;
    return rug_dbc_fit(ctx, out, &r, &range);
}

static rug_fit must_fit(rug_context *ctx, const dbc_counts *counts, int auto_range,
                        uint64_t lo, uint64_t hi)
{
    rug_fit out;
    if (fit_counts(ctx, &out, counts, auto_range, lo, hi) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return out;
}

/* All grey values equal: one box over each block. */
static void flat_images(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static uint8_t pixels[64 * 64];
    memset(pixels, 200, sizeof pixels);
    rug_image img = test_u8(pixels, 0, 64, 64);
    dbc_counts r = must_count(ctx, &img, NULL);
    assert_int_equal(r.n_sizes, 5);
    for (uint32_t i = 0; i < 5; i++) {
        uint64_t side = 64 / r.sizes[i].size;
        assert_int_equal(r.sizes[i].blocks, side * side);
        assert_int_equal(r.sizes[i].boxes, side * side);
    }
    rug_fit d = must_fit(ctx, &r, 0, 0, 0);
    assert_true(fabs(d.slope - 2) < 1e-12);
    assert_string_equal(rug_fit_status_name(d.status), "doubtful"); /* sizes 2..16 */
    img = test_u8(pixels, 16, 16, 16);
    r = must_count(ctx, &img, NULL);
    d = must_fit(ctx, &r, 1, 0, 0);
    assert_true(fabs(d.slope - 3) < 1e-12);
    float zeros[8 * 8] = {0};
    const size_t shape[2] = {8, 8};
    assert_int_equal(rug_image_view(ctx, &img, zeros, RUG_F32, 2, shape), RUG_OK);
    r = must_count(ctx, &img, NULL);
    assert_true(r.levels == 0 && r.base == 0 && r.sizes[0].height == 0);
    assert_int_equal(r.sizes[0].boxes, 16);
    assert_int_equal(r.sizes[1].boxes, 4);
    rug_context_free(ctx);
}

/* A flat image of any shape is a surface, and a flat volume a volume: whatever the edge cuts,
 * N(s) is the number of pixels over s^2 or s^3. */
static void flat_of_any_shape(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {{0, 100, 130}, {0, 1, 1000}, {0, 77, 513},
                                       {10, 20, 30},  {1, 65, 129}, {67, 1, 5},
                                       {0, 300, 2}};
    static const rug_dtype dtypes[] = {RUG_U8, RUG_I16, RUG_F32};
    rug_context *ctx = test_context();
    float *pixels = calloc(100 * 1000, sizeof *pixels);
    assert_non_null(pixels);
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        for (int d = 0; d < 3; d++) {
            const size_t *n = shapes[k];
            int ndim = n[0] > 0 ? 3 : 2;
            rug_image img;
            assert_int_equal(
                rug_image_view(ctx, &img, pixels, dtypes[d], ndim, n + 3 - ndim), RUG_OK);
            dbc_counts r = must_count(ctx, &img, NULL);
            for (uint32_t i = 0; i < r.n_sizes; i++)
                assert_true(r.sizes[i].boxes_by_area ==
                            ldexp((double)rug_image_pixels(&img), -ndim * ((int)i + 1)));
            rug_fit f = must_fit(ctx, &r, 0, 2, r.sizes[r.n_sizes - 1].size);
            if (f.slope != ndim)
                fail_msg("shape %zu: D = %.17g", k, f.slope);
        }
    free(pixels);
    rug_context_free(ctx);
}

/* A constant that is added changes nothing where heights are measured from the least value. */
static void constants(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static uint8_t pixels[90 * 70], more[90 * 70];
    uint64_t rng = 21;
    for (size_t i = 0; i < sizeof pixels; i++) {
        pixels[i] = (uint8_t)(7 + test_below(&rng, 200));
        more[i] = (uint8_t)(pixels[i] + 37);
    }
    rug_image img = test_u8(pixels, 0, 90, 70), brighter = test_u8(more, 0, 90, 70);
    for (int levels = 0; levels <= 100; levels += 100) {
        rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
        opts.levels = levels;
        dbc_counts a = must_count(ctx, &img, &opts),
                   b = must_count(ctx, &brighter, &opts);
        assert_true(a.base == 0 && a.sizes[2].boxes != b.sizes[2].boxes);
        opts.anchor = RUG_DBC_ANCHOR_MIN;
        a = must_count(ctx, &img, &opts);
        b = must_count(ctx, &brighter, &opts);
        assert_true(a.base == a.min && b.base == a.base + 37 && a.levels == b.levels);
        for (uint32_t i = 0; i < a.n_sizes; i++)
            assert_true(a.sizes[i].boxes == b.sizes[i].boxes &&
                        a.sizes[i].boxes_by_area == b.sizes[i].boxes_by_area);
    }
    rug_context_free(ctx);
}

/* Values and sizes that can be counted by hand. M = 4, G = 256, s = 2: h = 128. */
static void by_hand(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t pixels[16] = {0, 127, 0,   128, 1, 2, 3, 4,
                                       0, 255, 128, 255, 9, 9, 9, 200};
    rug_image img = test_u8(pixels, 0, 4, 4);
    dbc_counts r = must_count(ctx, &img, NULL);
    assert_int_equal(r.n_sizes, 1);
    assert_true(r.sizes[0].height == 128 && r.levels == 256 && r.base == 0);
    assert_true(r.min == 0 && r.max == 255);
    assert_int_equal(r.sizes[0].blocks, 4);
    assert_int_equal(r.sizes[0].boxes, 1 + 2 + 2 + 2);
    assert_true(r.sizes[0].boxes_by_area == 7);
    img = test_u8(pixels, 0, 3, 4); /* without the last row: half of 2 + 1 boxes */
    assert_true(must_count(ctx, &img, NULL).sizes[0].boxes_by_area ==
                1 + 2 + (2 + 1) / 2.0);
    img = test_u8(pixels, 0, 4, 4);
    rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    opts.levels = 4; /* h = max(1, 2) */
    r = must_count(ctx, &img, &opts);
    assert_int_equal(r.sizes[0].boxes, 64 + 65 + 128 + 124);
    rug_context_free(ctx);
}

/* A plane that rises by a grey level a pixel, G = M: n = 1 + floor of what a block rises
 * over h = s. A ramp is a smooth surface: its dimension is 2. */
static void ramp(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static uint8_t pixels[256 * 256];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i % 256);
    rug_image img = test_u8(pixels, 0, 256, 256);
    dbc_counts r = must_count(ctx, &img, NULL);
    for (uint32_t i = 0; i < r.n_sizes; i++)
        assert_int_equal(r.sizes[i].boxes, r.sizes[i].blocks);
    rug_fit d = must_fit(ctx, &r, 0, 0, 0);
    assert_true(fabs(d.slope - 2) < 1e-12);
    assert_int_equal(d.size_min, 2);
    assert_int_equal(d.size_max, 64);
    rug_context_free(ctx);
}

/* The rougher, the higher: a surface of midpoints displaced by H = 0.5 has D = 2.5, of which
 * differential box counting is known to see too little; white noise lies near 3. */
static void rough_surfaces(void **state)
{
    (void)state;
    enum { N = 513 };
    rug_context *ctx = test_context();
    float *v = calloc((size_t)N * N, sizeof *v);
    assert_non_null(v);
    uint64_t rng = 3;
    double size = 1;
#define NOISE() ((double)(test_random(&rng) >> 11) * 0x1p-53 * 2 - 1)
    for (size_t step = N - 1; step > 1; step /= 2, size *= 0.7071067811865476) {
        size_t h = step / 2;
        for (size_t y = h; y < N; y += step) /* middles of squares */
            for (size_t x = h; x < N; x += step)
                v[y * N + x] =
                    (float)((double)(v[(y - h) * N + x - h] + v[(y - h) * N + x + h] +
                                     v[(y + h) * N + x - h] + v[(y + h) * N + x + h]) /
                                4 +
                            size * NOISE());
        for (size_t y = 0; y < N; y += h) /* middles of edges */
            for (size_t x = (y + h) % step; x < N; x += step) {
                double sum = 0, n = 0;
                if (y >= h)
                    sum += (double)v[(y - h) * N + x], n++;
                if (y + h < N)
                    sum += (double)v[(y + h) * N + x], n++;
                if (x >= h)
                    sum += (double)v[y * N + x - h], n++;
                if (x + h < N)
                    sum += (double)v[y * N + x + h], n++;
                v[y * N + x] = (float)(sum / n + size * 0.84 * NOISE());
            }
    }
    rug_image img;
    const size_t shape[2] = {N, N};
    assert_int_equal(rug_image_view(ctx, &img, v, RUG_F32, 2, shape), RUG_OK);
    dbc_counts r = must_count(ctx, &img, NULL);
    double brownian = must_fit(ctx, &r, 0, 0, 0).slope;
    if (!(brownian > 2.15 && brownian < 2.6))
        fail_msg("D = %g of a Brownian surface", brownian);
    for (size_t i = 0; i < (size_t)N * N; i++)
        v[i] = (float)NOISE();
    r = must_count(ctx, &img, NULL);
    double noise = must_fit(ctx, &r, 0, 0, 0).slope;
    if (!(noise > 2.7 && noise <= 3))
        fail_msg("D = %g of noise", noise);
    free(v);
    rug_context_free(ctx);
}

static void check_sample(rug_context *ctx, uint64_t *rng, const rug_image *img,
                         const rug_image *mask, double levels, const char *what)
{
    rug_source source = RUG_SOURCE_INIT;
    rug_dbc_anchor anchor = (rug_dbc_anchor)test_below(rng, 2);
    rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    opts.levels = levels;
    opts.mask = rug_source_of_image(&source, mask);
    opts.anchor = anchor;
    dbc_counts expected = dbc_naive_from(img, mask, levels, anchor), got;
    for (rug_cpu_level level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        assert_int_equal(rug_context_set_cpu_level(ctx, level), RUG_OK);
        if (rug_context_cpu_level(ctx) != level)
            continue; /* said once, by equal_to_naive() */
        assert_int_equal(rug_context_set_threads(ctx, 1 + (int)test_below(rng, 4)),
                         RUG_OK);
        if (dbc_count(ctx, &got, img, &opts) != RUG_OK)
            fail_msg("%s: %s", what, rug_context_error(ctx));
        char where[200];
        snprintf(where, sizeof where, "%s, anchor %s, level %s", what,
                 rug_dbc_anchor_name(anchor), rug_cpu_level_name(level));
        dbc_assert_equal(&got, &expected, where);
        assert_string_equal(got.engine + 4, rug_cpu_level_name(level));
    }
}

/* A mask of an image's shape: bytes, or floats with NaN. Its buffer is to be freed. */
static rug_image random_mask(uint64_t *rng, const rug_image *img, void **buffer)
{
    size_t n = (size_t)rug_image_pixels(img);
    uint64_t share = test_below(rng, 4);
    float *pixels = malloc(n * sizeof *pixels);
    assert_non_null(pixels);
    int is_float = (int)test_below(rng, 2);
    for (size_t i = 0; i < n; i++) {
        int inside = test_below(rng, 4) > share - (share == 3);
        if (is_float)
            pixels[i] = inside ? 0.5f : test_below(rng, 2) ? NAN : 0.0f;
        else
            ((uint8_t *)pixels)[i] = (uint8_t)(inside ? 1 + test_below(rng, 200) : 0);
    }
    *buffer = pixels;
    rug_image mask;
    assert_int_equal(rug_image_view(NULL, &mask, pixels, is_float ? RUG_F32 : RUG_U8,
                                    img->ndim, img->shape),
                     RUG_OK);
    return mask;
}

static double random_levels(uint64_t *rng, rug_dtype dtype)
{
    if (test_below(rng, 2))
        return 0;
    if (dtype == RUG_F32)
        return 1e29;
    if (dtype == RUG_F64)
        return 1e307;
    if (rug_dtype_size(dtype) == 8)
        return 0x1p53;
    return (double)(1 + (test_random(rng) >> (38 + test_below(rng, 26))));
}

static void equal_to_naive(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t seed = test_seed(ctx, 20261128, N_CASES);
    for (int i = 0; i < N_CASES; i++) {
        uint64_t rng = seed + (uint64_t)i;
        sample s = random_sample(&rng);
        double levels = random_levels(&rng, s.img.dtype);
        rug_image mask;
        void *buffer = NULL;
        if (test_below(&rng, 3) == 0)
            mask = random_mask(&rng, &s.img, &buffer);
        char what[160];
        snprintf(what, sizeof what, "case %d: %s %zux%zux%zu levels %g%s", i,
                 rug_dtype_name(s.img.dtype), s.img.shape[0], s.img.shape[1],
                 s.img.ndim == 3 ? s.img.shape[2] : 0, levels,
                 buffer != NULL ? " masked" : "");
        check_sample(ctx, &rng, &s.img, buffer != NULL ? &mask : NULL, levels, what);
        assert_memory_equal(s.buffer, s.copy, s.n_bytes);
        free(buffer);
        free_sample(&s);
    }
    rug_context_free(ctx);
}

/* Wider than a tile, and longer than the blocks that tiles make. */
static void large_images(void **state)
{
    (void)state;
    static const struct {
        rug_dtype dtype;
        size_t shape[3];
        double levels;
    } cases[] = {{RUG_U8, {0, 7, 20011}, 0},   {RUG_U8, {0, 1300, 333}, 0},
                 {RUG_U8, {70, 67, 1100}, 0},  {RUG_U8, {3, 200, 517}, 0},
                 {RUG_U16, {0, 131, 9001}, 0}, {RUG_U16, {0, 131, 1001}, 300},
                 {RUG_I16, {0, 67, 5000}, 0},  {RUG_U16, {66, 70, 300}, 0},
                 {RUG_U32, {0, 40, 4000}, 0},  {RUG_U64, {0, 30, 3000}, 0},
                 {RUG_F32, {0, 100, 4500}, 0}, {RUG_F64, {65, 66, 130}, 0},
                 {RUG_U16, {0, 3, 70001}, 0},  {RUG_U8, {0, 2, 70001}, 1}};
    rug_context *ctx = test_context();
    uint64_t rng = 11;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const size_t *n = cases[k].shape;
        size_t pixels = (n[0] ? n[0] : 1) * n[1] * n[2],
               size = rug_dtype_size(cases[k].dtype);
        uint8_t *buffer = malloc(pixels * size);
        assert_non_null(buffer);
        for (size_t i = 0; i < pixels * size; i++)
            buffer[i] = (uint8_t)(test_random(&rng) >> 60 * (i / 977 % 2));
        if (cases[k].dtype == RUG_F32)
            for (size_t i = 0; i < pixels; i++)
                ((float *)(void *)buffer)[i] = (float)test_below(&rng, 1000) / 7.0f;
        rug_image img;
        assert_int_equal(rug_image_view(ctx, &img, buffer, cases[k].dtype, n[0] ? 3 : 2,
                                        n + (n[0] == 0)),
                         RUG_OK);
        char what[80];
        snprintf(what, sizeof what, "large %zu", k);
        check_sample(ctx, &rng, &img, NULL, cases[k].levels, what);
        free(buffer);
    }
    rug_context_free(ctx);
}

/* Every height that an axis up to 1500 pixels can give, over all grey values at once: one
 * block that holds v and 0 tells the number of the box of v. */
static void every_height(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint8_t *pixels = calloc(1, 2 * 1500);
    assert_non_null(pixels);
    uint64_t rng = 5;
    for (size_t n = 257; n <= 1500; n += 1 + test_below(&rng, 9)) {
        for (size_t i = 0; i < n; i++) {
            pixels[i] = (uint8_t)(i % 2 ? i / 2 : 0);
            pixels[n + i] = 0;
        }
        rug_image img = test_u8(pixels, 0, 2, n);
        check_sample(ctx, &rng, &img, NULL, 0, "heights");
    }
    free(pixels);
    rug_context_free(ctx);
}

static void fits(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    dbc_counts r = {.ndim = 2, .shape = {64, 64}, .n_pixels = 4096, .n_sizes = 5};
    for (uint32_t i = 0; i < 5; i++)
        r.sizes[i] = (rug_dbc_size){(uint64_t)2 << i, 1, (uint64_t)1024 >> 2 * i, 1,
                                    ldexp(1, 20 - 3 * (int)i)};
    rug_fit d = must_fit(ctx, &r, 0, 0, 0);
    assert_true(fabs(d.slope - 3) < 1e-12 && d.n_sizes == 4 && d.size_max == 16);
    d = must_fit(ctx, &r, 0, 4, 8);
    assert_true(fabs(d.slope - 3) < 1e-12 && d.n_sizes == 2 && isnan(d.std_error));
    assert_true(fabs(d.local_slope[3] - 3) < 1e-12 && isnan(d.local_slope[4]));
    assert_true(!d.used[0] && d.used[1] && d.used[2] && !d.used[3]);
    d = must_fit(ctx, &r, 0, 32, 0);
    assert_true(isnan(d.slope));
    assert_string_equal(rug_fit_status_name(d.status), "too few sizes");
    d = must_fit(ctx, &r, 1, 0, 0);
    assert_int_equal(d.n_sizes, 5);
    r.n_left_out = r.n_pixels;
    assert_int_equal(must_fit(ctx, &r, 0, 0, 0).status, RUG_FIT_EMPTY);
    assert_int_equal(fit_counts(ctx, &d, &r, 1, 2, 0), RUG_E_ARG);
    assert_int_equal(fit_counts(ctx, &d, &r, 0, 8, 4), RUG_E_ARG);
    assert_true(d.struct_size == sizeof d && d.slope == 0 && d.n_sizes == 0);
    assert_int_equal(rug_dbc_fit(ctx, &d, NULL, NULL), RUG_E_ARG);
    const rug_dbc_result none = {.facts = {.ndim = 2}};
    assert_int_equal(rug_dbc_fit(ctx, NULL, &none, NULL), RUG_E_ARG);
    d.struct_size = 0;
    assert_int_equal(rug_dbc_fit(ctx, &d, &none, NULL), RUG_E_ARG);
    r.n_sizes = 0;
    r.n_left_out = 0;
    assert_int_equal(must_fit(ctx, &r, 0, 0, 0).status, RUG_FIT_TOO_FEW_SIZES);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_images),    cmocka_unit_test(flat_of_any_shape),
        cmocka_unit_test(constants),      cmocka_unit_test(by_hand),
        cmocka_unit_test(ramp),           cmocka_unit_test(rough_surfaces),
        cmocka_unit_test(equal_to_naive), cmocka_unit_test(large_images),
        cmocka_unit_test(every_height),   cmocka_unit_test(fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
