/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of random images and volumes against counting every box by hand: every
 * dtype, rule, kernel and number of threads, odd sizes, padded, negative, permuted and
 * strided axes, and guard bytes round every buffer. */

#include "support.h"

#include "sample_support.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_CASES TEST_CASES(50000)

static void check_sample(rug_context *ctx, uint64_t *rng, const sample *s,
                         const char *what)
{
    test_counts expected, got;
    test_naive_boxcount(&expected, &s->img, s->rule);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = s->rule;
    for (rug_cpu_level level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        assert_int_equal(rug_context_set_cpu_level(ctx, level), RUG_OK);
        if (rug_context_cpu_level(ctx) != level)
            continue; /* said once, by equal_to_naive() */
        assert_int_equal(rug_context_set_threads(ctx, 1 + (int)test_below(rng, 4)),
                         RUG_OK);
        if (test_boxcount(ctx, &got, &s->img, &opts) != RUG_OK)
            fail_msg("%s: %s", what, rug_context_error(ctx));
        char where[160];
        snprintf(where, sizeof where, "%s, level %s", what, rug_cpu_level_name(level));
        test_assert_counts_equal(&got, &expected, where);
    }
    assert_memory_equal(s->buffer, s->copy, s->n_bytes);
}

static void equal_to_naive(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t seed = test_seed(ctx, 20261127, N_CASES);
    for (int i = 0; i < N_CASES; i++) {
        uint64_t rng = seed + (uint64_t)i;
        sample s = random_sample(&rng);
        char what[128];
        snprintf(what, sizeof what, "case %d: %s %zux%zux%zu rule %d %g", i,
                 rug_dtype_name(s.img.dtype), s.img.shape[0], s.img.shape[1],
                 s.img.ndim == 3 ? s.img.shape[2] : 0, (int)s.rule.kind, s.rule.value);
        check_sample(ctx, &rng, &s, what);
        free_sample(&s);
    }
    rug_context_free(ctx);
}

/* Wider than a tile in 2D (512 words) and in 3D (64 words), with several tiles along
 * x. */
static void wide_images(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {
        {0, 3, 70001}, {0, 130, 33000}, {2, 3, 9001}, {67, 5, 4200}};
    rug_context *ctx = test_context();
    uint64_t rng = 7;
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const size_t *n = shapes[k];
        size_t pixels = (n[0] ? n[0] : 1) * n[1] * n[2];
        sample s = {.n_bytes = pixels};
        s.buffer = malloc(pixels);
        s.copy = malloc(pixels);
        assert_true(s.buffer != NULL && s.copy != NULL);
        for (size_t i = 0; i < pixels; i++)
            s.buffer[i] = test_below(&rng, 97) == 0 ? 0 : 1;
        memcpy(s.copy, s.buffer, pixels);
        s.img = test_u8(s.buffer, n[0], n[1], n[2]);
        s.rule = (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0};
        check_sample(ctx, &rng, &s, "wide");
        free(s.buffer);
        free(s.copy);
    }
    rug_context_free(ctx);
}

/* Structures of some pixels side by side, in memory that ends with the last pixel.
 *  @param padding  bytes between rows */
static sample narrow_sample(uint64_t *rng, rug_dtype dtype, const size_t n[3],
                            size_t padding)
{
    sample s = {.img = {.dtype = dtype, .ndim = n[0] > 0 ? 3 : 2}};
    size_t size = rug_dtype_size(dtype), nz = n[0] > 0 ? n[0] : 1;
    size_t row = size > 0 ? n[2] * size : (n[2] + 7) / 8;
    const size_t stride[3] = {n[1] * (row + padding), row + padding, size};
    for (int a = 0; a < s.img.ndim; a++) {
        s.img.shape[a] = n[3 - s.img.ndim + a];
        s.img.stride[a] = (ptrdiff_t)stride[3 - s.img.ndim + a];
    }
    s.n_bytes = nz * stride[0] - padding;
    s.img.data = s.buffer = malloc(s.n_bytes);
    s.copy = malloc(s.n_bytes);
    assert_true(s.buffer != NULL && s.copy != NULL);
    const size_t step = size > 0 ? size : 1;
    uint64_t run = 0, is_set = 0;
    for (size_t i = 0; i < s.n_bytes; i++) {
        if (i % step == 0 && run-- == 0) {
            run = test_below(rng, 90);
            is_set = test_below(rng, 2);
        }
        s.buffer[i] = (uint8_t)(is_set * (size > 0 ? 1 : test_below(rng, 256)));
    }
    memcpy(s.copy, s.buffer, s.n_bytes);
    return s;
}

/* Rows that do not fill groups of eight blocks: they share them with rows one to seven
 * blocks below, of which the last ones are missing in part. The end of a row is read as a
 * whole block where that stays inside of the image. Background is 0, or 0 is foreground. */
static void narrow_rows(void **state)
{
    (void)state;
    static const size_t widths[] = {1,   40,  64,  65,  100, 128, 190, 192,
                                    256, 300, 320, 385, 449, 512, 513, 700};
    static const size_t heights[] = {1, 63, 65, 130, 530};
    static const rug_dtype dtypes[] = {RUG_U8,  RUG_I16, RUG_U32, RUG_I64,
                                       RUG_F32, RUG_F64, RUG_BIT};
    rug_context *ctx = test_context();
    uint64_t rng = 11;
    int k = 0;
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
        for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++, k++) {
            const size_t depths[] = {0, 1, 2, 3};
            size_t n[3] = {depths[k % 4], heights[h], widths[w]};
            if (heights[h] == 130 && w % 4 == 0)
                n[0] = 66;
            rug_dtype dtype = dtypes[k % 7];
            sample s = narrow_sample(&rng, dtype, n, k % 3 == 0 ? 24 : 0);
            s.rule = k % 2 ? (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0}
                           : (rug_foreground){RUG_FOREGROUND_LABEL, 0, 0};
            char what[96];
            snprintf(what, sizeof what, "narrow %zux%zux%zu %s", n[0], n[1], n[2],
                     rug_dtype_name(dtype));
            check_sample(ctx, &rng, &s, what);
            free(s.buffer);
            free(s.copy);
        }
    rug_context_free(ctx);
}

/* Several tiles, of several bands of rows that share groups. */
static void high_images(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {{2, 700, 500}, {2, 1100, 200}, {66, 300, 70}};
    rug_context *ctx = test_context();
    uint64_t rng = 13;
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        sample s = narrow_sample(&rng, RUG_U8, shapes[k], 0);
        s.rule = (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0};
        check_sample(ctx, &rng, &s, "high");
        free(s.buffer);
        free(s.copy);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_naive),
        cmocka_unit_test(wide_images),
        cmocka_unit_test(narrow_rows),
        cmocka_unit_test(high_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
