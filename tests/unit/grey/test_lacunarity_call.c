/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Calls of lacunarity: what is refused and how, failing memory, cancelling, labels, grey
 * values of every dtype, and images that are too wide for shared rows. */

#include "support.h"

#include "lacunarity_support.h"
#include "memory_support.h"
#include "watch_support.h"
#include <stdio.h>

static uint8_t pixels[60 * 80];
static lacunarity result, other; /* 50 KB */

static void fill_pixels(void)
{
    uint64_t rng = 1;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(test_below(&rng, 3) * test_below(&rng, 100));
}

static void assert_zeroed(const lacunarity *r)
{
    static const lacunarity zero;
    assert_memory_equal(r, &zero, sizeof zero);
}

static void refused(rug_context *ctx, const rug_image *img,
                    const rug_lacunarity_options *opts, const char *why)
{
    memset(&result, 0xff, sizeof result);
    assert_int_equal(find_lacunarity(ctx, &result, img, opts), RUG_E_ARG);
    assert_zeroed(&result);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void bad_sizes(rug_context *ctx, const rug_image *img)
{
    static uint64_t many[RUG_LACUNARITY_MAX_SIZES + 1];
    static const uint64_t zero[] = {0}, equal[] = {2, 2}, falling[] = {1, 3, 2};
    const struct {
        const uint64_t *sizes;
        uint32_t n;
    } bad[] = {{zero, 1}, {equal, 2}, {falling, 3},
               {many, 0}, {NULL, 3},  {many, RUG_LACUNARITY_MAX_SIZES + 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.sizes = bad[i].sizes;
        opts.n_sizes = bad[i].n;
        refused(ctx, img, &opts, "size");
    }
    for (uint32_t i = 0; i <= RUG_LACUNARITY_MAX_SIZES; i++)
        many[i] = i < 5 ? i + 1 : UINT64_MAX - RUG_LACUNARITY_MAX_SIZES + i;
    rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
    opts.sizes = many;
    opts.n_sizes = RUG_LACUNARITY_MAX_SIZES;
    assert_int_equal(find_lacunarity(ctx, &result, img, &opts), RUG_OK);
    assert_int_equal(result.sizes[4].status, RUG_LACUNARITY_OK);
    assert_int_equal(result.sizes[5].status, RUG_LACUNARITY_NO_BOXES);
    assert_int_equal(result.sizes[RUG_LACUNARITY_MAX_SIZES - 1].status,
                     RUG_LACUNARITY_NO_BOXES);
}

static rug_status never(void *user, const rug_region *region,
                        const rug_lacunarity_result *r)
{
    (void)user;
    (void)region;
    (void)r;
    fail_msg("there is no label");
    return RUG_OK;
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(rug_lacunarity_boxes_name(RUG_LACUNARITY_GLIDING), "gliding");
    assert_string_equal(rug_lacunarity_boxes_name(RUG_LACUNARITY_FIXED), "fixed");
    assert_string_equal(rug_lacunarity_boxes_name((rug_lacunarity_boxes)2), "?");
    assert_string_equal(rug_lacunarity_status_name(RUG_LACUNARITY_OK), "ok");
    assert_string_equal(rug_lacunarity_status_name(RUG_LACUNARITY_EMPTY), "empty");
    assert_string_equal(rug_lacunarity_status_name(RUG_LACUNARITY_NO_BOXES), "no boxes");
    assert_string_equal(rug_lacunarity_status_name((rug_lacunarity_status)-1), "?");
}

static void bad_calls(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 60, 80), bad = img,
              volume = test_u8(pixels, 4, 5, 6);
    refused(ctx, NULL, NULL, "NULL");
    bad.dtype = (rug_dtype)99;
    refused(ctx, &bad, NULL, "dtype");
    bad = img;
    bad.shape[0] = 0;
    refused(ctx, &bad, NULL, "size 0");
    const rug_lacunarity_options good = RUG_LACUNARITY_OPTIONS_INIT;
    rug_lacunarity_options opts = good;
    rug_source other_shape = source_of_image(&volume);
    opts.mask = &other_shape;
    refused(ctx, &img, &opts, "mask");
    for (int v = -1; v <= 2; v += 3) {
        opts = good;
        opts.boxes = (rug_lacunarity_boxes)v;
        refused(ctx, &img, &opts, "boxes of kind");
    }
    opts = good;
    opts.foreground.kind = (rug_foreground_kind)99;
    refused(ctx, &img, &opts, "kind");
    opts = good;
    opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, NAN, 0};
    refused(ctx, &img, &opts, "NaN");
    opts = good;
    opts.struct_size = 3;
    refused(ctx, &img, &opts, "rug_lacunarity_options");
    bad_sizes(ctx, &img);
    int16_t below[4] = {1, 2, -3, 4};
    const size_t shape[2] = {2, 2};
    assert_int_equal(rug_image_view(ctx, &bad, below, RUG_I16, 2, shape), RUG_OK);
    opts = good;
    opts.is_gray = 1;
    refused(ctx, &bad, &opts, "-3");
    bad = img; /* one pixel, over and over */
    bad.shape[0] = 1;
    bad.shape[1] = (size_t)1 << 62;
    bad.stride[1] = 0;
    opts = good;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    assert_int_equal(find_lacunarity(ctx, &result, &bad, &opts), RUG_E_NOMEM);
    rug_lacunarity_result *r = NULL;
    assert_int_equal(rug_lacunarity(ctx, NULL, &img, NULL), RUG_E_ARG);
    assert_int_equal(rug_lacunarity(NULL, &r, &img, NULL), RUG_E_ARG);
    assert_int_equal(rug_lacunarity_source(ctx, &r, NULL, NULL), RUG_E_ARG);
    rug_source labels = source_of_image(&img);
    assert_int_equal(rug_lacunarity_labels(ctx, &img, &labels, NULL, NULL, NULL),
                     RUG_E_ARG);
    assert_int_equal(rug_lacunarity_labels(ctx, &img, NULL, NULL, never, NULL),
                     RUG_E_ARG);
    assert_int_equal(rug_lacunarity_labels(ctx, NULL, &labels, NULL, never, NULL),
                     RUG_E_ARG);
    assert_null(rug_lacunarity_get_facts(NULL));
    assert_null(rug_lacunarity_at(NULL, 0));
    rug_lacunarity_free(NULL);
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    assert_int_equal(find_lacunarity(ctx, &result, &img, NULL), RUG_E_DEVICE);
    rug_context_free(ctx);
}

/* A mask that no box fits in. */
static void boxes_cut_everywhere(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static uint8_t inside[60 * 80];
    for (size_t i = 0; i < sizeof inside; i++)
        inside[i] = i % 80 % 3 > 0;
    rug_image img = test_u8(pixels, 0, 60, 80), mask = test_u8(inside, 0, 60, 80);
    rug_source cut = source_of_image(&mask);
    rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
    opts.mask = &cut;
    assert_int_equal(find_lacunarity(ctx, &result, &img, &opts), RUG_OK);
    assert_int_equal(result.sizes[1].status, RUG_LACUNARITY_OK);
    assert_int_equal(result.sizes[2].status, RUG_LACUNARITY_NO_BOXES);
    assert_true(isnan(result.sizes[2].mean) && result.sizes[2].positions == 0);
    memset(inside, 0, sizeof inside);
    assert_int_equal(find_lacunarity(ctx, &result, &img, &opts), RUG_OK);
    assert_int_equal(result.facts.n_pixels, 0);
    assert_int_equal(result.sizes[0].status, RUG_LACUNARITY_NO_BOXES);
    rug_context_free(ctx);
}

typedef struct heard {
    int n, end_at;
    uint64_t label[8];
    size_t first[8][3];
    double lacunarity[8][4];
    uint64_t n_pixels[8];
} heard;

static rug_status hear(void *user, const rug_region *region,
                       const rug_lacunarity_result *r)
{
    heard *h = user;
    assert_true(h->n < 8);
    h->label[h->n] = region->label;
    h->n_pixels[h->n] = rug_lacunarity_get_facts(r)->n_pixels;
    for (uint32_t i = 0; i < 4; i++) {
        const rug_lacunarity_size *s = rug_lacunarity_at(r, i);
        h->lacunarity[h->n][i] = s != NULL ? s->lacunarity : -1;
    }
    h->n++;
    return h->n == h->end_at ? RUG_E_IO : RUG_OK;
}

static void labels_of_images(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static uint8_t ids[60 * 80], own[60 * 80], inside[60 * 80];
    for (size_t i = 0; i < sizeof ids; i++) {
        size_t y = i / 80, x = i % 80;
        ids[i] = y < 20 ? 5 : x < 30 ? 2 : (y + x) % 7 == 0 ? 9 : 0;
        inside[i] = (y * x) % 31 != 5;
    }
    rug_image img = test_u8(pixels, 0, 60, 80), labels = test_u8(ids, 0, 60, 80);
    rug_image mask = test_u8(inside, 0, 60, 80);
    rug_source ids_source = source_of_image(&labels),
               inside_source = source_of_image(&mask);
    static const uint8_t which[] = {2, 5, 9};
    for (int k = 0; k < 8; k++) {
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, 40, 0};
        opts.is_gray = k & 1;
        opts.boxes = k & 2 ? RUG_LACUNARITY_FIXED : RUG_LACUNARITY_GLIDING;
        opts.mask = k & 4 ? &inside_source : NULL;
        heard h = {0};
        assert_int_equal(rug_lacunarity_labels(ctx, &img, &ids_source, &opts, hear, &h),
                         RUG_OK);
        assert_int_equal(h.n, 3);
        for (int l = 0; l < 3; l++) { /* the pixels of a label alone, in its box */
            size_t y0 = which[l] == 5 ? 0 : 20, x0 = which[l] == 9 ? 30 : 0;
            size_t ny = which[l] == 5 ? 20 : 40;
            size_t nx = which[l] == 5 ? 80 : which[l] == 2 ? 30 : 50;
            uint64_t n_pixels = 0;
            for (size_t i = 0; i < sizeof own; i++) {
                own[i] = ids[i] == which[l] ? pixels[i] : 0;
                n_pixels += ids[i] == which[l] && (opts.mask == NULL || inside[i]);
            }
            rug_image part = test_u8(own + y0 * 80 + x0, 0, ny, nx), cut = part;
            part.stride[0] = cut.stride[0] = 80;
            cut.data = inside + y0 * 80 + x0;
            rug_source cut_source = source_of_image(&cut);
            rug_lacunarity_options alone = opts;
            alone.mask = opts.mask != NULL ? &cut_source : NULL;
            assert_int_equal(find_lacunarity(ctx, &result, &part, &alone), RUG_OK);
            assert_int_equal(h.label[l], which[l]);
            assert_int_equal(h.n_pixels[l], n_pixels);
            for (uint32_t i = 0; i < 4; i++)
                if (!(h.lacunarity[l][i] == result.sizes[i].lacunarity ||
                      (isnan(h.lacunarity[l][i]) && isnan(result.sizes[i].lacunarity))))
                    fail_msg("options %d, label %d, size %u: %.17g, %.17g expected", k,
                             which[l], 1u << i, h.lacunarity[l][i],
                             result.sizes[i].lacunarity);
        }
    }
    heard h = {.end_at = 2};
    assert_int_equal(rug_lacunarity_labels(ctx, &img, &ids_source, NULL, hear, &h),
                     RUG_E_IO);
    assert_int_equal(h.n, 2);
    rug_image volume = test_u8(pixels, 4, 5, 6);
    rug_source wrong = source_of_image(&volume);
    assert_int_equal(rug_lacunarity_labels(ctx, &img, &wrong, NULL, hear, &h), RUG_E_ARG);
    rug_context_free(ctx);
}

/* A label in a volume: its bounding box is a checkerboard of P64 in every slice. */
static void labels_of_volumes(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint8_t ids[3 * 10 * 9] = {0}, ones[sizeof ids];
    memset(ones, 1, sizeof ones);
    for (size_t y = 0; y < 8; y++)
        for (size_t x = 0; x < 8; x++)
            ids[90 + (y + 1) * 9 + x + 1] = (y + x) % 2 ? 3 : 0;
    rug_image img = test_u8(ones, 3, 10, 9), labels = test_u8(ids, 3, 10, 9);
    heard h = {0};
    rug_source source = source_of_image(&labels);
    assert_int_equal(rug_lacunarity_labels(ctx, &img, &source, NULL, hear, &h), RUG_OK);
    assert_int_equal(h.n, 1);
    assert_true(h.lacunarity[0][0] == 2 && h.lacunarity[0][1] == 1 &&
                h.lacunarity[0][2] == 1);
    rug_context_free(ctx);
}

static rug_status run(rug_context *ctx, int with_labels, const rug_image *img,
                      const rug_lacunarity_options *opts)
{
    heard h = {0};
    if (with_labels)
        return rug_lacunarity_labels(ctx, img, opts->mask, opts, hear, &h);
    memset(&result, 0xff, sizeof result);
    rug_status status = find_lacunarity(ctx, &result, img, opts);
    if (status != RUG_OK)
        assert_zeroed(&result);
    return status;
}

static void failing_memory(void **state)
{
    (void)state;
    rug_image img = test_u8(pixels, 6, 20, 40), mask = img;
    rug_source inside = source_of_image(&mask);
    rug_image flat = test_u8(pixels, 0, 60, 80);
    static uint8_t ids[6 * 20 * 40];
    memset(ids, 1, sizeof ids);
    mask.data = ids;
    for (int k = 0; k < 4; k++) {
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.is_gray = 1;
        opts.mask = k == 3 ? NULL : &inside;
        rug_status status = RUG_E_NOMEM;
        size_t n = 0;
        while (status != RUG_OK) {
            memory m = {.fail_at = ++n};
            rug_context *ctx = test_context();
            assert_int_equal(rug_context_set_threads(ctx, 3), RUG_OK);
            memory_hook(ctx, &m);
            status = run(ctx, k == 1, k == 3 ? &flat : &img, &opts);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            assert_true(status == RUG_OK || status == RUG_E_NOMEM);
            rug_context_free(ctx);
        }
        assert_in_range(n, 5, 80);
    }
}

static void cancelling(void **state)
{
    (void)state;
    rug_image img = test_u8(pixels, 6, 20, 40);
    for (int with_labels = 0; with_labels < 2; with_labels++) {
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        int n_steps = 0;
        for (int left = 0;; left++) {
            rug_context *ctx = test_context();
            memory m = {0};
            countdown c = {left, 0};
            assert_int_equal(rug_context_set_threads(ctx, 1), RUG_OK);
            memory_hook(ctx, &m);
            rug_context_set_cancel(ctx, stop_at, &c);
            rug_lacunarity_options mine = opts;
            static uint8_t labels[6 * 20 * 40];
            for (size_t i = 0; i < sizeof labels; i++)
                labels[i] = (uint8_t)(i / 1200);
            rug_image regions = img;
            regions.data = labels;
            rug_source source = source_of_image(&regions);
            mine.mask = &source;
            rug_status status = run(ctx, with_labels, &img, &mine);
            assert_int_equal(m.n_live, 0);
            rug_context_free(ctx);
            n_steps = c.n_calls;
            if (status == RUG_OK)
                break;
            assert_int_equal(status, RUG_E_CANCELLED);
        }
        assert_true(n_steps > 5);
    }
}

/* Equal values have equal lacunarities, whatever their dtype; floats in units of their own. */
static void every_dtype(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const size_t shape[2] = {30, 40};
    uint64_t numbers[1200];
    rug_image img;
    for (int scale = 0; scale < 60; scale += 5) {
        for (size_t i = 0; i < 1200; i++)
            numbers[i] = (uint64_t)(pixels[i] / 2) << (scale < 40 ? scale : 40);
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.is_gray = 1;
        assert_int_equal(rug_image_view(ctx, &img, numbers, RUG_U64, 2, shape), RUG_OK);
        assert_int_equal(find_lacunarity(ctx, &result, &img, &opts), RUG_OK);
        naive_masses m = read_masses(&img, NULL, 1, opts.foreground);
        for (uint32_t i = 0; i < result.facts.n_sizes; i++) {
            rug_lacunarity_size expected = naive_size(&m, result.sizes[i].size, 0);
            assert_size_equal(&result.sizes[i], &expected, "u64");
        }
        free_masses(&m);
        float floats[1200];
        for (size_t i = 0; i < 1200; i++)
            floats[i] = (float)ldexp((double)(pixels[i] / 2), scale - 30);
        floats[7] = NAN;
        numbers[7] = 0;
        assert_int_equal(find_lacunarity(ctx, &result, &img, &opts), RUG_OK);
        assert_int_equal(rug_image_view(ctx, &img, floats, RUG_F32, 2, shape), RUG_OK);
        assert_int_equal(find_lacunarity(ctx, &other, &img, &opts), RUG_OK);
        assert_int_equal(other.facts.n_left_out, 1);
        double unit = ldexp(1, scale - 30 - (scale < 40 ? scale : 40));
        for (uint32_t i = 0; i < result.facts.n_sizes; i++) {
            assert_true(other.sizes[i].lacunarity == result.sizes[i].lacunarity);
            assert_true(other.sizes[i].mean == result.sizes[i].mean * unit);
            assert_true(other.sizes[i].variance ==
                        result.sizes[i].variance * unit * unit);
        }
    }
    rug_context_free(ctx);
}

/* A wide image has no shared rows for large sizes, a tall one has: both have the boxes of the
 * other, to the last bit, and so has one slice of a volume. */
static void turned_images(void **state)
{
    (void)state;
    enum { NX = TEST_RACES(20001, 90001), NY = 70 };
    rug_context *ctx = test_context();
    uint16_t *wide = malloc((size_t)NX * NY * 2), *tall = malloc((size_t)NX * NY * 2);
    assert_true(wide != NULL && tall != NULL);
    static const uint64_t sizes[] = {1, 2, 7, 30, 31, 50, 69, 70};
    uint64_t rng = 9;
    for (int largest = 1; largest < 70000; largest += 1 + largest * 254) {
        for (size_t y = 0; y < NY; y++)
            for (size_t x = 0; x < NX; x++)
                wide[y * NX + x] = tall[x * NY + y] =
                    (uint16_t)(test_random(&rng) % (uint64_t)(largest + 1));
        rug_image a, b;
        const size_t shape[2] = {NY, NX}, turned[2] = {NX, NY};
        assert_int_equal(rug_image_view(ctx, &a, wide, RUG_U16, 2, shape), RUG_OK);
        assert_int_equal(rug_image_view(ctx, &b, tall, RUG_U16, 2, turned), RUG_OK);
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.is_gray = 1;
        opts.sizes = sizes;
        opts.n_sizes = sizeof sizes / sizeof sizes[0];
        for (int level = 0; level <= RUG_CPU_MAX; level += TEST_STEP(2)) {
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            assert_int_equal(find_lacunarity(ctx, &result, &a, &opts), RUG_OK);
            assert_int_equal(rug_context_set_threads(ctx, 1 + level), RUG_OK);
            assert_int_equal(find_lacunarity(ctx, &other, &b, &opts), RUG_OK);
            assert_memory_equal(result.sizes, other.sizes, 8 * sizeof result.sizes[0]);
        }
        if (largest > 30000)
            break;
    }
    free(wide);
    free(tall);
    rug_context_free(ctx);
}

int main(void)
{
    fill_pixels();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(bad_calls),
        cmocka_unit_test(boxes_cut_everywhere),
        cmocka_unit_test(labels_of_images),
        cmocka_unit_test(labels_of_volumes),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(cancelling),
        cmocka_unit_test(every_dtype),
        cmocka_unit_test(turned_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
