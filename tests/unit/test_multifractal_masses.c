/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses of random images of every dtype, whole, by masks, in parts and merged, at
 * every CPU level and on 1 to 4 threads, against a slow look at every cell. */

#include "support.h"

#include "masses_support.h"
#include "sample_support.h"
#include <stdio.h>

#define SEED     19890315
#define N_IMAGES 240

/* An image with all that is asked of it. */
typedef struct ask {
    sample image;
    rug_image mask;
    uint8_t *inside;
    rug_masses_options opts;
} ask;

/* Clears the sign of every cell, and the upper bits of 64-bit cells, so that totals fit
 * (little-endian: they come last). */
static void make_positive(const rug_image *img)
{
    size_t size = rug_dtype_size(img->dtype);
    int is_signed = img->dtype == RUG_I8 || img->dtype == RUG_I16 ||
                    img->dtype == RUG_I32 || img->dtype >= RUG_I64;
    int is_long = img->dtype == RUG_U64 || img->dtype == RUG_I64;
    for (uint64_t i = 0; (is_signed || is_long) && i < rug_image_cells(img); i++) {
        uint8_t *at = (uint8_t *)(uintptr_t)img->data;
        uint64_t rest = i;
        for (int a = img->ndim - 1; a >= 0; a--) {
            at += (ptrdiff_t)(rest % img->shape[a]) * img->stride[a];
            rest /= img->shape[a];
        }
        at[size - 1] = is_long ? 0 : at[size - 1] & 0x7f;
        if (is_long)
            at[size - 2] = 0;
    }
}

static ask random_ask(uint64_t *rng)
{
    ask a = {.image = random_sample(rng), .opts = RUG_MASSES_OPTIONS_INIT};
    make_positive(&a.image.img);
    const rug_image *img = &a.image.img;
    size_t n = (size_t)rug_image_cells(img);
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

static void assert_masses(rug_context *ctx, rug_masses *m, const ask *a, const char *what)
{
    rug_masses_facts facts;
    rug_masses_get_facts(m, &facts);
    assert_true(facts.is_whole);
    assert_int_equal(facts.ndim, a->image.img.ndim);
    for (uint32_t level = 0; level < facts.n_sizes; level++)
        assert_level(ctx, m, &a->image.img, a->opts.mask, &facts, level, what);
    naive_boxes cells = naive_level(&a->image.img, a->opts.mask, &facts, 0);
    uint64_t total = 0, n_set = 0, n_cells = 0;
    for (size_t i = 0; i < cells.n; i++) {
        total += cells.mass[i];
        n_set += cells.mass[i] > 0;
        n_cells += a->opts.mask == NULL || a->inside[i] > 0;
    }
    assert_true(total == facts.total);
    assert_int_equal(n_set, facts.n_set);
    assert_int_equal(n_cells, facts.n_cells);
    free(cells.mass);
}

static void random_images(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    printf("seed %d\n", SEED);
    for (int i = 0; i < N_IMAGES; i++) {
        ask a = random_ask(&rng);
        char what[80];
        a.opts.mask = i % 3 == 0 ? &a.mask : NULL;
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

/* A view of some cells of an image. */
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

static void parts_and_merge(void **state)
{
    (void)state;
    uint64_t rng = SEED + 1;
    for (int i = 0; i < N_IMAGES; i++) {
        ask a = random_ask(&rng);
        rug_context *ctx = test_context();
        rug_context_set_threads(ctx, 1 + i % 4);
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(i % 3));
        a.opts.mask = i % 4 == 0 ? &a.mask : NULL;
        const rug_image *img = &a.image.img;
        rug_masses *whole = must_measure(ctx, img, &a.opts), *m[2];
        rug_masses_facts facts, joined;
        rug_masses_get_facts(whole, &facts);
        a.opts.foreground = facts.foreground;
        for (int k = 0; k < 2; k++)
            if (rug_masses_new(ctx, &m[k], img->dtype, img->ndim, img->shape,
                               facts.unit_exponent, &a.opts) != RUG_OK)
                fail_msg("%s", rug_context_error(ctx));
        const size_t zero[3] = {0, 0, 0};
        size_t end[3] = {img->shape[0], img->shape[1], img->shape[2]};
        add_random_parts(ctx, &rng, m, &a, zero, end);
        if (rug_masses_merge(ctx, m[0], m[1]) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        assert_masses(ctx, m[0], &a, "parts");
        rug_masses_get_facts(m[0], &joined);
        joined.engine = facts.engine;
        assert_memory_equal(&joined, &facts, sizeof facts);
        rug_masses_free(whole);
        rug_masses_free(m[0]);
        rug_masses_free(m[1]);
        rug_context_free(ctx);
        free_ask(&a);
    }
}

/* Tables of every kind: images that are large enough to have them. */
static void tables_of_masses(void **state)
{
    (void)state;
    static const rug_dtype dtypes[] = {RUG_U8, RUG_U16, RUG_I16, RUG_U8};
    static const size_t shapes[][3] = {{300, 213, 0}, {30, 41, 53}, {16, 8200, 0}};
    uint64_t rng = SEED + 2;
    size_t n = (size_t)16 * 8200;
    uint16_t *cells = malloc(n * sizeof *cells);
    assert_non_null(cells);
    for (size_t i = 0; i < n; i++)
        cells[i] = (uint16_t)(test_random(&rng) & 0x7fff) >> test_below(&rng, 15);
    for (int i = 0; i < 12; i++) {
        rug_context *ctx = test_context();
        rug_image img;
        rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
        opts.of = i % 4 == 3 ? RUG_MASS_OF_FOREGROUND : RUG_MASS_OF_GREY;
        opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, 3};
        assert_int_equal(rug_image_view(ctx, &img, cells, dtypes[i % 4],
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
    free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_images),
        cmocka_unit_test(parts_and_merge),
        cmocka_unit_test(tables_of_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
