/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reports: rows that share columns, written as aligned text, CSV, one JSON document or a page, as
 * they come or at once. Here is who owns what; the forms are in report_forms.c, and files are
 * written by disk.c. */

#define _POSIX_C_SOURCE 200809L
#include "report.h"
#include "io/base/disk.h"
#include "record_json.h"
#include "report_forms.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Reports ---- */

struct cli_report {
    char **columns;
    size_t n_columns;
    cli_record *head;
    json_object *rows;     /* an array of objects: those that are not written yet */
    json_object *warnings; /* about the image in work; NULL: none yet */
    size_t n_noted;        /* rows that have theirs */
    int failed;            /* 1: memory ran out and a row is missing */
    cli_report *also;      /* it gets the rows, too; NULL: none */

    /* Of one that is open. */
    cli_report_format format;
    char *path;          /* NULL: standard output */
    rugi_output *output; /* NULL: standard output, or it is not open */
    size_t n_head;       /* members of the head that are written */
    cli_written written;
};

static size_t count_names(const char *const *names)
{
    size_t n = 0;

    while (names[n] != NULL)
        n++;
    return n;
}

/* Returns whether all could be copied. */
static int copy_columns(cli_report *report, const char *const *columns)
{
    size_t n = count_names(columns);

    report->columns = calloc(n + 1, sizeof *report->columns);
    if (report->columns == NULL)
        return 0;
    while (report->n_columns < n) {
        char *name = strdup(columns[report->n_columns]);

        if (name == NULL)
            return 0;
        report->columns[report->n_columns++] = name;
    }
    return 1;
}

cli_report *cli_report_new(const char *const *columns)
{
    cli_report *report = calloc(1, sizeof *report);

    assert(columns != NULL);
    if (report == NULL)
        return NULL;
    report->head = cli_record_new();
    report->rows = json_object_new_array();
    if (report->head == NULL || report->rows == NULL || !copy_columns(report, columns)) {
        cli_report_free(report);
        return NULL;
    }
    return report;
}

void cli_report_free(cli_report *report)
{
    if (report == NULL)
        return;
    for (size_t i = 0; i < report->n_columns; i++)
        free(report->columns[i]);
    free(report->columns);
    cli_record_free(report->head);
    json_object_put(report->rows);
    json_object_put(report->warnings);
    rugi_output_discard(report->output);
    free(report->path);
    free(report);
}

cli_record *cli_report_head(cli_report *report)
{
    return report != NULL ? report->head : NULL;
}

/* Adds an object, which is NULL when memory ran out, and takes it over. */
static void add_object(cli_report *report, json_object *object)
{
    if (object != NULL && json_object_array_add(report->rows, object) == 0)
        return;
    json_object_put(object);
    report->failed = 1;
}

void cli_report_add(cli_report *report, cli_record *row)
{
    json_object *object = cli_record_release(row);

    if (report == NULL) {
        json_object_put(object);
        return;
    }
    if (report->also != NULL)
        add_object(report->also, json_object_get(object));
    add_object(report, object);
}

void cli_report_share(cli_report *report, cli_report *also)
{
    report->also = also;
}

void cli_report_share_head(cli_report *report)
{
    cli_record *other = report->also->head;

    json_object_object_foreach(report->head->object, name, value)
    {
        if (!json_object_object_get_ex(other->object, name, NULL) &&
            json_object_object_add(other->object, name, json_object_get(value)) != 0)
            other->failed = 1;
    }
}

void cli_report_take(cli_report *report, cli_report *from)
{
    size_t n = json_object_array_length(from->rows);

    report->failed |= from->failed;
    for (size_t i = 0; i < n; i++)
        add_object(report, json_object_get(json_object_array_get_idx(from->rows, i)));
    json_object_array_del_idx(from->rows, 0, n);
    from->n_noted = 0;
    report->n_noted = json_object_array_length(report->rows);
}

void cli_report_save(FILE *out, const cli_report *report)
{
    fwrite(&report->failed, sizeof report->failed, 1, out);
    cli_save_value(out, report->rows);
}

void cli_report_load(cli_report *report, cli_bytes *bytes)
{
    int failed;

    cli_take_bytes(bytes, &failed, sizeof failed);
    json_object *rows = cli_load_value(bytes);
    report->failed |= failed || bytes->is_short;
    if (rows == NULL)
        return;
    json_object_put(report->rows);
    report->rows = rows;
}

size_t cli_report_rows(const cli_report *report)
{
    return json_object_array_length(report->rows);
}

/* ---- Warnings ---- */

/* Whether there is a list for warnings, or memory for one. */
static int has_warnings(cli_report *report)
{
    if (report->warnings == NULL)
        report->warnings = json_object_new_array();
    report->failed |= report->warnings == NULL;
    return report->warnings != NULL;
}

static void end_image(cli_report *report)
{
    size_t n = json_object_array_length(report->rows);
    int is_made = has_warnings(report);

    for (size_t i = report->n_noted; i < n && is_made; i++) {
        json_object *row = json_object_array_get_idx(report->rows, i);

        report->failed |= json_object_object_add(row, "warnings",
                                                 json_object_get(report->warnings)) != 0;
    }
    json_object_put(report->warnings);
    report->warnings = NULL;
    report->n_noted = n;
}

void cli_report_note(cli_report *report, const char *warning)
{
    if (warning == NULL) {
        end_image(report);
        return;
    }
    json_object *text = json_object_new_string(warning);
    if (has_warnings(report) && text != NULL &&
        json_object_array_add(report->warnings, text) == 0)
        return;
    json_object_put(text);
    report->failed = 1;
}

/* ---- Writing ---- */

static cli_sheet sheet_of(const cli_report *report)
{
    size_t n_head = (size_t)json_object_object_length(report->head->object);

    return (cli_sheet){.n_columns = report->n_columns,
                       .columns = report->columns,
                       .head = report->head->object,
                       .n_head = report->written.is_open ? report->n_head : n_head,
                       .rows = report->rows,
                       .n_before = report->written.mark.n_rows};
}

static rug_status take_step(rug_context *ctx, const cli_report *report,
                            const cli_sheet *sheet, cli_form_step step, FILE *stream)
{
    if (report->failed || report->head->failed)
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "out of memory while the results were collected");
    if (step != NULL && step(stream, sheet) != RUG_OK)
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "out of memory while the results were written");
    return RUG_OK;
}

static rug_status fail_to_write(rug_context *ctx, const char *path, int error)
{
    if (path == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "cannot write standard output: %s",
                                strerror(error));
    return rug_context_fail(ctx, RUG_E_IO, "cannot write %s: %s", path, strerror(error));
}

/* Writes bytes that belong together, all of them: what a part holds of them goes away where that
 * fails. */
static rug_status put_bytes(rug_context *ctx, cli_report *report, const char *bytes,
                            size_t n)
{
    FILE *stream = report->output != NULL ? rugi_output_stream(report->output) : stdout;
    int failed_before = ferror(stream);

    errno = 0;
    if (!failed_before && fwrite(bytes, 1, n, stream) == n && fflush(stream) == 0) {
        report->written.mark.hash = cli_mark_hash(report->written.mark.hash, bytes, n);
        report->written.mark.end += n;
        return RUG_OK;
    }
    int error = failed_before || errno == 0 ? EIO : errno;
    report->written.is_lost = 1;
    if (report->written.is_part &&
        ftruncate(fileno(stream), (off_t)report->written.mark.end) != 0)
        error = errno;
    return fail_to_write(ctx, report->path, error);
}

/* Writes what a step makes. */
static rug_status write_step(rug_context *ctx, cli_report *report, cli_form_step step)
{
    char *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    cli_sheet sheet = sheet_of(report);

    if (stream == NULL)
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "out of memory while the results were written");
    rug_status status = take_step(ctx, report, &sheet, step, stream);
    if (!rugi_close_text(stream, &text) && status == RUG_OK)
        status = rug_context_fail(ctx, RUG_E_NOMEM,
                                  "out of memory while the results were written");
    if (status == RUG_OK)
        status = put_bytes(ctx, report, text, n);
    report->written.is_lost |= status != RUG_OK;
    free(text);
    return status;
}

/* A part is written without a buffer, which would keep what could not be written. */
static rug_status open_file(rug_context *ctx, cli_report *report, const char *path,
                            uint64_t at)
{
    report->path = strdup(path);
    if (report->path == NULL)
        return rug_context_fail(ctx, RUG_E_NOMEM, "out of memory");
    if (report->format == CLI_REPORT_TEXT)
        return rugi_output_open(ctx, &report->output, path);
    rugi_part part = {.at = at};
    rug_status status = rugi_output_open_part(ctx, &report->output, path, &part);
    report->written.is_part = part.is_part;
    if (report->written.is_part)
        setvbuf(rugi_output_stream(report->output), NULL, _IONBF, 0);
    return status;
}

rug_status cli_report_open(rug_context *ctx, cli_report *report, const char *path,
                           cli_report_format format, const cli_mark *at)
{
    cli_mark mark = at != NULL ? *at : (cli_mark)CLI_MARK_INIT;
    rug_status status = RUG_OK;

    report->n_head = (size_t)json_object_object_length(report->head->object);
    report->written.is_open = 1;
    report->format = format;
    if (path != NULL)
        status = open_file(ctx, report, path, mark.end);
    report->written.mark = mark;
    if (status == RUG_OK && mark.end == 0 && cli_forms[format].begin != NULL)
        status = write_step(ctx, report, cli_forms[format].begin);
    report->written.is_lost |= status != RUG_OK;
    return status;
}

static rug_status flush_rows(rug_context *ctx, cli_report *report)
{
    size_t n = json_object_array_length(report->rows);

    if (report->format == CLI_REPORT_TEXT || (n == 0 && !report->failed))
        return RUG_OK;
    rug_status status = write_step(ctx, report, cli_forms[report->format].rows);
    if (status == RUG_OK)
        report->written.mark.n_rows += n;
    json_object_array_del_idx(report->rows, 0, n);
    report->n_noted = 0;
    return status;
}

rug_status cli_report_flush(rug_context *ctx, cli_report *report, int is_end)
{
    if (!report->written.is_open || report->written.is_lost)
        return RUG_OK;
    rug_status status = flush_rows(ctx, report);
    if (is_end && status == RUG_OK && cli_forms[report->format].end != NULL)
        status = write_step(ctx, report, cli_forms[report->format].end);
    if (is_end && status == RUG_OK && report->output != NULL) {
        status = rugi_output_commit(ctx, report->output);
        report->output = NULL;
    }
    report->written.is_lost |= status != RUG_OK;
    return status;
}

const cli_written *cli_report_written(const cli_report *report)
{
    return &report->written;
}

static rug_status write_all(rug_context *ctx, const cli_report *report, FILE *stream,
                            cli_report_format format)
{
    const cli_form *form = &cli_forms[format];
    cli_sheet sheet = sheet_of(report);
    rug_status status = take_step(ctx, report, &sheet, form->begin, stream);

    if (status == RUG_OK)
        status = take_step(ctx, report, &sheet, form->rows, stream);
    sheet.n_before = json_object_array_length(report->rows);
    return status == RUG_OK ? take_step(ctx, report, &sheet, form->end, stream) : status;
}

static rug_status write_stdout(rug_context *ctx, const cli_report *report,
                               cli_report_format format)
{
    rug_status status = write_all(ctx, report, stdout, format);
    int failed_before = ferror(stdout);

    if (status != RUG_OK)
        return status;
    if (fflush(stdout) != 0 || failed_before)
        return fail_to_write(ctx, NULL, failed_before ? EIO : errno);
    return RUG_OK;
}

static rug_status write_file(rug_context *ctx, const cli_report *report, const char *path,
                             cli_report_format format)
{
    rugi_output *output;
    rug_status status = rugi_output_open(ctx, &output, path);

    if (status != RUG_OK)
        return status;
    status = write_all(ctx, report, rugi_output_stream(output), format);
    if (status == RUG_OK)
        return rugi_output_commit(ctx, output);
    rugi_output_discard(output);
    return status;
}

rug_status cli_report_write(rug_context *ctx, const cli_report *report, const char *path,
                            cli_report_format format)
{
    if (report == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "there is no report to write");
    if ((int)format < CLI_REPORT_TEXT || (int)format > CLI_REPORT_PAGE)
        return rug_context_fail(
            ctx, RUG_E_ARG, "report format %d is unknown: expected 0 to 3", (int)format);
    cli_sheet sheet = sheet_of(report);
    rug_status status = take_step(ctx, report, &sheet, NULL, NULL);
    if (status != RUG_OK)
        return status;
    if (format == CLI_REPORT_PAGE && cli_page.behind == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "this build lacks %s, which pages need",
                                cli_page.libraries);
    return path == NULL ? write_stdout(ctx, report, format)
                        : write_file(ctx, report, path, format);
}

rug_status cli_report_format_of(rug_context *ctx, cli_report_format *out,
                                const char *path)
{
    static const struct {
        const char *ending;
        cli_report_format format;
    } known[] = {
        {".csv", CLI_REPORT_CSV}, {".json", CLI_REPORT_JSON}, {".txt", CLI_REPORT_TEXT}};
    const char *name = path == NULL ? "" : path;

    *out = CLI_REPORT_TEXT;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (rugi_has_ending(path, known[i].ending)) {
            *out = known[i].format;
            return RUG_OK;
        }
    }
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "the ending of \"%s\" names no output form: expected .csv, .json or "
        ".txt",
        name);
}
