/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The call of a box count of points: bad arguments, failing memory, progress and
 * cancelling. */

#include "support.h"

#include "box_points_support.h"
#include "boxcount_support.h"
#include "memory_support.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rug_boxcount_points_options defaults = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;

static void refused(rug_context *ctx, const rug_points *p,
                    const rug_boxcount_points_options *opts, const char *text)
{
    test_counts out;
    rug_context_fail(ctx, RUG_E_IO, "-");
    if (test_boxcount_points(ctx, &out, p, opts) != RUG_E_ARG)
        fail_msg("%s: not refused", text);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static void bad_points(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static float cells[64];
    const rug_points good = points_view(cells, RUG_F32, 20, 3);
    rug_points bad = good;
    refused(ctx, NULL, NULL, "NULL");
    bad.data = NULL;
    refused(ctx, &bad, NULL, "NULL");
    for (int d = -1; d <= RUG_N_DTYPES; d++)
        if (d <= 0 || d == RUG_N_DTYPES) {
            bad = good;
            bad.dtype = (rug_dtype)d;
            refused(ctx, &bad, NULL, "dtype");
        }
    for (int axes = -1; axes <= 11; axes += axes == 0 ? 11 : 1) {
        bad = good;
        bad.ndim = axes;
        refused(ctx, &bad, NULL, "axes");
    }
    bad = good;
    bad.n = UINT64_MAX;
    refused(ctx, &bad, NULL, "address");
    bad = good;
    bad.stride[0] = PTRDIFF_MIN;
    refused(ctx, &bad, NULL, "address");
    bad = good;
    bad.stride[1] = PTRDIFF_MAX;
    refused(ctx, &bad, NULL, "address");
    static const float odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        cells[3 * 17 + 2] = odd[i];
        cells[3 * 19] = odd[i];
        refused(ctx, &good, NULL, "point 17 has");
        refused(ctx, &good, NULL, "coordinate 2");
    }
    test_counts out;
    assert_int_equal(rug_boxcount_points(ctx, NULL, &good, NULL), RUG_E_ARG);
    assert_int_equal(test_boxcount_points(NULL, &out, &good, NULL), RUG_E_ARG);
    rug_context_free(ctx);
}

/* The first of many bad points, whichever thread sees it. */
static void first_bad_point(void **state)
{
    (void)state;
    enum { N = 300000 };
    double *points = calloc(N, sizeof *points);
    assert_non_null(points);
    for (int i = 123456; i < N; i += 1000)
        points[i] = NAN;
    rug_context *ctx = test_context();
    rug_points p = points_view(points, RUG_F64, N, 1);
    for (int threads = 1; threads <= 4; threads++) {
        assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
        refused(ctx, &p, NULL, "point 123456 has nan as coordinate 0");
    }
    rug_context_free(ctx);
    free(points);
}

static void bad_options(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const double cells[] = {0, 0, 0, 0.5, 1e9, 1e9, 1, 2, 3, 4, 5, 6};
    rug_points p = points_view(cells, RUG_F64, 4, 3);
    rug_boxcount_points_options bad = defaults;
    bad.struct_size = 0;
    refused(ctx, &p, &bad, "rug_boxcount_points_options");
    static const double spacings[] = {-1, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        bad = defaults;
        bad.spacing = spacings[i];
        refused(ctx, &p, &bad, "spacing");
    }
    bad = defaults;
    bad.spacing = 1e-300;
    refused(ctx, &p, &bad, "spacing");
    bad.spacing = 1e-12;
    refused(ctx, &p, &bad, "64 bits");
    bad.spacing = 0.5;
    bad.resolution = 7;
    refused(ctx, &p, &bad, "both");
    bad = defaults;
    bad.resolution = RUG_BOXCOUNT_SIZE_MAX + 1;
    refused(ctx, &p, &bad, "resolution");
    bad.resolution = RUG_BOXCOUNT_SIZE_MAX;
    refused(ctx, &p, &bad, "bits together");
    bad = defaults;
    bad.grid = (rug_boxcount_grid)3;
    refused(ctx, &p, &bad, "grid 3");
    bad = defaults;
    bad.method = (rug_boxcount_method)4;
    refused(ctx, &p, &bad, "method 4");
    bad.method = RUG_BOXCOUNT_PYRAMID;
    refused(ctx, &p, &bad, "hou");
    bad.method = RUG_BOXCOUNT_WINDOW;
    refused(ctx, &p, &bad, "hou");
    bad.method = RUG_BOXCOUNT_HOU;
    bad.grid = RUG_BOXCOUNT_GRID_MIN;
    refused(ctx, &p, &bad, "window");
    bad.method = RUG_BOXCOUNT_AUTO;
    bad.spacing = 1;
    refused(ctx, &p, &bad, "5x1000000001x1000000001");
    p.ndim = 1;
    refused(ctx, &p, &bad, "1 axes");
    p.ndim = 3;
    bad = defaults;
    bad.n_sizes = 1;
    refused(ctx, &p, &bad, "box sizes");
    static const uint64_t sizes[RUG_BOXCOUNT_MAX_SIZES + 1] = {1, 2, 2};
    bad.sizes = sizes;
    bad.n_sizes = 0;
    refused(ctx, &p, &bad, "box sizes");
    bad.n_sizes = 3;
    refused(ctx, &p, &bad, "box size 2 after 2");
    bad.n_sizes = RUG_BOXCOUNT_MAX_SIZES + 1;
    refused(ctx, &p, &bad, "1025");
    bad.sizes = sizes + 3;
    bad.n_sizes = 1;
    refused(ctx, &p, &bad, "box size 0");
    static const uint64_t huge[] = {RUG_BOXCOUNT_SIZE_MAX + 1};
    bad.sizes = huge;
    refused(ctx, &p, &bad, "9223372036854775809");
    static const double far[] = {-1.7e308, 1.7e308};
    p = points_view(far, RUG_F64, 2, 1);
    bad = defaults;
    bad.resolution = 10;
    refused(ctx, &p, &bad, "longest side");
    rug_context_free(ctx);
}

/* The k-th allocation fails, for every k. */
static void failing_memory(void **state)
{
    (void)state;
    enum { N = 30000 };
    static uint16_t points[3 * N];
    static const uint64_t sizes[] = {1, 2, 3, 6};
    uint64_t rng = 9;
    for (int i = 0; i < 3 * N; i++)
        points[i] = (uint16_t)test_below(&rng, 60);
    for (int way = 0; way < 6; way++) {
        rug_boxcount_points_options opts = defaults;
        opts.sizes = way % 2 ? sizes : NULL;
        opts.n_sizes = way % 2 ? 4 : 0;
        opts.spacing = way / 2 == 0 ? 0 : way / 2 == 1 ? 0.001 : 60;
        if (way == 4)
            opts.grid = RUG_BOXCOUNT_GRID_MIN;
        rug_status status = RUG_E_NOMEM;
        size_t k = 0;
        while (status != RUG_OK) {
            memory m = {.fail_at = ++k};
            rug_context *ctx = test_context();
            memory_hook(ctx, &m);
            rug_points p = points_view(points, RUG_U16, N, 3);
            test_counts out;
            status = test_boxcount_points(ctx, &out, &p, &opts);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            if (status != RUG_OK) {
                assert_int_equal(status, RUG_E_NOMEM);
                assert_string_not_equal(rug_context_error(ctx), "");
            }
            rug_context_free(ctx);
        }
        assert_in_range(k, 4, 60);
    }
}

/* Progress rises to 1, and a wish to stop is heard. */
typedef struct watch {
    double last;
    int n_calls, n_backwards, stop_at;
} watch;

static void see_progress(void *user, double share)
{
    watch *w = user;
    w->n_calls++;
    w->n_backwards += share < w->last;
    w->last = share;
}

static int see_cancel(void *user)
{
    watch *w = user;
    return w->stop_at != 0 && w->n_calls >= w->stop_at;
}

static void progress_and_cancelling(void **state)
{
    (void)state;
    enum { N = 400000 };
    static uint32_t points[N];
    static const uint64_t sizes[] = {1, 2, 3, 5, 6};
    uint64_t rng = 2;
    for (int i = 0; i < N; i++)
        points[i] = (uint32_t)test_below(&rng, 1000);
    rug_boxcount_points_options opts = defaults;
    for (int way = 0; way < 4; way++) {
        opts.sizes = way % 2 ? sizes : NULL;
        opts.n_sizes = way % 2 ? 5 : 0;
        opts.spacing = way / 2 ? 1e-6 : 1;
        rug_points p = points_view(points, RUG_U32, N / 2, 2);
        rug_context *ctx = test_context();
        test_counts out;
        watch w = {0};
        assert_int_equal(rug_context_set_threads(ctx, 1), RUG_OK); /* same calls again */
        rug_context_set_progress(ctx, see_progress, &w);
        rug_context_set_cancel(ctx, see_cancel, &w);
        must_count_points(ctx, &p, &opts);
        assert_int_equal(w.n_backwards, 0);
        assert_true(w.last == 1);
        int n_calls = w.n_calls;
        assert_in_range(n_calls, 5, 10000);
        for (int stop = 1; stop < n_calls / 2; stop += 1 + stop / 3) {
            w = (watch){.stop_at = stop};
            assert_int_equal(test_boxcount_points(ctx, &out, &p, &opts), RUG_E_CANCELLED);
        }
        rug_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_points),
        cmocka_unit_test(first_bad_point),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(progress_and_cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
