/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Values in parts: random images of every dtype, cut, added in any order to states that are saved,
 * loaded and merged, against the range, the rules and the unit of the whole. */

#include "support.h"

#include "core/state/state.h"
#include "memory_support.h"
#include "parts_support.h"
#include "sample_support.h"
#include <rugose/multifractal.h>
#include <rugose/values.h>
#include <stdio.h>
#include <string.h>

#define SEED     19790109
#define N_IMAGES TEST_CASES(50)
#define N_STATES 3

static void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

/* An image in parts. */
typedef struct job {
    rug_context *ctx;
    uint64_t *rng;
    const rug_image *img, *mask;
    rug_values *v[N_STATES];
} job;

/* ---- Images ---- */

#define STORE(type) ((type *)pixels)[i] = (type)v

/* Few levels, side by side, or far from 0; floats that are whole numbers, nearly all or none. */
static void put_levels(rug_image *img, uint64_t *rng)
{
    static const double origins[] = {0, 100, -50, 8e9, 9007199254740993.0};
    void *pixels = (char *)(uintptr_t)img->data;
    size_t n = (size_t)rug_image_pixels(img);
    uint64_t span = (uint64_t)1 << test_below(rng, 18), style = test_below(rng, 3);
    double origin = origins[test_below(rng, 5)];
    for (size_t i = 0; i < n; i++) {
        double v = origin + (double)test_below(rng, span);
        if (style == 0 || (style == 1 && test_below(rng, 500) == 0))
            v += 0.25;
        switch (img->dtype) {
        case RUG_U32: ((uint32_t *)pixels)[i] = (uint32_t)(int64_t)v; break;
        case RUG_I32: ((int32_t *)pixels)[i] = (int32_t)(int64_t)v; break;
        case RUG_U64: ((uint64_t *)pixels)[i] = test_below(rng, span) - 500; break;
        case RUG_I64: ((int64_t *)pixels)[i] = (int64_t)origin * 999 + (int64_t)v; break;
        case RUG_F32: STORE(float); break;
        default: STORE(double); break;
        }
    }
}

/* An image of more than 16 bits. Free its pixels. */
static rug_image image_of_levels(uint64_t *rng)
{
    static const rug_dtype dtypes[] = {RUG_U32, RUG_I32, RUG_U64,
                                       RUG_I64, RUG_F32, RUG_F64};
    const size_t shape[2] = {1 + test_below(rng, 60), 1 + test_below(rng, 60)};
    rug_image img;
    void *pixels = malloc(shape[0] * shape[1] * 8);
    assert_non_null(pixels);
    assert_int_equal(
        rug_image_view(NULL, &img, pixels, dtypes[test_below(rng, 6)], 2, shape), RUG_OK);
    put_levels(&img, rng);
    return img;
}

/* ---- Parts ---- */

/* Puts a state in the place of one that is saved and loaded, and saves to the same bytes. */
static void travel(rug_context *ctx, rug_values **v)
{
    uint8_t *bytes, *again;
    size_t n, n_again;
    must(ctx, rug_values_save(ctx, &bytes, &n, *v));
    rug_values_free(*v);
    must(ctx, rug_values_load(ctx, v, bytes, n));
    must(ctx, rug_values_save(ctx, &again, &n_again, *v));
    assert_int_equal(n_again, n);
    assert_memory_equal(again, bytes, n);
    rug_context_release(ctx, again);
    rug_context_release(ctx, bytes);
}

static void add_part(void *user, const size_t *first, const size_t *end)
{
    job *j = user;
    rug_image part = cut_image(j->img, first, end), mask;
    size_t to = test_below(j->rng, N_STATES);
    if (j->mask != NULL)
        mask = cut_image(j->mask, first, end);
    must(j->ctx,
         rug_values_add(j->ctx, j->v[to], &part, j->mask != NULL ? &mask : NULL, first));
    if (test_below(j->rng, 8) == 0)
        travel(j->ctx, &j->v[to]);
}

/* The values of the image, of parts that were merged in any order. */
static rug_values *in_parts(job *j, const rug_image_range *range)
{
    static const size_t zero[3] = {0, 0, 0};
    const rug_image *img = j->img;
    rug_values_options o = RUG_VALUES_OPTIONS_INIT;
    o.has_mask = j->mask != NULL;
    o.range = range;
    for (int i = 0; i < N_STATES; i++)
        must(j->ctx,
             rug_values_new(j->ctx, &j->v[i], img->dtype, img->ndim, img->shape, &o));
    cut_at_random(j->rng, img, zero, img->shape, add_part, j);
    int first = (int)test_below(j->rng, 2);
    must(j->ctx, rug_values_merge(j->ctx, j->v[first], j->v[2]));
    must(j->ctx, rug_values_merge(j->ctx, j->v[1 - first], j->v[first]));
    travel(j->ctx, &j->v[1 - first]);
    rug_values_free(j->v[first]);
    rug_values_free(j->v[2]);
    return j->v[1 - first];
}

/* ---- The same as of the whole ---- */

static void assert_same_rule(rug_foreground a, rug_foreground b)
{
    if (a.kind != b.kind || a.value < b.value || a.value > b.value || a.rest != b.rest)
        fail_msg("%s %.17g %+lld instead of %s %.17g %+lld",
                 rug_foreground_kind_name(a.kind), a.value, (long long)a.rest,
                 rug_foreground_kind_name(b.kind), b.value, (long long)b.rest);
}

/* @param counted  values whose levels were counted, once they had to be */
static void check_rule(job *j, const rug_source *whole, const rug_source *mask,
                       const rug_values *v, rug_foreground asked,
                       const rug_image_range *range, rug_values **counted)
{
    rug_foreground expected, found;
    must(j->ctx,
         rug_source_resolve_foreground(j->ctx, &expected, whole, mask, NULL, asked));
    if (rug_values_must_count(v, asked)) {
        assert_int_equal(rug_values_resolve(j->ctx, &found, v, asked), RUG_E_ARG);
        if (*counted == NULL)
            *counted = in_parts(j, range);
        assert_int_equal(rug_values_must_count(*counted, asked), 0);
        v = *counted;
    }
    must(j->ctx, rug_values_resolve(j->ctx, &found, v, asked));
    assert_same_rule(found, expected);
}

/* @return whether there is one */
static int check_unit(job *j, const rug_source *whole, const rug_source *mask,
                      const rug_values *v)
{
    rug_masses_options o = RUG_MASSES_OPTIONS_INIT;
    rug_masses *m;
    int unit;
    must(j->ctx, rug_values_unit(j->ctx, &unit, v));
    o.mask = mask;
    if (rug_masses_measure_source(j->ctx, &m, whole, &o) != RUG_OK)
        return 0; /* a pixel is negative, or they are too large */
    assert_int_equal(unit, rug_masses_get_facts(m)->unit_exponent);
    rug_masses_free(m);
    return 1;
}

static void check_image(job *j, int *n_counted, int *n_units)
{
    static const rug_foreground_kind kinds[] = {
        RUG_FOREGROUND_AUTO, RUG_FOREGROUND_OTSU, RUG_FOREGROUND_OTSU_DARK,
        RUG_FOREGROUND_NONZERO, RUG_FOREGROUND_BELOW};
    rug_image_range expected = RUG_IMAGE_RANGE_INIT, range = RUG_IMAGE_RANGE_INIT;
    rug_source whole = RUG_SOURCE_INIT, inside = RUG_SOURCE_INIT;
    rug_source_of_image(&whole, j->img);
    const rug_source *mask =
        j->mask != NULL ? rug_source_of_image(&inside, j->mask) : NULL;
    rug_values *v = in_parts(j, NULL), *counted = NULL;
    must(j->ctx, rug_source_measure_range(j->ctx, &expected, &whole, mask));
    must(j->ctx, rug_values_range(j->ctx, &range, v));
    if (isnan(expected.min)) {
        assert_true(isnan(range.min) && isnan(range.max));
        range.min = expected.min;
        range.max = expected.max;
    }
    assert_memory_equal(&range, &expected, sizeof range);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_rule(j, &whole, mask, v, (rug_foreground){kinds[i], 3, 0}, &range,
                   &counted);
    *n_counted += counted != NULL;
    *n_units += check_unit(j, &whole, mask, v);
    rug_values_free(counted);
    rug_values_free(v);
}

static void random_images(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    int n_counted = 0, n_units = 0;
    for (int i = 0; i < N_IMAGES; i++) {
        sample s = {.img = {.ndim = 0}};
        if (i % 2 == 0)
            s = random_sample(&rng);
        else
            s.img = image_of_levels(&rng);
        size_t n = (size_t)rug_image_pixels(&s.img);
        uint8_t *inside = malloc(n);
        assert_non_null(inside);
        for (size_t k = 0; k < n; k++)
            inside[k] = (uint8_t)test_below(&rng, 20);
        rug_image mask =
            test_u8(inside, s.img.ndim == 3 ? s.img.shape[0] : 0,
                    s.img.shape[s.img.ndim - 2], s.img.shape[s.img.ndim - 1]);
        job j = {test_context(), &rng, &s.img, i % 3 == 0 ? &mask : NULL, {NULL}};
        rug_context_set_threads(j.ctx, 1 + i % 4);
        check_image(&j, &n_counted, &n_units);
        if (s.buffer == NULL)
            free((void *)(uintptr_t)s.img.data);
        free_sample(&s);
        free(inside);
        rug_context_free(j.ctx);
    }
    assert_in_range(n_counted, N_IMAGES / 10, N_IMAGES);
    assert_in_range(n_units, N_IMAGES / 10, N_IMAGES);
}

/* ---- What is refused ---- */

static void refused(rug_context *ctx, rug_status status, rug_status expected,
                    const char *text)
{
    assert_int_equal(status, expected);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static const size_t shape[2] = {4, 3}, origin[2] = {0, 0};

static void bad_values(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const float pixels[12] = {1, 0, 1, 2.5f, -1, 1};
    rug_image_range range = RUG_IMAGE_RANGE_INIT, wrong = RUG_IMAGE_RANGE_INIT;
    rug_values_options o = RUG_VALUES_OPTIONS_INIT;
    rug_foreground otsu = {RUG_FOREGROUND_OTSU, 0, 0}, rule;
    rug_image img;
    rug_values *v, *w;
    int unit;
    must(ctx, rug_image_view(ctx, &img, pixels, RUG_F32, 2, shape));
    refused(ctx, rug_values_new(ctx, &v, RUG_U8, 1, shape, NULL), RUG_E_ARG, "1 axes");
    assert_null(v);
    refused(ctx, rug_values_new(ctx, &v, (rug_dtype)77, 2, shape, NULL), RUG_E_ARG,
            "dtype 77");
    refused(ctx, rug_values_new(ctx, &v, RUG_U8, 2, NULL, NULL), RUG_E_ARG, "NULL");
    must(ctx, rug_values_new(ctx, &v, RUG_F32, 2, shape, NULL));
    refused(ctx, rug_values_range(ctx, &range, v), RUG_E_ARG, "0 of 12 pixels");
    refused(ctx, rug_values_unit(ctx, &unit, v), RUG_E_ARG, "0 of 12 pixels");
    refused(ctx, rug_values_resolve(ctx, &rule, v, otsu), RUG_E_ARG, "0 of 12 pixels");
    refused(ctx, rug_values_add(ctx, v, &img, &img, origin), RUG_E_ARG, "none expected");
    must(ctx, rug_values_add(ctx, v, &img, NULL, origin));
    refused(ctx, rug_values_add(ctx, v, &img, NULL, origin), RUG_E_ARG, "added before");
    must(ctx, rug_values_range(ctx, &range, v));
    assert_true(rug_values_must_count(v, otsu));
    refused(ctx, rug_values_resolve(ctx, &rule, v, otsu), RUG_E_ARG,
            "levels of f32 that were counted expected");
    o.unused = 1;
    refused(ctx, rug_values_new(ctx, &w, RUG_F32, 2, shape, &o), RUG_E_ARG, "`unused`");
    o.unused = 0;
    wrong.min = -1;
    wrong.max = INFINITY;
    o.range = &wrong;
    refused(ctx, rug_values_new(ctx, &w, RUG_F32, 2, shape, &o), RUG_E_ARG,
            "range -1..inf given");
    refused(ctx, rug_values_new(ctx, &w, RUG_U32, 2, shape, &o), RUG_E_ARG,
            "range -1..inf given, that of pixels of u32");
    wrong.max = -2;
    refused(ctx, rug_values_new(ctx, &w, RUG_F32, 2, shape, &o), RUG_E_ARG,
            "range -1..-2 given");
    wrong.max = 2;
    must(ctx, rug_values_new(ctx, &w, RUG_F32, 2, shape, &o));
    refused(ctx, rug_values_merge(ctx, v, w), RUG_E_ARG,
            "range -1..2 given, none expected");
    must(ctx, rug_values_add(ctx, w, &img, NULL, origin));
    refused(ctx, rug_values_resolve(ctx, &rule, w, otsu), RUG_E_ARG,
            "range -1..2 given, but the pixels have -1..2.5");
    rug_values_free(w);
    must(ctx, rug_values_new(ctx, &w, RUG_F64, 2, shape, NULL));
    refused(ctx, rug_values_merge(ctx, v, w), RUG_E_ARG, "dtype f64 given, f32 expected");
    refused(ctx, rug_values_merge(ctx, v, NULL), RUG_E_ARG, "NULL");
    rug_values_free(w);
    rug_values_free(v);
    rug_values_free(NULL);
    assert_int_equal(rug_values_must_count(NULL, otsu), 0);
    rug_context_free(ctx);
}

/* Every allocation fails once; nothing is lost and nothing leaks. */
static void failing_memory(void **state)
{
    (void)state;
    static float pixels[2][6] = {{1, 0, 2.5f, 7, 7, 1}, {NAN, 3, 1, 1, 0, 0}};
    static const size_t half[2] = {2, 3}, second[2] = {2, 0};
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_values_options o = RUG_VALUES_OPTIONS_INIT;
    range.max = 7;
    o.range = &range;
    rug_status status = RUG_E_NOMEM;
    for (size_t k = 1; status == RUG_E_NOMEM; k++) {
        rug_context *ctx = test_context();
        memory m = {.fail_at = k};
        rug_values *v[2] = {NULL, NULL};
        rug_foreground rule = {RUG_FOREGROUND_OTSU, 0, 0};
        memory_hook(ctx, &m);
        status = RUG_OK;
        for (int i = 0; i < 2 && status == RUG_OK; i++) {
            rug_image img;
            must(ctx, rug_image_view(ctx, &img, pixels[i], RUG_F32, 2, half));
            status = rug_values_new(ctx, &v[i], RUG_F32, 2, shape, &o);
            if (status == RUG_OK)
                status = rug_values_add(ctx, v[i], &img, NULL, i == 0 ? origin : second);
        }
        if (status == RUG_OK)
            status = rug_values_merge(ctx, v[0], v[1]);
        if (status == RUG_OK)
            status = rug_values_resolve(ctx, &rule, v[0], rule);
        rug_values_free(v[0]);
        rug_values_free(v[1]);
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
        cmocka_unit_test(random_images),
        cmocka_unit_test(bad_values),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
