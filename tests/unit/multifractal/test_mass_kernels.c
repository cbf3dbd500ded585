/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lists of box masses: what waits is sorted in, however often and by whichever way, and
 * lists add up. The kernel of the moments: its exponential against that of long double,
 * and equal sums at every CPU level. */

#include "support.h"

#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "core/points/radix_sort.h"
#include "multifractal/masses/masses_state.h" /* src/methods */
#include "multifractal/moments/moments_kernels.h"
#include "watch_support.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 3000

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Fails when the list is not that of the masses. */
static void assert_list(const rugi_mass_list *list, const uint64_t *masses, size_t n)
{
    uint64_t sorted[2 * N];
    size_t i = 0, n_set = 0;
    memcpy(sorted, masses, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare);
    while (i < n && sorted[i] == 0)
        i++;
    n_set = n - i;
    for (size_t k = 0; k < list->n; k++) {
        assert_true(list->boxes[k].boxes > 0);
        assert_true(k == 0 || list->boxes[k - 1].mass < list->boxes[k].mass);
        for (uint64_t b = 0; b < list->boxes[k].boxes; b++, i++)
            assert_true(i < n && sorted[i] == list->boxes[k].mass);
    }
    assert_int_equal(i, n);
    assert_int_equal(rugi_mass_list_boxes(list), n_set);
}

/* Puts masses on a list, some at a time. */
static void put(rug_context *ctx, rugi_mass_list *list, const uint64_t *masses, size_t n,
                size_t step, int sorts)
{
    for (size_t i = 0; i < n; i += step) {
        size_t m = n - i < step ? n - i : step;
        assert_int_equal(rugi_mass_list_reserve(ctx, list, m), RUG_OK);
        memcpy(rugi_mass_list_take(list, m), masses + i, m * sizeof *masses);
        if (sorts)
            assert_int_equal(rugi_mass_list_sort(ctx, list), RUG_OK);
    }
}

/* Masses of up to 2^bits, of which some come often; few bits are counted, many sorted. */
static void random_masses(void **state)
{
    (void)state;
    static const unsigned bits[] = {0, 1, 4, 12, 20, 40, 63};
    static const size_t steps[] = {N, 701, 64, 1};
    uint64_t rng = 7, masses[2 * N];
    for (size_t b = 0; b < 7; b++)
        for (size_t s = 0; s < 4; s++) {
            rug_context *ctx = test_context();
            rugi_mass_list list = {0}, other = {0};
            for (size_t i = 0; i < 2 * N; i++)
                masses[i] = i > 0 && test_below(&rng, 3) == 0
                                ? masses[test_below(&rng, i)]
                                : test_random(&rng) & (((uint64_t)1 << bits[b]) - 1);
            put(ctx, &list, masses, N, steps[s], s != 2);
            put(ctx, &other, masses + N, N - 10, 500, 1);
            put(ctx, &other, masses + 2 * N - 10, 10, 10, 0); /* these wait */
            assert_int_equal(rugi_mass_list_sort(ctx, &list), RUG_OK);
            assert_list(&list, masses, N);
            assert_int_equal(rugi_mass_list_add(ctx, &list, &other), RUG_OK);
            assert_int_equal(rugi_mass_list_sort(ctx, &list), RUG_OK);
            assert_list(&list, masses, 2 * N);
            rugi_mass_list_free(ctx, &list);
            rugi_mass_list_free(ctx, &other);
            rug_context_free(ctx);
        }
}

/* More than wait at once: 9 million masses in parts. */
static void many_masses(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rugi_mass_list list = {0};
    size_t step = (size_t)1 << 20, n = 9 * step;
    for (size_t first = 0; first < n; first += step) {
        assert_int_equal(rugi_mass_list_reserve(ctx, &list, step), RUG_OK);
        uint64_t *to = rugi_mass_list_take(&list, step);
        for (size_t i = 0; i < step; i++)
            to[i] = (first + i) % 1000;
    }
    assert_int_equal(list.n, 999); /* those that came first are sorted in */
    assert_true(list.n_waiting < n);
    assert_int_equal(rugi_mass_list_boxes(&list), n - (n - 1) / 1000 - 1);
    assert_int_equal(rugi_mass_list_sort(ctx, &list), RUG_OK);
    assert_int_equal(list.n, 999);
    for (size_t k = 0; k < 999; k++) {
        assert_int_equal(list.boxes[k].mass, k + 1);
        assert_int_equal(list.boxes[k].boxes, n / 1000 + (k + 1 < n % 1000));
    }
    rugi_mass_list_free(ctx, &list);
    rug_context_free(ctx);
}

/* ---- The kernel of the moments ---- */

#define N_VALUES 64

typedef struct values {
    _Alignas(64) double log_p[N_VALUES];
    _Alignas(64) double boxes[N_VALUES];
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
        for (size_t k = 0; k < N_VALUES; k++) {
            v.log_p[k] = -(double)test_below(&rng, 1u << 30) * 0x1p-25;
            v.boxes[k] = (double)test_below(&rng, 1000);
            most = fmax(most, q * v.log_p[k]);
        }
        double reference = q != 0 ? most / q : 0;
        size_t n =
            RUGI_MOMENT_LANES * (1 + test_below(&rng, N_VALUES / RUGI_MOMENT_LANES));
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

/* Masses to be looked at a few times, all different, and so many that `spread` times as many are
 * possible. */
static rugi_mass_list long_list(rug_context *ctx, size_t n, uint64_t spread)
{
    rugi_mass_list list = {0};
    assert_int_equal(rugi_mass_list_reserve(ctx, &list, n), RUG_OK);
    uint64_t *masses = rugi_mass_list_take(&list, n);
    for (size_t i = 0; i < n; i++)
        masses[i] = (i + 1) * spread;
    return list;
}

/* A long list is looked at in each of its steps: how often goes by its length. */
static void long_lists_can_be_stopped(void **state)
{
    (void)state;
    const size_t n = 3 * RUGI_LOOK_ITEMS;
    rug_context *ctx = test_context();
    countdown all = {.left = 1 << 30};
    rug_context_set_threads(ctx, 1);
    rug_context_set_cancel(ctx, stop_at, &all);
    rugi_mass_list list = long_list(ctx, n, 1), again = long_list(ctx, n, 1);
    assert_int_equal(rugi_mass_list_sort(ctx, &list), RUG_OK);
    assert_in_range(all.n_calls, 4 * 3, 5 * 3); /* cleared, filled, read twice */
    assert_int_equal(rugi_mass_list_sort(ctx, &again), RUG_OK);
    all.n_calls = 0;
    assert_int_equal(rugi_mass_list_add(ctx, &list, &again), RUG_OK);
    assert_int_equal(all.n_calls, 3);
    assert_int_equal(list.n, n);
    for (int left = 0; left < 12; left += 11) {
        rugi_mass_list stopped = long_list(ctx, n, 1);
        countdown some = {.left = left};
        rug_context_set_cancel(ctx, stop_at, &some);
        assert_int_equal(rugi_mass_list_sort(ctx, &stopped), RUG_E_CANCELLED);
        rugi_mass_list_free(ctx, &stopped);
    }
    rugi_mass_list_free(ctx, &list);
    rugi_mass_list_free(ctx, &again);
    rug_context_free(ctx);
}

/* The same where masses are sorted: the sort has looks of its own. */
static void sorted_lists_can_be_stopped(void **state)
{
    (void)state;
    const size_t n = 2 * RUGI_LOOK_ITEMS;
    rug_context *ctx = test_context();
    countdown sorting = {.left = 1 << 30}, all = sorting;
    rug_context_set_threads(ctx, 1);
    rugi_mass_list list = long_list(ctx, n, 1000), same = long_list(ctx, n, 1000);
    uint64_t *scratch = malloc(n * sizeof *scratch);
    assert_non_null(scratch);
    rug_context_set_cancel(ctx, stop_at, &sorting);
    assert_int_equal(rugi_sort_u64(ctx, same.waiting, scratch, n, 31, NULL), RUG_OK);
    rug_context_set_cancel(ctx, stop_at, &all);
    assert_int_equal(rugi_mass_list_sort(ctx, &list), RUG_OK);
    assert_int_equal(all.n_calls, sorting.n_calls + 3 * 2); /* copied, counted, paired */
    free(scratch);
    rugi_mass_list_free(ctx, &list);
    rugi_mass_list_free(ctx, &same);
    rug_context_free(ctx);
}

/* A list that was stopped as it was sorted holds what it held. */
static void stopped_lists_are_kept(void **state)
{
    (void)state;
    const size_t n = 100003; /* a prime: all masses are different */
    rug_status status = RUG_E_CANCELLED;
    rug_context *ctx = test_context();
    int n_stops = 0;
    rug_context_set_threads(ctx, 1);
    for (; status == RUG_E_CANCELLED; n_stops++) {
        rugi_mass_list list = long_list(ctx, n, 1000);
        countdown some = {.left = n_stops};
        for (size_t i = 0; i < n; i++)
            list.waiting[i] = (i * 7919 % n + 1) * 1000;
        rug_context_set_cancel(ctx, stop_at, &some);
        status = rugi_mass_list_sort(ctx, &list);
        rug_context_set_cancel(ctx, NULL, NULL);
        assert_int_equal(rugi_mass_list_sort(ctx, &list), RUG_OK);
        assert_int_equal(list.n, n);
        for (size_t i = 0; i < n; i++)
            if (list.boxes[i].mass != (i + 1) * 1000 || list.boxes[i].boxes != 1)
                fail_msg("stop %d, mass %zu", n_stops, i);
        rugi_mass_list_free(ctx, &list);
    }
    assert_int_equal(status, RUG_OK);
    assert_true(n_stops > 5);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_masses),
        cmocka_unit_test(many_masses),
        cmocka_unit_test(long_lists_can_be_stopped),
        cmocka_unit_test(sorted_lists_can_be_stopped),
        cmocka_unit_test(stopped_lists_are_kept),
        cmocka_unit_test(exponential),
        cmocka_unit_test(equal_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
