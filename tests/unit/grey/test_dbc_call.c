/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Calls of differential box counting: what is refused and how, failing memory, cancelling,
 * sources, and slabs of any thickness. */

#include "support.h"

#include "dbc/dbc_job.h"
#include "dbc_support.h"
#include "memory_support.h"
#include "watch_support.h"
#include <stdio.h>

static uint8_t pixels[70 * 60 * 80];

static void fill_pixels(void)
{
    uint64_t rng = 1;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i / 500 + test_below(&rng, 20));
}

static void refused(rug_context *ctx, const rug_image *img, const rug_dbc_options *opts,
                    const char *why)
{
    dbc_counts r;
    assert_int_equal(dbc_count(ctx, &r, img, opts), RUG_E_ARG);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void bad_calls(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 60, 80), bad = img,
              volume = test_u8(pixels, 4, 5, 6);
    refused(ctx, NULL, NULL, "NULL");
    bad.dtype = (rug_dtype)99;
    refused(ctx, &bad, NULL, "dtype");
    bad = img;
    bad.shape[1] = 0;
    refused(ctx, &bad, NULL, "size 0");
    rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    rug_source mask = source_of_image(&volume);
    opts.mask = &mask;
    refused(ctx, &img, &opts, "mask");
    const double levels[] = {-1, NAN, INFINITY, 2.5, 0x1p54};
    for (int i = 0; i < 5; i++) {
        opts = (rug_dbc_options)RUG_DBC_OPTIONS_INIT;
        opts.levels = levels[i];
        refused(ctx, &img, &opts, "levels");
    }
    opts = (rug_dbc_options)RUG_DBC_OPTIONS_INIT;
    opts.struct_size = 0;
    refused(ctx, &img, &opts, "rug_dbc_options");
    opts = (rug_dbc_options)RUG_DBC_OPTIONS_INIT;
    opts.anchor = (rug_dbc_anchor)2;
    refused(ctx, &img, &opts, "anchor 2 given, 0..1 expected");
    opts.anchor = RUG_DBC_ANCHOR_MIN;
    opts.unused = 1;
    refused(ctx, &img, &opts, "unused");
    assert_string_equal(rug_dbc_anchor_name(RUG_DBC_ANCHOR_ZERO), "zero");
    assert_string_equal(rug_dbc_anchor_name(RUG_DBC_ANCHOR_MIN), "min");
    assert_string_equal(rug_dbc_anchor_name((rug_dbc_anchor)7), "?");
    float wide[4 * 4] = {0, 1e30f};
    const size_t shape[2] = {4, 4};
    assert_int_equal(rug_image_view(ctx, &img, wide, RUG_F32, 2, shape), RUG_OK);
    opts = (rug_dbc_options)RUG_DBC_OPTIONS_INIT;
    opts.levels = 1e-3;
    refused(ctx, &img, &opts, "63 bits");
    uint64_t all[4 * 4] = {0, UINT64_MAX, 5, 5, 0, 0, 0, UINT64_MAX};
    assert_int_equal(rug_image_view(ctx, &img, all, RUG_U64, 2, shape), RUG_OK);
    opts.levels = 1;
    refused(ctx, &img, &opts, "64 bits");
    dbc_counts r;
    assert_int_equal(rug_dbc(ctx, NULL, &img, NULL), RUG_E_ARG);
    assert_int_equal(dbc_count(NULL, &r, &img, NULL), RUG_E_ARG);
    assert_int_equal(dbc_count_source(ctx, &r, NULL, NULL), RUG_E_ARG);
    rug_context_free(ctx);
}

/* Images without a size, without a pixel, without a finite pixel. */
static void nothing_to_count(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image one = test_u8(pixels, 0, 1, 1), two = test_u8(pixels, 2, 2, 2);
    dbc_counts r;
    assert_int_equal(dbc_count(ctx, &r, &one, NULL), RUG_OK);
    assert_int_equal(r.n_sizes, 0);
    assert_true(r.min == pixels[0] && r.max == pixels[0]);
    assert_int_equal(dbc_count(ctx, &r, &two, NULL), RUG_OK);
    assert_int_equal(r.n_sizes, 0);
    static const uint8_t outside[60 * 80];
    rug_image img = test_u8(pixels, 0, 60, 80), mask = test_u8(outside, 0, 60, 80);
    rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    rug_source inside = source_of_image(&mask);
    opts.mask = &inside;
    assert_int_equal(dbc_count(ctx, &r, &img, &opts), RUG_OK);
    assert_true(r.n_pixels == 0 && r.sizes[0].boxes == 0 && isnan(r.min));
    float nan[8] = {NAN, NAN, INFINITY, NAN, -INFINITY, NAN, NAN, NAN};
    const size_t shape[2] = {2, 4};
    assert_int_equal(rug_image_view(ctx, &img, nan, RUG_F32, 2, shape), RUG_OK);
    assert_int_equal(dbc_count(ctx, &r, &img, NULL), RUG_OK);
    assert_true(r.n_left_out == 8 && r.sizes[0].blocks == 0 && isnan(r.max));
    rug_fit d = RUG_FIT_INIT;
    rug_dbc_result *counts;
    assert_int_equal(rug_dbc(ctx, &counts, &img, NULL), RUG_OK);
    assert_int_equal(rug_dbc_fit(ctx, &d, counts, NULL), RUG_OK);
    assert_int_equal(d.status, RUG_FIT_EMPTY);
    assert_true(isnan(d.slope));
    rug_dbc_free(counts);
    rug_dbc_free(NULL);
    rug_context_free(ctx);
}

static rug_image image_of(rug_dtype dtype, int ndim)
{
    rug_image img;
    const size_t shape[3] = {70, 30, 20};
    assert_int_equal(rug_image_view(NULL, &img, pixels, dtype, ndim, shape), RUG_OK);
    return img;
}

static void failing_memory(void **state)
{
    (void)state;
    static const rug_dtype dtypes[] = {RUG_U8, RUG_I16};
    for (int d = 0; d < 2; d++) {
        rug_image img = image_of(dtypes[d], 3), mask = image_of(RUG_U8, 3);
        rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
        rug_source inside = source_of_image(&mask);
        opts.mask = &inside;
        dbc_counts expected = dbc_naive(&img, &mask, 0), out;
        rug_status status = RUG_E_NOMEM;
        size_t k = 0;
        while (status != RUG_OK) {
            memory m = {.fail_at = ++k};
            rug_context *ctx = test_context();
            assert_int_equal(rug_context_set_threads(ctx, 3), RUG_OK);
            memory_hook(ctx, &m);
            status = dbc_count(ctx, &out, &img, &opts);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            if (status != RUG_OK)
                assert_int_equal(status, RUG_E_NOMEM);
            rug_context_free(ctx);
        }
        assert_in_range(k, 4, 20);
        dbc_assert_equal(&out, &expected, "with memory full of rubbish");
    }
}

static void cancelling(void **state)
{
    (void)state;
    rug_image img = image_of(RUG_I16, 3);
    dbc_counts out;
    int n_steps = 0;
    for (int left = 0;; left++) {
        rug_context *ctx = test_context();
        memory m = {0};
        countdown c = {left, 0};
        assert_int_equal(rug_context_set_threads(ctx, 1), RUG_OK);
        memory_hook(ctx, &m);
        rug_context_set_cancel(ctx, stop_at, &c);
        rug_status status = dbc_count(ctx, &out, &img, NULL);
        assert_int_equal(m.n_live, 0);
        rug_context_free(ctx);
        n_steps = c.n_calls;
        if (status == RUG_OK)
            break;
        assert_int_equal(status, RUG_E_CANCELLED);
    }
    assert_true(n_steps > 3);
}

static rug_status read_wrong(rug_context *ctx, void *user, rug_image *out, size_t first,
                             size_t n)
{
    rug_status status = test_read_layers(ctx, user, out, first, n);
    out->shape[0]++;
    return status;
}

static void sources(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const rug_dtype dtypes[] = {RUG_U8, RUG_I16, RUG_U16};
    for (int d = 0; d < 3; d++)
        for (int ndim = 2; ndim <= 3; ndim++) {
            rug_image img = image_of(dtypes[d], ndim), mask = image_of(RUG_U8, ndim);
            rug_source source = streamed_source_of_image(&img),
                       inside = streamed_source_of_image(&mask);
            rug_dbc_options masked = RUG_DBC_OPTIONS_INIT;
            masked.mask = &inside;
            dbc_counts expected = dbc_naive(&img, NULL, 0), got;
            assert_int_equal(dbc_count_source(ctx, &got, &source, NULL), RUG_OK);
            dbc_assert_equal(&got, &expected, "source");
            expected = dbc_naive(&img, &mask, 0);
            assert_int_equal(dbc_count_source(ctx, &got, &source, &masked), RUG_OK);
            dbc_assert_equal(&got, &expected, "masked source");
            assert_int_equal(dbc_count(ctx, &got, &img, &masked), RUG_OK);
            dbc_assert_equal(&got, &expected, "masked by a source");
            source.read = read_wrong;
            assert_int_equal(dbc_count_source(ctx, &got, &source, NULL), RUG_E_ARG);
            assert_int_equal(got.n_sizes, 0);
        }
    rug_context_free(ctx);
}

/* The engine's blocks and tallies, slab by slab. */
static void count_slabs(rug_context *ctx, rugi_dbc_job *job, const rug_image *img,
                        const rug_image *mask, size_t thick)
{
    for (size_t z = 0; z < img->shape[0]; z += thick) {
        size_t n = img->shape[0] - z < thick ? img->shape[0] - z : thick;
        job->first = z;
        assert_int_equal(test_read_layers(ctx, (void *)(uintptr_t)img, &job->slab, z, n),
                         RUG_OK);
        if (mask != NULL)
            assert_int_equal(
                test_read_layers(ctx, (void *)(uintptr_t)mask, &job->mask, z, n), RUG_OK);
        assert_int_equal(rugi_dbc_cpu(ctx, job), RUG_OK);
    }
    rugi_dbc_cpu_end(ctx, job);
}

/* Slabs that end anywhere have the blocks of the whole. */
static void slabs_of_any_thickness(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const rug_dtype dtypes[] = {RUG_U8, RUG_I8, RUG_U16, RUG_I32};
    const rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    for (int d = 0; d < 4; d++)
        for (int masked = 0; masked < 2; masked++) {
            rug_image img = image_of(dtypes[d], 3), mask = image_of(RUG_U8, 3);
            rug_source source = source_of_image(&img);
            rug_source inside = source_of_image(&mask);
            rugi_dbc_plan plan;
            assert_int_equal(rugi_dbc_plan_make(ctx, &plan, &source,
                                                masked ? &inside : NULL, &opts, NULL),
                             RUG_OK);
            rugi_dbc_block whole[2], parts[2];
            assert_int_equal(plan.n_blocks, 2);
            rugi_dbc_job all = {.plan = &plan, .blocks = whole};
            count_slabs(ctx, &all, &img, masked ? &mask : NULL, 70);
            static const size_t thick[] = {1, 2, 3, 5, 8, 31, 63, 64, 69};
            for (size_t t = 0; t < sizeof thick / sizeof thick[0]; t++) {
                rugi_dbc_job job = {.plan = &plan, .blocks = parts};
                count_slabs(ctx, &job, &img, masked ? &mask : NULL, thick[t]);
                assert_memory_equal(whole, parts, sizeof whole);
                for (int m = 1; m <= RUGI_DBC_BLOCK_LEVEL; m++)
                    for (int c = 0; c < RUGI_DBC_CLASSES; c++)
                        if (job.tally.at[m][c].blocks != all.tally.at[m][c].blocks ||
                            job.tally.at[m][c].beyond != all.tally.at[m][c].beyond)
                            fail_msg("slabs of %zu, level %d, class %d", thick[t], m, c);
                assert_int_equal(job.seen.n_pixels, all.seen.n_pixels);
            }
        }
    rug_context_free(ctx);
}

int main(void)
{
    fill_pixels();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_calls),  cmocka_unit_test(nothing_to_count),
        cmocka_unit_test(sources),    cmocka_unit_test(failing_memory),
        cmocka_unit_test(cancelling), cmocka_unit_test(slabs_of_any_thickness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
