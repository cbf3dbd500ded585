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

#define N_CASES TEST_CASES(100000)

static void check_sample(rug_context *ctx, uint64_t *rng, const sample *s,
                         const char *what)
{
    rug_boxcount_result expected, got;
    test_naive_boxcount(&expected, &s->img, s->rule);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = s->rule;
    for (rug_cpu_level level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        assert_int_equal(rug_context_set_cpu_level(ctx, level), RUG_OK);
        if (rug_context_cpu_level(ctx) != level)
            continue; /* said once, by equal_to_naive() */
        assert_int_equal(rug_context_set_threads(ctx, 1 + (int)test_below(rng, 4)),
                         RUG_OK);
        if (rug_boxcount(ctx, &got, &s->img, &opts) != RUG_OK)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_naive),
        cmocka_unit_test(wide_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
