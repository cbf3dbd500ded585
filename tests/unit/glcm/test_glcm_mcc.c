/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The maximal correlation coefficient of counts that no image of a test is large enough for.
 * Of two levels it is the correlation. */

#include "support.h"

#include "glcm/count/glcm_count.h"
#include <math.h>

static double mcc(rugi_glcm_entry *entry, int symmetric)
{
    rug_context *ctx = test_context();
    rugi_glcm_counting c = {.entry = entry, .n_entries = 3};
    rugi_glcm_tile tile = {.n_ranks = 2};
    rugi_glcm_matrix m = {.tile = &tile};
    rugi_glcm_sums sums = {.is_symmetric = symmetric,
                           .pairs = (uint64_t)entry[0].n + entry[1].n + entry[2].n};
    assert_int_equal(rugi_glcm_entry_sums(ctx, &c, &sums, &m), RUG_OK);
    rugi_glcm_counting_free(ctx, &c);
    rug_context_free(ctx);
    return sums.mcc;
}

static void many_pairs(void **state)
{
    (void)state;
    static const uint32_t of_equal[] = {7, 1u << 30, (1u << 31) - 1, 1u << 31,
                                        3800000000};
    for (size_t i = 0; i < sizeof of_equal / sizeof of_equal[0]; i++) {
        double a = of_equal[i], b = 300000000, c = 150000000;
        rugi_glcm_entry entry[] = {
            {0, 0, of_equal[i]}, {1, 0, (uint32_t)b}, {1, 1, (uint32_t)c}};
        /* the matrix (2a b; b 2c) */
        double expected = fabs(4 * a * c - b * b) / ((2 * a + b) * (b + 2 * c));
        assert_true(fabs(mcc(entry, 1) - expected) < 1e-12);
        /* (a 0; b c) */
        expected = a * c / sqrt(a * (b + c) * (a + b) * c);
        assert_true(fabs(mcc(entry, 0) - expected) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
