/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counting and sums, which kernels of co-occurrence do, by themselves at every CPU level
 * against their description, to the last bit. */

#include "support.h"
/* support.h brings cmocka, which these use */
#include "glcm_kernels_support.h"

#define N_CASES TEST_CASES(300)

/* Any t and steps of it that tell each count from the others. Sums fit 63 bits, as those of
 * c ln c do. */
static void make_logs(rugi_glcm_logs *logs, size_t n)
{
    uint64_t seed = 82;
    *logs = (rugi_glcm_logs){n, room(n, sizeof(uint64_t)), room(n, sizeof(uint64_t))};
    for (size_t i = 0; i < n; i++) {
        logs->t[i] = i > 0 ? test_random(&seed) >> 24 : 0;
        logs->step[i] = i > 0 ? test_random(&seed) >> 24 : 0;
    }
}

static void free_logs(rugi_glcm_logs *logs)
{
    free(logs->t);
    free(logs->step);
}

#define SPAN  200
#define N_KEY 500

/* What counting is to give. */
typedef struct counted {
    uint32_t count[N_KEY];
    uint16_t difference[SPAN + RUGI_GLCM_SLACK], sum[2 * SPAN + RUGI_GLCM_SLACK];
    uint64_t squares, diagonal, t;
} counted;

static void count_naively(counted *out, const rugi_glcm_lists *l,
                          const rugi_glcm_logs *logs)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < l->n_pairs; i++) {
        out->t += logs->step[out->count[l->key[i]]++];
        out->difference[l->difference[i]]++;
        out->sum[l->sum[i]]++;
    }
    for (size_t k = 0; k < N_KEY; k++)
        out->squares += (uint64_t)out->count[k] * out->count[k];
    for (size_t i = 0; i < l->n_pairs; i++)
        out->diagonal += l->difference[i] == 0 ? out->count[l->key[i]] : 0;
}

/* Pairs of a key have the same difference, so that those of 0 are whole entries. */
static rugi_glcm_lists random_lists(size_t *room_for, uint64_t *seed, int is_narrow)
{
    size_t n = is_narrow ? test_below(seed, 3000) : test_below(seed, 65536);
    size_t n_keys = is_narrow ? N_KEY : 1 + test_below(seed, N_KEY), seen[N_KEY] = {0};
    rugi_glcm_lists l = new_lists(n);
    *room_for = n;
    while (l.n_pairs < n) {
        uint32_t key = (uint32_t)test_below(seed, n_keys);
        if (is_narrow && seen[key]++ == 254)
            break;
        l.key[l.n_pairs] = key;
        l.difference[l.n_pairs] = (uint16_t)(key * 7 % SPAN);
        l.sum[l.n_pairs++] = (uint16_t)test_below(seed, 2 * SPAN - 1);
    }
    return l;
}

static void count_once(const rugi_glcm_kernels *kernels, const rugi_glcm_lists *l,
                       const rugi_glcm_logs *logs, const counted *expected, int is_narrow,
                       uint64_t *seed)
{
    static uint16_t narrow[N_KEY];
    static uint32_t wide[N_KEY];
    counted got = {{0}, {0}, {0}, 0, 0, 0};
    uint32_t tag = is_narrow ? (uint32_t)(1 + test_below(seed, 255)) << 8
                             : (uint32_t)(1 + test_below(seed, 65535)) << 16;
    for (size_t i = 0; i < N_KEY; i++) { /* of any older tag */
        narrow[i] = is_narrow ? (uint16_t)test_below(seed, tag) : 0;
        wide[i] = (uint32_t)test_below(seed, tag);
    }
    rugi_glcm_counters n = {is_narrow ? (void *)narrow : wide,
                            tag,
                            got.difference,
                            got.sum,
                            logs->step,
                            3,
                            4,
                            5};
    (is_narrow ? kernels->count8 : kernels->count16)(&n, l);
    assert_true(n.squares == 3 + expected->squares);
    assert_true(n.diagonal == 4 + expected->diagonal);
    assert_true(n.t == 5 + expected->t);
    assert_memory_equal(got.difference, expected->difference, sizeof got.difference);
    assert_memory_equal(got.sum, expected->sum, sizeof got.sum);
    for (size_t k = 0; k < N_KEY; k++) {
        uint32_t counter = is_narrow ? narrow[k] : wide[k];
        assert_true(expected->count[k] > 0 ? counter == tag + expected->count[k]
                                           : counter < tag);
    }
}

static void counts(void **state)
{
    (void)state;
    static counted expected;
    rug_context *ctx = test_context();
    rugi_glcm_logs logs;
    make_logs(&logs, 65536);
    uint64_t seed = 83;
    for (int k = 0; k < N_CASES / 4; k++)
        for (int is_narrow = 0; is_narrow < 2; is_narrow++) {
            size_t n;
            rugi_glcm_lists l = random_lists(&n, &seed, is_narrow);
            count_naively(&expected, &l, &logs);
            for (int level = 0; level < n_kernels(ctx); level++) {
                rugi_glcm_kernels kernels = kernels_of(level);
                count_once(&kernels, &l, &logs, &expected, is_narrow, &seed);
            }
            free_lists(&l, n);
        }
    free_logs(&logs);
    rug_context_free(ctx);
}

/* Counts of which most are small, some are not, and one may be as large as they get. */
static uint32_t random_count(uint64_t *seed, uint32_t *left)
{
    static const uint32_t bounds[] = {1, 2, 15, 16, 17, 31, 32, 33, 500, 65536};
    uint32_t n = (uint32_t)test_below(seed, bounds[test_below(seed, 10)] + 1);
    n = n < *left ? n : *left;
    *left -= n;
    return n;
}

/* By the rule of lanes. */
static double naive_closeness(const uint16_t *c, size_t n, const double *weight)
{
    volatile double lane[RUGI_GLCM_LANES] = {0};
    double plain[RUGI_GLCM_LANES];
    for (size_t k = 0; k < n; k++) {
        volatile double product = (double)c[k] * weight[k];
        lane[k % RUGI_GLCM_LANES] += product;
    }
    for (size_t i = 0; i < RUGI_GLCM_LANES; i++)
        plain[i] = lane[i];
    return rugi_glcm_fold(plain);
}

static void histograms(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rugi_glcm_logs logs;
    make_logs(&logs, 131072);
    uint64_t seed = 84;
    for (int k = 0; k < N_CASES; k++) {
        size_t n = k % 50 == 0 ? 65536 : 1 + test_below(&seed, 700);
        size_t whole = n + RUGI_GLCM_SLACK;
        uint16_t *c = room(whole, sizeof *c);
        double *weight = room(whole, sizeof *weight);
        rugi_glcm_moments expected = {0};
        uint32_t left = 65535;
        memset(c, 0, whole * sizeof *c);
        for (size_t i = 0; i < whole; i++)
            weight[i] = i < n ? 1 / (1 + (double)i * (double)i) : 0;
        size_t first = k % 3 == 0 ? n - 1 : 0; /* a single large count at the end */
        for (size_t i = first; i < n; i++) {
            uint64_t v = c[i] = (uint16_t)(first > 0 ? left : random_count(&seed, &left));
            expected.t += logs.t[v];
            expected.first += i * v;
            expected.second += i * i * v;
        }
        expected.closeness = naive_closeness(c, n, weight);
        for (int level = 0; level < n_kernels(ctx); level++) {
            rugi_glcm_moments got;
            rugi_glcm_kernels kernels = kernels_of(level);
            kernels.differences(&got, c, n, weight, &logs);
            assert_memory_equal(&got, &expected, sizeof got);
            assert_true(kernels.sums(c, n, &logs) == expected.t);
        }
        free(c);
        free(weight);
    }
    free_logs(&logs);
    rug_context_free(ctx);
}

static void marginals(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rugi_glcm_logs logs;
    make_logs(&logs, 131072);
    uint64_t seed = 85;
    for (int k = 0; k < N_CASES; k++) {
        size_t n = 1 + test_below(&seed, 700), whole = n + RUGI_GLCM_SLACK;
        uint32_t *c = room(whole, sizeof *c), left = 131071;
        uint16_t *level_of = room(whole, sizeof *level_of);
        rugi_glcm_moments expected = {0};
        memset(c, 0, whole * sizeof *c);
        memset(level_of, 0, whole * sizeof *level_of);
        for (size_t i = 0; i < n; i++) {
            uint64_t v = c[i] =
                k % 3 == 0 && i == 0 ? 131071 : random_count(&seed, &left);
            left = k % 3 == 0 ? 0 : left;
            uint64_t level = level_of[i] = random_level(&seed, 65536);
            expected.t += logs.t[v];
            expected.first += level * v;
            expected.second += level * level * v;
        }
        for (int level = 0; level < n_kernels(ctx); level++) {
            rugi_glcm_moments got;
            kernels_of(level).marginal(&got, c, level_of, n, &logs);
            assert_true(got.t == expected.t && got.first == expected.first &&
                        got.second == expected.second);
        }
        free(c);
        free(level_of);
    }
    free_logs(&logs);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts),
                                       cmocka_unit_test(histograms),
                                       cmocka_unit_test(marginals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
