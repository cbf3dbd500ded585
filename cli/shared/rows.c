/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Rows as they come: the tables of a run are written input by input, in the order of the inputs,
 * and what is finished is noted, so that a run that was stopped can be gone on with. */

#include "cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- The tables ---- */

/* A table and where it goes. */
typedef struct table {
    cli_report *report;
    const char *path; /* NULL or "-": standard output */
} table;

/* @return how many there are or, before they are begun, will be */
static size_t list_tables(const cli_run *run, table tables[CLI_LOG_TABLES])
{
    size_t n = 0;
    tables[n++] = (table){run->report, run->common.output};
    if (run->second_path != NULL)
        tables[n++] = (table){run->second, run->second_path};
    if (run->third_path != NULL)
        tables[n++] = (table){run->third, run->third_path};
    return n;
}

static int is_stdout(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

/* The first has the run's format, as has what goes to standard output. */
static cli_report_format format_of(cli_run *run, const char *path)
{
    cli_report_format format = (cli_report_format)run->common.format;
    if (!is_stdout(path) && path != run->common.output)
        cli_report_format_of(run->ctx, &format, path); /* which was checked */
    return format;
}

/* Whether anything is written besides the tables that are lost. */
static int writes_more(const cli_run *run)
{
    table tables[CLI_LOG_TABLES];
    size_t n = list_tables(run, tables);
    for (size_t i = 0; i < n; i++)
        if (tables[i].report != NULL && !cli_report_is_lost(tables[i].report))
            return 1;
    return run->writes_files;
}

void cli_lose_table(cli_run *run, const char *path)
{
    int is_gone = is_stdout(path) && cli_is_reader_gone();
    run->is_unread |= is_gone;
    if (!is_gone)
        cli_fail(run, rug_context_error(run->ctx));
    run->is_stopped |= !is_stdout(path) || !writes_more(run);
}

/* ---- Going on ---- */

/* A file that can be gone on with. */
static int is_regular(const char *path)
{
    struct stat facts;
    return stat(path, &facts) != 0 || S_ISREG(facts.st_mode);
}

/* @return an error text, or NULL */
static const char *check_resume(cli_run *run)
{
    table tables[CLI_LOG_TABLES];
    size_t n = list_tables(run, tables);
    if (is_stdout(run->common.output) && cli_is_given(&run->words, "output"))
        return "--resume goes on with a table in a file, but that of this command goes to "
               "standard output";
    if (is_stdout(run->common.output))
        return "--resume needs --output FILE.csv or FILE.json";
    for (size_t i = 0; i < n; i++) {
        if (!is_stdout(tables[i].path) && is_regular(tables[i].path) &&
            format_of(run, tables[i].path) != CLI_REPORT_TEXT)
            continue;
        rug_context_fail(run->ctx, RUG_E_ARG,
                         "--resume needs all tables in CSV or JSON files, but one is %s",
                         is_stdout(tables[i].path) ? "written to standard output"
                                                   : tables[i].path);
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

static rug_status read_log(cli_run *run)
{
    cli_record *identity = make_identity(run);
    rug_status status = identity != NULL
                            ? cli_log_read(run->ctx, &run->log, identity)
                            : rug_context_fail(run->ctx, RUG_E_NOMEM, "out of memory");
    cli_record_free(identity);
    return status;
}

int cli_find_resume(cli_run *run, int *is_over)
{
    table tables[CLI_LOG_TABLES];
    if (!run->common.resume)
        return CLI_OK;
    const char *problem = check_resume(run);
    if (problem != NULL)
        return cli_usage_error(run->command, problem);
    run->log.n_tables = list_tables(run, tables);
    for (size_t i = 0; i < run->log.n_tables; i++)
        run->log.tables[i] = tables[i].path;
    rug_status status = read_log(run);
    if (status == RUG_E_ARG)
        return cli_usage_error(run->command, rug_context_error(run->ctx));
    if (status != RUG_OK) {
        cli_print(stderr, "rugose: %s\n", rug_context_error(run->ctx));
        return CLI_FAILED;
    }
    *is_over = run->log.is_complete;
    run->n_finished = run->n_skipped = run->log.n_inputs;
    if (*is_over)
        cli_print(stderr, "rugose: %s is complete: nothing to do\n", run->common.output);
    else if (run->log.is_found && !run->common.quiet)
        cli_print(stderr, "resume %s: %zu of %zu inputs are finished\n",
                  run->common.output, run->n_finished, run->n_inputs);
    else if (!run->common.quiet)
        cli_print(stderr,
                  "resume %s: there is nothing to go on from, so it begins anew\n",
                  run->common.output);
    return CLI_OK;
}

/* ---- Writing ---- */

/* A run whose tables are all parts has a log. */
static void begin_log(cli_run *run, const table *tables, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const cli_mark *mark = cli_report_mark(tables[i].report);
        if (mark == NULL)
            return;
        run->log.tables[i] = tables[i].path;
        run->log.marks[i] = *mark;
    }
    run->log.n_tables = n;
    cli_record *identity = make_identity(run);
    rug_status status = identity != NULL
                            ? cli_log_begin(run->ctx, &run->log, identity)
                            : rug_context_fail(run->ctx, RUG_E_NOMEM, "out of memory");
    cli_record_free(identity);
    if (status != RUG_OK)
        cli_lose_table(run, run->common.output);
    for (size_t i = 0; i < run->log.failures.n; i++)
        cli_fail(run, run->log.failures.items[i]);
    run->n_logged = run->n_failures;
}

void cli_open_tables(cli_run *run)
{
    table tables[CLI_LOG_TABLES];
    size_t n = list_tables(run, tables);
    if (run->is_opened || run->report == NULL)
        return;
    run->is_opened = 1;
    for (size_t i = 0; i < n && !run->is_stopped; i++) {
        const char *path = is_stdout(tables[i].path) ? NULL : tables[i].path;
        const cli_mark *at = run->log.is_found ? &run->log.marks[i] : NULL;
        if (tables[i].report == NULL)
            rug_context_fail(run->ctx, RUG_E_NOMEM, "out of memory");
        else if (cli_report_open(run->ctx, tables[i].report, path,
                                 format_of(run, tables[i].path), at) == RUG_OK)
            continue;
        cli_lose_table(run, tables[i].path);
    }
    if (!run->is_stopped)
        begin_log(run, tables, n);
}

/* Notes the input in work as finished. */
static void note_finished(cli_run *run, const table *tables)
{
    cli_log *log = &run->log;
    if (log->stream == NULL)
        return;
    log->n_inputs = run->n_finished;
    for (size_t i = 0; i < log->n_tables; i++)
        log->marks[i] = *cli_report_mark(tables[i].report);
    if (cli_log_add(run->ctx, log, run->failures + run->n_logged,
                    run->n_failures - run->n_logged) != RUG_OK)
        cli_lose_table(run, run->common.output);
    run->n_logged = run->n_failures;
}

/* An interrupted input may have failed by that. */
void cli_flush_tables(cli_run *run)
{
    table tables[CLI_LOG_TABLES];
    size_t n = list_tables(run, tables);
    if (!run->is_opened || run->interrupted || rug_context_step(run->ctx, 0) != RUG_OK)
        return;
    for (size_t i = 0; i < n; i++)
        if (cli_report_flush(run->ctx, tables[i].report) != RUG_OK)
            cli_lose_table(run, tables[i].path);
    if (run->is_stopped)
        return;
    run->n_finished = run->input + 1;
    note_finished(run, tables);
}

/* ---- The end ---- */

/* What there is of tables that were not ended. */
static void say_parts(const cli_run *run)
{
    const char *how = run->interrupted ? "interrupted; " : "";
    const cli_mark *mark = run->report != NULL ? cli_report_mark(run->report) : NULL;
    int is_written = run->is_opened && run->common.format != CLI_REPORT_TEXT;
    if (mark != NULL)
        cli_print(stderr, "rugose: %s%s.part holds %zu of %zu inputs%s\n", how,
                  run->common.output, run->n_finished, run->n_inputs,
                  run->log.stream != NULL ? "; --resume goes on with the others" : "");
    else if (run->interrupted && is_written && is_stdout(run->common.output))
        cli_print(stderr, "rugose: interrupted after %zu of %zu inputs\n",
                  run->n_finished, run->n_inputs);
    else if (run->interrupted)
        cli_print(stderr, "rugose: interrupted; no table was written\n");
}

void cli_end_tables(cli_run *run)
{
    int is_over = 0;
    if (run->interrupted || run->is_stopped) {
        say_parts(run);
    } else {
        size_t n_before = run->n_failures;
        cli_end_report(run, &run->second, run->second_path);
        cli_end_report(run, &run->third, run->third_path);
        cli_end_report(run, &run->report, run->common.output);
        is_over = run->n_failures == n_before;
    }
    cli_log_end(&run->log, is_over);
    cli_report_free(run->second);
    cli_report_free(run->third);
    cli_report_free(run->report);
    run->report = run->second = run->third = NULL;
}
