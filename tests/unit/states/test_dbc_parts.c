/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counts in parts: random images of every dtype, cut, added in any order to states
 * that are saved, loaded and merged, against the whole. */

#include "support.h"

#include "core/state/state.h"
#include "memory_support.h"
#include "parts_support.h"
#include "sample_support.h"
#include <rugose/dbc_parts.h>
#include <stdio.h>
#include <string.h>

#define SEED     19940115
#define N_IMAGES TEST_CASES(300)
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
    rug_dbc_parts *p[N_STATES];
} job;

/* Puts a state in the place of one that is saved and loaded, and saves to the same bytes. */
static void travel(rug_context *ctx, rug_dbc_parts **p)
{
    uint8_t *bytes, *again;
    size_t n, n_again;
    must(ctx, rug_dbc_parts_save(ctx, &bytes, &n, *p));
    rug_dbc_parts_free(*p);
    must(ctx, rug_dbc_parts_load(ctx, p, bytes, n));
    must(ctx, rug_dbc_parts_save(ctx, &again, &n_again, *p));
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
    must(j->ctx, rug_dbc_parts_add(j->ctx, j->p[to], &part,
                                   j->mask != NULL ? &mask : NULL, first));
    if (test_below(j->rng, 8) == 0)
        travel(j->ctx, &j->p[to]);
}

static int same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void assert_same(const rug_dbc_result *a, const rug_dbc_result *b)
{
    const rug_dbc_facts *x = rug_dbc_get_facts(a), *y = rug_dbc_get_facts(b);
    assert_int_equal(x->ndim, y->ndim);
    assert_memory_equal(x->shape, y->shape, (size_t)x->ndim * sizeof x->shape[0]);
    assert_int_equal(x->n_pixels, y->n_pixels);
    assert_int_equal(x->n_left_out, y->n_left_out);
    assert_true(same(x->min, y->min) && same(x->max, y->max));
    assert_true(same(x->levels, y->levels) && same(x->base, y->base));
    assert_string_equal(x->engine, y->engine);
    assert_int_equal(x->n_sizes, y->n_sizes);
    for (size_t i = 0; i < x->n_sizes; i++)
        assert_memory_equal(rug_dbc_at(a, i), rug_dbc_at(b, i), sizeof(rug_dbc_size));
}

static rug_dbc_options random_options(uint64_t *rng, rug_dtype dtype)
{
    rug_dbc_options o = RUG_DBC_OPTIONS_INIT;
    o.levels = test_below(rng, 3) == 0 ? (double)(1 + test_below(rng, 300)) : 0;
    o.anchor = (rug_dbc_anchor)test_below(rng, 2);
    if (dtype >= RUG_F32 && test_below(rng, 3) == 0)
        o.values = (rug_dtype)(RUG_U8 + test_below(rng, 4));
    return o;
}

/* The count of an image from two threads on. @return whether it has one */
static int check_image(job *j, rug_dbc_options *o)
{
    static const size_t zero[3] = {0, 0, 0};
    const rug_image *img = j->img;
    rug_source whole = RUG_SOURCE_INIT, mask = RUG_SOURCE_INIT;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_dbc_result *expected, *result = NULL;
    rug_source_of_image(&whole, img);
    o->mask = j->mask != NULL ? rug_source_of_image(&mask, j->mask) : NULL;
    must(j->ctx, rug_source_measure_range(j->ctx, &range, &whole, o->mask));
    rug_status status = rug_dbc(j->ctx, &expected, img, o);
    for (int i = 0; i < N_STATES; i++)
        if (rug_dbc_parts_new(j->ctx, &j->p[i], img->dtype, img->ndim, img->shape, o,
                              &range) != RUG_OK) {
            assert_int_equal(status, RUG_E_ARG); /* too few levels */
            return 0;
        }
    cut_at_random(j->rng, img, zero, img->shape, add_part, j);
    must(j->ctx, rug_dbc_merge(j->ctx, j->p[1], j->p[2]));
    must(j->ctx, rug_dbc_merge(j->ctx, j->p[0], j->p[1]));
    travel(j->ctx, &j->p[0]);
    assert_int_equal(rug_dbc_parts_finish(j->ctx, &result, j->p[0]), status);
    if (status == RUG_OK)
        assert_same(result, expected);
    rug_dbc_free(result);
    rug_dbc_free(expected);
    for (int i = 0; i < N_STATES; i++)
        rug_dbc_parts_free(j->p[i]);
    return status == RUG_OK;
}

static void random_images(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    int n_counted = 0;
    for (int i = 0; i < N_IMAGES; i++) {
        sample s = random_sample(&rng);
        size_t n = (size_t)rug_image_pixels(&s.img);
        uint8_t *inside = malloc(n);
        assert_non_null(inside);
        for (size_t k = 0; k < n; k++)
            inside[k] = (uint8_t)test_below(&rng, 20);
        rug_image mask =
            test_u8(inside, s.img.ndim == 3 ? s.img.shape[0] : 0,
                    s.img.shape[s.img.ndim - 2], s.img.shape[s.img.ndim - 1]);
        job j = {test_context(), &rng, &s.img, i % 3 == 0 ? &mask : NULL, {NULL}};
        rug_dbc_options o = random_options(&rng, s.img.dtype);
        rug_context_set_threads(j.ctx, 1 + i % 4);
        rug_context_set_cpu_level(j.ctx, (rug_cpu_level)(i / 4 % 3));
        n_counted += check_image(&j, &o);
        rug_context_free(j.ctx);
        free_sample(&s);
        free(inside);
    }
    assert_in_range(n_counted, N_IMAGES / 4, N_IMAGES);
}

/* ---- What is refused ---- */

static void refused(rug_context *ctx, rug_status status, const char *text)
{
    assert_int_equal(status, RUG_E_ARG);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static const size_t shape[2] = {4, 3}, origin[2] = {0, 0};

static rug_image_range range_to(double min, double max)
{
    rug_image_range r = RUG_IMAGE_RANGE_INIT;
    r.min = min;
    r.max = max;
    return r;
}

static void bad_parts(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const float pixels[6] = {1, 0, 1, 2.5f, -1, 1};
    const rug_image_range range = range_to(-1, 2.5), less = range_to(0, 2.5),
                          wrong = range_to(-1, 300), whole = range_to(1, 2);
    rug_dbc_options o = RUG_DBC_OPTIONS_INIT;
    rug_dbc_result *result;
    rug_dbc_parts *p, *q;
    rug_image img;
    must(ctx, rug_image_view(ctx, &img, pixels, RUG_F32, 2, (size_t[]){2, 3}));
    refused(ctx, rug_dbc_parts_new(ctx, &p, RUG_F32, 2, shape, NULL, NULL),
            "grey values of f32 in parts: no range given");
    assert_null(p);
    refused(ctx, rug_dbc_parts_new(ctx, &p, RUG_F32, 1, shape, NULL, &range), "1 axes");
    refused(ctx, rug_dbc_parts_new(ctx, &p, RUG_F32, 2, NULL, NULL, &range), "NULL");
    refused(ctx, rug_dbc_parts_new(ctx, &p, (rug_dtype)77, 2, shape, NULL, NULL),
            "dtype 77");
    refused(ctx, rug_dbc_parts_new(ctx, &p, RUG_U16, 2, shape, NULL, &range),
            "range -1..2.5 given, that of pixels of u16 expected");
    o.anchor = RUG_DBC_ANCHOR_MIN;
    refused(ctx, rug_dbc_parts_new(ctx, &p, RUG_U8, 2, shape, &o, &wrong),
            "range -1..300 given, that of pixels of u8 expected");
    must(ctx, rug_dbc_parts_new(ctx, &p, RUG_F32, 2, shape, NULL, &range));
    refused(ctx, rug_dbc_parts_add(ctx, p, &img, &img, origin), "none expected");
    must(ctx, rug_dbc_parts_add(ctx, p, &img, NULL, origin));
    refused(ctx, rug_dbc_parts_add(ctx, p, &img, NULL, origin), "added before");
    refused(ctx, rug_dbc_parts_finish(ctx, &result, p), "6 of 12 pixels");
    assert_null(result);
    must(ctx, rug_dbc_parts_new(ctx, &q, RUG_F32, 2, shape, NULL, &less));
    refused(ctx, rug_dbc_parts_add(ctx, q, &img, NULL, origin),
            "a part of -1..2.5 given, but the range of the whole image is 0..2.5");
    refused(ctx, rug_dbc_merge(ctx, p, q), "least value 0 given, -1 expected");
    rug_dbc_parts_free(q);
    must(ctx, rug_dbc_parts_new(ctx, &q, RUG_F32, 2, shape, &o, &range));
    refused(ctx, rug_dbc_merge(ctx, p, q), "anchor min given, zero expected");
    rug_dbc_parts_free(q);
    o.values = RUG_U8; /* a range with ends that are no U8 has no levels */
    must(ctx, rug_dbc_parts_new(ctx, &q, RUG_F32, 2, shape, &o, &range));
    must(ctx, rug_dbc_parts_add(ctx, q, &img, NULL, origin));
    rug_dbc_parts_free(q);
    must(ctx, rug_dbc_parts_new(ctx, &q, RUG_F32, 2, shape, &o, &whole));
    refused(ctx, rug_dbc_parts_add(ctx, q, &img, NULL, origin),
            "a part of -1..2.5 given, but the range of the whole image is 1..2");
    rug_dbc_parts_free(q);
    o.values = RUG_BIT;
    o.anchor = RUG_DBC_ANCHOR_ZERO;
    o.levels = 5;
    must(ctx, rug_dbc_parts_new(ctx, &q, RUG_F32, 2, shape, &o, &range));
    refused(ctx, rug_dbc_merge(ctx, p, q), "grey levels 5 given, 0 expected");
    refused(ctx, rug_dbc_merge(ctx, q, NULL), "NULL");
    rug_dbc_parts_free(q);
    rug_dbc_parts_free(p);
    rug_dbc_parts_free(NULL);
    rug_context_free(ctx);
}

/* Every allocation fails once; nothing is lost and nothing leaks. */
static void failing_memory(void **state)
{
    (void)state;
    static uint8_t pixels[70 * 80];
    uint64_t rng = 5;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)test_below(&rng, 3);
    rug_image whole = test_u8(pixels, 0, 70, 80);
    const size_t cuts[2][2] = {{0, 0}, {30, 0}}, ends[2][2] = {{30, 80}, {70, 80}};
    for (int masked = 0; masked < 2; masked++) {
        rug_status status = RUG_E_NOMEM;
        rug_dbc_options o = RUG_DBC_OPTIONS_INIT;
        rug_source mask = RUG_SOURCE_INIT;
        o.mask = masked ? rug_source_of_image(&mask, &whole) : NULL;
        for (size_t k = 1; status == RUG_E_NOMEM; k++) {
            rug_context *ctx = test_context();
            memory m = {.fail_at = k};
            rug_dbc_parts *p[2] = {NULL, NULL};
            rug_dbc_result *result = NULL;
            memory_hook(ctx, &m);
            status = RUG_OK;
            for (int i = 0; i < 2 && status == RUG_OK; i++) {
                rug_image v = cut_image(&whole, cuts[i], ends[i]);
                status = rug_dbc_parts_new(ctx, &p[i], RUG_U8, 2, whole.shape, &o, NULL);
                if (status == RUG_OK)
                    status =
                        rug_dbc_parts_add(ctx, p[i], &v, masked ? &v : NULL, cuts[i]);
            }
            if (status == RUG_OK)
                status = rug_dbc_merge(ctx, p[0], p[1]);
            if (status == RUG_OK)
                status = rug_dbc_parts_finish(ctx, &result, p[0]);
            rug_dbc_free(result);
            rug_dbc_parts_free(p[0]);
            rug_dbc_parts_free(p[1]);
            rug_context_free(ctx);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            assert_true(status == RUG_OK || status == RUG_E_NOMEM);
            assert_true(k < 300);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_images),
        cmocka_unit_test(bad_parts),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
