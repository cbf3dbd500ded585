/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose classify: the class of each image by a model of textures, the accuracy, and the
 * confusion matrix of true and predicted classes. */

#include "draw/draw.h"
#include "lbp/lbp_coding.h"
#include "overlay/overlay.h"
#include "shared/workers.h"
#include <inttypes.h>
#include <rugose/lbp_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of rug_lbp_score. */
#define SCORES "likelihood|chi2|g"

#define TRUE_COLUMN "true/predicted"
#define NONE_COLUMN "(none)"

/* A column's name may be that of a class; then it gets brackets until it is not. */
typedef struct column_name {
    char text[64];
} column_name;

/* Counts of images; rows are true classes: those of the model, then others as they come. */
typedef struct confusion {
    const rug_lbp_model *model;
    char **others; /* true classes that the model lacks; owned */
    size_t n_others;
    uint64_t *counts; /* [true][n_classes + 1], the last: no prediction; owned */
} confusion;

typedef struct classify_values {
    const char *model;
    int score;
    int nearest;
    double alpha;
    const char *confusion;
    const char *plot;
} classify_values;

/* The command's state over its images. */
typedef struct job {
    classify_values values;
    rug_lbp_model *model;
    rug_lbp_options coding; /* of the model */
    rug_lbp_classify_options how;
    confusion counts;
    size_t n_truths;
    cli_plots plots;
    char title[80]; /* of its plot: the accuracy */
} job;

static const cli_option options[] = {
    {CLI_OPTION("model", CLI_TEXT, "FILE.json", classify_values, model), .is_unlisted = 1,
     .help = "the model, as written by 'rugose train'; it says how images are coded "
             "(required)"},
    {CLI_OPTION("score", CLI_CHOICE, NULL, classify_values, score), .choices = SCORES,
     .help =
         "how histograms are compared: likelihood (default; the log-likelihood, the "
         "largest wins), chi2 (the smallest wins) or g (the G statistic, the smallest "
         "wins); the scores of several operators are added"},
    {CLI_OPTION("nearest", CLI_FLAG, NULL, classify_values, nearest),
     .help =
         "take the class of the single most similar sample; without this option images "
         "are compared with the sum of all samples of a class"},
    {CLI_OPTION("alpha", CLI_REAL, "A", classify_values, alpha), .max = RUG_LBP_MAX_ALPHA,
     .help =
         "number of pixels added to every bin of the model so that no bin is empty "
         "(default 1); 0 adds none: a class that lacks a pattern of the image is ruled "
         "out, and there is no prediction if all are; not used by chi2"},
    {CLI_OPTION("confusion", CLI_TEXT, "FILE", classify_values, confusion),
     .is_unlisted = 1,
     .help = "write the confusion matrix there (.csv, .json, .txt; - for standard "
             "output): rows are true classes, columns predicted ones"},
    {CLI_OPTION("plot", CLI_TEXT, "FILE", classify_values, plot), .is_unlisted = 1,
     .help =
         "draw the confusion matrix (.svg, .png, .pdf; .gp keeps the gnuplot script): the "
         "darker a tile, the larger its share of the true class"},
};

static const cli_example examples[] = {
    {"rugose classify --model stones.json unknown/*.png", "which stone is it?"},
    {"rugose classify --model stones.json --confusion - test/",
     "a folder for each class: accuracy and confusion matrix"},
    {"rugose classify --model m.json --score chi2 --nearest --list test.csv",
     "the nearest sample, from a list with the columns image,class"},
    {NULL, NULL},
};

static const char *const columns[] = {"image",  "predicted", "score",  "second",
                                      "margin", "true",      "status", NULL};

/* ---- True classes against predicted ones ---- */

static size_t n_columns(const confusion *c)
{
    return rug_lbp_model_n_classes(c->model) + 1;
}

static size_t n_rows(const confusion *c)
{
    return rug_lbp_model_n_classes(c->model) + c->n_others;
}

static uint64_t count_at(const confusion *c, size_t row, size_t column)
{
    return c->counts[row * n_columns(c) + column];
}

static const char *row_name(const confusion *c, size_t row)
{
    size_t n = rug_lbp_model_n_classes(c->model);
    return row < n ? rug_lbp_model_class(c->model, row) : c->others[row - n];
}

static int begin_confusion(confusion *c, const rug_lbp_model *model)
{
    *c = (confusion){.model = model};
    c->counts = calloc(n_rows(c) * n_columns(c), sizeof *c->counts);
    return c->counts != NULL ? 0 : -1;
}

static void free_confusion(confusion *c)
{
    for (size_t i = 0; i < c->n_others; i++)
        free(c->others[i]);
    free(c->others);
    free(c->counts);
}

/* A row of zeros for a class that the model lacks. */
static int add_class(confusion *c, const char *name)
{
    size_t n = n_rows(c), width = n_columns(c);
    uint64_t *counts = realloc(c->counts, (n + 1) * width * sizeof *counts);
    if (counts == NULL)
        return -1;
    c->counts = counts;
    memset(counts + n * width, 0, width * sizeof *counts);
    char **others = realloc(c->others, (c->n_others + 1) * sizeof *others);
    if (others == NULL)
        return -1;
    c->others = others;
    others[c->n_others] = strdup(name);
    if (others[c->n_others] == NULL)
        return -1;
    c->n_others++;
    return 0;
}

static size_t find_row(const confusion *c, const char *name)
{
    size_t row = 0;
    while (row < n_rows(c) && strcmp(row_name(c, row), name) != 0)
        row++;
    return row;
}

/* Counts an image. @param predicted  text of the model, or NULL. @return 0, or -1 */
static int count(confusion *c, const char *truth, const char *predicted)
{
    size_t row = find_row(c, truth), column = 0, none = n_columns(c) - 1;
    if (row == n_rows(c) && add_class(c, truth) != 0)
        return -1;
    while (predicted != NULL && column < none &&
           strcmp(rug_lbp_model_class(c->model, column), predicted) != 0)
        column++;
    c->counts[row * n_columns(c) + (predicted != NULL ? column : none)]++;
    return 0;
}

static uint64_t sum_of_row(const confusion *c, size_t row)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < n_columns(c); k++)
        sum += count_at(c, row, k);
    return sum;
}

static uint64_t right_of_row(const confusion *c, size_t row)
{
    return row < rug_lbp_model_n_classes(c->model) ? count_at(c, row, row) : 0;
}

/* A name as a terminal may have it: a model's may hold anything. */
typedef struct shown_name {
    char text[128];
} shown_name;

static shown_name show_name(const char *name)
{
    shown_name out;
    snprintf(out.text, sizeof out.text, "%s", name);
    for (char *at = out.text; *at != '\0'; at++)
        *at = (unsigned char)*at < ' ' || *at == 127 ? '?' : *at;
    return out;
}

/* True classes that the model lacks cannot be predicted. */
static void warn_of_others(cli_run *run, const confusion *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->n_others; i++)
        sum += sum_of_row(c, rug_lbp_model_n_classes(c->model) + i);
    if (c->n_others > 0)
        cli_warn(run,
                 "%" PRIu64 " image%s of %zu class%s that the model does not know, such "
                 "as '%s'; they count as wrong",
                 sum, sum == 1 ? " is" : "s are", c->n_others,
                 c->n_others == 1 ? "" : "es", show_name(c->others[0]).text);
}

/* Prints the accuracy, of all and of each class, where any truth is known, and puts it into
 * the head of the report. */
static void print_accuracy(cli_run *run, const confusion *c, char title[80])
{
    uint64_t sum = 0, right = 0;
    for (size_t row = 0; row < n_rows(c); row++) {
        sum += sum_of_row(c, row);
        right += right_of_row(c, row);
    }
    snprintf(title, 80, "no image has a true class");
    if (sum == 0)
        return;
    snprintf(title, 80, "%" PRIu64 " of %" PRIu64 " images right: %.2f %%", right, sum,
             100 * (double)right / (double)sum);
    warn_of_others(run, c);
    cli_record *accuracy = cli_record_new();
    cli_record_set_integer(accuracy, "correct", right);
    cli_record_set_integer(accuracy, "total", sum);
    cli_record_set_record(cli_report_head(run->report), "accuracy", accuracy);
    cli_clear_progress(run);
    cli_print(stderr, "accuracy %" PRIu64 "/%" PRIu64 " = %.2f %%", right, sum,
              100 * (double)right / (double)sum);
    for (size_t row = 0, n = 0; row < n_rows(c); row++)
        if (sum_of_row(c, row) > 0)
            cli_print(stderr, "%s%s %" PRIu64 "/%" PRIu64, n++ > 0 ? ", " : " (",
                      show_name(row_name(c, row)).text, right_of_row(c, row),
                      sum_of_row(c, row));
    cli_print(stderr, ")\n");
}

static column_name free_name(const confusion *c, const char *name)
{
    size_t n = rug_lbp_model_n_classes(c->model), i = 0;
    column_name out, inner;
    snprintf(out.text, sizeof out.text, "%s", name);
    while (i < n) {
        if (strcmp(rug_lbp_model_class(c->model, i++), out.text) != 0)
            continue;
        inner = out;
        snprintf(out.text, sizeof out.text, "(%.60s)", inner.text);
        i = 0;
    }
    return out;
}

/* The matrix: the column "true/predicted", one for each class, and "(none)". */
static cli_report *confusion_report(const confusion *c)
{
    size_t n = rug_lbp_model_n_classes(c->model);
    column_name truth = free_name(c, TRUE_COLUMN), none = free_name(c, NONE_COLUMN);
    const char **names = calloc(n + 3, sizeof *names);
    if (names == NULL)
        return NULL;
    names[0] = truth.text;
    for (size_t k = 0; k < n; k++)
        names[k + 1] = rug_lbp_model_class(c->model, k);
    names[n + 1] = none.text;
    cli_report *report = cli_report_new(names);
    for (size_t row = 0; report != NULL && row < n_rows(c); row++) {
        cli_record *r = cli_record_new();
        cli_record_set_text(r, truth.text, row_name(c, row));
        for (size_t k = 0; k <= n; k++)
            cli_record_set_integer(r, names[k + 1], count_at(c, row, k));
        cli_report_add(report, r);
    }
    free(names);
    return report;
}

/* ---- The command line ---- */

/* One of all images, however many there are. */
static const char *check_plot(cli_run *run, job *j)
{
    const char *name = j->values.plot;
    if (name != NULL && (strstr(name, "{}") != NULL || strstr(name, "{dir}") != NULL))
        return "--plot: there is one confusion matrix of all images, so its name holds no '{}' "
               "or '{dir}'";
    return cli_check_plots(run, &j->plots, name, 1);
}

static const char *check(cli_run *run, void *user)
{
    job *j = user;
    const classify_values *v = &j->values;
    j->how.score = (rug_lbp_score)v->score;
    j->how.nearest_sample = v->nearest;
    j->how.alpha = v->alpha;
    run->model = v->model;
    run->is_flat = 1;
    run->stays_here = 1; /* the matrix is of all images */
    if (v->model == NULL)
        return "--model FILE.json is missing";
    if (run->common.resume)
        return "--resume cannot be used here: the accuracy is that of one run";
    if (run->n_inputs == 0)
        return "no image is given";
    const char *problem = cli_check_masks(run);
    if (problem != NULL)
        return problem;
    if (v->alpha > 0 && v->alpha < RUG_LBP_MIN_ALPHA)
        return "--alpha: 0, or a number from 1e-100 to 1e100 expected";
    if (cli_is_given(&run->words, "alpha") && v->score == RUG_LBP_CHI2)
        return "--alpha is not used by --score chi2; leave it out";
    problem = cli_check_second_report(run, "confusion", v->confusion);
    return problem != NULL ? problem : check_plot(run, j);
}

static void describe(const cli_run *run, cli_record *p, const void *user)
{
    const job *j = user;
    cli_record_set_text(p, "model", j->values.model);
    cli_record_set_integer(p, "classes", rug_lbp_model_n_classes(j->model));
    cli_record_set_integer(p, "samples", rug_lbp_model_n_samples(j->model));
    cli_lbp_describe(p, &j->coding);
    cli_describe_own(run, p);
}

/* ---- Classifying ---- */

/* Whether each value of a row is there, or why not. */
static const char *status_of(const rug_lbp_verdict *v)
{
    if (v->predicted == NULL)
        return v->n_ruled_out > 0 ? "all ruled out" : "no pixels";
    return v->second == NULL && v->n_ruled_out > 0 ? "others ruled out" : "ok";
}

/* Without --alpha 0 none is ruled out. */
static void warn_of_ruled_out(cli_run *run, const job *j, const rug_lbp_verdict *v)
{
    size_t n = rug_lbp_model_n_classes(j->model);
    if (v->n_ruled_out == n)
        cli_warn(
            run,
            "no prediction: each of the %zu classes lacks a pattern of the image, and "
            "--alpha 0 decides nothing among them; give more, such as --alpha 1",
            n);
    else if (v->n_ruled_out > 0)
        cli_warn(run,
                 "--alpha 0 rules out %" PRIu64
                 " of %zu classes, which lack a pattern of "
                 "the image",
                 v->n_ruled_out, n);
}

static void add_row(cli_run *run, const cli_image *image, const job *j,
                    const rug_lbp_verdict *v, const char *truth, const char *engine)
{
    cli_record *row = cli_image_row(run, image);
    cli_record_set_text(row, "predicted", v->predicted);
    cli_record_set_real(row, "score", v->score);
    cli_record_set_text(row, "second", v->second);
    cli_record_set_real(row, "margin", v->margin);
    cli_record_set_text(row, "true", truth);
    cli_record_set_text(row, "nearest", v->nearest);
    cli_record_set_text(row, "engine", engine);
    if (j->how.alpha == 0)
        cli_record_set_integer(row, "ruled_out", v->n_ruled_out);
    cli_record_set_text(row, "status", status_of(v));
    cli_report_add(run->report, row);
}

static rug_status classify_image(cli_run *run, const cli_image *image, void *user)
{
    job *j = user;
    const rug_lbp_options *opts = &j->coding;
    const char *truth = run->inputs[run->input].class_name;
    rug_lbp_result *result = NULL;
    rug_lbp_verdict verdict = RUG_LBP_VERDICT_INIT;
    double seconds = 0;
    rug_status status = cli_lbp_check_image(run, image);
    if (status == RUG_OK)
        status = cli_lbp_code(run, &result, image, opts, &seconds);
    if (status == RUG_OK)
        status = rug_lbp_model_classify(run->ctx, &verdict, j->model, result, &j->how);
    if (status == RUG_OK)
        status = cli_show_image(run, image, &(cli_shown){NULL, NULL});
    if (status == RUG_OK)
        status = cli_await_turn(run, NULL);
    if (status == RUG_OK && truth != NULL) {
        j->n_truths++;
        if (count(&j->counts, truth, verdict.predicted) != 0)
            status = rug_context_fail(run->ctx, RUG_E_NOMEM, "out of memory");
    }
    if (status == RUG_OK) {
        const char *engine = rug_lbp_get_facts(result)->engine;
        cli_lbp_print(run, image, opts, NULL);
        cli_lbp_warn_values(run, image, opts);
        cli_lbp_warn_empty(run, image, opts, result);
        cli_lbp_print_times(run, image, seconds, engine);
        warn_of_ruled_out(run, j, &verdict);
        add_row(run, image, j, &verdict, truth, engine);
    }
    rug_lbp_free(result);
    return status;
}

/* ---- The plot ---- */

/* Whether there are images without a prediction, which are in the last column. */
static int has_none(const confusion *c)
{
    uint64_t n = 0;
    for (size_t row = 0; row < n_rows(c); row++)
        n += count_at(c, row, n_columns(c) - 1);
    return n > 0;
}

static rug_status draw_tiles(cli_run *run, job *j, double *numbers, const char **names)
{
    const confusion *c = &j->counts;
    size_t n_x = n_columns(c) - (has_none(c) ? 0 : 1), n_y = n_rows(c), n = n_x * n_y;
    const char **x_names = names, **y_names = names + n_x;
    for (size_t k = 0; k < n_x; k++)
        x_names[k] = k + 1 < n_columns(c) ? row_name(c, k) : NONE_COLUMN;
    for (size_t row = 0; row < n_y; row++) {
        double sum = (double)sum_of_row(c, row);
        y_names[row] = row_name(c, row);
        for (size_t k = 0; k < n_x; k++) {
            size_t at = row * n_x + k;
            double count = (double)count_at(c, row, k);
            numbers[at] = (double)k + 1;
            numbers[n + at] = (double)row + 1;
            numbers[2 * n + at] = count;
            numbers[3 * n + at] = sum > 0 ? count / sum : 0;
        }
    }
    const cli_plot_series tiles = {.style = CLI_PLOT_TILES,
                                   .n = n,
                                   .x = numbers,
                                   .y = numbers + n,
                                   .low = numbers + 2 * n,
                                   .high = numbers + 3 * n};
    const cli_plot_panel panel = {.x_label = "predicted class",
                                  .y_label = "true class",
                                  .n_series = 1,
                                  .series = &tiles,
                                  .x_names = x_names,
                                  .y_names = y_names,
                                  .n_x_names = n_x,
                                  .n_y_names = n_y};
    const cli_plot_sheet sheet = {.title = j->title, .n_panels = 1, .panels = &panel};
    return cli_draw(run, &j->plots, j->title, &sheet);
}

static void draw_confusion(cli_run *run, job *j)
{
    const confusion *c = &j->counts;
    if (j->plots.asked == NULL)
        return;
    double *numbers = calloc(4 * n_rows(c) * n_columns(c), sizeof *numbers);
    const char **names = calloc(n_rows(c) + n_columns(c), sizeof *names);
    rug_status status =
        numbers != NULL && names != NULL
            ? draw_tiles(run, j, numbers, names)
            : rug_context_fail(run->ctx, RUG_E_NOMEM, "--plot: out of memory");
    if (status != RUG_OK)
        cli_fail(run, rug_context_error(run->ctx));
    free(numbers);
    free(names);
    cli_end_plots(run, &j->plots);
}

/* Writes the matrix; its failure is the run's failure. */
static void write_confusion(cli_run *run, job *j)
{
    if (run->interrupted)
        return;
    print_accuracy(run, &j->counts, j->title);
    draw_confusion(run, j);
    int is_asked = j->values.confusion != NULL || j->plots.asked != NULL;
    if (is_asked && j->n_truths == 0)
        cli_warn(run, "no image has a true class: the confusion matrix holds only zeros");
    if (j->values.confusion == NULL)
        return;
    cli_report *report = confusion_report(&j->counts);
    cli_end_report(run, &report, j->values.confusion);
}

/* Reads the model, which must be there before any image is read, and classifies. */
static int classify(cli_run *run, void *user)
{
    job *j = user;
    if (rug_lbp_model_read(run->ctx, &j->model, j->values.model) != RUG_OK ||
        rug_lbp_model_get_options(run->ctx, &j->coding, j->model) != RUG_OK ||
        rug_lbp_check_options(run->ctx, &j->coding) != RUG_OK) {
        cli_print(stderr, "rugose: %s\n", rug_context_error(run->ctx));
        return CLI_FAILED;
    }
    if (begin_confusion(&j->counts, j->model) != 0) {
        cli_print(stderr, "rugose: no memory for the confusion matrix\n");
        return CLI_FAILED;
    }
    int exit = cli_begin_report(run, columns, describe, j);
    if (exit != CLI_OK)
        return exit;
    cli_for_each_input(run, classify_image, NULL, j);
    write_confusion(run, j);
    return CLI_OK;
}

static void free_job(void *user)
{
    job *j = user;
    free_confusion(&j->counts);
    cli_free_plots(&j->plots);
    rug_lbp_model_free(j->model);
}

static int run_classify(int argc, char **argv)
{
    static const cli_actions actions = {
        .check = check, .work = classify, .free = free_job};
    job j = {.coding = RUG_LBP_OPTIONS_INIT, .how = RUG_LBP_CLASSIFY_OPTIONS_INIT};
    j.values.alpha = j.how.alpha;
    return cli_run_images(&cli_classify, argc, argv, &j.values, &j, &actions);
}

const cli_command cli_classify = {
    .name = "classify",
    .operands = "FILE...|DIR",
    .summary = "classify images by a model of textures",
    .also = "predict",
    .text =
        "Codes images as the images of the model were coded by 'rugose train', and finds "
        "the class with the most similar histograms; among equal scores the first class of "
        "the model wins. Folders inside DIR are true classes and hold their images; a DIR "
        "without folders holds images of unknown class. --list FILE.csv may have a column "
        "'class'. If true classes are known, the accuracy is printed.",
    .takes_images = 1,
    .takes_nodata = 1,
    .takes_masks = 1,
    .takes_overlay = 1,
    .takes_classes = 1,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_classify,
};
