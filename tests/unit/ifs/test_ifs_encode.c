/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parts of the encoder of fractal coding against their definitions. */

#include "support.h"

#include "ifs/decode/ifs_decode.h"
#include "ifs/encode/ifs_encode.h"
#include "ifs_stream_support.h"
#include <math.h>

static rugi_ifs_tables tables;

/* Small numbers about 0 and sometimes large ones. */
static float some_value(uint64_t *rng)
{
    float v = (float)test_below(rng, 2001) / 100 - 10;
    return test_below(rng, 8) == 0 ? 8 * v : v;
}

static void random_block_of(float *out, size_t n, uint64_t *rng)
{
    for (size_t i = 0; i < n; i++)
        out[i] = some_value(rng);
}

static double naive_coef(const float *in, size_t side, size_t v, size_t u)
{
    double sum = 0, pi = acos(-1), n = (double)side;
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++)
            sum += (double)in[y * side + x] *
                   cos((2 * (double)x + 1) * (double)u * pi / (2 * n)) *
                   cos((2 * (double)y + 1) * (double)v * pi / (2 * n));
    return sum * sqrt((u == 0 ? 1 : 2) / n) * sqrt((v == 0 ? 1 : 2) / n);
}

static void transform_by_definition(void **state)
{
    (void)state;
    uint64_t rng = 3;
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        size_t side = rugi_ifs_side(level);
        float in[RUGI_IFS_PIXELS], out[RUGI_IFS_PIXELS];
        random_block_of(in, side * side, &rng);
        tables.kernels.forward(out, in, &tables.cosines, level);
        for (size_t v = 0; v < side; v++)
            for (size_t u = 0; u < side; u++)
                assert_true(fabs((double)out[v * side + u] - naive_coef(in, side, v, u)) <
                            1e-3);
    }
}

/* Turning a block and its coefficients is the same. */
static void mapped_coefficients(void **state)
{
    (void)state;
    uint64_t rng = 4;
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++)
        for (unsigned g = 0; g < RUGI_IFS_ISOMETRIES; g++) {
            size_t side = rugi_ifs_side(level), n = side * side;
            float in[RUGI_IFS_PIXELS], mapped[RUGI_IFS_PIXELS], a[RUGI_IFS_PIXELS],
                b[RUGI_IFS_PIXELS];
            random_block_of(in, n, &rng);
            for (size_t i = 0; i < n; i++)
                mapped[i] = in[rugi_ifs_isometry_place(g, side, i / side, i % side)];
            tables.kernels.forward(a, mapped, &tables.cosines, level);
            tables.kernels.forward(mapped, in, &tables.cosines, level);
            rugi_ifs_map_coefs(b, mapped, g, side);
            for (size_t i = 0; i < n; i++)
                assert_true(fabsf(a[i] - b[i]) < 1e-3f);
        }
}

/* A level's kernels on one block of a level of the tree. */
static void compare_kernels(const rugi_ifs_forward_kernels *ref,
                            const rugi_ifs_forward_kernels *fast, unsigned level,
                            uint64_t *rng)
{
    static int16_t ranges[RUGI_IFS_ISOMETRIES * RUGI_IFS_PIXELS], domain[RUGI_IFS_PIXELS];
    size_t n = (size_t)rugi_ifs_side(level) * rugi_ifs_side(level);
    float r[RUGI_IFS_PIXELS], e[RUGI_IFS_PIXELS], a[RUGI_IFS_PIXELS], b[RUGI_IFS_PIXELS];
    int32_t c[RUGI_IFS_ISOMETRIES], d[RUGI_IFS_ISOMETRIES];
    random_block_of(r, n, rng);
    random_block_of(e, n, rng);
    ref->forward(a, r, &tables.cosines, level);
    fast->forward(b, r, &tables.cosines, level);
    assert_memory_equal(a, b, n * sizeof *a);
    assert_int_equal(ref->residual(a, r, e, 0.375f, 9, n),
                     fast->residual(b, r, e, 0.375f, 9, n));
    assert_memory_equal(a, b, n * sizeof *a);
    for (size_t i = 0; i < RUGI_IFS_ISOMETRIES * n; i++)
        ranges[i] = (int16_t)(level == 0 ? 1023 : test_below(rng, 1024));
    for (size_t i = 0; i < n; i++)
        domain[i] = (int16_t)(level == 0 ? 1023 : test_below(rng, 1024));
    ref->cross(c, ranges, domain, n);
    fast->cross(d, ranges, domain, n);
    assert_memory_equal(c, d, sizeof c);
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (int64_t)ranges[3 * n + i] * domain[i];
    assert_true(sum == c[3]);
}

static void kernels_of_levels_agree(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rugi_ifs_forward_kernels ref, fast;
    uint64_t rng = 5;
    rugi_ifs_set_forward_kernels(&ref, RUG_CPU_REF);
    for (rug_cpu_level cpu = RUG_CPU_REF; cpu <= rug_context_cpu_level(ctx); cpu++) {
        rugi_ifs_set_forward_kernels(&fast, cpu);
        for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++)
            compare_kernels(&ref, &fast, level, &rng);
    }
    rug_context_free(ctx);
}

/* A quantiser and what it writes to. */
typedef struct bench {
    rugi_ifs_quantiser q;
    rugi_ifs_prices prices[RUGI_IFS_LEVELS];
    uint8_t magnitudes[RUGI_IFS_BORDERED * RUGI_IFS_BORDERED];
    uint16_t set[RUGI_IFS_PIXELS];
    rugi_ifs_model *model;
    rugi_ifs_around around;
} bench;

/* D + lambda R of a leaf, R as the coder itself says. */
static double cost_of(bench *b, rugi_ifs_leaf *leaf, const float *x)
{
    size_t n = (size_t)rugi_ifs_side(leaf->level) * rugi_ifs_side(leaf->level);
    rugi_ifs_coder coder;
    rugi_ifs_price_begin(&coder);
    rugi_ifs_code_coefs(&coder, b->model, &b->around, leaf);
    double cost = b->q.lambda * (double)coder.price;
    for (size_t i = 1; i < n; i++) {
        double d = (double)x[i];
        if (leaf->n_coefs > 0)
            d -= (double)b->q.delta * leaf->coefs[rugi_ifs_zigzag(leaf->level)[i]];
        cost += d * d;
    }
    return cost;
}

static void round_all(const bench *b, rugi_ifs_leaf *leaf, const float *x, size_t n)
{
    leaf->n_coefs = 0;
    memset(leaf->coefs, 0, n * sizeof *leaf->coefs);
    for (size_t i = 1; i < n; i++) {
        int32_t q = (int32_t)floor((double)x[i] / (double)b->q.delta + 0.5);
        leaf->coefs[rugi_ifs_zigzag(leaf->level)[i]] = q;
        leaf->n_coefs = (uint16_t)(q != 0 ? i : leaf->n_coefs);
    }
}

static void check_block(bench *b, unsigned level, uint64_t *rng)
{
    size_t n = (size_t)rugi_ifs_side(level) * rugi_ifs_side(level), set = 0;
    static int32_t coefs[RUGI_IFS_PIXELS], rounded[RUGI_IFS_PIXELS];
    static float x[RUGI_IFS_PIXELS];
    rugi_ifs_leaf leaf = {.level = (uint8_t)level, .coefs = coefs};
    rugi_ifs_leaf plain = {.level = (uint8_t)level, .coefs = rounded}, none = plain;
    for (size_t i = 0; i < n; i++)
        x[i] = some_value(rng) * 12 / (float)(1 + i / 4);
    double error =
        rugi_ifs_quantise(&b->q, &leaf, &b->prices[level], b->around.coded, x, n);
    double cost = cost_of(b, &leaf, x);
    round_all(b, &plain, x, n);
    assert_true(cost <= cost_of(b, &plain, x) * (1 + 1e-12));
    assert_true(cost <= cost_of(b, &none, x) * (1 + 1e-12));
    rugi_ifs_coder coder;
    rugi_ifs_price_begin(&coder);
    rugi_ifs_code_coefs(&coder, b->model, &b->around, &leaf);
    assert_true(fabs(cost - b->q.lambda * (double)coder.price - error) < 1e-6 * cost);
    for (size_t i = 1; i < n && leaf.n_coefs > 0; i++)
        if (coefs[rugi_ifs_zigzag(level)[i]] != 0)
            set = i;
    assert_int_equal(set, leaf.n_coefs);
    for (size_t i = 0; i < sizeof b->magnitudes; i++)
        assert_int_equal(b->magnitudes[i], 0);
}

/* What is chosen costs no more than rounding, or nothing at all, and is what it says. */
static void quantiser_pays(void **state)
{
    (void)state;
    static bench b;
    rug_context *ctx = test_context();
    b.model = rugi_ifs_model_new(ctx);
    assert_non_null(b.model);
    uint64_t rng = 6;
    b.q = (rugi_ifs_quantiser){.delta = 5,
                               .lambda = 0.1 * 25 / 65536,
                               .scan = &tables.scan,
                               .magnitudes = b.magnitudes,
                               .set = b.set};
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++)
        rugi_ifs_prices_make(&b.prices[level], b.model, level);
    for (int i = 0; i < 60; i++)
        for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++)
            check_block(&b, level, &rng);
    rugi_ifs_model_free(ctx, b.model);
    rug_context_free(ctx);
}

/* Trees as no encoder would choose them: where they converge, as many iterations as
 * they say are as good as all; where they do not, blocks get less of their domain. */
static void convergence(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    for (uint64_t seed = 1; seed <= 30; seed++) {
        tree_rule rule = {{96, 64, 4, 160, 1, 8, 128}, 8, 16, 8, 3, seed};
        rugi_ifs_tree tree;
        int8_t caps[24 * 16];
        int32_t a[96 * 64], b[96 * 64];
        random_tree(&tree, &rule);
        for (size_t i = 0; i < 24 * 16; i++)
            caps[i] = RUGI_IFS_K_MAX;
        rugi_ifs_convergence s = {.k_caps = caps};
        assert_int_equal(rugi_ifs_converge(ctx, &s, &tree), RUG_OK);
        size_t lowered = 0;
        for (size_t i = 0; i < 24 * 16; i++)
            lowered += caps[i] < RUGI_IFS_K_MAX;
        assert_true((lowered > 0) == (s.n_moving > 0));
        rugi_ifs_decoding few = {.iterations = s.iterations}, many = {.iterations = 64};
        assert_int_equal(rugi_ifs_decode_tree(ctx, a, &tree, &few), RUG_OK);
        assert_int_equal(rugi_ifs_decode_tree(ctx, b, &tree, &many), RUG_OK);
        for (size_t i = 0; i < 96 * 64 && s.n_moving == 0; i++)
            assert_in_range(a[i] - b[i] + 64, 0, 128);
        free_random_tree(&tree);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transform_by_definition),
        cmocka_unit_test(mapped_coefficients),
        cmocka_unit_test(kernels_of_levels_agree),
        cmocka_unit_test(quantiser_pays),
        cmocka_unit_test(convergence),
    };
    rug_context *ctx = test_context();
    assert_non_null(ctx);
    rugi_ifs_tables_make(ctx, &tables);
    rug_context_free(ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
