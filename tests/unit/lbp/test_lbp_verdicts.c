/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Verdicts of a peer: the class and the distance of the nearest sample by chi-square, for
 * photographs of ten materials, from the same histograms. */

#include "support.h"

#include "golden_support.h"
#include <math.h>
#include <stdlib.h>

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
            rug_lbp_verdict v;
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_by_chi2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
