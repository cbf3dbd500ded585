/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The run of one command: from the command line to the inputs, and from the rows to the
 * output. */

#define _XOPEN_SOURCE 700 /* realpath */

#include "cli.h"
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static int is_cancelled(void *run)
{
    if (interrupted)
        ((cli_run *)run)->interrupted = 1;
    return interrupted;
}

static void warn_from_library(void *run, const char *text)
{
    cli_warn(run, "%s", text);
}

int cli_usage_error(const cli_command *command, const char *text)
{
    fprintf(stderr, "rugose: %s; see 'rugose help %s'\n", text, command->name);
    return CLI_USAGE;
}

void cli_abandon(cli_run *run)
{
    for (size_t i = 0; i < run->n_failures; i++)
        free(run->failures[i]);
    free(run->device_name);
    cli_free_inputs(run);
    free(run->failures);
    rug_report_free(run->report);
    rug_context_free(run->ctx);
}

static int is_same_file(const struct stat *a, const char *path)
{
    struct stat b;
    return path != NULL && stat(path, &b) == 0 && a->st_dev == b.st_dev &&
           a->st_ino == b.st_ino;
}

/* The folder of a path, resolved, and its last name. @return 0 when there is no folder */
static int split_path(char folder[PATH_MAX], const char **name, const char *path)
{
    char copy[PATH_MAX];
    const char *slash = strrchr(path, '/');
    *name = slash != NULL ? slash + 1 : path;
    int n = slash == NULL
                ? snprintf(copy, sizeof copy, ".")
                : snprintf(copy, sizeof copy, "%.*s", (int)(slash + 1 - path), path);
    return n > 0 && n < PATH_MAX && realpath(copy, folder) != NULL;
}

int cli_same_path(const char *a, const char *b)
{
    struct stat facts;
    char folder_a[PATH_MAX], folder_b[PATH_MAX];
    const char *name_a, *name_b;
    if (strcmp(a, b) == 0)
        return 1;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return 0;
    if (stat(a, &facts) == 0 && is_same_file(&facts, b))
        return 1;
    return split_path(folder_a, &name_a, a) && split_path(folder_b, &name_b, b) &&
           strcmp(folder_a, folder_b) == 0 && strcmp(name_a, name_b) == 0;
}

int cli_is_input(const cli_run *run, const char *path)
{
    struct stat facts;
    if (path == NULL || stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return 0;
    for (size_t i = 0; i < run->n_inputs; i++)
        if (is_same_file(&facts, run->inputs[i].path) ||
            is_same_file(&facts, run->inputs[i].mask))
            return 1;
    return is_same_file(&facts, run->common.list) || is_same_file(&facts, run->mask) ||
           is_same_file(&facts, run->labels) || is_same_file(&facts, run->model);
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
    rug_context_set_progress(run->ctx, cli_progress, run);
    rug_context_set_cancel(run->ctx, is_cancelled, run);
    rug_context_set_warn(run->ctx, warn_from_library, run);
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return status;
}

/* The report's form: --format, else the ending of --output, else text. */
static rug_status choose_format(cli_run *run)
{
    cli_common *c = &run->common;
    if (c->format >= 0)
        return RUG_OK;
    rug_report_format format = RUG_REPORT_TEXT;
    rug_status status = RUG_OK;
    if (c->output != NULL && strcmp(c->output, "-") != 0)
        status = rug_report_format_of(run->ctx, &format, c->output);
    c->format = (int)format;
    return status;
}

/* Checks that can be done before any input is read. @return an error text, or NULL */
static const char *check_reading(const cli_reading *reading)
{
    int page;
    if (reading->page == NULL || strcmp(reading->page, "all") == 0)
        return reading->page != NULL && reading->volume
                   ? "--page all and --volume exclude each other"
                   : NULL;
    return cli_parse_int(&page, reading->page, 0, 1 << 30) == 0
               ? NULL
               : "--page: a whole number from 0 or 'all' expected";
}

static int leave_with(int *exit, int status)
{
    *exit = status;
    return 0;
}

int cli_start(cli_run *run, const cli_command *command, int argc, char **argv,
              void *values, int *exit)
{
    *run = (cli_run){.command = command,
                     .common.format = -1,
                     .reading.channel = -1,
                     .started = cli_now()};
    cli_option_set sets[] = {
        {"Options", command->options, command->n_options, values},
        {"Common", cli_common_options, cli_n_common_options, &run->common},
        {"Reading", cli_reading_options, cli_n_reading_options, &run->reading},
    };
    size_t n_sets = command->takes_streams ? 2 : 3;
    cli_operands operands;
    char error[CLI_ERROR_MAX];
    if (cli_parse(argc, argv, sets, n_sets, &operands, error) != 0)
        return leave_with(exit, cli_usage_error(command, error));
    if (run->common.help) {
        cli_print_help(command);
        return leave_with(exit, CLI_OK);
    }
    const char *problem = check_reading(&run->reading);
    if (problem == NULL && operands.n == 0 && run->common.list == NULL)
        problem = command->takes_streams ? "no stream is given" : "no image is given";
    if (problem != NULL)
        return leave_with(exit, cli_usage_error(command, problem));
    if (rug_context_new(&run->ctx) != RUG_OK)
        return leave_with(exit, CLI_FAILED);
    rug_status status = apply_common(run);
    if (status == RUG_OK)
        status = choose_format(run);
    if (status == RUG_E_DEVICE)
        fprintf(stderr, "rugose: %s\n", rug_context_error(run->ctx));
    else if (status != RUG_OK)
        cli_usage_error(command, rug_context_error(run->ctx));
    if (status != RUG_OK) {
        cli_abandon(run);
        return leave_with(exit, status == RUG_E_DEVICE ? CLI_FAILED : CLI_USAGE);
    }
    if (cli_collect_inputs(run, &operands) != 0) {
        cli_abandon(run);
        return leave_with(exit, CLI_FAILED);
    }
    if (cli_is_input(run, run->common.output)) {
        cli_usage_error(command, "--output: the file is an input");
        cli_abandon(run);
        return leave_with(exit, CLI_USAGE);
    }
    return 1;
}

void cli_set_columns(cli_run *run, const char *const *columns)
{
    run->report = rug_report_new(columns);
}

rug_status cli_write_report(cli_run *run, const rug_report *report, const char *path)
{
    rug_report_format format = (rug_report_format)run->common.format;
    if (path == NULL || strcmp(path, "-") == 0)
        return rug_report_write(run->ctx, report, NULL, format);
    if (path != run->common.output &&
        rug_report_format_of(run->ctx, &format, path) != RUG_OK)
        return RUG_E_ARG;
    return rug_report_write(run->ctx, report, path, format);
}

static void describe_reading(const cli_run *run, rug_record *p)
{
    const cli_reading *r = &run->reading;
    rug_record_set_text(p, "page", r->page != NULL ? r->page : "0");
    rug_record_set_bool(p, "volume", r->volume);
    if (r->channel >= 0)
        rug_record_set_signed(p, "channel", r->channel);
    else
        rug_record_set_text(p, "channel", run->keeps_colours ? "colours" : "luma");
    rug_record_set_signed(p, "level", r->level);
}

rug_record *cli_describe_run(cli_run *run)
{
    rug_record *head = rug_report_head(run->report), *p = rug_record_new();
    rug_record_set_text(head, "program", "rugose");
    rug_record_set_text(head, "version", rug_version());
    rug_record_set_text(head, "command", run->command->name);
    rug_record_set_text(p, "device",
                        run->common.device != NULL ? run->common.device : "cpu");
    if (run->device_name != NULL)
        rug_record_set_text(p, "device_name", run->device_name);
    if (!run->command->takes_streams)
        describe_reading(run, p);
    return p;
}

static void sum_up_failures(const cli_run *run)
{
    if (run->n_failures == 0 || run->n_inputs < 2)
        return;
    fprintf(stderr, "rugose: %zu %s in %zu inputs:\n", run->n_failures,
            run->n_failures == 1 ? "failure" : "failures", run->n_inputs);
    for (size_t i = 0; i < run->n_failures; i++)
        fprintf(stderr, "  %s\n", run->failures[i]);
}

int cli_finish(cli_run *run)
{
    cli_clear_progress(run);
    int status = run->n_failures > 0 ? CLI_FAILED : CLI_OK;
    if (run->interrupted) {
        fprintf(stderr, "rugose: interrupted; no table was written\n");
        cli_abandon(run);
        return CLI_INTERRUPTED;
    }
    if (run->report != NULL &&
        cli_write_report(run, run->report, run->common.output) != RUG_OK) {
        fprintf(stderr, "rugose: %s\n", rug_context_error(run->ctx));
        status = CLI_FAILED;
    }
    sum_up_failures(run);
    cli_abandon(run);
    return status;
}
