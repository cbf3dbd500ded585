/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Alpha in parts: random images and volumes, cut at random, measured at any level of processors,
 * merged in random trees in which some states are saved and loaded, against the whole. */

#include "support.h"

#include "halo_support.h"
#include "memory_support.h"
#include "sample_support.h"
#include <rugose/alpha_parts.h>

#define SEED     20150715
#define N_IMAGES TEST_CASES(200)

/* An image and how it is measured. */
typedef struct ask {
    sample image;
    rug_image mask;
    uint8_t *inside;
    rug_alpha_options opts;
} ask;

static void random_ask(uint64_t *rng, ask *a)
{
    *a = (ask){.image = random_sample(rng), .opts = RUG_ALPHA_OPTIONS_INIT};
    const rug_image *img = &a->image.img;
    rug_alpha_options *o = &a->opts;
    size_t n = (size_t)rug_image_pixels(img);
    a->inside = malloc(n);
    assert_non_null(a->inside);
    for (size_t i = 0; i < n; i++)
        a->inside[i] = (uint8_t)test_below(rng, 3);
    if (img->dtype != RUG_BIT || test_below(rng, 2) == 0) {
        a->mask = test_u8(a->inside, img->ndim == 3 ? img->shape[0] : 0,
                          img->shape[img->ndim - 2], img->shape[img->ndim - 1]);
    } else {
        a->mask = *img; /* a mask of bits */
    }
    o->measure = (rug_alpha_measure)test_below(rng, 4);
    o->n_windows = 2 + (uint32_t)test_below(rng, test_below(rng, 4) == 0 ? 15 : 4);
    o->iso_tolerance = (double)test_below(rng, 3);
    o->n_slices = 1 + (uint32_t)test_below(rng, 70);
    if (test_below(rng, 3) == 0) {
        o->alpha_min = 0.5;
        o->alpha_max = 2.25;
    }
}

static void free_ask(const ask *a)
{
    free(a->inside);
    free_sample(&a->image);
}

static rug_alpha_parts *new_parts(rug_context *ctx, const ask *a)
{
    const rug_image *img = &a->image.img;
    rug_alpha_parts *p;
    must(ctx, rug_alpha_parts_new(ctx, &p, img->dtype, img->ndim, img->shape, &a->opts));
    return p;
}

static void add(rug_context *ctx, uint64_t *rng, rug_alpha_parts *p, const ask *a,
                const box *own)
{
    const rug_image *img = &a->image.img;
    const size_t r = rug_alpha_reach(&a->opts), reach[3] = {r, r, r};
    box all = surrounded(rng, img, own, reach);
    rug_image part = view_of(img, &all), mask = view_of(&a->mask, &all);
    size_t n[3];
    for (int k = 0; k < 3; k++)
        n[k] = own->end[k] - own->first[k];
    rug_context_set_cpu_level(ctx, (rug_cpu_level)test_below(rng, RUG_CPU_MAX + 1));
    must(ctx, rug_alpha_parts_add(ctx, p, &part, a->opts.mask != NULL ? &mask : NULL,
                                  all.first, own->first, n));
}

/* Puts a state in the place of one that is saved and loaded, and saves to the same bytes. */
static void travel(rug_context *ctx, rug_alpha_parts **p)
{
    uint8_t *bytes, *again;
    size_t n, n_again;
    must(ctx, rug_alpha_parts_save(ctx, &bytes, &n, *p));
    rug_alpha_parts_free(*p);
    must(ctx, rug_alpha_parts_load(ctx, p, bytes, n));
    must(ctx, rug_alpha_parts_save(ctx, &again, &n_again, *p));
    assert_int_equal(n_again, n);
    assert_memory_equal(again, bytes, n);
    rug_context_release(ctx, again);
    rug_context_release(ctx, bytes);
}

/* A state of a box, which is cut, or not: a node of a random tree. */
static rug_alpha_parts *grow(rug_context *ctx, uint64_t *rng, const ask *a,
                             const box *own)
{
    box halves[2];
    rug_alpha_parts *p[2];
    if (!halve(rng, a->image.img.ndim, own, halves)) {
        p[0] = new_parts(ctx, a);
        add(ctx, rng, p[0], a, own);
    } else {
        p[0] = grow(ctx, rng, a, &halves[0]);
        if (test_below(rng, 3) == 0) {
            add(ctx, rng, p[0], a, &halves[1]);
        } else {
            p[1] = grow(ctx, rng, a, &halves[1]);
            must(ctx, rug_alpha_merge(ctx, p[0], p[1]));
            rug_alpha_parts_free(p[1]);
        }
    }
    if (test_below(rng, 6) == 0)
        travel(ctx, &p[0]);
    return p[0];
}

static void assert_bits(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void assert_same(const rug_alpha_result *got, const rug_alpha_result *expected)
{
    const rug_alpha_facts *x = rug_alpha_get_facts(got),
                          *y = rug_alpha_get_facts(expected);
    assert_int_equal(x->ndim, y->ndim);
    assert_memory_equal(x->shape, y->shape, sizeof x->shape);
    assert_bits(x->alpha_min, y->alpha_min);
    assert_bits(x->alpha_max, y->alpha_max);
    assert_true(x->n_pixels == y->n_pixels && x->n_undefined == y->n_undefined &&
                x->n_outside == y->n_outside);
    assert_int_equal(x->n_sizes, y->n_sizes);
    assert_int_equal(x->n_slices, y->n_slices);
    for (uint32_t i = 0; i < y->n_slices; i++) {
        const rug_alpha_slice *g = rug_alpha_at(got, i), *e = rug_alpha_at(expected, i);
        assert_bits(g->alpha_min, e->alpha_min);
        assert_bits(g->alpha_max, e->alpha_max);
        assert_int_equal(g->n_pixels, e->n_pixels);
        for (uint32_t k = 0; k < y->n_sizes; k++)
            assert_int_equal(rug_alpha_boxes(got, i, k), rug_alpha_boxes(expected, i, k));
    }
}

/* Slices of the whole. */
static rug_alpha_result *slices_of(rug_context *ctx, const ask *a)
{
    const rug_image *img = &a->image.img;
    float *alphas = malloc((size_t)rug_image_pixels(img) * sizeof *alphas);
    rug_image map;
    rug_alpha_result *slices;
    assert_non_null(alphas);
    must(ctx, rug_alpha_map(ctx, alphas, img, &a->opts));
    must(ctx, rug_image_view(ctx, &map, alphas, RUG_F32, img->ndim, img->shape));
    must(ctx, rug_alpha_slices(ctx, &slices, &map, &a->opts));
    free(alphas);
    return slices;
}

static void random_images(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    int n_defined = 0;
    for (int i = 0; i < N_IMAGES; i++) {
        ask a;
        random_ask(&rng, &a);
        rug_context *ctx = test_context();
        rug_context_set_threads(ctx, 1 + i % 4);
        rug_source mask = RUG_SOURCE_INIT;
        a.opts.mask = i % 3 == 0 ? rug_source_of_image(&mask, &a.mask) : NULL;
        rug_alpha_result *whole = slices_of(ctx, &a), *result;
        const box all = whole_of(&a.image.img);
        rug_alpha_parts *p = grow(ctx, &rng, &a, &all);
        must(ctx, rug_alpha_parts_finish(ctx, &result, p));
        assert_same(result, whole);
        n_defined += rug_alpha_get_facts(whole)->n_undefined <
                     rug_alpha_get_facts(whole)->n_pixels;
        rug_alpha_free(result);
        rug_alpha_free(whole);
        rug_alpha_parts_free(p);
        rug_context_free(ctx);
        free_ask(&a);
    }
    assert_in_range(n_defined, N_IMAGES / 2, N_IMAGES);
}

static void bad_parts(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t pixels[60];
    rug_image img = test_u8(pixels, 0, 6, 10), wide = img;
    wide.dtype = RUG_I8;
    const size_t shape[2] = {12, 10}, origin[2] = {0, 0}, lower[2] = {6, 0};
    const size_t three[2] = {3, 10}, seven[2] = {7, 10};
    rug_alpha_options o = RUG_ALPHA_OPTIONS_INIT;
    rug_alpha_parts *p;
    rug_alpha_result *result;
    assert_int_equal(rug_alpha_reach(&o), 3);
    assert_int_equal(rug_alpha_reach(NULL), 3);
    o.n_windows = 1;
    assert_int_equal(rug_alpha_reach(&o), 0);
    refused(ctx, rug_alpha_parts_new(ctx, &p, RUG_U8, 2, shape, &o), "1 windows");
    refused(ctx, rug_alpha_parts_new(ctx, &p, RUG_U8, 1, shape, NULL), "1 axes");
    refused(ctx, rug_alpha_parts_new(ctx, &p, RUG_U8, 2, NULL, NULL), "NULL");
    refused(ctx, rug_alpha_parts_new(ctx, &p, (rug_dtype)77, 2, shape, NULL), "dtype 77");
    assert_null(p);
    must(ctx, rug_alpha_parts_new(ctx, &p, RUG_U8, 2, shape, NULL));
    refused(ctx, rug_alpha_parts_add(ctx, p, &wide, NULL, origin, NULL, three),
            "part of dtype i8 given, u8 expected");
    refused(ctx, rug_alpha_parts_add(ctx, p, &img, &img, origin, NULL, three),
            "part with a mask given, none expected");
    refused(ctx, rug_alpha_parts_add(ctx, p, &img, NULL, origin, NULL, seven),
            "7 pixels from pixel 0 on along axis 0");
    refused(ctx, rug_alpha_parts_add(ctx, p, &img, NULL, origin, NULL, NULL),
            "pixels 0..5 along axis 0 given, 0..8 expected: 0..5 are counted");
    refused(ctx, rug_alpha_parts_add(ctx, p, &img, NULL, lower, NULL, NULL),
            "pixels 6..11 along axis 0 given, 3..11 expected");
    refused(ctx, rug_alpha_parts_add(ctx, p, &img, NULL, NULL, NULL, NULL), "NULL");
    refused(ctx, rug_alpha_parts_finish(ctx, &result, p), "alpha: 0 of 120 pixels");
    must(ctx, rug_alpha_parts_add(ctx, p, &img, NULL, origin, NULL, three));
    refused(ctx, rug_alpha_parts_add(ctx, p, &img, NULL, origin, NULL, three),
            "added before");
    refused(ctx, rug_alpha_merge(ctx, p, p), "added before");
    refused(ctx, rug_alpha_merge(ctx, p, NULL), "NULL");
    rug_alpha_parts_free(p);
    rug_alpha_parts_free(NULL);
    rug_context_free(ctx);
}

/* Merges a state of these options with one of the defaults. */
static void refused_merge(rug_context *ctx, const rug_alpha_options *o, rug_dtype dtype,
                          const char *text)
{
    const size_t shape[2] = {8, 9};
    rug_alpha_parts *p, *other;
    must(ctx, rug_alpha_parts_new(ctx, &p, RUG_U8, 2, shape, NULL));
    must(ctx, rug_alpha_parts_new(ctx, &other, dtype, 2, shape, o));
    refused(ctx, rug_alpha_merge(ctx, p, other), text);
    rug_alpha_parts_free(other);
    rug_alpha_parts_free(p);
}

static void other_options(void **state)
{
    (void)state;
    static const rug_source some;
    rug_context *ctx = test_context();
    const rug_alpha_options plain = RUG_ALPHA_OPTIONS_INIT;
    rug_alpha_options o = plain;
    refused_merge(ctx, &o, RUG_U16, "dtype u16 given, u8 expected");
    o.mask = &some;
    refused_merge(ctx, &o, RUG_U8, "mask: one given, none expected");
    o = plain;
    o.measure = RUG_ALPHA_MAX;
    refused_merge(ctx, &o, RUG_U8, "measure max given, sum expected");
    o = plain;
    o.n_windows = 5;
    refused_merge(ctx, &o, RUG_U8, "number of windows 5 given, 4 expected");
    o = plain;
    o.n_slices = 5;
    refused_merge(ctx, &o, RUG_U8, "number of slices 5 given, 64 expected");
    o = plain;
    o.alpha_max = 2.5;
    refused_merge(ctx, &o, RUG_U8, "largest alpha 2.5 given, 0 expected");
    o.alpha_min = 1;
    refused_merge(ctx, &o, RUG_U8, "least alpha 1 given, 0 expected");
    o = plain; /* a tolerance counts for ISO alone */
    o.iso_tolerance = 2;
    rug_alpha_parts *p, *other;
    const size_t shape[2] = {8, 9};
    must(ctx, rug_alpha_parts_new(ctx, &p, RUG_U8, 2, shape, NULL));
    must(ctx, rug_alpha_parts_new(ctx, &other, RUG_U8, 2, shape, &o));
    must(ctx, rug_alpha_merge(ctx, p, other));
    rug_alpha_parts_free(other);
    rug_alpha_parts_free(p);
    rug_context_free(ctx);
}

/* Where no pixel has an alpha, nothing is kept. */
static void empty_images(void **state)
{
    (void)state;
    static const uint8_t pixels[200 * 300];
    rug_context *ctx = test_context();
    const rug_image img = test_u8(pixels, 0, 200, 300);
    const size_t first[2] = {0, 0};
    rug_alpha_parts *p;
    uint8_t *bytes;
    size_t n;
    must(ctx, rug_alpha_parts_new(ctx, &p, RUG_U8, 2, img.shape, NULL));
    must(ctx, rug_alpha_parts_add(ctx, p, &img, NULL, first, NULL, NULL));
    must(ctx, rug_alpha_parts_save(ctx, &bytes, &n, p));
    assert_in_range(n, 1, 100);
    rug_context_release(ctx, bytes);
    rug_alpha_parts_free(p);
    rug_context_free(ctx);
}

/* Every allocation fails once; nothing is lost and nothing leaks. */
static void failing_memory(void **state)
{
    (void)state;
    static uint8_t pixels[30 * 20];
    uint64_t rng = 5;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)test_below(&rng, 3);
    rug_image img = test_u8(pixels, 0, 30, 20);
    const size_t first[2] = {0, 0}, own[2][2] = {{0, 0}, {0, 7}};
    const size_t n[2][2] = {{30, 7}, {30, 13}};
    rug_source mask = RUG_SOURCE_INIT;
    rug_alpha_options o = RUG_ALPHA_OPTIONS_INIT;
    o.mask = rug_source_of_image(&mask, &img);
    rug_status status = RUG_E_NOMEM;
    for (size_t k = 1; status == RUG_E_NOMEM; k++) {
        rug_context *ctx = test_context();
        memory m = {.fail_at = k};
        rug_alpha_parts *p[2] = {NULL, NULL};
        rug_alpha_result *result = NULL;
        memory_hook(ctx, &m);
        status = RUG_OK;
        for (int i = 0; i < 2 && status == RUG_OK; i++) {
            status = rug_alpha_parts_new(ctx, &p[i], RUG_U8, 2, img.shape, &o);
            if (status == RUG_OK)
                status = rug_alpha_parts_add(ctx, p[i], &img, &img, first, own[i], n[i]);
        }
        if (status == RUG_OK)
            status = rug_alpha_merge(ctx, p[0], p[1]);
        if (status == RUG_OK)
            status = rug_alpha_parts_finish(ctx, &result, p[0]);
        rug_alpha_free(result);
        rug_alpha_parts_free(p[0]);
        rug_alpha_parts_free(p[1]);
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        assert_true(k < 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_images),  cmocka_unit_test(bad_parts),
        cmocka_unit_test(other_options),  cmocka_unit_test(empty_images),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
