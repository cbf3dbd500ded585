/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Ten materials from the shared data set, trained at one angle and tested at six: accuracy
 * by the nearest sample and chi-square is that of a peer, for every operator and angle. */

#include "support.h"

#include "golden_support.h"
#include <rugose/io.h>
#include <stdlib.h>

#define N_ANGLES 6

static const rug_lbp_operator operators[] = {
    {8, 1, NULL, 0}, {16, 2, NULL, 0}, {24, 3, NULL, 0}};

/* What a row of the peer's table is made with. */
static const struct {
    const char *name;
    rug_lbp_method method;
    uint32_t first, n; /* operators */
} rows[] = {
    {"riu2_8_1", RUG_LBP_RIU2, 0, 1},           {"riu2_16_2", RUG_LBP_RIU2, 1, 1},
    {"riu2_24_3", RUG_LBP_RIU2, 2, 1},          {"u2_8_1", RUG_LBP_NRI_UNIFORM, 0, 1},
    {"plain_8_1", RUG_LBP_DEFAULT, 0, 1},       {"ror_8_1", RUG_LBP_ROR, 0, 1},
    {"riu2_8_1+16_2+24_3", RUG_LBP_RIU2, 0, 3},
};

#define N_ROWS (sizeof rows / sizeof rows[0])

static rug_context *ctx;

static rug_lbp_model *make_model(size_t row)
{
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    rug_lbp_model *model;
    opts.method = rows[row].method;
    opts.border = RUG_LBP_BORDER_SKIP;
    opts.operators = operators + rows[row].first;
    opts.n_operators = rows[row].n;
    if (rug_lbp_model_new(ctx, &model, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return model;
}

static int is_training(const golden_row *line)
{
    return strncmp(line->field[0], "train/", 6) == 0;
}

/* Codes an image by a model, and either adds it or asks for its class. @return whether
 * that is right */
static int use_image(rug_lbp_model *model, const golden_row *line, const rug_image *img)
{
    rug_lbp_result *result = NULL;
    rug_lbp_verdict verdict = RUG_LBP_VERDICT_INIT;
    rug_lbp_options coding = RUG_LBP_OPTIONS_INIT;
    rug_lbp_classify_options how = RUG_LBP_CLASSIFY_OPTIONS_INIT;
    how.score = RUG_LBP_CHI2;
    how.nearest_sample = 1;
    rug_status status = rug_lbp_model_get_options(ctx, &coding, model);
    if (status == RUG_OK)
        status = rug_lbp(ctx, &result, img, &coding);
    if (status == RUG_OK)
        status =
            is_training(line)
                ? rug_lbp_model_add(ctx, model, line->field[1], line->field[0], result)
                : rug_lbp_model_classify(ctx, &verdict, model, result, &how);
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    rug_lbp_free(result);
    return verdict.predicted != NULL && strcmp(verdict.predicted, line->field[1]) == 0;
}

static FILE *open_table(const char *name)
{
    char path[1024];
    golden_row head;
    snprintf(path, sizeof path, "%s/%s", test_shared_data(), name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    assert_true(golden_next(file, &head));
    return file;
}

/* One image for all models. */
static void use_line(rug_lbp_model *const *models, const golden_row *line,
                     int right[N_ROWS][N_ANGLES])
{
    char path[1024];
    rug_file *file;
    int angle = atoi(line->field[2]) / 30;
    assert_true(angle >= 0 && angle < N_ANGLES);
    snprintf(path, sizeof path, "%s/textures/rot10/%s", test_shared_data(),
             line->field[0]);
    if (rug_file_read(ctx, &file, path, NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    for (size_t row = 0; row < N_ROWS; row++)
        right[row][angle] += use_image(models[row], line, rug_file_image(file));
    rug_file_free(file);
}

/* Counts what is right, by row and angle. */
static void count_right(int right[N_ROWS][N_ANGLES])
{
    rug_lbp_model *models[N_ROWS];
    golden_row line;
    for (size_t row = 0; row < N_ROWS; row++)
        models[row] = make_model(row);
    for (int testing = 0; testing < 2; testing++) {
        FILE *file = open_table("textures/rot10/index.tsv");
        while (golden_next(file, &line))
            if (is_training(&line) != testing)
                use_line(models, &line, right);
        fclose(file);
    }
    for (size_t row = 0; row < N_ROWS; row++)
        rug_lbp_model_free(models[row]);
}

static void accuracies(void **state)
{
    (void)state;
    if (test_shared_data() == NULL)
        skip();
    int right[N_ROWS][N_ANGLES] = {{0}};
    golden_row line;
    size_t row = 0;
    count_right(right);
    FILE *file = open_table("golden/lbp_classification_rot10.tsv");
    for (; golden_next(file, &line); row++) {
        assert_true(row < N_ROWS);
        assert_string_equal(line.field[0], rows[row].name);
        for (int a = 0; a < N_ANGLES; a++)
            if (right[row][a] != atoi(line.field[5 + a]))
                fail_msg("%s at %d degrees: %d right, %s expected", rows[row].name,
                         30 * a, right[row][a], line.field[5 + a]);
    }
    fclose(file);
    assert_int_equal(row, N_ROWS);
}

static int setup(void **state)
{
    (void)state;
    ctx = test_context();
    rug_context_set_threads(ctx, 1); /* the images are small */
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    rug_context_free(ctx);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(accuracies, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
