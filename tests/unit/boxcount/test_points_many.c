/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sets of so many points that their bitmap is set slice by slice, against an image of
 * them; and what is known of coordinates that are read many at a time. */

#include "support.h"

#include "box_points_support.h"
#include "boxcount_support.h"
#include "memory_support.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cell_set {
    rug_image img;
    uint8_t *cells;
    uint32_t (*at)[3]; /* of the n set cells, in the order of the image; slowest first */
    size_t n;
} cell_set;

/* Single cells, and cubes of many sizes; both corners are set. */
static cell_set random_cells(size_t nz, size_t ny, size_t nx, size_t n_cells)
{
    size_t shape[3] = {nz > 0 ? nz : 1, ny, nx}, all = shape[0] * ny * nx;
    cell_set s = {.cells = calloc(all, 1)};
    uint64_t rng = 9;
    assert_non_null(s.cells);
    s.cells[0] = s.cells[all - 1] = 1;
    for (size_t i = 0; i < n_cells; i++)
        s.cells[test_below(&rng, all)] = 1;
    for (size_t side = 2; side <= 32; side *= 2)
        for (int k = 0; k < 3; k++) {
            size_t z = test_below(&rng, shape[0]) / side * side;
            size_t y = test_below(&rng, ny) / side * side;
            size_t x = test_below(&rng, nx) / side * side;
            for (size_t c = 0; c < (nz > 0 ? side : 1); c++)
                for (size_t b = 0; b < side; b++)
                    memset(s.cells + ((z + c) * ny + y + b) * nx + x, 1, side);
        }
    for (size_t i = 0; i < all; i++)
        s.n += s.cells[i];
    s.at = malloc(s.n * sizeof *s.at);
    assert_non_null(s.at);
    for (size_t i = 0, n = 0; i < all; i++)
        if (s.cells[i]) {
            uint32_t at[3] = {(uint32_t)(i / nx / ny), (uint32_t)(i / nx % ny),
                              (uint32_t)(i % nx)};
            memcpy(s.at[n++], at, sizeof at);
        }
    s.img = test_u8(s.cells, nz, ny, nx);
    return s;
}

/* The first `n_shuffled` points in no order, and in the end some of them once more. */
static rug_points points_of(const cell_set *s, rug_dtype dtype, int is_apart,
                            size_t n_shuffled)
{
    size_t n = s->n + 1000, size = rug_dtype_size(dtype);
    size_t axes = (size_t)s->img.ndim;
    char *data = malloc(n * axes * size);
    uint32_t *order = malloc(n * sizeof *order);
    uint64_t rng = 4;
    assert_non_null(data);
    assert_non_null(order);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)(i < s->n ? i : test_below(&rng, s->n));
    for (size_t i = n_shuffled; i-- > 1;) {
        size_t j = test_below(&rng, i + 1);
        uint32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    rug_points p = {data, dtype, n, s->img.ndim, {0, 0}};
    p.stride[0] = (ptrdiff_t)(is_apart ? size : axes * size);
    p.stride[1] = (ptrdiff_t)(is_apart ? n * size : size);
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < axes; a++) {
            uint64_t v = s->at[order[i]][3 - axes + a];
            float f = (float)v;
            double d = (double)v;
            memcpy(data + (ptrdiff_t)i * p.stride[0] + (ptrdiff_t)a * p.stride[1],
                   dtype == RUG_F32   ? (void *)&f
                   : dtype == RUG_F64 ? (void *)&d
                                      : (void *)&v,
                   size);
        }
    free(order);
    return p;
}

static void assert_counts_like(const rug_boxcount_result *r,
                               const rug_boxcount_result *expected, rug_dtype dtype)
{
    assert_true(r->n_sizes >= expected->n_sizes - 1 && r->n_sizes > 7);
    for (uint32_t i = 0; i < r->n_sizes && i < expected->n_sizes; i++) {
        assert_int_equal(r->counts[i].size, expected->counts[i].size);
        if (r->counts[i].nonempty != expected->counts[i].nonempty ||
            r->counts[i].black != expected->counts[i].black)
            fail_msg("%s, size %llu: %llu boxes, %llu black; %llu, %llu expected",
                     rug_dtype_name(dtype), (unsigned long long)r->counts[i].size,
                     (unsigned long long)r->counts[i].nonempty,
                     (unsigned long long)r->counts[i].black,
                     (unsigned long long)expected->counts[i].nonempty,
                     (unsigned long long)expected->counts[i].black);
    }
}

static void check_set(size_t nz, size_t ny, size_t nx, size_t n_cells, int n_rounds)
{
    static const rug_dtype dtypes[] = {RUG_U32, RUG_I16, RUG_F32, RUG_I64,
                                       RUG_U16, RUG_F64, RUG_I32, RUG_U64};
    rug_context *ctx = test_context();
    cell_set s = random_cells(nz, ny, nx, n_cells);
    rug_foreground rule = {RUG_FOREGROUND_NONZERO, 0, 0};
    rug_boxcount_result expected = must_count(ctx, &s.img, rule);
    for (int i = 0; i < n_rounds; i++) {
        rug_dtype dtype = dtypes[i % 8];
        size_t n_shuffled = s.n / 2 * (size_t)((i + 2) % 3);
        rug_points p = points_of(&s, dtype, i % 5 == 1, n_shuffled);
        for (int level = 0; level <= RUG_CPU_MAX; level++) {
            rug_context_set_threads(ctx, 1 + (i + level) % 4);
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            rug_boxcount_result r = must_count_points(ctx, &p, NULL);
            assert_counts_like(&r, &expected, dtype);
        }
        free((void *)(uintptr_t)p.data);
    }
    free(s.cells);
    free(s.at);
    rug_context_free(ctx);
}

/* Keys of 22 and of 24 bits: two slices, and eight. */
static void slices_of_bitmaps(void **state)
{
    (void)state;
    check_set(0, 2048, 2048, 90000, 24);
    check_set(256, 256, 256, 300000, 4);
    check_set(64, 512, 256, 200000, 4); /* axes of different lengths */
}

/* Sizes with an odd part come from the keys that are read back from the bitmap. */
static void odd_sizes_after_slices(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 4, 6, 7, 64};
    rug_context *ctx = test_context();
    cell_set s = random_cells(0, 2048, 2048, 90000);
    rug_points p = points_of(&s, RUG_I32, 0, s.n);
    rug_boxcount_points_options opts = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    test_pixel_at *cells = malloc(p.n * sizeof *cells);
    assert_non_null(cells);
    size_t n = whole_cells(cells, &p);
    opts.sizes = sizes;
    opts.n_sizes = 7;
    for (int threads = 1; threads <= 4; threads += 3) {
        rug_context_set_threads(ctx, threads);
        rug_boxcount_result r = must_count_points(ctx, &p, &opts);
        assert_counts_of(&r, cells, n, "odd sizes");
    }
    free(cells);
    free((void *)(uintptr_t)p.data);
    free(s.cells);
    free(s.at);
    rug_context_free(ctx);
}

static void failing_memory(void **state)
{
    (void)state;
    cell_set s = random_cells(0, 2048, 2048, 90000);
    rug_points p = points_of(&s, RUG_I32, 0, s.n);
    rug_status status = RUG_E_NOMEM;
    size_t k = 0;
    while (status != RUG_OK) {
        memory m = {.fail_at = ++k};
        rug_context *ctx = test_context();
        rug_boxcount_result r;
        memory_hook(ctx, &m);
        status = rug_boxcount_points(ctx, &r, &p, NULL);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        rug_context_free(ctx);
    }
    assert_in_range(k, 9, 12); /* three of them for the slices */
    free((void *)(uintptr_t)p.data);
    free(s.cells);
    free(s.at);
}

/* n points in a row, whole coordinates 100..149, with ends at random points. */
static rug_points row_of_points(uint64_t *rng, char *data, rug_dtype dtype, uint64_t n,
                                int axes, int ends[RUG_POINTS_MAX_AXES][2])
{
    rug_points p = points_view(data, dtype, n, axes);
    size_t size = rug_dtype_size(dtype);
    for (int a = 0; a < axes; a++) {
        uint64_t low = test_below(rng, n), high = test_below(rng, n);
        ends[a][0] = ends[a][1] = 0;
        for (uint64_t i = 0; i < n; i++) {
            int64_t v = 50 + (int64_t)test_below(rng, 20);
            v = i == low ? 3 : i == high ? 101 + a : v;
            float f = (float)v;
            double d = (double)v;
            memcpy(data + (i * (uint64_t)axes + (uint64_t)a) * size,
                   dtype == RUG_F32   ? (void *)&f
                   : dtype == RUG_F64 ? (void *)&d
                                      : (void *)&v,
                   size);
            ends[a][0] = i == 0 || v < ends[a][0] ? (int)v : ends[a][0];
            ends[a][1] = i == 0 || v > ends[a][1] ? (int)v : ends[a][1];
        }
    }
    return p;
}

static void check_ends(rug_context *ctx, const rug_points *p,
                       int ends[RUG_POINTS_MAX_AXES][2])
{
    rug_boxcount_result r = must_count_points(ctx, p, NULL);
    for (int a = 0; a < p->ndim; a++)
        assert_int_equal(r.shape[a], ends[a][1] - ends[a][0] + 1);
}

/* One coordinate that is not whole, or not finite. */
static void check_odd_one(rug_context *ctx, uint64_t *rng, char *data,
                          const rug_points *p)
{
    static const double odd[] = {60.5, NAN, INFINITY, -INFINITY};
    uint64_t axes = (uint64_t)p->ndim, i = test_below(rng, p->n * axes);
    uint64_t which = test_below(rng, 4), longest = 0;
    double d = odd[which];
    float f = (float)d;
    char expected[64];
    size_t size = rug_dtype_size(p->dtype);
    rug_boxcount_result r;
    memcpy(data + i * size, p->dtype == RUG_F32 ? (void *)&f : (void *)&d, size);
    if (which > 0) {
        snprintf(expected, sizeof expected, "point %d has", (int)(i / axes));
        assert_int_equal(rug_boxcount_points(ctx, &r, p, NULL), RUG_E_ARG);
        assert_non_null(strstr(rug_context_error(ctx), expected));
        return;
    }
    r = must_count_points(ctx, p, NULL);
    for (uint64_t a = 0; a < axes; a++)
        longest = r.shape[a] > longest ? r.shape[a] : longest;
    assert_int_equal(longest, p->n > 1 ? 1024 : 1);
}

static void ends_of_points(void **state)
{
    (void)state;
    static char data[6 * 3000 * 8];
    rug_context *ctx = test_context();
    uint64_t rng = 6;
    for (int i = 0; i < 4000; i++) {
        int ends[RUG_POINTS_MAX_AXES][2], axes = 1 + (int)test_below(&rng, 6);
        rug_dtype dtype = (rug_dtype)(RUG_U8 + test_below(&rng, RUG_N_DTYPES - RUG_U8));
        uint64_t n = 1 + test_below(&rng, i % 50 == 0 ? 3000 : 100);
        rug_points p = row_of_points(&rng, data, dtype, n, axes, ends);
        rug_context_set_threads(ctx, 1 + i % 4);
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(i / 4 % (RUG_CPU_MAX + 1)));
        check_ends(ctx, &p, ends);
        if (dtype == RUG_F32 || dtype == RUG_F64)
            check_odd_one(ctx, &rng, data, &p);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_of_bitmaps),
        cmocka_unit_test(odd_sizes_after_slices),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(ends_of_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
