/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose train: a model of textures from images whose classes are known. A model is written
 * whole or not at all: one that silently lacks images would be worse than none. */

#include "lbp/lbp_coding.h"
#include "shared/workers.h"
#include <errno.h>
#include <inttypes.h>
#include <rugose/lbp_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_VARIANCE_BINS 1024

typedef struct train_values {
    cli_lbp_coding coding;
    int var_bins; /* 0: not given */
    const char *model;
} train_values;

/* The command's state over its images. */
typedef struct job {
    train_values values;
    cli_lbp_plan plan;
    double *cuts; /* [operator][var_bins - 1]; owned */
    rug_lbp_variances *variances;
    rug_lbp_model *model;
} job;

static const cli_option options[] = {
    {CLI_OPTION("model", CLI_TEXT, "FILE.json", train_values, model), .is_unlisted = 1,
     .help = "write the model there (required)"},
    CLI_LBP_CODING_OPTIONS(train_values),
    {CLI_OPTION("var-bins", CLI_INT, "N", train_values, var_bins), .min = 2,
     .max = MOST_VARIANCE_BINS,
     .help = "joint histograms of codes and N bins of the variance, whose cuts make the "
             "bins equally frequent over all images, which are then read twice; with "
             "--method var only these bins"},
};

static const cli_example examples[] = {
    {"rugose train --model stones.json stones/",
     "stones/granite/*.png, stones/marble/*.png ... become a model"},
    {"rugose train --model m.json --lbp 8,1 --lbp 16,2 --lbp 24,3 --border skip stones/",
     "three scales, without pixels at the border"},
    {"rugose train --model m.json --var-bins 16 --list train.csv",
     "patterns and contrast, from a list with the columns image,class"},
    {NULL, NULL},
};

static const char *check_inputs(cli_run *run)
{
    for (size_t i = 0; i < run->n_inputs; i++) {
        const cli_input *input = &run->inputs[i];
        struct stat facts;
        if (input->class_name != NULL)
            continue;
        if (stat(input->path, &facts) != 0) {
            rug_context_fail(run->ctx, RUG_E_ARG, "%s cannot be opened: %s", input->path,
                             strerror(errno));
            return rug_context_error(run->ctx);
        }
        rug_context_fail(run->ctx, RUG_E_ARG,
                         "%s has no class: a folder with a folder for each class "
                         "expected, or --list with a column 'class'",
                         input->path);
        return rug_context_error(run->ctx);
    }
    return run->n_inputs > 0 ? NULL : "no image is given";
}

static const char *check_model_name(cli_run *run, const char *model)
{
    if (model == NULL)
        return "--model FILE.json is missing";
    if (strcmp(model, "-") == 0)
        return "--model: a file expected; standard output is for the table of classes";
    if (cli_is_input(run, model))
        return "--model: the file is an input";
    return run->common.output != NULL && cli_same_path(model, run->common.output)
               ? "--model and --output name the same file"
               : NULL;
}

/* Until the variances are known, cuts are whatever ascends. */
static const char *make_cuts(job *j)
{
    uint32_t n = (uint32_t)j->values.var_bins - 1, n_ops = j->plan.options.n_operators;
    j->cuts = calloc((size_t)n_ops * n, sizeof *j->cuts);
    if (j->cuts == NULL)
        return cli_no_memory;
    for (uint32_t i = 0; i < n_ops; i++) {
        double *cuts = j->cuts + (size_t)i * n;
        for (uint32_t k = 0; k < n; k++)
            cuts[k] = k + 1;
        j->plan.op[i].cuts = cuts;
        j->plan.op[i].n_cuts = n;
    }
    return NULL;
}

static const char *check(cli_run *run, void *user)
{
    job *j = user;
    const char *problem = check_model_name(run, j->values.model);
    run->is_flat = 1;
    if (problem == NULL)
        problem = check_inputs(run);
    if (problem == NULL)
        problem = cli_check_masks(run);
    if (problem == NULL)
        problem = cli_lbp_parse(run, &j->plan, &j->values.coding);
    if (problem == NULL && j->values.var_bins > 0)
        problem = make_cuts(j);
    else if (problem == NULL && j->plan.options.method == RUG_LBP_VAR)
        problem =
            "--method var needs the number of its bins; give --var-bins N, such as 16";
    if (problem == NULL && rug_lbp_check_options(run->ctx, &j->plan.options) != RUG_OK)
        problem = rug_context_error(run->ctx);
    return problem != NULL ? problem : cli_lbp_check_bins(run, &j->plan.options);
}

static rug_status add_variances(cli_run *run, const cli_image *image, void *user)
{
    job *j = user;
    rug_status status = cli_lbp_check_image(run, image);
    const rug_source *mask = image->mask_path != NULL ? &image->mask : NULL;
    return status == RUG_OK
               ? rug_lbp_variances_add(run->ctx, j->variances, &image->source, mask)
               : status;
}

/* The first of two readings; what was read is printed at the second. */
static rug_status find_cuts(cli_run *run, job *j)
{
    int quiet = run->common.quiet;
    rug_status status = rug_lbp_variances_new(run->ctx, &j->variances, &j->plan.options);
    if (status != RUG_OK)
        return status;
    run->common.quiet = run->one_by_one = 1; /* each adds to the same variances */
    cli_for_each_input(run, add_variances, NULL, j);
    run->common.quiet = quiet;
    run->one_by_one = 0;
    for (uint32_t i = 0; i < j->plan.options.n_operators; i++) {
        rug_lbp_operator *op = &j->plan.op[i];
        double *cuts = j->cuts + (size_t)i * (uint32_t)(j->values.var_bins - 1);
        if (run->n_failures == 0 && !run->interrupted && status == RUG_OK)
            status =
                rug_lbp_variances_cuts(run->ctx, j->variances, i,
                                       (uint32_t)j->values.var_bins, cuts, &op->n_cuts);
    }
    return status;
}

static rug_status add_image(cli_run *run, const cli_image *image, void *user)
{
    job *j = user;
    const rug_lbp_options *opts = &j->plan.options;
    rug_lbp_result *result = NULL;
    double seconds = 0;
    rug_status status = cli_lbp_check_image(run, image);
    if (status == RUG_OK)
        status = cli_lbp_code(run, &result, image, opts, &seconds);
    if (status == RUG_OK)
        status = cli_await_turn(run, NULL);
    if (status == RUG_OK)
        status = rug_lbp_model_add(run->ctx, j->model, run->inputs[run->input].class_name,
                                   image->name, result);
    if (status == RUG_OK) {
        char extra[128];
        snprintf(extra, sizeof extra, "class %.100s", run->inputs[run->input].class_name);
        cli_lbp_print(run, image, opts, extra);
        cli_lbp_warn_values(run, image, opts);
        cli_lbp_print_times(run, image, seconds, rug_lbp_get_facts(result)->engine);
    }
    rug_lbp_free(result);
    return status;
}

/* A row for each class: how much there is to learn from. */
static void report_classes(cli_run *run, const rug_lbp_model *model,
                           const rug_lbp_options *opts)
{
    uint32_t n_bins = rug_lbp_n_bins(opts->method, &opts->operators[0]);
    for (size_t c = 0; c < rug_lbp_model_n_classes(model); c++) {
        uint64_t samples = 0, pixels = 0;
        for (size_t i = 0; i < rug_lbp_model_n_samples(model); i++) {
            const rug_lbp_sample *s = rug_lbp_model_sample(model, i);
            if (s->class_index != c)
                continue;
            samples++;
            for (uint32_t b = 0; b < n_bins; b++)
                pixels += s->bins[b];
        }
        cli_record *row = cli_record_new();
        cli_record_set_text(row, "class", rug_lbp_model_class(model, c));
        cli_record_set_integer(row, "samples", samples);
        cli_record_set_integer(row, "pixels", pixels);
        cli_report_add(run->report, row);
    }
}

static void describe(const cli_run *run, cli_record *p, const void *user)
{
    const job *j = user;
    cli_lbp_describe(p, &j->plan.options);
    cli_describe_own(run, p);
}

/* Writes the model, and says so. */
static rug_status write_model(cli_run *run, const job *j)
{
    char text[640];
    rug_status status = rug_lbp_model_write(run->ctx, j->model, j->values.model);
    if (status != RUG_OK)
        return status;
    cli_clear_progress(run);
    size_t n_classes = rug_lbp_model_n_classes(j->model);
    if (n_classes == 1)
        cli_warn(run, "there is only one class, so every image will be assigned to it");
    cli_lbp_format(text, sizeof text, &j->plan.options);
    if (!run->common.quiet)
        cli_print(stderr, "wrote %s: %zu class%s, %zu samples, %s\n", j->values.model,
                  n_classes, n_classes == 1 ? "" : "es",
                  rug_lbp_model_n_samples(j->model), text);
    return RUG_OK;
}

/* Failures are kept in the run. */
static int train(cli_run *run, void *user)
{
    job *j = user;
    static const char *const columns[] = {"class", "samples", "pixels", NULL};
    rug_status status = j->values.var_bins > 0 ? find_cuts(run, j) : RUG_OK;
    if (status == RUG_OK && run->n_failures == 0 && !run->interrupted) {
        status = rug_lbp_model_new(run->ctx, &j->model, &j->plan.options);
        if (status == RUG_OK)
            cli_for_each_input(run, add_image, NULL, j);
    }
    if (run->interrupted)
        return CLI_OK;
    size_t n_bad = run->n_failures;
    if (status == RUG_OK && n_bad == 0)
        status = write_model(run, j);
    if (status != RUG_OK) {
        cli_fail(run, rug_context_error(run->ctx));
    } else if (n_bad > 0) {
        cli_print(
            stderr,
            "rugose: no model was written because of %zu failure%s; correct the images "
            "or leave them out\n",
            n_bad, n_bad == 1 ? "" : "s");
    } else {
        cli_begin_report(run, columns, describe, j);
        cli_record_set_text(cli_report_head(run->report), "model", j->values.model);
        report_classes(run, j->model, &j->plan.options);
    }
    return CLI_OK;
}

static void free_job(void *user)
{
    job *j = user;
    rug_lbp_model_free(j->model);
    rug_lbp_variances_free(j->variances);
    free(j->cuts);
}

static int run_train(int argc, char **argv)
{
    static const cli_actions actions = {.check = check, .work = train, .free = free_job};
    job j = {.values.coding = CLI_LBP_CODING_INIT};
    return cli_run_images(&cli_train, argc, argv, &j.values, &j, &actions);
}

const cli_command cli_train = {
    .name = "train",
    .operands = "DIR",
    .summary = "learn textures from images of known classes",
    .also = "learn|fit",
    .text =
        "Codes images by local binary patterns and keeps their histograms as a model for "
        "'rugose classify'. DIR contains a folder of images for each class; or --list "
        "FILE.csv has the columns image,class[,mask]. Prints for each class the number of "
        "images, and the number of pixels that the first operator codes. If any image "
        "fails, no model is written.",
    .takes_images = 1,
    .takes_nodata = 1,
    .takes_masks = 1,
    .takes_classes = 1,
    .is_whole = 1,
    CLI_OPTIONS(options),
    .examples = examples,
    .run = run_train,
};
