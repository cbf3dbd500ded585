/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The radix sort of src/core against qsort: keys of 64 and of 128 bits, as unfriendly as
 * they come. */

#include "support.h"

#include "core/points/radix_sort.h" /* src/core */
#include "memory_support.h"
#include <stdlib.h>
#include <string.h>

typedef enum keys_kind {
    UNIFORM,
    ALL_EQUAL,
    ASCENDING,
    DESCENDING,
    FEW_DISTINCT,
    ONE_FAR_AWAY, /* all in one corner, but one key */
    SKEWED,       /* half of the keys below each power of two */
    SHARED_TOP,   /* all bits above the lowest 20 agree */
    TWO_CLUSTERS, /* equal in the middle, different at both ends */
    N_KINDS
} keys_kind;

static const char *const kind_names[N_KINDS] = {
    "uniform",      "all equal", "ascending",  "descending",  "few distinct",
    "one far away", "skewed",    "shared top", "two clusters"};

static rugi_u128 any_key(uint64_t *rng)
{
    return (rugi_u128)test_random(rng) << 64 | test_random(rng);
}

static rugi_u128 make_key(keys_kind kind, size_t i, size_t n, unsigned bits,
                          uint64_t *rng)
{
    rugi_u128 all = bits == 0 ? 0 : ~(rugi_u128)0 >> (128 - bits);
    switch (kind) {
    case ALL_EQUAL: return all / 3;
    case ASCENDING: return i & all;
    case DESCENDING: return (n - i) & all;
    case FEW_DISTINCT: return all / 5 * test_below(rng, 5);
    case ONE_FAR_AWAY: return i == n / 2 ? all : test_below(rng, 1000) & all;
    case SKEWED: return (any_key(rng) & all) >> test_below(rng, bits + 1) % 128;
    case SHARED_TOP: return all - (test_below(rng, 1 << 20) & all);
    case TWO_CLUSTERS:
        return (all ^ (all >> 1)) * test_below(rng, 2) | (test_below(rng, 8) & all);
    default: return any_key(rng) & all;
    }
}

static int by_value_u64(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int by_value_u128(const void *a, const void *b)
{
    const rugi_u128 *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void *keys_memory(size_t n, size_t size)
{
    void *block = aligned_alloc(64, (n * size + 63) / 64 * 64 + 64);
    assert_non_null(block);
    return block;
}

static void sorts(rug_context *ctx, keys_kind kind, size_t n, unsigned bits, int wide)
{
    size_t size = wide ? sizeof(rugi_u128) : sizeof(uint64_t);
    char *keys = keys_memory(n, size), *scratch = keys_memory(n, size);
    char *expected = keys_memory(n, size);
    uint64_t rng = n + bits;
    double seconds[8] = {0};
    for (size_t i = 0; i < n; i++) {
        rugi_u128 key = make_key(kind, i, n, bits, &rng);
        uint64_t narrow = (uint64_t)key;
        memcpy(keys + i * size, wide ? (void *)&key : (void *)&narrow, size);
    }
    memcpy(expected, keys, n * size);
    qsort(expected, n, size, wide ? by_value_u128 : by_value_u64);
    void *k = keys, *s = scratch;
    rug_status status = wide ? rugi_sort_u128(ctx, k, s, n, bits, seconds)
                             : rugi_sort_u64(ctx, k, s, n, bits, NULL);
    assert_int_equal(status, RUG_OK);
    if (memcmp(keys, expected, n * size) != 0)
        fail_msg("%zu keys of %u bits, %s, in %zu bytes each: not sorted", n, bits,
                 kind_names[kind], size);
    double sum = 0;
    for (int t = 0; t < 8; t++)
        sum += seconds[t];
    assert_true(wide == 0 || n < 100000 || sum > 0);
    free(keys);
    free(scratch);
    free(expected);
}

static void every_kind_of_keys(void **state)
{
    (void)state;
    static const size_t sizes[] = {0,    1,    2,    3,    24,    25,    26,
                                   1000, 4097, 8192, 8193, 20000, 140001};
    static const unsigned bits[] = {0, 1, 5, 27, 63, 64, 65, 100, 128};
    rug_context *ctx = test_context();
    for (int threads = 1; threads <= 4; threads++) {
        assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (size_t b = 0; b < sizeof bits / sizeof bits[0];
                 b += TEST_STEP(TEST_RACES(4, 2)))
                for (int kind = 0; kind < N_KINDS; kind++) {
                    int large = sizes[i] > 100000, small = sizes[i] < 8192;
                    if (large && (bits[b] % 64 != 63 || threads % 2 == 1))
                        continue;
                    if (small && threads > 1) /* one task */
                        continue;
                    if (bits[b] <= 64)
                        sorts(ctx, (keys_kind)kind, sizes[i], bits[b], 0);
                    sorts(ctx, (keys_kind)kind, sizes[i], bits[b], 1);
                }
    }
    rug_context_free(ctx);
}

/* Ranges that are too large for one thread are split again. */
static void large_ranges(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    assert_int_equal(rug_context_set_threads(ctx, 2), RUG_OK);
    for (int kind = 0; kind < N_KINDS; kind++) {
        sorts(ctx, (keys_kind)kind, 300007, 60, 0);
        sorts(ctx, (keys_kind)kind, 200003, 120, 1);
    }
    rug_context_free(ctx);
}

static void failing_memory(void **state)
{
    (void)state;
    enum { N = 50000 };
    uint64_t *keys = keys_memory(N, sizeof *keys), *scratch = keys_memory(N, 8);
    uint64_t rng = 3;
    rug_status status = RUG_E_NOMEM;
    size_t k = 0;
    while (status != RUG_OK) {
        memory m = {.fail_at = ++k};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        for (size_t i = 0; i < N; i++)
            keys[i] = test_random(&rng);
        status = rugi_sort_u64(ctx, keys, scratch, N, 64, NULL);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        if (status != RUG_OK) {
            assert_int_equal(status, RUG_E_NOMEM);
            assert_string_not_equal(rug_context_error(ctx), "");
        }
        rug_context_free(ctx);
    }
    assert_in_range(k, 4, 20);
    free(keys);
    free(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_keys),
        cmocka_unit_test(large_ranges),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
