/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Exact sets that halve: N copies of half the size, so N^(k-j) boxes of side 2^j and the
 * dimension ln N / ln 2, from a table of formulas. */

#include "support.h"

#include "boxcount_support.h"
#include "golden_support.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_tetrahedron(size_t z, size_t y, size_t x)
{
    return (x & y) == 0 && (y & z) == 0 && (x & z) == 0;
}

static int is_first_slice(size_t z, size_t y, size_t x)
{
    (void)y;
    (void)x;
    return z == 0;
}

static int is_diagonal(size_t z, size_t y, size_t x)
{
    (void)z;
    return x == y;
}

static const struct {
    const char *name;
    shape_fn is_set;
} sets[] = {
    {"sierpinski_triangle", is_sierpinski},
    {"sierpinski_tetrahedron", is_tetrahedron},
    {"full_square", is_any},
    {"full_cube", is_any},
    {"plane_in_cube", is_first_slice},
    {"line", is_diagonal},
};

#define N_SETS (sizeof sets / sizeof sets[0])

static uint64_t power(uint64_t base, uint64_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* One row: name, rule, b, N, axes, dimension, k, pixels. */
static void check_set(const golden_row *row, shape_fn is_set)
{
    rug_context *ctx = test_context();
    uint64_t n_copies = strtoull(row->field[3], NULL, 10);
    uint64_t k = strtoull(row->field[6], NULL, 10);
    size_t side = (size_t)1 << k;
    rug_image img =
        draw_shape(strcmp(row->field[4], "3") == 0 ? side : 0, side, side, is_set);
    rug_boxcount_result r =
        must_count(ctx, &img, (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0});
    free_shape(img);
    assert_int_equal(r.n_sizes, k + 1);
    assert_int_equal(r.counts[0].nonempty, strtoull(row->field[7], NULL, 10));
    for (uint64_t j = 0; j <= k; j++)
        if (r.counts[j].nonempty != power(n_copies, k - j))
            fail_msg("%s: %llu boxes of side %llu", row->field[0],
                     (unsigned long long)r.counts[j].nonempty, 1ull << j);
    for (uint64_t lo = 0; lo < k; lo++) {
        rug_boxcount_dimension d =
            must_fit(ctx, &r, RUG_BOXCOUNT_OF_NONEMPTY, (uint64_t)1 << lo, side);
        assert_within(d.dimension, log((double)n_copies) / log(2), 1e-12, row->field[0]);
        assert_within(d.dimension, strtod(row->field[5], NULL), 1e-11, row->field[0]);
    }
    rug_context_free(ctx);
}

static void sets_that_halve(void **state)
{
    (void)state;
    FILE *table = golden_open("analytic", "set", 8);
    golden_row row;
    size_t n = 0;
    while (golden_next(table, &row)) {
        if (strcmp(row.field[2], "2") != 0)
            continue; /* powers of 3 and 5 do not fit boxes that halve */
        size_t i = 0;
        while (i < N_SETS && strcmp(sets[i].name, row.field[0]) != 0)
            i++;
        if (i == N_SETS)
            fail_msg("the set %s is not drawn here", row.field[0]);
        check_set(&row, sets[i].is_set);
        n++;
    }
    fclose(table);
    assert_int_equal(n, N_SETS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_that_halve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
