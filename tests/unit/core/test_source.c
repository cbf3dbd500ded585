/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sources: what is found slab by slab is what is found in memory, each slab is asked for
 * in order, and failures of a source come through. */

#include "support.h"

#include "boxcount_support.h"
#include <stdlib.h>

/* A source that copies its slabs from an image, and writes down how it is asked. */
typedef struct tape {
    rug_image img;
    unsigned char *slab;
    size_t next;    /* the layer that may be asked next, besides 0 */
    int n_passes;   /* begun */
    int n_disorder; /* calls that are neither next nor 0 */
    int fail_pass;  /* the pass whose second slab fails; 0 = none */
    int wrong_pass; /* the pass whose slabs are one layer short; 0 = none */
    size_t n_slabs; /* all calls */
} tape;

static rug_status read_tape(rug_context *ctx, void *user, rug_image *out, size_t first,
                            size_t n)
{
    tape *t = user;
    if (first == 0)
        t->n_passes++;
    else if (first != t->next)
        t->n_disorder++;
    t->next = first + n;
    t->n_slabs++;
    if (first > 0 && t->n_passes == t->fail_pass)
        return rug_context_fail(ctx, RUG_E_IO, "the tape is torn at layer %zu", first);
    *out = t->img;
    out->shape[0] = n - (t->n_passes == t->wrong_pass);
    size_t n_bytes = (size_t)t->img.stride[0] * n;
    free(t->slab);
    t->slab = malloc(n_bytes); /* a new place, so that use of an old slab is seen */
    assert_non_null(t->slab);
    memcpy(t->slab, (const char *)t->img.data + (size_t)t->img.stride[0] * first,
           n_bytes);
    out->data = t->slab;
    return RUG_OK;
}

static rug_source source_of(tape *t, rug_image img)
{
    memset(t, 0, sizeof *t);
    t->img = img;
    rug_source s = source_of_image(&t->img);
    s.read = read_tape;
    s.user = t;
    return s;
}

static void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

static int same_real(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a <= b && a >= b);
}

static void assert_same_range(const rug_image_range *a, const rug_image_range *b,
                              const char *what)
{
    if (!same_real(a->min, b->min) || !same_real(a->max, b->max) ||
        a->n_nan != b->n_nan || a->n_infinite != b->n_infinite ||
        a->n_distinct != b->n_distinct || a->distinct_is_min != b->distinct_is_min)
        fail_msg("%s: %g..%g, %u distinct; %g..%g, %u expected", what, a->min, a->max,
                 a->n_distinct, b->min, b->max, b->n_distinct);
}

/* Pixels of few or many values, with NaN and infinities where there are such. */
static void fill(uint64_t *rng, unsigned char *bytes, size_t n, rug_dtype dtype)
{
    uint64_t style = test_below(rng, 3);
    size_t size = rug_dtype_size(dtype);
    for (size_t i = 0; i + size <= n && size > 0; i += size) {
        double v = style == 0 ? (double)test_below(rng, 2)
                              : (double)test_below(rng, style == 1 ? 100 : 400) - 20;
        float f = (float)v;
        uint64_t u = (uint64_t)(int64_t)v;
        if (test_below(rng, 50) == 0)
            v = f = test_below(rng, 2) ? NAN : INFINITY;
        memcpy(bytes + i,
               dtype == RUG_F64   ? (void *)&v
               : dtype == RUG_F32 ? (void *)&f
                                  : (void *)&u,
               size);
    }
    for (size_t i = 0; size == 0 && i < n; i++)
        bytes[i] = (unsigned char)test_random(rng);
}

/* Every dtype, two and three axes: range, rule and counts. */
static void small_sources(void **state)
{
    (void)state;
    static test_counts a, b;
    static unsigned char bytes[9 * 40 * 70 * 8];
    rug_context *ctx = test_context();
    uint64_t rng = 3;
    for (int k = 0; k < TEST_CASES(40) * RUG_N_DTYPES; k++) {
        rug_dtype dtype = (rug_dtype)(k % RUG_N_DTYPES);
        size_t shape[3] = {1 + test_below(&rng, 9), 1 + test_below(&rng, 40),
                           1 + test_below(&rng, 70)};
        fill(&rng, bytes, sizeof bytes, dtype);
        rug_image img;
        int ndim = 2 + (int)test_below(&rng, 2);
        must(ctx, rug_image_view(ctx, &img, bytes, dtype, ndim, shape + 3 - ndim));
        tape t;
        rug_source s = source_of(&t, img);
        rug_image_range range = RUG_IMAGE_RANGE_INIT, expected = RUG_IMAGE_RANGE_INIT;
        must(ctx, rug_source_measure_range(ctx, &range, &s, NULL));
        must(ctx, rug_image_measure_range(ctx, &expected, &img));
        assert_same_range(&range, &expected, rug_dtype_name(dtype));
        rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
        must(ctx, test_boxcount_source(ctx, &a, &s, &opts));
        must(ctx, test_boxcount(ctx, &b, &img, &opts));
        test_assert_counts_equal(&a, &b, rug_dtype_name(dtype));
        assert_int_equal(t.n_disorder, 0);
        free(t.slab);
    }
    rug_context_free(ctx);
}

/* Masks that are read too, of images in memory and of sources. */
static void masks_from_sources(void **state)
{
    (void)state;
    static test_counts a, b;
    static unsigned char bytes[2][9 * 40 * 70 * 4];
    rug_context *ctx = test_context();
    uint64_t rng = 4;
    for (int k = 0; k < TEST_CASES(120); k++) {
        rug_image img[2];
        tape t[2];
        rug_source s[2];
        int ndim = 2 + k % 2;
        size_t shape[3] = {1 + test_below(&rng, 9), 1 + test_below(&rng, 40),
                           1 + test_below(&rng, 70)};
        for (int i = 0; i < 2; i++) {
            rug_dtype dtype = (rug_dtype)(RUG_U8 + test_below(&rng, RUG_N_DTYPES - 1));
            if (rug_dtype_size(dtype) > 4)
                dtype = RUG_F32;
            fill(&rng, bytes[i], sizeof bytes[i], dtype);
            must(ctx,
                 rug_image_view(ctx, &img[i], bytes[i], dtype, ndim, shape + 3 - ndim));
            s[i] = source_of(&t[i], img[i]);
        }
        rug_source inside = source_of_image(&img[1]);
        rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
        opts.mask = &inside;
        must(ctx, test_boxcount(ctx, &b, &img[0], &opts));
        opts.mask = &s[1];
        must(ctx, test_boxcount(ctx, &a, &img[0], &opts));
        test_assert_counts_equal(&a, &b, "an image in memory");
        assert_int_equal(a.n_pixels, b.n_pixels);
        must(ctx, test_boxcount_source(ctx, &a, &s[0], &opts));
        test_assert_counts_equal(&a, &b, "a source");
        assert_int_equal(t[0].n_disorder + t[1].n_disorder, 0);
        free(t[0].slab);
        free(t[1].slab);
    }
    rug_context_free(ctx);
}

#define NY 6400
#define NX 4096

/* 200 MB in two slabs of 64 MB-multiples: values that only the last layers have. */
static double *large_pixels(void)
{
    double *pixels = malloc(sizeof *pixels * NY * NX);
    assert_non_null(pixels);
    for (size_t y = 0; y < NY; y++)
        for (size_t x = 0; x < NX; x++)
            pixels[y * NX + x] =
                (y ^ x) % 97 == 0 ? 1.0 + (double)y / 1000 : (double)((y & x) % 3) / 10;
    return pixels;
}

static void many_slabs(void **state)
{
    (void)state;
    static test_counts a, b;
    rug_context *ctx = test_context();
    double *pixels = large_pixels();
    rug_image img;
    must(ctx, rug_image_view(ctx, &img, pixels, RUG_F64, 2, (size_t[2]){NY, NX}));
    tape t;
    rug_source s = source_of(&t, img);
    rug_image_range range = RUG_IMAGE_RANGE_INIT, expected = RUG_IMAGE_RANGE_INIT;
    must(ctx, rug_source_measure_range(ctx, &range, &s, NULL));
    must(ctx, rug_image_measure_range(ctx, &expected, &img));
    assert_same_range(&range, &expected, "two slabs");
    assert_int_equal(t.n_passes, 1);
    assert_in_range(t.n_slabs, 2, 10);
    must(ctx, test_boxcount_source(ctx, &a, &s, NULL));
    must(ctx, test_boxcount(ctx, &b, &img, NULL));
    test_assert_counts_equal(&a, &b, "two slabs");
    assert_true(same_real(a.foreground.value, b.foreground.value));
    assert_int_equal(t.n_disorder, 0);
    assert_in_range(t.n_passes, 2, 5);
    free(t.slab);
    free(pixels);
    rug_context_free(ctx);
}

static void failing_sources(void **state)
{
    (void)state;
    static test_counts out;
    rug_context *ctx = test_context();
    double *pixels = large_pixels();
    rug_image img;
    must(ctx, rug_image_view(ctx, &img, pixels, RUG_F64, 2, (size_t[2]){NY, NX}));
    for (int pass = 1; pass <= 4;
         pass += TEST_STEP(TEST_RACES(4, 2))) { /* range, Otsu twice, count */
        tape t;
        rug_source s = source_of(&t, img);
        t.fail_pass = pass;
        assert_int_equal(test_boxcount_source(ctx, &out, &s, NULL), RUG_E_IO);
        assert_non_null(strstr(rug_context_error(ctx), "torn at layer"));
        free(t.slab);
        s = source_of(&t, img);
        t.wrong_pass = pass;
        assert_int_equal(test_boxcount_source(ctx, &out, &s, NULL), RUG_E_ARG);
        assert_non_null(strstr(rug_context_error(ctx), "another slab"));
        free(t.slab);
    }
    free(pixels);
    rug_context_free(ctx);
}

static void bad_sources(void **state)
{
    (void)state;
    static test_counts out;
    rug_context *ctx = test_context();
    static const uint8_t pixels[6] = {0, 1, 1, 0, 0, 1};
    rug_image img = test_u8(pixels, 0, 2, 3), turned = test_u8(pixels, 0, 3, 2);
    tape t;
    rug_source s = source_of(&t, img), bad = s, mask = source_of_image(&turned);
    rug_boxcount_options hou = RUG_BOXCOUNT_OPTIONS_INIT;
    hou.method = RUG_BOXCOUNT_HOU;
    assert_int_equal(test_boxcount_source(ctx, &out, NULL, NULL), RUG_E_ARG);
    bad.read = NULL;
    assert_int_equal(test_boxcount_source(ctx, &out, &bad, NULL), RUG_E_ARG);
    bad = s;
    bad.dtype = (rug_dtype)RUG_N_DTYPES;
    assert_int_equal(test_boxcount_source(ctx, &out, &bad, NULL), RUG_E_ARG);
    bad = s;
    bad.shape[1] = 0;
    assert_int_equal(test_boxcount_source(ctx, &out, &bad, NULL), RUG_E_ARG);
    rug_boxcount_options masked = RUG_BOXCOUNT_OPTIONS_INIT;
    masked.mask = &mask;
    assert_int_equal(test_boxcount_source(ctx, &out, &s, &masked), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "mask has 3x2 pixels, the image 2x3"));
    assert_int_equal(test_boxcount_source(ctx, &out, &s, &hou), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "hou"));
    free(t.slab);
    rug_context_free(ctx);
}

/* Slabs: whole blocks of 64 layers where they fit, one layer at least, all at most. */
static void layers(void **state)
{
    (void)state;
    static const uint8_t pixel;
    rug_image img = test_u8(&pixel, 0, 1000, 100);
    tape t;
    rug_source s = source_of(&t, img);
    assert_int_equal(rug_source_layers(&s, 1), 1);
    assert_int_equal(rug_source_layers(&s, 6300), 63);
    assert_int_equal(rug_source_layers(&s, 20000), 192);
    assert_int_equal(rug_source_layers(&s, 99999), 960);
    assert_int_equal(rug_source_layers(&s, 100000), 1000);
    s = source_of_image(&img);
    assert_int_equal(rug_source_layers(&s, 1), 1000); /* nothing is copied */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sources), cmocka_unit_test(masks_from_sources),
        cmocka_unit_test(many_slabs),    cmocka_unit_test(failing_sources),
        cmocka_unit_test(bad_sources),   cmocka_unit_test(layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
