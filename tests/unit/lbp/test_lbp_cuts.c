/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cuts of the variance: quantiles against a sorted list of all variances, masks, several
 * images in any order, threads, and images whose variances cannot be divided. */

#include "support.h"

#include "memory_support.h"

#include "model_support.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NY     37
#define NX     53
#define PIXELS (NY * NX)
#define MOST   (4 * PIXELS)

static const rug_lbp_operator operators[2] = {{8, 1, NULL, 0}, {5, 2.5, NULL, 0}};

static rug_lbp_options two_operators(void)
{
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = operators;
    opts.n_operators = 2;
    return opts;
}

/* Noise of a few values on the left, a flat part on the right. */
static void fill(uint8_t *pixels, uint64_t seed, uint64_t n_values)
{
    for (size_t i = 0; i < PIXELS; i++)
        pixels[i] = i % NX < 40 ? (uint8_t)test_below(&seed, n_values) : 100;
}

/* All variances of one operator, those of 0 too. */
typedef struct all {
    double values[MOST];
    size_t n;
    uint32_t op;
    const uint8_t *mask; /* NULL: none */
} all;

static rug_status keep(void *user, const rug_lbp_rows *rows)
{
    all *a = user;
    const double *codes = rows->codes;
    for (size_t i = 0; rows->op == a->op && i < rows->n * rows->nx; i++)
        if (a->mask == NULL || a->mask[rows->first * NX + i] != 0)
            a->values[a->n++] = isnan(codes[i]) ? 0 : codes[i];
    return RUG_OK;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void collect(rug_context *ctx, all *a, const rug_image *img)
{
    rug_lbp_options opts = two_operators();
    rug_lbp_result *result;
    opts.method = RUG_LBP_VAR;
    opts.map = keep;
    opts.map_user = a;
    if (rug_lbp(ctx, &result, img, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    rug_lbp_free(result);
    qsort(a->values, a->n, sizeof a->values[0], compare);
}

static size_t n_below(const all *a, double limit)
{
    size_t n = 0;
    while (n < a->n && a->values[n] < limit)
        n++;
    return n;
}

/* Each cut lies where its quantile does, but for variances that are within 2^-8 of it. */
static void assert_quantiles(const all *a, uint32_t n_bins, const double *cuts,
                             uint32_t n_cuts)
{
    const double step = 1.0 / 128;
    assert_true(n_cuts >= 1 && n_cuts < n_bins);
    for (uint32_t i = 0; i < n_cuts; i++) {
        assert_true(i == 0 || cuts[i] > cuts[i - 1]);
        size_t n = n_below(a, cuts[i]);
        assert_true(n > 0 && n < a->n);
    }
    for (uint32_t k = 1; k < n_bins; k++) {
        double rank = (double)a->n * k / n_bins, nearest = INFINITY, at = 0;
        for (uint32_t i = 0; i < n_cuts; i++) {
            double distance = fabs((double)n_below(a, cuts[i]) - rank);
            at = distance < nearest ? cuts[i] : at;
            nearest = distance < nearest ? distance : nearest;
        }
        /* no value may lie between the rank and the cut but those near its own */
        double value = a->values[(size_t)rank < a->n ? (size_t)rank : a->n - 1];
        size_t near =
            n_below(a, value * (1 + step) + 1e-300) - n_below(a, value * (1 - step));
        if (nearest > (double)near + 1)
            fail_msg("quantile %u of %u: cut %g is %g ranks away", k, n_bins, at,
                     nearest);
    }
}

static rug_lbp_variances *variances_of(rug_context *ctx, const rug_image *const *images,
                                       size_t n, const rug_source *mask)
{
    rug_lbp_options opts = two_operators();
    rug_lbp_variances *v;
    assert_int_equal(rug_lbp_variances_new(ctx, &v, &opts), RUG_OK);
    for (size_t i = 0; i < n; i++) {
        rug_source source = source_of_image(images[i]);
        if (rug_lbp_variances_add(ctx, v, &source, mask) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
    }
    return v;
}

static void quantiles_of_random_images(void **state)
{
    (void)state;
    static uint8_t pixels[2][PIXELS], mask_pixels[PIXELS];
    uint64_t seed = 11;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < PIXELS; i++)
        mask_pixels[i] = test_below(&seed, 3) > 0;
    for (int round = 0; round < 12; round++) {
        static all a;
        rug_context *ctx = test_context();
        rug_context_set_threads(ctx, 1 + round % 4);
        fill(pixels[0], seed++, round % 2 ? 256 : 3);
        fill(pixels[1], seed++, 40);
        rug_image images[] = {test_u8(pixels[0], 0, NY, NX),
                              test_u8(pixels[1], 0, NY, NX)};
        rug_image mask = test_u8(mask_pixels, 0, NY, NX);
        const rug_image *order[] = {&images[0], &images[1]},
                        *reverse[] = {&images[1], &images[0]};
        rug_source inside = source_of_image(&mask);
        if (round % 2)
            inside.read = test_read_layers;
        const rug_source *used = round % 3 == 0 ? &inside : NULL;
        rug_lbp_variances *v = variances_of(ctx, order, 2, used),
                          *w = variances_of(ctx, reverse, 2, used);
        for (uint32_t op = 0; op < 2; op++)
            for (uint32_t n_bins = 2; n_bins < 40; n_bins += 5) {
                double cuts[64], others[64];
                uint32_t n, n_others;
                a = (all){.op = op, .mask = used != NULL ? mask_pixels : NULL};
                collect(ctx, &a, &images[0]);
                collect(ctx, &a, &images[1]);
                assert_int_equal(rug_lbp_variances_cuts(ctx, v, op, n_bins, cuts, &n),
                                 RUG_OK);
                assert_quantiles(&a, n_bins, cuts, n);
                assert_int_equal(
                    rug_lbp_variances_cuts(ctx, w, op, n_bins, others, &n_others),
                    RUG_OK);
                assert_int_equal(n, n_others);
                assert_memory_equal(cuts, others, n * sizeof *cuts);
            }
        rug_lbp_variances_free(v);
        rug_lbp_variances_free(w);
        rug_context_free(ctx);
    }
}

/* Bins between the cuts hold about the same number of pixels where all values differ. */
static void bins_of_equal_frequency(void **state)
{
    (void)state;
    static double pixels[PIXELS];
    uint64_t seed = 3;
    for (size_t i = 0; i < PIXELS; i++)
        pixels[i] = (double)test_below(&seed, (uint64_t)1 << 40);
    rug_context *ctx = test_context();
    const size_t shape[2] = {NY, NX};
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_F64, 2, shape), RUG_OK);
    const rug_image *images[] = {&img};
    rug_lbp_variances *v = variances_of(ctx, images, 1, NULL);
    double cuts[7];
    rug_lbp_operator op = {8, 1, cuts, 0};
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    rug_lbp_result *result;
    assert_int_equal(rug_lbp_variances_cuts(ctx, v, 0, 8, cuts, &op.n_cuts), RUG_OK);
    assert_int_equal(op.n_cuts, 7);
    opts.method = RUG_LBP_VAR;
    opts.operators = &op;
    opts.n_operators = 1;
    assert_int_equal(rug_lbp(ctx, &result, &img, &opts), RUG_OK);
    for (int b = 0; b < 8; b++)
        assert_true(fabs((double)rug_lbp_at(result, 0)->bins[b] - PIXELS / 8.0) <
                    PIXELS / 100.0);
    rug_lbp_free(result);
    rug_lbp_variances_free(v);
    rug_context_free(ctx);
}

static void what_cannot_be_parted(void **state)
{
    (void)state;
    static uint8_t flat[PIXELS], mask_pixels[PIXELS];
    rug_context *ctx = test_context();
    rug_image img = test_u8(flat, 0, NY, NX), small = test_u8(flat, 0, 3, 3);
    const rug_image *images[] = {&img};
    rug_lbp_options opts = two_operators();
    double cuts[8];
    uint32_t n;
    opts.border = RUG_LBP_BORDER_SKIP; /* the frame of zeros has a variance of its own */
    rug_lbp_variances *v;
    assert_int_equal(rug_lbp_variances_new(ctx, &v, &opts), RUG_OK);
    rug_source source = source_of_image(&img), wrong = source_of_image(&small);
    assert_int_equal(rug_lbp_variances_cuts(ctx, v, 0, 4, cuts, &n), RUG_E_ARG);
    assert_int_equal(rug_lbp_variances_add(ctx, v, &source, NULL), RUG_OK);
    assert_int_equal(rug_lbp_variances_cuts(ctx, v, 0, 4, cuts, &n), RUG_E_ARG);
    assert_says(ctx, "cannot be divided");
    assert_int_equal(n, 0);
    assert_int_equal(rug_lbp_variances_cuts(ctx, v, 2, 4, cuts, &n), RUG_E_ARG);
    assert_int_equal(rug_lbp_variances_cuts(ctx, v, 0, 1, cuts, &n), RUG_E_ARG);
    assert_int_equal(rug_lbp_variances_cuts(ctx, v, 0, 1025, cuts, &n), RUG_E_ARG);
    assert_int_equal(rug_lbp_variances_add(ctx, v, &source, &wrong), RUG_E_ARG);
    assert_int_equal(rug_lbp_variances_add(ctx, v, NULL, NULL), RUG_E_ARG);
    rug_lbp_variances_free(v);
    rug_lbp_variances_free(NULL);
    rug_image mask = test_u8(mask_pixels, 0, NY, NX); /* nothing is inside */
    rug_source inside = source_of_image(&mask);
    v = variances_of(ctx, images, 1, &inside);
    assert_int_equal(rug_lbp_variances_cuts(ctx, v, 0, 4, cuts, &n), RUG_E_ARG);
    rug_lbp_variances_free(v);
    opts.n_operators = 17;
    assert_int_equal(rug_lbp_variances_new(ctx, &v, &opts), RUG_E_ARG);
    assert_null(v);
    rug_context_free(ctx);
}

/* A model takes results of its own operators only. */
static void results_of_others(void **state)
{
    (void)state;
    static uint8_t pixels[PIXELS];
    fill(pixels, 1, 200);
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, NY, NX);
    rug_lbp_options opts = two_operators(), other = opts;
    rug_lbp_model *model;
    rug_lbp_result *result;
    rug_lbp_verdict verdict = RUG_LBP_VERDICT_INIT;
    assert_int_equal(rug_lbp_model_new(ctx, &model, &opts), RUG_OK);
    assert_int_equal(rug_lbp_model_get_options(ctx, &other, model), RUG_OK);
    assert_int_equal(rug_lbp_model_get_options(ctx, NULL, model), RUG_E_ARG);
    assert_int_equal(rug_lbp(ctx, &result, &img, &other), RUG_OK);
    assert_int_equal(rug_lbp_model_add(ctx, model, "a", "s", result), RUG_OK);
    assert_memory_equal(rug_lbp_model_sample(model, 0)->bins, rug_lbp_at(result, 0)->bins,
                        10 * sizeof(uint64_t));
    assert_memory_equal(rug_lbp_model_sample(model, 0)->bins + 10,
                        rug_lbp_at(result, 1)->bins, 7 * sizeof(uint64_t));
    assert_int_equal(rug_lbp_model_classify(ctx, &verdict, model, result, NULL), RUG_OK);
    assert_string_equal(verdict.predicted, "a");
    rug_lbp_free(result);
    for (int k = 0; k < 3; k++) {
        rug_source ones = source_of_image(&img);
        other = opts;
        if (k == 0)
            other.n_operators = 1;
        else if (k == 1)
            other.method = RUG_LBP_ROR;
        else
            other.labels = &ones;
        assert_int_equal(rug_lbp(ctx, &result, &img, &other), RUG_OK);
        assert_int_equal(rug_lbp_model_add(ctx, model, "b", "s", result), RUG_E_ARG);
        assert_says(ctx, "not those of the model");
        assert_int_equal(rug_lbp_model_classify(ctx, &verdict, model, result, NULL),
                         RUG_E_ARG);
        rug_lbp_free(result);
    }
    assert_int_equal(rug_lbp_model_n_classes(model), 1);
    rug_lbp_model_free(model);
    rug_context_free(ctx);
}

static rug_status work(rug_context *ctx, const rug_image *img)
{
    rug_lbp_options opts = two_operators();
    rug_lbp_variances *v;
    rug_source source = source_of_image(img);
    rug_status status = rug_lbp_variances_new(ctx, &v, &opts);
    if (status == RUG_OK)
        status = rug_lbp_variances_add(ctx, v, &source, NULL);
    rug_lbp_variances_free(v);
    return status;
}

static void memory_that_runs_out(void **state)
{
    (void)state;
    static uint8_t pixels[PIXELS];
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, NY, NX);
    memory m = {0};
    memory_hook(ctx, &m);
    rug_context_set_threads(ctx, 1);
    assert_int_equal(work(ctx, &img), RUG_OK);
    size_t n = m.n_calls;
    for (size_t k = 1; k <= n; k++) {
        m.n_calls = 0;
        m.fail_at = k;
        assert_int_equal(work(ctx, &img), RUG_E_NOMEM);
        assert_int_equal(m.n_live, 0);
    }
    assert_int_equal(m.n_wrong, 0);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_of_random_images),
        cmocka_unit_test(bins_of_equal_frequency),
        cmocka_unit_test(what_cannot_be_parted),
        cmocka_unit_test(results_of_others),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
