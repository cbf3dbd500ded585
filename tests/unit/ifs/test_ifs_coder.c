/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The range coder: what is written is read, and costs what it was priced at. */

#include "support.h"

#include "ifs/stream/ifs_coder.h"
#include "memory_support.h"
#include <math.h>

/* Contexts of each kind. */
typedef struct bits {
    rugi_ifs_bit bit[4], tree[64], number[6 + RUGI_IFS_GOLOMB];
} bits;

static uint32_t n_of_uniform(uint64_t *state)
{
    static const uint32_t some[] = {1,     2,     3,        255,       65535,
                                    65536, 65537, 1u << 20, UINT32_MAX};
    return some[test_below(state, 9)];
}

/* Sizes spread over all lengths. */
static uint32_t number_of(uint64_t *state)
{
    uint32_t most = 1u << test_below(state, 29);
    return (uint32_t)test_below(state, (uint64_t)most + 1);
}

/* Codes what the seed says; counts what comes out otherwise. */
static size_t code_all(rugi_ifs_coder *c, bits *b, uint64_t seed, int n, int bias)
{
    size_t n_wrong = 0;
    rugi_ifs_bits_begin((rugi_ifs_bit *)(void *)b, sizeof *b / sizeof(rugi_ifs_bit));
    for (int i = 0; i < n; i++) {
        int reads = c->coding == RUGI_IFS_READ;
        uint32_t bit = test_below(&seed, 1000) < (uint64_t)bias,
                 count = n_of_uniform(&seed);
        uint32_t below = (uint32_t)test_below(&seed, count), number = number_of(&seed);
        unsigned n_bits = (unsigned)test_below(&seed, 33);
        uint32_t raw = (uint32_t)test_below(&seed, (uint64_t)1 << n_bits);
        uint32_t tree = (uint32_t)test_below(&seed, 64);
        rugi_ifs_bit *context = &b->bit[test_below(&seed, 4)];
        n_wrong += (uint32_t)rugi_ifs_code_bit(c, context, reads ? 0 : (int)bit) != bit;
        if (i % 5 > 0)
            continue;
        n_wrong += rugi_ifs_code_uniform(c, count, reads ? 0 : below) != below;
        n_wrong += rugi_ifs_code_raw(c, n_bits, reads ? 0 : raw) != raw;
        n_wrong += rugi_ifs_code_tree(c, b->tree, 6, reads ? 0 : tree) != tree;
        n_wrong += rugi_ifs_code_number(c, b->number, 6, reads ? 0 : number) != number;
    }
    return n_wrong;
}

static void test_round_trip(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    static const int biases[] = {0, 1, 20, 500, 990, 1000};
    for (uint64_t seed = 0; seed < 60; seed++) {
        rugi_ifs_coder c;
        bits b;
        int bias = biases[seed % 6], n = 1 << seed % 13;
        rugi_ifs_write_begin(&c, ctx);
        assert_int_equal(code_all(&c, &b, seed, n, bias), 0);
        rugi_ifs_write_end(&c);
        assert_false(c.failed);
        uint8_t *bytes = c.bytes;
        size_t size = c.n_bytes;
        rugi_ifs_read_begin(&c, bytes, size);
        assert_int_equal(code_all(&c, &b, seed, n, bias), 0);
        assert_false(c.failed);
        assert_true(c.n_bytes <= size + 4);
        rug_context_release(ctx, bytes);
    }
    rug_context_free(ctx);
}

/* Runs of 0xff with a carry at their end, which is rare by chance: every value near the
 * top of the first interval, then a last step over it. */
static void test_carry(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (uint32_t n_first = 0; n_first < 12; n_first++)
        for (uint32_t last = 0; last < 256; last++) {
            rugi_ifs_coder c;
            rugi_ifs_write_begin(&c, ctx);
            for (uint32_t i = 0; i < n_first; i++)
                rugi_ifs_code_uniform(&c, 256, 255);
            rugi_ifs_code_uniform(&c, 255, 254);
            rugi_ifs_code_uniform(&c, 256, last);
            rugi_ifs_code_uniform(&c, 3, 2);
            rugi_ifs_write_end(&c);
            uint8_t *bytes = c.bytes;
            rugi_ifs_read_begin(&c, bytes, c.n_bytes);
            for (uint32_t i = 0; i < n_first; i++)
                assert_int_equal(rugi_ifs_code_uniform(&c, 256, 0), 255);
            assert_int_equal(rugi_ifs_code_uniform(&c, 255, 0), 254);
            assert_int_equal(rugi_ifs_code_uniform(&c, 256, 0), last);
            assert_int_equal(rugi_ifs_code_uniform(&c, 3, 0), 2);
            assert_false(c.failed);
            rug_context_release(ctx, bytes);
        }
    rug_context_free(ctx);
}

static void test_prices(void **unused)
{
    (void)unused;
    for (uint32_t p = 1; p <= 65536; p++) {
        double exact = -log2(p / 65536.0) * 65536;
        assert_true(fabs(rugi_ifs_price_of(p) - exact) <= 2);
    }
    rugi_ifs_coder c;
    rugi_ifs_price_begin(&c);
    rugi_ifs_code_raw(&c, 7, 5);
    assert_int_equal(c.price, 7 << 16);
    c.price = 0;
    rugi_ifs_code_uniform(&c, 1000, 5);
    assert_true(fabs((double)c.price - log2(1000) * 65536) < 8);
    c.price = 0;
    rugi_ifs_code_uniform(&c, 1, 0);
    assert_int_equal(c.price, 0);
    c.price = 0;
    rugi_ifs_code_uniform(&c, UINT32_MAX, 0);
    assert_true(fabs((double)c.price - 32 * 65536.0) < 8);
}

/* The price of each decision before it is written adds up to the bytes. */
static void test_price_is_size(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (int bias = 10; bias <= 500; bias += 70) {
        rugi_ifs_coder w, p;
        rugi_ifs_bit bit = {0}, number[6 + RUGI_IFS_GOLOMB];
        uint64_t seed = (uint64_t)bias;
        rugi_ifs_bits_begin(&bit, 1);
        rugi_ifs_bits_begin(number, 6 + RUGI_IFS_GOLOMB);
        rugi_ifs_write_begin(&w, ctx);
        rugi_ifs_price_begin(&p);
        for (int i = 0; i < 20000; i++) {
            int value = test_below(&seed, 1000) < (uint64_t)bias;
            uint32_t size = (uint32_t)test_below(&seed, 1 + test_below(&seed, 40));
            rugi_ifs_bit before = bit;
            rugi_ifs_code_bit(&p, &bit, value);
            assert_memory_equal(&before, &bit, sizeof bit);
            rugi_ifs_code_bit(&w, &bit, value);
            rugi_ifs_code_number(&p, number, 6, size);
            rugi_ifs_code_number(&w, number, 6, size);
        }
        rugi_ifs_write_end(&w);
        double priced = (double)p.price / 65536 / 8;
        assert_true(fabs((double)w.n_bytes - priced) < 4 + priced * 1e-3);
        rug_context_release(ctx, w.bytes);
    }
    rug_context_free(ctx);
}

/* Rubbish gives values within bounds, and is noticed when it ends. */
static void test_rubbish(void **unused)
{
    (void)unused;
    uint64_t seed = 9;
    for (int k = 0; k < 200; k++) {
        uint8_t bytes[40];
        rugi_ifs_bit number[6 + RUGI_IFS_GOLOMB], tree[64];
        rugi_ifs_coder c;
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = k == 0 ? 0xff : (uint8_t)test_random(&seed);
        rugi_ifs_bits_begin(number, 6 + RUGI_IFS_GOLOMB);
        rugi_ifs_bits_begin(tree, 64);
        rugi_ifs_read_begin(&c, bytes, k % 41 < 40 ? (size_t)(k % 41) : sizeof bytes);
        for (int i = 0; i < 60; i++) {
            assert_true(rugi_ifs_code_number(&c, number, 6, 0) <= 1u << 29);
            assert_true(rugi_ifs_code_tree(&c, tree, 6, 0) < 64);
            assert_true(rugi_ifs_code_uniform(&c, 70000, 0) < 70000);
            assert_true(rugi_ifs_code_uniform(&c, 77, 0) < 77);
        }
        assert_true(c.failed);
    }
}

static void test_no_memory(void **unused)
{
    (void)unused;
    for (size_t fail_at = 1; fail_at <= 4; fail_at++) {
        memory m = {.fail_at = fail_at};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        rugi_ifs_coder c;
        rugi_ifs_write_begin(&c, ctx);
        for (int i = 0; i < 10000; i++)
            rugi_ifs_code_raw(&c, 8, (uint32_t)i & 255);
        rugi_ifs_write_end(&c);
        assert_int_equal(c.failed, fail_at <= 3);
        rug_context_release(ctx, c.bytes);
        assert_int_equal(m.n_live, 0);
        rug_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_carry),
        cmocka_unit_test(test_prices),     cmocka_unit_test(test_price_is_size),
        cmocka_unit_test(test_rubbish),    cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
