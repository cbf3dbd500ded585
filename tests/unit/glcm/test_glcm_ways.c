/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The ways to count a matrix, below the public call: tagged counters, a counter for each
 * entry, row by row, and sorted, give the same sums to the last bit, with one to four threads. And f14
 * of more pairs than any image of a test has. */

#include "support.h"

#include "glcm/count/glcm_count.h"
#include "glcm_support.h"
#include <math.h>

#define MAX_THREADS 4

/* A random image, cut out, with what counting needs. */
typedef struct setting {
    rug_context *ctx;
    rug_glcm_options opts;
    rug_image img;
    uint16_t *pixels;
    rugi_glcm_plan plan;
    rugi_glcm_region region;
    rugi_glcm_counting counting[MAX_THREADS];
    int offsets[3][3];
    rugi_glcm_matrix matrix;
} setting;

/* Levels with gaps between them, in an image with holes. */
static void make_setting(setting *s, uint64_t seed)
{
    uint64_t rng = seed;
    size_t shape[3] = {1 + test_below(&rng, 3), 1 + test_below(&rng, 40),
                       1 + test_below(&rng, 190)};
    uint32_t n_levels = 1 + (uint32_t)test_below(&rng, 1 + test_below(&rng, 900));
    uint32_t gap = 1 + (uint32_t)test_below(&rng, 30);
    size_t n = shape[0] * shape[1] * shape[2];
    *s = (setting){.ctx = test_context(), .opts = RUG_GLCM_OPTIONS_INIT};
    s->pixels = malloc(n * sizeof *s->pixels);
    assert_non_null(s->pixels);
    for (size_t i = 0; i < n; i++)
        s->pixels[i] =
            test_below(&rng, 9) == 0
                ? 0
                : (uint16_t)(1 + gap * (i / 60 + test_below(&rng, n_levels)) % 30000);
    assert_int_equal(rug_image_view(s->ctx, &s->img, s->pixels, RUG_U16, 3, shape),
                     RUG_OK);
    s->opts.mask = glcm_source(&s->img);
    s->opts.asymmetric = (int)test_below(&rng, 2);
    s->opts.features = RUG_GLCM_FEATURES_ALL;
    assert_int_equal(
        rugi_glcm_plan_new(s->ctx, &s->plan, glcm_source(&s->img), &s->opts, 0), RUG_OK);
    assert_int_equal(rugi_glcm_cut(s->ctx, &s->region, &s->plan, 0), RUG_OK);
    uint32_t n_offsets = 0;
    for (int i = 0; i < 3; i++) {
        int *o = s->offsets[n_offsets], fits = 1;
        for (int a = 0; a < 3; a++) {
            int side = (int)shape[a] < 9 ? (int)shape[a] : 9;
            o[a] = (int)test_below(&rng, (uint64_t)(2 * side - 1)) - (side - 1);
            fits = fits && o[a] > -(int)shape[a] && o[a] < (int)shape[a];
        }
        n_offsets += fits && (o[0] | o[1] | o[2]) != 0;
    }
    s->matrix = (rugi_glcm_matrix){.plan = &s->plan,
                                   .tile = &s->region.tile,
                                   .offset = (const int(*)[3])s->offsets,
                                   .n_offsets = n_offsets,
                                   .n_gray = s->region.binning.largest,
                                   .n_most = s->region.n_most};
}

static void free_setting(setting *s)
{
    for (int t = 0; t < MAX_THREADS; t++)
        rugi_glcm_counting_free(s->ctx, &s->counting[t]);
    rugi_glcm_region_free(s->ctx, &s->region);
    rugi_glcm_plan_free(s->ctx, &s->plan);
    free(s->pixels);
    rug_context_free(s->ctx);
}

static void assert_same_sums(const rugi_glcm_sums *a, const rugi_glcm_sums *b,
                             uint64_t seed, const char *way)
{
    int same = a->pairs == b->pairs && a->equal == b->equal && a->squares == b->squares &&
               a->t == b->t && a->largest == b->largest && a->t_x == b->t_x &&
               a->x1 == b->x1 && a->x2 == b->x2 && a->t_y == b->t_y && a->y1 == b->y1 &&
               a->y2 == b->y2 && a->t_difference == b->t_difference && a->d1 == b->d1 &&
               a->d2 == b->d2 && a->t_sum == b->t_sum;
    if (!same)
        fail_msg("seed %llu, %s: integers differ", (unsigned long long)seed, way);
    same = same_number(a->closeness, b->closeness) &&
           same_number(a->inverse, b->inverse) &&
           same_number(a->inverse_scaled, b->inverse_scaled) &&
           same_number(a->closeness_scaled, b->closeness_scaled) &&
           same_number(a->inverse_variance, b->inverse_variance) &&
           same_number(a->shade, b->shade) && same_number(a->prominence, b->prominence);
    if (!same)
        fail_msg("seed %llu, %s: sums of doubles differ", (unsigned long long)seed, way);
    if (!same_number(a->mcc, b->mcc))
        fail_msg("seed %llu, %s: f14 %.17g and %.17g", (unsigned long long)seed, way,
                 a->mcc, b->mcc);
}

typedef rug_status (*count_fn)(rug_context *, rugi_glcm_counting *, rugi_glcm_sums *,
                               const rugi_glcm_matrix *);

static rugi_glcm_sums count(setting *s, count_fn fn, int n_threads)
{
    rugi_glcm_sums sums = {.is_symmetric = s->plan.is_symmetric};
    rug_context_set_threads(s->ctx, n_threads);
    assert_int_equal(fn(s->ctx, s->counting, &sums, &s->matrix), RUG_OK);
    return sums;
}

static void ways_agree(void **state)
{
    (void)state;
    static setting s;
    size_t n_done = 0;
    for (uint64_t seed = 1; seed <= 150; seed += TEST_STEP(4)) {
        make_setting(&s, seed);
        if (s.matrix.n_offsets > 0 && s.region.values.n > 0) {
            assert_true(rugi_glcm_tagged_fits(&s.matrix));
            rugi_glcm_sums first = count(&s, rugi_glcm_count_tagged, 1);
            rugi_glcm_sums again = count(&s, rugi_glcm_count_tagged, 1);
            assert_same_sums(&first, &again, seed, "tagged");
            rugi_glcm_sums sorted = count(&s, rugi_glcm_count_sorted, 1);
            assert_same_sums(&first, &sorted, seed, "sorted");
            for (int threads = 1; threads <= MAX_THREADS; threads++) {
                rugi_glcm_sums dense = count(&s, rugi_glcm_count_dense, threads);
                assert_same_sums(&first, &dense, seed, "dense");
                rugi_glcm_sums rows = count(&s, rugi_glcm_count_rows, threads);
                assert_same_sums(&first, &rows, seed, "rows");
            }
            n_done += first.pairs > 0;
        }
        free_setting(&s);
    }
    assert_true(n_done > 100 / TEST_STEP(4));
}

/* Counters that are tagged anew for so many matrices that tags begin again. */
static void tags_begin_again(void **state)
{
    (void)state;
    static setting s;
    make_setting(&s, 7);
    assert_true(s.matrix.n_offsets > 0);
    s.plan.with_entries = 0; /* which would clear them */
    rugi_glcm_sums first = count(&s, rugi_glcm_count_tagged, 1);
    for (int i = 0; i < 600; i++) {
        rugi_glcm_sums again = count(&s, rugi_glcm_count_tagged, 1);
        assert_true(first.squares == again.squares && first.t == again.t);
    }
    s.matrix.n_most = 40000; /* counters of 16 bits */
    for (int i = 0; i < 60; i++) {
        rugi_glcm_sums again = count(&s, rugi_glcm_count_tagged, 1);
        assert_true(first.squares == again.squares && first.t == again.t);
        if (i == 20)
            s.counting[0].tag16 = 65520; /* as after so many matrices */
    }
    assert_true(s.counting[0].tag16 < 100);
    free_setting(&s);
}

/* ---- f14 of counts that no image of a test is large enough for ---- */

static double mcc(rugi_glcm_entry *entry, int symmetric)
{
    rug_context *ctx = test_context();
    rugi_glcm_counting c = {.entry = entry, .n_entries = 3};
    rugi_glcm_tile tile = {.n_ranks = 2};
    rugi_glcm_plan plan = {.with_mcc = 1};
    rugi_glcm_matrix m = {.plan = &plan, .tile = &tile};
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_agree),
        cmocka_unit_test(tags_begin_again),
        cmocka_unit_test(many_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
