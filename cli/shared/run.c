/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The run of one command: from the command line to the inputs, and from the rows to the
 * output. */

#include "cli.h"
#include "team/team.h"
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void free_input(cli_input *input)
{
    free(input->path);
    free(input->mask);
    free(input->labels);
    free(input->class_name);
}

static void free_inputs(cli_run *run)
{
    for (size_t i = 0; i < run->n_inputs; i++)
        free_input(&run->inputs[i]);
    free(run->inputs);
    free(run->slices);
    cli_list_free(run->list);
}

static void free_run(cli_run *run)
{
    if (run->parts != NULL && run->parts->free != NULL)
        run->parts->free(run->parts);
    for (size_t i = 0; i < run->n_told; i++)
        free(run->failures[i]);
    for (size_t i = 0; i < run->n_warnings; i++)
        free(run->warnings[i].first);
    free(run->warnings);
    free(run->device_name);
    free_inputs(run);
    free(run->failures);
    cli_log_end(&run->writing.log, run->writing.log.is_complete);
    cli_record_free(run->writing.identity);
    cli_report_free(run->report);
    cli_report_free(run->second);
    cli_report_free(run->third);
    cli_report_free(run->html);
    free(run->line);
    rug_context_free(run->ctx);
}

/* Compiled OpenCL programs go where programs keep what can be made again: the folder of
 * the XDG Base Directory Specification, whose relative paths are to be ignored. */
static rug_status set_cache_folder(rug_context *ctx)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char path[PATH_MAX];
    int n = 0;
    if (cache != NULL && cache[0] == '/')
        n = snprintf(path, sizeof path, "%s/rugose", cache);
    else if (home != NULL && home[0] == '/')
        n = snprintf(path, sizeof path, "%s/.cache/rugose", home);
    return n > 0 && (size_t)n < sizeof path ? rug_context_set_cache_folder(ctx, path)
                                            : RUG_OK;
}

/* A device that was asked for by name must be there before anything is read. */
static rug_status check_device(cli_run *run)
{
    rug_devices *devices = NULL;
    const rug_device *chosen = NULL;
    rug_status status = rug_devices_list(run->ctx, &devices);
    if (status == RUG_OK)
        status = rug_devices_choose(run->ctx, &chosen, devices);
    if (chosen != NULL)
        run->device_name = strdup(chosen->name);
    rug_devices_free(devices);
    return status;
}

static rug_status choose_device(cli_run *run)
{
    const char *device = run->common.device;
    if (device == NULL)
        return RUG_OK;
    rug_status status = rug_context_set_device(run->ctx, device);
    if (status == RUG_OK && strcmp(device, "cpu") != 0)
        status = set_cache_folder(run->ctx);
    if (status == RUG_OK && strncmp(device, "opencl", 6) == 0)
        status = check_device(run);
    return status;
}

static rug_status apply_common(cli_run *run)
{
    rug_status status = rug_context_set_threads(run->ctx, run->common.threads);
    if (status == RUG_OK)
        status = choose_device(run);
    cli_listen(run);
    return status;
}

/* Whether the output is no table, but a file of parts. */
static int is_of_parts(const cli_run *run)
{
    return run->command->in_parts != NULL && run->common.output != NULL &&
           (run->common.part != NULL || rugi_has_ending(run->common.output, ".rgs"));
}

/* The report's form: --format, else the ending of --output, else text. */
static rug_status choose_format(cli_run *run)
{
    cli_common *c = &run->common;
    cli_report_format format = CLI_REPORT_TEXT;
    rug_status status = RUG_OK;
    if (c->format < 0 && c->output != NULL && strcmp(c->output, "-") != 0 &&
        !is_of_parts(run))
        status = cli_report_format_of(run->ctx, &format, c->output);
    if (c->format < 0)
        c->format = (int)format;
    run->has_details = c->format == CLI_REPORT_JSON || c->report != NULL;
    return status;
}

/* Whether a word of the command line names an option of reading: --points with a number is another. */
static int is_of_reading(const cli_words *words, const char *name)
{
    for (size_t i = 0; i < words->n_given; i++) {
        const cli_option *o = words->given[i];
        if (strcmp(o->name, name) == 0)
            return strcmp(name, "points") != 0 || o->kind == CLI_FLAG;
    }
    return 0;
}

/* What one option of reading leaves no room for. @return an error text, or NULL */
static const char *check_alone(const cli_run *run, const char *option,
                               const char *const *others, char error[CLI_ERROR_MAX])
{
    for (; *others != NULL && cli_is_given(&run->words, option); others++)
        if (is_of_reading(&run->words, *others)) {
            snprintf(error, CLI_ERROR_MAX, "--%s and --%s cannot be used together",
                     option, *others);
            return error;
        }
    return NULL;
}

/* Checks that can be done before any input is read. @return an error text, or NULL */
static const char *check_reading(const cli_run *run, char error[CLI_ERROR_MAX])
{
    static const char *const not_raw[] = {"page",    "level",  "channel",    "matrix",
                                          "dataset", "series", "resolution", "solid",
                                          "points",  NULL};
    static const char *const not_matrix[] = {"points", NULL};
    const cli_reading *reading = &run->reading;
    int page;
    const char *problem = check_alone(run, "raw", not_raw, error);
    if (problem == NULL)
        problem = check_alone(run, "matrix", not_matrix, error);
    if (problem != NULL || reading->page == NULL)
        return problem;
    if (strcmp(reading->page, "all") == 0)
        return reading->volume ? "--page all and --volume cannot be used together" : NULL;
    return cli_parse_int(&page, reading->page, 0, 1 << 30) == 0
               ? NULL
               : "--page: a whole number from 0 or 'all' expected";
}

/* The layout of files without a header. */
static rug_status check_raw(cli_run *run)
{
    rug_image image;
    if (run->reading.raw == NULL)
        return RUG_OK;
    rug_status status = rug_raw_parse(run->ctx, &image, run->reading.raw);
    if (status == RUG_OK && run->reading.volume && image.ndim == 3)
        status =
            rug_context_fail(run->ctx, RUG_E_ARG,
                             "--volume: the layout of --raw has 3 axes and is that of "
                             "a volume; leave --volume out, or give that of a slice");
    return status;
}

/* A number, nan or none. @return an error text, or NULL */
static const char *check_nodata(cli_run *run)
{
    const char *text = run->reading.nodata;
    char rule[80];
    if (text == NULL)
        return NULL;
    run->nodata = strcmp(text, "none") == 0 ? RUG_NODATA_NONE : RUG_NODATA_VALUE;
    run->nodata_value = (rug_foreground){RUG_FOREGROUND_LABEL, (double)NAN, 0};
    if (run->nodata == RUG_NODATA_NONE || strcmp(text, "nan") == 0)
        return NULL;
    int n = snprintf(rule, sizeof rule, "label=%s", text);
    return n < (int)sizeof rule &&
                   rug_foreground_parse(NULL, &run->nodata_value, rule) == RUG_OK
               ? NULL
               : "--nodata: a number, nan or none expected";
}

/* Keeps the words for the page, since reading them changes their order. @return CLI_OK, or CLI_FAILED */
static int keep_line(cli_run *run, int argc, char **argv)
{
    run->line = calloc((size_t)argc + 3, sizeof *run->line);
    if (run->line == NULL) {
        cli_print(stderr, "rugose: %s\n", cli_no_memory);
        return CLI_FAILED;
    }
    run->line[0] = "rugose";
    run->line[1] = run->command->name;
    for (int i = 0; i < argc; i++)
        run->line[i + 2] = argv[i];
    return CLI_OK;
}

/* Reads the command line. @return CLI_OK, or an error that was printed */
static int read_words(cli_run *run, int argc, char **argv)
{
    const cli_command *command = run->command;
    cli_option_set sets[CLI_N_OPTION_SETS];
    size_t n_sets =
        cli_option_sets(command, sets, run->values, &run->common, &run->reading);
    char error[CLI_ERROR_MAX];
    const char *problem = error;
    if (cli_parse(argc, argv, sets, n_sets, &run->words, error) == 0)
        problem = run->common.help ? NULL : check_reading(run, error);
    if (problem == NULL)
        problem = check_nodata(run);
    if (problem == NULL && !run->common.help && run->words.n_operands == 0 &&
        run->common.list == NULL) {
        snprintf(error, sizeof error, "no %s is given",
                 command->takes_files != NULL ? command->takes_files : "image");
        problem = error;
    }
    if (problem == NULL && cli_own_team.carrier != NULL && run->common.list != NULL &&
        strcmp(run->common.list, "-") == 0)
        problem = "--list -: several processes need a list in a file";
    return problem == NULL ? CLI_OK : cli_usage_error(command, problem);
}

/* @return an error text, or NULL */
static const char *read_shard(cli_run *run)
{
    static const char expected[] = "--shard: K/N with 1 <= K <= N expected, such as 2/8";
    const char *text = run->common.shard,
               *slash = text != NULL ? strchr(text, '/') : NULL;
    char word[16];
    int k, n;
    if (text == NULL)
        return NULL;
    if (slash == NULL || slash - text >= (int)sizeof word)
        return expected;
    snprintf(word, sizeof word, "%.*s", (int)(slash - text), text);
    if (cli_parse_int(&n, slash + 1, 1, 1 << 30) != 0 ||
        cli_parse_int(&k, word, 1, n) != 0)
        return expected;
    run->shard = (size_t)k - 1;
    run->n_shards = (size_t)n;
    return NULL;
}

/* Makes the context and collects the inputs. @return CLI_OK, or an error that was printed */
static int prepare(cli_run *run)
{
    run->ctx = cli_new_context();
    if (run->ctx == NULL)
        return CLI_FAILED;
    rug_status status = apply_common(run);
    if (status == RUG_OK)
        status = choose_format(run);
    if (status == RUG_OK)
        status = check_raw(run);
    if (status != RUG_OK && status != RUG_E_ARG) {
        cli_print(stderr, "rugose: %s\n", rug_context_error(run->ctx));
        return CLI_FAILED;
    }
    if (status != RUG_OK)
        return cli_usage_error(run->command, rug_context_error(run->ctx));
    const char *problem = read_shard(run);
    if (problem != NULL)
        return cli_usage_error(run->command, problem);
    if (cli_collect_inputs(run) != 0)
        return CLI_FAILED;
    return cli_is_input(run, run->common.output)
               ? cli_usage_error(run->command, "--output: the file is an input")
               : CLI_OK;
}

/* @return how the run ends */
static int sum_up_failures(const cli_run *run)
{
    if (run->n_failures == 0)
        return CLI_OK;
    if (run->n_inputs < 2 || run->command->is_pair)
        return CLI_FAILED;
    cli_print(stderr, "rugose: %zu %s in %zu inputs:\n", run->n_failures,
              run->n_failures == 1 ? "failure" : "failures", run->n_inputs);
    for (size_t i = 0; i < run->n_told; i++)
        cli_print(stderr, "  %s\n", run->failures[i]);
    return CLI_FAILED;
}

/* Says of which warnings there were more. */
static void sum_up_warnings(const cli_run *run)
{
    for (size_t i = 0; i < run->n_warnings; i++) {
        const cli_warnings *k = &run->warnings[i];
        if (k->n_more > 0 && k->first != NULL)
            cli_print(run->err, "%s ... and %zu more image%s\n", k->first, k->n_more,
                      k->n_more == 1 ? "" : "s");
    }
}

/* Whether the run has tables; else it writes a file of parts, or another process has them. */
static int has_rows(const cli_run *run)
{
    return run->parts == NULL || run->parts->has_rows;
}

/* What there is of tables that were not ended. */
static void say_parts(const cli_run *run)
{
    const char *how = run->interrupted ? "interrupted; " : "";
    const cli_writing *w = &run->writing;
    int is_written = w->is_opened && run->common.format != CLI_REPORT_TEXT;
    if (is_written && cli_report_written(run->report)->is_part)
        cli_print(stderr, "rugose: %s%s.part holds %zu of %zu inputs%s\n", how,
                  run->common.output, w->n_finished, run->n_inputs,
                  w->log.stream != NULL ? "; --resume goes on with the others" : "");
    else if (run->interrupted && is_written && cli_is_stdout(run->common.output))
        cli_print(stderr, "rugose: interrupted after %zu of %zu inputs\n", w->n_finished,
                  run->n_inputs);
    else if (run->interrupted)
        cli_print(stderr, "rugose: interrupted; no %s was written\n",
                  has_rows(run) ? "table" : "file");
}

/* Further tables come first: the first one has its name when all is complete. */
static void end_tables(cli_run *run)
{
    cli_writing *w = &run->writing;
    size_t n_before = run->n_failures;
    if (run->interrupted || w->is_stopped)
        say_parts(run);
    cli_end_report(run, &run->second, w->second_path);
    cli_end_report(run, &run->third, w->third_path);
    cli_fill_page(run);
    cli_end_report(run, &run->html, run->common.report);
    cli_end_report(run, &run->report, run->common.output);
    w->log.is_complete =
        !run->interrupted && !w->is_stopped && run->n_failures == n_before;
}

/* Ends the tables and sums up the failures. */
static int finish(cli_run *run)
{
    cli_clear_progress(run);
    sum_up_warnings(run);
    if (!run->interrupted && run->parts != NULL && run->parts->end != NULL)
        run->parts->end(run);
    end_tables(run);
    if (run->interrupted)
        return run->interrupted == SIGHUP ? CLI_HUNG_UP : CLI_INTERRUPTED;
    int exit = sum_up_failures(run);
    return exit == CLI_OK && run->is_unread ? CLI_UNREAD : exit;
}

/* ---- Inputs in parts ---- */

/* A file that can be gone on with. */
static int is_regular(const char *path)
{
    struct stat facts;
    return stat(path, &facts) != 0 || S_ISREG(facts.st_mode);
}

/* @return an error text, or NULL */
static const char *check_resume(cli_run *run)
{
    const cli_log *log = &run->writing.log;
    if (cli_is_stdout(run->common.output))
        return cli_is_given(&run->words, "output")
                   ? "--resume goes on with a table in a file, but that of this command "
                     "goes to standard output"
                   : "--resume needs --output FILE.csv or FILE.json";
    for (size_t i = 0; i < log->n_tables; i++) {
        const char *path = log->tables[i];
        int is_text = i == 0 ? run->common.format == CLI_REPORT_TEXT
                             : rugi_has_ending(path, ".txt");
        if (!cli_is_stdout(path) && is_regular(path) && !is_text)
            continue;
        rug_context_fail(run->ctx, RUG_E_ARG,
                         "--resume needs all tables in CSV or JSON files, but one is %s",
                         cli_is_stdout(path) ? "written to standard output" : path);
        return rug_context_error(run->ctx);
    }
    return NULL;
}

static void describe_inputs(const cli_run *run, cli_record *identity)
{
    for (size_t i = 0; i < run->n_inputs; i++) {
        const cli_input *input = &run->inputs[i];
        cli_record *r = cli_record_new();
        cli_record_set_text(r, "image", input->path);
        if (input->mask != NULL)
            cli_record_set_text(r, "mask", input->mask);
        if (input->labels != NULL)
            cli_record_set_text(r, "labels", input->labels);
        if (input->class_name != NULL)
            cli_record_set_text(r, "class", input->class_name);
        for (size_t k = 0; input->row != NULL && k < run->list->n_carried; k++)
            cli_record_set_text(r, run->list->carried[k], input->row->carried[k]);
        cli_record_append(identity, "inputs", r);
    }
}

/* What must be the same for a run to go on. */
static cli_record *make_identity(cli_run *run)
{
    cli_record *identity = cli_record_new(), *options = cli_record_new();
    cli_option_set sets[CLI_N_OPTION_SETS];
    size_t n =
        cli_option_sets(run->command, sets, run->values, &run->common, &run->reading);
    for (size_t i = 0; i < n; i++)
        cli_describe_options(options, sets[i].options, sets[i].n, sets[i].values,
                             &run->words, CLI_MODE_GIVEN);
    cli_record_set_text(identity, "version", rug_version());
    cli_record_set_text(identity, "command", run->command->name);
    cli_record_set_record(identity, "options", options);
    describe_inputs(run, identity);
    return identity;
}

/* Says what a run goes on from. */
static void say_resume(const cli_run *run)
{
    const cli_writing *w = &run->writing;
    if (w->log.is_complete)
        cli_print(stderr, "rugose: %s is complete: nothing to do\n", run->common.output);
    else if (run->common.quiet)
        return;
    else if (w->log.is_found)
        cli_print(stderr, "resume %s: %zu of %zu inputs are finished\n",
                  run->common.output, w->n_finished, run->n_inputs);
    else
        cli_print(stderr,
                  "resume %s: there is nothing to go on from, so it begins anew\n",
                  run->common.output);
}

/* Prepares what a run notes, and finds out where one goes on that is asked to. One that was stopped
 * behind its end ends as it would have.
 * @return CLI_OK, or something else, which is printed, to leave with */
static int begin_writing(cli_run *run)
{
    cli_writing *w = &run->writing;
    const char *paths[] = {run->common.output, w->second_path, w->third_path,
                           run->common.report};
    if (!cli_is_stdout(run->common.output) && run->common.format != CLI_REPORT_TEXT)
        w->identity = make_identity(run);
    for (int i = 0; i < CLI_LOG_TABLES; i++)
        if (i == 0 || paths[i] != NULL)
            w->log.tables[w->log.n_tables++] = paths[i];
    if (!run->common.resume)
        return CLI_OK;
    const char *problem = check_resume(run);
    if (problem != NULL)
        return cli_usage_error(run->command, problem);
    rug_status status = cli_log_read(run->ctx, &w->log, w->identity);
    if (status == RUG_E_ARG)
        return cli_usage_error(run->command, rug_context_error(run->ctx));
    if (status != RUG_OK) {
        cli_print(stderr, "rugose: %s\n", rug_context_error(run->ctx));
        return CLI_FAILED;
    }
    w->n_finished = w->n_skipped = w->log.n_inputs;
    say_resume(run);
    for (size_t i = 0; i < w->log.failures.n; i++)
        cli_fail(run, w->log.failures.items[i]);
    return w->log.is_complete ? sum_up_failures(run) : CLI_OK;
}

/* Leaves in the run the inputs of its shard. */
static void take_shard(cli_run *run)
{
    size_t n_taken = 0, n_all = run->n_inputs;
    for (size_t i = 0; i < n_all; i++)
        if (run->inputs[i].is_others)
            free_input(&run->inputs[i]);
        else
            run->inputs[n_taken++] = run->inputs[i];
    run->n_inputs = n_taken;
    if (n_taken == 0 && run->n_shards > 0)
        cli_print(stderr, "rugose: --shard %s holds none of %zu input%s\n",
                  run->common.shard, n_all, n_all == 1 ? "" : "s");
}

/* What can be done in parts is done so. @return an error text, or NULL */
static const char *check_parts(cli_run *run)
{
    const char *option = run->common.resume          ? "resume"
                         : run->common.shard != NULL ? "shard"
                                                     : NULL;
    if (option == NULL || !run->command->is_whole) {
        take_shard(run);
        return NULL;
    }
    rug_context_fail(run->ctx, RUG_E_ARG,
                     "--%s cannot be used here: the result is one of all inputs", option);
    return rug_context_error(run->ctx);
}

/* Whether a helper has: parts of images, or some of the inputs. */
static int has_work(const cli_run *run)
{
    return run->parts != NULL ? run->parts->is_team
                              : !run->command->is_whole && !run->stays_here;
}

static int work(cli_run *run, const cli_actions *actions, void *job)
{
    const char *problem =
        run->command->in_parts != NULL ? run->command->in_parts(run) : NULL;
    int exit = CLI_OK;
    if (problem == NULL)
        problem = actions->check(run, job);
    if (problem == NULL)
        problem = cli_check_page(run);
    if (problem == NULL)
        problem = cli_check_overlay_name(run, run->common.overlay);
    if (problem == NULL)
        problem = check_parts(run);
    if (problem != NULL)
        return cli_usage_error(run->command, problem);
    if (cli_is_helper() && !has_work(run))
        return CLI_OK;
    if (has_rows(run) && !cli_is_helper())
        exit = begin_writing(run);
    if (exit != CLI_OK || run->writing.log.is_complete)
        return exit;
    if (run->columns != NULL && has_rows(run))
        exit = cli_begin_report(run, run->columns, actions->describe, job);
    if (exit != CLI_OK)
        return exit;
    if (actions->work != NULL)
        exit = actions->work(run, job);
    else
        cli_for_each_input(run, actions->image, actions->points, job);
    if (exit == CLI_OK && actions->end != NULL)
        actions->end(run, job);
    return exit == CLI_OK ? finish(run) : exit;
}

int cli_run_images(const cli_command *command, int argc, char **argv, void *values,
                   void *job, const cli_actions *actions)
{
    cli_outputs overlays = {.n = 0};
    cli_run run = {.command = command,
                   .values = values,
                   .mode = 1,
                   .common.format = -1,
                   .reading.channel = -1,
                   .overlays = &overlays,
                   .err = stderr,
                   .started = cli_now()};
    int exit = keep_line(&run, argc, argv);
    if (exit == CLI_OK)
        exit = read_words(&run, argc, argv);
    if (exit == CLI_OK && run.common.help) {
        cli_print_help(command);
        free(run.line);
        return CLI_OK;
    }
    if (exit == CLI_OK)
        exit = prepare(&run);
    if (exit == CLI_OK)
        exit = work(&run, actions, job);
    if (actions->free != NULL)
        actions->free(job);
    free_run(&run);
    cli_free_outputs(&overlays);
    return exit;
}
