/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The range of an image that is measured while a method reads it: the same as that of a pass of
 * its own, without that pass. */

#include "support.h"

#include "tables/watch.h"
#include <math.h>
#include <rugose/boxcount.h>
#include <rugose/foreground.h>
#include <string.h>

#define NY 300
#define NX 70

/* A source that is no image in memory, and counts what is read of it. */
typedef struct counted {
    rug_image image;
    size_t n_layers; /* that were read */
    int fails;
} counted;

static rug_status read_counted(rug_context *ctx, void *user, rug_image *out, size_t first,
                               size_t n)
{
    counted *c = user;
    if (c->fails)
        return rug_context_fail(ctx, RUG_E_IO, "the file is gone");
    c->n_layers += n;
    *out = c->image;
    out->shape[0] = n;
    out->data = (const char *)c->image.data + (ptrdiff_t)first * c->image.stride[0];
    return RUG_OK;
}

static rug_source count(counted *c, rug_context *ctx, const void *pixels, rug_dtype dtype)
{
    static const size_t shape[2] = {NY, NX};
    rug_source source = RUG_SOURCE_INIT;
    *c = (counted){.n_layers = 0};
    assert_int_equal(rug_image_view(ctx, &c->image, pixels, dtype, 2, shape), RUG_OK);
    source.dtype = dtype;
    source.ndim = 2;
    memcpy(source.shape, shape, sizeof shape);
    source.read = read_counted;
    source.user = c;
    return source;
}

static void assert_same_range(const rug_image_range *a, const rug_image_range *b)
{
    assert_true((isnan(a->min) && isnan(b->min)) ||
                (a->min <= b->min && a->min >= b->min));
    assert_true((isnan(a->max) && isnan(b->max)) ||
                (a->max <= b->max && a->max >= b->max));
    assert_int_equal(a->min_rest, b->min_rest);
    assert_int_equal(a->max_rest, b->max_rest);
    assert_int_equal(a->n_nan, b->n_nan);
    assert_int_equal(a->n_infinite, b->n_infinite);
}

/* Reads slabs of 64 layers. */
static void read_all(rug_context *ctx, const rug_source *source)
{
    for (size_t first = 0; first < NY; first += 64) {
        size_t n = NY - first < 64 ? NY - first : 64;
        rug_image slab;
        assert_int_equal(source->read(ctx, source->user, &slab, first, n), RUG_OK);
    }
}

static void check_seen(rug_context *ctx, const void *pixels, rug_dtype dtype)
{
    counted c;
    cli_watch w;
    rug_source source = count(&c, ctx, pixels, dtype);
    rug_source watched = cli_watch_begin(&w, ctx, &source, NULL);
    rug_image_range whole = RUG_IMAGE_RANGE_INIT;
    assert_int_equal(rug_image_measure_range(ctx, &whole, &c.image), RUG_OK);
    read_all(ctx, &watched);
    read_all(ctx, &watched);
    assert_same_range(cli_watch_range(&w), &whole);
    assert_true(w.range.n_distinct <= whole.n_distinct);
    assert_int_equal(w.range.distinct_is_min, 1);
    assert_int_equal(w.status, RUG_OK);
    assert_int_equal(c.n_layers, 2 * NY); /* no pass of its own */
}

static void what_is_seen_is_the_range(void **state)
{
    (void)state;
    static uint8_t bytes[NY * NX];
    static float reals[NY * NX];
    static int64_t wide[NY * NX];
    rug_context *ctx = test_context();
    uint64_t seed = 7;
    for (size_t i = 0; i < NY * NX; i++) {
        bytes[i] = (uint8_t)test_below(&seed, 200);
        reals[i] = i < 100 * NX ? NAN : (float)test_below(&seed, 1000) / 8 - 50;
        wide[i] = (int64_t)(test_random(&seed) >> 1) - ((int64_t)1 << 61);
    }
    reals[NY * NX - 1] = INFINITY;
    wide[5] = INT64_MAX;
    wide[6] = INT64_MIN + 1;
    check_seen(ctx, bytes, RUG_U8);
    check_seen(ctx, reals, RUG_F32);
    check_seen(ctx, wide, RUG_I64);
    for (size_t i = 0; i < NY * NX; i++)
        reals[i] = NAN;
    check_seen(ctx, reals, RUG_F32);
    rug_context_free(ctx);
}

/* A count with a rule that is given reads the pixels once, and the range is known. */
static void a_count_reads_once(void **state)
{
    (void)state;
    static uint8_t bytes[NY * NX];
    counted c;
    cli_watch w;
    rug_context *ctx = test_context();
    memset(bytes, 3, sizeof bytes);
    bytes[1] = 9;
    bytes[NY * NX - 1] = 1;
    rug_source source = count(&c, ctx, bytes, RUG_U8);
    rug_source watched = cli_watch_begin(&w, ctx, &source, NULL);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, 2, 0};
    rug_boxcount_result *result;
    assert_int_equal(rug_boxcount_source(ctx, &result, &watched, &opts), RUG_OK);
    assert_true(cli_watch_range(&w)->min <= 1 && cli_watch_range(&w)->max >= 9);
    assert_int_equal(c.n_layers, NY);
    rug_boxcount_free(result);
    rug_context_free(ctx);
}

/* Asked for before anything was read, after a part of it, or with a mask: a pass, which knows all. */
static void else_there_is_a_pass(void **state)
{
    (void)state;
    static uint8_t bytes[NY * NX], inside[NY * NX];
    counted c, c_mask;
    cli_watch w;
    rug_image slab;
    rug_context *ctx = test_context();
    for (size_t i = 0; i < NY * NX; i++)
        bytes[i] = (uint8_t)(i % 17);
    inside[20] = 1;
    rug_source source = count(&c, ctx, bytes, RUG_U8);
    cli_watch_begin(&w, ctx, &source, NULL);
    assert_int_equal(cli_watch_range(&w)->n_distinct, 17);
    assert_int_equal(w.range.distinct_is_min, 0);
    assert_int_equal(cli_watch_range(&w)->n_distinct, 17);
    assert_int_equal(c.n_layers, NY);

    source = count(&c, ctx, bytes, RUG_U8);
    rug_source watched = cli_watch_begin(&w, ctx, &source, NULL);
    assert_int_equal(watched.read(ctx, watched.user, &slab, 0, 100), RUG_OK);
    assert_int_equal(watched.read(ctx, watched.user, &slab, 101, NY - 101), RUG_OK);
    assert_int_equal(cli_watch_range(&w)->n_distinct, 17);
    assert_int_equal(c.n_layers, 2 * NY - 1);

    source = count(&c, ctx, bytes, RUG_U8);
    rug_source mask = count(&c_mask, ctx, inside, RUG_U8);
    watched = cli_watch_begin(&w, ctx, &source, &mask);
    read_all(ctx, &watched);
    assert_int_equal(cli_watch_range(&w)->n_distinct, 1);
    assert_true(w.range.min >= 3 && w.range.max <= 3);
    rug_context_free(ctx);
}

static void a_pass_that_fails_says_so(void **state)
{
    (void)state;
    static uint8_t bytes[NY * NX];
    counted c;
    cli_watch w;
    rug_image slab;
    rug_context *ctx = test_context();
    rug_source source = count(&c, ctx, bytes, RUG_U8);
    rug_source watched = cli_watch_begin(&w, ctx, &source, NULL);
    c.fails = 1;
    assert_int_equal(watched.read(ctx, watched.user, &slab, 0, NY), RUG_E_IO);
    assert_non_null(cli_watch_range(&w));
    assert_int_equal(w.status, RUG_E_IO);
    assert_non_null(strstr(rug_context_error(ctx), "gone"));
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_seen_is_the_range),
        cmocka_unit_test(a_count_reads_once),
        cmocka_unit_test(else_there_is_a_pass),
        cmocka_unit_test(a_pass_that_fails_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
