/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses of random images of every dtype, whole, by masks, in parts and merged, at
 * every CPU level and on 1 to 4 threads, against a slow look at every pixel. */

#include "support.h"

#include "masses_support.h"
#include "sample_support.h"
#include <stdio.h>

#define SEED     19890315
#define N_IMAGES TEST_CASES(150)

/* An image with all that is asked of it. */
typedef struct ask {
    sample image;
    rug_image mask; /* used where opts.mask is */
    uint8_t *inside;
    rug_masses_options opts;
} ask;

static ask random_ask(uint64_t *rng)
{
    ask a = {.image = random_sample(rng), .opts = RUG_MASSES_OPTIONS_INIT};
    make_positive(&a.image.img);
    const rug_image *img = &a.image.img;
    size_t n = (size_t)rug_image_pixels(img);
    a.inside = malloc(n);
    assert_non_null(a.inside);
    for (size_t i = 0; i < n; i++)
        a.inside[i] = (uint8_t)test_below(rng, 3);
    a.mask = test_u8(a.inside, img->ndim == 3 ? img->shape[0] : 0,
                     img->shape[img->ndim - 2], img->shape[img->ndim - 1]);
    a.opts.of = (rug_mass_of)test_below(rng, 2);
    a.opts.foreground = a.image.rule;
    return a;
}

static void free_ask(const ask *a)
{
    free(a->inside);
    free_sample(&a->image);
}

static const rug_image *mask_of(const ask *a)
{
    return a->opts.mask != NULL ? &a->mask : NULL;
}

static void assert_masses(rug_context *ctx, rug_masses *m, const ask *a, const char *what)
{
    rug_masses_facts facts = *rug_masses_get_facts(m);
    assert_true(facts.is_whole);
    assert_int_equal(facts.ndim, a->image.img.ndim);
    for (uint32_t level = 0; level < facts.n_sizes; level++)
        assert_level(ctx, m, &a->image.img, mask_of(a), &facts, level, what);
    naive_boxes pixels = naive_level(&a->image.img, mask_of(a), &facts, 0);
    uint64_t total = 0, n_set = 0, n_pixels = 0;
    for (size_t i = 0; i < pixels.n; i++) {
        total += pixels.mass[i];
        n_set += pixels.mass[i] > 0;
        n_pixels += a->opts.mask == NULL || a->inside[i] > 0;
    }
    assert_true(total == facts.total);
    assert_int_equal(n_set, facts.n_set);
    assert_int_equal(n_pixels, facts.n_pixels);
    free(pixels.mass);
}

static void random_images(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    printf("seed %d\n", SEED);
    for (int i = 0; i < N_IMAGES; i++) {
        ask a = random_ask(&rng);
        char what[80];
        rug_source mask = source_of_image(&a.mask);
        a.opts.mask = i % 3 == 0 ? &mask : NULL;
        for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
            rug_context *ctx = test_context();
            rug_context_set_threads(ctx, 1 + (i + level) % 4);
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            snprintf(what, sizeof what, "image %d, %s, level %d", i,
                     rug_dtype_name(a.image.img.dtype), level);
            rug_masses *m = must_measure(ctx, &a.image.img, &a.opts);
            assert_masses(ctx, m, &a, what);
            rug_masses_free(m);
            rug_context_free(ctx);
        }
        free_ask(&a);
    }
}

/* A view of some pixels of an image. */
static rug_image cut(const rug_image *img, const size_t *first, const size_t *end)
{
    rug_image v = *img;
    const char *data = img->data;
    for (int a = 0; a < img->ndim; a++) {
        v.shape[a] = end[a] - first[a];
        data += (ptrdiff_t)first[a] * img->stride[a] *
                (img->dtype == RUG_BIT && a == img->ndim - 1 ? 0 : 1);
    }
    v.data = data;
    return v;
}

/* Cuts the box at a random place into two until it is small, and adds all in that order
 * to one of the two masses. */
static void add_random_parts(rug_context *ctx, uint64_t *rng, rug_masses *const m[2],
                             const ask *a, const size_t *first, const size_t *end)
{
    int axis = (int)test_below(rng, (uint64_t)a->image.img.ndim);
    if (a->image.img.dtype == RUG_BIT && axis == a->image.img.ndim - 1)
        axis--;
    size_t n = end[axis] - first[axis];
    if (n < 2 || test_below(rng, 6) == 0) {
        rug_image part = cut(&a->image.img, first, end), mask = {0};
        if (a->opts.mask != NULL)
            mask = cut(&a->mask, first, end);
        if (rug_masses_add(ctx, m[test_below(rng, 2)], &part,
                           a->opts.mask != NULL ? &mask : NULL, first) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        return;
    }
    size_t middle[3], at = first[axis] + 1 + test_below(rng, n - 1);
    memcpy(middle, end, sizeof middle);
    middle[axis] = at;
    size_t later[3];
    memcpy(later, first, sizeof later);
    later[axis] = at;
    int turned = (int)test_below(rng, 2);
    add_random_parts(ctx, rng, m, a, turned ? later : first, turned ? end : middle);
    add_random_parts(ctx, rng, m, a, turned ? first : later, turned ? middle : end);
}

/* Puts masses in the place of those that are saved and loaded, and save to the same bytes.
 *  @param n  bytes
 *  @return the bytes */
static uint8_t *travel(rug_context *ctx, rug_masses **m, size_t *n)
{
    uint8_t *bytes, *again;
    size_t n_again;
    assert_int_equal(rug_masses_save(ctx, &bytes, n, *m), RUG_OK);
    rug_masses_free(*m);
    if (rug_masses_load(ctx, m, bytes, *n) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_int_equal(rug_masses_save(ctx, &again, &n_again, *m), RUG_OK);
    assert_int_equal(n_again, *n);
    assert_memory_equal(again, bytes, *n);
    rug_context_release(ctx, again);
    return bytes;
}

/* Masses of the same image have the same bytes, whichever way they came. */
static void assert_same_bytes(rug_context *ctx, rug_masses **a, rug_masses **b)
{
    size_t n_a, n_b;
    uint8_t *bytes_a = travel(ctx, a, &n_a), *bytes_b = travel(ctx, b, &n_b);
    assert_int_equal(n_a, n_b);
    assert_memory_equal(bytes_a, bytes_b, n_a);
    rug_context_release(ctx, bytes_a);
    rug_context_release(ctx, bytes_b);
}

static void parts_and_merge(void **state)
{
    (void)state;
    uint64_t rng = SEED + 1;
    for (int i = 0; i < N_IMAGES; i++) {
        ask a = random_ask(&rng);
        rug_context *ctx = test_context();
        rug_context_set_threads(ctx, 1 + i % 4);
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(i % 3));
        rug_source mask = source_of_image(&a.mask);
        a.opts.mask = i % 4 == 0 ? &mask : NULL;
        const rug_image *img = &a.image.img;
        rug_masses *whole = must_measure(ctx, img, &a.opts), *m[2];
        rug_masses_facts facts, joined;
        facts = *rug_masses_get_facts(whole);
        a.opts.foreground = facts.foreground;
        for (int k = 0; k < 2; k++)
            if (rug_masses_new(ctx, &m[k], img->dtype, img->ndim, img->shape,
                               facts.unit_exponent, &a.opts) != RUG_OK)
                fail_msg("%s", rug_context_error(ctx));
        const size_t zero[3] = {0, 0, 0};
        size_t end[3] = {img->shape[0], img->shape[1], img->shape[2]};
        add_random_parts(ctx, &rng, m, &a, zero, end);
        for (int k = 0; k < 2; k++)
            if (test_below(&rng, 2) == 0) {
                size_t n;
                rug_context_release(ctx, travel(ctx, &m[k], &n));
            }
        if (rug_masses_merge(ctx, m[0], m[1]) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        if (i % 2 == 0)
            assert_same_bytes(ctx, &m[0], &whole);
        assert_masses(ctx, m[0], &a, "parts");
        joined = *rug_masses_get_facts(m[0]);
        joined.engine = facts.engine;
        assert_int_equal(joined.foreground.kind, facts.foreground.kind);
        if (facts.foreground.kind >= RUG_FOREGROUND_ABOVE)
            assert_true(joined.foreground.value + (double)joined.foreground.rest ==
                        facts.foreground.value + (double)facts.foreground.rest);
        memcpy(&joined.foreground, &facts.foreground, sizeof facts.foreground);
        assert_memory_equal(&joined, &facts, sizeof facts);
        rug_masses_free(whole);
        rug_masses_free(m[0]);
        rug_masses_free(m[1]);
        rug_context_free(ctx);
        free_ask(&a);
    }
}

/* Masses of strips of rows of pixels that are 1. */
static rug_masses *strips(rug_context *ctx, size_t n_strips, const size_t first[],
                          const size_t n_rows[])
{
    static uint8_t pixels[64 * 40];
    const size_t shape[2] = {64, 40};
    rug_masses *m;
    memset(pixels, 1, sizeof pixels);
    assert_int_equal(rug_masses_new(ctx, &m, RUG_U8, 2, shape, 0, NULL), RUG_OK);
    for (size_t i = 0; i < n_strips; i++) {
        rug_image part = test_u8(pixels, 0, n_rows[i], 40);
        const size_t at[2] = {first[i], 0};
        assert_int_equal(rug_masses_add(ctx, m, &part, NULL, at), RUG_OK);
    }
    return m;
}

/* What is refused because some of it has come before leaves the masses as they were. */
static void refused_merge(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_masses *m = strips(ctx, 1, (size_t[]){0}, (size_t[]){20});
    rug_masses *bad = strips(ctx, 2, (size_t[]){30, 19}, (size_t[]){34, 2});
    rug_masses *good = strips(ctx, 2, (size_t[]){40, 20}, (size_t[]){24, 20});
    rug_masses_facts before, after;
    before = *rug_masses_get_facts(m);
    assert_int_equal(rug_masses_merge(ctx, m, bad), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "pixel 0,19,0"));
    assert_int_equal(rug_masses_merge(ctx, m, m), RUG_E_ARG);
    after = *rug_masses_get_facts(m);
    assert_memory_equal(&before, &after, sizeof after);
    assert_int_equal(rug_masses_merge(ctx, m, good), RUG_OK);
    after = *rug_masses_get_facts(m);
    assert_true(after.is_whole && after.total == 64 * 40);
    rug_masses_free(m);
    rug_masses_free(bad);
    rug_masses_free(good);
    rug_context_free(ctx);
}

/* Tables of every kind: images that are large enough to have them. */
static void tables_of_masses(void **state)
{
    (void)state;
    static const rug_dtype dtypes[] = {RUG_U8, RUG_U16, RUG_I16, RUG_U8};
    static const size_t shapes[][3] = {{300, 213, 0}, {30, 41, 53}, {16, 8200, 0}};
    uint64_t rng = SEED + 2;
    size_t n = (size_t)16 * 8200;
    uint16_t *pixels = malloc(n * sizeof *pixels);
    assert_non_null(pixels);
    for (size_t i = 0; i < n; i++)
        pixels[i] = (uint16_t)((test_random(&rng) & 0x7fff) >> test_below(&rng, 15));
    for (int i = 0; i < 12; i++) {
        rug_context *ctx = test_context();
        rug_image img;
        rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
        opts.of = i % 4 == 3 ? RUG_MASS_OF_FOREGROUND : RUG_MASS_OF_GRAY;
        opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, 3, 0};
        assert_int_equal(rug_image_view(ctx, &img, pixels, dtypes[i % 4],
                                        i / 4 == 1 ? 3 : 2, shapes[i / 4]),
                         RUG_OK);
        ask a = {.image = {.img = img}, .opts = opts};
        for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
            rug_context_set_threads(ctx, 1 + level);
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            rug_masses *m = must_measure(ctx, &img, &opts);
            assert_masses(ctx, m, &a, "table");
            rug_masses_free(m);
        }
        rug_context_free(ctx);
    }
    free(pixels);
}

/* So many pixels are counted in pairs. An image and a volume with odd ends, and one in two
 * parts whose border cuts blocks. */
static void tables_of_pairs(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {{1031, 1033, 0}, {67, 130, 131}};
    uint64_t rng = SEED + 3, expected[256];
    size_t n_most = (size_t)67 * 130 * 131;
    uint8_t *pixels = malloc(n_most);
    assert_non_null(pixels);
    for (size_t i = 0; i < n_most; i++)
        pixels[i] = (uint8_t)(test_random(&rng) >> test_below(&rng, 8));
    for (int i = 0; i < 4; i++) {
        rug_context *ctx = test_context();
        rug_image img, part;
        int ndim = 2 + i % 2;
        const size_t *shape = shapes[i % 2];
        rug_masses *m;
        assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_U8, ndim, shape), RUG_OK);
        rug_context_set_threads(ctx, 1 + i);
        if (i < 2) {
            m = must_measure(ctx, &img, NULL);
        } else {
            size_t first[3] = {0};
            assert_int_equal(rug_masses_new(ctx, &m, RUG_U8, ndim, shape, 0, NULL),
                             RUG_OK);
            part = img;
            part.shape[0] = 53;
            assert_int_equal(rug_masses_add(ctx, m, &part, NULL, first), RUG_OK);
            first[0] = 53;
            part.data = pixels + 53 * img.stride[0];
            part.shape[0] = shape[0] - 53;
            assert_int_equal(rug_masses_add(ctx, m, &part, NULL, first), RUG_OK);
        }
        memset(expected, 0, sizeof expected);
        for (uint64_t k = 0; k < rug_image_pixels(&img); k++)
            expected[pixels[k]]++;
        rug_masses_facts facts = *rug_masses_get_facts(m);
        assert_int_equal(facts.n_set, rug_image_pixels(&img) - expected[0]);
        size_t n;
        const rug_mass_boxes *pairs = rug_masses_boxes(ctx, m, 0, &n);
        assert_int_equal(n, 255);
        for (size_t k = 0; k < n; k++)
            assert_true(pairs[k].mass == k + 1 && pairs[k].boxes == expected[k + 1]);
        assert_level(ctx, m, &img, NULL, &facts, 1, "pairs");
        rug_masses_free(m);
        rug_context_free(ctx);
    }
    free(pixels);
}

/* A source that is no image in memory, so that it is read in passes. */
typedef struct slabs {
    rug_image img;
    int fails;
} slabs;

static rug_status read_slab(rug_context *ctx, void *user, rug_image *out, size_t first,
                            size_t n)
{
    const slabs *s = user;
    if (s->fails)
        return rug_context_fail(ctx, RUG_E_IO, "no more");
    *out = s->img;
    out->shape[0] = n;
    out->data = (const char *)s->img.data + (ptrdiff_t)first * s->img.stride[0];
    return RUG_OK;
}

static rug_source source_of(slabs *s)
{
    rug_source source = source_of_image(&s->img);
    source.read = read_slab;
    source.user = s;
    return source;
}

static void sources(void **state)
{
    (void)state;
    uint64_t rng = SEED + 4;
    for (int i = 0; i < 40; i++) {
        ask a = random_ask(&rng);
        rug_context *ctx = test_context();
        slabs pixels = {.img = a.image.img}, inside = {.img = a.mask};
        rug_source source = source_of(&pixels), mask = source_of(&inside);
        rug_source in_memory = source_of_image(&a.mask);
        a.opts.mask = i % 2 ? &in_memory : NULL;
        rug_masses *m = NULL, *whole = must_measure(ctx, &a.image.img, &a.opts);
        rug_masses_facts facts, expected;
        a.opts.mask = i % 2 ? &mask : NULL;
        if (rug_masses_measure_source(ctx, &m, &source, &a.opts) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        facts = *rug_masses_get_facts(m);
        expected = *rug_masses_get_facts(whole);
        assert_memory_equal(&facts, &expected, sizeof facts);
        assert_masses(ctx, m, &a, "source");
        rug_masses_free(m);
        rug_masses_free(whole);
        pixels.fails = 1;
        assert_int_equal(rug_masses_measure_source(ctx, &m, &source, &a.opts), RUG_E_IO);
        assert_null(m);
        pixels.fails = 0;
        inside.fails = 1;
        a.opts.mask = &mask;
        assert_int_equal(rug_masses_measure_source(ctx, &m, &source, &a.opts), RUG_E_IO);
        assert_null(m);
        rug_context_free(ctx);
        free_ask(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_images),    cmocka_unit_test(parts_and_merge),
        cmocka_unit_test(tables_of_masses), cmocka_unit_test(tables_of_pairs),
        cmocka_unit_test(refused_merge),    cmocka_unit_test(sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
