/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The decoder of trees against a naive one, at every CPU level and number of threads. */

#include "support.h"

#include "ifs/decode/ifs_bands.h"
#include "ifs/decode/ifs_decode.h"
#include "ifs/stream/ifs_pixel.h"
#include "ifs_naive_support.h"
#include "ifs_stream_support.h"
#include "memory_support.h"

static size_t pixels_of(const rugi_ifs_tree *tree, unsigned octave)
{
    return ((size_t)tree->frame.nx << octave) * ((size_t)tree->frame.ny << octave);
}

static void check(rug_context *ctx, const rugi_ifs_tree *tree,
                  const rugi_ifs_decoding *how, unsigned rule)
{
    naive_plane expected =
        naive_decode(tree, (int)how->iterations, (int)how->octave, how->deblock);
    size_t n = pixels_of(tree, how->octave);
    int32_t *out = malloc(n * sizeof *out);
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++)
        for (int threads = 1; threads <= 4; threads++) {
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            rug_context_set_threads(ctx, threads);
            memset(out, 0x55, n * sizeof *out);
            assert_int_equal(rugi_ifs_decode_tree(ctx, out, tree, how), RUG_OK);
            for (size_t i = 0; i < n; i++)
                if (out[i] != expected.at[i])
                    fail_msg(
                        "rule %u, octave %u, level %d, %d threads, pixel %zu: %d, %d "
                        "expected",
                        rule, how->octave, level, threads, i, out[i], expected.at[i]);
        }
    free(out);
    free(expected.at);
}

static void test_naive(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (unsigned i = 0; i < N_TREE_RULES; i++) {
        tree_rule rule = tree_rule_of(i);
        rugi_ifs_tree tree;
        random_tree(&tree, &rule);
        rugi_ifs_decoding how = {i == 3 ? 20 : 3, i % 3, i % 2 == 0 ? 5 : 0};
        check(ctx, &tree, &how, i);
        free_random_tree(&tree);
    }
    rug_context_free(ctx);
}

/* Band by band, each with what lies above and below, it is what it is at once. */
static void test_bands(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (unsigned i = 0; i < 2 * N_TREE_RULES; i++) {
        tree_rule rule = tree_rule_of(i / 2);
        rugi_ifs_tree tree;
        rugi_ifs_bands bands;
        random_tree(&tree, &rule);
        rugi_ifs_decoding plain = {.iterations = 3}, how = {3, 0, i % 2 ? 9 : 0};
        size_t nx = tree.frame.nx, n_rows = tree.frame.ny / RUGI_IFS_BLOCK;
        size_t n = pixels_of(&tree, 0), row = RUGI_IFS_BLOCK * nx;
        int32_t *whole = malloc(n * sizeof *whole), *smooth = malloc(n * sizeof *whole);
        int32_t *window = calloc(n + 2 * row, sizeof *window);
        assert_int_equal(rugi_ifs_decode_tree(ctx, whole, &tree, &plain), RUG_OK);
        assert_int_equal(rugi_ifs_decode_tree(ctx, smooth, &tree, &how), RUG_OK);
        assert_int_equal(rugi_ifs_bands_begin(ctx, &bands, &tree, 3), RUG_OK);
        for (size_t from = 0; from < n_rows; from++)
            for (size_t to = from + 1; to <= n_rows; to++) {
                size_t bytes = (to - from) * row * sizeof *window;
                rugi_ifs_decode_band(&bands, window, from, to, 0);
                assert_memory_equal(window, whole + from * row, bytes);
                rugi_ifs_decode_band(&bands, window, from, to, 1);
                if (how.deblock > 0)
                    rugi_ifs_deblock_band(&bands, window, from, to, how.deblock);
                assert_memory_equal(window + row, smooth + from * row, bytes);
            }
        rugi_ifs_bands_end(ctx, &bands);
        free(whole);
        free(smooth);
        free(window);
        free_random_tree(&tree);
    }
    rug_context_free(ctx);
}

static void test_octaves(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    tree_rule rule = {{64, 64, 4, 160, 1, 8, 128}, 8, 12, 8, 6, 11};
    rugi_ifs_tree tree;
    random_tree(&tree, &rule);
    for (unsigned octave = 0; octave <= 4; octave++) {
        rugi_ifs_decoding how = {1, octave, 3};
        if (octave != 3) /* of which the fourth is made */
            check(ctx, &tree, &how, 100);
    }
    free_random_tree(&tree);
    rug_context_free(ctx);
}

/* Large enough for several tasks even at a quarter of the size. */
static void test_tasks(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    tree_rule rule = {{512, 1024, 4, 160, 0, 8, 128}, 12, 14, 0, 0, 12};
    rugi_ifs_tree tree;
    random_tree(&tree, &rule);
    rugi_ifs_decoding how = {4, 0, 0};
    check(ctx, &tree, &how, 101);
    free_random_tree(&tree);
    rug_context_free(ctx);
}

/* The basis is that of the cosine transform. */
static void test_transform(void **unused)
{
    (void)unused;
    rugi_ifs_frame frame = {64, 64, 4, 160, 1, 8, 128};
    static int32_t out[1024], coefs[1024], basis[1024];
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        int side = RUGI_IFS_SIDE(level);
        for (int v = 0; v < 4; v++)
            for (int u = v == 0; u < 4; u++) {
                memset(coefs, 0, sizeof coefs);
                coefs[v * side + u] = 10; /* 100 grey levels */
                rugi_ifs_leaf leaf = {
                    .level = (uint8_t)level, .n_coefs = 9, .coefs = coefs};
                leaf.mean = 64 * 128 / rugi_ifs_mean_step(&frame, level);
                rugi_ifs_base_of_leaf(out, &frame, &leaf, 0, basis);
                for (int y = 0; y < side; y++)
                    for (int x = 0; x < side; x++) {
                        double scale =
                            2.0 / side * (u ? 1 : sqrt(0.5)) * (v ? 1 : sqrt(0.5));
                        double mean =
                            leaf.mean * rugi_ifs_mean_step(&frame, level) / 64.0;
                        double value =
                            mean + 100 * scale *
                                       cos((2 * x + 1) * u * acos(-1) / (2 * side)) *
                                       cos((2 * y + 1) * v * acos(-1) / (2 * side));
                        assert_true(fabs(out[y * side + x] / 64.0 - value) < 0.02);
                    }
            }
    }
}

/* Without domains and coefficients a plane is its means; a flat one stays flat at any
 * size. */
static void test_flat(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    tree_rule rule = {{64, 64, 4, 160, 1, 8, 128}, 8, 16, 0, 1, 5};
    rugi_ifs_tree tree;
    random_tree(&tree, &rule);
    for (size_t i = 0; i < tree.n_leaves; i++)
        tree.leaves[i].mean =
            64 * 75 / rugi_ifs_mean_step(&tree.frame, tree.leaves[i].level);
    for (unsigned octave = 0; octave <= 2; octave++) {
        size_t n = pixels_of(&tree, octave);
        int32_t *out = malloc(n * sizeof *out);
        rugi_ifs_decoding how = {8, octave, 4};
        assert_int_equal(rugi_ifs_decode_tree(ctx, out, &tree, &how), RUG_OK);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(rugi_ifs_gray(out[i], 8), 75);
        free(out);
    }
    free_random_tree(&tree);
    rug_context_free(ctx);
}

static int cancel_after(void *user)
{
    int *left = user;
    return (*left)-- <= 0;
}

static void test_cancel(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    tree_rule rule = tree_rule_of(0);
    rugi_ifs_tree tree;
    random_tree(&tree, &rule);
    int32_t *out = malloc(pixels_of(&tree, 1) * sizeof *out);
    rugi_ifs_decoding how = {4, 1, 4};
    rug_status status = RUG_E_CANCELLED;
    int n = 0;
    for (; status != RUG_OK && n < 200; n++) {
        int left = n;
        rug_context_set_cancel(ctx, cancel_after, &left);
        status = rugi_ifs_decode_tree(ctx, out, &tree, &how);
        assert_true(status == RUG_OK || status == RUG_E_CANCELLED);
    }
    assert_int_equal(status, RUG_OK);
    assert_true(n > 8);
    free(out);
    free_random_tree(&tree);
    rug_context_free(ctx);
}

static void test_no_memory(void **unused)
{
    (void)unused;
    tree_rule rule = tree_rule_of(0);
    rugi_ifs_tree tree;
    random_tree(&tree, &rule);
    int32_t *out = malloc(pixels_of(&tree, 2) * sizeof *out);
    rugi_ifs_decoding how = {4, 2, 4};
    rug_status status = RUG_E_NOMEM;
    size_t fail_at = 1;
    for (; status != RUG_OK && fail_at < 100; fail_at++) {
        memory m = {.fail_at = fail_at};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        status = rugi_ifs_decode_tree(ctx, out, &tree, &how);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        rug_context_free(ctx);
    }
    assert_true(status == RUG_OK && fail_at > 9);
    free(out);
    free_random_tree(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_naive),     cmocka_unit_test(test_bands),
        cmocka_unit_test(test_octaves),   cmocka_unit_test(test_tasks),
        cmocka_unit_test(test_transform), cmocka_unit_test(test_flat),
        cmocka_unit_test(test_cancel),    cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
