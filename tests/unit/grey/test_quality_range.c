/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* SSIM stays within -1 and 1 where rounding is all that is left of a variance. */

#include "support.h"

#include <rugose/quality.h>

enum { NY = 11, NX = 40 };

static void large_values_and_a_small_peak(void **state)
{
    (void)state;
    static double a[NY * NX], b[NY * NX];
    const size_t shape[2] = {NY, NX};
    uint64_t rng = 1;
    rug_image p, q;
    rug_quality_result r;
    rug_context *ctx = test_context();
    const rug_quality_options o = {sizeof o, 1e-6};
    assert_int_equal(rug_image_view(ctx, &p, a, RUG_F64, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &q, b, RUG_F64, 2, shape), RUG_OK);
    for (int k = 0; k < 20; k++) {
        for (size_t i = 0; i < NY * NX; i++) {
            a[i] = i % NX < 12 ? 0 : 1e9;
            b[i] = a[i] + (double)(test_random(&rng) % 3);
        }
        assert_int_equal(rug_quality(ctx, &r, &p, &q, 1, &o), RUG_OK);
        assert_true(r.ssim >= -1 && r.ssim <= 1);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_values_and_a_small_peak)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
