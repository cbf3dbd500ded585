/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lists of images: CSV files with the columns image[,mask][,labels][,class]. libcsv splits the
 * fields; the rows are checked here. Whether the images exist is not checked. */

#include "list.h"
#include <csv.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** The columns that are known; the numbers are the places in a row. */
enum { COLUMN_IMAGE, COLUMN_MASK, COLUMN_LABELS, COLUMN_CLASS, N_COLUMNS };

/** A list that is being read. */
typedef struct parse {
    rug_context *ctx;
    const char *path;
    cli_list *list;
    size_t line;             /* of the byte that is being read, from 1 */
    size_t begin;            /* line where the current row began */
    int place[N_COLUMNS];    /* which field a column is, -1 = absent */
    int n_header;            /* fields of the header; 0 = not seen yet */
    int n_fields;            /* fields of the current row so far */
    char *fields[N_COLUMNS]; /* of the current row, by column; owned */
    rug_status status;
} parse;

static void free_row(cli_list_row *row)
{
    free(row->image);
    free(row->mask);
    free(row->labels);
    free(row->class_name);
}

void cli_list_free(cli_list *list)
{
    if (list == NULL)
        return;
    for (size_t i = 0; i < list->n_rows; i++)
        free_row(&list->rows[i]);
    free(list->rows);
    free(list);
}

static void out_of_memory(parse *p)
{
    p->status =
        rug_context_fail(p->ctx, RUG_E_NOMEM, "%s: no memory for the list", p->path);
}

/** Takes a field of the header. */
static void take_name(parse *p, const char *name)
{
    static const char *const names[N_COLUMNS] = {"image", "mask", "labels", "class"};
    int column = 0;
    while (column < N_COLUMNS && strcmp(name, names[column]) != 0)
        column++;
    if (column == N_COLUMNS)
        p->status = rug_context_fail(
            p->ctx, RUG_E_FORMAT,
            "%s: line %zu: column '%s'; image, mask, labels and class expected", p->path,
            p->begin, name);
    else if (p->place[column] >= 0)
        p->status = rug_context_fail(p->ctx, RUG_E_FORMAT,
                                     "%s: line %zu: column '%s' occurs twice", p->path,
                                     p->begin, name);
    else
        p->place[column] = p->n_fields;
}

/** Takes a field of a row; empty ones count as absent. */
static void take_value(parse *p, const char *value)
{
    for (int column = 0; column < N_COLUMNS; column++)
        if (p->place[column] == p->n_fields && value[0] != '\0') {
            p->fields[column] = strdup(value);
            if (p->fields[column] == NULL)
                out_of_memory(p);
        }
}

static void on_field(void *text, size_t n, void *user)
{
    parse *p = user;
    if (p->status != RUG_OK)
        return;
    if (strlen(text) != n)
        p->status = rug_context_fail(p->ctx, RUG_E_FORMAT,
                                     "%s: line %zu: a zero byte; a CSV text expected",
                                     p->path, p->begin);
    else if (p->n_header == 0)
        take_name(p, text);
    else
        take_value(p, text);
    p->n_fields++;
}

/** Joins a relative path to the list's folder.
 *  @param path  taken over; NULL stays NULL */
static char *join_path(parse *p, char *path)
{
    const char *slash = strrchr(p->path, '/');
    if (path == NULL || path[0] == '/' || slash == NULL)
        return path;
    size_t n_folder = (size_t)(slash - p->path) + 1;
    size_t n_path = strlen(path) + 1;
    char *joined = malloc(n_folder + n_path);
    if (joined != NULL) {
        memcpy(joined, p->path, n_folder);
        memcpy(joined + n_folder, path, n_path);
    } else
        out_of_memory(p);
    free(path);
    return joined;
}

static cli_list_row *append_row(parse *p)
{
    cli_list *list = p->list;
    if (list->n_rows == list->capacity) {
        size_t capacity = list->capacity != 0 ? 2 * list->capacity : 16;
        cli_list_row *rows = capacity <= SIZE_MAX / sizeof *rows
                                 ? realloc(list->rows, capacity * sizeof *rows)
                                 : NULL;
        if (rows == NULL) {
            out_of_memory(p);
            return NULL;
        }
        list->rows = rows;
        list->capacity = capacity;
    }
    return &list->rows[list->n_rows++];
}

static void end_header(parse *p)
{
    p->n_header = p->n_fields;
    if (p->place[COLUMN_IMAGE] < 0)
        p->status =
            rug_context_fail(p->ctx, RUG_E_FORMAT,
                             "%s: line %zu: no column 'image'; the first line must be a "
                             "header such as image,mask,class",
                             p->path, p->begin);
}

static void end_values(parse *p)
{
    if (p->n_fields != p->n_header)
        p->status =
            rug_context_fail(p->ctx, RUG_E_FORMAT,
                             "%s: line %zu: %d fields; %d expected, as in the header",
                             p->path, p->begin, p->n_fields, p->n_header);
    else if (p->fields[COLUMN_IMAGE] == NULL)
        p->status =
            rug_context_fail(p->ctx, RUG_E_FORMAT, "%s: line %zu: the image is missing",
                             p->path, p->begin);
    cli_list_row *row = p->status == RUG_OK ? append_row(p) : NULL;
    if (row == NULL)
        return;
    row->image = join_path(p, p->fields[COLUMN_IMAGE]);
    row->mask = join_path(p, p->fields[COLUMN_MASK]);
    row->labels = join_path(p, p->fields[COLUMN_LABELS]);
    row->class_name = p->fields[COLUMN_CLASS];
    memset(p->fields, 0, sizeof p->fields);
}

static void on_row(int end, void *user)
{
    parse *p = user;
    (void)end;
    if (p->status == RUG_OK && p->n_header == 0)
        end_header(p);
    else if (p->status == RUG_OK)
        end_values(p);
    p->n_fields = 0;
    p->begin = 0;
}

static void fail_csv(parse *p, struct csv_parser *csv)
{
    if (csv_error(csv) == CSV_EPARSE)
        p->status =
            rug_context_fail(p->ctx, RUG_E_FORMAT,
                             "%s: line %zu: unbalanced quotes; \"...\" around a whole "
                             "field, \"\" for a quote within",
                             p->path, p->begin != 0 ? p->begin : p->line);
    else
        out_of_memory(p);
}

static int is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/** Feeds the bytes of a stream, keeping count of the lines. */
static void feed(parse *p, struct csv_parser *csv, FILE *in)
{
    int c, last = 0;
    while (p->status == RUG_OK && (c = fgetc(in)) != EOF) {
        unsigned char byte = (unsigned char)c;
        int is_end = c == '\n' || c == '\r';
        if (p->begin == 0 && !is_blank(c))
            p->begin = p->line;
        if (csv_parse(csv, &byte, 1, on_field, on_row, p) != 1 && p->status == RUG_OK)
            fail_csv(p, csv);
        if (is_end && !(c == '\n' && last == '\r'))
            p->line++;
        last = c;
    }
    if (p->status == RUG_OK && ferror(in))
        p->status = rug_context_fail(p->ctx, RUG_E_IO, "%s: cannot be read: %s", p->path,
                                     strerror(errno));
    if (p->status == RUG_OK && csv_fini(csv, on_field, on_row, p) != 0)
        fail_csv(p, csv);
}

/** Passes over the byte-order mark that some programs put before UTF-8. */
static void skip_mark(FILE *in)
{
    unsigned char mark[3];
    if (fread(mark, 1, 3, in) != 3 || memcmp(mark, "\xef\xbb\xbf", 3) != 0)
        rewind(in);
}

static void read_stream(parse *p, FILE *in)
{
    struct csv_parser csv;
    skip_mark(in);
    if (csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0) {
        out_of_memory(p);
        return;
    }
    feed(p, &csv, in);
    csv_free(&csv);
    for (int i = 0; i < N_COLUMNS; i++)
        free(p->fields[i]);
    if (p->status == RUG_OK && p->list->n_rows == 0)
        p->status = rug_context_fail(p->ctx, RUG_E_FORMAT, "%s: %s", p->path,
                                     p->n_header == 0
                                         ? "is empty; a header such as image,mask,class "
                                           "and a row per image expected"
                                         : "no rows below the header; a row per image "
                                           "expected");
}

rug_status cli_list_read(rug_context *ctx, cli_list **out, const char *path)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "cli_list_read: NULL given for the context, the result or the path");
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", path,
                                strerror(errno));
    parse p = {.ctx = ctx, .path = path, .line = 1, .place = {-1, -1, -1, -1}};
    p.list = calloc(1, sizeof *p.list);
    if (p.list == NULL)
        out_of_memory(&p);
    else
        read_stream(&p, in);
    fclose(in);
    if (p.status != RUG_OK) {
        cli_list_free(p.list);
        return p.status;
    }
    *out = p.list;
    return RUG_OK;
}
