/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Logarithms in whole numbers: against known digits, each other, and those of the library of C. */

#include "glcm/plan/glcm_plan.h"
#include "support.h"
#include <math.h>
#include <stdlib.h>

static rugi_glcm_u128 difference(rugi_glcm_u128 a, rugi_glcm_u128 b)
{
    return a > b ? a - b : b - a;
}

/* Digits of ln 3 and ln 10, times 2^100. */
static void knows_digits(void **state)
{
    (void)state;
    const rugi_glcm_u128 ln_3 = (rugi_glcm_u128)0x1193ea7aad << 64 | 0x030a976a4198d550;
    const rugi_glcm_u128 ln_10 = (rugi_glcm_u128)0x24d763776a << 64 | 0xaa2b05ba95b58ae1;
    assert_true(difference(rugi_glcm_ln(3), ln_3) < 1 << 10);
    assert_true(difference(rugi_glcm_ln(10), ln_10) < 1 << 10);
    assert_true(rugi_glcm_ln(0) == 0 && rugi_glcm_ln(1) == 0);
}

static void adds_up(void **state)
{
    (void)state;
    for (uint64_t a = 2; a < (uint64_t)1 << 30; a = a * 3 + 1)
        assert_true(difference(rugi_glcm_ln(a * 77777),
                               rugi_glcm_ln(a) + rugi_glcm_ln(77777)) < 1 << 10);
}

/* The table is made of neighbours, the others by a series: both are to the nearest unit. */
static void table_is_that_of_single_ones(void **state)
{
    (void)state;
    rug_context *ctx;
    rugi_glcm_logs logs;
    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    assert_int_equal(rugi_glcm_make_logs(ctx, &logs, UINT64_MAX), RUG_OK);
    assert_true(logs.n > 65536);
    for (uint64_t c = 0; c < logs.n; c++) {
        assert_true(logs.t[c] == rugi_glcm_t_far(c));
        double t = c < 2 ? 0 : (double)c * log((double)c);
        assert_true(fabs(ldexp((double)logs.t[c], -RUGI_GLCM_T_BITS) - t) <=
                    1e-15 * t + 1e-12);
    }
    rug_context_release(ctx, logs.t);
    rug_context_release(ctx, logs.step);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(knows_digits),
                                       cmocka_unit_test(adds_up),
                                       cmocka_unit_test(table_is_that_of_single_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
