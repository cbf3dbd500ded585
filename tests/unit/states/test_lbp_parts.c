/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns in parts: random images and volumes, cut at random, measured at any level of
 * processors, merged in random trees in which some states are saved and loaded, against the whole. */

#include "support.h"

#include "halo_support.h"
#include "memory_support.h"
#include "sample_support.h"
#include <rugose/lbp_parts.h>

#define SEED     20020722
#define N_IMAGES TEST_CASES(200)

/* An image and how it is coded. */
typedef struct ask {
    sample image;
    rug_image mask, labels;
    uint8_t *inside, *labelled;
    rug_lbp_operator ops[3];
    double cuts[9];
    rug_lbp_options opts;
    size_t reach[3];
} ask;

static uint8_t *random_bytes(uint64_t *rng, rug_image *out, const rug_image *img,
                             uint64_t n_values)
{
    size_t n = (size_t)rug_image_pixels(img);
    uint8_t *bytes = malloc(n);
    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)test_below(rng, n_values);
    *out = test_u8(bytes, img->ndim == 3 ? img->shape[0] : 0, img->shape[img->ndim - 2],
                   img->shape[img->ndim - 1]);
    return bytes;
}

static void random_operators(uint64_t *rng, ask *a)
{
    static const double radii[] = {1, 1, 2, 1.5, 2.5, 0.3, 5.25, 30};
    rug_lbp_options *o = &a->opts;
    int has_cuts = o->method == RUG_LBP_VAR || test_below(rng, 4) == 0;
    if (!has_cuts && o->interpolation == RUG_LBP_BILINEAR)
        o->exact = (rug_lbp_exact)test_below(rng, 3);
    uint32_t most = o->method == RUG_LBP_DEFAULT || o->method == RUG_LBP_ROR ? 10 : 32;
    o->n_operators = 1 + (uint32_t)test_below(rng, 3);
    o->operators = a->ops;
    for (uint32_t i = 0; i < 9; i++)
        a->cuts[i] = (i > 0 ? a->cuts[i - 1] : 0) + 0.5 + (double)test_below(rng, 100);
    for (uint32_t i = 0; i < o->n_operators; i++) {
        a->ops[i] = (rug_lbp_operator){1 + (uint32_t)test_below(rng, most),
                                       radii[test_below(rng, 8)], NULL, 0};
        if (has_cuts) {
            a->ops[i].cuts = a->cuts;
            a->ops[i].n_cuts = 1 + (uint32_t)test_below(rng, 9);
        }
    }
}

static void random_ask(uint64_t *rng, ask *a)
{
    static const int axes[][3] = {{0, 1, 2}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
    *a = (ask){.image = random_sample(rng), .opts = RUG_LBP_OPTIONS_INIT};
    const rug_image *img = &a->image.img;
    rug_lbp_options *o = &a->opts;
    o->method = (rug_lbp_method)test_below(rng, 5);
    o->interpolation = (rug_lbp_interpolation)(test_below(rng, 4) == 0);
    o->border = (rug_lbp_border)test_below(rng, 2);
    o->leave_out_nan = (uint32_t)test_below(rng, 2);
    for (int k = 0; k < 2; k++)
        o->origin[k] = test_below(rng, 3) == 0 ? test_random(rng) >> 12 : 0;
    if (img->ndim == 3)
        o->planes = (rug_lbp_planes)(1 + test_below(rng, 3));
    random_operators(rng, a);
    size_t reach = rug_lbp_reach(o);
    for (int k = 0; k < 3; k++)
        if (img->ndim == 3)
            a->reach[axes[o->planes][k]] = k > 0 ? reach : 0;
        else
            a->reach[k] = reach;
    a->inside = random_bytes(rng, &a->mask, img, 4);
    a->labelled = random_bytes(rng, &a->labels, img, 4);
}

static void free_ask(const ask *a)
{
    free(a->inside);
    free(a->labelled);
    free_sample(&a->image);
}

static rug_lbp_parts *new_parts(rug_context *ctx, const ask *a)
{
    const rug_image *img = &a->image.img;
    rug_lbp_parts *p;
    must(ctx, rug_lbp_parts_new(ctx, &p, img->dtype, img->ndim, img->shape, &a->opts));
    return p;
}

static void add(rug_context *ctx, uint64_t *rng, rug_lbp_parts *p, const ask *a,
                const box *own)
{
    const rug_image *img = &a->image.img;
    box all = surrounded(rng, img, own, a->reach);
    rug_image part = view_of(img, &all), mask = view_of(&a->mask, &all),
              labels = view_of(&a->labels, &all);
    size_t n[3];
    for (int k = 0; k < 3; k++)
        n[k] = own->end[k] - own->first[k];
    rug_context_set_cpu_level(ctx, (rug_cpu_level)test_below(rng, RUG_CPU_MAX + 1));
    must(ctx, rug_lbp_parts_add(ctx, p, &part, a->opts.mask != NULL ? &mask : NULL,
                                a->opts.labels != NULL ? &labels : NULL, all.first,
                                own->first, n));
}

/* Puts a state in the place of one that is saved and loaded, and saves to the same bytes. */
static void travel(rug_context *ctx, rug_lbp_parts **p)
{
    uint8_t *bytes, *again;
    size_t n, n_again;
    must(ctx, rug_lbp_parts_save(ctx, &bytes, &n, *p));
    rug_lbp_parts_free(*p);
    must(ctx, rug_lbp_parts_load(ctx, p, bytes, n));
    must(ctx, rug_lbp_parts_save(ctx, &again, &n_again, *p));
    assert_int_equal(n_again, n);
    assert_memory_equal(again, bytes, n);
    rug_context_release(ctx, again);
    rug_context_release(ctx, bytes);
}

/* A state of a box, which is cut, or not: a node of a random tree. */
static rug_lbp_parts *grow(rug_context *ctx, uint64_t *rng, const ask *a, const box *own)
{
    box halves[2];
    rug_lbp_parts *p[2];
    if (!halve(rng, a->image.img.ndim, own, halves)) {
        p[0] = new_parts(ctx, a);
        add(ctx, rng, p[0], a, own);
    } else {
        p[0] = grow(ctx, rng, a, &halves[0]);
        if (test_below(rng, 3) == 0) {
            add(ctx, rng, p[0], a, &halves[1]);
        } else {
            p[1] = grow(ctx, rng, a, &halves[1]);
            must(ctx, rug_lbp_merge(ctx, p[0], p[1]));
            rug_lbp_parts_free(p[1]);
        }
    }
    if (test_below(rng, 6) == 0)
        travel(ctx, &p[0]);
    return p[0];
}

static void assert_same(const rug_lbp_result *got, const rug_lbp_result *expected)
{
    const rug_lbp_facts *x = rug_lbp_get_facts(got), *y = rug_lbp_get_facts(expected);
    assert_int_equal(x->n_histograms, y->n_histograms);
    assert_int_equal(x->n_labels, y->n_labels);
    assert_int_equal(x->n_operators, y->n_operators);
    for (size_t i = 0; i < y->n_histograms; i++) {
        const rug_lbp_histogram *g = rug_lbp_at(got, i), *e = rug_lbp_at(expected, i);
        assert_int_equal(g->label, e->label);
        assert_int_equal(g->op, e->op);
        assert_int_equal(g->pixels, e->pixels);
        assert_int_equal(g->n_bins, e->n_bins);
        assert_memory_equal(g->bins, e->bins, e->n_bins * sizeof *e->bins);
    }
}

static void random_images(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    for (int i = 0; i < N_IMAGES; i++) {
        ask a;
        random_ask(&rng, &a);
        rug_context *ctx = test_context();
        rug_context_set_threads(ctx, 1 + i % 4);
        rug_source mask = RUG_SOURCE_INIT, labels = RUG_SOURCE_INIT;
        a.opts.mask = i % 3 == 0 ? rug_source_of_image(&mask, &a.mask) : NULL;
        a.opts.labels = i % 4 == 0 ? rug_source_of_image(&labels, &a.labels) : NULL;
        rug_lbp_result *whole, *result;
        must(ctx, rug_lbp(ctx, &whole, &a.image.img, &a.opts));
        const box all = whole_of(&a.image.img);
        rug_lbp_parts *p = grow(ctx, &rng, &a, &all);
        must(ctx, rug_lbp_parts_finish(ctx, &result, p));
        assert_same(result, whole);
        rug_lbp_free(result);
        rug_lbp_free(whole);
        rug_lbp_parts_free(p);
        rug_context_free(ctx);
        free_ask(&a);
    }
}

/* A flat image whose value no weights keep: what rounding makes of it depends on where a pixel is
 * in the whole image. */
static void weights_of_the_whole(void **state)
{
    (void)state;
    enum { NY = 40, NX = 600 };
    static double pixels[NY * NX];
    static const rug_lbp_operator op = {16, 2, NULL, 0};
    rug_context *ctx = test_context();
    uint64_t rng = 11;
    ask a = {.opts = RUG_LBP_OPTIONS_INIT, .reach = {2, 2, 0}};
    for (size_t i = 0; i < NY * NX; i++)
        pixels[i] = 1.0 / 3;
    const size_t shape[2] = {NY, NX};
    must(ctx, rug_image_view(ctx, &a.image.img, pixels, RUG_F64, 2, shape));
    a.mask = a.labels = a.image.img;
    a.opts.operators = &op;
    a.opts.n_operators = 1;
    rug_lbp_result *whole, *result;
    must(ctx, rug_lbp(ctx, &whole, &a.image.img, &a.opts));
    const box all = whole_of(&a.image.img);
    for (int i = 0; i < 5; i++) {
        rug_lbp_parts *p = grow(ctx, &rng, &a, &all);
        must(ctx, rug_lbp_parts_finish(ctx, &result, p));
        assert_same(result, whole);
        rug_lbp_free(result);
        rug_lbp_parts_free(p);
    }
    assert_true(rug_lbp_at(whole, 0)->bins[16] < NY * NX * 9 / 10);
    rug_lbp_free(whole);
    rug_context_free(ctx);
}

/* Labels of bits, which cannot be cut anywhere; a label that no part with its pixels has inside the
 * mask has an empty histogram, as in the whole. */
static void labels_of_bits(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static uint8_t pixels[20 * 30], bits[20 * 4], none[20 * 30];
    uint64_t rng = 7;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)test_below(&rng, 9);
    for (size_t i = 0; i < sizeof bits; i++)
        bits[i] = (uint8_t)test_below(&rng, 256);
    rug_image img = test_u8(pixels, 0, 20, 30), mask = test_u8(none, 0, 20, 30), labels;
    must(ctx, rug_image_view(ctx, &labels, bits, RUG_BIT, 2, img.shape));
    for (int masked = 0; masked < 2; masked++) {
        rug_lbp_options o = RUG_LBP_OPTIONS_INIT;
        rug_source labelled = RUG_SOURCE_INIT, inside = RUG_SOURCE_INIT;
        rug_lbp_result *whole, *result;
        rug_lbp_parts *p;
        o.labels = rug_source_of_image(&labelled, &labels);
        o.mask = masked ? rug_source_of_image(&inside, &mask) : NULL;
        must(ctx, rug_lbp(ctx, &whole, &img, &o));
        must(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 2, img.shape, &o));
        const size_t first[2] = {0, 0}, cuts[2] = {0, 13}, n[2][2] = {{20, 13}, {20, 17}};
        for (int k = 0; k < 2; k++)
            must(ctx, rug_lbp_parts_add(ctx, p, &img, masked ? &mask : NULL, &labels,
                                        first, (size_t[]){0, cuts[k]}, n[k]));
        travel(ctx, &p);
        must(ctx, rug_lbp_parts_finish(ctx, &result, p));
        assert_same(result, whole);
        assert_int_equal(rug_lbp_get_facts(result)->n_labels, 1);
        assert_true((rug_lbp_at(result, 0)->pixels == 0) == masked);
        rug_lbp_free(result);
        rug_lbp_free(whole);
        rug_lbp_parts_free(p);
    }
    rug_context_free(ctx);
}

static void bad_options(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const size_t shape[3] = {4, 5, 6};
    const rug_lbp_operator large = {20, 2, NULL, 0}, cutless = {8, 1, NULL, 0};
    rug_lbp_options o = RUG_LBP_OPTIONS_INIT;
    rug_lbp_parts *p = NULL;
    refused(ctx, rug_lbp_parts_new(ctx, &p, (rug_dtype)77, 2, shape, &o), "dtype 77");
    refused(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 1, shape, &o), "1 axes");
    refused(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 2, NULL, &o), "NULL");
    refused(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 3, shape, &o), "choose the planes");
    o.interpolation = RUG_LBP_HARDWARE;
    refused(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 2, shape, &o), "differ between");
    assert_int_equal(rug_lbp_reach(&o), 1);
    o.interpolation = RUG_LBP_BILINEAR;
    o.map = (rug_lbp_map_fn)(uintptr_t)1;
    refused(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 2, shape, &o), "a map requested");
    o.map = NULL;
    o.operators = &large;
    o.n_operators = 1;
    o.method = RUG_LBP_DEFAULT;
    refused(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 2, shape, &o), "no histogram");
    o.operators = &cutless;
    o.method = RUG_LBP_VAR;
    refused(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 2, shape, &o), "VAR needs cuts");
    assert_null(p);
    o.n_operators = 99;
    assert_int_equal(rug_lbp_reach(&o), 0);
    assert_int_equal(rug_lbp_reach(NULL), 1);
    rug_lbp_parts_free(NULL);
    rug_context_free(ctx);
}

static void bad_parts(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t pixels[60];
    static const rug_source some;
    rug_image img = test_u8(pixels, 0, 6, 10), wide = img;
    wide.dtype = RUG_I8;
    const size_t shape[2] = {12, 10}, origin[2] = {0, 0}, lower[2] = {6, 0};
    const size_t five[2] = {5, 10}, seven[2] = {7, 10}, last[2] = {7, 0},
                 none[2] = {0, 0};
    rug_lbp_options o = RUG_LBP_OPTIONS_INIT;
    rug_lbp_parts *p;
    rug_lbp_result *result;
    must(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 2, shape, &o));
    refused(ctx, rug_lbp_parts_add(ctx, p, &wide, NULL, NULL, origin, NULL, five),
            "part of dtype i8 given, u8 expected");
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, &img, NULL, origin, NULL, five),
            "part with a mask given, none expected");
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, &img, origin, NULL, five),
            "part with labels given, none expected");
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, NULL, last, NULL, NULL),
            "6 pixels from pixel 7 on along axis 0");
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, NULL, origin, NULL, seven),
            "7 pixels from pixel 0 on along axis 0 are to be counted, but the part has "
            "pixels 0..5");
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, NULL, origin, last, five),
            "5 pixels from pixel 7 on");
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, NULL, origin, NULL, none),
            "0 pixels from pixel 0 on");
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, NULL, origin, NULL, NULL),
            "pixels 0..5 along axis 0 given, 0..6 expected: 0..5 are counted");
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, NULL, lower, NULL, NULL),
            "pixels 6..11 along axis 0 given, 5..11 expected");
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, NULL, NULL, NULL, NULL), "NULL");
    refused(ctx, rug_lbp_parts_finish(ctx, &result, p), "0 of 120 pixels were added");
    must(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, NULL, origin, NULL, five));
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, NULL, origin, NULL, five),
            "added before");
    refused(ctx, rug_lbp_merge(ctx, p, p), "added before");
    refused(ctx, rug_lbp_merge(ctx, p, NULL), "NULL");
    rug_lbp_parts_free(p);
    o.labels = &some;
    must(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 2, shape, &o));
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, NULL, origin, NULL, five),
            "part without labels given, some expected");
    static const int8_t negative[60] = {[47] = -2};
    rug_image labels = img;
    labels.dtype = RUG_I8;
    labels.data = negative;
    refused(ctx, rug_lbp_parts_add(ctx, p, &img, NULL, &labels, lower, last, five),
            "-2 at y 3, x 7 given, 0 or more expected; set pixels without a label to 0 "
            "(counted from slice 0, row 7, column 0 on)");
    rug_lbp_parts_free(p);
    rug_context_free(ctx);
}

/* Merges a state of these options with one of the defaults. */
static void refused_merge(rug_context *ctx, const rug_lbp_options *o, rug_dtype dtype,
                          const char *text)
{
    const size_t shape[2] = {8, 9};
    rug_lbp_parts *p, *other;
    must(ctx, rug_lbp_parts_new(ctx, &p, RUG_U8, 2, shape, NULL));
    must(ctx, rug_lbp_parts_new(ctx, &other, dtype, 2, shape, o));
    refused(ctx, rug_lbp_merge(ctx, p, other), text);
    rug_lbp_parts_free(other);
    rug_lbp_parts_free(p);
}

static void other_options(void **state)
{
    (void)state;
    static const rug_source some;
    static const double cuts[2] = {1, 2};
    rug_context *ctx = test_context();
    const rug_lbp_options plain = RUG_LBP_OPTIONS_INIT;
    rug_lbp_operator ops[2] = {{8, 1, NULL, 0}, {8, 1, NULL, 0}};
    rug_lbp_options o = plain;
    refused_merge(ctx, &o, RUG_U16, "dtype u16 given, u8 expected");
    o.mask = &some;
    refused_merge(ctx, &o, RUG_U8, "mask: one given, none expected");
    o = plain;
    o.labels = &some;
    refused_merge(ctx, &o, RUG_U8, "labels: some given, none expected");
    o = plain;
    o.method = RUG_LBP_ROR;
    refused_merge(ctx, &o, RUG_U8, "method ror given, riu2 expected");
    o = plain;
    o.interpolation = RUG_LBP_NEAREST;
    refused_merge(ctx, &o, RUG_U8, "interpolation nearest given, bilinear expected");
    o = plain;
    o.border = RUG_LBP_BORDER_SKIP;
    refused_merge(ctx, &o, RUG_U8, "border skip given, zero expected");
    o = plain;
    o.exact = RUG_LBP_EXACT_FLOAT;
    refused_merge(ctx, &o, RUG_U8, "rule float given, skimage expected");
    o = plain;
    o.leave_out_nan = 1;
    refused_merge(ctx, &o, RUG_U8, "NaN left out given, as 0 expected");
    o = plain;
    o.origin[1] = 5;
    refused_merge(ctx, &o, RUG_U8, "origin 5 given, 0 expected");
    o = plain;
    o.operators = ops;
    o.n_operators = 2;
    refused_merge(ctx, &o, RUG_U8, "number of operators 2 given, 1 expected");
    o.n_operators = 1;
    ops[0].points = 9;
    refused_merge(ctx, &o, RUG_U8, "points 9 given, 8 expected");
    ops[0] = (rug_lbp_operator){8, 1.5, NULL, 0};
    refused_merge(ctx, &o, RUG_U8, "radius 1.5 given, 1 expected");
    ops[0] = (rug_lbp_operator){8, 1, cuts, 2};
    refused_merge(ctx, &o, RUG_U8, "number of cuts 2 given, 0 expected");
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
    rug_source labels = RUG_SOURCE_INIT;
    rug_lbp_options o = RUG_LBP_OPTIONS_INIT;
    o.labels = rug_source_of_image(&labels, &img);
    o.mask = o.labels;
    rug_status status = RUG_E_NOMEM;
    for (size_t k = 1; status == RUG_E_NOMEM; k++) {
        rug_context *ctx = test_context();
        memory m = {.fail_at = k};
        rug_lbp_parts *p[2] = {NULL, NULL};
        rug_lbp_result *result = NULL;
        memory_hook(ctx, &m);
        status = RUG_OK;
        for (int i = 0; i < 2 && status == RUG_OK; i++) {
            status = rug_lbp_parts_new(ctx, &p[i], RUG_U8, 2, img.shape, &o);
            if (status == RUG_OK)
                status =
                    rug_lbp_parts_add(ctx, p[i], &img, &img, &img, first, own[i], n[i]);
        }
        if (status == RUG_OK)
            status = rug_lbp_merge(ctx, p[0], p[1]);
        if (status == RUG_OK)
            status = rug_lbp_parts_finish(ctx, &result, p[0]);
        rug_lbp_free(result);
        rug_lbp_parts_free(p[0]);
        rug_lbp_parts_free(p[1]);
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
        cmocka_unit_test(random_images),  cmocka_unit_test(weights_of_the_whole),
        cmocka_unit_test(labels_of_bits), cmocka_unit_test(bad_options),
        cmocka_unit_test(bad_parts),      cmocka_unit_test(other_options),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
