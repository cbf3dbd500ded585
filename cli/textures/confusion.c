/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* True classes against predicted ones. */

#include "confusion.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRUE_COLUMN "true/predicted"
#define NONE_COLUMN "(none)"

/* A column's name may be that of a class; then it gets brackets until it is not. */
typedef struct column_name {
    char text[64];
} column_name;

static size_t n_columns(const cli_confusion *c)
{
    return rug_lbp_model_n_classes(c->model) + 1;
}

static size_t n_rows(const cli_confusion *c)
{
    return rug_lbp_model_n_classes(c->model) + c->n_others;
}

static uint64_t count_at(const cli_confusion *c, size_t row, size_t column)
{
    return c->counts[row * n_columns(c) + column];
}

static const char *row_name(const cli_confusion *c, size_t row)
{
    size_t n = rug_lbp_model_n_classes(c->model);
    return row < n ? rug_lbp_model_class(c->model, row) : c->others[row - n];
}

int cli_confusion_begin(cli_confusion *c, const rug_lbp_model *model)
{
    *c = (cli_confusion){.model = model};
    c->counts = calloc(n_rows(c) * n_columns(c), sizeof *c->counts);
    return c->counts != NULL ? 0 : -1;
}

void cli_confusion_free(cli_confusion *c)
{
    for (size_t i = 0; i < c->n_others; i++)
        free(c->others[i]);
    free(c->others);
    free(c->counts);
}

/* A row of zeros for a class that the model lacks. */
static int add_row(cli_confusion *c, const char *name)
{
    size_t n = n_rows(c), width = n_columns(c);
    uint64_t *counts = realloc(c->counts, (n + 1) * width * sizeof *counts);
    if (counts == NULL)
        return -1;
    c->counts = counts;
    memset(counts + n * width, 0, width * sizeof *counts);
    char **others = realloc(c->others, (c->n_others + 1) * sizeof *others);
    if (others == NULL)
        return -1;
    c->others = others;
    others[c->n_others] = strdup(name);
    if (others[c->n_others] == NULL)
        return -1;
    c->n_others++;
    return 0;
}

static size_t find_row(const cli_confusion *c, const char *name)
{
    size_t row = 0;
    while (row < n_rows(c) && strcmp(row_name(c, row), name) != 0)
        row++;
    return row;
}

int cli_confusion_add(cli_confusion *c, const char *truth, const char *predicted)
{
    size_t row = find_row(c, truth), column = 0, none = n_columns(c) - 1;
    if (row == n_rows(c) && add_row(c, truth) != 0)
        return -1;
    while (predicted != NULL && column < none &&
           strcmp(rug_lbp_model_class(c->model, column), predicted) != 0)
        column++;
    c->counts[row * n_columns(c) + (predicted != NULL ? column : none)]++;
    return 0;
}

static uint64_t sum_of_row(const cli_confusion *c, size_t row)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < n_columns(c); k++)
        sum += count_at(c, row, k);
    return sum;
}

static uint64_t right_of_row(const cli_confusion *c, size_t row)
{
    return row < rug_lbp_model_n_classes(c->model) ? count_at(c, row, row) : 0;
}

/* A name as a terminal may have it: a model's may hold anything. */
typedef struct shown_name {
    char text[128];
} shown_name;

static shown_name show_name(const char *name)
{
    shown_name out;
    snprintf(out.text, sizeof out.text, "%s", name);
    for (char *at = out.text; *at != '\0'; at++)
        *at = (unsigned char)*at < ' ' || *at == 127 ? '?' : *at;
    return out;
}

/* True classes that the model lacks cannot be predicted. */
static void warn_of_others(cli_run *run, const cli_confusion *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->n_others; i++)
        sum += sum_of_row(c, rug_lbp_model_n_classes(c->model) + i);
    if (c->n_others > 0)
        cli_warn(run,
                 "%" PRIu64 " image%s of %zu class%s that the model does not know, such "
                 "as '%s'; they count as wrong",
                 sum, sum == 1 ? " is" : "s are", c->n_others,
                 c->n_others == 1 ? "" : "es", show_name(c->others[0]).text);
}

void cli_confusion_tell(cli_run *run, const cli_confusion *c)
{
    uint64_t sum = 0, right = 0;
    for (size_t row = 0; row < n_rows(c); row++) {
        sum += sum_of_row(c, row);
        right += right_of_row(c, row);
    }
    if (sum == 0)
        return;
    warn_of_others(run, c);
    rug_record *accuracy = rug_record_new();
    rug_record_set_integer(accuracy, "correct", right);
    rug_record_set_integer(accuracy, "total", sum);
    rug_record_set_record(rug_report_head(run->report), "accuracy", accuracy);
    cli_clear_progress(run);
    fprintf(stderr, "accuracy %" PRIu64 "/%" PRIu64 " = %.2f %%", right, sum,
            100 * (double)right / (double)sum);
    for (size_t row = 0, n = 0; row < n_rows(c); row++)
        if (sum_of_row(c, row) > 0)
            fprintf(stderr, "%s%s %" PRIu64 "/%" PRIu64, n++ > 0 ? ", " : " (",
                    show_name(row_name(c, row)).text, right_of_row(c, row),
                    sum_of_row(c, row));
    fputs(")\n", stderr);
}

static column_name free_name(const cli_confusion *c, const char *name)
{
    size_t n = rug_lbp_model_n_classes(c->model), i = 0;
    column_name out, inner;
    snprintf(out.text, sizeof out.text, "%s", name);
    while (i < n) {
        if (strcmp(rug_lbp_model_class(c->model, i++), out.text) != 0)
            continue;
        inner = out;
        snprintf(out.text, sizeof out.text, "(%.60s)", inner.text);
        i = 0;
    }
    return out;
}

rug_report *cli_confusion_report(const cli_confusion *c)
{
    size_t n = rug_lbp_model_n_classes(c->model);
    column_name truth = free_name(c, TRUE_COLUMN), none = free_name(c, NONE_COLUMN);
    const char **columns = calloc(n + 3, sizeof *columns);
    if (columns == NULL)
        return NULL;
    columns[0] = truth.text;
    for (size_t k = 0; k < n; k++)
        columns[k + 1] = rug_lbp_model_class(c->model, k);
    columns[n + 1] = none.text;
    rug_report *report = rug_report_new(columns);
    for (size_t row = 0; report != NULL && row < n_rows(c); row++) {
        rug_record *r = rug_record_new();
        rug_record_set_text(r, truth.text, row_name(c, row));
        for (size_t k = 0; k <= n; k++)
            rug_record_set_integer(r, columns[k + 1], count_at(c, row, k));
        rug_report_add(report, r);
    }
    free(columns);
    return report;
}
