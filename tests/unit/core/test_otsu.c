/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Otsu's threshold against trying every split of a histogram: exact levels of narrow
 * integers, equal bins of wide integers and floats, and a real photograph. */

#include "support.h"

#include "boxcount_support.h"
#include <float.h>
#include <math.h>
#include <rugose/io.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define N_BINS 65536

/* A row of pixels, as numbers and as an image. */
typedef struct row {
    size_t n;
    double *values;
    rug_image img;
    void *pixels;
} row;

static row make_row(rug_dtype dtype, size_t n)
{
    row r = {.n = n};
    r.values = calloc(n, sizeof *r.values);
    r.pixels = calloc(n, 8);
    assert_true(r.values != NULL && r.pixels != NULL);
    assert_int_equal(rug_image_view(NULL, &r.img, r.pixels, dtype, 2, (size_t[]){1, n}),
                     RUG_OK);
    return r;
}

static void free_row(row *r)
{
    free(r->values);
    free(r->pixels);
}

#define STORE(type) ((type *)r->pixels)[i] = (type)v

/* Stores a value, and keeps what the pixel holds then. */
static void store(row *r, size_t i, double v)
{
    switch (r->img.dtype) {
    case RUG_U8: STORE(uint8_t); break;
    case RUG_I8: STORE(int8_t); break;
    case RUG_U16: STORE(uint16_t); break;
    case RUG_I16: STORE(int16_t); break;
    case RUG_U32: STORE(uint32_t); break;
    case RUG_I32: STORE(int32_t); break;
    case RUG_U64: STORE(uint64_t); break;
    case RUG_I64: STORE(int64_t); break;
    case RUG_F32: STORE(float); break;
    default: STORE(double); break;
    }
    r->values[i] = (double)test_pixel(&r->img, 0, 0, i);
}

static double least(const row *r)
{
    double v = INFINITY;
    for (size_t i = 0; i < r->n; i++)
        v = isfinite(r->values[i]) ? fmin(v, r->values[i]) : v;
    return v;
}

static double largest(const row *r)
{
    double v = -INFINITY;
    for (size_t i = 0; i < r->n; i++)
        v = isfinite(r->values[i]) ? fmax(v, r->values[i]) : v;
    return v;
}

static double threshold_of(const row *r)
{
    rug_context *ctx = test_context();
    rug_foreground out;
    double value = NAN;
    for (int n_threads = 1; n_threads <= 3; n_threads++) {
        assert_int_equal(rug_context_set_threads(ctx, n_threads), RUG_OK);
        if (rug_foreground_resolve(ctx, &out, &r->img, NULL,
                                   (rug_foreground){RUG_FOREGROUND_OTSU, 0, 0}) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        assert_int_equal(out.kind, RUG_FOREGROUND_ABOVE);
        assert_true(n_threads == 1 || out.value == value);
        value = out.value;
    }
    rug_context_free(ctx);
    return value;
}

/* A histogram; width 0 stands for whole numbers, one level a bin. */
typedef struct histogram {
    double min;
    long double width;
    uint64_t counts[N_BINS];
    size_t n_used;
    size_t used[N_BINS]; /* bins that are not empty */
} histogram;

static size_t bin_of(const histogram *h, double v)
{
    size_t bin = (size_t)(((long double)v - h->min) / h->width);
    return bin < N_BINS ? bin : N_BINS - 1;
}

static void fill_histogram(histogram *h, const row *r, int exact)
{
    memset(h, 0, sizeof *h);
    h->min = least(r);
    h->width = exact ? 1 : ((long double)largest(r) - h->min) / N_BINS;
    for (size_t i = 0; i < r->n; i++) {
        if (!isfinite(r->values[i]))
            continue;
        h->counts[bin_of(h, r->values[i])]++;
    }
    for (size_t k = 0; k < N_BINS; k++)
        if (h->counts[k] != 0)
            h->used[h->n_used++] = k;
}

/* Eq. 18 of Otsu (1979) for the classes {0..k} and {k+1..}; -1 when one is empty. */
static long double variance_at(const histogram *h, size_t k)
{
    long double n[2] = {0, 0}, sum[2] = {0, 0};
    for (size_t j = 0; j < h->n_used; j++) {
        size_t i = h->used[j];
        n[i > k] += h->counts[i];
        sum[i > k] += (long double)h->counts[i] * i;
    }
    if (n[0] == 0 || n[1] == 0)
        return -1;
    long double total = n[0] + n[1], gap = sum[0] / n[0] - sum[1] / n[1];
    return n[0] / total * (n[1] / total) * gap * gap;
}

static size_t count_above(const row *r, double threshold)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n += r->values[i] >= threshold && isfinite(r->values[i]);
    return n;
}

/* What a threshold cuts a row into. */
typedef struct cut {
    size_t last_below;  /* the highest bin with a value below */
    size_t first_above; /* the lowest bin with another */
    double least_above;
} cut;

static cut cut_at(const histogram *h, const row *r, double threshold)
{
    cut c = {0, N_BINS, INFINITY};
    for (size_t i = 0; i < r->n; i++) {
        double v = r->values[i];
        size_t bin = bin_of(h, v);
        if (v < threshold && bin > c.last_below)
            c.last_below = bin;
        if (v >= threshold && bin < c.first_above)
            c.first_above = bin;
        if (v >= threshold)
            c.least_above = fmin(c.least_above, v);
    }
    return c;
}

/* The threshold cuts between two bins, no other cut is better, and it is the lowest level
 * of the upper class (exact levels) or the least value that occurs there. */
static void check_threshold(const row *r, int exact, const char *what)
{
    static histogram h;
    fill_histogram(&h, r, exact);
    double t = threshold_of(r);
    cut c = cut_at(&h, r, t);
    if (c.first_above <= c.last_below || c.first_above == N_BINS)
        fail_msg("%s: threshold %.17g cuts no bins apart", what, t);
    long double got = variance_at(&h, c.last_below), best = 0;
    for (size_t j = 0; j < h.n_used; j++) /* behind an empty bin it is the one before */
        best = fmaxl(best, variance_at(&h, h.used[j]));
    if (!(got >= best * (1 - 1e-12L)))
        fail_msg("%s: threshold %.17g has variance %Lg, %Lg is to be had", what, t, got,
                 best);
    double expected = exact ? h.min + (double)(c.last_below + 1) : c.least_above;
    assert_within(t, expected, 0, what);
}

/* Two humps, the second wider, on [lo, hi]. */
static double random_level(uint64_t *rng, double lo, double hi, uint64_t n_levels)
{
    uint64_t third = n_levels / 3 + 1;
    uint64_t v = test_below(rng, third) + test_below(rng, third);
    if (test_below(rng, 3) == 0)
        v = n_levels - 1 - test_below(rng, third);
    v = v < n_levels ? v : n_levels - 1;
    return n_levels == 1 ? lo : lo + (hi - lo) * ((double)v / (double)(n_levels - 1));
}

static void random_histograms(void **state)
{
    (void)state;
    static const struct {
        rug_dtype dtype;
        double lo, hi;
        uint64_t n_levels; /* different values at most */
        int exact;
    } cases[] = {
        {RUG_U8, 0, 255, 256, 1},
        {RUG_U8, 10, 13, 4, 1},
        {RUG_I8, -128, 127, 256, 1},
        {RUG_U16, 0, 65535, 400, 1},
        {RUG_U16, 0, 4095, 4096, 1},
        {RUG_U16, 60000, 60100, 101, 1},
        {RUG_I16, -32768, 32767, 300, 1},
        {RUG_I16, -1000, 3000, 500, 1},
        {RUG_U32, 4e9, 4e9 + 200, 201, 1},
        {RUG_I32, -30000, 35535, 500, 1},
        {RUG_I32, -2147483648.0, 2147483647.0, 700, 0},
        {RUG_I32, -1e6, 1e6, 700, 0},
        {RUG_U32, 0, 4294967295.0, 700, 0},
        {RUG_U64, 0, 1e18, 700, 0},
        {RUG_I64, -1e15, 1e15, 700, 0},
        {RUG_F32, 0, 1, 700, 0},
        {RUG_F32, -1e30, 1e30, 700, 0},
        {RUG_F64, -0.3, 0.7, 700, 0},
        {RUG_U16, 100, 354, 255, 1}, /* as many slots as there are of 8 bits */
        {RUG_I32, -300, -46, 255, 1},
        {RUG_F32, 100, 354, 255, 1},
    };
    uint64_t rng = 1979;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (int i = 0; i < 2; i++) {
            char what[64];
            snprintf(what, sizeof what, "case %zu.%d, %s", c, i,
                     rug_dtype_name(cases[c].dtype));
            row r = make_row(cases[c].dtype, 3000);
            for (size_t k = 0; k < r.n; k++)
                store(&r, k,
                      random_level(&rng, cases[c].lo, cases[c].hi, cases[c].n_levels));
            store(&r, 0, cases[c].lo);
            store(&r, 1, cases[c].hi);
            check_threshold(&r, cases[c].exact, what);
            free_row(&r);
        }
}

/* A range wider than the largest double. */
static void full_range_of_a_double(void **state)
{
    (void)state;
    row r = make_row(RUG_F64, 6);
    static const double values[] = {-DBL_MAX, DBL_MAX, 0, 1, -1, DBL_MAX};
    for (size_t i = 0; i < 6; i++)
        store(&r, i, values[i]);
    assert_int_equal(count_above(&r, threshold_of(&r)), 2);
    free_row(&r);
}

/* Small numbers, near ones, and some that are none. */
static void floats_of_any_size(void **state)
{
    (void)state;
    static const double rows[][6] = {
        {NAN, 1, 2, 9, INFINITY, 8},
        {-INFINITY, 1e-300, 2.1e-300, 9e-300, NAN, 8e-300},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        row r = make_row(RUG_F64, 6);
        for (size_t k = 0; k < 6; k++)
            store(&r, k, rows[i][k]);
        assert_int_equal(count_above(&r, threshold_of(&r)), 2);
        free_row(&r);
    }
}

/* "Over the exact levels when all values are integers of a range below 65536": 64-bit
 * integers, which numpy makes by default, no less than others. */
static void exact_levels_of_64_bit_integers(void **state)
{
    (void)state;
    static const rug_dtype dtypes[] = {RUG_I32, RUG_U64, RUG_I64};
    for (size_t d = 0; d < 3; d++) {
        row r = make_row(dtypes[d], 7);
        static const double values[] = {10, 20, 21, 100, 110, 111, 20};
        for (size_t k = 0; k < 7; k++)
            store(&r, k, values[k]);
        assert_within(threshold_of(&r), 22, 0, rug_dtype_name(dtypes[d]));
        free_row(&r);
    }
}

/* A value on the edge of two bins is counted in one of them, and the threshold must put
 * it on the same side. */
static void value_on_the_edge_of_a_bin(void **state)
{
    (void)state;
    row r = make_row(RUG_I32, 22);
    for (size_t i = 0; i < r.n; i++)
        store(&r, i, i < 2 ? 0 : i < 12 ? 33299 : 66598);
    /* {0, 33299} and {66598} is the best split by far: 163 to 91 in units of the gap */
    assert_int_equal(count_above(&r, threshold_of(&r)), 10);
    free_row(&r);
}

static void real_on_the_edge_of_a_bin(void **state)
{
    (void)state;
    row r = make_row(RUG_F64, 4);
    static const double values[] = {1e-300, 2e-300, 8e-300, 9e-300}; /* 2 at 1/8 */
    for (size_t i = 0; i < 4; i++)
        store(&r, i, values[i]);
    assert_int_equal(count_above(&r, threshold_of(&r)), 2);
    free_row(&r);
}

/* Bins narrower than the step from one double to the next: the edge behind a value must
 * not round to the value itself. */
static void bins_finer_than_the_numbers(void **state)
{
    (void)state;
    row r = make_row(RUG_F64, 6);
    static const double values[] = {1, 1 + 1e-13, 1 + 2e-13, 1 + 9e-13, 1, 1 + 8e-13};
    for (size_t i = 0; i < 6; i++)
        store(&r, i, values[i]);
    assert_int_equal(count_above(&r, threshold_of(&r)), 2);
    free_row(&r);
}

/* Values so near that the width of a bin is no number that a division can take. */
static void denormal_range(void **state)
{
    (void)state;
    row r = make_row(RUG_F64, 4);
    static const double values[] = {0, 5e-324, 1e-322, 1.05e-322};
    for (size_t i = 0; i < 4; i++)
        store(&r, i, values[i]);
    assert_int_equal(count_above(&r, threshold_of(&r)), 2);
    free_row(&r);
}

/* The photograph that scikit-image calls camera: its threshold_otsu() gives > 102. */
/* A range that is another image's gives some threshold, and touches no memory but its own:
 * the address checker sees it. */
static void range_of_another_image(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const rug_dtype dtypes[] = {RUG_U16, RUG_I32, RUG_U64, RUG_F64};
    const rug_image_range narrow = {
        .struct_size = sizeof narrow, .min = 1000, .max = 1003, .n_distinct = 4};
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++) {
        row r = make_row(dtypes[d], 6);
        for (size_t i = 0; i < r.n; i++)
            store(&r, i, i < 3 ? 0 : 60000);
        rug_foreground rule;
        assert_int_equal(
            rug_foreground_resolve(ctx, &rule, &r.img, &narrow,
                                   (rug_foreground){RUG_FOREGROUND_OTSU, 0, 0}),
            RUG_OK);
        assert_int_equal(rule.kind, RUG_FOREGROUND_ABOVE);
        free_row(&r);
    }
    rug_context_free(ctx);
}

static void camera(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_file *file = NULL;
    if (rug_file_read(ctx, &file, test_data("camera.png"), NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    rug_foreground rule, asked = RUG_FOREGROUND_INIT;
    assert_int_equal(
        rug_foreground_resolve(ctx, &rule, rug_file_image(file), NULL, asked), RUG_OK);
    char text[RUG_FOREGROUND_TEXT_MAX];
    rug_foreground_format(text, rule);
    assert_string_equal(text, "above=103");
    test_counts r = must_count(ctx, rug_file_image(file), asked);
    assert_int_equal(r.counts[0].nonempty, 177984);
    rug_file_free(file);
    rug_context_free(ctx);
}

/* Beyond 2^53, where neighbours have one nearest double: two hills of levels, and then numbers
 * too far apart for a bin each, whose upper class begins in the middle of such neighbours. */
static void whole_numbers_beyond_doubles(void **state)
{
    (void)state;
    static const int64_t levels[] = {100, 101, 101, 102, 201, 202, 202, 203};
    const uint64_t bases[] = {(uint64_t)1 << 53, UINT64_MAX - 255,
                              0 - ((uint64_t)1 << 53) - 150, (uint64_t)1 << 63};
    rug_context *ctx = test_context();
    uint64_t pixels[8];
    rug_image img;
    for (size_t i = 0; i < 4; i++)
        for (rug_dtype d = RUG_U64; d <= RUG_I64; d++) {
            for (size_t k = 0; k < 8; k++)
                pixels[k] = bases[i] + (uint64_t)levels[k];
            assert_int_equal(rug_image_view(ctx, &img, pixels, d, 2, (size_t[]){1, 8}),
                             RUG_OK);
            rug_foreground rule = {RUG_FOREGROUND_OTSU, 0, 0};
            assert_int_equal(rug_foreground_resolve(ctx, &rule, &img, NULL, rule),
                             RUG_OK);
            uint64_t expected = bases[i] + 103; /* the first level of the upper class */
            long double t =
                d == RUG_I64 ? (long double)(int64_t)expected : (long double)expected;
            assert_true((long double)rule.value + rule.rest == t);
        }
    const uint64_t high = UINT64_MAX - 500;
    const uint64_t far[] = {5, 6, 7, 8, high + 9, high + 7, high + 8, high + 7};
    assert_int_equal(rug_image_view(ctx, &img, far, RUG_U64, 2, (size_t[]){1, 8}),
                     RUG_OK);
    rug_foreground rule = {RUG_FOREGROUND_OTSU, 0, 0};
    assert_int_equal(rug_foreground_resolve(ctx, &rule, &img, NULL, rule), RUG_OK);
    assert_true((long double)rule.value + rule.rest == (long double)(high + 7));
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_histograms),
        cmocka_unit_test(full_range_of_a_double),
        cmocka_unit_test(floats_of_any_size),
        cmocka_unit_test(exact_levels_of_64_bit_integers),
        cmocka_unit_test(value_on_the_edge_of_a_bin),
        cmocka_unit_test(real_on_the_edge_of_a_bin),
        cmocka_unit_test(bins_finer_than_the_numbers),
        cmocka_unit_test(denormal_range),
        cmocka_unit_test(range_of_another_image),
        cmocka_unit_test(camera),
        cmocka_unit_test(whole_numbers_beyond_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
