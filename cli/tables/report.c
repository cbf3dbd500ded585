/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reports: rows that share columns, written as aligned text, CSV or one JSON document. Here is
 * who owns what, the three forms, and the error texts; the file is written by disk.c.
 *
 * In tables a member that is missing, null or nested shows as `nan`. Widths count code points:
 * accents set apart from their letter and double-width letters are not distinguished. */

#define _POSIX_C_SOURCE 200809L
#include "report.h"
#include "core/image/number.h"
#include "io/base/disk.h"
#include "io/base/utf8.h"
#include "record_json.h"
#include <assert.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNDEFINED  "nan"
#define COLUMN_GAP "  "

/* ---- Tables ---- */

/* What a table shows: these members of these objects. Everything is borrowed. */
typedef struct table_view {
    size_t n_columns;
    char *const *columns;
    json_object *rows; /* an array of objects */
} table_view;

static const json_object *value_at(const table_view *table, size_t row, size_t column)
{
    json_object *object = json_object_array_get_idx(table->rows, row);
    json_object *value = NULL;

    json_object_object_get_ex(object, table->columns[column], &value);
    return value;
}

/* A value's exact text; NULL when out of memory. It is valid as long as the value. */
static const char *exact_text(const json_object *value)
{
    switch (json_object_get_type(value)) {
    case json_type_null:
    case json_type_object:
    case json_type_array: return UNDEFINED;
    case json_type_string: return json_object_get_string((json_object *)(uintptr_t)value);
    default:
        /* json-c keeps the text in the object, so it wants to write there. */
        return cli_json_text((json_object *)(uintptr_t)value, JSON_C_TO_STRING_SPACED);
    }
}

/* Whether a spreadsheet would take a text for a formula and run it. */
static int is_formula(const char *text)
{
    double number;

    return text[0] != '\0' && strchr("=+-@\t\r\n", text[0]) != NULL &&
           !rugi_parse_real(&number, text);
}

static void write_csv_field(FILE *stream, const char *text)
{
    const char *apostrophe = is_formula(text) ? "'" : "";

    /* Empty text is quoted, so that a line is never blank and readers take it as text. */
    if (text[0] != '\0' && strpbrk(text, ",\"\r\n") == NULL) {
        fprintf(stream, "%s%s", apostrophe, text);
        return;
    }
    fprintf(stream, "\"%s", apostrophe);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void end_csv_field(FILE *stream, const table_view *table, size_t column)
{
    fputc(column + 1 < table->n_columns ? ',' : '\n', stream);
}

/* Writes CSV: fields quoted as RFC 4180 says, lines ended by "\n". Text keeps its bytes, behind an
 *  apostrophe where it would be a formula.
 *  @return RUG_OK, RUG_E_NOMEM; whether the stream took it is for the caller to ask */
static rug_status write_csv(FILE *stream, const table_view *table)
{
    size_t n_rows = json_object_array_length(table->rows);

    for (size_t c = 0; c < table->n_columns; c++) {
        write_csv_field(stream, table->columns[c]);
        end_csv_field(stream, table, c);
    }
    for (size_t r = 0; r < n_rows; r++) {
        for (size_t c = 0; c < table->n_columns; c++) {
            const char *text = exact_text(value_at(table, r, c));

            if (text == NULL)
                return RUG_E_NOMEM;
            write_csv_field(stream, text);
            end_csv_field(stream, table, c);
        }
    }
    return RUG_OK;
}

/* Like exact_text(), with reals rounded into the buffer. */
static const char *short_text(const json_object *value, char buffer[RUGI_REAL_TEXT_MAX])
{
    if (!json_object_is_type(value, json_type_double))
        return exact_text(value);
    rugi_format_real_short(buffer, json_object_get_double(value));
    return buffer;
}

/* How a column forms. */
typedef struct column_form {
    size_t width;
    int is_text;
} column_form;

static rug_status measure_column(column_form *out, const table_view *table, size_t column)
{
    size_t n_rows = json_object_array_length(table->rows);

    out->width = rugi_utf8_show(NULL, table->columns[column]);
    out->is_text = 0;
    for (size_t r = 0; r < n_rows; r++) {
        const json_object *value = value_at(table, r, column);
        char buffer[RUGI_REAL_TEXT_MAX];
        const char *text = short_text(value, buffer);
        size_t width;

        if (text == NULL)
            return RUG_E_NOMEM;
        width = rugi_utf8_show(NULL, text);
        out->width = width > out->width ? width : out->width;
        out->is_text |= json_object_is_type(value, json_type_string) ||
                        json_object_is_type(value, json_type_boolean);
    }
    return RUG_OK;
}

static void write_spaces(FILE *stream, size_t n)
{
    while (n-- > 0)
        fputc(' ', stream);
}

/* Writes a value with the gap before it. No line ends in spaces. */
static void write_aligned(FILE *stream, const column_form *forms, const table_view *table,
                          size_t column, const char *text)
{
    int is_last = column + 1 == table->n_columns;
    size_t n_padding = forms[column].width - rugi_utf8_show(NULL, text);

    if (column > 0)
        fputs(COLUMN_GAP, stream);
    if (!forms[column].is_text)
        write_spaces(stream, n_padding);
    rugi_utf8_show(stream, text);
    if (forms[column].is_text && !is_last)
        write_spaces(stream, n_padding);
    if (is_last)
        fputc('\n', stream);
}

static void write_text_lines(FILE *stream, const column_form *forms,
                             const table_view *table)
{
    size_t n_rows = json_object_array_length(table->rows);

    for (size_t c = 0; c < table->n_columns; c++)
        write_aligned(stream, forms, table, c, table->columns[c]);
    for (size_t r = 0; r < n_rows; r++) {
        for (size_t c = 0; c < table->n_columns; c++) {
            char buffer[RUGI_REAL_TEXT_MAX];

            write_aligned(stream, forms, table, c,
                          short_text(value_at(table, r, c), buffer));
        }
    }
}

/* Writes aligned columns for people: numbers to the right and rounded to six digits,
 *  text to the left, with control characters as \n, \x1b.
 *  @return RUG_OK, RUG_E_NOMEM; likewise */
static rug_status write_text(FILE *stream, const table_view *table)
{
    column_form *forms = calloc(table->n_columns + 1, sizeof *forms);
    rug_status status = forms == NULL ? RUG_E_NOMEM : RUG_OK;

    for (size_t c = 0; c < table->n_columns && status == RUG_OK; c++)
        status = measure_column(&forms[c], table, c);
    if (status == RUG_OK)
        write_text_lines(stream, forms, table);
    free(forms);
    return status;
}

/* ---- Reports ---- */

struct cli_report {
    char **columns;
    size_t n_columns;
    cli_record *head;
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
    free(report);
}

cli_record *cli_report_head(cli_report *report)
{
    return report != NULL ? report->head : NULL;
}

void cli_report_add(cli_report *report, cli_record *row)
{
    json_object *object = cli_record_release(row);

    if (report == NULL) {
        json_object_put(object);
    } else if (object == NULL) {
        report->failed = 1;
    } else if (json_object_array_add(report->rows, object) != 0) {
        json_object_put(object);
        report->failed = 1;
    }
}

void cli_report_take(cli_report *report, cli_report *from)
{
    size_t n = json_object_array_length(from->rows);

    report->failed |= from->failed;
    for (size_t i = 0; i < n; i++) {
        json_object *row = json_object_get(json_object_array_get_idx(from->rows, i));

        if (json_object_array_add(report->rows, row) != 0) {
            json_object_put(row);
            report->failed = 1;
        }
    }
    json_object_array_del_idx(from->rows, 0, n);
}

size_t cli_report_rows(const cli_report *report)
{
    return json_object_array_length(report->rows);
}

/* The head's members, then "results". NULL when out of memory. */
static json_object *make_document(const cli_report *report)
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

static rug_status write_json(FILE *stream, const cli_report *report)
{
    const int form = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
                     JSON_C_TO_STRING_NOSLASHESCAPE;
    json_object *document = make_document(report);
    const char *text = NULL;
    uint32_t code;

    if (document != NULL)
        text = cli_json_text(document, form);
    if (text == NULL) {
        json_object_put(document);
        return RUG_E_NOMEM;
    }
    /* json-c passes bytes through, but JSON must be UTF-8 (RFC 8259, 8.1) and file names
     * need not be. It escapes only the control characters of ASCII. */
    while (*text != '\0') {
        text += rugi_utf8_next(&code, text);
        if (code >= 0x7F && rugi_utf8_is_control(code))
            fprintf(stream, "\\u%04x", (unsigned)code);
        else
            rugi_utf8_put(stream, code);
    }
    fputc('\n', stream);
    json_object_put(document);
    return RUG_OK;
}

static rug_status write_form(rug_context *ctx, FILE *stream, const cli_report *report,
                             cli_report_format format)
{
    table_view table = {report->n_columns, report->columns, report->rows};
    rug_status status = RUG_OK;

    if (format == CLI_REPORT_JSON)
        status = write_json(stream, report);
    else if (format == CLI_REPORT_CSV)
        status = write_csv(stream, &table);
    else
        status = write_text(stream, &table);
    if (status != RUG_OK)
        return rug_context_fail(ctx, status,
                                "out of memory while the results were written");
    return RUG_OK;
}

static rug_status write_stdout(rug_context *ctx, const cli_report *report,
                               cli_report_format format)
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

static rug_status write_file(rug_context *ctx, const cli_report *report, const char *path,
                             cli_report_format format)
{
    rugi_output *output;
    rug_status status = rugi_output_open(ctx, &output, path);

    if (status != RUG_OK)
        return status;
    status = write_form(ctx, rugi_output_stream(output), report, format);
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
    if ((int)format < CLI_REPORT_TEXT || (int)format > CLI_REPORT_JSON)
        return rug_context_fail(
            ctx, RUG_E_ARG, "report format %d is unknown: expected 0 to 2", (int)format);
    if (report->failed || report->head->failed)
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "out of memory while the results were collected");
    if (path == NULL)
        return write_stdout(ctx, report, format);
    return write_file(ctx, report, path, format);
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
