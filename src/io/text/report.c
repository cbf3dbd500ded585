/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reports: rows that share columns, written as text, CSV or one JSON document. The tables
 * are made in table.c, the safe file in output.c; here is who owns what, the JSON, and
 * the error texts. */

#define _POSIX_C_SOURCE 200809L

#include "record.h"
#include "table.h"
#include "utf8.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct rug_report {
    char **columns;
    size_t n_columns;
    rug_record *head;
    json_object *rows; /* an array of objects */
    int failed;        /* 1: memory ran out and a row is missing */
};

static size_t count_names(const char *const *names)
{
    size_t n = 0;

    while (names[n] != NULL)
        n++;
    return n;
}

/* Returns whether all could be copied. */
static int copy_columns(rug_report *report, const char *const *columns)
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

rug_report *rug_report_new(const char *const *columns)
{
    rug_report *report = calloc(1, sizeof *report);

    assert(columns != NULL);
    if (report == NULL)
        return NULL;
    report->head = rug_record_new();
    report->rows = json_object_new_array();
    if (report->head == NULL || report->rows == NULL || !copy_columns(report, columns)) {
        rug_report_free(report);
        return NULL;
    }
    return report;
}

void rug_report_free(rug_report *report)
{
    if (report == NULL)
        return;
    for (size_t i = 0; i < report->n_columns; i++)
        free(report->columns[i]);
    free(report->columns);
    rug_record_free(report->head);
    json_object_put(report->rows);
    free(report);
}

rug_record *rug_report_head(rug_report *report)
{
    return report->head;
}

void rug_report_add(rug_report *report, rug_record *row)
{
    json_object *object = rugi_record_release(row);

    if (object == NULL) {
        report->failed = 1;
    } else if (json_object_array_add(report->rows, object) != 0) {
        json_object_put(object);
        report->failed = 1;
    }
}

size_t rug_report_rows(const rug_report *report)
{
    return json_object_array_length(report->rows);
}

/* The head's members, then "results". NULL when memory is out. */
static json_object *make_document(const rug_report *report)
{
    json_object *document = json_object_new_object();
    int failed = document == NULL;

    if (failed)
        return NULL;
    json_object_object_foreach(report->head->object, name, value)
    {
        failed |= json_object_object_add(document, name, json_object_get(value)) != 0;
    }
    failed |=
        json_object_object_add(document, "results", json_object_get(report->rows)) != 0;
    if (!failed)
        return document;
    json_object_put(document);
    return NULL;
}

static rug_status write_json(FILE *stream, const rug_report *report)
{
    const int look = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
                     JSON_C_TO_STRING_NOSLASHESCAPE;
    json_object *document = make_document(report);
    const char *text = NULL;
    uint32_t code;

    if (document != NULL)
        text = json_object_to_json_string_ext(document, look);
    if (text == NULL) {
        json_object_put(document);
        return RUG_E_NOMEM;
    }
    /* json-c passes bytes through, but JSON must be UTF-8 (RFC 8259, 8.1) and file names
     * need not be. */
    while (*text != '\0') {
        text += rugi_utf8_next(&code, text);
        rugi_utf8_put(stream, code);
    }
    fputc('\n', stream);
    json_object_put(document);
    return RUG_OK;
}

static rug_status write_form(rug_context *ctx, FILE *stream, const rug_report *report,
                             rug_report_format format)
{
    rugi_table table = {report->n_columns, report->columns, report->rows};
    rug_status status = RUG_OK;

    if (format == RUG_REPORT_JSON)
        status = write_json(stream, report);
    else if (format == RUG_REPORT_CSV)
        status = rugi_table_write_csv(stream, &table);
    else
        status = rugi_table_write_text(stream, &table);
    if (status != RUG_OK)
        return rug_context_fail(ctx, status,
                                "out of memory while the results were written");
    return RUG_OK;
}

static rug_status write_stdout(rug_context *ctx, const rug_report *report,
                               rug_report_format format)
{
    rug_status status = write_form(ctx, stdout, report, format);
    int failed_before = ferror(stdout);

    if (status != RUG_OK)
        return status;
    if (fflush(stdout) != 0 || failed_before)
        return rug_context_fail(ctx, RUG_E_IO, "cannot write standard output: %s",
                                strerror(failed_before ? EIO : errno));
    return RUG_OK;
}

static rug_status write_file(rug_context *ctx, const rug_report *report, const char *path,
                             rug_report_format format)
{
    rug_output *output;
    rug_status status = rug_output_open(ctx, &output, path);

    if (status != RUG_OK)
        return status;
    status = write_form(ctx, rug_output_stream(output), report, format);
    if (status == RUG_OK)
        return rug_output_commit(ctx, output);
    rug_output_discard(output);
    return status;
}

rug_status rug_report_write(rug_context *ctx, const rug_report *report, const char *path,
                            rug_report_format format)
{
    if (report == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "there is no report to write");
    if ((int)format < RUG_REPORT_TEXT || (int)format > RUG_REPORT_JSON)
        return rug_context_fail(
            ctx, RUG_E_ARG, "report format %d is unknown: expected 0 to 2", (int)format);
    if (report->failed || report->head->failed)
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "out of memory while the results were collected");
    if (path == NULL)
        return write_stdout(ctx, report, format);
    return write_file(ctx, report, path, format);
}

rug_status rug_report_format_of(rug_context *ctx, rug_report_format *out,
                                const char *path)
{
    static const struct {
        const char *ending;
        rug_report_format format;
    } known[] = {
        {".csv", RUG_REPORT_CSV}, {".json", RUG_REPORT_JSON}, {".txt", RUG_REPORT_TEXT}};
    const char *name = path == NULL ? "" : path;
    const char *dot = strrchr(name, '.');

    *out = RUG_REPORT_TEXT;
    for (size_t i = 0; dot != NULL && i < sizeof known / sizeof known[0]; i++) {
        if (strcasecmp(dot, known[i].ending) == 0) {
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
