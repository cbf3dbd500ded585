/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The call of a box count: bad arguments, failing memory, cancelling, progress, threads,
 * and contexts side by side. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "boxcount_support.h"
#include "memory_support.h"
#include <pthread.h>
#include <stdint.h>

#define NONZERO ((rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0})

/* Grey levels with structure at every size. */
static int level_of(size_t z, size_t y, size_t x)
{
    return (int)((y * y + x * 7 + z * 31 + (y ^ x)) % 251);
}

/* A grey image or volume; free its data with free_shape(). */
static rug_image gray_image(size_t nz, size_t ny, size_t nx)
{
    rug_image img = draw_shape(nz, ny, nx, is_any);
    uint8_t *at = (uint8_t *)(uintptr_t)img.data;
    for (size_t z = 0; z < (nz == 0 ? 1 : nz); z++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++)
                *at++ = (uint8_t)level_of(z, y, x);
    return img;
}

static void refused(rug_context *ctx, const rug_image *img,
                    const rug_boxcount_options *opts, const char *text)
{
    test_counts out;
    rug_context_fail(ctx, RUG_E_IO, "-");
    if (test_boxcount(ctx, &out, img, opts) != RUG_E_ARG)
        fail_msg("%s: not refused", text);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static void bad_images(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t pixels[8];
    const rug_image good = test_u8(pixels, 2, 2, 2);
    refused(ctx, NULL, NULL, "NULL");
    rug_image bad = good;
    bad.data = NULL;
    refused(ctx, &bad, NULL, "NULL");
    for (int d = -1; d <= RUG_N_DTYPES; d += RUG_N_DTYPES + 1) {
        bad = good;
        bad.dtype = (rug_dtype)d;
        refused(ctx, &bad, NULL, "dtype");
    }
    static const int axes[] = {-1, 0, 1, 4};
    for (int i = 0; i < 4; i++) {
        bad = good;
        bad.ndim = axes[i];
        refused(ctx, &bad, NULL, "axes");
    }
    for (int a = 0; a < 3; a++) {
        bad = good;
        bad.shape[a] = 0;
        refused(ctx, &bad, NULL, "size 0");
    }
    bad = good;
    bad.shape[0] = bad.shape[1] = SIZE_MAX / 2;
    refused(ctx, &bad, NULL, "pixels");
    assert_int_equal(rug_boxcount(ctx, NULL, &good, NULL), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "NULL"));
    rug_context_free(ctx);
}

static void bad_options(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t pixels[4] = {1, 2, 3, 4};
    rug_image img = test_u8(pixels, 0, 2, 2);
    const rug_boxcount_options good = RUG_BOXCOUNT_OPTIONS_INIT;
    rug_boxcount_options bad = good;
    bad.struct_size = 0;
    refused(ctx, &img, &bad, "rug_boxcount_options.struct_size");
    struct {
        rug_boxcount_options known;
        uint64_t unknown;
    } newer = {good, 1};
    newer.known.struct_size = sizeof newer;
    refused(ctx, &img, &newer.known, "rug_boxcount_options");
    for (int m = -1; m <= 6; m += 7) {
        bad = good;
        bad.method = (rug_boxcount_method)m;
        refused(ctx, &img, &bad, m < 0 ? "method -1" : "method 6");
    }
    for (int k = -1; k <= 7; k += 8) {
        bad = good;
        bad.foreground.kind = (rug_foreground_kind)k;
        refused(ctx, &img, &bad, k < 0 ? "kind -1" : "kind 7");
    }
    bad = good;
    bad.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, NAN, 0};
    refused(ctx, &img, &bad, "NaN");
    test_counts out;
    newer.unknown = 0;
    assert_int_equal(test_boxcount(ctx, &out, &img, &newer.known), RUG_OK);
    rug_boxcount_options older = good; /* of a header without masks */
    older.struct_size = offsetof(rug_boxcount_options, mask);
    memset(&older.mask, 0xff, sizeof older.mask);
    assert_int_equal(test_boxcount(ctx, &out, &img, &older), RUG_OK);
    rug_context_free(ctx);
}

/* Like every other failure, a missing context gives no result. */
static void missing_context_gives_no_result(void **state)
{
    (void)state;
    static const uint8_t pixels[4] = {1, 2, 3, 4};
    rug_image img = test_u8(pixels, 0, 2, 2);
    test_counts out;
    assert_int_equal(test_boxcount(NULL, &out, &img, NULL), RUG_E_ARG);
}

/* Of every opaque result: freeing and reading none, and what is behind the last. */
static void no_result(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t pixels[4] = {1, 0, 0, 1};
    rug_image img = test_u8(pixels, 0, 2, 2);
    rug_boxcount_result *counts;
    rug_boxcount_free(NULL);
    assert_null(rug_boxcount_get_facts(NULL));
    assert_null(rug_boxcount_at(NULL, 0));
    assert_null(rug_boxcount_positions_at(NULL, 0));
    assert_true(isnan(rug_boxcount_boxes(NULL, 0, RUG_BOXCOUNT_OF_NONEMPTY)));
    assert_null(rug_dbc_get_facts(NULL));
    assert_null(rug_dbc_at(NULL, 0));
    assert_null(rug_lacunarity_get_facts(NULL));
    assert_null(rug_lacunarity_at(NULL, 0));
    assert_null(rug_masses_get_facts(NULL));
    assert_null(rug_multifractal_get_facts(NULL));
    assert_null(rug_multifractal_at(NULL, 0));
    assert_null(rug_alpha_get_facts(NULL));
    assert_null(rug_alpha_at(NULL, 0));
    assert_int_equal(rug_alpha_boxes(NULL, 0, 0), 0);
    assert_null(rug_lbp_get_facts(NULL));
    assert_null(rug_lbp_at(NULL, 0));
    assert_null(rug_ifs_code_at(NULL, 0));
    assert_int_equal(rug_boxcount(ctx, &counts, &img, NULL), RUG_OK);
    uint32_t n = rug_boxcount_get_facts(counts)->n_sizes;
    assert_non_null(rug_boxcount_at(counts, n - 1));
    assert_null(rug_boxcount_at(counts, n));
    assert_null(rug_boxcount_at(counts, SIZE_MAX));
    rug_boxcount_free(counts);
    rug_context_free(ctx);
}

/* The k-th allocation fails, for every k: an error, no result, nothing kept. */
static void failing_memory(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {{0, 300, 200}, {70, 20, 130}};
    for (size_t s = 0; s < 2; s++) {
        rug_image img = gray_image(shapes[s][0], shapes[s][1], shapes[s][2]);
        test_counts expected, out;
        rug_context *ctx = test_context();
        assert_int_equal(test_boxcount(ctx, &expected, &img, NULL), RUG_OK);
        rug_context_free(ctx);
        rug_status status = RUG_E_NOMEM;
        size_t k = 0;
        while (status != RUG_OK) {
            memory m = {.fail_at = ++k};
            ctx = test_context();
            assert_int_equal(rug_context_set_threads(ctx, 3), RUG_OK);
            memory_hook(ctx, &m);
            status = test_boxcount(ctx, &out, &img, NULL);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            if (status != RUG_OK) {
                assert_int_equal(status, RUG_E_NOMEM);
                assert_string_not_equal(rug_context_error(ctx), "");
            }
            rug_context_free(ctx);
        }
        assert_in_range(k, 5, 100);
        test_assert_counts_equal(&out, &expected, "with memory full of rubbish");
        free_shape(img);
    }
}

/* What the callbacks saw. */
typedef struct watch {
    pthread_t caller;
    int n_calls, n_elsewhere, n_backwards, n_outside;
    double last;
    int cancel_at; /* the call, from 1, that asks to stop; 0 = none */
} watch;

static void see_progress(void *user, double share)
{
    watch *w = user;
    w->n_calls++;
    w->n_elsewhere += !pthread_equal(w->caller, pthread_self());
    w->n_outside += !(share >= 0 && share <= 1);
    w->n_backwards += share < w->last;
    w->last = share;
}

static int see_cancel(void *user)
{
    watch *w = user;
    w->n_elsewhere += !pthread_equal(w->caller, pthread_self());
    return w->cancel_at != 0 && w->n_calls >= w->cancel_at;
}

static watch watched_count(const rug_image *img, rug_foreground rule, int n_threads)
{
    rug_context *ctx = test_context();
    watch w = {.caller = pthread_self()};
    assert_int_equal(rug_context_set_threads(ctx, n_threads), RUG_OK);
    rug_context_set_progress(ctx, see_progress, &w);
    rug_context_set_cancel(ctx, see_cancel, &w);
    must_count(ctx, img, rule);
    rug_context_free(ctx);
    return w;
}

/* Shares rise, stay in 0..1, arrive on the calling thread, and on one thread end at 1. */
static void progress_rises_to_one(void **state)
{
    (void)state;
    rug_image img = gray_image(0, 64 * 40, 200);
    for (int n_threads = 1; n_threads <= 4; n_threads++) {
        watch w = watched_count(&img, NONZERO, n_threads);
        assert_int_equal(w.n_elsewhere, 0);
        assert_int_equal(w.n_outside, 0);
        assert_int_equal(w.n_backwards, 0);
        if (n_threads == 1) {
            assert_true(w.n_calls > 1);
            assert_true(w.last == 1);
        }
    }
    free_shape(img);
}

/* Also when the rule needs passes of its own: it is one call, with one share. */
static void progress_of_several_passes(void **state)
{
    (void)state;
    rug_image img = gray_image(0, 64 * 40, 2000);
    watch w = watched_count(&img, (rug_foreground){RUG_FOREGROUND_OTSU, 0, 0}, 1);
    free_shape(img);
    assert_true(w.last == 1);
    if (w.n_backwards != 0)
        fail_msg("progress went back %d times in one call", w.n_backwards);
}

/* Cancelling at the first, some later and the last step. */
static void cancelling(void **state)
{
    (void)state;
    rug_image img = gray_image(0, 64 * 40, 200);
    int n_steps = watched_count(&img, NONZERO, 1).n_calls;
    const int at[] = {1, n_steps / 2, n_steps};
    for (int i = 0; i < 3; i++) {
        rug_context *ctx = test_context();
        memory m = {0};
        watch w = {.caller = pthread_self(), .cancel_at = at[i]};
        assert_int_equal(rug_context_set_threads(ctx, 1), RUG_OK);
        memory_hook(ctx, &m);
        rug_context_set_progress(ctx, see_progress, &w);
        rug_context_set_cancel(ctx, see_cancel, &w);
        rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
        opts.foreground = NONZERO;
        test_counts out;
        assert_int_equal(test_boxcount(ctx, &out, &img, &opts), RUG_E_CANCELLED);
        assert_int_equal(w.n_calls, at[i]); /* no work after the answer */
        assert_int_equal(m.n_live, 0);
        assert_non_null(strstr(rug_context_error(ctx), "cancelled"));
        w.cancel_at = 0; /* the context stays usable */
        assert_int_equal(test_boxcount(ctx, &out, &img, &opts), RUG_OK);
        rug_context_free(ctx);
    }
    free_shape(img);
}

static void any_number_of_threads(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {{0, 1000, 777}, {130, 70, 100}, {0, 64, 33000}};
    for (size_t s = 0; s < 3; s++) {
        rug_image img = gray_image(shapes[s][0], shapes[s][1], shapes[s][2]);
        test_counts first = {0};
        for (int n = 1; n <= 8; n++) {
            rug_context *ctx = test_context();
            assert_int_equal(rug_context_set_threads(ctx, n), RUG_OK);
            test_counts r = must_count(ctx, &img, (rug_foreground)RUG_FOREGROUND_INIT);
            if (n == 1)
                first = r;
            test_assert_counts_equal(&r, &first, "threads");
            assert_memory_equal(&r.foreground.value, &first.foreground.value,
                                sizeof(double));
            rug_context_free(ctx);
        }
        free_shape(img);
    }
}

/* Work for a thread with a context of its own. */
typedef struct work {
    const rug_image *img;
    rug_foreground rule;
    test_counts last;
    int n_failed;
} work;

static void *count_often(void *user)
{
    work *w = user;
    rug_context *ctx = NULL;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = w->rule;
    w->n_failed = rug_context_new(&ctx) != RUG_OK;
    w->n_failed += rug_context_set_threads(ctx, 2) != RUG_OK;
    for (int i = 0; i < 50; i++)
        w->n_failed += test_boxcount(ctx, &w->last, w->img, &opts) != RUG_OK;
    rug_context_free(ctx);
    return NULL;
}

static void contexts_side_by_side(void **state)
{
    (void)state;
    rug_image a = gray_image(0, 300, 400), b = gray_image(40, 50, 60);
    work works[] = {{.img = &a, .rule = RUG_FOREGROUND_INIT},
                    {.img = &b, .rule = {RUG_FOREGROUND_ABOVE, 100, 0}}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_often, &works[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    rug_context *ctx = test_context();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(works[i].n_failed, 0);
        test_counts alone = must_count(ctx, works[i].img, works[i].rule);
        test_assert_counts_equal(&works[i].last, &alone, "side by side");
    }
    rug_context_free(ctx);
    free_shape(a);
    free_shape(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_images),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(missing_context_gives_no_result),
        cmocka_unit_test(no_result),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(progress_rises_to_one),
        cmocka_unit_test(progress_of_several_passes),
        cmocka_unit_test(cancelling),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(contexts_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
