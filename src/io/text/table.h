/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Rows of JSON objects written as a table. */

#ifndef RUGOSE_TABLE_H
#define RUGOSE_TABLE_H

#include <json-c/json.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdio.h>

/** What a table shows: these members of these objects. Everything is borrowed. */
typedef struct rugi_table {
    size_t n_columns;
    char *const *columns;
    json_object *rows; /* an array of objects */
} rugi_table;

/** Writes CSV: fields quoted as RFC 4180 says, lines ended by "\n". Text keeps its bytes.
 *  @return RUG_OK, RUG_E_NOMEM; whether the stream took it is for the caller to ask */
rug_status rugi_table_write_csv(FILE *stream, const rugi_table *table);

/** Writes aligned columns for people: numbers to the right and rounded to six digits,
 *  text to the left and without control characters.
 *  @return RUG_OK, RUG_E_NOMEM; likewise */
rug_status rugi_table_write_text(FILE *stream, const rugi_table *table);

#endif
