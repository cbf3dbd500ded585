/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The tables of a run, and the log of what is finished. */

#include "cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The tables ---- */

/* A table and where it goes. */
typedef struct table {
    cli_report *report;
    const char *path; /* NULL or "-": standard output */
} table;

/* @return how many there are */
static size_t list_tables(const cli_run *run, table tables[CLI_LOG_TABLES])
{
    size_t n = 0;
    tables[n++] = (table){run->report, run->common.output};
    if (run->writing.second_path != NULL)
        tables[n++] = (table){run->second, run->writing.second_path};
    if (run->writing.third_path != NULL)
        tables[n++] = (table){run->third, run->writing.third_path};
    if (run->common.report != NULL)
        tables[n++] = (table){run->html, run->common.report};
    return n;
}

/* The first has the run's format, as has what goes to standard output. */
static cli_report_format format_of(cli_run *run, const cli_report *report,
                                   const char *path)
{
    cli_report_format format = (cli_report_format)run->common.format;
    if (report == run->html)
        return CLI_REPORT_PAGE;
    if (!cli_is_stdout(path) && path != run->common.output)
        cli_report_format_of(run->ctx, &format, path); /* which was checked */
    return format;
}

/* Whether anything is written besides the tables that are lost. */
static int writes_more(const cli_run *run)
{
    table tables[CLI_LOG_TABLES];
    size_t n = list_tables(run, tables);
    for (size_t i = 0; i < n; i++)
        if (tables[i].report != NULL && !cli_report_written(tables[i].report)->is_lost)
            return 1;
    return run->writing.writes_files;
}

/* The failure of a table, whose text is in the context, is told, and stops the run unless something
 * else is written. Whoever left standard output is no failure. */
static void lose(cli_run *run, const char *path)
{
    int is_gone = cli_is_stdout(path) && cli_is_reader_gone();
    run->is_unread |= is_gone;
    if (!is_gone)
        cli_fail(run, rug_context_error(run->ctx));
    run->writing.is_stopped |= !cli_is_stdout(path) || !writes_more(run);
}

/* ---- Writing ---- */

/* A run whose tables are all parts has a log. */
static void begin_log(cli_run *run, const table *tables, size_t n)
{
    cli_writing *w = &run->writing;
    for (size_t i = 0; i < n; i++) {
        const cli_written *written = cli_report_written(tables[i].report);
        if (!written->is_part)
            return;
        w->log.marks[i] = written->mark;
    }
    if (cli_log_add(run->ctx, &w->log, w->identity, NULL, 0) != RUG_OK)
        lose(run, run->common.output);
    cli_record_free(w->identity);
    w->identity = NULL;
    w->n_logged = run->n_told;
}

static void open_tables(cli_run *run, const table *tables, size_t n)
{
    cli_writing *w = &run->writing;
    w->is_opened = 1;
    for (size_t i = 0; i < n && !w->is_stopped; i++) {
        const char *path = cli_is_stdout(tables[i].path) ? NULL : tables[i].path;
        const cli_mark *at = w->log.is_found ? &w->log.marks[i] : NULL;
        if (tables[i].report == NULL)
            rug_context_fail(run->ctx, RUG_E_NOMEM, "out of memory");
        else if (cli_report_open(run->ctx, tables[i].report, path,
                                 format_of(run, tables[i].report, tables[i].path),
                                 at) == RUG_OK)
            continue;
        lose(run, tables[i].path);
        w->is_stopped |= tables[i].report == NULL;
    }
    if (!w->is_stopped)
        begin_log(run, tables, n);
}

/* Notes the inputs up to the one in work as finished; no more where there was no memory to keep what
 * failed. */
static void note_finished(cli_run *run, const table *tables)
{
    cli_writing *w = &run->writing;
    w->n_finished = run->input + 1;
    if (w->log.stream == NULL || run->n_told < run->n_failures)
        return;
    w->log.n_inputs = w->n_finished;
    for (size_t i = 0; i < w->log.n_tables; i++)
        w->log.marks[i] = cli_report_written(tables[i].report)->mark;
    size_t n = run->n_told - w->n_logged;
    if (cli_log_add(run->ctx, &w->log, NULL, n > 0 ? run->failures + w->n_logged : NULL,
                    n) != RUG_OK)
        lose(run, run->common.output);
    w->n_logged = run->n_told;
}

/* An input that was interrupted may have failed by that. */
void cli_write_rows(cli_run *run)
{
    table tables[CLI_LOG_TABLES];
    size_t n = list_tables(run, tables);
    if (run->report == NULL)
        return;
    if (!run->writing.is_opened) {
        open_tables(run, tables, n);
        return;
    }
    if (run->interrupted || rug_context_step(run->ctx, 0) != RUG_OK)
        return;
    for (size_t i = 0; i < n; i++)
        if (cli_report_flush(run->ctx, tables[i].report, 0) != RUG_OK)
            lose(run, tables[i].path);
    if (!run->writing.is_stopped)
        note_finished(run, tables);
}

void cli_end_report(cli_run *run, cli_report **report, const char *path)
{
    if (*report != NULL && !run->interrupted && !run->writing.is_stopped) {
        const char *file = cli_is_stdout(path) ? NULL : path;
        cli_report_format format = format_of(run, *report, path);
        cli_clear_progress(run);
        rug_status status = cli_report_written(*report)->is_open
                                ? cli_report_flush(run->ctx, *report, 1)
                                : cli_report_write(run->ctx, *report, file, format);
        if (status != RUG_OK)
            lose(run, path);
    }
    cli_report_free(*report);
    *report = NULL;
}
