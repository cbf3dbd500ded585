/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sliced numbers and sums of grid positions by themselves, at every CPU level: what comes
 * of them in cases that a whole count meets by chance only. */

#include "support.h"
/* support.h brings cmocka, which these use */
#include "boxcount/window/boxcount_window_plan.h"
#include "window_support.h"

#define N_CASES TEST_CASES(400)
#define MAX_N   1600 /* numbers */
#define PLANES  9
#define STRIDE  ((size_t)40) /* words of a plane, and some behind */

static int n_kernels(rug_context *ctx)
{
#ifdef RUGI_HAVE_X86_KERNELS
    return 1 + (int)rug_context_cpu_level(ctx);
#else
    (void)ctx;
    return 1;
#endif
}

static rugi_window_kernels kernels_of(int level)
{
    rugi_window_kernels kernels;
    rugi_window_set_kernels(&kernels, (rug_cpu_level)level);
    return kernels;
}

static rugi_planes slice(uint64_t *words, const uint64_t *numbers, size_t n)
{
    memset(words, 0, PLANES * STRIDE * sizeof *words);
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < PLANES; l++)
            words[l * STRIDE + i / 64] |= (numbers[i] >> l & 1) << i % 64;
    return (rugi_planes){words, STRIDE, PLANES};
}

/* Numbers between two bounds, and whether the kernel sees one that is not between others. */
static void surveys(void **state)
{
    (void)state;
    static uint64_t numbers[MAX_N], words[PLANES * STRIDE], mask[STRIDE];
    rug_context *ctx = test_context();
    uint64_t seed = 70;
    for (int k = 0; k < N_CASES; k++) {
        size_t n = (size_t)(1 + test_below(&seed, 512));
        uint64_t low = test_below(&seed, 400), span = 1 + test_below(&seed, 100);
        uint64_t range[2] = {low + test_below(&seed, 3) - (low > 0),
                             low + span - test_below(&seed, 3)};
        uint64_t sum = 0;
        int is_beyond = 0;
        for (size_t i = 0; i < MAX_N; i++)
            numbers[i] = i < n ? low + test_below(&seed, span) : test_below(&seed, 512);
        memset(mask, 0, sizeof mask);
        for (size_t i = 0; i < n; i++) {
            mask[i / 64] |= (uint64_t)1 << i % 64;
            sum += numbers[i];
            is_beyond |= numbers[i] < range[0] || numbers[i] > range[1];
        }
        rugi_planes p = slice(words, numbers, MAX_N);
        for (int level = 0; level < n_kernels(ctx); level++) {
            int got = -1;
            rugi_window_kernels kernels = kernels_of(level);
            assert_true(kernels.survey(&got, p, mask, range) == sum);
            assert_int_equal(got, is_beyond);
        }
    }
    rug_context_free(ctx);
}

/* Every offset of pieces, one at least. */
static void folds(void **state)
{
    (void)state;
    static uint64_t numbers[MAX_N], words[PLANES * STRIDE], out[13 * 16], counts[1024];
    rug_context *ctx = test_context();
    uint64_t seed = 71;
    for (int k = 0; k < N_CASES; k++) {
        size_t period = (size_t)(64 + test_below(&seed, 449));
        size_t n = (size_t)(1 + test_below(&seed, MAX_N - 600)), stride = period / 64 + 1;
        stride = rugi_round_words(stride);
        for (size_t i = 0; i < n; i++)
            numbers[i] = test_below(&seed, 512);
        rugi_planes src = slice(words, numbers, n), dst = {out, stride, 13};
        for (int level = 0; level < n_kernels(ctx); level++) {
            rugi_window_kernels kernels = kernels_of(level);
            memset(out, 0xff, sizeof out);
            kernels.fold(dst, src, (n - 1) / period + 1, period);
            kernels.columns(counts, dst, (period - 1) / 64 + 1);
            for (size_t i = 0; i < period; i++) {
                uint64_t sum = 0;
                for (size_t x = i; x < n; x += period)
                    sum += numbers[x];
                assert_true(counts[i] == sum);
            }
        }
    }
    rug_context_free(ctx);
}

/* Counters with any number of rows, at an odd place, in memory that was never cleared. */
static void counters(void **state)
{
    (void)state;
    enum { WORDS = 24, N_PLANES = 6 };
    static uint64_t memory[2][N_PLANES * WORDS + 8], out[N_PLANES * WORDS];
    static uint64_t counts[WORDS * 64], expected[WORDS * 64], bits[WORDS];
    rug_context *ctx = test_context();
    for (int level = 0; level < n_kernels(ctx); level++)
        for (size_t n_rows = 0; n_rows < 1 << N_PLANES; n_rows++) {
            uint64_t seed = 72 + n_rows;
            rugi_window_kernels kernels = kernels_of(level);
            rugi_counter c = {memory[0], memory[1], WORDS, N_PLANES, 0};
            memset(memory, 0xa5, sizeof memory);
            memset(expected, 0, sizeof expected);
            for (; c.n_added < n_rows; c.n_added++) {
                for (size_t i = 0; i < WORDS; i++)
                    bits[i] = test_random(&seed);
                for (size_t i = 0; i < WORDS * 64; i++)
                    expected[i] += bits[i / 64] >> i % 64 & 1;
                kernels.add(&c, 0, bits, WORDS);
            }
            size_t at = n_rows % 5, n = 1 + n_rows % 19;
            rugi_planes dst = {out, WORDS, N_PLANES};
            kernels.read_counter(dst, &c, at, n);
            kernels.columns(counts, dst, n);
            for (size_t i = 0; i < n * 64; i++)
                assert_true(counts[i] == expected[at * 64 + i]);
        }
    rug_context_free(ctx);
}

/* The first of equal positions is the best, in whatever order they come. */
static void ties(void **state)
{
    (void)state;
    static const uint64_t fold[] = {4, 3, 3, 5}; /* positions 3 2 1 0 */
    rugi_window_sums sums;
    rugi_window_sums_start(&sums);
    assert_true(rugi_window_sums_limit(&sums, 9, 9) == UINT64_MAX);
    rugi_window_sums_note(&sums, fold, 4, 2, 5);
    assert_true(sums.least == 3 && sums.most == 5 && sums.best[2] == 1);
    assert_true(rugi_window_sums_limit(&sums, 2, 6) == 3);
    assert_true(rugi_window_sums_limit(&sums, 3, 0) == 3);
    assert_true(rugi_window_sums_limit(&sums, 2, 4) == 4);
    assert_true(rugi_window_sums_limit(&sums, 1, 9) == 4);
    rugi_window_sums_note(&sums, fold, 4, 3, 0);
    assert_true(sums.best[0] == 2 && sums.best[1] == 5 && sums.best[2] == 1);
    rugi_window_sums_note(&sums, fold, 4, 1, 9);
    assert_true(sums.best[0] == 1 && sums.best[1] == 9 && sums.best[2] == 1);
    assert_true(sums.nonempty[0] == 20 && sums.nonempty[4] == 10);
    rugi_window_sums_add(&sums, 15, 5, 0, 0);
    assert_true(sums.nonempty[3] == 10 && sums.nonempty[7] == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surveys),
        cmocka_unit_test(folds),
        cmocka_unit_test(counters),
        cmocka_unit_test(ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
