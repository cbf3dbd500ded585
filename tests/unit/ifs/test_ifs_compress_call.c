/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Calls of fractal coding, versions 1 and 2: targets, what is refused and how, failing memory, callbacks. */

#include "support.h"

#include "ifs_compress_support.h"
#include "memory_support.h"
#include "watch_support.h"
#include <limits.h>

/* The call fails, says why, and gives nothing. */
static void refused(const picture *p, const rug_ifs_options *opts, const char *why)
{
    rug_context *ctx = small_context();
    rug_ifs_stream stream = {(uint8_t *)p->pixels, 7};
    assert_int_equal(rug_ifs_compress(ctx, &stream, p->views, p->n_planes, opts),
                     RUG_E_ARG);
    assert_null(stream.bytes);
    assert_int_equal(stream.size, 0);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
    rug_context_free(ctx);
}

static void refused_options(const rug_ifs_options *opts, const char *why)
{
    picture p = picture_of(RAMP, 20, 20, 1, 8);
    rug_context *ctx = small_context();
    refused(&p, opts, why);
    assert_int_equal(rug_ifs_check_options(ctx, opts), RUG_E_ARG);
    rug_context_free(ctx);
    picture_free(&p);
}

static void bad_options(void **state)
{
    (void)state;
    const rug_ifs_options defaults = earlier_options();
    const double qualities[] = {0, 0.99, 100.5, NAN, INFINITY};
    rug_ifs_options o = defaults;
    for (size_t i = 0; i < 5; i++) {
        o.target_value = qualities[i];
        refused_options(&o, "quality");
    }
    o.target = RUG_IFS_TARGET_RATE;
    o.target_value = 0;
    refused_options(&o, "rate");
    o.target = RUG_IFS_TARGET_PSNR;
    o.target_value = NAN;
    refused_options(&o, "PSNR");
    o.target = (rug_ifs_target)9;
    refused_options(&o, "target");
    o = defaults;
    o.partition = (rug_ifs_partition)3;
    refused_options(&o, "partition");
    o = defaults;
    o.search = (rug_ifs_search)3;
    refused_options(&o, "search");
    o = defaults;
    o.range_size = 8;
    refused_options(&o, "range size");
    o = defaults;
    o.domain_step = 6;
    refused_options(&o, "multiple of 4");
    o.domain_step = 1028;
    refused_options(&o, "domain step");
    o = defaults;
    o.scale_max = 1.01;
    refused_options(&o, "scale");
    o.scale_max = NAN;
    refused_options(&o, "scale");
    o = defaults;
    o.domain_wrap = 1;
    refused_options(&o, "opposite edge are asked for with QUADTREE: take FIXED");
    o = defaults;
    o.unused = 1;
    refused_options(&o, "unused");
    o = defaults;
    o.struct_size = 8;
    refused_options(&o, "rug_ifs_options");
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(rug_ifs_partition_name(RUG_IFS_OVERLAP), "overlap");
    assert_string_equal(rug_ifs_partition_name((rug_ifs_partition)3), "?");
    assert_string_equal(rug_ifs_search_name(RUG_IFS_SEARCH_FAST), "fast");
    assert_string_equal(rug_ifs_search_name((rug_ifs_search)-1), "?");
    assert_string_equal(rug_ifs_target_name(RUG_IFS_TARGET_RATE), "bpp");
    assert_string_equal(rug_ifs_target_name((rug_ifs_target)3), "?");
}

static void bad_options_of_blocks(void **state)
{
    (void)state;
    const rug_ifs_options defaults = earlier_options();
    rug_ifs_options o = defaults;
    o.partition = RUG_IFS_OVERLAP;
    o.range_size = 5;
    refused_options(&o, "even");
    o.partition = RUG_IFS_FIXED;
    o.range_size = 33;
    refused_options(&o, "range size");
    o.range_size = 1;
    refused_options(&o, "range size");
    o.range_size = 0;
    o.domain_step = 1025;
    refused_options(&o, "domain step");
    o.domain_step = 0;
    o.search = RUG_IFS_SEARCH_FAST;
    refused_options(&o, "FAST");
    o.search = RUG_IFS_SEARCH_AUTO;
    o.target = RUG_IFS_TARGET_PSNR;
    o.target_value = 30;
    refused_options(&o, "QUADTREE");
}

static void bad_images(void **state)
{
    (void)state;
    picture p = picture_of(RAMP, 20, 20, 3, 8), bad = p;
    rug_ifs_options opts = earlier_options();
    bad.n_planes = 2;
    refused(&bad, &opts, "2 planes are given, of which the last is alpha");
    bad.n_planes = 5;
    refused(&bad, &opts, "5 planes");
    bad = p;
    bad.views[1].shape[0] = 19;
    refused(&bad, NULL, "plane");
    bad = p;
    bad.views[0].ndim = 3;
    refused(&bad, NULL, "");
    bad = p;
    bad.views[2].dtype = RUG_U16;
    refused(&bad, NULL, "u16");
    bad = p;
    bad.n_planes = 1;
    bad.views[0].dtype = RUG_F32;
    refused(&bad, NULL, "f32");
    bad.views[0].dtype = RUG_U8;
    bad.views[0].shape[1] = 65536;
    refused(&bad, NULL, "65535");
    bad.views[0].data = NULL;
    refused(&bad, NULL, "NULL");
    rug_context *ctx = small_context();
    rug_ifs_stream stream;
    assert_int_equal(rug_ifs_compress(ctx, &stream, NULL, 1, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_compress(ctx, NULL, p.views, 1, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_compress(NULL, &stream, p.views, 1, NULL), RUG_E_ARG);
    assert_null(stream.bytes);
    assert_int_equal(rug_ifs_check_options(NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_check_options(ctx, NULL), RUG_OK);
    rug_ifs_stream_free(ctx, NULL);
    rug_context_free(ctx);
    picture_free(&p);
}

/* A rate is not passed, and nearly used; of a PSNR the same from the other side. */
static void targets_hold(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    const double rates[] = {1.2, 2, 5}, psnrs[] = {25, 33, 44};
    for (int n_planes = 1; n_planes <= 3; n_planes += 2)
        for (int i = 0; i < 3; i += TEST_STEP(2)) {
            picture p = picture_of(EDGES, 56, 40, n_planes, i == 2 ? 16 : 8);
            rug_ifs_options o = earlier_options();
            o.search = RUG_IFS_SEARCH_FAST;
            o.target = RUG_IFS_TARGET_RATE;
            o.target_value = rates[i] * n_planes;
            double bits;
            psnr_by(ctx, &p, &o, &bits);
            assert_true(bits <= o.target_value && bits > 0.85 * o.target_value);
            o.target = RUG_IFS_TARGET_PSNR;
            o.target_value = psnrs[i];
            double psnr = psnr_by(ctx, &p, &o, NULL);
            assert_true(psnr >= psnrs[i] && psnr < psnrs[i] + 1.5);
            picture_free(&p);
        }
    rug_context_free(ctx);
}

static void unreachable_targets(void **state)
{
    (void)state;
    picture p = picture_of(NOISE, 64, 64, 1, 8);
    rug_ifs_options o = earlier_options();
    o.target = RUG_IFS_TARGET_RATE;
    o.target_value = 0.01;
    refused(&p, &o, "smallest stream");
    o.target = RUG_IFS_TARGET_PSNR;
    o.target_value = 40;
    o.without_residual = 1;
    refused(&p, &o, "best that can be reached");
    picture_free(&p);
}

/* Nothing is kept, and nothing lost, wherever memory fails. */
static void failing_memory(void **state)
{
    (void)state;
    for (int partition = 0; partition < 2; partition++) {
        picture p = picture_of(EDGES, 14, 12, 1 + 2 * (partition == 0), 8);
        rug_ifs_options opts = earlier_options();
        opts.partition = (rug_ifs_partition)partition;
        rug_status status = RUG_E_NOMEM;
        size_t n_fails = 0;
        while (status != RUG_OK) {
            memory m = {.fail_at = n_fails + 1};
            rug_context *ctx = small_context();
            memory_hook(ctx, &m);
            rug_ifs_stream stream;
            status = rug_ifs_compress(ctx, &stream, p.views, p.n_planes, &opts);
            assert_true((stream.bytes == NULL) == (status != RUG_OK));
            if (status != RUG_OK) {
                assert_int_equal(status, RUG_E_NOMEM);
                assert_string_not_equal(rug_context_error(ctx), "");
                n_fails++;
            }
            rug_ifs_stream_free(ctx, &stream);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            rug_context_free(ctx);
        }
        assert_in_range(n_fails, 10, 1000);
        picture_free(&p);
    }
}

static void progress_and_cancelling(void **state)
{
    (void)state;
    picture p = picture_of(EDGES, 50, 30, 3, 8);
    rug_context *ctx = small_context();
    for (int partition = 0; partition < 3; partition++) {
        rug_ifs_options opts = earlier_options();
        opts.partition = (rug_ifs_partition)partition;
        countdown all = {.left = INT_MAX};
        watch seen = {0};
        rug_context_set_cancel(ctx, stop_at, &all);
        rug_context_set_progress(ctx, see_progress, &seen);
        rug_ifs_stream stream = must_compress(ctx, &p, &opts);
        rug_ifs_stream_free(ctx, &stream);
        assert_int_equal(seen.n_backwards, 0);
        assert_true(seen.last > 0.9);
        for (int i = 0; i < 5; i++) {
            countdown some = {.left = i * all.n_calls / 5};
            rug_context_set_cancel(ctx, stop_at, &some);
            rug_context_set_progress(ctx, NULL, NULL);
            assert_int_equal(rug_ifs_compress(ctx, &stream, p.views, 3, &opts),
                             RUG_E_CANCELLED);
            assert_null(stream.bytes);
        }
    }
    rug_context_free(ctx);
    picture_free(&p);
}

/* A stream that is cut or has a wrong byte is refused or decoded, never more. */
static void damaged_streams(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(EDGES, 40, 33, 1, 8);
    rug_ifs_options opts = earlier_options();
    rug_ifs_stream stream = must_compress(ctx, &p, &opts);
    rug_ifs_picture got = RUG_IFS_PICTURE_INIT;
    for (size_t i = 0; i < stream.size; i++) {
        uint8_t *copy = malloc(i + 1);
        assert_non_null(copy);
        memcpy(copy, stream.bytes, i);
        assert_int_equal(rug_ifs_decompress(ctx, &got, copy, i, NULL), RUG_E_FORMAT);
        free(copy);
        stream.bytes[i] ^= 0xff;
        assert_int_equal(rug_ifs_decompress(ctx, &got, stream.bytes, stream.size, NULL),
                         RUG_E_FORMAT);
        stream.bytes[i] ^= 0xff;
    }
    rug_ifs_stream_free(ctx, &stream);
    picture_free(&p);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_options),
        cmocka_unit_test(names),
        cmocka_unit_test(bad_options_of_blocks),
        cmocka_unit_test(bad_images),
        cmocka_unit_test(targets_hold),
        cmocka_unit_test(unreachable_targets),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(progress_and_cancelling),
        cmocka_unit_test(damaged_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
