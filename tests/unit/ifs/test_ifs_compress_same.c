/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding gives the same bytes on every CPU level and number of threads, and of
 * every view of the same pixels. */

#include "support.h"

#include "ifs_compress_support.h"

static void same_bytes(const rug_ifs_stream *a, const rug_ifs_stream *b, const char *what)
{
    if (a->size != b->size || memcmp(a->bytes, b->bytes, a->size) != 0)
        fail_msg("%s: other bytes (%zu, %zu)", what, a->size, b->size);
}

static void at_all_levels(const picture *p, const rug_ifs_options *opts, const char *what)
{
    rug_context *first = test_context();
    assert_int_equal(rug_context_set_threads(first, 1), RUG_OK);
    assert_int_equal(rug_context_set_cpu_level(first, RUG_CPU_REF), RUG_OK);
    rug_ifs_stream expected = must_compress(first, p, opts);
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++)
        for (int threads = 1; threads <= 4; threads++) {
            if (level != RUG_CPU_MAX && threads != 2)
                continue;
            rug_context *ctx = test_context();
            assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
            assert_int_equal(rug_context_set_cpu_level(ctx, (rug_cpu_level)level),
                             RUG_OK);
            rug_ifs_stream got = must_compress(ctx, p, opts);
            same_bytes(&got, &expected, what);
            rug_ifs_stream_free(ctx, &got);
            rug_context_free(ctx);
        }
    rug_ifs_stream_free(first, &expected);
    rug_context_free(first);
}

static void trees(void **state)
{
    (void)state;
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    picture gray = picture_of(EDGES, 66, 70, 1, 8);
    at_all_levels(&gray, NULL, "grey");
    opts.search = RUG_IFS_SEARCH_FAST;
    at_all_levels(&gray, &opts, "fast");
    opts.without_residual = 1;
    at_all_levels(&gray, &opts, "transforms alone");
    picture_free(&gray);
    picture colour = picture_of(WEDGES, 40, 35, 3, 16);
    at_all_levels(&colour, NULL, "colour of 16 bits");
    picture_free(&colour);
    picture noise = picture_of(NOISE, 34, 40, 1, 16);
    opts = (rug_ifs_options)RUG_IFS_OPTIONS_INIT;
    opts.target_value = 95;
    at_all_levels(&noise, &opts, "noise");
    picture_free(&noise);
}

static void targets(void **state)
{
    (void)state;
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.search = RUG_IFS_SEARCH_FAST;
    picture p = picture_of(EDGES, 40, 40, 1, 8);
    opts.target = RUG_IFS_TARGET_RATE;
    opts.target_value = 2;
    at_all_levels(&p, &opts, "rate");
    opts.target = RUG_IFS_TARGET_PSNR;
    opts.target_value = 40;
    at_all_levels(&p, &opts, "PSNR");
    picture_free(&p);
}

static void blocks(void **state)
{
    (void)state;
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    picture p = picture_of(EDGES, 61, 50, 1, 8);
    opts.partition = RUG_IFS_FIXED;
    at_all_levels(&p, &opts, "FIXED");
    opts.partition = RUG_IFS_OVERLAP;
    at_all_levels(&p, &opts, "OVERLAP");
    picture_free(&p);
}

/* Rows with gaps, mirrored, and colours pixel by pixel are the same image. */
static void any_strides(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    picture p = picture_of(EDGES, 45, 39, 3, 8);
    rug_ifs_stream expected = must_compress(ctx, &p, NULL), got;
    enum { ROW = 3 * 45 + 11 };
    uint8_t *mixed = calloc(39, ROW);
    rug_image views[3];
    assert_non_null(mixed);
    for (int i = 0; i < 3; i++) {
        views[i] = p.views[i];
        views[i].data = mixed + (size_t)38 * ROW + 2 - i;
        views[i].stride[0] = -ROW;
        views[i].stride[1] = 3;
        for (size_t y = 0; y < 39; y++)
            for (size_t x = 0; x < 45; x++)
                mixed[(38 - y) * ROW + 3 * x + 2 - (size_t)i] =
                    ((uint8_t *)p.pixels)[((size_t)i * 39 + y) * 45 + x];
    }
    assert_int_equal(rug_ifs_compress(ctx, &got, views, 3, NULL), RUG_OK);
    same_bytes(&got, &expected, "strides");
    rug_ifs_stream_free(ctx, &got);
    rug_ifs_stream_free(ctx, &expected);
    free(mixed);
    picture_free(&p);
    rug_context_free(ctx);
}

/* 16 bits a pixel at odd addresses. */
static void odd_addresses(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    picture p = picture_of(EDGES, 20, 18, 1, 16);
    rug_ifs_stream expected = must_compress(ctx, &p, NULL), got;
    enum { ROW = 3 * 20 };
    uint8_t *spread = calloc(18, ROW);
    rug_image view = p.views[0];
    assert_non_null(spread);
    view.data = spread + 1;
    view.stride[0] = ROW;
    view.stride[1] = 3;
    for (size_t y = 0; y < 18; y++)
        for (size_t x = 0; x < 20; x++)
            memcpy(spread + 1 + y * ROW + 3 * x, (uint16_t *)p.pixels + y * 20 + x, 2);
    assert_int_equal(rug_ifs_compress(ctx, &got, &view, 1, NULL), RUG_OK);
    same_bytes(&got, &expected, "odd addresses");
    rug_ifs_stream_free(ctx, &got);
    rug_ifs_stream_free(ctx, &expected);
    free(spread);
    picture_free(&p);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees),         cmocka_unit_test(targets),
        cmocka_unit_test(blocks),        cmocka_unit_test(any_strides),
        cmocka_unit_test(odd_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
