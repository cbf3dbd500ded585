/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose classify: the class of each image by a model of textures. */

#include "confusion.h"
#include "lbp/lbp_coding.h"
#include <rugose/lbp_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of rug_lbp_score. */
#define SCORES "likelihood|chi2|g"

typedef struct classify_values {
    const char *model;
    int score;
    int nearest;
    const char *alpha;
    const char *confusion;
} classify_values;

/* The command's state over its images. */
typedef struct job {
    classify_values values;
    rug_lbp_model *model;
    rug_lbp_classify_options how;
    cli_confusion confusion;
    size_t n_truths;
} job;

static const cli_option options[] = {
    {.name = "model",
     .kind = CLI_TEXT,
     .value = "FILE.json",
     .target = offsetof(classify_values, model),
     .help = "the model, as 'rugose train' writes it; it says how images are coded"},
    {.name = "score",
     .kind = CLI_CHOICE,
     .choices = SCORES,
     .target = offsetof(classify_values, score),
     .help =
         "how histograms are compared: likelihood (default; the log-likelihood, the "
         "largest wins), chi2 (the smallest wins) or g (the G statistic, the smallest "
         "wins); operators add up"},
    {.name = "nearest",
     .kind = CLI_FLAG,
     .target = offsetof(classify_values, nearest),
     .help = "the class of the single most alike sample; without it images are compared "
             "with all samples of a class together"},
    {.name = "alpha",
     .kind = CLI_TEXT,
     .value = "A",
     .target = offsetof(classify_values, alpha),
     .help =
         "pixels that every bin of the model has more, so that none is empty, above 0 "
         "(default 1); chi2 has no use for it"},
    {.name = "confusion",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(classify_values, confusion),
     .help = "write the confusion matrix there (.csv, .json, .txt; - for standard "
             "output): rows are true classes, columns predicted ones"},
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

static const char *check(cli_run *run, job *j)
{
    const classify_values *v = &j->values;
    j->how = (rug_lbp_classify_options)RUG_LBP_CLASSIFY_OPTIONS_INIT;
    j->how.score = (rug_lbp_score)v->score;
    j->how.nearest_sample = v->nearest;
    run->model = v->model;
    if (v->model == NULL)
        return "--model FILE.json is missing";
    if (run->n_inputs == 0)
        return "there is no image";
    if (cli_is_input(run, run->common.output))
        return "--output: the file is an input";
    if (v->alpha != NULL && v->score == RUG_LBP_CHI2)
        return "--alpha: chi2 has no use for it; leave it out";
    if (v->alpha != NULL &&
        (!rug_parse_real(&j->how.alpha, v->alpha) ||
         !(j->how.alpha >= RUG_LBP_MIN_ALPHA && j->how.alpha <= RUG_LBP_MAX_ALPHA)))
        return "--alpha: a number above 0, from 1e-100 to 1e100, expected";
    return cli_check_second_report(run, "confusion", v->confusion);
}

static void describe(cli_run *run, const job *j)
{
    char score[CLI_CHOICE_MAX];
    rug_record *p = cli_describe_run(run);
    cli_choice_name(score, SCORES, j->values.score);
    rug_record_set_text(p, "model", j->values.model);
    rug_record_set_integer(p, "classes", rug_lbp_model_n_classes(j->model));
    rug_record_set_integer(p, "samples", rug_lbp_model_n_samples(j->model));
    cli_lbp_describe(p, rug_lbp_model_lbp_options(j->model));
    rug_record_set_text(p, "score", score);
    rug_record_set_bool(p, "nearest", j->values.nearest);
    rug_record_set_real(p, "alpha", j->how.alpha);
    rug_record_set_record(rug_report_head(run->report), "parameters", p);
}

static void add_row(cli_run *run, const cli_image *image, const rug_lbp_verdict *v,
                    const char *truth, const char *engine)
{
    rug_record *row = rug_record_new();
    cli_describe_image(run, row, image);
    rug_record_set_text(row, "predicted", v->predicted);
    rug_record_set_real(row, "score", v->score);
    rug_record_set_text(row, "second", v->second);
    rug_record_set_real(row, "margin", v->margin);
    rug_record_set_text(row, "true", truth);
    rug_record_set_text(row, "nearest", v->nearest);
    rug_record_set_text(row, "engine", engine);
    rug_record_set_text(row, "status", v->predicted == NULL ? "no pixels" : "ok");
    rug_report_add(run->report, row);
}

static rug_status classify_image(cli_run *run, const cli_image *image, void *user)
{
    job *j = user;
    const rug_lbp_options *opts = rug_lbp_model_lbp_options(j->model);
    const char *truth = run->inputs[run->input].class_name;
    rug_lbp_result *result = NULL;
    rug_lbp_verdict verdict;
    double seconds = 0;
    rug_status status = cli_lbp_check_image(run, image);
    if (status == RUG_OK)
        status = cli_lbp_code(run, &result, image, opts, &seconds);
    if (status == RUG_OK)
        status = rug_lbp_model_classify(run->ctx, &verdict, j->model, result, &j->how);
    if (status == RUG_OK && truth != NULL) {
        j->n_truths++;
        if (cli_confusion_add(&j->confusion, truth, verdict.predicted) != 0)
            status = rug_context_fail(run->ctx, RUG_E_NOMEM, "memory is out");
    }
    if (status == RUG_OK) {
        cli_lbp_tell(run, image, opts, NULL);
        cli_lbp_warn_values(run, image, opts);
        cli_lbp_warn_empty(run, image, opts, result);
        cli_lbp_tell_times(run, image, seconds, rug_lbp_engine(result));
        add_row(run, image, &verdict, truth, rug_lbp_engine(result));
    }
    rug_lbp_free(result);
    return status;
}

/* Writes the matrix; its failure is the run's failure. */
static void write_confusion(cli_run *run, const job *j)
{
    if (run->interrupted)
        return;
    cli_confusion_tell(run, &j->confusion);
    if (j->values.confusion == NULL)
        return;
    if (j->n_truths == 0)
        cli_warn(run, "no image has a true class: the confusion matrix holds zeros");
    rug_report *report = cli_confusion_report(&j->confusion);
    if (report == NULL)
        cli_fail_image(run, "--confusion: memory is out");
    else if (cli_write_report(run, report, j->values.confusion) != RUG_OK)
        cli_fail_image(run, rug_context_error(run->ctx));
    rug_report_free(report);
}

/* Reads the model, which must be there before any image is read, and classifies. */
static int classify(cli_run *run, job *j)
{
    if (rug_lbp_model_read(run->ctx, &j->model, j->values.model) != RUG_OK ||
        rug_lbp_check_options(run->ctx, rug_lbp_model_lbp_options(j->model)) != RUG_OK) {
        fprintf(stderr, "rugose: %s\n", rug_context_error(run->ctx));
        return -1;
    }
    if (cli_confusion_begin(&j->confusion, j->model) != 0) {
        fprintf(stderr, "rugose: no memory for the confusion matrix\n");
        return -1;
    }
    cli_set_columns(run, columns);
    describe(run, j);
    cli_for_each_input(run, classify_image, NULL, j);
    write_confusion(run, j);
    return 0;
}

static int run_classify(int argc, char **argv)
{
    job j = {.model = NULL};
    cli_run run;
    int exit;
    if (!cli_start(&run, &cli_classify, argc, argv, &j.values, &exit))
        return exit;
    const char *problem = check(&run, &j);
    if (problem != NULL) {
        cli_usage_error(&cli_classify, problem);
        cli_abandon(&run);
        return CLI_USAGE;
    }
    int failed = classify(&run, &j) != 0;
    cli_confusion_free(&j.confusion);
    rug_lbp_model_free(j.model);
    if (!failed)
        return cli_finish(&run);
    cli_abandon(&run);
    return CLI_FAILED;
}

const cli_command cli_classify = {
    .name = "classify",
    .operands = "FILE...|DIR",
    .summary = "the class of each image by a model of textures",
    .text =
        "Codes images as the model of 'rugose train' says, and finds the class whose "
        "histograms are most like theirs; of equal scores the class that the model has "
        "first. Of a folder, the folders in it are true classes with their images, or else "
        "its files are images of no known class; --list FILE.csv may have a column "
        "'class'. Where true classes are known, the accuracy is told.",
    .takes_images = 1,
    .takes_masks = 1,
    .takes_classes = 1,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run_classify,
};
