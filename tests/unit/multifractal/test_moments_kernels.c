/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of the moments: their exponential against that of long double, and equal sums
 * at every CPU level. */

#include "support.h"

#include "multifractal/moments/moments_kernels.h" /* src/methods/multifractal */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 64

typedef struct values {
    _Alignas(64) double log_p[N];
    _Alignas(64) double boxes[N];
} values;

static rug_cpu_level highest(void)
{
    rug_context *ctx = test_context();
    rug_cpu_level level = rug_context_cpu_level(ctx);
    rug_context_free(ctx);
    return level;
}

static rugi_moment_fn kernel_of(int level)
{
    rugi_moment_fn kernel;
    rugi_moments_set_kernel(&kernel, (rug_cpu_level)level);
    return kernel;
}

/* e^x of one mass, all others without boxes. */
static double exp_by(rugi_moment_fn kernel, double x)
{
    values v = {.log_p = {x}, .boxes = {1}};
    return kernel(v.log_p, v.boxes, RUGI_MOMENT_LANES, 1, 0).w;
}

static void exponential(void **state)
{
    (void)state;
    uint64_t rng = 271828;
    double worst = 0;
    for (int level = 0; level <= (int)highest(); level++) {
        rugi_moment_fn kernel = kernel_of(level);
        for (int i = 0; i < 20000; i++) {
            double x = -ldexp((double)(test_random(&rng) >> 11), -44 - i % 20);
            if (x < -708)
                continue;
            double error = fabs((double)((exp_by(kernel, x) - expl(x)) / expl(x)));
            worst = error > worst ? error : worst;
        }
        assert_true(exp_by(kernel, 0) == 1);
        assert_true(exp_by(kernel, -708) > 0);
        assert_true(exp_by(kernel, -708.5) == 0);
        assert_true(exp_by(kernel, -45000) == 0);
    }
    printf("largest error %.3g\n", worst);
    assert_true(worst < 2.3e-16);
}

static void equal_sums(void **state)
{
    (void)state;
    uint64_t rng = 314159;
    values v;
    for (int i = 0; i < 2000; i++) {
        double q = (double)test_below(&rng, 4000) / 100 - 20, most = -1e30;
        for (size_t k = 0; k < N; k++) {
            v.log_p[k] = -(double)test_below(&rng, 1u << 30) * 0x1p-25;
            v.boxes[k] = (double)test_below(&rng, 1000);
            most = fmax(most, q * v.log_p[k]);
        }
        double reference = q != 0 ? most / q : 0;
        size_t n = RUGI_MOMENT_LANES * (1 + test_below(&rng, N / RUGI_MOMENT_LANES));
        rugi_moment_sums first =
            kernel_of(RUG_CPU_REF)(v.log_p, v.boxes, n, q, reference);
        long double w = 0, w_u = 0;
        for (size_t k = 0; k < n; k++) {
            long double u = (long double)v.log_p[k] - reference;
            w += v.boxes[k] * expl(q * u);
            w_u += v.boxes[k] * expl(q * u) * u;
        }
        assert_true(fabs((double)(first.w - w)) <= 1e-13 * fabs((double)w));
        assert_true(fabs((double)(first.w_u - w_u)) <= 1e-12 * (fabs((double)w_u) + 1));
        for (int level = 1; level <= (int)highest(); level++) {
            rugi_moment_sums s = kernel_of(level)(v.log_p, v.boxes, n, q, reference);
            assert_memory_equal(&s, &first, sizeof s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponential),
        cmocka_unit_test(equal_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
