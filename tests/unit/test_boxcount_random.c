/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of random images and volumes against counting every box by hand: every
 * dtype, rule, leaf and number of threads, odd sizes, padded, negative, permuted and
 * strided axes, and guard bytes round every buffer. */

#include "support.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef NDEBUG
#define N_CASES 100000
#else
#define N_CASES 5000 /* builds for the sanitizers are slow */
#endif
#define GUARD 64

/* A random image with the buffer that it looks into. */
typedef struct sample {
    rug_image img;
    rug_foreground rule;
    uint8_t *buffer;
    uint8_t *copy; /* of the buffer, to see that it is never written */
    size_t n_bytes;
} sample;

static size_t random_length(uint64_t *rng, int ndim)
{
    switch (test_below(rng, 12)) {
    case 0: return 1;
    case 1: return ndim == 2 ? 1 + test_below(rng, 300) : 1 + test_below(rng, 70);
    case 2: return (size_t)1 << test_below(rng, ndim == 2 ? 8 : 6);
    case 3: return 60 + test_below(rng, 10);
    default: return 1 + test_below(rng, ndim == 2 ? 40 : 14);
    }
}

/* Strides of axes in a random order of nesting, with padding and flips; returns the bytes
 * spanned and where the first cell lies. */
static size_t random_strides(uint64_t *rng, rug_image *img, size_t *first)
{
    int order[3] = {2, 1, 0}; /* innermost first */
    size_t size = rug_dtype_size(img->dtype);
    int plain = img->dtype == RUG_BIT || test_below(rng, 2);
    if (!plain)
        for (int a = 2; a > 0; a--) {
            int b = (int)test_below(rng, (uint64_t)a + 1), t = order[a];
            order[a] = order[b];
            order[b] = t;
        }
    size_t span = plain ? size : size * (1 + test_below(rng, 3));
    *first = 0;
    for (int i = 0; i < 3; i++) {
        int a = order[i] - (3 - img->ndim);
        if (a < 0)
            continue;
        int bit_row = img->dtype == RUG_BIT && i == 0;
        img->stride[a] = (ptrdiff_t)span;
        span = bit_row ? (img->shape[a] + 7) / 8 : span * img->shape[a];
        if (!bit_row && test_below(rng, 4) == 0) {
            *first += (img->shape[a] - 1) * (size_t)img->stride[a];
            img->stride[a] = -img->stride[a];
        }
        if (test_below(rng, 3) == 0)
            span += test_below(rng, 5);
    }
    return span;
}

/* Cells of a few styles: sparse, dense, runs, full. Only some bit patterns, so that
 * thresholds, NaN and extremes occur often. */
static void random_cells(uint64_t *rng, sample *s)
{
    static const float f32[] = {0.0f, -0.0f,    1.0f,      0.5f, -3.25f,
                                NAN,  INFINITY, -INFINITY, 1e30f};
    static const double f64[] = {0.0, -0.0,     1.0,       0.5,  -3.25,
                                 NAN, INFINITY, -INFINITY, 1e300};
    size_t size = rug_dtype_size(s->img.dtype);
    uint64_t style = test_below(rng, 5), run = 0, value = 0;
    uint64_t step = size == 0 ? 1 : size;
    for (size_t i = 0; i + step <= s->n_bytes; i += step) {
        if (run-- == 0) {
            run = style == 0 ? test_below(rng, 50) : style == 1 ? 0 : test_below(rng, 4);
            value = test_random(rng) >> test_below(rng, 64);
            if (style == 3 && test_below(rng, 100) != 0)
                value = 0;
            if (style == 4 && test_below(rng, 300) != 0)
                value = UINT64_MAX;
        }
        if (s->img.dtype == RUG_F32 && style != 4)
            memcpy(s->buffer + i, &f32[value % 9], 4);
        else if (s->img.dtype == RUG_F64 && style != 4)
            memcpy(s->buffer + i, &f64[value % 9], 8);
        else
            memcpy(s->buffer + i, &value, step);
    }
}

static rug_foreground random_rule(uint64_t *rng, const rug_image *img)
{
    rug_foreground rule = {
        (rug_foreground_kind)(RUG_FOREGROUND_NONZERO + test_below(rng, 5)), 0};
    if (rule.kind == RUG_FOREGROUND_OTSU)
        rule.kind = RUG_FOREGROUND_NONZERO;
    size_t z = img->ndim == 3 ? test_below(rng, img->shape[0]) : 0;
    size_t y = test_below(rng, img->shape[img->ndim - 2]);
    size_t x = test_below(rng, img->shape[img->ndim - 1]);
    rule.value = (double)test_cell(img, z, y, x); /* a value that occurs */
    switch (test_below(rng, 8)) {
    case 0: rule.value = 0; break;
    case 1: rule.value += 0.5; break;
    case 2: rule.value = -1e18; break;
    case 3: rule.value = 1e20; break;
    default: break;
    }
    if (isnan(rule.value))
        rule.value = 1;
    return rule;
}

static sample random_sample(uint64_t *rng)
{
    sample s = {.img = {.ndim = 2 + (int)test_below(rng, 2)}};
    s.img.dtype = (rug_dtype)test_below(rng, RUG_N_DTYPES);
    for (int a = 0; a < s.img.ndim; a++)
        s.img.shape[a] = random_length(rng, s.img.ndim);
    size_t first;
    size_t span = random_strides(rng, &s.img, &first);
    s.n_bytes = span + 2 * GUARD;
    s.buffer = malloc(s.n_bytes);
    s.copy = malloc(s.n_bytes);
    assert_true(s.buffer != NULL && s.copy != NULL);
    random_cells(rng, &s);
    memcpy(s.copy, s.buffer, s.n_bytes);
    s.img.data = s.buffer + GUARD + first;
    s.rule = random_rule(rng, &s.img);
    return s;
}

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
    uint64_t seed = 20261127;
    const char *asked = getenv("RUGOSE_TEST_SEED");
    if (asked != NULL)
        seed = strtoull(asked, NULL, 10);
    print_message("seed %llu (RUGOSE_TEST_SEED), %d cases\n", (unsigned long long)seed,
                  N_CASES);
    rug_context *ctx = test_context();
    for (int k = (int)rug_context_cpu_level(ctx) + 1; k <= RUG_CPU_MAX; k++)
        print_message("LEFT OUT: this processor has no %s\n",
                      rug_cpu_level_name((rug_cpu_level)k));
    for (int i = 0; i < N_CASES; i++) {
        uint64_t rng = seed + (uint64_t)i;
        sample s = random_sample(&rng);
        char what[128];
        snprintf(what, sizeof what, "case %d: %s %zux%zux%zu rule %d %g", i,
                 rug_dtype_name(s.img.dtype), s.img.shape[0], s.img.shape[1],
                 s.img.ndim == 3 ? s.img.shape[2] : 0, (int)s.rule.kind, s.rule.value);
        check_sample(ctx, &rng, &s, what);
        free(s.buffer);
        free(s.copy);
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
        size_t cells = (n[0] ? n[0] : 1) * n[1] * n[2];
        sample s = {.n_bytes = cells};
        s.buffer = malloc(cells);
        s.copy = malloc(cells);
        assert_true(s.buffer != NULL && s.copy != NULL);
        for (size_t i = 0; i < cells; i++)
            s.buffer[i] = test_below(&rng, 97) == 0 ? 0 : 1;
        memcpy(s.copy, s.buffer, cells);
        s.img = test_u8(s.buffer, n[0], n[1], n[2]);
        s.rule = (rug_foreground){RUG_FOREGROUND_NONZERO, 0};
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
