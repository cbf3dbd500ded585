/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading tables of golden values: tab-separated text with a head, after comments.
 * Include it after support.h. */

#ifndef RUGOSE_GOLDEN_SUPPORT_H
#define RUGOSE_GOLDEN_SUPPORT_H

#include "core/image/number.h"
#include <stdio.h>
#include <string.h>

#define GOLDEN_FIELDS 24

/* A line of a table, cut into its fields. */
typedef struct golden_row {
    char text[1024];
    int n;
    char *field[GOLDEN_FIELDS];
} golden_row;

/* The next line that is no comment. Returns 0 at the end. */
static inline int golden_next(FILE *file, golden_row *row)
{
    do {
        if (fgets(row->text, sizeof row->text, file) == NULL)
            return 0;
    } while (row->text[0] == '#');
    row->n = 0;
    for (char *at = row->text; at != NULL && row->n < GOLDEN_FIELDS;) {
        row->field[row->n++] = at;
        at = strpbrk(at, "\t\n");
        if (at != NULL) {
            int last = *at == '\n';
            *at++ = '\0';
            at = last ? NULL : at;
        }
    }
    return 1;
}

/* Opens a table of tests/data/golden and checks its head. */
static inline FILE *golden_open(const char *name, const char *first, int n_fields)
{
    char path[256];
    golden_row head;
    snprintf(path, sizeof path, "golden/%s.tsv", name);
    FILE *file = fopen(test_data(path), "r");
    if (file == NULL)
        fail_msg("%s cannot be opened", test_data(path));
    assert_true(golden_next(file, &head));
    assert_string_equal(head.field[0], first);
    assert_int_equal(head.n, n_fields);
    return file;
}

#endif
