/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The run of one command: from the command line to the inputs, and from the rows to the
 * output. */

#include "cli.h"
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void free_inputs(cli_run *run)
{
    for (size_t i = 0; i < run->n_inputs; i++) {
        free(run->inputs[i].path);
        free(run->inputs[i].mask);
        free(run->inputs[i].labels);
        free(run->inputs[i].class_name);
    }
    free(run->inputs);
}

static void free_run(cli_run *run)
{
    for (size_t i = 0; i < run->n_failures; i++)
        free(run->failures[i]);
    for (size_t i = 0; i < run->n_warnings; i++)
        free(run->warnings[i].first);
    free(run->warnings);
    free(run->device_name);
    free_inputs(run);
    free(run->failures);
    cli_report_free(run->report);
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

/* The report's form: --format, else the ending of --output, else text. */
static rug_status choose_format(cli_run *run)
{
    cli_common *c = &run->common;
    if (c->format >= 0)
        return RUG_OK;
    cli_report_format format = CLI_REPORT_TEXT;
    rug_status status = RUG_OK;
    if (c->output != NULL && strcmp(c->output, "-") != 0)
        status = cli_report_format_of(run->ctx, &format, c->output);
    c->format = (int)format;
    return status;
}

/* Checks that can be done before any input is read. @return an error text, or NULL */
static const char *check_reading(const cli_reading *reading)
{
    int page;
    if (reading->page == NULL || strcmp(reading->page, "all") == 0)
        return reading->page != NULL && reading->volume
                   ? "--page all and --volume cannot be used together"
                   : NULL;
    return cli_parse_int(&page, reading->page, 0, 1 << 30) == 0
               ? NULL
               : "--page: a whole number from 0 or 'all' expected";
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
        problem = run->common.help ? NULL : check_reading(&run->reading);
    if (problem == NULL)
        problem = check_nodata(run);
    if (problem == NULL && !run->common.help && run->words.n_operands == 0 &&
        run->common.list == NULL)
        problem = command->takes_streams ? "no stream is given" : "no image is given";
    return problem == NULL ? CLI_OK : cli_usage_error(command, problem);
}

/* Makes the context and collects the inputs. @return CLI_OK, or an error that was printed */
static int prepare(cli_run *run)
{
    if (rug_context_new(&run->ctx) != RUG_OK)
        return CLI_FAILED;
    rug_status status = apply_common(run);
    if (status == RUG_OK)
        status = choose_format(run);
    if (status == RUG_E_DEVICE) {
        cli_print(stderr, "rugose: %s\n", rug_context_error(run->ctx));
        return CLI_FAILED;
    }
    if (status != RUG_OK)
        return cli_usage_error(run->command, rug_context_error(run->ctx));
    if (cli_collect_inputs(run) != 0)
        return CLI_FAILED;
    return cli_is_input(run, run->common.output)
               ? cli_usage_error(run->command, "--output: the file is an input")
               : CLI_OK;
}

static void sum_up_failures(const cli_run *run)
{
    if (run->n_failures == 0 || run->n_inputs < 2)
        return;
    cli_print(stderr, "rugose: %zu %s in %zu inputs:\n", run->n_failures,
              run->n_failures == 1 ? "failure" : "failures", run->n_inputs);
    for (size_t i = 0; i < run->n_failures; i++)
        cli_print(stderr, "  %s\n", run->failures[i]);
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

/* Writes the report and sums up the failures. */
static int finish(cli_run *run)
{
    cli_clear_progress(run);
    sum_up_warnings(run);
    int exit = run->n_failures > 0 ? CLI_FAILED : CLI_OK;
    if (run->interrupted) {
        cli_print(stderr, "rugose: interrupted; no table was written\n");
        return run->interrupted == SIGHUP ? CLI_HUNG_UP : CLI_INTERRUPTED;
    }
    if (run->report != NULL &&
        cli_write_report(run, run->report, run->common.output) != RUG_OK &&
        !run->is_unread) {
        cli_print(stderr, "rugose: %s\n", rug_context_error(run->ctx));
        exit = CLI_FAILED;
    }
    sum_up_failures(run);
    return exit == CLI_OK && run->is_unread ? CLI_UNREAD : exit;
}

static int work(cli_run *run, const cli_actions *actions, void *job)
{
    const char *problem = actions->check(run, job);
    int exit = CLI_OK;
    if (problem != NULL)
        return cli_usage_error(run->command, problem);
    if (run->columns != NULL)
        cli_begin_report(run, run->columns, actions->describe, job);
    if (actions->work != NULL)
        exit = actions->work(run, job);
    else
        cli_for_each_input(run, actions->image, actions->points, job);
    return exit == CLI_OK ? finish(run) : exit;
}

int cli_run_images(const cli_command *command, int argc, char **argv, void *values,
                   void *job, const cli_actions *actions)
{
    cli_run run = {.command = command,
                   .values = values,
                   .mode = 1,
                   .common.format = -1,
                   .reading.channel = -1,
                   .err = stderr,
                   .started = cli_now()};
    int exit = read_words(&run, argc, argv);
    if (exit == CLI_OK && run.common.help) {
        cli_print_help(command);
        return CLI_OK;
    }
    if (exit == CLI_OK)
        exit = prepare(&run);
    if (exit == CLI_OK)
        exit = work(&run, actions, job);
    if (actions->free != NULL)
        actions->free(job);
    free_run(&run);
    return exit;
}
