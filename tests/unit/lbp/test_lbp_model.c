/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Texture models from bins: scores worked by hand, ties, nearest samples, empty images,
 * what is refused, memory that runs out, and the verdicts of a peer. */

#include "support.h"

#include "golden_support.h"
#include "memory_support.h"
#include "model_support.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ABOUT(a, b) assert_true(fabs((a) - (b)) < 1e-12)

static rug_lbp_verdict classify(rug_context *ctx, const rug_lbp_model *model,
                                const uint64_t *bins, rug_lbp_score score, int nearest,
                                double alpha)
{
    rug_lbp_classify_options opts = RUG_LBP_CLASSIFY_OPTIONS_INIT;
    rug_lbp_verdict verdict = RUG_LBP_VERDICT_INIT;
    opts.score = score;
    opts.nearest_sample = nearest;
    opts.alpha = alpha;
    if (rug_lbp_model_classify_bins(ctx, &verdict, model, bins, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return verdict;
}

/* Class "low" has bins 3 1, class "high" 1 3; an image has 2 1. */
static void scores_by_hand(void **state)
{
    (void)state;
    const uint64_t low[] = {3, 1}, high[] = {1, 3}, image[] = {2, 1};
    rug_context *ctx = test_context();
    rug_lbp_model *model = bit_model(ctx, 1);
    add(ctx, model, "low", "a", low);
    add(ctx, model, "high", "b", high);

    /* M = (4/6, 2/6) and (2/6, 4/6) with alpha 1 */
    rug_lbp_verdict v = classify(ctx, model, image, RUG_LBP_LOG_LIKELIHOOD, 0, 1);
    assert_string_equal(v.predicted, "low");
    assert_string_equal(v.second, "high");
    assert_null(v.nearest);
    ABOUT(v.score, 2 * log(2.0 / 3) + log(1.0 / 3));
    ABOUT(v.margin, log(2));

    /* M = (5/8, 3/8) with alpha 2 */
    v = classify(ctx, model, image, RUG_LBP_LOG_LIKELIHOOD, 0, 2);
    ABOUT(v.score, 2 * log(5.0 / 8) + log(3.0 / 8));

    /* S = (2/3, 1/3); M = (3/4, 1/4), (1/4, 3/4) */
    v = classify(ctx, model, image, RUG_LBP_CHI2, 0, 1);
    assert_string_equal(v.predicted, "low");
    ABOUT(v.score, 1.0 / 204 + 1.0 / 84);
    ABOUT(v.margin, 25.0 / 132 + 25.0 / 156 - v.score);

    v = classify(ctx, model, image, RUG_LBP_G, 0, 1);
    assert_string_equal(v.predicted, "low");
    ABOUT(v.score, 0);
    ABOUT(v.margin, 2 * (2.0 / 3 * log(2) + 1.0 / 3 * log(0.5)));
    rug_lbp_model_free(model);
    rug_context_free(ctx);
}

/* What no operator has seen costs, and does not make a score infinite. */
static void a_bin_that_the_class_lacks(void **state)
{
    (void)state;
    const uint64_t low[] = {4, 0}, image[] = {0, 3};
    rug_context *ctx = test_context();
    rug_lbp_model *model = bit_model(ctx, 1);
    add(ctx, model, "low", "a", low);
    rug_lbp_verdict v = classify(ctx, model, image, RUG_LBP_LOG_LIKELIHOOD, 0, 0.5);
    ABOUT(v.score, 3 * log(0.5 / 5));
    assert_null(v.second);
    assert_true(isnan(v.margin));
    ABOUT(classify(ctx, model, image, RUG_LBP_CHI2, 0, 1).score, 2);
    rug_lbp_model_free(model);
    rug_context_free(ctx);
}

/* With alpha 0 a class that lacks a pattern of the image is ruled out, whatever its other
 * bins are; 0 ln 0 is 0. Classes: 2 2, 4 0 and 0 4. */
static void no_smoothing(void **state)
{
    (void)state;
    const uint64_t both[] = {2, 2}, low[] = {4, 0}, high[] = {0, 4};
    const uint64_t mixed[] = {1, 1}, lows[] = {2, 0};
    static const rug_lbp_score scores[] = {RUG_LBP_LOG_LIKELIHOOD, RUG_LBP_G};
    rug_context *ctx = test_context();
    rug_lbp_model *model = bit_model(ctx, 1);
    add(ctx, model, "both", "a", both);
    add(ctx, model, "low", "b", low);
    add(ctx, model, "high", "c", high);
    for (int nearest = 0; nearest < 2; nearest++) {
        rug_lbp_verdict v =
            classify(ctx, model, mixed, RUG_LBP_LOG_LIKELIHOOD, nearest, 0);
        assert_string_equal(v.predicted, "both");
        ABOUT(v.score, -2 * log(2));
        assert_null(v.second);
        assert_true(isnan(v.margin));
        assert_int_equal(v.n_ruled_out, 2);
        v = classify(ctx, model, lows, RUG_LBP_LOG_LIKELIHOOD, nearest, 0);
        assert_string_equal(v.predicted, "low");
        assert_true(v.score == 0);
        assert_string_equal(v.second, "both");
        ABOUT(v.margin, 2 * log(2));
        assert_int_equal(v.n_ruled_out, 1);
        v = classify(ctx, model, lows, RUG_LBP_G, nearest, 0);
        assert_string_equal(v.predicted, "low");
        assert_string_equal(v.second, "both");
        ABOUT(v.score, 0);
        ABOUT(v.margin, 2 * log(2));
        assert_int_equal(v.n_ruled_out, 1);
    }
    rug_lbp_model_free(model);

    model = bit_model(ctx, 1);
    add(ctx, model, "low", "b", low);
    add(ctx, model, "high", "c", high);
    for (int i = 0; i < 4; i++) {
        rug_lbp_verdict v = classify(ctx, model, mixed, scores[i / 2], i % 2, 0);
        assert_null(v.predicted);
        assert_null(v.second);
        assert_null(v.nearest);
        assert_true(isnan(v.score) && isnan(v.margin));
        assert_int_equal(v.n_ruled_out, 2);
    }
    assert_int_equal(classify(ctx, model, mixed, RUG_LBP_CHI2, 0, 0).n_ruled_out, 0);
    rug_lbp_model_free(model);
    rug_context_free(ctx);
}

static void operators_add_up(void **state)
{
    (void)state;
    const uint64_t bins[] = {3, 1, 1, 3}, image[] = {2, 1, 0, 5};
    rug_context *ctx = test_context();
    rug_lbp_model *model = bit_model(ctx, 2);
    assert_int_equal(rug_lbp_model_n_bins(model), 4);
    add(ctx, model, "low", "a", bins);
    rug_lbp_verdict v = classify(ctx, model, image, RUG_LBP_LOG_LIKELIHOOD, 0, 1);
    ABOUT(v.score, 2 * log(2.0 / 3) + log(1.0 / 3) + 5 * log(2.0 / 3));
    v = classify(ctx, model, image, RUG_LBP_CHI2, 0, 1);
    ABOUT(v.score, 1.0 / 204 + 1.0 / 84 + 1.0 / 4 + 1.0 / 28);
    rug_lbp_model_free(model);
    rug_context_free(ctx);
}

/* The class is near on the whole, but another class has the sample that is nearest. */
static void nearest_sample(void **state)
{
    (void)state;
    const uint64_t a[] = {10, 0}, b[] = {0, 10}, c[] = {6, 4}, image[] = {11, 9};
    rug_context *ctx = test_context();
    rug_lbp_model *model = bit_model(ctx, 1);
    add(ctx, model, "wide", "a", a);
    add(ctx, model, "narrow", "c", c);
    add(ctx, model, "wide", "b", b);
    for (int score = 0; score <= RUG_LBP_G; score++) {
        rug_lbp_verdict v = classify(ctx, model, image, (rug_lbp_score)score, 1, 0.1);
        assert_string_equal(v.predicted, "narrow");
        assert_string_equal(v.nearest, "c");
        assert_string_equal(v.second, "wide");
    }
    /* all of "wide" together is 10 10, which equals 11 9 a little more than 6 4 does */
    assert_string_equal(classify(ctx, model, image, RUG_LBP_CHI2, 0, 1).predicted,
                        "wide");
    assert_int_equal(rug_lbp_model_n_classes(model), 2);
    assert_int_equal(rug_lbp_model_n_samples(model), 3);
    assert_string_equal(rug_lbp_model_class(model, 1), "narrow");
    assert_null(rug_lbp_model_class(model, 2));
    const rug_lbp_sample *sample = rug_lbp_model_sample(model, 2);
    assert_int_equal(sample->class_index, 0);
    assert_string_equal(sample->name, "b");
    assert_int_equal(sample->bins[1], 10);
    assert_null(rug_lbp_model_sample(model, 3));
    rug_lbp_model_free(model);
    rug_context_free(ctx);
}

static void of_equals_the_first(void **state)
{
    (void)state;
    const uint64_t same[] = {5, 3}, other[] = {1, 7}, image[] = {5, 4};
    rug_context *ctx = test_context();
    rug_lbp_model *model = bit_model(ctx, 1);
    add(ctx, model, "z", "other", other);
    add(ctx, model, "m", "first", same);
    add(ctx, model, "z", "late", same);
    add(ctx, model, "a", "last", same);
    for (int score = 0; score <= RUG_LBP_G; score++) {
        rug_lbp_verdict v = classify(ctx, model, image, (rug_lbp_score)score, 1, 1);
        assert_string_equal(v.predicted, "m");
        assert_string_equal(v.nearest, "first");
        assert_string_equal(v.second, "z"); /* its sample came before that of "a" */
        assert_true(v.margin == 0);
    }
    rug_lbp_verdict v = classify(ctx, model, image, RUG_LBP_CHI2, 0, 1);
    assert_string_equal(v.predicted, "m");
    assert_string_equal(v.second, "a");
    rug_lbp_model_free(model);
    rug_context_free(ctx);
}

static void an_empty_image_has_no_class(void **state)
{
    (void)state;
    const uint64_t bins[] = {3, 1, 1, 3}, none[] = {0, 0, 0, 0}, half[] = {1, 0, 0, 0};
    rug_context *ctx = test_context();
    rug_lbp_model *model = bit_model(ctx, 2);
    add(ctx, model, "a", "a", bins);
    for (int score = 0; score <= RUG_LBP_G; score++) {
        rug_lbp_verdict v = classify(ctx, model, none, (rug_lbp_score)score, 0, 1);
        assert_null(v.predicted);
        assert_null(v.second);
        assert_true(isnan(v.score) && isnan(v.margin));
        assert_null(classify(ctx, model, half, (rug_lbp_score)score, 1, 1).predicted);
    }
    assert_int_equal(rug_lbp_model_add_bins(ctx, model, "b", "half", half), RUG_E_ARG);
    assert_says(ctx, "half: no pixel has a code of (1, 2)");
    assert_int_equal(rug_lbp_model_n_classes(model), 1);
    rug_lbp_model_free(model);
    rug_context_free(ctx);
}

static void what_is_refused(void **state)
{
    (void)state;
    const uint64_t good[] = {1, 1}, much[] = {(uint64_t)1 << 53, 1},
                   most[] = {(uint64_t)1 << 53, 0}, over[] = {UINT64_MAX, 2};
    rug_context *ctx = test_context();
    rug_lbp_model *model = bit_model(ctx, 1), *other = model;
    rug_lbp_verdict v = RUG_LBP_VERDICT_INIT;
    rug_lbp_classify_options opts = RUG_LBP_CLASSIFY_OPTIONS_INIT;
    assert_int_equal(rug_lbp_model_classify_bins(ctx, &v, model, good, NULL), RUG_E_ARG);
    assert_says(ctx, "no class");
    assert_int_equal(rug_lbp_model_add_bins(ctx, model, "", "s", good), RUG_E_ARG);
    assert_int_equal(rug_lbp_model_add_bins(ctx, model, NULL, "s", good), RUG_E_ARG);
    assert_int_equal(rug_lbp_model_add_bins(ctx, model, "a", "s", much), RUG_E_ARG);
    assert_int_equal(rug_lbp_model_add_bins(ctx, model, "a", "s", over), RUG_E_ARG);
    assert_says(ctx, "2^53");
    add(ctx, model, "a", "s", most);
    assert_int_equal(rug_lbp_model_add_bins(ctx, model, "a", "t", good), RUG_E_ARG);
    assert_int_equal(rug_lbp_model_classify_bins(ctx, &v, model, over, NULL), RUG_E_ARG);
    opts.alpha = -1;
    assert_int_equal(rug_lbp_model_classify_bins(ctx, &v, model, good, &opts), RUG_E_ARG);
    opts.alpha = (double)NAN;
    assert_int_equal(rug_lbp_model_classify_bins(ctx, &v, model, good, &opts), RUG_E_ARG);
    assert_says(ctx, "alpha");
    opts = (rug_lbp_classify_options)RUG_LBP_CLASSIFY_OPTIONS_INIT;
    opts.score = (rug_lbp_score)3;
    assert_int_equal(rug_lbp_model_classify_bins(ctx, &v, model, good, &opts), RUG_E_ARG);
    opts.struct_size = 3;
    assert_int_equal(rug_lbp_model_classify_bins(ctx, &v, model, good, &opts), RUG_E_ARG);
    v.struct_size = 0;
    assert_int_equal(rug_lbp_model_classify_bins(ctx, &v, model, good, NULL), RUG_E_ARG);
    assert_says(ctx, "rug_lbp_verdict");
    assert_int_equal(rug_lbp_model_classify_bins(ctx, NULL, model, good, NULL),
                     RUG_E_ARG);

    rug_lbp_options lbp = bit_options(1);
    lbp.method = RUG_LBP_VAR; /* without cuts */
    assert_int_equal(rug_lbp_model_new(ctx, &other, &lbp), RUG_E_ARG);
    assert_null(other);
    assert_says(ctx, "cuts");
    lbp = bit_options(1);
    lbp.planes = RUG_LBP_PLANES_XY;
    assert_int_equal(rug_lbp_model_new(ctx, &other, &lbp), RUG_E_ARG);
    lbp = bit_options(0);
    assert_int_equal(rug_lbp_model_new(ctx, &other, &lbp), RUG_E_ARG);
    rug_lbp_model_free(model);
    rug_lbp_model_free(NULL);
    rug_context_free(ctx);
}

/* Beyond them finding a class, and a table of classes, would take too long. */
static void more_classes_than_there_may_be(void **state)
{
    (void)state;
    const uint64_t bins[] = {1, 2};
    char name[16];
    rug_context *ctx = test_context();
    rug_lbp_model *model = bit_model(ctx, 1);
    for (int i = 0; i < RUG_LBP_MAX_CLASSES; i++) {
        snprintf(name, sizeof name, "%d", i);
        add(ctx, model, name, "s", bins);
    }
    assert_int_equal(rug_lbp_model_add_bins(ctx, model, "more", "s", bins), RUG_E_ARG);
    assert_says(ctx, "4096 classes");
    add(ctx, model, "7", "s", bins);
    assert_int_equal(rug_lbp_model_n_classes(model), RUG_LBP_MAX_CLASSES);
    rug_lbp_model_free(model);
    rug_context_free(ctx);
}

/* Whatever alpha is allowed, scores are numbers. */
static void the_least_and_the_largest_alpha(void **state)
{
    (void)state;
    const uint64_t some[] = {(uint64_t)1 << 52, 0}, other[] = {0, (uint64_t)1 << 53};
    static const double good[] = {1e-100, 1e100}, bad[] = {9e-101, 2e100, INFINITY};
    rug_lbp_classify_options opts = RUG_LBP_CLASSIFY_OPTIONS_INIT;
    rug_lbp_verdict v = RUG_LBP_VERDICT_INIT;
    rug_context *ctx = test_context();
    rug_lbp_model *model = bit_model(ctx, 1);
    add(ctx, model, "a", "s", some);
    add(ctx, model, "b", "s", some);
    for (int i = 0; i < 4; i++) {
        opts.score = i % 2 ? RUG_LBP_G : RUG_LBP_LOG_LIKELIHOOD;
        opts.alpha = good[i / 2];
        assert_int_equal(rug_lbp_model_classify_bins(ctx, &v, model, other, &opts),
                         RUG_OK);
        assert_true(isfinite(v.score) && v.margin == 0);
    }
    for (int i = 0; i < 3; i++) {
        opts.alpha = bad[i];
        assert_int_equal(rug_lbp_model_classify_bins(ctx, &v, model, other, &opts),
                         RUG_E_ARG);
        assert_says(ctx, "alpha");
    }
    rug_lbp_model_free(model);
    rug_context_free(ctx);
}

/* A model with cuts and two classes, and a verdict. @return the first failure */
static rug_status work(rug_context *ctx)
{
    static const double cuts[] = {1, 2};
    const rug_lbp_operator ops[] = {{1, 1, cuts, 2}, {1, 2, cuts, 1}};
    const uint64_t bins[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    rug_lbp_model *model;
    rug_lbp_verdict v = RUG_LBP_VERDICT_INIT;
    opts.method = RUG_LBP_DEFAULT;
    opts.operators = ops;
    opts.n_operators = 2;
    rug_status status = rug_lbp_model_new(ctx, &model, &opts);
    assert_true((status == RUG_OK) == (model != NULL));
    char name[] = "class 00";
    for (int i = 0; i < 20 && status == RUG_OK; i++) {
        name[6] = (char)('0' + i / 10);
        name[7] = (char)('0' + i % 10);
        status = rug_lbp_model_add_bins(ctx, model, name, "sample", bins);
        if (status != RUG_OK) /* nothing was added */
            assert_int_equal(rug_lbp_model_n_classes(model), i);
    }
    if (status == RUG_OK)
        status = rug_lbp_model_classify_bins(ctx, &v, model, bins, NULL);
    rug_lbp_model_free(model);
    return status;
}

static void memory_that_runs_out(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    memory m = {0};
    memory_hook(ctx, &m);
    assert_int_equal(work(ctx), RUG_OK);
    size_t n = m.n_calls;
    assert_true(n > 20);
    for (size_t k = 1; k <= n; k++) {
        m.n_calls = 0;
        m.fail_at = k;
        assert_int_equal(work(ctx), RUG_E_NOMEM);
        assert_int_equal(m.n_live, 0);
    }
    assert_int_equal(m.n_wrong, 0);
    rug_context_free(ctx);
}

/* ---- Verdicts of a peer ----
 *
 * The class and the distance of the nearest sample by chi-square, for photographs of ten
 * materials, from the same histograms. */

#define N_OPERATORS 3
#define MOST_BINS   26
#define MOST_FIELDS 32

static const rug_lbp_operator operators[N_OPERATORS] = {
    {8, 1, NULL, 0}, {16, 2, NULL, 0}, {24, 3, NULL, 0}};

/* A line of histograms: path, P, R, bins. */
typedef struct line {
    char path[64], class_name[32];
    int op, is_train;
    uint64_t bins[MOST_BINS];
} line;

static int next_line(FILE *file, line *l)
{
    char text[512];
    do {
        if (fgets(text, sizeof text, file) == NULL)
            return 0;
    } while (text[0] == '#');
    char *at = strtok(text, "\t");
    snprintf(l->path, sizeof l->path, "%s", at);
    l->is_train = strncmp(at, "train/", 6) == 0;
    const char *name = strchr(at, '/') + 1;
    snprintf(l->class_name, sizeof l->class_name, "%.*s", (int)strcspn(name, "/"), name);
    l->op = atoi(strtok(NULL, "\t")) / 8 - 1;
    strtok(NULL, "\t");
    uint32_t n = 0;
    while ((at = strtok(NULL, "\t\n")) != NULL && n < MOST_BINS)
        l->bins[n++] = strtoull(at, NULL, 10);
    assert_int_equal(n, operators[l->op].points + 2);
    return 1;
}

static FILE *open_histograms(void)
{
    FILE *file = fopen(test_data("golden/lbp_hist_rot10.tsv"), "r");
    assert_non_null(file);
    return file;
}

/* Looks up the peer's verdict on an image. */
static void assert_verdict(const line *l, const rug_lbp_verdict *v)
{
    golden_row row;
    FILE *file = golden_open("lbp_predictions_rot10", "path", 8);
    int found = 0;
    while (!found && golden_next(file, &row))
        found = strcmp(row.field[0], l->path) == 0;
    fclose(file);
    assert_true(found);
    assert_string_equal(v->predicted, row.field[2 + 2 * l->op]);
    assert_true(fabs(v->score - strtod(row.field[3 + 2 * l->op], NULL)) < 1e-12);
}

static void nearest_by_chi2(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_lbp_model *models[N_OPERATORS];
    rug_lbp_classify_options how = RUG_LBP_CLASSIFY_OPTIONS_INIT;
    how.score = RUG_LBP_CHI2;
    how.nearest_sample = 1;
    for (int op = 0; op < N_OPERATORS; op++) {
        rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
        opts.operators = &operators[op];
        opts.n_operators = 1;
        assert_int_equal(rug_lbp_model_new(ctx, &models[op], &opts), RUG_OK);
    }
    line l;
    size_t n_train = 0, n_test = 0;
    FILE *file = open_histograms();
    while (next_line(file, &l))
        if (l.is_train) {
            n_train++;
            assert_int_equal(
                rug_lbp_model_add_bins(ctx, models[l.op], l.class_name, l.path, l.bins),
                RUG_OK);
        }
    rewind(file);
    while (next_line(file, &l))
        if (!l.is_train) {
            rug_lbp_verdict v = RUG_LBP_VERDICT_INIT;
            n_test++;
            assert_int_equal(
                rug_lbp_model_classify_bins(ctx, &v, models[l.op], l.bins, &how), RUG_OK);
            assert_verdict(&l, &v);
        }
    fclose(file);
    assert_int_equal(n_train, 240);
    assert_int_equal(n_test, 180);
    for (int op = 0; op < N_OPERATORS; op++)
        rug_lbp_model_free(models[op]);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_by_hand),
        cmocka_unit_test(a_bin_that_the_class_lacks),
        cmocka_unit_test(no_smoothing),
        cmocka_unit_test(operators_add_up),
        cmocka_unit_test(nearest_sample),
        cmocka_unit_test(of_equals_the_first),
        cmocka_unit_test(an_empty_image_has_no_class),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(more_classes_than_there_may_be),
        cmocka_unit_test(the_least_and_the_largest_alpha),
        cmocka_unit_test(memory_that_runs_out),
        cmocka_unit_test(nearest_by_chi2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
