/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity in parts: random images of every dtype, cut, added in any order to states that are
 * saved, loaded and merged, against the whole. */

#include "support.h"

#include "core/state/state.h"
#include "memory_support.h"
#include "sample_support.h"
#include <rugose/lacunarity_parts.h>
#include <stdio.h>
#include <string.h>

#define SEED     20061015
#define N_IMAGES TEST_CASES(300)

static void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

/* An image and how it is measured. */
typedef struct ask {
    sample image;
    rug_image mask;
    uint8_t *inside;
    rug_lacunarity_options opts;
} ask;

static ask random_ask(uint64_t *rng)
{
    static const uint64_t sizes[] = {1, 2, 5, 30};
    ask a = {.image = random_sample(rng), .opts = RUG_LACUNARITY_OPTIONS_INIT};
    const rug_image *img = &a.image.img;
    size_t n = (size_t)rug_image_pixels(img);
    a.inside = malloc(n);
    assert_non_null(a.inside);
    for (size_t i = 0; i < n; i++)
        a.inside[i] = (uint8_t)test_below(rng, 20);
    a.mask = test_u8(a.inside, img->ndim == 3 ? img->shape[0] : 0,
                     img->shape[img->ndim - 2], img->shape[img->ndim - 1]);
    a.opts.is_gray = test_below(rng, 2) == 0;
    a.opts.boxes = (rug_lacunarity_boxes)test_below(rng, 2);
    a.opts.foreground = a.image.rule;
    if (test_below(rng, 2) == 0) {
        a.opts.sizes = sizes;
        a.opts.n_sizes = 4;
    }
    return a;
}

static void free_ask(const ask *a)
{
    free(a->inside);
    free_sample(&a->image);
}

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

/* Puts a state in the place of one that is saved and loaded, and saves to the same bytes. */
static void travel(rug_context *ctx, rug_lacunarity_parts **p)
{
    uint8_t *bytes, *again;
    size_t n, n_again;
    must(ctx, rug_lacunarity_parts_save(ctx, &bytes, &n, *p));
    rug_lacunarity_parts_free(*p);
    must(ctx, rug_lacunarity_parts_load(ctx, p, bytes, n));
    must(ctx, rug_lacunarity_parts_save(ctx, &again, &n_again, *p));
    assert_int_equal(n_again, n);
    assert_memory_equal(again, bytes, n);
    rug_context_release(ctx, again);
    rug_context_release(ctx, bytes);
}

/* Cuts a box at random places, and adds all of it to two states in any order. */
static void add_random_parts(rug_context *ctx, uint64_t *rng, rug_lacunarity_parts *p[2],
                             const ask *a, const size_t *first, const size_t *end)
{
    int axis = (int)test_below(rng, (uint64_t)a->image.img.ndim);
    if (a->image.img.dtype == RUG_BIT && axis == a->image.img.ndim - 1)
        axis--;
    size_t n = end[axis] - first[axis], middle[3], later[3];
    if (n < 2 || test_below(rng, 6) == 0) {
        rug_image part = cut(&a->image.img, first, end), mask = {0};
        if (a->opts.mask != NULL)
            mask = cut(&a->mask, first, end);
        size_t to = test_below(rng, 2);
        must(ctx, rug_lacunarity_parts_add(ctx, p[to], &part,
                                           a->opts.mask != NULL ? &mask : NULL, first));
        if (test_below(rng, 10) == 0)
            travel(ctx, &p[to]);
        return;
    }
    memcpy(middle, end, sizeof middle);
    memcpy(later, first, sizeof later);
    later[axis] = middle[axis] = first[axis] + 1 + test_below(rng, n - 1);
    int turned = (int)test_below(rng, 2);
    add_random_parts(ctx, rng, p, a, turned ? later : first, turned ? end : middle);
    add_random_parts(ctx, rng, p, a, turned ? first : later, turned ? middle : end);
}

static void assert_same(const rug_lacunarity_result *a, const rug_lacunarity_result *b)
{
    const rug_lacunarity_facts *x = rug_lacunarity_get_facts(a),
                               *y = rug_lacunarity_get_facts(b);
    assert_int_equal(x->is_gray, y->is_gray);
    assert_int_equal(x->n_sizes, y->n_sizes);
    assert_memory_equal(x->shape, y->shape, sizeof x->shape);
    assert_true(x->n_pixels == y->n_pixels && x->n_set == y->n_set &&
                x->n_left_out == y->n_left_out && x->unit_exponent == y->unit_exponent);
    assert_int_equal(x->foreground.kind, y->foreground.kind);
    for (size_t i = 0; i < x->n_sizes; i++)
        assert_memory_equal(rug_lacunarity_at(a, i), rug_lacunarity_at(b, i),
                            sizeof(rug_lacunarity_size));
}

static void random_images(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    int n_refused = 0;
    for (int i = 0; i < N_IMAGES; i++) {
        ask a = random_ask(&rng);
        rug_context *ctx = test_context();
        rug_context_set_threads(ctx, 1 + i % 4);
        rug_source mask = RUG_SOURCE_INIT;
        a.opts.mask = i % 3 == 0 ? rug_source_of_image(&mask, &a.mask) : NULL;
        const rug_image *img = &a.image.img;
        rug_lacunarity_result *whole = NULL, *result = NULL;
        rug_status expected = rug_lacunarity(ctx, &whole, img, &a.opts);
        rug_lacunarity_parts *p[2];
        for (int k = 0; k < 2; k++)
            must(ctx, rug_lacunarity_parts_new(ctx, &p[k], img->dtype, img->ndim,
                                               img->shape, &a.opts));
        const size_t zero[3] = {0, 0, 0};
        const size_t end[3] = {img->shape[0], img->shape[1], img->shape[2]};
        add_random_parts(ctx, &rng, p, &a, zero, end);
        must(ctx, rug_lacunarity_merge(ctx, p[0], p[1]));
        travel(ctx, &p[0]);
        rug_status status = rug_lacunarity_parts_finish(ctx, &result, p[0]);
        assert_int_equal(status, expected); /* grey values may be negative */
        n_refused += status != RUG_OK;
        if (status == RUG_OK)
            assert_same(result, whole);
        rug_lacunarity_free(result);
        rug_lacunarity_free(whole);
        rug_lacunarity_parts_free(p[0]);
        rug_lacunarity_parts_free(p[1]);
        rug_context_free(ctx);
        free_ask(&a);
    }
    assert_in_range(n_refused, 0, N_IMAGES / 2);
}

static void refused(rug_context *ctx, rug_status status, const char *text)
{
    assert_int_equal(status, RUG_E_ARG);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static void bad_parts(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t pixels[6] = {1, 0, 1, 0, 1, 1};
    static const uint16_t wide[6] = {1};
    static const uint64_t sizes[2] = {1, 4};
    rug_image img = test_u8(pixels, 0, 2, 3), other_type;
    const size_t shape[2] = {4, 3}, origin[2] = {0, 0};
    rug_lacunarity_options o = RUG_LACUNARITY_OPTIONS_INIT;
    rug_lacunarity_parts *p, *q;
    rug_lacunarity_result *result;
    must(ctx, rug_image_view(ctx, &other_type, wide, RUG_U16, 2, img.shape));
    refused(ctx, rug_lacunarity_parts_new(ctx, &p, RUG_U8, 2, shape, &o), "resolve");
    assert_null(p);
    o.is_gray = 1;
    refused(ctx, rug_lacunarity_parts_new(ctx, &p, RUG_U8, 1, shape, &o), "1 axes");
    refused(ctx, rug_lacunarity_parts_new(ctx, &p, RUG_U8, 2, NULL, &o), "NULL");
    refused(ctx, rug_lacunarity_parts_new(ctx, &p, (rug_dtype)77, 2, shape, &o),
            "dtype 77");
    must(ctx, rug_lacunarity_parts_new(ctx, &p, RUG_U8, 2, shape, &o));
    refused(ctx, rug_lacunarity_parts_add(ctx, p, &other_type, NULL, origin),
            "dtype u16");
    refused(ctx, rug_lacunarity_parts_add(ctx, p, &img, &img, origin), "none expected");
    must(ctx, rug_lacunarity_parts_add(ctx, p, &img, NULL, origin));
    refused(ctx, rug_lacunarity_parts_add(ctx, p, &img, NULL, origin), "added before");
    refused(ctx, rug_lacunarity_parts_finish(ctx, &result, p), "6 of 12 pixels");
    o.boxes = RUG_LACUNARITY_FIXED;
    must(ctx, rug_lacunarity_parts_new(ctx, &q, RUG_U8, 2, shape, &o));
    refused(ctx, rug_lacunarity_merge(ctx, p, q), "boxes fixed given, gliding expected");
    rug_lacunarity_parts_free(q);
    o.boxes = RUG_LACUNARITY_GLIDING;
    o.sizes = sizes;
    o.n_sizes = 2;
    must(ctx, rug_lacunarity_parts_new(ctx, &q, RUG_U8, 2, shape, &o));
    refused(ctx, rug_lacunarity_merge(ctx, p, q), "number of sizes 2 given, 0 expected");
    rug_lacunarity_parts_free(q);
    o.n_sizes = 0;
    o.sizes = NULL;
    o.is_gray = 0;
    o.foreground.kind = RUG_FOREGROUND_NONZERO;
    must(ctx, rug_lacunarity_parts_new(ctx, &q, RUG_U8, 2, shape, &o));
    refused(ctx, rug_lacunarity_merge(ctx, p, q),
            "masses of foreground given, grey values expected");
    refused(ctx, rug_lacunarity_merge(ctx, q, NULL), "NULL");
    rug_lacunarity_parts_free(q);
    rug_lacunarity_parts_free(p);
    rug_lacunarity_parts_free(NULL);
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
        rug_lacunarity_options o = RUG_LACUNARITY_OPTIONS_INIT;
        rug_source mask = RUG_SOURCE_INIT;
        o.is_gray = 1;
        o.mask = masked ? rug_source_of_image(&mask, &whole) : NULL;
        for (size_t k = 1; status == RUG_E_NOMEM; k++) {
            rug_context *ctx = test_context();
            memory m = {.fail_at = k};
            rug_lacunarity_parts *p[2] = {NULL, NULL};
            rug_lacunarity_result *result = NULL;
            memory_hook(ctx, &m);
            status = RUG_OK;
            for (int i = 0; i < 2 && status == RUG_OK; i++) {
                rug_image v = cut(&whole, cuts[i], ends[i]);
                status = rug_lacunarity_parts_new(ctx, &p[i], RUG_U8, 2, whole.shape, &o);
                if (status == RUG_OK)
                    status = rug_lacunarity_parts_add(ctx, p[i], &v, masked ? &v : NULL,
                                                      cuts[i]);
            }
            if (status == RUG_OK)
                status = rug_lacunarity_merge(ctx, p[0], p[1]);
            if (status == RUG_OK)
                status = rug_lacunarity_parts_finish(ctx, &result, p[0]);
            rug_lacunarity_free(result);
            rug_lacunarity_parts_free(p[0]);
            rug_lacunarity_parts_free(p[1]);
            rug_context_free(ctx);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            assert_true(status == RUG_OK || status == RUG_E_NOMEM);
            assert_true(k < 200);
        }
    }
}

/* A row of 2^61 pixels and some more, all of which are said to have come: its bytes would be few if
 * they were counted modulo 2^64. */
static void endless_rows(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    enum { BLOCK = 64 };
    const size_t shape[3] = {1, 1, ((size_t)1 << 61) + BLOCK};
    static const uint64_t options[] = {
        RUG_U64, RUG_LACUNARITY_GLIDING, 1, 0, RUG_FOREGROUND_NONZERO, 1, 2, 0};
    rugi_box all = {{0, 0, 0}, {shape[0], shape[1], shape[2]}};
    const rugi_cover cover = {.boxes = &all, .n = 1};
    rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_LACUNARITY);
    rugi_state_put_shape(&w, 2, shape);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        rugi_state_put(&w, options[i]);
    rugi_state_put_cover(&w, 2, &cover);
    rugi_state_put(&w, 1); /* one block, the third */
    rugi_state_put(&w, 2);
    for (int i = 0; i < BLOCK; i++)
        rugi_state_put_bytes(&w, 7, 8);
    uint8_t *bytes;
    size_t n;
    must(ctx, rugi_state_end(&w, &bytes, &n));
    rug_lacunarity_parts *p;
    rug_lacunarity_result *result;
    must(ctx, rug_lacunarity_parts_load(ctx, &p, bytes, n));
    assert_int_equal(rug_lacunarity_parts_finish(ctx, &result, p), RUG_E_NOMEM);
    assert_null(result);
    assert_non_null(strstr(rug_context_error(ctx), "do not fit the address space"));
    rug_lacunarity_parts_free(p);
    rug_context_release(ctx, bytes);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_images),
        cmocka_unit_test(bad_parts),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(endless_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
