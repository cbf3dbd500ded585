/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugose boxcount: box counts and the fractal dimension. */

#include "cmd_boxcount.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "foreground",
     .kind = CLI_TEXT,
     .value = "RULE",
     .target = offsetof(cli_boxcount_values, foreground),
     .help = "which cells are set: auto, nonzero, otsu, above=T (value >= T), below=T "
             "(value < T) or label=L; auto (default) takes the larger of two values, "
             "else Otsu's threshold; NaN is never set"},
    {.name = "fit",
     .kind = CLI_TEXT,
     .value = "A..B|auto",
     .target = offsetof(cli_boxcount_values, fit),
     .help = "box sizes of the fit; auto: the longest range with steady local slopes "
             "(default: 1 to a quarter of the shortest axis)"},
    {.name = "of",
     .kind = CLI_CHOICE,
     .choices = CLI_BOXCOUNT_OF,
     .target = offsetof(cli_boxcount_values, of),
     .help = "boxes that the dimension is taken of (default nonempty = gray + black)"},
    {.name = "method",
     .kind = CLI_CHOICE,
     .choices = CLI_BOXCOUNT_METHOD,
     .target = offsetof(cli_boxcount_values, method),
     .help = "how to count; all give the same counts (default auto)"},
    {.name = "counts",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_boxcount_values, counts),
     .help = "write the table of every size there (.csv, .json, .txt; - for standard "
             "output)"},
    {.name = "plot",
     .kind = CLI_TEXT,
     .value = "FILE",
     .target = offsetof(cli_boxcount_values, plot),
     .help = "draw the log-log plot (.svg, .png; .gp keeps the gnuplot script); with "
             "several images '{}' in FILE stands for the image's name"},
};

static const cli_example examples[] = {
    {"rugose boxcount cell.tif", "one image: its dimension, error and R2"},
    {"rugose boxcount --counts - --plot cell.svg cell.tif",
     "with the table of sizes and a plot"},
    {"rugose boxcount --foreground above=100 -o dims.csv slides/*.png",
     "a folder, to a CSV file"},
    {"rugose boxcount --volume --fit 2..32 stack.tif",
     "the pages of a TIFF file as a volume"},
    {"rugose boxcount --list images.csv -f json",
     "a list, with everything that is known"},
    {NULL, NULL},
};

static const char *const columns[] = {"image",     "shape",     "foreground", "dimension",
                                      "std_error", "r_squared", "size_min",   "size_max",
                                      "n_sizes",   "grid",      "method",     "engine",
                                      "status",    NULL};

static const char *const count_columns[] = {"image", "size", "total", "nonempty",
                                            "black", "gray", "white", NULL};

/* "A..B": two sizes, the first at least 1 and not above the second. */
static int parse_fit(rug_boxcount_fit_options *fit, const char *text)
{
    char head[32];
    int lo, hi;
    const char *dots = strstr(text, "..");
    if (strcmp(text, "auto") == 0) {
        fit->auto_range = 1;
        return 0;
    }
    if (dots == NULL || (size_t)(dots - text) >= sizeof head)
        return -1;
    memcpy(head, text, (size_t)(dots - text));
    head[dots - text] = '\0';
    if (cli_parse_int(&lo, head, 1, 1 << 30) != 0 ||
        cli_parse_int(&hi, dots + 2, lo, 1 << 30) != 0)
        return -1;
    fit->size_min = (uint64_t)lo;
    fit->size_max = (uint64_t)hi;
    return 0;
}

/* Seconds of the steps. */
typedef struct times {
    double threshold, count;
} times;

/* Counts boxes with the foreground resolved from the range that is known already. */
static rug_status count(cli_run *run, const cli_boxcount_job *job, const cli_image *image,
                        rug_boxcount_result *counts, times *t)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.method = (rug_boxcount_method)job->values.method;
    double start = cli_now();
    rug_status status = rug_foreground_resolve(run->ctx, &opts.foreground, image->pixels,
                                               &image->range, job->foreground);
    t->threshold = cli_now() - start;
    if (status != RUG_OK)
        return status;
    start = cli_now();
    status = rug_boxcount(run->ctx, counts, image->pixels, &opts);
    t->count = cli_now() - start;
    return status;
}

static void print_times(const cli_run *run, const cli_image *image, const times *t,
                        const char *engine)
{
    if (run->common.verbose)
        fprintf(stderr,
                "time %s: read %.3f ms, range %.3f ms, threshold %.3f ms, count %.3f ms "
                "(%s, %d threads)\n",
                image->name, image->read_seconds * 1e3, image->range_seconds * 1e3,
                t->threshold * 1e3, t->count * 1e3, engine,
                rug_context_threads(run->ctx));
}

static rug_status measure(cli_run *run, const cli_image *image, void *user)
{
    cli_boxcount_job *job = user;
    cli_boxcount_found found;
    times t;
    rug_status status = count(run, job, image, &found.counts, &t);
    if (status == RUG_OK)
        status = rug_boxcount_fit(run->ctx, &found.dimension, &found.counts, &job->fit);
    if (status != RUG_OK)
        return status;
    found.share =
        (double)found.counts.counts[0].nonempty / (double)rug_image_cells(image->pixels);
    cli_boxcount_tell(run, job, image, &found);
    print_times(run, image, &t, found.counts.engine);
    cli_boxcount_add(run, job, image, &found);
    return cli_boxcount_plot(run, job, image, &found);
}

/* Two reports must not go to one place; only tables for people may follow each other. */
static const char *check_counts(const cli_run *run, const char *counts)
{
    const char *output = run->common.output != NULL ? run->common.output : "-";
    if (counts == NULL || strcmp(counts, output) != 0)
        return NULL;
    if (strcmp(counts, "-") != 0)
        return "--counts and --output name the same file";
    return run->common.format == RUG_REPORT_TEXT
               ? NULL
               : "--counts -: the results go to standard output already; give --output "
                 "or a file";
}

/* Checks the values before any image is read. @return an error text, or NULL */
static const char *check_values(cli_run *run, cli_boxcount_job *job)
{
    const cli_boxcount_values *v = &job->values;
    rug_report_format format;
    job->fit = (rug_boxcount_fit_options)RUG_BOXCOUNT_FIT_OPTIONS_INIT;
    job->fit.of = (rug_boxcount_of)v->of;
    if (v->foreground != NULL &&
        rug_foreground_parse(run->ctx, &job->foreground, v->foreground) != RUG_OK)
        return rug_context_error(run->ctx);
    if (v->fit != NULL && parse_fit(&job->fit, v->fit) != 0)
        return "--fit: 'auto' or two sizes A..B with 1 <= A <= B expected";
    if (v->counts != NULL && strcmp(v->counts, "-") != 0 &&
        rug_report_format_of(run->ctx, &format, v->counts) != RUG_OK)
        return rug_context_error(run->ctx);
    if (cli_is_input(run, v->counts))
        return "--counts: the file is an input";
    const char *problem = check_counts(run, v->counts);
    return problem != NULL ? problem : cli_boxcount_check_plot(run, job);
}

static void describe_parameters(cli_run *run, const cli_boxcount_job *job)
{
    char rule[RUG_FOREGROUND_TEXT_MAX], of[CLI_CHOICE_MAX], method[CLI_CHOICE_MAX];
    rug_record *p = cli_describe_run(run);
    rug_foreground_format(rule, job->foreground);
    cli_choice_name(of, CLI_BOXCOUNT_OF, job->values.of);
    cli_choice_name(method, CLI_BOXCOUNT_METHOD, job->values.method);
    rug_record_set_text(p, "foreground", rule);
    rug_record_set_text(p, "fit", job->values.fit != NULL ? job->values.fit : "default");
    rug_record_set_text(p, "of", of);
    rug_record_set_text(p, "method", method);
    rug_record_set_text(p, "grid", "origin");
    rug_record_set_record(rug_report_head(run->report), "parameters", p);
}

/* Writes the table of sizes; its failure is the run's failure. */
static void write_counts(cli_run *run, const cli_boxcount_job *job)
{
    if (job->counts == NULL || run->interrupted)
        return;
    cli_clear_progress(run);
    if (cli_write_report(run, job->counts, job->values.counts) != RUG_OK)
        cli_fail_image(run, rug_context_error(run->ctx));
}

static int run_boxcount(int argc, char **argv)
{
    cli_boxcount_job job = {.foreground = RUG_FOREGROUND_INIT};
    cli_run run;
    int exit;
    if (!cli_start(&run, &cli_boxcount, argc, argv, &job.values, columns, &exit))
        return exit;
    const char *problem = check_values(&run, &job);
    if (problem != NULL) {
        cli_usage_error(&cli_boxcount, problem);
        cli_abandon(&run);
        return CLI_USAGE;
    }
    describe_parameters(&run, &job);
    if (job.values.counts != NULL)
        job.counts = rug_report_new(count_columns);
    cli_for_each_image(&run, measure, &job);
    write_counts(&run, &job);
    rug_report_free(job.counts);
    for (size_t i = 0; i < job.n_plots; i++)
        free(job.plots[i]);
    free(job.plots);
    return cli_finish(&run);
}

const cli_command cli_boxcount = {
    .name = "boxcount",
    .operands = "FILE...",
    .summary = "fractal dimension by box counting, 2D and 3D",
    .text = "Counts the boxes of side 1, 2, 4 ... cells that hold foreground, and fits "
            "the fractal dimension. A box is black when all its cells are foreground, "
            "white when none is, gray otherwise. The grid begins at the first cell of "
            "every axis; cells outside of the image are background.",
    .takes_images = 1,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run_boxcount,
};
