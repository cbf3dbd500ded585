/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lists of images: CSV files with the columns image[,mask][,labels][,class] and others. libcsv splits
 * the fields; the rows are checked here. Whether the images exist is not checked. */

#define _POSIX_C_SOURCE 200809L
#include "list.h"
#include <csv.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/** Columns of a list. */
#define MAX_COLUMNS 1000

/** The columns that have a meaning; all others are carried. */
enum { COLUMN_IMAGE, COLUMN_MASK, COLUMN_LABELS, COLUMN_CLASS, N_COLUMNS };

/** A list that is being read. */
typedef struct parse {
    rug_context *ctx;
    const char *path; /* as messages name it */
    cli_list *list;
    size_t line;          /* of the byte that is being read, from 1 */
    size_t begin;         /* line where the current row began */
    int takes_classes;    /* else their column is carried */
    int place[N_COLUMNS]; /* which field a column is, -1 = absent */
    size_t n_header;      /* fields of the header; 0 = not seen yet */
    size_t n_fields;      /* fields of the current row so far */
    size_t capacity;      /* of fields */
    char **fields;        /* of the current row, or the names of the header; owned */
    rug_status status;
} parse;

static void free_texts(char **texts, size_t n)
{
    for (size_t i = 0; texts != NULL && i < n; i++)
        free(texts[i]);
    free(texts);
}

static void free_row(cli_list_row *row, size_t n_carried)
{
    free(row->image);
    free(row->mask);
    free(row->labels);
    free(row->class_name);
    free_texts(row->carried, n_carried);
}

void cli_list_free(cli_list *list)
{
    if (list == NULL)
        return;
    for (size_t i = 0; i < list->n_rows; i++)
        free_row(&list->rows[i], list->n_carried);
    free(list->rows);
    free_texts(list->carried, list->n_carried);
    free(list->folder);
    free(list);
}

static void out_of_memory(parse *p)
{
    p->status =
        rug_context_fail(p->ctx, RUG_E_NOMEM, "%s: no memory for the list", p->path);
}

static const char *const known[N_COLUMNS] = {"image", "mask", "labels", "class"};

/** Takes the name of column i, which has a meaning, or is carried. */
static void take_name(parse *p, size_t i)
{
    const char *name = p->fields[i];
    if (name[0] == '\0')
        p->status = rug_context_fail(p->ctx, RUG_E_FORMAT,
                                     "%s: line %zu: column %zu has no name; give it one",
                                     p->path, p->begin, i + 1);
    for (size_t k = 0; k < i; k++)
        if (strcmp(name, p->fields[k]) == 0)
            p->status = rug_context_fail(p->ctx, RUG_E_FORMAT,
                                         "%s: line %zu: column '%s' occurs twice",
                                         p->path, p->begin, name);
    for (int column = 0; column < N_COLUMNS; column++)
        if (strcmp(name, known[column]) == 0)
            p->place[column] = column == COLUMN_CLASS && !p->takes_classes ? -1 : (int)i;
        else if (strcasecmp(name, known[column]) == 0)
            p->status = rug_context_fail(p->ctx, RUG_E_FORMAT,
                                         "%s: line %zu: column '%s': write it '%s'",
                                         p->path, p->begin, name, known[column]);
}

static int has_meaning(const parse *p, size_t i)
{
    for (int column = 0; column < N_COLUMNS; column++)
        if (p->place[column] == (int)i)
            return 1;
    return 0;
}

/** Keeps a field of the current row. */
static void keep_field(parse *p, const char *text)
{
    if (p->n_fields == p->capacity) {
        size_t capacity = p->capacity > 0 ? 2 * p->capacity : 16;
        char **more = capacity <= SIZE_MAX / sizeof *more
                          ? realloc(p->fields, capacity * sizeof *more)
                          : NULL;
        if (more == NULL) {
            out_of_memory(p);
            return;
        }
        p->fields = more;
        p->capacity = capacity;
    }
    p->fields[p->n_fields] = strdup(text);
    if (p->fields[p->n_fields] == NULL)
        out_of_memory(p);
    else
        p->n_fields++;
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
    else
        keep_field(p, text);
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
    list->rows[list->n_rows] = (cli_list_row){.image = NULL};
    return &list->rows[list->n_rows++];
}

/** Moves a field out of the current row. */
static char *take(char **field)
{
    char *text = *field;
    *field = NULL;
    return text;
}

/** Moves the fields that are carried to a list of their own. @return NULL: without memory */
static char **take_carried(parse *p)
{
    char **carried = calloc(p->n_header + 1, sizeof *carried);
    size_t n = 0;
    if (carried == NULL)
        out_of_memory(p);
    for (size_t i = 0; carried != NULL && i < p->n_header; i++)
        if (!has_meaning(p, i))
            carried[n++] = take(&p->fields[i]);
    p->list->n_carried = n;
    return carried;
}

static void end_header(parse *p)
{
    p->n_header = p->n_fields;
    if (p->n_fields > MAX_COLUMNS)
        p->status = rug_context_fail(p->ctx, RUG_E_FORMAT,
                                     "%s: line %zu: %zu columns; at most %d expected",
                                     p->path, p->begin, p->n_fields, MAX_COLUMNS);
    for (size_t i = 0; i < p->n_fields && p->status == RUG_OK; i++)
        take_name(p, i);
    if (p->status == RUG_OK && p->place[COLUMN_IMAGE] < 0)
        p->status = rug_context_fail(
            p->ctx, RUG_E_FORMAT,
            "%s: line %zu: no column 'image', and the first is '%.200s'; "
            "the first line must be a header such as image,mask,class",
            p->path, p->begin, p->fields[0]);
    if (p->status == RUG_OK)
        p->list->carried = take_carried(p);
}

/** Moves a field of a row that has a meaning; an empty one counts as absent. */
static char *take_known(parse *p, int column)
{
    int i = p->place[column];
    return i >= 0 && p->fields[i][0] != '\0' ? take(&p->fields[i]) : NULL;
}

static void end_values(parse *p)
{
    if (p->n_fields != p->n_header)
        p->status =
            rug_context_fail(p->ctx, RUG_E_FORMAT,
                             "%s: line %zu: %zu fields; %zu expected, as in the header",
                             p->path, p->begin, p->n_fields, p->n_header);
    else if (p->fields[p->place[COLUMN_IMAGE]][0] == '\0')
        p->status =
            rug_context_fail(p->ctx, RUG_E_FORMAT, "%s: line %zu: the image is missing",
                             p->path, p->begin);
    cli_list_row *row = p->status == RUG_OK ? append_row(p) : NULL;
    if (row == NULL)
        return;
    row->carried = take_carried(p);
    row->image = take_known(p, COLUMN_IMAGE);
    row->mask = take_known(p, COLUMN_MASK);
    row->labels = take_known(p, COLUMN_LABELS);
    row->class_name = take_known(p, COLUMN_CLASS);
}

static void on_row(int end, void *user)
{
    parse *p = user;
    (void)end;
    if (p->status == RUG_OK && p->n_header == 0)
        end_header(p);
    else if (p->status == RUG_OK)
        end_values(p);
    while (p->n_fields > 0)
        free(p->fields[--p->n_fields]);
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

/** Feeds a byte to the parser, keeping count of the lines.
 *  @param last  the one before it */
static void feed_byte(parse *p, struct csv_parser *csv, int c, int last)
{
    unsigned char byte = (unsigned char)c;
    int is_end = c == '\n' || c == '\r';
    if (p->begin == 0 && !is_blank(c))
        p->begin = p->line;
    if (csv_parse(csv, &byte, 1, on_field, on_row, p) != 1 && p->status == RUG_OK)
        fail_csv(p, csv);
    if (is_end && !(c == '\n' && last == '\r'))
        p->line++;
}

/** Feeds a stream, but for the byte-order mark that some programs put before UTF-8. */
static void feed(parse *p, struct csv_parser *csv, FILE *in)
{
    unsigned char head[3];
    size_t n_head = fread(head, 1, 3, in);
    int c, last = 0;
    if (n_head == 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
        n_head = 0;
    for (size_t i = 0; p->status == RUG_OK && i < n_head; last = head[i++])
        feed_byte(p, csv, head[i], last);
    for (; p->status == RUG_OK && (c = fgetc(in)) != EOF; last = c)
        feed_byte(p, csv, c, last);
    if (p->status == RUG_OK && ferror(in))
        p->status = rug_context_fail(p->ctx, RUG_E_IO, "%s: cannot be read: %s", p->path,
                                     strerror(errno));
    if (p->status == RUG_OK && csv_fini(csv, on_field, on_row, p) != 0)
        fail_csv(p, csv);
}

static void read_stream(parse *p, FILE *in)
{
    struct csv_parser csv;
    if (csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0) {
        out_of_memory(p);
        return;
    }
    feed(p, &csv, in);
    csv_free(&csv);
    free_texts(p->fields, p->n_fields);
    if (p->status == RUG_OK && p->list->n_rows == 0)
        p->status = rug_context_fail(p->ctx, RUG_E_FORMAT, "%s: %s", p->path,
                                     p->n_header == 0
                                         ? "is empty; a header such as image,mask,class "
                                           "and a row per image expected"
                                         : "no rows below the header; a row per image "
                                           "expected");
}

/** @return NULL: with the reason in the context */
static FILE *open_list(rug_context *ctx, const char *path)
{
    int is_stdin = strcmp(path, "-") == 0;
    if (is_stdin && isatty(STDIN_FILENO)) {
        rug_context_fail(ctx, RUG_E_IO,
                         "standard input is a terminal; a list in a pipe or a file "
                         "expected");
        return NULL;
    }
    FILE *in = is_stdin ? stdin : fopen(path, "rb");
    if (in == NULL)
        rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", path,
                         strerror(errno));
    return in;
}

/** An empty list with its folder. */
static cli_list *new_list(parse *p, const char *path)
{
    const char *slash = strrchr(path, '/');
    cli_list *list = calloc(1, sizeof *list);
    if (list != NULL)
        list->folder = strndup(path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
    if (list == NULL || list->folder == NULL)
        out_of_memory(p);
    return list;
}

rug_status cli_list_read(rug_context *ctx, cli_list **out, const char *path,
                         int takes_classes)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "cli_list_read: NULL given for the context, the result or the path");
    FILE *in = open_list(ctx, path);
    if (in == NULL)
        return RUG_E_IO;
    parse p = {.ctx = ctx,
               .path = path,
               .line = 1,
               .takes_classes = takes_classes,
               .place = {-1, -1, -1, -1}};
    p.list = new_list(&p, path);
    if (in == stdin)
        p.path = "standard input";
    if (p.status == RUG_OK)
        read_stream(&p, in);
    if (in != stdin)
        fclose(in);
    if (p.status != RUG_OK) {
        cli_list_free(p.list);
        return p.status;
    }
    *out = p.list;
    return RUG_OK;
}
