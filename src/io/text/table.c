/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Tables as CSV for programs and as aligned columns for people. A member that is missing,
 * null or nested shows as `nan`. Widths count code points: accents set apart from their
 * letter and double-width letters are not told apart. */

#include "table.h"
#include <rugose/number.h>

#include "utf8.h"

#include <string.h>

#define UNDEFINED  "nan"
#define COLUMN_GAP "  "

static const json_object *cell_at(const rugi_table *table, size_t row, size_t column)
{
    json_object *object = json_object_array_get_idx(table->rows, row);
    json_object *value = NULL;

    json_object_object_get_ex(object, table->columns[column], &value);
    return value;
}

/* A cell's exact text; NULL when memory is out. It is valid as long as the cell. */
static const char *exact_text(const json_object *cell)
{
    switch (json_object_get_type(cell)) {
    case json_type_null:
    case json_type_object:
    case json_type_array: return UNDEFINED;
    default:
        /* json-c keeps the text in the object, so it wants to write there. */
        return json_object_get_string((json_object *)(uintptr_t)cell);
    }
}

static void write_csv_field(FILE *stream, const char *text)
{
    /* Empty text is quoted, so that a line is never blank and readers take it as text. */
    if (text[0] != '\0' && strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void end_csv_field(FILE *stream, const rugi_table *table, size_t column)
{
    fputc(column + 1 < table->n_columns ? ',' : '\n', stream);
}

rug_status rugi_table_write_csv(FILE *stream, const rugi_table *table)
{
    size_t n_rows = json_object_array_length(table->rows);

    for (size_t c = 0; c < table->n_columns; c++) {
        write_csv_field(stream, table->columns[c]);
        end_csv_field(stream, table, c);
    }
    for (size_t r = 0; r < n_rows; r++) {
        for (size_t c = 0; c < table->n_columns; c++) {
            const char *text = exact_text(cell_at(table, r, c));

            if (text == NULL)
                return RUG_E_NOMEM;
            write_csv_field(stream, text);
            end_csv_field(stream, table, c);
        }
    }
    return RUG_OK;
}

/* Like exact_text(), with reals rounded into the buffer. */
static const char *short_text(const json_object *cell, char buffer[RUG_REAL_TEXT_MAX])
{
    if (!json_object_is_type(cell, json_type_double))
        return exact_text(cell);
    rug_format_real_short(buffer, json_object_get_double(cell));
    return buffer;
}

static size_t shown_width(const char *text)
{
    size_t width = 0;
    uint32_t code;

    for (; *text != '\0'; text += rugi_utf8_next(&code, text))
        width++;
    return width;
}

/* A control character from a file name must not reach a terminal. */
static void write_shown(FILE *stream, const char *text)
{
    uint32_t code;

    while (*text != '\0') {
        text += rugi_utf8_next(&code, text);
        rugi_utf8_put(stream, rugi_utf8_is_control(code) ? '?' : code);
    }
}

/* How a column looks. */
typedef struct column_look {
    size_t width;
    int is_text;
} column_look;

static rug_status measure_column(column_look *out, const rugi_table *table, size_t column)
{
    size_t n_rows = json_object_array_length(table->rows);

    out->width = shown_width(table->columns[column]);
    out->is_text = 0;
    for (size_t r = 0; r < n_rows; r++) {
        const json_object *cell = cell_at(table, r, column);
        char buffer[RUG_REAL_TEXT_MAX];
        const char *text = short_text(cell, buffer);
        size_t width;

        if (text == NULL)
            return RUG_E_NOMEM;
        width = shown_width(text);
        out->width = width > out->width ? width : out->width;
        out->is_text |= json_object_is_type(cell, json_type_string) ||
                        json_object_is_type(cell, json_type_boolean);
    }
    return RUG_OK;
}

static void write_spaces(FILE *stream, size_t n)
{
    while (n-- > 0)
        fputc(' ', stream);
}

/* Writes a cell with the gap before it. No line ends in spaces. */
static void write_aligned(FILE *stream, const column_look *looks, const rugi_table *table,
                          size_t column, const char *text)
{
    int is_last = column + 1 == table->n_columns;
    size_t n_padding = looks[column].width - shown_width(text);

    if (column > 0)
        fputs(COLUMN_GAP, stream);
    if (!looks[column].is_text)
        write_spaces(stream, n_padding);
    write_shown(stream, text);
    if (looks[column].is_text && !is_last)
        write_spaces(stream, n_padding);
    if (is_last)
        fputc('\n', stream);
}

static void write_text_lines(FILE *stream, const column_look *looks,
                             const rugi_table *table)
{
    size_t n_rows = json_object_array_length(table->rows);

    for (size_t c = 0; c < table->n_columns; c++)
        write_aligned(stream, looks, table, c, table->columns[c]);
    for (size_t r = 0; r < n_rows; r++) {
        for (size_t c = 0; c < table->n_columns; c++) {
            char buffer[RUG_REAL_TEXT_MAX];

            write_aligned(stream, looks, table, c,
                          short_text(cell_at(table, r, c), buffer));
        }
    }
}

rug_status rugi_table_write_text(FILE *stream, const rugi_table *table)
{
    column_look *looks = calloc(table->n_columns + 1, sizeof *looks);
    rug_status status = looks == NULL ? RUG_E_NOMEM : RUG_OK;

    for (size_t c = 0; c < table->n_columns && status == RUG_OK; c++)
        status = measure_column(&looks[c], table, c);
    if (status == RUG_OK)
        write_text_lines(stream, looks, table);
    free(looks);
    return status;
}
