/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes that are cubes in space where pixels are not: known counts, against looking at every
 * pixel at every CPU level, in parts, of labels; and what is refused. */

#include "support.h"

#include "boxcount_support.h"
#include <rugose/boxcount_labels.h>
#include <rugose/boxcount_parts.h>

#define N_SUBJECTS TEST_CASES(600)
#define NONZERO    ((rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0})
#define N_SIZES    4

static rug_boxcount_options options(uint64_t pz, uint64_t py, uint64_t px)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = NONZERO;
    opts.pixel_size[0] = pz;
    opts.pixel_size[1] = py;
    opts.pixel_size[2] = px;
    return opts;
}

static void must_boxcount(rug_context *ctx, test_counts *out, const rug_image *img,
                          const rug_boxcount_options *opts)
{
    if (test_boxcount(ctx, out, img, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

/* ---- Known counts ---- */

static void assert_row(const test_counts *c, uint32_t i, uint64_t size, uint64_t total,
                       uint64_t black)
{
    assert_int_equal(c->counts[i].size, size);
    assert_int_equal(c->counts[i].total, total);
    assert_int_equal(c->counts[i].nonempty, total);
    assert_int_equal(c->counts[i].black, black);
    assert_int_equal(c->counts[i].gray, total - black);
    assert_int_equal(c->counts[i].white, 0);
}

/* 8 slices, 4 apart, of 32 x 32: a cube of 32, in space too. */
static void thick_slices(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = draw_shape(8, 32, 32, is_any);
    rug_boxcount_options opts = options(4, 1, 1);
    static test_counts c;
    must_boxcount(ctx, &c, &img, &opts);
    assert_int_equal(c.n_sizes, 4);
    assert_string_equal(c.method, "window");
    for (uint32_t i = 0; i < 4; i++)
        assert_row(&c, i, 4u << i, 512u >> 3 * i, 512u >> 3 * i);
    rug_boxcount_result *counts;
    rug_fit fit = RUG_FIT_INIT;
    assert_int_equal(rug_boxcount(ctx, &counts, &img, &opts), RUG_OK);
    assert_int_equal(rug_boxcount_fit(ctx, &fit, counts, RUG_BOXCOUNT_OF_NONEMPTY, NULL),
                     RUG_OK);
    assert_within(fit.slope, 3, 1e-12, "dimension of a cube");
    assert_int_equal(fit.size_min, 4);
    assert_int_equal(fit.size_max, 16);
    assert_int_equal(rug_boxcount_get_facts(counts)->pixel_size[0], 4);
    rug_boxcount_free(counts);
    free_shape(img);
    rug_context_free(ctx);
}

/* Seven pixels of side 2, so an edge at 14, in boxes of side 3: pixels 0 1 | 2 | 3 4 | 5 | 6, the last
 * of which ends at 15. Boxes of 7 are those of 0 1 2 3 | 4 5 6, which end at 14. */
static void uneven_boxes(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const uint64_t sizes[] = {3, 7, 14, 15};
    rug_image row = draw_shape(0, 1, 7, is_any), column = draw_shape(0, 7, 1, is_any);
    for (int way = 0; way < 2; way++) {
        /* the other axis has a pixel of no height that a box could leave over */
        rug_boxcount_options opts = options(2, 2, 0);
        static test_counts c;
        opts.sizes = sizes;
        opts.n_sizes = 4;
        must_boxcount(ctx, &c, way == 0 ? &row : &column, &opts);
        assert_row(&c, 0, 3, 5, 0);
        assert_row(&c, 1, 7, 2, 0);
        assert_row(&c, 2, 14, 1, 0);
        assert_row(&c, 3, 15, 1, 0);
    }
    rug_image square = draw_shape(0, 7, 7, is_any);
    rug_boxcount_options opts = options(2, 2, 0);
    static test_counts c;
    opts.sizes = sizes;
    opts.n_sizes = 4;
    must_boxcount(ctx, &c, &square, &opts);
    assert_row(&c, 0, 3, 25, 16);
    assert_row(&c, 1, 7, 4, 4);
    assert_row(&c, 2, 14, 1, 1);
    assert_row(&c, 3, 15, 1, 0);
    free_shape(square);
    free_shape(row);
    free_shape(column);
    rug_context_free(ctx);
}

/* ---- Against other counts ---- */

typedef struct subject {
    uint8_t *pixels, *mask;
    int ndim, has_mask;
    size_t n[3]; /* z y x */
    uint64_t side[3], sizes[N_SIZES];
} subject;

static rug_image view_of(const subject *s, const uint8_t *pixels)
{
    return test_u8(pixels, s->ndim == 3 ? s->n[0] : 0, s->n[1], s->n[2]);
}

static subject draw_subject(uint64_t *seed)
{
    subject s = {.ndim = 2 + (int)test_below(seed, 2), .n = {1, 1, 1}, .side = {1, 1, 1}};
    uint64_t kind = test_below(seed, 4), largest = 1;
    s.has_mask = test_below(seed, 3) == 0;
    for (int a = 3 - s.ndim; a < 3; a++) {
        s.n[a] = (size_t)(1 + test_below(seed, s.ndim == 2 ? (a == 2 ? 150 : 40) : 12));
        s.side[a] = 1 + test_below(seed, 7);
        largest = s.side[a] > largest ? s.side[a] : largest;
    }
    size_t n = s.n[0] * s.n[1] * s.n[2];
    s.pixels = malloc(n);
    s.mask = malloc(n);
    assert_non_null(s.pixels);
    assert_non_null(s.mask);
    for (size_t i = 0; i < n; i++) {
        s.pixels[i] = kind == 0 || test_below(seed, kind == 1 ? 50 : 3) > kind % 2;
        s.mask[i] = test_below(seed, 20) > 0;
    }
    for (int i = 0; i < N_SIZES; i++)
        s.sizes[i] = (i == 0 ? largest : s.sizes[i - 1] + 1) + test_below(seed, 9);
    return s;
}

static void free_subject(subject *s)
{
    free(s->pixels);
    free(s->mask);
}

/* How many pixels box b would hold on an axis without end. */
static uint64_t width_of(uint64_t side, uint64_t size, uint64_t b)
{
    return ((b + 1) * size + side - 1) / side - (b * size + side - 1) / side;
}

static void count_naively(rug_box_count *out, const subject *s)
{
    uint64_t n_boxes[3], size[3] = {s->ndim == 3 ? out->size : 1, out->size, out->size};
    for (int a = 0; a < 3; a++)
        n_boxes[a] = (s->n[a] - 1) * s->side[a] / size[a] + 1;
    uint64_t n = n_boxes[0] * n_boxes[1] * n_boxes[2];
    uint64_t *set = calloc(n, sizeof *set), *inside = calloc(n, sizeof *inside);
    assert_non_null(set);
    assert_non_null(inside);
    for (size_t i = 0; i < s->n[0] * s->n[1] * s->n[2]; i++) {
        size_t at[3] = {i / s->n[2] / s->n[1], i / s->n[2] % s->n[1], i % s->n[2]};
        uint64_t b = 0;
        for (int a = 0; a < 3; a++)
            b = b * n_boxes[a] + at[a] * s->side[a] / size[a];
        int counts = !s->has_mask || s->mask[i];
        inside[b] += counts ? 1 : 0;
        set[b] += counts && s->pixels[i] ? 1 : 0;
    }
    for (uint64_t b = 0; b < n; b++) {
        uint64_t at[3] = {b / n_boxes[2] / n_boxes[1], b / n_boxes[2] % n_boxes[1],
                          b % n_boxes[2]};
        uint64_t whole = 1;
        for (int a = 0; a < 3; a++)
            whole *= width_of(s->side[a], size[a], at[a]);
        out->total += inside[b] > 0;
        out->nonempty += set[b] > 0;
        out->black += set[b] == whole;
    }
    out->gray = out->nonempty - out->black;
    out->white = out->total - out->nonempty;
    free(set);
    free(inside);
}

static void assert_same(const test_counts *got, const rug_box_count *expected,
                        const char *what)
{
    for (uint32_t i = 0; i < N_SIZES; i++)
        if (memcmp(&got->counts[i], &expected[i], sizeof expected[i]) != 0)
            fail_msg("%s, size %d: total %d nonempty %d black %d, expected %d %d %d",
                     what, (int)expected[i].size, (int)got->counts[i].total,
                     (int)got->counts[i].nonempty, (int)got->counts[i].black,
                     (int)expected[i].total, (int)expected[i].nonempty,
                     (int)expected[i].black);
}

static void check_subject(rug_context *ctx, const subject *s, const char *what)
{
    rug_image img = view_of(s, s->pixels), mask = view_of(s, s->mask);
    rug_source pixels = streamed_source_of_image(&img), inside = source_of_image(&mask);
    const uint64_t *side = s->side + 3 - s->ndim;
    rug_boxcount_options opts = options(side[0], side[1], s->ndim == 3 ? side[2] : 0);
    rug_box_count expected[N_SIZES] = {{0}};
    static test_counts got;
    opts.sizes = s->sizes;
    opts.n_sizes = N_SIZES;
    opts.mask = s->has_mask ? &inside : NULL;
    for (int i = 0; i < N_SIZES; i++) {
        expected[i].size = s->sizes[i];
        count_naively(&expected[i], s);
    }
    for (int level = 0; level <= RUG_CPU_MAX; level++) {
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        rug_context_set_threads(ctx, level + 1);
        must_boxcount(ctx, &got, &img, &opts);
        assert_same(&got, expected, what);
    }
    if (test_boxcount_source(ctx, &got, &pixels, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_same(&got, expected, what);
}

static void random_subjects(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t seed = test_seed(ctx, 30, N_SUBJECTS);
    for (int i = 0; i < N_SUBJECTS; i++) {
        char what[64];
        snprintf(what, sizeof what, "subject %d", i);
        subject s = draw_subject(&seed);
        check_subject(ctx, &s, what);
        free_subject(&s);
    }
    rug_context_free(ctx);
}

/* Cubes of side 5: what the boxes of the same number of pixels have. */
static void equal_pixels(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t seed = 31;
    for (int i = 0; i < TEST_CASES(100); i++) {
        subject s = draw_subject(&seed);
        rug_image img = view_of(&s, s.pixels);
        rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
        opts.foreground = NONZERO;
        rug_boxcount_result *plain, *sized;
        rug_fit plain_fit = RUG_FIT_INIT, sized_fit = RUG_FIT_INIT;
        assert_int_equal(rug_boxcount(ctx, &plain, &img, &opts), RUG_OK);
        opts = options(5, 5, s.ndim == 3 ? 5 : 0);
        assert_int_equal(rug_boxcount(ctx, &sized, &img, &opts), RUG_OK);
        uint32_t n = rug_boxcount_get_facts(plain)->n_sizes;
        assert_int_equal(rug_boxcount_get_facts(sized)->n_sizes, n);
        for (uint32_t k = 0; k < n; k++) {
            rug_box_count a = *rug_boxcount_at(plain, k), b = *rug_boxcount_at(sized, k);
            a.size *= 5;
            assert_memory_equal(&a, &b, sizeof a);
        }
        rug_boxcount_fit(ctx, &plain_fit, plain, RUG_BOXCOUNT_OF_NONEMPTY, NULL);
        rug_boxcount_fit(ctx, &sized_fit, sized, RUG_BOXCOUNT_OF_NONEMPTY, NULL);
        assert_int_equal(sized_fit.size_min, 5 * plain_fit.size_min);
        assert_int_equal(sized_fit.size_max, 5 * plain_fit.size_max);
        assert_int_equal(sized_fit.n_sizes, plain_fit.n_sizes);
        if (plain_fit.n_sizes > 1)
            assert_within(sized_fit.slope, plain_fit.slope, 1e-9, "slope");
        rug_boxcount_free(plain);
        rug_boxcount_free(sized);
        free_subject(&s);
    }
    rug_context_free(ctx);
}

/* ---- Labels, parts ---- */

static rug_status check_label(void *user, const rug_region *region,
                              const rug_boxcount_result *counts)
{
    (void)region;
    *(int *)user += 1;
    assert_int_equal(rug_boxcount_get_facts(counts)->n_sizes, 3);
    assert_int_equal(rug_boxcount_at(counts, 0)->nonempty, 16);
    assert_int_equal(rug_boxcount_at(counts, 1)->black, 4);
    return RUG_OK;
}

/* 4 x 8 pixels of 4 x 2, a square: boxes begin at its corner, wherever it lies. */
static int is_label(size_t z, size_t y, size_t x)
{
    (void)z;
    return y >= 1 && y < 5 && x >= 3 && x < 11;
}

static void labels(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = draw_shape(0, 20, 20, is_label);
    rug_source source = source_of_image(&img);
    rug_boxcount_options opts = options(4, 2, 0);
    int n = 0;
    assert_int_equal(rug_boxcount_labels(ctx, &img, &source, &opts, check_label, &n),
                     RUG_OK);
    assert_int_equal(n, 1);
    free_shape(img);
    rug_context_free(ctx);
}

static void parts_of_other_pixels(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const size_t shape[2] = {8, 8};
    rug_boxcount_options opts = options(2, 1, 0);
    rug_boxcount_parts *a, *b;
    assert_int_equal(rug_boxcount_parts_new(ctx, &a, 2, shape, &opts), RUG_OK);
    opts.sizes = (const uint64_t[]){2, 4, 8, 16};
    opts.n_sizes = 4;
    opts.pixel_size[1] = 2;
    assert_int_equal(rug_boxcount_parts_new(ctx, &b, 2, shape, &opts), RUG_OK);
    assert_int_equal(rug_boxcount_merge(ctx, a, b), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "side of a pixel"));
    rug_boxcount_parts_free(a);
    rug_boxcount_parts_free(b);
    rug_context_free(ctx);
}

/* ---- The ends ---- */

static void refused(rug_context *ctx, const rug_boxcount_options *opts, const char *text)
{
    static const uint8_t pixels[12] = {1};
    rug_image img = test_u8(pixels, 0, 3, 4);
    static test_counts out;
    assert_int_equal(test_boxcount(ctx, &out, &img, opts), RUG_E_ARG);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of: %s", text, rug_context_error(ctx));
}

static void refusals(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const uint64_t sizes[] = {3, 9};
    rug_boxcount_options opts = options(2, 0, 0);
    refused(ctx, &opts, "2 axes expected");
    opts = options(2, 2, 2);
    refused(ctx, &opts, "2 axes expected");
    opts = options(4, 1, 0);
    opts.sizes = sizes;
    opts.n_sizes = 2;
    refused(ctx, &opts, "at least 4 expected");
    opts = options(4, 1, 0);
    opts.grid = RUG_BOXCOUNT_GRID_MIN;
    refused(ctx, &opts, "grid min");
    opts = options(4, 1, 0);
    opts.method = RUG_BOXCOUNT_PYRAMID;
    refused(ctx, &opts, "method pyramid");
    opts = options((uint64_t)1 << 61, 1, 0);
    refused(ctx, &opts, "2^62");
    rug_context_free(ctx);
}

/* The largest sides and sizes that are allowed. */
static void large_numbers(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const uint64_t side = ((uint64_t)1 << 62) / 3;
    const uint64_t sizes[] = {side, side + 1, 3 * side - 1, 3 * side, (uint64_t)1 << 63};
    rug_image img = draw_shape(0, 3, 3, is_any);
    rug_boxcount_options opts = options(side, side - 1, 0);
    static test_counts c;
    opts.sizes = sizes;
    opts.n_sizes = 5;
    must_boxcount(ctx, &c, &img, &opts);
    assert_row(&c, 0, sizes[0], 6, 6);
    assert_row(&c, 1, sizes[1], 4, 4);
    assert_row(&c, 2, sizes[2], 1, 0);
    assert_row(&c, 3, sizes[3], 1, 0);
    assert_row(&c, 4, sizes[4], 1, 0);
    free_shape(img);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thick_slices),    cmocka_unit_test(uneven_boxes),
        cmocka_unit_test(random_subjects), cmocka_unit_test(equal_pixels),
        cmocka_unit_test(labels),          cmocka_unit_test(parts_of_other_pixels),
        cmocka_unit_test(refusals),        cmocka_unit_test(large_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
