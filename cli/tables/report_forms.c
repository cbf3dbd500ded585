/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The four forms of a report. In tables a member that is missing, null or nested shows as `nan`.
 * Widths count code points: accents set apart from their letter and double-width letters are not
 * distinguished. */

#define _POSIX_C_SOURCE 200809L
#include "report_forms.h"
#include "core/image/number.h"
#include "io/base/utf8.h"
#include "record_json.h"
#include <stdlib.h>
#include <string.h>

#define UNDEFINED  "nan"
#define COLUMN_GAP "  "

/* ---- Tables ---- */

/* The item of the list of bins that a column is; NULL: none. */
static const json_object *bin_at(const json_object *object, const char *column)
{
    json_object *bins = NULL;
    char *end = NULL;

    if (strncmp(column, "bin_", 4) != 0 || column[4] < '0' || column[4] > '9' ||
        !json_object_object_get_ex(object, CLI_BINS, &bins) ||
        !json_object_is_type(bins, json_type_array))
        return NULL;
    unsigned long i = strtoul(column + 4, &end, 10);
    return *end == '\0' && i < json_object_array_length(bins)
               ? json_object_array_get_idx(bins, i)
               : NULL;
}

static const json_object *value_at(const cli_sheet *table, size_t row, size_t column)
{
    json_object *object = json_object_array_get_idx(table->rows, row);
    json_object *value = NULL, *carried = NULL;

    if (json_object_object_get_ex(object, CLI_CARRIED, &carried) &&
        json_object_object_get_ex(carried, table->columns[column], &value))
        return value;
    if (json_object_object_get_ex(object, table->columns[column], &value))
        return value;
    return bin_at(object, table->columns[column]);
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

static const char *apostrophe_of(const char *text)
{
    return is_formula(text) ? "'" : "";
}

static void write_csv_field(FILE *stream, const char *text)
{
    const char *apostrophe = apostrophe_of(text);

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

static void end_csv_field(FILE *stream, const cli_sheet *table, size_t column)
{
    fputc(column + 1 < table->n_columns ? ',' : '\n', stream);
}

/* Fields are quoted as RFC 4180 says, lines ended by "\n". Text keeps its bytes, behind an
 * apostrophe where it would be a formula. */
static rug_status begin_csv(FILE *stream, const cli_sheet *table)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        write_csv_field(stream, table->columns[c]);
        end_csv_field(stream, table, c);
    }
    return RUG_OK;
}

static rug_status write_csv_rows(FILE *stream, const cli_sheet *table)
{
    size_t n_rows = json_object_array_length(table->rows);

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

static rug_status measure_column(column_form *out, const cli_sheet *table, size_t column)
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
static void write_aligned(FILE *stream, const column_form *forms, const cli_sheet *table,
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
                             const cli_sheet *table)
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

/* Aligned columns for people: numbers to the right and rounded to six digits, text to the left,
 * with control characters as \n, \x1b. How wide they are only all rows tell. */
static rug_status write_text(FILE *stream, const cli_sheet *table)
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

/* ---- JSON ---- */

#define JSON_FORM \
    (JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE)

/* Stands for the rows in a document; no text of JSON holds it unescaped. */
#define ROWS      "\001rows"
#define ROWS_TEXT "\"\\u0001rows\""

/* json-c passes bytes through, but JSON must be UTF-8 (RFC 8259, 8.1) and file names need not be.
 * It escapes only the control characters of ASCII. */
static void put_json(FILE *stream, const char *text, const char *end, size_t indent)
{
    while (text < end) {
        uint32_t code;
        text += rugi_utf8_next(&code, text);
        if (code >= 0x7F && rugi_utf8_is_control(code))
            fprintf(stream, "\\u%04x", (unsigned)code);
        else
            rugi_utf8_put(stream, code);
        if (code == '\n')
            write_spaces(stream, indent);
    }
}

/* The members of the head that were there when it was begun, "results" with a place for the rows,
 * then those that came later. NULL when out of memory. */
static json_object *make_document(const cli_sheet *sheet)
{
    json_object *document = json_object_new_object(), *rows = json_object_new_array();
    json_object *place = json_object_new_string(ROWS);
    int failed = document == NULL || rows == NULL || place == NULL ||
                 json_object_array_add(rows, place) != 0;
    size_t n = 0;
    if (failed) {
        json_object_put(place);
        json_object_put(rows);
        json_object_put(document);
        return NULL;
    }
    json_object_object_foreach(sheet->head, name, value)
    {
        if (n++ == sheet->n_head)
            failed |=
                json_object_object_add(document, "results", json_object_get(rows)) != 0;
        failed |= json_object_object_add(document, name, json_object_get(value)) != 0;
    }
    if (n <= sheet->n_head)
        failed |= json_object_object_add(document, "results", json_object_get(rows)) != 0;
    json_object_put(rows);
    if (!failed)
        return document;
    json_object_put(document);
    return NULL;
}

/* A document around its rows. */
typedef struct frame {
    json_object *document;
    const char *begin, *open, *rows, *behind,
        *end; /* the list opens, the rows stand, it goes on */
} frame;

static rug_status make_frame(frame *f, const cli_sheet *sheet)
{
    const char *text = NULL;
    *f = (frame){.document = make_document(sheet)};
    if (f->document != NULL)
        text = cli_json_text(f->document, JSON_FORM);
    if (text == NULL)
        return RUG_E_NOMEM;
    f->begin = text;
    for (const char *at = text; (at = strstr(at, ROWS_TEXT)) != NULL; at++)
        f->rows = at; /* the last, as names may be anything */
    f->behind = f->rows + strlen(ROWS_TEXT);
    f->end = text + strlen(text);
    f->open = f->rows;
    while (f->open[-1] != '[')
        f->open--;
    return RUG_OK;
}

static rug_status begin_json(FILE *stream, const cli_sheet *sheet)
{
    frame f;
    rug_status status = make_frame(&f, sheet);
    if (status == RUG_OK)
        put_json(stream, f.begin, f.open, 0);
    json_object_put(f.document);
    return status;
}

static rug_status write_json_rows(FILE *stream, const cli_sheet *sheet)
{
    frame f;
    size_t n_rows = json_object_array_length(sheet->rows);
    rug_status status = make_frame(&f, sheet);
    size_t indent = f.rows > f.open ? (size_t)(f.rows - f.open) - 1 : 0;
    for (size_t r = 0; r < n_rows && status == RUG_OK; r++) {
        const char *text =
            cli_json_text(json_object_array_get_idx(sheet->rows, r), JSON_FORM);
        if (sheet->n_before + r > 0)
            fputc(',', stream);
        put_json(stream, f.open, f.rows, 0);
        if (text == NULL)
            status = RUG_E_NOMEM;
        else
            put_json(stream, text, text + strlen(text), indent);
    }
    json_object_put(f.document);
    return status;
}

static rug_status end_json(FILE *stream, const cli_sheet *sheet)
{
    frame f;
    rug_status status = make_frame(&f, sheet);
    if (status == RUG_OK) {
        put_json(stream, f.behind, f.end, 0);
        fputc('\n', stream);
    }
    json_object_put(f.document);
    return status;
}

/* ---- Pages ---- */

#define PAGE_FORM (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

/* JSON inside of an element of HTML: these characters stand in strings alone, and escaped none of them
 * ends the element, whatever it says. A script takes U+2028 and U+2029 for ends of lines. */
static int is_markup(uint32_t code)
{
    return code == '<' || code == '>' || code == '&' || code == 0x2028 || code == 0x2029;
}

static rug_status put_value(FILE *stream, json_object *value)
{
    const char *text = value != NULL ? cli_json_text(value, PAGE_FORM) : "null";

    if (text == NULL)
        return RUG_E_NOMEM;
    while (*text != '\0') {
        uint32_t code;
        text += rugi_utf8_next(&code, text);
        if (is_markup(code) || (code >= 0x7F && rugi_utf8_is_control(code)))
            fprintf(stream, "\\u%04x", (unsigned)code);
        else
            rugi_utf8_put(stream, code);
    }
    return RUG_OK;
}

/* Takes a value over, which is NULL when memory ran out. */
static rug_status put_made(FILE *stream, json_object *value)
{
    rug_status status = value != NULL ? put_value(stream, value) : RUG_E_NOMEM;

    json_object_put(value);
    return status;
}

/* ,"name":value for the members of the head from one on. */
static rug_status put_head(FILE *stream, const cli_sheet *sheet, size_t from, size_t to)
{
    rug_status status = RUG_OK;
    size_t n = 0;

    json_object_object_foreach(sheet->head, name, value)
    {
        if (n >= from && n < to && status == RUG_OK) {
            fputs(",\n", stream);
            status = put_made(stream, json_object_new_string(name));
            fputc(':', stream);
            if (status == RUG_OK)
                status = put_value(stream, value);
        }
        n++;
    }
    return status;
}

/* A list of texts; NULL when out of memory. @param text_at  of an item, NULL when out of memory */
static json_object *make_texts(const cli_sheet *sheet, size_t row,
                               char *(*text_at)(const cli_sheet *, size_t row,
                                                size_t column))
{
    json_object *list = json_object_new_array();

    for (size_t c = 0; c < sheet->n_columns && list != NULL; c++) {
        char *text = text_at(sheet, row, c);
        json_object *item = text != NULL ? json_object_new_string(text) : NULL;
        if (item == NULL || json_object_array_add(list, item) != 0) {
            json_object_put(item);
            json_object_put(list);
            list = NULL;
        }
        free(text);
    }
    return list;
}

static char *column_at(const cli_sheet *sheet, size_t row, size_t column)
{
    (void)row;
    return strdup(sheet->columns[column]);
}

static char *cell_at(const cli_sheet *sheet, size_t row, size_t column)
{
    const char *text = exact_text(value_at(sheet, row, column));
    size_t n = text != NULL ? strlen(text) + 2 : 0;
    char *cell = n > 0 ? malloc(n) : NULL;

    if (cell != NULL)
        snprintf(cell, n, "%s%s", apostrophe_of(text), text);
    return cell;
}

static rug_status begin_page(FILE *stream, const cli_sheet *sheet)
{
    fwrite(cli_page.begin, 1, (size_t)(cli_page.behind - cli_page.begin), stream);
    fputs("{\"columns\":", stream);
    rug_status status = put_made(stream, make_texts(sheet, 0, column_at));
    if (status == RUG_OK)
        status = put_head(stream, sheet, 0, sheet->n_head);
    fputs(",\n\"entries\":[", stream);
    return status;
}

/* The row before one, of those that are written together; NULL: none. */
static json_object *row_before(const cli_sheet *sheet, size_t row)
{
    while (row-- > 0) {
        json_object *object = json_object_array_get_idx(sheet->rows, row);
        if (!json_object_object_get_ex(object, CLI_PICTURE, NULL))
            return object;
    }
    return NULL;
}

/* Whether a member is long, and the same in another row. */
static int is_as_before(json_object *before, const char *name, json_object *value)
{
    json_object *other = NULL;
    int is_long = json_object_is_type(value, json_type_object) ||
                  json_object_is_type(value, json_type_array) ||
                  (json_object_is_type(value, json_type_string) &&
                   json_object_get_string_len(value) >= 32);

    return is_long && json_object_object_get_ex(before, name, &other) &&
           json_object_equal(value, other);
}

/* The members of a row, then the names of those that are as in the row before, if any. */
static rug_status put_row(FILE *stream, json_object *row, json_object *before)
{
    json_object *same = json_object_new_array();
    rug_status status = same != NULL ? RUG_OK : RUG_E_NOMEM;
    size_t n = 0;

    fputs(",\"row\":{", stream);
    json_object_object_foreach(row, name, value)
    {
        if (status != RUG_OK || strcmp(name, CLI_MOMENTS) == 0)
            continue;
        int is_same = is_as_before(before, name, value);
        json_object *text = json_object_new_string(name);
        if (!is_same)
            fputs(n++ > 0 ? "," : "", stream);
        if (text == NULL || (is_same && json_object_array_add(same, text) != 0)) {
            json_object_put(text);
            status = RUG_E_NOMEM;
        } else if (!is_same) {
            status = put_made(stream, text);
            fputc(':', stream);
            if (status == RUG_OK)
                status = put_value(stream, value);
        }
    }
    fputc('}', stream);
    if (status == RUG_OK && json_object_array_length(same) > 0) {
        fputs(",\"as_before\":", stream);
        status = put_value(stream, same);
    }
    json_object_put(same);
    return status;
}

static rug_status put_entry(FILE *stream, const cli_sheet *sheet, size_t row)
{
    json_object *object = json_object_array_get_idx(sheet->rows, row);

    if (json_object_object_get_ex(object, CLI_PICTURE, NULL))
        return put_value(stream, object);
    fputs("{\"cells\":", stream);
    rug_status status = put_made(stream, make_texts(sheet, row, cell_at));
    if (status == RUG_OK)
        status = put_row(stream, object, row_before(sheet, row));
    fputc('}', stream);
    return status;
}

static rug_status write_page_rows(FILE *stream, const cli_sheet *sheet)
{
    size_t n_rows = json_object_array_length(sheet->rows);
    rug_status status = RUG_OK;

    for (size_t r = 0; r < n_rows && status == RUG_OK; r++) {
        fputs(sheet->n_before + r > 0 ? ",\n" : "\n", stream);
        status = put_entry(stream, sheet, r);
    }
    return status;
}

static rug_status end_page(FILE *stream, const cli_sheet *sheet)
{
    fputc(']', stream);
    rug_status status = put_head(stream, sheet, sheet->n_head, SIZE_MAX);
    fputs("}\n", stream);
    fwrite(cli_page.behind, 1, (size_t)(cli_page.end - cli_page.behind), stream);
    return status;
}

const cli_form cli_forms[CLI_N_FORMS] = {
    [CLI_REPORT_TEXT] = {.end = write_text},
    [CLI_REPORT_CSV] = {.begin = begin_csv, .rows = write_csv_rows},
    [CLI_REPORT_JSON] = {.begin = begin_json, .rows = write_json_rows, .end = end_json},
    [CLI_REPORT_PAGE] = {.begin = begin_page, .rows = write_page_rows, .end = end_page},
};
