/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The counts of all sizes from sorted keys and from bitmaps, against each other. */

#include "support.h"

#include "boxcount/hou/boxcount_scan.h" /* src/methods/boxcount */
#include <stdlib.h>
#include <string.h>

/* Whether two scans agree in all that is asked for. */
static void assert_same_counts(const rugi_key_counts *a, const rugi_key_counts *b,
                               unsigned bits, uint64_t asked, unsigned least_full)
{
    for (unsigned k = 0; k <= bits; k++) {
        if (k < 64 && (asked >> k & 1) == 0)
            continue;
        assert_int_equal(a->nonempty[k], b->nonempty[k]);
        if (k == 0 || k >= least_full)
            assert_int_equal(a->full[k], b->full[k]);
    }
}

/* A random set with full stretches, spread over two bitmaps and as sorted keys, of which
 * some come more than once. */
static size_t random_stretches(uint64_t *rng, unsigned bits, uint64_t *maps, size_t words,
                               uint64_t *keys)
{
    uint64_t n_keys = (uint64_t)1 << bits, copies_of = 1 + test_below(rng, 20);
    size_t n = 0;
    for (uint64_t k = 0; k < n_keys;) {
        uint64_t run = test_below(rng, (uint64_t)1 << test_below(rng, bits + 1)) + 1;
        int is_set = test_below(rng, 2) != 0;
        for (; run > 0 && k < n_keys; run--, k++) {
            uint64_t copies = test_below(rng, copies_of) == 0 ? 2 : 1;
            if (!is_set)
                continue;
            maps[test_below(rng, 2) * words + k / 64] |= (uint64_t)1 << k % 64;
            for (; copies > 0; copies--)
                keys[n++] = k;
        }
    }
    return n;
}

/* Bitmaps and sorted keys of the same sets, at every level, for all sizes and for few. */
static void bitmap_and_scan(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t rng = 5;
    for (int i = 0; i < 300; i++) {
        unsigned bits = 6 + (unsigned)test_below(&rng, 14);
        size_t n_keys = (size_t)1 << bits;
        size_t words = n_keys / 64 < RUGI_BITMAP_STEP ? RUGI_BITMAP_STEP : n_keys / 64;
        uint64_t *maps = calloc(2 * words, sizeof *maps);
        uint64_t *keys = malloc(2 * n_keys * sizeof *keys);
        assert_non_null(maps);
        assert_non_null(keys);
        size_t n = random_stretches(&rng, bits, maps, words, keys);
        rug_context_set_threads(ctx, 1 + i % 4);
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(i / 4 % (RUG_CPU_MAX + 1)));
        rugi_key_counts a, b;
        uint64_t all = ((uint64_t)1 << (bits + 1)) - 1;
        uint64_t few = test_random(&rng) & test_random(&rng) & all;
        unsigned least = 1 + (unsigned)test_below(&rng, 4);
        assert_int_equal(rugi_scan_bitmap(ctx, &b, maps, 2, words, all, NULL), RUG_OK);
        assert_int_equal(rugi_scan_u64(ctx, &a, keys, n, bits, 1, all, NULL), RUG_OK);
        assert_same_counts(&a, &b, bits, all, 1);
        assert_int_equal(rugi_scan_u64(ctx, &a, keys, n, bits, least, few, NULL), RUG_OK);
        assert_same_counts(&a, &b, bits, few, least);
        free(maps);
        free(keys);
    }
    rug_context_free(ctx);
}

/* Keys of up to 64 bits, at every level as those of 128 bits are scanned. */
static void scan_of_long_keys(void **state)
{
    (void)state;
    enum { N = 3000 };
    static uint64_t keys[N];
    static rugi_u128 wide[N];
    rug_context *ctx = test_context();
    uint64_t rng = 12;
    for (int i = 0; i < 300; i++) {
        unsigned bits = 60 + (unsigned)i % 5;
        uint64_t key = test_random(&rng) >> (64 - bits) >> test_below(&rng, bits);
        uint64_t all = UINT64_MAX >> (64 - bits);
        size_t n = 0;
        for (; n < N; n++) {
            uint64_t step = test_below(&rng, 4) ? 1 : test_random(&rng) >> (64 - bits);
            step >>= step > 1 ? test_below(&rng, bits) : test_below(&rng, 30) == 0;
            wide[n] = keys[n] = key;
            if (step > all - key)
                break;
            key += step;
        }
        rug_context_set_threads(ctx, 1 + i % 4);
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(i / 4 % (RUG_CPU_MAX + 1)));
        rugi_key_counts a, b;
        uint64_t few = test_random(&rng) & test_random(&rng) & test_random(&rng);
        assert_int_equal(rugi_scan_u128(ctx, &b, wide, n, bits, 2, NULL), RUG_OK);
        for (int is_few = 0; is_few < 2; is_few++) {
            uint64_t asked = is_few ? few : UINT64_MAX;
            assert_int_equal(rugi_scan_u64(ctx, &a, keys, n, bits, 2, asked, NULL),
                             RUG_OK);
            if (n > 0)
                assert_same_counts(&a, &b, bits, asked, 2);
        }
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bitmap_and_scan),
        cmocka_unit_test(scan_of_long_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
